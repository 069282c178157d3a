/* charts.c - the pictures of a group: coverage, regret, delay, choices and arrivals
 *
 * Each curve is a mean over sites of what each site's runs did, with the interval of the
 * mean as a band where the papers have one. Sites may be of different lengths: then time
 * goes by shares of the whole. */
#include "lab/discovery/discovery.h"
#include "lab/interval.h"

#include <math.h>

enum { DELAY_LONGEST = 168 };

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
        size_t at = 0;
        while (ours && at + 1 < ours->n && ours->x[at] < p->at)
            at++;
        if (ours && ours->n)
            fg_findings_remark(f,
                               "Published %s of %s at %g hours, %s: %g; here, on %s at "
                               "budget %s, %.1f at %g hours.",
                               f->experiment->kind->metrics.info[metric].name, p->policy,
                               p->at, p->where ? p->where : "", p->value, f->name,
                               f->budget_text, ours->y[at], ours->x[at]);
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

static void draw_delays(struct fg_findings *f, const struct style *style)
{
    double *x = FG_NEW(&f->scratch, double, FG_DELAY_POINTS);
    size_t points = 0;
    while (points < FG_DELAY_POINTS && fg_delay_at[points] <= DELAY_LONGEST) {
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
