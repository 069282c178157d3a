#include "crawl/reading/mailbox.h"

#include <sys/eventfd.h>
#include <unistd.h>

bool fg_mailbox_init(struct fg_mailbox *box)
{
    pthread_mutex_init(&box->lock, NULL);
    box->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return box->fd >= 0;
}

void fg_mailbox_clear(struct fg_mailbox *box)
{
    if (box->fd >= 0)
        close(box->fd);
    pthread_mutex_destroy(&box->lock);
}

static void ring(const struct fg_mailbox *box)
{
    ssize_t n = write(box->fd, &(uint64_t){1}, sizeof(uint64_t));
    (void)n;
}

/* The lock is held. Was it empty? Else its owner is on its way. */
static bool append(struct fg_mailbox *box, struct fg_exchange *exchange)
{
    bool was_empty = !box->first;
    exchange->next = NULL;
    if (box->last)
        box->last->next = exchange;
    else
        box->first = exchange;
    box->last = exchange;
    return was_empty;
}

void fg_mailbox_post(struct fg_mailbox *box, struct fg_exchange *exchange)
{
    pthread_mutex_lock(&box->lock);
    bool was_empty = append(box, exchange);
    pthread_mutex_unlock(&box->lock);
    if (was_empty)
        ring(box);
}

bool fg_mailbox_post_if_open(struct fg_mailbox *box, struct fg_exchange *exchange)
{
    pthread_mutex_lock(&box->lock);
    bool is_open = !box->is_closing;
    bool was_empty = is_open && append(box, exchange);
    pthread_mutex_unlock(&box->lock);
    if (was_empty)
        ring(box);
    return is_open;
}

struct fg_exchange *fg_mailbox_take(struct fg_mailbox *box, size_t most, bool *is_closing)
{
    pthread_mutex_lock(&box->lock);
    struct fg_exchange *first = box->first, *last = first;
    for (size_t i = 1; last && last->next && i < most; i++)
        last = last->next;
    box->first = last ? last->next : NULL;
    if (last)
        last->next = NULL;
    if (!box->first)
        box->last = NULL;
    *is_closing = box->is_closing;
    pthread_mutex_unlock(&box->lock);
    return first;
}

void fg_mailbox_answer(int fd)
{
    uint64_t count;
    ssize_t got = read(fd, &count, sizeof count);
    (void)got;
}

void fg_mailbox_ring_again(struct fg_mailbox *box)
{
    pthread_mutex_lock(&box->lock);
    bool is_left = box->first;
    pthread_mutex_unlock(&box->lock);
    if (is_left)
        ring(box);
}

void fg_mailbox_close(struct fg_mailbox *box)
{
    pthread_mutex_lock(&box->lock);
    box->is_closing = true;
    pthread_mutex_unlock(&box->lock);
    ring(box);
}
