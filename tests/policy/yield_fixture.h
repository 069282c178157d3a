/* yield_fixture.h - minds of the policies around policy/discovery/yield_model.h, and a
 * small world that plays with them */
#ifndef FG_TESTS_POLICY_YIELD_FIXTURE_H
#define FG_TESTS_POLICY_YIELD_FIXTURE_H

#include "minds.h"
#include "policy/discovery/yield_model.h"
#include "whole.h"

/* A mind whose brain we can look into. */
static struct fg_brain *inside __attribute__((unused));
static inline void look_inside(struct fg_brain *brain)
{
    inside = brain;
    fg_yield_init(brain);
}

static inline struct fg_mind *open_mind_of(const char *name, size_t pages)
{
    static struct fg_policy policy;
    policy = *fg_policy_find(fg_str_from(name), FG_DISCOVERY);
    policy.init = look_inside;
    struct fg_mind *mind = fg_mind_new(&policy, 1);
    for (uint64_t id = 0; id < pages; id++)
        fg_mind_add(mind, id, 0, 0);
    return mind;
}

/* A visit that finds `n` new links, numbered from `link` on. */
static inline void visit(struct fg_mind *mind, size_t page, fg_time now, uint64_t link,
                         size_t n)
{
    uint64_t links[64];
    assert_true(n <= 64);
    for (size_t i = 0; i < n; i++)
        links[i] = link + i;
    fg_mind_observe(mind, &(struct fg_visit){.page = page,
                                             .now = now,
                                             .ok = true,
                                             .fresh = links,
                                             .n_fresh = n,
                                             .n_first = n});
}

static inline void fail_visit(struct fg_mind *mind, size_t page, fg_time now)
{
    fg_mind_observe(mind, &(struct fg_visit){.page = page, .now = now});
}

/* An hour of a world in which page p has p % 5 new links at even hours and one more at
 * odd ones, and pages p and p + 1 show the same for p = 0, 5, 10, ... */
static inline size_t play_hour(struct fg_mind *mind, int hour, size_t budget,
                               struct fg_pick *picks)
{
    size_t n = fg_mind_choose(mind, hour * FG_HOUR, budget, picks);
    for (size_t i = 0; i < n; i++) {
        uint64_t id = fg_mind_world(mind)->id[picks[i].page];
        uint64_t alike = id % 5 == 1 ? id - 1 : id;
        visit(mind, picks[i].page, hour * FG_HOUR, 1000 * alike + 100000 * (uint64_t)hour,
              alike % 5 + (size_t)(hour & 1));
    }
    return n;
}

static inline void assert_same_picks(const struct fg_pick *a, const struct fg_pick *b,
                                     size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(a[i].page, b[i].page);
        assert_true(a[i].score == b[i].score && a[i].explored == b[i].explored);
    }
}

/* A mind saved and loaded half way goes on as the one that never stopped. */
static inline void assert_saving_changes_nothing(const char *name)
{
    enum { PAGES = 20, BUDGET = 6 };
    struct fg_mind *mind = mind_of(name, PAGES), *copy = mind_of(name, 3);
    struct fg_pick a[BUDGET], b[BUDGET];
    struct fg_buf state;
    struct fg_err err;
    set(mind, "history", 20); /* so that examples leave in time */
    set(copy, "history", 20);
    for (int hour = 0; hour < 40; hour++)
        play_hour(mind, hour, BUDGET, a);
    fg_buf_init(&state, 10 << 20);
    save_whole(mind, &state);
    if (load_whole(copy, fg_buf_str(&state), &err))
        fail_msg("%s", err.text);
    for (int hour = 40; hour < 80; hour++) {
        assert_int_equal(play_hour(mind, hour, BUDGET, a), BUDGET);
        assert_int_equal(play_hour(copy, hour, BUDGET, b), BUDGET);
        assert_same_picks(a, b, BUDGET);
    }
    fg_buf_clear(&state);
    fg_mind_free(mind);
    fg_mind_free(copy);
}

#endif
