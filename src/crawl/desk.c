#include "crawl/desk.h"

#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* What may wait: as a rule more than one turn of the loop brings. */
enum { MOST_WAITING = 64, MOST_BYTES = 8 << 20, KEPT_BYTES = 1 << 20 };

struct queue {
    struct fg_read *first, *last;
    size_t len, body_bytes;
};

struct fg_desk {
    pthread_t thread;
    struct fg_reading_rules rules;
    int wakeup_fd;
    struct fg_read *idle; /* the loop's own */
    bool is_running;      /* likewise */

    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t work;
    struct queue waiting, done;
    bool is_closing;
};

static void push(struct queue *queue, struct fg_read *read)
{
    read->next = NULL;
    if (queue->last)
        queue->last->next = read;
    else
        queue->first = read;
    queue->last = read;
    queue->len++;
    queue->body_bytes += read->body.len;
}

static struct fg_read *pop(struct queue *queue)
{
    struct fg_read *read = queue->first;
    if (!read)
        return NULL;
    queue->first = read->next;
    if (!queue->first)
        queue->last = NULL;
    queue->len--;
    queue->body_bytes -= read->body.len;
    return read;
}

/* --- the thread --- */

static struct fg_read *wait_for_work(struct fg_desk *desk)
{
    pthread_mutex_lock(&desk->lock);
    while (!desk->waiting.len && !desk->is_closing)
        pthread_cond_wait(&desk->work, &desk->lock);
    struct fg_read *read = desk->is_closing ? NULL : pop(&desk->waiting);
    pthread_mutex_unlock(&desk->lock);
    return read;
}

static void hand_back(struct fg_desk *desk, struct fg_read *read)
{
    pthread_mutex_lock(&desk->lock);
    push(&desk->done, read);
    bool was_empty = desk->done.len == 1;
    pthread_mutex_unlock(&desk->lock);
    if (!was_empty)
        return; /* the loop is on its way */
    ssize_t n = write(desk->wakeup_fd, &(uint64_t){1}, sizeof(uint64_t));
    (void)n;
}

static void read_one(const struct fg_desk *desk, struct fg_read *read)
{
    struct fg_reading_rules rules = desk->rules;
    rules.value = read->value;
    rules.noise = read->noise;
    fg_reading_from(&read->reading, &read->arena, read->answer.url, &read->response,
                    rules);
}

static void *read_all(void *context)
{
    struct fg_desk *desk = context;
    struct fg_read *read;
    while ((read = wait_for_work(desk))) {
        read_one(desk, read);
        hand_back(desk, read);
    }
    return NULL;
}

/* --- the loop's side --- */

static enum fg_status start_thread(struct fg_desk *desk, struct fg_err *err)
{
    /* Signals are the main thread's. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&desk->thread, NULL, read_all, desk);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code)
        return fg_fail(err, FG_EIO, "cannot start a thread: %s", strerror(code));
    desk->is_running = true;
    return FG_OK;
}

enum fg_status fg_desk_new(struct fg_desk **result, struct fg_reading_rules rules,
                           struct fg_err *err)
{
    struct fg_desk *desk = fg_zeroed(1, sizeof *desk);
    *result = desk;
    desk->rules = rules;
    pthread_mutex_init(&desk->lock, NULL);
    pthread_cond_init(&desk->work, NULL);
    desk->wakeup_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (desk->wakeup_fd < 0)
        return fg_fail(err, FG_EIO, "cannot make an eventfd: %s", strerror(errno));
    return start_thread(desk, err);
}

static void free_all(struct fg_read *read)
{
    while (read) {
        struct fg_read *next = read->next;
        fg_arena_clear(&read->arena);
        fg_buf_clear(&read->body);
        free(read);
        read = next;
    }
}

void fg_desk_stop(struct fg_desk *desk)
{
    if (!desk->is_running)
        return;
    pthread_mutex_lock(&desk->lock);
    desk->is_closing = true;
    pthread_cond_signal(&desk->work);
    pthread_mutex_unlock(&desk->lock);
    pthread_join(desk->thread, NULL);
    desk->is_running = false;
    for (struct fg_read *read; (read = pop(&desk->waiting));)
        push(&desk->done, read);
}

void fg_desk_free(struct fg_desk *desk)
{
    if (!desk)
        return;
    fg_desk_stop(desk);
    free_all(desk->done.first);
    free_all(desk->idle);
    if (desk->wakeup_fd >= 0)
        close(desk->wakeup_fd);
    pthread_cond_destroy(&desk->work);
    pthread_mutex_destroy(&desk->lock);
    free(desk);
}

static struct fg_read *read_new(struct fg_desk *desk)
{
    struct fg_read *read = desk->idle;
    if (read)
        desk->idle = read->next;
    else if (!(read = calloc(1, sizeof *read)))
        fg_out_of_memory();
    if (!read->body.max)
        fg_buf_init(&read->body, SIZE_MAX);
    return read;
}

static void copy_answer(struct fg_read *read, const struct fg_answer *answer)
{
    struct fg_arena *arena = &read->arena;
    read->answer = *answer;
    read->answer.asked = fg_arena_dup(arena, answer->asked);
    read->answer.url = fg_arena_dup(arena, answer->url);
    struct fg_hop *hops = FG_NEW(arena, struct fg_hop, answer->n_hops + 1);
    for (size_t i = 0; i < answer->n_hops; i++)
        hops[i] = (struct fg_hop){fg_arena_dup(arena, answer->hops[i].url),
                                  answer->hops[i].status};
    read->answer.hops = hops;
    read->response = *answer->response;
    read->response.why = fg_arena_cstr(arena, fg_str_from(answer->response->why));
    read->response.url = fg_arena_dup(arena, answer->response->url);
    read->response.headers = fg_arena_dup(arena, answer->response->headers);
    fg_response_take_body(answer->response, &read->body);
    read->response.body_room = &read->body;
    read->answer.response = &read->response;
}

bool fg_desk_put(struct fg_desk *desk, const struct fg_answer *answer,
                 const struct fg_reading_rules *rules, void *context)
{
    pthread_mutex_lock(&desk->lock);
    bool is_full = desk->waiting.len >= MOST_WAITING ||
                   desk->waiting.body_bytes >= MOST_BYTES || !desk->is_running;
    pthread_mutex_unlock(&desk->lock);
    if (is_full)
        return false;
    struct fg_read *read = read_new(desk);
    read->context = context;
    read->value = rules ? rules->value : NULL;
    read->noise = rules ? rules->noise : NULL;
    copy_answer(read, answer);
    pthread_mutex_lock(&desk->lock);
    push(&desk->waiting, read);
    pthread_cond_signal(&desk->work);
    pthread_mutex_unlock(&desk->lock);
    return true;
}

struct fg_read *fg_desk_help(struct fg_desk *desk)
{
    pthread_mutex_lock(&desk->lock);
    struct fg_read *read = pop(&desk->waiting);
    pthread_mutex_unlock(&desk->lock);
    if (read)
        read_one(desk, read);
    return read;
}

size_t fg_desk_waiting(struct fg_desk *desk)
{
    pthread_mutex_lock(&desk->lock);
    size_t n = desk->waiting.len;
    pthread_mutex_unlock(&desk->lock);
    return n;
}

int fg_desk_wakeup(const struct fg_desk *desk)
{
    return desk->wakeup_fd;
}

struct fg_read *fg_desk_next(struct fg_desk *desk)
{
    pthread_mutex_lock(&desk->lock);
    struct fg_read *read = pop(&desk->done);
    pthread_mutex_unlock(&desk->lock);
    return read;
}

void fg_desk_release(struct fg_desk *desk, struct fg_read *read)
{
    if (read->body.capacity > KEPT_BYTES) /* one huge page must not stay with us */
        fg_buf_clear(&read->body);
    fg_buf_reset(&read->body);
    fg_arena_reset(&read->arena);
    read->next = desk->idle;
    desk->idle = read;
}
