/* The metric as a function of one weight is a staircase: it has no slope to follow, so
 * the search tries weights at growing distances on both sides (0.001, 0.003, 0.007, ...
 * away) and zero, and keeps the best. Steps start at a twentieth of the weight where
 * 0.001 would be more than half of it.
 *
 * Two things differ from RankLib. It cuts labels to whole numbers; here whoever gives
 * them decides. And examples with equal scores share the mean of their gains (McSherry
 * and Najork, ECIR 2008): by order of arrival, a ranking that makes everything equal
 * would inherit whatever order the examples came in, and here that is the order of the
 * ranking before.
 *
 * Sorting is by insertion into the order of the last evaluation, which a small step
 * hardly disturbs. */
#include "learn/rank.h"

#include "base/err.h"
#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const double most_gain = 16; /* RankLib: labels go to 4 */
static const double first_step = 0.001, step_share = 0.05, step_growth = 2;

struct ascent {
    const struct fg_rank_set *set;
    struct fg_rank_rules rules;
    double weights[FG_RANK_FEATURES_MAX];
    double *gain, *score, *rest; /* by example; rest is the score without one weight */
    uint32_t *order;             /* examples of each query, best first at the last look */
    double *ideal;               /* by query */
    double *discount;            /* by place */
    size_t gainful;              /* queries with anything to gain */
    double best;                 /* the metric with the weights as they are */
};

static void *room_for(size_t n, size_t bytes)
{
    void *at = fg_zeroed(n ? n : 1, bytes);
    return at;
}

/* --- the metric --- */

static void sort_by(uint32_t *order, size_t n, const double *score)
{
    for (size_t i = 1; i < n; i++) {
        uint32_t example = order[i];
        size_t at = i;
        for (; at > 0 && score[order[at - 1]] < score[example]; at--)
            order[at] = order[at - 1];
        order[at] = example;
    }
}

/* The discounted gains of the first places; equal scores share their places. */
static double gains_by(const struct ascent *a, size_t query, const double *score)
{
    uint32_t *order = a->order + a->set->query[query];
    size_t n = a->set->query[query + 1] - a->set->query[query];
    double sum = 0;
    sort_by(order, n, score);
    for (size_t first = 0, end; first < n && first < a->rules.cutoff; first = end) {
        double gains = 0, discounts = 0;
        end = first;
        do { /* at least one: a score that is no number does not equal itself */
            gains += a->gain[order[end]];
            discounts += end < a->rules.cutoff ? a->discount[end] : 0;
        } while (++end < n && score[order[end]] == score[order[first]]);
        sum += gains * discounts / (double)(end - first);
    }
    return sum;
}

/* The expected reciprocal rank of the first places, R being the gain. */
static double stops_by(const struct ascent *a, size_t query, const double *score)
{
    uint32_t *order = a->order + a->set->query[query];
    size_t n = a->set->query[query + 1] - a->set->query[query];
    double sum = 0, goes_on = 1;
    sort_by(order, n, score);
    for (size_t first = 0, end; first < n && first < a->rules.cutoff; first = end) {
        double gains = 0;
        end = first;
        do
            gains += a->gain[order[end]];
        while (++end < n && score[order[end]] == score[order[first]]);
        double content = gains / (double)(end - first);
        for (size_t i = first; i < end && i < a->rules.cutoff; i++) {
            sum += goes_on * content / (double)(i + 1);
            goes_on *= 1 - content;
        }
    }
    return sum;
}

static double measure(const struct ascent *a)
{
    double sum = 0;
    bool is_err = a->rules.metric == FG_RANK_ERR;
    for (size_t q = 0; q < a->set->queries; q++)
        if (is_err)
            sum += stops_by(a, q, a->score);
        else if (a->ideal[q] > 0)
            sum += gains_by(a, q, a->score) / a->ideal[q];
    return a->gainful ? sum / (double)a->gainful : 0;
}

static double gain_of(double label, enum fg_rank_metric metric)
{
    double gain = exp2(label) - 1;
    if (metric == FG_RANK_NDCG)
        return gain;
    return gain < most_gain ? gain / most_gain : 1;
}

static void add_up(struct ascent *a)
{
    size_t n = a->set->examples;
    memset(a->score, 0, n * sizeof *a->score);
    for (size_t f = 0; f < a->set->features; f++)
        for (size_t i = 0; i < n; i++)
            a->score[i] += a->weights[f] * (double)a->set->x[f][i];
}

static void begin(struct ascent *a)
{
    const struct fg_rank_set *set = a->set;
    a->gain = room_for(set->examples, sizeof *a->gain);
    a->score = room_for(set->examples, sizeof *a->score);
    a->rest = room_for(set->examples, sizeof *a->rest);
    a->order = room_for(set->examples, sizeof *a->order);
    a->ideal = room_for(set->queries, sizeof *a->ideal);
    a->discount = room_for(a->rules.cutoff, sizeof *a->discount);
    for (size_t i = 0; i < a->rules.cutoff; i++)
        a->discount[i] = 1 / log2((double)i + 2);
    for (size_t i = 0; i < set->examples; i++) {
        a->gain[i] = gain_of((double)set->label[i], a->rules.metric);
        a->order[i] = (uint32_t)i;
    }
    for (size_t q = 0; q < set->queries; q++) {
        a->ideal[q] = gains_by(a, q, a->gain);
        a->gainful += a->ideal[q] > 0 || a->rules.metric == FG_RANK_ERR;
    }
}

static void end(struct ascent *a)
{
    free(a->gain);
    free(a->score);
    free(a->rest);
    free(a->order);
    free(a->ideal);
    free(a->discount);
}

static double measure_with(const struct fg_rank_set *set, const double *weights,
                           struct fg_rank_rules rules)
{
    struct ascent a = {.set = set, .rules = rules};
    memcpy(a.weights, weights, set->features * sizeof *weights);
    begin(&a);
    add_up(&a);
    double result = measure(&a);
    end(&a);
    return result;
}

double fg_rank_ndcg(const struct fg_rank_set *set, const double *weights, size_t cutoff)
{
    return measure_with(set, weights, (struct fg_rank_rules){.cutoff = cutoff});
}

double fg_rank_err(const struct fg_rank_set *set, const double *weights, size_t cutoff)
{
    return measure_with(set, weights,
                        (struct fg_rank_rules){.metric = FG_RANK_ERR, .cutoff = cutoff});
}

/* --- the climb --- */

static double measure_weight(const struct ascent *a, size_t feature, double weight)
{
    size_t n = a->set->examples;
    const float *x = a->set->x[feature];
    for (size_t i = 0; i < n; i++)
        a->score[i] = a->rest[i] + weight * (double)x[i];
    return measure(a);
}

/* Look for a better weight on one side (or at zero, side 0); true if there is one. */
static bool search(struct ascent *a, size_t feature, double from, int side)
{
    double step = first_step;
    bool found = false;
    if (from != 0 && step > 0.5 * fabs(from))
        step = step_share * fabs(from);
    double distance = step;
    for (size_t i = 0; i < (side ? a->rules.steps : 1); i++) {
        double weight = side ? from + side * distance : 0;
        double result = measure_weight(a, feature, weight);
        if (result > a->best) {
            a->best = result;
            a->weights[feature] = weight;
            found = true;
        }
        step *= step_growth;
        distance += step;
    }
    return found;
}

static void normalise(struct ascent *a)
{
    double sum = 0;
    for (size_t f = 0; f < a->set->features; f++)
        sum += fabs(a->weights[f]);
    for (size_t f = 0; f < a->set->features; f++)
        a->weights[f] = sum > 0 ? a->weights[f] / sum : 1 / (double)a->set->features;
}

static bool improve(struct ascent *a, size_t feature)
{
    size_t n = a->set->examples;
    const float *x = a->set->x[feature];
    double from = a->weights[feature];
    add_up(a);
    for (size_t i = 0; i < n; i++)
        a->rest[i] = a->score[i] - from * (double)x[i];
    if (!search(a, feature, from, 1) && !search(a, feature, from, -1) &&
        !search(a, feature, from, 0))
        return false;
    normalise(a);
    return true;
}

/* Rounds over all weights, in a new order each, until one gains next to nothing or all
 * weights in a row are as good as they get. */
static void climb(struct ascent *a, struct fg_rng *rng)
{
    size_t n = a->set->features, failures = 0, feature[FG_RANK_FEATURES_MAX];
    for (size_t f = 0; f < n; f++) {
        feature[f] = f;
        a->weights[f] = 1 / (double)n;
    }
    add_up(a);
    a->best = measure(a);
    for (double before = -1; a->best - before >= a->rules.tolerance && failures < n;) {
        before = a->best;
        fg_rng_shuffle(rng, feature, n, sizeof *feature);
        for (size_t i = 0; i < n && failures < n; i++)
            failures = improve(a, feature[i]) ? 0 : failures + 1;
    }
}

double fg_rank_ascend(double *weights, const struct fg_rank_set *set,
                      struct fg_rank_rules rules, struct fg_rng *rng)
{
    double best = -1;
    struct ascent a = {.set = set, .rules = rules};
    begin(&a);
    for (size_t i = 0; i < rules.restarts; i++) {
        climb(&a, rng);
        if (a.best > best) {
            best = a.best;
            memcpy(weights, a.weights, set->features * sizeof *weights);
        }
    }
    end(&a);
    return best;
}
