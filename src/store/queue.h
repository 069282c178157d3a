/* queue.h - batches on their way to the back end; private to src/store
 *
 * The crawl fills batches (batch.c) and submits them; one thread takes all that wait and
 * has the back end write them in one transaction (queue.c, apply.c). None of it knows
 * what the back end is. */
#ifndef FG_STORE_QUEUE_H
#define FG_STORE_QUEUE_H

#include "base/buf.h"
#include "base/vec.h"
#include "store/backend.h"
#include "store/index.h"

#include <pthread.h>
#include <stdatomic.h>
#include <zstd.h>

/* One thing to do. Its bytes are in the batch's own arena. */
struct fg_op {
    struct fg_op *next;
    enum fg_op_kind {
        FG_OP_EDIT, /* `row` as it is, by `edit` */
        FG_OP_PAGE,
        FG_OP_CONTENT,
        FG_OP_VISIT,
        FG_OP_BODY,
        FG_OP_EVENT,
        FG_OP_DAILY,
        FG_OP_VALUE,
        FG_OP_VALUE_RULE,
        FG_OP_EARLY,
        FG_OP_PLACE_EARLY,
        FG_OP_RENEW_SITE,
        FG_OP_FORGET_SITE,
        FG_OP_PRUNE,
        FG_OP_TEXT,
        FG_OP_ANCHOR,
        FG_OP_REBUILD_INDEX,
    } kind;
    enum fg_edit edit;
    const void *row;
    size_t n; /* rows, where there may be several */
};

/* Of whole sites. */
struct fg_site_op {
    fg_site_id site, heir;
    uint64_t delivered;
};

/* Counts that find their page. */
struct fg_place_op {
    struct fg_str key;
    uint64_t fingerprint;
    fg_site_id site;
    fg_page_id page;
};

/* Counts that wait for their pages. */
struct fg_early_op {
    struct fg_str key;
    const struct fg_early_row *rows;
};

struct fg_batch {
    struct fg_store *store;
    struct fg_batch *next; /* in the queue, or in the free list */
    struct fg_arena arena;
    struct fg_op *first, *last;
    uint64_t number;
};

struct fg_page_key {
    fg_site_id site;
    fg_page_id page;
};

/* What the writing thread knows besides the rows: as it is after the last commit, and
 * what the open transaction makes of it. */
struct fg_writing {
    struct fg_backend *backend;
    enum fg_status status; /* of the open transaction; see writing.h */
    struct fg_err *err;
    unsigned body_depth, value_depth;
    unsigned lots, lot; /* as in the options */
    struct {
        uint64_t last_event; /* the highest number given */
        uint64_t last_text;  /* likewise */
        struct fg_page_key pruned;
    } safe, open;
    bool is_doubtful;       /* the last commit was cut off: has it taken place? */
    uint64_t last, written; /* batches of the last commit; those it turned out to have */
    bool has_more;          /* of what the last slice was to take out */
    atomic_bool is_watched;
    pthread_mutex_t watching; /* of `watch`, and held while it is told */
    struct fg_index_watch watch;
    /* Of the batch in hand: what its texts are worth, and of which document. */
    struct {
        struct fg_worth worth;
        struct fg_page_key document; /* page 0: of none */
    } measured;
    FG_VEC(struct fg_measured) worths; /* of the open transaction */
    ZSTD_CCtx *packer;
    struct fg_buf packed;
};

/* Who touches what: `writing` belongs to the thread once it runs. `lock` guards the
 * queue, the spare batches, `effort`, `measured` and `trouble`. */
struct fg_store {
    struct fg_backend *backend;
    struct fg_store_options options;

    pthread_mutex_t lock;
    pthread_cond_t work, done; /* something for the writer; something from it */
    pthread_t thread;
    int wakeup_fd;
    struct fg_batch *first, *last; /* the queue */
    size_t queued_bytes;
    fg_time oldest; /* when the first of the queue came, monotonic */
    uint64_t hurry; /* somebody waits for this number: do not gather any longer */
    bool closing, wants_retry;
    struct fg_err trouble;
    bool is_locked; /* the trouble is a lock of another program */
    struct fg_batch *spare;
    size_t n_spare;
    struct fg_store_effort effort;

    FG_VEC(struct fg_measured) measured; /* that nobody has taken yet */

    _Atomic uint64_t submitted, durable;
    _Atomic bool has_more;
    _Atomic fg_site_id last_site; /* that was given */
    struct fg_writing writing;
};

/* --- queue.c --- */

void fg_queue_init(struct fg_store *store);
void fg_queue_clear(struct fg_store *store);
enum fg_status fg_queue_start(struct fg_store *store, struct fg_err *err);
/* Write what waits, then end the thread. */
enum fg_status fg_queue_stop(struct fg_store *store, struct fg_err *err);

/* --- apply.c --- */

enum fg_status fg_writing_init(struct fg_writing *writing, struct fg_backend *backend,
                               const struct fg_store_options *options,
                               struct fg_err *err);
void fg_writing_clear(struct fg_writing *writing);
/* All batches from `from` to before `until`, durable or not at all. */
enum fg_status fg_writing_commit(struct fg_writing *writing, const struct fg_batch *from,
                                 const struct fg_batch *until, struct fg_err *err);

/* --- prune.c --- */

void fg_prune_slice(struct fg_writing *writing, const struct fg_prune *prune);
/* The highest number that a site has, or had. */
enum fg_status fg_last_site(struct fg_writing *writing, fg_site_id *last);
void fg_forget_slice(struct fg_writing *writing, const struct fg_site_op *op);
void fg_renew_site(struct fg_writing *writing, const struct fg_site_op *op);
/* The state that holds the highest number given to an event, once rows that show it may
 * have gone. */
#define FG_LAST_EVENT_STATE "store:last-event"

/* --- index.c --- */

/* What a row that was just written means for the index. */
void fg_index_page(struct fg_writing *writing, fg_site_id site, fg_page_id page,
                   uint32_t flags);
void fg_index_text(struct fg_writing *writing, const struct fg_page_text *text);
void fg_index_anchor(struct fg_writing *writing, const struct fg_anchor_row *anchor,
                     bool is_there);
/* At most `left` texts and words of links; see prune.c. */
void fg_index_forget(struct fg_writing *writing, fg_site_id site, size_t *left);
void fg_index_rebuild(struct fg_writing *writing);
/* What the batch's texts were worth becomes that of its visit. */
void fg_index_begin_batch(struct fg_writing *writing);
void fg_index_end_batch(struct fg_writing *writing, const struct fg_visit_row *visit);

/* --- store.c --- */

enum fg_status fg_store_open_on(struct fg_store **store, const struct fg_backend_ops *ops,
                                const char *place, const struct fg_store_options *options,
                                struct fg_err *err);

#endif
