#include "base/arena.h"

#include "base/rng.h"
#include "test.h"

static void memory_comes_zeroed_and_aligned(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_rng rng = fg_rng_from_seed(1);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 2000; i++) {
            size_t n = fg_rng_below(&rng, i % 100 ? 200 : 100000);
            unsigned char *at = fg_arena_alloc(&arena, n);
            assert_int_equal((uintptr_t)at % 16, 0);
            for (size_t j = 0; j < n; j++)
                assert_int_equal(at[j], 0);
            memset(at, 0xAA, n); /* dirty, for the round after the reset */
            memset(fg_arena_bytes(&arena, 3), 0xBB, 3);
        }
        fg_arena_reset(&arena);
    }
    fg_arena_clear(&arena);
}

/* Each piece keeps the pattern written to it while others are made. */
static void pieces_do_not_overlap(void **state)
{
    (void)state;
    enum { PIECES = 1000 };
    struct fg_arena arena = {0};
    struct fg_rng rng = fg_rng_from_seed(2);
    unsigned char *piece[PIECES];
    size_t size[PIECES], used = 0;
    for (int i = 0; i < PIECES; i++) {
        size[i] = 1 + fg_rng_below(&rng, 3000);
        piece[i] = i % 2 ? (unsigned char *)fg_arena_bytes(&arena, size[i])
                         : fg_arena_alloc(&arena, size[i]);
        memset(piece[i], i % 251, size[i]);
        used += size[i];
    }
    for (int i = 0; i < PIECES; i++)
        for (size_t j = 0; j < size[i]; j++)
            assert_int_equal(piece[i][j], i % 251);
    assert_int_equal(arena.used_bytes, used);
    fg_arena_clear(&arena);
}

static void text_is_copied_and_ends_in_nul(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    char word[] = "word";
    struct fg_str copy = fg_arena_dup(&arena, (struct fg_str){word, 3});
    word[0] = 'x';
    assert_str(copy, "wor");
    assert_int_equal(copy.at[3], '\0');
    assert_string_equal(fg_arena_cstr(&arena, (struct fg_str){0}), "");
    assert_non_null(fg_arena_dup(&arena, (struct fg_str){0}).at);
    assert_str(fg_arena_printf(&arena, "%d-%s", 42, "a"), "42-a");
    assert_str(fg_arena_printf(&arena, "%s", ""), "");
    struct fg_str wide = fg_arena_printf(&arena, "%0*d", 100000, 7);
    assert_int_equal(wide.len, 100000);
    assert_int_equal(wide.at[99999], '7');
    fg_arena_clear(&arena);
}

static void the_last_piece_grows_in_place(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    int *numbers = FG_NEW(&arena, int, 4);
    numbers[3] = 3;
    int *grown = fg_arena_grow(&arena, numbers, sizeof *numbers, 4, 8);
    assert_ptr_equal(grown, numbers);
    assert_int_equal(grown[3], 3);
    assert_int_equal(grown[7], 0);
    fg_arena_bytes(&arena, 1);
    int *moved = fg_arena_grow(&arena, grown, sizeof *numbers, 8, 16);
    assert_ptr_not_equal(moved, grown);
    assert_int_equal(moved[3], 3);
    assert_int_equal(moved[15], 0);
    int *huge = fg_arena_grow(&arena, moved, sizeof *numbers, 16, 1 << 20);
    assert_int_equal(huge[3], 3);
    assert_int_equal(huge[(1 << 20) - 1], 0);
    assert_non_null(fg_arena_grow(&arena, NULL, 8, 0, 1));
    fg_arena_clear(&arena);
}

/* A reset arena serves the same work from the block it kept. */
static void reset_keeps_a_block_unless_it_is_huge(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    fg_arena_reset(&arena); /* an empty one, too */
    void *first = fg_arena_alloc(&arena, 1000);
    fg_arena_reset(&arena);
    assert_int_equal(arena.used_bytes, 0);
    assert_ptr_equal(fg_arena_alloc(&arena, 1000), first);
    fg_arena_alloc(&arena, 64 << 20);
    fg_arena_reset(&arena);
    assert_null(arena.block); /* one huge page must not stay with us */
    assert_non_null(fg_arena_alloc(&arena, 0));
    fg_arena_clear(&arena);
    fg_arena_clear(&arena);
}

static void a_block_goes_from_arena_to_arena(void **state)
{
    (void)state;
    struct fg_arena first = {0}, next = {0};
    assert_null(fg_arena_take_block(&first));
    char *taken = fg_arena_alloc(&first, 100000);
    struct fg_arena_block *block = fg_arena_take_block(&first);
    assert_null(first.block);
    char *text = fg_arena_cstr(&next, FG_STR("stays"));
    fg_arena_add_block(&next, block);
    assert_ptr_equal(fg_arena_alloc(&next, 100000), taken);
    assert_string_equal(text, "stays");
    fg_arena_alloc(&next, 200000);
    fg_arena_block_free(fg_arena_take_block(&next));
    fg_arena_block_free(NULL);
    fg_arena_clear(&first);
}

FG_TESTS(memory_comes_zeroed_and_aligned, pieces_do_not_overlap,
         text_is_copied_and_ends_in_nul, the_last_piece_grows_in_place,
         reset_keeps_a_block_unless_it_is_huge, a_block_goes_from_arena_to_arena)
