/* lomax as it chooses: the calendar does as well as looking at all pages, pages may come
 * and go, and a restart changes nothing. */
#include "base/rng.h"
#include "base/variate.h"
#include "policy/refresh/lomax.h"
#include "refresh.h"
#include "whole.h"

extern const struct fg_policy fg_policy_lomax;

/* Pages with rates of shape 1/2 about 0.03 a day; some weigh more. */
struct trial {
    size_t pages, groups;
    double share; /* of them visited a day */
    int ticks_a_day, days;
    double exact;
    bool is_seen_first, has_limits, comes_and_goes, saves;
};

struct result {
    double fresh, touched;
    size_t missed; /* visits that were not made */
    size_t most_entries;
};

enum { MOST = 12000 };

struct page {
    double rate, weight;
    fg_time change;
};

struct run {
    const struct trial *trial;
    struct fg_mind *mind;
    struct fg_rng rng, draw;
    struct page pages[MOST];
    struct fg_pick picks[MOST];
    double weight, fresh;
};

static const struct fg_lomax *spied;

static size_t spying_select(struct fg_brain *brain, fg_time now, size_t budget,
                            struct fg_pick *out)
{
    spied = brain->self;
    return fg_policy_lomax.select(brain, now, budget, out);
}

static struct fg_mind *new_mind(double exact)
{
    static struct fg_policy spying;
    struct fg_err err;
    spying = fg_policy_lomax;
    spying.select = spying_select;
    struct fg_mind *mind = fg_mind_new(&spying, 1);
    assert_int_equal(fg_mind_set(mind, FG_STR("exact"), exact, &err), FG_OK);
    return mind;
}

static void visit(struct fg_mind *mind, size_t row, fg_time now, bool changed)
{
    fg_mind_observe(mind, &(struct fg_visit){.page = row,
                                             .now = now,
                                             .ok = true,
                                             .changed = changed,
                                             .modified = FG_NEVER,
                                             .cost = 1});
}

/* As the crawl does after a restart: groups have other numbers then. */
static struct fg_mind *copy_of(struct fg_mind *mind, double exact)
{
    struct fg_buf bytes;
    struct fg_err err;
    fg_buf_init(&bytes, 1 << 26);
    save_whole(mind, &bytes);
    struct fg_mind *copy = new_mind(exact);
    if (load_whole(copy, fg_buf_str(&bytes), &err))
        fail_msg("%s", err.text);
    fg_buf_clear(&bytes);
    const struct fg_world *world = fg_mind_world(mind);
    for (size_t row = 0; row < world->n; row++)
        fg_mind_group(copy, row, world->group[row] + 3);
    fg_mind_tick(copy, world->tick);
    fg_mind_budget(copy, world->budget);
    return copy;
}

static void reload(struct run *run)
{
    struct fg_mind *copy = copy_of(run->mind, run->trial->exact);
    fg_mind_free(run->mind);
    run->mind = copy;
}

static void check(const struct fg_mind *mind, const struct fg_pick *picks, size_t n)
{
    static uint8_t seen[MOST];
    const struct fg_world *world = fg_mind_world(mind);
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < n; i++) {
        assert_true(picks[i].page < world->n);
        assert_false(seen[picks[i].page]++);
        assert_false(world->is_blocked[picks[i].page]);
    }
}

static void stir(struct run *run, int tick, fg_time now)
{
    struct fg_mind *mind = run->mind;
    size_t n = fg_mind_world(mind)->n;
    uint64_t id = fg_rng_next(&run->draw) % n;
    if (fg_mind_row(mind, id) == FG_NO_ROW) {
        fg_mind_add(mind, id, (uint32_t)(id % 7), now);
        run->pages[id].change = FG_NEVER;
    } else if (tick % 2 == 0) {
        fg_mind_remove(mind, id);
    }
    size_t row = fg_rng_next(&run->draw) % fg_mind_world(mind)->n;
    fg_mind_block(mind, row, tick % 4 == 0);
    fg_mind_signal(mind, row, now);
}

static void set_up(struct run *run)
{
    const struct trial *trial = run->trial;
    struct fg_mind *mind = new_mind(trial->exact);
    run->mind = mind;
    run->rng = fg_rng_from_seed(9);
    run->draw = fg_rng_split(&run->rng, 1);
    fg_mind_tick(mind, FG_DAY / trial->ticks_a_day);
    fg_mind_budget(mind, (double)trial->pages * trial->share / trial->ticks_a_day);
    for (size_t i = 0; i < trial->pages; i++) {
        size_t row = fg_mind_add(mind, i, (uint32_t)(i % 7), 0);
        fg_mind_group(mind, row, (uint32_t)(i % trial->groups));
        run->pages[i] = (struct page){.rate = 0.03 * 2 * fg_rng_gamma(&run->rng, 0.5),
                                      .weight = fg_rng_exponential(&run->rng),
                                      .change = FG_NEVER};
        fg_mind_weigh(mind, row, (float)run->pages[i].weight);
        if (trial->is_seen_first)
            visit(mind, row, 0, true);
    }
}

static void visit_picks(struct run *run, fg_time now, size_t n)
{
    const struct fg_world *world = fg_mind_world(run->mind);
    for (size_t i = 0; i < n; i++) {
        size_t row = run->picks[i].page;
        fg_time change = run->pages[world->id[row]].change;
        bool is_new = world->last_visit[row] == FG_NEVER;
        visit(run->mind, row, now, is_new || change > world->last_visit[row]);
    }
}

/* What counts is the chance that a copy is fresh half a tick later: whether it really is
 * would add the noise of the changes, which is more than what is asked about here. */
static void change(struct run *run, fg_time now, bool is_judged)
{
    const struct fg_world *world = fg_mind_world(run->mind);
    for (size_t row = 0; row < world->n; row++) {
        struct page *page = &run->pages[world->id[row]];
        double days = fg_rng_exponential(&run->rng) / page->rate;
        if (days < fg_days(world->tick))
            page->change = now + (fg_time)(days * (double)FG_DAY);
        if (!is_judged)
            continue;
        run->weight += page->weight;
        if (world->last_visit[row] != FG_NEVER)
            run->fresh += page->weight *
                          exp(-page->rate *
                              fg_days(now + world->tick / 2 - world->last_visit[row]));
    }
}

static struct result result_of(const struct trial *trial)
{
    struct run *run = calloc(1, sizeof *run);
    struct result result = {0};
    double credit = 0;
    run->trial = trial;
    set_up(run);
    int ticks = trial->days * trial->ticks_a_day;
    for (int tick = 1; tick <= ticks; tick++) {
        fg_time now = tick * FG_DAY / trial->ticks_a_day;
        if (trial->comes_and_goes)
            stir(run, tick, now);
        if (trial->saves && tick % 50 == 0)
            reload(run);
        if (trial->has_limits)
            fg_mind_limit(run->mind, 3, 1);
        credit += fg_mind_world(run->mind)->budget;
        size_t n = fg_mind_choose(run->mind, now, (size_t)credit, run->picks);
        check(run->mind, run->picks, n);
        result.missed += (size_t)credit - n;
        credit -= (double)(size_t)credit;
        size_t entries = spied->queue.calendar.in_wheel + spied->queue.calendar.shelved;
        if (entries > result.most_entries)
            result.most_entries = entries;
        visit_picks(run, now, n);
        change(run, now, tick > ticks / 2);
    }
    result.fresh = run->fresh / run->weight;
    result.touched = (double)spied->queue.touched / (double)spied->queue.chosen;
    fg_mind_free(run->mind);
    free(run);
    return result;
}

static void calendar_is_as_good_as_looking_at_all(void **state)
{
    (void)state;
    size_t pages = getenv("FORAGE_LONG") ? MOST : 3000;
    struct trial trials[] = {
        {.pages = pages, .groups = 40, .share = 0.1, .ticks_a_day = 12, .days = 60},
        {.pages = pages, .groups = 1, .share = 0.02, .ticks_a_day = 4, .days = 200},
        {.pages = 6000,
         .groups = 600,
         .share = 0.1,
         .ticks_a_day = 12,
         .days = 60,
         .is_seen_first = true},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        trials[i].exact = 1;
        struct result exact = result_of(&trials[i]);
        trials[i].exact = 0;
        struct result queue = result_of(&trials[i]);
        print_message("fresh %.5f by all, %.5f by calendar, %.2f touched\n", exact.fresh,
                      queue.fresh, queue.touched);
        assert_true(queue.fresh > exact.fresh - 0.0015);
        assert_true(queue.touched < 10);
        assert_int_equal(queue.missed, 0);
        assert_true(queue.most_entries <= 2 * trials[i].pages + 4096);
    }
}

static void pages_come_and_go_under_either(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        struct trial trial = {.pages = 800,
                              .groups = 5,
                              .share = 0.3,
                              .ticks_a_day = 4,
                              .days = 300,
                              .exact = exact,
                              .has_limits = true,
                              .comes_and_goes = true};
        struct result plain = result_of(&trial);
        trial.saves = true;
        struct result saved = result_of(&trial);
        assert_true(plain.fresh > 0.85);
        /* A restart costs next to nothing. */
        assert_true(saved.fresh > plain.fresh - 0.01);
        assert_true(plain.most_entries <= 2 * 800 + 4096);
    }
}

/* --- restarts --- */

/* One of two worlds that are alike but for a restart. */
static size_t go_on(struct fg_mind *mind, int tick, struct fg_pick *picks)
{
    const struct fg_world *world = fg_mind_world(mind);
    fg_time now = tick * 2 * FG_HOUR;
    fg_mind_limit(mind, 3, 1);
    size_t n = fg_mind_choose(mind, now, 12, picks);
    for (size_t i = 0; i < n; i++) {
        uint64_t id = world->id[picks[i].page];
        fg_mind_observe(
            mind,
            &(struct fg_visit){.page = picks[i].page,
                               .now = now,
                               .ok = (id + (uint64_t)tick) % 11 != 0,
                               .changed = (id * 7 + (uint64_t)tick) % (3 + id % 17) == 0,
                               .modified = FG_NEVER,
                               .cost = 1 + (float)(id % 3)});
    }
    fg_mind_signal(mind, (size_t)tick * 13 % world->n, now);
    return n;
}

static struct fg_mind *watched(double exact, bool is_told)
{
    struct fg_mind *mind = new_mind(exact);
    struct fg_pick picks[12];
    fg_mind_tick(mind, 2 * FG_HOUR);
    fg_mind_budget(mind, 12);
    for (uint64_t id = 0; id < 600; id++) {
        fg_mind_add(mind, id, (uint32_t)(id % 5), 0);
        fg_mind_group(mind, id, (uint32_t)(id % 9));
        fg_mind_weigh(mind, id, 1 + (float)(id * 37 % 50));
        if (is_told)
            fg_mind_tell(mind, id, FG_TOLD_CHANGES_MODEL, 0.01F * (float)(1 + id % 40));
        visit(mind, id, 1, true);
    }
    for (int tick = 1; tick < 400; tick++)
        go_on(mind, tick, picks);
    return mind;
}

static void stay_alike(struct fg_mind *mind, struct fg_mind *copy, int ticks)
{
    struct fg_pick picks[12], again[12];
    for (int tick = 400; tick < 400 + ticks; tick++) {
        size_t n = go_on(mind, tick, picks);
        assert_int_equal(go_on(copy, tick, again), n);
        for (size_t i = 0; i < n; i++) {
            if (picks[i].page != again[i].page)
                fail_msg("tick %d: %zu, and %zu after a restart", tick, picks[i].page,
                         again[i].page);
            assert_near((double)picks[i].score, (double)again[i].score, 0);
        }
    }
}

static void a_restart_changes_nothing(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        struct fg_mind *mind = watched(exact, false), *copy = copy_of(mind, exact);
        stay_alike(mind, copy, 300);
        fg_mind_free(mind);
        fg_mind_free(copy);
    }
}

/* Between a load and the first choice the crawl adds pages that it found since, removes
 * some, and repeats visits that were not saved. */
static void nor_do_pages_that_came_or_went_since(void **state)
{
    (void)state;
    struct fg_mind *mind = watched(1, false), *copy = copy_of(mind, 1);
    struct fg_mind *both[] = {mind, copy};
    for (int i = 0; i < 2; i++) {
        fg_mind_remove(both[i], 599); /* the last: its row goes to the next one */
        for (uint64_t id = 600; id < 900; id++) {
            size_t row = fg_mind_add(both[i], id, (uint32_t)(id % 5), 399 * FG_HOUR);
            fg_mind_group(both[i], row, (uint32_t)(id % 9) + (i ? 3 : 0));
        }
        fg_mind_remove(both[i], 5); /* a new page takes the row */
    }
    stay_alike(mind, copy, 300);
    fg_mind_free(mind);
    fg_mind_free(copy);
}

/* With the calendar it depends on who was put there first which of many new pages, all
 * worth the same, is taken; but all are, before others. */
static void new_pages_are_found_after_a_restart(void **state)
{
    (void)state;
    struct fg_mind *mind = watched(0, false), *copy = copy_of(mind, 0);
    struct fg_pick picks[12];
    for (uint64_t id = 600; id < 900; id++)
        fg_mind_weigh(copy, fg_mind_add(copy, id, 0, 399 * FG_HOUR), 25);
    for (int tick = 400; tick < 440; tick++)
        go_on(copy, tick, picks);
    const struct fg_world *world = fg_mind_world(copy);
    for (size_t row = 600; row < 900; row++)
        assert_true(world->last_try[row] != FG_NEVER);
    fg_mind_free(mind);
    fg_mind_free(copy);
}

/* A visit or a signal that comes before the first choice moves the page as any other. */
static void calendar_hears_what_came_before_it_woke(void **state)
{
    (void)state;
    struct fg_mind *mind = watched(0, false), *copy = copy_of(mind, 0);
    struct fg_pick picks[12];
    const struct fg_world *world = fg_mind_world(copy);
    size_t quiet = 0; /* visited just now, and where there is no limit: so due late */
    for (size_t row = 0; row < world->n; row++)
        if (world->site[row] != 3 && world->last_visit[row] > world->last_visit[quiet])
            quiet = row;
    fg_mind_weigh(copy, quiet, 1e7F);
    fg_mind_signal(copy, quiet, 399 * 2 * FG_HOUR);
    bool is_picked = false;
    for (size_t i = 0, n = go_on(copy, 400, picks); i < n; i++)
        is_picked |= picks[i].page == quiet;
    assert_true(is_picked);
    fg_mind_free(mind);
    fg_mind_free(copy);
}

/* A state that is saved before anybody has chosen from it is what was loaded. */
static void a_state_may_be_saved_at_once(void **state)
{
    (void)state;
    struct fg_mind *mind = watched(1, false), *once = copy_of(mind, 1);
    for (uint64_t id = 600; id < 900; id++) {
        fg_mind_add(mind, id, 0, 0);
        fg_mind_group(once, fg_mind_add(once, id, 0, 0), 3);
    }
    struct fg_mind *twice = copy_of(once, 1);
    stay_alike(mind, twice, 50);
    fg_mind_free(mind);
    fg_mind_free(once);
    fg_mind_free(twice);
}

/* Rates are told anew after a start, and that may take a while. What was told before a
 * page's first visit is remembered. */
static void told_rates_may_come_late(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        struct fg_mind *mind = watched(exact, true), *copy = copy_of(mind, exact);
        stay_alike(mind, copy, 100);
        struct fg_reason before, after;
        for (int i = 0; i < 2; i++) {
            struct fg_mind *either = i ? copy : mind;
            size_t row = fg_mind_add(either, 1000, 0, 0);
            fg_mind_tell(either, row, FG_TOLD_CHANGES_MODEL, 0.5F);
            assert_true(fg_mind_explain(either, 50 * FG_DAY, row, i ? &after : &before));
        }
        assert_near(before.score, after.score, 0);
        fg_mind_free(mind);
        fg_mind_free(copy);
    }
}

/* A page never visited that is told to change hardly ever is worth more than others. */
static void calendar_hears_of_told_rates(void **state)
{
    (void)state;
    struct fg_mind *mind = new_mind(0);
    struct fg_pick picks[12];
    fg_mind_tick(mind, 2 * FG_HOUR);
    fg_mind_budget(mind, 12);
    add_pages(mind, 600);
    for (int tick = 1; tick < 12; tick++)
        go_on(mind, tick, picks);
    const struct fg_world *world = fg_mind_world(mind);
    size_t slow = 0; /* ten that were not visited yet */
    for (size_t row = 0; row < 600; row++) {
        bool is_slow = world->last_try[row] == FG_NEVER && slow++ < 10;
        fg_mind_tell(mind, row, FG_TOLD_CHANGES_MODEL, is_slow ? 0.001F : 1);
    }
    size_t picked = 0;
    for (int tick = 12; tick < 18; tick++)
        for (size_t i = 0, n = go_on(mind, tick, picks); i < n; i++)
            picked += world->told[FG_TOLD_CHANGES_MODEL][picks[i].page] < 0.01F;
    assert_true(picked >= 10);
    fg_mind_free(mind);
}

FG_TESTS(calendar_is_as_good_as_looking_at_all, pages_come_and_go_under_either,
         a_restart_changes_nothing, nor_do_pages_that_came_or_went_since,
         new_pages_are_found_after_a_restart, calendar_hears_what_came_before_it_woke,
         a_state_may_be_saved_at_once, told_rates_may_come_late,
         calendar_hears_of_told_rates)
