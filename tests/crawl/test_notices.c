/* A line for another lot says the same when it is read, whatever its texts are. */
#include "crawl/intake/notices.h"
#include "test.h"

static void what_is_written_is_read(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_buf line;
    struct fg_notice read;
    const struct fg_notice written = {.kind = FG_NOTICE_ANSWER,
                                      .url = FG_STR("https://a.example/%7Ex?b=c&d"),
                                      .words = FG_STR("tabs\tand 100 %\r\n\177 \xff\xfe"),
                                      .host = FG_STR("https://b.example"),
                                      .flags = UINT32_MAX,
                                      .depth = 3,
                                      .from = 1023,
                                      .status = 404,
                                      .dated = INT64_C(1789000000000000),
                                      .since = 1,
                                      .is_reported = true,
                                      .is_in_feed = true,
                                      .body = {"User-agent: *\nDisallow: /\0x\n", 28}};
    fg_buf_init(&line, SIZE_MAX);
    fg_notice_format(&line, &written);
    struct fg_str text = fg_buf_str(&line), rest = text, first;
    assert_true(fg_str_cut(&rest, '\n', &first));
    assert_int_equal(rest.len, 0); /* it is one line */
    assert_true(fg_notice_parse(&read, &arena, first));
    assert_int_equal(read.kind, written.kind);
    assert_true(fg_str_eq(read.url, written.url) && fg_str_eq(read.words, written.words));
    assert_true(fg_str_eq(read.host, written.host) && fg_str_eq(read.body, written.body));
    assert_true(read.flags == written.flags && read.depth == written.depth &&
                read.from == written.from && read.status == written.status);
    assert_true(read.dated == written.dated && read.since == written.since);
    assert_true(read.is_reported && read.is_in_feed);
    fg_buf_clear(&line);
    fg_arena_clear(&arena);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "",
        "seed",
        "page\turl=",
        "parcel\turl=https://a.example/", /* of a newer forage */
        "page\turl=https://a.example/\tflags=-1",
        "page\turl=https://a.example/\tdepth=x",
        "page\turl=https://a.example/%4",
        "page\turl=https://a.example/%zz",
        "page\turl=https://a.example/\tcolour=1",
        "page\thttps://a.example/",
        "page\turl=https://a.example/\tstatus=99999999999999999999",
    };
    struct fg_arena arena = {0};
    struct fg_notice notice;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (fg_notice_parse(&notice, &arena, fg_str_from(lines[i])))
            fail_msg("'%s' is taken", lines[i]);
    assert_true(fg_notice_parse(&notice, &arena, FG_STR("page\turl=https://a.example/")));
    assert_true(notice.dated == FG_NEVER);
    fg_arena_clear(&arena);
}

FG_TESTS(what_is_written_is_read, what_makes_no_sense_is_refused)
