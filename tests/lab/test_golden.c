/* Every discovery policy on one small site: the figures, to six digits, are its golden
 * file. After a change that is meant to move them:
 *
 *     FORAGE_GOLDEN=write build/asan/tests/lab/test_golden */
#include "base/rng.h"
#include "base/variate.h"
#include "base/vec.h"
#include "lab/discovery/run.h"
#include "lab/experiment_kind.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum {
    SECTIONS = 6,
    SOURCES =
        1 + SECTIONS * 2 + 5, /* home, sections, their tags, pages that stand still */
    HOURS = 40 * 24,
    BUDGET = 2,
    HOME_LENGTH = 20,
    LIST_LENGTH = 10,
};

struct world {
    FG_VEC(struct fg_stay) stays;
    struct {
        uint32_t target[HOME_LENGTH], since[HOME_LENGTH];
        size_t n;
    } page[SOURCES];
};

static size_t length_of(size_t source)
{
    return source == 0 ? HOME_LENGTH : LIST_LENGTH;
}

/* A page shows the last few entries; a new one pushes the oldest off. */
static void enter(struct world *world, size_t source, uint32_t target, uint32_t hour)
{
    size_t length = length_of(source), n = world->page[source].n;
    uint32_t *targets = world->page[source].target, *since = world->page[source].since;
    if (n == length) {
        if (since[0] < hour)
            fg_vec_push(&world->stays, (struct fg_stay){(uint32_t)source, targets[0],
                                                        since[0], hour - 1});
        memmove(targets, targets + 1, (length - 1) * sizeof *targets);
        memmove(since, since + 1, (length - 1) * sizeof *since);
        n--;
    }
    targets[n] = target;
    since[n] = hour;
    world->page[source].n = n + 1;
}

static void publish(struct world *world, struct fg_rng *rng, size_t section,
                    uint32_t target, uint32_t hour)
{
    if (fg_rng_unit(rng) < 0.5)
        enter(world, 0, target, hour);
    enter(world, 1 + section, target, hour);
    if (fg_rng_unit(rng) < 0.3)
        enter(world, 1 + SECTIONS + section, target, hour);
}

static struct fg_site *small_site(void)
{
    struct world world = {0};
    struct fg_rng rng = fg_rng_from_seed(7);
    uint32_t targets = 0;
    for (uint32_t hour = 0; hour < HOURS; hour++)
        for (size_t section = 0; section < SECTIONS; section++) {
            double day = 1 + 0.9 * cos((hour % 24 - 13.0) / 24 * 2 * M_PI);
            uint64_t n = fg_rng_poisson(&rng, 1.5 * day / (double)(1 + section));
            while (n--)
                publish(&world, &rng, section, targets++, hour);
        }
    for (size_t source = 0; source < SOURCES; source++)
        for (size_t i = 0; i < world.page[source].n; i++)
            fg_vec_push(&world.stays,
                        (struct fg_stay){(uint32_t)source, world.page[source].target[i],
                                         world.page[source].since[i], HOURS - 1});
    struct fg_site_facts facts = {.name = "small",
                                  .sources = SOURCES,
                                  .steps = HOURS,
                                  .start = 19000 * FG_DAY,
                                  .step = FG_HOUR};
    struct fg_site *site = fg_site_new(&facts, world.stays.at, world.stays.len);
    for (uint32_t hour = 100; hour < HOURS; hour += 37) /* now and then a visit fails */
        fg_site_miss(site, hour % SOURCES, hour);
    fg_vec_clear(&world.stays);
    return site;
}

static const enum fg_metric golden[] = {FG_COVERAGE, FG_COVERAGE_ALL, FG_OVERHEAD,
                                        FG_HTD_P50,  FG_HTD_P90,      FG_REGRET};
enum { FIGURES = sizeof golden / sizeof *golden };

static const struct fg_replay_rules rules = {
    .budget = BUDGET, .seed = 3, .warm_up = 7 * 24};

static void replay(struct fg_replay_outcome *outcome, const struct fg_site *site,
                   const struct fg_policy *policy)
{
    struct fg_err err;
    if (fg_replay(outcome, site, policy, &rules, &err))
        fail_msg("%s: %s", policy->name, err.text);
}

static void write_golden(const char *path, const struct fg_score *score)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (size_t i = 0; i < FIGURES; i++)
        fprintf(f, "%s %.6g\n", fg_experiment_replay.metrics.info[golden[i]].name,
                score->at[golden[i]]);
    fclose(f);
}

static void compare_golden(const char *path, const struct fg_score *score)
{
    FILE *f = fopen(path, "r");
    if (!f)
        fail_msg("%s is missing: a policy needs its golden file", path);
    for (size_t i = 0; i < FIGURES; i++) {
        char name[64], value[64], now[64];
        assert_int_equal(fscanf(f, "%63s %63s", name, value), 2);
        assert_string_equal(name, fg_experiment_replay.metrics.info[golden[i]].name);
        snprintf(now, sizeof now, "%.6g", score->at[golden[i]]);
        if (strcmp(now, value) != 0)
            fail_msg("%s: %s was %s, is %s", path, name, value, now);
    }
    fclose(f);
}

static void each_policy_does_what_its_golden_file_says(void **state)
{
    (void)state;
    const char *wish = getenv("FORAGE_GOLDEN");
    struct fg_site *site = small_site();
    struct fg_replay_outcome oracle;
    replay(&oracle, site, fg_policy_find(FG_STR("oracle"), FG_DISCOVERY));
    struct fg_run best = fg_run_of(&oracle, BUDGET);
    for (size_t i = 0; fg_policies[i]; i++) {
        if (!(fg_policies[i]->tasks & FG_DISCOVERY))
            continue;
        char path[128];
        struct fg_replay_outcome outcome;
        snprintf(path, sizeof path, "tests/golden/%s.txt", fg_policies[i]->name);
        replay(&outcome, site, fg_policies[i]);
        struct fg_run run = fg_run_of(&outcome, BUDGET);
        struct fg_score score = fg_run_score(&run, &best);
        if (wish && strcmp(wish, "write") == 0)
            write_golden(path, &score);
        compare_golden(path, &score);
        fg_replay_outcome_clear(&outcome);
    }
    fg_replay_outcome_clear(&oracle);
    fg_site_free(site);
}

static void learning_finds_more_than_taking_turns(void **state)
{
    (void)state;
    struct fg_site *site = small_site();
    struct fg_replay_outcome learns, turns;
    replay(&learns, site, fg_policy_find(FG_STR("thompson"), FG_DISCOVERY));
    replay(&turns, site, fg_policy_find(FG_STR("round-robin"), FG_DISCOVERY));
    assert_true(learns.found_fresh > turns.found_fresh);
    fg_replay_outcome_clear(&learns);
    fg_replay_outcome_clear(&turns);
    fg_site_free(site);
}

FG_TESTS(each_policy_does_what_its_golden_file_says,
         learning_finds_more_than_taking_turns)
