#include "crawl/reading/workers.h"
#include "support/server.h"
#include "test.h"

#include <event2/event.h>

enum { N_THREADS = 3, MANY = 200 };

static bool never(struct client *client)
{
    while (client_wait(client, FG_SECOND))
        ;
    return false;
}

static bool page(struct client *client)
{
    return client_page(client, "text/html",
                       FG_STR("<!DOCTYPE html><title>One</title><p>words "
                              "<a href=/two>two</a> and <a href=three>three</a>"));
}

static bool large_page(struct client *client)
{
    enum { LARGE = 6 << 20 };
    static char body[LARGE];
    static const char piece[] = "<p>words of <b>some</b> length <a href=/a/b>here</a>";
    for (size_t i = 0; i + sizeof piece < LARGE; i += sizeof piece - 1)
        memcpy(body + i, piece, sizeof piece - 1);
    return client_page(client, "text/html", (struct fg_str){body, LARGE});
}

static bool many_links(struct client *client)
{
    char body[200000];
    size_t n = 0;
    for (int i = 0; n + 40 < sizeof body; i++)
        n += (size_t)snprintf(body + n, sizeof body - n, "<a href=/l%d>x</a>", i);
    return client_page(client, "text/html", (struct fg_str){body, n});
}

static const struct route routes[] = {
    {"/many", .serve = many_links},
    {"/large", .serve = large_page},
    {"/never", .serve = never},
    {"/a/*", .serve = page},
    {"/gone", .raw = "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno"},
    {0},
};

struct bench {
    struct server *server;
    struct event_base *loop;
    struct fg_workers *workers;
    struct fg_lane lane;
    size_t back;
};

struct sent {
    struct fg_exchange exchange; /* first */
    struct bench *bench;
    bool is_back;
};

static void take(struct fg_exchange *exchange)
{
    struct sent *sent = (struct sent *)exchange;
    sent->bench->back++;
    sent->is_back = true;
}

static void start(struct bench *bench)
{
    struct fg_fetch_options fetch = fg_fetch_defaults();
    fetch.user_agent = "forage-test";
    fetch.reach = FG_REACH_LOOPBACK;
    *bench =
        (struct bench){.server = server_start(routes, NULL), .loop = event_base_new()};
    assert_int_equal(
        fg_workers_new(&bench->workers, bench->loop, N_THREADS, &fetch, NULL, NULL),
        FG_OK);
    fg_lane_init(&bench->lane, bench->workers, FG_STR("http://a.example"));
}

static void stop(struct bench *bench)
{
    fg_workers_free(bench->workers);
    event_base_free(bench->loop);
    server_stop(bench->server);
}

static void hand_over(struct bench *bench, struct sent *sent, struct fg_lane *lane,
                      const char *path, fg_time gap)
{
    const char *url = server_url(bench->server, path);
    fg_exchange_init(&sent->exchange);
    sent->bench = bench;
    sent->is_back = false;
    sent->exchange.request.url = fg_arena_dup(&sent->exchange.arena, fg_str_from(url));
    sent->exchange.rules = (struct fg_reading_rules){.token = FG_STR("forage")};
    sent->exchange.is_to_be_read = true;
    sent->exchange.lane = lane;
    sent->exchange.gap = gap;
    sent->exchange.done = take;
    fg_workers_start(bench->workers, &sent->exchange);
}

static void wait_for(struct bench *bench, size_t n)
{
    while (bench->back < n)
        event_base_loop(bench->loop, EVLOOP_ONCE);
    assert_int_equal(bench->back, n);
}

static void turn(struct bench *bench, fg_time span)
{
    struct timeval real = {span / FG_SECOND, span % FG_SECOND};
    event_base_loopexit(bench->loop, &real);
    event_base_dispatch(bench->loop);
}

static void what_is_sent_comes_back_read(void **state)
{
    (void)state;
    static struct sent sent[MANY];
    struct fg_lane lanes[8];
    struct bench bench;
    start(&bench);
    for (int i = 0; i < 8; i++)
        fg_lane_init(&lanes[i], bench.workers,
                     (struct fg_str){(char[]){'a', (char)i}, 2});
    for (int i = 0; i < MANY; i++)
        hand_over(&bench, &sent[i], &lanes[i % 8], i % 10 ? "/a/" : "/gone", 0);
    assert_int_equal(fg_workers_in_flight(bench.workers), MANY);
    wait_for(&bench, MANY);
    assert_int_equal(fg_workers_in_flight(bench.workers), 0);
    for (int i = 0; i < MANY; i++) {
        struct fg_exchange *exchange = &sent[i].exchange;
        assert_int_equal(exchange->response.outcome, FG_FETCHED);
        assert_true(exchange->handed <= exchange->sent);
        assert_true(exchange->sent < exchange->ended);
        assert_int_equal(exchange->is_read, i % 10 != 0);
        if (exchange->is_read) {
            assert_str(exchange->reading.title, "One");
            assert_int_equal(exchange->reading.n_links, 2);
            assert_true(fg_str_ends(exchange->reading.links[1].url, FG_STR("/a/three")));
            assert_str(fg_response_header(&exchange->response, "content-type", 0),
                       "text/html");
        } else {
            assert_str(exchange->response.body, "no");
        }
        fg_exchange_clear(exchange);
    }
    stop(&bench);
}

/* Those who have nothing to do read as well; whoever does, all come back once. */
static void one_host_is_read_by_all(void **state)
{
    (void)state;
    static struct sent sent[MANY];
    for (int is_cut = 0; is_cut < 2; is_cut++) {
        struct bench bench;
        start(&bench);
        for (int i = 0; i < MANY; i++)
            hand_over(&bench, &sent[i], &bench.lane, "/a/", 0);
        if (is_cut) {
            while (bench.back < MANY / 4)
                event_base_loop(bench.loop, EVLOOP_ONCE);
            fg_workers_stop(bench.workers);
        }
        wait_for(&bench, MANY);
        for (int i = 0; i < MANY; i++) {
            struct fg_exchange *exchange = &sent[i].exchange;
            assert_true(sent[i].is_back);
            assert_int_equal(exchange->is_read, exchange->response.outcome == FG_FETCHED);
            assert_int_equal(exchange->is_read ? exchange->reading.n_links : 2, 2);
            fg_exchange_clear(exchange);
        }
        stop(&bench);
    }
}

static void memory_goes_to_the_next(void **state)
{
    (void)state;
    struct sent first, next;
    struct bench bench;
    start(&bench);
    hand_over(&bench, &first, &bench.lane, "/a/", 0);
    wait_for(&bench, 1);
    assert_false(first.exchange.is_warm);
    fg_workers_release(bench.workers, &first.exchange);
    hand_over(&bench, &next, &bench.lane, "/a/", 0);
    assert_true(next.exchange.is_warm);
    wait_for(&bench, 2);
    assert_int_equal(next.exchange.reading.n_links, 2);
    fg_workers_release(bench.workers, &next.exchange);
    stop(&bench);
}

/* However late the worker is, and however close together they were decided. */
static void a_lane_keeps_its_gap(void **state)
{
    (void)state;
    struct sent sent[5];
    struct bench bench;
    start(&bench);
    for (int i = 0; i < 5; i++)
        hand_over(&bench, &sent[i], &bench.lane, "/a/", 50 * FG_MILLISECOND);
    wait_for(&bench, 5);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < i; j++)
            assert_true(llabs(sent[i].exchange.sent - sent[j].exchange.sent) >=
                        50 * FG_MILLISECOND);
    for (int i = 0; i < 5; i++)
        fg_exchange_clear(&sent[i].exchange);
    stop(&bench);
}

static void a_lane_that_waits_holds_up_no_other(void **state)
{
    (void)state;
    struct sent sent[3];
    struct fg_lane other;
    struct bench bench;
    start(&bench);
    other = bench.lane; /* of the same worker */
    hand_over(&bench, &sent[0], &bench.lane, "/a/", FG_HOUR);
    hand_over(&bench, &sent[1], &bench.lane, "/a/", FG_HOUR);
    hand_over(&bench, &sent[2], &other, "/a/", FG_HOUR);
    wait_for(&bench, 2);
    assert_true(sent[2].exchange.is_read);
    fg_workers_stop(bench.workers);
    assert_int_equal(bench.back, 3);
    assert_int_equal(sent[1].exchange.response.outcome, FG_FETCH_STOPPED);
    for (int i = 0; i < 3; i++)
        fg_exchange_clear(&sent[i].exchange);
    stop(&bench);
}

static void what_is_open_at_the_end_comes_back_stopped(void **state)
{
    (void)state;
    struct sent sent[4];
    struct bench bench;
    start(&bench);
    hand_over(&bench, &sent[0], &bench.lane, "/never", 0);
    turn(&bench, 50 * FG_MILLISECOND);
    assert_int_equal(server_count(bench.server, "/never"), 1);
    hand_over(&bench, &sent[1], &bench.lane, "/a/",
              0); /* perhaps it is sent, perhaps not */
    hand_over(&bench, &sent[2], &bench.lane, "/a/", FG_HOUR);
    fg_workers_stop(bench.workers);
    assert_int_equal(bench.back, 3);
    hand_over(&bench, &sent[3], &bench.lane, "/a/", 0);
    assert_int_equal(bench.back, 3); /* not before it returns */
    wait_for(&bench, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(sent[i].exchange.response.outcome, FG_FETCH_STOPPED);
        assert_false(sent[i].exchange.is_read);
        fg_exchange_clear(&sent[i].exchange);
    }
    stop(&bench);
}

static void what_is_open_may_be_dropped(void **state)
{
    (void)state;
    struct sent sent[3];
    struct bench bench;
    start(&bench);
    hand_over(&bench, &sent[0], &bench.lane, "/never", 0);
    hand_over(&bench, &sent[1], &bench.lane, "/a/", FG_HOUR);
    hand_over(&bench, &sent[2], &bench.lane, "/a/", FG_HOUR);
    turn(&bench, 20 * FG_MILLISECOND);
    stop(&bench);
    for (int i = 0; i < 3; i++)
        fg_exchange_clear(&sent[i].exchange);
    fg_workers_free(NULL);
}

static void an_exchange_serves_again(void **state)
{
    (void)state;
    struct sent sent;
    struct bench bench;
    start(&bench);
    hand_over(&bench, &sent, &bench.lane, "/a/", 0);
    wait_for(&bench, 1);
    fg_workers_release(bench.workers, &sent.exchange);
    sent.exchange.request.url = fg_str_from(server_url(bench.server, "/gone"));
    sent.exchange.lane = &bench.lane;
    sent.exchange.done = take;
    fg_workers_start(bench.workers, &sent.exchange);
    wait_for(&bench, 2);
    assert_int_equal(sent.exchange.response.status, 404);
    assert_false(sent.exchange.is_read);
    fg_exchange_clear(&sent.exchange);
    stop(&bench);
}

/* Small pages of the same thread go on while a large one is read. */
static void large_pages_hold_up_nobody(void **state)
{
    (void)state;
    struct sent large, small;
    struct bench bench;
    fg_time longest = 0;
    unsigned n = 0;
    start(&bench);
    hand_over(&bench, &large, &bench.lane, "/large", 0);
    for (; !large.is_back; n++) {
        fg_time began = fg_time_monotonic();
        hand_over(&bench, &small, &bench.lane, "/a/", 0);
        while (!small.is_back)
            event_base_loop(bench.loop, EVLOOP_ONCE);
        fg_time took = fg_time_monotonic() - began;
        longest = took > longest ? took : longest;
        fg_exchange_clear(&small.exchange);
    }
    assert_true(large.exchange.reading_took > 0);
    assert_true(n > 1);
    assert_true(longest < large.exchange.reading_took / 2);
    fg_exchange_clear(&large.exchange);
    stop(&bench);
}

/* Half a second of work, with a pause whenever one is due. */
static unsigned pauses;

static void toil(struct fg_exchange *exchange)
{
    struct sent *sent = (struct sent *)exchange;
    for (int i = 0; i < 500 && exchange->is_read; i++) {
        fg_time until = fg_time_monotonic() + FG_MILLISECOND;
        while (fg_time_monotonic() < until)
            ;
        if (fg_workers_is_due(sent->bench->workers)) {
            pauses++;
            fg_workers_pause(sent->bench->workers);
        }
    }
    take(exchange);
}

/* Others go on while the main loop has much to do for one. */
static void many_links_hold_up_nobody(void **state)
{
    (void)state;
    struct sent many[2], small;
    struct bench bench;
    fg_time longest = 0;
    unsigned n = 0;
    start(&bench);
    struct fg_lane other = {.worker = (bench.lane.worker + 1) % N_THREADS};
    pauses = 0;
    fg_time start_of_all = fg_time_monotonic();
    for (int i = 0; i < 2; i++) {
        hand_over(&bench, &many[i], &bench.lane, "/many", 0);
        many[i].exchange.done = toil;
    }
    for (; !many[0].is_back || !many[1].is_back; n++) {
        fg_time began = fg_time_monotonic();
        hand_over(&bench, &small, &other, "/a/", 0);
        while (!small.is_back)
            event_base_loop(bench.loop, EVLOOP_ONCE);
        fg_time took = fg_time_monotonic() - began;
        longest = took > longest ? took : longest;
        assert_false(fg_workers_is_due(bench.workers)); /* it is not for us */
        fg_exchange_clear(&small.exchange);
    }
    assert_in_range(pauses, 20, 1000);
    assert_true(n > 10);
    assert_true(longest < (fg_time_monotonic() - start_of_all) / 3);
    for (int i = 0; i < 2; i++)
        fg_exchange_clear(&many[i].exchange);
    stop(&bench);
}

/* What was begun is done to its end, what was not comes back as stopped. */
static void what_has_paused_at_the_end_is_finished(void **state)
{
    (void)state;
    struct sent many[2];
    struct bench bench;
    start(&bench);
    pauses = 0;
    for (int i = 0; i < 2; i++) {
        hand_over(&bench, &many[i], &bench.lane, "/many", 0);
        many[i].exchange.done = toil;
    }
    while (!pauses)
        event_base_loop(bench.loop, EVLOOP_ONCE);
    assert_true(fg_workers_has_paused(bench.workers));
    fg_workers_stop(bench.workers);
    assert_int_equal(bench.back, 2);
    int first = many[1].exchange.is_read; /* to come back */
    assert_int_equal(many[first].exchange.response.outcome, FG_FETCHED);
    assert_int_equal(many[!first].exchange.response.outcome, FG_FETCH_STOPPED);
    for (int i = 0; i < 2; i++)
        fg_exchange_clear(&many[i].exchange);
    stop(&bench);
}

static void hosts_are_spread_over_all(void **state)
{
    (void)state;
    size_t of[N_THREADS] = {0};
    struct bench bench;
    start(&bench);
    for (int i = 0; i < 300; i++) {
        char host[40];
        struct fg_lane lane;
        snprintf(host, sizeof host, "https://host%d.example", i);
        fg_lane_init(&lane, bench.workers, fg_str_from(host));
        of[lane.worker]++;
    }
    for (int i = 0; i < N_THREADS; i++)
        assert_in_range(of[i], 60, 140);
    stop(&bench);
}

FG_TESTS(large_pages_hold_up_nobody, many_links_hold_up_nobody,
         what_has_paused_at_the_end_is_finished, what_is_sent_comes_back_read,
         one_host_is_read_by_all, memory_goes_to_the_next, a_lane_keeps_its_gap,
         a_lane_that_waits_holds_up_no_other, what_is_open_at_the_end_comes_back_stopped,
         what_is_open_may_be_dropped, an_exchange_serves_again, hosts_are_spread_over_all)
