/* A disk that cannot keep up: the crawl waits for it instead of filling the memory. */
#include "test.h"

#include "crawl/crawl.h"
#include "store/fixture.h"
#include "support/server.h"

#include <sqlite3.h>
#include <stdatomic.h>

static struct fg_arena defaults; /* of the settings */

enum { PAGES = 400, MOST_UNWRITTEN = 8, OPEN = 4 };

struct trial {
    sqlite3 *db;
    _Atomic unsigned served, while_locked;
    _Atomic bool is_locked;
};

/* From here on another program holds the store. */
static bool home(struct client *client)
{
    struct trial *trial = client->context;
    struct fg_buf body;
    assert_int_equal(sqlite3_exec(trial->db, "BEGIN IMMEDIATE", NULL, NULL, NULL),
                     SQLITE_OK);
    trial->is_locked = true;
    fg_buf_init(&body, 1 << 20);
    for (int i = 0; i < PAGES; i++)
        fg_buf_printf(&body, "<a href=/page/%d>page %d of many</a>", i, i);
    bool sent = client_page(client, "text/html", fg_buf_str(&body));
    fg_buf_clear(&body);
    return sent;
}

/* Until two seconds after the first page was asked for. */
static bool page(struct client *client)
{
    struct trial *trial = client->context;
    unsigned served = ++trial->served;
    if (trial->is_locked)
        ++trial->while_locked;
    if (served == 1) {
        client_wait(client, 2 * FG_SECOND);
        trial->is_locked = false;
        sqlite3_exec(trial->db, "ROLLBACK", NULL, NULL, NULL);
    }
    char body[100]; /* each of its own, or they would be taken for a trap */
    int n = snprintf(body, sizeof body, "<title>page %s</title><p>words of %s",
                     client->path, client->path);
    return client_page(client, "text/html", (struct fg_str){body, (size_t)n});
}

static struct fg_crawl_options local(void)
{
    struct fg_crawl_options options = fg_crawl_defaults(&defaults);
    options.fetch.user_agent = "forage-test";
    options.fetch.reach = FG_REACH_LOOPBACK;
    options.pace.delay = 0;
    options.pace.concurrency = OPEN;
    options.budget.per_hour = 0;
    options.budget.site_per_hour = 0;
    options.run.once = true;
    options.exploring.pages = 2 * PAGES;
    options.run.time_limit = 100 * FG_SECOND;
    options.run.most_unwritten = MOST_UNWRITTEN;
    return options;
}

static void no_requests_while_the_disk_is_behind(void **state)
{
    (void)state;
    static const struct route routes[] = {
        {"/", .serve = home}, {"/page/*", .serve = page}, {0}};
    struct box box = box_new();
    struct trial trial = {0};
    struct fg_err err = {0};
    struct fg_crawl_options options = local();
    struct fg_crawl *crawl;
    struct fg_store *store = box_open(&box, &(struct fg_store_options){0});
    assert_int_equal(sqlite3_open(box.path, &trial.db), SQLITE_OK);
    sqlite3_busy_timeout(trial.db, 5000);
    struct server *server = server_start(routes, &trial);
    if (fg_crawl_new(&crawl, store, &options, &err) ||
        fg_crawl_add(crawl, fg_str_from(server_url(server, "/")), &(struct fg_seed){0},
                     &err))
        fail_msg("%s", err.text);
    enum fg_crawl_end end = fg_crawl_run(crawl, &err);
    assert_int_equal(end, FG_CRAWL_DONE);
    /* All is there in the end; while the store was held, the memory had room for a few
     * results beside those that were on their way. */
    assert_int_equal(trial.served, PAGES);
    assert_int_equal(pages_in(store, 0), PAGES + 1);
    assert_in_range(trial.while_locked, 1, MOST_UNWRITTEN + 2 * OPEN);
    fg_crawl_free(crawl);
    sqlite3_close(trial.db);
    server_stop(server);
    box_close(store);
    box_free(&box);
}

FG_TESTS(no_requests_while_the_disk_is_behind)
