/* mixes.h - what MIX and its relatives share: a priority for each ad of a phrase
 *
 * P = (c + e) b, infinite for an ad that was never shown and has no prior; e is the
 * exploration term. Throttling is not here: it is a factor of the advertiser, which the
 * market keeps (is_throttled). */
#ifndef FG_SEARCH_ADS_MIXES_H
#define FG_SEARCH_ADS_MIXES_H

#include "search/ads/formulas.h"
#include "search/ads/market.h"

/* The knob of those that count a phrase's queries. */
enum { FG_MIX_RESET };
#define FG_MIX_PARAMS                                                \
    {                                                                \
        [FG_MIX_RESET] = {"reset-daily", 0, 0, 1,                    \
                          "count a phrase's queries anew each day"}, \
        {0},                                                         \
    }

static inline void fg_mixes_score(struct fg_market *m, size_t phrase)
{
    double log_t = fg_log(m->phrases.queries[phrase]);
    size_t first = m->phrases.first[phrase], end = first + m->phrases.count[phrase];
    for (size_t i = first; i < end; i++) {
        double n = (double)m->shown[i] + (double)m->prior_shown[i];
        double mean = fg_market_mean(m, i) + (n > 0 ? fg_mix_term(log_t, n) : INFINITY);
        m->score[i] = (float)(mean * m->bid[i]);
    }
}

static inline void fg_mixes_score_e(struct fg_market *m, size_t phrase)
{
    double log_t = fg_log(m->phrases.queries[phrase]);
    size_t first = m->phrases.first[phrase], end = first + m->phrases.count[phrase];
    for (size_t i = first; i < end; i++) {
        double n = (double)m->shown[i] + (double)m->prior_shown[i];
        double mean = fg_market_mean(m, i);
        mean += n > 0 ? fg_mix_e_term(mean, log_t, n) : INFINITY;
        m->score[i] = (float)(mean * m->bid[i]);
    }
}

static inline void fg_mixes_day(struct fg_market *m)
{
    for (size_t i = 0; m->knob[FG_MIX_RESET] > 0 && i < m->phrases.n; i++)
        m->phrases.queries[i] = 0;
}

#endif
