/* clock.h - the time a crawl lives in
 *
 * Usually the clock on the wall. A simulated web may run faster: then the crawl's time is
 * `anchor` when the wall says `anchor`, and passes `speed` times as fast from there, for
 * schedules, politeness and everything that is stored alike. Two processes that are given
 * the same anchor and speed agree on the time.
 *
 * Within a process it never steps back, whatever happens to the machine's clock: a step
 * backwards is ignored until the wall has caught up. A step forwards is followed when it
 * has lasted for a minute: what is written in the future by a clock that was wrong for a
 * second could not be taken back. The time that a machine sleeps passes here as well. */
#ifndef FG_BASE_CLOCK_H
#define FG_BASE_CLOCK_H

#include "base/time.h"

#include <sys/time.h>

struct fg_clock {
    double speed;
    fg_time origin;    /* crawl time at `monotonic` */
    fg_time monotonic; /* machine time of the origin */
    fg_time latest;    /* last answer given */
    bool follows_wall;
    fg_time ahead;       /* so much the wall is, 0: it is not, */
    fg_time ahead_since; /* by machine time */
};

struct fg_clock fg_clock_wall(void);
struct fg_clock fg_clock_simulated(fg_time anchor, double speed);

fg_time fg_clock_now(struct fg_clock *clock);

/* How long a span of crawl time is in real time, for timers. */
struct timeval fg_clock_real(const struct fg_clock *clock, fg_time span);

#endif
