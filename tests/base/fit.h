/* fit.h - do these numbers come from that distribution?
 *
 * The distribution functions are written here anew, from their definitions, in long
 * double and with the C library's functions: nothing is shared with the samplers under
 * test. A test with a fixed seed either always passes or never; p-values are asked to be
 * above 1e-4, and a wrong sampler gives 1e-20. */
#ifndef FG_TESTS_FIT_H
#define FG_TESTS_FIT_H

#include "test.h"

#define FIT_P_MIN 1e-4

/* The part of a gamma distribution of shape a below x: by its series, or by Lentz's
 * continued fraction for the part above. */
static inline double gamma_cdf(double a, double x)
{
    if (!(x > 0))
        return 0;
    long double front = expl((long double)a * logl(x) - x - lgammal(a));
    if (x < a + 1) {
        long double term = 1 / (long double)a, sum = term;
        for (long double n = a + 1; term > sum * 1e-18L; n++)
            sum += term *= x / n;
        return (double)(front * sum);
    }
    long double b = x + 1 - (long double)a, c = 1e300L, d = 1 / b, h = d, step = 0;
    for (int i = 1; i < 1000000 && fabsl(step - 1) > 1e-17L; i++) {
        long double an = -i * (i - (long double)a);
        b += 2;
        d = 1 / (an * d + b);
        c = b + an / c;
        step = c * d;
        h *= step;
    }
    return (double)(1 - front * h);
}

/* The part of a beta distribution below x: the continued fraction of its definition, from
 * the side on which it converges fast. */
static inline double beta_cdf(double a, double b, double x)
{
    if (!(x > 0))
        return 0;
    if (x >= 1)
        return 1;
    if (x > (a + 1) / (a + b + 2))
        return 1 - beta_cdf(b, a, 1 - x);
    long double A = a, B = b, X = x;
    long double front =
        expl(A * logl(X) + B * log1pl(-X) - lgammal(A) - lgammal(B) + lgammal(A + B)) / A;
    long double c = 1, d = 1 / (1 - (A + B) * X / (A + 1)), h = d, step = 0;
    for (int m = 1; m < 1000000 && fabsl(step - 1) > 1e-17L; m++) {
        long double even = m * (B - m) * X / ((A + 2 * m - 1) * (A + 2 * m));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        h *= d * c;
        long double odd = -(A + m) * (A + B + m) * X / ((A + 2 * m) * (A + 2 * m + 1));
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        step = d * c;
        h *= step;
    }
    return (double)(front * h);
}

static inline double normal_cdf(double x)
{
    return erfc(-x / sqrt(2)) / 2;
}

static inline int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The Kolmogorov-Smirnov test: sorts `at`, which are the values of the distribution
 * function at the draws and so should be uniform. Returns the p-value. */
static inline double fit_uniform(double *at, size_t n)
{
    double most = 0, size = sqrt((double)n);
    qsort(at, n, sizeof *at, by_size);
    for (size_t i = 0; i < n; i++) {
        double above = (double)(i + 1) / (double)n - at[i];
        double below = at[i] - (double)i / (double)n;
        most = fmax(most, fmax(above, below));
    }
    double t = (size + 0.12 + 0.11 / size) * most, p = 0;
    for (int k = 1; k <= 100; k++)
        p += (k % 2 ? 2 : -2) * exp(-2.0 * k * k * t * t);
    return t < 0.2 ? 1 : p;
}

/* Pearson's test over cells with these counts and expectations; neighbouring cells are
 * joined until 10 are expected. Returns the p-value. */
static inline double fit_counts(const double *seen, const double *expected, size_t n)
{
    double chi = 0, s = 0, e = 0, left = 0;
    int cells = 0;
    for (size_t i = 0; i < n; i++)
        left += expected[i];
    for (size_t i = 0; i < n; i++) {
        s += seen[i];
        e += expected[i];
        left -= expected[i];
        if (e >= 10 && left >= 10) {
            chi += (s - e) * (s - e) / e;
            cells++;
            s = e = 0;
        }
    }
    if (e > 0) {
        chi += (s - e) * (s - e) / e;
        cells++;
    }
    return cells < 2 ? 1 : 1 - gamma_cdf((cells - 1) / 2.0, chi / 2);
}

/* Sample mean and variance against exact ones, within 4.5 standard errors; `kurtosis` is
 * the fourth central moment over the squared variance. */
#define assert_moments(x, n, mean, variance, kurtosis) \
    assert_moments_at((x), (n), (mean), (variance), (kurtosis), __FILE__, __LINE__)

static inline void assert_moments_at(const double *x, size_t n, double mean,
                                     double variance, double kurtosis, const char *file,
                                     int line)
{
    long double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    double found = (double)(sum / n);
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    double spread = (double)(squares / n), count = (double)n;
    /* 1e-13: what summing and the doubles themselves may lose */
    assert_near_at(found, mean, 4.5 * sqrt(variance / count) + 1e-13 * fabs(mean), file,
                   line);
    assert_near_at(spread, variance,
                   4.5 * variance * sqrt((kurtosis - 1) / count) + 1e-12 * variance, file,
                   line);
}

#define assert_fits(p) assert_fits_at((p), __FILE__, __LINE__)

static inline void assert_fits_at(double p, const char *file, int line)
{
    if (p > FIT_P_MIN)
        return;
    print_error("p-value %g\n", p);
    _fail(file, line);
}

#endif
