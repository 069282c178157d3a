/* Forecasts of offers whose chances are known: an offer of merchant m changes with chance
 * 1/2 if m is one of ten, else 1/50; it is clicked with chance .4 if it was clicked in
 * the last month, else .01. */
#include "base/memory.h"
#include "base/rng.h"
#include "learn/auc.h"
#include "learn/forecast.h"
#include "test.h"

enum { OFFERS = 1500, MERCHANTS = 100, DAYS = 12 };

struct shop {
    float *history, *label[FG_FORECAST_TASKS];
    uint32_t *ids;
    uint64_t *offer;
    struct fg_rng rng;
    int64_t today;
};

static struct shop shop_new(uint64_t seed)
{
    struct shop shop = {.rng = fg_rng_from_seed(seed), .today = 18000};
    shop.history = fg_zeroed(OFFERS, FG_OFFER_HISTORY * sizeof(float));
    shop.ids = fg_zeroed(OFFERS, FG_OFFER_IDS * sizeof(uint32_t));
    shop.offer = fg_zeroed(OFFERS, sizeof *shop.offer);
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++)
        shop.label[task] = fg_zeroed(OFFERS, sizeof(float));
    for (size_t i = 0; i < OFFERS; i++) {
        shop.offer[i] = i;
        shop.ids[i * FG_OFFER_IDS + FG_OFFER_MERCHANT] = (uint32_t)(i % MERCHANTS) + 1;
        shop.ids[i * FG_OFFER_IDS + FG_OFFER_COUNTRY] = 1;
    }
    return shop;
}

static void shop_free(struct shop *shop)
{
    free(shop->history);
    free(shop->ids);
    free(shop->offer);
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++)
        free(shop->label[task]);
}

static bool is_busy(size_t offer)
{
    return offer % MERCHANTS < MERCHANTS / 10;
}

static bool is_popular(size_t offer)
{
    return offer % 7 == 0;
}

/* The next day; impressions are known of nobody. */
static struct fg_offer_day shop_day(struct shop *shop)
{
    for (size_t i = 0; i < OFFERS; i++) {
        float *history = shop->history + i * FG_OFFER_HISTORY;
        for (size_t k = 0; k < FG_OFFER_HISTORY; k++)
            history[k] = 0;
        history[FG_HISTORY_CLICKS_30] = is_popular(i) ? .5f : 0;
        shop->label[FG_FORECAST_CHANGE][i] =
            fg_rng_unit(&shop->rng) < (is_busy(i) ? .5 : .02);
        shop->label[FG_FORECAST_CLICK][i] =
            fg_rng_unit(&shop->rng) < (is_popular(i) ? .4 : .01);
        shop->label[FG_FORECAST_IMPRESSION][i] = NAN;
    }
    return (struct fg_offer_day){
        .n = OFFERS,
        .day = shop->today++,
        .offer = shop->offer,
        .history = shop->history,
        .ids = shop->ids,
        .label = {shop->label[0], shop->label[1], shop->label[2]}};
}

static struct fg_forecast *small_forecast(void)
{
    struct fg_forecast_rules rules = fg_forecast_defaults();
    rules.layers[0] = 16;
    rules.layers[1] = 8;
    rules.layers[2] = 8;
    rules.rate = .03;
    return fg_forecast_new(&rules);
}

static struct fg_forecast *trained(struct shop *shop, size_t days)
{
    struct fg_forecast *forecast = small_forecast();
    for (size_t d = 0; d < days; d++) {
        struct fg_offer_day day = shop_day(shop);
        fg_forecast_add(forecast, &day);
    }
    assert_true(fg_forecast_train(forecast));
    return forecast;
}

static double mean_of(const float *x, bool (*of)(size_t), bool wanted)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < OFFERS; i++) {
        sum += of(i) == wanted ? (double)x[i] : 0;
        n += of(i) == wanted;
    }
    return sum / n;
}

/* Clicks are trained on one negative for each positive, and changes on four: the chances
 * must be those of the days all the same. */
static void forecast_chances_are_those_of_the_days(void **state)
{
    (void)state;
    struct shop shop = shop_new(1);
    struct fg_forecast *forecast = trained(&shop, DAYS);
    struct fg_offer_day day = shop_day(&shop);
    float chance[OFFERS];
    fg_forecast_chances(forecast, FG_FORECAST_CHANGE, FG_FORECAST_METADATA, &day, chance);
    assert_near(mean_of(chance, is_busy, true), .5, .06);
    assert_near(mean_of(chance, is_busy, false), .02, .008);
    fg_forecast_chances(forecast, FG_FORECAST_CLICK, FG_FORECAST_HISTORY, &day, chance);
    assert_near(mean_of(chance, is_popular, true), .4, .05);
    assert_near(mean_of(chance, is_popular, false), .01, .005);
    fg_forecast_chances(forecast, FG_FORECAST_CLICK, FG_FORECAST_BOTH, &day, chance);
    assert_near(mean_of(chance, is_popular, true), .4, .06);
    assert_near(mean_of(chance, is_popular, false), .01, .008);
    /* No metadata tell who is popular. */
    fg_forecast_chances(forecast, FG_FORECAST_CLICK, FG_FORECAST_METADATA, &day, chance);
    assert_near(mean_of(chance, is_popular, true), (.4 + 6 * .01) / 7, .03);
    fg_forecast_free(forecast);
    shop_free(&shop);
}

static void forecast_rates_are_minus_log_of_no_event(void **state)
{
    (void)state;
    struct shop shop = shop_new(2);
    struct fg_forecast *forecast = trained(&shop, DAYS);
    struct fg_offer_day day = shop_day(&shop);
    float chance[OFFERS], rate[OFFERS];
    fg_forecast_chances(forecast, FG_FORECAST_CHANGE, FG_FORECAST_BOTH, &day, chance);
    fg_forecast_rates(forecast, FG_FORECAST_CHANGE, FG_FORECAST_BOTH, &day, rate);
    for (size_t i = 0; i < OFFERS; i++)
        assert_near(rate[i], -log1p(-(double)chance[i]), 1e-5 * (double)rate[i]);
    fg_forecast_free(forecast);
    shop_free(&shop);
}

static void forecast_without_history_is_that_of_metadata(void **state)
{
    (void)state;
    struct shop shop = shop_new(3);
    struct fg_forecast *forecast = trained(&shop, DAYS);
    struct fg_offer_day day = shop_day(&shop);
    float metadata[OFFERS], both[OFFERS], history[OFFERS];
    for (size_t k = 0; k < FG_OFFER_HISTORY; k++)
        shop.history[5 * FG_OFFER_HISTORY + k] = NAN;
    fg_forecast_chances(forecast, FG_FORECAST_CHANGE, FG_FORECAST_METADATA, &day,
                        metadata);
    fg_forecast_chances(forecast, FG_FORECAST_CHANGE, FG_FORECAST_BOTH, &day, both);
    fg_forecast_chances(forecast, FG_FORECAST_CHANGE, FG_FORECAST_HISTORY, &day, history);
    assert_near(both[5], metadata[5], 1e-6);
    assert_true(fabsf(both[4] - metadata[4]) > 1e-6F);
    assert_true(isnan(history[5]));
    assert_true(history[4] > 0);
    day.history = NULL;
    fg_forecast_chances(forecast, FG_FORECAST_CHANGE, FG_FORECAST_BOTH, &day, both);
    for (size_t i = 0; i < OFFERS; i++)
        assert_near(both[i], metadata[i], 1e-6);
    fg_forecast_free(forecast);
    shop_free(&shop);
}

static void forecast_of_what_nobody_knows_is_nan(void **state)
{
    (void)state;
    struct shop shop = shop_new(4);
    struct fg_forecast *forecast = trained(&shop, DAYS);
    struct fg_offer_day day = shop_day(&shop);
    float chance[OFFERS];
    assert_true(fg_forecast_can(forecast, FG_FORECAST_CLICK, FG_FORECAST_BOTH));
    assert_false(fg_forecast_can(forecast, FG_FORECAST_IMPRESSION, FG_FORECAST_BOTH));
    fg_forecast_chances(forecast, FG_FORECAST_IMPRESSION, FG_FORECAST_BOTH, &day, chance);
    for (size_t i = 0; i < OFFERS; i++)
        assert_true(isnan(chance[i]));
    fg_forecast_free(forecast);
    forecast = small_forecast();
    assert_false(fg_forecast_train(forecast));
    fg_forecast_chances(forecast, FG_FORECAST_CHANGE, FG_FORECAST_BOTH, &day, chance);
    assert_true(isnan(chance[0]));
    fg_forecast_free(forecast);
    shop_free(&shop);
}

static void forecast_is_judged_on_days_before_it_learns_them(void **state)
{
    (void)state;
    struct shop shop = shop_new(5);
    struct fg_forecast *forecast = trained(&shop, DAYS);
    struct fg_forecast_skill skill =
        fg_forecast_skill(forecast, FG_FORECAST_CHANGE, FG_FORECAST_METADATA);
    assert_int_equal(skill.days, 0);
    assert_true(isnan(skill.mean));
    float chance[OFFERS];
    bool came[OFFERS];
    double aucs[2];
    for (size_t d = 0; d < 2; d++) {
        struct fg_offer_day day = shop_day(&shop);
        fg_forecast_chances(forecast, FG_FORECAST_CHANGE, FG_FORECAST_METADATA, &day,
                            chance);
        for (size_t i = 0; i < OFFERS; i++)
            came[i] = shop.label[FG_FORECAST_CHANGE][i] > 0;
        aucs[d] = fg_auc(chance, came, OFFERS);
        fg_forecast_add(forecast, &day);
    }
    skill = fg_forecast_skill(forecast, FG_FORECAST_CHANGE, FG_FORECAST_METADATA);
    assert_int_equal(skill.days, 2);
    assert_near(skill.mean, (aucs[0] + aucs[1]) / 2, 1e-9);
    assert_near(skill.deviation, fabs(aucs[0] - aucs[1]) / sqrt(2), 1e-9);
    assert_int_equal(skill.positives + skill.negatives, 2 * OFFERS);
    /* .1 of the offers have .74 of the changes: AUC .83 at best. */
    assert_true(skill.mean > .78);
    skill = fg_forecast_skill(forecast, FG_FORECAST_CLICK, FG_FORECAST_HISTORY);
    assert_true(skill.mean > .85);
    fg_forecast_free(forecast);
    shop_free(&shop);
}

static void forecast_goes_on_learning(void **state)
{
    (void)state;
    struct shop shop = shop_new(6);
    struct fg_forecast *forecast = trained(&shop, 5);
    float before[OFFERS], after[OFFERS];
    for (size_t d = 0; d < 10; d++) {
        struct fg_offer_day day = shop_day(&shop);
        if (d == 0)
            fg_forecast_chances(forecast, FG_FORECAST_CHANGE, FG_FORECAST_BOTH, &day,
                                before);
        fg_forecast_add(forecast, &day);
        assert_true(fg_forecast_train(forecast));
    }
    struct fg_offer_day day = shop_day(&shop);
    fg_forecast_chances(forecast, FG_FORECAST_CHANGE, FG_FORECAST_BOTH, &day, after);
    assert_memory_not_equal(before, after, sizeof before);
    assert_near(mean_of(after, is_busy, true), .5, .08);
    assert_near(mean_of(after, is_busy, false), .02, .01);
    fg_forecast_free(forecast);
    shop_free(&shop);
}

static void forecast_is_saved_and_goes_on_alike(void **state)
{
    (void)state;
    struct shop shop = shop_new(7);
    struct fg_forecast *forecast = trained(&shop, DAYS), *read = small_forecast();
    struct fg_buf bytes;
    float a[OFFERS], b[OFFERS];
    fg_buf_init(&bytes, 1 << 28);
    struct fg_offer_day day = shop_day(&shop);
    fg_forecast_add(forecast, &day);
    fg_forecast_save(forecast, &bytes);
    assert_int_equal(fg_forecast_load(read, fg_buf_str(&bytes), NULL), FG_OK);
    for (size_t turn = 0; turn < 2; turn++) {
        fg_forecast_chances(forecast, FG_FORECAST_CLICK, FG_FORECAST_BOTH, &day, a);
        fg_forecast_chances(read, FG_FORECAST_CLICK, FG_FORECAST_BOTH, &day, b);
        assert_memory_equal(a, b, sizeof a);
        struct fg_offer_day next = shop_day(&shop);
        fg_forecast_add(forecast, &next);
        fg_forecast_add(read, &next);
        fg_forecast_train(forecast);
        fg_forecast_train(read);
    }
    struct fg_forecast_skill x =
        fg_forecast_skill(forecast, FG_FORECAST_CLICK, FG_FORECAST_BOTH);
    struct fg_forecast_skill y =
        fg_forecast_skill(read, FG_FORECAST_CLICK, FG_FORECAST_BOTH);
    assert_int_equal(x.days, 3);
    assert_int_equal(y.days, 3);
    assert_near(x.mean, y.mean, 0);
    fg_forecast_free(forecast);
    fg_forecast_free(read);
    fg_buf_clear(&bytes);
    shop_free(&shop);
}

static void forecast_refuses_other_layers_and_damage(void **state)
{
    (void)state;
    struct shop shop = shop_new(8);
    struct fg_forecast *forecast = trained(&shop, 4);
    struct fg_forecast_rules rules = fg_forecast_defaults();
    struct fg_forecast *other = fg_forecast_new(&rules);
    struct fg_err err;
    struct fg_buf bytes;
    fg_buf_init(&bytes, 1 << 28);
    fg_forecast_save(forecast, &bytes);
    assert_int_equal(fg_forecast_load(other, fg_buf_str(&bytes), &err), FG_EINPUT);
    assert_string_equal(err.text, "the saved forecasts have layers of 16, 8, 8 units");
    bytes.at[bytes.len / 3] ^= 8;
    assert_int_equal(fg_forecast_load(forecast, fg_buf_str(&bytes), &err), FG_EINPUT);
    assert_string_equal(err.text, "the saved state of forecasts is damaged");
    assert_true(fg_forecast_can(forecast, FG_FORECAST_CHANGE, FG_FORECAST_BOTH));
    fg_forecast_free(forecast);
    fg_forecast_free(other);
    fg_buf_clear(&bytes);
    shop_free(&shop);
}

static void forecast_keeps_a_share_of_days_that_are_large(void **state)
{
    (void)state;
    struct shop shop = shop_new(9);
    struct fg_forecast_rules rules = fg_forecast_defaults();
    rules.layers[0] = rules.layers[1] = rules.layers[2] = 4;
    rules.pool = 30 * 200; /* 200 examples a day */
    struct fg_forecast *forecast = fg_forecast_new(&rules);
    for (size_t d = 0; d < 40; d++) {
        struct fg_offer_day day = shop_day(&shop);
        fg_forecast_add(forecast, &day);
        if (d == 35)
            assert_true(fg_forecast_train(forecast));
    }
    struct fg_forecast_skill skill =
        fg_forecast_skill(forecast, FG_FORECAST_CHANGE, FG_FORECAST_BOTH);
    assert_int_equal(skill.days, 4);
    assert_int_equal(skill.positives + skill.negatives, 4 * 200);
    fg_forecast_free(forecast);
    shop_free(&shop);
}

static void offer_ids_come_from_texts(void **state)
{
    (void)state;
    assert_int_equal(fg_offer_id(FG_STR("")), 0);
    assert_int_equal(fg_offer_id(FG_STR("new")), fg_offer_id(FG_STR("new")));
    assert_int_not_equal(fg_offer_id(FG_STR("new")), fg_offer_id(FG_STR("used")));
}

FG_TESTS(forecast_chances_are_those_of_the_days, forecast_rates_are_minus_log_of_no_event,
         forecast_without_history_is_that_of_metadata,
         forecast_of_what_nobody_knows_is_nan,
         forecast_is_judged_on_days_before_it_learns_them, forecast_goes_on_learning,
         forecast_is_saved_and_goes_on_alike, forecast_refuses_other_layers_and_damage,
         forecast_keeps_a_share_of_days_that_are_large, offer_ids_come_from_texts)
