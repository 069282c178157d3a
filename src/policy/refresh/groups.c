#include "policy/refresh/groups.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t NOT_IN_ORDER = UINT32_MAX;

void fg_groups_gather(struct fg_groups *groups, const struct fg_brain *brain)
{
    fg_groups_gather_most(groups, brain, SIZE_MAX);
}

void fg_groups_gather_most(struct fg_groups *groups, const struct fg_brain *brain,
                           size_t most)
{
    const struct fg_world *world = brain->world;
    size_t n = world->groups < most ? world->groups : most;
    *groups = (struct fg_groups){
        .n = n,
        .pages = fg_zeroed(world->n, sizeof *groups->pages),
        .first = fg_zeroed(n + 2, sizeof *groups->first),
        .next = fg_zeroed(n, sizeof *groups->next),
        .share = fg_zeroed(n, sizeof *groups->share),
    };
    for (size_t g = 0; g < n; g++)
        groups->next[g] = NOT_IN_ORDER;
    for (size_t i = 0; i < world->n; i++)
        groups->first[fg_groups_of(world->group[i], most) + 2]++;
    for (size_t g = 0; g < n; g++)
        groups->first[g + 2] += groups->first[g + 1];
    for (size_t i = 0; i < world->n; i++) { /* it moves first[g + 1] to where g ends */
        size_t g = fg_groups_of(world->group[i], most);
        groups->pages[groups->first[g + 1]++] = (uint32_t)i;
    }
}

void fg_groups_clear(struct fg_groups *groups)
{
    free(groups->first);
    free(groups->next);
    free(groups->share);
    free(groups->pages);
    *groups = (struct fg_groups){0};
}

struct turns {
    const fg_time *last_try;
    uint32_t first; /* the page of the group whose turn it is */
};

static int by_turn(const void *a, const void *b, void *context)
{
    const struct turns *turns = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (turns->last_try[x] != turns->last_try[y])
        return turns->last_try[x] < turns->last_try[y] ? -1 : 1;
    x -= turns->first; /* rows before it come round after all others */
    y -= turns->first;
    return x < y ? -1 : x > y;
}

/* Pages tried in one tick have waited alike, and were taken in the order of their rows,
 * from somewhere on and round. So where the wait of a page is the longest, and that of
 * the one before it in the round is not, there the round has come to. If ties just went
 * to the first row, it would have its turn again before the last. */
static uint32_t whose_turn(const uint32_t *pages, size_t n, const fg_time *last_try)
{
    fg_time oldest = last_try[pages[0]];
    for (size_t i = 1; i < n; i++)
        oldest = last_try[pages[i]] < oldest ? last_try[pages[i]] : oldest;
    for (size_t i = 0; i < n; i++)
        if (last_try[pages[i]] == oldest && last_try[pages[i ? i - 1 : n - 1]] > oldest)
            return pages[i];
    return pages[0];
}

bool fg_groups_take(struct fg_groups *groups, struct fg_brain *brain, size_t group,
                    struct fg_pick *pick)
{
    uint32_t *pages = groups->pages + groups->first[group];
    size_t n = fg_groups_size(groups, group);
    if (n && groups->next[group] == NOT_IN_ORDER) {
        struct turns turns = {.last_try = brain->world->last_try};
        turns.first = whose_turn(pages, n, turns.last_try);
        qsort_r(pages, n, sizeof *pages, by_turn, &turns);
        groups->next[group] = 0;
    }
    while (groups->next[group] < n) {
        uint32_t page = pages[groups->next[group]++];
        if (!fg_brain_take(brain, page))
            continue;
        *pick = (struct fg_pick){.page = page};
        return true;
    }
    return false;
}

static size_t draw_group(const struct fg_groups *groups, struct fg_rng *rng, double sum)
{
    double at = fg_rng_unit(rng) * sum;
    size_t last = groups->n;
    for (size_t g = 0; g < groups->n; g++) {
        if (!(groups->share[g] > 0))
            continue;
        last = g;
        at -= groups->share[g];
        if (at < 0)
            break;
    }
    return last;
}

size_t fg_groups_sample(struct fg_groups *groups, struct fg_brain *brain, size_t budget,
                        struct fg_pick *out)
{
    size_t taken = 0;
    double sum = 0;
    for (size_t g = 0; g < groups->n; g++) {
        if (!fg_groups_size(groups, g))
            groups->share[g] = 0;
        sum += groups->share[g];
    }
    while (taken < budget) {
        size_t g = draw_group(groups, &brain->rng, sum);
        if (g == groups->n)
            break;
        double chance = groups->share[g] / sum;
        if (!fg_groups_take(groups, brain, g, &out[taken])) {
            sum -= groups->share[g];
            groups->share[g] = 0;
            continue;
        }
        out[taken].score = (float)chance;
        out[taken++].probability = (float)chance;
    }
    return taken;
}
