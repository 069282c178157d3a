/* sighting.h - one look at the links of a page: shared by sighting.c, which resolves
 * them, and placing.c, which says where they stand */
#ifndef FG_CRAWL_SIGHTING_H
#define FG_CRAWL_SIGHTING_H

#include "crawl/judging/judging.h"
#include "crawl/reading/before.h"
#include "crawl/sources/comers.h"
#include "crawl/sources/newness.h"
#include "crawl/sources/pattern.h"
#include "crawl/state.h"

/* How the list at hand was known before this reading. */
struct look {
    bool was_seen_whole, is_continuation, is_new, is_volume, goes_on, is_listing;
    bool lags;    /* it shows for the first time what was known before it was looked at */
    fg_time last; /* when it was seen whole last */
};

/* A page whose links are looked at. */
struct sight {
    struct fg_crawl *crawl;
    struct fg_batch *batch;
    const struct fg_reading *reading;
    struct site *site;
    uint32_t row, feed; /* of the page; the first feed that it announces */
    fg_time now;
    struct look look;
    struct fg_comers comers; /* of the list, as they were; not ours to clear */
    struct fg_map shown;     /* fingerprints: number in `order`, + 1 */
    struct fg_comer *order;  /* the links, each once, as they stand */
    uint32_t pushed;         /* FG_PAGE_PUSHED, if a push has led to this look; else 0 */
    uint32_t too_long;       /* links that were left out for that */
    uint32_t n_own;          /* links of its site that no page had shown, in any view */
    uint32_t n_strange;      /* of these, such as may be pages of content */
    bool is_held;            /* the link at hand, by the stock that waits (held.c) */
    bool is_lacking;         /* what the list is known to show */
    bool leads_out;          /* a feed whose entries may lie anywhere */
    size_t n_order;
    uint32_t *rows; /* of those */
    const uint32_t
        *number; /* in `order`, of each link of the reading; MOST_LINKS: none */
};

/* A page may not want its links to be followed. The feed that its head names is what its
 * owner offers to programs. */
static inline bool sight_is_not_followed(const struct fg_reading *reading,
                                         const struct fg_reading_link *link)
{
    return link->nofollow || (reading->nofollow && !link->is_feed);
}

/* --- tellable.c --- */
/* Does a feed say that it was published since the watch began? */
bool sight_is_vouched(const struct sight *s, const struct site *site,
                      const struct fg_reading_link *link);
/* `row` is its own, if it is known; `is_further`: a further page of a list. */
bool sight_may_be_told(const struct sight *s, const struct site *site, uint32_t row,
                       const struct fg_reading_link *link,
                       const struct fg_pattern *pattern, bool is_further);

/* --- held.c --- */
/* A page whose number proves nothing yet. */
void held_add(struct sight *s, struct site *site, uint32_t row);
/* It stands on a further page of a list that is read for the first time. */
void held_drop(struct sight *s, uint32_t row);
/* Those whose number is above all of the stock when that has been read are new. */
void held_judge(struct sight *s);

/* --- placing.c --- */
/* Rows of pages that turn out to be new: to be promoted. */
struct confirmed {
    uint32_t *at;
    size_t len, capacity;
};
/* Sets order, rows, number and is_lacking, going by `comers`. */
void placing_of_links(struct sight *s);
/* When the rows are known: what comes to this list, for its source. True if it is to be
 * saved. */
bool placing_learn(struct confirmed *confirmed, struct sight *s, struct source *source);
/* What has taken a place and stays there is new after all, if nothing better is known:
 * where lists grow, they would show it. */
void placing_confirm(struct confirmed *confirmed, const struct fg_crawl *crawl,
                     const struct site *site, struct source *source, fg_time now);
/* Kept of a page in the store, or what came while no crawl ran could not be placed. Of
 * feeds and sitemaps, which may be long, it is not needed. */
bool placing_is_kept(const struct fg_crawl *crawl, uint32_t row);
void placing_save(struct fg_crawl *crawl, struct fg_batch *batch,
                  const struct source *source);
/* Has the comers of a source at hand that an earlier run has kept: `before`, or if that
 * is NULL the store has them. */
void placing_recall(struct fg_crawl *crawl, struct source *source,
                    const struct fg_before *before);

#endif
