/* findings_all.c - a result from all runs: group by group and budget by budget the rows,
 * the pairs, what the text states of them, and the charts of the kind; then the remarks
 * of the experiment and what its figures cannot carry. */
#include "lab/findings.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* --- rows and pairs --- */

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

/* --- the whole --- */

static void tell_group(struct fg_findings *f, size_t group)
{
    const struct fg_experiment_kind *kind = f->experiment->kind;
    const struct fg_budget *budgets;
    for (size_t b = 0; b < fg_jobs_budgets(f->jobs, group, &budgets); b++) {
        fg_findings_enter(f, group, b);
        size_t first = f->rows.len, first_pair = f->pairings.len;
        add_rows(f);
        explain_none(f, first);
        add_pairs(f);
        fg_findings_judge(f, first, first_pair);
        if (kind->findings.tell_cell)
            kind->findings.tell_cell(f);
    }
    if (kind->findings.tell_group)
        kind->findings.tell_group(f);
}

static void say_all(struct fg_findings *f)
{
    const struct fg_experiment *e = f->experiment;
    if (e->shortening.is_on)
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

static bool begins(const char *text, const char *with)
{
    return text && strncmp(text, with, strlen(with)) == 0;
}

static bool has_title(const struct fg_findings *f, const char *title)
{
    for (size_t i = 0; i < f->charts.len; i++)
        if (strcmp(f->charts.at[i].title, title) == 0)
            return true;
    return false;
}

/* A figure that no chart is would be looked for in vain; one of a workload that was cut
 * is no mistake. */
static void name_figures(struct fg_findings *f)
{
    const struct fg_experiment *e = f->experiment;
    for (size_t k = 0; k < e->n_figures; k++) {
        const struct fg_figure_name *name = &e->figures[k];
        bool is_exact = has_title(f, name->chart);
        size_t found = 0;
        for (size_t i = 0; i < f->charts.len; i++) {
            struct fg_chart *chart = &f->charts.at[i];
            if (!(is_exact ? strcmp(chart->title, name->chart) == 0
                           : begins(chart->title, name->chart)) ||
                (name->group && !begins(chart->group, name->group)))
                continue;
            found++;
            chart->figure =
                chart->figure
                    ? fg_arena_printf(f->arena, "%s, %s", chart->figure, name->is).at
                    : fg_findings_keep(f, name->is);
        }
        if (!found && !e->shortening.is_on && !e->shortening.is_part)
            fg_findings_remark(f, "No chart here is %s: there is none called '%s'%s%s.",
                               name->is, name->chart, name->group ? " of " : "",
                               name->group ? name->group : "");
    }
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
    name_figures(&f);
    warn_of_few(&f, result);
#define GIVE(list) (result->list = f.list.at, result->n_##list = f.list.len)
    GIVE(rows), GIVE(pairings), GIVE(charts), GIVE(remarks), GIVE(stated),
        GIVE(judgments);
#undef GIVE
    for (size_t i = 0; i < f.boots.len; i++)
        fg_bootstrap_free(f.boots.at[i].boot);
    fg_arena_clear(&f.scratch);
    return result;
}
