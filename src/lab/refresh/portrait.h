/* portrait.h - a timeline in figures
 *
 *     struct fg_portrait portrait = fg_portrait_of(timeline);
 *     for (size_t i = 0; i < FG_PORTRAIT; i++)
 *         ...fg_portrait_info[i].label, portrait.at[i]...
 *
 * The rates of pages are changes a day over the time they are there. A figure that does
 * not exist is NaN. */
#ifndef FG_LAB_REFRESH_PORTRAIT_H
#define FG_LAB_REFRESH_PORTRAIT_H

#include "lab/refresh/timeline.h"
#include "lab/stats.h"

enum fg_portrait_stat {
    FG_PORTRAIT_PAGES,
    FG_PORTRAIT_GROUPS,
    FG_PORTRAIT_DAYS,
    FG_PORTRAIT_STEP,   /* hours */
    FG_PORTRAIT_JUDGED, /* days of the judged time */
    FG_PORTRAIT_CHANGES,
    FG_PORTRAIT_RATE, /* of all pages together, by the time they are there */
    FG_PORTRAIT_RATE_P10,
    FG_PORTRAIT_RATE_P50,
    FG_PORTRAIT_RATE_P90,
    FG_PORTRAIT_RATE_P99,
    FG_PORTRAIT_NEVER,       /* share of pages that never change */
    FG_PORTRAIT_TOP,         /* share of changes on the busiest hundredth of the pages */
    FG_PORTRAIT_BACK,        /* share of changes to a value the page had before */
    FG_PORTRAIT_INTERVAL_CV, /* of times between changes: median over pages with nine */
    FG_PORTRAIT_HOUR_CV,     /* of changes by hour of day (UTC): deviation over mean */
    FG_PORTRAIT_TOGETHER, /* share of changes with another of the group within an hour */
    FG_PORTRAIT
};

extern const struct fg_stat_info fg_portrait_info[FG_PORTRAIT];

struct fg_portrait {
    double at[FG_PORTRAIT];
};

struct fg_portrait fg_portrait_of(const struct fg_timeline *timeline);

#endif
