/* minds.h - minds of discovery policies by name, for tests */
#ifndef FG_TESTS_POLICY_MINDS_H
#define FG_TESTS_POLICY_MINDS_H

#include "policy/mind.h"
#include "test.h"

/* With pages 0, 1, ... of one site. */
static inline struct fg_mind *mind_of(const char *name, size_t pages)
{
    const struct fg_policy *policy = fg_policy_find(fg_str_from(name), FG_DISCOVERY);
    assert_non_null(policy);
    struct fg_mind *mind = fg_mind_new(policy, 42);
    for (uint64_t id = 0; id < pages; id++)
        fg_mind_add(mind, id, 0, 0);
    return mind;
}

static inline void set(struct fg_mind *mind, const char *knob, double value)
{
    struct fg_err err;
    if (fg_mind_set(mind, fg_str_from(knob), value, &err))
        fail_msg("%s", err.text);
}

#endif
