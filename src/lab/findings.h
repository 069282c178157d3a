/* findings.h - what findings.c and charts.c share while a result is made
 *
 * The public face is fg_jobs_result in jobs.h. */
#ifndef FG_LAB_FINDINGS_H
#define FG_LAB_FINDINGS_H

#include "base/map.h"
#include "lab/bootstrap.h"
#include "lab/jobs.h"
#include "lab/run.h"

struct fg_findings {
    const struct fg_jobs *jobs;
    struct fg_result *result;
    struct fg_arena scratch; /* of the group at hand */
    struct {
        size_t sites;
        struct fg_bootstrap *boot;
    } * boots; /* one a number of sites */
    size_t n_boots;
    /* the group and budget at hand */
    size_t group, budget, sites;
    const char *name, *budget_text;
    double *scores;
};

/* Copies a text into the result. */
const char *fg_findings_keep(struct fg_findings *f, const char *text);
struct fg_bootstrap *fg_findings_boot(struct fg_findings *f, size_t sites);
/* One value a site. */
double *fg_findings_scores(const struct fg_findings *f, size_t entrant, size_t metric);

/* Adds the charts of the group at hand; charts.c. */
void fg_findings_draw(struct fg_findings *f);

#endif
