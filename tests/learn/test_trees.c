/* Boosted trees on cases worked out by hand. */
#include "base/rng.h"
#include "learn/trees.h"
#include "test.h"

static struct fg_trees trees;

static struct fg_tree_set set_of(const float *const *x, size_t features, const float *y,
                                 size_t n)
{
    return (struct fg_tree_set){.features = features, .examples = n, .x = x, .y = y};
}

/* y is 0 0 6 6 over x = 1 2 3 4: one split at 2, leaves 3 below and above the mean 3.
 * With a rate of one half the first tree leaves half of it, so 1.5 and 4.5; the second
 * 0.75. */
static void a_step_is_found_and_approached_by_the_rate(void **state)
{
    (void)state;
    const float x[] = {1, 2, 3, 4}, y[] = {0, 0, 6, 6};
    struct fg_tree_set set = set_of((const float *[]){x}, 1, y, 4);
    const double low[] = {0, 1.5, 0.75}, high[] = {6, 4.5, 5.25};
    for (size_t n = 1; n <= 2; n++) {
        fg_trees_fit(&trees, &set, (struct fg_tree_rules){n, 0.5, 1});
        assert_near(trees.mean, 3, 1e-12);
        assert_near(trees.tree[0].threshold[0], 2, 0);
        assert_near(fg_trees_predict(&trees, (float[]){0}), low[n], 1e-6);
        assert_near(fg_trees_predict(&trees, (float[]){2}), low[n], 1e-6);
        assert_near(fg_trees_predict(&trees, (float[]){9}), high[n], 1e-6);
    }
    fg_trees_fit(&trees, &set, (struct fg_tree_rules){1, 1, 1});
    assert_near(fg_trees_predict(&trees, (float[]){1}), 0, 1e-6);
    assert_near(fg_trees_predict(&trees, (float[]){4}), 6, 1e-6);
}

/* Exclusive or: no first split gains anything alone but one that is not even; with 1 0 1
 * 1 on the corners, two levels tell all four apart. */
static void two_features_work_together(void **state)
{
    (void)state;
    const float a[] = {0, 0, 1, 1}, b[] = {0, 1, 0, 1}, y[] = {1, 0, 1, 1};
    struct fg_tree_set set = set_of((const float *[]){a, b}, 2, y, 4);
    fg_trees_fit(&trees, &set, (struct fg_tree_rules){1, 1, 1});
    for (size_t i = 0; i < 4; i++)
        assert_near(fg_trees_predict(&trees, (float[]){a[i], b[i]}), y[i], 1e-6);
}

static void a_leaf_has_as_many_examples_as_asked_for(void **state)
{
    (void)state;
    const float x[] = {1, 2, 3, 4, 5, 6}, y[] = {9, 0, 0, 0, 0, 0};
    struct fg_tree_set set = set_of((const float *[]){x}, 1, y, 6);
    fg_trees_fit(&trees, &set, (struct fg_tree_rules){1, 1, 3});
    assert_near(fg_trees_predict(&trees, (float[]){1}), 3, 1e-6);
    assert_near(fg_trees_predict(&trees, (float[]){6}), 0, 1e-6);
}

static void without_examples_or_differences_there_is_the_mean(void **state)
{
    (void)state;
    const float x[] = {1, 1, 1}, y[] = {1, 2, 6};
    struct fg_tree_set set = set_of((const float *[]){x}, 1, y, 0);
    fg_trees_fit(&trees, &set, (struct fg_tree_rules){5, 1, 1});
    assert_near(fg_trees_predict(&trees, (float[]){7}), 0, 0);
    set.examples = 3;
    fg_trees_fit(&trees, &set, (struct fg_tree_rules){5, 1, 1});
    assert_near(fg_trees_predict(&trees, (float[]){7}), 3, 1e-6);
}

/* y = x1 where x0 > 5, else 0, over thousands of examples with more values than bins:
 * a hundred small trees leave little of its variance. */
static void many_trees_learn_an_interaction(void **state)
{
    (void)state;
    enum { N = 4000 };
    static float x[3][N], y[N];
    struct fg_rng rng = fg_rng_from_seed(4);
    for (size_t i = 0; i < N; i++) {
        for (size_t f = 0; f < 3; f++)
            x[f][i] = (float)(10 * fg_rng_unit(&rng));
        y[i] = x[0][i] > 5 ? x[1][i] : 0;
    }
    struct fg_tree_set set = set_of((const float *[]){x[0], x[1], x[2]}, 3, y, N);
    fg_trees_fit(&trees, &set, (struct fg_tree_rules){100, 0.1, 1});
    double error = 0, spread = 0;
    for (size_t i = 0; i < N; i++) {
        double off =
            fg_trees_predict(&trees, (float[]){x[0][i], x[1][i], x[2][i]}) - (double)y[i];
        error += off * off;
        spread += ((double)y[i] - trees.mean) * ((double)y[i] - trees.mean);
    }
    assert_true(error < 0.02 * spread);
}

FG_TESTS(a_step_is_found_and_approached_by_the_rate, two_features_work_together,
         a_leaf_has_as_many_examples_as_asked_for,
         without_examples_or_differences_there_is_the_mean,
         many_trees_learn_an_interaction)
