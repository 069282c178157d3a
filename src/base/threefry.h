/* threefry.h - random numbers by place: a keyed scramble of 128 bits
 *
 *     fg_threefry(key, (uint64_t[]){index, FG_PLACE_GAMMA}, 20, out);
 *
 * Threefry2x64 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
 * 1, 2, 3" (SC 2011): for each key a one-to-one map of counters, made of additions,
 * rotations and exclusive ors. The authors use 20 rounds and found that 13 pass all of
 * BigCrush; we split streams with 20 and fill arrays with 13. Private to rng.c and
 * fill.c. */
#ifndef FG_BASE_THREEFRY_H
#define FG_BASE_THREEFRY_H

#include <stdint.h>

#define FG_THREEFRY_PARITY UINT64_C(0x1BD11BDAA9FC1A22)

/* The second half of a counter says what the numbers are for, so that no two uses of one
 * key ever see the same; a count may be added to it. */
#define FG_PLACE_SEED    (UINT64_C(0) << 56)
#define FG_PLACE_SPLIT   (UINT64_C(1) << 56)
#define FG_PLACE_STATE   (UINT64_C(2) << 56)
#define FG_PLACE_UNIFORM (UINT64_C(3) << 56)
#define FG_PLACE_GAMMA   (UINT64_C(6) << 56)

static inline uint64_t fg_threefry_turn(uint64_t *a, uint64_t b, unsigned n)
{
    *a += b;
    return (b << n | b >> (64 - n)) ^ *a;
}

static inline void fg_threefry(const uint64_t key[2], const uint64_t counter[2],
                               unsigned rounds, uint64_t out[2])
{
    const uint64_t keys[3] = {key[0], key[1], FG_THREEFRY_PARITY ^ key[0] ^ key[1]};
    static const unsigned char turn[2][4] = {{16, 42, 12, 31}, {16, 32, 24, 21}};
    uint64_t a = counter[0] + keys[0], b = counter[1] + keys[1];
    for (unsigned i = 1; i <= rounds / 4; i++) {
        const unsigned char *by = turn[(i - 1) % 2];
        b = fg_threefry_turn(&a, b, by[0]);
        b = fg_threefry_turn(&a, b, by[1]);
        b = fg_threefry_turn(&a, b, by[2]);
        b = fg_threefry_turn(&a, b, by[3]);
        a += keys[i % 3];
        b += keys[(i + 1) % 3] + i;
    }
    if (rounds % 4)
        b = fg_threefry_turn(&a, b, 16);
    out[0] = a;
    out[1] = b;
}

#endif
