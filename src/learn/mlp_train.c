/* Training: the head's loss, mini-batches in random order, and when to stop. */
#include "learn/mlp.h"

#include "base/memory.h"
#include "learn/mlp_model.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows that are looked at together where nothing is learnt. */
enum { BLOCK = 512 };

const struct fg_mlp_training fg_mlp_as_han = {
    .batch = 256,
    .epochs = 20,
    .patience = 3,
    .step = 0.03,
    .l1 = 0.001,
    .l2 = 0.001,
};

/* --- numbers on one scale --- */

static double mean_of(const struct fg_mlp_rows *rows, size_t dense, size_t column,
                      double centre, int power)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        double x = rows->dense[(rows->pick ? rows->pick[i] : i) * dense + column];
        if (!isfinite(x))
            continue;
        sum += power == 1 ? x : (x - centre) * (x - centre);
        n++;
    }
    return n > 0 ? sum / n : 0;
}

void fg_mlp_standardise(struct fg_mlp *mlp, const struct fg_mlp_rows *rows)
{
    size_t dense = mlp->shape.dense;
    for (size_t column = 0; column < dense; column++) {
        double mean = mean_of(rows, dense, column, 0, 1);
        double deviation = sqrt(mean_of(rows, dense, column, mean, 2));
        /* What is left of a constant that a float cannot hold is not a signal. */
        bool varies = deviation > 1e-6 * fabs(mean);
        mlp->mean[column] = (float)mean;
        mlp->scale[column] = varies ? (float)(1 / deviation) : 0;
    }
}

/* --- the head --- */

/* The loss of one output, and its gradient. */
static double loss_of(enum fg_mlp_head head, float output, float target, float *slope)
{
    if (isnan(target)) {
        *slope = 0;
        return 0;
    }
    double z = output;
    if (head == FG_MLP_LINEAR) {
        *slope = output - target;
        return (z - target) * (z - target) / 2;
    }
    double tail = exp(-fabs(z)); /* never overflows; 1 / (1 + tail) is p or 1 - p */
    *slope = (float)((z > 0 ? 1 : tail) / (1 + tail) - target);
    return (z > 0 ? z : 0) - z * target + log1p(tail);
}

/* The summed loss of the rows of the last forward pass, each by its weight, with the
 * gradient of the mean over the rows in pass->head; and the weights summed. */
static double lose(const struct fg_mlp *mlp, struct fg_mlp_pass *pass,
                   const float *outputs, const struct fg_mlp_examples *examples,
                   double *weights)
{
    size_t n = mlp->shape.outputs;
    double sum = 0;
    for (size_t i = 0; i < pass->n; i++) {
        size_t row = examples->rows.pick ? examples->rows.pick[i] : i;
        float weight = examples->weight ? examples->weight[row] : 1;
        *weights += weight;
        for (size_t o = 0; o < n; o++) {
            float *slope = &pass->head[i * n + o];
            sum += weight * loss_of(mlp->shape.head, outputs[i * n + o],
                                    examples->target[row * n + o], slope);
            *slope *= weight / (float)pass->n;
        }
    }
    return sum;
}

double fg_mlp_learn(struct fg_mlp *mlp, struct fg_mlp_pass *pass,
                    const struct fg_mlp_examples *examples)
{
    double weights = 0;
    const float *outputs = fg_mlp_forward(mlp, pass, &examples->rows);
    double loss = lose(mlp, pass, outputs, examples, &weights);
    fg_mlp_backward(mlp, pass, pass->head);
    return pass->n ? loss / (double)pass->n : 0;
}

/* --- looking only --- */

static struct fg_mlp_rows block_of(const struct fg_mlp *mlp,
                                   const struct fg_mlp_rows *rows, size_t first)
{
    struct fg_mlp_rows block = *rows;
    block.n = rows->n - first < BLOCK ? rows->n - first : BLOCK;
    if (rows->pick)
        block.pick += first;
    else if (first) {
        block.dense = rows->dense ? rows->dense + first * mlp->shape.dense : NULL;
        block.category =
            rows->category ? rows->category + first * mlp->shape.categories : NULL;
    }
    return block;
}

static struct fg_mlp_pass *pass_for(const struct fg_mlp *mlp, size_t rows)
{
    return fg_mlp_pass_new(mlp, rows < BLOCK ? rows : BLOCK);
}

void fg_mlp_predict(const struct fg_mlp *mlp, const struct fg_mlp_rows *rows, float *out)
{
    struct fg_mlp_pass *pass = pass_for(mlp, rows->n);
    size_t outputs = mlp->shape.outputs;
    for (size_t first = 0; first < rows->n; first += BLOCK) {
        struct fg_mlp_rows block = block_of(mlp, rows, first);
        const float *z = fg_mlp_forward(mlp, pass, &block);
        memcpy(out + first * outputs, z, block.n * outputs * sizeof *out);
    }
    if (mlp->shape.head == FG_MLP_LOGISTIC)
        for (size_t i = 0; i < rows->n * outputs; i++)
            out[i] = 1 / (1 + expf(-out[i]));
    fg_mlp_pass_free(pass);
}

static double loss_with(const struct fg_mlp *mlp, struct fg_mlp_pass *pass,
                        const struct fg_mlp_examples *examples)
{
    double sum = 0, weights = 0;
    for (size_t first = 0; first < examples->rows.n; first += BLOCK) {
        struct fg_mlp_examples block = *examples;
        block.rows = block_of(mlp, &examples->rows, first);
        if (!block.rows.pick) {
            block.target += first * mlp->shape.outputs;
            block.weight = block.weight ? block.weight + first : NULL;
        }
        const float *outputs = fg_mlp_forward(mlp, pass, &block.rows);
        sum += lose(mlp, pass, outputs, &block, &weights);
    }
    return weights > 0 ? sum / weights : 0;
}

double fg_mlp_loss(const struct fg_mlp *mlp, const struct fg_mlp_examples *examples)
{
    struct fg_mlp_pass *pass = pass_for(mlp, examples->rows.n);
    double loss = loss_with(mlp, pass, examples);
    fg_mlp_pass_free(pass);
    return loss;
}

/* --- training --- */

struct trainer {
    struct fg_mlp *mlp;
    const struct fg_mlp_training *how;
    const struct fg_mlp_examples *validation; /* NULL: none */
    struct fg_mlp_pass *pass, *check_pass;
    struct fg_mlp_examples batch; /* the training set, in an order of our own */
    uint32_t *order;
    float *best_value;
    size_t since_check, since_best;
    struct fg_mlp_outcome outcome;
};

static void start(struct trainer *trainer, const struct fg_mlp_examples *training)
{
    struct fg_mlp *mlp = trainer->mlp;
    size_t n = training->rows.n;
    assert(n < UINT32_MAX && trainer->how->batch > 0);
    trainer->batch = *training;
    trainer->pass =
        fg_mlp_pass_new(mlp, n < trainer->how->batch ? n : trainer->how->batch);
    trainer->order = fg_zeroed(n, sizeof *trainer->order);
    for (size_t i = 0; i < n; i++)
        trainer->order[i] = training->rows.pick ? training->rows.pick[i] : (uint32_t)i;
    if (!trainer->validation)
        return;
    trainer->check_pass = pass_for(mlp, trainer->validation->rows.n);
    trainer->best_value = fg_zeroed(mlp->n, sizeof *trainer->best_value);
    memcpy(trainer->best_value, mlp->value, mlp->n * sizeof *mlp->value);
    trainer->outcome.validation =
        loss_with(mlp, trainer->check_pass, trainer->validation);
}

/* False once there has been no better for too long. */
static bool check(struct trainer *trainer)
{
    struct fg_mlp *mlp = trainer->mlp;
    trainer->since_check = 0;
    if (!trainer->validation)
        return true;
    trainer->outcome.checks++;
    double loss = loss_with(mlp, trainer->check_pass, trainer->validation);
    if (!(loss < trainer->outcome.validation))
        return ++trainer->since_best < trainer->how->patience;
    trainer->since_best = 0;
    trainer->outcome.validation = loss;
    trainer->outcome.best = trainer->outcome.checks;
    memcpy(trainer->best_value, mlp->value, mlp->n * sizeof *mlp->value);
    return true;
}

static bool train_epoch(struct trainer *trainer, size_t n, struct fg_rng *rng)
{
    const struct fg_mlp_training *how = trainer->how;
    size_t every = how->check ? how->check : SIZE_MAX;
    double loss = 0, seen = 0;
    bool goes_on = true;
    trainer->outcome.epochs++;
    fg_rng_shuffle(rng, trainer->order, n, sizeof *trainer->order);
    for (size_t first = 0; goes_on && first < n; first += how->batch) {
        if (how->stop && atomic_load(how->stop))
            return false;
        struct fg_mlp_rows *rows = &trainer->batch.rows;
        rows->pick = trainer->order + first;
        rows->n = n - first < how->batch ? n - first : how->batch;
        double share = 1 / (double)rows->n; /* of one example in the mean */
        loss += fg_mlp_learn(trainer->mlp, trainer->pass, &trainer->batch) / share;
        fg_mlp_step_adagrad(trainer->mlp, how->step, how->l1 * share, how->l2 * share);
        seen += (double)rows->n;
        trainer->since_check += rows->n;
        if (trainer->since_check >= every)
            goes_on = check(trainer);
    }
    trainer->outcome.training = seen > 0 ? loss / seen : 0;
    return goes_on && (how->check || check(trainer));
}

static void finish(struct trainer *trainer)
{
    struct fg_mlp *mlp = trainer->mlp;
    if (trainer->validation && trainer->since_check > 0)
        check(trainer);
    if (trainer->validation)
        memcpy(mlp->value, trainer->best_value, mlp->n * sizeof *mlp->value);
    free(trainer->order);
    free(trainer->best_value);
    fg_mlp_pass_free(trainer->pass);
    fg_mlp_pass_free(trainer->check_pass);
}

void fg_mlp_train(struct fg_mlp *mlp, const struct fg_mlp_examples *training,
                  const struct fg_mlp_examples *validation,
                  const struct fg_mlp_training *how, struct fg_rng *rng,
                  struct fg_mlp_outcome *outcome)
{
    struct trainer trainer = {.mlp = mlp, .how = how};
    if (validation && validation->rows.n)
        trainer.validation = validation;
    start(&trainer, training);
    size_t n = training->rows.n;
    while (n && trainer.outcome.epochs < how->epochs && train_epoch(&trainer, n, rng))
        ;
    finish(&trainer);
    if (outcome)
        *outcome = trainer.outcome;
}
