#include "learn/popular.h"
#include "test.h"

/* Two rows of one host and one of another: 14 days without anything, then a day with 10
 * clicks of 100 impressions, none of 20, and one of which nothing is known. */
static void popular_shrinks_to_the_host_by_the_formula(void **state)
{
    (void)state;
    struct fg_popular popular = {0};
    static const uint32_t host[] = {0, 0, 1};
    float none[3] = {0}, clicks[3] = {10, 0, NAN}, shown[3] = {100, 20, NAN}, rates[3];
    fg_popular_resize(&popular, 3);
    for (int d = 0; d < 14; d++)
        fg_popular_add(&popular, none, none);
    fg_popular_add(&popular, clicks, shown);
    fg_popular_rates(&popular, host, 2, rates);
    double past = 0;
    for (int k = 1; k <= 14; k++)
        past += exp2(-k / 14.0);
    double days = 3 * past + 2, mean = 120 / days, ctr = 10 / 120.0;
    double host_shown = (30 * mean + 120) / (30 + 2 * past + 2);
    double host_ctr = (1000 * ctr + 10) / 1120;
    double first_shown = (2 * host_shown + 100) / (2 + past + 1);
    assert_near(rates[0], (6 * host_ctr * first_shown + 10) / (6 + past + 1), 1e-5);
    double second_shown = (2 * host_shown + 20) / (2 + past + 1);
    assert_near(rates[1], 6 * host_ctr * second_shown / (6 + past + 1), 1e-5);
    double other_shown = (30 * mean + 0) / (30 + past);
    double third_shown = 2 * other_shown / (2 + past);
    assert_near(rates[2], 6 * ctr * third_shown / (6 + past), 1e-5);
    fg_popular_clear(&popular);
}

static void popular_halves_in_fourteen_days(void **state)
{
    (void)state;
    struct fg_popular popular = {0};
    fg_popular_resize(&popular, 1);
    fg_popular_add(&popular, (float[]){8}, (float[]){80});
    for (int d = 0; d < 28; d++)
        fg_popular_add(&popular, NULL, NULL);
    assert_near(popular.clicks[0], 2, 1e-4);
    assert_near(popular.impressions[0], 20, 1e-3);
    assert_near(popular.days[0], .25, 1e-5);
    fg_popular_clear(&popular);
}

static void popular_expects_nothing_of_nothing(void **state)
{
    (void)state;
    struct fg_popular popular = {0};
    static const uint32_t host[] = {0};
    float rate = -1;
    fg_popular_resize(&popular, 1);
    fg_popular_rates(&popular, host, 1, &rate);
    assert_near(rate, 0, 0);
    fg_popular_clear(&popular);
}

FG_TESTS(popular_shrinks_to_the_host_by_the_formula, popular_halves_in_fourteen_days,
         popular_expects_nothing_of_nothing)
