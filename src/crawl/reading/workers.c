#include "crawl/reading/workers.h"

#include "base/lag.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/slices.h"
#include "base/vec.h"
#include "crawl/reading/apart.h"
#include "crawl/reading/mailbox.h"
#include "net/http/turn.h"
#include "store/lots.h"

#include <errno.h>
#include <event2/event.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Taken back in one turn of the main loop: timers and signals must not wait for more. */
enum { MOST_A_TURN = 32 };
/* Of a page that has more links, what they mean is worked out in slices: a thousand take
 * some ten milliseconds. */
enum { MANY_LINKS = 1000 };
/* The last places of marks are those of the main loop, of what it does in slices, and of
 * the reader. */
enum {
    MAIN_PLACE = FG_MARKS_PLACES - 1,
    SLICED_PLACE = FG_MARKS_PLACES - 2,
    READER_PLACE = FG_MARKS_PLACES - 3,
    MOST_WORKERS = FG_MARKS_PLACES - 3
};
/* Reading this much takes some milliseconds. */
enum { LARGE_BODY = 256 * 1024 };
/* A worker that has so much more to fetch than another one gives it pages to read, and so
 * many at a time. */
enum { UNEVEN = 4, MOST_GIVEN = 2 };
/* As many can be under way. */
enum { MOST_WARM = 256 };
/* A worker that is kept is freed after two to four of these. */
static const fg_time look_every = 50 * FG_MILLISECOND;

struct worker {
    struct fg_workers *workers;
    pthread_t thread;
    bool is_running; /* the main loop's */
    unsigned place;  /* of its marks */
    struct fg_mailbox inbox;
    /* Of the exchanges that are its own, how many have no answer yet; and how many it has
     * been given to read. */
    atomic_uint to_fetch, to_read;
    /* The thread's own. */
    struct event_base *loop;
    struct fg_fetcher *fetcher;
    struct fg_apart *apart; /* NULL: it reads itself */
    struct event *caller;
    FG_VEC(struct fg_exchange *) early; /* they wait for the gap */
    struct fg_lag reading;
    struct fg_turn_watcher watcher; /* the main loop's */
};

/* Reads large pages. */
struct reader {
    pthread_t thread;
    bool is_running;
    struct fg_mailbox inbox;
    struct fg_apart *apart;
};

/* What an exchange had for fetching and reading. */
struct warm {
    struct fg_fetch_room room;
    struct fg_arena_block *block;
};

/* An exchange that is back, and what the main loop does with it. The exchange may be in
 * use again before that has ended. */
struct dealing {
    struct fg_workers *workers;
    struct fg_exchange *exchange;
    unsigned place; /* of marks */
    struct fg_str url;
    char start_of_url[256];
};

struct fg_workers {
    struct workers_lease {
        struct fg_lease *lease; /* NULL: none */
        fg_time limit;
    } held;
    struct fg_fetch_options fetch;
    struct fg_marks *marks;
    struct event *caller, *watch, *goer;
    struct fg_mailbox back;
    struct fg_slices *slices;
    struct dealing sliced;                  /* what is done in slices */
    FG_VEC(struct fg_exchange *) long_ones; /* they wait for that, oldest first */
    struct reader reader;
    FG_VEC(struct warm) warm;
    size_t in_flight;
    bool is_stopped;
    fg_time looks_at; /* next, monotonic */
    struct fg_lag main_lag;
    struct fg_lag_window main_window, window;
    uint64_t shut;
    unsigned n;
    struct worker all[MOST_WORKERS];
};

/* --- exchanges --- */

void fg_exchange_init(struct fg_exchange *exchange)
{
    *exchange = (struct fg_exchange){0};
    fg_fetch_room_init(&exchange->room);
}

void fg_exchange_clear(struct fg_exchange *exchange)
{
    fg_fetch_room_clear(&exchange->room);
    fg_arena_clear(&exchange->arena);
}

static void warm_up(struct fg_workers *workers, struct fg_exchange *exchange)
{
    if (exchange->is_warm || !workers->warm.len)
        return;
    struct warm warm = workers->warm.at[--workers->warm.len];
    fg_fetch_room_clear(&exchange->room);
    exchange->room = warm.room;
    if (warm.block)
        fg_arena_add_block(&exchange->arena, warm.block);
    exchange->is_warm = true;
}

static void free_warm(struct warm *warm)
{
    fg_fetch_room_clear(&warm->room);
    fg_arena_block_free(warm->block);
}

void fg_workers_release(struct fg_workers *workers, struct fg_exchange *exchange)
{
    bool was_started = exchange->worker;
    struct warm warm = {exchange->room, fg_arena_take_block(&exchange->arena)};
    fg_exchange_init(exchange);
    if (was_started && workers->warm.len < MOST_WARM) {
        fg_fetch_room_reset(&warm.room);
        fg_vec_push(&workers->warm, warm);
    } else {
        free_warm(&warm);
    }
}

static bool is_page(const struct fg_response *response)
{
    return response->outcome == FG_FETCHED && response->status >= 200 &&
           response->status <= 299;
}

static void stop_it(struct fg_exchange *exchange)
{
    exchange->is_read = false;
    exchange->response.outcome = FG_FETCH_STOPPED;
    exchange->response.why = "stopped";
    exchange->response.url = exchange->request.url;
}

/* --- a worker --- */

static void be_unread(struct fg_exchange *exchange, enum fg_outcome outcome,
                      const char *why)
{
    exchange->is_read = false;
    exchange->response.outcome = outcome;
    exchange->response.why = why;
}

/* By another process; who dies of it is not we. */
static void read_apart(struct fg_exchange *exchange, struct fg_apart *apart)
{
    switch (fg_apart_read(apart, &exchange->reading, &exchange->arena,
                          exchange->request.url, &exchange->response, exchange->rules)) {
    case FG_APART_READ:
        break;
    case FG_APART_DEADLY:
        fg_marks_set_aside(exchange->worker->workers->marks, exchange->request.url);
        be_unread(exchange, FG_FETCH_SET_ASIDE,
                  "it was the end of two processes that read it: it is set aside");
        break;
    case FG_APART_NOBODY:
        be_unread(exchange, FG_FETCH_HERE, "there is no process that could read it");
        break;
    }
}

static void read_it(struct fg_exchange *exchange, unsigned place, struct fg_apart *apart)
{
    struct fg_marks *marks = exchange->worker->workers->marks;
    fg_time began = fg_time_monotonic();
    if (!fg_marks_begin(marks, place, exchange->request.url)) {
        be_unread(exchange, FG_FETCH_SET_ASIDE,
                  "reading it ended the crawl before: it is set aside");
        return;
    }
    if (!apart)
        fg_reading_from(&exchange->reading, &exchange->arena, exchange->request.url,
                        &exchange->response, exchange->rules);
    fg_marks_end(marks, place, false);
    if (apart)
        read_apart(exchange, apart);
    exchange->reading_took = fg_time_monotonic() - began;
}

static void read_here(struct worker *worker, struct fg_exchange *exchange)
{
    read_it(exchange, worker->place, worker->apart);
    fg_lag_note(&worker->reading, exchange->reading_took);
    fg_mailbox_post(&worker->workers->back, exchange);
}

/* To one that has little to do itself. */
static bool give_away(struct worker *worker, struct fg_exchange *exchange)
{
    struct fg_workers *workers = worker->workers;
    unsigned own = atomic_load(&worker->to_fetch);
    for (unsigned i = 0; i < workers->n && own >= UNEVEN; i++) {
        struct worker *other = &workers->all[i];
        if (other == worker || atomic_load(&other->to_fetch) + UNEVEN > own ||
            atomic_load(&other->to_read) >= MOST_GIVEN)
            continue;
        atomic_fetch_add(&other->to_read, 1);
        if (fg_mailbox_post_if_open(&other->inbox, exchange))
            return true;
        atomic_fetch_sub(&other->to_read, 1);
    }
    return false;
}

static void on_response(void *context, const struct fg_response *response)
{
    struct fg_exchange *exchange = context;
    exchange->response = *response;
    exchange->response.url = exchange->request.url;
    exchange->response.why = fg_arena_cstr(&exchange->arena, fg_str_from(response->why));
    exchange->is_read = exchange->is_to_be_read && is_page(response);
    exchange->ended = fg_time_monotonic();
    exchange->reading_took = 0;
    struct worker *worker = exchange->worker;
    if (exchange->is_entered)
        fg_lease_leave(worker->workers->held.lease);
    exchange->is_entered = false;
    atomic_fetch_sub(&worker->to_fetch, 1);
    if (!exchange->is_read)
        fg_mailbox_post(&worker->workers->back, exchange);
    else if (response->body.len > LARGE_BODY)
        fg_mailbox_post(&worker->workers->reader.inbox, exchange);
    else if (!give_away(worker, exchange))
        read_here(worker, exchange);
}

/* When its lane lets it go. */
static fg_time due(const struct fg_exchange *exchange)
{
    const struct fg_lane *lane = exchange->lane;
    return lane->sent && exchange->gap > 0 ? lane->sent + exchange->gap : 0;
}

static void on_due(evutil_socket_t fd, short what, void *context);
static void return_unsent(struct fg_exchange *exchange);

static void send_or_wait(struct fg_exchange *exchange)
{
    fg_time now = fg_time_monotonic(), wait = due(exchange) - now;
    if (wait > 0) {
        struct timeval after = {wait / FG_SECOND, wait % FG_SECOND};
        fg_vec_push(&exchange->worker->early, exchange);
        event_base_once(exchange->worker->loop, -1, EV_TIMEOUT, on_due, exchange, &after);
        return;
    }
    struct workers_lease lease = exchange->worker->workers->held;
    exchange->is_entered = lease.lease && fg_lease_enter(lease.lease, lease.limit);
    if (lease.lease && !exchange->is_entered) {
        return_unsent(exchange);
        return;
    }
    exchange->sent = exchange->lane->sent = now;
    exchange->request.note = &exchange->note;
    exchange->request.room = &exchange->room;
    exchange->request.done = on_response;
    exchange->request.context = exchange;
    fg_fetcher_start(exchange->worker->fetcher, &exchange->request);
}

/* Another one may have gone first, and the loop's idea of the time is coarse: it is
 * looked at again. */
static void on_due(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct fg_exchange *exchange = context;
    struct worker *worker = exchange->worker;
    for (size_t i = 0; i < worker->early.len; i++)
        if (worker->early.at[i] == exchange)
            worker->early.at[i] = worker->early.at[--worker->early.len];
    send_or_wait(exchange);
}

static void return_unsent(struct fg_exchange *exchange)
{
    stop_it(exchange);
    exchange->sent = exchange->ended = fg_time_monotonic();
    atomic_fetch_sub(&exchange->worker->to_fetch, 1);
    fg_mailbox_post(&exchange->worker->workers->back, exchange);
}

/* Another worker has fetched it. */
static void read_given(struct worker *worker, struct fg_exchange *exchange,
                       bool is_closing)
{
    if (is_closing) {
        stop_it(exchange);
        fg_mailbox_post(&worker->workers->back, exchange);
    } else {
        read_here(worker, exchange);
    }
    atomic_fetch_sub(&worker->to_read, 1);
}

static void end_worker(struct worker *worker)
{
    fg_fetcher_stop(worker->fetcher);
    for (size_t i = 0; i < worker->early.len; i++)
        return_unsent(worker->early.at[i]);
    worker->early.len = 0;
    event_base_loopbreak(worker->loop);
}

static void on_inbox(evutil_socket_t fd, short what, void *context)
{
    (void)what;
    struct worker *worker = context;
    bool is_closing;
    fg_mailbox_answer(fd);
    struct fg_exchange *next = fg_mailbox_take(&worker->inbox, SIZE_MAX, &is_closing);
    for (struct fg_exchange *exchange; (exchange = next);) {
        next = exchange->next;
        if (exchange->is_read) {
            read_given(worker, exchange, is_closing);
            continue;
        }
        if (is_closing) {
            return_unsent(exchange);
            continue;
        }
        if (exchange->prepare)
            exchange->prepare(exchange->context, exchange);
        send_or_wait(exchange);
    }
    if (is_closing)
        end_worker(worker);
}

static void *work(void *context)
{
    struct worker *worker = context;
    event_base_dispatch(worker->loop);
    return NULL;
}

/* --- the reader --- */

static void *read_large(void *context)
{
    struct fg_workers *workers = context;
    struct fg_mailbox *inbox = &workers->reader.inbox;
    struct pollfd bell = {.fd = inbox->fd, .events = POLLIN};
    for (bool is_closing = false; !is_closing;) {
        poll(&bell, 1, -1);
        fg_mailbox_answer(inbox->fd);
        for (struct fg_exchange *exchange;
             (exchange = fg_mailbox_take(inbox, 1, &is_closing)) != NULL;) {
            if (is_closing)
                stop_it(exchange);
            else
                read_it(exchange, READER_PLACE, workers->reader.apart);
            fg_mailbox_post(&workers->back, exchange);
        }
    }
    return NULL;
}

/* --- the main loop's side --- */

/* Who it was that kept a thread, for whoever reads the log. */
static void tell_of_lag(const struct fg_exchange *exchange)
{
    const struct fg_response *response = &exchange->response;
    bool is_own = response->body.len <= LARGE_BODY; /* it was read by the worker */
    fg_time reading = is_own ? exchange->reading_took : 0;
    if (response->was_shut)
        fg_log_warn("crawl", "a server kept a thread at work, and was cut off",
                    FG_F("url", exchange->request.url),
                    FG_F("ms", response->held_up / FG_MILLISECOND));
    else if (response->held_up > FG_LAG_LATE || reading > FG_LAG_LATE)
        fg_log_warn("crawl", "an answer held up other hosts",
                    FG_F("url", exchange->request.url),
                    FG_F("fetching_ms", response->held_up / FG_MILLISECOND),
                    FG_F("reading_ms", reading / FG_MILLISECOND));
}

static void deal_with(void *context)
{
    const struct dealing *dealing = context;
    struct fg_workers *workers = dealing->workers;
    struct fg_exchange *exchange = dealing->exchange;
    bool is_marked = exchange->is_read && fg_marks_begin(workers->marks, dealing->place,
                                                         exchange->request.url);
    tell_of_lag(exchange);
    workers->shut += exchange->response.was_shut;
    workers->in_flight--;
    exchange->done(exchange);
    if (is_marked)
        fg_marks_end(workers->marks, dealing->place, true);
}

static void dealing_init(struct dealing *dealing, struct fg_workers *workers,
                         struct fg_exchange *exchange, unsigned place)
{
    struct fg_str url =
        fg_str_sub(exchange->request.url, 0, sizeof dealing->start_of_url);
    *dealing = (struct dealing){.workers = workers, .exchange = exchange, .place = place};
    if (url.len)
        memcpy(dealing->start_of_url, url.at, url.len);
    dealing->url = (struct fg_str){dealing->start_of_url, url.len};
}

/* What a turn of the main loop took, for this one. */
static void note_turn(struct fg_workers *workers, struct fg_str url, fg_time began)
{
    fg_time took = fg_time_monotonic() - began;
    fg_lag_note(&workers->main_lag, took);
    if (took > FG_LAG_LATE)
        fg_log_warn("crawl", "an answer held up the main loop", FG_F("url", url),
                    FG_F("ms", took / FG_MILLISECOND));
}

static void deal_at_once(struct fg_workers *workers, struct fg_exchange *exchange)
{
    struct dealing dealing;
    fg_time began = fg_time_monotonic();
    dealing_init(&dealing, workers, exchange, MAIN_PLACE);
    deal_with(&dealing);
    note_turn(workers, dealing.url, began);
}

/* --- in slices --- */

static bool is_long(const struct fg_exchange *exchange)
{
    return exchange->is_read && exchange->reading.n_links > MANY_LINKS;
}

static struct fg_exchange *next_long(struct fg_workers *workers)
{
    if (!workers->long_ones.len)
        return NULL;
    struct fg_exchange *first = workers->long_ones.at[0];
    memmove(workers->long_ones.at, workers->long_ones.at + 1,
            --workers->long_ones.len * sizeof *workers->long_ones.at);
    return first;
}

/* One slice; the next one comes when the loop has had a turn for all others. */
static void on_slice(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct fg_workers *workers = context;
    fg_time began = fg_time_monotonic();
    if (fg_slices_has_paused(workers->slices)) {
        fg_slices_go_on(workers->slices);
    } else {
        struct fg_exchange *exchange = next_long(workers);
        if (!exchange)
            return;
        dealing_init(&workers->sliced, workers, exchange, SLICED_PLACE);
        fg_slices_begin(workers->slices, deal_with, &workers->sliced);
    }
    note_turn(workers, workers->sliced.url, began);
    if (fg_slices_has_paused(workers->slices) || workers->long_ones.len)
        event_add(workers->goer, &(struct timeval){0, 0});
}

bool fg_workers_is_due(const struct fg_workers *workers)
{
    return fg_slices_is_due(workers->slices);
}

bool fg_workers_has_paused(const struct fg_workers *workers)
{
    return fg_slices_has_paused(workers->slices);
}

void fg_workers_pause(struct fg_workers *workers)
{
    fg_slices_pause(workers->slices);
}

/* --- watching --- */

static void free_workers(struct fg_workers *workers)
{
    for (unsigned i = 0; i < workers->n; i++)
        if (workers->all[i].is_running)
            fg_turn_watch(fg_fetcher_turn(workers->all[i].fetcher),
                          &workers->all[i].watcher);
}

static void look_later(struct fg_workers *workers)
{
    workers->looks_at = fg_time_monotonic() + look_every;
    event_add(workers->watch, &(struct timeval){0, look_every});
}

/* Only while there is something to watch: a crawl that waits for its next tick sleeps. */
static void on_look(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct fg_workers *workers = context;
    fg_lag_note(&workers->main_lag, fg_time_monotonic() - workers->looks_at);
    free_workers(workers);
    if (workers->in_flight)
        look_later(workers);
}

struct fg_workers_lag fg_workers_lag(struct fg_workers *workers)
{
    fg_time now = fg_time_monotonic();
    struct fg_workers_lag lag = {.late = atomic_load(&workers->main_lag.late),
                                 .shut = workers->shut};
    fg_lag_gather(&workers->main_window, &workers->main_lag, now);
    for (unsigned i = 0; i < workers->n; i++) {
        struct fg_turn *turn = fg_fetcher_turn(workers->all[i].fetcher);
        fg_lag_gather(&workers->window, &workers->all[i].reading, now);
        fg_lag_gather(&workers->window, &turn->lag, now);
        lag.late +=
            atomic_load(&workers->all[i].reading.late) + atomic_load(&turn->lag.late);
    }
    lag.main = fg_lag_longest(&workers->main_window);
    lag.workers = fg_lag_longest(&workers->window);
    return lag;
}

static void on_back(evutil_socket_t fd, short what, void *context)
{
    (void)what;
    struct fg_workers *workers = context;
    bool is_closing;
    fg_mailbox_answer(fd);
    struct fg_exchange *next = fg_mailbox_take(&workers->back, MOST_A_TURN, &is_closing);
    for (struct fg_exchange *exchange; (exchange = next);) {
        next = exchange->next;
        if (is_long(exchange))
            fg_vec_push(&workers->long_ones, exchange);
        else
            deal_at_once(workers, exchange);
    }
    if (workers->long_ones.len && !evtimer_pending(workers->goer, NULL))
        event_add(workers->goer, &(struct timeval){0, 0});
    fg_mailbox_ring_again(&workers->back);
}

static enum fg_status start_thread(pthread_t *thread, bool *is_running,
                                   void *(*run)(void *), void *context,
                                   struct fg_err *err)
{
    /* Signals are the main thread's. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(thread, NULL, run, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    *is_running = !code;
    return code ? fg_fail(err, FG_EIO, "cannot start a thread: %s", strerror(code))
                : FG_OK;
}

/* Who is not woken waits for ever. */
static enum fg_status cannot_wait(struct fg_err *err)
{
    return fg_fail(err, FG_EIO, "cannot wait for events: %s", strerror(errno));
}

static enum fg_status start_worker(struct worker *worker, struct fg_err *err)
{
    worker->loop = event_base_new();
    if (!worker->loop)
        fg_out_of_memory();
    if (!fg_mailbox_init(&worker->inbox))
        return fg_fail(err, FG_EIO, "cannot make an eventfd: %s", strerror(errno));
    worker->caller =
        event_new(worker->loop, worker->inbox.fd, EV_READ | EV_PERSIST, on_inbox, worker);
    if (event_add(worker->caller, NULL))
        return cannot_wait(err);
    enum fg_status st =
        fg_fetcher_new(&worker->fetcher, worker->loop, &worker->workers->fetch, err);
    return st ? st
              : start_thread(&worker->thread, &worker->is_running, work, worker, err);
}

static enum fg_status start_reader(struct fg_workers *workers, struct fg_err *err)
{
    struct reader *reader = &workers->reader;
    if (!fg_mailbox_init(&reader->inbox))
        return fg_fail(err, FG_EIO, "cannot make an eventfd: %s", strerror(errno));
    return start_thread(&reader->thread, &reader->is_running, read_large, workers, err);
}

static unsigned count_of(unsigned wanted)
{
    long cores = wanted ? (long)wanted : sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > MOST_WORKERS ? MOST_WORKERS : (unsigned)cores;
}

enum fg_status fg_workers_new(struct fg_workers **result, struct event_base *loop,
                              unsigned n, const struct fg_fetch_options *fetch,
                              struct fg_marks *marks, struct fg_err *err)
{
    struct fg_workers *workers = fg_zeroed(1, sizeof *workers);
    *result = NULL;
    workers->fetch = *fetch;
    workers->marks = marks;
    workers->reader.inbox.fd = -1;
    workers->slices = fg_slices_new();
    n = count_of(n);
    workers->fetch.max_idle = fg_fetch_most_idle(fetch->max_connections) / n + 1;
    enum fg_status st = FG_OK;
    if (!fg_mailbox_init(&workers->back))
        st = fg_fail(err, FG_EIO, "cannot make an eventfd: %s", strerror(errno));
    if (!st)
        st = start_reader(workers, err);
    while (!st && workers->n < n) {
        struct worker *worker = &workers->all[workers->n];
        worker->place = workers->n++;
        worker->workers = workers;
        st = start_worker(worker, err);
    }
    workers->caller =
        event_new(loop, workers->back.fd, EV_READ | EV_PERSIST, on_back, workers);
    workers->watch = evtimer_new(loop, on_look, workers);
    workers->goer = evtimer_new(loop, on_slice, workers);
    if (!workers->caller || !workers->watch || !workers->goer)
        fg_out_of_memory();
    if (!st && event_add(workers->caller, NULL))
        st = cannot_wait(err);
    if (st) {
        fg_workers_free(workers);
        return st;
    }
    *result = workers;
    return FG_OK;
}

enum fg_status fg_workers_read_apart(struct fg_workers *workers, struct fg_err *err)
{
    struct fg_apart_options options = {.max_body = workers->fetch.max_body};
    enum fg_status st = fg_apart_new(&workers->reader.apart, &options, err);
    for (unsigned i = 0; !st && i < workers->n; i++)
        st = fg_apart_new(&workers->all[i].apart, &options, err);
    return st;
}

void fg_workers_hold_to(struct fg_workers *workers, struct fg_lease *lease, fg_time limit)
{
    workers->held = (struct workers_lease){lease, limit};
}

/* It may be kept by a server just now. */
static void join(struct fg_workers *workers, pthread_t thread)
{
    fg_time looks_at = fg_time_monotonic() + look_every;
    while (pthread_tryjoin_np(thread, NULL) == EBUSY) {
        usleep(1000);
        if (fg_time_monotonic() < looks_at)
            continue;
        looks_at += look_every;
        free_workers(workers);
    }
}

/* The reader last: it reads what the workers have. */
static void end_threads(struct fg_workers *workers)
{
    for (unsigned i = 0; i < workers->n; i++)
        if (workers->all[i].is_running)
            fg_mailbox_close(&workers->all[i].inbox);
    for (unsigned i = 0; i < workers->n; i++)
        if (workers->all[i].is_running)
            join(workers, workers->all[i].thread);
    for (unsigned i = 0; i < workers->n; i++)
        workers->all[i].is_running = false;
    if (workers->reader.is_running) {
        fg_mailbox_close(&workers->reader.inbox);
        pthread_join(workers->reader.thread, NULL);
        workers->reader.is_running = false;
    }
    workers->is_stopped = true;
}

static void return_stopped(struct fg_workers *workers, struct fg_exchange *exchange)
{
    stop_it(exchange);
    workers->in_flight--;
    exchange->done(exchange);
}

void fg_workers_stop(struct fg_workers *workers)
{
    bool is_closing;
    struct fg_exchange *exchange;
    fg_slices_finish(workers->slices);
    end_threads(workers);
    while ((exchange = next_long(workers)))
        return_stopped(workers, exchange);
    while ((exchange = fg_mailbox_take(&workers->back, 1, &is_closing)))
        return_stopped(workers, exchange);
}

void fg_workers_free(struct fg_workers *workers)
{
    if (!workers)
        return;
    fg_slices_free(workers->slices);
    end_threads(workers);
    for (unsigned i = 0; i < workers->n; i++) {
        struct worker *worker = &workers->all[i];
        fg_fetcher_free(worker->fetcher);
        fg_apart_free(worker->apart);
        if (worker->caller)
            event_free(worker->caller);
        event_base_free(worker->loop);
        fg_mailbox_clear(&worker->inbox);
        fg_vec_clear(&worker->early);
        fg_turn_watcher_clear(&worker->watcher);
    }
    if (workers->caller)
        event_free(workers->caller);
    if (workers->watch)
        event_free(workers->watch);
    if (workers->goer)
        event_free(workers->goer);
    fg_apart_free(workers->reader.apart);
    fg_vec_clear(&workers->long_ones);
    while (workers->warm.len)
        free_warm(&workers->warm.at[--workers->warm.len]);
    fg_vec_clear(&workers->warm);
    fg_mailbox_clear(&workers->reader.inbox);
    fg_mailbox_clear(&workers->back);
    free(workers);
}

void fg_lane_init(struct fg_lane *lane, const struct fg_workers *workers,
                  struct fg_str host)
{
    *lane = (struct fg_lane){.worker = (unsigned)(fg_str_hash(host) % workers->n)};
}

void fg_workers_start(struct fg_workers *workers, struct fg_exchange *exchange)
{
    struct worker *worker = &workers->all[exchange->lane->worker];
    workers->in_flight++;
    warm_up(workers, exchange);
    atomic_fetch_add(&worker->to_fetch, 1);
    exchange->handed = fg_time_monotonic();
    exchange->worker = worker;
    exchange->is_read = false;
    exchange->response = (struct fg_response){0};
    if (!evtimer_pending(workers->watch, NULL))
        look_later(workers);
    if (workers->is_stopped)
        return_unsent(exchange);
    else
        fg_mailbox_post(&worker->inbox, exchange);
}

size_t fg_workers_room(const struct fg_workers *workers)
{
    size_t most = workers->fetch.max_connections;
    return most > workers->in_flight ? most - workers->in_flight : 0;
}

size_t fg_workers_in_flight(const struct fg_workers *workers)
{
    return workers->in_flight;
}
