/* polite.h - asking for pages the way their hosts want to be asked
 *
 *     struct fg_polite *polite = fg_polite_new(workers, loop, clock, &options);
 *     fg_polite_ask(polite, &(struct fg_ask){.url = url, .done = done, .context = x});
 *
 * Each host has a queue. Before the first page of a host is asked for, its robots.txt is
 * fetched (with its redirects) and kept for a day; RFC 9309's failure rules hold: an
 * error is never permission. A page that robots.txt forbids is answered at once with
 * FG_ASK_ROBOTS. Redirects are followed here, up to a limit: every hop is a request of
 * its own, checked against the robots.txt of its own host, and charged to that host's
 * delay. Names and passwords in a redirect's address are not used: they would make many
 * hosts of one. Never more requests are open than the workers have room for; hosts whose
 * time has come line up for the next free place.
 *
 * All of this is decided on the main loop; workers.h tells why, and how it holds. */
#ifndef FG_CRAWL_POLITE_H
#define FG_CRAWL_POLITE_H

#include "base/clock.h"
#include "base/str.h"
#include "base/time.h"
#include "crawl/host/pace.h"
#include "crawl/reading/workers.h"
#include "store/addresses.h"

#include <stdbool.h>

struct event_base;
struct fg_polite;

/* All that is kept about a host; also what fg_polite_recall takes. */
struct fg_host_state {
    struct fg_str key; /* "https://example.org" */
    struct fg_pace_memory memory;
    fg_time robots_fetched, robots_expires; /* FG_NEVER: not yet */
    unsigned robots_verdict;                /* of net/robots/robots.h */
    unsigned robots_failures;               /* to get it, in a row */
    struct fg_str robots;                   /* the text */
};

/* A request that was made and has ended, however it did; for the ledger. */
struct fg_made {
    struct fg_str key, target; /* the host, and path and query */
    fg_time started;           /* crawl time */
    const struct fg_response *response;
    unsigned purpose, hop; /* of the ask; redirects that led here */
    bool is_conditional, is_robots;
};

struct fg_polite_options {
    struct fg_pace_rules rules;
    unsigned max_redirects; /* at most 32 */
    fg_time patience;       /* a host that backs off for longer ends its asks as held */
    struct fg_str robots_token; /* our product token in robots.txt */
    fg_time robots_lifetime;    /* at most a day; 0: a day */
    /* What to remember about a host changed: called before the first request to a new
     * host is made and whenever back-off or robots.txt changed. Requests to the host wait
     * until fg_polite_saved was called as often as this: write-ahead, so that a crash
     * cannot make us forget that we just asked. NULL: nothing is kept. */
    void (*save)(void *context, const struct fg_host_state *state);
    /* May this URL be asked at all (scope, rules, traps)? NULL: yes. Asked on every hop.
     */
    bool (*allows)(void *context, struct fg_str url);
    /* Is a host, by its key, to be asked for anything for now? NULL: yes. Asked before
     * every request, also for robots.txt: of one that is not, asks end as stopped. */
    bool (*asks)(void *context, struct fg_str key);
    /* The robots.txt of a host is to be had at this address, of a host that is not asked.
     * Who has it from elsewhere gives it by fg_polite_robots_came. NULL: nobody does. */
    void (*robots_elsewhere)(void *context, struct fg_str key, struct fg_str url);
    void (*made)(void *context, const struct fg_made *made); /* NULL: nobody counts */
    /* Each request that ended, with its `wire`, before anything else. False: it could not
     * be kept, so to the one who asked it ends as stopped. NULL: nothing is archived. */
    bool (*record)(void *context, const struct fg_response *response);
    void *context;
    uint64_t seed;
    /* Somebody else may have asked until now: each host's delay begins anew. */
    bool is_taken_over;
    /* Who else asks the same addresses; NULL: nobody. */
    struct fg_addresses *addresses;
};

enum fg_ask_end {
    FG_ASK_ANSWERED, /* see the response: its outcome may still be a timeout */
    FG_ASK_ROBOTS,   /* robots.txt forbids it */
    FG_ASK_HELD, /* robots.txt cannot be had for now, or the host is backing off too long
                  */
    FG_ASK_REDIRECTS, /* too many, or in a circle */
    FG_ASK_LOCATION,  /* the redirect leads nowhere sensible */
    FG_ASK_RULES,     /* a hop that `allows` refused */
    FG_ASK_STOPPED,
};
const char *fg_ask_end_name(enum fg_ask_end end);

struct fg_hop {
    struct fg_str url;
    unsigned status; /* 301, 302, 303, 307, 308 */
};

struct fg_answer {
    enum fg_ask_end end;
    struct fg_str asked;       /* the URL of the request */
    struct fg_str url;         /* where it ended: canonical, after redirects */
    const struct fg_hop *hops; /* the redirects on the way */
    size_t n_hops;
    /* If answered, what came; if REDIRECTS, LOCATION or RULES, the last redirect; else
     * NULL. */
    const struct fg_response *response;
    const struct fg_reading *reading; /* of a page that was to be read; else NULL */
    fg_time held_until; /* if HELD, when asking again makes sense; else FG_NEVER */
    fg_time started;    /* crawl time of the last hop's request */
    unsigned requests;  /* made for it, hops included: what it cost */
};

/* Of a failure, does it tell of the page? That nobody answers, or that we are to come
 * back later, tells of its host. */
bool fg_answer_is_of_page(const struct fg_answer *answer);
bool fg_answer_has_page(const struct fg_answer *answer);

struct fg_ask {
    struct fg_str url; /* canonical */
    struct fg_str etag, last_modified;
    const char *accept;
    struct fg_str form; /* to be posted, as urlencoded; empty: a GET */
    size_t max_body;
    struct fg_request_note note; /* for the record */
    unsigned purpose;            /* the caller's own, for `made` */
    bool announces;              /* it shows new pages: see pace.h */
    float priority; /* within its host's queue, highest first; ties in order of asking */
    /* Asked when a request goes out: by which rules a page that comes is to be read.
     * False, or NULL: it is not. */
    bool (*rules)(void *context, struct fg_reading_rules *rules);
    /* Called by the worker, before the first request; may set validators and complete the
     * note, with texts in the arena of the exchange. Or NULL. */
    void (*prepare)(void *context, struct fg_exchange *exchange);
    void (*done)(void *context, const struct fg_answer *answer);
    void *context;
};

/* The workers go first: what they have is ours. */
struct fg_polite *fg_polite_new(struct fg_workers *workers, struct event_base *loop,
                                struct fg_clock *clock,
                                const struct fg_polite_options *options);
void fg_polite_free(struct fg_polite *polite);

/* What is remembered from an earlier run; before the first ask. */
void fg_polite_recall(struct fg_polite *polite, const struct fg_host_state *state);
/* A state of this host that was given to `save` is safely kept; call it once for each. */
void fg_polite_saved(struct fg_polite *polite, struct fg_str key);

/* What was saved of this host is no longer kept: it is saved anew before a request. */
void fg_polite_unsave(struct fg_polite *polite, struct fg_str key);

/* What the robots.txt of this host is, by somebody else's request for it. */
void fg_polite_robots_came(struct fg_polite *polite, struct fg_str key, unsigned status,
                           struct fg_str body);

/* New rules from now on. */
void fg_polite_retune(struct fg_polite *polite, const struct fg_pace_rules *rules);

/* Never calls `done` before it returns. */
void fg_polite_ask(struct fg_polite *polite, const struct fg_ask *ask);

/* No requests are begun until it goes on; open ones do. */
void fg_polite_pause(struct fg_polite *polite);
void fg_polite_resume(struct fg_polite *polite);

/* Of the asks that wait for their turn, those that `leaves` says end with FG_ASK_STOPPED;
 * and so do all those at hosts that are not to be asked; open requests go on. A
 * robots.txt that nobody else needs is not asked for either. */
void fg_polite_withdraw(struct fg_polite *polite,
                        bool (*leaves)(void *context, const struct fg_ask *ask),
                        void *context);
/* The same of all of them, and no others are taken. */
void fg_polite_wind_down(struct fg_polite *polite);
/* Requests that are open, and asks that wait. */
size_t fg_polite_in_flight(const struct fg_polite *polite);
size_t fg_polite_waiting(const struct fg_polite *polite,
                         struct fg_str key /* at NULL: all */);

/* Since when nobody answers (see outage.h); FG_NEVER: somebody does. */
fg_time fg_polite_outage(const struct fg_polite *polite);

/* For `forage fetch`, `why` and `status`. False if the host is not known. */
struct fg_host_view {
    fg_time next_request, delay, backoff_until, robots_expires;
    unsigned robots_verdict, in_flight;
    size_t waiting;
    uint64_t requests, not_modified, bytes; /* since start */
    struct fg_str robots;
    /* How the last try to get robots.txt went: "" if well, else in words. */
    const char *robots_trouble;
    enum fg_outcome robots_outcome;
    unsigned robots_status;
};
bool fg_polite_view(const struct fg_polite *polite, struct fg_str key,
                    struct fg_host_view *view);
/* The rules of a host's robots.txt; NULL if it has none, or none is known. They hold
 * until the loop turns. */
struct fg_robots;
const struct fg_robots *fg_polite_rules(const struct fg_polite *polite,
                                        struct fg_str key);
/* Sitemap lines of a host's robots.txt. */
size_t fg_polite_sitemaps(const struct fg_polite *polite, struct fg_str key,
                          const struct fg_str **urls);

#endif
