#include "base/rng.h"
#include "base/variate.h"
#include "lab/bootstrap.h"
#include "test.h"

/* Of two sites each resample is (a, a), (a, b), (b, a) or (b, b): a quarter of the means
 * are a and a quarter are b, so both ends of a 95 % interval lie on the values. */
static void interval_of_two_sites_is_their_range(void **state)
{
    (void)state;
    double values[] = {3, 7};
    struct fg_bootstrap *boot = fg_bootstrap_new(2);
    struct fg_figure figure = fg_bootstrap_mean(boot, values);
    assert_near(figure.mean, 5, 0);
    assert_near(figure.lo, 3, 0);
    assert_near(figure.hi, 7, 0);
    fg_bootstrap_free(boot);
}

/* Three sites with values 0, 0, 9: the mean of a resample is 3 times a binomial(3, 1/3).
 * P(0) = 8/27 and P(9) = 1/27 are both above 2.5 %, so the ends are 0 and 9. With a
 * fourth 0, P(all four drawn are 9) is 1/256 and P(three) is 12/256: the upper end is
 * 27/4. */
static void interval_follows_the_binomial(void **state)
{
    (void)state;
    double values[] = {0, 9, 0, 0};
    struct fg_bootstrap *boot = fg_bootstrap_new(3);
    struct fg_figure figure = fg_bootstrap_mean(boot, values);
    assert_near(figure.lo, 0, 0);
    assert_near(figure.hi, 9, 0);
    fg_bootstrap_free(boot);
    boot = fg_bootstrap_new(4);
    figure = fg_bootstrap_mean(boot, values);
    assert_near(figure.mean, 2.25, 0);
    assert_near(figure.lo, 0, 0);
    assert_near(figure.hi, 6.75, 0);
    fg_bootstrap_free(boot);
}

static void one_site_has_no_width(void **state)
{
    (void)state;
    double one[] = {4}, lone[] = {NAN, 4, NAN};
    struct fg_bootstrap *boot = fg_bootstrap_new(1);
    struct fg_figure figure = fg_bootstrap_mean(boot, one);
    assert_near(figure.lo, 4, 0);
    assert_near(figure.hi, 4, 0);
    fg_bootstrap_free(boot);
    boot = fg_bootstrap_new(3);
    figure = fg_bootstrap_mean(boot, lone);
    assert_near(figure.mean, 4, 0);
    assert_near(figure.lo, 4, 0);
    fg_bootstrap_free(boot);
}

static void what_does_not_exist_does_not_count(void **state)
{
    (void)state;
    double some[] = {NAN, 3, 7}, none[] = {NAN, NAN, NAN};
    struct fg_bootstrap *boot = fg_bootstrap_new(3);
    assert_near(fg_bootstrap_mean(boot, some).mean, 5, 0);
    struct fg_figure figure = fg_bootstrap_mean(boot, none);
    assert_true(isnan(figure.mean) && isnan(figure.lo) && isnan(figure.hi));
    fg_bootstrap_free(boot);
    boot = fg_bootstrap_new(0);
    assert_true(isnan(fg_bootstrap_mean(boot, NULL).mean));
    fg_bootstrap_free(boot);
}

/* Section 3.4.1: the mean of the ratios, which is not the ratio of the means (here 1.5).
 */
static void pairs_are_compared_before_they_are_averaged(void **state)
{
    (void)state;
    double a[] = {2, 10}, b[] = {4, 4}, zero[] = {0, 4};
    struct fg_bootstrap *boot = fg_bootstrap_new(2);
    struct fg_figure ratio = fg_bootstrap_ratio(boot, a, b);
    assert_near(ratio.mean, 1.5, 0);
    assert_near(ratio.lo, 0.5, 0);
    assert_near(ratio.hi, 2.5, 0);
    double uneven[] = {1, 20};
    assert_near(fg_bootstrap_ratio(boot, a, uneven).mean, 1.25, 0);
    struct fg_figure difference = fg_bootstrap_difference(boot, a, b);
    assert_near(difference.mean, 2, 0);
    assert_near(difference.lo, -2, 0);
    assert_near(difference.hi, 6, 0);
    assert_near(fg_bootstrap_ratio(boot, a, zero).mean, 2.5, 0);
    fg_bootstrap_free(boot);
}

/* Equal sites, with one of them twice as good: pairing leaves no noise of the sites. */
static void pairing_takes_the_sites_out(void **state)
{
    (void)state;
    enum { SITES = 40 };
    double a[SITES], b[SITES];
    for (size_t i = 0; i < SITES; i++) {
        b[i] = 1 + (double)(i * i);
        a[i] = 1.2 * b[i];
    }
    struct fg_bootstrap *boot = fg_bootstrap_new(SITES);
    struct fg_figure ratio = fg_bootstrap_ratio(boot, a, b);
    assert_near(ratio.lo, 1.2, 1e-12);
    assert_near(ratio.hi, 1.2, 1e-12);
    assert_true(fg_bootstrap_mean(boot, a).hi > 1.2 * fg_bootstrap_mean(boot, a).lo);
    fg_bootstrap_free(boot);
}

/* For many normal values the interval is that of the textbook: mean +- 1.96 s / sqrt n.
 */
static void interval_is_the_textbook_one_for_many_sites(void **state)
{
    (void)state;
    enum { SITES = 400 };
    double values[SITES], sum = 0, squares = 0;
    struct fg_rng rng = fg_rng_from_seed(7);
    for (size_t i = 0; i < SITES; i++) {
        values[i] = 10 + 2 * fg_rng_normal(&rng);
        sum += values[i];
        squares += values[i] * values[i];
    }
    double mean = sum / SITES, deviation = sqrt(squares / SITES - mean * mean);
    double half = 1.96 * deviation / sqrt(SITES);
    struct fg_bootstrap *boot = fg_bootstrap_new(SITES);
    struct fg_figure figure = fg_bootstrap_mean(boot, values);
    assert_near(figure.mean, mean, 1e-12);
    assert_near(mean - figure.lo, half, 0.1 * half);
    assert_near(figure.hi - mean, half, 0.1 * half);
    fg_bootstrap_free(boot);
}

/* Of 400 samples of 50 from a distribution with mean 1, 95 % of the intervals should hold
 * it; percentile intervals of skewed data hold it a little less often. Four standard
 * deviations of the count are 17. */
static void interval_holds_the_truth_as_often_as_it_says(void **state)
{
    (void)state;
    enum { SITES = 50, SAMPLES = 400 };
    struct fg_rng rng = fg_rng_from_seed(11);
    struct fg_bootstrap *boot = fg_bootstrap_new(SITES);
    size_t held = 0;
    for (size_t s = 0; s < SAMPLES; s++) {
        double values[SITES];
        for (size_t i = 0; i < SITES; i++)
            values[i] = 1 + fg_rng_normal(&rng);
        struct fg_figure figure = fg_bootstrap_mean(boot, values);
        held += figure.lo <= 1 && 1 <= figure.hi;
    }
    assert_true(held >= 363 && held <= 397);
    fg_bootstrap_free(boot);
}

static void same_values_give_the_same_interval(void **state)
{
    (void)state;
    double values[] = {1, 5, 2, 8, 4};
    struct fg_bootstrap *boot = fg_bootstrap_new(5), *again = fg_bootstrap_new(5);
    struct fg_figure a = fg_bootstrap_mean(boot, values);
    fg_bootstrap_mean(boot, (double[]){0, 0, 0, 0, 1});
    struct fg_figure b = fg_bootstrap_mean(boot, values);
    struct fg_figure c = fg_bootstrap_mean(again, values);
    assert_memory_equal(&a, &b, sizeof a);
    assert_memory_equal(&a, &c, sizeof a);
    fg_bootstrap_free(boot);
    fg_bootstrap_free(again);
}

/* Sites with 1 of 2 and 3 of 10: together 4/12, and not the mean of 1/2 and 3/10. Of two
 * sites drawn with replacement both may be the one or the other. */
static void pooled_figures_weigh_sites_by_their_size(void **state)
{
    (void)state;
    struct fg_bootstrap *boot = fg_bootstrap_new(2);
    const double a[] = {1, 3}, b[] = {2, 10}, none[] = {0, 0};
    struct fg_figure figure = fg_bootstrap_pooled(boot, a, b);
    assert_near(figure.mean, 4.0 / 12, 1e-15);
    assert_near(figure.lo, 0.3, 1e-15);
    assert_near(figure.hi, 0.5, 1e-15);
    assert_true(isnan(fg_bootstrap_pooled(boot, a, none).mean));
    fg_bootstrap_free(boot);
}

FG_TESTS(pooled_figures_weigh_sites_by_their_size, interval_of_two_sites_is_their_range,
         interval_follows_the_binomial, one_site_has_no_width,
         what_does_not_exist_does_not_count, pairs_are_compared_before_they_are_averaged,
         pairing_takes_the_sites_out, interval_is_the_textbook_one_for_many_sites,
         interval_holds_the_truth_as_often_as_it_says, same_values_give_the_same_interval)
