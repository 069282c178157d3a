/* The source itself, to reach both forms of each pass. */
#include "base/fill.c"

#include "fit.h"

enum { N = 200000 };
static double draws[N], other[N], shape[N], rate[N];

static void uniform_fills_have_the_moments_and_fit(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(1);
    fg_uniform_fill(&rng, 0, N, draws);
    assert_moments(draws, N, 0.5, 1.0 / 12, 1.8);
    assert_fits(fit_uniform(draws, N));
}

/* Blocks of random lengths, from any place on, against one sweep. */
static void fills_do_not_depend_on_blocks(void **state)
{
    (void)state;
    enum { SPAN = 5000 };
    struct fg_rng rng = fg_rng_from_seed(2), cuts = fg_rng_from_seed(3);
    const uint64_t start = UINT64_MAX - SPAN / 2; /* places may even wrap around */
    for (int i = 0; i < SPAN; i++) {
        shape[i] = exp(10 * fg_rng_unit(&cuts) - 5);
        rate[i] = 1 + fg_rng_unit(&cuts);
    }
    for (int is_gamma = 0; is_gamma < 2; is_gamma++) {
        if (!is_gamma)
            fg_uniform_fill(&rng, start, SPAN, draws);
        else
            fg_gamma_fill(&rng, start, SPAN, shape, rate, draws);
        for (size_t at = 0, n; at < SPAN; at += n) {
            n = fg_rng_below(&cuts, 700);
            n = n < SPAN - at ? n : SPAN - at;
            if (!is_gamma)
                fg_uniform_fill(&rng, start + at, n, other + at);
            else
                fg_gamma_fill(&rng, start + at, n, shape + at, rate + at, other + at);
        }
        assert_memory_equal(draws, other, SPAN * sizeof *draws);
    }
}

static void fills_neither_move_nor_follow_the_stream(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(4), before = rng;
    fg_uniform_fill(&rng, 0, 100, draws);
    assert_memory_equal(&rng, &before, sizeof rng);
    fg_rng_next(&rng);
    fg_uniform_fill(&rng, 0, 100, other);
    assert_memory_equal(draws, other, 100 * sizeof *draws);
    struct fg_rng child = fg_rng_split(&rng, 0);
    fg_uniform_fill(&child, 0, 100, other);
    for (int i = 0; i < 100; i++)
        assert_true(draws[i] != other[i]);
}

/* A page keeps its luck when its neighbours change or go. */
static void a_draw_depends_on_its_own_parameters_only(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(5);
    for (int i = 0; i < 1000; i++)
        shape[i] = 0.01 * (i + 1);
    fg_gamma_fill(&rng, 0, 1000, shape, NULL, draws);
    for (int i = 0; i < 1000; i += 2)
        shape[i] = i % 3 ? 0.3 : NAN;
    fg_gamma_fill(&rng, 0, 1000, shape, NULL, other);
    for (int i = 1; i < 1000; i += 2)
        assert_true(draws[i] == other[i]);
}

/* A hash over 20000 draws, taken once; whoever has to change it says why. */
static void draws_are_the_same_on_every_machine(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(2024);
    uint64_t hash = 0;
    for (int is_gamma = 0; is_gamma < 2; is_gamma++) {
        for (int i = 0; i < 10000; i++)
            shape[i] = 0.02 + 0.001 * i;
        if (!is_gamma)
            fg_uniform_fill(&rng, 0, 10000, draws);
        else
            fg_gamma_fill(&rng, 0, 10000, shape, NULL, draws);
        uint64_t bits[2];
        for (int i = 0; i < 10000; i++) {
            memcpy(bits, &draws[i], 8);
            fg_threefry((uint64_t[]){hash, 0}, (uint64_t[]){bits[0], 0}, 20, bits);
            hash = bits[0];
        }
    }
    assert_true(hash == 0x49fe951369cc3f73);
}

/* Whole blocks of ordinary and extreme numbers through the AVX2 passes and the others. */
static void wide_and_plain_passes_agree(void **state)
{
    (void)state;
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2"))
        skip();
    struct fg_rng rng = fg_rng_from_seed(6);
    struct gamma_block a = {.rng = &rng, .shape = shape, .out = draws}, b = a;
    b.out = other;
    for (int round = 0; round < 1000; round++) {
        for (int i = 0; i < BLOCK; i++)
            shape[i] = exp(40 * fg_rng_unit(&rng) - 20);
        shape[round % BLOCK] = round % 2 ? NAN : -1;
        a.first = b.first = fg_rng_next(&rng);
        scramble_plain(rng.key, a.first, 0, a.bits, a.chance);
        scramble_wide(rng.key, b.first, 0, b.bits, b.chance);
        gamma_candidates_plain(&a);
        gamma_candidates_wide(&b);
        assert_memory_equal(a.bits, b.bits, sizeof a.bits);
        assert_memory_equal(a.open, b.open, sizeof a.open);
        assert_memory_equal(a.small, b.small, sizeof a.small);
        for (int i = 0; i < BLOCK; i++) {
            assert_true(draws[i] == other[i] || (isnan(draws[i]) && isnan(other[i])));
            draws[i] = other[i] = -shape[i];
        }
        draws[round % BLOCK] = other[round % BLOCK] = -0.1;
        exp_negative_plain(draws, BLOCK);
        exp_negative_wide(other, BLOCK);
        divide_plain(draws, shape);
        divide_wide(other, shape);
        for (int i = 0; i < BLOCK; i++)
            assert_true(draws[i] == other[i] || (isnan(draws[i]) && isnan(other[i])));
    }
#else
    skip();
#endif
}

/* What the vectors settle, the exact test accepts; and they settle all but a few. */
static void settled_candidates_pass_the_exact_test(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(15);
    struct gamma_block block = {.rng = &rng, .shape = shape, .out = draws};
    int settled = 0, all = 0;
    for (; all < 200 * BLOCK; all += BLOCK) {
        for (int i = 0; i < BLOCK; i++)
            shape[i] = 0.1 + 3 * fg_rng_unit(&rng);
        scramble_best(rng.key, (uint64_t)all, 0, block.bits, block.chance);
        /* small chances are those that decide, so most are made small */
        for (int i = 0; i < BLOCK; i++)
            block.chance[i] >>= i % 8;
        gamma_candidates_best(&block);
        for (int i = 0; i < BLOCK; i++) {
            if (block.open[i / 64] >> i % 64 & 1)
                continue;
            double d = shape[i] + (shape[i] < 1) - 1.0 / 3, x;
            assert_true(fg_normal_try(block.bits[i], &x));
            long double y = x / (3 * sqrtl(d)), w = fg_unit_of(block.chance[i]);
            long double h = 3 * d * (log1pl(y) - y + y * y / 2 - y * y * y / 3);
            assert_true(log1pl(-w) < h);
            assert_near(draws[i], (double)(d * powl(1 + y, 3)), 1e-13 * draws[i]);
            settled++;
        }
    }
    assert_in_range(settled, all * 7 / 10, all);
}

static void vector_exp_is_exp(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(14);
    for (int i = 0; i < BLOCK; i++)
        shape[i] = draws[i] = -800 * fg_rng_unit(&rng) * fg_rng_unit(&rng);
    shape[0] = draws[0] = -INFINITY;
    shape[1] = draws[1] = -0.0;
    shape[2] = draws[2] = -744;
    exp_negative_best(draws, BLOCK);
    for (int i = 0; i < BLOCK; i++)
        assert_true(draws[i] == fg_exp(shape[i]));
}

static void fill_shape(double value)
{
    for (int i = 0; i < N; i++)
        shape[i] = value;
}

static const double shapes[] = {1e-3, 0.1, 0.5, 0.99, 1, 1.01, 1.5, 2, 10, 100, 1e6};

static void gamma_fills_have_the_moments_and_fit(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        struct fg_rng rng = fg_rng_from_seed(100 + s);
        fill_shape(shapes[s]);
        fg_gamma_fill(&rng, 0, N, shape, NULL, draws);
        assert_moments(draws, N, shapes[s], shapes[s], 3 + 6 / shapes[s]);
        for (int i = 0; i < N / 10; i++)
            draws[i] = gamma_cdf(shapes[s], draws[i]);
        if (shapes[s] >= 0.1) /* below, many are 0 */
            assert_fits(fit_uniform(draws, N / 10));
    }
}

/* Each draw through the distribution function of its own shape. */
static void gamma_fills_fit_with_mixed_shapes(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(7);
    fg_uniform_fill(&rng, 0, N, shape);
    for (int i = 0; i < N; i++)
        shape[i] = 0.1 + 49.9 * shape[i] * shape[i];
    fg_gamma_fill(&rng, 0, N, shape, NULL, draws);
    for (int i = 0; i < N / 4; i++)
        draws[i] = gamma_cdf(shape[i], draws[i]);
    assert_fits(fit_uniform(draws, N / 4));
}

/* 1e-3: 47 % are below the smallest double. Logarithms of the others, shifted to 0. */
static void tiny_shapes_underflow_as_often_as_they_should(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(8);
    fill_shape(1e-3);
    fg_gamma_fill(&rng, 0, N, shape, NULL, draws);
    int zeros = 0;
    for (int i = 0; i < N; i++)
        zeros += draws[i] == 0;
    double share = exp(-1.075 * log(2)); /* x^a / Gamma(a + 1) at x = 2^-1075 */
    share /= tgamma(1.001);
    assert_near(zeros, N * share, 4.5 * sqrt(N * share * (1 - share)));
}

static void rates_divide(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(9);
    for (int i = 0; i < 1000; i++) {
        shape[i] = 0.1 + 0.01 * i;
        rate[i] = 1.0 / (1 + i);
    }
    fg_gamma_fill(&rng, 5, 1000, shape, NULL, draws);
    fg_gamma_fill(&rng, 5, 1000, shape, rate, other);
    for (int i = 0; i < 1000; i++)
        assert_true(other[i] == draws[i] / rate[i]);
}

static void nonsense_parameters_give_nan_to_their_own_place(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(10);
    const double bad[] = {0, -0.5, -1, -1e300, NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 1000; i++)
        shape[i] = rate[i] = 1.5;
    for (int i = 0; i < 7; i++) {
        shape[100 * i] = bad[i];
        rate[100 * i + 50] = bad[i];
    }
    fg_gamma_fill(&rng, 0, 1000, shape, rate, draws);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(isnan(draws[i]), i % 50 == 0 && i < 700);
}

static void extreme_shapes_stay_finite(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(11);
    const double extremes[] = {0x1p-1074, 1e-300, 1e-10, 1e15, 1e100, 1e300};
    for (int e = 0; e < 6; e++) {
        fill_shape(extremes[e]);
        fg_gamma_fill(&rng, 0, 10000, shape, NULL, draws);
        for (int i = 0; i < 10000; i++)
            assert_true(draws[i] >= 0 && draws[i] < 1.01 * extremes[e] + 1000);
    }
}

static void float_fills_are_the_rounded_doubles(void **state)
{
    (void)state;
    enum { FLOATS = 1000 };
    static float shape_f[FLOATS], rate_f[FLOATS], out[FLOATS];
    struct fg_rng rng = fg_rng_from_seed(12);
    for (int i = 0; i < FLOATS; i++) {
        shape[i] = (double)(shape_f[i] = 0.03f * (float)(i + 1));
        rate[i] = (double)(rate_f[i] = 0.5f + (float)i);
    }
    fg_gamma_fill(&rng, 3, FLOATS, shape, rate, draws);
    fg_gamma_fill_f32(&rng, 3, FLOATS, shape_f, rate_f, out);
    for (int i = 0; i < FLOATS; i++)
        assert_true(out[i] == (float)draws[i]);
    fg_gamma_fill(&rng, 3, FLOATS, shape, NULL, draws);
    fg_gamma_fill_f32(&rng, 3, FLOATS, shape_f, NULL, out);
    for (int i = 0; i < FLOATS; i++)
        assert_true(out[i] == (float)draws[i]);
}

/* Neighbouring places, and two distributions at the same place. Gamma of shape 1 has
 * mean 1 and variance 1. */
static void places_do_not_follow_each_other(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(13);
    double lagged = 0, crossed = 0, half = 0;
    fg_uniform_fill(&rng, 0, N, draws);
    fill_shape(1);
    fg_gamma_fill(&rng, 0, N, shape, NULL, other);
    for (int i = 0; i + 512 < N; i++) {
        lagged += (draws[i] - 0.5) * (draws[i + 1] - 0.5);
        half += (draws[i] - 0.5) * (draws[i + 256] - 0.5);
        crossed += (draws[i] - 0.5) * (other[i] - 1);
    }
    assert_near(lagged / N, 0, 4.5 * sqrt(1.0 / 144 / N));
    assert_near(half / N, 0, 4.5 * sqrt(1.0 / 144 / N));
    assert_near(crossed / N, 0, 4.5 * sqrt(1.0 / 12 / N));
}

FG_TESTS(uniform_fills_have_the_moments_and_fit, fills_do_not_depend_on_blocks,
         fills_neither_move_nor_follow_the_stream,
         a_draw_depends_on_its_own_parameters_only, draws_are_the_same_on_every_machine,
         wide_and_plain_passes_agree, settled_candidates_pass_the_exact_test,
         vector_exp_is_exp, gamma_fills_have_the_moments_and_fit,
         gamma_fills_fit_with_mixed_shapes, tiny_shapes_underflow_as_often_as_they_should,
         rates_divide, nonsense_parameters_give_nan_to_their_own_place,
         extreme_shapes_stay_finite, float_fills_are_the_rounded_doubles,
         places_do_not_follow_each_other)
