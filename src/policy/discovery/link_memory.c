#include "policy/discovery/link_memory.h"

#include "base/err.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static struct fg_recent_link *numbered(const struct fg_link_memory *memory,
                                       uint64_t number)
{
    return &memory->ring[number & (memory->room - 1)];
}

static void widen(struct fg_link_memory *memory)
{
    struct fg_link_memory wider = *memory;
    wider.room = memory->room ? memory->room * 2 : 64;
    wider.ring = fg_zeroed(wider.room, sizeof *wider.ring);
    for (uint64_t i = memory->first; i < memory->next; i++)
        *numbered(&wider, i) = *numbered(memory, i);
    free(memory->ring);
    *memory = wider;
}

struct fg_recent_link *fg_link_memory_add(struct fg_link_memory *memory, uint64_t id,
                                          double hour)
{
    uint64_t *number = fg_map_put(&memory->number, id);
    if (*number)
        return numbered(memory, *number - 1);
    if (memory->next - memory->first == memory->room)
        widen(memory);
    struct fg_recent_link *link = numbered(memory, memory->next++);
    *number = memory->next;
    *link = (struct fg_recent_link){.id = id, .found = hour, .type = FG_NO_TYPE};
    return link;
}

struct fg_recent_link *fg_link_memory_find(const struct fg_link_memory *memory,
                                           uint64_t id)
{
    const uint64_t *number = fg_map_get(&memory->number, id);
    return number ? numbered(memory, *number - 1) : NULL;
}

bool fg_link_memory_expire(struct fg_link_memory *memory, double hour,
                           struct fg_recent_link *left)
{
    size_t n = fg_link_memory_len(memory);
    if (!n || (numbered(memory, memory->first)->found >= hour && n <= FG_LINKS_MAX))
        return false;
    *left = *numbered(memory, memory->first++);
    fg_map_remove(&memory->number, left->id);
    return true;
}

size_t fg_link_memory_len(const struct fg_link_memory *memory)
{
    return (size_t)(memory->next - memory->first);
}

struct fg_recent_link *fg_link_memory_at(const struct fg_link_memory *memory, size_t i)
{
    return numbered(memory, memory->first + i);
}

void fg_link_memory_clear(struct fg_link_memory *memory)
{
    free(memory->ring);
    fg_map_clear(&memory->number);
    *memory = (struct fg_link_memory){0};
}

void fg_link_memory_save(const struct fg_link_memory *memory, struct fg_buf *out)
{
    uint64_t n = fg_link_memory_len(memory);
    fg_buf_add(out, (struct fg_str){(const char *)&n, sizeof n});
    for (size_t i = 0; i < n; i++)
        fg_buf_add(out, (struct fg_str){(const char *)fg_link_memory_at(memory, i),
                                        sizeof(struct fg_recent_link)});
}

bool fg_link_memory_load(struct fg_link_memory *memory, struct fg_str *bytes)
{
    uint64_t n;
    if (!fg_str_take(bytes, &n, sizeof n) ||
        n > bytes->len / sizeof(struct fg_recent_link))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        struct fg_recent_link link;
        memcpy(&link, bytes->at + i * sizeof link, sizeof link);
        *fg_link_memory_add(memory, link.id, link.found) = link;
    }
    *bytes = fg_str_skip(*bytes, (size_t)n * sizeof(struct fg_recent_link));
    return fg_link_memory_len(memory) == n;
}
