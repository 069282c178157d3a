#include "server/gate.h"
#include "test.h"

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

FG_TESTS(only_its_own_names_are_known, what_comes_from_elsewhere_is_refused,
         a_token_comes_three_ways)
