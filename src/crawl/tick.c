/* The budget and who gets it
 *
 * Each tick brings budget x tick requests, in all and per site. It is a limit, not a
 * target: what is not worth a request is not asked for. First come pages that are taken
 * to be new, as soon as they are found; then sources, which find them: those that must be
 * looked at (a second look at what is new to us, a signal, a promise) and those that the
 * policy chooses, documents that the other policy chooses, and the stock (explore.c):
 * these three at one price (at_price.c), or, where the scores of a policy say nothing of
 * worth, one after the other, in fixed parts. Documents have a fifth for sure. Each site
 * has a budget of its own, so none can starve another. Politeness decides when within a
 * tick each goes out. */
#include "crawl/allowance.h"
#include "crawl/at_price.h"
#include "crawl/budget.h"
#include "crawl/cost.h"
#include "crawl/documents/appraising.h"
#include "crawl/documents/documents.h"
#include "crawl/intake/intake.h"
#include "crawl/judging/judging.h"
#include "crawl/keeping.h"
#include "crawl/minds.h"
#include "crawl/room.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/pattern.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"

#include "base/memory.h"
#include "base/slices.h"

#include <assert.h>
#include <event2/event.h>
#include <math.h>
#include <stdlib.h>

static const float awaited_priority = 4, due_priority = 3, source_priority = 2,
                   eager_priority = 1.5F, document_priority = 1, stock_priority = 0;

/* Documents chosen for each that can be asked for; and a budget that was spent before all
 * had their turn counts as short for so long. */
enum { SPARE_PICKS = 8, SHORT_TICKS = 10 };

static void refill_allowances(struct fg_crawl *crawl, fg_time now)
{
    static const double quiet_looks_per_hour = 2;
    double quiet = crawl->options.budget.least_delay > 0
                       ? allowance_a_tick(crawl, quiet_looks_per_hour)
                       : INFINITY;
    double fresh = allowance_a_tick(crawl, crawl->options.budget.per_hour);
    crawl->budget.all = pricing_is_on(crawl) ? pricing_open(crawl, now)
                        : allowance_is_limited(crawl)
                            ? allowance_refill(crawl, crawl->budget.all, fresh)
                            : INFINITY;
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        struct site *site = crawl->sites.all.at[i];
        double site_fresh = allowance_a_tick(crawl, site_budget(crawl, site));
        site->budget.awaited_before = site->budget.awaited;
        site->budget.awaited = 0;
        bool was_limited = !isinf(site->budget.allowance);
        site->budget.allowance =
            site_fresh > 0 ? allowance_refill(crawl, site->budget.allowance, site_fresh)
                           : INFINITY;
        site->budget.looks = allowance_is_quiet(site, now)
                                 ? allowance_refill(crawl, site->budget.looks, quiet)
                                 : INFINITY;
        double most = fmin(site->budget.allowance, site->budget.looks);
        if (!isinf(most) || was_limited)
            fg_mind_limit(crawl->minds.discovery, site->id,
                          most < 4e9 ? (uint32_t)fmax(most, 0) : UINT32_MAX);
    }
}

/* --- first fetches --- */

static bool may_feed(const struct fg_crawl *crawl, const struct site *site, fg_time now)
{
    return site_is_asked(site) && site->stock.open_asks < room_most_open(crawl) &&
           site->budget.allowance >= 1 && !site_is_resting(site, now) &&
           site->state != SITE_HOST_ONLY;
}

/* A row that still wants its first fetch. */
static bool pop_waiting(struct fg_crawl *crawl, struct site *site,
                        struct row_queue *queue, uint32_t *row)
{
    while (queue_pop(queue, row)) {
        const struct fg_known_page *page = &crawl->known.at[*row];
        bool is_ours = page->flags & FG_PAGE_SEED ||
                       site_allows(site, fg_known_url(&crawl->known, *row));
        bool is_wanted = !page->last_visit_s || page->failures ||
                         page->flags & (FG_PAGE_AWAITED | FG_PAGE_READ_SOON);
        if (is_ours && page_is_asked(crawl, *row) && !page->is_queued && is_wanted)
            return true;
    }
    return false;
}

/* It was taken to be new before it was known what it belongs to. */
static void leave_in_maze(struct fg_crawl *crawl, struct site *site, uint32_t row,
                          fg_time now)
{
    struct fg_batch *batch = fg_batch_new(crawl->store);
    judging_give_up(crawl, batch, row, true, NULL, now);
    fg_store_submit(crawl->store, batch);
    queue_push(&site->stock.patient, row);
}

/* What was not there is asked for again a little later. */
static void return_missing(struct fg_crawl *crawl, struct site *site, fg_time now)
{
    static const fg_time later = 5 * FG_MINUTE;
    struct row_queue *missing = &site->stock.missing;
    uint32_t row;
    while (missing->len &&
           now - crawl->known.at[missing->at[missing->first]].last_visit_s * FG_SECOND >=
               later &&
           queue_pop(missing, &row))
        queue_push(&site->stock.awaited, row);
}

/* What is new, then what the user named and what announces new pages. */
static bool next_wanted(struct fg_crawl *crawl, struct site *site, uint32_t *row,
                        float *priority)
{
    bool fetches =
        crawl->options.exploring.fetch_discovered || site->state == SITE_PAGES_ONLY;
    fg_time now = fg_clock_now(crawl->clock);
    *priority = awaited_priority;
    return_missing(crawl, site, now);
    while (fetches && pop_waiting(crawl, site, &site->stock.awaited, row)) {
        if (judging_is_in_maze(crawl, *row, now)) {
            leave_in_maze(crawl, site, *row, now);
            continue;
        }
        fg_patterns_note_ask(site->patterns, fg_known_url(&crawl->known, *row), now);
        site->budget.awaited++;
        return true;
    }
    *priority = eager_priority;
    return pop_waiting(crawl, site, &site->stock.eager, row);
}

/* Sites that take turns, and whose turn is next: for what is wanted, and for their stock.
 * What is next among all sites is not what is next among a few of them. */
struct turns {
    struct site **const
        *sites; /* where the list is and how long, which a pause changes */
    const size_t *n;
    size_t *wanted, *stock;
};

static struct turns turns_of_all(struct fg_crawl *crawl)
{
    return (struct turns){&crawl->sites.all.at, &crawl->sites.all.len,
                          &crawl->sites.next_wanted, &crawl->sites.next};
}

/* Between two pages, and nothing is held: others may have a turn of the loop. False if
 * meanwhile the crawl is to end. */
static bool goes_on(struct fg_crawl *crawl)
{
    if (crawl->run.slices && fg_slices_is_due(crawl->run.slices))
        fg_slices_pause(crawl->run.slices);
    return !crawl->run.is_stopping;
}

/* One page of one of these sites after the other, beginning where we left off: whoever
 * stands late in the list must not find the budget spent each time. */
static bool feed_wanted(struct fg_crawl *crawl, const struct turns *turns, fg_time now)
{
    bool fed = false;
    size_t first = *turns->wanted;
    for (size_t i = 0; goes_on(crawl) && i < *turns->n && crawl->budget.all >= 1; i++) {
        size_t place = (first + i) % *turns->n;
        struct site *site = (*turns->sites)[place];
        uint32_t row;
        float priority;
        if (crawl_is_at_limit(crawl) || !may_feed(crawl, site, now) ||
            !next_wanted(crawl, site, &row, &priority))
            continue;
        *turns->wanted = place + 1;
        crawl_ask(crawl, row, FIRST_FETCH, NULL, priority);
        fed = true;
    }
    return fed;
}

/* The same of their stock. */
static bool feed_stock(struct fg_crawl *crawl, const struct turns *turns, fg_time now)
{
    bool fed = false;
    size_t first = *turns->stock;
    for (size_t i = 0; goes_on(crawl) && i < *turns->n && crawl->budget.first >= 1 &&
                       crawl->budget.all >= 1;
         i++) {
        size_t place = (first + i) % *turns->n;
        struct site *site = (*turns->sites)[place];
        uint32_t row;
        if (crawl_is_at_limit(crawl) || !may_feed(crawl, site, now) ||
            site->budget.first < 1 || site->state == SITE_PAGES_ONLY ||
            (site->stock.wakes && site->lists.sources.len) ||
            !explore_next(crawl, site, &row, now))
            continue;
        *turns->stock = place + 1;
        crawl->budget.first--;
        site->budget.first--;
        crawl_ask(crawl, row, FIRST_FETCH, NULL, stock_priority);
        fed = true;
    }
    return fed;
}

static void feed(struct fg_crawl *crawl, const struct turns *turns)
{
    fg_time now = fg_clock_now(crawl->clock);
    while (feed_wanted(crawl, turns, now) || feed_stock(crawl, turns, now))
        ;
}

void crawl_feed(struct fg_crawl *crawl)
{
    bool has_paused = crawl->run.slices && fg_slices_has_paused(crawl->run.slices);
    if (crawl->run.is_stopping || has_paused) /* the tick comes to it */
        return;
    struct turns turns = turns_of_all(crawl);
    feed(crawl, &turns);
}

void crawl_feed_site(struct fg_crawl *crawl, struct site *site)
{
    size_t wanted = 0, stock = 0, n = 1;
    struct site **one = &site;
    feed(crawl, &(struct turns){&one, &n, &wanted, &stock});
}

/* Without a limit none takes anything from another: as many as fit into a slice, and the
 * rest in the next turn of the loop. */
static size_t feed_slice(struct fg_crawl *crawl)
{
    static const fg_time slice = 10 * FG_MILLISECOND;
    fg_time began = fg_time_monotonic();
    size_t n = 0, all = crawl->sites.stirred.len;
    while (n < all && (!n || fg_time_monotonic() - began < slice))
        crawl_feed_site(crawl, crawl->sites.stirred.at[n++]);
    return n;
}

/* Of the others nothing has changed since they were last looked at: what an answer costs
 * does not grow with the number of sites. */
size_t crawl_feed_stirred(struct fg_crawl *crawl)
{
    size_t n = crawl->sites.stirred.len, wanted = 0, stock = 0;
    if (isinf(crawl->budget.all))
        return feed_slice(crawl);
    struct site **stirred = crawl->sites.stirred.at;
    feed(crawl, &(struct turns){&stirred, &n, &wanted, &stock});
    return n;
}

/* Of many sites, none of which has a limit, so that the order decides nothing. */
static bool feeds_in_slices(const struct fg_crawl *crawl)
{
    enum { MANY = 500 };
    bool is_free = crawl->sites.all.len > MANY && isinf(crawl->budget.all);
    for (size_t i = 0; is_free && i < crawl->sites.all.len; i++)
        is_free = isinf(crawl->sites.all.at[i]->budget.allowance);
    return is_free;
}

static void stir_all(struct fg_crawl *crawl)
{
    for (size_t i = 0; i < crawl->sites.all.len; i++)
        crawl_stir(crawl, crawl->sites.all.at[i]);
}

bool crawl_is_idle(const struct fg_crawl *crawl)
{
    if (crawl->budget.open_asks || fg_polite_in_flight(crawl->polite) ||
        crawl->sites.stirred.len ||
        (crawl->run.slices && fg_slices_has_paused(crawl->run.slices)))
        return false;
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        const struct site *site = crawl->sites.all.at[i];
        if (!site_is_asked(site))
            continue;
        if (site->state == SITE_EXPLORING)
            return false;
        bool fetches = crawl->options.exploring.fetch_discovered;
        if (site->stock.eager.len ||
            (fetches && (site->stock.awaited.len || site->stock.patient.len)))
            return false;
    }
    return true;
}

/* --- refreshes --- */

/* Returns how many were asked for. */
static size_t refresh(struct fg_crawl *crawl, struct fg_mind *mind, enum purpose purpose,
                      size_t budget, float priority, fg_time now)
{
    const struct fg_world *world = fg_mind_world(mind);
    size_t asked = 0;
    budget = budget < world->n ? budget : world->n;
    if (!budget)
        return 0;
    room_block(crawl, mind, now);
    /* Of documents some that are chosen are not due yet: others may be. */
    size_t most = purpose == DOCUMENT_REFRESH ? SPARE_PICKS * budget : budget;
    most = most < world->n ? most : world->n;
    struct fg_pick *picks = fg_zeroed(most, sizeof *picks);
    size_t n = fg_mind_choose(mind, now, most, picks);
    for (size_t i = 0; i < n && asked < budget && !crawl_is_at_limit(crawl); i++) {
        uint64_t id = world->id[picks[i].page];
        uint32_t row = crawl_row_of(crawl, id);
        if (row == FG_UNKNOWN || crawl->known.at[row].is_queued ||
            (purpose == DOCUMENT_REFRESH &&
             (document_is_done(crawl, row) ||
              !room_document_is_due(crawl, picks[i].page, row, now) ||
              crawl_site_of(crawl, row)->budget.room-- < 1)))
            continue;
        crawl_ask(crawl, row, purpose, &picks[i], priority);
        if (purpose == SOURCE_REFRESH)
            crawl_site_of(crawl, row)->budget.looks--;
        asked++;
    }
    free(picks);
    return asked;
}

/* --- documents --- */

/* Their share, or what the sources have left if that is more. */
static size_t document_budget(const struct fg_crawl *crawl)
{
    size_t n = fg_mind_world(crawl->minds.refresh)->n;
    double spare = crawl->budget.all - crawl->budget.first;
    size_t most =
        allowance_whole(fmin(fmax(crawl->budget.documents, spare), crawl->budget.all));
    return most < n ? most : n;
}

static void refresh_documents(struct fg_crawl *crawl, size_t budget, fg_time now)
{
    room_limit_documents(crawl);
    document_regroup(crawl);
    crawl->budget.documents -= (double)refresh(
        crawl, crawl->minds.refresh, DOCUMENT_REFRESH, budget, document_priority, now);
}

static bool stock_waits(const struct fg_crawl *crawl, fg_time now)
{
    for (size_t i = 0; i < crawl->sites.all.len; i++)
        if (room_stock_waits(crawl, crawl->sites.all.at[i], now))
            return true;
    return false;
}

/* --- looks that are due --- */

/* What announces new pages: what the user named, and the feeds closest to it. */
static bool is_front(struct fg_crawl *crawl, const struct source *source)
{
    const struct fg_known_page *page = &crawl->known.at[source->row];
    unsigned depth = crawl_site_of(crawl, source->row)->lists.has_feed ? 1 : 2;
    return page->flags & FG_PAGE_SEED ||
           (page->flags & FG_PAGE_FEED && page->depth <= depth);
}

/* It is looked at twice within minutes, for what came between two looks is the first that
 * can be told, and then after four minutes, six, eight, until the policy has something to
 * go by. So is a volume that takes the place of one of which it knew that. Sitemaps are
 * looked at twice. Later a feed or a sitemap may say that a list has changed. */
static bool is_due(struct fg_crawl *crawl, const struct source *source, fg_time fair,
                   fg_time now)
{
    enum { FIRST_LOOKS = 6, LOOKS_AT_VOLUME = 12 };
    static const fg_time step = 2 * FG_MINUTE, least = FG_MINUTE;
    if (!source->is_live || !source->visits)
        return false;
    fg_time waited = now - source->last_seen;
    unsigned looks = source->is_volume         ? LOOKS_AT_VOLUME
                     : is_front(crawl, source) ? FIRST_LOOKS
                     : crawl->known.at[source->row].flags & FG_PAGE_SITEMAP ? 2
                                                                            : 0;
    unsigned steps = source->visits < FIRST_LOOKS ? source->visits : FIRST_LOOKS - 1;
    bool is_early = source->visits < looks && waited >= step * steps;
    bool is_its_turn = waited >= fair && is_front(crawl, source);
    bool is_over = source_awaits_archive(source, now) &&
                   !crawl_site_of(crawl, source->row)->lists.has_feed;
    /* What rests because others tell of it is still looked at now and then, so that it is
     * found out when they do not. */
    fg_time rest = push_rest(crawl, crawl_site_of(crawl, source->row), source->row);
    return is_early || is_its_turn || is_over ||
           (source->is_signalled && waited >= least) ||
           (rest && waited >= rest &&
            (is_front(crawl, source) ||
             crawl->known.at[source->row].flags & FG_PAGE_FEED));
}

/* Where there is too little for all, what finds new pages of one site must not wait until
 * those of all others have been read: half of the budget is enough to look at each front
 * as often as this. */
static fg_time fair_wait(struct fg_crawl *crawl, fg_time now)
{
    double cost = 0; /* of a look at each */
    if (!allowance_is_limited(crawl) || crawl->budget.short_until <= now)
        return INT64_MAX;
    for (size_t i = 0; i < crawl->sources.all.len; i++) {
        const struct source *source = &crawl->sources.all.at[i];
        if (source->is_live && is_front(crawl, source) &&
            page_is_asked(crawl, source->row))
            cost += cost_expected(crawl, crawl_site_of(crawl, source->row), source->row,
                                  SOURCE_REFRESH);
    }
    double hours = 2 * cost / crawl->options.budget.per_hour;
    return hours < 1e6 ? (fg_time)(hours * (double)FG_HOUR) : INT64_MAX;
}

/* The one that failed least, and of these what was named or is a feed. */
static uint32_t first_to_wake(struct fg_crawl *crawl, const struct site *site)
{
    uint32_t best = FG_UNKNOWN;
    unsigned least = UINT32_MAX;
    for (size_t i = 0; i < site->lists.sources.len; i++) {
        uint32_t row = site->lists.sources.at[i];
        const struct fg_known_page *page = &crawl->known.at[row];
        unsigned order = 2U * page->failures + !is_front(crawl, source_find(crawl, row));
        if (order < least && page_is_asked(crawl, row)) {
            least = order;
            best = row;
        }
    }
    return best;
}

void crawl_wake(struct fg_crawl *crawl, struct site *site)
{
    uint32_t row = site->stock.wakes ? first_to_wake(crawl, site) : FG_UNKNOWN;
    if (row == FG_UNKNOWN || crawl->known.at[row].is_queued || crawl->run.is_stopping ||
        !site_is_asked(site) || site_is_resting(site, fg_clock_now(crawl->clock)) ||
        site->budget.allowance < 1 || crawl->budget.all < 1 || crawl_is_at_limit(crawl))
        return;
    crawl_ask(crawl, row, SOURCE_REFRESH, NULL, due_priority);
}

static void look_at_due(struct fg_crawl *crawl, fg_time now)
{
    size_t first = crawl->sources.next_due;
    fg_time fair = fair_wait(crawl, now);
    for (size_t i = 0;
         goes_on(crawl) && i < crawl->sources.all.len && crawl->budget.all >= 1; i++) {
        size_t place = (first + i) % crawl->sources.all.len;
        const struct source *source = &crawl->sources.all.at[place];
        if (crawl_is_at_limit(crawl) || !is_due(crawl, source, fair, now))
            continue;
        const struct site *site = crawl_site_of(crawl, source->row);
        if (crawl->known.at[source->row].is_queued ||
            !page_is_asked(crawl, source->row) || site_is_resting(site, now) ||
            site->budget.allowance < 1)
            continue;
        crawl->sources.next_due = place + 1;
        crawl_ask(crawl, source->row, SOURCE_REFRESH, NULL, due_priority);
    }
}

static bool look_at_nudge(struct fg_crawl *crawl, const struct site *site,
                          const struct nudge *nudge, fg_time now)
{
    static const fg_time least = 10 * FG_SECOND;
    const struct fg_known_page *page = &crawl->known.at[nudge->row];
    fg_time last = page->last_visit_s * FG_SECOND;
    const struct source *source = source_find(crawl, nudge->row);
    if (page->is_queued ||
        page->flags & (FG_PAGE_EXCLUDED | FG_PAGE_GONE | FG_PAGE_ALIAS))
        return true; /* the answer comes by, or there is none */
    if (!page_is_asked(crawl, nudge->row) || (now >= last && now - last < least) ||
        site->budget.allowance < 1 || crawl->budget.all < 1 || crawl_is_at_limit(crawl))
        return false;
    crawl_ask(crawl, nudge->row, source ? SOURCE_REFRESH : DOCUMENT_REFRESH, NULL,
              due_priority);
    return true;
}

/* A push is worth most at once: it does not wait for the next tick. */
void crawl_look_at_pushed(struct fg_crawl *crawl)
{
    fg_time now = fg_clock_now(crawl->clock);
    for (size_t i = 0; i < crawl->sites.all.len && !crawl->run.is_stopping; i++) {
        struct site *site = crawl->sites.all.at[i];
        if (!site->push || site_is_resting(site, now))
            continue;
        for (size_t j = 0; j < site->push->nudges.len; j++) {
            struct nudge *nudge = &site->push->nudges.at[j];
            if (!nudge->is_sent)
                nudge->is_sent = look_at_nudge(crawl, site, nudge, now);
        }
    }
}

static void tell_once_a_day(struct fg_crawl *crawl, fg_time now)
{
    fg_time day = now / FG_DAY + 1; /* 0 is no day, or a crawl of 1970 would not tell */
    if (day == crawl->minds.told_day)
        return;
    crawl->minds.told_day = day;
    crawl_tell(crawl);
}

/* What the stock may have of what is left, of all and of each site, where there is no
 * price: what turns out to be new on the same site must not wait for it. */
static void share_first(struct fg_crawl *crawl, fg_time now)
{
    static const double usual = 0.4;
    const struct fg_crawl_options *o = &crawl->options;
    double share = o->run.once || o->exploring.backfill ? 1
                   : stock_waits(crawl, now)            ? usual
                                                        : 0;
    crawl->budget.first = allowance_share(crawl->budget.all, share);
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        struct site_budget *budget = &crawl->sites.all.at[i]->budget;
        budget->first = allowance_share(budget->allowance, share);
    }
}

void crawl_tick(struct fg_crawl *crawl)
{
    if (crawl->run.is_stopping)
        return;
    fg_time now = fg_clock_now(crawl->clock);
    crawl->budget.ticks_passed = allowance_ticks_passed(crawl, now);
    crawl->budget.tick_started = now;
    tell_once_a_day(crawl, now);
    appraising_tick(crawl);
    retention_review(crawl);
    crawl_place_early(crawl);
    refill_allowances(crawl, now);
    for (size_t i = 0; i < crawl->sites.all.len; i++)
        if (site_is_asked(crawl->sites.all.at[i]))
            source_review(crawl, crawl->sites.all.at[i], now);
    crawl_keep_promises(crawl, now);
    struct turns turns = turns_of_all(crawl);
    bool is_priced = pricing_is_on(crawl);
    double of_documents = allowance_of_documents(crawl);
    crawl->budget.all -= of_documents;
    for (size_t i = 0, n = *turns.n; i < n; i++)
        crawl_wake(crawl, (*turns.sites)[(*turns.wanted + i) % n]);
    look_at_due(crawl, now);
    bool in_slices = feeds_in_slices(crawl);
    while (!in_slices && feed_wanted(crawl, &turns, now))
        ;
    if (crawl->run.is_stopping)
        return;
    fg_mind_floor(crawl->minds.discovery, room_floor(crawl));
    if (!is_priced)
        refresh(crawl, crawl->minds.discovery, SOURCE_REFRESH,
                allowance_whole(crawl->budget.all), source_priority, now);
    if (crawl->budget.all < 1)
        crawl->budget.short_until = now + SHORT_TICKS * crawl->options.budget.tick;
    crawl->budget.all += of_documents;
    if (is_priced)
        crawl_ask_at_price(crawl, now);
    else
        share_first(crawl, now);
    feed_stock(crawl, &turns, now); /* documents wait where it finds something */
    if (!is_priced)
        refresh_documents(crawl, document_budget(crawl), now);
    if (in_slices)
        stir_all(crawl);
    else
        crawl_feed(crawl);
}
