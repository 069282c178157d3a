/* timeline.h - pages whose contents change, with every change known
 *
 * What a refresh policy is measured on: recorded change histories (history.h), shop
 * offers (offers.h), the restless bandit (restless.h). Changes are at exact times; a
 * policy visits on a grid of steps. Two changes of a page to the same value are the same
 * content: a price that returns makes an old copy fresh again.
 *
 * Days count from `from`. All arrays belong to the timeline. */
#ifndef FG_LAB_REFRESH_TIMELINE_H
#define FG_LAB_REFRESH_TIMELINE_H

#include "base/time.h"
#include "policy/policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From `at` on the page has this value; before its first change it has value 0. */
struct fg_change {
    fg_time at;
    uint32_t page, value;
};

/* Somebody says that a page has changed; perhaps it has not. */
struct fg_hint {
    fg_time at;
    uint32_t page;
};

enum { FG_SKILL_PARTS = 20 };

/* What only workloads of offers have. */
struct fg_timeline_offers {
    /* Clicks, for workloads that have them: the true rate of page p on day d is
     * clicks[(d - first_day) * n + p]; within a day they follow the profile (12 parts
     * that sum to 1). NULL: none. */
    float *clicks;
    const double *click_profile;
    /* What policies are told at the start of day d, laid out likewise; NULL: nothing. */
    float *told[FG_TOLD_KINDS];
    size_t first_day, days;
    /* How good the forecasts among it are, by question and model of learn/forecast.h: the
     * AUC of FG_SKILL_PARTS parts of the crawled days each. NULL: there are none. */
    float *skill;
};

struct fg_timeline {
    char *name;
    size_t n; /* pages */
    fg_time from, to, step;
    fg_time crawled_from;      /* the policy's first step */
    fg_time judged_from;       /* up to here it warms up */
    fg_time *first, *last;     /* there in [first, last); NULL: from beginning to end */
    uint32_t *site, *group;    /* NULL: all pages are of site 0; groups are the sites */
    float *weight;             /* importance, which the policy is told; NULL: 1 */
    char **names;              /* NULL: none */
    struct fg_change *changes; /* by time, then page */
    size_t n_changes;
    struct fg_hint *hints; /* by time; told to the policy before its next step */
    size_t n_hints;
    double *rate; /* true changes a day, for policies that foresee; NULL: as counted */
    bool is_seen_first; /* each page is seen once, free, when it first is there; otherwise
                           nothing is known of it before its first visit, and it is stale
                         */
    double failures;    /* share of the visits that fail, by lot */
    bool *is_lost; /* pages whose visits all fail: their copy is never right; NULL: none
                    */
    bool is_told_reward; /* 004: what counts is mu of pages found changed */

    struct fg_timeline_offers offers;
};

void fg_timeline_free(struct fg_timeline *timeline); /* NULL is fine */

#endif
