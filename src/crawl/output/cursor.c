#include "crawl/output/cursor.h"

enum fg_status fg_cursor_recall(struct fg_cursor *cursor, struct fg_err *err)
{
    return fg_store_delivered(cursor->store, cursor->name, &cursor->number,
                              &cursor->position, err);
}

static bool take_number(void *context, const struct fg_event_row *event)
{
    *(uint64_t *)context = event->number;
    return true;
}

enum fg_status fg_cursor_begin_now(struct fg_cursor *cursor, struct fg_err *err)
{
    enum fg_status st =
        fg_cursor_read(cursor, SIZE_MAX, take_number, &cursor->number, err);
    return st ? st : fg_cursor_sync(cursor, err);
}

enum fg_status fg_cursor_read(const struct fg_cursor *cursor, size_t most,
                              bool (*take)(void *context,
                                           const struct fg_event_row *event),
                              void *context, struct fg_err *err)
{
    return fg_store_events(cursor->store, 0, cursor->number, FG_NEVER, most, take,
                           context, err);
}

void fg_cursor_put(const struct fg_cursor *cursor, struct fg_batch *batch)
{
    fg_batch_delivered(batch, cursor->name, cursor->number, cursor->position);
}

static uint64_t submit(const struct fg_cursor *cursor)
{
    struct fg_batch *batch = fg_batch_new(cursor->store);
    fg_cursor_put(cursor, batch);
    return fg_store_submit(cursor->store, batch);
}

void fg_cursor_save(const struct fg_cursor *cursor)
{
    submit(cursor);
}

enum fg_status fg_cursor_sync(const struct fg_cursor *cursor, struct fg_err *err)
{
    return fg_store_flush(cursor->store, submit(cursor), err);
}
