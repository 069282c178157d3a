/* replay.h - a refresh policy on pages whose every change is known
 *
 *     struct fg_refresh_rules rules = {.budget = 0.1, .is_share = true, .seed = 1};
 *     struct fg_refresh_outcome outcome;
 *     fg_refresh_replay(&outcome, timeline, policy, &rules, err);
 *     double fresh = 1 - fg_refresh_stale(&outcome, timeline->weight);
 *     fg_refresh_outcome_clear(&outcome);
 *
 * At every step the policy picks pages; a visit tells it whether the page's value differs
 * from the copy's, and renews the copy. Then what changes in the step changes, at its
 * exact time. As in life, a page's very first visit tells `changed`, with no visit before
 * it (fg_visit.previous is FG_NEVER). If the timeline says so, that first visit is free
 * and made when the page is first there.
 *
 * A copy is stale while its value is not the page's, and a page without a copy is stale.
 * Its age is the time since it became so, 0 while it is fresh. Both are integrated
 * exactly, by page over the judged time and by day. Clicks weigh the days if the timeline
 * has any, otherwise the pages' weights do.
 *
 * True rates are there for a policy with a knob for it, such as the paper's that assume
 * them known; which copies are stale sees only one that needs foresight.
 *
 * A replay is a function of timeline, policy and rules: it may run on any thread. A step
 * costs what happens in it, a day a pass over the pages. */
#ifndef FG_LAB_REFRESH_REPLAY_H
#define FG_LAB_REFRESH_REPLAY_H

#include "base/err.h"
#include "lab/refresh/timeline.h"
#include "policy/policy.h"

struct fg_knob; /* lab/replay.h */

struct fg_refresh_rules {
    double budget; /* visits a step, or visits a day for each page there is */
    bool is_share; /* the latter; fractions of a visit are carried over to later steps */
    uint64_t seed; /* of the policy's random stream */
    bool wants_regret;
    const struct fg_knob *knobs;
    size_t n_knobs;
};

/* A whole day of the judged time. */
struct fg_refresh_day {
    double weight, stale; /* clicks, or weight times days: in all, and on stale copies */
    double age;           /* of each of the former times the age of the copy in days */
    size_t there, fresh;  /* pages at its end, and copies that are fresh then */
};

struct fg_refresh_outcome {
    size_t pages, steps;
    size_t judged_step; /* the first that is judged; below, "late" is from there on */
    uint64_t visits, visits_late, found, found_late; /* found: changed */
    double reward_late;                              /* weight of pages found changed */
    float *reward;                                   /* by step */
    fg_time *there;      /* by page, late: how long it was there ... */
    fg_time *stale;      /* ... and its copy stale */
    double *age;         /* ... and the integral of the copy's age, in days squared */
    uint32_t *visits_of; /* by page, late; the free ones do not count */
    struct fg_refresh_day *days;
    size_t first_day, n_days;
    /* Of a policy that has arms and tells their rates, if the rules ask for it: by step,
     * the reward of equation (2) that each would have had, by step * n_arms, and the mean
     * of them under the chances they had. */
    float *arm_rewards, *drawn_reward;
    /* Of a policy that has arms: their names, and their chances by step * n_arms. */
    const char *arm_names[FG_ARMS_MAX];
    float *arm_chances;
    size_t n_arms;
};

enum fg_status fg_refresh_replay(struct fg_refresh_outcome *outcome,
                                 const struct fg_timeline *timeline,
                                 const struct fg_policy *policy,
                                 const struct fg_refresh_rules *rules,
                                 struct fg_err *err);
void fg_refresh_outcome_clear(struct fg_refresh_outcome *outcome);

/* The same step by step, for those who decide themselves which pages are visited: pass
 * the time up to each step, visit rows of the mind, and finish. Timeline and rules must
 * outlive it; visits and rewards of the outcome are not counted. */
struct fg_refreshing;
enum fg_status fg_refresh_open(struct fg_refreshing **refreshing,
                               struct fg_refresh_outcome *outcome,
                               const struct fg_timeline *timeline,
                               const struct fg_policy *policy,
                               const struct fg_refresh_rules *rules, struct fg_err *err);
void fg_refresh_close(struct fg_refreshing *refreshing);
struct fg_mind *fg_refresh_mind(struct fg_refreshing *refreshing);
void fg_refresh_pass(struct fg_refreshing *refreshing, fg_time now);
void fg_refresh_visit(struct fg_refreshing *refreshing, size_t row, fg_time now);
void fg_refresh_finish(struct fg_refreshing *refreshing);

/* Over the judged time: the share of weighted page-time that copies were stale, and their
 * mean age in days. NULL weighs all pages alike. NaN if no page was there. */
double fg_refresh_stale(const struct fg_refresh_outcome *outcome, const float *weight);
double fg_refresh_age(const struct fg_refresh_outcome *outcome, const float *weight);
/* The mean age that a click meets, over the judged days; NaN without clicks. */
double fg_refresh_age_of_clicks(const struct fg_refresh_outcome *outcome);

#endif
