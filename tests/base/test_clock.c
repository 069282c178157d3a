#include "base/clock.h"

#include "test.h"

#include <unistd.h>

/* The machine's clock cannot be set here; but a clock whose origin was moved is in the
 * same position as one whose wall was moved the other way. */
static void clock_goes_on_when_the_wall_steps_back(void **state)
{
    (void)state;
    struct fg_clock clock = fg_clock_wall();
    clock.origin += FG_HOUR; /* the wall is now an hour behind */
    fg_time before = fg_clock_now(&clock), wall = fg_time_now();
    assert_true(before >= wall + FG_HOUR - FG_SECOND);
    usleep(20000);
    fg_time after = fg_clock_now(&clock);
    assert_true(after >= before + 15 * FG_MILLISECOND);
    assert_true(after < before + FG_MINUTE);
}

static void clock_follows_a_step_forwards_that_lasts(void **state)
{
    (void)state;
    struct fg_clock clock = fg_clock_wall();
    clock.origin -= FG_HOUR;
    clock.latest -= FG_HOUR;
    assert_true(fg_clock_now(&clock) < fg_time_now() - FG_HOUR + FG_MINUTE);
    clock.ahead_since -= FG_MINUTE; /* as if it were seen a minute ago */
    fg_time now = fg_clock_now(&clock);
    assert_true(now >= fg_time_now() - FG_SECOND);
    assert_true(fg_clock_now(&clock) >= now);
}

/* A clock that was wrong for a second leaves nothing behind. */
static void clock_does_not_follow_a_moment(void **state)
{
    (void)state;
    struct fg_clock clock = fg_clock_wall();
    clock.origin -= FG_DAY; /* the wall is a day ahead, */
    clock.latest -= FG_DAY;
    fg_time before = fg_clock_now(&clock);
    clock.origin += FG_DAY; /* and is not any more, */
    fg_clock_now(&clock);
    clock.origin -= FG_DAY; /* and is again */
    clock.latest -= FG_DAY;
    clock.ahead_since -= FG_MINUTE;
    fg_time after = fg_clock_now(&clock);
    assert_true(after >= before && after < before + FG_MINUTE);
    assert_true(clock.ahead_since > 0);
}

/* A machine that was suspended for less than a second is not a step. */
static void clock_does_not_chase_small_differences(void **state)
{
    (void)state;
    struct fg_clock clock = fg_clock_wall();
    fg_time origin = clock.origin -= FG_SECOND / 2;
    clock.latest = clock.origin;
    fg_clock_now(&clock);
    assert_int_equal(clock.origin, origin);
}

static void clock_never_answers_less_than_before(void **state)
{
    (void)state;
    struct fg_clock clock = fg_clock_wall();
    fg_time latest = fg_clock_now(&clock);
    clock.origin -= FG_SECOND / 2; /* too small a step to be followed */
    for (int i = 0; i < 1000; i++) {
        fg_time now = fg_clock_now(&clock);
        assert_true(now >= latest);
        latest = now;
    }
}

static void simulated_clocks_of_one_anchor_agree(void **state)
{
    (void)state;
    fg_time anchor = fg_time_now() - FG_SECOND;
    struct fg_clock a = fg_clock_simulated(anchor, 1000);
    usleep(10000);
    struct fg_clock b = fg_clock_simulated(anchor, 1000);
    fg_time from = fg_clock_now(&a), seen = fg_clock_now(&b), to = fg_clock_now(&a);
    /* The wall and the monotonic clock may drift apart by a few microseconds. */
    assert_true(seen >= from - FG_SECOND && seen <= to + FG_SECOND);
    assert_true(from >= anchor + 1000 * FG_SECOND);
}

static void spans_shrink_with_speed_and_are_never_negative(void **state)
{
    (void)state;
    struct fg_clock clock = fg_clock_simulated(fg_time_now(), 3600);
    struct timeval hour = fg_clock_real(&clock, FG_HOUR),
                   past = fg_clock_real(&clock, -FG_HOUR);
    assert_int_equal(hour.tv_sec, 1);
    assert_int_equal(hour.tv_usec, 0);
    assert_true(past.tv_sec == 0 && past.tv_usec == 0);
}

FG_TESTS(clock_goes_on_when_the_wall_steps_back, clock_follows_a_step_forwards_that_lasts,
         clock_does_not_follow_a_moment, clock_does_not_chase_small_differences,
         clock_never_answers_less_than_before, simulated_clocks_of_one_anchor_agree,
         spans_shrink_with_speed_and_are_never_negative)
