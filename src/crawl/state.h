/* state.h - a crawl as a whole
 *
 * Each subject keeps its part in a struct of its own, whose header has the functions that
 * work on it; the loop in crawl.c wires them. */
#ifndef FG_CRAWL_STATE_H
#define FG_CRAWL_STATE_H

#include "crawl/budget.h"
#include "crawl/crawl.h"
#include "crawl/documents/documents.h"
#include "crawl/host/ledger.h"
#include "crawl/intake/intake.h"
#include "crawl/judging/judging.h"
#include "crawl/keeping.h"
#include "crawl/minds.h"
#include "crawl/people.h"
#include "crawl/pricing.h"
#include "crawl/reading/reading.h"
#include "crawl/signals/push.h"
#include "crawl/sites/known.h"
#include "crawl/sites/site.h"
#include "crawl/sources/sources.h"

struct event;
struct event_base;

/* The loop, and how it ends. */
struct crawl_run {
    struct event_base *loop;
    struct event *ticker, *beat, *feeder, *waker, *reporter, *deadline, *interrupt,
        *terminate, *hangup, *lease, *goer;
    struct fg_slices *slices; /* of a tick of many sites */
    fg_time started;
    unsigned signals;
    bool is_stopping;
    bool is_disk_full;              /* the store waits for room, and so does all else */
    bool is_held;                   /* the lease ends before a request might */
    struct fg_addresses *addresses; /* asked by other processes as well; or NULL */
    double spent, load;   /* fetches at the last tick; an hour, smoothed over one */
    bool is_store_locked; /* and this is for what: another program, or the database */
    enum fg_crawl_end end;
    struct fg_err *err;
};

struct fg_crawl {
    struct fg_crawl_options options;
    struct fg_store *store;
    struct fg_clock *clock; /* that of the options */
    struct fg_workers *workers;
    struct fg_polite *polite;
    struct fg_known known;
    struct fg_guard guard;
    struct fg_focus *focus; /* NULL: all pages count */
    struct fg_ledger ledger;
    struct fg_crawl_counts counts;
    struct crawl_sites sites;
    struct crawl_sources sources;
    struct crawl_documents documents;
    struct crawl_promises promises;
    struct crawl_judging judging;
    struct crawl_minds minds;
    struct crawl_intake intake;
    struct crawl_push push;
    struct crawl_budget budget;
    struct crawl_pricing pricing;
    struct crawl_run run;
    struct crawl_people people;
    struct crawl_keeping keeping;
    struct fg_arena arena;   /* for the life of the crawl */
    struct fg_arena scratch; /* for one result */
};

/* NULL: there is none. */
static inline struct site *crawl_site_with(const struct fg_crawl *crawl, fg_site_id id)
{
    const uint64_t *at = fg_map_get(&crawl->sites.by_id, id);
    return at ? crawl->sites.all.at[*at] : NULL;
}

/* --- ending.c --- */
/* The loop ends, with these words. */
void crawl_fail(struct fg_crawl *crawl, const struct fg_err *err);
/* Nothing more is asked for; the loop ends when what is on its way has come. */
void crawl_wind_down(struct fg_crawl *crawl, enum fg_crawl_end end);
/* Asked after every turn of the loop: open requests end in many ways (an answer, a
 * redirect not followed any more, a robots.txt), and each may be the last. */
bool crawl_is_over(const struct fg_crawl *crawl);
const char *crawl_end_name(enum fg_crawl_end end);
/* No requests until the disk has caught up with most of what was found. */
void crawl_wait_for_disk(struct fg_crawl *crawl);
void crawl_show_progress(const struct fg_crawl *crawl);
static inline struct fg_reading_rules crawl_reading_rules(const struct fg_crawl *crawl)
{
    return (struct fg_reading_rules){.token = crawl->options.robots_token,
                                     .keep = crawl->options.naming.keep};
}
/* After each answer, once in a turn of the loop: more of the same, the end of an
 * exploration, the end. */
void crawl_after_answer(struct fg_crawl *crawl, struct site *site);

/* --- watching.c --- */
/* Watch a site from now on, as a seed asks. */
struct site *crawl_watch_site(struct fg_crawl *crawl, struct fg_batch *batch,
                              struct fg_str key, const struct fg_seed *seed, fg_time now);
void crawl_add_sitemaps(struct fg_crawl *crawl, struct fg_batch *batch,
                        struct site *site);
void crawl_try_sitemap(struct fg_crawl *crawl, struct fg_batch *batch, struct site *site,
                       fg_time now);

#endif
