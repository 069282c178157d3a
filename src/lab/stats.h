/* stats.h - a site in figures
 *
 *     struct fg_site_stats stats = fg_site_stats(site);
 *     for (size_t i = 0; i < FG_STATS; i++)
 *         ...fg_stat_info[i].label, stats.at[i], fg_stat_info[i].unit...
 *
 * Of generated and recorded sites alike, so that the one can be held against the other.
 * What is there at step 0, or on a source's first step that can be seen, is stock: it
 * tells nothing of when it came, so "new" leaves it out. A link that comes back is not
 * new again. A figure that does not exist is NaN. */
#ifndef FG_LAB_STATS_H
#define FG_LAB_STATS_H

#include "lab/site.h"

enum fg_stat {
    FG_STAT_SOURCES,
    FG_STAT_WEB_SITES, /* that the sources belong to */
    FG_STAT_HOURS,
    FG_STAT_TARGETS,
    FG_STAT_RELEVANT,     /* share of the targets */
    FG_STAT_PAIRS,        /* a source and a target it ever showed */
    FG_STAT_OBSERVATIONS, /* a pair and a step at which it is there */
    FG_STAT_MISSING,      /* share of visits that would fail */
    FG_STAT_LINKS,        /* on a page at a time */
    FG_STAT_NEW,          /* targets an hour on the site, ... */
    FG_STAT_NEW_SOURCE,   /* ... and pairs an hour and source: mean, then by source */
    FG_STAT_NEW_LEAST,
    FG_STAT_NEW_P10,
    FG_STAT_NEW_P50,
    FG_STAT_NEW_P90,
    FG_STAT_NEW_MOST,
    FG_STAT_SHARED,   /* share of targets on more than one source */
    FG_STAT_DEGREE,   /* sources a target */
    FG_STAT_ONCE,     /* share of new pairs that are there at one step only */
    FG_STAT_LIFE_P10, /* hours from first to last seen, of new pairs, returns included */
    FG_STAT_LIFE_P50,
    FG_STAT_LIFE_P90,
    FG_STAT_HOUR_CV,    /* of new targets by hour of day (UTC): deviation over mean */
    FG_STAT_HOUR_RATIO, /* busiest hour of day over the quietest */
    FG_STAT_HOUR_PEAK,
    FG_STAT_HOUR_TROUGH,
    FG_STAT_DAY_RATIO,    /* busiest weekday over the quietest */
    FG_STAT_JACCARD_P50,  /* of the new targets of two sources of a web site */
    FG_STAT_JACCARD_LOW,  /* share of such pairs of sources below 0.05 ... */
    FG_STAT_JACCARD_HIGH, /* ... and above 0.7 */
    FG_STATS
};

struct fg_stat_info {
    const char *name;  /* for programs: "hour_cv" */
    const char *label; /* for people: "hour-of-day variation" */
    const char *unit;  /* "%", "h", "" */
    double scale;      /* what a value is multiplied by to be shown in that unit */
    int digits;        /* behind the point, as shown */
};
extern const struct fg_stat_info fg_stat_info[FG_STATS];

enum { FG_JACCARD_BINS = 20 };

struct fg_site_stats {
    double at[FG_STATS];
    /* How many pairs of sources have a Jaccard coefficient in [i / 20, (i + 1) / 20), 1
     * among the last. Of web sites with more than 2,000 sources the first 2,000 count. */
    uint64_t jaccard[FG_JACCARD_BINS];
};

struct fg_site_stats fg_site_stats(const struct fg_site *site);

#endif
