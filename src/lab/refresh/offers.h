/* offers.h - a workload of shop offers, as Han et al. (WWW 2020) evaluate on
 *
 *     struct fg_offers_options options = fg_offers_defaults();
 *     struct fg_offers_report report;
 *     struct fg_timeline *timeline = fg_offers_make(&options, &report);
 *     ...replay it...
 *     fg_timeline_free(timeline);
 *
 * 151 days from 2018-11-11 in steps of two hours: 60 of history, on the last 30 of which
 * forecasts are trained; 60 in which a policy warms up; 31 judged. Sites are merchants. A
 * policy is told, at the start of each day, what the log of all offers up to then says:
 * averages of 30 days, forecasts (learn/forecast.h) and smoothed clicks.
 *
 * The same options give the same timeline. Memory: 88 bytes an offer for the making, 150
 * for its log, 8 x 91 x 4 for what is told and the clicks, and 16 a change, of which
 * there are some 15 to 90 an offer by seed: 3.5 to 5 GB for a million offers. */
#ifndef FG_LAB_REFRESH_OFFERS_H
#define FG_LAB_REFRESH_OFFERS_H

#include "lab/refresh/timeline.h"
#include "learn/forecast.h"

enum { FG_OFFERS_LEAST = 100, FG_OFFERS_MOST = 2000000, FG_OFFERS_CRAWLED_DAYS = 91 };

/* A share of the offers that change at the same rate for ever. */
struct fg_steady_rate {
    double rate; /* changes a day */
    double share;
};

struct fg_offers_options {
    size_t pages;
    uint64_t seed;
    bool is_own;     /* change rates are told once, as of the first crawled day: what came
                        after, a policy has to see for itself. Of 15 % of the offers nothing
                        but metadata is known */
    double failures; /* share of the visits that are rejected, by lot */
    /* In place of rates by merchant, season, weekday and hour: steady ones. Every change
     * is to a price never seen before. Offers beyond the shares have no price to be had:
     * all their visits fail. */
    const struct fg_steady_rate *steady;
    size_t n_steady;
    struct fg_forecast_rules forecast; /* its pool is as large as the workload needs */
};

struct fg_offers_options fg_offers_defaults(void); /* 20,000 offers of seed 1 */

/* How well the forecasts tell offers with an event from those without, on the crawled
 * days: the AUC of 20 parts of the offers and days, as in Table 4. */
struct fg_offers_skill {
    double mean, deviation;
};

struct fg_offers_report {
    struct fg_offers_skill skill[FG_FORECAST_TASKS][FG_FORECAST_MODELS];
    double share[FG_FORECAST_TASKS];    /* of offers with an event, a crawled day */
    double foreseen[FG_FORECAST_TASKS]; /* the same by the forecasts from both */
};

/* `report` may be NULL. Unless it is, and the offers are told once only, the AUC is in
 * the timeline as well. */
struct fg_timeline *fg_offers_make(const struct fg_offers_options *options,
                                   struct fg_offers_report *report);

#endif
