/* change.c - pages by how likely they change
 *
 * Table 2 of Han et al. (WWW 2020), after Cho and Garcia-Molina: rates b Delta_i over the
 * sum of all Delta. The natural idea, and a trap: it spends most on pages that change so
 * often that a copy is stale again at once, and is worse than `uniform`. */
#include "policy/refresh/rates.h"
#include "policy/refresh/sampling.h"

enum { UNCAPPED = FG_RATES_CHANGE_KNOBS };
static const struct fg_param params[] = {
    FG_RATES_PARAMS, FG_RATES_OWN_PARAM, [UNCAPPED] = FG_SAMPLING_PARAM, {0}};
static const struct fg_column columns[] = {FG_RATES_COLUMNS, {0}};

static void weigh(const struct fg_brain *brain, size_t first, size_t n, float *out)
{
    (brain->knob[FG_RATES_COUNT] != 0 ? fg_rates_changes
                                      : fg_rates_change_chances)(brain, 1, first, n, out);
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    (void)now;
    weigh(brain, 0, brain->world->n, brain->scores);
    return (brain->knob[UNCAPPED] != 0 ? fg_sampling_take_uncapped : fg_sampling_take)(
        brain, brain->scores, budget, out);
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    (void)now;
    float chance;
    weigh(brain, page, 1, &chance);
    fg_rates_explain(brain, page, reason);
    reason->score = (double)chance;
}

const struct fg_policy fg_policy_change = {
    .name = "change",
    .summary = "pages by how likely they change",
    .paper = "Han et al., WWW 2020, after Cho & Garcia-Molina, SIGMOD 2000",
    .tasks = FG_REFRESH,
    .params = params,
    .columns = columns,
    .self_size = sizeof(struct fg_rates_of_all),
    .observe = fg_rates_observe,
    .select = choose,
    .explain = explain,
};
