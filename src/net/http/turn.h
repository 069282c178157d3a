/* turn.h - a turn of one thread's event loop, watched by another
 *
 *     fg_turn_begin(&turn, fd);          the thread, around what may last
 *     int shut = fg_turn_end(&turn);
 *
 *     fg_turn_watch(&turn, &watcher);    another thread, every 50 ms or so
 *
 * libcurl reads from a socket for as long as something comes, and a server that sends
 * empty HTTP/2 frames faster than they are dealt with never lets it go: no limit is
 * looked at, and no other host is served. From inside nothing can be done about it. From
 * outside a socket can be shut down, and then what is read from it ends.
 *
 * A body that comes in at full speed is no such thing, and ends at its own limit.
 *
 * A thread that waits for the processor or the disk is not at fault: a turn is long only
 * if the thread worked all the time, or has worked for long or read much and little came
 * of it. The socket is the one that the turn is for; if it is for none (a timer), the one
 * that most came in from meanwhile. Sockets are known by fg_turn_opened and
 * fg_turn_closing, and none is touched that may be another's by now.
 */
#ifndef FG_NET_TURN_H
#define FG_NET_TURN_H

#include "base/lag.h"
#include "base/time.h"
#include "base/vec.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct fg_turn {
    pthread_mutex_t lock;
    bool is_on;
    uint64_t number;
    int fd, shut; /* -1: none */
    fg_time since, took;
    clockid_t cpu; /* of the thread that is at it */
    FG_VEC(int) open;
    atomic_ullong content; /* bytes of bodies that came, by the thread */
    struct fg_lag lag;
};

void fg_turn_init(struct fg_turn *turn);
void fg_turn_clear(struct fg_turn *turn);

/* fd -1: for no socket. Both by the same thread. */
void fg_turn_begin(struct fg_turn *turn, int fd);
/* The socket that was shut down meanwhile, or -1. */
int fg_turn_end(struct fg_turn *turn);
static inline fg_time fg_turn_took(const struct fg_turn *turn)
{
    return turn->took;
}
void fg_turn_opened(struct fg_turn *turn, int fd);
void fg_turn_closing(struct fg_turn *turn, int fd);

/* What the one who watches remembers from one look to the next; all zero at first. */
struct fg_turn_watcher {
    uint64_t number;
    fg_time cpu, first_cpu; /* at the last look, and at the first of this turn */
    uint64_t content, first_content;
    uint64_t first_taken;  /* what the thread had read of the turn's socket by then */
    FG_VEC(uint64_t) came; /* of each open socket */
};
/* True: the turn lasted too long, and a socket was shut down. */
bool fg_turn_watch(struct fg_turn *turn, struct fg_turn_watcher *watcher);
void fg_turn_watcher_clear(struct fg_turn_watcher *watcher);

#endif
