/* fill.h - arrays of random numbers, each tied to its place
 *
 *     struct fg_rng tick = fg_rng_split(&rng, tick_number);
 *     fg_gamma_fill(&tick, first, n, shape, rate, out);
 *
 * The draw for place `first + i` is a function of the stream's key, of that place and of
 * its own parameters: not of its neighbours, nor of where a block starts or ends, nor of
 * how much was drawn from the stream before. So a hundred million pages can be scored in
 * blocks of any size on any number of threads, and each page gets the draw it would get
 * alone; a page that joins or leaves changes nobody else's luck.
 *
 * For the same reason a stream is only read here: filled twice, it gives the same numbers
 * twice. Split it by tick, as above, for fresh ones. Different distributions from one
 * stream are independent of each other, except the float and double forms of the same.
 *
 * The same bits on every x86-64, with AVX2 or without; fastest in blocks of 1000 or more,
 * from 1.5 (uniform) to 8 ns (gamma) a draw. */
#ifndef FG_BASE_FILL_H
#define FG_BASE_FILL_H

#include "base/rng.h"

/* In [0, 1): multiples of 2^-52. */
void fg_uniform_fill(const struct fg_rng *rng, uint64_t first, size_t n, double *out);

/* Mean shape[i] / rate[i]. `rate` may be NULL for 1 throughout. A shape or rate that is
 * not a positive finite number gives NaN, which no top-k ever chooses. */
void fg_gamma_fill(const struct fg_rng *rng, uint64_t first, size_t n,
                   const double *shape, const double *rate, double *out);

/* The same draws, rounded to float; computed as doubles. */
void fg_gamma_fill_f32(const struct fg_rng *rng, uint64_t first, size_t n,
                       const float *shape, const float *rate, float *out);

#endif
