/* ask.h - looking at the workspace on behalf of a request; for the files of the server */
#ifndef FG_SERVER_ASK_H
#define FG_SERVER_ASK_H

#include "server/request.h"

/* A look of its own for a request; fg_look_close ends it, and what was found lives in the
 * arena of the request. */
enum fg_status fg_ask_open(struct fg_look *look, struct fg_http_request *request,
                           struct fg_err *err);

/* The rows of sites in the answer of the status. */
const struct fg_field *fg_sites_field(void);

#endif
