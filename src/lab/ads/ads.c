/* ads.c - experiments about advertisements: Figures 6.3 to 6.6 of Pandey's thesis
 *
 * An item is a market; figures are means over markets, each a seed of its own. What other
 * kinds call a budget is here the number of ads a query. */
#include "lab/ads/replay.h"
#include "lab/findings.h"
#include "lab/interval.h"

#include <math.h>
#include <string.h>

enum { SHARE, FIRST_DAY, LAST_DAY, REVENUE, LEAST, OVERSPENT, CLICKS, METRICS };

static const struct fg_metric_info infos[METRICS] = {
    [SHARE] = {"share", "revenue of the bound", "%", 100, 1, false, NULL},
    [FIRST_DAY] = {"first_day", "... on the first day", "%", 100, 1, false, NULL},
    [LAST_DAY] = {"last_day", "... on the last day", "%", 100, 1, false, NULL},
    [REVENUE] = {"revenue", "revenue a thousand queries", "", 1, 2, false, NULL},
    [LEAST] = {"least", "lowest share of a market", "%", 100, 1, false, "least"},
    [CLICKS] = {"clicks", "clicks a display", "%", 100, 2, false, NULL},
    [OVERSPENT] = {"overspent", "most charged beyond a budget", "", 1, 2, true, NULL},
};

static const struct fg_wording wording = {
    .figures = "Means over markets",
    .interval = "95 % interval",
    .unit = "market",
    .units = "markets",
    .pairs = "markets",
    .made = "Student's over markets; ratios are of the same market",
};

/* --- markets --- */

static const char *const kinds[] = {[FG_ADS_MARKET_A] = "market-a",
                                    [FG_ADS_MARKET_B] = "market-b",
                                    [FG_ADS_RANDOM] = "small",
                                    [FG_ADS_BAD_ORDER] = "bad-order",
                                    NULL};

static enum fg_status make_world(const struct fg_item *item, void **made,
                                 struct fg_err *err)
{
    (void)err;
    *made = fg_ads_world_new(item->spec);
    return FG_OK;
}

static void free_world(void *world)
{
    fg_ads_world_free(world);
}

static enum fg_status add_markets(struct fg_supply *supply,
                                  const struct fg_workload *workload, size_t most,
                                  struct fg_err *err)
{
    struct fg_ads_options options = workload->ads;
    size_t kind = 0, n = workload->sites ? workload->sites : 1;
    while (kinds[kind] && strcmp(kinds[kind], workload->from[0]) != 0)
        kind++;
    if (!kinds[kind])
        return fg_fail(err, FG_ECONFIG,
                       "no market '%s'; there are: market-a, market-b, small, bad-order",
                       workload->from[0]);
    if (options.days < 1 || options.days > FG_ADS_DAYS_MOST ||
        options.first_day >= options.days)
        return fg_fail(err, FG_ECONFIG,
                       "days are 1 to %d, and first_day is one of them, from 0",
                       FG_ADS_DAYS_MOST);
    if (!(options.scale > 0) || (kind == FG_ADS_BAD_ORDER && options.queries < 4))
        return fg_fail(err, FG_ECONFIG, "a market needs a scale and queries");
    options.kind = (enum fg_ads_kind)kind;
    struct fg_group group = {.name = workload->name ? workload->name : kinds[kind],
                             .workload = workload};
    for (size_t i = 0; i < n; i++) {
        struct fg_ads_options *spec = fg_arena_array(&supply->arena, sizeof *spec, 1);
        memcpy(spec, &options, sizeof *spec);
        spec->seed = workload->seed + i;
        struct fg_item item = {
            .name = fg_arena_printf(&supply->arena, "%s %llu", group.name,
                                    (unsigned long long)spec->seed)
                        .at,
            .spec = spec,
            .stamp = fg_stamp_mix(1, spec, sizeof *spec),
            .luck = spec->seed,
            .make = make_world,
        };
        fg_supply_put(supply, &group, most, &item);
    }
    fg_vec_push_in(&supply->arena, &supply->groups, group);
    return FG_OK;
}

static enum fg_status run(void *into, const struct fg_job *job, struct fg_err *err)
{
    /* A world remembers bounds, behind a lock; nothing else of it changes. */
    struct fg_ads_world *world = NULL;
    memcpy(&world, &job->item, sizeof world);
    double shown = job->budget->value;
    if (job->budget->is_share || shown > FG_ADS_SHOWN_MOST)
        return fg_fail(err, FG_ECONFIG, "ads a query are 1 to %d", FG_ADS_SHOWN_MOST);
    if (world->is_fixed && shown > 1)
        return fg_fail(err, FG_ECONFIG, "a market whose optimum is computed shows 1 ad");
    fg_ads_replay(into, world, job->entrant, (size_t)shown, job->seed);
    return FG_OK;
}

/* --- figures --- */

static double value_of(const struct fg_ads_run *run, size_t metric)
{
    switch (metric) {
    case SHARE:
    case LEAST:
        return fg_ads_run_share(run);
    case FIRST_DAY:
        return run->revenue[0] / run->bound;
    case LAST_DAY:
        return run->revenue[(size_t)run->days - 1] / run->bound;
    case REVENUE:
        return fg_ads_run_share(run) * run->bound / 100 * 1000 * run->days / run->queries;
    case CLICKS:
        return run->displays > 0 ? run->clicks / run->displays : NAN;
    default:
        return run->overspent / 100;
    }
}

/* The mean over the seeds of a market. */
static double market_value(const struct fg_findings *f, size_t item, size_t entrant,
                           size_t metric)
{
    struct fg_mean mean = {0};
    for (size_t seed = 0; seed < f->entrants->seeds[entrant]; seed++) {
        const struct fg_ads_run *run = fg_findings_run(f, item, entrant, seed);
        if (run)
            fg_mean_add(&mean, value_of(run, metric));
    }
    return fg_mean_of(&mean);
}

static size_t count_markets(const struct fg_findings *f, size_t entrant)
{
    (void)entrant;
    return f->items;
}

static struct fg_figure figure(struct fg_findings *f, size_t entrant, size_t metric)
{
    double *values = FG_NEW(&f->scratch, double, f->items);
    for (size_t i = 0; i < f->items; i++)
        values[i] = market_value(f, i, entrant, metric);
    if (metric != LEAST)
        return fg_mean_interval(values, f->items);
    double least = NAN;
    for (size_t i = 0; i < f->items; i++)
        least = fmin(least, values[i]);
    return (struct fg_figure){least, least, least};
}

static bool compare(struct fg_findings *f, struct fg_pairing *pair, size_t a, size_t b)
{
    double *ratios = FG_NEW(&f->scratch, double, f->items);
    pair->is_ratio = true;
    for (size_t i = 0; i < f->items; i++) {
        double ours = market_value(f, i, a, pair->metric);
        double theirs = market_value(f, i, b, pair->metric);
        ratios[i] = theirs > 0 ? ours / theirs : NAN;
        pair->sites += isnan(ratios[i]) ? 0U : 1U;
        pair->wins += ratios[i] > 1;
    }
    pair->figure = fg_mean_interval(ratios, f->items);
    return !isnan(pair->figure.mean);
}

/* --- charts --- */

static double day_share(const struct fg_findings *f, size_t item, size_t entrant,
                        size_t day)
{
    const struct fg_ads_run *run = fg_findings_run(f, item, entrant, 0);
    return run && (double)day < run->days ? run->revenue[day] / run->bound : NAN;
}

/* A small world has one, whatever the workload says. */
static size_t days_of(const struct fg_findings *f)
{
    for (size_t e = 0; e < f->entrants->n; e++) {
        const struct fg_ads_run *run = fg_findings_run(f, 0, e, 0);
        if (run)
            return (size_t)run->days;
    }
    return 0;
}

/* Figure 6.3: revenue by day. */
static void draw_days(struct fg_findings *f)
{
    size_t days = days_of(f);
    struct fg_chart like = {
        .title = "Figure 6.3: revenue by day",
        .x_label = "day",
        .y_label = "% of the bound with known rates",
        .group =
            fg_arena_printf(f->arena, "%s, %s ads a query", f->name, f->budget_text).at};
    if (days < 3)
        return;
    struct fg_chart *chart = fg_findings_chart(f, &like, f->entrants->n);
    double *values = FG_NEW(&f->scratch, double, f->items);
    for (size_t e = 0; e < f->entrants->n; e++) {
        struct fg_curve curve = fg_curve_new(f, days);
        for (size_t day = 0; fg_findings_wants(f, e) && day < days; day++) {
            for (size_t i = 0; i < f->items; i++)
                values[i] = day_share(f, i, e, day);
            fg_curve_add(&curve, (double)day + 1, fg_mean_interval(values, f->items),
                         100);
        }
        if (curve.n)
            fg_chart_add(chart, f->entrants->at[e].label, &curve, f->items > 1);
    }
}

static const struct fg_row *row_at(const struct fg_findings *f, const char *workload,
                                   const char *budget, const char *policy)
{
    for (size_t i = 0; i < f->rows.len; i++) {
        const struct fg_row *row = &f->rows.at[i];
        if (strcmp(row->workload, workload) == 0 && strcmp(row->policy, policy) == 0 &&
            (!budget || strcmp(row->budget, budget) == 0))
            return row;
    }
    return NULL;
}

/* Figure 6.4: revenue by ads a query. */
static void draw_shown(struct fg_findings *f)
{
    const struct fg_budget *budgets;
    size_t n = fg_jobs_budgets(f->jobs, f->group, &budgets);
    struct fg_chart like = {.title = "Figure 6.4: revenue by ads a query",
                            .x_label = "ads a query",
                            .y_label = "revenue a thousand queries",
                            .group = f->name};
    if (n < 2)
        return;
    struct fg_chart *chart = fg_findings_chart(f, &like, f->entrants->n);
    for (size_t e = 0; e < f->entrants->n; e++) {
        struct fg_curve curve = fg_curve_new(f, n);
        for (size_t b = 0; b < n; b++) {
            const struct fg_row *row =
                row_at(f, f->name, budgets[b].text, f->entrants->at[e].label);
            if (row)
                fg_curve_add(&curve, budgets[b].value, row->at[REVENUE], 1);
        }
        if (curve.n)
            fg_chart_add(chart, f->entrants->at[e].label, &curve, true);
    }
}

/* Figures 6.5 and 6.6 go over workloads: one point each. */
static void draw_over_groups(struct fg_findings *f, const struct fg_chart *like,
                             double (*x_of)(const struct fg_ads_options *options),
                             double prior_share)
{
    size_t n = f->supply->groups.len, points = 0;
    struct fg_chart *chart = fg_findings_chart(f, like, f->entrants->n);
    for (size_t e = 0; e < f->entrants->n; e++) {
        struct fg_curve curve = fg_curve_new(f, n);
        for (size_t g = 0; g < n; g++) {
            const struct fg_group *group = &f->supply->groups.at[g];
            const struct fg_ads_options *o = &group->workload->ads;
            double x = x_of(o);
            const struct fg_row *row =
                row_at(f, group->name, NULL, f->entrants->at[e].label);
            if (row && x > 0 && fabs(o->prior_share - prior_share) < 1e-9)
                fg_curve_add(&curve, x, row->at[SHARE], 100);
        }
        points = curve.n > points ? curve.n : points;
        if (curve.n)
            fg_chart_add(chart, f->entrants->at[e].label, &curve, true);
    }
    f->charts.len -= points < 2;
}

static double lifetime_of(const struct fg_ads_options *options)
{
    return options->lifetime;
}

static double quality_of(const struct fg_ads_options *options)
{
    return options->prior_share > 0 ? options->prior_quality : 0;
}

/* --- what was published, and what comes out --- */

/* "On A, bmix-e earns more than bmix on every day (10 of 10), as published." */
static void say_order(struct fg_findings *f, const char *better, const char *worse)
{
    size_t a = 0, b = 0, days = days_of(f), above = 0;
    while (a < f->entrants->n && strcmp(f->entrants->at[a].label, better) != 0)
        a++;
    while (b < f->entrants->n && strcmp(f->entrants->at[b].label, worse) != 0)
        b++;
    /* with priors the thesis claims it of few of them only */
    if (f->supply->groups.at[f->group].workload->ads.prior_share > 0)
        return;
    if (a == f->entrants->n || b == f->entrants->n || days < 2 ||
        !fg_findings_wants(f, a) || !fg_findings_wants(f, b))
        return;
    for (size_t day = 0; day < days; day++) {
        struct fg_mean more = {0};
        for (size_t i = 0; i < f->items; i++)
            fg_mean_add(&more, day_share(f, i, a, day) - day_share(f, i, b, day));
        above += fg_mean_of(&more) > 0;
    }
    fg_findings_remark(f,
                       "%s, %s ads a query: %s earns more than %s on %zu of %zu days%s",
                       f->name, f->budget_text, better, worse, above, days,
                       above == days ? ", as published." : "; published: on all.");
}

static void tell_cell(struct fg_findings *f)
{
    draw_days(f);
    say_order(f, "bmix", "greedy");
    say_order(f, "bmix-e", "bmix");
}

static void tell_group(struct fg_findings *f)
{
    draw_shown(f);
}

/* "GREEDY must display almost twice as many ads as BMIX-E to generate the same." */
static void say_twice(struct fg_findings *f)
{
    const struct fg_budget *budgets;
    for (size_t g = 0; g < f->supply->groups.len; g++) {
        const char *name = f->supply->groups.at[g].name;
        size_t n = fg_jobs_budgets(f->jobs, g, &budgets), b = 0;
        const struct fg_row *one = row_at(f, name, "1", "bmix-e");
        const struct fg_row *row = NULL, *before = NULL;
        if (n < 2 || !one)
            continue;
        for (; b < n; b++) {
            before = row;
            row = row_at(f, name, budgets[b].text, "greedy");
            if (!row || row->at[REVENUE].mean >= one->at[REVENUE].mean)
                break;
        }
        if (b == n || !row || !before)
            continue;
        double low = before->at[REVENUE].mean, high = row->at[REVENUE].mean;
        double ads = budgets[b].value - (high - one->at[REVENUE].mean) / (high - low);
        fg_findings_remark(f,
                           "%s: greedy needs %.2f ads a query to earn what bmix-e earns "
                           "with 1 (published: almost twice as many).",
                           name, ads);
    }
}

static void tell_end(struct fg_findings *f)
{
    static const double shares[] = {0.25, 0.5, 0.75, 1};
    struct fg_chart lives = {.title = "Figure 6.6: revenue by lifetime of ads",
                             .x_label = "mean lifetime, days",
                             .y_label = "% of the bound",
                             .group = "workloads"};
    draw_over_groups(f, &lives, lifetime_of, 0);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        struct fg_chart priors = {
            .title = fg_arena_printf(f->arena,
                                     "Figure 6.5: revenue by prior quality, %g %% of "
                                     "ads with a prior",
                                     100 * shares[i])
                         .at,
            .x_label = "accuracy v of the prior",
            .y_label = "% of the bound",
            .group = "workloads"};
        draw_over_groups(f, &priors, quality_of, shares[i]);
    }
    say_twice(f);
    fg_findings_remark(
        f, "The text has no numbers of the figures, so orders are compared. Rates, bids "
           "and budgets of the markets follow laws of our own (docs/ads.md); small and "
           "bad-order are held against their optimum.");
}

/* --- the kind --- */

static const size_t compared[] = {SHARE};
static const char *const charts[] = {"revenue", NULL};

const struct fg_experiment_kind fg_experiment_ads = {
    .name = "ads",
    .check = fg_ads_entrant_check,
    .workload_keys = fg_workload_market_keys,
    .source = "a workload generates market-a, market-b, small or bad-order",
    .budget = "a budget is the number of ads a query, such as 1",
    .most_percent = 0,
    FG_COMPARED(compared),
    .charts = charts,
    .record = "market",
    .records = "markets",
    .add = add_markets,
    .free_item = free_world,
    .runs.bytes = sizeof(struct fg_ads_run),
    .runs.run = run,
    .metrics.info = infos,
    .metrics.n = METRICS,
    .wording = &wording,
    .findings.count = count_markets,
    .findings.figure = figure,
    .findings.compare = compare,
    .findings.tell_cell = tell_cell,
    .findings.tell_group = tell_group,
    .findings.tell_end = tell_end,
};
