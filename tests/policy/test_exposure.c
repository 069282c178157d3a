/* The maths of exposure_model.h against values worked out by hand, and the policy
 * `exposure` on small webs. */
#include "policy/discovery/exact_index.h"
#include "policy/discovery/exposure_model.h"
#include "policy/mind.h"
#include "test.h"

extern const struct fg_policy fg_policy_exposure;

enum { MONDAY_DAYS = 4 }; /* 1970-01-05 was a Monday */
#define START (MONDAY_DAYS * FG_DAY)

/* The brain of the mind made last: to look at what a policy knows. */
static struct fg_brain *brain;

static void spy(struct fg_brain *of)
{
    brain = of;
    fg_policy_exposure.init(of);
}

static struct fg_policy spied;

static struct fg_mind *mind_with(size_t pages, const char *const *knobs,
                                 const double *values, size_t n)
{
    struct fg_err err;
    spied = fg_policy_exposure;
    spied.init = spy;
    struct fg_mind *mind = fg_mind_new(&spied, 3);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(fg_mind_set(mind, fg_str_from(knobs[i]), values[i], &err),
                         FG_OK);
    for (uint64_t id = 0; id < pages; id++)
        fg_mind_add(mind, id, 0, START);
    return mind;
}

/* No rhythm: a phi-hour is an hour. */
static struct fg_mind *steady_mind(size_t pages)
{
    return mind_with(pages, (const char *const[]){"day-gap"}, (double[]){0}, 1);
}

static const struct fg_exposure *model(void)
{
    return brain->self;
}

static struct fg_exposure_site *site(void)
{
    return model()->sites[0];
}

static float column(int number, size_t page)
{
    return brain->f32[number][page];
}

/* Links numbered first .. end-1 came to the page and those of `gone` left. */
static void look(struct fg_mind *mind, size_t page, double hour, uint64_t first,
                 uint64_t end, uint64_t gone_first, uint64_t gone_end)
{
    uint64_t came[200], gone[200];
    struct fg_visit visit = {.page = page,
                             .now = START + (fg_time)(hour * (double)FG_HOUR),
                             .ok = true,
                             .complete = true,
                             .changed = true,
                             .seen = came,
                             .added = came,
                             .fresh = came,
                             .gone = gone};
    for (uint64_t link = first; link < end; link++)
        came[visit.n_added++] = link;
    for (uint64_t link = gone_first; link < gone_end; link++)
        gone[visit.n_gone++] = link;
    visit.n_fresh = visit.n_first = visit.n_added;
    visit.n_seen =
        visit.n_added ? visit.n_added : 1; /* something that was there before */
    came[visit.n_added] = 1;
    fg_mind_observe(mind, &visit);
}

/* Links 1-3 at first; ten come in the first hour; in the next two hours four of them
 * leave, and one of the first three. */
static struct fg_mind *three_looks(void)
{
    struct fg_mind *mind = steady_mind(1);
    look(mind, 0, 0, 1, 4, 0, 0);
    look(mind, 0, 1, 11, 21, 0, 0);
    look(mind, 0, 3, 0, 0, 11, 15);
    return mind;
}

static void a_visit_is_worth_links_found_delay_ended_and_loss_prevented(void **state)
{
    (void)state;
    struct fg_mind *mind = steady_mind(1);
    /* 2 * 3 * (1 + 0.2 * 5 / 2 + 24 * 3/4) and, all that is retained, 2 * 4 * (1.5 + 24)
     */
    assert_near(fg_exposure_value(brain, 2, 3, 4, 5), 117, 1e-9);
    assert_near(fg_exposure_value(brain, 2, 9, 4, 5), 204, 1e-9);
    fg_mind_free(mind);
}

/* The integral of what is still there of a link that came at any time, less what it would
 * be were it constant: by Simpson's rule. */
static double index_by_hand(double rate, double seen, double retained, double waited,
                            double keeps, double loses, double tick)
{
    enum { PARTS = 2000 };
    double pace = waited / seen, sum = 0, later = seen + tick / 2 / pace;
    for (int i = 0; i <= PARTS; i++) {
        double a = seen * i / PARTS, times = i % PARTS == 0 ? 1 : i % 2 ? 4 : 2;
        sum +=
            times * exp(-a / retained) * (keeps + (1 - keeps) * exp(-a * pace / loses));
    }
    double still =
        exp(-later / retained) * (keeps + (1 - keeps) * exp(-later * pace / loses));
    return rate * (sum * seen / PARTS / 3 - seen * still);
}

static void the_exact_index_is_what_looking_now_gains(void **state)
{
    (void)state;
    struct fg_mind *mind = steady_mind(1);
    brain->knob[FG_EXPO_KEEPS] = 0.7;
    brain->knob[FG_EXPO_LOSES] = 6;
    fg_mind_tick(mind, FG_HOUR);
    assert_near(fg_exact_index(brain, 2, 3, 10, 5), index_by_hand(2, 3, 10, 5, 0.7, 6, 1),
                1e-9);
    assert_near(fg_exact_index(brain, 0.1, 60, 9, 40),
                index_by_hand(0.1, 60, 9, 40, 0.7, 6, 1), 1e-9);
    /* all of what is lost by then: rate * retained */
    assert_near(fg_exact_index(brain, 2, 1e6, 10, 1e6),
                0.7 * 20 + 0.3 * 2 / (0.1 + 1.0 / 6), 1e-6);
    assert_near(fg_exact_index(brain, 2, 0, 10, 0), 0, 0);
    fg_mind_free(mind);
}

static void a_rate_mixes_a_slow_and_a_fast_memory(void **state)
{
    (void)state;
    struct fg_mind *mind = steady_mind(1);
    site()->slow = 10;
    site()->fast = 5;
    assert_near(fg_exposure_rate(brain, site(), 6, 2), 0.7 * 0.6 + 0.3 * 0.4, 1e-12);
    assert_near(fg_exposure_rate(brain, site(), 0.29, 0.29), 0, 0);
    site()->slow = site()->fast = 0.25; /* taken as 1 */
    assert_near(fg_exposure_rate(brain, site(), 6, 2), 0.7 * 6 + 0.3 * 2, 1e-12);
    fg_mind_free(mind);
}

/* Of 10 links for 2 hours 4 left, half-way on average: 16 link-hours beside the 5 * 72 of
 * the prior, and 4 + 5 departures. A link of the first visit does not count. */
static void retention_is_link_hours_over_departures(void **state)
{
    (void)state;
    struct fg_mind *mind = three_looks();
    assert_near(column(FG_EXPO_RETAINED, 0), (16 + 360) / 9.0, 1e-4);
    assert_near(column(FG_EXPO_SHOWN, 0), 6, 0);
    look(mind, 0, 3.5, 0, 0, 1, 2);
    assert_near(column(FG_EXPO_SHOWN, 0), 6, 0);
    assert_near(column(FG_EXPO_RETAINED, 0), (16 + 6 * 0.5 + 360) / 9.0, 1e-4);
    fg_mind_free(mind);

    mind = mind_with(1, (const char *const[]){"day-gap", "gone-for", "stay-prior"},
                     (double[]){0, 0, 0.001}, 3);
    look(mind, 0, 0, 1, 4, 0, 0);
    look(mind, 0, 1, 11, 21, 0, 0);
    look(mind, 0, 2, 0, 0, 11, 21); /* all ten gone after an hour: but never below 2 */
    assert_near(column(FG_EXPO_RETAINED, 0), 2, 0);
    fg_mind_free(mind);
}

/* After the second look: 10 came, 1 * 0.1 / 1 were due. After the third: 10, and 0.1 + 2
 * * 10.1 / 2. Six hours on, half of both. */
static void a_burst_is_what_came_of_late_over_what_was_due(void **state)
{
    (void)state;
    struct fg_mind *mind = steady_mind(1);
    look(mind, 0, 0, 1, 4, 0, 0);
    look(mind, 0, 1, 11, 21, 0, 0);
    assert_near(fg_exposure_burst(brain, 0), 15 / 5.1, 1e-5);
    look(mind, 0, 3, 0, 0, 11, 15);
    assert_near(fg_exposure_burst(brain, 0), 15 / 15.2, 1e-5);
    struct fg_pick pick;
    fg_mind_choose(mind, START, 1, &pick);
    fg_mind_choose(mind, START + 6 * FG_HOUR, 1, &pick);
    assert_near(fg_exposure_burst(brain, 0), 10 / (5 + 5.1), 1e-5);
    fg_mind_free(mind);
}

/* Prior: the mean rate of the site's two sources, 0.4; then 0.5 / (0.5/0.4 + B) links an
 * hour, over 2 hours unseen, with 1 + 0.2 * 2 / 2 for the delay. */
static void what_may_be_hidden_has_the_sites_mean_as_prior(void **state)
{
    (void)state;
    struct fg_mind *mind = steady_mind(2);
    look(mind, 0, 0, 1, 4, 0, 0);
    look(mind, 0, 1, 11, 21, 0, 0);
    look(mind, 0, 3, 0, 0, 0, 0);
    assert_near(column(FG_EXPO_SEEN_SUM, 0), 3, 1e-6);
    fg_time now = START + 5 * FG_HOUR;
    site()->rate = 0.8;
    assert_near(fg_exposure_hidden(brain, model(), 0, now), 0.5 / 4.25 * 2 * 1.2, 1e-6);
    site()->rate = 0; /* at least 0.002 a source */
    assert_near(fg_exposure_hidden(brain, model(), 0, now), 0.5 / 253 * 2 * 1.2, 1e-9);
    fg_mind_free(mind);
}

/* One link was due in each hour of the week, and ten came at nine o'clock of each day:
 * a mean of 70/168. Nine o'clock: (70 + 8) / (7 * 70/168 + 8); the others: 8 over the
 * same. These sum to 24 already, and weekdays are like the weekend. */
static void set_nine_o_clock(void)
{
    for (size_t cell = 0; cell < FG_HOURS_OF_WEEK; cell++) {
        site()->due[cell] = 1;
        site()->came[cell] = cell % 24 == 9 ? 10 : 0;
    }
}

static void a_rhythm_has_a_mean_of_one(void **state)
{
    (void)state;
    struct fg_mind *mind = steady_mind(1);
    struct fg_pick pick;
    fg_mind_choose(mind, START, 1, &pick);
    set_nine_o_clock();
    fg_mind_choose(mind, START + FG_HOUR, 1, &pick);
    double busy = 78 / (490 / 168.0 + 8), quiet = 8 / (490 / 168.0 + 8), sum = 0;
    for (size_t cell = 0; cell < FG_HOURS_OF_WEEK; cell++) {
        assert_near(site()->phi[cell], cell % 24 == 9 ? busy : quiet, 1e-5);
        sum += (double)site()->phi[cell];
    }
    assert_near(sum, FG_HOURS_OF_WEEK, 1e-3);
    double now = fg_exposure_at(brain, model(), 0, START + FG_HOUR);
    assert_near(now, 1, 1e-6); /* the hour that passed is not weighed anew */
    assert_near(fg_exposure_at(brain, model(), 0, START + 9 * FG_HOUR) - now, 8 * quiet,
                1e-5);
    assert_near(fg_exposure_at(brain, model(), 0, START + 9 * FG_HOUR + 15 * FG_MINUTE) -
                    now,
                8 * quiet + busy / 4, 1e-5);
    assert_near(fg_exposure_at(brain, model(), 0, START + FG_HOUR + 400 * FG_DAY) - now,
                400 * 24, 0.1);
    fg_mind_free(mind);
}

/* Weekends without a single link: 20 / (48 * 5/7 + 20), for 120 hours with a link each.
 */
static void a_weekend_is_told_from_a_weekday(void **state)
{
    (void)state;
    struct fg_mind *mind = steady_mind(1);
    struct fg_pick pick;
    fg_mind_choose(mind, START, 1, &pick);
    for (size_t cell = 0; cell < FG_HOURS_OF_WEEK; cell++) {
        site()->due[cell] = 1;
        site()->came[cell] = cell < 120;
    }
    fg_mind_choose(mind, START + FG_HOUR, 1, &pick);
    double mean = 5 / 7.0, hour = (5 + 8) / (7 * mean + 8);
    double weekday = (120 + 20) / (120 * mean * hour + 20);
    double weekend = 20 / (48 * mean * hour + 20);
    assert_near((double)site()->phi[167] / (double)site()->phi[0], weekend / weekday,
                1e-5);
    fg_mind_free(mind);
}

/* 30 links came in two hours to a page whose third visit this is: the rate, after the
 * visit, is 30.1 / 3; each hour gets half of the links and one hour's due. */
static void news_are_spread_over_the_hours_unseen(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_with(1, NULL, NULL, 0);
    look(mind, 0, 0, 1, 4, 0, 0);
    look(mind, 0, 2, 11, 41, 0, 0);
    for (size_t cell = 0; cell < 2; cell++) {
        assert_near(site()->came[cell], 15, 1e-4);
        assert_near(site()->due[cell], 30.1 / 3, 1e-4);
        assert_near(column(FG_EXPO_DAY_CAME, 0), 15, 1e-4);
    }
    assert_near(site()->came[2], 0, 0);
    look(mind, 0, 20, 51, 60, 0, 0); /* too long ago to tell the time of day */
    assert_near(site()->came[2], 0, 0);
    fg_mind_free(mind);
}

static void a_link_that_returns_has_not_come_anew(void **state)
{
    (void)state;
    struct fg_mind *mind = steady_mind(1);
    look(mind, 0, 0, 1, 4, 0, 0);
    look(mind, 0, 1, 11, 21, 1, 2);
    look(mind, 0, 2, 31, 32, 11, 16);
    assert_near(column(FG_EXPO_CAME_SUM, 0), 11, 1e-5);
    look(mind, 0, 3, 11, 16, 0, 0);
    look(mind, 0, 4, 1, 2, 0, 0); /* of the first visit */
    assert_near(column(FG_EXPO_CAME_SUM, 0), 11, 1e-5);
    assert_near(column(FG_EXPO_SHOWN, 0), 11, 1e-5);
    fg_mind_free(mind);
}

static void only_who_was_first_has_the_credit(void **state)
{
    (void)state;
    struct fg_mind *mind = steady_mind(2);
    uint64_t links[] = {5, 6, 7, 8};
    for (size_t page = 0; page < 2; page++) {
        look(mind, page, 0, 1, 2, 0, 0);
        fg_mind_observe(mind, &(struct fg_visit){.page = page,
                                                 .now = START + FG_HOUR,
                                                 .ok = true,
                                                 .complete = true,
                                                 .seen = links,
                                                 .added = links,
                                                 .fresh = links,
                                                 .n_seen = 4,
                                                 .n_added = 4,
                                                 .n_fresh = 4,
                                                 .n_first = page ? 1 : 3});
    }
    struct fg_reason reason;
    fg_mind_explain(mind, START + FG_HOUR, 0, &reason);
    assert_near(reason.observations, 3, 0);
    fg_mind_explain(mind, START + FG_HOUR, 1, &reason);
    assert_near(reason.observations, 1, 0);
    assert_true(reason.low < reason.rate && reason.rate < reason.high);
    fg_mind_free(mind);
}

static void failed_and_empty_visits_change_no_belief(void **state)
{
    (void)state;
    struct fg_mind *mind = three_looks();
    fg_time now = START + 9 * FG_HOUR;
    struct fg_reason before, after;
    fg_mind_explain(mind, now, 0, &before);
    fg_mind_observe(mind, &(struct fg_visit){.now = START + 4 * FG_HOUR});
    fg_mind_observe(mind, &(struct fg_visit){
                              .now = START + 5 * FG_HOUR, .ok = true, .complete = true});
    fg_mind_explain(mind, now, 0, &after);
    assert_memory_equal(&before, &after, sizeof before);
    assert_true(brain->i64[FG_EXPO_TAU][0] == START + 3 * FG_HOUR);
    fg_mind_free(mind);
}

/* "Not modified": the page is as it was, and that is known now. */
static void an_unchanged_answer_is_a_look(void **state)
{
    (void)state;
    struct fg_mind *mind = three_looks();
    fg_mind_observe(mind, &(struct fg_visit){.now = START + 5 * FG_HOUR, .ok = true});
    assert_true(brain->i64[FG_EXPO_TAU][0] == START + 5 * FG_HOUR);
    assert_near(column(FG_EXPO_RETAINED, 0), (16 + 12 + 360) / 9.0, 1e-4);
    fg_mind_free(mind);
}

static void every_source_is_seen_once_before_any_is_seen_twice(void **state)
{
    (void)state;
    enum { PAGES = 40 };
    struct fg_mind *mind = steady_mind(PAGES);
    struct fg_pick picks[PAGES];
    size_t visits[PAGES] = {0}, in_order = 0;
    for (int tick = 0; tick < PAGES / 4; tick++) {
        assert_int_equal(fg_mind_choose(mind, START + tick * FG_HOUR, 4, picks), 4);
        for (size_t i = 0; i < 4; i++) {
            in_order += picks[i].page == (size_t)tick * 4 + i;
            visits[picks[i].page]++;
            look(mind, picks[i].page, tick, picks[i].page * 10 + 1,
                 picks[i].page * 10 + 3, 0, 0);
        }
    }
    for (size_t i = 0; i < PAGES; i++)
        assert_int_equal(visits[i], 1);
    assert_true(in_order < PAGES / 2);
    fg_mind_free(mind);
}

/* A source that never answers rests longer and longer; with nothing else to do it is
 * tried all the same. */
static void a_source_that_fails_does_not_starve_the_others(void **state)
{
    (void)state;
    struct fg_mind *mind = steady_mind(2);
    struct fg_pick pick;
    size_t tries = 0;
    for (int tick = 0; tick < 240; tick++) {
        assert_int_equal(fg_mind_choose(mind, START + tick * FG_HOUR, 1, &pick), 1);
        tries += pick.page == 0;
        if (pick.page == 0)
            fg_mind_observe(mind, &(struct fg_visit){.now = START + tick * FG_HOUR});
        else
            look(mind, 1, tick, (uint64_t)tick * 2 + 9, (uint64_t)tick * 2 + 11, 0, 0);
    }
    assert_in_range(tries, 10, 20); /* after 1, 2, 4, 8, 16, then 24 hours each */
    fg_mind_block(mind, 1, true);
    assert_int_equal(fg_mind_choose(mind, START + 240 * FG_HOUR, 1, &pick), 1);
    assert_int_equal(pick.page, 0);
    fg_mind_free(mind);
}

static void ten_years_pass_hour_by_hour_and_at_once(void **state)
{
    (void)state;
    struct fg_mind *mind = steady_mind(3);
    struct fg_pick pick;
    uint64_t link = 100;
    size_t busy = 0;
    int hours = 10 * 365 * 24;
    for (int hour = 0; hour < hours; hour++) {
        fg_mind_choose(mind, START + hour * FG_HOUR, 1, &pick);
        uint64_t came = pick.page == 2 ? 3 : (uint64_t)(hour % 500 == 0);
        look(mind, pick.page, hour, link, link + came, link > 200 ? link - 9 : 0,
             link > 200 ? link - 9 + came : 0);
        link += came;
        busy += pick.page == 2;
    }
    assert_true(busy > (size_t)hours / 2);
    fg_time later = START + (fg_time)hours * FG_HOUR + 3650 * FG_DAY;
    for (int tick = 0; tick < 3; tick++) {
        assert_int_equal(fg_mind_choose(mind, later + tick * FG_HOUR, 1, &pick), 1);
        assert_true(isfinite(pick.score));
    }
    struct fg_reason reason;
    fg_mind_explain(mind, later + FG_DAY, 2, &reason);
    assert_true(isfinite(reason.score) && isfinite(reason.rate) && reason.rate > 0);
    fg_mind_free(mind);
}

FG_TESTS(the_exact_index_is_what_looking_now_gains,
         a_visit_is_worth_links_found_delay_ended_and_loss_prevented,
         a_rate_mixes_a_slow_and_a_fast_memory, retention_is_link_hours_over_departures,
         a_burst_is_what_came_of_late_over_what_was_due,
         what_may_be_hidden_has_the_sites_mean_as_prior, a_rhythm_has_a_mean_of_one,
         a_weekend_is_told_from_a_weekday, news_are_spread_over_the_hours_unseen,
         a_link_that_returns_has_not_come_anew, only_who_was_first_has_the_credit,
         failed_and_empty_visits_change_no_belief, an_unchanged_answer_is_a_look,
         every_source_is_seen_once_before_any_is_seen_twice,
         a_source_that_fails_does_not_starve_the_others,
         ten_years_pass_hour_by_hour_and_at_once)
