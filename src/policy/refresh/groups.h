/* groups.h - groups of pages as arms, with a round inside each
 *
 *     struct fg_groups groups;
 *     fg_groups_gather(&groups, brain);                            once in a tick
 *     if (fg_groups_take(&groups, brain, group, &out[n])) n++;
 *     fg_groups_clear(&groups);
 *
 * Avrachenkov et al. (ICC 2021) let an arm be a group of pages that behave alike
 * (world->group): an arm is played by fetching the page of the group whose turn it is.
 * Turns go by the time waited, and among those that were tried in the same tick go round
 * by row. That is the same as a pointer that goes round, and needs no care when pages
 * come, leave or cannot be fetched just now. */
#ifndef FG_POLICY_REFRESH_GROUPS_H
#define FG_POLICY_REFRESH_GROUPS_H

#include "policy/policy.h"

#define FG_GROUPS_PARAM                                                     \
    {                                                                       \
        "groups", 0, 0, 1, "1: an arm is a group of pages, fetched in turn" \
    }

struct fg_groups {
    size_t n;
    uint32_t *pages; /* by group; those of group g from first[g] up to first[g + 1] */
    uint32_t *first;
    uint32_t *next; /* whose turn it is, counted in the group */
    double *share;  /* room for a number a group, starting as 0, for the policy to use */
};

void fg_groups_gather(struct fg_groups *groups, const struct fg_brain *brain);
/* For policies that keep something for each: groups from `most` on join one of the first,
 * the same one always. */
void fg_groups_gather_most(struct fg_groups *groups, const struct fg_brain *brain,
                           size_t most);
void fg_groups_clear(struct fg_groups *groups);

/* The group that a page's group is, or joins. */
static inline size_t fg_groups_of(uint32_t group, size_t most)
{
    uint64_t mixed = (group + UINT64_C(1)) * UINT64_C(0x9E3779B97F4A7C15);
    return group < most ? group : (size_t)((mixed >> 32) * most >> 32);
}

static inline size_t fg_groups_size(const struct fg_groups *groups, size_t group)
{
    return groups->first[group + 1] - groups->first[group];
}

/* The page of the group that has waited longest and may be taken; false if none may. */
bool fg_groups_take(struct fg_groups *groups, struct fg_brain *brain, size_t group,
                    struct fg_pick *pick);

/* Draw groups with chances as `share` has them, again and again, and take one page for
 * each draw; a group with no page left is not drawn again. Returns how many were taken.
 */
size_t fg_groups_sample(struct fg_groups *groups, struct fg_brain *brain, size_t budget,
                        struct fg_pick *out);

#endif
