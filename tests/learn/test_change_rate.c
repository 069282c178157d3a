/* Change rates from visits: against values by hand and by quadrature, and against the
 * rate that simulated pages have. */
#include "test.h"

#include "base/rng.h"
#include "base/variate.h"
#include "learn/change_rate.h"

/* Dates: NONE, or the age. */
#define NONE (-1.0)

static void likeliest_of_equal_intervals_has_a_closed_form(void **state)
{
    (void)state;
    struct fg_interval visits[10];
    for (size_t i = 0; i < 10; i++)
        visits[i] = (struct fg_interval){2, i < 4, NONE};
    assert_near(fg_rate_likeliest(visits, 10), -log(0.6) / 2, 1e-13);
}

static void likeliest_of_two_intervals_by_hand(void **state)
{
    (void)state;
    /* 1 / (e^l - 1) = 2 */
    static const struct fg_interval visits[] = {{1, true, NONE}, {2, false, NONE}};
    assert_near(fg_rate_likeliest(visits, 2), log(1.5), 1e-14);
    /* dated: 1 / l = 0.5 + 2 */
    static const struct fg_interval dated[] = {{3, true, 0.5}, {2, false, NONE}};
    assert_near(fg_rate_likeliest(dated, 2), 0.4, 1e-14);
}

/* Roots of the derivative of the log-likelihood (scipy's brentq). */
static const struct fg_interval mixed[] = {{1, true, NONE},   {2.5, false, NONE},
                                           {0.5, true, NONE}, {4, true, 1.5},
                                           {7, false, NONE},  {3, true, NONE}};

static void likeliest_of_mixed_intervals(void **state)
{
    (void)state;
    struct fg_interval undated[6];
    memcpy(undated, mixed, sizeof mixed);
    undated[3].age = NONE;
    assert_near(fg_rate_likeliest(mixed, 6), 0.307923384189, 1e-11);
    assert_near(fg_rate_likeliest(undated, 6), 0.305465536759, 1e-11);
    /* A date before the visit before is no date of this change. */
    undated[3].age = 4.5;
    assert_near(fg_rate_likeliest(undated, 6), 0.305465536759, 1e-11);
}

static void likeliest_at_the_ends(void **state)
{
    (void)state;
    static const struct fg_interval never[] = {{1, false, NONE}, {2, false, NONE}};
    static const struct fg_interval always[] = {{1, true, NONE}, {2, true, NONE}};
    static const struct fg_interval dated[] = {{1, true, 0.5}, {2, true, 1.5}};
    static const struct fg_interval at_once[] = {{0, true, NONE}, {0, false, NONE}};
    assert_true(fg_rate_likeliest(never, 2) == 0);
    assert_true(isinf(fg_rate_likeliest(always, 2)));
    assert_near(fg_rate_likeliest(dated, 2), 1, 1e-14);
    assert_true(fg_rate_likeliest(at_once, 2) == 0);
    assert_true(fg_rate_likeliest(never, 0) == 0);
    /* A thousand times as long changed as not: ln(1 + 1000) */
    static const struct fg_interval nearly[] = {{1, true, NONE}, {0.001, false, NONE}};
    assert_near(fg_rate_likeliest(nearly, 2), 6.90875477931522, 1e-10);
}

/* With a = b = T = 1: z = 1/2, 3/4, 7/8, so the mean is 3/2, the mean square 7/2. */
static void a_change_moves_the_gamma_by_its_moments(void **state)
{
    (void)state;
    struct fg_gamma_rate rate = fg_rate_learn((struct fg_gamma_rate){1, 1}, 1, true);
    assert_near(rate.a, 1.8, 1e-13);
    assert_near(rate.b, 1.2, 1e-13);
    rate = fg_rate_learn((struct fg_gamma_rate){2, 3}, 4, false);
    assert_true(rate.a == 2 && rate.b == 7);
    /* In next to no time a change is a change: one more, in no more time. */
    rate = fg_rate_learn((struct fg_gamma_rate){2, 3}, 1e-12, true);
    assert_near(rate.a, 3, 1e-6);
    assert_near(rate.b, 3, 1e-6);
    /* After a very long time it tells nothing. */
    rate = fg_rate_learn((struct fg_gamma_rate){2, 3}, 1e12, true);
    assert_near(rate.a, 2, 1e-6);
    assert_near(rate.b, 3, 1e-6);
}

/* The gamma with the mean and the variance of the exact posterior, by the trapezoidal
 * rule over log l. */
static struct fg_gamma_rate posterior(struct fg_gamma_rate prior,
                                      const struct fg_interval *visits, size_t n)
{
    double sum[3] = {0};
    for (double x = -700; x < 10; x += 0.005) {
        double l = exp(x), density = prior.a * x - prior.b * l;
        for (size_t i = 0; i < n; i++)
            density += visits[i].changed ? log(-expm1(-l * visits[i].length))
                                         : -l * visits[i].length;
        for (int k = 0; k < 3; k++)
            sum[k] += exp(density + k * x);
    }
    double mean = sum[1] / sum[0], variance = sum[2] / sum[0] - mean * mean;
    return (struct fg_gamma_rate){mean * mean / variance, mean / variance};
}

/* One visit is matched by its moments exactly, so both ways are the same. */
static void one_change_is_learnt_exactly(void **state)
{
    (void)state;
    static const double shapes[] = {0.05, 1, 30}, lengths[] = {0.01, 1, 50};
    for (size_t i = 0; i < 9; i++) {
        struct fg_gamma_rate prior = {shapes[i / 3], 2};
        struct fg_interval visit = {lengths[i % 3], true, NONE};
        struct fg_gamma_rate step = fg_rate_learn(prior, visit.length, true);
        struct fg_gamma_rate exact = posterior(prior, &visit, 1);
        assert_near(step.a, exact.a, 1e-8 * exact.a);
        assert_near(step.b, exact.b, 1e-8 * exact.b);
    }
}

static void learning_visit_by_visit_stays_near_the_posterior(void **state)
{
    (void)state;
    struct fg_gamma_rate rate = {2, 5}, exact = posterior(rate, mixed, 3);
    for (size_t i = 0; i < 3; i++)
        rate = fg_rate_learn(rate, mixed[i].length, mixed[i].changed);
    assert_near(rate.a / rate.b, exact.a / exact.b, 0.01 * exact.a / exact.b);
    assert_near(rate.a, exact.a, 0.03 * exact.a);
}

enum { VISITS = 20000 };

/* A page that changes at `rate`, visited at exponential intervals of mean 3. */
static void simulate(struct fg_interval *visits, double rate)
{
    struct fg_rng rng = fg_rng_from_seed(11);
    for (size_t i = 0; i < VISITS; i++) {
        double length = 3 * fg_rng_exponential(&rng);
        double age = fg_rng_exponential(&rng) / rate; /* of the last change, backwards */
        visits[i] = (struct fg_interval){length, age < length, age};
    }
}

static void estimates_come_near_the_true_rate(void **state)
{
    (void)state;
    static struct fg_interval visits[VISITS];
    static const double rates[] = {0.02, 0.3, 2};
    for (size_t k = 0; k < 3; k++) {
        double rate = rates[k];
        simulate(visits, rate);
        assert_near(fg_rate_likeliest(visits, VISITS), rate, 0.04 * rate);
        for (size_t i = 0; i < VISITS; i++)
            visits[i].age = NONE;
        assert_near(fg_rate_likeliest(visits, VISITS), rate, 0.06 * rate);
    }
}

/* 18 visits in 43 minutes, each with a change: (1 - exp(-l T))^18 has fallen to
 * exp(-1.9207) where exp(-l T) = 1 - exp(-1.9207 / 18), which is l = 1380.72 a day. */
static void interval_of_a_page_that_always_changes(void **state)
{
    (void)state;
    struct fg_interval visits[18];
    double low, high, days = 43.0 / 60 / 24 / 18;
    for (size_t i = 0; i < 18; i++)
        visits[i] = (struct fg_interval){days, true, NONE};
    fg_rate_interval(visits, 18, &low, &high);
    assert_near(low, -log(-expm1(-1.920729410347062 / 18)) / days, 1e-6 * low);
    assert_near(low, 1380.72, 0.01);
    assert_true(isinf(high));
    /* Unchanged for 10 days: exp(-10 l) has fallen as far. */
    visits[0] = (struct fg_interval){4, false, NONE};
    visits[1] = (struct fg_interval){6, false, NONE};
    fg_rate_interval(visits, 2, &low, &high);
    assert_true(low == 0);
    assert_near(high, 0.1920729410347062, 1e-12);
    fg_rate_interval(visits, 0, &low, &high);
    assert_true(low == 0 && isinf(high));
}

/* One visit of each kind, a day each: L = e^-l (1 - e^-l) is 1/4 at most, at l = log 2,
 * and e^-1.9207 / 4 = p (1 - p) at p = .962050 and .037950, the shares that stay. */
static void interval_of_two_visits_by_hand(void **state)
{
    (void)state;
    struct fg_interval visits[] = {{1, true, NONE}, {1, false, NONE}};
    double low, high, p = (1 + sqrt(1 - exp(-1.920729410347062))) / 2;
    fg_rate_interval(visits, 2, &low, &high);
    assert_near(low, -log(p), 1e-9);
    assert_near(high, -log(1 - p), 1e-9);
}

static void twelve_bytes_are_enough_for_equal_intervals(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct fg_seen), 12);
    struct fg_seen seen = {0};
    struct fg_interval visits[12];
    for (size_t i = 0; i < 12; i++) {
        visits[i] = (struct fg_interval){2, i % 3 == 0, NONE};
        fg_seen_add(&seen, 2, i % 3 == 0);
    }
    assert_near(fg_seen_rate(&seen, 0, 9), fg_rate_likeliest(visits, 12), 1e-12);
    /* Half a visit of each kind more: 4.5 of 13 changed. */
    assert_near(fg_seen_rate(&seen, 0.5, 9), -log(1 - 4.5 / 13) / 2, 1e-12);
}

static void pseudo_visits_keep_rates_finite(void **state)
{
    (void)state;
    struct fg_seen nothing = {0}, always = {0}, never = {0};
    fg_seen_add(&nothing, 0, true);
    fg_seen_add(&always, 2, true);
    fg_seen_add(&never, 4, false);
    assert_near(fg_seen_rate(&nothing, 0.5, 0.7), 0.7, 0);
    assert_true(isinf(fg_seen_rate(&always, 0, 0.7)));
    assert_near(fg_seen_rate(&always, 0.5, 0.7), log(4) / 2, 1e-12);
    assert_near(fg_seen_rate(&never, 0.5, 0.7), 0.125, 1e-12);
    assert_true(fg_seen_rate(&never, 0, 0.7) == 0);
}

FG_TESTS(likeliest_of_equal_intervals_has_a_closed_form,
         likeliest_of_two_intervals_by_hand, likeliest_of_mixed_intervals,
         likeliest_at_the_ends, a_change_moves_the_gamma_by_its_moments,
         one_change_is_learnt_exactly, learning_visit_by_visit_stays_near_the_posterior,
         estimates_come_near_the_true_rate, interval_of_a_page_that_always_changes,
         interval_of_two_visits_by_hand, twelve_bytes_are_enough_for_equal_intervals,
         pseudo_visits_keep_rates_finite)
