/* charts.c - the pictures of a group: coverage, regret, delay, choices and arrivals, and
 * by budget the figures of all its policies
 *
 * Each curve is a mean over sites of what each site's runs did, with the interval of the
 * mean as a band where the papers have one. Sites may be of different lengths: then time
 * goes by shares of the whole. */
#include "lab/discovery/discovery.h"
#include "lab/interval.h"

#include <math.h>
#include <string.h>

enum { DELAY_SHORTEST = 12, DELAY_LONGEST = 168 };

/* A value of one run at one point; NaN if there is none. */
typedef double point_of(const struct fg_run *run, const struct fg_run *oracle, size_t i);

static double coverage_at(const struct fg_run *run, const struct fg_run *oracle, size_t i)
{
    (void)oracle;
    return run->there_by[i] ? 100.0 * run->found_by[i] / run->there_by[i] : NAN;
}

static double regret_at(const struct fg_run *run, const struct fg_run *oracle, size_t i)
{
    return fg_regret(run->found_by[i], oracle->found_by[i]);
}

static double delay_at(const struct fg_run *run, const struct fg_run *oracle, size_t i)
{
    (void)oracle;
    return run->found_fresh ? 100.0 * run->delayed[i] / (double)run->found_fresh : NAN;
}

static double choice_at(const struct fg_run *run, const struct fg_run *oracle, size_t i)
{
    (void)oracle;
    return run->visits ? 100.0 * run->visits_of[i] / (double)run->visits : NAN;
}

/* Each site's value at a point, averaged over seeds. */
static void take_point(const struct fg_findings *f, size_t entrant, point_of *point,
                       size_t i, double *values)
{
    for (size_t s = 0; s < f->items; s++) {
        const struct fg_run *oracle = fg_discovery_oracle(f, s);
        struct fg_mean mean = {0};
        for (size_t seed = 0; seed < f->entrants->seeds[entrant]; seed++) {
            const struct fg_run *run = fg_findings_run(f, s, entrant, seed);
            fg_mean_add(&mean, run && oracle ? point(run, oracle, i) : NAN);
        }
        values[s] = fg_mean_of(&mean);
    }
}

struct style {
    const char *title, *y_label, *caption;
    point_of *point;
    bool has_band, without_oracle;
    size_t metric; /* of a chart with bands: whose published points belong to it */
    enum fg_chart_kind kind;
};

/* Between two points of a curve it is straight; beyond its ends it goes on as it is. */
static struct fg_figure value_at(const struct fg_series *curve, double x)
{
    size_t i = 1;
    while (i < curve->n && curve->x[i] < x)
        i++;
    size_t b = i < curve->n ? i : curve->n - 1, a = b ? b - 1 : 0;
    double wide = curve->x[b] - curve->x[a];
    double share = wide > 0 ? (x - curve->x[a]) / wide : 1;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    struct fg_figure at = {curve->y[a] + share * (curve->y[b] - curve->y[a]), 0, 0};
    at.lo =
        curve->low ? curve->low[a] + share * (curve->low[b] - curve->low[a]) : at.mean;
    at.hi = curve->high ? curve->high[a] + share * (curve->high[b] - curve->high[a])
                        : at.mean;
    return at;
}

/* What was published of a curve at some hour: a point beside ours, and both in words. */
static void add_published(struct fg_findings *f, struct fg_chart *chart, size_t metric)
{
    const struct fg_experiment *e = f->experiment;
    for (size_t i = 0; i < e->n_published; i++) {
        const struct fg_published *p = &e->published[i];
        if (p->metric != metric || !fg_findings_is_of(f, p) || isnan(p->at))
            continue;
        struct fg_curve point = fg_curve_new(f, 1);
        fg_curve_add(&point, p->at, (struct fg_figure){p->value, p->value, p->value}, 1);
        const struct fg_series *ours = NULL;
        for (size_t k = 0; k < chart->n_series; k++)
            if (strcmp(chart->series[k].name, p->policy) == 0)
                ours = &chart->series[k];
        if (ours && ours->n)
            fg_findings_judge_point(f, p, value_at(ours, p->at));
        fg_chart_add_curve(
            chart, fg_arena_printf(f->arena, "%s, published", p->policy).at, &point);
    }
}

static void draw_chart(struct fg_findings *f, const struct style *style,
                       const char *x_label, const double *x, size_t points)
{
    bool is_share = strchr(f->budget_text, '%');
    double *values = FG_NEW(&f->scratch, double, f->items);
    struct fg_chart like = {
        .title = style->title,
        .x_label = x_label,
        .y_label = style->y_label,
        .group = fg_arena_printf(f->arena, "%s, %s%s", f->name,
                                 is_share ? "" : "k = ", f->budget_text)
                     .at,
        .caption = style->caption,
        .kind = style->kind,
    };
    struct fg_chart *chart =
        fg_findings_chart(f, &like, f->entrants->n + f->experiment->n_published);
    for (size_t e = 0; e < f->entrants->n; e++) {
        const char *label = f->entrants->at[e].label;
        if (!fg_findings_wants(f, e) ||
            (style->without_oracle && strcmp(label, "oracle") == 0))
            continue;
        struct fg_curve curve = fg_curve_new(f, points);
        for (size_t i = 0; i < points; i++) {
            take_point(f, e, style->point, i, values);
            fg_curve_add(&curve, x[i],
                         fg_bootstrap_mean(fg_findings_boot(f, f->items), values), 1);
        }
        fg_chart_add(chart, fg_findings_keep(f, label), &curve,
                     style->has_band && f->items > 1);
    }
    if (style->has_band)
        add_published(f, chart, style->metric);
}

/* The longest site of the group, and whether all are as long. */
static uint64_t longest(const struct fg_findings *f, bool *are_equal)
{
    uint64_t most = 0;
    *are_equal = true;
    for (size_t s = 0; s < f->items; s++) {
        const struct fg_run *run = fg_discovery_oracle(f, s);
        uint64_t steps = run ? run->steps : 0;
        *are_equal &= !s || steps == most;
        most = steps > most ? steps : most;
    }
    return most;
}

static void draw_over_time(struct fg_findings *f, const struct style *style)
{
    bool are_equal;
    uint64_t steps = longest(f, &are_equal);
    double *x = FG_NEW(&f->scratch, double, FG_CURVE_POINTS);
    for (size_t i = 0; i < FG_CURVE_POINTS; i++)
        x[i] = are_equal ? floor((double)((i + 1) * steps) / FG_CURVE_POINTS)
                         : 100.0 * (double)(i + 1) / FG_CURVE_POINTS;
    draw_chart(f, style, are_equal ? "hours" : "share of the time recorded, %", x,
               FG_CURVE_POINTS);
}

/* The mean over sites of what a policy found within some hours, in %. */
static double found_within(struct fg_findings *f, size_t entrant, size_t point)
{
    double *values = FG_NEW(&f->scratch, double, f->items);
    struct fg_mean mean = {0};
    take_point(f, entrant, delay_at, point, values);
    for (size_t s = 0; s < f->items; s++)
        fg_mean_add(&mean, values[s]);
    return fg_mean_of(&mean);
}

/* As far as anything happens: where all have 99 % there is nothing more to see, though
 * not before half a day; a week at most. */
static void draw_delays(struct fg_findings *f, const struct style *style)
{
    double *x = FG_NEW(&f->scratch, double, FG_DELAY_POINTS);
    size_t points = 0;
    bool is_over = false;
    while (points < FG_DELAY_POINTS && fg_delay_at[points] <= DELAY_LONGEST && !is_over) {
        is_over = fg_delay_at[points] >= DELAY_SHORTEST;
        for (size_t e = 0; is_over && e < f->entrants->n; e++)
            is_over = !fg_findings_wants(f, e) || !(found_within(f, e, points) < 99);
        x[points] = (double)fg_delay_at[points];
        points++;
    }
    draw_chart(f, style, "hours from appearance to discovery", x, points);
}

/* Figure 1 of Pham et al.: what there was to find, hour by hour, over two weeks. */
static void draw_arrivals(struct fg_findings *f)
{
    struct fg_chart like = {
        .title = "New targets an hour",
        .x_label = "hours",
        .y_label = "targets that appeared",
        .caption = "All sites together, the first two weeks; what is there at the first "
                   "hour is stock and left out.",
        .group = fg_arena_printf(f->arena, "%s, arrivals", f->name).at,
    };
    struct fg_curve all = fg_curve_new(f, FG_ARRIVAL_POINTS);
    struct fg_curve counted = fg_curve_new(f, FG_ARRIVAL_POINTS);
    bool differ = false;
    for (size_t i = 1; i < FG_ARRIVAL_POINTS; i++) {
        double sum = 0, sum_counted = 0;
        bool lasts = false;
        for (size_t s = 0; s < f->items; s++) {
            const struct fg_run *run = fg_discovery_oracle(f, s);
            sum += run ? run->arrived_any[i] : 0;
            sum_counted += run ? run->arrived[i] : 0;
            lasts |= run && i < run->steps;
        }
        differ |= sum > sum_counted;
        if (!lasts)
            break;
        fg_curve_add(&all, (double)i, (struct fg_figure){sum, sum, sum}, 1);
        fg_curve_add(&counted, (double)i,
                     (struct fg_figure){sum_counted, sum_counted, sum_counted}, 1);
    }
    struct fg_chart *chart = fg_findings_chart(f, &like, 2);
    fg_chart_add_curve(chart, "all", &all);
    if (differ)
        fg_chart_add_curve(chart, "relevant", &counted);
    fg_findings_end_chart(f);
}

static void draw_choices(struct fg_findings *f, const struct style *style)
{
    double *x = FG_NEW(&f->scratch, double, FG_RANK_POINTS);
    for (size_t i = 0; i < FG_RANK_POINTS; i++)
        x[i] = (double)(i + 1);
    draw_chart(f, style, "sources, the most visited first", x, FG_RANK_POINTS);
}

void fg_discovery_draw(struct fg_findings *f)
{
    static const struct style coverage = {
        .title = "Coverage over time",
        .y_label = "found of what was there, %",
        .caption = "Targets found since the first hour, of all that visits of every "
                   "source would have found by then: C_k / C_n of Pham et al.",
        .point = coverage_at,
        .metric = FG_COVERAGE_ALL,
        .has_band = true};
    static const struct style regret = {
        .title = "Cumulative regret",
        .y_label = "regret, %",
        .caption =
            "How much less was found up to each hour than by the oracle, with 95 % "
            "intervals over sites.",
        .point = regret_at,
        .metric = FG_REGRET,
        .has_band = true,
        .without_oracle = true};
    static const struct style delay = {
        .title = "Hours to discovery",
        .y_label = "found within, % of those found",
        .caption = "Targets that appeared after the warm-up and were found.",
        .point = delay_at,
        .kind = FG_CHART_STEPS};
    static const struct style choices = {
        .title = "Where the visits went",
        .y_label = "share of all visits, %",
        .caption = "A steep curve is a policy that has made up its mind.",
        .point = choice_at};
    unsigned wishes = f->experiment->drawing.charts;
    if (wishes & FG_CHART_OF_COVERAGE)
        draw_over_time(f, &coverage);
    if (wishes & FG_CHART_OF_REGRET)
        draw_over_time(f, &regret);
    if (wishes & FG_CHART_OF_DELAY)
        draw_delays(f, &delay);
    if (wishes & FG_CHART_OF_CHOICES)
        draw_choices(f, &choices);
    if (wishes & FG_CHART_OF_ARRIVALS && f->budget == 0)
        draw_arrivals(f);
}

/* --- by budget --- */

/* Rows of this workload by budget, or what was published of them. */
static struct fg_curve by_budget(struct fg_findings *f, const struct fg_budget *budgets,
                                 size_t n, const char *policy, size_t metric,
                                 bool is_published)
{
    double scale = f->experiment->kind->metrics.info[metric].scale;
    struct fg_curve curve = fg_curve_new(f, n);
    for (size_t b = 0; b < n; b++)
        for (size_t i = 0; i < f->rows.len; i++) {
            const struct fg_row *row = &f->rows.at[i];
            double there = row->published[metric];
            if (strcmp(row->workload, f->name) == 0 &&
                strcmp(row->budget, budgets[b].text) == 0 &&
                strcmp(row->policy, policy) == 0)
                fg_curve_add(&curve, budgets[b].value * (budgets[b].is_share ? 100 : 1),
                             is_published ? (struct fg_figure){there, there, there}
                                          : row->at[metric],
                             scale);
        }
    return curve;
}

static void draw_metric(struct fg_findings *f, const struct fg_budget *budgets, size_t n,
                        size_t metric)
{
    const struct fg_metric_info *info = &f->experiment->kind->metrics.info[metric];
    const char *unit = *info->unit ? info->unit : "";
    struct fg_chart like = {
        .title = fg_arena_printf(f->arena, "By budget: %s", info->label).at,
        .x_label = budgets[0].is_share ? "budget, % of the sources an hour"
                                       : "budget k, visits an hour",
        .y_label =
            fg_arena_printf(f->arena, "%s%s%s", info->label, *unit ? ", " : "", unit).at,
        .group = fg_arena_printf(f->arena, "%s, by budget", f->name).at};
    struct fg_chart *chart = fg_findings_chart(f, &like, 2 * f->entrants->n);
    for (size_t k = 0; k < 2 * f->entrants->n; k++) {
        size_t e = k / 2;
        const char *label = f->entrants->at[e].label;
        bool is_published = k % 2;
        if (!fg_findings_wants(f, e))
            continue;
        struct fg_curve curve = by_budget(f, budgets, n, label, metric, is_published);
        fg_chart_add_curve(
            chart,
            fg_arena_printf(f->arena, is_published ? "%s, published" : "%s", label).at,
            &curve);
    }
    fg_findings_end_chart(f);
}

/* The text has values of it, or compares policies by it. */
static bool is_stated(const struct fg_experiment *e, size_t metric)
{
    for (size_t i = 0; i < e->n_published; i++)
        if (e->published[i].metric == metric && isnan(e->published[i].at))
            return true;
    for (size_t i = 0; i < e->n_claims; i++)
        if (e->claims[i].metric == metric)
            return true;
    return false;
}

void fg_discovery_draw_budgets(struct fg_findings *f)
{
    static const size_t usual[] = {FG_COVERAGE, FG_COVERAGE_ALL, FG_COVERAGE_LATE,
                                   FG_OVERHEAD, FG_HTD_P90};
    const struct fg_budget *budgets;
    size_t n = fg_jobs_budgets(f->jobs, f->group, &budgets);
    for (size_t b = 1; b < n; b++)
        if (budgets[b].is_share != budgets[0].is_share)
            return; /* there is no one axis for them */
    if (n < 3 || !(f->experiment->drawing.charts & FG_CHART_OF_BUDGETS))
        return;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (is_stated(f->experiment, usual[i]) ||
            (usual[i] != FG_COVERAGE_ALL && usual[i] != FG_COVERAGE_LATE))
            draw_metric(f, budgets, n, usual[i]);
}
