/* links.h - visits with named links, for tests of policies that learn from which */
#ifndef FG_TESTS_POLICY_LINKS_H
#define FG_TESTS_POLICY_LINKS_H

#include "policy/mind.h"
#include "test.h"

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

/* The page shows one new link for each letter; a letter is the same link everywhere. */
static inline void show(struct fg_mind *mind, size_t page, fg_time now,
                        const char *letters)
{
    uint64_t links[64];
    size_t n = strlen(letters);
    for (size_t i = 0; i < n; i++)
        links[i] = (uint64_t)(unsigned char)letters[i];
    fg_mind_observe(mind, &(struct fg_visit){.page = page,
                                             .now = now,
                                             .ok = true,
                                             .complete = true,
                                             .seen = links,
                                             .added = links,
                                             .fresh = links,
                                             .n_seen = n,
                                             .n_added = n,
                                             .n_fresh = n,
                                             .n_first = n});
}

/* Picks as digits, in order. */
static inline const char *choose(struct fg_mind *mind, fg_time now, size_t budget)
{
    static char text[32];
    struct fg_pick picks[31];
    size_t n = fg_mind_choose(mind, now, budget, picks);
    for (size_t i = 0; i < n; i++)
        text[i] = (char)('0' + picks[i].page);
    text[n] = 0;
    return text;
}

#endif
