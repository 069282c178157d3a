/* enlist.h - put seeds into a store that no crawl has open
 *
 *     struct fg_enlisted made;
 *     fg_enlist(&made, store, &options, lines, n, err);
 *
 * As if a crawl had been started for fg_crawl_add, but only the rows concerned are read:
 * it takes no longer for a store of a million pages than for an empty one. All seeds are
 * one batch; they are in the store when this returns, or none is. */
#ifndef FG_CRAWL_ENLIST_H
#define FG_CRAWL_ENLIST_H

#include "crawl/crawl.h"

struct fg_seed_line {
    struct fg_str url;
    struct fg_seed seed;
};

struct fg_enlisted {
    uint64_t new_pages, new_sites;
};

enum fg_status fg_enlist(struct fg_enlisted *made, struct fg_store *store,
                         const struct fg_crawl_options *options,
                         const struct fg_seed_line *lines, size_t n, struct fg_err *err);

/* What that would make, without making it. The store may be read-only, or NULL: empty. */
enum fg_status fg_enlist_count(struct fg_enlisted *made, struct fg_store *store,
                               unsigned keep, const struct fg_seed_line *lines, size_t n,
                               struct fg_err *err);

#endif
