/* bound.c - what nobody can earn more of: the dual of the fluid problem with known rates
 *
 *     D(al) = sum_i d_i al_i + sum_j f_j (the C largest (1 - al_i) v_a of phrase j)
 *
 * is above the optimum for any prices al in [0, 1]. From al = 0 each price moves by how
 * much its advertiser is over or under its budget; the smallest D met is the bound. After
 * 300 steps it is about 0.06 % above its limit. */
#include "base/memory.h"
#include "lab/ads/world.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 400 };

/* The ads of the phrase with the highest priced values, and their sum. */
static double price_phrase(const struct fg_ads_world *w, size_t phrase, size_t most,
                           const double *price, double *spend)
{
    size_t n = 0, at[FG_ADS_SHOWN_MOST];
    double kept[FG_ADS_SHOWN_MOST], sum = 0;
    for (size_t a = w->first[phrase]; most && a < w->first[phrase + 1]; a++) {
        const struct fg_ad *ad = &w->ad[a];
        double t = (1 - price[ad->advertiser]) * ad->bid * (double)ad->ctr;
        if (n == most && t <= kept[n - 1])
            continue;
        size_t k = n < most ? n++ : n - 1;
        for (; k && kept[k - 1] < t; k--) {
            kept[k] = kept[k - 1];
            at[k] = at[k - 1];
        }
        kept[k] = t;
        at[k] = a;
    }
    for (size_t k = 0; k < n; k++) {
        const struct fg_ad *ad = &w->ad[at[k]];
        sum += kept[k];
        spend[ad->advertiser] += w->queries[phrase] * (double)ad->ctr * ad->bid;
    }
    return sum * w->queries[phrase];
}

static double find_bound(const struct fg_ads_world *w, size_t most)
{
    double *price = fg_zeroed(w->advertisers, sizeof *price);
    double *spend = fg_zeroed(w->advertisers, sizeof *spend), least = INFINITY;
    for (size_t t = 0; t < STEPS; t++) {
        double d = 0, rate = 0.25 / (1 + 0.05 * (double)t);
        for (size_t i = 0; i < w->advertisers; i++) {
            spend[i] = 0;
            d += w->budget[i] == FG_NO_BUDGET ? 0 : w->budget[i] * price[i];
        }
        for (size_t j = 0; j < w->phrases; j++)
            d += price_phrase(w, j, most, price, spend);
        least = d < least ? d : least;
        for (size_t i = 0; i < w->advertisers; i++) {
            double budget = w->budget[i], larger = spend[i] > budget ? spend[i] : budget;
            if (w->budget[i] == FG_NO_BUDGET || !(larger > 0))
                continue;
            price[i] += rate * (spend[i] - budget) / larger;
            price[i] = price[i] < 0 ? 0 : price[i] > 1 ? 1 : price[i];
        }
    }
    free(price);
    free(spend);
    return least;
}

double fg_ads_bound(struct fg_ads_world *w, size_t shown)
{
    pthread_mutex_lock(&w->lock);
    if (!(w->bound[shown] > 0))
        w->bound[shown] = find_bound(w, shown);
    double bound = w->bound[shown];
    pthread_mutex_unlock(&w->lock);
    return bound;
}
