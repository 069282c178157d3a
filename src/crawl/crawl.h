/* crawl.h - the live loop: watch sites, find new pages, lose nothing
 *
 *     struct fg_crawl *crawl;
 *     fg_crawl_new(&crawl, store, &options, err);
 *     fg_crawl_add(crawl, FG_STR("https://example.org/"), &seed, err);
 *     fg_crawl_run(crawl, err);           (until a signal, a limit, or nothing is left)
 *     fg_crawl_free(crawl);
 *
 * A site is first explored (bootstrap): robots.txt, its sitemaps and feeds, the home page
 * and a bounded number of pages from there, to find its sources: pages that list links to
 * other pages of the site. Then, tick by tick, a policy chooses which sources to look at
 * again. What a result means is in result.c; which pages are sources, in source.c; the
 * budget, in tick.c.
 *
 * All effects of one result are one batch of the store, and nothing is told to the
 * outside before its batch is on disk. After a kill at any instruction the next start
 * goes on from the last batch. */
#ifndef FG_CRAWL_CRAWL_H
#define FG_CRAWL_CRAWL_H

#include "base/clock.h"
#include "base/err.h"
#include "base/opt.h"
#include "crawl/archive/archive.h"
#include "crawl/host/conduct.h"
#include "crawl/host/pace.h"
#include "crawl/judging/focus.h"
#include "crawl/output/output.h"
#include "crawl/signals/push_state.h"
#include "crawl/sites/site_row.h"
#include "crawl/sites/site_rules.h"
#include "crawl/sources/guard.h"
#include "net/http/fetch.h"
#include "store/store.h"

#include <stdbool.h>

struct fg_crawl;

/* Which pages are kept fresh for their own sake, besides those that the user named. */
enum fg_documents {
    FG_DOCUMENTS_SEEDS,  /* none */
    FG_DOCUMENTS_OFFERS, /* those that offer something for a price */
    FG_DOCUMENTS_ALL,    /* all that are fetched */
};

/* Which kinds of pages are told of, or-ed; net/facts/kind.h. */
enum fg_report {
    FG_REPORT_PAGES = 1,
    FG_REPORT_LISTS = 2,
    FG_REPORT_ACTIONS = 4,
    FG_REPORT_OTHERS = 8, /* errors, and what has nothing to read */
};

/* Page requests an hour to one site, unless somebody says otherwise. */
#define FG_SITE_BUDGET 600

/* How long what has ended is kept: spans, 0 for ever. See store.h for when it ends. */
struct fg_retention {
    fg_time visits, gone_links, bodies, values, events;
};

/* Who answers for the crawl, and what they say of it. */
struct fg_operator {
    struct fg_str name, contact, page, purpose;
    struct fg_opt_list addresses; /* that requests come from */
    struct fg_str user_agent;     /* the whole header; empty: made from the above */
    bool is_given; /* somebody answers for this crawl: required beyond loopback */
};

/* A clock of its own, for crawls of a simulated web. */
struct fg_clock_options {
    double speed;
    struct fg_str anchor;
};

/* Which addresses are one page, for a new store: crawl/sources/naming.h. */
struct fg_naming_options {
    bool sort_query, drop_tracking;
    unsigned keep; /* enum fg_canonical_keep; follows from these */
};

/* Who fetches and reads: crawl/reading/workers.h. */
struct fg_worker_options {
    unsigned threads; /* 0: one a core */
    bool read_apart;  /* pages, in processes of their own */
};

struct fg_policy_options {
    const char *discovery, *refresh;
    struct fg_opt_list params; /* "alpha=0.5", of either policy */
    bool forecasts;            /* train networks for the refresh policy: outlook.h */
    uint64_t seed;
};

/* For fetchers of others: scheduling.h. */
enum fg_stock { FG_STOCK_SAMPLE, FG_STOCK_ALL };
struct fg_scheduling_options {
    int task; /* 0: discovery, 1: refresh */
    fg_time lease;
    double explore;
    bool follows;
    int stock;
};

/* What of the budget nobody takes from documents, however much there is to find. */
#define FG_DOCUMENTS_FOR_SURE 0.2

struct fg_budget_options {
    fg_time tick;
    double per_hour;          /* page requests in all; 0: no limit */
    double site_per_hour;     /* of one site; 0: no limit */
    fg_time at_least;         /* the longest time between two visits of seeds, feeds
                                 and documents; 0: none is promised */
    int worth;                /* at which price, or by shares: pricing.h */
    size_t cost_bytes;        /* of a body, that cost what a request does; 0: nothing */
    struct fg_opt_list costs; /* of a request, by site: cost.h */
    double fresh_hour;  /* new pages that one of a fresh copy is worth; 0: as `worth`
                           says */
    double least_delay; /* link-hours of delay that a look at a source must end; 0: any */
};

struct fg_document_options {
    int which;                 /* enum fg_documents */
    unsigned max;              /* of a site, those the user named aside */
    struct fg_str value_rule;  /* what of a document counts: net/html/value.h */
    struct fg_opt_list ignore; /* and what of any page does not: net/html/noise.h */
    double least_change;       /* share of a document's words that must differ; 0: any */
    bool report_changes;       /* as events */
    unsigned depth;            /* versions kept of its value */
};

struct fg_explore_options {
    unsigned max_sources;  /* of a site */
    unsigned pages;        /* fetched to find them */
    bool backfill;         /* fetch all of the stock, not only lists and documents */
    bool new_sites;        /* keep which other sites pages lead to */
    bool fetch_discovered; /* fetch new pages, or only report their address */
};

/* Which kinds of pages are told of. */
struct fg_report_options {
    struct fg_opt_list names;
    unsigned kinds; /* enum fg_report; follows from the names */
};

/* How results of a search are ranked: docs/ranking.md. */
struct fg_ranking_options {
    int policy; /* of fg_ranking_names */
    double degree;
    unsigned start;
    unsigned most_events; /* of one client a day that count, over the server */
};
extern const char *const fg_ranking_names[]; /* the last, before NULL, is "off" */

/* The score by which it is measured what searchers would miss. */
enum fg_worth_score { FG_WORTH_TFIDF, FG_WORTH_INLINKS, FG_WORTH_NONE };

struct fg_keep_options {
    bool search_index, search_log; /* the texts of pages; what is searched for */
    int worth;                     /* enum fg_worth_score */
    struct fg_ranking_options ranking;
    bool bodies;
    unsigned body_depth; /* versions kept of each page */
    fg_time requests;    /* how long, for the ledger; 0: none is kept */
    const char *marks;   /* file of what is being read (marks.h); NULL: none */
};

/* The part of a crawl that several processes work on: store/lots.h. */
struct fg_lease;
struct fg_lot_options {
    unsigned lots, lot;     /* 0 lots: all of it is ours */
    struct fg_lease *lease; /* by which it is */
    const char *whole;      /* the place of all of them */
    double budget;          /* of all of them, requests an hour; 0: no limit */
};

/* Of one run, said by whoever starts it. */
struct fg_run_limits {
    bool once;          /* stop when nothing is left to fetch for the first time */
    fg_time time_limit; /* 0: none */
    uint64_t size_limit_bytes, fetch_limit;
    int events_fd;         /* JSON lines of discoveries; -1: none */
    size_t most_unwritten; /* results that wait for the disk before we do; 0: any */
};

/* The settings of a crawl. Each stands in a row of settings.c, of focus.c, conduct.c or
 * an output, with its default, its range and its help; the rows write here. */
struct fg_crawl_options {
    struct fg_operator who;
    struct fg_str robots_token;
    struct fg_fetch_options fetch;
    struct fg_pace_rules pace;
    struct fg_guard_rules guard;
    struct fg_focus_rules focus;     /* with the labels in the store, if there are any */
    struct fg_conduct_rules conduct; /* what owners say of keeping and mining */
    unsigned max_redirects;
    struct fg_worker_options workers;
    struct fg_naming_options naming;
    struct fg_policy_options policies;
    struct fg_scheduling_options scheduling;
    struct fg_budget_options budget;
    struct fg_document_options documents;
    struct fg_explore_options exploring;
    struct fg_report_options report;
    struct fg_keep_options keeping;
    struct fg_retention retention;
    struct fg_archive_options archive; /* neither folder nor file: nothing is archived */
    struct fg_output_settings outputs;
    struct fg_push_options push; /* sites that tell us of changes: docs/push.md */
    struct fg_clock_options clock_from;
    struct fg_clock clock; /* follows from these: fg_crawl_settle */
    struct fg_run_limits run;
    struct fg_lot_options lot;
};

/* Add the rows of all settings, which sets the defaults. */
void fg_crawl_add_opts(struct fg_crawl_options *options, struct fg_opts *opts);
/* Set what follows from the settings; texts live in the arena. Call it when they have
 * been read. */
void fg_crawl_settle(struct fg_crawl_options *options, struct fg_arena *arena);
/* Take over what may change while a crawl runs; `differs` is called for every row that is
 * not the same, taken or not. The outputs are left to fg_outputs_reload. */
void fg_crawl_update(struct fg_crawl_options *options,
                     const struct fg_crawl_options *fresh,
                     void (*differs)(void *context, const struct fg_opt *opt),
                     void *context);
/* Rows and what follows from them, without anything to read. */
struct fg_crawl_options fg_crawl_defaults(struct fg_arena *arena);

/* The store stays the caller's. Reads back all that an earlier run knew. */
enum fg_status fg_crawl_new(struct fg_crawl **crawl, struct fg_store *store,
                            const struct fg_crawl_options *options, struct fg_err *err);
void fg_crawl_free(struct fg_crawl *crawl);

struct fg_seed {
    bool is_document;    /* keep its content fresh */
    bool is_source;      /* look at it for links, whatever we think of it */
    bool is_feed;        /* a source that is known to be a feed */
    bool is_page_only;   /* do not explore its site */
    float weight;        /* 0 means 1 */
    struct fg_str tags;  /* for its site */
    struct fg_str value; /* rule of a document, or else for all documents of its site */
    /* Noted of the page for the user; see struct fg_note_row. The site gets the tags that
     * it lacks. */
    struct fg_str page_tags, name, home, meta;
    double budget;       /* of its site, page requests an hour; 0: leaves it */
    enum fg_scope scope; /* likewise; FG_SCOPE_UNSET leaves it */
    /* The longest time between two visits: of a document, source or feed, else of those
     * of its site; 0 leaves it. */
    fg_time at_least;
};

/* Watch the site of a URL, with the URL as a page of it. Known ones are left as they are.
 */
enum fg_status fg_crawl_add(struct fg_crawl *crawl, struct fg_str url,
                            const struct fg_seed *seed, struct fg_err *err);

enum fg_crawl_end {
    FG_CRAWL_DONE,        /* nothing left, with `once` */
    FG_CRAWL_INTERRUPTED, /* a signal; open requests were finished */
    FG_CRAWL_FORCED,      /* a second one; they were not */
    FG_CRAWL_TIME_LIMIT,
    FG_CRAWL_SIZE_LIMIT,
    FG_CRAWL_FETCH_LIMIT,
    FG_CRAWL_UNHEARD, /* whoever read the events has gone; open requests were finished */
    FG_CRAWL_FAILED,  /* `err` says why: a full disk, say */
};

/* Handles SIGINT and SIGTERM (finish open requests; a second one stops at once) and
 * SIGHUP (through `reload`, if set). */
enum fg_crawl_end fg_crawl_run(struct fg_crawl *crawl, struct fg_err *err);
void fg_crawl_on_reload(struct fg_crawl *crawl, void (*reload)(void *context),
                        void *context);
/* Called by the loop when it starts, when it is told to stop, and `every` so often of
 * real time in between: for people, and for a service manager that wants to know whether
 * the loop turns. */
void fg_crawl_on_progress(struct fg_crawl *crawl, fg_time every,
                          void (*progress)(void *context, const struct fg_crawl *crawl),
                          void *context);
/* What a site has come to, and what stands in its way, as lines for people: "https://
 * a.example: 2 feeds and 1 sitemap found". Of more than ten sites a summary. Alarms are
 * said as well as logged (`is_logged`), for those whose log is elsewhere. */
void fg_crawl_on_milestone(struct fg_crawl *crawl,
                           void (*say)(void *context, const char *text, bool is_logged),
                           void *context);
/* Take over the settings that may change while it runs (fg_opt.is_live); those that
 * differ and may not are logged. What `options` point to must stay. */
void fg_crawl_retune(struct fg_crawl *crawl, const struct fg_crawl_options *options);

/* What the policy of a store knows, without a crawl: its saved state, and the visits
 * since. That of the options, or else the one that left its state. Pages that became
 * sources since the state was saved are not in it. After an import of captures, without a
 * state: what a policy will make of the log when it starts. */
struct fg_mind;
enum fg_status fg_crawl_recall_mind(struct fg_mind **mind, struct fg_store *store,
                                    const struct fg_crawl_options *options,
                                    bool is_discovery, struct fg_err *err);

/* Its saved state alone. */
enum fg_status fg_crawl_load_mind(struct fg_mind *mind, struct fg_store *store,
                                  bool is_discovery, struct fg_err *err);

struct fg_crawl_counts {
    uint64_t fetches, not_modified, failures, bytes; /* since start */
    uint64_t discovered;                             /* events since start */
    uint64_t known, sources, documents, waiting, in_flight;
    size_t sites, exploring;
    double budget_left;
    fg_time now, ran;
    fg_time next_look;      /* when the next request is due, as far as is known */
    size_t alarms;          /* sites from which nothing can come: crawl/sites/alarms.h */
    size_t outputs_waiting; /* that fail and are tried again: crawl/output/output.h */
    bool is_stopping;       /* open requests are finished, no others begun */
};
struct fg_crawl_counts fg_crawl_count(const struct fg_crawl *crawl);

/* Nothing is asked of it until row->robots_expires, for want of its robots.txt. */
bool fg_site_is_held(const struct fg_site_row *row);
/* Are there such policies, and have they such parameters? A message starts with the key.
 */
enum fg_status fg_crawl_check_policies(const struct fg_crawl_options *options,
                                       struct fg_err *err);

/* "first", "source", "document", "capture": why a visit was made, likewise. */
const char *fg_visit_purpose_name(unsigned purpose);
/* "timeout", "redirects", ...: the code of a failed visit; NULL for none. */
const char *fg_visit_failure_name(unsigned failure);

struct fg_site_view {
    struct fg_str key;
    const char *state;
    uint64_t known, sources, fetches, discovered, failures, waiting;
    fg_time next_request, backoff_until, last_discovery;
};
size_t fg_crawl_sites(const struct fg_crawl *crawl);
struct fg_site_view fg_crawl_site(const struct fg_crawl *crawl, size_t i);

#endif
