#include "test.h"

#include "server/meter.h"

static void a_minutes_worth_and_then_its_pace(void **state)
{
    (void)state;
    struct fg_meter *meter = fg_meter_new();
    fg_time now = FG_DAY;
    for (int i = 0; i < 60; i++)
        assert_true(fg_meter_take(meter, 7, 60, now));
    assert_false(fg_meter_take(meter, 7, 60, now));
    assert_false(fg_meter_take(meter, 7, 60, now + FG_SECOND / 2));
    assert_true(fg_meter_take(meter, 7, 60, now + FG_SECOND));
    assert_false(fg_meter_take(meter, 7, 60, now + FG_SECOND));
    assert_true(fg_meter_take(meter, 8, 60, now)); /* somebody else */
    unsigned taken = 0;
    for (int i = 0; i < 1000; i++) /* ten minutes, 100 a minute asked for */
        taken += fg_meter_take(meter, 9, 60, now + i * FG_MINUTE / 100);
    assert_in_range(taken, 655, 660); /* a minute's worth, and ten minutes' */
    fg_meter_free(meter);
}

FG_TESTS(a_minutes_worth_and_then_its_pace)
