/* trials_tell.c - from digests to figures: medians, intervals, pairs and what to say
 *
 * Seeds are averaged first, day by day and resample by resample, so that a day counts
 * once however often it was run; where a workload is several runs of a generator, those
 * are averaged as well. (Han et al. pool 100 runs of 31 days into 3,100 values; runs of
 * one day are no independent evidence about days.) */
#include "lab/refresh/trials_tell.h"

#include "base/memory.h"
#include "lab/bootstrap.h"
#include "lab/interval.h"
#include "lab/wilcoxon.h"
#include "policy/metrics.h"

#include <math.h>
#include <stdlib.h>

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

const char *fg_telling_keep(struct fg_telling *t, const char *text)
{
    return text ? fg_arena_cstr(&t->result->arena, fg_str_from(text)) : NULL;
}

void fg_telling_remark(struct fg_telling *t, struct fg_str text)
{
    struct fg_result *result = t->result;
    result->remarks =
        fg_arena_grow(&result->arena, result->remarks, sizeof *result->remarks,
                      result->n_remarks, result->n_remarks + 1);
    result->remarks[result->n_remarks++] = text.at;
}

/* --- showings --- */

struct where {
    const struct fg_trials *trials;
    size_t group, budget, entrant;
};

/* The mean over all runs of one value of a part; NaN if a run has none. */
static double mean_value(const struct where *at, size_t lines, enum fg_digest_part part,
                         size_t i)
{
    double sum = 0;
    size_t n = 0;
    for (size_t line = 0; line < lines; line++)
        for (size_t seed = 0; seed < fg_trials_entrants(at->trials)->seeds[at->entrant];
             seed++) {
            const struct fg_digest *run =
                fg_trials_at(at->trials, at->group, line, at->budget, at->entrant, seed);
            if (run && i < run->n[part]) {
                sum += (double)run->part[part][i];
                n++;
            }
        }
    return n ? sum / (double)n : NAN;
}

static double *mean_part(const struct where *at, struct fg_arena *arena, size_t lines,
                         enum fg_digest_part part, size_t n)
{
    double *values = FG_NEW(arena, double, n);
    for (size_t i = 0; i < n; i++)
        values[i] = mean_value(at, lines, part, i);
    return values;
}

/* Over the seeds of one line. */
static double mean_metric(const struct where *at, size_t line, size_t metric)
{
    double sum = 0;
    size_t seeds = fg_trials_entrants(at->trials)->seeds[at->entrant], n = 0;
    for (size_t seed = 0; seed < seeds; seed++) {
        const struct fg_digest *run =
            fg_trials_at(at->trials, at->group, line, at->budget, at->entrant, seed);
        if (run && !isnan(run->at[metric])) {
            sum += run->at[metric];
            n++;
        }
    }
    return n ? sum / (double)n : NAN;
}

struct fg_showing fg_showing_of(const struct fg_trials *trials, struct fg_arena *arena,
                                size_t group, size_t budget, size_t entrant)
{
    struct where at = {trials, group, budget, entrant};
    const struct fg_digest *run = fg_trials_at(trials, group, 0, budget, entrant, 0);
    struct fg_showing showing = {.lines =
                                     fg_stock_group(fg_trials_stock(trials), group)->n};
    if (run) {
        showing.n_days = run->n[FG_DIGEST_CLICK];
        showing.n_resamples = showing.lines == 1 ? run->n[FG_DIGEST_RESAMPLED] : 0;
    }
    showing.days[0] =
        mean_part(&at, arena, showing.lines, FG_DIGEST_CLICK, showing.n_days);
    showing.days[1] =
        mean_part(&at, arena, showing.lines, FG_DIGEST_PAGE, showing.n_days);
    showing.resampled =
        mean_part(&at, arena, showing.lines, FG_DIGEST_RESAMPLED, showing.n_resamples);
    for (size_t m = 0; m < FG_REFRESH_METRICS; m++) {
        showing.at[m] = FG_NEW(arena, double, showing.lines);
        for (size_t line = 0; line < showing.lines; line++)
            showing.at[m][line] = mean_metric(&at, line, m);
    }
    return showing;
}

double fg_showing_mean(const struct fg_showing *showing, size_t metric)
{
    return fg_mean_interval(showing->at[metric], showing->lines).mean;
}

double fg_trials_mean(const struct fg_trials *trials, size_t group, size_t budget,
                      size_t entrant, size_t metric)
{
    struct where at = {trials, group, budget, entrant};
    size_t lines = fg_stock_group(fg_trials_stock(trials), group)->n;
    double sum = 0;
    for (size_t line = 0; line < lines; line++)
        sum += mean_metric(&at, line, metric);
    return sum / (double)lines;
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

static struct fg_figure figure_of(struct fg_arena *arena,
                                  const struct fg_showing *showing, size_t metric)
{
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
static void compare_lines(struct fg_pairing *pair, const struct fg_showing *ours,
                          const struct fg_showing *theirs, bool less_is_better)
{
    const double *a = ours->at[pair->metric], *b = theirs->at[pair->metric];
    struct fg_bootstrap *boot = fg_bootstrap_new(ours->lines);
    pair->figure = fg_bootstrap_ratio(boot, a, b);
    pair->p = fg_wilcoxon(a, b, ours->lines).p;
    pair->has_p = !isnan(pair->p);
    pair->sites = ours->lines;
    for (size_t i = 0; i < ours->lines; i++)
        pair->wins += less_is_better ? a[i] < b[i] : a[i] > b[i];
    fg_bootstrap_free(boot);
}

void fg_showing_compare(struct fg_pairing *pair, struct fg_arena *arena,
                        const struct fg_showing *ours, const struct fg_showing *theirs,
                        bool less_is_better)
{
    pair->is_ratio = true;
    if (pair->metric <= FG_PAGE_FRESHNESS)
        compare_days(pair, arena, ours, theirs);
    else if (ours->lines == 1)
        compare_resampled(pair, arena, ours, theirs);
    else
        compare_lines(pair, ours, theirs, less_is_better);
}

/* --- published numbers --- */

static bool fits(const char *wanted, const char *is)
{
    return !wanted || strcmp(wanted, is) == 0;
}

static const struct fg_published *published_of(const struct fg_telling *t,
                                               const char *policy, const char *against,
                                               size_t metric)
{
    const struct fg_experiment *e = fg_trials_experiment(t->trials);
    for (size_t i = 0; i < e->n_published; i++) {
        const struct fg_published *p = &e->published[i];
        bool same_pair =
            against ? p->against && strcmp(p->against, against) == 0 : !p->against;
        if (same_pair && p->metric == metric && strcmp(p->policy, policy) == 0 &&
            fits(p->workload, t->name) && fits(p->budget, t->budget_text))
            return p;
    }
    return NULL;
}

double fg_telling_published(const struct fg_telling *t, const char *policy, size_t metric)
{
    const struct fg_published *p = published_of(t, policy, NULL, metric);
    return p ? p->value : NAN;
}

/* --- rows and pairs of a cell --- */

static void add_row(struct fg_telling *t, size_t entrant)
{
    struct fg_arena *arena = &t->result->arena;
    const struct fg_showing *showing = &t->showings[entrant];
    const char *policy = fg_trials_entrants(t->trials)->at[entrant].label;
    struct fg_row row = {
        .workload = t->name,
        .budget = t->budget_text,
        .policy = fg_telling_keep(t, policy),
        .sites = showing->n_days,
        .at = FG_NEW(arena, struct fg_figure, FG_REFRESH_METRICS),
        .published = FG_NEW(arena, double, FG_REFRESH_METRICS),
    };
    for (size_t m = 0; m < FG_REFRESH_METRICS; m++) {
        row.at[m] = figure_of(&t->scratch, showing, m);
        row.published[m] = fg_telling_published(t, policy, m);
    }
    fg_vec_push_in(arena, &t->rows, row);
}

static void add_pair(struct fg_telling *t, size_t a, size_t b, size_t metric)
{
    const struct fg_entrants *entrants = fg_trials_entrants(t->trials);
    const char *policy = entrants->at[a].label, *reference = entrants->at[b].label;
    const struct fg_published *p = published_of(t, policy, reference, metric);
    struct fg_pairing pair = {.workload = t->name,
                              .budget = t->budget_text,
                              .policy = fg_telling_keep(t, policy),
                              .reference = fg_telling_keep(t, reference),
                              .metric = metric,
                              .published = p ? p->value : NAN};
    fg_showing_compare(&pair, &t->scratch, &t->showings[a], &t->showings[b],
                       infos[metric].less_is_better);
    if (!isnan(pair.figure.mean))
        fg_vec_push_in(&t->result->arena, &t->pairings, pair);
}

static void add_pairs(struct fg_telling *t)
{
    const struct fg_experiment *e = fg_trials_experiment(t->trials);
    const struct fg_entrants *entrants = fg_trials_entrants(t->trials);
    for (size_t i = 0; i < e->n_comparisons; i++) {
        const struct fg_comparison *c = &e->comparisons[i];
        size_t a = fg_entrants_named(entrants, c->policy);
        for (size_t j = 0; j < c->n_with * c->n_metrics; j++) {
            size_t b = fg_entrants_named(entrants, c->with[j / c->n_metrics]);
            if (fg_trials_wants(t->trials, t->group, a) &&
                fg_trials_wants(t->trials, t->group, b))
                add_pair(t, a, b, c->metrics[j % c->n_metrics]);
        }
    }
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
static void say_order(struct fg_telling *t, const char *workload, const char *policy,
                      const char *reference, size_t metric)
{
    struct order order = {0};
    struct fg_str text;
    fg_buf_init(&order.worse, 1 << 12);
    for (size_t i = 0; i < t->pairings.len; i++)
        if (is_of(&t->pairings.at[i], workload, policy, reference, metric))
            add_to_order(&order, &t->pairings.at[i]);
    if (order.better)
        text = fg_arena_printf(&t->result->arena,
                               "On %s, %s is level with %s or better in %s at %zu of %zu "
                               "budgets, better for certain (95 %%) at %zu%s%.*s.",
                               workload, policy, reference, infos[metric].name,
                               order.better, order.budgets, order.surely_better,
                               order.worse.len ? "; worse at " : "",
                               FG_ARG(fg_buf_str(&order.worse)));
    else
        text = fg_arena_printf(&t->result->arena,
                               "On %s, %s is worse than %s in %s at all %zu budgets, for "
                               "certain (95 %%) at %zu.",
                               workload, policy, reference, infos[metric].name,
                               order.budgets, order.surely_worse);
    if (order.budgets > 1)
        fg_telling_remark(t, text);
    fg_buf_clear(&order.worse);
}

static void say_orders(struct fg_telling *t)
{
    const struct fg_experiment *e = fg_trials_experiment(t->trials);
    for (size_t g = 0; g < fg_stock_groups(fg_trials_stock(t->trials)); g++)
        for (size_t i = 0; i < e->n_comparisons; i++) {
            const struct fg_comparison *c = &e->comparisons[i];
            for (size_t j = 0; j < c->n_with * c->n_metrics; j++)
                say_order(t, fg_stock_group(fg_trials_stock(t->trials), g)->name,
                          c->policy, c->with[j / c->n_metrics],
                          c->metrics[j % c->n_metrics]);
        }
}

/* --- the whole --- */

static void say_what_is_missing(struct fg_telling *t)
{
    const char *pattern;
    for (size_t i = 0; (pattern = fg_stock_missing(fg_trials_stock(t->trials), i)); i++)
        fg_telling_remark(t, fg_arena_printf(&t->result->arena,
                                             "No history is called '%s' here; that "
                                             "workload was left out.",
                                             pattern));
}

static void enter(struct fg_telling *t, size_t group, size_t budget)
{
    const struct fg_budget *budgets;
    size_t n = fg_trials_entrants(t->trials)->n;
    fg_trials_budgets(t->trials, group, &budgets);
    fg_arena_reset(&t->scratch);
    t->group = group;
    t->budget = budget;
    t->name = fg_telling_keep(t, fg_stock_group(fg_trials_stock(t->trials), group)->name);
    t->budget_text = fg_telling_keep(t, budgets[budget].text);
    t->showings = FG_NEW(&t->scratch, struct fg_showing, n);
    for (size_t e = 0; e < n; e++)
        if (fg_trials_wants(t->trials, group, e))
            t->showings[e] = fg_showing_of(t->trials, &t->scratch, group, budget, e);
}

static void tell_group(struct fg_telling *t, size_t group)
{
    const struct fg_budget *budgets;
    for (size_t b = 0; b < fg_trials_budgets(t->trials, group, &budgets); b++) {
        enter(t, group, b);
        for (size_t e = 0; e < fg_trials_entrants(t->trials)->n; e++)
            if (fg_trials_wants(t->trials, group, e))
                add_row(t, e);
        add_pairs(t);
        fg_telling_best(t);
        fg_telling_draw_cell(t);
    }
    fg_telling_draw_group(t, group);
    fg_telling_forecasts(t, group);
}

struct fg_result *fg_trials_result(const struct fg_trials *trials)
{
    const struct fg_experiment *e = fg_trials_experiment(trials);
    struct fg_result *result = fg_zeroed(1, sizeof *result);
    struct fg_telling t = {.trials = trials, .result = result};
    result->name = fg_telling_keep(&t, e->name);
    result->title = fg_telling_keep(&t, e->title);
    result->paper = fg_telling_keep(&t, e->paper);
    result->metrics = infos;
    result->n_metrics = FG_REFRESH_METRICS;
    result->runs = fg_trials_total(trials);
    result->wording = wording;
    result->is_refresh = true;
    for (size_t i = 0; i < e->n_remarks; i++)
        fg_telling_remark(&t, fg_str_from(fg_telling_keep(&t, e->remarks[i])));
    say_what_is_missing(&t);
    struct fg_str sources = fg_experiment_sources(e, &result->arena);
    if (sources.len)
        fg_telling_remark(&t, sources);
    for (size_t g = 0; g < fg_stock_groups(fg_trials_stock(trials)); g++)
        tell_group(&t, g);
    fg_telling_families(&t);
    say_orders(&t);
    result->rows = t.rows.at;
    result->n_rows = t.rows.len;
    result->pairings = t.pairings.at;
    result->n_pairings = t.pairings.len;
    result->charts = t.charts.at;
    result->n_charts = t.charts.len;
    fg_arena_clear(&t.scratch);
    return result;
}
