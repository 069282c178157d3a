/* Axes: ticks that a person would have chosen, worked out by hand. */
#include "lab/report/axis.h"
#include "test.h"

static struct fg_range between(double low, double high)
{
    struct fg_range range = FG_RANGE_EMPTY;
    fg_range_add(&range, low);
    fg_range_add(&range, high);
    return range;
}

static void assert_ticks(struct fg_axis axis, const char *labels)
{
    struct fg_buf out;
    fg_buf_init(&out, 1 << 12);
    for (size_t i = 0; i < axis.n_ticks; i++) {
        fg_buf_add(&out, i ? FG_STR(" ") : FG_STR(""));
        fg_axis_label(&axis, i, &out);
    }
    assert_str(fg_buf_str(&out), labels);
    fg_buf_clear(&out);
}

static void ticks_are_round(void **state)
{
    (void)state;
    assert_ticks(fg_axis_within(FG_AXIS_PLAIN, between(0, 1), 6),
                 "0.0 0.2 0.4 0.6 0.8 1.0");
    assert_ticks(fg_axis_within(FG_AXIS_PLAIN, between(-0.3, 0.7), 6),
                 "−0.2 0.0 0.2 0.4 0.6");
    assert_ticks(fg_axis_within(FG_AXIS_PLAIN, between(0, 1176), 8),
                 "0 200 400 600 800 1,000");
    assert_ticks(fg_axis_within(FG_AXIS_PLAIN, between(1e6, 3e6), 5),
                 "1 M 1.5 M 2 M 2.5 M 3 M");
}

static void hours_make_days_and_weeks(void **state)
{
    (void)state;
    assert_ticks(fg_axis_within(FG_AXIS_HOURS, between(0, 1176), 8),
                 "0 168 336 504 672 840 1,008 1,176");
    assert_ticks(fg_axis_within(FG_AXIS_HOURS, between(0, 72), 8), "0 12 24 36 48 60 72");
    assert_ticks(fg_axis_within(FG_AXIS_HOURS, between(0, 100), 8), "0 24 48 72 96");
    /* A year and a half: 13,140 hours are 78 weeks, shown every ten. */
    assert_ticks(fg_axis_within(FG_AXIS_HOURS, between(0, 13140), 8),
                 "0 1,680 3,360 5,040 6,720 8,400 10,080 11,760");
    /* A few hours are shown in parts. */
    assert_ticks(fg_axis_within(FG_AXIS_HOURS, between(0, 3), 8),
                 "0.0 0.5 1.0 1.5 2.0 2.5 3.0");
}

static void a_logarithm_has_powers_of_ten(void **state)
{
    (void)state;
    assert_ticks(fg_axis_within(FG_AXIS_LOG, between(0.3, 200), 8), "1 10 100");
    assert_ticks(fg_axis_within(FG_AXIS_LOG, between(0.05, 2000), 8),
                 "0.1 1 10 100 1,000");
    assert_ticks(fg_axis_within(FG_AXIS_LOG, between(1, 10), 8), "1 2 5 10");
    assert_ticks(fg_axis_within(FG_AXIS_LOG, between(2, 4), 8), "2 2.5 3 3.5 4");
    /* 16 powers for 8 ticks: every other. */
    assert_int_equal(fg_axis_within(FG_AXIS_LOG, between(1e-6, 1e9), 8).n_ticks, 8);
}

static void a_logarithm_keeps_room_for_zero(void **state)
{
    (void)state;
    struct fg_range range = between(1, 100);
    fg_range_add(&range, 0);
    struct fg_axis axis = fg_axis_within(FG_AXIS_LOG, range, 8);
    assert_ticks(axis, "0 1 10 100");
    assert_near(fg_axis_place(&axis, 0), 0, 0);
    assert_near(fg_axis_place(&axis, 1), axis.gutter, 1e-12);
    assert_near(fg_axis_place(&axis, 10), (1 + axis.gutter) / 2, 1e-12);
    assert_near(fg_axis_place(&axis, 100), 1, 1e-12);
    assert_true(isnan(fg_axis_place(&axis, -1)));
    /* Without a zero there is no gutter, and zero has no place. */
    axis = fg_axis_within(FG_AXIS_LOG, between(1, 100), 8);
    assert_near(fg_axis_place(&axis, 1), 0, 1e-12);
    assert_true(isnan(fg_axis_place(&axis, 0)));
}

static void an_axis_around_reaches_a_near_tick(void **state)
{
    (void)state;
    /* 0.75 is a quarter of a step from 0.8: go there. 0.71 is 0.45 of one: stay, with 4 %
     * of the range as room. */
    struct fg_axis axis = fg_axis_around(between(0, 0.75), 7);
    assert_near(axis.from, 0, 0);
    assert_near(axis.to, 0.8, 1e-12);
    assert_ticks(axis, "0.0 0.2 0.4 0.6 0.8");
    axis = fg_axis_around(between(0, 0.71), 7);
    assert_near(axis.to, 0.71 * 1.04, 1e-12);
    assert_ticks(axis, "0.0 0.2 0.4 0.6");
    axis = fg_axis_around(between(-9, 11), 7);
    assert_near(axis.from, -10,
                1e-12); /* step 5: one below is near, four above are not */
    assert_near(axis.to, 11.8, 1e-12);
}

static void ranges_without_width_get_one(void **state)
{
    (void)state;
    struct fg_axis axis = fg_axis_within(FG_AXIS_PLAIN, FG_RANGE_EMPTY, 6);
    assert_true(axis.from == 0 && axis.to == 1);
    axis = fg_axis_within(FG_AXIS_PLAIN, between(0, 0), 6);
    assert_true(axis.from == 0 && axis.to == 1);
    axis = fg_axis_within(FG_AXIS_PLAIN, between(4, 4), 6);
    assert_true(axis.from == 2 && axis.to == 6);
    axis = fg_axis_within(FG_AXIS_PLAIN, between(-4, -4), 6);
    assert_true(axis.from == -6 && axis.to == -2);
    axis = fg_axis_within(FG_AXIS_LOG, between(4, 4), 6);
    assert_true(axis.from == 2 && axis.to == 8);
    axis = fg_axis_within(FG_AXIS_LOG, between(0, 0), 6);
    assert_near(fg_axis_place(&axis, 0), 0, 0);
    axis = fg_axis_within(FG_AXIS_LOG, between(-5, -2), 6);
    assert_true(isnan(fg_axis_place(&axis, -3)));
}

static void what_cannot_be_drawn_does_not_count(void **state)
{
    (void)state;
    struct fg_range range = between(1, 2);
    fg_range_add(&range, NAN);
    fg_range_add(&range, INFINITY);
    fg_range_add(&range, -1e308);
    assert_true(range.low == 1 && range.high == 2);
}

static void ticks_may_be_given(void **state)
{
    (void)state;
    const double arms[] = {0.6, 0.7, 0.8, 0.95, 1};
    struct fg_axis axis = fg_axis_at(FG_AXIS_PLAIN, arms, 5);
    assert_ticks(axis, "0.60 0.70 0.80 0.95 1.00");
    assert_near(fg_axis_place(&axis, 0.8), 0.5, 1e-12);
}

FG_TESTS(ticks_are_round, hours_make_days_and_weeks, a_logarithm_has_powers_of_ten,
         a_logarithm_keeps_room_for_zero, an_axis_around_reaches_a_near_tick,
         ranges_without_width_get_one, what_cannot_be_drawn_does_not_count,
         ticks_may_be_given)
