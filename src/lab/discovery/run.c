#include "lab/discovery/run.h"

#include "base/memory.h"
#include "lab/journal.h"
#include "policy/metrics.h"

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

void fg_run_sum_up(struct fg_run *run, const struct fg_replay_outcome *o, size_t visits)
{
    *run = (struct fg_run){
        .is_done = true,
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
        run->found_by[i] = o->found_by[end ? end - 1 : 0];
    }
    uint32_t sum = 0;
    for (size_t step = 0, i = 0; i < FG_DELAY_POINTS; i++) {
        while (step < o->steps && step <= fg_delay_at[i])
            sum += o->delay[step++];
        run->delayed[i] = sum;
    }
    rank_visits(run, o);
}

static struct fg_replay_outcome outcome_of(const struct fg_run *run)
{
    return (struct fg_replay_outcome){
        .there = run->there,
        .there_late = run->there_late,
        .found = run->found,
        .found_late = run->found_late,
        .found_fresh = run->found_fresh,
        .visits = run->visits,
        .visits_late = run->visits_late,
    };
}

struct fg_score fg_run_score(const struct fg_run *run, const struct fg_run *oracle)
{
    struct fg_replay_outcome outcome = outcome_of(run), best = {0};
    if (oracle)
        best = outcome_of(oracle);
    struct fg_score score = fg_score(&outcome, oracle ? &best : NULL);
    score.at[FG_HTD_P50] = run->htd_p50;
    score.at[FG_HTD_P90] = run->htd_p90;
    return score;
}

/* --- as text --- */

/* The whole numbers of a run, in the order they are written. */
#define COUNTS 12
static void counts_of(struct fg_run *run, uint64_t *at[COUNTS])
{
    uint64_t *all[COUNTS] = {&run->visits_a_step, &run->steps,       &run->sources,
                             &run->there,         &run->there_late,  &run->found,
                             &run->found_late,    &run->found_fresh, &run->visits,
                             &run->visits_late,   &run->failed,      &run->shown};
    memcpy(at, all, sizeof all);
}

static void add_series(struct fg_buf *out, const uint32_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fg_buf_printf(out, " %u", values[i]);
}

void fg_run_write(const struct fg_run *run, struct fg_buf *out)
{
    struct fg_run copy = *run;
    uint64_t *counts[COUNTS];
    counts_of(&copy, counts);
    for (size_t i = 0; i < COUNTS; i++)
        fg_buf_printf(out, " %llu", (unsigned long long)*counts[i]);
    /* Hexadecimal, so that what is read is what was written. */
    fg_buf_printf(out, " %a %a", run->htd_p50, run->htd_p90);
    add_series(out, run->found_by, FG_CURVE_POINTS);
    add_series(out, run->delayed, FG_DELAY_POINTS);
    add_series(out, run->visits_of, FG_RANK_POINTS);
}

static bool take_series(struct fg_str *rest, uint32_t *values, size_t n)
{
    uint64_t value;
    for (size_t i = 0; i < n; i++) {
        if (!fg_journal_u64(rest, &value) || value > UINT32_MAX)
            return false;
        values[i] = (uint32_t)value;
    }
    return true;
}

bool fg_run_read(struct fg_run *run, struct fg_str text)
{
    uint64_t *counts[COUNTS];
    *run = (struct fg_run){.is_done = true};
    counts_of(run, counts);
    for (size_t i = 0; i < COUNTS; i++)
        if (!fg_journal_u64(&text, counts[i]))
            return false;
    return fg_journal_double(&text, &run->htd_p50) &&
           fg_journal_double(&text, &run->htd_p90) &&
           take_series(&text, run->found_by, FG_CURVE_POINTS) &&
           take_series(&text, run->delayed, FG_DELAY_POINTS) &&
           take_series(&text, run->visits_of, FG_RANK_POINTS) && !text.len;
}
