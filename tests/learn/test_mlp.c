#include "learn/mlp.h"
#include "learn/mlp_reference.h"
#include "test.h"

#include "base/variate.h"

/* Small, with everything in it: numbers, two categories, two hidden layers, two outputs;
 * no width is a multiple of four. */
static const struct fg_mlp_shape small = {
    .dense = 5,
    .categories = 2,
    .category = {{6, 3, false}, {4, 2, false}},
    .hidden = 2,
    .width = {11, 7},
    .outputs = 2,
};
enum { ROWS = 9 };

struct sample {
    float dense[ROWS * 5], target[ROWS * 2], weight[ROWS];
    uint32_t category[ROWS * 2];
    struct fg_mlp_examples examples;
};

static void make_sample(struct sample *sample, enum fg_mlp_head head)
{
    struct fg_rng rng = fg_rng_from_seed(8);
    for (size_t i = 0; i < ROWS * 5; i++)
        sample->dense[i] = (float)fg_rng_normal(&rng);
    for (size_t i = 0; i < ROWS * 2; i++)
        sample->target[i] = head == FG_MLP_LINEAR ? (float)fg_rng_normal(&rng)
                                                  : (float)fg_rng_below(&rng, 2);
    for (size_t i = 0; i < ROWS; i++) {
        sample->weight[i] = 0.5f + (float)fg_rng_unit(&rng);
        sample->category[i * 2] = (uint32_t)fg_rng_below(&rng, 5); /* row 5 is unused */
        sample->category[i * 2 + 1] = (uint32_t)fg_rng_below(&rng, 4);
    }
    sample->category[6] = FG_MLP_NONE;
    sample->category[9] = 4; /* of a table with four rows: nobody's */
    sample->dense[12] = NAN;
    sample->target[7] = NAN;
    sample->examples = (struct fg_mlp_examples){
        {sample->dense, sample->category, NULL, ROWS}, sample->target, sample->weight};
}

static struct fg_mlp *make_small(enum fg_mlp_head head, uint64_t seed)
{
    struct fg_mlp_shape shape = small;
    struct fg_rng rng = fg_rng_from_seed(seed);
    shape.head = head;
    struct fg_mlp *mlp = fg_mlp_new(&shape, &rng);
    struct fg_mlp_parameters all = fg_mlp_parameters(mlp);
    for (size_t i = 0; i < all.n; i++)
        if (all.value[i] == 0) /* biases, which start as 0 */
            all.value[i] = (float)(0.2 * fg_rng_normal(&rng));
    return mlp;
}

static void outputs_are_what_the_formulas_say(void **state)
{
    (void)state;
    struct sample sample;
    make_sample(&sample, FG_MLP_LINEAR);
    struct fg_mlp *mlp = make_small(FG_MLP_LINEAR, 1);
    double *at = reference_parameters(mlp), wanted[REFERENCE_WIDTH];
    float out[ROWS * 2];
    fg_mlp_predict(mlp, &sample.examples.rows, out);
    for (size_t i = 0; i < ROWS; i++) {
        reference_outputs(&small, at, fg_mlp_parameters(mlp).tables, sample.dense + i * 5,
                          sample.category + i * 2, wanted);
        assert_near(out[i * 2], wanted[0], 1e-5);
        assert_near(out[i * 2 + 1], wanted[1], 1e-5);
    }
    free(at);
    fg_mlp_free(mlp);
}

static void rows_may_be_picked(void **state)
{
    (void)state;
    struct sample sample;
    make_sample(&sample, FG_MLP_LOGISTIC);
    struct fg_mlp *mlp = make_small(FG_MLP_LOGISTIC, 1);
    uint32_t pick[] = {7, 0, 7};
    struct fg_mlp_rows rows = sample.examples.rows;
    float all[ROWS * 2], out[6];
    fg_mlp_predict(mlp, &rows, all);
    rows.pick = pick;
    rows.n = 3;
    fg_mlp_predict(mlp, &rows, out);
    for (size_t i = 0; i < 6; i++)
        assert_near(out[i], all[pick[i / 2] * 2 + i % 2], 1e-6);
    assert_true(out[0] > 0 && out[0] < 1);
    fg_mlp_free(mlp);
}

/* The mean loss over the sample, as fg_mlp_learn takes it. */
static double mean_loss(const struct fg_mlp_shape *shape, const double *at, size_t tables,
                        const struct fg_mlp_examples *examples)
{
    double sum = 0;
    for (size_t i = 0; i < ROWS; i++)
        sum += reference_row_loss(shape, at, tables, examples, i);
    return sum / ROWS;
}

static void gradients_agree_with_finite_differences(void **state)
{
    (void)state;
    enum fg_mlp_head heads[] = {FG_MLP_LOGISTIC, FG_MLP_LINEAR};
    for (size_t h = 0; h < 2; h++) {
        struct sample sample;
        make_sample(&sample, heads[h]);
        struct fg_mlp *mlp = make_small(heads[h], 2);
        const struct fg_mlp_shape *shape = fg_mlp_shape(mlp);
        struct fg_mlp_parameters all = fg_mlp_parameters(mlp);
        struct fg_mlp_pass *pass = fg_mlp_pass_new(mlp, ROWS);
        double *at = reference_parameters(mlp), h2 = 1e-5, largest = 0;
        double loss = fg_mlp_learn(mlp, pass, &sample.examples);
        assert_near(loss, mean_loss(shape, at, all.tables, &sample.examples), 1e-6);
        for (size_t i = 0; i < all.n; i++) {
            double was = at[i];
            at[i] = was + h2;
            double up = mean_loss(shape, at, all.tables, &sample.examples);
            at[i] = was - h2;
            double down = mean_loss(shape, at, all.tables, &sample.examples);
            at[i] = was;
            assert_near(all.gradient[i], (up - down) / 2 / h2, 2e-6);
            largest = fmax(largest, fabs(all.gradient[i]));
        }
        assert_true(largest > 0.05); /* it was not all 0 */
        free(at);
        fg_mlp_pass_free(pass);
        fg_mlp_free(mlp);
    }
}

/* What the gradient of sum of slope x output must be, for slopes of the caller's. */
static double slanted(const struct fg_mlp_shape *shape, const double *at, size_t tables,
                      const struct sample *sample, const float *slope)
{
    double sum = 0, out[REFERENCE_WIDTH];
    for (size_t i = 0; i < ROWS; i++) {
        reference_outputs(shape, at, tables, sample->dense + i * 5,
                          sample->category + i * 2, out);
        sum += slope[i * 2] * out[0] + slope[i * 2 + 1] * out[1];
    }
    return sum;
}

static void backward_takes_any_slopes_and_passes_add_up(void **state)
{
    (void)state;
    struct sample sample;
    make_sample(&sample, FG_MLP_LINEAR);
    struct fg_mlp *mlp = make_small(FG_MLP_LINEAR, 3);
    struct fg_mlp_parameters all = fg_mlp_parameters(mlp);
    struct fg_rng rng = fg_rng_from_seed(4);
    float slope[ROWS * 2];
    for (size_t i = 0; i < ROWS * 2; i++)
        slope[i] = (float)fg_rng_normal(&rng);
    /* Two passes at once: the first four rows in one, the rest in the other. */
    struct fg_mlp_pass *one = fg_mlp_pass_new(mlp, 4), *two = fg_mlp_pass_new(mlp, 5);
    struct fg_mlp_rows rows = sample.examples.rows;
    rows.n = 4;
    fg_mlp_forward(mlp, one, &rows);
    rows = (struct fg_mlp_rows){sample.dense + 20, sample.category + 8, NULL, 5};
    fg_mlp_forward(mlp, two, &rows);
    fg_mlp_backward(mlp, two, slope + 8);
    fg_mlp_backward(mlp, one, slope);
    double *at = reference_parameters(mlp), h = 1e-5;
    for (size_t i = 0; i < all.n; i++) {
        double was = at[i];
        at[i] = was + h;
        double up = slanted(&small, at, all.tables, &sample, slope);
        at[i] = was - h;
        double down = slanted(&small, at, all.tables, &sample, slope);
        at[i] = was;
        assert_near(all.gradient[i], (up - down) / 2 / h, 2e-5);
    }
    free(at);
    fg_mlp_pass_free(one);
    fg_mlp_pass_free(two);
    fg_mlp_free(mlp);
}

/* Is parameter i of `small` a bias? By the layout that mlp.h promises. */
static bool is_bias(size_t i)
{
    size_t in = 10, widths[] = {11, 7, 2}, at = 0;
    for (size_t l = 0; l < 3; l++) {
        at += in * widths[l];
        if (i >= at && i < at + widths[l])
            return true;
        at += widths[l];
        in = widths[l];
    }
    return false;
}

/* Does an example have this entry of a table? */
static bool is_used(const struct sample *sample, size_t entry)
{
    size_t table = entry >= 6 * 3, row = table ? (entry - 6 * 3) / 2 : entry / 3;
    for (size_t i = 0; i < ROWS; i++)
        if (sample->category[i * 2 + table] == row)
            return true;
    return false;
}

static void a_plain_step_descends_losses_and_penalties(void **state)
{
    (void)state;
    struct sample sample;
    make_sample(&sample, FG_MLP_LOGISTIC);
    struct fg_mlp *mlp = make_small(FG_MLP_LOGISTIC, 5);
    struct fg_mlp_parameters all = fg_mlp_parameters(mlp);
    struct fg_mlp_pass *pass = fg_mlp_pass_new(mlp, ROWS);
    fg_mlp_learn(mlp, pass, &sample.examples);
    float *before = calloc(all.n, sizeof *before), *slope = calloc(all.n, sizeof *slope);
    memcpy(before, all.value, all.n * sizeof *before);
    memcpy(slope, all.gradient, all.n * sizeof *slope);
    const double step = 1e-3, l1 = 0.3, l2 = 0.7;
    fg_mlp_step_plain(mlp, step, l1, l2);
    for (size_t i = 0; i < all.n; i++) {
        double w = before[i], moved = (w - all.value[i]) / step;
        bool is_unused = i >= all.tables && !is_used(&sample, i - all.tables);
        double wanted = is_unused    ? 0
                        : is_bias(i) ? slope[i]
                                     : slope[i] + (w > 0 ? l1 : -l1) + l2 * w;
        if (fabs(w) > 2e-3) /* not where L1 reaches 0 */
            assert_near(moved, wanted, 2e-3 + 1e-3 * fabs(wanted));
        assert_true(all.gradient[i] == 0);
    }
    free(before);
    free(slope);
    fg_mlp_pass_free(pass);
    fg_mlp_free(mlp);
}

/* One weight w and one bias b, x = 2, target 1, linear: the gradient by w is 2 (2 w + b -
 * 1), by b it is 2 w + b - 1. */
static void adagrad_goes_as_by_hand(void **state)
{
    (void)state;
    struct fg_mlp_shape shape = {.dense = 1, .outputs = 1, .head = FG_MLP_LINEAR};
    struct fg_rng rng = fg_rng_from_seed(1);
    struct fg_mlp *mlp = fg_mlp_new(&shape, &rng);
    struct fg_mlp_parameters all = fg_mlp_parameters(mlp);
    struct fg_mlp_pass *pass = fg_mlp_pass_new(mlp, 1);
    float x = 2, target = 1;
    struct fg_mlp_examples example = {{&x, NULL, NULL, 1}, &target, NULL};
    all.value[0] = 2;
    double w = 2, b = 0, w_sum = 1e-8, b_sum = 1e-8, l1 = 0.5, l2 = 2;
    for (int i = 0; i < 3; i++) {
        double error = 2 * w + b - 1;
        w_sum += 4 * error * error;
        b_sum += error * error;
        double rate = 0.1 / sqrt(w_sum);
        w -= rate * 2 * error;
        w = (w - rate * l1) / (1 + rate * l2); /* w stays above 0 */
        b -= 0.1 / sqrt(b_sum) * error;
        fg_mlp_learn(mlp, pass, &example);
        fg_mlp_step_adagrad(mlp, 0.1, l1, l2);
        assert_near(all.value[0], w, 1e-5);
        assert_near(all.value[1], b, 1e-5);
    }
    all.value[0] = 1e-4f; /* less than L1 takes in a step of no gradient */
    all.value[1] = 1 - 2e-4f;
    fg_mlp_learn(mlp, pass, &example);
    fg_mlp_step_adagrad(mlp, 0.1, l1, l2);
    assert_true(all.value[0] == 0);
    fg_mlp_pass_free(pass);
    fg_mlp_free(mlp);
}

static void numbers_are_standardised_and_unknown_ones_are_the_mean(void **state)
{
    (void)state;
    struct fg_mlp_shape shape = {.dense = 3, .outputs = 1, .head = FG_MLP_LINEAR};
    struct fg_rng rng = fg_rng_from_seed(1);
    struct fg_mlp *mlp = fg_mlp_new(&shape, &rng);
    struct fg_mlp_parameters all = fg_mlp_parameters(mlp);
    /* Means 4, 7, -; deviations 2, 0, -: NaN is left out. */
    float dense[] = {2, 7, NAN, 6, 7, NAN, NAN, 7, NAN};
    float seen[] = {8, 9, 1, NAN, 7, 0}, out[2];
    all.value[0] = 3;
    all.value[1] = 5;
    all.value[2] = 0;
    all.value[3] = 10;
    fg_mlp_standardise(mlp, &(struct fg_mlp_rows){dense, NULL, NULL, 3});
    fg_mlp_predict(mlp, &(struct fg_mlp_rows){seen, NULL, NULL, 2}, out);
    assert_near(out[0], 10 + 3 * 2, 1e-5);
    assert_near(out[1], 10, 1e-5);
    fg_mlp_free(mlp);
}

static void hashed_ids_share_a_table_of_any_size(void **state)
{
    (void)state;
    struct fg_mlp_shape shape = {.categories = 1,
                                 .category = {{16, 2, true}},
                                 .outputs = 1,
                                 .head = FG_MLP_LINEAR};
    struct fg_rng rng = fg_rng_from_seed(1);
    struct fg_mlp *mlp = fg_mlp_new(&shape, &rng);
    enum { IDS = 400 };
    uint32_t ids[IDS + 1];
    float out[IDS + 1];
    for (uint32_t i = 0; i < IDS; i++)
        ids[i] = i * 1000003;
    ids[IDS] = FG_MLP_NONE;
    fg_mlp_predict(mlp, &(struct fg_mlp_rows){NULL, ids, NULL, IDS + 1}, out);
    size_t distinct = 0;
    for (size_t i = 0; i < IDS; i++) {
        size_t before = 0;
        while (before < i && out[before] != out[i])
            before++;
        distinct += before == i;
    }
    assert_int_equal(distinct, 16); /* every row is somebody's */
    assert_near(out[IDS], 0, 0);
    fg_mlp_free(mlp);
}

FG_TESTS(outputs_are_what_the_formulas_say, rows_may_be_picked,
         gradients_agree_with_finite_differences,
         backward_takes_any_slopes_and_passes_add_up,
         a_plain_step_descends_losses_and_penalties, adagrad_goes_as_by_hand,
         numbers_are_standardised_and_unknown_ones_are_the_mean,
         hashed_ids_share_a_table_of_any_size)
