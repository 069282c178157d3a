#include "net/archive/cdxj.h"
#include "net/url/surt.h"
#include "test.h"

static struct fg_arena arena; /* for the whole run */

/* As warcio.js and pywb make them. */
static void keys_are_those_of_replay_tools(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"http://example.org", "org,example)/"},
        {"https://www.Example.org:443/A/b?Z=1&b=2#f", "org,example)/a/b?b=2&z=1"},
        {"http://www3.example.co.uk:8080/x/", "uk,co,example:8080)/x/"},
        {"http://www.com/", "com)/"},
        {"http://localhost/", "localhost)/"},
        {"http://127.0.0.1:35737/", "1,0,0,127:35737)/"},
        {"http://[::1]/a", "[::1])/a"},
        {"http://user:pass@example.org/a b", "org,example)/a%20b"},
        {"http://example.org/?", "org,example)/"},
        {"http://example.org/?b&a=&a", "org,example)/?a&a=&b"},
        {"urn:a b", "urn:a%20b"},
        {"metadata://gnu.org/x", "metadata://gnu.org/x"},
        {"#no address", "%23no%20address"},
        {"http://a.!x/", "%21x,a)/"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(fg_surt_from(&arena, fg_str_from(cases[i][0])), cases[i][1]);
}

/* What begins as a header or a comment of an index does is read as a capture all the
 * same. */
static void a_capture_of_an_odd_target_is_read_back(void **state)
{
    (void)state;
    static const char *const targets[] = {"CDX", "#x", "!x", "@x", "{"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        struct fg_str url = fg_str_from(targets[i]);
        struct fg_cdx cdx = {0};
        struct fg_capture again;
        struct fg_err err;
        struct fg_buf line;
        fg_buf_init(&line, SIZE_MAX);
        fg_cdxj_add(&line, &(struct fg_capture){.key = fg_surt_from(&arena, url),
                                                .url = url,
                                                .time = 1763290000 * FG_SECOND});
        assert_int_equal(fg_cdx_read(&cdx, &again, &arena, fg_buf_str(&line), &err),
                         FG_OK);
        assert_str(again.url, targets[i]);
        fg_buf_clear(&line);
    }
}

static void a_capture_is_written_as_other_tools_write_it(void **state)
{
    (void)state;
    struct fg_buf out;
    fg_buf_init(&out, SIZE_MAX);
    fg_cdxj_add(&out, &(struct fg_capture){.key = FG_STR("org,example)/"),
                                           .url = FG_STR("http://example.org/"),
                                           .time = 1763290000 * FG_SECOND,
                                           .mime = FG_STR("text/html"),
                                           .status = 200,
                                           .digest = FG_STR("B2LT"),
                                           .has_place = true,
                                           .length = 612,
                                           .offset = 4711,
                                           .filename = FG_STR("a.warc.gz")});
    assert_str(fg_buf_str(&out),
               "org,example)/ 20251116104640 {\"url\":\"http://example.org/\",\"mime\":"
               "\"text/html\",\"status\":\"200\",\"digest\":\"B2LT\",\"length\":\"612\","
               "\"offset\":\"4711\",\"filename\":\"a.warc.gz\"}\n");
    fg_buf_clear(&out);
}

static struct fg_capture read_one(struct fg_cdx *cdx, const char *line)
{
    struct fg_capture capture;
    struct fg_err err = {0};
    enum fg_status st = fg_cdx_read(cdx, &capture, &arena, fg_str_from(line), &err);
    if (st)
        print_error("%s: %s\n", line, err.text);
    assert_int_equal(st, FG_OK);
    return capture;
}

static void cdxj_is_read_with_numbers_and_with_texts(void **state)
{
    (void)state;
    struct fg_cdx cdx = {0};
    struct fg_capture c = read_one(
        &cdx,
        "org,example)/ 20200229235959 {\"url\": \"http://example.org/\", \"status\":"
        " 404, \"digest\": \"sha1:B2LT\", \"offset\": 12, \"length\": \"7\", "
        "\"filename\": \"x\", \"more\": [1]}");
    assert_str(c.key, "org,example)/");
    assert_int_equal(c.status, 404);
    assert_str(c.digest, "B2LT");
    assert_true(c.has_place);
    assert_int_equal(c.offset, 12);
    assert_int_equal(c.length, 7);
    assert_int_equal(c.time, (fg_days_from_date(2020, 2, 29) + 1) * FG_DAY - FG_SECOND);
    assert_false(c.is_revisit);
    assert_int_equal(read_one(&cdx, "!meta {}").url.len, 0);
    assert_int_equal(read_one(&cdx, "").url.len, 0);
}

static void cdx_is_read_by_its_header_and_by_habit(void **state)
{
    (void)state;
    struct fg_cdx cdx = {0};
    assert_int_equal(read_one(&cdx, " CDX b a k s").url.len, 0);
    struct fg_capture c = read_one(&cdx, "20200101000000 http://www.a.example/ D 200");
    assert_str(c.url, "http://www.a.example/");
    assert_str(c.key, "example,a)/");
    assert_str(c.digest, "D");
    cdx = (struct fg_cdx){0};
    c = read_one(&cdx,
                 "example,a)/ 20200101000000123 http://a.example/ warc/revisit - D 7");
    assert_int_equal(c.status, 0);
    assert_true(c.is_revisit);
    assert_int_equal(c.time % FG_SECOND, 123000);
    cdx = (struct fg_cdx){0};
    c = read_one(&cdx, "k 20200101000000 http://a.example/ text/html 200 D - - 7 12 f");
    assert_int_equal(c.offset, 12);
    assert_str(c.filename, "f");
}

static void what_makes_no_sense_is_refused_with_words(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"a b", "neither CDXJ nor CDX: it has 2 fields"},
        {"k 20201301000000 {\"url\":\"http://a/\"}", "not a time of 14 digits"},
        {"k 20200230000000 {\"url\":\"http://a/\"}", "not a time of 14 digits"},
        {"k 2020 {\"url\":\"http://a/\"}", "not a time of 14 digits"},
        {"k 20200101000000 {\"mime\":\"x\"}", "the object has no \"url\""},
        {"k 20200101000000 {\"url\":\"http://a/\"", "not a JSON object"},
        {"k 20200101000000 {\"url\":\"http://a/\",\"status\":\"ok\"}",
         "not an HTTP status"},
        {"k 20200101000000 http://a/ x 2000 D 7", "not an HTTP status"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_cdx cdx = {0};
        struct fg_capture capture;
        struct fg_err err = {0};
        assert_int_equal(
            fg_cdx_read(&cdx, &capture, &arena, fg_str_from(cases[i][0]), &err),
            FG_EINPUT);
        if (!strstr(err.text, cases[i][1]))
            fail_msg("'%s' is not about: %s", err.text, cases[i][1]);
    }
}

static void times_before_1970_and_leap_seconds_are_kept(void **state)
{
    (void)state;
    char text[FG_CDX_TIME];
    assert_string_equal(fg_cdx_time(text, -FG_SECOND), "19691231235959");
    assert_string_equal(fg_cdx_time(text, -1), "19691231235959");
    assert_string_equal(fg_cdx_time(text, 0), "19700101000000");
}

FG_TESTS(keys_are_those_of_replay_tools, a_capture_of_an_odd_target_is_read_back,
         a_capture_is_written_as_other_tools_write_it,
         cdxj_is_read_with_numbers_and_with_texts, cdx_is_read_by_its_header_and_by_habit,
         what_makes_no_sense_is_refused_with_words,
         times_before_1970_and_leap_seconds_are_kept)
