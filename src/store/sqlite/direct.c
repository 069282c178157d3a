/* The door to a file, and the tables behind it: those of advertisements came with schema
 * 13, those of shared logs with schema 14. */
#include "store/direct.h"

#include "base/memory.h"
#include "store/sqlite/sqlite.h"
#include "store/store.h"

#include <assert.h>
#include <stdlib.h>

const char fg_sqlite_ads_tables[] =
    "CREATE TABLE IF NOT EXISTS ads_advertisers(number INTEGER PRIMARY KEY,"
    " name TEXT NOT NULL UNIQUE, budget INTEGER NOT NULL, state INTEGER NOT NULL,"
    " added INTEGER NOT NULL, price REAL NOT NULL DEFAULT 0, learned BLOB);"

    "CREATE TABLE IF NOT EXISTS ads(number INTEGER PRIMARY KEY,"
    " advertiser INTEGER NOT NULL, phrase TEXT NOT NULL, words TEXT NOT NULL,"
    " anchor TEXT NOT NULL, broad INTEGER NOT NULL, bid INTEGER NOT NULL,"
    " title TEXT NOT NULL, url TEXT NOT NULL, text TEXT NOT NULL, cluster TEXT NOT NULL,"
    " alpha REAL NOT NULL, beta REAL NOT NULL, state INTEGER NOT NULL,"
    " added INTEGER NOT NULL, shown INTEGER NOT NULL DEFAULT 0,"
    " clicked INTEGER NOT NULL DEFAULT 0, spent INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX IF NOT EXISTS ads_by_anchor ON ads(anchor) WHERE state = 0;"

    "CREATE TABLE IF NOT EXISTS ads_arms(ad INTEGER NOT NULL, phrase TEXT NOT NULL,"
    " shown INTEGER NOT NULL, clicked INTEGER NOT NULL, learned BLOB,"
    " PRIMARY KEY(ad, phrase)) WITHOUT ROWID;"

    "CREATE TABLE IF NOT EXISTS ads_phrases(phrase TEXT PRIMARY KEY,"
    " queries INTEGER NOT NULL, learned BLOB) WITHOUT ROWID;"

    "CREATE TABLE IF NOT EXISTS ads_displays(number INTEGER PRIMARY KEY AUTOINCREMENT,"
    " ad INTEGER NOT NULL, advertiser INTEGER NOT NULL, phrase TEXT NOT NULL,"
    " bid INTEGER NOT NULL, held_until INTEGER NOT NULL, expires INTEGER NOT NULL,"
    " shown_before INTEGER NOT NULL, clicked_before INTEGER NOT NULL);"
    "CREATE INDEX IF NOT EXISTS ads_displays_held ON"
    " ads_displays(advertiser, held_until, bid);"
    "CREATE INDEX IF NOT EXISTS ads_displays_old ON ads_displays(expires);"

    "CREATE TABLE IF NOT EXISTS ads_days(advertiser INTEGER NOT NULL,"
    " day INTEGER NOT NULL, shown INTEGER NOT NULL DEFAULT 0,"
    " clicked INTEGER NOT NULL DEFAULT 0, charged INTEGER NOT NULL DEFAULT 0,"
    " spent INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(advertiser, day)) WITHOUT ROWID;"

    "CREATE TABLE IF NOT EXISTS ads_clickers(day INTEGER NOT NULL,"
    " client INTEGER NOT NULL, advertiser INTEGER NOT NULL, clicks INTEGER NOT NULL,"
    " PRIMARY KEY(day, client, advertiser)) WITHOUT ROWID;"

    "CREATE TABLE IF NOT EXISTS ads_state(name TEXT PRIMARY KEY, bytes BLOB NOT NULL)"
    " WITHOUT ROWID;";

const char fg_sqlite_shared_log_tables[] =
    "CREATE TABLE IF NOT EXISTS shared_logs(name TEXT PRIMARY KEY,"
    " number INTEGER NOT NULL, bytes BLOB NOT NULL) WITHOUT ROWID;"

    "CREATE TABLE IF NOT EXISTS shared_log_entries(name TEXT NOT NULL,"
    " number INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY(name, number))"
    " WITHOUT ROWID;";

enum { WAIT_MS = 10000 };

struct door {
    struct fg_direct direct;
    sqlite3 *db;
    char *path;
    sqlite3_stmt **asked;
};

static struct door *of(struct fg_direct *direct)
{
    return (struct door *)direct;
}

/* An older schema lacks tables; opening the store makes them. */
static enum fg_status update_schema(const char *place, struct fg_err *err)
{
    struct fg_store *store;
    struct fg_store_options options = {.body_depth = 1};
    enum fg_status st = fg_store_open(&store, place, &options, err);
    return st ? st : fg_store_close(store, err);
}

static void close_door(struct fg_direct *direct)
{
    struct door *door = of(direct);
    for (size_t i = 0; i < direct->n_questions; i++)
        sqlite3_finalize(door->asked[i]);
    sqlite3_close(door->db);
    free(door->asked);
    free(door->path);
    free(door);
}

static enum fg_status open_db(struct door *door, const char *place, struct fg_err *err)
{
    int64_t version = 0;
    if (!fg_store_exists(place))
        return fg_fail(err, FG_ENOTFOUND, "there is no workspace at '%s'", place);
    if (sqlite3_open_v2(door->path, &door->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return fg_sqlite_fail(err, door->db, door->path, "open");
    sqlite3_busy_timeout(door->db, WAIT_MS);
    enum fg_status st =
        fg_sqlite_int(door->db, door->path, "PRAGMA user_version", &version, err);
    if (!st && version < FG_SCHEMA_VERSION)
        st = update_schema(place, err);
    return st ? st : fg_schema_check(door->db, door->path, true, err);
}

static enum fg_status open_door(struct fg_direct **direct, const char *place,
                                const char *const *questions, size_t n,
                                struct fg_err *err)
{
    struct door *door = fg_zeroed(1, sizeof *door);
    door->direct = (struct fg_direct){&fg_sqlite_direct_ops, questions, n};
    door->asked = fg_zeroed(n, sizeof(sqlite3_stmt *));
    door->path = fg_sqlite_path(place);
    enum fg_status st = open_db(door, place, err);
    *direct = st ? NULL : &door->direct;
    if (st)
        close_door(&door->direct);
    return st;
}

static enum fg_status begin(struct fg_direct *direct, bool is_light, struct fg_err *err)
{
    return fg_sqlite_exec(of(direct)->db, of(direct)->path, "write",
                          is_light ? "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE"
                                   : "PRAGMA synchronous = FULL; BEGIN IMMEDIATE",
                          err);
}

static enum fg_status end(struct fg_direct *direct, enum fg_status st, struct fg_err *err)
{
    sqlite3 *db = of(direct)->db;
    if (!st)
        st = fg_sqlite_exec(db, of(direct)->path, "write", "COMMIT", err);
    if (st)
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}

static void bind(sqlite3_stmt *stmt, int at, const struct fg_ads_cell *cell)
{
    struct fg_str text = cell->text;
    switch (cell->type) {
    case FG_ADS_INT:
        sqlite3_bind_int64(stmt, at, cell->number);
        break;
    case FG_ADS_REAL:
        sqlite3_bind_double(stmt, at, cell->real);
        break;
    case FG_ADS_TEXT:
        sqlite3_bind_text64(stmt, at, text.at ? text.at : "", text.len, SQLITE_STATIC,
                            SQLITE_UTF8);
        break;
    case FG_ADS_BLOB:
        sqlite3_bind_blob64(stmt, at, text.at ? text.at : "", text.len, SQLITE_STATIC);
        break;
    }
}

static struct fg_ads_cell cell_at(sqlite3_stmt *stmt, int column)
{
    struct fg_ads_cell cell = {.type = FG_ADS_INT};
    switch (sqlite3_column_type(stmt, column)) {
    case SQLITE_FLOAT:
    case SQLITE_INTEGER:
        cell.number = sqlite3_column_int64(stmt, column);
        cell.real = sqlite3_column_double(stmt, column);
        break;
    case SQLITE_TEXT:
    case SQLITE_BLOB:
        cell.type =
            sqlite3_column_type(stmt, column) == SQLITE_TEXT ? FG_ADS_TEXT : FG_ADS_BLOB;
        cell.text.at = sqlite3_column_blob(stmt, column);
        cell.text.len = (size_t)sqlite3_column_bytes(stmt, column);
        break;
    default:
        break;
    }
    return cell;
}

static enum fg_status ask(struct fg_direct *direct, size_t question,
                          const struct fg_ads_cell *arguments, fg_ads_take *take,
                          void *context, struct fg_err *err)
{
    struct door *door = of(direct);
    sqlite3_stmt **stmt = &door->asked[question];
    int rc = SQLITE_OK, n = 0;
    bool goes_on = true;
    if (!*stmt)
        rc = sqlite3_prepare_v3(door->db, direct->questions[question], -1,
                                SQLITE_PREPARE_PERSISTENT, stmt, NULL);
    for (int i = 0; rc == SQLITE_OK && arguments && arguments[i].type <= FG_ADS_BLOB; i++)
        bind(*stmt, i + 1, &arguments[i]);
    if (rc == SQLITE_OK)
        n = sqlite3_column_count(*stmt);
    while (rc == SQLITE_OK && goes_on) {
        int step = sqlite3_step(*stmt);
        struct fg_ads_cell row[FG_ADS_CELLS];
        if (step != SQLITE_ROW) {
            rc = step == SQLITE_DONE ? SQLITE_OK : step;
            break;
        }
        assert(n <= FG_ADS_CELLS);
        for (int i = 0; i < n; i++)
            row[i] = cell_at(*stmt, i);
        goes_on = !take || take(context, row, (size_t)n);
    }
    enum fg_status st =
        rc == SQLITE_OK ? FG_OK : fg_sqlite_fail(err, door->db, door->path, "write");
    if (*stmt) {
        sqlite3_reset(*stmt);
        sqlite3_clear_bindings(*stmt);
    }
    return st;
}

const struct fg_direct_ops fg_sqlite_direct_ops = {
    .open = open_door,
    .close = close_door,
    .begin = begin,
    .end = end,
    .ask = ask,
};
