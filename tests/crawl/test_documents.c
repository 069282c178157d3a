/* Documents: which pages become some, what counts as a change of theirs, and what the
 * policy is told of them. */
#include "test.h"

#include "crawl/crawl.h"
#include "crawl/documents/documents.h"
#include "crawl/state.h"
#include "store/fixture.h"
#include "support/server.h"

static struct fg_arena defaults; /* of the settings */

enum { OFFERS = 8 };

/* --- a shop --- */

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

static bool home(struct client *client)
{
    char links[1000] = "";
    size_t n = 0;
    for (int i = 1; i <= OFFERS; i++)
        n += (size_t)snprintf(links + n, sizeof links - n, "<a href=/o/%d>thing %d</a> ",
                              i, i);
    return page(client, "<title>Shop</title>%s<a href=/about>about us</a>", links);
}

/* Every answer differs; the price of all but the second is always the same. */
static bool offer(struct client *client)
{
    int i = 0;
    sscanf(client->path, "/o/%d", &i);
    unsigned price = i == 2 ? 100 + client->number : 20;
    return page(
        client,
        "<title>Thing %d</title><script type='application/ld+json'>{\"@type\":"
        "\"Product\",\"name\":\"Thing %d\",\"brand\":\"Acme\",\"offers\":{"
        "\"price\":\"%u\",\"priceCurrency\":\"EUR\","
        "\"availability\":\"InStock\"}}</script><p>Visitor %u of word%u<b id=n>%u",
        i, i, price, client->number, client->number, client->number);
}

static const struct route shop[] = {
    {"/", .serve = home},
    {"/o/*", .serve = offer},
    {"/about", .raw = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 18"
                      "\r\n\r\n<p>We sell things."},
    {0}};

/* --- a crawl of it --- */

struct trial {
    struct box box;
    struct fg_store *store;
    struct server *server;
    struct fg_crawl *crawl;
    struct fg_arena arena;
};

static struct fg_crawl_options local(void)
{
    struct fg_crawl_options options = fg_crawl_defaults(&defaults);
    options.clock = fg_clock_simulated(fg_time_now(), 20000);
    options.fetch.user_agent = "forage-test";
    options.fetch.reach = FG_REACH_LOOPBACK;
    options.pace.delay = 0;
    options.budget.per_hour = 0;
    options.policies.refresh = "round-robin";
    options.run.time_limit = 60 * FG_SECOND;
    return options;
}

static void open_crawl(struct trial *trial, const struct fg_crawl_options *options)
{
    struct fg_err err = {0};
    if (fg_crawl_new(&trial->crawl, trial->store, options, &err))
        fail_msg("%s", err.text);
}

static void begin(struct trial *trial, const struct route *routes,
                  const struct fg_crawl_options *options)
{
    *trial = (struct trial){.box = box_new()};
    trial->store = box_open(&trial->box, &(struct fg_store_options){0});
    trial->server = server_start(routes, NULL);
    open_crawl(trial, options);
}

static void add(struct trial *trial, const char *path, struct fg_seed seed)
{
    struct fg_err err = {0};
    if (fg_crawl_add(trial->crawl, fg_str_from(server_url(trial->server, path)), &seed,
                     &err))
        fail_msg("%s", err.text);
}

static void run(struct trial *trial, enum fg_crawl_end expected)
{
    struct fg_err err = {0};
    assert_int_equal(fg_crawl_run(trial->crawl, &err), expected);
}

static void end(struct trial *trial)
{
    fg_crawl_free(trial->crawl);
    server_stop(trial->server);
    box_close(trial->store);
    box_free(&trial->box);
    fg_arena_clear(&trial->arena);
}

static uint32_t row_of(struct trial *trial, const char *path)
{
    struct fg_str url = fg_str_from(server_url(trial->server, path));
    for (uint32_t row = 0; row < trial->crawl->known.len; row++)
        if (fg_str_eq(fg_known_url(&trial->crawl->known, row), url))
            return row;
    fail_msg("'%s' is not known", path);
    return FG_UNKNOWN;
}

static struct fg_page_row stored(struct trial *trial, const char *path)
{
    const struct fg_known_page *page = &trial->crawl->known.at[row_of(trial, path)];
    struct fg_page_row row;
    assert_int_equal(
        fg_store_page(trial->store, &row, &trial->arena, page->site, page->page, NULL),
        FG_OK);
    return row;
}

static struct fg_value_row value(struct trial *trial, const char *path)
{
    const struct fg_known_page *page = &trial->crawl->known.at[row_of(trial, path)];
    struct fg_value_row row;
    if (fg_store_value(trial->store, &row, &trial->arena, page->site, page->page, NULL))
        fail_msg("'%s' has no value", path);
    return row;
}

static bool count_change(void *context, const struct fg_value_change *change)
{
    size_t *n = context;
    *n += change->site > 0;
    return true;
}

static size_t changes(struct trial *trial, const char *path)
{
    const struct fg_known_page *page = &trial->crawl->known.at[row_of(trial, path)];
    size_t n = 0;
    fg_store_value_changes(trial->store, page->site, page->page, 1000, count_change, &n,
                           NULL);
    return n;
}

static size_t in_mind(const struct trial *trial, uint32_t row)
{
    return fg_mind_row(trial->crawl->minds.refresh,
                       fg_known_id(&trial->crawl->known, row));
}

/* --- which pages --- */

static void offers_become_documents(void **state)
{
    (void)state;
    struct trial t;
    struct fg_crawl_options options = local();
    options.run.once = true;
    begin(&t, shop, &options);
    add(&t, "/", (struct fg_seed){0});
    run(&t, FG_CRAWL_DONE);
    assert_int_equal(t.crawl->counts.documents, OFFERS);
    assert_true(stored(&t, "/o/1").flags & FG_PAGE_DOCUMENT);
    assert_false(stored(&t, "/about").flags & FG_PAGE_DOCUMENT);
    assert_false(stored(&t, "/").flags & FG_PAGE_DOCUMENT);
    struct fg_value_row first = value(&t, "/o/1");
    assert_str(first.text, "20.00 EUR InStock");
    assert_str(first.brand, "Acme");
    assert_int_equal(first.kind, FG_VALUE_OFFER);
    /* The first fetch is a visit that the policy knows of. */
    size_t at = in_mind(&t, row_of(&t, "/o/1"));
    assert_true(at != FG_NO_ROW);
    assert_true(fg_mind_world(t.crawl->minds.refresh)->last_visit[at] != FG_NEVER);
    end(&t);
}

static size_t documents_of(int which, unsigned most)
{
    struct trial t;
    struct fg_crawl_options options = local();
    options.run.once = true;
    options.documents.which = which;
    options.documents.max = most;
    begin(&t, shop, &options);
    add(&t, "/", (struct fg_seed){0});
    run(&t, FG_CRAWL_DONE);
    size_t n = t.crawl->counts.documents;
    end(&t);
    return n;
}

static void user_says_which_pages_are_documents(void **state)
{
    (void)state;
    assert_int_equal(documents_of(FG_DOCUMENTS_SEEDS, 100), 0);
    assert_int_equal(documents_of(FG_DOCUMENTS_ALL, 100), OFFERS + 2);
    assert_int_equal(documents_of(FG_DOCUMENTS_OFFERS, 3), 3);
}

/* --- what is a change --- */

static void only_another_value_is_a_change(void **state)
{
    (void)state;
    struct trial t;
    struct fg_crawl_options options = local();
    options.run.fetch_limit = 200; /* what shows no change is seldom looked at */
    begin(&t, shop, &options);
    add(&t, "/", (struct fg_seed){0});
    run(&t, FG_CRAWL_FETCH_LIMIT);
    struct fg_page_row steady = stored(&t, "/o/1"), moving = stored(&t, "/o/2");
    assert_true(steady.visits > 2 && moving.visits > 2);
    assert_int_equal(steady.changes, 0); /* the first look is none */
    assert_true(steady.last_change == FG_NEVER);
    assert_int_equal(moving.changes, moving.visits - 1);
    assert_int_equal(changes(&t, "/o/1"), 1);
    assert_int_equal(changes(&t, "/o/2"), moving.visits);
    assert_true(value(&t, "/o/1").changed < value(&t, "/o/2").changed);
    end(&t);
}

static void value_of_a_seed_is_read_by_its_own_rule(void **state)
{
    (void)state;
    struct trial t;
    struct fg_crawl_options options = local();
    options.run.fetch_limit = 12;
    begin(&t, shop, &options);
    add(&t, "/o/1",
        (struct fg_seed){
            .is_document = true, .is_page_only = true, .value = FG_STR("selector:#n")});
    add(&t, "/o/3", (struct fg_seed){.is_document = true, .is_page_only = true});
    run(&t, FG_CRAWL_FETCH_LIMIT);
    struct fg_page_row own = stored(&t, "/o/1"), other = stored(&t, "/o/3");
    assert_int_equal(own.changes, own.visits - 1);
    assert_int_equal(other.changes, 0);
    assert_int_equal(value(&t, "/o/1").kind, FG_VALUE_SELECTOR);
    assert_str(value(&t, "/o/1").rule, "selector:#n");
    fg_crawl_free(t.crawl);
    /* And after a restart. */
    options.run.fetch_limit = 4;
    open_crawl(&t, &options);
    run(&t, FG_CRAWL_FETCH_LIMIT);
    own = stored(&t, "/o/1");
    assert_int_equal(own.changes, own.visits - 1);
    assert_int_equal(stored(&t, "/o/3").changes, 0);
    end(&t);
}

/* Never changes, and says so to those who know it. */
static bool validated(struct client *client)
{
    if (strstr(client->head, "If-None-Match: \"v1\""))
        return client_puts(client, "HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n");
    return client_puts(client, "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 22\r\n"
                               "Content-Type: text/html\r\n\r\n<b id=n>5</b><p>steady");
}

static void another_rule_is_no_change_of_the_page(void **state)
{
    (void)state;
    static const struct route routes[] = {{"/page", .serve = validated}, {0}};
    struct trial t;
    struct fg_crawl_options options = local();
    options.run.fetch_limit = 4;
    begin(&t, routes, &options);
    add(&t, "/page", (struct fg_seed){.is_document = true, .is_page_only = true});
    run(&t, FG_CRAWL_FETCH_LIMIT);
    assert_int_equal(value(&t, "/page").kind, FG_VALUE_TEXT);
    assert_true(t.crawl->counts.not_modified > 0);
    fg_crawl_free(t.crawl);
    options.documents.value_rule = FG_STR("selector:#n");
    open_crawl(&t, &options);
    run(&t, FG_CRAWL_FETCH_LIMIT);
    assert_str(value(&t, "/page").text, "5"); /* so it was asked for anew */
    assert_true(t.crawl->counts.not_modified > 0);
    assert_int_equal(stored(&t, "/page").changes, 0);
    end(&t);
}

static void rule_of_a_site_is_that_of_its_documents(void **state)
{
    (void)state;
    struct trial t;
    struct fg_crawl_options options = local();
    options.run.once = true;
    begin(&t, shop, &options);
    add(&t, "/", (struct fg_seed){.value = FG_STR("selector:title")});
    run(&t, FG_CRAWL_DONE);
    assert_str(value(&t, "/o/4").text, "Thing 4");
    assert_int_equal(t.crawl->counts.documents, OFFERS);
    fg_crawl_free(t.crawl);
    open_crawl(&t, &options);
    assert_non_null(t.crawl->sites.all.at[0]->value_rule);
    assert_int_equal(t.crawl->counts.documents, OFFERS);
    end(&t);
}

/* --- pages that go, and pages that are others --- */

static bool once_then_gone(struct client *client)
{
    if (server_count(client->server, client->path) > 1)
        return client_puts(client, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    return offer(client);
}

static const struct route dying[] = {
    {"/", .serve = home}, {"/o/*", .serve = once_then_gone}, {0}};

static void documents_that_are_gone_leave(void **state)
{
    (void)state;
    struct trial t;
    struct fg_crawl_options options = local();
    options.run.fetch_limit = 60;
    begin(&t, dying, &options);
    add(&t, "/", (struct fg_seed){0});
    add(&t, "/o/7", (struct fg_seed){.is_document = true});
    run(&t, FG_CRAWL_FETCH_LIMIT);
    assert_int_equal(t.crawl->counts.documents, 1); /* the one that was asked for */
    assert_str(value(&t, "/o/1").text, "gone");
    assert_int_equal(changes(&t, "/o/1"), 2);
    struct fg_page_row gone = stored(&t, "/o/1"), kept = stored(&t, "/o/7");
    assert_int_equal(gone.flags & (FG_PAGE_DOCUMENT | FG_PAGE_GONE), FG_PAGE_GONE);
    assert_true(kept.flags & FG_PAGE_DOCUMENT && kept.visits > 2);
    assert_int_equal(kept.changes, 1); /* that it is gone is one change, not many */
    end(&t);
}

static const struct route moved[] = {
    {"/old", .raw = "HTTP/1.1 301 Moved\r\nLocation: /o/5\r\nContent-Length: 0\r\n\r\n"},
    {"/o/*", .serve = offer},
    {0}};

static void document_that_leads_elsewhere_is_the_page_there(void **state)
{
    (void)state;
    struct trial t;
    struct fg_crawl_options options = local();
    options.run.fetch_limit = 12;
    begin(&t, moved, &options);
    add(&t, "/old",
        (struct fg_seed){.is_document = true,
                         .is_page_only = true,
                         .weight = 3,
                         .value = FG_STR("selector:title")});
    run(&t, FG_CRAWL_FETCH_LIMIT);
    assert_int_equal(t.crawl->counts.documents, 1);
    assert_str(value(&t, "/o/5").text, "Thing 5");
    assert_str(value(&t, "/o/5").rule, "selector:title");
    assert_false(stored(&t, "/old").flags & FG_PAGE_DOCUMENT);
    assert_true(stored(&t, "/o/5").flags & FG_PAGE_DOCUMENT);
    assert_true(stored(&t, "/o/5").weight == 3);
    assert_true(stored(&t, "/o/5").visits > 2);
    /* A seed that led elsewhere is asked again after ten minutes, of which a slow machine
     * sees some; it is not kept fresh beside the page that it led to. */
    assert_in_range(server_count(t.server, "/old"), 1, 2);
    end(&t);
}

/* --- what the policy is told --- */

static unsigned signals;

static void count_signal(struct fg_brain *brain, size_t page, fg_time now)
{
    (void)brain, (void)page, (void)now;
    signals++;
}

static void score_nothing(struct fg_brain *brain, fg_time now, size_t first, size_t n,
                          float *out)
{
    (void)brain, (void)now, (void)first;
    memset(out, 0, n * sizeof *out);
}

static const struct fg_param no_params[] = {{0}};
static const struct fg_column no_columns[] = {{0}};
static const struct fg_policy listener = {
    .name = "listener",
    .summary = "counts signals",
    .tasks = FG_REFRESH,
    .params = no_params,
    .columns = no_columns,
    .signal = count_signal,
    .score = score_nothing,
};

static void dates_that_move_are_signals(void **state)
{
    (void)state;
    struct trial t;
    struct fg_crawl_options options = local();
    begin(&t, shop, &options);
    fg_mind_free(t.crawl->minds.refresh);
    t.crawl->minds.refresh = fg_mind_new(&listener, 1);
    add(&t, "/o/1", (struct fg_seed){.is_document = true, .is_page_only = true});
    uint32_t row = row_of(&t, "/o/1");
    fg_time now = fg_clock_now(t.crawl->clock), hour = FG_HOUR;
    t.crawl->known.at[row].last_visit_s = (uint32_t)((now - 10 * hour) / FG_SECOND);
    signals = 0;
    document_signal(t.crawl, row, FG_NEVER, now);
    document_signal(t.crawl, row, now - 20 * hour, now); /* before we saw it */
    assert_int_equal(signals, 0);
    document_signal(t.crawl, row, now - 20 * hour, now);
    assert_int_equal(signals, 0);
    document_signal(t.crawl, row, now - 15 * hour, now); /* it has moved */
    assert_int_equal(signals, 1);
    document_signal(t.crawl, row, now - 15 * hour, now);
    document_signal(t.crawl, row, now - 18 * hour, now);
    assert_int_equal(signals, 1);
    document_signal(t.crawl, row, now + 48 * hour, now); /* nonsense */
    assert_int_equal(signals, 1);
    fg_map_remove(&t.crawl->documents.dated, row);
    document_signal(t.crawl, row, now - 5 * hour, now); /* since we saw it */
    assert_int_equal(signals, 2);
    end(&t);
}

static const char sitemap_head[] =
    "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>";

/* A sitemap whose dates move with every request. */
static bool sitemap(struct client *client)
{
    char body[2000];
    size_t n = (size_t)snprintf(body, sizeof body, "%s", sitemap_head);
    for (unsigned i = 1; i <= OFFERS; i++)
        n += (size_t)snprintf(body + n, sizeof body - n,
                              "<url><loc>%s</loc><lastmod>2020-01-%02u</lastmod></url>",
                              server_url(client->server, i == 1   ? "/o/1"
                                                         : i == 2 ? "/o/2"
                                                                  : "/o/3"),
                              1 + client->number % 28);
    n += (size_t)snprintf(body + n, sizeof body - n, "</urlset>");
    return client_page(client, "application/xml", (struct fg_str){body, n});
}

static const struct route mapped[] = {{"/", .serve = home},
                                      {"/o/*", .serve = offer},
                                      {"/sitemap.xml", .serve = sitemap},
                                      {0}};

static void sitemaps_signal_changes(void **state)
{
    (void)state;
    struct trial t;
    struct fg_crawl_options options = local();
    options.run.fetch_limit = 20;
    begin(&t, mapped, &options);
    fg_mind_free(t.crawl->minds.refresh);
    t.crawl->minds.refresh = fg_mind_new(&listener, 1);
    add(&t, "/o/1", (struct fg_seed){.is_document = true});
    add(&t, "/sitemap.xml", (struct fg_seed){.is_source = true});
    signals = 0;
    run(&t, FG_CRAWL_FETCH_LIMIT);
    assert_true(server_count(t.server, "/sitemap.xml") > 2);
    assert_true(signals > 0);
    end(&t);
}

static void siblings_share_a_group(void **state)
{
    (void)state;
    struct trial t;
    struct fg_crawl_options options = local();
    options.run.once = true;
    begin(&t, shop, &options);
    add(&t, "/", (struct fg_seed){0});
    add(&t, "/about", (struct fg_seed){.is_document = true});
    run(&t, FG_CRAWL_DONE);
    t.crawl->run.is_stopping = false;
    document_regroup(t.crawl);
    const struct fg_world *world = fg_mind_world(t.crawl->minds.refresh);
    uint32_t group = world->group[in_mind(&t, row_of(&t, "/o/1"))];
    for (int i = 2; i <= OFFERS; i++) {
        char path[20];
        snprintf(path, sizeof path, "/o/%d", i);
        assert_int_equal(world->group[in_mind(&t, row_of(&t, path))], group);
    }
    assert_int_not_equal(world->group[in_mind(&t, row_of(&t, "/about"))], group);
    end(&t);
}

static void server_dates_count_where_they_fit_the_value(void **state)
{
    (void)state;
    fg_time now = 1700000000 * FG_SECOND, day = FG_DAY;
    struct fg_str header = FG_STR("Mon, 13 Nov 2023 22:13:20 GMT"); /* a day before */
    assert_true(document_modified(header, true, now - 2 * day, now) == now - day);
    assert_true(document_modified(header, false, now - day / 2, now) == now - day);
    /* something else has changed, or the date is none of a change that we saw */
    assert_true(document_modified(header, false, now - 2 * day, now) == FG_NEVER);
    assert_true(document_modified(header, true, now - day / 2, now) == FG_NEVER);
    /* made for us, never seen before, nonsense */
    assert_true(document_modified(header, true, now - 2 * day, now - day) == FG_NEVER);
    assert_true(document_modified(header, true, FG_NEVER, now) == FG_NEVER);
    assert_true(document_modified(FG_STR("yesterday"), true, now - day, now) == FG_NEVER);
    assert_true(document_modified((struct fg_str){0}, true, now - day, now) == FG_NEVER);
}

/* 1 an hour in all, and nothing but documents wants it. */
static void share_below_one_a_tick_adds_up(void **state)
{
    (void)state;
    struct trial t;
    struct fg_crawl_options options = local();
    options.clock = fg_clock_simulated(fg_time_now(), 100000);
    options.budget.per_hour = 1;
    options.run.time_limit = 2 * FG_SECOND; /* 55 hours */
    options.documents.which = FG_DOCUMENTS_SEEDS;
    begin(&t, shop, &options);
    for (int i = 1; i <= 3; i++) {
        char path[20];
        snprintf(path, sizeof path, "/o/%d", i);
        add(&t, path, (struct fg_seed){.is_document = true, .is_page_only = true});
    }
    run(&t, FG_CRAWL_TIME_LIMIT);
    size_t visits = 0;
    for (int i = 1; i <= 3; i++) {
        char path[20];
        snprintf(path, sizeof path, "/o/%d", i);
        visits += server_count(t.server, path);
    }
    assert_in_range(visits, 5, 3 + 55);
    assert_near(fg_mind_world(t.crawl->minds.refresh)->budget, 0.8 / 30,
                1e-9); /* of two minutes */
    end(&t);
}

FG_TESTS(offers_become_documents, user_says_which_pages_are_documents,
         only_another_value_is_a_change, value_of_a_seed_is_read_by_its_own_rule,
         another_rule_is_no_change_of_the_page, rule_of_a_site_is_that_of_its_documents,
         documents_that_are_gone_leave, document_that_leads_elsewhere_is_the_page_there,
         dates_that_move_are_signals, sitemaps_signal_changes, siblings_share_a_group,
         server_dates_count_where_they_fit_the_value, share_below_one_a_tick_adds_up)
