/* Tables in the schema of the store, made from the columns of rows.c as those of SQLite
 * are. In an older store what is missing is added, in one transaction under a lock, so
 * that of several processes that start one does it.
 *
 * A process may read and write a store of the version before its own or behind it: new
 * columns have defaults, and what is not known is left alone. So the processes of a crawl
 * can be renewed one after the other.
 *
 * `lease` is the fence: who writes has its epoch, and changes the row in each of its
 * transactions. A process that has lost its connection, and in whose absence another one
 * has written, finds another epoch there and writes nothing. */
#include "store/postgres/postgres.h"

#include "base/terms.h"

#include <stdio.h>
#include <string.h>

enum { MIGRATION_LOCK = 0x464F524D }; /* "FORM" */

static const char *type_of(const struct fg_row_column *column)
{
    if (fg_cell_is_text(column->cell))
        return "bytea";
    if (column->cell == FG_CELL_REAL)
        return "float4";
    if (column->bytes == 1)
        return "int2";
    return column->bytes == 2 || column->cell == FG_CELL_DAY ? "int4" : "int8";
}

static void add_column(struct fg_buf *sql, const struct fg_row_column *column,
                       bool is_key)
{
    bool is_text = fg_cell_is_text(column->cell);
    fg_buf_printf(sql, "\"%s\" %s", column->name, type_of(column));
    if (!fg_cell_is_nullable(column->cell))
        fg_buf_printf(sql, " NOT NULL");
    if (!is_key && !fg_cell_is_nullable(column->cell))
        fg_buf_printf(sql, " DEFAULT %s", is_text ? "''" : "0");
}

/* Rows that are written again and again get room beside them: a new version on the same
 * page of the disk costs no entry in an index. What must be unique besides the key is
 * checked when a statement ends, as its rows may pass it on to one another. */
static void add_table(struct fg_buf *sql, const struct fg_row_type *type)
{
    bool is_changed = type == &fg_row_types[FG_PAGES] || type == &fg_row_types[FG_LINKS];
    fg_buf_printf(sql, "CREATE TABLE IF NOT EXISTS %s(", type->table);
    for (size_t i = 0; i < type->n_columns; i++) {
        add_column(sql, &type->columns[i], i < type->n_keys);
        fg_buf_printf(sql, ", ");
    }
    fg_buf_printf(sql, "PRIMARY KEY(");
    for (size_t i = 0; i < type->n_keys; i++)
        fg_buf_printf(sql, "%s\"%s\"", i ? ", " : "", type->columns[i].name);
    fg_buf_printf(sql, ")");
    if (type->unique)
        fg_buf_printf(sql, ", UNIQUE(%s)%s", type->unique,
                      type == &fg_row_types[FG_EVENTS] ? "" : " DEFERRABLE");
    fg_buf_printf(sql, ")%s;", is_changed ? " WITH (fillfactor = 80)" : "");
    for (size_t i = type->n_keys; i < type->n_columns; i++) {
        fg_buf_printf(sql, "ALTER TABLE %s ADD COLUMN IF NOT EXISTS ", type->table);
        add_column(sql, &type->columns[i], false);
        fg_buf_printf(sql, ";");
    }
}

/* Packed texts would only be packed once more. */
static void add_storage(struct fg_buf *sql, const struct fg_row_type *type)
{
    for (size_t i = 0; i < type->n_columns; i++)
        if (strcmp(type->columns[i].name, "zstd") == 0)
            fg_buf_printf(sql, "ALTER TABLE %s ALTER COLUMN zstd SET STORAGE EXTERNAL;",
                          type->table);
}

static void spell(struct fg_buf *sql)
{
    fg_buf_printf(sql,
                  "CREATE TABLE IF NOT EXISTS meta(name text PRIMARY KEY, value text NOT"
                  " NULL);"
                  "CREATE TABLE IF NOT EXISTS lease(one int PRIMARY KEY, epoch int8 NOT"
                  " NULL, owner text NOT NULL, written int8 NOT NULL)"
                  " WITH (fillfactor = 50);"
                  "INSERT INTO lease VALUES(1, 0, '', 0) ON CONFLICT DO NOTHING;");
    for (size_t i = 0; i < FG_ROW_KINDS; i++) {
        add_table(sql, &fg_row_types[i]);
        add_storage(sql, &fg_row_types[i]);
    }
    fg_buf_printf(
        sql,
        "CREATE TABLE IF NOT EXISTS search_index(row int8 PRIMARY KEY, site int8 NOT"
        " NULL, language text NOT NULL, terms tsvector NOT NULL, packed bytea NOT NULL);"
        "ALTER TABLE search_index ALTER COLUMN packed SET STORAGE EXTERNAL;"
        "CREATE INDEX IF NOT EXISTS search_index_terms ON search_index USING gin(terms);"
        "CREATE TABLE IF NOT EXISTS search_figures(language text PRIMARY KEY, texts int8"
        " NOT NULL, title int8 NOT NULL, text int8 NOT NULL, anchors int8 NOT NULL);"
        "INSERT INTO meta VALUES('forage-schema', '%d'), ('terms', '" FG_TERMS_VERSION
        "') ON CONFLICT DO NOTHING;"
        "UPDATE meta SET value = '%d' WHERE name = 'forage-schema';",
        FG_PG_SCHEMA_VERSION, FG_PG_SCHEMA_VERSION);
}

static enum fg_status read_version(struct fg_pg_link *link, int64_t *version,
                                   struct fg_err *err)
{
    char sql[160];
    int64_t is_there = 0;
    *version = 0;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM pg_tables WHERE schemaname = '%s'",
             link->place->schema);
    enum fg_status st = fg_pg_int(link, sql, &is_there, NULL, err);
    if (st || !is_there)
        return st;
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM pg_tables WHERE schemaname = '%s'"
             " AND tablename = 'meta'",
             link->place->schema);
    st = fg_pg_int(link, sql, &is_there, NULL, err);
    if (!st && is_there)
        st = fg_pg_int(link, "SELECT value FROM meta WHERE name = 'forage-schema'",
                       version, NULL, err);
    if (!st && !*version)
        st = fg_fail(err, FG_EINPUT,
                     "'%s' is a schema with tables, but not a store of forage; name "
                     "another one behind '#'; nothing was changed",
                     link->place->shown);
    return st;
}

enum fg_status fg_pg_schema_check(struct fg_pg_link *link, struct fg_err *err)
{
    int64_t version;
    enum fg_status st = read_version(link, &version, err);
    if (st)
        return st;
    if (!version)
        return fg_fail(err, FG_ENOTFOUND, "'%s' is empty: nothing was ever stored",
                       link->place->shown);
    if (version > FG_PG_SCHEMA_VERSION + 1)
        return fg_fail(err, FG_EINPUT,
                       "'%s' was written by a newer forage (schema %lld, this one knows "
                       "%d): use that version, nothing was changed",
                       link->place->shown, (long long)version, FG_PG_SCHEMA_VERSION);
    return FG_OK;
}

enum fg_status fg_pg_schema_migrate(struct fg_pg_link *link, struct fg_err *err)
{
    int64_t version = 0, is_there = 0;
    char text[256];
    struct fg_buf sql;
    enum fg_status st = fg_pg_schema_check(link, err);
    if (st && st != FG_ENOTFOUND)
        return st;
    st = read_version(link, &version, err);
    if (st || version >= FG_PG_SCHEMA_VERSION)
        return st;
    snprintf(text, sizeof text, "BEGIN; SELECT pg_advisory_xact_lock(%d, %d)",
             MIGRATION_LOCK, link->place->lock);
    st = fg_pg_exec(link, "prepare", text, err);
    snprintf(text, sizeof text, "SELECT count(*) FROM pg_namespace WHERE nspname = '%s'",
             link->place->schema);
    if (!st)
        st = fg_pg_int(link, text, &is_there, NULL, err);
    fg_buf_init(&sql, SIZE_MAX);
    /* A role without the right to make schemas may be given one that is empty. */
    if (!is_there)
        fg_buf_printf(&sql, "CREATE SCHEMA %s;", link->place->schema);
    spell(&sql);
    fg_buf_printf(&sql, "COMMIT");
    fg_buf_add_char(&sql, '\0');
    if (!st)
        st = fg_pg_exec(link, "prepare", sql.at, err);
    if (st && !fg_pg_is_lost(link))
        fg_pg_exec(link, "prepare", "ROLLBACK", NULL);
    fg_buf_clear(&sql);
    return st;
}
