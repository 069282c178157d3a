/* mlp_reference.h - the perceptron's formulas once more, in double and one number at a
 * time, to hold the fast one against */
#ifndef FG_TESTS_LEARN_MLP_REFERENCE_H
#define FG_TESTS_LEARN_MLP_REFERENCE_H

#include "learn/mlp.h"
#include "test.h"

enum { REFERENCE_WIDTH = 64 };

/* The parameters as doubles, in the order that mlp.h promises. */
static inline double *reference_parameters(struct fg_mlp *mlp)
{
    struct fg_mlp_parameters all = fg_mlp_parameters(mlp);
    double *copy = calloc(all.n, sizeof *copy);
    for (size_t i = 0; i < all.n; i++)
        copy[i] = all.value[i];
    return copy;
}

/* Categories must not be hashed; numbers must not be standardised. */
static inline size_t reference_input(const struct fg_mlp_shape *shape,
                                     const double *tables, const float *dense,
                                     const uint32_t *category, double x[REFERENCE_WIDTH])
{
    size_t n = 0;
    for (size_t i = 0; i < shape->dense; i++)
        x[n++] = isnan(dense[i]) ? 0 : dense[i];
    for (size_t c = 0; c < shape->categories; c++) {
        const struct fg_mlp_category *is = &shape->category[c];
        for (size_t d = 0; d < is->dims; d++)
            x[n++] = category[c] < is->rows ? tables[category[c] * is->dims + d] : 0;
        tables += is->rows * is->dims;
    }
    assert_true(n <= REFERENCE_WIDTH);
    return n;
}

static inline void reference_outputs(const struct fg_mlp_shape *shape, const double *at,
                                     size_t tables, const float *dense,
                                     const uint32_t *category,
                                     double out[REFERENCE_WIDTH])
{
    double x[REFERENCE_WIDTH];
    size_t in = reference_input(shape, at + tables, dense, category, x);
    for (size_t l = 0; l <= shape->hidden; l++) {
        size_t width = l < shape->hidden ? shape->width[l] : shape->outputs;
        assert_true(width <= REFERENCE_WIDTH);
        for (size_t j = 0; j < width; j++) {
            out[j] = at[in * width + j];
            for (size_t i = 0; i < in; i++)
                out[j] += x[i] * at[i * width + j];
            if (l < shape->hidden && out[j] < 0)
                out[j] = 0;
        }
        at += (in + 1) * width;
        in = width;
        memcpy(x, out, width * sizeof *x);
    }
}

static inline double reference_loss(enum fg_mlp_head head, double z, double target)
{
    if (isnan(target))
        return 0;
    if (head == FG_MLP_LINEAR)
        return (z - target) * (z - target) / 2;
    double p = 1 / (1 + exp(-z));
    return -target * log(p) - (1 - target) * log(1 - p);
}

/* Of row i, by its weight. */
static inline double reference_row_loss(const struct fg_mlp_shape *shape,
                                        const double *at, size_t tables,
                                        const struct fg_mlp_examples *of, size_t i)
{
    double out[REFERENCE_WIDTH], sum = 0;
    reference_outputs(shape, at, tables, of->rows.dense + i * shape->dense,
                      of->rows.category + i * shape->categories, out);
    for (size_t o = 0; o < shape->outputs; o++)
        sum += reference_loss(shape->head, out[o], of->target[i * shape->outputs + o]);
    return sum * (of->weight ? of->weight[i] : 1);
}

#endif
