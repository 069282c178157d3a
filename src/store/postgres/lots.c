/* A crawl in lots: the schema of the whole says which lots there are and who has them.
 *
 * It has the tables of the lots as well, as views over all of them, so that whoever only
 * looks reads the whole crawl as he reads any store. Sites and texts have numbers of
 * their own in each lot (store.c, index.c). Events are numbered in each lot without gaps;
 * of the whole, number n of lot l is n * lots + l. What a lot keeps under a name for
 * itself is that of site l, which no site is called.
 *
 * Views are made anew with the tables. They are the only statements that touch more than
 * one schema; no process that writes uses them. */
#include "store/lots.h"

#include "base/memory.h"
#include "store/postgres/postgres.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOTS_LOCK = 0x464F524C, VIEWS_VERSION = 3 }; /* "FORL" */

unsigned fg_lot_of(struct fg_str domain, unsigned lots)
{
    /* FNV-1a: what follows from it stands in databases. */
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < domain.len; i++)
        hash = (hash ^ (unsigned char)domain.at[i]) * UINT64_C(1099511628211);
    return lots ? (unsigned)((hash ^ hash >> 32) % lots) : 0;
}

const char *fg_lots_place(struct fg_arena *arena, const char *place, unsigned lot)
{
    bool is_named = strrchr(place, '#') != NULL;
    return fg_arena_printf(arena, "%s%s/%u", place, is_named ? "" : "#forage", lot).at;
}

/* --- which there are --- */

static enum fg_status read_lots(struct fg_pg_link *link, unsigned *lots,
                                struct fg_err *err)
{
    char sql[256];
    int64_t n = 0;
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM pg_tables WHERE schemaname = '%s' AND tablename ="
             " 'lots'",
             link->place->schema);
    enum fg_status st = fg_pg_int(link, sql, &n, NULL, err);
    if (!st && n)
        st = fg_pg_int(link, "SELECT count(*) FROM lots", &n, NULL, err);
    *lots = (unsigned)n;
    return st;
}

enum fg_status fg_pg_refuse_lots(struct fg_pg_link *link, int64_t fence,
                                 struct fg_err *err)
{
    unsigned lots = 0;
    bool is_lot = link->place->whole != NULL;
    enum fg_status st = is_lot ? FG_OK : read_lots(link, &lots, err);
    if (!st && lots)
        st = fg_fail(err, FG_ECONFIG,
                     "'%s' is kept in %u lots, which workers write to: 'forage run "
                     "--worker' is one",
                     link->place->shown, lots);
    if (!st && is_lot && !fence)
        st = fg_fail(err, FG_ECONFIG, "'%s' is a lot: only its owner may write to it",
                     link->place->shown);
    return st;
}

unsigned fg_lots_at(const char *place)
{
    struct fg_pg_place at;
    struct fg_pg_link link = {0};
    unsigned lots = 0;
    if (!fg_store_is_database(place))
        return 0;
    if (!fg_pg_place_parse(&at, place, NULL) && !at.whole &&
        !fg_pg_connect(&link, &at, FG_PG_READER, NULL))
        read_lots(&link, &lots, NULL);
    fg_pg_disconnect(&link);
    fg_pg_place_clear(&at);
    return lots;
}

/* --- making them --- */

static void spell_whole(struct fg_buf *sql, const char *schema, unsigned n)
{
    fg_buf_printf(
        sql,
        "BEGIN; CREATE SCHEMA IF NOT EXISTS %s; SET search_path = %s;"
        "CREATE TABLE IF NOT EXISTS meta(name text PRIMARY KEY, value text NOT NULL);"
        "CREATE TABLE IF NOT EXISTS lots(lot int PRIMARY KEY, epoch int8 NOT NULL DEFAULT"
        " 0, beat int8 NOT NULL DEFAULT 0, owner text NOT NULL DEFAULT '', worker text"
        " NOT NULL DEFAULT '', pid int8 NOT NULL DEFAULT 0, load float8 NOT NULL DEFAULT"
        " 0, asked float8 NOT NULL DEFAULT 0, granted float8 NOT NULL DEFAULT 0, applied"
        " float8 NOT NULL DEFAULT 0, home text NOT NULL DEFAULT '') WITH (fillfactor ="
        " 50);" FG_PG_ADDRESSES
        "CREATE TABLE IF NOT EXISTS workers(name text PRIMARY KEY, host text NOT NULL,"
        " pid int8 NOT NULL, beat int8 NOT NULL DEFAULT 0) WITH (fillfactor = 50);"
        "CREATE TABLE IF NOT EXISTS shares(one int PRIMARY KEY, budget float8 NOT NULL,"
        " price float8 NOT NULL, turn int8 NOT NULL) WITH (fillfactor = 50);"
        "INSERT INTO shares VALUES(1, 0, 1, 0) ON CONFLICT DO NOTHING;"
        "INSERT INTO lots(lot) SELECT generate_series(0, %u) ON CONFLICT DO NOTHING;"
        "INSERT INTO meta VALUES('forage-schema', '%d') ON CONFLICT DO NOTHING; COMMIT",
        schema, schema, n - 1, FG_PG_SCHEMA_VERSION);
    fg_buf_add_char(sql, '\0');
}

/* How a column of a lot is shown. */
static void spell_column(struct fg_buf *sql, size_t kind, const char *name, unsigned lots,
                         unsigned lot)
{
    bool is_of_event = kind == FG_EVENTS || kind == FG_WAITING || kind == FG_COMMANDS ||
                       kind == FG_DELIVERIES;
    if (is_of_event && strcmp(name, "number") == 0)
        fg_buf_printf(sql, "number * %u + %u AS number", lots, lot);
    else if (kind == FG_STATE && strcmp(name, "site") == 0)
        fg_buf_printf(sql, "CASE WHEN site = 0 THEN %u ELSE site END AS site", lot);
    else
        fg_buf_printf(sql, "\"%s\"", name);
}

static void spell_union(struct fg_buf *sql, const char *schema, size_t kind,
                        unsigned lots)
{
    const struct fg_row_type *type = &fg_row_types[kind];
    /* Searches are counted in the first lot. */
    for (unsigned lot = 0; lot < (kind == FG_SEARCHES ? 1 : lots); lot++) {
        fg_buf_printf(sql, "%sSELECT ", lot ? " UNION ALL " : "");
        for (size_t i = 0; i < type->n_columns; i++) {
            fg_buf_printf(sql, "%s", i ? ", " : "");
            spell_column(sql, kind, type->columns[i].name, lots, lot);
        }
        fg_buf_printf(sql, " FROM %s_lot%04u.%s", schema, lot, type->table);
    }
}

static void spell_view(struct fg_buf *sql, const char *schema, size_t kind, unsigned lots)
{
    const char *table = fg_row_types[kind].table;
    fg_buf_printf(sql, "DROP VIEW IF EXISTS %s; CREATE VIEW %s AS ", table, table);
    if (kind == FG_DELIVERIES)
        fg_buf_printf(sql, "SELECT output, min(number) AS number, min(position) AS"
                           " position FROM (");
    else if (kind == FG_FEEDBACK)
        fg_buf_printf(sql,
                      "SELECT site, page, sum(shown)::int8 AS shown, sum(looks)::int8"
                      " AS looks, sum(clicks)::int8 AS clicks FROM (");
    spell_union(sql, schema, kind, lots);
    if (kind == FG_DELIVERIES)
        fg_buf_printf(sql, ") t GROUP BY output");
    else if (kind == FG_FEEDBACK)
        fg_buf_printf(sql, ") t GROUP BY site, page");
    fg_buf_printf(sql, ";");
}

static void spell_index_views(struct fg_buf *sql, const char *schema, unsigned lots)
{
    fg_buf_printf(sql, "DROP VIEW IF EXISTS search_index; CREATE VIEW search_index AS ");
    for (unsigned lot = 0; lot < lots; lot++)
        fg_buf_printf(sql,
                      "%sSELECT row, site, language, terms, packed FROM"
                      " %s_lot%04u.search_index",
                      lot ? " UNION ALL " : "", schema, lot);
    fg_buf_printf(sql,
                  ";DROP VIEW IF EXISTS search_figures; CREATE VIEW search_figures AS"
                  " SELECT language, sum(texts)::int8 AS texts, sum(title)::int8 AS"
                  " title, sum(text)::int8 AS text, sum(anchors)::int8 AS anchors"
                  " FROM (");
    for (unsigned lot = 0; lot < lots; lot++)
        fg_buf_printf(sql, "%sSELECT * FROM %s_lot%04u.search_figures",
                      lot ? " UNION ALL " : "", schema, lot);
    fg_buf_printf(sql, ") t GROUP BY language;");
}

/* A view at a time: each locks a table of every lot. */
enum fg_status fg_pg_make_views(struct fg_pg_link *link, unsigned lots,
                                struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t kind = 0; !st && kind <= FG_ROW_KINDS; kind++) {
        struct fg_buf sql;
        fg_buf_init(&sql, SIZE_MAX);
        if (kind < FG_ROW_KINDS)
            spell_view(&sql, link->place->schema, kind, lots);
        else
            spell_index_views(&sql, link->place->schema, lots);
        fg_buf_add_char(&sql, '\0');
        st = fg_pg_exec(link, "prepare", sql.at, err);
        fg_buf_clear(&sql);
    }
    return st;
}

/* Events as the whole shows them, so that they are found by it. */
enum fg_status fg_pg_make_indices(struct fg_pg_link *lot, unsigned lots, unsigned number,
                                  struct fg_err *err)
{
    return fg_pg_run(lot, "prepare", err,
                     "CREATE INDEX IF NOT EXISTS outbox_of_all ON outbox((number * %u +"
                     " %u))",
                     lots, number);
}

static enum fg_status make_lot(const char *place, unsigned lots, unsigned lot,
                               struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_pg_place at;
    struct fg_pg_link link = {0};
    enum fg_status st = fg_pg_place_parse(&at, fg_lots_place(&arena, place, lot), err);
    if (!st)
        st = fg_pg_connect(&link, &at, FG_PG_WRITER, err);
    if (!st)
        st = fg_pg_schema_migrate(&link, err);
    if (!st)
        st = fg_pg_make_indices(&link, lots, lot, err);
    fg_pg_disconnect(&link);
    fg_pg_place_clear(&at);
    fg_arena_clear(&arena);
    return st;
}

/* Lots that are elsewhere are shown with the tables and columns they have now; when the
 * views are made (`is_over`), what stood in their place goes. */
static enum fg_status show_again(struct fg_pg_link *link, unsigned lots, bool is_over,
                                 struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (unsigned lot = 0; !st && lot < lots; lot++) {
        char *home = NULL, schema[80];
        snprintf(schema, sizeof schema, "%s_lot%04u", link->place->schema, lot);
        st = fg_pg_home_of(link, link->place->schema, lot, &home, err);
        if (!st && *home)
            st = is_over ? fg_pg_drop_parked(link, schema, err)
                         : fg_pg_show_afar(link, schema, home, err);
        free(home);
    }
    return st;
}

static enum fg_status make_all(struct fg_pg_link *link, const char *place, unsigned lots,
                               struct fg_err *err)
{
    char text[160];
    int64_t made = 0;
    const int version = FG_PG_SCHEMA_VERSION * 1000 + VIEWS_VERSION;
    enum fg_status st = fg_pg_int(link, "SELECT value FROM meta WHERE name = 'lots-made'",
                                  &made, NULL, err);
    if (st || made >= version)
        return st;
    if (!st)
        st = fg_pg_exec(
            link, "prepare",
            FG_PG_ADDRESSES
            "ALTER TABLE lots ADD COLUMN IF NOT EXISTS home text NOT NULL DEFAULT ''",
            err);
    for (unsigned lot = 0; !st && lot < lots; lot++)
        st = make_lot(place, lots, lot, err);
    if (!st)
        st = show_again(link, lots, false, err);
    if (!st)
        st = fg_pg_make_views(link, lots, err);
    if (!st)
        st = show_again(link, lots, true, err);
    snprintf(text, sizeof text,
             "INSERT INTO meta VALUES('lots-made', '%d') ON CONFLICT(name) DO UPDATE SET"
             " value = EXCLUDED.value",
             version);
    return st ? st : fg_pg_exec(link, "prepare", text, err);
}

static enum fg_status make_whole(struct fg_pg_link *link, unsigned n, unsigned *lots,
                                 struct fg_err *err)
{
    struct fg_buf sql;
    int64_t is_there = 0;
    char text[160];
    enum fg_status st = read_lots(link, lots, err);
    if (st || *lots)
        return st;
    snprintf(text, sizeof text, "SELECT count(*) FROM pg_tables WHERE schemaname = '%s'",
             link->place->schema);
    st = fg_pg_int(link, text, &is_there, NULL, err);
    if (!st && is_there)
        st = fg_fail(err, FG_ECONFIG,
                     "'%s' is a crawl in one piece: name another schema behind '#' for "
                     "one in lots",
                     link->place->shown);
    if (st)
        return st;
    *lots = n ? n : 16;
    fg_buf_init(&sql, SIZE_MAX);
    spell_whole(&sql, link->place->schema, *lots);
    st = fg_pg_exec(link, "prepare", sql.at, err);
    fg_buf_clear(&sql);
    return st;
}

enum fg_status fg_pg_lock_lots(struct fg_pg_link *whole, struct fg_err *err)
{
    return fg_pg_run(whole, "prepare", err, "SELECT pg_advisory_lock(%d, %d)", LOTS_LOCK,
                     whole->place->lock);
}

enum fg_status fg_lots_make(const char *place, unsigned n, struct fg_err *err)
{
    struct fg_pg_place at;
    struct fg_pg_link link = {0};
    unsigned lots = 0;
    enum fg_status st = fg_pg_place_parse(&at, place, err);
    if (!st)
        st = fg_pg_connect(&link, &at, FG_PG_READER, err);
    if (!st)
        st = fg_pg_lock_lots(&link, err);
    if (!st)
        st = make_whole(&link, n, &lots, err);
    if (!st)
        st = fg_pg_schema_check(&link, err);
    if (!st && n && lots != n)
        st = fg_fail(err, FG_ECONFIG,
                     "'%s' is in %u lots, not %u, which cannot be changed: leave "
                     "store.lots away",
                     at.shown, lots, n);
    if (!st)
        st = make_all(&link, place, lots, err);
    fg_pg_disconnect(&link);
    fg_pg_place_clear(&at);
    return st;
}

/* --- who has them --- */

struct fg_lots {
    struct fg_pg_place place;
    struct fg_pg_link link;
    uint64_t connections; /* so many were made */
};

static enum fg_status be_connected(struct fg_lots *lots, struct fg_err *err)
{
    if (!fg_pg_is_lost(&lots->link))
        return FG_OK;
    fg_pg_disconnect(&lots->link);
    lots->connections++;
    return fg_pg_connect(&lots->link, &lots->place, FG_PG_READER, err);
}

enum fg_status fg_lots_open(struct fg_lots **result, const char *place,
                            struct fg_err *err)
{
    struct fg_lots *lots = fg_zeroed(1, sizeof *lots);
    enum fg_status st = fg_pg_place_parse(&lots->place, place, err);
    if (!st)
        st = be_connected(lots, err);
    *result = st ? NULL : lots;
    if (st)
        fg_lots_close(lots);
    return st;
}

void fg_lots_close(struct fg_lots *lots)
{
    if (!lots)
        return;
    fg_pg_disconnect(&lots->link);
    fg_pg_place_clear(&lots->place);
    free(lots);
}

static struct fg_str text_at(const PGresult *result, int row, int column,
                             struct fg_arena *arena)
{
    return fg_arena_dup(arena, fg_str_from(PQgetvalue(result, row, column)));
}

static int64_t int_at(const PGresult *result, int row, int column)
{
    return strtoll(PQgetvalue(result, row, column), NULL, 10);
}

static double real_at(const PGresult *result, int row, int column)
{
    return strtod(PQgetvalue(result, row, column), NULL);
}

static PGresult *query(struct fg_lots *lots, const char *sql, enum fg_status *st,
                       struct fg_err *err)
{
    PGresult *result = PQexec(lots->link.db, sql);
    if (PQresultStatus(result) == PGRES_TUPLES_OK)
        return result;
    *st = fg_pg_fail(err, &lots->link, result, "read");
    return NULL;
}

static void take_lots(struct fg_lots *lots, struct fg_lots_state *state,
                      const PGresult *result, struct fg_arena *arena)
{
    for (int i = 0; i < PQntuples(result); i++) {
        struct fg_lot_row row = {
            .lot = (unsigned)int_at(result, i, 0),
            .epoch = int_at(result, i, 1),
            .beat = int_at(result, i, 2),
            .owner = text_at(result, i, 3, arena),
            .worker = text_at(result, i, 4, arena),
            .pid = int_at(result, i, 5),
            .load = real_at(result, i, 6),
            .asked = real_at(result, i, 7),
            .granted = real_at(result, i, 8),
            .applied = real_at(result, i, 9),
            .home = text_at(result, i, 11, arena),
        };
        fg_vec_push_in(arena, &state->lots, row);
        state->timeline =
            lots->connections << 32 | strtoul(PQgetvalue(result, i, 10), NULL, 16);
    }
}

enum fg_status fg_lots_read(struct fg_lots *lots, struct fg_lots_state *state,
                            struct fg_arena *arena, struct fg_err *err)
{
    *state = (struct fg_lots_state){0};
    enum fg_status st = be_connected(lots, err);
    if (st)
        return st;
    PGresult *result = query(
        lots,
        "SELECT lot, epoch, beat, owner, worker, pid, load, asked, granted, applied,"
        " " FG_PG_TIMELINE ", to_jsonb(lots) ->> 'home'"
        " FROM lots ORDER BY lot",
        &st, err);
    if (st)
        return st;
    take_lots(lots, state, result, arena);
    PQclear(result);
    result =
        query(lots, "SELECT name, host, pid, beat FROM workers ORDER BY name", &st, err);
    for (int i = 0; !st && i < PQntuples(result); i++) {
        struct fg_worker_row row = {text_at(result, i, 0, arena),
                                    text_at(result, i, 1, arena), int_at(result, i, 2),
                                    int_at(result, i, 3)};
        fg_vec_push_in(arena, &state->workers, row);
    }
    PQclear(result);
    if (st)
        return st;
    result = query(lots, "SELECT budget, price, turn FROM shares", &st, err);
    if (!st && PQntuples(result)) {
        state->budget = real_at(result, 0, 0);
        state->price = real_at(result, 0, 1);
        state->turn = int_at(result, 0, 2);
    }
    PQclear(result);
    return st;
}

enum fg_status fg_lots_beat(struct fg_lots *lots, const struct fg_worker_row *worker,
                            struct fg_err *err)
{
    char sql[512];
    enum fg_status st = be_connected(lots, err);
    snprintf(sql, sizeof sql,
             "INSERT INTO workers AS w VALUES('%.*s', '%.*s', %lld, 1) ON CONFLICT(name)"
             " DO UPDATE SET host = EXCLUDED.host, pid = EXCLUDED.pid, beat = w.beat + 1",
             FG_ARG(fg_str_sub(worker->name, 0, 100)),
             FG_ARG(fg_str_sub(worker->host, 0, 100)), (long long)worker->pid);
    return st ? st : fg_pg_exec(&lots->link, "write", sql, err);
}

enum fg_status fg_lots_leave(struct fg_lots *lots, struct fg_str worker,
                             struct fg_err *err)
{
    char sql[256];
    enum fg_status st = be_connected(lots, err);
    snprintf(sql, sizeof sql, "DELETE FROM workers WHERE name = '%.*s'",
             FG_ARG(fg_str_sub(worker, 0, 100)));
    return st ? st : fg_pg_exec(&lots->link, "write", sql, err);
}

/* Nothing is written if somebody else has shared it out meanwhile. */
enum fg_status fg_lots_grant(struct fg_lots *lots, const struct fg_lots_state *state,
                             struct fg_err *err)
{
    struct fg_buf sql;
    enum fg_status st = be_connected(lots, err);
    if (st)
        return st;
    fg_buf_init(&sql, SIZE_MAX);
    fg_buf_printf(&sql,
                  "WITH mine AS (UPDATE shares SET budget = %.9g, price = %.9g, turn ="
                  " turn + 1 WHERE one = 1 AND turn = %" PRId64
                  " RETURNING 1) UPDATE lots"
                  " SET granted = g.granted FROM mine, (VALUES ",
                  state->budget, state->price, state->turn);
    for (size_t i = 0; i < state->lots.len; i++)
        fg_buf_printf(&sql, "%s(%u, %.9g::float8)", i ? ", " : "", state->lots.at[i].lot,
                      state->lots.at[i].granted);
    fg_buf_printf(&sql, ") AS g(lot, granted) WHERE lots.lot = g.lot");
    fg_buf_add_char(&sql, '\0');
    st = fg_pg_exec(&lots->link, "write", sql.at, err);
    fg_buf_clear(&sql);
    return st;
}
