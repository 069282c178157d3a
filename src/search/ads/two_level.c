/* two_level.c - a bandit over clusters of similar ads, and one inside the cluster
 *
 * Ads of a cluster are taken to have similar rates of clicks (6.8.4, after Pandey,
 * Chakrabarti and Agarwal, ICML 2007). The cluster is that of the ad with the highest
 * (cluster's mean + its exploration term over all queries) b; inside it BMIX-E decides.
 * Further ads of a query are taken from the other clusters, behind those of the first. */
#include "search/ads/mixes.h"

static const struct fg_param params[] = FG_MIX_PARAMS;

static double cluster_index(const struct fg_market *m, size_t cluster, double log_t)
{
    double n = m->clusters.shown[cluster];
    double mean = n > 0 ? m->clusters.clicked[cluster] / n : 0;
    return n > 0 ? mean + fg_mix_e_term(mean, log_t, n) : INFINITY;
}

static void score(struct fg_market *m, size_t phrase)
{
    size_t first = m->phrases.first[phrase], end = first + m->phrases.count[phrase],
           best = SIZE_MAX;
    double log_t = fg_log((double)m->all_queries), highest = -1;
    fg_mixes_score_e(m, phrase);
    for (size_t i = first; i < end; i++) {
        double index = cluster_index(m, m->cluster[i], log_t) * m->bid[i];
        if (fg_market_can_pay(m, i) && index > highest) {
            highest = index;
            best = m->cluster[i];
        }
    }
    for (size_t i = first; i < end; i++)
        if (m->cluster[i] != best)
            m->score[i] = fminf(m->score[i], 1e6F) * 1e-12F;
}

static void day(struct fg_market *market)
{
    fg_mixes_day(market);
}

const struct fg_ads_policy fg_ads_two_level = {
    .name = "two-level",
    .summary = "a bandit over clusters of ads, then BMIX-E inside",
    .paper = "Pandey's thesis, section 6.8.4",
    .params = params,
    .score = score,
    .day = day,
};
