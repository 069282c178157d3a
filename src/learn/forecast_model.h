/* forecast_model.h - what a forecast consists of; private to forecast*.c */
#ifndef FG_LEARN_FORECAST_MODEL_H
#define FG_LEARN_FORECAST_MODEL_H

#include "learn/forecast.h"
#include "learn/mlp.h"

enum {
    FORECAST_FIELDS = FG_OFFER_IDS + 1, /* the last is the day of the week */
    FORECAST_SKILL_DAYS = 31,
    FORECAST_POOL_DAYS = 30, /* the pool has room for so many */
};

/* Inputs and labels as the networks take them: counts as logarithms, ids as they go into
 * the tables. Flat, one entry (or row) an example; a ring once it is full. */
struct forecast_pool {
    size_t n, room, next, most;
    float *dense;     /* FG_OFFER_HISTORY each */
    uint32_t *fields; /* FORECAST_FIELDS each */
    float *label[FG_FORECAST_TASKS];
    int64_t *day;
    bool *is_held_out; /* from the network that knows offers by metadata only */
};

struct forecast_skill_day {
    double auc;
    uint64_t positives, negatives;
};

struct forecast_network {
    struct fg_mlp *mlp;  /* NULL: not trained yet */
    double keeps;        /* share of the negatives that it is trained on */
    double slope, shift; /* log odds = slope x what it says + shift + log(keeps) */
    uint64_t judged;     /* days; the last ones are in `skill`, a ring */
    struct forecast_skill_day skill[FORECAST_SKILL_DAYS];
};

struct fg_forecast {
    struct fg_forecast_rules rules;
    struct forecast_network network[FG_FORECAST_TASKS][FG_FORECAST_MODELS];
    struct forecast_pool pool;
    uint64_t days, trainings; /* added; done */
};

/* The network for a question, untrained. */
struct fg_mlp *forecast_network_new(const struct fg_forecast *forecast,
                                    enum fg_forecast_task task,
                                    enum fg_forecast_model model);

/* The row has some history. */
bool forecast_is_known(const float *dense);

double forecast_log_odds(float chance);

/* Examples first .. first + n of a day as the networks take them; `picked` names them, or
 * is NULL for all. */
void forecast_prepare(const struct fg_offer_day *day, const uint64_t *picked,
                      size_t first, size_t n, float *dense, uint32_t *fields);

void forecast_pool_add(struct forecast_pool *pool, const struct fg_offer_day *day,
                       const uint64_t *picked, size_t n, double held_out);
void forecast_pool_clear(struct forecast_pool *pool);

#endif
