#include "learn/auc.h"
#include "learn/mlp.h"
#include "test.h"

#include "base/variate.h"

static void learns_xor(void **state)
{
    (void)state;
    struct fg_mlp_shape shape = {.dense = 2, .hidden = 1, .width = {16}, .outputs = 1};
    struct fg_rng rng = fg_rng_from_seed(3);
    struct fg_mlp *mlp = fg_mlp_new(&shape, &rng);
    float x[] = {0, 0, 0, 1, 1, 0, 1, 1}, y[] = {0, 1, 1, 0}, out[4];
    struct fg_mlp_examples all = {{x, NULL, NULL, 4}, y, NULL};
    struct fg_mlp_training how = {.batch = 4, .epochs = 400, .step = 0.1};
    fg_mlp_train(mlp, &all, NULL, &how, &rng, NULL);
    fg_mlp_predict(mlp, &all.rows, out);
    for (size_t i = 0; i < 4; i++)
        assert_near(out[i], y[i], 0.1);
    fg_mlp_free(mlp);
}

static void training_ends_when_it_is_told_to(void **state)
{
    (void)state;
    struct fg_mlp_shape shape = {.dense = 2, .hidden = 1, .width = {16}, .outputs = 1};
    struct fg_rng rng = fg_rng_from_seed(3);
    struct fg_mlp *mlp = fg_mlp_new(&shape, &rng);
    float x[] = {0, 0, 0, 1, 1, 0, 1, 1}, y[] = {0, 1, 1, 0}, before[4], after[4];
    struct fg_mlp_examples all = {{x, NULL, NULL, 4}, y, NULL};
    atomic_bool stop = true;
    struct fg_mlp_training how = {
        .batch = 4, .epochs = SIZE_MAX, .step = 0.1, .stop = &stop};
    fg_mlp_predict(mlp, &all.rows, before);
    fg_mlp_train(mlp, &all, NULL, &how, &rng, NULL);
    fg_mlp_predict(mlp, &all.rows, after);
    assert_memory_equal(before, after, sizeof before);
    fg_mlp_free(mlp);
}

/* --- a world where the chance of a yes goes with a category and a number --- */

enum { N = 24000, CHECKS = 4000, KINDS = 40 };

struct world {
    float dense[N], target[N], truth[KINDS];
    uint32_t category[N];
    struct fg_mlp_examples training, validation, test;
};

static struct fg_mlp_examples part(const struct world *world, size_t first, size_t n)
{
    return (struct fg_mlp_examples){
        {world->dense + first, world->category + first, NULL, n},
        world->target + first,
        NULL};
}

/* The log odds are those of the kind, from -3 to 2 or so, plus half the number. */
static struct world *make_world(void)
{
    struct world *world = calloc(1, sizeof *world);
    struct fg_rng rng = fg_rng_from_seed(12);
    for (size_t k = 0; k < KINDS; k++)
        world->truth[k] = (float)(-0.5 + 1.2 * fg_rng_normal(&rng));
    for (size_t i = 0; i < N; i++) {
        world->category[i] = (uint32_t)fg_rng_below(&rng, KINDS);
        world->dense[i] = (float)fg_rng_normal(&rng);
        double odds = world->truth[world->category[i]] + 0.5 * world->dense[i];
        world->target[i] = fg_rng_unit(&rng) < 1 / (1 + exp(-odds));
    }
    world->validation = part(world, 0, CHECKS);
    world->test = part(world, CHECKS, CHECKS);
    world->training = part(world, 2L * CHECKS, N - 2L * CHECKS);
    return world;
}

static struct fg_mlp *make_network(struct fg_rng *rng)
{
    struct fg_mlp_shape shape = {.dense = 1,
                                 .categories = 1,
                                 .category = {{KINDS, 4, false}},
                                 .hidden = 2,
                                 .width = {32, 16},
                                 .outputs = 1};
    return fg_mlp_new(&shape, rng);
}

static double auc_on(const struct fg_mlp *mlp, const struct fg_mlp_examples *examples)
{
    static float score[N];
    static bool is_positive[N];
    fg_mlp_predict(mlp, &examples->rows, score);
    for (size_t i = 0; i < examples->rows.n; i++)
        is_positive[i] = examples->target[i] > 0.5f;
    return fg_auc(score, is_positive, examples->rows.n);
}

/* What can be had: the AUC of the true odds. */
static double best_auc(const struct world *world)
{
    static float odds[N];
    static bool is_positive[N];
    for (size_t i = 0; i < CHECKS; i++) {
        size_t row = CHECKS + i;
        odds[i] = world->truth[world->category[row]] + 0.5f * world->dense[row];
        is_positive[i] = world->target[row] > 0.5f;
    }
    return fg_auc(odds, is_positive, CHECKS);
}

static void learns_what_a_category_means(void **state)
{
    (void)state;
    struct world *world = make_world();
    struct fg_rng rng = fg_rng_from_seed(1);
    struct fg_mlp *mlp = make_network(&rng);
    struct fg_mlp_training how = fg_mlp_as_han;
    struct fg_mlp_outcome outcome;
    fg_mlp_standardise(mlp, &world->training.rows);
    fg_mlp_train(mlp, &world->training, &world->validation, &how, &rng, &outcome);
    assert_true(auc_on(mlp, &world->test) > best_auc(world) - 0.01);

    /* The log odds of each kind at number 0, against the truth. */
    float zeros[KINDS] = {0}, chance[KINDS];
    uint32_t kinds[KINDS];
    double off = 0;
    for (uint32_t k = 0; k < KINDS; k++)
        kinds[k] = k;
    fg_mlp_predict(mlp, &(struct fg_mlp_rows){zeros, kinds, NULL, KINDS}, chance);
    for (size_t k = 0; k < KINDS; k++)
        off += fabs(log(chance[k] / (1 - chance[k])) - world->truth[k]) / KINDS;
    assert_true(off < 0.25); /* 400 examples a kind tell it to about 0.1 */
    fg_mlp_free(mlp);
    free(world);
}

/* 0.001 for each does no harm, losses being summed. L1 that is large beside what a table
 * row can gain in a batch leaves nothing of the tables. */
static void regularisation_of_han_does_no_harm_and_much_more_does(void **state)
{
    (void)state;
    struct world *world = make_world();
    double auc[2], left[2];
    for (size_t i = 0; i < 2; i++) {
        struct fg_rng rng = fg_rng_from_seed(1);
        struct fg_mlp *mlp = make_network(&rng);
        struct fg_mlp_parameters all = fg_mlp_parameters(mlp);
        struct fg_mlp_training how = fg_mlp_as_han;
        how.l1 = how.l2 = i ? 2.5 : 0.001;
        fg_mlp_train(mlp, &world->training, &world->validation, &how, &rng, NULL);
        auc[i] = auc_on(mlp, &world->test);
        left[i] = 0;
        for (size_t w = all.tables; w < all.n; w++)
            left[i] += all.value[w] != 0;
        fg_mlp_free(mlp);
    }
    assert_true(auc[0] > best_auc(world) - 0.01 && left[0] > 100);
    assert_true(auc[1] < auc[0] - 0.05 && left[1] < 20);
    free(world);
}

static void stops_early_with_the_best_weights(void **state)
{
    (void)state;
    enum { FEW = 60, HELD = 60 };
    struct fg_rng rng = fg_rng_from_seed(9);
    float x[(FEW + HELD) * 4], y[FEW + HELD];
    for (size_t i = 0; i < (FEW + HELD) * 4; i++)
        x[i] = (float)fg_rng_normal(&rng);
    for (size_t i = 0; i < FEW + HELD; i++) /* mostly noise: soon learnt by heart */
        y[i] = x[i * 4] + 2 * fg_rng_normal(&rng) > 0;
    struct fg_mlp_examples training = {{x, NULL, NULL, FEW}, y, NULL};
    struct fg_mlp_examples held = {{x + FEW * 4, NULL, NULL, HELD}, y + FEW, NULL};
    struct fg_mlp_shape shape = {.dense = 4, .hidden = 1, .width = {64}, .outputs = 1};
    struct fg_mlp *mlp = fg_mlp_new(&shape, &rng);
    struct fg_mlp_training how = {
        .batch = 10, .epochs = 300, .patience = 5, .step = 0.03};
    struct fg_mlp_outcome outcome;
    fg_mlp_train(mlp, &training, &held, &how, &rng, &outcome);
    assert_true(outcome.epochs < 300);
    assert_int_equal(outcome.epochs, outcome.checks);
    assert_int_equal(outcome.checks, outcome.best + 5);
    assert_true(outcome.best > 0);
    assert_near(fg_mlp_loss(mlp, &held), outcome.validation, 1e-12);

    /* More epochs without a look at the held-out examples do worse on them. */
    struct fg_mlp_training on = {.batch = 10, .epochs = 40, .step = 0.03};
    fg_mlp_train(mlp, &training, NULL, &on, &rng, NULL);
    double learnt_by_heart = fg_mlp_loss(mlp, &held);
    assert_true(learnt_by_heart > outcome.validation + 0.02);

    /* And training that only makes it worse leaves it as it came. */
    how.step = 1;
    how.patience = 1;
    fg_mlp_train(mlp, &training, &held, &how, &rng, &outcome);
    if (!outcome.best)
        assert_near(fg_mlp_loss(mlp, &held), learnt_by_heart, 1e-12);
    assert_true(outcome.validation <= learnt_by_heart);
    fg_mlp_free(mlp);
}

static void checks_may_come_within_an_epoch(void **state)
{
    (void)state;
    struct world *world = make_world();
    struct fg_rng rng = fg_rng_from_seed(1);
    struct fg_mlp *mlp = make_network(&rng);
    struct fg_mlp_training how = {
        .batch = 100, .epochs = 1, .patience = 100, .check = 5000, .step = 0.01};
    struct fg_mlp_outcome outcome;
    fg_mlp_train(mlp, &world->training, &world->validation, &how, &rng, &outcome);
    assert_int_equal(outcome.epochs, 1);
    assert_int_equal(outcome.checks, 4); /* at 5000, 10000, 15000 and the end, 16000 */
    fg_mlp_free(mlp);
    free(world);
}

static void weights_and_unknown_targets_count(void **state)
{
    (void)state;
    /* Two outputs; the second is known once. Rows of weight 0 might as well not be. */
    struct fg_mlp_shape shape = {.dense = 1, .outputs = 2, .head = FG_MLP_LINEAR};
    struct fg_rng rng = fg_rng_from_seed(1);
    struct fg_mlp *mlp = fg_mlp_new(&shape, &rng);
    struct fg_mlp_parameters all = fg_mlp_parameters(mlp);
    float x[] = {0, 0, 0}, y[] = {3, NAN, 5, 1, 100, 100}, weight[] = {1, 3, 0};
    memset(all.value, 0, all.n * sizeof *all.value);
    struct fg_mlp_examples examples = {{x, NULL, NULL, 3}, y, weight};
    /* (1 * 9/2 + 3 * (25 + 1)/2) / 4 */
    assert_near(fg_mlp_loss(mlp, &examples), 10.875, 1e-6);
    fg_mlp_free(mlp);
}

/* --- keeping --- */

static void train_some(struct fg_mlp *mlp, const struct world *world, uint64_t seed)
{
    struct fg_rng rng = fg_rng_from_seed(seed);
    struct fg_mlp_training how = fg_mlp_as_han;
    how.epochs = 1;
    fg_mlp_train(mlp, &world->validation, NULL, &how, &rng, NULL);
}

static void save(const struct fg_mlp *mlp, struct fg_buf *out)
{
    fg_buf_init(out, 1 << 24);
    fg_mlp_save(mlp, out);
    assert_false(out->full);
}

static bool is_same(const struct fg_mlp *a, const struct fg_mlp *b)
{
    struct fg_buf x, y;
    save(a, &x);
    save(b, &y);
    bool same = fg_str_eq(fg_buf_str(&x), fg_buf_str(&y));
    fg_buf_clear(&x);
    fg_buf_clear(&y);
    return same;
}

static void same_seed_same_bytes(void **state)
{
    (void)state;
    struct world *world = make_world();
    struct fg_rng one = fg_rng_from_seed(6), two = fg_rng_from_seed(6);
    struct fg_mlp *a = make_network(&one), *b = make_network(&two);
    assert_true(is_same(a, b));
    train_some(a, world, 1);
    assert_false(is_same(a, b));
    train_some(b, world, 1);
    assert_true(is_same(a, b));
    train_some(a, world, 2);
    train_some(b, world, 3);
    assert_false(is_same(a, b));
    fg_mlp_free(a);
    fg_mlp_free(b);
    free(world);
}

static void learning_goes_on_after_loading_as_if_nothing_had_been(void **state)
{
    (void)state;
    struct world *world = make_world();
    struct fg_rng one = fg_rng_from_seed(6), two = fg_rng_from_seed(7);
    struct fg_mlp *a = make_network(&one), *b = make_network(&two);
    struct fg_buf bytes;
    fg_mlp_standardise(a, &world->training.rows);
    train_some(a, world, 1);
    save(a, &bytes);
    assert_int_equal(fg_mlp_load(b, fg_buf_str(&bytes), NULL), FG_OK);
    assert_true(is_same(a, b));
    train_some(a, world, 2);
    train_some(b, world, 2);
    assert_true(is_same(a, b));
    fg_buf_clear(&bytes);
    fg_mlp_free(a);
    fg_mlp_free(b);
    free(world);
}

static void damage_and_other_shapes_are_refused(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(6);
    struct fg_mlp *mlp = make_network(&rng), *other = make_network(&rng);
    struct fg_mlp_shape wider = *fg_mlp_shape(mlp);
    wider.width[1]++;
    struct fg_mlp *another = fg_mlp_new(&wider, &rng);
    struct fg_err err;
    struct fg_buf bytes, before;
    save(mlp, &bytes);
    save(other, &before);
    assert_int_equal(fg_mlp_load(another, fg_buf_str(&bytes), &err), FG_EINPUT);
    assert_non_null(strstr(err.text, "shape"));
    for (size_t len = 0; len < bytes.len; len += 97)
        assert_int_equal(fg_mlp_load(other, (struct fg_str){bytes.at, len}, &err),
                         FG_EINPUT);
    for (size_t at = 0; at < bytes.len; at += 31) {
        bytes.at[at] ^= 4;
        assert_int_equal(fg_mlp_load(other, fg_buf_str(&bytes), &err), FG_EINPUT);
        bytes.at[at] ^= 4;
    }
    struct fg_buf after;
    save(other, &after);
    assert_true(fg_str_eq(fg_buf_str(&before), fg_buf_str(&after)));
    assert_int_equal(fg_mlp_load(other, fg_buf_str(&bytes), &err), FG_OK);
    assert_true(is_same(mlp, other));
    fg_buf_clear(&bytes);
    fg_buf_clear(&before);
    fg_buf_clear(&after);
    fg_mlp_free(mlp);
    fg_mlp_free(other);
    fg_mlp_free(another);
}

FG_TESTS(learns_xor, training_ends_when_it_is_told_to, learns_what_a_category_means,
         regularisation_of_han_does_no_harm_and_much_more_does,
         stops_early_with_the_best_weights, checks_may_come_within_an_epoch,
         weights_and_unknown_targets_count, same_seed_same_bytes,
         learning_goes_on_after_loading_as_if_nothing_had_been,
         damage_and_other_shapes_are_refused)
