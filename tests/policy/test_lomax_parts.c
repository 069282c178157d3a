/* The formulas of lomax, each by itself, against quadrature, scipy or by hand. */
#include "policy/refresh/lomax_burst.h"
#include "policy/refresh/lomax_clocks.h"
#include "policy/refresh/lomax_index.h"
#include "policy/refresh/lomax_prior.h"
#include "policy/refresh/lomax_signals.h"
#include "test.h"

#define DAYS(n) ((fg_time)((n) * (double)FG_DAY))

/* --- the index --- */

static void gain_is_as_scipy_has_it(void **state)
{
    (void)state;
    struct {
        double a, b, z, time, gain;
    } cases[] = {
        {2.3, 17, 11, 6.241211561105345, 2.7501160369555744},
        {1, 20, 35, 20.232018233569597, 7.504745506296869},
        {0.3, 5, 200, 88.97867042731245, 23.334700379391748},
        {60, 900, 10, 7.306263836632658, 2.1531821482955795},
    };
    for (size_t i = 0; i < 4; i++) {
        struct fg_gamma_rate rate = {cases[i].a, cases[i].b};
        assert_near(fg_lomax_fresh_time(rate, cases[i].z), cases[i].time, 1e-10);
        assert_near(fg_lomax_gain(rate, cases[i].z), cases[i].gain, 1e-10);
    }
}

/* Simpson's rule for G, with t = log(1 + z / b) to go by, over shapes around 1 and spans
 * from tiny to huge. */
static void gain_is_the_integral(void **state)
{
    (void)state;
    double shapes[] = {0.05, 0.7, 0.9999999, 1, 1.0000001, 1.5, 20, 400};
    double spans[] = {1e-7, 1e-5, 1e-3, 0.1, 1, 10};
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < 6; j++) {
            struct fg_gamma_rate rate = {shapes[i], 50};
            double end = log1p(spans[j]), sum = 0;
            enum { PARTS = 8000 };
            for (int k = 0; k <= 2 * PARTS; k++)
                sum += (k == 0 || k == 2 * PARTS ? 1
                        : k % 2                  ? 4
                                                 : 2) *
                       exp((1 - rate.a) * end * k / (2 * PARTS));
            double z = 50 * spans[j], time = 50 * sum * end / PARTS / 6;
            double gain = time - z * pow(1 + spans[j], -rate.a);
            assert_near(fg_lomax_gain(rate, z), gain, 1e-4 * gain + 1e-11 * z);
        }
}

static void a_known_rate_gives_the_whittle_index(void **state)
{
    (void)state;
    double rate = 0.2, z = 7, grown = rate * z;
    double whittle = (1 - exp(-grown) * (1 + grown)) / rate;
    assert_near(fg_lomax_gain((struct fg_gamma_rate){1e7, 1e7 / rate}, z), whittle, 1e-5);
}

static void crossing_is_where_the_gain_is(void **state)
{
    (void)state;
    double shapes[] = {0.05, 0.5, 1, 1.2, 5, 400};
    for (size_t i = 0; i < 6; i++)
        for (double wanted = 1e-6; wanted < 2000; wanted *= 7) {
            struct fg_gamma_rate rate = {shapes[i], 30 * shapes[i]};
            double z = fg_lomax_crossing(rate, wanted, 0);
            if (wanted >= 0.999 * fg_lomax_most_gain(rate)) {
                assert_true(isinf(z));
                continue;
            }
            double gain = fg_lomax_gain(rate, z);
            assert_true(gain <= wanted * 1.001);
            assert_true(gain >= wanted * 0.9 || z > 1e6);
            /* From anywhere near, on either side, one arrives at the same. */
            for (double from = z / 3; from < 2 * z && z < 1e4; from *= 1.7)
                assert_near(fg_lomax_crossing(rate, wanted, from), z, 0.03 * z);
        }
}

/* --- the prior --- */

static void digamma_is_as_scipy_has_it(void **state)
{
    (void)state;
    assert_near(fg_digamma(0.3), -3.502524222200133, 1e-9);
    assert_near(fg_digamma(7.5), 1.9467574842460866, 1e-9);
    assert_near(fg_trigamma(0.3), 12.245364546107734, 1e-8);
    assert_near(fg_trigamma(7.5), 0.1426158966967038, 1e-9);
}

static void prior_learns_one_step_of_expectation_maximisation(void **state)
{
    (void)state;
    struct fg_lomax_prior prior;
    struct fg_lomax_sum sum = {0};
    fg_lomax_prior_start(&prior, 0.05);
    fg_lomax_sum_add(&sum, &prior, 0, 100, 1);
    fg_lomax_sum_add(&sum, &prior, 2, 50, 1);
    fg_lomax_sum_add(&sum, &prior, 5, 20, 2);
    fg_lomax_sum_add(&sum, &prior, 0.5, 300, 0.5);
    fg_lomax_prior_learn(&prior, &sum);
    assert_near(prior.shape, 0.7937047622224787, 1e-7);
    assert_near(prior.mean, 0.04333566760037349, 1e-12);
}

static void prior_finds_the_gamma_that_pages_are_drawn_from(void **state)
{
    (void)state;
    struct fg_lomax_prior prior;
    fg_lomax_prior_start(&prior, 0.05);
    for (int day = 0; day < 300; day++) { /* rates of shape 2, known well: quantiles */
        struct fg_lomax_sum sum = {0};
        for (int i = 0; i < 1000; i++) {
            double z = 0, chance = (i + 0.5) / 1000; /* bisect 1 - (1 + z) exp(-z) */
            for (double step = 16; step > 1e-9; step /= 2)
                z += 1 - (1 + z + step) * exp(-z - step) < chance ? step : 0;
            fg_lomax_sum_add(&sum, &prior, 1e5 * 0.03 * z / 2, 1e5, 1);
        }
        fg_lomax_prior_learn(&prior, &sum);
    }
    assert_near(prior.shape, 2, 0.02);
    assert_near(prior.mean, 0.03, 0.0005);
}

static void groups_weigh_pages_by_what_they_tell(void **state)
{
    (void)state;
    struct fg_lomax_prior prior = {.shape = 0.5, .mean = 0.02};
    struct fg_lomax_group group = {0};
    fg_lomax_group_add(&group, &prior, 4, 100);
    fg_lomax_group_add(&group, &prior, 0, 50);
    fg_lomax_group_add(&group, &prior, 9, 300);
    fg_lomax_group_learn(&group, &prior, 3);
    assert_near((double)group.found, 2.9846153846153847, 1e-6);
    assert_near((double)group.expected, 2.38974358974359, 1e-6);
    assert_near((double)group.rate, 1.0709046454767726, 1e-6);
}

/* --- bursts --- */

static void bursts_are_where_changes_are_found(void **state)
{
    (void)state;
    struct fg_lomax_burst burst;
    struct fg_gamma_rate rate = {1e6, 1e7}; /* 0.1 a day, known */
    fg_lomax_burst_start(&burst);
    /* 1 to 2 days after a change, u from 0.1 to 0.2: always changed again; 20 to 30 days
     * after it never. */
    for (int i = 0; i < 400; i++) {
        fg_lomax_burst_learn(&burst, rate, 1, 1, i % 4 == 0);
        fg_lomax_burst_learn(&burst, rate, 20, 10, false);
    }
    burst.visits = 1e4; /* so that the gate stays open */
    fg_lomax_burst_fade(&burst);
    struct fg_lomax_factor soon = fg_lomax_burst_factor(&burst, 0.1, 1e9, 1, 1);
    struct fg_lomax_factor late = fg_lomax_burst_factor(&burst, 0.1, 1e9, 20, 10);
    assert_true(soon.mean > 1.5);
    assert_true(late.mean < 0.2);
    struct fg_lomax_factor half = fg_lomax_burst_factor(&burst, 0.1, 1, 20, 10);
    assert_near(half.mean, sqrt(late.mean), 1e-9); /* rho = 1/2 */
    struct fg_lomax_factor none = fg_lomax_burst_factor(&burst, 0.1, 0, 20, 10);
    assert_near(none.mean, 1, 0);
    assert_near(none.now, 1, 0);
}

/* A visit 1 to 3 days after a change at a rate of 0.25 known well: u from 0.25 to 0.75,
 * three bins, with hazards 0.25 (sqrt 2 - 1), 0.5 - 0.25 sqrt 2 and 0.25. */
static void burst_counts_are_spread_over_the_bins(void **state)
{
    (void)state;
    struct fg_lomax_burst burst;
    fg_lomax_burst_start(&burst);
    fg_lomax_burst_learn(&burst, (struct fg_gamma_rate){1e9, 4e9}, 1, 2, true);
    double hazard[] = {0.25 * (M_SQRT2 - 1), 0.5 - 0.25 * M_SQRT2, 0.5 * M_SQRT2 - 0.5,
                       0.75 - 0.5 * M_SQRT2};
    double found = 0.5 / (1 - exp(-0.5));
    for (int i = 0; i < 4; i++) { /* bin 10 starts at 2^-2 */
        assert_near(burst.expected[10 + i], hazard[i], 1e-6);
        assert_near(burst.found[10 + i], found * hazard[i] / 0.5, 1e-6);
    }
}

static void bursts_are_not_looked_for_where_every_visit_finds_changes(void **state)
{
    (void)state;
    struct fg_lomax_burst burst;
    fg_lomax_burst_start(&burst);
    assert_true(burst.is_on);
    for (int i = 0; i < 100; i++)
        fg_lomax_burst_learn(&burst, (struct fg_gamma_rate){1, 20}, 1, 1, i % 4 == 0);
    fg_lomax_burst_fade(&burst);
    assert_false(burst.is_on);
    assert_near(fg_lomax_burst_factor(&burst, 0.1, 5, 1, 1).mean, 1, 0);
}

/* --- clocks --- */

static struct fg_lomax_clocks clocks_of_a_day(void)
{
    struct fg_lomax_clocks clocks;
    fg_lomax_clocks_init(&clocks);
    fg_lomax_clocks_fade(&clocks, 4);
    return clocks;
}

static const struct fg_gamma_rate monthly = {1, 20};

static void clocks_count_by_day(void **state)
{
    (void)state;
    struct fg_lomax_clocks clocks = clocks_of_a_day();
    fg_lomax_clocks_learn(&clocks, 3, monthly, DAYS(10.5), DAYS(12), true);
    const struct fg_lomax_clock *clock = fg_lomax_clocks_of(&clocks, 3);
    double first = log(20.5 / 20), second = log(21.5 / 20.5), all = first + second;
    assert_near((double)clock->expected[10], first, 1e-5);
    assert_near((double)clock->expected[11], second, 1e-5);
    assert_near((double)clock->found[10], first / (1 - exp(-all)), 1e-4);
    assert_near((double)clock->found[11], second / (1 - exp(-all)), 1e-4);
    assert_null(fg_lomax_clocks_of(&clocks, 2));
    fg_lomax_clocks_clear(&clocks);
}

/* Speeds are those of the mixture, from scipy. */
static void storms_need_evidence(void **state)
{
    (void)state;
    struct {
        float found, expected;
        double speed;
    } cases[] = {
        {1, 0.5F, 1.0991661965140713},
        {4, 0.5F, 6.60296694916232},
        {10, 1, 9.999036939284522},
        {40, 2, 19.75609756097561},
        {1.2F, 1, 1.0257227569145513},
        {0, 5, 30.0 / 35},
        {0, 100, 0.3},
        {400, 2, 30},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_lomax_clocks clocks = clocks_of_a_day();
        fg_lomax_clocks_learn(&clocks, 0, monthly, DAYS(10), DAYS(11), false);
        struct fg_lomax_clock *clock = fg_lomax_clocks_of(&clocks, 0);
        clock->found[10] = cases[i].found;
        clock->expected[10] = cases[i].expected;
        fg_lomax_clocks_update(&clocks, DAYS(20));
        assert_near(fg_lomax_clocks_between(&clocks, 0, DAYS(10), DAYS(11)),
                    cases[i].speed, 1e-5 * cases[i].speed);
        assert_near(fg_lomax_clocks_between(&clocks, 0, DAYS(12), DAYS(20)), 8, 1e-6);
        fg_lomax_clocks_clear(&clocks);
    }
}

static void shocks_reach_back(void **state)
{
    (void)state;
    struct fg_lomax_clocks clocks = clocks_of_a_day();
    for (int page = 0; page < 20; page++) /* all changed on day 50 or 51 */
        fg_lomax_clocks_learn(&clocks, 1, monthly, DAYS(50), DAYS(52), true);
    fg_lomax_clocks_learn(&clocks, 2, monthly, DAYS(50), DAYS(52), false);
    fg_lomax_clocks_update(&clocks, DAYS(60));
    /* A sibling seen before that is suspect, one seen after it is not. */
    assert_true(fg_lomax_clocks_between(&clocks, 1, DAYS(45), DAYS(60)) > 25);
    assert_near(fg_lomax_clocks_between(&clocks, 1, DAYS(52), DAYS(60)), 8, 1e-6);
    /* Nor is another group, nor one of which nothing is known. */
    assert_near(fg_lomax_clocks_between(&clocks, 2, DAYS(45), DAYS(60)), 15, 0.1);
    assert_near(fg_lomax_clocks_between(&clocks, 9, DAYS(45), DAYS(60)), 15, 1e-9);
    /* Of what is older than the clock's memory, time is plain. */
    fg_lomax_clocks_update(&clocks, DAYS(600));
    assert_near(fg_lomax_clocks_between(&clocks, 1, DAYS(45), DAYS(600)), 555, 1e-6);
    fg_lomax_clocks_clear(&clocks);
}

/* A visit may come long after the last choice, on days that no clock has yet. */
static void clocks_go_on_between_updates(void **state)
{
    (void)state;
    struct fg_lomax_clocks clocks = clocks_of_a_day();
    for (int page = 0; page < 20; page++)
        fg_lomax_clocks_learn(&clocks, 1, monthly, DAYS(50), DAYS(52), true);
    fg_lomax_clocks_update(&clocks, DAYS(60.25));
    double before = fg_lomax_clocks_between(&clocks, 1, DAYS(45), DAYS(60.25));
    fg_lomax_clocks_learn(&clocks, 1, monthly, DAYS(61), DAYS(63.5), false);
    assert_near(fg_lomax_clocks_between(&clocks, 1, DAYS(45), DAYS(60.25)), before, 1e-9);
    assert_near(fg_lomax_clocks_between(&clocks, 1, DAYS(45), DAYS(63.5)), before + 3.25,
                1e-6);
    /* A group that has a clock only since then. */
    fg_lomax_clocks_learn(&clocks, 2, monthly, DAYS(58), DAYS(60.25), false);
    assert_near(fg_lomax_clocks_between(&clocks, 2, DAYS(60), DAYS(60.25)), 0.25, 1e-6);
    fg_lomax_clocks_clear(&clocks);
}

static void clocks_go_to_those_who_are_visited(void **state)
{
    (void)state;
    struct fg_lomax_clocks clocks = clocks_of_a_day(); /* there are 4 */
    for (uint32_t group = 0; group < 6; group++)
        for (int i = 0; i < (group == 2 ? 1 : 40); i++)
            fg_lomax_clocks_learn(&clocks, group, monthly, DAYS(1), DAYS(2), false);
    assert_int_equal(clocks.n, 4);
    assert_null(fg_lomax_clocks_of(&clocks, 4));
    fg_lomax_clocks_fade(&clocks, 4);
    assert_null(fg_lomax_clocks_of(&clocks, 2));
    assert_int_equal(fg_lomax_clocks_of(&clocks, 3)->group, 3);
    fg_lomax_clocks_learn(&clocks, 4, monthly, DAYS(1), DAYS(2), false);
    assert_non_null(fg_lomax_clocks_of(&clocks, 4));
    fg_lomax_clocks_clear(&clocks);
}

static void clocks_have_new_numbers_after_a_restart(void **state)
{
    (void)state;
    struct fg_lomax_clocks clocks = clocks_of_a_day(), loaded;
    for (int page = 0; page < 20; page++)
        fg_lomax_clocks_learn(&clocks, 1, monthly, DAYS(50), DAYS(52), true);
    fg_lomax_clocks_update(&clocks, DAYS(60));
    uint32_t to[] = {UINT32_MAX, 5};
    struct fg_buf bytes;
    fg_buf_init(&bytes, 1 << 20);
    fg_lomax_clocks_save(&clocks, &bytes);
    size_t frame = bytes.len;
    fg_lomax_clock_save(&clocks, 0, &bytes); /* it has none */
    assert_int_equal(bytes.len, frame);
    fg_lomax_clock_save(&clocks, 1, &bytes);
    struct fg_str rest = fg_buf_str(&bytes);
    fg_lomax_clocks_init(&loaded);
    assert_true(fg_lomax_clocks_load(&loaded, &rest, false, 2));
    assert_true(fg_lomax_clock_load(&loaded, &rest));
    assert_int_equal(rest.len, 0);
    fg_lomax_clocks_renumber(&loaded, to, 2);
    assert_near(fg_lomax_clocks_between(&loaded, 5, DAYS(45), DAYS(60)),
                fg_lomax_clocks_between(&clocks, 1, DAYS(45), DAYS(60)), 1e-12);
    assert_null(fg_lomax_clocks_of(&loaded, 1));
    rest = fg_str_sub(fg_buf_str(&bytes), 0, frame - 1);
    assert_false(fg_lomax_clocks_load(&loaded, &rest, false, 2));
    rest = fg_buf_str(&bytes);
    assert_false(fg_lomax_clocks_load(&loaded, &rest, false, 0)); /* more than groups */
    rest = fg_str_sub(fg_buf_str(&bytes), frame, bytes.len - 1);
    assert_false(fg_lomax_clock_load(&loaded, &rest));
    fg_buf_clear(&bytes);
    fg_lomax_clocks_clear(&clocks);
    fg_lomax_clocks_clear(&loaded);
}

static void hours_follow_the_profile(void **state)
{
    (void)state;
    struct fg_lomax_clocks clocks;
    fg_lomax_clocks_init(&clocks);
    fg_lomax_clocks_restart(&clocks, FG_HOUR);
    fg_lomax_clocks_fade(&clocks, 4);
    struct fg_gamma_rate hourly = {1e6, 1e6 / 4.0}; /* 4 a day */
    for (int day = 4; day < 74; day++) /* Mondays to Sundays; changes at 9 on weekdays */
        for (int hour = 0; hour < 24; hour++) {
            fg_time now = DAYS(day) + (hour + 1) * FG_HOUR;
            fg_lomax_clocks_learn(&clocks, 0, hourly, now - FG_HOUR, now,
                                  hour == 9 && day % 7 != 2 && day % 7 != 3);
        }
    fg_lomax_clocks_fade(&clocks, 4);
    assert_true(clocks.profile[9] > 2);
    assert_true(clocks.profile[8] < 0.9);
    assert_true(clocks.profile[24 + 9] < clocks.profile[9] / 2); /* a weekend */
    double mean = 0;
    for (int i = 0; i < 48; i++)
        mean += clocks.profile[i] * (i < 24 ? 5.0 : 2.0) / 7 / 24;
    assert_near(mean, 1, 1e-12);
    fg_lomax_clocks_clear(&clocks);
}

/* --- signals --- */

static void signals_are_trusted_as_they_deserve(void **state)
{
    (void)state;
    struct fg_lomax_signals signals = {0};
    assert_near(fg_lomax_signals_trust(&signals, 3).recall, 0, 0);
    assert_near(fg_lomax_signalled(fg_lomax_signals_trust(&signals, 3), 0.1, 5, 7), 7, 0);
    fg_lomax_signals_saw(&signals, 3);
    assert_near(fg_lomax_signals_trust(&signals, 3).recall, 0.25, 1e-6);
    assert_near(fg_lomax_signals_trust(&signals, 3).false_a_day, 0.02, 1e-6);
    for (int i = 0; i < 100; i++) { /* 9 of 10 changes told, 1 false signal in 100 days */
        fg_lomax_signals_learn(&signals, 3, i % 10 > 0, 1e-6, true);
        fg_lomax_signals_learn(&signals, 3, i % 10 == 0, 10, false);
    }
    struct fg_lomax_trust trust = fg_lomax_signals_trust(&signals, 3);
    assert_near(trust.recall, 90.5 / 102, 1e-3);
    assert_near(trust.false_a_day, 10.2 / 1010, 1e-5);
    /* (1 - r) z + k log(1 + r l / phi) / l */
    assert_near(fg_lomax_signalled(trust, 0.1, 2, 30),
                (1 - trust.recall) * 30 +
                    2 * log1p(trust.recall * 0.1 / trust.false_a_day) / 0.1,
                1e-9);
    assert_near(fg_lomax_signals_trust(&signals, 2).recall, 0, 0);
    fg_lomax_signals_clear(&signals);
}

/* A site that signals all the time is right whenever a page has changed, and tells
 * nothing by it. */
static void signals_that_are_right_by_chance_are_not_trusted(void **state)
{
    (void)state;
    struct fg_lomax_signals signals = {0};
    fg_lomax_signals_saw(&signals, 0);
    for (int i = 0; i < 200; i++)
        fg_lomax_signals_learn(&signals, 0, 30, 30, i % 3 == 0);
    assert_near(fg_lomax_signals_trust(&signals, 0).false_a_day, 1, 0.01);
    struct fg_lomax_trust trust = fg_lomax_signals_trust(&signals, 0);
    assert_true(fg_lomax_signalled(trust, 0.01, 30, 30) < 31);
    fg_lomax_signals_clear(&signals);
}

FG_TESTS(gain_is_as_scipy_has_it, gain_is_the_integral,
         a_known_rate_gives_the_whittle_index, crossing_is_where_the_gain_is,
         digamma_is_as_scipy_has_it, prior_learns_one_step_of_expectation_maximisation,
         prior_finds_the_gamma_that_pages_are_drawn_from,
         groups_weigh_pages_by_what_they_tell, bursts_are_where_changes_are_found,
         burst_counts_are_spread_over_the_bins,
         bursts_are_not_looked_for_where_every_visit_finds_changes, clocks_count_by_day,
         storms_need_evidence, shocks_reach_back, clocks_go_on_between_updates,
         clocks_go_to_those_who_are_visited, clocks_have_new_numbers_after_a_restart,
         hours_follow_the_profile, signals_are_trusted_as_they_deserve,
         signals_that_are_right_by_chance_are_not_trusted)
