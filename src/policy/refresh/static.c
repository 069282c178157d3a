/* static.c - one distribution over pages, drawn from again and again
 *
 * The static optimisation (SO) that Avrachenkov et al. (ICC 2021, section IV.B) compare
 * with: the chances of Azar et al. (PNAS 2018) that make the weighted freshness of a
 * Bernoulli crawl greatest, found once from the true rates. `known` takes those from the
 * lab; without it, or in life, what was told or seen stands in, and the distribution
 * follows it.
 *
 * With groups as arms equation 8 is solved over the K arms, as printed: an arm has the
 * mean weight and the mean rate of its pages, as if it were one page, though its pages
 * take turns. Solved over all pages instead, with the chances of a group's pages added
 * up, it keeps more copies fresh (.706 against .618 of the weight in the second setting)
 * and finds less (1.67 against 1.90 a slot); the published curve is the former.
 *
 * It is `lambda` without limits of sites. With true rates it shows what rates by lot can
 * reach; `whittle` with the same rates shows what they cannot. */
#include "base/memory.h"
#include "policy/refresh/groups.h"
#include "policy/refresh/optimum.h"
#include "policy/refresh/sampling.h"

#include <stdlib.h>

enum { KNOWN = FG_RATES_CHANGE_KNOBS, GROUPS };
static const struct fg_param params[] = {
    FG_RATES_PARAMS,
    FG_RATES_OWN_PARAM,
    [KNOWN] = {"known", 1, 0, 1, "1: true rates, where the lab can tell them"},
    [GROUPS] = FG_GROUPS_PARAM,
    {0},
};
static const struct fg_column columns[] = {FG_OPTIMUM_COLUMNS, {0}};

static const struct fg_optimum_form form = {FG_LAMBDA_BERNOULLI, FG_TOLD_CLICKS_HISTORY,
                                            false};

static bool knows(const struct fg_brain *brain)
{
    return brain->knob[KNOWN] != 0 && brain->foresight && brain->foresight->rate;
}

static void weigh(struct fg_brain *brain)
{
    fg_optimum_weigh(brain, &form);
    const struct fg_foresight *foresight = brain->foresight;
    float *change = brain->f32[FG_OPTIMUM_CHANGE];
    if (!knows(brain))
        return;
    for (size_t i = 0; i < brain->world->n; i++)
        change[i] =
            (float)(foresight->rate(foresight->context, i) * fg_days(brain->world->tick));
    fg_rates_to_chances(change, brain->world->n);
}

/* --- groups as arms --- */

struct arms {
    size_t n;
    float *weight, *change, *chance;
};

/* Means over the pages of each group; the columns of a page then hold those of its arm,
 * so that it can be explained. */
static struct arms gather_arms(struct fg_brain *brain, const struct fg_groups *groups)
{
    size_t n = groups->n;
    struct arms arms = {n, fg_zeroed(n, sizeof(float)), fg_zeroed(n, sizeof(float)),
                        fg_zeroed(n, sizeof(float))};
    float *weight = brain->f32[FG_OPTIMUM_WEIGHT],
          *change = brain->f32[FG_OPTIMUM_CHANGE];
    for (size_t g = 0; g < n; g++) {
        const uint32_t *page = groups->pages + groups->first[g];
        size_t pages = fg_groups_size(groups, g);
        double weights = 0, changes = 0;
        for (size_t i = 0; i < pages; i++) {
            weights += (double)weight[page[i]];
            changes += (double)change[page[i]];
        }
        arms.weight[g] = pages ? (float)(weights / (double)pages) : 0;
        arms.change[g] = pages ? (float)(changes / (double)pages) : 0;
    }
    for (size_t i = 0; i < brain->world->n; i++) {
        weight[i] = arms.weight[brain->world->group[i]];
        change[i] = arms.change[brain->world->group[i]];
    }
    return arms;
}

static void arms_clear(struct arms *arms)
{
    free(arms->weight);
    free(arms->change);
    free(arms->chance);
}

static size_t choose_groups(struct fg_brain *brain, size_t budget, struct fg_pick *out)
{
    struct fg_lambda *lambda = &((struct fg_optimum *)brain->self)->lambda;
    struct fg_groups groups;
    fg_groups_gather(&groups, brain);
    struct arms arms = gather_arms(brain, &groups);
    struct fg_lambda_pages pages = {
        .n = arms.n, .weight = arms.weight, .change = arms.change};
    lambda->model = form.model;
    lambda->most = 1;
    fg_lambda_solve(lambda, &pages,
                    brain->world->budget > 0 ? brain->world->budget : (double)budget);
    fg_lambda_rates(lambda, &pages, 0, arms.n, arms.chance);
    for (size_t g = 0; g < arms.n; g++)
        groups.share[g] = (double)arms.chance[g];
    size_t taken = fg_groups_sample(&groups, brain, budget, out);
    arms_clear(&arms);
    fg_groups_clear(&groups);
    return taken;
}

static double chance_of_arm(const struct fg_brain *brain, size_t page)
{
    struct fg_lambda lambda = ((const struct fg_optimum *)brain->self)->lambda;
    if (!(lambda.price > 0))
        return 0;
    lambda.model = form.model;
    lambda.most = 1;
    return fg_lambda_rate(&lambda, (double)brain->f32[FG_OPTIMUM_WEIGHT][page],
                          (double)brain->f32[FG_OPTIMUM_CHANGE][page],
                          brain->world->site[page]);
}

/* --- the policy --- */

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    (void)now;
    weigh(brain);
    if (brain->knob[GROUPS] != 0)
        return choose_groups(brain, budget, out);
    fg_optimum_rates(brain, &form, budget, brain->scores);
    return fg_sampling_take(brain, brain->scores, budget, out);
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    (void)now;
    fg_rates_explain(brain, page, reason);
    reason->score = brain->knob[GROUPS] != 0 ? chance_of_arm(brain, page)
                                             : fg_optimum_rate_of(brain, &form, page);
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
    .site.save = fg_optimum_save_site,
    .site.load = fg_optimum_load_site,
    .clear = fg_optimum_clear,
};
