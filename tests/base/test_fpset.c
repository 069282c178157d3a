/* The source itself, to look at its cells and to make keys that collide. */
#include "base/fpset.c"

#include "base/map.h"
#include "base/rng.h"
#include "test.h"

/* What must hold of every shard: ascending keys, none before its home, no gap between a
 * key and its home, a gap at the end, and the right count. */
static void assert_sound(const struct fg_fpset *set)
{
    for (unsigned s = 0; s < FG_FPSET_SHARDS; s++) {
        const struct fg_fpset_shard *shard = &set->shards[s];
        uint64_t last = 0, len = 0;
        size_t run = 0; /* where the current run of taken cells began */
        for (size_t i = 0; i < shard->room; i++) {
            uint64_t h = shard->cells[i];
            if (!h) {
                run = i + 1;
                continue;
            }
            assert_true(h > last && shard_of(h) == s);
            assert_in_range(home_of(h, shard->span), run, i);
            last = h;
            len++;
        }
        assert_int_equal(len, shard->len);
        assert_true(!shard->room || !shard->cells[shard->room - 1]);
    }
}

static void scrambling_can_be_undone(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(1);
    for (int i = 0; i < 10000; i++) {
        uint64_t key = fg_rng_next(&rng);
        assert_true(unscramble(scramble(key)) == key);
    }
    assert_true(unscramble(scramble(0)) == 0);
    assert_true(unscramble(scramble(UINT64_MAX)) == UINT64_MAX);
}

static void add_tells_new_from_known(void **state)
{
    (void)state;
    struct fg_fpset set = {0};
    assert_false(fg_fpset_has(&set, 5));
    assert_false(fg_fpset_remove(&set, 5));
    assert_true(fg_fpset_add(&set, 5));
    assert_false(fg_fpset_add(&set, 5));
    assert_true(fg_fpset_has(&set, 5));
    assert_int_equal(fg_fpset_len(&set), 1);
    assert_true(fg_fpset_remove(&set, 5));
    assert_false(fg_fpset_remove(&set, 5));
    assert_int_equal(fg_fpset_len(&set), 0);
    fg_fpset_clear(&set);
}

/* 0, the largest, and the key that scrambles to 0, which marks a gap. */
static void the_odd_keys_are_like_any_other(void **state)
{
    (void)state;
    struct fg_fpset set = {0};
    const uint64_t odd[] = {0, UINT64_MAX, unscramble(0), unscramble(1),
                            unscramble(UINT64_MAX)};
    size_t n = odd[2] == 0 ? 4 : 5, first = odd[2] == 0; /* 0 scrambles to 0 */
    for (int round = 0; round < 2; round++) {
        for (size_t i = first; i < first + n; i++) {
            assert_false(fg_fpset_has(&set, odd[i]));
            assert_true(fg_fpset_add(&set, odd[i]));
            assert_false(fg_fpset_add(&set, odd[i]));
        }
        assert_int_equal(fg_fpset_len(&set), n);
        struct fg_fpset_cursor cursor = {0};
        uint64_t key;
        size_t walked = 0;
        for (; fg_fpset_next(&set, &cursor, &key); walked++)
            assert_true(fg_fpset_has(&set, key));
        assert_int_equal(walked, n);
        for (size_t i = first; i < first + n; i++)
            assert_true(fg_fpset_remove(&set, odd[i]));
        assert_int_equal(fg_fpset_len(&set), 0);
    }
    fg_fpset_clear(&set);
}

static uint64_t sequential(uint64_t i)
{
    return i;
}
static uint64_t same_high_bits(uint64_t i)
{
    return UINT64_C(0xABCDEF01) << 32 | i;
}
static uint64_t same_low_bits(uint64_t i)
{
    return i << 40 | 0x12345;
}
static uint64_t multiples(uint64_t i)
{
    return i * (UINT64_C(1) << 45);
}
static uint64_t few_bits(uint64_t i)
{
    return UINT64_C(1) << (i % 64) | UINT64_C(1) << (i / 64 % 64) |
           UINT64_C(1) << (i / 4096 % 64);
}

/* Patterns in the keys must not make long runs. */
static void patterned_keys_spread(void **state)
{
    (void)state;
    uint64_t (*patterns[])(uint64_t) = {sequential, same_high_bits, same_low_bits,
                                        multiples, few_bits};
    for (int p = 0; p < 5; p++) {
        struct fg_fpset set = {0};
        struct fg_map known = {0};
        for (uint64_t i = 0; i < 200000; i++) {
            uint64_t key = patterns[p](i);
            size_t before = fg_map_len(&known);
            fg_map_put(&known, key);
            assert_int_equal(fg_fpset_add(&set, key), fg_map_len(&known) > before);
        }
        assert_int_equal(fg_fpset_len(&set), fg_map_len(&known));
        assert_sound(&set);
        size_t longest = 0;
        for (unsigned s = 0; s < FG_FPSET_SHARDS; s++)
            for (size_t i = 0, run = 0; i < set.shards[s].room; i++) {
                run = set.shards[s].cells[i] ? run + 1 : 0;
                longest = run > longest ? run : longest;
            }
        assert_in_range(longest, 1, 400); /* 7/8 full: a few hundred in 200000 */
        fg_fpset_clear(&set);
        fg_map_clear(&known);
    }
}

/* Somebody who can invert the scramble sends keys with one home, at the very end. Memory
 * must stay in proportion, and answers right. */
static void colliding_keys_cost_time_but_not_memory(void **state)
{
    (void)state;
    enum { N = 20000 };
    struct fg_fpset set = {0};
    for (uint64_t i = 0; i < N; i++)
        assert_true(fg_fpset_add(&set, unscramble(UINT64_MAX - i * 7919 % N)));
    for (uint64_t i = 0; i < N; i++) {
        assert_true(fg_fpset_has(&set, unscramble(UINT64_MAX - i)));
        assert_false(fg_fpset_has(&set, unscramble(UINT64_MAX - N - i)));
    }
    assert_sound(&set);
    assert_in_range(fg_fpset_bytes(&set), N * 8, sizeof set + N * 8 * 3);
    for (uint64_t i = 0; i < N; i += 2)
        assert_true(fg_fpset_remove(&set, unscramble(UINT64_MAX - i)));
    assert_sound(&set);
    assert_int_equal(fg_fpset_len(&set), N / 2);
    fg_fpset_clear(&set);
}

/* Adding, removing and asking at random, with many hits, against fg_map. */
static void random_operations_agree_with_a_map(void **state)
{
    (void)state;
    struct fg_fpset set = {0};
    struct fg_map model = {0};
    struct fg_rng rng = fg_rng_from_seed(2);
    for (int i = 0; i < 400000; i++) {
        uint64_t key = fg_rng_below(&rng, 30000) * 0x123456789,
                 what = fg_rng_below(&rng, 8);
        bool known = fg_map_get(&model, key);
        if (what < (i / 50000 % 2 ? 3 : 5)) {
            assert_int_equal(fg_fpset_add(&set, key), !known);
            fg_map_put(&model, key);
        } else if (what < 7) {
            assert_int_equal(fg_fpset_remove(&set, key), known);
            fg_map_remove(&model, key);
        } else {
            assert_int_equal(fg_fpset_has(&set, key), known);
        }
        if (i % 50000 == 0)
            assert_sound(&set);
    }
    assert_int_equal(fg_fpset_len(&set), fg_map_len(&model));
    size_t walked = 0;
    uint64_t key;
    for (struct fg_fpset_cursor cursor = {0}; fg_fpset_next(&set, &cursor, &key);
         walked++)
        assert_non_null(fg_map_get(&model, key));
    assert_int_equal(walked, fg_map_len(&model));
    fg_fpset_clear(&set);
    fg_map_clear(&model);
}

static void batches_answer_like_single_calls(void **state)
{
    (void)state;
    enum { N = 5000 };
    static uint64_t keys[N];
    static bool is_new[N], there[N];
    struct fg_fpset set = {0}, single = {0};
    struct fg_rng rng = fg_rng_from_seed(3);
    for (int round = 0; round < 5; round++) {
        size_t added = 0, n = round == 0 ? 1 : N - (size_t)round;
        for (size_t i = 0; i < n; i++)
            keys[i] = fg_rng_below(&rng, 20000); /* some twice in one batch */
        size_t found = fg_fpset_has_many(&set, keys, n, there);
        size_t count = fg_fpset_add_many(&set, keys, n, is_new);
        for (size_t i = 0; i < n; i++) {
            found -= there[i];
            assert_true(!there[i] || !is_new[i]);
            bool fresh = fg_fpset_add(&single, keys[i]);
            assert_int_equal(is_new[i], fresh);
            added += fresh;
        }
        assert_int_equal(count, added);
        assert_int_equal(found, 0);
        assert_int_equal(fg_fpset_has_many(&set, keys, n, NULL), n);
        assert_int_equal(fg_fpset_add_many(&set, keys, n, NULL), 0);
    }
    fg_fpset_clear(&set);
    fg_fpset_clear(&single);
}

/* From a million keys on, the worst moment of the growth included. */
static void a_key_takes_less_than_twelve_bytes(void **state)
{
    (void)state;
    enum { FROM = 1000000, TO = 2500000 };
    struct fg_fpset set = {0};
    struct fg_rng rng = fg_rng_from_seed(4);
    uint64_t keys[1000];
    for (size_t n = 0; n < TO;) {
        for (int i = 0; i < 1000; i++)
            keys[i] = fg_rng_next(&rng);
        n += fg_fpset_add_many(&set, keys, 1000, NULL);
        if (n >= FROM)
            assert_in_range(fg_fpset_bytes(&set), 9 * n, 12 * n);
    }
    fg_fpset_clear(&set);
}

/* One insertion moves one shard, by a fifth. */
static void growth_stays_within_one_shard(void **state)
{
    (void)state;
    struct fg_fpset set = {0};
    struct fg_rng rng = fg_rng_from_seed(5);
    for (int i = 0; i < 300000; i++) {
        uint64_t key = fg_rng_next(&rng);
        unsigned own = fg_fpset_shard(key), neighbour = (own + 1) % FG_FPSET_SHARDS;
        struct fg_fpset_shard before = set.shards[own], other = set.shards[neighbour];
        size_t bytes = fg_fpset_bytes(&set);
        fg_fpset_add(&set, key);
        assert_memory_equal(&other, &set.shards[neighbour], sizeof other);
        size_t grown = set.shards[own].room - before.room;
        assert_int_equal(fg_fpset_bytes(&set), bytes + grown * 8);
        assert_true(grown <= before.room / 5 + 2 * OVERFLOW + PAGE);
    }
    fg_fpset_clear(&set);
}

static FILE *temporary(void)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    return f;
}

static void fill_set(struct fg_fpset *set, size_t n)
{
    struct fg_rng rng = fg_rng_from_seed(6);
    for (size_t i = 0; i < n; i++)
        fg_fpset_add(set, fg_rng_next(&rng));
    fg_fpset_add(set, unscramble(0));
}

static void what_was_saved_is_loaded(void **state)
{
    (void)state;
    const size_t sizes[] = {0, 1, 4095, 4096, 50000};
    for (int s = 0; s < 5; s++) {
        struct fg_fpset set = {0}, back = {0};
        struct fg_err err;
        if (s > 0)
            fill_set(&set, sizes[s]);
        fg_fpset_add(&back, 77); /* goes */
        FILE *f = temporary();
        assert_int_equal(fg_fpset_save(&set, f, &err), FG_OK);
        assert_int_equal(ftell(f), 24 + 8 * (long)fg_fpset_len(&set));
        rewind(f);
        assert_int_equal(fg_fpset_load(&back, f, &err), FG_OK);
        assert_int_equal(fg_fpset_len(&back), fg_fpset_len(&set));
        assert_sound(&back);
        uint64_t key;
        for (struct fg_fpset_cursor c = {0}; fg_fpset_next(&set, &c, &key);)
            assert_true(fg_fpset_has(&back, key));
        fclose(f);
        fg_fpset_clear(&set);
        fg_fpset_clear(&back);
    }
}

/* Every byte matters: flipping any one, or stopping before the end, is noticed. */
static void damage_is_noticed(void **state)
{
    (void)state;
    struct fg_fpset set = {0}, back = {0};
    struct fg_err err;
    char *bytes = NULL;
    size_t n = 0;
    fill_set(&set, 20);
    FILE *f = open_memstream(&bytes, &n);
    assert_int_equal(fg_fpset_save(&set, f, &err), FG_OK);
    fclose(f);
    for (size_t i = 0; i < n; i++) {
        bytes[i] = (char)(bytes[i] ^ 1 << i % 8);
        f = fmemopen(bytes, n, "r");
        assert_int_equal(fg_fpset_load(&back, f, &err), FG_EINPUT);
        assert_int_equal(fg_fpset_len(&back), 0);
        fclose(f);
        bytes[i] = (char)(bytes[i] ^ 1 << i % 8);
        f = i ? fmemopen(bytes, i, "r") : fopen("/dev/null", "r");
        assert_int_equal(fg_fpset_load(&back, f, &err), FG_EINPUT);
        fclose(f);
    }
    free(bytes);
    fg_fpset_clear(&set);
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    struct fg_fpset set = {0};
    struct fg_err err;
    FILE *f = fopen("/dev/full", "w");
    if (!f)
        skip();
    fill_set(&set, 10000);
    assert_int_equal(fg_fpset_save(&set, f, &err), FG_EFULL);
    assert_string_equal(err.text,
                        "cannot write the fingerprints: No space left on device");
    fclose(f);
    fg_fpset_clear(&set);
}

FG_TESTS(scrambling_can_be_undone, add_tells_new_from_known,
         the_odd_keys_are_like_any_other, patterned_keys_spread,
         colliding_keys_cost_time_but_not_memory, random_operations_agree_with_a_map,
         batches_answer_like_single_calls, a_key_takes_less_than_twelve_bytes,
         growth_stays_within_one_shard, what_was_saved_is_loaded, damage_is_noticed,
         a_full_disk_is_told)
