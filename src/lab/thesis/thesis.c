#include "lab/thesis/thesis.h"

#include "base/memory.h"

#include "learn/jaccard.h"

#include <stdlib.h>

const size_t fg_thesis_budgets[FG_THESIS_BUDGETS] = {
    1,   2,   3,   5,   8,   10,  15,  20,   30,   40,   50,    60,      83,
    100, 150, 200, 300, 400, 500, 600, 1000, 2000, 5000, 10000, SIZE_MAX};

/* As the chapter runs them: shares of what was new, no look at pages of which nothing is
 * known, and the recrawls for free. */
static const struct entrant {
    const char *policy;
    struct fg_knob knobs[2];
    size_t n_knobs;
    unsigned deltas; /* bit d: with a recrawl every d weeks; bit 0: with none */
} entrants[FG_THESIS_ENTRANTS] = {
    [FG_THESIS_CLIQ_WIN] = {"cliq-win", {{"share", 1}, {"every", 0}}, 2, 0x7e},
    [FG_THESIS_COV] = {"cov", {{"every", 0}}, 1, 0x7e},
    [FG_THESIS_OD_WIN] = {"od-win", {{"share", 1}, {"untried", 0}}, 2, 0x7e},
    [FG_THESIS_OD_1] = {"od-1", {{"share", 1}, {"untried", 0}}, 2, 0x7e},
    [FG_THESIS_OPTIMAL] = {"greedy", {{0}}, 0, 0x01},
    [FG_THESIS_OD_ALL] = {"od-all", {{"share", 1}, {"untried", 0}}, 2, 0x02},
    [FG_THESIS_CLIQ_1] = {"cliq-1", {{"share", 1}, {"every", 0}}, 2, 0x7e},
    [FG_THESIS_BANDIT] = {"od-bandit", {{0}}, 0, 0x01},
};

static enum fg_status run(struct fg_weekly_tally *tallies,
                          const struct fg_weekly_site *site,
                          const struct entrant *entrant,
                          const struct fg_weekly_rules *rules, struct fg_err *err)
{
    const struct fg_policy *policy =
        fg_policy_find(fg_str_from(entrant->policy), FG_DISCOVERY);
    if (!policy)
        return fg_fail(err, FG_EINPUT, "there is no policy '%s'", entrant->policy);
    return fg_weekly_run(tallies, site, policy, rules, err);
}

/* The bandit learns from its own picks, so each budget is a run of its own: those of the
 * table. */
static enum fg_status run_bandit(struct fg_thesis *thesis, struct fg_thesis_site *out,
                                 const struct fg_weekly_site *site, uint64_t seed,
                                 struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t b = 0; !st && b < FG_THESIS_BUDGETS; b++) {
        size_t k = fg_thesis_budgets[b];
        if (k != 1 && k != 10 && k != 100 && k != 1000 && k != 10000)
            continue;
        struct fg_weekly_rules rules = {
            .budgets = &k, .n_budgets = 1, .tells_picks = true, .seed = seed};
        st = run(&out->at[FG_THESIS_BANDIT][0][b], site, &entrants[FG_THESIS_BANDIT],
                 &rules, err);
        thesis->runs++;
    }
    return st;
}

static enum fg_status run_entrant(struct fg_thesis *thesis, struct fg_thesis_site *out,
                                  const struct fg_weekly_site *site, size_t e,
                                  uint64_t seed, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    const struct entrant *entrant = &entrants[e];
    for (size_t delta = 0; !st && delta <= FG_THESIS_DELTAS; delta++) {
        if (!(entrant->deltas >> delta & 1))
            continue;
        struct fg_weekly_rules rules = {.budgets = fg_thesis_budgets,
                                        .n_budgets = FG_THESIS_BUDGETS,
                                        .every = delta,
                                        .seed = seed,
                                        .knobs = entrant->knobs,
                                        .n_knobs = entrant->n_knobs};
        st = run(out->at[e][delta ? delta - 1 : 0], site, entrant, &rules, err);
        thesis->runs++;
    }
    return st;
}

static enum fg_status run_shares(struct fg_thesis *thesis, struct fg_thesis_site *out,
                                 const struct fg_weekly_site *site, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    const size_t all = SIZE_MAX;
    for (size_t i = 0; !st && i < FG_THESIS_SHARES; i++) {
        const struct fg_knob rho = {"rho", (double)(i + 1) / FG_THESIS_SHARES};
        struct fg_weekly_rules rules = {
            .budgets = &all, .n_budgets = 1, .knobs = &rho, .n_knobs = 1};
        st = run(&out->share[i], site, &entrants[FG_THESIS_OPTIMAL], &rules, err);
        thesis->runs++;
    }
    return st;
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
    double *pages = calloc(week->sets + 1, sizeof *pages), all = (double)week->n_linking;
    if (!pages)
        fg_out_of_memory();
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

/* --- the whole --- */

static void count(struct fg_thesis_site *out, const struct fg_weekly_site *site)
{
    out->pages = site->week[0]->n_old;
    for (size_t t = 0; t < site->weeks; t++) {
        const struct fg_week *week = site->week[t];
        out->fresh += week->n_new;
        out->there += week->there;
        out->direct += week->direct;
        out->weeks += week->there > 0;
        count_overlaps(out->overlaps, week);
    }
}

static enum fg_status measure(struct fg_thesis *thesis, size_t i,
                              const struct fg_snapshots_options *options,
                              struct fg_err *err)
{
    struct fg_weekly_site site;
    struct fg_thesis_site *out = &thesis->sites[i];
    enum fg_status st = FG_OK;
    fg_snapshots_make(&site, options, i);
    count(out, &site);
    for (size_t e = 0; !st && e < FG_THESIS_ENTRANTS; e++)
        st = e == FG_THESIS_BANDIT
                 ? run_bandit(thesis, out, &site, options->seed, err)
                 : run_entrant(thesis, out, &site, e, options->seed, err);
    if (!st)
        st = run_shares(thesis, out, &site, err);
    fg_weekly_site_clear(&site);
    return st;
}

enum fg_status fg_thesis_experiment(struct fg_result *result,
                                    const struct fg_thesis_options *options,
                                    struct fg_err *err)
{
    struct fg_snapshots_options made = {
        .sites = options->sites ? options->sites : FG_SNAPSHOT_SITES,
        .seed = options->seed,
        .scale = options->scale > 0 ? options->scale : 1,
    };
    struct fg_thesis thesis = {.n_sites = made.sites};
    thesis.sites = fg_zeroed(made.sites, sizeof *thesis.sites);
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < made.sites; i++) {
        st = measure(&thesis, i, &made, err);
        double done = (double)(i + 1) / (double)made.sites;
        if (!st && options->progress && !options->progress(options->context, done))
            st = fg_fail(err, FG_EINPUT, "the experiment was stopped");
    }
    if (!st)
        fg_thesis_tell(result, &thesis);
    free(thesis.sites);
    return st;
}
