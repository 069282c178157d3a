#include "crawl/at_price.h"

#include "crawl/allowance.h"
#include "crawl/budget.h"
#include "crawl/documents/documents.h"
#include "crawl/minds.h"
#include "crawl/room.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static const float look_priority = 2, document_priority = 1;

/* Documents chosen for each that can be asked for: some are not due. */
enum { SPARE_PICKS = 8 };

static bool may_look(struct fg_crawl *crawl, const struct fg_pick *pick, fg_time now)
{
    uint64_t id = fg_mind_world(crawl->minds.discovery)->id[pick->page];
    uint32_t row = crawl_row_of(crawl, id);
    (void)now;
    return row != FG_UNKNOWN && !crawl->known.at[row].is_queued;
}

static bool may_refresh(struct fg_crawl *crawl, const struct fg_pick *pick, fg_time now)
{
    uint64_t id = fg_mind_world(crawl->minds.refresh)->id[pick->page];
    uint32_t row = crawl_row_of(crawl, id);
    return row != FG_UNKNOWN && !crawl->known.at[row].is_queued &&
           !document_is_done(crawl, row) &&
           room_document_is_due(crawl, pick->page, row, now);
}

/* --- the stock --- */

/* Hours that sources of a site, or of all, were watched, and what these brought. */
struct yield {
    double hours, found;
};

static struct yield yield_of(const struct site *site, fg_time now)
{
    double hours = fmax(fg_hours(now - site->added), 0);
    return (struct yield){hours * (double)site->lists.sources.len,
                          (double)site->counts.discovered};
}

static struct yield yield_of_all(const struct fg_crawl *crawl, fg_time now)
{
    /* Of a crawl that knows nothing yet: one an hour of ten lists. */
    struct yield all = {10, 1};
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        struct yield one = yield_of(crawl->sites.all.at[i], now);
        all.hours += one.hours;
        all.found += one.found;
    }
    return all;
}

/* A page of the stock may be a list, which would bring what those of its site bring, or a
 * document, which would be fresh: for so long, after which others would have led there.
 * Of a site of which little is known it is what those of all bring. */
static double stock_index(const struct fg_crawl *crawl, const struct site *site,
                          struct yield all, fg_time now)
{
    static const double ahead = 24, doubt = 24; /* hours */
    const struct fg_wants *wants = &crawl->pricing.wants;
    struct yield own = yield_of(site, now);
    double rate = (own.found + doubt * all.found / all.hours) / (own.hours + doubt);
    double value = site->stock.value > 0 ? (double)site->stock.value : 1;
    return value * (rate * ahead * fg_wants_link(wants) + wants->content * wants->keeps +
                    wants->fresh * ahead);
}

/* How many are offered. What turns out to be new in this tick must not wait for the
 * stock: as much of it as in the tick before. Only when it is looked through does it show
 * what of it is worth a fetch: not many more are offered than there were last, or the
 * others would have less for nothing. */
static size_t stock_offers(const struct site *site)
{
    double room = site->budget.allowance - site->budget.awaited_before;
    double last = fmax(site->budget.first_given - site->budget.first, 0);
    double wish = site->stock.nothing_until ? 1 : 2 * last + 2;
    size_t waiting = site->stock.patient.len + site->stock.aside.len;
    return allowance_whole(fmin(fmin(room, wish), (double)waiting));
}

struct stock_offer {
    size_t site, n;
    double index;
};

/* Beginning with the site whose turn it is, one of each after the other: of sites whose
 * stock is worth the same none has two before each has one. */
static void offer_in_turn(struct fg_crawl *crawl, struct stock_offer *offers, size_t n)
{
    while (n) {
        size_t left = 0;
        for (size_t i = 0; i < n; i++) {
            pricing_offer_stock(crawl, offers[i].site, offers[i].index);
            if (--offers[i].n)
                offers[left++] = offers[i];
        }
        n = left;
    }
}

static void offer_stock(struct fg_crawl *crawl, size_t most, fg_time now)
{
    enum { SPARE = 4 };
    struct yield all = yield_of_all(crawl, now);
    size_t waiting = 0, n_sites = crawl->sites.all.len, n_offers = 0;
    struct stock_offer *offers = fg_zeroed(n_sites + 1, sizeof *offers);
    for (size_t i = 0; i < n_sites; i++)
        waiting += room_stock_waits(crawl, crawl->sites.all.at[i], now);
    for (size_t i = 0; waiting && i < n_sites; i++) {
        size_t place = (crawl->sites.next + i) % n_sites;
        const struct site *site = crawl->sites.all.at[place];
        if (site->state == SITE_PAGES_ONLY || site->state == SITE_HOST_ONLY ||
            !room_stock_waits(crawl, site, now) || site_is_resting(site, now) ||
            (site->stock.wakes && site->lists.sources.len))
            continue;
        size_t n = stock_offers(site), turn = SPARE * most / waiting;
        n = n < turn + 1 ? n : turn + 1;
        if (n)
            offers[n_offers++] =
                (struct stock_offer){place, n, stock_index(crawl, site, all, now)};
    }
    offer_in_turn(crawl, offers, n_offers);
    free(offers);
}

/* --- the choice --- */

static struct site *site_of(const struct fg_crawl *crawl, const struct priced *priced)
{
    uint64_t id =
        priced->mind ? fg_mind_world(priced->mind)->id[priced->pick->page] >> 32 : 0;
    return priced->mind ? crawl_site_with(crawl, (fg_site_id)id)
                        : crawl->sites.all.at[priced->site];
}

/* Of a site that has no room left for it the rest does not count. */
static bool fits(void *context, const struct fg_contender *offer)
{
    struct fg_crawl *crawl = context;
    struct priced priced = pricing_see(crawl, offer);
    struct site *site = site_of(crawl, &priced);
    double *of_kind = !priced.mind                            ? NULL
                      : priced.mind == crawl->minds.discovery ? &site->budget.looks_left
                                                              : &site->budget.room;
    if (site->budget.left < 1 || (of_kind && *of_kind < 1))
        return false;
    site->budget.left--;
    if (of_kind)
        (*of_kind)--;
    return true;
}

static void ask(struct fg_crawl *crawl, const struct priced *priced)
{
    bool is_look = priced->mind == crawl->minds.discovery;
    struct site *site = site_of(crawl, priced);
    if (!priced->mind) {
        site->budget.first++;
        site->budget.first_given++;
        crawl->budget.first++;
        return;
    }
    uint32_t row =
        crawl_row_of(crawl, fg_mind_world(priced->mind)->id[priced->pick->page]);
    if (is_look)
        site->budget.looks--;
    else /* what they have beyond their part is not taken off it later */
        crawl->budget.documents = fmax(crawl->budget.documents - 1, 0);
    crawl_ask(crawl, row, is_look ? SOURCE_REFRESH : DOCUMENT_REFRESH, priced->pick,
              is_look ? look_priority : document_priority);
}

static void open_sites(struct fg_crawl *crawl)
{
    crawl->budget.first = 0;
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        struct site_budget *budget = &crawl->sites.all.at[i]->budget;
        budget->first = budget->first_given = 0;
        budget->left = budget->allowance;
        budget->looks_left = budget->looks;
    }
}

void crawl_ask_at_price(struct fg_crawl *crawl, fg_time now)
{
    size_t most = allowance_whole(crawl->budget.all) + 1;
    room_limit_documents(crawl);
    document_regroup(crawl);
    room_block(crawl, crawl->minds.discovery, now);
    room_block(crawl, crawl->minds.refresh, now);
    pricing_offer(crawl, crawl->minds.discovery, most, 0, may_look, now);
    pricing_offer(crawl, crawl->minds.refresh, SPARE_PICKS * most,
                  allowance_whole(crawl->budget.documents), may_refresh, now);
    offer_stock(crawl, most, now);
    open_sites(crawl);
    size_t n = pricing_choose(crawl, fits);
    for (size_t i = 0; i < n && crawl->budget.all - crawl->budget.first >= 1; i++) {
        struct priced priced = pricing_taken(crawl, i);
        if (!crawl_is_at_limit(crawl))
            ask(crawl, &priced);
    }
}
