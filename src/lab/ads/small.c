/* small.c - worlds of one day whose optimum is computed, and how */
#include "base/memory.h"
#include "lab/ads/world.h"

#include <assert.h>
#include <stdlib.h>

enum { MOST = 3 };

static void put_ad(struct fg_ads_world *w, uint32_t who, int32_t bid, double ctr)
{
    w->ad[w->ads] = (struct fg_ad){
        .id = (uint32_t)w->ads, .advertiser = who, .bid = bid, .ctr = (float)ctr};
    w->ads++;
}

/* Half of the queries could be served by either of two advertisers, and the greedy spends
 * on them the budget that the other half has nobody else for. */
static struct fg_ads_world *make_bad_order(const struct fg_ads_options *options)
{
    struct fg_ads_world *w = fg_ads_world_empty(options, 2, 2, 3);
    size_t n = options->queries;
    put_ad(w, 0, 1, 0.5);
    put_ad(w, 1, 1, 0.45);
    w->first[1] = (uint32_t)w->ads;
    put_ad(w, 0, 1, 0.5);
    w->first[2] = (uint32_t)w->ads;
    w->budget[0] = w->budget[1] = (int32_t)(n / 4);
    w->order = fg_zeroed(n, sizeof *w->order);
    w->n_order = n;
    for (size_t i = 0; i < n; i++)
        w->order[i] = i >= n / 2;
    w->bound[1] = 0.475 * (double)n;
    return w;
}

static struct fg_ads_world *make_random(const struct fg_ads_options *options)
{
    struct fg_rng rng = fg_rng_from_seed(options->seed);
    /* 2 to 60 at 400 queries, and as many for each query at others: most are binding */
    uint64_t most = 1 + options->queries * 58 / 400;
    struct fg_ads_world *w = fg_ads_world_empty(options, MOST, MOST, (size_t)MOST * MOST);
    for (size_t j = 0; j < MOST; j++) {
        w->first[j] = (uint32_t)w->ads;
        for (uint32_t i = 0; i < MOST; i++)
            if (fg_rng_unit(&rng) < 0.8 || i == j)
                put_ad(w, i, 1 + (int32_t)fg_rng_below(&rng, 2),
                       0.05 + 0.45 * fg_rng_unit(&rng));
    }
    w->first[MOST] = (uint32_t)w->ads;
    for (size_t i = 0; i < MOST; i++)
        w->budget[i] = 2 + (int32_t)fg_rng_below(&rng, most);
    w->n_order = options->queries;
    w->order = fg_zeroed(w->n_order, sizeof *w->order);
    for (size_t i = 0; i < w->n_order; i++)
        w->order[i] = options->is_block ? (uint32_t)(i * MOST / w->n_order)
                                        : (uint32_t)fg_rng_below(&rng, MOST);
    w->bound[1] = fg_ads_optimum(w);
    return w;
}

struct fg_ads_world *fg_ads_small_new(const struct fg_ads_options *options)
{
    struct fg_ads_options o = *options;
    o.days = 1;
    o.first_day = 0;
    struct fg_ads_world *w =
        o.kind == FG_ADS_BAD_ORDER ? make_bad_order(&o) : make_random(&o);
    for (size_t i = 0; i < w->n_order; i++)
        w->queries[w->order[i]]++;
    w->is_fixed = true;
    return w;
}

/* --- the optimum --- */

/* value[state] is what is still to be had with these budgets; a click moves to a state
 * that comes earlier in the table, so going down a day needs only one table. */
static double best_of(const struct fg_ads_world *w, size_t phrase, const double *value,
                      size_t state, const int32_t *left, const size_t *stride)
{
    double best = value[state];
    for (size_t a = w->first[phrase]; a < w->first[phrase + 1]; a++) {
        const struct fg_ad *ad = &w->ad[a];
        if (left[ad->advertiser] < ad->bid)
            continue;
        double c = (double)ad->ctr;
        double with = value[state - (size_t)ad->bid * stride[ad->advertiser]];
        double worth = c * (ad->bid + with) + (1 - c) * value[state];
        best = worth > best ? worth : best;
    }
    return best;
}

double fg_ads_optimum(const struct fg_ads_world *w)
{
    size_t stride[MOST], states = 1;
    assert(w->advertisers <= MOST);
    for (size_t i = 0; i < w->advertisers; i++) {
        stride[i] = states;
        states *= (size_t)w->budget[i] + 1;
    }
    double *value = fg_zeroed(states, sizeof *value);
    for (size_t q = w->n_order; q-- > 0;)
        for (size_t state = states; state-- > 0;) {
            int32_t left[MOST];
            for (size_t i = 0; i < w->advertisers; i++)
                left[i] = (int32_t)(state / stride[i] % ((size_t)w->budget[i] + 1));
            value[state] = best_of(w, w->order[q], value, state, left, stride);
        }
    double best = value[states - 1];
    free(value);
    return best;
}
