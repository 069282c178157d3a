/* paced_index.c - expected clicks plus the value of a lesson, at a price per advertiser
 *
 * One number per ad: its expected rate of clicks plus what one more display may teach, by
 * Brezzi and Lai's closed form of the Gittins index with the horizon of the phrase (rare
 * phrases do not pay for lessons). One number per advertiser: a price that spreads its
 * spending over the day (pacing.h). The prior is learned from all ads (paced.h).
 *
 * Scores are kept: an ad's is renewed when it is shown, a whole phrase's when its queries
 * have grown by a tenth or the prior has moved. So a query reads scores and computes as
 * many as it shows. docs/ads.md has what was measured and what was tried and dropped. */
#include "search/ads/paced.h"

static const struct fg_param params[] = {FG_PACED_PARAMS, {0}};

static void score(struct fg_market *m, size_t phrase)
{
    if (!fg_paced_is_due(m, phrase))
        return;
    double horizon = fg_paced_horizon(m, m->phrases.queries[phrase] - 1.0);
    size_t first = m->phrases.first[phrase], end = first + m->phrases.count[phrase];
    for (size_t i = first; i < end; i++)
        fg_paced_renew(m, i, m->self[FG_PACED_M0], horizon);
}

static void showed(struct fg_market *m, size_t phrase, uint32_t place,
                   struct fg_ad_before before)
{
    double m0 = m->self[FG_PACED_M0];
    fg_pacing_note(m, place, fg_paced_mean(m, place, m0, before));
    fg_paced_count_display(m, before);
    fg_paced_renew(m, place, m0, fg_paced_horizon(m, m->phrases.queries[phrase]));
}

static void clicked(struct fg_market *m, size_t phrase, uint32_t place,
                    struct fg_ad_before before)
{
    fg_paced_count_click(m, before);
    fg_paced_renew(m, place, m->self[FG_PACED_M0],
                   fg_paced_horizon(m, m->phrases.queries[phrase]));
}

const struct fg_ads_policy fg_ads_paced_index = {
    .name = "paced-index",
    .summary = "expected clicks plus the value of a lesson, at a price per advertiser",
    .params = params,
    .phrase_columns = FG_PACED_COLUMNS,
    .advertiser_columns = FG_PACING_COLUMNS,
    .init = fg_paced_init,
    .added = fg_paced_added,
    .score = score,
    .showed = showed,
    .clicked = clicked,
    .slice = fg_paced_slice,
};
