/* The greedy cover against all subsets there are, on small random cases. */
#include "test.h"

#include "base/rng.h"
#include "learn/cover.h"

enum { SETS = 9, ITEMS = 14 };

/* Sets as bits and as lists. */
struct family {
    unsigned bits[SETS];
    uint64_t items[SETS][ITEMS];
    size_t n[SETS];
};

static size_t items_of(void *context, size_t set, const uint64_t **items)
{
    struct family *family = context;
    *items = family->items[set];
    return family->n[set];
}

static void put(struct family *family, size_t set, unsigned item)
{
    family->bits[set] |= 1u << item;
    family->items[set][family->n[set]++] = item;
}

static struct family random_family(struct fg_rng *rng)
{
    struct family family = {0};
    double density = 0.05 + 0.4 * fg_rng_unit(rng);
    for (size_t set = 0; set < SETS; set++)
        for (unsigned item = 0; item < ITEMS; item++)
            if (fg_rng_unit(rng) < density)
                put(&family, set, item);
    return family;
}

static unsigned size_of(unsigned bits)
{
    return (unsigned)__builtin_popcount(bits);
}

static unsigned union_of(const struct family *family, unsigned chosen)
{
    unsigned all = 0;
    for (size_t set = 0; set < SETS; set++)
        if (chosen >> set & 1)
            all |= family->bits[set];
    return all;
}

/* The most that k sets can hold, and the fewest sets that hold at least `wanted`. */
static unsigned best_with(const struct family *family, unsigned k)
{
    unsigned best = 0;
    for (unsigned chosen = 0; chosen < 1u << SETS; chosen++) {
        unsigned size = size_of(union_of(family, chosen));
        if (size_of(chosen) <= k && size > best)
            best = size;
    }
    return best;
}

static unsigned fewest_for(const struct family *family, unsigned wanted)
{
    unsigned fewest = SETS;
    for (unsigned chosen = 0; chosen < 1u << SETS; chosen++)
        if (size_of(union_of(family, chosen)) >= wanted && size_of(chosen) < fewest)
            fewest = size_of(chosen);
    return fewest;
}

static void offer_all(struct fg_cover *cover, struct family *family, size_t below)
{
    fg_cover_start(cover, &(struct fg_cover_sets){family, items_of, below});
    for (size_t set = 0; set < SETS; set++)
        fg_cover_offer(cover, set);
}

/* Each step is the step that looking at every set would take. */
static void each_step_takes_the_highest_gain(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(1);
    struct fg_cover cover = {0};
    for (int round = 0; round < 500; round++) {
        struct family family = random_family(&rng);
        unsigned covered = 0;
        size_t set, gain;
        offer_all(&cover, &family, round % 2 ? ITEMS : 0);
        while (fg_cover_next(&cover, &set, &gain)) {
            size_t best = 0;
            for (size_t i = 1; i < SETS; i++)
                if (size_of(family.bits[i] & ~covered) >
                    size_of(family.bits[best] & ~covered))
                    best = i;
            assert_int_equal(set, best);
            assert_int_equal(gain, size_of(family.bits[best] & ~covered));
            covered |= family.bits[set];
            fg_cover_take(&cover, set);
            assert_int_equal(cover.size, size_of(covered));
        }
        assert_int_equal(covered, union_of(&family, (1u << SETS) - 1));
    }
    fg_cover_clear(&cover);
}

static void k_sets_hold_all_but_a_share_of_1_in_e(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(2);
    struct fg_cover cover = {0};
    unsigned short_of_best = 0;
    for (int round = 0; round < 300; round++) {
        struct family family = random_family(&rng);
        size_t set, gain;
        offer_all(&cover, &family, round % 2 ? ITEMS : 0);
        for (unsigned k = 1; k <= SETS && fg_cover_next(&cover, &set, &gain); k++) {
            fg_cover_take(&cover, set);
            unsigned best = best_with(&family, k);
            assert_true((double)cover.size >= (1 - exp(-1)) * best);
            short_of_best += cover.size < best;
        }
    }
    assert_true(short_of_best > 0); /* the cases are not all trivial */
    fg_cover_clear(&cover);
}

/* H(n) = 1 + 1/2 + ... + 1/n bounds greedy for full covers (Lovasz, Chvatal), and for
 * partial covers too (Slavik 1997); n is the number of items wanted. */
static void a_partial_cover_is_within_a_logarithm_of_the_fewest(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(3);
    struct fg_cover cover = {0};
    for (int round = 0; round < 300; round++) {
        struct family family = random_family(&rng);
        unsigned all = size_of(union_of(&family, (1u << SETS) - 1));
        unsigned wanted = (unsigned)ceil(0.9 * all), used = 0;
        double harmonic = 0;
        size_t set, gain;
        for (unsigned i = 1; i <= wanted; i++)
            harmonic += 1.0 / i;
        offer_all(&cover, &family, round % 2 ? ITEMS : 0);
        while (cover.size < wanted && fg_cover_next(&cover, &set, &gain)) {
            fg_cover_take(&cover, set);
            used++;
        }
        assert_true(cover.size >= wanted);
        assert_true(used <= harmonic * fewest_for(&family, wanted));
    }
    fg_cover_clear(&cover);
}

/* A set that is passed over does not cover anything, and does not come again. */
static void a_set_may_be_passed_over(void **state)
{
    (void)state;
    struct family family = {0};
    struct fg_cover cover = {0};
    size_t set, gain;
    for (unsigned item = 0; item < 5; item++)
        put(&family, 3, item);
    for (unsigned item = 0; item < 4; item++)
        put(&family, 7, item);
    offer_all(&cover, &family, 0);
    assert_true(fg_cover_next(&cover, &set, &gain));
    assert_int_equal(set, 3);
    assert_true(fg_cover_next(&cover, &set, &gain));
    assert_int_equal(set, 7);
    assert_int_equal(gain, 4);
    assert_false(fg_cover_next(&cover, &set, &gain));
    fg_cover_clear(&cover);
}

FG_TESTS(each_step_takes_the_highest_gain, k_sets_hold_all_but_a_share_of_1_in_e,
         a_partial_cover_is_within_a_logarithm_of_the_fewest, a_set_may_be_passed_over)
