/* workers.h - threads that fetch and read, so that the main loop need not
 *
 *     fg_workers_new(&workers, loop, n, &fetch, err);
 *     fg_lane_init(&lane, workers, host);
 *     exchange->done = done;             (called on the main loop when it is back)
 *     fg_workers_start(workers, exchange);
 *
 * Each worker is a thread with an event loop and a fetcher of its own. A host belongs to
 * one of them, by its lane: its connections stay together, and nothing of a lane is
 * shared between threads. An exchange is one request and what came of it. It is handed
 * over twice, whole: to the worker, which sends, receives, decodes and reads, and back to
 * the loop that `done` is called on. Whoever has it owns all of it, so that there are
 * neither copies nor locks but those of the two queues.
 *
 * Pages are read by the worker that fetched them, unless it has much to fetch and another
 * one has nothing to do, which reads then as well: a large site alone would leave all but
 * one idle. Large pages are read by one more thread, one after the other: on a worker's
 * own they would hold up every host it serves. A worker that a server keeps at work
 * without end is freed from it, by net/http/turn.h.
 *
 * What comes back is dealt with on the main loop. If a page has many links, that is done
 * in slices (base/slices.h), with turns of the loop for everybody else between them; of
 * such pages one after the other.
 *
 * When a host may be asked is decided on the main loop (crawl/host/polite.c), which has
 * what that takes: robots.txt, back-off, what was saved. A worker that is busy reading
 * may send later than it was told, so the gap to the host's next request is kept by the
 * worker as well, counted from when it truly sent: two requests that were decided on one
 * gap apart never leave closer together than that. */
#ifndef FG_CRAWL_WORKERS_H
#define FG_CRAWL_WORKERS_H

#include "base/arena.h"
#include "base/err.h"
#include "crawl/reading/marks.h"
#include "crawl/reading/reading.h"
#include "net/http/fetch.h"

struct event_base;
struct fg_workers;

/* The requests to one host: who sends them, and when the last one went out. */
struct fg_lane {
    unsigned worker;
    fg_time sent; /* monotonic; the worker's */
};

struct fg_exchange {
    /* Set before it is handed over; texts hold until it is done, best in the arena. */
    struct fg_request request; /* but for note, room, done and context */
    struct fg_request_note note;
    /* Called by the worker before it asks: may read what the request needs. Or NULL. */
    void (*prepare)(void *context, struct fg_exchange *exchange);
    void *context;
    struct fg_lane *lane;
    fg_time gap; /* to the request before in its lane, in real time */
    struct fg_reading_rules rules;
    bool is_to_be_read; /* by those rules, if a page comes */
    void (*done)(struct fg_exchange *exchange);
    /* What came of it. */
    struct fg_response response;
    struct fg_reading reading;   /* if it was read */
    bool is_read, is_entered;    /* entered: counted as open by the lease */
    fg_time handed, sent, ended; /* monotonic: over to the worker, out, and back in */
    fg_time reading_took;
    bool is_warm; /* it has memory of an earlier one */
    /* Memory of the whole, from one request to the next: see fg_workers_release. */
    struct fg_arena arena;
    /* Private. */
    struct fg_fetch_room room;
    struct worker *worker;
    struct fg_exchange *next;
};

void fg_exchange_init(struct fg_exchange *exchange);
void fg_exchange_clear(struct fg_exchange *exchange);

/* `n` threads; 0: one a core. What they read is marked, unless `marks` is NULL, until
 * `done` has dealt with it; a page that is set aside comes back as FG_FETCH_SET_ASIDE. */
enum fg_status fg_workers_new(struct fg_workers **workers, struct event_base *loop,
                              unsigned n, const struct fg_fetch_options *fetch,
                              struct fg_marks *marks, struct fg_err *err);
/* Exchanges that are not back are dropped, without a call of `done`. */
void fg_workers_free(struct fg_workers *workers);

/* From now on nothing is sent that might outlast the lease, if each request ends after
 * `limit`: what would is given back as stopped. Before the first exchange. */
struct fg_lease;
void fg_workers_hold_to(struct fg_workers *workers, struct fg_lease *lease,
                        fg_time limit);

/* From now on pages are read in processes of their own (apart.h). One that is the end of
 * those is set aside at once. Before the first exchange. */
enum fg_status fg_workers_read_apart(struct fg_workers *workers, struct fg_err *err);

void fg_lane_init(struct fg_lane *lane, const struct fg_workers *workers,
                  struct fg_str host);

/* Never calls `done` before it returns. */
void fg_workers_start(struct fg_workers *workers, struct fg_exchange *exchange);
/* What came of it is no longer wanted. What it took for fetching and reading goes to the
 * next one that is started: with many thousand hosts as many exchanges may wait. */
void fg_workers_release(struct fg_workers *workers, struct fg_exchange *exchange);

/* In `done`, on behalf of a page with many links: has this turn lasted long enough? Then
 * everything is to be left as others may find it, before the pause. */
bool fg_workers_is_due(const struct fg_workers *workers);
void fg_workers_pause(struct fg_workers *workers);
/* Has one been dealt with in part? */
bool fg_workers_has_paused(const struct fg_workers *workers);

/* How many more can be started now within fetch.max_connections, of all workers. */
size_t fg_workers_room(const struct fg_workers *workers);
size_t fg_workers_in_flight(const struct fg_workers *workers);

/* For people: how long turns of the loops lasted, at most, within the last minute or two;
 * since the start, how many were longer than FG_LAG_LATE, and how many servers were cut
 * off for keeping a worker. */
struct fg_workers_lag {
    fg_time main, workers;
    uint64_t late, shut;
};
struct fg_workers_lag fg_workers_lag(struct fg_workers *workers);

/* End the threads; all that is not back is done before this returns, as stopped, and so
 * is what is started from then on. */
void fg_workers_stop(struct fg_workers *workers);

#endif
