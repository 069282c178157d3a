/* Generated sites are functions of their names, and do what their parameters say. */
#include "lab/discovery/run.h"
#include "lab/generate/generate.h"
#include "lab/generate/generate_model.h"
#include "lab/stats.h"
#include "test.h"

static struct fg_site *make(const char *name, uint32_t number, uint64_t seed)
{
    struct fg_generator_options options = fg_generator_defaults(name);
    assert_non_null(options.name);
    options.steps = 240;
    options.history = 168;
    options.number = number;
    options.seed = seed;
    return fg_generate_site(&options);
}

static bool are_same(const struct fg_site *a, const struct fg_site *b)
{
    size_t n = a->event_at[a->facts.steps + 1];
    return a->targets == b->targets && a->pairs == b->pairs &&
           a->facts.sources == b->facts.sources && n == b->event_at[b->facts.steps + 1] &&
           memcmp(a->pair_source, b->pair_source, a->pairs * sizeof *a->pair_source) ==
               0 &&
           memcmp(a->pair_target, b->pair_target, a->pairs * sizeof *a->pair_target) ==
               0 &&
           memcmp(a->event, b->event, n * sizeof *a->event) == 0;
}

static const char *const regimes[] = {"news", "classifieds", "reports", "volatile",
                                      "mixed"};

/* --- functions of their names --- */

static void generate_gives_the_same_site_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < 5; i++) {
        struct fg_site *a = make(regimes[i], 3, 9), *other = make(regimes[i], 2, 9);
        struct fg_site *b = make(regimes[i], 3, 9), *later = make(regimes[i], 3, 10);
        assert_true(are_same(a, b));
        assert_false(are_same(a, other));
        assert_false(are_same(a, later));
        fg_site_free(a);
        fg_site_free(b);
        fg_site_free(other);
        fg_site_free(later);
    }
}

static void generate_knows_its_names(void **state)
{
    (void)state;
    size_t n = 0;
    for (; fg_generator_names[n]; n++) {
        struct fg_generator_options options =
            fg_generator_defaults(fg_generator_names[n]);
        assert_string_equal(options.name, fg_generator_names[n]);
        assert_non_null(fg_generator_summary(options.name));
        assert_true(options.steps && options.budget && options.sites);
    }
    assert_int_equal(n, 9);
    assert_null(fg_generator_defaults("nwes").name);
    assert_null(fg_generator_summary("nwes"));
    struct fg_generator_options news = fg_generator_defaults("news");
    assert_int_equal(news.sites, 53);
    assert_int_equal(news.steps, 1176);
    assert_int_equal(news.history, 672);
    assert_int_equal(news.warm_up, 168);
}

/* 2022-11-14 was a Monday; days since 1970-01-01, a Thursday: 19310 = 7 * 2758 + 4. */
static void generate_starts_on_a_monday(void **state)
{
    (void)state;
    struct fg_site *site = make("reports", 0, 1);
    assert_true(site->facts.start == 19310 * FG_DAY);
    assert_int_equal((site->facts.start / FG_DAY + 3) % 7, 0);
    assert_true(site->facts.step == FG_HOUR);
    assert_string_equal(site->facts.name, "reports-00");
    fg_site_free(site);
}

/* S = min(100, 40 + floor(61 u^(1/1.6))): E floor(61 x) is about 61 / 1.625 - 1/2. */
static void generate_draws_forty_to_a_hundred_sources(void **state)
{
    (void)state;
    enum { SITES = 300 };
    double sum = 0;
    for (uint32_t i = 0; i < SITES; i++) {
        struct fg_generator_options options = fg_generator_defaults("reports");
        options.steps = options.history = 1;
        options.number = i;
        struct fg_site *site = fg_generate_site(&options);
        assert_in_range(site->facts.sources, 40, 100);
        sum += (double)site->facts.sources;
        fg_site_free(site);
    }
    assert_near(sum / SITES, 77.0, 3); /* three deviations of the mean are 2.6 */
}

/* What Schulam & Muslea state of their 53 sites: 1.1 M targets, 589 M links in 4.7 M
 * fetches, 4.7 M of 4,070 x 1,176 hours; and of the recordings: few pairs of sources that
 * mirror each other. A dozen sites, so the bounds are wide. */
static void newsroom_has_the_shape_of_the_data_it_stands_for(void **state)
{
    (void)state;
    enum { SITES = 12 };
    double targets = 0, links = 0, missing = 0, mirrors = 0;
    struct fg_generator_options options = fg_generator_defaults("newsroom");
    for (options.number = 0; options.number < SITES; options.number++) {
        struct fg_site *site = fg_generate_site(&options);
        struct fg_site_stats stats = fg_site_stats(site);
        targets += stats.at[FG_STAT_TARGETS] / SITES;
        links += stats.at[FG_STAT_LINKS] / SITES;
        missing += stats.at[FG_STAT_MISSING] / SITES;
        mirrors += stats.at[FG_STAT_JACCARD_HIGH] / SITES;
        fg_site_free(site);
    }
    assert_in_range((uint64_t)targets, 12000, 32000); /* 20,755 */
    assert_near(links, 125, 15);
    assert_near(missing, .018, .001);
    assert_true(mirrors < .03);
}

/* Whatever a parameter may be, a site comes of it. */
static void generate_makes_a_site_at_both_ends_of_every_parameter(void **state)
{
    (void)state;
    const char *name;
    for (size_t i = 0; (name = fg_generator_param_name(i)); i++) {
        double ends[2];
        assert_true(fg_generator_limits(name, &ends[0], &ends[1]));
        for (size_t end = 0; end < 2; end++) {
            struct fg_generator_param param = {name, ends[end], ends[end]};
            struct fg_generator_options options = fg_generator_defaults("news");
            options.steps = options.history = 4;
            options.params = &param;
            options.n_params = 1;
            struct fg_site *site = fg_generate_site(&options);
            assert_true(site->facts.sources >= 40);
            fg_site_free(site);
        }
    }
}

/* A parameter in place of the generator's own: a tenth of all visits fail, none else
 * moves.
 */
static void generate_takes_parameters(void **state)
{
    (void)state;
    struct fg_generator_param params[] = {{"missing", .1, .1}, {"section_shows", 3, 4}};
    struct fg_generator_options options = fg_generator_defaults("news");
    options.steps = options.history = 100;
    struct fg_site *plain = fg_generate_site(&options);
    options.params = params;
    options.n_params = 1;
    struct fg_site *missing = fg_generate_site(&options);
    assert_true(are_same(plain, missing));
    assert_null(plain->is_missing);
    double share = fg_site_stats(missing).at[FG_STAT_MISSING];
    assert_near(share, .1, .01);
    options.n_params = 2;
    struct fg_site *shorter = fg_generate_site(&options);
    assert_true(shorter->observations < missing->observations);
    assert_true(fg_generator_takes(&params[1]));
    assert_false(fg_generator_takes(&(struct fg_generator_param){"missing", 0, 1}));
    assert_false(fg_generator_takes(&(struct fg_generator_param){"nothing", 1, 1}));
    double least, most;
    assert_false(fg_generator_limits("nothing", &least, &most));
    fg_site_free(plain);
    fg_site_free(missing);
    fg_site_free(shorter);
}

static void generate_numbers_only_targets_that_are_shown(void **state)
{
    (void)state;
    struct fg_site *site = make("volatile", 1, 1);
    for (size_t v = 0; v < site->targets; v++)
        assert_true(site->appeared[v] < site->facts.steps);
    fg_site_free(site);
}

/* --- relevance --- */

static void generate_marks_relevance_without_touching_links(void **state)
{
    (void)state;
    struct fg_generator_options options = fg_generator_defaults("news");
    options.steps = 240;
    options.history = 168;
    double share = 0;
    for (options.number = 0; options.number < 20; options.number++) {
        options.relevant = 0;
        struct fg_site *plain = fg_generate_site(&options);
        options.relevant = .36;
        struct fg_site *focused = fg_generate_site(&options);
        assert_true(are_same(plain, focused));
        assert_null(plain->is_relevant);
        size_t n = 0;
        for (size_t v = 0; v < focused->targets; v++)
            n += focused->is_relevant[v];
        share += (double)n / (double)focused->targets / 20;
        fg_site_free(plain);
        fg_site_free(focused);
    }
    assert_near(share, .36, .06);
}

/* Relevance goes by section: of one section's articles very many or very few are. Beta
 * with a + b = 2 has a variance of share (1 - share) / 3 between sections; independent
 * marks would leave next to none. */
static void generate_clusters_relevance_by_source(void **state)
{
    (void)state;
    struct fg_generator_options options = fg_generator_defaults("news");
    options.steps = 240;
    options.history = 168;
    options.relevant = .5;
    struct fg_site *site = fg_generate_site(&options);
    double squares = 0;
    size_t first = 0;
    for (size_t u = 0; u < site->facts.sources; u++) {
        size_t n = 0, relevant = 0;
        for (; first < site->pairs && site->pair_source[first] == u; first++, n++)
            relevant += site->is_relevant[site->pair_target[first]];
        double share = (double)relevant / (double)n - .5;
        squares += share * share / (double)site->facts.sources;
    }
    assert_true(squares > .02);
    fg_site_free(site);
}

/* --- mixed --- */

static struct gen_params params_of(const char *name)
{
    struct gen_params params;
    assert_true(gen_params_find(&params, name));
    return params;
}

static bool is_off_by_two_at_most(double value, double base)
{
    return value >= base * .4999 && value <= base * 2.0001;
}

static void generate_mixed_shakes_one_of_the_four(void **state)
{
    (void)state;
    static const char *const names[] = {"news", "classifieds", "reports", "volatile"};
    size_t taken[4] = {0};
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct fg_rng rng = fg_rng_from_seed(seed);
        struct gen_params mixed = gen_params_mixed(&rng);
        size_t like = 4;
        for (size_t i = 0; i < 4; i++) {
            struct gen_params base = params_of(names[i]);
            if (is_off_by_two_at_most(mixed.articles, base.articles) &&
                is_off_by_two_at_most(mixed.when.drift, base.when.drift) &&
                is_off_by_two_at_most(mixed.when.regimes_per_week,
                                      base.when.regimes_per_week) &&
                is_off_by_two_at_most(mixed.when.bursts_per_day,
                                      base.when.bursts_per_day) &&
                is_off_by_two_at_most(mixed.section_shows.to, base.section_shows.to) &&
                is_off_by_two_at_most(mixed.surfacing, base.surfacing) &&
                is_off_by_two_at_most(mixed.where.tag_share, base.where.tag_share) &&
                mixed.when.trough == base.when.trough &&
                mixed.when.weekend == base.when.weekend &&
                mixed.where.home_lag_hours >= base.where.home_lag_hours &&
                mixed.where.home_lag_hours <= 6 * base.where.home_lag_hours)
                like = i;
        }
        assert_true(like < 4);
        taken[like]++;
        assert_true(mixed.where.orphans <= .6 && mixed.where.subsection_only <= .95);
    }
    for (size_t i = 0; i < 4; i++)
        assert_in_range(taken[i], 50, 150);
}

/* --- the crawls of Pham et al. --- */

struct table_1 {
    const char *name;
    size_t sources, sites, steps, most_pages;
    double targets, relevant;
};

static void check_table_1(const struct table_1 *row)
{
    struct fg_generator_options options = fg_generator_defaults(row->name);
    assert_int_equal(options.steps, row->steps);
    struct fg_site *site = fg_generate_site(&options);
    assert_int_equal(site->facts.sources, row->sources);
    size_t pages = 0, relevant = 0, early = 0, later = 0;
    for (size_t u = 0; u < row->sources; u++) {
        bool is_next = u && site->site_of[u] != site->site_of[u - 1];
        pages = is_next ? 1 : pages + 1;
        assert_true(pages <= row->most_pages);
        assert_true(!u || site->site_of[u] == site->site_of[u - 1] + is_next);
    }
    assert_int_equal(site->site_of[row->sources - 1] + 1, row->sites);
    for (size_t v = 0; v < site->targets; v++) {
        assert_true(site->appeared[v] > 0); /* stock is no target */
        relevant += site->is_relevant[v];
        early += site->appeared[v] <= 48;
        later += site->appeared[v] > 168 && site->appeared[v] <= 168 + 48;
    }
    assert_near((double)site->targets / row->targets, 1, .05);
    assert_near((double)relevant / row->relevant, 1, .05);
    assert_true((double)early > 1.2 * (double)later); /* old pages surface at first */
    fg_site_free(site);
}

static const struct table_1 table_1[] = {
    {"pham-humanitarian", 3480, 96, 632, 50, 43012, 18532},
    {"pham-politics", 17892, 3524, 741, 10, 682845, 243482},
    {"pham-trafficking", 8543, 2215, 665, 50, 2012764, 1004075},
};

static void generate_has_the_shape_of_table_1_of_pham(void **state)
{
    (void)state;
    check_table_1(&table_1[0]);
}

static void generate_has_the_shape_of_table_1_of_pham_at_length(void **state)
{
    (void)state;
    if (!getenv("FORAGE_LONG"))
        skip(); /* the larger two take a minute under the sanitizers */
    check_table_1(&table_1[1]);
    check_table_1(&table_1[2]);
}

/* --- calibration --- */

struct calibration {
    double oracle_late, oracle_p90, round_robin, thompson, thompson_p90, sources, links;
};

static double regret_of(const struct fg_site *site, const char *name,
                        const struct fg_run *oracle, struct fg_score *score)
{
    struct fg_replay_outcome outcome;
    struct fg_replay_rules rules = {.budget = 5, .seed = 1, .warm_up = 168};
    const struct fg_policy *policy = fg_policy_find(fg_str_from(name), FG_DISCOVERY);
    assert_int_equal(fg_replay(&outcome, site, policy, &rules, NULL), FG_OK);
    struct fg_run run = fg_run_of(&outcome, rules.budget);
    *score = fg_run_score(&run, oracle);
    fg_replay_outcome_clear(&outcome);
    return score->at[FG_REGRET];
}

/* Three workloads of 53 news sites, k = 5, against the one of the study the parameters
 * come from. Sites differ widely: the regrets there are 5.94 and 5.99 % with 95 %
 * intervals of 1.7 either way, and our own mean over 159 sites has 1.2; a difference of
 * their root sum of squares, 2.1, would be surprising. */
static void generate_news_is_as_hard_as_published(void **state)
{
    (void)state;
    if (!getenv("FORAGE_LONG"))
        skip(); /* a minute or two */
    enum { SITES = 159 };
    struct calibration sum = {0};
    struct fg_generator_options options = fg_generator_defaults("news");
    for (options.number = 0; options.number < SITES; options.number++) {
        struct fg_site *site = fg_generate_site(&options);
        struct fg_replay_outcome oracle;
        struct fg_score score;
        struct fg_replay_rules rules = {.budget = 5, .seed = 1, .warm_up = 168};
        fg_replay(&oracle, site, fg_policy_find(FG_STR("oracle"), FG_DISCOVERY), &rules,
                  NULL);
        struct fg_run best = fg_run_of(&oracle, rules.budget);
        score = fg_run_score(&best, &best);
        sum.oracle_late += score.at[FG_COVERAGE_LATE] / SITES;
        sum.oracle_p90 += score.at[FG_HTD_P90] / SITES;
        sum.round_robin += regret_of(site, "round-robin", &best, &score) / SITES;
        sum.thompson += regret_of(site, "thompson", &best, &score) / SITES;
        sum.thompson_p90 += score.at[FG_HTD_P90] / SITES;
        sum.sources += (double)site->facts.sources / SITES;
        sum.links +=
            (double)site->observations / (double)site->facts.sources / 1176 / SITES;
        fg_replay_outcome_clear(&oracle);
        fg_site_free(site);
    }
    assert_near(sum.sources, 76, 2.5);
    assert_near(sum.links, 143, 7);
    assert_near(sum.oracle_late, .655, .025);
    assert_near(sum.oracle_p90, 3.0, .5);
    assert_near(sum.round_robin, 5.94, 2.1);
    assert_near(sum.thompson, 5.99, 2.1);
    assert_near(sum.thompson_p90, 11.6, .8);
}

FG_TESTS(newsroom_has_the_shape_of_the_data_it_stands_for, generate_takes_parameters,
         generate_makes_a_site_at_both_ends_of_every_parameter,
         generate_gives_the_same_site_again, generate_knows_its_names,
         generate_starts_on_a_monday, generate_draws_forty_to_a_hundred_sources,
         generate_numbers_only_targets_that_are_shown,
         generate_marks_relevance_without_touching_links,
         generate_clusters_relevance_by_source, generate_mixed_shakes_one_of_the_four,
         generate_has_the_shape_of_table_1_of_pham,
         generate_has_the_shape_of_table_1_of_pham_at_length,
         generate_news_is_as_hard_as_published)
