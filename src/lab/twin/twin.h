/* twin.h - a site as it may have been, given what a crawl saw of it
 *
 *     struct fg_twin_rules rules = {.step = FG_HOUR, .seed = 1, .has_ghosts = true};
 *     struct fg_site *twin = fg_twin_new(&looked, &rules);
 *     ...try any policy on it, with any number of looks (trial.h)...
 *     fg_site_free(twin);
 *
 * Weighting the looks of a log by the chance of having been chosen says nothing of
 * another policy here, for what a look finds depends on all looks before it. So the log
 * is taken for what it tells of the site: links came between the look that did not show
 * them and the one that did, and left likewise. What is missing is drawn:
 *
 *   1 how long links stay on a source: a life table by age, from what was seen
 *   2 when a link came: within the span that all looks at all its sources leave open, at
 *     hours at which much comes rather than others, and rather late if links leave fast;
 *     when it left: by the life table
 *   3 where else it was: of the links first seen on u, the share that is seen on w when a
 *     look at w comes in time; it is put on w with the chance that it was there unseen
 *   4 ghosts, links that came and went unseen: as many as the rate of links that are seen
 *     on this source alone, and their stays, let expect
 *
 * Stock, shown by the first look, is there from the beginning. docs/policies.md says how
 * well this does on recordings. */
#ifndef FG_LAB_TWIN_TWIN_H
#define FG_LAB_TWIN_TWIN_H

#include "lab/twin/looked.h"

struct fg_twin_rules {
    fg_time step;
    uint64_t seed;
    bool has_ghosts; /* step 4 */
};

/* Of what was looked at and put in order. */
struct fg_site *fg_twin_new(const struct fg_looked *looked,
                            const struct fg_twin_rules *rules);

#endif
