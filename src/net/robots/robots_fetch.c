#include "net/robots/robots_fetch.h"

static fg_time longest_of(fg_time a, fg_time b)
{
    return a > b ? a : b;
}

static fg_time next_try(const struct fg_robots_fetch *fetch)
{
    fg_time wait = FG_MINUTE;
    for (unsigned i = 0; i < fetch->failures && wait < FG_DAY; i++)
        wait *= 2;
    wait = longest_of(wait, fetch->retry_after);
    return wait < FG_DAY ? wait : FG_DAY;
}

/* As long as the server says, between five minutes and the day of RFC 9309, 2.4. A web
 * page in place of the file is as good as an empty file, but probably a mistake that
 * someone will repair. */
static fg_time lifetime(const struct fg_robots_fetch *fetch)
{
    fg_time most = fetch->is_html ? FG_HOUR : FG_DAY;
    fg_time age = fetch->max_age == FG_NEVER ? most : fetch->max_age;
    return age < 5 * FG_MINUTE ? 5 * FG_MINUTE : age < most ? age : most;
}

struct fg_robots_outcome fg_robots_judge(const struct fg_robots_fetch *fetch)
{
    int class = fetch->broken ? 0 : fetch->status / 100;
    if (class == 2)
        return (struct fg_robots_outcome){FG_ROBOTS_FILE, lifetime(fetch)};
    if (fetch->status == 304 && !fetch->broken && fetch->copy_age >= 0)
        return (struct fg_robots_outcome){FG_ROBOTS_COPY, lifetime(fetch)};
    if (class == 4 && fetch->status != 429)
        return (struct fg_robots_outcome){FG_ROBOTS_ALLOW, FG_DAY};
    bool has_copy = fetch->copy_age >= 0 && fetch->copy_age < FG_DAY;
    return (struct fg_robots_outcome){has_copy ? FG_ROBOTS_COPY : FG_ROBOTS_HOLD,
                                      next_try(fetch)};
}
