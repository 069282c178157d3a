#include "crawl/room.h"

#include "crawl/allowance.h"
#include "crawl/budget.h"
#include "crawl/documents/documents.h"
#include "crawl/minds.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"

#include <assert.h>
#include <math.h>

/* Documents that may be chosen for each that can be asked for: some are not due. */
enum { SPARE_PICKS = 8 };

/* What a look must be worth. A crawl that is made once looks at all it has. */
double room_floor(const struct fg_crawl *crawl)
{
    return crawl->options.run.once ? 0 : crawl->options.budget.least_delay;
}

unsigned room_most_open(const struct fg_crawl *crawl)
{
    unsigned most = 2 * crawl->options.pace.concurrency;
    return most > 4 ? most : 4;
}

/* What comes to it is pushed to us. */
static bool is_spared(struct fg_crawl *crawl, const struct site *site, uint64_t id,
                      fg_time now)
{
    uint32_t row = site->push ? crawl_row_of(crawl, id) : FG_UNKNOWN;
    const struct source *source = row == FG_UNKNOWN ? NULL : source_find(crawl, row);
    return source && source->visits > 1 &&
           now - source->last_seen < push_rest(crawl, site, row);
}

void room_block(struct fg_crawl *crawl, struct fg_mind *mind, fg_time now)
{
    const struct fg_world *world = fg_mind_world(mind);
    for (size_t i = 0; i < world->n; i++) {
        const struct site *site =
            crawl_site_with(crawl, (fg_site_id)(world->id[i] >> 32));
        assert(site); /* a policy has known pages only */
        fg_mind_block(mind, i,
                      !site_is_asked(site) || site_is_resting(site, now) ||
                          site->stock.open_asks >= 4 * room_most_open(crawl) + 1000 ||
                          (mind == crawl->minds.discovery &&
                           is_spared(crawl, site, world->id[i], now)));
    }
    crawl_block_paused(crawl, mind);
}

/* What is expected of a document that has shown no change: 0.7 of one in this time, and
 * less the longer it is known. An hour, unless those of its site hardly ever change, as
 * the tickets of an event: then so much more that hundreds of them cost little. */
static const double first_changes = 0.7;

static double first_hours(const struct site *site)
{
    static const double hardly_ever = 0.1, doubt_changes = 1, doubt_hours = 14;
    double rate = (site->counts.document_changes + doubt_changes) /
                  (site->counts.document_hours + doubt_hours);
    double times = hardly_ever * first_changes / rate;
    return fmax(times * times, 1);
}

static bool is_signalled(const struct fg_crawl *crawl, uint32_t row)
{
    const uint64_t *signal = fg_map_get(&crawl->documents.signalled, row);
    const struct site *site = crawl_site_of(crawl, row);
    return signal && (*signal == SIGNAL_TRIED ||
                      fg_honesty_is_believed(&site->counts.document_dates));
}

/* Chances of a change, weighted and summed over the hours they last, below which a
 * document is left alone. */
bool room_document_is_due(struct fg_crawl *crawl, size_t at, uint32_t row, fg_time now)
{
    double floor = room_floor(crawl);
    const struct fg_known_page *page = &crawl->known.at[row];
    fg_time last = page->last_visit_s * FG_SECOND;
    struct fg_reason reason;
    if (floor <= 0 || !page->last_visit_s || last > now || is_signalled(crawl, row) ||
        !fg_mind_explain(crawl->minds.refresh, now, at, &reason) || isnan(reason.rate))
        return true;
    double hours = fg_hours(now - last);
    double known = fmax(fg_hours(last - page->first_seen), 0);
    const uint64_t *changes = fg_map_get(&crawl->documents.changes_seen, row);
    double seen = changes ? (double)*changes : 0;
    double first = first_hours(crawl_site_of(crawl, row));
    double rate = fmax(reason.rate / 24, (seen + first_changes) / (first + known));
    return rate * hours * hours / 2 >= floor;
}

/* A document is picked when it is due, so no more are picked than can go out: those that
 * wait are fetched late, and others that have become due meanwhile wait behind them. The
 * long-run budget is what the share and all hosts together allow. */
void room_limit_documents(struct fg_crawl *crawl)
{
    /* What sources leave is theirs, and they leave most of it. */
    static const double left_by_sources = 0.8;
    double share =
        allowance_is_limited(crawl)
            ? allowance_a_tick(crawl, crawl->options.budget.per_hour) * left_by_sources
            : INFINITY;
    double hosts = 0;
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        struct site *site = crawl->sites.all.at[i];
        if (!site->counts.documents || !site_is_asked(site))
            continue;
        double most = allowance_of_host(crawl, site), limit = site_budget(crawl, site);
        double site_most = limit > 0 ? allowance_a_tick(crawl, limit) : INFINITY;
        /* What was never read comes before what was. */
        double left = site->stock.patient.len && !site->stock.nothing_until ? 0.2 : 1;
        double room =
            fmin(fmax(most, 1) - site->stock.open_asks, site->budget.allowance * left);
        site->budget.room = room;
        room = fmax(room, 0) * SPARE_PICKS;
        fg_mind_limit(crawl->minds.refresh, site->id,
                      room < 4e9 ? (uint32_t)room : UINT32_MAX);
        hosts += fmin(fmin(most, site_most), site->counts.documents);
    }
    fg_mind_budget(crawl->minds.refresh, fmin(share, hosts));
}

bool room_stock_waits(const struct fg_crawl *crawl, const struct site *site, fg_time now)
{
    return explore_may_look(crawl, site, now) && site_is_asked(site);
}
