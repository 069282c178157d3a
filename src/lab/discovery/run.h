/* run.h - what is kept of a replay, a kilobyte whatever the site, and its figures of
 * merit
 *
 *     struct fg_run run = fg_run_of(&outcome, rules.budget);
 *     struct fg_score score = fg_run_score(&run, &oracle);
 *
 * An outcome (replay.h) has arrays as long as the site's time and as wide as its sources;
 * an experiment has thousands of them. A run has the counts, and curves of a fixed number
 * of points.
 *
 * The figures are as Schulam & Muslea (WWW 2023) define them in 2.1 and 3.3, and Pham et
 * al. (WSDM 2018) in section 3. "Late" is after the warm-up.
 *   coverage       found / there, of the targets that appeared late: what a crawl in its
 *                  stride finds of what is new
 *   coverage_all   found / there, of all targets, from the first step on: |V| / |V*| of
 *                  the one paper, C_k / C_n of the other
 *   coverage_late  found late / there, of all targets: how the plateau of 65 % in Figure
 * 2 can be read. It rewards a slow start: what a policy missed in the warm-up and found
 * later counts. coverage does not overhead       visits for each target found, late; it
 * rewards a slow start likewise overhead_new   the same for targets that appeared late,
 * without that reward htd_p50, _p90  steps from appearance to discovery of targets that
 * appeared late and were found; linear between neighbouring values regret         100 (r*
 * - r) / r*, r being all targets found up to the last step and r* the oracle's;
 * regret_late the same from targets that appeared late A figure that does not exist
 * (nothing was there, nothing was found) is NaN. */
#ifndef FG_LAB_DISCOVERY_RUN_H
#define FG_LAB_DISCOVERY_RUN_H

#include "lab/metric.h"
#include "lab/replay.h"

enum {
    FG_CURVE_POINTS = 100,
    FG_DELAY_POINTS = 32,
    FG_RANK_POINTS = 20,
    FG_ARRIVAL_POINTS = 336
};

struct fg_run {
    uint64_t visits_a_step, steps, sources;
    uint64_t there, there_late, found, found_late, found_fresh, visits, visits_late;
    uint64_t failed, shown;
    double htd_p50, htd_p90;
    uint32_t found_by[FG_CURVE_POINTS];  /* evenly over the steps, the last at the end */
    uint32_t there_by[FG_CURVE_POINTS];  /* targets that had appeared by then */
    uint32_t arrived[FG_ARRIVAL_POINTS]; /* by step: targets that appeared, ... */
    uint32_t arrived_any[FG_ARRIVAL_POINTS]; /* ... relevant or not */
    uint32_t delayed[FG_DELAY_POINTS];  /* of found_fresh, found within fg_delay_at[i] */
    uint32_t visits_of[FG_RANK_POINTS]; /* of the most visited sources, most first */
};

/* Steps: 0, 1, 2, 3, 4, 6, 8, ... */
extern const uint32_t fg_delay_at[FG_DELAY_POINTS];

struct fg_run fg_run_of(const struct fg_replay_outcome *outcome, size_t visits);

struct fg_score {
    double at[FG_METRICS];
};

/* `oracle` is the oracle's run on the same site with the same rules, or NULL: then the
 * regrets are NaN. */
struct fg_score fg_run_score(const struct fg_run *run, const struct fg_run *oracle);

/* 100 (best - found) / best; NaN if there was nothing to find. */
double fg_regret(double found, double best);

#endif
