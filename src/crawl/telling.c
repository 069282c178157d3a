/* What the refresh policy is told about documents besides their visits: averages of
 * counts that were imported, and what networks expect of the next day (outlook.h).
 *
 * It is made by a thread of its own, once a day and when counts have come, because
 * training takes seconds. The thread owns the outlook while it runs; it publishes rates
 * twice, before and after training, and the loop tells them to the policy a few thousand
 * documents a turn. When the crawl ends, it is stopped within a batch of examples. */
#include "crawl/minds.h"
#include "crawl/state.h"

#include "base/log.h"
#include "base/memory.h"
#include "crawl/outlook.h"
#include "crawl/told.h"

#include <event2/event.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

enum { A_TURN = 20000, NICE = 10, MOST_STATE = 1 << 30 };

struct teller {
    pthread_mutex_t lock;
    pthread_t thread;
    struct fg_told
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
    struct fg_told *telling;
    bool is_running, again;
};

static void teller_free(struct teller *teller)
{
    fg_told_free(teller->fresh);
    fg_told_free(teller->telling);
    fg_buf_clear(&teller->saved);
    fg_outlook_free(teller->outlook);
    free(teller->id);
    pthread_mutex_destroy(&teller->lock);
    close(teller->wakeup);
    free(teller);
}

/* --- in the thread --- */

static void wake(struct teller *teller)
{
    uint64_t one = 1;
    ssize_t put = write(teller->wakeup, &one, sizeof one);
    (void)put;
}

static void publish(struct teller *teller)
{
    fg_outlook_rates(teller->outlook);
    struct fg_told *told = fg_told_from(teller->outlook);
    pthread_mutex_lock(&teller->lock);
    fg_told_free(teller->fresh);
    teller->fresh = told;
    pthread_mutex_unlock(&teller->lock);
    wake(teller);
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
    wake(teller);
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
    struct teller *teller = crawl->minds.teller;
    const struct fg_world *world = fg_mind_world(crawl->minds.refresh);
    if (!world->n)
        return;
    teller->n = world->n;
    teller->id = fg_resized(teller->id, teller->n, sizeof *teller->id);
    memcpy(teller->id, world->id, teller->n * sizeof *teller->id);
    qsort(teller->id, teller->n, sizeof *teller->id, by_id);
    teller->now = now;
    teller->again = false;
    teller->is_done = false;
    teller->is_running = pthread_create(&teller->thread, NULL, run, teller) == 0;
    if (!teller->is_running)
        fg_log_warn("crawl", "no outlook", FG_F("why", "a thread cannot be started"));
}

/* They are kept once the policy knows them all. */
static void keep_told(struct fg_crawl *crawl, const struct fg_told *told)
{
    struct fg_buf bytes;
    fg_buf_init(&bytes, MOST_STATE);
    fg_told_save(told, &bytes);
    struct fg_batch *batch = fg_batch_new(crawl->store);
    fg_batch_state(batch, 0, FG_TOLD_STATE, fg_buf_str(&bytes));
    fg_store_submit(crawl->store, batch);
    fg_buf_clear(&bytes);
    fg_log_debug("crawl", "documents told", FG_F("documents", told->n),
                 FG_F("clicks", told->rate[FG_TOLD_CLICKS_SMOOTH] != NULL),
                 FG_F("forecasts", told->rate[FG_TOLD_CHANGES_MODEL] != NULL));
}

/* A part of them; the rest in the next turns. */
static void tell_some(struct fg_crawl *crawl)
{
    struct teller *teller = crawl->minds.teller;
    if (!teller->telling)
        return;
    if (fg_told_to_mind(teller->telling, crawl->minds.refresh, A_TURN)) {
        event_active(teller->event, EV_TIMEOUT, 1);
        return;
    }
    keep_told(crawl, teller->telling);
    fg_told_free(teller->telling);
    teller->telling = NULL;
}

static void keep_saved(struct fg_crawl *crawl)
{
    struct teller *teller = crawl->minds.teller;
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
    struct teller *teller = crawl->minds.teller;
    uint64_t count;
    if (what & EV_READ) {
        ssize_t got = read(fd, &count, sizeof count);
        (void)got;
    }
    pthread_mutex_lock(&teller->lock);
    if (teller->fresh) {
        fg_told_free(teller->telling);
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
        event_new(crawl->run.loop, teller->wakeup, EV_READ | EV_PERSIST, on_news, crawl);
    event_add(teller->event, NULL);
    return teller;
}

void crawl_tell(struct fg_crawl *crawl, fg_time now)
{
    if (!crawl->options.policies.forecasts || !fg_mind_world(crawl->minds.refresh)->n)
        return;
    if (!crawl->minds.teller)
        crawl->minds.teller = teller_new(crawl);
    if (crawl->minds.teller->is_running)
        crawl->minds.teller->again = true;
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
    struct teller *teller = crawl->minds.teller;
    crawl->minds.teller = NULL;
    if (!teller)
        return;
    event_free(teller->event);
    atomic_store(&teller->stop, true);
    if (teller->is_running)
        pthread_join(teller->thread, NULL);
    teller_free(teller);
}
