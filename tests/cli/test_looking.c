#include "cli/looking.h"
#include "test.h"

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

FG_TESTS(what_is_to_come_is_never_ago)
