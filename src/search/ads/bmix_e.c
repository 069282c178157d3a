/* bmix_e.c - BMIX with a tighter exploration term
 *
 * sqrt(ln n_j / n min(1/4, V)), V = c (1 - c) + sqrt(2 ln n_j / n): UCB1-tuned of Auer et
 * al., without a bound that is proved but much better. */
#include "search/ads/mixes.h"

static const struct fg_param params[] = FG_MIX_PARAMS;

static void score(struct fg_market *market, size_t phrase)
{
    fg_mixes_score_e(market, phrase);
}

static void day(struct fg_market *market)
{
    fg_mixes_day(market);
}

const struct fg_ads_policy fg_ads_bmix_e = {
    .name = "bmix-e",
    .summary = "BMIX that explores by the variance of clicks",
    .paper = "Pandey's thesis, section 6.6.3",
    .params = params,
    .score = score,
    .day = day,
};
