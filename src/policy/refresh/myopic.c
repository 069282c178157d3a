/* myopic.c - the page whose copy is most likely stale, times its weight
 *
 * w P(stale), with P(stale) = 1 - exp(-l X) for a page that changes at rate l and was
 * last seen X days ago; 1 for a page never seen. What one would do first, and a trap: it
 * asks what is stale now and not how long the copy will stay fresh once fetched, so pages
 * that change all the time come first and the slow ones wait. Clicks are served well, a
 * page freshness of a quarter comes with it. `whittle` is the cure at the same cost. */
#include "policy/refresh/rates.h"

enum { BLOCK = 256 };

static const struct fg_param params[] = {FG_RATES_PARAMS, FG_RATES_OWN_PARAM, {0}};
static const struct fg_column columns[] = {FG_RATES_COLUMNS, {0}};

static void chances_of_stale(const struct fg_brain *brain, fg_time now, size_t first,
                             size_t n, float *out)
{
    const fg_time *seen = brain->world->last_visit + first;
    fg_rates_changes(brain, 1, first, n, out);
    for (size_t i = 0; i < n; i++)
        out[i] *= seen[i] == FG_NEVER ? 1e9f : (float)fg_days(now - seen[i]);
    fg_rates_to_chances(out, n);
}

static void score(struct fg_brain *brain, fg_time now, size_t first, size_t n, float *out)
{
    float weight[BLOCK];
    for (size_t done = 0; done < n; done += BLOCK) {
        size_t some = n - done < BLOCK ? n - done : BLOCK;
        fg_rates_interest(brain, FG_TOLD_CLICKS_HISTORY, first + done, some, weight);
        chances_of_stale(brain, now, first + done, some, out + done);
        for (size_t i = 0; i < some; i++)
            out[done + i] *= weight[i];
    }
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    float worth;
    score(brain, now, page, 1, &worth);
    fg_rates_explain(brain, page, reason);
    reason->score = (double)worth;
}

const struct fg_policy fg_policy_myopic = {
    .name = "myopic",
    .summary = "weight times the chance that the copy is stale",
    .tasks = FG_REFRESH,
    .is_steady = true,
    .params = params,
    .columns = columns,
    .self_size = sizeof(struct fg_rates_of_all),
    .observe = fg_rates_observe,
    .score = score,
    .explain = explain,
};
