/* One price and fixed shares on a small crawl whose truth is known: what is spent, and
 * that what was had is a part of what there was. And the currency. */
#include "lab/generate/generate.h"
#include "lab/joint/joint_run.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { DAYS = 35, PAGES = 40, BUDGET = 120 };

/* Page p changes every p + 3 hours. */
static struct fg_timeline *documents(fg_time from, fg_time to)
{
    struct fg_timeline *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->n = PAGES;
    t->from = t->crawled_from = from;
    t->to = to;
    t->step = FG_HOUR;
    t->is_seen_first = true;
    size_t most = (size_t)((to - from) / FG_HOUR) * PAGES;
    t->changes = calloc(most, sizeof *t->changes);
    assert_non_null(t->changes);
    uint32_t value = 0;
    for (fg_time at = from; at < to; at += FG_HOUR)
        for (uint32_t p = 0; p < PAGES; p++)
            if ((at - from) / FG_HOUR % (p + 3) == 1)
                t->changes[t->n_changes++] =
                    (struct fg_change){at + FG_MINUTE, p, ++value};
    return t;
}

static struct fg_joint_world *world_of(double content, double fresh)
{
    struct fg_generator_options options = fg_generator_defaults("reports");
    struct fg_joint_world *world = calloc(1, sizeof *world);
    assert_non_null(world);
    options.steps = DAYS * 24;
    options.history = 48;
    options.seed = 5;
    world->site = fg_generate_site(&options);
    fg_time start = world->site->facts.start;
    world->judged_from = start + 21 * FG_DAY;
    world->timeline = documents(start - 2 * FG_DAY, start + DAYS * FG_DAY);
    world->timeline->judged_from = world->judged_from;
    world->wants = (struct fg_wants){0.8, 6, content, fresh};
    return world;
}

static struct fg_joint_run run_of(const struct fg_joint_world *world, bool is_priced)
{
    struct fg_joint_rules rules = {.discovery =
                                       fg_policy_find(FG_STR("forage"), FG_DISCOVERY),
                                   .refresh = fg_policy_find(FG_STR("lomax"), FG_REFRESH),
                                   .budget = BUDGET,
                                   .is_priced = is_priced,
                                   .sources = 0.8,
                                   .first = 0.4,
                                   .seed = 1};
    struct fg_joint_run run;
    struct fg_err err;
    assert_int_equal(fg_joint_run(&run, world, &rules, &err), FG_OK);
    return run;
}

static void check_part(const struct fg_joint_part *part)
{
    for (size_t w = 0; w < FG_JOINT_WEEKS; w++)
        assert_true(part->had[w] >= 0 && part->had[w] <= part->there[w] * (1 + 1e-9));
}

static void one_price_spends_each_day(void **state)
{
    (void)state;
    struct fg_joint_world *world = world_of(1, 0.05);
    struct fg_joint_run run = run_of(world, true);
    assert_true(run.worst_day <= 0.01);
    assert_true(run.days_off == 0);
    assert_true(run.looks > 0 && run.firsts > 0 && run.visits > 0);
    assert_true(fabs(run.looks + run.firsts + run.visits - 14.0 * BUDGET) <= 2);
    assert_true(run.weeks == 2);
    check_part(&run.links);
    check_part(&run.content);
    check_part(&run.documents);
    fg_joint_world_free(world);
}

/* Of 120 a day .4 are first fetches; of the rest .8 are sources. Whole fetches. */
static void shares_are_kept(void **state)
{
    (void)state;
    struct fg_joint_world *world = world_of(0, 0.05);
    struct fg_joint_run run = run_of(world, false);
    assert_true(fabs(run.looks - 14 * 0.8 * BUDGET) <= 2);
    assert_true(fabs(run.visits - 14 * 0.2 * BUDGET) <= 2);
    assert_true(run.firsts == 0);
    fg_joint_world_free(world);
}

/* The more an hour of freshness is worth, the more of the budget goes to documents. */
static void what_is_wanted_decides_who_gets_the_budget(void **state)
{
    (void)state;
    struct fg_joint_world *world = world_of(0, 0.0001);
    struct fg_joint_run news = run_of(world, true);
    world->wants.fresh = 1;
    struct fg_joint_run shop = run_of(world, true);
    assert_true(shop.visits > 2 * news.visits);
    assert_true(news.found.had[0] + news.found.had[1] >
                shop.found.had[0] + shop.found.had[1]);
    assert_true(shop.fresh.had[0] + shop.fresh.had[1] >
                news.fresh.had[0] + news.fresh.had[1]);
    fg_joint_world_free(world);
}

static void the_currency_is_a_new_page_known_at_once(void **state)
{
    (void)state;
    struct fg_wants wants = {0.5, 6, 2, 0};
    assert_near(fg_wants_page(&wants, 0), 1, 1e-12);
    assert_near(fg_wants_page(&wants, 6), 0.5 + 0.5 * 0.36787944117144233, 1e-12);
    assert_near(fg_wants_page(&wants, -1), 1, 1e-12);
    assert_near(fg_wants_link(&wants), 3, 0);
    for (size_t i = 0; fg_wants_presets[i].name; i++)
        assert_true(fg_wants_page(&fg_wants_presets[i].wants, 1e9) ==
                    fg_wants_presets[i].wants.keeps);
}

static void offers_are_taken_best_first(void **state)
{
    (void)state;
    struct fg_joint joint = {0};
    struct fg_pricing price;
    static const float index[] = {3, 0, 5, -1, 4, 5};
    fg_price_start(&price);
    fg_price_tick(&price, 20000 * FG_DAY, FG_HOUR, 24 * 4); /* three for bids */
    for (uint32_t i = 0; i < 6; i++)
        fg_joint_offer(&joint, &(struct fg_contender){.bid = {index[i], 1}, .which = i});
    assert_int_equal(fg_joint_choose(&joint, &price), 3);
    assert_int_equal(joint.offers.len, 4); /* what gains nothing is none */
    assert_int_equal(joint.offers.at[0].which, 2);
    assert_int_equal(joint.offers.at[1].which, 5);
    assert_int_equal(joint.offers.at[2].which, 4);
    fg_joint_clear(&joint);
}

/* Two of the first kind at most: the third has no room, and the next takes its place. */
static bool has_room(void *context, const struct fg_contender *offer)
{
    unsigned *room = context;
    return offer->kind || (*room && (*room)--);
}

static void what_does_not_fit_costs_nothing(void **state)
{
    (void)state;
    struct fg_joint joint = {0};
    struct fg_pricing price;
    static const float index[] = {6, 5, 4, 3, 2};
    unsigned room = 2;
    fg_price_start(&price);
    fg_price_tick(&price, 20000 * FG_DAY, FG_HOUR, 24 * 4); /* three for bids */
    for (uint32_t i = 0; i < 5; i++)
        fg_joint_offer(&joint, &(struct fg_contender){
                                   .bid = {index[i], 1}, .kind = i >= 3, .which = i});
    assert_int_equal(fg_joint_choose_fitting(&joint, &price, has_room, &room), 3);
    assert_int_equal(joint.offers.len, 4);
    assert_int_equal(joint.offers.at[1].which, 1);
    assert_int_equal(joint.offers.at[2].which, 3);
    fg_joint_clear(&joint);
}

FG_TESTS(one_price_spends_each_day, shares_are_kept,
         what_is_wanted_decides_who_gets_the_budget,
         the_currency_is_a_new_page_known_at_once, offers_are_taken_best_first,
         what_does_not_fit_costs_nothing)
