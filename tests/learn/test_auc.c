#include "learn/auc.h"
#include "test.h"

#include "base/rng.h"

static void auc_is_the_share_of_pairs_in_order(void **state)
{
    (void)state;
    /* Positives .8 .4, negatives .6 .3 .1: of six pairs only (.4, .6) is out of order. */
    float score[] = {.8f, .6f, .4f, .3f, .1f};
    bool is_positive[] = {true, false, true, false, false};
    assert_near(fg_auc(score, is_positive, 5), 5.0 / 6, 1e-15);
}

static void auc_counts_ties_half(void **state)
{
    (void)state;
    /* Positives .5 .5 .2, negatives .5 .2 .2 .1: pairs won 0+2+2... by hand: .5 against
     * (.5 .2 .2 .1) is .5+1+1+1, twice; .2 is 0+.5+.5+1; 9 of 12 pairs. */
    float score[] = {.5f, .2f, .5f, .2f, .5f, .1f, .2f};
    bool is_positive[] = {true, true, true, false, false, false, false};
    assert_near(fg_auc(score, is_positive, 7), 9.0 / 12, 1e-15);
    float same[] = {1, 1, 1, 1};
    bool half[] = {true, false, false, true};
    assert_near(fg_auc(same, half, 4), 0.5, 1e-15);
}

static void auc_is_one_zero_or_nothing(void **state)
{
    (void)state;
    float score[] = {1, 2, 3, INFINITY}, unknown[] = {1, NAN};
    bool up[] = {false, false, true, true}, down[] = {true, true, false, false};
    bool all[] = {true, true, true, true};
    assert_near(fg_auc(score, up, 4), 1, 0);
    assert_near(fg_auc(score, down, 4), 0, 0);
    assert_true(isnan(fg_auc(score, all, 4)));
    assert_true(isnan(fg_auc(unknown, up + 1, 2)));
    assert_true(isnan(fg_auc(NULL, NULL, 0)));
}

static void auc_agrees_with_counting_all_pairs(void **state)
{
    (void)state;
    enum { N = 300 };
    struct fg_rng rng = fg_rng_from_seed(5);
    float score[N];
    bool is_positive[N];
    double won = 0, pairs = 0;
    for (size_t i = 0; i < N; i++) {
        is_positive[i] = fg_rng_below(&rng, 3) == 0;
        score[i] = (float)fg_rng_below(&rng, 40) + (is_positive[i] ? 5.0f : 0.0f);
    }
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            if (is_positive[i] && !is_positive[j]) {
                pairs++;
                won += score[i] > score[j] ? 1 : score[i] == score[j] ? 0.5 : 0;
            }
    assert_near(fg_auc(score, is_positive, N), won / pairs, 1e-12);
}

FG_TESTS(auc_is_the_share_of_pairs_in_order, auc_counts_ties_half,
         auc_is_one_zero_or_nothing, auc_agrees_with_counting_all_pairs)
