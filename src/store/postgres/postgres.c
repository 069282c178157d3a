/* The store in a schema of a PostgreSQL database: one connection writes, a few read.
 *
 * A transaction is worked out here and sent in the end, in one pipeline: BEGIN, the
 * fence, a statement for each kind of row that changed, COMMIT. With synchronous_commit
 * on, its answer means that it is on the server's disk.
 *
 * Who writes holds an advisory lock, which goes with the connection, and the epoch of the
 * fence (schema.c). When the connection is lost the server ends the transaction one way
 * or the other before it lets go of the lock. So once the lock is ours again the fate of
 * a commit whose answer was lost is settled, and the number in the fence tells it: the
 * batches are then written or were, and never twice.
 *
 * A database that is gone is waited for: the writer tries again every second (queue.c),
 * and a process that writes has its questions wait as well, since it could only end
 * otherwise. A process that only reads gives up after some seconds. */
#include "store/postgres/postgres.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    KEPT_READERS = 8,
    HELD_BYTES = 64 << 20, /* in hand, before it is sent within the transaction */
    POST_WAIT_MS = 10000,
    POST_LOCK = 0x464F5250, /* "FORP": one that posts at a time */
};
static const fg_time reader_waits = 5 * FG_SECOND, writer_waits = 600 * FG_SECOND;

struct postgres {
    struct fg_backend backend;
    struct fg_pg_place place;
    bool is_read_only;
    struct fg_pg_link writer;
    struct fg_pg_held *held;
    int64_t epoch, transaction; /* the last one that was begun */
    bool is_lost;

    pthread_mutex_t lock; /* of the spare readers */
    struct fg_pg_link *readers;
    size_t n_readers;

    /* Of a view: whose it is, and the reader that is within a transaction. */
    struct postgres *viewed;
    struct fg_pg_link *pinned;
    bool is_pinned_in_use;
};

static struct postgres *of(struct fg_backend *backend)
{
    return (struct postgres *)backend;
}

/* --- readers --- */

static void free_link(struct fg_pg_link *link)
{
    fg_pg_disconnect(link);
    free(link);
}

static enum fg_status take_reader(struct fg_pg_link **reader, struct postgres *postgres,
                                  struct fg_err *err)
{
    if (postgres->viewed && !postgres->is_pinned_in_use) {
        postgres->is_pinned_in_use = true;
        *reader = postgres->pinned;
        return FG_OK;
    }
    if (postgres->viewed)
        postgres = postgres->viewed;
    pthread_mutex_lock(&postgres->lock);
    *reader = postgres->readers;
    if (*reader) {
        postgres->readers = (*reader)->next;
        postgres->n_readers--;
    }
    pthread_mutex_unlock(&postgres->lock);
    if (*reader)
        return FG_OK;
    *reader = fg_zeroed(1, sizeof **reader);
    enum fg_status st = fg_pg_connect(*reader, &postgres->place, FG_PG_READER, err);
    if (st) {
        free_link(*reader);
        *reader = NULL;
    }
    return st;
}

static void give_back(struct postgres *postgres, struct fg_pg_link *reader)
{
    if (postgres->viewed && reader == postgres->pinned) {
        postgres->is_pinned_in_use = false;
        return;
    }
    if (postgres->viewed)
        postgres = postgres->viewed;
    bool is_well = !fg_pg_is_lost(reader) && !reader->is_in_transaction;
    pthread_mutex_lock(&postgres->lock);
    bool keeps = is_well && postgres->n_readers < KEPT_READERS;
    if (keeps) {
        reader->next = postgres->readers;
        postgres->readers = reader;
        postgres->n_readers++;
    }
    pthread_mutex_unlock(&postgres->lock);
    if (!keeps)
        free_link(reader);
}

/* A question to be asked again if the connection is lost before it is answered. */
typedef enum fg_status question_fn(struct fg_pg_link *reader, void *context,
                                   struct fg_err *err);

static enum fg_status ask_once(struct postgres *postgres, question_fn *ask, void *context,
                               struct fg_pg_link **kept, bool *may_pass,
                               struct fg_err *err)
{
    struct fg_pg_link *reader;
    enum fg_status st = take_reader(&reader, postgres, err);
    *may_pass = st == FG_EIO;
    if (st)
        return st;
    st = ask(reader, context, err);
    *may_pass = st && fg_pg_is_lost(reader) && reader != postgres->pinned;
    if (!st && kept)
        *kept = reader;
    else
        give_back(postgres, reader);
    return st;
}

/* `kept` gets the reader, to be given back, unless it is NULL. */
static enum fg_status ask_reader(struct postgres *postgres, question_fn *ask,
                                 void *context, struct fg_pg_link **kept,
                                 struct fg_err *err)
{
    const struct postgres *whole = postgres->viewed ? postgres->viewed : postgres;
    fg_time until =
        fg_time_monotonic() + (whole->is_read_only ? reader_waits : writer_waits);
    unsigned wait_ms = 0;
    for (;;) {
        bool may_pass;
        enum fg_status st = ask_once(postgres, ask, context, kept, &may_pass, err);
        if (!st || !may_pass || fg_time_monotonic() >= until)
            return st;
        usleep(wait_ms * 1000);
        wait_ms = wait_ms ? (wait_ms < 1000 ? wait_ms * 2 : 2000) : 50;
    }
}

/* --- opening and closing --- */

/* The lock is ours: so is the fence, from now on. */
static enum fg_status take_over(struct postgres *postgres, struct fg_err *err)
{
    char sql[256];
    snprintf(
        sql, sizeof sql,
        "UPDATE lease SET epoch = epoch + 1, owner = '%ld', written = 0 WHERE one = 1"
        " RETURNING epoch",
        (long)getpid());
    return fg_pg_int(&postgres->writer, sql, &postgres->epoch, NULL, err);
}

static enum fg_status open_writer(struct postgres *postgres, struct fg_err *err)
{
    enum fg_status st =
        fg_pg_connect(&postgres->writer, &postgres->place, FG_PG_WRITER, err);
    if (!st)
        st = fg_pg_lock(&postgres->writer, err);
    if (!st)
        st = fg_pg_schema_migrate(&postgres->writer, err);
    if (!st)
        st = take_over(postgres, err);
    postgres->held = fg_pg_held_new();
    return st;
}

static enum fg_status check_schema(struct fg_pg_link *reader, void *context,
                                   struct fg_err *err)
{
    (void)context;
    return fg_pg_schema_check(reader, err);
}

static void close_postgres(struct fg_backend *backend, bool is_clean)
{
    (void)is_clean;
    struct postgres *postgres = of(backend);
    while (postgres->readers) {
        struct fg_pg_link *reader = postgres->readers;
        postgres->readers = reader->next;
        free_link(reader);
    }
    fg_pg_disconnect(&postgres->writer);
    fg_pg_held_free(postgres->held);
    fg_pg_place_clear(&postgres->place);
    pthread_mutex_destroy(&postgres->lock);
    free(postgres);
}

static enum fg_status open_postgres(struct fg_backend **backend, const char *place,
                                    const struct fg_store_options *options,
                                    struct fg_err *err)
{
    struct postgres *postgres = fg_zeroed(1, sizeof *postgres);
    postgres->backend.ops = &fg_postgres_ops;
    postgres->is_read_only = true; /* a start does not wait long */
    pthread_mutex_init(&postgres->lock, NULL);
    enum fg_status st = fg_pg_place_parse(&postgres->place, place, err);
    if (!st && !options->read_only)
        st = open_writer(postgres, err);
    if (!st)
        st = ask_reader(postgres, check_schema, NULL, NULL, err);
    postgres->is_read_only = options->read_only;
    *backend = st ? NULL : &postgres->backend;
    if (st)
        close_postgres(&postgres->backend, false);
    return st;
}

/* A connection for one question about a place. */
static enum fg_status visit(struct fg_pg_link *link, struct fg_pg_place *place,
                            const char *text, struct fg_err *err)
{
    *link = (struct fg_pg_link){0};
    enum fg_status st = fg_pg_place_parse(place, text, err);
    return st ? st : fg_pg_connect(link, place, FG_PG_READER, err);
}

static void leave(struct fg_pg_link *link, struct fg_pg_place *place)
{
    fg_pg_disconnect(link);
    fg_pg_place_clear(place);
}

static int64_t writer_of(const char *text)
{
    struct fg_pg_place place;
    struct fg_pg_link link;
    int64_t pid = visit(&link, &place, text, NULL) ? -1 : fg_pg_writer(&link);
    leave(&link, &place);
    return pid;
}

/* What cannot be asked is taken to be there: opening it says what is wrong. */
static bool exists(const char *text)
{
    struct fg_pg_place place;
    struct fg_pg_link link;
    bool is_there = visit(&link, &place, text, NULL) != FG_OK ||
                    fg_pg_schema_check(&link, NULL) != FG_ENOTFOUND;
    leave(&link, &place);
    return is_there;
}

/* --- without the process that writes --- */

struct posting {
    struct fg_pg_place place;
    struct fg_pg_link link;
    struct fg_pg_held *held;
};

static enum fg_status begin_posting(struct posting *posting, const char *text,
                                    struct fg_err *err)
{
    char sql[128];
    enum fg_status st = visit(&posting->link, &posting->place, text, err);
    posting->held = fg_pg_held_new();
    if (!st)
        st = fg_pg_schema_check(&posting->link, err);
    snprintf(sql, sizeof sql, "BEGIN; SELECT pg_advisory_xact_lock(%d, %d)", POST_LOCK,
             posting->place.lock);
    return st ? st : fg_pg_exec(&posting->link, "write", sql, err);
}

static enum fg_status end_posting(struct posting *posting, enum fg_status st,
                                  struct fg_err *err)
{
    if (!st && !(st = fg_pg_begin_pipeline(&posting->link, err))) {
        st = fg_pg_send_changes(posting->held, &posting->link, FG_ROW_KINDS, err);
        if (!st)
            st = fg_pg_send_text(&posting->link, "COMMIT", err);
        if (!st)
            st = fg_pg_end_pipeline(&posting->link, "write", err);
    }
    leave(&posting->link, &posting->place); /* what is not committed goes with it */
    fg_pg_held_free(posting->held);
    return st;
}

static enum fg_status edit_posting(struct posting *posting, enum fg_edit edit,
                                   const void *row, size_t *changed, struct fg_err *err)
{
    return fg_pg_edit(posting->held, &posting->link, edit, row, changed, err);
}

static enum fg_status drop_posting(struct posting *posting, enum fg_row_query query,
                                   int64_t number, struct fg_err *err)
{
    return fg_pg_drop(&posting->link, query, FG_ARGS(FG_NUM(number)), SIZE_MAX, NULL,
                      err);
}

/* The process that writes may only just have begun to make the tables. */
static enum fg_status post(const char *place, const struct fg_command_row *command,
                           struct fg_err *err)
{
    struct posting posting;
    struct fg_command_row row = *command;
    int64_t last = 0;
    enum fg_status st = begin_posting(&posting, place, err);
    for (int waited = 0;
         st == FG_ENOTFOUND && waited < POST_WAIT_MS && writer_of(place) >= 0;
         waited += 50) {
        end_posting(&posting, st, NULL);
        usleep(50000);
        st = begin_posting(&posting, place, err);
    }
    if (!st)
        st = fg_pg_int(&posting.link, "SELECT max(number) FROM commands", &last, NULL,
                       err);
    row.number = (uint64_t)last + 1;
    if (!st)
        st = edit_posting(&posting, FG_PUT_COMMAND, &row, NULL, err);
    return end_posting(&posting, st, err);
}

static enum fg_status note_queries(const char *place, const struct fg_query_row *queries,
                                   size_t n, struct fg_err *err)
{
    struct posting posting;
    enum fg_status st = begin_posting(&posting, place, err);
    /* A search is counted in passing, and need not be on disk when it is answered. */
    if (!st)
        st =
            fg_pg_exec(&posting.link, "write", "SET LOCAL synchronous_commit = off", err);
    for (size_t i = 0; !st && i < n; i++)
        st = edit_posting(&posting, FG_COUNT_SEARCH, &queries[i], NULL, err);
    if (!st)
        st = drop_posting(&posting, FG_OLD_SEARCHES, queries[0].day - FG_QUERY_DAYS, err);
    return end_posting(&posting, st, err);
}

static enum fg_status note_feedback(const char *place,
                                    const struct fg_feedback_note *notes, size_t n,
                                    fg_time now, bool *is_new, struct fg_err *err)
{
    struct posting posting;
    struct fg_feedback_row all = {0};
    enum fg_status st = begin_posting(&posting, place, err);
    for (size_t i = 0; !st && i < n; i++) {
        struct fg_mark_row mark = {notes[i].mark, notes[i].until};
        size_t changed = 0;
        st = edit_posting(&posting, FG_PUT_MARK, &mark, &changed, err);
        is_new[i] = changed > 0;
        if (st || !is_new[i])
            continue;
        st = edit_posting(&posting, FG_COUNT_FEEDBACK, &notes[i].row, NULL, err);
        all.shown += notes[i].row.shown;
        all.looks += notes[i].row.looks;
        all.clicks += notes[i].row.clicks;
    }
    if (!st)
        st = edit_posting(&posting, FG_COUNT_FEEDBACK, &all, NULL, err);
    if (!st)
        st = drop_posting(&posting, FG_OLD_MARKS, now, err);
    return end_posting(&posting, st, err);
}

static enum fg_status keep_state(const char *place, const struct fg_state_row *state,
                                 struct fg_err *err)
{
    struct posting posting;
    enum fg_status st = begin_posting(&posting, place, err);
    if (!st)
        st = edit_posting(&posting, FG_KEEP_STATE, state, NULL, err);
    return end_posting(&posting, st, err);
}

/* --- transactions --- */

/* The same connection again, unless another process has written in between. */
static enum fg_status reconnect(struct postgres *postgres, struct fg_err *err)
{
    int64_t epoch = 0;
    fg_pg_disconnect(&postgres->writer);
    enum fg_status st =
        fg_pg_connect(&postgres->writer, &postgres->place, FG_PG_WRITER, err);
    postgres->is_lost = st == FG_EIO;
    if (!st && (st = fg_pg_lock(&postgres->writer, err)))
        postgres->is_lost = true; /* the server may not know yet that we were cut off */
    if (!st)
        st = fg_pg_int(&postgres->writer, "SELECT epoch FROM lease WHERE one = 1", &epoch,
                       NULL, err);
    if (!st && epoch != postgres->epoch)
        st = fg_fail(err, FG_EIO,
                     "'%s' is in use: another process has written to it meanwhile; start "
                     "the crawl again",
                     postgres->place.shown);
    if (st && epoch && epoch != postgres->epoch)
        postgres->is_lost = false;
    if (st)
        fg_pg_disconnect(&postgres->writer);
    return st;
}

static enum fg_status fate(struct fg_backend *backend, bool *was_committed,
                           struct fg_err *err)
{
    struct postgres *postgres = of(backend);
    int64_t written = 0;
    enum fg_status st =
        fg_pg_is_lost(&postgres->writer) ? reconnect(postgres, err) : FG_OK;
    if (!st)
        st = fg_pg_int(&postgres->writer, "SELECT written FROM lease WHERE one = 1",
                       &written, NULL, err);
    *was_committed = !st && written == postgres->transaction;
    return st;
}

static enum fg_status begin(struct fg_backend *backend, struct fg_err *err)
{
    struct postgres *postgres = of(backend);
    enum fg_status st =
        fg_pg_is_lost(&postgres->writer) ? reconnect(postgres, err) : FG_OK;
    fg_pg_held_reset(postgres->held);
    if (!st)
        postgres->transaction++;
    return st;
}

/* BEGIN and the fence, unless that has been done. The fence is a division by the number
 * of rows that have our epoch. */
static enum fg_status send_begin(struct postgres *postgres, struct fg_err *err)
{
    char sql[256];
    struct fg_pg_link *link = &postgres->writer;
    if (link->is_in_transaction)
        return FG_OK;
    snprintf(sql, sizeof sql,
             "WITH mine AS (UPDATE lease SET written = %lld WHERE one = 1 AND epoch ="
             " %lld RETURNING 1) SELECT 1 / count(*) FROM mine",
             (long long)postgres->transaction, (long long)postgres->epoch);
    enum fg_status st = fg_pg_send_text(link, "BEGIN", err);
    if (!st)
        st = fg_pg_send_text(link, sql, err);
    link->is_in_transaction = true;
    return st;
}

/* Send what changed of that kind (FG_ROW_KINDS: of all), and perhaps end it. */
static enum fg_status flush(struct postgres *postgres, enum fg_row_kind kind,
                            bool commits, struct fg_err *err)
{
    struct fg_pg_link *link = &postgres->writer;
    enum fg_status st = fg_pg_begin_pipeline(link, err);
    if (st)
        return st;
    st = send_begin(postgres, err);
    if (!st)
        st = fg_pg_send_changes(postgres->held, link, kind, err);
    if (!st && commits)
        st = fg_pg_send_text(link, "COMMIT", err);
    enum fg_status ended = fg_pg_end_pipeline(link, "write", st ? NULL : err);
    st = st ? st : ended;
    if (commits && !st)
        link->is_in_transaction = false;
    postgres->is_lost = st && fg_pg_is_lost(link);
    return st;
}

static enum fg_status commit(struct fg_backend *backend, struct fg_err *err)
{
    struct postgres *postgres = of(backend);
    enum fg_status st = flush(postgres, FG_ROW_KINDS, true, err);
    if (!st)
        fg_pg_held_reset(postgres->held);
    return st;
}

static void rollback(struct fg_backend *backend)
{
    struct postgres *postgres = of(backend);
    struct fg_pg_link *link = &postgres->writer;
    postgres->is_lost |= fg_pg_is_lost(link);
    if (!fg_pg_is_lost(link) && PQtransactionStatus(link->db) != PQTRANS_IDLE)
        fg_pg_exec(link, "write", "ROLLBACK", NULL);
    link->is_in_transaction = false;
    fg_pg_held_reset(postgres->held);
}

static bool is_busy(struct fg_backend *backend)
{
    return of(backend)->is_lost;
}

static void tidy(struct fg_backend *backend, bool is_idle, struct fg_store_effort *effort)
{
    (void)is_idle;
    effort->statements = of(backend)->writer.statements;
}

/* --- rows --- */

static void expect(struct fg_backend *backend, enum fg_row_kind rows, const void *row)
{
    fg_pg_expect(of(backend)->held, rows, row);
}

static enum fg_status edit(struct fg_backend *backend, enum fg_edit which,
                           const void *row, size_t *changed, struct fg_err *err)
{
    struct postgres *postgres = of(backend);
    if (fg_pg_held_bytes(postgres->held) > HELD_BYTES) {
        enum fg_status st = flush(postgres, FG_ROW_KINDS, false, err);
        if (st)
            return st;
        fg_pg_held_reset(postgres->held);
    }
    return fg_pg_edit(postgres->held, &postgres->writer, which, row, changed, err);
}

/* Does the query name one row by its key? Then `key` gets it. Events are known by what
 * else is unique (held.c). */
static bool is_of_key(enum fg_row_query query, const struct fg_arg *args, void *key)
{
    struct fg_query_plan plan = fg_query_plan(query);
    const struct fg_row_type *type = &fg_row_types[plan.rows];
    if (plan.where || plan.keys != type->n_keys || plan.rows == FG_EVENTS)
        return false;
    memset(key, 0, type->bytes);
    for (size_t i = 0; i < type->n_keys; i++)
        if (fg_cell_is_text(type->columns[i].cell))
            *fg_cell_text(&type->columns[i], key) = args[i].text;
        else
            fg_cell_set(&type->columns[i], key, &args[i].number);
    return true;
}

union key {
    struct fg_page_row page;
    char bytes[1024];
};

static enum fg_status drop(struct fg_backend *backend, enum fg_row_query query,
                           const struct fg_arg *args, size_t most, size_t *dropped,
                           struct fg_err *err)
{
    struct postgres *postgres = of(backend);
    enum fg_row_kind kind = fg_query_plan(query).rows;
    union key key;
    if (is_of_key(query, args, &key)) {
        bool was_there = false;
        enum fg_status st = fg_pg_take_out(postgres->held, &postgres->writer, kind, &key,
                                           &was_there, err);
        if (dropped)
            *dropped = was_there;
        return st;
    }
    /* It need not have changed: the transaction has to begin. */
    enum fg_status st = flush(postgres, kind, false, err);
    if (!st)
        st = fg_pg_drop(&postgres->writer, query, args, most, dropped, err);
    fg_pg_forget(postgres->held, kind);
    postgres->is_lost = st && fg_pg_is_lost(&postgres->writer);
    return st;
}

static enum fg_status walk_writer(struct fg_pg_rows *rows, struct postgres *postgres,
                                  enum fg_row_query query, const struct fg_arg *args,
                                  size_t most, struct fg_err *err)
{
    struct fg_query_plan plan = fg_query_plan(query);
    union key key;
    if (!is_of_key(query, args, &key)) {
        /* Many rows are read a part at a time, within the transaction. */
        bool begins = most > FG_PG_AT_ONCE || fg_pg_is_changed(postgres->held, plan.rows);
        enum fg_status st = begins ? flush(postgres, plan.rows, false, err) : FG_OK;
        return st ? st : fg_pg_walk(rows, &postgres->writer, query, args, most, err);
    }
    *rows = (struct fg_pg_rows){.type = &fg_row_types[plan.rows]};
    for (size_t i = 0; i < rows->type->n_columns; i++)
        rows->columns[rows->n_columns++] = (uint8_t)i;
    return fg_pg_find(postgres->held, &postgres->writer, plan.rows, &key, &rows->only,
                      err);
}

struct question {
    struct fg_pg_rows *rows;
    enum fg_row_query query;
    const struct fg_arg *args;
    size_t most;
};

static enum fg_status walk_reader(struct fg_pg_link *reader, void *context,
                                  struct fg_err *err)
{
    struct question *q = context;
    enum fg_status st = fg_pg_walk(q->rows, reader, q->query, q->args, q->most, err);
    if (st)
        fg_pg_walk_end(q->rows);
    return st;
}

static void walk(struct fg_row_walk *walk, enum fg_row_query query,
                 const struct fg_arg *args, size_t most, bool is_writer,
                 struct fg_err *err)
{
    struct postgres *postgres = of(walk->backend);
    struct fg_pg_rows *rows = fg_zeroed(1, sizeof *rows);
    struct question question = {rows, query, args, most};
    struct fg_pg_link *reader = NULL;
    if (is_writer)
        walk->status = walk_writer(rows, postgres, query, args, most, err);
    else
        walk->status = ask_reader(postgres, walk_reader, &question, &reader, err);
    if (is_writer && walk->status)
        postgres->is_lost = fg_pg_is_lost(&postgres->writer);
    walk->from = reader;
    walk->rows = rows;
}

static bool next(struct fg_row_walk *walk, void *row, struct fg_err *err)
{
    return fg_pg_walk_next(walk->rows, row, &walk->status, err);
}

static void end(struct fg_row_walk *walk)
{
    if (walk->rows && (walk->from || !walk->status))
        fg_pg_walk_end(walk->rows);
    if (walk->from)
        give_back(of(walk->backend), walk->from);
    free(walk->rows);
}

/* --- views --- */

static enum fg_status begin_snapshot(struct fg_pg_link *reader, void *context,
                                     struct fg_err *err)
{
    (void)context;
    enum fg_status st = fg_pg_exec(
        reader, "read", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", err);
    reader->is_in_transaction = !st;
    return st;
}

static enum fg_status begin_view(struct fg_backend **view, struct fg_backend *backend,
                                 struct fg_err *err)
{
    struct postgres *postgres = of(backend), *made = fg_zeroed(1, sizeof *made);
    made->backend = postgres->backend;
    made->viewed = postgres;
    enum fg_status st = ask_reader(postgres, begin_snapshot, NULL, &made->pinned, err);
    if (st) {
        free(made);
        made = NULL;
    }
    *view = made ? &made->backend : NULL;
    return st;
}

static void end_view(struct fg_backend *view)
{
    struct postgres *made = of(view);
    struct fg_pg_link *reader = made->pinned;
    reader->is_in_transaction =
        fg_pg_is_lost(reader) || fg_pg_exec(reader, "read", "COMMIT", NULL) != FG_OK;
    give_back(made->viewed, reader);
    free(made);
}

/* --- the whole --- */

struct number {
    const char *sql;
    int64_t value;
};

static enum fg_status read_number(struct fg_pg_link *reader, void *context,
                                  struct fg_err *err)
{
    struct number *number = context;
    return fg_pg_int(reader, number->sql, &number->value, NULL, err);
}

static enum fg_status count(struct fg_backend *backend, enum fg_row_kind rows,
                            uint64_t *n, struct fg_err *err)
{
    char sql[128];
    struct number number = {.sql = sql};
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", fg_row_types[rows].table);
    enum fg_status st = ask_reader(of(backend), read_number, &number, NULL, err);
    *n = (uint64_t)number.value;
    return st;
}

static uint64_t bytes(struct fg_backend *backend)
{
    struct number number = {
        .sql = "SELECT sum(pg_total_relation_size(c.oid))::int8 FROM pg_class c WHERE"
               " c.relkind = 'r' AND c.relnamespace = (SELECT oid FROM pg_namespace WHERE"
               " nspname = current_schema())"};
    ask_reader(of(backend), read_number, &number, NULL, NULL);
    return (uint64_t)number.value;
}

/* Whether its files are whole only the server can tell (pg_checksums, amcheck); here all
 * rows are read once. */
static enum fg_status check(struct fg_backend *backend, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    uint64_t n;
    for (unsigned i = 0; !st && i < FG_ROW_KINDS; i++)
        st = count(backend, (enum fg_row_kind)i, &n, err);
    return st;
}

const struct fg_backend_ops fg_postgres_ops = {
    .open = open_postgres,
    .close = close_postgres,
    .writer = writer_of,
    .exists = exists,
    .post = post,
    .note_queries = note_queries,
    .note_feedback = note_feedback,
    .keep_state = keep_state,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .is_busy = is_busy,
    .fate = fate,
    .expect = expect,
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
};
