#include "search/ranking.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Slot prices are of so many places; the community is not known, so these stand for it:
 * everybody who searches here is watched. */
enum { PLACES = 1000, PEOPLE = 1000, VISITS_A_DAY = 100, LIFE_DAYS = 365 };
static const double SHRUNK_BY = 10; /* looks */

static struct fg_rank_tally tally_of(const struct fg_feedback_row *row)
{
    double clicks = (double)row->clicks;
    return (struct fg_rank_tally){.seen = fmax((double)row->looks * 1e-6, clicks),
                                  .liked = clicks};
}

/* Prices as if qualities went by the usual law around the mean that was seen. */
static void begin_prices(struct fg_quality *quality, const struct fg_rank_policy *policy,
                         const struct fg_rank_tally *all)
{
    struct fg_rank_tally unseen = {0};
    double prices[PLACES], sum = 0, knob[FG_PARAMS_MAX];
    quality->shares = fg_zeroed(PLACES, sizeof *quality->shares);
    fg_rank_shares(quality->shares, PLACES, 1.5);
    struct fg_rank_setting setting = {.pages = PLACES,
                                      .users = PEOPLE,
                                      .watched = PEOPLE,
                                      .visits = VISITS_A_DAY,
                                      .life_days = LIFE_DAYS,
                                      .feedback = FG_FEEDBACK_CLICKS,
                                      .share = quality->shares};
    fg_rank_knobs(knob, policy);
    quality->ranker = fg_ranker_new(policy, knob, &setting);
    fg_ranker_learn(quality->ranker, &unseen, all->seen, all->liked);
    for (size_t x = 0; x < PLACES; x++)
        sum += prices[x] = pow((double)(x + 1), -1 / 1.1);
    for (size_t x = 0; x < PLACES; x++)
        prices[x] = fmin(1, prices[x] * quality->mean * PLACES / sum);
    fg_ranker_renew(quality->ranker, prices);
    /* What nobody has seen is what others are compared with. */
    quality->mean = fmax(fg_ranker_key(quality->ranker, &unseen), 1e-6);
}

enum fg_status fg_quality_init(struct fg_quality *quality, struct fg_store *store,
                               const struct fg_ranking *ranking, struct fg_err *err)
{
    struct fg_feedback_row row;
    *quality = (struct fg_quality){0};
    if (!ranking->policy)
        return FG_OK;
    enum fg_status st = fg_store_feedback(store, &row, 0, 0, err);
    if (st || !row.looks)
        return st;
    struct fg_rank_tally all = tally_of(&row);
    double knob[FG_PARAMS_MAX] = {0};
    fg_rank_knobs(knob, ranking->policy);
    quality->is_on = true;
    quality->mean = fmin(fmax(all.liked / all.seen, 0.001), 1);
    quality->how = (struct fg_promotion){.pool = ranking->policy->pool,
                                         .degree = ranking->degree,
                                         .start = ranking->start};
    if (ranking->policy->pool != FG_POOL_NONE &&
        ranking->policy->about.params[FG_KNOB_FEW].name)
        quality->how.few = knob[FG_KNOB_FEW];
    if (ranking->policy->renew)
        begin_prices(quality, ranking->policy, &all);
    return FG_OK;
}

void fg_quality_clear(struct fg_quality *quality)
{
    fg_ranker_free(quality->ranker);
    free(quality->shares);
    *quality = (struct fg_quality){0};
}

double fg_quality_of(const struct fg_quality *quality,
                     const struct fg_feedback_row *feedback)
{
    if (!quality->is_on)
        return 1;
    struct fg_rank_tally tally = tally_of(feedback);
    double estimate =
        (SHRUNK_BY * quality->mean + tally.liked) / (SHRUNK_BY + tally.seen);
    if (quality->ranker)
        estimate = fg_ranker_key(quality->ranker, &tally);
    return fmin(fmax(estimate / quality->mean, 0.1), 10);
}

static bool is_pooled(const struct fg_quality *quality,
                      const struct fg_feedback_row *feedback)
{
    return round(tally_of(feedback).seen) <= quality->how.few;
}

void fg_quality_promote(const struct fg_quality *quality,
                        const struct fg_feedback_row *feedback, size_t n, uint64_t seed,
                        uint32_t *order, bool *is_promoted)
{
    struct fg_rng rng = fg_rng_from_seed(seed);
    bool *is_in = fg_zeroed(n + 1, sizeof *is_in);
    for (size_t i = 0; i < n; i++)
        is_in[i] = quality->is_on && is_pooled(quality, &feedback[i]);
    fg_promote_some(quality->is_on ? quality->how : (struct fg_promotion){0}, n, is_in,
                    &rng, order, is_promoted);
    free(is_in);
}
