/* backend.h - what a back end of the store must do; private to src/store
 *
 * A back end keeps rows (rows.h) and carries out plans (plans.h) on them; that is all.
 * What a visit or a forgotten site means for the rows is said once, in apply.c and
 * prune.c; how batches queue up and become durable, in queue.c. A new back end is a
 * folder with one of these structs, and a line in store.c.
 *
 * Edits, drops and transactions are called from one thread at a time. Walks may be begun
 * from any thread, also while another walk is under way. */
#ifndef FG_STORE_BACKEND_H
#define FG_STORE_BACKEND_H

#include "store/plans.h"

struct fg_backend; /* begins with a pointer to its operations */

/* A value to compare a column with. */
struct fg_arg {
    int64_t number;
    struct fg_str text; /* for columns of text */
};

/* Rows that a query finds, one after the other. Fields are the back end's own. */
struct fg_row_walk {
    struct fg_backend *backend;
    enum fg_status status;
    void *from, *rows;
    size_t at;
};

/* The index of texts. Terms, and what they are compared by, are the back end's own; where
 * texts and terms differ, `sum` and `sum_text` do. */
struct fg_index_ops {
    /* Within the open transaction. A text is taken out as it was put in. */
    enum fg_status (*put)(struct fg_backend *backend, const struct fg_indexed_text *text,
                          struct fg_err *err);
    enum fg_status (*take_out)(struct fg_backend *backend,
                               const struct fg_indexed_text *text, struct fg_err *err);
    /* The terms that the last call of `put` made, or of `take_out`; or those of a text,
     * as `put` would make them. They hold until the next such call. */
    struct fg_text_terms (*made)(struct fg_backend *backend, bool is_taken_out);
    struct fg_text_terms (*terms_of)(struct fg_backend *backend,
                                     const struct fg_indexed_text *text);
    enum fg_status (*clear)(struct fg_backend *backend, struct fg_err *err);
    /* Was it made of other terms than those that are made now? `clear` mends that. */
    enum fg_status (*is_stale)(struct fg_backend *backend, bool *is_stale,
                               struct fg_err *err);
    /* As the functions of index.h; from any thread. */
    enum fg_status (*match)(struct fg_backend *backend,
                            const struct fg_index_query *query, fg_take_hit *take,
                            void *context, struct fg_err *err);
    /* Of all codes of base/terms.h: are there texts in that language? */
    enum fg_status (*languages)(struct fg_backend *backend, bool *are_there,
                                struct fg_err *err);
    /* `last`: the highest number of a text. */
    enum fg_status (*frequency)(struct fg_backend *backend,
                                const struct fg_index_group *group, uint64_t last,
                                double *texts, struct fg_err *err);
    enum fg_status (*figures)(struct fg_backend *backend,
                              struct fg_index_figures *figures, struct fg_err *err);
    enum fg_status (*terms)(struct fg_backend *backend, struct fg_str first,
                            fg_take_term *take, void *context, struct fg_err *err);
    /* Of all terms at their places: how many texts and terms, and the sum of hashes. */
    enum fg_status (*sum)(struct fg_backend *backend, uint64_t *texts, uint64_t *terms,
                          uint64_t *sum, struct fg_err *err);
    enum fg_status (*sum_text)(struct fg_backend *backend,
                               const struct fg_indexed_text *text, uint64_t *terms,
                               uint64_t *sum, struct fg_err *err);
};

/* Small transactions of processes that do not have the store open for writing. */
struct fg_backend_beside {
    /* As fg_store_post; the number is the next one. */
    enum fg_status (*post)(const char *place, const struct fg_command_row *command,
                           struct fg_err *err);

    /* Counts searches, all or none, and drops those of FG_QUERY_DAYS before the first. */
    enum fg_status (*note_queries)(const char *place, const struct fg_query_row *queries,
                                   size_t n, struct fg_err *err);

    /* As fg_store_note_feedback and fg_store_keep_state. */
    enum fg_status (*note_feedback)(const char *place,
                                    const struct fg_feedback_note *notes, size_t n,
                                    fg_time now, bool *is_new, struct fg_err *err);
    enum fg_status (*keep_state)(const char *place, const struct fg_state_row *state,
                                 struct fg_err *err);
};

struct fg_backend_ops {
    /* Opens or creates it. On failure nothing was changed. */
    enum fg_status (*open)(struct fg_backend **backend, const char *place,
                           const struct fg_store_options *options, struct fg_err *err);
    /* is_clean: all that was submitted is written. */
    void (*close)(struct fg_backend *backend, bool is_clean);
    /* As fg_store_writer and fg_store_exists. */
    int64_t (*writer)(const char *place);
    bool (*exists)(const char *place);
    struct fg_backend_beside beside;

    /* When commit returns FG_OK the transaction is durable; when it fails, nothing of it
     * is. FG_EINPUT and FG_ELIMIT are the fault of what was written; other failures may
     * pass. */
    enum fg_status (*begin)(struct fg_backend *backend, struct fg_err *err);
    enum fg_status (*commit)(struct fg_backend *backend, struct fg_err *err);
    void (*rollback)(struct fg_backend *backend);
    /* What stopped the last transaction passes by itself, however long that takes: a lock
     * of another program, a server that restarts. */
    bool (*is_busy)(struct fg_backend *backend);
    /* May be NULL: a commit that fails has not taken place. Else, after a commit that
     * failed because the connection was lost: has it? Asked until it succeeds, before the
     * next transaction. */
    enum fg_status (*fate)(struct fg_backend *backend, bool *was_committed,
                           struct fg_err *err);
    /* May be NULL. The open transaction will ask for the row of that key, or (events) for
     * that which shares what is unique: a chance to read many at once. The row's texts
     * hold until it ends. */
    void (*expect)(struct fg_backend *backend, enum fg_row_kind rows, const void *row);
    /* Put the store in order: after each commit, and once when nothing is to be done.
     * Counts what it does. */
    void (*tidy)(struct fg_backend *backend, bool is_idle,
                 struct fg_store_effort *effort);

    /* `changed` (may be NULL): how many rows are not as they were. */
    enum fg_status (*edit)(struct fg_backend *backend, enum fg_edit edit, const void *row,
                           size_t *changed, struct fg_err *err);
    /* May be NULL. A row for a table that has none of its key and is only loaded in this
     * transaction, as fast as can be; NULL ends those of the kind. */
    enum fg_status (*load)(struct fg_backend *backend, enum fg_row_kind rows,
                           const void *row, struct fg_err *err);
    /* At most so many of the rows that the query finds, in no order. */
    enum fg_status (*drop)(struct fg_backend *backend, enum fg_row_query query,
                           const struct fg_arg *args, size_t most, size_t *dropped,
                           struct fg_err *err);

    /* A back end for reading alone, which sees the store as it is when it is first asked,
     * until the end of the view; NULL: there are none. For one thread. A question asked
     * from within a walk may see a later state. */
    enum fg_status (*view)(struct fg_backend **view, struct fg_backend *backend,
                           struct fg_err *err);
    void (*end_view)(struct fg_backend *view);

    /* At most so many rows. is_writer: within the open transaction, and called by its
     * thread; else what was durable when the walk began. */
    void (*walk)(struct fg_row_walk *walk, enum fg_row_query query,
                 const struct fg_arg *args, size_t most, bool is_writer,
                 struct fg_err *err);
    /* Its texts hold until the next call. Fields that are not read are left alone. */
    bool (*next)(struct fg_row_walk *walk, void *row, struct fg_err *err);
    void (*end)(struct fg_row_walk *walk);

    enum fg_status (*count)(struct fg_backend *backend, enum fg_row_kind rows,
                            uint64_t *n, struct fg_err *err);
    uint64_t (*bytes)(struct fg_backend *backend); /* that it takes up */
    enum fg_status (*check)(struct fg_backend *backend, struct fg_err *err);
    const struct fg_index_ops *index; /* NULL: it has none, and texts are only kept */
};

struct fg_backend {
    const struct fg_backend_ops *ops;
};

extern const struct fg_backend_ops fg_sqlite_ops, fg_postgres_ops;

/* --- how it is called --- */

#define FG_ARGS(...)        \
    (const struct fg_arg[]) \
    {                       \
        __VA_ARGS__         \
    }
#define FG_NUM(n)              \
    {                          \
        .number = (int64_t)(n) \
    }
#define FG_TEXT(s)  \
    {               \
        .text = (s) \
    }
/* No condition. */
#define FG_NO_ARGS ((const struct fg_arg *)0)

static inline struct fg_row_walk fg_row_walk(struct fg_backend *backend,
                                             enum fg_row_query query,
                                             const struct fg_arg *args, size_t most,
                                             struct fg_err *err)
{
    struct fg_row_walk walk = {.backend = backend};
    backend->ops->walk(&walk, query, args, most, false, err);
    return walk;
}

static inline bool fg_row_walk_next(struct fg_row_walk *walk, void *row,
                                    struct fg_err *err)
{
    return !walk->status && walk->backend->ops->next(walk, row, err);
}

/* What went wrong: `st`, of the caller, comes first. */
static inline enum fg_status fg_row_walk_end(struct fg_row_walk *walk, enum fg_status st)
{
    walk->backend->ops->end(walk);
    return st ? st : walk->status;
}

#endif
