/* What goes from a store, by age or with its site, in slices; and what must stay. */
#include "fixture.h"

#include <sqlite3.h>

static int64_t ask(const struct box *box, const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    assert_int_equal(sqlite3_open_v2(box->path, &db, SQLITE_OPEN_READONLY, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    int64_t n = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return n;
}

static void put_site(struct fg_batch *batch, fg_site_id site)
{
    char key[64];
    snprintf(key, sizeof key, "https://s%u.example", site);
    fg_batch_site(batch, &(struct fg_site_row){.site = site,
                                               .key = fg_str_from(key),
                                               .state = 2,
                                               .added = 1,
                                               .last_request = FG_NEVER,
                                               .robots_fetched = FG_NEVER,
                                               .robots_expires = FG_NEVER,
                                               .backoff_until = FG_NEVER});
}

static void put_event(struct fg_batch *batch, fg_site_id site, uint64_t id, fg_time time)
{
    fg_batch_event(batch, &(struct fg_event_row){.site = site,
                                                 .page = 1,
                                                 .id = id,
                                                 .time = time,
                                                 .kind = FG_STR("discovery"),
                                                 .json = FG_STR("{}")});
}

/* A page that was looked at every microsecond has more old visits than a slice takes. */
static void slices_are_bounded(void **state)
{
    (void)state;
    enum { VISITS = 25000, LINKS = 15000 };
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    struct fg_page_row page = page_row(1, 1), next = page_row(1, 2);
    put_site(batch, 1);
    fg_batch_page(batch, &page);
    fg_batch_page(batch, &next);
    for (fg_time t = 1; t <= VISITS; t++)
        fg_batch_visit(batch, &(struct fg_visit_row){.site = 1, .page = 1, .time = t});
    for (fg_page_id target = 1; target <= LINKS; target++)
        fg_batch_link(batch, &(struct fg_link_row){.site = 1,
                                                   .source = 2,
                                                   .target_site = 1,
                                                   .target = target,
                                                   .first_seen = 1,
                                                   .last_seen = 1,
                                                   .gone = target > 10 ? 2 : FG_NEVER});
    write_now(store, batch);
    struct fg_prune prune = {.visits = VISITS - 4, .links = 3, .delivered = 0};
    int64_t before = VISITS + LINKS, after;
    int slices = 0;
    do {
        batch = fg_batch_new(store);
        fg_batch_prune(batch, &prune);
        write_now(store, batch);
        after = ask(&box, "SELECT (SELECT count(*) FROM visits) +"
                          " (SELECT count(*) FROM links)");
        assert_true(before - after <= 10000);
        before = after;
        assert_true(++slices < 10);
    } while (fg_store_has_more(store));
    assert_int_equal(ask(&box, "SELECT count(*) FROM visits"), 5);
    assert_int_equal(ask(&box, "SELECT count(*) FROM links"), 10);
    /* What the rows of pages count stays. */
    assert_int_equal(ask(&box, "SELECT visits FROM pages WHERE page = 1"), VISITS);
    box_close(store);
    box_free(&box);
}

static void last_visit_and_captures_stay(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    struct fg_page_row page = page_row(1, 1);
    fg_batch_page(batch, &page);
    fg_batch_capture(
        batch, &(struct fg_visit_row){.site = 1, .page = 1, .time = 5, .purpose = 4});
    for (fg_time t = 10; t <= 12; t++)
        fg_batch_visit(batch, &(struct fg_visit_row){.site = 1, .page = 1, .time = t});
    write_now(store, batch);
    prune_before(store, 1000, UINT64_MAX);
    assert_int_equal(ask(&box, "SELECT sum(time) FROM visits"), 5 + 12);
    box_close(store);
    box_free(&box);
}

static void never_takes_nothing(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    struct fg_page_row page = page_row(1, 1);
    put_site(batch, 1);
    fg_batch_page(batch, &page);
    for (fg_time t = 1; t <= 3; t++)
        fg_batch_visit(batch, &(struct fg_visit_row){.site = 1, .page = 1, .time = t});
    put_event(batch, 1, 1, 1);
    fg_batch_request(
        batch, &(struct fg_request_row){.site = 1, .time = 1, .target = FG_STR("/")});
    write_now(store, batch);
    prune_before(store, FG_NEVER, UINT64_MAX);
    assert_int_equal(ask(&box, "SELECT (SELECT count(*) FROM visits) + (SELECT count(*)"
                               " FROM outbox) + (SELECT count(*) FROM requests)"),
                     5);
    box_close(store);
    box_free(&box);
}

static void only_delivered_events_go(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    for (uint64_t id = 1; id <= 6; id++)
        put_event(batch, 1, id, (fg_time)id);
    fg_batch_waiting(batch, &(struct fg_waiting_row){.hook = FG_STR("team"),
                                                     .number = 2,
                                                     .site = 1,
                                                     .next = FG_NEVER,
                                                     .tried = FG_NEVER});
    write_now(store, batch);
    prune_before(store, 100, 3);
    assert_int_equal(ask(&box, "SELECT group_concat(number, '') FROM outbox"), 2456);
    prune_before(store, 6, UINT64_MAX); /* nobody wants any */
    assert_int_equal(ask(&box, "SELECT group_concat(number, '') FROM outbox"), 26);
    box_close(store);
    box_free(&box);
}

/* A row of every kind, of and about a site. */
static void fill(struct fg_batch *batch, fg_site_id site, fg_site_id other)
{
    struct fg_page_row page = page_row(site, 1);
    char key[64];
    put_site(batch, site);
    fg_batch_page(batch, &page);
    fg_batch_visit(batch, &(struct fg_visit_row){.site = site, .page = 1, .time = 1});
    fg_batch_link(batch, &(struct fg_link_row){site, 1, other, 1, 1, 1, FG_NEVER});
    fg_batch_link(batch, &(struct fg_link_row){site, 1, site, 1, 1, 1, FG_NEVER});
    fg_batch_body(batch, site, 1, 1, FG_STR("body"));
    fg_batch_state(batch, site, "patterns", FG_STR("x"));
    fg_batch_label(batch, site, 1, true);
    fg_batch_daily(batch, &(struct fg_daily_row){site, 1, 100, 1, 1}, 1);
    fg_batch_value(batch, &(struct fg_value_row){.site = site,
                                                 .page = 1,
                                                 .kind = 2,
                                                 .hash = 1,
                                                 .changed = 1,
                                                 .text = FG_STR("one")});
    fg_batch_request(
        batch, &(struct fg_request_row){.site = site, .time = 1, .target = FG_STR("/")});
    fg_batch_note(
        batch, &(struct fg_note_row){.site = site, .page = 1, .name = FG_STR("a name")});
    fg_batch_promise(batch, site, 1, FG_HOUR);
    snprintf(key, sizeof key, "https://s%u.example", site);
    fg_batch_early(batch, fg_str_from(key),
                   &(struct fg_early_row){.fingerprint = 7, .day = 100, .clicks = 1}, 1);
    put_event(batch, site, site, 1);
}

static int64_t rows_of(const struct box *box, unsigned site)
{
    static const char *const tables[] = {
        "sites",  "pages",    "visits",        "bodies",      "state",
        "labels", "counts",   "links",         "page_values", "requests",
        "notes",  "promises", "value_changes", "waiting",     "outbox"};
    char sql[256];
    int64_t n = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        snprintf(sql, sizeof sql, "SELECT count(*) FROM %s WHERE site = %u", tables[i],
                 site);
        n += ask(box, sql);
    }
    snprintf(sql, sizeof sql,
             "SELECT (SELECT count(*) FROM links WHERE target_site = %u) + (SELECT"
             " count(*) FROM early_counts WHERE key = 'https://s%u.example')",
             site, site);
    return n + ask(box, sql);
}

static void nothing_is_left_of_a_forgotten_site(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store =
        box_open(&box, &(struct fg_store_options){.keep_bodies = true});
    struct fg_batch *batch = fg_batch_new(store);
    fill(batch, 1, 2);
    fill(batch, 2, 1);
    write_now(store, batch);
    int64_t other = rows_of(&box, 2);
    assert_true(rows_of(&box, 1) == other && other > 15);
    forget_site(store, 1);
    assert_int_equal(rows_of(&box, 1), 0);
    assert_int_equal(rows_of(&box, 2), other - 2); /* its link to it, and that from it */
    assert_int_equal(fg_store_check(store, NULL), FG_OK);
    box_close(store);
    box_free(&box);
}

static void undelivered_events_outlive_their_site(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    fill(batch, 1, 2);
    put_event(batch, 1, 11, 2);
    fg_batch_delivered(batch, "file", 1, 0);
    fg_batch_delivered(batch, "stdout", 2, 0);
    write_now(store, batch);
    uint64_t delivered;
    assert_int_equal(fg_store_delivered_to_all(store, &delivered, NULL), FG_OK);
    assert_int_equal(delivered, 1);
    batch = fg_batch_new(store);
    fg_batch_forget_site(batch, 1, delivered);
    write_now(store, batch);
    assert_false(fg_store_has_more(store));
    assert_int_equal(rows_of(&box, 1), 2); /* the event, and the row of its site */
    assert_int_equal(ask(&box, "SELECT number FROM outbox"), 2);
    batch = fg_batch_new(store);
    fg_batch_forget_site(batch, 1, 2);
    write_now(store, batch);
    assert_int_equal(rows_of(&box, 1), 0);
    box_close(store);
    box_free(&box);
}

static void large_site_is_forgotten_in_slices(void **state)
{
    (void)state;
    enum { PAGES = 12000 };
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    put_site(batch, 1);
    for (fg_page_id id = 1; id <= PAGES; id++) {
        struct fg_page_row page = page_row(1, id);
        fg_batch_page(batch, &page);
        fg_batch_visit(batch, &(struct fg_visit_row){.site = 1, .page = id, .time = 1});
    }
    write_now(store, batch);
    batch = fg_batch_new(store);
    fg_batch_forget_site(batch, 1, UINT64_MAX);
    write_now(store, batch);
    assert_true(fg_store_has_more(store));
    assert_int_equal(rows_of(&box, 1), 2 * PAGES + 1 - 10000);
    forget_site(store, 1);
    assert_int_equal(rows_of(&box, 1), 0);
    box_close(store);
    box_free(&box);
}

FG_TESTS(slices_are_bounded, last_visit_and_captures_stay, never_takes_nothing,
         only_delivered_events_go, nothing_is_left_of_a_forgotten_site,
         undelivered_events_outlive_their_site, large_site_is_forgotten_in_slices)
