/* ads.c - advertisements over the server: what there is, what was paid, and clicks
 *
 * The same as `forage ads`. They can be kept in order while they are not shown; a click
 * is taken only where they are. */
#include "view/ads.h"
#include "server/audit.h"
#include "server/inside.h"

#include <string.h>

static const char *place_of(const struct fg_http_request *request)
{
    return fg_server_store(&request->server->place);
}

enum fg_status fg_server_hold_ads(struct fg_ads **ads, struct fg_http_request *request,
                                  struct fg_err *err)
{
    struct fg_server *server = request->server;
    const struct fg_ads_settings *settings = server->place.ads;
    enum fg_status st = FG_OK;
    pthread_mutex_lock(&server->ads_lock);
    if (!server->ads && !settings)
        st = fg_fail(err, FG_ENOTFOUND, "there are no advertisements here");
    else if (!server->ads)
        st = fg_ads_open(&server->ads, place_of(request), settings, err);
    *ads = server->ads;
    return st;
}

void fg_server_let_ads_go(struct fg_http_request *request)
{
    pthread_mutex_unlock(&request->server->ads_lock);
}

static void end(struct fg_json *json, struct fg_reply *reply)
{
    fg_json_end(json);
    fg_buf_add_char(&reply->body, '\n');
}

/* --- clicks --- */

enum fg_status fg_server_take_click(struct fg_ads_taken *taken,
                                    struct fg_http_request *request, struct fg_str token,
                                    struct fg_err *err)
{
    const struct fg_ads_settings *settings = request->server->place.ads;
    struct fg_ads *ads;
    struct fg_str client =
        fg_arena_printf(request->arena, "%llx", (unsigned long long)request->client);
    if (!settings || !settings->enabled)
        return fg_fail(err, FG_ENOTFOUND, "there are no advertisements: see ads.enabled");
    enum fg_status st = fg_server_hold_ads(&ads, request, err);
    if (!st)
        st = fg_ads_click(ads, taken, request->arena, token, client, fg_time_now(), err);
    fg_server_let_ads_go(request);
    return st;
}

struct click_question {
    struct fg_str token;
};
const struct fg_opt fg_click_opts[] = {
    {"token", FG_STRING(struct click_question, token), .arg = "TOKEN", .max = 400,
     .help = "of the advertisement, as the search gave it"},
    {0},
};

enum fg_status fg_answer_click(struct fg_reply *reply, struct fg_http_request *request,
                               struct fg_err *err)
{
    struct click_question q;
    struct fg_ads_taken taken = {0};
    enum fg_status st = fg_request_read(&q, request, err);
    if (!st && !q.token.len)
        st = fg_fail(err, FG_EINPUT, "'token' is missing");
    if (!st)
        st = fg_server_take_click(&taken, request, q.token, err);
    if (st)
        return st;
    struct fg_json json = fg_json_to(&reply->body);
    fg_json_object(&json);
    fg_json_pair_cstr(&json, "outcome", fg_ads_outcome_name(taken.outcome));
    fg_json_pair(&json, "url", taken.url);
    end(&json, reply);
    return FG_OK;
}

/* --- what there is, and what it got --- */

static struct fg_json begin_items(struct fg_reply *reply)
{
    struct fg_json json = fg_json_to(&reply->body);
    fg_json_object(&json);
    fg_json_key(&json, "items");
    fg_json_array(&json);
    return json;
}

static void end_items(struct fg_json *json, struct fg_reply *reply)
{
    fg_json_end(json);
    end(json, reply);
}

enum fg_status fg_answer_ads(struct fg_reply *reply, struct fg_http_request *request,
                             struct fg_err *err)
{
    struct fg_ads *ads;
    struct fg_ads_row *rows;
    size_t n;
    enum fg_status st = fg_request_read(NULL, request, err);
    if (st)
        return st;
    st = fg_server_hold_ads(&ads, request, err);
    if (!st)
        st = fg_ads_list(ads, &rows, &n, request->arena, err);
    fg_server_let_ads_go(request);
    if (st)
        return st;
    struct fg_json json = begin_items(reply);
    for (size_t i = 0; i < n; i++)
        fg_ads_row_json(&json, &rows[i]);
    end_items(&json, reply);
    return FG_OK;
}

struct stats_question {
    fg_time since;
};
const struct fg_opt fg_ads_stats_opts[] = {
    {"since", FG_SPAN(struct stats_question, since), "30d",
     .help = "days back from today"},
    {0},
};

enum fg_status fg_answer_ads_stats(struct fg_reply *reply,
                                   struct fg_http_request *request, struct fg_err *err)
{
    struct stats_question q;
    struct fg_ads *ads;
    struct fg_ads_day *days;
    size_t n;
    enum fg_status st = fg_request_read(&q, request, err);
    if (st)
        return st;
    int32_t first = (int32_t)((fg_time_now() - q.since) / FG_DAY);
    st = fg_server_hold_ads(&ads, request, err);
    if (!st)
        st = fg_ads_report(ads, &days, &n, request->arena, first, err);
    fg_server_let_ads_go(request);
    if (st)
        return st;
    struct fg_json json = begin_items(reply);
    for (size_t i = 0; i < n; i++)
        fg_ads_day_json(&json, request->arena, &days[i]);
    end_items(&json, reply);
    return FG_OK;
}

/* --- changes --- */

struct before {
    struct fg_ads_row *rows;
    size_t n;
};

/* Texts as they are written: NULL after a failure, and nothing to undo by. */
static struct fg_str written(struct fg_http_request *request, struct fg_buf *text)
{
    struct fg_str made =
        text->full ? FG_STR("") : fg_arena_dup(request->arena, fg_buf_str(text));
    fg_buf_clear(text);
    return made;
}

/* What sets these to a state. */
static struct fg_str state_body(struct fg_http_request *request, const struct fg_str *ads,
                                size_t n, enum fg_ads_state state)
{
    struct fg_buf text;
    fg_buf_init(&text, FG_BODY_MOST);
    struct fg_json json = fg_json_to(&text);
    fg_json_object(&json);
    fg_json_key(&json, "ads");
    fg_json_array(&json);
    for (size_t i = 0; i < n; i++)
        fg_json_str(&json, ads[i]);
    fg_json_end(&json);
    fg_json_pair_cstr(&json, "state", fg_ads_states[state]);
    fg_json_end(&json);
    return written(request, &text);
}

/* What submits an ad as it was. */
static struct fg_str ad_body(struct fg_http_request *request,
                             const struct fg_ads_row *row)
{
    struct fg_buf text;
    fg_buf_init(&text, FG_BODY_MOST);
    struct fg_json json = fg_json_to(&text);
    fg_json_object(&json);
    fg_json_pair(&json, "advertiser", row->advertiser);
    fg_json_pair(&json, "phrase", row->phrase);
    fg_json_pair(&json, "url", row->url);
    fg_json_pair(&json, "bid", fg_money_text(request->arena, row->bid));
    if (row->budget >= 0)
        fg_json_pair(&json, "budget", fg_money_text(request->arena, row->budget));
    fg_json_pair(&json, "title", row->title);
    fg_json_pair(&json, "text", row->text);
    fg_json_pair_bool(&json, "broad", row->is_broad);
    fg_json_end(&json);
    return written(request, &text);
}

static uint64_t audit_ad(struct fg_http_request *request, const struct before *before,
                         int64_t ad, bool is_new)
{
    struct fg_str number = fg_arena_printf(request->arena, "%lld", (long long)ad);
    if (is_new) /* what is revoked could not be submitted again */
        return fg_audit_add(request, "ads/state",
                            state_body(request, &number, 1, FG_ADS_PAUSED));
    for (size_t i = 0; i < before->n; i++)
        if (before->rows[i].ad == ad)
            return fg_audit_add(request, "ads", ad_body(request, &before->rows[i]));
    return fg_audit_add(request, NULL, FG_STR(""));
}

static bool is_named(const struct fg_ads_row *row, struct fg_arena *arena,
                     struct fg_str name)
{
    return fg_str_eq(name, row->advertiser) ||
           fg_str_eq(name, fg_arena_printf(arena, "%lld", (long long)row->ad));
}

/* It can be undone if all of them were in one state, and may leave that they are in. */
static uint64_t audit_state(struct fg_http_request *request, const struct before *before,
                            const struct fg_ads_state_question *q)
{
    int state = -1;
    bool are_alike = q->state != FG_ADS_REVOKED;
    for (size_t i = 0; i < before->n; i++)
        for (size_t j = 0; j < q->ads.len; j++)
            if (is_named(&before->rows[i], request->arena, q->ads.at[j])) {
                int own = (int)before->rows[i].state;
                are_alike &= state < 0 || state == own;
                state = own;
            }
    if (!are_alike || state < 0 || state == FG_ADS_REVOKED)
        return fg_audit_add(request, NULL, FG_STR(""));
    return fg_audit_add(
        request, "ads/state",
        state_body(request, q->ads.at, q->ads.len, (enum fg_ads_state)state));
}

const struct fg_opt fg_new_ad_opts[] = {
    {"advertiser", FG_STRING(struct fg_new_ad_question, advertiser), .arg = "NAME",
     .help = "who pays"},
    {"phrase", FG_STRING(struct fg_new_ad_question, phrase), .arg = "WORDS",
     .help = "the queries it is for"},
    {"url", FG_STRING(struct fg_new_ad_question, url), .arg = "URL",
     .help = "where it leads"},
    FG_ADS_FORM_OPTIONS(struct fg_new_ad_question, form),
    {0},
};

enum fg_status fg_answer_new_ad(struct fg_reply *reply, struct fg_http_request *request,
                                struct fg_err *err)
{
    struct fg_new_ad_question q;
    struct fg_ads_campaign campaign;
    struct fg_ads *ads;
    int64_t number = 0;
    bool is_new = false;
    enum fg_status st = fg_request_read(&q, request, err);
    if (!st && (!q.advertiser.len || !q.phrase.len || !q.url.len))
        st = fg_fail(err, FG_EINPUT, "'advertiser', 'phrase' and 'url' are needed");
    if (!st)
        st = fg_ads_form_read(&campaign, &q.form, q.advertiser, q.phrase, q.url, err);
    if (st)
        return st;
    struct before before = {0};
    st = fg_server_hold_ads(&ads, request, err);
    if (!st)
        st = fg_ads_list(ads, &before.rows, &before.n, request->arena, err);
    if (!st)
        st = fg_ads_add(ads, &campaign, fg_time_now(), &number, &is_new, err);
    fg_server_let_ads_go(request);
    if (st)
        return st;
    struct fg_json json = fg_json_to(&reply->body);
    fg_json_object(&json);
    fg_json_pair_int(&json, "ad", number);
    fg_json_pair_bool(&json, "new", is_new);
    fg_json_pair_uint(&json, "audit", audit_ad(request, &before, number, is_new));
    end(&json, reply);
    return FG_OK;
}

const struct fg_opt fg_ads_state_opts[] = {
    {"ads", FG_LIST(struct fg_ads_state_question, ads), .arg = "ADVERTISER|AD,...",
     .help = "names of advertisers, or numbers of ads"},
    {"state", FG_ENUM(struct fg_ads_state_question, state, fg_ads_states), "paused",
     .help = "a revoked ad does not come back"},
    {0},
};

enum fg_status fg_answer_ads_state(struct fg_reply *reply,
                                   struct fg_http_request *request, struct fg_err *err)
{
    struct fg_ads_state_question q;
    struct fg_ads *ads;
    enum fg_status st = fg_request_read(&q, request, err);
    if (!st && !q.ads.len)
        st = fg_fail(err, FG_EINPUT, "'ads' names neither an advertiser nor an ad");
    if (st)
        return st;
    struct before before = {0};
    st = fg_server_hold_ads(&ads, request, err);
    if (!st)
        st = fg_ads_list(ads, &before.rows, &before.n, request->arena, err);
    for (size_t i = 0; !st && i < q.ads.len; i++)
        st = fg_ads_set_state(ads, q.ads.at[i], (enum fg_ads_state)q.state, err);
    fg_server_let_ads_go(request);
    if (st)
        return st;
    struct fg_json json = fg_json_to(&reply->body);
    fg_json_object(&json);
    fg_json_pair_cstr(&json, "state", fg_ads_states[q.state]);
    fg_json_pair_uint(&json, "changed", q.ads.len);
    fg_json_pair_uint(&json, "audit", audit_state(request, &before, &q));
    end(&json, reply);
    return FG_OK;
}
