/* sqlite.h - what the files of the SQLite back end share; private to src/store
 *
 *     sqlite.c         open, close, the lock, what an error of SQLite means
 *     sqlite_schema.c  tables, views, and the steps from an older schema to this one
 *     sqlite_write.c   the statements that put one batch into the tables
 *     sqlite_prune.c   what goes again: by age, and whole sites
 *     sqlite_body.c    page bodies, compressed
 *     sqlite_value.c   what documents are worth
 *     sqlite_waiting.c events that a webhook has not taken yet
 *     sqlite_ledger.c  requests made, and what the user says of pages
 *     sqlite_promise.c how long a page may go without a visit, as the user was promised
 *     sqlite_early.c   counts of pages that are not known yet
 *     sqlite_read.c    connections for reading, walks and single rows
 *     writer.c         the thread: group commit, durability, back-pressure, checkpoints
 *
 * Who touches what: `tables` belongs to the writer thread once it runs. `lock` guards the
 * queue, the spare batches, the spare readers and `trouble`. */
#ifndef FG_STORE_SQLITE_H
#define FG_STORE_SQLITE_H

#include "base/buf.h"
#include "store/batch.h"
#include "store/store.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <zstd.h>

/* How long to wait for a lock that another program holds, before saying so. */
#define FG_BUSY_MS 2000

struct fg_tables; /* the writer's connection and its statements: sqlite_write.c */
struct fg_reader; /* a connection for reading: sqlite_read.c */

struct fg_store {
    struct fg_store_options options;
    char *path;     /* as the user wrote it, for messages */
    char *file;     /* absolute, links resolved */
    bool immutable; /* read-only medium: nobody can be writing */
    int lock_fd;    /* on `file`.lock; -1 when read-only */
    int wakeup_fd;

    pthread_mutex_t lock;
    pthread_cond_t work, done; /* something for the writer; something from it */
    pthread_t thread;
    struct fg_batch *first, *last; /* the queue */
    size_t queued_bytes;
    fg_time oldest; /* when the first of the queue came, monotonic */
    uint64_t hurry; /* somebody waits for this number: do not gather any longer */
    bool closing;
    bool wants_retry;
    struct fg_err trouble;
    bool is_locked; /* the trouble is a lock of another program */
    struct fg_batch *spare;
    size_t n_spare;
    struct fg_reader *readers;
    size_t n_readers;
    struct fg_store_effort effort;

    _Atomic uint64_t submitted, durable;
    _Atomic bool has_more;
    struct fg_tables *tables;
};

/* --- sqlite.c --- */

/* Say what SQLite's last error on `db` means for the file the user knows as `path`, while
 * "doing" something to it ("write", "open"). */
enum fg_status fg_sqlite_fail(struct fg_err *err, sqlite3 *db, const char *path,
                              const char *doing);
enum fg_status fg_sqlite_exec(sqlite3 *db, const char *path, const char *doing,
                              const char *sql, struct fg_err *err);
/* One number from one query. */
enum fg_status fg_sqlite_int(sqlite3 *db, const char *path, const char *sql,
                             int64_t *value, struct fg_err *err);
/* PRAGMA quick_check; what it finds is FG_EINPUT. */
enum fg_status fg_sqlite_check(sqlite3 *db, const char *path, struct fg_err *err);
/* The words for a damaged file. */
enum fg_status fg_sqlite_damaged(struct fg_err *err, const char *path, const char *how);

/* --- sqlite_schema.c --- */

#define FG_SCHEMA_VERSION 9

/* Is this a store, and of a schema we know? Changes nothing. A new, empty file is fine
 * unless `read_only`. */
enum fg_status fg_schema_check(sqlite3 *db, const char *path, bool read_only,
                               struct fg_err *err);
/* Take the steps that are missing, all in one transaction. */
enum fg_status fg_schema_migrate(sqlite3 *db, const char *path, fg_time now,
                                 struct fg_err *err);

/* --- sqlite_write.c --- */

enum fg_status fg_tables_new(struct fg_tables **tables, sqlite3 *db, const char *path,
                             const struct fg_store_options *options, struct fg_err *err);
void fg_tables_free(struct fg_tables *tables); /* closes the connection too */

enum fg_status fg_tables_begin(struct fg_tables *tables, struct fg_err *err);
enum fg_status fg_tables_apply(struct fg_tables *tables, const struct fg_batch *batch,
                               struct fg_err *err);
/* When it returns FG_OK the transaction is on disk. On failure nothing of it is. */
enum fg_status fg_tables_commit(struct fg_tables *tables, struct fg_err *err);
void fg_tables_rollback(struct fg_tables *tables);
sqlite3 *fg_tables_db(struct fg_tables *tables);
bool fg_tables_has_more(const struct fg_tables *tables);

/* --- sqlite_prune.c --- */

enum fg_status fg_tables_prune(struct fg_tables *tables, const struct fg_prune *prune,
                               struct fg_err *err);
enum fg_status fg_tables_forget(struct fg_tables *tables, const struct fg_op_item *item,
                                struct fg_err *err);
enum fg_status fg_tables_renew(struct fg_tables *tables, const struct fg_op_item *item,
                               struct fg_err *err);

/* --- sqlite_body.c --- */

struct fg_packer {
    ZSTD_CCtx *context;
    struct fg_buf out; /* what was packed last */
};

void fg_packer_init(struct fg_packer *packer);
void fg_packer_clear(struct fg_packer *packer);
struct fg_str fg_pack(struct fg_packer *packer, struct fg_str body);
/* False if it is not exactly `out_bytes` of sound data. */
bool fg_unpack(char *out, size_t out_bytes, struct fg_str packed);

/* --- sqlite_value.c --- */

/* The texts of a row in the order of its columns, the rule first. */
enum { FG_VALUE_TEXTS = 13 };
void fg_value_texts(struct fg_value_row *row, struct fg_str *texts[FG_VALUE_TEXTS]);
enum fg_status fg_tables_put_value(struct fg_tables *tables,
                                   const struct fg_value_row *row, struct fg_err *err);
enum fg_status fg_tables_put_value_rule(struct fg_tables *tables,
                                        const struct fg_op_item *item,
                                        struct fg_err *err);

/* --- sqlite_waiting.c --- */

enum fg_status fg_tables_put_waiting(struct fg_tables *tables,
                                     const struct fg_waiting_row *row,
                                     struct fg_err *err);
enum fg_status fg_tables_drop_waiting(struct fg_tables *tables,
                                      const struct fg_op_item *item, struct fg_err *err);

/* --- sqlite_ledger.c --- */

enum fg_status fg_tables_put_request(struct fg_tables *tables,
                                     const struct fg_request_row *row,
                                     struct fg_err *err);
enum fg_status fg_tables_put_note(struct fg_tables *tables, const struct fg_note_row *row,
                                  struct fg_err *err);

/* --- sqlite_promise.c --- */

enum fg_status fg_tables_put_promise(struct fg_tables *tables,
                                     const struct fg_op_item *item, struct fg_err *err);

/* --- sqlite_early.c --- */

enum fg_status fg_tables_put_early(struct fg_tables *tables,
                                   const struct fg_op_item *item, struct fg_err *err);
enum fg_status fg_tables_place_early(struct fg_tables *tables,
                                     const struct fg_op_item *item, struct fg_err *err);

/* --- sqlite_read.c --- */

/* Open the first reader, so that a file that cannot be read is known at once. */
enum fg_status fg_readers_start(struct fg_store *store, struct fg_err *err);
void fg_readers_clear(struct fg_store *store);

/* --- writer.c --- */

enum fg_status fg_writer_start(struct fg_store *store, struct fg_err *err);
/* Write what waits, then end the thread. */
enum fg_status fg_writer_stop(struct fg_store *store, struct fg_err *err);

#endif
