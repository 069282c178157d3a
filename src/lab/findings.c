#include "lab/findings.h"

#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *fg_findings_keep(struct fg_findings *f, const char *text)
{
    return text ? fg_arena_cstr(f->arena, fg_str_from(text)) : NULL;
}

static const char *format_kept(struct fg_findings *f, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    size_t bytes = (size_t)vsnprintf(NULL, 0, format, args) + 1;
    char *text = fg_arena_array(f->arena, 1, bytes);
    vsnprintf(text, bytes, format, again);
    va_end(again);
    return text;
}

void fg_findings_remark(struct fg_findings *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fg_vec_push_in(f->arena, &f->remarks, format_kept(f, format, args));
    va_end(args);
}

void fg_findings_state(struct fg_findings *f, const struct fg_stated *stated)
{
    fg_vec_push_in(f->arena, &f->stated, *stated);
}

void fg_findings_judgment(struct fg_findings *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fg_vec_push_in(f->arena, &f->judgments, format_kept(f, format, args));
    va_end(args);
}

struct fg_bootstrap *fg_findings_boot(struct fg_findings *f, size_t items)
{
    for (size_t i = 0; i < f->boots.len; i++)
        if (f->boots.at[i].items == items)
            return f->boots.at[i].boot;
    fg_vec_push_in(f->arena, &f->boots,
                   (struct fg_findings_boot){items, fg_bootstrap_new(items)});
    return f->boots.at[f->boots.len - 1].boot;
}

const void *fg_findings_run(const struct fg_findings *f, size_t item, size_t entrant,
                            size_t seed)
{
    return fg_jobs_at(f->jobs, f->group, item, f->budget, entrant, seed);
}

bool fg_findings_wants(const struct fg_findings *f, size_t entrant)
{
    return fg_jobs_wants(f->jobs, f->group, entrant);
}

/* --- rows and pairs --- */

static bool fits(const char *wanted, const char *is)
{
    return !wanted || strcmp(wanted, is) == 0;
}

bool fg_findings_is_of(const struct fg_findings *f, const struct fg_published *p)
{
    return fits(p->workload, f->name) && fits(p->budget, f->budget_text);
}

const struct fg_published *fg_findings_published(const struct fg_findings *f,
                                                 const char *policy, const char *against,
                                                 size_t metric)
{
    const struct fg_experiment *e = f->experiment;
    for (size_t i = 0; i < e->n_published; i++) {
        const struct fg_published *p = &e->published[i];
        bool same_pair =
            against ? p->against && strcmp(p->against, against) == 0 : !p->against;
        if (same_pair && p->metric == metric && strcmp(p->policy, policy) == 0 &&
            isnan(p->at) && fg_findings_is_of(f, p))
            return p;
    }
    return NULL;
}

struct fg_row *fg_findings_row(struct fg_findings *f, const char *policy, size_t count)
{
    size_t n = f->experiment->kind->metrics.n;
    struct fg_row row = {.workload = f->name,
                         .budget = f->budget_text,
                         .policy = fg_findings_keep(f, policy),
                         .sites = count,
                         .at = FG_NEW(f->arena, struct fg_figure, n),
                         .published = FG_NEW(f->arena, double, n)};
    for (size_t m = 0; m < n; m++) {
        const struct fg_published *p = fg_findings_published(f, policy, NULL, m);
        row.at[m] = (struct fg_figure){NAN, NAN, NAN};
        row.published[m] = p ? p->value : NAN;
    }
    fg_vec_push_in(f->arena, &f->rows, row);
    return &f->rows.at[f->rows.len - 1];
}

/* --- charts --- */

struct fg_curve fg_curve_new(struct fg_findings *f, size_t most)
{
    return (struct fg_curve){
        FG_NEW(f->arena, double, most), FG_NEW(f->arena, double, most),
        FG_NEW(f->arena, double, most), FG_NEW(f->arena, double, most), 0};
}

void fg_curve_add(struct fg_curve *curve, double x, struct fg_figure figure, double scale)
{
    if (isnan(figure.mean))
        return;
    curve->x[curve->n] = x;
    curve->y[curve->n] = figure.mean * scale;
    curve->low[curve->n] = figure.lo * scale;
    curve->high[curve->n++] = figure.hi * scale;
}

struct fg_chart *fg_findings_chart(struct fg_findings *f, const struct fg_chart *like,
                                   size_t most_series)
{
    struct fg_chart chart = *like;
    chart.series = FG_NEW(f->arena, struct fg_series, most_series);
    fg_vec_push_in(f->arena, &f->charts, chart);
    return &f->charts.at[f->charts.len - 1];
}

void fg_chart_add(struct fg_chart *chart, const char *name, const struct fg_curve *curve,
                  bool has_band)
{
    chart->series[chart->n_series++] =
        (struct fg_series){.name = name,
                           .n = curve->n,
                           .x = curve->x,
                           .y = curve->y,
                           .low = has_band ? curve->low : NULL,
                           .high = has_band ? curve->high : NULL};
}

void fg_chart_add_curve(struct fg_chart *chart, const char *name,
                        const struct fg_curve *curve)
{
    bool has_band = false;
    for (size_t i = 0; i < curve->n; i++)
        has_band |= curve->high[i] > curve->low[i];
    if (curve->n)
        fg_chart_add(chart, name, curve, has_band);
}

void fg_findings_end_chart(struct fg_findings *f)
{
    f->charts.len -= !f->charts.at[f->charts.len - 1].n_series;
}

void fg_findings_enter(struct fg_findings *f, size_t group, size_t budget)
{
    const struct fg_group *g = &f->supply->groups.at[group];
    const struct fg_budget *budgets;
    fg_jobs_budgets(f->jobs, group, &budgets);
    fg_arena_reset(&f->scratch);
    f->group = group;
    f->budget = budget;
    f->items = g->n;
    f->name = fg_findings_keep(f, g->name);
    f->budget_text = fg_findings_keep(f, budgets[budget].text);
    if (f->experiment->kind->findings.measure)
        f->experiment->kind->findings.measure(f);
}
