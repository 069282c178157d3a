/* writing.h - rows within the open transaction; private to apply.c, prune.c
 * and index.c
 *
 *     put(writing, FG_PUT_VISIT, visit);
 *     if (first(writing, FG_LAST_DAY, FG_ARGS(FG_NUM(site)), &row)) ...
 *
 * The first failure stays in `writing`, and what is called after it does nothing and
 * finds nothing. So the code that says what a batch means need not ask at every step: the
 * transaction is rolled back in the end. */
#ifndef FG_STORE_WRITING_H
#define FG_STORE_WRITING_H

#include "store/queue.h"

/* How many rows are not as they were. */
static inline size_t put(struct fg_writing *writing, enum fg_edit edit, const void *row)
{
    struct fg_backend *backend = writing->backend;
    size_t changed = 0;
    if (!writing->status)
        writing->status = backend->ops->edit(backend, edit, row, &changed, writing->err);
    return changed;
}

/* At most so many; how many there were. */
static inline size_t drop(struct fg_writing *writing, enum fg_row_query query,
                          const struct fg_arg *args, size_t most)
{
    struct fg_backend *backend = writing->backend;
    size_t dropped = 0;
    if (!writing->status)
        writing->status =
            backend->ops->drop(backend, query, args, most, &dropped, writing->err);
    return dropped;
}

static inline struct fg_row_walk walk(struct fg_writing *writing, enum fg_row_query query,
                                      const struct fg_arg *args, size_t most)
{
    struct fg_row_walk walk = {.backend = writing->backend};
    walk.backend->ops->walk(&walk, query, args, most, true, writing->err);
    if (!writing->status)
        writing->status = walk.status;
    return walk;
}

static inline bool next(struct fg_writing *writing, struct fg_row_walk *walk, void *row)
{
    bool found = !writing->status && fg_row_walk_next(walk, row, writing->err);
    if (!writing->status)
        writing->status = walk->status;
    return found;
}

static inline void end(struct fg_row_walk *walk)
{
    walk->backend->ops->end(walk);
}

/* Holds until the next call. */
static inline struct fg_str pack(struct fg_writing *writing, struct fg_str body)
{
    size_t room = ZSTD_compressBound(body.len);
    fg_buf_reset(&writing->packed);
    char *out = fg_buf_reserve(&writing->packed, room);
    size_t n = out ? ZSTD_compress2(writing->packer, out, room, body.at, body.len) : 0;
    /* With room for the worst case only a lack of memory is left to fail. */
    if (!out || ZSTD_isError(n))
        fg_out_of_memory();
    return (struct fg_str){out, n};
}

/* The first row that a query finds; its texts do not hold. */
static inline bool first(struct fg_writing *writing, enum fg_row_query query,
                         const struct fg_arg *args, void *row)
{
    struct fg_row_walk rows = walk(writing, query, args, 1);
    bool found = next(writing, &rows, row);
    end(&rows);
    return found;
}

/* The time of a page's newest row before `time`, of its second newest with nth 1, and so
 * on; `before` is a query of rows that have one. */
static inline bool newest(struct fg_writing *writing, enum fg_row_query before,
                          struct fg_page_key at, fg_time time, size_t nth, fg_time *found)
{
    union {
        struct fg_visit_row visit;
        struct fg_body_row body;
        struct fg_value_change change;
    } row;
    const struct fg_row_type *type = &fg_row_types[fg_query_plan(before).rows];
    struct fg_row_walk rows =
        walk(writing, before, FG_ARGS(FG_NUM(at.site), FG_NUM(at.page), FG_NUM(time)),
             nth + 1);
    size_t n = 0;
    while (next(writing, &rows, &row))
        n++;
    end(&rows);
    return n > nth && fg_cell_number(&type->columns[fg_row_column(type, FG_STR("time"))],
                                     &row, found);
}

#endif
