/* best.c - against the best of some policies, cell by cell, and over all of them
 *
 * The best is picked with hindsight, by stale weight, anew for each workload and budget:
 * a policy that is level with it is level with somebody who knew beforehand which policy
 * to take. Over the workloads of a family the ratios are averaged geometrically, so that
 * twice and half cancel. The interval holds the choice of the best as it is, and draws
 * the pages of all workloads again. */
#include "lab/interval.h"
#include "lab/refresh/refresh.h"
#include "lab/refresh/showing.h"

#include <math.h>

static const size_t measured[] = {FG_STALE, FG_AGE};
enum { MEASURED = sizeof measured / sizeof *measured };

/* The one of the list with the least stale weight, or SIZE_MAX. */
static size_t best_at(const struct fg_findings *f, size_t group, size_t budget)
{
    const struct fg_best_of *wish = &f->experiment->drawing.best_of;
    size_t best = SIZE_MAX;
    double least = INFINITY;
    for (size_t i = 0; i < wish->n_policies; i++) {
        size_t e = fg_entrants_named(f->entrants, wish->policies[i]);
        if (!fg_jobs_wants(f->jobs, group, e))
            continue;
        double stale = fg_refresh_mean(f, group, budget, e, FG_STALE);
        if (stale < least) {
            least = stale;
            best = e;
        }
    }
    return best;
}

static bool is_measured(const struct fg_findings *f, size_t entrant)
{
    const struct fg_best_of *wish = &f->experiment->drawing.best_of;
    const char *label = f->entrants->at[entrant].label;
    return wish->n_of ? fg_label_is_in(wish->of, wish->n_of, label)
                      : !fg_label_is_in(wish->policies, wish->n_policies, label);
}

void fg_refresh_best(struct fg_findings *f)
{
    const struct fg_best_of *wish = &f->experiment->drawing.best_of;
    const struct fg_entrants *entrants = f->entrants;
    const struct fg_showing *showings = f->cell;
    if (!wish->name)
        return;
    size_t best = best_at(f, f->group, f->budget);
    for (size_t e = 0; best != SIZE_MAX && e < entrants->n; e++)
        for (size_t m = 0; m < MEASURED; m++) {
            if (!is_measured(f, e) || !fg_findings_wants(f, e))
                continue;
            struct fg_pairing pair = {
                .workload = f->name,
                .budget = f->budget_text,
                .policy = fg_findings_keep(f, entrants->at[e].label),
                .reference = fg_findings_keep(f, wish->name),
                .metric = measured[m],
                .published = NAN,
                .chosen = fg_findings_keep(f, entrants->at[best].label)};
            fg_showing_compare(f, &pair, &showings[e], &showings[best], true);
            fg_vec_push_in(f->arena, &f->pairings, pair);
        }
}

/* --- over the workloads of a family --- */

/* Sums of logarithms of ratios, of the pages as they are and as they are drawn again. */
struct logs {
    size_t n, n_resamples;
    double sum;
    double *resampled;
};

static void add_ratio(struct logs *logs, struct fg_arena *arena,
                      const struct fg_showing *ours, const struct fg_showing *theirs,
                      size_t metric)
{
    double a = fg_showing_mean(ours, metric), b = fg_showing_mean(theirs, metric);
    if (!(a > 0 && b > 0))
        return;
    size_t n = metric != FG_STALE                        ? 0
               : ours->n_resamples < theirs->n_resamples ? ours->n_resamples
                                                         : theirs->n_resamples;
    if (!logs->n) {
        logs->n_resamples = n;
        logs->resampled = FG_NEW(arena, double, n);
    }
    logs->n++;
    logs->sum += log(a / b);
    logs->n_resamples = n < logs->n_resamples ? n : logs->n_resamples;
    for (size_t i = 0; i < logs->n_resamples; i++)
        logs->resampled[i] += log(ours->resampled[i] / theirs->resampled[i]);
}

struct contest {
    size_t policy, reference; /* entrants; SIZE_MAX: the best of the list */
    size_t metric;
};

static size_t budget_of(const struct fg_findings *f, size_t group, const char *text)
{
    const struct fg_budget *budgets;
    size_t n = fg_jobs_budgets(f->jobs, group, &budgets);
    for (size_t b = 0; b < n; b++)
        if (strcmp(budgets[b].text, text) == 0)
            return b;
    return SIZE_MAX;
}

static void add_group(struct fg_findings *f, struct logs *logs,
                      const struct contest *contest, size_t group, const char *budget)
{
    size_t b = budget_of(f, group, budget), other = contest->reference;
    if (b == SIZE_MAX || !fg_jobs_wants(f->jobs, group, contest->policy))
        return;
    if (other == SIZE_MAX)
        other = best_at(f, group, b);
    if (other == SIZE_MAX || !fg_jobs_wants(f->jobs, group, other))
        return;
    struct fg_showing ours = fg_showing_of(f, group, b, contest->policy);
    struct fg_showing theirs = fg_showing_of(f, group, b, other);
    add_ratio(logs, &f->scratch, &ours, &theirs, contest->metric);
}

static void tell_mean(struct fg_findings *f, const struct contest *contest, size_t family,
                      const char *budget)
{
    const struct fg_entrants *entrants = f->entrants;
    const struct fg_supply *supply = f->supply;
    struct logs logs = {0};
    fg_arena_reset(&f->scratch);
    for (size_t g = 0; g < supply->groups.len; g++)
        if (supply->groups.at[g].family == family)
            add_group(f, &logs, contest, g, budget);
    if (logs.n < 2)
        return;
    double n = (double)logs.n;
    for (size_t i = 0; i < logs.n_resamples; i++)
        logs.resampled[i] = exp(logs.resampled[i] / n);
    const char *reference = contest->reference == SIZE_MAX
                                ? f->experiment->drawing.best_of.name
                                : entrants->at[contest->reference].label;
    struct fg_pairing pair = {
        .workload = fg_arena_printf(f->arena, "%s: geometric mean of %zu",
                                    supply->families.at[family], logs.n)
                        .at,
        .budget = fg_findings_keep(f, budget),
        .policy = fg_findings_keep(f, entrants->at[contest->policy].label),
        .reference = fg_findings_keep(f, reference),
        .metric = contest->metric,
        .is_ratio = true,
        .figure =
            fg_percentile_interval(exp(logs.sum / n), logs.resampled, logs.n_resamples),
        .published = NAN};
    fg_vec_push_in(f->arena, &f->pairings, pair);
}

/* All contests of a family at one budget. */
static void tell_contests(struct fg_findings *f, size_t family, const char *budget)
{
    const struct fg_experiment *e = f->experiment;
    const struct fg_entrants *entrants = f->entrants;
    for (size_t i = 0; i < e->n_comparisons; i++) {
        const struct fg_comparison *c = &e->comparisons[i];
        for (size_t j = 0; j < c->n_with * c->n_metrics; j++) {
            struct contest contest = {
                fg_entrants_named(entrants, c->policy),
                fg_entrants_named(entrants, c->with[j / c->n_metrics]),
                c->metrics[j % c->n_metrics]};
            if (contest.metric > FG_PAGE_FRESHNESS)
                tell_mean(f, &contest, family, budget);
        }
    }
    for (size_t k = 0; e->drawing.best_of.name && k < entrants->n * MEASURED; k++)
        if (is_measured(f, k / MEASURED))
            tell_mean(f,
                      &(struct contest){k / MEASURED, SIZE_MAX, measured[k % MEASURED]},
                      family, budget);
}

void fg_refresh_families(struct fg_findings *f)
{
    const struct fg_supply *supply = f->supply;
    for (size_t i = 0; i < supply->families.len; i++) {
        const struct fg_budget *budgets = NULL;
        size_t n = 0;
        for (size_t g = 0; !n && g < supply->groups.len; g++)
            if (supply->groups.at[g].family == i)
                n = fg_jobs_budgets(f->jobs, g, &budgets);
        for (size_t b = 0; b < n; b++)
            tell_contests(f, i, budgets[b].text);
    }
}
