/* live.h - advertisements for real queries, and their clicks
 *
 *     struct fg_ads *ads;
 *     fg_ads_open(&ads, workspace, &settings, err);
 *     fg_ads_for(ads, &shown, arena, FG_STR("porcini risotto"), now, err);
 *     for (size_t i = 0; i < shown.n; i++) ...shown.at[i], which is to be labelled...
 *     fg_ads_click(ads, &click, arena, token, client, now, err);
 *     fg_ads_close(ads);
 *
 * Ads, budgets and what was learned lie in the store, so any number of processes may show
 * ads and take clicks at the same time. The policy is one of market.h, with the same code
 * as in the lab: a query makes a small market of its candidates.
 *
 * What is promised. A query shows an ad only if its advertiser can pay the bid besides
 * those of displays that were made in the last minute (`hold`) and may still be clicked.
 * A click is charged once: its display is taken out of the store in the transaction that
 * charges it. What is charged is the bid, or what is left of the day's budget if that is
 * less: nobody pays more than the budget of a day, which begins at midnight UTC. A click
 * whose token we did not sign, that comes late or again, or whose client clicks too often
 * is not charged. Of clients a keyed hash is kept until midnight, and nothing else.
 *
 * Nothing is shown unless settings.enabled. A handle belongs to one thread at a time;
 * `now` is the caller's. */
#ifndef FG_SEARCH_ADS_LIVE_H
#define FG_SEARCH_ADS_LIVE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/opt.h"
#include "base/str.h"
#include "base/time.h"

struct fg_ads_settings {
    bool enabled;
    struct fg_str policy;
    int64_t shown;        /* ads a query */
    fg_time hold, window; /* how long a bid is held; how long a click may take */
    int64_t per_advertiser, per_client; /* clicks of a client that are charged a day */
    int64_t views_client; /* searches of a client that show ads a day, over the server */
};
extern const struct fg_opt fg_ads_opts[]; /* ads.enabled, ads.policy, ... */

struct fg_ads;

enum fg_status fg_ads_open(struct fg_ads **ads, const char *workspace,
                           const struct fg_ads_settings *settings, struct fg_err *err);
void fg_ads_close(struct fg_ads *ads); /* NULL is fine */

/* --- showing --- */

struct fg_ads_one {
    int64_t ad;
    struct fg_str title, url, text;
    struct fg_str token; /* for fg_ads_click; good in an address as it stands */
    bool is_broad;       /* matched by its words, not as a phrase */
};

struct fg_ads_shown {
    struct fg_ads_one *at; /* the first first, in the arena */
    size_t n;
};

/* An ad matches a query that has the same words in the same order, or, if it is for broad
 * match, all of its words; words are compared by their stems. One ad an advertiser, exact
 * before broad. Without candidates nothing is written. */
enum fg_status fg_ads_for(struct fg_ads *ads, struct fg_ads_shown *shown,
                          struct fg_arena *arena, struct fg_str query, fg_time now,
                          struct fg_err *err);

enum fg_ads_outcome {
    FG_ADS_CHARGED,
    FG_ADS_FREE,   /* counted; the budget of the day was gone */
    FG_ADS_FORGED, /* not signed by us: there is no address to go to */
    FG_ADS_LATE,
    FG_ADS_REPEATED, /* was clicked before */
    FG_ADS_TOO_MANY, /* of this client today */
};
const char *fg_ads_outcome_name(enum fg_ads_outcome outcome);

struct fg_ads_taken {
    enum fg_ads_outcome outcome;
    int64_t charged;   /* hundredths */
    struct fg_str url; /* where the click leads; empty if forged or the ad is gone */
};

/* `client` tells clients apart (an address); empty: not limited. A failure is of the
 * store; a click that is not charged is an outcome. */
enum fg_status fg_ads_click(struct fg_ads *ads, struct fg_ads_taken *taken,
                            struct fg_arena *arena, struct fg_str token,
                            struct fg_str client, fg_time now, struct fg_err *err);

/* --- campaigns --- */

struct fg_ads_campaign {
    struct fg_str advertiser, phrase, title, url, text, cluster;
    int64_t budget;    /* hundredths a day; -1: none */
    bool keeps_budget; /* of an advertiser that is there already */
    int64_t bid;       /* hundredths a click */
    bool is_broad;
    double alpha, beta; /* prior; both 0: none */
};

/* What is wrong with it, if something is: FG_ECONFIG. */
enum fg_status fg_ads_check(const struct fg_ads_campaign *campaign, struct fg_err *err);

/* Submits an ad; one that is there (advertiser, phrase, match and address) gets the new
 * bid and texts and keeps what was learned of it. What is paused stays so. FG_ECONFIG
 * says what is wrong. */
enum fg_status fg_ads_add(struct fg_ads *ads, const struct fg_ads_campaign *campaign,
                          fg_time now, int64_t *number, bool *is_new, struct fg_err *err);
/* All or none. */
enum fg_status fg_ads_add_all(struct fg_ads *ads, const struct fg_ads_campaign *campaigns,
                              size_t n, fg_time now, size_t *added, struct fg_err *err);

enum fg_ads_state { FG_ADS_ACTIVE, FG_ADS_PAUSED, FG_ADS_REVOKED };
/* Of the ad of that number, or of all ads of the advertiser of that name. A revoked ad
 * does not come back; FG_ENOTFOUND if there is none. */
enum fg_status fg_ads_set_state(struct fg_ads *ads, struct fg_str name,
                                enum fg_ads_state state, struct fg_err *err);

struct fg_ads_row {
    int64_t ad, bid, budget, shown, clicked, spent;
    struct fg_str advertiser, phrase, title, url, text;
    bool is_broad;
    enum fg_ads_state state; /* of the ad, or of its advertiser if that is stronger */
    fg_time added;
};
/* What an advertiser got on a day. */
struct fg_ads_day {
    struct fg_str advertiser;
    int32_t day;
    int64_t budget, shown, clicked, charged, spent;
};
enum fg_status fg_ads_list(struct fg_ads *ads, struct fg_ads_row **rows, size_t *n,
                           struct fg_arena *arena, struct fg_err *err);
enum fg_status fg_ads_report(struct fg_ads *ads, struct fg_ads_day **days, size_t *n,
                             struct fg_arena *arena, int32_t since, struct fg_err *err);

#endif
