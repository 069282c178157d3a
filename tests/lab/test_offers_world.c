/* The offers workload against the figures it is calibrated to: section 4.1 of Han et al.
 * (WWW 2020) for the shares of offers with an event a day, our notes for the rest. */
#include "base/memory.h"
#include "lab/refresh/offers_model.h"
#include "lab/refresh/replay.h"
#include "policy/policy.h"
#include "test.h"

enum { OFFERS = 20000 };

struct totals {
    double changed, shown, clicked; /* shares of offers a day */
    double *clicks;                 /* by offer: true rates, over all days */
    double *changes;                /* by offer: expected a day, over all days */
    double by_step[OFFERS_STEPS];   /* changes of merchants in country 0 */
    size_t n_changes, reverts;
};

static double activity(const struct offers_offer *offer)
{
    return offer->is_lively ? OFFERS_LIVELY : OFFERS_QUIET;
}

static void count_changes(struct totals *totals, const struct offers_world *world,
                          const offers_changes *changes, uint32_t *newest)
{
    for (size_t i = 0; i < changes->len; i++) {
        const struct fg_change *change = &changes->at[i];
        const struct offers_offer *offer = &world->offers[change->page];
        if (world->merchants[offer->merchant].country == 0)
            totals->by_step[change->at % FG_DAY / (2 * FG_HOUR)]++;
        totals->reverts += change->value <= newest[change->page];
        if (change->value > newest[change->page])
            newest[change->page] = change->value;
    }
    totals->n_changes += changes->len;
}

static struct totals pass_all(size_t n, uint64_t seed)
{
    struct totals totals = {.clicks = fg_zeroed(n, sizeof(double)),
                            .changes = fg_zeroed(n, sizeof(double))};
    struct offers_world *world = offers_world_new(n, seed);
    uint32_t *newest = fg_zeroed(n, sizeof *newest);
    offers_changes changes = {0};
    double days = OFFERS_DAYS, all = days * (double)n;
    for (size_t day = 0; day < OFFERS_DAYS; day++) {
        changes.len = 0;
        offers_world_pass(world, day, &changes);
        count_changes(&totals, world, &changes, newest);
        for (size_t i = 0; i < n; i++) {
            const struct offers_offer *offer = &world->offers[i];
            totals.changed += (world->changes[i] > 0) / all;
            totals.shown += (world->impressions[i] > 0) / all;
            totals.clicked += (world->clicks[i] > 0) / all;
            totals.clicks[i] += (double)world->click_rate[i];
            totals.changes[i] += (double)offer->changes * activity(offer) *
                                 offers_factor(world, offer, day) / days;
        }
    }
    fg_vec_clear(&changes);
    free(newest);
    offers_world_free(world);
    return totals;
}

static void totals_free(struct totals *totals)
{
    free(totals->clicks);
    free(totals->changes);
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static double share_of_top(const double *sorted, size_t n, size_t top)
{
    double sum = 0, of_top = 0;
    for (size_t i = 0; i < n; i++) {
        sum += sorted[i];
        of_top += i < top ? sorted[i] : 0;
    }
    return of_top / sum;
}

static void assert_within_factor(double actual, double expected, double factor)
{
    assert_near(log(actual / expected), 0, log(factor));
}

/* Merchants are few and the largest has 8 % of all offers, so the quantiles differ from
 * seed to seed by a factor of two. */
static void offers_are_calibrated(void **state)
{
    (void)state;
    struct totals totals = pass_all(OFFERS, 1);
    assert_near(totals.changed, 1 / 21.0, .001);
    assert_near(totals.shown, .136, .002);
    assert_near(totals.clicked, .0131, .0004);
    qsort(totals.clicks, OFFERS, sizeof(double), descending);
    assert_near(share_of_top(totals.clicks, OFFERS, OFFERS / 100), .68, .05);
    assert_near(share_of_top(totals.clicks, OFFERS, OFFERS / 1000), .35, .08);
    qsort(totals.changes, OFFERS, sizeof(double), descending);
    assert_within_factor(totals.changes[OFFERS - OFFERS / 10], .0003, 2);
    assert_within_factor(totals.changes[OFFERS / 2], .009, 2);
    assert_within_factor(totals.changes[OFFERS / 10], .19, 2);
    assert_within_factor(totals.changes[OFFERS / 100], 1.6, 2);
    totals_free(&totals);
}

static void offers_changes_follow_the_hours_and_some_return(void **state)
{
    (void)state;
    struct totals totals = pass_all(OFFERS, 2);
    double sum = 0;
    for (size_t step = 0; step < OFFERS_STEPS; step++)
        sum += totals.by_step[step];
    for (size_t step = 0; step < OFFERS_STEPS; step++)
        assert_near(totals.by_step[step] / sum, offers_change_profile[step], .01);
    /* The first change of an offer has nothing to return to. */
    assert_near((double)totals.reverts / (double)totals.n_changes, .15, .01);
    totals_free(&totals);
}

static void offers_profiles_sum_to_one(void **state)
{
    (void)state;
    double changes = 0, clicks = 0;
    for (size_t step = 0; step < OFFERS_STEPS; step++) {
        changes += offers_change_profile[step];
        clicks += offers_click_profile[step];
    }
    assert_near(changes, 1, 1e-12);
    assert_near(clicks, 1, 1e-12);
    assert_int_equal(offers_shift(1), 5);
    assert_int_equal(offers_shift(3), 3);
}

/* The uniform row of Table 6 from two steady rates, 5 % of the visits rejected and 5.7 %
 * of the offers without a price: experiments/kab-readings.yaml has all nine budgets. */
static double fresh_at(struct fg_timeline *timeline, double budget)
{
    struct fg_refresh_rules rules = {.budget = budget, .is_share = true, .seed = 1};
    struct fg_refresh_outcome outcome;
    double sum = 0;
    assert_int_equal(fg_refresh_replay(&outcome, timeline,
                                       fg_policy_find(FG_STR("uniform"), FG_REFRESH),
                                       &rules, NULL),
                     FG_OK);
    for (size_t day = 0; day < outcome.n_days; day++)
        sum += (double)outcome.days[day].fresh / (double)outcome.days[day].there;
    sum /= (double)outcome.n_days;
    fg_refresh_outcome_clear(&outcome);
    return sum;
}

static void offers_of_two_rates_have_the_published_levels(void **state)
{
    (void)state;
    enum { N = 4000 };
    static const struct fg_steady_rate rates[] = {{.0148, .817}, {.237, .126}};
    struct offers_world *world = offers_world_new(N, 6);
    offers_changes changes = {0};
    bool is_lost[N];
    size_t lost = 0;
    offers_world_steady(world, rates, 2, is_lost);
    for (size_t day = 0; day < OFFERS_DAYS; day++)
        offers_world_pass(world, day, &changes);
    for (size_t i = 0; i < N; i++)
        lost += is_lost[i];
    assert_near((double)lost / N, .057, .001);
    for (size_t i = 0; i < changes.len; i++)
        assert_false(is_lost[changes.at[i].page]);
    assert_near((double)changes.len / (N * OFFERS_DAYS), .817 * .0148 + .126 * .237,
                .0006);
    fg_time from = OFFERS_FIRST_DATE * FG_DAY;
    struct fg_timeline timeline = {.n = N,
                                   .from = from,
                                   .to = from + OFFERS_DAYS * FG_DAY,
                                   .step = FG_DAY / OFFERS_STEPS,
                                   .crawled_from = from + OFFERS_CRAWLED_FROM * FG_DAY,
                                   .judged_from = from + OFFERS_JUDGED_FROM * FG_DAY,
                                   .failures = .05,
                                   .is_lost = is_lost,
                                   .changes = changes.at,
                                   .n_changes = changes.len};
    assert_near(fresh_at(&timeline, .1), .7426, .009);
    assert_near(fresh_at(&timeline, .5), .8758, .009);
    assert_near(fresh_at(&timeline, .9), .9015, .009);
    fg_vec_clear(&changes);
    offers_world_free(world);
}

/* 2018-11-11 was a Sunday. One preferred day of 3.5, weekend halved, mean 1: a favourite
 * weekday is 3.5 x 7 / 8.5, a Saturday then .5 x 7 / 8.5. */
static void offers_merchants_prefer_a_weekday(void **state)
{
    (void)state;
    assert_int_equal(offers_weekday(0), 6);
    assert_int_equal(offers_weekday(60), 3);
    struct offers_world *world = offers_world_new(100, 3);
    size_t on_weekdays = 0;
    for (size_t m = 0; m < OFFERS_MERCHANTS; m++) {
        const double *weekday = world->merchants[m].weekday;
        double sum = 0;
        for (size_t d = 0; d < 7; d++) {
            sum += weekday[d];
            if (d < 5 && weekday[d] > 2) {
                on_weekdays++;
                assert_near(weekday[d], 3.5 * 7 / 8.5, 1e-12);
                assert_near(weekday[5], .5 * 7 / 8.5, 1e-12);
            }
        }
        assert_near(sum, 7, 1e-12);
    }
    assert_near((double)on_weekdays / OFFERS_MERCHANTS, 5 / 7.0, .04);
    offers_world_free(world);
}

static void offers_sales_and_seasons_multiply(void **state)
{
    (void)state;
    struct offers_world *world = offers_world_new(100, 4);
    struct offers_offer *offer = &world->offers[0];
    struct offers_merchant *merchant = &world->merchants[offer->merchant];
    double usual = merchant->weekday[offers_weekday(38)];
    merchant->is_on_sale = false;
    world->is_seasonal[offer->category] = true;
    assert_near(offers_factor(world, offer, 38), 2.5 * usual, 1e-12);
    assert_near(offers_factor(world, offer, 52), usual, 1e-12); /* two weeks later */
    merchant->is_on_sale = true;
    assert_near(offers_factor(world, offer, 52), 4.5 * usual, 1e-12);
    assert_near(offers_factor(world, offer, 38), 4.5 * 2.5 * usual, 1e-12);
    assert_near(offers_factor(world, offer, 48),
                4.5 * merchant->weekday[offers_weekday(48)], 1e-12);
    offers_world_free(world);
}

static void offers_come_from_the_seed_alone(void **state)
{
    (void)state;
    struct offers_world *a = offers_world_new(500, 5), *b = offers_world_new(500, 5);
    offers_changes x = {0}, y = {0};
    for (size_t day = 0; day < 10; day++) {
        offers_world_pass(a, day, &x);
        offers_world_pass(b, day, &y);
    }
    assert_int_equal(x.len, y.len);
    for (size_t i = 0; i < x.len; i++) {
        assert_int_equal(x.at[i].at, y.at[i].at);
        assert_int_equal(x.at[i].value, y.at[i].value);
        assert_true(!i || x.at[i].at >= x.at[i - 1].at);
    }
    assert_memory_equal(a->click_rate, b->click_rate, 500 * sizeof *a->click_rate);
    fg_vec_clear(&x);
    fg_vec_clear(&y);
    offers_world_free(a);
    offers_world_free(b);
}

FG_TESTS(offers_of_two_rates_have_the_published_levels, offers_are_calibrated,
         offers_changes_follow_the_hours_and_some_return, offers_profiles_sum_to_one,
         offers_merchants_prefer_a_weekday, offers_sales_and_seasons_multiply,
         offers_come_from_the_seed_alone)
