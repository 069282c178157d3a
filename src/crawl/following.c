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
 * A seed that turns out to be a feed is followed alone, too, if it is all that the user
 * named of its site. A site that is added later is explored as any other. */
#include "crawl/pages.h"
#include "crawl/site.h"
#include "crawl/state.h"

#include "base/log.h"
#include "crawl/seeds.h"

enum { MOST_HOSTS = 1000 };

static bool is_followed(const struct fg_crawl *crawl, uint32_t row)
{
    return crawl->known.at[row].flags & FG_PAGE_SEED;
}

/* --- entries --- */

static size_t count_hosts(const struct fg_crawl *crawl)
{
    size_t n = 0;
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        const struct site *site = crawl->sites.all.at[i];
        n += site->state == SITE_PAGES_ONLY && site->rules && site->rules->is_by_feed;
    }
    return n;
}

struct site *follow_to_host(struct fg_crawl *crawl, struct fg_batch *batch,
                            struct fg_str key, fg_time since)
{
    if (fg_seed_check(&crawl->options, key, NULL))
        return NULL;
    if (count_hosts(crawl) >= MOST_HOSTS) {
        fg_log_warn("crawl", "entries of feeds on further hosts are left out",
                    FG_F("host", key), FG_F("most_hosts", (uint64_t)MOST_HOSTS));
        return NULL;
    }
    struct fg_seed seed = {.is_page_only = true};
    struct site *site = crawl_watch_site(crawl, batch, key, &seed, since);
    if (!site->rules)
        crawl_set_site_rules(crawl, batch, site, fg_str_from(site->tags),
                             FG_STR("{\"by_feed\":true}"));
    return site;
}

struct site *follow_entry(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t feed,
                          const struct fg_reading *reading, struct site *site,
                          struct fg_str key, fg_time since)
{
    if (reading->kind != FG_READ_FEED || !is_followed(crawl, feed))
        return NULL;
    return site ? site : follow_to_host(crawl, batch, key, since);
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

/* --- its site --- */

bool follow_wants(const struct site *site, uint32_t flags)
{
    return site->state != SITE_PAGES_ONLY || flags & FG_PAGE_SEED ||
           !(flags & FG_PAGE_SITEMAP);
}

void follow_no_longer(struct fg_crawl *crawl, struct site *site)
{
    for (uint32_t row = 0; row < crawl->known.len; row++)
        if (crawl->known.at[row].site == site->id &&
            page_wants_first_fetch(&crawl->known.at[row]))
            crawl_enqueue(crawl, site, row);
}
