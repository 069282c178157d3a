/* cursor.h - how far an output has come through the events of the store
 *
 *     struct fg_cursor cursor = {.store = store, .name = "webhook:team"};
 *     st = fg_cursor_recall(&cursor, err);           (after a restart: where it stood)
 *     if (st == FG_ENOTFOUND)
 *         st = fg_cursor_begin_now(&cursor, err);    (or leave it before the first event)
 *     fg_cursor_read(&cursor, 512, take, context, err);
 *     cursor.number = last;
 *     fg_cursor_save(&cursor);                       (when the output has them for good)
 *
 * The events lie in the store before any output hears of them, and so does the cursor:
 * after a kill an output goes on behind the last event that it is known to have had. What
 * it had since comes again, with the same ids. */
#ifndef FG_CRAWL_OUTPUT_CURSOR_H
#define FG_CRAWL_OUTPUT_CURSOR_H

#include "base/err.h"
#include "store/store.h"

struct fg_cursor {
    struct fg_store *store;
    const char *name;  /* under which the store has it; the caller's */
    uint64_t number;   /* the last event that the output has had */
    uint64_t position; /* the output's own: the end of a file, the time of a digest */
};

/* FG_ENOTFOUND, without a message: there was no such output yet. */
enum fg_status fg_cursor_recall(struct fg_cursor *cursor, struct fg_err *err);
/* Behind the newest event, and that is on disk: a new output gets what comes from now on,
 * and that must be known for good before anything comes. */
enum fg_status fg_cursor_begin_now(struct fg_cursor *cursor, struct fg_err *err);

/* The next events, in order, at most `most`. */
enum fg_status fg_cursor_read(const struct fg_cursor *cursor, size_t most,
                              bool (*take)(void *context,
                                           const struct fg_event_row *event),
                              void *context, struct fg_err *err);

/* To the store, with what else is in the batch; by itself; by itself and on disk. */
void fg_cursor_put(const struct fg_cursor *cursor, struct fg_batch *batch);
void fg_cursor_save(const struct fg_cursor *cursor);
enum fg_status fg_cursor_sync(const struct fg_cursor *cursor, struct fg_err *err);

#endif
