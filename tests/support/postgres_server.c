#include "support/postgres_server.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64], own[160];
static pid_t starter; /* a child of a test must not stop its parent's server */

/* The exit status of tests/support/postgres; its first line to `out`. */
static int run(const char *verb, char *out, size_t room)
{
    char command[256];
    snprintf(command, sizeof command, "tests/support/postgres %s %s", verb, folder);
    FILE *f = popen(command, "r");
    char line[160] = "";
    if (!f)
        return -1;
    if (fgets(line, sizeof line, f) && out)
        snprintf(out, room, "%.*s", (int)strcspn(line, "\n"), line);
    int status = pclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void stop(void)
{
    if (getpid() == starter)
        run("stop", NULL, 0);
}

const char *postgres_own_address(void)
{
    if (*own)
        return own;
    snprintf(folder, sizeof folder, "/tmp/forage-postgres-%ld", (long)getpid());
    int status = run("start", own, sizeof own);
    if (status) {
        *own = '\0';
        if (status != 77)
            fprintf(stderr, "tests/support/postgres failed\n");
        return NULL;
    }
    starter = getpid();
    atexit(stop);
    return own;
}

const char *postgres_address(void)
{
    const char *given = getenv("FORAGE_POSTGRES");
    if (given && *given)
        return strcmp(given, "none") == 0 ? NULL : given;
    return postgres_own_address();
}

void postgres_kill(void)
{
    run("kill", NULL, 0);
}

void postgres_start_again(void)
{
    run("again", NULL, 0);
}

void postgres_run(const char *address, const char *sql)
{
    char *plain = strndup(address, strcspn(address, "#"));
    PGconn *db = PQconnectdb(plain);
    PQclear(PQexec(db, "SET client_min_messages = error"));
    PQclear(PQexec(db, sql));
    PQfinish(db);
    free(plain);
}

void postgres_drop(const char *place)
{
    char sql[256];
    const char *schema = strchr(place, '#');
    snprintf(sql, sizeof sql, "DROP SCHEMA IF EXISTS %s CASCADE",
             schema ? schema + 1 : "forage");
    postgres_run(place, sql);
}
