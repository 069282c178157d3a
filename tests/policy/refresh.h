/* refresh.h - minds of refresh policies by name, for tests */
#ifndef FG_TESTS_POLICY_REFRESH_H
#define FG_TESTS_POLICY_REFRESH_H

#include "policy/mind.h"
#include "test.h"

struct knob {
    const char *name;
    double value;
};

/* Knobs end with {0}. */
static inline struct fg_mind *mind_of(const char *name, const struct knob *knobs,
                                      uint64_t seed)
{
    struct fg_err err;
    const struct fg_policy *policy = fg_policy_find(fg_str_from(name), FG_REFRESH);
    if (!policy)
        fail_msg("there is no refresh policy '%s'", name);
    struct fg_mind *mind = fg_mind_new(policy, seed);
    for (; knobs && knobs->name; knobs++)
        if (fg_mind_set(mind, fg_str_from(knobs->name), knobs->value, &err))
            fail_msg("%s", err.text);
    return mind;
}

static inline void add_pages(struct fg_mind *mind, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fg_mind_add(mind, i, 0, 0);
}

static inline void see(struct fg_mind *mind, size_t page, double day, bool has_changed)
{
    fg_mind_observe(mind, &(struct fg_visit){.page = page,
                                             .now = (fg_time)(day * (double)FG_DAY),
                                             .ok = true,
                                             .changed = has_changed});
}

static inline struct fg_reason reason_at(struct fg_mind *mind, size_t page, double day)
{
    struct fg_reason reason;
    assert_true(fg_mind_explain(mind, (fg_time)(day * (double)FG_DAY), page, &reason));
    return reason;
}

#endif
