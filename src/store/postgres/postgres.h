/* postgres.h - what the files of the PostgreSQL back end share; private to
 * src/store/postgres
 *
 *     postgres.c    the operations: open, close, transactions, readers
 *     readers.c     connections that read
 *     post.c        what is asked of a place, or left there, by other processes
 *     held.c        rows in hand: what a transaction has read and will write
 *     index.c       the index of texts, on PostgreSQL's own text search
 *     schema.c      tables, made and brought up to date
 *     query.c       plans as SQL, rows in and out
 *     link.c        a connection: where to, who may write, what went wrong
 *     lots.c        a crawl in lots: which there are, the whole of them to read
 *     home.c        which server a lot is on, and how the others are read
 *     move.c        a lot moved to another server
 *     lease.c       who owns a lot
 *     address.c     which lot asks an address of the network */
#ifndef FG_STORE_POSTGRES_POSTGRES_H
#define FG_STORE_POSTGRES_POSTGRES_H

#include "base/buf.h"
#include "base/vec.h"
#include "store/backend.h"

#include <libpq-fe.h>
#include <pthread.h>

/* --- link.c --- */

/* Where a store is: a database, and a schema in it. */
struct fg_pg_place {
    char *address; /* for libpq, without the schema */
    char *schema;  /* a plain name: [a-z_][a-z0-9_]* */
    char *whole;   /* of a lot: the schema of the crawl that it is a part of; or NULL */
    unsigned lot;  /* its number */
    char *shown;   /* for messages: without a password */
    int32_t lock;  /* of its writer */
};

enum fg_status fg_pg_place_parse(struct fg_pg_place *place, const char *text,
                                 struct fg_err *err);
void fg_pg_place_clear(struct fg_pg_place *place);

enum { FG_PG_STATEMENTS = 2 * FG_QUERIES + 4 * FG_ROW_KINDS + 16 };

/* A connection and the statements it knows. One thread at a time. */
struct fg_pg_link {
    struct fg_pg_link *next;
    const struct fg_pg_place *place;
    PGconn *db;
    bool is_prepared[FG_PG_STATEMENTS];
    bool is_in_transaction;
    bool is_cut_off;     /* the server has said that it ends this connection */
    unsigned cursors;    /* so many were opened: their names */
    unsigned generation; /* of the names of statements */
    unsigned era;        /* of readers */
    uint64_t statements; /* that were sent */
};

enum fg_pg_role { FG_PG_READER, FG_PG_WRITER };

/* To where the place is now: a lot may be on another server than the whole. Failure
 * leaves it without a connection, to be tried again. */
enum fg_status fg_pg_connect(struct fg_pg_link *link, const struct fg_pg_place *place,
                             enum fg_pg_role role, struct fg_err *err);
/* The same as another role of the database (NULL: as the address says). */
enum fg_status fg_pg_connect_as(struct fg_pg_link *link, const struct fg_pg_place *place,
                                enum fg_pg_role role, const char *user,
                                struct fg_err *err);
void fg_pg_disconnect(struct fg_pg_link *link);
/* Is the connection gone, rather than a statement refused? */
bool fg_pg_is_lost(const struct fg_pg_link *link);

/* Say what the result means (NULL: the connection's own words) and free it. */
enum fg_status fg_pg_fail(struct fg_err *err, struct fg_pg_link *link, PGresult *result,
                          const char *doing);
/* No arguments, no rows wanted; several statements are one transaction. */
enum fg_status fg_pg_exec(struct fg_pg_link *link, const char *doing, const char *sql,
                          struct fg_err *err);
/* The same, put together as by printf. */
enum fg_status fg_pg_run(struct fg_pg_link *link, const char *doing, struct fg_err *err,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));
/* One number from one query; `is_there` (may be NULL): was there a row? */
enum fg_status fg_pg_int(struct fg_pg_link *link, const char *sql, int64_t *value,
                         bool *is_there, struct fg_err *err);

/* Take the lock of the writer, which goes with the connection. Who has it is told; or, if
 * it `is_due` to us, is given a moment to end, and then ended. */
enum fg_status fg_pg_lock(struct fg_pg_link *link, bool is_due, struct fg_err *err);
/* Take it now, whoever has it. */
enum fg_status fg_pg_seize(struct fg_pg_link *link, struct fg_err *err);
/* The lock is ours: so is the fence, from now on. It becomes `fence`, which must be more
 * than it is; or one more if that is 0. */
enum fg_status fg_pg_raise_fence(struct fg_pg_link *link, int64_t fence, int64_t *epoch,
                                 struct fg_err *err);
/* As fg_store_writer. */
int64_t fg_pg_writer(struct fg_pg_link *link);
/* The address of the server that has a lot, to be freed; empty: that of the whole, to
 * which the link leads. */
enum fg_status fg_pg_home_of(struct fg_pg_link *whole, const char *schema, unsigned lot,
                             char **home, struct fg_err *err);

/* --- readers.c --- */

/* Connections for questions, some of them kept for the next one. Any thread. */
struct fg_pg_readers {
    const struct fg_pg_place *place;
    pthread_mutex_t lock;
    struct fg_pg_link *spare;
    size_t n;
    unsigned era;
};

void fg_pg_readers_init(struct fg_pg_readers *readers, const struct fg_pg_place *place);
void fg_pg_readers_clear(struct fg_pg_readers *readers);
enum fg_status fg_pg_readers_take(struct fg_pg_readers *readers,
                                  struct fg_pg_link **reader, struct fg_err *err);
void fg_pg_readers_give(struct fg_pg_readers *readers, struct fg_pg_link *reader);
/* None that there is serves for another question: the place may be elsewhere by now. */
void fg_pg_readers_renew(struct fg_pg_readers *readers);

/* --- schema.c --- */

enum { FG_PG_SCHEMA_VERSION = 1 };

/* Is there a store of a schema we know? FG_ENOTFOUND: none. Changes nothing. */
enum fg_status fg_pg_schema_check(struct fg_pg_link *link, struct fg_err *err);
/* Make or change what is missing, in one transaction, while others wait. */
enum fg_status fg_pg_schema_migrate(struct fg_pg_link *link, struct fg_err *err);

/* --- lots.c --- */

/* A crawl in lots is written by the processes that own them, each a lot (which has a
 * fence, not 0), and read as a whole. */
enum fg_status fg_pg_refuse_lots(struct fg_pg_link *link, int64_t fence,
                                 struct fg_err *err);

/* The server's timeline, which is another one after a failover: eight digits. */
#define FG_PG_TIMELINE "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)"

/* --- lease.c --- */

/* Never waits for longer than until then, on the clock of leases. NULL: there is no
 * answer, or it is a refusal; the connection is of no use any more. */
PGresult *fg_pg_ask(PGconn *db, const char *sql, int n_values, const char *const *values,
                    fg_time until);
/* Can be read, or written, before then. */
bool fg_pg_wait(PGconn *db, short events, fg_time until);
/* --- address.c --- */

/* Who asks which address of the network. */
#define FG_PG_ADDRESSES                                                             \
    "CREATE TABLE IF NOT EXISTS addresses(name text PRIMARY KEY, lot int NOT NULL," \
    " epoch int8 NOT NULL, turn int8 NOT NULL DEFAULT 1, waiting int[] NOT NULL "   \
    "DEFAULT '{}') WITH (fillfactor ="                                              \
    " 70); CREATE INDEX IF NOT EXISTS addresses_of_lot ON addresses(lot);"

/* The views of the whole, which show all lots as one store. */
enum fg_status fg_pg_make_views(struct fg_pg_link *whole, unsigned lots,
                                struct fg_err *err);
/* What a lot's tables have besides what any store has. */
enum fg_status fg_pg_make_indices(struct fg_pg_link *lot, unsigned lots, unsigned number,
                                  struct fg_err *err);
/* Held by who makes, changes or moves lots, while it is connected to the whole. */
enum fg_status fg_pg_lock_lots(struct fg_pg_link *whole, struct fg_err *err);

/* --- home.c --- */

/* Can the server of the whole read tables of that schema over there? */
enum fg_status fg_pg_try_afar(struct fg_pg_link *whole, const char *schema,
                              const char *address, struct fg_err *err);
/* The schema of a lot becomes one of foreign tables, which show what is over there. What
 * stood in its place, and is still shown by the views, is parked: `..._old`. */
enum fg_status fg_pg_show_afar(struct fg_pg_link *whole, const char *schema,
                               const char *address, struct fg_err *err);
/* What was parked goes, when the views are made anew. */
enum fg_status fg_pg_drop_parked(struct fg_pg_link *whole, const char *schema,
                                 struct fg_err *err);

/* --- query.c --- */

/* Rows of one kind, a column an array, as PostgreSQL takes them. */
struct fg_pg_arrays {
    struct fg_buf columns[FG_COLUMNS_MOST];
    uint8_t at[FG_COLUMNS_MOST], n_columns;
    size_t n;
};

/* `columns` NULL: the first n. */
void fg_pg_arrays_start(struct fg_pg_arrays *arrays, const struct fg_row_type *type,
                        const uint8_t *columns, size_t n);
void fg_pg_arrays_add(struct fg_pg_arrays *arrays, const struct fg_row_type *type,
                      const void *row);
size_t fg_pg_arrays_bytes(const struct fg_pg_arrays *arrays);
void fg_pg_arrays_clear(struct fg_pg_arrays *arrays);

enum fg_pg_bulk {
    FG_PG_PUT,      /* all columns: each row replaces that of its key */
    FG_PG_TAKE_OUT, /* the key: those rows go */
    FG_PG_FIND,     /* the key: those rows are read */
    FG_PG_TAKEN,    /* what no two rows share: which keys have it */
};

/* Sent, not waited for: the link is in pipeline mode. */
enum fg_status fg_pg_send(struct fg_pg_link *link, enum fg_pg_bulk what,
                          enum fg_row_kind kind, struct fg_pg_arrays *arrays,
                          struct fg_err *err);
/* A statement without arguments, likewise. */
enum fg_status fg_pg_send_text(struct fg_pg_link *link, const char *sql,
                               struct fg_err *err);
/* One with binary arguments, likewise; the types are the statement's own. */
enum fg_status fg_pg_send_params(struct fg_pg_link *link, const char *sql, int n,
                                 const char *const *values, const int *lengths,
                                 struct fg_err *err);
enum fg_status fg_pg_begin_pipeline(struct fg_pg_link *link, struct fg_err *err);
/* Results of the statements that were sent, one a call and in their order; NULL: that
 * was the last, or something failed, which is told once. They are freed by the caller.
 * To be called until it is NULL; then the link is as before. */
PGresult *fg_pg_next_result(struct fg_pg_link *link, enum fg_status *st,
                            struct fg_err *err);
enum fg_status fg_pg_end_pipeline(struct fg_pg_link *link, const char *doing,
                                  struct fg_err *err);

/* The row of a result that has all columns of its kind. */
void fg_pg_read_row(const struct fg_row_type *type, const uint8_t *columns, size_t n,
                    const PGresult *result, int at, void *row);

/* So many rows are read at once; of more, a part at a time. */
enum { FG_PG_AT_ONCE = 1000 };

/* COPY: rows into a table, one after the other, until it is ended. */
enum fg_status fg_pg_copy_start(struct fg_pg_link *link, enum fg_row_kind kind,
                                struct fg_buf *out, struct fg_err *err);
enum fg_status fg_pg_copy_row(struct fg_pg_link *link, enum fg_row_kind kind,
                              struct fg_buf *out, const void *row, struct fg_err *err);
enum fg_status fg_pg_copy_end(struct fg_pg_link *link, struct fg_buf *out,
                              struct fg_err *err);

/* Rows that a plan finds. */
struct fg_pg_rows {
    struct fg_pg_link *link;
    const struct fg_row_type *type;
    uint8_t columns[FG_COLUMNS_MOST], n_columns;
    PGresult *result;
    int at;
    unsigned cursor;  /* 0: all of them are in the result */
    bool is_own;      /* the transaction is that of the cursor alone */
    bool is_ahead;    /* the next part has been asked for */
    const char *only; /* a row in hand, instead of all that */
};
enum fg_status fg_pg_walk(struct fg_pg_rows *rows, struct fg_pg_link *link,
                          enum fg_row_query query, const struct fg_arg *args, size_t most,
                          struct fg_err *err);
bool fg_pg_walk_next(struct fg_pg_rows *rows, void *row, enum fg_status *st,
                     struct fg_err *err);
void fg_pg_walk_end(struct fg_pg_rows *rows);
enum fg_status fg_pg_drop(struct fg_pg_link *link, enum fg_row_query query,
                          const struct fg_arg *args, size_t most, size_t *dropped,
                          struct fg_err *err);
/* Does the query name one row by its key? Then `key` gets it. Events are known by what
 * else is unique (held.c). */
bool fg_pg_names_row(enum fg_row_query query, const struct fg_arg *args, void *key);

/* --- held.c --- */

/* Rows in hand. A transaction reads what it needs by key, many at once where that was
 * expected, works out what becomes of them (store/merge.h), and writes the rows that
 * changed when it ends, or before somebody asks for them by other than their keys. */
struct fg_pg_held;

struct fg_pg_held *fg_pg_held_new(void);
void fg_pg_held_free(struct fg_pg_held *held);
/* A transaction ends, whichever way. */
void fg_pg_held_reset(struct fg_pg_held *held);
void fg_pg_expect(struct fg_pg_held *held, enum fg_row_kind kind, const void *row);
enum fg_status fg_pg_edit(struct fg_pg_held *held, struct fg_pg_link *link,
                          enum fg_edit edit, const void *row, size_t *changed,
                          struct fg_err *err);
/* The row of that key, or NULL. */
enum fg_status fg_pg_find(struct fg_pg_held *held, struct fg_pg_link *link,
                          enum fg_row_kind kind, const void *key, const char **found,
                          struct fg_err *err);
/* It goes; `was_there` tells whether there was one. */
enum fg_status fg_pg_take_out(struct fg_pg_held *held, struct fg_pg_link *link,
                              enum fg_row_kind kind, const void *key, bool *was_there,
                              struct fg_err *err);
bool fg_pg_is_changed(const struct fg_pg_held *held, enum fg_row_kind kind);
size_t fg_pg_held_bytes(const struct fg_pg_held *held);
/* Send what changed of that kind (of all: FG_ROW_KINDS), within a pipeline. */
enum fg_status fg_pg_send_changes(struct fg_pg_held *held, struct fg_pg_link *link,
                                  enum fg_row_kind kind, struct fg_err *err);
/* What was known of rows of that kind is not known any more. */
void fg_pg_forget(struct fg_pg_held *held, enum fg_row_kind kind);

/* --- post.c --- */

/* Nobody leaves anything in the place any more, until the link ends. */
enum fg_status fg_pg_shut_post(struct fg_pg_link *link, struct fg_err *err);

/* As the operations of store/backend.h. */
int64_t fg_pg_writer_of(const char *place);
bool fg_pg_exists(const char *place);
enum fg_status fg_pg_post(const char *place, const struct fg_command_row *command,
                          struct fg_err *err);
enum fg_status fg_pg_note_queries(const char *place, const struct fg_query_row *queries,
                                  size_t n, struct fg_err *err);
enum fg_status fg_pg_note_feedback(const char *place,
                                   const struct fg_feedback_note *notes, size_t n,
                                   fg_time now, bool *is_new, struct fg_err *err);
enum fg_status fg_pg_keep_state(const char *place, const struct fg_state_row *state,
                                struct fg_err *err);

/* --- index.c; as the operations of store/backend.h --- */

/* Terms, and what a transaction does to the index before it is sent. */
struct fg_pg_index;

struct fg_pg_index *fg_pg_index_new(void);
void fg_pg_index_free(struct fg_pg_index *index);
void fg_pg_index_reset(struct fg_pg_index *index);
void fg_pg_index_put(struct fg_pg_index *index, const struct fg_indexed_text *text);
/* Its row, which is then told to be gone; one that is only to be put in has to be sent
 * before. */
int64_t fg_pg_index_take_out(struct fg_pg_index *index,
                             const struct fg_indexed_text *text);
bool fg_pg_index_has(const struct fg_pg_index *index, int64_t row);
void fg_pg_index_gone(struct fg_pg_index *index, int64_t row);
bool fg_pg_index_is_full(const struct fg_pg_index *index);
/* Within a pipeline. */
enum fg_status fg_pg_index_send(struct fg_pg_index *index, struct fg_pg_link *link,
                                struct fg_err *err);
struct fg_text_terms fg_pg_index_made(const struct fg_pg_index *index, bool is_taken_out);
struct fg_text_terms fg_pg_index_terms_of(struct fg_pg_index *index,
                                          const struct fg_indexed_text *text);
void fg_pg_index_sum_text(struct fg_pg_index *index, const struct fg_indexed_text *text,
                          uint64_t *terms, uint64_t *sum);
enum fg_status fg_pg_index_clear(struct fg_pg_link *link, struct fg_err *err);
enum fg_status fg_pg_index_is_stale(struct fg_pg_link *link, bool *is_stale,
                                    struct fg_err *err);
enum fg_status fg_pg_index_match(struct fg_pg_link *link,
                                 const struct fg_index_query *query, fg_take_hit *take,
                                 void *context, struct fg_err *err);
enum fg_status fg_pg_index_frequency(struct fg_pg_link *link,
                                     const struct fg_index_group *group, uint64_t last,
                                     double *texts, struct fg_err *err);
/* `are_there` (may be NULL): of all codes of base/terms.h. */
enum fg_status fg_pg_index_figures(struct fg_pg_link *link,
                                   struct fg_index_figures *figures, bool *are_there,
                                   struct fg_err *err);
enum fg_status fg_pg_index_terms(struct fg_pg_link *link, struct fg_str first,
                                 fg_take_term *take, void *context, struct fg_err *err);
enum fg_status fg_pg_index_sum(struct fg_pg_link *link, uint64_t *texts, uint64_t *terms,
                               uint64_t *sum, struct fg_err *err);

#endif
