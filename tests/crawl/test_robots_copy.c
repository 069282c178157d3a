#include "test.h"

#include "crawl/host/robots_copy.h"

static const fg_time start = 1700000000 * FG_SECOND;
static const char forbids[] = "User-agent: *\nDisallow: /private\nCrawl-delay: 7\n";

static void judge(struct fg_robots_copy *copy, int status, const char *body, fg_time now)
{
    struct fg_robots_fetch fetch = {.status = status,
                                    .broken = status == 0,
                                    .max_age = FG_NEVER,
                                    .retry_after = FG_NEVER};
    fg_robots_copy_judge(copy, &fetch, fg_str_from(body), FG_STR("forage"), 0, now);
}

static void a_file_counts_for_a_day(void **state)
{
    (void)state;
    struct fg_robots_copy copy;
    fg_robots_copy_init(&copy);
    assert_true(fg_robots_copy_is_due(&copy, start));
    judge(&copy, 200, forbids, start);
    copy.is_unused = false; /* a page was asked for */
    assert_false(fg_robots_copy_is_due(&copy, start + FG_DAY - 1));
    assert_true(fg_robots_copy_is_due(&copy, start + FG_DAY));
    assert_false(fg_robots_copy_allows(&copy, FG_STR("/private/x")));
    assert_true(fg_robots_copy_allows(&copy, FG_STR("/public")));
    assert_int_equal(fg_robots_copy_delay(&copy), 7 * FG_SECOND);
    fg_robots_copy_clear(&copy);
}

static void no_file_forbids_nothing(void **state)
{
    (void)state;
    static const int statuses[] = {400, 401, 403, 404, 410, 418, 451};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        struct fg_robots_copy copy;
        fg_robots_copy_init(&copy);
        judge(&copy, 200, forbids, start);
        judge(&copy, statuses[i], "User-agent: *\nDisallow: /\n", start + FG_HOUR);
        assert_true(fg_robots_copy_allows(&copy, FG_STR("/private/x")));
        assert_int_equal(fg_robots_copy_delay(&copy), 0);
        fg_robots_copy_clear(&copy);
    }
}

static void an_error_is_never_permission(void **state)
{
    (void)state;
    static const int statuses[] = {0, 100, 302, 429, 500, 502, 503, 504, 599};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        struct fg_robots_copy copy;
        fg_robots_copy_init(&copy);
        judge(&copy, statuses[i], "", start);
        assert_true(fg_robots_copy_holds(&copy));
        assert_false(fg_robots_copy_allows(&copy, FG_STR("/")));
        assert_int_equal(copy.expires, start + FG_MINUTE);
        judge(&copy, statuses[i], "", copy.expires);
        assert_int_equal(copy.expires, start + 3 * FG_MINUTE); /* doubling */
        assert_true(fg_robots_copy_is_due(&copy, copy.expires));
        fg_robots_copy_clear(&copy);
    }
}

static void a_copy_helps_over_an_error_for_a_day(void **state)
{
    (void)state;
    struct fg_robots_copy copy;
    fg_robots_copy_init(&copy);
    judge(&copy, 200, forbids, start);
    judge(&copy, 503, "", start + 23 * FG_HOUR);
    assert_false(fg_robots_copy_holds(&copy));
    assert_false(fg_robots_copy_allows(&copy, FG_STR("/private/x")));
    assert_true(fg_robots_copy_allows(&copy, FG_STR("/public")));
    assert_int_equal(copy.expires, start + 23 * FG_HOUR + FG_MINUTE);
    judge(&copy, 503, "", start + FG_DAY);
    assert_true(fg_robots_copy_holds(&copy));
    judge(&copy, 200, forbids, start + 2 * FG_DAY);
    assert_true(fg_robots_copy_allows(&copy, FG_STR("/public")));
    assert_int_equal(copy.failures, 0);
    fg_robots_copy_clear(&copy);
}

/* Absence is no copy: once the host breaks, it may have got a file meanwhile. */
static void absence_is_not_kept_over_an_error(void **state)
{
    (void)state;
    struct fg_robots_copy copy;
    fg_robots_copy_init(&copy);
    judge(&copy, 404, "", start);
    judge(&copy, 500, "", start + FG_HOUR);
    assert_true(fg_robots_copy_holds(&copy));
    fg_robots_copy_clear(&copy);
}

/* A Crawl-delay as long as a file's life must not make us read nothing but that file. */
static void a_file_is_used_once_even_if_late(void **state)
{
    (void)state;
    struct fg_robots_copy copy;
    fg_robots_copy_init(&copy);
    judge(&copy, 200, "User-agent: *\nCrawl-delay: 86400\n", start);
    assert_false(fg_robots_copy_is_due(&copy, start + FG_DAY));
    copy.is_unused = false;
    assert_true(fg_robots_copy_is_due(&copy, start + FG_DAY));
    fg_robots_copy_clear(&copy);
}

static void a_restart_keeps_file_and_hold(void **state)
{
    (void)state;
    struct fg_robots_copy copy;
    fg_robots_copy_init(&copy);
    fg_robots_copy_recall(&copy, FG_ROBOTS_FILE, fg_str_from(forbids), start,
                          start + FG_DAY, FG_STR("forage"), start + FG_HOUR);
    assert_false(fg_robots_copy_is_due(&copy, start + FG_HOUR));
    assert_false(fg_robots_copy_allows(&copy, FG_STR("/private/x")));
    fg_robots_copy_clear(&copy);
    /* Held and never had: it is not asked for before its time. */
    fg_robots_copy_recall(&copy, FG_ROBOTS_HOLD, (struct fg_str){0}, FG_NEVER,
                          start + FG_HOUR, FG_STR("forage"), start);
    assert_false(fg_robots_copy_is_due(&copy, start));
    assert_true(fg_robots_copy_holds(&copy));
    judge(&copy, 503, "", start + FG_HOUR);
    assert_true(fg_robots_copy_holds(&copy));
    fg_robots_copy_clear(&copy);
    fg_robots_copy_recall(&copy, FG_ROBOTS_FILE, (struct fg_str){0}, FG_NEVER, FG_NEVER,
                          FG_STR("forage"), start);
    assert_true(fg_robots_copy_is_due(&copy, start));
}

static void a_clock_set_back_does_not_make_it_last(void **state)
{
    (void)state;
    struct fg_robots_copy copy;
    fg_time earlier = start - 365 * FG_DAY;
    fg_robots_copy_init(&copy);
    fg_robots_copy_recall(&copy, FG_ROBOTS_FILE, fg_str_from(forbids), start,
                          start + FG_DAY, FG_STR("forage"), earlier);
    assert_false(fg_robots_copy_is_due(&copy, earlier));
    assert_true(fg_robots_copy_is_due(&copy, earlier + FG_DAY));
    judge(&copy, 503, "", earlier + FG_DAY);
    assert_true(fg_robots_copy_holds(&copy));
    fg_robots_copy_clear(&copy);
}

FG_TESTS(a_file_counts_for_a_day, no_file_forbids_nothing, an_error_is_never_permission,
         a_copy_helps_over_an_error_for_a_day, absence_is_not_kept_over_an_error,
         a_file_is_used_once_even_if_late, a_restart_keeps_file_and_hold,
         a_clock_set_back_does_not_make_it_last)
