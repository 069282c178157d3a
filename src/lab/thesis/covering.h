/* covering.h - an experiment of kind `cover`, told like any other
 *
 * The weekly covers of the thesis are not replays: weekly.h runs the whole chapter. This
 * takes the sites, the seed and the scale from the experiment's first workload. It runs
 * on one thread and keeps no journal. */
#ifndef FG_LAB_COVERING_H
#define FG_LAB_COVERING_H

#include "lab/jobs.h"

/* NULL if it was stopped by `progress`, which is told of hundredths. Freed by
 * fg_result_free. Of the options, `sites` and `progress` count. */
enum fg_status fg_covering_run(struct fg_result **result,
                               const struct fg_experiment *experiment,
                               const struct fg_jobs_options *options, struct fg_err *err);

#endif
