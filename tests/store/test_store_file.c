/* The file itself: older and newer schemas, foreign and damaged files, locks, and reading
 * beside a writer. */
#include "fixture.h"

#include "base/file.h"

#include <sqlite3.h>
#include <sys/wait.h>

static struct fg_str contents(struct fg_arena *arena, const char *path)
{
    struct fg_str text = {0};
    assert_int_equal(fg_file_read(&text, arena, path, 64 << 20, NULL), FG_OK);
    return text;
}

static void overwrite(const char *path, const char *bytes, size_t n, off_t at)
{
    int fd = open(path, O_WRONLY | O_CREAT, 0644);
    assert_int_equal(pwrite(fd, bytes, n, at), n);
    close(fd);
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    char *words = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &words) != SQLITE_OK)
        fail_msg("%s", words);
    sqlite3_close(db);
}

/* Opening must fail with these words, the file's name among them, and change no byte. */
static void check_refused(const struct box *box, bool read_only, enum fg_status status,
                          const char *words)
{
    struct fg_arena arena = {0};
    struct fg_str before = contents(&arena, box->path);
    struct fg_store *store;
    struct fg_err err = {0};
    struct fg_store_options options = {.read_only = read_only};
    assert_int_equal(fg_store_open(&store, box->path, &options, &err), status);
    assert_null(store);
    if (!strstr(err.text, words) || !strstr(err.text, box->path))
        fail_msg("said: %s", err.text);
    assert_true(fg_str_eq(contents(&arena, box->path), before));
    fg_arena_clear(&arena);
}

static void fill(const struct box *box, fg_page_id pages)
{
    struct fg_store *store = box_open(box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    for (fg_page_id id = 1; id <= pages; id++) {
        struct fg_page_row page = page_row(1, id);
        fg_batch_page(batch, &page);
    }
    write_now(store, batch);
    box_close(store);
}

/* --- schemas --- */

static void make_version_1(const struct box *box)
{
    struct fg_arena arena = {0};
    run_sql(box->path, contents(&arena, "tests/data/store/v1.sql").at);
    fg_arena_clear(&arena);
}

static void older_schema_is_migrated(void **state)
{
    (void)state;
    struct box box = box_new();
    make_version_1(&box);
    check_refused(&box, true, FG_EINPUT, "older forage");
    struct fg_store *store = box_open(&box, NULL);
    struct fg_arena arena = {0};
    struct fg_page_row page;
    assert_int_equal(
        fg_store_page_by_fingerprint(store, &page, &arena, 1, (uint64_t)-5, NULL), FG_OK);
    assert_str(page.title, "Old");
    assert_true(page.last_visit == FG_NEVER);
    assert_int_equal(page.changes, 0); /* version 1 counted the first look */
    box_close(store);
    run_sql(box.path, "SELECT first_seen FROM pages_readable");
    fg_arena_clear(&arena);
    box_free(&box);
}

struct seen_visits {
    unsigned n, changed;
};

static bool count_visit(void *context, const struct fg_visit_row *visit)
{
    struct seen_visits *seen = context;
    seen->n++;
    seen->changed += visit->changed;
    return true;
}

static void check_first_look(struct fg_store *store, fg_page_id id, unsigned changes,
                             unsigned changed_visits)
{
    struct fg_arena arena = {0};
    struct fg_page_row page;
    struct seen_visits seen = {0};
    assert_int_equal(fg_store_page(store, &page, &arena, 1, id, NULL), FG_OK);
    assert_int_equal(page.changes, changes);
    assert_int_equal(page.last_change == FG_NEVER, changes == 0);
    assert_int_equal(fg_store_visits(store, 1, id, FG_NEVER, count_visit, &seen, NULL),
                     FG_OK);
    assert_int_equal(seen.changed, changed_visits);
    fg_arena_clear(&arena);
}

/* As version 8 left them: looked at once; changed twice since; changed twice since, the
 * first look dropped; seen by an archive before. */
static void first_look_of_an_older_store_is_no_change(void **state)
{
    (void)state;
    struct box box = box_new();
    box_close(box_open(&box, NULL));
    run_sql(
        box.path,
        "WITH p(page, n) AS (VALUES(1, 1), (2, 3), (3, 3), (4, 1))"
        " INSERT INTO pages SELECT 1, page, page, 'https://a.example/' || page, 0, 0,"
        " 0, 1, 30, 30, NULL, NULL, 200, n, n, 0, 7, 0, 1.0, 0, '', '', '', '', 0 FROM p;"
        "WITH v(page, time, purpose) AS (VALUES(1, 10, 1), (2, 10, 1), (2, 20, 2),"
        " (2, 30, 2), (3, 20, 2), (3, 30, 2), (4, 5, 4), (4, 10, 1))"
        " INSERT INTO visits SELECT 1, page, time, 200, 0, purpose < 4, 0, purpose, 0,"
        " 0, 0, 0, 0, 0, 0 FROM v; PRAGMA user_version = 8");
    struct fg_store *store = box_open(&box, NULL);
    check_first_look(store, 1, 0, 0);
    check_first_look(store, 2, 2, 2);
    check_first_look(store, 3, 2, 2);
    check_first_look(store, 4, 1, 1);
    box_close(store);
    box_free(&box);
}

static void migration_is_whole_or_not_at_all(void **state)
{
    (void)state;
    struct box box = box_new();
    make_version_1(&box);
    /* A table in the way of one of the views: the step fails half-way. */
    run_sql(box.path, "CREATE TABLE links_readable(x)");
    struct fg_store *store;
    struct fg_err err = {0};
    assert_int_not_equal(fg_store_open(&store, box.path, NULL, &err), FG_OK);
    run_sql(box.path, "CREATE TABLE pages_readable(x); DROP TABLE pages_readable;"
                      "DROP TABLE links_readable");
    box_close(box_open(&box, NULL));
    box_free(&box);
}

static void newer_schema_is_refused(void **state)
{
    (void)state;
    struct box box = box_new();
    fill(&box, 3);
    run_sql(box.path, "PRAGMA user_version = 99");
    check_refused(&box, false, FG_EINPUT, "newer forage (schema 99");
    check_refused(&box, true, FG_EINPUT, "newer forage (schema 99");
    box_free(&box);
}

static void people_can_read_the_file(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    struct fg_page_row page = page_row(1, 1);
    page.first_seen = 1763240538123456;
    page.flags = FG_PAGE_SEED | FG_PAGE_SOURCE | FG_PAGE_RELEVANT;
    fg_batch_page(batch, &page);
    fg_batch_visit(batch, &(struct fg_visit_row){1, 1, .time = 1763240538123456});
    fg_batch_link(batch, &(struct fg_link_row){1, 1, 1, 1, 1, 1, FG_NEVER});
    write_now(store, batch);
    sqlite3 *db; /* while the store is open, as a shell would */
    sqlite3_stmt *stmt;
    assert_int_equal(sqlite3_open(box.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db,
                                        "SELECT p.first_seen, p.flags, v.url, l.gone"
                                        " FROM pages_readable p, visits_readable v,"
                                        " links_readable l",
                                        -1, &stmt, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    assert_string_equal(sqlite3_column_text(stmt, 0), "2025-11-15 21:02:18.123");
    assert_string_equal(sqlite3_column_text(stmt, 1), "seed source relevant");
    assert_string_equal(sqlite3_column_text(stmt, 2), "https://s1.example/p/1");
    assert_int_equal(sqlite3_column_type(stmt, 3), SQLITE_NULL);
    sqlite3_finalize(stmt);
    assert_int_equal(sqlite3_exec(db,
                                  "SELECT * FROM sites_readable; SELECT * FROM"
                                  " bodies_readable; SELECT * FROM outbox_readable",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    box_close(store);
    box_free(&box);
}

/* --- foreign and damaged files --- */

static void file_that_is_no_database_is_refused(void **state)
{
    (void)state;
    struct box box = box_new();
    char text[5000];
    memset(text, 'a', sizeof text);
    overwrite(box.path, text, sizeof text, 0);
    check_refused(&box, false, FG_EINPUT, "is not a database");
    check_refused(&box, true, FG_EINPUT, "is not a database");
    box_free(&box);
}

static void database_of_another_program_is_refused(void **state)
{
    (void)state;
    struct box box = box_new();
    run_sql(box.path, "CREATE TABLE notes(x); INSERT INTO notes VALUES('dear diary')");
    check_refused(&box, false, FG_EINPUT, "not a store of forage");
    check_refused(&box, true, FG_EINPUT, "not a store of forage");
    box_free(&box);
}

static void file_without_its_tail_is_refused_with_advice(void **state)
{
    (void)state;
    struct box box = box_new();
    fill(&box, 5000);
    struct stat info;
    assert_int_equal(stat(box.path, &info), 0);
    for (int part = 1; part < 8; part++) {
        assert_int_equal(truncate(box.path, info.st_size * (8 - part) / 8), 0);
        check_refused(&box, false, FG_EINPUT, ".recover");
        check_refused(&box, true, FG_EINPUT, ".recover");
    }
    box_free(&box);
}

/* SQLite keeps no checksums, so what is flipped inside a text stays unseen; a broken tree
 * is noticed by whoever comes across it. */
static void damage_in_the_middle_is_found_with_advice(void **state)
{
    (void)state;
    struct box box = box_new();
    fill(&box, 5000);
    char noise[4096 * 8];
    memset(noise, 0xa7, sizeof noise);
    overwrite(box.path, noise, sizeof noise, 4096 * 80);
    struct fg_store *store = box_open(&box, NULL);
    struct fg_err err = {0};
    assert_int_equal(fg_store_check(store, &err), FG_EINPUT);
    assert_non_null(strstr(err.text, ".recover"));
    size_t n = 0;
    err.text[0] = '\0';
    assert_int_equal(fg_store_pages(store, 0, count_page, &n, &err), FG_EINPUT);
    assert_non_null(strstr(err.text, box.path));
    box_close(store);

    /* After a crash, which a journal left behind tells, opening looks for itself. */
    char journal[200];
    snprintf(journal, sizeof journal, "%s-wal", box.path);
    overwrite(journal, "x", 1, 0);
    check_refused(&box, false, FG_EINPUT, ".recover");
    box_free(&box);
}

/* --- crashes --- */

static int die_writing(const struct box *box, fg_page_id pages)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct fg_store *store;
        if (fg_store_open(&store, box->path, NULL, NULL))
            _exit(1);
        for (fg_page_id id = 1; id <= pages; id++) {
            struct fg_batch *batch = fg_batch_new(store);
            struct fg_page_row page = page_row(1, id);
            fg_batch_page(batch, &page);
            fg_batch_label(batch, 1, id, true);
            fg_store_flush(store, fg_store_submit(store, batch), NULL);
        }
        kill(getpid(), SIGKILL);
    }
    int how = 0;
    waitpid(child, &how, 0);
    return WIFSIGNALED(how) ? WTERMSIG(how) : 0;
}

static void copy_file(const char *from, const char *to)
{
    struct fg_arena arena = {0};
    struct fg_str text = contents(&arena, from);
    unlink(to);
    overwrite(to, text.at, text.len, 0);
    fg_arena_clear(&arena);
}

static bool count_label(void *context, fg_site_id site, fg_page_id page, bool relevant)
{
    (void)site;
    (void)relevant;
    assert_int_equal(page, ++*(size_t *)context);
    return true;
}

static void journal_left_by_a_crash_is_read(void **state)
{
    (void)state;
    struct box box = box_new();
    assert_int_equal(die_writing(&box, 30), SIGKILL);
    struct fg_store_options looking = {.read_only = true};
    struct fg_store *store = box_open(&box, &looking);
    assert_int_equal(pages_in(store, 1), 30);
    assert_int_equal(fg_store_wakeup(store), -1);
    assert_int_equal(fg_store_health(store, NULL), FG_OK);
    box_close(store);
    store = box_open(&box, NULL);
    assert_int_equal(pages_in(store, 1), 30);
    box_close(store);
    box_free(&box);
}

/* The journal cut short, or with a flipped byte, gives the batches before that place. */
static void broken_journal_gives_whole_batches(void **state)
{
    (void)state;
    struct box box = box_new(), copy = box_new();
    assert_int_equal(die_writing(&box, 40), SIGKILL);
    char from[200], to[200];
    snprintf(from, sizeof from, "%s-wal", box.path);
    snprintf(to, sizeof to, "%s-wal", copy.path);
    struct stat info;
    assert_int_equal(stat(from, &info), 0);
    assert_true(info.st_size > 100000);
    size_t most = 0;
    for (int round = 0; round < 40; round++) {
        copy_file(box.path, copy.path);
        copy_file(from, to);
        /* Past the schema, which is the first transaction of the journal. */
        off_t at = info.st_size / 2 + info.st_size / 2 * round / 40;
        if (round % 2)
            assert_int_equal(truncate(to, at), 0);
        else
            overwrite(to, "\x5a\xa5\x5a", 3, at);
        struct fg_store *store = box_open(&copy, NULL);
        size_t labels = 0, pages = pages_in(store, 1);
        assert_int_equal(fg_store_labels(store, count_label, &labels, NULL), FG_OK);
        assert_int_equal(pages, labels);
        assert_true(pages >= most && pages <= 40);
        most = pages;
        box_close(store);
    }
    assert_true(most > 30);
    box_free(&box);
    box_free(&copy);
}

/* --- who may write --- */

static void second_writer_is_told_who_holds_the_file(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL), *second;
    struct fg_err err = {0};
    char holder[32];
    snprintf(holder, sizeof holder, "process %ld ", (long)getpid());
    assert_int_equal(fg_store_open(&second, box.path, NULL, &err), FG_EIO);
    assert_non_null(strstr(err.text, holder));

    char alias[200]; /* another name of the same file */
    snprintf(alias, sizeof alias, "%s/alias.db", box.folder);
    assert_int_equal(symlink(box.path, alias), 0);
    assert_int_equal(fg_store_open(&second, alias, NULL, &err), FG_EIO);
    assert_non_null(strstr(err.text, holder));
    box_close(store);
    box_close(box_open(&box, NULL));
    box_free(&box);
}

static void lock_of_another_program_passes(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(box.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_label(batch, 1, 1, true);
    struct fg_err err = {0};
    uint64_t number = fg_store_submit(store, batch);
    assert_int_equal(fg_store_flush(store, number, &err), FG_EIO);
    assert_non_null(strstr(err.text, "sqlite3 shell"));
    sqlite3_close(db);
    while (fg_store_durable(store) < number)
        usleep(10000); /* without being told */
    assert_int_equal(fg_store_health(store, NULL), FG_OK);
    box_close(store);
    box_free(&box);
}

/* As a user who may not write there; root may always. */
static int as_nobody(int (*work)(const struct box *box), const struct box *box)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
            _exit(99);
        _exit(work(box));
    }
    int how = 0;
    waitpid(child, &how, 0);
    return WIFEXITED(how) ? WEXITSTATUS(how) : 100;
}

static int write_is_refused(const struct box *box)
{
    struct fg_store *store;
    struct fg_err err = {0};
    if (fg_store_open(&store, box->path, NULL, &err) != FG_EIO)
        return 1;
    return strstr(err.text, box->path) ? 0 : 2;
}

static int reading_works(const struct box *box)
{
    struct fg_store *store;
    struct fg_err err = {0};
    struct fg_store_options looking = {.read_only = true};
    if (fg_store_open(&store, box->path, &looking, &err))
        return 1;
    size_t n = 0;
    if (fg_store_pages(store, 0, count_page, &n, &err) || n != 7)
        return 2;
    return fg_store_close(store, &err) ? 3 : 0;
}

static void folder_that_cannot_be_written_can_be_read(void **state)
{
    (void)state;
    struct box box = box_new();
    fill(&box, 7);
    chmod(box.folder, 0555);
    chmod(box.path, 0444);
    assert_int_equal(as_nobody(write_is_refused, &box), 0);
    assert_int_equal(as_nobody(reading_works, &box), 0);
    chmod(box.folder, 0777);
    char lock[200];
    snprintf(lock, sizeof lock, "%s.lock", box.path);
    unlink(lock);
    /* Now only the file itself is read-only. */
    assert_int_equal(as_nobody(write_is_refused, &box), 0);
    chmod(box.folder, 0700);
    box_free(&box);
}

static void looking_at_nothing_is_not_found(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store;
    struct fg_err err = {0};
    struct fg_store_options looking = {.read_only = true};
    assert_int_equal(fg_store_open(&store, box.path, &looking, &err), FG_ENOTFOUND);
    assert_int_equal(access(box.path, F_OK), -1);
    overwrite(box.path, "", 0, 0);
    assert_int_equal(fg_store_open(&store, box.path, &looking, &err), FG_ENOTFOUND);
    assert_int_equal(fg_store_open(&store, "/nowhere/at/all.db", NULL, &err), FG_EIO);
    box_free(&box);
}

/* Another process reads while this one writes. */
static int read_until_40(const struct box *box)
{
    struct fg_store_options looking = {.read_only = true};
    struct fg_store *store = NULL;
    for (int i = 0; i < 2000; i++) {
        size_t n = 0;
        if (!store && fg_store_open(&store, box->path, &looking, NULL))
            store = NULL;
        if (store && fg_store_pages(store, 0, count_page, &n, NULL))
            return 1;
        if (n == 40)
            return fg_store_close(store, NULL) ? 2 : 0;
        usleep(5000);
    }
    return 3;
}

static void reader_in_another_process_sees_what_is_durable(void **state)
{
    (void)state;
    struct box box = box_new();
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(read_until_40(&box));
    struct fg_store_options options = {.flush_every = FG_MILLISECOND};
    struct fg_store *store = box_open(&box, &options);
    for (fg_page_id id = 1; id <= 40; id++) {
        struct fg_batch *batch = fg_batch_new(store);
        struct fg_page_row page = page_row(1, id);
        fg_batch_page(batch, &page);
        write_now(store, batch);
        usleep(2000);
    }
    int how = 0;
    waitpid(child, &how, 0);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 0);
    box_close(store);
    box_free(&box);
}

static void put_one(struct fg_store *store, fg_page_id page)
{
    struct fg_batch *batch = fg_batch_new(store);
    struct fg_page_row row = page_row(1, page);
    fg_batch_page(batch, &row);
    write_now(store, batch);
}

/* Whoever deletes the lock, because it looks forgotten, lets no second writer in. */
static void lock_that_is_deleted_is_taken_again(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, &(struct fg_store_options){0}), *other;
    struct fg_err err = {0};
    char lock[sizeof box.path + 8];
    snprintf(lock, sizeof lock, "%s.lock", box.path);
    put_one(store, 1);
    assert_int_equal(unlink(lock), 0);
    put_one(store, 2);
    assert_int_equal(fg_store_open(&other, box.path, &(struct fg_store_options){0}, &err),
                     FG_EIO);
    assert_non_null(strstr(err.text, "in use"));
    /* And if the other one came first, we write no more. */
    assert_int_equal(unlink(lock), 0);
    assert_int_equal(fg_store_open(&other, box.path, &(struct fg_store_options){0}, &err),
                     FG_OK);
    struct fg_batch *batch = fg_batch_new(store);
    struct fg_page_row row = page_row(1, 3);
    fg_batch_page(batch, &row);
    fg_store_submit(store, batch);
    assert_int_equal(fg_store_flush(store, UINT64_MAX, &err), FG_EIO);
    assert_non_null(strstr(err.text, "in use"));
    box_close(other);
    box_close(store); /* it is free again */
    box_free(&box);
}

static void file_that_is_deleted_is_noticed(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, &(struct fg_store_options){0});
    struct fg_err err = {0};
    put_one(store, 1);
    assert_int_equal(unlink(box.path), 0);
    struct fg_batch *batch = fg_batch_new(store);
    struct fg_page_row row = page_row(1, 2);
    fg_batch_page(batch, &row);
    fg_store_submit(store, batch);
    assert_int_equal(fg_store_flush(store, UINT64_MAX, &err), FG_EIO);
    assert_non_null(strstr(err.text, "was deleted or replaced"));
    assert_int_not_equal(fg_store_close(store, &err), FG_OK);
    box_free(&box);
}

FG_TESTS(lock_that_is_deleted_is_taken_again, file_that_is_deleted_is_noticed,
         older_schema_is_migrated, first_look_of_an_older_store_is_no_change,
         migration_is_whole_or_not_at_all, newer_schema_is_refused,
         people_can_read_the_file, file_that_is_no_database_is_refused,
         database_of_another_program_is_refused,
         file_without_its_tail_is_refused_with_advice,
         damage_in_the_middle_is_found_with_advice, journal_left_by_a_crash_is_read,
         broken_journal_gives_whole_batches, second_writer_is_told_who_holds_the_file,
         lock_of_another_program_passes, folder_that_cannot_be_written_can_be_read,
         looking_at_nothing_is_not_found, reader_in_another_process_sees_what_is_durable)
