/* lomax as a whole: what it believes after visits, and whom it prefers. */
#include "policy/mind.h"
#include "policy/refresh/lomax.h"
#include "policy/refresh/lomax_index.h"
#include "test.h"

#define DAYS(n) ((fg_time)((n) * (double)FG_DAY))

extern const struct fg_policy fg_policy_lomax;

static struct fg_mind *mind_of(size_t pages)
{
    struct fg_mind *mind = fg_mind_new(&fg_policy_lomax, 1);
    for (uint64_t id = 0; id < pages; id++)
        fg_mind_add(mind, id, 0, 0);
    return mind;
}

static void set(struct fg_mind *mind, const char *knob, double value)
{
    struct fg_err err;
    if (fg_mind_set(mind, fg_str_from(knob), value, &err))
        fail_msg("%s", err.text);
}

static void visit(struct fg_mind *mind, size_t row, fg_time now, bool changed)
{
    fg_mind_observe(mind, &(struct fg_visit){.page = row,
                                             .now = now,
                                             .ok = true,
                                             .changed = changed,
                                             .modified = FG_NEVER,
                                             .cost = 1});
}

static struct fg_reason reason_for(struct fg_mind *mind, size_t row, fg_time now)
{
    struct fg_reason reason;
    assert_true(fg_mind_explain(mind, now, row, &reason));
    return reason;
}

static size_t first_pick(struct fg_mind *mind, fg_time now)
{
    struct fg_pick pick;
    assert_int_equal(fg_mind_choose(mind, now, 1, &pick), 1);
    return pick.page;
}

/* --- what it believes --- */

/* At first a rate is Gamma(1, 20 days). */
static void visits_move_the_rate(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of(4);
    for (size_t row = 0; row < 4; row++)
        visit(mind, row, 0, true);
    assert_near(reason_for(mind, 0, 0).rate, 0.05, 1e-9);
    visit(mind, 0, DAYS(10), false);
    assert_near(reason_for(mind, 0, DAYS(10)).rate, 1.0 / 30, 1e-6);
    assert_near(reason_for(mind, 0, DAYS(10)).observations, 10, 1e-6);
    /* 0.05 (1 - (2/3)^2) / (1 - 2/3) */
    visit(mind, 1, DAYS(10), true);
    assert_near(reason_for(mind, 1, DAYS(10)).rate, 0.05 / 0.6, 1e-6);
    /* What was seen has faded by half within a year. */
    visit(mind, 0, DAYS(375), false);
    assert_near(reason_for(mind, 0, DAYS(375)).rate, 1.0 / (20 + 5 + 365), 1e-7);
    fg_mind_free(mind);
}

static void dated_changes_tell_more(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of(3);
    struct fg_visit seen = {.now = DAYS(10), .ok = true, .changed = true, .cost = 1};
    for (size_t row = 0; row < 3; row++)
        visit(mind, row, 0, true);
    seen.page = 0, seen.modified = DAYS(8); /* two days of silence, and a change */
    fg_mind_observe(mind, &seen);
    assert_near(reason_for(mind, 0, DAYS(10)).rate, 2.0 / 22, 1e-6);
    seen.page = 1, seen.modified = DAYS(10); /* as if made for us: it tells nothing */
    fg_mind_observe(mind, &seen);
    assert_near(reason_for(mind, 1, DAYS(10)).rate, 0.05 / 0.6, 1e-6);
    seen.page = 2, seen.modified = DAYS(-5); /* before our last visit: it is wrong */
    fg_mind_observe(mind, &seen);
    assert_near(reason_for(mind, 2, DAYS(10)).rate, 0.05 / 0.6, 1e-6);
    fg_mind_free(mind);
}

static void intervals_hold_the_rate(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of(1);
    visit(mind, 0, 0, true);
    struct fg_reason reason = reason_for(mind, 0, 0); /* exponential */
    assert_near(reason.low, -log(0.975) / 20, 2e-4);
    assert_near(reason.high, -log(0.025) / 20, 2e-3);
    fg_mind_free(mind);
}

static void others_tell_what_to_expect_of_a_new_page(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of(201);
    for (size_t row = 0; row < 200; row++)
        visit(mind, row, 0, true);
    for (int day = 2; day < 60; day += 2) {
        for (size_t row = 0; row < 200; row++) /* one in 30 days */
            visit(mind, row, DAYS(day), (day + (int)row * 2) % 30 == 0);
        first_pick(mind, DAYS(day));
    }
    double rate = reason_for(mind, 200, DAYS(60)).rate;
    assert_true(rate > 0.028 && rate < 0.04);
    fg_mind_free(mind);
}

/* Of two groups, one changes ten times as often: so does a new page of it. */
static void siblings_tell_more(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of(202);
    for (size_t row = 0; row < 202; row++)
        fg_mind_group(mind, row, row % 2);
    for (size_t row = 0; row < 200; row++)
        visit(mind, row, 0, true);
    for (int day = 2; day < 80; day += 2) {
        for (size_t row = 0; row < 200; row++)
            visit(mind, row, DAYS(day),
                  (day + (int)row / 2 * 2) % (row % 2 ? 10 : 100) == 0);
        first_pick(mind, DAYS(day));
    }
    double slow = reason_for(mind, 200, DAYS(80)).rate;
    double fast = reason_for(mind, 201, DAYS(80)).rate;
    assert_true(fast > 5 * slow);
    fg_mind_free(mind);
}

/* --- whom it prefers --- */

static void never_seen_pages_are_worth_a_horizon(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of(1);
    fg_mind_weigh(mind, 0, 3);
    double time = 20 * log(1 + 90.0 / 20); /* Gamma(1, 20) */
    assert_near(reason_for(mind, 0, DAYS(5)).score, 3 * time, 1e-6);
    fg_mind_free(mind);
}

static void worth_is_weight_times_gain_by_cost(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of(2);
    struct fg_gamma_rate rate = {1, 20};
    for (size_t row = 0; row < 2; row++) {
        struct fg_visit seen = {.page = row, .ok = true, .modified = FG_NEVER};
        seen.cost = row ? 4 : 1;
        fg_mind_weigh(mind, row, 7);
        fg_mind_observe(mind, &seen);
    }
    double worth = 7 * fg_lomax_gain(rate, 12);
    assert_near(reason_for(mind, 0, DAYS(12)).score, worth, 1e-6 * worth);
    assert_near(reason_for(mind, 1, DAYS(12)).score, worth / 4, 1e-6 * worth);
    fg_mind_free(mind);
}

static void costs_are_smoothed_and_arrive(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of(1);
    struct fg_visit seen = {.ok = true, .modified = FG_NEVER, .cost = 1};
    fg_mind_observe(mind, &seen);
    seen.cost = 16;
    double score = reason_for(mind, 0, DAYS(1)).score, before = score;
    for (int i = 0; i < 12; i++) {
        seen.now = 0; /* no interval: nothing else is learnt */
        fg_mind_observe(mind, &seen);
        double after = reason_for(mind, 0, DAYS(1)).score;
        assert_true(after <= before);
        before = after;
    }
    assert_near(before, score / 16, 1e-6 * score);
    fg_mind_free(mind);
}

static void clicks_are_mixed_with_alpha(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of(2);
    fg_mind_tick(mind, FG_DAY);
    fg_mind_budget(mind, 0.02); /* 1 % a day */
    fg_mind_tell(mind, 0, FG_TOLD_CLICKS_SMOOTH, 9);
    fg_mind_tell(mind, 1, FG_TOLD_CLICKS_SMOOTH, 1);
    first_pick(mind, DAYS(1)); /* weights are made once a day */
    double time = reason_for(mind, 0, DAYS(1)).score / (0.75 * 9 / 5 + 0.25);
    assert_near(reason_for(mind, 1, DAYS(1)).score, time * (0.75 * 1 / 5 + 0.25), 1e-9);
    fg_mind_free(mind);
}

/* Weights as such are what they are. */
static void weights_are_not_mixed(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of(2);
    fg_mind_weigh(mind, 0, 9);
    first_pick(mind, DAYS(1));
    assert_near(reason_for(mind, 0, DAYS(1)).score,
                9 * reason_for(mind, 1, DAYS(1)).score, 1e-9);
    fg_mind_free(mind);
}

/* Half clicks, or weights, and half what searchers would miss. Weights 3 and 1 (mean 2),
 * missed .5 and 1.5: (3 + 2 x .5)/2 = 2 and (1 + 2 x 1.5)/2 = 2. Clicks 9 and 1 (mean 5):
 * (9 + 5 x .5)/2 = 5.75 and (1 + 5 x 1.5)/2 = 4.25, and then alpha. */
static void what_searchers_would_miss_is_half_of_a_weight(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of(2);
    fg_mind_tick(mind, FG_DAY);
    fg_mind_budget(mind, 0.02);
    fg_mind_weigh(mind, 0, 3);
    fg_mind_tell(mind, 0, FG_TOLD_MISSED, 0.5F);
    fg_mind_tell(mind, 1, FG_TOLD_MISSED, 1.5F);
    first_pick(mind, DAYS(1));
    assert_near(reason_for(mind, 0, DAYS(1)).score, reason_for(mind, 1, DAYS(1)).score,
                1e-9);
    fg_mind_tell(mind, 0, FG_TOLD_CLICKS_SMOOTH, 9);
    fg_mind_tell(mind, 1, FG_TOLD_CLICKS_SMOOTH, 1);
    first_pick(mind, DAYS(2));
    double time = reason_for(mind, 0, DAYS(2)).score / (0.75 * 5.75 / 5 + 0.25);
    assert_near(reason_for(mind, 1, DAYS(2)).score, time * (0.75 * 4.25 / 5 + 0.25),
                1e-9);
    fg_mind_free(mind);
}

static void told_rates_are_believed_or_started_from(void **state)
{
    (void)state;
    for (int own = 0; own < 2; own++) {
        struct fg_mind *mind = fg_mind_new(&fg_policy_lomax, 1);
        set(mind, "own", own);
        fg_mind_add(mind, 0, 0, 0);
        fg_mind_tell(mind, 0, FG_TOLD_CHANGES_MODEL, 0.5F);
        visit(mind, 0, 0, true);
        assert_near(reason_for(mind, 0, 0).rate, 0.5, 1e-6);
        fg_mind_tell(mind, 0, FG_TOLD_CHANGES_MODEL, 0.25F);
        visit(mind, 0, DAYS(6), false);
        /* Gamma(1, 2 days) and six days of silence. */
        assert_near(reason_for(mind, 0, DAYS(6)).rate, own ? 1.0 / 8 : 0.25, 1e-6);
        fg_mind_free(mind);
    }
}

static void signals_bring_a_page_forward(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of(3);
    for (size_t row = 0; row < 3; row++)
        visit(mind, row, (fg_time)row * FG_DAY, true);
    assert_int_equal(first_pick(mind, DAYS(6)), 0);
    fg_mind_signal(mind, 2, DAYS(5));
    assert_int_equal(first_pick(mind, DAYS(6)), 2);
    visit(mind, 2, DAYS(6), true);
    assert_int_equal(first_pick(mind, DAYS(6.5)), 0);
    /* One that cries every day, and never is right, is no longer listened to. */
    for (int day = 7; day < 400; day++) {
        fg_mind_signal(mind, 2, DAYS(day));
        visit(mind, 2, DAYS(day + 0.5), false);
        visit(mind, 0, DAYS(day + 0.5), false);
    }
    visit(mind, 0, DAYS(400), false);
    visit(mind, 2, DAYS(400), false);
    double later = reason_for(mind, 2, DAYS(405)).score;
    fg_mind_signal(mind, 2, DAYS(401));
    assert_true(reason_for(mind, 2, DAYS(401)).score < later);
    fg_mind_free(mind);
}

/* A page found changed makes its siblings suspect that were not seen since. */
static void siblings_of_a_changed_page_come_next(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of(60);
    for (size_t row = 0; row < 60; row++) {
        fg_mind_group(mind, row, row % 2);
        visit(mind, row, DAYS(1), true);
    }
    first_pick(mind, DAYS(1));
    for (size_t row = 0; row < 60; row++)
        visit(mind, row, DAYS(20), false);
    for (size_t row = 1; row < 40; row += 2) /* twenty of the odd ones */
        visit(mind, row, DAYS(22), true);
    size_t next = first_pick(mind, DAYS(22.1));
    assert_int_equal(next % 2, 1);
    assert_true(next >= 40);
    fg_mind_free(mind);
}

static void failing_pages_are_tried_less_and_less(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of(1);
    struct fg_pick pick;
    visit(mind, 0, 0, true);
    size_t tries = 0;
    for (int hour = 24; hour < 24 * 40; hour++)
        if (fg_mind_choose(mind, hour * FG_HOUR, 1, &pick)) {
            fg_mind_observe(mind, &(struct fg_visit){.now = hour * FG_HOUR});
            tries++;
        }
    assert_true(tries > 15 && tries < 60);
    fg_mind_free(mind);
}

static void state_is_small(void **state)
{
    (void)state;
    size_t bytes = 0, sizes[] = {[FG_F32] = 4, [FG_F64] = 8, [FG_U8] = 1,
                                 [FG_U16] = 2, [FG_U32] = 4, [FG_I64] = 8};
    for (size_t i = 0; fg_policy_lomax.columns[i].name; i++)
        bytes += sizes[fg_policy_lomax.columns[i].type];
    assert_true(bytes <= 24);
}

FG_TESTS(visits_move_the_rate, dated_changes_tell_more, intervals_hold_the_rate,
         others_tell_what_to_expect_of_a_new_page, siblings_tell_more,
         never_seen_pages_are_worth_a_horizon, worth_is_weight_times_gain_by_cost,
         costs_are_smoothed_and_arrive, clicks_are_mixed_with_alpha,
         what_searchers_would_miss_is_half_of_a_weight, weights_are_not_mixed,
         told_rates_are_believed_or_started_from, signals_bring_a_page_forward,
         siblings_of_a_changed_page_come_next, failing_pages_are_tried_less_and_less,
         state_is_small)
