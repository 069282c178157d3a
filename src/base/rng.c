/* The generator is xoshiro256++ of Blackman and Vigna, "Scrambled linear pseudorandom
 * number generators" (2021): 2^256 - 1 steps until it repeats, no known failure in a
 * statistical test, under a nanosecond a number. Its jumps would give streams that cannot
 * overlap, but only in a sequence; a tree of streams, named by what they are for, needs a
 * hash instead, as Claessen and Palka argue in "Splittable pseudorandom number generators
 * using cryptographic hashing" (2013). Ours is Threefry: see threefry.h. */
#include "base/rng.h"

#include "base/map.h"
#include "base/threefry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SPLIT_ROUNDS = 20 };

static struct fg_rng from_key(const uint64_t key[2])
{
    struct fg_rng rng = {.key = {key[0], key[1]}};
    fg_threefry(key, (uint64_t[]){0, FG_PLACE_STATE}, SPLIT_ROUNDS, rng.state);
    fg_threefry(key, (uint64_t[]){1, FG_PLACE_STATE}, SPLIT_ROUNDS, rng.state + 2);
    return rng; /* never all zero: two counters of one key have two different images */
}

struct fg_rng fg_rng_from_seed(uint64_t seed)
{
    static const uint64_t root[2] = {0};
    uint64_t key[2];
    fg_threefry(root, (uint64_t[]){seed, FG_PLACE_SEED}, SPLIT_ROUNDS, key);
    return from_key(key);
}

struct fg_rng fg_rng_split(const struct fg_rng *parent, uint64_t number)
{
    uint64_t key[2];
    fg_threefry(parent->key, (uint64_t[]){number, FG_PLACE_SPLIT}, SPLIT_ROUNDS, key);
    return from_key(key);
}

/* Lemire, "Fast random integer generation in an interval" (2019): the high half of a
 * 128-bit product. The few low halves that would favour some results are drawn again; the
 * division that finds them is rarely reached. */
uint64_t fg_rng_below(struct fg_rng *rng, uint64_t n)
{
    assert(n > 0);
    unsigned __int128 product = (unsigned __int128)fg_rng_next(rng) * n;
    if ((uint64_t)product < n) {
        uint64_t unfair = -n % n;
        while ((uint64_t)product < unfair)
            product = (unsigned __int128)fg_rng_next(rng) * n;
    }
    return (uint64_t)(product >> 64);
}

static void swap_bytes(char *a, char *b, size_t n)
{
    char kept[64];
    for (size_t part; n; a += part, b += part, n -= part) {
        part = n < sizeof kept ? n : sizeof kept;
        memcpy(kept, a, part);
        memcpy(a, b, part);
        memcpy(b, kept, part);
    }
}

void fg_rng_shuffle(struct fg_rng *rng, void *items, size_t n, size_t size_bytes)
{
    char *at = items;
    for (size_t i = n; i > 1; i--) {
        size_t j = fg_rng_below(rng, i);
        if (j != i - 1)
            swap_bytes(at + j * size_bytes, at + (i - 1) * size_bytes, size_bytes);
    }
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Floyd's algorithm, in Bentley, "Programming pearls: a sample of brilliance" (1987): for
 * each top number in turn, take a number up to it, or itself if that one is taken. */
void fg_rng_sample(struct fg_rng *rng, uint64_t n, size_t k, uint64_t *out)
{
    assert(k <= n);
    struct fg_map taken = {0};
    for (size_t i = 0; i < k; i++) {
        uint64_t top = n - k + i, choice = fg_rng_below(rng, top + 1);
        out[i] = fg_map_get(&taken, choice) ? top : choice;
        fg_map_put(&taken, out[i]);
    }
    fg_map_clear(&taken);
    qsort(out, k, sizeof *out, by_value);
}
