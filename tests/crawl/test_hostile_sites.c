/* Whole crawls of sites without end. Each crawl runs until nothing is left to fetch for
 * the first time: that it ends at all is half of the claim. */
#include "test.h"

#include "crawl/crawl.h"
#include "crawl/state.h"
#include "support/server.h"

#include <unistd.h>

struct crawled {
    struct fg_crawl_counts counts;
    enum fg_crawl_end end;
    size_t requests;
};

static struct fg_crawl_options local(void)
{
    struct fg_crawl_options options = fg_crawl_defaults();
    options.fetch.user_agent = "forage-test";
    options.fetch.reach = FG_REACH_LOOPBACK;
    options.pace.delay = 0;
    options.pace.concurrency = 4;
    options.budget_per_hour = 0;
    options.site_budget_per_hour = 0;
    options.once = true;
    options.time_limit = 100 * FG_SECOND;
    return options;
}

static void remove_store(const char *folder)
{
    static const char *const names[] = {"c.db", "c.db-wal", "c.db-shm", "c.db.lock"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[100];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

static struct crawled crawl(const struct route *routes,
                            const struct fg_crawl_options *options, const char *path)
{
    char folder[] = "/tmp/forage-hostile-XXXXXX", file[100];
    struct fg_store *store;
    struct fg_crawl *run;
    struct fg_err err = {0};
    struct crawled crawled;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/c.db", folder);
    struct server *server = server_start(routes, NULL);
    if (fg_store_open(&store, file, &(struct fg_store_options){0}, &err) ||
        fg_crawl_new(&run, store, options, &err) ||
        fg_crawl_add(run, fg_str_from(server_url(server, path)), &(struct fg_seed){0},
                     &err))
        fail_msg("%s", err.text);
    crawled.end = fg_crawl_run(run, &err);
    if (crawled.end == FG_CRAWL_FAILED)
        fail_msg("%s", err.text);
    crawled.counts = fg_crawl_count(run);
    fg_crawl_free(run);
    fg_store_close(store, NULL);
    crawled.requests = server_hits(server);
    server_stop(server);
    remove_store(folder);
    return crawled;
}

static bool page(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool page(struct client *client, const char *format, ...)
{
    char *body;
    va_list list;
    va_start(list, format);
    int n = vasprintf(&body, format, list);
    va_end(list);
    assert_true(n >= 0);
    bool sent = client_page(client, "text/html", (struct fg_str){body, (size_t)n});
    free(body);
    return sent;
}

static const char prose[] =
    "<p>Events of the society are announced here as soon as the committee has agreed on "
    "them, which it does on the first Monday of each month in the back room of the inn, "
    "where members and their guests are always welcome to a glass and a word.";

/* --- a calendar --- */

static bool calendar(struct client *client)
{
    unsigned month = 0;
    sscanf(client->path, "/calendar/%u", &month);
    return page(client,
                "<title>Month %u</title>%s<a href=/calendar/%u>next</a>"
                "<a href=/calendar/%u>next year</a>",
                month, prose, month + 1, month + 12);
}

static bool bare_calendar(struct client *client)
{
    unsigned month = 0;
    sscanf(client->path, "/calendar/%u", &month);
    return page(client, "<title>Month %u</title><a href=/calendar/%u>next</a>", month,
                month + 1);
}

static void a_calendar_without_end_ends(void **state)
{
    (void)state;
    static const struct route talking[] = {{"/calendar/*", .serve = calendar}, {0}};
    static const struct route silent[] = {{"/calendar/*", .serve = bare_calendar}, {0}};
    struct fg_crawl_options options = local();
    struct crawled c = crawl(talking, &options, "/calendar/1");
    assert_int_equal(c.end, FG_CRAWL_DONE);
    assert_true(c.requests < 200);
    assert_true(c.counts.known < 200);
    /* With nothing to compare, depth is the limit. */
    c = crawl(silent, &options, "/calendar/1");
    assert_int_equal(c.end, FG_CRAWL_DONE);
    assert_in_range(c.counts.known, 15, 25);
}

/* --- pages that make up ten more of their kind each --- */

static bool forest(struct client *client)
{
    struct fg_buf body;
    fg_buf_init(&body, 1 << 20);
    fg_buf_printf(&body, "<title>A page</title>%s", prose);
    for (unsigned i = 0; i < 10; i++)
        fg_buf_printf(&body, "<a href=/s/%08x%02xk/list>more</a>",
                      client->number * 2654435761u, i);
    bool sent = client_page(client, "text/html", fg_buf_str(&body));
    fg_buf_clear(&body);
    return sent;
}

static void a_forest_of_tokens_is_closed(void **state)
{
    (void)state;
    static const struct route routes[] = {
        {"/", .serve = forest}, {"/s/*", .serve = forest}, {0}};
    struct fg_crawl_options options = local();
    struct crawled c = crawl(routes, &options, "/");
    assert_int_equal(c.end, FG_CRAWL_DONE);
    assert_true(c.counts.known < 1000);
    assert_true(c.requests < 1000);
}

/* A feed on every page, and in it another page: depth counts through feeds, too. */
static bool feed_page(struct client *client)
{
    unsigned n = 0;
    if (sscanf(client->path, "/feed/%u", &n) == 1)
        return page(
            client,
            "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>t</title>"
            "<item><title>i</title><link>http://%s/page/%u</link></item>"
            "</channel></rss>",
            client->host, n + 1);
    sscanf(client->path, "/page/%u", &n);
    return page(client,
                "<link rel=alternate type=application/rss+xml href=/feed/%u>"
                "<title>Page %u</title>",
                n, n);
}

static void feeds_of_feeds_end(void **state)
{
    (void)state;
    static const struct route routes[] = {
        {"/page/*", .serve = feed_page}, {"/feed/*", .serve = feed_page}, {0}};
    struct fg_crawl_options options = local();
    struct crawled c = crawl(routes, &options, "/page/0");
    assert_int_equal(c.end, FG_CRAWL_DONE);
    /* A site that has a feed is not asked for those that its articles announce. */
    assert_in_range(c.counts.known, 3, 60);
}

/* --- sessions --- */

static bool shop(struct client *client)
{
    struct fg_buf body;
    fg_buf_init(&body, 1 << 20);
    fg_buf_printf(&body, "<title>Shop</title>");
    for (unsigned i = 0; i < 5; i++) {
        unsigned session = client->number * 7919 + i;
        fg_buf_printf(&body,
                      "<a href='/item/%u?PHPSESSID=%032x'>a</a>"
                      "<a href='/item/%u;jsessionid=%016x'>b</a>"
                      "<a href='/item/%u?utm_source=s%u&amp;sid=%032x'>c</a>",
                      i, session, i, session, i, session, session);
    }
    bool sent = client_page(client, "text/html", fg_buf_str(&body));
    fg_buf_clear(&body);
    return sent;
}

static void sessions_make_no_new_pages(void **state)
{
    (void)state;
    static const struct route routes[] = {
        {"/", .serve = shop}, {"/item/*", .serve = shop}, {0}};
    struct fg_crawl_options options = local();
    struct crawled c = crawl(routes, &options, "/");
    assert_int_equal(c.end, FG_CRAWL_DONE);
    assert_int_equal(c.counts.known, 6);
    assert_int_equal(c.requests, 7);
}

/* --- too much on one page --- */

static bool portal(struct client *client)
{
    if (strcmp(client->path, "/") != 0)
        return page(client, "<title>x</title>%s", client->path);
    struct fg_buf body;
    fg_buf_init(&body, 1 << 24);
    for (unsigned i = 0; i < 100000; i++)
        fg_buf_printf(&body, "<a href=/p/%u>%u</a>\n", i, i);
    bool sent = client_page(client, "text/html", fg_buf_str(&body));
    fg_buf_clear(&body);
    return sent;
}

static void a_hundred_thousand_links_are_bounded(void **state)
{
    (void)state;
    static const struct route routes[] = {{"/*", .serve = portal}, {0}};
    struct fg_crawl_options options = local();
    options.fetch_limit = 20;
    struct crawled c = crawl(routes, &options, "/");
    assert_int_equal(c.end, FG_CRAWL_FETCH_LIMIT);
    assert_in_range(c.counts.known, 1000, 50001);
}

/* --- not what it says it is --- */

static bool binary(struct client *client)
{
    static char noise[200000];
    if (!noise[1])
        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = (char)(i * i * 2654435761u >> 13);
    memcpy(noise, "\x89PNG\r\n\x1a\n<a href=/x>", 20);
    return client_page(client, "text/html; charset=utf-8",
                       (struct fg_str){noise, sizeof noise});
}

static void binary_labelled_html_has_no_links(void **state)
{
    (void)state;
    static const struct route routes[] = {{"/", .serve = binary}, {0}};
    struct fg_crawl_options options = local();
    struct crawled c = crawl(routes, &options, "/");
    assert_int_equal(c.end, FG_CRAWL_DONE);
    assert_int_equal(c.counts.known, 1);
}

/* --- redirects without end, for every page --- */

static bool away(struct client *client)
{
    if (strcmp(client->path, "/") == 0)
        return page(client, "<a href=/r/a>a</a><a href=/r/b>b</a><a href=/private>c</a>");
    if (strcmp(client->path, "/private") == 0)
        return client_puts(client, "HTTP/1.1 301 Moved\r\nLocation: http://10.0.0.1/\r\n"
                                   "Content-Length: 0\r\n\r\n");
    return client_printf(client,
                         "HTTP/1.1 302 Found\r\nLocation: /r/%u\r\n"
                         "Content-Length: 0\r\n\r\n",
                         client->number);
}

static void redirects_without_end_are_given_up(void **state)
{
    (void)state;
    static const struct route routes[] = {
        {"/robots.txt", .raw = "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"},
        {"/*", .serve = away},
        {0}};
    struct fg_crawl_options options = local();
    struct crawled c = crawl(routes, &options, "/");
    assert_int_equal(c.end, FG_CRAWL_DONE);
    assert_true(c.requests < 100);
    assert_true(c.counts.known < 20);
}

/* A site that may not be connected to does not keep a crawl from its end. */
static void a_forbidden_site_is_given_up(void **state)
{
    (void)state;
    static const struct route routes[] = {{"/*", .serve = shop}, {0}};
    struct fg_crawl_options options = local();
    options.fetch.reach = FG_REACH_PUBLIC;
    struct crawled c = crawl(routes, &options, "/");
    assert_int_equal(c.end, FG_CRAWL_DONE);
    assert_int_equal(c.requests, 0);
}

/* --- a seed that moved to another site --- */

static bool moved(struct client *client)
{
    if (strcmp(client->path, "/old") != 0)
        return page(client, "<title>%s</title><a href=/one>one</a><a href=/two>two</a>",
                    client->path);
    return client_printf(client,
                         "HTTP/1.1 301 Moved\r\nLocation: http://localhost:%u/new\r\n"
                         "Content-Length: 0\r\n\r\n",
                         server_port(client->server));
}

static void a_seed_that_redirects_means_the_site_it_leads_to(void **state)
{
    (void)state;
    static const struct route routes[] = {{"/*", .serve = moved}, {0}};
    struct fg_crawl_options options = local();
    struct crawled c = crawl(routes, &options, "/old");
    assert_int_equal(c.end, FG_CRAWL_DONE);
    assert_int_equal(c.counts.sites, 2);
    assert_int_equal(c.counts.known, 4); /* the old address, the new one, and its links */
}

FG_TESTS(a_calendar_without_end_ends, a_forest_of_tokens_is_closed, feeds_of_feeds_end,
         sessions_make_no_new_pages, a_hundred_thousand_links_are_bounded,
         binary_labelled_html_has_no_links, redirects_without_end_are_given_up,
         a_forbidden_site_is_given_up, a_seed_that_redirects_means_the_site_it_leads_to)
