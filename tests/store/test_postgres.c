/* A database that goes and comes back, writers that meet, and addresses. */
#include "fixture.h"

#include <time.h>

static void use_own_server(void)
{
    const char *address = postgres_own_address();
    if (!address)
        skip();
    setenv("FORAGE_POSTGRES", address, 1);
    box_ops = &fg_postgres_ops;
}

static void put_result(struct fg_store *store, unsigned i)
{
    struct fg_batch *batch = fg_batch_new(store);
    struct fg_page_row page = page_row(1, 1);
    if (i == 1)
        fg_batch_page(batch, &page);
    fg_batch_visit(batch, &(struct fg_visit_row){
                              .site = 1, .page = 1, .time = 1000 + i, .status = 200});
    fg_batch_event(batch, &(struct fg_event_row){.site = 1,
                                                 .page = 1,
                                                 .id = i,
                                                 .time = i,
                                                 .kind = FG_STR("changed"),
                                                 .json = FG_STR("{}")});
    fg_store_submit(store, batch);
}

struct seen {
    uint64_t events, last;
    bool is_dense;
};

static bool take_event(void *context, const struct fg_event_row *event)
{
    struct seen *seen = context;
    seen->events++;
    seen->is_dense = (seen->events == 1 || seen->is_dense) &&
                     event->number == seen->events && event->id == seen->events;
    return true;
}

/* Visits are added up in the page's row: a batch that is written twice is seen there. */
static void assert_all_once(struct fg_store *store, unsigned n)
{
    struct fg_arena arena = {0};
    struct fg_page_row page;
    struct seen seen = {0};
    struct fg_err err = {0};
    if (fg_store_page(store, &page, &arena, 1, 1, &err))
        fail_msg("%s", err.text);
    assert_int_equal(page.visits, n);
    assert_int_equal(fg_store_events(store, 0, 0, 0, SIZE_MAX, take_event, &seen, NULL),
                     FG_OK);
    assert_int_equal(seen.events, n);
    assert_true(seen.is_dense);
    fg_arena_clear(&arena);
}

static bool is_waiting(struct fg_store *store)
{
    struct fg_err err = {0};
    return fg_store_health(store, &err) && fg_store_is_locked(store);
}

static void store_goes_on_when_the_database_is_back(void **state)
{
    (void)state;
    use_own_server();
    struct box box = box_new();
    struct fg_store *store =
        box_open(&box, &(struct fg_store_options){.flush_every = FG_MILLISECOND});
    unsigned n = 0;
    for (int round = 0; round < 3; round++) {
        while (n < 200u * (unsigned)(round + 1)) {
            put_result(store, ++n);
            if (n % 200 == 50)
                postgres_kill();
        }
        for (int i = 0; i < 1000 && !is_waiting(store); i++)
            usleep(10000);
        assert_true(is_waiting(store));
        assert_true(fg_store_durable(store) < n);
        postgres_start_again();
        for (int i = 0; i < 1000 && fg_store_durable(store) < n; i++)
            usleep(10000);
        assert_int_equal(fg_store_durable(store), n);
        assert_all_once(store, n);
    }
    box_close(store);
    box_free(&box);
}

/* Connections that are cut again and again, at whatever moment that is. */
static void no_batch_is_lost_or_written_twice(void **state)
{
    (void)state;
    use_own_server();
    struct box box = box_new();
    struct fg_store *store =
        box_open(&box, &(struct fg_store_options){.flush_every = FG_MILLISECOND});
    unsigned n = 0;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 100; i++) {
            put_result(store, ++n);
            usleep(500);
            if (i == 20 + 17 * round)
                postgres_run(box.path,
                             "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                             " WHERE application_name LIKE 'forage%'");
        }
        for (int i = 0; i < 1000 && fg_store_durable(store) < n; i++)
            usleep(10000);
        assert_int_equal(fg_store_durable(store), n);
    }
    assert_all_once(store, n);
    box_close(store);
    box_free(&box);
}

static void a_second_writer_is_told_who_writes(void **state)
{
    (void)state;
    use_own_server();
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL), *other = NULL;
    struct fg_err err = {0};
    char words[64];
    snprintf(words, sizeof words, "is in use: process %ld writes to it", (long)getpid());
    assert_int_equal(fg_store_open(&other, box.path, NULL, &err), FG_EIO);
    assert_non_null(strstr(err.text, words));
    assert_int_equal(fg_store_writer(box.path), getpid());
    box_close(store);
    assert_int_equal(fg_store_writer(box.path), -1);
    box_free(&box);
}

/* Who was cut off finds another epoch when it is back, and writes nothing. */
static void a_writer_that_was_replaced_writes_nothing(void **state)
{
    (void)state;
    use_own_server();
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_err err = {0};
    char sql[160];
    put_result(store, 1);
    assert_int_equal(fg_store_flush(store, 1, NULL), FG_OK);
    snprintf(sql, sizeof sql, "UPDATE %s.lease SET epoch = epoch + 1",
             strchr(box.path, '#') + 1);
    postgres_run(box.path, sql);
    put_result(store, 2);
    assert_int_equal(fg_store_flush(store, 2, &err), FG_EIO);
    assert_non_null(strstr(err.text, "another process has written to it meanwhile"));
    assert_false(fg_store_is_locked(store));
    assert_int_equal(fg_store_close(store, &err), FG_EIO);
    store = box_open(&box, NULL);
    assert_all_once(store, 1);
    box_close(store);
    box_free(&box);
}

/* Its connection is cut, and then the store is not as it was. */
static void assert_not_built_on(const char *sql, const char *words, unsigned kept)
{
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_err err = {0};
    char text[500];
    for (unsigned i = 1; i <= 3; i++) {
        put_result(store, i);
        assert_int_equal(fg_store_flush(store, i, NULL), FG_OK);
    }
    snprintf(text, sizeof text,
             "SET search_path = %s; BEGIN; %s; COMMIT; SELECT pg_terminate_backend(pid)"
             " FROM pg_stat_activity WHERE application_name LIKE 'forage %%'",
             strchr(box.path, '#') + 1, sql);
    postgres_run(box.path, text);
    put_result(store, 4);
    while (!fg_store_health(store, &err) || fg_store_is_locked(store))
        usleep(1000);
    if (!strstr(err.text, words))
        fail_msg("%s", err.text);
    assert_int_equal(fg_store_close(store, &err), FG_EIO);
    store = box_open(&box, NULL);
    assert_all_once(store, kept);
    box_close(store);
    box_free(&box);
}

/* A standby took over that lags: the epoch is the same, and what was acknowledged is not
 * there. Or another process has come and gone. */
static void a_store_that_was_changed_meanwhile_is_not_built_on(void **state)
{
    (void)state;
    use_own_server();
    assert_not_built_on("UPDATE lease SET written = written - 1; DELETE FROM outbox WHERE"
                        " number = 3; UPDATE pages SET visits = 2",
                        "has gone back in time", 2);
    assert_not_built_on("UPDATE lease SET epoch = epoch + 1",
                        "another process has written to it meanwhile", 3);
}

static void passwords_are_not_shown(void **state)
{
    (void)state;
    static const char *const places[] = {
        "postgresql://me:sesame@127.0.0.1:1/db#crawl",
        "postgresql://me@127.0.0.1:1/db?password=sesame#crawl",
        "postgresql://me:sesame%zz@127.0.0.1:1/db",
        "postgresql://me:sesame@127.0.0.1:1/db?nonsense=1",
        "postgresql://me:sesame@127.0.0.1:1/db#NO!",
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct fg_store *store = NULL;
        struct fg_err err = {0};
        assert_true(fg_store_open(&store, places[i], NULL, &err) != FG_OK);
        assert_null(store);
        assert_true(*err.text);
        assert_null(strstr(err.text, "sesame"));
    }
}

FG_TESTS(store_goes_on_when_the_database_is_back, no_batch_is_lost_or_written_twice,
         a_second_writer_is_told_who_writes, a_writer_that_was_replaced_writes_nothing,
         a_store_that_was_changed_meanwhile_is_not_built_on, passwords_are_not_shown)
