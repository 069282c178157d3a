#include "policy/metrics.h"

#include <math.h>
#include <stdlib.h>

double fg_quantile(const double *sorted, size_t n, double q)
{
    if (!n)
        return 0;
    double at = q * (double)(n - 1);
    size_t low = (size_t)at;
    if (low + 1 >= n)
        return sorted[n - 1];
    return sorted[low] + (at - (double)low) * (sorted[low + 1] - sorted[low]);
}

static int by_time(const void *a, const void *b)
{
    fg_time x = *(const fg_time *)a, y = *(const fg_time *)b;
    return (x > y) - (x < y);
}

static fg_time time_quantile(const fg_time *sorted, size_t n, double q)
{
    if (!n)
        return 0;
    double at = q * (double)(n - 1);
    size_t low = (size_t)at;
    if (low + 1 >= n)
        return sorted[n - 1];
    double part = at - (double)low;
    return sorted[low] + (fg_time)(part * (double)(sorted[low + 1] - sorted[low]));
}

struct fg_discovery_score fg_discovery_score(fg_time *delays, size_t n, double refreshes)
{
    if (n)
        qsort(delays, n, sizeof *delays, by_time);
    size_t missed = 0; /* FG_NEVER sorts first */
    while (missed < n && delays[missed] == FG_NEVER)
        missed++;
    struct fg_discovery_score score = {.published = n, .found = n - missed};
    score.coverage = n ? (double)score.found / (double)n : 0;
    score.overhead = score.found ? refreshes / (double)score.found : 0;
    score.delay_p50 = time_quantile(delays + missed, score.found, 0.5);
    score.delay_p90 = time_quantile(delays + missed, score.found, 0.9);
    return score;
}

/* The value at place `rank` (from 0) of the sorted values that the counts stand for. */
static double value_at(const uint32_t *counts, size_t n, uint64_t rank)
{
    uint64_t below = 0;
    for (size_t value = 0; value < n; value++) {
        below += counts[value];
        if (rank < below)
            return (double)value;
    }
    return NAN;
}

double fg_quantile_of_counts(const uint32_t *counts, size_t n, double q)
{
    uint64_t total = 0;
    for (size_t value = 0; value < n; value++)
        total += counts[value];
    if (!total)
        return NAN;
    double place = q * (double)(total - 1), floor_place = floor(place);
    double low = value_at(counts, n, (uint64_t)floor_place);
    double high = value_at(counts, n, (uint64_t)ceil(place));
    return low + (high - low) * (place - floor_place);
}
