#include "base/buf.h"

#include "test.h"

static void buf_grows_to_its_maximum_and_no_further(void **state)
{
    (void)state;
    for (size_t max = 0; max < 300; max++) {
        struct fg_buf buf;
        fg_buf_init(&buf, max);
        for (size_t i = 0; i < max; i++)
            assert_true(fg_buf_add_char(&buf, (char)('a' + i % 26)));
        assert_false(buf.full);
        assert_false(fg_buf_add_char(&buf, '!'));
        assert_true(buf.full);
        assert_int_equal(buf.len, max);
        for (size_t i = 0; i < max; i++)
            assert_int_equal(buf.at[i], 'a' + i % 26);
        fg_buf_clear(&buf);
        assert_int_equal(buf.max, max);
    }
}

static void what_does_not_fit_is_refused_whole(void **state)
{
    (void)state;
    struct fg_buf buf;
    fg_buf_init(&buf, 5);
    assert_true(fg_buf_add(&buf, FG_STR("abc")));
    assert_false(fg_buf_add(&buf, FG_STR("def")));
    assert_str(fg_buf_str(&buf), "abc");
    assert_true(fg_buf_add(&buf, FG_STR("de")));
    assert_str(fg_buf_str(&buf), "abcde");
    assert_true(buf.full); /* it stays said */
    fg_buf_reset(&buf);
    assert_false(buf.full);
    assert_int_equal(buf.len, 0);
    assert_true(fg_buf_add(&buf, (struct fg_str){0}));
    fg_buf_clear(&buf);
}

/* Text of exactly the length that is left fits; its NUL is not part of it. */
static void printf_fits_to_the_last_byte(void **state)
{
    (void)state;
    for (size_t max = 1; max < 200; max++) {
        struct fg_buf buf;
        fg_buf_init(&buf, max);
        assert_true(fg_buf_printf(&buf, "%*d", (int)max, 7));
        assert_int_equal(buf.len, max);
        assert_int_equal(buf.at[max - 1], '7');
        assert_true(fg_buf_printf(&buf, "%s", ""));
        assert_false(fg_buf_printf(&buf, "x"));
        assert_true(buf.full);
        fg_buf_reset(&buf);
        assert_false(fg_buf_printf(&buf, "%*d", (int)max + 1, 7));
        assert_int_equal(buf.len, 0);
        fg_buf_clear(&buf);
    }
}

static void reserved_room_can_be_written(void **state)
{
    (void)state;
    struct fg_buf buf;
    fg_buf_init(&buf, 1000);
    char *room = fg_buf_reserve(&buf, 1000);
    memset(room, 'x', 1000);
    buf.len += 1000;
    assert_null(fg_buf_reserve(&buf, 1));
    assert_non_null(fg_buf_reserve(&buf, 0));
    assert_null(fg_buf_reserve(&buf, SIZE_MAX));
    assert_int_equal(fg_buf_str(&buf).len, 1000);
    fg_buf_clear(&buf);
}

/* The bounds of each length, and what may not be encoded. */
static void code_points_become_utf8(void **state)
{
    (void)state;
    static const struct {
        uint32_t code_point;
        const char *bytes;
    } cases[] = {
        {0x7F, "\x7f"},
        {0x80, "\xc2\x80"},
        {0x7FF, "\xdf\xbf"},
        {0x800, "\xe0\xa0\x80"},
        {0xD7FF, "\xed\x9f\xbf"},
        {0xD800, "\xef\xbf\xbd"},
        {0xDFFF, "\xef\xbf\xbd"},
        {0xE000, "\xee\x80\x80"},
        {0xFFFF, "\xef\xbf\xbf"},
        {0x10000, "\xf0\x90\x80\x80"},
        {0x10FFFF, "\xf4\x8f\xbf\xbf"},
        {0x110000, "\xef\xbf\xbd"},
        {UINT32_MAX, "\xef\xbf\xbd"},
    };
    struct fg_buf buf;
    fg_buf_init(&buf, 100);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fg_buf_reset(&buf);
        assert_true(fg_buf_add_utf8(&buf, cases[i].code_point));
        assert_str(fg_buf_str(&buf), cases[i].bytes);
    }
    fg_buf_clear(&buf);
}

static void every_code_point_reads_back(void **state)
{
    (void)state;
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        char bytes[4];
        size_t n = fg_utf8_put(bytes, c);
        const char *at = bytes;
        uint32_t expected = c >= 0xD800 && c <= 0xDFFF ? 0xFFFD : c;
        assert_int_equal(fg_utf8_take(&at, bytes + n), expected);
        assert_ptr_equal(at, bytes + n);
    }
}

/* One U+FFFD for each longest start of a sequence, as the Encoding Standard asks; "." is
 * one of them here. */
static void broken_utf8_gives_replacements(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *read;
    } cases[] = {
        {"\x80", "."},           {"\xc0\xaf", ".."},
        {"\xc1\xbf", ".."},      {"\xe2\x82", "."},
        {"\xe2\x82x", ".x"},     {"\xf0\x9f\x92", "."},
        {"\xf0\x9f\x92x", ".x"}, {"\xe0\x80\x80", "..."},
        {"\xed\xa0\x80", "..."}, {"\xf4\x90\x80\x80", "...."},
        {"\xf5x", ".x"},         {"\xff\xfe", ".."},
        {"\xc2\xc2\x80", ".?"},  {"\xf0\x80\x80\x80", "...."},
        {"a\xcc", "a."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = cases[i].bytes, *end = at + strlen(at);
        char read[16] = {0};
        for (size_t n = 0; at < end; n++) {
            uint32_t c = fg_utf8_take(&at, end);
            read[n] = c == 0xFFFD ? '.' : c < 0x80 ? (char)c : '?';
        }
        assert_string_equal(read, cases[i].read);
    }
}

FG_TESTS(buf_grows_to_its_maximum_and_no_further, what_does_not_fit_is_refused_whole,
         printf_fits_to_the_last_byte, reserved_room_can_be_written,
         code_points_become_utf8, every_code_point_reads_back,
         broken_utf8_gives_replacements)
