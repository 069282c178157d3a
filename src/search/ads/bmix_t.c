/* bmix_t.c - BMIX with bids discounted as budgets run down
 *
 * b becomes b (1 - exp(-d'/d)), d' of the budget d being left. */
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

const struct fg_ads_policy fg_ads_bmix_t = {
    .name = "bmix-t",
    .summary = "BMIX, throttled as budgets run down",
    .paper = "Pandey's thesis, section 6.6.3",
    .params = params,
    .is_throttled = true,
    .score = score,
    .day = day,
};
