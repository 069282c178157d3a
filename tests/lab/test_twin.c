/* A likeness of a site keeps all that was seen of it, and estimates made on it hold what
 * comes true. */
#include "lab/generate/generate.h"
#include "lab/random_site.h"
#include "lab/recording.h"
#include "lab/twin/estimate.h"
#include "lab/twin/life.h"
#include "test.h"

#include <unistd.h>

static const struct fg_policy *policy_named(const char *name)
{
    const struct fg_policy *policy = fg_policy_find(fg_str_from(name), FG_DISCOVERY);
    assert_non_null(policy);
    return policy;
}

/* --- parts of a site --- */

static void stays_and_parts_are_those_of_the_site(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct truth truth = truth_draw(seed);
        struct fg_site *site = truth_site(&truth);
        size_t n, from = truth.steps / 3, steps = truth.steps - from;
        struct fg_stay *stays = fg_site_stays(site, &n);
        struct fg_site *again = fg_site_new(&site->facts, stays, n);
        assert_int_equal(again->observations, site->observations);
        assert_int_equal(again->pairs, site->pairs);
        free(stays);
        struct fg_site *part = fg_site_part(site, from, steps);
        size_t there = 0;
        for (size_t t = from; t < truth.steps; t++)
            for (size_t u = 0; u < truth.sources; u++)
                for (size_t v = 0; v < MOST_TARGETS; v++)
                    there += truth.shows[t][u][v];
        assert_int_equal(part->observations, there);
        assert_int_equal(part->facts.start,
                         site->facts.start + (fg_time)from * site->facts.step);
        fg_site_free(part);
        fg_site_free(again);
        fg_site_free(site);
    }
}

/* --- life tables --- */

/* 40 links of which each is seen from its first hour on; half leave after 4 h, the other
 * half are there after 10. */
static void life_counts_what_was_seen(void **state)
{
    (void)state;
    struct fg_life life = {0};
    for (size_t i = 0; i < 40; i++)
        fg_life_add(&life, 1, i % 2 ? 4 : 10, i % 2);
    assert_near(life.hours[0], 40, 1e-9);              /* from 1 h to 2 h */
    assert_near(life.hours[1], 20 * 2 + 20 * 4, 1e-9); /* to 4 h, to 6 h */
    assert_near(life.left[1], 20, 1e-9);
    assert_near(life.hours[2], 20 * 4, 1e-9);
    double mean = (3 * 50.0 + 240) / (3 + 20);
    assert_near(fg_life_mean(&life, 50), mean, 1e-9);
    fg_life_done(&life, 50);
    assert_near(life.rate[1], (20 + 2) / (120 + 2 * mean), 1e-9);
    assert_near(fg_life_left_after(&life, 3), exp(-2 * life.rate[0] - life.rate[1]),
                1e-9);
    /* The integral of the chance to be still there. */
    double sum = 0;
    for (double at = 0.005; at < 30; at += 0.01)
        sum += 0.01 * fg_life_left_after(&life, at);
    assert_near(fg_life_within(&life, 30), sum, 1e-3);
}

static void ages_are_drawn_within_their_limits(void **state)
{
    (void)state;
    struct fg_life life = {0};
    struct fg_rng rng = fg_rng_from_seed(1);
    fg_life_done(&life, 5);
    double left = 0;
    enum { DRAWS = 20000 };
    for (size_t i = 0; i < DRAWS; i++) {
        double age = fg_life_draw(&life, &rng, 3, 9);
        assert_true(age >= 3 && age <= 9);
        left += fg_life_draw(&life, &rng, 0, INFINITY) <= 4;
    }
    assert_near(left / DRAWS, 1 - fg_life_left_after(&life, 4), 0.02);
}

/* --- the twin keeps what was seen --- */

/* What a look at that step shows. */
static bool shows(const struct fg_site *site, uint32_t source, uint32_t target,
                  size_t step)
{
    bool is_there = false;
    for (size_t t = 0; t <= step; t++)
        for (size_t i = site->event_at[t]; i < site->event_at[t + 1]; i++) {
            uint32_t pair = site->event[i] >> 1;
            if (site->pair_source[pair] == source && site->pair_target[pair] == target)
                is_there = site->event[i] & 1;
        }
    return is_there;
}

static size_t step_of(const struct fg_looked *looked, fg_time time, fg_time step)
{
    return (size_t)((time - looked->from + step - 1) / step);
}

/* Each look of the log shows the same on the twin: the link from the first to the last
 * that showed it, and not at the looks before and after. */
static void the_twin_shows_what_was_seen(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct truth truth = truth_draw(seed);
        struct fg_site *site = truth_site(&truth);
        struct fg_looked looked;
        struct fg_err err;
        assert_int_equal(
            fg_looked_replay(&looked, site, policy_named("random"), 1, seed, &err),
            FG_OK);
        struct fg_twin_rules rules = {
            .step = site->facts.step, .seed = seed, .has_ghosts = true};
        struct fg_site *twin = fg_twin_new(&looked, &rules);
        for (size_t i = 0; i < looked.sights.len; i++) {
            const struct fg_sight *s = &looked.sights.at[i];
            fg_time step = rules.step;
            assert_true(
                shows(twin, s->source, s->target, step_of(&looked, s->first, step)));
            assert_true(
                shows(twin, s->source, s->target, step_of(&looked, s->last, step)));
            if (s->before != FG_NEVER)
                assert_false(
                    shows(twin, s->source, s->target, step_of(&looked, s->before, step)));
            if (s->after != FG_NEVER)
                assert_false(
                    shows(twin, s->source, s->target, step_of(&looked, s->after, step)));
        }
        fg_site_free(twin);
        fg_looked_clear(&looked);
        fg_site_free(site);
    }
}

static void a_sight_is_cut_to_the_looks_there_are(void **state)
{
    (void)state;
    struct fg_looked looked;
    fg_looked_init(&looked, 1, 0, 100);
    static const fg_time at[] = {30, 10, 20, 40, 20, 200};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        fg_looked_look(&looked, 0, at[i]);
    fg_looked_sight(&looked, 0, 0, 15, 35);
    fg_looked_sight(&looked, 0, 1, 5, 500);
    fg_looked_sight(&looked, 0, 2, 21, 29); /* between two looks */
    fg_looked_done(&looked);
    assert_int_equal(fg_looked_count(&looked), 4);
    assert_int_equal(looked.sights.len, 2);
    const struct fg_sight *s = looked.sights.at;
    assert_true(s[0].before == 10 && s[0].first == 20 && s[0].last == 30 &&
                s[0].after == 40);
    assert_true(s[1].before == FG_NEVER && s[1].first == 10 && s[1].last == 40 &&
                s[1].after == FG_NEVER);
    assert_true(fg_looked_next(&looked, 0, 21) == 30);
    assert_true(fg_looked_next(&looked, 0, 41) == FG_NEVER);
    fg_looked_clear(&looked);
}

/* --- estimates --- */

static const struct {
    const char *policy;
    double times;
} questions[] = {{"link-types", 1}, {"link-types", 0.5}, {"link-types", 2},
                 {"link-types", 4}, {"thompson", 1},     {"round-robin", 1}};
enum { QUESTIONS = sizeof questions / sizeof *questions, LOOKS = 2 };

/* The logarithm of what is said against what came; `held` counts what lay within. */
static double error_of(const struct fg_site *site, const struct fg_twins *twins, size_t q,
                       unsigned *held)
{
    struct fg_err err;
    struct fg_estimate said;
    struct fg_trial came;
    struct fg_trial_rules rules = {.policy = policy_named(questions[q].policy),
                                   .a_step = questions[q].times * LOOKS,
                                   .warm_up = 168,
                                   .seed = 3};
    assert_int_equal(fg_twins_try(&said, twins, &rules, &err), FG_OK);
    assert_int_equal(fg_trial_run(&came, site, &rules, &err), FG_OK);
    *held += came.found >= said.found.low && came.found <= said.found.high;
    return log(said.found.mean / came.found);
}

static struct fg_twins twins_of(const struct fg_site *site, uint64_t seed)
{
    struct fg_looked looked;
    struct fg_twins twins;
    struct fg_err err;
    assert_int_equal(
        fg_looked_replay(&looked, site, policy_named("link-types"), LOOKS, seed, &err),
        FG_OK);
    fg_twins_make(&twins, &looked, site->facts.step, seed);
    fg_looked_clear(&looked);
    return twins;
}

static void estimates_hold_on_a_made_site(void **state)
{
    (void)state;
    struct fg_generator_options options = fg_generator_defaults("news");
    options.steps = 28 * 24;
    options.history = 48;
    options.seed = 5;
    struct fg_site *site = fg_generate_site(&options);
    struct fg_twins twins = twins_of(site, 9);
    unsigned held = 0;
    for (size_t q = 0; q < QUESTIONS; q++)
        assert_true(fabs(error_of(site, &twins, q, &held)) < 0.06);
    assert_true(held >= QUESTIONS - 1);
    fg_twins_clear(&twins);
    fg_site_free(site);
}

/* The looks that find a share of the new links in time: fewer do not, and it is said if
 * none do. */
static void the_budget_of_a_level_is_the_least(void **state)
{
    (void)state;
    struct fg_generator_options options = fg_generator_defaults("news");
    options.steps = 21 * 24;
    options.history = 48;
    options.seed = 6;
    struct fg_site *site = fg_generate_site(&options);
    struct fg_trial_rules rules = {
        .policy = policy_named("round-robin"), .warm_up = 168, .level = {12 * FG_HOUR}};
    struct fg_err err;
    struct fg_trial trial;
    double need, most = (double)site->facts.sources;
    const struct fg_site *one = site;
    assert_int_equal(fg_trial_need(&need, &one, 1, &rules, 0.8, 0.1, most, &err), FG_OK);
    assert_true(need > 0.1 && need < most);
    rules.a_step = need;
    assert_int_equal(fg_trial_run(&trial, site, &rules, &err), FG_OK);
    assert_true(trial.within[0] >= 0.8);
    rules.a_step = need * 0.9;
    assert_int_equal(fg_trial_run(&trial, site, &rules, &err), FG_OK);
    assert_true(trial.within[0] < 0.82);
    assert_int_equal(fg_trial_need(&need, &one, 1, &rules, 0.8, 0.01, 0.02, &err), FG_OK);
    assert_true(isinf(need));
    fg_site_free(site);
}

/* Recorded news sites, where there are recordings: errors of a few per cent on the mean,
 * and intervals that hold. `forage lab run what-if` has all of them. */
static void estimates_hold_on_recordings(void **state)
{
    (void)state;
    const char *data = getenv("FORAGE_DATA");
    char folder[512];
    struct fg_recording *recording;
    struct fg_err err;
    snprintf(folder, sizeof folder, "%s/denews25a", data ? data : "../shared/data");
    if (!getenv("FORAGE_LONG") || access(folder, R_OK) != 0)
        skip();
    assert_int_equal(fg_recording_load(&recording, folder, &err), FG_OK);
    double sum[QUESTIONS] = {0};
    unsigned held = 0, sites = 0;
    for (size_t i = 0; i < fg_recording_sites(recording) && sites < 6; i++) {
        if (fg_recording_is_whole(recording, i))
            continue;
        struct fg_site *site = fg_recording_site(recording, i);
        struct fg_twins twins = twins_of(site, i);
        for (size_t q = 0; q < QUESTIONS; q++)
            sum[q] += error_of(site, &twins, q, &held);
        sites++;
        fg_twins_clear(&twins);
        fg_site_free(site);
    }
    fg_recording_free(recording);
    for (size_t q = 0; q < QUESTIONS; q++)
        assert_true(fabs(sum[q] / sites) < (questions[q].times > 1 ? 0.025 : 0.015));
    assert_true(held >= 0.92 * sites * QUESTIONS);
}

FG_TESTS(stays_and_parts_are_those_of_the_site, life_counts_what_was_seen,
         ages_are_drawn_within_their_limits, a_sight_is_cut_to_the_looks_there_are,
         the_twin_shows_what_was_seen, estimates_hold_on_a_made_site,
         the_budget_of_a_level_is_the_least, estimates_hold_on_recordings)
