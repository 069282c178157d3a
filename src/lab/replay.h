/* replay.h - a policy on a site that is already known, told only what it would have seen
 *
 *     struct fg_replay_rules rules = {.budget = 5, .seed = 1, .warm_up = 168};
 *     struct fg_replay_outcome outcome;
 *     fg_replay(&outcome, site, policy, &rules, err);
 *     ...
 *     fg_replay_outcome_clear(&outcome);
 *
 * At every step the policy picks sources; each is shown to it as it was at that step,
 * with what had come and gone since the policy's own last visit. What it did not visit it
 * does not see. The policy is run by the same frame as in life (policy/mind.h).
 *
 * A replay is a function of site, policy and rules: it may run on any thread. */
#ifndef FG_LAB_REPLAY_H
#define FG_LAB_REPLAY_H

#include "base/err.h"
#include "lab/site.h"
#include "policy/policy.h"

struct fg_knob {
    const char *name;
    double value;
};

struct fg_mind;
enum fg_status fg_knobs_set(struct fg_mind *mind, const struct fg_knob *knobs, size_t n,
                            struct fg_err *err);

struct fg_replay_rules {
    size_t budget;  /* visits a step */
    uint64_t seed;  /* of the policy's random stream */
    size_t warm_up; /* steps at the start that are not judged */
    bool focused;   /* only relevant targets count, and the policy knows it */
    const struct fg_knob *knobs;
    size_t n_knobs;
};

/* What came of it, counted. The scores made of this are in lab/discovery/run.h. */
struct fg_replay_outcome {
    size_t steps, sources;
    uint64_t there;               /* targets there were to be found at all */
    uint64_t there_late;          /* ... that appeared after the warm-up */
    uint64_t found;               /* of those there were */
    uint64_t found_late;          /* found after the warm-up, whenever they appeared */
    uint64_t found_fresh;         /* appeared after the warm-up, and found */
    uint64_t visits, visits_late; /* spent in all, and after the warm-up */
    uint64_t failed;              /* visits that told nothing */
    uint64_t shown;               /* link observations shown to the policy */
    uint32_t *found_by;           /* by step: targets found up to and with it */
    uint32_t *there_by;           /* by step: targets there were up to and with it */
    uint32_t *arrived;   /* by step: targets that appeared, whether they count or not */
    uint32_t *delay;     /* by steps waited: how many of found_fresh waited so long */
    uint32_t *visits_of; /* by source */
};

enum fg_status fg_replay(struct fg_replay_outcome *outcome, const struct fg_site *site,
                         const struct fg_policy *policy,
                         const struct fg_replay_rules *rules, struct fg_err *err);
void fg_replay_outcome_clear(struct fg_replay_outcome *outcome);

/* The same step by step, for those who decide themselves which sources are looked at:
 *
 *     fg_replay_open(&replaying, &outcome, site, policy, &rules, err);
 *     for each step: fg_replay_pass(replaying, step);
 *                    ...choose from fg_replay_mind(replaying)...
 *                    fg_replay_look(replaying, source);
 *     fg_replay_close(replaying);
 *
 * Site and rules must outlive it; the outcome's `found` and `found_by` are not filled in.
 */
struct fg_replaying;
enum fg_status fg_replay_open(struct fg_replaying **replaying,
                              struct fg_replay_outcome *outcome,
                              const struct fg_site *site, const struct fg_policy *policy,
                              const struct fg_replay_rules *rules, struct fg_err *err);
void fg_replay_close(struct fg_replaying *replaying);
struct fg_mind *fg_replay_mind(struct fg_replaying *replaying);
void fg_replay_pass(struct fg_replaying *replaying, size_t step);
void fg_replay_look(struct fg_replaying *replaying, size_t source);
/* What the last look was the first to show; until the next. */
size_t fg_replay_fresh(const struct fg_replaying *replaying, const uint64_t **targets);
/* By target: the step at which it was found, or FG_SITE_NO_STEP. */
const uint32_t *fg_replay_found(const struct fg_replaying *replaying);

#endif
