/* audit.h - what was changed over the server, and how to take it back
 *
 * A line of JSON for each change in the file "audit.jsonl" of the workspace: its number,
 * when, what was asked, and the call that undoes it if there is one. */
#ifndef FG_SERVER_AUDIT_H
#define FG_SERVER_AUDIT_H

#include "server/request.h"

/* The call that gives a site the tags and settings it had. */
#define FG_AUDIT_RESTORE "restore"
/* The one that takes back what was added, though no crawl may have taken it up yet. */
#define FG_AUDIT_TAKE_BACK "take back"

/* Its number; 0 if it could not be written, which is logged. `undo` is the last part of a
 * route's path, or NULL: it cannot be undone. */
uint64_t fg_audit_add(struct fg_http_request *request, const char *undo,
                      struct fg_str undo_body);

#endif
