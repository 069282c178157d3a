/* discovery.c - experiments about finding what is new: replays of sites
 *
 * Seeds are averaged for each site first, so a site counts once however often it was run;
 * then the mean over sites is taken, with its bootstrap interval. */
#include "lab/discovery/discovery.h"

#include "base/map.h"
#include "lab/interval.h"
#include "lab/sites.h"

#include <math.h>
#include <string.h>

/* Why a figure may be missing. */
#define NOTHING_NEW "no target appeared after the warm-up"
#define NO_FIND     "no target was found after the warm-up"
#define NO_NEW_FIND "no target that appeared after the warm-up was found"

static const struct fg_metric_info infos[FG_METRICS] = {
    [FG_COVERAGE] = {"coverage", "coverage of new targets", "%", 100, 1,
                     .none = NOTHING_NEW},
    [FG_OVERHEAD] = {"overhead", "visits for each target found", "", 1, 3, true,
                     .none = NO_FIND},
    [FG_HTD_P50] = {"htd_p50", "hours to discovery, median", "h", 1, 1, true,
                    .none = NO_NEW_FIND},
    [FG_HTD_P90] = {"htd_p90", "hours to discovery, 90 %", "h", 1, 1, true,
                    .none = NO_NEW_FIND},
    [FG_REGRET] = {"regret", "regret against the oracle", "%", 1, 2, true,
                   .none = "the oracle found no target"},
    [FG_COVERAGE_ALL] = {"coverage_all", "coverage from the first hour", "%", 100, 1,
                         .none = "there was no target"},
    [FG_COVERAGE_LATE] = {"coverage_late", "found late, of all targets", "%", 100, 1,
                          .none = "there was no target"},
    [FG_REGRET_LATE] = {"regret_late", "regret in new targets", "%", 1, 2, true,
                        .none = "the oracle found no target that appeared after the "
                                "warm-up"},
    [FG_FOUND] = {"found", "new targets found", "", 1, 0},
    [FG_OVERHEAD_NEW] = {"overhead_new", "visits for each new target found", "", 1, 3,
                         true, .none = NO_NEW_FIND},
};

/* --- runs --- */

static enum fg_status run(void *into, const struct fg_job *job, struct fg_err *err)
{
    struct fg_replay_rules rules = {.budget = job->visits,
                                    .seed = job->seed,
                                    .warm_up = job->experiment->warm_up,
                                    .focused = job->focused,
                                    .knobs = job->entrant->knobs,
                                    .n_knobs = job->entrant->n_knobs};
    struct fg_replay_outcome outcome;
    enum fg_status st = fg_replay(&outcome, job->item, job->policy, &rules, err);
    if (st)
        return st;
    *(struct fg_run *)into = fg_run_of(&outcome, job->visits);
    fg_replay_outcome_clear(&outcome);
    return FG_OK;
}

static size_t count_sources(const void *site)
{
    return ((const struct fg_site *)site)->facts.sources;
}

static void free_site(void *site)
{
    fg_site_free(site);
}

/* --- scores of a group --- */

static struct fg_score score_site(const struct fg_findings *f, size_t site,
                                  size_t entrant)
{
    struct fg_mean means[FG_METRICS] = {0};
    struct fg_score score = {0};
    const struct fg_run *oracle = fg_discovery_oracle(f, site);
    for (size_t seed = 0; seed < f->entrants->seeds[entrant]; seed++) {
        const struct fg_run *run = fg_findings_run(f, site, entrant, seed);
        if (run)
            score = fg_run_score(run, oracle);
        for (size_t m = 0; run && m < FG_METRICS; m++)
            fg_mean_add(&means[m], score.at[m]);
    }
    for (size_t m = 0; m < FG_METRICS; m++)
        score.at[m] = fg_mean_of(&means[m]);
    return score;
}

/* One value a site. */
static double *scores_of(const struct fg_findings *f, size_t entrant, size_t metric)
{
    return (double *)f->cell + (entrant * FG_METRICS + metric) * f->items;
}

/* Everybody's scores on the group and budget at hand. */
static void measure(struct fg_findings *f)
{
    f->cell = FG_NEW(&f->scratch, double, f->entrants->n *FG_METRICS * f->items);
    for (size_t e = 0; e < f->entrants->n; e++)
        for (size_t s = 0; s < f->items; s++) {
            struct fg_score score = score_site(f, s, e);
            for (size_t m = 0; m < FG_METRICS; m++)
                scores_of(f, e, m)[s] = score.at[m];
        }
}

static size_t count_sites(const struct fg_findings *f, size_t entrant)
{
    (void)entrant;
    return f->items;
}

static struct fg_figure figure(struct fg_findings *f, size_t entrant, size_t metric)
{
    return fg_bootstrap_mean(fg_findings_boot(f, f->items),
                             scores_of(f, entrant, metric));
}

/* --- pairs --- */

static bool is_ratio(size_t metric)
{
    return metric == FG_COVERAGE || metric == FG_COVERAGE_ALL ||
           metric == FG_COVERAGE_LATE || metric == FG_FOUND || metric == FG_OVERHEAD ||
           metric == FG_OVERHEAD_NEW;
}

static bool compare(struct fg_findings *f, struct fg_pairing *pair, size_t a, size_t b)
{
    struct fg_bootstrap *boot = fg_findings_boot(f, f->items);
    const double *ours = scores_of(f, a, pair->metric);
    const double *theirs = scores_of(f, b, pair->metric);
    pair->is_ratio = is_ratio(pair->metric);
    pair->figure = pair->is_ratio ? fg_bootstrap_ratio(boot, ours, theirs)
                                  : fg_bootstrap_difference(boot, ours, theirs);
    pair->sites = f->items;
    for (size_t s = 0; s < f->items; s++)
        pair->wins += infos[pair->metric].less_is_better ? ours[s] < theirs[s]
                                                         : ours[s] > theirs[s];
    return true;
}

/* --- cells --- */

struct tally {
    struct fg_map seen; /* cells that another workload or budget counted */
    size_t cells, fewer;
    double worst; /* share of finds more, so negative */
    const char *worst_site;
    uint64_t worst_visits;
};

static void tally_group(const struct fg_findings *f, struct tally *tally,
                        const struct fg_comparison *c, size_t a, size_t b)
{
    const struct fg_group *group = &f->supply->groups.at[f->group];
    for (size_t s = 0; s < f->items; s++) {
        const struct fg_run *cell = fg_discovery_oracle(f, s);
        uint64_t *seen = cell ? fg_map_put(&tally->seen, (uintptr_t)cell) : NULL;
        double ours = scores_of(f, a, FG_FOUND)[s], theirs = scores_of(f, b, FG_FOUND)[s];
        if (!seen || *seen || !(theirs > 0) || isnan(ours))
            continue;
        *seen = 1;
        tally->cells++;
        double more = ours / theirs - 1;
        tally->fewer += more < -c->fewer;
        if (more < tally->worst) {
            tally->worst = more;
            tally->worst_site = f->supply->items.at[group->items[s]].name;
            tally->worst_visits = cell->visits_a_step;
        }
    }
}

static void count_cells(struct fg_findings *f, const struct fg_comparison *c,
                        const char *reference)
{
    struct tally tally = {0};
    size_t a = fg_entrants_named(f->entrants, c->policy);
    size_t b = fg_entrants_named(f->entrants, reference);
    const struct fg_budget *budgets;
    for (size_t g = 0; g < f->supply->groups.len; g++)
        for (size_t k = 0; k < fg_jobs_budgets(f->jobs, g, &budgets); k++) {
            fg_findings_enter(f, g, k);
            if (fg_findings_wants(f, a) && fg_findings_wants(f, b))
                tally_group(f, &tally, c, a, b);
        }
    const char *least = "; it finds fewer in none.";
    if (tally.worst_site)
        least = fg_arena_printf(f->arena, "; the least is %.2f %% on %s at %llu a step.",
                                100 * tally.worst, tally.worst_site,
                                (unsigned long long)tally.worst_visits)
                    .at;
    fg_findings_remark(f,
                       "%s against %s: %zu of %zu cells (a site and a number of visits) "
                       "have over %g %% fewer finds%s",
                       c->policy, reference, tally.fewer, tally.cells, 100 * c->fewer,
                       least);
    fg_map_clear(&tally.seen);
}

/* --- a group --- */

/* What a few days show may be a quiet weekend, or a busy one. */
static void warn_of_few_days(struct fg_findings *f)
{
    double least = FG_DAYS_ENOUGH;
    size_t few = 0, runs = 0;
    for (size_t s = 0; s < f->items; s++) {
        const struct fg_run *run = fg_discovery_oracle(f, s);
        double judged = run ? (double)run->steps - (double)f->experiment->warm_up : 0;
        double days = fmax(judged, 0) / 24;
        runs += run != NULL;
        few += run && days < FG_DAYS_ENOUGH;
        least = run ? fmin(least, days) : least;
    }
    if (few)
        fg_findings_remark(f,
                           "Figures of %s rest on few days: %zu of %zu %s judged over "
                           "less than %d days after the warm-up, the shortest over %.1f. "
                           "Other days may show another order.",
                           f->name, few, runs, runs == 1 ? "site is" : "sites are",
                           FG_DAYS_ENOUGH, least);
}

static void tell_group(struct fg_findings *f)
{
    fg_discovery_draw_budgets(f);
    warn_of_few_days(f);
}

static void tell_end(struct fg_findings *f)
{
    const struct fg_experiment *e = f->experiment;
    for (size_t i = 0; i < e->n_comparisons; i++)
        for (size_t j = 0;
             !isnan(e->comparisons[i].fewer) && j < e->comparisons[i].n_with; j++)
            count_cells(f, &e->comparisons[i], e->comparisons[i].with[j]);
}

/* --- the kind --- */

static const size_t compared[] = {FG_COVERAGE, FG_OVERHEAD, FG_HTD_P90, FG_REGRET};
static const char *const charts[] = {"coverage", "regret",  "delay", "choices",
                                     "arrivals", "budgets", NULL};

const struct fg_experiment_kind fg_experiment_replay = {
    .name = "replay",
    .task = FG_DISCOVERY,
    .reference = "oracle",
    .workload_keys = fg_workload_site_keys,
    .source = "a workload has one of generate, recording, data and store",
    .budget = "a budget is visits an hour, such as 5, or a share of the sources, such as "
              "10 %",
    .most_percent = 100,
    FG_COMPARED(compared),
    .charts = charts,
    .record = "recording",
    .records = "recordings",
    .add = fg_sites_add,
    .free_item = free_site,
    .size = count_sources,
    .runs.bytes = sizeof(struct fg_run),
    .runs.run = run,
    .metrics.info = infos,
    .metrics.n = FG_METRICS,
    .findings.measure = measure,
    .findings.count = count_sites,
    .findings.figure = figure,
    .findings.compare = compare,
    .findings.tell_cell = fg_discovery_draw,
    .findings.tell_group = tell_group,
    .findings.tell_end = tell_end,
};
