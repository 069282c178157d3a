/* The shape of a week by hand. */
#include "test.h"

#include "learn/week.h"

/* Monday, 16 November 2026, 0:00 UTC. */
static const fg_time monday = 1794787200 * FG_SECOND;

static void hours_are_counted_from_monday(void **state)
{
    (void)state;
    assert_int_equal(fg_week_hour(monday), 0);
    assert_int_equal(fg_week_hour(monday - 1), 167);
    assert_int_equal(fg_week_hour(monday + 25 * FG_HOUR + 59 * FG_MINUTE), 25);
    assert_int_equal(fg_week_hour(0), 72); /* 1970 began on a Thursday */
    assert_int_equal(fg_week_hour(-1), 71);
}

static void what_came_is_spread_over_the_time_between_looks(void **state)
{
    (void)state;
    struct fg_week week = {0};
    /* 1:30 to 3:30: half an hour, an hour, half an hour. */
    fg_week_add(&week, monday + 90 * FG_MINUTE, monday + 210 * FG_MINUTE, 8);
    assert_near(week.came[1], 2, 1e-9);
    assert_near(week.came[2], 4, 1e-9);
    assert_near(week.came[3], 2, 1e-9);
    assert_near(week.hours[1] + week.hours[2] + week.hours[3], 2, 1e-9);
    /* A month says nothing of hours. */
    struct fg_week long_one = {0};
    fg_week_add(&long_one, monday, monday + 28 * FG_DAY, 168);
    for (size_t h = 0; h < FG_WEEK_HOURS; h++) {
        assert_near(long_one.came[h], 1, 1e-9);
        assert_near(long_one.hours[h], 4, 1e-9);
    }
    /* A clock that was set back adds nothing. */
    fg_week_add(&long_one, monday, monday - FG_HOUR, 168);
    assert_near(long_one.came[0], 1, 1e-9);
}

/* Looked at every hour for four weeks, two things at 9:00 on working days:
 * c = 5 * 4 * 2 = 40, e = 28 * 24 = 672 hours, m = 40 / 672.
 * Of the day, 9:00: d = (40 + 6) / (28 m + 6) = 6.00000, others 6 / (28 m + 6) = .78261;
 * Monday 9:00: (8 + 6 d) / (4 m + 6) = 7.05344, Sunday 9:00: 6 d / (4 m + 6) = 5.77099,
 * any other hour: 6 * .78261 / (4 m + 6) = .75274. */
static void an_hour_of_the_week_is_drawn_to_that_hour_of_all_days(void **state)
{
    (void)state;
    struct fg_week week = {0};
    for (int hour = 0; hour < 28 * 24; hour++)
        fg_week_add(&week, monday + hour * FG_HOUR, monday + (hour + 1) * FG_HOUR,
                    hour % 24 == 9 && hour / 24 % 7 < 5 ? 2 : 0);
    fg_week_done(&week);
    double sum = 0;
    for (size_t h = 0; h < FG_WEEK_HOURS; h++)
        sum += week.shape[h];
    assert_near(sum, 168, 1e-9);
    double scale = (5 * 7.05344 + 2 * 5.77099 + 161 * .75274) / 168;
    assert_near(week.shape[9] * scale, 7.05344, 1e-4);
    assert_near(week.shape[6 * 24 + 9] * scale, 5.77099, 1e-4);
    assert_near(week.shape[12] * scale, .75274, 1e-4);
    /* 40 in 672 hours; half a thing at the same pace changes nothing. */
    assert_near(fg_week_rate(&week, 40, 28 * FG_DAY), 40. / 672, 1e-9);
    /* Nothing in ten hours: .5 / (10 + .5 * 16.8). */
    assert_near(fg_week_rate(&week, 0, 10 * FG_HOUR), .5 / 18.4, 1e-9);
}

static void nothing_known_is_an_even_week(void **state)
{
    (void)state;
    struct fg_week week = {0};
    fg_week_done(&week);
    assert_near(week.shape[0], 1, 1e-9);
    assert_near(fg_week_rate(&week, 0, 0), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hours_are_counted_from_monday),
        cmocka_unit_test(what_came_is_spread_over_the_time_between_looks),
        cmocka_unit_test(an_hour_of_the_week_is_drawn_to_that_hour_of_all_days),
        cmocka_unit_test(nothing_known_is_an_even_week),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
