/* search.c - searching over the server, and what people make of what they are shown
 *
 * The same as `forage search`: what is searched for is counted without who asked, and
 * advertisements stand before the first results, labelled. Tokens of results and of ads
 * come back when somebody chooses one: signed, once, and not too late. */
#include "view/search.h"
#include "base/json.h"
#include "search/ads/live.h"
#include "search/feedback.h"
#include "server/ask.h"
#include "server/inside.h"

static const char *place_of(const struct fg_http_request *request)
{
    return request->server->place.workspace.at;
}

/* --- searching --- */

/* The handle of advertisements, which all requests share one after the other: opening it
 * costs more than a search. NULL where they are off, and after a failure. */
static enum fg_status hold_ads(struct fg_ads **ads, struct fg_http_request *request,
                               struct fg_err *err)
{
    struct fg_server *server = request->server;
    const struct fg_ads_settings *settings = server->place.ads;
    enum fg_status st = FG_OK;
    pthread_mutex_lock(&server->ads_lock);
    if (!server->ads && settings && settings->enabled)
        st = fg_ads_open(&server->ads, place_of(request), settings, err);
    *ads = server->ads;
    return st;
}

static void let_ads_go(struct fg_http_request *request)
{
    pthread_mutex_unlock(&request->server->ads_lock);
}

enum fg_status fg_answer_search(struct fg_reply *reply, struct fg_http_request *request,
                                struct fg_err *err)
{
    struct fg_search_ask q = {0};
    struct fg_str words = fg_request_arg(request, request->route->subject);
    enum fg_status st = fg_request_read(&q, request, err);
    if (st)
        return st;
    const struct fg_server_place *place = &request->server->place;
    struct fg_ads *ads;
    hold_ads(&ads, request, NULL);
    struct fg_ads_shown shown = fg_search_ads(ads, request->arena, words, &q);
    let_ads_go(request);
    q.sponsored = &shown;
    st = fg_answer_asked(reply, request, &q, err);
    if (!st)
        fg_search_count(request->arena, place_of(request), place->crawl, words, &q);
    return st;
}

/* --- results that were seen or chosen --- */

const struct fg_opt fg_feedback_opts[] = {
    {"seen", FG_LIST(struct fg_feedback_question, seen), .arg = "TOKEN,...",
     .help = "tokens of results that were shown"},
    {"chosen", FG_STRING(struct fg_feedback_question, chosen), .arg = "TOKEN", .max = 400,
     .help = "the token of the result that was chosen"},
    {0},
};

struct told {
    struct fg_feedback_event *events;
    size_t n, forged, late;
};

static void read_token(struct told *told, const struct fg_feedback_key *key,
                       enum fg_feedback_kind kind, struct fg_str token)
{
    struct fg_feedback_event *event = &told->events[told->n];
    event->kind = kind;
    enum fg_token_is is = fg_feedback_read(&event->shown, key, token, fg_time_now());
    told->n += is == FG_TOKEN_GOOD;
    told->forged += is == FG_TOKEN_FORGED;
    told->late += is == FG_TOKEN_LATE;
}

enum fg_status fg_answer_feedback(struct fg_reply *reply, struct fg_http_request *request,
                                  struct fg_err *err)
{
    enum { MOST = 100 };
    struct fg_feedback_question q;
    struct fg_feedback_key key;
    struct fg_feedback_outcome outcome = {0};
    enum fg_status st = fg_request_read(&q, request, err);
    if (!st && !q.seen.len && !q.chosen.len)
        st = fg_fail(err, FG_EINPUT, "neither 'seen' nor 'chosen' names a token");
    if (!st && q.seen.len > MOST)
        st = fg_fail(err, FG_EINPUT, "'seen' has more than %d tokens", MOST);
    if (!st)
        st = fg_feedback_key(&key, request->server->store, place_of(request), err);
    if (st)
        return st;
    struct told told = {.events =
                            FG_NEW(request->arena, struct fg_feedback_event, MOST + 1)};
    for (size_t i = 0; i < q.seen.len; i++)
        read_token(&told, &key, FG_WAS_SEEN, q.seen.at[i]);
    if (q.chosen.len)
        read_token(&told, &key, FG_WAS_CHOSEN, q.chosen);
    if (told.n)
        st = fg_feedback_take(&outcome, place_of(request), &key, told.events, told.n,
                              fg_time_now(), err);
    if (st)
        return st;
    struct fg_json json = fg_json_to(&reply->body);
    fg_json_object(&json);
    fg_json_pair_uint(&json, "taken", outcome.taken);
    fg_json_pair_uint(&json, "again", outcome.again);
    fg_json_pair_uint(&json, "forged", told.forged);
    fg_json_pair_uint(&json, "late", told.late);
    fg_json_end(&json);
    fg_buf_add_char(&reply->body, '\n');
    return FG_OK;
}

/* --- advertisements that were chosen --- */

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
    const struct fg_ads_settings *settings = request->server->place.ads;
    struct click_question q;
    struct fg_ads_taken taken = {0};
    enum fg_status st = fg_request_read(&q, request, err);
    if (!st && !q.token.len)
        st = fg_fail(err, FG_EINPUT, "'token' is missing");
    if (!st && (!settings || !settings->enabled))
        st = fg_fail(err, FG_ENOTFOUND, "there are no advertisements: see ads.enabled");
    if (st)
        return st;
    struct fg_str client =
        fg_arena_printf(request->arena, "%llx", (unsigned long long)request->client);
    struct fg_ads *ads;
    st = hold_ads(&ads, request, err);
    if (!st)
        st = fg_ads_click(ads, &taken, request->arena, q.token, client, fg_time_now(),
                          err);
    let_ads_go(request);
    if (st)
        return st;
    struct fg_json json = fg_json_to(&reply->body);
    fg_json_object(&json);
    fg_json_pair_cstr(&json, "outcome", fg_ads_outcome_name(taken.outcome));
    fg_json_pair(&json, "url", taken.url);
    fg_json_end(&json);
    fg_buf_add_char(&reply->body, '\n');
    return FG_OK;
}
