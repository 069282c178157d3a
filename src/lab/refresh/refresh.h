/* refresh.h - the parts of a result about copies kept fresh, one file each
 *
 * The public face is fg_experiment_refresh in lab/experiment_kind.h; refresh.c calls
 * these. */
#ifndef FG_LAB_REFRESH_REFRESH_H
#define FG_LAB_REFRESH_REFRESH_H

#include "lab/findings.h"

/* best.c: against the best of some, and geometric means over groups. */
void fg_refresh_best(struct fg_findings *f);
void fg_refresh_families(struct fg_findings *f);

/* forecasts.c: the AUC of what was told, a row each, as in Table 4 of Han et al. */
void fg_refresh_forecasts(struct fg_findings *f);

/* charts.c: of the group at hand, and of its budget at hand */
void fg_refresh_draw_group(struct fg_findings *f);
void fg_refresh_draw_cell(struct fg_findings *f);

#endif
