/* What must hold for every policy there is, whatever it believes: pages come
 * and go, visits fail or are known by their numbers only, sites have limits, the state is
 * saved and read back; it never picks what it may not, and the same seed gives the same
 * picks. */
#include "base/rng.h"
#include "base/variate.h"
#include "policy/mind.h"
#include "test.h"
#include "whole.h"

#include <unistd.h>

enum { PAGES = 60, SITES = 4, BUDGET = 7, TICKS = 24 * 9, LINKS = 40 };

/* A made-up web: page p shows the links of its own stream and some of its neighbour's. */
struct web {
    struct fg_rng rng;
    uint64_t stream[PAGES + 1]; /* links published so far */
    uint64_t shown[PAGES];      /* of its stream, by the last visit */
    uint64_t seen[LINKS * 2], added[LINKS * 2], gone[LINKS * 2];
};

static uint64_t link_of(size_t page, uint64_t number)
{
    return (uint64_t)page << 32 | number;
}

/* The links numbered from `first` up to `end` of a page's stream. */
static size_t list(uint64_t *out, size_t page, uint64_t first, uint64_t end)
{
    size_t n = 0;
    for (uint64_t i = first; i < end; i++)
        out[n++] = link_of(page, i);
    return n;
}

static uint64_t window(uint64_t end)
{
    return end > LINKS ? end - LINKS : 0;
}

static void look(struct web *web, struct fg_mind *mind, uint64_t id, fg_time now)
{
    size_t row = fg_mind_row(mind, id), page = (size_t)(id % PAGES);
    uint64_t end = web->stream[page], last = web->shown[page];
    struct fg_visit visit = {.page = row, .now = now, .ok = true, .complete = true};
    double luck = fg_rng_unit(&web->rng);
    if (luck < 0.05) {
        fg_mind_observe(mind, &(struct fg_visit){.page = row, .now = now});
        return;
    }
    uint64_t from = last > window(end) ? last : window(end);
    visit.n_added = visit.n_fresh = visit.n_first = list(web->added, page, from, end);
    visit.n_first -= visit.n_first / 3; /* the rest was seen elsewhere in this tick */
    visit.n_seen = list(web->seen, page, window(end), end);
    uint64_t until = window(end) < last ? window(end) : last;
    visit.n_gone = list(web->gone, page, window(last), until);
    visit.changed = visit.n_added > 0;
    web->shown[page] = end;
    if (luck < 0.1) { /* as a crawl that was killed reads it from its log */
        visit.n_added = visit.n_gone = visit.n_seen = 0;
        visit.complete = false;
    } else {
        visit.seen = web->seen;
        visit.added = visit.fresh = web->added;
        visit.gone = web->gone;
    }
    fg_mind_observe(mind, &visit);
}

static void publish(struct web *web)
{
    for (size_t i = 0; i < PAGES; i++)
        web->stream[i] += fg_rng_poisson(&web->rng, 3.0 / (double)(1 + i));
}

static void check_picks(const struct fg_mind *mind, const struct fg_pick *picks, size_t n)
{
    const struct fg_world *world = fg_mind_world(mind);
    size_t of_site[SITES] = {0};
    assert_true(n <= BUDGET);
    for (size_t i = 0; i < n; i++) {
        assert_true(picks[i].page < world->n);
        assert_false(world->is_blocked[picks[i].page]);
        assert_true(++of_site[world->site[picks[i].page]] <=
                    (world->site[picks[i].page] == 1 ? 1 : UINT32_MAX));
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(picks[i].page, picks[j].page);
    }
}

static struct fg_mind *mind_for(const struct fg_policy *policy)
{
    struct fg_mind *mind = fg_mind_new(policy, 11);
    for (uint64_t id = 0; id < PAGES; id++)
        fg_mind_add(mind, id, (uint32_t)(id % SITES), 0);
    fg_mind_limit(mind, 1, 1);
    return mind;
}

/* Every so often a page leaves, comes back, is blocked or is free again. */
static void stir(struct fg_mind *mind, int tick)
{
    uint64_t id = (uint64_t)(tick / 10) * 7 % PAGES;
    size_t row = fg_mind_row(mind, id);
    if (row == FG_NO_ROW)
        fg_mind_add(mind, id, (uint32_t)(id % SITES), tick * FG_HOUR);
    else if (tick % 30 == 0)
        fg_mind_remove(mind, id);
    else if (tick % 10 == 0)
        fg_mind_block(mind, row, tick % 20 == 0);
}

static struct fg_mind *save_and_load(struct fg_mind *mind)
{
    struct fg_err err;
    struct fg_buf bytes;
    fg_buf_init(&bytes, (size_t)1 << 28);
    save_whole(mind, &bytes);
    struct fg_mind *copy = fg_mind_new(fg_mind_policy(mind), 11);
    if (load_whole(copy, fg_buf_str(&bytes), &err))
        fail_msg("%s: %s", fg_mind_policy(mind)->name, err.text);
    fg_buf_clear(&bytes);
    fg_mind_limit(copy, 1, 1);
    const struct fg_world *world = fg_mind_world(mind);
    for (size_t i = 0; i < world->n; i++)
        fg_mind_block(copy, i, world->is_blocked[i]);
    fg_mind_free(mind);
    return copy;
}

/* A digest of all picks; the state is saved and read back now and then if wanted. */
static uint64_t live(const struct fg_policy *policy, bool saves)
{
    struct web web = {.rng = fg_rng_from_seed(4)};
    struct fg_mind *mind = mind_for(policy);
    uint64_t digest = 0;
    for (int tick = 0; tick < TICKS; tick++) {
        fg_time now = 20000 * FG_DAY + tick * FG_HOUR;
        struct fg_pick picks[BUDGET];
        uint64_t ids[BUDGET];
        publish(&web);
        stir(mind, tick);
        size_t n = fg_mind_choose(mind, now, BUDGET, picks);
        check_picks(mind, picks, n);
        for (size_t i = 0; i < n; i++) {
            ids[i] = fg_mind_world(mind)->id[picks[i].page];
            digest = digest * 1000003 + ids[i] + 1;
        }
        for (size_t i = 0; i < n; i++)
            look(&web, mind, ids[i], now);
        struct fg_reason reason = {0};
        fg_mind_explain(mind, now, (size_t)tick % fg_mind_world(mind)->n, &reason);
        assert_true(reason.rate == reason.rate && reason.score == reason.score);
        if (saves && tick % 50 == 49)
            mind = save_and_load(mind);
    }
    fg_mind_free(mind);
    return digest;
}

static bool is_runnable(const struct fg_policy *policy)
{
    return !policy->needs_foresight;
}

static void every_policy_lives_through_it_alike_over_restarts(void **state)
{
    (void)state;
    for (size_t i = 0; fg_policies[i]; i++)
        if (is_runnable(fg_policies[i]) &&
            live(fg_policies[i], false) != live(fg_policies[i], true))
            fail_msg("%s: saving and loading changed its picks", fg_policies[i]->name);
}

static void every_policy_takes_no_pages_and_one_page(void **state)
{
    (void)state;
    for (size_t i = 0; fg_policies[i]; i++) {
        struct fg_pick pick;
        if (!is_runnable(fg_policies[i]))
            continue;
        struct fg_mind *mind = fg_mind_new(fg_policies[i], 1);
        assert_int_equal(fg_mind_choose(mind, 0, 1, &pick), 0);
        fg_mind_add(mind, 77, 0, 0);
        for (int tick = 0; tick < 50; tick++) {
            size_t n = fg_mind_choose(mind, tick * FG_HOUR, 1, &pick);
            for (size_t k = 0; k < n; k++)
                fg_mind_observe(
                    mind, &(struct fg_visit){.now = tick * FG_HOUR, .ok = tick % 3 != 0});
        }
        fg_mind_remove(mind, 77);
        assert_int_equal(fg_mind_choose(mind, 99 * FG_HOUR, 1, &pick), 0);
        fg_mind_free(mind);
    }
}

/* What a policy picks in so many ticks from `start` on; it may not say nonsense. */
static size_t go_on(struct web *web, struct fg_mind *mind, fg_time start, int ticks)
{
    size_t all = 0;
    for (int tick = 0; tick < ticks; tick++) {
        fg_time now = start + tick * FG_HOUR;
        struct fg_pick picks[BUDGET];
        uint64_t ids[BUDGET];
        publish(web);
        size_t n = fg_mind_choose(mind, now, BUDGET, picks);
        check_picks(mind, picks, n);
        for (size_t i = 0; i < n; i++) {
            assert_true(picks[i].score == picks[i].score);
            ids[i] = fg_mind_world(mind)->id[picks[i].page];
        }
        for (size_t i = 0; i < n; i++)
            look(web, mind, ids[i], now);
        struct fg_reason reason = {0};
        fg_mind_explain(mind, now, (size_t)tick % fg_mind_world(mind)->n, &reason);
        assert_true(reason.rate == reason.rate && reason.score == reason.score);
        all += n;
    }
    return all;
}

/* A clock that is ten years behind the state, one that falls behind while it runs, and
 * one that is set back by an hour. */
static void every_policy_goes_on_when_the_clock_is_set_back(void **state)
{
    (void)state;
    enum { BEFORE = 24 * 8, AFTER = 48 };
    static const fg_time then = 20000 * FG_DAY, decade = 3652 * FG_DAY;
    alarm(120); /* a choice among NaNs need not end */
    for (size_t i = 0; fg_policies[i]; i++) {
        if (!is_runnable(fg_policies[i]))
            continue;
        struct web web = {.rng = fg_rng_from_seed(4)};
        struct fg_mind *mind = mind_for(fg_policies[i]);
        go_on(&web, mind, then, BEFORE - AFTER);
        size_t usual = go_on(&web, mind, then + (BEFORE - AFTER) * FG_HOUR, AFTER);
        mind = save_and_load(mind);
        fg_time back = then + BEFORE * FG_HOUR - decade;
        fg_mind_not_after(mind, back);
        size_t n = go_on(&web, mind, back, AFTER);
        n += go_on(&web, mind, back - decade / 2, AFTER);
        n += go_on(&web, mind, back - decade / 2 + (AFTER - 1) * FG_HOUR, AFTER);
        if (n < usual)
            fail_msg("%s: %zu picks in all, %zu are usual", fg_policies[i]->name, n,
                     usual);
        fg_mind_free(mind);
    }
    alarm(0);
}

/* Hours and weekdays stay what they are, and no age is negative. */
static void time_is_put_forward_by_whole_weeks(void **state)
{
    (void)state;
    struct fg_pick pick;
    struct fg_mind *mind = fg_mind_new(fg_policies[0], 1);
    const struct fg_world *world = fg_mind_world(mind);
    fg_time later = 20000 * FG_DAY + 5 * FG_HOUR, now = later - 1000 * FG_DAY;
    fg_mind_add(mind, 77, 0, later);
    fg_mind_choose(mind, later, 1, &pick);
    fg_mind_observe(mind, &(struct fg_visit){.now = later, .ok = true});
    fg_mind_choose(mind, now, 1, &pick);
    fg_mind_observe(mind, &(struct fg_visit){.now = now, .ok = true});
    fg_time own = world->last_visit[0];
    assert_true(own >= later && own < later + 7 * FG_DAY);
    assert_true((own - now) % (7 * FG_DAY) == 0);
    /* By an hour: it waits. */
    fg_mind_choose(mind, now - FG_HOUR, 1, &pick);
    fg_mind_choose(mind, now + FG_HOUR, 1, &pick);
    fg_mind_observe(mind, &(struct fg_visit){.now = now + FG_HOUR, .ok = true});
    assert_true(world->last_visit[0] == own + FG_HOUR);
    fg_mind_free(mind);
}

FG_TESTS(every_policy_goes_on_when_the_clock_is_set_back,
         time_is_put_forward_by_whole_weeks,
         every_policy_lives_through_it_alike_over_restarts,
         every_policy_takes_no_pages_and_one_page)
