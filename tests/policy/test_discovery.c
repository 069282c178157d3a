/* What each discovery policy does, on cases worked out by hand and on one small world. */
#include "minds.h"
#include "policy/metrics.h"

static void visit(struct fg_mind *mind, size_t page, fg_time now, size_t fresh)
{
    fg_mind_observe(
        mind, &(struct fg_visit){.page = page, .now = now, .ok = true, .n_fresh = fresh});
}

static void round_robin_takes_the_one_that_waited_longest(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("round-robin", 3);
    struct fg_pick picks[3];
    visit(mind, 0, 2 * FG_HOUR, 9);
    visit(mind, 2, 1 * FG_HOUR, 0);
    assert_int_equal(fg_mind_choose(mind, 5 * FG_HOUR, 3, picks), 3);
    assert_int_equal(picks[0].page, 1); /* never tried */
    assert_int_equal(picks[1].page, 2);
    assert_int_equal(picks[2].page, 0);
    fg_mind_free(mind);
}

/* Posterior of a cell: gamma with shape 1 + links found and rate 1 + visits, at that hour
 * of day only. 20 new links in 4 visits at nine o'clock: mean 21/5. */
static void thompson_learns_each_hour_of_day_apart(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("thompson", 1);
    struct fg_reason reason;
    for (int day = 0; day < 4; day++)
        visit(mind, 0, day * FG_DAY + 9 * FG_HOUR + 30 * FG_MINUTE, 5);
    assert_true(fg_mind_explain(mind, 10 * FG_DAY + 9 * FG_HOUR, 0, &reason));
    assert_near(reason.rate, 21.0 / 5, 1e-12);
    assert_near(reason.observations, 4, 0);
    /* 2.5 % and 97.5 % points of gamma(21, 5): 2.599838 and 6.177669 (from the chi-square
     * distribution with 42 degrees of freedom, over 10). */
    assert_near(reason.low, 2.599838, 0.02);
    assert_near(reason.high, 6.177669, 0.02);
    assert_true(fg_mind_explain(mind, 10 * FG_DAY + 10 * FG_HOUR, 0, &reason));
    assert_near(reason.rate, 1, 0);
    fg_mind_free(mind);
}

static void thompson_ignores_failed_visits(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("thompson", 1);
    struct fg_reason reason;
    fg_mind_observe(mind, &(struct fg_visit){.page = 0, .now = FG_HOUR, .ok = false});
    fg_mind_explain(mind, FG_HOUR, 0, &reason);
    assert_near(reason.observations, 0, 0);
    fg_mind_free(mind);
}

/* The draw of a page must have the distribution of its posterior: with shape 1 and rate 1
 * an exponential one, so a page is the best of two with probability 1/2, and against a
 * cell of gamma(9, 1) with probability P(E > G) = E[exp(-G)] = 2^-9. */
static void thompson_picks_with_the_probability_of_being_best(void **state)
{
    (void)state;
    enum { ROUNDS = 20000 };
    struct fg_mind *mind = mind_of("thompson", 3);
    visit(mind, 2, FG_HOUR, 0);
    struct fg_pick pick;
    int first = 0, fresh = 0;
    for (int i = 0; i < ROUNDS; i++) {
        fg_mind_choose(mind, i * FG_DAY, 1, &pick); /* hour 0: three fresh cells */
        first += pick.page == 0;
        fg_mind_choose(mind, i * FG_DAY + FG_HOUR, 1,
                       &pick); /* hour 1: page 2 is gamma(1, 2) */
        fresh += pick.page == 2;
    }
    /* P(page 2 best) = P(E3/2 > max(E1, E2)) = 1/(1+2) * 2/(1+1+2) = 1/6 */
    assert_near((double)first / ROUNDS, 1.0 / 3, 4 * sqrt(2.0 / 9 / ROUNDS));
    assert_near((double)fresh / ROUNDS, 1.0 / 6, 4 * sqrt(5.0 / 36 / ROUNDS));
    fg_mind_free(mind);
}

static void the_same_seed_gives_the_same_picks(void **state)
{
    (void)state;
    struct fg_mind *a = mind_of("thompson", 500), *b = mind_of("thompson", 500);
    struct fg_pick pa[20], pb[20];
    for (int tick = 0; tick < 30; tick++) {
        fg_mind_choose(a, tick * FG_HOUR, 20, pa);
        fg_mind_choose(b, tick * FG_HOUR, 20, pb);
        assert_memory_equal(pa, pb, sizeof pa);
        for (int i = 0; i < 20; i++) {
            visit(a, pa[i].page, tick * FG_HOUR, pa[i].page % 7);
            visit(b, pb[i].page, tick * FG_HOUR, pb[i].page % 7);
        }
    }
    fg_mind_free(a);
    fg_mind_free(b);
}

static void a_score_counts_what_was_found_and_how_late(void **state)
{
    (void)state;
    fg_time delays[] = {4 * FG_HOUR, FG_NEVER, 1 * FG_HOUR, 2 * FG_HOUR, 3 * FG_HOUR};
    struct fg_discovery_score score = fg_discovery_score(delays, 5, 12);
    assert_int_equal(score.found, 4);
    assert_near(score.coverage, 0.8, 1e-12);
    assert_near(score.overhead, 3, 1e-12);
    assert_int_equal(score.delay_p50, 2 * FG_HOUR + FG_HOUR / 2);
    assert_near(fg_hours(score.delay_p90), 3.7, 1e-9);
    score = fg_discovery_score(NULL, 0, 5);
    assert_true(score.coverage == 0 && score.delay_p90 == 0);
}

/* Monday 2026-11-16 and the Tuesday after it, both at nine: two cells of one hour of day.
 */
static void thompson_week_learns_each_hour_of_the_week_apart(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("thompson-week", 1);
    struct fg_reason reason;
    fg_time monday = fg_days_from_date(2026, 11, 16) * FG_DAY + 9 * FG_HOUR;
    visit(mind, 0, monday, 5);
    assert_true(fg_mind_explain(mind, monday + 7 * FG_DAY, 0, &reason));
    assert_near(reason.rate, 6.0 / 2, 1e-12);
    assert_true(fg_mind_explain(mind, monday + FG_DAY, 0, &reason));
    assert_near(reason.rate, 1, 0);
    fg_mind_free(mind);
}

/* Of three sources the first has all the news; a refresh every 24 hours looks at the
 * others once a day all the same. */
static void thompson_refreshes_everything_once_a_period(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("thompson", 3);
    struct fg_pick pick;
    int visits[3] = {0};
    set(mind, "refresh", 24);
    for (int hour = 0; hour < 10 * 24; hour++) {
        assert_int_equal(fg_mind_choose(mind, hour * FG_HOUR, 1, &pick), 1);
        if (hour % 24 < 3)
            visits[pick.page]++;
        visit(mind, pick.page, hour * FG_HOUR, pick.page ? 0 : 50);
    }
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(visits[i], 10);
    fg_mind_free(mind);
}

/* One cell a source. Each source once, then by s/n + sqrt(2 ln(t - 1)/n): at t = 4, with
 * 3, 1 and 2 links in a visit each, the first. It shows nothing then, and at t = 5 it
 * is at 3/2 + sqrt(2 ln 4 / 2) = 2.68, the third at 2 + sqrt(2 ln 4) = 3.67. */
static void ucb_sources_takes_the_highest_bound(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("ucb-sources", 3);
    struct fg_pick pick;
    const size_t found[] = {3, 1, 2};
    set(mind, "by-hour", 0);
    for (size_t t = 1; t <= 3; t++) {
        assert_int_equal(fg_mind_choose(mind, (fg_time)t * FG_HOUR, 1, &pick), 1);
        visit(mind, pick.page, (fg_time)t * FG_HOUR, found[pick.page]);
    }
    fg_mind_choose(mind, 4 * FG_HOUR, 1, &pick);
    assert_int_equal(pick.page, 0);
    visit(mind, 0, 4 * FG_HOUR, 0);
    fg_mind_choose(mind, 5 * FG_HOUR, 1, &pick);
    assert_int_equal(pick.page, 2);
    set(mind, "scale", 0); /* the means alone: 3/2, 1 and 2 */
    fg_mind_choose(mind, 6 * FG_HOUR, 1, &pick);
    assert_int_equal(pick.page, 2);
    fg_mind_free(mind);
}

FG_TESTS(thompson_week_learns_each_hour_of_the_week_apart,
         thompson_refreshes_everything_once_a_period, ucb_sources_takes_the_highest_bound,
         round_robin_takes_the_one_that_waited_longest,
         thompson_learns_each_hour_of_day_apart, thompson_ignores_failed_visits,
         thompson_picks_with_the_probability_of_being_best,
         the_same_seed_gives_the_same_picks, a_score_counts_what_was_found_and_how_late)
