/* The health of a site in memory, and as JSON in the store: what was seen, what was told
 * and when. A state that makes no sense is as good as none. */
#include "crawl/budget.h"
#include "crawl/people.h"
#include "crawl/sites/health.h"
#include "crawl/sites/health_parts.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"

#include "base/json.h"
#include "base/memory.h"

#include <jansson.h>

/* --- in memory --- */

struct health *health_of(struct site *site)
{
    if (site->health)
        return site->health;
    struct health *h = fg_zeroed(1, sizeof *h);
    h->down_since = h->held_since = h->sources_bad = h->alarm.since = h->alarm.logged =
        FG_NEVER;
    h->watching = h->reviewed = h->rhythm_saved = FG_NEVER;
    h->nofollow_hub = FG_UNKNOWN;
    h->seeds_known = UINT32_MAX;
    for (size_t i = 0; i < FG_ALARMS; i++)
        h->told[i] = FG_NEVER;
    site->health = h;
    return h;
}

void health_free(struct site *site)
{
    struct health *h = site->health;
    if (!h)
        return;
    fg_vec_clear(&h->troubles);
    fg_vec_clear(&h->moved);
    free(h);
    site->health = NULL;
}

fg_time health_watching(const struct site *site)
{
    return site->health ? site->health->watching : FG_NEVER;
}

const char *health_alarm(const struct site *site, fg_time *since)
{
    const struct health *h = site->health;
    if (!h || !h->alarm.which)
        return NULL;
    *since = h->alarm.since;
    return h->alarm.text.at;
}

void health_set_trouble(struct health *h, const char *why)
{
    snprintf(h->trouble, sizeof h->trouble, "%s", why ? why : "");
}

struct seed_trouble *health_trouble_of(struct health *h, uint32_t row)
{
    for (size_t i = 0; i < h->troubles.len; i++)
        if (h->troubles.at[i].row == row)
            return &h->troubles.at[i];
    return NULL;
}

/* --- to the store and back --- */

static void put_number(struct fg_json *json, const char *key, int64_t number)
{
    fg_json_key(json, key);
    if (number == FG_NEVER)
        fg_json_null(json);
    else
        fg_json_int(json, number);
}

static void put_troubles(struct fg_json *json, const struct fg_crawl *crawl,
                         const struct health *h)
{
    fg_json_key(json, "troubles");
    fg_json_array(json);
    for (size_t i = 0; i < h->troubles.len; i++) {
        const struct seed_trouble *seed = &h->troubles.at[i];
        fg_json_object(json);
        put_number(json, "page", (int64_t)crawl->known.at[seed->row].fingerprint);
        fg_json_pair(json, "why", fg_str_from(fg_alarm_name(seed->trouble.why)));
        put_number(json, "status", seed->status);
        put_number(json, "times", seed->trouble.times);
        put_number(json, "since", seed->trouble.since);
        put_number(json, "last", seed->trouble.last);
        put_number(json, "retry", seed->retry);
        fg_json_pair(json, "detail", seed->detail);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void put_alarm(struct fg_json *json, const struct health *h)
{
    if (h->alarm.which) {
        fg_json_pair(json, "alarm", fg_str_from(fg_alarm_name(h->alarm.which)));
        fg_json_pair(json, "text", h->alarm.text);
        fg_json_pair(json, "url", h->alarm.url);
        put_number(json, "since", h->alarm.since);
        put_number(json, "logged", h->alarm.logged);
        fg_json_pair_bool(json, "is_told", h->alarm.is_told);
    }
    fg_json_key(json, "told");
    fg_json_object(json);
    for (size_t i = 1; i < FG_ALARMS; i++)
        if (h->told[i] != FG_NEVER)
            put_number(json, fg_alarm_name((enum fg_alarm)i), h->told[i]);
    fg_json_end(json);
}

void health_put(struct fg_batch *batch, const struct fg_crawl *crawl,
                const struct site *site)
{
    const struct health *h = site->health;
    struct fg_buf text;
    fg_buf_init(&text, MOST_STATE);
    struct fg_json json = fg_json_to(&text);
    fg_json_object(&json);
    put_number(&json, "watching", h->watching);
    put_alarm(&json, h);
    put_number(&json, "down_since", h->down_since);
    put_number(&json, "down_by", h->down_by);
    put_number(&json, "down_times", h->down_times);
    put_number(&json, "held_since", h->held_since);
    put_number(&json, "sources_bad", h->sources_bad);
    fg_json_pair(&json, "trouble", fg_str_from(h->trouble));
    fg_json_pair_bool(&json, "had_sources", h->had_sources);
    put_number(&json, "nofollow_hub",
               h->nofollow_hub == FG_UNKNOWN
                   ? FG_NEVER
                   : (int64_t)crawl->known.at[h->nofollow_hub].fingerprint);
    put_number(&json, "occasions", h->rhythm.occasions);
    put_number(&json, "watched", h->rhythm.watched);
    put_number(&json, "quiet", h->rhythm.quiet);
    put_troubles(&json, crawl, h);
    fg_json_end(&json);
    fg_batch_state(batch, site->id, FG_HEALTH_STATE, fg_buf_str(&text));
    fg_buf_clear(&text);
}

static int64_t number_in(const json_t *json, const char *key)
{
    const json_t *value = json_object_get(json, key);
    return json_is_integer(value) ? json_integer_value(value) : FG_NEVER;
}

static unsigned count_in(const json_t *json, const char *key)
{
    int64_t number = number_in(json, key);
    return number > 0 && number < UINT32_MAX ? (unsigned)number : 0;
}

static struct fg_str text_in(const json_t *json, const char *key)
{
    return fg_str_from(json_string_value(json_object_get(json, key)));
}

static json_t *load(struct fg_store *store, struct fg_arena *arena, fg_site_id site)
{
    struct fg_str bytes;
    return fg_store_state(store, &bytes, arena, site, FG_HEALTH_STATE, NULL)
               ? NULL
               : json_loadb(bytes.at, bytes.len, 0, NULL);
}

void fg_site_health_read(struct fg_site_health *health, struct fg_arena *arena,
                         struct fg_store *store, fg_site_id site)
{
    json_t *json = load(store, arena, site);
    *health = (struct fg_site_health){
        .watching = number_in(json, "watching"),
        .alarm = fg_alarm_named(text_in(json, "alarm")),
        .since = number_in(json, "since"),
        .text = fg_arena_dup(arena, text_in(json, "text")),
        .url = fg_arena_dup(arena, text_in(json, "url")),
    };
    json_decref(json);
}

/* No time that is read lies in the future when it is used: see recall.c. Before 1970
 * there was none. */
static fg_time past(const json_t *json, const char *key, fg_time now)
{
    fg_time time = number_in(json, key);
    return time > now ? now : time < 0 ? FG_NEVER : time;
}

/* Of what has happened, though it may not be said when. */
static fg_time past_or_now(const json_t *json, const char *key, fg_time now)
{
    fg_time time = past(json, key, now);
    return time == FG_NEVER ? now : time;
}

/* Not longer than since 1970. */
static fg_time span_in(const json_t *json, const char *key, fg_time now)
{
    fg_time span = past(json, key, now);
    return span == FG_NEVER ? 0 : span;
}

static void take_troubles(struct fg_crawl *crawl, struct site *site, const json_t *json,
                          fg_time now)
{
    const json_t *all = json_object_get(json, "troubles"), *one;
    size_t i;
    json_array_foreach(all, i, one)
    {
        uint32_t row =
            fg_known_find(&crawl->known, site->id, (uint64_t)number_in(one, "page"));
        struct seed_trouble seed = {
            .row = row,
            .status = count_in(one, "status"),
            .trouble = {.why = fg_alarm_named(text_in(one, "why")),
                        .times = count_in(one, "times"),
                        .since = past_or_now(one, "since", now),
                        .last = past_or_now(one, "last", now)},
            .detail = fg_arena_dup(&crawl->arena, text_in(one, "detail")),
        };
        fg_time retry = number_in(one, "retry"), pause = fg_trouble_pause(&seed.trouble);
        seed.retry = retry > now + pause ? now + pause : retry;
        if (row != FG_UNKNOWN && seed.trouble.why)
            fg_vec_push(&site->health->troubles, seed);
    }
}

static void take_alarm(struct fg_crawl *crawl, struct health *h, const json_t *json,
                       fg_time now)
{
    const json_t *told = json_object_get(json, "told");
    h->alarm.which = fg_alarm_named(text_in(json, "alarm"));
    if (h->alarm.which) {
        h->alarm.since = past_or_now(json, "since", now);
        h->alarm.logged = past_or_now(json, "logged", now);
    }
    h->alarm.is_told = json_is_true(json_object_get(json, "is_told"));
    h->alarm.text = fg_arena_dup(&crawl->arena, text_in(json, "text"));
    h->alarm.url = fg_arena_dup(&crawl->arena, text_in(json, "url"));
    for (size_t i = 1; i < FG_ALARMS; i++)
        h->told[i] = past(told, fg_alarm_name((enum fg_alarm)i), now);
}

static void recall(struct fg_crawl *crawl, struct site *site, const json_t *json,
                   fg_time now)
{
    struct health *h = health_of(site);
    h->watching = past(json, "watching", now);
    h->down_since = past(json, "down_since", now);
    h->down_by = (enum fg_outcome)count_in(json, "down_by");
    h->down_times = count_in(json, "down_times");
    h->held_since = past(json, "held_since", now);
    h->sources_bad = past(json, "sources_bad", now);
    h->had_sources = json_is_true(json_object_get(json, "had_sources"));
    health_set_trouble(h, json_string_value(json_object_get(json, "trouble")));
    h->nofollow_hub =
        fg_known_find(&crawl->known, site->id, (uint64_t)number_in(json, "nofollow_hub"));
    h->rhythm.occasions = count_in(json, "occasions");
    h->rhythm.watched = span_in(json, "watched", now);
    h->rhythm.quiet = span_in(json, "quiet", now);
    h->is_undecided = true;
    take_alarm(crawl, h, json, now);
    take_troubles(crawl, site, json, now);
}

/* It was read, and nothing came of it: a page without links, to a forage that knew no
 * alarm for that. */
static bool is_barren(const struct site *site, const struct fg_known_page *page)
{
    return page->last_visit_s && !page->failures && site->state == SITE_WATCHED &&
           !(page->flags & (FG_PAGE_SOURCE | FG_PAGE_CANDIDATE | FG_PAGE_DOCUMENT));
}

static enum fg_alarm why_lost(const struct site *site, const struct fg_known_page *page)
{
    return page->flags & FG_PAGE_EXCLUDED    ? FG_ALARM_ROBOTS_SEED
           : page->flags & FG_PAGE_GONE      ? FG_ALARM_NOT_FOUND
           : page->failures >= MOST_FAILURES ? FG_ALARM_REFUSED
           : is_barren(site, page)           ? FG_ALARM_NO_LINKS
                                             : FG_ALARM_NONE;
}

/* Seeds that were given up, by a forage that knew no alarms or before a crash: asked
 * again soon. */
static void take_lost_seeds(struct fg_crawl *crawl, fg_time now)
{
    for (uint32_t row = 0; row < crawl->known.len; row++) {
        const struct fg_known_page *page = &crawl->known.at[row];
        struct site *site = crawl_site_of(crawl, row);
        if (page->flags & FG_PAGE_SEED && page->flags & FG_PAGE_ALIAS)
            fg_vec_push(
                &health_of(site)->moved,
                (struct moved_seed){.row = row, .times = 1, .next = now + FG_HOUR});
        if (!(page->flags & FG_PAGE_SEED) || page->flags & FG_PAGE_ALIAS ||
            health_of(site)->troubles.len >= MOST_TROUBLES ||
            health_trouble_of(site->health, row))
            continue;
        enum fg_alarm why = why_lost(site, page);
        if (!why)
            continue;
        fg_vec_push(&site->health->troubles,
                    (struct seed_trouble){
                        .row = row,
                        .retry = now,
                        .trouble = {.why = why, .times = 1, .since = now, .last = now}});
    }
}

void health_recall(struct fg_crawl *crawl)
{
    fg_time now = fg_clock_now(crawl->clock);
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        struct fg_arena arena = {0};
        struct site *site = crawl->sites.all.at[i];
        json_t *json = load(crawl->store, &arena, site->id);
        if (json)
            recall(crawl, site, json, now);
        json_decref(json);
        fg_arena_clear(&arena);
    }
    take_lost_seeds(crawl, now);
}
