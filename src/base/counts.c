/* Variates that count: Poisson, binomial, geometric.
 *
 * Where few are expected the distribution function is searched from 0 upward. Elsewhere
 * it is Hoermann's transformed rejection, "The transformed rejection method for
 * generating Poisson random variables" and "The generation of binomial random variates"
 * (1993), known as PTRS and BTRS: a table-mountain hat whose flat top settles nine draws
 * in ten without a logarithm. The constants are his, but for two: below a mean of a
 * thousand the Poisson hat as published lies up to 0.6 % under the distribution for some
 * counts, and its flat top takes up to 0.004 too much; so the hat is raised by 1 % and
 * the top lowered by 2. tests/base/test_counts.c checks both inequalities.
 *
 * The papers take log k! from Stirling or a table and subtract large numbers, which is
 * off by 1e-5 at a mean of 1e9. We compute the log probability as Loader does, "Fast and
 * accurate computation of binomial probabilities" (2000): what Stirling's formula misses,
 * and a deviance, both small and both to full precision. */
#include "base/elementary.h"
#include "base/variate.h"

#include <assert.h>

enum { FEW = 10, SEARCH_MAX = 200 };

#define LOG_ROOT_TWO_PI 0.91893853320467274

/* log k! less Stirling's (k + 1/2) log k - k + log root(2 pi); k >= 1 */
static double stirling_error(double k)
{
    static const double exact[16] = {
        0,
        0.08106146679532726,
        0.0413406959554093,
        0.02767792568499834,
        0.020790672103765093,
        0.016644691189821193,
        0.013876128823070748,
        0.01189670994589177,
        0.010411265261972096,
        0.009255462182712733,
        0.00833056343336287,
        0.007573675487951841,
        0.00694284010720953,
        0.006408994188004207,
        0.0059513701127588475,
        0.005554733551962801,
    };
    if (k < 16)
        return exact[(int)k];
    double z = 1 / (k * k);
    return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - z / 1188) * z) * z) * z) /
           k;
}

/* k log(k / mean) - k + mean, at least 0 and small for k near the mean, where the obvious
 * way loses all digits. With v = (k - mean) / (k + mean), log(k / mean) = 2 atanh v. */
static double deviance(double k, double mean)
{
    double off = k - mean, v = off / (k + mean);
    if (fabs(v) > 0.1)
        return k * fg_log(k / mean) - off;
    double z = v * v, power = 2 * k * v, sum = off * v, before;
    int odd = 1;
    do {
        before = sum;
        power *= z;
        odd += 2;
        sum += power / odd;
    } while (sum != before);
    return sum;
}

static double poisson_log_chance(double k, double mean)
{
    if (k == 0)
        return -mean;
    return -stirling_error(k) - deviance(k, mean) - LOG_ROOT_TWO_PI - fg_log(k) / 2;
}

static uint64_t poisson_by_search(struct fg_rng *rng, double mean)
{
    const double none = fg_exp(-mean);
    for (;;) {
        double u = fg_rng_unit(rng), chance = none;
        /* The bound is for u so close to 1 that rounding keeps the sum below it. */
        for (unsigned k = 0; k < SEARCH_MAX; k++) {
            if (u < chance)
                return k;
            u -= chance;
            chance *= mean / (k + 1);
        }
    }
}

/* A uniform u in (-1/2, 1/2) becomes a candidate; a second one, v, decides. Written with
 * the distance of u from the nearer end, `us`. */
struct hat {
    double a, b, middle;
    double factor;
    double top; /* below it v takes any candidate from the flat part, us >= 0.07 */
};

static double candidate(const struct hat *hat, double u, double us)
{
    return floor((2 * hat->a / us + hat->b) * u + hat->middle);
}

/* Times v, what must not exceed the candidate's chance. */
static double height(const struct hat *hat, double us)
{
    return hat->factor / (hat->a / (us * us) + hat->b);
}

static struct hat poisson_hat(double mean)
{
    double b = 0.931 + 2.53 * sqrt(mean);
    return (struct hat){.a = -0.059 + 0.02483 * b,
                        .b = b,
                        .middle = mean + 0.43,
                        .factor = 1.01 * (1.1239 + 1.1328 / (b - 3.4)),
                        .top = 0.98 * (0.9277 - 3.6224 / (b - 2))};
}

static uint64_t poisson_by_rejection(struct fg_rng *rng, double mean)
{
    const struct hat hat = poisson_hat(mean);
    for (;;) {
        double u = fg_rng_unit(rng) - 0.5, v = fg_rng_open(rng), us = 0.5 - fabs(u);
        double k = candidate(&hat, u, us);
        if (us >= 0.07 && v <= hat.top)
            return (uint64_t)k;
        if (k < 0 || (us < 0.013 && v > us))
            continue;
        if (fg_log(v * height(&hat, us)) <= poisson_log_chance(k, mean))
            return (uint64_t)k;
    }
}

uint64_t fg_rng_poisson(struct fg_rng *rng, double mean)
{
    assert(mean >= 0 && mean <= 1e18);
    return mean < FEW ? poisson_by_search(rng, mean) : poisson_by_rejection(rng, mean);
}

static double binomial_log_chance(double k, double n, double p)
{
    double q = 1 - p;
    if (k == 0)
        return n * fg_log1p(-p);
    if (k == n)
        return n * fg_log(p);
    double rest = n - k;
    return stirling_error(n) - stirling_error(k) - stirling_error(rest) -
           deviance(k, n * p) - deviance(rest, n * q) - LOG_ROOT_TWO_PI -
           fg_log(k * (rest / n)) / 2;
}

static double binomial_by_search(struct fg_rng *rng, double n, double p)
{
    const double none = fg_exp(n * fg_log1p(-p)), odds = p / (1 - p);
    const unsigned last = n < SEARCH_MAX ? (unsigned)n : SEARCH_MAX;
    for (;;) {
        double u = fg_rng_unit(rng), chance = none;
        for (unsigned k = 0; k <= last; k++) {
            if (u < chance)
                return k;
            u -= chance;
            chance *= odds * (n - k) / (k + 1);
        }
    }
}

/* Its chances are relative to that of the likeliest count. */
static struct hat binomial_hat(double n, double p)
{
    double deviation = sqrt(n * p * (1 - p)), b = 1.15 + 2.53 * deviation;
    return (struct hat){.a = -0.0873 + 0.0248 * b + 0.01 * p,
                        .b = b,
                        .middle = n * p + 0.5,
                        .factor = (2.83 + 5.1 / b) * deviation,
                        .top = 0.92 - 4.2 / b};
}

static double binomial_by_rejection(struct fg_rng *rng, double n, double p)
{
    const struct hat hat = binomial_hat(n, p);
    double likeliest = NAN; /* its log chance, once it is needed */
    for (;;) {
        double u = fg_rng_unit(rng) - 0.5, v = fg_rng_open(rng), us = 0.5 - fabs(u);
        double k = candidate(&hat, u, us);
        if (us >= 0.07 && v <= hat.top)
            return k;
        if (!(k >= 0 && k <= n))
            continue;
        if (isnan(likeliest))
            likeliest = binomial_log_chance(floor((n + 1) * p), n, p);
        if (fg_log(v * height(&hat, us)) <= binomial_log_chance(k, n, p) - likeliest)
            return k;
    }
}

uint64_t fg_rng_binomial(struct fg_rng *rng, uint64_t n, double p)
{
    assert(n <= UINT64_C(1) << 53 && p >= 0 && p <= 1);
    double trials = (double)n, rarer = p > 0.5 ? 1 - p : p;
    if (n == 0 || rarer == 0)
        return p > 0.5 ? n : 0;
    double k = trials * rarer < FEW ? binomial_by_search(rng, trials, rarer)
                                    : binomial_by_rejection(rng, trials, rarer);
    return p > 0.5 ? n - (uint64_t)k : (uint64_t)k;
}

uint64_t fg_rng_geometric(struct fg_rng *rng, double p)
{
    assert(p > 0 && p <= 1);
    if (p == 1)
        return 0;
    double k = fg_rng_exponential(rng) / -fg_log1p(-p);
    return k < 0x1p64 ? (uint64_t)k : UINT64_MAX;
}
