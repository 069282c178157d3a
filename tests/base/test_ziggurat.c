/* The branches that only one draw in a hundred takes. What goes wrong there hides among
 * the other ninety-nine from any test of the whole distribution, so each is entered on
 * purpose and looked at alone. */
#include "base/ziggurat.h"

#include "base/gamma.h"
#include "base/variate.h"
#include "fit.h"

enum { N = 100000 };
static double at[N];

static const struct {
    const double *edge, *height;
    bool (*try)(uint64_t bits, double *x);
    double (*finish)(struct fg_rng *rng, uint64_t bits);
} kinds[] = {
    {fg_normal_edge, fg_normal_height, fg_normal_try, fg_normal_finish},
    {fg_exponential_edge, fg_exponential_height, fg_exponential_try,
     fg_exponential_finish},
};

/* The bits that mean that layer, and that part of its width. */
static uint64_t bits_for(unsigned layer, double part)
{
    return (uint64_t)(part * 0x1p52) << 12 | layer;
}

/* A candidate in the wedge of its layer is kept with the chance that the curve stands
 * above a random height in the layer. Kept means that finish returns that very number. */
static void wedges_keep_what_lies_under_the_curve(void **state)
{
    (void)state;
    enum { TRIES = 20000 };
    struct fg_rng rng = fg_rng_from_seed(1);
    for (int k = 0; k < 2; k++)
        for (unsigned layer = 1; layer < 256; layer += 18) {
            const double *edge = kinds[k].edge, *height = kinds[k].height;
            double part = (1 + edge[layer + 1] / edge[layer]) / 2, x;
            uint64_t bits = bits_for(layer, part);
            assert_false(kinds[k].try(bits, &x));
            double curve = k ? exp(-x) : exp(-x * x / 2), kept = 0;
            double chance = (curve - height[layer]) / (height[layer + 1] - height[layer]);
            for (int i = 0; i < TRIES; i++)
                kept += kinds[k].finish(&rng, bits) == x;
            assert_in_range((int)(chance * 100), 1, 99);
            assert_near(kept / TRIES, chance, 4.5 * sqrt(chance * (1 - chance) / TRIES));
        }
}

static void the_bottom_layer_gives_the_tail(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(2);
    const uint64_t outside = bits_for(0, 0.99), left = outside | 256;
    double r = fg_normal_edge[1], share = erfc(r / sqrt(2)), s = fg_exponential_edge[1];
    for (int i = 0; i < N; i++) {
        double x = fg_normal_finish(&rng, i % 2 ? left : outside);
        assert_true(i % 2 ? x < -r : x > r);
        at[i] = 1 - erfc(fabs(x) / sqrt(2)) / share;
    }
    assert_fits(fit_uniform(at, N));
    for (int i = 0; i < N; i++)
        at[i] = -expm1(s - fg_exponential_finish(&rng, outside));
    assert_fits(fit_uniform(at, N));
}

/* What a rejected candidate is replaced by is again a variate of the whole distribution.
 */
static void rejected_candidates_start_over(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(3);
    uint64_t bits = bits_for(128, 0.999999);
    double x;
    assert_false(fg_normal_try(bits, &x));
    for (int i = 0; i < N;) {
        double y = fg_normal_finish(&rng, bits);
        if (y != x)
            at[i++] = normal_cdf(y);
    }
    assert_fits(fit_uniform(at, N));
}

static long double gamma_bound(long double d, long double y)
{
    return 3 * d * (log1pl(y) - y + y * y / 2 - y * y * y / 3);
}

/* Just below and just above the border, over all shapes and sizes: where a squeeze that
 * is too kind would err first. */
static void the_gamma_test_has_its_border_in_the_right_place(void **state)
{
    (void)state;
    for (double d = 2.0 / 3; d < 1e5; d *= 1.3)
        for (double x = -8; x <= 8; x += 0.01) {
            double y = x / (3 * sqrt(d));
            if (y <= -1)
                continue;
            double border = (double)-expm1l(gamma_bound(d, y));
            if (border < 1e-6)
                continue;
            assert_false(fg_gamma_accepts(d, y, border * (1 - 1e-4)));
            if (border * (1 + 1e-4) < 1)
                assert_true(fg_gamma_accepts(d, y, border * (1 + 1e-4)));
        }
}

/* Against the inequality itself in long double, wherever it is not a matter of rounding.
 */
static void the_gamma_test_is_exact(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(4);
    int accepted = 0, decided = 0;
    for (int i = 0; i < 1000000; i++) {
        double d = 2.0 / 3 + exp(12 * fg_rng_unit(&rng) - 4);
        double y = fg_rng_normal(&rng) * 2 / (3 * sqrt(d));
        /* small w are those that decide */
        double w = fg_rng_unit(&rng) * (i % 2 ? 1 : fmin(1, 1.5 * d * y * y * y * y));
        if (y <= -1) {
            assert_false(fg_gamma_accepts(d, y, w));
            continue;
        }
        long double gap = gamma_bound(d, y) - log1pl(-(long double)w);
        if (fabsl(gap) < 1e-9L)
            continue;
        assert_int_equal(fg_gamma_accepts(d, y, w), gap > 0);
        accepted += gap > 0;
        decided++;
    }
    assert_in_range(accepted, decided / 3, decided * 9 / 10);
}

FG_TESTS(wedges_keep_what_lies_under_the_curve, the_bottom_layer_gives_the_tail,
         rejected_candidates_start_over, the_gamma_test_has_its_border_in_the_right_place,
         the_gamma_test_is_exact)
