/* Pages are found again where they were put: against a plain list of who is due when. */
#include "base/rng.h"
#include "base/variate.h"
#include "policy/refresh/calendar.h"
#include "test.h"

enum { PAGES = 500 };
static uint32_t due[PAGES];

static void start(struct fg_calendar *calendar, uint32_t now)
{
    memset(due, 0, sizeof due);
    *calendar = (struct fg_calendar){.now = now, .ahead = now + 1};
}

static void pages_come_out_at_their_tick(void **state)
{
    (void)state;
    struct fg_calendar calendar;
    uint32_t page;
    start(&calendar, 100);
    fg_calendar_put(&calendar, due, 1, 105);
    fg_calendar_put(&calendar, due, 2, 103);
    assert_false(fg_calendar_take(&calendar, due, 102, &page));
    assert_true(fg_calendar_take(&calendar, due, 104, &page));
    assert_int_equal(page, 2);
    assert_int_equal(due[2], 0);
    assert_false(fg_calendar_take(&calendar, due, 104, &page));
    assert_true(fg_calendar_take(&calendar, due, 105, &page));
    assert_int_equal(page, 1);
    fg_calendar_clear(&calendar);
}

static void what_was_put_elsewhere_is_void(void **state)
{
    (void)state;
    struct fg_calendar calendar;
    uint32_t page;
    start(&calendar, 100);
    fg_calendar_put(&calendar, due, 7, 110);
    fg_calendar_put(&calendar, due, 7, 105);
    fg_calendar_put(&calendar, due, 8, 105);
    fg_calendar_shelve(&calendar, due, 8, 3);
    assert_true(fg_calendar_take(&calendar, due, 200, &page));
    assert_int_equal(page, 7);
    assert_false(fg_calendar_take(&calendar, due, 200, &page));
    assert_true(fg_calendar_unshelve(&calendar, due, 1, &page));
    assert_int_equal(page, 8);
    assert_int_equal(calendar.in_wheel + calendar.shelved, 0);
    fg_calendar_clear(&calendar);
}

static void a_page_comes_out_once_however_often_it_was_put(void **state)
{
    (void)state;
    struct fg_calendar calendar;
    uint32_t page;
    start(&calendar, 100);
    for (int i = 0; i < 3; i++)
        fg_calendar_put(&calendar, due, 7, 105);
    assert_true(fg_calendar_take(&calendar, due, 105, &page));
    assert_false(fg_calendar_take(&calendar, due, 105, &page));
    fg_calendar_clear(&calendar);
}

static void shelves_give_the_most_worthy_first(void **state)
{
    (void)state;
    struct fg_calendar calendar;
    uint32_t page;
    start(&calendar, 100);
    double worths[] = {0.01, 5, 1000, 2, 1e-30, 0, 1e30};
    for (uint32_t i = 0; i < 7; i++)
        fg_calendar_shelve(&calendar, due, i, worths[i]);
    uint32_t order[] = {6, 2, 1, 3};
    for (size_t i = 0; i < 4; i++) {
        assert_true(fg_calendar_unshelve(&calendar, due, 1.5, &page));
        assert_int_equal(page, order[i]);
    }
    assert_false(fg_calendar_unshelve(&calendar, due, 1.5, &page));
    assert_true(fg_calendar_unshelve(&calendar, due, 0, &page));
    assert_int_equal(page, 0);
    fg_calendar_clear(&calendar);
}

static void looking_ahead_keeps_the_order(void **state)
{
    (void)state;
    struct fg_calendar calendar;
    uint32_t page;
    start(&calendar, 4090);
    fg_calendar_put(&calendar, due, 1, 4100);
    fg_calendar_put(&calendar, due, 2, 4092);
    fg_calendar_put(&calendar, due, 3, 20000); /* not in this round nor the next */
    assert_false(fg_calendar_take_ahead(&calendar, due, calendar.now + 1, &page));
    assert_true(fg_calendar_take_ahead(&calendar, due, UINT32_MAX, &page));
    assert_int_equal(page, 2);
    fg_calendar_put(&calendar, due, 4, 4091);
    assert_true(fg_calendar_take_ahead(&calendar, due, UINT32_MAX, &page));
    assert_int_equal(page, 4);
    assert_true(fg_calendar_take_ahead(&calendar, due, UINT32_MAX, &page));
    assert_int_equal(page, 1);
    assert_false(fg_calendar_take_ahead(&calendar, due, UINT32_MAX, &page));
    assert_int_equal(calendar.now, 4090);
    fg_calendar_clear(&calendar);
}

static void rows_that_move_keep_their_tick(void **state)
{
    (void)state;
    struct fg_calendar calendar;
    uint32_t page;
    start(&calendar, 100);
    fg_calendar_put(&calendar, due, 9, 120);
    fg_calendar_put(&calendar, due, 3, 110); /* leaves, and page 9 takes its row */
    fg_calendar_rename(&calendar, due, 9, 3);
    due[3] = due[9];
    due[9] = 0;
    assert_false(fg_calendar_take(&calendar, due, 119, &page));
    assert_true(fg_calendar_take(&calendar, due, 120, &page));
    assert_int_equal(page, 3);
    assert_false(fg_calendar_take(&calendar, due, 200, &page));
    fg_calendar_clear(&calendar);
}

static void packing_forgets_what_is_void(void **state)
{
    (void)state;
    struct fg_calendar calendar;
    uint32_t page;
    start(&calendar, 100);
    for (uint32_t tick = 200; tick < 300; tick++)
        for (uint32_t i = 0; i < 50; i++)
            fg_calendar_put(&calendar, due, i, tick + i);
    assert_int_equal(calendar.in_wheel, 5000);
    due[5] = 150; /* as if it were from before a pause */
    fg_calendar_pack(&calendar, 160, due, PAGES);
    assert_int_equal(calendar.in_wheel, 50);
    assert_true(fg_calendar_take(&calendar, due, 161, &page));
    assert_int_equal(page, 5);
    fg_calendar_clear(&calendar);
}

/* Spans from a tick to eras, over the ends of rounds and eras. */
static uint32_t random_span(struct fg_rng *rng)
{
    double power = fg_rng_unit(rng) * 7.5;
    return 1 + (uint32_t)pow(10, power);
}

static void random_spans_are_kept(void **state)
{
    (void)state;
    struct fg_calendar calendar;
    struct fg_rng rng = fg_rng_from_seed(5);
    uint32_t wanted[PAGES], page, now = 1048570;
    start(&calendar, now);
    for (uint32_t i = 0; i < PAGES; i++)
        fg_calendar_put(&calendar, due, i, wanted[i] = now + random_span(&rng));
    for (int round = 0; round < 4000; round++) {
        uint32_t next = UINT32_MAX;
        for (size_t i = 0; i < PAGES; i++)
            next = wanted[i] < next ? wanted[i] : next;
        assert_true(fg_calendar_take(&calendar, due, next, &page));
        assert_int_equal(wanted[page], next);
        fg_calendar_put(&calendar, due, page, wanted[page] = next + random_span(&rng));
    }
    assert_int_equal(calendar.in_wheel, PAGES);
    assert_true(fg_calendar_bytes(&calendar) < (size_t)PAGES * 256);
    fg_calendar_clear(&calendar);
}

FG_TESTS(pages_come_out_at_their_tick, what_was_put_elsewhere_is_void,
         a_page_comes_out_once_however_often_it_was_put,
         shelves_give_the_most_worthy_first, looking_ahead_keeps_the_order,
         rows_that_move_keep_their_tick, packing_forgets_what_is_void,
         random_spans_are_kept)
