/* desk.h - reading pages on another core while the loop goes on
 *
 *     if (!fg_desk_put(desk, answer, visit)) ...read it here and now...
 *     ...
 *     while ((read = fg_desk_next(desk))) {     (when fg_desk_wakeup is readable)
 *         ...use read->answer and read->reading...
 *         fg_desk_release(desk, read);
 *     }
 *     ...
 *     if ((read = fg_desk_help(desk))) ...       (when there is nothing else to do)
 *
 * Half of what a page costs is reading it: 0.1 ms for 30 KB. One thread does that beside
 * the loop. When more pages come than it can take, the loop lends a hand, but only after
 * it has sent what can be sent: a server that waits for our requests is time lost. */
#ifndef FG_CRAWL_DESK_H
#define FG_CRAWL_DESK_H

#include "base/err.h"
#include "crawl/polite.h"
#include "crawl/reading.h"

struct fg_desk;

struct fg_read {
    void *context;
    struct fg_answer answer; /* with its response; both are copies */
    struct fg_reading reading;
    /* private */
    const struct fg_value_rule *value;
    const struct fg_noise *noise;
    struct fg_response response;
    struct fg_arena arena;
    struct fg_buf body;
    struct fg_read *next;
};

/* The token of the rules must outlive the desk. */
enum fg_status fg_desk_new(struct fg_desk **desk, struct fg_reading_rules rules,
                           struct fg_err *err);
void fg_desk_free(struct fg_desk *desk);

/* Takes a copy of an answer that has a response, and its body; of the rules only those of
 * this page count, value and noise; NULL: none. False if enough wait: 64 pages, or 8 MB
 * of them. */
bool fg_desk_put(struct fg_desk *desk, const struct fg_answer *answer,
                 const struct fg_reading_rules *rules, void *context);

/* Reads one of those that wait, here and now; NULL if none does. */
struct fg_read *fg_desk_help(struct fg_desk *desk);
/* How many wait to be read. */
size_t fg_desk_waiting(struct fg_desk *desk);

/* A file descriptor (eventfd) that becomes readable when something was read. */
int fg_desk_wakeup(const struct fg_desk *desk);
/* The next that was read, or NULL. */
struct fg_read *fg_desk_next(struct fg_desk *desk);
void fg_desk_release(struct fg_desk *desk, struct fg_read *read);

/* End after the page at hand; what waits comes out of fg_desk_next unread. */
void fg_desk_stop(struct fg_desk *desk);

#endif
