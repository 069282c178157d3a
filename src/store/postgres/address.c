/* Which lot asks an address of the network: a row for each, in the schema of the whole.
 *
 * A row says which lot has the address, by which epoch of its lease, and which lots wait
 * for it. It is free if that epoch is over: the lot is known to have a later one, or to
 * have been given back. What an older snapshot of the lots shows never makes one free,
 * for epochs only grow. Whoever has it learns by NOTIFY that others wait, and lets go
 * when it has had its slice, or has no use for it, and none of its requests is open; the
 * first in the line has the row then, and is notified. A word that is lost is made up
 * for by looking again: who waits asks once a second, who has one looks as often as the
 * lease is renewed.
 *
 * When the server's timeline has changed (a standby took over that may have lagged), what
 * is held counts no more, and nothing is used before everybody has noticed:
 * fg_lease_is_settled.
 *
 * A slice is long enough that handing over, some statements and one delay, costs little,
 * and short enough that the others get on. */
#include "store/addresses.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/vec.h"
#include "store/postgres/postgres.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { SLICE_DELAYS = 16, IDLE_DELAYS = 3, BATCH = 500 };
#define WANTED "wanted" /* what is notified */
#define GIVEN  "given"
static const fg_time least_slice = 250 * FG_MILLISECOND, ask_again = FG_SECOND,
                     forget_wish = 5 * FG_SECOND, look_again = 2 * FG_SECOND,
                     attention = 50 * FG_MILLISECOND, patience = 5 * FG_SECOND;

enum hold { NOT_OURS, ASKED_FOR, OURS };

struct fg_address {
    struct fg_addresses *all;
    char name[FG_ADDRESS_MOST];
    enum hold hold;
    bool is_wanted;         /* by other lots */
    bool is_active;         /* in the list of those that something is to be done about */
    unsigned open;          /* requests */
    uint32_t timeline;      /* of the server, when it became ours */
    long long turn;         /* of the row: one more whenever it was given to somebody */
    fg_time since, ready;   /* ours; to be used: on our clock */
    fg_time used, next_ask; /* when it was wanted here last; asked for next */
};

struct fg_addresses {
    struct fg_pg_place place;
    struct fg_pg_link link;
    struct fg_lease *lease;
    unsigned lot;
    long long epoch;

    pthread_mutex_t lock; /* of all that follows */
    fg_time delay;
    struct fg_arena arena; /* addresses stay as long as this does */
    struct fg_names by_name;
    FG_VEC(struct fg_address *) active;
    bool is_ending;

    pthread_t thread;
    bool has_thread;
    int wake; /* an eventfd */
    /* Of the thread alone. */
    uint32_t timeline; /* of the server, as long as the connection lasts */
    bool was_asked;    /* anything, ever */
    fg_time next_look;
};

/* --- asked by the crawl --- */

static void poke(struct fg_addresses *all)
{
    uint64_t one = 1;
    ssize_t written = write(all->wake, &one, sizeof one);
    (void)written;
}

static struct fg_address *address_of(struct fg_addresses *all, const char *name)
{
    uint64_t *slot = fg_names_put(&all->by_name, fg_str_from(name));
    if (!*slot) {
        struct fg_address *made = FG_NEW(&all->arena, struct fg_address, 1);
        *made = (struct fg_address){.all = all};
        snprintf(made->name, sizeof made->name, "%s", name);
        *slot = (uint64_t)(uintptr_t)made;
    }
    return (struct fg_address *)(uintptr_t)*slot; // NOLINT(performance-no-int-to-ptr)
}

static void activate(struct fg_address *address)
{
    if (!address->is_active)
        fg_vec_push(&address->all->active, address);
    address->is_active = true;
}

static bool has_slice_left(const struct fg_address *address, fg_time now)
{
    fg_time delay = address->all->delay, slice = SLICE_DELAYS * delay;
    bool is_used = now - address->used <= IDLE_DELAYS * delay;
    return is_used && now - address->since < (slice > least_slice ? slice : least_slice);
}

struct fg_address *fg_addresses_enter(struct fg_addresses *all, const char *name)
{
    pthread_mutex_lock(&all->lock);
    fg_time now = fg_lease_now();
    struct fg_address *address = address_of(all, name);
    address->used = now;
    bool is_ours =
        address->hold == OURS && fg_lease_is_settled(all->lease, address->timeline);
    bool may_go = is_ours && now >= address->ready &&
                  (!address->is_wanted || has_slice_left(address, now));
    bool is_to_ask = !is_ours && address->hold != ASKED_FOR;
    address->open += may_go;
    if (is_to_ask) {
        address->hold = ASKED_FOR;
        activate(address);
    }
    pthread_mutex_unlock(&all->lock);
    if (is_to_ask)
        poke(all);
    return may_go ? address : NULL;
}

void fg_addresses_leave(struct fg_address *address)
{
    if (!address)
        return;
    struct fg_addresses *all = address->all;
    pthread_mutex_lock(&all->lock);
    bool is_awaited = !--address->open && address->is_wanted;
    pthread_mutex_unlock(&all->lock);
    if (is_awaited)
        poke(all);
}

void fg_addresses_set_delay(struct fg_addresses *all, fg_time delay)
{
    pthread_mutex_lock(&all->lock);
    all->delay = delay;
    pthread_mutex_unlock(&all->lock);
}

/* --- what is to be done --- */

/* Names, and a number beside each, as arrays of PostgreSQL; no address has a quote. */
struct listing {
    struct fg_buf names, turns;
    size_t n;
};

static void listing_init(struct listing *list)
{
    *list = (struct listing){0};
    fg_buf_init(&list->names, SIZE_MAX);
    fg_buf_init(&list->turns, SIZE_MAX);
}

static void listing_clear(struct listing *list)
{
    fg_buf_clear(&list->names);
    fg_buf_clear(&list->turns);
}

static void listing_add(struct listing *list, const char *name, long long turn)
{
    fg_buf_printf(&list->names, "%s\"%s\"", list->n ? "," : "{", name);
    fg_buf_printf(&list->turns, "%s%lld", list->n++ ? "," : "{", turn);
}

static void listing_end(struct listing *list)
{
    fg_buf_printf(&list->names, "}%c", '\0');
    fg_buf_printf(&list->turns, "}%c", '\0');
}

/* What is to be asked of the server for this one. False: no more is to be done. */
static bool sort_out(struct fg_address *address, struct listing *asked,
                     struct listing *given, fg_time now)
{
    fg_time forget = forget_wish + (IDLE_DELAYS + 1) * address->all->delay;
    if (address->hold == ASKED_FOR && now - address->used > forget) {
        address->hold = NOT_OURS;
    } else if (address->hold == ASKED_FOR && now >= address->next_ask) {
        if (asked->n == BATCH)
            return true;
        address->next_ask = now + ask_again;
        listing_add(asked, address->name, 0);
    } else if (address->hold == OURS && address->is_wanted && !address->open &&
               !has_slice_left(address, now)) {
        address->hold = NOT_OURS;
        listing_add(given, address->name, address->turn);
    }
    return address->hold == ASKED_FOR || (address->hold == OURS && address->is_wanted);
}

/* True: there is something to wait for. */
static bool sort_all_out(struct fg_addresses *all, struct listing *asked,
                         struct listing *given)
{
    size_t left = 0;
    pthread_mutex_lock(&all->lock);
    fg_time now = fg_lease_now();
    for (size_t i = 0; i < all->active.len; i++) {
        struct fg_address *address = all->active.at[i];
        address->is_active = sort_out(address, asked, given, now);
        if (address->is_active)
            all->active.at[left++] = address;
    }
    all->active.len = left;
    pthread_mutex_unlock(&all->lock);
    return left > 0;
}

/* The server has given it to us. */
static void note_ours(struct fg_addresses *all, const char *name, const char *turn,
                      bool is_wanted)
{
    pthread_mutex_lock(&all->lock);
    struct fg_address *address = address_of(all, name);
    fg_time now = fg_lease_now();
    address->hold = OURS;
    address->since = now;
    address->ready = now + all->delay;
    address->turn = strtoll(turn, NULL, 10);
    address->timeline = all->timeline;
    address->is_wanted = is_wanted;
    if (is_wanted)
        activate(address);
    pthread_mutex_unlock(&all->lock);
}

/* The server says that it is ours, and that others wait. If we do not know of that, what
 * we gave away may still be on its way there: it is asked for, which overtakes that. */
static void note_wanted(struct fg_addresses *all, const char *name)
{
    pthread_mutex_lock(&all->lock);
    struct fg_address *address = address_of(all, name);
    address->is_wanted = true;
    if (address->hold == NOT_OURS) { /* only to be given away */
        address->hold = ASKED_FOR;
        address->used = fg_lease_now() - IDLE_DELAYS * all->delay;
    }
    if (address->hold == ASKED_FOR)
        address->next_ask = 0;
    activate(address);
    pthread_mutex_unlock(&all->lock);
}

/* --- asked of the server --- */

/* NULL: it is not known what came of it, and the connection is left. */
static PGresult *ask(struct fg_addresses *all, const struct listing *list, int n,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

static PGresult *ask(struct fg_addresses *all, const struct listing *list, int n,
                     const char *format, ...)
{
    char *sql;
    va_list args;
    const char *values[] = {list ? list->names.at : NULL, list ? list->turns.at : NULL};
    va_start(args, format);
    if (vasprintf(&sql, format, args) < 0)
        fg_out_of_memory();
    va_end(args);
    PGresult *result =
        all->link.db ? fg_pg_ask(all->link.db, sql, n, values, fg_lease_now() + patience)
                     : NULL;
    free(sql);
    if (!result)
        fg_pg_disconnect(&all->link);
    return result;
}

/* Tell those who have them now: they are WANTED, or GIVEN. */
static void tell_holders(struct fg_addresses *all, const struct listing *list,
                         const char *word)
{
    PQclear(ask(all, list, 1,
                "SELECT pg_notify('%s_lot' || to_char(lot, 'FM0000'), '%s') FROM (SELECT"
                " DISTINCT lot FROM addresses WHERE name = ANY($1::text[]) AND lot <> %u)"
                " t",
                all->place.schema, word, all->lot));
}

static void ask_for(struct fg_addresses *all, struct listing *asked)
{
    struct listing held;
    listing_end(asked);
    listing_init(&held);
    PGresult *result = ask(
        all, asked, 1,
        "INSERT INTO addresses AS a(name, lot, epoch) SELECT n, %u, %lld FROM"
        " unnest($1::text[]) n ORDER BY n ON CONFLICT(name) DO"
        " UPDATE SET (lot, epoch, turn, waiting) = (SELECT CASE WHEN f THEN EXCLUDED.lot"
        " ELSE a.lot END, CASE WHEN f THEN EXCLUDED.epoch ELSE a.epoch END, CASE WHEN f"
        " THEN a.turn + 1 ELSE a.turn END, CASE WHEN f THEN array_remove(a.waiting,"
        " EXCLUDED.lot) WHEN EXCLUDED.lot = ANY(a.waiting) THEN a.waiting ELSE a.waiting"
        " || EXCLUDED.lot END FROM (SELECT (a.lot = EXCLUDED.lot AND a.epoch <="
        " EXCLUDED.epoch) OR EXISTS(SELECT FROM lots l WHERE l.lot = a.lot AND (l.epoch"
        " > a.epoch OR (l.epoch = a.epoch AND l.owner = ''))) AS f) t) RETURNING name,"
        " lot = %u AND epoch = %lld, turn, waiting <> '{}'",
        all->lot, all->epoch, all->lot, all->epoch);
    for (int i = 0; i < PQntuples(result); i++) {
        const char *name = PQgetvalue(result, i, 0);
        if (PQgetvalue(result, i, 1)[0] == 't')
            note_ours(all, name, PQgetvalue(result, i, 2),
                      PQgetvalue(result, i, 3)[0] == 't');
        else
            listing_add(&held, name, 0);
    }
    PQclear(result);
    if (held.n) {
        listing_end(&held);
        tell_holders(all, &held, WANTED);
    }
    listing_clear(&held);
}

/* To the first who waits. If he is gone, his lot has another owner by the time that it
 * matters, and the address is free. */
static void give(struct fg_addresses *all, struct listing *given)
{
    listing_end(given);
    PQclear(ask(all, given, 2,
                "UPDATE addresses a SET lot = waiting[1], epoch = (SELECT epoch FROM"
                " lots l WHERE l.lot = a.waiting[1]), turn = a.turn + 1, waiting ="
                " waiting[2:] FROM unnest($1::text[], $2::int8[]) g(name, turn) WHERE"
                " a.name = g.name AND a.turn = g.turn AND lot = %u AND epoch = %lld AND"
                " waiting <> '{}'",
                all->lot, all->epoch));
    tell_holders(all, given, GIVEN);
}

/* What others want of ours. */
static void look(struct fg_addresses *all)
{
    PGresult *result =
        ask(all, NULL, 0,
            "SELECT name FROM addresses WHERE lot = %u AND epoch = %lld AND waiting <>"
            " '{}'",
            all->lot, all->epoch);
    for (int i = 0; i < PQntuples(result); i++)
        note_wanted(all, PQgetvalue(result, i, 0));
    PQclear(result);
    all->next_look = fg_lease_now() + look_again;
}

/* --- the thread --- */

/* What the owners before us had is free; they leave no rows behind. */
static bool is_connected(struct fg_addresses *all)
{
    if (!fg_pg_is_lost(&all->link))
        return true;
    fg_pg_disconnect(&all->link);
    if (fg_pg_connect(&all->link, &all->place, FG_PG_READER, NULL))
        return false;
    PQclear(ask(all, NULL, 0, "SET synchronous_commit = on"));
    PQclear(ask(all, NULL, 0, "SET lock_timeout = '2s'"));
    PQclear(ask(all, NULL, 0, "LISTEN %s_lot%04u", all->place.schema, all->lot));
    PQclear(ask(all, NULL, 0, "DELETE FROM addresses WHERE lot = %u AND epoch < %lld",
                all->lot, all->epoch));
    PGresult *result = ask(all, NULL, 0, "SELECT " FG_PG_TIMELINE);
    if (result)
        all->timeline = (uint32_t)strtoul(PQgetvalue(result, 0, 0), NULL, 16);
    PQclear(result);
    all->next_look = 0;
    return result != NULL;
}

static void hear(struct fg_addresses *all)
{
    PGnotify *notice;
    if (!all->link.db || !PQconsumeInput(all->link.db))
        return;
    while ((notice = PQnotifies(all->link.db))) {
        bool is_given = strcmp(notice->extra, GIVEN) == 0;
        PQfreemem(notice);
        if (!is_given) {
            all->next_look = 0;
            continue;
        }
        pthread_mutex_lock(&all->lock);
        for (size_t i = 0; i < all->active.len; i++)
            all->active.at[i]->next_ask = 0;
        pthread_mutex_unlock(&all->lock);
    }
}

static void rest(struct fg_addresses *all, fg_time until)
{
    struct pollfd fds[] = {
        {.fd = all->wake, .events = POLLIN},
        {.fd = all->link.db ? PQsocket(all->link.db) : -1, .events = POLLIN}};
    fg_time left = until - fg_lease_now();
    uint64_t woken;
    if (left > 0 && poll(fds, 2, (int)(left / FG_MILLISECOND) + 1) > 0 && fds[0].revents)
        while (read(all->wake, &woken, sizeof woken) > 0) {
        }
}

/* Until something is to be done again. */
static fg_time take_turn(struct fg_addresses *all)
{
    struct listing asked, given;
    listing_init(&asked);
    listing_init(&given);
    hear(all);
    bool is_waiting = sort_all_out(all, &asked, &given);
    fg_time now = fg_lease_now();
    if ((asked.n || given.n || all->was_asked) && !is_connected(all)) {
        listing_clear(&asked);
        listing_clear(&given);
        return now + FG_SECOND / 2;
    }
    all->was_asked |= asked.n > 0;
    if (given.n)
        give(all, &given);
    if (asked.n)
        ask_for(all, &asked);
    if (all->was_asked && now >= all->next_look)
        look(all);
    listing_clear(&asked);
    listing_clear(&given);
    return now + (is_waiting ? attention : look_again);
}

static void *serve(void *context)
{
    struct fg_addresses *all = context;
    bool is_ending = false;
    while (!is_ending) {
        rest(all, take_turn(all));
        pthread_mutex_lock(&all->lock);
        is_ending = all->is_ending;
        pthread_mutex_unlock(&all->lock);
    }
    return NULL;
}

enum fg_status fg_addresses_open(struct fg_addresses **result, const char *place,
                                 unsigned lot, struct fg_lease *lease, struct fg_err *err)
{
    struct fg_addresses *all = fg_zeroed(1, sizeof *all);
    all->lease = lease;
    all->lot = lot;
    all->epoch = (long long)fg_lease_epoch(lease);
    all->by_name.arena = &all->arena;
    pthread_mutex_init(&all->lock, NULL);
    all->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    enum fg_status st = fg_pg_place_parse(&all->place, place, err);
    if (!st && all->wake < 0)
        st = fg_fail(err, FG_EIO, "cannot make an event: %s", strerror(errno));
    if (!st && pthread_create(&all->thread, NULL, serve, all) != 0)
        st = fg_fail(err, FG_EIO, "cannot start a thread");
    all->has_thread = !st;
    *result = st ? NULL : all;
    if (st)
        fg_addresses_close(all);
    return st;
}

/* What is ours is free when the lease is given back. */
void fg_addresses_close(struct fg_addresses *all)
{
    if (!all)
        return;
    pthread_mutex_lock(&all->lock);
    all->is_ending = true;
    pthread_mutex_unlock(&all->lock);
    if (all->has_thread) {
        poke(all);
        pthread_join(all->thread, NULL);
    }
    fg_pg_disconnect(&all->link);
    fg_pg_place_clear(&all->place);
    if (all->wake >= 0)
        close(all->wake);
    fg_vec_clear(&all->active);
    fg_arena_clear(&all->arena);
    pthread_mutex_destroy(&all->lock);
    free(all);
}
