/* The budget and who gets it
 *
 * Each tick brings budget x tick requests, in all and per site. Pages never fetched get
 * at most their share and documents theirs; sources get the rest, because they are what
 * finds new pages. First fetches go out as they come, within what the tick left for them;
 * source and document refreshes are chosen by the policies at the start of the tick, and
 * politeness decides when within it each goes out. */
#include "crawl/state.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static const float source_priority = 2, document_priority = 1, eager_priority = 1.5f;

static bool has_budget(const struct fg_crawl *crawl)
{
    return crawl->options.budget_per_hour > 0;
}

static double per_tick(const struct fg_crawl *crawl, double per_hour)
{
    return per_hour * fg_hours(crawl->options.tick);
}

/* Of a tick that comes late: a machine may be busy, and where time is simulated a tick is
 * a fraction of a second. */
static double ticks_passed(const struct fg_crawl *crawl, fg_time now)
{
    static const double most = 4;
    double passed = (double)(now - crawl->tick_started) / (double)crawl->options.tick;
    return fmin(fmax(passed, 1), most);
}

/* What was not used is kept for one more tick, no longer: a crawl that slept must not
 * make up for it in a burst. */
static double refill(const struct fg_crawl *crawl, double left, double fresh)
{
    double ticks = crawl->ticks_passed;
    return fmin(left + ticks * fresh, fmax((1 + ticks) * fresh, 1));
}

static void refill_allowances(struct fg_crawl *crawl)
{
    double fresh = per_tick(crawl, crawl->options.budget_per_hour);
    crawl->allowance =
        has_budget(crawl) ? refill(crawl, crawl->allowance, fresh) : INFINITY;
    for (size_t i = 0; i < crawl->sites.len; i++) {
        struct site *site = crawl->sites.at[i];
        double site_fresh = per_tick(crawl, site_budget(crawl, site));
        bool was_limited = !isinf(site->allowance);
        site->allowance =
            site_fresh > 0 ? refill(crawl, site->allowance, site_fresh) : INFINITY;
        if (site_fresh > 0 || was_limited)
            fg_mind_limit(crawl->discovery, site->id,
                          site_fresh > 0 ? (uint32_t)fmin(site->allowance, 4e9)
                                         : UINT32_MAX);
    }
}

static bool is_resting(const struct site *site, fg_time now)
{
    return site->rests_until != FG_NEVER && site->rests_until > now;
}

/* What is on its way counts: only a redirect can take us beyond the limit. */
static bool is_at_limit(const struct fg_crawl *crawl)
{
    uint64_t most = crawl->options.fetch_limit;
    return most && crawl->counts.fetches + crawl->open_asks >= most;
}

static unsigned most_open(const struct fg_crawl *crawl)
{
    unsigned most = 2 * crawl->options.pace.concurrency;
    return most > 4 ? most : 4;
}

static struct visit *visit_new(struct fg_crawl *crawl)
{
    struct visit *visit = crawl->idle_visits;
    if (visit)
        crawl->idle_visits = visit->next_idle;
    else
        visit = FG_NEW(&crawl->arena, struct visit, 1);
    *visit = (struct visit){.crawl = crawl};
    return visit;
}

static void ask(struct fg_crawl *crawl, uint32_t row, enum purpose purpose,
                const struct fg_pick *pick, float priority)
{
    struct fg_known_page *page = &crawl->known.at[row];
    struct site *site = crawl_site_of(crawl, row);
    struct visit *visit = visit_new(crawl);
    visit->row = row;
    visit->purpose = purpose;
    if (pick)
        visit->pick = *pick;
    struct fg_ask wish = {.url = fg_known_url(&crawl->known, row),
                          .purpose = purpose,
                          .priority = priority,
                          .done = crawl_on_answer,
                          .context = visit};
    fg_arena_reset(&crawl->scratch);
    crawl_note_way(crawl, &wish.note, row);
    bool is_document = page->flags & FG_PAGE_DOCUMENT;
    if (is_document)
        visit->has_value = document_last_value(crawl, row, &visit->value_hash);
    struct fg_page_row stored;
    if (purpose != FIRST_FETCH && !fg_store_page(crawl->store, &stored, &crawl->scratch,
                                                 page->site, page->page, NULL)) {
        visit->content_hash = stored.content_hash;
        /* That nothing has changed is no answer if we do not have what we ask for. */
        bool may_be_same = !is_document || visit->has_value;
        wish.etag = may_be_same ? stored.etag : FG_STR("");
        wish.last_modified = may_be_same ? stored.last_modified : FG_STR("");
        visit->conditional = wish.etag.len || wish.last_modified.len;
    }
    page->is_queued = 1;
    site->open_asks++;
    crawl->open_asks++;
    crawl->allowance--;
    site->allowance--;
    conduct_prepare(crawl, site);
    fg_polite_ask(crawl->polite, &wish);
}

/* --- first fetches --- */

static bool may_feed(const struct fg_crawl *crawl, const struct site *site, fg_time now)
{
    if (site->open_asks >= most_open(crawl) || site->allowance < 1 ||
        is_resting(site, now))
        return false;
    if (site->state == SITE_EXPLORING)
        return site->explored + site->open_asks < crawl->options.bootstrap_pages;
    return crawl->options.fetch_discovered || site->state == SITE_PAGES_ONLY;
}

static bool next_row(struct fg_crawl *crawl, struct site *site, uint32_t *row,
                     float *priority)
{
    for (;;) {
        bool is_eager = queue_pop(&site->eager, row);
        if (!is_eager && !queue_pop(&site->patient, row))
            return false;
        *priority = is_eager ? eager_priority : 0;
        const struct fg_known_page *page = &crawl->known.at[*row];
        bool is_ours = page->flags & FG_PAGE_SEED ||
                       site_allows(site, fg_known_url(&crawl->known, *row));
        if (is_ours && !page->is_queued && (!page->last_visit_s || page->failures))
            return true;
    }
}

void crawl_feed(struct fg_crawl *crawl)
{
    if (crawl->is_stopping)
        return;
    fg_time now = fg_clock_now(crawl->clock);
    bool fed = true;
    while (fed && crawl->first_allowance >= 1 && crawl->allowance >= 1) {
        fed = false;
        for (size_t i = 0;
             i < crawl->sites.len && crawl->first_allowance >= 1 && !is_at_limit(crawl);
             i++) {
            struct site *site = crawl->sites.at[i];
            uint32_t row;
            float priority;
            if (!may_feed(crawl, site, now) || !next_row(crawl, site, &row, &priority))
                continue;
            crawl->first_allowance--;
            ask(crawl, row, FIRST_FETCH, NULL, priority);
            fed = true;
        }
    }
}

/* Requests that a host lets us make in a tick, at its present pace. */
static double host_requests(const struct fg_crawl *crawl, const struct site *site)
{
    struct fg_host_view view;
    fg_time delay = crawl->options.pace.delay;
    if (fg_polite_view(crawl->polite, fg_str_from(site->key), &view) &&
        view.delay > delay)
        delay = view.delay;
    return delay > 0 ? (double)crawl->options.tick / (double)delay : INFINITY;
}

/* First fetches that can go out in this tick. Pages of a site that is slow, resting or at
 * its own limit take nothing from the others while they wait. */
static double ready_first(const struct fg_crawl *crawl, fg_time now)
{
    double n = 0;
    for (size_t i = 0; i < crawl->sites.len; i++) {
        const struct site *site = crawl->sites.at[i];
        double waiting = (double)(site->eager.len + site->patient.len);
        double most = fmin(fmax(host_requests(crawl, site), 1), site->allowance);
        if (!is_resting(site, now))
            n += fmin(waiting, fmax(most, 0));
    }
    return n;
}

static bool any_exploring(const struct fg_crawl *crawl)
{
    for (size_t i = 0; i < crawl->sites.len; i++)
        if (crawl->sites.at[i]->state == SITE_EXPLORING)
            return true;
    return false;
}

bool crawl_is_idle(const struct fg_crawl *crawl)
{
    if (crawl->open_asks || fg_polite_in_flight(crawl->polite))
        return false;
    for (size_t i = 0; i < crawl->sites.len; i++) {
        const struct site *site = crawl->sites.at[i];
        if (site->state == SITE_EXPLORING)
            return false;
        if (crawl->options.fetch_discovered && (site->eager.len || site->patient.len))
            return false;
    }
    return true;
}

/* --- refreshes --- */

static void block_what_cannot_go(struct fg_crawl *crawl, struct fg_mind *mind,
                                 fg_time now)
{
    const struct fg_world *world = fg_mind_world(mind);
    for (size_t i = 0; i < world->n; i++) {
        const struct site *site = crawl->sites.at[world->site[i] - 1];
        fg_mind_block(mind, i,
                      is_resting(site, now) || site->state == SITE_EXPLORING ||
                          site->open_asks >= 4 * most_open(crawl) + 1000);
    }
}

/* Returns how many were asked for. */
static size_t refresh(struct fg_crawl *crawl, struct fg_mind *mind, enum purpose purpose,
                      size_t budget, float priority, fg_time now)
{
    const struct fg_world *world = fg_mind_world(mind);
    size_t asked = 0;
    budget = budget < world->n ? budget : world->n;
    if (!budget)
        return 0;
    block_what_cannot_go(crawl, mind, now);
    struct fg_pick *picks = fg_zeroed(budget, sizeof *picks);
    size_t n = fg_mind_choose(mind, now, budget, picks);
    for (size_t i = 0; i < n && !is_at_limit(crawl); i++) {
        uint64_t id = world->id[picks[i].page];
        uint32_t row = crawl_row_of(crawl, id);
        if (row == FG_UNKNOWN || crawl->known.at[row].is_queued)
            continue;
        ask(crawl, row, purpose, &picks[i], priority);
        asked++;
    }
    free(picks);
    return asked;
}

static size_t whole(double allowance)
{
    return allowance >= 1e9 ? (size_t)1e9 : allowance < 1 ? 0 : (size_t)allowance;
}

/* --- documents --- */

/* A document is picked when it is due, so no more are picked than can go out: those that
 * wait are fetched late, and others that have become due meanwhile wait behind them. The
 * long-run budget is what the share and all hosts together allow. */
static void limit_documents(struct fg_crawl *crawl)
{
    double share = has_budget(crawl) ? per_tick(crawl, crawl->options.budget_per_hour) *
                                           crawl->options.document_share
                                     : INFINITY;
    double hosts = 0;
    for (size_t i = 0; i < crawl->sites.len; i++) {
        const struct site *site = crawl->sites.at[i];
        if (!site->n_documents)
            continue;
        double most = host_requests(crawl, site), limit = site_budget(crawl, site);
        double site_most = limit > 0 ? per_tick(crawl, limit) : INFINITY;
        double room = fmin(fmax(most, 1) - site->open_asks, site->allowance);
        fg_mind_limit(crawl->refresh, site->id, room < 4e9 ? (uint32_t)room : UINT32_MAX);
        hosts += fmin(fmin(most, site_most), site->n_documents);
    }
    fg_mind_budget(crawl->refresh, fmin(share, hosts));
}

/* What a tick brings may be less than one; it is kept until it is. */
static size_t document_budget(struct fg_crawl *crawl)
{
    double fresh =
        per_tick(crawl, crawl->options.budget_per_hour) * crawl->options.document_share;
    size_t n = fg_mind_world(crawl->refresh)->n;
    crawl->document_allowance =
        has_budget(crawl) ? refill(crawl, crawl->document_allowance, fresh) : INFINITY;
    size_t most = whole(fmin(crawl->document_allowance, crawl->allowance));
    return most < n ? most : n;
}

static void refresh_documents(struct fg_crawl *crawl, size_t budget, fg_time now)
{
    limit_documents(crawl);
    document_regroup(crawl);
    crawl->document_allowance -= (double)refresh(crawl, crawl->refresh, DOCUMENT_REFRESH,
                                                 budget, document_priority, now);
}

static void trim_ledger(struct fg_crawl *crawl, fg_time now)
{
    struct fg_batch *batch = fg_batch_new(crawl->store);
    fg_batch_trim_requests(batch, now - crawl->options.keep_requests);
    fg_store_submit(crawl->store, batch);
}

static void tell_once_a_day(struct fg_crawl *crawl, fg_time now)
{
    fg_time day = now / FG_DAY + 1; /* 0 is no day, or a crawl of 1970 would not tell */
    if (day == crawl->told_day)
        return;
    crawl->told_day = day;
    trim_ledger(crawl, now);
    crawl_tell(crawl, now);
}

void crawl_tick(struct fg_crawl *crawl)
{
    if (crawl->is_stopping)
        return;
    fg_time now = fg_clock_now(crawl->clock);
    crawl->ticks_passed = ticks_passed(crawl, now);
    crawl->tick_started = now;
    tell_once_a_day(crawl, now);
    refill_allowances(crawl);
    for (size_t i = 0; i < crawl->sites.len; i++)
        source_review(crawl, crawl->sites.at[i], now);
    double all = crawl->allowance;
    double first = any_exploring(crawl) ? all : all * crawl->options.first_fetch_share;
    size_t documents = document_budget(crawl);
    crawl->first_allowance = fmin(first, has_budget(crawl) ? first : INFINITY);
    double reserved = fmin(ready_first(crawl, now), first) + (double)documents;
    refresh(crawl, crawl->discovery, SOURCE_REFRESH, whole(all - fmin(reserved, all)),
            source_priority, now);
    refresh_documents(crawl, documents, now);
    crawl_feed(crawl);
}
