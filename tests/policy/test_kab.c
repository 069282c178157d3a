/* The bandit over ways to set rates: which arm is on shows in the chances of its picks.
 */
#include "refresh.h"
#include "whole.h"

enum { PAGES = 8 };

/* All clicks are on page 0: the arm `click` picks it with chance 1, `uniform` any page
 * with 1/8. */
static struct fg_mind *click_or_uniform(double step_hours)
{
    const struct knob knobs[] = {
        {"change", 0}, {"impression", 0}, {"lambda", 0}, {"step", step_hours}, {0}};
    struct fg_mind *mind = mind_of("kab", knobs, 3);
    add_pages(mind, PAGES);
    for (size_t i = 0; i < PAGES; i++)
        fg_mind_tell(mind, i, FG_TOLD_CLICKS_MODEL, i == 0 ? 2 : 0);
    return mind;
}

static bool is_click(const struct fg_pick *pick)
{
    if (pick->probability < 0.2f)
        return false;
    assert_int_equal(pick->page, 0);
    return true;
}

static void observe(struct fg_mind *mind, size_t page, fg_time now, bool has_changed)
{
    fg_mind_observe(
        mind,
        &(struct fg_visit){.page = page, .now = now, .ok = true, .changed = has_changed});
}

/* Ticks of half an hour: four to a step. */
static void an_arm_is_kept_for_a_step(void **state)
{
    (void)state;
    struct fg_mind *mind = click_or_uniform(2);
    struct fg_pick pick;
    size_t changes = 0, clicks = 0;
    bool was_click = false;
    for (int tick = 0; tick < 4000; tick++) {
        fg_time now = tick * FG_HOUR / 2;
        assert_int_equal(fg_mind_choose(mind, now, 1, &pick), 1);
        if (tick % 4 == 0) {
            changes += is_click(&pick) != was_click;
            was_click = is_click(&pick);
            clicks += was_click;
        }
        assert_int_equal(is_click(&pick), was_click);
    }
    /* Nothing was observed, so both are drawn alike. */
    assert_near((double)clicks, 500, 64);
    assert_near((double)changes, 500, 64);
    fg_mind_free(mind);
}

/* Page 0 has always changed, the others never: of equation (2), the arm `uniform` earns 1
 * in the one of eight steps that it fetches page 0, and `click` in nearly every step. */
static void what_pays_is_drawn_more_often(void **state)
{
    (void)state;
    struct fg_mind *mind = click_or_uniform(2);
    for (size_t i = 0; i < PAGES; i++)
        fg_mind_tell(mind, i, FG_TOLD_CLICKS_MODEL, i == 0 ? 200 : 1e-3f);
    struct fg_pick pick;
    size_t clicks = 0;
    for (size_t i = 0; i < PAGES; i++)
        observe(mind, i, 0, false);
    for (int step = 1; step <= 2000; step++) {
        fg_time now = step * 2 * FG_HOUR;
        assert_int_equal(fg_mind_choose(mind, now, 1, &pick), 1);
        clicks += step > 1500 && pick.probability > 0.2f;
        observe(mind, pick.page, now, pick.page == 0);
    }
    /* EXP3 with gamma .1 and two arms draws the better one in .95 of the steps at most.
     */
    assert_near((double)clicks, 475, 25);
    fg_mind_free(mind);
}

/* Page 1 changes always and is clicked once a day, page 0 every other time and is clicked
 * a hundred times. By the share of stale clicks the arm `change`, which fetches page 1,
 * is twice as good; by their number it is fifty times worse. */
static double share_of_page_0(double gain)
{
    const struct knob knobs[] = {{"count", 1}, {"gain", gain}, {0}};
    struct fg_mind *mind = mind_of("kab2", knobs, 7);
    add_pages(mind, 2);
    for (size_t i = 0; i < 2; i++) {
        fg_mind_tell(mind, i, FG_TOLD_CLICKS_MODEL, i == 0 ? 100 : 1);
        fg_mind_tell(mind, i, FG_TOLD_CHANGES_MODEL, i == 0 ? 0.01f : 1);
        observe(mind, i, 0, true);
    }
    struct fg_pick pick;
    size_t visits = 0;
    for (int step = 1; step <= 1500; step++) {
        fg_time now = step * 2 * FG_HOUR;
        assert_int_equal(fg_mind_choose(mind, now, 1, &pick), 1);
        visits += step > 1000 && pick.page == 0;
        observe(mind, pick.page, now, pick.page == 1 || step % 2);
    }
    fg_mind_free(mind);
    return (double)visits / 500;
}

static void the_published_reward_is_a_precision(void **state)
{
    (void)state;
    assert_true(share_of_page_0(0) < 0.2);
    assert_true(share_of_page_0(1) > 0.8);
}

/* Visits are made when the next arm is on already: what came of them is still that of the
 * arm they were picked with. Only page 0 changes and is clicked, so `click` earns 1 in
 * each of its steps and `uniform` in one of eight; credited when they are observed, each
 * would earn what the other did as often as its own. */
static void late_visits_are_credited_to_the_arm_that_picked_them(void **state)
{
    (void)state;
    struct fg_mind *mind = click_or_uniform(2);
    for (size_t i = 0; i < PAGES; i++)
        fg_mind_tell(mind, i, FG_TOLD_CLICKS_MODEL, i == 0 ? 200 : 1e-3f);
    struct fg_pick pick, late = {0};
    size_t clicks = 0;
    for (size_t i = 0; i < PAGES; i++)
        observe(mind, i, 0, false);
    for (int step = 1; step <= 4000; step++) {
        fg_time now = step * 2 * FG_HOUR;
        assert_int_equal(fg_mind_choose(mind, now, 1, &pick), 1);
        clicks += step > 3500 && pick.probability > 0.2f;
        if (step > 1)
            observe(mind, late.page, now, late.page == 0);
        late = pick;
    }
    assert_near((double)clicks, 475, 25);
    fg_mind_free(mind);
}

/* Nobody asked for these: they earn no arm anything, whichever is on. */
static void visits_that_were_not_picked_earn_nothing(void **state)
{
    (void)state;
    struct fg_mind *mind = click_or_uniform(2);
    struct fg_pick pick;
    struct fg_arm arms[FG_ARMS_MAX];
    for (int step = 0; step < 200; step++) {
        fg_time now = step * 2 * FG_HOUR;
        assert_int_equal(fg_mind_choose(mind, now, 1, &pick), 1);
        fg_mind_observe(mind, &(struct fg_visit){.page = pick.page, .now = now});
        for (size_t i = 0; i < PAGES; i++)
            observe(mind, i, now, true);
    }
    assert_int_equal(fg_mind_arms(mind, arms), 2);
    assert_near(arms[0].chance, .5, 1e-12);
    fg_mind_free(mind);
}

static bool has_arm(const char *policy_name, const char *arm)
{
    const struct fg_policy *policy = fg_policy_find(fg_str_from(policy_name), FG_REFRESH);
    assert_non_null(policy);
    for (const struct fg_param *param = policy->params; param->name; param++)
        if (!strcmp(param->name, arm))
            return param->initial == 1;
    fail_msg("%s has no arm %s", policy_name, arm);
    return false;
}

static void presets_have_the_arms_of_the_paper(void **state)
{
    (void)state;
    static const char *const arms[] = {"click", "change", "uniform", "impression",
                                       "lambda"};
    static const char *const presets[] = {"kab2", "kab3", "kab4", "kab5"};
    for (size_t p = 0; p < 4; p++)
        for (size_t a = 0; a < 5; a++)
            assert_int_equal(has_arm(presets[p], arms[a]), a < p + 2);
    assert_true(has_arm("kab", "lambda"));
}

/* A restart in the middle of a step keeps the arm and what it has earned. */
static void a_restart_changes_nothing(void **state)
{
    (void)state;
    struct fg_mind *mind = click_or_uniform(48), *copy;
    struct fg_pick pick;
    for (int day = 0; day < 40; day++) {
        struct fg_buf bytes;
        struct fg_err err;
        fg_mind_choose(mind, day * FG_DAY, 1, &pick);
        bool was_click = is_click(&pick);
        observe(mind, pick.page, day * FG_DAY, true);
        if (day % 2)
            continue; /* the step is over */
        fg_buf_init(&bytes, (size_t)1 << 20);
        save_whole(mind, &bytes);
        copy = click_or_uniform(48);
        assert_int_equal(load_whole(copy, fg_buf_str(&bytes), &err), FG_OK);
        for (size_t i = 0; i < PAGES; i++)
            fg_mind_tell(copy, i, FG_TOLD_CLICKS_MODEL, i == 0 ? 2 : 0);
        fg_buf_clear(&bytes);
        fg_mind_free(mind);
        mind = copy;
        fg_mind_choose(mind, day * FG_DAY + FG_HOUR, 1, &pick);
        assert_int_equal(is_click(&pick), was_click);
    }
    fg_mind_free(mind);
}

FG_TESTS(an_arm_is_kept_for_a_step, what_pays_is_drawn_more_often,
         the_published_reward_is_a_precision,
         late_visits_are_credited_to_the_arm_that_picked_them,
         visits_that_were_not_picked_earn_nothing, presets_have_the_arms_of_the_paper,
         a_restart_changes_nothing)
