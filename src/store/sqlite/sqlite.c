/* The store in one SQLite file: one connection writes, a few read.
 *
 * synchronous=FULL: in WAL mode SQLite then syncs the journal at every commit, so what
 * has been committed survives a power cut. NORMAL would sync at checkpoints only, and
 * EXTRA adds nothing to FULL in WAL mode. Group commit makes the price one sync for all
 * the results of a tenth of a second. mmap stays off: with it a failing disk is a SIGBUS,
 * and the writer gained nothing measurable from it.
 *
 * Checkpoints (moving pages from the journal into the file) are made when the journal is
 * long or the crawl idle. PASSIVE ones wait for nobody. A reader that stays long keeps
 * the journal from starting over; past four times the usual length we ask for RESTART,
 * which may wait a quarter of a second for such readers, not more.
 *
 * Readers are a small pool of connections, each with its statements, handed to whichever
 * thread asks. A walk sees the store as it was when the walk began, and neither waits for
 * the writer nor holds it up: that is what the write-ahead log is for. A question asked
 * from within a walk simply gets another connection. */
#include "store/sqlite/sqlite.h"

#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    /* quick_check reads 150 to 300 MB a second: up to this size a start after a crash
     * pays for it, a larger file is left to fg_store_check. */
    CHECKED_BYTES = 256 << 20,
    KEPT_READERS = 8,
    JOURNAL_PAGES = 8192, /* 32 MB: then a checkpoint */
    IDLE_PAGES = 256,     /* 1 MB: then one when nothing else is to be done */
    RESTART_WAIT_MS = 250,
    POST_WAIT_MS = 10000, /* for the process that writes */
};

struct sqlite {
    struct fg_backend backend;
    char *path; /* as the user wrote it, for messages */
    char *file; /* absolute, links resolved */
    bool is_read_only;
    bool is_immutable; /* read-only medium: nobody can be writing */
    int lock_fd;       /* -1 when read-only */
    uint64_t inode;    /* of the file that the writer has open */
    struct fg_connection *writer;
    int journal_pages, checkpoint_at;

    pthread_mutex_t lock; /* of the spare readers */
    struct fg_connection *readers;
    size_t n_readers;

    /* Of a view: whose it is, and the reader that is within a transaction. */
    struct sqlite *viewed;
    struct fg_connection *pinned;
    bool is_pinned_in_use;
};

static struct sqlite *of(struct fg_backend *backend)
{
    return (struct sqlite *)backend;
}

/* --- readers --- */

/* file:/path?immutable=1, for a medium that nobody can write to. */
static char *immutable_uri(const char *file)
{
    struct fg_buf uri;
    fg_buf_init(&uri, SIZE_MAX);
    fg_buf_add(&uri, FG_STR("file:"));
    for (const char *c = file; *c; c++) {
        if (fg_is_alnum(*c) || *c == '/' || *c == '.' || *c == '-' || *c == '_')
            fg_buf_add_char(&uri, *c);
        else
            fg_buf_printf(&uri, "%%%02X", (unsigned char)*c);
    }
    fg_buf_add(&uri, (struct fg_str){"?immutable=1", sizeof "?immutable=1"});
    return uri.at;
}

static enum fg_status connect_reader(sqlite3 **db, struct sqlite *sqlite,
                                     struct fg_err *err)
{
    char *uri = sqlite->is_immutable ? immutable_uri(sqlite->file) : NULL;
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | (uri ? SQLITE_OPEN_URI : 0);
    enum fg_status st = FG_OK;
    if (sqlite3_open_v2(uri ? uri : sqlite->file, db, flags, NULL) != SQLITE_OK)
        st = fg_sqlite_fail(err, *db, sqlite->path, "open");
    free(uri);
    if (st)
        return st;
    sqlite3_extended_result_codes(*db, 1);
    sqlite3_busy_timeout(*db, FG_BUSY_MS);
    return fg_sqlite_exec(*db, sqlite->path, "open",
                          "PRAGMA cache_size = -8192; PRAGMA trusted_schema = OFF", err);
}

static enum fg_status open_reader(struct fg_connection **reader, struct sqlite *sqlite,
                                  struct fg_err *err)
{
    struct fg_connection *made = fg_zeroed(1, sizeof *made);
    made->path = sqlite->path;
    enum fg_status st = connect_reader(&made->db, sqlite, err);
    if (!st)
        st = fg_fulltext_init(made, err);
    if (!st)
        st = fg_schema_check(made->db, sqlite->path, true, err);
    if (st) {
        fg_connection_free(made);
        made = NULL;
    }
    *reader = made;
    return st;
}

static enum fg_status take_reader(struct fg_connection **reader, struct sqlite *sqlite,
                                  struct fg_err *err)
{
    if (sqlite->viewed && !sqlite->is_pinned_in_use) {
        sqlite->is_pinned_in_use = true;
        *reader = sqlite->pinned;
        return FG_OK;
    }
    if (sqlite->viewed)
        sqlite = sqlite->viewed;
    pthread_mutex_lock(&sqlite->lock);
    *reader = sqlite->readers;
    if (*reader) {
        sqlite->readers = (*reader)->next;
        sqlite->n_readers--;
    }
    pthread_mutex_unlock(&sqlite->lock);
    return *reader ? FG_OK : open_reader(reader, sqlite, err);
}

static void give_back(struct sqlite *sqlite, struct fg_connection *reader)
{
    if (sqlite->viewed && reader == sqlite->pinned) {
        sqlite->is_pinned_in_use = false;
        return;
    }
    if (sqlite->viewed)
        sqlite = sqlite->viewed;
    pthread_mutex_lock(&sqlite->lock);
    bool keeps = sqlite->n_readers < KEPT_READERS;
    if (keeps) {
        reader->next = sqlite->readers;
        sqlite->readers = reader;
        sqlite->n_readers++;
    }
    pthread_mutex_unlock(&sqlite->lock);
    if (!keeps)
        fg_connection_free(reader);
}

/* Nobody can be writing to it, and nothing is left to replay. */
static bool is_at_rest(const struct sqlite *sqlite)
{
    if (fg_sqlite_size(sqlite->file, "-wal") > 0)
        return false;
    char *folder = strdup(sqlite->file);
    if (!folder)
        fg_out_of_memory();
    strrchr(folder, '/')[1] = '\0';
    bool is_closed = access(folder, W_OK) != 0;
    free(folder);
    return is_closed;
}

/* Open the first reader, so that a file that cannot be read is known at once. */
static enum fg_status start_readers(struct sqlite *sqlite, struct fg_err *err)
{
    struct fg_connection *reader;
    struct fg_err first = {0};
    enum fg_status st = open_reader(&reader, sqlite, &first);
    /* A folder we cannot write to has no room for the index of a journal. */
    if (st == FG_EIO && sqlite->is_read_only && is_at_rest(sqlite)) {
        sqlite->is_immutable = true;
        st = open_reader(&reader, sqlite, NULL);
    }
    if (st)
        return fg_fail(err, st, "%s", first.text);
    give_back(sqlite, reader);
    return FG_OK;
}

/* --- opening and closing --- */

static enum fg_status prepare_file(sqlite3 *db, const char *path, bool was_cut_short,
                                   int64_t file_bytes, struct fg_err *err)
{
    sqlite3_extended_result_codes(db, 1);
    sqlite3_busy_timeout(db, FG_BUSY_MS);
    enum fg_status st = fg_schema_check(db, path, false, err);
    if (!st && sqlite3_db_readonly(db, "main") == 1)
        st = fg_fail(err, FG_EIO, "cannot write to '%s': it is read-only", path);
    if (!st)
        st = fg_sqlite_exec(db, path, "prepare",
                            "PRAGMA auto_vacuum = NONE;"
                            "PRAGMA journal_mode = WAL;"
                            "PRAGMA synchronous = FULL;"
                            "PRAGMA wal_autocheckpoint = 0;"
                            "PRAGMA journal_size_limit = 67108864;"
                            "PRAGMA cache_size = -65536;"
                            "PRAGMA secure_delete = OFF;"
                            "PRAGMA temp_store = MEMORY;"
                            "PRAGMA trusted_schema = OFF;",
                            err);
    if (!st && was_cut_short && file_bytes <= CHECKED_BYTES)
        st = fg_sqlite_check(db, path, err);
    if (!st)
        st = fg_schema_migrate(db, path, fg_time_now(), err);
    return st;
}

static int on_commit(void *context, sqlite3 *db, const char *name, int journal_pages)
{
    (void)db;
    (void)name;
    struct sqlite *sqlite = context;
    if (journal_pages < sqlite->journal_pages)
        sqlite->checkpoint_at = JOURNAL_PAGES; /* it has started over */
    sqlite->journal_pages = journal_pages;
    return SQLITE_OK;
}

static enum fg_status open_writer(struct sqlite *sqlite, struct fg_err *err)
{
    enum fg_status st = fg_sqlite_lock(&sqlite->lock_fd, sqlite->file, sqlite->path, err);
    if (st)
        return st;
    /* The last one to close removes the journal: one that is still there was left by a
     * crash. SQLite replays it up to the last whole commit. */
    bool was_cut_short = fg_sqlite_size(sqlite->file, "-wal") > 0;
    struct fg_connection *writer = fg_zeroed(1, sizeof *writer);
    sqlite->writer = writer;
    writer->path = sqlite->path;
    if (sqlite3_open_v2(sqlite->file, &writer->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK)
        return fg_sqlite_fail(err, writer->db, sqlite->path, "open");
    st = fg_fulltext_init(writer, err);
    if (st)
        return st;
    st = prepare_file(writer->db, sqlite->path, was_cut_short,
                      fg_sqlite_size(sqlite->file, ""), err);
    sqlite->checkpoint_at = JOURNAL_PAGES;
    sqlite->inode = fg_sqlite_inode(sqlite->file);
    sqlite3_wal_hook(writer->db, on_commit, sqlite);
    return st;
}

static void close_sqlite(struct fg_backend *backend, bool is_clean)
{
    struct sqlite *sqlite = of(backend);
    while (sqlite->readers) {
        struct fg_connection *reader = sqlite->readers;
        sqlite->readers = reader->next;
        fg_connection_free(reader);
    }
    if (sqlite->writer && is_clean) {
        /* An empty journal tells the next start that this was a clean end, even if some
         * other process still reads and the journal cannot be removed. */
        sqlite3_busy_timeout(sqlite->writer->db, RESTART_WAIT_MS);
        sqlite3_wal_checkpoint_v2(sqlite->writer->db, "main", SQLITE_CHECKPOINT_TRUNCATE,
                                  NULL, NULL);
    }
    fg_connection_free(sqlite->writer);
    if (sqlite->lock_fd >= 0)
        close(sqlite->lock_fd);
    pthread_mutex_destroy(&sqlite->lock);
    free(sqlite->path);
    free(sqlite->file);
    free(sqlite);
}

static enum fg_status open_sqlite(struct fg_backend **backend, const char *place,
                                  const struct fg_store_options *options,
                                  struct fg_err *err)
{
    struct sqlite *sqlite = fg_zeroed(1, sizeof *sqlite);
    sqlite->backend.ops = &fg_sqlite_ops;
    sqlite->path = fg_sqlite_path(place);
    sqlite->file = fg_sqlite_resolve(sqlite->path);
    sqlite->is_read_only = options->read_only;
    sqlite->lock_fd = -1;
    pthread_mutex_init(&sqlite->lock, NULL);
    enum fg_status st = FG_OK;
    if (!sqlite->is_read_only)
        st = open_writer(sqlite, err);
    else if (fg_sqlite_size(sqlite->file, "") < 0)
        st = fg_fail(err, errno == ENOENT ? FG_ENOTFOUND : FG_EIO, "cannot open '%s': %s",
                     sqlite->path, strerror(errno));
    if (!st)
        st = start_readers(sqlite, err);
    *backend = st ? NULL : &sqlite->backend;
    if (st)
        close_sqlite(&sqlite->backend, false);
    return st;
}

/* --- commands of other processes --- */

/* The file as the process that writes has made it. */
static enum fg_status connect_poster(sqlite3 **db, const char *path, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    if (sqlite3_open_v2(path, db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
        SQLITE_OK)
        st = fg_sqlite_fail(err, *db, path, "open");
    sqlite3_busy_timeout(*db, POST_WAIT_MS);
    if (!st)
        st = fg_schema_check(*db, path, true, err);
    if (st) {
        sqlite3_close(*db);
        *db = NULL;
    }
    return st;
}

static enum fg_status insert_command(struct fg_connection *poster,
                                     const struct fg_command_row *command,
                                     struct fg_err *err)
{
    struct fg_command_row row = *command;
    int64_t last = 0;
    enum fg_status st =
        fg_sqlite_exec(poster->db, poster->path, "write", "BEGIN IMMEDIATE", err);
    if (!st)
        st = fg_sqlite_int(poster->db, poster->path,
                           "SELECT ifnull(max(number), 0) FROM commands", &last, err);
    row.number = (uint64_t)last + 1;
    if (!st)
        st = fg_connection_edit(poster, FG_PUT_COMMAND, &row, NULL, err);
    return st ? st : fg_sqlite_exec(poster->db, poster->path, "write", "COMMIT", err);
}

/* The process that writes may only just have begun to make the file. */
static enum fg_status post(const char *place, const struct fg_command_row *command,
                           struct fg_err *err)
{
    struct fg_connection *poster = fg_zeroed(1, sizeof *poster);
    char *path = fg_sqlite_path(place);
    poster->path = path;
    enum fg_status st = connect_poster(&poster->db, path, err);
    for (int waited = 0; st && waited < POST_WAIT_MS && fg_sqlite_writer(place) >= 0;
         waited += 50) {
        usleep(50000);
        st = connect_poster(&poster->db, path, err);
    }
    if (!st)
        st = insert_command(poster, command, err);
    fg_connection_free(poster);
    free(path);
    return st;
}

/* A search is counted in passing: it waits for nobody long, and needs not be on disk
 * when it is answered. */
static enum fg_status note_queries(const char *place, const struct fg_query_row *queries,
                                   size_t n, struct fg_err *err)
{
    struct fg_connection *poster = fg_zeroed(1, sizeof *poster);
    char *path = fg_sqlite_path(place);
    poster->path = path;
    enum fg_status st = connect_poster(&poster->db, path, err);
    if (!st) {
        sqlite3_busy_timeout(poster->db, RESTART_WAIT_MS);
        st = fg_sqlite_exec(poster->db, path, "write",
                            "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE", err);
    }
    for (size_t i = 0; !st && i < n; i++)
        st = fg_connection_edit(poster, FG_COUNT_SEARCH, &queries[i], NULL, err);
    if (!st)
        st = fg_connection_drop(poster, FG_OLD_SEARCHES,
                                FG_ARGS(FG_NUM(queries[0].day - FG_QUERY_DAYS)), SIZE_MAX,
                                NULL, err);
    if (!st)
        st = fg_sqlite_exec(poster->db, path, "write", "COMMIT", err);
    fg_connection_free(poster);
    free(path);
    return st;
}

/* --- feedback --- */

static enum fg_status write_notes(struct fg_connection *poster,
                                  const struct fg_feedback_note *notes, size_t n,
                                  fg_time now, bool *is_new, struct fg_err *err)
{
    struct fg_feedback_row all = {0};
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < n; i++) {
        struct fg_mark_row mark = {notes[i].mark, notes[i].until};
        size_t changed = 0;
        st = fg_connection_edit(poster, FG_PUT_MARK, &mark, &changed, err);
        is_new[i] = changed > 0;
        if (st || !is_new[i])
            continue;
        st = fg_connection_edit(poster, FG_COUNT_FEEDBACK, &notes[i].row, NULL, err);
        all.shown += notes[i].row.shown;
        all.looks += notes[i].row.looks;
        all.clicks += notes[i].row.clicks;
    }
    if (!st)
        st = fg_connection_edit(poster, FG_COUNT_FEEDBACK, &all, NULL, err);
    return st ? st
              : fg_connection_drop(poster, FG_OLD_MARKS, FG_ARGS(FG_NUM(now)), SIZE_MAX,
                                   NULL, err);
}

/* A connection of its own with a transaction begun; ended by end_posting. */
static enum fg_status begin_posting(struct fg_connection *poster, struct fg_err *err)
{
    enum fg_status st = connect_poster(&poster->db, poster->path, err);
    return st ? st
              : fg_sqlite_exec(poster->db, poster->path, "write", "BEGIN IMMEDIATE", err);
}

static enum fg_status end_posting(struct fg_connection *poster, char *path,
                                  enum fg_status st, struct fg_err *err)
{
    if (!st)
        st = fg_sqlite_exec(poster->db, path, "write", "COMMIT", err);
    fg_connection_free(poster); /* what is not committed goes with it */
    free(path);
    return st;
}

static enum fg_status note_feedback(const char *place,
                                    const struct fg_feedback_note *notes, size_t n,
                                    fg_time now, bool *is_new, struct fg_err *err)
{
    struct fg_connection *poster = fg_zeroed(1, sizeof *poster);
    char *path = fg_sqlite_path(place);
    poster->path = path;
    enum fg_status st = begin_posting(poster, err);
    if (!st)
        st = write_notes(poster, notes, n, now, is_new, err);
    return end_posting(poster, path, st, err);
}

static enum fg_status keep_state(const char *place, const struct fg_state_row *state,
                                 struct fg_err *err)
{
    struct fg_connection *poster = fg_zeroed(1, sizeof *poster);
    char *path = fg_sqlite_path(place);
    poster->path = path;
    enum fg_status st = begin_posting(poster, err);
    if (!st)
        st = fg_connection_edit(poster, FG_KEEP_STATE, state, NULL, err);
    return end_posting(poster, path, st, err);
}

/* --- transactions --- */

static enum fg_status begin(struct fg_backend *backend, struct fg_err *err)
{
    struct sqlite *sqlite = of(backend);
    enum fg_status st = fg_sqlite_still_ours(&sqlite->lock_fd, sqlite->file, sqlite->path,
                                             sqlite->inode, err);
    return st ? st
              : fg_sqlite_exec(sqlite->writer->db, sqlite->path, "write",
                               "BEGIN IMMEDIATE", err);
}

static enum fg_status commit(struct fg_backend *backend, struct fg_err *err)
{
    struct sqlite *sqlite = of(backend);
    return fg_sqlite_exec(sqlite->writer->db, sqlite->path, "write", "COMMIT", err);
}

static bool is_busy(struct fg_backend *backend)
{
    return (sqlite3_errcode(of(backend)->writer->db) & 0xff) == SQLITE_BUSY;
}

static void rollback(struct fg_backend *backend)
{
    /* SQLite has already rolled back after some errors, a full disk among them. */
    sqlite3 *db = of(backend)->writer->db;
    if (!sqlite3_get_autocommit(db))
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
}

/* A failure is left alone: nothing is lost, and if the disk is at fault the next commit
 * will find out. */
static void tidy(struct fg_backend *backend, bool is_idle, struct fg_store_effort *effort)
{
    struct sqlite *sqlite = of(backend);
    effort->journal_bytes = (uint64_t)sqlite->journal_pages * 4096;
    if (sqlite->journal_pages < (is_idle ? IDLE_PAGES : sqlite->checkpoint_at))
        return;
    bool is_long = sqlite->journal_pages >= 4 * JOURNAL_PAGES;
    sqlite3_busy_timeout(sqlite->writer->db, RESTART_WAIT_MS);
    sqlite3_wal_checkpoint_v2(
        sqlite->writer->db, "main",
        is_long ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    sqlite3_busy_timeout(sqlite->writer->db, FG_BUSY_MS);
    sqlite->checkpoint_at = sqlite->journal_pages + JOURNAL_PAGES / 2;
    effort->checkpoints++;
}

/* --- rows --- */

static enum fg_status edit(struct fg_backend *backend, enum fg_edit which,
                           const void *row, size_t *changed, struct fg_err *err)
{
    return fg_connection_edit(of(backend)->writer, which, row, changed, err);
}

static enum fg_status drop(struct fg_backend *backend, enum fg_row_query query,
                           const struct fg_arg *args, size_t most, size_t *dropped,
                           struct fg_err *err)
{
    return fg_connection_drop(of(backend)->writer, query, args, most, dropped, err);
}

static void walk(struct fg_row_walk *walk, enum fg_row_query query,
                 const struct fg_arg *args, size_t most, bool is_writer,
                 struct fg_err *err)
{
    struct sqlite *sqlite = of(walk->backend);
    struct fg_connection *from = sqlite->writer;
    if (!is_writer)
        walk->status = take_reader(&from, sqlite, err);
    if (walk->status)
        return;
    struct fg_statement *statement;
    walk->status = fg_connection_walk(from, query, args, most, &statement, err);
    walk->from = from;
    walk->rows = statement;
}

static bool next(struct fg_row_walk *walk, void *row, struct fg_err *err)
{
    return fg_statement_next(walk->rows, walk->from, row, &walk->status, err);
}

static void end(struct fg_row_walk *walk)
{
    struct sqlite *sqlite = of(walk->backend);
    struct fg_statement *statement = walk->rows;
    if (statement)
        sqlite3_reset(statement->stmt);
    if (walk->from && walk->from != sqlite->writer)
        give_back(sqlite, walk->from);
}

/* --- views --- */

static enum fg_status begin_view(struct fg_backend **view, struct fg_backend *backend,
                                 struct fg_err *err)
{
    struct sqlite *sqlite = of(backend), *made = fg_zeroed(1, sizeof *made);
    made->backend = sqlite->backend;
    made->path = sqlite->path;
    made->viewed = sqlite;
    enum fg_status st = take_reader(&made->pinned, sqlite, err);
    if (!st &&
        (st = fg_sqlite_exec(made->pinned->db, sqlite->path, "read", "BEGIN", err)))
        give_back(sqlite, made->pinned);
    if (st) {
        free(made);
        made = NULL;
    }
    *view = made ? &made->backend : NULL;
    return st;
}

static void end_view(struct fg_backend *view)
{
    struct sqlite *made = of(view);
    /* A connection that cannot leave its transaction is of no use to others. */
    if (fg_sqlite_exec(made->pinned->db, made->path, "read", "COMMIT", NULL))
        fg_connection_free(made->pinned);
    else
        give_back(made->viewed, made->pinned);
    free(made);
}

/* --- the index --- */

static enum fg_status put_terms(struct fg_backend *backend,
                                const struct fg_indexed_text *text, struct fg_err *err)
{
    return fg_fulltext_put(of(backend)->writer, text, err);
}

static enum fg_status take_terms_out(struct fg_backend *backend,
                                     const struct fg_indexed_text *text,
                                     struct fg_err *err)
{
    return fg_fulltext_take_out(of(backend)->writer, text, err);
}

static struct fg_text_terms made(struct fg_backend *backend, bool is_taken_out)
{
    return fg_fulltext_made(of(backend)->writer, is_taken_out);
}

static struct fg_text_terms terms_of(struct fg_backend *backend,
                                     const struct fg_indexed_text *text)
{
    fg_fulltext_make(of(backend)->writer, text);
    return fg_fulltext_made(of(backend)->writer, false);
}

static enum fg_status clear_terms(struct fg_backend *backend, struct fg_err *err)
{
    return fg_fulltext_clear(of(backend)->writer, err);
}

static enum fg_status terms_are_stale(struct fg_backend *backend, bool *are_stale,
                                      struct fg_err *err)
{
    return fg_fulltext_is_stale(of(backend)->writer, are_stale, err);
}

static enum fg_status match(struct fg_backend *backend,
                            const struct fg_index_query *query, fg_take_hit *take,
                            void *context, struct fg_err *err)
{
    struct fg_connection *reader;
    enum fg_status st = take_reader(&reader, of(backend), err);
    if (st)
        return st;
    st = fg_fulltext_match(reader, query, take, context, err);
    give_back(of(backend), reader);
    return st;
}

static enum fg_status languages(struct fg_backend *backend, bool *are_there,
                                struct fg_err *err)
{
    struct fg_connection *reader;
    enum fg_status st = take_reader(&reader, of(backend), err);
    if (st)
        return st;
    st = fg_fulltext_languages(reader, are_there, err);
    give_back(of(backend), reader);
    return st;
}

static enum fg_status frequency(struct fg_backend *backend,
                                const struct fg_index_group *group, uint64_t last,
                                double *texts, struct fg_err *err)
{
    struct fg_connection *reader;
    enum fg_status st = take_reader(&reader, of(backend), err);
    if (st)
        return st;
    st = fg_fulltext_frequency(reader, group, last, texts, err);
    give_back(of(backend), reader);
    return st;
}

static enum fg_status index_figures(struct fg_backend *backend,
                                    struct fg_index_figures *figures, struct fg_err *err)
{
    struct fg_connection *reader;
    enum fg_status st = take_reader(&reader, of(backend), err);
    if (st)
        return st;
    st = fg_fulltext_figures(reader, figures, err);
    give_back(of(backend), reader);
    return st;
}

static enum fg_status list_terms(struct fg_backend *backend, struct fg_str first,
                                 fg_take_term *take, void *context, struct fg_err *err)
{
    struct fg_connection *reader;
    enum fg_status st = take_reader(&reader, of(backend), err);
    if (st)
        return st;
    st = fg_fulltext_terms(reader, first, take, context, err);
    give_back(of(backend), reader);
    return st;
}

static enum fg_status sum_terms(struct fg_backend *backend, uint64_t *texts,
                                uint64_t *terms, uint64_t *sum, struct fg_err *err)
{
    struct fg_connection *reader;
    enum fg_status st = take_reader(&reader, of(backend), err);
    if (st)
        return st;
    st = fg_fulltext_sum(reader, texts, terms, sum, err);
    give_back(of(backend), reader);
    return st;
}

static enum fg_status sum_text(struct fg_backend *backend,
                               const struct fg_indexed_text *text, uint64_t *terms,
                               uint64_t *sum, struct fg_err *err)
{
    struct fg_connection *reader;
    enum fg_status st = take_reader(&reader, of(backend), err);
    if (st)
        return st;
    fg_fulltext_sum_text(reader, text, terms, sum);
    give_back(of(backend), reader);
    return FG_OK;
}

static const struct fg_index_ops index_ops = {
    .put = put_terms,
    .take_out = take_terms_out,
    .made = made,
    .terms_of = terms_of,
    .clear = clear_terms,
    .is_stale = terms_are_stale,
    .match = match,
    .languages = languages,
    .frequency = frequency,
    .figures = index_figures,
    .terms = list_terms,
    .sum = sum_terms,
    .sum_text = sum_text,
};

/* --- the whole --- */

static enum fg_status count(struct fg_backend *backend, enum fg_row_kind rows,
                            uint64_t *n, struct fg_err *err)
{
    struct fg_connection *reader;
    enum fg_status st = take_reader(&reader, of(backend), err);
    if (st)
        return st;
    char sql[128];
    int64_t counted;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", fg_row_types[rows].table);
    st = fg_sqlite_int(reader->db, reader->path, sql, &counted, err);
    *n = (uint64_t)counted;
    give_back(of(backend), reader);
    return st;
}

static uint64_t bytes(struct fg_backend *backend)
{
    int64_t file = fg_sqlite_size(of(backend)->file, "");
    int64_t journal = fg_sqlite_size(of(backend)->file, "-wal");
    return (uint64_t)((file > 0 ? file : 0) + (journal > 0 ? journal : 0));
}

static enum fg_status check(struct fg_backend *backend, struct fg_err *err)
{
    struct fg_connection *reader;
    enum fg_status st = take_reader(&reader, of(backend), err);
    if (st)
        return st;
    st = fg_sqlite_check(reader->db, reader->path, err);
    give_back(of(backend), reader);
    return st;
}

const struct fg_backend_ops fg_sqlite_ops = {
    .open = open_sqlite,
    .close = close_sqlite,
    .writer = fg_sqlite_writer,
    .exists = fg_sqlite_exists,
    .beside.post = post,
    .beside.note_queries = note_queries,
    .beside.note_feedback = note_feedback,
    .beside.keep_state = keep_state,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .is_busy = is_busy,
    .tidy = tidy,
    .edit = edit,
    .drop = drop,
    .view = begin_view,
    .end_view = end_view,
    .walk = walk,
    .next = next,
    .end = end,
    .count = count,
    .bytes = bytes,
    .check = check,
    .index = &index_ops,
};
