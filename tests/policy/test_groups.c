/* Groups as arms: turns inside, draws between. */
#include "policy/mind.h"
#include "policy/refresh/groups.h"
#include "test.h"

static const struct fg_param no_params[] = {{0}};
static const struct fg_column no_columns[] = {{0}};

/* Group g has share g. */
static size_t by_share(struct fg_brain *brain, fg_time now, size_t budget,
                       struct fg_pick *out)
{
    (void)now;
    struct fg_groups groups;
    fg_groups_gather(&groups, brain);
    for (size_t g = 0; g < groups.n; g++)
        groups.share[g] = (double)g;
    size_t taken = fg_groups_sample(&groups, brain, budget, out);
    fg_groups_clear(&groups);
    return taken;
}

static const struct fg_policy shared = {.name = "shared",
                                        .tasks = FG_REFRESH,
                                        .params = no_params,
                                        .columns = no_columns,
                                        .select = by_share};

/* Group 0 has pages 0 and 4, group 1 page 1, group 3 pages 2, 3 and 5; group 2 has none.
 */
static struct fg_mind *six_pages(void)
{
    static const uint32_t group[] = {0, 1, 3, 3, 0, 3};
    struct fg_mind *mind = fg_mind_new(&shared, 9);
    for (size_t i = 0; i < 6; i++) {
        fg_mind_add(mind, i, 0, 0);
        fg_mind_group(mind, i, group[i]);
    }
    return mind;
}

static void groups_are_drawn_by_their_shares(void **state)
{
    (void)state;
    struct fg_mind *mind = six_pages();
    struct fg_pick pick;
    size_t of_page[6] = {0};
    for (int tick = 0; tick < 8000; tick++) {
        assert_int_equal(fg_mind_choose(mind, tick, 1, &pick), 1);
        of_page[pick.page]++;
        assert_near((double)pick.probability, pick.page == 1 ? 0.25 : 0.75, 1e-6);
        fg_mind_observe(mind, &(struct fg_visit){.page = pick.page, .now = tick + 1});
    }
    assert_int_equal(of_page[0] + of_page[4], 0);
    assert_near((double)of_page[1], 2000, 160);
    /* in turns: no page of the group more than one ahead of another */
    assert_in_range(of_page[2] - of_page[5], 0, 1);
    assert_in_range(of_page[2] - of_page[3], 0, 1);
    fg_mind_free(mind);
}

static void a_page_that_cannot_be_taken_loses_its_turn(void **state)
{
    (void)state;
    struct fg_mind *mind = six_pages();
    struct fg_pick picks[6];
    fg_mind_block(mind, 1, true);
    fg_mind_block(mind, 2, true);
    /* Shares are left to group 3 only, and of it pages 3 and 5. */
    assert_int_equal(fg_mind_choose(mind, 0, 6, picks), 2);
    assert_int_equal(picks[0].page, 3);
    assert_int_equal(picks[1].page, 5);
    fg_mind_free(mind);
}

static void the_one_that_waited_longest_is_next(void **state)
{
    (void)state;
    struct fg_mind *mind = six_pages();
    struct fg_pick picks[3];
    fg_mind_block(mind, 1, true);
    fg_mind_observe(mind, &(struct fg_visit){.page = 2, .now = 7});
    fg_mind_observe(mind, &(struct fg_visit){.page = 3, .now = 9});
    fg_mind_observe(mind, &(struct fg_visit){.page = 5, .now = 8});
    assert_int_equal(fg_mind_choose(mind, 10, 3, picks), 3);
    assert_int_equal(picks[0].page, 2);
    assert_int_equal(picks[1].page, 5);
    assert_int_equal(picks[2].page, 3);
    fg_mind_free(mind);
}

/* Several picks a tick, all at the same time: no page has its turn twice before another
 * has had it once more. */
static void turns_go_round_with_several_picks_a_tick(void **state)
{
    (void)state;
    for (size_t pages = 2; pages <= 13; pages++)
        for (size_t each = 1; each < pages; each++) {
            struct fg_mind *mind = fg_mind_new(&shared, 9);
            struct fg_pick picks[13];
            size_t of_page[13] = {0};
            for (size_t i = 0; i < pages; i++) {
                fg_mind_add(mind, i, 0, 0);
                fg_mind_group(mind, i, 1);
            }
            for (size_t tick = 1; tick <= 60; tick++) {
                assert_int_equal(fg_mind_choose(mind, (fg_time)tick, each, picks), each);
                for (size_t i = 0; i < each; i++) {
                    assert_int_equal(picks[i].page, ((tick - 1) * each + i) % pages);
                    of_page[picks[i].page]++;
                    fg_mind_observe(mind, &(struct fg_visit){.page = picks[i].page,
                                                             .now = (fg_time)tick});
                }
            }
            for (size_t i = 1; i < pages; i++)
                assert_in_range(of_page[0] - of_page[i], 0, 1);
            fg_mind_free(mind);
        }
}

/* Of five hundred groups of one page each, 64 are left, none of them empty. */
static size_t in_few(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    (void)now;
    (void)budget;
    struct fg_groups groups;
    size_t pages = 0;
    fg_groups_gather_most(&groups, brain, 64);
    assert_int_equal(groups.n, 64);
    for (size_t g = 0; g < groups.n; g++) {
        pages += fg_groups_size(&groups, g);
        assert_true(fg_groups_size(&groups, g) < 30);
        assert_true(fg_groups_take(&groups, brain, g, out));
        assert_int_equal(fg_groups_of(brain->world->group[out->page], 64), g);
        assert_int_equal(groups.pages[groups.first[g]], g); /* its own page is first */
    }
    assert_int_equal(pages, brain->world->n);
    fg_groups_clear(&groups);
    return 0;
}

static void groups_beyond_the_most_join_others(void **state)
{
    (void)state;
    static const struct fg_policy few = {.name = "few",
                                         .tasks = FG_REFRESH,
                                         .params = no_params,
                                         .columns = no_columns,
                                         .select = in_few};
    struct fg_mind *mind = fg_mind_new(&few, 9);
    struct fg_pick pick;
    for (uint32_t i = 0; i < 500; i++) {
        fg_mind_add(mind, i, 0, 0);
        fg_mind_group(mind, i, i);
    }
    assert_int_equal(fg_mind_choose(mind, 1, 1, &pick), 0);
    fg_mind_free(mind);
}

FG_TESTS(groups_are_drawn_by_their_shares, a_page_that_cannot_be_taken_loses_its_turn,
         the_one_that_waited_longest_is_next, turns_go_round_with_several_picks_a_tick,
         groups_beyond_the_most_join_others)
