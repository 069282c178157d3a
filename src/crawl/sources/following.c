/* A feed that is followed alone
 *
 * The user named a feed: what it lists is wanted, and nothing else of the site. Its site
 * is one of single pages (SITE_PAGES_ONLY), so neither its home page nor its sitemaps are
 * asked for and no page's links are followed; the feed is a source, and its entries are
 * its finds, each fetched once.
 *
 * Entries may lie anywhere: the feed of a planet, or one that a service publishes for
 * somebody, names pages of other hosts, and they are what the user wants to be told of.
 * Such a host becomes a site of single pages when an entry, or the redirect of one, leads
 * there. Robots.txt, pace and net.allow-private hold there as anywhere, and only so many
 * hosts are taken (a feed may be hostile); what lies beyond is left out.
 *
 * The same holds of a feed that a site announces, if all its entries lie elsewhere and
 * the site has no list of its own: its addresses go through a service that counts clicks,
 * or the site does not know the name that it is asked by.
 *
 * A seed that turns out to be a feed is followed alone, too, if it is all that the user
 * named of its site. A site that is added later is explored as any other. */
#include "crawl/sites/lot.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"

#include "base/log.h"
#include "crawl/intake/seeds.h"

/* A domain may have any number of hosts, and a hostile one has. */
enum { MOST_HOSTS = 1000, MOST_HOSTS_OF_DOMAIN = 100 };

static bool is_followed(const struct fg_crawl *crawl, uint32_t row)
{
    return crawl->known.at[row].flags & FG_PAGE_SEED;
}

/* --- entries --- */

bool site_is_elsewhere(const struct fg_crawl *crawl, const struct site *site)
{
    return site->state == SITE_HOST_ONLY &&
           !fg_lot_has(&crawl->options.lot, fg_str_from(site->key));
}

static size_t count_hosts(const struct fg_crawl *crawl)
{
    size_t n = 0;
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        const struct site *site = crawl->sites.all.at[i];
        n += site->state == SITE_PAGES_ONLY && site->rules && site->rules->is_by_feed;
        n += site_is_elsewhere(crawl, site);
    }
    return n;
}

/* A host of another lot: what the feed lists there is known here, so that the feed is
 * looked at as it deserves, and asked for there. */
static struct site *site_elsewhere(struct fg_crawl *crawl, struct fg_batch *batch,
                                   struct fg_str key, fg_time since)
{
    struct site *site = crawl_find_host(crawl, key);
    if (!site) {
        site = crawl_new_site(crawl, key, (struct fg_str){0}, SITE_HOST_ONLY, since);
        crawl_put_site(batch, site);
    }
    return site;
}

struct site *follow_to_host(struct fg_crawl *crawl, struct fg_batch *batch,
                            struct fg_str key, fg_time since)
{
    bool is_ours = fg_lot_has(&crawl->options.lot, key);
    if (fg_seed_check(&crawl->options, key, NULL))
        return NULL;
    if (count_hosts(crawl) >= MOST_HOSTS && (is_ours || !crawl_find_host(crawl, key))) {
        fg_log_warn("crawl", "entries of feeds on further hosts are left out",
                    FG_F("host", key), FG_F("most_hosts", (uint64_t)MOST_HOSTS));
        return NULL;
    }
    if (!is_ours)
        return site_elsewhere(crawl, batch, key, since);
    struct fg_seed seed = {.is_page_only = true};
    struct site *site = crawl_watch_site(crawl, batch, key, &seed, since);
    if (!site->rules)
        crawl_set_site_rules(crawl, batch, site, fg_str_from(site->tags),
                             FG_STR("{\"by_feed\":true}"));
    return site;
}

/* What a seed has led to is one, with all that was said of it. */
void follow_out_of_lot(struct fg_crawl *crawl, uint32_t row, struct fg_str address)
{
    uint32_t flags = crawl->known.at[row].flags;
    const struct site *site = crawl_site_of(crawl, row);
    bool is_seed = flags & FG_PAGE_SEED, is_page_only = site->state == SITE_PAGES_ONLY;
    struct fg_seed seed = {.is_page_only = is_page_only,
                           .is_document = flags & FG_PAGE_DOCUMENT,
                           .is_feed = is_page_only && flags & FG_PAGE_FEED,
                           .tags = fg_str_from(site->tags)};
    struct fg_buf line;
    if (!is_seed && !is_page_only)
        return;
    fg_buf_init(&line, SIZE_MAX);
    fg_seed_format(&line, address, &seed);
    notices_write(crawl,
                  &(struct fg_notice){.kind = is_seed ? FG_NOTICE_SEED : FG_NOTICE_PAGE,
                                      .url = address,
                                      .words = is_seed ? fg_str_trim(fg_buf_str(&line))
                                                       : FG_STR(""),
                                      .flags = flags,
                                      .depth = crawl->known.at[row].depth,
                                      .dated = FG_NEVER,
                                      .since = site->added});
    fg_buf_clear(&line);
}

static bool is_own(const struct fg_reading_link *link, const struct site *site)
{
    return fg_str_eq(link->site, fg_str_from(site->key));
}

/* A page, as opposed to a feed or sitemap, that shows pages of its site. */
static bool has_own_list(struct fg_crawl *crawl, const struct site *site)
{
    enum { A_LIST = 5 };
    for (size_t i = 0; i < site->lists.sources.len; i++) {
        uint32_t row = site->lists.sources.at[i];
        const struct source *source = source_find(crawl, row);
        size_t own = 0;
        for (size_t k = 0; source && k < source->n_links; k++)
            own += crawl->known.at[source->links[k]].site == site->id;
        if (own >= A_LIST &&
            !(crawl->known.at[row].flags & (FG_PAGE_FEED | FG_PAGE_SITEMAP)))
            return true;
    }
    return false;
}

bool follow_leads_out(struct fg_crawl *crawl, uint32_t feed,
                      const struct fg_reading *reading)
{
    const struct site *site = crawl_site_of(crawl, feed);
    if (reading->kind != FG_READ_FEED || is_followed(crawl, feed))
        return reading->kind == FG_READ_FEED;
    for (size_t i = 0; i < reading->n_links; i++)
        if (is_own(&reading->links[i], site))
            return false;
    return crawl->known.at[feed].depth <= 1 && !has_own_list(crawl, site);
}

/* --- a seed that is one --- */

static bool is_only_seed(const struct fg_crawl *crawl, uint32_t seed)
{
    const struct fg_known_page *of = &crawl->known.at[seed];
    for (uint32_t row = 0; row < crawl->known.len; row++) {
        const struct fg_known_page *page = &crawl->known.at[row];
        /* Where the seed was moved from is no other one. */
        if (page->site == of->site && row != seed && page->flags & FG_PAGE_SEED &&
            !(page->flags & FG_PAGE_ALIAS))
            return false;
    }
    return true;
}

void follow_if_alone(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                     const struct fg_reading *reading)
{
    struct site *site = crawl_site_of(crawl, row);
    if (reading->kind != FG_READ_FEED || site->state != SITE_EXPLORING ||
        !is_followed(crawl, row) || crawl->known.at[row].last_visit_s ||
        !is_only_seed(crawl, row))
        return;
    site->state = SITE_PAGES_ONLY;
    crawl_put_site(batch, site);
    site->stock.eager.len = site->stock.patient.len = site->stock.aside.len = 0;
    crawl_withdraw_site(crawl, site);
    fg_log_info("crawl", "a feed is followed alone",
                FG_F("feed", fg_known_url(&crawl->known, row)));
}

/* --- a site that is a whole domain --- */

static size_t count_domain(struct fg_crawl *crawl, struct fg_str key)
{
    size_t n = 0;
    struct fg_arena arena = {0};
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        const struct site *site = crawl->sites.all.at[i];
        n += site->state != SITE_HOST_ONLY && site->rules &&
             site->rules->scope == FG_SCOPE_DOMAIN &&
             fg_scope_same_domain(&arena, fg_str_from(site->key), key);
    }
    fg_arena_clear(&arena);
    return n;
}

struct site *site_of_domain(struct fg_crawl *crawl, struct fg_batch *batch,
                            const struct site *from, struct fg_str key, fg_time now)
{
    if (!from->rules || from->rules->scope != FG_SCOPE_DOMAIN ||
        !fg_scope_same_domain(&crawl->scratch, fg_str_from(from->key), key) ||
        fg_seed_check(&crawl->options, key, NULL) ||
        count_domain(crawl, key) >= MOST_HOSTS_OF_DOMAIN)
        return NULL;
    struct fg_str settings = from->settings;
    struct fg_seed seed = {.tags = fg_str_from(from->tags)};
    struct site *site = crawl_watch_site(crawl, batch, key, &seed, now);
    crawl_set_site_rules(crawl, batch, site, fg_str_from(site->tags), settings);
    fg_log_info("crawl", "another host of a domain is watched", FG_F("site", site->key),
                FG_F("found_on", from->key));
    return site;
}

void sources_clear(struct fg_crawl *crawl)
{
    fg_map_clear(&crawl->sources.by_row);
    fg_map_clear(&crawl->sources.cuts);
    fg_map_clear(&crawl->sources.found_lately);
    fg_strangers_clear(&crawl->sources.strangers);
}
