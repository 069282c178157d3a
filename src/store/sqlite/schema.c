/* Tables and views, made from the columns of rows.c. A new file gets them all; in an
 * older one what is missing is added: tables, and columns with their defaults. Where the
 * meaning of stored rows changed, a step of SQL for that version follows; one that has
 * been released is never edited. The version is SQLite's user_version, which changes in
 * the same transaction, so a crash leaves the old schema or the new one.
 *
 * Keys lead with the site. Tables are WITHOUT ROWID, so a row lies in its key's tree and
 * costs one insertion; beside the keys there are two indices only, both for uniqueness (a
 * page's fingerprint, an event's id). Everything else people may want to search by is a
 * scan: the crawl pays for every index at every page, a person pays for a scan once. */
#include "base/terms.h"
#include "store/sqlite/sqlite.h"

#include <stdio.h>

enum { APPLICATION_ID = 0x464F5247 }; /* "FORG" */

/* The first look at a page was counted as a change, unless an archive had seen the page
 * (purpose 4). Where old visits were dropped, the first one that is left may be a true
 * change: then only the count is put right. */
static const char first_looks[] =
    "CREATE TEMP TABLE counted AS SELECT site, page, changes FROM pages p"
    " WHERE changes > 0 AND NOT EXISTS(SELECT 1 FROM visits v WHERE v.site = p.site"
    " AND v.page = p.page AND v.purpose = 4);"

    "UPDATE visits SET changed = 0 WHERE (site, page, time) IN"
    " (SELECT v.site, v.page, min(v.time) FROM visits v JOIN counted c USING(site, page)"
    " WHERE v.changed GROUP BY v.site, v.page HAVING count(*) >= c.changes);"

    "UPDATE pages SET changes = changes - 1,"
    " last_change = iif(changes > 1, last_change, NULL)"
    " WHERE (site, page) IN (SELECT site, page FROM counted);"

    "DROP TABLE counted;";

/* The highest number given to an event was a fact about the file, and is state now. */
static const char last_event[] =
    "INSERT OR REPLACE INTO state(site, name, bytes) SELECT 0, 'store:last-event',"
    " CAST(CAST(value AS TEXT) AS BLOB) FROM meta WHERE name = 'last_event';"
    "DELETE FROM meta WHERE name = 'last_event';";

/* What is kept of pages was state of their sites, under names such as "cut:12". */
#define PART(name) "name GLOB '" name ":[0-9]*'"
#define PARTS                                                                 \
    PART("leads-to")                                                          \
    " OR " PART("text") " OR " PART("sketch") " OR " PART("cut") " OR " PART( \
        "capture") " OR " PART("focus:page") " OR " PART("comers")
static const char page_extras[] =
    "INSERT OR REPLACE INTO page_extras(site, page, kind, bytes) SELECT site,"
    " CAST(replace(name, rtrim(name, '0123456789'), '') AS INTEGER),"
    " replace(rtrim(rtrim(name, '0123456789'), ':'), 'focus:page', 'labelled'), bytes"
    " FROM state WHERE " PARTS "; DELETE FROM state WHERE " PARTS ";";

static const struct {
    int version; /* that it leads to */
    const char *sql;
} steps[] = {{9, first_looks},
             {10, last_event},
             {11, page_extras},
             {13, fg_sqlite_ads_tables},
             {14, fg_sqlite_shared_log_tables}};

static enum fg_status read_identity(sqlite3 *db, const char *path, int64_t *version,
                                    int64_t *application, int64_t *tables_there,
                                    struct fg_err *err)
{
    enum fg_status st = fg_sqlite_int(db, path, "PRAGMA user_version", version, err);
    if (!st)
        st = fg_sqlite_int(db, path, "PRAGMA application_id", application, err);
    if (!st)
        st = fg_sqlite_int(db, path, "SELECT count(*) FROM sqlite_schema", tables_there,
                           err);
    return st;
}

enum fg_status fg_schema_check(sqlite3 *db, const char *path, bool read_only,
                               struct fg_err *err)
{
    int64_t version, application, tables_there;
    enum fg_status st =
        read_identity(db, path, &version, &application, &tables_there, err);
    if (st)
        return st;
    bool is_new = !version && !application && !tables_there;
    if (is_new && !read_only)
        return FG_OK;
    if (is_new)
        return fg_fail(err, FG_ENOTFOUND, "'%s' is empty: nothing was ever stored", path);
    if (application != APPLICATION_ID)
        return fg_fail(err, FG_EINPUT,
                       "'%s' is an SQLite database, but not a store of forage; "
                       "nothing was changed",
                       path);
    if (version > FG_SCHEMA_VERSION)
        return fg_fail(err, FG_EINPUT,
                       "'%s' was written by a newer forage (schema %lld, this one knows "
                       "%d): use that version, nothing was changed",
                       path, (long long)version, FG_SCHEMA_VERSION);
    if (version < FG_SCHEMA_VERSION && read_only)
        return fg_fail(err, FG_EINPUT,
                       "'%s' was written by an older forage (schema %lld, this one needs "
                       "%d): run any command that writes to bring it up to date",
                       path, (long long)version, FG_SCHEMA_VERSION);
    return FG_OK;
}

static enum fg_status write_meta(sqlite3 *db, const char *path, fg_time now,
                                 struct fg_err *err)
{
    char sql[512];
    snprintf(sql, sizeof sql,
             "INSERT OR IGNORE INTO meta VALUES('created', %lld);"
             "INSERT OR IGNORE INTO meta VALUES('terms', '" FG_TERMS_VERSION "');"
             "INSERT OR REPLACE INTO meta VALUES('schema', %d), ('forage', '%s');"
             "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             (long long)now, FG_SCHEMA_VERSION, FG_VERSION, APPLICATION_ID,
             FG_SCHEMA_VERSION);
    return fg_sqlite_exec(db, path, "prepare", sql, err);
}

/* Is there nothing to do? Then an open costs no write. */
static enum fg_status is_current(bool *current, sqlite3 *db, const char *path,
                                 struct fg_err *err)
{
    int64_t version, same = 0;
    enum fg_status st = fg_sqlite_int(db, path, "PRAGMA user_version", &version, err);
    if (!st && version == FG_SCHEMA_VERSION)
        st = fg_sqlite_int(db, path,
                           "SELECT count(*) FROM meta WHERE name = 'forage'"
                           " AND value = '" FG_VERSION "'",
                           &same, err);
    *current = same != 0;
    return st;
}

/* --- tables --- */

static void add_column(struct fg_buf *sql, const struct fg_row_column *column,
                       bool is_key)
{
    bool is_text = column->cell == FG_CELL_TEXT, is_bytes = column->cell == FG_CELL_BYTES;
    bool is_real = column->cell == FG_CELL_REAL;
    fg_buf_printf(sql, "%s %s", column->name,
                  is_text    ? "TEXT"
                  : is_bytes ? "BLOB"
                  : is_real  ? "REAL"
                             : "INTEGER");
    if (!fg_cell_is_nullable(column->cell))
        fg_buf_printf(sql, " NOT NULL");
    if (!is_key && !fg_cell_is_nullable(column->cell))
        fg_buf_printf(sql, " DEFAULT %s", is_text ? "''" : is_bytes ? "x''" : "0");
}

/* A key that is one large number is SQLite's own: large rows then lie better. */
static bool is_numbered(const struct fg_row_type *type)
{
    return type->n_keys == 1 && type->columns[0].cell == FG_CELL_NUMBER &&
           type->columns[0].bytes == 8;
}

static void add_table(struct fg_buf *sql, const struct fg_row_type *type)
{
    fg_buf_printf(sql, "CREATE TABLE IF NOT EXISTS %s(", type->table);
    for (size_t i = 0; i < type->n_columns; i++) {
        add_column(sql, &type->columns[i], i < type->n_keys);
        fg_buf_printf(sql, ", ");
    }
    fg_buf_printf(sql, "PRIMARY KEY(");
    for (size_t i = 0; i < type->n_keys; i++)
        fg_buf_printf(sql, "%s%s", i ? ", " : "", type->columns[i].name);
    fg_buf_printf(sql, ")");
    if (type->unique)
        fg_buf_printf(sql, ", UNIQUE(%s)", type->unique);
    fg_buf_printf(sql, ")%s;", is_numbered(type) ? "" : " WITHOUT ROWID");
}

static enum fg_status add_missing_columns(struct fg_buf *sql, sqlite3 *db,
                                          const char *path,
                                          const struct fg_row_type *type,
                                          struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t i = type->n_keys; !st && i < type->n_columns; i++) {
        char question[256];
        int64_t n;
        snprintf(question, sizeof question,
                 "SELECT count(*) FROM pragma_table_info('%s') WHERE name = '%s'",
                 type->table, type->columns[i].name);
        st = fg_sqlite_int(db, path, question, &n, err);
        if (st || n)
            continue;
        fg_buf_printf(sql, "ALTER TABLE %s ADD COLUMN ", type->table);
        add_column(sql, &type->columns[i], false);
        fg_buf_printf(sql, ";");
    }
    return st;
}

/* --- views: for people with a sqlite3 shell --- */

static void add_shown(struct fg_buf *sql, const struct fg_row_column *column)
{
    const char *name = column->name;
    switch (column->cell) {
    case FG_CELL_TIME:
    case FG_CELL_MOMENT:
        fg_buf_printf(sql,
                      "strftime('%%Y-%%m-%%d %%H:%%M:%%f', t.%s / 1e6, 'unixepoch')"
                      " AS %s",
                      name, name);
        break;
    case FG_CELL_SPAN:
        fg_buf_printf(sql, "t.%s / 1e6 AS %s_s", name, name);
        break;
    case FG_CELL_DAY:
        fg_buf_printf(sql, "date(t.%s * 86400, 'unixepoch') AS %s", name, name);
        break;
    case FG_CELL_HASH:
        fg_buf_printf(sql, "printf('%%016x', t.%s) AS %s", name, name);
        break;
    case FG_CELL_FLAGS:
        fg_buf_printf(sql, "rtrim(''");
        for (size_t i = 0; i < fg_page_flag_count; i++)
            fg_buf_printf(sql, " || iif(t.%s & %llu, '%s ', '')", name, 1ULL << i,
                          fg_page_flag_names[i]);
        fg_buf_printf(sql, ") AS %s", name);
        break;
    default:
        fg_buf_printf(sql, "t.%s AS %s", name, name);
    }
}

static void add_view(struct fg_buf *sql, const struct fg_row_type *type)
{
    struct fg_str before, rest = fg_str_from(type->view);
    fg_str_cut(&rest, '*', &before);
    fg_buf_printf(sql, "CREATE VIEW %s_readable AS SELECT %.*s", type->table,
                  FG_ARG(before));
    const char *separator = "";
    for (size_t i = 0; i < type->n_columns; i++)
        if (type->columns[i].cell != FG_CELL_BYTES) {
            fg_buf_printf(sql, "%s", separator);
            add_shown(sql, &type->columns[i]);
            separator = ", ";
        }
    fg_buf_printf(sql, "%.*s;", FG_ARG(rest));
}

/* --- all of it --- */

static enum fg_status run(sqlite3 *db, const char *path, struct fg_buf *sql,
                          struct fg_err *err)
{
    fg_buf_add_char(sql, '\0');
    enum fg_status st = fg_sqlite_exec(db, path, "prepare", sql->at, err);
    fg_buf_reset(sql);
    return st;
}

/* Segments of the index are merged by eights, not by fours: a tenth less to do in all,
 * and searches look into a few more of them, which costs 7 % at 20,000 texts. */
static enum fg_status make_all(struct fg_buf *sql, sqlite3 *db, const char *path,
                               struct fg_err *err)
{
    fg_buf_printf(sql, "CREATE TABLE IF NOT EXISTS meta(name TEXT PRIMARY KEY, value)"
                       " WITHOUT ROWID;");
    for (size_t i = 0; i < FG_ROW_KINDS; i++) {
        if (fg_row_types[i].view)
            fg_buf_printf(sql, "DROP VIEW IF EXISTS %s_readable;", fg_row_types[i].table);
        add_table(sql, &fg_row_types[i]);
    }
    fg_buf_printf(sql, "CREATE VIRTUAL TABLE IF NOT EXISTS search_index USING"
                       " fts5(title, text, anchors, about, content='', columnsize=0,"
                       " tokenize='forage');"
                       "CREATE VIRTUAL TABLE IF NOT EXISTS search_terms USING"
                       " fts5vocab('search_index', 'row');"
                       "INSERT INTO search_index(search_index, rank)"
                       " VALUES('hashsize', 16777216);"
                       "INSERT INTO search_index(search_index, rank)"
                       " VALUES('automerge', 8);");
    enum fg_status st = run(db, path, sql, err);
    for (size_t i = 0; !st && i < FG_ROW_KINDS; i++)
        st = add_missing_columns(sql, db, path, &fg_row_types[i], err);
    for (size_t i = 0; !st && i < FG_ROW_KINDS; i++)
        if (fg_row_types[i].view)
            add_view(sql, &fg_row_types[i]);
    return st ? st : run(db, path, sql, err);
}

static enum fg_status bring_up_to_date(sqlite3 *db, const char *path, fg_time now,
                                       struct fg_err *err)
{
    int64_t version;
    struct fg_buf sql;
    fg_buf_init(&sql, SIZE_MAX);
    enum fg_status st = fg_sqlite_int(db, path, "PRAGMA user_version", &version, err);
    if (!st && version < FG_SCHEMA_VERSION)
        st = make_all(&sql, db, path, err);
    for (size_t i = 0; !st && i < sizeof steps / sizeof *steps; i++)
        if (version < steps[i].version)
            st = fg_sqlite_exec(db, path, "prepare", steps[i].sql, err);
    fg_buf_clear(&sql);
    return st ? st : write_meta(db, path, now, err);
}

enum fg_status fg_schema_migrate(sqlite3 *db, const char *path, fg_time now,
                                 struct fg_err *err)
{
    bool current;
    enum fg_status st = is_current(&current, db, path, err);
    if (st || current)
        return st;
    st = fg_sqlite_exec(db, path, "prepare", "BEGIN IMMEDIATE", err);
    if (!st)
        st = bring_up_to_date(db, path, now, err);
    if (!st)
        st = fg_sqlite_exec(db, path, "prepare", "COMMIT", err);
    if (st)
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}
