/* bellman.h - Q-learning by the full gradient of the Bellman error
 *
 *     struct fg_bellman_batch batch = {.n = 32, .states = states, .action = action,
 *                                      .reward = reward, .discount = 0.95};
 *     fg_bellman_gradient(mlp, pass, &batch);
 *     fg_mlp_step_plain(mlp, step, 0, 0);
 *
 * A network with a linear head, whose output u for a state z is Q(z, u): what action u in
 * state z is worth, with all that follows. It is right where
 *
 *     d = reward + discount max_v Q(next, v) - Q(state, action)
 *
 * is 0 on average. DQN moves Q(state, action) towards a target that it holds still.
 * Avrachenkov, Borkar, Dolhare and Patil ("Full gradient DQN reinforcement learning",
 * 2021) descend d^2 / 2 by all its parts, d (discount grad Q(next, v) - grad Q(state,
 * action)), v being the best action of the next state: gradient descent on one function,
 * which converges where DQN need not. */
#ifndef FG_LEARN_BELLMAN_H
#define FG_LEARN_BELLMAN_H

#include "learn/mlp.h"

struct fg_bellman_batch {
    size_t n;
    const float *states;    /* n of them, then the n that followed */
    const uint32_t *action; /* an output of the network */
    const float *reward;
    const bool *is_open; /* by action: may it come next? NULL: all may; one must */
    double discount;
};

/* Add the gradient of half the mean of d^2 to that of the network; returns the mean of
 * d^2. The pass must have room for 2 n rows. */
double fg_bellman_gradient(struct fg_mlp *mlp, struct fg_mlp_pass *pass,
                           const struct fg_bellman_batch *batch);

#endif
