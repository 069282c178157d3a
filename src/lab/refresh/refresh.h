/* refresh.h - what refresh.c, best.c, forecasts.c and charts.c share while a result is
 * made
 *
 * The public face is fg_experiment_refresh in lab/experiment_kind.h. */
#ifndef FG_LAB_REFRESH_REFRESH_H
#define FG_LAB_REFRESH_REFRESH_H

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

/* Of values drawn again, sorted in place: the mean is given, the interval theirs. */
struct fg_figure fg_resampled_figure(double mean, double *values, size_t n);

/* The ratio of two showings, by what the metric is of. */
void fg_showing_compare(struct fg_findings *f, struct fg_pairing *pair,
                        const struct fg_showing *ours, const struct fg_showing *theirs,
                        bool less_is_better);

/* best.c: against the best of some, and geometric means over groups. */
void fg_refresh_best(struct fg_findings *f);
void fg_refresh_families(struct fg_findings *f);

/* forecasts.c: the AUC of what was told, a row each, as in Table 4 of Han et al. */
void fg_refresh_forecasts(struct fg_findings *f);

/* charts.c: of the group at hand, and of its budget at hand */
void fg_refresh_draw_group(struct fg_findings *f);
void fg_refresh_draw_cell(struct fg_findings *f);

#endif
