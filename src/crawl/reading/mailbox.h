/* mailbox.h - exchanges on their way from one thread to another, oldest first
 *
 *     fg_mailbox_post(&box, exchange);                    (any thread)
 *     fg_mailbox_answer(box.fd);                          (its owner, when fd is
 * readable) first = fg_mailbox_take(&box, most, &is_closing); */
#ifndef FG_CRAWL_MAILBOX_H
#define FG_CRAWL_MAILBOX_H

#include "crawl/reading/workers.h"

#include <pthread.h>

struct fg_mailbox {
    pthread_mutex_t lock;
    struct fg_exchange *first, *last;
    bool is_closing; /* what comes is sent back */
    int fd;          /* eventfd: there is something in it */
};

/* False with errno set if there is no eventfd. */
bool fg_mailbox_init(struct fg_mailbox *box);
void fg_mailbox_clear(struct fg_mailbox *box);

void fg_mailbox_post(struct fg_mailbox *box, struct fg_exchange *exchange);
/* False if it is closing: its owner may have gone. */
bool fg_mailbox_post_if_open(struct fg_mailbox *box, struct fg_exchange *exchange);

void fg_mailbox_answer(int fd);
/* At most `most`, chained by `next`; the rest stays. */
struct fg_exchange *fg_mailbox_take(struct fg_mailbox *box, size_t most,
                                    bool *is_closing);
/* If there is a rest, `fd` is readable again. */
void fg_mailbox_ring_again(struct fg_mailbox *box);

void fg_mailbox_close(struct fg_mailbox *box);

#endif
