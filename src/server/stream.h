/* stream.h - events as they happen: server-sent events, from the outbox of the store
 *
 *     GET /events?kind=new&site=news.example        Last-Event-ID: 4711
 *
 * An event's id is its number in the outbox, so a client that comes back says what it has
 * seen and gets what it has missed, however long it was away. Nobody has a thread or a
 * queue of his own: a client that has everything is suspended; the keeper asks the store
 * for what is new a few times a second, keeps the last of it in memory for all, and wakes
 * them up. One that does not read costs what its socket holds, and is sent away when the
 * library sees no progress for a minute. */
#ifndef FG_SERVER_STREAM_H
#define FG_SERVER_STREAM_H

#include "server/request.h"

#include <microhttpd.h>

struct fg_stream;

struct fg_stream *fg_stream_new(struct fg_server *server);
void fg_stream_free(struct fg_stream *stream); /* NULL is fine */

/* NULL: it cannot be had. `err` has a status if the request is to blame; else there are
 * too many already. */
struct MHD_Response *fg_stream_response(struct fg_stream *stream,
                                        struct MHD_Connection *connection,
                                        const struct fg_http_request *request,
                                        struct fg_err *err);

/* A few times a second: is there something new? */
void fg_stream_keep(struct fg_stream *stream);
/* Lets all go, so that the daemon can stop. */
void fg_stream_end(struct fg_stream *stream);
size_t fg_stream_clients(struct fg_stream *stream);

#endif
