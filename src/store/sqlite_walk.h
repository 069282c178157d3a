/* sqlite_walk.h - one question to the tables and its rows; private to sqlite_read.c
 * and its neighbours
 *
 *     struct walk walk = fg_reader_ask(store, SITES, err);
 *     with_int(&walk, ...);                        (the parameters, in order)
 *     while (fg_reader_next(&walk, err)) ...get_int(&walk)...   (the columns, likewise)
 *     return fg_reader_end(&walk); */
#ifndef FG_STORE_SQLITE_WALK_H
#define FG_STORE_SQLITE_WALK_H

#include "store/sqlite.h"

enum query {
    SITES,
    ALL_PAGES,
    SITE_PAGES,
    ONE_PAGE,
    PAGE_BY_FINGERPRINT,
    LAST_PAGE,
    SITE_LINKS,
    SOURCE_LINKS,
    ALL_VISITS,
    SITE_VISITS,
    PAGE_VISITS,
    ALL_EVENTS,
    SITE_EVENTS,
    LABELS,
    DAILY,
    DAILY_SPAN,
    ALL_VALUES,
    SITE_VALUES,
    ONE_VALUE,
    VALUE_RULES,
    VALUE_CHANGES,
    ALL_VALUE_CHANGES,
    SITE_VALUE_CHANGES,
    WAITING,
    REQUESTS,
    ALL_NOTES,
    SITE_NOTES,
    ONE_NOTE,
    PROMISES,
    ONE_PROMISE,
    EARLY,
    BODY,
    STATE,
    DELIVERED,
    DELIVERED_TO_ALL,
    COUNTS,
    SUMMARIES,
    N_QUERIES,
};

struct walk {
    struct fg_store *store;
    struct fg_reader *reader;
    sqlite3_stmt *stmt;
    int at; /* of the parameters, then of the columns */
    enum fg_status status;
};

struct walk fg_reader_ask(struct fg_store *store, enum query which, struct fg_err *err);
bool fg_reader_next(struct walk *walk, struct fg_err *err);
enum fg_status fg_reader_end(struct walk *walk);

static inline void with_int(struct walk *walk, int64_t value)
{
    if (!walk->status)
        sqlite3_bind_int64(walk->stmt, ++walk->at, value);
}

static inline void with_text(struct walk *walk, const char *text)
{
    if (!walk->status)
        sqlite3_bind_text(walk->stmt, ++walk->at, text, -1, SQLITE_STATIC);
}

/* --- columns, in their order --- */

static inline int64_t get_int(struct walk *walk)
{
    return sqlite3_column_int64(walk->stmt, walk->at++);
}

static inline fg_time get_time(struct walk *walk)
{
    int at = walk->at++;
    bool is_never = sqlite3_column_type(walk->stmt, at) == SQLITE_NULL;
    return is_never ? FG_NEVER : sqlite3_column_int64(walk->stmt, at);
}

static inline float get_real(struct walk *walk)
{
    return (float)sqlite3_column_double(walk->stmt, walk->at++);
}

/* As a blob: text may hold any byte, and SQLite then has nothing to convert. */
static inline struct fg_str get_text(struct walk *walk)
{
    int at = walk->at++;
    const char *text = sqlite3_column_blob(walk->stmt, at);
    return text ? (struct fg_str){text, (size_t)sqlite3_column_bytes(walk->stmt, at)}
                : FG_STR("");
}

#endif
