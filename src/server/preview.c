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

static void put_answer(void *context, const struct fg_polite *polite,
                       const struct fg_answer *answer)
{
    struct preview *p = context;
    const struct fg_response *response = answer->response;
    struct fg_reading reading;
    (void)polite;
    fg_json_pair_cstr(&p->json, "end", fg_ask_end_name(answer->end));
    fg_json_pair(&p->json, "final_url", answer->url);
    if (answer->end != FG_ASK_ANSWERED || response->outcome != FG_FETCHED) {
        bool was_asked = answer->end == FG_ASK_ANSWERED;
        fg_json_pair_bool(&p->json, "fetched", false);
        fg_json_pair_cstr(&p->json, "why",
                          was_asked && response->why[0] ? response->why
                          : was_asked ? fg_outcome_name(response->outcome)
                                      : fg_ask_end_name(answer->end));
        return;
    }
    fg_json_pair_bool(&p->json, "fetched", true);
    fg_json_pair_uint(&p->json, "status", response->status);
    p->url = fg_arena_dup(p->arena, answer->url);
    fg_reading_from(&reading, p->arena, p->url, response,
                    (struct fg_reading_rules){.token = p->token, .keep = p->keep});
    fg_json_pair_cstr(&p->json, "kind", kind_name(reading.kind));
    fg_json_pair(&p->json, "title", reading.title);
    fg_json_pair(&p->json, "language", reading.language);
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
        bool is_known = !fg_look_find_site(&look, fg_canonical_site(p.url), &site, NULL);
        fg_json_object(&p.json);
        fg_json_pair(&p.json, "url", p.url);
        fg_json_pair(&p.json, "site", fg_canonical_site(p.url));
        fg_json_pair_bool(&p.json, "is_watched", is_known);
        if (!is_known)
            st = look_there(&p, request, err);
        fg_json_end(&p.json);
        fg_buf_add_char(&reply->body, '\n');
    }
    fg_look_close(&look);
    return st;
}
