/* discovery.h - what discovery.c and charts.c share while a result is made
 *
 * The public face is fg_experiment_replay in lab/experiment_kind.h. */
#ifndef FG_LAB_DISCOVERY_DISCOVERY_H
#define FG_LAB_DISCOVERY_DISCOVERY_H

#include "lab/discovery/run.h"
#include "lab/findings.h"

/* The oracle's run on a site of the group and budget at hand, or NULL. */
static inline const struct fg_run *fg_discovery_oracle(const struct fg_findings *f,
                                                       size_t site)
{
    return fg_findings_run(f, site, fg_entrants_named(f->entrants, "oracle"), 0);
}

/* Adds the charts of the group and budget at hand; charts.c. */
void fg_discovery_draw(struct fg_findings *f);
/* ... and those of the group at hand, whose rows are there, by budget. */
void fg_discovery_draw_budgets(struct fg_findings *f);

#endif
