/* Which pages are worth looking at again for their links
 *
 * A page is a candidate when it lists enough pages of its own site beyond the navigation
 * that every page carries. A link counts as navigation once a third of the pages read so
 * far show it. Feeds and sitemaps are sources by nature. While there is room
 * (max_sources) a candidate is admitted at once; later it waits until a review retires a
 * source that has given nothing for long although it was visited often, or is gone.
 * Whether an admitted source is worth its visits is then the policy's to learn. */
#include "crawl/state.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>

enum {
    LISTED_LEAST = 6,      /* links beyond navigation that make a page a list */
    NAVIGATION_AFTER = 10, /* pages read before navigation is told from lists */
    MOST_CANDIDATES = 1000,
    VISITS_BEFORE_RETIRING = 48,
};
static const fg_time silence_before_retiring = 14 * FG_DAY;
static const fg_time review_every = FG_DAY;

struct source *source_find(struct fg_crawl *crawl, uint32_t row)
{
    const uint64_t *slot = fg_map_get(&crawl->source_by_row, row + (uint64_t)1);
    return slot ? &crawl->sources.at[*slot - 1] : NULL;
}

static size_t free_slot(struct fg_crawl *crawl)
{
    bool has_gap = crawl->counts.sources < crawl->sources.len;
    for (size_t i = 0; has_gap && i < crawl->sources.len; i++)
        if (!crawl->sources.at[i].is_live)
            return i;
    fg_vec_push(&crawl->sources, (struct source){0});
    return crawl->sources.len - 1;
}

static void put_flags(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    if (batch)
        fg_batch_page_flags(batch, page->site, page->page, page->flags, 0);
}

struct source *source_admit(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                            fg_time now)
{
    struct source *known = source_find(crawl, row);
    if (known)
        return known;
    struct fg_known_page *page = &crawl->known.at[row];
    struct site *site = crawl_site_of(crawl, row);
    page->flags |= FG_PAGE_SOURCE;
    page->flags &= ~(uint32_t)(FG_PAGE_CANDIDATE | FG_PAGE_RETIRED);
    put_flags(crawl, batch, row);
    size_t slot = free_slot(crawl);
    crawl->sources.at[slot] = (struct source){.row = row,
                                              .admitted = now,
                                              .last_found = now,
                                              .last_seen = now,
                                              .is_live = true};
    *fg_map_put(&crawl->source_by_row, row + (uint64_t)1) = slot + 1;
    fg_vec_push(&site->sources, row);
    uint64_t id = fg_known_id(&crawl->known, row);
    fg_mind_add(crawl->discovery, id, site->id, now);
    *fg_map_put(&crawl->row_by_id, id) = row + (uint64_t)1;
    crawl->counts.sources++;
    return &crawl->sources.at[slot];
}

void source_retire(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row)
{
    struct source *source = source_find(crawl, row);
    if (!source)
        return;
    struct site *site = crawl_site_of(crawl, row);
    crawl->known.at[row].flags &= ~(uint32_t)FG_PAGE_SOURCE;
    crawl->known.at[row].flags |= FG_PAGE_RETIRED;
    put_flags(crawl, batch, row);
    fg_mind_remove(crawl->discovery, fg_known_id(&crawl->known, row));
    fg_map_remove(&crawl->source_by_row, row + (uint64_t)1);
    free(source->links);
    *source = (struct source){0};
    for (size_t i = 0; i < site->sources.len; i++)
        if (site->sources.at[i] == row)
            site->sources.at[i] = site->sources.at[--site->sources.len];
    crawl->counts.sources--;
}

void source_count_shown(struct fg_crawl *crawl, struct site *site, const uint32_t *links,
                        size_t n)
{
    site->pages_read++;
    for (size_t i = 0; i < n; i++)
        if (crawl->known.at[links[i]].shown_by < UINT16_MAX)
            crawl->known.at[links[i]].shown_by++;
}

static size_t count_listed(const struct fg_crawl *crawl, const struct site *site,
                           const uint32_t *links, size_t n)
{
    uint64_t common =
        site->pages_read < NAVIGATION_AFTER ? UINT64_MAX : 1 + site->pages_read / 3;
    size_t listed = 0;
    for (size_t i = 0; i < n; i++)
        listed += crawl->known.at[links[i]].shown_by <= common;
    return listed;
}

void source_consider(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                     const struct fg_reading *reading, const uint32_t *links, size_t n,
                     fg_time now)
{
    struct site *site = crawl_site_of(crawl, row);
    uint32_t flags = crawl->known.at[row].flags;
    bool by_nature = reading->kind == FG_READ_FEED || reading->kind == FG_READ_SITEMAP ||
                     reading->kind == FG_READ_SITEMAP_INDEX || (flags & FG_PAGE_SOURCE);
    if (!by_nature && count_listed(crawl, site, links, n) < LISTED_LEAST)
        return;
    if (site->sources.len < crawl->options.max_sources) {
        source_admit(crawl, batch, row, now);
        return;
    }
    crawl->known.at[row].flags |= FG_PAGE_CANDIDATE;
    put_flags(crawl, batch, row);
    if (site->candidates.len < MOST_CANDIDATES)
        fg_vec_push(&site->candidates, row);
}

/* An article that was read before the navigation was known may have passed for a list. */
static void drop_false_sources(struct fg_crawl *crawl, struct fg_batch *batch,
                               struct site *site)
{
    for (size_t i = site->sources.len; i-- > 0;) {
        struct source *source = source_find(crawl, site->sources.at[i]);
        uint32_t kept = FG_PAGE_FEED | FG_PAGE_SITEMAP | FG_PAGE_SEED;
        if ((crawl->known.at[source->row].flags & kept) || !source->links)
            continue;
        if (count_listed(crawl, site, source->links, source->n_links) < LISTED_LEAST)
            source_retire(crawl, batch, source->row);
    }
}

void source_end_exploring(struct fg_crawl *crawl, struct fg_batch *batch,
                          struct site *site, fg_time now)
{
    drop_false_sources(crawl, batch, site);
    site->state = SITE_WATCHED;
    site->last_review = now;
}

static bool is_worn_out(const struct fg_crawl *crawl, const struct source *source,
                        fg_time now)
{
    if (crawl->known.at[source->row].flags & FG_PAGE_SEED)
        return false;
    return source->visits >= VISITS_BEFORE_RETIRING &&
           now - source->last_found > silence_before_retiring;
}

void source_review(struct fg_crawl *crawl, struct site *site, fg_time now)
{
    if (site->state != SITE_WATCHED || now - site->last_review < review_every)
        return;
    site->last_review = now;
    struct fg_batch *batch = fg_batch_new(crawl->store);
    for (size_t i = site->sources.len; i-- > 0;) {
        const struct source *source = source_find(crawl, site->sources.at[i]);
        if (is_worn_out(crawl, source, now))
            source_retire(crawl, batch, source->row);
    }
    while (site->candidates.len && site->sources.len < crawl->options.max_sources)
        source_admit(crawl, batch, site->candidates.at[--site->candidates.len], now);
    fg_store_submit(crawl->store, batch);
}

/* --- what a visit showed --- */

static void put_link(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t source,
                     uint32_t target, fg_time first, fg_time last, fg_time gone)
{
    const struct fg_known_page *from = &crawl->known.at[source],
                               *to = &crawl->known.at[target];
    fg_batch_link(batch, &(struct fg_link_row){.site = from->site,
                                               .source = from->page,
                                               .target_site = to->site,
                                               .target = to->page,
                                               .first_seen = first,
                                               .last_seen = last,
                                               .gone = gone});
}

static uint64_t *ids_of(struct fg_crawl *crawl, const uint32_t *rows, size_t n)
{
    uint64_t *ids = FG_NEW(&crawl->scratch, uint64_t, n + 1);
    for (size_t i = 0; i < n; i++)
        ids[i] = fg_known_id(&crawl->known, rows[i]);
    return ids;
}

/* The links of this visit and of the last complete one, sorted and unique. */
static size_t unite(struct fg_crawl *crawl, const struct source *source,
                    const uint32_t **links, size_t n)
{
    uint32_t *both = FG_NEW(&crawl->scratch, uint32_t, n + source->n_links + 1);
    size_t n_both = 0;
    for (size_t i = 0, old = 0; i < n || old < source->n_links;) {
        bool takes_new =
            old == source->n_links || (i < n && (*links)[i] <= source->links[old]);
        uint32_t next = takes_new ? (*links)[i] : source->links[old];
        i += i < n && (*links)[i] == next;
        old += old < source->n_links && source->links[old] == next;
        both[n_both++] = next;
    }
    *links = both;
    return n_both;
}

/* What came and what went since a source's last visit. */
struct differences {
    uint32_t *added, *gone; /* room for all links of this visit, and of the last */
    size_t n_added, n_gone;
};

static void put_differences(struct fg_crawl *crawl, struct fg_batch *batch,
                            const struct source *source, fg_time now,
                            const uint32_t *links, size_t n, struct differences *d)
{
    size_t old = 0;
    for (size_t i = 0; i < n; i++) {
        for (; old < source->n_links && source->links[old] < links[i]; old++)
            d->gone[d->n_gone++] = source->links[old];
        if (old < source->n_links && source->links[old] == links[i]) {
            old++;
        } else {
            d->added[d->n_added++] = links[i];
            put_link(crawl, batch, source->row, links[i], now, now, FG_NEVER);
        }
    }
    while (old < source->n_links)
        d->gone[d->n_gone++] = source->links[old++];
    for (size_t i = 0; i < d->n_gone; i++)
        put_link(crawl, batch, source->row, d->gone[i], FG_NEVER, source->last_seen, now);
}

static void keep_links(struct source *source, const uint32_t *links, size_t n)
{
    uint32_t *kept = fg_resized(source->links, n ? n : 1, sizeof *kept);
    if (n)
        memcpy(kept, links, n * sizeof *kept);
    source->links = kept;
    source->n_links = n;
}

/* New to everybody in this tick: two sources that show it in the same tick both get the
 * credit, as the papers define yield; the one that was first has it in front. */
static void tell_fresh(struct fg_crawl *crawl, struct source *source,
                       struct fg_visit *visit, const uint32_t *links, size_t n)
{
    uint32_t *fresh = FG_NEW(&crawl->scratch, uint32_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        fg_time first_seen = crawl->known.at[links[i]].first_seen;
        if (first_seen < crawl->tick_started ||
            !relevance_counts(crawl, source, links[i]))
            continue;
        fresh[visit->n_fresh++] = links[i];
        if (first_seen >= visit->now) {
            fresh[visit->n_fresh - 1] = fresh[visit->n_first];
            fresh[visit->n_first++] = links[i];
        }
    }
    visit->fresh = ids_of(crawl, fresh, visit->n_fresh);
}

void source_observe(struct fg_crawl *crawl, struct fg_batch *batch, struct source *source,
                    struct fg_visit *visit, const uint32_t *links, size_t n)
{
    tell_fresh(crawl, source, visit, links, n);
    visit->seen = ids_of(crawl, links, n);
    visit->n_seen = n;
    /* Of a page that was cut short, what is missing may stand below the cut. */
    if (!visit->complete)
        n = unite(crawl, source, &links, n);
    struct differences d = {
        .added = FG_NEW(&crawl->scratch, uint32_t, n + 1),
        .gone = FG_NEW(&crawl->scratch, uint32_t, source->n_links + 1),
    };
    put_differences(crawl, batch, source, visit->now, links, n, &d);
    keep_links(source, links, n);
    source->last_seen = visit->now;
    source->found += (uint32_t)visit->n_fresh;
    if (visit->n_fresh)
        source->last_found = visit->now;
    visit->added = ids_of(crawl, d.added, d.n_added);
    visit->n_added = d.n_added;
    visit->gone = ids_of(crawl, d.gone, d.n_gone);
    visit->n_gone = d.n_gone;
}
