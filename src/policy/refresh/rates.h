/* rates.h - how often a page changes, is clicked, is shown: as far as one may know
 *
 * What was told of a page comes first (fg_world_told: from the last 30 days, or as a
 * model predicts). Where nothing was told, changes come from the policy's own visits,
 * with half a visit that found a change and half a one that did not added to them, and
 * clicks and impressions are the page's weight: as it is where nothing is told of any
 * page, otherwise times the mean of what is told of others. A page with no pair of visits
 * is taken to change as all others do together.
 *
 * A policy that uses these has FG_RATES_PARAMS as its first knobs. If it asks for changes
 * it has FG_RATES_OWN_PARAM after them, FG_RATES_COLUMNS as its first columns and a
 * struct fg_rates_of_all at the beginning of its self, and hands on every visit. */
#ifndef FG_POLICY_REFRESH_RATES_H
#define FG_POLICY_REFRESH_RATES_H

#include "policy/policy.h"

enum { FG_RATES_MODEL, FG_RATES_COUNT, FG_RATES_SMOOTH, FG_RATES_KNOBS };
#define FG_RATES_PARAMS                                                              \
    [FG_RATES_MODEL] = {"model", 1, 0, 1,                                            \
                        "told rates to use: 1 as predicted, 0 of the last 30 days"}, \
    [FG_RATES_COUNT] = {"count", 0, 0, 1,                                            \
                        "1: events expected in a day; 0: the chance of any in it"},  \
    [FG_RATES_SMOOTH] = {"smooth", 0, 0, 100,                                        \
                         "events added to the last 30 days of a page, against zeros"}

enum { FG_RATES_OWN = FG_RATES_KNOBS, FG_RATES_CHANGE_KNOBS };
#define FG_RATES_OWN_PARAM \
    [FG_RATES_OWN] = {"own", 0, 0, 1, "1: changes from own visits, whatever is told"}

enum {
    FG_RATES_VISITS,
    FG_RATES_CHANGES,
    FG_RATES_CHANGED_DAYS,
    FG_RATES_UNCHANGED_DAYS,
    FG_RATES_SEEN,
    FG_RATES_COLUMNS_USED
};
#define FG_RATES_COLUMNS                                                              \
    [FG_RATES_VISITS] = {"visits", FG_F32}, [FG_RATES_CHANGES] = {"changes", FG_F32}, \
    [FG_RATES_CHANGED_DAYS] = {"changed-days", FG_F32},                               \
    [FG_RATES_UNCHANGED_DAYS] = {"unchanged-days", FG_F32},                           \
    [FG_RATES_SEEN] = {"seen-rate", FG_F32} /* from those above; 0 before that */

/* All visits together; what they say of a page that has none. */
struct fg_rates_of_all {
    double visits, changes, changed_days, unchanged_days, rate;
};

void fg_rates_observe(struct fg_brain *brain, const struct fg_visit *visit);

/* Of n pages from `first` on: changes expected in so many days; the chance of any. */
void fg_rates_changes(const struct fg_brain *brain, double days, size_t first, size_t n,
                      float *out);
void fg_rates_change_chances(const struct fg_brain *brain, double days, size_t first,
                             size_t n, float *out);

/* Clicks or impressions (the history's kind says which): in a day, or the chance of any,
 * as the knob has it; weights where nothing was told. */
void fg_rates_interest(const struct fg_brain *brain, enum fg_told_rate history,
                       size_t first, size_t n, float *out);

/* Turn numbers expected into chances of any, 1 - exp(-x), in place; none negative. To
 * 3e-7 of themselves. */
void fg_rates_to_chances(float *x, size_t n);

/* What there is to say about how often a page changes; the score is for the policy. */
void fg_rates_explain(const struct fg_brain *brain, size_t page,
                      struct fg_reason *reason);

/* A rate that is believed to be gamma distributed: its mean and its 95 % interval. */
void fg_rates_believe(struct fg_reason *reason, double mean, double shape);

#endif
