/* lambda.c - LambdaCrawl: the rates under which most clicks meet a fresh copy, by lot
 *
 * Azar et al. (PNAS 2018), the last line of Table 2 of Han et al. (WWW 2020). With visits
 * and changes both by lot, a page that is visited with chance p and changes with chance D
 * in a step is fresh with chance p / (p + D - D p); the sum of these, weighted by clicks,
 * is made as large as it can be with sum p = b. It favours what is clicked and changes,
 * and gives up on what changes too fast to be kept fresh.
 *
 * What a step is, is another question. Solved for chances in a tick the rates are those
 * of the crawl there is. Han et al. are told chances of a change in a day and a budget a
 * day, and put both in as they are: `daily` does that, with one visit a day at most. A
 * page that changes many times a day then has a chance of nearly 1 and is worth little
 * more than one that changes once, and none is visited twice a day.
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

enum { FORM = FG_RATES_CHANGE_KNOBS, IMPRESSIONS, PRINTED, DAILY, UNCAPPED };
static const struct fg_param params[] = {
    FG_RATES_PARAMS,
    FG_RATES_OWN_PARAM,
    [FORM] = FG_OPTIMUM_FORM_PARAM,
    [IMPRESSIONS] = {"impressions", 0, 0, 1, "1: weights are impressions, not clicks"},
    [PRINTED] = {"printed", 0, 0, 1, "1: the closed form as printed, cut off, rescaled"},
    [DAILY] = FG_OPTIMUM_DAILY_PARAM,
    [UNCAPPED] = FG_SAMPLING_PARAM,
    {0},
};
static const struct fg_column columns[] = {FG_OPTIMUM_COLUMNS, {0}};

static struct fg_optimum_form form_of(const struct fg_brain *brain)
{
    return (struct fg_optimum_form){
        .model = brain->knob[PRINTED] != 0 ? FG_LAMBDA_BERNOULLI
                                           : (enum fg_lambda_model)brain->knob[FORM],
        .interest = brain->knob[IMPRESSIONS] != 0 ? FG_TOLD_IMPRESSIONS_HISTORY
                                                  : FG_TOLD_CLICKS_HISTORY,
        .is_daily = brain->knob[DAILY] != 0,
    };
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    (void)now;
    struct fg_optimum_form form = form_of(brain);
    fg_optimum_weigh(brain, &form);
    if (brain->knob[PRINTED] != 0)
        fg_optimum_printed(brain, &form, budget, brain->scores);
    else
        fg_optimum_rates(brain, &form, budget, brain->scores);
    return (brain->knob[UNCAPPED] != 0 ? fg_sampling_take_uncapped : fg_sampling_take)(
        brain, brain->scores, budget, out);
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    (void)now;
    struct fg_optimum_form form = form_of(brain);
    fg_rates_explain(brain, page, reason);
    reason->score = fg_optimum_rate_of(brain, &form, page);
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
    .site.save = fg_optimum_save_site,
    .site.load = fg_optimum_load_site,
    .clear = fg_optimum_clear,
};
