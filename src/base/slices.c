#include "base/slices.h"

#include "base/memory.h"
#include "base/time.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static const fg_time slice = 10 * FG_MILLISECOND;

struct fg_slices {
    pthread_mutex_t lock;
    pthread_cond_t turned;
    pthread_t thread;
    bool has_thread, is_ending;
    bool is_its_turn; /* the work's, else its owner's; the next three are whose turn it is
                       */
    void (*work)(void *context); /* NULL: none, or it is over */
    void *context;
    fg_time until; /* INT64_MAX: to the end */
};

struct fg_slices *fg_slices_new(void)
{
    struct fg_slices *slices = fg_zeroed(1, sizeof *slices);
    pthread_mutex_init(&slices->lock, NULL);
    pthread_cond_init(&slices->turned, NULL);
    return slices;
}

static void hand_over(struct fg_slices *slices, bool to_work)
{
    slices->is_its_turn = to_work;
    pthread_cond_broadcast(&slices->turned);
}

static void await(struct fg_slices *slices, bool of_work)
{
    while (slices->is_its_turn != of_work)
        pthread_cond_wait(&slices->turned, &slices->lock);
}

static void *run(void *context)
{
    struct fg_slices *slices = context;
    pthread_mutex_lock(&slices->lock);
    for (await(slices, true); !slices->is_ending; await(slices, true)) {
        pthread_mutex_unlock(&slices->lock);
        slices->work(slices->context);
        pthread_mutex_lock(&slices->lock);
        slices->work = NULL;
        hand_over(slices, false);
    }
    pthread_mutex_unlock(&slices->lock);
    return NULL;
}

static bool has_thread(struct fg_slices *slices)
{
    if (slices->has_thread)
        return true;
    sigset_t all, before; /* signals are for others */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    slices->has_thread = pthread_create(&slices->thread, NULL, run, slices) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return slices->has_thread;
}

static bool go_on_until(struct fg_slices *slices, fg_time until)
{
    pthread_mutex_lock(&slices->lock);
    slices->until = until;
    hand_over(slices, true);
    await(slices, false);
    bool is_over = !slices->work;
    pthread_mutex_unlock(&slices->lock);
    return is_over;
}

bool fg_slices_go_on(struct fg_slices *slices)
{
    assert(slices->work);
    return go_on_until(slices, fg_time_monotonic() + slice);
}

bool fg_slices_begin(struct fg_slices *slices, void (*work)(void *context), void *context)
{
    assert(!slices->work);
    if (!has_thread(slices)) {
        work(context);
        return true;
    }
    slices->work = work;
    slices->context = context;
    return fg_slices_go_on(slices);
}

bool fg_slices_has_paused(const struct fg_slices *slices)
{
    return slices->work && !slices->is_its_turn;
}

void fg_slices_finish(struct fg_slices *slices)
{
    if (slices->work)
        go_on_until(slices, INT64_MAX);
}

bool fg_slices_is_due(const struct fg_slices *slices)
{
    return slices->is_its_turn && fg_time_monotonic() >= slices->until;
}

void fg_slices_pause(struct fg_slices *slices)
{
    pthread_mutex_lock(&slices->lock);
    hand_over(slices, false);
    await(slices, true);
    pthread_mutex_unlock(&slices->lock);
}

void fg_slices_free(struct fg_slices *slices)
{
    if (!slices)
        return;
    fg_slices_finish(slices);
    if (slices->has_thread) {
        pthread_mutex_lock(&slices->lock);
        slices->is_ending = true;
        hand_over(slices, true);
        pthread_mutex_unlock(&slices->lock);
        pthread_join(slices->thread, NULL);
    }
    pthread_cond_destroy(&slices->turned);
    pthread_mutex_destroy(&slices->lock);
    free(slices);
}
