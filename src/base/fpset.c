/* Ordered linear probing (Amble and Knuth, "Ordered hash tables", 1974). A key is
 * scrambled by a one-to-one map; the top byte chooses the shard, and the rest, as a
 * fraction of the span, the cell that is its home. Homes ascend with the scrambles, so if
 * every cell run is kept sorted the whole shard is one sorted array with gaps. That buys
 * three things:
 *
 *  - a search stops at the first larger scramble, which makes a miss as cheap as a hit
 * and lets a shard be 7/8 full: 4.5 cells a search then, 2.5 just after growing, one or
 * two cache lines;
 *  - a shard can grow by any factor, in a few sequential passes. Ours is 6/5: with
 *    doubling the set would be half empty half of the time, and 12 bytes a key out of
 *    reach;
 *  - the last cells need no wrapping around: a few more follow the span, and more are
 *    added where they run out.
 *
 * Considered and left: storing only the bits that the place does not tell (quotienting)
 * would save 2 bytes a key, and needs unaligned cells and three flag bits to walk. */
#include "base/fpset.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    SHARD_BITS = 8,
    OVERFLOW = 16, /* cells behind the span to begin with */
    PAGE = 512,    /* cells in 4096 bytes */
    MAPPED = PAGE, /* shards of so many cells or more have pages of their own */
    BATCH = 64,    /* keys whose memory is asked for together */
};
_Static_assert(FG_FPSET_SHARDS == 1 << SHARD_BITS, "the bits must address every shard");

/* Two multiplications by odd numbers and three foldings, each of which can be undone. */
#define SPREAD_1 UINT64_C(0x9FB21C651E98DF25)
#define SPREAD_2 UINT64_C(0xD6E8FEB86659FD93)
#define GATHER_1 UINT64_C(0x02AB9C720D1024AD) /* times SPREAD_1 is 1 */
#define GATHER_2 UINT64_C(0xCFEE444D8B59A89B)

static uint64_t scramble(uint64_t key)
{
    key = (key ^ key >> 32) * SPREAD_1;
    key = (key ^ key >> 32) * SPREAD_2;
    return key ^ key >> 32;
}

static uint64_t unscramble(uint64_t h)
{
    h = (h ^ h >> 32) * GATHER_2;
    h = (h ^ h >> 32) * GATHER_1;
    return h ^ h >> 32;
}

static unsigned shard_of(uint64_t h)
{
    return (unsigned)(h >> (64 - SHARD_BITS));
}

static size_t home_of(uint64_t h, uint32_t span)
{
    return (size_t)((unsigned __int128)(h << SHARD_BITS) * span >> 64);
}

/* Is this cell before the place of h: taken, and by a smaller one? A gap, 0, counts as
 * larger than all. */
static bool is_before(uint64_t cell, uint64_t h)
{
    return cell - 1 < h - 1;
}

/* The cell of h, or the one it should be put before. All cells from its home to there are
 * before it and none after is, so a long run (somebody made it) can be searched by
 * halving. */
static size_t find(const struct fg_fpset_shard *shard, uint64_t h)
{
    enum { NEAR = 32 };
    const uint64_t *cells = shard->cells;
    size_t i = home_of(h, shard->span), near = i + NEAR;
    if (near >= shard->room)
        near = shard->room - 1; /* a gap, always */
    while (i < near && is_before(cells[i], h))
        i++;
    if (!is_before(cells[i], h))
        return i;
    size_t before = i, after = shard->room - 1;
    for (size_t step = NEAR; before + step < after; step *= 2) {
        if (!is_before(cells[before + step], h)) {
            after = before + step;
            break;
        }
        before += step;
    }
    while (after - before > 1) {
        size_t middle = before + (after - before) / 2;
        if (is_before(cells[middle], h))
            before = middle;
        else
            after = middle;
    }
    return after;
}

/* Large shards are mapped, not allocated: a mapping grows without being copied, takes no
 * more than a page in excess, and leaves no hole behind. With realloc the holes of a
 * thousand growing shards came to a third of the set. */
static size_t round_up(size_t room)
{
    return room < MAPPED ? room : (room + PAGE - 1) / PAGE * PAGE;
}

static void *map_cells(void)
{
    size_t bytes = MAPPED * sizeof(uint64_t);
    void *at =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static void *remap_cells(void *cells, size_t old, size_t room)
{
    size_t cell = sizeof(uint64_t);
    void *at = mremap(cells, old * cell, room * cell, MREMAP_MAYMOVE);
    return at == MAP_FAILED ? NULL : at;
}

static void free_cells(struct fg_fpset_shard *shard)
{
    if (shard->room < MAPPED)
        free(shard->cells);
    else
        munmap(shard->cells, shard->room * sizeof *shard->cells);
}

/* To at least `room` cells; what was there stays, what is new is zero. */
static void widen(struct fg_fpset_shard *shard, size_t room)
{
    uint64_t *wider = NULL;
    size_t old = shard->room;
    room = round_up(room);
    if (room <= old)
        return;
    if (room >= UINT32_MAX)
        fg_out_of_memory();
    if (room < MAPPED) {
        wider = realloc(shard->cells, room * sizeof *wider);
        if (wider)
            memset(wider + old, 0, (room - old) * sizeof *wider);
    } else if (old >= MAPPED) {
        wider = remap_cells(shard->cells, old, room);
    } else if ((wider = map_cells()) && (wider = remap_cells(wider, MAPPED, room)) &&
               old) {
        memcpy(wider, shard->cells, old * sizeof *wider);
        free(shard->cells);
    }
    if (!wider)
        fg_out_of_memory();
    shard->cells = wider;
    shard->room = (uint32_t)room;
}

/* All keys of a shard, in order, to `keys`, which has room for one more. There is no
 * telling where the gaps are, so there is no branch on them: always write, maybe keep. */
static size_t copy_keys(const struct fg_fpset_shard *shard, uint64_t *keys)
{
    size_t n = 0;
    for (size_t i = 0; i < shard->room; i++) {
        keys[n] = shard->cells[i];
        n += keys[n] != 0;
    }
    return n;
}

/* Take the keys out and put them back, spread over a wider span. */
static void grow(struct fg_fpset_shard *shard)
{
    uint64_t *keys = malloc(((size_t)shard->len + 1) * sizeof *keys);
    if (!keys)
        fg_out_of_memory();
    size_t n = copy_keys(shard, keys), next = 0;
    if (shard->room)
        memset(shard->cells, 0, shard->room * sizeof *shard->cells);
    size_t room = round_up((size_t)shard->span + shard->span / 5 + 2 * OVERFLOW);
    widen(shard, room);
    shard->span = (uint32_t)(room - OVERFLOW);
    for (size_t i = 0; i < n; i++) {
        size_t home = home_of(keys[i], shard->span), at = home > next ? home : next;
        if (at + 1 >= shard->room)
            widen(shard, (size_t)shard->room + shard->room / 64 + OVERFLOW);
        shard->cells[at] = keys[i];
        next = at + 1;
    }
    free(keys);
}

/* Insert h, which belongs at cell i, by moving what stands there up to the next gap. */
static void insert(struct fg_fpset_shard *shard, size_t i, uint64_t h)
{
    size_t gap = i;
    while (shard->cells[gap])
        gap++;
    if (gap + 1 == shard->room)
        widen(shard, (size_t)shard->room + shard->room / 64 + OVERFLOW);
    memmove(shard->cells + i + 1, shard->cells + i, (gap - i) * sizeof *shard->cells);
    shard->cells[i] = h;
    shard->len++;
}

static bool add(struct fg_fpset *set, uint64_t h)
{
    struct fg_fpset_shard *shard = &set->shards[shard_of(h)];
    if (!h) {
        bool is_new = !shard->has_zero;
        shard->has_zero = true;
        return is_new;
    }
    if ((uint64_t)shard->len * 8 >= (uint64_t)shard->span * 7)
        grow(shard);
    size_t i = find(shard, h);
    if (shard->cells[i] == h)
        return false;
    insert(shard, i, h);
    return true;
}

static bool has(const struct fg_fpset *set, uint64_t h)
{
    const struct fg_fpset_shard *shard = &set->shards[shard_of(h)];
    if (!h)
        return shard->has_zero;
    return shard->cells && shard->cells[find(shard, h)] == h;
}

bool fg_fpset_add(struct fg_fpset *set, uint64_t key)
{
    return add(set, scramble(key));
}

bool fg_fpset_has(const struct fg_fpset *set, uint64_t key)
{
    return has(set, scramble(key));
}

bool fg_fpset_remove(struct fg_fpset *set, uint64_t key)
{
    uint64_t h = scramble(key);
    struct fg_fpset_shard *shard = &set->shards[shard_of(h)];
    if (!has(set, h))
        return false;
    if (!h) {
        shard->has_zero = false;
        return true;
    }
    /* Move the followers down until one is at home or a gap ends the run. */
    size_t i = find(shard, h) + 1;
    for (; shard->cells[i] && home_of(shard->cells[i], shard->span) < i; i++)
        shard->cells[i - 1] = shard->cells[i];
    shard->cells[i - 1] = 0;
    shard->len--;
    return true;
}

/* Scramble a batch and ask for the memory of all its homes. */
static void prepare(const struct fg_fpset *set, const uint64_t *keys, size_t n,
                    uint64_t h[BATCH])
{
    for (size_t i = 0; i < n; i++) {
        h[i] = scramble(keys[i]);
        const struct fg_fpset_shard *shard = &set->shards[shard_of(h[i])];
        if (shard->cells) {
            const uint64_t *home = shard->cells + home_of(h[i], shard->span);
            __builtin_prefetch(home);
            __builtin_prefetch(home + 6);
        }
    }
}

size_t fg_fpset_add_many(struct fg_fpset *set, const uint64_t *keys, size_t n,
                         bool *is_new)
{
    uint64_t h[BATCH];
    size_t added = 0;
    for (size_t done = 0, part; done < n; done += part) {
        part = n - done < BATCH ? n - done : BATCH;
        prepare(set, keys + done, part, h);
        for (size_t i = 0; i < part; i++) {
            bool fresh = add(set, h[i]);
            added += fresh;
            if (is_new)
                is_new[done + i] = fresh;
        }
    }
    return added;
}

size_t fg_fpset_has_many(const struct fg_fpset *set, const uint64_t *keys, size_t n,
                         bool *answers)
{
    uint64_t h[BATCH];
    size_t found = 0;
    for (size_t done = 0, part; done < n; done += part) {
        part = n - done < BATCH ? n - done : BATCH;
        prepare(set, keys + done, part, h);
        for (size_t i = 0; i < part; i++) {
            bool there = has(set, h[i]);
            found += there;
            if (answers)
                answers[done + i] = there;
        }
    }
    return found;
}

uint64_t fg_fpset_len(const struct fg_fpset *set)
{
    uint64_t len = 0;
    for (size_t i = 0; i < FG_FPSET_SHARDS; i++)
        len += set->shards[i].len + set->shards[i].has_zero;
    return len;
}

size_t fg_fpset_bytes(const struct fg_fpset *set)
{
    size_t bytes = sizeof *set;
    for (size_t i = 0; i < FG_FPSET_SHARDS; i++)
        bytes += set->shards[i].room * sizeof *set->shards[i].cells;
    return bytes;
}

unsigned fg_fpset_shard(uint64_t key)
{
    return shard_of(scramble(key));
}

void fg_fpset_clear(struct fg_fpset *set)
{
    for (size_t i = 0; i < FG_FPSET_SHARDS; i++)
        free_cells(&set->shards[i]);
    *set = (struct fg_fpset){0};
}

/* A cursor's cell is 0 before a shard is entered, then one more than the next to look at.
 */
bool fg_fpset_next(const struct fg_fpset *set, struct fg_fpset_cursor *cursor,
                   uint64_t *key)
{
    for (; cursor->shard < FG_FPSET_SHARDS; cursor->shard++, cursor->cell = 0) {
        const struct fg_fpset_shard *shard = &set->shards[cursor->shard];
        if (cursor->cell == 0) {
            cursor->cell = 1;
            if (shard->has_zero) {
                *key = unscramble(0);
                return true;
            }
        }
        while (cursor->cell <= shard->room) {
            uint64_t h = shard->cells[cursor->cell++ - 1];
            if (h) {
                *key = unscramble(h);
                return true;
            }
        }
    }
    return false;
}
