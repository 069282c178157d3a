/* click.c - pages by how likely they are clicked
 *
 * Table 2 of Han et al. (WWW 2020): rates b mu_i over the sum of all mu, mu being the
 * chance of being clicked in a day, or the weight of the page where nothing was told.
 * Good where clicks are what counts, and blind to change: the head of the distribution is
 * fetched over and over though it has not changed, and a page without clicks never. */
#include "policy/refresh/rates.h"
#include "policy/refresh/sampling.h"

static const struct fg_param params[] = {FG_RATES_PARAMS, {0}};
static const struct fg_column columns[] = {{0}};

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    (void)now;
    fg_rates_interest(brain, FG_TOLD_CLICKS_HISTORY, 0, brain->world->n, brain->scores);
    return fg_sampling_take(brain, brain->scores, budget, out);
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    (void)now;
    float chance;
    fg_rates_interest(brain, FG_TOLD_CLICKS_HISTORY, page, 1, &chance);
    *reason = (struct fg_reason){.score = (double)chance,
                                 .rate = (double)chance,
                                 .low = (double)chance,
                                 .high = (double)chance,
                                 .rate_unit = "clicks a day, or weight"};
}

const struct fg_policy fg_policy_click = {
    .name = "click",
    .summary = "pages by how likely they are clicked",
    .paper = "Han et al., WWW 2020",
    .tasks = FG_REFRESH,
    .params = params,
    .columns = columns,
    .select = choose,
    .explain = explain,
};
