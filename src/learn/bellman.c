#include "learn/bellman.h"

#include "learn/mlp_model.h"

#include <assert.h>
#include <string.h>

static size_t best_of(const float *values, const bool *is_open, size_t n)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++)
        if ((!is_open || is_open[i]) && (best == n || values[i] > values[best]))
            best = i;
    assert(best < n);
    return best;
}

double fg_bellman_gradient(struct fg_mlp *mlp, struct fg_mlp_pass *pass,
                           const struct fg_bellman_batch *batch)
{
    size_t n = batch->n, actions = mlp->shape.outputs;
    assert(mlp->shape.head == FG_MLP_LINEAR && 2 * n <= pass->rows_max);
    struct fg_mlp_rows rows = {batch->states, NULL, NULL, 2 * n};
    const float *q = fg_mlp_forward(mlp, pass, &rows), *next_q = q + n * actions;
    float *slope = pass->head, *next_slope = slope + n * actions;
    double sum = 0;
    memset(slope, 0, 2 * n * actions * sizeof *slope);
    for (size_t i = 0; i < n; i++) {
        size_t action = i * actions + batch->action[i];
        size_t follows =
            i * actions + best_of(next_q + i * actions, batch->is_open, actions);
        double d = batch->reward[i] + batch->discount * next_q[follows] - q[action];
        sum += d * d;
        next_slope[follows] = (float)(batch->discount * d / (double)n);
        slope[action] = (float)(-d / (double)n);
    }
    fg_mlp_backward(mlp, pass, slope);
    return n ? sum / (double)n : 0;
}
