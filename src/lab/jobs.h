/* jobs.h - the runs of an experiment, on all cores, and again after a crash
 *
 *     struct fg_jobs *jobs;
 *     fg_jobs_new(&jobs, &experiment, &options, err);
 *     fg_jobs_run(jobs, err);
 *     struct fg_result *result = fg_jobs_result(jobs);       (findings_all.c)
 *     fg_jobs_free(jobs);
 *
 * A job is an item, a budget, a policy and a seed; the experiment's kind
 * (experiment_kind.h) says what that means. Results are kept by job number, so they are
 * the same on any number of threads. An item is made for its first job and dropped after
 * its last; the jobs go item by item, so no more items are in memory than there are
 * threads. Of two budgets that come to the same number of visits on an item, one is run.
 *
 * Every finished job is a line of the journal, with a checksum; a run that resumes takes
 * the lines of the same experiment, the same data and the same program, and does the
 * rest. The journal of a finished run is removed by fg_jobs_finish. */
#ifndef FG_LAB_JOBS_H
#define FG_LAB_JOBS_H

#include "lab/entrants.h"
#include "lab/result.h"
#include "lab/supply.h"

struct fg_jobs_options {
    const char *data;    /* folder of recordings, or NULL */
    size_t threads;      /* 0: one */
    size_t seeds, sites; /* 0: as the experiment says; sites cuts every workload */
    const char *journal; /* NULL: none */
    bool resume;
    size_t part, parts; /* run the part-th of so many, from 1; 0 parts: all */
    uint64_t stamp;     /* of the program: a journal of another one is not taken up */
    /* Called now and then from the calling thread; false stops the jobs. `seconds` is the
     * time left, negative while there is no telling. */
    bool (*progress)(void *context, size_t done, size_t total, double seconds);
    void *context;
};

struct fg_jobs;

/* Plans the jobs; nothing is run yet. The experiment must outlive them. */
enum fg_status fg_jobs_new(struct fg_jobs **jobs, const struct fg_experiment *experiment,
                           const struct fg_jobs_options *options, struct fg_err *err);
void fg_jobs_free(struct fg_jobs *jobs);

/* Runs what is not done. If it was stopped, some are left. */
enum fg_status fg_jobs_run(struct fg_jobs *jobs, struct fg_err *err);

struct fg_jobs_count {
    size_t total, left;
    size_t resumed;   /* taken from the journal */
    size_t elsewhere; /* of other parts, and not in the journal: `left` is without them */
    bool is_refused;  /* the journal that was to be resumed has nothing for these jobs: it
                         is of another experiment, other data or another build */
};
struct fg_jobs_count fg_jobs_count(const struct fg_jobs *jobs);
void fg_jobs_finish(struct fg_jobs *jobs); /* the journal is not needed any more */

/* All of it as figures, with intervals; findings_all.c. Freed by fg_result_free. */
struct fg_result *fg_jobs_result(const struct fg_jobs *jobs);

/* --- for those who make something of the runs --- */

const struct fg_experiment *fg_jobs_experiment(const struct fg_jobs *jobs);
const struct fg_supply *fg_jobs_supply(const struct fg_jobs *jobs);
/* With the reference of the kind among them, the last unless the experiment names it. */
const struct fg_entrants *fg_jobs_entrants(const struct fg_jobs *jobs);
size_t fg_jobs_budgets(const struct fg_jobs *jobs, size_t group,
                       const struct fg_budget **budgets);
/* Whether a group wants the entrant reported. */
bool fg_jobs_wants(const struct fg_jobs *jobs, size_t group, size_t entrant);
/* The kind's run, by number of the item within the group and seed from 0; NULL if it was
 * not asked for. */
const void *fg_jobs_at(const struct fg_jobs *jobs, size_t group, size_t item,
                       size_t budget, size_t entrant, size_t seed);

#endif
