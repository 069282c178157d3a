#include "test.h"
#include "view/ago.h"

static void what_is_to_come_is_never_ago(void **state)
{
    (void)state;
    char text[FG_AGO_TEXT];
    fg_time now = 1000 * FG_DAY;
    assert_string_equal(fg_until(text, now, now + 2 * FG_MINUTE), "in 2m");
    assert_string_equal(fg_until(text, now, now), "due now");
    assert_string_equal(fg_until(text, now, now - 2 * FG_SECOND), "due now");
    assert_string_equal(fg_until(text, now, FG_NEVER), "never");
    assert_string_equal(fg_ago(text, now, now - 2 * FG_SECOND), "2s ago");
}

static void what_was_is_never_to_come(void **state)
{
    (void)state;
    char text[FG_AGO_TEXT];
    fg_time now = 1000 * FG_DAY;
    assert_string_equal(fg_past(text, now, now - 47 * FG_HOUR), "1d23h ago");
    assert_string_equal(fg_past(text, now, now + 47 * FG_HOUR),
                        "1d23h ahead of the clock");
    assert_string_equal(fg_past(text, now, FG_NEVER), "never");
}

static void gaps_below_a_second_are_shown(void **state)
{
    (void)state;
    char text[FG_AGO_TEXT];
    assert_string_equal(fg_gap_short(text, 300 * FG_MILLISECOND), "0.3s");
    assert_string_equal(fg_gap_short(text, 1250 * FG_MILLISECOND), "1.25s");
    assert_string_equal(fg_gap_short(text, 0), "0s");
    assert_string_equal(fg_gap_short(text, 10 * FG_SECOND), "10s");
    assert_string_equal(fg_gap_short(text, 100 * FG_SECOND), "1m40s");
}

FG_TESTS(what_is_to_come_is_never_ago, what_was_is_never_to_come,
         gaps_below_a_second_are_shown)
