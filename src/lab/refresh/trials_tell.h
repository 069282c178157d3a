/* trials_tell.h - what trials_tell.c, trials_best.c and trials_charts.c share while a
 * result is made
 *
 * The public face is fg_trials_result in trials.h. */
#ifndef FG_LAB_REFRESH_TRIALS_TELL_H
#define FG_LAB_REFRESH_TRIALS_TELL_H

#include "base/vec.h"
#include "lab/refresh/trials.h"
#include "lab/result.h"

/* How one entrant did on one group with one budget, seeds averaged. */
struct fg_showing {
    size_t n_days;
    double *days[2]; /* click_freshness and page_freshness by day */
    size_t lines;
    double *at[FG_REFRESH_METRICS]; /* by line */
    size_t n_resamples;
    double *resampled; /* `stale` */
};

struct fg_telling {
    const struct fg_trials *trials;
    struct fg_result *result;
    FG_VEC(struct fg_row) rows;
    FG_VEC(struct fg_pairing) pairings;
    FG_VEC(struct fg_chart) charts;
    struct fg_arena scratch; /* of the group and budget at hand */
    size_t group, budget;
    const char *name, *budget_text;
    struct fg_showing *showings; /* by entrant */
};

const char *fg_telling_keep(struct fg_telling *t, const char *text);
void fg_telling_remark(struct fg_telling *t, struct fg_str text);

/* Lives in `arena`. */
struct fg_showing fg_showing_of(const struct fg_trials *trials, struct fg_arena *arena,
                                size_t group, size_t budget, size_t entrant);
double fg_showing_mean(const struct fg_showing *showing, size_t metric);
/* The same without the rest of the showing. */
double fg_trials_mean(const struct fg_trials *trials, size_t group, size_t budget,
                      size_t entrant, size_t metric);

/* What was published of it; NaN: nothing. */
double fg_telling_published(const struct fg_telling *t, const char *policy,
                            size_t metric);

/* Of values drawn again, sorted in place: the mean is given, the interval theirs. */
struct fg_figure fg_resampled_figure(double mean, double *values, size_t n);

/* The ratio of two showings, by what the metric is of; the arena is for scratch. */
void fg_showing_compare(struct fg_pairing *pair, struct fg_arena *arena,
                        const struct fg_showing *ours, const struct fg_showing *theirs,
                        bool less_is_better);

/* trials_best.c: against the best of some, and geometric means over groups. */
void fg_telling_best(struct fg_telling *t);
void fg_telling_families(struct fg_telling *t);

/* trials_forecasts.c: the AUC of what was told, a row each, as in Table 4 of Han et al.
 */
void fg_telling_forecasts(struct fg_telling *t, size_t group);

/* trials_charts.c */
void fg_telling_draw_group(struct fg_telling *t, size_t group);
void fg_telling_draw_cell(struct fg_telling *t); /* the group and budget at hand */

#endif
