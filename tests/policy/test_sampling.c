/* Sampling at given rates: exact chances, the whole budget, whatever may not be taken. */
#include "policy/mind.h"
#include "policy/refresh/sampling.h"
#include "test.h"

static const struct fg_param no_params[] = {{0}};
static const struct fg_column no_columns[] = {{0}};

/* Rates are the weights. */
static size_t by_weight(struct fg_brain *brain, fg_time now, size_t budget,
                        struct fg_pick *out)
{
    (void)now;
    memcpy(brain->scores, brain->world->weight, brain->world->n * sizeof(float));
    return fg_sampling_take(brain, brain->scores, budget, out);
}

static const struct fg_policy weighted = {.name = "weighted",
                                          .tasks = FG_REFRESH,
                                          .params = no_params,
                                          .columns = no_columns,
                                          .select = by_weight};

static struct fg_mind *mind_with(const float *rates, size_t n)
{
    struct fg_mind *mind = fg_mind_new(&weighted, 5);
    for (size_t i = 0; i < n; i++) {
        fg_mind_add(mind, i, 0, 0);
        fg_mind_weigh(mind, i, rates[i]);
    }
    return mind;
}

/* Rates 8, 4, 2, 1, 1 and two picks. In proportion they would be 1, 1/2, ... of 16/2 = 8:
 * 1, .5, .25, .125, .125, which sum to 2: no chance is cut. With three picks the first is
 * cut at 1 and the others share 2 as 8 shares: 1, 1, ... the second is 4/8 2 = 1 too, the
 * last three then share 1 in proportion: .5, .25, .25. */
static void chances_are_in_proportion_and_never_above_one(void **state)
{
    (void)state;
    static const float rates[] = {8, 4, 2, 1, 1};
    static const double expected[2][5] = {{1, .5, .25, .125, .125}, {1, 1, .5, .25, .25}};
    enum { N = 5, TICKS = 20000 };
    for (size_t budget = 2; budget <= 3; budget++) {
        struct fg_mind *mind = mind_with(rates, N);
        struct fg_pick picks[3];
        size_t count[N] = {0};
        for (int tick = 0; tick < TICKS; tick++) {
            assert_int_equal(fg_mind_choose(mind, tick, budget, picks), budget);
            for (size_t i = 0; i < budget; i++) {
                count[picks[i].page]++;
                assert_near((double)picks[i].probability,
                            expected[budget - 2][picks[i].page], 1e-6);
            }
        }
        for (size_t i = 0; i < N; i++) {
            double p = expected[budget - 2][i];
            assert_near((double)count[i], p * TICKS, 4 * sqrt(TICKS * p * (1 - p)) + 0.1);
        }
        fg_mind_free(mind);
    }
}

static void a_rate_of_zero_is_never_picked(void **state)
{
    (void)state;
    static const float rates[] = {0, 1e-6f, 0, 3, 0};
    struct fg_mind *mind = mind_with(rates, 5);
    struct fg_pick picks[4];
    assert_int_equal(fg_mind_choose(mind, 0, 4, picks), 2);
    assert_int_equal(picks[0].page + picks[1].page, 1 + 3);
    assert_near((double)picks[0].probability, 1, 0);
    fg_mind_free(mind);
}

static void no_rates_are_no_picks(void **state)
{
    (void)state;
    static const float rates[] = {0, 0};
    struct fg_mind *mind = mind_with(rates, 2);
    struct fg_pick picks[2];
    assert_int_equal(fg_mind_choose(mind, 0, 2, picks), 0);
    fg_mind_free(mind);
}

/* The number of picks is the budget whatever the rates are, in any number of pages. */
static void the_whole_budget_is_spent(void **state)
{
    (void)state;
    static float rates[5000];
    static struct fg_pick picks[5000];
    struct fg_rng rng = fg_rng_from_seed(3);
    for (size_t n = 1; n < 5000; n = n * 3 + 1) {
        for (size_t i = 0; i < n; i++)
            rates[i] = (float)exp(12 * fg_rng_unit(&rng));
        struct fg_mind *mind = mind_with(rates, n);
        for (size_t budget = 1; budget <= n; budget = budget * 2 + 1)
            assert_int_equal(fg_mind_choose(mind, 0, budget, picks), budget);
        assert_int_equal(fg_mind_choose(mind, 0, n, picks), n);
        fg_mind_free(mind);
    }
}

/* 300 equal pages of three sites; site 0 may have one pick, and ten pages of site 1 are
 * blocked. What those two cannot have goes to others. */
static void what_may_not_be_taken_goes_to_others(void **state)
{
    (void)state;
    enum { N = 300, BUDGET = 60 };
    struct fg_mind *mind = fg_mind_new(&weighted, 5);
    for (size_t i = 0; i < N; i++)
        fg_mind_add(mind, i, (uint32_t)(i % 3), 0);
    fg_mind_limit(mind, 0, 1);
    for (size_t i = 1; i < 30; i += 3)
        fg_mind_block(mind, i, true);
    struct fg_pick picks[BUDGET];
    size_t of_site[3] = {0};
    for (int tick = 0; tick < 500; tick++) {
        assert_int_equal(fg_mind_choose(mind, tick, BUDGET, picks), BUDGET);
        for (size_t i = 0; i < BUDGET; i++) {
            assert_false(picks[i].page < 30 && picks[i].page % 3 == 1);
            of_site[picks[i].page % 3]++;
        }
    }
    assert_in_range(of_site[0], 1, 500);
    /* 90 pages against 100 */
    assert_near((double)of_site[1] / (double)of_site[2], 0.9, 0.02);
    fg_mind_free(mind);
}

/* With a comb over pages in the order of their numbers, pages 100 apart would always be
 * picked together: in 1 of 100 ticks, and not, as by chance, in 1 of 10,000. Each of the
 * 100 pairs has 2,000 ticks: 20 together by chance, 2,000 with such a comb. */
static void pages_at_a_distance_are_not_bound_together(void **state)
{
    (void)state;
    enum { N = 10000, EVERY = 100, TICKS = 2000 };
    static float rates[N];
    static struct fg_pick picks[N / EVERY];
    static int last[N];
    for (size_t i = 0; i < N; i++)
        rates[i] = 1;
    struct fg_mind *mind = mind_with(rates, N);
    size_t together = 0;
    for (int tick = 1; tick <= TICKS; tick++) {
        size_t n = fg_mind_choose(mind, tick, N / EVERY, picks);
        for (size_t i = 0; i < n; i++)
            last[picks[i].page] = tick;
        for (size_t i = 0; i < EVERY; i++)
            together += last[i] == tick && last[i + EVERY] == tick;
    }
    assert_in_range(together, 2, 60);
    fg_mind_free(mind);
}

FG_TESTS(chances_are_in_proportion_and_never_above_one, a_rate_of_zero_is_never_picked,
         no_rates_are_no_picks, the_whole_budget_is_spent,
         what_may_not_be_taken_goes_to_others, pages_at_a_distance_are_not_bound_together)
