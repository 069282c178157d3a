/* budget.h - visits, and how many of them may be made */
#ifndef FG_CRAWL_BUDGET_H
#define FG_CRAWL_BUDGET_H

#include "crawl/host/polite.h"
#include "crawl/reading/before.h"
#include "crawl/sites/known.h"
#include "crawl/sites/site.h"
#include "policy/policy.h"

/* A tick that comes late brings the budget of this many at most. */
enum { MOST_TICKS = 4 };

/* First fetches of a page that may fail before it is left alone. */
enum { MOST_FAILURES = 3 };

enum purpose {
    FIRST_FETCH = 1,
    SOURCE_REFRESH = 2,
    DOCUMENT_REFRESH = 3,
    CAPTURE = 4, /* of an archive: captures.h */
};

/* The failure code of a visit is an enum fg_outcome, or this plus an enum fg_ask_end. */
enum { FAILED_ASK = 100 };

/* A visit on its way. */
struct visit {
    struct fg_crawl *crawl;
    uint32_t row;
    enum purpose purpose;
    struct fg_pick pick;
    bool conditional;
    bool wants_whole; /* not on condition that it has changed */
    bool is_document;
    fg_site_id site;
    fg_page_id page;
    double cost;                      /* as it was expected, and paid for: cost.h */
    struct fg_before before;          /* what we have; the worker reads it */
    const struct fg_value_rule *rule; /* by which it is being read */
    const struct fg_noise *noise;
    struct visit *next_idle;
};

struct crawl_budget {
    double all, first, documents; /* requests that may be made */
    double usual_cost;            /* of first fetches; 0: none has been made */
    fg_time tick_started, next_tick;
    fg_time short_until; /* it was spent before all had their turn */
    double ticks_passed; /* from the tick before to this one: 1, or more if it is late */
    size_t open_asks;
    struct visit *idle_visits;
    void (*answered)(void *visit, const struct fg_answer *answer); /* crawl_on_answer */
};

/* --- asking.c --- */
/* Ask for a page; `pick` may be NULL. */
void crawl_ask(struct fg_crawl *crawl, uint32_t row, enum purpose purpose,
               const struct fg_pick *pick, float priority);
/* Of an ask, whose context is a visit: how the answer is to be read. */
bool visit_rules(void *context, struct fg_reading_rules *rules);
/* Asks that wait for their turn end as FG_ASK_STOPPED. */
void crawl_withdraw_site(struct fg_crawl *crawl, const struct site *site);
void crawl_withdraw_page(struct fg_crawl *crawl, uint32_t row);
/* All that this crawl may ask for is on its way. */
bool crawl_is_at_limit(const struct fg_crawl *crawl);
/* Is it a page that new ones are found on? */
bool page_announces(const struct fg_known_page *page);

/* --- tick.c --- */
void crawl_tick(struct fg_crawl *crawl);
/* Its host has backed off: ask for a page that announces new ones, before all else. */
void crawl_wake(struct fg_crawl *crawl, struct site *site);
/* Ask for pages never fetched, as far as budget and politeness queues have room. */
void crawl_feed(struct fg_crawl *crawl);
void crawl_feed_site(struct fg_crawl *crawl, struct site *site);
/* Returns how many those are, the first of `stirred`. */
size_t crawl_feed_stirred(struct fg_crawl *crawl);
bool crawl_is_idle(const struct fg_crawl *crawl);

/* --- result.c --- */
/* Of an ask, whose context is a visit. */
void crawl_on_answer(void *context, const struct fg_answer *answer);

#endif
