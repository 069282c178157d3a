/* experiment_kind.h - a kind of experiment, as the lab's engine sees it
 *
 * jobs.c plans, runs, journals and resumes, and findings_all.c makes rows, pairs and
 * remarks, without knowing what is measured. What differs is one row of
 * fg_experiment_kinds: how the file is read, what policies are run on, what a run is and
 * keeps, and what figures come of runs. To add a kind, write such a row and put it into
 * experiment_kind.c; refresh/refresh.c is a good one to start with. */
#ifndef FG_LAB_EXPERIMENT_KIND_H
#define FG_LAB_EXPERIMENT_KIND_H

#include "lab/experiment.h"
#include "lab/result.h"
#include "lab/supply.h"
#include "lab/yaml_read.h"
#include "policy/policy.h"

struct fg_findings; /* findings.h */

/* One policy on one item with one budget and one seed. */
struct fg_job {
    const void *item; /* as the supply made it */
    const struct fg_experiment *experiment;
    const struct fg_entrant *entrant;
    const struct fg_policy *policy;
    const struct fg_budget *budget;
    size_t visits; /* a step; where the kind has a `size` */
    uint64_t seed;
    bool focused;
};

/* Both members of a kind that say which metrics are compared. */
#define FG_COMPARED(list) .compared = list, .n_compared = sizeof list / sizeof *list

struct fg_metrics {
    const struct fg_metric_info *info; /* their names are those in the file */
    size_t n;
    size_t n_main;        /* those that lead a table; 0: as many as is usual */
    unsigned of_workload; /* a bit for each metric that is not of a policy */
};

/* What one job does. */
struct fg_run_ops {
    size_t bytes; /* a multiple of eight */
    enum fg_status (*run)(void *run, const struct fg_job *job, struct fg_err *err);
    /* As text for the journal: words, each with a blank before it. NULL for a run without
     * pointers, which is written as it stands. */
    void (*write)(const void *run, struct fg_buf *out);
    bool (*read)(void *run, struct fg_str text);
    void (*clear)(void *run); /* NULL: nothing is to be freed */
};

/* What a report tells, out of runs. */
struct fg_finding_ops {
    /* Of the group and budget at hand, one after the other: what the rest goes by; a
     * row's figures and what they are over; a pair, false if there is nothing to tell.
     * Without `figure` there are no such rows and pairs. */
    void (*measure)(struct fg_findings *f);
    size_t (*count)(const struct fg_findings *f, size_t entrant);
    struct fg_figure (*figure)(struct fg_findings *f, size_t entrant, size_t metric);
    bool (*compare)(struct fg_findings *f, struct fg_pairing *pair, size_t a, size_t b);
    void (*tell_cell)(
        struct fg_findings *f); /* further rows, pairs and charts of these */
    void (*tell_group)(struct fg_findings *f);
    void (*tell_end)(struct fg_findings *f);
};

struct fg_experiment_kind {
    const char *name;      /* as in `kind: refresh` */
    enum fg_task task;     /* of its policies */
    const char *reference; /* a policy that always takes part; NULL: none */
    /* Of policies that have a table of their own: whether there is such a one with such
     * knobs. A job's policy is then NULL. NULL: policies are those of policy.h. */
    enum fg_status (*check)(const struct fg_entrant *entrant, struct fg_err *err);

    /* --- the file --- */
    const struct fg_key *workload_keys;
    const char *source;     /* what to say of a workload that names none, or two */
    const char *budget;     /* ... of a budget that is none */
    double most_percent;    /* of a budget that is a share */
    const size_t *compared; /* metrics of a comparison that names none */
    size_t n_compared;
    const char *const *charts; /* those that can be asked for, ended by NULL */
    bool has_best;             /* `best_of` and `drawn` may be given */
    /* Fills in what is not asked for, where the experiment is the same whoever runs it:
     * budgets, policies, the number of seeds. NULL: workloads, budgets and policies must
     * be given. */
    void (*complete)(struct fg_experiment *experiment, struct fg_arena *arena);

    /* --- what policies are run on --- */
    const char *record, *records; /* what a workload may name that is not here */
    enum fg_status (*add)(struct fg_supply *supply, const struct fg_workload *workload,
                          size_t most, struct fg_err *err);
    void (*free_item)(void *item);
    /* How many there are to choose from. Budgets that come to the same number of visits
     * are run once. NULL: budgets differ. */
    size_t (*size)(const void *item);
    /* NULL: every policy is run with every budget. */
    bool (*wants)(const struct fg_budget *budget, size_t entrant);

    struct fg_run_ops runs;

    /* --- figures --- */
    struct fg_metrics metrics;
    const struct fg_wording *wording; /* NULL: of sites */
    struct fg_finding_ops findings;
};

/* The keys of workloads that are sites, timelines, pages that are searched, and markets
 * of advertisements; experiment.c. */
extern const struct fg_key fg_workload_site_keys[], fg_workload_joint_keys[],
    fg_workload_timeline_keys[], fg_workload_searched_keys[], fg_workload_market_keys[];

extern const struct fg_experiment_kind fg_experiment_replay, fg_experiment_cover,
    fg_experiment_refresh, fg_experiment_quality, fg_experiment_ads, fg_experiment_joint,
    fg_experiment_whatif;
extern const struct fg_experiment_kind
    *const fg_experiment_kinds[]; /* ended by NULL; the first is the usual */

/* Of communities whose results are ranked: lab/rank. */
extern const struct fg_experiment_kind fg_experiment_rank;
extern const struct fg_key fg_workload_community_keys[];

#endif
