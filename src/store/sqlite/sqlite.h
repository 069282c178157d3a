/* sqlite.h - what the files of the SQLite back end share; private to src/store/sqlite
 *
 *     sqlite.c      the operations: open, close, transactions, checkpoints, readers
 *     statement.c   plans as SQL: one row in, one row out
 *     fulltext.c    the index of texts
 *     schema.c      tables and views, made and brought up to date
 *     lock.c        where the file is, and who may write to it
 *     trouble.c     what an error of SQLite means */
#ifndef FG_STORE_SQLITE_SQLITE_H
#define FG_STORE_SQLITE_SQLITE_H

#include "base/buf.h"
#include "store/backend.h"

#include <sqlite3.h>

/* How long to wait for a lock that another program holds, before saying so. */
#define FG_BUSY_MS 2000

/* --- trouble.c --- */

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

/* --- lock.c --- */

/* A file beside the store, locked with flock: the kernel releases it however the process
 * ends. -1 on failure. */
enum fg_status fg_sqlite_lock(int *fd, const char *file, const char *path,
                              struct fg_err *err);
/* Is the lock still at its name, and the file the one that was opened (`inode`)? A lock
 * that was deleted is made again, unless somebody else has it by now. */
enum fg_status fg_sqlite_still_ours(int *fd, const char *file, const char *path,
                                    uint64_t inode, struct fg_err *err);
/* 0: it is not there. */
uint64_t fg_sqlite_inode(const char *file);
int64_t fg_sqlite_writer(const char *place);
bool fg_sqlite_exists(const char *place);
/* The file of a place: forage.db in it, unless it is a file or named as one (*.db). */
char *fg_sqlite_path(const char *place);
/* Absolute and with links resolved. */
char *fg_sqlite_resolve(const char *path);
/* Bytes of the file with that suffix; -1 if there is none. */
int64_t fg_sqlite_size(const char *file, const char *suffix);

/* --- schema.c --- */

#define FG_SCHEMA_VERSION 14

/* Is this a store, and of a schema we know? Changes nothing. A new, empty file is fine
 * unless `read_only`. */
enum fg_status fg_schema_check(sqlite3 *db, const char *path, bool read_only,
                               struct fg_err *err);
/* Make or change what is missing, all in one transaction. */
enum fg_status fg_schema_migrate(sqlite3 *db, const char *path, fg_time now,
                                 struct fg_err *err);

/* --- direct.c: tables of their own (store/direct.h), each a step of the schema --- */

extern const char fg_sqlite_ads_tables[];
extern const char fg_sqlite_shared_log_tables[];

/* --- statement.c --- */

/* A plan as SQL, prepared once and kept for the life of the connection. */
struct fg_statement {
    sqlite3_stmt *stmt;
    const struct fg_row_type *type;
    /* Of an edit, the columns that are bound, each as the parameter of its number from 1
     * on; of a walk, those that are read, in order. */
    uint8_t columns[FG_COLUMNS_MOST], n_columns;
    uint8_t args[8], n_args; /* the columns that are compared, in order */
};

struct fg_fulltext; /* private to fulltext.c */

struct fg_connection {
    struct fg_connection *next;
    sqlite3 *db;
    struct fg_fulltext *fulltext; /* NULL: of a connection that does not search */
    const char *path;             /* for messages; the back end's */
    struct fg_statement edits[FG_EDITS], walks[FG_QUERIES], drops[FG_QUERIES];
};

void fg_connection_free(struct fg_connection *connection);
enum fg_status fg_connection_edit(struct fg_connection *connection, enum fg_edit edit,
                                  const void *row, size_t *changed, struct fg_err *err);
enum fg_status fg_connection_drop(struct fg_connection *connection,
                                  enum fg_row_query query, const struct fg_arg *args,
                                  size_t most, size_t *dropped, struct fg_err *err);
/* Reset the statement when its rows are no longer wanted. */
enum fg_status fg_connection_walk(struct fg_connection *connection,
                                  enum fg_row_query query, const struct fg_arg *args,
                                  size_t most, struct fg_statement **statement,
                                  struct fg_err *err);
bool fg_statement_next(struct fg_statement *statement, struct fg_connection *connection,
                       void *row, enum fg_status *status, struct fg_err *err);

/* --- fulltext.c; as the operations of store/backend.h --- */

/* Before the first statement: the tables need what it registers. */
enum fg_status fg_fulltext_init(struct fg_connection *connection, struct fg_err *err);
void fg_fulltext_free(struct fg_fulltext *fulltext);
/* The terms that the last put made, or take_out; and those of a text, as a put would. */
struct fg_text_terms fg_fulltext_made(const struct fg_connection *connection,
                                      bool is_taken_out);
void fg_fulltext_make(struct fg_connection *connection,
                      const struct fg_indexed_text *text);
enum fg_status fg_fulltext_put(struct fg_connection *connection,
                               const struct fg_indexed_text *text, struct fg_err *err);
enum fg_status fg_fulltext_take_out(struct fg_connection *connection,
                                    const struct fg_indexed_text *text,
                                    struct fg_err *err);
enum fg_status fg_fulltext_clear(struct fg_connection *connection, struct fg_err *err);
enum fg_status fg_fulltext_is_stale(struct fg_connection *connection, bool *is_stale,
                                    struct fg_err *err);
enum fg_status fg_fulltext_match(struct fg_connection *connection,
                                 const struct fg_index_query *query, fg_take_hit *take,
                                 void *context, struct fg_err *err);
enum fg_status fg_fulltext_languages(struct fg_connection *connection, bool *are_there,
                                     struct fg_err *err);
enum fg_status fg_fulltext_frequency(struct fg_connection *connection,
                                     const struct fg_index_group *group, uint64_t last,
                                     double *texts, struct fg_err *err);
enum fg_status fg_fulltext_figures(struct fg_connection *connection,
                                   struct fg_index_figures *figures, struct fg_err *err);
enum fg_status fg_fulltext_terms(struct fg_connection *connection, struct fg_str first,
                                 fg_take_term *take, void *context, struct fg_err *err);
enum fg_status fg_fulltext_sum(struct fg_connection *connection, uint64_t *texts,
                               uint64_t *terms, uint64_t *sum, struct fg_err *err);
void fg_fulltext_sum_text(struct fg_connection *connection,
                          const struct fg_indexed_text *text, uint64_t *terms,
                          uint64_t *sum);

#endif
