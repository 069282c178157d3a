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
 * A database that is gone is waited for: by the writer (queue.c), and by the questions of
 * a process that writes. One that only reads gives up after some seconds. */
#include "store/postgres/postgres.h"

#include "base/memory.h"
#include "base/terms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HELD_BYTES = 64 << 20 }; /* in hand, before it is sent within the transaction */
static const fg_time reader_waits = 5 * FG_SECOND, writer_waits = 600 * FG_SECOND;

struct postgres {
    struct fg_backend backend;
    struct fg_pg_place place;
    bool is_read_only;
    struct fg_pg_link writer;
    struct fg_pg_held *held;
    struct fg_pg_index *index;
    struct fg_buf copying;
    bool is_copying;
    int64_t epoch, transaction; /* the last one that was begun */
    int64_t committed;          /* the last one of which that is known */
    bool is_lost, is_over;      /* over: the store is not as we left it; start anew */

    struct fg_pg_readers readers;

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

static enum fg_status take_reader(struct fg_pg_link **reader, struct postgres *postgres,
                                  struct fg_err *err)
{
    if (postgres->viewed && !postgres->is_pinned_in_use) {
        postgres->is_pinned_in_use = true;
        *reader = postgres->pinned;
        return FG_OK;
    }
    struct postgres *whole = postgres->viewed ? postgres->viewed : postgres;
    return fg_pg_readers_take(&whole->readers, reader, err);
}

static void give_back(struct postgres *postgres, struct fg_pg_link *reader)
{
    if (postgres->viewed && reader == postgres->pinned)
        postgres->is_pinned_in_use = false;
    else
        fg_pg_readers_give(
            postgres->viewed ? &postgres->viewed->readers : &postgres->readers, reader);
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

static enum fg_status open_writer(struct postgres *postgres, int64_t fence,
                                  struct fg_err *err)
{
    struct fg_pg_link *writer = &postgres->writer;
    enum fg_status st = fg_pg_connect(writer, &postgres->place, FG_PG_WRITER, err);
    if (!st)
        st = fg_pg_refuse_lots(writer, fence, err);
    if (!st)
        st = fg_pg_lock(writer, fence > 0, err);
    if (!st)
        st = fg_pg_schema_migrate(writer, err);
    if (!st)
        st = fg_pg_raise_fence(writer, fence, &postgres->epoch, err);
    postgres->held = fg_pg_held_new();
    postgres->index = fg_pg_index_new();
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
    fg_pg_readers_clear(&postgres->readers);
    fg_pg_disconnect(&postgres->writer);
    fg_pg_held_free(postgres->held);
    fg_pg_index_free(postgres->index);
    if (postgres->copying.max)
        fg_buf_clear(&postgres->copying);
    fg_pg_place_clear(&postgres->place);
    free(postgres);
}

static enum fg_status open_postgres(struct fg_backend **backend, const char *place,
                                    const struct fg_store_options *options,
                                    struct fg_err *err)
{
    struct postgres *postgres = fg_zeroed(1, sizeof *postgres);
    postgres->backend.ops = &fg_postgres_ops;
    postgres->is_read_only = true; /* a start does not wait long */
    fg_pg_readers_init(&postgres->readers, &postgres->place);
    enum fg_status st = fg_pg_place_parse(&postgres->place, place, err);
    if (!st && !options->read_only)
        st = open_writer(postgres, options->fence, err);
    if (!st)
        st = ask_reader(postgres, check_schema, NULL, NULL, err);
    postgres->is_read_only = options->read_only;
    *backend = st ? NULL : &postgres->backend;
    if (st)
        close_postgres(&postgres->backend, false);
    return st;
}

/* --- transactions --- */

/* Is the store still as we left it? Another process may have written in between; and a
 * standby that took over may lag behind what was acknowledged: what we hold in memory
 * then builds on rows that are not there. */
static enum fg_status check_unchanged(struct postgres *postgres, struct fg_err *err)
{
    int64_t epoch = 0, written = 0;
    struct fg_pg_link *link = &postgres->writer;
    enum fg_status st =
        fg_pg_int(link, "SELECT epoch FROM lease WHERE one = 1", &epoch, NULL, err);
    if (!st)
        st = fg_pg_int(link, "SELECT written FROM lease WHERE one = 1", &written, NULL,
                       err);
    postgres->is_over =
        !st && (epoch != postgres->epoch || written < postgres->committed);
    if (!st && epoch != postgres->epoch)
        st = fg_fail(err, FG_EIO,
                     "'%s' is in use: another process has written to it meanwhile; start "
                     "the crawl again",
                     postgres->place.shown);
    if (!st && written < postgres->committed)
        st = fg_fail(err, FG_EIO,
                     "'%s' has gone back in time: a server took over that had not got "
                     "all that was acknowledged; start the crawl again",
                     postgres->place.shown);
    return st;
}

/* The same connection again; perhaps to another server, to which the lot was moved. What
 * cannot be asked then is asked again. */
static enum fg_status reconnect(struct postgres *postgres, struct fg_err *err)
{
    fg_pg_disconnect(&postgres->writer);
    enum fg_status st =
        fg_pg_connect(&postgres->writer, &postgres->place, FG_PG_WRITER, err);
    postgres->is_lost = st == FG_EIO;
    if (!st && (st = fg_pg_lock(&postgres->writer, false, err)))
        postgres->is_lost = true; /* the server may still see the old connection */
    if (!st) {
        st = check_unchanged(postgres, err);
        postgres->is_lost = st && !postgres->is_over;
        fg_pg_readers_renew(&postgres->readers);
    }
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
    if (*was_committed)
        postgres->committed = postgres->transaction;
    return st;
}

static enum fg_status begin(struct fg_backend *backend, struct fg_err *err)
{
    struct postgres *postgres = of(backend);
    enum fg_status st =
        fg_pg_is_lost(&postgres->writer) ? reconnect(postgres, err) : FG_OK;
    fg_pg_held_reset(postgres->held);
    fg_pg_index_reset(postgres->index);
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
    if (!st && kind == FG_ROW_KINDS)
        st = fg_pg_index_send(postgres->index, link, err);
    if (!st && commits)
        st = fg_pg_send_text(link, "COMMIT", err);
    enum fg_status ended = fg_pg_end_pipeline(link, "write", st ? NULL : err);
    st = st ? st : ended;
    if (commits && !st) {
        link->is_in_transaction = false;
        postgres->committed = postgres->transaction;
    }
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
    if (postgres->is_copying) /* there is no other way out of it than to break off */
        fg_pg_disconnect(link);
    postgres->is_copying = false;
    postgres->is_lost |= fg_pg_is_lost(link);
    if (!fg_pg_is_lost(link) && PQtransactionStatus(link->db) != PQTRANS_IDLE)
        fg_pg_exec(link, "write", "ROLLBACK", NULL);
    link->is_in_transaction = false;
    fg_pg_held_reset(postgres->held);
}

static bool is_busy(struct fg_backend *backend)
{
    return of(backend)->is_lost && !of(backend)->is_over;
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

static enum fg_status load(struct fg_backend *backend, enum fg_row_kind rows,
                           const void *row, struct fg_err *err)
{
    struct postgres *postgres = of(backend);
    struct fg_pg_link *link = &postgres->writer;
    enum fg_status st = FG_OK;
    if (row && !postgres->is_copying) {
        st = flush(postgres, FG_ROW_KINDS, false, err); /* it begins */
        if (!st)
            st = fg_pg_copy_start(link, rows, &postgres->copying, err);
        postgres->is_copying = !st;
    }
    if (!st && row)
        return fg_pg_copy_row(link, rows, &postgres->copying, row, err);
    if (!st && postgres->is_copying)
        st = fg_pg_copy_end(link, &postgres->copying, err);
    postgres->is_copying = false;
    return st;
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
    if (fg_pg_names_row(query, args, &key)) {
        bool was_there = false;
        enum fg_status st = fg_pg_take_out(postgres->held, &postgres->writer, kind, &key,
                                           &was_there, err);
        if (dropped)
            *dropped = was_there;
        return st;
    }
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
    if (!fg_pg_names_row(query, args, &key)) {
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

/* --- the index --- */

static enum fg_status put_terms(struct fg_backend *backend,
                                const struct fg_indexed_text *text, struct fg_err *err)
{
    struct postgres *postgres = of(backend);
    fg_pg_index_put(postgres->index, text);
    return fg_pg_index_is_full(postgres->index)
               ? flush(postgres, FG_ROW_KINDS, false, err)
               : FG_OK;
}

static enum fg_status take_terms_out(struct fg_backend *backend,
                                     const struct fg_indexed_text *text,
                                     struct fg_err *err)
{
    struct postgres *postgres = of(backend);
    int64_t row = fg_pg_index_take_out(postgres->index, text);
    enum fg_status st = FG_OK;
    if (fg_pg_index_has(postgres->index, row)) /* it has to be in before it can go */
        st = flush(postgres, FG_ROW_KINDS, false, err);
    fg_pg_index_gone(postgres->index, row);
    return st;
}

static struct fg_text_terms made(struct fg_backend *backend, bool is_taken_out)
{
    return fg_pg_index_made(of(backend)->index, is_taken_out);
}

static struct fg_text_terms terms_of(struct fg_backend *backend,
                                     const struct fg_indexed_text *text)
{
    return fg_pg_index_terms_of(of(backend)->index, text);
}

static enum fg_status clear_terms(struct fg_backend *backend, struct fg_err *err)
{
    struct postgres *postgres = of(backend);
    enum fg_status st = flush(postgres, FG_ROW_KINDS, false, err);
    return st ? st : fg_pg_index_clear(&postgres->writer, err);
}

static enum fg_status terms_are_stale(struct fg_backend *backend, bool *are_stale,
                                      struct fg_err *err)
{
    return fg_pg_index_is_stale(&of(backend)->writer, are_stale, err);
}

struct search {
    const struct fg_index_query *query;
    const struct fg_index_group *group;
    fg_take_hit *take_hit;
    fg_take_term *take_term;
    void *context;
    struct fg_str first;
    uint64_t last, texts, terms, sum;
    double frequency;
    struct fg_index_figures figures;
    bool *are_there;
};

static enum fg_status ask_match(struct fg_pg_link *reader, void *context,
                                struct fg_err *err)
{
    struct search *s = context;
    return fg_pg_index_match(reader, s->query, s->take_hit, s->context, err);
}

static enum fg_status match(struct fg_backend *backend,
                            const struct fg_index_query *query, fg_take_hit *take,
                            void *context, struct fg_err *err)
{
    struct search s = {.query = query, .take_hit = take, .context = context};
    return ask_reader(of(backend), ask_match, &s, NULL, err);
}

static enum fg_status ask_figures(struct fg_pg_link *reader, void *context,
                                  struct fg_err *err)
{
    struct search *s = context;
    return fg_pg_index_figures(reader, &s->figures, s->are_there, err);
}

static enum fg_status languages(struct fg_backend *backend, bool *are_there,
                                struct fg_err *err)
{
    struct search s = {.are_there = are_there};
    for (size_t i = 0; fg_stemmer_codes[i]; i++)
        are_there[i] = false;
    return ask_reader(of(backend), ask_figures, &s, NULL, err);
}

static enum fg_status index_figures(struct fg_backend *backend,
                                    struct fg_index_figures *figures, struct fg_err *err)
{
    struct search s = {0};
    enum fg_status st = ask_reader(of(backend), ask_figures, &s, NULL, err);
    *figures = s.figures;
    return st;
}

static enum fg_status ask_frequency(struct fg_pg_link *reader, void *context,
                                    struct fg_err *err)
{
    struct search *s = context;
    return fg_pg_index_frequency(reader, s->group, s->last, &s->frequency, err);
}

static enum fg_status frequency(struct fg_backend *backend,
                                const struct fg_index_group *group, uint64_t last,
                                double *texts, struct fg_err *err)
{
    struct search s = {.group = group, .last = last};
    enum fg_status st = ask_reader(of(backend), ask_frequency, &s, NULL, err);
    *texts = s.frequency;
    return st;
}

static enum fg_status ask_terms(struct fg_pg_link *reader, void *context,
                                struct fg_err *err)
{
    struct search *s = context;
    return fg_pg_index_terms(reader, s->first, s->take_term, s->context, err);
}

static enum fg_status list_terms(struct fg_backend *backend, struct fg_str first,
                                 fg_take_term *take, void *context, struct fg_err *err)
{
    struct search s = {.first = first, .take_term = take, .context = context};
    return ask_reader(of(backend), ask_terms, &s, NULL, err);
}

static enum fg_status ask_sum(struct fg_pg_link *reader, void *context,
                              struct fg_err *err)
{
    struct search *s = context;
    return fg_pg_index_sum(reader, &s->texts, &s->terms, &s->sum, err);
}

static enum fg_status sum_terms(struct fg_backend *backend, uint64_t *texts,
                                uint64_t *terms, uint64_t *sum, struct fg_err *err)
{
    struct search s = {0};
    enum fg_status st = ask_reader(of(backend), ask_sum, &s, NULL, err);
    *texts = s.texts;
    *terms += s.terms;
    *sum += s.sum;
    return st;
}

static enum fg_status sum_text(struct fg_backend *backend,
                               const struct fg_indexed_text *text, uint64_t *terms,
                               uint64_t *sum, struct fg_err *err)
{
    (void)backend;
    (void)err;
    struct fg_pg_index *index = fg_pg_index_new();
    fg_pg_index_sum_text(index, text, terms, sum);
    fg_pg_index_free(index);
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
               " c.relkind = 'r' AND c.relnamespace IN (SELECT oid FROM pg_namespace"
               " WHERE nspname = current_schema() OR nspname LIKE current_schema() ||"
               " '\\_lot____')"};
    ask_reader(of(backend), read_number, &number, NULL, NULL);
    return (uint64_t)number.value;
}

/* Whether its files are whole only the server can tell (amcheck). */
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
    .writer = fg_pg_writer_of,
    .exists = fg_pg_exists,
    .beside.post = fg_pg_post,
    .beside.note_queries = fg_pg_note_queries,
    .beside.note_feedback = fg_pg_note_feedback,
    .beside.keep_state = fg_pg_keep_state,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .is_busy = is_busy,
    .fate = fate,
    .expect = expect,
    .tidy = tidy,
    .edit = edit,
    .load = load,
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
