#include "lab/crew.h"

#include "base/time.h"

#include <pthread.h>
#include <time.h>

enum { THREADS_MOST = 256, BLINK_MS = 100 };

struct shift {
    struct fg_crew *crew;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    size_t next, threads_left, ran;
    bool stops;
    enum fg_status status;
    struct fg_err err;
};

/* Called with the lock held: the next job, or false. */
static bool next_job(struct shift *shift, size_t *job)
{
    const struct fg_crew *crew = shift->crew;
    while (shift->next < crew->jobs && crew->is_done[shift->next])
        shift->next++;
    if (shift->stops || shift->status || shift->next == crew->jobs)
        return false;
    *job = shift->next++;
    return true;
}

static void *work(void *context)
{
    struct shift *shift = context;
    struct fg_crew *crew = shift->crew;
    size_t job = 0;
    pthread_mutex_lock(&shift->lock);
    while (next_job(shift, &job)) {
        pthread_mutex_unlock(&shift->lock);
        struct fg_err err = {0};
        enum fg_status st = crew->work(crew->context, job, &err);
        pthread_mutex_lock(&shift->lock);
        if (!st) {
            crew->is_done[job] = true;
            crew->done++;
            shift->ran++;
            if (crew->leave)
                crew->leave(crew->context, job);
        } else if (!shift->status) {
            shift->status = st;
            shift->err = err;
        }
    }
    shift->threads_left--;
    pthread_cond_signal(&shift->ended);
    pthread_mutex_unlock(&shift->lock);
    return NULL;
}

static double seconds_left(const struct shift *shift, fg_time began)
{
    double passed = fg_seconds(fg_time_monotonic() - began);
    size_t left = shift->crew->jobs - shift->crew->done;
    return shift->ran ? passed / (double)shift->ran * (double)left : -1;
}

/* Tells how far it is, until the threads have ended. Called with the lock held. */
static void watch(struct shift *shift)
{
    const struct fg_crew *crew = shift->crew;
    fg_time began = fg_time_monotonic();
    while (shift->threads_left) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += BLINK_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&shift->ended, &shift->lock, &until);
        size_t done = crew->done, total = crew->jobs;
        double left = seconds_left(shift, began);
        pthread_mutex_unlock(&shift->lock);
        bool goes_on =
            !crew->progress || crew->progress(crew->progress_context, done, total, left);
        pthread_mutex_lock(&shift->lock);
        shift->stops |= !goes_on;
    }
}

enum fg_status fg_crew_run(struct fg_crew *crew, struct fg_err *err)
{
    struct shift shift = {.crew = crew};
    pthread_t threads[THREADS_MOST];
    size_t wanted = crew->threads ? crew->threads : 1, n = 0;
    wanted = wanted > THREADS_MOST ? THREADS_MOST : wanted;
    crew->done = 0;
    for (size_t i = 0; i < crew->jobs; i++)
        crew->done += crew->is_done[i];
    pthread_mutex_init(&shift.lock, NULL);
    pthread_cond_init(&shift.ended, NULL);
    pthread_mutex_lock(&shift.lock);
    while (n < wanted && pthread_create(&threads[n], NULL, work, &shift) == 0)
        n++;
    shift.threads_left = n;
    if (!n)
        shift.status = fg_fail(&shift.err, FG_EIO, "cannot start a thread");
    watch(&shift);
    pthread_mutex_unlock(&shift.lock);
    for (size_t i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&shift.lock);
    pthread_cond_destroy(&shift.ended);
    return shift.status ? fg_fail(err, shift.status, "%s", shift.err.text) : FG_OK;
}
