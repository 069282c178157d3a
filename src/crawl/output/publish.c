/* The feeds of a running crawl: a thread of their own writes them, because a file is
 * synced before it takes the place of the old one, and the loop must not wait for that.
 * The loop only says that there is something new; the thread reads the store. What goes
 * wrong (a full disk, a folder that is gone) is logged, and tried again at the next time:
 * the crawl goes on. */
#include "crawl/state.h"

#include "base/log.h"
#include "base/memory.h"
#include "crawl/output/feeds.h"

#include <pthread.h>
#include <stdlib.h>

struct publisher {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool has_news, is_ending; /* under the lock */
    struct fg_feeds *feeds;   /* the thread's */
    fg_time every;
    bool was_in_trouble;
};

static void write_feeds(struct publisher *publisher)
{
    struct fg_err err = {0};
    enum fg_status st = fg_feeds_update(publisher->feeds, &err);
    if (!st)
        st = fg_feeds_write(publisher->feeds, &err);
    if (st && !publisher->was_in_trouble)
        fg_log_warn("feeds", "not written", FG_F("why", err.text));
    publisher->was_in_trouble = st != FG_OK;
}

/* Until `every` has passed since the last writing, or the end has come. */
static void rest(struct publisher *publisher)
{
    fg_time until = fg_time_monotonic() + publisher->every;
    struct timespec at = {until / FG_SECOND, until % FG_SECOND * 1000};
    while (!publisher->is_ending &&
           pthread_cond_timedwait(&publisher->changed, &publisher->lock, &at) == 0)
        ;
}

static void *run(void *context)
{
    struct publisher *publisher = context;
    pthread_mutex_lock(&publisher->lock);
    for (;;) {
        while (!publisher->has_news && !publisher->is_ending)
            pthread_cond_wait(&publisher->changed, &publisher->lock);
        if (!publisher->has_news)
            break;
        publisher->has_news = false;
        pthread_mutex_unlock(&publisher->lock);
        write_feeds(publisher);
        pthread_mutex_lock(&publisher->lock);
        rest(publisher);
    }
    pthread_mutex_unlock(&publisher->lock);
    return NULL;
}

enum fg_status crawl_start_publishing(struct fg_crawl *crawl, struct fg_err *err)
{
    const struct fg_output_settings *settings = &crawl->options.outputs;
    struct fg_feeds *feeds;
    if (!settings->feeds_dir.len)
        return FG_OK;
    enum fg_status st =
        fg_feeds_new(&feeds, crawl->store, settings, settings->feeds_dir.at, err);
    if (st)
        return st;
    struct publisher *publisher = fg_zeroed(1, sizeof *publisher);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&publisher->lock, NULL);
    pthread_cond_init(&publisher->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    publisher->feeds = feeds;
    publisher->every = settings->feeds_every;
    publisher->has_news = true; /* perhaps of the last run */
    if (pthread_create(&publisher->thread, NULL, run, publisher) != 0)
        fg_out_of_memory();
    crawl->publisher = publisher;
    return FG_OK;
}

void crawl_publish(struct fg_crawl *crawl)
{
    struct publisher *publisher = crawl->publisher;
    if (!publisher)
        return;
    pthread_mutex_lock(&publisher->lock);
    publisher->has_news = true;
    pthread_cond_signal(&publisher->changed);
    pthread_mutex_unlock(&publisher->lock);
}

void crawl_end_publishing(struct fg_crawl *crawl)
{
    struct publisher *publisher = crawl->publisher;
    crawl->publisher = NULL;
    if (!publisher)
        return;
    pthread_mutex_lock(&publisher->lock);
    publisher->has_news = publisher->is_ending = true;
    pthread_cond_signal(&publisher->changed);
    pthread_mutex_unlock(&publisher->lock);
    pthread_join(publisher->thread, NULL);
    fg_feeds_free(publisher->feeds);
    pthread_cond_destroy(&publisher->changed);
    pthread_mutex_destroy(&publisher->lock);
    free(publisher);
}
