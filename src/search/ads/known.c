/* known.c - those who know the rates of clicks: what could be had, only in the lab
 *
 * GREEDY on the true c b is half of the optimum at least (cell IV); throttled it is
 * MSVV with known rates; paced it is nearly all of the bound. */
#include "search/ads/pacing.h"

static void score(struct fg_market *m, size_t phrase)
{
    size_t first = m->phrases.first[phrase], end = first + m->phrases.count[phrase];
    for (size_t i = first; i < end; i++)
        m->score[i] = m->ctr[i] * (float)m->bid[i];
}

static void showed(struct fg_market *m, size_t phrase, uint32_t place,
                   struct fg_ad_before before)
{
    (void)phrase;
    (void)before;
    fg_pacing_note(m, place, m->ctr[place]);
}

static void slice(struct fg_market *m, double left)
{
    fg_pacing_step(m, left, 0.15);
}

const struct fg_ads_policy fg_ads_known = {
    .name = "known",
    .summary = "knows the rates of clicks: highest clicks times bid",
    .paper = "Pandey's thesis, section 6.1",
    .needs_ctr = true,
    .score = score,
};

const struct fg_ads_policy fg_ads_known_t = {
    .name = "known-t",
    .summary = "knows the rates of clicks, throttled as budgets run down",
    .paper = "Mehta et al. 2005",
    .needs_ctr = true,
    .is_throttled = true,
    .score = score,
};

const struct fg_ads_policy fg_ads_known_paced = {
    .name = "known-paced",
    .summary = "knows the rates of clicks, at a price per advertiser",
    .needs_ctr = true,
    .advertiser_columns = FG_PACING_COLUMNS,
    .score = score,
    .showed = showed,
    .slice = slice,
};
