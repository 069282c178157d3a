/* experiment.h - what is to be measured: policies on workloads, read from a YAML file
 *
 *     name: quick
 *     title: Three sites, a week each
 *     workloads:
 *       - {generate: news, sites: 3, hours: 336, seed: 1}
 *     budgets: [2, 10 %]
 *     policies: [thompson, {policy: thompson, label: bold, alpha: 5}]
 *     warm_up: 168
 *     compare:
 *       - {policy: thompson, with: [round-robin]}
 *
 * docs/lab.md has every key. An unknown one is an error that names its line and what
 * there is. Policies are looked up when the jobs are planned (jobs.h), and the oracle is
 * always among them. Everything lives in the arena and is read-only. */
#ifndef FG_LAB_EXPERIMENT_H
#define FG_LAB_EXPERIMENT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/time.h"
#include "lab/ads/options.h"
#include "lab/rank/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fg_experiment_kind; /* experiment_kind.h */
struct fg_knob;            /* replay.h */
struct fg_preparation;     /* recording.h */
struct fg_generator_param; /* generate/generate.h */
struct fg_steady_rate;     /* refresh/offers.h */

struct fg_budget {
    const char *text; /* "5", "10 %" */
    double value;     /* visits a step, or their share of the sources; in an experiment of
                         refreshing, of the pages a day */
    bool is_share;
};

/* A policy as it takes part: with its knobs, and under a name of its own. */
struct fg_entrant {
    const char *policy, *label;
    struct fg_knob *knobs;
    size_t n_knobs;
    size_t seeds; /* 0: as many as the experiment */
    size_t line;
};

/* Which sites of a recording. A recording of one site is that site and the whole. */
enum fg_part {
    FG_PART_SITES,  /* registrable domains, pooled */
    FG_PART_WHOLES, /* the recording as one site; each is a workload of its own */
    FG_PART_ALL,    /* both, pooled */
};

/* How a workload that is made is made. */
struct fg_making {
    const struct fg_generator_param *params; /* of the generator, in place of its own */
    size_t n_params;
    double relevant; /* share of relevant targets that a generator makes; 0: its own */
    double scale;    /* of the sites' sizes, in an experiment of covers; 0: 1 */
};

struct fg_refresh_work {
    size_t pages, setting, runs; /* 0: as published */
    bool is_probability;         /* how the rates of the restless bandit are read */
    bool is_own;                 /* offers whose changes nobody tells */
    double failures;             /* share of the visits to offers that fail */
    const struct fg_steady_rate *steady; /* offers that change at one of these */
    size_t n_steady;
    const unsigned *weights; /* of histories: enum fg_weight_wish; NULL: equal */
    size_t n_weights;
    fg_time step; /* of histories; 0: by their rule */
};

/* Of sources and documents together. */
struct fg_joint_work {
    const char **documents; /* histories, by name or folder */
    size_t n_documents;
    double content, fresh, keeps, loses; /* what is wanted: policy/joint.h */
};

/* Of repository quality. */
struct fg_quality_work {
    const char *queries; /* the log of them; NULL: heads */
    bool is_inlinks;     /* scores are those, and not tfidf */
    size_t halves;       /* halves of the pages that are run for intervals */
    bool is_known;       /* what the whole history says is found out as well */
};

struct fg_workload {
    const char *name; /* as it is told; NULL: as it comes */
    enum fg_workload_kind {
        FG_WORK_GENERATE,  /* from: the generator */
        FG_WORK_RECORDING, /* from: folders */
        FG_WORK_DATA,      /* from: patterns of names in the folder of recordings */
        FG_WORK_STORE,     /* from: a workspace */
        FG_WORK_CHANGES,   /* from: patterns of names of histories, or folders */
        FG_WORK_VERSIONS,  /* from: the same of pages with all their versions */
    } kind;
    const char **from;
    size_t n_from;
    enum fg_part part;
    size_t sites, hours, history; /* 0: as published, or all there are */
    uint64_t seed;
    struct fg_making making;
    const struct fg_preparation *preparation; /* of recordings; NULL: as they are */
    bool focused;
    struct fg_community community; /* of ranking */
    struct fg_refresh_work refresh;
    struct fg_joint_work joint;
    struct fg_quality_work quality;
    const struct fg_budget *budgets; /* NULL: those of the experiment */
    size_t n_budgets;
    const char **policies; /* labels; NULL: all */
    size_t n_policies;
    struct fg_ads_options ads; /* of markets of advertisements */
    size_t seeds;              /* at most so many of each policy's; 0: all */
    bool is_long;              /* left out when the experiment is shortened */
    size_t line;
};

/* How pages of a history are to be weighed. */
enum fg_weight_wish {
    FG_WISH_EQUAL,
    FG_WISH_OWN,
    FG_WISH_ZIPF,
    FG_WISH_WEIGHTED, /* their own where they have some, otherwise Zipf */
};

/* One policy against others on the same sites. */
struct fg_comparison {
    const char *policy;
    const char **with;
    size_t n_with;
    const size_t *metrics; /* of the kind's */
    size_t n_metrics;
    double fewer; /* count the cells (site and budget) with so much fewer finds, as a
                     share; NaN: do not */
    size_t line;
};

/* A number from the paper, to stand beside ours. */
struct fg_published {
    const char *workload, *budget, *policy, *against; /* against: of a pair, or NULL */
    size_t metric;
    double value;
    double at; /* hours, of a curve; NaN: the figure of the whole run */
    const char *where;
    size_t line;
};

/* An order that a paper states: the policy is better than others, perhaps by a factor. */
struct fg_claim {
    const char **workloads, **budgets; /* of these; none: of all */
    size_t n_workloads, n_budgets;
    const char *policy;
    const char **over;
    size_t n_over;
    size_t metric;
    double by; /* so many times as good, or by so much; NaN: at all */
    const char *where;
    size_t line;
};

/* Which figure of the text a chart of ours is. */
struct fg_figure_name {
    const char *chart; /* its title, or the beginning of it */
    const char *group; /* the workload and budget, or the beginning; NULL: any */
    const char *is;    /* "Figure 3" */
};

/* The best of some policies, picked anew for each workload and budget and with hindsight,
 * as what others are measured against. */
struct fg_best_of {
    const char *name; /* NULL if nothing is */
    const char **policies;
    size_t n_policies;
    const char **of; /* those measured; NULL: all the others */
    size_t n_of;
    size_t line;
};

/* The same experiment in a fraction of the time: what is cut. Workloads may be left out
 * as well, fg_workload.is_long. */
struct fg_shortening {
    bool is_on;
    size_t sites;       /* at most so many of each workload; 0: all */
    size_t pages;       /* ... and so many pages of a generated one */
    size_t hours;       /* ... and so many hours of it */
    size_t fewer_seeds; /* so many times fewer runs, at least one; 0: as they are */
    struct fg_budget *budgets; /* in place of the experiment's own; NULL: those */
    size_t n_budgets;
    bool is_part; /* only one of the workloads: fg_experiment_only */
};

enum fg_chart_wish {
    FG_CHART_OF_COVERAGE = 1,
    FG_CHART_OF_REGRET = 2,
    FG_CHART_OF_DELAY = 4,
    FG_CHART_OF_CHOICES = 8,
    FG_CHART_OF_ARRIVALS = 16,
    FG_CHART_OF_BUDGETS = 32,
    /* of refreshing */
    FG_CHART_OF_FRESHNESS = 1,
    FG_CHART_OF_GAIN = 2,
    FG_CHART_OF_ARMS = 4,
    FG_CHART_OF_REWARD = 8,
    FG_CHART_OF_ARM_REGRET = 16,
};

/* What is drawn of it. */
struct fg_drawing {
    unsigned charts; /* of enum fg_chart_wish */
    struct fg_best_of best_of;
    const char **arms_at; /* budgets whose arms are drawn; NULL: all */
    size_t n_arms_at;
    const char **policies; /* in charts of freshness and reward; NULL: all */
    size_t n_policies, line;
};

/* The file it was read from. */
struct fg_text_read {
    const char *file; /* for messages */
    uint64_t hash;    /* of the text */
};

struct fg_experiment {
    const char *name, *title, *paper; /* paper may be NULL */
    const struct fg_experiment_kind *kind;
    struct fg_workload *workloads;
    size_t n_workloads;
    struct fg_budget *budgets;
    size_t n_budgets;
    struct fg_entrant *entrants;
    size_t n_entrants;
    size_t warm_up, seeds;
    struct fg_shortening shortening;
    struct fg_comparison *comparisons;
    size_t n_comparisons;
    struct fg_published *published;
    size_t n_published;
    struct fg_claim *claims;
    size_t n_claims;
    struct fg_figure_name *figures;
    size_t n_figures;
    const char **remarks;
    size_t n_remarks;
    struct fg_drawing drawing;
    struct fg_text_read read;
};

enum fg_status fg_experiment_read(struct fg_experiment *experiment,
                                  struct fg_arena *arena, struct fg_str text,
                                  const char *file, struct fg_err *err);

/* Cuts what the experiment says may be cut; the sites are left to jobs.h. One that says
 * nothing of it stays as it is. */
void fg_experiment_shorten(struct fg_experiment *experiment);

/* Leaves out all workloads but the one of that name, or without a name the one made from
 * that; if there is none, the message has those there are. */
enum fg_status fg_experiment_only(struct fg_experiment *experiment, const char *name,
                                  struct fg_err *err);

/* "Published numbers: Table 4, Figure 2.", or nothing. */
struct fg_str fg_experiment_sources(const struct fg_experiment *experiment,
                                    struct fg_arena *arena);

/* "5" or "10 %"; false if it is neither. The text is copied into the arena. */
bool fg_budget_read(struct fg_budget *budget, struct fg_arena *arena, struct fg_str text);
/* Visits a step for a site: at least one. */
size_t fg_budget_visits(const struct fg_budget *budget, size_t sources);

#endif
