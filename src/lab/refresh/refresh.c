/* refresh.c - experiments about keeping copies fresh
 *
 * From digests to figures: medians, intervals, pairs and what to say of them.
 * Seeds are averaged first, day by day and resample by resample, so that a day counts
 * once however often it was run; where a workload is several runs of a generator, those
 * are averaged as well. (Han et al. pool 100 runs of 31 days into 3,100 values; runs of
 * one day are no independent evidence about days.) */
#include "lab/refresh/refresh.h"

#include "lab/interval.h"
#include "lab/refresh/timelines.h"
#include "lab/wilcoxon.h"
#include "policy/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct fg_metric_info infos[FG_REFRESH_METRICS] = {
    [FG_CLICK_FRESHNESS] = {"click_freshness", "click-weighted freshness", "%", 100, 2,
                            false, "median"},
    [FG_PAGE_FRESHNESS] = {"page_freshness", "fresh pages at midnight", "%", 100, 2,
                           false, "median"},
    [FG_STALE] = {"stale", "stale weight", "%", 100, 2, true, NULL},
    [FG_AGE] = {"age", "mean age of copies", "d", 1, 3, true, NULL},
    [FG_REWARD] = {"reward", "reward a step", "", 1, 3, false, NULL},
    [FG_REWARD_END] = {"reward_end", "reward a step, last fifth", "", 1, 3, false, NULL},
    [FG_STALE_EQUAL] = {"stale_equal", "stale pages", "%", 100, 2, true, NULL},
    [FG_AGE_EQUAL] = {"age_equal", "mean age, unweighted", "d", 1, 3, true, NULL},
    [FG_AUC] = {"auc", "AUC", "", 1, 3, false, NULL},
};

static const struct fg_wording wording = {
    .figures = "Medians over days of click_freshness and page_freshness, means otherwise",
    .interval = "95 % interval",
    .unit = "day",
    .units = "days",
    .pairs = "days or runs",
    .made = "95 %: of medians by rank; of stale weight over 1,000 draws of the pages (of "
            "under 100 pages, of blocks of time; of clicks, of days); of rewards over "
            "runs, Student's",
};

/* --- runs --- */

static enum fg_status run(void *into, const struct fg_job *job, struct fg_err *err)
{
    struct fg_refresh_rules rules = {.budget = job->budget->value,
                                     .is_share = job->budget->is_share,
                                     .seed = job->seed,
                                     .knobs = job->entrant->knobs,
                                     .n_knobs = job->entrant->n_knobs};
    struct fg_refresh_outcome outcome;
    enum fg_status st = fg_refresh_replay(&outcome, job->item, job->policy, &rules, err);
    if (st)
        return st;
    fg_digest_make(into, &outcome, job->item);
    fg_refresh_outcome_clear(&outcome);
    return FG_OK;
}

static void write_run(const void *run, struct fg_buf *out)
{
    fg_digest_write(run, out);
}

static bool read_run(void *run, struct fg_str text)
{
    return fg_digest_read(run, text);
}

static void clear_run(void *run)
{
    fg_digest_clear(run);
}

static void free_timeline(void *timeline)
{
    fg_timeline_free(timeline);
}

/* --- showings --- */

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
        size_t n = 0;
        for (size_t k = 0; k < lines * seeds; k++) {
            const struct fg_digest *run = run_at(at, k / seeds, k % seeds);
            if (run && i < run->n[part]) {
                values[i] += (double)run->part[part][i];
                n++;
            }
        }
        values[i] = n ? values[i] / (double)n : NAN;
    }
    return values;
}

/* Over the seeds of one line. */
static double mean_metric(const struct where *at, size_t line, size_t metric)
{
    double sum = 0;
    size_t n = 0;
    for (size_t seed = 0; seed < at->f->entrants->seeds[at->entrant]; seed++) {
        const struct fg_digest *run = run_at(at, line, seed);
        if (run && !isnan(run->at[metric])) {
            sum += run->at[metric];
            n++;
        }
    }
    return n ? sum / (double)n : NAN;
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

static void measure(struct fg_findings *f)
{
    struct fg_showing *showings = FG_NEW(&f->scratch, struct fg_showing, f->entrants->n);
    for (size_t e = 0; e < f->entrants->n; e++)
        if (fg_findings_wants(f, e))
            showings[e] = fg_showing_of(f, f->group, f->budget, e);
    f->cell = showings;
}

static const struct fg_showing *showing_at(const struct fg_findings *f, size_t entrant)
{
    return (const struct fg_showing *)f->cell + entrant;
}

static size_t count_days(const struct fg_findings *f, size_t entrant)
{
    return showing_at(f, entrant)->n_days;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

struct fg_figure fg_resampled_figure(double mean, double *values, size_t n)
{
    if (!n || isnan(mean))
        return (struct fg_figure){mean, mean, mean};
    qsort(values, n, sizeof *values, by_size);
    return (struct fg_figure){mean, fg_quantile(values, n, 0.025),
                              fg_quantile(values, n, 0.975)};
}

static double *copied(struct fg_arena *arena, const double *values, size_t n)
{
    double *copy = FG_NEW(arena, double, n);
    for (size_t i = 0; i < n; i++)
        copy[i] = values[i];
    return copy;
}

static struct fg_figure figure(struct fg_findings *f, size_t entrant, size_t metric)
{
    struct fg_arena *arena = &f->scratch;
    const struct fg_showing *showing = showing_at(f, entrant);
    if (metric <= FG_PAGE_FRESHNESS)
        return fg_median_interval(copied(arena, showing->days[metric], showing->n_days),
                                  showing->n_days);
    if (metric == FG_STALE && showing->n_resamples)
        return fg_resampled_figure(
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
    pair->figure = fg_resampled_figure(
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

static bool compare(struct fg_findings *f, struct fg_pairing *pair, size_t a, size_t b)
{
    fg_showing_compare(f, pair, showing_at(f, a), showing_at(f, b),
                       infos[pair->metric].less_is_better);
    return !isnan(pair->figure.mean);
}

/* --- what to say of pairs --- */

static bool is_of(const struct fg_pairing *pair, const char *workload, const char *policy,
                  const char *reference, size_t metric)
{
    return strcmp(pair->workload, workload) == 0 && strcmp(pair->policy, policy) == 0 &&
           strcmp(pair->reference, reference) == 0 && pair->metric == metric;
}

/* How one policy does against another over budgets. */
struct order {
    size_t budgets, better, surely_better, surely_worse;
    struct fg_buf worse; /* at which it is, and whether that may be chance */
};

static void add_to_order(struct order *order, const struct fg_pairing *pair)
{
    double ratio = pair->figure.mean;
    bool is_worse = infos[pair->metric].less_is_better ? ratio > 1 : ratio < 1;
    bool is_sure =
        pair->has_p ? pair->p < 0.05 : pair->figure.lo > 1 || pair->figure.hi < 1;
    order->budgets++;
    order->better += !is_worse;
    order->surely_better += !is_worse && is_sure;
    order->surely_worse += is_worse && is_sure;
    if (is_worse)
        fg_buf_printf(&order->worse, "%s%s%s", order->worse.len ? ", " : "", pair->budget,
                      is_sure ? "" : " (may be chance)");
}

/* "On offers, kab5 is level with lambda or better in click_freshness at 20 of 27 budgets,
 * ..." */
static void say_order(struct fg_findings *f, const char *workload, const char *policy,
                      const char *reference, size_t metric)
{
    struct order order = {0};
    fg_buf_init(&order.worse, 1 << 12);
    for (size_t i = 0; i < f->pairings.len; i++)
        if (is_of(&f->pairings.at[i], workload, policy, reference, metric))
            add_to_order(&order, &f->pairings.at[i]);
    if (order.budgets > 1 && order.better)
        fg_findings_remark(f,
                           "On %s, %s is level with %s or better in %s at %zu of %zu "
                           "budgets, better for certain (95 %%) at %zu%s%.*s.",
                           workload, policy, reference, infos[metric].name, order.better,
                           order.budgets, order.surely_better,
                           order.worse.len ? "; worse at " : "",
                           FG_ARG(fg_buf_str(&order.worse)));
    else if (order.budgets > 1)
        fg_findings_remark(f,
                           "On %s, %s is worse than %s in %s at all %zu budgets, for "
                           "certain (95 %%) at %zu.",
                           workload, policy, reference, infos[metric].name, order.budgets,
                           order.surely_worse);
    fg_buf_clear(&order.worse);
}

static void tell_cell(struct fg_findings *f)
{
    fg_refresh_best(f);
    fg_refresh_draw_cell(f);
}

static void tell_group(struct fg_findings *f)
{
    fg_refresh_draw_group(f);
    fg_refresh_forecasts(f);
}

static void tell_end(struct fg_findings *f)
{
    const struct fg_experiment *e = f->experiment;
    fg_refresh_families(f);
    for (size_t g = 0; g < f->supply->groups.len; g++)
        for (size_t i = 0; i < e->n_comparisons; i++) {
            const struct fg_comparison *c = &e->comparisons[i];
            for (size_t j = 0; j < c->n_with * c->n_metrics; j++)
                say_order(f, f->supply->groups.at[g].name, c->policy,
                          c->with[j / c->n_metrics], c->metrics[j % c->n_metrics]);
        }
}

/* --- the kind --- */

static const size_t compared[] = {FG_CLICK_FRESHNESS, FG_PAGE_FRESHNESS};
static const char *const charts[] = {"freshness", "gain", "arms", "reward", NULL};

const struct fg_experiment_kind fg_experiment_refresh = {
    .name = "refresh",
    .task = FG_REFRESH,
    .workload_keys = fg_workload_timeline_keys,
    .source = "a workload has one of generate and changes",
    .budget = "a budget is visits a step, such as 5, or a share of the pages a day, such "
              "as 10 %",
    .most_percent = 1e5,
    .compared = compared,
    .n_compared = sizeof compared / sizeof *compared,
    .charts = charts,
    .has_best = true,
    .record = "history",
    .records = "histories",
    .add = fg_timelines_add,
    .free_item = free_timeline,
    .run_bytes = sizeof(struct fg_digest),
    .run = run,
    .write = write_run,
    .read = read_run,
    .clear = clear_run,
    .metrics = infos,
    .n_metrics = FG_REFRESH_METRICS,
    .of_workload = 1 << FG_AUC,
    .wording = &wording,
    .measure = measure,
    .count = count_days,
    .figure = figure,
    .compare = compare,
    .tell_cell = tell_cell,
    .tell_group = tell_group,
    .tell_end = tell_end,
};
