/* A page that changes at rate l is found changed after an interval T with chance
 * 1 - exp(-l T), however often it did. So counting changes (naive) misses those that
 * hide behind others; Cho and Garcia-Molina ("Estimating frequency of change", ACM TOIT
 * 2003) correct the count for regular visits, and for any others the likelihood does:
 *
 *     unchanged        exp(-l T)
 *     changed          1 - exp(-l T)
 *     changed, dated   l exp(-l age)     a change then, and none since; what was before
 *                                        it does not matter
 *
 * With k changes seen, of which d are dated, and U the unchanged time (the ages of dated
 * changes among it), the likeliest l has
 *
 *     h(l) = sum over undated changes of x / (e^x - 1), x = l T,  + d - l U = 0.
 *
 * h falls and is convex, and x / (e^x - 1) >= 1 - x/2, so Newton's steps started from
 * l = k / (U + half the undated changed time) rise to the root and cannot pass it. */
#include "learn/change_rate.h"

#include <assert.h>
#include <math.h>

double fg_rate_naive(const struct fg_interval *visits, size_t n)
{
    double changes = 0, time = 0;
    for (size_t i = 0; i < n; i++) {
        changes += visits[i].changed;
        time += visits[i].length;
    }
    return time > 0 ? changes / time : 0;
}

double fg_rate_bias_reduced(const struct fg_interval *visits, size_t n)
{
    double changes = 0, time = 0, all = (double)n;
    for (size_t i = 0; i < n; i++) {
        changes += visits[i].changed;
        time += visits[i].length;
    }
    return time > 0 ? -log((all - changes + 0.5) / (all + 0.5)) * all / time : 0;
}

/* A date before the last visit does not belong to a change since then. */
static bool is_dated(const struct fg_interval *visit)
{
    return visit->changed && visit->age >= 0 && visit->age <= visit->length;
}

/* In no time nothing can be seen. */
static bool is_undated_change(const struct fg_interval *visit)
{
    return visit->changed && visit->length > 0 && !is_dated(visit);
}

/* h above without d - l U, and its derivative by l. */
static double hidden_changes(const struct fg_interval *visits, size_t n, double l,
                             double *slope)
{
    double sum = 0;
    *slope = 0;
    for (size_t i = 0; i < n; i++) {
        if (!is_undated_change(&visits[i]))
            continue;
        double x = l * visits[i].length, share = x / expm1(x);
        if (x < 1e-5)
            share = 1 - x / 2;
        sum += share;
        *slope +=
            visits[i].length * (x < 1e-5 ? x / 6 - 0.5 : share * (1 - x - share) / x);
    }
    return sum;
}

double fg_rate_likeliest(const struct fg_interval *visits, size_t n)
{
    double dated = 0, undated = 0, undated_time = 0, unchanged_time = 0;
    for (size_t i = 0; i < n; i++) {
        if (is_dated(&visits[i])) {
            dated++;
            unchanged_time += visits[i].age;
        } else if (is_undated_change(&visits[i])) {
            undated++;
            undated_time += visits[i].length;
        } else if (!visits[i].changed && visits[i].length > 0) {
            unchanged_time += visits[i].length;
        }
    }
    if (dated + undated == 0)
        return 0;
    if (unchanged_time <= 0)
        return INFINITY;
    double l = (dated + undated) / (unchanged_time + undated_time / 2);
    for (int i = 0; i < 200; i++) {
        double slope, h = hidden_changes(visits, n, l, &slope);
        double step = (h + dated - l * unchanged_time) / (unchanged_time - slope);
        l += step;
        if (!(step > 1e-14 * l))
            break;
    }
    return l;
}

struct fg_gamma_rate fg_rate_learn(struct fg_gamma_rate rate, double length, bool changed)
{
    assert(rate.a > 0 && rate.b > 0);
    double a = rate.a, b = rate.b;
    if (!(length > 0) || isinf(length))
        return rate;
    if (!changed)
        return (struct fg_gamma_rate){a, b + length};
    /* The exact posterior is a difference of two gammas; z_j = 1 - (b / (b + T))^(a + j).
     */
    double log_grown = log1p(length / b);
    double z0 = -expm1(-a * log_grown), z1 = -expm1(-(a + 1) * log_grown);
    double z2 = -expm1(-(a + 2) * log_grown);
    double mean = a / b * z1 / z0, square = a * (a + 1) / (b * b) * z2 / z0;
    double shape = mean * mean / (square - mean * mean);
    return (struct fg_gamma_rate){shape, shape / mean};
}

struct fg_gamma_rate fg_rate_bayes(struct fg_gamma_rate prior,
                                   const struct fg_interval *visits, size_t n)
{
    struct fg_gamma_rate rate = prior;
    for (size_t i = 0; i < n; i++) /* those that leave a gamma a gamma come first */
        if (is_dated(&visits[i])) {
            rate.a++;
            rate.b += visits[i].age;
        } else if (!visits[i].changed) {
            rate = fg_rate_learn(rate, visits[i].length, false);
        }
    for (size_t i = 0; i < n; i++)
        if (is_undated_change(&visits[i]))
            rate = fg_rate_learn(rate, visits[i].length, true);
    return rate;
}

void fg_seen_add(struct fg_seen *seen, double length, bool changed)
{
    if (!(length > 0))
        return;
    seen->changes += changed;
    *(changed ? &seen->changed_time : &seen->unchanged_time) += (float)length;
}

double fg_seen_rate(const struct fg_seen *seen, double pseudo, double fallback)
{
    double changes = seen->changes, unchanged = seen->unchanged_time;
    if (!(changes > 0)) /* the mean interval is not known, and hardly matters */
        return unchanged > 0 ? pseudo / unchanged : fallback;
    double mean = seen->changed_time / changes;
    return log1p((changes + pseudo) * mean / (unchanged + pseudo * mean)) / mean;
}
