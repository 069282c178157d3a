/* Which pages are worth looking at again for their links
 *
 * A page is a candidate when it is a list (net/facts/kind.h) and shows enough pages of
 * its own site beyond the navigation that every page carries. A link counts as navigation
 * once a third of the pages read so far show it. A further page of a list, a copy, a list
 * whose links another source shows already, and one that leads to views of itself only (a
 * calendar) are none. Feeds, sitemaps and what the user named are sources by nature.
 * While there is room (max_sources) a candidate is admitted at once; later it waits until
 * a review retires a source that has given nothing for long although it was visited
 * often, or is gone. Whether an admitted source is worth its visits is then the policy's
 * to learn. */
#include "crawl/judging/judging.h"
#include "crawl/signals/push.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/comers.h"
#include "crawl/sources/newness.h"
#include "crawl/sources/pattern.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"

#include "base/map.h"
#include "base/memory.h"
#include "net/url/canonical.h"

#include <assert.h>
#include <stdlib.h>

enum {
    LISTED_LEAST = 6,      /* links beyond navigation that make a page a list */
    NAVIGATION_AFTER = 10, /* pages read before navigation is told from lists */
    MOST_CANDIDATES = 1000,
    VISITS_BEFORE_RETIRING = 48,
};
static const fg_time silence_before_retiring = 14 * FG_DAY;
static const fg_time review_every = FG_DAY;

/* What a site lists as its source is one. */
static struct source *listed_source(struct fg_crawl *crawl, const struct site *site,
                                    size_t i)
{
    struct source *source = source_find(crawl, site->lists.sources.at[i]);
    assert(source);
    return source;
}

static size_t free_slot(struct fg_crawl *crawl)
{
    bool has_gap = crawl->counts.sources < crawl->sources.all.len;
    for (size_t i = 0; has_gap && i < crawl->sources.all.len; i++)
        if (!crawl->sources.all.at[i].is_live)
            return i;
    fg_vec_push(&crawl->sources.all, (struct source){0});
    return crawl->sources.all.len - 1;
}

/* How much is expected of a source before it has shown anything: most of what the user
 * named and of the feeds announced close to it, less of lists, and all the less the more
 * of them there are. */
enum rank { FRONT, MAIN_FEED, SITEMAP, NEAR_LIST, FAR_LIST, RANKS };

/* Linked from the front page, or another choice of what such a list shows. */
static bool is_near(const struct fg_crawl *crawl, const struct fg_known_page *page)
{
    struct fg_str url = {page->url, page->url_len};
    size_t mark = fg_str_chr(url, '?');
    if (page->depth <= 1 || mark == FG_NOT_FOUND)
        return page->depth <= 1;
    uint32_t base = fg_known_find(&crawl->known, page->site,
                                  fg_canonical_fingerprint(fg_str_sub(url, 0, mark)));
    return base != FG_UNKNOWN && crawl->known.at[base].depth == 1;
}

static enum rank rank_of(const struct fg_crawl *crawl, uint32_t row, unsigned feed_depth)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    return page->flags & FG_PAGE_SEED                                ? FRONT
           : page->flags & FG_PAGE_FEED && page->depth <= feed_depth ? MAIN_FEED
           : page->flags & FG_PAGE_SITEMAP                           ? SITEMAP
           : is_near(crawl, page)                                    ? NEAR_LIST
                                                                     : FAR_LIST;
}

/* Feeds that are announced first matter most. */
static unsigned feed_depth_of(const struct fg_crawl *crawl, const struct site *site)
{
    unsigned least = 2;
    for (size_t i = 0; i < site->lists.sources.len; i++) {
        const struct fg_known_page *page = &crawl->known.at[site->lists.sources.at[i]];
        if (page->flags & FG_PAGE_FEED && page->depth < least)
            least = page->depth;
    }
    return least;
}

/* Does it announce a feed that is watched closely, and says when its entries were
 * published? */
static bool has_own_feed(struct fg_crawl *crawl, uint32_t row, unsigned feed_depth)
{
    const struct source *source = source_find(crawl, row);
    const struct source *feed =
        source->feed == FG_UNKNOWN ? NULL : source_find(crawl, source->feed);
    return feed && feed->dates_entries &&
           rank_of(crawl, feed->row, feed_depth) == MAIN_FEED;
}

/* Lists of a site without a main feed are looked at a second time after twenty minutes:
 * that shows which of them are lively. If there are many, not all of them, and none where
 * there are documents to read. */
static void weigh_sources(struct fg_crawl *crawl, const struct site *site)
{
    enum { SECOND_LOOKS_MOST = 24 };
    static const float for_second_look = 0.24F;
    static const float together[RANKS] = {4, 4, 0.3F, 1.5F, 0.15F};
    static const float most[RANKS] = {1.5F, 2, 0.3F, 0.5F, 0.1F};
    unsigned n[RANKS] = {0}, depth = feed_depth_of(crawl, site), second_looks = 0;
    for (size_t i = 0; i < site->lists.sources.len; i++)
        n[rank_of(crawl, site->lists.sources.at[i], depth)]++;
    /* Where hardly anything is near, what is further away is all there is. */
    bool is_all_far = n[NEAR_LIST] <= 2 && !n[MAIN_FEED];
    n[NEAR_LIST] += is_all_far ? n[FAR_LIST] : 0;
    for (size_t i = 0; i < site->lists.sources.len; i++) {
        uint32_t row = site->lists.sources.at[i];
        enum rank rank = rank_of(crawl, row, depth);
        if (rank == FAR_LIST && is_all_far)
            rank = NEAR_LIST;
        float weight = together[rank] / (float)n[rank];
        if (listed_source(crawl, site, i)->is_volume) {
            rank = MAIN_FEED; /* what the volume before it brought, this one will */
            weight = most[rank];
        }
        size_t at = fg_mind_row(crawl->minds.discovery, fg_known_id(&crawl->known, row));
        if (rank >= NEAR_LIST &&
            (site->lists.has_feed || has_own_feed(crawl, row, depth)))
            weight /= 4; /* what they would show, the feed shows */
        else if (rank == NEAR_LIST && !n[MAIN_FEED] && !site->counts.documents &&
                 weight < for_second_look && listed_source(crawl, site, i)->visits < 2 &&
                 second_looks++ < SECOND_LOOKS_MOST)
            weight = for_second_look;
        if (at != FG_NO_ROW)
            fg_mind_weigh(crawl->minds.discovery, at,
                          weight < most[rank] ? weight : most[rank]);
    }
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
    crawl->sources.all.at[slot] = (struct source){.row = row,
                                                  .admitted = now,
                                                  .last_found = now,
                                                  .last_seen = now,
                                                  .archives_end = FG_NEVER,
                                                  .feed = FG_UNKNOWN,
                                                  .is_live = true};
    *fg_map_put(&crawl->sources.by_row, row + (uint64_t)1) = slot + 1;
    fg_vec_push(&site->lists.sources, row);
    uint64_t id = fg_known_id(&crawl->known, row);
    fg_mind_add(crawl->minds.discovery, id, site->id, now);
    weigh_sources(crawl, site);
    *fg_map_put(&crawl->minds.row_by_id, id) = row + (uint64_t)1;
    crawl->counts.sources++;
    if (!site->lists.has_feed)
        explore_reconsider(site); /* it may be of a section, as others are */
    return &crawl->sources.all.at[slot];
}

void source_count_visit(struct fg_crawl *crawl, struct source *source)
{
    if (++source->visits == 2)
        weigh_sources(crawl, crawl_site_of(crawl, source->row));
}

void source_note_feed(struct fg_crawl *crawl, struct source *source,
                      const struct seen_links *seen)
{
    if (source->feed == seen->feed && source->dates_entries == seen->dates_entries)
        return;
    source->feed = seen->feed;
    source->dates_entries = seen->dates_entries;
    weigh_sources(crawl, crawl_site_of(crawl, source->row));
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
    fg_mind_remove(crawl->minds.discovery, fg_known_id(&crawl->known, row));
    fg_map_remove(&crawl->sources.by_row, row + (uint64_t)1);
    free(source->links);
    fg_comers_clear(&source->comers);
    *source = (struct source){0};
    for (size_t i = 0; i < site->lists.sources.len; i++)
        if (site->lists.sources.at[i] == row)
            site->lists.sources.at[i] = site->lists.sources.at[--site->lists.sources.len];
    crawl->counts.sources--;
}

void source_count_shown(struct fg_crawl *crawl, struct site *site, const uint32_t *links,
                        size_t n)
{
    site->lists.pages_read++;
    for (size_t i = 0; i < n; i++)
        if (crawl->known.at[links[i]].shown_by < UINT16_MAX)
            crawl->known.at[links[i]].shown_by++;
}

/* A link that more pages than this show is navigation. */
static uint64_t common_from(const struct site *site)
{
    return site->lists.pages_read < NAVIGATION_AFTER ? UINT64_MAX
                                                     : 1 + site->lists.pages_read / 3;
}

/* Of a page that links to many thousand others, what kinds they are is told by some of
 * them: every so-manieth is looked at. */
static size_t step_through(size_t n)
{
    enum { ENOUGH = 2000 };
    return n / ENOUGH + 1;
}

static size_t count_listed(const struct fg_crawl *crawl, const struct site *site,
                           const uint32_t *links, size_t n, size_t step)
{
    uint64_t common = common_from(site);
    size_t listed = 0;
    for (size_t i = 0; i < n; i += step)
        listed += crawl->known.at[links[i]].shown_by <= common;
    return listed;
}

static struct fg_str without_query(struct fg_str url)
{
    size_t mark = fg_str_chr(url, '?');
    return fg_str_sub(url, 0, mark == FG_NOT_FOUND ? url.len : mark);
}

/* Of its pattern nothing came but lists and the like. One look is enough where the
 * address may be that of a day or a month. */
static bool leads_to_no_page(struct fg_patterns *patterns, struct fg_str url,
                             bool names_time)
{
    enum { ENOUGH = 3, PAGES_MOST = 5 };
    const struct fg_pattern *pattern = fg_patterns_find(patterns, url);
    uint32_t fetched = fg_pattern_fetched(pattern);
    uint32_t pages = pattern->came[FG_CAME_PAGE] + pattern->came[FG_CAME_DOCUMENT];
    return fetched >= (names_time ? 1 : ENOUGH) && pages * PAGES_MOST <= fetched;
}

/* Is it a view of the page at that path, as its address says? */
static bool is_said_view(struct fg_str url, struct fg_str path)
{
    static const float likely = 0.62F;
    if (!fg_str_eq(without_query(url), path))
        return false;
    struct fg_kind_verdict says = fg_kind_of_address(url);
    return says.kind != FG_KIND_PAGE && says.certainty > likely;
}

/* Another month, another order: a list may link to views of itself without end, and they
 * are nothing that it lists. The address says so, or it is of the same words but for
 * numbers ("/agenda/3/14"), and no page that was read of that pattern was one to read. */
static size_t count_views(const struct fg_crawl *crawl, const struct site *site,
                          uint32_t row, const uint32_t *links, size_t n)
{
    struct fg_str own = fg_known_url(&crawl->known, row), path = without_query(own);
    uint64_t words = fg_address_family(own).words;
    uint64_t common = common_from(site);
    size_t views = 0;
    for (size_t i = 0; i < n; i += step_through(n)) {
        struct fg_str url = fg_known_url(&crawl->known, links[i]);
        if (crawl->known.at[links[i]].shown_by > common)
            continue;
        struct fg_address_family family = fg_address_family(url);
        bool is_said = is_said_view(url, path);
        bool is_seen = family.has_number && family.words == words &&
                       leads_to_no_page(site->patterns, url, family.names_time);
        views += is_said || is_seen;
    }
    return views;
}

/* Most of what it lists are views of itself. Archives by date are views, too: where one
 * of them is watched, its pages are what is listed. */
static bool is_calendar(const struct fg_crawl *crawl, const struct site *site,
                        uint32_t row, const uint32_t *links, size_t n)
{
    if (!(crawl->known.at[row].flags & FG_PAGE_LIST))
        return false; /* counting takes a tenth of the time of a page */
    size_t views = count_views(crawl, site, row, links, n);
    return views >= LISTED_LEAST &&
           count_listed(crawl, site, links, n, step_through(n)) - views < LISTED_LEAST &&
           !crawl_watches_below(crawl, site, row, links, n);
}

/* What was learnt of its pattern when it was taken for a list is put right: such lists
 * have no end, and nothing comes of them. */
static void note_calendar(const struct fg_crawl *crawl, struct site *site, uint32_t row)
{
    struct fg_pattern *pattern =
        fg_patterns_find(site->patterns, fg_known_url(&crawl->known, row));
    if (pattern->came[FG_CAME_LIST]) {
        pattern->came[FG_CAME_LIST]--;
        pattern->came[FG_CAME_OTHER]++;
    }
}

static bool may_be_dropped(const struct fg_crawl *crawl, const struct source *source)
{
    uint32_t kept = FG_PAGE_FEED | FG_PAGE_SITEMAP | FG_PAGE_SEED;
    return !(crawl->known.at[source->row].flags & kept) && source->links;
}

/* What a calendar leads to is known only when some of it was read. */
static void drop_calendars(struct fg_crawl *crawl, struct fg_batch *batch,
                           struct site *site)
{
    for (size_t i = site->lists.sources.len; i-- > 0;) {
        const struct source *source = listed_source(crawl, site, i);
        uint32_t row = source->row;
        if (!may_be_dropped(crawl, source) ||
            !is_calendar(crawl, site, row, source->links, source->n_links))
            continue;
        note_calendar(crawl, site, row);
        source_retire(crawl, batch, row);
    }
}

/* Where filters can be combined, the list that was found first shows what all show. Those
 * that have brought something to tell of stay. */
static void drop_maze(struct fg_crawl *crawl, struct fg_batch *batch, struct site *site,
                      struct fg_str url)
{
    const struct fg_pattern *family = fg_patterns_family(site->patterns, url);
    const struct source *first = NULL;
    for (size_t i = site->lists.sources.len; i-- > 0;) {
        const struct source *source = listed_source(crawl, site, i);
        struct fg_str at = fg_known_url(&crawl->known, source->row);
        if (!may_be_dropped(crawl, source) || source->judged ||
            fg_patterns_family(site->patterns, at) != family)
            continue;
        const struct source *worse =
            !first || source->admitted < first->admitted ? first : source;
        if (worse != source)
            first = source;
        if (worse)
            source_retire(crawl, batch, worse->row);
    }
}

/* Does one of the lists that are watched show nearly all that this one shows, views of
 * itself aside? One that shows all there is may be made once and for all, unless a feed
 * tells what is new. */
static bool is_shown_elsewhere(struct fg_crawl *crawl, const struct site *site,
                               uint32_t row, const uint32_t *links, size_t n)
{
    enum { LARGER = 4 };
    struct fg_str path = without_query(fg_known_url(&crawl->known, row));
    uint64_t common = common_from(site);
    size_t step = step_through(n), n_listed = 0;
    uint32_t *listed = FG_NEW(&crawl->scratch, uint32_t, n / step + 1);
    for (size_t i = 0; i < n; i += step)
        if (crawl->known.at[links[i]].shown_by <= common &&
            !is_said_view(fg_known_url(&crawl->known, links[i]), path))
            listed[n_listed++] = links[i];
    size_t most = site->lists.has_feed ? SIZE_MAX : n_listed * step * LARGER;
    for (size_t i = 0; i < site->lists.sources.len; i++) {
        const struct source *source = listed_source(crawl, site, i);
        uint32_t flags = crawl->known.at[source->row].flags;
        size_t same = 0;
        if (!source->n_links || flags & FG_PAGE_SITEMAP || source->n_links > most)
            continue; /* a sitemap may be made once a night */
        for (size_t k = 0; k < n_listed; k++)
            same += listed[k] == source->row ||
                    fg_rows_have(source->links, source->n_links, listed[k]);
        if (same * 10 >= n_listed * 9)
            return true;
    }
    return false;
}

/* Is nearly all that it lists known already? Once a site has been explored a list that
 * comes to light and has nothing of its own to show is another view of what is watched.
 */
static bool is_known_already(const struct fg_crawl *crawl, const struct site *site,
                             const uint32_t *links, size_t n, fg_time now)
{
    uint64_t common = common_from(site);
    size_t listed = 0, known = 0;
    for (size_t i = 0; i < n; i++) {
        const struct fg_known_page *page = &crawl->known.at[links[i]];
        listed += page->shown_by <= common;
        known += page->shown_by <= common && page->first_seen < now;
    }
    return known * 10 >= listed * 9;
}

/* Has it enough to list? */
static bool is_listing_enough(struct fg_crawl *crawl, const struct site *site,
                              const uint32_t *links, size_t n, size_t least)
{
    size_t listed = count_listed(crawl, site, links, n, 1);
    return listed >= least ||
           (listed && !site->lists.has_feed &&
            crawl_leads_to_archives(crawl, site, links, n, common_from(site)));
}

/* The archive of a day or month that has begun since lists little yet, and will more. So
 * do a new volume, the last page of a list, and a list of news. */
static size_t listed_least(struct fg_crawl *crawl, const struct site *site, uint32_t row,
                           const uint32_t *links, size_t n, bool is_volume)
{
    struct fg_str url = fg_known_url(&crawl->known, row);
    fg_time day = fg_address_date(url, NULL);
    bool grows = is_volume || (day != FG_NEVER && day >= site->added) ||
                 (site_is_undated(site) && crawl_is_continuation(crawl, site, url) &&
                  crawl_is_last_page(crawl, site, url)) ||
                 crawl_is_short_list(crawl, row, links, n, common_from(site));
    return grows ? 1 : LISTED_LEAST;
}

/* Its first page; its last one too, where pages carry no dates: what was appended there
 * is not seen elsewhere. */
static bool is_end_of_list(struct fg_crawl *crawl, const struct site *site,
                           struct fg_str url)
{
    return !crawl_is_continuation(crawl, site, url) ||
           (site_is_undated(site) && crawl_is_last_page(crawl, site, url));
}

static bool is_list_to_watch(struct fg_crawl *crawl, const struct site *site,
                             uint32_t row, const struct seen_links *seen, fg_time now)
{
    const uint32_t *links = seen->rows;
    size_t n = seen->n;
    uint32_t flags = crawl->known.at[row].flags;
    struct fg_str url = fg_known_url(&crawl->known, row);
    size_t least = listed_least(crawl, site, row, links, n, seen->is_volume);
    bool is_late = site->state == SITE_WATCHED && least == LISTED_LEAST;
    bool is_list =
        flags & FG_PAGE_LIST || crawl_is_above_archives(crawl, site, row, links, n);
    return is_list && !(flags & FG_PAGE_DUPLICATE) && !crawl_is_past_archive(site, url) &&
           !fg_address_token(url) && is_end_of_list(crawl, site, url) &&
           is_listing_enough(crawl, site, links, n, least) &&
           !is_shown_elsewhere(crawl, site, row, links, n) &&
           !(is_late && is_known_already(crawl, site, links, n, now));
}

static void note_last_page(struct fg_crawl *crawl, struct site *site, uint32_t row)
{
    enum { MOST_LAST_PAGES = 100 };
    struct fg_str url = fg_known_url(&crawl->known, row);
    if (site->state == SITE_EXPLORING && site->stock.last_pages.len < MOST_LAST_PAGES &&
        crawl->known.at[row].flags & FG_PAGE_LIST &&
        crawl_is_continuation(crawl, site, url) && crawl_is_last_page(crawl, site, url))
        fg_vec_push(&site->stock.last_pages, row);
}

/* It takes the place of the one before. */
static void note_volume(struct fg_crawl *crawl, struct site *site, uint32_t row)
{
    const struct fg_pattern *pattern =
        fg_patterns_find(site->patterns, fg_known_url(&crawl->known, row));
    for (size_t i = 0; i < site->lists.sources.len; i++) {
        struct source *source = listed_source(crawl, site, i);
        struct fg_str url = fg_known_url(&crawl->known, source->row);
        if (source->row == row)
            source->is_volume = true;
        else if (source->is_volume && fg_patterns_find(site->patterns, url) == pattern)
            source->is_volume = false;
    }
    weigh_sources(crawl, site);
}

void source_consider(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                     const struct fg_reading *reading, const struct seen_links *seen,
                     fg_time now)
{
    const uint32_t *links = seen->rows;
    size_t n = seen->n;
    struct fg_str url = fg_known_url(&crawl->known, row);
    struct site *site = crawl_site_of(crawl, row);
    uint32_t flags = crawl->known.at[row].flags;
    /* A seed that shows nothing is none yet: what it shows when it does is its stock.
     * Until then health.c has it asked for. */
    bool is_seed = (flags & FG_PAGE_SEED) && !(flags & FG_PAGE_DOCUMENT) &&
                   n > fg_rows_have(links, n, row) && site->state != SITE_PAGES_ONLY;
    bool by_nature = reading->kind == FG_READ_FEED || reading->kind == FG_READ_SITEMAP ||
                     reading->kind == FG_READ_SITEMAP_INDEX || is_seed ||
                     (flags & FG_PAGE_SOURCE);
    if (!by_nature && is_calendar(crawl, site, row, links, n)) {
        note_calendar(crawl, site, row);
        drop_calendars(crawl, batch, site);
        return;
    }
    if (!by_nature && seen->is_idle && fg_patterns_in_maze(site->patterns, url)) {
        drop_maze(crawl, batch, site, url);
        return;
    }
    if (!by_nature && !is_list_to_watch(crawl, site, row, seen, now)) {
        note_last_page(crawl, site, row);
        return;
    }
    if (site->lists.sources.len < crawl->options.exploring.max_sources) {
        source_admit(crawl, batch, row, now);
        if (seen->is_volume)
            note_volume(crawl, site, row);
        return;
    }
    crawl->known.at[row].flags |= FG_PAGE_CANDIDATE;
    put_flags(crawl, batch, row);
    if (site->lists.candidates.len < MOST_CANDIDATES)
        fg_vec_push(&site->lists.candidates, row);
}

/* An article that was read before the navigation was known may have passed for a list. */
static void drop_false_sources(struct fg_crawl *crawl, struct fg_batch *batch,
                               struct site *site)
{
    for (size_t i = site->lists.sources.len; i-- > 0;) {
        const struct source *source = listed_source(crawl, site, i);
        if (!may_be_dropped(crawl, source))
            continue;
        size_t least = listed_least(crawl, site, source->row, source->links,
                                    source->n_links, source->is_volume);
        if (!is_listing_enough(crawl, site, source->links, source->n_links, least))
            source_retire(crawl, batch, source->row);
    }
}

/* Now it is known whether pages carry dates. */
static void admit_last_pages(struct fg_crawl *crawl, struct fg_batch *batch,
                             struct site *site, fg_time now)
{
    for (size_t i = 0; i < site->stock.last_pages.len; i++) {
        uint32_t row = site->stock.last_pages.at[i];
        if (site_is_undated(site) &&
            site->lists.sources.len < crawl->options.exploring.max_sources &&
            crawl_is_last_page(crawl, site, fg_known_url(&crawl->known, row)))
            source_admit(crawl, batch, row, now);
    }
    site->stock.last_pages.len = 0;
}

void source_end_exploring(struct fg_crawl *crawl, struct fg_batch *batch,
                          struct site *site, fg_time now)
{
    drop_false_sources(crawl, batch, site);
    admit_last_pages(crawl, batch, site, now);
    drop_calendars(crawl, batch, site);
    site->state = SITE_WATCHED;
    site->lists.last_review = now;
}

static bool is_worn_out(const struct fg_crawl *crawl, const struct source *source,
                        fg_time now)
{
    if (crawl->known.at[source->row].flags & FG_PAGE_SEED)
        return false;
    return source->visits >= VISITS_BEFORE_RETIRING &&
           now - source->last_found > silence_before_retiring &&
           !crawl_is_above_archives(crawl, crawl_site_of(crawl, source->row), source->row,
                                    source->links, source->n_links);
}

/* It was the last page of a list, and another one has come behind it. */
static bool is_overtaken(struct fg_crawl *crawl, const struct site *site,
                         const struct source *source)
{
    struct fg_str url = fg_known_url(&crawl->known, source->row);
    return may_be_dropped(crawl, source) && crawl_is_continuation(crawl, site, url) &&
           !crawl_is_last_page(crawl, site, url);
}

void source_review(struct fg_crawl *crawl, struct site *site, fg_time now)
{
    if ((site->state != SITE_WATCHED && site->state != SITE_EXPLORING) ||
        now - site->lists.last_review < review_every)
        return;
    site->lists.last_review = now;
    struct fg_batch *batch = fg_batch_new(crawl->store);
    for (size_t i = site->lists.sources.len; i-- > 0;) {
        const struct source *source = listed_source(crawl, site, i);
        if (is_worn_out(crawl, source, now) || is_overtaken(crawl, site, source))
            source_retire(crawl, batch, source->row);
    }
    drop_calendars(crawl, batch, site);
    while (site->lists.candidates.len &&
           site->lists.sources.len < crawl->options.exploring.max_sources)
        source_admit(crawl, batch,
                     site->lists.candidates.at[--site->lists.candidates.len], now);
    fg_store_submit(crawl->store, batch);
}

/* --- signals --- */

/* A feed that dates changes of a page which shows no change then is not believed. */
void source_signal(struct fg_crawl *crawl, uint32_t row, fg_time modified, fg_time now)
{
    enum { TRIALS = 6 };
    struct source *source = source_find(crawl, row);
    if (!source || modified == FG_NEVER || modified <= source->last_seen ||
        modified > now + FG_DAY)
        return;
    bool is_honest = source->signals < TRIALS || source->heeded * 4 >= source->signals;
    source->is_signalled |= is_honest;
}

void source_answer_signal(struct site *site, struct source *source, bool has_changed)
{
    if (!source->is_signalled)
        return;
    source->signals++;
    source->heeded += has_changed;
    source->is_signalled = false;
    push_of_dates(site, has_changed);
}

/* A page that no list has shown yet was met elsewhere. If it is new, it has come to the
 * lists that bring most. */
void source_hint(struct fg_crawl *crawl, const struct site *site, fg_time now)
{
    enum { ASKED = 2 };
    struct source *best[ASKED] = {0};
    double rates[ASKED] = {0};
    for (size_t i = 0; i < site->lists.sources.len; i++) {
        struct source *source = source_find(crawl, site->lists.sources.at[i]);
        struct fg_reason reason = {0};
        size_t at =
            fg_mind_row(crawl->minds.discovery, fg_known_id(&crawl->known, source->row));
        if (at == FG_NO_ROW || !fg_mind_explain(crawl->minds.discovery, now, at, &reason))
            continue;
        for (size_t j = 0; j < ASKED; j++)
            if (reason.rate > rates[j]) {
                memmove(best + j + 1, best + j, (ASKED - 1 - j) * sizeof *best);
                memmove(rates + j + 1, rates + j, (ASKED - 1 - j) * sizeof *rates);
                best[j] = source;
                rates[j] = reason.rate;
                break;
            }
    }
    for (size_t j = 0; j < ASKED && best[j]; j++)
        source_signal(crawl, best[j]->row, now, now);
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

static void keep_links(const struct fg_crawl *crawl, struct source *source,
                       const uint32_t *links, size_t n)
{
    source->links = fg_resized(source->links, n ? n : 1, sizeof *links);
    if (n)
        memcpy(source->links, links, n * sizeof *links);
    source->n_links = n;
    source_note_archives(crawl, source);
}

/* New to everybody in this tick: two sources that show it in the same tick both get the
 * credit, as the papers define yield; the one that was first has it in front. */
static void tell_fresh(struct fg_crawl *crawl, struct source *source,
                       struct fg_visit *visit, const uint32_t *links, size_t n)
{
    uint32_t *fresh = FG_NEW(&crawl->scratch, uint32_t, n + 1);
    /* A tick may have come while what has many links was being dealt with. */
    fg_time since =
        visit->now < crawl->budget.tick_started ? visit->now : crawl->budget.tick_started;
    for (size_t i = 0; i < n; i++) {
        fg_time first_seen = crawl->known.at[links[i]].first_seen;
        if (first_seen < since || !relevance_counts(crawl, source, links[i]))
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
    keep_links(crawl, source, links, n);
    source->last_seen = visit->now;
    source->found += (uint32_t)visit->n_fresh;
    if (visit->n_fresh)
        source->last_found = visit->now;
    visit->added = ids_of(crawl, d.added, d.n_added);
    visit->n_added = d.n_added;
    visit->gone = ids_of(crawl, d.gone, d.n_gone);
    visit->n_gone = d.n_gone;
}
