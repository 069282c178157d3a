/* Opening and closing: which back end, and its queue. */
#include "store/queue.h"

#include "base/memory.h"
#include "store/direct.h"

#include <stdlib.h>

/* What a place begins with says which back end keeps it; the last one takes all the
 * rest. */
static const struct {
    const char *scheme;
    const struct fg_backend_ops *ops;
    const struct fg_direct_ops *direct;
} backends[] = {
    {"postgresql://", &fg_postgres_ops, &fg_postgres_direct_ops},
    {"postgres://", &fg_postgres_ops, &fg_postgres_direct_ops},
    {"", &fg_sqlite_ops, &fg_sqlite_direct_ops},
};

static size_t find_backend(const char *place)
{
    size_t i = 0;
    while (!fg_str_starts(fg_str_from(place), fg_str_from(backends[i].scheme)))
        i++;
    return i;
}

static const struct fg_backend_ops *backend_of(const char *place)
{
    return backends[find_backend(place)].ops;
}

enum fg_status fg_direct_open(struct fg_direct **direct, const char *place,
                              const char *const *questions, size_t n, struct fg_err *err)
{
    return backends[find_backend(place)].direct->open(direct, place, questions, n, err);
}

bool fg_store_is_database(const char *place)
{
    return backend_of(place) != &fg_sqlite_ops;
}

int64_t fg_store_writer(const char *place)
{
    return backend_of(place)->writer(place);
}

bool fg_store_exists(const char *place)
{
    return backend_of(place)->exists(place);
}

enum fg_status fg_store_post(const char *place, const char *kind, struct fg_str text,
                             struct fg_err *err)
{
    struct fg_command_row row = {
        .time = fg_time_now(), .kind = fg_str_from(kind), .text = text};
    return backend_of(place)->beside.post(place, &row, err);
}

enum fg_status fg_store_note_query(const char *place, int32_t day, struct fg_str words,
                                   struct fg_err *err)
{
    struct fg_query_row row = {.day = day, .words = words, .times = 1};
    return fg_store_note_queries(place, &row, 1, err);
}

enum fg_status fg_store_note_queries(const char *place, const struct fg_query_row *rows,
                                     size_t n, struct fg_err *err)
{
    return n ? backend_of(place)->beside.note_queries(place, rows, n, err) : FG_OK;
}

enum fg_status fg_store_note_feedback(const char *place,
                                      const struct fg_feedback_note *notes, size_t n,
                                      fg_time now, bool *is_new, struct fg_err *err)
{
    return backend_of(place)->beside.note_feedback(place, notes, n, now, is_new, err);
}

enum fg_status fg_store_keep_state(const char *place, const char *name,
                                   struct fg_str bytes, struct fg_err *err)
{
    struct fg_state_row row = {.name = fg_str_from(name), .bytes = bytes};
    return backend_of(place)->beside.keep_state(place, &row, err);
}

static struct fg_store_options with_defaults(const struct fg_store_options *given)
{
    struct fg_store_options options = given ? *given : (struct fg_store_options){0};
    if (!options.flush_every)
        options.flush_every = 100 * FG_MILLISECOND;
    if (!options.body_depth)
        options.body_depth = 1;
    if (!options.value_depth)
        options.value_depth = 100;
    return options;
}

static void free_store(struct fg_store *store, bool is_clean)
{
    fg_writing_clear(&store->writing);
    if (store->backend)
        store->backend->ops->close(store->backend, is_clean);
    fg_queue_clear(store);
    free(store);
}

enum fg_status fg_store_open_on(struct fg_store **store, const struct fg_backend_ops *ops,
                                const char *place, const struct fg_store_options *options,
                                struct fg_err *err)
{
    *store = NULL;
    struct fg_store *made = fg_zeroed(1, sizeof *made);
    fg_site_id last_site = 0;
    fg_queue_init(made);
    made->options = with_defaults(options);
    enum fg_status st = ops->open(&made->backend, place, &made->options, err);
    if (!st && !made->options.read_only)
        st = fg_writing_init(&made->writing, made->backend, &made->options, err);
    if (!st && !made->options.read_only)
        st = fg_last_site(&made->writing, &last_site);
    made->last_site = last_site;
    if (!st && !made->options.read_only)
        st = fg_queue_start(made, err);
    if (st)
        free_store(made, false);
    else
        *store = made;
    return st;
}

enum fg_status fg_store_open(struct fg_store **store, const char *place,
                             const struct fg_store_options *options, struct fg_err *err)
{
    return fg_store_open_on(store, backend_of(place), place, options, err);
}

/* Who may write is alone, so that nobody else counts on. A number that is given and never
 * written is given again after the next start. */
fg_site_id fg_store_new_site(struct fg_store *store)
{
    unsigned lots = store->options.lots, lot = store->options.lot;
    if (!lots)
        return ++store->last_site;
    fg_site_id last = store->last_site, next = last - last % lots + lots + lot;
    store->last_site = next;
    return next;
}

/* A back end that has none is read as it is at each question. */
enum fg_status fg_store_view(struct fg_store **view, struct fg_store *store,
                             struct fg_err *err)
{
    struct fg_backend *backend;
    *view = store;
    if (!store->backend->ops->view)
        return FG_OK;
    enum fg_status st = store->backend->ops->view(&backend, store->backend, err);
    if (st)
        return st;
    *view = fg_zeroed(1, sizeof **view);
    (*view)->backend = backend;
    (*view)->options.read_only = true;
    return FG_OK;
}

void fg_store_end_view(struct fg_store *view, struct fg_store *store)
{
    if (view == store)
        return;
    view->backend->ops->end_view(view->backend);
    free(view);
}

enum fg_status fg_store_close(struct fg_store *store, struct fg_err *err)
{
    if (!store)
        return FG_OK;
    enum fg_status st = store->options.read_only ? FG_OK : fg_queue_stop(store, err);
    free_store(store, !st);
    return st;
}
