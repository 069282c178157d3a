/* The lease of a lot: taken, kept, given back.
 *
 * Everything is timed from the moment before a statement was sent, t0. The database has
 * carried it out later than that, so whoever watches the lot saw it later still, and
 * counts the length of the lease from there. Ours ends at t0 + length - guard:
 *
 *     t0                              last request ends     killed      others may take
 * it
 *     |--- renewed every quarter ---------------|--------------|------------|
 *                                          - guard        - guard/2     * 1.01
 *
 * A request is only begun if its hard limit is over before. At the end of the lease the
 * thread shuts the door, sees that no request is open, disarms the timer and goes on
 * trying: when the database is back and nobody has taken the lot, its count is raised and
 * the lease is ours again. If the thread does not come to that, because the process was
 * stopped or has no processor, the timer of the kernel ends the process with SIGKILL;
 * that works on a stopped one as well.
 *
 * The thread never waits without a limit: what the network does not answer in time is
 * left, and asked anew on a new connection.
 *
 * Not covered: a virtual machine whose clock stands still while the others' go on. */
#include "store/postgres/postgres.h"

#include "base/memory.h"
#include "store/lots.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

struct fg_lease {
    struct fg_pg_place place;
    unsigned lot, lacks;
    fg_time length, guard;
    int64_t epoch;
    char owner[24];
    PGconn *db;
    timer_t timer;
    bool has_timer;

    _Atomic fg_time deadline; /* 0: the door is shut */
    atomic_uint open;         /* requests */
    atomic_bool is_lost, is_ending;
    _Atomic double load, asked, applied, granted;
    struct fg_watch chair;          /* who shares out the budget: its turns */
    _Atomic uint32_t timeline;      /* of the server */
    _Atomic fg_time timeline_since; /* seen since then; 0: it is its first */
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock;
    pthread_cond_t ends;
};

fg_time fg_lease_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return now.tv_sec * FG_SECOND + now.tv_nsec / 1000;
}

/* --- watching others --- */

void fg_watch_see(struct fg_watch *watch, uint64_t timeline, int64_t epoch, int64_t beat,
                  fg_time now)
{
    bool is_same = watch->since && watch->timeline == timeline && watch->epoch == epoch &&
                   watch->beat == beat;
    if (!is_same)
        *watch = (struct fg_watch){timeline, epoch, beat, now};
}

bool fg_watch_is_over(const struct fg_watch *watch, fg_time now, fg_time length)
{
    return watch->since && now - watch->since > length + length / 100;
}

/* --- the connection, never waited for longer than until a moment --- */

bool fg_pg_wait(PGconn *db, short events, fg_time until)
{
    struct pollfd fd = {.fd = PQsocket(db), .events = events};
    fg_time left = until - fg_lease_now();
    int n;
    if (fd.fd < 0 || left <= 0)
        return false;
    do
        n = poll(&fd, 1, (int)(left / FG_MILLISECOND) + 1);
    while (n < 0 && errno == EINTR);
    return n > 0;
}

PGresult *fg_pg_ask(PGconn *db, const char *sql, int n_values, const char *const *values,
                    fg_time until)
{
    PGresult *result = NULL, *next;
    bool is_well =
        n_values ? PQsendQueryParams(db, sql, n_values, NULL, values, NULL, NULL, 0) == 1
                 : PQsendQuery(db, sql) == 1;
    while (is_well) {
        while (is_well && PQisBusy(db))
            is_well = fg_pg_wait(db, POLLIN, until) && PQconsumeInput(db);
        if (!is_well || !(next = PQgetResult(db)))
            break;
        PQclear(result);
        result = next;
    }
    ExecStatusType status = result ? PQresultStatus(result) : PGRES_FATAL_ERROR;
    if (is_well && (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK))
        return result;
    PQclear(result);
    return NULL;
}

static void drop_connection(struct fg_lease *lease)
{
    PQfinish(lease->db);
    lease->db = NULL;
}

/* The result, or NULL: there is none, and no connection any more. */
static PGresult *ask(struct fg_lease *lease, const char *sql, fg_time until)
{
    PGresult *result = fg_pg_ask(lease->db, sql, 0, NULL, until);
    if (!result)
        drop_connection(lease);
    return result;
}

/* A connection is to one timeline as long as it lasts. */
static void note_timeline(struct fg_lease *lease, const char *hex)
{
    uint32_t timeline = (uint32_t)strtoul(hex, NULL, 16);
    if (timeline == lease->timeline)
        return;
    lease->timeline_since = timeline == 1 ? 0 : fg_lease_now();
    lease->timeline = timeline;
}

static bool connect_until(struct fg_lease *lease, fg_time until)
{
    char sql[256], name[64];
    snprintf(name, sizeof name, "forage lease %s", lease->owner);
    const char *keys[] = {"connect_timeout", "tcp_user_timeout", "dbname",
                          "application_name", NULL};
    const char *values[] = {"5", "5000", lease->place.address, name, NULL};
    lease->db = PQconnectStartParams(keys, values, 1);
    PostgresPollingStatusType status = lease->db && PQstatus(lease->db) != CONNECTION_BAD
                                           ? PGRES_POLLING_WRITING
                                           : PGRES_POLLING_FAILED;
    while (status == PGRES_POLLING_READING || status == PGRES_POLLING_WRITING)
        status = fg_pg_wait(lease->db, status == PGRES_POLLING_READING ? POLLIN : POLLOUT,
                            until)
                     ? PQconnectPoll(lease->db)
                     : PGRES_POLLING_FAILED;
    if (status != PGRES_POLLING_OK) {
        drop_connection(lease);
        return false;
    }
    snprintf(sql, sizeof sql,
             "SET client_min_messages = error; SET synchronous_commit = on;"
             " SET lock_timeout = '2s'; SET search_path = %s",
             lease->place.schema);
    PQclear(ask(lease, sql, until));
    PGresult *result = lease->db ? ask(lease, "SELECT " FG_PG_TIMELINE, until) : NULL;
    if (result)
        note_timeline(lease, PQgetvalue(result, 0, 0));
    PQclear(result);
    return result != NULL;
}

/* --- keeping it --- */

static void set_timer(struct fg_lease *lease, fg_time at)
{
    struct itimerspec when = {.it_value = {at / FG_SECOND, at % FG_SECOND * 1000}};
    if (lease->has_timer)
        timer_settime(lease->timer, TIMER_ABSTIME, &when, NULL);
}

/* The timer first: a request may begin as soon as the deadline is there. */
static void hold_from(struct fg_lease *lease, fg_time t0)
{
    set_timer(lease, t0 + lease->length - lease->guard / 2);
    lease->deadline = t0 + lease->length - lease->guard;
}

/* Nothing may be begun. What is open nevertheless is ended by the timer, with us. */
static void let_go(struct fg_lease *lease)
{
    lease->deadline = 0;
    if (lease->open == 0)
        set_timer(lease, 0);
}

/* While nobody shares out the budget, each makes do with less and less of what it had. */
static void heed_grant(struct fg_lease *lease, double granted, int64_t turn)
{
    enum { TURNS_MISSED = 4 };
    fg_time now = fg_lease_now();
    fg_watch_see(&lease->chair, 1, 0, turn, now);
    double missed = (double)(now - lease->chair.since) / (double)lease->length;
    lease->granted = missed > TURNS_MISSED ? granted * TURNS_MISSED / missed : granted;
}

/* True: it is renewed, or lost; false: the database did not answer. */
static bool renew(struct fg_lease *lease, fg_time until)
{
    char sql[512];
    if (!lease->db && !connect_until(lease, until))
        return false;
    fg_time t0 = fg_lease_now();
    snprintf(sql, sizeof sql,
             "UPDATE lots SET beat = beat + 1, load = %.6g, asked = %.6g, applied ="
             " greatest(granted, %.6g) WHERE lot = %u AND epoch = %lld AND owner = '%s'"
             " RETURNING granted, (SELECT turn FROM shares WHERE one = 1)",
             lease->load, lease->asked, lease->applied, lease->lot,
             (long long)lease->epoch, lease->owner);
    PGresult *result = ask(lease, sql, until);
    if (!result)
        return false;
    if (PQntuples(result) != 1) {
        lease->is_lost = true;
        lease->deadline = 0;
    } else if (fg_lease_now() < t0 + lease->length - lease->guard) {
        heed_grant(lease, strtod(PQgetvalue(result, 0, 0), NULL),
                   strtoll(PQgetvalue(result, 0, 1), NULL, 10));
        hold_from(lease, t0);
    }
    PQclear(result);
    return true;
}

/* Between two beats; false: it is to end. */
static bool rest(struct fg_lease *lease, fg_time span)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    fg_time at = until.tv_sec * FG_SECOND + until.tv_nsec / 1000 + span;
    until = (struct timespec){at / FG_SECOND, at % FG_SECOND * 1000};
    pthread_mutex_lock(&lease->lock);
    int waited = 0;
    while (!lease->is_ending && waited != ETIMEDOUT)
        waited = pthread_cond_timedwait(&lease->ends, &lease->lock, &until);
    pthread_mutex_unlock(&lease->lock);
    return !lease->is_ending;
}

static void *keep(void *context)
{
    struct fg_lease *lease = context;
    bool is_on = true;
    while (!lease->is_lost &&
           rest(lease, is_on ? lease->length / 4 : lease->length / 20)) {
        fg_time deadline = lease->deadline, now = fg_lease_now();
        if (deadline && now >= deadline)
            let_go(lease);
        fg_time until = lease->deadline ? lease->deadline : now + lease->length / 2;
        is_on = renew(lease, until);
        if (lease->deadline && fg_lease_now() >= lease->deadline)
            let_go(lease);
    }
    if (lease->is_lost)
        let_go(lease);
    return NULL;
}

/* --- taking it --- */

static void free_lease(struct fg_lease *lease)
{
    if (lease->has_timer)
        timer_delete(lease->timer);
    drop_connection(lease);
    pthread_mutex_destroy(&lease->lock);
    pthread_cond_destroy(&lease->ends);
    fg_pg_place_clear(&lease->place);
    free(lease);
}

static struct fg_lease *lease_new(const struct fg_lease_wish *wish)
{
    struct fg_lease *lease = fg_zeroed(1, sizeof *lease);
    pthread_condattr_t clock;
    uint64_t word = 0;
    if (getrandom(&word, sizeof word, 0) != (ssize_t)sizeof word)
        word = (uint64_t)fg_lease_now() << 16 ^ (uint64_t)getpid();
    snprintf(lease->owner, sizeof lease->owner, "%016llx", (unsigned long long)word);
    lease->lot = wish->lot;
    lease->lacks = wish->lacks;
    lease->length = wish->length;
    lease->guard = wish->length / 10;
    pthread_mutex_init(&lease->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&lease->ends, &clock);
    pthread_condattr_destroy(&clock);
    return lease;
}

static enum fg_status take_it(struct fg_lease *lease, const struct fg_lease_wish *wish,
                              struct fg_err *err)
{
    char sql[512];
    struct fg_str worker = fg_str_from(wish->worker);
    fg_time t0 = fg_lease_now();
    for (size_t i = 0; i < worker.len; i++)
        if (worker.at[i] == '\'' || worker.at[i] == '\\')
            return fg_fail(err, FG_ECONFIG, "'%s' cannot name a worker", wish->worker);
    if (!connect_until(lease, t0 + 10 * FG_SECOND))
        return fg_fail(err, FG_EIO, "cannot open '%s'", lease->place.shown);
    t0 = fg_lease_now();
    snprintf(sql, sizeof sql,
             "UPDATE lots SET epoch = epoch + 1, beat = beat + 1, owner = '%s', worker ="
             " '%s', pid = %ld, load = 0, asked = 0, applied = 0 WHERE lot = %u AND"
             " epoch = %lld AND beat = %lld RETURNING epoch, granted",
             lease->owner, wish->worker, (long)getpid(), wish->lot,
             (long long)wish->epoch, (long long)wish->beat);
    PGresult *result = ask(lease, sql, t0 + lease->length / 2);
    if (!result)
        return fg_fail(err, FG_EIO, "cannot write to '%s'", lease->place.shown);
    bool is_ours = PQntuples(result) == 1;
    if (is_ours) {
        lease->epoch = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
        lease->granted = strtod(PQgetvalue(result, 0, 1), NULL);
    }
    PQclear(result);
    if (!is_ours)
        return fg_fail(err, FG_ENOTFOUND, "lot %u has an owner", wish->lot);
    hold_from(lease, t0);
    return FG_OK;
}

enum fg_status fg_lease_take(struct fg_lease **result, const struct fg_lease_wish *wish,
                             struct fg_err *err)
{
    struct fg_lease *lease = lease_new(wish);
    struct sigevent kill = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
    enum fg_status st = fg_pg_place_parse(&lease->place, wish->place, err);
    *result = NULL;
    if (!st && !(wish->lacks & FG_LEASE_NO_TIMER)) {
        lease->has_timer = timer_create(CLOCK_BOOTTIME, &kill, &lease->timer) == 0;
        if (!lease->has_timer)
            st = fg_fail(err, FG_EIO, "cannot make a timer: %s", strerror(errno));
    }
    if (!st)
        st = take_it(lease, wish, err);
    if (!st && pthread_create(&lease->thread, NULL, keep, lease) != 0)
        st = fg_fail(err, FG_EIO, "cannot start a thread");
    if (st) {
        free_lease(lease);
        return st;
    }
    lease->has_thread = true;
    *result = lease;
    return FG_OK;
}

int64_t fg_lease_epoch(const struct fg_lease *lease)
{
    return lease->epoch;
}

/* --- asked by others --- */

bool fg_lease_allows(struct fg_lease *lease, fg_time limit)
{
    if (lease->lacks & FG_LEASE_NO_DEADLINE)
        return !lease->is_lost;
    return fg_lease_now() + limit < lease->deadline;
}

bool fg_lease_is_settled(const struct fg_lease *lease, uint32_t timeline)
{
    fg_time since = lease->timeline_since;
    return lease->timeline == timeline &&
           (!since || fg_lease_now() - since > lease->length + lease->length / 100);
}

/* Counted first, and then looked: whoever shuts the door does it the other way round. */
bool fg_lease_enter(struct fg_lease *lease, fg_time limit)
{
    lease->open++;
    if (fg_lease_allows(lease, limit))
        return true;
    lease->open--;
    return false;
}

void fg_lease_leave(struct fg_lease *lease)
{
    lease->open--;
}

bool fg_lease_is_lost(const struct fg_lease *lease)
{
    return lease->is_lost;
}

void fg_lease_tell(struct fg_lease *lease, double load, double asked, double applied)
{
    lease->load = load;
    lease->asked = asked;
    lease->applied = applied;
}

double fg_lease_granted(const struct fg_lease *lease)
{
    return lease->granted;
}

void fg_lease_release(struct fg_lease *lease)
{
    char sql[256];
    if (!lease)
        return;
    pthread_mutex_lock(&lease->lock);
    lease->is_ending = true;
    pthread_cond_signal(&lease->ends);
    pthread_mutex_unlock(&lease->lock);
    if (lease->has_thread)
        pthread_join(lease->thread, NULL);
    let_go(lease);
    fg_time until = fg_lease_now() + 2 * FG_SECOND;
    snprintf(sql, sizeof sql,
             "UPDATE lots SET beat = beat + 1, owner = '', worker = '', pid = 0, load ="
             " 0, asked = 0, applied = 0 WHERE lot = %u AND epoch = %lld AND owner ="
             " '%s'",
             lease->lot, (long long)lease->epoch, lease->owner);
    if (!lease->is_lost && (lease->db || connect_until(lease, until)))
        PQclear(ask(lease, sql, until));
    free_lease(lease);
}
