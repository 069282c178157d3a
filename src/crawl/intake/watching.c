/* What a user wants watched, in a crawl that runs: a seed is a site, a page of it, and
 * what is noted of that page. enlist.c does the same to a store that no crawl has open.
 */
#include "base/log.h"
#include "crawl/documents/documents.h"
#include "crawl/intake/control.h"
#include "crawl/intake/seeds.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"
#include "net/url/canonical.h"
#include "net/url/url.h"

/* It was one of single pages. */
static void explore_from_now_on(struct fg_crawl *crawl, struct site *site)
{
    for (uint32_t row = 0; row < crawl->known.len; row++)
        if (crawl->known.at[row].site == site->id &&
            page_wants_first_fetch(&crawl->known.at[row]))
            crawl_enqueue(crawl, site, row);
}

struct site *crawl_watch_site(struct fg_crawl *crawl, struct fg_batch *batch,
                              struct fg_str key, const struct fg_seed *seed, fg_time now)
{
    struct site *site = crawl_find_host(crawl, key);
    enum site_state state = seed->is_page_only ? SITE_PAGES_ONLY : SITE_EXPLORING;
    bool grows = site && site->state == SITE_PAGES_ONLY && state == SITE_EXPLORING;
    if (site && site_is_removed(site))
        return site; /* only who adds it anew undoes that */
    if (!site)
        site = crawl_new_site(crawl, key, seed->tags, state, now);
    else if (site->state == SITE_HOST_ONLY || grows)
        site->state = state;
    else if (!seed->tags.len && !seed->page_tags.len)
        return site;
    if (grows)
        explore_from_now_on(crawl, site);
    struct fg_str tags = seed->tags.len ? seed->tags : fg_str_from(site->tags);
    site->tags =
        fg_arena_cstr(&crawl->arena, fg_tags_join(&crawl->arena, tags, seed->page_tags));
    crawl_put_site(batch, site);
    /* Its robots.txt may be known already, from the time when it was not ours. */
    if (site->state == SITE_EXPLORING && site->host.state.robots_fetched != FG_NEVER)
        crawl_add_sitemaps(crawl, batch, site);
    return site;
}

/* A page that was removed is what it was before. */
static void come_back(struct fg_crawl *crawl, struct fg_batch *batch, struct site *site,
                      uint32_t row, fg_time now)
{
    struct fg_known_page *page = &crawl->known.at[row];
    struct fg_arena arena = {0};
    struct fg_page_row stored;
    if (page->flags & FG_PAGE_SOURCE)
        source_admit(crawl, batch, row, now);
    if (page->flags & FG_PAGE_DOCUMENT) {
        bool has_weight =
            !fg_store_page(crawl->store, &stored, &arena, page->site, page->page, NULL);
        document_admit(crawl, row, has_weight ? stored.weight : 0, now);
    }
    page->failures = 0;
    if (page_wants_first_fetch(page))
        crawl_enqueue(crawl, site, row);
    fg_arena_clear(&arena);
}

/* It was read when nobody had named it, and is not watched. */
static bool is_named_late(const struct fg_known_page *page, const struct fg_seed *seed)
{
    const uint32_t has_role = FG_PAGE_SOURCE | FG_PAGE_DOCUMENT | FG_PAGE_ALIAS;
    return page->last_visit_s && !(page->flags & has_role) && !seed->is_document &&
           (!(page->flags & FG_PAGE_SEED) || page->flags & FG_PAGE_RETIRED);
}

static uint32_t seed_page(struct fg_crawl *crawl, struct fg_batch *batch,
                          struct site *site, struct fg_str url,
                          const struct fg_seed *seed, fg_time now)
{
    uint64_t fingerprint = fg_canonical_fingerprint(url);
    uint32_t flags = FG_PAGE_SEED | (seed->is_document ? FG_PAGE_DOCUMENT : 0u) |
                     (seed->is_source ? FG_PAGE_SOURCE : 0u) |
                     (seed->is_feed ? FG_PAGE_FEED : 0u);
    uint32_t row = fg_known_find(&crawl->known, site->id, fingerprint);
    if (row == FG_UNKNOWN)
        row = crawl_add_page(crawl, batch,
                             &(struct new_page){.site = site,
                                                .url = url,
                                                .fingerprint = fingerprint,
                                                .found_on = FG_UNKNOWN,
                                                .flags = flags,
                                                .weight = seed->weight,
                                                .dated = FG_NEVER},
                             now);
    struct fg_known_page *page = &crawl->known.at[row];
    bool was_removed = page->flags & FG_PAGE_REMOVED;
    bool is_late = !was_removed && is_named_late(page, seed);
    if ((page->flags & flags) != flags || was_removed || is_late) {
        page->flags =
            fg_page_added_again(page->flags) | flags | (is_late ? FG_PAGE_READ_SOON : 0u);
        fg_batch_page_flags(batch, page->site, page->page, page->flags, 0);
    }
    if (was_removed)
        come_back(crawl, batch, site, row, now);
    else if (is_late)
        crawl_enqueue(crawl, site, row);
    page = &crawl->known.at[row];
    if (seed->weight > 0)
        fg_batch_page_weight(batch, page->site, page->page, seed->weight);
    fg_seed_note(batch, page->site, page->page, seed);
    return row;
}

/* What a seed says about values: of the page if it is a document, else of the site. */
static void note_rules(struct fg_crawl *crawl, struct fg_batch *batch, struct site *site,
                       uint32_t row, const struct fg_seed *seed, fg_time now)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    if (seed->value.len && seed->is_document) {
        document_recall_rule(crawl, row, seed->value);
        fg_map_remove(&crawl->documents.unsaved, row);
        fg_batch_value_rule(batch, page->site, page->page, seed->value);
    }
    if (fg_seed_sets_rules(seed))
        crawl_set_site_rules(crawl, batch, site, fg_str_from(site->tags),
                             fg_seed_rules(&crawl->scratch, site->settings,
                                           fg_known_url(&crawl->known, row), seed, now));
}

enum fg_status fg_crawl_add(struct fg_crawl *crawl, struct fg_str text,
                            const struct fg_seed *seed, struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_url url;
    enum fg_status st = fg_seed_check(&crawl->options, text, err);
    if (!st && fg_url_parse(&url, &arena, fg_str_trim(text), NULL)) {
        fg_time now = fg_clock_now(crawl->clock);
        struct fg_batch *batch = fg_batch_new(crawl->store);
        struct fg_str canonical =
            fg_canonical_from(&arena, &url, crawl->options.naming.keep);
        struct site *site = crawl_find_host(crawl, fg_canonical_site(canonical));
        if (site && site_is_removed(site))
            crawl_begin_anew(crawl, batch, site, now);
        else if (site && !site_is_asked(site))
            fg_log_warn("crawl", "a site that is paused stays so until 'forage resume'",
                        FG_F("site", site->key));
        site = crawl_watch_site(crawl, batch, fg_canonical_site(canonical), seed, now);
        uint32_t row = seed_page(crawl, batch, site, canonical, seed, now);
        if (seed->is_document)
            document_admit(crawl, row, seed->weight, now);
        if (seed->is_source)
            source_admit(crawl, batch, row, now);
        note_rules(crawl, batch, site, row, seed, now);
        if (seed->at_least > 0 && (seed->is_document || seed->is_source))
            crawl_promise_page(crawl, batch, row, seed->at_least);
        fg_store_submit(crawl->store, batch);
    }
    fg_arena_clear(&arena);
    return st;
}

static void add_sitemap(struct fg_crawl *crawl, struct fg_batch *batch, struct site *site,
                        struct fg_str address, fg_time now)
{
    struct fg_arena arena = {0};
    struct fg_url base, url;
    if (fg_url_parse(&base, &arena, fg_str_from(site->key), NULL) &&
        fg_url_parse(&url, &arena, address, &base) && fg_url_is_http(&url)) {
        struct fg_str text = fg_canonical_from(&arena, &url, crawl->options.naming.keep);
        uint64_t fingerprint = fg_canonical_fingerprint(text);
        if (fg_str_eq(fg_canonical_site(text), fg_str_from(site->key)) &&
            fg_known_find(&crawl->known, site->id, fingerprint) == FG_UNKNOWN)
            crawl_add_page(crawl, batch,
                           &(struct new_page){.site = site,
                                              .url = text,
                                              .fingerprint = fingerprint,
                                              .found_on = FG_UNKNOWN,
                                              .flags = FG_PAGE_SITEMAP,
                                              .dated = FG_NEVER},
                           now);
    }
    fg_arena_clear(&arena);
}

/* The Sitemap lines of a robots.txt just read: pages to explore, if they are on the site.
 */
void crawl_add_sitemaps(struct fg_crawl *crawl, struct fg_batch *batch, struct site *site)
{
    enum { MOST = 20 };
    const struct fg_str *urls;
    size_t n = fg_polite_sitemaps(crawl->polite, fg_str_from(site->key), &urls);
    fg_time now = fg_clock_now(crawl->clock);
    for (size_t i = 0; i < n && i < MOST; i++)
        add_sitemap(crawl, batch, site, urls[i], now);
}

/* Where nothing announces new pages, one may be at the usual place all the same. */
void crawl_try_sitemap(struct fg_crawl *crawl, struct fg_batch *batch, struct site *site,
                       fg_time now)
{
    if (crawl->options.run.once || !site->lists.sources.len)
        return;
    for (size_t i = 0; i < site->lists.sources.len; i++)
        if (crawl->known.at[site->lists.sources.at[i]].flags &
            (FG_PAGE_FEED | FG_PAGE_SITEMAP))
            return;
    add_sitemap(crawl, batch, site, FG_STR("/sitemap.xml"), now);
}
