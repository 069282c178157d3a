#include "test.h"

#include "base/size.h"

static void assert_size(const char *text, size_t expected)
{
    size_t n = 77;
    if (!fg_size_parse(fg_str_from(text), &n))
        fail_msg("'%s' was refused", text);
    assert_int_equal(n, expected);
}

static void sizes_are_read_with_their_unit(void **state)
{
    (void)state;
    assert_size("0", 0);
    assert_size("1B", 1);
    assert_size("10MB", 10000000);
    assert_size("64KiB", 65536);
    assert_size("64kib", 65536);
    assert_size("1.5GB", 1500000000);
    assert_size("0.5KiB", 512);
    assert_size("8 MiB", 8 << 20);
    assert_size("2TiB", (size_t)2 << 40);
}

static void anything_else_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",     "10",    "10M",    "10 M", "MB",    "-1B",   "1.5B",  "1..5B",
        "1e3B", "10MBs", "10MB x", " 1B",  "nanMB", "1,5MB", "0x10B", "99999999999TB"};
    size_t n;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (fg_size_parse(fg_str_from(wrong[i]), &n))
            fail_msg("'%s' was read as %zu", wrong[i], n);
}

static void sizes_are_written_back_exactly(void **state)
{
    (void)state;
    static const struct {
        size_t size_bytes;
        const char *text;
    } cases[] = {{0, "0B"},          {1, "1B"},       {1000, "1kB"},
                 {1024, "1KiB"},     {1025, "1025B"}, {10000000, "10MB"},
                 {1 << 20, "1MiB"},  {1536, "1536B"}, {1000000000000, "1TB"},
                 {1024000, "1024kB"}};
    char text[FG_SIZE_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(fg_size_format(text, cases[i].size_bytes), cases[i].text);
        assert_size(text, cases[i].size_bytes);
    }
}

FG_TESTS(sizes_are_read_with_their_unit, anything_else_is_refused,
         sizes_are_written_back_exactly)
