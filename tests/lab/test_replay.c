/* A replay shows a policy what a plain, slow one would have shown it.
 *
 * The policy under test picks at random and writes down what it is told; afterwards every
 * visit and every count is worked out again from the cube of what was visible. */
#include "base/vec.h"
#include "lab/random_site.h"
#include "lab/replay.h"
#include "test.h"

enum { WARM_UP = 7 };

struct told {
    struct fg_visit visit;
    uint64_t seen[MOST_TARGETS], added[MOST_TARGETS], fresh[MOST_TARGETS],
        gone[MOST_TARGETS];
    size_t n_unknown; /* foresight just before the choice; SIZE_MAX: not asked */
    uint64_t unknown[MOST_TARGETS];
};

static FG_VEC(struct told) diary;
static struct {
    size_t n;
    uint64_t links[MOST_TARGETS];
} foreseen[MOST_SOURCES];
static uint32_t sites_told[MOST_SOURCES];

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    (void)now;
    size_t n = 0;
    for (size_t u = 0; brain->foresight && u < brain->world->n; u++) {
        const uint64_t *links;
        const struct fg_foresight *f = brain->foresight;
        foreseen[u].n = f->unknown(f->context, u, &links);
        for (size_t i = 0; i < foreseen[u].n; i++)
            foreseen[u].links[i] = links[i];
    }
    for (size_t u = 0; u < brain->world->n; u++)
        sites_told[u] = brain->world->site[u];
    for (size_t tries = 0; tries < 2 * budget && n < budget; tries++) {
        size_t page = fg_rng_below(&brain->rng, brain->world->n);
        if (fg_brain_take(brain, page))
            out[n++] = (struct fg_pick){.page = (uint32_t)page, .probability = 1};
    }
    return n;
}

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    struct told told = {.visit = *visit, .n_unknown = SIZE_MAX};
    if (visit->n_seen)
        memcpy(told.seen, visit->seen, visit->n_seen * sizeof *told.seen);
    if (visit->n_added)
        memcpy(told.added, visit->added, visit->n_added * sizeof *told.added);
    if (visit->n_fresh)
        memcpy(told.fresh, visit->fresh, visit->n_fresh * sizeof *told.fresh);
    if (visit->n_gone)
        memcpy(told.gone, visit->gone, visit->n_gone * sizeof *told.gone);
    if (brain->foresight) {
        told.n_unknown = foreseen[visit->page].n;
        memcpy(told.unknown, foreseen[visit->page].links, sizeof told.unknown);
    }
    fg_vec_push(&diary, told);
}

static const struct fg_param no_params[] = {{0}};
static const struct fg_column no_columns[] = {{0}};
static const struct fg_policy scribe = {.name = "scribe",
                                        .tasks = FG_DISCOVERY,
                                        .params = no_params,
                                        .columns = no_columns,
                                        .observe = observe,
                                        .select = choose};

/* --- the slow replay --- */

struct slow {
    const struct truth *truth;
    bool focused;
    size_t step;
    bool shown[MOST_SOURCES][MOST_TARGETS]; /* by the last visit that went well */
    int64_t visited[MOST_SOURCES];          /* when that was, or -1 */
    uint32_t found_at[MOST_TARGETS];
    struct fg_replay_outcome outcome;
    uint32_t found_by[MOST_STEPS], delay[MOST_STEPS], visits_of[MOST_SOURCES];
};

static bool counts(const struct slow *slow, size_t target)
{
    return !slow->focused || !slow->truth->has_relevant ||
           slow->truth->is_relevant[target];
}

/* The list holds each target for which `wanted` says so, once, and no other. */
static void assert_set(const uint64_t *list, size_t n, const bool wanted[MOST_TARGETS])
{
    bool listed[MOST_TARGETS] = {0};
    for (size_t i = 0; i < n; i++) {
        assert_true(list[i] < MOST_TARGETS);
        assert_false(listed[list[i]]);
        listed[list[i]] = true;
    }
    for (size_t v = 0; v < MOST_TARGETS; v++)
        assert_int_equal(listed[v], wanted[v]);
}

static void slow_find(struct slow *slow, size_t target)
{
    uint32_t appeared = truth_appeared(slow->truth, target);
    slow->found_at[target] = (uint32_t)slow->step;
    slow->outcome.found++;
    slow->outcome.found_late += slow->step >= WARM_UP;
    if (appeared >= WARM_UP) {
        slow->outcome.found_fresh++;
        slow->delay[slow->step - appeared]++;
    }
}

static void check_visit(struct slow *slow, const struct told *told)
{
    const struct fg_visit *visit = &told->visit;
    size_t u = visit->page;
    bool is_missing = slow->truth->is_missing[slow->step][u];
    slow->outcome.visits++;
    slow->outcome.visits_late += slow->step >= WARM_UP;
    slow->outcome.failed += is_missing;
    slow->visits_of[u]++;
    assert_int_equal(visit->ok, !is_missing);
    assert_true(visit->previous ==
                (slow->visited[u] < 0 ? FG_NEVER : slow->visited[u] * FG_HOUR));
    if (is_missing) {
        assert_int_equal(visit->n_seen + visit->n_added + visit->n_fresh + visit->n_gone,
                         0);
        return;
    }
    bool added[MOST_TARGETS], gone[MOST_TARGETS], first[MOST_TARGETS], also[MOST_TARGETS];
    const bool *seen = slow->truth->shows[slow->step][u];
    for (size_t v = 0; v < MOST_TARGETS; v++) {
        added[v] = seen[v] && !slow->shown[u][v];
        gone[v] = !seen[v] && slow->shown[u][v];
        first[v] = seen[v] && counts(slow, v) && slow->found_at[v] == FG_SITE_NO_STEP;
        also[v] = seen[v] && slow->found_at[v] == slow->step;
        slow->shown[u][v] = seen[v];
    }
    assert_set(told->seen, visit->n_seen, seen);
    assert_set(told->added, visit->n_added, added);
    assert_set(told->gone, visit->n_gone, gone);
    assert_set(told->fresh, visit->n_first, first);
    assert_set(told->fresh + visit->n_first, visit->n_fresh - visit->n_first, also);
    assert_int_equal(visit->changed, visit->n_added || visit->n_gone);
    assert_true(visit->complete);
    for (size_t v = 0; v < MOST_TARGETS; v++)
        if (first[v])
            slow_find(slow, v);
    slow->outcome.shown += visit->n_seen;
    slow->visited[u] = (int64_t)slow->step;
}

/* What foresight told before the step's first visit. */
static void check_foresight(const struct slow *slow, const struct told *told)
{
    bool unknown[MOST_TARGETS];
    size_t u = told->visit.page;
    for (size_t v = 0; v < MOST_TARGETS; v++)
        unknown[v] = slow->truth->shows[slow->step][u][v] && counts(slow, v) &&
                     slow->found_at[v] == FG_SITE_NO_STEP &&
                     !slow->truth->is_missing[slow->step][u];
    assert_set(told->unknown, told->n_unknown, unknown);
}

static void check_counts(const struct slow *slow, const struct fg_replay_outcome *got)
{
    const struct fg_replay_outcome *want = &slow->outcome;
    assert_int_equal(got->there, want->there);
    assert_int_equal(got->there_late, want->there_late);
    assert_int_equal(got->found, want->found);
    assert_int_equal(got->found_late, want->found_late);
    assert_int_equal(got->found_fresh, want->found_fresh);
    assert_int_equal(got->visits, want->visits);
    assert_int_equal(got->visits_late, want->visits_late);
    assert_int_equal(got->failed, want->failed);
    assert_int_equal(got->shown, want->shown);
    assert_int_equal(got->steps, slow->truth->steps);
    assert_int_equal(got->sources, slow->truth->sources);
    assert_memory_equal(got->found_by, slow->found_by, got->steps * sizeof(uint32_t));
    assert_memory_equal(got->delay, slow->delay, got->steps * sizeof(uint32_t));
    assert_memory_equal(got->visits_of, slow->visits_of, got->sources * sizeof(uint32_t));
}

static void check(const struct truth *truth, const struct fg_replay_outcome *outcome,
                  bool focused)
{
    struct slow slow = {.truth = truth, .focused = focused};
    size_t next = 0;
    for (size_t v = 0; v < MOST_TARGETS; v++) {
        uint32_t appeared = truth_appeared(truth, v);
        slow.found_at[v] = FG_SITE_NO_STEP;
        slow.outcome.there += appeared != FG_SITE_NO_STEP && counts(&slow, v);
        slow.outcome.there_late +=
            appeared != FG_SITE_NO_STEP && appeared >= WARM_UP && counts(&slow, v);
    }
    for (size_t u = 0; u < MOST_SOURCES; u++)
        slow.visited[u] = -1;
    for (slow.step = 0; slow.step < truth->steps; slow.step++) {
        fg_time now = (fg_time)slow.step * FG_HOUR;
        for (size_t i = next; i < diary.len && diary.at[i].visit.now == now; i++)
            if (diary.at[i].n_unknown != SIZE_MAX)
                check_foresight(&slow, &diary.at[i]);
        for (; next < diary.len && diary.at[next].visit.now == now; next++)
            check_visit(&slow, &diary.at[next]);
        slow.found_by[slow.step] = (uint32_t)slow.outcome.found;
    }
    assert_int_equal(next, diary.len);
    check_counts(&slow, outcome);
}

static void replay_equals_a_slow_one(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 600; seed++) {
        struct truth truth = truth_draw(seed);
        struct fg_site *site = truth_site(&truth);
        if (!truth.has_relevant)
            assert_null(site->is_relevant);
        /* Relevance that nobody has leaves no marks: then all targets count. */
        truth.has_relevant = site->is_relevant != NULL;
        struct fg_policy policy = scribe;
        policy.needs_foresight = seed % 3 == 0;
        struct fg_replay_rules rules = {.budget = 1 + seed % 4,
                                        .seed = seed,
                                        .warm_up = WARM_UP,
                                        .focused = seed % 2};
        struct fg_replay_outcome outcome;
        assert_int_equal(fg_replay(&outcome, site, &policy, &rules, NULL), FG_OK);
        check(&truth, &outcome, rules.focused);
        fg_replay_outcome_clear(&outcome);
        fg_site_free(site);
        fg_vec_clear(&diary);
    }
}

static void replay_tells_which_web_site_a_source_is_of(void **state)
{
    (void)state;
    struct fg_stay stays[] = {{0, 0, 0, 2}, {1, 1, 0, 2}, {2, 2, 0, 2}};
    struct fg_site_facts facts = {.sources = 3, .steps = 3, .step = FG_HOUR};
    struct fg_site *site = fg_site_new(&facts, stays, 3);
    fg_site_belongs(site, 1, 4);
    fg_site_belongs(site, 2, 4);
    struct fg_replay_outcome outcome;
    struct fg_replay_rules rules = {.budget = 1};
    assert_int_equal(fg_replay(&outcome, site, &scribe, &rules, NULL), FG_OK);
    assert_int_equal(sites_told[0], 0);
    assert_int_equal(sites_told[1], 1); /* the second to come */
    assert_int_equal(sites_told[2], 1);
    fg_replay_outcome_clear(&outcome);
    fg_site_free(site);
    fg_vec_clear(&diary);
}

/* The oracle with a visit for every source finds all there is, at once, except what is
 * only there when visits fail. */
static void replay_lets_an_unbounded_oracle_find_everything(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct truth truth = truth_draw(seed);
        memset(truth.is_missing, 0, sizeof truth.is_missing);
        struct fg_site *site = truth_site(&truth);
        struct fg_replay_outcome outcome;
        struct fg_replay_rules rules = {.budget = truth.sources, .warm_up = WARM_UP};
        const struct fg_policy *oracle = fg_policy_find(FG_STR("oracle"), FG_DISCOVERY);
        assert_int_equal(fg_replay(&outcome, site, oracle, &rules, NULL), FG_OK);
        assert_int_equal(outcome.found, outcome.there);
        assert_int_equal(outcome.found_fresh, outcome.there_late);
        assert_int_equal(outcome.delay[0], outcome.there_late);
        fg_replay_outcome_clear(&outcome);
        fg_site_free(site);
    }
}

static void replay_refuses_an_unknown_knob(void **state)
{
    (void)state;
    struct truth truth = truth_draw(1);
    struct fg_site *site = truth_site(&truth);
    struct fg_knob knob = {"gama", 2};
    struct fg_replay_rules rules = {.budget = 1, .knobs = &knob, .n_knobs = 1};
    struct fg_replay_outcome outcome;
    struct fg_err err = {0};
    const struct fg_policy *thompson = fg_policy_find(FG_STR("thompson"), FG_DISCOVERY);
    assert_int_not_equal(fg_replay(&outcome, site, thompson, &rules, &err), FG_OK);
    assert_non_null(strstr(err.text, "gama"));
    assert_null(outcome.found_by);
    fg_site_free(site);
}

FG_TESTS(replay_equals_a_slow_one, replay_tells_which_web_site_a_source_is_of,
         replay_lets_an_unbounded_oracle_find_everything, replay_refuses_an_unknown_knob)
