/* score.h - the figures of merit of one replay
 *
 * As Schulam & Muslea (WWW 2023) define them in 2.1 and 3.3, and Pham et al. (WSDM 2018)
 * in section 3. "Late" is after the warm-up.
 *   coverage        found / there, of the targets that appeared late: what a crawl in its
 *                   stride finds of what is new. No warm-up, no difference.
 *   coverage_all    found / there, of all targets, from the first step on: |V| / |V*| of
 *                   the one paper, C_k / C_n of the other
 *   coverage_late   found late / there, of all targets: how the plateau of 65 % in
 *                   Figure 2 can be read
 *   overhead        visits for each target found, late
 *   htd_p50, _p90   steps from appearance to discovery of targets that appeared late and
 *                   were found; linear between neighbouring values
 *   regret          100 (r* - r) / r*, r being all targets found up to the last step and
 *                   r* the oracle's; regret_late the same from targets that appeared late
 * A figure that does not exist (nothing was there, nothing was found) is NaN. */
#ifndef FG_LAB_DISCOVERY_SCORE_H
#define FG_LAB_DISCOVERY_SCORE_H

#include "lab/metric.h"
#include "lab/replay.h"

struct fg_score {
    double at[FG_METRICS];
};

/* `oracle` is the oracle's outcome on the same site with the same rules, or NULL: then
 * the regrets are NaN. */
struct fg_score fg_score(const struct fg_replay_outcome *outcome,
                         const struct fg_replay_outcome *oracle);

/* 100 (best - found) / best; NaN if there was nothing to find. */
double fg_regret(double found, double best);

#endif
