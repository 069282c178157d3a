/* Who may be asked: what the user has taken back, what a site's rules leave out, whose
 * host wants to be left alone. */
#include "crawl/budget.h"
#include "crawl/host/hop.h"
#include "crawl/sites/lot.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/state.h"
#include "net/url/canonical.h"

/* --- sites --- */

bool site_is_removed(const struct site *site)
{
    return site->rules && site->rules->is_removed;
}

bool site_is_asked(const struct site *site)
{
    return !site->rules || !(site->rules->is_removed || site->rules->is_paused);
}

bool site_allows(const struct site *site, struct fg_str url)
{
    return !site->rules || fg_site_rules_judge(site->rules, url, NULL) == FG_SITE_OK;
}

bool site_wants(const struct site *site, uint32_t flags)
{
    return site->state != SITE_PAGES_ONLY || flags & FG_PAGE_SEED ||
           !(flags & FG_PAGE_SITEMAP);
}

bool site_is_resting(const struct site *site, fg_time now)
{
    return site->host.rests_until != FG_NEVER && site->host.rests_until > now;
}

/* --- pages --- */

bool page_is_asked(struct fg_crawl *crawl, uint32_t row)
{
    return !(crawl->known.at[row].flags & (FG_PAGE_PAUSED | FG_PAGE_REMOVED)) &&
           !fg_canonical_is_part(fg_known_url(&crawl->known, row)) &&
           site_is_asked(crawl_site_of(crawl, row));
}

bool page_is_unwanted(struct fg_crawl *crawl, uint32_t row)
{
    return crawl->known.at[row].flags & FG_PAGE_REMOVED ||
           site_is_removed(crawl_site_of(crawl, row));
}

bool page_wants_first_fetch(const struct fg_known_page *page)
{
    uint32_t unfit = FG_PAGE_ALIAS | FG_PAGE_EXCLUDED | FG_PAGE_GONE | FG_PAGE_REMOVED;
    bool is_tried_again = page->failures && page->failures < MOST_FAILURES;
    return !(page->flags & unfit) && !page->is_queued &&
           (!page->last_visit_s || is_tried_again ||
            page->flags & (FG_PAGE_AWAITED | FG_PAGE_READ_SOON));
}

/* --- hosts that a redirect leads to --- */

bool crawl_asks_host_of(struct fg_crawl *crawl, struct fg_str url)
{
    const struct site *site = crawl_find_host(crawl, fg_canonical_site(url));
    return fg_lot_has(&crawl->options.lot, url) && (!site || site_is_asked(site));
}

struct fg_str crawl_next_hop(struct fg_crawl *crawl, const struct fg_answer *answer)
{
    struct fg_url base, next;
    struct fg_str location = answer->response
                                 ? fg_response_header(answer->response, "Location", 0)
                                 : (struct fg_str){0};
    return fg_url_parse(&base, &crawl->scratch, answer->url, NULL) &&
                   fg_hop_follow(&next, &crawl->scratch, location, &base)
               ? next.href
               : (struct fg_str){0};
}

bool crawl_stopped_at_hop(struct fg_crawl *crawl, const struct fg_answer *answer)
{
    struct fg_str next = crawl_next_hop(crawl, answer);
    return next.len && !crawl_asks_host_of(crawl, next);
}
