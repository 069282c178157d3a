#include "crawl/signals/push_state.h"

#include "base/json.h"
#include "net/url/canonical.h"
#include "net/url/url.h"

#include <jansson.h>

#define STATE             "push"
#define ROW(type, member) type(struct fg_push_options, member)

static const char *refuse_url(struct fg_str text)
{
    struct fg_arena arena = {0};
    struct fg_url url;
    bool is_good = fg_url_parse(&url, &arena, text, NULL) && fg_url_is_http(&url) &&
                   fg_str_chr(text, '?') == FG_NOT_FOUND &&
                   fg_str_chr(text, '#') == FG_NOT_FOUND;
    fg_arena_clear(&arena);
    return is_good ? NULL : "is not an address such as https://forage.example";
}

const struct fg_opt fg_push_opts[] = {
    {"push.public-url", ROW(FG_STRING, public_url), .arg = "URL", .refuse = refuse_url,
     .help = "address at which sites reach this crawl's server; needed for push"},
    {"push.websub", ROW(FG_BOOL, websub), "yes",
     .help = "subscribe to the hubs that feeds and pages name (WebSub)"},
    {"push.indexnow", ROW(FG_BOOL, indexnow), "yes",
     .help = "take addresses from owners of watched sites (IndexNow)"},
    {"push.lease", ROW(FG_SPAN, lease), "1d", .min = (double)FG_SECOND,
     .max = 90 * (double)FG_DAY, .is_live = true,
     .help = "how long a subscription is asked for; it is renewed before it ends"},
    {"push.rest", ROW(FG_SPAN, rest), "1h", .min = 0, .max = (double)FG_DAY,
     .is_live = true,
     .help = "longest time between two looks at what pushes reliably; 0: polled as ever"},
    {0},
};

static const char *const names[FG_SUB_STATES] = {
    [FG_SUB_WANTED] = "wanted", [FG_SUB_ASKED] = "asked",     [FG_SUB_ACTIVE] = "active",
    [FG_SUB_FAILED] = "failed", [FG_SUB_LEAVING] = "leaving",
};

const char *fg_subscription_name(enum fg_subscription_state state)
{
    return names[state];
}

/* --- as JSON --- */

static void put_time(struct fg_json *json, const char *key, fg_time time)
{
    if (time != FG_NEVER)
        fg_json_pair_int(json, key, time);
}

static void put_honesty(struct fg_json *json, const struct fg_honesty *h)
{
    fg_json_pair_double(json, "told", h->told);
    fg_json_pair_double(json, "proved", h->proved);
    fg_json_pair_double(json, "missed", h->missed);
    fg_json_pair_uint(json, "streak", h->streak);
    fg_json_pair_int(json, "tried", h->tried);
}

static void put_subscription(struct fg_json *json, const struct fg_subscription *sub)
{
    fg_json_object(json);
    fg_json_pair_uint(json, "page", sub->page);
    fg_json_pair_cstr(json, "state", names[sub->state]);
    fg_json_pair(json, "topic", sub->topic);
    fg_json_pair(json, "hub", sub->hub);
    fg_json_pair(json, "token", sub->token);
    fg_json_pair(json, "secret", sub->secret);
    put_time(json, "asked", sub->asked);
    put_time(json, "next", sub->next);
    put_time(json, "since", sub->since);
    put_time(json, "until", sub->until);
    put_time(json, "renew", sub->renew);
    fg_json_pair_uint(json, "failures", sub->failures);
    fg_json_pair_uint(json, "pushes", sub->pushes);
    put_time(json, "unconfirmed", sub->unconfirmed);
    put_honesty(json, &sub->honesty);
    fg_json_end(json);
}

void fg_push_put(struct fg_batch *batch, fg_site_id site, const struct fg_push *push)
{
    enum { MOST = 1 << 20 };
    const struct fg_indexnow *now = &push->indexnow;
    struct fg_buf text;
    fg_buf_init(&text, MOST);
    struct fg_json json = fg_json_to(&text);
    fg_json_object(&json);
    fg_json_pair(&json, "public_url", push->public_url);
    fg_json_key(&json, "websub");
    fg_json_array(&json);
    for (size_t i = 0; i < push->n_subs; i++)
        put_subscription(&json, &push->subs[i]);
    fg_json_end(&json);
    fg_json_key(&json, "indexnow");
    fg_json_object(&json);
    fg_json_pair(&json, "key", now->key);
    fg_json_pair(&json, "location", now->location);
    fg_json_pair(&json, "refused", now->refused);
    put_time(&json, "checked", now->checked);
    put_time(&json, "refused_at", now->refused_at);
    put_time(&json, "next_check", now->next_check);
    fg_json_pair_uint(&json, "failures", now->failures);
    fg_json_pair_uint(&json, "urls", now->urls);
    put_time(&json, "unconfirmed", now->unconfirmed);
    put_honesty(&json, &now->honesty);
    fg_json_end(&json);
    fg_json_key(&json, "dates");
    fg_json_object(&json);
    put_honesty(&json, &push->dates);
    fg_json_end(&json);
    fg_json_end(&json);
    fg_batch_state(batch, site, STATE, fg_buf_str(&text));
    fg_buf_clear(&text);
}

/* --- and back --- */

static fg_time time_in(const json_t *json, const char *key)
{
    const json_t *value = json_object_get(json, key);
    return json_is_integer(value) ? json_integer_value(value) : FG_NEVER;
}

static uint64_t count_in(const json_t *json, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(json, key));
    return value > 0 ? (uint64_t)value : 0;
}

static struct fg_str text_in(struct fg_arena *arena, const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));
    return fg_arena_dup(arena, fg_str_from(text ? text : ""));
}

static struct fg_honesty honesty_in(const json_t *json)
{
    struct fg_honesty honesty = {
        .told = json_number_value(json_object_get(json, "told")),
        .proved = json_number_value(json_object_get(json, "proved")),
        .missed = json_number_value(json_object_get(json, "missed")),
        .streak = (uint32_t)count_in(json, "streak"),
        .tried = json_integer_value(json_object_get(json, "tried")),
    };
    fg_honesty_put_right(&honesty);
    return honesty;
}

static enum fg_subscription_state state_in(struct fg_arena *arena, const json_t *json)
{
    struct fg_str name = text_in(arena, json, "state");
    for (unsigned i = 0; i < FG_SUB_STATES; i++)
        if (fg_str_eq(name, fg_str_from(names[i])))
            return (enum fg_subscription_state)i;
    return FG_SUB_WANTED;
}

static struct fg_subscription subscription_in(struct fg_arena *arena, const json_t *json)
{
    return (struct fg_subscription){
        .page = (fg_page_id)count_in(json, "page"),
        .state = state_in(arena, json),
        .topic = text_in(arena, json, "topic"),
        .hub = text_in(arena, json, "hub"),
        .token = text_in(arena, json, "token"),
        .secret = text_in(arena, json, "secret"),
        .asked = time_in(json, "asked"),
        .next = time_in(json, "next"),
        .since = time_in(json, "since"),
        .until = time_in(json, "until"),
        .renew = time_in(json, "renew"),
        .failures = (uint32_t)count_in(json, "failures"),
        .pushes = count_in(json, "pushes"),
        .unconfirmed = time_in(json, "unconfirmed"),
        .honesty = honesty_in(json),
    };
}

enum fg_status fg_push_load(struct fg_push *push, struct fg_arena *arena,
                            struct fg_store *store, fg_site_id site, struct fg_err *err)
{
    struct fg_str bytes = {0};
    size_t i;
    const json_t *one;
    enum fg_status st = fg_store_state(store, &bytes, arena, site, STATE, err);
    json_t *root = bytes.len ? json_loadb(bytes.at, bytes.len, 0, NULL) : NULL;
    *push = (struct fg_push){.public_url = text_in(arena, root, "public_url"),
                             .dates = honesty_in(json_object_get(root, "dates"))};
    if (json_array_size(json_object_get(root, "websub")))
        push->subs = FG_NEW(arena, struct fg_subscription, FG_SUBSCRIPTIONS_MOST);
    json_array_foreach(json_object_get(root, "websub"), i, one)
    {
        if (push->n_subs < FG_SUBSCRIPTIONS_MOST)
            push->subs[push->n_subs++] = subscription_in(arena, one);
    }
    one = json_object_get(root, "indexnow");
    push->indexnow = (struct fg_indexnow){
        .key = text_in(arena, one, "key"),
        .location = text_in(arena, one, "location"),
        .refused = text_in(arena, one, "refused"),
        .checked = time_in(one, "checked"),
        .refused_at = time_in(one, "refused_at"),
        .next_check = time_in(one, "next_check"),
        .failures = (uint32_t)count_in(one, "failures"),
        .urls = count_in(one, "urls"),
        .unconfirmed = time_in(one, "unconfirmed"),
        .honesty = honesty_in(one),
    };
    json_decref(root);
    return st == FG_ENOTFOUND ? FG_OK : st;
}

/* --- keys --- */

bool fg_indexnow_is_key(struct fg_str key)
{
    for (size_t i = 0; i < key.len; i++)
        if (!fg_is_alnum(key.at[i]) && key.at[i] != '-')
            return false;
    return key.len >= 8 && key.len <= 128;
}

bool fg_indexnow_covers(struct fg_str location, struct fg_str url)
{
    struct fg_str site = fg_canonical_site(location);
    if (!fg_str_eq(site, fg_canonical_site(url)))
        return false;
    size_t end = location.len;
    while (end > site.len + 1 && location.at[end - 1] != '/')
        end--;
    return fg_str_starts(url, fg_str_sub(location, 0, end));
}
