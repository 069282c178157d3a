/* judging.h - which pages are told, and of a focused crawl which count */
#ifndef FG_CRAWL_JUDGING_H
#define FG_CRAWL_JUDGING_H

#include "base/map.h"
#include "crawl/judging/focus.h"
#include "crawl/reading/reading.h"
#include "crawl/sites/pages.h"
#include "crawl/sources/sources.h"

struct awaited;

struct crawl_judging {
    struct awaited *awaited;       /* what is known of pages to be judged: judging.c */
    uint64_t judged, proved;       /* as of a source */
    struct fg_map row_by_identity; /* of pages read: the first one that had it, + 1 */
    struct fg_map identity_by_row;
};

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
/* Is what the link to it said at hand? If not, it is FG_BEFORE_LINK, and else, where
 * `before` is NULL below, the store has it. */
bool judging_remembers(const struct fg_crawl *crawl, uint32_t row);
/* It has another address. */
void judging_move(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t from,
                  uint32_t to, const struct fg_before *before, fg_time now);
/* A page was read for the first time, or as one that is awaited. `is_idle`: if it is a
 * list, it shows what is known. */
void judging_read(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                  const struct fg_reading *reading, bool is_idle,
                  struct relevance relevance, const struct fg_before *before,
                  fg_time now);
/* The same of one that was not read. */
void judging_learn(struct fg_crawl *crawl, uint32_t row, enum fg_came came);
/* Is it awaited by a link of a maze (pattern.h) that may not be asked now? */
bool judging_is_in_maze(struct fg_crawl *crawl, uint32_t row, fg_time now);
/* What is taken to be new is not there. Lists are often written before the pages that
 * they lead to, and caches are late: is it asked for once more? */
bool judging_waits(struct fg_crawl *crawl, uint32_t row);
/* It has failed, often: is it asked for again every five minutes? Longer if it is its
 * host that nobody reaches. Not if a feed has told of it, and that is all there will be.
 */
struct fg_answer;
bool judging_tries_later(struct fg_crawl *crawl, uint32_t row,
                         const struct fg_answer *answer);
/* It cannot be had: what a feed has told of it is all there is; or it is not there. */
void judging_give_up(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                     bool is_gone, const struct fg_before *before, fg_time now);
void judging_clear(struct fg_crawl *crawl);
/* The page whose copy one with this identity is, or FG_UNKNOWN. */
uint32_t judging_copy_of(const struct fg_crawl *crawl, uint32_t row, uint64_t identity);

#endif
