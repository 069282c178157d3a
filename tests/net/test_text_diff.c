/* What has changed in a text is said in few words, and is true. */
#include "base/rng.h"
#include "net/text/text_diff.h"
#include "test.h"

static void check(const char *before, const char *after, const char *expected)
{
    struct fg_buf buf;
    fg_buf_init(&buf, 1 << 20);
    bool is_different = fg_text_diff(&buf, fg_str_from(before), fg_str_from(after), 2000);
    assert_str(fg_buf_str(&buf), expected);
    assert_int_equal(is_different, expected[0] != '\0');
    fg_buf_clear(&buf);
}

static void same_words_are_no_difference(void **state)
{
    (void)state;
    check("", "", "");
    check("a b c", "a b c", "");
    check("a  b\nc ", " a b c", "");
}

static void a_word_that_changed_stands_among_its_neighbours(void **state)
{
    (void)state;
    check("on sale for 19.90 today", "on sale for 17.50 today",
          "on sale for [-19.90-] {+17.50+} today");
    check("1 2 3 4 5 6 7 8 9 10 11 12", "1 2 3 4 5 6 x 8 9 10 11 12",
          "... 3 4 5 6 [-7-] {+x+} 8 9 10 11 ...");
}

static void what_came_and_what_went_is_told_apart(void **state)
{
    (void)state;
    check("", "all new", "{+all new+}");
    check("all gone", "", "[-all gone-]");
    check("a c", "a b c", "a {+b+} c");
    check("a b c", "a c", "a [-b-] c");
    check("a", "a b", "a {+b+}");
}

static void each_place_is_a_line(void **state)
{
    (void)state;
    check("a b c d e f g h i j k l", "a B c d e f g h i j K l",
          "a [-b-] {+B+} c d e f ...\n... g h i j [-k-] {+K+} l");
    /* One word between two changes does not make two places. */
    check("a b c d e", "a X c Y e", "a [-b c d-] {+X c Y+} e");
}

static void words_around_it_are_of_its_line(void **state)
{
    (void)state;
    check("one\ntwo\nseen by ten today\nthree", "one\ntwo\nseen by six today\nthree",
          "... seen by [-ten-] {+six+} today ...");
    check("a b\nc d", "a b new\nc d", "a b {+new+} ...");
    check("a b\nc d", "a b\nnew c d", "... {+new+} c d");
    check("a old\nc d", "a\nc d", "a [-old-] ...");
    /* A line that changed as a whole, and several of them. */
    check("fee\nten\neuros", "fee\nsix\neuros", "fee / [-ten-] {+six+} / euros");
    check("a\nb\nc\nd\ne", "a\nX Y\nZ\ne", "a / [-b / c / d-] {+X Y / Z+} / e");
    check("a b", "a b\nc d", "a b / {+c d+}");
}

static void long_differences_are_cut(void **state)
{
    (void)state;
    struct fg_buf before, after, out;
    fg_buf_init(&before, 1 << 20);
    fg_buf_init(&after, 1 << 20);
    fg_buf_init(&out, 1 << 20);
    for (int i = 0; i < 3000; i++) {
        fg_buf_printf(&before, "old%d ", i);
        fg_buf_printf(&after, "new%d ", i);
    }
    assert_true(fg_text_diff(&out, fg_buf_str(&before), fg_buf_str(&after), 100));
    assert_true(out.len > 80 && out.len < 160);
    assert_true(fg_str_starts(fg_buf_str(&out), FG_STR("[-old0 old1 ")));
    assert_true(fg_str_find(fg_buf_str(&out), FG_STR("{+new0 ")) != FG_NOT_FOUND);
    fg_buf_clear(&before);
    fg_buf_clear(&after);
    fg_buf_clear(&out);
}

static void many_places_are_counted(void **state)
{
    (void)state;
    struct fg_buf before, after, out;
    fg_buf_init(&before, 1 << 20);
    fg_buf_init(&after, 1 << 20);
    fg_buf_init(&out, 1 << 20);
    for (int i = 0; i < 200; i++) {
        fg_buf_printf(&before, "w%d ", i);
        fg_buf_printf(&after, i % 20 ? "w%d " : "x%d ", i);
    }
    assert_true(fg_text_diff(&out, fg_buf_str(&before), fg_buf_str(&after), 60));
    assert_true(fg_str_ends(fg_buf_str(&out), FG_STR("\n... and 8 more places")));
    fg_buf_clear(&before);
    fg_buf_clear(&after);
    fg_buf_clear(&out);
}

/* The new text is the old one without what is in [- -] and with what is in {+ +}: the
 * number of words changed is at least what the longest common subsequence leaves. */
static size_t common(const int *a, size_t n, const int *b, size_t m)
{
    size_t table[41][41] = {{0}};
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= m; j++)
            table[i][j] = a[i - 1] == b[j - 1]                ? table[i - 1][j - 1] + 1
                          : table[i - 1][j] > table[i][j - 1] ? table[i - 1][j]
                                                              : table[i][j - 1];
    return table[n][m];
}

static size_t count_within(struct fg_str text, const char *open, const char *close)
{
    size_t n = 0, at;
    while ((at = fg_str_find(text, fg_str_from(open))) != FG_NOT_FOUND) {
        text = fg_str_skip(text, at + 2);
        size_t end = fg_str_find(text, fg_str_from(close));
        assert_true(end != FG_NOT_FOUND);
        n++;
        for (size_t i = 0; i < end; i++)
            n += text.at[i] == ' ';
        text = fg_str_skip(text, end + 2);
    }
    return n;
}

static void random_texts_lose_and_gain_what_they_must(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(7);
    for (int round = 0; round < 500; round++) {
        int a[40], b[40];
        size_t n = fg_rng_next(&rng) % 41, m = fg_rng_next(&rng) % 41;
        struct fg_buf before, after, out;
        fg_buf_init(&before, 1 << 16);
        fg_buf_init(&after, 1 << 16);
        fg_buf_init(&out, 1 << 16);
        for (size_t i = 0; i < n; i++)
            fg_buf_printf(&before, "%d ", a[i] = (int)(fg_rng_next(&rng) % 6));
        for (size_t i = 0; i < m; i++)
            fg_buf_printf(&after, "%d ", b[i] = (int)(fg_rng_next(&rng) % 6));
        fg_text_diff(&out, fg_buf_str(&before), fg_buf_str(&after), 10000);
        size_t gone = count_within(fg_buf_str(&out), "[-", "-]");
        size_t come = count_within(fg_buf_str(&out), "{+", "+}");
        size_t stay = common(a, n, b, m);
        /* Single words between changes are shown on both sides. */
        assert_true(gone >= n - stay && come >= m - stay);
        assert_int_equal(gone - come, n - m);
        fg_buf_clear(&before);
        fg_buf_clear(&after);
        fg_buf_clear(&out);
    }
}

FG_TESTS(same_words_are_no_difference, a_word_that_changed_stands_among_its_neighbours,
         what_came_and_what_went_is_told_apart, each_place_is_a_line,
         words_around_it_are_of_its_line, long_differences_are_cut,
         many_places_are_counted, random_texts_lose_and_gain_what_they_must)
