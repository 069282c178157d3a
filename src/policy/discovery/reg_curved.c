/* reg_curved.c - `reg` with a learner that can bend: a polynomial, or boosted trees
 *
 * Pham, Santos and Freire (WSDM 2018, 5.3, "Implementation details") tried three
 * regressions in REG, linear, polynomial and gradient-boosted trees, saw "no significant
 * improvement" by the last two and report the first. Here are the last two; all else is
 * as in reg.c.
 *
 *   reg-poly   squares and products of avg, std, age and aa beside the 35 features. What
 *              is left out of the full polynomial of degree two are the products with the
 *              hour and the day
 *   reg-trees  100 trees of depth 3 (learn/trees.h) over avg, std, age, aa, hour and day
 *
 * Both learn anew from the visits of the last week at each training; at most 20,000 of
 * them, taken evenly. */
#include "policy/discovery/yield_model.h"

#include "base/memory.h"
#include "base/vec.h"
#include "learn/trees.h"
#include "policy/discovery/calendar.h"

#include <stdlib.h>
#include <string.h>

enum {
    NUMBERS = FG_YIELD_AA + 1,
    PRODUCTS = NUMBERS * (NUMBERS + 1) / 2,
    WIDE = FG_YIELD_FEATURES + PRODUCTS,
    TREE_FEATURES = NUMBERS + 2,
    EXAMPLES_MOST = 20000
};
_Static_assert((int)WIDE <= (int)FG_LEAST_SQUARES_MAX, "learn/least_squares.h has room");

enum { TREES = FG_YIELD_KNOBS, RATE };
static const struct fg_param poly_params[] = {FG_YIELD_PARAMS(168, 0.7), {0}};
static const struct fg_param tree_params[] = {
    FG_YIELD_PARAMS(168, 0.7),
    [TREES] = {"trees", 100, 1, FG_TREES_MAX, "trees"},
    [RATE] = {"rate", 0.1, 0.001, 1, "share of each tree's answer that is added"},
    {0},
};

struct self {
    struct fg_yield_model model;
    union learnt {
        double weights[WIDE + 1];
        struct fg_trees trees;
    } learnt;
};

static bool is_poly(const struct fg_brain *brain)
{
    return brain->policy->params == poly_params;
}

static uint64_t stride_of(const struct fg_yield_known *known)
{
    return (known->next - known->in_history) / EXAMPLES_MOST + 1;
}

/* --- a polynomial --- */

static void widen(double *x)
{
    for (size_t i = 0, at = FG_YIELD_FEATURES; i < NUMBERS; i++)
        for (size_t j = 0; j <= i; j++)
            x[at++] = x[i] * x[j];
}

static void fit_poly(struct self *self)
{
    const struct fg_yield_known *known = &self->model.known;
    struct fg_least_squares *sums = fg_zeroed(1, sizeof *sums);
    double x[WIDE];
    sums->features = WIDE;
    for (uint64_t i = known->in_history; i < known->next; i += stride_of(known)) {
        const struct fg_yield_visit *visit = fg_yield_visit(&self->model, i);
        fg_yield_features(visit, x);
        widen(x);
        fg_least_squares_add(sums, x, (double)visit->found);
    }
    fg_least_squares_solve(sums, self->learnt.weights);
    free(sums);
}

static double say_poly(const struct self *self, const struct fg_yield_visit *visit)
{
    double x[WIDE], sum = self->learnt.weights[WIDE];
    fg_yield_features(visit, x);
    widen(x);
    for (size_t i = 0; i < WIDE; i++)
        sum += self->learnt.weights[i] * x[i];
    return sum;
}

/* --- trees --- */

static void features_of(const struct fg_yield_visit *visit, float *x)
{
    x[FG_YIELD_AVG] = visit->avg;
    x[FG_YIELD_STD] = visit->std;
    x[FG_YIELD_AGE] = visit->age;
    x[FG_YIELD_AA] = visit->avg * visit->age;
    x[NUMBERS] = visit->hour;
    x[NUMBERS + 1] = visit->day;
}

static void fit_trees(struct fg_brain *brain, struct self *self)
{
    const struct fg_yield_known *known = &self->model.known;
    size_t room = (size_t)((known->next - known->in_history) / stride_of(known)) + 1;
    float *columns = fg_zeroed((TREE_FEATURES + 1) * room, sizeof *columns);
    float x[TREE_FEATURES], *y = columns + TREE_FEATURES * room;
    const float *at[TREE_FEATURES];
    size_t n = 0;
    for (uint64_t i = known->in_history; i < known->next; i += stride_of(known), n++) {
        const struct fg_yield_visit *visit = fg_yield_visit(&self->model, i);
        features_of(visit, x);
        for (size_t f = 0; f < TREE_FEATURES; f++)
            columns[f * room + n] = x[f];
        y[n] = visit->found;
    }
    for (size_t f = 0; f < TREE_FEATURES; f++)
        at[f] = columns + f * room;
    fg_trees_fit(
        &self->learnt.trees, &(struct fg_tree_set){TREE_FEATURES, n, at, y},
        (struct fg_tree_rules){(size_t)brain->knob[TREES], brain->knob[RATE], 1});
    free(columns);
}

static double say_trees(const struct self *self, const struct fg_yield_visit *visit)
{
    float x[TREE_FEATURES];
    features_of(visit, x);
    return fg_trees_predict(&self->learnt.trees, x);
}

/* --- both --- */

static float predict(const struct fg_brain *brain, fg_time now, size_t page)
{
    const struct self *self = brain->self;
    struct fg_yield_visit visit = fg_yield_as_if(brain, now, page);
    return (float)(is_poly(brain) ? say_poly(self, &visit) : say_trees(self, &visit));
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    struct self *self = brain->self;
    fg_yield_turn(brain, now);
    if (fg_yield_is_starting(brain, now))
        return fg_yield_take_average(brain, budget, out);
    if (fg_yield_is_due(brain, now)) {
        if (is_poly(brain))
            fit_poly(self);
        else
            fit_trees(brain, self);
        self->model.known.trained = now;
    }
    for (size_t i = 0; i < brain->world->n; i++)
        brain->scores[i] = predict(brain, now, i);
    return fg_yield_take_scored(brain, now, 1, budget, out);
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    fg_yield_explain(brain, now, page, reason);
    if (!fg_yield_is_starting(brain, now))
        reason->score = (double)predict(brain, now, page);
}

static void save(struct fg_brain *brain, struct fg_buf *out)
{
    const struct self *self = brain->self;
    fg_buf_add(out, (struct fg_str){(const char *)&self->learnt, sizeof self->learnt});
    fg_yield_save(brain, out);
}

/* What is not sound would read beside the features. */
static bool is_sound(const struct fg_trees *trees)
{
    if (trees->n > FG_TREES_MAX)
        return false;
    for (size_t t = 0; t < trees->n; t++)
        for (size_t i = 0; i < FG_TREES_SPLITS; i++)
            if (trees->tree[t].feature[i] >= TREE_FEATURES)
                return false;
    return true;
}

static bool load(struct fg_brain *brain, struct fg_str bytes)
{
    struct self *self = brain->self;
    union learnt learnt = {0};
    bool is_whole = bytes.len >= sizeof learnt;
    if (is_whole)
        memcpy(&learnt, bytes.at, sizeof learnt);
    bool is_good = fg_yield_load(brain, fg_str_skip(bytes, sizeof learnt)) && is_whole &&
                   (is_poly(brain) || is_sound(&learnt.trees));
    if (is_good)
        self->learnt = learnt;
    else
        self->model.known.trained = FG_NEVER;
    return is_good;
}

#define CURVED(id, called, says, knobs)                   \
    const struct fg_policy fg_policy_##id = {             \
        .name = called,                                   \
        .summary = says,                                  \
        .paper = "Pham, Santos & Freire, WSDM 2018, 5.3", \
        .params = knobs,                                  \
        .self_size = sizeof(struct self),                 \
        .select = choose,                                 \
        .save = save,                                     \
        .load = load,                                     \
        FG_YIELD_POLICY_WITH(explain),                    \
    }

CURVED(reg_poly, "reg-poly", "the most new links by a polynomial regression",
       poly_params);
CURVED(reg_trees, "reg-trees", "the most new links by gradient-boosted trees",
       tree_params);
