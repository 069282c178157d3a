/* What the refresh policy is told about documents besides their visits: averages of
 * counts that were imported, and what networks expect of the next day (outlook.h).
 *
 * It is made by a thread of its own, once a day and when counts have come, because
 * training takes seconds. The thread owns the outlook while it runs; it publishes rates
 * twice, before and after training, and the loop tells them to the policy a few thousand
 * documents a turn. When the crawl ends, it is stopped within a batch of examples. */
#include "crawl/state.h"

#include "base/log.h"
#include "base/memory.h"
#include "crawl/outlook.h"

#include <event2/event.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

enum { A_TURN = 20000, NICE = 10, MOST_STATE = 1 << 30 };

/* Rates for documents, as they were published. */
struct rates {
    size_t n, told; /* told: to the policy, so far */
    uint64_t *id;
    float *rate[FG_TOLD_KINDS];
};

struct teller {
    pthread_mutex_t lock;
    pthread_t thread;
    struct rates
        *fresh; /* published and not yet taken: under the lock, as the next two */
    struct fg_buf saved; /* the forecasts, to be kept; empty: nothing new */
    bool is_done;        /* the thread has come to its end */
    atomic_bool stop;
    int wakeup; /* eventfd */

    struct fg_outlook *outlook; /* the thread's while it runs, as are the next four */
    fg_time trained;            /* monotonic; 0: not yet */
    uint64_t *id;
    size_t n;
    fg_time now;

    struct event *event; /* the loop's, as are the next two */
    struct rates *telling;
    bool is_running, again;
};

static void rates_free(struct rates *rates)
{
    if (!rates)
        return;
    free(rates->id);
    for (size_t kind = 0; kind < FG_TOLD_KINDS; kind++)
        free(rates->rate[kind]);
    free(rates);
}

static void teller_free(struct teller *teller)
{
    rates_free(teller->fresh);
    rates_free(teller->telling);
    fg_buf_clear(&teller->saved);
    fg_outlook_free(teller->outlook);
    free(teller->id);
    pthread_mutex_destroy(&teller->lock);
    close(teller->wakeup);
    free(teller);
}

/* --- in the thread --- */

static void *copy_of(const void *at, size_t n, size_t size_bytes)
{
    void *copy = fg_zeroed(n + 1, size_bytes);
    memcpy(copy, at, n * size_bytes);
    return copy;
}

static void publish(struct teller *teller)
{
    struct rates *rates = fg_zeroed(1, sizeof *rates);
    fg_outlook_rates(teller->outlook);
    const uint64_t *ids = fg_outlook_ids(teller->outlook, &rates->n);
    rates->id = copy_of(ids, rates->n, sizeof *ids);
    for (size_t kind = 0; kind < FG_TOLD_KINDS; kind++) {
        const float *told = fg_outlook_told(teller->outlook, (enum fg_told_rate)kind);
        if (told)
            rates->rate[kind] = copy_of(told, rates->n, sizeof *told);
    }
    pthread_mutex_lock(&teller->lock);
    rates_free(teller->fresh);
    teller->fresh = rates;
    pthread_mutex_unlock(&teller->lock);
    uint64_t one = 1;
    ssize_t put = write(teller->wakeup, &one, sizeof one);
    (void)put;
}

static void keep(struct teller *teller)
{
    struct fg_buf bytes;
    fg_buf_init(&bytes, MOST_STATE);
    fg_outlook_save(teller->outlook, &bytes);
    pthread_mutex_lock(&teller->lock);
    fg_buf_clear(&teller->saved);
    teller->saved = bytes;
    pthread_mutex_unlock(&teller->lock);
}

/* Days may pass in seconds where time is simulated. */
static bool is_time_to_train(const struct teller *teller)
{
    return !teller->trained || fg_time_monotonic() - teller->trained >= FG_MINUTE;
}

static void look_ahead(struct teller *teller)
{
    struct fg_outlook *outlook = teller->outlook;
    struct fg_err err = {0};
    enum fg_outlook_step step = FG_OUTLOOK_FAILED;
    if (!fg_outlook_begin(outlook, teller->id, teller->n, teller->now, &err))
        step = fg_outlook_step(outlook, &err);
    while (step < FG_OUTLOOK_DONE) {
        if (step == FG_OUTLOOK_TRAIN)
            fg_outlook_train(outlook, teller->now);
        step = fg_outlook_step(outlook, &err);
    }
    if (step == FG_OUTLOOK_FAILED) {
        if (!atomic_load(&teller->stop))
            fg_log_warn("crawl", "no outlook", FG_F("why", err.text));
        return;
    }
    publish(teller);
    if (!fg_outlook_has_news(outlook) || !is_time_to_train(teller))
        return;
    fg_outlook_train(outlook, teller->now);
    teller->trained = fg_time_monotonic();
    if (atomic_load(&teller->stop))
        return;
    keep(teller);
    publish(teller);
}

static void *run(void *context)
{
    struct teller *teller = context;
    setpriority(PRIO_PROCESS, (id_t)gettid(), NICE); /* of this thread, in Linux */
    look_ahead(teller);
    pthread_mutex_lock(&teller->lock);
    teller->is_done = true;
    pthread_mutex_unlock(&teller->lock);
    uint64_t one = 1;
    ssize_t put = write(teller->wakeup, &one, sizeof one);
    (void)put;
    return NULL;
}

/* --- in the loop --- */

static int by_id(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void begin(struct fg_crawl *crawl, fg_time now)
{
    struct teller *teller = crawl->teller;
    const struct fg_world *world = fg_mind_world(crawl->refresh);
    if (!world->n)
        return;
    free(teller->id);
    teller->n = world->n;
    teller->id = copy_of(world->id, world->n, sizeof *world->id);
    qsort(teller->id, teller->n, sizeof *teller->id, by_id);
    teller->now = now;
    teller->again = false;
    teller->is_done = false;
    teller->is_running = pthread_create(&teller->thread, NULL, run, teller) == 0;
    if (!teller->is_running)
        fg_log_warn("crawl", "no outlook", FG_F("why", "a thread cannot be started"));
}

static void tell_row(struct fg_mind *mind, const struct rates *rates, size_t i)
{
    size_t row = fg_mind_row(mind, rates->id[i]);
    for (size_t kind = 0; row != FG_NO_ROW && kind < FG_TOLD_KINDS; kind++)
        if (rates->rate[kind])
            fg_mind_tell(mind, row, (enum fg_told_rate)kind, rates->rate[kind][i]);
}

/* A part of them; the rest in the next turns. */
static void tell_some(struct fg_crawl *crawl)
{
    struct teller *teller = crawl->teller;
    struct rates *rates = teller->telling;
    for (size_t i = 0; rates && i < A_TURN && rates->told < rates->n; i++)
        tell_row(crawl->refresh, rates, rates->told++);
    if (!rates)
        return;
    if (rates->told < rates->n) {
        event_active(teller->event, EV_TIMEOUT, 1);
        return;
    }
    fg_log_debug("crawl", "documents told", FG_F("documents", rates->n),
                 FG_F("clicks", rates->rate[FG_TOLD_CLICKS_SMOOTH] != NULL),
                 FG_F("forecasts", rates->rate[FG_TOLD_CHANGES_MODEL] != NULL));
    rates_free(rates);
    teller->telling = NULL;
}

static void keep_saved(struct fg_crawl *crawl)
{
    struct teller *teller = crawl->teller;
    if (!teller->saved.len)
        return;
    struct fg_batch *batch = fg_batch_new(crawl->store);
    fg_batch_state(batch, 0, FG_OUTLOOK_STATE, fg_buf_str(&teller->saved));
    fg_store_submit(crawl->store, batch);
    fg_buf_clear(&teller->saved);
}

static void on_news(evutil_socket_t fd, short what, void *context)
{
    struct fg_crawl *crawl = context;
    struct teller *teller = crawl->teller;
    uint64_t count;
    if (what & EV_READ) {
        ssize_t got = read(fd, &count, sizeof count);
        (void)got;
    }
    pthread_mutex_lock(&teller->lock);
    if (teller->fresh) {
        rates_free(teller->telling);
        teller->telling = teller->fresh;
        teller->fresh = NULL;
    }
    keep_saved(crawl);
    bool is_done = teller->is_done;
    pthread_mutex_unlock(&teller->lock);
    if (is_done && teller->is_running) {
        pthread_join(teller->thread, NULL);
        teller->is_running = false;
        if (teller->again)
            begin(crawl, fg_clock_now(crawl->clock));
    }
    tell_some(crawl);
}

static struct teller *teller_new(struct fg_crawl *crawl)
{
    struct teller *teller = fg_zeroed(1, sizeof *teller);
    struct fg_forecast_rules rules = fg_outlook_rules();
    pthread_mutex_init(&teller->lock, NULL);
    teller->wakeup = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    rules.stop = &teller->stop;
    teller->outlook = fg_outlook_new(crawl->store, &rules);
    teller->event =
        event_new(crawl->loop, teller->wakeup, EV_READ | EV_PERSIST, on_news, crawl);
    event_add(teller->event, NULL);
    return teller;
}

void crawl_tell(struct fg_crawl *crawl, fg_time now)
{
    if (!crawl->options.forecasts || !fg_mind_world(crawl->refresh)->n)
        return;
    if (!crawl->teller)
        crawl->teller = teller_new(crawl);
    if (crawl->teller->is_running)
        crawl->teller->again = true;
    else
        begin(crawl, now);
}

void crawl_tell_document(struct fg_crawl *crawl, uint32_t row, fg_time now)
{
    (void)crawl;
    (void)row;
    (void)now;
}

void crawl_end_telling(struct fg_crawl *crawl)
{
    struct teller *teller = crawl->teller;
    crawl->teller = NULL;
    if (!teller)
        return;
    event_free(teller->event);
    atomic_store(&teller->stop, true);
    if (teller->is_running)
        pthread_join(teller->thread, NULL);
    teller_free(teller);
}
