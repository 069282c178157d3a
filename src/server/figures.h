/* figures.h - what came of a crawl lately: hour by hour, by purpose, by way
 *
 *     struct fg_figures *figures = fg_figures_new(FG_DAY, now);
 *     st = fg_figures_gather(figures, &look, site, err);
 *     ...
 *     fg_figures_free(figures);
 *
 * From events and visits of the store alone, so it costs what a walk over that span does.
 */
#ifndef FG_SERVER_FIGURES_H
#define FG_SERVER_FIGURES_H

#include "view/look.h"

/* Upper bounds of the delays from publication to discovery, in seconds; the last bucket
 * has none. */
enum { FG_DELAY_BUCKETS = 12 };
extern const double fg_delay_bounds[FG_DELAY_BUCKETS - 1];

/* How a new page was found. */
enum fg_way { FG_WAY_LINK, FG_WAY_FEED, FG_WAY_SITEMAP, FG_WAY_PUSH, FG_WAYS };
const char *fg_way_name(enum fg_way way);

enum { FG_PURPOSES = 8, FG_FAILURES = 256, FG_STATUSES = 600 };

struct fg_hour {
    uint64_t discoveries, changes, fetches, failures, links;
};

struct fg_figures {
    fg_time from, now, step; /* of an "hour", which may be more or less than one */
    struct fg_hour *hours;
    size_t n_hours;
    uint64_t delays[FG_DELAY_BUCKETS], dated;
    double delay_sum_s;
    uint64_t ways[FG_WAYS];
    uint64_t fetches[FG_PURPOSES], failures, not_modified, explored, bytes;
    /* Of the failures: those without an answer by their kind, the others by status. */
    uint32_t unanswered[FG_FAILURES], refused[FG_STATUSES];
};

struct fg_figures *fg_figures_new(fg_time span, fg_time now);
void fg_figures_free(struct fg_figures *figures);
/* site 0: of all. */
enum fg_status fg_figures_gather(struct fg_figures *figures, const struct fg_look *look,
                                 fg_site_id site, struct fg_err *err);

#endif
