#include "test.h"

#include "net/text/date.h"

static void assert_date(const char *text, const char *expected)
{
    char out[FG_TIME_TEXT];
    fg_time time = fg_date_parse(fg_str_from(text));
    const char *got = time == FG_NEVER ? "never" : fg_time_format(out, time);
    if (strcmp(got, expected) != 0)
        fail_msg("\"%s\": expected %s, got %s", text, expected, got);
}

static void mail_dates_are_read(void **state)
{
    (void)state;
    assert_date("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z");
    assert_date("6 Nov 94 08:49 EST", "1994-11-06T13:49:00Z");
    assert_date("Mon, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z");
    assert_date("Sun,06 Nov 1994 08:49:37 -0130", "1994-11-06T10:19:37Z");
    assert_date("Sun, 6(th) Nov (or (was) it \\) Dec) 1994 08:49:37 +0000",
                "1994-11-06T08:49:37Z");
    assert_date("Sun, 06 Nov 1994", "1994-11-06T00:00:00Z");
    assert_date("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z");
    assert_date("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z");
    assert_date("Nov 6, 1994 8:49:37 PM", "1994-11-06T20:49:37Z");
    assert_date("Sun Nov 06 1994 08:49:37 GMT+0200 (CEST)", "1994-11-06T06:49:37Z");
    assert_date("Wed, 31 Dec 2008 23:59:60 GMT", "2009-01-01T00:00:00Z");
}

static void iso_dates_are_read(void **state)
{
    (void)state;
    assert_date("2004-02-29", "2004-02-29T00:00:00Z");
    assert_date("2004", "2004-01-01T00:00:00Z");
    assert_date("2004-07", "2004-07-01T00:00:00Z");
    assert_date("20040708T091500Z", "2004-07-08T09:15:00Z");
    assert_date("2004-07-08T09:15:00.25+05:30", "2004-07-08T03:45:00.250Z");
    assert_date("2004-07-08 9:15", "2004-07-08T09:15:00Z");
    assert_date("2004-07-08T24:00:00Z", "2004-07-09T00:00:00Z");
    assert_date("2004-366", "2004-12-31T00:00:00Z");
    assert_date("2004366", "2004-12-31T00:00:00Z");
    assert_date("04366", "2004-12-31T00:00:00Z");
    assert_date("2009-W01-1", "2008-12-29T00:00:00Z");
    assert_date("2009W537", "2010-01-03T00:00:00Z");
    assert_date("2020-W01", "2019-12-30T00:00:00Z");
    assert_date("-04-02", "2004-02-01T00:00:00Z");
}

static void months_of_other_languages_are_read(void **state)
{
    (void)state;
    assert_date("Di, 9. März 2021 10:00 MEZ", "2021-03-09T09:00:00Z");
    assert_date("mar, 09 mars 2021 10:00:00 +0100", "2021-03-09T09:00:00Z");
    assert_date("Δευ, 01 Φεβ 2021 10:00:00 GMT", "2021-02-01T10:00:00Z");
    assert_date("2021-május-09T10:00+02:00", "2021-05-09T08:00:00Z");
    assert_date("2021년 05월 09일 10:00:00", "2021-05-09T01:00:00Z");
    assert_date("2021-05-09 오후 01:00:00", "2021-05-09T04:00:00Z");
}

static void what_is_no_date_is_never(void **state)
{
    (void)state;
    const char *texts[] = {"",
                           "tomorrow",
                           "2003-02-29",
                           "2004-00-10",
                           "2004-13-10",
                           "2005-366",
                           "2004-07-08T25:00:00Z",
                           "2004-07-08T10:60:00Z",
                           "2004-07-08T10:00:00+99:00",
                           "2004-07-08T10:00:00Zulu",
                           "2004-07-08-01",
                           "2021-W54",
                           "32 Jan 2004 10:00:00 GMT",
                           "10 Foo 2004 10:00:00 GMT",
                           "10 Jan 2004 10:00:00 11:00:00",
                           "10 Jan 2004 13:00 PM",
                           "10 Jan 2004 10:00:00 +2x00",
                           "Jan 2004",
                           "(",
                           "10 Jan",
                           "99999999999999999999"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_date(texts[i], "never");
    char long_text[FG_DATE_MAX + 8];
    memset(long_text, ' ', sizeof long_text);
    memcpy(long_text, "2004", 4);
    long_text[sizeof long_text - 2] = 'x';
    long_text[sizeof long_text - 1] = '\0';
    assert_date(long_text, "never");
}

static void http_takes_three_forms_only(void **state)
{
    (void)state;
    fg_time expected = 784111777 * FG_SECOND;
    assert_true(fg_date_parse_http(FG_STR("Sun, 06 Nov 1994 08:49:37 GMT")) == expected);
    assert_true(fg_date_parse_http(FG_STR("Sunday, 06-Nov-94 08:49:37 GMT")) == expected);
    assert_true(fg_date_parse_http(FG_STR("Sun Nov  6 08:49:37 1994")) == expected);
    assert_true(fg_date_parse_http(FG_STR("06 Nov 1994 08:49:37 GMT")) == FG_NEVER);
    assert_true(fg_date_parse_http(FG_STR("Sun, 6 Nov 1994 08:49:37 GMT")) == FG_NEVER);
    assert_true(fg_date_parse_http(FG_STR("1994-11-06T08:49:37Z")) == FG_NEVER);
    assert_true(fg_date_parse_http(FG_STR("Sunda, 06-Nov-94 08:49:37 GMT")) == FG_NEVER);
}

static enum fg_date_form form_of(struct fg_str text)
{
    return fg_date_form(text, fg_date_parse(text));
}

static void forms_are_told_apart(void **state)
{
    (void)state;
    assert_int_equal(form_of(FG_STR("2004-07-08T10:00:00.5-01:00")), FG_DATE_RFC3339);
    assert_int_equal(form_of(FG_STR("2004-07-08t10:00:00z")), FG_DATE_OTHER);
    assert_int_equal(form_of(FG_STR("2004-07-08T10:00Z")), FG_DATE_OTHER);
    assert_int_equal(form_of(FG_STR("2004-07-32T10:00:00Z")), FG_DATE_OTHER);
    assert_int_equal(form_of(FG_STR("Thu, 8 Jul 2004 10:00 EDT")), FG_DATE_RFC822);
    assert_int_equal(form_of(FG_STR("Fri, 8 Jul 2004 10:00 EDT")), FG_DATE_OTHER);
    assert_int_equal(form_of(FG_STR("8 Jul 2004 10:00:00 +02:00")), FG_DATE_OTHER);
    assert_int_equal(form_of(FG_STR("8 Jul 04 10:00:00 +0200")), FG_DATE_RFC822_OLD);
    assert_int_equal(form_of(FG_STR("8 Jul 2004 10:00:00 A")), FG_DATE_RFC822_OLD);
    /* Just after midnight in a zone that UTC lags behind. */
    assert_int_equal(form_of(FG_STR("Thu, 08 Jul 2004 00:30:00 +0200")), FG_DATE_RFC822);
}

FG_TESTS(mail_dates_are_read, iso_dates_are_read, months_of_other_languages_are_read,
         what_is_no_date_is_never, http_takes_three_forms_only, forms_are_told_apart)
