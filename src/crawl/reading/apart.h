/* apart.h - pages read in a process that can do nothing else
 *
 *     if (argc == 3 && strcmp(argv[1], FG_APART_COMMAND) == 0)       (first in main)
 *         return fg_apart_serve(argv[2]);
 *
 *     st = fg_apart_new(&apart, &(struct fg_apart_options){0}, err);
 *     switch (fg_apart_read(apart, &reading, &arena, url, response, rules)) ...
 *     fg_apart_free(apart);
 *
 * What parses a page is this program started anew, with no memory of ours, no
 * environment, and nothing open but a socket to us. It gives up the rest before the first
 * page comes (apart_limits.c): by a filter of system calls it can ask for memory, use
 * that socket, and end; it opens no file, makes no connection, starts nothing. Pages
 * cross the socket as bytes, and what comes back is looked at (carry.h).
 *
 * If it dies over a page, takes too much of a processor, or sends what makes no sense, it
 * is killed, and the page gets one more try with a new one, for the fault may have been
 * another's. One of these is one thread's. */
#ifndef FG_CRAWL_APART_H
#define FG_CRAWL_APART_H

#include "base/err.h"
#include "crawl/reading/reading.h"

struct fg_apart;

#define FG_APART_COMMAND "--read-apart"

struct fg_apart_options {
    const char *program;       /* NULL: this one */
    size_t max_body;           /* of a page; 0: 10 MB */
    fg_time most_of_processor; /* for one page; 0: 30 s */
};

/* FG_EIO if it cannot be started, or this system has no such filter. */
enum fg_status fg_apart_new(struct fg_apart **apart,
                            const struct fg_apart_options *options, struct fg_err *err);
void fg_apart_free(struct fg_apart *apart);

enum fg_apart_end {
    FG_APART_READ,
    FG_APART_DEADLY, /* it was the end of two that read it */
    FG_APART_NOBODY, /* no process could be started */
};

/* As fg_reading_from; all of the reading is in the arena. */
enum fg_apart_end fg_apart_read(struct fg_apart *apart, struct fg_reading *reading,
                                struct fg_arena *arena, struct fg_str url,
                                const struct fg_response *response,
                                struct fg_reading_rules rules);

/* Seconds of a processor that those who read have taken, and how many have died. */
double fg_apart_seconds(const struct fg_apart *apart);
unsigned fg_apart_deaths(const struct fg_apart *apart);

/* The other side: returns when nobody has anything to read any more. `bytes`: the most it
 * may have of memory. */
int fg_apart_serve(const char *bytes);

/* Give up all but memory, the socket and the end. False: this system cannot. */
bool fg_apart_lock_up(int socket, size_t most_memory);

#endif
