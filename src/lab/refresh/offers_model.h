/* offers_model.h - shop offers and what happens to them day by day; private to offers*.c
 *
 *     struct offers_world *world = offers_world_new(n, seed);
 *     for (size_t day = 0; day < OFFERS_DAYS; day++)
 *         offers_world_pass(world, day, &changes);
 *     offers_world_free(world);
 *
 * Every offer has a random stream of its own, as has every merchant, so an offer's fate
 * depends on the seed and its number, and on the number of offers only through the three
 * constants that calibration sets. */
#ifndef FG_LAB_REFRESH_OFFERS_MODEL_H
#define FG_LAB_REFRESH_OFFERS_MODEL_H

#include "base/rng.h"
#include "base/vec.h"
#include "lab/refresh/offers.h"
#include "lab/refresh/timeline.h"

enum {
    OFFERS_CRAWLED_FROM = 60,
    OFFERS_DAYS = OFFERS_CRAWLED_FROM + FG_OFFERS_CRAWLED_DAYS,
    OFFERS_STEPS = 12, /* a day */
    OFFERS_JUDGED_FROM = 120,
    OFFERS_MERCHANTS = 2000,
    OFFERS_BRANDS = 5000,
    OFFERS_CATEGORIES = 300,
    OFFERS_COUNTRIES = 10,
    OFFERS_CONDITIONS = 3,
};

/* Chances that an offer changes, is shown, is clicked on a day: 1:20, 1:6.35 and 1:75, as
 * in section 4.1 of Han et al. */
#define OFFERS_CHANGED (1 / 21.0)
#define OFFERS_SHOWN   .136
#define OFFERS_CLICKED .0131

#define OFFERS_CHANGES_MOST 30.0 /* a day, before the multipliers */
#define OFFERS_LIVELY       1.55
#define OFFERS_QUIET        .45
#define OFFERS_DRIFT        .44 /* deviation of the wandering part of log impressions */
#define OFFERS_DAY_SHAPE    2.0 /* of the gamma noise of a day's impressions */

/* 2018-11-11: the first crawled day is 2019-01-10 and the first judged one 2019-03-11, as
 * published. */
#define OFFERS_FIRST_DATE INT64_C(17846)

struct offers_offer {
    struct fg_rng rng;
    uint16_t merchant, brand, category;
    uint8_t condition;
    bool is_lively; /* changes OFFERS_LIVELY times as often as on average, otherwise
                       OFFERS_QUIET */
    float changes;  /* a day, before the multipliers */
    float log_shown, drift; /* of impressions a day: what stays, and what wanders */
    float ctr;
    uint32_t value, before, last; /* now; before its last change; newest ever given */
};

struct offers_merchant {
    struct fg_rng rng;
    double change_effect, shown_effect;
    double weekday[7]; /* from Monday on; mean 1 */
    uint8_t country;
    bool is_on_sale;
};

/* What brands, categories and countries add to the logarithms. */
struct offers_effect {
    double change, shown;
};

typedef FG_VEC(struct fg_change) offers_changes;

struct offers_world {
    size_t n;
    struct offers_offer *offers;
    struct offers_merchant *merchants;
    struct offers_effect *brands, *categories, *countries;
    bool *is_seasonal; /* categories */
    /* Of the last day passed, one an offer: */
    float *changes, *clicks, *impressions;
    float *click_rate; /* expected clicks, given the day's luck with impressions */
    bool is_steady;    /* changes know no season, weekday, hour or spell */
};

/* The chances a day that a merchant's sale begins, and that it ends. */
extern const double offers_sale_starts, offers_sale_ends;

struct offers_world *offers_world_new(size_t n, uint64_t seed);
void offers_world_free(struct offers_world *world); /* NULL is fine */

/* Each offer gets one of the rates, or none: then is_lost[i] is set. */
void offers_world_steady(struct offers_world *world, const struct fg_steady_rate *rates,
                         size_t n_rates, bool *is_lost);

/* Days are passed in order. The day's changes are added by time, then offer. */
void offers_world_pass(struct offers_world *world, size_t day, offers_changes *changes);

/* 0 is Monday. */
size_t offers_weekday(size_t day);
/* Of changes by two-hour step, local time, and of clicks. They sum to 1. */
extern const double offers_change_profile[OFFERS_STEPS];
extern const double offers_click_profile[OFFERS_STEPS];
/* The step at which it is local step 0 in country k. */
size_t offers_shift(size_t country);

/* The factor on a merchant's and category's changes on a day; the offer's own activity
 * comes on top. */
double offers_factor(const struct offers_world *world, const struct offers_offer *offer,
                     size_t day);

/* Only the merchants' part of it: sales begin and end. */
void offers_pass_merchants(struct offers_world *world, size_t day);

/* Set the three constants: offers_calibrate.c. */
void offers_calibrate(struct offers_world *world, const struct fg_rng *rng);

#endif
