/* timetable.h - what `sbr` and `ebr` share: rates of change that shingles tell, the best
 * frequencies for them, and a week's picks that keep a hard budget
 *
 * A change counts when more than a share tau of the shingles differ. Of a page with x
 * counted changes in n visits, I ticks apart on average, the rate is estimated as
 *
 *     lambda = -ln((n - x + 1/2)/(n + 1)) / I
 *
 * one pseudo-visit with half a change: the published n + 1/2 (Cho and Garcia-Molina)
 * gives 0 for x = 0, and pages of rate 0 are never fetched again. Frequencies maximise
 * the sum of w F(lambda, f) for periodic fetches under the budget (learn/lambda.h), and
 * are solved again every four weeks.
 *
 * A frequency is no timetable. With known rates the j-th fetch of a page has its ideal
 * time (phase + j)/f, and each tick takes the fetches of earliest ideal time: all slots
 * cost the same and costs are convex in the displacement, so filling slots in the order
 * of ideal times solves the transportation problem. With learned rates f changes, and the
 * most overdue come first: largest f times age.
 *
 * A policy that uses this has FG_TIMETABLE_COLUMNS as its first columns, the knobs of
 * FG_TIMETABLE_PARAMS as its first and struct fg_timetable as its self. */
#ifndef FG_POLICY_REFRESH_TIMETABLE_H
#define FG_POLICY_REFRESH_TIMETABLE_H

#include "learn/lambda.h"
#include "policy/policy.h"

enum {
    FG_TIMETABLE_VISITS,
    FG_TIMETABLE_CHANGES,
    FG_TIMETABLE_TICKS,
    FG_TIMETABLE_RATE,
    FG_TIMETABLE_WEIGHT,
    FG_TIMETABLE_FREQUENCY,
    FG_TIMETABLE_DONE,
    FG_TIMETABLE_COLUMNS_USED
};
#define FG_TIMETABLE_COLUMNS                             \
    [FG_TIMETABLE_VISITS] = {"visits", FG_U32, 0},       \
    [FG_TIMETABLE_CHANGES] = {"changes", FG_U32, 0},     \
    [FG_TIMETABLE_TICKS] = {"ticks", FG_F32, 0},         \
    [FG_TIMETABLE_RATE] = {"rate", FG_F32, 0},           \
    [FG_TIMETABLE_WEIGHT] = {"weight", FG_F32, 0},       \
    [FG_TIMETABLE_FREQUENCY] = {"frequency", FG_F32, 0}, \
    [FG_TIMETABLE_DONE] = {"done", FG_U32, 0}

enum {
    FG_TIMETABLE_TAU,
    FG_TIMETABLE_KNOWN,
    FG_TIMETABLE_PSEUDO,
    FG_TIMETABLE_PARAMS_USED
};
#define FG_TIMETABLE_PARAMS                                                           \
    [FG_TIMETABLE_TAU] = {"tau", 0.5, 0, 1,                                           \
                          "share of shingles that must differ; 0: any difference"},   \
    [FG_TIMETABLE_KNOWN] = {"known", 0, 0, 1,                                         \
                            "1: rates from the whole history, where the lab has it"}, \
    [FG_TIMETABLE_PSEUDO] = {"pseudo", 1, 0.5, 1,                                     \
                             "visits added to those made; 0.5: as published"}

struct fg_timetable {
    fg_time solved;    /* when frequencies were; FG_NEVER at first */
    uint8_t is_solved; /* no bool: any byte may be read back */
    size_t pages;      /* ... for so many */
    double price;
};

bool fg_timetable_knows(const struct fg_brain *brain);
/* What the lab knows of a page, in life 0. */
double fg_timetable_known(const struct fg_brain *brain, size_t page,
                          enum fg_foreknown what, double tau);

/* A visit with a change that counts, or none. False: it tells nothing of rates. */
bool fg_timetable_observe(struct fg_brain *brain, const struct fg_visit *visit,
                          bool counts);
/* Columns of rates, by visits; of pages without any the mean of the others. */
void fg_timetable_rates(struct fg_brain *brain);
/* Frequencies, if it is time for them; before that `weigh` is to fill the columns of
 * rates and weights. Then the picks. */
size_t fg_timetable_choose(struct fg_brain *brain, fg_time now, size_t budget,
                           struct fg_pick *out, void (*weigh)(struct fg_brain *));

void fg_timetable_explain(struct fg_brain *brain, fg_time now, size_t page,
                          struct fg_reason *reason);

#endif
