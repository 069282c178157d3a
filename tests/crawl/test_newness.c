#include "test.h"

#include "crawl/sources/newness.h"
#include "net/text/date.h"

/* The watch began on a Tuesday at eight in the morning; it is half past nine. */
#define MIDNIGHT  (20000 * FG_DAY)
#define SINCE     (MIDNIGHT + 8 * FG_HOUR)
#define NOW       (SINCE + 90 * FG_MINUTE)
#define YESTERDAY (MIDNIGHT - FG_DAY)

/* A link of which nothing is known. */
static struct fg_sighting sighting(void)
{
    return (struct fg_sighting){.since = SINCE,
                                .now = NOW,
                                .published = FG_NEVER,
                                .modified = FG_NEVER,
                                .day = FG_NEVER};
}

/* One on a list that was seen whole before. */
static struct fg_sighting comer(void)
{
    struct fg_sighting s = sighting();
    s.was_seen_whole = true;
    return s;
}

static void a_link_of_a_first_look_is_stock(void **state)
{
    (void)state;
    struct fg_sighting s = sighting();
    assert_int_equal(fg_newness_of(&s), FG_STOCK);
    s.brings_up_old = s.is_continuation = true;
    assert_int_equal(fg_newness_of(&s), FG_STOCK);
}

static void a_link_that_came_to_a_list_is_new(void **state)
{
    (void)state;
    struct fg_sighting s = comer();
    assert_int_equal(fg_newness_of(&s), FG_NEW);
    s.list_is_new = true;
    assert_int_equal(fg_newness_of(&s), FG_NEW);
}

static void the_first_look_at_a_list_that_is_new_proves_nothing(void **state)
{
    (void)state;
    struct fg_sighting s = sighting();
    s.list_is_new = true;
    assert_int_equal(fg_newness_of(&s), FG_UNPROVEN);
}

static void what_stands_in_a_new_volume_is_new(void **state)
{
    (void)state;
    struct fg_sighting s = sighting();
    s.list_is_new = s.list_is_volume = true;
    assert_int_equal(fg_newness_of(&s), FG_NEW);
    s.is_old_serial = true;
    assert_int_equal(fg_newness_of(&s), FG_STOCK);
    s.is_old_serial = false;
    s.published = YESTERDAY;
    assert_int_equal(fg_newness_of(&s), FG_OLD);
}

static void what_a_list_goes_on_with_on_another_page_is_new(void **state)
{
    (void)state;
    struct fg_sighting s = sighting();
    s.list_goes_on = s.is_continuation = true;
    assert_int_equal(fg_newness_of(&s), FG_NEW);
    s.is_old_serial = true;
    assert_int_equal(fg_newness_of(&s), FG_STOCK);
}

static void a_number_above_those_of_the_stock_proves_what_such_a_list_does_not(
    void **state)
{
    (void)state;
    struct fg_sighting s = comer();
    s.brings_up_old = s.is_new_serial = true;
    assert_int_equal(fg_newness_of(&s), FG_NEW);
    assert_false(fg_newness_is_held(&s));
    /* A further page of a list that is not read yet may show more of the stock. */
    s.stock_waits = true;
    assert_int_equal(fg_newness_of(&s), FG_UNPROVEN);
    assert_true(fg_newness_is_held(&s));
    s.is_new_serial = false;
    assert_false(fg_newness_is_held(&s));
    s.is_new_serial = true;
    s.stock_waits = false;
    s.is_continuation = true;
    assert_int_equal(fg_newness_of(&s), FG_UNPROVEN);
    /* Of a first look it says nothing: the stock is not known yet. */
    s.was_seen_whole = false;
    assert_int_equal(fg_newness_of(&s), FG_STOCK);
}

static void lists_that_bring_up_old_things_prove_nothing(void **state)
{
    (void)state;
    struct fg_sighting s = comer();
    s.brings_up_old = true;
    assert_int_equal(fg_newness_of(&s), FG_UNPROVEN);
    s = comer();
    s.is_continuation = true;
    assert_int_equal(fg_newness_of(&s), FG_UNPROVEN);
    s.published = NOW;
    assert_int_equal(fg_newness_of(&s), FG_NEW);
}

static void what_is_dated_before_the_watch_is_old(void **state)
{
    (void)state;
    struct fg_sighting s = comer();
    s.published = SINCE - 1;
    assert_int_equal(fg_newness_of(&s), FG_OLD);
    s = comer();
    s.modified = SINCE - 1;
    assert_int_equal(fg_newness_of(&s), FG_OLD);
    s.published = NOW; /* whatever else speaks for it */
    assert_int_equal(fg_newness_of(&s), FG_OLD);
    s = comer();
    s.published = SINCE - 1;
    s.modified = NOW;
    assert_int_equal(fg_newness_of(&s), FG_OLD);
    s = sighting();
    s.published = YESTERDAY;
    s.list_is_new = true;
    assert_int_equal(fg_newness_of(&s), FG_OLD);
}

static void midnight_is_a_day(void **state)
{
    (void)state;
    struct fg_sighting s = comer();
    s.published = s.modified = MIDNIGHT; /* of the day on which the watch began */
    assert_int_equal(fg_newness_of(&s), FG_NEW);
    s.was_seen_whole = false;
    assert_int_equal(fg_newness_of(&s), FG_STOCK);
    s.was_seen_whole = true;
    s.published = YESTERDAY;
    assert_int_equal(fg_newness_of(&s), FG_OLD);
    s.published = MIDNIGHT + 1;
    assert_int_equal(fg_newness_of(&s), FG_OLD);
}

static void what_is_dated_since_the_watch_began_is_new(void **state)
{
    (void)state;
    struct fg_sighting s = sighting();
    s.published = SINCE;
    assert_int_equal(fg_newness_of(&s), FG_NEW);
    s.published = NOW;
    s.is_old_serial = s.brings_up_old = s.is_continuation = true;
    assert_int_equal(fg_newness_of(&s), FG_NEW);
}

/* That an old page was edited does not make it a new one. */
static void a_modification_since_proves_nothing(void **state)
{
    (void)state;
    struct fg_sighting s = sighting();
    s.modified = NOW;
    assert_int_equal(fg_newness_of(&s), FG_STOCK);
    s.was_seen_whole = true;
    assert_int_equal(fg_newness_of(&s), FG_NEW);
}

static void dates_far_ahead_prove_nothing(void **state)
{
    (void)state;
    struct fg_sighting s = sighting();
    s.published = NOW + FG_DAY;
    assert_int_equal(fg_newness_of(&s), FG_NEW); /* a clock of theirs may be wrong */
    s.published = NOW + FG_DAY + 1;
    assert_int_equal(fg_newness_of(&s), FG_STOCK);
    s.was_seen_whole = true;
    assert_int_equal(fg_newness_of(&s), FG_NEW);
}

static void the_day_in_an_address_is_old_when_it_was_over(void **state)
{
    (void)state;
    struct fg_sighting s = comer();
    s.span = FG_DAY;
    s.day = YESTERDAY - FG_DAY;
    assert_int_equal(fg_newness_of(&s), FG_OLD);
    s.day = MIDNIGHT; /* today: before or after eight, nobody knows */
    assert_int_equal(fg_newness_of(&s), FG_NEW);
    s.was_seen_whole = false;
    assert_int_equal(fg_newness_of(&s), FG_STOCK);
    s = comer();
    s.day = MIDNIGHT - 10 * FG_DAY;
    s.span = 30 * FG_DAY; /* this month */
    assert_int_equal(fg_newness_of(&s), FG_NEW);
    s.since = MIDNIGHT + 20 * FG_DAY + FG_MOST_WEST;
    assert_int_equal(fg_newness_of(&s), FG_OLD);
    s = comer();
    s.day = YESTERDAY - FG_DAY;
    s.span = FG_DAY;
    s.published = NOW;
    assert_int_equal(fg_newness_of(&s), FG_OLD);
}

static void the_day_in_an_address_is_new_when_it_had_not_begun(void **state)
{
    (void)state;
    struct fg_sighting s = sighting();
    s.now = MIDNIGHT + 30 * FG_HOUR;
    s.span = FG_DAY;
    s.day = MIDNIGHT + FG_DAY; /* tomorrow, seen then on a page not seen before */
    assert_int_equal(fg_newness_of(&s), FG_NEW);
    s.day += FG_DAY; /* of a calendar */
    assert_int_equal(fg_newness_of(&s), FG_STOCK);
    /* The archive of a day that has begun further east. */
    s.now = s.day - 13 * FG_HOUR;
    s.list_is_new = true;
    assert_int_equal(fg_newness_of(&s), FG_NEW);
    s.now -= 2 * FG_HOUR;
    assert_int_equal(fg_newness_of(&s), FG_UNPROVEN);
}

static void numbers_below_those_of_the_stock_are_stock(void **state)
{
    (void)state;
    struct fg_sighting s = comer();
    s.is_old_serial = s.brings_up_old = true;
    assert_int_equal(fg_newness_of(&s), FG_STOCK);
    s.list_is_proven = true;
    assert_int_equal(fg_newness_of(&s), FG_STOCK);
    s.list_is_new = true;
    s.was_seen_whole = false;
    assert_int_equal(fg_newness_of(&s), FG_STOCK);
}

/* A page has had its number since it was a draft. */
static void a_list_knows_better_than_numbers(void **state)
{
    (void)state;
    struct fg_sighting s = comer();
    s.is_old_serial = true;
    assert_int_equal(fg_newness_of(&s), FG_UNPROVEN);
    s.list_is_proven = true;
    assert_int_equal(fg_newness_of(&s), FG_NEW);
}

static enum fg_newness within(enum fg_newness before, fg_time from, fg_time until)
{
    return fg_newness_by_date(
        before,
        &(struct fg_dating){.since = SINCE, .now = NOW, .from = from, .until = until});
}

static enum fg_newness by_date(enum fg_newness before, fg_time published, bool is_day)
{
    return within(before, published, is_day ? published + FG_DAY : published);
}

static void a_page_without_a_date_stays_what_it_was(void **state)
{
    (void)state;
    for (int before = FG_STOCK; before <= FG_NEW; before++) {
        assert_int_equal(by_date((enum fg_newness)before, FG_NEVER, false), before);
        assert_int_equal(by_date((enum fg_newness)before, FG_NEVER, true), before);
    }
}

static void the_date_of_a_page_decides(void **state)
{
    (void)state;
    static const enum fg_newness others[] = {FG_STOCK, FG_UNPROVEN, FG_NEW};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(by_date(others[i], SINCE - 1, false), FG_OLD);
        assert_int_equal(by_date(others[i], SINCE, false), FG_NEW);
        assert_int_equal(by_date(others[i], NOW + FG_DAY, false), FG_NEW);
        assert_int_equal(by_date(others[i], NOW + FG_DAY + 1, false), others[i]);
    }
}

static void what_was_old_stays_old(void **state)
{
    (void)state;
    assert_int_equal(by_date(FG_OLD, NOW, false), FG_OLD);
    assert_int_equal(by_date(FG_OLD, NOW, true), FG_OLD);
}

static void of_the_first_day_the_hour_is_not_known(void **state)
{
    (void)state;
    static const enum fg_newness others[] = {FG_STOCK, FG_UNPROVEN, FG_NEW};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(by_date(others[i], YESTERDAY, true), FG_OLD);
        /* It came to a list since, so it is of the rest of the day. */
        assert_int_equal(by_date(others[i], MIDNIGHT, true),
                         others[i] == FG_UNPROVEN ? FG_NEW : others[i]);
        assert_int_equal(by_date(others[i], MIDNIGHT + FG_DAY, true), FG_NEW);
        assert_int_equal(by_date(others[i], MIDNIGHT + 3 * FG_DAY, true), others[i]);
    }
}

/* "03/04/2024", "3 weeks ago" */
static void what_is_not_known_to_the_day_proves_what_all_of_it_does(void **state)
{
    (void)state;
    fg_time long_ago = MIDNIGHT - 90 * FG_DAY, span = 30 * FG_DAY;
    assert_int_equal(within(FG_NEW, long_ago, long_ago + span), FG_OLD);
    for (int before = FG_STOCK; before <= FG_NEW; before++)
        assert_int_equal(within((enum fg_newness)before, SINCE - span, SINCE + FG_HOUR),
                         before);
    assert_int_equal(within(FG_UNPROVEN, SINCE, SINCE + FG_HOUR), FG_NEW);
    /* Of yesterday somewhere west of here. */
    assert_int_equal(within(FG_UNPROVEN, YESTERDAY, YESTERDAY + 36 * FG_HOUR),
                     FG_UNPROVEN);
}

/* "2026-11-16 21:00:00", wherever that is. */
static enum fg_newness by_clock(enum fg_newness before, fg_time shown)
{
    return fg_newness_by_date(before, &(struct fg_dating){.since = SINCE,
                                                          .now = NOW,
                                                          .from = shown,
                                                          .until = shown + FG_MOST_WEST,
                                                          .is_local = true});
}

static void a_time_without_a_zone_proves_what_it_does_everywhere(void **state)
{
    (void)state;
    /* West of here it is earlier: what came to a list at six in the morning is new. */
    assert_int_equal(by_clock(FG_NEW, SINCE - 5 * FG_HOUR), FG_NEW);
    assert_int_equal(by_clock(FG_UNPROVEN, SINCE - 5 * FG_HOUR), FG_UNPROVEN);
    assert_int_equal(by_clock(FG_NEW, SINCE - 12 * FG_HOUR), FG_OLD);
    assert_int_equal(by_clock(FG_STOCK, NOW - FG_SECOND), FG_NEW);
    /* East of here it is later: what was there at the start seems to be to come. */
    assert_int_equal(by_clock(FG_STOCK, NOW + FG_HOUR), FG_STOCK);
    assert_int_equal(by_clock(FG_UNPROVEN, NOW + FG_HOUR), FG_UNPROVEN);
    assert_int_equal(by_clock(FG_NEW, NOW + FG_HOUR), FG_NEW);

    struct fg_sighting s = comer();
    s.is_local = true;
    s.published = SINCE - 5 * FG_HOUR;
    assert_int_equal(fg_newness_of(&s), FG_NEW);
    s.published = SINCE - 13 * FG_HOUR;
    assert_int_equal(fg_newness_of(&s), FG_OLD);
    s.was_seen_whole = false;
    s.published = NOW + 9 * FG_HOUR;
    assert_int_equal(fg_newness_of(&s), FG_STOCK);
    s.published = SINCE;
    assert_int_equal(fg_newness_of(&s), FG_NEW);
}

static void a_day_is_over_when_it_is_over_everywhere(void **state)
{
    (void)state;
    struct fg_sighting s = comer();
    s.since = MIDNIGHT + 3 * FG_HOUR;
    s.now = s.since + FG_HOUR;
    s.day = YESTERDAY;
    s.span = FG_DAY;
    assert_int_equal(fg_newness_of(&s), FG_NEW);
    s.brings_up_old = true;
    assert_int_equal(fg_newness_of(&s), FG_UNPROVEN);
    s.brings_up_old = false;
    s.since = MIDNIGHT + 12 * FG_HOUR;
    assert_int_equal(fg_newness_of(&s), FG_OLD);
}

FG_TESTS(a_time_without_a_zone_proves_what_it_does_everywhere,
         a_day_is_over_when_it_is_over_everywhere, a_link_of_a_first_look_is_stock,
         what_stands_in_a_new_volume_is_new, a_link_that_came_to_a_list_is_new,
         what_a_list_goes_on_with_on_another_page_is_new,
         the_first_look_at_a_list_that_is_new_proves_nothing,
         lists_that_bring_up_old_things_prove_nothing,
         a_number_above_those_of_the_stock_proves_what_such_a_list_does_not,
         what_is_dated_before_the_watch_is_old, midnight_is_a_day,
         what_is_dated_since_the_watch_began_is_new, a_modification_since_proves_nothing,
         dates_far_ahead_prove_nothing, the_day_in_an_address_is_old_when_it_was_over,
         the_day_in_an_address_is_new_when_it_had_not_begun,
         numbers_below_those_of_the_stock_are_stock, a_list_knows_better_than_numbers,
         a_page_without_a_date_stays_what_it_was, the_date_of_a_page_decides,
         what_was_old_stays_old, of_the_first_day_the_hour_is_not_known,
         what_is_not_known_to_the_day_proves_what_all_of_it_does)
