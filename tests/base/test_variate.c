#include "base/variate.h"

#include "base/elementary.h"
#include "base/ziggurat.h"
#include "fit.h"

enum { MANY = 200000, FEW = 20000 };
static double draws[MANY], at[MANY];

/* A unit in the last place is between 2^-53 and 2^-52 of the value. */
static void assert_last_places(double actual, long double exact)
{
    assert_near(actual, (double)exact, 2 * 0x1p-52 * (double)fabsl(exact));
}

static void exp_and_log_stay_within_two_units(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(1);
    for (int i = 0; i < 100000; i++) {
        double x = (fg_rng_unit(&rng) - 0.5) * 1400, y = fg_rng_open(&rng);
        assert_last_places(fg_exp(x), expl(x));
        assert_last_places(fg_log(fg_exp(x)), logl(fg_exp(x)));
        assert_last_places(fg_log(y), logl(y));
        assert_last_places(fg_log1p(-y), log1pl(-y));
        assert_last_places(fg_log1p(y * 1e-9), log1pl(y * 1e-9));
    }
}

static void exp_and_log_know_their_ends(void **state)
{
    (void)state;
    assert_true(fg_exp(0) == 1 && fg_exp(-INFINITY) == 0 && fg_exp(INFINITY) == INFINITY);
    assert_true(fg_exp(709.782712893384) < INFINITY && fg_exp(709.783) == INFINITY);
    assert_true(fg_exp(-745.13) == 0x1p-1074 && fg_exp(-745.2) == 0);
    assert_true(isnan(fg_exp(NAN)) && isnan(fg_log(NAN)) && isnan(fg_log(-1)));
    assert_true(fg_log(1) == 0 && fg_log(0) == -INFINITY && fg_log(INFINITY) == INFINITY);
    assert_near(fg_log(0x1p-1074), -744.4400719213812, 2e-13);
    assert_true(fg_log1p(1e-300) == 1e-300 && fg_log1p(0) == 0);
}

static void ziggurat_layers_have_equal_areas(void **state)
{
    (void)state;
    const double *edge[] = {fg_normal_edge, fg_exponential_edge};
    const double *height[] = {fg_normal_height, fg_exponential_height};
    double r = fg_normal_edge[1], s = fg_exponential_edge[1];
    double area[] = {r * exp(-r * r / 2) + sqrt(acos(-1) / 2) * erfc(r / sqrt(2)),
                     s * exp(-s) + exp(-s)};
    for (int which = 0; which < 2; which++) {
        assert_near(edge[which][0] * height[which][1], area[which], 1e-15);
        for (int i = 1; i < 256; i++)
            assert_near(edge[which][i] * (height[which][i + 1] - height[which][i]),
                        area[which], 2e-14);
        assert_true(edge[which][256] == 0 && height[which][256] == 1);
    }
    for (int i = 1; i <= 256; i++) {
        double x = fg_normal_edge[i], y = fg_exponential_edge[i];
        assert_near(fg_normal_height[i], exp(-x * x / 2), 1e-16);
        assert_near(fg_exponential_height[i], exp(-y), 1e-16);
    }
}

static void normals_are_normal(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(2);
    for (int i = 0; i < MANY; i++)
        at[i] = normal_cdf(draws[i] = fg_rng_normal(&rng));
    assert_moments(draws, MANY, 0, 1, 3);
    assert_fits(fit_uniform(at, MANY));
}

/* One draw in 3900 lies beyond the last layer: 4 million draws leave 1000 to look at. */
static void tails_have_their_share_and_their_form(void **state)
{
    (void)state;
    enum { N = 4000000 };
    struct fg_rng rng = fg_rng_from_seed(3);
    double r = fg_normal_edge[1], share = erfc(r / sqrt(2)), left = 0;
    size_t beyond = 0, beyond_exponential = 0;
    for (int i = 0; i < N; i++) {
        double x = fg_rng_normal(&rng), y = fg_rng_exponential(&rng);
        if (fabs(x) > r) {
            left += x < 0;
            at[beyond++] = 1 - erfc(fabs(x) / sqrt(2)) / share;
        }
        if (y > fg_exponential_edge[1])
            draws[beyond_exponential++] = 1 - exp(fg_exponential_edge[1] - y);
    }
    double expected = N * share, other = N * exp(-fg_exponential_edge[1]);
    assert_near((double)beyond, expected, 4.5 * sqrt(expected));
    assert_near(left, (double)beyond / 2, 4.5 * sqrt((double)beyond) / 2);
    assert_fits(fit_uniform(at, beyond));
    assert_near((double)beyond_exponential, other, 4.5 * sqrt(other));
    assert_fits(fit_uniform(draws, beyond_exponential));
}

static void exponentials_are_exponential(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(4);
    for (int i = 0; i < MANY; i++)
        at[i] = -expm1(-(draws[i] = fg_rng_exponential(&rng)));
    assert_moments(draws, MANY, 1, 1, 9);
    assert_fits(fit_uniform(at, MANY));
}

static const double shapes[] = {1e-3, 0.01, 0.1, 0.5, 0.99, 1,
                                1.01, 1.5,  2,   10,  100,  1e6};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void gammas_have_the_moments_of_every_shape(void **state)
{
    (void)state;
    for (int s = 0; s < SHAPES; s++) {
        struct fg_rng rng = fg_rng_from_seed(100 + (uint64_t)s);
        for (int i = 0; i < MANY; i++)
            draws[i] = fg_rng_gamma(&rng, shapes[s]);
        assert_moments(draws, MANY, shapes[s], shapes[s], 3 + 6 / shapes[s]);
    }
}

/* The distribution function below the smallest double is x^a / Gamma(a + 1). */
static double log_gamma_cdf(double shape, double log_x)
{
    return log_x < -600 ? exp(shape * log_x - lgamma(shape + 1))
                        : gamma_cdf(shape, exp(log_x));
}

static void gammas_fit_at_every_shape(void **state)
{
    (void)state;
    for (int s = 0; s < SHAPES; s++) {
        struct fg_rng rng = fg_rng_from_seed(200 + (uint64_t)s);
        for (int i = 0; i < FEW; i++) {
            at[i] = log_gamma_cdf(shapes[s], fg_rng_log_gamma(&rng, shapes[s]));
            draws[i] = gamma_cdf(shapes[s], fg_rng_gamma(&rng, shapes[s]));
        }
        assert_fits(fit_uniform(at, FEW));
        if (shapes[s] >= 0.1) /* below, many are 0 */
            assert_fits(fit_uniform(draws, FEW));
    }
}

static void tiny_gammas_underflow_as_often_as_they_should(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(5);
    int zeros = 0;
    for (int i = 0; i < FEW; i++) {
        zeros += fg_rng_gamma(&rng, 1e-3) == 0;
        assert_true(isfinite(fg_rng_log_gamma(&rng, 1e-3)));
    }
    /* the smallest that does not round to 0 is half the smallest double */
    double share = log_gamma_cdf(1e-3, -1075 * log(2));
    assert_near(zeros, FEW * share, 4.5 * sqrt(FEW * share * (1 - share)));
}

static void betas_have_the_moments_and_fit(void **state)
{
    (void)state;
    static const double grid[][2] = {
        {1e-3, 1e-3}, {1e-3, 1},  {0.1, 0.1}, {0.1, 3},   {0.5, 0.5}, {1, 1},     {1, 2},
        {2, 1},       {1.5, 0.7}, {3, 5},     {100, 0.2}, {1e3, 1e3}, {1e6, 2e6},
    };
    for (size_t g = 0; g < sizeof grid / sizeof *grid; g++) {
        double a = grid[g][0], b = grid[g][1], sum = a + b;
        double variance = a * b / (sum * sum * (sum + 1));
        double excess = 6 * ((a - b) * (a - b) * (sum + 1) - a * b * (sum + 2)) /
                        (a * b * (sum + 2) * (sum + 3));
        struct fg_rng rng = fg_rng_from_seed(300 + g);
        for (int i = 0; i < MANY; i++) {
            draws[i] = fg_rng_beta(&rng, a, b);
            assert_true(draws[i] >= 0 && draws[i] <= 1);
        }
        assert_moments(draws, MANY, a / sum, variance, 3 + excess);
        if (a < 0.1 || b < 0.1) /* most are 0 or 1: the moments must do */
            continue;
        for (int i = 0; i < FEW; i++)
            at[i] = beta_cdf(a, b, draws[i]);
        assert_fits(fit_uniform(at, FEW));
    }
}

/* Both shapes 1e-3: the chance of a draw below x is nearly x^a / 2 for any x below 1/2.
 */
static void tiny_betas_keep_their_small_values(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(6);
    double below = 0, share = exp(1e-3 * -200 * log(10)) / 2;
    for (int i = 0; i < MANY; i++) {
        double x = fg_rng_beta(&rng, 1e-3, 1e-3);
        below += x < 1e-200;
    }
    assert_near(below, MANY * share, 4.5 * sqrt(MANY * share * (1 - share)));
}

/* What is drawn is counted from `low` on; chances come from log k! of the C library. */
enum { CELLS = 20000 };
static double seen[CELLS], expected[CELLS];

static void assert_counts_fit(const double *counts, size_t n, double low,
                              double (*log_chance)(double k, const double *p),
                              const double *p)
{
    double inside = 0;
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < n; i++) {
        double cell = counts[i] - low;
        cell = cell < 0 ? 0 : cell > CELLS - 1 ? CELLS - 1 : cell;
        seen[(size_t)cell]++;
    }
    for (int i = 0; i < CELLS; i++) {
        double k = low + i;
        expected[i] = k < 0 ? 0 : (double)n * exp(log_chance(k, p));
        inside += expected[i];
    }
    assert_near(inside, (double)n, 1e-6 * (double)n);
    assert_fits(fit_counts(seen, expected, CELLS));
}

static double poisson_log_chance(double k, const double *p)
{
    return (double)(k * logl(*p) - *p - lgammal((long double)k + 1));
}

static void poissons_have_the_moments_and_fit(void **state)
{
    (void)state;
    static const double means[] = {1e-6, 0.01, 0.5, 1,   3,   9.9, 10,
                                   11,   30,   100, 1e3, 1e4, 1e6};
    for (size_t m = 0; m < sizeof means / sizeof *means; m++) {
        struct fg_rng rng = fg_rng_from_seed(400 + m);
        double mean = means[m];
        for (int i = 0; i < MANY; i++)
            draws[i] = (double)fg_rng_poisson(&rng, mean);
        assert_moments(draws, MANY, mean, mean, 3 + 1 / mean);
        double low = floor(mean - CELLS / 2);
        assert_counts_fit(draws, MANY, low < 0 ? 0 : low, poisson_log_chance, &mean);
    }
}

/* Where counts are too many for cells: the distribution function is 1 - P(k + 1, mean),
 * and at these means it is as smooth as that of a normal variate. */
static void huge_poissons_have_the_moments_and_fit(void **state)
{
    (void)state;
    static const double means[] = {1e8, 1e9, 1e12, 1e15, 1e18};
    struct fg_rng rng = fg_rng_from_seed(7);
    for (size_t m = 0; m < sizeof means / sizeof *means; m++) {
        double mean = means[m], root = sqrt(mean);
        for (int i = 0; i < MANY; i++) {
            uint64_t k = fg_rng_poisson(&rng, mean);
            double off = k > (uint64_t)mean ? (double)(k - (uint64_t)mean)
                                            : -(double)((uint64_t)mean - k);
            draws[i] = off / root;
            /* the first term of Edgeworth's series: the skewness is 1 / root */
            double z = (off + 0.5) / root;
            at[i] = normal_cdf(z) -
                    (z * z - 1) * exp(-z * z / 2) / (6 * root * sqrt(2 * acos(-1)));
        }
        assert_moments(draws, MANY, 0, 1, 3 + 1 / mean);
        assert_fits(fit_uniform(at, MANY));
    }
}

static double binomial_log_chance(double k, const double *p)
{
    long double n = p[0], rest = n - k;
    if (rest < 0)
        return -INFINITY;
    if (n > 1e12L) /* n! / (n - k)! is n^k exp(-k (k - 1) / 2n) here, to 1e-15 */
        return (double)(k * logl(n * p[1]) - k * (k - 1) / (2 * n) -
                        lgammal((long double)k + 1) + rest * log1pl(-(long double)p[1]));
    return (double)(lgammal(n + 1) - lgammal((long double)k + 1) - lgammal(rest + 1) +
                    k * logl(p[1]) + rest * log1pl(-(long double)p[1]));
}

static void binomials_have_the_moments_and_fit(void **state)
{
    (void)state;
    static const double grid[][2] = {
        {1, 0.5},      {1, 1e-9},       {5, 0.3},        {10, 0.999},     {20, 0.5},
        {21, 0.5},     {33, 0.3},       {100, 0.0999},   {100, 0.1},      {100, 0.9},
        {100, 0.9001}, {1000, 1e-6},    {1000, 0.02},    {1000, 0.5},     {1e6, 1e-6},
        {1e6, 5e-5},   {1e6, 0.3},      {1e6, 0.5},      {1e6, 1 - 1e-6}, {1e9, 1e-8},
        {1e9, 3e-7},   {0x1p53, 1e-15}, {0x1p53, 1e-13},
    };
    for (size_t g = 0; g < sizeof grid / sizeof *grid; g++) {
        double n = grid[g][0], p = grid[g][1], mean = n * p, variance = mean * (1 - p);
        struct fg_rng rng = fg_rng_from_seed(500 + g);
        for (int i = 0; i < MANY; i++) {
            draws[i] = (double)fg_rng_binomial(&rng, (uint64_t)n, p);
            assert_true(draws[i] <= n);
        }
        assert_moments(draws, MANY, mean, variance, 3 + (1 - 6 * p * (1 - p)) / variance);
        double low = floor(mean - CELLS / 2);
        assert_counts_fit(draws, MANY, low < 0 ? 0 : low, binomial_log_chance, grid[g]);
    }
}

static void huge_binomials_look_normal(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(8);
    const double ps[] = {0.5, 1e-3, 0.999};
    for (int j = 0; j < 3; j++) {
        double n = 0x1p53, root = sqrt(n * ps[j] * (1 - ps[j]));
        for (int i = 0; i < MANY; i++) {
            draws[i] =
                ((double)fg_rng_binomial(&rng, (uint64_t)n, ps[j]) - n * ps[j]) / root;
            at[i] = normal_cdf(draws[i]);
        }
        assert_moments(draws, MANY, 0, 1, 3);
        assert_fits(fit_uniform(at, MANY));
    }
}

static void certain_counts_are_certain(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(9);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(fg_rng_poisson(&rng, 0), 0);
        assert_int_equal(fg_rng_binomial(&rng, 0, 0.5), 0);
        assert_int_equal(fg_rng_binomial(&rng, 1000, 0), 0);
        assert_int_equal(fg_rng_binomial(&rng, 1000, 1), 1000);
        assert_int_equal(fg_rng_geometric(&rng, 1), 0);
    }
}

static double geometric_log_chance(double k, const double *p)
{
    return log(p[0]) + k * log1p(-p[0]);
}

static void geometrics_have_the_moments_and_fit(void **state)
{
    (void)state;
    static const double chances[] = {0.999, 0.5, 0.1, 0.01};
    for (int c = 0; c < 4; c++) {
        struct fg_rng rng = fg_rng_from_seed(600 + (uint64_t)c);
        double p = chances[c], q = 1 - p;
        for (int i = 0; i < MANY; i++)
            draws[i] = (double)fg_rng_geometric(&rng, p);
        assert_moments(draws, MANY, q / p, q / (p * p), 9 + p * p / q);
        assert_counts_fit(draws, MANY, 0, geometric_log_chance, &p);
    }
    struct fg_rng rng = fg_rng_from_seed(10);
    assert_true(fg_rng_geometric(&rng, 1e-300) == UINT64_MAX);
}

FG_TESTS(exp_and_log_stay_within_two_units, exp_and_log_know_their_ends,
         ziggurat_layers_have_equal_areas, normals_are_normal,
         tails_have_their_share_and_their_form, exponentials_are_exponential,
         gammas_have_the_moments_of_every_shape, gammas_fit_at_every_shape,
         tiny_gammas_underflow_as_often_as_they_should, betas_have_the_moments_and_fit,
         tiny_betas_keep_their_small_values, poissons_have_the_moments_and_fit,
         huge_poissons_have_the_moments_and_fit, binomials_have_the_moments_and_fit,
         huge_binomials_look_normal, certain_counts_are_certain,
         geometrics_have_the_moments_and_fit)
