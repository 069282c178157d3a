/* A connection: where to, who may write, and what went wrong in words.
 *
 * The place is an address as libpq knows it, and behind '#' the schema, "forage" if none
 * is named: postgresql://crawler@db.example/web#news. Passwords belong into a password
 * file or a service (libpq reads PGPASSFILE and PGSERVICE itself); one that stands in the
 * address is never shown, and words of libpq that might quote the address are not passed
 * on. */
#include "store/postgres/postgres.h"

#include "store/lots.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOCK_CLASS = 0x464F5247, SCHEMA_MOST = 48 }; /* "FORG" */

static bool is_plain(struct fg_str name)
{
    bool is_plain = name.len > 0 && name.len <= SCHEMA_MOST && !(name.at[0] <= '9');
    for (size_t i = 0; is_plain && i < name.len; i++) {
        char c = name.at[i];
        is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    }
    return is_plain && !fg_str_starts(name, FG_STR("pg_"));
}

static const char *value_of(const PQconninfoOption *options, const char *keyword)
{
    const char *found = NULL;
    for (; options->keyword; options++)
        if (strcmp(options->keyword, keyword) == 0)
            found = options->val;
    return found && *found ? found : NULL;
}

/* The address without its password and what else it says. */
static char *show(const char *address, const char *schema)
{
    PQconninfoOption *options = PQconninfoParse(address, NULL);
    char *shown;
    if (!options)
        return NULL;
    const char *user = value_of(options, "user"), *host = value_of(options, "host");
    const char *port = value_of(options, "port"), *name = value_of(options, "dbname");
    if (asprintf(&shown, "postgresql://%s%s%s%s%s/%s#%s", user ? user : "",
                 user ? "@" : "", host ? host : "", port ? ":" : "", port ? port : "",
                 name ? name : "", schema) < 0)
        fg_out_of_memory();
    PQconninfoFree(options);
    return shown;
}

enum fg_status fg_pg_place_parse(struct fg_pg_place *place, const char *text,
                                 struct fg_err *err)
{
    struct fg_str all = fg_str_from(text);
    const char *hash = strrchr(text, '#');
    struct fg_str schema = hash ? fg_str_from(hash + 1) : FG_STR("forage");
    size_t slash = fg_str_chr(schema, '/');
    uint64_t lot = 0;
    *place = (struct fg_pg_place){0};
    bool is_lot = slash != FG_NOT_FOUND &&
                  fg_str_to_u64(fg_str_skip(schema, slash + 1), &lot) &&
                  lot < FG_LOTS_MOST;
    if (is_lot)
        schema = fg_str_sub(schema, 0, slash);
    if (!is_plain(schema))
        return fg_fail(err, FG_ECONFIG,
                       "'%.*s' cannot name the schema of a store: use lower-case "
                       "letters, digits and '_', at most %d, and no pg_ before them",
                       FG_ARG(fg_str_sub(schema, 0, 60)), SCHEMA_MOST);
    place->address = strndup(text, hash ? (size_t)(hash - text) : all.len);
    place->schema = strndup(schema.at, schema.len);
    place->lot = (unsigned)lot;
    if (is_lot) {
        place->whole = place->schema;
        if (asprintf(&place->schema, "%s_lot%04u", place->whole, place->lot) < 0)
            fg_out_of_memory();
    }
    if (!place->address || !place->schema)
        fg_out_of_memory();
    place->lock = (int32_t)fg_str_hash(fg_str_from(place->schema));
    place->shown = show(place->address, place->schema);
    if (place->shown)
        return FG_OK;
    fg_pg_place_clear(place);
    /* libpq would quote the address here, and with it a password. */
    return fg_fail(err, FG_ECONFIG,
                   "the address of the store is malformed: write "
                   "postgresql://user@host/database#schema, other characters as %%XX");
}

void fg_pg_place_clear(struct fg_pg_place *place)
{
    free(place->address);
    free(place->schema);
    free(place->whole);
    free(place->shown);
    *place = (struct fg_pg_place){0};
}

/* --- trouble --- */

bool fg_pg_is_lost(const struct fg_pg_link *link)
{
    return !link->db || link->is_cut_off || PQstatus(link->db) != CONNECTION_OK;
}

/* The first line, without the full stop. */
static struct fg_str words_of(const char *message)
{
    struct fg_str words = fg_str_trim(fg_str_from(message)), line;
    if (fg_str_starts(words, FG_STR("ERROR:")) || fg_str_starts(words, FG_STR("FATAL:")))
        words = fg_str_trim(fg_str_skip(words, 6));
    if (!fg_str_cut(&words, '\n', &line))
        line = FG_STR("no reason was given");
    return fg_str_sub(line, 0, line.len < 300 ? line.len : 300);
}

/* What no two rows share, as a name: the last of its columns tells it. */
static const char *unique_of(const PGresult *result)
{
    const char *table = PQresultErrorField(result, PG_DIAG_TABLE_NAME), *comma;
    const char *unique = NULL;
    for (size_t i = 0; table && i < FG_ROW_KINDS; i++)
        if (strcmp(table, fg_row_types[i].table) == 0)
            unique = fg_row_types[i].unique;
    comma = unique ? strrchr(unique, ' ') : NULL;
    return comma ? comma + 1 : unique ? unique : "key";
}

enum fg_status fg_pg_fail(struct fg_err *err, struct fg_pg_link *link, PGresult *result,
                          const char *doing)
{
    const char *shown = link->place->shown;
    const char *code = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *message =
        result ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    struct fg_str words = words_of(message    ? message
                                   : link->db ? PQerrorMessage(link->db)
                                              : "");
    enum fg_status st;
    code = code ? code : "";
    /* Without a code they are words of libpq, not of the server. */
    link->is_cut_off |= !*code || !strncmp(code, "08", 2) || !strncmp(code, "57P", 3);
    if (fg_pg_is_lost(link))
        st = fg_fail(err, FG_EIO, "cannot %s '%s': the connection is lost (%.*s)", doing,
                     shown, FG_ARG(words));
    else if (strcmp(code, "53100") == 0)
        st = fg_fail(err, FG_EFULL,
                     "cannot %s '%s': the disk of the database is full; what was "
                     "acknowledged is safe, free some space to go on",
                     doing, shown);
    else if (strcmp(code, "22012") == 0)
        st = fg_fail(err, FG_EIO,
                     "'%s' is in use: another process has written to it meanwhile; start "
                     "the crawl again",
                     shown);
    else if (strcmp(code, "23505") == 0)
        st = fg_fail(err, FG_EINPUT, "cannot %s '%s': not unique: %s.%s", doing, shown,
                     PQresultErrorField(result, PG_DIAG_TABLE_NAME), unique_of(result));
    else if (!strncmp(code, "23", 2))
        st = fg_fail(err, FG_EINPUT, "cannot %s '%s': %.*s", doing, shown, FG_ARG(words));
    else if (!strncmp(code, "54", 2))
        st = fg_fail(err, FG_ELIMIT, "cannot %s '%s': a value is too large (%.*s)", doing,
                     shown, FG_ARG(words));
    else
        st = fg_fail(err, FG_EIO, "cannot %s '%s': %.*s", doing, shown, FG_ARG(words));
    PQclear(result);
    return st;
}

enum fg_status fg_pg_exec(struct fg_pg_link *link, const char *doing, const char *sql,
                          struct fg_err *err)
{
    PGresult *result = PQexec(link->db, sql);
    ExecStatusType status = PQresultStatus(result);
    link->statements++;
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        return fg_pg_fail(err, link, result, doing);
    PQclear(result);
    return FG_OK;
}

enum fg_status fg_pg_run(struct fg_pg_link *link, const char *doing, struct fg_err *err,
                         const char *format, ...)
{
    char *sql;
    va_list args;
    va_start(args, format);
    if (vasprintf(&sql, format, args) < 0)
        fg_out_of_memory();
    va_end(args);
    enum fg_status st = fg_pg_exec(link, doing, sql, err);
    free(sql);
    return st;
}

enum fg_status fg_pg_int(struct fg_pg_link *link, const char *sql, int64_t *value,
                         bool *is_there, struct fg_err *err)
{
    PGresult *result = PQexec(link->db, sql);
    *value = 0;
    link->statements++;
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        return fg_pg_fail(err, link, result, "read");
    bool has_row = PQntuples(result) > 0 && !PQgetisnull(result, 0, 0);
    if (has_row)
        *value = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
    if (is_there)
        *is_there = has_row;
    PQclear(result);
    return FG_OK;
}

/* --- connecting --- */

static void be_silent(void *context, const PGresult *result)
{
    (void)context;
    (void)result;
}

/* Few of our statements join: those that look rows up by key, for which an index is
 * always right, also while a table has no statistics yet. The server lets go of a writer
 * that has vanished within half a minute, and with it of its lock. */
static const char for_all[] =
    "SET client_min_messages = warning; SET jit = off; SET standard_conforming_strings"
    " = on; SET bytea_output = hex;";
static const char for_writer[] =
    "SET synchronous_commit = on; SET enable_hashjoin = off; SET enable_mergejoin = off;"
    " SET enable_seqscan = off; SET idle_in_transaction_session_timeout = 0;"
    " SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5;"
    " SET tcp_keepalives_count = 4;";

static enum fg_status dial(struct fg_pg_link *link, const char *address, const char *user,
                           struct fg_err *err)
{
    char host[64] = "", name[96];
    const char *shown = link->place->shown;
    gethostname(host, sizeof host - 1);
    snprintf(name, sizeof name, "forage %ld %s", (long)getpid(), host);
    const char *keys[] = {
        "connect_timeout", "tcp_user_timeout",   "dbname", "application_name",
        "client_encoding", user ? "user" : NULL, NULL};
    const char *values[] = {"5", "15000", address, name, "SQL_ASCII", user, NULL};
    link->db = PQconnectdbParams(keys, values, 1);
    if (!link->db)
        fg_out_of_memory();
    if (PQstatus(link->db) != CONNECTION_OK)
        return fg_fail(err, FG_EIO, "cannot open '%s': %.*s", shown,
                       FG_ARG(words_of(PQerrorMessage(link->db))));
    if (PQserverVersion(link->db) < 150000)
        return fg_fail(err, FG_ECONFIG,
                       "cannot use '%s': PostgreSQL %d is too old, 15 is the least",
                       shown, PQserverVersion(link->db) / 10000);
    PQsetNoticeReceiver(link->db, be_silent, NULL);
    return FG_OK;
}

/* A whole that was made by an older forage has no such column, and all lots. */
enum fg_status fg_pg_home_of(struct fg_pg_link *whole, const char *schema, unsigned lot,
                             char **home, struct fg_err *err)
{
    char sql[192];
    snprintf(
        sql, sizeof sql,
        "SET search_path = %s; SELECT to_jsonb(l) ->> 'home' FROM lots l WHERE lot = %u",
        schema, lot);
    PGresult *result = PQexec(whole->db, sql);
    whole->statements++;
    *home = NULL;
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        return fg_pg_fail(err, whole, result, "read");
    *home = strdup(PQntuples(result) ? PQgetvalue(result, 0, 0) : "");
    if (!*home)
        fg_out_of_memory();
    PQclear(result);
    return FG_OK;
}

/* A lot that was moved is on another server than the whole, which knows on which. */
static enum fg_status go_home(struct fg_pg_link *link, const char *user,
                              struct fg_err *err)
{
    char *home = NULL;
    enum fg_status st =
        fg_pg_home_of(link, link->place->whole, link->place->lot, &home, err);
    if (!st && *home) {
        fg_pg_disconnect(link);
        st = dial(link, home, user, err);
    }
    free(home);
    return st;
}

enum fg_status fg_pg_connect_as(struct fg_pg_link *link, const struct fg_pg_place *place,
                                enum fg_pg_role role, const char *user,
                                struct fg_err *err)
{
    char sql[1024];
    *link = (struct fg_pg_link){.place = place, .statements = link->statements};
    enum fg_status st = dial(link, place->address, user, err);
    if (!st && place->whole)
        st = go_home(link, user, err);
    snprintf(sql, sizeof sql, "%s%s SET search_path = %s", for_all,
             role == FG_PG_WRITER ? for_writer : "", place->schema);
    if (!st)
        st = fg_pg_exec(link, "open", sql, err);
    if (st)
        fg_pg_disconnect(link);
    return st;
}

enum fg_status fg_pg_connect(struct fg_pg_link *link, const struct fg_pg_place *place,
                             enum fg_pg_role role, struct fg_err *err)
{
    return fg_pg_connect_as(link, place, role, NULL, err);
}

void fg_pg_disconnect(struct fg_pg_link *link)
{
    PQfinish(link->db);
    link->db = NULL;
    link->is_in_transaction = link->is_cut_off = false;
    memset(link->is_prepared, 0, sizeof link->is_prepared);
}

/* --- who writes --- */

/* Its number if it runs on this machine, else 0; `who` gets words for it. */
static int64_t find_holder(struct fg_pg_link *link, char *who, size_t room)
{
    char sql[512], host[64] = "", its_host[96] = "";
    long long pid = -1;
    snprintf(sql, sizeof sql,
             "SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a"
             " USING(pid) WHERE l.locktype = 'advisory' AND l.granted AND l.classid = %d"
             " AND l.objid = %u AND l.database = (SELECT oid FROM pg_database WHERE"
             " datname = current_database())",
             LOCK_CLASS, (unsigned)link->place->lock);
    PGresult *result = PQexec(link->db, sql);
    bool is_held = PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) > 0;
    struct fg_str words = fg_str_from(is_held ? PQgetvalue(result, 0, 0) : ""), part;
    gethostname(host, sizeof host - 1);
    if (is_held)
        pid = 0;
    if (fg_str_cut(&words, ' ', &part) && fg_str_eq(part, FG_STR("forage")) &&
        fg_str_cut(&words, ' ', &part)) {
        uint64_t number = 0;
        fg_str_to_u64(part, &number);
        snprintf(its_host, sizeof its_host, "%.*s", FG_ARG(words));
        bool is_here = strcmp(host, its_host) == 0;
        snprintf(who, room, "process %llu%s%s", (unsigned long long)number,
                 is_here ? "" : " on ", is_here ? "" : its_host);
        pid = is_here ? (long long)number : 0;
    } else {
        snprintf(who, room, "another process");
    }
    PQclear(result);
    return pid;
}

int64_t fg_pg_writer(struct fg_pg_link *link)
{
    char who[160];
    return find_holder(link, who, sizeof who);
}

/* Ends the connection that has the lock, and with it its transaction. */
static void end_holder(struct fg_pg_link *link)
{
    char sql[512];
    int64_t n;
    snprintf(
        sql, sizeof sql,
        "SELECT count(pg_terminate_backend(l.pid)) FROM pg_locks l WHERE l.locktype ="
        " 'advisory' AND l.granted AND l.classid = %d AND l.objid = %u AND"
        " l.database = (SELECT oid FROM pg_database WHERE datname ="
        " current_database())",
        LOCK_CLASS, (unsigned)link->place->lock);
    fg_pg_int(link, sql, &n, NULL, NULL);
}

enum fg_status fg_pg_lock(struct fg_pg_link *link, bool is_due, struct fg_err *err)
{
    enum { TRIES = 5, PATIENT_TRIES = 30, MOST_TRIES = 300 };
    char sql[128], who[160];
    int64_t is_ours = 0;
    enum fg_status st = FG_OK;
    snprintf(sql, sizeof sql, "SELECT pg_try_advisory_lock(%d, %d)::int", LOCK_CLASS,
             link->place->lock);
    /* A process that has just ended may not be gone on the server. */
    for (int i = 0; !st && !is_ours && i < (is_due ? MOST_TRIES : TRIES); i++) {
        if (i)
            usleep(50000);
        if (is_due && i % PATIENT_TRIES == PATIENT_TRIES - 1)
            end_holder(link);
        st = fg_pg_int(link, sql, &is_ours, NULL, err);
    }
    if (st || is_ours)
        return st;
    find_holder(link, who, sizeof who);
    return fg_fail(err, FG_EIO, "'%s' is in use: %s writes to it", link->place->shown,
                   who);
}

enum fg_status fg_pg_seize(struct fg_pg_link *link, struct fg_err *err)
{
    enum { TRIES = 300 };
    char sql[128];
    int64_t is_ours = 0;
    enum fg_status st = FG_OK;
    snprintf(sql, sizeof sql, "SELECT pg_try_advisory_lock(%d, %d)::int", LOCK_CLASS,
             link->place->lock);
    for (int i = 0; !st && !is_ours && i < TRIES; i++) {
        end_holder(link);
        st = fg_pg_int(link, sql, &is_ours, NULL, err);
        if (!is_ours)
            usleep(10000);
    }
    if (!st && !is_ours)
        st = fg_fail(err, FG_EIO, "'%s' is in use: who writes to it does not let go",
                     link->place->shown);
    return st;
}

enum fg_status fg_pg_raise_fence(struct fg_pg_link *link, int64_t fence, int64_t *epoch,
                                 struct fg_err *err)
{
    char sql[256], to[32] = "epoch + 1";
    bool is_raised = false;
    if (fence)
        snprintf(to, sizeof to, "%lld", (long long)fence);
    snprintf(sql, sizeof sql,
             "UPDATE lease SET epoch = %s, owner = '%ld', written = 0 WHERE one = 1 AND"
             " epoch < %s RETURNING epoch",
             to, (long)getpid(), to);
    enum fg_status st = fg_pg_int(link, sql, epoch, &is_raised, err);
    return st || is_raised
               ? st
               : fg_fail(err, FG_EIO,
                         "'%s' has been written to by a later owner than we are",
                         link->place->shown);
}
