/* fpset.h - a set of fingerprints: which URLs have we seen?
 *
 *     struct fg_fpset seen = {0};
 *     if (fg_fpset_add(&seen, fingerprint)) ...it is new...
 *     fg_fpset_clear(&seen);
 *
 * Holds 64-bit keys exactly, any of them, 0 included: an answer is never wrong about the
 * fingerprint (that two URLs share one is for the caller to weigh: a chance of 3e-4 among
 * a hundred million). Costs 9.2 to 11.4 bytes a key at any size from a million up, and
 * one wait for memory a question; batches overlap their waiting.
 *
 * The set is cut into 256 shards. One that is full grows by a fifth, alone: the longest
 * pause of an insertion is a few passes over a shard, 4 MB of a hundred million keys. It
 * never shrinks. Keys need no order and no spread: they are scrambled first, one to one.
 *
 * Not locked. Any number of threads may ask while none changes the set; or several may
 * change it at once if each keeps to shards of its own (fg_fpset_shard). Pointers and
 * cursors hold until the next change. */
#ifndef FG_BASE_FPSET_H
#define FG_BASE_FPSET_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { FG_FPSET_SHARDS = 256 };

struct fg_fpset_shard {
    uint64_t *cells; /* scrambled keys in ascending order with gaps; 0 is a gap */
    uint32_t span;   /* cells that are some key's home; a few follow for the overflow */
    uint32_t room;   /* cells in all; the last is always a gap */
    uint32_t len;
    bool has_zero; /* the key that scrambles to 0 is told apart here */
};

struct fg_fpset {
    struct fg_fpset_shard shards[FG_FPSET_SHARDS];
};

/* True if it was not there. */
bool fg_fpset_add(struct fg_fpset *set, uint64_t key);
bool fg_fpset_has(const struct fg_fpset *set, uint64_t key);
/* True if it was there. */
bool fg_fpset_remove(struct fg_fpset *set, uint64_t key);

uint64_t fg_fpset_len(const struct fg_fpset *set);
void fg_fpset_clear(struct fg_fpset *set);

/* The same for many keys, about twice as fast: is_new[i] and has[i] answer for
 * keys[i]. Of equal keys in one batch the first is the new one. Returns how many were
 * new, or are there. `is_new` and `has` may be NULL. */
size_t fg_fpset_add_many(struct fg_fpset *set, const uint64_t *keys, size_t n,
                         bool *is_new);
size_t fg_fpset_has_many(const struct fg_fpset *set, const uint64_t *keys, size_t n,
                         bool *has);

/* Walk all keys, in the order of their scrambles, starting from a zeroed cursor. */
struct fg_fpset_cursor {
    uint32_t shard, cell;
};
bool fg_fpset_next(const struct fg_fpset *set, struct fg_fpset_cursor *cursor,
                   uint64_t *key);

/* The shard a key belongs to, and the bytes of memory held. */
unsigned fg_fpset_shard(uint64_t key);
size_t fg_fpset_bytes(const struct fg_fpset *set);

/* To a stream and back: a header, 8 bytes a key, and a checksum over both. Saving the
 * same keys always gives the same bytes. Loading replaces the set; what is cut short,
 * altered or not ours is FG_EINPUT, and the set is then empty. */
enum fg_status fg_fpset_save(const struct fg_fpset *set, FILE *f, struct fg_err *err);
enum fg_status fg_fpset_load(struct fg_fpset *set, FILE *f, struct fg_err *err);

#endif
