#include "base/buf.h"
#include "base/terms.h"
#include "test.h"

/* The terms of a text with blanks between them; "+" before one that joins. */
static void expect_terms(const char *code, const char *text, const char *expected)
{
    struct fg_stemmer *stemmer = fg_stemmer_new(code);
    for (int again = 0; again < 2; again++) { /* the second time from memory */
        struct fg_terms terms = fg_terms_of(fg_str_from(text), stemmer);
        struct fg_term term;
        struct fg_buf all;
        fg_buf_init(&all, 10000);
        while (fg_terms_next(&terms, &term))
            fg_buf_printf(&all, "%s%s%.*s", all.len ? " " : "", term.joins ? "+" : "",
                          FG_ARG(term.text));
        assert_str(fg_buf_str(&all), expected);
        fg_buf_clear(&all);
    }
    fg_stemmer_free(stemmer);
}

static void terms_are_stems_in_lower_case(void **state)
{
    (void)state;
    expect_terms("en", "The houses WERE running, 24 of them!",
                 "the hous were run 24 of them");
    expect_terms("de", "Die Häuser", "die haus");
    expect_terms("", "The houses", "the houses");
    expect_terms("en", "don't e-mail a_b", "don t e mail a b");
    expect_terms("en", "", "");
    expect_terms("en", " .,;-- ", "");
}

static void terms_have_no_accents(void **state)
{
    (void)state;
    expect_terms("", "Café CAFÉ cafe\xCC\x81 Ångström straße Œuvre Łódź",
                 "cafe cafe cafe angstrom strasse oeuvre lodz");
    expect_terms("fr", "étude études etudes", "etud etud etud");
    expect_terms("", "ﬁne ２０２６ ΟΔΟΣ", "fine 2026 οδοσ");
}

static void terms_of_scripts_without_blanks_are_characters(void **state)
{
    (void)state;
    expect_terms("", "東京 tower東", "東 +京 tower 東");
    expect_terms("", "abc東京def", "abc 東 +京 def");
}

static void terms_pass_over_broken_bytes(void **state)
{
    (void)state;
    expect_terms("en", "good\xff\xfe bad\xc3", "good bad");
    expect_terms("en", "a\x01\x1b[2Jb", "a 2jb");
    char long_word[5000];
    memset(long_word, 'x', sizeof long_word - 1);
    long_word[sizeof long_word - 1] = '\0';
    struct fg_stemmer *stemmer = fg_stemmer_new("en");
    struct fg_terms terms = fg_terms_of(fg_str_from(long_word), stemmer);
    struct fg_term term;
    assert_true(fg_terms_next(&terms, &term));
    assert_int_equal(term.text.len, FG_TERM_MAX);
    assert_int_equal(term.to, sizeof long_word - 1);
    assert_false(fg_terms_next(&terms, &term));
    fg_stemmer_free(stemmer);
}

static void terms_say_where_words_stand(void **state)
{
    (void)state;
    struct fg_stemmer *stemmer = fg_stemmer_new("de");
    struct fg_str text = FG_STR(" Die Häuser.");
    struct fg_terms terms = fg_terms_of(text, stemmer);
    struct fg_term term;
    assert_true(fg_terms_next(&terms, &term) && fg_terms_next(&terms, &term));
    assert_str(fg_str_sub(text, term.from, term.to), "Häuser");
    fg_stemmer_free(stemmer);
}

static void languages_have_codes(void **state)
{
    (void)state;
    assert_string_equal(fg_stemmer_language(FG_STR("de-AT")), "de");
    assert_string_equal(fg_stemmer_language(FG_STR("EN_us")), "en");
    assert_string_equal(fg_stemmer_language(FG_STR("nb")), "no");
    assert_string_equal(fg_stemmer_language(FG_STR("")), "en");
    assert_string_equal(fg_stemmer_language(FG_STR("ja")), "");
    for (size_t i = 0; fg_stemmer_codes[i]; i++) {
        struct fg_stemmer *stemmer = fg_stemmer_new(fg_stemmer_codes[i]);
        struct fg_terms terms = fg_terms_of(FG_STR("word"), stemmer);
        struct fg_term term;
        assert_true(fg_terms_next(&terms, &term));
        fg_stemmer_free(stemmer);
    }
}

FG_TESTS(terms_are_stems_in_lower_case, terms_have_no_accents,
         terms_of_scripts_without_blanks_are_characters, terms_pass_over_broken_bytes,
         terms_say_where_words_stand, languages_have_codes)
