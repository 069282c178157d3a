/* The offers as a timeline: what policies are told, and how good the forecasts are. With
 * FORAGE_LONG=1 also at full size. */
#include "lab/refresh/offers.h"
#include "test.h"

enum { FIRST = 60, DAYS = 91 };

static struct fg_offers_options small_options(size_t pages)
{
    struct fg_offers_options options = fg_offers_defaults();
    options.pages = pages;
    options.forecast.layers[0] = 64;
    options.forecast.layers[1] = 32;
    options.forecast.layers[2] = 16;
    options.forecast.epochs = 8;
    options.forecast.rate = .01;
    return options;
}

static const float *told(const struct fg_timeline *timeline, enum fg_told_rate kind,
                         size_t day)
{
    return timeline->offers.told[kind] + (day - timeline->offers.first_day) * timeline->n;
}

static size_t day_of(const struct fg_timeline *timeline, fg_time at)
{
    return (size_t)((at - timeline->from) / FG_DAY);
}

static void check_shape(const struct fg_timeline *t, size_t pages)
{
    assert_int_equal(t->n, pages);
    assert_int_equal(t->step, 2 * FG_HOUR);
    assert_int_equal(t->to - t->from, 151 * FG_DAY);
    assert_int_equal(t->crawled_from - t->from, 60 * FG_DAY);
    assert_int_equal(t->judged_from - t->from, 120 * FG_DAY);
    assert_int_equal(t->offers.first_day, FIRST);
    assert_int_equal(t->offers.days, DAYS);
    assert_false(t->is_seen_first);
    for (size_t i = 0; i < t->n_changes; i++) {
        assert_true(t->changes[i].at >= t->from && t->changes[i].at < t->to);
        assert_true(!i || t->changes[i].at >= t->changes[i - 1].at);
        assert_true(t->changes[i].page < pages);
    }
    for (size_t i = 0; i < pages * DAYS; i++) {
        assert_true(t->offers.clicks[i] >= 0);
        for (size_t kind = 0; kind < FG_TOLD_KINDS; kind++)
            assert_true(t->offers.told[kind][i] >= 0 && t->offers.told[kind][i] < 1e6f);
    }
}

/* The month before a day, counted from the timeline itself. */
static void check_change_history(const struct fg_timeline *t, size_t day)
{
    double *counts = calloc(t->n, sizeof *counts);
    for (size_t i = 0; i < t->n_changes; i++) {
        size_t on = day_of(t, t->changes[i].at);
        if (on + 30 >= day && on < day)
            counts[t->changes[i].page]++;
    }
    const float *rates = told(t, FG_TOLD_CHANGES_HISTORY, day);
    for (size_t i = 0; i < t->n; i++)
        if (counts[i] < 30 * 100) /* days are kept up to 254 */
            assert_near(rates[i], counts[i] / 30, 1e-4 * (1 + counts[i]));
    free(counts);
}

static double correlation(const float *x, const float *y, size_t n)
{
    double mx = 0, my = 0, xy = 0, xx = 0, yy = 0;
    for (size_t i = 0; i < n; i++) {
        mx += (double)x[i] / (double)n;
        my += (double)y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        double dx = (double)x[i] - mx, dy = (double)y[i] - my;
        xy += dx * dy;
        xx += dx * dx;
        yy += dy * dy;
    }
    return xy / sqrt(xx * yy);
}

static void offers_tell_what_their_log_says(void **state)
{
    (void)state;
    struct fg_offers_options options = small_options(1000);
    options.forecast.epochs = 1;
    struct fg_timeline *t = fg_offers_make(&options, NULL);
    check_shape(t, 1000);
    check_change_history(t, FIRST);
    check_change_history(t, FIRST + DAYS - 1);
    const float *true_clicks = t->offers.clicks + 40 * t->n;
    assert_true(correlation(told(t, FG_TOLD_CLICKS_SMOOTH, 100), true_clicks, t->n) > .6);
    assert_true(correlation(told(t, FG_TOLD_CLICKS_HISTORY, 100), true_clicks, t->n) >
                .5);
    fg_timeline_free(t);
}

/* Full log and own observations: the same world, but change rates are told once. */
static void offers_of_own_observations_are_told_once(void **state)
{
    (void)state;
    struct fg_offers_options options = small_options(1000);
    options.forecast.epochs = 1;
    struct fg_timeline *full = fg_offers_make(&options, NULL);
    options.is_own = true;
    struct fg_timeline *own = fg_offers_make(&options, NULL);
    const float *history = told(own, FG_TOLD_CHANGES_HISTORY, FIRST);
    const float *model = told(own, FG_TOLD_CHANGES_MODEL, FIRST);
    size_t cold = 0, unlike = 0;
    assert_int_equal(full->n_changes, own->n_changes);
    for (size_t i = 0; i < own->n; i++) {
        bool is_cold = isnan(history[i]);
        cold += is_cold;
        float by_log = told(full, FG_TOLD_CHANGES_MODEL, FIRST)[i];
        assert_true(model[i] > 0);
        if (!is_cold)
            assert_near(model[i], by_log, 0);
        unlike += is_cold && model[i] != by_log;
        assert_near(told(own, FG_TOLD_CHANGES_MODEL, 140)[i], model[i], 0);
    }
    assert_near((double)cold / (double)own->n, .15, .04);
    assert_int_equal(unlike, cold);
    assert_memory_equal(told(full, FG_TOLD_CLICKS_MODEL, 140),
                        told(own, FG_TOLD_CLICKS_MODEL, 140), own->n * sizeof(float));
    fg_timeline_free(full);
    fg_timeline_free(own);
}

static void print_skill(const struct fg_offers_report *report)
{
    static const char *const tasks[] = {"change", "click", "impression"};
    static const double published[3][3] = {
        {.860, .833, .882}, {.796, .948, .949}, {.736, .896, .895}};
    print_message("AUC (deviation of 20 parts) [Table 4]: metadata, history, both\n");
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++) {
        print_message("%-10s", tasks[task]);
        for (size_t model = 0; model < FG_FORECAST_MODELS; model++)
            print_message("  %.3f (%.3f) [%.3f]", report->skill[task][model].mean,
                          report->skill[task][model].deviation, published[task][model]);
        print_message("  share %.4f, foreseen %.4f\n", report->share[task],
                      report->foreseen[task]);
    }
}

static double auc(const struct fg_offers_report *report, enum fg_forecast_task task,
                  enum fg_forecast_model model)
{
    return report->skill[task][model].mean;
}

/* With few offers to a merchant, metadata do not yet beat the history. */
static void offers_are_foreseen_best_from_both(void **state)
{
    (void)state;
    struct fg_offers_options options = small_options(4000);
    struct fg_offers_report report;
    fg_timeline_free(fg_offers_make(&options, &report));
    print_skill(&report);
    assert_true(auc(&report, FG_FORECAST_CHANGE, FG_FORECAST_METADATA) > .82);
    assert_true(auc(&report, FG_FORECAST_CHANGE, FG_FORECAST_BOTH) >
                auc(&report, FG_FORECAST_CHANGE, FG_FORECAST_HISTORY));
    assert_true(auc(&report, FG_FORECAST_CHANGE, FG_FORECAST_BOTH) >
                auc(&report, FG_FORECAST_CHANGE, FG_FORECAST_METADATA));
    for (enum fg_forecast_task task = FG_FORECAST_CLICK; task < FG_FORECAST_TASKS; task++)
        assert_true(auc(&report, task, FG_FORECAST_HISTORY) >
                    auc(&report, task, FG_FORECAST_METADATA) + .05);
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++)
        assert_near(report.foreseen[task] / report.share[task], 1, .35);
}

/* Table 4: for changes metadata beat the history and both beat either; for clicks and
 * impressions the history beats metadata, which add nothing to speak of. */
static void offers_have_the_published_order_of_auc(void **state)
{
    (void)state;
    if (!getenv("FORAGE_LONG"))
        skip();
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct fg_offers_options options = fg_offers_defaults();
        struct fg_offers_report report;
        options.seed = seed;
        fg_timeline_free(fg_offers_make(&options, &report));
        print_skill(&report);
        double metadata = auc(&report, FG_FORECAST_CHANGE, FG_FORECAST_METADATA);
        double history = auc(&report, FG_FORECAST_CHANGE, FG_FORECAST_HISTORY);
        double both = auc(&report, FG_FORECAST_CHANGE, FG_FORECAST_BOTH);
        assert_true(history < metadata && metadata < both);
        for (enum fg_forecast_task task = FG_FORECAST_CLICK; task < FG_FORECAST_TASKS;
             task++) {
            history = auc(&report, task, FG_FORECAST_HISTORY);
            assert_true(auc(&report, task, FG_FORECAST_METADATA) < history - .05);
            assert_near(auc(&report, task, FG_FORECAST_BOTH), history, .004);
        }
        for (size_t task = 0; task < FG_FORECAST_TASKS; task++)
            assert_near(report.foreseen[task] / report.share[task], 1, .2);
    }
}

FG_TESTS(offers_tell_what_their_log_says, offers_of_own_observations_are_told_once,
         offers_are_foreseen_best_from_both, offers_have_the_published_order_of_auc)
