/* Regression against exact solutions. The fractions come from a script that solves the
 * normal equations in rational numbers (Python's fractions.Fraction, Gauss-Jordan):
 *
 *     X = [[1,2,0],[2,1,1],[3,5,2],[4,3,7],[5,8,1],[6,6,3]]; y = [3,1,4,1,5,9]
 *     X = [[Fraction(v) for v in r] + [Fraction(1)] for r in X]
 *     A = [[sum(r[i]*r[j] for r in X) for j in range(4)] for i in range(4)]
 *     b = [sum(r[i]*t for r, t in zip(X, y)) for i in range(4)]
 *     print(solve(A, b))                # then once more without the first example */
#include "base/rng.h"
#include "learn/least_squares.h"
#include "test.h"

static const double table[6][3] = {{1, 2, 0}, {2, 1, 1}, {3, 5, 2},
                                   {4, 3, 7}, {5, 8, 1}, {6, 6, 3}};
static const double answer[6] = {3, 1, 4, 1, 5, 9};

static void assert_weights(const struct fg_least_squares *sums, const double *expected)
{
    double weights[FG_LEAST_SQUARES_MAX + 1];
    fg_least_squares_solve(sums, weights);
    for (size_t i = 0; i <= sums->features; i++)
        assert_near(weights[i], expected[i], 1e-6);
}

static void weights_are_those_of_exact_arithmetic(void **state)
{
    (void)state;
    struct fg_least_squares sums = {.features = 3};
    for (size_t i = 0; i < 6; i++)
        fg_least_squares_add(&sums, table[i], answer[i]);
    assert_weights(
        &sums, (double[]){11976.0 / 7141, -979.0 / 7141, -5124.0 / 7141, 1493.0 / 7141});
}

static void an_example_that_left_counts_no_more(void **state)
{
    (void)state;
    struct fg_least_squares sums = {.features = 3};
    for (size_t i = 0; i < 6; i++)
        fg_least_squares_add(&sums, table[i], answer[i]);
    fg_least_squares_remove(&sums, table[0], answer[0]);
    assert_weights(&sums,
                   (double[]){24.0 / 11, -149.0 / 671, -432.0 / 671, -1277.0 / 671});
}

/* y = 1 + 2 x on three points, by hand. */
static void a_line_is_found(void **state)
{
    (void)state;
    struct fg_least_squares sums = {.features = 1};
    for (double x = 0; x < 3; x++)
        fg_least_squares_add(&sums, &x, 1 + 2 * x);
    assert_weights(&sums, (double[]){2, 1});
}

/* Columns that are one and the same share the weight: of all (a, b) with a + b = 2 the
 * least is (1, 1). */
static void equal_features_share_the_weight(void **state)
{
    (void)state;
    struct fg_least_squares sums = {.features = 2};
    for (double x = 0; x < 4; x++)
        fg_least_squares_add(&sums, (double[]){x, x}, 5 + 2 * x);
    assert_weights(&sums, (double[]){1, 1, 5});
}

/* A one-hot code of three values seen equally often: the columns add up to 1, so any
 * constant may move between them and the intercept. The least weights are the means of
 * the groups about the grand mean: 3, 6 and 12 about 7. */
static void a_one_hot_block_gives_the_means_of_its_groups(void **state)
{
    (void)state;
    struct fg_least_squares sums = {.features = 3};
    const double group[3] = {3, 6, 12};
    for (size_t i = 0; i < 9; i++) {
        double x[3] = {0};
        x[i % 3] = 1;
        fg_least_squares_add(&sums, x, group[i % 3] + (i < 3 ? -1 : i < 6 ? 0 : 1));
    }
    assert_weights(&sums, (double[]){-4, -1, 5, 7});
}

static void a_feature_that_never_varies_is_left_out(void **state)
{
    (void)state;
    struct fg_least_squares sums = {.features = 3};
    for (double x = 0; x < 3; x++)
        fg_least_squares_add(&sums, (double[]){x, 0.1, 0}, 1 + 2 * x);
    assert_weights(&sums, (double[]){2, 0, 0, 1});
}

static void without_examples_everything_is_zero(void **state)
{
    (void)state;
    struct fg_least_squares sums = {.features = 2};
    assert_weights(&sums, (double[]){0, 0, 0});
    fg_least_squares_add(&sums, (double[]){1, 2}, 7);
    assert_weights(&sums, (double[]){0, 0, 7});
    fg_least_squares_reset(&sums);
    assert_weights(&sums, (double[]){0, 0, 0});
}

/* A window of 50 that moves over 5000 examples is as good as its last 50 summed afresh,
 * with magnitudes as a crawl has them: averages of hundreds, products of ten thousands.
 */
static void a_moving_window_stays_exact(void **state)
{
    (void)state;
    enum { N = 5000, WINDOW = 50, P = 4 };
    static double x[N][P], y[N];
    struct fg_rng rng = fg_rng_from_seed(1);
    struct fg_least_squares moving = {.features = P}, fresh = {.features = P};
    for (size_t i = 0; i < N; i++) {
        x[i][0] = (float)(300 * fg_rng_unit(&rng));
        x[i][1] = (float)(100 * fg_rng_unit(&rng));
        x[i][2] = (double)fg_rng_below(&rng, 100);
        x[i][3] = (float)(x[i][0] * x[i][2]);
        y[i] = (double)fg_rng_below(&rng, 400);
        fg_least_squares_add(&moving, x[i], y[i]);
        if (i >= WINDOW)
            fg_least_squares_remove(&moving, x[i - WINDOW], y[i - WINDOW]);
    }
    for (size_t i = N - WINDOW; i < N; i++)
        fg_least_squares_add(&fresh, x[i], y[i]);
    double a[P + 1], b[P + 1];
    fg_least_squares_solve(&moving, a);
    fg_least_squares_solve(&fresh, b);
    for (size_t i = 0; i <= P; i++)
        assert_near(a[i], b[i], 1e-8 * (1 + fabs(b[i])));
}

FG_TESTS(weights_are_those_of_exact_arithmetic, an_example_that_left_counts_no_more,
         a_line_is_found, equal_features_share_the_weight,
         a_one_hot_block_gives_the_means_of_its_groups,
         a_feature_that_never_varies_is_left_out, without_examples_everything_is_zero,
         a_moving_window_stays_exact)
