/* strangers.h - sites that known pages lead to and nobody watches (crawl.new-sites)
 *
 * They are suggestions: none is asked for anything before the user adds it. Of each it is
 * kept how many pages lead to it, which of them were the first, and since when. At most
 * FG_STRANGERS_MOST are kept; when there are more, those to which the fewest pages lead
 * go, and of these the ones not seen for longest. Kept in the store, as the state
 * "strangers", a line each, for `forage leads`. */
#ifndef FG_CRAWL_STRANGERS_H
#define FG_CRAWL_STRANGERS_H

#include "base/buf.h"
#include "base/map.h"
#include "base/time.h"
#include "base/vec.h"

#define FG_STRANGERS_STATE "strangers"

enum { FG_STRANGERS_MOST = 1000, FG_STRANGER_PAGES = 8 };

struct fg_stranger {
    char *key; /* "https://example.org" */
    uint64_t pages;
    uint64_t from[FG_STRANGER_PAGES]; /* the first of them: site << 32 | page */
    uint32_t n_from;
    fg_time first, last;
};

struct fg_strangers {
    FG_VEC(struct fg_stranger) all;
    struct fg_map by_key; /* of its hash, to its place + 1 */
    bool has_news;        /* since it was written */
};

void fg_strangers_clear(struct fg_strangers *strangers);
/* A page leads there. `is_first` look at the page: else only what it did not show before
 * counts, as far as that is remembered. */
void fg_strangers_see(struct fg_strangers *strangers, struct fg_str key, uint64_t page,
                      bool is_first, fg_time now);
/* How many sites those pages belong to, of the first FG_STRANGER_PAGES. */
uint32_t fg_stranger_sites(const struct fg_stranger *stranger);
void fg_strangers_write(const struct fg_strangers *strangers, struct fg_buf *out);
/* False if that is none of ours; then there are none. */
bool fg_strangers_read(struct fg_strangers *strangers, struct fg_str text);

struct fg_crawl;
struct fg_batch;

void strangers_see(struct fg_crawl *crawl, uint32_t row, struct fg_str key, fg_time now);
void strangers_recall(struct fg_crawl *crawl);
void strangers_save(struct fg_crawl *crawl, struct fg_batch *batch);

#endif
