#include "search/rank/rank.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

extern const struct fg_rank_policy fg_rank_deterministic, fg_rank_uniform,
    fg_rank_selective, fg_rank_relaxed, fg_rank_slot_price;

const struct fg_policy *const fg_rank_policies[] = {
    &fg_rank_selective.about, &fg_rank_deterministic.about, &fg_rank_uniform.about,
    &fg_rank_relaxed.about,   &fg_rank_slot_price.about,    NULL,
};

const struct fg_column fg_rank_no_columns[] = {{0}};

const struct fg_rank_policy *fg_rank_policy_find(struct fg_str name)
{
    for (size_t i = 0; fg_rank_policies[i]; i++)
        if (fg_str_eq(name, fg_str_from(fg_rank_policies[i]->name)))
            return (const struct fg_rank_policy *)fg_rank_policies[i];
    return NULL;
}

void fg_rank_knobs(double *knob, const struct fg_rank_policy *policy)
{
    for (size_t i = 0; policy->about.params[i].name; i++)
        knob[i] = policy->about.params[i].initial;
}

bool fg_rank_knob_set(double *knob, const struct fg_rank_policy *policy,
                      struct fg_str name, double value)
{
    const struct fg_param *params = policy->about.params;
    for (size_t i = 0; params[i].name; i++)
        if (fg_str_eq(name, fg_str_from(params[i].name))) {
            if (!(value >= params[i].least && value <= params[i].most))
                return false;
            knob[i] = value;
            return true;
        }
    return false;
}

static struct fg_promotion promotion_of(const struct fg_rank_policy *policy,
                                        const double *knob)
{
    struct fg_promotion how = {.pool = policy->pool, .start = 1};
    if (policy->pool == FG_POOL_NONE)
        return how;
    how.degree = knob[FG_KNOB_DEGREE];
    how.start = (size_t)knob[FG_KNOB_START];
    if (policy->about.params[FG_KNOB_FEW].name)
        how.few = knob[FG_KNOB_FEW];
    if (!(how.degree > 0))
        how.pool = FG_POOL_NONE; /* the very same path as without promotion */
    return how;
}

struct fg_ranker *fg_ranker_new(const struct fg_rank_policy *policy, const double *knob,
                                const struct fg_rank_setting *setting)
{
    struct fg_ranker *ranker = fg_zeroed(1, sizeof *ranker);
    ranker->policy = policy;
    ranker->setting = *setting;
    for (size_t i = 0; policy->about.params[i].name; i++)
        ranker->knob[i] = knob[i];
    ranker->promotion = promotion_of(policy, ranker->knob);
    if (policy->init)
        policy->init(ranker);
    return ranker;
}

void fg_ranker_free(struct fg_ranker *ranker)
{
    if (!ranker)
        return;
    fg_arena_clear(&ranker->arena);
    free(ranker);
}

double fg_rank_by_popularity(const struct fg_ranker *ranker,
                             const struct fg_rank_tally *tally)
{
    (void)ranker;
    return tally->liked;
}

void fg_rank_shares(double *share, size_t n, double exponent)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += share[i] = pow((double)(i + 1), -exponent);
    for (size_t i = 0; i < n; i++)
        share[i] /= sum;
}
