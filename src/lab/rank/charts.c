/* charts.c - the figures of chapter 5, drawn from what was found */
#include "lab/interval.h"
#include "lab/rank/rank.h"

#include <math.h>
#include <string.h>

enum { AWARENESS = 1, POPULARITY = 2, DEGREE = 4, SWEEP = 8 };

static const struct fg_figure none = {NAN, NAN, NAN};

/* --- awareness and popularity of the best page --- */

/* A mean over the runs of an entrant of one of the two columns. */
static struct fg_figure class_figure(struct fg_findings *f, size_t entrant, size_t class,
                                     bool is_reach)
{
    size_t most = f->entrants->seeds[entrant], n = 0;
    double *values = FG_NEW(&f->scratch, double, most + 1);
    for (size_t s = 0; s < most; s++) {
        const struct fg_rank_run *run = fg_findings_run(f, 0, entrant, s);
        if (run)
            values[n++] = is_reach ? run->reach[class] : run->share[class];
    }
    return fg_mean_interval(values, n);
}

static void draw_awareness(struct fg_findings *f)
{
    struct fg_chart like = {.title = "How well the best page is known",
                            .group = f->name,
                            .x_label = "awareness, % of those watched",
                            .y_label = "share of time, %",
                            .caption = "As Figure 5.2: nearly nobody or nearly everybody "
                                       "knows it; in between it spends little time."};
    struct fg_chart *chart = fg_findings_chart(f, &like, f->entrants->n);
    for (size_t e = 0; e < f->entrants->n; e++) {
        if (!fg_findings_wants(f, e))
            continue;
        struct fg_curve curve = fg_curve_new(f, FG_AWARENESS_CLASSES);
        for (size_t c = 0; c < FG_AWARENESS_CLASSES; c++)
            fg_curve_add(&curve, 5 * (double)c, class_figure(f, e, c, false), 100);
        fg_chart_add_curve(chart, fg_findings_keep(f, f->entrants->at[e].label), &curve);
    }
    fg_findings_end_chart(f);
}

static void draw_popularity(struct fg_findings *f)
{
    struct fg_chart like = {.title = "How the best page becomes popular",
                            .group = f->name,
                            .x_label = "days since it appeared",
                            .y_label = "awareness, % of those watched",
                            .log_x = true,
                            .caption = "As Figure 5.3: expected days until it comes so "
                                       "far, were it not to die."};
    struct fg_chart *chart = fg_findings_chart(f, &like, f->entrants->n);
    for (size_t e = 0; e < f->entrants->n; e++) {
        if (!fg_findings_wants(f, e))
            continue;
        struct fg_curve curve = fg_curve_new(f, FG_AWARENESS_CLASSES);
        for (size_t c = 1; c < FG_AWARENESS_CLASSES; c++) {
            struct fg_figure days = class_figure(f, e, c, true);
            double y = 5 * (double)c;
            if (!isnan(days.mean))
                fg_curve_add(&curve, fmax(days.mean, 1), (struct fg_figure){y, y, y}, 1);
        }
        fg_chart_add_curve(chart, fg_findings_keep(f, f->entrants->at[e].label), &curve);
    }
    fg_findings_end_chart(f);
}

/* --- over degrees --- */

static struct fg_figure figure_at(const struct fg_findings *f, const char *workload,
                                  const char *budget, const char *policy, size_t metric)
{
    for (size_t i = 0; i < f->rows.len; i++) {
        const struct fg_row *row = &f->rows.at[i];
        if (strcmp(row->workload, workload) == 0 && strcmp(row->budget, budget) == 0 &&
            strcmp(row->policy, policy) == 0)
            return row->at[metric];
    }
    return none;
}

struct promoted {
    const struct fg_rank_policy *policy;
    double degree, start;
};

static struct promoted promoted_of(const struct fg_findings *f, size_t entrant)
{
    struct promoted p = {0};
    double knob[FG_PARAMS_MAX];
    if (fg_rank_entrant(&p.policy, knob, &f->entrants->at[entrant], NULL) ||
        p.policy->pool == FG_POOL_NONE)
        return (struct promoted){0};
    p.degree = knob[FG_KNOB_DEGREE];
    p.start = knob[FG_KNOB_START];
    return p;
}

/* One line a policy and start, as far as there are two degrees of it; the model's beside
 * it. The order without promotion is degree 0 of all. */
static void add_line(struct fg_findings *f, struct fg_chart *chart, size_t first,
                     size_t metric, bool is_model)
{
    struct promoted like = promoted_of(f, first);
    struct fg_curve curve = fg_curve_new(f, f->entrants->n);
    const char *suffix = is_model ? ", model" : "";
    for (size_t e = 0; e < f->entrants->n; e++) {
        struct promoted is = promoted_of(f, e);
        bool is_zero = strcmp(f->entrants->at[e].policy, "deterministic") == 0;
        if (!fg_findings_wants(f, e) ||
            (!is_zero && (is.policy != like.policy || is.start != like.start)))
            continue;
        const char *name =
            fg_arena_printf(&f->scratch, "%s%s", f->entrants->at[e].label, suffix).at;
        fg_curve_add(&curve, is.degree,
                     figure_at(f, f->name, f->budget_text, name, metric), 1);
    }
    if (curve.n > 1)
        fg_chart_add_curve(chart,
                           fg_arena_printf(f->arena, "%s, k = %g%s",
                                           like.policy->about.name, like.start, suffix)
                               .at,
                           &curve);
}

static bool is_first_of_line(const struct fg_findings *f, size_t entrant)
{
    struct promoted like = promoted_of(f, entrant);
    bool has_other = false;
    for (size_t e = 0; e < f->entrants->n; e++) {
        struct promoted is = promoted_of(f, e);
        if (e == entrant || !fg_findings_wants(f, e) || is.policy != like.policy ||
            is.start != like.start)
            continue;
        if (e < entrant)
            return false;
        has_other = true;
    }
    return like.policy && has_other;
}

static void draw_degrees(struct fg_findings *f, size_t metric)
{
    struct fg_chart like = {
        .title = metric == FG_TBP ? "Time to become popular" : "Quality per click",
        .group = f->name,
        .x_label = "degree of randomisation, r",
        .y_label = metric == FG_TBP ? "days" : "of the ideal order's"};
    struct fg_chart *chart = fg_findings_chart(f, &like, 2 * f->entrants->n);
    for (size_t e = 0; e < f->entrants->n; e++)
        if (fg_findings_wants(f, e) && is_first_of_line(f, e)) {
            add_line(f, chart, e, metric, false);
            add_line(f, chart, e, metric, true);
        }
    fg_findings_end_chart(f);
}

void fg_rank_draw_cell(struct fg_findings *f)
{
    const struct fg_community *c = &f->supply->groups.at[f->group].workload->community;
    unsigned wanted = f->experiment->drawing.charts;
    if (!c->has_model)
        return; /* one community is enough to look at closely */
    if (wanted & AWARENESS)
        draw_awareness(f);
    if (wanted & POPULARITY)
        draw_popularity(f);
    if (wanted & DEGREE) {
        draw_degrees(f, FG_TBP);
        draw_degrees(f, FG_QPC);
    }
}

/* --- over communities --- */

static const struct sweep {
    const char *name, *title, *x_label;
    bool log_x;
} sweeps[] = {
    {"pages", "Influence of community size", "pages", true},
    {"life", "Influence of page lifetime", "days", false},
    {"visits", "Influence of visit rate", "visits a day", true},
    {"users", "Influence of the number of users", "users", true},
    {"surfing", "Influence of surfing", "share of visits", false},
};

static double place_of(const struct fg_community *like, const char *sweep)
{
    struct fg_community_world *world = fg_community_new(like);
    const struct fg_community *c = &world->is;
    double x = strcmp(sweep, "pages") == 0    ? (double)c->pages
               : strcmp(sweep, "life") == 0   ? c->life_days
               : strcmp(sweep, "visits") == 0 ? c->visits
               : strcmp(sweep, "users") == 0  ? (double)c->users
                                              : c->surfing;
    fg_community_free(world);
    return x;
}

static void add_sweep_line(struct fg_findings *f, struct fg_chart *chart,
                           const struct sweep *sweep, const char *policy, size_t metric)
{
    struct fg_curve curve = fg_curve_new(f, f->supply->groups.len);
    double last = -1;
    for (;;) { /* in the order of x, whatever the file's */
        size_t next = SIZE_MAX;
        double x = INFINITY;
        for (size_t g = 0; g < f->supply->groups.len; g++) {
            const struct fg_community *c = &f->supply->groups.at[g].workload->community;
            if (!fg_label_is_in(c->sweeps, c->n_sweeps, sweep->name))
                continue;
            double at = place_of(c, sweep->name);
            if (at > last && at < x) {
                x = at;
                next = g;
            }
        }
        if (next == SIZE_MAX)
            break;
        const struct fg_budget *budgets;
        fg_jobs_budgets(f->jobs, next, &budgets);
        fg_curve_add(&curve, x,
                     figure_at(f, f->supply->groups.at[next].name, budgets[0].text,
                               policy, metric),
                     1);
        last = x;
    }
    if (curve.n > 1)
        fg_chart_add_curve(chart, policy, &curve);
}

void fg_rank_draw_sweeps(struct fg_findings *f)
{
    for (size_t s = 0; s < sizeof sweeps / sizeof *sweeps; s++) {
        const struct sweep *sweep = &sweeps[s];
        bool is_surfing = strcmp(sweep->name, "surfing") == 0;
        struct fg_chart like = {.title = sweep->title,
                                .group = "Other communities",
                                .x_label = sweep->x_label,
                                .y_label = is_surfing ? "quality per click"
                                                      : "QPC, of the ideal order's",
                                .log_x = sweep->log_x};
        if (!(f->experiment->drawing.charts & SWEEP))
            return;
        struct fg_chart *chart = fg_findings_chart(f, &like, f->entrants->n);
        for (size_t e = 0; e < f->entrants->n; e++)
            add_sweep_line(f, chart, sweep, fg_findings_keep(f, f->entrants->at[e].label),
                           is_surfing ? FG_QPC_ABSOLUTE : FG_QPC);
        fg_findings_end_chart(f);
    }
}
