/* od.c - the pages that have shown the most new links
 *
 * Algorithm OD, "out-degree", of chapter 3.6 of Pandey's thesis (Dasgupta et al., WWW
 * 2007): estimate p_i, the share of the new pages that page i leads to, and take the k
 * highest. Lemma 1 there: with true p_i it finds at least p[1] / (p[1] + p[k+1] + ... +
 * p[2k-1]) of what the best k pages would, which is much when few pages have most of the
 * links, and as little as 1/k where pages mirror each other.
 *
 *   od-win  the mean over past looks, weighted by alpha^age (degree.h). The thesis finds
 *           that alpha 0.8 and 1 do well and goes on with 1.
 *   od-all  the same with alpha = 1. In the thesis it is od-win with a recrawl of the
 *           whole site in every step; as a policy it differs by having no knob to forget.
 *   od-1    the last look alone. It finds much less: 44 % against 69 % in Table 3.2.
 *
 * Pham et al. (WSDM 2018) run od-win where no recrawl is ever complete: the mean number
 * of new pages over the past crawls of a page. That is what we do; `share` 1 gives p_i of
 * the thesis, which weighs a week with little news like one with much. Neither text says
 * how a page without a past gets one. Left alone, the first k pages would be the only
 * ones ever visited, so pages that were never tried come first; `untried` 0 leaves out
 * both them and those that never showed anything new, as the thesis does between its
 * recrawls, and may spend less than the budget.
 *
 * Where it breaks: overlap is ignored, and a page that had its one bad look early is
 * hardly ever tried again. od_bandit.c cures the second. */
#include "policy/discovery/degree.h"

#include <math.h>

static const struct fg_column columns[] = {FG_DEGREE_COLUMNS, {0}};

enum { SHARE, UNTRIED, ALPHA, PERIOD };
#define COMMON_PARAMS                                                             \
    [SHARE] = {"share", 0, 0, 1,                                                  \
               "1: count new links as a share of all that the same round found"}, \
    [UNTRIED] = {"untried", 1, 0, 1,                                              \
                 "1: pages never tried come first; 0: only pages that showed news"}
static const struct fg_param plain_params[] = {COMMON_PARAMS, {0}};
static const struct fg_param win_params[] = {
    COMMON_PARAMS,
    [ALPHA] = {"alpha", 1, 0.01, 1, "weight of a look against one a period later"},
    [PERIOD] = {"period", 168, 0.01, 87600, "hours in such a period"},
    {0},
};

extern const struct fg_policy fg_policy_od_win, fg_policy_od_1;

static struct fg_degree_rules rules_of(const struct fg_brain *brain)
{
    bool forgets = brain->policy == &fg_policy_od_win;
    return (struct fg_degree_rules){
        .alpha = forgets ? brain->knob[ALPHA] : 1,
        .period_hours = forgets ? brain->knob[PERIOD] : 1,
        .is_share = brain->knob[SHARE] > 0.5,
    };
}

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    struct fg_degree_rules rules = rules_of(brain);
    fg_degree_observe(brain, brain->self, &rules, visit);
}

static double estimate(const struct fg_brain *brain, size_t page)
{
    return brain->policy == &fg_policy_od_1 ? (double)brain->f32[FG_DEGREE_LAST][page]
                                            : fg_degree_mean(brain, page);
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    (void)now;
    const struct fg_world *world = brain->world;
    const bool tries_all = brain->knob[UNTRIED] > 0.5;
    struct fg_degree_rules rules = rules_of(brain);
    fg_degree_close(brain, brain->self, &rules);
    for (size_t i = 0; i < world->n; i++) {
        float p = (float)estimate(brain, i);
        if (tries_all)
            brain->scores[i] = world->last_try[i] == FG_NEVER ? INFINITY : p;
        else
            brain->scores[i] = p > 0 ? p : -INFINITY;
    }
    size_t n = fg_brain_take_best(brain, brain->scores, budget, out);
    fg_degree_account(brain, out, n, estimate);
    return n;
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    (void)now;
    fg_degree_explain(brain, page, reason);
    reason->score = estimate(brain, page);
}

#define OD(id, called, of, says, knobs)                                          \
    const struct fg_policy fg_policy_##id = {                                    \
        .name = called,                                                          \
        .summary = says,                                                         \
        .paper = of ": Pandey's thesis, chapter 3.6; Dasgupta et al., WWW 2007", \
        .tasks = FG_DISCOVERY,                                                   \
        .params = knobs,                                                         \
        .columns = columns,                                                      \
        .self_size = sizeof(struct fg_degree_round),                             \
        .observe = observe,                                                      \
        .select = choose,                                                        \
        .explain = explain,                                                      \
    }

OD(od_all, "od-all", "OD-ALL", "the most new links on average over all past visits",
   plain_params);
OD(od_1, "od-1", "OD-1", "the most new links at the last visit", plain_params);
OD(od_win, "od-win", "OD-WIN",
   "the most new links on average, recent visits weighing more", win_params);
