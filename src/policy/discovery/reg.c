/* reg.c - the sources of which a linear regression expects the most new links
 *
 * Pham, Santos and Freire, "Learning to Discover Domain-Specific Web Content" (WSDM
 * 2018), strategies REG and REG-RR. A visit that went well is an example: what was known
 * of the source, and how many new links it found. Every three hours a regression over the
 * examples of the last week learns what a new link depends on, one model for all sources;
 * the sources with the highest predictions are visited, leaving out those that show the
 * same new links as one already chosen (overlap.h). The first ten hours, without a model,
 * go to sources never tried and then to the highest averages. Features and windows are
 * in yield_model.h.
 *
 * `reg` does nothing else, and forgets sources that once looked poor until their age
 * speaks for them. `reg-rr` gives a tenth of the visits to the sources that have waited
 * longest, which the authors found best on one of their three domains.
 *
 * Where it breaks. The hour and the day are the same for all sources at the time of a
 * choice: they explain the level of the examples but cannot move one source past another,
 * so this model knows no source that is busy in the morning and quiet at night. The first
 * visit of a source finds its whole stock of links and is an example like any other, as
 * published. A pair of sources once found alike is never chosen together again by
 * prediction, so a chance likeness of two short lists stays until turn-taking brings both
 * into one round: on recorded news sites overlap 0.7 helps while the budget is small and
 * hurts when it is large (regret of `reg` at 40 % of the sources: 7.1 % with, 3.5 %
 * without). Letting a likeness expire after a day gave 4.1 % there; the paper says
 * nothing of the kind, so it is not done. */
#include "policy/discovery/yield_model.h"

enum { RATIO = FG_YIELD_KNOBS };
#define RATIO_PARAM(initial) \
    [RATIO] = {"ratio", (initial), 0, 1, "share of the visits led by the predictions"}

static const struct fg_param reg_params[] = {
    FG_YIELD_PARAMS(168, 0.7),
    RATIO_PARAM(1.0),
    {0},
};
static const struct fg_param reg_rr_params[] = {
    FG_YIELD_PARAMS(168, 0.7),
    RATIO_PARAM(0.9),
    {0},
};

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    fg_yield_turn(brain, now);
    if (fg_yield_is_starting(brain, now))
        return fg_yield_take_average(brain, budget, out);
    if (fg_yield_is_due(brain, now))
        fg_yield_fit(brain, now);
    return fg_yield_take(brain, now, brain->knob[RATIO], budget, out);
}

const struct fg_policy fg_policy_reg = {
    .name = "reg",
    .summary = "the most new links by a regression on recent visits",
    .paper = "Pham, Santos & Freire, WSDM 2018",
    .params = reg_params,
    .select = choose,
    .self_size = sizeof(struct fg_yield_model),
    .save = fg_yield_save,
    .load = fg_yield_load,
    FG_YIELD_POLICY,
};

const struct fg_policy fg_policy_reg_rr = {
    .name = "reg-rr",
    .summary = "nine visits by regression, the tenth to the source that waited longest",
    .paper = "Pham, Santos & Freire, WSDM 2018",
    .params = reg_rr_params,
    .select = choose,
    .self_size = sizeof(struct fg_yield_model),
    .save = fg_yield_save,
    .load = fg_yield_load,
    FG_YIELD_POLICY,
};
