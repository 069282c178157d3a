/* state.h - the inside of a crawl, shared by its files */
#ifndef FG_CRAWL_STATE_H
#define FG_CRAWL_STATE_H

#include "base/vec.h"
#include "crawl/before.h"
#include "crawl/comers.h"
#include "crawl/control.h"
#include "crawl/crawl.h"
#include "crawl/cut.h"
#include "crawl/health.h"
#include "crawl/known.h"
#include "crawl/ledger.h"
#include "crawl/newness.h"
#include "crawl/output/output.h"
#include "crawl/pattern.h"
#include "crawl/polite.h"
#include "crawl/reading.h"
#include "crawl/site_rules.h"
#include "net/value.h"
#include "policy/mind.h"
#include "policy/siblings.h"

struct event;
struct event_base;

/* Rows waiting for their first fetch: a ring, oldest first. */
struct row_queue {
    uint32_t *at;
    size_t first, len, capacity;
};

/* A page that is looked at again for its links. */
struct source {
    uint32_t row;
    uint32_t *links; /* what its last complete visit showed, sorted by row */
    size_t n_links;
    uint64_t content_hash;
    uint32_t visits, found;   /* since it was admitted, and new pages they showed */
    uint32_t judged, proved;  /* awaited pages found on it: all, and those relevant */
    float owed;               /* yield of awaited pages not counted yet, below 1 */
    struct fg_comers comers;  /* since the start */
    uint32_t signals, heeded; /* looks that a feed asked for, and those that showed
                                 a change */
    bool is_signalled;        /* a feed or sitemap says that it has changed */
    bool dates_entries;       /* it is a feed with dates of publication */
    uint8_t lacking_looks;    /* in a row: half of what it is known to show is missing */
    uint32_t feed;            /* that it announces, or FG_UNKNOWN */
    fg_time admitted, last_found, last_seen; /* when its links were last seen */
    bool is_live;                            /* false: a slot to be used again */
};

/* Why a page that was taken to be new is not told of. */
enum not_told {
    NOT_OLD,      /* dated before the watch */
    NOT_UNPROVEN, /* nothing shows that it is new */
    NOT_COPY,
    NOT_NOINDEX,
    NOT_LIST,
    NOT_ACTION,
    NOT_ERROR, /* an error page, or it could not be had */
    NOT_EMPTY,
    NOT_IRRELEVANT, /* in a focused crawl */
    NOT_TOLD
};

struct site {
    fg_site_id id;
    char *key, *domain, *tags;
    enum site_state state;
    fg_time added;
    struct row_queue awaited;        /* taken to be new: fetched before all else */
    struct row_queue eager, patient; /* seeds, feeds and sitemaps; the stock */
    struct row_queue aside; /* of the stock: not worth a look, as far as is known */
    struct fg_patterns *patterns;
    struct fg_map tokens; /* of pages awaited or reported: fg_address_token */
    struct fg_map titles; /* of the stock, as links to it say: row + 1 by hash */
    FG_VEC(uint32_t) sources;
    FG_VEC(uint32_t) candidates; /* listing pages for which there was no room */
    /* Of lists, read before it was known whether pages carry dates. */
    FG_VEC(uint32_t) last_pages;
    unsigned explored, open_asks; /* fetched in exploration; asks not answered yet */
    unsigned idle_lists;          /* read last, and nothing of their own on them */
    unsigned continued;           /* further pages of lists fetched, to know the stock */
    unsigned n_feeds;             /* known, announced by its pages */
    bool has_feed;                /* announced by the seed, with dates of publication */
    bool has_growing_list;        /* pages were seen to come to one, since the start */
    bool is_answered;             /* since sites were last fed */
    bool reconsiders;             /* something was learnt of what was put aside */
    bool wakes; /* its host backed off: what announces new pages goes before the stock */
    uint32_t dated, undated; /* pages read that say when they were published, or not */
    uint32_t undated_told;   /* reported without a date of their own */
    fg_time last_explored;   /* a page of the stock was asked for */
    fg_time nothing_until;   /* nothing of the stock is worth a look; 0: there may be */
    fg_time nothing_span;    /* how long that holds, if no more comes to it */
    uint32_t listed_same,
        listed_other; /* offers that cost what lists had shown, or not */
    uint32_t n_known, n_documents;
    struct fg_str settings;                 /* JSON, as the store keeps it */
    const struct fg_value_rule *value_rule; /* of its documents; NULL: the crawl's */
    const struct fg_site_rules *rules;      /* what the settings say; NULL: nothing */
    const struct fg_noise *noise; /* what of its pages does not count, or NULL */
    uint64_t pages_read;          /* HTML pages, for telling navigation from lists */
    double allowance, looks; /* requests; looks at sources, of a site that is quiet */
    double room;             /* documents that can be asked for in this tick */
    uint64_t fetches, discovered, failures;
    uint64_t turned_down[NOT_TOLD]; /* candidates that were not worth telling */
    fg_time last_discovery, last_review;
    struct fg_host_state host; /* as last saved; its robots text is `robots` */
    char *robots;
    fg_time rests_until;              /* its host is backing off or holds us */
    struct fg_crawl *crawl;           /* set with tdm_is_asked */
    const struct fg_tdmrep *tdm_file; /* its tdmrep.json, in the arena; NULL: none */
    struct fg_arena tdm_arena;
    fg_time tdm_expires;
    bool tdm_is_asked, tdm_is_known, tdm_is_recalled;
    uint8_t spoken;        /* of milestones.c: what was said of it */
    struct health *health; /* of health.c; NULL: nothing is known yet */
    size_t n_lists;        /* likewise: feeds and sitemaps, */
    fg_time lists_since;   /* so many since then, monotonic */
};

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
    bool is_document;
    fg_site_id site;
    fg_page_id page;
    struct fg_before before;          /* what we have; the worker reads it */
    const struct fg_value_rule *rule; /* by which it is being read */
    const struct fg_noise *noise;
    struct visit *next_idle;
};

/* What of one page counts, as the user said. */
struct own_rule {
    const struct fg_value_rule *rule;
    struct fg_str text;
};

/* A page that is not known yet, and of which there are counts. */
struct early_page {
    struct fg_str key; /* of its site */
    uint64_t fingerprint;
};

struct fg_crawl {
    struct fg_crawl_options options;
    struct fg_store *store;
    struct fg_clock *clock; /* that of the options */
    struct event_base *loop;
    struct fg_workers *workers;
    struct fg_polite *polite;
    struct fg_known known;
    struct fg_guard guard;
    struct fg_map row_by_identity; /* of pages read: the first one that had it, + 1 */
    struct fg_map identity_by_row;
    struct fg_map changes_seen; /* of documents, by row: since the start */
    struct fg_map found_lately; /* by row: the row it was found on, + 1; the store may not
                                   have it yet */
    struct fg_map cuts;         /* by row: links left out, as the store has them */
    struct fg_map signalled;    /* documents that are said to have changed, by row */
    struct fg_outputs *outputs;
    struct fg_archive *archive; /* while it runs; NULL: nothing is archived */
    struct fg_focus *focus;     /* NULL: all pages count */
    struct fg_ledger ledger;
    struct listed *listed;   /* prices that were shown of offers: listed.c */
    struct awaited *awaited; /* what is known of pages to be judged: judging.c */
    uint64_t judged, proved; /* as of a source */
    struct fg_mind *discovery, *refresh;
    FG_VEC(struct site *) sites; /* in the order in which they came */
    struct fg_map site_by_id;    /* to its place in `sites` */
    struct fg_names site_by_key;
    struct fg_map source_by_row; /* index in `sources` + 1 */
    struct fg_map row_by_id;     /* of pages that a policy knows: row + 1 */
    FG_VEC(struct source) sources;
    struct fg_str value_rule_text;
    const struct fg_value_rule *value_rule; /* of documents that have no other */
    fg_time rule_since;                     /* what was read before was read by another */
    const struct fg_noise *noise;           /* of all sites, or NULL */
    fg_time noise_since;                    /* as of the rule */
    struct fg_map page_rules;               /* by row: index of its own rule */
    FG_VEC(struct own_rule) rules;
    struct fg_map dated;   /* by row: the latest date a feed or sitemap gave a document */
    struct fg_map unsaved; /* by row: hashes of values that are on their way to disk */
    uint64_t unsaved_number;         /* of the batch that the last of them is in */
    FG_VEC(uint32_t) paused;         /* rows of pages, not of those of paused sites */
    struct fg_map promises;          /* by row + 1: the longest time between two visits */
    fg_time next_promise;            /* none is due before; FG_NEVER: look */
    fg_time promise_told;            /* that one cannot be kept; FG_NEVER: not yet */
    FG_VEC(struct early_page) early; /* pages that counts wait for */
    FG_VEC(struct fg_str) early_sites; /* keys of their sites; in the arena */
    struct fg_names early_keys;        /* index there + 1 */
    struct fg_siblings siblings;
    size_t n_grouped;        /* documents there were when groups were last made */
    struct fg_arena arena;   /* for the life of the crawl */
    struct fg_arena scratch; /* for one result */
    struct visit *idle_visits;
    FG_VEC(struct saving) savings; /* hosts whose state is on its way to disk */

    FG_VEC(struct taken) taken; /* commands of the inbox, likewise */

    struct event *ticker, *beat, *feeder, *waker, *reporter, *deadline, *interrupt,
        *terminate, *hangup;
    double allowance, first_allowance, document_allowance;
    size_t next_site; /* that is asked for its stock first, for fairness */
    fg_time tick_started, started, next_tick;
    double ticks_passed; /* from the tick before to this one: 1, or more if it is late */
    struct retention *retention; /* of retention.c */
    bool is_disk_full;           /* the store waits for room, and so does all else */
    struct teller *teller;       /* of telling.c; NULL: not needed yet */
    fg_time told_day;            /* of the last crawl_tell; 0: none yet */
    bool has_captures;           /* of pages were imported: captures.h */
    fg_time saved;               /* visits up to then are in the policies' saved state */
    fg_time minds_saved;         /* when that was written */
    struct fg_map stored; /* hashes of what was saved, by site and name: recall.c */
    size_t open_asks;
    unsigned signals;
    bool is_stopping;
    enum fg_crawl_end end;
    struct fg_err *err;
    struct fg_crawl_counts counts, told; /* told: as in the last status */
    fg_time told_at;                     /* monotonic */
    void (*reload)(void *context);
    void *reload_context;
    void (*progress)(void *context, const struct fg_crawl *crawl);
    void *progress_context;
    fg_time progress_every;
    void (*say)(void *context, const char *text, bool is_logged);
    void *say_context;
    size_t n_spoken; /* sites that have lines of their own */
    fg_time summed_up;
};

/* A host's state was submitted as batch `number`. */
struct saving {
    uint64_t number;
    char *key;
};

/* A command of another process was carried out by batch `number`; UINT64_MAX: it is under
 * way. */
struct taken {
    uint64_t command, number;
    bool is_counts;
};

/* --- crawl.c --- */
/* The loop ends, with these words. */
void crawl_fail(struct fg_crawl *crawl, const struct fg_err *err);
static inline struct fg_reading_rules crawl_reading_rules(const struct fg_crawl *crawl)
{
    return (struct fg_reading_rules){.token = crawl->options.robots_token,
                                     .keep = crawl->options.keep};
}
/* After each answer, once in a turn of the loop: more of the same, the end of an
 * exploration, the end. */
void crawl_after_answer(struct fg_crawl *crawl, struct site *site);
/* Watch a site from now on, as a seed asks. */
struct site *crawl_watch_site(struct fg_crawl *crawl, struct fg_batch *batch,
                              struct fg_str key, const struct fg_seed *seed, fg_time now);
void crawl_add_sitemaps(struct fg_crawl *crawl, struct fg_batch *batch,
                        struct site *site);
void crawl_try_sitemap(struct fg_crawl *crawl, struct fg_batch *batch, struct site *site,
                       fg_time now);

/* --- inbox.c --- */
void crawl_take_inbox(struct fg_crawl *crawl);
void crawl_clear_inbox(struct fg_crawl *crawl, uint64_t durable);

/* --- archiving.c: without an archive, nothing --- */
/* False if it fails, and so does the crawl. */
bool crawl_open_archive(struct fg_crawl *crawl);
void crawl_close_archive(struct fg_crawl *crawl);
void crawl_sync_archive(struct fg_crawl *crawl);
/* What politeness has recorded; the context is the crawl. */
bool crawl_archive(void *context, const struct fg_response *response);

/* --- status.c --- */
/* `ended` says why the crawl is over, or is NULL. */
void crawl_tell_status(struct fg_crawl *crawl, const char *ended);

/* --- health.c --- */
/* What an answer says of a site: call it when the answer was worked on. `row` is the page
 * that the one asked for turned out to be; `reading` is NULL if nothing was read; it
 * shows so many pages that are ours, itself not counted. */
void health_of_answer(struct fg_crawl *crawl, uint32_t asked, uint32_t row,
                      const struct fg_answer *answer, const struct fg_reading *reading,
                      size_t n_shown, fg_time now);
/* Will a seed that failed like this be asked for again by health_review? */
bool health_asks_again(struct fg_crawl *crawl, uint32_t row,
                       const struct fg_answer *answer);
/* site->host is up to date. */
void health_of_robots(struct fg_crawl *crawl, struct site *site);
void health_recall(struct fg_crawl *crawl); /* all pages are known */
/* Now and then: raise and clear alarms, ask for seeds again, keep it in the store. */
void health_review(struct fg_crawl *crawl);
fg_time health_watching(const struct site *site); /* since when; FG_NEVER: not yet */
/* In words, and since when; NULL: none. */
const char *health_alarm(const struct site *site, fg_time *since);
void health_free(struct site *site);

/* --- milestones.c: for people, as it happens --- */
/* Once, when it starts: what it goes on with. */
void milestones_begin(struct fg_crawl *crawl);
/* Every few seconds: what sites have come to. */
void milestones_tell(struct fg_crawl *crawl);
void milestone_seed_fails(struct fg_crawl *crawl, struct site *site, uint32_t row,
                          enum fg_alarm why, unsigned status, struct fg_str detail);
/* A seed leads to a page of another site, which is watched instead. */
void milestone_moved(struct fg_crawl *crawl, struct site *site, uint32_t to);
/* The alarm of a site was raised, or is over. */
void milestone_alarm(struct fg_crawl *crawl, const struct site *site, bool is_over);
void milestone_nofollow(struct fg_crawl *crawl, struct site *site, uint32_t row);

/* --- minds.c --- */
enum fg_status crawl_set_up_minds(struct fg_crawl *crawl, struct fg_err *err);
enum fg_status crawl_mind_new(struct fg_mind **mind, const struct fg_policy *policy,
                              const struct fg_crawl_options *options, enum fg_task task,
                              struct fg_err *err);

/* Where policies keep what they know, in the store's states of each site and of site 0.
 */
#define DISCOVERY_STATE "policy:discovery"
#define REFRESH_STATE   "policy:refresh"
/* The time of the first capture that was imported, if any was. */
#define CAPTURES_STATE "captures:first"

/* --- recall.c --- */
enum fg_status crawl_recall(struct fg_crawl *crawl, struct fg_err *err);
void crawl_save_minds(struct fg_crawl *crawl);
/* While the store is read: the row of a page, or FG_UNKNOWN. */
uint32_t crawl_row_with(const struct fg_crawl *crawl, fg_site_id site, fg_page_id page);

/* --- pages.c --- */
struct site *crawl_site_of(struct fg_crawl *crawl, uint32_t row);
/* The next page that is known by the address without one of its parameters, from the one
 * numbered *param on: FG_UNKNOWN when there is none. */
uint32_t crawl_known_without(struct fg_crawl *crawl, const struct site *site,
                             struct fg_str url, unsigned *param);
/* The row of a page that a policy knows, by the id it has there. */
uint32_t crawl_row_of(const struct fg_crawl *crawl, uint64_t id);
struct site *crawl_find_site(struct fg_crawl *crawl, struct fg_str key);
struct site *crawl_find_host(struct fg_crawl *crawl,
                             struct fg_str key); /* watched or not */
struct site *crawl_add_site(struct fg_crawl *crawl, fg_site_id id, struct fg_str key,
                            struct fg_str tags, enum site_state state, fg_time added);
/* With a number of its own. */
struct site *crawl_new_site(struct fg_crawl *crawl, struct fg_str key, struct fg_str tags,
                            enum site_state state, fg_time now);
/* NULL: there is none. */
static inline struct site *crawl_site_with(const struct fg_crawl *crawl, fg_site_id id)
{
    const uint64_t *at = fg_map_get(&crawl->site_by_id, id);
    return at ? crawl->sites.at[*at] : NULL;
}
void crawl_put_site(struct fg_batch *batch, const struct site *site);
void crawl_set_host(struct site *site, const struct fg_host_state *state);
/* What politeness knows of a host, to its site's row and back; texts are borrowed. */
void host_to_row(struct fg_site_row *row, const struct fg_host_state *host);
/* False if the row makes no sense. */
bool host_from_row(struct fg_host_state *host, const struct fg_site_row *row);
void crawl_enqueue(struct fg_crawl *crawl, struct site *site, uint32_t row);
struct new_page {
    struct site *site;
    struct fg_str url, words;
    struct fg_str title; /* if it was read */
    uint64_t fingerprint;
    uint32_t found_on; /* row, or FG_UNKNOWN */
    unsigned depth;
    uint32_t flags;
    float weight; /* 0 means 1 */
    fg_time dated;
    struct fg_str excerpt, language; /* if it was read */
    fg_time published;               /* by its own word, or FG_NEVER */
    float relevance;                 /* by the classifier; 0 or less: not known */
    bool is_reported;                /* as a discovery, at once */
    bool is_in_feed;
    bool is_eager; /* fetched before others of the stock */
};
uint32_t crawl_add_page(struct fg_crawl *crawl, struct fg_batch *batch,
                        const struct new_page *page, fg_time now);
/* Tell the world of a page. */
void crawl_report(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                  const struct new_page *page, fg_time now);
void queue_push(struct row_queue *queue, uint32_t row);
bool queue_pop(struct row_queue *queue, uint32_t *row);

/* --- relevance.c: what a focus changes; without one, nothing --- */
void crawl_set_focus(struct fg_crawl *crawl, const struct fg_focus_rules *rules);
/* May the page of a link count, going by what the link says? */
bool relevance_of_link(struct fg_crawl *crawl, struct new_page *page);
/* Nobody waits to read pages before they are told. */
bool relevance_by_link(const struct fg_crawl *crawl);
/* Worth fetching before others, or not at all? */
bool relevance_is_likely(const struct fg_crawl *crawl, const struct site *site,
                         uint32_t row);
bool relevance_is_ruled_out(const struct fg_crawl *crawl, const struct site *site,
                            uint32_t row);
/* Does a page that was read count? */
struct relevance {
    bool counts;
    float chance; /* by the classifier; 0: not known */
};
struct relevance relevance_of_page(struct fg_crawl *crawl, uint32_t row,
                                   const struct fg_reading *reading);
/* An awaited page found on that one did, or did not. */
void relevance_credit(struct fg_crawl *crawl, uint32_t found_on, bool is_relevant);
/* Is this new page part of the source's yield? */
bool relevance_counts(struct fg_crawl *crawl, struct source *source, uint32_t row);

/* --- judging.c: which pages are told --- */
/* A page is taken to be new. What the link said is kept until it has been read. */
void judging_await(struct fg_crawl *crawl, uint32_t row, const struct new_page *page);
/* A link to a page of the stock has these words. */
void judging_note_title(struct fg_crawl *crawl, uint32_t row, struct fg_str words);
/* A page that was known before turns out to be new to a list, or, if it is flagged as
 * unproven, may do so when it is read. */
void judging_promote(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                     const struct new_page *page, fg_time now);
/* It has another address. */
void judging_move(struct fg_crawl *crawl, uint32_t from, uint32_t to);
/* A page was read for the first time, or as one that is awaited. */
void judging_read(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                  const struct fg_reading *reading, struct relevance relevance,
                  fg_time now);
/* It cannot be had: what a feed has told of it is all there is; or it is not there. */
void judging_give_up(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                     bool is_gone, fg_time now);
void judging_clear(struct fg_crawl *crawl);
/* Does the user want pages of that kind? */
bool judging_tells(const struct fg_crawl *crawl, enum fg_kind kind);
/* The page whose copy one with this identity is, or FG_UNKNOWN. */
uint32_t judging_copy_of(const struct fg_crawl *crawl, uint32_t row, uint64_t identity);

/* --- explore.c --- */
/* A further page of a list. */
bool crawl_is_continuation(struct fg_crawl *crawl, const struct site *site,
                           struct fg_str url);
/* The page of a list before this one, which goes on from it, or FG_UNKNOWN. */
uint32_t crawl_page_before(struct fg_crawl *crawl, const struct site *site, uint32_t row);
bool crawl_is_last_page(struct fg_crawl *crawl, const struct site *site,
                        struct fg_str url);
/* Most of its pages do not say when they were published. */
bool site_is_undated(const struct site *site);
/* The next page of the stock that is worth a look; false if none is, or not now. */
bool explore_next(struct fg_crawl *crawl, struct site *site, uint32_t *row, fg_time now);
/* Is it time to look for one? */
bool explore_may_look(const struct fg_crawl *crawl, const struct site *site, fg_time now);
bool explore_is_over(const struct fg_crawl *crawl, const struct site *site);
/* Something was learnt: what was not worth a look may be. */
void explore_reconsider(struct site *site);
/* A list of it was read for the first time, with so many links that are its own. */
void explore_note_list(struct site *site, size_t own);

/* --- tick.c --- */
void crawl_tick(struct fg_crawl *crawl);
/* Ask for a page; `pick` may be NULL. */
void crawl_ask(struct fg_crawl *crawl, uint32_t row, enum purpose purpose,
               const struct fg_pick *pick, float priority);
/* Its host wants to be left alone. */
bool site_is_resting(const struct site *site, fg_time now);
/* All that this crawl may ask for is on its way. */
bool crawl_is_at_limit(const struct fg_crawl *crawl);
/* Is it a page that new ones are found on? */
bool page_announces(const struct fg_known_page *page);
/* Its host has backed off: ask for a page that announces new ones, before all else. */
void crawl_wake(struct fg_crawl *crawl, struct site *site);
/* Ask for pages never fetched, as far as budget and politeness queues have room. */
void crawl_feed(struct fg_crawl *crawl);
bool crawl_is_idle(const struct fg_crawl *crawl);

/* --- telling.c --- */
/* At the first tick of a day (UTC) and of a crawl: tell the refresh policy what is known
 * of all documents besides their visits. */
void crawl_tell(struct fg_crawl *crawl, fg_time now);
/* The same of one page that has just become a document. */
void crawl_tell_document(struct fg_crawl *crawl, uint32_t row, fg_time now);
void crawl_end_telling(struct fg_crawl *crawl);

/* --- outlets.c --- */
enum fg_status crawl_open_outputs(struct fg_crawl *crawl,
                                  void (*on_closed)(void *context), struct fg_err *err);
/* At the end: all is handed on that can be at once, and what is on its way may arrive.
 * Fails if one of them cannot take what it should have. */
enum fg_status crawl_finish_outputs(struct fg_crawl *crawl, struct fg_err *err);

/* --- retention.c --- */
void retention_begin(struct fg_crawl *crawl);
void retention_end(struct fg_crawl *crawl);
/* Now and then: prune if that is due, forget what is to be forgotten. */
void retention_review(struct fg_crawl *crawl);
/* Batches up to `durable` are on disk. */
void retention_go_on(struct fg_crawl *crawl, uint64_t durable);
/* The site was removed and carries the mark. */
void retention_forget(struct fg_crawl *crawl, const struct site *site);

/* --- sighting.c --- */
enum { MOST_LINKS = FG_LINKS_MOST };
/* The links of a page, in the scratch arena. */
struct seen_links {
    uint32_t *rows; /* sorted and unique */
    size_t n;
    const struct fg_comer *order; /* as they stand, if all were seen of what may be a
                                     list; else NULL */
    size_t n_order;
    uint32_t feed;      /* the first that it announces, or FG_UNKNOWN */
    bool dates_entries; /* it is a feed with dates of publication */
    uint32_t n_own;     /* links of its site that no page had shown, in any view */
};
/* Those that nobody has shown before are added, and what is new is awaited. */
struct seen_links crawl_see_links(struct fg_crawl *crawl, struct fg_batch *batch,
                                  uint32_t row, const struct fg_reading *reading,
                                  fg_time now);
/* Of a page that has become a source: what it showed is what the next look is compared
 * with. */
void crawl_keep_first_look(struct fg_crawl *crawl, struct fg_batch *batch,
                           struct source *source, const struct seen_links *seen);
/* The page is as it was. */
void crawl_seen_same(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                     fg_time now);

/* --- result.c --- */
/* Of an ask, whose context is a visit. */
bool visit_rules(void *context, struct fg_reading_rules *rules);
void visit_prepare(void *context, struct fg_exchange *exchange);
void crawl_on_answer(void *context, const struct fg_answer *answer);

/* --- document.c --- */
/* The rule of the settings; a bad one is an error and changes nothing. */
enum fg_status document_set_rule(struct fg_crawl *crawl, struct fg_str text,
                                 struct fg_err *err);
/* A rule of a page's own, and those of a site (JSON), as the store has them. */
void document_recall_rule(struct fg_crawl *crawl, uint32_t row, struct fg_str text);
const struct fg_value_rule *document_keep_rule(struct fg_crawl *crawl, struct fg_str text,
                                               struct fg_err *err);
/* Since when a rule is in force, by a state of that name; FG_NEVER: it is the first. */
fg_time crawl_note_rule(struct fg_crawl *crawl, const char *name, struct fg_str rule);
/* What a seed says about values: of the page if it is a document, else of the site. */
void document_seed_rule(struct fg_crawl *crawl, struct fg_batch *batch, struct site *site,
                        uint32_t row, const struct fg_seed *seed, fg_time now);
/* By which the page is to be read; NULL: it neither is nor may become a document. */
const struct fg_value_rule *document_reading_rule(const struct fg_crawl *crawl,
                                                  uint32_t row);
/* One that an earlier run knew. */
void document_recall(struct fg_crawl *crawl, uint32_t row, fg_time added);
/* Weight 0: 1, or as it was. */
void document_admit(struct fg_crawl *crawl, uint32_t row, float weight, fg_time now);
/* Without a batch the store is left as it is. */
void document_retire(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row);
/* It turned out to be the page `to`, or one that is not ours (FG_UNKNOWN). */
void document_move(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t from,
                   uint32_t to, fg_time now);
/* After a page was read: is it one to keep fresh? */
void document_consider(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                       const struct fg_reading *reading, fg_time now);
void document_put_value(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                        const struct fg_value *value, fg_time now);
/* What a look at it needs to know of its last value; nothing if that was read by another
 * rule. */
void document_wants(struct fg_before *before, struct fg_crawl *crawl, uint32_t row);
/* Where small changes do not count: the value differs from the one that counts by less
 * than that; and the one that counts from now on. */
bool document_is_small_change(struct fg_crawl *crawl, uint32_t row,
                              const struct fg_before *before,
                              const struct fg_value *value);
void document_put_sketch(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                         const struct fg_value *value);
/* What was submitted up to this batch is on disk. */
void document_saved(struct fg_crawl *crawl, uint64_t durable);
/* At each tick: who changes together, once there are a tenth more. */
void document_regroup(struct fg_crawl *crawl);
/* A feed or sitemap dates a page. */
void document_signal(struct fg_crawl *crawl, uint32_t row, fg_time dated, fg_time now);
/* What Last-Modified says of a value that has changed or not since `previous`. */
fg_time document_modified(struct fg_str header, bool is_changed, fg_time previous,
                          fg_time now);

/* --- conduct.c --- */
/* Before a page is asked for: ask for what the site says about keeping it. */
void conduct_prepare(struct fg_crawl *crawl, struct site *site);
/* May what was read be kept? `own` is what its headers and it itself say. */
void conduct_of(struct fg_conduct *conduct, struct fg_crawl *crawl,
                const struct site *site, struct fg_str url, struct fg_tdm own);

/* --- session.c --- */
/* A list that is known shows nothing that is. If that is because every address names the
 * visit, that is forgotten of them all. */
void session_look(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                  const struct fg_reading *reading);

/* --- listed.c --- */
/* A page shows what the offer at `row` costs. */
void listed_see(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                const struct fg_price *price, fg_time now);
/* The offer says itself what it costs. */
void listed_read(struct fg_crawl *crawl, uint32_t row, const struct fg_offer *offer);
void listed_clear(struct fg_crawl *crawl);

/* --- changes.c --- */
/* The value of a document is another one now: tell the world. Of what was `before`, the
 * value has no text if the store did not have it yet. */
void change_report(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                   const struct fg_before *before, const struct fg_value *after,
                   struct fg_str title, fg_time now);
/* Keep what the next change will be compared with. */
void change_keep_text(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                      const struct fg_value *value);

/* --- control.c: what the user takes back --- */
/* May anything be asked of it: is it neither paused nor removed? */
bool site_is_asked(const struct site *site);
bool site_is_removed(const struct site *site);
/* The same of a page and its site. */
bool page_is_asked(struct fg_crawl *crawl, uint32_t row);
bool page_is_unwanted(struct fg_crawl *crawl, uint32_t row); /* is one of them removed? */
/* May a redirect lead there? */
bool crawl_asks_host_of(struct fg_crawl *crawl, struct fg_str url);
/* Did the answer end at a redirect to a host that is not asked for now? */
bool crawl_stopped_at_hop(struct fg_crawl *crawl, const struct fg_answer *answer);
/* Is it to be fetched for the first time still, or to be judged? */
bool page_wants_first_fetch(const struct fg_known_page *page);
/* Asks of a site that wait for their turn end as FG_ASK_STOPPED. */
void crawl_withdraw_site(struct fg_crawl *crawl, const struct site *site);
void crawl_block_paused(struct fg_crawl *crawl, struct fg_mind *mind);
/* A visit came to nothing, for it was withdrawn, or what it was made for is gone. */
void crawl_put_back(struct fg_crawl *crawl, const struct visit *visit, unsigned requests);
/* The settings of a site, but paused, resumed and removed as they are: who made them may
 * not know what was taken back meanwhile. In the scratch arena. */
struct fg_str crawl_keep_marks(struct fg_crawl *crawl, const struct site *site,
                               struct fg_str json);
/* A site that was removed is added again: the one that takes its place. */
struct site *crawl_begin_anew(struct fg_crawl *crawl, struct fg_batch *batch,
                              struct site *site, fg_time now);
/* Nobody has its number any more; its key is free. */
void crawl_drop_key(struct fg_crawl *crawl, struct site *site);
/* When all pages are known. */
void crawl_apply_control(struct fg_crawl *crawl);
void crawl_take_control(struct fg_crawl *crawl, struct fg_batch *batch, uint64_t command,
                        struct fg_str text);

/* --- following.c: feeds that are followed alone --- */
/* The site of what a feed lists: `site`, or if that is NULL another host's; NULL if the
 * page is no feed that is followed. */
struct site *follow_entry(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t feed,
                          const struct fg_reading *reading, struct site *site,
                          struct fg_str key, fg_time since);
/* The host that an entry, or the redirect of one, leads to, watched since the feed is;
 * NULL: it is none of ours. */
struct site *follow_to_host(struct fg_crawl *crawl, struct fg_batch *batch,
                            struct fg_str key, fg_time since);
/* A seed that was read for the first time: if it is a feed and all that was named of its
 * site, it is followed alone. */
void follow_if_alone(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                     const struct fg_reading *reading);
/* Not the sitemaps of a site of single pages. */
bool follow_wants(const struct site *site, uint32_t flags);
/* It is to be explored now. */
void follow_no_longer(struct fg_crawl *crawl, struct site *site);

/* --- early.c: counts that came before their pages --- */
enum fg_status crawl_recall_early(struct fg_crawl *crawl, struct fg_err *err);
/* Counts wait for a page from now on. */
void crawl_note_early(struct fg_crawl *crawl, struct fg_str url);
/* Those of pages that have become known are theirs. */
void crawl_place_early(struct fg_crawl *crawl);
/* The page that counts of a row are for: of an alias the one that is fetched. */
fg_page_id crawl_counted_page(struct fg_crawl *crawl, uint32_t row);

/* --- promise.c --- */
/* The longest time between two visits of a page, as the user was promised; FG_NEVER: none
 * is. */
fg_time crawl_promise(const struct fg_crawl *crawl, uint32_t row);
/* Ask for those that would be overdue otherwise. */
void crawl_keep_promises(struct fg_crawl *crawl, fg_time now);
/* There may be one that is due sooner. */
void crawl_promises_changed(struct fg_crawl *crawl);
/* Of one page, from now on; 0: none. */
void crawl_promise_page(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                        fg_time at_least);
enum fg_status crawl_recall_promises(struct fg_crawl *crawl, fg_site_id site,
                                     struct fg_err *err);

/* --- ruling.c --- */
void crawl_set_noise(struct fg_crawl *crawl, const struct fg_crawl_options *options);
void site_recall_settings(struct fg_crawl *crawl, struct site *site, struct fg_str json);
/* From now on; sources and documents that are none of the site's any more go. */
void crawl_set_site_rules(struct fg_crawl *crawl, struct fg_batch *batch,
                          struct site *site, struct fg_str tags, struct fg_str json);
/* The same of all sites, when all pages are known. */
void crawl_apply_site_rules(struct fg_crawl *crawl);
/* May a page that somebody links to be fetched? */
bool site_allows(const struct site *site, struct fg_str url);
/* Page requests an hour; 0: no limit. */
double site_budget(const struct fg_crawl *crawl, const struct site *site);
/* The site of a key that a page of `from` links to, watched from now on if that is of one
 * domain and its rules say so; else NULL. */
struct site *site_of_domain(struct fg_crawl *crawl, struct fg_batch *batch,
                            const struct site *from, struct fg_str key, fg_time now);

/* --- source.c --- */
/* Admitting and retiring write the page's flags to the batch; NULL: they are there. */
struct source *source_find(struct fg_crawl *crawl, uint32_t row);
struct source *source_admit(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                            fg_time now);
void source_retire(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row);
/* It announces a feed, or is one that dates its entries. */
void source_count_visit(struct fg_crawl *crawl, struct source *source);
void source_note_feed(struct fg_crawl *crawl, struct source *source,
                      const struct seen_links *seen);
/* A feed or sitemap dates a change of it. */
void source_signal(struct fg_crawl *crawl, uint32_t row, fg_time modified, fg_time now);
void source_hint(struct fg_crawl *crawl, const struct site *site, fg_time now);
/* After a page was read for the first time: is it one to look at again? */
void source_consider(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                     const struct fg_reading *reading, const uint32_t *links, size_t n,
                     fg_time now);
/* Exploration of a site is over when there is no more to fetch for it. */
void source_end_exploring(struct fg_crawl *crawl, struct fg_batch *batch,
                          struct site *site, fg_time now);
/* Its links, sorted and unique, against those of its last visit: tells store and policy.
 */
void source_observe(struct fg_crawl *crawl, struct fg_batch *batch, struct source *source,
                    struct fg_visit *visit, const uint32_t *links, size_t n);
/* One page read, and what it links to: for telling navigation from lists. */
void source_count_shown(struct fg_crawl *crawl, struct site *site, const uint32_t *links,
                        size_t n);
/* Sources that give nothing make room for candidates. */
void source_review(struct fg_crawl *crawl, struct site *site, fg_time now);

#endif
