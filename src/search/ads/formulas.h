/* formulas.h - what the policies for advertisements compute, as plain functions
 *
 * Each is a line of Pandey's thesis (chapter 6) or of the indices that improve on it;
 * docs/ads.md derives them. Pure, so that tests can check them against values worked out
 * by hand. */
#ifndef FG_SEARCH_ADS_FORMULAS_H
#define FG_SEARCH_ADS_FORMULAS_H

#include "base/elementary.h"
#include "learn/gittins.h"

#include <math.h>

/* The exploration term of MIX (6.5), to be added to the mean: sqrt(2 ln t / n). */
static inline double fg_mix_term(double log_t, double n)
{
    return sqrt(2 * log_t / n);
}

/* That of BMIX-E (6.6.3): the variance in place of its bound, with a margin. */
static inline double fg_mix_e_term(double mean, double log_t, double n)
{
    double variance = mean * (1 - mean) + sqrt(2 * log_t / n);
    return sqrt(log_t / n * (variance < 0.25 ? variance : 0.25));
}

/* phi of 6.6.3, for a share of the budget that is left. */
static inline double fg_ads_throttle(double left)
{
    return 1 - fg_exp(-left);
}

/* The mean of an ad and what another display may teach. `m0` and `k0` are mean and weight
 * of the prior; the deviation is taken as if there were one click more, without which an
 * ad that has no click yet gets half of its true index and a market can lock in. */
static inline double fg_ads_index(double m0, double k0, double shown, double clicked,
                                  double horizon)
{
    double v = k0 + shown, mean = (k0 * m0 + clicked) / v;
    return mean + fg_gittins_reach(horizon / (v + 1)) *
                      sqrt((mean + 1 / v) * (1 - mean) / (v + 1));
}

/* The price of an advertiser moves by so much after a slice in which it was to spend
 * `expected` and had `target` to spend. */
static inline double fg_ads_price_step(double price, double step, double expected,
                                       double target)
{
    double most = expected > target ? expected : target;
    if (!(most > 0))
        return price;
    price += step * (expected - target) / most;
    return price < 0 ? 0 : price > 0.95 ? 0.95 : price;
}

/* 6.8.1: the weight alpha + beta of a beta distribution of mean `mean` and variance
 * `mean (1 - accuracy)`. */
static inline double fg_ads_prior_weight(double mean, double accuracy)
{
    return (1 - mean) / (1 - accuracy) - 1;
}

#endif
