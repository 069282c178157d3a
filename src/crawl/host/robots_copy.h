/* robots_copy.h - a host's robots.txt as we have it, and for how long it counts
 *
 *     if (fg_robots_copy_is_due(&copy, now)) ...fetch robots.txt, then...
 *         fg_robots_copy_judge(&copy, &fetch, body, token, lifetime, now);
 *     if (fg_robots_copy_holds(&copy)) ...ask nothing of this host...
 *     if (fg_robots_copy_allows(&copy, path)) ...
 *
 * A state machine without I/O; polite.c runs it. What a failure means is decided by
 * fg_robots_judge: an error is never permission. */
#ifndef FG_CRAWL_ROBOTS_COPY_H
#define FG_CRAWL_ROBOTS_COPY_H

#include "base/arena.h"
#include "base/str.h"
#include "base/time.h"
#include "net/http/fetch.h"
#include "net/robots/robots.h"
#include "net/robots/robots_fetch.h"

#include <stdbool.h>

struct fg_robots_copy {
    struct fg_arena arena;
    const struct fg_robots *rules; /* NULL: nothing is forbidden, or nothing is known */
    struct fg_str text;
    fg_time fetched, expires; /* FG_NEVER: never, and not known */
    enum fg_robots_use use;
    unsigned failures; /* in a row */
    bool is_known;
    bool is_unused; /* no page was asked for since it came */
    /* Of the last try, for people; see fg_robots_copy_note. */
    enum fg_outcome outcome;
    unsigned status;
    char trouble[100]; /* "" if it went well */
};

void fg_robots_copy_init(struct fg_robots_copy *copy);
void fg_robots_copy_clear(struct fg_robots_copy *copy);

/* From an earlier run; `expires` FG_NEVER is a host whose file was never asked for. */
void fg_robots_copy_recall(struct fg_robots_copy *copy, enum fg_robots_use use,
                           struct fg_str text, fg_time fetched, fg_time expires,
                           struct fg_str token, fg_time now);

/* Take the answer to a request for it. copy_age and failures of `fetch` are filled in
 * here. A file counts for at most `lifetime`, or a day if that is 0. */
void fg_robots_copy_judge(struct fg_robots_copy *copy, struct fg_robots_fetch *fetch,
                          struct fg_str body, struct fg_str token, fg_time lifetime,
                          fg_time now);

/* For people: how a try went. `response` may be NULL; `end` is how it ended if it was not
 * answered, else NULL. */
void fg_robots_copy_note(struct fg_robots_copy *copy, const struct fg_response *response,
                         const char *end);
enum { FG_ROBOTS_WHY = 64 };
/* Why the file could not be had, in words. */
const char *fg_robots_why_held(char room[static FG_ROBOTS_WHY],
                               const struct fg_response *response);

/* It must be asked for before the next page. A file that expired before a single page
 * could be asked for is used once all the same: where the delay is as long as its
 * lifetime, nothing but robots.txt would ever be asked. */
bool fg_robots_copy_is_due(const struct fg_robots_copy *copy, fg_time now);

/* The file could not be had, so nothing may be asked. */
static inline bool fg_robots_copy_holds(const struct fg_robots_copy *copy)
{
    return copy->use == FG_ROBOTS_HOLD;
}

static inline bool fg_robots_copy_allows(const struct fg_robots_copy *copy,
                                         struct fg_str path)
{
    return !fg_robots_copy_holds(copy) &&
           (!copy->rules || fg_robots_allows(copy->rules, path));
}

/* The Crawl-delay, 0 if there is none. */
fg_time fg_robots_copy_delay(const struct fg_robots_copy *copy);

#endif
