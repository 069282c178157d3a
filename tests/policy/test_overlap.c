/* Which pages are alike, and Select of Algorithm 2, on cases worked out by hand. */
#include "policy/discovery/overlap.h"
#include "policy/mind.h"
#include "test.h"

/* A policy that takes the best of fixed scores, less overlap. */
static struct fg_overlap overlap;
static const float *scores;

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    (void)now;
    float copy[16];
    memcpy(copy, scores, brain->world->n * sizeof *copy);
    return fg_overlap_take_best(&overlap, brain, copy, budget, out);
}

static void moved(struct fg_brain *brain, size_t from, size_t to)
{
    (void)brain;
    fg_overlap_moved(&overlap, from, to);
}

static struct fg_mind *new_mind(size_t pages)
{
    static const struct fg_param params[] = {{0}};
    static const struct fg_column columns[] = {{0}};
    static const struct fg_policy policy = {.name = "test",
                                            .tasks = FG_DISCOVERY,
                                            .params = params,
                                            .columns = columns,
                                            .select = choose,
                                            .moved = moved};
    struct fg_mind *mind = fg_mind_new(&policy, 1);
    for (uint64_t id = 0; id < pages; id++)
        fg_mind_add(mind, id, 0, 0);
    return mind;
}

static void end(struct fg_mind *mind)
{
    fg_overlap_clear(&overlap);
    fg_mind_free(mind);
}

/* A visit that shows the new links from .. to - 1. */
static void show(size_t page, uint64_t from, uint64_t to)
{
    uint64_t links[64];
    size_t n = 0;
    for (uint64_t link = to; link-- > from;) /* in any order */
        links[n++] = link;
    fg_overlap_note(
        &overlap,
        &(struct fg_visit){.page = page, .ok = true, .fresh = links, .n_fresh = n});
}

static void settle(struct fg_mind *mind, double threshold)
{
    fg_overlap_settle(&overlap, fg_mind_world(mind), threshold);
}

static void assert_picks(struct fg_mind *mind, size_t budget, const float *wanted,
                         const uint32_t *expected, size_t n)
{
    struct fg_pick picks[16];
    scores = wanted;
    assert_int_equal(fg_mind_choose(mind, 0, budget, picks), n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(picks[i].page, expected[i]);
        assert_true(picks[i].score == wanted[expected[i]]);
    }
}

/* 7 common links of 10: exactly 0.7, which is not above it; 8 of 10 is. */
static void alike_is_above_the_threshold(void **state)
{
    (void)state;
    struct fg_mind *mind = new_mind(4);
    show(0, 0, 10);
    show(1, 3, 10);
    show(2, 2, 10);
    settle(mind, 0.7);
    assert_false(fg_overlap_is_alike(&overlap, 0, 1));
    assert_true(fg_overlap_is_alike(&overlap, 0, 2));
    assert_true(fg_overlap_is_alike(&overlap, 2, 0));
    assert_true(fg_overlap_is_alike(&overlap, 1, 2)); /* 7 of 8 */
    assert_false(fg_overlap_is_alike(&overlap, 0, 3));
    end(mind);
}

static void pages_of_two_sites_are_not_compared(void **state)
{
    (void)state;
    struct fg_mind *mind = new_mind(1);
    fg_mind_add(mind, 7, 3, 0);
    show(0, 0, 5);
    show(1, 0, 5);
    settle(mind, 0.7);
    assert_false(fg_overlap_is_alike(&overlap, 0, 1));
    end(mind);
}

static void visits_of_two_rounds_are_not_compared(void **state)
{
    (void)state;
    struct fg_mind *mind = new_mind(2);
    show(0, 0, 5);
    settle(mind, 0.7);
    show(1, 0, 5);
    settle(mind, 0.7);
    assert_false(fg_overlap_is_alike(&overlap, 0, 1));
    end(mind);
}

static void the_last_common_round_decides(void **state)
{
    (void)state;
    struct fg_mind *mind = new_mind(3);
    show(0, 0, 5);
    show(1, 0, 5);
    show(2, 0, 5);
    settle(mind, 0.7);
    show(0, 10, 15); /* alone: says nothing about pairs */
    settle(mind, 0.7);
    assert_true(fg_overlap_is_alike(&overlap, 0, 1));
    show(0, 0, 0); /* nothing new on either: no telling */
    show(1, 0, 0);
    settle(mind, 0.7);
    assert_true(fg_overlap_is_alike(&overlap, 0, 1));
    show(0, 20, 25);
    show(1, 0, 0); /* new links on one only: they differ */
    settle(mind, 0.7);
    assert_false(fg_overlap_is_alike(&overlap, 0, 1));
    assert_true(fg_overlap_is_alike(&overlap, 0, 2));
    assert_true(fg_overlap_is_alike(&overlap, 1, 2));
    end(mind);
}

/* Pages 0, 1, 2 alike; 3 is like 2 only. By score: 1 is taken and bars 0 and 2; so 3,
 * whose partner 2 was not taken, is free; then 4. */
static void what_is_like_a_page_taken_stands_back(void **state)
{
    (void)state;
    struct fg_mind *mind = new_mind(6);
    show(0, 0, 5);
    show(1, 0, 5);
    show(2, 0, 5);
    settle(mind, 0.7);
    show(2, 10, 15);
    show(3, 10, 15);
    settle(mind, 0.7);
    const float wanted[] = {8, 9, 7, 6, 1, 0};
    assert_picks(mind, 3, wanted, (uint32_t[]){1, 3, 4}, 3);
    /* nothing of it stays for the next choice: now 2 is first and bars 0, 1 and 3 */
    assert_picks(mind, 3, (float[]){8, 9, 10, 6, 1, 0}, (uint32_t[]){2, 4, 5}, 3);
    /* with too few others, those that stood back follow, best first */
    assert_picks(mind, 5, wanted, (uint32_t[]){1, 3, 4, 5, 0}, 5);
    assert_picks(mind, 6, wanted, (uint32_t[]){1, 3, 4, 5, 0, 2}, 6);
    end(mind);
}

static void a_page_that_cannot_be_taken_bars_nobody(void **state)
{
    (void)state;
    struct fg_mind *mind = new_mind(4);
    show(0, 0, 5);
    show(1, 0, 5);
    settle(mind, 0.7);
    fg_mind_block(mind, 1, true);
    const float wanted[] = {8, 9, 7, 6};
    assert_picks(mind, 2, wanted, (uint32_t[]){0, 2}, 2);
    fg_mind_block(mind, 1, false);
    fg_mind_limit(mind, 0, 1);
    assert_picks(mind, 2, wanted, (uint32_t[]){1}, 1);
    end(mind);
}

/* Row 0 goes and the last row, 3, takes its number. */
static void pairs_follow_their_pages(void **state)
{
    (void)state;
    struct fg_mind *mind = new_mind(4);
    show(0, 0, 5);
    show(1, 0, 5);
    settle(mind, 0.7);
    show(2, 10, 15);
    show(3, 10, 15);
    settle(mind, 0.7);
    show(1, 20, 25); /* a round under way */
    show(3, 20, 25);
    fg_mind_remove(mind, 0);
    assert_false(fg_overlap_is_alike(&overlap, 0, 1));
    assert_true(fg_overlap_is_alike(&overlap, 0, 2));
    assert_true(fg_overlap_is_alike(&overlap, 2, 0));
    settle(mind, 0.7);
    assert_true(fg_overlap_is_alike(&overlap, 0, 1));
    fg_mind_remove(mind, 2); /* row 2, the last: pairs of it are gone */
    assert_false(fg_overlap_is_alike(&overlap, 0, 2));
    assert_true(fg_overlap_is_alike(&overlap, 0, 1));
    end(mind);
}

static void a_saved_state_is_the_same_again(void **state)
{
    (void)state;
    struct fg_mind *mind = new_mind(4);
    struct fg_buf bytes;
    fg_buf_init(&bytes, 1 << 20);
    show(0, 0, 5);
    show(1, 0, 5);
    settle(mind, 0.7);
    show(2, 10, 15);
    show(3, 10, 15);
    fg_overlap_save(&overlap, &bytes);
    struct fg_str rest = fg_buf_str(&bytes);
    assert_true(fg_overlap_load(&overlap, &rest, 4));
    assert_int_equal(rest.len, 0);
    assert_true(fg_overlap_is_alike(&overlap, 1, 0));
    settle(mind, 0.7);
    assert_true(fg_overlap_is_alike(&overlap, 2, 3));
    for (size_t len = 0; len < bytes.len; len++) {
        rest = (struct fg_str){bytes.at, len};
        assert_false(fg_overlap_load(&overlap, &rest, 4));
    }
    rest = fg_buf_str(&bytes);
    assert_false(fg_overlap_load(&overlap, &rest, 1)); /* of another world */
    assert_false(fg_overlap_is_alike(&overlap, 0, 1));
    fg_buf_clear(&bytes);
    end(mind);
}

FG_TESTS(alike_is_above_the_threshold, pages_of_two_sites_are_not_compared,
         visits_of_two_rounds_are_not_compared, the_last_common_round_decides,
         what_is_like_a_page_taken_stands_back, a_page_that_cannot_be_taken_bars_nobody,
         pairs_follow_their_pages, a_saved_state_is_the_same_again)
