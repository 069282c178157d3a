/* reg, reg-rr and what they share: features, windows and picks worked out by hand, and
 * predictions against a script of its own. */
#include "base/rng.h"
#include "yield_fixture.h"

static const struct fg_yield_visit *example(uint64_t number)
{
    return fg_yield_visit(inside->self, number);
}

/* Found 4, 0 and 2 at 1:00, 5:00 and 6:00 of a Thursday. Before the third visit the mean
 * is 2 and the deviation 2; before the second, 4 and 0; before the first, nothing. */
static void features_are_as_worked_out_by_hand(void **state)
{
    (void)state;
    struct fg_mind *mind = open_mind_of("reg", 1);
    double x[FG_YIELD_FEATURES];
    visit(mind, 0, 1 * FG_HOUR, 0, 4);
    visit(mind, 0, 5 * FG_HOUR, 0, 0);
    visit(mind, 0, 6 * FG_HOUR + 30 * FG_MINUTE, 0, 2);
    fg_yield_features(example(0), x);
    assert_near(x[FG_YIELD_AVG], 0, 0);
    assert_near(x[FG_YIELD_STD], 0, 0);
    assert_near(x[FG_YIELD_AGE], 1, 0); /* since it became known */
    fg_yield_features(example(1), x);
    assert_near(x[FG_YIELD_AVG], 4, 0);
    assert_near(x[FG_YIELD_STD], 0, 0);
    assert_near(x[FG_YIELD_AGE], 4, 0);
    assert_near(x[FG_YIELD_AA], 16, 0);
    fg_yield_features(example(2), x);
    assert_near(x[FG_YIELD_AVG], 2, 0);
    assert_near(x[FG_YIELD_STD], 2, 0);
    assert_near(x[FG_YIELD_AGE], 1.5, 0);
    assert_near(x[FG_YIELD_AA], 3, 0);
    double ones = 0;
    for (size_t i = FG_YIELD_TOD; i < FG_YIELD_FEATURES; i++)
        ones += x[i];
    assert_near(ones, 2, 0);
    assert_near(x[FG_YIELD_TOD + 6], 1, 0);
    assert_near(x[FG_YIELD_DOW + 3], 1, 0);
    assert_near((double)example(2)->found, 2, 0);
    fg_mind_free(mind);
}

/* (4 + 0 + 2) / 3 = 2, deviation sqrt(20/3 - 4) = 1.6329932; half the interval is 1.96
 * of it over sqrt 3, 1.8479. A day of 24 hours later the first visit has left, and so
 * on. */
static void a_visit_older_than_the_window_counts_no_more(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("pham", 1);
    struct fg_reason reason;
    struct fg_pick pick;
    visit(mind, 0, 1 * FG_HOUR, 0, 4);
    visit(mind, 0, 5 * FG_HOUR, 0, 0);
    visit(mind, 0, 6 * FG_HOUR, 0, 2);
    fg_mind_explain(mind, 7 * FG_HOUR, 0, &reason);
    assert_near(reason.rate, 2, 1e-6);
    assert_near(reason.high - reason.rate, 1.84790, 1e-4);
    assert_near(reason.observations, 3, 0);
    fg_mind_choose(mind, 25 * FG_HOUR, 1, &pick); /* exactly 24 hours: still in */
    fg_mind_explain(mind, 25 * FG_HOUR, 0, &reason);
    assert_near(reason.observations, 3, 0);
    fg_mind_choose(mind, 26 * FG_HOUR, 1, &pick);
    fg_mind_explain(mind, 26 * FG_HOUR, 0, &reason);
    assert_near(reason.rate, 1, 0);
    assert_near(reason.observations, 2, 0);
    fg_mind_choose(mind, 40 * FG_HOUR, 1, &pick);
    fg_mind_explain(mind, 40 * FG_HOUR, 0, &reason);
    assert_near(reason.rate, 0, 0);
    assert_near(reason.observations, 0, 0);
    fg_mind_free(mind);
}

/* Three pages; page p is visited at the hours that p + 1 divides, up to eleven o'clock,
 * and finds (p + 1) * ((7 t + 3 p) % 5). What half past eleven promises, by a script that
 * makes the features in plain Python and solves the normal equations in fractions,
 * leaving out columns that depend on others:
 *
 *     for t in range(12):
 *         for p in range(3):
 *             if t % (p+1) == 0:
 *                 y = (p+1) * ((t*7 + p*3) % 5)
 *                 rows.append((features(p, t), y)); new.append((p, y))
 *         for p, y in new: seen[p].append(y); last[p] = t
 *     features = [mean, pstdev, age, mean*age] + 24 hours + 7 days */
static void predictions_are_those_of_a_script(void **state)
{
    (void)state;
    const double expected[3] = {-0.16720148187235448, 3.320092401764228,
                                9.17765725469753};
    struct fg_mind *mind = mind_of("reg", 3);
    struct fg_pick picks[3];
    fg_mind_choose(mind, 0, 3, picks);
    for (int t = 0; t < 12; t++)
        for (int p = 0; p < 3; p++)
            if (t % (p + 1) == 0)
                visit(mind, (size_t)p, t * FG_HOUR, 0,
                      (size_t)((p + 1) * ((t * 7 + p * 3) % 5)));
    fg_time now = 11 * FG_HOUR + 30 * FG_MINUTE;
    set(mind, "overlap", 1);
    assert_int_equal(fg_mind_choose(mind, now, 3, picks), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(picks[i].page, 2 - i);
        assert_near((double)picks[i].score, expected[2 - i], 2e-5);
        struct fg_reason reason;
        fg_mind_explain(mind, now, i, &reason);
        assert_near(reason.score, expected[i], 2e-5);
    }
    fg_mind_free(mind);
}

/* Ten hours: never tried ones in order, then the highest mean. */
static void it_starts_with_averages(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("reg", 4);
    struct fg_pick picks[2];
    fg_mind_choose(mind, 0, 2, picks);
    assert_int_equal(picks[0].page, 0);
    assert_int_equal(picks[1].page, 1);
    assert_true(picks[0].explored);
    visit(mind, 0, 0, 0, 3);
    visit(mind, 1, 0, 100, 7);
    fail_visit(mind, 2, 0); /* tried, though in vain */
    fg_mind_choose(mind, FG_HOUR, 2, picks);
    assert_int_equal(picks[0].page, 3);
    assert_int_equal(picks[1].page, 1);
    visit(mind, 3, FG_HOUR, 200, 5);
    visit(mind, 1, FG_HOUR, 300, 1); /* mean 4 */
    fg_mind_choose(mind, 9 * FG_HOUR, 2, picks);
    assert_int_equal(picks[0].page, 3);
    assert_int_equal(picks[1].page, 1);
    assert_near((double)picks[1].score, 4, 0);
    assert_false(picks[1].explored);
    fg_mind_free(mind);
}

/* Weights hold for three hours and then are fitted anew. */
static void training_is_every_three_hours(void **state)
{
    (void)state;
    struct fg_mind *mind = open_mind_of("reg", 2);
    const struct fg_yield_known *known = &((struct fg_yield_model *)inside->self)->known;
    struct fg_pick picks[2];
    for (int hour = 0; hour < 18; hour++) {
        play_hour(mind, hour, 2, picks);
        fg_time trained = hour < 10 ? FG_NEVER : (hour - (hour - 10) % 3) * FG_HOUR;
        assert_true(known->trained == trained);
    }
    fg_mind_free(mind);
}

/* Examples older than the history leave the sums: the same model as from the rest alone,
 * also after the ring has gone round and the sums were made anew. */
static void the_model_is_that_of_the_last_week(void **state)
{
    (void)state;
    enum { PAGES = 5, HOURS = 3000, HISTORY = 168 };
    struct fg_mind *mind = open_mind_of("reg", PAGES);
    struct fg_yield_model *model = inside->self;
    struct fg_least_squares fresh = {.features = FG_YIELD_FEATURES};
    double x[FG_YIELD_FEATURES], a[FG_YIELD_FEATURES + 1], b[FG_YIELD_FEATURES + 1];
    struct fg_pick picks[2];
    for (int hour = 0; hour < HOURS; hour++)
        play_hour(mind, hour, 2, picks);
    assert_int_equal(model->known.next, 2 * HOURS);
    assert_int_equal(model->known.next - model->known.in_history, 2 * (HISTORY + 1));
    assert_true(model->known.gone < 2 * HISTORY + 1002); /* made anew at least once */
    assert_int_equal(model->room, 512);
    for (uint64_t i = model->known.in_history; i < model->known.next; i++) {
        fg_yield_features(example(i), x);
        fg_least_squares_add(&fresh, x, (double)example(i)->found);
    }
    fg_least_squares_solve(&model->known.sums, a);
    fg_least_squares_solve(&fresh, b);
    for (size_t i = 0; i <= FG_YIELD_FEATURES; i++)
        assert_near(a[i], b[i], 1e-6 * (1 + fabs(b[i])));
    fg_mind_free(mind);
}

static void failed_visits_tell_nothing(void **state)
{
    (void)state;
    struct fg_mind *mind = open_mind_of("reg", 2);
    struct fg_yield_model *model = inside->self;
    fail_visit(mind, 0, FG_HOUR);
    assert_int_equal(model->known.next, 0);
    visit(mind, 0, 2 * FG_HOUR, 0, 5);
    fail_visit(mind, 0, 4 * FG_HOUR);
    visit(mind, 0, 5 * FG_HOUR, 0, 5);
    assert_int_equal(model->known.next, 2);
    assert_near((double)example(1)->age, 3, 0); /* since the visit that went well */
    fg_mind_free(mind);
}

static size_t hours_waited(const struct fg_mind *mind, size_t page, fg_time now)
{
    fg_time last = fg_mind_world(mind)->last_visit[page];
    return last == FG_NEVER ? 1 : (size_t)fg_hours(now - last);
}

/* Five pages that gather a link an hour, so that age is what the model learns. Then page
 * 2 fails for ever: counted from the last try, its age gives it every fifth visit;
 * counted from the last visit that went well, it would get them all. */
static void a_page_that_fails_does_not_stay_on_top(void **state)
{
    (void)state;
    enum { PAGES = 5, BROKEN = 2 };
    struct fg_mind *mind = mind_of("reg", PAGES);
    struct fg_rng rng = fg_rng_from_seed(4);
    struct fg_pick pick;
    size_t fails = 0;
    for (int hour = 0; hour < 160; hour++) {
        fg_time now = hour * FG_HOUR;
        fg_mind_choose(mind, now, 1, &pick);
        size_t page = hour < 60 ? fg_rng_below(&rng, PAGES) : pick.page;
        if (hour >= 60 && page == BROKEN) {
            fail_visit(mind, page, now);
            fails++;
        } else {
            visit(mind, page, now, (uint64_t)hour * 100, hours_waited(mind, page, now));
        }
    }
    assert_true(fails >= 10 && fails <= 30);
    fg_mind_free(mind);
}

/* Row 0 goes, row 2 takes its place: its visits move with it, and those of the page that
 * went remain examples. */
static void pages_come_and_go(void **state)
{
    (void)state;
    struct fg_mind *mind = open_mind_of("reg", 3);
    struct fg_yield_model *model = inside->self;
    struct fg_reason reason;
    for (int hour = 0; hour < 3; hour++) {
        visit(mind, 0, hour * FG_HOUR, 0, 1);
        visit(mind, 1, hour * FG_HOUR, 100, 2);
        visit(mind, 2, hour * FG_HOUR, 200, 6);
    }
    fg_mind_remove(mind, 0);
    fg_mind_explain(mind, 3 * FG_HOUR, 0, &reason);
    assert_near(reason.rate, 6, 0);
    assert_near(reason.observations, 3, 0);
    assert_int_equal(model->known.next - model->known.in_history, 9);
    visit(mind, 0, 100 * FG_HOUR, 300, 10);
    fg_mind_explain(mind, 100 * FG_HOUR, 0, &reason);
    assert_near(reason.rate, 7, 0); /* (3 * 6 + 10) / 4 */
    struct fg_pick pick;
    fg_mind_choose(mind, 200 * FG_HOUR, 1, &pick); /* the first three have left */
    fg_mind_explain(mind, 200 * FG_HOUR, 0, &reason);
    assert_near(reason.rate, 10, 0);
    assert_near(reason.observations, 1, 0);
    assert_int_equal(fg_mind_add(mind, 9, 0, 200 * FG_HOUR), 2);
    fg_mind_explain(mind, 200 * FG_HOUR, 2, &reason);
    assert_near(reason.observations, 0, 0);
    fg_mind_remove(mind, 9);
    fg_mind_remove(mind, 1);
    fg_mind_choose(mind, 500 * FG_HOUR, 1, &pick);
    assert_int_equal(model->known.in_window, model->known.next);
    fg_mind_free(mind);
}

/* Of ten visits nine follow the predictions, the last goes to who waited longest. */
static void reg_rr_keeps_a_tenth_for_turns(void **state)
{
    (void)state;
    enum { PAGES = 40, BUDGET = 10 };
    struct fg_mind *mind = mind_of("reg-rr", PAGES);
    struct fg_pick picks[BUDGET];
    for (int hour = 0; hour < 60; hour++) {
        size_t n = fg_mind_choose(mind, hour * FG_HOUR, BUDGET, picks);
        const struct fg_world *world = fg_mind_world(mind);
        for (size_t i = 0; hour >= 10 && i < n; i++)
            assert_int_equal(picks[i].explored, i == 9);
        for (size_t i = 0; hour >= 10 && i < PAGES; i++) {
            bool is_taken = false;
            for (size_t j = 0; j < n; j++)
                is_taken |= picks[j].page == i;
            assert_true(is_taken || world->last_try[i] >= world->last_try[picks[9].page]);
        }
        for (size_t i = 0; i < n; i++)
            visit(mind, picks[i].page, hour * FG_HOUR,
                  picks[i].page * 1000 + (uint64_t)hour * 100000, picks[i].page % 7);
    }
    fg_mind_free(mind);
}

/* Pages 3 and 4 find five links every hour, the same ones; the others one. Once both were
 * seen in one round, only one of them is visited as long as there are others. */
static size_t hours_with_both(const char *name, double overlap)
{
    struct fg_mind *mind = mind_of(name, 8);
    struct fg_pick picks[2];
    size_t both = 0;
    set(mind, "overlap", overlap);
    for (int hour = 0; hour < 60; hour++) {
        size_t n = fg_mind_choose(mind, hour * FG_HOUR, 2, picks);
        bool is_rich[2] = {picks[0].page == 3 || picks[0].page == 4,
                           picks[1].page == 3 || picks[1].page == 4};
        both += hour >= 10 && is_rich[0] && is_rich[1];
        for (size_t i = 0; i < n; i++)
            visit(mind, picks[i].page, hour * FG_HOUR,
                  (is_rich[i] ? 0 : picks[i].page * 100) + (uint64_t)hour * 1000,
                  is_rich[i] ? 5 : 1);
    }
    fg_mind_free(mind);
    return both;
}

static void one_of_two_that_are_alike_is_enough(void **state)
{
    (void)state;
    assert_true(hours_with_both("reg", 1) > 20);
    assert_int_equal(hours_with_both("reg", 0.7), 0);
}

static void limits_and_blocks_are_obeyed(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("reg-rr", 10);
    struct fg_pick picks[10];
    for (uint64_t id = 10; id < 20; id++)
        fg_mind_add(mind, id, 1, 0);
    fg_mind_limit(mind, 0, 2);
    fg_mind_block(mind, 15, true);
    for (int hour = 0; hour < 40; hour++) {
        size_t n = play_hour(mind, hour, 10, picks), first_site = 0;
        assert_int_equal(n, 10);
        for (size_t i = 0; i < n; i++) {
            first_site += picks[i].page < 10;
            assert_int_not_equal(picks[i].page, 15);
        }
        assert_true(first_site <= 2);
    }
    fg_mind_free(mind);
}

static void saving_and_loading_changes_no_pick(void **state)
{
    (void)state;
    assert_saving_changes_nothing("reg");
    assert_saving_changes_nothing("reg-rr");
}

/* A state cut short is refused, and the policy starts from nothing. */
static void a_short_state_is_refused(void **state)
{
    (void)state;
    struct fg_mind *mind = open_mind_of("reg", 5);
    struct fg_pick picks[2];
    struct fg_buf bytes;
    struct fg_reason reason;
    for (int hour = 0; hour < 30; hour++)
        play_hour(mind, hour, 2, picks);
    fg_buf_init(&bytes, 1 << 20);
    fg_yield_save(inside, &bytes);
    for (size_t len = 0; len < bytes.len; len += 41)
        assert_false(fg_yield_load(inside, (struct fg_str){bytes.at, len}));
    fg_mind_explain(mind, 30 * FG_HOUR, 1, &reason);
    assert_near(reason.observations, 0, 0);
    for (int hour = 30; hour < 60; hour++)
        play_hour(mind, hour, 2, picks);
    fg_buf_clear(&bytes);
    fg_mind_free(mind);
}

FG_TESTS(features_are_as_worked_out_by_hand, a_visit_older_than_the_window_counts_no_more,
         predictions_are_those_of_a_script, it_starts_with_averages,
         training_is_every_three_hours, the_model_is_that_of_the_last_week,
         failed_visits_tell_nothing, a_page_that_fails_does_not_stay_on_top,
         pages_come_and_go, reg_rr_keeps_a_tenth_for_turns,
         one_of_two_that_are_alike_is_enough, limits_and_blocks_are_obeyed,
         saving_and_loading_changes_no_pick, a_short_state_is_refused)
