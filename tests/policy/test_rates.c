/* What a policy may know of its pages, and in which order it believes it. */
#include "refresh.h"

#include "policy/refresh/rates.h"

static const struct fg_param params[] = {FG_RATES_PARAMS, FG_RATES_OWN_PARAM, {0}};
static const struct fg_column columns[] = {FG_RATES_COLUMNS, {0}};
static struct fg_brain *brain;

static void keep_brain(struct fg_brain *given)
{
    brain = given;
}

static const struct fg_policy knowing = {.name = "knowing",
                                         .tasks = FG_REFRESH,
                                         .params = params,
                                         .columns = columns,
                                         .self_size = sizeof(struct fg_rates_of_all),
                                         .init = keep_brain,
                                         .observe = fg_rates_observe};

static struct fg_mind *knowing_mind(size_t pages)
{
    struct fg_mind *mind = fg_mind_new(&knowing, 1);
    add_pages(mind, pages);
    return mind;
}

static double rate_of(size_t page)
{
    float rate;
    fg_rates_changes(brain, 1, page, 1, &rate);
    return (double)rate;
}

static double clicks_of(size_t page)
{
    float clicks;
    fg_rates_interest(brain, FG_TOLD_CLICKS_HISTORY, page, 1, &clicks);
    return (double)clicks;
}

static void chances_keep_their_digits(void **state)
{
    (void)state;
    enum { N = 1003 };
    static float x[N], chance[N];
    for (size_t i = 0; i < N; i++)
        x[i] = chance[i] = (float)pow(10, -12 + 15.0 * (double)i / N);
    fg_rates_to_chances(chance, N);
    for (size_t i = 0; i < N; i++) {
        double exact = -expm1(-(double)x[i]);
        assert_near((double)chance[i], exact, 3e-7 * exact);
    }
    float ends[] = {0, 1e30f};
    fg_rates_to_chances(ends, 2);
    assert_near((double)ends[0], 0, 0);
    assert_near((double)ends[1], 1, 0);
}

/* Clicks are told of two pages, .02 and .06 a day; a page of which nothing is told is as
 * an average one of these, times its weight. Before that it is its weight. */
static void pages_without_counts_are_as_those_that_have_some(void **state)
{
    (void)state;
    struct fg_mind *mind = knowing_mind(4);
    fg_mind_weigh(mind, 3, 2.5f);
    assert_near(clicks_of(2), 1, 0);
    assert_near(clicks_of(3), 2.5, 0);
    fg_mind_tell(mind, 0, FG_TOLD_CLICKS_MODEL, .9f);
    fg_mind_tell(mind, 0, FG_TOLD_CLICKS_MODEL, .02f); /* the last word counts */
    fg_mind_tell(mind, 1, FG_TOLD_CLICKS_MODEL, .06f);
    assert_near(clicks_of(0), 1 - exp(-.02), 1e-7);
    assert_near(clicks_of(2), 1 - exp(-.04), 2e-5);
    assert_near(clicks_of(3), 1 - exp(-.1), 3e-5);
    fg_mind_remove(mind, 0); /* takes its rate along; page 3 takes its row */
    assert_near(clicks_of(2), 1 - exp(-.06), 2e-5);
    fg_mind_tell(mind, 1, FG_TOLD_CLICKS_MODEL, NAN);
    assert_near(clicks_of(2), 1, 0);
    fg_mind_free(mind);
}

/* Two of five intervals of a day found a change; with half a visit of each kind added the
 * likeliest rate is ln(1 + 2.5 / 3.5). */
static void own_visits_give_a_rate(void **state)
{
    (void)state;
    struct fg_mind *mind = knowing_mind(2);
    see(mind, 0, 0, true);
    assert_near(rate_of(0), 0.05, 1e-6); /* one visit is no interval */
    for (int day = 1; day <= 5; day++)
        see(mind, 0, day, day == 2 || day == 5);
    assert_near(rate_of(0), 0.5389965, 1e-6);
    assert_near(rate_of(1), 0.5389965, 1e-4); /* as all others */
    see(mind, 1, 0, true);
    see(mind, 1, 1, false);
    see(mind, 1, 5, false); /* 2.5 days apart: ln(1 + .5/2.5) / 2.5 */
    assert_near(rate_of(1), 0.07292862, 1e-7);
    fg_mind_observe(mind, &(struct fg_visit){.page = 0, .now = 9 * FG_DAY});
    assert_near(rate_of(0), 0.5389965, 1e-6); /* a failure tells nothing */
    float chances[2];
    fg_rates_change_chances(brain, 2, 0, 2, chances);
    assert_near((double)chances[0], 1 - exp(-2 * 0.5389965), 1e-6);
    fg_mind_free(mind);
}

static void what_is_told_comes_first(void **state)
{
    (void)state;
    struct fg_mind *mind = knowing_mind(3);
    for (int day = 0; day <= 2; day++)
        see(mind, 0, day, true);
    double own = rate_of(0);
    fg_mind_tell(mind, 0, FG_TOLD_CHANGES_MODEL, 0.25f);
    fg_mind_tell(mind, 0, FG_TOLD_CHANGES_HISTORY, 0);
    fg_mind_tell(mind, 1, FG_TOLD_CHANGES_MODEL, NAN);
    assert_near(rate_of(0), 0.25, 0);
    assert_true(rate_of(1) > 0.5); /* as all others, from visits */
    brain->knob[FG_RATES_MODEL] = 0;
    assert_near(rate_of(0), 0, 0); /* a zero stays one */
    brain->knob[FG_RATES_SMOOTH] = 0.5;
    assert_near(rate_of(0), 0.5 / 30, 1e-9);
    brain->knob[FG_RATES_OWN] = 1;
    assert_near(rate_of(0), own, 0);
    fg_mind_free(mind);
}

static void clicks_are_chances_counts_or_weights(void **state)
{
    (void)state;
    struct fg_mind *mind = knowing_mind(3);
    fg_mind_weigh(mind, 0, 7);
    fg_mind_weigh(mind, 1, -3);
    fg_mind_weigh(mind, 2, NAN);
    assert_near(clicks_of(0), 7, 0);
    assert_near(clicks_of(1), 0, 0); /* not a weight */
    assert_near(clicks_of(2), 0, 0);
    fg_mind_tell(mind, 1, FG_TOLD_CLICKS_MODEL, 2);
    fg_mind_tell(mind, 2, FG_TOLD_CLICKS_MODEL, INFINITY);
    assert_near(clicks_of(0), 1 - exp(-14), 1e-6); /* as seven of what is told */
    assert_near(clicks_of(1), 1 - exp(-2), 1e-6);
    assert_near(clicks_of(2), 0, 0);
    brain->knob[FG_RATES_COUNT] = 1;
    assert_near(clicks_of(1), 2, 0);
    fg_mind_free(mind);
}

/* Pages in one call are the same as pages one by one, wherever blocks end. */
static void pages_do_not_depend_on_their_neighbours(void **state)
{
    (void)state;
    enum { N = 37 };
    struct fg_mind *mind = knowing_mind(N);
    for (size_t i = 0; i < N; i++) {
        fg_mind_tell(mind, i, FG_TOLD_CHANGES_MODEL, i % 3 ? (float)i / 10 : NAN);
        fg_mind_tell(mind, i, FG_TOLD_CLICKS_MODEL, i % 4 ? (float)i / 100 : NAN);
    }
    float rates[N], clicks[N];
    fg_rates_changes(brain, 1, 0, N, rates);
    fg_rates_interest(brain, FG_TOLD_CLICKS_HISTORY, 0, N, clicks);
    for (size_t i = 0; i < N; i++) {
        assert_near((double)rates[i], rate_of(i), 0);
        assert_near((double)clicks[i], clicks_of(i), 0);
    }
    fg_mind_free(mind);
}

FG_TESTS(chances_keep_their_digits, pages_without_counts_are_as_those_that_have_some,
         own_visits_give_a_rate, what_is_told_comes_first,
         clicks_are_chances_counts_or_weights, pages_do_not_depend_on_their_neighbours)
