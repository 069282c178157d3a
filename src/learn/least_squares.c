/* The normal equations, solved by Cholesky's method on the correlations of the features.
 * Forming X'X squares the condition of the problem, which is what one pays for forgetting
 * the examples; on features scaled to unit variance it leaves seven digits.
 *
 * scikit-learn's LinearRegression, which the crawlers in policy/discovery were written
 * with, takes the solution of least norm by singular values. We add a ridge of 1e-9 to
 * the correlations instead: it tends to the solution of least norm as it shrinks, makes
 * every pivot positive, and where the examples do determine the weights it moves them in
 * the ninth digit only. The norm is that of the scaled weights, so the choice does not
 * depend on units. Predictions are the same wherever the examples can tell. */
#include "learn/least_squares.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double ridge = 1e-9;
/* What is left of a sum of squares when the mean is taken out: less is rounding. */
static const double least_variation = 1e-12;

enum { MAX = FG_LEAST_SQUARES_MAX };

void fg_least_squares_reset(struct fg_least_squares *sums)
{
    *sums = (struct fg_least_squares){.features = sums->features};
}

static void count(struct fg_least_squares *sums, const double *x, double y, double times)
{
    assert(sums->features <= MAX);
    sums->examples += times;
    sums->y += times * y;
    for (size_t i = 0; i < sums->features; i++) {
        if (x[i] == 0)
            continue;
        double scaled = times * x[i];
        sums->x[i] += scaled;
        sums->xy[i] += scaled * y;
        for (size_t j = 0; j <= i; j++)
            sums->xx[i][j] += scaled * x[j];
    }
}

void fg_least_squares_add(struct fg_least_squares *sums, const double *x, double y)
{
    count(sums, x, y, 1);
}

void fg_least_squares_remove(struct fg_least_squares *sums, const double *x, double y)
{
    count(sums, x, y, -1);
}

/* The root of each feature's sum of squares about its mean; 0 if it does not vary. */
static void spreads(const struct fg_least_squares *sums, double *spread)
{
    for (size_t i = 0; i < sums->features; i++) {
        double about_mean = sums->xx[i][i] - sums->x[i] * sums->x[i] / sums->examples;
        bool varies = about_mean > least_variation * sums->xx[i][i];
        spread[i] = varies ? sqrt(about_mean) : 0;
    }
}

/* Correlations with a ridge, the lower half; a feature that does not vary stands alone,
 * with a right-hand side of 0. */
static void correlate(const struct fg_least_squares *sums, const double *spread,
                      double a[MAX][MAX], double *b)
{
    for (size_t i = 0; i < sums->features; i++) {
        double mean = sums->x[i] / sums->examples;
        b[i] = spread[i] > 0 ? (sums->xy[i] - mean * sums->y) / spread[i] : 0;
        for (size_t j = 0; j < i; j++)
            a[i][j] = spread[i] > 0 && spread[j] > 0
                          ? (sums->xx[i][j] - mean * sums->x[j]) / (spread[i] * spread[j])
                          : 0;
        a[i][i] = 1 + ridge;
    }
}

/* a becomes its Cholesky factor, b the solution. */
static void solve_in_place(double a[MAX][MAX], double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double rest = a[i][j];
            for (size_t k = 0; k < j; k++)
                rest -= a[i][k] * a[j][k];
            if (j < i)
                a[i][j] = rest / a[j][j];
            else
                a[i][i] = sqrt(rest > ridge ? rest : ridge);
        }
        for (size_t k = 0; k < i; k++)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
}

void fg_least_squares_solve(const struct fg_least_squares *sums, double *weights)
{
    size_t n = sums->features;
    double a[MAX][MAX], spread[MAX];
    memset(weights, 0, (n + 1) * sizeof *weights);
    if (sums->examples < 0.5)
        return;
    spreads(sums, spread);
    correlate(sums, spread, a, weights);
    solve_in_place(a, weights, n);
    double constant = sums->y;
    for (size_t i = 0; i < n; i++) {
        weights[i] = spread[i] > 0 ? weights[i] / spread[i] : 0;
        constant -= weights[i] * sums->x[i];
    }
    weights[n] = constant / sums->examples;
}
