/* Retry-After (RFC 9110, 10.2.3) and redirects (facts of WPT's fetch/api/redirect),
 * against a real server. */
#include "conformance/suite.h"

#include "base/buf.h"
#include "crawl/host/polite.h"
#include "net/text/date.h"
#include "support/server.h"

#include <event2/event.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- Retry-After --- */

static bool retry_after_is(const json_t *test, fg_time got, fg_time now)
{
    const json_t *result = json_object_get(test, "result");
    if (json_is_null(result))
        return got == FG_NEVER;
    if (json_is_integer(result))
        return got == json_integer_value(result) * FG_SECOND;
    if (strcmp(json_string_value(result), "clamp") == 0)
        return got >= FG_DAY && got <= 365 * FG_DAY;
    fg_time moment = fg_date_parse(suite_str(test, "result"));
    return moment != FG_NEVER && got == moment - now;
}

static void run_retry_after(struct suite *suite)
{
    json_t *cases = suite_json(suite, "retry-after.json"), *test;
    size_t i;
    suite_part(suite, "retry-after");
    json_array_foreach(cases, i, test)
    {
        struct fg_str value = suite_str(test, "value");
        /* A date is to come; what it comes to is capped at a year. */
        fg_time moment = fg_date_parse(suite_str(test, "result"));
        fg_time now = moment == FG_NEVER ? 0 : moment - 200 * FG_DAY;
        fg_time got = fg_retry_after_parse(value, now);
        bool passed = retry_after_is(test, got, now);
        suite_case(suite, passed, "%.*s", FG_ARG(value));
        if (!passed)
            suite_detail(suite, "got %" PRId64, got);
    }
    json_decref(cases);
}

/* --- redirects --- */

struct script {
    unsigned status;
    struct fg_str location; /* at NULL: none is sent */
    unsigned chain;
};

static bool serve(struct client *client)
{
    const struct script *script = client->context;
    unsigned step = 0;
    if (sscanf(client->path, "/dir/start/%u", &step) != 1)
        return client_page(client, "text/html", FG_STR("ok"));
    if (step == script->chain)
        return client_page(client, "text/html", FG_STR("ok"));
    client_printf(client, "HTTP/1.1 %u Redirect\r\n", script->status);
    if (script->chain < 1000)
        client_printf(client, "Location: /dir/start/%u\r\n", step + 1);
    else if (script->location.at) {
        client_puts(client, "Location: ");
        client_send(client, script->location);
        client_puts(client, "\r\n");
    }
    return client_puts(client, "Content-Length: 0\r\n\r\n");
}

static const struct route routes[] = {
    {"/robots.txt", .raw = "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"},
    {"/*", .serve = serve},
    {0},
};

struct outcome {
    enum fg_ask_end end;
    unsigned status;
    size_t n_hops;
    char url[512];
    bool is_done;
};

static void take(void *context, const struct fg_answer *answer)
{
    struct outcome *outcome = context;
    outcome->end = answer->end;
    outcome->status = answer->response ? answer->response->status : 0;
    outcome->n_hops = answer->n_hops;
    snprintf(outcome->url, sizeof outcome->url, "%.*s", FG_ARG(answer->url));
    outcome->is_done = true;
}

static struct outcome ask(const char *url)
{
    struct outcome outcome = {0};
    struct fg_clock clock = fg_clock_wall();
    struct event_base *loop = event_base_new();
    struct fg_fetch_options options = fg_fetch_defaults();
    struct fg_workers *workers;
    options.user_agent = "forage-test";
    options.reach = FG_REACH_LOOPBACK;
    fg_workers_new(&workers, loop, 1, &options, NULL, NULL);
    struct fg_pace_rules rules = fg_pace_defaults();
    rules.delay = 0;
    struct fg_polite *polite = fg_polite_new(
        workers, loop, &clock,
        &(struct fg_polite_options){
            .rules = rules, .max_redirects = 20, .robots_token = FG_STR("forage")});
    fg_polite_ask(
        polite,
        &(struct fg_ask){.url = fg_str_from(url), .done = take, .context = &outcome});
    while (!outcome.is_done)
        event_base_loop(loop, EVLOOP_ONCE);
    fg_workers_free(workers);
    fg_polite_free(polite);
    event_base_free(loop);
    return outcome;
}

/* One byte for each code point of latin-1; "{host}" is the server. */
static struct fg_str bytes_of(struct suite *suite, struct fg_str text, const char *host)
{
    struct fg_buf out;
    fg_buf_init(&out, 4096);
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c >= 0xC0 && i + 1 < text.len)
            fg_buf_add_char(&out, (char)((c & 0x1F) << 6 | (text.at[++i] & 0x3F)));
        else if (fg_str_starts(fg_str_skip(text, i), FG_STR("{host}")))
            fg_buf_add(&out, fg_str_from(host)), i += 5;
        else
            fg_buf_add_char(&out, (char)c);
    }
    struct fg_str bytes = fg_arena_dup(&suite->arena, fg_buf_str(&out));
    fg_buf_clear(&out);
    return bytes;
}

static bool is_as_told(const json_t *test, const struct outcome *got)
{
    struct fg_str suffix = suite_str(test, "suffix"), url = fg_str_from(got->url);
    const json_t *status = json_object_get(test, "result_status");
    if (suffix.at)
        return got->end == FG_ASK_ANSWERED && url.len >= suffix.len &&
               fg_str_eq(fg_str_skip(url, url.len - suffix.len), suffix);
    if (status)
        return got->end == FG_ASK_ANSWERED && !got->n_hops &&
               got->status == json_integer_value(status);
    bool is_error = json_is_true(json_object_get(test, "error"));
    return is_error ? got->end == FG_ASK_LOCATION || got->end == FG_ASK_REDIRECTS
                    : got->end == FG_ASK_ANSWERED && got->status == 200;
}

static void run_redirects(struct suite *suite)
{
    json_t *cases = suite_json(suite, "redirects.json"), *test;
    size_t i;
    suite_part(suite, "redirects");
    json_array_foreach(cases, i, test)
    {
        struct script script = {.status = 302, .chain = 1000};
        const json_t *status = json_object_get(test, "status"),
                     *chain = json_object_get(test, "chain_length");
        struct server *server = server_start(routes, &script);
        if (status)
            script.status = (unsigned)json_integer_value(status);
        if (chain)
            script.chain = (unsigned)json_integer_value(chain);
        script.location = suite_str(test, "location");
        if (suite_str(test, "location_bytes").at)
            script.location = bytes_of(suite, suite_str(test, "location_bytes"),
                                       server_origin(server) + 7);
        struct outcome got = ask(server_url(server, "/dir/start/0"));
        bool passed = is_as_told(test, &got);
        suite_case(suite, passed, "%zu", i);
        if (!passed)
            suite_detail(suite, "%s, status %u, %zu hops, %s", fg_ask_end_name(got.end),
                         got.status, got.n_hops, got.url);
        server_stop(server);
    }
    json_decref(cases);
}

static void run(struct suite *suite)
{
    if (suite_has(suite, "retry-after.json"))
        run_retry_after(suite);
    if (suite_has(suite, "redirects.json"))
        run_redirects(suite);
}

int main(void)
{
    return suite_main("http", run);
}
