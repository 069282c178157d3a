/* Jaccard coefficients by hand, and clusters against a plain search of all pairs. */
#include "test.h"

#include "base/rng.h"
#include "learn/jaccard.h"

static void jaccard_is_common_over_all(void **state)
{
    (void)state;
    const uint64_t a[] = {1, 2, 3, 4}, b[] = {3, 4, 5}, c[] = {7};
    assert_near(fg_jaccard(a, 4, b, 3), 2.0 / 5, 0);
    assert_near(fg_jaccard(a, 4, a, 4), 1, 0);
    assert_near(fg_jaccard(a, 4, c, 1), 0, 0);
    assert_near(fg_jaccard(a, 4, a, 0), 0, 0);
    assert_near(fg_jaccard(a, 0, b, 0), 0, 0);
}

/* {1,2} {2,3} {3,4} {9} {} {2,1}: neighbours in the chain overlap by 1/3, its ends not at
 * all. */
static void clusters_follow_chains(void **state)
{
    (void)state;
    const uint64_t items[] = {1, 2, 2, 3, 3, 4, 9, 2, 1};
    const size_t at[] = {0, 2, 4, 6, 7, 7, 9};
    const struct fg_sets sets = {6, at, items};
    uint32_t cluster[6];
    fg_jaccard_clusters(&sets, 1.0 / 3, cluster);
    const uint32_t loose[] = {0, 0, 0, 3, 4, 0};
    assert_memory_equal(cluster, loose, sizeof loose);
    fg_jaccard_clusters(&sets, 0.34, cluster);
    const uint32_t strict[] = {0, 1, 2, 3, 4, 0};
    assert_memory_equal(cluster, strict, sizeof strict);
}

enum { SETS = 40, ITEMS = 12 };

struct pairs {
    double overlap[SETS][SETS];
    size_t n;
};

static void note(void *context, size_t i, size_t j, double overlap)
{
    struct pairs *pairs = context;
    assert_true(i < j);
    assert_near(pairs->overlap[i][j], 0, 0); /* each pair once */
    pairs->overlap[i][j] = overlap;
    pairs->n++;
}

static size_t random_sets(struct fg_rng *rng, uint64_t *items, size_t *at)
{
    size_t n = 0;
    double density = fg_rng_unit(rng);
    for (size_t s = 0; s < SETS; s++) {
        at[s] = n;
        for (uint64_t item = 0; item < ITEMS; item++)
            if (fg_rng_unit(rng) < density / (double)(1 + s % 4))
                items[n++] = item * 5;
    }
    at[SETS] = n;
    return n;
}

static void pairs_are_those_a_plain_search_finds(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(8);
    for (int round = 0; round < 60; round++) {
        uint64_t items[SETS * ITEMS];
        size_t at[SETS + 1], expected = 0;
        random_sets(&rng, items, at);
        const struct fg_sets sets = {SETS, at, items};
        const double least = 0.05 + 0.95 * fg_rng_unit(&rng);
        struct pairs pairs = {0};
        fg_jaccard_pairs(&sets, least, note, &pairs);
        for (size_t i = 0; i < SETS; i++)
            for (size_t j = i + 1; j < SETS; j++) {
                double overlap = fg_jaccard(items + at[i], at[i + 1] - at[i],
                                            items + at[j], at[j + 1] - at[j]);
                if (overlap < least)
                    continue;
                expected++;
                assert_near(pairs.overlap[i][j], overlap, 0);
            }
        assert_int_equal(pairs.n, expected);
    }
}

/* Lemma 2 of the thesis: if every overlap is at least 1 - e_b or at most e_s, both at
 * most 1/3, then within a cluster every pair overlaps by 1 - e_b, not only neighbours. */
static void gaps_make_clusters_into_classes(void **state)
{
    (void)state;
    /* Two groups of ten items; each set misses at most one of its group: overlaps within
     * a group are 8/10 or more, between groups 0. */
    uint64_t items[20 * 10];
    size_t at[21], n = 0;
    for (uint64_t s = 0; s < 20; s++) {
        at[s] = n;
        for (uint64_t item = 0; item < 10; item++)
            if (item != s % 11)
                items[n++] = (s % 2) * 100 + item;
    }
    at[20] = n;
    uint32_t cluster[20];
    fg_jaccard_clusters(&(struct fg_sets){20, at, items}, 2.0 / 3, cluster);
    for (size_t i = 0; i < 20; i++)
        for (size_t j = 0; j < 20; j++) {
            double overlap = fg_jaccard(items + at[i], at[i + 1] - at[i], items + at[j],
                                        at[j + 1] - at[j]);
            assert_int_equal(cluster[i] == cluster[j], overlap >= 2.0 / 3);
        }
}

FG_TESTS(jaccard_is_common_over_all, clusters_follow_chains,
         pairs_are_those_a_plain_search_finds, gaps_make_clusters_into_classes)
