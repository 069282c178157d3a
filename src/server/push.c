/* push.c - what strangers may tell us: hubs (WebSub) and owners of sites (IndexNow)
 *
 * These are the only calls that anybody may make, from anywhere. So they change nothing
 * themselves, say nothing of what is watched, and cost little: whoever comes is metered
 * before anything is looked up, and what is left for the crawl goes into its inbox, which
 * takes no more when it is long. A hub knows an address of ours that nobody can guess,
 * and a secret to sign with; who sends addresses shows a key, which the crawl looks for
 * at the site itself. docs/push.md has the whole story. */
#include "base/json.h"
#include "crawl/intake/seeds.h"
#include "crawl/signals/push_state.h"
#include "net/url/canonical.h"
#include "server/inside.h"
#include "server/meter.h"
#include "server/watched.h"

#include <jansson.h>
#include <openssl/crypto.h>
#include <string.h>

enum {
    CLIENT_A_MINUTE = 300, /* of one address, whatever it says */
    ALL_A_MINUTE = 3000,
    TOPIC_A_MINUTE = 12,
    SITE_A_MINUTE = 60,
    MOST_WAITING = 200, /* commands that the crawl has not taken up */
    MOST_URLS = 10000,
    MOST_CHALLENGE = 1024,
};

const struct fg_opt fg_websub_opts[] = {
    {"hub.mode", .type = FG_OPT_STRING, .help = "subscribe, unsubscribe or denied"},
    {"hub.topic", .type = FG_OPT_STRING, .help = "the page, as the hub calls it"},
    {"hub.challenge", .type = FG_OPT_STRING, .help = "what is to be answered"},
    {"hub.lease_seconds", .type = FG_OPT_STRING, .help = "how long it will last"},
    {0},
};
const struct fg_opt fg_indexnow_opts[] = {
    {"url", .type = FG_OPT_STRING, .help = "the page that was added, changed or removed"},
    {"key", .type = FG_OPT_STRING, .help = "8 to 128 letters, digits and dashes"},
    {"keyLocation", .type = FG_OPT_STRING,
     .help = "the file at the site that has the key; else KEY.txt at its root"},
    {0},
};
const struct fg_opt fg_indexnow_list_opts[] = {
    {"host", .type = FG_OPT_STRING, .help = "of all addresses"},
    {"key", .type = FG_OPT_STRING, .help = "8 to 128 letters, digits and dashes"},
    {"keyLocation", .type = FG_OPT_STRING,
     .help = "the file at the site that has the key; else KEY.txt at its root"},
    {"urlList", .type = FG_OPT_LIST, .help = "up to 10,000 pages"},
    {0},
};

/* --- what both need --- */

static bool count_command(void *context, const struct fg_command_row *row)
{
    (void)row;
    return ++*(size_t *)context < MOST_WAITING;
}

static enum fg_status refuse(struct fg_reply *reply, struct fg_http_request *request,
                             unsigned status, const char *why)
{
    request->server->counts.push_refused++;
    if (status == 429)
        reply->retry_after_s = 30;
    fg_reply_problem(reply, status, why);
    return FG_OK;
}

static enum fg_status too_fast(struct fg_reply *reply, struct fg_http_request *request)
{
    return refuse(reply, request, 429, "too many requests; try again later");
}

static bool is_metered_out(struct fg_http_request *request)
{
    struct fg_meter *meter = request->server->meter;
    fg_time now = fg_time_monotonic();
    return !fg_meter_take(meter, request->client, CLIENT_A_MINUTE, now) ||
           !fg_meter_take(meter, 0, ALL_A_MINUTE, now);
}

static enum fg_status hand_over(struct fg_reply *reply, struct fg_http_request *request,
                                struct fg_str text, unsigned status, struct fg_err *err)
{
    struct fg_server *server = request->server;
    size_t waiting = 0;
    enum fg_status st = fg_store_commands(server->store, count_command, &waiting, err);
    if (!st && waiting >= MOST_WAITING)
        return too_fast(reply, request);
    if (!st)
        st = fg_inbox_put(fg_server_store(&server->place), FG_INBOX_PUSH, text, err);
    reply->status = status;
    server->counts.pushed += !st;
    return st;
}

/* --- WebSub --- */

struct callback {
    uint64_t site, page;
    struct fg_push push;
    const struct fg_subscription *sub; /* NULL: there is none of that address */
};

static void find_callback(struct callback *found, struct fg_http_request *request)
{
    struct fg_str rest = fg_str_skip(request->path, strlen("/websub/")), site, page;
    *found = (struct callback){0};
    if (!fg_str_cut(&rest, '.', &site) || !fg_str_cut(&rest, '.', &page) ||
        !fg_str_to_u64(site, &found->site) || !fg_str_to_u64(page, &found->page) ||
        found->site > UINT32_MAX || found->page > UINT32_MAX ||
        fg_push_load(&found->push, request->arena, request->server->store,
                     (fg_site_id)found->site, NULL))
        return;
    for (size_t i = 0; i < found->push.n_subs; i++) {
        const struct fg_subscription *sub = &found->push.subs[i];
        if (sub->page == found->page && sub->token.len && sub->token.len == rest.len &&
            CRYPTO_memcmp(sub->token.at, rest.at, rest.len) == 0)
            found->sub = sub;
    }
}

static bool takes_websub(const struct fg_http_request *request)
{
    const struct fg_push_options *options = &request->server->place.crawl->push;
    return options->public_url.len && options->websub;
}

static struct fg_str command_of(struct fg_arena *arena, const char *word,
                                const struct callback *callback, struct fg_str more)
{
    return fg_arena_printf(arena, "%s\t%llu\t%llu\t%.*s\n", word,
                           (unsigned long long)callback->site,
                           (unsigned long long)callback->page, FG_ARG(more));
}

/* What was not asked for is refused, so that nobody else can subscribe us. */
enum fg_status fg_answer_websub_verify(struct fg_reply *reply,
                                       struct fg_http_request *request,
                                       struct fg_err *err)
{
    static const char *const unknown = "no such subscription was asked for";
    struct callback found;
    struct fg_str mode = fg_request_arg(request, "hub.mode"),
                  challenge = fg_request_arg(request, "hub.challenge"),
                  lease = fg_request_arg(request, "hub.lease_seconds");
    int64_t seconds = 0;
    reply->is_for_one = true;
    if (!takes_websub(request) || request->is_glance)
        return refuse(reply, request, 404, unknown);
    if (is_metered_out(request))
        return too_fast(reply, request);
    find_callback(&found, request);
    const struct fg_subscription *sub = found.sub;
    if (!sub || !fg_str_eq(fg_request_arg(request, "hub.topic"), sub->topic))
        return refuse(reply, request, 404, unknown);
    bool is_leaving = sub->state == FG_SUB_LEAVING;
    if (fg_str_eq(mode, FG_STR("denied")) && !is_leaving)
        return hand_over(reply, request,
                         command_of(request->arena, "denied", &found, FG_STR("")), 200,
                         err);
    bool is_meant = is_leaving ? fg_str_eq(mode, FG_STR("unsubscribe"))
                               : fg_str_eq(mode, FG_STR("subscribe"));
    if (!is_meant || sub->state == FG_SUB_WANTED)
        return refuse(reply, request, 404, unknown);
    if (!challenge.len || challenge.len > MOST_CHALLENGE ||
        (lease.len && !fg_str_to_i64(lease, &seconds)))
        return refuse(reply, request, 400, "hub.challenge or hub.lease_seconds is wrong");
    enum fg_status st = hand_over(
        reply, request,
        command_of(request->arena, is_leaving ? "left" : "verified", &found, lease), 200,
        err);
    if (!st && reply->status == 200)
        fg_buf_add(&reply->body, challenge);
    return st;
}

/* A push that is signed wrongly is answered like any other, as the standard recommends:
 * who guesses does not learn whether he was right. */
enum fg_status fg_answer_websub_push(struct fg_reply *reply,
                                     struct fg_http_request *request, struct fg_err *err)
{
    struct callback found;
    if (!takes_websub(request))
        return refuse(reply, request, 404, "there is nothing of this name");
    if (is_metered_out(request))
        return too_fast(reply, request);
    find_callback(&found, request);
    if (!found.sub || found.sub->state == FG_SUB_LEAVING)
        return refuse(reply, request, 410, "this subscription is over");
    reply->status = 202;
    if (!fg_websub_is_signed(request->signature, found.sub->secret, request->body)) {
        request->server->counts.forged++;
        return FG_OK;
    }
    uint64_t topic = fg_str_hash(found.sub->token);
    if (!fg_meter_take(request->server->meter, topic, TOPIC_A_MINUTE,
                       fg_time_monotonic()))
        return too_fast(reply, request);
    return hand_over(reply, request,
                     command_of(request->arena, "content", &found, FG_STR("")), 202, err);
}

/* --- IndexNow --- */

struct notice {
    struct fg_str host, key, location;
    struct fg_buf urls; /* lines */
    struct fg_str site; /* key of it */
    size_t n;
    unsigned status;
    const char *why; /* NULL: all is well so far */
};

static bool blame(struct notice *notice, unsigned status, const char *why)
{
    notice->status = status;
    notice->why = why;
    return false;
}

static bool address_of(struct fg_str *canonical, struct fg_http_request *request,
                       struct fg_str text)
{
    struct fg_url url;
    if (text.len > FG_PUSH_URL_MOST || !fg_url_parse(&url, request->arena, text, NULL) ||
        !fg_url_is_http(&url))
        return false;
    *canonical = fg_canonical_from(request->arena, &url,
                                   request->server->place.crawl->naming.keep);
    return canonical->len <= FG_PUSH_URL_MOST;
}

/* "https://a.example:8443" is of "a.example:8443". */
static bool is_of_host(struct fg_str site, struct fg_str host)
{
    size_t slashes = fg_str_find(site, FG_STR("://"));
    return slashes != FG_NOT_FOUND &&
           fg_str_eq_nocase(fg_str_skip(site, slashes + 3), host);
}

static bool add_url(struct notice *notice, struct fg_http_request *request,
                    struct fg_str text)
{
    struct fg_str url;
    if (!address_of(&url, request, text))
        return blame(notice, 400, "an address is none of the web");
    struct fg_str site = fg_canonical_site(url);
    if (notice->host.len && !is_of_host(site, notice->host))
        return blame(notice, 422, "an address is of another host");
    if (!notice->site.len) {
        notice->site = site;
        if (!notice->location.len)
            notice->location = fg_arena_printf(request->arena, "%.*s/%.*s.txt",
                                               FG_ARG(site), FG_ARG(notice->key));
        else if (!address_of(&notice->location, request, notice->location))
            return blame(notice, 400, "keyLocation is not an http or https address");
    }
    if (!fg_indexnow_covers(notice->location, url))
        return blame(notice, 422, "an address is none that the key speaks for");
    fg_buf_printf(&notice->urls, "%.*s\n", FG_ARG(url));
    notice->n++;
    return true;
}

/* Which status tells what is not known to a stranger: 202 whether the site is watched and
 * the key is to be checked, or it is not. */
static enum fg_status take_notice(struct fg_reply *reply, struct fg_http_request *request,
                                  const struct notice *notice, struct fg_err *err)
{
    struct fg_push push;
    fg_site_id site;
    fg_time now;
    enum fg_status st = fg_watched_find(&site, &now, request, notice->site, err);
    if (st)
        return st;
    reply->status = 202;
    if (!site)
        return FG_OK;
    st = fg_push_load(&push, request->arena, request->server->store, site, err);
    if (st)
        return st;
    const struct fg_indexnow *kept = &push.indexnow;
    bool is_good =
        fg_str_eq(kept->key, notice->key) && fg_str_eq(kept->location, notice->location);
    if (!is_good && fg_str_eq(kept->refused, notice->key) &&
        kept->refused_at != FG_NEVER && now - kept->refused_at < FG_HOUR)
        return refuse(reply, request, 403, "the key was not found at the site");
    if ((!is_good && kept->next_check != FG_NEVER && now < kept->next_check) ||
        !fg_meter_take(request->server->meter, fg_str_hash(notice->site), SITE_A_MINUTE,
                       fg_time_monotonic()))
        return too_fast(reply, request);
    struct fg_str text = fg_arena_printf(
        request->arena, "urls\t%u\t%.*s\t%.*s\n%.*s", site, FG_ARG(notice->key),
        FG_ARG(notice->location), FG_ARG(fg_buf_str(&notice->urls)));
    return hand_over(reply, request, text, is_good ? 200 : 202, err);
}

static enum fg_status answer_notice(struct fg_reply *reply,
                                    struct fg_http_request *request,
                                    const struct notice *notice, struct fg_err *err)
{
    enum fg_status st = notice->why ? refuse(reply, request, notice->status, notice->why)
                                    : take_notice(reply, request, notice, err);
    if (!st && reply->status < 300) {
        struct fg_json json = fg_json_to(&reply->body);
        fg_json_object(&json);
        fg_json_pair_uint(&json, "addresses", notice->n);
        fg_json_end(&json);
        fg_buf_add_char(&reply->body, '\n');
    }
    return st;
}

static bool takes_indexnow(const struct fg_http_request *request)
{
    const struct fg_push_options *options = &request->server->place.crawl->push;
    return options->public_url.len && options->indexnow && !request->is_glance;
}

static void read_key(struct notice *notice)
{
    if (!notice->key.len)
        blame(notice, 400, "'key' is missing");
    else if (!fg_indexnow_is_key(notice->key))
        blame(notice, 422, "a key is 8 to 128 letters, digits and dashes");
}

enum fg_status fg_answer_indexnow(struct fg_reply *reply, struct fg_http_request *request,
                                  struct fg_err *err)
{
    struct notice notice = {.key = fg_request_arg(request, "key"),
                            .location = fg_request_arg(request, "keyLocation")};
    struct fg_str url = fg_request_arg(request, "url");
    reply->is_for_one = true;
    if (!takes_indexnow(request))
        return refuse(reply, request, 404, "there is nothing of this name");
    if (is_metered_out(request))
        return too_fast(reply, request);
    fg_buf_init(&notice.urls, FG_BODY_MOST);
    read_key(&notice);
    if (!notice.why && !url.len)
        blame(&notice, 400, "'url' is missing");
    if (!notice.why)
        add_url(&notice, request, url);
    enum fg_status st = answer_notice(reply, request, &notice, err);
    fg_buf_clear(&notice.urls);
    return st;
}

static struct fg_str text_in(const json_t *root, const char *key)
{
    const json_t *value = json_object_get(root, key);
    return json_is_string(value)
               ? (struct fg_str){json_string_value(value), json_string_length(value)}
               : (struct fg_str){0};
}

static void read_list(struct notice *notice, struct fg_http_request *request,
                      const json_t *root)
{
    const json_t *list = json_object_get(root, "urlList"), *url;
    size_t i;
    notice->host = text_in(root, "host");
    notice->key = text_in(root, "key");
    notice->location = text_in(root, "keyLocation");
    read_key(notice);
    if (notice->why)
        return;
    if (!notice->host.len || !json_is_array(list) || !json_array_size(list)) {
        blame(notice, 400, "'host' or 'urlList' is missing");
        return;
    }
    if (json_array_size(list) > MOST_URLS) {
        blame(notice, 422, "there are more than 10,000 addresses");
        return;
    }
    json_array_foreach(list, i, url)
    {
        if (!json_is_string(url))
            blame(notice, 400, "'urlList' must be a list of texts");
        if (notice->why ||
            !add_url(notice, request,
                     (struct fg_str){json_string_value(url), json_string_length(url)}))
            return;
    }
}

enum fg_status fg_answer_indexnow_list(struct fg_reply *reply,
                                       struct fg_http_request *request,
                                       struct fg_err *err)
{
    struct notice notice = {0};
    if (!takes_indexnow(request))
        return refuse(reply, request, 404, "there is nothing of this name");
    if (is_metered_out(request))
        return too_fast(reply, request);
    json_t *root = json_loadb(request->body.at, request->body.len, 0, NULL);
    fg_buf_init(&notice.urls, 4 * FG_BODY_MOST);
    if (json_is_object(root))
        read_list(&notice, request, root);
    else
        blame(&notice, 400, "the body must be a JSON object");
    if (!notice.why && notice.urls.full)
        blame(&notice, 422, "these are too many addresses");
    enum fg_status st = answer_notice(reply, request, &notice, err);
    fg_buf_clear(&notice.urls);
    json_decref(root);
    return st;
}
