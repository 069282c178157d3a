#include "crawl/sites/known.h"

#include "base/err.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 20, MOST_URL = UINT16_MAX };

/* The fingerprint is a good hash already; the site keeps equal paths of two sites apart.
 */
static size_t slot_of(uint32_t site, uint64_t fingerprint, size_t mask)
{
    return (size_t)(fingerprint ^ (uint64_t)site * 0x9E3779B97F4A7C15u) & mask;
}

static size_t find_slot(const struct fg_known *known, uint32_t site, uint64_t fingerprint)
{
    size_t i = slot_of(site, fingerprint, known->index_mask);
    for (; known->index[i]; i = (i + 1) & known->index_mask) {
        const struct fg_known_page *page = &known->at[known->index[i] - 1];
        if (page->fingerprint == fingerprint && page->site == site)
            break;
    }
    return i;
}

uint32_t fg_known_find(const struct fg_known *known, uint32_t site, uint64_t fingerprint)
{
    if (!known->index)
        return FG_UNKNOWN;
    uint32_t entry = known->index[find_slot(known, site, fingerprint)];
    return entry ? entry - 1 : FG_UNKNOWN;
}

void fg_known_look(const struct fg_known *known, uint32_t site, uint64_t fingerprint)
{
    if (known->index)
        __builtin_prefetch(&known->index[slot_of(site, fingerprint, known->index_mask)]);
}

void fg_known_look_closer(const struct fg_known *known, uint32_t site,
                          uint64_t fingerprint)
{
    if (!known->index)
        return;
    uint32_t entry = known->index[slot_of(site, fingerprint, known->index_mask)];
    if (entry)
        __builtin_prefetch(&known->at[entry - 1]);
}

static void grow_index(struct fg_known *known)
{
    size_t room = known->index ? (known->index_mask + 1) * 2 : 1024;
    uint32_t *wider = fg_zeroed(room, sizeof *wider);
    free(known->index);
    known->index = wider;
    known->index_mask = room - 1;
    for (size_t row = 0; row < known->len; row++)
        wider[find_slot(known, known->at[row].site, known->at[row].fingerprint)] =
            (uint32_t)row + 1;
}

/* By half, not by two, and what is not used yet is left untouched: at millions of pages
 * the slack is what costs. */
static void *grow_array(void *at, size_t *capacity, size_t needed, size_t bytes)
{
    if (needed <= *capacity)
        return at;
    size_t wider = *capacity + *capacity / 2 + 64;
    wider = wider > needed ? wider : needed;
    char *moved = fg_resized(at, wider, bytes);
    *capacity = wider;
    return moved;
}

static const char *keep_text(struct fg_known *known, struct fg_str text)
{
    if (text.len > known->chunk_left) {
        known->chunks = grow_array(known->chunks, &known->chunks_capacity,
                                   known->n_chunks + 1, sizeof *known->chunks);
        known->chunk = malloc(CHUNK_BYTES);
        if (!known->chunk)
            fg_out_of_memory();
        known->chunks[known->n_chunks++] = known->chunk;
        known->chunk_left = CHUNK_BYTES;
    }
    char *at = known->chunk;
    if (text.len)
        memcpy(at, text.at, text.len);
    known->chunk += text.len;
    known->chunk_left -= text.len;
    return at;
}

static uint32_t number_page(struct fg_known *known, uint32_t site, uint32_t page)
{
    uint64_t *last = fg_map_put(&known->last_page, site);
    if (!page)
        page = (uint32_t)*last + 1;
    if (page > *last)
        *last = page;
    return page;
}

uint32_t fg_known_add(struct fg_known *known, uint32_t site, uint32_t page,
                      uint64_t fingerprint, struct fg_str url, fg_time first_seen)
{
    if (!known->index || (known->len + 1) * 4 > (known->index_mask + 1) * 3)
        grow_index(known);
    known->at =
        grow_array(known->at, &known->capacity, known->len + 1, sizeof *known->at);
    if (url.len > MOST_URL)
        url.len = MOST_URL;
    uint32_t row = (uint32_t)known->len++;
    known->at[row] = (struct fg_known_page){
        .url = keep_text(known, url),
        .url_len = (uint16_t)url.len,
        .fingerprint = fingerprint,
        .first_seen = first_seen,
        .site = site,
        .page = number_page(known, site, page),
    };
    known->index[find_slot(known, site, fingerprint)] = row + 1;
    return row;
}

void fg_known_clear(struct fg_known *known)
{
    for (size_t i = 0; i < known->n_chunks; i++)
        free(known->chunks[i]);
    free(known->chunks);
    free(known->at);
    free(known->index);
    fg_map_clear(&known->last_page);
    *known = (struct fg_known){0};
}

uint32_t fg_known_row_with(const struct fg_known *known, uint32_t site, uint32_t page)
{
    uint64_t id = (uint64_t)site << 32 | page;
    size_t low = 0, high = known->len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (fg_known_id(known, (uint32_t)middle) < id)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_there = low < known->len && fg_known_id(known, (uint32_t)low) == id;
    return is_there ? (uint32_t)low : FG_UNKNOWN;
}

size_t fg_known_bytes(const struct fg_known *known)
{
    return known->capacity * sizeof *known->at +
           (known->index ? (known->index_mask + 1) * sizeof *known->index : 0) +
           known->n_chunks * CHUNK_BYTES +
           (known->last_page.slots
                ? (known->last_page.mask + 1) * sizeof *known->last_page.slots
                : 0);
}

static int by_row(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

size_t fg_rows_unique(uint32_t *rows, size_t n)
{
    size_t unique = 0;
    if (!n)
        return 0; /* then there need be no rows to sort */
    qsort(rows, n, sizeof *rows, by_row);
    for (size_t i = 0; i < n; i++)
        if (!unique || rows[unique - 1] != rows[i])
            rows[unique++] = rows[i];
    return unique;
}

bool fg_rows_have(const uint32_t *rows, size_t n, uint32_t row)
{
    return n && bsearch(&row, rows, n, sizeof row, by_row);
}
