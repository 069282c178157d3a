/* The chapter as an experiment: every site with every setting, for those of the policies
 * that the chapter runs so. */
#include "lab/thesis/thesis.h"

#include "base/memory.h"
#include "lab/thesis/snapshots.h"
#include "learn/jaccard.h"

#include <stdlib.h>
#include <string.h>

const size_t fg_thesis_budgets[FG_THESIS_BUDGETS] = {
    1,   2,   3,   5,   8,   10,  15,  20,   30,   40,   50,    60,      83,
    100, 150, 200, 300, 400, 500, 600, 1000, 2000, 5000, 10000, SIZE_MAX};
const size_t fg_thesis_table_budgets[FG_THESIS_TABLE_BUDGETS] = {1, 10, 100, 1000, 10000};

/* As the chapter runs them: shares of what was new, no look at pages of which nothing is
 * known, and the recrawls for free. The bandit learns from its own picks, so each of its
 * budgets is a run of its own. */
static const struct entrant {
    const char *policy;
    struct fg_knob knobs[3];
    size_t n_knobs;
    unsigned deltas;   /* bit d: with a recrawl every d weeks; bit 0: with none */
    const char *label; /* NULL: the policy */
} entrants[FG_THESIS_ENTRANTS] = {
    [FG_THESIS_CLIQ_WIN] = {"cliq-win", {{"share", 1}, {"every", 0}}, 2, 0x7e},
    [FG_THESIS_COV] = {"cov", {{"every", 0}}, 1, 0x7e},
    [FG_THESIS_OD_WIN] = {"od-win", {{"share", 1}, {"untried", 0}}, 2, 0x7e},
    [FG_THESIS_OD_1] = {"od-1", {{"share", 1}, {"untried", 0}}, 2, 0x7e},
    [FG_THESIS_OPTIMAL] = {"greedy", {{0}}, 0, 0x01},
    [FG_THESIS_OD_ALL] = {"od-all", {{"share", 1}, {"untried", 0}}, 2, 0x02},
    [FG_THESIS_CLIQ_1] = {"cliq-1", {{"share", 1}, {"every", 0}}, 2, 0x7e},
    [FG_THESIS_BANDIT] = {"od-bandit", {{0}}, 0, 0},
    [FG_THESIS_OD_FADING] = {"od-win",
                             {{"share", 1}, {"untried", 0}, {"alpha", 0.8}},
                             3,
                             0x7e,
                             "od-win, alpha .8"},
    [FG_THESIS_CLIQ_FADING] = {"cliq-win",
                               {{"share", 1}, {"every", 0}, {"alpha", 0.8}},
                               3,
                               0x7e,
                               "cliq-win, alpha .8"},
    [FG_THESIS_GITTINS] = {"od-bandit", {{"gittins", 1}}, 1, 0, "od-bandit, Gittins"},
};

/* --- planning --- */

static size_t setting_of(const struct fg_budget *budget)
{
    return (size_t)budget->value;
}

static bool wants(const struct fg_budget *budget, size_t entrant)
{
    size_t setting = setting_of(budget);
    if (setting >= FG_THESIS_SHARE)
        return entrant == FG_THESIS_OPTIMAL;
    if (setting >= FG_THESIS_ALONE)
        return entrant == FG_THESIS_BANDIT || entrant == FG_THESIS_GITTINS;
    return entrants[entrant].deltas >> setting & 1;
}

static void complete(struct fg_experiment *e, struct fg_arena *arena)
{
    e->n_entrants = FG_THESIS_ENTRANTS;
    e->entrants = FG_NEW(arena, struct fg_entrant, e->n_entrants);
    for (size_t i = 0; i < e->n_entrants; i++) {
        const struct entrant *like = &entrants[i];
        struct fg_knob *knobs = FG_NEW(arena, struct fg_knob, 3);
        memcpy(knobs, like->knobs, sizeof like->knobs);
        e->entrants[i] =
            (struct fg_entrant){.policy = like->policy,
                                .label = like->label ? like->label : like->policy,
                                .knobs = knobs,
                                .n_knobs = like->n_knobs,
                                .seeds = 1};
    }
    e->n_budgets = FG_THESIS_SETTINGS;
    e->budgets = FG_NEW(arena, struct fg_budget, e->n_budgets);
    for (size_t i = 0; i < e->n_budgets; i++)
        e->budgets[i] = (struct fg_budget){
            .text = fg_arena_printf(arena, "setting %zu", i).at, .value = (double)i};
    if (!e->n_workloads) {
        e->workloads = FG_NEW(arena, struct fg_workload, 1);
        e->workloads[0].seed = 1;
    }
    e->n_workloads = 1;
    e->workloads[0].n_budgets = e->workloads[0].n_policies = 0;
    if (!e->paper)
        e->paper = "Pandey's thesis, chapter 3; Dasgupta et al., WWW 2007";
}

struct spec {
    struct fg_snapshots_options options;
    size_t number;
};

static enum fg_status make_site(const struct fg_item *item, void **made,
                                struct fg_err *err)
{
    (void)err;
    const struct spec *spec = item->spec;
    struct fg_weekly_site *site = fg_zeroed(1, sizeof *site);
    fg_snapshots_make(site, &spec->options, spec->number);
    *made = site;
    return FG_OK;
}

static void free_site(void *site)
{
    fg_weekly_site_clear(site);
    free(site);
}

/* Sites are spread over sizes, so fewer of them are others, and not the first. */
static enum fg_status add_sites(struct fg_supply *supply,
                                const struct fg_workload *workload, size_t most,
                                struct fg_err *err)
{
    (void)err;
    struct fg_snapshots_options options = {
        .sites = most              ? most
                 : workload->sites ? workload->sites
                                   : FG_SNAPSHOT_SITES,
        .seed = workload->seed,
        .scale = workload->making.scale > 0 ? workload->making.scale : 1,
    };
    struct fg_group group = {.name = "weekly snapshots", .workload = workload};
    for (size_t i = 0; i < options.sites; i++) {
        struct spec *spec = FG_NEW(&supply->arena, struct spec, 1);
        *spec = (struct spec){options, i};
        uint64_t facts[] = {options.sites, options.seed, i, 0};
        memcpy(&facts[3], &options.scale, sizeof facts[3]);
        struct fg_item item = {.name = group.name,
                               .spec = spec,
                               .stamp = fg_stamp_mix(0, facts, sizeof facts),
                               .luck = options.seed - 1,
                               .make = make_site};
        fg_supply_put(supply, &group, 0, &item);
    }
    fg_vec_push_in(&supply->arena, &supply->groups, group);
    return FG_OK;
}

/* --- how pages overlap --- */

struct overlaps {
    double *bins;
    const double *pages; /* by set: how many have it */
};

static void note_overlap(void *context, size_t i, size_t j, double overlap)
{
    const struct overlaps *o = context;
    size_t bin = (size_t)(overlap * FG_THESIS_OVERLAPS);
    bin = bin < FG_THESIS_OVERLAPS ? bin : FG_THESIS_OVERLAPS - 1;
    o->bins[bin] += o->pages[i] * o->pages[j];
    o->bins[0] -= o->pages[i] * o->pages[j]; /* where all pairs of sets were put first */
}

static void count_overlaps(double *bins, const struct fg_week *week)
{
    double *pages = fg_zeroed(week->sets + 1, sizeof *pages);
    double all = (double)week->n_linking;
    for (size_t i = 0; i < week->n_linking; i++)
        pages[week->set_of[i]]++;
    double alike = 0;
    for (size_t s = 0; s < week->sets; s++)
        alike += pages[s] * (pages[s] - 1) / 2;
    bins[FG_THESIS_OVERLAPS - 1] += alike;
    bins[0] += all * (all - 1) / 2 - alike;
    fg_jaccard_pairs(&(struct fg_sets){week->sets, week->set_at, week->covered}, 1e-12,
                     note_overlap, &(struct overlaps){bins, pages});
    free(pages);
}

/* --- runs --- */

static void count(struct fg_thesis_run *run, const struct fg_weekly_site *site)
{
    run->pages = site->week[0]->n_old;
    for (size_t t = 0; t < site->weeks; t++) {
        const struct fg_week *week = site->week[t];
        run->there += week->there;
        run->direct += week->direct;
        run->weeks += week->there > 0;
        count_overlaps(run->overlaps, week);
    }
    fg_thesis_bounds(run, site);
}

static enum fg_status run(void *into, const struct fg_job *job, struct fg_err *err)
{
    struct fg_thesis_run *run = into;
    size_t setting = setting_of(job->budget), bound = SIZE_MAX;
    struct fg_knob rho = {"rho",
                          (double)(setting + 1 - FG_THESIS_SHARE) / FG_THESIS_SHARES};
    struct fg_weekly_rules rules = {.budgets = &bound,
                                    .n_budgets = 1,
                                    .seed = job->seed,
                                    .knobs = job->entrant->knobs,
                                    .n_knobs = job->entrant->n_knobs};
    *run = (struct fg_thesis_run){0};
    if (setting >= FG_THESIS_SHARE) {
        rules.knobs = &rho;
        rules.n_knobs = 1;
    } else if (setting >= FG_THESIS_ALONE) {
        bound = fg_thesis_table_budgets[setting - FG_THESIS_ALONE];
        rules.tells_picks = true;
    } else {
        rules.budgets = fg_thesis_budgets;
        rules.n_budgets = FG_THESIS_BUDGETS;
        rules.every = setting;
    }
    if (setting == 0)
        count(run, job->item);
    return fg_weekly_run(run->at, job->item, job->policy, &rules, err);
}

/* A figure is made of the sums over all sites and weeks, as the chapter says. */
static const struct fg_wording wording = {
    .figures = "Of all sites together",
    .interval = "95 % bootstrap interval",
    .unit = "site",
    .units = "sites",
    .pairs = "sites",
    .made = "95 %, bootstrap over sites, 1,000 resamples; one site has none",
};

/* The figures of the chapter are drawn whatever is asked for. */
static const char *const charts[] = {"coverage", "regret",   "delay",
                                     "choices",  "arrivals", NULL};

const struct fg_experiment_kind fg_experiment_cover = {
    .name = "cover",
    .task = FG_DISCOVERY,
    .workload_keys = fg_workload_site_keys,
    .source = "covers are of weekly snapshots: sites, seed and scale",
    .budget = "a budget is visits an hour, such as 5, or a share of the sources, such as "
              "10 %",
    .most_percent = 100,
    .charts = charts,
    .complete = complete,
    .add = add_sites,
    .free_item = free_site,
    .wants = wants,
    .runs.bytes = sizeof(struct fg_thesis_run),
    .runs.run = run,
    .wording = &wording,
    .metrics.info = fg_thesis_metrics,
    .metrics.n = FG_THESIS_METRICS,
    .findings.tell_end = fg_thesis_tell,
};
