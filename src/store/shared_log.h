/* shared_log.h - a state that several processes change, kept in the store
 *
 *     struct fg_shared_log *log;
 *     fg_shared_log_open(&log, place, "scheduler", err);
 *     fg_shared_log_begin(log, err);
 *     fg_shared_log_read(log, seen, take, context, err);    what others have done since
 *     fg_shared_log_append(log, bytes, &seen, err);         and what we do
 *     fg_shared_log_end(log, st, err);    commits, or takes all back if st is a failure
 *     fg_shared_log_close(log);
 *
 * The state is a snapshot and what was done since, in order. Who has changed it says so
 * by an entry; whoever has seen the entries before it can follow. Now and then somebody
 * writes a new snapshot, and the entries up to it go. Beside the process that crawls, as
 * with ads.h: each use is one short transaction. One thread at a time. */
#ifndef FG_STORE_SHARED_LOG_H
#define FG_STORE_SHARED_LOG_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

struct fg_shared_log;

/* The store must be there, of this schema or an older one, which is brought up to date
 * unless a crawl runs. */
enum fg_status fg_shared_log_open(struct fg_shared_log **log, const char *place,
                                  const char *name, struct fg_err *err);
void fg_shared_log_close(struct fg_shared_log *log); /* NULL is fine */

/* Waits for others up to ten seconds. On return of the end, it is durable. */
enum fg_status fg_shared_log_begin(struct fg_shared_log *log, struct fg_err *err);
enum fg_status fg_shared_log_end(struct fg_shared_log *log, enum fg_status st,
                                 struct fg_err *err);

/* Entries behind number `seen`, in order; first the snapshot, if entries have gone that
 * were not seen. `number` is what has been seen then. */
typedef enum fg_status fg_take_entry(void *context, uint64_t number, bool is_snapshot,
                                     struct fg_str bytes, struct fg_err *err);
enum fg_status fg_shared_log_read(struct fg_shared_log *log, uint64_t seen,
                                  fg_take_entry *take, void *context, struct fg_err *err);

/* Within a transaction. At most FG_SHARED_LOG_MOST bytes. */
#define FG_SHARED_LOG_MOST 900000000
enum fg_status fg_shared_log_append(struct fg_shared_log *log, struct fg_str bytes,
                                    uint64_t *number, struct fg_err *err);
/* The state as it is after entry `number`. */
enum fg_status fg_shared_log_snapshot(struct fg_shared_log *log, struct fg_str bytes,
                                      uint64_t number, struct fg_err *err);

#endif
