/* trials.h - the replays of an experiment about refreshing, on all cores
 *
 *     struct fg_trials *trials;
 *     fg_trials_new(&trials, &experiment, &options, err);
 *     fg_trials_run(trials, err);
 *     struct fg_result *result = fg_trials_result(trials);
 *     fg_trials_free(trials);
 *
 * A trial is a timeline, a budget, a policy and a seed. It goes as with jobs.h: the same
 * results on any number of threads, timelines made when needed and dropped after their
 * last trial, finished trials kept in a journal until all is done. */
#ifndef FG_LAB_REFRESH_TRIALS_H
#define FG_LAB_REFRESH_TRIALS_H

#include "lab/entrants.h"
#include "lab/jobs.h"
#include "lab/refresh/digest.h"
#include "lab/refresh/stock.h"

struct fg_trials;

/* Plans the trials; nothing is run yet. The experiment must outlive them. */
enum fg_status fg_trials_new(struct fg_trials **trials,
                             const struct fg_experiment *experiment,
                             const struct fg_jobs_options *options, struct fg_err *err);
void fg_trials_free(struct fg_trials *trials);

/* Runs what is not done. If it was stopped, fg_trials_left is not 0. */
enum fg_status fg_trials_run(struct fg_trials *trials, struct fg_err *err);
size_t fg_trials_total(const struct fg_trials *trials);
size_t fg_trials_left(const struct fg_trials *trials);
size_t fg_trials_resumed(const struct fg_trials *trials);
void fg_trials_finish(struct fg_trials *trials); /* the journal is not needed any more */

/* All of it as figures, with intervals; trials_tell.c. Freed by fg_result_free. */
struct fg_result *fg_trials_result(const struct fg_trials *trials);

/* --- for those who make something of the runs --- */

const struct fg_stock *fg_trials_stock(const struct fg_trials *trials);
const struct fg_experiment *fg_trials_experiment(const struct fg_trials *trials);
const struct fg_entrants *fg_trials_entrants(const struct fg_trials *trials);
size_t fg_trials_budgets(const struct fg_trials *trials, size_t group,
                         const struct fg_budget **budgets);
bool fg_trials_wants(const struct fg_trials *trials, size_t group, size_t entrant);
/* By number of the line within the group; NULL if it was not asked for. */
const struct fg_digest *fg_trials_at(const struct fg_trials *trials, size_t group,
                                     size_t line, size_t budget, size_t entrant,
                                     size_t seed);

#endif
