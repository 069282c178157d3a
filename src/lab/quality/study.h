/* study.h - how well dQ can be measured, and how well it can be foretold
 *
 * Of measures (thesis, 4.6; docs/quality.md): every page is fetched every 13 weeks, and
 * each measure of a fetch that found a change is held against the truth, which only the
 * lab knows. Of forecasts (Figure 4.3): every change is fetched at once, and what a
 * page's changes are worth in the first half of the weeks is held against the second. */
#ifndef FG_LAB_QUALITY_STUDY_H
#define FG_LAB_QUALITY_STUDY_H

#include "lab/quality/corpus.h"

struct fg_measure_study {
    double bias;         /* sum over the true sum */
    double linear;       /* correlation with the truth */
    double by_rank;      /* correlation of ranks */
    double negative;     /* share of measurements below 0 */
    double microseconds; /* of processor time a changed page */
};

struct fg_forecast_study {
    double one_half; /* share of pages that are worth something in one half only */
    double by_rank;  /* correlation of ranks between the halves */
    double within_2; /* share within a factor of 2, of those worth something in both */
    double top;  /* share of the top 5 % of the first half that are so in the second */
    double held; /* share of the second half's worth that those hold */
};

struct fg_study {
    double changed; /* fetches that found a change */
    struct fg_measure_study measure[FG_MEASURES];
    struct fg_forecast_study forecast[FG_FORESEEN];
};

/* Of a corpus whose measures were foreseen. */
void fg_study_make(struct fg_study *study, const struct fg_corpus *corpus);

/* Spearman's; equal values share their mean rank. NaN if there are no two values. */
double fg_rank_correlation(const double *a, const double *b, size_t n);

#endif
