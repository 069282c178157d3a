#include "test.h"

#include "crawl/signals/honesty.h"

static void who_tells_is_heeded_until_it_proves_false(void **state)
{
    (void)state;
    struct fg_honesty h = {0};
    fg_time now = 100 * FG_DAY;
    for (int i = 0; i < 6; i++) {
        assert_true(fg_honesty_heeds(&h, now));
        fg_honesty_check(&h, false);
    }
    assert_false(fg_honesty_is_believed(&h));
    assert_false(fg_honesty_heeds(&h, now + FG_HOUR - 1));
    assert_true(fg_honesty_heeds(&h, now + FG_HOUR)); /* one an hour */
    assert_false(fg_honesty_heeds(&h, now + FG_HOUR + FG_MINUTE));
    /* 2 of 8 are one in four. */
    fg_honesty_check(&h, true);
    assert_false(fg_honesty_is_believed(&h)); /* 1 of 7 */
    fg_honesty_check(&h, true);
    assert_true(fg_honesty_is_believed(&h));
}

static void polling_fades_and_is_back_at_once(void **state)
{
    (void)state;
    struct fg_honesty h = {0};
    fg_honesty_check(&h, true);
    fg_honesty_check(&h, true);
    assert_int_equal(fg_honesty_rest(&h, FG_HOUR), 0);
    fg_honesty_check(&h, true);
    assert_int_equal(fg_honesty_rest(&h, 8 * FG_MINUTE), 3 * FG_MINUTE);
    for (int i = 0; i < 20; i++)
        fg_honesty_check(&h, true);
    assert_int_equal(fg_honesty_rest(&h, FG_HOUR), FG_HOUR);
    /* One false alarm in 24 halves the streak of 23: 11 is still full. */
    fg_honesty_check(&h, false);
    assert_int_equal(h.streak, 11);
    assert_int_equal(fg_honesty_rest(&h, 24 * FG_MINUTE), 23 * FG_MINUTE);
    fg_honesty_miss(&h);
    assert_int_equal(fg_honesty_rest(&h, FG_HOUR), 0);
    assert_true(h.missed == 1);
}

static void old_evidence_fades(void **state)
{
    (void)state;
    struct fg_honesty h = {0};
    for (int i = 0; i < 65; i++)
        fg_honesty_check(&h, true);
    assert_true(h.told == 32.5 && h.proved == 32.5);
    for (int i = 0; i < 10000; i++)
        fg_honesty_check(&h, false);
    assert_true(h.told <= 64 && h.proved < 1);
    assert_false(fg_honesty_is_believed(&h));
}

FG_TESTS(who_tells_is_heeded_until_it_proves_false, polling_fades_and_is_back_at_once,
         old_evidence_fades)
