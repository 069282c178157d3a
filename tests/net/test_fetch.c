/* What a fetch is when all goes well, and how it is used. Servers that mean harm are in
 * test_fetch_hostile.c, TLS in test_fetch_tls.c. */
#include "net/fetch_fixture.h"
#include "support/server.h"

#include <arpa/inet.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

static bool echo(struct client *client)
{
    return client_page(client, "text/plain", fg_str_from(client->head));
}

static bool slow(struct client *client)
{
    return client_wait(client, 300 * FG_MILLISECOND) &&
           client_page(client, "text/plain", FG_STR("late"));
}

static bool never(struct client *client)
{
    while (client_wait(client, FG_SECOND))
        ;
    return false;
}

static bool is_gzip, is_zstd;

static bool packed(struct client *client)
{
    static _Thread_local char text[100000], out[200000]; /* a thread a connection */
    memset(text, 'x', sizeof text);
    size_t len;
    if (is_zstd) {
        len = ZSTD_compress(out, sizeof out, text, sizeof text, 3);
    } else {
        z_stream z = {0};
        deflateInit2(&z, 6, Z_DEFLATED, is_gzip ? 31 : 15, 8, Z_DEFAULT_STRATEGY);
        z.next_in = (unsigned char *)text;
        z.avail_in = sizeof text;
        z.next_out = (unsigned char *)out;
        z.avail_out = sizeof out;
        deflate(&z, Z_FINISH);
        len = z.total_out;
        deflateEnd(&z);
    }
    return client_printf(client,
                         "HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nContent-Length: "
                         "%zu\r\n\r\n",
                         is_zstd   ? "zstd"
                         : is_gzip ? "gzip"
                                   : "deflate",
                         len) &&
           client_send(client, (struct fg_str){out, len});
}

/* "forage " a hundred times, packed by brotli at its best. */
static const char brotli_bytes[] = "\x1b\xbb\x02\xf8\x8d\x94\x6e\xde\xb4\x0e\x2b\x33"
                                   "\x7b\x93\x20\x67\x72\x51\x5b\x24\xf0\x4d\x4f\x02";

static bool brotli(struct client *client)
{
    return client_printf(client,
                         "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: "
                         "%zu\r\n\r\n",
                         sizeof brotli_bytes - 1) &&
           client_send(client, (struct fg_str){brotli_bytes, sizeof brotli_bytes - 1});
}

static const struct route routes[] = {
    {"/", .raw = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Twice: a\r\n"
                 "x-twice:  b \r\nContent-Length: 5\r\n\r\nhello"},
    {"/chunked", .raw = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                        "5\r\nhello\r\n6;ext=1\r\n world\r\n0\r\nX-Trailer: t\r\n"
                        "Location: /late\r\n\r\n"},
    {"/early", .raw = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
                      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"},
    {"/moved", .raw = "HTTP/1.1 301 Moved\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"},
    {"/same", .raw = "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n"},
    {"/cookie", .raw = "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n"},
    {"/echo*", .serve = echo},
    {"/slow", .serve = slow},
    {"/never", .serve = never},
    {"/packed", .serve = packed},
    {"/brotli", .serve = brotli},
    {0},
};

static void an_answer_comes_back_whole(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct fg_fetch_options options = local_options();
    struct got got = fetch_one(&options, server_url(server, "/"));
    assert_int_equal(got.outcome, FG_FETCHED);
    assert_string_equal(got.why, "");
    assert_int_equal(got.status, 200);
    assert_string_equal(got.body, "hello");
    assert_false(got.truncated);
    assert_string_equal(got.ip, "127.0.0.1");
    assert_int_equal(got.http_version, 11);
    assert_true(got.wire_bytes > 5);
    struct fg_response response = {.headers = fg_str_from(got.headers)};
    assert_str(fg_response_header(&response, "content-TYPE", 0), "text/html");
    assert_str(fg_response_header(&response, "X-Twice", 0), "a");
    assert_str(fg_response_header(&response, "X-Twice", 1), "b");
    assert_null(fg_response_header(&response, "X-Twice", 2).at);
    assert_null(fg_response_header(&response, "Twice", 0).at);
    got_clear(&got);
    server_stop(server);
}

static void chunks_are_joined_and_trailers_left_out(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct fg_fetch_options options = local_options();
    struct got got = fetch_one(&options, server_url(server, "/chunked"));
    assert_int_equal(got.outcome, FG_FETCHED);
    assert_string_equal(got.body, "hello world");
    struct fg_response response = {.headers = fg_str_from(got.headers)};
    assert_null(fg_response_header(&response, "Location", 0).at);
    assert_null(fg_response_header(&response, "X-Trailer", 0).at);
    got_clear(&got);
    server_stop(server);
}

static void headers_are_those_of_the_final_answer(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct fg_fetch_options options = local_options();
    struct got got = fetch_one(&options, server_url(server, "/early"));
    assert_int_equal(got.outcome, FG_FETCHED);
    assert_int_equal(got.status, 200);
    assert_string_equal(got.headers, "Content-Length: 2\r\n");
    got_clear(&got);
    server_stop(server);
}

static void redirects_are_left_to_the_caller(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct fg_fetch_options options = local_options();
    struct got got = fetch_one(&options, server_url(server, "/moved"));
    assert_int_equal(got.outcome, FG_FETCHED);
    assert_int_equal(got.status, 301);
    assert_int_equal(server_hits(server), 1);
    got_clear(&got);
    server_stop(server);
}

static void requests_say_who_asks(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct fg_fetch_options options = local_options();
    options.user_agent = "Mozilla/5.0 (compatible; mybot; +https://example.org/bot)";
    options.from = "bot@example.org";
    struct got got = fetch_one(&options, server_url(server, "/echo?a=1&b=%20"));
    assert_non_null(strstr(got.body, "GET /echo?a=1&b=%20 HTTP/1.1\r\n"));
    assert_non_null(strstr(got.body, "\r\nUser-Agent: Mozilla/5.0 (compatible; mybot; "
                                     "+https://example.org/bot)\r\n"));
    assert_non_null(strstr(got.body, "\r\nFrom: bot@example.org\r\n"));
    assert_non_null(strstr(got.body, "\r\nAccept: text/html,"));
    assert_non_null(strstr(got.body, "gzip"));
    assert_null(strstr(got.body, "Cookie"));
    assert_null(strstr(got.body, "Referer"));
    assert_null(strstr(got.body, "If-"));
    got_clear(&got);
    server_stop(server);
}

static void validators_make_it_conditional(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct fg_fetch_options options = local_options();
    struct got got = {0};
    fetch_with(
        &got, &options,
        &(struct fg_request){.url = fg_str_from(server_url(server, "/echo")),
                             .etag = FG_STR("W/\"x\""),
                             .last_modified = FG_STR("Thu, 01 Jan 2026 00:00:00 GMT")});
    assert_non_null(strstr(got.body, "\r\nIf-None-Match: W/\"x\"\r\n"));
    assert_non_null(
        strstr(got.body, "\r\nIf-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT\r\n"));
    got_clear(&got);
    got = fetch_one(&options, server_url(server, "/same"));
    assert_int_equal(got.outcome, FG_FETCHED);
    assert_int_equal(got.status, 304);
    got_clear(&got);
    server_stop(server);
}

static void a_validator_cannot_smuggle_a_header(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct fg_fetch_options options = local_options();
    struct got got = {0};
    fetch_with(&got, &options,
               &(struct fg_request){.url = fg_str_from(server_url(server, "/echo")),
                                    .etag = FG_STR("\"x\"\r\nX-Evil: 1"),
                                    .last_modified = FG_STR("a\nX-Evil: 2")});
    assert_null(strstr(got.body, "Evil"));
    assert_null(strstr(got.body, "If-"));
    got_clear(&got);
    server_stop(server);
}

static void an_operator_cannot_break_the_header(void **state)
{
    (void)state;
    struct event_base *loop = event_base_new();
    struct fg_fetcher *fetcher;
    struct fg_fetch_options options = local_options();
    struct fg_err err = {0};
    options.user_agent = "a\r\nX: y";
    assert_int_equal(fg_fetcher_new(&fetcher, loop, &options, &err), FG_ECONFIG);
    options.user_agent = "";
    assert_int_equal(fg_fetcher_new(&fetcher, loop, &options, &err), FG_ECONFIG);
    options.user_agent = "a";
    options.ca_file = "/nonexistent";
    assert_int_equal(fg_fetcher_new(&fetcher, loop, &options, &err), FG_ECONFIG);
    assert_null(fetcher);
    event_base_free(loop);
}

static void packed_answers_are_unpacked(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct fg_fetch_options options = local_options();
    for (int kind = 0; kind < 3; kind++) {
        is_gzip = kind == 1;
        is_zstd = kind == 2;
        struct got got = fetch_one(&options, server_url(server, "/packed"));
        assert_int_equal(got.outcome, FG_FETCHED);
        assert_int_equal(got.body_len, 100000);
        assert_int_equal(strspn(got.body, "x"), 100000);
        assert_true(got.wire_bytes < 5000);
        got_clear(&got);
    }
    struct got got = fetch_one(&options, server_url(server, "/brotli"));
    assert_int_equal(got.outcome, FG_FETCHED);
    assert_int_equal(got.body_len, 700);
    assert_memory_equal(got.body + 693, "forage ", 7);
    got_clear(&got);
    server_stop(server);
}

static void a_connection_is_used_again(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct fg_fetch_options options = local_options();
    struct fetching f = fetching_new(&options);
    struct got got = {0};
    for (int i = 0; i < 5; i++) {
        fg_fetcher_start(f.fetcher,
                         &(struct fg_request){.url = fg_str_from(server_url(server, "/")),
                                              .done = got_take,
                                              .context = &got});
        fetching_run(&f);
        assert_int_equal(got.outcome, FG_FETCHED);
    }
    assert_int_equal(got.calls, 5);
    assert_int_equal(server_connections(server), 1);
    got_clear(&got);
    fetching_end(&f);
    server_stop(server);
}

static bool answer_late(struct client *client)
{
    return client_wait(client, 300 * FG_MILLISECOND) &&
           client_page(client, "text/plain", FG_STR("late"));
}

static bool answer_and_hang_up(struct client *client)
{
    client_page(client, "text/plain", FG_STR("bye"));
    return false;
}

/* The server hangs up on a connection that nobody uses while another is in use. */
static void an_idle_connection_may_be_closed(void **state)
{
    (void)state;
    static const struct route closing[] = {
        {"/late", .serve = answer_late}, {"/bye", .serve = answer_and_hang_up}, {0}};
    struct server *server = server_start(closing, NULL);
    struct fg_fetch_options options = local_options();
    struct fetching f = fetching_new(&options);
    struct got late = {0}, bye = {0};
    struct fg_request request = {.url = fg_str_from(server_url(server, "/late")),
                                 .done = got_take,
                                 .context = &late};
    for (unsigned i = 1; i <= 3; i++) {
        fg_fetcher_start(f.fetcher, &request);
        fg_fetcher_start(f.fetcher, &(struct fg_request){
                                        .url = fg_str_from(server_url(server, "/bye")),
                                        .done = got_take,
                                        .context = &bye});
        event_base_dispatch(f.loop); /* ends: no socket is left in it */
        assert_true(late.calls == i && bye.calls == i);
        assert_int_equal(late.outcome, FG_FETCHED);
        assert_int_equal(bye.outcome, FG_FETCHED);
    }
    assert_int_equal(server_connections(server), 4);
    got_clear(&late);
    got_clear(&bye);
    fetching_end(&f);
    server_stop(server);
}

static void cookies_are_not_kept(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct fg_fetch_options options = local_options();
    struct fetching f = fetching_new(&options);
    struct got got = {0};
    const char *paths[] = {"/cookie", "/echo"};
    for (int i = 0; i < 2; i++) {
        fg_fetcher_start(f.fetcher, &(struct fg_request){
                                        .url = fg_str_from(server_url(server, paths[i])),
                                        .done = got_take,
                                        .context = &got});
        fetching_run(&f);
    }
    assert_null(strstr(got.body, "Cookie"));
    got_clear(&got);
    fetching_end(&f);
    server_stop(server);
}

static void the_first_byte_tells_how_fast_the_server_is(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct fg_fetch_options options = local_options();
    struct got got = fetch_one(&options, server_url(server, "/slow"));
    assert_true(got.first_byte >= 290 * FG_MILLISECOND);
    assert_true(got.took >= got.first_byte);
    got_clear(&got);
    server_stop(server);
}

static void nobody_listening_is_an_outcome(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    char url[64];
    snprintf(url, sizeof url, "%s", server_url(server, "/"));
    server_stop(server);
    struct fg_fetch_options options = local_options();
    struct got got = fetch_one(&options, url);
    assert_int_equal(got.outcome, FG_FETCH_CONNECT);
    assert_int_equal(got.status, 0);
    assert_true(strlen(got.why) > 0);
    got_clear(&got);
    got = fetch_one(&options, "http://nothing.invalid/");
    assert_int_equal(got.outcome, FG_FETCH_DNS);
    got_clear(&got);
}

static void what_is_no_address_is_an_outcome(void **state)
{
    (void)state;
    struct fg_fetch_options options = local_options();
    char *longest = malloc(100001);
    memset(longest, 'a', 100000);
    memcpy(longest, "http://127.0.0.1/", 17);
    longest[100000] = '\0';
    const char *urls[] = {"",
                          "nonsense",
                          "ftp://127.0.0.1/",
                          "file:///etc/passwd",
                          "http:",
                          "http:///nowhere",
                          longest};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct got got = fetch_one(&options, urls[i]);
        assert_int_equal(got.outcome, FG_FETCH_BAD_URL);
        got_clear(&got);
    }
    struct got got = {0};
    fetch_with(&got, &options,
               &(struct fg_request){.url = FG_STR("http://127.0.0.1\0.example/")});
    assert_int_equal(got.outcome, FG_FETCH_BAD_URL);
    got_clear(&got);
    free(longest);
}

/* --- re-entrance --- */

struct chain {
    struct fetching *f;
    const char *url;
    int left, done;
};

static void start_next(void *context, const struct fg_response *response)
{
    struct chain *chain = context;
    chain->done += response->outcome == FG_FETCHED;
    if (chain->left-- > 0)
        for (int i = 0; i < 2; i++)
            fg_fetcher_start(chain->f->fetcher,
                             &(struct fg_request){.url = fg_str_from(chain->url),
                                                  .done = start_next,
                                                  .context = chain});
}

static void a_callback_may_start_requests(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct fg_fetch_options options = local_options();
    options.max_connections = 4;
    struct fetching f = fetching_new(&options);
    struct chain chain = {.f = &f, .url = server_url(server, "/"), .left = 50};
    start_next(&chain, &(struct fg_response){.outcome = FG_FETCH_DNS});
    assert_int_equal(chain.done, 0);
    fetching_run(&f);
    assert_int_equal(chain.done, 100);
    assert_true(server_connections(server) <= 4 + 100);
    fetching_end(&f);
    server_stop(server);
}

static void stopping_ends_what_is_open(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct fg_fetch_options options = local_options();
    struct fetching f = fetching_new(&options);
    struct got got[5] = {0};
    for (int i = 0; i < 5; i++)
        fg_fetcher_start(f.fetcher, &(struct fg_request){
                                        .url = fg_str_from(server_url(server, "/never")),
                                        .done = got_take,
                                        .context = &got[i]});
    struct timeval moment = {0, 50000};
    event_base_loopexit(f.loop, &moment);
    event_base_dispatch(f.loop);
    assert_int_equal(fg_fetcher_in_flight(f.fetcher), 5);
    assert_int_equal(fg_fetcher_room(f.fetcher), options.max_connections - 5);
    fg_fetcher_stop(f.fetcher);
    assert_int_equal(fg_fetcher_in_flight(f.fetcher), 0);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(got[i].outcome, FG_FETCH_STOPPED);
        assert_int_equal(got[i].calls, 1);
        got_clear(&got[i]);
    }
    fetching_end(&f);
    server_stop(server);
}

static void what_a_stop_starts_goes_on(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct fg_fetch_options options = local_options();
    struct fetching f = fetching_new(&options);
    struct chain chain = {.f = &f, .url = server_url(server, "/"), .left = 1};
    fg_fetcher_start(
        f.fetcher, &(struct fg_request){.url = fg_str_from(server_url(server, "/never")),
                                        .done = start_next,
                                        .context = &chain});
    fg_fetcher_stop(f.fetcher);
    assert_int_equal(fg_fetcher_in_flight(f.fetcher), 2);
    fetching_run(&f);
    assert_int_equal(chain.done, 2);
    fetching_end(&f);
    server_stop(server);
}

static void freeing_drops_what_is_open(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct fg_fetch_options options = local_options();
    struct fetching f = fetching_new(&options);
    struct got got = {0};
    fg_fetcher_start(
        f.fetcher, &(struct fg_request){.url = fg_str_from(server_url(server, "/never")),
                                        .done = got_take,
                                        .context = &got});
    struct timeval moment = {0, 50000};
    event_base_loopexit(f.loop, &moment);
    event_base_dispatch(f.loop);
    fetching_end(&f);
    assert_int_equal(got.calls, 0);
    server_stop(server);
}

/* Nobody takes what waits at this door, and no more than one fits in front of it: the
 * machine does not answer. */
static void a_connection_that_nobody_takes_is_given_up(void **state)
{
    (void)state;
    enum { WAITING = 4 };
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int door = socket(AF_INET, SOCK_STREAM, 0), waiting[WAITING];
    char url[64];
    assert_int_equal(bind(door, (struct sockaddr *)&address, len), 0);
    assert_int_equal(listen(door, 0), 0);
    getsockname(door, (struct sockaddr *)&address, &len);
    for (int i = 0; i < WAITING; i++) {
        waiting[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        connect(waiting[i], (struct sockaddr *)&address, len);
    }
    struct fg_fetch_options options = local_options();
    options.connect_timeout = 300 * FG_MILLISECOND;
    options.timeout = FG_MINUTE;
    snprintf(url, sizeof url, "http://127.0.0.1:%u/", ntohs(address.sin_port));
    struct got got = fetch_one(&options, url);
    assert_int_equal(got.outcome, FG_FETCH_TIMEOUT);
    assert_true(got.took >= 250 * FG_MILLISECOND && got.took < 30 * FG_SECOND);
    got_clear(&got);
    for (int i = 0; i < WAITING; i++)
        close(waiting[i]);
    close(door);
}

FG_TESTS(a_connection_that_nobody_takes_is_given_up, an_answer_comes_back_whole,
         chunks_are_joined_and_trailers_left_out, headers_are_those_of_the_final_answer,
         redirects_are_left_to_the_caller, requests_say_who_asks,
         validators_make_it_conditional, a_validator_cannot_smuggle_a_header,
         an_operator_cannot_break_the_header, packed_answers_are_unpacked,
         a_connection_is_used_again, an_idle_connection_may_be_closed,
         cookies_are_not_kept, the_first_byte_tells_how_fast_the_server_is,
         nobody_listening_is_an_outcome, what_is_no_address_is_an_outcome,
         a_callback_may_start_requests, stopping_ends_what_is_open,
         what_a_stop_starts_goes_on, freeing_drops_what_is_open)
