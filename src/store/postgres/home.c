/* Which server a lot is on. That of the whole keeps the address of each lot that is
 * elsewhere, and shows its tables as foreign ones, through postgres_fdw, in a schema of
 * the lot's name: so the views over all lots read it like the others. Who writes to a
 * lot, or leaves something for its owner, goes to its server itself.
 *
 * While one takes the place of the other, what stood there is called `..._old`. */
#include "store/postgres/postgres.h"

#include "store/lots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void name_server(char name[static 32], const char *address)
{
    snprintf(name, 32, "forage_%016llx",
             (unsigned long long)fg_str_hash(fg_str_from(address)));
}

/* The user is not the server's, and the rest is not for it to say. */
static bool is_of_server(const PQconninfoOption *option)
{
    static const char *const others[] = {"user",
                                         "password",
                                         "passfile",
                                         "application_name",
                                         "fallback_application_name",
                                         "client_encoding",
                                         "replication",
                                         "service"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(option->keyword, others[i]) == 0)
            return false;
    return option->val && *option->val;
}

static void add_literal(struct fg_buf *sql, struct fg_pg_link *link, const char *text)
{
    char *literal = PQescapeLiteral(link->db, text, strlen(text));
    fg_buf_printf(sql, "%s", literal ? literal : "''");
    PQfreemem(literal);
}

static void spell_server(struct fg_buf *sql, struct fg_pg_link *whole,
                         const char *address, bool is_super)
{
    char name[32];
    PQconninfoOption *options = PQconninfoParse(address, NULL);
    const char *user = PQuser(whole->db);
    name_server(name, address);
    fg_buf_printf(
        sql,
        "CREATE EXTENSION IF NOT EXISTS postgres_fdw SCHEMA public; CREATE SERVER IF NOT"
        " EXISTS %s FOREIGN DATA WRAPPER postgres_fdw OPTIONS (fetch_size"
        " '10000'",
        name);
    for (PQconninfoOption *o = options; o && o->keyword; o++) {
        if (strcmp(o->keyword, "user") == 0 && o->val && *o->val)
            user = o->val;
        if (!is_of_server(o))
            continue;
        fg_buf_printf(sql, ", \"%s\" ", o->keyword);
        add_literal(sql, whole, o->val);
    }
    fg_buf_printf(sql,
                  "); CREATE USER MAPPING IF NOT EXISTS FOR CURRENT_USER SERVER %s"
                  " OPTIONS (\"user\" ",
                  name);
    add_literal(sql, whole, user);
    fg_buf_printf(sql, "%s);", is_super ? ", password_required 'false'" : "");
    PQconninfoFree(options);
}

static enum fg_status make_server(struct fg_pg_link *whole, const char *address,
                                  struct fg_err *err)
{
    int64_t is_super = 0;
    struct fg_buf sql;
    enum fg_status st = fg_pg_int(
        whole, "SELECT rolsuper::int FROM pg_roles WHERE rolname = current_user",
        &is_super, NULL, err);
    if (st)
        return st;
    fg_buf_init(&sql, SIZE_MAX);
    spell_server(&sql, whole, address, is_super);
    fg_buf_add_char(&sql, '\0');
    st = fg_pg_exec(whole, "prepare", sql.at, err);
    fg_buf_clear(&sql);
    return st;
}

enum fg_status fg_pg_try_afar(struct fg_pg_link *whole, const char *schema,
                              const char *address, struct fg_err *err)
{
    char name[32], sql[160];
    int64_t n;
    struct fg_err why = {0};
    name_server(name, address);
    enum fg_status st = make_server(whole, address, &why);
    if (!st)
        st = fg_pg_run(whole, "prepare", &why,
                       "BEGIN; CREATE SCHEMA %s_try; IMPORT FOREIGN SCHEMA %s LIMIT TO"
                       " (meta) FROM SERVER %s INTO %s_try",
                       schema, schema, name, schema);
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s_try.meta", schema);
    if (!st)
        st = fg_pg_int(whole, sql, &n, NULL, &why);
    fg_pg_exec(whole, "prepare", "ROLLBACK", NULL);
    return st ? fg_fail(err, st,
                        "the server of the whole cannot read the other one through "
                        "postgres_fdw, as server '%s' (docs/scale-out.md): %s",
                        name, why.text)
              : FG_OK;
}

enum fg_status fg_pg_show_afar(struct fg_pg_link *whole, const char *schema,
                               const char *address, struct fg_err *err)
{
    char name[32], sql[160];
    int64_t is_parked = 0;
    name_server(name, address);
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM pg_namespace WHERE nspname = '%s_old'", schema);
    enum fg_status st = fg_pg_int(whole, sql, &is_parked, NULL, err);
    if (!st)
        st = make_server(whole, address, err);
    if (!st && !is_parked)
        st = fg_pg_run(whole, "prepare", err,
                       "BEGIN; ALTER SCHEMA %s RENAME TO %s_old; CREATE SCHEMA %s;"
                       " IMPORT FOREIGN SCHEMA %s FROM SERVER %s INTO %s; COMMIT",
                       schema, schema, schema, schema, name, schema);
    if (st && !fg_pg_is_lost(whole))
        fg_pg_exec(whole, "prepare", "ROLLBACK", NULL);
    return st;
}

enum fg_status fg_pg_drop_parked(struct fg_pg_link *whole, const char *schema,
                                 struct fg_err *err)
{
    return fg_pg_run(whole, "prepare", err, "DROP SCHEMA IF EXISTS %s_old CASCADE",
                     schema);
}
