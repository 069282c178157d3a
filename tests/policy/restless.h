/* restless.h - the two settings of Avrachenkov, Borkar & Patil (ICC 2021), for tests
 *
 * Four kinds of pages, one fetch a step; a step is a day here. The reward of a step is
 * the importance of the page fetched if it had changed. Change rates are read as Poisson
 * rates, as the paper's static distribution implies. */
#ifndef FG_TESTS_POLICY_RESTLESS_H
#define FG_TESTS_POLICY_RESTLESS_H

#include "base/rng.h"
#include "policy/mind.h"
#include "test.h"

enum { KINDS = 4, PAGES_MAX = 100, SLOTS = 5000 };

struct setting {
    size_t pages[KINDS];
    double rate[KINDS];
};
static const struct setting single = {{1, 1, 1, 1}, {0.6, 0.08, 0.01, 0.3}};
static const struct setting grouped = {{5, 80, 10, 5}, {0.1, 0.002, 0.005, 0.05}};
static const double importance[KINDS] = {5, 0.2, 1, 0.5};

struct knob {
    const char *name;
    double value;
};

/* Means a step. */
struct figures {
    double reward, early, late, fresh; /* early, late: the first and the last 1,000 */
};

struct restless {
    size_t n, kind[PAGES_MAX];
    double rate[PAGES_MAX];
    bool is_stale[PAGES_MAX];
};

static inline double true_rate(void *context, size_t page)
{
    return ((struct restless *)context)->rate[page];
}

static inline bool truly_stale(void *context, size_t page)
{
    return ((struct restless *)context)->is_stale[page];
}

static inline struct restless restless_from(const struct setting *setting)
{
    struct restless web = {0};
    for (size_t kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < setting->pages[kind]; i++) {
            web.kind[web.n] = kind;
            web.rate[web.n++] = setting->rate[kind];
        }
    return web;
}

static inline struct fg_mind *mind_for(const char *name, const struct knob *knobs,
                                       const struct restless *web, uint64_t seed)
{
    struct fg_err err;
    const struct fg_policy *policy = fg_policy_find(fg_str_from(name), FG_REFRESH);
    assert_non_null(policy);
    struct fg_mind *mind = fg_mind_new(policy, seed);
    for (; knobs && knobs->name; knobs++)
        if (fg_mind_set(mind, fg_str_from(knobs->name), knobs->value, &err))
            fail_msg("%s", err.text);
    fg_mind_tick(mind, FG_DAY);
    fg_mind_budget(mind, 1);
    for (size_t i = 0; i < web->n; i++) {
        fg_mind_add(mind, i, 0, 0);
        fg_mind_group(mind, i, (uint32_t)web->kind[i]);
        fg_mind_weigh(mind, i, (float)importance[web->kind[i]]);
        fg_mind_observe(mind, &(struct fg_visit){.page = i, .ok = true, .changed = true});
    }
    return mind;
}

static inline double freshness(const struct restless *web)
{
    double fresh = 0, all = 0;
    for (size_t i = 0; i < web->n; i++) {
        all += importance[web->kind[i]];
        fresh += web->is_stale[i] ? 0 : importance[web->kind[i]];
    }
    return fresh / all;
}

/* Fetch one page; what it earned. */
static inline double fetch(struct restless *web, struct fg_mind *mind, fg_time now)
{
    struct fg_pick pick;
    assert_int_equal(fg_mind_choose(mind, now, 1, &pick), 1);
    bool is_stale = web->is_stale[pick.page];
    fg_mind_observe(mind,
                    &(struct fg_visit){
                        .page = pick.page, .now = now, .ok = true, .changed = is_stale});
    web->is_stale[pick.page] = false;
    return is_stale ? importance[web->kind[pick.page]] : 0;
}

static inline void run_once(struct figures *sum, const char *name,
                            const struct knob *knobs, const struct setting *setting,
                            uint64_t seed)
{
    struct restless web = restless_from(setting);
    struct fg_foresight foresight = {
        .context = &web, .rate = true_rate, .is_stale = truly_stale};
    struct fg_rng rng = fg_rng_from_seed(seed * 2 + 1);
    struct fg_mind *mind = mind_for(name, knobs, &web, seed);
    fg_mind_foresee(mind, &foresight);
    double chance[KINDS];
    for (size_t kind = 0; kind < KINDS; kind++)
        chance[kind] = -expm1(-setting->rate[kind]);
    for (int slot = 0; slot < SLOTS; slot++) {
        for (size_t i = 0; i < web.n; i++)
            web.is_stale[i] |= fg_rng_unit(&rng) < chance[web.kind[i]];
        double earned = fetch(&web, mind, (slot + 1) * FG_DAY);
        sum->reward += earned;
        sum->early += slot < 1000 ? earned : 0;
        sum->late += slot >= SLOTS - 1000 ? earned : 0;
        sum->fresh += freshness(&web);
    }
    fg_mind_free(mind);
}

static inline struct figures run(const char *name, const struct knob *knobs,
                                 const struct setting *setting, int runs)
{
    struct figures mean = {0};
    for (int i = 0; i < runs; i++)
        run_once(&mean, name, knobs, setting, (uint64_t)i + 1);
    mean.reward /= (double)SLOTS * runs;
    mean.fresh /= (double)SLOTS * runs;
    mean.early /= 1000.0 * runs;
    mean.late /= 1000.0 * runs;
    return mean;
}

#endif
