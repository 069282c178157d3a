/* msvv.c - the highest bid, discounted as the budget runs down
 *
 * Mehta, Saberi, Vazirani and Vazirani (FOCS 2005), for the problem in which every ad
 * shown is clicked (cell II): at least 1 - 1/e of the optimum there. It learns nothing,
 * so scores are bids. */
#include "search/ads/market.h"

static void score(struct fg_market *m, size_t phrase)
{
    size_t first = m->phrases.first[phrase], end = first + m->phrases.count[phrase];
    for (size_t i = first; i < end; i++)
        m->score[i] = (float)m->bid[i];
}

const struct fg_ads_policy fg_ads_msvv = {
    .name = "msvv",
    .summary = "highest bid, throttled as budgets run down",
    .paper = "Mehta et al. 2005; Pandey's thesis, section 6.1",
    .is_throttled = true,
    .score = score,
};
