#include "server/gate.h"
#include "test.h"

#include <arpa/inet.h>
#include <netinet/in.h>

static struct fg_str ours_at[] = {{"forage.example", 14}};
static const struct fg_opt_list ours = {ours_at, 1};

static void only_its_own_names_are_known(void **state)
{
    static const struct {
        const char *host;
        bool is_known;
    } hosts[] = {
        {"127.0.0.1", true},
        {"127.0.0.1:6724", true},
        {"localhost:80", true},
        {"LOCALHOST", true},
        {"[::1]:6724", true},
        {"[::1]", true},
        {"192.168.1.9", true}, /* an address cannot be rebound */
        {"forage.example", true},
        {"Forage.Example:443", true},
        {"evil.example", false},
        {"evil.example:6724", false},
        {"127.0.0.1.evil.example", false},
        {"localhost.evil.example", false},
        {"127.0.0.1@evil.example", false},
        {"127.1", false}, /* not the form that browsers send */
        {"[::1", false},
        {"[evil.example]", false},
        {"127.0.0.1:x", false},
        {"127.0.0.1:99999", false},
        {"", false},
        {":6724", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        if (fg_gate_knows_host(fg_str_from(hosts[i].host), &ours) != hosts[i].is_known)
            fail_msg("%s", hosts[i].host);
}

static bool passes(struct fg_gate_request request)
{
    request.host = request.host.at ? request.host : FG_STR("127.0.0.1:6724");
    return !fg_gate_refuses(&request, &ours);
}

static void what_comes_from_elsewhere_is_refused(void **state)
{
    (void)state;
    struct fg_str json = FG_STR("application/json"), form = FG_STR("text/plain");
    assert_true(passes((struct fg_gate_request){0}));
    assert_false(passes((struct fg_gate_request){.host = FG_STR("evil.example")}));
    assert_true(
        passes((struct fg_gate_request){.origin = FG_STR("http://127.0.0.1:6724")}));
    assert_false(
        passes((struct fg_gate_request){.origin = FG_STR("http://127.0.0.1:80")}));
    assert_false(
        passes((struct fg_gate_request){.origin = FG_STR("http://evil.example")}));
    assert_false(passes((struct fg_gate_request){.origin = FG_STR("null")}));
    /* A link from elsewhere may lead here, but change nothing. */
    struct fg_gate_request cross = {.fetch_site = FG_STR("cross-site")};
    assert_true(passes(cross));
    cross.is_changing = true;
    assert_false(passes(cross));
    struct fg_gate_request change = {
        .is_changing = true, .has_body = true, .content_type = form};
    assert_false(passes(change));
    change.content_type = (struct fg_str){0}; /* there is none */
    assert_false(passes(change));
    change.content_type = FG_STR("application/x-www-form-urlencoded");
    assert_false(passes(change));
    change.content_type = json;
    assert_true(passes(change));
    change.content_type = FG_STR("application/json; charset=utf-8");
    assert_true(passes(change));
    change.fetch_site = FG_STR("same-site");
    assert_false(passes(change));
    change.fetch_site = FG_STR("same-origin");
    assert_true(passes(change));
}

static void a_token_comes_three_ways(void **state)
{
    char room[64];
    (void)state;
    struct fg_gate_request request = {.authorization = FG_STR("Bearer abc ")};
    assert_str(fg_gate_token(&request, room, sizeof room), "abc");
    request.authorization = FG_STR("Basic dXNlcjphYmM="); /* user:abc */
    assert_str(fg_gate_token(&request, room, sizeof room), "abc");
    request.authorization = FG_STR("Basic !!");
    assert_str(fg_gate_token(&request, room, sizeof room), "");
    request.authorization = FG_STR("");
    request.cookie = FG_STR("a=b; forage=xyz; c=d");
    assert_str(fg_gate_token(&request, room, sizeof room), "xyz");
    request.cookie = FG_STR("notforage=xyz");
    assert_str(fg_gate_token(&request, room, sizeof room), "");
}

static uint64_t client(const char *peer, bool is_behind_proxy, const char *forwarded)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
    bool is_v4 = inet_pton(AF_INET, peer, &v4.sin_addr) == 1;
    if (!is_v4)
        assert_int_equal(inet_pton(AF_INET6, peer, &v6.sin6_addr), 1);
    return fg_gate_client(is_v4 ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6,
                          is_behind_proxy, fg_str_from(forwarded));
}

static void clients_of_a_proxy_are_told_apart(void **state)
{
    (void)state;
    uint64_t proxy = client("127.0.0.1", false, ""), one = client("192.0.2.7", false, ""),
             net = client("2001:db8:1:2::5", false, "");
    assert_true(proxy && one && net && proxy != one && one != net);
    assert_int_equal(client("2001:db8:1:2::99", false, ""), net);
    assert_true(client("2001:db8:1:3::5", false, "") != net);
    assert_int_equal(client("::ffff:192.0.2.7", false, ""), one);
    /* The last one counts: what stands before it anybody can write. */
    assert_int_equal(client("127.0.0.1", true, "192.0.2.7"), one);
    assert_int_equal(client("127.0.0.1", true, "198.51.100.1, 192.0.2.7"), one);
    assert_int_equal(client("::1", true, "192.0.2.7:4711"), one);
    assert_int_equal(client("::1", true, " 2001:db8:1:2::77 "), net);
    assert_int_equal(client("::1", true, "[2001:db8:1:2::77]:443"), net);
    /* Nobody is believed who is not asked to be, or is not a proxy of ours. */
    assert_int_equal(client("127.0.0.1", false, "192.0.2.7"), proxy);
    assert_int_equal(client("192.0.2.7", true, "198.51.100.1"), one);
    const char *const nonsense[] = {"",        ",",    "unknown", "192.0.2.7, ",
                                    "_hidden", "1.2.3"};
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++)
        assert_int_equal(client("127.0.0.1", true, nonsense[i]), proxy);
}

FG_TESTS(only_its_own_names_are_known, what_comes_from_elsewhere_is_refused,
         a_token_comes_three_ways, clients_of_a_proxy_are_told_apart)
