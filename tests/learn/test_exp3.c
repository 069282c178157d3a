/* EXP3, EXP3-IX and EXP3++: first steps worked out by hand, and games with a best arm. */
#include "test.h"

#include "learn/exp3.h"

#include <stdbool.h>

/* Weights 1 and 1 are chances of 1/2. A reward of 1 makes the first weight
 * exp(0.1 / 2 * 1 / 0.5) = e^0.1, and its chance 0.9 e^0.1 / (e^0.1 + 1) + 0.05. */
static void exp3_takes_the_step_of_the_paper(void **state)
{
    (void)state;
    struct fg_exp3 bandit;
    double chance[FG_EXP3_ARMS_MAX];
    fg_exp3_init(&bandit, FG_EXP3, 2, 0.1);
    fg_exp3_reward(&bandit, 0, 1);
    assert_near(bandit.log_weight[0], 0.1, 1e-15);
    fg_exp3_chances(&bandit, chance);
    assert_near(chance[0], 0.522481268731, 1e-12);
    assert_near(chance[1], 1 - 0.522481268731, 1e-12);
    /* The loser's second chance is of the new chances: 0.05 * 1 / 0.477518... */
    memcpy(bandit.chance, chance, sizeof chance);
    fg_exp3_reward(&bandit, 1, 1);
    assert_near(bandit.log_weight[1], 0.05 / 0.477518731269, 1e-12);
}

/* A reward of 1/4 is a loss of 3/4, estimated as 0.75 / (0.5 + 0.1) = 1.25; eta is 0.2:
 * exp(-0.25) against 1. */
static void exp3_ix_divides_by_a_little_more(void **state)
{
    (void)state;
    struct fg_exp3 bandit;
    double chance[FG_EXP3_ARMS_MAX];
    fg_exp3_init(&bandit, FG_EXP3_IX, 2, 0.1);
    fg_exp3_reward(&bandit, 1, 0.25);
    fg_exp3_chances(&bandit, chance);
    assert_near(chance[1], 0.437823499114, 1e-12);
}

/* gamma_1 = sqrt(ln 2 / 2) / 2 = 0.29435; a loss of 1 counts 1 / (0.5 + 0.29435); then
 * eta_2 = sqrt(ln 2 / 4) = 0.41628. */
static void exp3_ix_needs_no_gamma(void **state)
{
    (void)state;
    struct fg_exp3 bandit;
    double chance[FG_EXP3_ARMS_MAX];
    fg_exp3_init(&bandit, FG_EXP3_IX, 2, 0);
    fg_exp3_reward(&bandit, 0, 0);
    fg_exp3_chances(&bandit, chance);
    assert_near(chance[0], 0.371906615899, 1e-12);
}

/* A loss of 1 at the chance 1/2 counts 2; eta_2 = sqrt(ln 2 / 4) / 2 = 0.20814 is also
 * what each arm is explored with while nothing is sure. */
static void exp3_pp_explores_what_may_be_best(void **state)
{
    (void)state;
    struct fg_exp3 bandit;
    double chance[FG_EXP3_ARMS_MAX];
    fg_exp3_init(&bandit, FG_EXP3_PP, 2, 0);
    fg_exp3_chances(&bandit, chance);
    assert_near(chance[0], 0.5, 1e-15);
    fg_exp3_reward(&bandit, 0, 0);
    fg_exp3_chances(&bandit, chance);
    assert_near(chance[0], 0.440114663247, 1e-12);
}

/* At the play of number 1e10, losses of 0.1 in 9e9 plays and of 0.6 in the others: the
 * gap is surely 0.49975 (0.5 less the two widths), and 256 ln t / (t gap^2) = 2.3602e-6
 * is less than the 2.9435e-6 that an arm without a gap gets. */
static void exp3_pp_explores_less_what_is_surely_worse(void **state)
{
    (void)state;
    struct fg_exp3 bandit;
    double chance[FG_EXP3_ARMS_MAX];
    fg_exp3_init(&bandit, FG_EXP3_PP, 2, 0);
    bandit.plays = 9999999999;
    bandit.count[0] = 9000000000;
    bandit.count[1] = 999999999;
    bandit.loss[0] = 0.1 * 9e9;
    bandit.loss[1] = 0.6 * 999999999.0;
    bandit.log_weight[0] = -1e9;
    bandit.log_weight[1] = -6e9;
    fg_exp3_chances(&bandit, chance);
    assert_near(chance[1], 2.360197636405e-06, 1e-15);
    assert_near(chance[0], 1 - 2.360197636405e-06, 1e-12);
}

static void chances_sum_to_one_whatever_the_weights(void **state)
{
    (void)state;
    static const enum fg_exp3_kind kinds[] = {FG_EXP3, FG_EXP3_IX, FG_EXP3_PP};
    for (size_t kind = 0; kind < 3; kind++)
        for (size_t arms = 1; arms <= FG_EXP3_ARMS_MAX; arms++) {
            struct fg_exp3 bandit;
            fg_exp3_init(&bandit, kinds[kind], arms, 0.1);
            bandit.plays = 10000000;
            for (size_t i = 0; i < arms; i++)
                bandit.log_weight[i] = (double)i * 1e7;
            double chance[FG_EXP3_ARMS_MAX], sum = 0;
            fg_exp3_chances(&bandit, chance);
            for (size_t i = 0; i < arms; i++) {
                assert_true(chance[i] >= 0 && chance[i] <= 1);
                sum += chance[i];
            }
            assert_near(sum, 1, 1e-12);
            assert_true(chance[arms - 1] >= 0.9);
        }
}

static void arms_are_drawn_by_their_chances(void **state)
{
    (void)state;
    enum { DRAWS = 100000 };
    struct fg_rng rng = fg_rng_from_seed(1);
    struct fg_exp3 bandit;
    fg_exp3_init(&bandit, FG_EXP3, 3, 0.3);
    bandit.log_weight[1] = 1;
    double expected[FG_EXP3_ARMS_MAX], seen[3] = {0}, chance;
    fg_exp3_chances(&bandit, expected);
    for (int i = 0; i < DRAWS; i++) {
        size_t arm = fg_exp3_draw(&bandit, &rng, &chance);
        assert_true(chance == expected[arm]);
        seen[arm]++;
    }
    for (size_t i = 0; i < 3; i++) /* four standard deviations */
        assert_near(seen[i] / DRAWS, expected[i], 4 * sqrt(0.25 / DRAWS));
}

static void rewards_out_of_range_count_as_the_nearer_end(void **state)
{
    (void)state;
    static const double odd[][2] = {{-3, 0}, {1.5, 1}, {NAN, 0}};
    for (size_t i = 0; i < 3; i++) {
        struct fg_exp3 a, b;
        fg_exp3_init(&a, FG_EXP3_IX, 4, 0.1);
        b = a;
        fg_exp3_reward(&a, 2, odd[i][0]);
        fg_exp3_reward(&b, 2, odd[i][1]);
        assert_true(a.log_weight[2] == b.log_weight[2] && a.loss[2] == b.loss[2]);
    }
}

/* Five coins; the best is number 3 until `change`, number 1 after it. The share of plays
 * that went to the best in the last tenth. */
static double play(enum fg_exp3_kind kind, double gamma, int plays, int change)
{
    struct fg_rng rng = fg_rng_from_seed(4);
    struct fg_exp3 bandit;
    fg_exp3_init(&bandit, kind, 5, gamma);
    double right = 0;
    for (int i = 0; i < plays; i++) {
        size_t best = i < change ? 3 : 1, arm = fg_exp3_draw(&bandit, &rng, NULL);
        fg_exp3_reward(&bandit, arm, fg_rng_unit(&rng) < (arm == best ? 0.8 : 0.3));
        right += i >= plays - plays / 10 && arm == best;
    }
    return right / (plays / 10.0);
}

static void the_best_arm_is_found(void **state)
{
    (void)state;
    assert_true(play(FG_EXP3, 0.1, 20000, 20000) > 0.9); /* 0.92 is the most there is */
    assert_true(play(FG_EXP3_IX, 0.02, 20000, 20000) > 0.95);
    assert_true(play(FG_EXP3_IX, 0, 20000, 20000) > 0.9);
    assert_true(play(FG_EXP3_PP, 0, 20000, 20000) > 0.9);
}

static void another_arm_may_become_the_best(void **state)
{
    (void)state;
    assert_true(play(FG_EXP3, 0.1, 40000, 10000) > 0.9);
    assert_true(play(FG_EXP3_IX, 0.02, 40000, 10000) > 0.9);
    assert_true(play(FG_EXP3_IX, 0, 40000, 10000) > 0.9);
    assert_true(play(FG_EXP3_PP, 0, 40000, 10000) > 0.9);
}

FG_TESTS(exp3_takes_the_step_of_the_paper, exp3_ix_divides_by_a_little_more,
         exp3_ix_needs_no_gamma, exp3_pp_explores_what_may_be_best,
         exp3_pp_explores_less_what_is_surely_worse,
         chances_sum_to_one_whatever_the_weights, arms_are_drawn_by_their_chances,
         rewards_out_of_range_count_as_the_nearer_end, the_best_arm_is_found,
         another_arm_may_become_the_best)
