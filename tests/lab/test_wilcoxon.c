/* Expected values are scipy's (stats.wilcoxon), or counted over all signs in numpy. */
#include "lab/interval.h"
#include "lab/wilcoxon.h"
#include "test.h"

static void wilcoxon_is_exact_for_few_pairs(void **state)
{
    (void)state;
    static const double a[] = {-0.802, -1.324, -0.248, 0.42,  1.136, 0.11,
                               -0.553, -0.785, 0.749,  1.635, 0.273, -1.233};
    static const double b[] = {-1.26,  0.776,  0.455, -0.812, 1.552, -0.553,
                               -0.682, -0.773, 0.536, 2.688,  0.71,  -1.322};
    struct fg_wilcoxon test = fg_wilcoxon(a, b, 12);
    assert_int_equal(test.n, 12);
    assert_near(test.above, 35, 0);
    assert_near(test.below, 43, 0);
    assert_near(test.p, 0.791015625, 1e-12);
    double x[31], y[31];
    for (int i = 0; i < 31; i++) {
        x[i] = .9 + .02 * sin(i);
        y[i] = x[i] - .001 + .004 * cos(3 * i);
    }
    test = fg_wilcoxon(x, y, 31);
    assert_near(fmin(test.above, test.below), 156, 0);
    assert_near(test.p, 0.0726527813822031, 1e-9);
}

static void wilcoxon_shares_ranks_and_drops_equal_pairs(void **state)
{
    (void)state;
    static const double a[] = {1, 1, -1, 2, 2, 3, -3, 4, 5, 0, -2, 6};
    static const double b[12] = {0};
    struct fg_wilcoxon test = fg_wilcoxon(a, b, 12);
    assert_int_equal(test.n, 11);
    assert_near(test.above, 51.5, 0);
    assert_near(test.below, 14.5, 0);
    assert_near(test.p, 0.111328125, 1e-12);
    test = fg_wilcoxon(a, a, 12);
    assert_int_equal(test.n, 0);
    assert_true(isnan(test.p));
}

static void wilcoxon_approximates_for_many_pairs(void **state)
{
    (void)state;
    double x[80], y[80] = {0}, none[80] = {0};
    for (int i = 0; i < 80; i++) {
        x[i] = sin(i);
        y[i] = sin(i) + .1 * cos(2 * i) - .03;
    }
    struct fg_wilcoxon test = fg_wilcoxon(x, y, 80);
    assert_near(fmin(test.above, test.below), 925, 0);
    assert_near(test.p, 0.0008652793306247939, 1e-12);
    for (int i = 0; i < 70; i++)
        x[i] = (i * 7) % 11 - 4;
    test = fg_wilcoxon(x, none, 70);
    assert_int_equal(test.n, 64);
    assert_near(fmin(test.above, test.below), 673, 0);
    assert_near(test.p, 0.013851297834244656, 1e-12);
}

/* Of 31 values, ranks 15.5 -+ 1.96 sqrt(31)/2 = 10.04, 20.96: the 11th to the 21st. */
static void medians_have_intervals_by_rank(void **state)
{
    (void)state;
    double values[40] = {0};
    for (int i = 0; i < 31; i++)
        values[i] = (i * 12) % 31 + 1;
    values[31] = NAN;
    struct fg_figure figure = fg_median_interval(values, 32);
    assert_near(figure.mean, 16, 0);
    assert_near(figure.lo, 11, 0);
    assert_near(figure.hi, 21, 0);
    double few[3] = {3, 1, 2}, none[1] = {NAN};
    figure = fg_median_interval(few, 3);
    assert_near(figure.lo, 1, 0);
    assert_near(figure.hi, 3, 0);
    assert_true(isnan(fg_median_interval(none, 1).mean));
}

static void means_have_students_intervals(void **state)
{
    (void)state;
    static const double t[] = {12.706204736432095, 2.2621571627409915, 2.200985160082949,
                               2.0422724563012373};
    static const size_t sizes[] = {2, 10, 12, 31};
    for (size_t k = 0; k < 4; k++) {
        double values[31], squares = 0, n = (double)sizes[k];
        for (size_t i = 0; i < sizes[k]; i++)
            values[i] = (double)i;
        for (size_t i = 0; i < sizes[k]; i++)
            squares += pow(values[i] - (n - 1) / 2, 2);
        struct fg_figure figure = fg_mean_interval(values, sizes[k]);
        assert_near(figure.mean, (n - 1) / 2, 1e-12);
        assert_near((figure.hi - figure.lo) / 2 / sqrt(squares / (n - 1) / n), t[k],
                    2e-4);
    }
    double one = 7;
    assert_near(fg_mean_interval(&one, 1).lo, 7, 0);
}

FG_TESTS(wilcoxon_is_exact_for_few_pairs, wilcoxon_shares_ranks_and_drops_equal_pairs,
         wilcoxon_approximates_for_many_pairs, medians_have_intervals_by_rank,
         means_have_students_intervals)
