/* static.c - one distribution over pages, drawn from again and again
 *
 * The static optimisation (SO) that Avrachenkov et al. (ICC 2021, section IV.B) compare
 * with: the chances of Azar et al. (PNAS 2018) that make the weighted freshness of a
 * Bernoulli crawl greatest, found once from the true rates. `known` takes those from the
 * lab; without it, or in life, what was told or seen stands in, and the distribution
 * follows it. With groups as arms the chance of a group is that of its pages together,
 * and inside it goes in turn.
 *
 * It is `lambda` without limits of sites. With true rates it shows what rates by lot can
 * reach; `whittle` with the same rates shows what they cannot. */
#include "policy/refresh/groups.h"
#include "policy/refresh/optimum.h"
#include "policy/refresh/sampling.h"

enum { KNOWN = FG_RATES_CHANGE_KNOBS, GROUPS };
static const struct fg_param params[] = {
    FG_RATES_PARAMS,
    FG_RATES_OWN_PARAM,
    [KNOWN] = {"known", 1, 0, 1, "1: true rates, where the lab can tell them"},
    [GROUPS] = FG_GROUPS_PARAM,
    {0},
};
static const struct fg_column columns[] = {FG_OPTIMUM_COLUMNS, {0}};

static bool knows(const struct fg_brain *brain)
{
    return brain->knob[KNOWN] != 0 && brain->foresight && brain->foresight->rate;
}

static void weigh(struct fg_brain *brain)
{
    fg_optimum_weigh(brain, FG_LAMBDA_BERNOULLI, FG_TOLD_CLICKS_HISTORY);
    const struct fg_foresight *foresight = brain->foresight;
    float *change = brain->f32[FG_OPTIMUM_CHANGE];
    if (!knows(brain))
        return;
    for (size_t i = 0; i < brain->world->n; i++)
        change[i] =
            (float)(foresight->rate(foresight->context, i) * fg_days(brain->world->tick));
    fg_rates_to_chances(change, brain->world->n);
}

static size_t choose_groups(struct fg_brain *brain, size_t budget, struct fg_pick *out)
{
    struct fg_groups groups;
    fg_groups_gather(&groups, brain);
    for (size_t i = 0; i < brain->world->n; i++)
        groups.share[brain->world->group[i]] += (double)brain->scores[i];
    size_t taken = fg_groups_sample(&groups, brain, budget, out);
    fg_groups_clear(&groups);
    return taken;
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    (void)now;
    weigh(brain);
    fg_optimum_rates(brain, FG_LAMBDA_BERNOULLI, budget, brain->scores);
    return brain->knob[GROUPS] != 0 ? choose_groups(brain, budget, out)
                                    : fg_sampling_take(brain, brain->scores, budget, out);
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    (void)now;
    fg_rates_explain(brain, page, reason);
    reason->score =
        fg_optimum_rate_of(brain, FG_LAMBDA_BERNOULLI, FG_TOLD_CLICKS_HISTORY, page);
}

const struct fg_policy fg_policy_static = {
    .name = "static",
    .summary = "one distribution over pages, the best by lot for true rates",
    .paper = "Avrachenkov, Borkar & Patil, ICC 2021, after Azar et al., PNAS 2018",
    .tasks = FG_REFRESH,
    .params = params,
    .columns = columns,
    .self_size = sizeof(struct fg_optimum),
    .observe = fg_rates_observe,
    .select = choose,
    .explain = explain,
    .save = fg_optimum_save,
    .load = fg_optimum_load,
    .clear = fg_optimum_clear,
};
