/* Promotion and keys against values worked out by hand; the lists that the lab draws one
 * place of against lists that are merged. */
#include "test.h"

#include "search/rank/prices.h"
#include "search/rank/promote.h"
#include "search/rank/rank.h"

/* --- the merge --- */

static bool next_coin(void *context)
{
    const char **coins = context;
    assert_true(**coins == '0' || **coins == '1'); /* no coin that is not needed */
    return *(*coins)++ == '1';
}

static void merges_to(const char *ranked, const char *pool, size_t start,
                      const char *coins, const char *expected)
{
    uint32_t a[8] = {0}, b[8] = {0}, out[16];
    bool is_promoted[16];
    char text[17] = "";
    size_t n = strlen(ranked), n_pool = strlen(pool);
    for (size_t i = 0; i < n; i++)
        a[i] = (uint32_t)ranked[i];
    for (size_t i = 0; i < n_pool; i++)
        b[i] = (uint32_t)pool[i];
    fg_promote_merge(out, is_promoted, a, n, b, n_pool, start,
                     (struct fg_coin){next_coin, &coins});
    for (size_t i = 0; i < n + n_pool; i++) {
        text[i] = (char)out[i];
        assert_int_equal(is_promoted[i], strchr(pool, text[i]) != NULL);
    }
    assert_string_equal(text, expected);
    assert_int_equal(*coins, '\0');
}

static void merge_follows_its_coins(void **state)
{
    (void)state;
    merges_to("abcd", "xy", 2, "011", "abxycd");
    merges_to("abcd", "xy", 1, "101", "xaybcd");
    merges_to("abcd", "xy", 3, "11", "abxycd");
    merges_to("ab", "xy", 1, "00", "abxy");
    merges_to("", "xy", 1, "", "xy");
    merges_to("ab", "", 1, "", "ab");
    merges_to("ab", "xy", 9, "", "abxy");
}

static void promoted_lists_are_permutations(void **state)
{
    (void)state;
    enum { N = 40 };
    static const enum fg_pool pools[] = {FG_POOL_NONE, FG_POOL_UNIFORM, FG_POOL_UNSEEN};
    struct fg_rng rng = fg_rng_from_seed(3);
    for (size_t round = 0; round < 600; round++) {
        uint32_t ranked[N], out[N];
        bool is_pooled[N], is_promoted[N], is_there[N] = {false};
        struct fg_promotion how = {pools[round % 3], (double)(round % 5) / 4,
                                   1 + round % 7, 0};
        for (uint32_t i = 0; i < N; i++) {
            ranked[i] = i;
            is_pooled[i] = fg_rng_unit(&rng) < 0.3;
        }
        fg_promote(how, ranked, N, is_pooled, &rng, out, is_promoted);
        uint32_t last = 0;
        for (size_t i = 0; i < N; i++) {
            assert_false(is_there[out[i]]);
            is_there[out[i]] = true;
            if (is_promoted[i])
                continue;
            assert_true(i == 0 || out[i] >= last); /* the others keep their order */
            last = out[i];
        }
    }
}

static void degree_0_changes_nothing(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(3), same = rng;
    uint32_t ranked[] = {3, 1, 2}, out[3];
    bool is_pooled[] = {true, true, true}, is_promoted[3];
    struct fg_promotion how = {FG_POOL_UNSEEN, 0, 1, 0};
    fg_promote(how, ranked, 3, is_pooled, &rng, out, is_promoted);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(out[i], ranked[i]);
        assert_false(is_promoted[i]);
    }
    assert_memory_equal(&rng, &same, sizeof rng); /* nothing was drawn, either */
    struct fg_rank_setting setting = {.pages = 1};
    double knob[] = {0, 2};
    struct fg_ranker *ranker =
        fg_ranker_new(fg_rank_policy_find(FG_STR("selective")), knob, &setting);
    assert_int_equal(ranker->promotion.pool, FG_POOL_NONE);
    fg_ranker_free(ranker);
}

/* How often each page stands at each place, by merging and by drawing. */
static void draws_as_it_merges(struct fg_promotion how, size_t n, size_t n_pool)
{
    enum { MOST = 8, TRIES = 200000 };
    double merged[MOST][MOST] = {{0}}, drawn[MOST][MOST] = {{0}};
    struct fg_rng rng = fg_rng_from_seed(11);
    uint32_t ranked[MOST], out[MOST];
    bool is_pooled[MOST];
    for (uint32_t i = 0; i < n; i++) {
        ranked[i] = i;
        is_pooled[i] = i + n_pool >= n;
    }
    size_t others = how.pool == FG_POOL_UNSEEN ? n - n_pool : n;
    for (size_t t = 0; t < TRIES; t++) {
        fg_promote(how, ranked, n, is_pooled, &rng, out, NULL);
        for (size_t place = 1; place <= n; place++) {
            int64_t at = fg_promotion_draw(&how, place, others,
                                           how.pool == FG_POOL_UNSEEN ? n_pool : 0, &rng);
            size_t any = how.pool == FG_POOL_UNSEEN ? others + fg_rng_below(&rng, n_pool)
                                                    : fg_rng_below(&rng, n);
            drawn[place - 1][at < 0 ? any : (size_t)at] += 1.0 / TRIES;
            merged[place - 1][out[place - 1]] += 1.0 / TRIES;
        }
    }
    for (size_t place = 0; place < n; place++)
        for (size_t page = 0; page < n; page++)
            assert_near(drawn[place][page], merged[place][page], 0.006);
}

static void drawn_places_are_those_of_merged_lists(void **state)
{
    (void)state;
    draws_as_it_merges((struct fg_promotion){FG_POOL_UNSEEN, 0.5, 1, 0}, 6, 2);
    draws_as_it_merges((struct fg_promotion){FG_POOL_UNSEEN, 0.1, 2, 0}, 6, 3);
    draws_as_it_merges((struct fg_promotion){FG_POOL_UNSEEN, 1, 3, 0}, 6, 2);
    draws_as_it_merges((struct fg_promotion){FG_POOL_UNSEEN, 0.5, 7, 0}, 5, 4);
}

/* The uniform rule is drawn for a list without end: near the end of a short list the
 * last page takes what would be behind it. */
static void uniform_draws_are_those_of_long_lists(void **state)
{
    (void)state;
    enum { N = 400, SHOWN = 6, TRIES = 100000 };
    static uint32_t ranked[N], out[N];
    double merged[SHOWN][SHOWN] = {{0}}, drawn[SHOWN][SHOWN] = {{0}};
    struct fg_promotion how = {FG_POOL_UNIFORM, 0.2, 2, 0};
    struct fg_rng rng = fg_rng_from_seed(12);
    for (uint32_t i = 0; i < N; i++)
        ranked[i] = i;
    for (size_t t = 0; t < TRIES; t++) {
        if (t % 5 == 0)
            fg_promote(how, ranked, N, NULL, &rng, out, NULL);
        for (size_t place = 1; place <= SHOWN; place++) {
            int64_t at = fg_promotion_draw(&how, place, N, 0, &rng);
            if (at < 0)
                at = (int64_t)fg_rng_below(&rng, N);
            if (at < SHOWN)
                drawn[place - 1][at] += 1.0 / TRIES;
            if (t % 5 == 0 && out[place - 1] < SHOWN)
                merged[place - 1][out[place - 1]] += 5.0 / TRIES;
        }
    }
    for (size_t i = 0; i < SHOWN; i++)
        for (size_t j = 0; j < SHOWN; j++)
            assert_near(drawn[i][j], merged[i][j], 0.016);
}

static void last_place_goes_to_the_pool_as_worked_out(void **state)
{
    (void)state;
    enum { TRIES = 400000 };
    struct fg_promotion how = {FG_POOL_UNSEEN, 0.5, 1, 0};
    struct fg_rng rng = fg_rng_from_seed(5);
    double first = 0, last = 0;
    for (size_t t = 0; t < TRIES; t++) {
        first += fg_promotion_draw(&how, 1, 4, 2, &rng) < 0;
        int64_t at = fg_promotion_draw(&how, 6, 4, 2, &rng);
        assert_true(at < 0 || at == 3);
        last += at < 0;
    }
    assert_near(first / TRIES, 0.5, 0.004);
    assert_near(last / TRIES, 3.0 / 16, 0.003);
}

/* --- shares --- */

static void shares_are_those_of_the_default_community(void **state)
{
    (void)state;
    enum { N = 10000 };
    static double share[N];
    fg_rank_shares(share, N, 1.5);
    assert_near(100 * share[0], 38.57465, 5e-6);
    assert_near(100 * share[1], 13.6382, 5e-5);
    assert_near(100 * share[9], 1.21984, 5e-6);
    assert_near(100 * share[99], 0.0385747, 5e-8);
    assert_near(100 * share[N - 1], 3.85747e-5, 5e-11);
    double sum = 0;
    for (size_t i = 0; i < N; i++)
        sum += share[i];
    assert_near(sum, 1, 1e-12);
}

/* --- prices --- */

static const double share[] = {0.6, 0.3, 0.1};
static double price[] = {0.3, 0.2, 0.1}, surplus[3];
static struct fg_prices prices = {3, share, price, surplus};

static void gains_are_over_what_stood_there(void **state)
{
    (void)state;
    fg_prices_settle(&prices);
    assert_near(surplus[0], 0.14, 1e-12);
    assert_near(surplus[1], 0.05, 1e-12);
    assert_near(surplus[2], 0.01, 1e-12);
    assert_near(fg_prices_gain(&prices, 0.05), 0, 1e-12);
    assert_near(fg_prices_gain(&prices, 0.15), 0.005, 1e-12);
    assert_near(fg_prices_gain(&prices, 0.25), 0.025, 1e-12);
    assert_near(fg_prices_gain(&prices, 0.35), 0.07, 1e-12);
    assert_near(fg_prices_gain(&prices, 0.4), 0.1, 1e-12);
}

static void lessons_are_worth_what_was_worked_out(void **state)
{
    (void)state;
    double key[3], worth[6];
    struct fg_lessons l = {.alpha = 1,
                           .beta = 3,
                           .life = 10,
                           .watched = 4,
                           .watched_share = 0.1,
                           .patience = 1,
                           .n = 2,
                           .key = key,
                           .worth = worth};
    fg_prices_settle(&prices);
    fg_lessons_solve(&l, &prices);
    assert_near(worth[3], 0.066667, 5e-7);
    assert_near(worth[4], 0.6, 1e-9);
    assert_near(worth[5], 1.6, 1e-9);
    assert_near(key[1], 0.204490, 5e-7);
    assert_near(worth[1], 0.113469, 5e-7);
    assert_near(key[2], 0.4, 1e-9);
    assert_near(key[0], 0.256546, 5e-7);
    assert_near(worth[0], 0.269639, 5e-7);
}

/* --- policies --- */

static void every_policy_is_found_by_its_name(void **state)
{
    (void)state;
    static const char *const names[] = {"selective", "deterministic", "uniform",
                                        "relaxed", "slot-price"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct fg_rank_policy *policy = fg_rank_policy_find(fg_str_from(names[i]));
        assert_non_null(policy);
        assert_string_equal(policy->about.name, names[i]);
    }
    assert_null(fg_rank_policy_find(FG_STR("nothing")));
}

static void knobs_have_limits(void **state)
{
    (void)state;
    const struct fg_rank_policy *policy = fg_rank_policy_find(FG_STR("relaxed"));
    double knob[FG_PARAMS_MAX];
    fg_rank_knobs(knob, policy);
    assert_near(knob[FG_KNOB_DEGREE], 0.1, 0);
    assert_near(knob[FG_KNOB_START], 2, 0);
    assert_near(knob[FG_KNOB_FEW], 2, 0);
    assert_true(fg_rank_knob_set(knob, policy, FG_STR("degree"), 0.2));
    assert_near(knob[FG_KNOB_DEGREE], 0.2, 0);
    assert_false(fg_rank_knob_set(knob, policy, FG_STR("degree"), 1.1));
    assert_false(fg_rank_knob_set(knob, policy, FG_STR("start"), NAN));
    assert_false(fg_rank_knob_set(knob, policy, FG_STR("nothing"), 1));
}

static void slot_price_learns_its_prior(void **state)
{
    (void)state;
    enum { N = 100 };
    double shares[N];
    fg_rank_shares(shares, N, 1.5);
    struct fg_rank_setting setting = {.pages = N,
                                      .users = 100,
                                      .watched = 10,
                                      .visits = 100,
                                      .life_days = 100,
                                      .feedback = FG_FEEDBACK_VOTES,
                                      .share = shares};
    struct fg_ranker *ranker =
        fg_ranker_new(fg_rank_policy_find(FG_STR("slot-price")), NULL, &setting);
    struct fg_rank_tally unseen = {0}, liked = {1, 1, 0}, refused = {1, 0, 0},
                         many = {200, 50, 0}, out = {0, 0, 3};
    double before = fg_ranker_key(ranker, &unseen);
    /* m1 = 2/2000, m2 = 4/40: K = .999/.099 - 1 */
    double K = 0.999 / 0.099 - 1;
    assert_near(fg_ranker_key(ranker, &many), (K * 0.001 + 50) / (K + 200), 1e-12);
    assert_true(fg_ranker_key(ranker, &liked) > before);
    assert_true(before > fg_ranker_key(ranker, &refused));
    /* A lesson that is on its way is not paid for again. */
    assert_true(fg_ranker_key(ranker, &out) < before);
    for (size_t i = 0; i < 2000; i++)
        fg_ranker_learn(ranker, &unseen, 1, i % 2 == 0);
    for (size_t i = 0; i < 60; i++)
        fg_ranker_learn(ranker, &liked, 1, 1);
    double keys[N] = {0};
    assert_true(fg_ranker_renew(ranker, keys));
    /* m1 = 1002/4000, m2 = 64/100 */
    double m1 = 1002.0 / 4000, k2 = (1 - m1) / (0.64 - m1) - 1;
    assert_near(fg_ranker_key(ranker, &many), (k2 * m1 + 50) / (k2 + 200), 1e-12);
    fg_ranker_free(ranker);
}

FG_TESTS(merge_follows_its_coins, promoted_lists_are_permutations,
         degree_0_changes_nothing, drawn_places_are_those_of_merged_lists,
         uniform_draws_are_those_of_long_lists, last_place_goes_to_the_pool_as_worked_out,
         shares_are_those_of_the_default_community, gains_are_over_what_stood_there,
         lessons_are_worth_what_was_worked_out, every_policy_is_found_by_its_name,
         knobs_have_limits, slot_price_learns_its_prior)
