#include "crawl/copies.h"

#include "base/err.h"
#include "base/memory.h"

#include <stdlib.h>

enum { QUARTERS = 4, NEAR = 3, MOST_STEPS = 256 };

struct fg_copies_entry {
    uint64_t simhash;
    uint32_t site, row;
    uint32_t older[QUARTERS]; /* the next entry of the list, + 1 */
};

/* Each quarter has heads of its own, for an entry is in one list of each. */
static uint32_t *head_of(const struct fg_copies *copies, uint32_t site, uint64_t simhash,
                         unsigned quarter)
{
    uint64_t key = (uint64_t)site << 16 | (simhash >> 16 * quarter & 0xFFFF);
    key *= 0x9E3779B97F4A7C15u;
    return &copies->heads[((key ^ key >> 32) & copies->heads_mask) * QUARTERS + quarter];
}

/* A list may be long where thousands of pages share a template; the newest few hundred
 * are where a copy is found, and the time stays bounded. */
uint32_t fg_copies_find(const struct fg_copies *copies, uint32_t site, uint64_t simhash,
                        uint32_t row)
{
    for (unsigned q = 0; q < QUARTERS && copies->heads; q++) {
        uint32_t at = *head_of(copies, site, simhash, q);
        for (int steps = 0; at && steps < MOST_STEPS; steps++) {
            const struct fg_copies_entry *entry = &copies->at[at - 1];
            if (entry->row != row && entry->site == site &&
                __builtin_popcountll(entry->simhash ^ simhash) <= NEAR)
                return entry->row;
            at = entry->older[q];
        }
    }
    return FG_NO_COPY;
}

static void link_entry(struct fg_copies *copies, size_t i)
{
    struct fg_copies_entry *entry = &copies->at[i];
    for (unsigned q = 0; q < QUARTERS; q++) {
        uint32_t *head = head_of(copies, entry->site, entry->simhash, q);
        entry->older[q] = *head;
        *head = (uint32_t)i + 1;
    }
}

static void grow_heads(struct fg_copies *copies)
{
    size_t room = copies->heads ? (copies->heads_mask + 1) * 2 : 256;
    free(copies->heads);
    copies->heads = fg_zeroed(room, QUARTERS * sizeof *copies->heads);
    copies->heads_mask = room - 1;
    for (size_t i = 0; i < copies->len; i++)
        link_entry(copies, i);
}

void fg_copies_add(struct fg_copies *copies, uint32_t site, uint64_t simhash,
                   uint32_t row)
{
    /* one to two entries for each head: some lists share one */
    if (!copies->heads || copies->len > 2 * copies->heads_mask)
        grow_heads(copies);
    if (copies->len == copies->capacity) {
        size_t wider = copies->capacity + copies->capacity / 2 + 64;
        struct fg_copies_entry *moved = fg_resized(copies->at, wider, sizeof *moved);
        copies->at = moved;
        copies->capacity = wider;
    }
    copies->at[copies->len] =
        (struct fg_copies_entry){.simhash = simhash, .site = site, .row = row};
    link_entry(copies, copies->len++);
}

void fg_copies_clear(struct fg_copies *copies)
{
    free(copies->heads);
    free(copies->at);
    *copies = (struct fg_copies){0};
}
