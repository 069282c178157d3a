/* charts.c - the pictures of a group: coverage, regret, delay and choices
 *
 * Each curve is a mean over sites of what each site's runs did, with the interval of the
 * mean as a band where the papers have one. Sites may be of different lengths: then time
 * goes by shares of the whole. */
#include "lab/findings.h"

#include <math.h>

enum { DELAY_LONGEST = 168 };

struct drawing {
    struct fg_findings *f;
    struct fg_chart *chart;
    size_t points;
    const double *x;
};

/* A value of one run at one point; NaN if there is none. */
typedef double point_of(const struct fg_run *run, const struct fg_run *oracle, size_t i);

static double coverage_at(const struct fg_run *run, const struct fg_run *oracle, size_t i)
{
    (void)oracle;
    return run->there ? 100.0 * run->found_by[i] / (double)run->there : NAN;
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
static void take_point(const struct drawing *d, size_t entrant, point_of *point, size_t i,
                       double *values)
{
    const struct fg_findings *f = d->f;
    for (size_t s = 0; s < f->sites; s++) {
        const struct fg_run *oracle =
            fg_jobs_at(f->jobs, f->group, s, f->budget, fg_jobs_oracle(f->jobs), 0);
        double sum = 0;
        size_t n = 0;
        for (size_t seed = 0; seed < fg_jobs_seeds(f->jobs, entrant); seed++) {
            const struct fg_run *run =
                fg_jobs_at(f->jobs, f->group, s, f->budget, entrant, seed);
            double value = run && oracle ? point(run, oracle, i) : NAN;
            if (!isnan(value)) {
                sum += value;
                n++;
            }
        }
        values[s] = n ? sum / (double)n : NAN;
    }
}

static void draw_series(struct drawing *d, size_t entrant, point_of *point,
                        bool with_band)
{
    struct fg_findings *f = d->f;
    struct fg_arena *arena = &f->result->arena;
    double *values = FG_NEW(&f->scratch, double, f->sites);
    double *x = FG_NEW(arena, double, d->points), *y = FG_NEW(arena, double, d->points);
    double *low = FG_NEW(arena, double, d->points);
    double *high = FG_NEW(arena, double, d->points);
    size_t n = 0;
    for (size_t i = 0; i < d->points; i++) {
        take_point(d, entrant, point, i, values);
        struct fg_figure figure =
            fg_bootstrap_mean(fg_findings_boot(f, f->sites), values);
        if (isnan(figure.mean))
            continue;
        x[n] = d->x[i];
        y[n] = figure.mean;
        low[n] = figure.lo;
        high[n++] = figure.hi;
    }
    bool has_band = with_band && f->sites > 1;
    d->chart->series[d->chart->n_series++] = (struct fg_series){
        .name = fg_findings_keep(f, fg_jobs_entrant(f->jobs, entrant)->label),
        .n = n,
        .x = x,
        .y = y,
        .low = has_band ? low : NULL,
        .high = has_band ? high : NULL};
}

struct style {
    const char *title, *y_label, *caption;
    point_of *point;
    bool has_band, without_oracle;
    enum fg_chart_kind kind;
};

static void draw_chart(struct fg_findings *f, const struct style *style,
                       const char *x_label, const double *x, size_t points)
{
    struct fg_result *result = f->result;
    size_t entrants = fg_jobs_entrants(f->jobs);
    bool is_share = strchr(f->budget_text, '%');
    struct fg_chart *chart = &result->charts[result->n_charts++];
    *chart = (struct fg_chart){
        .title = style->title,
        .x_label = x_label,
        .y_label = style->y_label,
        .group = fg_arena_printf(&result->arena, "%s, %s%s", f->name,
                                 is_share ? "" : "k = ", f->budget_text)
                     .at,
        .caption = style->caption,
        .kind = style->kind,
        .series = FG_NEW(&result->arena, struct fg_series, entrants),
    };
    struct drawing d = {.f = f, .chart = chart, .points = points, .x = x};
    for (size_t e = 0; e < entrants; e++)
        if (fg_jobs_wants(f->jobs, f->group, e) &&
            !(style->without_oracle && e == fg_jobs_oracle(f->jobs)))
            draw_series(&d, e, style->point, style->has_band);
}

/* The longest site of the group, and whether all are as long. */
static uint64_t longest(const struct fg_findings *f, bool *are_equal)
{
    uint64_t most = 0;
    *are_equal = true;
    for (size_t s = 0; s < f->sites; s++) {
        const struct fg_run *run =
            fg_jobs_at(f->jobs, f->group, s, f->budget, fg_jobs_oracle(f->jobs), 0);
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

static void draw_choices(struct fg_findings *f, const struct style *style)
{
    double *x = FG_NEW(&f->scratch, double, FG_RANK_POINTS);
    for (size_t i = 0; i < FG_RANK_POINTS; i++)
        x[i] = (double)(i + 1);
    draw_chart(f, style, "sources, the most visited first", x, FG_RANK_POINTS);
}

void fg_findings_draw(struct fg_findings *f)
{
    static const struct style coverage = {
        .title = "Coverage over time",
        .y_label = "found of all targets, %",
        .caption = "Targets found since the first hour, of all there are to be found.",
        .point = coverage_at,
        .has_band = true};
    static const struct style regret = {
        .title = "Cumulative regret",
        .y_label = "regret, %",
        .caption =
            "How much less was found up to each hour than by the oracle, with 95 % "
            "intervals over sites.",
        .point = regret_at,
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
    unsigned wishes = fg_jobs_experiment(f->jobs)->charts;
    if (wishes & FG_CHART_OF_COVERAGE)
        draw_over_time(f, &coverage);
    if (wishes & FG_CHART_OF_REGRET)
        draw_over_time(f, &regret);
    if (wishes & FG_CHART_OF_DELAY)
        draw_delays(f, &delay);
    if (wishes & FG_CHART_OF_CHOICES)
        draw_choices(f, &choices);
}
