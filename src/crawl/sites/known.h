/* known.h - every page we have ever heard of, in memory
 *
 *     uint32_t row = fg_known_find(&known, site, fingerprint);
 *     if (row == FG_UNKNOWN) row = fg_known_add(&known, site, 0, fingerprint, url, now);
 *
 * The database is not asked on the hot path: whether a link is new is one look-up here.
 * One flat array with an entry a page, an index of 32-bit row numbers over it, and the
 * texts of the URLs in long chunks: about 60 bytes a page and its URL. What is known only
 * of pages we fetched (titles, validators, hashes) stays in the store. Rows never move
 * and never go. */
#ifndef FG_CRAWL_KNOWN_H
#define FG_CRAWL_KNOWN_H

#include "base/map.h"
#include "base/str.h"
#include "base/time.h"

#include <stddef.h>
#include <stdint.h>

#define FG_UNKNOWN UINT32_MAX

struct fg_known_page {
    const char *url;
    uint64_t fingerprint;
    fg_time first_seen;
    uint32_t site, page;   /* page: its number within the site, from 1 */
    uint32_t flags;        /* enum fg_page_flag of the store */
    uint32_t last_visit_s; /* seconds since 1970, 0: never */
    uint16_t url_len;
    uint16_t shown_by; /* fetched pages that link to it, up to 65535 */
    uint8_t depth;
    uint8_t failures;  /* in a row */
    uint8_t is_queued; /* waiting for, or in, a fetch */
    uint8_t spare;
};

struct fg_known {
    struct fg_known_page *at;
    size_t len, capacity;
    uint32_t *index; /* row + 1, 0: empty */
    size_t index_mask;
    char *chunk; /* URLs are appended here */
    size_t chunk_left;
    char **chunks;
    size_t n_chunks, chunks_capacity;
    struct fg_map last_page; /* by site: the last page number */
};

void fg_known_clear(struct fg_known *known);

uint32_t fg_known_find(const struct fg_known *known, uint32_t site, uint64_t fingerprint);

/* Start fetching from memory what fg_known_find will look at, without waiting for it:
 * first `look`, for all one is going to ask for, then `look_closer`. */
void fg_known_look(const struct fg_known *known, uint32_t site, uint64_t fingerprint);
void fg_known_look_closer(const struct fg_known *known, uint32_t site,
                          uint64_t fingerprint);

/* By its numbers, while rows are in the order of these, as they are read at the start: a
 * map of a million pages would take 40 MB more just when memory is needed most. */
uint32_t fg_known_row_with(const struct fg_known *known, uint32_t site, uint32_t page);

/* `page` 0 takes the site's next number. The page must not be known yet. */
uint32_t fg_known_add(struct fg_known *known, uint32_t site, uint32_t page,
                      uint64_t fingerprint, struct fg_str url, fg_time first_seen);

static inline struct fg_str fg_known_url(const struct fg_known *known, uint32_t row)
{
    return (struct fg_str){known->at[row].url, known->at[row].url_len};
}

/* Sorts rows and drops those that come again; returns how many are left. */
size_t fg_rows_unique(uint32_t *rows, size_t n);
bool fg_rows_have(const uint32_t *rows, size_t n, uint32_t row); /* of such rows */

/* The name of a page outside this table: for policies and events. */
static inline uint64_t fg_known_id(const struct fg_known *known, uint32_t row)
{
    return (uint64_t)known->at[row].site << 32 | known->at[row].page;
}

/* Bytes taken in all, for the figure that is promised. */
size_t fg_known_bytes(const struct fg_known *known);

#endif
