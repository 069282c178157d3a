/* The schedules of other crawlers and readers, on cases worked out by hand. */
#include "minds.h"

static fg_time at_hour(double hour)
{
    return 19000 * FG_DAY + (fg_time)(hour * (double)FG_HOUR);
}

static double wait_of(struct fg_mind *mind, double hour)
{
    struct fg_reason reason;
    assert_true(fg_mind_explain(mind, at_hour(hour), 0, &reason));
    return reason.rate;
}

/* The hours to wait after a visit of page 0 that found so many new links. */
static double wait_after(struct fg_mind *mind, double hour, size_t n_new)
{
    fg_mind_observe(mind, &(struct fg_visit){.now = at_hour(hour),
                                             .ok = true,
                                             .changed = n_new > 0,
                                             .n_added = n_new,
                                             .n_fresh = n_new});
    return wait_of(mind, hour);
}

static double wait_after_failure(struct fg_mind *mind, double hour)
{
    fg_mind_observe(mind, &(struct fg_visit){.now = at_hour(hour)});
    return wait_of(mind, hour);
}

static void only_what_is_due_is_visited(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("fixed", 4); /* every 24 hours */
    struct fg_pick picks[4];
    const double visited[] = {0, 10, 0.5};
    for (size_t page = 0; page < 3; page++)
        fg_mind_observe(
            mind,
            &(struct fg_visit){.page = page, .now = at_hour(visited[page]), .ok = true});
    assert_int_equal(fg_mind_choose(mind, at_hour(24), 4, picks), 2);
    assert_int_equal(picks[0].page, 3); /* never seen */
    assert_int_equal(picks[1].page, 0); /* due to the second; the rest is not spent */
    fg_mind_observe(mind, &(struct fg_visit){.page = 3, .now = at_hour(24)});
    assert_int_equal(fg_mind_choose(mind, at_hour(40), 4, picks), 3);
    assert_int_equal(picks[0].page, 0); /* 16 hours overdue, then 15.5, then 6 */
    assert_int_equal(picks[1].page, 2);
    assert_int_equal(picks[2].page, 1);
    fg_mind_free(mind);
}

/* With `fill` the rest of the budget goes to what is due next. */
static void what_is_left_may_fill_up_with_what_is_due_next(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("fixed", 0);
    set(mind, "fill", 1);
    struct fg_pick picks[3];
    const double visited[] = {10, 0, 20};
    for (size_t page = 0; page < 3; page++) {
        fg_mind_add(mind, page, 0, 0);
        fg_mind_observe(
            mind,
            &(struct fg_visit){.page = page, .now = at_hour(visited[page]), .ok = true});
    }
    assert_int_equal(fg_mind_choose(mind, at_hour(24), 2, picks), 2);
    assert_int_equal(picks[0].page, 1); /* due now; the next in ten hours */
    assert_int_equal(picks[1].page, 0);
    fg_mind_free(mind);
}

static void lastmod_comes_when_it_is_told_to(void **state)
{
    (void)state;
    const struct fg_policy *policy = fg_policy_find(FG_STR("lastmod"), FG_REFRESH);
    assert_non_null(policy);
    struct fg_mind *mind = fg_mind_new(policy, 1);
    struct fg_pick picks[2];
    for (size_t page = 0; page < 2; page++) {
        fg_mind_add(mind, page, 0, 0);
        fg_mind_observe(mind,
                        &(struct fg_visit){.page = page, .now = at_hour(0), .ok = true});
    }
    assert_int_equal(fg_mind_choose(mind, at_hour(100), 2, picks), 0);
    fg_mind_signal(mind, 1, at_hour(100));
    assert_int_equal(fg_mind_choose(mind, at_hour(101), 2, picks), 1);
    assert_int_equal(picks[0].page, 1);
    fg_mind_observe(mind, &(struct fg_visit){.page = 1, .now = at_hour(101), .ok = true});
    assert_int_equal(fg_mind_choose(mind, at_hour(719), 2, picks), 0);
    assert_int_equal(fg_mind_choose(mind, at_hour(720), 2, picks), 1); /* 30 days */
    assert_int_equal(picks[0].page, 0);
    fg_mind_free(mind);
}

static void nutch_follows_changes(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("nutch-adaptive", 1);
    assert_near(wait_after(mind, 0, 50), 720, 1e-3);
    /* changed: 720 * 0.8 */
    assert_near(wait_after(mind, 720, 1), 576, 1e-3);
    /* not: 576 * 1.4 = 806.4, less 0.3 of the 576 since the change */
    assert_near(wait_after(mind, 1296, 0), 806.4 - 172.8, 1e-3);
    /* not: 1128.96, but the change is 1209.6 ago, so that, less 0.3 of it */
    assert_near(wait_after(mind, 1929.6, 0), 1209.6 - 362.88, 1e-3);
    assert_near(wait_after_failure(mind, 2000), 24, 1e-3);
    /* changed: 1209.6 * 0.8 */
    assert_near(wait_after(mind, 2024, 3), 967.68, 1e-3);
    fg_mind_free(mind);
}

/* The same with a maximum of 1,000 hours: the fourth visit would be drawn forward by 0.3
 * of 1209.6, over the maximum, so by 0.3 of that. */
static void nutch_draws_forward_by_no_more_than_the_maximum(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("nutch-adaptive", 0);
    assert_int_equal(fg_mind_set(mind, FG_STR("max"), 1000, NULL), FG_OK);
    fg_mind_add(mind, 0, 0, 0);
    wait_after(mind, 0, 50);
    wait_after(mind, 720, 1);
    wait_after(mind, 1296, 0);
    assert_near(wait_after(mind, 1929.6, 0), 700, 1e-3);
    fg_mind_free(mind);
}

static void stormcrawler_goes_halfway_to_its_minimum(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("stormcrawler-adaptive", 1);
    assert_near(wait_after(mind, 0, 50), 24, 0);
    assert_near(wait_after(mind, 24, 1), 12.5, 0);     /* 24 / 2 + 1 / 2 */
    assert_near(wait_after(mind, 36.5, 1), 6.75, 0);   /* 12.5 / 2 + 1 / 2 */
    assert_near(wait_after(mind, 43.5, 0), 10.125, 0); /* 6.75 * 1.5 */
    assert_near(wait_after_failure(mind, 54), 2, 0);
    assert_near(wait_after(mind, 56, 1), 24, 0); /* as if new */
    for (int i = 0; i < 6; i++)
        wait_after(mind, 100 + i, 0);
    assert_near(wait_of(mind, 106), 273.375, 1e-3); /* 24 * 1.5^6 */
    assert_near(wait_after(mind, 107, 0), 336, 0);  /* not 410 */
    fg_mind_free(mind);
}

static void miniflux_waits_for_a_mean_gap(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("miniflux-frequency", 1);
    assert_near(wait_after(mind, 0, 50), 24, 0); /* nobody knows how old those are */
    assert_near(wait_after(mind, 24, 3), 24, 0); /* three, but of one moment */
    /* five in 24 hours: a gap of 6, so 28 a week */
    assert_near(wait_after(mind, 48, 2), 6, 1e-6);
    assert_near(wait_after_failure(mind, 54), 6, 1e-6);
    /* A week later the three are too old, and the two are of one moment. */
    assert_near(wait_after(mind, 24 + 168 + 1, 0), 24, 0);
    fg_mind_free(mind);
}

/* Three in 10 hours: a gap of 5, 33.6 a week, taken as 34; with a factor of 2 half of
 * 168 / 34 hours. */
static void miniflux_counts_whole_entries(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("miniflux-frequency", 0);
    assert_int_equal(fg_mind_set(mind, FG_STR("factor"), 2, NULL), FG_OK);
    fg_mind_add(mind, 0, 0, 0);
    wait_after(mind, 0, 0);
    wait_after(mind, 10, 2);
    assert_near(wait_after(mind, 20, 1), 84.0 / 34, 1e-6);
    /* Thousands of entries: not below five minutes. */
    assert_near(wait_after(mind, 21, 100000), 5.0 / 60, 1e-6);
    fg_mind_free(mind);
}

static void commafeed_halves_the_gap(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("commafeed-empirical", 1);
    assert_near(wait_after(mind, 0, 50), 4, 0);
    assert_near(wait_after(mind, 4, 3), 4, 0);   /* no gap yet */
    assert_near(wait_after(mind, 8, 2), 0.5, 0); /* five in 4 hours: gap 1 */
    assert_near(wait_after_failure(mind, 9), 5.0 / 60, 1e-6);
    assert_near(wait_after(mind, 28, 1), 1, 0); /* six in 24: 4.8, half over a quarter */
    assert_near(wait_after(mind, 28 + 7 * 24, 0), 1, 0);
    assert_near(wait_after(mind, 28 + 14 * 24, 0), 2, 0);
    assert_near(wait_after(mind, 28 + 30 * 24, 0), 4, 0);
    fg_mind_free(mind);
}

FG_TESTS(only_what_is_due_is_visited, what_is_left_may_fill_up_with_what_is_due_next,
         lastmod_comes_when_it_is_told_to, nutch_follows_changes,
         nutch_draws_forward_by_no_more_than_the_maximum,
         stormcrawler_goes_halfway_to_its_minimum, miniflux_waits_for_a_mean_gap,
         miniflux_counts_whole_entries, commafeed_halves_the_gap)
