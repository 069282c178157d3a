/* run.h - what is kept of a replay: a kilobyte, whatever the site
 *
 * An outcome (replay.h) has arrays as long as the site's time and as wide as its sources;
 * an experiment has thousands of them. A run has the counts, and curves of a fixed number
 * of points. */
#ifndef FG_LAB_DISCOVERY_RUN_H
#define FG_LAB_DISCOVERY_RUN_H

#include "base/buf.h"
#include "lab/discovery/score.h"

enum { FG_CURVE_POINTS = 100, FG_DELAY_POINTS = 32, FG_RANK_POINTS = 20 };

struct fg_run {
    bool is_done;
    uint64_t visits_a_step, steps, sources;
    uint64_t there, there_late, found, found_late, found_fresh, visits, visits_late;
    uint64_t failed, shown;
    double htd_p50, htd_p90;
    uint32_t found_by[FG_CURVE_POINTS]; /* evenly over the steps, the last at the end */
    uint32_t delayed[FG_DELAY_POINTS];  /* of found_fresh, found within fg_delay_at[i] */
    uint32_t visits_of[FG_RANK_POINTS]; /* of the most visited sources, most first */
};

/* Steps: 0, 1, 2, 3, 4, 6, 8, ... */
extern const uint32_t fg_delay_at[FG_DELAY_POINTS];

/* The scores of a run, as fg_score makes them of an outcome. */
struct fg_score fg_run_score(const struct fg_run *run, const struct fg_run *oracle);

void fg_run_sum_up(struct fg_run *run, const struct fg_replay_outcome *outcome,
                   size_t visits);

/* As text for the journal: numbers, each with a blank before it. */
void fg_run_write(const struct fg_run *run, struct fg_buf *out);
bool fg_run_read(struct fg_run *run, struct fg_str text);

#endif
