/* A door of its own to the file, for what many processes write beside the crawl. */
#include "store/sqlite/sqlite.h"
#include "store/store.h"

#include <stdlib.h>

enum { WAIT_MS = 10000 };

/* An older schema lacks tables; opening the store makes them. */
static enum fg_status update_schema(const char *place, struct fg_err *err)
{
    struct fg_store *store;
    struct fg_store_options options = {.body_depth = 1};
    enum fg_status st = fg_store_open(&store, place, &options, err);
    return st ? st : fg_store_close(store, err);
}

enum fg_status fg_direct_open(struct fg_direct *direct, const char *place,
                              struct fg_err *err)
{
    int64_t version = 0;
    *direct = (struct fg_direct){0};
    if (fg_store_is_database(place))
        return fg_fail(err, FG_ECONFIG,
                       "advertisements and the scheduler of other crawlers are kept in a "
                       "file of the workspace only; store.place names a database");
    if (!fg_store_exists(place))
        return fg_fail(err, FG_ENOTFOUND, "there is no workspace at '%s'", place);
    direct->path = fg_sqlite_path(place);
    if (sqlite3_open_v2(direct->path, &direct->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return fg_sqlite_fail(err, direct->db, direct->path, "open");
    sqlite3_busy_timeout(direct->db, WAIT_MS);
    enum fg_status st =
        fg_sqlite_int(direct->db, direct->path, "PRAGMA user_version", &version, err);
    if (!st && version < FG_SCHEMA_VERSION)
        st = update_schema(place, err);
    return st ? st : fg_schema_check(direct->db, direct->path, true, err);
}

void fg_direct_close(struct fg_direct *direct)
{
    sqlite3_close(direct->db);
    free(direct->path);
    *direct = (struct fg_direct){0};
}

enum fg_status fg_direct_begin(struct fg_direct *direct, bool is_light,
                               struct fg_err *err)
{
    return fg_sqlite_exec(direct->db, direct->path, "write",
                          is_light ? "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE"
                                   : "PRAGMA synchronous = FULL; BEGIN IMMEDIATE",
                          err);
}

enum fg_status fg_direct_end(struct fg_direct *direct, enum fg_status st,
                             struct fg_err *err)
{
    if (!st)
        st = fg_sqlite_exec(direct->db, direct->path, "write", "COMMIT", err);
    if (st)
        sqlite3_exec(direct->db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}
