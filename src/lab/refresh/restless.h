/* restless.h - the two settings of Avrachenkov, Borkar and Patil (ICC 2021), section V
 *
 *     struct fg_restless_options options = {.setting = 1, .seed = 1};
 *     struct fg_timeline *timeline = fg_restless_make(&options);
 *     ...
 *     fg_timeline_free(timeline);
 *
 * Four groups of pages that differ in importance and rate of change; one page is visited
 * in each of 5,000 slots, and what counts is the importance of pages found changed. A
 * slot is a day here, so that rates a slot are rates a day. All pages are known at the
 * start.
 *   setting 1  a page a group; rates .6, .08, .01, .3
 *   setting 2  5, 80, 10 and 5 pages; rates .1, .002, .005, .05
 * Importance is 5, .2, 1, .5 in both. A rate is one of a Poisson process, as the paper's
 * static optimum takes it, or the chance of a change in a slot, as its text can be read.
 */
#ifndef FG_LAB_REFRESH_RESTLESS_H
#define FG_LAB_REFRESH_RESTLESS_H

#include "lab/refresh/timeline.h"

enum { FG_RESTLESS_GROUPS = 4, FG_RESTLESS_SLOTS = 5000 };

struct fg_restless_options {
    unsigned setting;    /* 1 or 2 */
    bool is_probability; /* how the rates are read */
    size_t slots;        /* 0: 5,000 */
    uint64_t seed;
};

struct fg_timeline *fg_restless_make(const struct fg_restless_options *options);

#endif
