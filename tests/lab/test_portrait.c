#include "lab/refresh/portrait.h"
#include "test.h"

/* Two pages of one group over ten days; one changes daily, at one o'clock, from the first
 * day on, and goes back to its first value at last; the other changes once, half an hour
 * after it. */
static void portraits_tell_how_pages_change(void **state)
{
    (void)state;
    struct fg_change changes[12];
    size_t n = 0;
    for (uint32_t day = 0; day < 10; day++) {
        changes[n++] =
            (struct fg_change){day * FG_DAY + FG_HOUR, 0, day < 9 ? day + 1 : 0};
        if (day == 4)
            changes[n++] =
                (struct fg_change){day * FG_DAY + FG_HOUR + 30 * FG_MINUTE, 1, 1};
    }
    struct fg_timeline t = {.n = 2,
                            .to = 10 * FG_DAY,
                            .judged_from = 4 * FG_DAY,
                            .step = 2 * FG_HOUR,
                            .changes = changes,
                            .n_changes = n};
    struct fg_portrait portrait = fg_portrait_of(&t);
    static const struct {
        enum fg_portrait_stat stat;
        double value;
    } expected[] = {
        {FG_PORTRAIT_PAGES, 2},           {FG_PORTRAIT_GROUPS, 1},
        {FG_PORTRAIT_DAYS, 10},           {FG_PORTRAIT_STEP, 2},
        {FG_PORTRAIT_JUDGED, 6},          {FG_PORTRAIT_CHANGES, 11},
        {FG_PORTRAIT_RATE, 11.0 / 20},    {FG_PORTRAIT_RATE_P50, 0.55},
        {FG_PORTRAIT_NEVER, 0},           {FG_PORTRAIT_TOP, 10.0 / 11},
        {FG_PORTRAIT_BACK, 1.0 / 11},     {FG_PORTRAIT_INTERVAL_CV, 0},
        {FG_PORTRAIT_HOUR_CV, sqrt(23)}, /* all in one hour of 24 */
        {FG_PORTRAIT_TOGETHER, 2.0 / 11},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_near(portrait.at[expected[i].stat], expected[i].value, 1e-9);
}

static void portraits_of_nothing_have_no_figures(void **state)
{
    (void)state;
    struct fg_timeline t = {.n = 1, .to = FG_DAY, .step = FG_HOUR};
    struct fg_portrait portrait = fg_portrait_of(&t);
    assert_near(portrait.at[FG_PORTRAIT_NEVER], 1, 0);
    assert_true(isnan(portrait.at[FG_PORTRAIT_HOUR_CV]));
    assert_true(isnan(portrait.at[FG_PORTRAIT_INTERVAL_CV]));
}

FG_TESTS(portraits_tell_how_pages_change, portraits_of_nothing_have_no_figures)
