/* Transformed rejection is right if the hat covers the distribution everywhere and if
 * what its flat top takes without a test would pass it. Both are inequalities: they are
 * checked over the whole range of the transform, since a draw would show a small breach
 * only after a thousand million others. */
#include "base/counts.c"

#include "test.h"

/* k! by logarithms in long double, for the probabilities themselves. */
static double exact_poisson(double k, double mean)
{
    return (double)(k * logl(mean) - mean - lgammal((long double)k + 1));
}

static double exact_binomial(double k, double n, double p)
{
    long double N = n, K = k;
    return (double)(lgammal(N + 1) - lgammal(K + 1) - lgammal(N - K + 1) + K * logl(p) +
                    (N - K) * log1pl(-(long double)p));
}

static void log_chances_are_exact(void **state)
{
    (void)state;
    for (double mean = 0.1; mean < 1e5; mean *= 1.7)
        for (double z = -8; z <= 8; z += 0.25) {
            double k = floor(mean + z * sqrt(mean));
            if (k >= 0)
                assert_near(poisson_log_chance(k, mean), exact_poisson(k, mean), 2e-13);
        }
    static const double ps[] = {1e-4, 0.01, 0.2, 0.5};
    for (double n = 1; n < 1e5; n = floor(n * 1.7) + 1)
        for (int i = 0; i < 4; i++)
            for (double z = -8; z <= 8; z += 0.25) {
                double k = floor(n * ps[i] + z * sqrt(n * ps[i]));
                if (k >= 0 && k <= n)
                    assert_near(binomial_log_chance(k, n, ps[i]),
                                exact_binomial(k, n, ps[i]), 2e-13);
            }
}

/* At means where differences of log-factorials have no digits left: twice the chance of k
 * from its neighbour's, p(k + 1) / p(k) = mean / (k + 1). */
static void log_chances_stay_exact_at_huge_means(void **state)
{
    (void)state;
    for (double mean = 1e8; mean <= 1e15; mean *= 10)
        for (double z = -5; z <= 5; z += 0.5) {
            double k = floor(mean + z * sqrt(mean));
            double step = poisson_log_chance(k + 1, mean) - poisson_log_chance(k, mean);
            assert_near(step, log1p((mean - k - 1) / (k + 1)), 1e-13);
            assert_near(poisson_log_chance(floor(mean), mean),
                        -0.5 * log(2 * acos(-1) * mean), 1e-8);
        }
}

/* How far v may go, where u leads: never above 1, or the hat does not cover; nowhere
 * below the flat top on the flat part, or that takes too much. */
struct limit {
    double most, least_on_top;
};

static void note(struct limit *limit, double us, double value)
{
    limit->most = fmax(limit->most, value);
    if (us >= 0.07)
        limit->least_on_top = fmin(limit->least_on_top, value);
}

static void poisson_hats_cover_and_their_tops_are_safe(void **state)
{
    (void)state;
    for (double mean = 10; mean < 1e6; mean *= 1.07) {
        struct limit limit = {0, 1};
        struct hat hat = poisson_hat(mean);
        for (double u = -0.49999; u < 0.5; u += 0.0001) {
            double us = 0.5 - fabs(u), k = candidate(&hat, u, us);
            if (k < 0)
                continue;
            double value = exp(exact_poisson(k, mean)) / height(&hat, us);
            note(&limit, us, value);
            if (us < 0.013) /* the other squeeze refuses v above us */
                assert_true(value <= us);
        }
        assert_true(limit.most <= 1);
        assert_true(limit.least_on_top >= hat.top);
    }
}

static void binomial_hats_cover_and_their_tops_are_safe(void **state)
{
    (void)state;
    static const double ps[] = {1e-4, 0.01, 0.1, 0.3, 0.5};
    for (int i = 0; i < 5; i++)
        for (double n = ceil(10 / ps[i]); n < 1e7; n = floor(n * 1.4) + 1) {
            struct limit limit = {0, 1};
            struct hat hat = binomial_hat(n, ps[i]);
            double likeliest = exact_binomial(floor((n + 1) * ps[i]), n, ps[i]);
            for (double u = -0.49999; u < 0.5; u += 0.0002) {
                double us = 0.5 - fabs(u), k = candidate(&hat, u, us);
                if (k >= 0 && k <= n)
                    note(&limit, us,
                         exp(exact_binomial(k, n, ps[i]) - likeliest) / height(&hat, us));
            }
            assert_true(limit.most <= 1);
            assert_true(limit.least_on_top >= hat.top);
        }
}

FG_TESTS(log_chances_are_exact, log_chances_stay_exact_at_huge_means,
         poisson_hats_cover_and_their_tops_are_safe,
         binomial_hats_cover_and_their_tops_are_safe)
