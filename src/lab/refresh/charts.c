/* charts.c - freshness over budgets, gains over a reference, rewards and arms */
#include "lab/interval.h"
#include "lab/metric.h"
#include "lab/refresh/digest.h"
#include "lab/refresh/refresh.h"

#include <math.h>
#include <string.h>

/* Whether it is among those that charts of all policies show. */
static bool is_drawn(const struct fg_findings *f, size_t entrant)
{
    const struct fg_experiment *e = f->experiment;
    return !e->drawing.n_policies ||
           fg_label_is_in(e->drawing.policies, e->drawing.n_policies,
                          f->entrants->at[entrant].label);
}

/* --- over budgets --- */

static const struct fg_figure none = {NAN, NAN, NAN};

static struct fg_figure figure_at(const struct fg_findings *f, const char *budget,
                                  const char *policy, size_t metric)
{
    for (size_t i = 0; i < f->rows.len; i++) {
        const struct fg_row *row = &f->rows.at[i];
        if (strcmp(row->workload, f->name) == 0 && strcmp(row->budget, budget) == 0 &&
            strcmp(row->policy, policy) == 0)
            return row->at[metric];
    }
    return none;
}

static struct fg_figure gain_at(const struct fg_findings *f, const char *budget,
                                const char *policy, size_t metric, const char *reference)
{
    for (size_t i = 0; i < f->pairings.len; i++) {
        const struct fg_pairing *pair = &f->pairings.at[i];
        if (pair->metric == metric && strcmp(pair->workload, f->name) == 0 &&
            strcmp(pair->budget, budget) == 0 && strcmp(pair->policy, policy) == 0 &&
            strcmp(pair->reference, reference) == 0)
            return (struct fg_figure){pair->figure.mean - 1, pair->figure.lo - 1,
                                      pair->figure.hi - 1};
    }
    return none;
}

/* Freshness, or what it gains over that of a reference. */
static void draw_freshness(struct fg_findings *f, size_t metric, const char *reference)
{
    const struct fg_budget *budgets;
    size_t n = fg_jobs_budgets(f->jobs, f->group, &budgets);
    const char *title = metric == FG_CLICK_FRESHNESS ? "Click-weighted freshness"
                                                     : "Fresh pages at midnight";
    if (reference)
        title = fg_arena_printf(f->arena, "%s against %s", title, reference).at;
    struct fg_chart like = {
        .title = title,
        .group = f->name,
        .x_label = budgets[0].is_share ? "budget, % of the pages a day" : "visits a step",
        .y_label = reference ? "change, %, median over days" : "median over days, %",
        .log_x = true};
    struct fg_chart *chart = fg_findings_chart(f, &like, f->entrants->n);
    for (size_t e = 0; e < f->entrants->n; e++) {
        struct fg_curve curve = fg_curve_new(f, n);
        const char *policy = fg_findings_keep(f, f->entrants->at[e].label);
        for (size_t b = 0; (reference || is_drawn(f, e)) && b < n; b++)
            fg_curve_add(&curve, budgets[b].value * (budgets[b].is_share ? 100 : 1),
                         reference
                             ? gain_at(f, budgets[b].text, policy, metric, reference)
                             : figure_at(f, budgets[b].text, policy, metric),
                         100);
        fg_chart_add_curve(chart, policy, &curve);
    }
    fg_findings_end_chart(f);
}

/* Each reference once, however many comparisons name it. */
static bool is_first_reference(const struct fg_experiment *e, size_t comparison,
                               size_t with)
{
    const char *name = e->comparisons[comparison].with[with];
    for (size_t i = 0; i <= comparison; i++)
        for (size_t j = 0; j < e->comparisons[i].n_with; j++) {
            if (i == comparison && j == with)
                return true;
            if (strcmp(e->comparisons[i].with[j], name) == 0)
                return false;
        }
    return true;
}

void fg_refresh_draw_group(struct fg_findings *f)
{
    const struct fg_experiment *e = f->experiment;
    const struct fg_budget *budgets;
    if (fg_jobs_budgets(f->jobs, f->group, &budgets) < 2)
        return;
    if (e->drawing.charts & FG_CHART_OF_FRESHNESS) {
        draw_freshness(f, FG_CLICK_FRESHNESS, NULL);
        draw_freshness(f, FG_PAGE_FRESHNESS, NULL);
    }
    for (size_t i = 0; (e->drawing.charts & FG_CHART_OF_GAIN) && i < e->n_comparisons;
         i++)
        for (size_t j = 0; j < e->comparisons[i].n_with; j++)
            if (is_first_reference(e, i, j)) {
                draw_freshness(f, FG_CLICK_FRESHNESS, e->comparisons[i].with[j]);
                draw_freshness(f, FG_PAGE_FRESHNESS, e->comparisons[i].with[j]);
            }
}

/* --- over steps --- */

/* One value of every run of an entrant in the cell at hand, and their mean. */
static struct fg_figure mean_of_runs(const struct fg_findings *f, size_t entrant,
                                     enum fg_digest_part part, size_t i, double *values)
{
    size_t n = 0;
    for (size_t line = 0; line < f->items; line++)
        for (size_t seed = 0; seed < f->entrants->seeds[entrant]; seed++) {
            const struct fg_digest *run = fg_findings_run(f, line, entrant, seed);
            if (run && i < run->n[part])
                values[n++] = (double)run->part[part][i];
        }
    return fg_mean_interval(values, n);
}

static double *room_for_runs(struct fg_findings *f, size_t entrant)
{
    return FG_NEW(&f->scratch, double, f->items * f->entrants->seeds[entrant]);
}

static struct fg_chart chart_of_steps(struct fg_findings *f, const char *title)
{
    return (struct fg_chart){
        .title = title,
        .group = fg_arena_printf(f->arena, "%s, budget %s", f->name, f->budget_text).at,
        .x_label = "steps"};
}

static void draw_reward(struct fg_findings *f, enum fg_digest_part part,
                        const char *title)
{
    struct fg_chart like = chart_of_steps(f, title);
    like.y_label = "reward a step";
    like.caption = "Importance of pages found changed, with 95 % intervals over runs.";
    struct fg_chart *chart = fg_findings_chart(f, &like, f->entrants->n);
    for (size_t e = 0; e < f->entrants->n; e++) {
        const struct fg_digest *run = fg_findings_run(f, 0, e, 0);
        if (!run || !fg_findings_wants(f, e) || !is_drawn(f, e))
            continue;
        struct fg_curve curve = fg_curve_new(f, run->n[part]);
        double *values = room_for_runs(f, e);
        for (size_t i = 0; i < run->n[part]; i++)
            fg_curve_add(&curve, (double)fg_digest_step(run->steps, run->n[part], i),
                         mean_of_runs(f, e, part, i, values), 1);
        fg_chart_add_curve(chart, fg_findings_keep(f, f->entrants->at[e].label), &curve);
    }
    fg_findings_end_chart(f);
}

static void draw_arms(struct fg_findings *f, size_t entrant)
{
    const struct fg_digest *run = fg_findings_run(f, 0, entrant, 0);
    if (!run || !run->n_arms)
        return;
    const char *label = f->entrants->at[entrant].label;
    size_t points = run->n[FG_DIGEST_ARMS] / run->n_arms;
    struct fg_chart like =
        chart_of_steps(f, fg_arena_printf(f->arena, "Arms of %s", label).at);
    like.y_label = "chance of being chosen, %";
    struct fg_chart *chart = fg_findings_chart(f, &like, run->n_arms);
    double *values = room_for_runs(f, entrant);
    for (size_t a = 0; a < run->n_arms; a++) {
        struct fg_curve curve = fg_curve_new(f, points);
        for (size_t i = 0; i < points; i++) {
            double mean =
                mean_of_runs(f, entrant, FG_DIGEST_ARMS, i * run->n_arms + a, values)
                    .mean;
            fg_curve_add(&curve, (double)fg_digest_step(run->steps, points, i),
                         (struct fg_figure){mean, mean, mean}, 100);
        }
        fg_chart_add_curve(chart, fg_findings_keep(f, run->arm_names[a]), &curve);
    }
    fg_findings_end_chart(f);
}

/* Of all policies that have arms, in one chart. */
static void draw_regret(struct fg_findings *f)
{
    struct fg_chart like = chart_of_steps(f, "Regret among arms");
    like.y_label = "of the best arm's reward, %";
    like.caption =
        "Equation (1) of Han et al.: what the best single arm would have got at "
        "every step so far, less what the chances of the arms promised.";
    struct fg_chart *chart = fg_findings_chart(f, &like, f->entrants->n);
    for (size_t e = 0; e < f->entrants->n; e++) {
        const struct fg_digest *run = fg_findings_run(f, 0, e, 0);
        size_t points = run ? run->n[FG_DIGEST_REGRET] : 0;
        if (!points || !fg_findings_wants(f, e))
            continue;
        struct fg_curve curve = fg_curve_new(f, points);
        double *values = room_for_runs(f, e);
        for (size_t i = 0; i < points; i++)
            fg_curve_add(&curve, (double)fg_digest_step(run->steps, points, i),
                         mean_of_runs(f, e, FG_DIGEST_REGRET, i, values), 100);
        fg_chart_add_curve(chart, fg_findings_keep(f, f->entrants->at[e].label), &curve);
    }
    fg_findings_end_chart(f);
}

static bool wants_arms(const struct fg_findings *f)
{
    const struct fg_experiment *e = f->experiment;
    return (e->drawing.charts & FG_CHART_OF_ARMS) &&
           (!e->drawing.n_arms_at ||
            fg_label_is_in(e->drawing.arms_at, e->drawing.n_arms_at, f->budget_text));
}

void fg_refresh_draw_cell(struct fg_findings *f)
{
    if (f->experiment->drawing.charts & FG_CHART_OF_REWARD) {
        draw_reward(f, FG_DIGEST_RUNNING, "Running average of the reward");
        draw_reward(f, FG_DIGEST_MOVING, "Moving average of the reward, 200 steps");
    }
    if ((f->experiment->drawing.charts & FG_CHART_OF_ARM_REGRET) && wants_arms(f))
        draw_regret(f);
    for (size_t e = 0; wants_arms(f) && e < f->entrants->n; e++)
        if (fg_findings_wants(f, e))
            draw_arms(f, e);
}
