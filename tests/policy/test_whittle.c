/* The index against its formula, for rates that are told and for what is believed. */
#include "refresh.h"

static struct fg_mind *whittle(double reward, double slots, double learn)
{
    const struct knob knobs[] = {
        {"reward", reward}, {"slots", slots}, {"learn", learn}, {0}};
    struct fg_mind *mind = mind_of("whittle", knobs, 1);
    fg_mind_tick(mind, FG_DAY);
    add_pages(mind, 1);
    return mind;
}

static double score_at(struct fg_mind *mind, double day)
{
    return reason_at(mind, 0, day).score;
}

/* Rate .6 a day, weight 5, steps of a day: with q = exp(-.6), k steps after the visit,
 * 5 ((1 - q^k)/(1 - q) - k q^k), the same without the first 1/(1 - q) for the reward, and
 * with 1/.6 in its place for freshness over time. */
static void told_rates_give_the_index_of_the_formula(void **state)
{
    (void)state;
    static const struct {
        double reward, slots, after_1, after_3;
    } cases[] = {{0, 1, 2.2559418, 6.7705459},
                 {0, 0, 1.6964245, 5.0913192},
                 {1, 1, 1.0178547, 3.0547915}};
    for (size_t i = 0; i < 3; i++) {
        struct fg_mind *mind = whittle(cases[i].reward, cases[i].slots, 1);
        fg_mind_weigh(mind, 0, 5);
        fg_mind_tell(mind, 0, FG_TOLD_CHANGES_MODEL, 0.6f);
        see(mind, 0, 10, true);
        assert_near(score_at(mind, 11), cases[i].after_1, 1e-5);
        assert_near(score_at(mind, 13), cases[i].after_3, 1e-5);
        fg_mind_free(mind);
    }
}

/* Short steps: (w/(l t)) (1 - exp(-A)(1 + A)) with A = l X, t the step. */
static void short_steps_give_the_continuous_index(void **state)
{
    (void)state;
    struct fg_mind *mind = whittle(0, 1, 1);
    fg_mind_tick(mind, FG_MINUTE);
    fg_mind_tell(mind, 0, FG_TOLD_CHANGES_MODEL, 0.1f);
    see(mind, 0, 0, true);
    double a = 0.1 * 7, steps = 24 * 60;
    double expected = steps / 0.1 * (1 - exp(-a) * (1 + a));
    assert_near(score_at(mind, 7), expected, 1e-3 * expected);
    fg_mind_free(mind);
}

/* Before any pair of visits the rate is gamma with shape .5 and mean .05 a day, so b is
 * 10 days: S(k) = (10/(10 + k))^.5. At k = 5 the sum of S(0) to S(4) less 5 S(5) is
 * .506063, its integral form .478278, and 1 - S(5) - 5 (S(5) - S(6)) is .0538676. */
static void beliefs_give_the_index_of_their_survival(void **state)
{
    (void)state;
    static const double expected[] = {0.506063, 0.478278, 0.0538676};
    for (size_t i = 0; i < 3; i++) {
        struct fg_mind *mind = whittle(i == 2, i != 1, 1);
        see(mind, 0, 100, true);
        assert_near(score_at(mind, 105), expected[i], 1e-4 * expected[i]);
        fg_mind_free(mind);
    }
}

/* A change after 2 days: the gamma of the same moments has shape 1.4897105 and rate
 * 10.8492329; three days without one are added to the latter. */
static void visits_move_the_belief(void **state)
{
    (void)state;
    struct fg_mind *mind = whittle(0, 1, 1);
    see(mind, 0, 0, true);
    see(mind, 0, 2, true);
    assert_near(reason_at(mind, 0, 2).rate, 0.13731021, 1e-6);
    see(mind, 0, 5, false);
    struct fg_reason reason = reason_at(mind, 0, 5);
    assert_near(reason.rate, 0.10756628, 1e-6);
    assert_true(reason.low > 0 && reason.low < reason.rate && reason.high > reason.rate);
    fg_mind_free(mind);
}

/* The estimate from own visits takes the place of what is told if the knob says so. */
static void an_estimate_may_be_put_in_instead(void **state)
{
    (void)state;
    struct fg_mind *mind = whittle(1, 1, 0);
    for (int day = 0; day <= 5; day++)
        see(mind, 0, day, day == 2 || day == 5);
    double rate = 0.5389965, q = exp(-rate);
    assert_near(score_at(mind, 7), 1 - q * q - 2 * q * q * (1 - q), 1e-5);
    fg_mind_free(mind);
}

/* Uncertain pages come back: with shape up to 1 the index has no upper limit, while that
 * of a rate for sure ends at w / (1 - q). */
static void what_is_little_known_is_looked_at_again(void **state)
{
    (void)state;
    struct fg_mind *mind = whittle(0, 1, 1);
    see(mind, 0, 0, true);
    see(mind, 0, 1, false);
    double q = exp(-reason_at(mind, 0, 1).rate);
    assert_true(score_at(mind, 3000) > 2 / (1 - q));
    fg_mind_free(mind);
}

static void a_page_never_fetched_counts_as_old(void **state)
{
    (void)state;
    struct fg_mind *mind = whittle(0, 1, 1);
    double never = score_at(mind, 500);
    see(mind, 0, 500, true);
    assert_near(score_at(mind, 590), never, 1e-6 * never);
    fg_mind_free(mind);
}

FG_TESTS(told_rates_give_the_index_of_the_formula, short_steps_give_the_continuous_index,
         beliefs_give_the_index_of_their_survival, visits_move_the_belief,
         an_estimate_may_be_put_in_instead, what_is_little_known_is_looked_at_again,
         a_page_never_fetched_counts_as_old)
