#include "test.h"

#include "base/buf.h"
#include "base/time.h"
#include "net/http/mime.h"

static struct fg_arena arena;

static struct fg_str parsed(const char *text)
{
    struct fg_mime mime;
    return fg_mime_parse(&mime, &arena, fg_str_from(text)) ? fg_mime_format(&arena, &mime)
                                                           : FG_STR("refused");
}

static void types_are_read_and_written(void **state)
{
    (void)state;
    assert_str(parsed("Text/HTML; Charset=UTF-8"), "text/html;charset=UTF-8");
    assert_str(parsed("text/html;charset=\"a \\\"b\\\"\""),
               "text/html;charset=\"a \\\"b\\\"\"");
    assert_str(parsed("text/html;a=;b=\"\";c=d"), "text/html;b=\"\";c=d");
    assert_str(parsed("text/html;charset=utf-8;charset=big5"), "text/html;charset=utf-8");
    assert_str(parsed("\ftext/html"), "refused");
    assert_str(parsed("text"), "refused");
    assert_str(parsed(""), "refused");
    fg_arena_clear(&arena);
}

static void parts_are_views_of_the_essence(void **state)
{
    (void)state;
    struct fg_mime mime;
    assert_true(fg_mime_parse(&mime, &arena, FG_STR("Image/SVG+XML;q=1")));
    assert_str(mime.type, "image");
    assert_str(mime.subtype, "svg+xml");
    assert_str(fg_mime_parameter(&mime, FG_STR("q")), "1");
    assert_null(fg_mime_charset(&mime).at);
    assert_true(fg_mime_is_xml(&mime));
    assert_true(fg_mime_parse(&mime, &arena, FG_STR("application/feed+json")));
    assert_true(fg_mime_is_json(&mime));
    fg_arena_clear(&arena);
}

static void the_last_header_that_makes_sense_wins(void **state)
{
    (void)state;
    struct fg_mime mime;
    assert_true(
        fg_mime_extract(&mime, &arena, FG_STR("text/plain, */*, text/html;x, y")));
    assert_str(mime.essence, "text/html");
    assert_true(fg_mime_extract(&mime, &arena, FG_STR("a/b;charset=x, a/b;q=\",\"")));
    assert_str(fg_mime_format(&arena, &mime), "a/b;q=\",\";charset=x");
    assert_false(fg_mime_extract(&mime, &arena, FG_STR(", ,")));
    assert_false(fg_mime_extract(&mime, &arena, (struct fg_str){0}));
    fg_arena_clear(&arena);
}

static void parameters_have_a_maximum(void **state)
{
    (void)state;
    struct fg_buf text;
    fg_buf_init(&text, 1 << 16);
    fg_buf_add(&text, FG_STR("a/b"));
    for (unsigned i = 0; i < 2 * FG_MIME_PARAMETERS_MAX; i++)
        fg_buf_printf(&text, ";p%u=%u", i, i);
    struct fg_mime mime;
    assert_true(fg_mime_parse(&mime, &arena, fg_buf_str(&text)));
    assert_int_equal(mime.n_parameters, FG_MIME_PARAMETERS_MAX);
    assert_str(fg_mime_parameter(&mime, FG_STR("p63")), "63");
    fg_buf_clear(&text);
    fg_arena_clear(&arena);
}

/* Seconds for `n` bytes of a pattern, as one header. */
static double seconds_for(const char *pattern, size_t n)
{
    char *text = malloc(n);
    size_t len = strlen(pattern);
    for (size_t i = 0; i < n; i++)
        text[i] = pattern[i % len];
    struct fg_mime mime;
    fg_time start = fg_time_worked();
    fg_mime_extract(&mime, &arena, (struct fg_str){text, n});
    double seconds = fg_seconds(fg_time_worked() - start);
    fg_arena_clear(&arena);
    free(text);
    return seconds;
}

static void time_grows_with_the_length_and_no_more(void **state)
{
    (void)state;
    static const char *const patterns[] = {"a/b;c=d,", "a/b;", "a/b;c=\"",
                                           "\"",       "\\\"", ","};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        double one = seconds_for(patterns[i], 1 << 18);
        double eight = seconds_for(patterns[i], 1 << 21);
        assert_true(eight < 40 * one + 0.1); /* eight, and a wide margin below 64 */
    }
}

static void known_bytes_are_recognised(void **state)
{
    (void)state;
    static const struct {
        struct fg_str body;
        const char *type;
    } cases[] = {
        {FG_STR(" \n<!doctype HTML>"), "text/html"},
        {FG_STR("<p class=x>"), "text/html"},
        {FG_STR("<!-- x --><b>"), "text/html"},
        {FG_STR("<pre>"), "text/plain"}, /* no such row in the table */
        {FG_STR("<?xml version='1.0'?><urlset>"), "text/xml"},
        {FG_STR("<?xml version='1.0'?><!-- x --><!DOCTYPE rss>\n<rss version='2.0'>"),
         "application/rss+xml"},
        {FG_STR("\xEF\xBB\xBF<feed xmlns='http://www.w3.org/2005/Atom'>"),
         "application/atom+xml"},
        {FG_STR("<rdf:RDF xmlns='http://purl.org/rss/1.0/' "
                "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"),
         "application/rss+xml"},
        {FG_STR("<rdf:RDF>"), "text/plain"},
        {FG_STR("%PDF-1.7\n"), "application/pdf"},
        {FG_STR("\x1F\x8B\x08\0"), "application/x-gzip"},
        {FG_STR("\x89PNG\r\n\x1A\n"), "image/png"},
        {FG_STR("RIFF\1\2\3\4WEBPVP8 "), "image/webp"},
        {FG_STR("RIFF\1\2\3\4WEBP"), "application/octet-stream"},
        {FG_STR("\0\0\0\x18"
                "ftypisom\0\0\0\0isomXX42mp41"),
         "application/octet-stream"}, /* the box ends before the brand */
        {FG_STR("\0\0\0\x1C"
                "ftypisom\0\0\0\0isomXX42mp41"),
         "video/mp4"},
        {FG_STR("\x1A\x45\xDF\xA3\x01\x42\x82\x84webm...."), "video/webm"},
        {FG_STR("\xFE\xFF\0<"), "text/plain"},
        {FG_STR("plain words"), "text/plain"},
        {FG_STR("\1"), "application/octet-stream"},
        {FG_STR(""), "text/plain"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(fg_mime_sniff(cases[i].body), cases[i].type);
}

static void text_is_not_taken_for_binary_by_two_letters(void **state)
{
    (void)state;
    assert_false(fg_mime_is_binary(FG_STR("BMW builds cars")));
    assert_true(fg_mime_is_binary(FG_STR("BM\x36\0\0\0")));
    assert_true(fg_mime_is_binary(FG_STR("%PDF-1.4")));
    assert_true(fg_mime_is_binary(FG_STR("\x1F\x8B\x08\0\0")));
    assert_false(fg_mime_is_binary(FG_STR("<html>\0\1\2")));
    assert_false(fg_mime_is_binary(FG_STR("\x1B$B$\"\x1B(B"))); /* ISO-2022-JP */
    assert_false(fg_mime_is_binary((struct fg_str){0}));
}

FG_TESTS(types_are_read_and_written, parts_are_views_of_the_essence,
         the_last_header_that_makes_sense_wins, parameters_have_a_maximum,
         time_grows_with_the_length_and_no_more, known_bytes_are_recognised,
         text_is_not_taken_for_binary_by_two_letters)
