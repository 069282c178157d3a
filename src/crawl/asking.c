/* Visits: asked for with all that the answer will be compared with, and taken back while
 * they wait for their turn. */
#include "crawl/budget.h"
#include "crawl/cost.h"
#include "crawl/documents/documents.h"
#include "crawl/judging/judging.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"

/* What is on its way counts: only a redirect can take us beyond the limit. */
bool crawl_is_at_limit(const struct fg_crawl *crawl)
{
    uint64_t most = crawl->options.run.fetch_limit;
    return most && crawl->counts.fetches + crawl->budget.open_asks >= most;
}

static struct visit *visit_new(struct fg_crawl *crawl)
{
    struct visit *visit = crawl->budget.idle_visits;
    if (visit)
        crawl->budget.idle_visits = visit->next_idle;
    else
        visit = FG_NEW(&crawl->arena, struct visit, 1);
    *visit = (struct visit){.crawl = crawl};
    return visit;
}

bool page_announces(const struct fg_known_page *page)
{
    return page->flags & (FG_PAGE_SEED | FG_PAGE_FEED | FG_PAGE_SITEMAP | FG_PAGE_SOURCE);
}

/* What the answer will be compared with, if it is not at hand. */
static unsigned wants_of(struct fg_crawl *crawl, uint32_t row, enum purpose purpose)
{
    const struct source *source = source_find(crawl, row);
    uint32_t flags = crawl->known.at[row].flags;
    bool is_awaited = flags & FG_PAGE_AWAITED,
         is_placed = !(flags & (FG_PAGE_FEED | FG_PAGE_SITEMAP));
    return (purpose != FIRST_FETCH ? FG_BEFORE_PAGE : 0u) |
           (crawl->keeping.archive ? FG_BEFORE_WAY : 0u) |
           (is_awaited && !judging_remembers(crawl, row) ? FG_BEFORE_LINK : 0u) |
           (source && is_placed && !source->comers.order ? FG_BEFORE_COMERS : 0u) |
           (crawl->minds.has_captures ? FG_BEFORE_CAPTURE : 0u);
}

bool visit_rules(void *context, struct fg_reading_rules *rules)
{
    struct visit *visit = context;
    struct fg_crawl *crawl = visit->crawl;
    visit->rule = document_reading_rule(crawl, visit->row);
    visit->noise = crawl_site_of(crawl, visit->row)->noise;
    *rules = crawl_reading_rules(crawl);
    rules->value = visit->rule;
    rules->noise = visit->noise;
    return true;
}

/* On a worker: of the crawl only the store is touched. That nothing has changed is no
 * answer if we do not have what we ask for. */
static void visit_prepare(void *context, struct fg_exchange *exchange)
{
    struct visit *visit = context;
    struct fg_before *before = &visit->before;
    fg_before_read(before, &exchange->arena, visit->crawl->store, visit->site,
                   visit->page);
    exchange->note.via = before->via;
    if (!visit->wants_whole && (!visit->is_document || before->has_value)) {
        exchange->request.etag = before->etag;
        exchange->request.last_modified = before->last_modified;
    }
    visit->conditional =
        exchange->request.etag.len || exchange->request.last_modified.len;
}

void crawl_ask(struct fg_crawl *crawl, uint32_t row, enum purpose purpose,
               const struct fg_pick *pick, float priority)
{
    struct fg_known_page *page = &crawl->known.at[row];
    struct site *site = crawl_site_of(crawl, row);
    struct visit *visit = visit_new(crawl);
    visit->row = row;
    visit->purpose = purpose;
    if (pick)
        visit->pick = *pick;
    visit->wants_whole =
        purpose != FIRST_FETCH && fg_validators_doubted(&site->host.validators);
    visit->site = page->site;
    visit->page = page->page;
    visit->is_document = page->flags & FG_PAGE_DOCUMENT;
    if (visit->is_document)
        document_wants(&visit->before, crawl, row);
    visit->before.wants |= wants_of(crawl, row, purpose);
    struct fg_ask wish = {.url = fg_known_url(&crawl->known, row),
                          .note = {.links = page->depth},
                          .purpose = purpose,
                          .priority = priority,
                          .announces = page_announces(page),
                          .rules = visit_rules,
                          .prepare = visit->before.wants ? visit_prepare : NULL,
                          .done = crawl->budget.answered,
                          .context = visit};
    page->is_queued = 1;
    site->stock.open_asks++;
    crawl->budget.open_asks++;
    visit->cost = cost_expected(crawl, site, row, purpose);
    crawl->budget.all -= visit->cost;
    site->budget.allowance -= visit->cost;
    conduct_prepare(crawl, site);
    fg_polite_ask(crawl->polite, &wish);
}

/* --- taken back --- */

/* Asks of ours that wait for their turn, of a site or of one page of it. */
struct leaving {
    struct fg_crawl *crawl;
    fg_site_id site;
    uint32_t row; /* FG_UNKNOWN: all of the site */
};

static bool leaves(void *context, const struct fg_ask *ask)
{
    const struct leaving *leaving = context;
    if (ask->purpose == FG_REQUEST_TDMREP)
        return leaving->row == FG_UNKNOWN &&
               ((struct site *)ask->context)->id == leaving->site;
    if (ask->done != leaving->crawl->budget.answered)
        return false;
    const struct visit *visit = ask->context;
    return leaving->row == FG_UNKNOWN
               ? leaving->crawl->known.at[visit->row].site == leaving->site
               : visit->row == leaving->row;
}

static void withdraw(struct fg_crawl *crawl, const struct site *site, uint32_t row)
{
    struct leaving leaving = {crawl, site->id, row};
    fg_polite_withdraw(crawl->polite, leaves, &leaving);
}

void crawl_withdraw_site(struct fg_crawl *crawl, const struct site *site)
{
    withdraw(crawl, site, FG_UNKNOWN);
}

void crawl_withdraw_page(struct fg_crawl *crawl, uint32_t row)
{
    withdraw(crawl, crawl_site_of(crawl, row), row);
}
