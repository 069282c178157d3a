/* links.h - visits with named links, for tests of policies that learn from which */
#ifndef FG_TESTS_POLICY_LINKS_H
#define FG_TESTS_POLICY_LINKS_H

#include "minds.h"

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
