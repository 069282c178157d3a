/* store.h - what the crawl knows, kept on disk
 *
 *     struct fg_store *store;
 *     if (fg_store_open(&store, "workspace", &options, err)) ...
 *     struct fg_batch *batch = fg_batch_new(store);
 *     fg_batch_visit(batch, &visit);
 *     fg_batch_page(batch, &page);
 *     fg_batch_event(batch, &event);
 *     uint64_t number = fg_store_submit(store, batch);      (never waits for the disk)
 *     ...
 *     if (fg_store_durable(store) >= number) ...the result may be reported...
 *
 * A batch holds all effects of one fetch result, and is written whole or not at all. One
 * writer thread gathers waiting batches into transactions; readers have connections of
 * their own and are never blocked by it. Reading functions see what is durable.
 *
 * Nothing above this line knows SQL. Every row's key starts with its site, so that tables
 * can be spread over machines; docs/store.md describes them for people. Widely included:
 * the only way to what is kept, for the crawl that writes it and for all who read it. */
#ifndef FG_STORE_STORE_H
#define FG_STORE_STORE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/time.h"

#include <stdbool.h>
#include <stdint.h>

struct fg_store;
struct fg_batch;

struct fg_store_options {
    bool read_only;       /* for commands that look while a crawl runs */
    bool keep_bodies;     /* store page bodies, compressed */
    unsigned body_depth;  /* versions kept of each page, at least 1 */
    unsigned value_depth; /* changes of value kept of each page; 0 means 100 */
    fg_time flush_every;  /* how long a batch may wait for company; 0 means 100 ms */
    int64_t fence;        /* of a lot, from its lease: lots.h */
    unsigned lots, lot;   /* so many lots in all, and which this is; 0: no lots */
};

/* A place is a folder, the workspace, which holds the store under a name of its own, a
 * file *.db, or an address that starts with postgresql:// (docs/scale-out.md). Opens or
 * creates, and migrates an older schema. A file of a newer schema, a file that is no
 * database, a damaged one and a read-only one are refused with words that say what to do.
 * Only one process may write: a second one is told who holds the lock. */
enum fg_status fg_store_open(struct fg_store **store, const char *place,
                             const struct fg_store_options *options, struct fg_err *err);

/* Is a place the address of a database, rather than a folder or a file? */
bool fg_store_is_database(const char *place);

/* Is there a store at this place? */
bool fg_store_exists(const char *place);

/* Does some process write to the store at this place? Its number, 0 if it has not said it
 * yet, and -1 if there is none. */
int64_t fg_store_writer(const char *place);

/* Leaves a command for the process that writes, or will. It is durable on return. Waits
 * if that process is about to make the store. */
enum fg_status fg_store_post(const char *place, const char *kind, struct fg_str text,
                             struct fg_err *err);

/* Writes what was submitted, then closes. */
enum fg_status fg_store_close(struct fg_store *store, struct fg_err *err);

/* --- what is kept --- */

typedef uint32_t fg_site_id; /* from 1 */
typedef uint32_t fg_page_id; /* within its site, from 1 */

struct fg_site_row {
    fg_site_id site;
    struct fg_str key; /* "https://example.org:8443": scheme, host, port if not default */
    struct fg_str domain; /* registrable domain, for budgets */
    struct fg_str tags;   /* comma-separated, the user's */
    fg_time added, last_request;
    uint8_t state;          /* crawl's own: bootstrapping, watched, paused, removed */
    fg_time crawl_delay;    /* from robots.txt, or 0 */
    fg_time robots_fetched; /* FG_NEVER: not yet */
    fg_time robots_expires;
    uint16_t robots_verdict; /* crawl's own: use the file, allow all, hold */
    struct fg_str robots;    /* the file itself */
    fg_time backoff_until;   /* FG_NEVER: none */
    uint16_t backoff_step;
    struct fg_str settings; /* per-site settings as JSON, or empty */
};

enum fg_page_flag {
    FG_PAGE_SEED = 1,         /* the user asked for it */
    FG_PAGE_SOURCE = 2,       /* refreshed because it leads to new pages */
    FG_PAGE_DOCUMENT = 4,     /* refreshed because its own content matters */
    FG_PAGE_CANDIDATE = 8,    /* may become a source */
    FG_PAGE_RETIRED = 16,     /* was one */
    FG_PAGE_FEED = 32,        /* a feed */
    FG_PAGE_SITEMAP = 64,     /* a sitemap or sitemap index */
    FG_PAGE_GONE = 128,       /* 404 or 410 */
    FG_PAGE_ALIAS = 256,      /* redirects to, or names as canonical, another page */
    FG_PAGE_EXCLUDED = 512,   /* robots, rules or traps keep us away */
    FG_PAGE_RELEVANT = 1024,  /* counts in a focused crawl */
    FG_PAGE_DUPLICATE = 2048, /* near-duplicate of `alias_of` */
    FG_PAGE_AWAITED = 4096,   /* taken to be new; its content decides whether to report */
    FG_PAGE_RESERVED = 8192,  /* its owner objects to its being kept or mined */
    FG_PAGE_REPORTED = 16384, /* as a discovery */
    FG_PAGE_OLD = 32768,      /* dated before its site was watched */
    FG_PAGE_OTHER_KIND = 65536, /* read, and not one to tell of: a list, an action, ... */
    FG_PAGE_UNPROVEN = 131072,  /* awaited; only a date of its own can prove it new */
    FG_PAGE_LIST = 262144,      /* read, and a list */
    FG_PAGE_STOCK = 524288,     /* stood on a list or in a feed at its first look */
    FG_PAGE_PAUSED = 1 << 20,   /* the user wants it left alone for now */
    FG_PAGE_REMOVED = 1 << 21,  /* the user wants it no more */
    FG_PAGE_NOFOLLOW = 1 << 22, /* it asks that its links be not followed */
    FG_PAGE_NOINDEX = 1 << 23,  /* and this one, that it be not shown */
    FG_PAGE_WAS_DOCUMENT = 1 << 24, /* when it was removed */
    FG_PAGE_READ_SOON = 1 << 25,    /* it was added again, and not read since */
    FG_PAGE_CUT = 1 << 26,          /* links of it were left out: crawl/reading/cut.h */
    FG_PAGE_PUSHED = 1 << 27, /* somebody told us of it, or of the list it stands on */
};

struct fg_page_row {
    fg_site_id site;
    fg_page_id page;
    uint64_t fingerprint; /* of the canonical URL; unique within the site */
    struct fg_str url;    /* canonical */
    uint32_t flags;
    fg_page_id found_on; /* source that first showed it, 0 for a seed */
    fg_page_id alias_of; /* 0: none */
    fg_time first_seen, last_visit, last_change, next_visit; /* FG_NEVER: not yet */
    uint16_t status;                                         /* of the last visit */
    uint32_t visits, changes, failures;
    uint64_t content_hash, simhash;
    uint64_t identity; /* of its title, main text and value; 0: not read */
    struct fg_str etag, last_modified, title, language;
    fg_time published; /* as the page or a feed says, or FG_NEVER */
    float weight;      /* importance, clicks; 1 by default */
    uint16_t depth;
};

/* What one fetch told us: the log that every policy can be rebuilt from. */
struct fg_visit_row {
    fg_site_id site;
    fg_page_id page;
    fg_time time;
    uint16_t status; /* HTTP, or 0 with `failure` set */
    uint8_t failure; /* crawl's own code: timeout, refused, too large ... */
    bool changed, conditional;
    uint8_t purpose;       /* first fetch, source refresh, document refresh, capture */
    uint32_t links, fresh; /* links seen, and how many of them were new to us */
    uint32_t bytes, took_ms;
    float score, probability; /* why it was picked */
    bool explored;
};

/* A link seen from first to last; `gone` is when a visit no longer showed it. Kept for
 * sources only. */
struct fg_link_row {
    fg_site_id site;
    fg_page_id source;
    fg_site_id target_site; /* discoveries may lead to another watched site */
    fg_page_id target;
    fg_time first_seen;      /* when writing, FG_NEVER leaves what is stored */
    fg_time last_seen, gone; /* gone: FG_NEVER while it is still there */
};

/* What a document is worth now: what its copy must have to be fresh. */
struct fg_value_row {
    fg_site_id site;
    fg_page_id page;
    struct fg_str
        rule;     /* by which it is read, if it has one of its own (net/html/value.h) */
    uint8_t kind; /* enum fg_value_kind, the crawl's */
    uint64_t hash;
    fg_time changed;    /* since when; FG_NEVER: it was not read yet */
    struct fg_str text; /* for people, perhaps only its beginning */
    /* What the page offers; empty where it does not say. */
    struct fg_str price, high, currency, availability, condition, name, brand, category,
        seller, country, language;
};

/* A value that a page had from `time` on. */
struct fg_value_change {
    fg_site_id site;
    fg_page_id page;
    fg_time time;
    uint8_t kind, kind_before;
    struct fg_str text, before; /* `before` in a history only */
};

/* What people did with a page on a day, as counted by somebody else. */
#define FG_UNCOUNTED UINT32_MAX
struct fg_daily_row {
    fg_site_id site;
    fg_page_id page;
    int32_t day;                  /* since 1970-01-01 */
    uint32_t clicks, impressions; /* FG_UNCOUNTED: not known */
};

/* Days of counts that are kept, back from the last one that a site has. */
enum { FG_DAILY_KEPT = 60 };

/* The same of a page that is not known yet: it is told by the key of its site and its
 * fingerprint. */
struct fg_early_row {
    uint64_t fingerprint;
    int32_t day;
    uint32_t clicks, impressions;
};

/* What people did with a page that was among the results of a search. */
struct fg_feedback_row {
    fg_site_id site;
    fg_page_id page;        /* 0, of site 0: of all together */
    uint64_t shown, clicks; /* how often it was shown, and chosen */
    uint64_t looks;         /* how often it was looked at, as expected; in millionths */
};

/* One request as it was made, for the ledger of a host: pages, robots.txt, the steps of a
 * redirect. */
struct fg_request_row {
    fg_site_id site; /* the host that was asked */
    fg_time time;    /* when it began */
    uint32_t number; /* tells those of one moment apart */
    uint16_t status; /* HTTP, or 0 with `failure` set */
    uint8_t failure; /* crawl's own code */
    uint8_t purpose; /* of a visit, or crawl's own: robots.txt, an errand */
    uint8_t hop;     /* redirects that led here */
    bool conditional;
    uint32_t bytes, took_ms;
    struct fg_str target; /* path and query */
};

/* What the user says of a page, besides what it is to us. */
struct fg_note_row {
    fg_site_id site;
    fg_page_id page;
    struct fg_str name; /* what it is called */
    struct fg_str tags; /* comma-separated */
    struct fg_str home; /* of a feed, the page it belongs to */
    struct fg_str meta; /* what else came with it: key=value, separated by tabs */
};

/* Something to tell the world, from the outbox. Ids are stable: the same discovery has
 * the same id after any crash. */
struct fg_event_row {
    uint64_t number; /* order of the outbox; given by the store */
    fg_site_id site;
    fg_page_id page;
    uint64_t id;
    fg_time time;
    struct fg_str kind; /* "discovery", "changed" */
    struct fg_str json; /* the line as it is sent, without newline */
};

/* An event that a webhook has not taken yet, or has refused so often that it is not tried
 * any more. */
struct fg_waiting_row {
    struct fg_str hook;
    uint64_t number; /* of the event */
    fg_site_id site;
    uint32_t attempts;
    fg_time next, tried; /* on the wall; FG_NEVER: not set */
    uint16_t status;     /* of the last answer; 0: there was none */
    bool is_dead;        /* a dead letter */
    struct fg_str why;   /* of the last failure */
};

/* What another process wants of the one that writes. */
struct fg_command_row {
    uint64_t number; /* in the order in which they were left */
    fg_time time;
    struct fg_str kind, text;
};

/* --- without the process that writes --- */

/* Counts what people did, at once and whole or not at all, by a process that need not be
 * the one that writes. Each piece has a mark, and one whose mark is there already does
 * not count: is_new tells of each. Marks go after `until`. */
struct fg_feedback_note {
    struct fg_feedback_row row; /* what is to be added */
    uint64_t mark;
    fg_time until;
};
enum fg_status fg_store_note_feedback(const char *place,
                                      const struct fg_feedback_note *notes, size_t n,
                                      fg_time now, bool *is_new, struct fg_err *err);
/* Bytes under a name, of site 0, unless there are some; likewise. */
enum fg_status fg_store_keep_state(const char *place, const char *name,
                                   struct fg_str bytes, struct fg_err *err);

/* --- writing --- */

struct fg_batch *fg_batch_new(struct fg_store *store);
void fg_batch_drop(struct fg_batch *batch); /* instead of submitting it */

/* A number for a site that is to be: no site has it, or ever had. They count up, with
 * gaps; of a lot they are those that leave its number when divided by that of all lots.
 * Those of pages are given by who owns the site. */
fg_site_id fg_store_new_site(struct fg_store *store);

/* Rows are copied, and replace an older row of the same key. */
void fg_batch_site(struct fg_batch *batch, const struct fg_site_row *site);
void fg_batch_page(struct fg_batch *batch, const struct fg_page_row *page);
/* What was read of a page that is there: only flags, alias_of, next_visit, published,
 * content_hash, simhash, identity, title, language and the validators are taken from the
 * row. */
void fg_batch_page_content(struct fg_batch *batch, const struct fg_page_row *page);
/* alias_of 0 leaves what is stored, here and above. */
void fg_batch_page_flags(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                         uint32_t flags, fg_page_id alias_of);
void fg_batch_page_weight(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                          float weight);
/* Also brings the page's last_visit, last_change, status and counters up to date. */
void fg_batch_visit(struct fg_batch *batch, const struct fg_visit_row *visit);
/* A visit that somebody else made: only the log gets it, and keeps what it has of that
 * page and time. */
void fg_batch_capture(struct fg_batch *batch, const struct fg_visit_row *visit);
void fg_batch_link(struct fg_batch *batch, const struct fg_link_row *link);
void fg_batch_body(struct fg_batch *batch, fg_site_id site, fg_page_id page, fg_time time,
                   struct fg_str body);
/* A value that was read, at the time `changed`. If it is not the one that is stored, that
 * is a change, which is kept as well; if it is, the stored time and text stay: a text may
 * differ in what does not count. Its rule is left alone. */
void fg_batch_value(struct fg_batch *batch, const struct fg_value_row *value);
/* How the value of a page is to be read; empty: as that of any other. By another rule
 * than before, the value counts as not read yet. */
void fg_batch_value_rule(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                         struct fg_str rule);
/* Ignored if an event of this id is there already. */
void fg_batch_event(struct fg_batch *batch, const struct fg_event_row *event);
/* Everything up to event `number` has been handed to the named output; `position` is the
 * output's own (a file offset). */
void fg_batch_delivered(struct fg_batch *batch, const char *output, uint64_t number,
                        uint64_t position);
/* Replaces what is stored of that event for that webhook. It keeps the event from being
 * pruned. */
void fg_batch_waiting(struct fg_batch *batch, const struct fg_waiting_row *waiting);
void fg_batch_not_waiting(struct fg_batch *batch, struct fg_str hook, uint64_t number);
/* Bytes under a name: policy columns, learned trust, a classifier's weights; with `at`
 * NULL they are taken away. site 0: all. */
void fg_batch_state(struct fg_batch *batch, fg_site_id site, const char *name,
                    struct fg_str bytes);
/* What else is kept of a page; bytes with `at` NULL take it away. */
enum fg_page_extra {
    FG_EXTRA_LEADS_TO, /* of an alias, the address that is no page of its site */
    FG_EXTRA_TEXT,     /* the whole text of its value, to compare the next one with */
    FG_EXTRA_SKETCH,   /* of that text, to tell small changes */
    FG_EXTRA_CUT,      /* how many of its links were left out */
    FG_EXTRA_CAPTURE,  /* the last capture of an archive that could tell */
    FG_EXTRA_LABELLED, /* what it said when the user labelled it; site 0 as below */
    FG_EXTRA_COMERS,   /* of a list, what it showed and what came and went */
    FG_EXTRA_WORTHS,   /* what its last changes were worth: store/index.h */
};
void fg_batch_page_extra(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                         enum fg_page_extra kind, struct fg_str bytes);
/* What the user says a page is, for the classifier: relevant or not. Site 0: a page that
 * the crawl does not know; see crawl/judging/labels.h. */
void fg_batch_label(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                    bool relevant);
void fg_batch_unlabel(struct fg_batch *batch, fg_site_id site, fg_page_id page);
/* Rows in order of site. Days that are older than FG_DAILY_KEPT go. */
void fg_batch_daily(struct fg_batch *batch, const struct fg_daily_row *rows, size_t n);
void fg_batch_request(struct fg_batch *batch, const struct fg_request_row *request);
/* Empty texts leave what is stored. */
void fg_batch_note(struct fg_batch *batch, const struct fg_note_row *note);
/* A page is to be visited at least so often; 0: that is not promised any more. */
void fg_batch_promise(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                      fg_time at_least);
/* Counts that wait for their pages, of one site; days that are older than FG_DAILY_KEPT
 * go. When a page is known, those that wait for it become its own, unless newer ones
 * have come meanwhile. */
void fg_batch_early(struct fg_batch *batch, struct fg_str key,
                    const struct fg_early_row *rows, size_t n);
void fg_batch_place_early(struct fg_batch *batch, struct fg_str key, uint64_t fingerprint,
                          fg_site_id site, fg_page_id page);
/* Takes a site and all that hangs on it out of the store, because it begins anew as the
 * site `heir`, which gets the requests that were made to it. */
void fg_batch_renew_site(struct fg_batch *batch, fg_site_id site, fg_site_id heir);

/* The command was carried out by this batch. */
void fg_batch_command_done(struct fg_batch *batch, uint64_t number);

/* --- taking out what is not needed any more ---
 *
 * A batch takes out some thousand rows at most, so that it holds nothing up. When it is
 * durable, fg_store_has_more tells whether another one like it is needed. One at a time:
 * the next is submitted when the one before is durable. */

/* What ended before these times goes; FG_NEVER: nothing. A visit ends when it is made,
 * but the last one of a page stays, and so do captures; a link when it is gone; a body
 * and a value when the next one comes. */
struct fg_prune {
    fg_time visits, links, bodies, values, events, requests;
    /* Events up to this number were handed to all who want them; later ones stay, and
     * those that a webhook waits to hand on. UINT64_MAX: nobody wants any. */
    uint64_t delivered;
};
void fg_batch_prune(struct fg_batch *batch, const struct fg_prune *prune);
/* Takes out a site and all that hangs on it. Events that were not delivered stay, and the
 * row of the site with them; dead letters go. `delivered` as above. */
void fg_batch_forget_site(struct fg_batch *batch, fg_site_id site, uint64_t delivered);
bool fg_store_has_more(const struct fg_store *store);

/* Hands the batch over; returns its number. Numbers count up from 1. */
uint64_t fg_store_submit(struct fg_store *store, struct fg_batch *batch);
/* The highest number that is safely on disk, with all below it. */
uint64_t fg_store_durable(const struct fg_store *store);
/* A file descriptor (eventfd) that becomes readable when fg_store_durable moved or the
 * writer failed; for an event loop. */
int fg_store_wakeup(const struct fg_store *store);
/* Somebody waits for this batch: write it without waiting for company. Returns at once.
 */
void fg_store_hurry(struct fg_store *store, uint64_t number);

/* Wait until `number` is durable; a number not yet given means all that were. */
enum fg_status fg_store_flush(struct fg_store *store, uint64_t number,
                              struct fg_err *err);
/* FG_OK, or what stopped the writer (a full disk, say). Nothing submitted since is
 * durable. What waits is tried again, every second at the latest, and at each call of
 * fg_store_flush, so that the writer goes on once the cause is mended. */
enum fg_status fg_store_health(struct fg_store *store, struct fg_err *err);
/* What stopped it is a lock of another program. */
bool fg_store_is_locked(struct fg_store *store);
/* Batches waiting, for back-pressure. */
size_t fg_store_backlog(const struct fg_store *store);

/* What the writer has done since the store was opened. */
struct fg_store_effort {
    uint64_t batches, commits, checkpoints;
    uint64_t journal_bytes; /* of the write-ahead log, as it is now */
    uint64_t statements;    /* sent to a server; 0 where there is none */
    fg_time cpu;            /* time the writer thread spent on a processor */
};
struct fg_store_effort fg_store_effort(struct fg_store *store);

/* --- reading; each may be called from any thread --- */

/* Walks call `take` with each row; it returns false to stop early. Texts hold until it
 * returns. */
typedef bool fg_take_page(void *context, const struct fg_page_row *row);
typedef bool fg_take_link(void *context, const struct fg_link_row *row);
/* The store as it is when the view is first asked something, whatever is written
 * meanwhile: for questions that belong together. It is for reading, by one thread, and
 * short: the journal cannot start over before it ends. */
enum fg_status fg_store_view(struct fg_store **view, struct fg_store *store,
                             struct fg_err *err);
void fg_store_end_view(struct fg_store *view, struct fg_store *store);

typedef bool fg_take_visit(void *context, const struct fg_visit_row *row);
typedef bool fg_take_event(void *context, const struct fg_event_row *row);
typedef bool fg_take_daily(void *context, const struct fg_daily_row *row);
typedef bool fg_take_waiting(void *context, const struct fg_waiting_row *row);
typedef bool fg_take_value_change(void *context, const struct fg_value_change *row);
typedef bool fg_take_request(void *context, const struct fg_request_row *row);
typedef bool fg_take_value(void *context, const struct fg_value_row *row);
typedef bool fg_take_site(void *context, const struct fg_site_row *row);
typedef bool fg_take_command(void *context, const struct fg_command_row *row);
typedef bool fg_take_label(void *context, fg_site_id site, fg_page_id page,
                           bool relevant);
typedef bool fg_take_promise(void *context, fg_site_id site, fg_page_id page,
                             fg_time at_least);
typedef bool fg_take_early(void *context, struct fg_str key, uint64_t fingerprint);

enum fg_status fg_store_sites(struct fg_store *store, fg_take_site *take, void *context,
                              struct fg_err *err);
enum fg_status fg_store_pages(struct fg_store *store, fg_site_id site /* 0: all */,
                              fg_take_page *take, void *context, struct fg_err *err);
/* Of one site, those of a higher number: to go on where one has stopped. */
enum fg_status fg_store_pages_after(struct fg_store *store, fg_site_id site,
                                    fg_page_id after, fg_take_page *take, void *context,
                                    struct fg_err *err);
/* source 0: of all sources of the site. */
enum fg_status fg_store_links(struct fg_store *store, fg_site_id site, fg_page_id source,
                              fg_take_link *take, void *context, struct fg_err *err);
/* page 0: of all pages of the site; site 0: of all sites. In order of time. */
enum fg_status fg_store_visits(struct fg_store *store, fg_site_id site, fg_page_id page,
                               fg_time since, fg_take_visit *take, void *context,
                               struct fg_err *err);
/* Events after `number` and not before `since`, in order, at most `most`; site 0: of all.
 */
enum fg_status fg_store_events(struct fg_store *store, fg_site_id site, uint64_t after,
                               fg_time since, size_t most, fg_take_event *take,
                               void *context, struct fg_err *err);
/* Of one webhook in order of their events; "" for all webhooks. */
enum fg_status fg_store_waiting(struct fg_store *store, const char *hook,
                                fg_take_waiting *take, void *context, struct fg_err *err);
enum fg_status fg_store_labels(struct fg_store *store, fg_take_label *take, void *context,
                               struct fg_err *err);

/* Of all pages of a site that have one; site 0: of all sites. */
enum fg_status fg_store_values(struct fg_store *store, fg_site_id site,
                               fg_take_value *take, void *context, struct fg_err *err);
/* Of all pages of a site that have a rule of their own. */
enum fg_status fg_store_value_rules(struct fg_store *store, fg_site_id site,
                                    fg_take_value *take, void *context,
                                    struct fg_err *err);
/* The last `most` values of a page, the newest first. */
enum fg_status fg_store_value_changes(struct fg_store *store, fg_site_id site,
                                      fg_page_id page, size_t most,
                                      fg_take_value_change *take, void *context,
                                      struct fg_err *err);

/* All changes of value since then, each with the value before it, in order of time; site
 * 0: of all sites. The first value that a page had, or the oldest that is kept, is none.
 */
enum fg_status fg_store_value_history(struct fg_store *store, fg_site_id site,
                                      fg_time since, fg_take_value_change *take,
                                      void *context, struct fg_err *err);

/* Requests to the host of a site since then, in order of time. */
enum fg_status fg_store_requests(struct fg_store *store, fg_site_id site, fg_time since,
                                 fg_take_request *take, void *context,
                                 struct fg_err *err);
/* Of all pages of which one is made; site 0: of all sites. */
enum fg_status fg_store_promises(struct fg_store *store, fg_site_id site,
                                 fg_take_promise *take, void *context,
                                 struct fg_err *err);
/* 0: none is made. */
enum fg_status fg_store_promise(struct fg_store *store, fg_time *at_least,
                                fg_site_id site, fg_page_id page, struct fg_err *err);
/* What other processes have left, in order, without their texts; and one with its text.
 */
enum fg_status fg_store_commands(struct fg_store *store, fg_take_command *take,
                                 void *context, struct fg_err *err);
enum fg_status fg_store_command(struct fg_store *store, struct fg_command_row *command,
                                struct fg_arena *arena, uint64_t number,
                                struct fg_err *err);
/* Each page that counts wait for, once. */
enum fg_status fg_store_early(struct fg_store *store, fg_take_early *take, void *context,
                              struct fg_err *err);

/* The counts of a site from day `first` to before `end`, in order of day and page. */
enum fg_status fg_store_daily(struct fg_store *store, fg_site_id site, int64_t first,
                              int64_t end, fg_take_daily *take, void *context,
                              struct fg_err *err);
/* The first day and the day after the last that a site has counts of; both 0 if none. */
enum fg_status fg_store_daily_span(struct fg_store *store, fg_site_id site,
                                   int64_t *first, int64_t *end, struct fg_err *err);

/* A site in figures: its pages, its visits since `day`, its events since `day` and since
 * `hour`. Reads every row once, so it costs a second for a few million pages. */
struct fg_site_summary {
    fg_site_id site;
    uint64_t known, sources, documents, gone;
    uint64_t feeds, sitemaps; /* of the sources */
    uint64_t waiting;         /* never visited, and nothing keeps us away */
    uint64_t awaited, named;  /* of these: taken to be new; seeds, feeds and sitemaps */
    uint64_t cut;             /* pages of which links were left out */
    uint64_t visits, failures, bytes;
    uint64_t document_visits, document_changes; /* of the visits, to keep them fresh */
    uint64_t events_day, events_hour;
    fg_time last_visit, last_event; /* of all time, or FG_NEVER */
};
typedef bool fg_take_summary(void *context, const struct fg_site_summary *site);
enum fg_status fg_store_summaries(struct fg_store *store, fg_time day, fg_time hour,
                                  fg_take_summary *take, void *context,
                                  struct fg_err *err);

/* One row, its texts in the arena; FG_ENOTFOUND if there is none. */
enum fg_status fg_store_page(struct fg_store *store, struct fg_page_row *page,
                             struct fg_arena *arena, fg_site_id site, fg_page_id id,
                             struct fg_err *err);
enum fg_status fg_store_page_by_fingerprint(struct fg_store *store,
                                            struct fg_page_row *page,
                                            struct fg_arena *arena, fg_site_id site,
                                            uint64_t fingerprint, struct fg_err *err);
enum fg_status fg_store_value(struct fg_store *store, struct fg_value_row *value,
                              struct fg_arena *arena, fg_site_id site, fg_page_id page,
                              struct fg_err *err);
enum fg_status fg_store_note(struct fg_store *store, struct fg_note_row *note,
                             struct fg_arena *arena, fg_site_id site, fg_page_id page,
                             struct fg_err *err);
/* The first site behind this one that has pages; 0: there is none. */
enum fg_status fg_store_site_of_pages(struct fg_store *store, fg_site_id behind,
                                      fg_site_id *site, struct fg_err *err);
/* The highest number that a page of the site has; 0 if it has none. */
enum fg_status fg_store_last_page(struct fg_store *store, fg_site_id site,
                                  fg_page_id *page, struct fg_err *err);
/* The newest stored body at or before `time` (INT64_MAX: the newest). */
enum fg_status fg_store_body(struct fg_store *store, struct fg_str *body, fg_time *stored,
                             struct fg_arena *arena, fg_site_id site, fg_page_id page,
                             fg_time time, size_t max_bytes, struct fg_err *err);
enum fg_status fg_store_state(struct fg_store *store, struct fg_str *bytes,
                              struct fg_arena *arena, fg_site_id site, const char *name,
                              struct fg_err *err);
/* Nothing but zeros if there is none. */
enum fg_status fg_store_feedback(struct fg_store *store, struct fg_feedback_row *row,
                                 fg_site_id site, fg_page_id page, struct fg_err *err);
enum fg_status fg_store_page_extra(struct fg_store *store, struct fg_str *bytes,
                                   struct fg_arena *arena, fg_site_id site,
                                   fg_page_id page, enum fg_page_extra kind,
                                   struct fg_err *err);
enum fg_status fg_store_delivered(struct fg_store *store, const char *output,
                                  uint64_t *number, uint64_t *position,
                                  struct fg_err *err);
/* As far as every output has come that there ever was; UINT64_MAX: there was none. */
enum fg_status fg_store_delivered_to_all(struct fg_store *store, uint64_t *number,
                                         struct fg_err *err);

struct fg_store_counts {
    uint64_t sites, pages, visits, links, events, bodies, file_bytes;
};
enum fg_status fg_store_count(struct fg_store *store, struct fg_store_counts *counts,
                              struct fg_err *err);

/* Reads the whole file and looks for damage: FG_EINPUT with words that say what to do. */
enum fg_status fg_store_check(struct fg_store *store, struct fg_err *err);

#endif
