#include "base/map.h"

#include "base/rng.h"
#include "test.h"

/* The plainest model there is: an array indexed by a small key. */
enum { KEYS = 3000 };
static struct {
    bool known;
    uint64_t value;
} model[KEYS];

/* Keys of three kinds, 0 and the largest among them. */
static uint64_t key_of(uint64_t i)
{
    return i % 3 == 0 ? i / 3 : i % 3 == 1 ? UINT64_MAX - i : i << 40;
}

static void assert_matches_model(const struct fg_map *map)
{
    size_t known = 0, walked = 0, cursor = 0;
    uint64_t key, value;
    for (uint64_t i = 0; i < KEYS; i++) {
        uint64_t *found = fg_map_get(map, key_of(i));
        assert_int_equal(found != NULL, model[i].known);
        assert_true(!found || *found == model[i].value);
        known += model[i].known;
    }
    assert_int_equal(fg_map_len(map), known);
    for (; fg_map_next(map, &cursor, &key, &value); walked++)
        assert_true(*fg_map_get(map, key) == value);
    assert_int_equal(walked, known);
}

static void map_agrees_with_a_model(void **state)
{
    (void)state;
    struct fg_map map = {0};
    struct fg_rng rng = fg_rng_from_seed(1);
    memset(model, 0, sizeof model);
    for (int step = 0; step < 200000; step++) {
        uint64_t i = fg_rng_below(&rng, KEYS);
        bool shrinking = step / 40000 % 2;
        if (fg_rng_below(&rng, 10) < (shrinking ? 3 : 6)) {
            uint64_t *value = fg_map_put(&map, key_of(i));
            assert_true(*value == (model[i].known ? model[i].value : 0));
            *value = model[i].value = fg_rng_next(&rng);
            model[i].known = true;
        } else {
            assert_int_equal(fg_map_remove(&map, key_of(i)), model[i].known);
            model[i].known = false;
        }
        if (step % 20000 == 0)
            assert_matches_model(&map);
    }
    assert_matches_model(&map);
    fg_map_clear(&map);
    assert_int_equal(fg_map_len(&map), 0);
}

static void an_empty_map_answers(void **state)
{
    (void)state;
    struct fg_map map = {0};
    size_t cursor = 0;
    uint64_t key, value;
    assert_null(fg_map_get(&map, 0));
    assert_null(fg_map_get(&map, 1));
    assert_false(fg_map_remove(&map, 0));
    assert_false(fg_map_remove(&map, 1));
    assert_false(fg_map_next(&map, &cursor, &key, &value));
    fg_map_clear(&map);
}

/* A removed key comes back with the value 0, the key 0 too. */
static void removed_values_are_forgotten(void **state)
{
    (void)state;
    struct fg_map map = {0};
    for (uint64_t key = 0; key < 2; key++) {
        *fg_map_put(&map, key) = 9;
        assert_true(fg_map_remove(&map, key));
        assert_int_equal(*fg_map_put(&map, key), 0);
    }
    fg_map_clear(&map);
}

/* The longest run of taken slots says how far a search may go. */
static void patterned_keys_spread(void **state)
{
    (void)state;
    enum { N = 10000 };
    for (unsigned shift = 0; shift <= 50; shift += 2) {
        struct fg_map map = {0};
        size_t longest = 0, run = 0;
        for (uint64_t i = 1; i <= N; i++)
            fg_map_put(&map, i << shift);
        for (size_t i = 0; i <= map.mask; i++) {
            run = map.slots[i].key ? run + 1 : 0;
            longest = run > longest ? run : longest;
        }
        assert_in_range(longest, 1, 300);
        fg_map_clear(&map);
    }
}

static void names_keep_their_own_copies(void **state)
{
    (void)state;
    enum { N = 5000 };
    struct fg_arena arena = {0};
    struct fg_names names = {.arena = &arena};
    char text[32];
    assert_null(fg_names_get(&names, FG_STR("a")));
    for (int i = 0; i < N; i++) {
        snprintf(text, sizeof text, "name %d", i * 7);
        *fg_names_put(&names, fg_str_from(text)) = (uint64_t)i;
    }
    assert_int_equal(names.len, N);
    for (int i = 0; i < N; i++) {
        snprintf(text, sizeof text, "name %d", i * 7);
        assert_int_equal(*fg_names_get(&names, fg_str_from(text)), i);
        assert_int_equal(*fg_names_put(&names, fg_str_from(text)), i);
        snprintf(text, sizeof text, "name %d", i * 7 + 1);
        assert_null(fg_names_get(&names, fg_str_from(text)));
    }
    assert_int_equal(names.len, N);
    fg_arena_clear(&arena);
}

static void names_may_be_empty_or_hold_zeros(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_names names = {.arena = &arena};
    *fg_names_put(&names, (struct fg_str){0}) = 1;
    *fg_names_put(&names, FG_STR("\0")) = 2;
    *fg_names_put(&names, FG_STR("\0\0")) = 3;
    assert_int_equal(*fg_names_get(&names, FG_STR("")), 1);
    assert_int_equal(*fg_names_get(&names, FG_STR("\0")), 2);
    assert_int_equal(*fg_names_get(&names, FG_STR("\0\0")), 3);
    assert_int_equal(names.len, 3);
    fg_arena_clear(&arena);
}

FG_TESTS(map_agrees_with_a_model, an_empty_map_answers, removed_values_are_forgotten,
         patterned_keys_spread, names_keep_their_own_copies,
         names_may_be_empty_or_hold_zeros)
