/* bmix.c - MIX among ads whose advertisers can pay the click
 *
 * Earns at least half of the optimum less O(ln N) (theorem 3). Unlike BPOL it need not
 * start anew when an ad drops out: what it knows is known ad by ad. */
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

const struct fg_ads_policy fg_ads_bmix = {
    .name = "bmix",
    .summary = "MIX among ads whose advertisers can pay",
    .paper = "Pandey's thesis, section 6.6.3",
    .params = params,
    .score = score,
    .day = day,
};
