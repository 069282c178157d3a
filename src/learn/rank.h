/* rank.h - learning to rank: weights that put the best first, by coordinate ascent
 *
 *     struct fg_rank_set set = {.features = 4, .examples = n, .queries = q,
 *                               .x = columns, .label = labels, .query = starts};
 *     double weights[4];
 *     fg_rank_ascend(weights, &set, rules, &rng);
 *
 * Each query has examples with labels, and ranks them by a weighted sum of their
 * features. How good a ranking is, one of two metrics says:
 *   NDCG  the gains 2^label - 1 of the first few, the one in place i divided by
 *         log2(i + 1), over the most they could add up to
 *   ERR   expected reciprocal rank (Chapelle, Metzler, Zhang and Grinspan, CIKM 2009): a
 *         reader goes down the list and is content with an example with probability
 *         R = (2^label - 1) / 16; the sum over places i of 1/i times the probability to
 *         stop there. RankLib trains on it unless told otherwise
 * Metzler and Croft, "Linear feature-based models for information retrieval" (Information
 * Retrieval 10, 2007) climb on that directly, one weight at a time, as RankLib does. */
#ifndef FG_LEARN_RANK_H
#define FG_LEARN_RANK_H

#include "base/rng.h"

#include <stddef.h>
#include <stdint.h>

enum { FG_RANK_FEATURES_MAX = 64 };

struct fg_rank_set {
    size_t features, examples, queries; /* 1 to FG_RANK_FEATURES_MAX features */
    const float *const *x;              /* x[feature][example] */
    const float *label;                 /* by example, 0 or more; need not be whole */
    const uint32_t *query; /* queries + 1 of them: examples query[q] .. query[q + 1] */
};

enum fg_rank_metric { FG_RANK_NDCG, FG_RANK_ERR };

struct fg_rank_rules {
    enum fg_rank_metric metric;
    size_t cutoff;   /* places that count */
    size_t restarts; /* climbs from the start, each taking the weights in another order */
    size_t steps;    /* of a search along one weight, each twice as long as the last */
    double tolerance; /* a round over all weights that gains less is the last */
};

/* The mean NDCG over the queries in which there is anything to gain. Examples with the
 * same score share their places. 0 if there is no such query. */
double fg_rank_ndcg(const struct fg_rank_set *set, const double *weights, size_t cutoff);

/* The mean ERR over all queries. Examples with the same score are each the mean of them.
 */
double fg_rank_err(const struct fg_rank_set *set, const double *weights, size_t cutoff);

/* Climb from equal weights; the best weights found, their absolute values adding up to 1,
 * and what the metric says of them. */
double fg_rank_ascend(double *weights, const struct fg_rank_set *set,
                      struct fg_rank_rules rules, struct fg_rng *rng);

#endif
