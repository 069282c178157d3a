/* trials_charts.c - freshness over budgets, gains over a reference, rewards and arms */
#include "lab/interval.h"
#include "lab/refresh/trials_tell.h"

#include <math.h>

/* A series that grows point by point. */
struct curve {
    double *x, *y, *low, *high;
    size_t n;
};

static struct curve curve_of(struct fg_arena *arena, size_t most)
{
    return (struct curve){FG_NEW(arena, double, most), FG_NEW(arena, double, most),
                          FG_NEW(arena, double, most), FG_NEW(arena, double, most), 0};
}

static void add_point(struct curve *curve, double x, struct fg_figure figure,
                      double scale)
{
    if (isnan(figure.mean))
        return;
    curve->x[curve->n] = x;
    curve->y[curve->n] = figure.mean * scale;
    curve->low[curve->n] = figure.lo * scale;
    curve->high[curve->n++] = figure.hi * scale;
}

static void add_series(struct fg_chart *chart, const char *name,
                       const struct curve *curve)
{
    bool has_band = false;
    for (size_t i = 0; i < curve->n; i++)
        has_band |= curve->high[i] > curve->low[i];
    if (curve->n)
        chart->series[chart->n_series++] =
            (struct fg_series){.name = name,
                               .n = curve->n,
                               .x = curve->x,
                               .y = curve->y,
                               .low = has_band ? curve->low : NULL,
                               .high = has_band ? curve->high : NULL};
}

static void add_chart(struct fg_telling *t, struct fg_chart chart)
{
    if (chart.n_series)
        fg_vec_push_in(&t->result->arena, &t->charts, chart);
}

static struct fg_chart chart_of(struct fg_telling *t, const char *title,
                                const char *group, const char *y_label, size_t series)
{
    return (struct fg_chart){.title = title,
                             .group = group,
                             .y_label = y_label,
                             .series =
                                 FG_NEW(&t->result->arena, struct fg_series, series)};
}

/* Whether it is among those that charts of all policies show. */
static bool is_drawn(const struct fg_telling *t, size_t entrant)
{
    const struct fg_experiment *e = fg_trials_experiment(t->trials);
    const char *label = fg_trials_entrants(t->trials)->at[entrant].label;
    for (size_t i = 0; i < e->n_drawn; i++)
        if (strcmp(e->drawn[i], label) == 0)
            return true;
    return !e->n_drawn;
}

/* --- over budgets --- */

static double budget_x(const struct fg_budget *budget)
{
    return budget->value * (budget->is_share ? 100 : 1);
}

static const char *budget_label(const struct fg_budget *budgets)
{
    return budgets[0].is_share ? "budget, % of the pages a day" : "visits a step";
}

static const struct fg_row *row_at(const struct fg_telling *t, const char *workload,
                                   const char *budget, const char *policy)
{
    for (size_t i = 0; i < t->rows.len; i++) {
        const struct fg_row *row = &t->rows.at[i];
        if (strcmp(row->workload, workload) == 0 && strcmp(row->budget, budget) == 0 &&
            strcmp(row->policy, policy) == 0)
            return row;
    }
    return NULL;
}

static void draw_freshness(struct fg_telling *t, const char *workload,
                           const struct fg_budget *budgets, size_t n, size_t metric,
                           const char *title)
{
    const struct fg_entrants *entrants = fg_trials_entrants(t->trials);
    struct fg_chart chart =
        chart_of(t, title, workload, "median over days, %", entrants->n);
    chart.x_label = budget_label(budgets);
    chart.log_x = true;
    for (size_t e = 0; e < entrants->n; e++) {
        struct curve curve = curve_of(&t->result->arena, n);
        const char *policy = fg_telling_keep(t, entrants->at[e].label);
        for (size_t b = 0; is_drawn(t, e) && b < n; b++) {
            const struct fg_row *row = row_at(t, workload, budgets[b].text, policy);
            if (row)
                add_point(&curve, budget_x(&budgets[b]), row->at[metric], 100);
        }
        add_series(&chart, policy, &curve);
    }
    add_chart(t, chart);
}

static const struct fg_pairing *pair_at(const struct fg_telling *t, const char *workload,
                                        const char *budget, const char *policy,
                                        const char *reference, size_t metric)
{
    for (size_t i = 0; i < t->pairings.len; i++) {
        const struct fg_pairing *pair = &t->pairings.at[i];
        if (pair->metric == metric && strcmp(pair->workload, workload) == 0 &&
            strcmp(pair->budget, budget) == 0 && strcmp(pair->policy, policy) == 0 &&
            strcmp(pair->reference, reference) == 0)
            return pair;
    }
    return NULL;
}

static void draw_gain(struct fg_telling *t, const char *workload,
                      const struct fg_budget *budgets, size_t n, size_t metric,
                      const char *reference)
{
    const struct fg_entrants *entrants = fg_trials_entrants(t->trials);
    struct fg_chart chart =
        chart_of(t,
                 fg_arena_printf(&t->result->arena, "%s against %s",
                                 metric == FG_CLICK_FRESHNESS ? "Click-weighted freshness"
                                                              : "Fresh pages at midnight",
                                 reference)
                     .at,
                 workload, "change, %, median over days", entrants->n);
    chart.x_label = budget_label(budgets);
    chart.log_x = true;
    for (size_t e = 0; e < entrants->n; e++) {
        struct curve curve = curve_of(&t->result->arena, n);
        const char *policy = fg_telling_keep(t, entrants->at[e].label);
        for (size_t b = 0; b < n; b++) {
            const struct fg_pairing *pair =
                pair_at(t, workload, budgets[b].text, policy, reference, metric);
            if (pair)
                add_point(&curve, budget_x(&budgets[b]),
                          (struct fg_figure){pair->figure.mean - 1, pair->figure.lo - 1,
                                             pair->figure.hi - 1},
                          100);
        }
        add_series(&chart, policy, &curve);
    }
    add_chart(t, chart);
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

void fg_telling_draw_group(struct fg_telling *t, size_t group)
{
    const struct fg_experiment *e = fg_trials_experiment(t->trials);
    const struct fg_budget *budgets;
    size_t n = fg_trials_budgets(t->trials, group, &budgets);
    const char *workload =
        fg_telling_keep(t, fg_stock_group(fg_trials_stock(t->trials), group)->name);
    if (n < 2)
        return;
    if (e->charts & FG_CHART_OF_FRESHNESS) {
        draw_freshness(t, workload, budgets, n, FG_CLICK_FRESHNESS,
                       "Click-weighted freshness");
        draw_freshness(t, workload, budgets, n, FG_PAGE_FRESHNESS,
                       "Fresh pages at midnight");
    }
    for (size_t i = 0; (e->charts & FG_CHART_OF_GAIN) && i < e->n_comparisons; i++)
        for (size_t j = 0; j < e->comparisons[i].n_with; j++)
            if (is_first_reference(e, i, j)) {
                const char *reference = e->comparisons[i].with[j];
                draw_gain(t, workload, budgets, n, FG_CLICK_FRESHNESS, reference);
                draw_gain(t, workload, budgets, n, FG_PAGE_FRESHNESS, reference);
            }
}

/* --- over steps --- */

/* One value of every run of an entrant in the cell at hand; returns how many. */
static size_t take_runs(const struct fg_telling *t, size_t entrant,
                        enum fg_digest_part part, size_t i, double *values)
{
    size_t lines = fg_stock_group(fg_trials_stock(t->trials), t->group)->n, n = 0;
    for (size_t line = 0; line < lines; line++)
        for (size_t seed = 0; seed < fg_trials_entrants(t->trials)->seeds[entrant];
             seed++) {
            const struct fg_digest *run =
                fg_trials_at(t->trials, t->group, line, t->budget, entrant, seed);
            if (run && i < run->n[part])
                values[n++] = (double)run->part[part][i];
        }
    return n;
}

static double *room_for_runs(struct fg_telling *t, size_t entrant)
{
    size_t lines = fg_stock_group(fg_trials_stock(t->trials), t->group)->n;
    return FG_NEW(&t->scratch, double,
                  lines *fg_trials_entrants(t->trials)->seeds[entrant]);
}

static const char *cell_name(struct fg_telling *t)
{
    return fg_arena_printf(&t->result->arena, "%s, budget %s", t->name, t->budget_text)
        .at;
}

static void draw_reward(struct fg_telling *t, enum fg_digest_part part, const char *title)
{
    const struct fg_entrants *entrants = fg_trials_entrants(t->trials);
    struct fg_chart chart =
        chart_of(t, title, cell_name(t), "reward a step", entrants->n);
    chart.x_label = "steps";
    chart.caption = "Importance of pages found changed, with 95 % intervals over runs.";
    for (size_t e = 0; e < entrants->n; e++) {
        const struct fg_digest *run =
            fg_trials_at(t->trials, t->group, 0, t->budget, e, 0);
        if (!run || !fg_trials_wants(t->trials, t->group, e) || !is_drawn(t, e))
            continue;
        struct curve curve = curve_of(&t->result->arena, run->n[part]);
        double *values = room_for_runs(t, e);
        for (size_t i = 0; i < run->n[part]; i++)
            add_point(&curve, (double)fg_digest_step(run->steps, run->n[part], i),
                      fg_mean_interval(values, take_runs(t, e, part, i, values)), 1);
        add_series(&chart, fg_telling_keep(t, entrants->at[e].label), &curve);
    }
    add_chart(t, chart);
}

static void draw_arms(struct fg_telling *t, size_t entrant)
{
    const struct fg_digest *run =
        fg_trials_at(t->trials, t->group, 0, t->budget, entrant, 0);
    if (!run || !run->n_arms)
        return;
    const char *label = fg_trials_entrants(t->trials)->at[entrant].label;
    size_t points = run->n[FG_DIGEST_ARMS] / run->n_arms;
    struct fg_chart chart =
        chart_of(t, fg_arena_printf(&t->result->arena, "Arms of %s", label).at,
                 cell_name(t), "chance of being chosen, %", run->n_arms);
    chart.x_label = "steps";
    double *values = room_for_runs(t, entrant);
    for (size_t a = 0; a < run->n_arms; a++) {
        struct curve curve = curve_of(&t->result->arena, points);
        for (size_t i = 0; i < points; i++) {
            size_t n = take_runs(t, entrant, FG_DIGEST_ARMS, i * run->n_arms + a, values);
            double mean = fg_mean_interval(values, n).mean;
            add_point(&curve, (double)fg_digest_step(run->steps, points, i),
                      (struct fg_figure){mean, mean, mean}, 100);
        }
        add_series(&chart, fg_telling_keep(t, run->arm_names[a]), &curve);
    }
    add_chart(t, chart);
}

static bool wants_arms(const struct fg_telling *t)
{
    const struct fg_experiment *e = fg_trials_experiment(t->trials);
    bool is_named = !e->n_arms_at;
    for (size_t i = 0; i < e->n_arms_at; i++)
        is_named |= strcmp(e->arms_at[i], t->budget_text) == 0;
    return (e->charts & FG_CHART_OF_ARMS) && is_named;
}

void fg_telling_draw_cell(struct fg_telling *t)
{
    const struct fg_experiment *e = fg_trials_experiment(t->trials);
    if (e->charts & FG_CHART_OF_REWARD) {
        draw_reward(t, FG_DIGEST_RUNNING, "Running average of the reward");
        draw_reward(t, FG_DIGEST_MOVING, "Moving average of the reward, 200 steps");
    }
    for (size_t i = 0; wants_arms(t) && i < fg_trials_entrants(t->trials)->n; i++)
        if (fg_trials_wants(t->trials, t->group, i))
            draw_arms(t, i);
}
