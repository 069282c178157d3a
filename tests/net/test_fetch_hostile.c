/* Servers that mean harm. Each must end in an outcome, within its limits, and without the
 * crawler taking notice beyond that. */
#include "base/buf.h"
#include "base/time.h"
#include "net/fetch_fixture.h"
#include "support/server.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <zlib.h>

/* --- where it may connect --- */

/* In front of the C library's: how often anybody here tried to connect. */
static atomic_uint connects;

int connect(int fd, const struct sockaddr *address, socklen_t len)
{
    atomic_fetch_add(&connects, 1);
    return (int)syscall(SYS_connect, fd, address, len);
}

static const struct route plain_routes[] = {
    {"/", .raw = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"},
    {0},
};

static void private_addresses_are_refused(void **state)
{
    (void)state;
    static const char *const urls[] = {
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://172.16.0.1:8080/",
        "http://169.254.169.254/latest/meta-data/",
        "http://100.64.0.1/",
        "http://0.0.0.0/",
        "http://[::]/",
        "http://[::1]/",
        "http://[fe80::1]/",
        "http://[fd00::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://[64:ff9b::10.0.0.1]/",
        "https://10.0.0.1/",
        "http://127.0.0.1:9/",
    };
    struct fg_fetch_options options = local_options();
    options.reach = FG_REACH_PUBLIC;
    /* Long enough for a connection to be tried, if one were. */
    options.connect_timeout = 20 * FG_SECOND;
    atomic_store(&connects, 0);
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct got got = fetch_one(&options, urls[i]);
        if (got.outcome != FG_FETCH_FORBIDDEN)
            fail_msg("%s: %s (%s)", urls[i], fg_outcome_name(got.outcome), got.why);
        assert_string_equal(got.why, "the address is not public");
        assert_true(got.took < 10 * FG_SECOND);
        got_clear(&got);
    }
    assert_int_equal(atomic_load(&connects), 0);
    /* And it does count: */
    options.reach = FG_REACH_LOOPBACK;
    struct got got = fetch_one(&options, "http://127.0.0.1:9/");
    assert_int_equal(got.outcome, FG_FETCH_CONNECT);
    assert_true(atomic_load(&connects) > 0);
    got_clear(&got);
}

static void a_name_that_resolves_to_loopback_is_refused(void **state)
{
    (void)state;
    struct server *server = server_start(plain_routes, NULL);
    struct fg_fetch_options options = local_options();
    char url[64];
    options.reach = FG_REACH_PUBLIC;
    snprintf(url, sizeof url, "http://localhost:%u/", server_port(server));
    struct got got = fetch_one(&options, url);
    assert_int_equal(got.outcome, FG_FETCH_FORBIDDEN);
    assert_int_equal(server_connections(server), 0);
    got_clear(&got);
    options.reach = FG_REACH_LOOPBACK;
    got = fetch_one(&options, url);
    assert_int_equal(got.outcome, FG_FETCHED); /* so it was the guard that refused */
    assert_int_equal(server_connections(server), 1);
    got_clear(&got);
    /* The machine's own name, where that is a loopback address, too. */
    char name[200];
    if (gethostname(name, sizeof name) == 0 && *name) {
        char own[300];
        options.reach = FG_REACH_PUBLIC;
        snprintf(own, sizeof own, "http://%s:%u/", name, server_port(server));
        got = fetch_one(&options, own);
        assert_int_not_equal(got.outcome, FG_FETCHED);
        assert_int_equal(server_connections(server), 1);
        got_clear(&got);
    }
    server_stop(server);
}

static void a_crawl_without_an_operator_stays_on_this_machine(void **state)
{
    (void)state;
    struct server *server = server_start(plain_routes, NULL);
    struct fg_fetch_options options = local_options();
    options.is_anonymous = true;
    struct got got = fetch_one(&options, server_url(server, "/"));
    assert_int_equal(got.outcome, FG_FETCHED);
    got_clear(&got);
    options.reach = FG_REACH_ANY;
    got = fetch_one(&options, "http://10.0.0.1/");
    assert_int_equal(got.outcome, FG_FETCH_FORBIDDEN);
    assert_non_null(strstr(got.why, "nobody answers"));
    got_clear(&got);
    options.reach = FG_REACH_LOOPBACK;
    got = fetch_one(&options, "http://192.0.2.1/"); /* documentation: nobody's */
    assert_int_equal(got.outcome, FG_FETCH_FORBIDDEN);
    got_clear(&got);
    server_stop(server);
}

/* A proxy sees names only; what it is asked for is written out in full. */
static bool proxy(struct client *client)
{
    return client_page(client, "text/plain", FG_STR("through a proxy"));
}

static const struct route proxy_routes[] = {{"http://*", .serve = proxy}, {0}};

static void a_proxy_may_be_private_but_not_lead_there(void **state)
{
    (void)state;
    struct server *server = server_start(proxy_routes, NULL);
    struct fg_fetch_options options = local_options();
    options.reach = FG_REACH_PUBLIC;
    setenv("http_proxy", server_origin(server), 1);
    struct got got = fetch_one(&options, "http://name.example/x");
    assert_int_equal(got.outcome, FG_FETCHED);
    assert_string_equal(got.body, "through a proxy");
    got_clear(&got);
    got = fetch_one(&options, "http://169.254.169.254/latest/meta-data/");
    assert_int_equal(got.outcome, FG_FETCH_FORBIDDEN);
    got_clear(&got);
    got = fetch_one(&options, "http://[::ffff:10.0.0.1]/");
    assert_int_equal(got.outcome, FG_FETCH_FORBIDDEN);
    got_clear(&got);
    got = fetch_one(&options, "http://127.0.0.1:9/"); /* asked directly, and refused */
    assert_int_equal(got.outcome, FG_FETCH_FORBIDDEN);
    got_clear(&got);
    assert_int_equal(server_hits(server), 1);
    unsetenv("http_proxy");
    server_stop(server);
}

static void keep_request(void *context, const struct fg_response *response)
{
    *(char **)context = got_copy(response->wire->request);
}

/* The record of a request goes to others; the password for the proxy does not. */
static void the_record_does_not_have_the_password_of_the_proxy(void **state)
{
    (void)state;
    struct server *server = server_start(proxy_routes, NULL);
    struct fg_fetch_options options = local_options();
    options.reach = FG_REACH_PUBLIC;
    options.keeps_wire = true;
    char proxy_url[128], *request = NULL;
    snprintf(proxy_url, sizeof proxy_url, "http://me:secret@127.0.0.1:%u",
             server_port(server));
    setenv("http_proxy", proxy_url, 1);
    struct fetching f = fetching_new(&options);
    fg_fetcher_start(f.fetcher,
                     &(struct fg_request){.url = FG_STR("http://name.example/"),
                                          .done = keep_request,
                                          .context = &request});
    fetching_run(&f);
    assert_non_null(strstr(server_hit(server, 0).head, "Proxy-Authorization: Basic"));
    assert_null(strstr(request, "Authorization"));
    assert_non_null(strstr(request, "\r\nHost: name.example\r\n"));
    assert_non_null(strstr(request, "\r\n\r\n"));
    free(request);
    fetching_end(&f);
    unsetenv("http_proxy");
    server_stop(server);
}

/* --- too much --- */

static bool endless_body(struct client *client)
{
    static const char block[] = "all work and no play makes a dull crawler\n";
    bool is_chunked = strstr(client->path, "chunked");
    client_printf(client, "HTTP/1.1 200 OK\r\n%s\r\n",
                  is_chunked ? "Transfer-Encoding: chunked\r\n" : "");
    while (is_chunked ? client_printf(client, "%zx\r\n%s\r\n", sizeof block - 1, block)
                      : client_puts(client, block))
        ;
    return false;
}

static bool huge_length(struct client *client)
{
    client_puts(client, "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n");
    while (client_puts(client, "0123456789abcdef"))
        ;
    return false;
}

/* A gigabyte of zeros in a megabyte, or the same twice over: gzip in gzip. */
static bool gzip_bomb(struct client *client)
{
    bool is_double = strstr(client->path, "double");
    static unsigned char zeros[1 << 16], out[1 << 16];
    z_stream z = {0};
    deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
    client_printf(client, "HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\n\r\n",
                  is_double ? "gzip, gzip" : "gzip");
    z_stream outer = {0};
    static unsigned char wrapped[1 << 17];
    deflateInit2(&outer, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
    bool goes_on = true;
    for (int i = 0; i < 16384 && goes_on; i++) {
        z.next_in = zeros;
        z.avail_in = sizeof zeros;
        z.next_out = out;
        z.avail_out = sizeof out;
        deflate(&z, i == 16383 ? Z_FINISH : Z_NO_FLUSH);
        size_t len = sizeof out - z.avail_out;
        if (!is_double) {
            goes_on = client_send(client, (struct fg_str){(char *)out, len});
            continue;
        }
        outer.next_in = out;
        outer.avail_in = (unsigned)len;
        outer.next_out = wrapped;
        outer.avail_out = sizeof wrapped;
        deflate(&outer, i == 16383 ? Z_FINISH : Z_SYNC_FLUSH);
        goes_on = client_send(
            client, (struct fg_str){(char *)wrapped, sizeof wrapped - outer.avail_out});
    }
    deflateEnd(&outer);
    deflateEnd(&z);
    return false;
}

static const struct route floods[] = {
    {"/endless*", .serve = endless_body},
    {"/huge", .serve = huge_length},
    {"/bomb*", .serve = gzip_bomb},
    {0},
};

static void is_cut_at(const char *path, size_t max_body)
{
    struct server *server = server_start(floods, NULL);
    struct fg_fetch_options options = local_options();
    options.max_body = max_body;
    struct got got = fetch_one(&options, server_url(server, path));
    assert_int_equal(got.outcome, FG_FETCHED);
    assert_int_equal(got.status, 200);
    assert_true(got.truncated);
    assert_int_equal(got.body_len, max_body);
    got_clear(&got);
    server_stop(server);
}

static void an_endless_body_is_cut(void **state)
{
    (void)state;
    is_cut_at("/endless", 100000);
    is_cut_at("/endless?chunked", 100000);
    is_cut_at("/endless", 1);
    is_cut_at("/huge", 100000);
}

static long peak_kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void a_gzip_bomb_is_cut(void **state)
{
    (void)state;
    is_cut_at("/bomb", 1 << 20); /* what the sanitizer and curl take is taken now */
    long before = peak_kilobytes();
    for (int i = 0; i < 3; i++)
        is_cut_at("/bomb", 1 << 20);
    is_cut_at("/bomb?double", 1 << 20);
    assert_true(peak_kilobytes() - before < 64 << 10); /* not the gigabyte */
}

static void a_body_of_just_the_limit_is_whole(void **state)
{
    (void)state;
    struct server *server = server_start(plain_routes, NULL);
    struct fg_fetch_options options = local_options();
    options.max_body = 5;
    struct got got = fetch_one(&options, server_url(server, "/"));
    assert_false(got.truncated);
    assert_string_equal(got.body, "hello");
    got_clear(&got);
    /* A request may set its own. */
    fetch_with(
        &got, &options,
        &(struct fg_request){.url = fg_str_from(server_url(server, "/")), .max_body = 4});
    assert_true(got.truncated);
    assert_string_equal(got.body, "hell");
    got_clear(&got);
    server_stop(server);
}

static bool header_flood(struct client *client)
{
    client_puts(client, "HTTP/1.1 200 OK\r\n");
    while (client_puts(client, "X-Flood: all work and no play\r\n"))
        ;
    return false;
}

static bool endless_line(struct client *client)
{
    client_puts(client, "HTTP/1.1 200 OK\r\nX-Flood: ");
    while (client_puts(client, "all work and no play "))
        ;
    return false;
}

static bool endless_status(struct client *client)
{
    client_puts(client, "HTTP/1.1 200 ");
    while (client_puts(client, "OK OK OK OK OK OK "))
        ;
    return false;
}

static bool informational_flood(struct client *client)
{
    while (client_puts(client, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"))
        ;
    return false;
}

static bool continue_flood(struct client *client)
{
    while (client_puts(client, "HTTP/1.1 100 Continue\r\n\r\n"))
        ;
    return false;
}

static bool trailer_flood(struct client *client)
{
    client_puts(client, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                        "5\r\nhello\r\n0\r\n");
    while (client_puts(client, "X-Flood: all work and no play\r\n"))
        ;
    return false;
}

static const struct route header_routes[] = {
    {"/headers", .serve = header_flood},
    {"/line", .serve = endless_line},
    {"/status", .serve = endless_status},
    {"/1xx", .serve = informational_flood},
    {"/continue", .serve = continue_flood},
    {"/trailers", .serve = trailer_flood},
    {0},
};

static void header_floods_are_given_up(void **state)
{
    (void)state;
    struct server *server = server_start(header_routes, NULL);
    struct fg_fetch_options options = local_options();
    for (const struct route *route = header_routes; route->path; route++) {
        struct got got = fetch_one(&options, server_url(server, route->path));
        if (got.outcome != FG_FETCH_HEADERS)
            fail_msg("%s: %s (%s)", route->path, fg_outcome_name(got.outcome), got.why);
        assert_true(strlen(got.headers) <= options.max_headers);
        got_clear(&got);
    }
    server_stop(server);
}

/* --- too slow --- */

static bool drip(struct client *client)
{
    client_puts(client, "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
    while (client_puts(client, "x") && client_wait(client, 20 * FG_MILLISECOND))
        ;
    return false;
}

static bool drip_headers(struct client *client)
{
    static const char head[] = "HTTP/1.1 200 OK\r\nX-Slow: xxxxxxxxxxxxxxxxxxxxxxxxx";
    for (size_t i = 0; head[i]; i++)
        if (!client_send(client, (struct fg_str){head + i, 1}) ||
            !client_wait(client, 50 * FG_MILLISECOND))
            return false;
    while (client_puts(client, "x") && client_wait(client, 50 * FG_MILLISECOND))
        ;
    return false;
}

static bool silence(struct client *client)
{
    while (client_wait(client, FG_SECOND))
        ;
    return false;
}

static bool thinks_long(struct client *client)
{
    return client_wait(client, 12 * FG_SECOND) &&
           client_page(client, "text/plain", FG_STR("thought"));
}

static const struct route slow_routes[] = {
    {"/drip", .serve = drip},
    {"/headers", .serve = drip_headers},
    {"/silence", .serve = silence},
    {"/thinks", .serve = thinks_long},
    {0},
};

static void a_slow_drip_is_given_up(void **state)
{
    (void)state;
    struct server *server = server_start(slow_routes, NULL);
    struct fg_fetch_options options = local_options();
    options.timeout = FG_SECOND;
    for (size_t i = 0; i < 3; i++) {
        struct got got = fetch_one(&options, server_url(server, slow_routes[i].path));
        assert_int_equal(got.outcome, FG_FETCH_TIMEOUT);
        assert_true(got.took >= 900 * FG_MILLISECOND);
        got_clear(&got);
    }
    server_stop(server);
}

/* The least speed is asked of the body, not of a server that thinks before it speaks. */
static void slowness_ends_after_ten_seconds_and_thought_may_take_longer(void **state)
{
    (void)state;
    if (!getenv("FORAGE_LONG")) {
        print_message("only with FORAGE_LONG=1: it waits for twelve seconds\n");
        skip();
    }
    struct server *server = server_start(slow_routes, NULL);
    struct fg_fetch_options options = local_options();
    struct got got = fetch_one(&options, server_url(server, "/drip"));
    assert_int_equal(got.outcome, FG_FETCH_TIMEOUT);
    assert_true(got.took >= 9 * FG_SECOND && got.took < 19 * FG_SECOND);
    got_clear(&got);
    got = fetch_one(&options, server_url(server, "/thinks"));
    assert_int_equal(got.outcome, FG_FETCHED);
    got_clear(&got);
    server_stop(server);
}

/* --- wrong --- */

#define OK_HEAD "HTTP/1.1 200 OK\r\n"

/* What is sent before the connection is closed, and what it must come to. */
static const struct wrong {
    const char *name, *sent;
    enum fg_outcome outcome;
    const char *body; /* if fetched */
} wrongs[] = {
    {"a length longer than the body", OK_HEAD "Content-Length: 10\r\n\r\nhello",
     FG_FETCH_BROKEN, NULL},
    {"a length shorter than the body", OK_HEAD "Content-Length: 3\r\n\r\nhello",
     FG_FETCHED, "hel"},
    {"two lengths that differ",
     OK_HEAD "Content-Length: 3\r\nContent-Length: 5\r\n\r\nhello", FG_FETCHED, NULL},
    {"a negative length", OK_HEAD "Content-Length: -1\r\n\r\nhello", FG_FETCH_BROKEN,
     NULL},
    {"a length that is no number", OK_HEAD "Content-Length: many\r\n\r\nhello",
     FG_FETCH_BROKEN, NULL},
    {"no length, ended by the connection", OK_HEAD "\r\nhello", FG_FETCHED, "hello"},
    {"chunk size garbage", OK_HEAD "Transfer-Encoding: chunked\r\n\r\nzz\r\nhello",
     FG_FETCH_BROKEN, NULL},
    {"chunk size overflow",
     OK_HEAD "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nhello",
     FG_FETCH_BROKEN, NULL},
    {"chunk shorter than it says",
     OK_HEAD "Transfer-Encoding: chunked\r\n\r\n9\r\nhello\r\n0\r\n\r\n", FG_FETCH_BROKEN,
     NULL},
    {"chunks without an end", OK_HEAD "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
     FG_FETCH_BROKEN, NULL},
    {"gzip that is none",
     OK_HEAD "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\n"
             "hello",
     FG_FETCH_BROKEN, NULL},
    {"a coding nobody knows",
     OK_HEAD "Content-Encoding: magic\r\nContent-Length: 5\r\n\r\nhello", FG_FETCH_BROKEN,
     NULL},
    {"nothing at all", "", FG_FETCH_BROKEN, NULL},
    {"HTTP/0.9", "<html>hello</html>", FG_FETCH_BROKEN, NULL},
    {"another protocol", "SSH-2.0-OpenSSH_9.2\r\n", FG_FETCH_BROKEN, NULL},
    {"half a status line", "HTTP/1.1 2", FG_FETCH_BROKEN, NULL},
    {"a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n", FG_FETCH_BROKEN, NULL},
    {"an HTTP of the future", "HTTP/9.9 200 OK\r\n\r\n", FG_FETCH_BROKEN, NULL},
    {"a protocol switch nobody asked for",
     "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nhello", FG_FETCH_BROKEN,
     NULL},
};

static const struct wrong *_Atomic wrong;

static bool serve_wrong(struct client *client)
{
    client_puts(client, wrong->sent);
    return false;
}

static const struct route wrong_routes[] = {{"/", .serve = serve_wrong}, {0}};

static void wrong_answers_are_outcomes(void **state)
{
    (void)state;
    struct server *server = server_start(wrong_routes, NULL);
    struct fg_fetch_options options = local_options();
    options.timeout = 5 * FG_SECOND;
    bool is_bad = false;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        wrong = &wrongs[i];
        struct got got = fetch_one(&options, server_url(server, "/"));
        if (got.outcome != wrong->outcome ||
            (wrong->body && strcmp(got.body, wrong->body) != 0)) {
            print_error("%s: %s, '%s' (%s)\n", wrong->name, fg_outcome_name(got.outcome),
                        got.body, got.why);
            is_bad = true;
        }
        got_clear(&got);
    }
    assert_false(is_bad);
    server_stop(server);
}

/* --- cut at every byte --- */

static const struct {
    const char *text;
    size_t spare; /* bytes at its end without which it is whole all the same */
} whole_answers[] = {
    {OK_HEAD "Content-Type: text/html\r\nContent-Length: 5\r\n\r\nhello", 0},
    /* Once the empty chunk has come, the body is whole. */
    {OK_HEAD "Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n", 1},
    {"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" OK_HEAD
     "Content-Length: 5\r\n\r\nhello",
     0},
    {"HTTP/1.1 301 Moved\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", 0},
    {"HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n", 0},
};

static struct fg_str cut;

static bool serve_cut(struct client *client)
{
    client_send(client, cut);
    return false;
}

static const struct route cut_routes[] = {{"/", .serve = serve_cut}, {0}};

static void a_connection_cut_at_any_byte_is_broken(void **state)
{
    (void)state;
    struct server *server = server_start(cut_routes, NULL);
    struct fg_fetch_options options = local_options();
    struct fetching f = fetching_new(&options);
    struct got got = {0};
    for (size_t i = 0; i < sizeof whole_answers / sizeof *whole_answers; i++) {
        struct fg_str whole = fg_str_from(whole_answers[i].text);
        for (size_t n = 0; n <= whole.len; n++) {
            cut = fg_str_sub(whole, 0, n);
            unsigned calls = got.calls;
            fg_fetcher_start(f.fetcher, &(struct fg_request){
                                            .url = fg_str_from(server_url(server, "/")),
                                            .done = got_take,
                                            .context = &got});
            fetching_run(&f);
            assert_int_equal(got.calls, calls + 1);
            enum fg_outcome expected =
                n + whole_answers[i].spare >= whole.len ? FG_FETCHED : FG_FETCH_BROKEN;
            if (got.outcome != expected)
                fail_msg("answer %zu cut at %zu of %zu: %s, '%s'", i, n, whole.len,
                         fg_outcome_name(got.outcome), got.body);
        }
    }
    got_clear(&got);
    fetching_end(&f);
    server_stop(server);
}

/* Where the end of the connection is the end of the body, every body is a whole one. */
static void without_a_length_the_end_of_the_connection_ends_the_body(void **state)
{
    (void)state;
    struct server *server = server_start(cut_routes, NULL);
    struct fg_fetch_options options = local_options();
    struct fg_str whole = FG_STR("HTTP/1.0 200 OK\r\nX: y\r\n\r\nhello");
    for (size_t n = 0; n <= whole.len; n++) {
        cut = fg_str_sub(whole, 0, n);
        struct got got = fetch_one(&options, server_url(server, "/"));
        bool has_headers = n >= whole.len - 5;
        assert_int_equal(got.outcome, has_headers ? FG_FETCHED : FG_FETCH_BROKEN);
        if (has_headers)
            assert_int_equal(got.body_len, n - (whole.len - 5));
        got_clear(&got);
    }
    server_stop(server);
}

/* --- servers that keep the loop busy --- */

/* Bytes that make no body: whatever reads them may go on for ever. */
static bool send_for_ever(struct client *client, const char *head, struct fg_str first,
                          struct fg_str again)
{
    enum { PIECES = 4096 };
    struct fg_buf many;
    fg_buf_init(&many, SIZE_MAX);
    for (size_t i = 0; i < PIECES; i++)
        fg_buf_add(&many, again);
    bool is_there = client_puts(client, head) && client_send(client, first);
    while (is_there)
        is_there = client_send(client, fg_buf_str(&many));
    fg_buf_clear(&many);
    return false;
}

static bool empty_blocks(struct client *client)
{
    return send_for_ever(client, "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n",
                         (struct fg_str){"\x78\x9c", 2},
                         (struct fg_str){"\0\0\0\xff\xff", 5});
}

static bool chunk_extension(struct client *client)
{
    return send_for_ever(client, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                         FG_STR("5;x="), FG_STR("yyyyyyyy"));
}

static bool gzip_name(struct client *client)
{
    return send_for_ever(client, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n",
                         (struct fg_str){"\x1f\x8b\x08\x08\0\0\0\0\0\x03", 10},
                         FG_STR("namename"));
}

static const struct route busy_routes[] = {
    {"/deflate", .serve = empty_blocks},
    {"/chunks", .serve = chunk_extension},
    {"/gzip", .serve = gzip_name},
    {0},
};

struct ticking {
    struct event *timer;
    fg_time last, longest;
};

/* By what the loop has worked, not by the clock: the machine may be busy with others. */
static void on_tick(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct ticking *ticking = context;
    fg_time now = fg_time_worked();
    if (ticking->last && now - ticking->last > ticking->longest)
        ticking->longest = now - ticking->last;
    ticking->last = now;
}

/* A timer beside it fires on, and it ends when more has come than a page may have. */
static void a_flood_of_nothing_ends_and_holds_up_nobody(void **state)
{
    (void)state;
    static const char *const paths[] = {"/deflate", "/chunks", "/gzip"};
    struct fg_fetch_options options = local_options();
    options.max_body = 32 << 20;
    struct server *server = server_start(busy_routes, NULL);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct fetching f = fetching_new(&options);
        struct ticking ticking = {0};
        struct got got = {0};
        struct timeval each = {0, 10000};
        ticking.timer = event_new(f.loop, -1, EV_PERSIST, on_tick, &ticking);
        event_add(ticking.timer, &each);
        fg_fetcher_start(f.fetcher, &(struct fg_request){
                                        .url = fg_str_from(server_url(server, paths[i])),
                                        .done = got_take,
                                        .context = &got});
        fetching_run(&f);
        if (got.outcome == FG_FETCHED || got.took > 15 * FG_SECOND)
            fail_msg("%s: %s (%s)", paths[i], fg_outcome_name(got.outcome), got.why);
        assert_true(ticking.longest < FG_SECOND);
        event_free(ticking.timer);
        got_clear(&got);
        fetching_end(&f);
    }
    server_stop(server);
}

/* --- what is not the host's fault --- */

static void running_out_of_files_is_not_the_hosts_fault(void **state)
{
    (void)state;
    struct server *server = server_start(plain_routes, NULL);
    struct fg_fetch_options options = local_options();
    struct fetching f = fetching_new(&options);
    struct got got = {0};
    struct rlimit before, none;
    getrlimit(RLIMIT_NOFILE, &before);
    fg_fetcher_start(f.fetcher,
                     &(struct fg_request){.url = fg_str_from(server_url(server, "/")),
                                          .done = got_take,
                                          .context = &got});
    int next = dup(0);
    none = (struct rlimit){(rlim_t)next, before.rlim_max};
    close(next);
    setrlimit(RLIMIT_NOFILE, &none);
    fetching_run(&f);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_int_equal(got.outcome, FG_FETCH_HERE);
    assert_string_equal(got.why, strerror(EMFILE));
    got_clear(&got);
    fetching_end(&f);
    server_stop(server);
}

/* --- one ask is one request --- */

/* The first answer is whole, and the connection is cut when the next request comes. */
static bool cut_the_second(struct client *client)
{
    return client->number % 2 == 0 &&
           client_puts(client, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
}

static const struct route cutting_routes[] = {{"/", .serve = cut_the_second}, {0}};

static void a_request_is_not_repeated_behind_our_back(void **state)
{
    (void)state;
    struct server *server = server_start(cutting_routes, NULL);
    struct fg_fetch_options options = local_options();
    struct fetching f = fetching_new(&options);
    for (unsigned i = 0; i < 6; i++) {
        struct got got = {0};
        fg_fetcher_start(f.fetcher,
                         &(struct fg_request){.url = fg_str_from(server_url(server, "/")),
                                              .done = got_take,
                                              .context = &got});
        fetching_run(&f);
        assert_int_equal(got.outcome, i % 2 ? FG_FETCH_BROKEN : FG_FETCHED);
        assert_int_equal(server_hits(server), i + 1);
        got_clear(&got);
    }
    fetching_end(&f);
    server_stop(server);
}

FG_TESTS(private_addresses_are_refused, a_name_that_resolves_to_loopback_is_refused,
         a_crawl_without_an_operator_stays_on_this_machine,
         a_proxy_may_be_private_but_not_lead_there,
         the_record_does_not_have_the_password_of_the_proxy, an_endless_body_is_cut,
         a_gzip_bomb_is_cut, a_body_of_just_the_limit_is_whole,
         header_floods_are_given_up, a_slow_drip_is_given_up,
         slowness_ends_after_ten_seconds_and_thought_may_take_longer,
         wrong_answers_are_outcomes, a_connection_cut_at_any_byte_is_broken,
         without_a_length_the_end_of_the_connection_ends_the_body,
         a_flood_of_nothing_ends_and_holds_up_nobody,
         running_out_of_files_is_not_the_hosts_fault,
         a_request_is_not_repeated_behind_our_back)
