#include "lab/twin/estimate.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void fg_twins_make(struct fg_twins *twins, const struct fg_looked *looked, fg_time step,
                   uint64_t seed)
{
    twins->seed = seed;
    for (size_t i = 0; i < FG_TWIN_DRAWS; i++) {
        struct fg_twin_rules rules = {.step = step, .seed = seed + i};
        twins->without[i] = fg_twin_new(looked, &rules);
        rules.has_ghosts = true;
        twins->with[i] = fg_twin_new(looked, &rules);
    }
}

void fg_twins_clear(struct fg_twins *twins)
{
    for (size_t i = 0; i < FG_TWIN_DRAWS; i++) {
        fg_site_free(twins->with[i]);
        fg_site_free(twins->without[i]);
        twins->with[i] = twins->without[i] = NULL;
    }
}

/* Those that are no number on one of them are none. */
static void add(struct fg_trial *sum, const struct fg_trial *trial)
{
    sum->there += trial->there / FG_TWIN_DRAWS;
    sum->found += trial->found / FG_TWIN_DRAWS;
    sum->looks += trial->looks / FG_TWIN_DRAWS;
    sum->delay_p50 += trial->delay_p50 / FG_TWIN_DRAWS;
    sum->delay_p90 += trial->delay_p90 / FG_TWIN_DRAWS;
    for (size_t i = 0; i < FG_TRIAL_LEVELS; i++)
        sum->within[i] += trial->within[i] / FG_TWIN_DRAWS;
}

static enum fg_status try_all(struct fg_trial *sum, struct fg_site *const *sites,
                              const struct fg_trial_rules *rules, uint64_t seed,
                              struct fg_err *err)
{
    *sum = (struct fg_trial){0};
    for (size_t i = 0; i < FG_TWIN_DRAWS; i++) {
        struct fg_trial_rules own = *rules;
        struct fg_trial trial;
        own.seed = seed + i;
        enum fg_status st = fg_trial_run(&trial, sites[i], &own, err);
        if (st)
            return st;
        add(sum, &trial);
    }
    return FG_OK;
}

static struct fg_range range_of(double with, double without, double slack)
{
    double ghosts = fabs(with - without);
    return (struct fg_range){with, fmax(with - ghosts - slack, 0), with + ghosts + slack};
}

enum fg_status fg_twins_try(struct fg_estimate *estimate, const struct fg_twins *twins,
                            const struct fg_trial_rules *rules, struct fg_err *err)
{
    static const double slack = 0.015;
    struct fg_trial without;
    struct fg_trial *with = &estimate->trial;
    enum fg_status st = try_all(with, twins->with, rules, twins->seed, err);
    if (!st)
        st = try_all(&without, twins->without, rules, twins->seed, err);
    if (st)
        return st;
    estimate->found = range_of(with->found, without.found, slack * with->found);
    for (size_t i = 0; i < FG_TRIAL_LEVELS; i++)
        estimate->within[i] = fg_share_range(with->within[i]);
    return FG_OK;
}

void fg_twins_past(struct fg_estimate *estimate, const struct fg_twins *twins,
                   const struct fg_looked *looked, const struct fg_trial_rules *rules)
{
    *estimate = (struct fg_estimate){.trial = {0}};
    for (size_t i = 0; i < FG_TWIN_DRAWS; i++) {
        const struct fg_site *site = twins->with[i];
        struct fg_trial trial = {.looks = (double)fg_looked_count(looked)};
        uint32_t *found = fg_zeroed(site->targets + 1, sizeof *found);
        memset(found, 0xff, site->targets * sizeof *found);
        for (size_t k = 0; k < looked->sights.len; k++) {
            const struct fg_sight *sight = &looked->sights.at[k];
            fg_time since = sight->first - looked->from + site->facts.step - 1;
            uint32_t step = (uint32_t)(since / site->facts.step);
            if (sight->target < site->targets && step < found[sight->target] &&
                site->appeared[sight->target] != FG_SITE_NO_STEP)
                found[sight->target] = step > site->appeared[sight->target]
                                           ? step
                                           : site->appeared[sight->target];
        }
        fg_trial_judge(&trial, site, rules, found);
        add(&estimate->trial, &trial);
        free(found);
    }
    estimate->found.mean = estimate->trial.found;
    estimate->found.low = estimate->found.high = NAN;
}

struct fg_range fg_share_range(double share)
{
    double slack = 0.02 + 0.4 * (1 - share);
    return (struct fg_range){share, fmax(share - slack, 0), fmin(share + slack, 1)};
}

/* --- what a level takes --- */

static enum fg_status share_at(double *share, double a_step,
                               const struct fg_site *const *sites, size_t n,
                               const struct fg_trial_rules *rules, struct fg_err *err)
{
    *share = 0;
    for (size_t i = 0; i < n; i++) {
        struct fg_trial_rules own = *rules;
        struct fg_trial trial;
        own.a_step = a_step;
        own.seed = rules->seed + i;
        enum fg_status st = fg_trial_run(&trial, sites[i], &own, err);
        if (st)
            return st;
        *share += trial.within[0] / (double)n;
    }
    return FG_OK;
}

enum fg_status fg_trial_need(double *a_step, const struct fg_site *const *sites, size_t n,
                             const struct fg_trial_rules *rules, double share,
                             double least, double most, struct fg_err *err)
{
    enum { HALVINGS = 7 };
    double low = least, high = most, here;
    enum fg_status st = share_at(&here, most, sites, n, rules, err);
    *a_step = INFINITY;
    if (st || !(here >= share))
        return st;
    for (unsigned i = 0; !st && i < HALVINGS; i++) {
        double mid = sqrt(low * high);
        st = share_at(&here, mid, sites, n, rules, err);
        if (here >= share)
            high = mid;
        else
            low = mid;
    }
    *a_step = high;
    return st;
}

enum fg_status fg_twins_need(double *a_step, const struct fg_twins *twins,
                             const struct fg_trial_rules *rules, double share,
                             double least, double most, struct fg_err *err)
{
    const struct fg_site *sites[FG_TWIN_DRAWS];
    for (size_t i = 0; i < FG_TWIN_DRAWS; i++)
        sites[i] = twins->with[i];
    return fg_trial_need(a_step, sites, FG_TWIN_DRAWS, rules, share, least, most, err);
}
