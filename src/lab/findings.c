/* findings.c - from runs to figures: averages, intervals, pairs and what to say of them
 *
 * Seeds are averaged for each site first, so a site counts once however often it was run;
 * then the mean over sites is taken, with its bootstrap interval. */
#include "lab/findings.h"

#include "base/map.h"
#include "base/memory.h"
#include "lab/bootstrap.h"

#include <math.h>
#include <stdlib.h>

static const struct fg_metric_info infos[FG_METRICS] = {
    [FG_COVERAGE] = {"coverage", "coverage of new targets", "%", 100, 1, false},
    [FG_OVERHEAD] = {"overhead", "visits for each target found", "", 1, 3, true},
    [FG_HTD_P50] = {"htd_p50", "hours to discovery, median", "h", 1, 1, true},
    [FG_HTD_P90] = {"htd_p90", "hours to discovery, 90 %", "h", 1, 1, true},
    [FG_REGRET] = {"regret", "regret against the oracle", "%", 1, 2, true},
    [FG_COVERAGE_ALL] = {"coverage_all", "coverage from the first hour", "%", 100, 1,
                         false},
    [FG_COVERAGE_LATE] = {"coverage_late", "found late, of all targets", "%", 100, 1,
                          false},
    [FG_REGRET_LATE] = {"regret_late", "regret in new targets", "%", 1, 2, true},
    [FG_FOUND] = {"found", "new targets found", "", 1, 0, false},
};

const char *fg_findings_keep(struct fg_findings *f, const char *text)
{
    return text ? fg_arena_cstr(&f->result->arena, fg_str_from(text)) : NULL;
}

static void remark(struct fg_findings *f, struct fg_str text)
{
    struct fg_result *result = f->result;
    result->remarks =
        fg_arena_grow(&result->arena, result->remarks, sizeof *result->remarks,
                      result->n_remarks, result->n_remarks + 1);
    result->remarks[result->n_remarks++] = text.at;
}

/* Resampling depends on the number of sites alone, and groups come in few sizes. */
struct fg_bootstrap *fg_findings_boot(struct fg_findings *f, size_t sites)
{
    for (size_t i = 0; i < f->n_boots; i++)
        if (f->boots[i].sites == sites)
            return f->boots[i].boot;
    f->boots = fg_resized(f->boots, f->n_boots + 1, sizeof *f->boots);
    f->boots[f->n_boots].sites = sites;
    f->boots[f->n_boots].boot = fg_bootstrap_new(sites);
    return f->boots[f->n_boots++].boot;
}

/* --- scores of a group --- */

static struct fg_score score_site(const struct fg_findings *f, size_t site,
                                  size_t entrant)
{
    const struct fg_jobs *jobs = f->jobs;
    struct fg_score sum = {0};
    size_t n[FG_METRICS] = {0};
    const struct fg_run *oracle =
        fg_jobs_at(jobs, f->group, site, f->budget, fg_jobs_oracle(jobs), 0);
    for (size_t seed = 0; seed < fg_jobs_seeds(jobs, entrant); seed++) {
        const struct fg_run *run =
            fg_jobs_at(jobs, f->group, site, f->budget, entrant, seed);
        if (!run)
            continue;
        struct fg_score score = fg_run_score(run, oracle);
        for (size_t m = 0; m < FG_METRICS; m++)
            if (!isnan(score.at[m])) {
                sum.at[m] += score.at[m];
                n[m]++;
            }
    }
    for (size_t m = 0; m < FG_METRICS; m++)
        sum.at[m] = n[m] ? sum.at[m] / (double)n[m] : NAN;
    return sum;
}

double *fg_findings_scores(const struct fg_findings *f, size_t entrant, size_t metric)
{
    return f->scores + (entrant * FG_METRICS + metric) * f->sites;
}

/* Everybody's scores on the group and budget at hand. */
static void score_group(struct fg_findings *f)
{
    f->scores =
        FG_NEW(&f->scratch, double, fg_jobs_entrants(f->jobs) * FG_METRICS * f->sites);
    for (size_t e = 0; e < fg_jobs_entrants(f->jobs); e++)
        for (size_t s = 0; s < f->sites; s++) {
            struct fg_score score = score_site(f, s, e);
            for (size_t m = 0; m < FG_METRICS; m++)
                fg_findings_scores(f, e, m)[s] = score.at[m];
        }
}

/* --- published numbers --- */

static bool fits(const char *wanted, const char *is)
{
    return !wanted || strcmp(wanted, is) == 0;
}

static const struct fg_published *published_of(const struct fg_findings *f,
                                               const char *policy, const char *against,
                                               size_t metric)
{
    const struct fg_experiment *e = fg_jobs_experiment(f->jobs);
    for (size_t i = 0; i < e->n_published; i++) {
        const struct fg_published *p = &e->published[i];
        bool same_pair =
            against ? p->against && strcmp(p->against, against) == 0 : !p->against;
        if (same_pair && p->metric == metric && strcmp(p->policy, policy) == 0 &&
            fits(p->workload, f->name) && fits(p->budget, f->budget_text))
            return p;
    }
    return NULL;
}

/* --- rows --- */

static void add_row(struct fg_findings *f, size_t entrant)
{
    struct fg_result *result = f->result;
    struct fg_row *row = &result->rows[result->n_rows++];
    const char *policy = fg_jobs_entrant(f->jobs, entrant)->label;
    *row = (struct fg_row){
        .workload = f->name,
        .budget = f->budget_text,
        .policy = fg_findings_keep(f, policy),
        .sites = f->sites,
        .at = FG_NEW(&result->arena, struct fg_figure, FG_METRICS),
        .published = FG_NEW(&result->arena, double, FG_METRICS),
    };
    for (size_t m = 0; m < FG_METRICS; m++) {
        const struct fg_published *p = published_of(f, policy, NULL, m);
        row->at[m] = fg_bootstrap_mean(fg_findings_boot(f, f->sites),
                                       fg_findings_scores(f, entrant, m));
        row->published[m] = p ? p->value : NAN;
    }
}

/* --- pairs --- */

static bool is_ratio(size_t metric)
{
    return metric == FG_COVERAGE || metric == FG_COVERAGE_ALL ||
           metric == FG_COVERAGE_LATE || metric == FG_FOUND || metric == FG_OVERHEAD;
}

static size_t entrant_named(const struct fg_jobs *jobs, const char *label)
{
    size_t i = 0;
    while (strcmp(fg_jobs_entrant(jobs, i)->label, label) != 0)
        i++; /* experiment.c has checked that it is there */
    return i;
}

static size_t count_wins(const struct fg_findings *f, size_t a, size_t b, size_t metric)
{
    const double *ours = fg_findings_scores(f, a, metric);
    const double *theirs = fg_findings_scores(f, b, metric);
    size_t wins = 0;
    for (size_t s = 0; s < f->sites; s++)
        wins += infos[metric].less_is_better ? ours[s] < theirs[s] : ours[s] > theirs[s];
    return wins;
}

/* A published number that our interval does not hold is said, not hidden. */
static void judge(struct fg_findings *f, const struct fg_pairing *pair,
                  const struct fg_published *p)
{
    const struct fg_figure *ours = &pair->figure;
    if (!p || isnan(ours->mean) || (ours->lo <= p->value && p->value <= ours->hi))
        return;
    double even = pair->is_ratio ? 1 : 0;
    bool same_side = p->value > even ? ours->lo > even : ours->hi < even;
    const struct fg_metric_info *info = &infos[pair->metric];
    remark(f,
           fg_arena_printf(
               &f->result->arena,
               "Published %s of %s to %s in %s at budget %s%s%s: %.3g; here, on %s, "
               "%.3g [%.3g, %.3g]. %s",
               pair->is_ratio ? "ratio" : "difference", pair->policy, pair->reference,
               info->name, pair->budget, p->where ? ", " : "", p->where ? p->where : "",
               p->value, pair->workload, ours->mean, ours->lo, ours->hi,
               same_side ? "The direction is the same, the size is not."
                         : "The published order does not come out on this workload."));
}

static void add_pair(struct fg_findings *f, size_t a, size_t b, size_t metric)
{
    struct fg_result *result = f->result;
    struct fg_bootstrap *boot = fg_findings_boot(f, f->sites);
    const double *ours = fg_findings_scores(f, a, metric);
    const double *theirs = fg_findings_scores(f, b, metric);
    const char *policy = fg_jobs_entrant(f->jobs, a)->label;
    const char *reference = fg_jobs_entrant(f->jobs, b)->label;
    const struct fg_published *p = published_of(f, policy, reference, metric);
    struct fg_pairing pair = {
        .workload = f->name,
        .budget = f->budget_text,
        .policy = fg_findings_keep(f, policy),
        .reference = fg_findings_keep(f, reference),
        .metric = metric,
        .is_ratio = is_ratio(metric),
        .figure = is_ratio(metric) ? fg_bootstrap_ratio(boot, ours, theirs)
                                   : fg_bootstrap_difference(boot, ours, theirs),
        .published = p ? p->value : NAN,
        .sites = f->sites,
        .wins = count_wins(f, a, b, metric),
    };
    result->pairings[result->n_pairings++] = pair;
    judge(f, &pair, p);
}

static void add_pairs(struct fg_findings *f)
{
    const struct fg_experiment *e = fg_jobs_experiment(f->jobs);
    for (size_t i = 0; i < e->n_comparisons; i++) {
        const struct fg_comparison *c = &e->comparisons[i];
        size_t a = entrant_named(f->jobs, c->policy);
        for (size_t j = 0; j < c->n_with; j++) {
            size_t b = entrant_named(f->jobs, c->with[j]);
            for (size_t m = 0; m < c->n_metrics; m++)
                if (fg_jobs_wants(f->jobs, f->group, a) &&
                    fg_jobs_wants(f->jobs, f->group, b))
                    add_pair(f, a, b, c->metrics[m]);
        }
    }
}

/* --- cells --- */

struct tally {
    struct fg_map seen; /* cells that another workload or budget counted */
    size_t cells, fewer;
    double worst; /* share of finds more, so negative */
    const char *worst_site;
    uint64_t worst_visits;
};

static void tally_group(struct fg_findings *f, struct tally *tally,
                        const struct fg_comparison *c, size_t a, size_t b)
{
    const struct fg_group *group = fg_supply_group(fg_jobs_supply(f->jobs), f->group);
    for (size_t s = 0; s < f->sites; s++) {
        const struct fg_run *cell =
            fg_jobs_at(f->jobs, f->group, s, f->budget, fg_jobs_oracle(f->jobs), 0);
        uint64_t *seen = cell ? fg_map_put(&tally->seen, (uintptr_t)cell) : NULL;
        double ours = fg_findings_scores(f, a, FG_FOUND)[s];
        double theirs = fg_findings_scores(f, b, FG_FOUND)[s];
        if (!seen || *seen || !(theirs > 0) || isnan(ours))
            continue;
        *seen = 1;
        tally->cells++;
        double more = ours / theirs - 1;
        tally->fewer += more < -c->fewer;
        if (more < tally->worst) {
            tally->worst = more;
            tally->worst_site = fg_supply_name(fg_jobs_supply(f->jobs), group->sites[s]);
            tally->worst_visits = cell->visits_a_step;
        }
    }
}

static void enter_group(struct fg_findings *f, size_t group, size_t budget)
{
    const struct fg_budget *budgets;
    const struct fg_group *g = fg_supply_group(fg_jobs_supply(f->jobs), group);
    fg_jobs_budgets(f->jobs, group, &budgets);
    fg_arena_reset(&f->scratch);
    f->group = group;
    f->budget = budget;
    f->sites = g->n;
    f->name = fg_findings_keep(f, g->name);
    f->budget_text = fg_findings_keep(f, budgets[budget].text);
    score_group(f);
}

static void for_each_group(struct fg_findings *f,
                           void (*each)(struct fg_findings *f, void *context),
                           void *context)
{
    const struct fg_budget *budgets;
    for (size_t g = 0; g < fg_supply_groups(fg_jobs_supply(f->jobs)); g++)
        for (size_t b = 0; b < fg_jobs_budgets(f->jobs, g, &budgets); b++) {
            enter_group(f, g, b);
            each(f, context);
        }
}

struct cell_count {
    struct tally tally;
    const struct fg_comparison *comparison;
    size_t a, b;
};

static void count_here(struct fg_findings *f, void *context)
{
    struct cell_count *count = context;
    if (fg_jobs_wants(f->jobs, f->group, count->a) &&
        fg_jobs_wants(f->jobs, f->group, count->b))
        tally_group(f, &count->tally, count->comparison, count->a, count->b);
}

static void count_cells(struct fg_findings *f, const struct fg_comparison *c,
                        const char *reference)
{
    struct cell_count count = {.comparison = c,
                               .a = entrant_named(f->jobs, c->policy),
                               .b = entrant_named(f->jobs, reference)};
    for_each_group(f, count_here, &count);
    const struct tally *tally = &count.tally;
    struct fg_str text =
        fg_arena_printf(&f->result->arena,
                        "%s against %s: %zu of %zu cells (a site and a number of visits) "
                        "have over %g %% fewer finds",
                        c->policy, reference, tally->fewer, tally->cells, 100 * c->fewer);
    if (tally->worst_site)
        text = fg_arena_printf(&f->result->arena,
                               "%s; the least is %.2f %% on %s at %llu a step.", text.at,
                               100 * tally->worst, tally->worst_site,
                               (unsigned long long)tally->worst_visits);
    else
        text = fg_arena_printf(&f->result->arena, "%s; it finds fewer in none.", text.at);
    remark(f, text);
    fg_map_clear(&count.tally.seen);
}

/* --- the whole --- */

static void count_here_rows(struct fg_findings *f, void *context)
{
    size_t *rows = context;
    for (size_t e = 0; e < fg_jobs_entrants(f->jobs); e++)
        *rows += fg_jobs_wants(f->jobs, f->group, e);
}

static void find_here(struct fg_findings *f, void *context)
{
    (void)context;
    for (size_t e = 0; e < fg_jobs_entrants(f->jobs); e++)
        if (fg_jobs_wants(f->jobs, f->group, e))
            add_row(f, e);
    add_pairs(f);
    fg_findings_draw(f);
}

static void make_room(struct fg_findings *f)
{
    const struct fg_experiment *e = fg_jobs_experiment(f->jobs);
    const struct fg_budget *budgets;
    size_t rows = 0, pairs = 0, panels = 0;
    for_each_group(f, count_here_rows, &rows);
    for (size_t i = 0; i < e->n_comparisons; i++)
        pairs += e->comparisons[i].n_with * e->comparisons[i].n_metrics;
    for (size_t g = 0; g < fg_supply_groups(fg_jobs_supply(f->jobs)); g++)
        panels += fg_jobs_budgets(f->jobs, g, &budgets);
    f->result->rows = FG_NEW(&f->result->arena, struct fg_row, rows);
    f->result->pairings = FG_NEW(&f->result->arena, struct fg_pairing, pairs * panels);
    f->result->charts = FG_NEW(&f->result->arena, struct fg_chart, 4 * panels);
}

static void say_what_is_missing(struct fg_findings *f)
{
    const struct fg_supply *supply = fg_jobs_supply(f->jobs);
    const char *pattern;
    for (size_t i = 0; (pattern = fg_supply_missing(supply, i)); i++)
        remark(f, fg_arena_printf(&f->result->arena,
                                  "No recording is called '%s' here; that workload was "
                                  "left out.",
                                  pattern));
}

static void say_all(struct fg_findings *f)
{
    const struct fg_experiment *e = fg_jobs_experiment(f->jobs);
    for (size_t i = 0; i < e->n_remarks; i++)
        remark(f, fg_str_from(fg_findings_keep(f, e->remarks[i])));
    say_what_is_missing(f);
    struct fg_str sources = fg_experiment_sources(e, &f->result->arena);
    if (sources.len)
        remark(f, sources);
}

struct fg_result *fg_jobs_result(const struct fg_jobs *jobs)
{
    const struct fg_experiment *e = fg_jobs_experiment(jobs);
    struct fg_result *result = fg_zeroed(1, sizeof *result);
    struct fg_findings f = {.jobs = jobs, .result = result};
    result->name = fg_findings_keep(&f, e->name);
    result->title = fg_findings_keep(&f, e->title);
    result->paper = fg_findings_keep(&f, e->paper);
    result->metrics = infos;
    result->n_metrics = FG_METRICS;
    result->runs = fg_jobs_total(jobs);
    say_all(&f);
    make_room(&f);
    for_each_group(&f, find_here, NULL);
    for (size_t i = 0; i < e->n_comparisons; i++)
        for (size_t j = 0;
             !isnan(e->comparisons[i].fewer) && j < e->comparisons[i].n_with; j++)
            count_cells(&f, &e->comparisons[i], e->comparisons[i].with[j]);
    for (size_t i = 0; i < f.n_boots; i++)
        fg_bootstrap_free(f.boots[i].boot);
    free(f.boots);
    fg_arena_clear(&f.scratch);
    return result;
}

void fg_result_free(struct fg_result *result)
{
    if (!result)
        return;
    fg_arena_clear(&result->arena);
    free(result);
}
