/* A store of the schema before this one is opened: every row is there afterwards. */
#include "fixture.h"

#include "base/buf.h"
#include "base/file.h"

#include <sqlite3.h>

static sqlite3 *open_file(const char *path)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    return db;
}

static void run_file(const char *path, const char *file)
{
    struct fg_arena arena = {0};
    struct fg_str sql;
    assert_int_equal(fg_file_read(&sql, &arena, file, 1 << 20, NULL), FG_OK);
    sqlite3 *db = open_file(path);
    char *words = NULL;
    if (sqlite3_exec(db, fg_arena_cstr(&arena, sql), NULL, NULL, &words) != SQLITE_OK)
        fail_msg("%s", words);
    sqlite3_close(db);
    fg_arena_clear(&arena);
}

/* The rows that a query finds, a line each, their columns as SQL would write them. */
static size_t add_rows(struct fg_buf *out, sqlite3 *db, const char *sql)
{
    sqlite3_stmt *stmt;
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    size_t n = 0;
    for (; sqlite3_step(stmt) == SQLITE_ROW; n++)
        for (int i = 0; i < sqlite3_column_count(stmt); i++)
            fg_buf_printf(out, "%s%c", sqlite3_column_text(stmt, i),
                          i + 1 < sqlite3_column_count(stmt) ? '|' : '\n');
    sqlite3_finalize(stmt);
    return n;
}

/* `columns` are those that the table had before, each in quote(...). */
static void add_table(struct fg_buf *out, const char *path, const char *table,
                      const char *columns)
{
    char sql[2048];
    sqlite3 *db = open_file(path);
    snprintf(sql, sizeof sql, "SELECT %s FROM %s ORDER BY %s", columns, table, columns);
    fg_buf_printf(out, "%s\n", table);
    size_t n = add_rows(out, db, sql);
    if (!n)
        fail_msg("there is nothing in '%s' to lose", table);
    sqlite3_close(db);
}

struct table {
    char name[64], columns[1024];
};

static size_t find_tables(struct table tables[static 32], const char *path)
{
    sqlite3 *db = open_file(path);
    sqlite3_stmt *stmt;
    assert_int_equal(sqlite3_prepare_v2(
                         db,
                         "SELECT s.name, (SELECT group_concat('quote(' || i.name || ')')"
                         " FROM pragma_table_info(s.name) i) FROM sqlite_schema s"
                         " WHERE type = 'table' AND s.name <> 'meta' ORDER BY s.name",
                         -1, &stmt, NULL),
                     SQLITE_OK);
    size_t n = 0;
    for (; sqlite3_step(stmt) == SQLITE_ROW; n++) {
        assert_true(n < 32);
        snprintf(tables[n].name, sizeof tables[n].name, "%s",
                 sqlite3_column_text(stmt, 0));
        snprintf(tables[n].columns, sizeof tables[n].columns, "%s",
                 sqlite3_column_text(stmt, 1));
    }
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return n;
}

static void every_row_of_the_last_schema_stays(void **state)
{
    (void)state;
    struct box box = box_new();
    struct table tables[32];
    struct fg_buf before, after;
    fg_buf_init(&before, 1 << 20);
    fg_buf_init(&after, 1 << 20);
    run_file(box.path, "tests/data/store/v9.sql");
    size_t n = find_tables(tables, box.path);
    assert_int_equal(n, 17);
    for (size_t i = 0; i < n; i++)
        add_table(&before, box.path, tables[i].name, tables[i].columns);
    box_close(box_open(&box, NULL));
    sqlite3 *db = open_file(box.path);
    assert_int_equal(sqlite3_exec(db, "DELETE FROM state WHERE name = 'store:last-event'",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_changes(db), 1); /* added by the migration */
    /* What was state of a site under the name of a page has a table now: back with it. */
    assert_int_equal(
        sqlite3_exec(db,
                     "INSERT INTO state SELECT site, iif(kind = 'labelled', 'focus:page',"
                     " kind) || ':' || page, bytes FROM page_extras",
                     NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_changes(db), 7);
    sqlite3_close(db);
    for (size_t i = 0; i < n; i++)
        add_table(&after, box.path, tables[i].name, tables[i].columns);
    fg_buf_add_char(&before, '\0');
    fg_buf_add_char(&after, '\0');
    assert_string_equal(after.at, before.at);
    fg_buf_clear(&before);
    fg_buf_clear(&after);
    box_free(&box);
}

static bool take_number(void *context, const struct fg_event_row *event)
{
    *(uint64_t *)context = event->number;
    return true;
}

/* Version 9 kept the highest number given among the facts about the file. */
static void event_numbers_go_on_where_they_were(void **state)
{
    (void)state;
    struct box box = box_new();
    run_file(box.path, "tests/data/store/v9.sql");
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_event(batch, &(struct fg_event_row){.site = 1,
                                                 .page = 1,
                                                 .id = 77,
                                                 .time = 5,
                                                 .kind = FG_STR("discovery"),
                                                 .json = FG_STR("{}")});
    write_now(store, batch);
    uint64_t last = 0;
    assert_int_equal(fg_store_events(store, 1, 0, 0, 100, take_number, &last, NULL),
                     FG_OK);
    assert_int_equal(last, 10);
    box_close(store);
    box_free(&box);
}

FG_TESTS(every_row_of_the_last_schema_stays, event_numbers_go_on_where_they_were)
