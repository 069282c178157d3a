/* Hosts that are not to be asked: paused, or removed. */
#include "crawl/polite_fixture.h"

#include <stdatomic.h>

#define OK_PAGE "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
#define NO_PAGE "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"

static const struct route free_routes[] = {
    {"/robots.txt", .raw = NO_PAGE},
    {"/*", .raw = OK_PAGE},
    {0},
};

/* The fixture gives itself as the context, so what is closed stands behind it. */
struct gate {
    struct asking asking;
    atomic_bool is_closed;
};

static bool gate_is_open(void *context, struct fg_str key)
{
    (void)key;
    return !((struct gate *)context)->is_closed;
}

static void gate_start(struct gate *gate, fg_time delay)
{
    struct fg_polite_options options = quick(delay);
    options.asks = gate_is_open;
    asking_start(&gate->asking, 1, options, NULL);
    gate->is_closed = false;
}

static bool nobody_leaves(void *context, const struct fg_ask *ask)
{
    (void)context, (void)ask;
    return false;
}

static void a_closed_host_is_asked_nothing(void **state)
{
    (void)state;
    struct server *server = server_start(free_routes, NULL);
    struct gate gate;
    struct told waiting[3];
    gate_start(&gate, 20 * FG_MILLISECOND);
    assert_int_equal(ask_one(&gate.asking, server_url(server, "/a")).end,
                     FG_ASK_ANSWERED);
    size_t before = server_hits(server);
    for (int i = 0; i < 3; i++)
        ask_for(&gate.asking, &waiting[i], server_url(server, "/b"), 0);
    gate.is_closed = true;
    fg_polite_withdraw(gate.asking.polite, nobody_leaves, NULL);
    assert_int_equal(
        fg_polite_waiting(gate.asking.polite, fg_str_from(server_origin(server))), 0);
    asking_run(&gate.asking);
    for (int i = 0; i < 3; i++)
        assert_int_equal(waiting[i].end, FG_ASK_STOPPED);
    assert_int_equal(ask_one(&gate.asking, server_url(server, "/c")).end, FG_ASK_STOPPED);
    assert_int_equal(server_hits(server), before);
    gate.is_closed = false;
    assert_int_equal(ask_one(&gate.asking, server_url(server, "/c")).end,
                     FG_ASK_ANSWERED);
    asking_end(&gate.asking);
    server_stop(server);
}

/* It closes while the request is open, and then sends us on. */
static bool close_and_move(struct client *client)
{
    ((struct gate *)client->context)->is_closed = true;
    return client_puts(client, "HTTP/1.1 302 Found\r\nLocation: /moved\r\n"
                               "Content-Length: 0\r\n\r\n");
}

static void a_host_that_is_closed_meanwhile_is_asked_no_more(void **state)
{
    (void)state;
    static const struct route by_robots[] = {{"/robots.txt", .serve = close_and_move},
                                             {"/*", .raw = OK_PAGE},
                                             {0}},
                              by_page[] = {{"/robots.txt", .raw = NO_PAGE},
                                           {"/a", .serve = close_and_move},
                                           {"/*", .raw = OK_PAGE},
                                           {0}};
    for (int i = 0; i < 2; i++) {
        struct gate gate;
        struct server *server = server_start(i ? by_page : by_robots, &gate);
        gate_start(&gate, 0);
        struct told told = ask_one(&gate.asking, server_url(server, "/a"));
        assert_int_equal(told.end, FG_ASK_STOPPED);
        assert_false(told.has_response);
        assert_int_equal(server_count(server, "/moved"), 0);
        asking_end(&gate.asking);
        server_stop(server);
    }
}

FG_TESTS(a_closed_host_is_asked_nothing, a_host_that_is_closed_meanwhile_is_asked_no_more)
