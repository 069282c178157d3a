#include "base/clock.h"

struct fg_clock fg_clock_wall(void)
{
    fg_time now = fg_time_now();
    return (struct fg_clock){.speed = 1,
                             .origin = now,
                             .monotonic = fg_time_monotonic(),
                             .latest = now,
                             .follows_wall = true};
}

struct fg_clock fg_clock_simulated(fg_time anchor, double speed)
{
    fg_time passed = fg_time_now() - anchor;
    fg_time now = anchor + (fg_time)((double)passed * speed);
    return (struct fg_clock){
        .speed = speed, .origin = now, .monotonic = fg_time_monotonic(), .latest = now};
}

fg_time fg_clock_now(struct fg_clock *clock)
{
    fg_time ran = fg_time_monotonic() - clock->monotonic;
    fg_time now = clock->origin + (fg_time)((double)ran * clock->speed);
    if (clock->follows_wall) {
        fg_time wall = fg_time_now();
        if (wall > now + FG_SECOND) {
            clock->origin += wall - now;
            now = wall;
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
