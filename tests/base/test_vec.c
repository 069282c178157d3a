#include "base/vec.h"

#include "test.h"

struct pair {
    int a;
    char b;
};

static void vec_keeps_what_was_pushed(void **state)
{
    (void)state;
    FG_VEC(struct pair) pairs = {0};
    for (int i = 0; i < 10000; i++)
        fg_vec_push(&pairs, (struct pair){i, (char)(i % 100)});
    assert_int_equal(pairs.len, 10000);
    assert_true(pairs.capacity >= pairs.len);
    for (int i = 0; i < 10000; i++) {
        assert_int_equal(pairs.at[i].a, i);
        assert_int_equal(pairs.at[i].b, i % 100);
    }
    fg_vec_clear(&pairs);
    assert_null(pairs.at);
    assert_int_equal(pairs.len, 0);
}

/* Doubling: pushing 10000 moves the array eleven times. */
static void vec_grows_by_doubling(void **state)
{
    (void)state;
    FG_VEC(char) bytes = {0};
    size_t capacity = 0, moves = 0;
    for (int i = 0; i < 10000; i++) {
        fg_vec_push(&bytes, 'x');
        moves += bytes.capacity != capacity;
        capacity = bytes.capacity;
    }
    assert_int_equal(moves, 12); /* 8, 16, ... 16384 */
    fg_vec_clear(&bytes);
}

/* Two grow by turns in one arena, so that both must move. */
static void vecs_share_an_arena(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    FG_VEC(uint64_t) even = {0}, odd = {0};
    for (uint64_t i = 0; i < 20000; i += 2) {
        fg_vec_push_in(&arena, &even, i);
        fg_vec_push_in(&arena, &odd, i + 1);
    }
    for (uint64_t i = 0; i < 10000; i++) {
        assert_true(even.at[i] == 2 * i);
        assert_true(odd.at[i] == 2 * i + 1);
    }
    fg_arena_clear(&arena);
}

FG_TESTS(vec_keeps_what_was_pushed, vec_grows_by_doubling, vecs_share_an_arena)
