/* The sites we watch and the pages we know: adding them, in memory and in the store. */
#include "crawl/sites/pages.h"
#include "crawl/judging/judging.h"
#include "crawl/sites/site.h"
#include "crawl/sources/pattern.h"
#include "crawl/state.h"

#include "base/memory.h"
#include "net/robots/robots_fetch.h"
#include "net/url/canonical.h"
#include "net/url/domain.h"
#include "net/url/url.h"

#include <math.h>
#include <stdlib.h>

/* --- sites and pages --- */

/* The column robots_verdict also has how often the file could not be had in a row: a host
 * that holds us is asked less and less often, and a restart must not begin anew. */
enum { VERDICT_BITS = 8, MOST_TRIES = 255 };

void host_to_row(struct fg_site_row *row, const struct fg_host_state *host)
{
    unsigned failures =
        host->robots_failures < MOST_TRIES ? host->robots_failures : MOST_TRIES;
    row->last_request = host->memory.last_request;
    row->crawl_delay = host->memory.crawl_delay;
    row->backoff_until = host->memory.backoff_until;
    row->backoff_step = host->memory.backoff_step;
    row->robots_fetched = host->robots_fetched;
    row->robots_expires = host->robots_expires;
    row->robots_verdict = (uint16_t)(host->robots_verdict | failures << VERDICT_BITS);
    row->robots = host->robots;
}

bool host_from_row(struct fg_host_state *host, const struct fg_site_row *row)
{
    *host = (struct fg_host_state){.key = row->key,
                                   .memory = {.last_request = row->last_request,
                                              .crawl_delay = row->crawl_delay,
                                              .backoff_until = row->backoff_until,
                                              .backoff_step = row->backoff_step},
                                   .robots_fetched = row->robots_fetched,
                                   .robots_expires = row->robots_expires,
                                   .robots_verdict =
                                       row->robots_verdict & ((1u << VERDICT_BITS) - 1),
                                   .robots_failures = row->robots_verdict >> VERDICT_BITS,
                                   .robots = row->robots};
    return host->robots_verdict <= FG_ROBOTS_HOLD;
}

bool fg_site_is_held(const struct fg_site_row *row)
{
    struct fg_host_state host;
    return host_from_row(&host, row) && host.robots_verdict == FG_ROBOTS_HOLD;
}

void crawl_put_site(struct fg_batch *batch, const struct site *site)
{
    struct fg_site_row row = {.site = site->id,
                              .key = fg_str_from(site->key),
                              .domain = fg_str_from(site->domain),
                              .tags = fg_str_from(site->tags),
                              .added = site->added,
                              .settings = site->settings,
                              .state = (uint8_t)site->state};
    host_to_row(&row, &site->host.state);
    fg_batch_site(batch, &row);
}

void crawl_set_host(struct site *site, const struct fg_host_state *state)
{
    char *robots = state->robots.len ? malloc(state->robots.len) : NULL;
    if (state->robots.len && !robots)
        fg_out_of_memory(); /* an empty robots.txt would forbid nothing */
    if (robots)
        memcpy(robots, state->robots.at, state->robots.len);
    free(site->host.robots);
    site->host.robots = robots;
    site->host.state = *state;
    site->host.state.key = fg_str_from(site->key);
    site->host.state.robots = (struct fg_str){robots, robots ? state->robots.len : 0};
}

struct site *crawl_add_site(struct fg_crawl *crawl, fg_site_id id, struct fg_str key,
                            struct fg_str tags, enum site_state state, fg_time added)
{
    struct site *site = fg_zeroed(1, sizeof *site);
    struct fg_url url;
    struct fg_str domain = {0};
    if (fg_url_parse(&url, &crawl->arena, key, NULL))
        domain = fg_domain_registrable(fg_url_hostname(&url));
    *site = (struct site){.id = id,
                          .key = fg_arena_cstr(&crawl->arena, key),
                          .domain = fg_arena_cstr(&crawl->arena, domain),
                          .tags = fg_arena_cstr(&crawl->arena, tags),
                          .state = state,
                          .added = added,
                          .patterns = fg_patterns_new(),
                          .budget = {.allowance = INFINITY, .first = INFINITY},
                          .lists.last_review = added,
                          .counts.last_discovery = FG_NEVER,
                          .host = {.rests_until = FG_NEVER,
                                   .state = {.memory = {.last_request = FG_NEVER,
                                                        .backoff_until = FG_NEVER},
                                             .robots_fetched = FG_NEVER,
                                             .robots_expires = FG_NEVER}}};
    *fg_map_put(&crawl->sites.by_id, id) = crawl->sites.all.len;
    fg_vec_push(&crawl->sites.all, site);
    *fg_names_put(&crawl->sites.by_key, key) = id;
    return site;
}

struct site *crawl_new_site(struct fg_crawl *crawl, struct fg_str key, struct fg_str tags,
                            enum site_state state, fg_time now)
{
    return crawl_add_site(crawl, fg_store_new_site(crawl->store), key, tags, state, now);
}

static bool is_likely_hub(struct fg_str url)
{
    struct fg_str site = fg_canonical_site(url), path = fg_str_skip(url, site.len);
    unsigned slashes = 0, digits = 0;
    for (size_t i = 0; i < path.len; i++) {
        slashes += path.at[i] == '/';
        digits += fg_is_digit(path.at[i]);
    }
    return slashes <= 2 && digits <= 2 && path.len <= 40;
}

void crawl_enqueue(struct fg_crawl *crawl, struct site *site, uint32_t row)
{
    uint32_t flags = crawl->known.at[row].flags;
    bool is_asked_for = flags & (FG_PAGE_SEED | FG_PAGE_FEED | FG_PAGE_SITEMAP);
    if (!is_asked_for && !is_likely_hub(fg_known_url(&crawl->known, row)) &&
        relevance_is_ruled_out(crawl, site, row))
        return;
    /* What announces new pages does not wait behind a thousand documents. */
    if (is_asked_for && !(flags & (FG_PAGE_DOCUMENT | FG_PAGE_AWAITED))) {
        queue_push_front(&site->stock.eager, row);
        crawl_stir(crawl, site);
        return;
    }
    bool is_eager = is_asked_for || relevance_is_likely(crawl, site, row);
    queue_push(flags & FG_PAGE_AWAITED ? &site->stock.awaited
               : is_eager              ? &site->stock.eager
                                       : &site->stock.patient,
               row);
    crawl_stir(crawl, site);
}

uint32_t crawl_add_page(struct fg_crawl *crawl, struct fg_batch *batch,
                        const struct new_page *page, fg_time now)
{
    enum { MOST_LATELY = 20000 };
    uint32_t row =
        fg_known_add(&crawl->known, page->site->id, 0, page->fingerprint, page->url, now);
    struct fg_known_page *added = &crawl->known.at[row];
    uint32_t waits = FG_PAGE_AWAITED | FG_PAGE_UNPROVEN;
    added->flags =
        page->is_reported ? (page->flags & ~waits) | FG_PAGE_REPORTED : page->flags;
    added->depth = page->depth < UINT8_MAX ? (uint8_t)page->depth : UINT8_MAX;
    page->site->counts.known++;
    crawl->counts.known++;
    if (fg_map_len(&crawl->sources.found_lately) >= MOST_LATELY)
        fg_map_clear(
            &crawl->sources.found_lately); /* the store has had them long since */
    if (page->found_on != FG_UNKNOWN)
        *fg_map_put(&crawl->sources.found_lately, row) = page->found_on + (uint64_t)1;
    bool same_site = page->found_on != FG_UNKNOWN &&
                     crawl->known.at[page->found_on].site == page->site->id;
    fg_batch_page(batch,
                  &(struct fg_page_row){
                      .site = page->site->id,
                      .page = added->page,
                      .fingerprint = page->fingerprint,
                      .url = page->url,
                      .flags = added->flags,
                      .found_on = same_site ? crawl->known.at[page->found_on].page : 0,
                      .first_seen = now,
                      .last_visit = FG_NEVER,
                      .last_change = FG_NEVER,
                      .next_visit = FG_NEVER,
                      .published = page->dated,
                      .weight = page->weight > 0 ? page->weight : 1,
                      .depth = added->depth});
    if (page->is_reported)
        crawl_report(crawl, batch, row, page, now);
    else if (added->flags & FG_PAGE_AWAITED)
        judging_await(crawl, row, page);
    if (page->is_eager) {
        queue_push(&page->site->stock.eager, row);
        crawl_stir(crawl, page->site);
    } else if (page->site->state != SITE_HOST_ONLY) {
        crawl_enqueue(crawl, page->site, row);
    }
    return row;
}
