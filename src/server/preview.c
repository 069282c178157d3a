/* preview.c - what would be watched at an address, before anybody says yes
 *
 * The address is asked for once, as a crawl would: after robots.txt, under our name, not
 * in private networks unless that is allowed. A site that is watched already is not
 * asked: only its crawl knows when that may be. One preview at a time, for it waits for a
 * stranger. */
#include "base/json.h"
#include "crawl/host/errand.h"
#include "crawl/intake/seeds.h"
#include "crawl/reading/reading.h"
#include "crawl/sites/alarms.h"
#include "crawl/sites/site_row.h"
#include "net/facts/kind.h"
#include "net/robots/robots.h"
#include "net/robots/rules.h"
#include "net/url/canonical.h"
#include "server/ask.h"
#include "server/inside.h"

struct question {
    struct fg_str url;
};
const struct fg_opt fg_preview_opts[] = {
    {"url", FG_STRING(struct question, url), .arg = "URL", .max = 8192,
     .help = "the address; without a scheme it is https"},
    {0},
};

struct preview {
    struct fg_json json;
    struct fg_arena *arena;
    unsigned keep;
    struct fg_str url, token;
};

static const char *kind_name(enum fg_reading_kind kind)
{
    static const char *const names[] = {
        [FG_READ_NOTHING] = "nothing",
        [FG_READ_HTML] = "page",
        [FG_READ_FEED] = "feed",
        [FG_READ_SITEMAP] = "sitemap",
        [FG_READ_SITEMAP_INDEX] = "sitemap",
        [FG_READ_TEXT] = "text",
    };
    return names[kind];
}

/* --- what would be looked at --- */

static void put_source(struct preview *p, struct fg_str url, const char *kind,
                       const char *because)
{
    fg_json_object(&p->json);
    fg_json_pair(&p->json, "url", url);
    fg_json_pair_cstr(&p->json, "kind", kind);
    fg_json_pair_cstr(&p->json, "because", because);
    fg_json_end(&p->json);
}

/* Where nothing announces new pages, a crawl tries the usual place. */
static void put_sitemaps(struct preview *p, const struct fg_polite *polite, bool has_feed)
{
    enum { SHOWN = 20 };
    const struct fg_str *urls;
    struct fg_str site = fg_canonical_site(p->url);
    size_t n = fg_polite_sitemaps(polite, site, &urls), shown = 0;
    for (size_t i = 0; i < n && i < SHOWN; i++) {
        struct fg_url base, url;
        if (!fg_url_parse(&base, p->arena, site, NULL) ||
            !fg_url_parse(&url, p->arena, urls[i], &base) || !fg_url_is_http(&url))
            continue;
        struct fg_str text = fg_canonical_from(p->arena, &url, p->keep);
        bool is_own = fg_str_eq(fg_canonical_site(text), site);
        put_source(p, text, "sitemap",
                   is_own ? "robots.txt names it"
                          : "robots.txt names it, on another host: it is passed over");
        shown += is_own;
    }
    if (!shown && !has_feed)
        put_source(p, fg_arena_printf(p->arena, "%.*s/sitemap.xml", FG_ARG(site)),
                   "sitemap", "the usual place, where nothing else announces new pages");
}

/* What is sure, and what addresses of links make likely; the crawl finds out. */
static void put_sources(struct preview *p, const struct fg_polite *polite,
                        const struct fg_reading *reading)
{
    enum { SHOWN = 20 };
    struct fg_str site = fg_canonical_site(p->url);
    size_t feeds = 0, lists = 0;
    fg_json_key(&p->json, "sources");
    fg_json_array(&p->json);
    put_source(p, p->url, kind_name(reading->kind), "it is what was asked for");
    for (size_t i = 0; i < reading->n_links; i++)
        if (reading->links[i].is_feed && feeds++ < SHOWN)
            put_source(p, reading->links[i].url, "feed", "the page announces it");
    put_sitemaps(p, polite, feeds || reading->kind != FG_READ_HTML);
    for (size_t i = 0; reading->kind == FG_READ_HTML && i < reading->n_links; i++) {
        const struct fg_reading_link *link = &reading->links[i];
        struct fg_kind_verdict verdict = fg_kind_of_address(link->url);
        if (!link->is_feed && !link->nofollow && fg_str_eq(link->site, site) &&
            !fg_str_eq(link->url, p->url) && fg_kind_is_likely_list(verdict) &&
            lists++ < SHOWN)
            put_source(p, link->url, "list", verdict.reason);
    }
    fg_json_end(&p->json);
}

static void put_links(struct preview *p, const struct fg_reading *reading)
{
    enum { SHOWN = 20 };
    struct fg_str site = fg_canonical_site(p->url);
    size_t own = 0, shown = 0;
    fg_json_key(&p->json, "feeds");
    fg_json_array(&p->json);
    for (size_t i = 0; i < reading->n_links; i++)
        if (reading->links[i].is_feed)
            fg_json_str(&p->json, reading->links[i].url);
    fg_json_end(&p->json);
    fg_json_key(&p->json, "examples");
    fg_json_array(&p->json);
    for (size_t i = 0; i < reading->n_links; i++) {
        const struct fg_reading_link *link = &reading->links[i];
        if (link->is_feed || !fg_str_eq(link->site, site))
            continue;
        own++;
        if (shown++ >= SHOWN)
            continue;
        fg_json_object(&p->json);
        fg_json_pair(&p->json, "url", link->url);
        fg_json_pair(&p->json, "words", link->words);
        fg_json_end(&p->json);
    }
    fg_json_end(&p->json);
    fg_json_pair_uint(&p->json, "links", reading->n_links);
    fg_json_pair_uint(&p->json, "own_links", own);
}

/* --- what is in the way --- */

/* As the crawl would raise an alarm about it, if it were watched. */
static enum fg_alarm trouble_of(const struct preview *p, const struct fg_polite *polite,
                                const struct fg_answer *answer,
                                const struct fg_reading *reading)
{
    switch (answer->end) {
    case FG_ASK_ROBOTS:
        return answer->n_hops ? FG_ALARM_ROBOTS_SEED
                              : fg_alarm_of_robots(
                                    fg_polite_rules(polite, fg_canonical_site(p->url)));
    case FG_ASK_HELD:
        return FG_ALARM_ROBOTS_HELD;
    case FG_ASK_REDIRECTS:
    case FG_ASK_LOCATION:
        return FG_ALARM_LOOP;
    case FG_ASK_ANSWERED:
        break;
    default:
        return FG_ALARM_NONE;
    }
    enum fg_alarm why =
        fg_alarm_of_answer(answer->response->status, answer->response->outcome);
    if (!why && reading && reading->kind == FG_READ_HTML)
        why = fg_alarm_of_page(&reading->facts, reading->n_links);
    if (!why && reading && reading->nofollow)
        why = FG_ALARM_NOFOLLOW;
    return why;
}

static void put_trouble(struct preview *p, enum fg_alarm why, unsigned status,
                        const char *detail)
{
    struct fg_alarm_facts facts = {.site = fg_canonical_site(p->url),
                                   .url = p->url,
                                   .status = status,
                                   .detail = fg_str_from(detail ? detail : "")};
    struct fg_buf text;
    fg_buf_init(&text, 4 << 10);
    fg_alarm_text(&text, why, &facts);
    fg_json_pair(&p->json, "trouble", fg_buf_str(&text));
    fg_json_pair_cstr(&p->json, "advice", fg_alarm_advice(why));
    fg_buf_clear(&text);
}

/* Its delay is null where there is no file, or it says nothing of one. */
static void put_robots(struct preview *p, const struct fg_robots *rules,
                       bool is_forbidden, bool is_unknown)
{
    fg_time delay = rules ? fg_robots_delay(rules) : FG_NEVER;
    const char *says = is_forbidden ? "forbidden"
                       : is_unknown ? "unknown"
                       : rules      ? "allowed"
                                    : "none";
    fg_json_pair_cstr(&p->json, "robots", says);
    fg_json_key(&p->json, "crawl_delay_s");
    if (delay == FG_NEVER)
        fg_json_null(&p->json);
    else
        fg_json_double(&p->json, fg_seconds(delay));
}

static const char *why_not(const struct fg_answer *answer)
{
    bool was_asked = answer->end == FG_ASK_ANSWERED;
    return was_asked && answer->response->why[0] ? answer->response->why
           : was_asked ? fg_outcome_name(answer->response->outcome)
                       : fg_ask_end_name(answer->end);
}

static void put_answer(void *context, const struct fg_polite *polite,
                       const struct fg_answer *answer)
{
    struct preview *p = context;
    const struct fg_response *response = answer->response;
    struct fg_reading reading;
    struct fg_host_view host = {0};
    bool is_read = answer->end == FG_ASK_ANSWERED && response->outcome == FG_FETCHED;
    p->url = fg_arena_dup(p->arena, answer->url);
    fg_polite_view(polite, fg_canonical_site(p->url), &host);
    fg_json_pair_cstr(&p->json, "end", fg_ask_end_name(answer->end));
    fg_json_pair(&p->json, "final_url", answer->url);
    fg_json_pair_bool(&p->json, "fetched", is_read);
    put_robots(p, fg_polite_rules(polite, fg_canonical_site(p->url)),
               answer->end == FG_ASK_ROBOTS, answer->end == FG_ASK_HELD);
    if (is_read)
        fg_reading_from(&reading, p->arena, p->url, response,
                        (struct fg_reading_rules){.token = p->token, .keep = p->keep});
    else
        fg_json_pair_cstr(&p->json, "why", why_not(answer));
    enum fg_alarm why = trouble_of(p, polite, answer, is_read ? &reading : NULL);
    if (why)
        put_trouble(p, why, answer->end == FG_ASK_ANSWERED ? response->status : 0,
                    answer->end == FG_ASK_HELD ? host.robots_trouble : NULL);
    if (!is_read)
        return;
    fg_json_pair_uint(&p->json, "status", response->status);
    fg_json_pair_cstr(&p->json, "kind", kind_name(reading.kind));
    fg_json_pair(&p->json, "title", reading.title);
    fg_json_pair(&p->json, "language", reading.language);
    put_sources(p, polite, &reading);
    put_links(p, &reading);
}

static enum fg_status look_there(struct preview *p, struct fg_http_request *request,
                                 struct fg_err *err)
{
    struct fg_crawl_options options = *request->server->place.crawl;
    options.fetch.max_body =
        options.fetch.max_body < 4 << 20 ? options.fetch.max_body : 4 << 20;
    options.archive = (struct fg_archive_options){0};
    return fg_errand_run(
        &(struct fg_errand){
            .options = &options, .url = p->url, .take = put_answer, .context = p},
        err);
}

/* A host that a crawl has asked within the last minute, or that wants to be left alone,
 * is not asked by us as well: we do not know when it is our turn. */
static bool is_busy(const struct fg_look *look, const struct fg_site_row *site)
{
    bool is_recent =
        site->last_request != FG_NEVER && look->now - site->last_request < FG_MINUTE;
    bool rests = site->backoff_until != FG_NEVER && site->backoff_until > look->now;
    return (look->writer >= 0 && is_recent) || rests;
}

/* Of a site that is watched: what the robots.txt that its crawl has says of the address.
 */
static void put_known(struct preview *p, const struct fg_site_row *site)
{
    if (site->robots_fetched == FG_NEVER)
        return;
    const struct fg_robots *rules =
        site->robots.len ? fg_robots_parse(p->arena, site->robots, p->token) : NULL;
    struct fg_rule by;
    bool is_unknown = fg_site_is_held(site);
    bool is_forbidden = rules && !is_unknown &&
                        !fg_robots_explain(&by, p->arena, rules, fg_robots_path(p->url));
    put_robots(p, rules, is_forbidden, is_unknown);
    if (is_forbidden)
        put_trouble(p, fg_alarm_of_robots(rules), 0, NULL);
    else if (is_unknown)
        put_trouble(p, FG_ALARM_ROBOTS_HELD, 0, NULL);
}

enum fg_status fg_answer_preview(struct fg_reply *reply, struct fg_http_request *request,
                                 struct fg_err *err)
{
    struct question q;
    struct fg_look look;
    struct fg_url url;
    fg_site_id site = 0;
    struct preview p = {.json = fg_json_to(&reply->body),
                        .arena = request->arena,
                        .token = request->server->place.crawl->robots_token};
    enum fg_status st = fg_request_read(&q, request, err);
    if (!st && !q.url.len)
        st = fg_fail(err, FG_EINPUT, "'url' is missing");
    if (!st)
        st = fg_ask_open(&look, request, err);
    if (st)
        return st;
    struct fg_str address = fg_seed_address(request->arena, fg_str_trim(q.url));
    st = fg_seed_check_url(address, err);
    if (!st)
        st = fg_seed_check(request->server->place.crawl, address, err);
    if (!st)
        st = fg_look_address(&look, address, &url, err);
    if (!st) {
        p.url = fg_canonical_from(request->arena, &url, look.keep);
        p.keep = look.keep;
        fg_look_find_site(&look, fg_canonical_site(p.url), &site, NULL);
        const struct fg_site_row *row = site ? fg_look_site(&look, site) : NULL;
        bool is_known = row && row->state != SITE_HOST_ONLY && !fg_site_is_removed(row);
        fg_json_object(&p.json);
        fg_json_pair(&p.json, "url", p.url);
        fg_json_pair(&p.json, "site", fg_canonical_site(p.url));
        fg_json_pair_bool(&p.json, "is_watched", is_known);
        if (is_known)
            put_known(&p, row);
        if (!is_known && row && is_busy(&look, row)) {
            fg_json_pair_bool(&p.json, "fetched", false);
            fg_json_pair(
                &p.json, "why",
                FG_STR("the crawl asks its host as well; try again in a minute"));
        } else if (!is_known) {
            st = look_there(&p, request, err);
        }
        fg_json_end(&p.json);
        fg_buf_add_char(&reply->body, '\n');
    }
    fg_look_close(&look);
    return st;
}
