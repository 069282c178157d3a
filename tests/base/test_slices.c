#include "base/slices.h"
#include "test.h"

#include "base/time.h"

static struct fg_slices *slices;

/* Takes a few slices, also on a machine so busy that it gets one look at the clock. */
static void count(void *context)
{
    unsigned *pauses = context, before = *pauses;
    for (fg_time until = fg_time_monotonic() + 50 * FG_MILLISECOND;
         fg_time_monotonic() < until || *pauses == before;)
        if (fg_slices_is_due(slices)) {
            ++*pauses;
            fg_slices_pause(slices);
        }
}

static void nothing(void *context)
{
    *(bool *)context = true;
}

static void what_is_long_is_done_in_slices(void **state)
{
    (void)state;
    slices = fg_slices_new();
    for (int round = 0; round < 3; round++) {
        unsigned pauses = 0, turns = 0;
        for (bool is_over = fg_slices_begin(slices, count, &pauses); !is_over;
             is_over = fg_slices_go_on(slices)) {
            assert_true(fg_slices_has_paused(slices));
            assert_false(fg_slices_is_due(slices)); /* we are not the work */
            assert_int_equal(pauses, ++turns);
        }
        assert_in_range(pauses, 1, 10);
        assert_false(fg_slices_has_paused(slices));
    }
    fg_slices_free(slices);
}

static void what_is_short_is_over_at_once(void **state)
{
    (void)state;
    bool is_done = false;
    slices = fg_slices_new();
    assert_true(fg_slices_begin(slices, nothing, &is_done));
    assert_true(is_done);
    fg_slices_finish(slices); /* there is nothing */
    fg_slices_free(slices);
    fg_slices_free(NULL);
}

static void what_has_paused_is_finished(void **state)
{
    (void)state;
    unsigned pauses = 0;
    slices = fg_slices_new();
    assert_false(fg_slices_begin(slices, count, &pauses));
    fg_slices_finish(slices);
    assert_int_equal(pauses, 1);
    assert_false(fg_slices_has_paused(slices));
    assert_false(fg_slices_begin(slices, count, &pauses));
    fg_slices_free(slices);
    assert_int_equal(pauses, 2);
}

FG_TESTS(what_is_long_is_done_in_slices, what_is_short_is_over_at_once,
         what_has_paused_is_finished)
