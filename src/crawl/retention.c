/* Retention: once a day what has ended long ago goes from the store, and sites go that
 * the user wants forgotten.
 *
 * The writer thread does the work, a slice at a time; the loop only submits the next
 * slice when the one before is durable. What was pruned when, and by which spans, is a
 * state in the store: a start prunes if that is a day ago or the spans have changed. A
 * walk that a stop cuts short begins again at the next start, and finds less to do.
 *
 * A site that is to be forgotten is removed first, with a mark in its settings. Its rows
 * go when the last answer of it is in, lest that bring some back. The row of the site
 * goes last, and stays as long as some output has not had all of its events: until then
 * it tells others that these are of a site that is removed. After a crash the mark is
 * still there, and so is the work.
 *
 * Hosts that nobody named but redirects led to go in the same way, when the last request
 * to them is no longer kept. */
#include "crawl/keeping.h"
#include "crawl/output/output.h"
#include "crawl/sites/site.h"
#include "crawl/state.h"

#include "base/log.h"
#include "base/memory.h"

#include <stdlib.h>

/* As the store keeps it. */
struct pruned {
    fg_time time;
    struct fg_retention spans;
    fg_time requests;
};
static const char pruned_state[] = "store:pruned";

struct forgetting {
    fg_site_id site;
    fg_time next;     /* not before then */
    bool is_stranger; /* a host that redirects led to: once it is gone all is done */
};

struct retention {
    uint64_t number;     /* of the slice under way; 0: none is */
    fg_site_id site;     /* that it is of; 0: it prunes */
    struct pruned under; /* what the walk under way will have done; FG_NEVER: none is */
    struct pruned last;
    FG_VEC(struct forgetting) sites;
};

/* --- what the store remembers --- */

static bool read_state(void *to, size_t size, struct fg_store *store, const char *name)
{
    struct fg_arena arena = {0};
    struct fg_str bytes;
    bool is_there =
        !fg_store_state(store, &bytes, &arena, 0, name, NULL) && bytes.len == size;
    if (is_there)
        memcpy(to, bytes.at, size);
    fg_arena_clear(&arena);
    return is_there;
}

/* --- hosts that redirects led to --- */

/* It is kept as long as requests to it are, and while it wants to be left alone. */
static bool is_left_behind(const struct fg_crawl *crawl, const struct site *site,
                           fg_time now)
{
    const struct fg_pace_memory *memory = &site->host.state.memory;
    fg_time span = crawl->options.keeping.requests;
    span = span > FG_DAY ? span : FG_DAY;
    return site->state == SITE_HOST_ONLY && *site->key && !site->stock.open_asks &&
           memory->last_request != FG_NEVER && now - memory->last_request > span &&
           (memory->backoff_until == FG_NEVER || memory->backoff_until < now);
}

/* Anybody can make us ask a host that nobody has named before: they must not add up. */
static void find_strangers(struct fg_crawl *crawl)
{
    fg_time now = fg_clock_now(crawl->clock);
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        const struct site *site = crawl->sites.all.at[i];
        if (is_left_behind(crawl, site, now))
            fg_vec_push(&crawl->keeping.retention->sites,
                        (struct forgetting){site->id, FG_NEVER, true});
    }
}

void retention_begin(struct fg_crawl *crawl)
{
    crawl->keeping.retention = fg_zeroed(1, sizeof *crawl->keeping.retention);
    crawl->keeping.retention->under.time = FG_NEVER;
    if (!read_state(&crawl->keeping.retention->last,
                    sizeof crawl->keeping.retention->last, crawl->store, pruned_state))
        crawl->keeping.retention->last.time = FG_NEVER;
    for (size_t i = 0; i < crawl->sites.all.len; i++)
        if (crawl->sites.all.at[i]->rules && crawl->sites.all.at[i]->rules->is_forgotten)
            retention_forget(crawl, crawl->sites.all.at[i]);
}

void retention_end(struct fg_crawl *crawl)
{
    if (crawl->keeping.retention)
        fg_vec_clear(&crawl->keeping.retention->sites);
    free(crawl->keeping.retention);
}

/* --- slices --- */

static fg_time before(fg_time now, fg_time span)
{
    return span ? now - span : FG_NEVER;
}

static void put_prune(struct fg_crawl *crawl, struct fg_batch *batch)
{
    const struct pruned *under = &crawl->keeping.retention->under;
    const struct fg_retention *spans = &under->spans;
    fg_time now = under->time;
    fg_batch_prune(batch, &(struct fg_prune){
                              .visits = before(now, spans->visits),
                              .links = before(now, spans->gone_links),
                              .bodies = before(now, spans->bodies),
                              .values = before(now, spans->values),
                              .events = before(now, spans->events),
                              .requests = now - under->requests,
                              .delivered = fg_outputs_delivered(crawl->keeping.outputs)});
}

static void submit_slice(struct fg_crawl *crawl)
{
    struct retention *retention = crawl->keeping.retention;
    struct fg_batch *batch = fg_batch_new(crawl->store);
    if (retention->site)
        fg_batch_forget_site(batch, retention->site,
                             fg_outputs_delivered(crawl->keeping.outputs));
    else
        put_prune(crawl, batch);
    retention->number = fg_store_submit(crawl->store, batch);
}

static void note_pruned(struct fg_crawl *crawl)
{
    struct retention *retention = crawl->keeping.retention;
    retention->last = retention->under;
    retention->under.time = FG_NEVER;
    struct fg_batch *batch = fg_batch_new(crawl->store);
    fg_batch_state(
        batch, 0, pruned_state,
        (struct fg_str){(const char *)&retention->last, sizeof retention->last});
    fg_store_submit(crawl->store, batch);
    fg_log_info("store", "pruned");
}

static void note_forgotten(struct fg_crawl *crawl)
{
    struct retention *retention = crawl->keeping.retention;
    for (size_t i = 0; i < retention->sites.len; i++) {
        struct forgetting *one = &retention->sites.at[i];
        if (one->site != retention->site)
            continue;
        one->next = fg_clock_now(crawl->clock) + FG_DAY;
        if (one->is_stranger)
            *one = retention->sites.at[--retention->sites.len];
        break;
    }
    retention->site = 0;
}

/* --- what is due --- */

static bool is_quiet(const struct fg_crawl *crawl, const struct site *site)
{
    struct fg_host_view host;
    return !site->stock.open_asks &&
           !(fg_polite_view(crawl->polite, fg_str_from(site->key), &host) &&
             (host.in_flight || host.waiting));
}

static fg_site_id site_to_forget(const struct fg_crawl *crawl, fg_time now)
{
    for (size_t i = 0; i < crawl->keeping.retention->sites.len; i++) {
        struct forgetting *one = &crawl->keeping.retention->sites.at[i];
        const struct site *site = crawl_site_with(crawl, one->site);
        if (site && one->next <= now && is_quiet(crawl, site))
            return one->site;
    }
    return 0;
}

/* Before its rows go: nothing of it is written any more. */
static void let_go(struct fg_crawl *crawl, struct site *site)
{
    if (!*site->key)
        return; /* once before: events of it were left */
    fg_log_info("crawl", "forgotten", FG_F("site", site->key));
    fg_polite_unsave(crawl->polite, fg_str_from(site->key));
    crawl_drop_key(crawl, site);
}

static bool is_prune_due(const struct fg_crawl *crawl, fg_time now)
{
    const struct pruned *last = &crawl->keeping.retention->last;
    return last->time == FG_NEVER || last->time > now || now - last->time >= FG_DAY ||
           memcmp(&last->spans, &crawl->options.retention, sizeof last->spans) != 0 ||
           last->requests != crawl->options.keeping.requests;
}

static void begin_walk(struct fg_crawl *crawl, fg_time now)
{
    crawl->keeping.retention->under =
        (struct pruned){now, crawl->options.retention, crawl->options.keeping.requests};
    find_strangers(crawl);
}

void retention_review(struct fg_crawl *crawl)
{
    struct retention *retention = crawl->keeping.retention;
    fg_time now = fg_clock_now(crawl->clock);
    if (retention->number || crawl->run.is_stopping)
        return;
    retention->site = site_to_forget(crawl, now);
    if (!retention->site && retention->under.time == FG_NEVER && is_prune_due(crawl, now))
        begin_walk(crawl, now);
    if (retention->site)
        let_go(crawl, crawl_site_with(crawl, retention->site));
    if (retention->site || retention->under.time != FG_NEVER)
        submit_slice(crawl);
}

void retention_go_on(struct fg_crawl *crawl, uint64_t durable)
{
    struct retention *retention = crawl->keeping.retention;
    if (!retention->number || retention->number > durable)
        return;
    retention->number = 0;
    bool has_more = fg_store_has_more(crawl->store);
    if (has_more && retention->site && !crawl->run.is_stopping) {
        submit_slice(crawl);
        return;
    }
    if (!has_more && retention->site)
        note_forgotten(crawl);
    else if (!has_more)
        note_pruned(crawl);
    retention_review(crawl);
}

void retention_forget(struct fg_crawl *crawl, const struct site *site)
{
    struct retention *retention = crawl->keeping.retention;
    for (size_t i = 0; i < retention->sites.len; i++)
        if (retention->sites.at[i].site == site->id)
            return;
    fg_vec_push(&retention->sites, (struct forgetting){site->id, FG_NEVER, false});
}
