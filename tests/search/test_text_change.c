#include "base/rng.h"
#include "search/text_change.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The terms that are told, as a sum of their hashes: gone counts against. */
static uint64_t told(const struct fg_text_change *change)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < change->hashes[1].len; i++)
        sum += change->hashes[1].at[i];
    for (size_t i = 0; i < change->hashes[0].len; i++)
        sum -= change->hashes[0].at[i];
    return sum;
}

static uint64_t sum_of(struct fg_str terms, size_t *words)
{
    uint64_t sum = 0;
    *words = 0;
    for (fg_words_skip(&terms, 0); terms.len; ++*words)
        sum += fg_words_next(&terms);
    return sum;
}

static void expect(struct fg_text_change *change, const char *was, const char *is,
                   size_t gone, size_t come, double distance)
{
    fg_text_change_find(change, fg_str_from(was), fg_str_from(is));
    assert_int_equal(change->hashes[0].len, gone);
    assert_int_equal(change->hashes[1].len, come);
    assert_true(fabs(change->distance - distance) < 1e-9);
}

/* Five terms have five shingles, of which a term in the middle is in three. */
static void only_what_differs_is_told(void **state)
{
    (void)state;
    struct fg_text_change change = {0};
    expect(&change, "", "", 0, 0, 0);
    expect(&change, "a b c d e ", "a b c d e ", 0, 0, 0);
    expect(&change, "a b c d e", "a b c d e", 0, 0, 0);
    expect(&change, "", "a b ", 0, 2, 1);
    expect(&change, "a b ", "", 2, 0, 1);
    expect(&change, "a b c d e ", "a b x d e ", 1, 1, 1 - 2.0 / 8);
    expect(&change, "a b c d e ", "a b c d e f ", 0, 1, 1 - 5.0 / 6);
    expect(&change, "wild ", "wildest ", 1, 1, 1);
    expect(&change, "x wild ", "wild ", 1, 0, 1);
    assert_int_equal(change.words[0], 2);
    assert_int_equal(change.words[1], 1);
    fg_text_change_clear(&change);
}

static size_t write_terms(char *out, const uint32_t *terms, size_t n)
{
    size_t len = 0;
    out[0] = '\0';
    for (size_t i = 0; i < n; i++)
        len += (size_t)sprintf(out + len, "%.*s%u ", (int)(terms[i] % 14),
                               "abcdefghijklmn", terms[i]);
    return len;
}

/* Whatever happens to a text: what is told of it makes the one into the other. */
static void what_is_told_makes_one_of_the_other(void **state)
{
    (void)state;
    enum { WORDS = 300, MORE = 40 };
    static char a[WORDS * 40], b[(WORDS + MORE) * 40];
    struct fg_rng rng = fg_rng_from_seed(5);
    struct fg_text_change change = {0};
    for (int round = 0; round < 2000; round++) {
        uint32_t was[WORDS], is[WORDS + MORE];
        size_t n = (size_t)fg_rng_below(&rng, WORDS), m = n, words;
        for (size_t i = 0; i < n; i++)
            was[i] = is[i] = (uint32_t)fg_rng_below(&rng, 50);
        for (uint64_t k = fg_rng_below(&rng, 6); k > 0; k--) {
            size_t at = (size_t)fg_rng_below(&rng, m + 1), some = m - at < 7 ? m - at : 7;
            memmove(is + at, is + at + some, (m - at - some) * sizeof *is);
            m -= some;
            at = (size_t)fg_rng_below(&rng, m + 1);
            memmove(is + at + 5, is + at, (m - at) * sizeof *is);
            for (size_t i = 0; i < 5; i++)
                is[at + i] = (uint32_t)fg_rng_below(&rng, 50);
            m += 5;
        }
        struct fg_str old = {a, write_terms(a, was, n)},
                      fresh = {b, write_terms(b, is, m)};
        fg_text_change_find(&change, old, fresh);
        uint64_t sum = sum_of(fresh, &words);
        assert_int_equal(words, m);
        sum -= sum_of(old, &words);
        assert_true(told(&change) == sum);
        assert_int_equal(change.words[0], n);
        assert_int_equal(change.words[1], m);
        assert_true(change.distance >= 0 && change.distance <= 1);
    }
    fg_text_change_clear(&change);
}

FG_TESTS(only_what_differs_is_told, what_is_told_makes_one_of_the_other)
