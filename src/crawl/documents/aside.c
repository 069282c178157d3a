#include "crawl/documents/aside.h"

#include "base/memory.h"
#include "crawl/state.h"

#include <event2/event.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

enum { A_TURN = 20000, NICE = 10 };

struct aside {
    struct fg_crawl *crawl;
    struct aside_calls calls;
    void *context;
    pthread_t thread;
    pthread_mutex_t lock;
    struct fg_told *fresh; /* published and not yet taken: under the lock, as the next */
    bool is_done;          /* the thread has come to its end */
    atomic_bool stop;
    int wakeup; /* eventfd */

    struct event *event; /* the loop's, as are the next two */
    struct fg_told *telling;
    bool is_running;
};

/* --- in the thread --- */

static void wake(struct aside *aside)
{
    uint64_t one = 1;
    ssize_t put = write(aside->wakeup, &one, sizeof one);
    (void)put;
}

void aside_publish(struct aside *aside, struct fg_told *told)
{
    pthread_mutex_lock(&aside->lock);
    struct fg_told *untold = aside->fresh;
    aside->fresh = told;
    pthread_mutex_unlock(&aside->lock);
    fg_told_free(untold);
    wake(aside);
}

static void *run(void *context)
{
    struct aside *aside = context;
    setpriority(PRIO_PROCESS, (id_t)gettid(), NICE); /* of this thread, in Linux */
    aside->calls.work(aside->context);
    pthread_mutex_lock(&aside->lock);
    aside->is_done = true;
    pthread_mutex_unlock(&aside->lock);
    wake(aside);
    return NULL;
}

/* --- in the loop --- */

/* A part of them; the rest in the next turns. */
static void tell_some(struct aside *aside)
{
    if (!aside->telling)
        return;
    if (fg_told_to_mind(aside->telling, aside->crawl->minds.refresh, A_TURN)) {
        event_active(aside->event, EV_TIMEOUT, 1);
        return;
    }
    if (aside->calls.told)
        aside->calls.told(aside->context, aside->telling);
    fg_told_free(aside->telling);
    aside->telling = NULL;
}

static void on_news(evutil_socket_t fd, short what, void *context)
{
    struct aside *aside = context;
    uint64_t count;
    if (what & EV_READ) {
        ssize_t got = read(fd, &count, sizeof count);
        (void)got;
    }
    pthread_mutex_lock(&aside->lock);
    if (aside->fresh) {
        fg_told_free(aside->telling);
        aside->telling = aside->fresh;
        aside->fresh = NULL;
    }
    bool is_done = aside->is_done;
    pthread_mutex_unlock(&aside->lock);
    if (aside->calls.published)
        aside->calls.published(aside->context);
    if (is_done && aside->is_running) {
        pthread_join(aside->thread, NULL);
        aside->is_running = false;
        if (aside->calls.ended)
            aside->calls.ended(aside->context);
    }
    tell_some(aside);
}

struct aside *aside_new(struct fg_crawl *crawl, const struct aside_calls *calls,
                        void *context)
{
    struct aside *aside = fg_zeroed(1, sizeof *aside);
    aside->crawl = crawl;
    aside->calls = *calls;
    aside->context = context;
    pthread_mutex_init(&aside->lock, NULL);
    aside->wakeup = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    aside->event =
        event_new(crawl->run.loop, aside->wakeup, EV_READ | EV_PERSIST, on_news, aside);
    event_add(aside->event, NULL);
    return aside;
}

void aside_free(struct aside *aside)
{
    event_free(aside->event);
    atomic_store(&aside->stop, true);
    if (aside->is_running)
        pthread_join(aside->thread, NULL);
    fg_told_free(aside->fresh);
    fg_told_free(aside->telling);
    pthread_mutex_destroy(&aside->lock);
    close(aside->wakeup);
    free(aside);
}

atomic_bool *aside_stop(struct aside *aside)
{
    return &aside->stop;
}

bool aside_is_running(const struct aside *aside)
{
    return aside->is_running;
}

bool aside_begin(struct aside *aside)
{
    aside->is_done = false;
    aside->is_running = pthread_create(&aside->thread, NULL, run, aside) == 0;
    return aside->is_running;
}

size_t aside_documents(const struct fg_crawl *crawl, uint64_t **id)
{
    const struct fg_world *world = fg_mind_world(crawl->minds.refresh);
    *id = fg_resized(*id, world->n, sizeof **id);
    memcpy(*id, world->id, world->n * sizeof **id);
    return world->n;
}
