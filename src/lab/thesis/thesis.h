/* thesis.h - what the experiment of chapter 3 measures, before it is reported
 *
 * Private to thesis.c, which measures, and thesis_tell.c, which makes tables and charts
 * of it. The public face is fg_experiment_cover in lab/experiment_kind.h.
 *
 * The chapter is the same whoever runs it, so the file names neither policies nor
 * budgets. What the engine takes for a budget is a setting: how often the whole site is
 * shown, or another bound on what is picked. */
#ifndef FG_LAB_THESIS_H
#define FG_LAB_THESIS_H

#include "lab/findings.h"
#include "lab/thesis/weekly.h"

enum {
    FG_THESIS_DELTAS = 6, /* weeks from one recrawl to the next: 1 to this */
    FG_THESIS_BUDGETS = 25,
    FG_THESIS_TABLE_BUDGETS = 5,
    FG_THESIS_SHARES = 10,  /* rho = 0.1, 0.2, ... 1 */
    FG_THESIS_OVERLAPS = 20 /* bins of the Jaccard coefficient */
};

/* Settings by number: a recrawl every so many weeks, 0 for none, with all budgets; then
 * one budget of Table 3.2 each, for the bandit; then shares of what is new. */
enum {
    FG_THESIS_ALONE = FG_THESIS_DELTAS + 1,
    FG_THESIS_SHARE = FG_THESIS_ALONE + FG_THESIS_TABLE_BUDGETS,
    FG_THESIS_SETTINGS = FG_THESIS_SHARE + FG_THESIS_SHARES
};

/* Those of the table and those that make a curve; the last is without bound. */
extern const size_t fg_thesis_budgets[FG_THESIS_BUDGETS];
extern const size_t fg_thesis_table_budgets[FG_THESIS_TABLE_BUDGETS];

enum fg_thesis_entrant {
    FG_THESIS_CLIQ_WIN,
    FG_THESIS_COV,
    FG_THESIS_OD_WIN,
    FG_THESIS_OD_1,
    FG_THESIS_OPTIMAL,
    FG_THESIS_OD_ALL,
    FG_THESIS_CLIQ_1,
    FG_THESIS_BANDIT,
    FG_THESIS_OD_FADING, /* the same with alpha 0.8 */
    FG_THESIS_CLIQ_FADING,
    FG_THESIS_GITTINS,
    FG_THESIS_ENTRANTS
};

/* Lemma 1 and Theorem 1 on the weeks of a site, for one budget: how much of what greedy
 * finds OD and CLIQ find with true degrees, and what they must at least. */
struct fg_thesis_bound {
    double weeks, found, bound, least, least_bound, broken; /* sums; the least of all */
};

enum { FG_THESIS_BOUND_BUDGETS = 3 }; /* the first of the table: 1, 10, 100 */

struct fg_thesis_run {
    struct fg_weekly_tally at[FG_THESIS_BUDGETS]; /* one, where the setting is a bound */
    /* Of the site: only with the run of FG_THESIS_OPTIMAL without recrawls. */
    double pages, there, direct, weeks; /* weeks with something new */
    struct fg_thesis_bound lemma[FG_THESIS_BOUND_BUDGETS];
    struct fg_thesis_bound theorem[FG_THESIS_BOUND_BUDGETS];
    double overlaps[FG_THESIS_OVERLAPS]; /* pairs of old pages that cover something */
};

extern const struct fg_metric_info fg_thesis_metrics[];
enum { FG_THESIS_METRICS = 8 };

/* Measures both bounds of a site; bounds.c. */
void fg_thesis_bounds(struct fg_thesis_run *run, const struct fg_weekly_site *site);

void fg_thesis_tell(struct fg_findings *f);

#endif
