/* ltr: that it learns what there is to learn, and from what. */
#include "yield_fixture.h"

static const double *weights(void)
{
    return ((struct fg_yield_model *)inside->self)->known.weights;
}

/* Every page finds as many links as it has waited hours, up to nine, none of them shared:
 * only the age matters, and the weights must rank by it. */
static void it_learns_that_age_matters(void **state)
{
    (void)state;
    enum { PAGES = 12, BUDGET = 4 };
    struct fg_mind *mind = open_mind_of("ltr", PAGES);
    struct fg_pick picks[BUDGET];
    struct fg_rng rng = fg_rng_from_seed(3);
    for (int hour = 0; hour < 40; hour++) {
        size_t n = fg_mind_choose(mind, hour * FG_HOUR, BUDGET, picks);
        for (size_t i = 0; i < n; i++) {
            /* in place of the picks, any pages, so that ages differ */
            size_t page = fg_rng_below(&rng, PAGES);
            fg_time last = fg_mind_world(mind)->last_visit[page];
            size_t age = last == FG_NEVER ? 9 : (size_t)fg_hours(hour * FG_HOUR - last);
            visit(mind, page, hour * FG_HOUR, (page * 1000 + (uint64_t)hour) * 1000,
                  age < 9 ? age : 9);
        }
    }
    const double *w = weights();
    assert_true(w[FG_YIELD_AGE] > 0);
    assert_near(fabs(w[FG_YIELD_AVG]) + fabs(w[FG_YIELD_STD]) + fabs(w[FG_YIELD_AGE]) +
                    fabs(w[FG_YIELD_AA]),
                1, 1e-9);
    /* hour and day have no say */
    for (size_t i = FG_YIELD_TOD; i <= FG_YIELD_FEATURES; i++)
        assert_near(w[i], 0, 0);
    fg_mind_choose(mind, 40 * FG_HOUR, BUDGET, picks);
    const struct fg_world *world = fg_mind_world(mind);
    fg_time oldest = world->last_try[0];
    for (size_t i = 1; i < PAGES; i++)
        oldest = world->last_try[i] < oldest ? world->last_try[i] : oldest;
    assert_true(world->last_try[picks[0].page] <= oldest + 2 * FG_HOUR);
    fg_mind_free(mind);
}

/* With one visit a round there are no two to compare. */
static void one_visit_a_round_teaches_nothing(void **state)
{
    (void)state;
    struct fg_mind *mind = open_mind_of("ltr", 5);
    struct fg_pick pick;
    for (int hour = 0; hour < 30; hour++)
        play_hour(mind, hour, 1, &pick);
    for (size_t i = 0; i <= FG_YIELD_AA; i++)
        assert_near(weights()[i], 0.25, 0);
    fg_mind_free(mind);
}

/* Ten rounds of 300 visits are 10 queries of 50 in training, and that is quick. */
static void large_rounds_are_thinned(void **state)
{
    (void)state;
    enum { PAGES = 600, BUDGET = 300 };
    struct fg_mind *mind = open_mind_of("ltr", PAGES);
    static struct fg_pick picks[BUDGET];
    for (int hour = 0; hour < 14; hour++)
        assert_int_equal(play_hour(mind, hour, BUDGET, picks), BUDGET);
    assert_true(weights()[FG_YIELD_AVG] != 0);
    fg_mind_free(mind);
}

/* What a training sees is set: few examples of noisy pages give other weights than all.
 */
static void a_training_may_see_more(void **state)
{
    (void)state;
    enum { PAGES = 60, BUDGET = 30 };
    static const double sizes[][2] = {{50, 2000}, {2, 20}};
    struct fg_pick picks[BUDGET];
    double seen[2][FG_YIELD_AA + 1];
    for (size_t k = 0; k < 2; k++) {
        struct fg_mind *mind = open_mind_of("ltr", PAGES);
        struct fg_rng rng = fg_rng_from_seed(7);
        assert_int_equal(fg_mind_set(mind, FG_STR("round"), sizes[k][0], NULL), FG_OK);
        assert_int_equal(fg_mind_set(mind, FG_STR("examples"), sizes[k][1], NULL), FG_OK);
        for (int hour = 0; hour < 20; hour++) {
            size_t n = fg_mind_choose(mind, hour * FG_HOUR, BUDGET, picks);
            for (size_t i = 0; i < n; i++) {
                size_t page = fg_rng_below(&rng, PAGES);
                uint64_t first = (page * 1000 + (uint64_t)hour) * 1000;
                visit(mind, page, hour * FG_HOUR, first,
                      page % 7 + fg_rng_below(&rng, 9));
            }
        }
        memcpy(seen[k], weights(), sizeof seen[k]);
        fg_mind_free(mind);
    }
    assert_memory_not_equal(seen[0], seen[1], sizeof seen[0]);
}

static void saving_and_loading_changes_no_pick(void **state)
{
    (void)state;
    assert_saving_changes_nothing("ltr");
}

FG_TESTS(it_learns_that_age_matters, one_visit_a_round_teaches_nothing,
         large_rounds_are_thinned, a_training_may_see_more,
         saving_and_loading_changes_no_pick)
