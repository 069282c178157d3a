/* counts.h - clicks and impressions of pages by day: from a table to the store
 *
 *     struct fg_counts counts = {.arena = &arena};
 *     fg_counts_read(&counts, csv, complain, context, err);
 *     if (!counts.wrong)
 *         fg_counts_name(&counts, keep);
 *     fg_counts_put(&outcome, store, &counts, err);
 *
 * The table has a header that names its columns: url, day, and clicks or impressions or
 * both, in any order; others are ignored. While a crawl runs on the store, the counts are
 * left in its inbox (seeds.h) instead, as lines of url, day, clicks and impressions with
 * tabs between, in parts small enough to be taken up between two answers. */
#ifndef FG_CRAWL_COUNTS_H
#define FG_CRAWL_COUNTS_H

#include "base/buf.h"
#include "base/map.h"
#include "base/vec.h"
#include "store/store.h"

struct fg_count {
    uint32_t url;                 /* in `urls` */
    int32_t day;                  /* since 1970-01-01 */
    uint32_t clicks, impressions; /* FG_UNCOUNTED: not known */
};

struct fg_counts {
    struct fg_arena *arena; /* set this; all the rest lives there */
    int32_t last_day;       /* and this: later ones make no sense; 0: all do */
    FG_VEC(struct fg_str) urls;
    FG_VEC(struct fg_count) rows;
    struct fg_names by_url; /* index in `urls` + 1 */
    size_t wrong;           /* rows that make no sense; each was complained about */
};

/* Read all rows. Fails if there is no such table at all: a column missing, say. */
enum fg_status fg_counts_read(struct fg_counts *counts, struct fg_str csv,
                              void (*complain)(void *context, size_t line,
                                               const char *why),
                              void *context, struct fg_err *err);

/* Give the addresses the names that pages have in the store; counts of what is then one
 * page on one day are added up. In order of address and day afterwards. */
void fg_counts_name(struct fg_counts *counts, unsigned keep);

struct fg_counts_outcome {
    size_t rows, pages;   /* that were written */
    size_t unknown;       /* addresses that are no pages of the store yet */
    size_t not_documents; /* pages that are not kept fresh */
    struct fg_str an_unknown_one;
    int32_t first_day, last_day;
};

/* Write the counts of pages that the store knows; those of others wait there until the
 * crawl knows their pages. On disk when it returns. */
enum fg_status fg_counts_put(struct fg_counts_outcome *outcome, struct fg_store *store,
                             const struct fg_counts *counts, struct fg_err *err);
/* The same without writing, for a store that a crawl has open. */
enum fg_status fg_counts_look(struct fg_counts_outcome *outcome, struct fg_store *store,
                              const struct fg_counts *counts, struct fg_err *err);
/* The addresses that are not known, or not documents, are handed to `take`. */
enum fg_status fg_counts_missing(struct fg_store *store, const struct fg_counts *counts,
                                 void (*take)(void *context, struct fg_str url),
                                 void *context, struct fg_err *err);

/* --- for the crawl that runs --- */

/* Counts of a page that is not known yet; `url` is canonical. */
struct fg_early_count {
    struct fg_str url;
    int32_t day;
    uint32_t clicks, impressions;
};
/* They wait in the store. */
void fg_counts_put_early(struct fg_batch *batch, struct fg_arena *arena,
                         const struct fg_early_count *counts, size_t n);

/* Lines from row `first` on, as many as fit into `out`; returns the row after the last.
 */
size_t fg_counts_format(struct fg_buf *out, const struct fg_counts *counts, size_t first);
/* Bring rows into the order of the store; two addresses may lead to one page, whose
 * counts are then theirs together. Returns how many rows there are left. */
size_t fg_daily_merge(struct fg_daily_row *rows, size_t n);
/* One such line; `url` is part of it. False if it makes no sense. */
bool fg_count_parse(struct fg_str *url, struct fg_daily_row *row, struct fg_str line);

#endif
