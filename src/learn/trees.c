/* Values are put into bins once, so that a level of a tree is one pass over the examples
 * and the best threshold of each node is read off its histogram. */
#include "learn/trees.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 64, NODES = FG_TREES_LEAVES };

/* Of one node, feature and bin. */
struct bin {
    double sum;
    size_t n;
};

struct fit {
    const struct fg_tree_set *set;
    struct fg_tree_rules rules;
    size_t bins[FG_TREES_FEATURES_MAX];
    float edge[FG_TREES_FEATURES_MAX][BINS]; /* the largest value of each bin */
    uint8_t *bin;                            /* feature * examples + example */
    uint8_t *node;                           /* of the level at hand, by example */
    double *rest;                            /* what is left to be explained */
    struct bin histogram[NODES][FG_TREES_FEATURES_MAX][BINS];
};

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Distinct values, or quantiles of them if there are more than bins. */
static void find_edges(struct fit *fit, size_t feature, float *sorted)
{
    size_t n = fit->set->examples, distinct = 0;
    memcpy(sorted, fit->set->x[feature], n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_value);
    for (size_t i = 0; i < n; i++)
        distinct += i + 1 == n || sorted[i + 1] > sorted[i];
    size_t *bins = &fit->bins[feature];
    float *edge = fit->edge[feature];
    for (size_t i = 0; i < n; i++) {
        bool is_last_of_value = i + 1 == n || sorted[i + 1] > sorted[i];
        bool is_due = distinct <= BINS || (i + 1) * BINS >= (*bins + 1) * n;
        if (i + 1 == n || (is_last_of_value && is_due && *bins + 1 < BINS))
            edge[(*bins)++] = sorted[i];
    }
}

static uint8_t bin_of(const struct fit *fit, size_t feature, float value)
{
    size_t low = 0, high = fit->bins[feature] - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (value <= fit->edge[feature][middle])
            high = middle;
        else
            low = middle + 1;
    }
    return (uint8_t)low;
}

static void put_into_bins(struct fit *fit)
{
    size_t n = fit->set->examples;
    float *sorted = fg_zeroed(n, sizeof *sorted);
    for (size_t f = 0; f < fit->set->features; f++) {
        find_edges(fit, f, sorted);
        for (size_t i = 0; i < n; i++)
            fit->bin[f * n + i] = bin_of(fit, f, fit->set->x[f][i]);
    }
    free(sorted);
}

static void fill_histograms(struct fit *fit, size_t nodes)
{
    size_t n = fit->set->examples;
    for (size_t node = 0; node < nodes; node++)
        memset(fit->histogram[node], 0, sizeof fit->histogram[node]);
    for (size_t f = 0; f < fit->set->features; f++)
        for (size_t i = 0; i < n; i++) {
            struct bin *bin = &fit->histogram[fit->node[i]][f][fit->bin[f * n + i]];
            bin->sum += fit->rest[i];
            bin->n++;
        }
}

/* The split with the least squared error, that is the most sum^2 / n on both sides; the
 * first feature and threshold in a tie. Bins up to the one returned go left. */
static void split_node(const struct fit *fit, size_t node, struct fg_tree *tree,
                       size_t at, size_t *last_bin)
{
    double most = 0;
    tree->feature[at] = 0;
    tree->threshold[at] = INFINITY;
    *last_bin = BINS;
    for (size_t f = 0; f < fit->set->features; f++) {
        const struct bin *bins = fit->histogram[node][f];
        struct bin all = {0}, left = {0};
        for (size_t b = 0; b < fit->bins[f]; b++) {
            all.sum += bins[b].sum;
            all.n += bins[b].n;
        }
        for (size_t b = 0; b + 1 < fit->bins[f]; b++) {
            left.sum += bins[b].sum;
            left.n += bins[b].n;
            size_t right = all.n - left.n;
            if (left.n < fit->rules.least_leaf || right < fit->rules.least_leaf)
                continue;
            double other = all.sum - left.sum;
            double gain = left.sum * left.sum / (double)left.n +
                          other * other / (double)right -
                          all.sum * all.sum / (double)all.n;
            if (gain > most * (1 + 1e-12) && gain > 1e-12) {
                most = gain;
                tree->feature[at] = (uint32_t)f;
                tree->threshold[at] = fit->edge[f][b];
                *last_bin = b;
            }
        }
    }
}

static void grow(struct fit *fit, struct fg_tree *tree)
{
    size_t n = fit->set->examples, last_bin[NODES];
    memset(fit->node, 0, n);
    for (size_t depth = 0; depth < FG_TREES_DEPTH; depth++) {
        size_t nodes = (size_t)1 << depth, first = nodes - 1;
        fill_histograms(fit, nodes);
        for (size_t node = 0; node < nodes; node++)
            split_node(fit, node, tree, first + node, &last_bin[node]);
        for (size_t i = 0; i < n; i++) {
            size_t node = fit->node[i], f = tree->feature[first + node];
            fit->node[i] = (uint8_t)(2 * node + (fit->bin[f * n + i] > last_bin[node]));
        }
    }
}

/* Each leaf answers with the mean of what is left there. */
static void answer(struct fit *fit, struct fg_tree *tree)
{
    struct bin leaf[FG_TREES_LEAVES] = {0};
    for (size_t i = 0; i < fit->set->examples; i++) {
        leaf[fit->node[i]].sum += fit->rest[i];
        leaf[fit->node[i]].n++;
    }
    for (size_t k = 0; k < FG_TREES_LEAVES; k++)
        tree->leaf[k] =
            leaf[k].n ? (float)(fit->rules.rate * leaf[k].sum / (double)leaf[k].n) : 0;
    for (size_t i = 0; i < fit->set->examples; i++)
        fit->rest[i] -= (double)tree->leaf[fit->node[i]];
}

void fg_trees_fit(struct fg_trees *trees, const struct fg_tree_set *set,
                  struct fg_tree_rules rules)
{
    assert(set->features <= FG_TREES_FEATURES_MAX && rules.trees <= FG_TREES_MAX);
    *trees = (struct fg_trees){.features = (uint32_t)set->features};
    if (!set->examples)
        return;
    struct fit *fit = fg_zeroed(1, sizeof *fit);
    fit->set = set;
    fit->rules = rules;
    fit->bin = fg_zeroed(set->features * set->examples, 1);
    fit->node = fg_zeroed(set->examples, 1);
    fit->rest = fg_zeroed(set->examples, sizeof *fit->rest);
    put_into_bins(fit);
    for (size_t i = 0; i < set->examples; i++)
        trees->mean += (double)set->y[i] / (double)set->examples;
    for (size_t i = 0; i < set->examples; i++)
        fit->rest[i] = (double)set->y[i] - trees->mean;
    for (; trees->n < rules.trees; trees->n++) {
        grow(fit, &trees->tree[trees->n]);
        answer(fit, &trees->tree[trees->n]);
    }
    free(fit->bin);
    free(fit->node);
    free(fit->rest);
    free(fit);
}

double fg_trees_predict(const struct fg_trees *trees, const float *x)
{
    double sum = trees->mean;
    for (size_t t = 0; t < trees->n; t++) {
        const struct fg_tree *tree = &trees->tree[t];
        size_t at = 0;
        while (at < FG_TREES_SPLITS)
            at = 2 * at + 1 + (x[tree->feature[at]] > tree->threshold[at]);
        sum += (double)tree->leaf[at - FG_TREES_SPLITS];
    }
    return sum;
}
