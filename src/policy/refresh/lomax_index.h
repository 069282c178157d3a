/* lomax_index.h - what a visit is worth if the rate of change is known as a gamma variate
 *
 * A page changes at a rate l a day that is not known: Gamma(a, b) is what we believe of
 * it, with mean a / b. Let z be the time since the last visit, or what stands for it when
 * time runs faster at some hours than at others. Then (Lomax, 1954)
 *
 *     S(z) = (b / (b + z))^a             chance that the copy is still fresh
 *     G(z) = integral of S from 0 to z   time for which it is expected to have been
 *     F(z) = G(z) - z S(z)               what a visit gains at this moment
 *
 * Why F: visits every z days at a price v gain (G(z) - v) / z a day; that is at its best
 * where v = F(z). F rises from 0, so a page is due when F passes the price, and if it
 * never does (for a > 1 it stays below b / (a - 1)) the page is not worth visiting: it
 * changes too often to be kept fresh. For a <= 1 there is no such bound: a page of which
 * little is known is always visited again. With a known rate, a and b towards infinity,
 * F is the Whittle index (1 - exp(-lz) (1 + lz)) / l. */
#ifndef FG_POLICY_REFRESH_LOMAX_INDEX_H
#define FG_POLICY_REFRESH_LOMAX_INDEX_H

#include "base/elementary.h"
#include "learn/change_rate.h"

#include <math.h>

/* (exp(y) - 1) / y */
static inline double fg_lomax_mean_exp(double y)
{
    return fabs(y) < 1e-5 ? 1 + y / 2 : (fg_exp(y) - 1) / y;
}

static inline double fg_lomax_fresh_time(struct fg_gamma_rate rate, double z)
{
    double grown = fg_log1p(z / rate.b);
    return rate.b * grown * fg_lomax_mean_exp((1 - rate.a) * grown);
}

/* With its elasticity, by how many per cent it grows while z does by one. */
static inline double fg_lomax_gain_at(struct fg_gamma_rate rate, double z,
                                      double *elasticity)
{
    double x = z / rate.b, bent = (rate.a + 1) * x;
    if (bent < 1e-4) { /* the difference of two numbers nearly alike */
        *elasticity = (1 - bent) / (0.5 - bent / 3);
        return rate.a * z * x * (0.5 - bent / 3);
    }
    double grown = fg_log(1 + x), chance = fg_exp(-rate.a * grown);
    double more = rate.a - 1; /* G / b = (1 - (1 + x) S) / (a - 1) */
    double time = fabs(more * grown) < 1e-5 ? grown * (1 - more * grown / 2)
                                            : (1 - (1 + x) * chance) / more;
    double gain = time - x * chance;
    *elasticity = rate.a * x * x * chance / ((1 + x) * gain);
    return rate.b * gain;
}

static inline double fg_lomax_gain(struct fg_gamma_rate rate, double z)
{
    double elasticity;
    return fg_lomax_gain_at(rate, z, &elasticity);
}

/* The same where changes come at ticks `step` apart, just before a visit is chosen, as in
 * weekly snapshots: the sum of S over the ticks before this one takes the integral's
 * place. Six terms, then Euler and Maclaurin's formula. */
static inline double fg_lomax_gain_at_ticks(struct fg_gamma_rate rate, double z,
                                            double step)
{
    enum { TERMS = 6 };
    double a = rate.a, b = rate.b;
    double k = z / step, sum = 0, last = pow(b / (b + z), a);
    if (k <= TERMS) {
        for (int j = 0; j < k - 0.5; j++)
            sum += pow(b / (b + j * step), a);
        return step * (sum - round(k) * last);
    }
    for (int j = 0; j < TERMS; j++)
        sum += pow(b / (b + j * step), a);
    double c = b + TERMS * step, d = b + z, first = pow(b / c, a);
    double integral =
        fabs(a - 1) < 1e-9 ? b * log(d / c) : (c * first - d * last) / (a - 1);
    return step * sum + integral + step * (first - last) / 2 +
           step * step * a * (first / c - last / d) / 12 - z * last;
}

/* The least upper bound of the gain. */
static inline double fg_lomax_most_gain(struct fg_gamma_rate rate)
{
    return rate.a > 1 ? rate.b / (rate.a - 1) : INFINITY;
}

/* By what z is to be multiplied in a step of Newton's, of a z where the gain has to be
 * multiplied by `ratio`. In logarithms the gain is concave, so it never goes too far.
 * Near enough to an answer, quotients of polynomials do for log and exp. */
static inline double fg_lomax_step(double elasticity, double ratio)
{
    if (!(elasticity > 0.01)) /* flat: far away, if there at all */
        return ratio > 1 ? 4 : 0.25;
    double high =
        ratio > 0.25 && ratio < 4 ? 2 * (ratio - 1) / (ratio + 1) : fg_log(ratio);
    double power = fmin(high / elasticity, 1.5), square = power * power / 12;
    return (1 + power / 2 + square) / (1 - power / 2 + square);
}

/* The z at which the gain is `wanted`, or a little earlier; INFINITY if it never is. The
 * search begins at `from`, anywhere near, or at 0. A step from within a thirtieth errs by
 * less than a thousandth, and is not looked at. */
static inline double fg_lomax_crossing(struct fg_gamma_rate rate, double wanted,
                                       double from)
{
    if (!(wanted < 0.999 * fg_lomax_most_gain(rate)))
        return INFINITY;
    /* The series of F / b in x = z / b begins with a x^2 / 2 - a (a + 1) x^3 / 3. */
    double x = sqrt(2 * wanted / (rate.a * rate.b));
    double z = fmax(from, rate.b * x * (1 + fmin((rate.a + 1) * x / 3, 2)));
    for (int i = 0; i < 6; i++) {
        double elasticity, ratio = wanted / fg_lomax_gain_at(rate, z, &elasticity);
        if (ratio >= 0.999 && ratio < 1.005)
            break;
        z *= fg_lomax_step(elasticity, ratio);
        if (fabs(ratio - 1) < 1.0 / 30 && elasticity > 0.1)
            break;
    }
    return z;
}

#endif
