/* lomax in worlds that nobody tuned it for: with one page, without changes, with nothing
 * but changes, without weights, with more visits than pages, with ticks that come when
 * they like. It must never do much worse than to visit pages at random. */
#include "base/rng.h"
#include "refresh.h"

enum { MOST = 240, TICKS = 600, WARM_UP = 200 };

/* Chance that page i changes in the step that ends at a tick of `days`. */
typedef double chance_of(size_t page, int tick, double days);
typedef float weight_of(size_t page);

struct oddity {
    const char *name;
    size_t pages, budget;
    chance_of *chance;
    weight_of *weight;                           /* NULL: 1 */
    bool is_irregular, comes_late, fails, cries; /* cries: signals that tell nothing */
};

/* --- how pages may change --- */

static double never(size_t page, int tick, double days)
{
    (void)page, (void)tick, (void)days;
    return 0;
}

static double always(size_t page, int tick, double days)
{
    (void)page, (void)tick, (void)days;
    return 1;
}

static double alike(size_t page, int tick, double days)
{
    (void)page, (void)tick;
    return -expm1(-0.05 * days);
}

static double spread(size_t page, int tick, double days)
{
    (void)tick;
    return -expm1(-0.0005 * exp((double)(page % 12)) * days);
}

/* Half of them all the time, half never. */
static double torn(size_t page, int tick, double days)
{
    (void)tick, (void)days;
    return page % 2 ? 1 : 0;
}

/* All the time up to some day, and from then on never: what is given up must be tried
 * again one day. */
static double tamed(size_t page, int tick, double days)
{
    (void)days;
    return tick < WARM_UP / 2 && page % 2 ? 1 : -expm1(-0.02 * days);
}

/* All at once, every forty ticks. */
static double in_step(size_t page, int tick, double days)
{
    (void)page, (void)days;
    return tick % 40 == 0;
}

static double by_clock(size_t page, int tick, double days)
{
    (void)days;
    return tick % (20 + (int)page % 30) == 0;
}

/* --- what they may weigh --- */

static float nothing(size_t page)
{
    (void)page;
    return 0;
}

static float often_nothing(size_t page)
{
    return page % 3 ? 0 : 1;
}

static float tiny(size_t page)
{
    return 1e-9F * (float)(1 + page % 5);
}

static float huge(size_t page)
{
    return page % 50 ? 1 : 1e12F;
}

/* --- a run --- */

struct outcome {
    double fresh, weighted, oldest; /* oldest: longest without a visit, in the end */
    size_t visits;
};

struct world {
    struct fg_rng rng, draw;
    bool is_stale[MOST];
    fg_time added[MOST];
};

static void go_by(struct world *world, struct fg_mind *mind, const struct oddity *odd,
                  int tick, fg_time now, fg_time before)
{
    for (size_t i = 0; i < odd->pages; i++) {
        bool changes =
            fg_rng_unit(&world->rng) < odd->chance(i, tick, fg_days(now - before));
        world->is_stale[i] |= changes;
        bool is_late = odd->comes_late && i % 2;
        if (tick == (is_late ? 1 + (int)i : 1)) {
            size_t row = fg_mind_add(mind, i, (uint32_t)(i % 3), now);
            fg_mind_weigh(mind, row, odd->weight ? odd->weight(i) : 1);
            world->added[i] = now;
        }
        size_t row = fg_mind_row(mind, i);
        if (odd->cries && row != FG_NO_ROW && fg_rng_unit(&world->rng) < 0.3)
            fg_mind_signal(mind, row, now);
    }
}

static size_t visit_all(struct world *world, struct fg_mind *mind,
                        const struct oddity *odd, fg_time now)
{
    struct fg_pick picks[MOST + 1];
    size_t n = fg_mind_choose(mind, now, odd->budget, picks);
    for (size_t i = 0; i < n; i++) {
        uint64_t id = fg_mind_world(mind)->id[picks[i].page];
        bool is_ok = !odd->fails || fg_rng_unit(&world->draw) > 0.3;
        fg_mind_observe(mind, &(struct fg_visit){.page = picks[i].page,
                                                 .now = now,
                                                 .ok = is_ok,
                                                 .changed = is_ok && world->is_stale[id],
                                                 .modified = FG_NEVER,
                                                 .cost = 1});
        world->is_stale[id] &= !is_ok;
    }
    return n;
}

/* Right after the visits, so that something is fresh where all changes all the time. */
static void judge(struct outcome *sum, const struct world *world,
                  const struct oddity *odd)
{
    double fresh = 0, weighted = 0, weight = 0, pages = 0;
    for (size_t i = 0; i < odd->pages; i++) {
        double each = odd->weight ? (double)odd->weight(i) : 1;
        bool is_there = world->added[i] > 0;
        pages += is_there;
        fresh += is_there && !world->is_stale[i];
        weight += each * is_there;
        weighted += each * (is_there && !world->is_stale[i]);
    }
    sum->fresh += fresh / pages / (TICKS - WARM_UP);
    sum->weighted += weight > 0 ? weighted / weight / (TICKS - WARM_UP) : 0;
}

static struct outcome outcome_of(const struct oddity *odd, const char *policy,
                                 const struct knob *knobs)
{
    struct world world = {.rng = fg_rng_from_seed(3), .draw = fg_rng_from_seed(4)};
    struct outcome sum = {0};
    struct fg_mind *mind = mind_of(policy, knobs, 5);
    fg_time now = 19000 * FG_DAY;
    fg_mind_tick(mind, 4 * FG_HOUR);
    fg_mind_budget(mind, (double)odd->budget);
    for (size_t i = 0; i < odd->pages; i++)
        world.is_stale[i] = true;
    for (int tick = 1; tick <= TICKS; tick++) {
        fg_time before = now;
        double share = odd->is_irregular ? 2 * pow(fg_rng_unit(&world.rng), 3) * 2 : 1;
        now += (fg_time)(share * 4 * (double)FG_HOUR);
        go_by(&world, mind, odd, tick, now, before);
        sum.visits += visit_all(&world, mind, odd, now);
        if (tick > WARM_UP)
            judge(&sum, &world, odd);
    }
    const struct fg_world *known = fg_mind_world(mind);
    for (size_t row = 0; row < known->n; row++) {
        fg_time last =
            known->last_try[row] == FG_NEVER ? known->added[row] : known->last_try[row];
        sum.oldest = fmax(sum.oldest, fg_days(now - last));
    }
    fg_mind_free(mind);
    return sum;
}

static const struct oddity oddities[] = {
    {.name = "one page", .pages = 1, .budget = 1, .chance = alike},
    {.name = "one page that never changes", .pages = 1, .budget = 1, .chance = never},
    {.name = "two pages, one of them hectic", .pages = 2, .budget = 1, .chance = torn},
    {.name = "no changes", .pages = 240, .budget = 5, .chance = never},
    {.name = "nothing but changes", .pages = 240, .budget = 5, .chance = always},
    {.name = "half of each", .pages = 240, .budget = 5, .chance = torn},
    {.name = "hectic, then calm", .pages = 240, .budget = 5, .chance = tamed},
    {.name = "all alike", .pages = 240, .budget = 5, .chance = alike},
    {.name = "wide apart", .pages = 240, .budget = 5, .chance = spread},
    {.name = "all at once", .pages = 240, .budget = 5, .chance = in_step},
    {.name = "each by its clock", .pages = 240, .budget = 5, .chance = by_clock},
    {.name = "no weights",
     .pages = 240,
     .budget = 5,
     .chance = spread,
     .weight = nothing},
    {.name = "few weights",
     .pages = 240,
     .budget = 5,
     .chance = spread,
     .weight = often_nothing},
    {.name = "tiny weights", .pages = 240, .budget = 5, .chance = spread, .weight = tiny},
    {.name = "huge weights", .pages = 240, .budget = 5, .chance = spread, .weight = huge},
    {.name = "late pages",
     .pages = 240,
     .budget = 5,
     .chance = spread,
     .comes_late = true},
    {.name = "more visits than pages", .pages = 20, .budget = 25, .chance = spread},
    {.name = "as many visits as pages", .pages = 20, .budget = 20, .chance = always},
    {.name = "irregular ticks",
     .pages = 240,
     .budget = 5,
     .chance = spread,
     .is_irregular = true},
    {.name = "failing fetches",
     .pages = 240,
     .budget = 5,
     .chance = spread,
     .fails = true},
    {.name = "false signals", .pages = 240, .budget = 5, .chance = spread, .cries = true},
};

static void never_much_worse_than_chance(void **state)
{
    (void)state;
    static const struct knob exact[] = {{"exact", 1}, {0}},
                             calendar[] = {{"exact", 0}, {0}};
    for (size_t i = 0; i < sizeof oddities / sizeof *oddities; i++) {
        const struct oddity *odd = &oddities[i];
        bool has_weights = odd->weight && odd->weight != nothing;
        struct outcome chance = outcome_of(odd, "uniform", NULL);
        for (int is_exact = 0; is_exact < 2; is_exact++) {
            struct outcome ours = outcome_of(odd, "lomax", is_exact ? exact : calendar);
            double fresh = has_weights ? ours.weighted : ours.fresh;
            double least = has_weights ? chance.weighted : chance.fresh;
            if (fresh < least - 0.01)
                fail_msg("%s (exact=%d): fresh %.4f, by chance %.4f", odd->name, is_exact,
                         fresh, least);
            if (ours.visits * 100 < chance.visits * 99)
                fail_msg("%s (exact=%d): %zu visits instead of %zu", odd->name, is_exact,
                         ours.visits, chance.visits);
            if (!has_weights && ours.oldest > 40) /* of 100 days; chance reaches 60 */
                fail_msg("%s (exact=%d): a page was left for %.0f days", odd->name,
                         is_exact, ours.oldest);
        }
    }
}

/* A crawl that has just begun. */
static void nothing_is_chosen_from_nothing(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        struct knob knobs[] = {{"exact", exact}, {0}};
        struct fg_mind *mind = mind_of("lomax", knobs, 1);
        struct fg_pick pick;
        assert_int_equal(fg_mind_choose(mind, FG_DAY, 1, &pick), 0);
        fg_mind_add(mind, 7, 0, FG_DAY);
        assert_int_equal(fg_mind_choose(mind, 2 * FG_DAY, 1, &pick), 1);
        fg_mind_remove(mind, 7);
        assert_int_equal(fg_mind_choose(mind, 3 * FG_DAY, 1, &pick), 0);
        assert_int_equal(fg_mind_choose(mind, 4 * FG_DAY, 0, &pick), 0);
        fg_mind_free(mind);
    }
}

/* Pages that do not count are visited when nothing else is to be done, and in turn. */
static void pages_without_weight_have_what_is_left(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        struct knob knobs[] = {{"exact", exact}, {0}};
        struct fg_mind *mind = mind_of("lomax", knobs, 1);
        struct fg_pick picks[6];
        size_t visits[20] = {0};
        fg_mind_tick(mind, FG_HOUR);
        fg_mind_budget(mind, 6);
        add_pages(mind, 20);
        for (size_t row = 4; row < 20; row++)
            fg_mind_weigh(mind, row, 0);
        for (int hour = 1; hour <= 240; hour++)
            for (size_t i = 0, n = fg_mind_choose(mind, hour * FG_HOUR, 6, picks); i < n;
                 i++) {
                visits[picks[i].page]++;
                see(mind, picks[i].page, hour / 24.0, false);
            }
        for (size_t row = 0; row < 4; row++)
            assert_true(visits[row] >= 230);
        for (size_t row = 4; row < 20; row++)
            assert_in_range(visits[row], 25, 35); /* 30 each */
        fg_mind_free(mind);
    }
}

FG_TESTS(never_much_worse_than_chance, nothing_is_chosen_from_nothing,
         pages_without_weight_have_what_is_left)
