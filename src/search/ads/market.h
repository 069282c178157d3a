/* market.h - advertisements on phrases, bids and daily budgets, and which are shown
 *
 *     struct fg_market market;
 *     fg_market_init(&market, fg_ads_policy_find(FG_STR("paced-index")), seed);
 *     uint32_t who = fg_market_add_advertiser(&market, 500);       (5.00 a day)
 *     uint32_t phrase = fg_market_add_phrase(&market);
 *     fg_market_add(&market, phrase, &(struct fg_ad){.advertiser = who, .bid = 40});
 *     n = fg_market_query(&market, phrase, 3, places);
 *     fg_market_show(&market, phrase, places[0]);
 *     fg_market_click(&market, phrase, places[0], before);
 *     fg_market_clear(&market);
 *
 * Pandey's thesis, chapter 6, with the layout that makes a choice one pass over flat
 * memory: the ads of a phrase lie together, and what the pass reads (score, bid,
 * advertiser) are columns of their own. Money is in whole hundredths of the currency, so
 * sums are exact.
 *
 * An ad is shown only while its advertiser can pay the whole bid, so nobody is charged
 * beyond the budget. A policy (policy table at the end) gives each ad a score; what is
 * shown are the highest of score times `keep`, a factor of the advertiser with which
 * throttled and paced policies spread spending over the day. Of equal ones the first.
 *
 * A market belongs to one thread. The same market serves the laboratory, which has all
 * ads in it, and a live query, which has the candidates of one query in it. */
#ifndef FG_SEARCH_ADS_MARKET_H
#define FG_SEARCH_ADS_MARKET_H

#include "base/rng.h"
#include "base/str.h"
#include "policy/policy.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    FG_ADS_SHOWN_MOST = 16, /* ads a query */
    FG_ADS_COLUMNS = 5,     /* of a policy, by place, phrase and advertiser */
    FG_ADS_KNOBS = 6,
    FG_ADS_SELF = 8,
    FG_ADS_SLICES = 48, /* of a day, after each of which prices may change */
    FG_NO_BUDGET = INT32_MAX,
    FG_MONEY_MOST = 1000000000, /* of a bid or budget */
};

struct fg_ads_policy;

struct fg_ad {
    uint32_t id, advertiser;
    int32_t bid;       /* hundredths a click, above 0 */
    float alpha, beta; /* of its own prior, Beta(alpha, beta); both 0: none */
    uint16_t cluster;  /* of similar ads */
    float ctr;         /* only in the lab, for policies that may know it */
};

struct fg_purse {
    int32_t remaining; /* what may still be promised today; FG_NO_BUDGET: no end */
    float keep;        /* what the scores are multiplied by */
};

struct fg_phrases {
    uint32_t *first, *count,
        *space; /* places: from `first` on, `count` of `space` in use */
    uint32_t *queries;
    float *column[FG_ADS_COLUMNS];
    size_t n, room;
};

struct fg_advertisers {
    struct fg_purse *purse;
    int32_t *budget;
    float *column[FG_ADS_COLUMNS];
    size_t n, room;
};

struct fg_clusters {
    uint32_t *shown, *clicked; /* as far as there are any */
    size_t n;
};

struct fg_market {
    const struct fg_ads_policy *policy;
    double knob[FG_ADS_KNOBS];
    double self[FG_ADS_SELF]; /* of the policy as a whole */
    struct fg_rng rng;
    double days;          /* since the beginning, with its fraction */
    double mean_queries;  /* a phrase and day */
    double horizon_days;  /* an ad is expected to live so long; 0: does not end */
    uint64_t all_queries; /* of all phrases */

    /* by place */
    float *score;
    int32_t *bid;
    uint32_t *advertiser;
    uint32_t *shown, *clicked;
    float *prior_shown, *prior_clicked; /* alpha + beta, and alpha */
    uint32_t *id;
    uint16_t *cluster;
    float *ctr;
    float *of_place[FG_ADS_COLUMNS];
    size_t places, place_room;

    struct fg_phrases phrases;
    struct fg_advertisers advertisers;
    struct fg_clusters clusters;
};

/* How often an ad had been shown and clicked before the display that is spoken of. */
struct fg_ad_before {
    uint32_t shown, clicked;
};

/* The knobs are as the policy has them. */
void fg_market_init(struct fg_market *market, const struct fg_ads_policy *policy,
                    uint64_t seed);
void fg_market_clear(struct fg_market *market);
/* False if the policy has no such knob, or the value lies outside its range. */
bool fg_market_set(struct fg_market *market, struct fg_str knob, double value);

uint32_t fg_market_add_phrase(struct fg_market *market);
uint32_t fg_market_add_advertiser(struct fg_market *market, int32_t budget);
/* At any time (6.8.3); the place it has until another ad of the phrase is removed. */
uint32_t fg_market_add(struct fg_market *market, size_t phrase, const struct fg_ad *ad);
/* False if the phrase has no such ad. The last ad of the phrase takes its place. */
bool fg_market_remove(struct fg_market *market, size_t phrase, uint32_t id);

/* A query of the phrase: the places of at most `most` ads, the first first. */
size_t fg_market_query(struct fg_market *market, size_t phrase, size_t most,
                       uint32_t *places);
/* The choice alone, by the scores as they are. */
size_t fg_market_choose(const struct fg_market *market, size_t phrase, size_t most,
                        uint32_t *places);
/* One of them is shown; what was known of it before. */
struct fg_ad_before fg_market_show(struct fg_market *market, size_t phrase,
                                   uint32_t place);
/* ... and clicked. What is charged: the bid, or 0 if the advertiser cannot pay it. */
int32_t fg_market_click(struct fg_market *market, size_t phrase, uint32_t place,
                        struct fg_ad_before before);

/* A slice of the day is over, and `left` of it are to come (0 to 1). */
void fg_market_slice(struct fg_market *market, double left);
/* A new day: budgets are renewed. */
void fg_market_day(struct fg_market *market);
/* Sets what is left of a budget, and the throttle that follows from it. */
void fg_market_fill(struct fg_market *market, size_t advertiser, int32_t remaining);

/* The mean of the clicks per display, with the prior of the ad; 0 of nothing. */
static inline double fg_market_mean(const struct fg_market *m, size_t place)
{
    double n = (double)m->shown[place] + (double)m->prior_shown[place];
    return n > 0 ? ((double)m->clicked[place] + (double)m->prior_clicked[place]) / n : 0;
}

static inline bool fg_market_can_pay(const struct fg_market *m, size_t place)
{
    return m->advertisers.purse[m->advertiser[place]].remaining >= m->bid[place];
}

/* --- policies --- */

struct fg_ads_policy {
    const char *name, *summary, *paper;
    const struct fg_param *params; /* ended by {0}; NULL: none */
    bool ignores_budgets;          /* shows ads nobody pays for */
    bool is_throttled;             /* keep is 1 - exp(-remaining / budget) */
    bool needs_ctr;                /* lab only: it knows what others must learn */
    uint8_t place_columns, phrase_columns, advertiser_columns;
    void (*init)(struct fg_market *market);
    /* An ad was submitted. */
    void (*added)(struct fg_market *market, size_t phrase, uint32_t place);
    /* Before a choice: brings the scores of the phrase up to date. */
    void (*score)(struct fg_market *market, size_t phrase);
    /* After a display and after a click, which are counted already. */
    void (*showed)(struct fg_market *market, size_t phrase, uint32_t place,
                   struct fg_ad_before before);
    void (*clicked)(struct fg_market *market, size_t phrase, uint32_t place,
                    struct fg_ad_before before);
    void (*slice)(struct fg_market *market, double left);
    void (*day)(struct fg_market *market);
};

extern const struct fg_ads_policy *const fg_ads_policies[];         /* ended by NULL */
const struct fg_ads_policy *fg_ads_policy_find(struct fg_str name); /* or NULL */

#endif
