/* lomax.h - what the parts of the policy lomax share; see lomax.c for the idea
 *
 * lomax_index.h    what a visit is worth, given what is believed of a page's rate
 * lomax_prior.h    the prior that all pages share
 * lomax_clocks.h   siblings that change together
 * lomax_burst.h    changes that come in bursts
 * lomax_signals.h  feeds and sitemaps that say what has changed
 * lomax_worth.c    all of them put together for one page
 * lomax_queue.c    choosing without looking at every page
 * lomax_save.c     keeping what is known
 * calendar.h       what it is done with */
#ifndef FG_POLICY_REFRESH_LOMAX_H
#define FG_POLICY_REFRESH_LOMAX_H

#include "base/topk.h"
#include "base/vec.h"
#include "policy/cost.h"
#include "policy/policy.h"
#include "policy/refresh/calendar.h"
#include "policy/refresh/lomax_burst.h"
#include "policy/refresh/lomax_clocks.h"
#include "policy/refresh/lomax_prior.h"
#include "policy/refresh/lomax_signals.h"

/* Columns: 23 bytes a page. */
enum {
    LOMAX_CHANGES,     /* seen and made up for, faded */
    LOMAX_EXPOSURE,    /* days */
    LOMAX_LAST_CHANGE, /* seconds since 1970 */
    LOMAX_TOLD,        /* rate that was told first, or 0 */
    LOMAX_DUE,         /* where the page is in the calendar */
    LOMAX_SIGNALS,     /* since the last visit */
    LOMAX_STAKE,       /* weight when it was put there, as fg_octaves has it */
    LOMAX_COST,        /* of a visit, likewise */
};

enum {
    LOMAX_EXACT,
    LOMAX_OWN,
    LOMAX_ALPHA,
    LOMAX_SHAPE,
    LOMAX_HALF_LIFE,
    LOMAX_HORIZON,
    LOMAX_SHRINKAGE,
    LOMAX_SIBLINGS,
    LOMAX_CLOCKS,
    LOMAX_BURSTS,
    LOMAX_PROFILE,
    LOMAX_AT_TICKS,
};

struct fg_lomax_queue {
    struct fg_calendar calendar;
    bool is_on, is_packed;           /* packed: the calendar is as the column says */
    fg_time start, tick;             /* ticks of this length count from there */
    double price;                    /* worth from which a visit is made ... */
    double steady_price, correction; /* ... and what it is made of */
    int64_t day;                     /* for which that was found */
    float *site_price;               /* times this where sites have limits; NULL: 1 */
    size_t sites;
    bool *is_shocked; /* groups, as of when all pages were last looked through */
    size_t groups;
    /* Pages to be put somewhere, to be looked at in the next tick, picked in the last. */
    FG_VEC(uint32_t) fresh, carried, picked;
    FG_VEC(struct fg_top) ready; /* of this tick, with what they are worth */
    size_t barred; /* that could not be visited in the last ticks, as many are expected */
    /* Pages, for benchmarks and for how often all can be looked through. */
    uint64_t chosen, touched, streamed, chosen_before, chosen_then;
    double prior_time; /* what a new page was worth when all were last put anew */
};

struct fg_lomax {
    struct fg_lomax_prior prior,
        told_prior; /* of pages whose rate was not, or was told */
    struct fg_lomax_group *group;
    size_t groups;
    uint32_t *groups_then; /* of pages, in a former run; NULL if it does not matter */
    size_t pages_then;     /* so many */
    struct fg_lomax_clocks clocks;
    struct fg_lomax_burst burst;
    struct fg_lomax_signals signals;
    int64_t day;                   /* of the last review, or NO_DAY */
    double mean_importance, alpha; /* in use; alpha is 0 if weights are what they are */
    double least_weight; /* pages that do not count come last, but have their turns */
    double mean_weight;  /* of the pages, as they are told */
    double mean_budget;  /* picks a tick, as they were asked for */
    double visits_a_day; /* for each page, as the budget allows */
    struct fg_lomax_queue queue;
};

/* --- one page: lomax_worth.c --- */

/* What counts for a page just now. */
struct fg_lomax_page {
    struct fg_gamma_rate rate;
    double changes; /* seen */
    double value;   /* weight by cost */
    uint32_t group;
    fg_time visited;
    double since_change; /* days from the last change seen to the last visit */
    struct fg_lomax_trust trust;
    unsigned signals;
};

struct fg_lomax_page fg_lomax_page(const struct fg_brain *brain, size_t page);
double fg_lomax_importance(const struct fg_world *world, size_t page);
double fg_lomax_weight(const struct fg_brain *brain, size_t page);
double fg_lomax_value(const struct fg_brain *brain, size_t page); /* weight by cost */
/* Days from the last change seen. */
double fg_lomax_since_change(const struct fg_brain *brain, size_t page, fg_time when);
/* What is believed of its rate, a day; and what was before anything was seen. */
struct fg_gamma_rate fg_lomax_rate(const struct fg_brain *brain, size_t page);
struct fg_gamma_rate fg_lomax_prior_of(const struct fg_brain *brain, size_t page);

/* What a visit is worth now, and what it can ever be worth. */
double fg_lomax_worth(const struct fg_brain *brain, const struct fg_lomax_page *page,
                      fg_time now);
/* With what it will be worth soon, of a page that has been visited: in proportion to the
 * `power` of the days `passed`, on the page's clock, since then. */
struct fg_lomax_standing {
    double worth, passed, power;
};
struct fg_lomax_standing fg_lomax_stand(const struct fg_brain *brain,
                                        const struct fg_lomax_page *page, fg_time now);
double fg_lomax_most_worth(const struct fg_brain *brain,
                           const struct fg_lomax_page *page);
/* Days from now until a visit is worth `price`, or a little less; INFINITY if it never
 * is. Of a page that has been visited. */
double fg_lomax_wait(const struct fg_brain *brain, const struct fg_lomax_page *page,
                     fg_time now, double price);
/* Days for which a page that failed is not to be tried again; 0: it may. */
double fg_lomax_rest(const struct fg_world *world, size_t page, fg_time now);

void fg_lomax_grow_groups(struct fg_lomax *self, size_t groups);

/* --- saving: lomax_save.c --- */

void fg_lomax_save(struct fg_brain *brain, struct fg_buf *out);
bool fg_lomax_load(struct fg_brain *brain, struct fg_str bytes);
void fg_lomax_save_site(struct fg_brain *brain, const uint32_t *rows, size_t n,
                        struct fg_buf *learnt, struct fg_buf *passing);
bool fg_lomax_load_site(struct fg_brain *brain, const uint32_t *rows, size_t n,
                        struct fg_str learnt, struct fg_str passing);
/* Groups have new numbers since a load, if there was one. */
void fg_lomax_renumber(struct fg_brain *brain);
/* Between a load and that, pages were added from row `first` on, or one was moved. */
void fg_lomax_groups_added(struct fg_lomax *self, size_t first);
void fg_lomax_groups_moved(struct fg_lomax *self, size_t from, size_t to);

/* --- choosing: lomax_queue.c --- */

size_t fg_lomax_queue_select(struct fg_brain *brain, fg_time now, size_t budget,
                             struct fg_pick *out);
void fg_lomax_queue_observe(struct fg_brain *brain, const struct fg_visit *visit);
void fg_lomax_queue_signal(struct fg_brain *brain, size_t page, fg_time now);
void fg_lomax_queue_added(struct fg_brain *brain, size_t first);
void fg_lomax_queue_moved(struct fg_brain *brain, size_t from, size_t to);
/* Each of so many sites has a price. */
void fg_lomax_queue_sites(struct fg_lomax_queue *queue, size_t sites);
void fg_lomax_queue_stop(struct fg_lomax_queue *queue);

#endif
