/* Linear probing. Removal shifts later entries back instead of leaving tombstones, so a
 * map that lives for months does not silt up. */
#include "base/map.h"

#include "base/err.h"
#include "base/memory.h"

#include <stdlib.h>

/* Keys are often small integers or already hashes; one multiply spreads both. Its upper
 * half is needed too: keys that differ in their highest bits only have equal lower ones.
 */
static size_t slot_of(uint64_t key, size_t mask)
{
    unsigned __int128 product = (unsigned __int128)key * 0x9E3779B97F4A7C15u;
    return (size_t)((uint64_t)product ^ (uint64_t)(product >> 64)) & mask;
}

static struct fg_map_slot *find(const struct fg_map *map, uint64_t key)
{
    size_t i = slot_of(key, map->mask);
    while (map->slots[i].key && map->slots[i].key != key)
        i = (i + 1) & map->mask;
    return &map->slots[i];
}

static void grow(struct fg_map *map)
{
    size_t room = map->slots ? (map->mask + 1) * 2 : 16;
    struct fg_map wider = *map;
    wider.slots = fg_zeroed(room, sizeof *wider.slots);
    wider.mask = room - 1;
    for (size_t i = 0; map->slots && i <= map->mask; i++)
        if (map->slots[i].key)
            *find(&wider, map->slots[i].key) = map->slots[i];
    free(map->slots);
    *map = wider;
}

uint64_t *fg_map_put(struct fg_map *map, uint64_t key)
{
    if (!key) {
        map->has_zero = true;
        return &map->zero_value;
    }
    if (!map->slots || (map->len + 1) * 4 > (map->mask + 1) * 3)
        grow(map);
    struct fg_map_slot *slot = find(map, key);
    if (!slot->key) {
        *slot = (struct fg_map_slot){.key = key};
        map->len++;
    }
    return &slot->value;
}

uint64_t *fg_map_get(const struct fg_map *map, uint64_t key)
{
    if (!key)
        return map->has_zero ? (uint64_t *)&map->zero_value : NULL;
    if (!map->slots)
        return NULL;
    struct fg_map_slot *slot = find(map, key);
    return slot->key ? &slot->value : NULL;
}

bool fg_map_remove(struct fg_map *map, uint64_t key)
{
    if (!key) {
        bool had = map->has_zero;
        map->has_zero = false;
        map->zero_value = 0;
        return had;
    }
    struct fg_map_slot *slot = map->slots ? find(map, key) : NULL;
    if (!slot || !slot->key)
        return false;
    size_t hole = (size_t)(slot - map->slots), i = hole;
    for (;;) {
        i = (i + 1) & map->mask;
        if (!map->slots[i].key)
            break;
        size_t home = slot_of(map->slots[i].key, map->mask);
        /* Move it into the hole unless its home lies cyclically in (hole, i]. */
        if (((i - home) & map->mask) >= ((i - hole) & map->mask)) {
            map->slots[hole] = map->slots[i];
            hole = i;
        }
    }
    map->slots[hole] = (struct fg_map_slot){0};
    map->len--;
    return true;
}

size_t fg_map_len(const struct fg_map *map)
{
    return map->len + map->has_zero;
}

bool fg_map_next(const struct fg_map *map, size_t *cursor, uint64_t *key, uint64_t *value)
{
    if (*cursor == 0) {
        ++*cursor;
        if (map->has_zero) {
            *key = 0;
            *value = map->zero_value;
            return true;
        }
    }
    for (; map->slots && *cursor <= map->mask + 1; ++*cursor) {
        const struct fg_map_slot *slot = &map->slots[*cursor - 1];
        if (slot->key) {
            *key = slot->key;
            *value = slot->value;
            ++*cursor;
            return true;
        }
    }
    return false;
}

void fg_map_clear(struct fg_map *map)
{
    free(map->slots);
    *map = (struct fg_map){0};
}

static struct fg_name *find_name(const struct fg_names *names, struct fg_str text,
                                 uint64_t hash)
{
    size_t i = slot_of(hash, names->mask);
    while (names->slots[i].text.at &&
           !(names->slots[i].hash == hash && fg_str_eq(names->slots[i].text, text)))
        i = (i + 1) & names->mask;
    return &names->slots[i];
}

static void grow_names(struct fg_names *names)
{
    size_t room = names->slots ? (names->mask + 1) * 2 : 16;
    struct fg_names wider = *names;
    wider.slots = FG_NEW(names->arena, struct fg_name, room);
    wider.mask = room - 1;
    for (size_t i = 0; names->slots && i <= names->mask; i++)
        if (names->slots[i].text.at)
            *find_name(&wider, names->slots[i].text, names->slots[i].hash) =
                names->slots[i];
    *names = wider;
}

uint64_t *fg_names_put(struct fg_names *names, struct fg_str text)
{
    if (!names->slots || (names->len + 1) * 4 > (names->mask + 1) * 3)
        grow_names(names);
    uint64_t hash = fg_str_hash(text);
    struct fg_name *slot = find_name(names, text, hash);
    if (!slot->text.at) {
        *slot = (struct fg_name){.text = fg_arena_dup(names->arena, text), .hash = hash};
        names->len++;
    }
    return &slot->value;
}

uint64_t *fg_names_get(const struct fg_names *names, struct fg_str text)
{
    if (!names->slots)
        return NULL;
    struct fg_name *slot = find_name(names, text, fg_str_hash(text));
    return slot->text.at ? &slot->value : NULL;
}
