/* Training from the pool of examples.
 *
 * The share of negatives that a network is trained on is set at its first training, and
 * stays: its last layer has learnt the odds that go with it.
 *
 * Training ends when the loss on examples held out no longer falls. For networks that see
 * the history these are the last days. The one that sees metadata only is for offers that
 * nobody has seen before, so it is held to offers that it has not seen: brand, merchant
 * and category together name most offers, and on later days of the same offers a network
 * that has learnt them by heart looks better than one that has understood something. */
#include "base/memory.h"
#include "learn/forecast_model.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAST = 20,   /* examples of either kind, to train a network */
    CHECKS = 10,  /* of the held-out loss in an epoch ... */
    PATIENCE = 5, /* ... and how many in a row may find no better */
    NEWTON_STEPS = 12,
    SLOPE_MOST = 5, /* no network is that shy */
};

/* --- which examples --- */

/* What a network is trained for, and on which examples it is held to account. */
struct lesson {
    struct fg_forecast *forecast;
    struct forecast_network *network;
    enum fg_forecast_task task;
    enum fg_forecast_model model;
    int64_t last;   /* day to train on */
    bool by_offers; /* offers are held out rather than days */
};

static int64_t newest_day(const struct forecast_pool *pool)
{
    int64_t newest = INT64_MIN;
    for (size_t i = 0; i < pool->n; i++)
        newest = pool->day[i] > newest ? pool->day[i] : newest;
    return newest;
}

static bool has_held_out(const struct forecast_pool *pool)
{
    for (size_t i = 0; i < pool->n; i++)
        if (pool->is_held_out[i])
            return true;
    return false;
}

static bool is_usable(const struct lesson *lesson, size_t row)
{
    const struct forecast_pool *pool = &lesson->forecast->pool;
    return !isnan(pool->label[lesson->task][row]) &&
           (lesson->model == FG_FORECAST_METADATA ||
            forecast_is_known(pool->dense + row * FG_OFFER_HISTORY));
}

static bool is_positive(const struct lesson *lesson, size_t row)
{
    return lesson->forecast->pool.label[lesson->task][row] > .5f;
}

static bool is_for_validation(const struct lesson *lesson, size_t row)
{
    const struct forecast_pool *pool = &lesson->forecast->pool;
    return lesson->by_offers ? pool->is_held_out[row] : pool->day[row] > lesson->last;
}

struct counted {
    size_t positives, negatives;
};

static struct counted count(const struct lesson *lesson)
{
    struct counted counted = {0};
    for (size_t i = 0; i < lesson->forecast->pool.n; i++)
        if (is_usable(lesson, i) && !is_for_validation(lesson, i))
            *(is_positive(lesson, i) ? &counted.positives : &counted.negatives) += 1;
    return counted;
}

static double share_kept(double per_positive, struct counted counted)
{
    double wanted = per_positive * (double)counted.positives;
    return wanted < (double)counted.negatives ? wanted / (double)counted.negatives : 1;
}

/* Rows of the pool. */
struct chosen {
    uint32_t *training, *validation;
    size_t n_training, n_validation;
};

/* Positives, and of the negatives the share the network keeps; all of them thinned out
 * so that no more are trained on than the rules say. */
static struct chosen choose(const struct lesson *lesson, struct counted counted,
                            struct fg_rng rng)
{
    size_t n = lesson->forecast->pool.n;
    double keeps = lesson->network->keeps;
    double expected = (double)counted.positives + keeps * (double)counted.negatives;
    double thinned = fmin(1, (double)lesson->forecast->rules.examples / expected);
    struct chosen chosen = {.training = fg_zeroed(n, sizeof *chosen.training),
                            .validation = fg_zeroed(n, sizeof *chosen.validation)};
    for (size_t i = 0; i < n; i++) {
        double chance = thinned * (is_positive(lesson, i) ? 1 : keeps);
        if (!is_usable(lesson, i) || fg_rng_unit(&rng) >= chance)
            continue;
        if (is_for_validation(lesson, i))
            chosen.validation[chosen.n_validation++] = (uint32_t)i;
        else
            chosen.training[chosen.n_training++] = (uint32_t)i;
    }
    return chosen;
}

/* --- training --- */

/* Targets lie in the pool under the rows picked, as inputs do. */
static struct fg_mlp_examples examples_of(const struct lesson *lesson,
                                          const uint32_t *pick, size_t n)
{
    const struct forecast_pool *pool = &lesson->forecast->pool;
    return (struct fg_mlp_examples){
        {pool->dense, pool->fields, pick, n}, pool->label[lesson->task], NULL};
}

static void fit(const struct lesson *lesson, const struct chosen *chosen,
                struct fg_rng rng)
{
    struct forecast_network *network = lesson->network;
    const struct fg_forecast_rules *rules = &lesson->forecast->rules;
    struct fg_mlp_examples training =
        examples_of(lesson, chosen->training, chosen->n_training);
    struct fg_mlp_examples validation =
        examples_of(lesson, chosen->validation, chosen->n_validation);
    struct fg_mlp_training how = fg_mlp_as_han;
    how.epochs = rules->epochs;
    how.step = rules->rate;
    how.l1 = rules->l1;
    how.l2 = rules->l2;
    how.check = training.rows.n / CHECKS + 1;
    how.patience = PATIENCE;
    how.stop = rules->stop;
    if (!network->mlp) {
        network->mlp =
            forecast_network_new(lesson->forecast, lesson->task, lesson->model);
        fg_mlp_standardise(network->mlp, &training.rows);
    }
    fg_mlp_train(network->mlp, &training, &validation, &how, &rng, NULL);
}

/* --- what its words are worth --- */

/* Two numbers of logistic regression, from what the network says to what came: the sums
 * of a Newton step from (slope, shift). A weak pull to (1, 0) keeps it defined. */
struct newton {
    double gradient[2], hessian[3];
};

static struct newton newton_at(const double *says, const bool *came, size_t n,
                               const double at[2])
{
    struct newton sums = {{at[0] - 1, at[1]}, {1, 0, 1}};
    for (size_t i = 0; i < n; i++) {
        double p = 1 / (1 + exp(-at[0] * says[i] - at[1]));
        double error = p - came[i], curve = p * (1 - p);
        sums.gradient[0] += error * says[i];
        sums.gradient[1] += error;
        sums.hessian[0] += curve * says[i] * says[i];
        sums.hessian[1] += curve * says[i];
        sums.hessian[2] += curve;
    }
    return sums;
}

static void solve(const double *says, const bool *came, size_t n, double at[2])
{
    for (size_t step = 0; step < NEWTON_STEPS; step++) {
        struct newton s = newton_at(says, came, n, at);
        double area = s.hessian[0] * s.hessian[2] - s.hessian[1] * s.hessian[1];
        at[0] -= (s.hessian[2] * s.gradient[0] - s.hessian[1] * s.gradient[1]) / area;
        at[1] -= (s.hessian[0] * s.gradient[1] - s.hessian[1] * s.gradient[0]) / area;
    }
}

/* A network whose training was ended early says too little, one that has learnt its
 * examples by heart too much: the held-out examples tell how far to follow it. */
static void weigh_words(const struct lesson *lesson, const struct chosen *chosen)
{
    size_t n = chosen->n_validation, positives = 0;
    float *chance = fg_zeroed(n, sizeof *chance);
    double *says = fg_zeroed(n, sizeof *says), at[2] = {1, 0};
    bool *came = fg_zeroed(n, sizeof *came);
    struct fg_mlp_examples held_out = examples_of(lesson, chosen->validation, n);
    fg_mlp_predict(lesson->network->mlp, &held_out.rows, chance);
    for (size_t i = 0; i < n; i++) {
        says[i] = forecast_log_odds(chance[i]);
        came[i] = is_positive(lesson, chosen->validation[i]);
        positives += came[i];
    }
    if (positives >= LEAST && n - positives >= LEAST)
        solve(says, came, n, at);
    bool is_sound = at[0] > 0 && at[0] < SLOPE_MOST && isfinite(at[1]);
    lesson->network->slope = is_sound ? at[0] : 1;
    lesson->network->shift = is_sound ? at[1] : 0;
    free(chance);
    free(says);
    free(came);
}

static bool train(const struct lesson *lesson)
{
    struct fg_forecast *forecast = lesson->forecast;
    struct counted counted = count(lesson);
    if (counted.positives < LEAST || counted.negatives < LEAST)
        return false;
    if (!lesson->network->mlp)
        lesson->network->keeps =
            share_kept(forecast->rules.negatives[lesson->task], counted);
    struct fg_rng seed = fg_rng_from_seed(forecast->rules.seed);
    struct fg_rng trainings =
        fg_rng_split(&seed, UINT64_C(2) << 32 | forecast->trainings);
    struct fg_rng rng =
        fg_rng_split(&trainings, lesson->task * FG_FORECAST_MODELS + lesson->model);
    struct chosen chosen = choose(lesson, counted, fg_rng_split(&rng, 0));
    fit(lesson, &chosen, fg_rng_split(&rng, 1));
    weigh_words(lesson, &chosen);
    free(chosen.training);
    free(chosen.validation);
    return true;
}

bool fg_forecast_train(struct fg_forecast *forecast)
{
    if (!forecast->pool.n)
        return false;
    struct lesson lesson = {.forecast = forecast};
    bool is_trained = false, can_hold_offers_out = has_held_out(&forecast->pool);
    lesson.last = newest_day(&forecast->pool) - (int64_t)forecast->rules.validation_days;
    for (lesson.task = 0; lesson.task < FG_FORECAST_TASKS; lesson.task++)
        for (lesson.model = 0; lesson.model < FG_FORECAST_MODELS; lesson.model++) {
            lesson.network = &forecast->network[lesson.task][lesson.model];
            lesson.by_offers =
                lesson.model == FG_FORECAST_METADATA && can_hold_offers_out;
            is_trained |= train(&lesson);
        }
    forecast->trainings++;
    return is_trained;
}
