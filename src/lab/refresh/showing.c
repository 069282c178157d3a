#include "lab/refresh/showing.h"

#include "lab/interval.h"
#include "lab/wilcoxon.h"

#include <math.h>

struct where {
    const struct fg_findings *f;
    size_t group, budget, entrant;
};

static const struct fg_digest *run_at(const struct where *at, size_t line, size_t seed)
{
    return fg_jobs_at(at->f->jobs, at->group, line, at->budget, at->entrant, seed);
}

/* The mean over all runs of each value of a part; NaN if a run has none. */
static double *mean_part(const struct where *at, struct fg_arena *arena, size_t lines,
                         enum fg_digest_part part, size_t n_values)
{
    double *values = FG_NEW(arena, double, n_values);
    size_t seeds = at->f->entrants->seeds[at->entrant];
    for (size_t i = 0; i < n_values; i++) {
        struct fg_mean mean = {0};
        for (size_t k = 0; k < lines * seeds; k++) {
            const struct fg_digest *run = run_at(at, k / seeds, k % seeds);
            if (run && i < run->n[part]) { /* a day that is NaN is so for all */
                mean.sum += (double)run->part[part][i];
                mean.n++;
            }
        }
        values[i] = fg_mean_of(&mean);
    }
    return values;
}

/* Over the seeds of one line. */
static double mean_metric(const struct where *at, size_t line, size_t metric)
{
    struct fg_mean mean = {0};
    for (size_t seed = 0; seed < at->f->entrants->seeds[at->entrant]; seed++) {
        const struct fg_digest *run = run_at(at, line, seed);
        fg_mean_add(&mean, run ? run->at[metric] : NAN);
    }
    return fg_mean_of(&mean);
}

struct fg_showing fg_showing_of(struct fg_findings *f, size_t group, size_t budget,
                                size_t entrant)
{
    struct where at = {f, group, budget, entrant};
    struct fg_arena *arena = &f->scratch;
    const struct fg_digest *run = run_at(&at, 0, 0);
    size_t lines = f->supply->groups.at[group].n;
    struct fg_showing showing = {.lines = lines};
    if (run) {
        showing.n_days = run->n[FG_DIGEST_CLICK];
        showing.n_resamples = lines == 1 ? run->n[FG_DIGEST_RESAMPLED] : 0;
    }
    showing.days[0] = mean_part(&at, arena, lines, FG_DIGEST_CLICK, showing.n_days);
    showing.days[1] = mean_part(&at, arena, lines, FG_DIGEST_PAGE, showing.n_days);
    showing.resampled =
        mean_part(&at, arena, lines, FG_DIGEST_RESAMPLED, showing.n_resamples);
    for (size_t m = 0; m < FG_REFRESH_METRICS; m++) {
        showing.at[m] = FG_NEW(arena, double, lines);
        for (size_t line = 0; line < lines; line++)
            showing.at[m][line] = mean_metric(&at, line, m);
    }
    return showing;
}

double fg_showing_mean(const struct fg_showing *showing, size_t metric)
{
    return fg_mean_interval(showing->at[metric], showing->lines).mean;
}

double fg_refresh_mean(const struct fg_findings *f, size_t group, size_t budget,
                       size_t entrant, size_t metric)
{
    struct where at = {f, group, budget, entrant};
    size_t lines = f->supply->groups.at[group].n;
    double sum = 0;
    for (size_t line = 0; line < lines; line++)
        sum += mean_metric(&at, line, metric);
    return sum / (double)lines;
}

static double *copied(struct fg_arena *arena, const double *values, size_t n)
{
    double *copy = FG_NEW(arena, double, n);
    for (size_t i = 0; i < n; i++)
        copy[i] = values[i];
    return copy;
}

struct fg_figure fg_showing_figure(struct fg_findings *f,
                                   const struct fg_showing *showing, size_t metric)
{
    struct fg_arena *arena = &f->scratch;
    if (metric <= FG_PAGE_FRESHNESS)
        return fg_median_interval(copied(arena, showing->days[metric], showing->n_days),
                                  showing->n_days);
    if (metric == FG_STALE && showing->n_resamples)
        return fg_percentile_interval(
            fg_showing_mean(showing, metric),
            copied(arena, showing->resampled, showing->n_resamples),
            showing->n_resamples);
    return fg_mean_interval(showing->at[metric], showing->lines);
}

/* --- pairs --- */

/* Day by day; the median of the ratios. */
static void compare_days(struct fg_pairing *pair, struct fg_arena *arena,
                         const struct fg_showing *ours, const struct fg_showing *theirs)
{
    const double *a = ours->days[pair->metric], *b = theirs->days[pair->metric];
    size_t n = ours->n_days < theirs->n_days ? ours->n_days : theirs->n_days;
    double *ratios = FG_NEW(arena, double, n);
    for (size_t i = 0; i < n; i++) {
        ratios[i] = b[i] > 0 ? a[i] / b[i] : NAN;
        pair->wins += a[i] > b[i];
    }
    pair->sites = n;
    pair->figure = fg_median_interval(ratios, n);
    pair->p = fg_wilcoxon(a, b, n).p;
    pair->has_p = !isnan(pair->p);
}

/* One timeline; what it might have been is drawn alike for both. */
static void compare_resampled(struct fg_pairing *pair, struct fg_arena *arena,
                              const struct fg_showing *ours,
                              const struct fg_showing *theirs)
{
    size_t n = pair->metric == FG_STALE ? ours->n_resamples : 0, kept = 0;
    n = n < theirs->n_resamples ? n : theirs->n_resamples;
    double *ratios = FG_NEW(arena, double, n), below = theirs->at[pair->metric][0];
    for (size_t i = 0; i < n; i++)
        if (theirs->resampled[i] > 0)
            ratios[kept++] = ours->resampled[i] / theirs->resampled[i];
    pair->figure = fg_percentile_interval(
        below > 0 ? ours->at[pair->metric][0] / below : NAN, ratios, kept);
}

/* Run by run. */
static void compare_lines(struct fg_findings *f, struct fg_pairing *pair,
                          const struct fg_showing *ours, const struct fg_showing *theirs,
                          bool less_is_better)
{
    const double *a = ours->at[pair->metric], *b = theirs->at[pair->metric];
    pair->figure = fg_bootstrap_ratio(fg_findings_boot(f, ours->lines), a, b);
    pair->p = fg_wilcoxon(a, b, ours->lines).p;
    pair->has_p = !isnan(pair->p);
    pair->sites = ours->lines;
    for (size_t i = 0; i < ours->lines; i++)
        pair->wins += less_is_better ? a[i] < b[i] : a[i] > b[i];
}

void fg_showing_compare(struct fg_findings *f, struct fg_pairing *pair,
                        const struct fg_showing *ours, const struct fg_showing *theirs,
                        bool less_is_better)
{
    pair->is_ratio = true;
    if (pair->metric <= FG_PAGE_FRESHNESS)
        compare_days(pair, &f->scratch, ours, theirs);
    else if (ours->lines == 1)
        compare_resampled(pair, &f->scratch, ours, theirs);
    else
        compare_lines(f, pair, ours, theirs, less_is_better);
}
