/* paced.h - the prior that the paced indices learn, and what both do with it
 *
 * Private to paced_index.c and paced_index_h.c. The prior of a new ad is a beta
 * distribution of mean m0 and weight k0, learned from two kinds of display: first ones
 * (how many are clicked?) and second ones after a click on the first (how many of
 * these?). The former tell the mean, both together the spread. */
#ifndef FG_SEARCH_ADS_PACED_H
#define FG_SEARCH_ADS_PACED_H

#include "search/ads/formulas.h"
#include "search/ads/market.h"
#include "search/ads/pacing.h"

enum { FG_PACED_STEP, FG_PACED_HORIZON };
#define FG_PACED_PARAMS                                              \
    [FG_PACED_STEP] = {"step", 0.15, 0, 1,                           \
                       "how fast prices of advertisers move; 0: no " \
                       "prices"},                                    \
    [FG_PACED_HORIZON] = {"horizon", 10, 0.1, 1000, "days ahead that a lesson pays"}

/* Of the policy as a whole: first displays and clicks on them, second displays after such
 * a click and clicks on them, and the prior that follows. */
enum {
    FG_PACED_C1,
    FG_PACED_L1,
    FG_PACED_C2,
    FG_PACED_L2,
    FG_PACED_M0,
    FG_PACED_K0,
};

/* By phrase: queries and prior when its scores were last renewed. */
enum { FG_PACED_AT, FG_PACED_AT_M0, FG_PACED_AT_K0, FG_PACED_COLUMNS };

void fg_paced_init(struct fg_market *market);
/* A slice of the day is over: the prior from the counts, and new prices. */
void fg_paced_slice(struct fg_market *market, double left);
/* Queries of the phrase that are expected within the horizon, `queries` having come. */
double fg_paced_horizon(const struct fg_market *market, double queries);
/* Whether the scores of a phrase are too old; if so they count as renewed from now on. */
bool fg_paced_is_due(struct fg_market *market, size_t phrase);
/* A new ad needs a score before the phrase's next choice. */
void fg_paced_added(struct fg_market *market, size_t phrase, uint32_t place);
void fg_paced_count_display(struct fg_market *market, struct fg_ad_before before);
void fg_paced_count_click(struct fg_market *market, struct fg_ad_before before);

static inline double fg_paced_mean(const struct fg_market *m, size_t place, double m0,
                                   struct fg_ad_before before)
{
    double k0 = m->self[FG_PACED_K0];
    return (k0 * m0 + before.clicked + (double)m->prior_clicked[place]) /
           (k0 + before.shown + (double)m->prior_shown[place]);
}

static inline void fg_paced_renew(struct fg_market *m, size_t place, double m0,
                                  double horizon)
{
    double index = fg_ads_index(
        m0, m->self[FG_PACED_K0], m->shown[place] + (double)m->prior_shown[place],
        m->clicked[place] + (double)m->prior_clicked[place], horizon);
    m->score[place] = (float)(index * m->bid[place]);
}

#endif
