/* bootstrap.h - how far a mean over sites can be trusted
 *
 *     struct fg_bootstrap *boot = fg_bootstrap_new(sites);
 *     struct fg_figure figure = fg_bootstrap_mean(boot, values);
 *     fg_bootstrap_free(boot);
 *
 * The percentile interval of Efron (1979), as both papers use it: the sites are drawn
 * again, as many as there are and with replacement, 1,000 times; the interval runs from
 * the 2.5th to the 97.5th percentile of the means. The draws depend on the number of
 * sites alone, so every figure of a workload is resampled alike, and a second run gives
 * the same intervals.
 *
 * Pairs are compared site by site before they are averaged (Schulam & Muslea, 3.4.1): the
 * mean of the ratios is not the ratio of the means. */
#ifndef FG_LAB_BOOTSTRAP_H
#define FG_LAB_BOOTSTRAP_H

#include "lab/result.h"

enum { FG_RESAMPLES = 1000 };

struct fg_bootstrap;

struct fg_bootstrap *fg_bootstrap_new(size_t sites);
void fg_bootstrap_free(struct fg_bootstrap *boot);

/* One value a site. A site whose value is NaN does not count; all NaN gives NaN. */
struct fg_figure fg_bootstrap_mean(struct fg_bootstrap *boot, const double *values);

/* The same of a[i] / b[i], or of a[i] - b[i]. A ratio to 0 does not count. */
struct fg_figure fg_bootstrap_ratio(struct fg_bootstrap *boot, const double *a,
                                    const double *b);
struct fg_figure fg_bootstrap_difference(struct fg_bootstrap *boot, const double *a,
                                         const double *b);

/* The sum of a over the sites by the sum of b: a figure of all sites taken together. NaN
 * if there is nothing to divide by. */
struct fg_figure fg_bootstrap_pooled(struct fg_bootstrap *boot, const double *a,
                                     const double *b);

#endif
