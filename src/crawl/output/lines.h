/* outbox.h - handing on what was found, at least once, in order
 *
 * Events lie in the store before anybody hears of them. The outbox reads them from there
 * in order and writes each as one JSON line to its outputs; how far each output has come
 * is kept in the store too. After a crash an event may be written again, with the same
 * id; a file is cut back to where it was known to end, so that there it is not. A file
 * may be rotated, by moving or by cutting it, while the crawl runs. */
#ifndef FG_CRAWL_OUTPUT_LINES_H
#define FG_CRAWL_OUTPUT_LINES_H

#include "base/err.h"
#include "store/store.h"

struct fg_outbox;

struct fg_outbox *fg_outbox_new(struct fg_store *store);
void fg_outbox_free(struct fg_outbox *outbox);

/* Events of one kind are passed over; before any output is added. */
void fg_outbox_leave_out(struct fg_outbox *outbox, const char *kind);

/* A descriptor that stays open, such as standard output. Lines go out from the event
 * after the last one it was given, or, if `only_new`, from now on. */
enum fg_status fg_outbox_to_descriptor(struct fg_outbox *outbox, const char *name, int fd,
                                       bool only_new, struct fg_err *err);
enum fg_status fg_outbox_to_file(struct fg_outbox *outbox, const char *path,
                                 struct fg_err *err);

/* Write what is durable and not yet written; call when the store's wakeup fires. */
enum fg_status fg_outbox_deliver(struct fg_outbox *outbox, struct fg_err *err);
/* The last event that every output has had; UINT64_MAX: there is no output. */
uint64_t fg_outbox_delivered(const struct fg_outbox *outbox);
/* The reader of some output has closed its end; what it was not given stays undelivered.
 */
bool fg_outbox_is_unheard(const struct fg_outbox *outbox);

#endif
