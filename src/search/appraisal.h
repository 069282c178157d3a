/* appraisal.h - what searchers would miss, of a store: made from its index and its log
 *
 *     struct fg_appraisal *appraisal;
 *     st = fg_appraisal_make(&appraisal, store, &rules, err);
 *     if (appraisal) {                                  there is a workload
 *         fg_appraisal_measure(appraisal, was, is, &worth);
 *         double seen = fg_appraisal_exposure(appraisal, site, page);
 *     }
 *     fg_appraisal_free(appraisal);
 *
 * Each query of the workload (workload.h) is asked of the index once, by all its words;
 * the scores of what it finds make its histogram (stakes.h), and their ranks what each
 * page gives to those who search. That takes as long as the queries have results, so it
 * is for a thread of its own. Measuring is for one thread at a time. */
#ifndef FG_SEARCH_APPRAISAL_H
#define FG_SEARCH_APPRAISAL_H

#include "search/stakes.h"

#include <stdatomic.h>

struct fg_appraisal;

struct fg_appraisal_rules {
    enum fg_score_kind kind; /* FG_SCORE_TFIDF or FG_SCORE_INLINKS */
    bool measures_terms;     /* gain_printed as well: by single terms, as in the thesis */
    int32_t today;           /* in days since 1970, by which searches fade */
    const atomic_bool *stop; /* may be NULL; once it is set, making fails */
};

/* NULL, and FG_OK, if nobody has searched for anything or nothing can be found. */
enum fg_status fg_appraisal_make(struct fg_appraisal **appraisal, struct fg_store *store,
                                 const struct fg_appraisal_rules *rules,
                                 struct fg_err *err);
void fg_appraisal_free(struct fg_appraisal *appraisal); /* NULL is fine */

/* Adds to `worth`; its distance is that of the text that differs most. */
void fg_appraisal_measure(struct fg_appraisal *appraisal, const struct fg_text_terms *was,
                          const struct fg_text_terms *is, struct fg_worth *worth);

/* Of its copy when this was made: the sum of f I(rank) score over the queries. */
double fg_appraisal_exposure(const struct fg_appraisal *appraisal, fg_site_id site,
                             fg_page_id page);

/* How many queries there are, and texts were measured since it was made. */
size_t fg_appraisal_queries(const struct fg_appraisal *appraisal);
size_t fg_appraisal_measured(const struct fg_appraisal *appraisal);
size_t fg_appraisal_texts(const struct fg_appraisal *appraisal);

/* --- what a page has at stake --- */

/* A document as far as searchers are concerned: G of docs/quality.md comes from these. */
struct fg_stake {
    double exposure;         /* as above */
    double gained, replaced; /* sums over the changes that were measured */
};
void fg_stake_add(struct fg_stake *stake, const struct fg_worth *worth);
/* What searchers would miss if a text had turned over, the mean of all being 1. */
void fg_stakes_missed(float *missed, const struct fg_stake *stakes, size_t n);

#endif
