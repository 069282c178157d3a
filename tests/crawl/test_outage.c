/* Is a host gone, or are we? The decisions alone, then with servers that go and come. */
#include "crawl/host/outage.h"
#include "crawl/polite_fixture.h"

static const fg_time now = 1700000000 * FG_SECOND;

struct hosts {
    struct fg_outage outage;
    struct fg_outage_host host[8];
};

static struct hosts answering(size_t n)
{
    struct hosts hosts = {0};
    for (size_t i = 0; i < n; i++)
        assert_false(fg_outage_answers(&hosts.outage, &hosts.host[i]));
    return hosts;
}

static bool fails(struct hosts *hosts, size_t i)
{
    return fg_outage_fails(&hosts->outage, &hosts->host[i], now);
}

static void three_that_answered_make_an_outage(void **state)
{
    (void)state;
    struct hosts hosts = answering(5);
    assert_false(fails(&hosts, 0));
    assert_false(fails(&hosts, 0)); /* again: no further evidence */
    assert_false(fails(&hosts, 1));
    assert_false(fails(&hosts, 7)); /* never answered: no evidence */
    assert_true(fails(&hosts, 2));
    assert_true(fails(&hosts, 7));
    assert_int_equal(hosts.outage.since, now);
    assert_true(fg_outage_answers(&hosts.outage, &hosts.host[4]));
    assert_true(fg_outage_covered(&hosts.outage, &hosts.host[0]));
    assert_true(fg_outage_covered(&hosts.outage, &hosts.host[7]));
    assert_false(fg_outage_covered(&hosts.outage, &hosts.host[4]));
    assert_false(fg_outage_answers(&hosts.outage, &hosts.host[3]));
}

static void two_are_enough_if_there_are_no_others(void **state)
{
    (void)state;
    struct hosts two = answering(2), three = answering(3), one = answering(1);
    assert_false(fails(&two, 0));
    assert_true(fails(&two, 1));
    assert_false(fails(&three, 0));
    assert_false(fails(&three, 1));
    assert_false(fails(&one, 0));
}

static void who_fails_while_others_answer_is_to_blame(void **state)
{
    (void)state;
    struct hosts hosts = answering(5);
    for (size_t i = 0; i < 4; i++) {
        assert_false(fails(&hosts, i));
        assert_false(fg_outage_answers(&hosts.outage, &hosts.host[4]));
    }
    for (size_t i = 0; i < 4; i++) /* evidence is used up until they answer */
        assert_false(fails(&hosts, i));
}

static void hosts_that_go_for_good_make_one_outage_only(void **state)
{
    (void)state;
    struct hosts hosts = answering(4);
    for (size_t i = 0; i < 3; i++)
        fails(&hosts, i);
    assert_true(fg_outage_answers(&hosts.outage, &hosts.host[3]));
    for (size_t i = 0; i < 3; i++)
        assert_false(fails(&hosts, i));
}

/* --- servers that go and come --- */

#define OK_PAGE "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"

static bool ok(struct client *client)
{
    client_puts(client, OK_PAGE);
    return false;
}

static bool no_robots(struct client *client)
{
    client_puts(client, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n"
                        "Connection: close\r\n\r\n");
    return false;
}

static const struct route pages[] = {
    {"/robots.txt", .serve = no_robots}, {"/*", .serve = ok}, {0}};

enum { SERVERS = 3 };

struct web {
    struct server *server[SERVERS];
    unsigned port[SERVERS];
    char url[SERVERS][64], origin[SERVERS][40];
    struct asking asking;
};

/* An hour in three and a half seconds. */
static void web_start(struct web *web)
{
    for (int i = 0; i < SERVERS; i++) {
        web->server[i] = server_start(pages, NULL);
        web->port[i] = server_port(web->server[i]);
        snprintf(web->origin[i], sizeof web->origin[i], "%s",
                 server_origin(web->server[i]));
        snprintf(web->url[i], sizeof web->url[i], "%s/a", server_origin(web->server[i]));
    }
    asking_start(&web->asking, 1000, quick(FG_SECOND), NULL);
    for (int i = 0; i < SERVERS; i++)
        assert_int_equal(ask_one(&web->asking, web->url[i]).end, FG_ASK_ANSWERED);
}

static void web_goes(struct web *web, int from)
{
    for (int i = from; i < SERVERS; i++) {
        server_stop(web->server[i]);
        web->server[i] = NULL;
    }
}

static void web_comes_back(struct web *web)
{
    for (int i = 0; i < SERVERS; i++)
        if (!web->server[i])
            web->server[i] = server_start_at(web->port[i], pages, NULL);
}

static void web_end(struct web *web)
{
    web_goes(web, 0);
    asking_end(&web->asking);
}

static struct fg_host_view view_of(struct web *web, int i)
{
    struct fg_host_view view;
    assert_true(fg_polite_view(web->asking.polite, fg_str_from(web->origin[i]), &view));
    return view;
}

/* Everybody is asked once more; the latest time that one is held back to. */
static fg_time ask_all(struct web *web, int rounds)
{
    fg_time latest = 0;
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < SERVERS; i++) {
            struct told told = ask_one(&web->asking, web->url[i]);
            fg_time until = view_of(web, i).backoff_until;
            fg_time from = fg_clock_now(&web->asking.clock);
            if (told.end == FG_ASK_HELD && until > from + latest)
                latest = until - from;
        }
    return latest;
}

static void a_network_that_is_gone_costs_nobody_a_day(void **state)
{
    (void)state;
    struct web web;
    web_start(&web);
    web_goes(&web, 0);
    /* Without forgiveness, eight rounds are a back-off of more than an hour. */
    fg_time longest = ask_all(&web, 8);
    assert_in_range(longest, 1, 5 * FG_MINUTE);
    web_comes_back(&web);
    assert_int_equal(ask_one(&web.asking, web.url[0]).end, FG_ASK_ANSWERED);
    for (int i = 0; i < SERVERS; i++) {
        assert_int_equal(view_of(&web, i).backoff_until, FG_NEVER);
        assert_int_equal(ask_one(&web.asking, web.url[i]).end, FG_ASK_ANSWERED);
    }
    web_end(&web);
}

static void a_restart_in_an_outage_forgets_nothing_good(void **state)
{
    (void)state;
    struct web web;
    web_start(&web);
    web_goes(&web, 0);
    ask_all(&web, 4);
    const struct fg_host_state *last = &web.asking.saved.at[web.asking.saved.len - 1];
    assert_in_range(last->memory.backoff_until - fg_clock_now(&web.asking.clock), 0,
                    5 * FG_MINUTE);
    assert_int_equal(last->memory.backoff_step, 0);
    web_end(&web);
}

static void a_host_that_is_gone_alone_is_held_to_account(void **state)
{
    (void)state;
    struct web web;
    web_start(&web);
    web_goes(&web, SERVERS - 1);
    for (int round = 0; round < 8; round++) {
        assert_int_equal(ask_one(&web.asking, web.url[0]).end, FG_ASK_ANSWERED);
        assert_int_equal(ask_one(&web.asking, web.url[1]).end, FG_ASK_ANSWERED);
        ask_one(&web.asking, web.url[SERVERS - 1]);
    }
    fg_time until = view_of(&web, SERVERS - 1).backoff_until;
    assert_true(until > fg_clock_now(&web.asking.clock) + 10 * FG_MINUTE);
    web_end(&web);
}

FG_TESTS(three_that_answered_make_an_outage, two_are_enough_if_there_are_no_others,
         who_fails_while_others_answer_is_to_blame,
         hosts_that_go_for_good_make_one_outage_only,
         a_network_that_is_gone_costs_nobody_a_day,
         a_restart_in_an_outage_forgets_nothing_good,
         a_host_that_is_gone_alone_is_held_to_account)
