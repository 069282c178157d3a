#include "base/clock.h"

#include <stdlib.h>
#include <time.h>

/* With the time that it slept. */
static fg_time machine_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return now.tv_sec * FG_SECOND + now.tv_nsec / 1000;
}

struct fg_clock fg_clock_wall(void)
{
    fg_time now = fg_time_now();
    return (struct fg_clock){.speed = 1,
                             .origin = now,
                             .monotonic = machine_time(),
                             .latest = now,
                             .follows_wall = true};
}

struct fg_clock fg_clock_simulated(fg_time anchor, double speed)
{
    fg_time passed = fg_time_now() - anchor;
    fg_time now = anchor + (fg_time)((double)passed * speed);
    return (struct fg_clock){
        .speed = speed, .origin = now, .monotonic = machine_time(), .latest = now};
}

/* Has the wall been ahead by as much for long enough? */
static bool is_ahead_to_stay(struct fg_clock *clock, fg_time ahead, fg_time machine)
{
    if (ahead <= FG_SECOND) {
        clock->ahead = 0;
        return false;
    }
    if (!clock->ahead || llabs(ahead - clock->ahead) > FG_SECOND) {
        clock->ahead = ahead;
        clock->ahead_since = machine;
    }
    return machine - clock->ahead_since >= FG_MINUTE;
}

fg_time fg_clock_now(struct fg_clock *clock)
{
    fg_time machine = machine_time(), ran = machine - clock->monotonic;
    fg_time now = clock->origin + (fg_time)((double)ran * clock->speed);
    if (clock->follows_wall) {
        fg_time ahead = fg_time_now() - now;
        if (is_ahead_to_stay(clock, ahead, machine)) {
            clock->origin += ahead;
            now += ahead;
        }
    }
    if (now > clock->latest)
        clock->latest = now;
    return clock->latest;
}

struct timeval fg_clock_real(const struct fg_clock *clock, fg_time span)
{
    fg_time real = span <= 0 ? 0 : (fg_time)((double)span / clock->speed);
    return (struct timeval){.tv_sec = real / FG_SECOND, .tv_usec = real % FG_SECOND};
}
