/* json_tree.h - JSON from strangers, as jansson's tree
 *
 *     if (fg_json_tree_is_affordable(text, &limits)) root = json_loadb(...);
 *     json_t *root = fg_json_tree_mended(arena, script);     (NULL if it makes no sense)
 *     json_decref(root);
 *
 * jansson makes a tree of the whole text, so what a tree may cost is counted first: a
 * megabyte of "[]," would otherwise become a hundred. */
#ifndef FG_NET_JSON_TREE_H
#define FG_NET_JSON_TREE_H

#include "base/arena.h"
#include "base/str.h"

#include <jansson.h>

struct fg_json_limits {
    size_t depth, containers, values;
};

bool fg_json_tree_is_affordable(struct fg_str text, const struct fg_json_limits *limits);

/* What stands in a page as JSON, up to a megabyte of it. Authors' habits are mended where
 * they cannot be misunderstood: something before the first bracket and behind the last
 * (comments, CDATA, a semicolon), raw line ends and needless backslashes in strings,
 * commas before a closing bracket, comments, quotes written as &quot;. */
json_t *fg_json_tree_mended(struct fg_arena *arena, struct fg_str text);

#endif
