#include "search/rank/prices.h"

#include <math.h>

void fg_prices_settle(struct fg_prices *prices)
{
    double sum = 0, below = 0; /* the share of the next place */
    for (size_t x = prices->n; x--;) {
        sum += (prices->share[x] - below) * prices->at[x];
        below = prices->share[x];
        prices->surplus[x] = sum;
    }
}

double fg_prices_gain(const struct fg_prices *prices, double quality)
{
    size_t from = 0, to = prices->n; /* the first place that is cheaper is in between */
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (prices->at[middle] < quality)
            to = middle;
        else
            from = middle + 1;
    }
    return from < prices->n ? prices->share[from] * quality - prices->surplus[from] : 0;
}

/* The key Q is where life g(Q), which rises, meets after - (Q - mean) / rho, which falls.
 * Between two prices g is a straight line, so it is enough to find the place. */
struct fg_worth fg_prices_worth(const struct fg_prices *prices, double life, double mean,
                                double rho, double after)
{
    double known = life * fg_prices_gain(prices, mean);
    if (!(rho > 0) || after <= known)
        return (struct fg_worth){known, mean};
    size_t from = 0, to = prices->n;
    while (from < to) {
        size_t x = from + (to - from) / 2;
        double price = prices->at[x];
        double gain = life * (prices->share[x] * price - prices->surplus[x]);
        if (gain < after - (price - mean) / rho)
            to = x;
        else
            from = x + 1;
    }
    double now = 0; /* what even the last place is too dear for has nothing to gain yet */
    if (from < prices->n)
        now = life *
              (prices->share[from] * (mean + rho * after) - prices->surplus[from]) /
              (1 + life * prices->share[from] * rho);
    return (struct fg_worth){now, mean + rho * fmax(0, after - now)};
}

void fg_lessons_solve(struct fg_lessons *l, const struct fg_prices *prices)
{
    size_t first = l->n * (l->n + 1) / 2;
    for (size_t s = 0; s <= l->n; s++)
        l->worth[first + s] =
            l->life * fg_prices_gain(prices, fg_lessons_mean(l, (double)l->n, (double)s));
    for (size_t n = l->n; n--;) {
        const double *next = l->worth + first;
        first = n * (n + 1) / 2;
        double rho = l->watched_share * (1 - (double)n / l->watched) * l->patience;
        for (size_t s = 0; s <= n; s++) {
            double mean = fg_lessons_mean(l, (double)n, (double)s);
            double after = mean * next[s + 1] + (1 - mean) * next[s];
            struct fg_worth is = fg_prices_worth(prices, l->life, mean, rho, after);
            l->worth[first + s] = is.now;
            l->key[first + s] = is.key;
        }
    }
}
