/* options.h - which market of advertisements to make */
#ifndef FG_LAB_ADS_OPTIONS_H
#define FG_LAB_ADS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FG_ADS_DAYS_MOST = 120 };

enum fg_ads_kind {
    FG_ADS_MARKET_A,
    FG_ADS_MARKET_B,
    FG_ADS_RANDOM,    /* small, with its optimum computed */
    FG_ADS_BAD_ORDER, /* small, in the worst order for the greedy */
};

struct fg_ads_options {
    enum fg_ads_kind kind;
    uint64_t seed;
    double scale;           /* one of every 1/scale phrases */
    double zipf;            /* how fast frequencies of phrases fall */
    double ads;             /* a phrase, their median */
    double budgeted;        /* share of advertisers with a budget */
    double budget_size;     /* its median, relative to what could be spent */
    double budget_floor;    /* ... but so many of the highest bid */
    double related;         /* how much of the rates is common to advertiser, phrase and
                               cluster: 0 to 1 */
    double prior_share;     /* of ads with a prior (6.8.1) */
    double prior_quality;   /* v of the thesis */
    double lifetime;        /* days an ad lives; 0: for ever */
    bool is_broad;          /* as many ads again from neighbouring phrases */
    bool is_block;          /* the queries of a phrase come in a row */
    size_t days, first_day; /* days simulated; figures are from first_day on (from 0) */
    size_t queries;         /* of a small world */
};

/* As published, or as measured with; days are 10. */
struct fg_ads_options fg_ads_options_default(void);

#endif
