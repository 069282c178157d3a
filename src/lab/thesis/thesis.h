/* thesis.h - what the experiment of chapter 3 has measured, before it is told
 *
 * Private to thesis.c, which measures, and thesis_tell.c, which makes tables and charts
 * of it. Others call fg_thesis_experiment (weekly.h). */
#ifndef FG_LAB_THESIS_H
#define FG_LAB_THESIS_H

#include "lab/thesis/snapshots.h"
#include "lab/thesis/weekly.h"

enum {
    FG_THESIS_DELTAS = 6, /* weeks from one recrawl to the next: 1 to this */
    FG_THESIS_BUDGETS = 25,
    FG_THESIS_SHARES = 10,  /* rho = 0.1, 0.2, ... 1 */
    FG_THESIS_OVERLAPS = 20 /* bins of the Jaccard coefficient */
};

/* Those of the table and those that make a curve; the last is without bound. */
extern const size_t fg_thesis_budgets[FG_THESIS_BUDGETS];

enum fg_thesis_entrant {
    FG_THESIS_CLIQ_WIN,
    FG_THESIS_COV,
    FG_THESIS_OD_WIN,
    FG_THESIS_OD_1,
    FG_THESIS_OPTIMAL,
    FG_THESIS_OD_ALL,
    FG_THESIS_CLIQ_1,
    FG_THESIS_BANDIT,
    FG_THESIS_ENTRANTS
};

struct fg_thesis_site {
    uint64_t pages, fresh, there, direct, weeks; /* weeks with something new */
    /* Delta 1 is at 0; those that need no recrawls are there too. */
    struct fg_weekly_tally at[FG_THESIS_ENTRANTS][FG_THESIS_DELTAS][FG_THESIS_BUDGETS];
    struct fg_weekly_tally share[FG_THESIS_SHARES];
    double overlaps[FG_THESIS_OVERLAPS]; /* pairs of old pages that cover something */
};

struct fg_thesis {
    struct fg_thesis_site *sites;
    size_t n_sites, runs;
};

void fg_thesis_tell(struct fg_result *result, const struct fg_thesis *thesis);

#endif
