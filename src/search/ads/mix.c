/* mix.c - UCB1 on the ads of a phrase, each click worth its bid
 *
 * P = (c + sqrt(2 ln n_j / n)) b. The policy of the problem without budgets (cell V): it
 * goes on showing ads nobody pays for any more. */
#include "search/ads/mixes.h"

static const struct fg_param params[] = FG_MIX_PARAMS;

static void score(struct fg_market *market, size_t phrase)
{
    fg_mixes_score(market, phrase);
}

static void day(struct fg_market *market)
{
    fg_mixes_day(market);
}

const struct fg_ads_policy fg_ads_mix = {
    .name = "mix",
    .summary = "UCB1 of clicks times bid, without regard to budgets",
    .paper = "Pandey's thesis, section 6.5",
    .params = params,
    .ignores_budgets = true,
    .score = score,
    .day = day,
};
