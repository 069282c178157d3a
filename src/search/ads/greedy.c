/* greedy.c - the ad that earned most per display so far
 *
 * P = c b, infinite for an ad that was never shown: exploitation, with one display of
 * each ad to begin with. Most ads have no click at first, so much hangs on what is shown
 * among those with P = 0: the first in the list, or with `by-bid` the highest bid. */
#include "search/ads/market.h"

#include <math.h>

enum { BY_BID };
static const struct fg_param params[] = {
    [BY_BID] = {"by-bid", 0, 0, 1, "of ads without a click, the highest bid first"},
    {0},
};

static void score(struct fg_market *m, size_t phrase)
{
    size_t first = m->phrases.first[phrase], end = first + m->phrases.count[phrase];
    double tie = m->knob[BY_BID] > 0 ? 1e-9 : 0;
    for (size_t i = first; i < end; i++) {
        bool is_new = !m->shown[i] && !(m->prior_shown[i] > 0);
        m->score[i] =
            is_new ? INFINITY : (float)((fg_market_mean(m, i) + tie) * m->bid[i]);
    }
}

const struct fg_ads_policy fg_ads_greedy = {
    .name = "greedy",
    .summary = "highest clicks a display so far times bid",
    .paper = "Pandey's thesis, section 6.7",
    .params = params,
    .score = score,
};
