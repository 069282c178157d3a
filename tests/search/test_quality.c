/* Worked values of quality.h and ranked.h, and the closed forms against sums rank by
 * rank. */
#include "base/rng.h"
#include "search/quality.h"
#include "search/ranked.h"
#include "test.h"

static void inspections_fall_and_add_up(void **state)
{
    (void)state;
    assert_near(fg_inspection(1), 1, 0);
    assert_near(fg_inspection(2), 0.353553, 1e-6);
    assert_near(fg_inspection(5), 0.089443, 1e-6);
    assert_near(fg_inspection_sum(0), 0, 0);
    assert_near(fg_inspection_sum(20), 2.170682, 1e-6);
    assert_near(fg_inspection_sum(100) - fg_inspection_sum(10), 0.41754, 1e-5);
    assert_near(fg_inspection_sum(30) - fg_inspection_sum(1), 1.250, 5e-4);
    double sum = 0;
    for (int r = 1; r <= 5000; r++) {
        sum += pow(r, -1.5);
        assert_near(fg_inspection_sum(r), sum, 1e-9);
    }
}

/* --- histograms --- */

static const float ten[] = {.90f, .70f, .60f, .50f, .40f, .35f, .30f, .25f, .20f, .10f};

static struct fg_histogram of_ten(void)
{
    struct fg_histogram h;
    fg_histogram_make(&h, ten, 10, 3);
    return h;
}

static void histograms_have_buckets_that_grow(void **state)
{
    (void)state;
    static const double score[] = {.8625,   .7375,   .6125,  .514583, .44375,
                                   .372917, .302083, .23125, .160417, .089583};
    struct fg_histogram h = of_ten();
    assert_int_equal(h.k, 3);
    assert_near((double)h.rank[0], 1.5, 0);
    assert_near((double)h.rank[1], 3.5, 0);
    assert_near((double)h.rank[2], 7.5, 0);
    assert_near((double)h.score[0], .8, 1e-6);
    assert_near((double)h.score[1], .55, 1e-6);
    assert_near((double)h.score[2], .266667, 1e-6);
    for (int r = 1; r <= 10; r++)
        assert_near(fg_histogram_score(&h, r), score[r - 1], 1e-6);
    /* before rounding 1, 2.3, 3.1, 4.20588, 7.02941, 9.85294 */
    static const double at[] = {.9, .7, .6, .5, .3, .1}, rank[] = {1, 2, 3, 4, 7, 10};
    for (int i = 0; i < 6; i++)
        assert_near(fg_histogram_rank(&h, at[i]), rank[i], 0);
    fg_histogram_make(&h, ten, 0, 8);
    assert_near(fg_histogram_rank(&h, .5), 1, 0);
    assert_near(fg_histogram_gain(&h, 0, .5), .5, 1e-12);
    fg_histogram_make(&h, ten, 1, 8);
    assert_int_equal(h.k, 1);
    assert_near(fg_histogram_gain(&h, 0.9, 0), 0, 0);
}

static struct fg_ranked list_of(const float *scores, size_t n)
{
    struct fg_ranked list = {0};
    for (uint32_t i = 0; i < n; i++)
        fg_ranked_move(&list, i, 0, scores[i], scores[i]);
    return list;
}

static void moves_are_worth_what_was_worked_out(void **state)
{
    (void)state;
    static const struct {
        float was, is;
        uint32_t page;
        double gain, exact;
    } moves[] = {
        {.6f, .22f, 2, .032251, .029486},
        {.6f, 0, 2, .066611, .064075},
        {.25f, .65f, 7, .019060, .021701},
        {0, .45f, 10, .019653, .020539},
        {.7f, .68f, 1, 0, 0},
    };
    struct fg_histogram h = of_ten();
    struct fg_ranked list = list_of(ten, 10);
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        assert_near(fg_histogram_gain(&h, (double)moves[i].was, (double)moves[i].is),
                    moves[i].gain, 1e-6);
        assert_near(fg_ranked_gain(&list, moves[i].page, moves[i].was, moves[i].is,
                                   FG_RANKED_COPIES),
                    moves[i].exact, 1e-6);
    }
    fg_ranked_clear(&list);
}

/* The printed sum of the ranks between, which are all it differs in for one that moves
 * down by two: I(3) S(4) - slope I(4) - I(5) S(5) + (I(5) - I(3)) s2. */
static void the_printed_form_is_the_printed_one(void **state)
{
    (void)state;
    struct fg_histogram h = of_ten();
    double slope = (fg_histogram_score(&h, 4) - fg_histogram_score(&h, 5)) / 1;
    double gain = (fg_inspection(5) - fg_inspection(3)) * .45 +
                  fg_inspection(3) * .514583 - slope * fg_inspection(4) -
                  fg_inspection(5) * .44375;
    assert_near(fg_histogram_rank(&h, .45), 5, 0);
    assert_near(fg_histogram_gain_printed(&h, .6, .45), gain, 1e-6);
    /* one that leaves counts as rank n + 1, and the others' last place as 0 */
    slope = (fg_histogram_score(&h, 10) - fg_histogram_score(&h, 11)) / 1;
    gain = fg_inspection(9) * fg_histogram_score(&h, 10) - slope * fg_inspection(10);
    assert_near(fg_histogram_rank(&h, .17), 9, 0);
    assert_near(fg_histogram_gain_printed(&h, .17, 0), gain, 1e-6);
    assert_near(fg_histogram_gain_printed(&h, .3, .3), 0, 0);
}

/* --- against sums rank by rank --- */

static double shift_by_rank(const struct fg_histogram *h, double a, double b, int way)
{
    double sum = 0;
    for (double r = a; r <= b; r++)
        sum += (fg_inspection(r - way) - fg_inspection(r)) * fg_histogram_score(h, r);
    return sum;
}

static int falling(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x < y) - (x > y);
}

static size_t random_scores(struct fg_rng *rng, float *scores, size_t most)
{
    size_t n = 1 + (size_t)fg_rng_below(rng, most);
    double power = 0.2 + 4 * fg_rng_unit(rng);
    for (size_t i = 0; i < n; i++)
        scores[i] = (float)pow(fg_rng_open(rng), power);
    qsort(scores, n, sizeof *scores, falling);
    return n;
}

static void shifts_are_sums_rank_by_rank(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(3);
    size_t ended = 0, single = 0;
    for (int i = 0; i < 20000; i++) {
        float scores[600];
        struct fg_histogram h;
        size_t n = random_scores(&rng, scores, i % 3 ? 600 : 6);
        fg_histogram_make(&h, scores, n, 1 + (size_t)fg_rng_below(&rng, 8));
        double a = 1 + (double)fg_rng_below(&rng, n);
        double b = a + (double)fg_rng_below(&rng, n + 1 - (size_t)a);
        single += h.k == 1;
        ended += fg_histogram_score(&h, b) == 0;
        assert_near(fg_histogram_shift_down(&h, a, b), shift_by_rank(&h, a, b, -1), 1e-6);
        if (a > 1)
            assert_near(fg_histogram_shift_up(&h, a, b), shift_by_rank(&h, a, b, 1),
                        1e-6);
    }
    assert_true(ended > 100 && single > 100);
}

/* --- exact lists --- */

static void lists_give_the_worked_example(void **state)
{
    (void)state;
    static const float copies[] = {.9f, .6f, .5f, .2f};
    struct fg_ranked list = list_of(copies, 4);
    fg_ranked_see(&list, 1, .6f, .3f);
    assert_near(fg_ranked_quality(&list), 1.127291, 1e-6);
    assert_near(fg_ranked_gain(&list, 1, .6f, .3f, FG_RANKED_LIVE), .032221, 1e-6);
    assert_near(fg_ranked_gain(&list, 1, .6f, 0, FG_RANKED_LIVE), .094042, 1e-6);
    /* as the example has it, with the others' copies fresh */
    struct fg_ranked fresh = list_of(copies, 4);
    assert_near(fg_ranked_gain(&fresh, 4, 0, .55f, FG_RANKED_LIVE), .065011, 1e-6);
    fg_ranked_move(&list, 1, .6f, .3f, .3f);
    assert_near(fg_ranked_quality(&list), 1.159512, 1e-6);
    assert_near(1.127291 / 1.159512, .972212, 1e-6);
    assert_int_equal(list.at[1].page, 2);
    assert_int_equal(list.at[2].page, 1);
    fg_ranked_clear(&fresh);
    fg_ranked_clear(&list);
}

/* Pages that come, go, tie and move at random: the gain of a fetch is the quality after
 * less that before, and a list kept up to date is the list made anew. */
static void a_gain_is_the_change_of_quality(void **state)
{
    (void)state;
    enum { PAGES = 12 };
    struct fg_rng rng = fg_rng_from_seed(5);
    float copy[PAGES] = {0}, live[PAGES] = {0};
    struct fg_ranked list = {0};
    for (int i = 0; i < 20000; i++) {
        uint32_t page = (uint32_t)fg_rng_below(&rng, PAGES);
        if (i % 2) {
            uint64_t steps = fg_rng_below(&rng, 6);
            live[page] = (float)steps / 4;
            fg_ranked_see(&list, page, copy[page], live[page]);
            continue;
        }
        double before = fg_ranked_quality(&list);
        double gain = fg_ranked_gain(&list, page, copy[page], live[page], FG_RANKED_LIVE);
        fg_ranked_move(&list, page, copy[page], live[page], live[page]);
        copy[page] = live[page];
        assert_near(fg_ranked_quality(&list) - before, gain, 1e-9);
        struct fg_ranked anew = {0};
        for (uint32_t p = 0; p < PAGES; p++)
            fg_ranked_move(&anew, p, 0, copy[p], live[p]);
        assert_int_equal(anew.len, list.len);
        for (size_t k = 0; k < list.len; k++) {
            assert_int_equal(anew.at[k].page, list.at[k].page);
            assert_true(anew.at[k].live == list.at[k].live);
        }
        fg_ranked_clear(&anew);
    }
    fg_ranked_clear(&list);
}

FG_TESTS(inspections_fall_and_add_up, histograms_have_buckets_that_grow,
         moves_are_worth_what_was_worked_out, the_printed_form_is_the_printed_one,
         shifts_are_sums_rank_by_rank, lists_give_the_worked_example,
         a_gain_is_the_change_of_quality)
