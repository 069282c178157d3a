/* cmd_fetch.c - forage fetch: one page, the way the crawler would ask for it */
#include "cli/cli.h"
#include "crawl/host/conduct.h"
#include "crawl/host/errand.h"
#include "crawl/reading/reading.h"
#include "net/robots/robots.h"
#include "net/robots/robots_fetch.h"
#include "net/robots/rules.h"
#include "net/url/canonical.h"
#include "net/url/url.h"
#include "view/ago.h"

#include <stdio.h>

struct options {
    bool headers, links, text, json;
    struct fg_str warc;
};

static const struct fg_opt options[] = {
    {"headers", FG_BOOL(struct options, headers), .help = "print the answer's headers"},
    {"links", FG_BOOL(struct options, links), .letter = 'l',
     .help = "print the links the crawler would follow, with their words"},
    {"text", FG_BOOL(struct options, text), .letter = 't',
     .help = "print what a reader sees"},
    {"json", FG_BOOL(struct options, json), .letter = 'j',
     .help = "everything as JSON, the text included"},
    {"warc", FG_STRING(struct options, warc), .arg = "FILE",
     .help = "keep all requests and answers in a new archive; packed if it ends in .gz"},
    {0},
};

struct view {
    struct fg_cli *cli;
    const struct options *o;
    struct fg_str token;
    struct fg_value_rule value_rule;
    unsigned max_redirects;
    struct fg_clock clock;
    const struct fg_polite *polite;
    const struct fg_answer *answer;
    /* robots.txt of the host where it ended */
    const char *verdict; /* "allowed", "forbidden", "unknown" */
    struct fg_str rule, robots_trouble;
    fg_time robots_delay;
    struct fg_host_view host;
    struct fg_reading reading; /* if has_page */
    struct fg_conduct conduct; /* likewise; of its tdmrep.json nothing is known here */
    bool has_page;
    enum fg_status status;
    struct fg_err *err;
};

/* --- what to say --- */

static void explain_robots(struct view *v)
{
    struct fg_arena *arena = v->cli->arena;
    v->verdict = "unknown";
    v->robots_delay = FG_NEVER;
    v->host.robots_trouble = "";
    if (!fg_polite_view(v->polite, fg_canonical_site(v->answer->url), &v->host))
        return;
    v->robots_trouble = fg_str_from(v->host.robots_trouble);
    if (v->host.robots_verdict == FG_ROBOTS_HOLD || v->host.robots_expires == FG_NEVER)
        return;
    v->verdict = "allowed";
    if (v->host.robots_verdict != FG_ROBOTS_FILE)
        return;
    const struct fg_robots *robots = fg_robots_parse(arena, v->host.robots, v->token);
    struct fg_rule by;
    bool is_allowed =
        fg_robots_explain(&by, arena, robots, fg_robots_path(v->answer->url));
    v->robots_delay = fg_robots_delay(robots);
    v->verdict = is_allowed ? "allowed" : "forbidden";
    if (by.pattern.len)
        v->rule = fg_arena_printf(arena, "%s: %.*s", by.allow ? "Allow" : "Disallow",
                                  FG_ARG(by.pattern));
}

static struct fg_str robots_words(struct view *v)
{
    const char *why = v->rule.at              ? v->rule.at
                      : v->robots_trouble.len ? v->robots_trouble.at
                      : v->host.robots_verdict == FG_ROBOTS_ALLOW
                          ? "there is no robots.txt"
                          : "no rule against it";
    return fg_arena_printf(v->cli->arena, "%s (%s)", v->verdict, why);
}

static const char *kind_name(enum fg_reading_kind kind)
{
    static const char *const names[] = {
        [FG_READ_NOTHING] = "binary",
        [FG_READ_HTML] = "html",
        [FG_READ_FEED] = "feed",
        [FG_READ_SITEMAP] = "sitemap",
        [FG_READ_SITEMAP_INDEX] = "sitemap-index",
        [FG_READ_TEXT] = "text",
    };
    return names[kind];
}

static void print_answer(struct view *v, const struct fg_response *response)
{
    struct fg_out *out = &v->cli->out;
    fg_out_field(out, "status",
                 fg_arena_printf(v->cli->arena, "%u%s", response->status,
                                 response->truncated ? ", cut at fetch.max-body" : ""));
    fg_out_field(out, "server",
                 fg_arena_printf(v->cli->arena, "%s, HTTP/%d.%d, %.0f ms", response->ip,
                                 response->http_version / 10, response->http_version % 10,
                                 fg_seconds(response->took) * 1000));
    fg_out_field(out, "bytes",
                 fg_arena_printf(v->cli->arena, "%zu, %llu on the wire",
                                 response->body.len,
                                 (unsigned long long)response->wire_bytes));
}

static void print_conduct(struct view *v)
{
    const struct fg_conduct *conduct = &v->conduct;
    struct fg_out *out = &v->cli->out;
    if (conduct->tdm.reservation)
        fg_out_field(out, "tdm",
                     fg_arena_printf(v->cli->arena, "%s (%s)%s%.*s",
                                     fg_tdm_name(conduct->tdm.reservation),
                                     fg_tdm_from_name(conduct->tdm.from),
                                     conduct->tdm.policy.len ? ", terms at " : "",
                                     FG_ARG(conduct->tdm.policy)));
    for (size_t i = 0; i < FG_SIGNALS; i++)
        if (conduct->signals[i])
            fg_out_field(
                out, "signal",
                fg_arena_printf(v->cli->arena, "%s=%s", fg_signal_names[i],
                                conduct->signals[i] == FG_ROBOTS_NO ? "no" : "yes"));
    if (conduct->refusal)
        fg_out_field(out, "not kept", fg_str_from(conduct->refusal));
}

static void print_reading(struct view *v)
{
    struct fg_out *out = &v->cli->out;
    const struct fg_reading *page = &v->reading;
    fg_out_field(out, "kind", fg_str_from(kind_name(page->kind)));
    fg_out_field(out, "title", page->title);
    fg_out_field(out, "language", page->language);
    fg_out_field(out, "canonical", page->canonical);
    if (page->noindex || page->nofollow)
        fg_out_field(out, "tags",
                     fg_arena_printf(v->cli->arena, "%s%s%s",
                                     page->noindex ? "noindex" : "",
                                     page->noindex && page->nofollow ? ", " : "",
                                     page->nofollow ? "nofollow" : ""));
    fg_out_field(out, "links", fg_arena_printf(v->cli->arena, "%zu", page->n_links));
    print_conduct(v);
}

/* Lines are ours to break, but what is in them is not ours to trust. */
static void print_lines(struct fg_out *out, struct fg_str text)
{
    struct fg_str line;
    while (text.len && fg_str_cut(&text, '\n', &line)) {
        fg_out_text(out, fg_str_trim(line));
        fg_out_puts(out, "\n");
    }
}

static void print_links(struct fg_out *out, const struct fg_reading *page)
{
    for (size_t i = 0; i < page->n_links; i++) {
        const struct fg_reading_link *link = &page->links[i];
        fg_out_text(out, link->url);
        if (link->words.len) {
            fg_out_puts(out, "  ");
            fg_out_text(out, link->words);
        }
        fg_out_puts(out, link->nofollow  ? " [nofollow]\n"
                         : link->is_feed ? " [feed]\n"
                                         : "\n");
    }
}

/* What a crawl would watch of it as a document. */
static void print_value(struct view *v)
{
    const struct fg_value *value = &v->reading.value;
    struct fg_str text =
        fg_beginning(v->cli->arena, value->whole.len ? value->whole : value->text, false);
    fg_out_field(&v->cli->out, "value",
                 fg_arena_printf(v->cli->arena, "%s: %.*s",
                                 fg_value_kind_name(value->kind), FG_ARG(text)));
}

static void print_people(struct view *v)
{
    struct fg_out *out = &v->cli->out;
    const struct fg_answer *answer = v->answer;
    for (size_t i = 0; i < answer->n_hops; i++)
        fg_out_field(out, "redirect",
                     fg_arena_printf(v->cli->arena, "%u from %.*s",
                                     answer->hops[i].status,
                                     FG_ARG(answer->hops[i].url)));
    fg_out_field(out, "url", answer->url);
    fg_out_field(out, "robots", robots_words(v));
    bool is_fetched =
        answer->end == FG_ASK_ANSWERED && answer->response->outcome == FG_FETCHED;
    if (!is_fetched)
        return;
    print_answer(v, answer->response);
    if (v->has_page) {
        print_reading(v);
        print_value(v);
    }
    if (v->o->headers) {
        fg_out_puts(out, "\n");
        print_lines(out, answer->response->headers);
    }
    if (v->o->links && v->has_page) {
        fg_out_puts(out, "\n");
        print_links(out, &v->reading);
    }
    if (v->o->text && v->has_page) {
        fg_out_puts(out, "\n");
        print_lines(out, v->reading.text);
    }
}

/* --- as JSON --- */

static void json_robots(struct fg_json *json, struct view *v)
{
    fg_json_key(json, "robots");
    fg_json_object(json);
    fg_json_pair_cstr(json, "verdict", v->verdict);
    fg_json_pair(json, "rule", v->rule);
    fg_json_pair(json, "trouble",
                 v->robots_trouble.len ? v->robots_trouble : (struct fg_str){0});
    fg_json_pair_uint(json, "status", v->host.robots_status);
    if (v->robots_delay != FG_NEVER)
        fg_json_pair_double(json, "delay_seconds", fg_seconds(v->robots_delay));
    fg_json_end(json);
}

static void json_hops(struct fg_json *json, const struct fg_answer *answer)
{
    fg_json_key(json, "redirects");
    fg_json_array(json);
    for (size_t i = 0; i < answer->n_hops; i++) {
        fg_json_object(json);
        fg_json_pair(json, "url", answer->hops[i].url);
        fg_json_pair_uint(json, "status", answer->hops[i].status);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void json_headers(struct fg_json *json, struct fg_str headers)
{
    struct fg_str line;
    fg_json_key(json, "headers");
    fg_json_array(json);
    while (headers.len && fg_str_cut(&headers, '\n', &line)) {
        size_t colon = fg_str_chr(line, ':');
        if (colon == FG_NOT_FOUND)
            continue;
        fg_json_array(json);
        fg_json_str(json, fg_str_sub(line, 0, colon));
        fg_json_str(json, fg_str_trim(fg_str_skip(line, colon + 1)));
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void json_response(struct fg_json *json, const struct fg_response *response)
{
    fg_json_pair_cstr(json, "outcome", fg_outcome_name(response->outcome));
    fg_json_pair_cstr(json, "why", *response->why ? response->why : NULL);
    fg_json_pair_uint(json, "status", response->status);
    fg_json_pair_cstr(json, "address", response->ip);
    fg_json_pair_double(json, "http_version", response->http_version / 10.0);
    fg_json_pair_double(json, "took_seconds", fg_seconds(response->took));
    fg_json_pair_double(json, "first_byte_seconds", fg_seconds(response->first_byte));
    fg_json_pair_uint(json, "wire_bytes", response->wire_bytes);
    fg_json_pair_uint(json, "body_bytes", response->body.len);
    fg_json_pair_bool(json, "truncated", response->truncated);
    json_headers(json, response->headers);
}

static void json_page(struct fg_json *json, const struct fg_reading *page)
{
    fg_json_pair_cstr(json, "kind", kind_name(page->kind));
    fg_json_pair(json, "title", page->title);
    fg_json_pair(json, "language", page->language);
    fg_json_pair(json, "canonical", page->canonical);
    fg_json_pair_time(json, "published", page->published);
    fg_json_pair_bool(json, "noindex", page->noindex);
    fg_json_pair_bool(json, "nofollow", page->nofollow);
    fg_json_key(json, "links");
    fg_json_array(json);
    for (size_t i = 0; i < page->n_links; i++) {
        const struct fg_reading_link *link = &page->links[i];
        fg_json_object(json);
        fg_json_pair(json, "url", link->url);
        fg_json_pair(json, "words", link->words);
        fg_json_pair_bool(json, "feed", link->is_feed);
        fg_json_pair_bool(json, "nofollow", link->nofollow);
        if (link->dated != FG_NEVER) {
            fg_json_pair_time(json, "dated", link->dated);
        }
        fg_json_end(json);
    }
    fg_json_end(json);
    fg_json_pair(json, "text", page->text);
}

static void json_value(struct fg_json *json, const struct fg_value *value)
{
    const struct fg_offer *offer = &value->offer;
    fg_json_key(json, "value");
    fg_json_object(json);
    fg_json_pair_cstr(json, "kind", fg_value_kind_name(value->kind));
    fg_json_pair(json, "text", value->text);
    fg_json_pair_cstr(json, "price", offer->price.amount);
    fg_json_pair_cstr(json, "currency", offer->price.currency);
    fg_json_pair_cstr(json, "availability", fg_availability_name(offer->availability));
    fg_json_pair(json, "name", offer->name);
    fg_json_pair(json, "brand", offer->brand);
    fg_json_pair(json, "category", offer->category);
    fg_json_pair(json, "seller", offer->seller);
    fg_json_end(json);
}

static void print_json(struct view *v)
{
    struct fg_json json = fg_json_to(&v->cli->out.buf);
    const struct fg_answer *answer = v->answer;
    fg_json_object(&json);
    fg_json_pair(&json, "asked", answer->asked);
    fg_json_pair(&json, "url", answer->url);
    fg_json_pair_cstr(&json, "end", fg_ask_end_name(answer->end));
    json_robots(&json, v);
    json_hops(&json, answer);
    if (answer->response)
        json_response(&json, answer->response);
    if (v->has_page) {
        json_page(&json, &v->reading);
        fg_json_conduct(&json, &v->conduct);
        json_value(&json, &v->reading.value);
    }
    fg_json_end(&json);
    fg_out_puts(&v->cli->out, "\n");
}

/* --- the end of it --- */

/* The last redirect was not followed: it leads back, or it is one too many. */
static enum fg_status too_many_redirects(struct view *v)
{
    const struct fg_answer *answer = v->answer;
    struct fg_str asked = fg_str_sub(answer->asked, 0, 200);
    size_t n = answer->n_hops + 1;
    if (answer->n_hops < v->max_redirects)
        return fg_fail(v->err, FG_EIO,
                       "'%.*s' redirects in a circle: redirect %zu leads back to an "
                       "address before it",
                       FG_ARG(asked), n);
    return fg_fail(v->err, FG_EIO,
                   "'%.*s' redirects too often: redirect %zu was not followed, because "
                   "fetch.max-redirects is %u",
                   FG_ARG(asked), n, v->max_redirects);
}

static enum fg_status not_answered(struct view *v)
{
    const struct fg_answer *answer = v->answer;
    struct fg_str url = fg_str_sub(answer->url, 0, 200);
    const char *hint = v->host.robots_outcome == FG_FETCH_FORBIDDEN
                           ? "; see net.allow-private and operator.contact"
                           : "";
    switch (answer->end) {
    case FG_ASK_ROBOTS:
        return fg_fail(v->err, FG_EIO, "robots.txt forbids '%.*s' (%.*s)", FG_ARG(url),
                       FG_ARG(v->rule));
    case FG_ASK_HELD:
        return fg_fail(v->err, FG_EIO,
                       "'%.*s' was not asked for, because robots.txt of its host cannot "
                       "be had: %.*s%s",
                       FG_ARG(url), FG_ARG(v->robots_trouble), hint);
    case FG_ASK_REDIRECTS:
        return too_many_redirects(v);
    case FG_ASK_LOCATION:
        return fg_fail(v->err, FG_EIO,
                       "'%.*s' redirects to something that is not a web address",
                       FG_ARG(url));
    default:
        return fg_fail(v->err, FG_EIO, "'%.*s' was not fetched: %s", FG_ARG(url),
                       fg_ask_end_name(answer->end));
    }
}

static enum fg_status judge(struct view *v)
{
    const struct fg_response *response = v->answer->response;
    if (v->answer->end != FG_ASK_ANSWERED)
        return not_answered(v);
    if (response->outcome != FG_FETCHED)
        return fg_fail(v->err, FG_EIO, "'%.*s' was not fetched: %s",
                       FG_ARG(fg_str_sub(v->answer->url, 0, 200)), response->why);
    if (response->status == 429 || response->status == 503)
        v->cli->exit = FG_EXIT_RATE_LIMITED;
    else if (response->status >= 400)
        v->cli->exit = FG_EXIT_ERROR;
    return FG_OK;
}

static void on_answer(void *context, const struct fg_polite *polite,
                      const struct fg_answer *answer)
{
    struct view *v = context;
    v->answer = answer;
    v->polite = polite;
    explain_robots(v);
    if (answer->end == FG_ASK_ANSWERED && answer->response->outcome == FG_FETCHED) {
        fg_reading_from(
            &v->reading, v->cli->arena, answer->url, answer->response,
            (struct fg_reading_rules){.token = v->token,
                                      .keep = v->cli->settings.crawl.naming.keep,
                                      .value = &v->value_rule});
        fg_conduct_judge(&v->conduct, &v->cli->settings.crawl.conduct,
                         fg_polite_rules(polite, fg_canonical_site(answer->url)), NULL,
                         fg_robots_path(answer->url), v->reading.tdm);
        v->has_page = true;
    }
    if (v->o->json)
        print_json(v);
    else
        print_people(v);
    v->status = judge(v);
}

/* Somebody who waits should know for what. */
static void on_wait(void *context, const struct fg_polite *polite)
{
    struct view *v = context;
    char text[FG_SPAN_TEXT];
    struct fg_str key = fg_canonical_site(fg_str_from(v->cli->words[0]));
    struct fg_host_view host;
    fg_time now = fg_clock_now(&v->clock);
    if (v->cli->common.quiet || !fg_polite_view(polite, key, &host) ||
        host.next_request == INT64_MAX || host.next_request < now + FG_SECOND)
        return;
    fg_span_format(text, (host.next_request - now) / FG_SECOND * FG_SECOND);
    fprintf(stderr, "waiting for %s, as the host asks\n", text);
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    struct view v = {.cli = cli,
                     .o = cli->options,
                     .token = cli->settings.crawl.robots_token,
                     .err = err};
    struct fg_crawl_options crawl = cli->settings.crawl;
    enum fg_status st =
        fg_value_rule_parse(&v.value_rule, cli->arena, crawl.documents.value_rule, err);
    if (st)
        return st;
    /* robots.txt and one page: two requests a second apart harm nobody. A Crawl-delay
     * that asks for more gets it. */
    crawl.pace.delay = crawl.pace.delay < FG_SECOND ? crawl.pace.delay : FG_SECOND;
    crawl.archive.file = v.o->warc.len ? v.o->warc.at : NULL;
    v.clock = crawl.clock;
    v.max_redirects = crawl.max_redirects;
    st = fg_errand_run(&(struct fg_errand){.options = &crawl,
                                           .url = fg_str_from(cli->words[0]),
                                           .take = on_answer,
                                           .wait = on_wait,
                                           .context = &v},
                       err);
    return st ? st : v.status;
}

static const struct fg_example examples[] = {
    {"forage fetch --links http://127.0.0.1:9/ || echo 'not this time'",
     "what robots.txt says, the answer, and the links to follow"},
    {"forage fetch --json --net-allow-private loopback http://localhost:9/ || true",
     "everything for a script; a page of this machine"},
    {"forage fetch --warc page.warc.gz http://127.0.0.1:9/ || forage warc check "
     "page.warc.gz",
     "keep the exchange as an archive"},
    {0},
};

const struct fg_command fg_cmd_fetch = {
    .name = "fetch",
    .words = "URL",
    .summary = "fetch one page as the crawler would, and show what it sees",
    .about =
        "Asks for robots.txt first and obeys it, follows redirects the way a crawl does, "
        "and shows the verdict with the rule that decided, each redirect, the answer, "
        "and what was read from it. Nothing is stored, except with --warc. Exits with 1 "
        "if the page was not "
        "fetched or the answer is an error, and with 18 if the host asks to slow down.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "operator fetch net canonical clock documents.value",
    .main_settings = "operator.contact net.allow-private documents.value fetch.max-body",
    .examples = examples,
    .run = run,
};
