/* interval.h - medians and means of a few values, with 95 % intervals
 *
 * Of a median the interval runs from one value to another, by their order alone: from the
 * one of rank n/2 - 1.96 sqrt(n)/2 to that of n/2 + 1.96 sqrt(n)/2, both rounded up
 * (Bland, An introduction to medical statistics, section 8.9; what Han et al. cite). Of a
 * mean it is Student's. A single value has no interval: lo = hi = mean. NaNs do not
 * count. */
#ifndef FG_LAB_INTERVAL_H
#define FG_LAB_INTERVAL_H

#include "lab/result.h"

#include <math.h>

/* Sorts the values. */
struct fg_figure fg_median_interval(double *values, size_t n);
struct fg_figure fg_mean_interval(const double *values, size_t n);
/* Around a mean that is given: the 2.5th and 97.5th percentile of values drawn again,
 * which are sorted. */
struct fg_figure fg_percentile_interval(double mean, double *values, size_t n);

void fg_sort_doubles(double *values, size_t n);

/* A mean that is gathered value by value; NaN if there was none. */
struct fg_mean {
    double sum;
    size_t n;
};

static inline void fg_mean_add(struct fg_mean *mean, double value)
{
    if (isnan(value))
        return;
    mean->sum += value;
    mean->n++;
}

static inline double fg_mean_of(const struct fg_mean *mean)
{
    return mean->n ? mean->sum / (double)mean->n : NAN;
}

#endif
