/* bandit and pham: which arm is played when, worked out by hand. */
#include "yield_fixture.h"

enum { PAGES = 40, BUDGET = 10 };

/* Ten hours of averages at the start. */
static struct fg_mind *after_the_start(const char *name)
{
    struct fg_mind *mind = mind_of(name, PAGES);
    struct fg_pick picks[BUDGET];
    for (int hour = 0; hour < 10; hour++)
        assert_int_equal(play_hour(mind, hour, BUDGET, picks), BUDGET);
    return mind;
}

/* One turn in which `found` links are found, by the first page. With ten visits the arm
 * shows in how many of them explore: 4, 3, 2, 1 or none. */
static size_t play_arm(struct fg_mind *mind, int hour, size_t found)
{
    struct fg_pick picks[BUDGET];
    size_t explored = 0;
    assert_int_equal(fg_mind_choose(mind, hour * FG_HOUR, BUDGET, picks), BUDGET);
    for (size_t i = 0; i < BUDGET; i++) {
        explored += picks[i].explored;
        visit(mind, picks[i].page, hour * FG_HOUR, (uint64_t)hour * 1000,
              i == 0 ? found : 0);
    }
    for (size_t i = 1; i < BUDGET; i++) /* turns come last */
        assert_true(picks[i].explored >= picks[i - 1].explored);
    return 4 - explored;
}

/* Each arm once, with rewards 10, 12, 30, 11, 9. Then, t plays in all:
 * t = 5: arm 2, at 30. It finds 0: mean 15.
 * t = 6: arm 2 is at 15 + sqrt(2 ln 6 / 2) = 16.34, arm 1 at 12 + sqrt(2 ln 6) = 13.89.
 *        It finds 0 again: mean 10.
 * t = 7: arm 2 at 10 + sqrt(2 ln 7 / 3) = 11.14, arm 1 at 12 + sqrt(2 ln 7) = 13.97,
 *        arm 3 at 12.97. Arm 1 finds 0: mean 6.
 * t = 8: arm 3 at 11 + sqrt(2 ln 8) = 13.04 before arm 0 at 12.04. */
static void ucb_sets_the_ratio(void **state)
{
    (void)state;
    const char *names[] = {"bandit", "pham"};
    for (size_t i = 0; i < 2; i++) {
        struct fg_mind *mind = after_the_start(names[i]);
        const size_t reward[] = {10, 12, 30, 11, 9, 0, 0, 0, 0};
        const size_t arm[] = {0, 1, 2, 3, 4, 2, 2, 1, 3};
        for (int turn = 0; turn < 9; turn++)
            assert_int_equal(play_arm(mind, 10 + turn, reward[turn]), arm[turn]);
        fg_mind_free(mind);
    }
}

/* Ratio .6 of a budget of 6 is 3.6 visits: 4 led by the predictions, or 3 rounded down.
 */
static void the_led_share_is_rounded_as_told(void **state)
{
    (void)state;
    for (int down = 0; down < 2; down++) {
        struct fg_mind *mind = after_the_start("pham");
        struct fg_pick picks[6];
        set(mind, "round-down", down);
        assert_int_equal(fg_mind_choose(mind, 10 * FG_HOUR, 6, picks), 6);
        size_t explored = 0;
        for (size_t i = 0; i < 6; i++)
            explored += picks[i].explored;
        assert_int_equal(explored, down ? 3 : 2);
        fg_mind_free(mind);
    }
}

/* A page that comes late and was never tried is led to, once it may come first. */
static void untried_sources_come_first_if_told_so(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++) {
        struct fg_mind *mind = after_the_start("pham");
        struct fg_pick picks[BUDGET];
        set(mind, "untried", first);
        fg_mind_add(mind, 1000, 0, 10 * FG_HOUR);
        fg_mind_choose(mind, 10 * FG_HOUR, BUDGET, picks);
        bool is_led = false;
        for (size_t i = 0; i < BUDGET; i++)
            is_led |= picks[i].page == PAGES && !picks[i].explored;
        assert_true(is_led == (first == 1));
        fg_mind_free(mind);
    }
}

/* The example of a visit after 30 hours has age 30, or 12 if ages count up to 12. */
static void ages_count_up_to_their_cap(void **state)
{
    (void)state;
    const double caps[] = {87600, 12}, ages[] = {30, 12};
    for (size_t i = 0; i < 2; i++) {
        struct fg_mind *mind = open_mind_of("reg", 2);
        set(mind, "age-cap", caps[i]);
        visit(mind, 0, FG_HOUR, 100, 3);
        fg_mind_observe(
            mind, &(struct fg_visit){
                      .page = 0, .now = 31 * FG_HOUR, .previous = FG_HOUR, .ok = true});
        const struct fg_yield_model *model = inside->self;
        assert_near(fg_yield_visit(model, model->known.next - 1)->age, ages[i], 1e-6);
        fg_mind_free(mind);
    }
}

/* A turn in which every visit failed says nothing about its arm, which is played again.
 */
static void a_turn_that_failed_is_no_reward(void **state)
{
    (void)state;
    struct fg_mind *mind = after_the_start("pham");
    struct fg_pick picks[BUDGET];
    assert_int_equal(play_arm(mind, 10, 5), 0);
    fg_mind_choose(mind, 11 * FG_HOUR, BUDGET, picks);
    for (size_t i = 0; i < BUDGET; i++)
        fail_visit(mind, picks[i].page, 11 * FG_HOUR);
    assert_int_equal(play_arm(mind, 12, 5), 1);
    assert_int_equal(play_arm(mind, 13, 5), 2);
    fg_mind_free(mind);
}

/* Of five visits 3, 3.5, 4, 4.5 and 5 would be led: 3, 4, 4, 5, 5. */
static void shares_are_rounded_to_the_nearest(void **state)
{
    (void)state;
    struct fg_mind *mind = after_the_start("pham");
    struct fg_pick picks[5];
    const size_t led[] = {3, 4, 4, 5, 5};
    for (int turn = 0; turn < 5; turn++) {
        size_t n = 0;
        fg_mind_choose(mind, (10 + turn) * FG_HOUR, 5, picks);
        for (size_t i = 0; i < 5; i++) {
            n += !picks[i].explored;
            visit(mind, picks[i].page, (10 + turn) * FG_HOUR, 0, 0);
        }
        assert_int_equal(n, led[turn]);
    }
    fg_mind_free(mind);
}

/* Three arms from 0: 0, 0.5 and 1. */
static void the_arms_are_a_matter_of_knobs(void **state)
{
    (void)state;
    struct fg_mind *mind = after_the_start("bandit");
    struct fg_pick picks[BUDGET];
    set(mind, "arms", 3);
    set(mind, "least-ratio", 0);
    for (int turn = 0; turn < 3; turn++) {
        size_t explored = 0;
        fg_mind_choose(mind, (10 + turn) * FG_HOUR, BUDGET, picks);
        for (size_t i = 0; i < BUDGET; i++) {
            explored += picks[i].explored;
            visit(mind, picks[i].page, (10 + turn) * FG_HOUR, 0, 0);
        }
        assert_int_equal(explored, (size_t)(10 - 5 * turn));
    }
    fg_mind_free(mind);
}

/* pham looks at the last 24 hours of a source, bandit at the last week. */
static void the_windows_differ(void **state)
{
    (void)state;
    struct fg_reason reason;
    struct fg_pick pick;
    const char *names[] = {"bandit", "pham"};
    for (size_t i = 0; i < 2; i++) {
        struct fg_mind *mind = mind_of(names[i], 1);
        visit(mind, 0, 0, 0, 8);
        fg_mind_choose(mind, 30 * FG_HOUR, 1, &pick);
        fg_mind_explain(mind, 30 * FG_HOUR, 0, &reason);
        assert_near(reason.rate, i == 0 ? 8 : 0, 0);
        fg_mind_free(mind);
    }
}

static void saving_and_loading_changes_no_pick(void **state)
{
    (void)state;
    assert_saving_changes_nothing("bandit");
    assert_saving_changes_nothing("pham");
}

FG_TESTS(the_led_share_is_rounded_as_told, untried_sources_come_first_if_told_so,
         ages_count_up_to_their_cap, ucb_sets_the_ratio, a_turn_that_failed_is_no_reward,
         shares_are_rounded_to_the_nearest, the_arms_are_a_matter_of_knobs,
         the_windows_differ, saving_and_loading_changes_no_pick)
