/* lambda_rate.h - how often to fetch each page of a block, at given prices
 *
 * Private to lambda.c. Pages come in blocks that fit the first-level cache. What drives a
 * rate is not the price v itself but, in two of the models, 1 / sqrt(v): in it their
 * rates are linear. See lambda_rate.c for the formulas. */
#ifndef FG_LEARN_LAMBDA_RATE_H
#define FG_LEARN_LAMBDA_RATE_H

#include "learn/lambda.h"

#include <stdbool.h>

enum { FG_LAMBDA_BLOCK = 512 };

struct fg_lambda_block {
    double drive[FG_LAMBDA_BLOCK]; /* by page; or the first four, for all pages */
    double rate[FG_LAMBDA_BLOCK];
    double slope[FG_LAMBDA_BLOCK]; /* -2 d rate / d log v */
};

double fg_lambda_drive(enum fg_lambda_model model, double price);

/* The rate of one page. */
double fg_lambda_one(enum fg_lambda_model model, double most, double price, double weight,
                     double change);

/* The rates and slopes of n <= FG_LAMBDA_BLOCK pages; up to the next multiple of four
 * they are filled up with zeros. */
void fg_lambda_block(struct fg_lambda_block *block, enum fg_lambda_model model,
                     double most, const float *weight, const float *change, size_t n,
                     bool has_own_drives);

/* Only the sums of them: for passes over all pages. */
struct fg_lambda_sums {
    double rate, slope;
};
struct fg_lambda_sums fg_lambda_sum(enum fg_lambda_model model, double most, double price,
                                    const float *weight, const float *change, size_t n);

/* Two prices, and how the sum of the rates goes between them: as a straight line in
 * 1 / sqrt(price) for pages that are linear there or held by the same bound at both; the
 * others are listed. Not for the periodic model. */
struct fg_lambda_fence {
    double drive[2], sum[2]; /* `sum`: of those that are not listed */
    float *weight, *change;  /* n listed; the caller's, with room for all that come */
    size_t n;
};
void fg_lambda_fence(struct fg_lambda_fence *fence, enum fg_lambda_model model,
                     double most, const float *weight, const float *change, size_t n);

#endif
