/* lambda_price.h - the price of a visit at which the rates sum up to a budget
 *
 * Private to lambda.c. */
#ifndef FG_LEARN_LAMBDA_PRICE_H
#define FG_LEARN_LAMBDA_PRICE_H

#include "learn/lambda.h"

#define FG_LAMBDA_NEAR  (1 + 0x1p-33) /* prices this close are the same */
#define FG_LAMBDA_CLOSE 1e-10         /* to the budget, relative */

/* As many pages stay in the cache while they are solved. No solving takes more passes
 * than the most, and fg_lambda_find none more than it is allowed; it must be allowed the
 * least. */
enum {
    FG_LAMBDA_IN_CACHE = 32768,
    FG_LAMBDA_MOST_PASSES = 20,
    FG_LAMBDA_LEAST_PASSES = 4
};

/* Pages, and what their rates should sum up to. */
struct fg_lambda_problem {
    enum fg_lambda_model model;
    double most, target;
    struct fg_lambda_pages pages; /* `cap` NULL: none */
    struct {
        double start, gradient;
    } line;           /* of more pages, not among these: start + gradient / sqrt(price) */
    double low, high; /* the price is known to be between them; high 0: it is not */
    size_t passes, allowed;
    /* What the sites would have without caps: [site * width] at the price found. Owned by
     * the caller in the end, who frees it. */
    double *site_sum;
    size_t width;
};

/* A price, `mix` of whose way to FG_LAMBDA_NEAR times it the rates go; 0 if more cannot
 * be given, and the sum. */
struct fg_lambda_found {
    double price, mix, sum;
};

/* `last`: a price that was right before, or 0. There are pages, and the target is above
 * 0. With no ends known, or with caps, it must be allowed 12 passes. */
struct fg_lambda_found fg_lambda_find(struct fg_lambda_problem *problem, double last);

/* What a site may have. */
static inline double fg_lambda_cap(const struct fg_lambda_pages *pages, size_t site)
{
    return pages->cap[site] > 0 ? pages->cap[site] : 0;
}

#endif
