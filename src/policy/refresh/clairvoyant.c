/* clairvoyant.c - sees which copies are stale, and fetches the heaviest of them
 *
 * What could be gained at all if one knew where changes have happened, though not where
 * they will. For the lab only. A copy that is fresh is not fetched, so the budget may not
 * be spent. */
#include "policy/refresh/rates.h"

static const struct fg_param params[] = {FG_RATES_PARAMS, {0}};
static const struct fg_column columns[] = {{0}};

static void score(struct fg_brain *brain, fg_time now, size_t first, size_t n, float *out)
{
    (void)now;
    const struct fg_foresight *foresight = brain->foresight;
    fg_rates_interest(brain, FG_TOLD_CLICKS_HISTORY, first, n, out);
    for (size_t i = 0; foresight && foresight->is_stale && i < n; i++)
        if (!foresight->is_stale(foresight->context, first + i))
            out[i] = -INFINITY;
}

const struct fg_policy fg_policy_clairvoyant = {
    .name = "clairvoyant",
    .summary = "sees which copies are stale; the heaviest first",
    .tasks = FG_REFRESH,
    .needs_foresight = true,
    .is_steady = true,
    .params = params,
    .columns = columns,
    .score = score,
};
