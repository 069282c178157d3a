/* due.h - for policies that give each page an interval and visit what is due
 *
 * That is how crawlers and feed readers in use decide. They know no budget: a page is due
 * once its interval is over, everything due is fetched, and nothing else. Here the budget
 * caps it. Where more is due than may be fetched the most overdue go first; where less is
 * due the rest of the budget stays unspent, as it would in their own hands, unless the
 * knob `fill` gives it to those that are due next. Compare their overhead before their
 * coverage.
 *
 * A policy that uses these has FG_DUE_FILL as its first knob and FG_DUE_WAIT as its first
 * column: hours to wait after the last try, whatever became of it. A page that was never
 * tried is due at once, before all others. */
#ifndef FG_POLICY_DISCOVERY_DUE_H
#define FG_POLICY_DISCOVERY_DUE_H

#include "policy/policy.h"

enum { FG_DUE_WAIT };
#define FG_DUE_COLUMN [FG_DUE_WAIT] = {"wait", FG_F32, 0}

enum { FG_DUE_FILL, FG_DUE_KNOBS };
#define FG_DUE_PARAM \
    [FG_DUE_FILL] = {"fill", 0, 0, 1, "1: spend what is left on pages that are due next"}

/* The peer's page has changed: its bytes did, or it shows links it did not show. */
static inline bool fg_due_changed(const struct fg_visit *visit)
{
    return visit->changed || visit->n_added || visit->n_fresh;
}

static inline double fg_due_clamp(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

/* `score` and `explain` of such a policy: hours overdue. */
void fg_due_score(struct fg_brain *brain, fg_time now, size_t first, size_t n,
                  float *out);
void fg_due_explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason);

#endif
