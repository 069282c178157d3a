/* The queue, and the one thread that writes.
 *
 * Batches queue up; the thread takes all that wait, has the back end put them into one
 * transaction and commit it, which costs one sync of the disk however many there are. A
 * batch waits at most `flush_every` for company, less if somebody waits for it or much
 * has piled up. While a commit is under way the next group gathers by itself.
 *
 * When a commit fails, the transaction is rolled back and the group stays in hand,
 * untouched, in front of the queue: numbers are promised in order, so nothing may pass
 * it. The thread then tries again every second, because a full disk may be freed and a
 * lock of another program be released, and whenever somebody calls fg_store_flush. A row
 * that breaks a uniqueness rule is a bug of the caller. Its batch is refused for good:
 * the batches before it are written, and it stops the store with words, because skipping
 * it would break the promise about numbers and lose what was submitted.
 *
 * Batches are filled and emptied by the thousand a second. Each keeps its first block of
 * memory when it is recycled, so that in the steady state nothing is allocated; one that
 * once held a large body gives that memory back. */
#include "store/queue.h"

#include "base/memory.h"
#include "base/time.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum {
    GROUP_BYTES = 8 << 20, /* a transaction holds about this much at most */
    HURRY_BYTES = 4 << 20, /* and this much is company enough */
    IDLE_MS = 1000,        /* without work: then the back end may put things in order */
    RETRY_MS = 1000,
    SOON_MS =
        50, /* what is held up by others: at first, and then twice as long each time */
    KEPT_BYTES = 64 << 10,
    KEPT_BATCHES = 1024,
};

struct writer {
    struct fg_store *store;
    struct fg_batch *group; /* in hand: taken from the queue, not yet durable */
    bool is_tidy;           /* nothing came since the back end was last idle */
    int retry_ms; /* what is held up is tried again after so long; 0: it is not */
};

/* --- batches --- */

struct fg_batch *fg_batch_new(struct fg_store *store)
{
    assert(!store->options.read_only);
    pthread_mutex_lock(&store->lock);
    struct fg_batch *batch = store->spare;
    if (batch) {
        store->spare = batch->next;
        store->n_spare--;
    }
    pthread_mutex_unlock(&store->lock);
    if (!batch) {
        batch = fg_zeroed(1, sizeof *batch);
        batch->store = store;
    }
    batch->next = NULL;
    return batch;
}

static void reset(struct fg_batch *batch)
{
    if (batch->arena.used_bytes > KEPT_BYTES)
        fg_arena_clear(&batch->arena);
    else
        fg_arena_reset(&batch->arena);
    batch->first = batch->last = NULL;
}

static void free_batch(struct fg_batch *batch)
{
    fg_arena_clear(&batch->arena);
    free(batch);
}

void fg_batch_drop(struct fg_batch *batch)
{
    struct fg_store *store = batch->store;
    reset(batch);
    pthread_mutex_lock(&store->lock);
    bool keeps = store->n_spare < KEPT_BATCHES;
    if (keeps) {
        batch->next = store->spare;
        store->spare = batch;
        store->n_spare++;
    }
    pthread_mutex_unlock(&store->lock);
    if (!keeps)
        free_batch(batch);
}

/* --- committing --- */

static void wake_loop(struct fg_store *store)
{
    /* A full counter (EAGAIN) is readable already, which is all we want. */
    ssize_t n = write(store->wakeup_fd, &(uint64_t){1}, sizeof(uint64_t));
    (void)n;
}

/* Everything of the group up to, not including, `end` is on disk: say so. */
static void acknowledge(struct writer *writer, const struct fg_batch *end)
{
    struct fg_store *store = writer->store;
    uint64_t number = 0, n = 0;
    struct fg_batch *done = writer->group;
    for (struct fg_batch *batch = done; batch != end; batch = batch->next, n++)
        number = batch->number;
    pthread_mutex_lock(&store->lock);
    atomic_store_explicit(&store->has_more, store->writing.has_more,
                          memory_order_relaxed);
    atomic_store_explicit(&store->durable, number, memory_order_release);
    store->trouble = (struct fg_err){0};
    store->wants_retry = false;
    for (size_t i = 0; i < store->writing.worths.len; i++)
        fg_vec_push(&store->measured, store->writing.worths.at[i]);
    store->writing.worths.len = 0;
    store->effort.batches += n;
    store->effort.commits++;
    store->effort.cpu = fg_time_worked();
    pthread_cond_broadcast(&store->done);
    pthread_mutex_unlock(&store->lock);
    wake_loop(store);
    while (done != end) {
        struct fg_batch *batch = done;
        done = batch->next;
        fg_batch_drop(batch);
    }
    writer->group = done;
}

static enum fg_status commit(struct writer *writer, struct fg_err *err)
{
    struct fg_writing *writing = &writer->store->writing;
    enum fg_status st = fg_writing_commit(writing, writer->group, NULL, err);
    if (!st)
        acknowledge(writer, NULL);
    if (st != FG_EINPUT && st != FG_ELIMIT)
        return st;
    /* One batch cannot be written: find it, and let those before it pass. */
    do {
        const struct fg_batch *next = writer->group->next;
        st = fg_writing_commit(writing, writer->group, next, err);
        if (!st)
            acknowledge(writer, next);
    } while (!st && writer->group);
    return st;
}

static void tidy(struct writer *writer, bool is_idle)
{
    struct fg_store *store = writer->store;
    pthread_mutex_lock(&store->lock);
    struct fg_store_effort effort = store->effort;
    pthread_mutex_unlock(&store->lock);
    store->backend->ops->tidy(store->backend, is_idle, &effort);
    effort.cpu = fg_time_worked();
    pthread_mutex_lock(&store->lock);
    store->effort = effort;
    pthread_mutex_unlock(&store->lock);
    writer->is_tidy = is_idle;
}

/* --- waiting; the lock is held --- */

static struct timespec moment(fg_time monotonic)
{
    return (struct timespec){.tv_sec = monotonic / FG_SECOND,
                             .tv_nsec = monotonic % FG_SECOND * 1000};
}

static void wait_until(struct fg_store *store, fg_time monotonic)
{
    struct timespec ts = moment(monotonic);
    pthread_cond_timedwait(&store->work, &store->lock, &ts);
}

/* Until there is a group worth writing, or nothing came for a while and the back end
 * could put things in order, or the store closes. */
static void wait_for_work(struct writer *writer)
{
    struct fg_store *store = writer->store;
    fg_time idle_from = fg_time_monotonic();
    while (!store->closing) {
        if (store->first) {
            fg_time due = store->oldest + store->options.flush_every;
            if (store->hurry >= store->first->number ||
                store->queued_bytes >= HURRY_BYTES || fg_time_monotonic() >= due)
                return;
            wait_until(store, due);
        } else if (!writer->is_tidy) {
            fg_time due = idle_from + IDLE_MS * FG_MILLISECOND;
            if (fg_time_monotonic() >= due)
                return;
            wait_until(store, due);
        } else {
            pthread_cond_wait(&store->work, &store->lock);
        }
    }
}

static void take_group(struct writer *writer)
{
    struct fg_store *store = writer->store;
    struct fg_batch *last = NULL;
    size_t bytes = 0;
    writer->group = store->first;
    while (store->first && bytes < GROUP_BYTES) {
        last = store->first;
        bytes += last->arena.used_bytes;
        store->first = last->next;
    }
    if (last)
        last->next = NULL;
    if (!store->first)
        store->last = NULL;
    store->queued_bytes -= bytes;
    store->oldest = fg_time_monotonic();
}

/* The group in hand cannot be written: say so, and sleep until there is reason to try
 * again. False if the store closes instead. */
static bool wait_for_retry(struct writer *writer, const struct fg_err *err, bool is_busy)
{
    struct fg_store *store = writer->store;
    store->trouble = *err;
    store->is_locked = is_busy;
    pthread_cond_broadcast(&store->done);
    wake_loop(store);
    bool may_pass = err->status == FG_EFULL || err->status == FG_EIO;
    int longer_ms = writer->retry_ms ? 2 * writer->retry_ms : SOON_MS;
    writer->retry_ms = is_busy && longer_ms < RETRY_MS ? longer_ms : RETRY_MS;
    fg_time again = fg_time_monotonic() + writer->retry_ms * FG_MILLISECOND;
    while (!store->closing && !store->wants_retry &&
           !(may_pass && fg_time_monotonic() >= again)) {
        if (may_pass)
            wait_until(store, again);
        else
            pthread_cond_wait(&store->work, &store->lock);
    }
    store->wants_retry = false;
    return !store->closing;
}

/* --- the thread --- */

/* Write the group in hand however long it takes. False if the store closes while it
 * cannot be written; then the words stay in `trouble`. */
static bool write_in_hand(struct writer *writer)
{
    struct fg_store *store = writer->store;
    struct fg_err err = {0};
    bool goes_on = true;
    while (goes_on && commit(writer, &err) != FG_OK) {
        bool busy = store->backend->ops->is_busy(store->backend);
        pthread_mutex_lock(&store->lock);
        goes_on = wait_for_retry(writer, &err, busy);
        pthread_mutex_unlock(&store->lock);
    }
    writer->retry_ms = 0;
    if (goes_on)
        return true;
    bool written = commit(writer, &err) == FG_OK; /* the last chance */
    pthread_mutex_lock(&store->lock);
    store->trouble = written ? (struct fg_err){0} : err;
    pthread_mutex_unlock(&store->lock);
    return written;
}

static void drop_unwritten(struct writer *writer)
{
    struct fg_store *store = writer->store;
    for (struct fg_batch *batch = writer->group, *next; batch; batch = next) {
        next = batch->next;
        free_batch(batch);
    }
    for (struct fg_batch *batch = store->first, *next; batch; batch = next) {
        next = batch->next;
        free_batch(batch);
    }
    store->first = store->last = NULL;
}

static void *write_all(void *context)
{
    struct fg_store *store = context;
    struct writer writer = {.store = store, .is_tidy = true};
    for (;;) {
        pthread_mutex_lock(&store->lock);
        wait_for_work(&writer);
        take_group(&writer);
        bool ends = store->closing && !writer.group;
        pthread_mutex_unlock(&store->lock);
        bool was_idle = !writer.group;
        if (ends || (writer.group && !write_in_hand(&writer)))
            break;
        tidy(&writer, was_idle);
    }
    drop_unwritten(&writer);
    return NULL;
}

void fg_queue_init(struct fg_store *store)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&store->lock, NULL);
    pthread_cond_init(&store->work, &monotonic);
    pthread_cond_init(&store->done, &monotonic);
    pthread_condattr_destroy(&monotonic);
    store->wakeup_fd = -1;
}

void fg_queue_clear(struct fg_store *store)
{
    while (store->spare) {
        struct fg_batch *batch = store->spare;
        store->spare = batch->next;
        free_batch(batch);
    }
    fg_vec_clear(&store->measured);
    if (store->wakeup_fd >= 0)
        close(store->wakeup_fd);
    pthread_cond_destroy(&store->work);
    pthread_cond_destroy(&store->done);
    pthread_mutex_destroy(&store->lock);
}

enum fg_status fg_queue_start(struct fg_store *store, struct fg_err *err)
{
    store->wakeup_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (store->wakeup_fd < 0)
        return fg_fail(err, FG_EIO, "cannot make an eventfd: %s", strerror(errno));
    /* Signals are the main thread's. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&store->thread, NULL, write_all, store);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code)
        return fg_fail(err, FG_EIO, "cannot start a thread: %s", strerror(code));
    return FG_OK;
}

enum fg_status fg_queue_stop(struct fg_store *store, struct fg_err *err)
{
    pthread_mutex_lock(&store->lock);
    store->closing = true;
    pthread_cond_signal(&store->work);
    pthread_mutex_unlock(&store->lock);
    pthread_join(store->thread, NULL);
    if (!store->trouble.status)
        return FG_OK;
    return fg_fail(err, store->trouble.status, "%s (%zu results were not written)",
                   store->trouble.text, fg_store_backlog(store));
}

/* --- what callers see --- */

uint64_t fg_store_submit(struct fg_store *store, struct fg_batch *batch)
{
    pthread_mutex_lock(&store->lock);
    uint64_t number = atomic_load_explicit(&store->submitted, memory_order_relaxed) + 1;
    atomic_store_explicit(&store->submitted, number, memory_order_relaxed);
    batch->number = number;
    batch->next = NULL;
    bool was_empty = !store->first;
    bool was_little = store->queued_bytes < HURRY_BYTES;
    if (was_empty)
        store->oldest = fg_time_monotonic();
    else
        store->last->next = batch;
    if (was_empty)
        store->first = batch;
    store->last = batch;
    store->queued_bytes += batch->arena.used_bytes;
    /* The writer sleeps with its own alarm clock once it knows of the first. */
    if (was_empty || (was_little && store->queued_bytes >= HURRY_BYTES))
        pthread_cond_signal(&store->work);
    pthread_mutex_unlock(&store->lock);
    return number;
}

uint64_t fg_store_durable(const struct fg_store *store)
{
    return atomic_load_explicit(&store->durable, memory_order_acquire);
}

int fg_store_wakeup(const struct fg_store *store)
{
    return store->wakeup_fd;
}

size_t fg_store_backlog(const struct fg_store *store)
{
    uint64_t durable = fg_store_durable(store);
    return (size_t)(atomic_load_explicit(&store->submitted, memory_order_relaxed) -
                    durable);
}

static enum fg_status copy_trouble(const struct fg_store *store, struct fg_err *err)
{
    if (err && store->trouble.status)
        *err = store->trouble;
    return store->trouble.status;
}

/* The lock is held. The number hurried for: no batch beyond the last is waited for. */
static uint64_t hurry(struct fg_store *store, uint64_t number)
{
    uint64_t submitted = atomic_load_explicit(&store->submitted, memory_order_relaxed);
    if (number > submitted)
        number = submitted;
    if (number > store->hurry)
        store->hurry = number;
    pthread_cond_signal(&store->work);
    return number;
}

void fg_store_hurry(struct fg_store *store, uint64_t number)
{
    pthread_mutex_lock(&store->lock);
    hurry(store, number);
    pthread_mutex_unlock(&store->lock);
}

enum fg_status fg_store_flush(struct fg_store *store, uint64_t number, struct fg_err *err)
{
    pthread_mutex_lock(&store->lock);
    number = hurry(store, number);
    if (store->trouble.status && fg_store_durable(store) < number) {
        store->trouble = (struct fg_err){0};
        store->wants_retry = true;
    }
    while (fg_store_durable(store) < number && !store->trouble.status)
        pthread_cond_wait(&store->done, &store->lock);
    enum fg_status st =
        fg_store_durable(store) < number ? copy_trouble(store, err) : FG_OK;
    pthread_mutex_unlock(&store->lock);
    return st;
}

struct fg_measured *fg_store_take_measured(struct fg_store *store, size_t *n)
{
    pthread_mutex_lock(&store->lock);
    struct fg_measured *taken = store->measured.at;
    *n = store->measured.len;
    store->measured.at = NULL;
    store->measured.len = store->measured.capacity = 0;
    pthread_mutex_unlock(&store->lock);
    return taken;
}

enum fg_status fg_store_health(struct fg_store *store, struct fg_err *err)
{
    pthread_mutex_lock(&store->lock);
    enum fg_status st = copy_trouble(store, err);
    pthread_mutex_unlock(&store->lock);
    return st;
}

bool fg_store_is_locked(struct fg_store *store)
{
    pthread_mutex_lock(&store->lock);
    bool is_locked = store->trouble.status && store->is_locked;
    pthread_mutex_unlock(&store->lock);
    return is_locked;
}

struct fg_store_effort fg_store_effort(struct fg_store *store)
{
    pthread_mutex_lock(&store->lock);
    struct fg_store_effort effort = store->effort;
    pthread_mutex_unlock(&store->lock);
    return effort;
}

bool fg_store_has_more(const struct fg_store *store)
{
    return atomic_load_explicit(&store->has_more, memory_order_relaxed);
}
