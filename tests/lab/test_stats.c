/* The figures of a site, worked out by hand, and against what is known of recordings. */
#include "lab/recording.h"
#include "lab/stats.h"
#include "test.h"

#include <unistd.h>

static double stat_of(const struct fg_site *site, enum fg_stat stat)
{
    return fg_site_stats(site).at[stat];
}

/* Three sources, 25 steps from Monday 00:00 UTC.
 *   source 0: targets 0 (stock, throughout), 1 (steps 5..8), 2 (5..5), 3 (20..24)
 *   source 1: targets 0 (throughout), 1 (6..7 and again 10..10), 2 (9..11)
 *   source 2: target 4 (stock, 0..3); step 0 cannot be seen, so 4 is stock at step 1
 * New pairs: 0-1, 0-2, 0-3, 1-1, 1-2: lifetimes 3, 0, 4, 4, 2 h. New targets: 1 and 2 at
 * hour 5, 3 at hour 20, all on Monday. */
static struct fg_site *example(void)
{
    struct fg_stay stays[] = {{0, 0, 0, 24},  {0, 1, 5, 8},  {0, 2, 5, 5},
                              {0, 3, 20, 24}, {1, 0, 0, 24}, {1, 1, 6, 7},
                              {1, 1, 10, 10}, {1, 2, 9, 11}, {2, 4, 0, 3}};
    struct fg_site_facts facts = {.sources = 3,
                                  .steps = 25,
                                  .start = fg_days_from_date(2022, 11, 14) * FG_DAY,
                                  .step = FG_HOUR};
    struct fg_site *site = fg_site_new(&facts, stays, 9);
    fg_site_miss(site, 2, 0);
    return site;
}

static void stats_count_what_is_there(void **state)
{
    (void)state;
    struct fg_site *site = example();
    struct fg_site_stats stats = fg_site_stats(site);
    assert_near(stats.at[FG_STAT_SOURCES], 3, 0);
    assert_near(stats.at[FG_STAT_WEB_SITES], 1, 0);
    assert_near(stats.at[FG_STAT_HOURS], 25, 0);
    assert_near(stats.at[FG_STAT_TARGETS], 5, 0);
    assert_near(stats.at[FG_STAT_RELEVANT], 1, 0);
    assert_near(stats.at[FG_STAT_PAIRS], 8, 0);
    assert_near(stats.at[FG_STAT_OBSERVATIONS], 25 + 4 + 1 + 5 + 25 + 3 + 3 + 4, 0);
    assert_near(stats.at[FG_STAT_MISSING], 1.0 / 75, 1e-12);
    assert_near(stats.at[FG_STAT_LINKS], 70.0 / 75, 1e-12);
    assert_near(stats.at[FG_STAT_SHARED], 3.0 / 5, 1e-12); /* 0, 1 and 2 */
    assert_near(stats.at[FG_STAT_DEGREE], 8.0 / 5, 1e-12);
    fg_site_free(site);
}

static void stats_rate_what_is_new(void **state)
{
    (void)state;
    struct fg_site *site = example();
    struct fg_site_stats stats = fg_site_stats(site);
    assert_near(stats.at[FG_STAT_NEW], 3.0 / 24, 1e-12);
    assert_near(stats.at[FG_STAT_NEW_SOURCE], 5.0 / 24 / 3, 1e-12);
    assert_near(stats.at[FG_STAT_NEW_LEAST], 0, 1e-12);
    assert_near(stats.at[FG_STAT_NEW_P50], 2.0 / 24, 1e-12);
    assert_near(stats.at[FG_STAT_NEW_P90], (2 + .8) / 24, 1e-12);
    assert_near(stats.at[FG_STAT_NEW_MOST], 3.0 / 24, 1e-12);
    assert_near(stats.at[FG_STAT_ONCE], 1.0 / 5, 1e-12);
    assert_near(stats.at[FG_STAT_LIFE_P10], .4 * 2, 1e-12); /* 0 2 3 4 4 */
    assert_near(stats.at[FG_STAT_LIFE_P50], 3, 1e-12);
    assert_near(stats.at[FG_STAT_LIFE_P90], 4, 1e-12);
    fg_site_free(site);
}

/* By hour of day 2 at 5, 1 at 20, none else: mean 1/8, mean square 5/24. */
static void stats_find_the_cycles(void **state)
{
    (void)state;
    struct fg_site *site = example();
    struct fg_site_stats stats = fg_site_stats(site);
    assert_near(stats.at[FG_STAT_HOUR_CV], sqrt(5.0 / 24 - 1.0 / 64) * 8, 1e-12);
    assert_near(stats.at[FG_STAT_HOUR_PEAK], 5, 0);
    assert_near(stats.at[FG_STAT_HOUR_TROUGH], 0, 0);
    assert_true(isnan(stats.at[FG_STAT_HOUR_RATIO])); /* nothing at night to divide by */
    assert_true(isnan(stats.at[FG_STAT_DAY_RATIO]));
    fg_site_free(site);
}

/* New targets of source 0: 1 2 3; of source 1: 1 2; of source 2: none. Jaccard 2/3, 0, 0.
 * With source 0 on a web site of its own only the other two are compared. */
static void stats_compare_the_sources_of_a_web_site(void **state)
{
    (void)state;
    struct fg_site *site = example();
    struct fg_site_stats stats = fg_site_stats(site);
    assert_near(stats.at[FG_STAT_JACCARD_P50], 0, 1e-12);
    assert_near(stats.at[FG_STAT_JACCARD_LOW], 2.0 / 3, 1e-12);
    assert_near(stats.at[FG_STAT_JACCARD_HIGH], 0, 0);
    for (size_t i = 0; i < FG_JACCARD_BINS; i++)
        assert_int_equal(stats.jaccard[i], i == 0 ? 2 : i == 13 ? 1 : 0);
    fg_site_belongs(site, 0, 1);
    fg_site_relevant(site, 3);
    stats = fg_site_stats(site);
    assert_near(stats.at[FG_STAT_WEB_SITES], 2, 0);
    assert_near(stats.at[FG_STAT_RELEVANT], 1.0 / 5, 1e-12);
    assert_near(stats.at[FG_STAT_JACCARD_LOW], 1, 0);
    assert_int_equal(stats.jaccard[0], 1);
    assert_int_equal(stats.jaccard[13], 0);
    fg_site_free(site);
}

/* Two sources with the same links are one in all but name. */
static void stats_know_a_mirror(void **state)
{
    (void)state;
    struct fg_stay stays[] = {{0, 0, 1, 2}, {1, 0, 1, 2}, {0, 1, 2, 2}, {1, 1, 2, 2}};
    struct fg_site_facts facts = {.sources = 2, .steps = 3, .step = FG_HOUR};
    struct fg_site *site = fg_site_new(&facts, stays, 4);
    assert_near(stat_of(site, FG_STAT_JACCARD_P50), 1, 0);
    assert_near(stat_of(site, FG_STAT_JACCARD_HIGH), 1, 0);
    assert_int_equal(fg_site_stats(site).jaccard[FG_JACCARD_BINS - 1], 1);
    fg_site_free(site);
}

static void stats_of_an_empty_site_do_not_exist(void **state)
{
    (void)state;
    for (size_t steps = 0; steps < 2; steps++) {
        struct fg_site_facts facts = {.sources = 1, .steps = steps, .step = FG_HOUR};
        struct fg_site *site = fg_site_new(&facts, NULL, 0);
        struct fg_site_stats stats = fg_site_stats(site);
        assert_near(stats.at[FG_STAT_TARGETS], 0, 0);
        assert_true(isnan(stats.at[FG_STAT_NEW]));
        assert_true(isnan(stats.at[FG_STAT_LIFE_P50]));
        assert_true(isnan(stats.at[FG_STAT_HOUR_CV]));
        assert_true(isnan(stats.at[FG_STAT_JACCARD_P50]));
        fg_site_free(site);
    }
}

static void stats_have_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < FG_STATS; i++) {
        assert_non_null(fg_stat_info[i].name);
        assert_non_null(fg_stat_info[i].label);
        assert_true(fg_stat_info[i].scale > 0);
    }
}

/* What is written beside the recordings, which goes by the snapshots' own times; on a
 * grid of hours a link appears up to an hour later. */
struct known {
    const char *name;
    double sources, new, new_source, least, median, most, shared, degree, p50, p90, cv,
        weekday;
};

static void stats_agree_with_what_is_known_of_recordings(void **state)
{
    (void)state;
    static const struct known known[] = {
        {"denews24", 67, 63.30, 1.631, .015, .427, 17.801, .441, 1.72, 12, 71, .62, 1.68},
        {"hotlists21", 11, 26.95, 2.569, .094, .727, 9.507, .043, 1.05, 5.9, 23, .40,
         1.21},
    };
    if (access("../shared/data/denews24", R_OK) != 0)
        skip(); /* no recordings beside the tree */
    for (size_t i = 0; i < 2; i++) {
        const struct known *k = &known[i];
        struct fg_recording *recording;
        struct fg_err err = {0};
        char folder[64];
        snprintf(folder, sizeof folder, "../shared/data/%s", k->name);
        assert_int_equal(fg_recording_load(&recording, folder, &err), FG_OK);
        struct fg_site *site =
            fg_recording_site(recording, fg_recording_sites(recording) - 1);
        struct fg_site_stats stats = fg_site_stats(site);
        assert_near(stats.at[FG_STAT_SOURCES], k->sources, 0);
        assert_near(stats.at[FG_STAT_NEW] / k->new, 1, .01);
        assert_near(stats.at[FG_STAT_NEW_SOURCE] / k->new_source, 1, .01);
        assert_near(stats.at[FG_STAT_NEW_LEAST], k->least, .002);
        assert_near(stats.at[FG_STAT_NEW_P50], k->median, .005);
        assert_near(stats.at[FG_STAT_NEW_MOST], k->most, .01);
        assert_near(stats.at[FG_STAT_SHARED], k->shared, .001);
        assert_near(stats.at[FG_STAT_DEGREE], k->degree, .005);
        assert_near(stats.at[FG_STAT_LIFE_P50], k->p50, .2);
        assert_near(stats.at[FG_STAT_LIFE_P90], k->p90, .5);
        assert_near(stats.at[FG_STAT_HOUR_CV], k->cv, .02);
        assert_near(stats.at[FG_STAT_DAY_RATIO], k->weekday, .02);
        fg_site_free(site);
        fg_recording_free(recording);
    }
}

FG_TESTS(stats_count_what_is_there, stats_rate_what_is_new, stats_find_the_cycles,
         stats_compare_the_sources_of_a_web_site, stats_know_a_mirror,
         stats_of_an_empty_site_do_not_exist, stats_have_names,
         stats_agree_with_what_is_known_of_recordings)
