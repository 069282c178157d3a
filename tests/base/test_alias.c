#include "base/alias.h"

#include "fit.h"

enum { DRAWS = 200000, MOST = 1000 };

static void assert_choices_fit(const double *weights, size_t n, uint64_t seed)
{
    struct fg_arena arena = {0};
    struct fg_alias alias;
    struct fg_rng rng = fg_rng_from_seed(seed);
    static double seen[MOST], expected[MOST];
    double sum = 0;
    assert_int_equal(fg_alias_build(&alias, &arena, weights, n, NULL), FG_OK);
    for (size_t i = 0; i < n; i++)
        sum += weights[i];
    for (size_t i = 0; i < n; i++) {
        seen[i] = 0;
        expected[i] = DRAWS * (weights[i] / sum);
    }
    for (int i = 0; i < DRAWS; i++)
        seen[fg_alias_draw(&alias, &rng)]++;
    for (size_t i = 0; i < n; i++)
        assert_true(weights[i] > 0 || seen[i] == 0);
    assert_fits(fit_counts(seen, expected, n));
    fg_arena_clear(&arena);
}

static void choices_come_as_often_as_they_weigh(void **state)
{
    (void)state;
    double weights[MOST];
    assert_choices_fit((double[]){1}, 1, 1);
    assert_choices_fit((double[]){1, 3}, 2, 2);
    assert_choices_fit((double[]){0, 5, 0, 0, 1e-9, 2}, 6, 3);
    for (int i = 0; i < MOST; i++)
        weights[i] = 1;
    assert_choices_fit(weights, MOST, 4);
    for (int i = 0; i < MOST; i++)
        weights[i] = 1.0 / (i + 1);
    assert_choices_fit(weights, MOST, 5);
    for (int i = 0; i < MOST; i++)
        weights[i] = exp2(i % 60) * (i % 7 != 0);
    assert_choices_fit(weights, MOST, 6);
}

/* What each choice is given over all columns adds up to its weight: no draw needed. */
static void columns_add_up_to_the_weights(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_alias alias;
    struct fg_rng rng = fg_rng_from_seed(7);
    double weights[MOST], given[MOST] = {0}, sum = 0;
    for (int i = 0; i < MOST; i++)
        sum += weights[i] = i % 10 ? -log(fg_rng_open(&rng)) : 0;
    assert_int_equal(fg_alias_build(&alias, &arena, weights, MOST, NULL), FG_OK);
    for (int i = 0; i < MOST; i++) {
        double own = (double)alias.cut[i] * 0x1p-64;
        given[i] += own;
        given[alias.other[i]] += 1 - own;
    }
    for (int i = 0; i < MOST; i++)
        assert_near(given[i], weights[i] / sum * MOST, 1e-12);
    fg_arena_clear(&arena);
}

static void weights_may_be_huge_or_tiny(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_alias alias;
    struct fg_rng rng = fg_rng_from_seed(8);
    const double huge[] = {1e308, 1e308, 1e308}, tiny[] = {0, 0x1p-1074, 0};
    assert_int_equal(fg_alias_build(&alias, &arena, huge, 3, NULL), FG_OK);
    unsigned seen = 0;
    for (int i = 0; i < 100; i++)
        seen |= 1u << fg_alias_draw(&alias, &rng);
    assert_int_equal(seen, 7);
    assert_int_equal(fg_alias_build(&alias, &arena, tiny, 3, NULL), FG_OK);
    for (int i = 0; i < 100; i++)
        assert_int_equal(fg_alias_draw(&alias, &rng), 1);
    fg_arena_clear(&arena);
}

static void wrong_weights_are_named(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_alias alias;
    struct fg_err err;
    const double bad[][2] = {{1, -1}, {1, NAN}, {1, INFINITY}, {0, 0}};
    for (int i = 0; i < 4; i++)
        assert_int_equal(fg_alias_build(&alias, &arena, bad[i], 2, &err), FG_EINPUT);
    assert_string_equal(err.text, "all 2 weights are 0");
    fg_alias_build(&alias, &arena, bad[0], 2, &err);
    assert_string_equal(err.text, "weight 1 is -1");
    assert_int_equal(fg_alias_build(&alias, &arena, bad[0], 0, &err), FG_EINPUT);
    fg_arena_clear(&arena);
}

FG_TESTS(choices_come_as_often_as_they_weigh, columns_add_up_to_the_weights,
         weights_may_be_huge_or_tiny, wrong_weights_are_named)
