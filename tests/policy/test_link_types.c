/* Types of links: the table of sets, and the policy against an account of its own made
 * here, with the best set found by trying all. */
#include "base/rng.h"
#include "policy/discovery/exposure_model.h"
#include "policy/discovery/type_table.h"
#include "policy/mind.h"
#include "test.h"
#include "whole.h"

extern const struct fg_policy fg_policy_link_types;

#define START (4 * FG_DAY) /* a Monday */

static struct fg_brain *brain;
static struct fg_policy spied;

static void spy(struct fg_brain *of)
{
    brain = of;
    fg_policy_link_types.init(of);
}

struct setting {
    const char *name;
    double value;
};

static struct fg_mind *mind_with(size_t pages, const struct setting *settings)
{
    struct fg_err err;
    spied = fg_policy_link_types;
    spied.init = spy;
    struct fg_mind *mind = fg_mind_new(&spied, 3);
    for (; settings && settings->name; settings++)
        assert_int_equal(
            fg_mind_set(mind, fg_str_from(settings->name), settings->value, &err), FG_OK);
    for (uint64_t id = 0; id < pages; id++)
        fg_mind_add(mind, id, 0, START);
    return mind;
}

static void look(struct fg_mind *mind, size_t page, double hour, const uint64_t *links,
                 size_t n, size_t n_first)
{
    static const uint64_t always = UINT64_MAX;
    fg_mind_observe(mind, &(struct fg_visit){.page = page,
                                             .now = START + (fg_time)(hour * 3600e6),
                                             .ok = true,
                                             .complete = true,
                                             .changed = n > 0,
                                             .seen = n ? links : &always,
                                             .n_seen = n ? n : 1,
                                             .added = links,
                                             .n_added = n,
                                             .fresh = links,
                                             .n_fresh = n_first,
                                             .n_first = n_first});
}

/* --- the table --- */

static void a_set_is_one_type_however_it_came_about(void **state)
{
    (void)state;
    struct fg_type_table table = {.slow = 168, .fast = 24};
    for (uint32_t row = 0; row < 5; row++)
        assert_int_equal(fg_types_open(&table, row), row);
    uint32_t a = fg_types_single(&table, 1), b = fg_types_single(&table, 4);
    assert_int_equal(fg_types_single(&table, 1), a);
    uint32_t both = fg_types_with(&table, a, 4);
    assert_int_equal(fg_types_with(&table, b, 1), both);
    assert_true(fg_types_has(&table, both, 1) && fg_types_has(&table, both, 4));
    assert_false(fg_types_has(&table, both, 2) || fg_types_has(&table, a, 4));
    assert_int_equal(table.types.at[both].n, 2);
    fg_types_clear(&table);
}

static void weights_fade_by_half_lives_and_survive_a_new_origin(void **state)
{
    (void)state;
    struct fg_link_memory links = {0};
    struct fg_type_table table = {.slow = 168, .fast = 24, .origin = 1000};
    uint32_t type = fg_types_single(&table, fg_types_open(&table, 0));
    fg_types_credit(&table, type, 1000, 1);
    fg_types_credit(&table, type, 1168, 1);
    const struct fg_link_type *t = &table.types.at[type];
    /* at hour 1336: 1/4 and 1/2; 2^-14 and 2^-7 */
    assert_near(t->slow * fg_types_slow_factor(&table, 1336), 0.75, 1e-12);
    assert_near(t->fast * fg_types_fast_factor(&table, 1336), 0x1p-14 + 0x1p-7, 1e-12);
    fg_types_tidy(&table, 1336, &links);
    assert_near(table.origin, 1336, 0);
    assert_near(t->slow * fg_types_slow_factor(&table, 1336), 0.75, 1e-12);
    fg_types_credit(&table, type, 1000, -1);
    assert_near(t->slow, 0.5, 1e-12);
    assert_int_equal(t->links, 1);
    fg_types_clear(&table);
}

static void a_set_without_a_source_joins_the_smaller_set(void **state)
{
    (void)state;
    bool made;
    struct fg_type_table table = {.slow = 168, .fast = 24};
    for (uint32_t row = 0; row < 3; row++)
        fg_types_open(&table, row);
    uint32_t zero = fg_types_single(&table, 0), pair = fg_types_with(&table, zero, 1);
    uint32_t all = fg_types_with(&table, pair, 2);
    fg_types_credit(&table, zero, 0, 1);
    fg_types_credit(&table, pair, 0, 1);
    fg_types_credit(&table, all, 0, 1);
    assert_int_equal(fg_types_without(&table, pair, 1, &made), zero);
    assert_false(made);
    uint32_t other = fg_types_without(&table, all, 1, &made); /* {0, 2} */
    assert_true(made && fg_types_has(&table, other, 2) && table.types.at[other].n == 2);
    assert_int_equal(table.types.at[zero].links, 2);
    assert_near(table.types.at[zero].slow, 2, 1e-12);
    assert_int_equal(fg_types_now(&table, pair), zero);
    assert_int_equal(fg_types_without(&table, zero, 0, &made), FG_NO_TYPE);
    assert_int_equal(fg_types_now(&table, pair), FG_NO_TYPE);
    fg_types_clear(&table);
}

static void a_sweep_drops_types_without_links_and_renumbers_the_others(void **state)
{
    (void)state;
    enum { SOURCES = 600 };
    struct fg_link_memory links = {0};
    struct fg_type_table table = {.slow = 168, .fast = 24};
    for (uint32_t row = 0; row < SOURCES; row++) {
        uint32_t type = fg_types_single(&table, fg_types_open(&table, row));
        if (row % 3 == 0) {
            fg_link_memory_add(&links, row, 0)->type = type;
            fg_types_credit(&table, type, 0, 1);
        }
    }
    fg_types_tidy(&table, 1, &links);
    assert_int_equal(table.types.len, SOURCES / 3);
    for (uint32_t row = 0; row < SOURCES; row += 3) {
        uint32_t type = fg_link_memory_find(&links, row)->type;
        assert_true(fg_types_has(&table, type, row) && table.types.at[type].n == 1);
        assert_int_equal(table.slots.at[row].types.len, 1);
        assert_int_equal(table.slots.at[row].types.at[0], type);
    }
    assert_int_equal(table.slots.at[1].types.len, 0);
    fg_types_clear(&table);
    fg_link_memory_clear(&links);
}

static void sets_and_types_have_a_maximum(void **state)
{
    (void)state;
    struct fg_type_table table = {.slow = 168, .fast = 24};
    for (uint32_t row = 0; row < 300; row++)
        fg_types_open(&table, row);
    uint32_t type = fg_types_single(&table, 0);
    for (uint32_t slot = 1; slot < 300; slot++)
        type = fg_types_with(&table, type, slot);
    assert_int_equal(table.types.at[type].n, FG_TYPE_MEMBERS);
    for (uint32_t a = 0; a < 300; a++)
        for (uint32_t b = 0; b < 300; b++)
            if (a != b)
                fg_types_with(&table, fg_types_single(&table, a), b);
    assert_true(table.types.len <= FG_TYPES_MAX + 300);
    fg_types_clear(&table);
}

/* --- the policy --- */

/* Flat time, no bursts, hardly any hidden links: scores are sums of types' values. */
static const struct setting plain[] = {
    {"day-gap", 0}, {"burst-prior", 1e9}, {"a0", 1e-3}, {"least-rate", 1e-9}, {NULL, 0}};

/* One type of rate r on the pages 0 and 1, another on page 2. After the first of the
 * twins the other is worth nothing. */
static void the_second_of_two_twins_is_worth_nothing(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_with(3, plain);
    for (size_t page = 0; page < 3; page++)
        look(mind, page, 0, NULL, 0, 0);
    look(mind, 0, 1, (uint64_t[]){1, 2, 3, 4, 5, 6}, 6, 6);
    look(mind, 1, 1, (uint64_t[]){1, 2, 3, 4, 5, 6}, 6, 0);
    look(mind, 2, 1, (uint64_t[]){7, 8, 9}, 3, 3);
    struct fg_pick picks[3];
    fg_mind_choose(mind, START + 3 * FG_HOUR, 3, picks);
    assert_int_equal(picks[0].page, 0);
    assert_int_equal(picks[1].page, 2);
    assert_int_equal(picks[2].page, 1);
    /* The clock of the model began with the first look, so Z = 3 phi-hours, each faded to
     * the hour it ended in; two hours unseen, of the 72 (and a little) retained. */
    double half = exp2(-1 / 168.0), slow = 1 + half + half * half;
    double fast_half = exp2(-1 / 24.0), fast = 1 + fast_half + fast_half * fast_half;
    double rate = 0.7 * 6 * half * half / slow + 0.3 * 6 * fast_half * fast_half / fast;
    double retained = (double)brain->f32[FG_EXPO_RETAINED][0];
    double value = rate * 2 * (1 + 0.2 * 2 / 2 + 24 * 2 / retained);
    assert_near(picks[0].score, value, 0.01);
    assert_near(picks[1].score, value / 2, 0.01);
    assert_near(picks[2].score, 0, 0.01);
    assert_true(picks[2].explored && !picks[0].explored);
    fg_mind_free(mind);
}

/* Random webs of eight pages, whose links each stay on a random set of pages. What was
 * seen where is noted here, and values are computed from that. */
enum { PAGES = 8, LINKS = 120, LOOKS = 160, HOURS = 300, PICKS = 3 };

struct web {
    unsigned mask[LINKS]; /* pages it is on */
    double appears[LINKS];
    unsigned seen_on[LINKS];
    double found[LINKS]; /* -1: never; a link of a first visit: -2 */
    double tau[PAGES];
    double value[1 << PAGES]; /* by set of pages: of the links that have that set */
};

static void look_around(struct web *web, struct fg_mind *mind, size_t page, double hour)
{
    uint64_t links[LINKS], known[LINKS];
    size_t n = 0, n_known = 0;
    bool is_first = web->tau[page] < 0;
    for (size_t v = 0; v < LINKS; v++) {
        if (!(web->mask[v] >> page & 1) || web->appears[v] > hour ||
            (web->seen_on[v] >> page & 1))
            continue;
        if (!web->seen_on[v]) {
            web->found[v] = is_first ? -2 : hour;
            links[n++] = v + 1;
        } else {
            known[n_known++] = v + 1;
        }
        web->seen_on[v] |= 1U << page;
    }
    memcpy(links + n, known, n_known * sizeof *known);
    look(mind, page, hour, links, n + n_known, n);
    web->tau[page] = hour;
}

static void value_sets(struct web *web, double now)
{
    double slow[1 << PAGES] = {0}, fast[1 << PAGES] = {0}, z = 0, fast_z = 0;
    for (size_t v = 0; v < LINKS; v++)
        if (web->found[v] >= 0) {
            slow[web->seen_on[v]] += exp2((web->found[v] - now) / 168);
            fast[web->seen_on[v]] += exp2((web->found[v] - now) / 24);
        }
    for (double ago = 0; ago < now; ago++) {
        z += exp2(-ago / 168);
        fast_z += exp2(-ago / 24);
    }
    for (unsigned set = 1; set < 1U << PAGES; set++) {
        double rate = 0.7 * slow[set] / z + 0.3 * fast[set] / fast_z, last = 0, stay = 0;
        for (size_t page = 0; page < PAGES; page++)
            if (set >> page & 1) {
                last = fmax(last, web->tau[page]);
                stay = fmax(stay, (double)brain->f32[FG_EXPO_RETAINED][page]);
            }
        double seen = now - last;
        web->value[set] = slow[set] < 0.3
                              ? 0
                              : rate * fmin(seen, stay) *
                                    (1 + 0.2 * seen / 2 + 24 * fmin(1, seen / stay));
    }
}

static double worth(const struct web *web, unsigned chosen)
{
    double sum = 0;
    for (unsigned set = 1; set < 1U << PAGES; set++)
        sum += set & chosen ? web->value[set] : 0;
    return sum;
}

static double best_worth(const struct web *web)
{
    double best = 0;
    for (unsigned chosen = 0; chosen < 1U << PAGES; chosen++)
        if (__builtin_popcount(chosen) == PICKS)
            best = fmax(best, worth(web, chosen));
    return best;
}

static void make_web(struct web *web, struct fg_rng *rng)
{
    *web = (struct web){0};
    for (size_t v = 0; v < LINKS; v++) {
        web->mask[v] = 1U << fg_rng_below(rng, PAGES);
        while (fg_rng_unit(rng) < 0.5)
            web->mask[v] |= 1U << fg_rng_below(rng, PAGES);
        web->mask[v] = v % 3 ? web->mask[v] : 0x0fU; /* some sets have many links */
        web->appears[v] = fg_rng_unit(rng) * HOURS;
        web->found[v] = -1;
    }
    for (size_t page = 0; page < PAGES; page++)
        web->tau[page] = -1;
}

static void greedy_takes_the_best_source_each_time_and_comes_near_the_best_set(
    void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(8);
    for (int round = 0; round < 20; round++) {
        struct web web;
        struct fg_mind *mind = mind_with(PAGES, plain);
        make_web(&web, &rng);
        for (size_t page = 0; page < PAGES; page++)
            look_around(&web, mind, page, 0);
        for (int i = 1; i < LOOKS; i++)
            look_around(&web, mind, fg_rng_below(&rng, PAGES), i * HOURS / LOOKS);
        struct fg_pick picks[PICKS];
        assert_int_equal(
            fg_mind_choose(mind, START + (HOURS + 5) * FG_HOUR, PICKS, picks), PICKS);
        value_sets(&web, HOURS + 5);
        unsigned chosen = 0;
        double total = 0;
        for (size_t i = 0; i < PICKS; i++) {
            double before = worth(&web, chosen);
            for (size_t page = 0; page < PAGES; page++)
                assert_true(worth(&web, chosen | 1U << page) - before <=
                            (double)picks[i].score + 0.02);
            chosen |= 1U << picks[i].page;
            assert_near(picks[i].score, worth(&web, chosen) - before, 0.02);
            total += (double)picks[i].score;
        }
        assert_true(total + 0.1 >= (1 - exp(-1)) * best_worth(&web));
        fg_mind_free(mind);
    }
}

static void failed_visits_change_nothing(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_with(2, NULL);
    for (size_t page = 0; page < 2; page++)
        look(mind, page, 0, NULL, 0, 0);
    look(mind, 0, 1, (uint64_t[]){1, 2, 3}, 3, 3);
    struct fg_reason before, after;
    fg_mind_explain(mind, START + 5 * FG_HOUR, 0, &before);
    assert_near(before.observations, 3 * exp2(-4 / 168.0), 1e-9);
    fg_mind_observe(mind, &(struct fg_visit){.page = 0, .now = START + 2 * FG_HOUR});
    fg_mind_explain(mind, START + 5 * FG_HOUR, 0, &after);
    assert_memory_equal(&before, &after, sizeof before);
    fg_mind_free(mind);
}

static double finds_of(struct fg_mind *mind, uint64_t id, fg_time now)
{
    struct fg_reason reason;
    assert_true(fg_mind_explain(mind, now, fg_mind_row(mind, id), &reason));
    assert_true(isfinite(reason.score) && isfinite(reason.high));
    return reason.observations;
}

/* Pages 0 and 1 share three links, page 2 has one. When page 0 goes, row 2 becomes row 0;
 * page 1 keeps the links, and a page that comes in its place has none of them. */
static void a_source_that_leaves_takes_nothing_with_it(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_with(3, NULL);
    for (size_t page = 0; page < 3; page++)
        look(mind, page, 0, NULL, 0, 0);
    look(mind, 0, 1, (uint64_t[]){1, 2, 3}, 3, 3);
    look(mind, 1, 1, (uint64_t[]){1, 2, 3}, 3, 0);
    look(mind, 2, 1, (uint64_t[]){4}, 1, 1);
    fg_time now = START + FG_HOUR;
    struct fg_pick picks[3];
    fg_mind_choose(mind, now, 3, picks);
    fg_mind_remove(mind, 0);
    assert_near(finds_of(mind, 1, now), 3, 1e-12);
    assert_near(finds_of(mind, 2, now), 1, 1e-12);
    fg_mind_add(mind, 9, 0, now);
    assert_near(finds_of(mind, 9, now), 0, 0);
    look(mind, fg_mind_row(mind, 2), 2, (uint64_t[]){1}, 1, 0);
    assert_near(finds_of(mind, 2, now), 2, 1e-12);
    fg_mind_remove(mind, 1);
    fg_mind_remove(mind, 2);
    assert_near(finds_of(mind, 9, now), 0, 0);
    assert_int_equal(fg_mind_choose(mind, now + FG_HOUR, 3, picks), 1);
    fg_mind_free(mind);
}

/* A small live web of many shared links: visits, pages that leave. */
static void live(struct fg_mind *mind, struct fg_rng *rng, int from, int to,
                 uint32_t *picked)
{
    for (int tick = from; tick < to; tick++) {
        struct fg_pick picks[4];
        size_t n = fg_mind_choose(mind, START + tick * FG_HOUR, 4, picks);
        for (size_t i = 0; i < n; i++) {
            uint64_t base = (uint64_t)tick * 100, links[6];
            for (size_t v = 0; v < 6; v++)
                links[v] = base + fg_rng_below(rng, 20);
            picked[(tick - from) * 4 + (int)i] = picks[i].page;
            look(mind, picks[i].page, tick, links, 6, i ? 2 : 6);
        }
    }
}

static void what_was_saved_goes_on_as_if_nothing_had_been(void **state)
{
    (void)state;
    struct fg_err err;
    struct fg_buf bytes;
    uint32_t a[400] = {0}, b[400] = {0};
    struct fg_mind *mind = mind_with(30, NULL);
    struct fg_rng rng = fg_rng_from_seed(1);
    live(mind, &rng, 0, 100, a);
    for (uint64_t id = 3; id < 30; id += 7)
        fg_mind_remove(mind, id);
    fg_buf_init(&bytes, (size_t)1 << 26);
    save_whole(mind, &bytes);
    struct fg_mind *copy = fg_mind_new(&fg_policy_link_types, 3);
    assert_int_equal(load_whole(copy, fg_buf_str(&bytes), &err), FG_OK);
    struct fg_rng same = rng;
    live(mind, &rng, 100, 200, a);
    live(copy, &same, 100, 200, b);
    assert_memory_equal(a, b, sizeof a);
    fg_buf_clear(&bytes);
    fg_mind_free(mind);
    fg_mind_free(copy);
}

/* A policy whose own part of the state is cut short starts over, and lives. */
static void save_half(struct fg_brain *of, struct fg_buf *out)
{
    fg_policy_link_types.save(of, out);
    out->len /= 2;
}

static void what_cannot_be_read_is_begun_anew(void **state)
{
    (void)state;
    struct fg_err err;
    struct fg_buf bytes;
    uint32_t picked[400] = {0};
    struct fg_mind *mind = mind_with(30, NULL);
    struct fg_rng rng = fg_rng_from_seed(1);
    live(mind, &rng, 0, 100, picked);
    fg_buf_init(&bytes, (size_t)1 << 26);
    spied.save = save_half;
    save_whole(mind, &bytes);
    struct fg_mind *copy = fg_mind_new(&fg_policy_link_types, 3);
    assert_int_equal(load_whole(copy, fg_buf_str(&bytes), &err), FG_EINPUT);
    live(copy, &rng, 100, 200, picked);
    fg_buf_clear(&bytes);
    fg_mind_free(mind);
    fg_mind_free(copy);
}

static void ten_years_of_links_leave_a_bounded_memory(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_with(4, NULL);
    size_t busy = 0;
    int hours = 10 * 365 * 24;
    for (int hour = 0; hour < hours; hour++) {
        struct fg_pick pick;
        uint64_t links[] = {(uint64_t)hour * 2 + 10, (uint64_t)hour * 2 + 9,
                            (uint64_t)hour * 2 + 8};
        assert_int_equal(fg_mind_choose(mind, START + hour * FG_HOUR, 1, &pick), 1);
        assert_true(isfinite(pick.score));
        bool is_busy = pick.page < 2;
        look(mind, pick.page, hour, links, is_busy ? 3 : 0, is_busy ? 2 : 0);
        busy += is_busy;
    }
    assert_true(busy > (size_t)hours / 2);
    struct fg_buf bytes;
    fg_buf_init(&bytes, (size_t)1 << 26);
    save_whole(mind, &bytes);
    assert_in_range(bytes.len, 1,
                    100000); /* 672 hours of 2 links of 24 bytes, and pages */
    fg_buf_clear(&bytes);
    fg_mind_free(mind);
}

/* Every page shows links of its own, of its neighbours and of the whole site. */
static void ten_thousand_sources_stay_bounded(void **state)
{
    (void)state;
    enum { SOURCES = 10000, BUDGET = 1000, TICKS = 30 };
    struct fg_mind *mind = mind_with(SOURCES, NULL);
    struct fg_pick *picks = calloc(BUDGET, sizeof *picks);
    struct fg_buf bytes;
    for (int tick = 0; tick < TICKS; tick++) {
        size_t n = fg_mind_choose(mind, START + tick * FG_HOUR, BUDGET, picks);
        assert_int_equal(n, BUDGET);
        for (size_t i = 0; i < n; i++) {
            uint64_t at = (uint64_t)tick << 32, page = picks[i].page;
            uint64_t links[] = {at + page + 100, at + page / 20 + 50000, at + page % 40};
            look(mind, page, tick, links, 3, i < 40 ? 3 : i % 20 ? 1 : 2);
        }
    }
    fg_buf_init(&bytes, (size_t)1 << 28);
    save_whole(mind, &bytes);
    assert_false(bytes.full);
    assert_in_range(bytes.len, 1, (size_t)40 << 20);
    fg_buf_clear(&bytes);
    free(picks);
    fg_mind_free(mind);
}

/* Weights are relative to an origin that is 0 at first, and hours count from 1970. */
static void weights_are_finite_whatever_the_clock_says(void **state)
{
    (void)state;
    static const double hours[] = {498000, 498001, 1, 900000};
    struct fg_type_table table = {.slow = 168, .fast = 24};
    struct fg_link_memory links = {0};
    uint32_t slot = fg_types_open(&table, 0);
    uint32_t type = fg_types_single(&table, slot);
    for (size_t i = 0; i < sizeof hours / sizeof *hours; i++) {
        fg_types_credit(&table, type, hours[i], 1);
        fg_types_tidy(&table, hours[i], &links);
        assert_true(
            isfinite(table.types.at[type].slow * fg_types_slow_factor(&table, hours[i])));
        assert_true(
            isfinite(table.types.at[type].fast * fg_types_fast_factor(&table, hours[i])));
    }
    fg_types_clear(&table);
}

/* --- the price of a look --- */

/* Two days of two sources, one with a new link each quarter of an hour and one with none,
 * in ticks of two minutes; how often each was looked at on the second day. */
static void count_looks(double floor, unsigned looks[2])
{
    struct fg_mind *mind = mind_with(2, NULL);
    uint64_t next = 100, shown = 0;
    looks[0] = looks[1] = 0;
    fg_mind_floor(mind, floor);
    look(mind, 0, 0, NULL, 0, 0);
    look(mind, 1, 0, NULL, 0, 0);
    for (int tick = 1; tick < 48 * 30; tick++) {
        double hour = tick / 30.0;
        struct fg_pick picks[2];
        size_t n = fg_mind_choose(mind, START + (fg_time)(hour * 3600e6), 2, picks);
        for (size_t i = 0; i < n; i++) {
            uint64_t links[16], due = (uint64_t)(hour * 4);
            size_t fresh = 0;
            for (; picks[i].page == 0 && shown < due && fresh < 16; shown++)
                links[fresh++] = next++;
            look(mind, picks[i].page, hour, links, fresh, fresh);
            looks[picks[i].page] += hour >= 24;
        }
    }
    fg_mind_free(mind);
}

static void a_look_is_made_when_what_waits_is_worth_its_price(void **state)
{
    (void)state;
    unsigned free[2], looks[2], dearer[2];
    count_looks(0, free);
    assert_int_equal(free[0], 720);
    assert_int_equal(free[1], 720);
    /* sqrt(2 * 0.08 / 4) hours are twelve minutes: 120 looks a day, less for whole ticks.
     */
    count_looks(0.08, looks);
    assert_in_range(looks[0], 90, 135);
    assert_in_range(looks[1], 3, 12);
    /* A price four times as high halves them. */
    count_looks(0.32, dearer);
    assert_in_range(dearer[0], looks[0] * 4 / 10, looks[0] * 6 / 10);
}

FG_TESTS(a_look_is_made_when_what_waits_is_worth_its_price,
         weights_are_finite_whatever_the_clock_says,
         a_set_is_one_type_however_it_came_about,
         weights_fade_by_half_lives_and_survive_a_new_origin,
         a_set_without_a_source_joins_the_smaller_set,
         a_sweep_drops_types_without_links_and_renumbers_the_others,
         sets_and_types_have_a_maximum, the_second_of_two_twins_is_worth_nothing,
         greedy_takes_the_best_source_each_time_and_comes_near_the_best_set,
         failed_visits_change_nothing, a_source_that_leaves_takes_nothing_with_it,
         what_was_saved_goes_on_as_if_nothing_had_been, what_cannot_be_read_is_begun_anew,
         ten_years_of_links_leave_a_bounded_memory, ten_thousand_sources_stay_bounded)
