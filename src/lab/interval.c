#include "lab/interval.h"

#include "policy/metrics.h"

#include <math.h>
#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

void fg_sort_doubles(double *values, size_t n)
{
    if (n)
        qsort(values, n, sizeof *values, by_size);
}

static size_t drop_nans(double *values, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i]))
            values[kept++] = values[i];
    return kept;
}

struct fg_figure fg_median_interval(double *values, size_t n)
{
    n = drop_nans(values, n);
    if (!n)
        return (struct fg_figure){NAN, NAN, NAN};
    fg_sort_doubles(values, n);
    double middle = (double)n / 2, half = 1.96 * sqrt((double)n) / 2;
    double low = ceil(middle - half), high = ceil(middle + half);
    low = low < 1 ? 1 : low;
    high = high > (double)n ? (double)n : high;
    return (struct fg_figure){fg_quantile(values, n, 0.5), values[(size_t)low - 1],
                              values[(size_t)high - 1]};
}

/* The 97.5th percentile of Student's distribution. Beyond the table Fisher's first
 * three terms are good to 2e-4. */
static double student(size_t degrees)
{
    static const double table[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706,
                                   2.4469,  2.3646, 2.3060, 2.2622, 2.2281};
    if (degrees <= sizeof table / sizeof *table)
        return table[degrees - 1];
    double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    double v = (double)degrees;
    return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v);
}

struct fg_figure fg_mean_interval(const double *values, size_t n)
{
    struct fg_mean all = {0};
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        fg_mean_add(&all, values[i]);
    double mean = fg_mean_of(&all), count = (double)all.n;
    if (all.n < 2)
        return (struct fg_figure){mean, mean, mean};
    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i]))
            squares += (values[i] - mean) * (values[i] - mean);
    double half = student(all.n - 1) * sqrt(squares / (count - 1) / count);
    return (struct fg_figure){mean, mean - half, mean + half};
}

struct fg_figure fg_percentile_interval(double mean, double *values, size_t n)
{
    if (!n || isnan(mean))
        return (struct fg_figure){mean, mean, mean};
    fg_sort_doubles(values, n);
    return (struct fg_figure){mean, fg_quantile(values, n, 0.025),
                              fg_quantile(values, n, 0.975)};
}
