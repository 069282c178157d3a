/* ziggurat.h - normal and exponential variates, the first and usually last step
 *
 * Marsaglia and Tsang, "The ziggurat method for generating random variables" (2000), with
 * 256 layers, of which the first step settles 98.8 % (normal) and 98.9 % (exponential).
 * As Doornik, "An improved ziggurat method" (2005), we take the layer and the place in it
 * from different bits: the original used the same ones twice, which shows in a chi-square
 * test. Private to variate.c and fill.c. */
#ifndef FG_BASE_ZIGGURAT_H
#define FG_BASE_ZIGGURAT_H

#include "base/elementary.h"
#include "base/rng.h"

#include <stdbool.h>

/* Layer i is edge[i] wide and reaches from height[i] up to height[i + 1]; layer 0 is the
 * bottom, with the tail. */
extern const double fg_normal_edge[257], fg_normal_height[257];
extern const double fg_exponential_edge[257], fg_exponential_height[257];

/* The upper 52 bits as a number in [0, 1); the lower 12 stay free for other uses. */
static inline double fg_unit_of(uint64_t bits)
{
    return fg_double_of(bits >> 12 | UINT64_C(0x3FF) << 52) - 1;
}

/* True if `x` is a normal variate; else fg_normal_finish makes one out of `bits`. */
static inline bool fg_normal_try(uint64_t bits, double *x)
{
    unsigned layer = bits & 255;
    double size = fg_unit_of(bits) * fg_normal_edge[layer];
    *x = fg_double_of(fg_bits_of(size) | (bits & 256) << 55);
    return size < fg_normal_edge[layer + 1];
}

static inline bool fg_exponential_try(uint64_t bits, double *x)
{
    unsigned layer = bits & 255;
    *x = fg_unit_of(bits) * fg_exponential_edge[layer];
    return *x < fg_exponential_edge[layer + 1];
}

double fg_normal_finish(struct fg_rng *rng, uint64_t bits);
double fg_exponential_finish(struct fg_rng *rng, uint64_t bits);

#endif
