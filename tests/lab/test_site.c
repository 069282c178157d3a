/* A site is as its stays say, however they are cut and ordered. */
#include "lab/random_site.h"
#include "lab/site.h"
#include "test.h"

/* Walk the events and compare what is visible with the cube, step by step. */
static void walk(const struct truth *truth, const struct fg_site *site)
{
    bool visible[MOST_SOURCES][MOST_TARGETS] = {0};
    for (size_t t = 0; t <= truth->steps; t++) {
        bool arrived = false;
        for (size_t i = site->event_at[t]; i < site->event_at[t + 1]; i++) {
            uint32_t pair = site->event[i] >> 1;
            bool arrives = site->event[i] & 1;
            bool *at = &visible[site->pair_source[pair]][site->pair_target[pair]];
            assert_int_equal(*at, !arrives);
            assert_false(arrived && !arrives); /* departures first */
            arrived = arrives;
            *at = arrives;
        }
        for (size_t u = 0; u < truth->sources; u++)
            for (size_t v = 0; v < MOST_TARGETS; v++)
                assert_int_equal(visible[u][v],
                                 t < truth->steps && truth->shows[t][u][v]);
    }
}

static void site_shows_what_the_stays_say(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct truth truth = truth_draw(seed);
        struct fg_site *site = truth_site(&truth);
        walk(&truth, site);
        fg_site_free(site);
    }
}

static void site_counts_pairs_observations_and_appearances(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct truth truth = truth_draw(seed);
        struct fg_site *site = truth_site(&truth);
        size_t pairs = 0, observations = 0, targets = 0;
        for (size_t u = 0; u < truth.sources; u++)
            for (size_t v = 0; v < MOST_TARGETS; v++) {
                bool ever = false;
                for (size_t t = 0; t < truth.steps; t++) {
                    observations += truth.shows[t][u][v];
                    ever |= truth.shows[t][u][v];
                }
                pairs += ever;
                if (ever && v >= targets)
                    targets = v + 1;
            }
        assert_int_equal(site->pairs, pairs);
        assert_int_equal(site->observations, observations);
        assert_int_equal(site->targets, targets);
        for (size_t v = 0; v < targets; v++)
            assert_int_equal(site->appeared[v], truth_appeared(&truth, v));
        fg_site_free(site);
    }
}

/* 3 sources, 4 steps. Source 0 shows target 1 at steps 0 to 2, told in two pieces that
 * touch, and again at 3 .. 9, which touches too: one arrival at 0, one departure at the
 * end. Source 2 shows target 0 at step 2 only. */
static void site_merges_stays_that_touch(void **state)
{
    (void)state;
    struct fg_stay stays[] = {{2, 0, 2, 2}, {0, 1, 2, 2}, {0, 1, 3, 9}, {0, 1, 0, 1}};
    struct fg_site_facts facts = {.sources = 3, .steps = 4, .step = FG_HOUR};
    struct fg_site *site = fg_site_new(&facts, stays, 4);
    assert_int_equal(site->pairs, 2);
    assert_int_equal(site->observations, 5);
    const size_t at[] = {0, 1, 1, 2, 3, 4};
    assert_memory_equal(site->event_at, at, sizeof at);
    const uint32_t events[] = {0 * 2 + 1, 1 * 2 + 1, 1 * 2, 0 * 2};
    assert_memory_equal(site->event, events, sizeof events);
    fg_site_free(site);
}

static void site_without_links_or_steps_is_one(void **state)
{
    (void)state;
    struct fg_stay stay = {0, 0, 0, 5};
    for (size_t steps = 0; steps < 2; steps++) {
        struct fg_site_facts facts = {.sources = 1, .steps = steps, .step = FG_HOUR};
        struct fg_site *site = fg_site_new(&facts, &stay, steps ? 0 : 1);
        assert_int_equal(site->pairs, 0);
        assert_int_equal(site->targets, 0);
        fg_site_free(site);
    }
}

static void site_remembers_misses_relevance_and_web_sites(void **state)
{
    (void)state;
    struct fg_stay stays[] = {{0, 0, 0, 2}, {1, 1, 0, 2}, {2, 2, 0, 2}};
    struct fg_site_facts facts = {.sources = 3, .steps = 3, .step = FG_HOUR};
    struct fg_site *site = fg_site_new(&facts, stays, 3);
    assert_null(site->is_missing);
    assert_null(site->is_relevant);
    assert_null(site->site_of);
    fg_site_miss(site, 1, 2);
    fg_site_relevant(site, 2);
    fg_site_belongs(site, 1, 7);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(site->is_missing[i], i == 2 * 3 + 1);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(site->is_relevant[i], i == 2);
        assert_int_equal(site->site_of[i], i == 1 ? 7 : 0);
    }
    fg_site_free(site);
    fg_site_free(NULL);
}

FG_TESTS(site_shows_what_the_stays_say, site_counts_pairs_observations_and_appearances,
         site_merges_stays_that_touch, site_without_links_or_steps_is_one,
         site_remembers_misses_relevance_and_web_sites)
