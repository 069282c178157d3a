/* Whole crawls of sites without end. Each crawl runs until nothing is left to fetch for
 * the first time: that it ends at all is half of the claim. */
#include "test.h"

#include "crawl/crawl.h"
#include "net/url/canonical.h"
#include "support/server.h"

#include <unistd.h>

static struct fg_arena defaults; /* of the settings */

struct crawled {
    struct fg_crawl_counts counts;
    enum fg_crawl_end end;
    size_t requests;
    char sources[2000]; /* their paths, a blank before each */
};

static struct fg_crawl_options local(void)
{
    struct fg_crawl_options options = fg_crawl_defaults(&defaults);
    options.fetch.user_agent = "forage-test";
    options.fetch.reach = FG_REACH_LOOPBACK;
    options.pace.delay = 0;
    options.pace.concurrency = 4;
    options.budget.per_hour = 0;
    options.budget.site_per_hour = 0;
    options.run.once = true;
    options.run.time_limit = 100 * FG_SECOND;
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

static bool note_source(void *context, const struct fg_page_row *row)
{
    struct crawled *crawled = context;
    size_t len = strlen(crawled->sources);
    if (row->flags & FG_PAGE_SOURCE)
        snprintf(crawled->sources + len, sizeof crawled->sources - len, " %.*s",
                 FG_ARG(fg_str_skip(row->url, fg_canonical_site(row->url).len)));
    return true;
}

static struct crawled crawl_with(const struct route *routes, void *context,
                                 const struct fg_crawl_options *options, const char *path)
{
    char folder[] = "/tmp/forage-hostile-XXXXXX", file[100];
    struct fg_store *store;
    struct fg_crawl *run;
    struct fg_err err = {0};
    struct crawled crawled = {0};
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/c.db", folder);
    struct server *server = server_start(routes, context);
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
    fg_store_pages(store, 0, note_source, &crawled, NULL);
    fg_store_close(store, NULL);
    crawled.requests = server_hits(server);
    server_stop(server);
    remove_store(folder);
    return crawled;
}

static struct crawled crawl(const struct route *routes,
                            const struct fg_crawl_options *options, const char *path)
{
    return crawl_with(routes, NULL, options, path);
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

/* --- calendars of a site whose pages carry no dates --- */

enum { NOTES = 12, MONTHS = 8, DAYS = 28 };

/* How one program makes addresses: of the calendar, a month (of 2027 or so) and a day. */
struct calendar_form {
    const char *front, *month, *day;
};

static const struct calendar_form forms[] = {
    {"/calendar", "/calendar?month=%1$u", "/calendar?month=%1$u&amp;day=%2$u"},
    {"/calendar", "/calendar?month=%1$u", "/calendar?day=%2$u"},
    {"/calendar/", "/calendar/2037/%1$02u/", "/calendar/2037/%1$02u/%2$02u/"},
    {"/events", "/events?date=2037-%1$02u", "/events?date=2037-%1$02u-%2$02u"},
    {"/plan.php", "/plan.php?m=%1$u&amp;y=2037",
     "/plan.php?d=%2$u&amp;m=%1$u&amp;y=2037"},
    {"/agenda/", "/agenda/month/%1$u", "/agenda/day/%1$u-%2$u"},
    {"/agenda/", "/agenda/%1$u", "/agenda/%1$u/%2$u"},
    {"/termine.html", "/termine-%1$u.html", "/termine-%1$u-%2$u.html"},
};

static void add_days(struct fg_buf *body, const struct calendar_form *form,
                     unsigned month)
{
    fg_buf_printf(body, "<main><h1>Calendar</h1><table><tr>");
    for (unsigned day = 1; day <= DAYS; day++) {
        fg_buf_printf(body, "<td><a href=\"");
        fg_buf_printf(body, form->day, month, day);
        fg_buf_printf(body, "\">%u</a>", day);
    }
    fg_buf_printf(body, "</table><a href=\"");
    fg_buf_printf(body, form->month, month % MONTHS + 1, 0U);
    fg_buf_printf(body, "\">next</a> <a href=\"");
    fg_buf_printf(body, form->month, (month + MONTHS - 2) % MONTHS + 1, 0U);
    fg_buf_printf(body, "\">previous</a></main>");
}

/* Which month an address is of; the front page shows the first one. */
static unsigned month_in(const struct calendar_form *form, const char *path)
{
    for (unsigned month = 1; month <= MONTHS; month++)
        for (unsigned day = 0; day <= DAYS; day++) {
            struct fg_buf made;
            fg_buf_init(&made, 1 << 10);
            fg_buf_printf(&made, day ? form->day : form->month, month, day);
            struct fg_str text = fg_buf_str(&made);
            bool is_it = true;
            size_t at = 0;
            for (size_t i = 0; is_it && i < text.len; i++) {
                is_it = path[at] && path[at] == text.at[i];
                at++;
                if (text.at[i] == '&')
                    i += 4;
            }
            is_it = is_it && !path[at];
            fg_buf_clear(&made);
            if (is_it)
                return month;
        }
    return strcmp(path, form->front) == 0;
}

static bool notes_and_calendar(struct client *client)
{
    const struct calendar_form *form = client->context;
    struct fg_buf body;
    unsigned note, month = month_in(form, client->path);
    fg_buf_init(&body, 1 << 20);
    fg_buf_printf(&body,
                  "<title>%s</title><nav><a href=/>home</a> <a href=\"%s\">dates</a>"
                  "</nav>",
                  client->path, form->front);
    if (month)
        add_days(&body, form, month);
    else if (sscanf(client->path, "/notes/note-number-%u", &note) == 1)
        fg_buf_printf(&body, "<main><h1>Note %u</h1>%s%s%s<p>%u</main>", note, prose,
                      prose, prose, note);
    else if (strcmp(client->path, "/") == 0)
        for (unsigned i = 1; i <= NOTES; i++)
            fg_buf_printf(&body,
                          "<h2><a href=/notes/note-number-%u>The note number %u"
                          "</a></h2>",
                          i, i);
    bool sent = strcmp(client->path, "/robots.txt") != 0 &&
                client_page(client, "text/html", fg_buf_str(&body));
    fg_buf_clear(&body);
    return sent || client_puts(client, "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n");
}

static void calendars_are_no_sources(void **state)
{
    (void)state;
    static const struct route routes[] = {{"/*", .serve = notes_and_calendar}, {0}};
    struct fg_crawl_options options = local();
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct calendar_form form = forms[i];
        struct crawled c = crawl_with(routes, &form, &options, "/");
        assert_int_equal(c.end, FG_CRAWL_DONE);
        assert_string_equal(c.sources, " /");
    }
}

/* The same words and small numbers, too; but they lead to something. */
static bool numbered_notes(struct client *client)
{
    unsigned note = 0;
    if (strcmp(client->path, "/") == 0)
        return page(client, "<title>Home</title>%s<a href=/notes/>notes</a>", prose);
    if (sscanf(client->path, "/notes/%u", &note) == 1)
        return page(client, "<title>Note %u</title><h1>Note %u</h1>%s%s<p>%u", note, note,
                    prose, prose, note);
    if (strcmp(client->path, "/notes/") != 0)
        return client_puts(client, "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n");
    struct fg_buf body;
    fg_buf_init(&body, 1 << 16);
    fg_buf_printf(&body, "<title>Notes</title>");
    for (unsigned i = 1; i <= NOTES; i++)
        fg_buf_printf(&body, "<h2><a href=/notes/%u>The note number %u</a></h2>", i, i);
    bool sent = client_page(client, "text/html", fg_buf_str(&body));
    fg_buf_clear(&body);
    return sent;
}

static void a_list_of_numbered_pages_is_a_source(void **state)
{
    (void)state;
    static const struct route routes[] = {{"/*", .serve = numbered_notes}, {0}};
    struct fg_crawl_options options = local();
    struct crawled c = crawl(routes, &options, "/");
    assert_int_equal(c.end, FG_CRAWL_DONE);
    assert_string_equal(c.sources, " / /notes/");
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
    options.run.fetch_limit = 20;
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

FG_TESTS(a_calendar_without_end_ends, calendars_are_no_sources,
         a_list_of_numbered_pages_is_a_source, a_forest_of_tokens_is_closed,
         feeds_of_feeds_end, sessions_make_no_new_pages,
         a_hundred_thousand_links_are_bounded, binary_labelled_html_has_no_links,
         redirects_without_end_are_given_up, a_forbidden_site_is_given_up,
         a_seed_that_redirects_means_the_site_it_leads_to)
