/* A lot moved to another server while it is crawled.
 *
 * The other server subscribes to the lot's tables: it copies them and from then on gets
 * every change. When it keeps up, the writer's connection is ended, and its lock is held
 * here, so that it waits as for a database that restarts. A mark is written last; when
 * it has arrived, all has. Then one transaction (two, where the lot is not with the
 * whole) takes the fence of the old place away, without which nothing can be written
 * there, and says where the lot is now. The writer finds that when it connects again,
 * and in the new place the fence and the number that it wrote last.
 *
 * What has been begun is noted in the table `meta` of the whole. Until the fence is gone
 * all can be taken back, and is if something fails. */
#include "store/postgres/postgres.h"

#include "store/lots.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOVE_LOCK = 0x464F5248 }; /* "FORH": one lot of a crawl at a time */
#define BEING_MOVED "forage: a lot that is being moved to here"

struct move {
    const struct fg_lot_move *wish;
    struct fg_lot_moved *moved;
    unsigned lots;
    char schema[80], name[96]; /* name: of publication, subscription and slot */
    bool is_to_whole;
    char *from; /* the address it is at */
    struct fg_pg_place whole_at, from_at, to_at;
    struct fg_pg_link whole, old, new, copier; /* copier: may subscribe */
};

/* --- asking --- */

__attribute__((format(printf, 4, 5))) static enum fg_status ask(struct fg_pg_link *link,
                                                                int64_t *value,
                                                                struct fg_err *err,
                                                                const char *format, ...)
{
    char sql[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(sql, sizeof sql, format, args);
    va_end(args);
    return fg_pg_int(link, sql, value, NULL, err);
}

/* One text, to be freed; NULL: there is none. */
static enum fg_status ask_text(struct fg_pg_link *link, const char *sql, char **text,
                               struct fg_err *err)
{
    PGresult *result = PQexec(link->db, sql);
    *text = NULL;
    link->statements++;
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        return fg_pg_fail(err, link, result, "read");
    if (PQntuples(result) && !PQgetisnull(result, 0, 0))
        *text = strdup(PQgetvalue(result, 0, 0));
    PQclear(result);
    return FG_OK;
}

static bool is_before(fg_time until)
{
    usleep(5000);
    return fg_time_monotonic() < until;
}

/* --- who takes part --- */

/* Settings of libpq that say nothing of where it is. */
static enum fg_status check_address(const char *address, struct fg_err *err)
{
    PQconninfoOption *options =
        strchr(address, '#') ? NULL : PQconninfoParse(address, NULL);
    bool has_password = false;
    if (!fg_store_is_database(address) || !options) {
        PQconninfoFree(options);
        return fg_fail(err, FG_ECONFIG,
                       "the address of the other server is malformed: write "
                       "postgresql://user@host/database, without '#': the schema is the "
                       "lot's");
    }
    for (PQconninfoOption *o = options; o->keyword; o++)
        has_password |= strcmp(o->keyword, "password") == 0 && o->val && *o->val;
    PQconninfoFree(options);
    return has_password
               ? fg_fail(err, FG_ECONFIG,
                         "the address of the other server has a password in it: put that "
                         "into ~/.pgpass, or a file that PGPASSFILE names, or a service")
               : FG_OK;
}

static enum fg_status parse_at(struct fg_pg_place *at, const struct move *move,
                               const char *address, struct fg_err *err)
{
    char *text;
    if (asprintf(&text, "%s#%s", address, move->schema) < 0)
        return fg_fail(err, FG_EIO, "out of memory");
    enum fg_status st = fg_pg_place_parse(at, text, err);
    free(text);
    return st;
}

static enum fg_status open_whole(struct move *move, struct fg_err *err)
{
    const struct fg_lot_move *wish = move->wish;
    int64_t is_alone = 0;
    enum fg_status st = check_address(wish->to, err);
    if (!st)
        st = fg_pg_place_parse(&move->whole_at, wish->place, err);
    if (!st)
        st = fg_pg_connect(&move->whole, &move->whole_at, FG_PG_READER, err);
    move->lots = st ? 0 : fg_lots_at(wish->place);
    if (!st && !move->lots)
        st =
            fg_fail(err, FG_ECONFIG, "'%s' is not a crawl in lots", move->whole_at.shown);
    if (!st && wish->lot >= move->lots)
        st = fg_fail(err, FG_ECONFIG, "there is no lot %u: they are 0 to %u", wish->lot,
                     move->lots - 1);
    if (!st)
        st = fg_lots_make(wish->place, 0, err); /* brings an older one up to date */
    if (!st)
        st = ask(&move->whole, &is_alone, err, "SELECT pg_try_advisory_lock(%d, %d)::int",
                 MOVE_LOCK, move->whole_at.lock);
    if (!st && !is_alone)
        st = fg_fail(err, FG_EIO, "another lot of '%s' is being moved",
                     move->whole_at.shown);
    return st;
}

static enum fg_status open_others(struct move *move, struct fg_err *err)
{
    enum fg_status st = parse_at(&move->from_at, move, move->from, err);
    if (!st)
        st = parse_at(&move->to_at, move, move->wish->to, err);
    if (!st)
        st = fg_pg_connect(&move->old, &move->from_at, FG_PG_READER, err);
    if (!st)
        st = fg_pg_connect(&move->new, &move->to_at, FG_PG_READER, err);
    if (!st)
        st = fg_pg_connect_as(&move->copier, &move->to_at, FG_PG_READER, move->wish->role,
                              err);
    if (!st)
        st = fg_pg_exec(&move->old, "write", "SET synchronous_commit = on", err);
    if (!st)
        st = fg_pg_exec(&move->copier, "write", "SET synchronous_commit = on", err);
    return st;
}

/* --- what has been begun --- */

static enum fg_status note(struct move *move, struct fg_err *err)
{
    PGconn *db = move->whole.db;
    char *from = PQescapeLiteral(db, move->from, strlen(move->from));
    char *to = PQescapeLiteral(db, move->wish->to, strlen(move->wish->to));
    enum fg_status st =
        fg_pg_run(&move->whole, "write", err,
                  "INSERT INTO meta VALUES('moving-%u', %s), ('moving-%u-to', %s)"
                  " ON CONFLICT(name) DO UPDATE SET value = EXCLUDED.value",
                  move->wish->lot, from, move->wish->lot, to);
    PQfreemem(from);
    PQfreemem(to);
    return st;
}

static enum fg_status take_note_away(struct move *move, struct fg_err *err)
{
    return fg_pg_run(&move->whole, "write", err,
                     "DELETE FROM meta WHERE name IN ('moving-%u', 'moving-%u-to')",
                     move->wish->lot, move->wish->lot);
}

static enum fg_status read_note(struct move *move, char **from, char **to,
                                struct fg_err *err)
{
    char sql[100];
    snprintf(sql, sizeof sql, "SELECT value FROM meta WHERE name = 'moving-%u'",
             move->wish->lot);
    enum fg_status st = ask_text(&move->whole, sql, from, err);
    snprintf(sql, sizeof sql, "SELECT value FROM meta WHERE name = 'moving-%u-to'",
             move->wish->lot);
    return st ? st : ask_text(&move->whole, sql, to, err);
}

static enum fg_status unsubscribe(struct move *move, struct fg_err *err)
{
    int64_t is_there = 0;
    enum fg_status st =
        ask(&move->copier, &is_there, err,
            "SELECT count(*) FROM pg_subscription s JOIN pg_database d ON d.oid ="
            " s.subdbid WHERE subname = '%s' AND datname = current_database()",
            move->name);
    if (!st && is_there)
        st = fg_pg_run(&move->copier, "write", err, "DROP SUBSCRIPTION %s", move->name);
    if (!st)
        st = fg_pg_run(&move->old, "write", err, "DROP PUBLICATION IF EXISTS %s",
                       move->name);
    return st;
}

/* As it was, except that the old place may be shut. */
static enum fg_status take_back(struct move *move, struct fg_err *err)
{
    int64_t is_ours = 0, is_shut = 0;
    fg_pg_exec(&move->new, "read", "ROLLBACK", NULL);
    enum fg_status st = unsubscribe(move, err);
    if (!st)
        st = ask(&move->old, &is_shut, err,
                 "SELECT (to_regclass('%s.lease_moved') IS NOT NULL)::int", move->schema);
    if (!st && is_shut)
        st = fg_pg_run(&move->old, "write", err,
                       "ALTER TABLE lease_moved RENAME TO lease");
    if (!st)
        st = ask(&move->new, &is_ours, err,
                 "SELECT count(*) FROM pg_namespace WHERE nspname = '%s' AND"
                 " obj_description(oid, 'pg_namespace') = '" BEING_MOVED "'",
                 move->schema);
    if (!st && is_ours && !move->is_to_whole)
        st = fg_pg_run(&move->new, "write", err, "DROP SCHEMA %s CASCADE", move->schema);
    if (!st && is_ours && move->is_to_whole)
        st = fg_pg_run(&move->new, "write", err,
                       "DROP SCHEMA %s CASCADE; ALTER SCHEMA %s_old RENAME TO %s",
                       move->schema, move->schema, move->schema);
    return st ? st : take_note_away(move, err);
}

/* --- copying --- */

static enum fg_status check_servers(struct move *move, struct fg_err *err)
{
    char *level = NULL;
    int64_t old = 0, new = 1, is_there = 0;
    enum fg_status st = ask_text(&move->old, "SHOW wal_level", &level, err);
    if (!st && (!level || strcmp(level, "logical") != 0))
        st = fg_fail(err, FG_ECONFIG,
                     "the server that has lot %u runs with wal_level '%s': set it to "
                     "'logical' and restart that server first",
                     move->wish->lot, level ? level : "");
    free(level);
    if (!st)
        st = ask(&move->old, &old, err,
                 "SELECT system_identifier FROM pg_control_system()");
    if (!st)
        st = ask(&move->new, &new, err,
                 "SELECT system_identifier FROM pg_control_system()");
    if (!st && old == new)
        st = fg_fail(err, FG_ECONFIG,
                     "'%s' is on the same server, or a copy of it: a lot is moved to "
                     "another one",
                     move->to_at.shown);
    if (!st && !move->is_to_whole)
        st = ask(&move->new, &is_there, err,
                 "SELECT count(*) FROM pg_namespace WHERE nspname = '%s'", move->schema);
    if (!st && is_there)
        st = fg_fail(err, FG_ECONFIG,
                     "there is a schema '%s' in the database of '%s' already",
                     move->schema, move->to_at.shown);
    return st;
}

/* Tables without rows; those of `lease` and `meta` come with the others. */
static enum fg_status make_tables(struct move *move, struct fg_err *err)
{
    char *schema = move->schema, parking[200] = "";
    if (move->is_to_whole) /* the foreign ones are still read */
        snprintf(parking, sizeof parking, "ALTER SCHEMA %s RENAME TO %s_old;", schema,
                 schema);
    enum fg_status st =
        fg_pg_run(&move->new, "write", err,
                  "%s CREATE SCHEMA %s; COMMENT ON SCHEMA %s IS '" BEING_MOVED "'",
                  parking, schema, schema);
    if (!st)
        st = fg_pg_schema_migrate(&move->new, err);
    if (!st)
        st = fg_pg_make_indices(&move->new, move->lots, move->wish->lot, err);
    if (!st)
        st = fg_pg_exec(&move->new, "write", "DELETE FROM lease; DELETE FROM meta", err);
    if (!st && !move->is_to_whole)
        st = fg_pg_try_afar(&move->whole, schema, move->wish->to, err);
    return st;
}

static enum fg_status subscribe(struct move *move, struct fg_err *err)
{
    char sql[256], *tables = NULL;
    const char *address = move->wish->from ? move->wish->from : move->from;
    char *literal = PQescapeLiteral(move->copier.db, address, strlen(address));
    snprintf(sql, sizeof sql,
             "SELECT string_agg(quote_ident(tablename), ', ') FROM pg_tables WHERE"
             " schemaname = '%s'",
             move->schema);
    enum fg_status st = ask_text(&move->old, sql, &tables, err);
    if (!st)
        st = fg_pg_run(&move->old, "write", err, "CREATE PUBLICATION %s FOR TABLE %s",
                       move->name, tables ? tables : "");
    if (!st)
        st = fg_pg_run(&move->copier, "write", err,
                       "CREATE SUBSCRIPTION %s CONNECTION %s PUBLICATION %s", move->name,
                       literal, move->name);
    PQfreemem(literal);
    free(tables);
    return st;
}

/* Until every table has been copied. The server tries again what went wrong, every five
 * seconds. */
static enum fg_status wait_for_copy(struct move *move, struct fg_err *err)
{
    enum { TOO_OFTEN = 20 };
    int64_t left = 1, failed = 0;
    enum fg_status st = FG_OK;
    while (!st && left && failed < TOO_OFTEN) {
        usleep(50000);
        st = ask(&move->copier, &left, err,
                 "SELECT count(*) FROM pg_subscription_rel r JOIN pg_subscription s ON"
                 " s.oid = r.srsubid WHERE s.subname = '%s' AND r.srsubstate <> 'r'",
                 move->name);
        if (!st)
            st = ask(&move->copier, &failed, err,
                     "SELECT apply_error_count + sync_error_count FROM"
                     " pg_stat_subscription_stats WHERE subname = '%s'",
                     move->name);
    }
    if (!st && left)
        st = fg_fail(err, FG_EIO,
                     "the server of '%s' cannot copy the lot; its log says why",
                     move->to_at.shown);
    return st;
}

/* Writes a mark, and waits for it over there: all that was written before is there. */
static enum fg_status send_mark(struct move *move, fg_time most, bool *has_come,
                                struct fg_err *err)
{
    static unsigned marks;
    fg_time until = fg_time_monotonic() + most;
    int64_t n = 0;
    char mark[64];
    snprintf(mark, sizeof mark, "move %ld %u", (long)getpid(), ++marks);
    enum fg_status st = fg_pg_run(&move->old, "write", err,
                                  "UPDATE lease SET owner = '%s' WHERE one = 1", mark);
    do
        if (!st)
            st = ask(&move->copier, &n, err,
                     "SELECT count(*) FROM lease WHERE owner = '%s'", mark);
    while (!st && !n && is_before(until));
    *has_come = n > 0;
    return st;
}

static enum fg_status keep_up(struct move *move, struct fg_err *err)
{
    const fg_time quick = 200 * FG_MILLISECOND,
                  until = fg_time_monotonic() + 600 * FG_SECOND;
    bool has_come = false;
    enum fg_status st = FG_OK;
    for (bool is_quick = false; !st && !is_quick;) {
        fg_time began = fg_time_monotonic();
        st = send_mark(move, 10 * FG_SECOND, &has_come, err);
        is_quick = has_come && fg_time_monotonic() - began < quick;
        if (!st && !is_quick && fg_time_monotonic() > until)
            st = fg_fail(err, FG_EIO,
                         "the server of '%s' does not keep up with what is written",
                         move->to_at.shown);
    }
    return st;
}

/* --- from the old place to the new one --- */

/* Nothing can be written to the old one any more. */
static const char shutting[] = "ALTER TABLE lease RENAME TO lease_moved";

static enum fg_status say_where(struct move *move, struct fg_pg_link *link,
                                const char *before, const char *after, struct fg_err *err)
{
    const char *to = move->is_to_whole ? "" : move->wish->to;
    char *literal = PQescapeLiteral(link->db, to, strlen(to));
    enum fg_status st =
        fg_pg_run(link, "write", err, "%sUPDATE %s.lots SET home = %s WHERE lot = %u%s",
                  before, move->whole_at.schema, literal, move->wish->lot, after);
    PQfreemem(literal);
    return st;
}

static enum fg_status cross_over(struct move *move, struct fg_err *err)
{
    char both[200];
    snprintf(both, sizeof both, "BEGIN; %s; ", shutting);
    if (strcmp(move->from, move->whole_at.address) == 0)
        return say_where(move, &move->old, both, "; COMMIT", err);
    enum fg_status st = fg_pg_exec(&move->old, "write", shutting, err);
    return st ? st : say_where(move, &move->whole, "", "", err);
}

/* What has arrived is on the other server's disk when a later commit of ours is. */
static enum fg_status make_durable(struct move *move, struct fg_err *err)
{
    enum fg_status st = fg_pg_exec(
        &move->new, "read", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", err);
    int64_t n;
    if (!st)
        st = ask(&move->new, &n, err,
                 "SELECT count(*) FROM lease"); /* sees it from now on */
    if (!st)
        st = fg_pg_exec(&move->copier, "write",
                        "UPDATE lease SET owner = '' WHERE one = 1", err);
    return st;
}

static enum fg_status switch_over(struct move *move, struct fg_err *err)
{
    bool has_come = false;
    fg_time began = fg_time_monotonic();
    enum fg_status st = fg_pg_seize(&move->old, err);
    if (!st)
        st = fg_pg_shut_post(&move->old, err);
    if (!st)
        st = send_mark(move, 5 * FG_SECOND, &has_come, err);
    if (!st && !has_come)
        st = fg_fail(err, FG_EIO, "the server of '%s' has fallen behind",
                     move->to_at.shown);
    if (!st)
        st = make_durable(move, err);
    if (!st)
        st = cross_over(move, err);
    if (!fg_pg_is_lost(&move->old)) {
        if (st)
            fg_pg_exec(&move->old, "write", "ROLLBACK", NULL);
        fg_pg_exec(&move->old, "write", "SELECT pg_advisory_unlock_all()", NULL);
    }
    move->moved->still = fg_time_monotonic() - began;
    return st;
}

/* --- afterwards --- */

static enum fg_status compare(struct move *move, const char *table, struct fg_err *err)
{
    char sql[256], *old = NULL, *new = NULL;
    snprintf(sql, sizeof sql,
             "SELECT count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0)"
             " FROM %s t",
             table);
    enum fg_status st = ask_text(&move->old, sql, &old, err);
    if (!st)
        st = ask_text(&move->new, sql, &new, err);
    if (!st && (!old || !new || strcmp(old, new) != 0))
        st = fg_fail(err, FG_EIO,
                     "lot %u is at '%s' now, but its table '%s' has not come over whole; "
                     "the old one is still at '%s'",
                     move->wish->lot, move->to_at.shown, table, move->from_at.shown);
    move->moved->rows += old ? strtoull(old, NULL, 10) : 0;
    free(old);
    free(new);
    return st;
}

/* The old place does not change any more, and of the new one we see what it was. */
static enum fg_status compare_all(struct move *move, struct fg_err *err)
{
    char sql[200];
    snprintf(sql, sizeof sql,
             "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = '%s' AND"
             " tablename <> 'lease_moved' ORDER BY 1",
             move->schema);
    PGresult *tables = PQexec(move->old.db, sql);
    if (PQresultStatus(tables) != PGRES_TUPLES_OK)
        return fg_pg_fail(err, &move->old, tables, "read");
    enum fg_status st = FG_OK;
    move->moved->tables = (uint64_t)PQntuples(tables);
    for (int i = 0; !st && i < PQntuples(tables); i++)
        st = compare(move, PQgetvalue(tables, i, 0), err);
    PQclear(tables);
    fg_pg_exec(&move->new, "read", "COMMIT", NULL);
    return st;
}

static enum fg_status clear_up(struct move *move, struct fg_err *err)
{
    bool was_with_whole = strcmp(move->from, move->whole_at.address) == 0;
    enum fg_status st = unsubscribe(move, err);
    if (!st)
        st = fg_pg_lock_lots(&move->whole, err);
    if (!st && !move->is_to_whole)
        st = fg_pg_show_afar(&move->whole, move->schema, move->wish->to, err);
    if (!st)
        st = fg_pg_make_views(&move->whole, move->lots, err);
    if (!st)
        st = fg_pg_drop_parked(&move->whole, move->schema, err);
    if (!st && !was_with_whole)
        st = fg_pg_run(&move->old, "write", err, "DROP SCHEMA IF EXISTS %s CASCADE",
                       move->schema);
    if (!st)
        st = fg_pg_run(&move->new, "write", err, "COMMENT ON SCHEMA %s IS NULL",
                       move->schema);
    return st ? st : take_note_away(move, err);
}

/* --- the whole of it --- */

static enum fg_status copy_and_cross(struct move *move, struct fg_err *err)
{
    int64_t bytes = 0;
    fg_time began = fg_time_monotonic();
    enum fg_status st = make_tables(move, err);
    if (!st)
        st = ask(&move->old, &bytes, err,
                 "SELECT sum(pg_total_relation_size(c.oid))::int8 FROM pg_class c WHERE"
                 " relkind = 'r' AND relnamespace = '%s'::regnamespace",
                 move->schema);
    move->moved->bytes = (uint64_t)bytes;
    if (!st)
        st = subscribe(move, err);
    if (!st)
        st = wait_for_copy(move, err);
    if (!st)
        st = keep_up(move, err);
    move->moved->copying = fg_time_monotonic() - began;
    return st ? st : switch_over(move, err);
}

static enum fg_status is_old_shut(struct move *move, bool *is_shut, struct fg_err *err)
{
    int64_t n = 0;
    enum fg_status st =
        ask(&move->old, &n, err,
            "SELECT (to_regclass('%s.lease_moved') IS NOT NULL)::int", move->schema);
    *is_shut = n > 0;
    return st;
}

static enum fg_status begin(struct move *move, bool has_note, struct fg_err *err)
{
    bool is_shut = false;
    enum fg_status st = is_old_shut(move, &is_shut, err);
    if (!st && is_shut && has_note && !move->wish->gives_up)
        return say_where(move, &move->whole, "", "", err);
    if (!st && has_note)
        st = take_back(move, err);
    if (st || move->wish->gives_up)
        return st;
    st = check_servers(move, err);
    if (!st)
        st = note(move, err);
    if (st)
        return st;
    st = copy_and_cross(move, err);
    is_shut = false;
    if (st && !fg_pg_is_lost(&move->old))
        is_old_shut(move, &is_shut, NULL);
    if (st && !is_shut)
        take_back(move, NULL);
    return st;
}

static enum fg_status go(struct move *move, struct fg_err *err)
{
    char *home = NULL, *noted_from = NULL, *noted_to = NULL;
    const char *to = move->wish->to, *whole = move->whole_at.address;
    enum fg_status st =
        fg_pg_home_of(&move->whole, move->whole_at.schema, move->wish->lot, &home, err);
    if (!st)
        st = read_note(move, &noted_from, &noted_to, err);
    if (!st && noted_to && strcmp(noted_to, to) != 0)
        st = fg_fail(err, FG_ECONFIG,
                     "a move of lot %u was broken off: call it again with the address it "
                     "had, to end it, or with --give-up, to take it back",
                     move->wish->lot);
    move->is_to_whole = strcmp(to, whole) == 0;
    bool is_there = !st && strcmp(*home ? home : whole, to) == 0;
    if (!st && is_there && !noted_from)
        st = fg_fail(err, FG_ECONFIG, "lot %u is there already", move->wish->lot);
    if (!st && move->wish->gives_up && !noted_from)
        st =
            fg_fail(err, FG_ECONFIG, "no move of lot %u was broken off", move->wish->lot);
    if (!st && move->wish->gives_up && is_there)
        st = fg_fail(err, FG_ECONFIG,
                     "lot %u is there by now: call it without --give-up, to clear up",
                     move->wish->lot);
    move->from = strdup(noted_from ? noted_from : home && *home ? home : whole);
    if (!st)
        st = open_others(move, err);
    if (!st && !is_there)
        st = begin(move, noted_from != NULL, err);
    if (!st && !move->wish->gives_up && move->moved->copying)
        st = compare_all(move, err);
    if (!st && !move->wish->gives_up)
        st = clear_up(move, err);
    free(home);
    free(noted_from);
    free(noted_to);
    return st;
}

enum fg_status fg_lot_move(const struct fg_lot_move *wish, struct fg_lot_moved *moved,
                           struct fg_err *err)
{
    struct move move = {.wish = wish, .moved = moved};
    *moved = (struct fg_lot_moved){0};
    enum fg_status st = open_whole(&move, err);
    snprintf(move.schema, sizeof move.schema, "%s_lot%04u",
             st ? "" : move.whole_at.schema, wish->lot);
    snprintf(move.name, sizeof move.name, "move_%s", move.schema);
    if (!st)
        st = go(&move, err);
    fg_pg_disconnect(&move.copier);
    fg_pg_disconnect(&move.new);
    fg_pg_disconnect(&move.old);
    fg_pg_disconnect(&move.whole);
    fg_pg_place_clear(&move.whole_at);
    fg_pg_place_clear(&move.from_at);
    fg_pg_place_clear(&move.to_at);
    free(move.from);
    return st;
}
