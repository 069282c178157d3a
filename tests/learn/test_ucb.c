/* UCB1 against values worked out by hand, and the regret its paper promises. */
#include "test.h"

#include "base/rng.h"
#include "learn/ucb.h"

static void index_is_mean_plus_width(void **state)
{
    (void)state;
    /* sqrt(2 ln 10 / 4) = sqrt(1.1512925465) = 1.0729830132 */
    assert_near(fg_ucb1_index(0.25, 4, 10), 1.3229830132, 1e-9);
    /* sqrt(2 ln 2 / 1) = 1.1774100226 */
    assert_near(fg_ucb1_index(0, 1, 2), 1.1774100226, 1e-9);
    assert_near(fg_ucb1_index(0.5, 1, 1), 0.5, 0);
    assert_true(isinf(fg_ucb1_index(0, 0, 5)));
}

static void each_arm_is_tried_once_first(void **state)
{
    (void)state;
    struct fg_ucb ucb;
    fg_ucb_init(&ucb, 3);
    for (size_t arm = 0; arm < 3; arm++) {
        assert_int_equal(fg_ucb_choose(&ucb), arm);
        fg_ucb_reward(&ucb, arm, arm == 1 ? 1.0 : 0.0);
    }
    assert_int_equal(fg_ucb_choose(&ucb), 1);
}

/* Means 0.6 of 9 plays and 0.5 of 1 play at t = 10: 0.6 + sqrt(2 ln 10 / 9) = 1.3153
 * against 0.5 + sqrt(2 ln 10) = 2.6460. The lesser known arm is worth a look. */
static void the_arm_seldom_played_is_tried_again(void **state)
{
    (void)state;
    struct fg_ucb ucb;
    fg_ucb_init(&ucb, 2);
    for (int i = 0; i < 9; i++)
        fg_ucb_reward(&ucb, 0, 0.6);
    fg_ucb_reward(&ucb, 1, 0.5);
    assert_int_equal(fg_ucb_choose(&ucb), 1);
    /* At n = 9 and 9 the means decide. */
    for (int i = 0; i < 8; i++)
        fg_ucb_reward(&ucb, 1, 0.5);
    assert_int_equal(fg_ucb_choose(&ucb), 0);
}

/* Theorem 1 of the paper: an arm short by d is played at most 8 ln t / d^2 + 1 + pi^2 / 3
 * times in expectation. Four coins of 0.9, 0.6, 0.5 and 0.3. */
static void bad_arms_are_played_as_seldom_as_the_theorem_says(void **state)
{
    (void)state;
    enum { ROUNDS = 20000 };
    static const double chance[] = {0.6, 0.9, 0.5, 0.3};
    struct fg_rng rng = fg_rng_from_seed(3);
    struct fg_ucb ucb;
    fg_ucb_init(&ucb, 4);
    for (int i = 0; i < ROUNDS; i++) {
        size_t arm = fg_ucb_choose(&ucb);
        fg_ucb_reward(&ucb, arm, fg_rng_unit(&rng) < chance[arm]);
    }
    for (size_t arm = 0; arm < 4; arm++) {
        double d = 0.9 - chance[arm];
        if (d > 0)
            assert_true(ucb.count[arm] < 8 * log(ROUNDS) / (d * d) + 4.29);
    }
    assert_true(ucb.count[1] > ROUNDS * 9 / 10);
}

FG_TESTS(index_is_mean_plus_width, each_arm_is_tried_once_first,
         the_arm_seldom_played_is_tried_again,
         bad_arms_are_played_as_seldom_as_the_theorem_says)
