/* refresh.c - experiments about keeping copies fresh */
#include "lab/refresh/refresh.h"

#include "lab/refresh/showing.h"
#include "lab/refresh/timelines.h"

#include <math.h>
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
    [FG_ARM_REGRET] = {"arm_regret", "regret, of the best arm's reward", "%", 100, 1,
                       true, NULL},
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
                                     .wants_regret = job->experiment->drawing.charts &
                                                     FG_CHART_OF_ARM_REGRET,
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

/* --- figures --- */

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

static struct fg_figure figure(struct fg_findings *f, size_t entrant, size_t metric)
{
    return fg_showing_figure(f, showing_at(f, entrant), metric);
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
static const char *const charts[] = {"freshness", "gain",   "arms",
                                     "reward",    "regret", NULL};

const struct fg_experiment_kind fg_experiment_refresh = {
    .name = "refresh",
    .task = FG_REFRESH,
    .workload_keys = fg_workload_timeline_keys,
    .source = "a workload has one of generate and changes",
    .budget = "a budget is visits a step, such as 5, or a share of the pages a day, such "
              "as 10 %",
    .most_percent = 1e5,
    FG_COMPARED(compared),
    .charts = charts,
    .has_best = true,
    .record = "history",
    .records = "histories",
    .add = fg_timelines_add,
    .free_item = free_timeline,
    .runs.bytes = sizeof(struct fg_digest),
    .runs.run = run,
    .runs.write = write_run,
    .runs.read = read_run,
    .runs.clear = clear_run,
    .metrics.info = infos,
    .metrics.n = FG_REFRESH_METRICS,
    .metrics.of_workload = 1 << FG_AUC,
    .wording = &wording,
    .findings.measure = measure,
    .findings.count = count_days,
    .findings.figure = figure,
    .findings.compare = compare,
    .findings.tell_cell = tell_cell,
    .findings.tell_group = tell_group,
    .findings.tell_end = tell_end,
};
