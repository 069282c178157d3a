/* The settings of Avrachenkov, Borkar & Patil: what is printed, and what an index adds.
 *
 * Expected figures were derived apart from this code, or are exact: the
 * optimum of the first setting is to fetch page 1 for ever, 5 (1 - exp(-.6)) = 2.256.
 * Tolerances are three standard errors of so many runs. All of them at length, as in
 * docs/policies.md: FORAGE_LONG=1. */
#include "restless.h"

static const double OPTIMUM = 2.2559;
static const struct knob groups[] = {{"groups", 1}, {0}};
static const struct knob reward[] = {{"reward", 1}, {0}};
static const struct knob known[] = {{"known", 1}, {0}};
static const struct knob known_reward[] = {{"known", 1}, {"reward", 1}, {0}};
static const struct knob weighted[] = {{"groups", 1}, {"weighted", 1}, {0}};

static void uniform_is_as_published(void **state)
{
    (void)state;
    struct figures one = run("uniform", groups, &single, 10);
    assert_near(one.reward, 1.053, 0.025);
    assert_near(one.fresh, 0.528, 0.01);
    struct figures many = run("uniform", groups, &grouped, 4);
    assert_near(many.reward, 1.170, 0.035);
    assert_near(many.fresh, 0.621, 0.01);
}

static void thompson_sampling_is_as_published(void **state)
{
    (void)state;
    struct figures one = run("thompson-beta", groups, &single, 10);
    assert_near(one.reward, 1.890, 0.04);
    assert_near(one.fresh, 0.720, 0.01);
    struct figures many = run("thompson-beta", groups, &grouped, 4);
    assert_near(many.reward, 1.683, 0.08);
    assert_near(many.fresh, 0.611, 0.04);
}

/* Draws times importance would have been all there is to gain. */
static void importance_makes_thompson_sampling_best(void **state)
{
    (void)state;
    struct figures one = run("thompson-beta", weighted, &single, 10);
    assert_near(one.reward, OPTIMUM, 0.03);
}

static void static_optimisation_is_as_published(void **state)
{
    (void)state;
    struct figures one = run("static", groups, &single, 10);
    assert_near(one.reward, 2.205, 0.03);
    assert_near(one.fresh, 0.855, 0.01);
    struct figures many = run("static", groups, &grouped, 4);
    assert_near(many.reward, 1.899, 0.05);
}

/* Equation 8 over the four arms of the second setting; expected: scipy's root of the sum
 * of clip((sqrt(mu D/v) - D)/(1 - D), 0, 1) = 1 with D = 1 - exp(-lambda). An explanation
 * tells the arm's chance. */
static void groups_are_solved_for_as_arms(void **state)
{
    (void)state;
    static const double expected[] = {0.76651, 0.02090, 0.07614, 0.13644};
    static const struct knob both[] = {{"groups", 1}, {"known", 1}, {0}};
    struct restless web = restless_from(&grouped);
    struct fg_foresight foresight = {.context = &web, .rate = true_rate};
    struct fg_mind *mind = restless_mind("static", both, &web, 1);
    fg_mind_foresee(mind, &foresight);
    for (int slot = 1; slot < 500; slot++) {
        struct fg_pick pick;
        assert_int_equal(fg_mind_choose(mind, slot * FG_DAY, 1, &pick), 1);
        assert_near((double)pick.probability, expected[web.kind[pick.page]], 6e-4);
        assert_near(reason_at(mind, pick.page, slot).score, expected[web.kind[pick.page]],
                    6e-4);
    }
    fg_mind_free(mind);
}

/* The distribution printed in the paper, [.942, .055, .003, 0], is the right one with its
 * second and third entries swapped. */
static void static_distribution_is_the_printed_one_put_right(void **state)
{
    (void)state;
    static const double expected[] = {0.942, 0.003, 0.055, 0};
    struct restless web = restless_from(&single);
    struct fg_foresight foresight = {.context = &web, .rate = true_rate};
    struct fg_mind *mind = restless_mind("static", known, &web, 1);
    fg_mind_foresee(mind, &foresight);
    for (int slot = 1; slot < 2000; slot++) {
        struct fg_pick pick;
        assert_int_equal(fg_mind_choose(mind, slot * FG_DAY, 1, &pick), 1);
        assert_int_not_equal(pick.page, 3);
        assert_near((double)pick.probability, expected[pick.page], 6e-4);
    }
    fg_mind_free(mind);
}

static void the_index_with_true_rates_is_optimal(void **state)
{
    (void)state;
    assert_near(run("whittle", known_reward, &single, 10).reward, OPTIMUM, 0.03);
    assert_near(run("whittle", known, &single, 10).fresh, 0.867, 0.005);
    struct figures many = run("whittle", known_reward, &grouped, 4);
    assert_near(many.reward, 1.975, 0.05);
}

/* Within 1 % by step 1,000, up to the noise of 60 runs: .01 is one standard error. */
static void the_learnt_index_is_at_the_optimum_after_a_thousand_steps(void **state)
{
    (void)state;
    struct figures one = run("whittle", reward, &single, 60);
    assert_true(one.early > 0.99 * OPTIMUM);
    assert_near(one.reward, OPTIMUM, 0.02);
    struct figures many = run("whittle", reward, &grouped, 6);
    assert_true(many.reward > 1.93);
}

static void the_learnt_index_is_fresher_than_lots_with_true_rates(void **state)
{
    (void)state;
    double learnt = run("whittle", NULL, &single, 10).fresh;
    assert_near(learnt, 0.865, 0.006);
    assert_true(learnt > run("static", known, &single, 10).fresh);
}

static void everything_at_length(void **state)
{
    (void)state;
    if (!getenv("FORAGE_LONG"))
        skip();
    static const struct knob none[] = {{0}};
    static const struct {
        const char *name, *with;
        const struct knob *knobs;
    } rows[] = {
        {"uniform", "groups", groups},
        {"thompson-beta", "groups", groups},
        {"thompson-beta", "weighted", weighted},
        {"static", "groups", groups},
        {"whittle", "known reward", known_reward},
        {"whittle", "reward", reward},
        {"whittle", "known", known},
        {"whittle", "", none},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct figures one = run(rows[i].name, rows[i].knobs, &single, 40);
        struct figures many = run(rows[i].name, rows[i].knobs, &grouped, 20);
        print_message("%s %s: %.3f (%.3f by 1000) %.3f; %.3f (%.3f) %.3f\n", rows[i].name,
                      rows[i].with, one.reward, one.early, one.fresh, many.reward,
                      many.early, many.fresh);
        assert_true(one.reward > 0 && many.reward > 0);
    }
}

FG_TESTS(uniform_is_as_published, thompson_sampling_is_as_published,
         importance_makes_thompson_sampling_best, static_optimisation_is_as_published,
         groups_are_solved_for_as_arms, static_distribution_is_the_printed_one_put_right,
         the_index_with_true_rates_is_optimal,
         the_learnt_index_is_at_the_optimum_after_a_thousand_steps,
         the_learnt_index_is_fresher_than_lots_with_true_rates, everything_at_length)
