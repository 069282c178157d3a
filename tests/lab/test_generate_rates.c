/* How the rates of generated sites rise and fall: profiles, moods, bursts. */
#include "lab/generate/generate_model.h"
#include "test.h"

static struct gen_params params_of(const char *name)
{
    struct gen_params params;
    assert_true(gen_params_find(&params, name));
    return params;
}

static void generate_profile_has_mean_one(void **state)
{
    (void)state;
    static const char *const names[] = {"news", "classifieds", "reports", "volatile"};
    for (size_t i = 0; i < 4; i++)
        for (int batch = -1; batch < 24; batch += 8) {
            struct gen_params params = params_of(names[i]);
            double profile[GEN_WEEK], sum = 0;
            gen_profile(profile, &params, 13.3, 2, .4, batch);
            for (int h = 0; h < GEN_WEEK; h++)
                sum += profile[h] / GEN_WEEK;
            assert_near(sum, 1, 1e-12);
        }
}

/* At the peak the profile is 1, twelve hours off trough + (1 - trough) exp(-2 kap); a
 * weekend hour is the weekend factor times the same hour of the week. */
static void generate_profile_follows_its_formula(void **state)
{
    (void)state;
    struct gen_params params = {.when.trough = .12};
    double profile[GEN_WEEK];
    gen_profile(profile, &params, 13, 1.5, .55, -1);
    assert_near(profile[24 + 1] / profile[24 + 13], .12 + .88 * exp(-3), 1e-12);
    assert_near(profile[24 + 19] / profile[24 + 13], .12 + .88 * exp(-1.5), 1e-12);
    assert_near(profile[24 + 3] / profile[24 + 13],
                .12 + .88 * exp(1.5 * (cos(2 * M_PI * 10 / 24) - 1)), 1e-12);
    for (int h = 0; h < 24; h++) {
        assert_near(profile[5 * 24 + h] / profile[h], .55, 1e-12);
        assert_near(profile[6 * 24 + h] / profile[h], .55, 1e-12);
        assert_near(profile[4 * 24 + h] / profile[h], 1, 1e-12);
    }
}

static void generate_batch_hour_gets_forty_per_cent_of_a_day(void **state)
{
    (void)state;
    struct gen_params params = {.when.trough = 1};
    double profile[GEN_WEEK], day = 0;
    gen_profile(profile, &params, 13, 2, 1, 7);
    for (int h = 0; h < 24; h++)
        day += profile[h];
    /* Its own share of the even 60 % comes on top. */
    assert_near(profile[7] / day, .4 + .6 / 24, 1e-12);
}

struct moments {
    double mean, deviation;
};

static struct moments log_moments(const double *x, size_t n, size_t step)
{
    double sum = 0, squares = 0;
    size_t many = 0;
    for (size_t i = 0; i < n; i += step, many++) {
        sum += log(x[i]);
        squares += log(x[i]) * log(x[i]);
    }
    double mean = sum / (double)many;
    return (struct moments){mean, sqrt(squares / (double)many - mean * mean)};
}

/* AR with 0.7 and 0.25 N: deviation 0.25 / sqrt(1 - 0.49) = 0.350. With drift d a day and
 * a pull of 0.01, the walk settles at d / sqrt(1 - 0.99^2) = 7.09 d. */
static void generate_multiplier_ripples_and_drifts(void **state)
{
    (void)state;
    enum { HOURS = 24 * 40000 };
    struct fg_arena arena = {0};
    struct gen_params params = {.when.hot = 4};
    struct fg_rng rng = fg_rng_from_seed(5);
    double *still = gen_multiplier(&arena, &params, rng, HOURS, 0);
    struct moments m = log_moments(still, HOURS, 1);
    assert_near(m.mean, 0, .01);
    assert_near(m.deviation, .350, .005);
    params.when.drift = .15;
    double *drifting = gen_multiplier(&arena, &params, rng, HOURS, 0);
    m = log_moments(drifting, HOURS, 24);
    assert_near(m.deviation, sqrt(.35 * .35 + 1.0634 * 1.0634), .1);
    fg_arena_clear(&arena);
}

/* With jumps every other hour the regime is .03, hot or 1 with .4, .35, .25: a mean of
 * .012 + 1.4 + .25 = 1.662, times exp(.35^2 / 2) of the ripple. */
static void generate_multiplier_jumps_between_regimes(void **state)
{
    (void)state;
    enum { HOURS = 400000 };
    struct fg_arena arena = {0};
    struct gen_params params = {.when.hot = 4};
    double *m = gen_multiplier(&arena, &params, fg_rng_from_seed(6), HOURS, 84);
    double mean = 0, dead = 0;
    for (size_t h = 0; h < HOURS; h++) {
        mean += m[h] / HOURS;
        dead += (m[h] < .15) / (double)HOURS;
    }
    assert_near(mean, 1.662 * exp(.1225 / 2), .02);
    assert_near(dead, .4, .01);
    /* At one jump in ten weeks, of which three quarters go elsewhere, few hours differ
     * from the hour before by a factor of three. */
    double *slow = gen_multiplier(&arena, &params, fg_rng_from_seed(6), HOURS, .1);
    size_t jumps = 0;
    for (size_t h = 1; h < HOURS; h++)
        jumps += fabs(log(slow[h] / slow[h - 1])) > 1.2;
    assert_near((double)jumps, .1 * HOURS / GEN_WEEK * .655, 40);
    fg_arena_clear(&arena);
}

/* Each burst adds height * sum of exp(-age / decay) over 30 hours, in expectation. */
static void generate_bursts_add_their_height(void **state)
{
    (void)state;
    enum { HOURS = 200000, SECTIONS = 4 };
    struct fg_arena arena = {0};
    struct gen_params params = {
        .when.bursts_per_day = .3, .when.burst_height = 6, .when.burst_decay_hours = 5};
    double *factor = gen_bursts(&arena, &params, fg_rng_from_seed(7), SECTIONS, HOURS);
    double sum = 0, mean = 0;
    for (int age = 0; age < 30; age++)
        sum += exp(-age / 5.0);
    for (size_t i = 0; i < (size_t)HOURS * SECTIONS; i++) {
        assert_true(factor[i] >= 1);
        mean += factor[i] / HOURS / SECTIONS;
    }
    assert_near(mean - 1, .3 / 24 / SECTIONS * 6 * sum, .006);
    fg_arena_clear(&arena);
}

FG_TESTS(generate_profile_has_mean_one, generate_profile_follows_its_formula,
         generate_batch_hour_gets_forty_per_cent_of_a_day,
         generate_multiplier_ripples_and_drifts,
         generate_multiplier_jumps_between_regimes, generate_bursts_add_their_height)
