#include "server/kept.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLACES = 128 };

struct waiting {
    struct waiting *next;
    struct MHD_Connection *connection;
};

/* An answer that is being worked out. */
struct errand {
    struct errand *next;
    uint64_t question, generation;
    struct waiting *waiting;
};

struct answer {
    uint64_t question; /* 0: none */
    struct MHD_Response *response;
    char etag[FG_KEPT_ETAG];
    fg_time until, fresh;
};

struct fg_kept {
    pthread_mutex_t lock;
    struct answer at[PLACES];
    struct errand *errands; /* as many as are worked on: few */
    uint64_t generation;
};

struct fg_kept *fg_kept_new(void)
{
    struct fg_kept *kept = fg_zeroed(1, sizeof *kept);
    pthread_mutex_init(&kept->lock, NULL);
    return kept;
}

static void drop(struct answer *answer)
{
    if (answer->response)
        MHD_destroy_response(answer->response);
    *answer = (struct answer){0};
}

static void errand_free(struct errand *errand)
{
    while (errand->waiting) {
        struct waiting *next = errand->waiting->next;
        free(errand->waiting);
        errand->waiting = next;
    }
    free(errand);
}

void fg_kept_free(struct fg_kept *kept)
{
    if (!kept)
        return;
    for (size_t i = 0; i < PLACES; i++)
        drop(&kept->at[i]);
    while (kept->errands) {
        struct errand *next = kept->errands->next;
        errand_free(kept->errands);
        kept->errands = next;
    }
    pthread_mutex_destroy(&kept->lock);
    free(kept);
}

static struct errand *find(struct fg_kept *kept, uint64_t question)
{
    struct errand *errand = kept->errands;
    while (errand && errand->question != question)
        errand = errand->next;
    return errand;
}

static void wait_for(struct errand *errand, struct MHD_Connection *connection)
{
    struct waiting *waiting = fg_zeroed(1, sizeof *waiting);
    *waiting = (struct waiting){errand->waiting, connection};
    errand->waiting = waiting;
    MHD_suspend_connection(connection);
}

static void begin(struct fg_kept *kept, uint64_t question)
{
    struct errand *errand = fg_zeroed(1, sizeof *errand);
    *errand = (struct errand){kept->errands, question, kept->generation, NULL};
    kept->errands = errand;
}

enum fg_kept_found fg_kept_ask(struct fg_kept *kept, uint64_t question,
                               struct MHD_Connection *connection, bool may_wait,
                               fg_kept_send_fn *send, void *context)
{
    enum fg_kept_found found = FG_KEPT_NOTHING;
    pthread_mutex_lock(&kept->lock);
    const struct answer *answer = &kept->at[question % PLACES];
    struct errand *errand = find(kept, question);
    fg_time late =
        answer->question == question ? fg_time_monotonic() - answer->until : INT64_MAX;
    /* The lock is held while it is queued: then the connection has a hold on it. */
    if (late < 0 || (errand && late < answer->fresh)) {
        send(context, answer->response, answer->etag);
        found = FG_KEPT_SENT;
    } else if (errand && may_wait) {
        wait_for(errand, connection);
        found = FG_KEPT_AWAITED;
    } else if (!errand) {
        begin(kept, question);
        found = FG_KEPT_OURS;
    }
    pthread_mutex_unlock(&kept->lock);
    return found;
}

void fg_kept_done(struct fg_kept *kept, uint64_t question, struct MHD_Response *response,
                  const char *etag, fg_time fresh)
{
    pthread_mutex_lock(&kept->lock);
    struct errand **link = &kept->errands;
    while (*link && (*link)->question != question)
        link = &(*link)->next;
    struct errand *errand = *link;
    if (errand)
        *link = errand->next;
    bool is_old = errand && errand->generation != kept->generation;
    if (response && is_old) {
        MHD_destroy_response(response);
    } else if (response) {
        struct answer *answer = &kept->at[question % PLACES];
        drop(answer);
        *answer = (struct answer){.question = question,
                                  .response = response,
                                  .until = fg_time_monotonic() + fresh,
                                  .fresh = fresh};
        snprintf(answer->etag, sizeof answer->etag, "%s", etag);
    }
    for (struct waiting *w = errand ? errand->waiting : NULL; w; w = w->next)
        MHD_resume_connection(w->connection);
    pthread_mutex_unlock(&kept->lock);
    if (errand)
        errand_free(errand);
}

void fg_kept_forget(struct fg_kept *kept)
{
    pthread_mutex_lock(&kept->lock);
    kept->generation++;
    for (size_t i = 0; i < PLACES; i++)
        drop(&kept->at[i]);
    pthread_mutex_unlock(&kept->lock);
}
