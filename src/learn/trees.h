/* trees.h - gradient-boosted regression trees, for numbers that depend on thresholds
 *
 *     struct fg_trees trees;
 *     fg_trees_fit(&trees, &(struct fg_tree_set){6, n, columns, y}, rules);
 *     double expected = fg_trees_predict(&trees, x);
 *
 * Friedman, "Greedy function approximation: a gradient boosting machine" (Annals of
 * Statistics 29, 2001), for the squared error: start from the mean; then, again and
 * again, fit a small tree to what is left and add `rate` times its answer. The rules are
 * those of scikit-learn's GradientBoostingRegressor by default: 100 trees of depth 3, a
 * rate of 0.1. A split is sought among at most 63 thresholds a feature, quantiles of its
 * values; with as many distinct values, or fewer, it is the best there is.
 *
 * Plain bytes without pointers: it may be copied and saved as it stands. */
#ifndef FG_LEARN_TREES_H
#define FG_LEARN_TREES_H

#include <stddef.h>
#include <stdint.h>

enum {
    FG_TREES_MAX = 200,
    FG_TREES_DEPTH = 3,
    FG_TREES_SPLITS = (1 << FG_TREES_DEPTH) - 1,
    FG_TREES_LEAVES = 1 << FG_TREES_DEPTH,
    FG_TREES_FEATURES_MAX = 16,
};

/* Splits in the order of a heap: below split i are 2i + 1 (at most the threshold) and
 * 2i + 2. */
struct fg_tree {
    uint32_t feature[FG_TREES_SPLITS];
    float threshold[FG_TREES_SPLITS]; /* INFINITY where nothing is gained by a split */
    float leaf[FG_TREES_LEAVES];
};

struct fg_trees {
    uint32_t n, features;
    double mean;
    struct fg_tree tree[FG_TREES_MAX];
};

struct fg_tree_set {
    size_t features, examples;
    const float *const *x; /* x[feature][example] */
    const float *y;
};

struct fg_tree_rules {
    size_t trees;      /* at most FG_TREES_MAX */
    double rate;       /* share of each tree's answer that is added */
    size_t least_leaf; /* examples on either side of a split; at least 1 */
};

/* Of no examples: predicts 0. */
void fg_trees_fit(struct fg_trees *trees, const struct fg_tree_set *set,
                  struct fg_tree_rules rules);
double fg_trees_predict(const struct fg_trees *trees, const float *x);

#endif
