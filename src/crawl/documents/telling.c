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
#include "crawl/documents/aside.h"
#include "crawl/documents/outlook.h"

#include <pthread.h>
#include <stdlib.h>

enum { MOST_STATE = 1 << 30 };

struct teller {
    struct fg_crawl *crawl;
    struct aside *aside;
    pthread_mutex_t lock;
    struct fg_buf
        saved; /* the forecasts, to be kept; empty: nothing new; under the lock */

    struct fg_outlook *outlook; /* the thread's while it runs, as are the next four */
    fg_time trained, took;      /* monotonic; 0: not yet */
    uint64_t *id;
    size_t n;
    fg_time now;

    bool again; /* the loop's */
};

/* --- in the thread --- */

static void publish(struct teller *teller)
{
    fg_outlook_rates(teller->outlook);
    aside_publish(teller->aside, fg_told_from(teller->outlook));
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

/* Days may pass in seconds where time is simulated: then training has a fifth of a core,
 * and is as recent as that allows. */
static bool is_time_to_train(const struct teller *teller)
{
    fg_time since = fg_time_monotonic() - teller->trained;
    return !teller->trained || since >= FG_MINUTE || since >= 4 * teller->took;
}

static void look_ahead(void *context)
{
    struct teller *teller = context;
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
        if (!atomic_load(aside_stop(teller->aside)))
            fg_log_warn("crawl", "no outlook", FG_F("why", err.text));
        return;
    }
    publish(teller);
    if (!fg_outlook_has_news(outlook) || !is_time_to_train(teller))
        return;
    fg_time began = fg_time_monotonic();
    fg_outlook_train(outlook, teller->now);
    teller->trained = fg_time_monotonic();
    teller->took = teller->trained - began;
    if (atomic_load(aside_stop(teller->aside)))
        return;
    keep(teller);
    publish(teller);
}

/* --- in the loop --- */

static int by_id(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void begin(struct teller *teller)
{
    teller->n = aside_documents(teller->crawl, &teller->id);
    if (!teller->n)
        return;
    qsort(teller->id, teller->n, sizeof *teller->id, by_id);
    teller->now = fg_clock_now(teller->crawl->clock);
    teller->again = false;
    if (!aside_begin(teller->aside))
        fg_log_warn("crawl", "no outlook", FG_F("why", "a thread cannot be started"));
}

/* They are kept once the policy knows them all. */
static void keep_told(void *context, const struct fg_told *told)
{
    const struct teller *teller = context;
    struct fg_store *store = teller->crawl->store;
    struct fg_buf bytes;
    fg_buf_init(&bytes, MOST_STATE);
    fg_told_save(told, &bytes);
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_state(batch, 0, FG_TOLD_STATE, fg_buf_str(&bytes));
    fg_store_submit(store, batch);
    fg_buf_clear(&bytes);
    fg_log_debug("crawl", "documents told", FG_F("documents", told->n),
                 FG_F("clicks", told->rate[FG_TOLD_CLICKS_SMOOTH] != NULL),
                 FG_F("forecasts", told->rate[FG_TOLD_CHANGES_MODEL] != NULL));
}

static void keep_saved(void *context)
{
    struct teller *teller = context;
    struct fg_store *store = teller->crawl->store;
    pthread_mutex_lock(&teller->lock);
    if (teller->saved.len) {
        struct fg_batch *batch = fg_batch_new(store);
        fg_batch_state(batch, 0, FG_OUTLOOK_STATE, fg_buf_str(&teller->saved));
        fg_store_submit(store, batch);
        fg_buf_clear(&teller->saved);
    }
    pthread_mutex_unlock(&teller->lock);
}

static void ended(void *context)
{
    struct teller *teller = context;
    if (teller->again)
        begin(teller);
}

static struct teller *teller_new(struct fg_crawl *crawl)
{
    static const struct aside_calls calls = {look_ahead, keep_saved, keep_told, ended};
    struct teller *teller = fg_zeroed(1, sizeof *teller);
    struct fg_forecast_rules rules = fg_outlook_rules();
    pthread_mutex_init(&teller->lock, NULL);
    teller->crawl = crawl;
    teller->aside = aside_new(crawl, &calls, teller);
    rules.stop = aside_stop(teller->aside);
    teller->outlook = fg_outlook_new(crawl->store, &rules);
    return teller;
}

void crawl_tell(struct fg_crawl *crawl)
{
    struct teller *teller = crawl->minds.teller;
    if (!crawl->options.policies.forecasts || !fg_mind_world(crawl->minds.refresh)->n)
        return;
    if (!teller)
        teller = crawl->minds.teller = teller_new(crawl);
    if (aside_is_running(teller->aside))
        teller->again = true;
    else
        begin(teller);
}

void crawl_end_telling(struct fg_crawl *crawl)
{
    struct teller *teller = crawl->minds.teller;
    crawl->minds.teller = NULL;
    if (!teller)
        return;
    aside_free(teller->aside);
    fg_buf_clear(&teller->saved);
    fg_outlook_free(teller->outlook);
    free(teller->id);
    pthread_mutex_destroy(&teller->lock);
    free(teller);
}
