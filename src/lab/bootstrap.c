#include "lab/bootstrap.h"

#include "base/err.h"
#include "base/memory.h"
#include "base/rng.h"
#include "policy/metrics.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { SEED = 2023 };

struct fg_bootstrap {
    size_t sites;
    uint32_t *drawn; /* by resample * sites */
    double *value;   /* one a site, for pairs */
    double means[FG_RESAMPLES];
};

static void *room_for(size_t n, size_t bytes)
{
    void *at = fg_zeroed(n ? n : 1, bytes);
    return at;
}

struct fg_bootstrap *fg_bootstrap_new(size_t sites)
{
    struct fg_bootstrap *boot = room_for(1, sizeof *boot);
    struct fg_rng rng = fg_rng_from_seed(SEED);
    boot->sites = sites;
    boot->drawn = room_for(sites * FG_RESAMPLES, sizeof *boot->drawn);
    boot->value = room_for(sites, sizeof *boot->value);
    for (size_t i = 0; i < sites * FG_RESAMPLES; i++)
        boot->drawn[i] = (uint32_t)fg_rng_below(&rng, sites);
    return boot;
}

void fg_bootstrap_free(struct fg_bootstrap *boot)
{
    if (!boot)
        return;
    free(boot->drawn);
    free(boot->value);
    free(boot);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The means of the resamples, sorted; returns how many exist. One that drew only sites
 * without a value does not. */
static size_t resample(struct fg_bootstrap *boot, const double *values)
{
    size_t kept = 0;
    for (size_t r = 0; r < FG_RESAMPLES; r++) {
        const uint32_t *drawn = boot->drawn + r * boot->sites;
        double sum = 0;
        size_t n = 0;
        for (size_t i = 0; i < boot->sites; i++) {
            double value = values[drawn[i]];
            if (!isnan(value)) {
                sum += value;
                n++;
            }
        }
        if (n)
            boot->means[kept++] = sum / (double)n;
    }
    qsort(boot->means, kept, sizeof *boot->means, by_size);
    return kept;
}

struct fg_figure fg_bootstrap_mean(struct fg_bootstrap *boot, const double *values)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < boot->sites; i++)
        if (!isnan(values[i])) {
            sum += values[i];
            n++;
        }
    if (!n)
        return (struct fg_figure){NAN, NAN, NAN};
    double mean = sum / (double)n;
    if (n == 1)
        return (struct fg_figure){mean, mean, mean};
    size_t kept = resample(boot, values);
    return (struct fg_figure){mean, fg_quantile(boot->means, kept, 0.025),
                              fg_quantile(boot->means, kept, 0.975)};
}

struct fg_figure fg_bootstrap_ratio(struct fg_bootstrap *boot, const double *a,
                                    const double *b)
{
    for (size_t i = 0; i < boot->sites; i++)
        boot->value[i] = b[i] != 0 ? a[i] / b[i] : NAN;
    return fg_bootstrap_mean(boot, boot->value);
}

struct fg_figure fg_bootstrap_difference(struct fg_bootstrap *boot, const double *a,
                                         const double *b)
{
    for (size_t i = 0; i < boot->sites; i++)
        boot->value[i] = a[i] - b[i];
    return fg_bootstrap_mean(boot, boot->value);
}

struct fg_figure fg_bootstrap_pooled(struct fg_bootstrap *boot, const double *a,
                                     const double *b)
{
    double above = 0, below = 0;
    size_t kept = 0;
    for (size_t i = 0; i < boot->sites; i++) {
        above += a[i];
        below += b[i];
    }
    if (!(below > 0))
        return (struct fg_figure){NAN, NAN, NAN};
    for (size_t r = 0; r < FG_RESAMPLES; r++) {
        const uint32_t *drawn = boot->drawn + r * boot->sites;
        double top = 0, bottom = 0;
        for (size_t i = 0; i < boot->sites; i++) {
            top += a[drawn[i]];
            bottom += b[drawn[i]];
        }
        if (bottom > 0)
            boot->means[kept++] = top / bottom;
    }
    qsort(boot->means, kept, sizeof *boot->means, by_size);
    return (struct fg_figure){above / below, fg_quantile(boot->means, kept, 0.025),
                              fg_quantile(boot->means, kept, 0.975)};
}
