/* estimate.h - what another policy, or another number of looks, would have found
 *
 *     struct fg_twins twins;
 *     fg_twins_make(&twins, &looked, step, seed);
 *     struct fg_estimate estimate;
 *     fg_twins_try(&estimate, &twins, &rules, err);
 *     fg_twins_clear(&twins);
 *
 * Two twins with ghosts, of which the mean is what is said, and two without: what the
 * ghosts make of it is what the log cannot tell, and the interval goes as far to either
 * side. */
#ifndef FG_LAB_TWIN_ESTIMATE_H
#define FG_LAB_TWIN_ESTIMATE_H

#include "lab/twin/trial.h"
#include "lab/twin/twin.h"

enum { FG_TWIN_DRAWS = 2 };

struct fg_twins {
    struct fg_site *with[FG_TWIN_DRAWS], *without[FG_TWIN_DRAWS];
    uint64_t seed;
};

struct fg_range {
    double mean, low, high;
};

struct fg_estimate {
    struct fg_trial trial;                   /* mean of the twins with ghosts */
    struct fg_range found;                   /* new links */
    struct fg_range within[FG_TRIAL_LEVELS]; /* shares of what there was */
};

void fg_twins_make(struct fg_twins *twins, const struct fg_looked *looked, fg_time step,
                   uint64_t seed);
void fg_twins_clear(struct fg_twins *twins);

/* The seed of the rules is not heeded. */
enum fg_status fg_twins_try(struct fg_estimate *estimate, const struct fg_twins *twins,
                            const struct fg_trial_rules *rules, struct fg_err *err);

/* What the crawl itself found, against what the twins say there was; its intervals are
 * not filled in. */
void fg_twins_past(struct fg_estimate *estimate, const struct fg_twins *twins,
                   const struct fg_looked *looked, const struct fg_trial_rules *rules);

/* The fewest looks a step with which that share is found within the first level, between
 * `least` and `most`; more than `most` if that is not enough. */
enum fg_status fg_twins_need(double *a_step, const struct fg_twins *twins,
                             const struct fg_trial_rules *rules, double share,
                             double least, double most, struct fg_err *err);
/* The same on a site that is known. */
enum fg_status fg_trial_need(double *a_step, const struct fg_site *const *sites, size_t n,
                             const struct fg_trial_rules *rules, double share,
                             double least, double most, struct fg_err *err);

/* A share that is foreseen for other weeks. */
struct fg_range fg_share_range(double share);

#endif
