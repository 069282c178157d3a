#include "lab/discovery/run.h"

#include "base/memory.h"
#include "policy/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const uint32_t fg_delay_at[FG_DELAY_POINTS] = {
    0,  1,  2,  3,  4,  5,  6,  8,   10,  12,  14,  16,  18,  20,  22,   24,
    30, 36, 42, 48, 60, 72, 96, 120, 144, 168, 240, 336, 504, 672, 1008, 1344,
};

static int by_most(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x > y ? -1 : x < y;
}

static void rank_visits(struct fg_run *run, const struct fg_replay_outcome *o)
{
    uint32_t *sorted = fg_zeroed(o->sources ? o->sources : 1, sizeof *sorted);
    memcpy(sorted, o->visits_of, o->sources * sizeof *sorted);
    qsort(sorted, o->sources, sizeof *sorted, by_most);
    size_t n = o->sources < FG_RANK_POINTS ? o->sources : FG_RANK_POINTS;
    memcpy(run->visits_of, sorted, n * sizeof *sorted);
    free(sorted);
}

struct fg_run fg_run_of(const struct fg_replay_outcome *o, size_t visits)
{
    struct fg_run run = {
        .visits_a_step = visits,
        .steps = o->steps,
        .sources = o->sources,
        .there = o->there,
        .there_late = o->there_late,
        .found = o->found,
        .found_late = o->found_late,
        .found_fresh = o->found_fresh,
        .visits = o->visits,
        .visits_late = o->visits_late,
        .failed = o->failed,
        .shown = o->shown,
        .htd_p50 = fg_quantile_of_counts(o->delay, o->steps, 0.5),
        .htd_p90 = fg_quantile_of_counts(o->delay, o->steps, 0.9),
    };
    for (size_t i = 0; o->steps && i < FG_CURVE_POINTS; i++) {
        size_t end = (i + 1) * o->steps / FG_CURVE_POINTS;
        run.found_by[i] = o->found_by[end ? end - 1 : 0];
        run.there_by[i] = o->there_by[end ? end - 1 : 0];
    }
    for (size_t step = 0; step < o->steps && step < FG_ARRIVAL_POINTS; step++) {
        run.arrived[step] = o->there_by[step] - (step ? o->there_by[step - 1] : 0);
        run.arrived_any[step] = o->arrived[step];
    }
    uint32_t sum = 0;
    for (size_t step = 0, i = 0; i < FG_DELAY_POINTS; i++) {
        while (step < o->steps && step <= fg_delay_at[i])
            sum += o->delay[step++];
        run.delayed[i] = sum;
    }
    rank_visits(&run, o);
    return run;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

double fg_regret(double found, double best)
{
    return best > 0 ? 100 * (best - found) / best : NAN;
}

struct fg_score fg_run_score(const struct fg_run *run, const struct fg_run *oracle)
{
    struct fg_score score;
    score.at[FG_COVERAGE] = ratio((double)run->found_fresh, (double)run->there_late);
    score.at[FG_COVERAGE_ALL] = ratio((double)run->found, (double)run->there);
    score.at[FG_COVERAGE_LATE] = ratio((double)run->found_late, (double)run->there);
    score.at[FG_OVERHEAD] = ratio((double)run->visits_late, (double)run->found_late);
    score.at[FG_OVERHEAD_NEW] = ratio((double)run->visits_late, (double)run->found_fresh);
    score.at[FG_HTD_P50] = run->htd_p50;
    score.at[FG_HTD_P90] = run->htd_p90;
    score.at[FG_FOUND] = (double)run->found_fresh;
    score.at[FG_REGRET] =
        oracle ? fg_regret((double)run->found, (double)oracle->found) : NAN;
    score.at[FG_REGRET_LATE] =
        oracle ? fg_regret((double)run->found_fresh, (double)oracle->found_fresh) : NAN;
    return score;
}
