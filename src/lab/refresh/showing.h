/* showing.h - how a refresh policy did: medians and means of its runs, with intervals
 *
 * Seeds are averaged first, day by day and resample by resample, so that a day counts
 * once however often it was run; where a workload is several runs of a generator, those
 * are averaged as well. (Han et al. pool 100 runs of 31 days into 3,100 values; runs of
 * one day are no independent evidence about days.) */
#ifndef FG_LAB_REFRESH_SHOWING_H
#define FG_LAB_REFRESH_SHOWING_H

#include "lab/findings.h"
#include "lab/metric.h"
#include "lab/refresh/digest.h"

/* How one entrant did on one group with one budget, seeds averaged. The findings' cell
 * has one an entrant. */
struct fg_showing {
    size_t n_days;
    double *days[2]; /* click_freshness and page_freshness by day */
    size_t lines;
    double *at[FG_REFRESH_METRICS]; /* by line */
    size_t n_resamples;
    double *resampled; /* `stale` */
};

/* Lives in the findings' scratch arena. */
struct fg_showing fg_showing_of(struct fg_findings *f, size_t group, size_t budget,
                                size_t entrant);
double fg_showing_mean(const struct fg_showing *showing, size_t metric);
/* The same without the rest of the showing. */
double fg_refresh_mean(const struct fg_findings *f, size_t group, size_t budget,
                       size_t entrant, size_t metric);

/* With the interval that goes with the metric. */
struct fg_figure fg_showing_figure(struct fg_findings *f,
                                   const struct fg_showing *showing, size_t metric);

/* The ratio of two showings, by what the metric is of. */
void fg_showing_compare(struct fg_findings *f, struct fg_pairing *pair,
                        const struct fg_showing *ours, const struct fg_showing *theirs,
                        bool less_is_better);

#endif
