/* kept.h - answers that were worked out, kept for whoever asks the same
 *
 *     switch (fg_kept_ask(kept, question, connection, send, context)) {
 *     case FG_KEPT_SENT:    it was sent
 *     case FG_KEPT_AWAITED: somebody works it out; the connection is suspended until then
 *     case FG_KEPT_OURS:    work it out, and call fg_kept_done whatever comes of it
 *     case FG_KEPT_NOTHING: work it out for this one alone
 *     }
 *
 * However many ask the same at a time, one of them works it out. The others are given
 * the answer before it, if that was good until a moment ago, or wait. Times are
 * monotonic. For any number of threads. */
#ifndef FG_SERVER_KEPT_H
#define FG_SERVER_KEPT_H

#include "base/time.h"

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fg_kept;

enum { FG_KEPT_ETAG = 24, FG_KEPT_BYTES = 1 << 20 /* longest body worth it */ };
enum fg_kept_found { FG_KEPT_NOTHING, FG_KEPT_OURS, FG_KEPT_SENT, FG_KEPT_AWAITED };

/* Queue the response; it must not ask here for anything. */
typedef void fg_kept_send_fn(void *context, struct MHD_Response *response,
                             const char *etag);

struct fg_kept *fg_kept_new(void);
void fg_kept_free(struct fg_kept *kept); /* NULL is fine */

/* `may_wait`: false for who has waited once, and got nothing. */
enum fg_kept_found fg_kept_ask(struct fg_kept *kept, uint64_t question,
                               struct MHD_Connection *connection, bool may_wait,
                               fg_kept_send_fn *send, void *context);
/* Nothing is kept if the response is NULL; else it is ours from now on. Whoever waits is
 * resumed, and asks again. */
void fg_kept_done(struct fg_kept *kept, uint64_t question, struct MHD_Response *response,
                  const char *etag, fg_time fresh);
/* Something was changed: what is asked from now on is worked out again. */
void fg_kept_forget(struct fg_kept *kept);

#endif
