/* Formulas against values worked out by hand and by an independent script, and a market
 * that keeps its budgets under every policy. */
#include "base/rng.h"
#include "search/ads/formulas.h"
#include "search/ads/market.h"
#include "search/ads/paced.h"
#include "test.h"

/* --- formulas --- */

static void mix_priority_is_as_in_the_thesis(void **state)
{
    (void)state;
    double c = 3.0 / 50, b = 0.4, log_t = fg_log(1000);
    assert_near((c + fg_mix_term(log_t, 50)) * b, 0.234261, 5e-7);
    assert_near((c + fg_mix_e_term(c, log_t, 50)) * b, 0.0983384, 5e-8);
    assert_near(c * (1 - c) + fg_mix_term(log_t, 50), 0.5821, 5e-5); /* cut at 1/4 */
    assert_near((c + fg_mix_e_term(c, log_t, 500)) * b, 0.0461836, 5e-8);
    assert_near(c * (1 - c) + fg_mix_term(log_t, 500), 0.222626, 5e-7);
    log_t = fg_log(1e5);
    assert_near((c + fg_mix_e_term(c, log_t, 50000)) * b, 0.0256937, 5e-8);
    assert_near(c * (1 - c) + fg_mix_term(log_t, 50000), 0.0778597, 5e-8);
}

static void throttle_is_one_less_exp(void **state)
{
    (void)state;
    assert_near(fg_ads_throttle(1), 0.632121, 5e-7);
    assert_near(fg_ads_throttle(0.5), 0.393469, 5e-7);
    assert_near(fg_ads_throttle(0.1), 0.0951626, 5e-8);
    double c = 3.0 / 50;
    double p = (c + fg_mix_e_term(c, fg_log(1000), 50)) * 0.4 * fg_ads_throttle(0.5);
    assert_near(p, 0.0386932, 5e-8);
}

static void psi_is_brezzi_and_lais(void **state)
{
    (void)state;
    static const double z[] = {0.1, 0.2, 0.2 + 1e-12, 1, 5, 15, 16, 100, 1000};
    static const double psi[] = {0.2236, 0.3162, 0.2440, 0.38,  0.5137,
                                 0.6202, 0.7798, 1.9406, 2.8223};
    for (size_t i = 0; i < sizeof z / sizeof *z; i++)
        assert_near(fg_gittins_reach(z[i]), psi[i], 5e-5);
}

static void index_adds_the_value_of_a_lesson(void **state)
{
    (void)state;
    assert_near(fg_ads_index(0.05, 20, 0, 0, 420), 0.116480, 5e-7);
    assert_near(fg_gittins_reach(20), 0.988411, 5e-7);
    assert_near(fg_ads_index(0.05, 20, 0, 0, 42), 0.0800079, 5e-8);
    assert_near(fg_ads_index(0.05, 20, 40, 3, 610), 0.0876124, 5e-8);
    assert_near(fg_gittins_reach(10), 0.586588, 5e-7);
    assert_near(fg_ads_index(0.05, 20, 40, 0, 610), 0.0302641, 5e-8);
    assert_near(fg_ads_index(0.05, 20, 980, 20, 100100), 0.0300015, 5e-8);
}

static void prior_is_learned_from_two_kinds_of_display(void **state)
{
    (void)state;
    struct fg_market m;
    fg_market_init(&m, fg_ads_policy_find(FG_STR("paced-index")), 1);
    assert_near(m.self[FG_PACED_M0], 0.03, 1e-12);
    assert_near(m.self[FG_PACED_K0], 20.556, 5e-4);
    fg_paced_count_display(&m, (struct fg_ad_before){0, 0});
    fg_paced_count_click(&m, (struct fg_ad_before){0, 0});
    fg_paced_count_display(&m,
                           (struct fg_ad_before){1, 0}); /* no click before: not told */
    fg_paced_count_display(&m, (struct fg_ad_before){1, 1});
    fg_paced_count_click(&m, (struct fg_ad_before){2, 1});
    assert_near(m.self[FG_PACED_C1], 31, 1e-12);
    assert_near(m.self[FG_PACED_L1], 1.9, 1e-12);
    assert_near(m.self[FG_PACED_C2], 21, 1e-12);
    assert_near(m.self[FG_PACED_L2], 1.5, 1e-12);
    fg_market_clear(&m);
}

static void price_moves_by_what_is_too_much(void **state)
{
    (void)state;
    double target = 6 / (FG_ADS_SLICES * 0.5);
    assert_near(target, 0.25, 1e-12);
    double price = fg_ads_price_step(0, 0.15, 0.4, target);
    assert_near(price, 0.05625, 1e-12);
    assert_near(fg_ads_price_step(price, 0.15, 0.1, target), 0, 1e-12);
    assert_near(fg_ads_price_step(0.94, 0.15, 1, 0.1), 0.95, 1e-12);
}

static void prior_of_the_thesis_has_its_variance(void **state)
{
    (void)state;
    assert_near(fg_ads_prior_weight(0.2, 0.95), 15, 1e-9); /* Beta(3, 12) */
    assert_near(0.25 * fg_ads_prior_weight(0.25, 0.95), 3.5, 1e-9);
    double a = 3, b = 12, k = a + b;
    assert_near(a * b / (k * k * (k + 1)), 0.2 * (1 - 0.95), 1e-9);
}

/* --- the market --- */

static void bid_above_the_rest_of_the_budget_is_not_shown(void **state)
{
    (void)state;
    struct fg_market m;
    uint32_t at[2];
    fg_market_init(&m, fg_ads_policy_find(FG_STR("bmix")), 1);
    uint32_t who = fg_market_add_advertiser(&m, 100), phrase = fg_market_add_phrase(&m);
    fg_market_add(&m, phrase, &(struct fg_ad){.advertiser = who, .bid = 40});
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fg_market_query(&m, phrase, 2, at), 1);
        assert_int_equal(
            fg_market_click(&m, phrase, at[0], fg_market_show(&m, phrase, at[0])), 40);
    }
    assert_int_equal(m.advertisers.purse[who].remaining,
                     20); /* not gone, but less than the bid */
    assert_int_equal(fg_market_query(&m, phrase, 2, at), 0);
    fg_market_day(&m);
    assert_int_equal(fg_market_query(&m, phrase, 2, at), 1);
    fg_market_clear(&m);
}

static void half_a_budget_throttles_its_ads(void **state)
{
    (void)state;
    struct fg_market m;
    fg_market_init(&m, fg_ads_policy_find(FG_STR("bmix-et")), 1);
    uint32_t poor = fg_market_add_advertiser(&m, 1000),
             rich = fg_market_add_advertiser(&m, FG_NO_BUDGET);
    assert_near(m.advertisers.purse[poor].keep, 0.632121, 5e-7);
    assert_near(m.advertisers.purse[rich].keep, 0.632121, 5e-7);
    fg_market_fill(&m, poor, 500);
    assert_near(m.advertisers.purse[poor].keep, 0.393469, 5e-7);
    fg_market_clear(&m);
}

static void choice_is_the_highest_in_order_and_first_of_equals(void **state)
{
    (void)state;
    struct fg_market m;
    struct fg_rng rng = fg_rng_from_seed(3);
    fg_market_init(&m, fg_ads_policy_find(FG_STR("greedy")), 1);
    uint32_t phrase = fg_market_add_phrase(&m), at[8];
    for (int i = 0; i < 200; i++) {
        uint32_t who = fg_market_add_advertiser(&m, i % 7 ? FG_NO_BUDGET : 5);
        fg_market_add(&m, phrase, &(struct fg_ad){.advertiser = who, .bid = 10});
        m.score[i] = (float)fg_rng_below(&rng, 50);
    }
    size_t n = fg_market_choose(&m, phrase, 8, at);
    assert_int_equal(n, 8);
    for (size_t k = 0; k < 8; k++) { /* by trying every pair */
        size_t better = 0;
        for (size_t i = 0; i < 200; i++)
            better += i % 7 && (m.score[i] > m.score[at[k]] ||
                                (m.score[i] >= m.score[at[k]] && i < at[k]));
        assert_int_equal(better, k);
    }
    fg_market_clear(&m);
}

static void ads_come_and_go_at_any_time(void **state)
{
    (void)state;
    struct fg_market m;
    uint32_t at[FG_ADS_SHOWN_MOST];
    fg_market_init(&m, fg_ads_policy_find(FG_STR("bpol")), 1);
    uint32_t who[40], phrases[3];
    for (size_t i = 0; i < 40; i++)
        who[i] = fg_market_add_advertiser(&m, FG_NO_BUDGET);
    for (size_t p = 0; p < 3; p++)
        phrases[p] = fg_market_add_phrase(&m);
    for (uint32_t i = 0; i < 40; i++) /* in turns, so that phrases must move */
        for (size_t p = 0; p < 3; p++)
            fg_market_add(&m, phrases[p],
                          &(struct fg_ad){.id = 100 * (uint32_t)p + i,
                                          .advertiser = who[i],
                                          .bid = 1});
    for (size_t p = 0; p < 3; p++) {
        assert_int_equal(m.phrases.count[p], 40);
        for (size_t i = 0; i < 40; i++)
            assert_int_equal(m.id[m.phrases.first[p] + i], 100 * p + i);
    }
    m.shown[m.phrases.first[1] + 39] = 7;
    assert_true(fg_market_remove(&m, 1, 105));
    assert_false(fg_market_remove(&m, 1, 105));
    assert_int_equal(m.id[m.phrases.first[1] + 5], 139); /* the last took its place */
    assert_int_equal(m.shown[m.phrases.first[1] + 5], 7);
    for (uint32_t i = 0; i < 40; i++)
        fg_market_remove(&m, 0, i);
    assert_int_equal(fg_market_query(&m, 0, 4, at), 0);
    uint32_t place =
        fg_market_add(&m, 0, &(struct fg_ad){.id = 5, .advertiser = who[1], .bid = 2});
    assert_int_equal(m.shown[place], 0); /* one that comes back starts at the prior */
    fg_market_clear(&m);
}

static void own_prior_counts_as_displays_and_clicks(void **state)
{
    (void)state;
    struct fg_market m;
    fg_market_init(&m, fg_ads_policy_find(FG_STR("greedy")), 1);
    uint32_t who = fg_market_add_advertiser(&m, FG_NO_BUDGET),
             phrase = fg_market_add_phrase(&m);
    uint32_t place = fg_market_add(
        &m, phrase,
        &(struct fg_ad){.advertiser = who, .bid = 10, .alpha = 3.5F, .beta = 10.5F});
    assert_near(fg_market_mean(&m, place), 0.25, 1e-9);
    m.shown[place] = 6;
    m.clicked[place] = 1;
    assert_near(fg_market_mean(&m, place), 4.5 / 20, 1e-9);
    fg_market_clear(&m);
}

static void restart_forgets_or_keeps_as_prior(void **state)
{
    (void)state;
    for (int keeps = 0; keeps < 2; keeps++) {
        struct fg_market m;
        uint32_t at[1];
        fg_market_init(&m, fg_ads_policy_find(FG_STR("bpol")), 1);
        assert_true(fg_market_set(&m, FG_STR("prior"), keeps));
        assert_false(fg_market_set(&m, FG_STR("bandit"), 7));
        assert_false(fg_market_set(&m, FG_STR("nothing"), 0));
        m.knob[0] = 0;
        uint32_t poor = fg_market_add_advertiser(&m, 20),
                 rich = fg_market_add_advertiser(&m, FG_NO_BUDGET);
        uint32_t phrase = fg_market_add_phrase(&m);
        fg_market_add(&m, phrase, &(struct fg_ad){.advertiser = poor, .bid = 10});
        uint32_t other =
            fg_market_add(&m, phrase, &(struct fg_ad){.advertiser = rich, .bid = 10});
        for (int i = 0; i < 3; i++) { /* poor, rich, and of equals the first */
            fg_market_query(&m, phrase, 1, at);
            fg_market_click(&m, phrase, at[0], fg_market_show(&m, phrase, at[0]));
        }
        assert_int_equal(fg_market_query(&m, phrase, 1, at), 1);
        assert_int_equal(at[0], other);
        assert_int_equal(m.shown[other], 0);
        assert_int_equal(m.phrases.queries[phrase], 1);
        assert_near(m.prior_shown[other], keeps, 1e-9);
        fg_market_clear(&m);
    }
}

/* Thirty phrases, forty advertisers, most with budgets of a few bids, three days. */
static void budgets_are_never_overspent(void **state)
{
    (void)state;
    for (size_t p = 0; fg_ads_policies[p]; p++) {
        struct fg_market m;
        struct fg_rng rng = fg_rng_from_seed(7);
        fg_market_init(&m, fg_ads_policies[p], 5);
        for (int i = 0; i < 40; i++)
            fg_market_add_advertiser(&m, i % 4 ? (int32_t)(20 + fg_rng_below(&rng, 200))
                                               : FG_NO_BUDGET);
        for (uint32_t j = 0; j < 30; j++) {
            fg_market_add_phrase(&m);
            for (uint32_t i = 0; i < 8; i++)
                fg_market_add(
                    &m, j,
                    &(struct fg_ad){.id = j * 8 + i,
                                    .advertiser = (j * 3 + i * 5) % 40,
                                    .bid = (int32_t)(5 + fg_rng_below(&rng, 40)),
                                    .cluster = (uint16_t)(i % 3),
                                    .ctr = (float)(0.3 * fg_rng_unit(&rng))});
        }
        for (int day = 0; day < 3; day++) {
            int64_t spent[40] = {0};
            fg_market_day(&m);
            for (int q = 0; q < 2000; q++) {
                uint32_t at[3], phrase = (uint32_t)fg_rng_below(&rng, 30);
                size_t n = fg_market_query(&m, phrase, 3, at);
                m.days = day + q / 2000.0;
                for (size_t k = 0; k < n; k++) {
                    bool can_pay = fg_market_can_pay(&m, at[k]);
                    assert_true(can_pay || m.policy->ignores_budgets);
                    struct fg_ad_before before = fg_market_show(&m, phrase, at[k]);
                    if (fg_rng_unit(&rng) < (double)m.ctr[at[k]])
                        spent[m.advertiser[at[k]]] +=
                            fg_market_click(&m, phrase, at[k], before);
                }
                if (q % 41 == 40)
                    fg_market_slice(&m, 1 - (q + 1) / 2000.0);
            }
            for (size_t i = 0; i < 40; i++) {
                assert_true(spent[i] <= m.advertisers.budget[i]);
                assert_true(m.advertisers.purse[i].remaining >= 0);
                if (m.advertisers.budget[i] != FG_NO_BUDGET)
                    assert_int_equal(spent[i] + m.advertisers.purse[i].remaining,
                                     m.advertisers.budget[i]);
            }
        }
        fg_market_clear(&m);
    }
}

FG_TESTS(mix_priority_is_as_in_the_thesis, throttle_is_one_less_exp,
         psi_is_brezzi_and_lais, index_adds_the_value_of_a_lesson,
         prior_is_learned_from_two_kinds_of_display, price_moves_by_what_is_too_much,
         prior_of_the_thesis_has_its_variance,
         bid_above_the_rest_of_the_budget_is_not_shown, half_a_budget_throttles_its_ads,
         choice_is_the_highest_in_order_and_first_of_equals, ads_come_and_go_at_any_time,
         own_prior_counts_as_displays_and_clicks, restart_forgets_or_keeps_as_prior,
         budgets_are_never_overspent)
