#include "learn/bellman.h"
#include "learn/mlp_reference.h"
#include "test.h"

#include "base/variate.h"

enum { PICKS = 6, STATE = 4, ARMS = 3 };
static const struct fg_mlp_shape shape = {
    .dense = STATE, .hidden = 2, .width = {9, 5}, .outputs = ARMS, .head = FG_MLP_LINEAR};
static const double discount = 0.95;

struct picks {
    float states[2 * PICKS * STATE], reward[PICKS];
    uint32_t action[PICKS];
    bool is_open[ARMS];
};

static struct picks make_picks(void)
{
    struct picks picks = {.is_open = {true, false, true}};
    struct fg_rng rng = fg_rng_from_seed(21);
    for (size_t i = 0; i < 2 * PICKS * STATE; i++)
        picks.states[i] = (float)fg_rng_normal(&rng);
    for (size_t i = 0; i < PICKS; i++) {
        picks.action[i] = (uint32_t)fg_rng_below(&rng, ARMS);
        picks.reward[i] = (float)fg_rng_below(&rng, 5);
    }
    return picks;
}

static double square_error(const double *at, const struct picks *picks, size_t i,
                           bool all_are_open)
{
    double q[REFERENCE_WIDTH], next[REFERENCE_WIDTH], best = -INFINITY;
    reference_outputs(&shape, at, 0, picks->states + i * STATE, NULL, q);
    reference_outputs(&shape, at, 0, picks->states + (PICKS + i) * STATE, NULL, next);
    for (size_t v = 0; v < ARMS; v++)
        if ((all_are_open || picks->is_open[v]) && next[v] > best)
            best = next[v];
    double d = picks->reward[i] + discount * best - q[picks->action[i]];
    return d * d;
}

static double mean_error(const double *at, const struct picks *picks, bool all_are_open)
{
    double sum = 0;
    for (size_t i = 0; i < PICKS; i++)
        sum += square_error(at, picks, i, all_are_open);
    return sum / PICKS;
}

static void check_gradient(bool all_are_open)
{
    struct picks picks = make_picks();
    struct fg_rng rng = fg_rng_from_seed(3);
    struct fg_mlp *mlp = fg_mlp_new(&shape, &rng);
    struct fg_mlp_parameters all = fg_mlp_parameters(mlp);
    for (size_t i = 0; i < all.n; i++) /* biases too */
        all.value[i] += (float)(0.1 * fg_rng_normal(&rng));
    struct fg_mlp_pass *pass = fg_mlp_pass_new(mlp, 2 * PICKS);
    struct fg_bellman_batch batch = {.n = PICKS,
                                     .states = picks.states,
                                     .action = picks.action,
                                     .reward = picks.reward,
                                     .is_open = all_are_open ? NULL : picks.is_open,
                                     .discount = discount};
    double *at = reference_parameters(mlp), h = 1e-5;
    double error = fg_bellman_gradient(mlp, pass, &batch);
    assert_near(error, mean_error(at, &picks, all_are_open), 1e-4);
    for (size_t i = 0; i < all.n; i++) {
        double was = at[i];
        at[i] = was + h;
        double up = mean_error(at, &picks, all_are_open);
        at[i] = was - h;
        double down = mean_error(at, &picks, all_are_open);
        at[i] = was;
        assert_near(all.gradient[i], (up - down) / 4 / h, 5e-5);
    }
    free(at);
    fg_mlp_pass_free(pass);
    fg_mlp_free(mlp);
}

static void gradient_is_that_of_the_bellman_error(void **state)
{
    (void)state;
    check_gradient(true);
}

static void closed_actions_are_not_expected_next(void **state)
{
    (void)state;
    check_gradient(false);
}

/* Two states, two actions: action 1 in state 0 pays 1 and leads to state 1, where action
 * 0 pays 2 and leads back; anything else pays nothing and stays. With discount 1/2,
 * Q(0, 1) = 1 + Q(1, 0) / 2, Q(1, 0) = 2 + Q(0, 1) / 2: 8/3 and 10/3. */
static void learns_the_values_of_a_small_world(void **state)
{
    (void)state;
    struct fg_mlp_shape small = {
        .dense = 2, .hidden = 1, .width = {32}, .outputs = 2, .head = FG_MLP_LINEAR};
    struct fg_rng rng = fg_rng_from_seed(3);
    struct fg_mlp *mlp = fg_mlp_new(&small, &rng);
    struct fg_mlp_pass *pass = fg_mlp_pass_new(mlp, 8);
    float states[] = {1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1}, q[4];
    uint32_t action[] = {0, 1, 0, 1};
    float reward[] = {0, 1, 2, 0};
    struct fg_bellman_batch batch = {
        .n = 4, .states = states, .action = action, .reward = reward, .discount = 0.5};
    for (int i = 0; i < 4000; i++) {
        fg_bellman_gradient(mlp, pass, &batch);
        fg_mlp_step_plain(mlp, 0.05, 0, 0);
    }
    float both[] = {1, 0, 0, 1};
    fg_mlp_predict(mlp, &(struct fg_mlp_rows){both, NULL, NULL, 2}, q);
    assert_near(q[1], 8.0 / 3, 0.02);
    assert_near(q[2], 10.0 / 3, 0.02);
    assert_near(q[0], 4.0 / 3, 0.02); /* stay, then the best */
    assert_near(q[3], 5.0 / 3, 0.02);
    fg_mlp_pass_free(pass);
    fg_mlp_free(mlp);
}

FG_TESTS(gradient_is_that_of_the_bellman_error, closed_actions_are_not_expected_next,
         learns_the_values_of_a_small_world)
