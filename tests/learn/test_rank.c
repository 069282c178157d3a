/* NDCG and coordinate ascent on cases worked out by hand. Gains are 2^label - 1; the
 * places count 1, 1 / log2 3 = 0.6309298, 1 / log2 4 = 0.5, ... */
#include "learn/rank.h"
#include "test.h"

/* RankLib's rules. */
static const struct fg_rank_rules ranklib = {
    .cutoff = 10, .restarts = 5, .steps = 25, .tolerance = 0.001};

static const double place2 = 0.63092975357145743710;

static struct fg_rank_set one_query(const float *x, const float *label, size_t n)
{
    static uint32_t query[2];
    static const float *columns[1];
    columns[0] = x;
    query[1] = (uint32_t)n;
    return (struct fg_rank_set){.features = 1,
                                .examples = n,
                                .queries = 1,
                                .x = columns,
                                .label = label,
                                .query = query};
}

/* Labels 2, 3, 0 in the order ranked: (3 + 7 p) / (7 + 3 p) = 0.8339912. */
static void ndcg_discounts_by_place(void **state)
{
    (void)state;
    struct fg_rank_set set = one_query((float[]){1, 3, 2}, (float[]){0, 2, 3}, 3);
    assert_near(fg_rank_ndcg(&set, (double[]){1}, 10),
                (3 + 7 * place2) / (7 + 3 * place2), 1e-12);
    assert_near(fg_rank_ndcg(&set, (double[]){1}, 1), 3.0 / 7, 1e-12);
    /* the other way round: 0, 3, 2 */
    assert_near(fg_rank_ndcg(&set, (double[]){-1}, 10),
                (7 * place2 + 3 * 0.5) / (7 + 3 * place2), 1e-12);
}

/* Half the gain each in both places: (1 + p) / 2. */
static void equal_scores_share_their_places(void **state)
{
    (void)state;
    struct fg_rank_set set = one_query((float[]){4, 4}, (float[]){0, 1}, 2);
    assert_near(fg_rank_ndcg(&set, (double[]){1}, 10), (1 + place2) / 2, 1e-12);
    assert_near(fg_rank_ndcg(&set, (double[]){1}, 1), 0.5, 1e-12);
}

/* log(1 + 7) = 2.0794: the gain is 2^2.0794 - 1 = 3.2261. */
static void labels_need_not_be_whole(void **state)
{
    (void)state;
    float label[] = {(float)log1p(7), (float)log1p(1)};
    struct fg_rank_set set = one_query((float[]){0, 1}, label, 2);
    double high = pow(8, 0.69314718056) - 1, low = pow(2, 0.69314718056) - 1;
    assert_near(fg_rank_ndcg(&set, (double[]){1}, 10),
                (low + high * place2) / (high + low * place2), 1e-6);
}

static void queries_without_gain_do_not_count(void **state)
{
    (void)state;
    struct fg_rank_set set = {.features = 1,
                              .examples = 4,
                              .queries = 2,
                              .x = (const float *[]){(float[]){1, 2, 1, 2}},
                              .label = (float[]){0, 0, 1, 0},
                              .query = (uint32_t[]){0, 2, 4}};
    assert_near(fg_rank_ndcg(&set, (double[]){1}, 10), place2, 1e-12);
    set.queries = 1;
    assert_near(fg_rank_ndcg(&set, (double[]){1}, 10), 0, 0);
}

/* The first query asks for w0 > w1, the second for 2 w1 > w0. */
static void ascent_finds_weights_between_two_bounds(void **state)
{
    (void)state;
    struct fg_rank_set set = {
        .features = 2,
        .examples = 4,
        .queries = 2,
        .x = (const float *[]){(float[]){1, 0, 0, 1}, (float[]){0, 1, 2, 0}},
        .label = (float[]){1, 0, 1, 0},
        .query = (uint32_t[]){0, 2, 4}};
    double w[2];
    struct fg_rng rng = fg_rng_from_seed(1);
    assert_near(fg_rank_ascend(w, &set, ranklib, &rng), 1, 1e-12);
    assert_true(w[0] > w[1] && w[0] < 2 * w[1]);
    assert_near(fabs(w[0]) + fabs(w[1]), 1, 1e-12);
    assert_near(fg_rank_ndcg(&set, w, 10), 1, 1e-12);
}

/* With equal weights the second example wins by 1.5 to 0.5; w0 > 3 w1 puts it right. */
static void ascent_walks_far_if_need_be(void **state)
{
    (void)state;
    struct fg_rank_set set = {.features = 2,
                              .examples = 2,
                              .queries = 1,
                              .x = (const float *[]){(float[]){1, 0}, (float[]){0, 3}},
                              .label = (float[]){2, 0},
                              .query = (uint32_t[]){0, 2}};
    double w[2];
    struct fg_rng rng = fg_rng_from_seed(1);
    assert_near(fg_rank_ascend(w, &set, ranklib, &rng), 1, 1e-12);
    assert_true(w[0] > 3 * w[1]);
}

static void ascent_turns_a_weight_negative(void **state)
{
    (void)state;
    struct fg_rank_set set = one_query((float[]){5, 1, 3, 2}, (float[]){0, 3, 1, 2}, 4);
    double w[1];
    struct fg_rng rng = fg_rng_from_seed(1);
    assert_near(fg_rank_ascend(w, &set, ranklib, &rng), 1, 1e-12);
    assert_near(w[0], -1, 1e-12);
}

static void nothing_to_rank_leaves_equal_weights(void **state)
{
    (void)state;
    struct fg_rank_set set = {
        .features = 2, .x = (const float *[]){NULL, NULL}, .query = (uint32_t[]){0}};
    double w[2] = {7, 7};
    struct fg_rng rng = fg_rng_from_seed(1);
    assert_near(fg_rank_ascend(w, &set, ranklib, &rng), 0, 0);
    assert_near(w[0], 0.5, 0);
    assert_near(w[1], 0.5, 0);
}

/* Labels by w = (2, 1), drowned in a third feature: the ascent never ends below equal
 * weights, and comes close to what the true weights reach. */
static void ascent_recovers_a_hidden_ranking(void **state)
{
    (void)state;
    enum { QUERIES = 40, EACH = 8, N = QUERIES * EACH };
    static float x[3][N], label[N];
    static uint32_t query[QUERIES + 1];
    struct fg_rng rng = fg_rng_from_seed(2);
    for (size_t i = 0; i < N; i++) {
        x[0][i] = (float)fg_rng_unit(&rng);
        x[1][i] = (float)fg_rng_unit(&rng);
        x[2][i] = (float)(20 * fg_rng_unit(&rng));
        label[i] = 2 * x[0][i] + x[1][i];
    }
    for (size_t q = 0; q <= QUERIES; q++)
        query[q] = (uint32_t)(q * EACH);
    struct fg_rank_set set = {.features = 3,
                              .examples = N,
                              .queries = QUERIES,
                              .x = (const float *[]){x[0], x[1], x[2]},
                              .label = label,
                              .query = query};
    double w[3];
    double found = fg_rank_ascend(w, &set, ranklib, &rng);
    assert_near(fg_rank_ndcg(&set, (double[]){2, 1, 0}, 10), 1, 1e-12);
    assert_true(fg_rank_ndcg(&set, (double[]){1, 1, 1}, 10) < 0.9);
    assert_true(found > 0.995);
    assert_near(w[0] / w[1], 2, 0.3);
}

/* Labels 1 and 2 in that order: R is 1/16 and 3/16, so 1/16 + 15/16 * 3/16 / 2. The other
 * way round 3/16 + 13/16 * 1/16 / 2. Of equal scores both are content with 1/8. */
static void err_stops_at_the_first_that_is_good_enough(void **state)
{
    (void)state;
    struct fg_rank_set set = one_query((float[]){2, 1}, (float[]){1, 2}, 2);
    assert_near(fg_rank_err(&set, (double[]){1}, 10), 1.0 / 16 + 15.0 / 16 * 3 / 16 / 2,
                1e-12);
    assert_near(fg_rank_err(&set, (double[]){-1}, 10), 3.0 / 16 + 13.0 / 16 * 1 / 16 / 2,
                1e-12);
    assert_near(fg_rank_err(&set, (double[]){-1}, 1), 3.0 / 16, 1e-12);
    assert_near(fg_rank_err(&set, (double[]){0}, 10), 1.0 / 8 + 7.0 / 8 / 8 / 2, 1e-12);
    set.label = (float[]){9, 0}; /* beyond the scale: certain */
    assert_near(fg_rank_err(&set, (double[]){1}, 10), 1, 1e-12);
}

static void ascent_climbs_on_the_metric_it_is_given(void **state)
{
    (void)state;
    struct fg_rank_set set = one_query((float[]){2, 1}, (float[]){1, 3}, 2);
    struct fg_rank_rules rules = ranklib;
    struct fg_rng rng = fg_rng_from_seed(1);
    double w;
    rules.metric = FG_RANK_ERR;
    assert_near(fg_rank_ascend(&w, &set, rules, &rng), 7.0 / 16 + 9.0 / 16 / 16 / 2,
                1e-12);
    assert_true(w < 0);
}

FG_TESTS(ndcg_discounts_by_place, err_stops_at_the_first_that_is_good_enough,
         ascent_climbs_on_the_metric_it_is_given, equal_scores_share_their_places,
         labels_need_not_be_whole, queries_without_gain_do_not_count,
         ascent_finds_weights_between_two_bounds, ascent_walks_far_if_need_be,
         ascent_turns_a_weight_negative, nothing_to_rank_leaves_equal_weights,
         ascent_recovers_a_hidden_ranking)
