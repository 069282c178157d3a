/* search.c - searching over the server, and what people make of what they are shown
 *
 * The same as `forage search`: what is searched for is counted without who asked, and
 * advertisements stand before the first results, labelled. Tokens of results and of ads
 * come back when somebody chooses one: signed, once, and not too late. One client is
 * heard so often a day and no oftener, whatever it asks. */
#include "view/search.h"
#include "base/json.h"
#include "base/log.h"
#include "search/ads/live.h"
#include "search/feedback.h"
#include "server/inside.h"
#include "server/quota.h"

static const char *place_of(const struct fg_http_request *request)
{
    return fg_server_store(&request->server->place);
}

/* --- how often a client is heard --- */

enum { OF_ADS = 1, OF_RESULTS = 2, OF_ONE_RESULT = 1 << 8 };
/* Views, and choices, of one page by one client that count a day. */
enum { OF_PAGE_MOST = 3 };

static bool is_heard(struct fg_http_request *request, uint64_t what, uint32_t most)
{
    return fg_quota_take(request->server->quota, request->client, what, most,
                         fg_time_now());
}

static bool is_event_heard(struct fg_http_request *request,
                           const struct fg_feedback_event *event)
{
    const struct fg_shown *shown = &event->shown;
    uint64_t page = (uint64_t)shown->site << 40 ^ (uint64_t)shown->page << 9;
    return is_heard(request, page | OF_ONE_RESULT | event->kind, OF_PAGE_MOST) &&
           is_heard(request, OF_RESULTS,
                    request->server->place.crawl->keeping.ranking.most_events);
}

/* --- searching --- */

enum fg_status fg_answer_search(struct fg_reply *reply, struct fg_http_request *request,
                                struct fg_err *err)
{
    struct fg_search_ask q = {0};
    struct fg_str words = fg_request_arg(request, request->route->subject);
    enum fg_status st = fg_request_read(&q, request, err);
    if (st)
        return st;
    const struct fg_server_place *place = &request->server->place;
    struct fg_ads *ads = NULL;
    struct fg_ads_shown shown = {0};
    if (place->ads && place->ads->enabled &&
        is_heard(request, OF_ADS, (uint32_t)place->ads->views_client)) {
        fg_server_hold_ads(&ads, request, NULL);
        shown = fg_search_ads(ads, request->arena, words, &q);
        fg_server_let_ads_go(request);
    }
    q.sponsored = &shown;
    reply->is_for_one = true;
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
    size_t n, forged, late, too_many;
    struct fg_feedback_outcome outcome;
};

static enum fg_token_is read_token(struct told *told, struct fg_http_request *request,
                                   const struct fg_feedback_key *key,
                                   enum fg_feedback_kind kind, struct fg_str token)
{
    struct fg_feedback_event *event = &told->events[told->n];
    event->kind = kind;
    enum fg_token_is is = fg_feedback_read(&event->shown, key, token, fg_time_now());
    bool is_heard = is == FG_TOKEN_GOOD && is_event_heard(request, event);
    told->n += is_heard;
    told->too_many += is == FG_TOKEN_GOOD && !is_heard;
    told->forged += is == FG_TOKEN_FORGED;
    told->late += is == FG_TOKEN_LATE;
    return is;
}

static enum fg_status take_events(struct told *told, struct fg_http_request *request,
                                  const struct fg_feedback_key *key, struct fg_err *err)
{
    return told->n ? fg_feedback_take(&told->outcome, place_of(request), key,
                                      told->events, told->n, fg_time_now(), err)
                   : FG_OK;
}

enum fg_status fg_answer_feedback(struct fg_reply *reply, struct fg_http_request *request,
                                  struct fg_err *err)
{
    enum { MOST = 100 };
    struct fg_feedback_question q;
    struct fg_feedback_key key;
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
        read_token(&told, request, &key, FG_WAS_SEEN, q.seen.at[i]);
    if (q.chosen.len)
        read_token(&told, request, &key, FG_WAS_CHOSEN, q.chosen);
    st = take_events(&told, request, &key, err);
    if (st)
        return st;
    struct fg_json json = fg_json_to(&reply->body);
    fg_json_object(&json);
    fg_json_pair_uint(&json, "taken", told.outcome.taken);
    fg_json_pair_uint(&json, "again", told.outcome.again);
    fg_json_pair_uint(&json, "forged", told.forged);
    fg_json_pair_uint(&json, "late", told.late);
    fg_json_pair_uint(&json, "too_many", told.too_many);
    fg_json_end(&json);
    fg_buf_add_char(&reply->body, '\n');
    return FG_OK;
}

/* --- links that count, and lead on --- */

const struct fg_opt fg_go_opts[] = {
    {"result", FG_STRING(struct fg_go_question, result), .arg = "TOKEN", .max = 400,
     .help = "of a result, as the search gave it"},
    {"ad", FG_STRING(struct fg_go_question, ad), .arg = "TOKEN", .max = 400,
     .help = "of an advertisement, likewise"},
    {0},
};

/* A link that is old, or was followed before, leads where it led; it does not count. Nor
 * does one while the store takes no writes: who clicked wants the page all the same. */
static enum fg_status find_result(struct fg_str *url, struct fg_http_request *request,
                                  struct fg_str token, struct fg_err *err)
{
    struct fg_store *store = request->server->store;
    struct fg_feedback_event event;
    struct fg_feedback_key key;
    struct fg_page_row page;
    struct told told = {.events = &event};
    enum fg_status st = fg_feedback_key(&key, store, place_of(request), err);
    if (st || read_token(&told, request, &key, FG_WAS_CHOSEN, token) == FG_TOKEN_FORGED)
        return st;
    st = fg_store_page(store, &page, request->arena, event.shown.site, event.shown.page,
                       err);
    if (st)
        return st;
    *url = page.url;
    struct fg_err trouble;
    if (take_events(&told, request, &key, &trouble))
        fg_log_warn("server", "choice of a result not counted",
                    FG_F("why", trouble.text));
    return FG_OK;
}

enum fg_status fg_answer_go(struct fg_reply *reply, struct fg_http_request *request,
                            struct fg_err *err)
{
    struct fg_go_question q;
    struct fg_ads_taken taken = {0};
    struct fg_str url = FG_STR("");
    enum fg_status st = fg_request_read(&q, request, err);
    if (!st && !q.result.len == !q.ad.len)
        st = fg_fail(err, FG_EINPUT, "give either 'result' or 'ad'");
    if (!st && request->is_glance) { /* a browser asks again when it is clicked */
        reply->status = 503;
        return FG_OK;
    }
    if (!st && q.ad.len)
        st = fg_server_take_click(&taken, request, q.ad, err);
    else if (!st)
        st = find_result(&url, request, q.result, err);
    if (st)
        return st;
    if (q.ad.len)
        url = taken.url;
    if (!url.len) /* what we did not sign leads nowhere */
        return fg_fail(err, FG_ENOTFOUND, "this link is not one of ours, or damaged");
    reply->status = 303;
    reply->location = fg_arena_cstr(request->arena, url);
    return FG_OK;
}
