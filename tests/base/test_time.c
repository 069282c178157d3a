#include "base/time.h"

#include "test.h"

/* 400 years have 146097 days; counting them one by one is the definition. */
static void dates_count_the_days_of_400_years(void **state)
{
    (void)state;
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t days =
        -(130 * 365 + 32); /* 1840-01-01: leap days of 1840 to 1968, not 1900 */
    for (int64_t year = 1840; year < 2240; year++) {
        bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        for (int month = 1; month <= 12; month++)
            for (int day = 1; day <= lengths[month - 1] + (month == 2 && leap); day++) {
                int64_t y;
                int m, d;
                fg_date_from_days(days, &y, &m, &d);
                assert_true(y == year && m == month && d == day);
                assert_int_equal(fg_days_from_date(year, month, day), days);
                days++;
            }
    }
    assert_int_equal(days, -(130 * 365 + 32) + 146097);
}

static void dates_go_far_in_both_directions(void **state)
{
    (void)state;
    assert_int_equal(fg_days_from_date(1970, 1, 1), 0);
    assert_int_equal(fg_days_from_date(2000, 3, 1), 11017);
    assert_int_equal(fg_days_from_date(0, 3, 1), -719468);
    for (int64_t days = -400000000; days < 400000000; days += 99991) {
        int64_t year;
        int month, day;
        fg_date_from_days(days, &year, &month, &day);
        assert_in_range(month, 1, 12);
        assert_in_range(day, 1, 31);
        assert_int_equal(fg_days_from_date(year, month, day), days);
    }
}

static void times_are_written_as_iso(void **state)
{
    (void)state;
    static const struct {
        fg_time time;
        const char *text;
    } cases[] = {
        {0, "1970-01-01T00:00:00Z"},
        {-1, "1969-12-31T23:59:59.999999Z"},
        {951782400 * FG_SECOND, "2000-02-29T00:00:00Z"},
        {1234567890 * FG_SECOND, "2009-02-13T23:31:30Z"},
        {1234567890 * FG_SECOND + 500 * FG_MILLISECOND, "2009-02-13T23:31:30.500Z"},
        {1234567890 * FG_SECOND + 1, "2009-02-13T23:31:30.000001Z"},
        {INT64_C(-62167219200) * FG_SECOND, "0000-01-01T00:00:00Z"},
        {INT64_C(-62167219200) * FG_SECOND - 1, "0000-01-01T00:00:00Z"},
        {INT64_C(253402300799) * FG_SECOND, "9999-12-31T23:59:59Z"},
        {INT64_C(253402300800) * FG_SECOND, "9999-12-31T23:59:59Z"},
        {INT64_MIN, "0000-01-01T00:00:00Z"},
        {INT64_MAX, "9999-12-31T23:59:59Z"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[FG_TIME_TEXT];
        assert_string_equal(fg_time_format(text, cases[i].time), cases[i].text);
    }
}

static void spans_are_read_with_their_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        fg_time span;
    } cases[] = {
        {"0", 0},
        {"0s", 0},
        {"250ms", 250 * FG_MILLISECOND},
        {"15m", 15 * FG_MINUTE},
        {"1h30m", 90 * FG_MINUTE},
        {"2d", 2 * FG_DAY},
        {"1w", 7 * FG_DAY},
        {"1.5h", 90 * FG_MINUTE},
        {"7us", 7},
        {".5s", FG_SECOND / 2},
        {"1w2d3h4m5s6ms7us",
         9 * FG_DAY + 3 * FG_HOUR + 4 * FG_MINUTE + 5 * FG_SECOND + 6007},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fg_time span = -1;
        assert_true(fg_span_parse(fg_str_from(cases[i].text), &span));
        assert_true(span == cases[i].span);
    }
}

static void spans_without_sense_are_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",    "5",    "s",    "5x",           "5 m",  " 5m",    "5m ",
        "-5m", "1h30", "1e3s", "0x5s",         "..5s", "1.2.3s", ".s",
        "5M",  "inf",  "nans", "99999999999w", "5mm",  "+5s",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fg_time span;
        assert_false(fg_span_parse(fg_str_from(cases[i]), &span));
    }
}

static void spans_are_written_short_and_exact(void **state)
{
    (void)state;
    static const struct {
        fg_time span;
        const char *text;
    } cases[] = {
        {0, "0s"},
        {1, "1us"},
        {5400 * FG_SECOND, "1h30m"},
        {14 * FG_DAY, "2w"},
        {-FG_SECOND, "-1s"},
        {INT64_MAX, "15250284w3d4h54s775ms807us"},
        {INT64_MIN, "-15250284w3d4h54s775ms808us"},
    };
    char text[FG_SPAN_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(fg_span_format(text, cases[i].span), cases[i].text);
    for (fg_time span = 1; span < INT64_C(9000000000000000); span = span * 3 + 1) {
        fg_time back;
        assert_true(fg_span_parse(fg_str_from(fg_span_format(text, span)), &back));
        assert_true(back == span);
    }
}

static void clocks_run(void **state)
{
    (void)state;
    fg_time now = fg_time_now(), a = fg_time_monotonic(), b = fg_time_monotonic();
    assert_true(now > fg_days_from_date(2020, 1, 1) * FG_DAY);
    assert_true(b >= a);
    assert_near(fg_seconds(FG_MINUTE) + fg_hours(FG_DAY) + fg_days(FG_HOUR * 12), 84.5,
                0);
}

FG_TESTS(dates_count_the_days_of_400_years, dates_go_far_in_both_directions,
         times_are_written_as_iso, spans_are_read_with_their_units,
         spans_without_sense_are_refused, spans_are_written_short_and_exact, clocks_run)
