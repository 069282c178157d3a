/* Telling the user in words what SQLite reports in codes. */
#include "store/sqlite/sqlite.h"

#include <errno.h>

static enum fg_status damaged(struct fg_err *err, const char *path, const char *how)
{
    return fg_fail(err, FG_EINPUT,
                   "'%s' is damaged (%s): restore a copy, or save what can be read with "
                   "sqlite3 .recover or .dump (see docs/store.md); nothing was changed",
                   path, how);
}

static bool is_disk_full(int code, int os)
{
    if ((code & 0xff) == SQLITE_FULL)
        return true;
    bool asked_the_os = (code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN;
    return asked_the_os && (os == ENOSPC || os == EDQUOT);
}

enum fg_status fg_sqlite_fail(struct fg_err *err, sqlite3 *db, const char *path,
                              const char *doing)
{
    int code = db ? sqlite3_extended_errcode(db) : SQLITE_NOMEM;
    int os = db ? sqlite3_system_errno(db) : ENOMEM;
    const char *words = db ? sqlite3_errmsg(db) : "out of memory";
    if (is_disk_full(code, os))
        return fg_fail(err, FG_EFULL,
                       "cannot %s '%s': the disk is full; what was acknowledged is safe, "
                       "free some space to go on",
                       doing, path);
    switch (code & 0xff) {
    case SQLITE_NOTADB:
        return fg_fail(err, FG_EINPUT,
                       "'%s' is not a database (or its first page is destroyed); nothing "
                       "was changed",
                       path);
    case SQLITE_CORRUPT:
        return damaged(err, path, words);
    case SQLITE_CONSTRAINT:
        return fg_fail(err, FG_EINPUT, "cannot %s '%s': %s; the file may be damaged",
                       doing, path, words);
    case SQLITE_TOOBIG:
        return fg_fail(err, FG_ELIMIT, "cannot %s '%s': a value is too large", doing,
                       path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return fg_fail(err, FG_EIO,
                       "cannot %s '%s': another program holds its lock (a transaction "
                       "left open in a sqlite3 shell?)",
                       doing, path);
    case SQLITE_READONLY:
        return fg_fail(err, FG_EIO, "cannot %s '%s': it is read-only", doing, path);
    default:
        return fg_fail(err, FG_EIO, "cannot %s '%s': %s%s%s", doing, path, words,
                       os ? ": " : "", os ? strerror(os) : "");
    }
}

enum fg_status fg_sqlite_exec(sqlite3 *db, const char *path, const char *doing,
                              const char *sql, struct fg_err *err)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return FG_OK;
    return fg_sqlite_fail(err, db, path, doing);
}

enum fg_status fg_sqlite_int(sqlite3 *db, const char *path, const char *sql,
                             int64_t *value, struct fg_err *err)
{
    *value = 0;
    sqlite3_stmt *stmt = NULL;
    enum fg_status st = FG_OK;
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK ||
        sqlite3_step(stmt) != SQLITE_ROW)
        st = fg_sqlite_fail(err, db, path, "read");
    else
        *value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return st;
}

enum fg_status fg_sqlite_check(sqlite3 *db, const char *path, struct fg_err *err)
{
    sqlite3_stmt *stmt = NULL;
    enum fg_status st = FG_OK;
    if (sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &stmt, NULL) != SQLITE_OK ||
        sqlite3_step(stmt) != SQLITE_ROW)
        st = fg_sqlite_fail(err, db, path, "check");
    else if (strcmp((const char *)sqlite3_column_text(stmt, 0), "ok") != 0)
        st = damaged(err, path, (const char *)sqlite3_column_text(stmt, 0));
    sqlite3_finalize(stmt);
    return st;
}
