/* The values of docs/quality.md: the index of `stake`, the priorities of `quality`, and
 * the frequencies behind `sbr` and `ebr`. */
#include "learn/lambda.h"
#include "policy/mind.h"
#include "test.h"

#define WEEK (7 * FG_DAY)

static struct fg_mind *mind_with(const char *name, size_t pages)
{
    struct fg_mind *mind = fg_mind_new(fg_policy_find(fg_str_from(name), FG_REFRESH), 1);
    fg_mind_tick(mind, WEEK);
    for (size_t i = 0; i < pages; i++) {
        fg_mind_add(mind, i, 0, 0);
        fg_mind_observe(mind, &(struct fg_visit){.page = i, .ok = true, .changed = true});
    }
    return mind;
}

static void visit(struct fg_mind *mind, size_t page, int week, float distance, float gain)
{
    fg_mind_observe(mind, &(struct fg_visit){.page = page,
                                             .now = week * WEEK,
                                             .ok = true,
                                             .changed = distance > 0,
                                             .is_measured = true,
                                             .distance = distance,
                                             .gain = gain,
                                             .gain_printed = gain});
}

static double score(struct fg_mind *mind, size_t page, int week)
{
    struct fg_reason reason;
    assert_true(fg_mind_explain(mind, week * WEEK, page, &reason));
    return reason.score;
}

/* sum_{j<k} Sv(j) - k Sv(k), term by term. */
static double index_by_terms(double a, double b, int k)
{
    double sum = 0;
    for (int j = 0; j < k; j++)
        sum += pow(b / (b + j), a);
    return sum - k * pow(b / (b + k), a);
}

static void the_index_is_the_sum_worked_out(void **state)
{
    (void)state;
    static const int k[] = {1, 2, 4, 8, 16};
    static const double one[] = {.090909, .242424, .654512, 1.661398, 3.716053};
    static const double two[] = {.173554, .437557, 1.071790, 2.334765, 4.228703};
    for (int i = 0; i < 5; i++) {
        assert_near(index_by_terms(1, 10, k[i]), one[i], 1e-6);
        assert_near(index_by_terms(2, 10, k[i]), two[i], 1e-6);
    }
    assert_near(index_by_terms(1, 10, 50), 10.009022, 1e-5);
    /* one page, fetched after 4 weeks: half of it replaced, which was worth .002 */
    struct fg_mind *mind = mind_with("stake", 1);
    visit(mind, 0, 4, 0.5f, 0.002f);
    assert_near(score(mind, 0, 5), .00023426, 1e-8);
    assert_near(score(mind, 0, 7), .00124440, 1e-8);
    assert_near(score(mind, 0, 14), .00785986, 1e-8);
    for (int age = 1; age < 200; age += 7)
        assert_near(score(mind, 0, 4 + age) /
                        (.004 * index_by_terms(1.6931472, 27.558227, age)),
                    1, 2e-6);
    fg_mind_free(mind);
    /* never seen to change: a = 1, the rate of the site 1/b without visits */
    mind = mind_with("stake", 1);
    double b = 1 / (100 * (.2 / 20) / 100);
    for (int age = 1; age < 300; age += 13)
        assert_near(score(mind, 0, age) / (1.02 * index_by_terms(1, b, age)), 1, 2e-6);
    fg_mind_free(mind);
}

/* A first measurement of 0 lowers what is at stake, and no more; `quality` gives the page
 * up for good. */
static void a_poor_first_estimate_is_not_the_end(void **state)
{
    (void)state;
    struct fg_mind *stake = mind_with("stake", 2), *quality = mind_with("quality", 2);
    struct fg_mind *both[] = {stake, quality};
    for (int i = 0; i < 2; i++) {
        visit(both[i], 0, 1, 0.9f, 0);
        visit(both[i], 1, 1, 0.1f, 0.01f);
    }
    struct fg_pick pick;
    size_t first[2] = {0};
    for (int i = 0; i < 2; i++)
        for (int week = 2; week < 60; week++) {
            assert_int_equal(fg_mind_choose(both[i], week * WEEK, 1, &pick), 1);
            first[i] += pick.page == 0;
            visit(both[i], pick.page, week, pick.page ? 0.1f : 0, pick.page ? 0.01f : 0);
        }
    assert_true(first[0] > 3);
    assert_int_equal(first[1], 0);
    fg_mind_free(stake);
    fg_mind_free(quality);
}

/* Where no change was worth anything, as with few queries, all pages still have turns. */
static void without_any_gain_none_is_given_up(void **state)
{
    (void)state;
    enum { PAGES = 10 };
    struct fg_mind *mind = mind_with("stake", PAGES);
    struct fg_pick pick;
    size_t visits[PAGES] = {0};
    for (int week = 1; week < 120; week++) {
        assert_int_equal(fg_mind_choose(mind, week * WEEK, 1, &pick), 1);
        visits[pick.page]++;
        visit(mind, pick.page, week, pick.page % 2 ? 0.2f : 0, 0);
    }
    for (int page = 0; page < PAGES; page++)
        assert_true(visits[page] > 3);
    fg_mind_free(mind);
}

/* .02 after 2 days and .06 after 3: as printed (.01 + .02)/2 a day, as sums .08/5. */
static void priorities_are_rates_times_age(void **state)
{
    (void)state;
    for (int sums = 0; sums < 2; sums++) {
        struct fg_err err;
        struct fg_mind *mind =
            fg_mind_new(fg_policy_find(FG_STR("quality"), FG_REFRESH), 1);
        assert_int_equal(fg_mind_set(mind, FG_STR("sums"), sums, &err), FG_OK);
        fg_mind_add(mind, 0, 0, 0);
        static const int day[] = {0, 2, 5};
        static const float gain[] = {0, .02f, .06f};
        for (int i = 0; i < 3; i++)
            fg_mind_observe(mind, &(struct fg_visit){.page = 0,
                                                     .now = day[i] * FG_DAY,
                                                     .ok = true,
                                                     .changed = true,
                                                     .is_measured = true,
                                                     .gain_printed = gain[i]});
        struct fg_reason reason;
        fg_mind_explain(mind, 9 * FG_DAY, 0, &reason);
        assert_near(reason.score, 4 * (sums ? .016 : .015), 1e-7);
        fg_mind_free(mind);
    }
}

static void frequencies_are_those_worked_out(void **state)
{
    (void)state;
    static const float rate[] = {.05f, .2f, 1}, equal[] = {1, 1, 1}, tilted[] = {1, 1, 3};
    static const double expected[2][3] = {{.140842, .242892, .116266},
                                          {.081394, .117698, .300909}};
    static const double price[] = {.998234, 2.532635};
    for (int i = 0; i < 2; i++) {
        struct fg_lambda lambda = {.model = FG_LAMBDA_PERIODIC, .most = 1};
        struct fg_lambda_pages pages = {
            .n = 3, .weight = i ? tilted : equal, .change = rate};
        float f[3];
        fg_lambda_solve(&lambda, &pages, 0.5);
        fg_lambda_rates(&lambda, &pages, 0, 3, f);
        assert_near(lambda.price, price[i], 1e-5);
        for (int k = 0; k < 3; k++)
            assert_near((double)f[k], expected[i][k], 1e-5);
        fg_lambda_clear(&lambda);
    }
}

/* Pages that change at every visit are fetched more often than those that never do, and
 * with one pseudo-visit these are not given up. */
static void shingles_make_timetables(void **state)
{
    (void)state;
    static const char *const names[] = {"sbr", "ebr"};
    for (int i = 0; i < 2; i++) {
        struct fg_mind *mind = mind_with(names[i], 6);
        size_t visits[6] = {0};
        fg_mind_budget(mind, 2);
        for (int week = 1; week < 120; week++) {
            struct fg_pick picks[2];
            size_t n = fg_mind_choose(mind, week * WEEK, 2, picks);
            for (size_t k = 0; k < n; k++) {
                size_t page = picks[k].page;
                visits[page]++;
                visit(mind, page, week, page < 3 && week % 3 == 0 ? 0.9f : 0, 0);
            }
        }
        for (int page = 0; page < 6; page++)
            assert_true(visits[page] > 2);
        assert_true(visits[0] + visits[1] + visits[2] >
                    visits[3] + visits[4] + visits[5]);
        fg_mind_free(mind);
    }
}

FG_TESTS(the_index_is_the_sum_worked_out, a_poor_first_estimate_is_not_the_end,
         without_any_gain_none_is_given_up, priorities_are_rates_times_age,
         frequencies_are_those_worked_out, shingles_make_timetables)
