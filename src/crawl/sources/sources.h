/* sources.h - pages that are looked at again for their links, and how more of them are
 * found */
#ifndef FG_CRAWL_SOURCES_H
#define FG_CRAWL_SOURCES_H

#include "base/map.h"
#include "base/vec.h"
#include "crawl/reading/before.h"
#include "crawl/reading/cut.h"
#include "crawl/reading/reading.h"
#include "crawl/sites/site.h"
#include "crawl/sources/comers.h"
#include "crawl/sources/strangers.h"
#include "policy/policy.h"

struct fg_crawl;

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
    bool is_volume;           /* it has come after others of its kind, to grow */
    uint8_t lacking_looks;    /* in a row: half of what it is known to show is missing */
    fg_time last_whole;       /* if there were any: when it was seen before them */
    uint32_t feed;            /* that it announces, or FG_UNKNOWN */
    fg_time admitted, last_found, last_seen; /* when its links were last seen */
    fg_time archives_end; /* of the latest archive below it, or FG_NEVER: volume.c */
    bool is_live;         /* false: a slot to be used again */
};

struct crawl_sources {
    FG_VEC(struct source) all;
    struct fg_map by_row;       /* index in `all` + 1 */
    size_t next_due;            /* that is looked at first, for fairness */
    struct fg_map found_lately; /* by row: the row it was found on, + 1; the store may not
                                   have it yet */
    struct fg_map cuts;         /* by row: links left out, as the store has them */
    struct fg_strangers strangers; /* sites that are not watched */
};

/* --- following.c --- */
void sources_clear(struct fg_crawl *crawl);

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
    bool is_idle;       /* it is a page, and shows hardly anything that was not known */
    bool is_volume;     /* it is the next of lists that are counted up */
};
/* Those that nobody has shown before are added, and what is new is awaited. `before` is
 * NULL where another page was asked for, here and below. Of a page with many links it is
 * done in slices: then what was found so far is submitted, and the batch another one. */
struct seen_links crawl_see_links(struct fg_crawl *crawl, struct fg_batch **batch,
                                  uint32_t row, const struct fg_reading *reading,
                                  const struct fg_before *before, fg_time now);
/* Of a page that has become a source: what it showed is what the next look is compared
 * with. */
void crawl_keep_first_look(struct fg_crawl *crawl, struct fg_batch *batch,
                           struct source *source, const struct seen_links *seen);
/* The page is as it was. */
void crawl_seen_same(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                     const struct fg_before *before, fg_time now);

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
/* It was looked at: was that so? */
void source_answer_signal(struct site *site, struct source *source, bool has_changed);
/* After a page was read for the first time: is it one to look at again? */
void source_consider(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                     const struct fg_reading *reading, const struct seen_links *seen,
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

/* --- volume.c --- */
/* Had this list, when it turned up, the number after those of several that were known,
 * and above all of them? `before` is then the one before it. */
bool crawl_is_next_volume(struct fg_crawl *crawl, const struct site *site,
                          struct fg_str url, fg_time turned_up, uint32_t *before);

/* --- short_list.c --- */
/* Is it a list that is watched though it shows little: is it named as a list of news, or
 * is all that it shows below its own address? What more pages than `common` show is
 * navigation. */
bool crawl_is_short_list(const struct fg_crawl *crawl, uint32_t row,
                         const uint32_t *links, size_t n, uint64_t common);

/* --- explore.c --- */
/* A further page of a list. */
bool crawl_is_continuation(struct fg_crawl *crawl, const struct site *site,
                           struct fg_str url);
/* The page of a list before this one, which goes on from it, or FG_UNKNOWN. */
uint32_t crawl_page_before(struct fg_crawl *crawl, const struct site *site, uint32_t row);
bool crawl_is_last_page(struct fg_crawl *crawl, const struct site *site,
                        struct fg_str url);
/* Does it list archives, that of the present day or month among them? The next one will
 * come to it, and to no other list. What more pages than `common` show is navigation. */
bool crawl_leads_to_archives(const struct fg_crawl *crawl, const struct site *site,
                             const uint32_t *links, size_t n, uint64_t common);
/* The same, and their addresses are below its own: /2026/ has /2026/11/. Whatever it
 * looks like, and however long nothing comes to it, a month that begins is seen here and
 * nowhere else, unless there is a feed. */
bool crawl_is_above_archives(const struct fg_crawl *crawl, const struct site *site,
                             uint32_t row, const uint32_t *links, size_t n);
/* To be called when the links of a source are other ones. */
void source_note_archives(const struct fg_crawl *crawl, struct source *source);
/* Is the time of its latest archive over, so that the next one may have come to it? Asked
 * soon after that, and then less and less often. */
bool source_awaits_archive(const struct source *source, fg_time now);
/* ... and one of the pages it leads to is watched. */
bool crawl_watches_below(const struct fg_crawl *crawl, const struct site *site,
                         uint32_t row, const uint32_t *links, size_t n);
/* Is it an archive of a time that is over? */
bool crawl_is_past_archive(const struct site *site, struct fg_str url);
/* Most of its pages do not say when they were published. */
bool site_is_undated(const struct site *site);
/* Is all that was there known, as far as can be told? Then a list may bring up old pages
 * as often as it likes: what is not known is new. Pages that are read lead to nothing
 * unknown any more, and no further page of a list waits. */
bool site_knows_stock(const struct site *site);
/* An address has become known, of a further page as like as not. */
void explore_note_further(struct fg_crawl *crawl, struct site *site, struct fg_str url);
/* A page was read for the first time; `is_familiar`: it led to nothing unknown. */
void explore_note_page(struct fg_crawl *crawl, struct site *site, struct fg_str url,
                       bool is_familiar);
/* The next page of the stock that is worth a look; false if none is, or not now. */
bool explore_next(struct fg_crawl *crawl, struct site *site, uint32_t *row, fg_time now);
/* Is it time to look for one? */
bool explore_may_look(const struct fg_crawl *crawl, const struct site *site, fg_time now);
bool explore_is_over(const struct fg_crawl *crawl, const struct site *site);
/* Something was learnt: what was not worth a look may be. */
void explore_reconsider(struct site *site);

/* Folders of sections that are alike, and some of whose lists are watched: section.c */
enum { SECTION_FOLDERS_MOST = 8 };
struct crawl_sections {
    struct fg_str folders[SECTION_FOLDERS_MOST];
    size_t n;
};
void crawl_find_sections(struct crawl_sections *sections, const struct fg_crawl *crawl,
                         const struct site *site);
/* Is it the front page of one of them? */
bool crawl_is_section(const struct crawl_sections *sections, struct fg_str url);
/* A list of it was read for the first time. `is_idle`: it shows what is known. */
void explore_note_list(struct site *site, bool is_idle);

#endif
