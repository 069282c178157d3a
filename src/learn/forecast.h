/* forecast.h - will an offer change, be clicked, be shown within the next day?
 *
 *     struct fg_forecast_rules rules = fg_forecast_defaults();
 *     struct fg_forecast *forecast = fg_forecast_new(&rules);
 *     at the end of each day:
 *         fg_forecast_add(forecast, &day);       features as of its start, and what came
 *         fg_forecast_train(forecast);
 *     fg_forecast_rates(forecast, FG_FORECAST_CLICK, FG_FORECAST_BOTH, &next, rates);
 *     fg_forecast_free(forecast);
 *
 * Han et al. (WWW 2020), section 3.3: for each of three questions a network (mlp.h) from
 * the metadata, one from the history, one from both. Metadata are sparse ids, hashed and
 * embedded; the history is what offer_log.h makes. An offer without any history is asked
 * of the metadata network even where both are wanted: a cold start.
 *
 * Clicks are rare. Training takes `negatives` for each positive example and leaves out
 * the rest of the negatives; the odds that the network then gives are multiplied by the
 * share that was taken. So chances are those of the day as it is, and may be used as
 * rates.
 *
 * Nothing here reads a clock or prints; the same days in the same order give the same
 * forecasts. */
#ifndef FG_LEARN_FORECAST_H
#define FG_LEARN_FORECAST_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "learn/offer_log.h"

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fg_forecast;

enum fg_forecast_task {
    FG_FORECAST_CHANGE,
    FG_FORECAST_CLICK,
    FG_FORECAST_IMPRESSION,
    FG_FORECAST_TASKS
};

enum fg_forecast_model {
    FG_FORECAST_METADATA,
    FG_FORECAST_HISTORY,
    FG_FORECAST_BOTH,
    FG_FORECAST_MODELS
};

extern const char *const fg_forecast_task_names[FG_FORECAST_TASKS];
extern const char *const fg_forecast_model_names[FG_FORECAST_MODELS];

/* What is known of an offer besides its history; 0: not known. The day of the week comes
 * with the day. */
enum fg_offer_field {
    FG_OFFER_BRAND,
    FG_OFFER_CONDITION,
    FG_OFFER_COUNTRY,
    FG_OFFER_LANGUAGE,
    FG_OFFER_MERCHANT,
    FG_OFFER_CATEGORY,
    FG_OFFER_IDS /* how many there are */
};

/* The id of a text such as "new" or "de"; 0 for an empty one. Numbers will do as well. */
uint32_t fg_offer_id(struct fg_str text);

/* A day of many offers: flat arrays, borrowed until the call returns. */
struct fg_offer_day {
    size_t n;
    int64_t day;           /* since 1970-01-01 */
    const uint64_t *offer; /* who they are, the same on all days; NULL: nobody can tell */
    const float *history; /* n x FG_OFFER_HISTORY as of the day's start, NaN where nothing
                             is known; NULL: of none */
    const uint32_t *ids;  /* n x FG_OFFER_IDS */
    const float *label[FG_FORECAST_TASKS]; /* whether it came on that day: 1, 0, or NaN if
                                              nobody knows. NULL: of none */
};

struct fg_forecast_rules {
    size_t layers[3];
    size_t pool;              /* examples kept, a random share of those added */
    size_t examples;          /* trained on for each question at a time, at most */
    size_t validation_days;   /* the last ones, on which training is ended */
    double validation_offers; /* share of them on which that from metadata is ended */
    unsigned epochs;          /* over the pool in one training, at most */
    double negatives[FG_FORECAST_TASKS]; /* for each positive; INFINITY: all */
    double rate, l1, l2;
    uint64_t seed;
    const atomic_bool *stop; /* once set, training ends soon, and is worth nothing; may be
                                NULL */
};
/* 256, 128 and 64 units; Adagrad with L1 = L2 = 0.001 as published; the rest is ours. */
struct fg_forecast_rules fg_forecast_defaults(void);

struct fg_forecast *fg_forecast_new(const struct fg_forecast_rules *rules);
void fg_forecast_free(struct fg_forecast *forecast); /* NULL is fine */

/* A day that is over. If there are trained networks they are judged on it first, see
 * fg_forecast_skill; then it is kept to train on. Days come in ascending order. */
void fg_forecast_add(struct fg_forecast *forecast, const struct fg_offer_day *day);

/* Train on what was added, from where the last training ended. A question of which there
 * are too few examples of either kind stays as it is. False if nothing was trained. */
bool fg_forecast_train(struct fg_forecast *forecast);

/* There is a network for it. */
bool fg_forecast_can(const struct fg_forecast *forecast, enum fg_forecast_task task,
                     enum fg_forecast_model model);

/* The chance of one or more on that day, for each of day->n offers; NaN where there is
 * no network. Labels are not looked at. */
void fg_forecast_chances(const struct fg_forecast *forecast, enum fg_forecast_task task,
                         enum fg_forecast_model model, const struct fg_offer_day *day,
                         float *out);
/* The same as expected numbers a day: -ln(1 - P). This is what policies are told. */
void fg_forecast_rates(const struct fg_forecast *forecast, enum fg_forecast_task task,
                       enum fg_forecast_model model, const struct fg_offer_day *day,
                       float *out);

/* How well days were foreseen that the networks had not seen: the area under the ROC
 * curve, one value a day over the last 31 days that had both outcomes. */
struct fg_forecast_skill {
    size_t days;
    double mean, deviation; /* of the days' AUC; NaN if there is none */
    size_t positives, negatives;
};
struct fg_forecast_skill fg_forecast_skill(const struct fg_forecast *forecast,
                                           enum fg_forecast_task task,
                                           enum fg_forecast_model model);

/* Networks, examples and skill as bytes, with a checksum. Bytes of other layers or
 * damaged ones are refused. */
void fg_forecast_save(const struct fg_forecast *forecast, struct fg_buf *out);
enum fg_status fg_forecast_load(struct fg_forecast *forecast, struct fg_str bytes,
                                struct fg_err *err);

#endif
