#include "base/topk.h"

#include "base/rng.h"
#include "test.h"

static int by_rank(const void *a, const void *b)
{
    const struct fg_top *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->id > y->id) - (x->id < y->id);
}

/* Sort everything that may be chosen, and compare the head. */
static void assert_is_top(const struct fg_top *best, size_t n, const float *score,
                          size_t total, uint32_t first, size_t k)
{
    struct fg_top *all = calloc(total + 1, sizeof *all);
    size_t chosen = 0;
    for (size_t i = 0; i < total; i++)
        if (score[i] > -INFINITY)
            all[chosen++] = (struct fg_top){score[i], first + (uint32_t)i};
    qsort(all, chosen, sizeof *all, by_rank);
    assert_int_equal(n, chosen < k ? chosen : k);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(best[i].id, all[i].id);
        assert_true(best[i].score == all[i].score);
    }
    free(all);
}

static void assert_selects(const float *score, size_t total, size_t k, size_t block)
{
    struct fg_topk topk;
    size_t n;
    fg_topk_init(&topk, k);
    for (size_t at = 0; at < total; at += block)
        fg_topk_add(&topk, 7 + (uint32_t)at, score + at,
                    total - at < block ? total - at : block);
    const struct fg_top *best = fg_topk_take(&topk, &n);
    assert_is_top(best, n, score, total, 7, k);
    fg_topk_clear(&topk);
}

enum { TOTAL = 20000 };
static float score[TOTAL];

static void fill_scores(int kind)
{
    struct fg_rng rng = fg_rng_from_seed((uint64_t)kind);
    for (int i = 0; i < TOTAL; i++)
        switch (kind) {
        case 0: /* at random, both signs */
            score[i] = (float)(fg_rng_unit(&rng) - 0.5);
            break;
        case 1: /* every one beats all before */
            score[i] = (float)i;
            break;
        case 2:
            score[i] = (float)-i;
            break;
        case 3: /* nothing but ties */
            score[i] = 1.5f;
            break;
        case 4: /* few values */
            score[i] = (float)fg_rng_below(&rng, 3) - 1;
            break;
        case 5: /* all sizes, through the bits */
        {
            uint32_t bits = (uint32_t)fg_rng_next(&rng);
            memcpy(&score[i], &bits, sizeof bits);
            break;
        }
        case 6: /* half of it never */
            score[i] = i % 4 == 0 ? NAN : i % 4 == 1 ? -INFINITY : (float)(i % 1000);
            break;
        default: /* zeros of both signs, and infinities */
            score[i] = i % 3 == 0 ? -0.0f : i % 3 == 1 ? 0.0f : i % 5 ? -1 : INFINITY;
        }
}
enum { KINDS = 8 };

static void the_best_are_chosen_and_sorted(void **state)
{
    (void)state;
    const size_t ks[] = {0, 1, 2, 100, 511, 512, 5000, TOTAL, TOTAL + 5};
    for (int kind = 0; kind < KINDS; kind++) {
        fill_scores(kind);
        for (size_t i = 0; i < sizeof ks / sizeof *ks; i++)
            assert_selects(score, TOTAL, ks[i], i % 2 ? 1000 : 777);
    }
}

static void blocks_may_have_any_length(void **state)
{
    (void)state;
    fill_scores(0);
    for (size_t block = 1; block < 40; block++)
        assert_selects(score, 500, 10, block);
    assert_selects(score, 0, 10, 1);
}

/* In reverse, one by one: always the same. */
static void the_order_of_arrival_does_not_matter(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct fg_topk backward;
        size_t n;
        fill_scores(kind);
        fg_topk_init(&backward, 1000);
        for (int i = TOTAL - 1; i >= 0; i--)
            fg_topk_add_one(&backward, (uint32_t)i, score[i]);
        const struct fg_top *one = fg_topk_take(&backward, &n);
        assert_is_top(one, n, score, TOTAL, 0, 1000);
        fg_topk_clear(&backward);
    }
}

static void taking_starts_anew(void **state)
{
    (void)state;
    struct fg_topk topk;
    size_t n;
    fg_topk_init(&topk, 3);
    const float first[] = {9, 8, 7, 6}, second[] = {1, 2};
    fg_topk_add(&topk, 0, first, 4);
    assert_int_equal(fg_topk_take(&topk, &n)[0].id, 0);
    assert_int_equal(n, 3);
    fg_topk_add(&topk, 10, second, 2);
    assert_int_equal(fg_topk_take(&topk, &n)[0].id, 11);
    assert_int_equal(n, 2);
    fg_topk_take(&topk, &n);
    assert_int_equal(n, 0);
    fg_topk_clear(&topk);
}

static void ids_reach_the_last(void **state)
{
    (void)state;
    struct fg_topk topk;
    size_t n;
    const float equal[] = {1, 1, 1};
    fg_topk_init(&topk, 2);
    fg_topk_add(&topk, UINT32_MAX - 2, equal, 3);
    fg_topk_add_one(&topk, 0, 1);
    const struct fg_top *best = fg_topk_take(&topk, &n);
    assert_int_equal(best[0].id, 0);
    assert_true(best[1].id == UINT32_MAX - 2);
    fg_topk_clear(&topk);
}

FG_TESTS(the_best_are_chosen_and_sorted, blocks_may_have_any_length,
         the_order_of_arrival_does_not_matter, taking_starts_anew, ids_reach_the_last)
