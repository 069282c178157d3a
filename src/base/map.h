/* map.h - open-addressing hash maps
 *
 *     struct fg_map ids = {0};
 *     *fg_map_put(&ids, fingerprint) = id;
 *     uint64_t *id = fg_map_get(&ids, fingerprint);
 *     fg_map_clear(&ids);
 *
 * fg_map goes from a 64-bit key to a 64-bit value and owns its memory. fg_names goes from
 * text to a 64-bit value; it copies each key into the arena it was given. Both keep their
 * entries in one flat table, at most three quarters full. A pointer to a value holds
 * until the next put or remove. */
#ifndef FG_BASE_MAP_H
#define FG_BASE_MAP_H

#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

struct fg_map_slot {
    uint64_t key, value;
};

struct fg_map {
    struct fg_map_slot *slots; /* key 0 marks an empty one; the real key 0 stands apart */
    size_t mask, len;          /* len counts the entries of the table, not key 0 */
    uint64_t zero_value;
    bool has_zero;
};

/* The value of a key, added as 0 if it is not there. */
uint64_t *fg_map_put(struct fg_map *map, uint64_t key);
/* The value of a key, or NULL. */
uint64_t *fg_map_get(const struct fg_map *map, uint64_t key);
bool fg_map_remove(struct fg_map *map, uint64_t key);
size_t fg_map_len(const struct fg_map *map);
void fg_map_clear(struct fg_map *map);

/* Walk all entries in table order: start with *cursor = 0. */
bool fg_map_next(const struct fg_map *map, size_t *cursor, uint64_t *key,
                 uint64_t *value);

struct fg_name {
    struct fg_str text;
    uint64_t hash, value;
};

struct fg_names {
    struct fg_arena *arena; /* set this; the rest starts as zero */
    struct fg_name *slots;  /* text.at NULL marks an empty one */
    size_t mask, len;
};

uint64_t *fg_names_put(struct fg_names *names, struct fg_str text);
uint64_t *fg_names_get(const struct fg_names *names, struct fg_str text);

#endif
