#include "test.h"

static void cut_keeps_empty_parts(void **state)
{
    (void)state;
    struct fg_str rest = FG_STR("a,,b,"), part;
    const char *expected[] = {"a", "", "b", ""};
    size_t n = 0;
    while (fg_str_cut(&rest, ',', &part))
        assert_str(part, expected[n++]);
    assert_int_equal(n, 4);
}

static void numbers_must_fill_the_text_and_fit(void **state)
{
    (void)state;
    uint64_t u;
    int64_t i;
    double d;
    assert_true(fg_str_to_u64(FG_STR("18446744073709551615"), &u));
    assert_true(u == UINT64_MAX);
    assert_false(fg_str_to_u64(FG_STR("18446744073709551616"), &u));
    assert_false(fg_str_to_u64(FG_STR(""), &u));
    assert_false(fg_str_to_u64(FG_STR("12 "), &u));
    assert_true(fg_str_to_i64(FG_STR("-9223372036854775808"), &i));
    assert_true(i == INT64_MIN);
    assert_false(fg_str_to_i64(FG_STR("9223372036854775808"), &i));
    assert_true(fg_str_to_double(FG_STR("1.5e3"), &d));
    assert_true(d == 1500.0);
    assert_false(fg_str_to_double(FG_STR("1e999"), &d));
    assert_false(fg_str_to_double(FG_STR("nan"), &d));
    assert_false(fg_str_to_double(FG_STR("1.5x"), &d));
    assert_false(fg_str_to_double(FG_STR("0x10"), &d));
    assert_false(fg_str_to_double(FG_STR("\v1"), &d));
    assert_false(fg_str_to_double(FG_STR("1 "), &d));
    assert_true(fg_str_to_double(FG_STR("-.5E-1"), &d));
    assert_true(d == -0.05);
}

static void take_copies_or_leaves_all(void **state)
{
    (void)state;
    char to[4] = "...";
    struct fg_str rest = FG_STR("abcd"), none = {0};
    assert_true(fg_str_take(&rest, to, 3));
    assert_memory_equal(to, "abc", 4);
    assert_false(fg_str_take(&rest, to, 2));
    assert_str(rest, "d");
    assert_true(fg_str_take(&none, to, 0));
}

static void trim_and_sub_stay_inside(void **state)
{
    (void)state;
    assert_str(fg_str_trim(FG_STR(" \t a b \r\n")), "a b");
    assert_str(fg_str_trim(FG_STR("  ")), "");
    assert_str(fg_str_sub(FG_STR("abc"), 1, 99), "bc");
    assert_str(fg_str_sub(FG_STR("abc"), 7, 9), "");
    assert_str(fg_str_skip((struct fg_str){0}, 3), "");
}

static void search_finds_the_first(void **state)
{
    (void)state;
    assert_int_equal(fg_str_find(FG_STR("abcabc"), FG_STR("ca")), 2);
    assert_true(fg_str_find(FG_STR("abc"), FG_STR("d")) == FG_NOT_FOUND);
    assert_int_equal(fg_str_chr(FG_STR("abc"), 'c'), 2);
    assert_true(fg_str_chr((struct fg_str){0}, 'c') == FG_NOT_FOUND);
    assert_true(fg_str_starts_nocase(FG_STR("HTTPS://"), FG_STR("https")));
    assert_true(fg_str_ends(FG_STR("a.gz"), FG_STR(".gz")));
}

static void distance_counts_edits(void **state)
{
    (void)state;
    assert_int_equal(fg_str_distance(FG_STR("kitten"), FG_STR("sitting")), 3);
    assert_int_equal(fg_str_distance(FG_STR(""), FG_STR("abc")), 3);
    assert_int_equal(fg_str_distance(FG_STR("same"), FG_STR("same")), 0);
    assert_int_equal(fg_str_distance(FG_STR("hepl"), FG_STR("help")), 1);
    assert_int_equal(fg_str_distance(FG_STR("serach"), FG_STR("search")), 1);
    assert_int_equal(fg_str_distance(FG_STR("ca"), FG_STR("abc")), 3);
}

static void order_is_by_bytes_then_length(void **state)
{
    (void)state;
    assert_true(fg_str_cmp(FG_STR("a"), FG_STR("ab")) < 0);
    assert_true(fg_str_cmp(FG_STR("b"), FG_STR("ab")) > 0);
    assert_true(fg_str_cmp(FG_STR("\xff"), FG_STR("a")) > 0);
    assert_int_equal(fg_str_cmp(FG_STR("a"), FG_STR("a")), 0);
}

FG_TESTS(cut_keeps_empty_parts, numbers_must_fill_the_text_and_fit,
         take_copies_or_leaves_all, trim_and_sub_stay_inside, search_finds_the_first,
         distance_counts_edits, order_is_by_bytes_then_length)
