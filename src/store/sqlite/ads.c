/* Tables of advertisements, which came with schema 13, and the questions asked of them.
 * What may be reserved is computed from the displays that may still be clicked, and what
 * is spent is kept by day: there is no counter that a crash or midnight could leave
 * wrong. */
#include "store/ads.h"

#include "base/memory.h"
#include "store/sqlite/sqlite.h"
#include "store/store.h"

#include <assert.h>
#include <stdlib.h>

enum { WAIT_MS = 10000 };

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

static const char *const questions[FG_ADS_QUESTIONS] = {
    [FG_ADS_PUT_ADVERTISER] =
        "INSERT INTO ads_advertisers(name, budget, state, added) VALUES(?1, ?2, 0, ?3)"
        " ON CONFLICT(name) DO UPDATE SET budget = excluded.budget,"
        " state = CASE state WHEN 2 THEN 0 ELSE state END",
    [FG_ADS_ADVERTISER] =
        "SELECT number, budget, state FROM ads_advertisers WHERE name = ?1",
    [FG_ADS_STATE_OF_ADVERTISER] =
        "UPDATE ads_advertisers SET state = ?2 WHERE number = ?1",
    [FG_ADS_PUT_AD] = "INSERT INTO ads(advertiser, phrase, words, anchor, broad, bid,"
                      " title, url, text, cluster, alpha, beta, added, state)"
                      " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 0)"
                      " RETURNING number",
    [FG_ADS_STATE_OF_AD] = "UPDATE ads SET state = ?2 WHERE number = ?1 AND state <> 2"
                           " RETURNING number",
    [FG_ADS_STATE_OF_ADS] =
        "UPDATE ads SET state = ?2 WHERE advertiser = ?1 AND state <> 2",
    [FG_ADS_ALL] = "SELECT a.number, w.name, a.phrase, a.broad, a.bid, a.title, a.url,"
                   " a.text, a.state, w.state, w.budget, a.added, a.shown, a.clicked,"
                   " a.spent FROM ads a JOIN ads_advertisers w ON w.number = a.advertiser"
                   " ORDER BY w.name, a.number",
    [FG_ADS_SAME] = "SELECT number FROM ads WHERE advertiser = ?1 AND words = ?2"
                    " AND broad = ?3 AND url = ?4 AND state <> 2",
    [FG_ADS_DAYS] =
        "SELECT w.name, d.day, w.budget, d.shown, d.clicked, d.charged,"
        " d.spent FROM ads_days d JOIN ads_advertisers w"
        " ON w.number = d.advertiser WHERE d.day >= ?1 ORDER BY d.day, w.name",
    [FG_ADS_CANDIDATES] =
        "SELECT a.number, a.advertiser, a.words, a.broad, a.bid, a.title, a.url, a.text,"
        " a.cluster, a.alpha, a.beta, w.budget, w.price, w.learned FROM ads a"
        " JOIN ads_advertisers w ON w.number = a.advertiser"
        " WHERE a.anchor = ?1 AND a.state = 0 AND w.state = 0 ORDER BY a.number",
    [FG_ADS_ARM] = "SELECT shown, clicked, learned FROM ads_arms"
                   " WHERE ad = ?1 AND phrase = ?2",
    [FG_ADS_PUT_ARM] = "INSERT OR REPLACE INTO ads_arms VALUES(?1, ?2, ?3, ?4, ?5)",
    [FG_ADS_ARMS] = "SELECT count(*) FROM ads_arms WHERE ad = ?1",
    [FG_ADS_PHRASE] = "SELECT queries, learned FROM ads_phrases WHERE phrase = ?1",
    [FG_ADS_PUT_PHRASE] = "INSERT OR REPLACE INTO ads_phrases VALUES(?1, ?2, ?3)",
    [FG_ADS_SPENT] = "SELECT spent FROM ads_days WHERE advertiser = ?1 AND day = ?2",
    [FG_ADS_RESERVED] = "SELECT ifnull(sum(bid), 0) FROM ads_displays"
                        " WHERE advertiser = ?1 AND held_until > ?2",
    [FG_ADS_SHOW] = "INSERT INTO ads_displays(ad, advertiser, phrase, bid, held_until,"
                    " expires, shown_before, clicked_before)"
                    " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING number",
    [FG_ADS_COUNT_SHOWN_AD] = "UPDATE ads SET shown = shown + 1 WHERE number = ?1",
    [FG_ADS_RENEW] = "UPDATE ads SET bid = ?2, title = ?3, text = ?4, alpha = ?5,"
                     " beta = ?6, state = CASE state WHEN 2 THEN 0 ELSE state END"
                     " WHERE number = ?1",
    [FG_ADS_COUNT_SHOWN] =
        "INSERT INTO ads_days(advertiser, day, shown) VALUES(?1, ?2, 1)"
        " ON CONFLICT DO UPDATE SET shown = shown + 1",
    [FG_ADS_LEARNED] =
        "UPDATE ads_advertisers SET price = ?2, learned = ?3 WHERE number = ?1",
    [FG_ADS_PACED] = "SELECT number, budget, price, learned FROM ads_advertisers"
                     " WHERE budget >= 0 AND (learned IS NOT NULL OR price > 0)",
    [FG_ADS_DISPLAY] =
        "SELECT d.ad, d.advertiser, d.phrase, d.bid, d.shown_before, d.clicked_before,"
        " w.budget, w.price, w.learned FROM ads_displays d JOIN ads_advertisers w"
        " ON w.number = d.advertiser WHERE d.number = ?1",
    [FG_ADS_DROP_DISPLAY] = "DELETE FROM ads_displays WHERE number = ?1",
    [FG_ADS_DROP_OLD] = "DELETE FROM ads_displays WHERE expires < ?1",
    [FG_ADS_CHARGE] = "INSERT INTO ads_days(advertiser, day, clicked, charged, spent)"
                      " VALUES(?1, ?2, 1, ?3, ?4) ON CONFLICT DO UPDATE SET"
                      " clicked = clicked + 1, charged = charged + excluded.charged,"
                      " spent = spent + excluded.spent",
    [FG_ADS_CHARGE_AD] =
        "UPDATE ads SET clicked = clicked + 1, spent = spent + ?2 WHERE number = ?1",
    [FG_ADS_URL] = "SELECT url FROM ads WHERE number = ?1",
    [FG_ADS_CLICKER] = "SELECT clicks FROM ads_clickers WHERE day = ?1 AND client = ?2"
                       " AND advertiser = ?3",
    [FG_ADS_COUNT_CLICK] = "INSERT INTO ads_clickers VALUES(?1, ?2, ?3, 1)"
                           " ON CONFLICT DO UPDATE SET clicks = clicks + 1",
    [FG_ADS_DROP_CLICKERS] = "DELETE FROM ads_clickers WHERE day < ?1",
    [FG_ADS_STATE] = "SELECT bytes FROM ads_state WHERE name = ?1",
    [FG_ADS_PUT_STATE] = "INSERT OR REPLACE INTO ads_state VALUES(?1, ?2)",
    [FG_ADS_FORGET] = "UPDATE ads_advertisers SET price = 0, learned = NULL",
};

struct fg_ads_db {
    sqlite3 *db;
    char *path;
    sqlite3_stmt *asked[FG_ADS_QUESTIONS];
};

/* An older schema has no such tables yet; opening the store makes them. */
static enum fg_status update_schema(const char *place, struct fg_err *err)
{
    struct fg_store *store;
    struct fg_store_options options = {.body_depth = 1};
    enum fg_status st = fg_store_open(&store, place, &options, err);
    return st ? st : fg_store_close(store, err);
}

static enum fg_status connect(struct fg_ads_db *db, const char *place, struct fg_err *err)
{
    int64_t version = 0;
    if (fg_str_starts(fg_str_from(place), FG_STR("postgres")) && strstr(place, "://"))
        return fg_fail(err, FG_ECONFIG,
                       "advertisements are kept in a file of the workspace only; "
                       "store.place names a database");
    if (!fg_store_exists(place))
        return fg_fail(err, FG_ENOTFOUND, "there is no workspace at '%s'", place);
    if (sqlite3_open_v2(db->path, &db->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK)
        return fg_sqlite_fail(err, db->db, db->path, "open");
    sqlite3_busy_timeout(db->db, WAIT_MS);
    enum fg_status st =
        fg_sqlite_int(db->db, db->path, "PRAGMA user_version", &version, err);
    if (!st && version < FG_SCHEMA_VERSION)
        st = update_schema(place, err);
    return st ? st : fg_schema_check(db->db, db->path, true, err);
}

enum fg_status fg_ads_db_open(struct fg_ads_db **made, const char *place,
                              struct fg_err *err)
{
    struct fg_ads_db *db = fg_zeroed(1, sizeof *db);
    db->path = fg_sqlite_path(place);
    enum fg_status st = connect(db, place, err);
    *made = db;
    if (st) {
        fg_ads_db_close(db);
        *made = NULL;
    }
    return st;
}

void fg_ads_db_close(struct fg_ads_db *db)
{
    if (!db)
        return;
    for (size_t i = 0; i < FG_ADS_QUESTIONS; i++)
        sqlite3_finalize(db->asked[i]);
    sqlite3_close(db->db);
    free(db->path);
    free(db);
}

enum fg_status fg_ads_db_begin(struct fg_ads_db *db, struct fg_err *err)
{
    return fg_sqlite_exec(db->db, db->path, "write",
                          "PRAGMA synchronous = FULL; BEGIN IMMEDIATE", err);
}

enum fg_status fg_ads_db_begin_light(struct fg_ads_db *db, struct fg_err *err)
{
    return fg_sqlite_exec(db->db, db->path, "write",
                          "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE", err);
}

enum fg_status fg_ads_db_end(struct fg_ads_db *db, enum fg_status st, struct fg_err *err)
{
    if (!st)
        st = fg_sqlite_exec(db->db, db->path, "write", "COMMIT", err);
    if (st)
        sqlite3_exec(db->db, "ROLLBACK", NULL, NULL, NULL);
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

enum fg_status fg_ads_db_ask(struct fg_ads_db *db, enum fg_ads_question question,
                             const struct fg_ads_cell *arguments, fg_ads_take *take,
                             void *context, struct fg_err *err)
{
    sqlite3_stmt **stmt = &db->asked[question];
    int rc = SQLITE_OK, n;
    bool goes_on = true;
    if (!*stmt)
        rc = sqlite3_prepare_v3(db->db, questions[question], -1,
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
        rc == SQLITE_OK ? FG_OK : fg_sqlite_fail(err, db->db, db->path, "write");
    if (*stmt) {
        sqlite3_reset(*stmt);
        sqlite3_clear_bindings(*stmt);
    }
    return st;
}
