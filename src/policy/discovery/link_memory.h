/* link_memory.h - the links a site showed in the last weeks, oldest first
 *
 *     struct fg_recent_link *link = fg_link_memory_add(&memory, id, hour);
 *     link = fg_link_memory_find(&memory, id);
 *     while (fg_link_memory_expire(&memory, before, &left)) ...it has left...
 *     fg_link_memory_clear(&memory);
 *
 * A link enters when it is new to everybody and leaves when it is too old, in the same
 * order, so the memory is a queue with an index: about 60 bytes a link. It never holds
 * more than FG_LINKS_MAX; past that the oldest leave early. Starts as zero. Pointers hold
 * until the next add or expire. */
#ifndef FG_POLICY_DISCOVERY_LINK_MEMORY_H
#define FG_POLICY_DISCOVERY_LINK_MEMORY_H

#include "base/buf.h"
#include "base/map.h"

enum { FG_LINKS_MAX = 1 << 18 };

/* Of links that were there when a source was first looked at, and of those that no source
 * shows any more. */
#define FG_NO_TYPE UINT32_MAX

struct fg_recent_link {
    uint64_t id;
    double found;   /* hour of discovery */
    uint32_t type;  /* of type_table.h, or FG_NO_TYPE */
    uint32_t spare; /* so that the bytes saved are all set */
};

struct fg_link_memory {
    struct fg_recent_link *ring;
    size_t room;          /* a power of two, or 0 */
    uint64_t first, next; /* links are numbered by their coming: first .. next - 1 */
    struct fg_map number; /* by id: its number + 1 */
};

/* The link, with no type if it is new. */
struct fg_recent_link *fg_link_memory_add(struct fg_link_memory *memory, uint64_t id,
                                          double hour);
struct fg_recent_link *fg_link_memory_find(const struct fg_link_memory *memory,
                                           uint64_t id);

/* Take out the oldest link if it was found before `hour` or the memory is full. */
bool fg_link_memory_expire(struct fg_link_memory *memory, double hour,
                           struct fg_recent_link *left);

/* The i-th of those there are, for passes over all of them. */
size_t fg_link_memory_len(const struct fg_link_memory *memory);
struct fg_recent_link *fg_link_memory_at(const struct fg_link_memory *memory, size_t i);

void fg_link_memory_clear(struct fg_link_memory *memory);

void fg_link_memory_save(const struct fg_link_memory *memory, struct fg_buf *out);
/* Takes its bytes off the front of `bytes`; false if they are not what was saved. The
 * memory must be empty. */
bool fg_link_memory_load(struct fg_link_memory *memory, struct fg_str *bytes);

#endif
