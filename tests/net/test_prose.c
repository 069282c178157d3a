#include "net/text/prose.h"

#include "test.h"

static void check(const char *source, size_t max, const char *expected)
{
    struct fg_prose prose;
    fg_prose_init(&prose, max);
    fg_prose_add(&prose, fg_str_from(source));
    assert_str(fg_prose_str(&prose), expected);
    assert_true(prose.len <= max);
    fg_prose_clear(&prose);
}

static void white_space_is_collapsed(void **state)
{
    (void)state;
    check("", 100, "");
    check(" \t\n ", 100, "");
    check("  one\n\ttwo  three ", 100, "one two three");
    check("a longer text  with two blanks after sixteen bytes and\nmore of it", 100,
          "a longer text with two blanks after sixteen bytes and more of it");
    check("fifteen letters then blanks", 100, "fifteen letters then blanks");
    check("123456789012345  7", 100, "123456789012345 7");
    check("12345678901234567890123456789 1", 100, "12345678901234567890123456789 1");
}

static void references_are_replaced(void **state)
{
    (void)state;
    check("a &amp; b", 100, "a & b");
    check("one&#32;&#10;two", 100, "one two");
    check("a&nbsp;b", 100, "a\u00a0b");
    check("AT&T &c &unknown; end of it all", 100, "AT&T &c &unknown; end of it all");
    struct fg_prose prose;
    fg_prose_init(&prose, 100);
    fg_prose_add_plain(&prose, FG_STR("a &amp; b"));
    assert_str(fg_prose_str(&prose), "a &amp; b");
    fg_prose_clear(&prose);
}

static void pieces_join_and_breaks_part(void **state)
{
    (void)state;
    struct fg_prose prose;
    fg_prose_init(&prose, 100);
    fg_prose_break(&prose, FG_PROSE_LINE);
    fg_prose_add(&prose, FG_STR("one"));
    fg_prose_add(&prose, FG_STR("two "));
    fg_prose_add(&prose, FG_STR(" three"));
    fg_prose_break(&prose, FG_PROSE_LINE);
    fg_prose_break(&prose, FG_PROSE_BLANK);
    fg_prose_add(&prose, FG_STR("  "));
    fg_prose_add(&prose, FG_STR("four"));
    fg_prose_break(&prose, FG_PROSE_LINE);
    assert_str(fg_prose_str(&prose), "onetwo three\nfour");
    fg_prose_reset(&prose);
    fg_prose_add(&prose, FG_STR("again"));
    assert_str(fg_prose_str(&prose), "again");
    fg_prose_clear(&prose);
}

static void nuls_are_dropped(void **state)
{
    (void)state;
    struct fg_prose prose;
    fg_prose_init(&prose, 100);
    fg_prose_add(&prose, FG_STR("a\0b \0 c"));
    assert_str(fg_prose_str(&prose), "ab c");
    fg_prose_clear(&prose);
}

static void the_maximum_cuts_between_characters(void **state)
{
    (void)state;
    check("abcdef", 3, "abc");
    check("ab\u00e9\u00e9", 3, "ab");
    check("ab cd", 3, "ab");
    check("a text that is a good deal longer than ten", 10, "a text tha");
    struct fg_prose prose;
    fg_prose_init(&prose, 4);
    fg_prose_add(&prose, FG_STR("abcd"));
    assert_false(prose.is_cut);
    fg_prose_add(&prose, FG_STR("e"));
    assert_true(prose.is_cut);
    assert_str(fg_prose_str(&prose), "abcd");
    fg_prose_clear(&prose);
}

/* Every maximum, for texts of characters of two, three and four bytes, with and without
 * something in front that shifts them. */
static void no_maximum_cuts_within_a_character(void **state)
{
    (void)state;
    const char *characters[] = {"\u00e9", "\u20ac", "\U0001F600"};
    for (size_t c = 0; c < 3; c++)
        for (size_t shift = 0; shift < 4; shift++) {
            char text[1400] = "abc";
            size_t bytes = strlen(characters[c]), n = shift;
            for (; n + bytes < sizeof text; n += bytes)
                memcpy(text + n, characters[c], bytes + 1);
            for (size_t max = 1; max < 1200; max += max < 100 ? 1 : 7) {
                struct fg_prose prose;
                fg_prose_init(&prose, max);
                fg_prose_add(&prose, fg_str_from(text));
                assert_true(prose.len <= max);
                assert_true(prose.len < shift || (prose.len - shift) % bytes == 0);
                fg_prose_clear(&prose);
            }
        }
}

FG_TESTS(white_space_is_collapsed, references_are_replaced, pieces_join_and_breaks_part,
         nuls_are_dropped, the_maximum_cuts_between_characters,
         no_maximum_cuts_within_a_character)
