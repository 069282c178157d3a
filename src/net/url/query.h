/* query.h - the parameters of a canonical address
 *
 *     struct fg_str rest = fg_query_of(url), part;
 *     while (fg_query_next(&rest, &part))
 *         ...fg_query_key(part)...
 *
 * Parameters stand between "&", in some programs between ";". What is given is a view of
 * the address, unless an arena is asked for. */
#ifndef FG_NET_QUERY_H
#define FG_NET_QUERY_H

#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>

/* What stands behind the question mark; empty if there is none. */
struct fg_str fg_query_of(struct fg_str url);

bool fg_query_next(struct fg_str *rest, struct fg_str *part);

/* The name of a parameter: what stands before "=". */
struct fg_str fg_query_key(struct fg_str part);

/* Is this parameter, name and value, among those of a query? */
bool fg_query_has(struct fg_str query, struct fg_str part);

/* The address with those parameters that are to be kept: itself if it has none. */
typedef bool fg_query_keeps(void *context, struct fg_str part);
struct fg_str fg_query_filter(struct fg_arena *arena, struct fg_str url,
                              fg_query_keeps *keeps, void *context);

/* The address without the parameters of a name. */
struct fg_str fg_query_without(struct fg_arena *arena, struct fg_str url,
                               struct fg_str key);

#endif
