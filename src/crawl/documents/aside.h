/* aside.h - what is worked out beside the loop, and told to the refresh policy
 *
 * A thread of its own works at a low priority, once each time it is begun. It publishes
 * what is to be told of documents; the loop takes that and tells it to the policy a few
 * thousand documents a turn, so that nothing waits for it. */
#ifndef FG_CRAWL_ASIDE_H
#define FG_CRAWL_ASIDE_H

#include "crawl/documents/told.h"

#include <stdatomic.h>
#include <stdbool.h>

struct fg_crawl;
struct aside;

struct aside_calls {
    void (*work)(void *context); /* in the thread; ends soon after `aside_stop` is set */
    /* In the loop. `published`: after each publication, and before `ended`. */
    void (*published)(void *context);
    void (*told)(void *context, const struct fg_told *told); /* all of it */
    void (*ended)(void *context);                            /* may begin it anew */
};

/* Calls may be NULL, but for `work`. */
struct aside *aside_new(struct fg_crawl *crawl, const struct aside_calls *calls,
                        void *context);
/* Stops the thread and waits for it. */
void aside_free(struct aside *aside);

atomic_bool *aside_stop(struct aside *aside);
bool aside_is_running(const struct aside *aside);
/* False: there is no thread to be had. */
bool aside_begin(struct aside *aside);
/* From the thread; takes what is told over, which may be NULL. What was published before
 * and is not yet taken is forgotten. */
void aside_publish(struct aside *aside, struct fg_told *told);

/* The identities of all documents of the refresh policy, in `*id`, which is resized. */
size_t aside_documents(const struct fg_crawl *crawl, uint64_t **id);

#endif
