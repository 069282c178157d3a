#include "crawl/sources/session.h"

#include "crawl/documents/documents.h"
#include "crawl/intake/intake.h"
#include "crawl/judging/judging.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/comers.h"
#include "crawl/sources/newness.h"
#include "crawl/sources/pattern.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"
#include "net/url/canonical.h"
#include "net/url/query.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_LINKS = 8, KEYS_TRIED = 8 };

/* Navigation may go without it. */
static bool is_many(size_t n, size_t of)
{
    return n >= LEAST_LINKS && n * 10 >= of * 3;
}

static size_t count_with(const struct fg_str *urls, size_t n, struct fg_str part)
{
    size_t have = 0;
    for (size_t i = 0; i < n; i++)
        have += fg_query_has(fg_query_of(urls[i]), part);
    return have;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t print_without(struct fg_arena *arena, struct fg_str url,
                              struct fg_str key)
{
    return fg_canonical_fingerprint(fg_query_without(arena, url, key));
}

/* Is at least half of the links of now, without the parameter, those of before? A box may
 * have turned over. */
static bool is_same_list(struct fg_arena *arena, const struct fg_str *before,
                         size_t n_before, const struct fg_str *now, size_t n_now,
                         struct fg_str key)
{
    uint64_t *known = FG_NEW(arena, uint64_t, n_before + 1);
    size_t same = 0;
    for (size_t i = 0; i < n_before; i++)
        known[i] = print_without(arena, before[i], key);
    qsort(known, n_before, sizeof *known, by_number);
    for (size_t i = 0; i < n_now; i++) {
        uint64_t print = print_without(arena, now[i], key);
        same += bsearch(&print, known, n_before, sizeof *known, by_number) != NULL;
    }
    return same * 2 >= n_now;
}

struct fg_str fg_session_key(struct fg_arena *arena, const struct fg_str *before,
                             size_t n_before, const struct fg_str *now, size_t n_now)
{
    unsigned tried = 0;
    for (size_t i = 0; i < n_now && n_now >= LEAST_LINKS && tried < KEYS_TRIED; i++) {
        struct fg_str part, rest = fg_query_of(now[i]);
        while (fg_query_next(&rest, &part) && tried++ < KEYS_TRIED)
            if (is_many(count_with(now, n_now, part), n_now) &&
                !count_with(before, n_before, part) &&
                is_same_list(arena, before, n_before, now, n_now, fg_query_key(part)))
                return fg_query_key(part);
    }
    return (struct fg_str){0};
}

/* --- the crawl --- */

/* The page without the parameter takes the place of one that is known with it. */
static void move(struct fg_crawl *crawl, struct fg_batch *batch, struct site *site,
                 uint32_t row, struct fg_str url, uint32_t list)
{
    struct fg_known_page page = crawl->known.at[row];
    uint64_t print = fg_canonical_fingerprint(url);
    uint32_t to = fg_known_find(&crawl->known, site->id, print);
    const uint32_t handed_on = FG_PAGE_STOCK | FG_PAGE_OLD;
    if (to == FG_UNKNOWN)
        to = crawl_add_page(crawl, batch,
                            &(struct new_page){.site = site,
                                               .url = url,
                                               .fingerprint = print,
                                               .found_on = list,
                                               .depth = page.depth,
                                               .flags = page.flags & handed_on,
                                               .dated = FG_NEVER,
                                               .published = FG_NEVER},
                            page.first_seen);
    judging_move(crawl, batch, row, to, NULL, page.first_seen);
    if (source_find(crawl, row)) {
        source_retire(crawl, batch, row);
        source_admit(crawl, batch, to, page.first_seen);
    }
    document_move(crawl, batch, row, to, page.first_seen);
    crawl->known.at[row].flags |= FG_PAGE_ALIAS;
    if (!crawl->known.at[row].last_visit_s) /* there is nothing to fetch any more */
        crawl->known.at[row].last_visit_s = (uint32_t)(page.first_seen / FG_SECOND);
    fg_batch_page_flags(batch, site->id, page.page, crawl->known.at[row].flags,
                        crawl->known.at[to].page);
}

/* What a list showed last is found again without the parameter. */
static void rename_links(struct fg_crawl *crawl, const struct site *site,
                         struct source *source, struct fg_str key)
{
    for (size_t i = 0; i < source->n_links; i++) {
        uint32_t row = source->links[i];
        if (crawl->known.at[row].site == site->id) {
            uint64_t print =
                print_without(&crawl->scratch, fg_known_url(&crawl->known, row), key);
            uint32_t to = fg_known_find(&crawl->known, site->id, print);
            row = to == FG_UNKNOWN ? row : to;
        }
        source->links[i] = row;
    }
    source->n_links = fg_rows_unique(source->links, source->n_links);
}

static void drop(struct fg_crawl *crawl, struct fg_batch *batch, struct site *site,
                 struct fg_str key, uint32_t list)
{
    fg_patterns_drop(site->patterns, key);
    for (uint32_t row = 0, n = (uint32_t)crawl->known.len; row < n; row++) {
        const struct fg_known_page *page = &crawl->known.at[row];
        const uint32_t stays = FG_PAGE_ALIAS | FG_PAGE_SEED | FG_PAGE_REMOVED;
        if (page->site != site->id || page->flags & stays)
            continue;
        struct fg_str url = fg_known_url(&crawl->known, row),
                      other = fg_query_without(&crawl->scratch, url, key);
        if (other.len != url.len)
            move(crawl, batch, site, row, other, list);
    }
    for (size_t i = 0; i < crawl->sources.all.len; i++) {
        struct source *source = &crawl->sources.all.at[i];
        if (source->is_live && crawl->known.at[source->row].site == site->id) {
            rename_links(crawl, site, source, key);
            fg_comers_clear(&source->comers);
        }
    }
}

void session_look(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                  const struct fg_reading *reading)
{
    struct site *site = crawl_site_of(crawl, row);
    const struct source *source = source_find(crawl, row);
    struct fg_str *before = FG_NEW(&crawl->scratch, struct fg_str, source->n_links + 1),
                  *now = FG_NEW(&crawl->scratch, struct fg_str, reading->n_links + 1);
    size_t n_before = 0, n_now = 0;
    for (size_t i = 0; i < source->n_links; i++)
        if (crawl->known.at[source->links[i]].site == site->id)
            before[n_before++] = fg_known_url(&crawl->known, source->links[i]);
    for (size_t i = 0; i < reading->n_links; i++)
        if (fg_str_eq(reading->links[i].site, fg_str_from(site->key)))
            now[n_now++] = reading->links[i].url;
    struct fg_str key = fg_session_key(&crawl->scratch, before, n_before, now, n_now);
    if (key.len)
        drop(crawl, batch, site, fg_arena_dup(&crawl->scratch, key), row);
}
