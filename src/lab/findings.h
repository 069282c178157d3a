/* findings.h - from runs to a result: what every kind of experiment reports alike
 *
 * fg_jobs_result (jobs.h) goes through the groups and their budgets; for each it asks the
 * kind (experiment_kind.h) for the figures of rows and pairs, puts published numbers
 * beside them, and lets the kind add rows, charts and remarks of its own with what is
 * here. */
#ifndef FG_LAB_FINDINGS_H
#define FG_LAB_FINDINGS_H

#include "lab/bootstrap.h"
#include "lab/experiment_kind.h"
#include "lab/jobs.h"

struct fg_findings_boot { /* one a number of items */
    size_t items;
    struct fg_bootstrap *boot;
};

struct fg_findings {
    const struct fg_jobs *jobs;
    const struct fg_experiment *experiment;
    const struct fg_supply *supply;
    const struct fg_entrants *entrants;
    struct fg_arena *arena; /* of the result */
    FG_VEC(struct fg_row) rows;
    FG_VEC(struct fg_pairing) pairings;
    FG_VEC(struct fg_chart) charts;
    FG_VEC(const char *) remarks;
    FG_VEC(const char *) judgments;
    FG_VEC(struct fg_stated) stated;
    FG_VEC(struct fg_findings_boot) boots;
    /* the group and budget at hand */
    struct fg_arena scratch;
    size_t group, budget, items;
    const char *name, *budget_text;
    void *cell; /* what the kind measured */
};

/* Goes to a group and budget, and lets the kind measure. */
void fg_findings_enter(struct fg_findings *f, size_t group, size_t budget);
/* The run of the group and budget at hand, or NULL. */
const void *fg_findings_run(const struct fg_findings *f, size_t item, size_t entrant,
                            size_t seed);
bool fg_findings_wants(const struct fg_findings *f, size_t entrant);
/* Resampling depends on the number of items alone. */
struct fg_bootstrap *fg_findings_boot(struct fg_findings *f, size_t items);

/* Copies a text into the result; NULL stays. */
const char *fg_findings_keep(struct fg_findings *f, const char *text);
void fg_findings_remark(struct fg_findings *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Something that the text states, for a table; its strings live as long as the result.
 * And a sentence on what came of it. */
void fg_findings_state(struct fg_findings *f, const struct fg_stated *stated);
void fg_findings_judgment(struct fg_findings *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* judge.c: all that is published of the group and budget at hand, whose rows and pairs
 * are those from these on; and the orders that are claimed of it. */
void fg_findings_judge(struct fg_findings *f, size_t first_row, size_t first_pair);
/* A value at some place of a curve. */
void fg_findings_judge_point(struct fg_findings *f, const struct fg_published *p,
                             struct fg_figure ours);

/* A row of the group and budget at hand without any figures but those published; good
 * until the next is added. */
struct fg_row *fg_findings_row(struct fg_findings *f, const char *policy, size_t count);
/* Whether it was published of the group and budget at hand. */
bool fg_findings_is_of(const struct fg_findings *f, const struct fg_published *p);
/* What was published of a policy, or of a pair; NULL: nothing. */
const struct fg_published *fg_findings_published(const struct fg_findings *f,
                                                 const char *policy, const char *against,
                                                 size_t metric);

/* A series that grows point by point. */
struct fg_curve {
    double *x, *y, *low, *high;
    size_t n;
};
struct fg_curve fg_curve_new(struct fg_findings *f, size_t most);
/* Unless the figure is NaN. */
void fg_curve_add(struct fg_curve *curve, double x, struct fg_figure figure,
                  double scale);
/* A chart with room for so many series, which is good until the next is added. */
struct fg_chart *fg_findings_chart(struct fg_findings *f, const struct fg_chart *like,
                                   size_t most_series);
void fg_chart_add(struct fg_chart *chart, const char *name, const struct fg_curve *curve,
                  bool has_band);
/* With a band if the curve has one; nothing of an empty curve. */
void fg_chart_add_curve(struct fg_chart *chart, const char *name,
                        const struct fg_curve *curve);
/* The last chart is whole: one that came out empty is left out. */
void fg_findings_end_chart(struct fg_findings *f);

#endif
