#include "store/copy.h"

#include "store/lots.h"
#include "store/queue.h"

#include <inttypes.h>

/* How a row of each kind comes into a table that has none of its key. */
static const enum fg_edit edits[FG_ROW_KINDS] = {
    [FG_SITES] = FG_PUT_SITE,
    [FG_PAGES] = FG_PUT_PAGE,
    [FG_VISITS] = FG_PUT_VISIT,
    [FG_LINKS] = FG_PUT_LINK,
    [FG_BODIES] = FG_PUT_BODY,
    [FG_EVENTS] = FG_PUT_EVENT,
    [FG_DELIVERIES] = FG_PUT_DELIVERY,
    [FG_WAITING] = FG_PUT_WAITING,
    [FG_STATE] = FG_PUT_STATE,
    [FG_LABELS] = FG_PUT_LABEL,
    [FG_DAILY] = FG_PUT_DAILY,
    [FG_VALUES] = FG_PUT_VALUE,
    [FG_VALUE_CHANGES] = FG_PUT_VALUE_CHANGE,
    [FG_REQUESTS] = FG_PUT_REQUEST,
    [FG_NOTES] = FG_PUT_NOTE,
    [FG_PROMISES] = FG_PUT_PROMISE,
    [FG_EARLY] = FG_PUT_EARLY,
    [FG_COMMANDS] = FG_PUT_COMMAND,
    [FG_PAGE_EXTRAS] = FG_PUT_PAGE_EXTRA,
    [FG_TEXTS] = FG_PUT_TEXT,
    [FG_ANCHORS] = FG_PUT_ANCHOR,
    [FG_SEARCHES] = FG_COUNT_SEARCH,
    [FG_FEEDBACK] = FG_COUNT_FEEDBACK,
    [FG_MARKS] = FG_PUT_MARK,
};

static enum fg_status check_empty(struct fg_backend *to, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (unsigned i = 0; !st && i < FG_ROW_KINDS; i++) {
        uint64_t n = 0;
        st = to->ops->count(to, (enum fg_row_kind)i, &n, err);
        if (!st && n)
            st = fg_fail(err, FG_ECONFIG,
                         "the new place is not empty: it has %" PRIu64
                         " rows of '%s'; copy to a place that is new",
                         n, fg_row_types[i].table);
    }
    return st;
}

static enum fg_status put_row(struct fg_backend *to, enum fg_row_kind kind,
                              const void *row, struct fg_err *err)
{
    return to->ops->load ? to->ops->load(to, kind, row, err)
                         : to->ops->edit(to, edits[kind], row, NULL, err);
}

static enum fg_status copy_kind(struct fg_backend *to, struct fg_backend *from,
                                enum fg_row_kind kind, uint64_t *n, struct fg_err *err)
{
    union {
        struct fg_page_row page;
        char bytes[1024];
    } row;
    enum fg_status st = FG_OK;
    struct fg_row_walk rows =
        fg_row_walk(from, FG_KEYED(kind, 0), FG_NO_ARGS, SIZE_MAX, err);
    *n = 0;
    while (!st && fg_row_walk_next(&rows, &row, err)) {
        st = put_row(to, kind, &row, err);
        ++*n;
    }
    st = fg_row_walk_end(&rows, st);
    if (!st && to->ops->load)
        st = to->ops->load(to, kind, NULL, err);
    return st;
}

static enum fg_status copy_all(struct fg_backend *to, struct fg_backend *from,
                               struct fg_store_copied *copied, struct fg_err *err)
{
    enum fg_status st = to->ops->begin(to, err);
    for (unsigned i = 0; !st && i < FG_ROW_KINDS; i++) {
        uint64_t n;
        st = copy_kind(to, from, (enum fg_row_kind)i, &n, err);
        copied->rows += n;
        if (i == FG_PAGES)
            copied->pages = n;
        else if (i == FG_VISITS)
            copied->visits = n;
        else if (i == FG_EVENTS)
            copied->events = n;
    }
    if (!st)
        st = to->ops->commit(to, err);
    if (st)
        to->ops->rollback(to);
    return st;
}

/* From the texts, by the store itself. */
static enum fg_status make_index(const char *place, struct fg_err *err)
{
    struct fg_store *store;
    enum fg_status st = fg_store_open(&store, place, NULL, err);
    if (st)
        return st;
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_rebuild_index(batch);
    fg_store_submit(store, batch);
    return fg_store_close(store, err);
}

/* Both are held: as stores, for what opening them checks and who they keep out. */
enum fg_status fg_store_copy(const char *from, const char *to,
                             struct fg_store_copied *copied, struct fg_err *err)
{
    struct fg_store *source = NULL, *target = NULL, *view = NULL;
    *copied = (struct fg_store_copied){0};
    if (fg_lots_at(from) || fg_lots_at(to))
        return fg_fail(
            err, FG_ECONFIG,
            "a crawl in lots is not copied as a whole: each lot has policies of "
            "its own; pg_dump copies it as it is");
    if (fg_store_writer(from) >= 0)
        return fg_fail(err, FG_EIO,
                       "a crawl writes to the store that is to be copied; stop it first");
    enum fg_status st =
        fg_store_open(&source, from, &(struct fg_store_options){.read_only = true}, err);
    if (!st)
        st = fg_store_open(&target, to, NULL, err);
    if (!st)
        st = check_empty(target->backend, err);
    if (!st)
        st = fg_store_view(&view, source, err);
    if (!st)
        st = copy_all(target->backend, view->backend, copied, err);
    if (view)
        fg_store_end_view(view, source);
    fg_store_close(source, NULL);
    enum fg_status closed = fg_store_close(target, st ? NULL : err);
    st = st ? st : closed;
    return st ? st : make_index(to, err);
}
