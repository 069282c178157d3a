/* entrants.h - the policies of an experiment, looked up and their knobs checked
 *
 *     struct fg_entrants entrants;
 *     fg_entrants_find(&entrants, arena, experiment, FG_REFRESH, NULL, 0, err);
 *     run = &runs[entrants.slot[i] + seed];
 *
 * Everything lives in the arena. */
#ifndef FG_LAB_ENTRANTS_H
#define FG_LAB_ENTRANTS_H

#include "lab/experiment.h"
#include "policy/policy.h"

enum { FG_ENTRANTS_MOST = 64 };

struct fg_entrants {
    size_t n;
    struct fg_entrant *at;
    const struct fg_policy **policies;
    size_t *seeds; /* how many runs each has; a policy without chance has one */
    size_t *slot;  /* where its runs begin, among `slots` of them */
    size_t slots;
};

/* Those of the experiment, and behind them `also` unless it is NULL or among them.
 * `seeds` overrides what the experiment says, if it is not 0. */
enum fg_status fg_entrants_find(struct fg_entrants *entrants, struct fg_arena *arena,
                                const struct fg_experiment *experiment, enum fg_task task,
                                const char *also, size_t seeds, struct fg_err *err);

/* By label; experiment.c has checked that it is there. */
size_t fg_entrants_named(const struct fg_entrants *entrants, const char *label);

/* Whether a label is among those that a list names. */
bool fg_label_is_in(const char *const *labels, size_t n, const char *label);

/* A bit for each entrant that the workload wants: all, if it does not say. */
uint64_t fg_entrants_wanted(const struct fg_entrants *entrants,
                            const struct fg_workload *workload);

#endif
