/* site.h - a watched site, and what the user said of it
 *
 * The parts of struct site each belong to the files named in their comments or to those
 * whose functions stand below; a site is found by its id or key (pages.h). */
#ifndef FG_CRAWL_SITE_H
#define FG_CRAWL_SITE_H

#include "base/map.h"
#include "base/vec.h"
#include "crawl/crawl.h"
#include "crawl/host/polite.h"
#include "crawl/judging/judge.h"
#include "crawl/reading/validators.h"
#include "crawl/signals/honesty.h"
#include "crawl/sites/site_row.h"
#include "crawl/sites/site_rules.h"
#include "crawl/sources/pattern.h"

struct fg_known_page;
struct fg_reading;
struct fg_mind;
struct site_push;
struct visit;

/* Rows waiting for their first fetch: a ring, oldest first. */
struct row_queue {
    uint32_t *at;
    size_t first, len, capacity;
};

/* Pages of a site that were not fetched yet, and how far its exploration has come. */
struct site_stock {
    struct row_queue awaited;        /* taken to be new: fetched before all else */
    struct row_queue missing;        /* the same, but not there yet: asked once more */
    struct row_queue eager, patient; /* seeds, feeds and sitemaps; the stock */
    struct row_queue aside;       /* of the stock: not worth a look, as far as is known */
    unsigned explored, open_asks; /* fetched in exploration; asks not answered yet */
    unsigned idle_lists;          /* read last, and nothing of their own on them */
    unsigned continued;           /* further pages of lists fetched, to know the stock */
    unsigned further, further_read; /* of these, known, and read since the start */
    struct fg_map ended; /* further pages that led to nothing unknown, by pattern */
    float value;         /* of the best of them, as it was chosen last; 0: none was */
    float familiar;      /* of pages read lately, the share that led to nothing unknown */
    /* Of lists, read before it was known whether pages carry dates. */
    FG_VEC(uint32_t) last_pages;
    struct fg_map
        held; /* pages whose number proves nothing yet: the list that shows each */
    bool reconsiders; /* something was learnt of what was put aside */
    bool wakes; /* its host backed off: what announces new pages goes before the stock */
    fg_time last_explored; /* a page of the stock was asked for */
    fg_time nothing_until; /* nothing of the stock is worth a look; 0: there may be */
    fg_time nothing_span;  /* how long that holds, if no more comes to it */
};

/* Pages of a site that list others. */
struct site_lists {
    FG_VEC(uint32_t) sources;
    FG_VEC(uint32_t) candidates; /* listing pages for which there was no room */
    unsigned n_feeds;            /* known, announced by its pages */
    bool has_feed;               /* announced by the seed, with dates of publication */
    bool has_archive_entries;    /* feeds name entries of archives, which have no page */
    bool has_growing;            /* pages were seen to come to one, since the start */
    uint64_t pages_read;         /* HTML pages, for telling navigation from lists */
    fg_time last_review;
};

/* What is known of a site's pages that helps to judge others. */
struct site_judging {
    struct fg_map tokens;   /* of pages awaited or reported: fg_address_token */
    struct fg_map numbered; /* of content read: row + 1 by fg_address_without_words */
    struct fg_map titles;   /* of the stock, as links to it say: row + 1 by hash */
    /* Pages read that say when they were published, or not; or only the day. */
    uint32_t dated, undated, dated_to_day;
    uint32_t undated_told; /* reported without a date of their own */
    uint32_t listed_same,
        listed_other;               /* offers that cost what lists had shown, or not */
    uint64_t turned_down[NOT_TOLD]; /* candidates that were not worth telling */
};

struct site_counts {
    uint32_t known, documents;
    /* Of all its documents since the start: time between two visits, and changes seen. */
    double document_hours, document_changes;
    struct fg_honesty document_dates; /* of feeds and sitemaps that date their changes */
    uint64_t fetches, discovered, failures;
    fg_time last_discovery;
};

struct site_budget {
    double allowance, looks; /* requests; looks at sources, of a site that is quiet */
    double first;            /* of the allowance, what the stock may have */
    double first_given;      /* at one price: what it could have in this tick */
    double room;             /* documents that can be asked for in this tick */
    double left, looks_left; /* while it is chosen what is asked for at one price */
    unsigned awaited, awaited_before; /* new pages asked for in this tick, and before */
    bool is_stirred;                  /* see crawl_stir */
};

struct site_host {
    struct fg_host_state state; /* as last saved; its robots text is `robots` */
    char *robots;
    fg_time rests_until; /* it is backing off or holds us */
    struct fg_validators validators;
};

/* Its tdmrep.json. */
struct site_tdm {
    struct fg_crawl *crawl;       /* set with is_asked */
    const struct fg_tdmrep *file; /* in the arena; NULL: none */
    struct fg_arena arena;
    fg_time expires;
    bool is_asked, is_known, is_recalled;
};

struct site {
    fg_site_id id;
    char *key, *domain, *tags;
    enum site_state state;
    fg_time added;
    struct fg_str settings;                 /* JSON, as the store keeps it */
    const struct fg_value_rule *value_rule; /* of its documents; NULL: the crawl's */
    const struct fg_site_rules *rules;      /* what the settings say; NULL: nothing */
    const struct fg_noise *noise; /* what of its pages does not count, or NULL */
    struct fg_patterns *patterns;
    struct site_stock stock;
    struct site_lists lists;
    struct site_judging judging;
    struct site_counts counts;
    struct site_budget budget;
    struct site_host host;
    struct site_tdm tdm;
    uint8_t spoken;         /* of milestones.c: what was said of it */
    struct health *health;  /* of health.c; NULL: nothing is known yet */
    size_t n_lists;         /* likewise: feeds and sitemaps, */
    fg_time lists_since;    /* so many since then, monotonic */
    struct site_push *push; /* of push.c; NULL: nothing was ever pushed */
};

/* A host's state was submitted as batch `number`. */
struct saving {
    uint64_t number;
    char *key;
};

struct crawl_sites {
    FG_VEC(struct site *) all; /* in the order in which they came */
    struct fg_map by_id;       /* to its place in `all` */
    struct fg_names by_key;
    size_t next, next_wanted; /* for their stock, and for what is wanted: for fairness */
    FG_VEC(struct site *) stirred; /* answered, or with something new to fetch */
    FG_VEC(uint32_t) paused;       /* rows of pages, not of those of paused sites */
    FG_VEC(struct saving) savings; /* hosts whose state is on its way to disk */
};

/* --- ruling.c --- */
void crawl_set_noise(struct fg_crawl *crawl, const struct fg_crawl_options *options);
void site_recall_settings(struct fg_crawl *crawl, struct site *site, struct fg_str json);
/* From now on; sources and documents that are none of the site's any more go. */
void crawl_set_site_rules(struct fg_crawl *crawl, struct fg_batch *batch,
                          struct site *site, struct fg_str tags, struct fg_str json);
/* The same of all sites, when all pages are known. */
void crawl_apply_site_rules(struct fg_crawl *crawl);
/* Page requests an hour; 0: no limit. */
double site_budget(const struct fg_crawl *crawl, const struct site *site);

/* --- asked.c: who may be asked --- */
/* May anything be asked of it: is it neither paused nor removed? */
bool site_is_asked(const struct site *site);
bool site_is_removed(const struct site *site);
/* May a page that somebody links to be fetched? */
bool site_allows(const struct site *site, struct fg_str url);
/* Not the sitemaps of a site of single pages. */
bool site_wants(const struct site *site, uint32_t flags);
/* Its host wants to be left alone. */
bool site_is_resting(const struct site *site, fg_time now);
/* The same of a page and its site. */
bool page_is_asked(struct fg_crawl *crawl, uint32_t row);
bool page_is_unwanted(struct fg_crawl *crawl, uint32_t row); /* is one of them removed? */
/* May a redirect lead there? */
bool crawl_asks_host_of(struct fg_crawl *crawl, struct fg_str url);
/* Of an answer that ended at a redirect, where that leads; empty: nowhere. In the scratch
 * arena. */
struct fg_str crawl_next_hop(struct fg_crawl *crawl, const struct fg_answer *answer);
/* Did the answer end at a redirect to a host that is not asked for now? */
bool crawl_stopped_at_hop(struct fg_crawl *crawl, const struct fg_answer *answer);
/* Is it to be fetched for the first time still, or to be judged? */
bool page_wants_first_fetch(const struct fg_known_page *page);

/* --- control.c: what the user takes back --- */
void crawl_block_paused(struct fg_crawl *crawl, struct fg_mind *mind);
/* A visit came to nothing, for it was withdrawn, or what it was made for is gone. */
void crawl_put_back(struct fg_crawl *crawl, const struct visit *visit,
                    const struct fg_answer *answer);
/* The settings of a site, but paused, resumed and removed as they are: who made them may
 * not know what was taken back meanwhile. In the scratch arena. */
struct fg_str crawl_keep_marks(struct fg_crawl *crawl, const struct site *site,
                               struct fg_str json);
/* A site that was removed is added again: the one that takes its place. */
struct site *crawl_begin_anew(struct fg_crawl *crawl, struct fg_batch *batch,
                              struct site *site, fg_time now);
/* When all pages are known. */
void crawl_apply_control(struct fg_crawl *crawl);
void crawl_take_control(struct fg_crawl *crawl, struct fg_batch *batch, uint64_t command,
                        struct fg_str text);

/* --- following.c: feeds that are followed alone --- */
/* Is it a feed whose entries are followed to whichever host? */
bool follow_leads_out(struct fg_crawl *crawl, uint32_t feed,
                      const struct fg_reading *reading);
/* Is its host of another lot? Then it is known, and not asked (intake/notices.h). */
bool site_is_elsewhere(const struct fg_crawl *crawl, const struct site *site);
/* The host that an entry, or the redirect of one, leads to, watched since the feed is;
 * NULL: it is none of ours. */
struct site *follow_to_host(struct fg_crawl *crawl, struct fg_batch *batch,
                            struct fg_str key, fg_time since);
/* A page has led to a host of another lot: who has that is told, if the host would be
 * watched here. */
void follow_out_of_lot(struct fg_crawl *crawl, uint32_t row, struct fg_str address);
/* A seed that was read for the first time: if it is a feed and all that was named of its
 * site, it is followed alone. */
void follow_if_alone(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                     const struct fg_reading *reading);
/* The site of a key that a page of `from` links to, watched from now on if that is of one
 * domain and its rules say so; else NULL. */
struct site *site_of_domain(struct fg_crawl *crawl, struct fg_batch *batch,
                            const struct site *from, struct fg_str key, fg_time now);

/* --- conduct.c --- */
/* Before a page is asked for: ask for what the site says about keeping it. */
void conduct_prepare(struct fg_crawl *crawl, struct site *site);
/* May what was read be kept? `own` is what its headers and it itself say. */
void conduct_of(struct fg_conduct *conduct, struct fg_crawl *crawl,
                const struct site *site, struct fg_str url, struct fg_tdm own);

#endif
