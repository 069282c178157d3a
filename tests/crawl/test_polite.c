#include "crawl/polite_fixture.h"
#include "crawl/sites/pages.h"
#include "net/robots/robots_fetch.h"

#define OK_PAGE "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
#define NO_PAGE "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"

static bool serve_robots(struct client *client)
{
    return client_page(client, "text/plain", fg_str_from(client->context));
}

static bool never(struct client *client)
{
    while (client_wait(client, FG_SECOND))
        ;
    return false;
}

static const struct route pages[] = {
    {"/robots.txt", .serve = serve_robots},
    {"/never", .serve = never},
    {"/bare-redirect", .raw = "HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n\r\n"},
    {"/*", .raw = OK_PAGE},
    {0},
};

static char everything[] = "User-agent: *\nAllow: /\n";
static char private[] = "User-agent: *\nDisallow: /private\nSitemap: /map.xml\n";

/* --- robots.txt --- */

static void robots_comes_first_and_once(void **state)
{
    (void)state;
    struct server *server = server_start(pages, private);
    struct asking asking;
    asking_start(&asking, 1, quick(0), NULL);
    struct told told[10];
    for (int i = 0; i < 10; i++)
        ask_for(&asking, &told[i], server_url(server, i % 2 ? "/a" : "/b"), 0);
    asking_run(&asking);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(told[i].end, FG_ASK_ANSWERED);
        assert_int_equal(told[i].requests, 1);
        assert_string_equal(told[i].body, "ok");
    }
    assert_string_equal(server_hit(server, 0).path, "/robots.txt");
    assert_int_equal(server_count(server, "/robots.txt"), 1);
    assert_int_equal(server_hits(server), 11);
    const struct fg_str *sitemaps;
    assert_int_equal(
        fg_polite_sitemaps(asking.polite, fg_str_from(server_origin(server)), &sitemaps),
        1);
    assert_str(sitemaps[0], "/map.xml");
    asking_end(&asking);
    server_stop(server);
}

static void what_robots_forbids_is_not_asked_for(void **state)
{
    (void)state;
    struct server *server = server_start(pages, private);
    struct asking asking;
    asking_start(&asking, 1, quick(0), NULL);
    struct told told = ask_one(&asking, server_url(server, "/private/x?y"));
    assert_int_equal(told.end, FG_ASK_ROBOTS);
    assert_int_equal(told.requests, 0);
    assert_false(told.has_response);
    assert_int_equal(server_hits(server), 1);
    asking_end(&asking);
    server_stop(server);
}

static struct {
    const char *answer;
    enum fg_ask_end end;
} robots_cases[] = {
    {NO_PAGE, FG_ASK_ANSWERED},
    {"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", FG_ASK_ANSWERED},
    {"HTTP/1.1 204 No Content\r\n\r\n", FG_ASK_ANSWERED},
    {"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", FG_ASK_HELD},
    {"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", FG_ASK_HELD},
    {"HTTP/1.1 429 Slow down\r\nContent-Length: 0\r\n\r\n", FG_ASK_HELD},
    {"HTTP/1.1 302 Found\r\nLocation: mailto:x\r\nContent-Length: 0\r\n\r\n",
     FG_ASK_HELD},
    {"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", FG_ASK_HELD},
    {"HTTP/1.1 302 Found\r\nLocation: /robots.txt\r\nContent-Length: 0\r\n\r\n",
     FG_ASK_HELD},
    {"HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n",
     FG_ASK_HELD},
    {"nonsense", FG_ASK_HELD},
    {"HTTP/1.1 200 OK\r\nContent-Le", FG_ASK_HELD}, /* cut within its headers */
    {"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nUser-agent: *\n", FG_ASK_HELD},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nUse", FG_ASK_HELD},
    {"", FG_ASK_HELD},
};

static const char *robots_answer;
static bool robots_answer_is_whole;

/* What is cut ends with the connection: a page asked for on it would race that. */
static bool serve_robots_case(struct client *client)
{
    return client_puts(client, robots_answer) && robots_answer_is_whole;
}

static const struct route robots_routes[] = {
    {"/robots.txt", .serve = serve_robots_case},
    {"/*", .raw = OK_PAGE},
    {0},
};

static void an_error_for_robots_is_never_permission(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof robots_cases / sizeof *robots_cases; i++) {
        struct server *server = server_start(robots_routes, NULL);
        struct asking asking;
        struct fg_host_view view;
        robots_answer = robots_cases[i].answer;
        robots_answer_is_whole = robots_cases[i].end == FG_ASK_ANSWERED;
        asking_start(&asking, 1, quick(0), NULL);
        fg_time now = fg_clock_now(&asking.clock);
        struct told told = ask_one(&asking, server_url(server, "/page"));
        if (told.end != robots_cases[i].end)
            fail_msg("'%s': %s", robots_answer, fg_ask_end_name(told.end));
        if (server_count(server, "/page") != (told.end == FG_ASK_ANSWERED))
            fail_msg("'%s': the page was asked for %zu times, outcome %s", robots_answer,
                     server_count(server, "/page"), fg_outcome_name(told.outcome));
        assert_true(
            fg_polite_view(asking.polite, fg_str_from(server_origin(server)), &view));
        if (told.end == FG_ASK_HELD) {
            assert_true(told.held_until >= now + FG_MINUTE);
            assert_true(*view.robots_trouble);
        } else {
            assert_false(*view.robots_trouble);
        }
        asking_end(&asking);
        server_stop(server);
    }
}

static bool robots_hops(struct client *client)
{
    unsigned hop = 0, most = *(unsigned *)client->context;
    if (sscanf(client->path, "/hop%u", &hop) != 1)
        hop = 0;
    if (hop == most)
        return client_page(client, "text/plain",
                           FG_STR("User-agent: *\nDisallow: /private\n"));
    return client_printf(client,
                         "HTTP/1.1 301 Moved\r\nLocation: http://localhost:%s/hop%u\r\n"
                         "Content-Length: 0\r\n\r\n",
                         strrchr(client->host, ':') + 1, hop + 1);
}

static const struct route robots_hop_routes[] = {
    {"/robots.txt", .serve = robots_hops},
    {"/hop*", .serve = robots_hops},
    {"/*", .raw = OK_PAGE},
    {0},
};

/* RFC 9309, 2.3.1.2: at least five redirects, to other hosts, too. */
static void robots_is_followed_over_five_redirects(void **state)
{
    (void)state;
    for (unsigned hops = 5; hops <= 6; hops++) {
        struct server *server = server_start(robots_hop_routes, &hops);
        struct asking asking;
        asking_start(&asking, 1, quick(0), NULL);
        struct told told = ask_one(&asking, server_url(server, "/private"));
        assert_int_equal(told.end, hops == 5 ? FG_ASK_ROBOTS : FG_ASK_HELD);
        assert_int_equal(server_hits(server), 6);
        asking_end(&asking);
        server_stop(server);
    }
}

/* --- the pace --- */

static void requests_keep_their_distance(void **state)
{
    (void)state;
    struct server *server = server_start(pages, everything);
    struct asking asking;
    asking_start(&asking, 1, quick(50 * FG_MILLISECOND), NULL);
    struct told told[8];
    for (int i = 0; i < 8; i++)
        ask_for(&asking, &told[i], server_url(server, "/x"), 0);
    asking_run(&asking);
    assert_int_equal(server_hits(server), 9);
    assert_true(server_least_gap(server) >= 50 * FG_MILLISECOND);
    asking_end(&asking);
    server_stop(server);
}

/* Even if a request takes its time to arrive: the connection is new each time, and slow
 * answers alternate with fast ones. */
static bool now_slow_now_fast(struct client *client)
{
    if (client->number % 2)
        client_wait(client, 60 * FG_MILLISECOND);
    client_puts(client,
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    return false;
}

static const struct route uneven[] = {{"/*", .serve = now_slow_now_fast}, {0}};

static void distance_is_kept_whatever_answers_take(void **state)
{
    (void)state;
    struct server *server = server_start(uneven, NULL);
    struct asking asking;
    asking_start(&asking, 1, quick(40 * FG_MILLISECOND), NULL);
    struct told told[8];
    for (int i = 0; i < 8; i++)
        ask_for(&asking, &told[i], server_url(server, "/x"), 0);
    asking_run(&asking);
    assert_true(server_least_gap(server) >= 40 * FG_MILLISECOND);
    asking_end(&asking);
    server_stop(server);
}

static void crawl_delay_is_kept(void **state)
{
    (void)state;
    static char robots[] = "User-agent: *\nCrawl-delay: 10\n";
    struct server *server = server_start(pages, robots);
    struct asking asking;
    asking_start(&asking, 200, quick(FG_SECOND), NULL); /* 10 s are 50 ms */
    struct told told[5];
    for (int i = 0; i < 5; i++)
        ask_for(&asking, &told[i], server_url(server, "/x"), 0);
    asking_run(&asking);
    assert_int_equal(server_hits(server), 6);
    assert_true(server_least_gap(server) >= 50 * FG_MILLISECOND);
    asking_end(&asking);
    server_stop(server);
}

static void hosts_do_not_wait_for_each_other(void **state)
{
    (void)state;
    struct server *slow = server_start(pages, everything),
                  *quick_one = server_start(pages, everything);
    struct asking asking;
    asking_start(&asking, 1, quick(0), NULL);
    struct told stuck, told;
    ask_for(&asking, &stuck, server_url(slow, "/never"), 0);
    ask_for(&asking, &told, server_url(quick_one, "/x"), 0);
    asking.open--; /* the stuck one is not waited for */
    asking_run(&asking);
    assert_int_equal(told.end, FG_ASK_ANSWERED);
    assert_int_equal(stuck.calls, 0);
    assert_int_equal(fg_polite_in_flight(asking.polite), 1);
    asking_end(&asking); /* with a request open */
    server_stop(slow);
    server_stop(quick_one);
}

static void full_workers_make_hosts_line_up(void **state)
{
    (void)state;
    enum { HOSTS = 12 };
    struct server *servers[HOSTS];
    struct told told[HOSTS][3];
    struct asking asking;
    struct fg_fetch_options fetch = asking_fetch_options();
    fetch.max_connections = 2;
    asking_start(&asking, 1, quick(20 * FG_MILLISECOND), &fetch);
    for (int i = 0; i < HOSTS; i++) {
        servers[i] = server_start(uneven, NULL);
        for (int j = 0; j < 3; j++)
            ask_for(&asking, &told[i][j], server_url(servers[i], "/x"), 0);
    }
    while (asking.open) {
        event_base_loop(asking.loop, EVLOOP_ONCE);
        assert_true(fg_workers_in_flight(asking.workers) <= 2);
    }
    for (int i = 0; i < HOSTS; i++) {
        for (int j = 0; j < 3; j++) {
            assert_int_equal(told[i][j].end, FG_ASK_ANSWERED);
            assert_int_equal(told[i][j].outcome, FG_FETCHED);
        }
        assert_true(server_least_gap(servers[i]) >= 20 * FG_MILLISECOND);
    }
    asking_end(&asking);
    for (int i = 0; i < HOSTS; i++)
        server_stop(servers[i]);
}

static bool keeps_nothing(void *context, const struct fg_response *response)
{
    (void)context;
    assert_non_null(response->wire);
    assert_non_null(response->note);
    return false;
}

static void what_cannot_be_archived_was_not_asked_for(void **state)
{
    (void)state;
    struct server *server = server_start(pages, everything);
    struct asking asking;
    struct fg_polite_options options = quick(0);
    struct fg_fetch_options fetch = asking_fetch_options();
    fetch.keeps_wire = true;
    options.record = keeps_nothing;
    asking_start(&asking, 1, options, &fetch);
    struct told told = ask_one(&asking, server_url(server, "/a"));
    assert_int_equal(told.end, FG_ASK_STOPPED);
    assert_int_equal(server_count(server, "/a"), 0); /* robots.txt was in doubt already */
    asking_end(&asking);
    server_stop(server);
}

static void the_most_urgent_goes_first(void **state)
{
    (void)state;
    struct server *server = server_start(pages, everything);
    struct asking asking;
    asking_start(&asking, 1, quick(FG_MILLISECOND), NULL);
    static const float priorities[] = {1, 3, 2, 3, 0};
    static const size_t order[] = {3, 0, 2, 1, 4};
    struct told told[5];
    for (int i = 0; i < 5; i++)
        ask_for(&asking, &told[i], server_url(server, "/x"), priorities[i]);
    asking_run(&asking);
    for (int i = 0; i < 5; i++)
        assert_int_equal(told[i].order, order[i]);
    asking_end(&asking);
    server_stop(server);
}

/* --- back-off --- */

static bool busy_once(struct client *client)
{
    bool is_first = server_count(client->server, "/busy") == 1;
    return is_first ? client_puts(client, client->context) : client_puts(client, OK_PAGE);
}

static const struct route busy_routes[] = {
    {"/busy", .serve = busy_once},
    {"/robots.txt", .raw = NO_PAGE},
    {"/*", .raw = OK_PAGE},
    {0},
};

static void check_busy(char *answer, fg_time least)
{
    struct server *server = server_start(busy_routes, answer);
    struct asking asking;
    asking_start(&asking, 600, quick(0), NULL);
    struct told first = ask_one(&asking, server_url(server, "/busy"));
    assert_int_not_equal(first.status, 200);
    struct told next = ask_one(&asking, server_url(server, "/other"));
    assert_int_equal(next.status, 200);
    fg_time gap = server_hit(server, 2).at - server_hit(server, 1).at;
    assert_true(gap >= least / 600);
    assert_true(asking.saved.at[asking.saved.len - 1].memory.backoff_step == 1);
    asking_end(&asking);
    server_stop(server);
}

static void a_busy_host_is_left_alone(void **state)
{
    (void)state;
    static char busy[] = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n";
    static char many[] = "HTTP/1.1 429 Too many\r\nContent-Length: 0\r\n\r\n";
    static char later[] =
        "HTTP/1.1 503 Busy\r\nRetry-After: 180\r\nContent-Length: 0\r\n\r\n";
    static char refused[] =
        "HTTP/1.1 403 No\r\nRetry-After: 150\r\nContent-Length: 0\r\n\r\n";
    static char cut[] =
        "HTTP/1.1 429 Too many\r\nRetry-After: 180\r\nContent-Length: 5\r\n\r\n123456";
    check_busy(busy, FG_MINUTE);
    check_busy(many, FG_MINUTE);
    check_busy(later, 180 * FG_SECOND);
    check_busy(refused, 150 * FG_SECOND);
    check_busy(cut, 180 * FG_SECOND);
}

static void long_backoff_ends_asks_as_held(void **state)
{
    (void)state;
    static char later[] =
        "HTTP/1.1 503 Busy\r\nRetry-After: 86400\r\nContent-Length: 0\r\n\r\n";
    struct server *server = server_start(busy_routes, later);
    struct asking asking;
    struct told told[3];
    asking_start(&asking, 1, quick(0), NULL);
    for (int i = 0; i < 3; i++)
        ask_for(&asking, &told[i], server_url(server, i ? "/other" : "/busy"), 0);
    asking_run(&asking);
    assert_int_equal(told[0].end, FG_ASK_ANSWERED);
    for (int i = 1; i < 3; i++) {
        assert_int_equal(told[i].end, FG_ASK_HELD);
        assert_true(told[i].held_until > fg_clock_now(&asking.clock) + 23 * FG_HOUR);
    }
    struct told again = ask_one(&asking, server_url(server, "/other"));
    assert_int_equal(again.end, FG_ASK_HELD);
    assert_int_equal(server_hits(server), 2);
    asking_end(&asking);
    server_stop(server);
}

static void a_restart_forgets_nothing(void **state)
{
    (void)state;
    static char later[] =
        "HTTP/1.1 503 Busy\r\nRetry-After: 300\r\nContent-Length: 0\r\n\r\n";
    struct server *server = server_start(busy_routes, later);
    struct asking before, after;
    asking_start(&before, 1, quick(0), NULL);
    ask_one(&before, server_url(server, "/busy"));
    struct fg_host_state kept = before.saved.at[before.saved.len - 1];
    asking_start(
        &after, 1,
        (struct fg_polite_options){.rules = fg_pace_defaults(), .patience = FG_MINUTE},
        NULL);
    fg_polite_recall(after.polite, &kept);
    struct told told = ask_one(&after, server_url(server, "/other"));
    assert_int_equal(told.end, FG_ASK_HELD);
    assert_int_equal(told.held_until, kept.memory.backoff_until);
    assert_int_equal(server_hits(server), 2);
    asking_end(&after);
    asking_end(&before);
    server_stop(server);
}

static void a_restart_keeps_holding(void **state)
{
    (void)state;
    static const struct route broken[] = {
        {"/robots.txt", .raw = "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"},
        {"/*", .raw = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
        {0}};
    struct server *server = server_start(broken, NULL);
    struct asking runs[3];
    asking_start(&runs[0], 1, quick(0), NULL);
    assert_int_equal(ask_one(&runs[0], server_url(server, "/a")).end, FG_ASK_HELD);
    struct fg_host_state kept = runs[0].saved.at[runs[0].saved.len - 1];
    assert_int_equal(kept.robots_verdict, FG_ROBOTS_HOLD);
    assert_int_equal(kept.robots_failures, 1);
    assert_true(kept.robots_fetched == FG_NEVER);

    asking_start(&runs[1], 1, quick(0), NULL);
    fg_polite_recall(runs[1].polite, &kept);
    struct told told = ask_one(&runs[1], server_url(server, "/a"));
    assert_int_equal(told.end, FG_ASK_HELD);
    assert_int_equal(told.held_until, kept.robots_expires);
    assert_int_equal(server_hits(server), 1);

    /* The fourth failure, in this run and earlier ones: eight minutes. */
    asking_start(&runs[2], 1, quick(0), NULL);
    kept.robots_expires = kept.memory.last_request;
    kept.robots_failures = 3;
    fg_polite_recall(runs[2].polite, &kept);
    fg_time before = fg_time_now();
    told = ask_one(&runs[2], server_url(server, "/a"));
    assert_int_equal(server_hits(server), 2);
    assert_in_range(told.held_until - before, 8 * FG_MINUTE, 9 * FG_MINUTE);
    for (int i = 0; i < 3; i++)
        asking_end(&runs[i]);
    server_stop(server);
}

static void a_host_survives_its_row(void **state)
{
    (void)state;
    struct fg_host_state kept = {.key = FG_STR("https://a.example"),
                                 .memory = {.last_request = 1,
                                            .crawl_delay = 2,
                                            .backoff_until = 3,
                                            .backoff_step = 4},
                                 .robots_fetched = FG_NEVER,
                                 .robots_expires = 5,
                                 .robots_verdict = FG_ROBOTS_HOLD,
                                 .robots_failures = 9,
                                 .robots = FG_STR("text")};
    struct fg_site_row row = {.key = kept.key};
    struct fg_host_state back;
    host_to_row(&row, &kept);
    assert_true(host_from_row(&back, &row));
    assert_int_equal(back.memory.last_request, 1);
    assert_int_equal(back.memory.crawl_delay, 2);
    assert_int_equal(back.memory.backoff_until, 3);
    assert_int_equal(back.memory.backoff_step, 4);
    assert_true(back.robots_fetched == FG_NEVER);
    assert_int_equal(back.robots_expires, 5);
    assert_int_equal(back.robots_verdict, FG_ROBOTS_HOLD);
    assert_int_equal(back.robots_failures, 9);
    assert_str(back.robots, "text");
    kept.robots_failures = 1000;
    host_to_row(&row, &kept);
    assert_true(host_from_row(&back, &row));
    assert_int_equal(back.robots_failures, 255);
    row.robots_verdict = 9;
    assert_false(host_from_row(&back, &row));
}

static void after_a_restart_the_first_request_waits(void **state)
{
    (void)state;
    struct server *server = server_start(pages, private);
    struct asking before, after;
    asking_start(&before, 1, quick(0), NULL);
    ask_one(&before, server_url(server, "/a"));
    struct fg_host_state kept = before.saved.at[before.saved.len - 1];
    fg_time restarted = fg_time_monotonic();
    asking_start(&after, 1, quick(100 * FG_MILLISECOND), NULL);
    fg_polite_recall(after.polite, &kept);
    struct told forbidden = ask_one(&after, server_url(server, "/private"));
    assert_int_equal(forbidden.end, FG_ASK_ROBOTS); /* its robots.txt is remembered */
    ask_one(&after, server_url(server, "/b"));
    assert_int_equal(server_count(server, "/robots.txt"), 1);
    assert_true(server_hit(server, 2).at - restarted >= 100 * FG_MILLISECOND);
    asking_end(&after);
    asking_end(&before);
    server_stop(server);
}

/* --- write-ahead --- */

static void nothing_is_asked_before_it_is_on_disk(void **state)
{
    (void)state;
    struct server *server = server_start(pages, everything);
    struct asking asking;
    struct told told;
    asking_start(&asking, 1, quick(0), NULL);
    asking.saves_late = true;
    ask_for(&asking, &told, server_url(server, "/a"), 0);
    asking_turn(&asking, 50 * FG_MILLISECOND);
    assert_int_equal(server_connections(server), 0);
    assert_int_equal(asking.saved.len, 1);
    assert_true(asking.saved.at[0].memory.last_request != FG_NEVER);
    fg_polite_saved(asking.polite, asking.saved.at[0].key);
    asking_turn(&asking, 50 * FG_MILLISECOND);
    assert_int_equal(server_hits(server), 1); /* robots.txt; it waits to be kept */
    assert_int_equal(asking.saved.len, 2);
    assert_str(asking.saved.at[1].robots, everything);
    fg_polite_saved(asking.polite, asking.saved.at[1].key);
    asking_run(&asking);
    assert_int_equal(server_hits(server), 2);
    /* Nobody waits for these. */
    fg_polite_saved(asking.polite, asking.saved.at[1].key);
    fg_polite_saved(asking.polite, FG_STR("http://unknown.example"));
    asking_end(&asking);
    server_stop(server);
}

static void all_of_several_saves_are_waited_for(void **state)
{
    (void)state;
    static char busy[] = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n";
    struct server *server = server_start(busy_routes, busy);
    struct asking asking;
    struct told told;
    struct fg_polite_options options = quick(0);
    options.rules.concurrency = 3;
    options.rules.backoff_first = FG_MILLISECOND;
    asking_start(&asking, 1, options, NULL);
    ask_one(&asking, server_url(server, "/a"));
    asking.saves_late = true;
    size_t before = asking.saved.len;
    struct told twice[2];
    ask_for(&asking, &twice[0], server_url(server, "/busy"), 0);
    ask_for(&asking, &twice[1], server_url(server, "/busy"), 0);
    asking_run(&asking);
    ask_for(&asking, &told, server_url(server, "/b"), 0);
    for (size_t i = before; i < asking.saved.len; i++) {
        asking_turn(&asking, 20 * FG_MILLISECOND);
        assert_int_equal(server_count(server, "/b"), 0);
        fg_polite_saved(asking.polite, asking.saved.at[i].key);
    }
    asking_run(&asking);
    assert_int_equal(server_count(server, "/b"), 1);
    asking_end(&asking);
    server_stop(server);
}

/* --- the end --- */

static void winding_down_ends_what_waits_and_lets_the_rest_finish(void **state)
{
    (void)state;
    struct server *server = server_start(pages, everything);
    struct asking asking;
    struct told open, waiting[4], late;
    asking_start(&asking, 1, quick(30 * FG_MILLISECOND), NULL);
    ask_one(&asking, server_url(server, "/a"));
    ask_for(&asking, &open, server_url(server, "/b"), 0);
    asking_turn(&asking, 5 * FG_MILLISECOND);
    for (int i = 0; i < 4; i++)
        ask_for(&asking, &waiting[i], server_url(server, "/c"), 0);
    while (!fg_polite_in_flight(asking.polite))
        event_base_loop(asking.loop, EVLOOP_ONCE);
    fg_polite_wind_down(asking.polite);
    ask_for(&asking, &late, server_url(server, "/d"), 0);
    asking_run(&asking);
    assert_int_equal(open.end, FG_ASK_ANSWERED);
    for (int i = 0; i < 4; i++)
        assert_int_equal(waiting[i].end, FG_ASK_STOPPED);
    assert_int_equal(late.end, FG_ASK_STOPPED);
    assert_int_equal(server_count(server, "/c"), 0);
    asking_end(&asking);
    server_stop(server);
}

static bool leaves(void *context, const struct fg_ask *ask)
{
    return ask->context == context || !context;
}

static const struct route free_routes[] = {
    {"/robots.txt", .raw = "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"},
    {"/*", .raw = OK_PAGE},
    {0},
};

static void what_is_withdrawn_is_not_asked_for(void **state)
{
    (void)state;
    struct server *server = server_start(free_routes, NULL);
    struct asking asking;
    struct told a, b, c;
    asking_start(&asking, 1, quick(50 * FG_MILLISECOND), NULL);
    ask_for(&asking, &a, server_url(server, "/a"), 3);
    ask_for(&asking, &b, server_url(server, "/b"), 2);
    ask_for(&asking, &c, server_url(server, "/c"), 1);
    fg_polite_withdraw(asking.polite, leaves, &b);
    asking_run(&asking);
    assert_int_equal(a.end, FG_ASK_ANSWERED);
    assert_int_equal(b.end, FG_ASK_STOPPED);
    assert_int_equal(b.requests, 0);
    assert_int_equal(c.end, FG_ASK_ANSWERED);
    assert_int_equal(server_count(server, "/b"), 0);
    asking_end(&asking);
    server_stop(server);
}

/* The file waits for the disk, and nobody needs it any more. */
static void a_robots_file_that_nobody_needs_is_not_asked_for(void **state)
{
    (void)state;
    struct server *server = server_start(free_routes, NULL);
    struct asking asking;
    struct told a, again;
    asking_start(&asking, 1, quick(0), NULL);
    asking.saves_late = true;
    ask_for(&asking, &a, server_url(server, "/a"), 0);
    fg_polite_withdraw(asking.polite, leaves, NULL);
    asking_run(&asking);
    assert_int_equal(a.end, FG_ASK_STOPPED);
    fg_polite_saved(asking.polite, fg_str_from(server_origin(server)));
    asking_turn(&asking, 50 * FG_MILLISECOND);
    assert_int_equal(server_count(server, "/robots.txt"), 0);
    asking.saves_late = false;
    ask_for(&asking, &again, server_url(server, "/a"), 0);
    asking_run(&asking);
    assert_int_equal(again.end, FG_ASK_ANSWERED);
    assert_int_equal(server_count(server, "/robots.txt"), 1);
    asking_end(&asking);
    server_stop(server);
}

static void winding_down_while_robots_is_on_its_way(void **state)
{
    (void)state;
    static const struct route silent[] = {{"/*", .serve = never}, {0}};
    struct server *server = server_start(silent, NULL);
    struct asking asking;
    struct told told;
    asking_start(&asking, 1, quick(0), NULL);
    ask_for(&asking, &told, server_url(server, "/a"), 0);
    asking_turn(&asking, 30 * FG_MILLISECOND);
    assert_int_equal(fg_polite_in_flight(asking.polite), 1);
    fg_polite_wind_down(asking.polite);
    asking_run(&asking);
    assert_int_equal(told.end, FG_ASK_STOPPED);
    fg_workers_stop(asking.workers);
    assert_int_equal(fg_polite_in_flight(asking.polite), 0);
    asking_turn(&asking, 5 * FG_MILLISECOND);
    asking_end(&asking);
    server_stop(server);
}

struct again {
    struct told told;
    const char *url;
    int left;
};

static void ask_again(void *context, const struct fg_answer *answer)
{
    struct again *again = context;
    struct asking *asking = again->told.asking;
    told_take(&again->told, answer);
    if (again->left-- <= 0)
        return;
    asking->open++;
    fg_polite_ask(asking->polite, &(struct fg_ask){.url = fg_str_from(again->url),
                                                   .done = ask_again,
                                                   .context = again});
}

/* From refusals, which are told from the loop, and from answers. */
static void a_callback_may_ask_again(void **state)
{
    (void)state;
    struct server *server = server_start(pages, private);
    const char *urls[] = {"/private", "/a", "/bare-redirect"};
    for (int i = 0; i < 3; i++) {
        struct asking asking;
        asking_start(&asking, 1, quick(0), NULL);
        struct again again = {
            .told.asking = &asking, .url = server_url(server, urls[i]), .left = 50};
        asking.open = 1;
        fg_polite_ask(asking.polite, &(struct fg_ask){.url = fg_str_from(again.url),
                                                      .done = ask_again,
                                                      .context = &again});
        asking_run(&asking);
        assert_int_equal(again.told.calls, 51);
        asking_end(&asking);
    }
    server_stop(server);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    struct asking asking;
    asking_start(&asking, 1, quick(0), NULL);
    static const char *const urls[] = {"", "nonsense", "ftp://127.0.0.1/", "http://"};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++)
        assert_int_equal(ask_one(&asking, urls[i]).end, FG_ASK_LOCATION);
    asking_end(&asking);
}

FG_TESTS(robots_comes_first_and_once, what_robots_forbids_is_not_asked_for,
         an_error_for_robots_is_never_permission, robots_is_followed_over_five_redirects,
         requests_keep_their_distance, distance_is_kept_whatever_answers_take,
         crawl_delay_is_kept, hosts_do_not_wait_for_each_other,
         full_workers_make_hosts_line_up, what_cannot_be_archived_was_not_asked_for,
         the_most_urgent_goes_first, a_busy_host_is_left_alone,
         long_backoff_ends_asks_as_held, a_restart_forgets_nothing,
         a_restart_keeps_holding, a_host_survives_its_row,
         after_a_restart_the_first_request_waits, nothing_is_asked_before_it_is_on_disk,
         all_of_several_saves_are_waited_for,
         winding_down_ends_what_waits_and_lets_the_rest_finish,
         what_is_withdrawn_is_not_asked_for,
         a_robots_file_that_nobody_needs_is_not_asked_for,
         winding_down_while_robots_is_on_its_way, a_callback_may_ask_again,
         nonsense_is_refused)
