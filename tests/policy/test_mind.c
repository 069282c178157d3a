/* The frame around policies: pages come and go, columns follow, picks obey the limits,
 * and nothing that a policy knows is lost by saving and loading. */
#include "policy/mind.h"
#include "test.h"
#include "whole.h"

/* A policy that scores each page by a column, so that rows can be told apart. */
enum { MARK, PAIR };
static const struct fg_column columns[] = {
    [MARK] = {"mark", FG_F32}, [PAIR] = {"pair", FG_U32, 2}, {0}};
enum { SCALE };
static const struct fg_param params[] = {[SCALE] = {"scale", 1, 0, 10, "of the marks"},
                                         {0}};

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    brain->f32[MARK][visit->page] += (float)visit->n_fresh;
    brain->u32[PAIR][2 * visit->page + 1]++;
    if (visit->previous != FG_NEVER)
        ++*(uint64_t *)brain->self;
}

static void score(struct fg_brain *brain, fg_time now, size_t first, size_t n, float *out)
{
    (void)now;
    for (size_t i = 0; i < n; i++)
        out[i] = (float)brain->knob[SCALE] * brain->f32[MARK][first + i];
}

static const struct fg_policy marks = {.name = "marks",
                                       .tasks = FG_DISCOVERY,
                                       .params = params,
                                       .columns = columns,
                                       .self_size = sizeof(uint64_t),
                                       .observe = observe,
                                       .score = score};

static void give(struct fg_mind *mind, uint64_t id, size_t mark)
{
    fg_mind_observe(mind, &(struct fg_visit){.page = fg_mind_row(mind, id),
                                             .now = 1000,
                                             .ok = true,
                                             .n_fresh = mark});
}

static struct fg_mind *three_pages(void)
{
    struct fg_mind *mind = fg_mind_new(&marks, 7);
    for (uint64_t id = 1; id <= 3; id++) {
        fg_mind_add(mind, id * 100, (uint32_t)(id == 3), 0);
        give(mind, id * 100, id * 10);
    }
    return mind;
}

static uint64_t best(struct fg_mind *mind)
{
    struct fg_pick pick;
    assert_int_equal(fg_mind_choose(mind, 0, 1, &pick), 1);
    return fg_mind_world(mind)->id[pick.page];
}

static void picks_come_best_first_and_never_more_than_there_are(void **state)
{
    (void)state;
    struct fg_mind *mind = three_pages();
    struct fg_pick picks[8];
    assert_int_equal(fg_mind_choose(mind, 0, 8, picks), 3);
    assert_true(picks[0].score == 30 && picks[1].score == 20 && picks[2].score == 10);
    assert_int_equal(fg_mind_choose(mind, 0, 0, picks), 0);
    fg_mind_free(mind);
}

static void a_blocked_page_is_not_picked(void **state)
{
    (void)state;
    struct fg_mind *mind = three_pages();
    fg_mind_block(mind, fg_mind_row(mind, 300), true);
    assert_int_equal(best(mind), 200);
    fg_mind_block(mind, fg_mind_row(mind, 300), false);
    assert_int_equal(best(mind), 300);
    fg_mind_free(mind);
}

static void a_site_gets_no_more_than_its_limit(void **state)
{
    (void)state;
    struct fg_mind *mind = three_pages();
    struct fg_pick picks[3];
    fg_mind_limit(mind, 0, 1); /* pages 100 and 200 share site 0 */
    assert_int_equal(fg_mind_choose(mind, 0, 3, picks), 2);
    assert_true(picks[0].score == 30 && picks[1].score == 20);
    fg_mind_limit(mind, 1, 0);
    assert_int_equal(fg_mind_choose(mind, 0, 3, picks), 1);
    fg_mind_free(mind);
}

static void removal_closes_the_gap_and_keeps_the_rest(void **state)
{
    (void)state;
    struct fg_mind *mind = three_pages();
    fg_mind_remove(mind, 100);
    assert_int_equal(fg_mind_world(mind)->n, 2);
    assert_true(fg_mind_row(mind, 100) == FG_NO_ROW);
    assert_int_equal(best(mind), 300);
    fg_mind_remove(mind, 300);
    assert_int_equal(best(mind), 200);
    size_t row = fg_mind_add(mind, 400, 0, 5); /* takes a freed row: it must be empty */
    give(mind, 400, 1);
    struct fg_pick picks[2];
    fg_mind_choose(mind, 0, 2, picks);
    assert_true(picks[1].score == 1);
    assert_int_equal(fg_mind_add(mind, 400, 0, 9), row);
    fg_mind_free(mind);
}

static void unknown_or_silly_parameters_are_refused_with_words(void **state)
{
    (void)state;
    struct fg_mind *mind = fg_mind_new(&marks, 1);
    struct fg_err err;
    assert_int_equal(fg_mind_set(mind, FG_STR("scale"), 2, &err), FG_OK);
    assert_int_equal(fg_mind_set(mind, FG_STR("scale"), 11, &err), FG_ECONFIG);
    assert_non_null(strstr(err.text, "from 0 to 10"));
    assert_int_equal(fg_mind_set(mind, FG_STR("skale"), 1, &err), FG_ECONFIG);
    assert_non_null(strstr(err.text, "scale"));
    fg_mind_free(mind);
}

static void saved_and_loaded_it_goes_on_where_it_was(void **state)
{
    (void)state;
    struct fg_mind *mind = three_pages(), *copy = fg_mind_new(&marks, 7);
    struct fg_buf bytes, again;
    struct fg_err err;
    fg_buf_init(&bytes, 1 << 20);
    fg_buf_init(&again, 1 << 20);
    give(mind, 200, 5);
    save_whole(mind, &bytes);
    fg_mind_add(copy, 999, 3, 0); /* what was there is replaced */
    assert_int_equal(load_whole(copy, fg_buf_str(&bytes), &err), FG_OK);
    save_whole(copy, &again);
    assert_true(fg_str_eq(fg_buf_str(&bytes), fg_buf_str(&again)));
    assert_true(fg_mind_row(copy, 999) == FG_NO_ROW);
    assert_int_equal(fg_mind_world(copy)->last_visit[fg_mind_row(copy, 200)], 1000);
    fg_buf_clear(&bytes);
    fg_buf_clear(&again);
    fg_mind_free(mind);
    fg_mind_free(copy);
}

static void damaged_or_foreign_state_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    struct fg_mind *mind = three_pages();
    struct fg_buf bytes;
    struct fg_err err;
    fg_buf_init(&bytes, 1 << 20);
    save_whole(mind, &bytes);
    for (size_t i = 0; i < bytes.len; i += 7) {
        bytes.at[i] ^= 0x20;
        assert_int_equal(load_whole(mind, fg_buf_str(&bytes), &err), FG_EINPUT);
        bytes.at[i] ^= 0x20;
        assert_int_equal(load_whole(mind, fg_str_sub(fg_buf_str(&bytes), 0, i), &err),
                         FG_EINPUT);
    }
    assert_int_equal(best(mind), 300);
    struct fg_mind *other =
        fg_mind_new(fg_policy_find(FG_STR("round-robin"), FG_DISCOVERY), 1);
    assert_int_equal(load_whole(other, fg_buf_str(&bytes), &err), FG_EINPUT);
    assert_non_null(strstr(err.text, "marks"));
    fg_buf_clear(&bytes);
    fg_mind_free(mind);
    fg_mind_free(other);
}

static void a_failed_visit_is_a_try_and_no_visit(void **state)
{
    (void)state;
    struct fg_mind *mind = three_pages();
    size_t row = fg_mind_row(mind, 100);
    fg_mind_observe(mind, &(struct fg_visit){.page = row, .now = 5000, .ok = false});
    assert_int_equal(fg_mind_world(mind)->last_try[row], 5000);
    assert_int_equal(fg_mind_world(mind)->last_visit[row], 1000);
    fg_mind_free(mind);
}

/* Entry e of page p lies at e * room + p, wherever growth and removal have put it. */
static const struct fg_column planes[] = {
    {.name = "planes", .type = FG_U32, .width = 3, .is_planar = true}, {0}};

static void mark_plane(struct fg_brain *brain, const struct fg_visit *visit)
{
    for (size_t entry = 0; entry < 3; entry++)
        brain->u32[0][entry * brain->room + visit->page] +=
            (uint32_t)(visit->n_fresh * 10 + entry);
}

static void explain_plane(struct fg_brain *brain, fg_time now, size_t page,
                          struct fg_reason *reason)
{
    reason->rate = (double)brain->u32[0][(size_t)now * brain->room + page];
}

static const struct fg_policy planar = {.name = "planar",
                                        .tasks = FG_DISCOVERY,
                                        .params = (const struct fg_param[]){{0}},
                                        .columns = planes,
                                        .observe = mark_plane,
                                        .explain = explain_plane};

static void assert_planes(struct fg_mind *mind, uint64_t id, size_t mark)
{
    for (size_t entry = 0; entry < 3; entry++) {
        struct fg_reason reason = {0};
        fg_mind_explain(mind, (fg_time)entry, fg_mind_row(mind, id), &reason);
        assert_int_equal((size_t)reason.rate, mark ? mark * 10 + entry : 0);
    }
}

static void planar_columns_follow_their_pages(void **state)
{
    (void)state;
    struct fg_mind *mind = fg_mind_new(&planar, 7), *copy = fg_mind_new(&planar, 7);
    struct fg_buf bytes;
    fg_buf_init(&bytes, 1 << 20);
    for (uint64_t id = 1; id <= 300; id++) { /* through several growths */
        fg_mind_add(mind, id, 0, 0);
        give(mind, id, id);
    }
    fg_mind_remove(mind, 5);
    save_whole(mind, &bytes);
    assert_int_equal(load_whole(copy, fg_buf_str(&bytes), NULL), FG_OK);
    for (uint64_t id = 1; id <= 300; id++)
        if (id != 5) {
            assert_planes(mind, id, id);
            assert_planes(copy, id, id);
        }
    fg_mind_add(copy, 5, 0, 0);
    assert_planes(copy, 5, 0);
    fg_buf_clear(&bytes);
    fg_mind_free(mind);
    fg_mind_free(copy);
}

/* What is told of a page follows it when another page leaves; a page that comes is one of
 * which nothing was told. */
static void told_rates_follow_their_page(void **state)
{
    (void)state;
    struct fg_mind *mind = three_pages();
    const struct fg_world *world = fg_mind_world(mind);
    assert_true(isnan(fg_world_told(world, FG_TOLD_CLICKS_MODEL, 2)));
    assert_null(world->told[FG_TOLD_CLICKS_MODEL]);
    fg_mind_tell(mind, 2, FG_TOLD_CLICKS_MODEL, 0.25f);
    assert_true(isnan(fg_world_told(world, FG_TOLD_CLICKS_MODEL, 0)));
    fg_mind_remove(mind, 100);
    size_t row = fg_mind_row(mind, 300);
    assert_true(fg_world_told(world, FG_TOLD_CLICKS_MODEL, row) == 0.25f);
    for (uint64_t id = 1000; id < 1100; id++)
        row = fg_mind_add(mind, id, 0, 0);
    assert_true(isnan(fg_world_told(world, FG_TOLD_CLICKS_MODEL, row)));
    fg_mind_free(mind);
}

static void siblings_are_the_site_unless_told(void **state)
{
    (void)state;
    struct fg_mind *mind = three_pages();
    const struct fg_world *world = fg_mind_world(mind);
    assert_int_equal(world->group[2], world->site[2]);
    fg_mind_group(mind, 2, 40);
    assert_int_equal(world->groups, 41);
    fg_mind_remove(mind, 100);
    assert_int_equal(world->group[fg_mind_row(mind, 300)], 40);
    assert_int_equal(world->group[fg_mind_row(mind, 200)], 0);
    fg_mind_free(mind);
}

FG_TESTS(planar_columns_follow_their_pages,
         picks_come_best_first_and_never_more_than_there_are,
         a_blocked_page_is_not_picked, a_site_gets_no_more_than_its_limit,
         removal_closes_the_gap_and_keeps_the_rest,
         unknown_or_silly_parameters_are_refused_with_words,
         saved_and_loaded_it_goes_on_where_it_was,
         damaged_or_foreign_state_is_refused_and_changes_nothing,
         a_failed_visit_is_a_try_and_no_visit, told_rates_follow_their_page,
         siblings_are_the_site_unless_told)
