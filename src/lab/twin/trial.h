/* trial.h - a policy tried on a site with a number of looks, and what it would have found
 *
 *     struct fg_trial_rules rules = {.policy = policy, .a_step = 0.7, .warm_up = 168};
 *     struct fg_trial trial;
 *     fg_trial_run(&trial, site, &rules, err);
 *
 * The looks are spread evenly over the steps; a part of one is kept until it is one. What
 * appears during the warm-up is not judged, nor is what appears so late that it cannot be
 * found within the longest of the levels. */
#ifndef FG_LAB_TWIN_TRIAL_H
#define FG_LAB_TWIN_TRIAL_H

#include "lab/replay.h"

enum { FG_TRIAL_LEVELS = 4 };

struct fg_trial_rules {
    const struct fg_policy *policy;
    const struct fg_knob *knobs;
    size_t n_knobs;
    double a_step; /* looks */
    size_t warm_up;
    uint64_t seed;
    fg_time level[FG_TRIAL_LEVELS]; /* found within; 0 ends them */
    /* Told of each look; NULL: nobody is. */
    void (*look)(void *context, size_t source, size_t step);
    void *context;
};

struct fg_trial {
    double there, found;            /* new links */
    double within[FG_TRIAL_LEVELS]; /* found within a level, as a share of `there` */
    double delay_p50, delay_p90;    /* hours, of those found; NaN: none was */
    double looks;
};

enum fg_status fg_trial_run(struct fg_trial *trial, const struct fg_site *site,
                            const struct fg_trial_rules *rules, struct fg_err *err);

/* What somebody had who found each target at that step, or FG_SITE_NO_STEP. */
void fg_trial_judge(struct fg_trial *trial, const struct fg_site *site,
                    const struct fg_trial_rules *rules, const uint32_t *found);

#endif
