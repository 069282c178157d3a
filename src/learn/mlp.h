/* mlp.h - a multilayer perceptron with embedded categories, in float on OpenBLAS
 *
 *     struct fg_mlp_shape shape = {.dense = 10, .categories = 2,
 *         .category = {{.rows = 4096, .dims = 16, .is_hashed = true}, {7, 3}},
 *         .hidden = 3, .width = {256, 128, 64}, .outputs = 1, .head = FG_MLP_LOGISTIC};
 *     struct fg_mlp *mlp = fg_mlp_new(&shape, &rng);
 *     fg_mlp_standardise(mlp, &training.rows);
 *     fg_mlp_train(mlp, &training, &validation, &fg_mlp_as_han, &rng, &outcome);
 *     fg_mlp_predict(mlp, &rows, chances);
 *
 * An example is `dense` numbers and one id for each of `categories`. Each id picks a row
 * of its category's table, learnt with the rest; numbers and rows, side by side, are what
 * the first layer sees. Hidden layers are ReLU. The head is logistic with cross-entropy,
 * each output a yes or no of its own, or linear with half the squared error.
 *
 * The network standardises its numbers, since means and deviations must go with the
 * weights: a number x enters as (x - mean) / deviation, and NaN, not known, as 0, which
 * is the mean. It does not bend them: counts with heavy tails are for the caller to take
 * the log1p of. Without fg_mlp_standardise numbers enter as they are.
 *
 * Same seed, same examples, same bytes, on processors for which OpenBLAS has the same
 * kernels. A network may be read by many threads, each with a pass of its own; learning
 * is for one.
 *
 * For other losses than the head's there are the pieces below: a forward pass, a backward
 * pass with any gradient of the outputs, and a step. */
#ifndef FG_LEARN_MLP_H
#define FG_LEARN_MLP_H

#include "base/buf.h"
#include "base/err.h"
#include "base/rng.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FG_MLP_CATEGORIES_MAX = 16, FG_MLP_HIDDEN_MAX = 8 };

/* An id that stands for none: its place in the input is 0, and nothing is learnt. */
#define FG_MLP_NONE UINT32_MAX

struct fg_mlp_category {
    uint32_t rows, dims; /* of its table */
    bool is_hashed;      /* any id goes, and several may share a row; otherwise the id is
                            the row, and ids from `rows` on count as FG_MLP_NONE */
};

enum fg_mlp_head { FG_MLP_LOGISTIC, FG_MLP_LINEAR };

struct fg_mlp_shape {
    uint32_t dense, categories, hidden, outputs;
    struct fg_mlp_category category[FG_MLP_CATEGORIES_MAX];
    uint32_t width[FG_MLP_HIDDEN_MAX];
    enum fg_mlp_head head;
};

struct fg_mlp;

/* Weights are drawn as He et al. propose, normal with variance 2 over the inputs of a
 * unit (1 over them in the head); biases are 0; table entries are normal with variance 1
 * over `dims`. */
struct fg_mlp *fg_mlp_new(const struct fg_mlp_shape *shape, struct fg_rng *rng);
void fg_mlp_free(struct fg_mlp *mlp);
const struct fg_mlp_shape *fg_mlp_shape(const struct fg_mlp *mlp);

/* Inputs of n examples, borrowed. Example i is row `pick[i]` of the arrays, or row i
 * where `pick` is NULL. */
struct fg_mlp_rows {
    const float *dense;       /* shape.dense a row */
    const uint32_t *category; /* shape.categories a row */
    const uint32_t *pick;
    size_t n;
};

/* Take means and deviations of the numbers from these. A number that never varies enters
 * as 0. */
void fg_mlp_standardise(struct fg_mlp *mlp, const struct fg_mlp_rows *rows);

/* What the network makes of them, shape.outputs a row: chances, or values. */
void fg_mlp_predict(const struct fg_mlp *mlp, const struct fg_mlp_rows *rows, float *out);

/* --- training --- */

struct fg_mlp_examples {
    struct fg_mlp_rows rows;
    const float *target; /* shape.outputs a row; NaN where it is not known */
    const float *weight; /* how much a row counts; NULL: 1 each */
};

/* The objective is that of TensorFlow's DNNClassifier as Han et al. (WWW 2020) use it:
 *
 *     sum of the losses in a batch + l1 sum |w| + l2 / 2 sum w^2
 *
 * over all weights, and over the table rows used in the batch, but not biases. As the
 * losses are summed, a strength of 0.001 is small, and smaller the larger the batch: see
 * mlp.c. Gradients are averaged over the batch. */
struct fg_mlp_training {
    size_t batch;    /* examples */
    size_t epochs;   /* at most; each in an order of its own */
    size_t patience; /* checks without a lower validation loss, until it ends */
    size_t check;    /* examples between checks; 0: an epoch */
    double step;     /* of Adagrad */
    double l1, l2;
    const atomic_bool *stop; /* once set, by another thread perhaps, it ends with the
                                batch at hand; may be NULL */
};

/* Section 3.3 of Han et al., and our choice of what they leave open. */
extern const struct fg_mlp_training fg_mlp_as_han;

struct fg_mlp_outcome {
    size_t epochs, checks; /* begun; made */
    size_t best;           /* the check whose weights the network has, from 1; 0: as it
                              came */
    double training, validation; /* mean loss an example: of the last epoch while it was
                                    learning; of the weights it has */
};

/* The network is left with the weights that had the lowest loss on the validation set,
 * or, if that is NULL or empty, with the last. Training again goes on from there.
 * `outcome` may be NULL. */
void fg_mlp_train(struct fg_mlp *mlp, const struct fg_mlp_examples *training,
                  const struct fg_mlp_examples *validation,
                  const struct fg_mlp_training *how, struct fg_rng *rng,
                  struct fg_mlp_outcome *outcome);

/* Mean loss an example, by the weights of the examples, without l1 and l2. */
double fg_mlp_loss(const struct fg_mlp *mlp, const struct fg_mlp_examples *examples);

/* --- the pieces --- */

/* Room for what one pass over a batch leaves behind for the way back. Several passes may
 * be under way at once. */
struct fg_mlp_pass;

struct fg_mlp_pass *fg_mlp_pass_new(const struct fg_mlp *mlp, size_t rows_max);
void fg_mlp_pass_free(struct fg_mlp_pass *pass);

/* The outputs before the logistic function, shape.outputs a row. They live in the pass
 * until its next use. */
const float *fg_mlp_forward(const struct fg_mlp *mlp, struct fg_mlp_pass *pass,
                            const struct fg_mlp_rows *rows);

/* Add to the gradient, given that of the outputs of the last forward pass. The weights
 * must still be those. */
void fg_mlp_backward(struct fg_mlp *mlp, struct fg_mlp_pass *pass,
                     const float *output_gradient);

/* Forward and backward with the head's loss, averaged over the rows; returns the mean. */
double fg_mlp_learn(struct fg_mlp *mlp, struct fg_mlp_pass *pass,
                    const struct fg_mlp_examples *examples);

/* Move against the gradient and l1 |w| + l2 w^2 / 2, and set the gradient to 0. Only the
 * table rows that the gradient has reached move. */
void fg_mlp_step_adagrad(struct fg_mlp *mlp, double step, double l1, double l2);
void fg_mlp_step_plain(struct fg_mlp *mlp, double step, double l1, double l2);

/* The parameters, for a caller who wants to look at or disturb them: weights and biases
 * layer by layer (the weights of a unit at one place of its inputs after the other, the
 * units of a layer side by side; then the biases), then the tables. */
struct fg_mlp_parameters {
    size_t n, tables; /* how many; where the tables begin */
    float *value, *gradient;
};
struct fg_mlp_parameters fg_mlp_parameters(struct fg_mlp *mlp);

/* --- keeping --- */

/* Weights, Adagrad's sums, means and deviations, with a checksum: learning goes on from
 * the bytes as it would have without. A gradient that was not stepped is not kept. */
void fg_mlp_save(const struct fg_mlp *mlp, struct fg_buf *out);

/* Read back into a network of the same shape; another shape, or damage, is refused and
 * changes nothing. */
enum fg_status fg_mlp_load(struct fg_mlp *mlp, struct fg_str bytes, struct fg_err *err);

#endif
