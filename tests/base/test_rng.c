#include "base/rng.h"

#include "base/map.h"
#include "base/threefry.h"
#include "fit.h"

/* Known answers of the Random123 distribution by the authors of Threefry. */
static void threefry_gives_the_published_answers(void **state)
{
    (void)state;
    uint64_t out[2];
    fg_threefry((uint64_t[]){0, 0}, (uint64_t[]){0, 0}, 20, out);
    assert_true(out[0] == 0xc2b6e3a8c2c69865 && out[1] == 0x6f81ed42f350084d);
    fg_threefry((uint64_t[]){0, 0}, (uint64_t[]){0, 0}, 13, out);
    assert_true(out[0] == 0xf167b032c3b480bd && out[1] == 0xe91f9fee4b7a6fb5);
    fg_threefry((uint64_t[]){0xa4093822299f31d0, 0x082efa98ec4e6c89},
                (uint64_t[]){0x243f6a8885a308d3, 0x13198a2e03707344}, 20, out);
    assert_true(out[0] == 0x263c7d30bb0f0af1 && out[1] == 0x56be8361d3311526);
}

/* Worked by hand from the paper's definition. State 1, 2, 3, 4: 1 + 4 = 5, turned by 23,
 * plus 1. The step leaves 1^(4^2) = 7, 2^(3^1) = 0, (3^1)^(2<<17) = 0x40002 and (4^2)
 * turned by 45; then 7 + (6<<45) turned by 23, plus 7. */
static void xoshiro_walks_as_defined(void **state)
{
    (void)state;
    struct fg_rng rng = {.state = {1, 2, 3, 4}};
    assert_true(fg_rng_next(&rng) == (UINT64_C(5) << 23) + 1);
    assert_true(rng.state[0] == 7 && rng.state[1] == 0);
    assert_true(rng.state[2] == 0x40002 && rng.state[3] == UINT64_C(6) << 45);
    assert_true(fg_rng_next(&rng) == (UINT64_C(7) << 23 | 6 << 4) + 7);
}

static void the_same_seed_gives_the_same_numbers(void **state)
{
    (void)state;
    struct fg_rng a = fg_rng_from_seed(42), b = fg_rng_from_seed(42);
    struct fg_rng c = fg_rng_from_seed(43);
    size_t same = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t x = fg_rng_next(&a);
        assert_true(x == fg_rng_next(&b));
        same += x == fg_rng_next(&c);
    }
    assert_int_equal(same, 0);
}

static void splitting_neither_reads_nor_moves_the_parent(void **state)
{
    (void)state;
    struct fg_rng parent = fg_rng_from_seed(1);
    struct fg_rng early = fg_rng_split(&parent, 7), before = parent;
    for (int i = 0; i < 100; i++)
        fg_rng_next(&parent);
    struct fg_rng late = fg_rng_split(&parent, 7);
    assert_memory_equal(&early, &late, sizeof early);
    struct fg_rng again = fg_rng_from_seed(1);
    fg_rng_split(&again, 7);
    assert_memory_equal(&before, &again, sizeof again);
}

/* Children by small numbers, by huge ones and by bits far apart, and grandchildren whose
 * paths look alike (1 then 2, 2 then 1): no key and no first output occurs twice. */
static void relatives_are_all_different(void **state)
{
    (void)state;
    struct fg_rng root = fg_rng_from_seed(0);
    struct fg_map seen = {0};
    size_t streams = 0;
    for (uint64_t i = 0; i < 200; i++) {
        struct fg_rng child = fg_rng_split(&root, i), far = fg_rng_split(&root, ~i);
        struct fg_rng *both[] = {&child, &far};
        for (size_t c = 0; c < 2; c++) {
            *fg_map_put(&seen, both[c]->key[0]) = 1;
            *fg_map_put(&seen, fg_rng_next(both[c])) = 1;
            streams += 2;
        }
        for (uint64_t j = 0; j < 200; j++) {
            struct fg_rng grandchild = fg_rng_split(&child, j);
            *fg_map_put(&seen, grandchild.key[0]) = 1;
            *fg_map_put(&seen, fg_rng_next(&grandchild)) = 1;
            streams += 2;
        }
    }
    assert_int_equal(fg_map_len(&seen), streams);
    fg_map_clear(&seen);
}

/* The first output of each of 100000 children, in 256 cells, for each of the 8 bytes. */
static void first_outputs_of_children_are_even(void **state)
{
    (void)state;
    enum { CHILDREN = 100000 };
    struct fg_rng root = fg_rng_from_seed(5);
    static double seen[8][256], expected[256];
    memset(seen, 0, sizeof seen);
    for (uint64_t i = 0; i < CHILDREN; i++) {
        struct fg_rng child = fg_rng_split(&root, i);
        uint64_t x = fg_rng_next(&child);
        for (int byte = 0; byte < 8; byte++)
            seen[byte][x >> (8 * byte) & 255]++;
    }
    for (int i = 0; i < 256; i++)
        expected[i] = CHILDREN / 256.0;
    for (int byte = 0; byte < 8; byte++)
        assert_fits(fit_counts(seen[byte], expected, 256));
}

/* Neighbouring children, and parent and child, step by step: the product of two centred
 * uniforms has mean 0 and variance 1/144, and half of the bits of two streams agree. */
static void streams_do_not_follow_each_other(void **state)
{
    (void)state;
    enum { STEPS = 2000, PAIRS = 100 };
    struct fg_rng root = fg_rng_from_seed(9);
    double products = 0, agreeing = 0;
    for (uint64_t i = 0; i < PAIRS; i++) {
        struct fg_rng a = i % 2 ? root : fg_rng_split(&root, i);
        struct fg_rng b = fg_rng_split(&root, i + 1);
        for (int step = 0; step < STEPS; step++) {
            uint64_t x = fg_rng_next(&a), y = fg_rng_next(&b);
            products += ((double)x * 0x1p-64 - 0.5) * ((double)y * 0x1p-64 - 0.5);
            agreeing += __builtin_popcountll(~(x ^ y));
        }
    }
    double n = (double)STEPS * PAIRS;
    assert_near(products / n, 0, 4.5 * sqrt(1 / (144 * n)));
    assert_near(agreeing / (64 * n), 0.5, 4.5 * 0.5 / sqrt(64 * n));
}

static void units_are_uniform_and_keep_their_bounds(void **state)
{
    (void)state;
    enum { N = 100000 };
    static double closed[N], open[N];
    struct fg_rng rng = fg_rng_from_seed(3);
    for (int i = 0; i < N; i++) {
        closed[i] = fg_rng_unit(&rng);
        open[i] = fg_rng_open(&rng);
        assert_true(closed[i] >= 0 && closed[i] < 1 && open[i] > 0 && open[i] < 1);
    }
    assert_moments(closed, N, 0.5, 1.0 / 12, 1.8);
    assert_moments(open, N, 0.5, 1.0 / 12, 1.8);
    assert_fits(fit_uniform(closed, N));
    assert_fits(fit_uniform(open, N));
}

/* The states are chosen so that the output is all ones, and all zeros. */
static void units_never_reach_one_nor_open_zero(void **state)
{
    (void)state;
    struct fg_rng ones = {.state = {UINT64_MAX, 1, 1, 1}},
                  zeros = {.state = {0, 1, 1, 0}};
    struct fg_rng copy = ones;
    assert_true(fg_rng_next(&copy) == UINT64_MAX);
    copy = ones;
    assert_true(fg_rng_unit(&copy) == 1 - 0x1p-53);
    assert_true(fg_rng_open(&ones) == 1 - 0x1p-53);
    copy = zeros;
    assert_true(fg_rng_unit(&copy) == 0);
    assert_true(fg_rng_open(&zeros) == 0x1p-53);
}

/* 3 * 2^62 leaves a quarter of all 64-bit numbers over: without rejection the lowest
 * third would come half as often again. */
static void below_has_no_bias(void **state)
{
    (void)state;
    enum { N = 60000 };
    struct fg_rng rng = fg_rng_from_seed(11);
    const uint64_t wide = UINT64_C(3) << 62;
    double thirds[3] = {0}, sixths[6] = {0}, expected[6];
    for (int i = 0; i < N; i++) {
        uint64_t x = fg_rng_below(&rng, wide);
        assert_true(x < wide);
        thirds[x >> 62]++;
        sixths[fg_rng_below(&rng, 6)]++;
    }
    for (int i = 0; i < 6; i++)
        expected[i] = N / 6.0;
    assert_fits(fit_counts(sixths, expected, 6));
    for (int i = 0; i < 3; i++)
        expected[i] = N / 3.0;
    assert_fits(fit_counts(thirds, expected, 3));
    assert_int_equal(fg_rng_below(&rng, 1), 0);
    assert_true(fg_rng_below(&rng, UINT64_MAX) < UINT64_MAX);
}

static void shuffle_gives_every_order_alike(void **state)
{
    (void)state;
    enum { N = 48000 };
    struct fg_rng rng = fg_rng_from_seed(13);
    double seen[256] = {0}, expected[24], found[24];
    size_t orders = 0;
    for (int i = 0; i < N; i++) {
        unsigned char items[4] = {0, 1, 2, 3};
        fg_rng_shuffle(&rng, items, 4, 1);
        seen[items[0] | items[1] << 2 | items[2] << 4 | items[3] << 6]++;
    }
    for (int i = 0; i < 256; i++)
        if (seen[i] > 0) {
            expected[orders] = N / 24.0;
            found[orders++] = seen[i];
        }
    assert_int_equal(orders, 24);
    assert_fits(fit_counts(found, expected, 24));
}

static void shuffle_moves_large_items_whole(void **state)
{
    (void)state;
    struct item {
        char bytes[100];
    } items[10];
    struct fg_rng rng = fg_rng_from_seed(17);
    for (int i = 0; i < 10; i++)
        memset(items[i].bytes, i, sizeof items[i].bytes);
    fg_rng_shuffle(&rng, items, 10, sizeof *items);
    unsigned seen = 0;
    for (int i = 0; i < 10; i++) {
        seen |= 1u << items[i].bytes[0];
        for (int j = 1; j < 100; j++)
            assert_int_equal(items[i].bytes[j], items[i].bytes[0]);
    }
    assert_int_equal(seen, 1023);
    fg_rng_shuffle(&rng, NULL, 0, 4);
}

static void samples_are_distinct_ascending_and_fair(void **state)
{
    (void)state;
    enum { N = 30000 };
    struct fg_rng rng = fg_rng_from_seed(19);
    double seen[64] = {0}, found[20], expected[20];
    for (int i = 0; i < N; i++) {
        uint64_t three[3];
        fg_rng_sample(&rng, 6, 3, three);
        assert_true(three[0] < three[1] && three[1] < three[2] && three[2] < 6);
        seen[1u << three[0] | 1u << three[1] | 1u << three[2]]++;
    }
    size_t sets = 0;
    for (int i = 0; i < 64; i++)
        if (__builtin_popcount((unsigned)i) == 3) {
            expected[sets] = N / 20.0;
            found[sets++] = seen[i];
        }
    assert_fits(fit_counts(found, expected, 20));
}

static void samples_may_take_all_or_come_from_a_huge_range(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(23);
    uint64_t all[100], few[100];
    fg_rng_sample(&rng, 100, 100, all);
    for (uint64_t i = 0; i < 100; i++)
        assert_true(all[i] == i);
    fg_rng_sample(&rng, UINT64_MAX, 100, few);
    for (int i = 1; i < 100; i++)
        assert_true(few[i - 1] < few[i]);
    fg_rng_sample(&rng, 0, 0, few);
}

FG_TESTS(threefry_gives_the_published_answers, xoshiro_walks_as_defined,
         the_same_seed_gives_the_same_numbers,
         splitting_neither_reads_nor_moves_the_parent, relatives_are_all_different,
         first_outputs_of_children_are_even, streams_do_not_follow_each_other,
         units_are_uniform_and_keep_their_bounds, units_never_reach_one_nor_open_zero,
         below_has_no_bias, shuffle_gives_every_order_alike,
         shuffle_moves_large_items_whole, samples_are_distinct_ascending_and_fair,
         samples_may_take_all_or_come_from_a_huge_range)
