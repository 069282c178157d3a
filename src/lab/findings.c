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

void fg_findings_remark(struct fg_findings *f, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    size_t bytes = (size_t)vsnprintf(NULL, 0, format, args) + 1;
    char *text = fg_arena_array(f->arena, 1, bytes);
    vsnprintf(text, bytes, format, again);
    va_end(again);
    va_end(args);
    fg_vec_push_in(f->arena, &f->remarks, text);
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

static void add_rows(struct fg_findings *f)
{
    const struct fg_experiment_kind *kind = f->experiment->kind;
    for (size_t e = 0; e < f->entrants->n; e++) {
        if (!fg_findings_wants(f, e))
            continue;
        struct fg_row *row =
            fg_findings_row(f, f->entrants->at[e].label, kind->findings.count(f, e));
        for (size_t m = 0; m < kind->metrics.n; m++)
            row->at[m] = kind->findings.figure(f, e, m);
    }
}

static void add_pair(struct fg_findings *f, size_t a, size_t b, size_t metric)
{
    const char *policy = f->entrants->at[a].label, *reference = f->entrants->at[b].label;
    const struct fg_published *p = fg_findings_published(f, policy, reference, metric);
    struct fg_pairing pair = {.workload = f->name,
                              .budget = f->budget_text,
                              .policy = fg_findings_keep(f, policy),
                              .reference = fg_findings_keep(f, reference),
                              .metric = metric,
                              .published = p ? p->value : NAN};
    if (f->experiment->kind->findings.compare(f, &pair, a, b))
        fg_vec_push_in(f->arena, &f->pairings, pair);
}

static void add_pairs(struct fg_findings *f)
{
    const struct fg_experiment *e = f->experiment;
    for (size_t i = 0; i < e->n_comparisons; i++) {
        const struct fg_comparison *c = &e->comparisons[i];
        size_t a = fg_entrants_named(f->entrants, c->policy);
        for (size_t j = 0; j < c->n_with * c->n_metrics; j++) {
            size_t b = fg_entrants_named(f->entrants, c->with[j / c->n_metrics]);
            if (fg_findings_wants(f, a) && fg_findings_wants(f, b))
                add_pair(f, a, b, c->metrics[j % c->n_metrics]);
        }
    }
}

/* --- what was published, judged --- */

/* Outside our interval; without one (a single site, a pool) a tenth away. */
static bool is_elsewhere(const struct fg_figure *ours, double published)
{
    if (isnan(published) || isnan(ours->mean))
        return false;
    if (ours->hi > ours->lo)
        return published < ours->lo || published > ours->hi;
    return fabs(ours->mean - published) > 0.1 * fabs(published);
}

/* Of each metric the policies whose published value is not ours, in one remark. */
static void judge_rows(struct fg_findings *f, size_t first)
{
    const struct fg_experiment_kind *kind = f->experiment->kind;
    for (size_t m = 0; m < kind->metrics.n; m++) {
        const struct fg_metric_info *info = &kind->metrics.info[m];
        struct fg_buf list;
        size_t known = 0, elsewhere = 0;
        fg_buf_init(&list, 1 << 14);
        for (size_t i = first; i < f->rows.len; i++) {
            const struct fg_row *row = &f->rows.at[i];
            known += !isnan(row->published[m]) && !isnan(row->at[m].mean);
            if (!is_elsewhere(&row->at[m], row->published[m]))
                continue;
            fg_buf_printf(&list, "%s%s %.*f (published %.*f)", elsewhere++ ? ", " : "",
                          row->policy, info->digits, row->at[m].mean * info->scale,
                          info->digits, row->published[m] * info->scale);
        }
        if (elsewhere)
            fg_findings_remark(f,
                               "%s on %s at budget %s: %zu of %zu published values are "
                               "not ours: %.*s.",
                               info->name, f->name, f->budget_text, elsewhere, known,
                               FG_ARG(fg_buf_str(&list)));
        fg_buf_clear(&list);
    }
}

/* Of each metric that a policy has no figure of, why. */
static void explain_none(struct fg_findings *f, size_t first)
{
    const struct fg_experiment_kind *kind = f->experiment->kind;
    for (size_t m = 0; m < kind->metrics.n; m++) {
        struct fg_buf list;
        size_t without = 0, rows = f->rows.len - first;
        if (!kind->metrics.info[m].none)
            continue;
        fg_buf_init(&list, 1 << 14);
        for (size_t i = first; i < f->rows.len; i++)
            if (isnan(f->rows.at[i].at[m].mean))
                fg_buf_printf(&list, "%s%s", without++ ? ", " : "", f->rows.at[i].policy);
        if (without == rows && rows > 1)
            fg_findings_remark(f, "No %s on %s at budget %s: %s.",
                               kind->metrics.info[m].name, f->name, f->budget_text,
                               kind->metrics.info[m].none);
        else if (without)
            fg_findings_remark(f, "No %s of %.*s on %s at budget %s: %s.",
                               kind->metrics.info[m].name, FG_ARG(fg_buf_str(&list)),
                               f->name, f->budget_text, kind->metrics.info[m].none);
        fg_buf_clear(&list);
    }
}

static const char *verdict(const struct fg_pairing *pair, double by, bool less_is_better)
{
    const struct fg_figure *figure = &pair->figure;
    double low = figure->lo, high = figure->hi, even = pair->is_ratio ? 1 : 0;
    double wanted = isnan(by) ? even : by;
    if (less_is_better) {
        low = pair->is_ratio ? 1 / figure->hi : -figure->hi;
        high = pair->is_ratio ? 1 / figure->lo : -figure->lo;
    }
    return low > wanted    ? "It comes out."
           : high > wanted ? "Not decided by these runs."
           : low > even    ? "The order comes out, the size does not."
                           : "It does not come out.";
}

static void judge_claim(struct fg_findings *f, const struct fg_claim *claim,
                        const char *other)
{
    size_t a = fg_entrants_named(f->entrants, claim->policy);
    size_t b = fg_entrants_named(f->entrants, other);
    const struct fg_metric_info *info = &f->experiment->kind->metrics.info[claim->metric];
    struct fg_pairing pair = {.workload = f->name,
                              .budget = f->budget_text,
                              .policy = claim->policy,
                              .reference = other,
                              .metric = claim->metric,
                              .published = NAN};
    char by[48] = "";
    if (!fg_findings_wants(f, a) || !fg_findings_wants(f, b) ||
        !f->experiment->kind->findings.compare(f, &pair, a, b) || isnan(pair.figure.mean))
        return;
    if (!isnan(claim->by))
        snprintf(by, sizeof by, " by %s%g", pair.is_ratio ? "a factor of " : "",
                 claim->by);
    fg_findings_remark(
        f,
        "Stated in %s: %s is better than %s%s in %s. Here, on %s at budget "
        "%s, the %s is %.3g [%.3g, %.3g]. %s",
        claim->where, claim->policy, other, by, info->name, f->name, f->budget_text,
        pair.is_ratio ? "ratio" : "difference", pair.figure.mean, pair.figure.lo,
        pair.figure.hi, verdict(&pair, claim->by, info->less_is_better));
}

static void judge_claims(struct fg_findings *f)
{
    const struct fg_experiment *e = f->experiment;
    for (size_t i = 0; i < e->n_claims; i++)
        for (size_t k = 0; k < e->claims[i].n_over; k++)
            if (fits(e->claims[i].workload, f->name) &&
                fits(e->claims[i].budget, f->budget_text))
                judge_claim(f, &e->claims[i], e->claims[i].over[k]);
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

/* --- the whole --- */

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

static void tell_group(struct fg_findings *f, size_t group)
{
    const struct fg_experiment_kind *kind = f->experiment->kind;
    const struct fg_budget *budgets;
    for (size_t b = 0; b < fg_jobs_budgets(f->jobs, group, &budgets); b++) {
        fg_findings_enter(f, group, b);
        size_t first = f->rows.len;
        add_rows(f);
        judge_rows(f, first);
        explain_none(f, first);
        add_pairs(f);
        judge_claims(f);
        if (kind->findings.tell_cell)
            kind->findings.tell_cell(f);
    }
    if (kind->findings.tell_group)
        kind->findings.tell_group(f);
}

static void say_all(struct fg_findings *f)
{
    const struct fg_experiment *e = f->experiment;
    if (e->is_short)
        fg_findings_remark(f,
                           "This is the short form of the experiment, with fewer "
                           "sites, runs, workloads or budgets than 'forage lab run "
                           "%s' has; remarks on figures are of the whole.",
                           e->name);
    for (size_t i = 0; i < e->n_remarks; i++)
        fg_findings_remark(f, "%s", e->remarks[i]);
    for (size_t i = 0; i < f->supply->missing.len; i++)
        fg_findings_remark(f, "No %s is called '%s' here; that workload was left out.",
                           e->kind->record, f->supply->missing.at[i]);
    struct fg_str sources = fg_experiment_sources(e, f->arena);
    if (sources.len)
        fg_findings_remark(f, "%s", sources.at);
}

static bool is_first_of(const struct fg_findings *f, size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (strcmp(f->rows.at[i].workload, f->rows.at[row].workload) == 0)
            return false;
    return true;
}

/* Once a workload: what its figures cannot carry. */
static void warn_of_few(struct fg_findings *f, const struct fg_result *result)
{
    struct fg_wording words = fg_result_wording(result);
    for (size_t i = 0; i < f->rows.len; i++) {
        const struct fg_row *row = &f->rows.at[i];
        if (row->sites && row->sites < FG_SITES_ENOUGH && is_first_of(f, i))
            fg_findings_remark(f,
                               "Figures of %s rest on %zu %s: too few to tell one policy "
                               "from another.",
                               row->workload, row->sites,
                               row->sites == 1 ? words.unit : words.units);
    }
}

struct fg_result *fg_jobs_result(const struct fg_jobs *jobs)
{
    const struct fg_experiment *e = fg_jobs_experiment(jobs);
    struct fg_result *result = fg_zeroed(1, sizeof *result);
    struct fg_findings f = {.jobs = jobs,
                            .experiment = e,
                            .supply = fg_jobs_supply(jobs),
                            .entrants = fg_jobs_entrants(jobs),
                            .arena = &result->arena};
    result->name = fg_findings_keep(&f, e->name);
    result->title = fg_findings_keep(&f, e->title);
    result->paper = fg_findings_keep(&f, e->paper);
    result->metrics = e->kind->metrics.info;
    result->n_metrics = e->kind->metrics.n;
    result->n_main = e->kind->metrics.n_main;
    result->runs = fg_jobs_count(jobs).total;
    if (e->kind->wording)
        result->wording = *e->kind->wording;
    result->has_own_figures =
        e->kind->task != FG_DISCOVERY || e->kind == &fg_experiment_whatif;
    say_all(&f);
    for (size_t g = 0; e->kind->findings.figure && g < f.supply->groups.len; g++)
        tell_group(&f, g);
    if (e->kind->findings.tell_end)
        e->kind->findings.tell_end(&f);
    warn_of_few(&f, result);
#define GIVE(list) (result->list = f.list.at, result->n_##list = f.list.len)
    GIVE(rows), GIVE(pairings), GIVE(charts), GIVE(remarks);
#undef GIVE
    for (size_t i = 0; i < f.boots.len; i++)
        fg_bootstrap_free(f.boots.at[i].boot);
    fg_arena_clear(&f.scratch);
    return result;
}
