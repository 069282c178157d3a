/* metrics.h - how well a crawl did, defined once for the lab and for life
 *
 * The definitions are those of Schulam & Muslea (WWW 2023), section 2.1: of the targets
 * that could have been found, coverage is the share that was; overhead is refreshes for
 * each one found; hours to discovery run from when a target was first to be seen anywhere
 * to when the crawl first saw it. */
#ifndef FG_POLICY_METRICS_H
#define FG_POLICY_METRICS_H

#include "base/time.h"

#include <stddef.h>
#include <stdint.h>

struct fg_discovery_score {
    size_t published, found;
    double coverage, overhead;
    fg_time delay_p50, delay_p90; /* of those found; 0 if none was */
};

/* `delays` has one entry a target, FG_NEVER for one that was not found; it is sorted. */
struct fg_discovery_score fg_discovery_score(fg_time *delays, size_t n, double refreshes);

/* The value below which a share `q` of the sorted values lies, by linear interpolation.
 */
double fg_quantile(const double *sorted, size_t n, double q);

/* The same for values 0 .. n - 1 of which counts[value] are there; NaN if there are none.
 */
double fg_quantile_of_counts(const uint32_t *counts, size_t n, double q);

#endif
