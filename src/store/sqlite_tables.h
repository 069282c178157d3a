/* sqlite_tables.h - the writer's statements, and how values are bound to them; private to
 * sqlite_write.c and its neighbours */
#ifndef FG_STORE_SQLITE_TABLES_H
#define FG_STORE_SQLITE_TABLES_H

#include "store/sqlite.h"

enum statement {
    BEGIN,
    COMMIT,
    ROLLBACK,
    PUT_SITE,
    PUT_PAGE,
    RENAME_PAGE,
    PUT_CONTENT,
    PUT_FLAGS,
    PUT_WEIGHT,
    COUNT_VISIT,
    PUT_CONTENT_OF_VISIT,
    PUT_VISIT,
    PUT_CAPTURE,
    PUT_LINK,
    PUT_EVENT,
    PUT_DELIVERED,
    PUT_STATE,
    PUT_LABEL,
    DROP_LABEL,
    PUT_DAILY,
    TRIM_DAILY,
    LAST_VALUE,
    PUT_VALUE,
    PUT_VALUE_RULE,
    PUT_VALUE_CHANGE,
    TRIM_VALUE_CHANGES,
    PUT_REQUEST,
    PUT_NOTE,
    PUT_PROMISE,
    DROP_PROMISE,
    PUT_EARLY,
    TRIM_EARLY,
    PLACE_EARLY,
    DROP_EARLY,
    MOVE_REQUESTS,
    LAST_BODY,
    PUT_BODY,
    TRIM_BODIES,
    PUT_WAITING,
    DROP_WAITING,
    NOTE_EVENTS,
    PRUNE_PAGES,
    PRUNE_VISITS,
    PRUNE_LINKS,
    PRUNE_BODIES,
    PRUNE_VALUE_CHANGES,
    PRUNE_REQUESTS,
    PRUNE_EVENTS,
    FORGET,
    FORGET_END = FORGET + 17,
    N_STATEMENTS = FORGET_END,
};

struct place {
    int64_t site, page;
};

struct fg_tables {
    sqlite3 *db;
    const char *path; /* the store's */
    struct fg_store_options options;
    struct fg_packer packer;
    sqlite3_stmt *stmt[N_STATEMENTS];
    /* What is true after the last commit, and what the open transaction makes of it. */
    int64_t last_event, open_last_event;
    struct place pruned, open_pruned;
    bool has_more; /* of what the last slice was to take out */
};

/* --- binding and stepping --- */

struct bind {
    sqlite3_stmt *stmt;
    int at;
};

static inline void put_int(struct bind *bind, int64_t value)
{
    sqlite3_bind_int64(bind->stmt, ++bind->at, value);
}

static inline void put_hash(struct bind *bind, uint64_t value)
{
    sqlite3_bind_int64(bind->stmt, ++bind->at, (int64_t)value);
}

static inline void put_time(struct bind *bind, fg_time time)
{
    if (time == FG_NEVER)
        sqlite3_bind_null(bind->stmt, ++bind->at);
    else
        sqlite3_bind_int64(bind->stmt, ++bind->at, time);
}

static inline void put_real(struct bind *bind, double value)
{
    /* SQLite turns a NaN into NULL, which the column would refuse. */
    sqlite3_bind_double(bind->stmt, ++bind->at, value == value ? value : 0);
}

static inline void put_count(struct bind *bind, uint32_t count)
{
    if (count == FG_UNCOUNTED)
        sqlite3_bind_null(bind->stmt, ++bind->at);
    else
        sqlite3_bind_int64(bind->stmt, ++bind->at, count);
}

static inline void put_text(struct bind *bind, struct fg_str text)
{
    sqlite3_bind_text64(bind->stmt, ++bind->at, text.at ? text.at : "", text.len,
                        SQLITE_STATIC, SQLITE_UTF8);
}

static inline void put_blob(struct bind *bind, struct fg_str bytes)
{
    sqlite3_bind_blob64(bind->stmt, ++bind->at, bytes.at ? bytes.at : "", bytes.len,
                        SQLITE_STATIC);
}

static inline struct bind start(struct fg_tables *tables, enum statement which)
{
    return (struct bind){tables->stmt[which], 0};
}

static inline enum fg_status run(struct fg_tables *tables, sqlite3_stmt *stmt,
                                 struct fg_err *err)
{
    enum fg_status st = FG_OK;
    if (sqlite3_step(stmt) != SQLITE_DONE)
        st = fg_sqlite_fail(err, tables->db, tables->path, "write");
    sqlite3_reset(stmt);
    return st;
}

#endif
