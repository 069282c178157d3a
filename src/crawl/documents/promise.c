/* The longest time between two visits, as the user was promised: of one page, of the
 * seeds, feeds and documents of a site, or of those of all sites. The nearest of the
 * three holds.
 *
 * Policies choose what is worth most; a promise is kept before they choose. A visit is
 * asked for a tenth of the span early, because politeness may let it wait, and earlier
 * where the next chance to look is further away than that: a simulated hour may be less
 * than a second. The budget is a limit all the same. When it, a back-off or a pause does
 * not let a page go in time, it goes first when they do; the log says so once a day. */
#include "crawl/budget.h"
#include "crawl/documents/documents.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/state.h"

#include "base/log.h"

static const float promise_priority = 3;   /* above what policies choose */
static const fg_time beat = 2 * FG_SECOND; /* of the loop in crawl.c, on the wall */

/* --- what was promised --- */

void crawl_promises_changed(struct fg_crawl *crawl)
{
    crawl->promises.next = FG_NEVER;
}

void crawl_promise_page(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                        fg_time at_least)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    if (at_least > 0)
        *fg_map_put(&crawl->promises.by_row, row + (uint64_t)1) = (uint64_t)at_least;
    else if (fg_map_get(&crawl->promises.by_row, row + (uint64_t)1))
        fg_map_remove(&crawl->promises.by_row, row + (uint64_t)1);
    else
        return;
    if (batch)
        fg_batch_promise(batch, page->site, page->page, at_least);
    crawl_promises_changed(crawl);
}

static bool take_promise(void *context, fg_site_id site, fg_page_id page,
                         fg_time at_least)
{
    struct fg_crawl *crawl = context;
    uint32_t row = fg_known_row_with(&crawl->known, site, page);
    if (row != FG_UNKNOWN)
        crawl_promise_page(crawl, NULL, row, at_least);
    return true;
}

enum fg_status crawl_recall_promises(struct fg_crawl *crawl, fg_site_id site,
                                     struct fg_err *err)
{
    return fg_store_promises(crawl->store, site, take_promise, crawl, err);
}

/* The longest time between two visits of a page; FG_NEVER: none is promised. */
static fg_time promise_of(const struct fg_crawl *crawl, uint32_t row)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    const struct site *site = crawl_site_of(crawl, row);
    const uint64_t *own = crawl->promises.by_row.len
                              ? fg_map_get(&crawl->promises.by_row, row + (uint64_t)1)
                              : NULL;
    if (own)
        return (fg_time)*own;
    bool is_feed = page->flags & FG_PAGE_FEED && page->flags & FG_PAGE_SOURCE;
    if (!is_feed && !(page->flags & (FG_PAGE_SEED | FG_PAGE_DOCUMENT)))
        return FG_NEVER;
    fg_time of_site = site->rules ? site->rules->at_least : 0;
    fg_time span = of_site > 0 ? of_site : crawl->options.budget.at_least;
    return span > 0 ? span : FG_NEVER;
}

/* --- keeping it --- */

/* Most crawls promise nothing, and then nothing is looked at. */
static bool is_anything_promised(const struct fg_crawl *crawl)
{
    if (crawl->options.budget.at_least > 0 || crawl->promises.by_row.len)
        return true;
    for (size_t i = 0; i < crawl->sites.all.len; i++)
        if (crawl->sites.all.at[i]->rules && crawl->sites.all.at[i]->rules->at_least > 0)
            return true;
    return false;
}

static fg_time lead(const struct fg_crawl *crawl, fg_time span)
{
    fg_time beat_here = (fg_time)((double)beat * crawl->clock->speed);
    fg_time next_look =
        crawl->options.budget.tick < beat_here ? crawl->options.budget.tick : beat_here;
    fg_time early = span / 10 > next_look ? span / 10 : next_look;
    return early < span / 2 ? early : span / 2;
}

/* When it is to be asked for; FG_NEVER: not for the sake of a promise. */
static fg_time due(const struct fg_crawl *crawl, uint32_t row, fg_time now)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    const uint32_t unfit = FG_PAGE_ALIAS | FG_PAGE_EXCLUDED | FG_PAGE_REMOVED;
    fg_time span = promise_of(crawl, row);
    bool is_gone = page->flags & FG_PAGE_GONE && !(page->flags & FG_PAGE_SEED);
    if (span == FG_NEVER || page->flags & unfit || is_gone ||
        document_is_done(crawl, row))
        return FG_NEVER;
    /* A first fetch has its own place in the queue; the span begins with it, so we look
     * again soon whether it has been. */
    if (!page->last_visit_s)
        return now + lead(crawl, span);
    return page->last_visit_s * FG_SECOND + span - lead(crawl, span);
}

static bool may_go(struct fg_crawl *crawl, uint32_t row, fg_time now)
{
    const struct site *site = crawl_site_of(crawl, row);
    return !crawl->known.at[row].is_queued && page_is_asked(crawl, row) &&
           !site_is_resting(site, now);
}

static bool is_affordable(struct fg_crawl *crawl, uint32_t row)
{
    return crawl->budget.all >= 1 && crawl_site_of(crawl, row)->budget.allowance >= 1 &&
           !crawl_is_at_limit(crawl);
}

static enum purpose purpose_of(const struct fg_known_page *page)
{
    return page->flags & FG_PAGE_DOCUMENT ? DOCUMENT_REFRESH : SOURCE_REFRESH;
}

static void complain(struct fg_crawl *crawl, size_t broken, fg_time now)
{
    if (!broken ||
        (crawl->promises.told != FG_NEVER && now - crawl->promises.told < FG_DAY))
        return;
    crawl->promises.told = now;
    fg_log_warn("crawl", "pages cannot be visited as often as promised",
                FG_F("pages", broken),
                FG_F("why", "crawl.budget or the budget of their site is spent"));
}

void crawl_keep_promises(struct fg_crawl *crawl, fg_time now)
{
    if (crawl->promises.next > now || !is_anything_promised(crawl))
        return;
    fg_time next = INT64_MAX;
    size_t broken = 0;
    for (uint32_t row = 0; row < crawl->known.len; row++) {
        fg_time when = due(crawl, row, now);
        if (when == FG_NEVER)
            continue;
        if (when <= now && may_go(crawl, row, now)) {
            if (is_affordable(crawl, row))
                crawl_ask(crawl, row, purpose_of(&crawl->known.at[row]), NULL,
                          promise_priority);
            else
                broken++;
        }
        /* What is on its way, or cannot go, is looked at again soon. */
        fg_time again = when > now ? when : now + lead(crawl, promise_of(crawl, row));
        next = again < next ? again : next;
    }
    /* Pages may become sources or documents meanwhile. */
    fg_time most = now + crawl->options.budget.tick;
    crawl->promises.next = next < most ? next : most;
    complain(crawl, broken, now);
}
