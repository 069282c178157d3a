/* ranking.h - results of a search by relevance and by what people made of them
 *
 *     struct fg_ranking ranking = {.policy = fg_rank_policy_find(name), ...};
 *     st = fg_quality_init(&quality, store, &ranking, err);
 *     score *= fg_quality_of(&quality, &feedback);
 *     fg_quality_promote(&quality, feedback, n, seed, order, is_promoted);
 *     fg_quality_clear(&quality);
 *
 * What a page is worth is estimated from its looks and choices (search/feedback.h),
 * shrunk to the mean of all pages as if ten people had looked and done as people do; by
 * slot prices, with what one more look may teach. As long as there is no feedback at all,
 * every page is worth the same and nothing is promoted: nobody would learn from it. */
#ifndef FG_SEARCH_RANKING_H
#define FG_SEARCH_RANKING_H

#include "search/rank/rank.h"
#include "store/store.h"

/* How results are ranked; all zero: by relevance alone. */
struct fg_ranking {
    const struct fg_rank_policy *policy; /* NULL: none */
    double degree;                       /* of promotion, where the policy has one */
    size_t start;
    uint64_t seed; /* another one for each view of results */
};

struct fg_quality {
    bool is_on;
    double mean; /* choices a look, over all pages */
    struct fg_promotion how;
    struct fg_ranker *ranker; /* of slot prices, or NULL */
    double *shares;           /* its */
};

enum fg_status fg_quality_init(struct fg_quality *quality, struct fg_store *store,
                               const struct fg_ranking *ranking, struct fg_err *err);
void fg_quality_clear(struct fg_quality *quality);

/* From a tenth to ten; 1 is a page like any other, or no feedback. */
double fg_quality_of(const struct fg_quality *quality,
                     const struct fg_feedback_row *feedback);

/* The order of results that stand best first: places from 0, and whether each stands
 * where it does by chance. */
void fg_quality_promote(const struct fg_quality *quality,
                        const struct fg_feedback_row *feedback, size_t n, uint64_t seed,
                        uint32_t *order, bool *is_promoted);

#endif
