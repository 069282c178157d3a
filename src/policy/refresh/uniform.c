/* uniform.c - every page at the same rate, by lot
 *
 * Table 2 of Han et al. (WWW 2020), after Cho and Garcia-Molina: rate b/n. What nobody
 * beats easily in page freshness, since no page is forgotten. By lot a page may wait long
 * or be fetched twice in a row; `round-robin` at the same rates is fresher, and that is
 * the lesson of it. With groups as arms it is the "uniform" of Avrachenkov et al. (ICC
 * 2021): each group as often as the next, whatever its size, and in turn inside. */
#include "policy/refresh/groups.h"
#include "policy/refresh/sampling.h"

enum { GROUPS };
static const struct fg_param params[] = {[GROUPS] = FG_GROUPS_PARAM, {0}};
static const struct fg_column columns[] = {{0}};

static size_t select_groups(struct fg_brain *brain, size_t budget, struct fg_pick *out)
{
    struct fg_groups groups;
    fg_groups_gather(&groups, brain);
    for (size_t g = 0; g < groups.n; g++)
        groups.share[g] = 1;
    size_t taken = fg_groups_sample(&groups, brain, budget, out);
    fg_groups_clear(&groups);
    return taken;
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    (void)now;
    if (brain->knob[GROUPS] != 0)
        return select_groups(brain, budget, out);
    for (size_t i = 0; i < brain->world->n; i++)
        brain->scores[i] = 1;
    return fg_sampling_take(brain, brain->scores, budget, out);
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    *reason = (struct fg_reason){.score = 1 / (double)brain->world->n,
                                 .rate = (double)fg_world_waited(brain->world, page, now),
                                 .rate_unit = "hours waited"};
}

const struct fg_policy fg_policy_uniform = {
    .name = "uniform",
    .summary = "every page at the same rate, by lot",
    .paper = "Cho & Garcia-Molina, SIGMOD 2000; Han et al., WWW 2020",
    .tasks = FG_REFRESH,
    .params = params,
    .columns = columns,
    .select = choose,
    .explain = explain,
};
