/* interest.c - pages by how likely they are clicked, or shown
 *
 * Table 2 of Han et al. (WWW 2020): rates b mu_i over the sum of all mu, mu being the
 * chance of being clicked in a day (`click`) or shown (`impression`), or the weight of
 * the page where nothing was told. Good where clicks are what counts, and blind to
 * change: the head of the distribution is fetched over and over though it has not
 * changed, and a page without clicks never. Impressions are ten times as many as clicks,
 * so they tell of more pages. */
#include "policy/refresh/rates.h"
#include "policy/refresh/sampling.h"

enum { UNCAPPED = FG_RATES_KNOBS };
static const struct fg_param params[] = {
    FG_RATES_PARAMS, [UNCAPPED] = FG_SAMPLING_PARAM, {0}};
static const struct fg_column columns[] = {{0}};

static size_t choose(struct fg_brain *brain, enum fg_told_rate history, size_t budget,
                     struct fg_pick *out)
{
    fg_rates_interest(brain, history, 0, brain->world->n, brain->scores);
    return (brain->knob[UNCAPPED] != 0 ? fg_sampling_take_uncapped : fg_sampling_take)(
        brain, brain->scores, budget, out);
}

static void explain(struct fg_brain *brain, enum fg_told_rate history, size_t page,
                    struct fg_reason *reason)
{
    float chance;
    fg_rates_interest(brain, history, page, 1, &chance);
    *reason = (struct fg_reason){.score = (double)chance,
                                 .rate = (double)chance,
                                 .low = (double)chance,
                                 .high = (double)chance};
}

/* --- click --- */

static size_t choose_clicked(struct fg_brain *brain, fg_time now, size_t budget,
                             struct fg_pick *out)
{
    (void)now;
    return choose(brain, FG_TOLD_CLICKS_HISTORY, budget, out);
}

static void explain_clicked(struct fg_brain *brain, fg_time now, size_t page,
                            struct fg_reason *reason)
{
    (void)now;
    explain(brain, FG_TOLD_CLICKS_HISTORY, page, reason);
    reason->rate_unit = "clicks a day, or weight";
}

const struct fg_policy fg_policy_click = {
    .name = "click",
    .summary = "pages by how likely they are clicked",
    .paper = "Han et al., WWW 2020",
    .tasks = FG_REFRESH,
    .params = params,
    .columns = columns,
    .select = choose_clicked,
    .explain = explain_clicked,
};

/* --- impression --- */

static size_t choose_shown(struct fg_brain *brain, fg_time now, size_t budget,
                           struct fg_pick *out)
{
    (void)now;
    return choose(brain, FG_TOLD_IMPRESSIONS_HISTORY, budget, out);
}

static void explain_shown(struct fg_brain *brain, fg_time now, size_t page,
                          struct fg_reason *reason)
{
    (void)now;
    explain(brain, FG_TOLD_IMPRESSIONS_HISTORY, page, reason);
    reason->rate_unit = "impressions a day, or weight";
}

const struct fg_policy fg_policy_impression = {
    .name = "impression",
    .summary = "pages by how likely they are shown",
    .paper = "Han et al., WWW 2020",
    .tasks = FG_REFRESH,
    .params = params,
    .columns = columns,
    .select = choose_shown,
    .explain = explain_shown,
};
