/* How a site stands, as the store keeps it and after somebody wrote into it: what is
 * pushed of it, its tdmrep.json, its health. The first byte says which. It is taken up,
 * a crawl goes on with it, and what it saves then is read the same. */
#include "crawl/host/conduct.h"
#include "crawl/people.h"
#include "crawl/signals/push_state.h"
#include "crawl/sites/health_parts.h"
#include "crawl/sites/pages.h"
#include "crawl/state.h"
#include "support/memory_store.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SITE = 1 };

/* Long ago, so that none of it is yet to come. */
static const fg_time now = 20000 * FG_DAY;
static struct fg_store *store;

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void flush(struct fg_batch *batch)
{
    require(!fg_store_flush(store, fg_store_submit(store, batch), NULL));
}

static void keep(const char *name, struct fg_str bytes)
{
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_state(batch, SITE, name, bytes);
    flush(batch);
}

/* --- pushes --- */

static void use_honesty(struct fg_honesty h)
{
    fg_time rest = fg_honesty_rest(&h, FG_HOUR);
    require(rest >= 0 && rest <= FG_HOUR);
    fg_honesty_heeds(&h, now);
    fg_honesty_check(&h, true);
    fg_honesty_check(&h, false);
    fg_honesty_miss(&h);
    require(isfinite(h.told) && isfinite(h.proved) && isfinite(h.missed));
}

static void check_push(struct fg_arena *arena, struct fg_str json)
{
    struct fg_push push, again;
    keep("push", json);
    fg_push_load(&push, arena, store, SITE, NULL);
    use_honesty(push.dates);
    use_honesty(push.indexnow.honesty);
    for (size_t i = 0; i < push.n_subs; i++)
        use_honesty(push.subs[i].honesty);
    struct fg_batch *batch = fg_batch_new(store);
    fg_push_put(batch, SITE, &push);
    flush(batch);
    require(!fg_push_load(&again, arena, store, SITE, NULL));
    require(again.n_subs == push.n_subs);
    for (size_t i = 0; i < push.n_subs; i++)
        require(again.subs[i].state == push.subs[i].state &&
                again.subs[i].next == push.subs[i].next &&
                fg_str_eq(again.subs[i].hub, push.subs[i].hub));
}

/* --- conduct --- */

static void check_conduct(struct fg_arena *arena, struct fg_str json)
{
    static const struct fg_conduct_rules rules = {.tdmrep = FG_HEED_OBEY,
                                                  .content_signal = FG_HEED_OBEY};
    struct fg_site_row site = {.site = SITE, .robots = json};
    struct fg_page_row page = {.site = SITE, .url = FG_STR("http://a.example/a/b?c")};
    struct fg_conduct conduct;
    keep("tdmrep", json);
    require(!fg_conduct_recall(&conduct, arena, store, &rules, FG_STR("forage"), &site,
                               &page, NULL));
}

/* --- health --- */

static void review(struct fg_crawl *crawl)
{
    fg_time since;
    health_recall(crawl);
    health_review(crawl);
    health_alarm(crawl->sites.all.at[0], &since);
}

static void check_health(struct fg_arena *arena, struct fg_str json)
{
    struct fg_clock clock = fg_clock_wall();
    struct site site = {.id = SITE, .key = (char *)"http://a.example"};
    struct fg_crawl crawl = {.store = store, .clock = &clock, .run.is_stopping = true};
    struct fg_site_health seen, again;
    site.state = SITE_WATCHED;
    *fg_map_put(&crawl.sites.by_id, SITE) = 0;
    fg_vec_push(&crawl.sites.all, &site);
    fg_known_add(&crawl.known, SITE, 1, 1, FG_STR("http://a.example/"), now);
    fg_known_add(&crawl.known, SITE, 2, 2, FG_STR("http://a.example/b"), now);
    crawl.known.at[0].flags = crawl.known.at[1].flags = FG_PAGE_SEED;
    keep(FG_HEALTH_STATE, json);
    fg_site_health_read(&seen, arena, store, SITE);
    review(&crawl);
    flush(fg_batch_new(store));
    fg_site_health_read(&seen, arena, store, SITE);
    require(!seen.alarm || (seen.since >= 0 && seen.since <= fg_clock_now(&clock)));
    health_free(&site);
    review(&crawl);
    flush(fg_batch_new(store));
    fg_site_health_read(&again, arena, store, SITE);
    require(seen.alarm == again.alarm);
    health_free(&site);
    fg_vec_clear(&crawl.sites.all);
    fg_map_clear(&crawl.sites.by_id);
    fg_known_clear(&crawl.known);
    fg_arena_clear(&crawl.arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    if (!store)
        require(!fg_store_open_on(&store, &memory_store_ops, "standing",
                                  &(struct fg_store_options){.flush_every = 1}, NULL));
    struct fg_str json = {(const char *)data + 1, size - 1};
    struct fg_arena arena = {0};
    switch (data[0] % 3) {
    case 0:
        check_push(&arena, json);
        break;
    case 1:
        check_conduct(&arena, json);
        break;
    default:
        check_health(&arena, json);
    }
    fg_arena_clear(&arena);
    return 0;
}
