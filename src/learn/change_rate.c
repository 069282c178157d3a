/* A page that changes at rate l is found changed after an interval T with chance
 * 1 - exp(-l T), however often it did. So counting changes misses those that hide behind
 * others; Cho and Garcia-Molina ("Estimating frequency of change", ACM TOIT 2003) correct
 * the count for regular visits, and for any others the likelihood does:
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

#include "base/elementary.h"

#include <assert.h>
#include <math.h>

/* 1 - exp(-x) for x >= 0, keeping the digits of a small x (Kahan); the same on every
 * machine. */
static double chance_of_change(double x)
{
    double stays = fg_exp(-x);
    if (stays == 1 || stays < 0.5)
        return stays == 1 ? x : 1 - stays;
    return (1 - stays) * (x / -fg_log(stays));
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
        double x = l * visits[i].length, chance = chance_of_change(x);
        double share = x * (1 - chance) / chance;
        if (x < 1e-5)
            share = 1 - x / 2;
        sum += share;
        *slope +=
            visits[i].length * (x < 1e-5 ? x / 6 - 0.5 : share * (1 - x - share) / x);
    }
    return sum;
}

/* What visits come down to: everything but the undated changes is a count and a time. */
struct evidence {
    const struct fg_interval *visits;
    size_t n;
    double changes, time;         /* dated changes; unchanged, and since them */
    double undated, undated_time; /* changes, and the intervals that found them */
};

static struct evidence evidence_of(const struct fg_interval *visits, size_t n)
{
    struct evidence all = {.visits = visits, .n = n};
    for (size_t i = 0; i < n; i++)
        if (is_dated(&visits[i])) {
            all.changes++;
            all.time += visits[i].age;
        } else if (is_undated_change(&visits[i])) {
            all.undated++;
            all.undated_time += visits[i].length;
        } else if (!visits[i].changed && visits[i].length > 0) {
            all.time += visits[i].length;
        }
    return all;
}

/* Where h is 0. */
static double likeliest(const struct evidence *all)
{
    if (all->changes + all->undated == 0)
        return 0;
    if (all->time <= 0)
        return INFINITY;
    double l = (all->changes + all->undated) / (all->time + all->undated_time / 2);
    for (int i = 0; i < 200; i++) {
        double slope, hidden = hidden_changes(all->visits, all->n, l, &slope);
        double step = (hidden + all->changes - l * all->time) / (all->time - slope);
        l += step;
        if (!(step > 1e-14 * l))
            break;
    }
    return l;
}

double fg_rate_likeliest(const struct fg_interval *visits, size_t n)
{
    struct evidence all = evidence_of(visits, n);
    return likeliest(&all);
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
    double log_grown = fg_log1p(length / b);
    double z0 = chance_of_change(a * log_grown);
    double z1 = chance_of_change((a + 1) * log_grown);
    double z2 = chance_of_change((a + 2) * log_grown);
    double mean = a / b * z1 / z0, square = a * (a + 1) / (b * b) * z2 / z0;
    double shape = mean * mean / (square - mean * mean);
    return (struct fg_gamma_rate){shape, shape / mean};
}

/* The logarithm of the posterior density of log l, but for a constant. */
static double log_density(const struct evidence *all, double l)
{
    double sum = all->changes * fg_log(l) - all->time * l;
    for (size_t i = 0; i < all->n; i++)
        if (is_undated_change(&all->visits[i]))
            sum += fg_log(chance_of_change(l * all->visits[i].length));
    return sum;
}

/* Where the density falls to `bound` on the way from the mode by powers of `factor`,
 * given a rate on the mode's side. */
static double falls_to(const struct evidence *all, double bound, double l, double factor)
{
    while (log_density(all, l) > bound)
        l *= factor;
    double inside = l / factor, outside = l;
    for (int i = 0; i < 60; i++) {
        double middle = sqrt(inside * outside);
        *(log_density(all, middle) > bound ? &inside : &outside) = middle;
    }
    return sqrt(inside * outside);
}

void fg_rate_interval(const struct fg_interval *visits, size_t n, double *low,
                      double *high)
{
    static const double half_chi_square = 1.920729410347062; /* 95 %, one degree */
    struct evidence all = evidence_of(visits, n);
    *low = 0;
    *high = INFINITY;
    if (all.changes + all.undated == 0) {
        if (all.time > 0)
            *high = half_chi_square / all.time;
        return;
    }
    double l = likeliest(&all);
    double bound = (isinf(l) ? 0 : log_density(&all, l)) - half_chi_square;
    if (!isinf(l))
        *high = falls_to(&all, bound, l, 2);
    else /* what was seen is the more likely the higher the rate */
        for (l = 1; !(log_density(&all, l) > bound);)
            l *= 2;
    *low = falls_to(&all, bound, l, 0.5);
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
    return fg_log1p((changes + pseudo) * mean / (unchanged + pseudo * mean)) / mean;
}
