/* Tables of shared logs, which came with schema 14. */
#include "store/shared_log.h"

#include "base/memory.h"
#include "store/sqlite/sqlite.h"

#include <stdlib.h>
#include <string.h>

const char fg_sqlite_shared_log_tables[] =
    "CREATE TABLE IF NOT EXISTS shared_logs(name TEXT PRIMARY KEY,"
    " number INTEGER NOT NULL, bytes BLOB NOT NULL) WITHOUT ROWID;"

    "CREATE TABLE IF NOT EXISTS shared_log_entries(name TEXT NOT NULL,"
    " number INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY(name, number))"
    " WITHOUT ROWID;";

enum question { SNAPSHOT, ENTRIES, LAST, APPEND, PUT_SNAPSHOT, DROP, QUESTIONS };
static const char *const questions[QUESTIONS] = {
    [SNAPSHOT] = "SELECT number, bytes FROM shared_logs WHERE name = ?1 AND number > ?2",
    [ENTRIES] = "SELECT number, bytes FROM shared_log_entries"
                " WHERE name = ?1 AND number > ?2 ORDER BY number",
    [LAST] = "SELECT max(ifnull((SELECT max(number) FROM shared_log_entries"
             " WHERE name = ?1), 0), ifnull((SELECT number FROM shared_logs"
             " WHERE name = ?1), 0))",
    [APPEND] = "INSERT INTO shared_log_entries VALUES(?1, ?2, ?3)",
    [PUT_SNAPSHOT] = "INSERT OR REPLACE INTO shared_logs VALUES(?1, ?2, ?3)",
    [DROP] = "DELETE FROM shared_log_entries WHERE name = ?1 AND number <= ?2",
};

struct fg_shared_log {
    struct fg_direct direct;
    char *name;
    sqlite3_stmt *asked[QUESTIONS];
};

enum fg_status fg_shared_log_open(struct fg_shared_log **made, const char *place,
                                  const char *name, struct fg_err *err)
{
    struct fg_shared_log *log = fg_zeroed(1, sizeof *log);
    log->name = strdup(name);
    if (!log->name)
        fg_out_of_memory();
    enum fg_status st = fg_direct_open(&log->direct, place, err);
    if (st)
        fg_shared_log_close(log);
    *made = st ? NULL : log;
    return st;
}

void fg_shared_log_close(struct fg_shared_log *log)
{
    if (!log)
        return;
    for (size_t i = 0; i < QUESTIONS; i++)
        sqlite3_finalize(log->asked[i]);
    fg_direct_close(&log->direct);
    free(log->name);
    free(log);
}

enum fg_status fg_shared_log_begin(struct fg_shared_log *log, struct fg_err *err)
{
    return fg_direct_begin(&log->direct, false, err);
}

enum fg_status fg_shared_log_end(struct fg_shared_log *log, enum fg_status st,
                                 struct fg_err *err)
{
    return fg_direct_end(&log->direct, st, err);
}

static enum fg_status fail(struct fg_shared_log *log, struct fg_err *err)
{
    return fg_sqlite_fail(err, log->direct.db, log->direct.path, "write");
}

/* The statement with the name, a number and bytes in their places; to be reset. */
static enum fg_status ask(struct fg_shared_log *log, enum question question,
                          uint64_t number, struct fg_str bytes, sqlite3_stmt **stmt,
                          struct fg_err *err)
{
    sqlite3_stmt **kept = &log->asked[question];
    if (!*kept && sqlite3_prepare_v3(log->direct.db, questions[question], -1,
                                     SQLITE_PREPARE_PERSISTENT, kept, NULL) != SQLITE_OK)
        return fail(log, err);
    *stmt = *kept;
    sqlite3_bind_text(*stmt, 1, log->name, -1, SQLITE_STATIC);
    if (sqlite3_bind_parameter_count(*stmt) > 1)
        sqlite3_bind_int64(*stmt, 2, (int64_t)number);
    if (sqlite3_bind_parameter_count(*stmt) > 2)
        sqlite3_bind_blob64(*stmt, 3, bytes.at ? bytes.at : "", bytes.len, SQLITE_STATIC);
    return FG_OK;
}

static enum fg_status tell(struct fg_shared_log *log, enum question question,
                           uint64_t *seen, fg_take_entry *take, void *context,
                           struct fg_err *err)
{
    sqlite3_stmt *stmt;
    int step = SQLITE_DONE;
    enum fg_status st = ask(log, question, *seen, (struct fg_str){0}, &stmt, err);
    if (st)
        return st;
    while (!st && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
        *seen = (uint64_t)sqlite3_column_int64(stmt, 0);
        struct fg_str bytes = {sqlite3_column_blob(stmt, 1),
                               (size_t)sqlite3_column_bytes(stmt, 1)};
        st = take(context, *seen, question == SNAPSHOT, bytes, err);
    }
    if (!st && step != SQLITE_DONE)
        st = fail(log, err);
    sqlite3_reset(stmt);
    return st;
}

/* If no entry has gone that was not seen, the snapshot has nothing new: it is passed
 * over. */
static enum fg_status has_gap(bool *gap, struct fg_shared_log *log, uint64_t seen,
                              struct fg_err *err)
{
    sqlite3_stmt *stmt;
    enum fg_status st = ask(log, SNAPSHOT, seen, (struct fg_str){0}, &stmt, err);
    if (st)
        return st;
    int step = sqlite3_step(stmt);
    *gap = step == SQLITE_ROW;
    if (step != SQLITE_ROW && step != SQLITE_DONE)
        st = fail(log, err);
    sqlite3_reset(stmt);
    return st;
}

enum fg_status fg_shared_log_read(struct fg_shared_log *log, uint64_t seen,
                                  fg_take_entry *take, void *context, struct fg_err *err)
{
    bool gap;
    enum fg_status st = has_gap(&gap, log, seen, err);
    if (!st && gap)
        st = tell(log, SNAPSHOT, &seen, take, context, err);
    return st ? st : tell(log, ENTRIES, &seen, take, context, err);
}

static enum fg_status write(struct fg_shared_log *log, enum question question,
                            uint64_t number, struct fg_str bytes, struct fg_err *err)
{
    sqlite3_stmt *stmt;
    enum fg_status st = ask(log, question, number, bytes, &stmt, err);
    if (st)
        return st;
    if (sqlite3_step(stmt) != SQLITE_DONE)
        st = fail(log, err);
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
    return st;
}

static enum fg_status check_size(const struct fg_shared_log *log, struct fg_str bytes,
                                 struct fg_err *err)
{
    return bytes.len <= FG_SHARED_LOG_MOST
               ? FG_OK
               : fg_fail(err, FG_ELIMIT, "the state '%s' is larger than %d bytes",
                         log->name, FG_SHARED_LOG_MOST);
}

enum fg_status fg_shared_log_append(struct fg_shared_log *log, struct fg_str bytes,
                                    uint64_t *number, struct fg_err *err)
{
    sqlite3_stmt *stmt;
    enum fg_status st = check_size(log, bytes, err);
    if (!st)
        st = ask(log, LAST, 0, (struct fg_str){0}, &stmt, err);
    if (st)
        return st;
    if (sqlite3_step(stmt) == SQLITE_ROW)
        *number = (uint64_t)sqlite3_column_int64(stmt, 0) + 1;
    else
        st = fail(log, err);
    sqlite3_reset(stmt);
    return st ? st : write(log, APPEND, *number, bytes, err);
}

enum fg_status fg_shared_log_snapshot(struct fg_shared_log *log, struct fg_str bytes,
                                      uint64_t number, struct fg_err *err)
{
    enum fg_status st = check_size(log, bytes, err);
    if (!st)
        st = write(log, PUT_SNAPSHOT, number, bytes, err);
    return st ? st : write(log, DROP, number, (struct fg_str){0}, err);
}
