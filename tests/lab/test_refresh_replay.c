/* A refresh replay against one that goes minute by minute.
 *
 * The policy under test picks at random and writes down its visits and what it was told;
 * afterwards everything is worked out again from the changes and that diary. */
#include "base/memory.h"
#include "base/vec.h"
#include "lab/refresh/replay.h"
#include "test.h"

enum { MOST_PAGES = 6, MOST_DAYS = 9, DAY_MINUTES = 24 * 60 };

struct told {
    size_t page;
    fg_time now, previous;
    bool changed, is_stale;
    float weight, rate;
    uint32_t group;
    double budget;
    size_t existing;
};

static FG_VEC(struct told) diary;
static FG_VEC(struct fg_hint) hints_told;
static size_t chosen[100000], n_steps;

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    (void)now;
    size_t n = 0;
    for (size_t tries = 0; tries < 3 * budget && n < budget; tries++) {
        size_t page = fg_rng_below(&brain->rng, brain->world->n);
        if (fg_brain_take(brain, page))
            out[n++] = (struct fg_pick){.page = (uint32_t)page};
    }
    chosen[n_steps++] = budget;
    return n;
}

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    const struct fg_world *world = brain->world;
    struct told told = {.page = world->id[visit->page],
                        .now = visit->now,
                        .previous = visit->previous,
                        .changed = visit->changed,
                        .weight = world->weight[visit->page],
                        .rate = fg_world_told(world, FG_TOLD_CHANGES_MODEL, visit->page),
                        .group = world->group[visit->page],
                        .budget = world->budget,
                        .existing = world->n};
    assert_true(visit->ok);
    fg_vec_push(&diary, told);
}

static void be_told(struct fg_brain *brain, size_t page, fg_time now)
{
    fg_vec_push(&hints_told, (struct fg_hint){now, (uint32_t)brain->world->id[page]});
}

static const struct fg_param no_params[] = {{0}};
static const struct fg_column no_columns[] = {{0}};
static const struct fg_policy scribe = {.name = "scribe",
                                        .tasks = FG_REFRESH,
                                        .params = no_params,
                                        .columns = no_columns,
                                        .observe = observe,
                                        .signal = be_told,
                                        .select = choose};

/* --- random timelines --- */

static fg_time random_minute(struct fg_rng *rng, fg_time from, fg_time to)
{
    return from +
           (fg_time)fg_rng_below(rng, (uint64_t)((to - from) / FG_MINUTE)) * FG_MINUTE;
}

static int by_time(const void *a, const void *b)
{
    const struct fg_change *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->page < y->page ? -1 : x->page > y->page;
}

static void add_changes(struct fg_timeline *t, struct fg_rng *rng)
{
    size_t wanted = fg_rng_below(rng, 60), kept = 0;
    t->changes = fg_zeroed(wanted + 1, sizeof *t->changes);
    t->hints = fg_zeroed(wanted + 1, sizeof *t->hints);
    for (size_t i = 0; i < wanted; i++) {
        t->changes[i] = (struct fg_change){random_minute(rng, t->from, t->to),
                                           (uint32_t)fg_rng_below(rng, t->n),
                                           (uint32_t)fg_rng_below(rng, 3)};
        if (fg_rng_below(rng, 2)) /* some fall on a step */
            t->changes[i].at -= (t->changes[i].at - t->from) % t->step;
    }
    qsort(t->changes, wanted, sizeof *t->changes, by_time);
    for (size_t i = 0; i < wanted; i++)
        if (!kept || by_time(&t->changes[i], &t->changes[kept - 1]))
            t->changes[kept++] = t->changes[i];
    t->n_changes = kept;
    for (size_t i = 0; i < kept; i++)
        if (fg_rng_below(rng, 3) == 0)
            t->hints[t->n_hints++] =
                (struct fg_hint){t->changes[i].at, t->changes[i].page};
}

static void add_days(struct fg_timeline *t, struct fg_rng *rng)
{
    static const double profile[12] = {.05, .02, .02, .04, .08, .10,
                                       .11, .11, .11, .12, .14, .10};
    t->offers.first_day = (size_t)((t->crawled_from - t->from) / FG_DAY);
    t->offers.days = MOST_DAYS + 1;
    t->offers.told[FG_TOLD_CHANGES_MODEL] =
        fg_zeroed(t->offers.days * t->n, sizeof(float));
    for (size_t i = 0; i < t->offers.days * t->n; i++)
        t->offers.told[FG_TOLD_CHANGES_MODEL][i] = (float)i;
    if (fg_rng_below(rng, 2))
        return;
    t->offers.clicks = fg_zeroed(t->offers.days * t->n, sizeof *t->offers.clicks);
    for (size_t i = 0; i < t->offers.days * t->n; i++)
        t->offers.clicks[i] = (float)fg_rng_unit(rng);
    t->offers.click_profile = profile;
}

static struct fg_timeline *random_timeline(struct fg_rng *rng)
{
    static const fg_time steps[] = {30 * FG_MINUTE, 2 * FG_HOUR, 5 * FG_HOUR, FG_DAY};
    struct fg_timeline *t = fg_zeroed(1, sizeof *t);
    t->n = 1 + fg_rng_below(rng, MOST_PAGES);
    t->from = 1700000000 * FG_SECOND / FG_MINUTE * FG_MINUTE;
    t->to = random_minute(rng, t->from + FG_DAY, t->from + MOST_DAYS * FG_DAY);
    t->step = steps[fg_rng_below(rng, 4)];
    t->crawled_from = t->from;
    if (fg_rng_below(rng, 2))
        t->crawled_from = random_minute(rng, t->from, t->to);
    t->judged_from = random_minute(rng, t->from, t->to);
    t->is_seen_first = fg_rng_below(rng, 2);
    if (fg_rng_below(rng, 2)) {
        t->weight = fg_zeroed(t->n, sizeof *t->weight);
        for (size_t i = 0; i < t->n; i++)
            t->weight[i] = (float)fg_rng_unit(rng) * 3;
    }
    if (fg_rng_below(rng, 2)) {
        t->first = fg_zeroed(t->n, sizeof *t->first);
        t->last = fg_zeroed(t->n, sizeof *t->last);
        for (size_t i = 0; i < t->n; i++) {
            t->first[i] = random_minute(rng, t->from, t->to);
            t->last[i] = random_minute(rng, t->first[i], t->to + FG_MINUTE);
        }
    }
    t->group = fg_zeroed(t->n, sizeof *t->group);
    for (size_t i = 0; i < t->n; i++)
        t->group[i] = (uint32_t)(i / 2);
    add_changes(t, rng);
    add_days(t, rng);
    return t;
}

/* --- the slow replay --- */

static fg_time first_of(const struct fg_timeline *t, size_t page)
{
    fg_time first = t->first ? t->first[page] : t->from;
    return first > t->crawled_from ? first : t->crawled_from;
}

static bool is_there(const struct fg_timeline *t, size_t page, fg_time now)
{
    fg_time last = t->last ? t->last[page] : t->to;
    return now >= first_of(t, page) && now < last && now < t->to;
}

/* The value a page has before what happens at `until`. */
static uint32_t value_before(const struct fg_timeline *t, size_t page, fg_time until)
{
    uint32_t value = 0;
    for (size_t i = 0; i < t->n_changes && t->changes[i].at < until; i++)
        if (t->changes[i].page == page)
            value = t->changes[i].value;
    return value;
}

/* The last entry of the page in the diary that is not after `now`, before entry `end`. */
static const struct told *last_visit(size_t page, fg_time now, size_t end)
{
    for (size_t i = end; i-- > 0;)
        if (diary.at[i].page == page && diary.at[i].now <= now)
            return &diary.at[i];
    return NULL;
}

/* The copy differs from what the page is just after `now`. */
static bool is_stale_after(const struct fg_timeline *t, size_t page, fg_time now)
{
    const struct told *visit = last_visit(page, now, diary.len);
    return !visit || value_before(t, page, visit->now) != value_before(t, page, now + 1);
}

static double day_weight(const struct fg_timeline *t, size_t page, fg_time now)
{
    size_t day = (size_t)((now - t->from) / FG_DAY);
    size_t minute = (size_t)((now - t->from) % FG_DAY / FG_MINUTE);
    if (!t->offers.clicks)
        return (t->weight ? (double)t->weight[page] : 1) / DAY_MINUTES;
    return (double)t->offers.clicks[(day - t->offers.first_day) * t->n + page] *
           t->offers.click_profile[minute / 120] / 120;
}

static void check_page(const struct fg_timeline *t, const struct fg_refresh_outcome *o,
                       size_t page, struct fg_refresh_day *days)
{
    fg_time there = 0, stale = 0, since = 0;
    double age = 0;
    bool was_stale = false;
    for (fg_time now = t->crawled_from; now < t->to; now += FG_MINUTE) {
        bool exists = is_there(t, page, now);
        bool is_stale = exists && is_stale_after(t, page, now);
        const struct told *visit = last_visit(page, now, diary.len);
        was_stale &= !visit || visit->now < now; /* renewed, if only for a moment */
        since = is_stale && !was_stale ? now : since;
        was_stale = is_stale;
        size_t day = (size_t)((now - t->from) / FG_DAY);
        if (now < t->judged_from || !exists)
            continue;
        there += FG_MINUTE;
        stale += is_stale ? FG_MINUTE : 0;
        age += is_stale ? fg_days(FG_MINUTE) * fg_days(now - since + FG_MINUTE / 2) : 0;
        if (day < o->first_day || day >= o->first_day + o->n_days)
            continue;
        struct fg_refresh_day *tally = &days[day - o->first_day];
        tally->weight += day_weight(t, page, now);
        tally->stale += is_stale ? day_weight(t, page, now) : 0;
        bool is_last = (now + FG_MINUTE - t->from) % FG_DAY == 0;
        tally->there += is_last;
        tally->fresh += is_last && !is_stale;
    }
    assert_int_equal(o->there[page], there);
    assert_int_equal(o->stale[page], stale);
    assert_near(o->age[page], age, 1e-9);
}

static void check_diary(const struct fg_timeline *t, const struct fg_refresh_outcome *o)
{
    uint64_t visits = 0, found = 0;
    double reward = 0;
    for (size_t i = 0; i < diary.len; i++) {
        const struct told *told = &diary.at[i];
        const struct told *before = last_visit(told->page, told->now, i);
        bool is_free = t->is_seen_first && !before;
        uint32_t value = value_before(t, told->page, told->now);
        bool changed = !before || value_before(t, told->page, before->now) != value;
        assert_true(is_there(t, told->page, told->now));
        assert_int_equal(told->previous, before ? before->now : FG_NEVER);
        assert_int_equal(told->changed, changed);
        assert_int_equal(told->group, t->group[told->page]);
        assert_true(is_free == (is_free && told->now == first_of(t, told->page)));
        assert_true(is_free || (told->now - t->crawled_from) % t->step == 0);
        size_t day = (size_t)((told->now - t->from) / FG_DAY) - t->offers.first_day;
        assert_near((double)told->rate, (double)(day * t->n + told->page), 0);
        double weight = t->weight ? (double)t->weight[told->page] : 1;
        assert_near((double)told->weight, weight, 0);
        visits += !is_free;
        found += !is_free && changed;
        reward += !is_free && changed && told->now >= t->judged_from ? weight : 0;
    }
    assert_int_equal(o->visits, visits);
    assert_int_equal(o->found, found);
    assert_near(o->reward_late, reward, 1e-6);
}

/* Visits granted up to any step: the sum of the shares so far, rounded down; none where
 * no page is. */
static void check_budget(const struct fg_timeline *t,
                         const struct fg_refresh_rules *rules)
{
    double sum = 0, granted = 0;
    size_t asked = 0;
    for (fg_time now = t->crawled_from; now < t->to; now += t->step) {
        size_t existing = 0;
        for (size_t page = 0; page < t->n; page++)
            existing += is_there(t, page, now);
        double day = (double)t->step / (double)FG_DAY;
        sum += rules->is_share ? rules->budget * (double)existing * day : rules->budget;
        size_t visits = (size_t)(floor(sum + 1e-6) - granted);
        granted += (double)visits;
        visits = visits > existing ? existing : visits;
        if (visits) /* a policy is not asked for nothing */
            assert_int_equal(chosen[asked++], visits);
    }
    assert_int_equal(asked, n_steps);
}

static void check_days(const struct fg_refresh_outcome *o,
                       const struct fg_refresh_day *days)
{
    for (size_t i = 0; i < o->n_days; i++) {
        assert_near(o->days[i].weight, days[i].weight, 1e-6);
        assert_near(o->days[i].stale, days[i].stale, 1e-6);
        assert_int_equal(o->days[i].there, days[i].there);
        assert_int_equal(o->days[i].fresh, days[i].fresh);
    }
}

static void check_hints(const struct fg_timeline *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_hints; i++)
        if (is_there(t, t->hints[i].page, t->hints[i].at))
            n++;
    assert_true(hints_told.len <= t->n_hints);
    assert_true(hints_told.len + 2 * t->n >= n); /* a page may come just then */
}

static void refresh_replay_is_as_minute_by_minute(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        struct fg_rng rng = fg_rng_from_seed(seed);
        struct fg_timeline *timeline = random_timeline(&rng);
        struct fg_refresh_rules rules = {.is_share = fg_rng_below(&rng, 2), .seed = seed};
        rules.budget =
            rules.is_share ? fg_rng_unit(&rng) * 4 : (double)(1 + fg_rng_below(&rng, 2));
        struct fg_refresh_outcome outcome;
        struct fg_refresh_day days[MOST_DAYS + 1] = {0};
        diary.len = hints_told.len = n_steps = 0;
        assert_int_equal(fg_refresh_replay(&outcome, timeline, &scribe, &rules, NULL), 0);
        for (size_t page = 0; page < timeline->n; page++)
            check_page(timeline, &outcome, page, days);
        check_diary(timeline, &outcome);
        check_budget(timeline, &rules);
        check_days(&outcome, days);
        check_hints(timeline);
        fg_refresh_outcome_clear(&outcome);
        fg_timeline_free(timeline);
    }
    fg_vec_clear(&diary);
    fg_vec_clear(&hints_told);
}

/* One page, five days, changed on day 1 and 3, never visited after the free visit. */
static void refresh_replay_weighs_staleness_and_age(void **state)
{
    (void)state;
    struct fg_change changes[] = {{FG_DAY, 0, 1}, {3 * FG_DAY, 0, 0}, {4 * FG_DAY, 0, 2}};
    struct fg_timeline t = {.n = 1,
                            .to = 5 * FG_DAY,
                            .step = FG_DAY,
                            .changes = changes,
                            .n_changes = 3,
                            .is_seen_first = true};
    struct fg_refresh_rules rules = {.budget = 1e-6, .is_share = true};
    struct fg_refresh_outcome outcome;
    assert_int_equal(fg_refresh_replay(&outcome, &t, &scribe, &rules, NULL), 0);
    assert_near(fg_refresh_stale(&outcome, NULL), 3.0 / 5, 1e-12);
    assert_near(fg_refresh_age(&outcome, NULL), (2.0 * 2 / 2 + 1.0 / 2) / 5, 1e-12);
    assert_int_equal(outcome.n_days, 5);
    assert_near(outcome.days[1].stale, 1, 1e-12);
    assert_near(outcome.days[3].stale, 0, 1e-12);
    assert_int_equal(outcome.days[0].fresh, 1);
    fg_refresh_outcome_clear(&outcome);
    fg_vec_clear(&diary);
}

/* --- foresight --- */

static size_t peek(struct fg_brain *brain, fg_time now, size_t budget,
                   struct fg_pick *out)
{
    const struct fg_foresight *f = brain->foresight;
    (void)budget;
    (void)out;
    assert_true(f->is_stale(f->context, 0) == (now > FG_DAY));
    assert_near(f->rate(f->context, 0), 0.5, 1e-12);
    n_steps++;
    return 0;
}

static void refresh_replay_lets_an_oracle_see(void **state)
{
    (void)state;
    struct fg_policy oracle = scribe;
    struct fg_change changes[] = {{FG_DAY, 0, 1}, {3 * FG_DAY, 0, 2}};
    struct fg_timeline t = {.n = 1,
                            .to = 4 * FG_DAY,
                            .step = FG_DAY,
                            .changes = changes,
                            .n_changes = 2,
                            .is_seen_first = true};
    struct fg_refresh_rules rules = {.budget = 1};
    struct fg_refresh_outcome outcome;
    oracle.needs_foresight = true;
    oracle.select = peek;
    n_steps = 0;
    assert_int_equal(fg_refresh_replay(&outcome, &t, &oracle, &rules, NULL), 0);
    assert_int_equal(n_steps, 4);
    fg_refresh_outcome_clear(&outcome);
    fg_vec_clear(&diary);
}

/* --- visits that fail --- */

static size_t n_failed;

static void count_failures(struct fg_brain *brain, const struct fg_visit *visit)
{
    (void)brain;
    assert_true(visit->ok || !visit->changed);
    n_failed += !visit->ok;
}

static size_t take_all(struct fg_brain *brain, fg_time now, size_t budget,
                       struct fg_pick *out)
{
    (void)brain;
    (void)now;
    for (size_t i = 0; i < budget; i++)
        out[i] = (struct fg_pick){.page = (uint32_t)i};
    return budget;
}

/* Page 1 has no price to be had; page 0 is fetched every second time or so, and a failed
 * visit finds nothing. */
static void refresh_replay_lets_visits_fail(void **state)
{
    (void)state;
    enum { DAYS = 400 };
    bool is_lost[] = {false, true};
    struct fg_policy patient = scribe;
    struct fg_timeline t = {
        .n = 2, .to = DAYS * FG_DAY, .step = FG_DAY, .failures = .5, .is_lost = is_lost};
    struct fg_refresh_rules rules = {.budget = 2, .seed = 1};
    struct fg_refresh_outcome outcome;
    patient.observe = count_failures;
    patient.select = take_all;
    n_failed = 0;
    assert_int_equal(fg_refresh_replay(&outcome, &t, &patient, &rules, NULL), 0);
    assert_int_equal(outcome.visits, 2 * DAYS);
    assert_int_equal(outcome.found, 1); /* the first answer; nothing changes afterwards */
    assert_near((double)n_failed, 1.5 * DAYS, 4 * 10);
    assert_true(outcome.stale[1] == DAYS * FG_DAY);
    assert_true(outcome.stale[0] < 20 * FG_DAY);
    assert_int_equal(outcome.days[DAYS - 1].there, 2);
    assert_int_equal(outcome.days[DAYS - 1].fresh, 1);
    fg_refresh_outcome_clear(&outcome);
}

FG_TESTS(refresh_replay_is_as_minute_by_minute, refresh_replay_weighs_staleness_and_age,
         refresh_replay_lets_an_oracle_see, refresh_replay_lets_visits_fail)
