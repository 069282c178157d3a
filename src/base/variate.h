/* variate.h - one draw from a distribution
 *
 *     double rate = fg_rng_gamma(&rng, 1 + changes) / (1 + days);
 *     uint64_t visits = fg_rng_poisson(&rng, 3.5);
 *
 * All are exact up to the rounding of doubles, for every parameter in the stated range,
 * and take bounded expected time whatever it is. The same stream gives the same variates
 * on every machine (see elementary.h). A parameter out of range is a bug of the caller
 * and is asserted. docs/random.md names the methods and their papers. */
#ifndef FG_BASE_VARIATE_H
#define FG_BASE_VARIATE_H

#include "base/rng.h"

/* Mean 0, variance 1. */
double fg_rng_normal(struct fg_rng *rng);

/* Mean 1. Divide by a rate. */
double fg_rng_exponential(struct fg_rng *rng);

/* Mean `shape` > 0, rate 1: divide by a rate. Below shape 0.05 or so many variates are
 * smaller than the smallest double and come out as 0. */
double fg_rng_gamma(struct fg_rng *rng, double shape);

/* The logarithm of such a variate, which never underflows: to compare or divide draws of
 * tiny shapes. */
double fg_rng_log_gamma(struct fg_rng *rng, double shape);

/* In [0, 1]; a and b from 1e-300 up. With tiny shapes most draws round to 0 or 1. */
double fg_rng_beta(struct fg_rng *rng, double a, double b);

/* 0 <= mean <= 1e18. From 2^53 on, counts are multiples of what a double can tell apart.
 */
uint64_t fg_rng_poisson(struct fg_rng *rng, double mean);

/* Successes in n <= 2^53 trials of chance p. */
uint64_t fg_rng_binomial(struct fg_rng *rng, uint64_t n, double p);

/* Failures before the first success, 0 < p <= 1; UINT64_MAX stands for that many or more.
 */
uint64_t fg_rng_geometric(struct fg_rng *rng, double p);

#endif
