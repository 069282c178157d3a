/* Many names, one machine. */
#include "crawl/host/shared_pace.h"
#include "crawl/polite_fixture.h"

static const char *group_of(const char *ip, bool shares_loopback)
{
    static char group[FG_SHARED_GROUP];
    struct fg_response response = {0};
    snprintf(response.ip, sizeof response.ip, "%s", ip);
    group[0] = '\0';
    fg_shared_group(group, &response, shares_loopback);
    return group;
}

static void groups_are_addresses_and_networks(void **state)
{
    (void)state;
    assert_string_equal(group_of("192.0.2.7", false), "192.0.2.7");
    assert_string_equal(group_of("2001:db8:1:2:3:4:5:6", false), "2001:db8:1:2::");
    assert_string_equal(group_of("127.0.0.1", false), "");
    assert_string_equal(group_of("::1", false), "");
    assert_string_equal(group_of("127.0.0.1", true), "127.0.0.1");
    assert_string_equal(group_of("", true), "");
    char group[FG_SHARED_GROUP];
    fg_shared_group_of_name(group, FG_STR("192.0.2.7"), false);
    assert_string_equal(group, "192.0.2.7");
    fg_shared_group_of_name(group, FG_STR("[2001:db8::1:2]"), false);
    assert_string_equal(group, "2001:db8::");
    fg_shared_group_of_name(group, FG_STR("127.0.0.1"), false);
    assert_string_equal(group, "");
    fg_shared_group_of_name(group, FG_STR("s17.shop.example.co.uk"), false);
    assert_string_equal(group, "example.co.uk");
    struct fg_response none = {0}, proxied = {.ip = "192.0.2.7", .is_proxied = true};
    fg_shared_group(group, &none, false);
    assert_string_equal(group, "example.co.uk");
    fg_shared_group(group, &proxied, false);
    assert_string_equal(group, "");
}

static void turns_are_given_in_order(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_names turns = {.arena = &arena};
    fg_time delay = 100 * FG_MILLISECOND, now = 1000 * FG_SECOND;
    for (int i = 0; i < 5; i++)
        assert_int_equal(fg_shared_turn(&turns, "192.0.2.7", delay, now),
                         now + i * delay);
    assert_int_equal(fg_shared_turn(&turns, "192.0.2.8", delay, now), now);
    assert_int_equal(fg_shared_turn(&turns, "", delay, now), now);
    now += FG_SECOND;
    assert_int_equal(fg_shared_turn(&turns, "192.0.2.7", delay, now), now);
    assert_int_equal(fg_shared_turn(&turns, "192.0.2.7", 0, now), now);
    fg_arena_clear(&arena);
}

#define OK_PAGE "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
static const struct route pages[] = {
    {"/robots.txt", .raw = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"},
    {"/*", .raw = OK_PAGE},
    {0},
};

enum { NAMES = 12, ROUNDS = 3 };

/* The mean time between requests as the server sees them, the first ones included. */
static fg_time mean_gap(struct fg_polite_options options)
{
    struct server *server = server_start(pages, NULL);
    struct asking asking;
    struct told told[NAMES];
    char url[64];
    asking_start(&asking, 1, options, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < NAMES; i++) {
            snprintf(url, sizeof url, "http://a%d.localhost:%u/%d", i,
                     server_port(server), round);
            ask_for(&asking, &told[i], url, 0);
        }
        asking_run(&asking);
        for (int i = 0; i < NAMES; i++)
            assert_int_equal(told[i].status, 200);
    }
    size_t n = server_hits(server);
    fg_time span = server_hit(server, n - 1).at - server_hit(server, 0).at;
    asking_end(&asking);
    server_stop(server);
    return span / (fg_time)(n - 1);
}

static void names_of_one_address_share_a_pace(void **state)
{
    (void)state;
    struct fg_polite_options options = quick(0);
    options.rules.address_delay = 50 * FG_MILLISECOND;
    options.rules.shares_loopback = true;
    assert_true(mean_gap(options) >= 48 * FG_MILLISECOND);
    options.rules.shares_loopback = false;
    assert_true(mean_gap(options) < 48 * FG_MILLISECOND);
}

FG_TESTS(groups_are_addresses_and_networks, turns_are_given_in_order,
         names_of_one_address_share_a_pace)
