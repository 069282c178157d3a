/* robots_fetch.h - what to assume after asking for robots.txt (RFC 9309, 2.3.1 and 2.4)
 *
 *     struct fg_robots_outcome outcome = fg_robots_judge(&fetch);
 *     if (outcome.use == FG_ROBOTS_FILE) ...parse the body...
 *     ask again at now + outcome.again
 *
 * Follow at least five redirects before asking here, also to other hosts; the rules then
 * hold for the host that was asked first. */
#ifndef FG_NET_ROBOTS_FETCH_H
#define FG_NET_ROBOTS_FETCH_H

#include "base/time.h"

#include <stdbool.h>

enum fg_robots_use {
    FG_ROBOTS_FILE,  /* parse the body */
    FG_ROBOTS_ALLOW, /* there is no file: nothing is forbidden */
    FG_ROBOTS_COPY,  /* go by the copy we have */
    FG_ROBOTS_HOLD   /* visit nothing of this site for now */
};

struct fg_robots_fetch {
    int status;          /* of the last answer; 0 if there was none */
    bool broken;         /* no connection, a timeout, bad TLS, or a body cut short */
    bool is_html;        /* the body is a web page */
    fg_time max_age;     /* of Cache-Control, FG_NEVER if unknown */
    fg_time retry_after; /* the header's wish as a span, FG_NEVER if there is none */
    fg_time copy_age;    /* of the copy we have, FG_NEVER if we have none */
    unsigned failures;   /* in a row before this one */
};

struct fg_robots_outcome {
    enum fg_robots_use use;
    fg_time again; /* after this span, ask for robots.txt again */
};

/* An error is never permission. A file, a copy found unchanged (304) or the absence of a
 * file (4xx) counts for at most a day. All else, 429, 5xx, redirects without end (a final
 * 3xx) and a network that fails, holds the site, but for a copy less than a day old. The
 * next try is after a minute, doubling to a day; later if Retry-After asks. We never do
 * what the RFC lets one do after 30 days, treat an unreachable file as absent. A body
 * larger than FG_ROBOTS_MAX_BYTES is no error: stop reading there and parse. */
struct fg_robots_outcome fg_robots_judge(const struct fg_robots_fetch *fetch);

#endif
