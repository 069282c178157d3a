/* rank.h - the parts of a result about the order of results, one file each
 *
 * The public face is fg_experiment_rank in lab/experiment_kind.h; rank.c calls these. */
#ifndef FG_LAB_RANK_RANK_H
#define FG_LAB_RANK_RANK_H

#include "lab/findings.h"
#include "lab/rank/community.h"
#include "lab/rank/model.h"

enum fg_rank_metric {
    FG_QPC,          /* of the ideal order's */
    FG_QPC_ABSOLUTE, /* quality per click itself */
    FG_TBP,          /* time to become popular, days */
    FG_TBP_IF,       /* given that the page does */
    FG_LOW,          /* share of days of the best page below 5 % awareness, and ... */
    FG_FULL,         /* ... at 100 % */
    FG_LIKED,        /* share of reports that are likes */
    FG_RANK_METRICS
};

struct fg_rank_run {
    double at[FG_RANK_METRICS];
    double share[FG_AWARENESS_CLASSES], reach[FG_AWARENESS_CLASSES];
};

/* entrant.c: the policy of an entrant, and its knobs; FG_ECONFIG if there is none such.
 */
enum fg_status fg_rank_entrant(const struct fg_rank_policy **policy, double *knob,
                               const struct fg_entrant *entrant, struct fg_err *err);

/* charts.c */
void fg_rank_draw_cell(struct fg_findings *f);   /* Figures 5.2 to 5.6 */
void fg_rank_draw_sweeps(struct fg_findings *f); /* Figures 5.7 to 5.11 */

#endif
