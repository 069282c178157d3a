#include "base/sections.h"
#include "test.h"

static void write_two(struct fg_buf *out)
{
    double pi = 3.25;
    fg_buf_init(out, 1 << 16);
    fg_buf_add(out, FG_STR("before"));
    size_t start = fg_sections_begin(out, "FGTEST01");
    fg_sections_put(out, "pi", &pi, sizeof pi);
    fg_sections_put(out, "none", NULL, 0);
    fg_sections_put(out, "name", "offer", 5);
    fg_sections_end(out, start);
}

static struct fg_str without_before(const struct fg_buf *buf)
{
    return fg_str_skip(fg_buf_str(buf), 6);
}

static void sections_come_back_by_name(void **state)
{
    (void)state;
    struct fg_buf out;
    struct fg_str all;
    double pi = 0;
    write_two(&out);
    assert_int_equal(fg_sections_open(&all, without_before(&out), "FGTEST01", "it", NULL),
                     FG_OK);
    assert_str(fg_sections_find(all, "name"), "offer");
    assert_int_equal(fg_sections_find(all, "other").len, 0);
    assert_int_equal(fg_sections_find(all, "none").len, 0);
    assert_true(fg_sections_copy(all, "pi", &pi, sizeof pi));
    assert_near(pi, 3.25, 0);
    assert_false(fg_sections_copy(all, "pi", &pi, 4));
    fg_buf_clear(&out);
}

static void sections_of_another_kind_or_damaged_are_refused(void **state)
{
    (void)state;
    struct fg_buf out;
    struct fg_str all;
    struct fg_err err;
    write_two(&out);
    struct fg_str bytes = without_before(&out);
    assert_int_equal(fg_sections_open(&all, bytes, "FGTEST02", "a test", &err),
                     FG_EINPUT);
    assert_string_equal(err.text, "not a saved state of a test");
    for (size_t n = 0; n < bytes.len; n++)
        assert_int_equal(
            fg_sections_open(&all, fg_str_sub(bytes, 0, n), "FGTEST01", "a test", &err),
            FG_EINPUT);
    assert_string_equal(err.text, "the saved state of a test is damaged");
    for (size_t i = 6; i < out.len; i++) {
        out.at[i] ^= 1;
        assert_int_equal(fg_sections_open(&all, bytes, "FGTEST01", "it", NULL),
                         FG_EINPUT);
        out.at[i] ^= 1;
    }
    fg_buf_clear(&out);
}

FG_TESTS(sections_come_back_by_name, sections_of_another_kind_or_damaged_are_refused)
