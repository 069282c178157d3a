/* lambda.c - LambdaCrawl: the rates under which most clicks meet a fresh copy, by lot
 *
 * Azar et al. (PNAS 2018), the last line of Table 2 of Han et al. (WWW 2020). With visits
 * and changes both by lot, a page that is visited with chance p and changes with chance D
 * in a step is fresh with chance p / (p + D - D p); the sum of these, weighted by clicks,
 * is made as large as it can be with sum p = b. It favours what is clicked and changes,
 * and gives up on what changes too fast to be kept fresh.
 *
 * The closed form as printed knows no bounds: on skewed rates an eighth of its p are
 * negative, and cut off they sum to a multiple of the budget. Here the problem is solved
 * with its bounds, and with the limits of sites as bounds on their sums (learn/lambda.h).
 * `printed` has the literal form, cut off and rescaled, for comparison.
 *
 * Rates estimated as 0 starve a page for ever; see `smooth`. Rates are all this policy
 * decides: when a page is due is left to chance, and a page seen an hour ago is as likely
 * picked as one seen last week. Visits at the same rates and even distances are fresher:
 * `whittle`. */
#include "policy/refresh/optimum.h"
#include "policy/refresh/sampling.h"

enum { FORM = FG_RATES_CHANGE_KNOBS, IMPRESSIONS, PRINTED };
static const struct fg_param params[] = {
    FG_RATES_PARAMS,
    FG_RATES_OWN_PARAM,
    [FORM] = FG_OPTIMUM_FORM_PARAM,
    [IMPRESSIONS] = {"impressions", 0, 0, 1, "1: weights are impressions, not clicks"},
    [PRINTED] = {"printed", 0, 0, 1, "1: the closed form as printed, cut off, rescaled"},
    {0},
};
static const struct fg_column columns[] = {FG_OPTIMUM_COLUMNS, {0}};

static enum fg_lambda_model form_of(const struct fg_brain *brain)
{
    return brain->knob[PRINTED] != 0 ? FG_LAMBDA_BERNOULLI
                                     : (enum fg_lambda_model)brain->knob[FORM];
}

static enum fg_told_rate interest_of(const struct fg_brain *brain)
{
    return brain->knob[IMPRESSIONS] != 0 ? FG_TOLD_IMPRESSIONS_HISTORY
                                         : FG_TOLD_CLICKS_HISTORY;
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    (void)now;
    fg_optimum_weigh(brain, form_of(brain), interest_of(brain));
    if (brain->knob[PRINTED] != 0)
        fg_optimum_printed(brain, budget, brain->scores);
    else
        fg_optimum_rates(brain, form_of(brain), budget, brain->scores);
    return fg_sampling_take(brain, brain->scores, budget, out);
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    (void)now;
    fg_rates_explain(brain, page, reason);
    reason->score = fg_optimum_rate_of(brain, form_of(brain), interest_of(brain), page);
}

const struct fg_policy fg_policy_lambda = {
    .name = "lambda",
    .summary = "LambdaCrawl: the rates under which most clicks meet a fresh copy",
    .paper = "Azar et al., PNAS 2018; Han et al., WWW 2020",
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
