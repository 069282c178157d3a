/* mlp_model.h - what a perceptron is made of; for mlp*.c and bellman.c only
 *
 * Parameters are one flat array: for each layer its weights, `in` rows of `out`, and its
 * biases, then the tables. The gradient and Adagrad's sums lie beside it in the same
 * order. Table rows are numbered through all tables, so that one list tells which of them
 * the gradient has reached. */
#ifndef FG_LEARN_MLP_MODEL_H
#define FG_LEARN_MLP_MODEL_H

#include "learn/mlp.h"

struct fg_mlp_layer {
    size_t in, out;
    size_t weights, biases; /* where they begin among the parameters */
};

struct fg_mlp_table {
    size_t at;     /* where it begins among the parameters */
    size_t first;  /* the number of its first row */
    size_t column; /* where its row stands in the input */
};

struct fg_mlp {
    struct fg_mlp_shape shape;
    size_t layers, inputs; /* inputs: of the first layer */
    struct fg_mlp_layer layer[FG_MLP_HIDDEN_MAX + 1];
    struct fg_mlp_table table[FG_MLP_CATEGORIES_MAX];
    size_t n, tables, rows; /* parameters; where tables begin; rows of all tables */
    float *value, *gradient, *sum;
    float *mean, *scale; /* of dense inputs; scale: 1 over the deviation, or 0 */
    uint8_t *is_reached; /* by row, with the category it is of in `reached` */
    struct fg_mlp_reached {
        uint32_t category, row; /* row of its own table */
    } * reached;
    size_t n_reached;
};

struct fg_mlp_pass {
    size_t rows_max, n;
    uint32_t *row; /* of each category's table, or FG_MLP_NONE */
    float *input;
    float *output[FG_MLP_HIDDEN_MAX + 1]; /* of each layer, after ReLU in hidden ones */
    float *slope[FG_MLP_HIDDEN_MAX + 1];  /* the gradient of it; not for the head */
    float *input_slope;                   /* the columns of categories only */
    float *head;                          /* the gradient of the outputs, for learning */
};

#endif
