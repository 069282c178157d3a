/* Redirects: each hop is a request of its own, judged and charged at its own host. */
#include "crawl/polite_fixture.h"

#define OK_PAGE "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

static bool redirect(struct client *client, const char *location)
{
    return client_printf(
        client, "HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n",
        location);
}

/* /chain/3 leads to /chain/2, and so on to /chain/0. */
static bool chain(struct client *client)
{
    unsigned left = 0;
    char next[40];
    sscanf(client->path, "/chain/%u", &left);
    if (!left)
        return client_puts(client, OK_PAGE);
    snprintf(next, sizeof next, "/chain/%u", left - 1);
    return redirect(client, next);
}

static bool endless(struct client *client)
{
    char next[40];
    snprintf(next, sizeof next, "/endless/%u", client->number);
    return redirect(client, next);
}

static bool credentials(struct client *client)
{
    char next[100];
    if (client->number >= 5)
        return client_puts(client, OK_PAGE);
    snprintf(next, sizeof next, "http://user%u:secret@%s/login/%u", client->number,
             client->host, client->number);
    return redirect(client, next);
}

static bool to_localhost(struct client *client)
{
    char next[100];
    if (strstr(client->host, "localhost"))
        return client_puts(client, OK_PAGE);
    snprintf(next, sizeof next, "http://localhost:%s%s", strrchr(client->host, ':') + 1,
             client->path);
    return redirect(client, next);
}

static bool to_context(struct client *client)
{
    return redirect(client, client->context);
}

static bool robots(struct client *client)
{
    bool is_other = strstr(client->host, "localhost");
    return client_page(client, "text/plain",
                       is_other ? FG_STR("User-agent: *\nDisallow: /other/private\n")
                                : FG_STR("User-agent: *\nDisallow: /private\n"));
}

static const struct route routes[] = {
    {"/robots.txt", .serve = robots},
    {"/chain/*", .serve = chain},
    {"/endless*", .serve = endless},
    {"/login*", .serve = credentials},
    {"/other*", .serve = to_localhost},
    {"/context", .serve = to_context},
    {"/self",
     .raw = "HTTP/1.1 301 Moved\r\nLocation: /self\r\nContent-Length: 0\r\n\r\n"},
    {"/a", .raw = "HTTP/1.1 301 Moved\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"},
    {"/b", .raw = "HTTP/1.1 308 Moved\r\nLocation: a#top\r\nContent-Length: 0\r\n\r\n"},
    {"/to-private",
     .raw = "HTTP/1.1 303 See\r\nLocation: /private\r\nContent-Length: 0\r\n\r\n"},
    {"/choices",
     .raw = "HTTP/1.1 300 Choices\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n"},
    {"/*", .raw = OK_PAGE},
    {0},
};

static void redirects_are_followed_and_told(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct asking asking;
    asking_start(&asking, 1, quick(0), NULL);
    struct told told = ask_one(&asking, server_url(server, "/chain/3#part"));
    assert_int_equal(told.end, FG_ASK_ANSWERED);
    assert_int_equal(told.status, 200);
    assert_string_equal(told.url, server_url(server, "/chain/0"));
    assert_int_equal(told.n_hops, 3);
    assert_string_equal(told.first_hop, server_url(server, "/chain/3"));
    assert_int_equal(told.hop_status[0], 302);
    assert_int_equal(told.requests, 4);
    told = ask_one(&asking, server_url(server, "/choices"));
    assert_int_equal(told.end, FG_ASK_ANSWERED); /* 300 leaves the choice to people */
    assert_int_equal(told.status, 300);
    asking_end(&asking);
    server_stop(server);
}

static void an_endless_redirect_ends(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct asking asking;
    asking_start(&asking, 1, quick(0), NULL);
    struct told told = ask_one(&asking, server_url(server, "/endless"));
    assert_int_equal(told.end, FG_ASK_REDIRECTS);
    assert_int_equal(told.requests, 6);
    assert_int_equal(server_hits(server), 7);
    assert_int_equal(ask_one(&asking, server_url(server, "/chain/5")).end,
                     FG_ASK_ANSWERED);
    assert_int_equal(ask_one(&asking, server_url(server, "/chain/6")).end,
                     FG_ASK_REDIRECTS);
    asking_end(&asking);
    server_stop(server);
}

static void a_circle_is_left_at_once(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct asking asking;
    asking_start(&asking, 1, quick(0), NULL);
    assert_int_equal(ask_one(&asking, server_url(server, "/self")).end, FG_ASK_REDIRECTS);
    assert_int_equal(server_count(server, "/self"), 1);
    assert_int_equal(ask_one(&asking, server_url(server, "/a")).end, FG_ASK_REDIRECTS);
    assert_int_equal(server_count(server, "/a"), 1);
    assert_int_equal(server_count(server, "/b"), 1);
    asking_end(&asking);
    server_stop(server);
}

static void a_redirect_to_a_private_address_leads_nowhere(void **state)
{
    (void)state;
    static char *targets[] = {
        "http://10.0.0.1/",  "http://169.254.169.254/latest/meta-data/",
        "http://[fd00::1]/", "http://0x0a000001/",
        "//192.168.0.1/",    "http://[::ffff:169.254.169.254]/"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        struct server *server = server_start(routes, targets[i]);
        struct asking asking;
        struct fg_host_view view;
        asking_start(&asking, 1, quick(0), NULL);
        fg_time began = fg_time_monotonic();
        struct told told = ask_one(&asking, server_url(server, "/context"));
        assert_int_equal(told.end, FG_ASK_HELD);
        assert_int_equal(told.requests, 1); /* the redirect itself, and no more */
        assert_true(fg_time_monotonic() - began < 5 * FG_SECOND);
        /* Its robots.txt was refused by the guard, so nothing was asked of it. */
        char key[64];
        snprintf(key, sizeof key, "%.*s",
                 (int)(strlen(told.url) - strlen(strchr(told.url + 7, '/'))), told.url);
        assert_true(fg_polite_view(asking.polite, fg_str_from(key), &view));
        assert_int_equal(view.robots_outcome, FG_FETCH_FORBIDDEN);
        assert_string_equal(view.robots_trouble, "the address is not public");
        asking_end(&asking);
        server_stop(server);
    }
}

static void a_hop_obeys_the_robots_of_its_own_host(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct asking asking;
    asking_start(&asking, 1, quick(0), NULL);
    assert_int_equal(ask_one(&asking, server_url(server, "/to-private")).end,
                     FG_ASK_ROBOTS);
    assert_int_equal(server_count(server, "/private"), 0);
    struct told told = ask_one(&asking, server_url(server, "/other/page"));
    assert_int_equal(told.end, FG_ASK_ANSWERED);
    assert_int_equal(server_count(server, "/robots.txt"), 2);
    told = ask_one(&asking, server_url(server, "/other/private"));
    assert_int_equal(told.end, FG_ASK_ROBOTS);
    assert_int_equal(told.requests, 1);
    assert_int_equal(server_count(server, "/other/private"), 1);
    asking_end(&asking);
    server_stop(server);
}

static void a_hop_is_charged_to_its_own_host(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct asking asking;
    struct fg_host_view view;
    char other[64];
    struct told told[3];
    asking_start(&asking, 1, quick(60 * FG_MILLISECOND), NULL);
    for (int i = 0; i < 3; i++)
        ask_for(&asking, &told[i], server_url(server, "/other/page"), 0);
    asking_run(&asking);
    snprintf(other, sizeof other, "http://localhost:%u", server_port(server));
    assert_true(fg_polite_view(asking.polite, fg_str_from(other), &view));
    assert_int_equal(view.requests, 4);
    assert_true(fg_polite_view(asking.polite, fg_str_from(server_origin(server)), &view));
    assert_int_equal(view.requests, 4);
    fg_time last[2] = {0};
    for (size_t i = 0; i < server_hits(server); i++) {
        struct hit hit = server_hit(server, i);
        fg_time *before = &last[strstr(hit.host, "localhost") != NULL];
        assert_true(!*before || hit.at - *before >= 60 * FG_MILLISECOND);
        *before = hit.at;
    }
    asking_end(&asking);
    server_stop(server);
}

/* Were "http://user1@host" another host than "http://user2@host", a server could make us
 * ask it as fast as we can. */
static void names_and_passwords_make_no_new_host(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct asking asking;
    asking_start(&asking, 1, quick(30 * FG_MILLISECOND), NULL);
    struct told told = ask_one(&asking, server_url(server, "/login"));
    assert_int_equal(told.end, FG_ASK_ANSWERED);
    assert_int_equal(told.status, 200);
    assert_int_equal(told.n_hops, 4);
    assert_null(strstr(told.url, "secret"));
    assert_true(server_least_gap(server) >= 30 * FG_MILLISECOND);
    assert_int_equal(server_count(server, "/robots.txt"), 1);
    for (size_t i = 0; i < server_hits(server); i++)
        assert_null(strstr(server_hit(server, i).head, "Authorization"));
    asking_end(&asking);
    server_stop(server);
}

static void validators_stay_with_the_first_address(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct asking asking;
    asking_start(&asking, 1, quick(0), NULL);
    struct told told = {.asking = &asking};
    asking.open = 1;
    fg_polite_ask(asking.polite,
                  &(struct fg_ask){.url = fg_str_from(server_url(server, "/chain/1")),
                                   .etag = FG_STR("\"x\""),
                                   .done = told_take,
                                   .context = &told});
    asking_run(&asking);
    assert_null(strstr(server_hit(server, 0).head, "If-None-Match")); /* robots.txt */
    assert_non_null(strstr(server_hit(server, 1).head, "If-None-Match: \"x\""));
    assert_null(strstr(server_hit(server, 2).head, "If-None-Match"));
    asking_end(&asking);
    server_stop(server);
}

static bool not_b(void *context, struct fg_str url)
{
    (void)context;
    return url.at[url.len - 1] != 'b';
}

static void rules_are_asked_on_every_hop(void **state)
{
    (void)state;
    struct server *server = server_start(routes, NULL);
    struct asking asking;
    struct fg_polite_options options = quick(0);
    options.allows = not_b;
    asking_start(&asking, 1, options, NULL);
    struct told told = ask_one(&asking, server_url(server, "/a"));
    assert_int_equal(told.end, FG_ASK_RULES);
    assert_int_equal(server_count(server, "/b"), 0);
    asking_end(&asking);
    server_stop(server);
}

FG_TESTS(redirects_are_followed_and_told, an_endless_redirect_ends,
         a_circle_is_left_at_once, a_redirect_to_a_private_address_leads_nowhere,
         a_hop_obeys_the_robots_of_its_own_host, a_hop_is_charged_to_its_own_host,
         names_and_passwords_make_no_new_host, validators_stay_with_the_first_address,
         rules_are_asked_on_every_hop)
