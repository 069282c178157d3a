#include "policy/restless.h"
#include "whole.h"

/* The web of a setting, walked slot by slot. */
struct walk {
    struct restless web;
    const struct setting *setting;
    struct fg_mind *mind;
    struct fg_rng rng;
    int slot;
};

static struct walk start(const struct setting *setting, const struct knob *knobs)
{
    struct walk walk = {
        .web = restless_from(setting), .setting = setting, .rng = fg_rng_from_seed(5)};
    walk.mind = restless_mind("fg-dqn", knobs, &walk.web, 7);
    return walk;
}

static void pass_time(struct walk *walk)
{
    walk->slot++;
    for (size_t i = 0; i < walk->web.n; i++)
        walk->web.is_stale[i] |=
            fg_rng_unit(&walk->rng) < -expm1(-walk->setting->rate[walk->web.kind[i]]);
}

static void tell(struct walk *walk, size_t page)
{
    fg_mind_observe(walk->mind, &(struct fg_visit){.page = page,
                                                   .now = walk->slot * FG_DAY,
                                                   .ok = true,
                                                   .changed = walk->web.is_stale[page]});
    walk->web.is_stale[page] = false;
}

static struct fg_pick pick_one(struct walk *walk)
{
    struct fg_pick pick;
    pass_time(walk);
    assert_int_equal(fg_mind_choose(walk->mind, walk->slot * FG_DAY, 1, &pick), 1);
    return pick;
}

/* To play page 1 always is the best there is (2.256 a slot); a tenth of the slots go to
 * chance, which leaves 2.1 or so. Uniform choice has 1.05. */
static void learns_which_page_of_the_first_setting_to_prefer(void **state)
{
    (void)state;
    struct walk walk = start(&single, NULL);
    size_t plays[KINDS] = {0};
    double reward = 0;
    for (int slot = 0; slot < 2000; slot++) {
        struct fg_pick pick = pick_one(&walk);
        if (slot >= 1200) {
            plays[pick.page]++;
            reward += walk.web.is_stale[pick.page] ? importance[pick.page] : 0;
        }
        tell(&walk, pick.page);
    }
    assert_true(plays[0] > 600);
    assert_true(reward / 800 > 1.9);
    fg_mind_free(walk.mind);
}

/* --- restarts --- */

static void restart(struct walk *walk)
{
    struct fg_err err;
    struct fg_buf bytes;
    fg_buf_init(&bytes, (size_t)1 << 26);
    save_whole(walk->mind, &bytes);
    assert_false(bytes.full);
    fg_mind_free(walk->mind);
    walk->mind = fg_mind_new(fg_policy_find(FG_STR("fg-dqn"), FG_REFRESH), 7);
    if (fg_mind_set(walk->mind, FG_STR("memory"), 50, &err) ||
        load_whole(walk->mind, fg_buf_str(&bytes), &err))
        fail_msg("%s", err.text);
    for (size_t i = 0; i < walk->web.n; i++) /* groups are the outside's to tell */
        fg_mind_group(walk->mind, i, (uint32_t)walk->web.kind[i]);
    fg_buf_clear(&bytes);
}

/* A digest of the pages picked, with a memory that has been round a few times. */
static uint64_t digest_of_picks(bool restarts)
{
    struct walk walk = start(&grouped, (struct knob[]){{"memory", 50}, {0}});
    uint64_t digest = 0;
    for (int slot = 0; slot < 200; slot++) {
        struct fg_pick pick = pick_one(&walk);
        digest = digest * 1000003 + pick.page + 1;
        if (restarts && slot == 80) /* with a pick whose visit is still out */
            restart(&walk);
        tell(&walk, pick.page);
        if (restarts && slot == 150)
            restart(&walk);
    }
    fg_mind_free(walk.mind);
    return digest;
}

static void a_restart_changes_no_pick(void **state)
{
    (void)state;
    assert_true(digest_of_picks(false) == digest_of_picks(true));
}

static void memory_may_be_smaller_or_larger_after_a_restart(void **state)
{
    (void)state;
    const double memories[] = {10, 5000};
    for (size_t i = 0; i < 2; i++) {
        struct walk walk = start(&single, (struct knob[]){{"memory", 40}, {0}});
        for (int slot = 0; slot < 60; slot++)
            tell(&walk, pick_one(&walk).page);
        struct fg_err err;
        struct fg_buf bytes;
        fg_buf_init(&bytes, (size_t)1 << 26);
        save_whole(walk.mind, &bytes);
        fg_mind_free(walk.mind);
        walk.mind = fg_mind_new(fg_policy_find(FG_STR("fg-dqn"), FG_REFRESH), 7);
        assert_int_equal(fg_mind_set(walk.mind, FG_STR("memory"), memories[i], &err), 0);
        assert_int_equal(load_whole(walk.mind, fg_buf_str(&bytes), &err), 0);
        struct fg_reason reason;
        double known = 0;
        for (size_t page = 0; page < KINDS; page++) {
            fg_mind_group(walk.mind, page, (uint32_t)page);
            assert_true(fg_mind_explain(walk.mind, 0, page, &reason));
            known += reason.observations;
        }
        assert_near(known, memories[i] < 40 ? memories[i] : 40, 0);
        for (int slot = 0; slot < 10; slot++)
            tell(&walk, pick_one(&walk).page);
        fg_buf_clear(&bytes);
        fg_mind_free(walk.mind);
    }
}

/* --- picks --- */

static void chances_are_those_of_epsilon(void **state)
{
    (void)state;
    struct walk walk = start(&single, (struct knob[]){{"epsilon-slots", 100}, {0}});
    struct fg_pick pick = pick_one(&walk);
    bool is_best = pick.probability > 0.3f;
    assert_near((double)pick.probability, is_best ? 0.475 : 0.175, 1e-6);
    tell(&walk, pick.page);
    size_t explored = 0;
    for (int slot = 1; slot < 200; slot++) {
        pick = pick_one(&walk);
        tell(&walk, pick.page);
        double epsilon = slot < 100 ? 0.7 - 0.006 * slot : 0.1;
        is_best = pick.probability > 0.5f ||
                  fabs((double)pick.probability - (1 - epsilon + epsilon / 4)) < 1e-6;
        assert_near((double)pick.probability, epsilon / 4 + (is_best ? 1 - epsilon : 0),
                    1e-6);
        assert_true(is_best || pick.explored);
        explored += pick.explored;
    }
    assert_in_range(explored, 30, 75); /* 50 are expected */
    fg_mind_free(walk.mind);
}

/* No page of a kind is ahead of another by more than a turn. */
static void assert_in_turns(const struct walk *walk, const int *picked)
{
    int fewest[KINDS], most[KINDS] = {0};
    for (size_t kind = 0; kind < KINDS; kind++)
        fewest[kind] = INT32_MAX;
    for (size_t page = 0; page < walk->web.n; page++) {
        size_t kind = walk->web.kind[page];
        fewest[kind] = picked[page] < fewest[kind] ? picked[page] : fewest[kind];
        most[kind] = picked[page] > most[kind] ? picked[page] : most[kind];
    }
    for (size_t kind = 0; kind < KINDS; kind++)
        assert_true(most[kind] <= fewest[kind] + 1);
}

static void pages_of_a_group_go_in_turns(void **state)
{
    (void)state;
    struct walk walk = start(&grouped, NULL);
    int picked[PAGES_MAX] = {0};
    for (int slot = 0; slot < 150; slot++) {
        struct fg_pick pick = pick_one(&walk);
        picked[pick.page]++;
        assert_in_turns(&walk, picked);
        tell(&walk, pick.page);
    }
    fg_mind_free(walk.mind);
}

static void arms_may_come_again_within_a_tick_and_pages_not(void **state)
{
    (void)state;
    struct walk walk = start(&grouped, NULL);
    struct fg_pick picks[PAGES_MAX];
    for (int tick = 0; tick < 20; tick++) {
        pass_time(&walk);
        size_t n = fg_mind_choose(walk.mind, walk.slot * FG_DAY, 8, picks);
        assert_int_equal(n, 8); /* of four groups */
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < i; j++)
                assert_int_not_equal(picks[j].page, picks[i].page);
            tell(&walk, picks[i].page);
        }
    }
    pass_time(&walk); /* a budget for all pages gets all pages */
    assert_int_equal(fg_mind_choose(walk.mind, walk.slot * FG_DAY, 200, picks), 100);
    fg_mind_free(walk.mind);
}

/* Twice the weight, a thousand times the weight: the same choice. */
static void the_unit_of_weights_does_not_matter(void **state)
{
    (void)state;
    uint32_t pages[2][120];
    for (size_t i = 0; i < 2; i++) {
        struct walk walk = start(&single, NULL);
        for (size_t page = 0; page < KINDS; page++) /* 1024: floats stay exact */
            fg_mind_weigh(walk.mind, page,
                          (float)importance[page] * (i ? 1024.0f : 1.0f));
        for (int slot = 0; slot < 120; slot++) {
            pages[i][slot] = pick_one(&walk).page;
            tell(&walk, pages[i][slot]);
        }
        fg_mind_free(walk.mind);
    }
    assert_memory_equal(pages[0], pages[1], sizeof pages[0]);
}

static void failed_visits_and_strangers_teach_nothing(void **state)
{
    (void)state;
    struct walk walk = start(&single, NULL);
    struct fg_reason reason;
    for (int slot = 0; slot < 20; slot++) {
        struct fg_pick pick = pick_one(&walk);
        fg_mind_observe(walk.mind, &(struct fg_visit){.page = pick.page, .ok = false});
        tell(&walk, (pick.page + 1) % KINDS); /* somebody else looked at this one */
    }
    for (size_t page = 0; page < KINDS; page++) {
        fg_mind_explain(walk.mind, 0, page, &reason);
        assert_near(reason.observations, 0, 0);
    }
    fg_mind_free(walk.mind);
}

/* --- arms that come --- */

static void a_group_that_comes_later_is_learnt_too(void **state)
{
    (void)state;
    struct walk walk =
        start(&single, (struct knob[]){{"epsilon-slots", 150}, {"epsilon-to", 0.3}, {0}});
    for (int slot = 0; slot < 150; slot++)
        tell(&walk, pick_one(&walk).page);
    size_t row = fg_mind_add(walk.mind, 99, 0, walk.slot * FG_DAY);
    assert_int_equal(row, KINDS);
    fg_mind_group(walk.mind, row, KINDS);
    fg_mind_weigh(walk.mind, row,
                  60); /* always changed, and worth far more than others */
    size_t plays = 0;
    for (int slot = 0; slot < 500; slot++) {
        size_t page = pick_one(&walk).page;
        if (page == row) {
            fg_mind_observe(walk.mind, &(struct fg_visit){.page = row,
                                                          .now = walk.slot * FG_DAY,
                                                          .ok = true,
                                                          .changed = true});
            plays += slot >= 350;
        } else {
            tell(&walk, page);
        }
    }
    assert_true(plays > 75); /* three quarters are all there is to win */
    /* When it leaves it is not chosen, nor is anything wrong. */
    fg_mind_remove(walk.mind, 99);
    for (int slot = 0; slot < 20; slot++)
        tell(&walk, pick_one(&walk).page);
    fg_mind_free(walk.mind);
}

static void hundreds_of_groups_share_the_arms(void **state)
{
    (void)state;
    struct fg_mind *mind = fg_mind_new(fg_policy_find(FG_STR("fg-dqn"), FG_REFRESH), 3);
    struct fg_pick picks[300];
    for (uint32_t i = 0; i < 300; i++) {
        fg_mind_add(mind, i, i, 0); /* a site, and so a group, of its own */
        fg_time now = (fg_time)i * FG_HOUR;
        size_t n = i % 30 == 29 ? fg_mind_choose(mind, now, 3, picks) : 0;
        for (size_t k = 0; k < n; k++) /* the network grows in between */
            fg_mind_observe(mind, &(struct fg_visit){.page = picks[k].page,
                                                     .now = now,
                                                     .ok = true,
                                                     .changed = k == 0});
    }
    assert_int_equal(fg_mind_choose(mind, 999 * FG_HOUR, 300, picks), 300);
    fg_mind_free(mind);
}

FG_TESTS(learns_which_page_of_the_first_setting_to_prefer, a_restart_changes_no_pick,
         memory_may_be_smaller_or_larger_after_a_restart, chances_are_those_of_epsilon,
         pages_of_a_group_go_in_turns, arms_may_come_again_within_a_tick_and_pages_not,
         the_unit_of_weights_does_not_matter, failed_visits_and_strangers_teach_nothing,
         a_group_that_comes_later_is_learnt_too, hundreds_of_groups_share_the_arms)
