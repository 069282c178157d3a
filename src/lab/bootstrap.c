#include "lab/bootstrap.h"

#include "base/memory.h"
#include "base/rng.h"
#include "lab/interval.h"

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

struct fg_bootstrap *fg_bootstrap_new(size_t sites)
{
    struct fg_bootstrap *boot = fg_zeroed(1, sizeof *boot);
    struct fg_rng rng = fg_rng_from_seed(SEED);
    boot->sites = sites;
    boot->drawn = fg_zeroed(sites * FG_RESAMPLES + 1, sizeof *boot->drawn);
    boot->value = fg_zeroed(sites + 1, sizeof *boot->value);
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

/* A resample that drew only sites without a value does not exist. */
struct fg_figure fg_bootstrap_mean(struct fg_bootstrap *boot, const double *values)
{
    struct fg_mean all = {0};
    size_t kept = 0;
    for (size_t i = 0; i < boot->sites; i++)
        fg_mean_add(&all, values[i]);
    for (size_t r = 0; all.n > 1 && r < FG_RESAMPLES; r++) {
        const uint32_t *drawn = boot->drawn + r * boot->sites;
        struct fg_mean mean = {0};
        for (size_t i = 0; i < boot->sites; i++)
            fg_mean_add(&mean, values[drawn[i]]);
        if (mean.n)
            boot->means[kept++] = fg_mean_of(&mean);
    }
    return fg_percentile_interval(fg_mean_of(&all), boot->means, kept);
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
    return fg_percentile_interval(above / below, boot->means, kept);
}
