/* pacing.h - one price per advertiser that keeps its spending level over the day
 *
 * After each slice of the day (1/48) the price moves towards the level at which the
 * advertiser spends what it has left evenly: up if the displays of the slice were
 * expected to cost more than the slice's share, down if less. Scores are multiplied by 1
 * less the price. What is expected is used and not what was clicked, which is the same
 * with less noise. Prices live on over night. Without a budget there is no price. */
#ifndef FG_SEARCH_ADS_PACING_H
#define FG_SEARCH_ADS_PACING_H

#include "search/ads/market.h"

/* The first column by advertiser of every policy that is paced. */
enum { FG_PACING_SPEND, FG_PACING_COLUMNS };

static inline void fg_pacing_note(struct fg_market *m, size_t place, double mean)
{
    m->advertisers.column[FG_PACING_SPEND][m->advertiser[place]] +=
        (float)(mean * m->bid[place]);
}

void fg_pacing_step(struct fg_market *market, double left, double step);

#endif
