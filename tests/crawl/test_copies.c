#include "test.h"

#include "base/rng.h"
#include "crawl/copies.h"

static const uint64_t base = 0x0123456789ABCDEFu;

static void a_text_within_three_bits_is_a_copy(void **state)
{
    (void)state;
    struct fg_copies copies = {0};
    fg_copies_add(&copies, 1, base, 7);
    assert_int_equal(fg_copies_find(&copies, 1, base, 8), 7);
    assert_int_equal(fg_copies_find(&copies, 1, base ^ 1, 8), 7);
    /* A bit in each of three quarters: only the fourth finds it. */
    assert_int_equal(fg_copies_find(&copies, 1, base ^ 0x0000000100010001u, 8), 7);
    assert_int_equal(fg_copies_find(&copies, 1, base ^ 0x8000800080000000u, 8), 7);
    assert_int_equal(fg_copies_find(&copies, 1, base ^ 0xF, 8), FG_NO_COPY);
    assert_int_equal(fg_copies_find(&copies, 1, base ^ 0x0001000100010001u, 8),
                     FG_NO_COPY);
    assert_int_equal(fg_copies_find(&copies, 1, ~base, 8), FG_NO_COPY);
    fg_copies_clear(&copies);
}

static void every_three_bits_are_found(void **state)
{
    (void)state;
    struct fg_copies copies = {0};
    fg_copies_add(&copies, 1, base, 7);
    for (int i = 0; i < 64; i++)
        for (int j = i; j < 64; j++)
            for (int k = j; k < 64; k++) {
                uint64_t near = base;
                near ^= UINT64_C(1) << i;
                near ^= UINT64_C(1) << j;
                near ^= UINT64_C(1) << k;
                assert_int_equal(fg_copies_find(&copies, 1, near, 8), 7);
            }
    fg_copies_clear(&copies);
}

static void a_page_is_no_copy_of_itself_or_of_another_site(void **state)
{
    (void)state;
    struct fg_copies copies = {0};
    assert_int_equal(fg_copies_find(&copies, 1, base, 7), FG_NO_COPY);
    fg_copies_add(&copies, 1, base, 7);
    assert_int_equal(fg_copies_find(&copies, 1, base, 7), FG_NO_COPY);
    assert_int_equal(fg_copies_find(&copies, 2, base, 8), FG_NO_COPY);
    fg_copies_add(&copies, 1, base ^ 2, 9);
    assert_int_equal(fg_copies_find(&copies, 1, base, 7), 9);
    fg_copies_clear(&copies);
}

/* Against comparing with all: what is found is near, and what is near and not buried
 * under hundreds of others is found. */
static void it_finds_what_comparing_with_all_finds(void **state)
{
    (void)state;
    enum { N = 2000 };
    static uint64_t hashes[N];
    struct fg_copies copies = {0};
    struct fg_rng rng = fg_rng_from_seed(3);
    for (uint32_t i = 0; i < N; i++) {
        hashes[i] = fg_rng_next(&rng);
        fg_copies_add(&copies, 5, hashes[i], i);
    }
    for (uint32_t i = 0; i < N; i++) {
        uint64_t wanted = hashes[i];
        unsigned bits = (unsigned)fg_rng_below(&rng, 6);
        for (unsigned j = 0; j < bits; j++)
            wanted ^= UINT64_C(1) << fg_rng_below(&rng, 64);
        bool is_near = __builtin_popcountll(wanted ^ hashes[i]) <= 3;
        uint32_t found = fg_copies_find(&copies, 5, wanted, N);
        assert_int_equal(found, is_near ? i : FG_NO_COPY);
    }
    fg_copies_clear(&copies);
}

FG_TESTS(a_text_within_three_bits_is_a_copy, every_three_bits_are_found,
         a_page_is_no_copy_of_itself_or_of_another_site,
         it_finds_what_comparing_with_all_finds)
