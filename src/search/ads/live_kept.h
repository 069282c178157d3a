/* live_kept.h - what live advertisements keep in the store, read and written
 *
 * Private to live.c, clicks.c and campaigns.c. A query and a click each make a small
 * market (market.h) of what they are about, load what was learned into its columns, let
 * the policy work, and save the columns again. */
#ifndef FG_SEARCH_ADS_LIVE_KEPT_H
#define FG_SEARCH_ADS_LIVE_KEPT_H

#include "base/terms.h"
#include "search/ads/live.h"
#include "search/ads/market.h"
#include "search/ads/token.h"
#include "store/ads.h"

/* What is kept of all queries together, as it stands. */
struct kept {
    char policy[32];
    double self[FG_ADS_SELF];
    fg_time began;
    uint64_t queries, phrases;
    int64_t slice; /* of all days */
};

struct fg_ads {
    struct fg_ads_db *db;
    struct fg_ads_settings settings;
    const struct fg_ads_policy *policy;
    struct fg_stemmer *stemmer;
    unsigned char secret[FG_ADS_SECRET];
};

/* An ad that a query may show, with its advertiser. */
struct candidate {
    struct fg_ads_one one;
    int64_t advertiser, bid, budget;
    struct fg_str cluster;
    double alpha, beta, price;
    float learned[FG_ADS_COLUMNS]; /* of the advertiser */
    struct fg_str arm;             /* the phrase that its counts are of */
};

/* How often a phrase was asked for, or an ad shown and clicked for it. */
struct counts {
    int64_t shown, clicked;
    float learned[FG_ADS_COLUMNS];
    bool is_there;
};

/* Room for bytes of a known number. */
struct bytes {
    void *at;
    size_t n;
    bool is_there;
};

enum fg_status ads_get_state(struct fg_ads *ads, const char *name, struct bytes *bytes,
                             struct fg_err *err);
enum fg_status ads_put_state(struct fg_ads *ads, const char *name, const void *at,
                             size_t n, struct fg_err *err);
enum fg_status ads_get_number(struct fg_ads *ads, enum fg_ads_question question,
                              const struct fg_ads_cell *arguments, int64_t *number,
                              struct fg_err *err);
enum fg_status ads_tell(struct fg_ads *ads, enum fg_ads_question question,
                        const struct fg_ads_cell *arguments, struct fg_err *err);
int32_t ads_day_of(fg_time now);
void ads_read_learned(float learned[FG_ADS_COLUMNS], const struct fg_ads_cell *cell);
bool ads_is_paced(const struct fg_ads *ads);
void ads_load_columns(float **columns, size_t n, size_t at, const float *learned);
struct fg_str ads_save_columns(float **columns, size_t n, size_t at, float *learned);
enum fg_status ads_load_kept(struct fg_ads *ads, struct kept *kept,
                             struct fg_market *market, fg_time now, struct fg_err *err);
enum fg_status ads_save_kept(struct fg_ads *ads, struct kept *kept,
                             const struct fg_market *market, struct fg_err *err);
int32_t ads_clip(int64_t money);
enum fg_status ads_remaining_of(struct fg_ads *ads, int64_t advertiser, int64_t budget,
                                fg_time now, bool less_held, int32_t *remaining,
                                struct fg_err *err);
enum fg_status ads_add_advertiser(struct fg_ads *ads, struct fg_market *m,
                                  const struct candidate *c, fg_time now, uint32_t *who,
                                  struct fg_err *err);
enum fg_status ads_read_arm(struct fg_ads *ads, int64_t ad, struct fg_str phrase,
                            struct counts *counts, struct fg_err *err);
enum fg_status ads_read_phrase(struct fg_ads *ads, struct fg_str phrase,
                               struct counts *counts, struct fg_err *err);
enum fg_status ads_save_advertiser(struct fg_ads *ads, struct fg_market *m, size_t who,
                                   int64_t number, struct fg_err *err);
enum fg_status ads_save_arm(struct fg_ads *ads, struct fg_market *m, size_t place,
                            int64_t ad, struct fg_str phrase, struct fg_err *err);
enum fg_status ads_save_phrase(struct fg_ads *ads, struct fg_market *m,
                               struct fg_str phrase, struct fg_err *err);

#endif
