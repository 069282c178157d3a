#include "learn/offer_log.h"
#include "test.h"

static void add(struct fg_offer_log *log, float changes, float clicks, float impressions)
{
    float c[2] = {changes, NAN}, k[2] = {clicks, NAN}, i[2] = {impressions, NAN};
    fg_offer_log_add(log, &(struct fg_offer_counts){c, k, i});
}

static void offer_log_averages_over_1_7_14_and_30_days(void **state)
{
    (void)state;
    struct fg_offer_log log = {0};
    float features[2][FG_OFFER_HISTORY];
    fg_offer_log_resize(&log, 2);
    /* Day d of 40 has d clicks and 1000 + d impressions; days 0, 10, 20, 30 two changes.
     */
    for (int d = 0; d < 40; d++)
        add(&log, d % 10 ? 0 : 2, (float)d, (float)(1000 + d));
    fg_offer_log_history(&log, 0, 2, features[0]);
    const float *f = features[0];
    assert_near(f[FG_HISTORY_CLICKS_1], 39, 1e-6);
    assert_near(f[FG_HISTORY_CLICKS_7], 36, 1e-5);
    assert_near(f[FG_HISTORY_CLICKS_14], 32.5, 1e-5);
    assert_near(f[FG_HISTORY_CLICKS_30], 24.5, 1e-5);
    assert_near(f[FG_HISTORY_IMPRESSIONS_1], 1039, 1e-3);
    assert_near(f[FG_HISTORY_IMPRESSIONS_30], 1024.5, 1e-3);
    assert_near(f[FG_HISTORY_CHANGES], 6 / 30.0, 1e-6); /* days 10, 20 and 30 */
    assert_near(f[FG_HISTORY_SINCE_CHANGE], 9, 0);
    for (size_t k = 0; k < FG_OFFER_HISTORY; k++)
        assert_true(isnan(features[1][k]));
    fg_offer_log_clear(&log);
}

static void offer_log_leaves_unknown_days_out(void **state)
{
    (void)state;
    struct fg_offer_log log = {0};
    float f[FG_OFFER_HISTORY];
    fg_offer_log_resize(&log, 1);
    add(&log, 1, 4, 100);
    add(&log, NAN, 2, NAN);
    add(&log, 0, NAN, NAN);
    fg_offer_log_history(&log, 0, 1, f);
    assert_true(isnan(f[FG_HISTORY_CLICKS_1]));
    assert_near(f[FG_HISTORY_CLICKS_7], 3, 1e-6);
    assert_near(f[FG_HISTORY_IMPRESSIONS_30], 100, 1e-6);
    assert_near(f[FG_HISTORY_CHANGES], .5, 1e-6);
    assert_near(f[FG_HISTORY_SINCE_CHANGE], 2, 0);
    fg_offer_log_clear(&log);
}

static void offer_log_says_30_when_nothing_changed(void **state)
{
    (void)state;
    struct fg_offer_log log = {0};
    float f[FG_OFFER_HISTORY];
    fg_offer_log_resize(&log, 1);
    add(&log, 0, 0, 0);
    fg_offer_log_history(&log, 0, 1, f);
    assert_near(f[FG_HISTORY_SINCE_CHANGE], FG_OFFER_LOG_DAYS, 0);
    assert_near(f[FG_HISTORY_CHANGES], 0, 0);
    fg_offer_log_clear(&log);
}

static void offer_log_keeps_large_counts_as_the_largest(void **state)
{
    (void)state;
    struct fg_offer_log log = {0};
    float f[FG_OFFER_HISTORY];
    fg_offer_log_resize(&log, 1);
    add(&log, 1000, 65534, 1e9f);
    fg_offer_log_history(&log, 0, 1, f);
    assert_near(f[FG_HISTORY_CHANGES], 254, 0);
    assert_near(f[FG_HISTORY_CLICKS_1], 65534, 0);
    assert_near(f[FG_HISTORY_IMPRESSIONS_1], 65534, 0);
    fg_offer_log_clear(&log);
}

static void offer_log_grows_and_shrinks(void **state)
{
    (void)state;
    struct fg_offer_log log = {0};
    float f[3][FG_OFFER_HISTORY];
    fg_offer_log_resize(&log, 1);
    add(&log, 1, 5, 50);
    fg_offer_log_resize(&log, 3);
    fg_offer_log_history(&log, 0, 3, f[0]);
    assert_near(f[0][FG_HISTORY_CLICKS_1], 5, 0);
    assert_true(isnan(f[2][FG_HISTORY_CLICKS_1]));
    fg_offer_log_resize(&log, 0);
    fg_offer_log_resize(&log, 1);
    fg_offer_log_history(&log, 0, 1, f[0]);
    assert_true(isnan(f[0][FG_HISTORY_CLICKS_1]));
    fg_offer_log_clear(&log);
}

FG_TESTS(offer_log_averages_over_1_7_14_and_30_days, offer_log_leaves_unknown_days_out,
         offer_log_says_30_when_nothing_changed,
         offer_log_keeps_large_counts_as_the_largest, offer_log_grows_and_shrinks)
