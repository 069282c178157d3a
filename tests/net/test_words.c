#include "test.h"

#include "net/text/words.h"

/* The kinds of all words as letters: w for words, f for figures, r for random ones. */
static const char *kinds_cut_at(const char *text, size_t cut)
{
    static char kinds[256];
    static struct fg_words words;
    size_t n = 0;
    struct fg_word word;
    struct fg_str s = fg_str_from(text);
    fg_words_init(&words);
    fg_words_feed(&words, fg_str_sub(s, 0, cut));
    while (fg_words_next(&words, &word))
        kinds[n++] = "wfr"[word.kind];
    fg_words_feed(&words, fg_str_skip(s, cut));
    while (fg_words_next(&words, &word))
        kinds[n++] = "wfr"[word.kind];
    fg_words_finish(&words);
    while (fg_words_next(&words, &word))
        kinds[n++] = "wfr"[word.kind];
    kinds[n] = '\0';
    return kinds;
}

static const char *kinds_of(const char *text)
{
    return kinds_cut_at(text, strlen(text));
}

static uint64_t hash_cut_at(const char *text, size_t cut)
{
    static struct fg_words words;
    uint64_t hash = 0;
    struct fg_word word;
    struct fg_str s = fg_str_from(text);
    fg_words_init(&words);
    fg_words_feed(&words, fg_str_sub(s, 0, cut));
    while (fg_words_next(&words, &word))
        hash = hash * 31 + word.hash + word.kind;
    fg_words_feed(&words, fg_str_skip(s, cut));
    while (fg_words_next(&words, &word))
        hash = hash * 31 + word.hash + word.kind;
    fg_words_finish(&words);
    while (fg_words_next(&words, &word))
        hash = hash * 31 + word.hash + word.kind;
    return hash;
}

static uint64_t hash_of(const char *text)
{
    return hash_cut_at(text, 0);
}

static void words_are_runs_of_letters_and_digits(void **state)
{
    (void)state;
    assert_string_equal(kinds_of(""), "");
    assert_string_equal(kinds_of(" ...,; — "), "");
    assert_string_equal(kinds_of("one,two;three"), "www");
    assert_string_equal(kinds_of("don't"), "ww");
    assert_string_equal(kinds_of("café’s\u00A0naïve"), "www");
    assert_string_equal(kinds_of("a\xff"
                                 "b\xe2\x82"),
                        "ww");
    assert_string_equal(kinds_of("covid19 h264 mp3"), "www");
    assert_true(hash_of("so\u00ADft") == hash_of("soft")); /* soft hyphen */
}

static void scripts_without_blanks_go_by_character(void **state)
{
    (void)state;
    assert_string_equal(kinds_of("你好。"), "ww");
    assert_string_equal(kinds_of("ab你cd"), "www");
    assert_string_equal(kinds_of("한국"), "w"); /* Hangul */
    assert_true(hash_of("你好") == hash_of("你 好"));
}

static void case_does_not_matter(void **state)
{
    (void)state;
    assert_true(hash_of("HeLLo") == hash_of("hello"));
    assert_true(hash_of("ÉTÉ") == hash_of("été"));
    assert_true(hash_of("ŁÓŹ") == hash_of("łóź"));
    assert_true(hash_of("МИР") == hash_of("мир"));
    assert_true(hash_of("ΣΑΣ") == hash_of("σας"));
    assert_false(hash_of("hello") == hash_of("hallo"));
}

static void figures_are_what_ticks(void **state)
{
    (void)state;
    assert_string_equal(kinds_of("price 12.50 now"), "wfff");
    assert_string_equal(kinds_of("posted 2 days ago by me"), "wfffww");
    assert_string_equal(kinds_of("Monday, 5 May 2025 at 10:30 pm"), "ffffwfff");
    assert_string_equal(kinds_of("you may go on Monday"), "wwwww");
    assert_string_equal(kinds_of("seen yesterday"), "wf");
    assert_string_equal(kinds_of("seen just now"), "wff");
    assert_string_equal(kinds_of("vor 3 Stunden"), "fff");
    assert_string_equal(kinds_of("il y a 3 heures"), "wwwff");
    assert_string_equal(kinds_of("3 часа "
                                 "назад"),
                        "fff");
    assert_string_equal(kinds_of("3小时前好"), "ffffw");
    assert_string_equal(kinds_of("the 3rd, 12k views"), "wffw");
    assert_string_equal(kinds_of("١٢"), "f");        /* Arabic digits */
    assert_string_equal(kinds_of("a second"), "ww"); /* held to the end */
}

static void random_words_are_told_apart(void **state)
{
    (void)state;
    assert_string_equal(kinds_of("id 550e8400-e29b-41d4-a716-446655440000"), "wrrrrf");
    assert_string_equal(kinds_of("token x7Qp2LmN9s"), "wr");
    assert_string_equal(kinds_of("sha da39a3ee5e6b4b0d3255bfef95601890afd80709"), "wr");
    assert_string_equal(kinds_of("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"),
                        "r");
}

static void chunks_may_be_cut_anywhere(void **state)
{
    (void)state;
    static const char text[] = "Naïve 你好 2 days ago😀 x9y8z7 "
                               "\xe2\x82 broken\xf0\x9f tail 5 МИР";
    char whole[256];
    snprintf(whole, sizeof whole, "%s", kinds_of(text));
    uint64_t hash = hash_of(text);
    for (size_t cut = 0; cut < sizeof text; cut++) {
        assert_string_equal(kinds_cut_at(text, cut), whole);
        assert_true(hash_cut_at(text, cut) == hash);
    }
}

static void one_reader_serves_many_texts(void **state)
{
    (void)state;
    static struct fg_words words;
    struct fg_word word, again;
    fg_words_init(&words);
    for (int i = 0; i < 3; i++) {
        fg_words_feed(&words, FG_STR("7 hours"));
        fg_words_finish(&words);
        assert_true(fg_words_next(&words, &word) && fg_words_next(&words, &word));
        assert_false(fg_words_next(&words, &again));
        fg_words_feed(&words, FG_STR("hours"));
        fg_words_finish(&words);
        assert_true(fg_words_next(&words, &again));
        assert_true(again.hash == word.hash && again.kind == FG_WORD);
        assert_false(fg_words_next(&words, &again));
    }
}

/* The fast path takes blocks of plain words: put what it must not take at every place. */
static void words_taken_together_are_the_same(void **state)
{
    (void)state;
    static const char *const odd[] = {
        "3rd",      "x9y8z7w6", "2 days ago", "may 5", "Straße",
        "你好",     "a-b's",    "  ,  ",      "\xff",  "internationalisation",
        "yesterday"};
    static const char plain[] =
        "The quick brown fox (it JUMPS) over the lazy dog; so it goes, and goes on until "
        "the words have filled some blocks of sixty-four bytes and then a few more of it";
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        for (size_t at = 0; at < sizeof plain; at++) {
            char text[512];
            snprintf(text, sizeof text, "%.*s%s%s", (int)at, plain, odd[i], plain + at);
            struct fg_words words;
            struct fg_word taken[256];
            uint64_t hash = 0;
            size_t count = 0;
            fg_words_init(&words);
            fg_words_feed(&words, fg_str_from(text));
            for (int turn = 0; turn < 2; turn++) {
                for (size_t n; (n = fg_words_take(&words, taken, 40 + at)); count += n)
                    for (size_t j = 0; j < n; j++)
                        hash = hash * 31 + taken[j].hash + taken[j].kind;
                fg_words_finish(&words);
            }
            assert_true(hash == hash_of(text));
            assert_int_equal(fg_words_count(fg_str_from(text)), count);
        }
    }
}

FG_TESTS(words_are_runs_of_letters_and_digits, scripts_without_blanks_go_by_character,
         case_does_not_matter, figures_are_what_ticks, random_words_are_told_apart,
         chunks_may_be_cut_anywhere, one_reader_serves_many_texts,
         words_taken_together_are_the_same)
