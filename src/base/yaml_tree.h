/* yaml_tree.h - a YAML file as a tree whose every node knows its line
 *
 *     struct fg_yaml *root;
 *     fg_yaml_read(&root, &arena, text, "quick.yaml", err);
 *     for (const struct fg_yaml *node = root->child; node; node = node->next) ...
 *
 * For files that nest, such as experiments; settings are read by base/opt.h. Lives in the
 * arena. Anchors, aliases and tags are refused, as are a key given twice, more than
 * FG_YAML_DEPTH levels and more than FG_YAML_MAX bytes. Failures are FG_ECONFIG and name
 * the line. */
#ifndef FG_BASE_YAML_TREE_H
#define FG_BASE_YAML_TREE_H

#include "base/arena.h"
#include "base/err.h"

struct fg_yaml {
    enum fg_yaml_kind { FG_YAML_TEXT, FG_YAML_LIST, FG_YAML_MAP } kind;
    size_t line;
    struct fg_str key;  /* what a map calls it; empty in a list */
    struct fg_str text; /* of a FG_YAML_TEXT, with a NUL behind */
    struct fg_yaml *child, *next;
    size_t n; /* children */
};

enum fg_status fg_yaml_read(struct fg_yaml **root, struct fg_arena *arena,
                            struct fg_str text, const char *name, struct fg_err *err);

/* A file of several documents: a list of them. Empty ones are left out. */
enum fg_status fg_yaml_read_all(struct fg_yaml **list, struct fg_arena *arena,
                                struct fg_str text, const char *name, struct fg_err *err);

#endif
