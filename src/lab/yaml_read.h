/* yaml_read.h - from a tree of YAML to structs, with messages that name the line
 *
 *     static const struct fg_key keys[] = {
 *         FG_KEY("name", struct site, name, fg_take_text),
 *         FG_KEY_LIST("hours", struct site, hours, n_hours, fg_take_count, false),
 *         {0},
 *     };
 *     struct fg_reader reader = {.arena = arena, .file = "sites.yaml", .err = err};
 *     fg_take_map(&reader, root, keys, &site);
 *
 * How a map is read: a table has one row a key, with the function that takes its value.
 * The same table makes the message when a key is not in it. All failures are FG_ECONFIG.
 */
#ifndef FG_LAB_YAML_READ_H
#define FG_LAB_YAML_READ_H

#include "base/yaml_tree.h"

#include <stdbool.h>
#include <stddef.h>

struct fg_reader {
    struct fg_arena *arena;
    const char *file; /* for messages */
    void *whole;      /* what the caller's own functions want to know */
    struct fg_err *err;
};

typedef enum fg_status fg_take(struct fg_reader *r, const struct fg_yaml *node,
                               void *into);

struct fg_key {
    const char *name;
    fg_take *take;
    size_t offset; /* of the member that `take` writes */
    /* Of a list: `take` is for its items, and the member points to them. */
    size_t item_bytes; /* 0: not a list */
    size_t count;      /* offset of their number, a size_t */
    bool or_one;       /* a value that is not a list is one item */
};
#define FG_KEY(name, type, member, take)                \
    {                                                   \
        name, take, offsetof(type, member), 0, 0, false \
    }
#define FG_KEY_LIST(name, type, member, n_member, take, or_one)          \
    {                                                                    \
        name, take, offsetof(type, member), sizeof *((type *)0)->member, \
            offsetof(type, n_member), or_one                             \
    }

enum fg_status fg_take_map(struct fg_reader *r, const struct fg_yaml *node,
                           const struct fg_key *keys, void *into);

/* The list of one key, which is not empty. */
enum fg_status fg_take_list(struct fg_reader *r, const struct fg_yaml *node,
                            const struct fg_key *key, void *into);

/* Into a const char *, a size_t, a uint64_t, a double, a bool and a fg_time. */
fg_take fg_take_text, fg_take_count, fg_take_seed, fg_take_number, fg_take_switch,
    fg_take_span;
fg_take fg_take_some; /* a count that is not 0 */
/* "0.1 %" or 0.001, into a double: at most 1. */
fg_take fg_take_share;

/* One of the words, which end with NULL, as its number; `what` is what they are. */
enum fg_status fg_take_word(struct fg_reader *r, const struct fg_yaml *node,
                            const char *what, const char *const *words, unsigned *number);

/* "file.yaml:7: key: what" */
enum fg_status fg_refuse(const struct fg_reader *r, const struct fg_yaml *node,
                         const char *what);

#endif
