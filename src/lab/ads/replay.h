/* replay.h - a policy in a market, day after day
 *
 * Queries come in an order that is shuffled each day and is the same for every policy;
 * an ad shown is clicked with its true rate, at once. Ads may have lifetimes: one that
 * ends is revoked and the same submitted as a new one (6.8.3). A function of world,
 * policy, rules and seed. */
#ifndef FG_LAB_ADS_REPLAY_H
#define FG_LAB_ADS_REPLAY_H

#include "base/err.h"
#include "lab/ads/world.h"

struct fg_entrant;

struct fg_ads_run {
    double bound; /* a day, in hundredths */
    double days, first_day;
    double revenue[FG_ADS_DAYS_MOST]; /* by day, in hundredths */
    double clicks, displays, queries; /* of all days */
    double overspent; /* the most that anybody was charged beyond a day's budget */
};

/* Knobs are those of the entrant, which fg_ads_entrant_check has checked. */
void fg_ads_replay(struct fg_ads_run *run, struct fg_ads_world *world,
                   const struct fg_entrant *entrant, size_t shown, uint64_t seed);

/* Whether there is such a policy with such knobs. */
enum fg_status fg_ads_entrant_check(const struct fg_entrant *entrant, struct fg_err *err);

/* What the days that count earned, of the bound; NaN if there are none. */
double fg_ads_run_share(const struct fg_ads_run *run);

#endif
