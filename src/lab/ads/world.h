/* world.h - a market of advertisements as the lab knows it: all rates of clicks included
 *
 *     struct fg_ads_world *world = fg_ads_world_new(&options);
 *     double best = fg_ads_bound(world, 1);
 *     fg_ads_replay(&run, world, policy, &rules, err);
 *     fg_ads_world_free(world);
 *
 * The market of 6.7.1 of Pandey's thesis: 85,000 phrases, 2 million queries a day, 60 %
 * of the advertisers with a daily budget. What the thesis does not tell (how frequent
 * phrases are, how many ads they have, bids, rates of clicks, budgets) is filled in by
 * laws of our own, in generate.c; docs/ads.md lists them. Two markets differ in their
 * rates: A with a median of 5 %, B of 1.5 %.
 *
 * Besides, small worlds of one day with a fixed order of queries, whose optimum is
 * computed exactly: random ones, and one whose order is as bad as can be.
 *
 * A world is read-only once made, but for the bounds it remembers, which a lock guards:
 * threads may share it. */
#ifndef FG_LAB_ADS_WORLD_H
#define FG_LAB_ADS_WORLD_H

#include "lab/ads/options.h"
#include "search/ads/market.h"

#include <pthread.h>

struct fg_ads_world {
    struct fg_ads_options options;
    size_t phrases, advertisers, ads;
    uint32_t *first;   /* by phrase, and one more: where its ads begin */
    uint32_t *queries; /* by phrase, a day */
    struct fg_ad *ad;
    int32_t *budget; /* by advertiser; FG_NO_BUDGET: none */
    uint32_t *order; /* the phrases of a day's queries, one after the other */
    size_t n_order;
    bool is_fixed; /* the order is the same every day */
    pthread_mutex_t lock;
    double bound[FG_ADS_SHOWN_MOST + 1]; /* by ads a query; 0: not computed yet */
};

struct fg_ads_world *fg_ads_world_new(const struct fg_ads_options *options);
void fg_ads_world_free(struct fg_ads_world *world);

/* What nobody can earn more of in a day, in hundredths, showing so many ads a query; of
 * a small world the optimum itself. */
double fg_ads_bound(struct fg_ads_world *world, size_t shown);

/* The optimum of a world with a fixed order, by dynamic programming over what is left of
 * the budgets: of one who knows order and rates, but not clicks. At most 3 advertisers,
 * one ad a query. Bids and budgets are small. */
double fg_ads_optimum(const struct fg_ads_world *world);

/* --- for those who make worlds --- */

struct fg_ads_world *fg_ads_world_empty(const struct fg_ads_options *options,
                                        size_t phrases, size_t advertisers, size_t ads);
struct fg_ads_world *fg_ads_market_new(const struct fg_ads_options *options);
struct fg_ads_world *fg_ads_small_new(const struct fg_ads_options *options);

#endif
