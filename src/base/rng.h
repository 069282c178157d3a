/* rng.h - streams of random numbers
 *
 *     struct fg_rng rng = fg_rng_from_seed(42);
 *     double u = fg_rng_unit(&rng);
 *     struct fg_rng site = fg_rng_split(&rng, site_id);   rng is as it was
 *
 * A stream is two things. Its key, 128 bits, is who it is: splitting looks at nothing
 * else. Its state, 256 bits, is how far it has been read: xoshiro256++ walks on from
 * where the key put it. So a child depends on its parent's key and the number it was
 * split with, and not on how much was drawn before: hand each unit of work its own child,
 * numbered by what it is (a page, a site, a tick) rather than by who computes it, and the
 * results are the same on any number of threads. Same seed, same numbers, on any machine.
 *
 * What is promised, and what not: children of one stream with different numbers have
 * different keys, always. Streams further apart share a key, or overlap within reach,
 * with a chance that is nil in practice: of a million million streams, below 1e-14.
 * Nothing here is for secrets: from four outputs one can compute the rest.
 *
 * A stream belongs to one thread at a time; its memory is the caller's, and it may be
 * copied (then both copies go the same way) and saved as it stands. The distributions are
 * in variate.h, whole arrays of draws in fill.h, weighted choice in alias.h. */
#ifndef FG_BASE_RNG_H
#define FG_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

struct fg_rng {
    uint64_t state[4], key[2];
};

struct fg_rng fg_rng_from_seed(uint64_t seed);

/* The child of that number. It does not touch the parent, and asking again gives the same
 * child again. */
struct fg_rng fg_rng_split(const struct fg_rng *parent, uint64_t number);

/* 64 random bits. */
static inline uint64_t fg_rng_next(struct fg_rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t sum = s[0] + s[3], shifted = s[1] << 17;
    uint64_t result = (sum << 23 | sum >> 41) + s[0];
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

/* In [0, 1): a multiple of 2^-53. */
static inline double fg_rng_unit(struct fg_rng *rng)
{
    return (double)(fg_rng_next(rng) >> 11) * 0x1p-53;
}

/* In (0, 1): an odd multiple of 2^-53, so that its logarithm is finite on both sides. */
static inline double fg_rng_open(struct fg_rng *rng)
{
    return (double)(fg_rng_next(rng) >> 12 << 1 | 1) * 0x1p-53;
}

/* In [0, n), n > 0, without bias. */
uint64_t fg_rng_below(struct fg_rng *rng, uint64_t n);

/* Put `n` items of `size_bytes` each into random order. */
void fg_rng_shuffle(struct fg_rng *rng, void *items, size_t n, size_t size_bytes);

/* Choose `k` different numbers of [0, n), k <= n: every set of k is equally likely, in
 * ascending order. Memory and time go with k, not with n. */
void fg_rng_sample(struct fg_rng *rng, uint64_t n, size_t k, uint64_t *out);

#endif
