#include "server/work.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>

struct piece {
    void (*run)(void *context);
    void *context;
};

struct fg_work {
    pthread_mutex_t lock;
    pthread_cond_t has_more;
    struct piece *ring;
    size_t first, n, room;
    pthread_t *threads;
    size_t n_threads;
    bool is_ending;
};

static void *work_on(void *context)
{
    struct fg_work *work = context;
    pthread_mutex_lock(&work->lock);
    for (;;) {
        while (!work->n && !work->is_ending)
            pthread_cond_wait(&work->has_more, &work->lock);
        if (!work->n)
            break;
        struct piece piece = work->ring[work->first];
        work->first = (work->first + 1) % work->room;
        work->n--;
        pthread_mutex_unlock(&work->lock);
        piece.run(piece.context);
        pthread_mutex_lock(&work->lock);
    }
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

struct fg_work *fg_work_new(size_t threads, size_t most_waiting)
{
    struct fg_work *work = fg_zeroed(1, sizeof *work);
    pthread_mutex_init(&work->lock, NULL);
    pthread_cond_init(&work->has_more, NULL);
    work->room = most_waiting;
    work->ring = fg_zeroed(most_waiting, sizeof *work->ring);
    work->threads = fg_zeroed(threads, sizeof *work->threads);
    while (work->n_threads < threads &&
           pthread_create(&work->threads[work->n_threads], NULL, work_on, work) == 0)
        work->n_threads++;
    if (work->n_threads)
        return work;
    fg_work_free(work);
    return NULL;
}

bool fg_work_add(struct fg_work *work, void (*run)(void *context), void *context)
{
    pthread_mutex_lock(&work->lock);
    bool has_room = work->n < work->room && !work->is_ending;
    if (has_room) {
        work->ring[(work->first + work->n) % work->room] = (struct piece){run, context};
        work->n++;
        pthread_cond_signal(&work->has_more);
    }
    pthread_mutex_unlock(&work->lock);
    return has_room;
}

void fg_work_end(struct fg_work *work)
{
    pthread_mutex_lock(&work->lock);
    work->is_ending = true;
    pthread_cond_broadcast(&work->has_more);
    pthread_mutex_unlock(&work->lock);
    for (size_t i = 0; i < work->n_threads; i++)
        pthread_join(work->threads[i], NULL);
    work->n_threads = 0;
}

void fg_work_free(struct fg_work *work)
{
    if (!work)
        return;
    fg_work_end(work);
    pthread_mutex_destroy(&work->lock);
    pthread_cond_destroy(&work->has_more);
    free(work->threads);
    free(work->ring);
    free(work);
}
