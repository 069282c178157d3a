/* bandit.c - a regression picks, round-robin explores, and UCB1 sets the ratio
 *
 * Pham, Santos and Freire (WSDM 2018), Algorithm 3, strategy BANDIT: a share of the
 * visits follows the predictions of `reg`, the rest goes to the sources that have waited
 * longest. The share is one of 0.6, 0.7, 0.8, 0.9 and 1, the arms of a bandit: each turn
 * UCB1 (learn/ucb.h) plays one, and its reward is the number of new links the turn found.
 *
 * `pham` is the same as Schulam and Muslea (WWW 2023 Companion, section 3.2.2) built it
 * to measure against: overlap is ignored, and the features of a source look back over 24
 * hours instead of a week.
 *
 * The papers leave some things open. A share of few visits is rounded to the nearest
 * whole number, so a budget of 5 has 3, 4, 4, 5 or 5 led visits, and a budget of 1 is
 * always led. A source without a visit in 24 hours has average 0, ages are not capped,
 * and first visits count. Regret of `pham` on recorded news sites at 5 % of the sources:
 * 11.1 % so; 12.2 rounding down, 11.4 keeping the last average, 11.9 with ages up to 24
 * hours (which locks in on a whole recording: 29 instead of 12), 11.2 without first
 * visits.
 *
 * Both papers give UCB1 the plain number of links. Its exploration term is made for
 * rewards between 0 and 1 and vanishes beside dozens of links, so after one round of
 * trials the arm that was lucky then is played until its mean sinks; scaled rewards would
 * be the cure, but not what was published. The mean is also over hours of very different
 * activity: it tells as much about when an arm was tried as about the arm. */
#include "policy/discovery/yield_model.h"

#include "learn/ucb.h"

#include <string.h>

enum { ARMS = FG_YIELD_KNOBS, LEAST };
#define ARM_PARAMS                                             \
    [ARMS] = {"arms", 5, 1, FG_UCB_ARMS_MAX, "ratios to try"}, \
    [LEAST] = {"least-ratio", 0.6, 0, 1,                       \
               "smallest share of the visits led by the "      \
               "predictions; the other arms go from there to 1"}

static const struct fg_param bandit_params[] = {
    FG_YIELD_PARAMS(168, 0.7),
    ARM_PARAMS,
    {0},
};
static const struct fg_param pham_params[] = {
    FG_YIELD_PARAMS(24, 1.0),
    ARM_PARAMS,
    {0},
};

struct self {
    struct fg_yield_model model;
    struct play {
        struct fg_ucb ucb; /* of no arms until the first play */
        uint32_t arm;
        uint8_t is_playing; /* the visits of the last turn are the arm's */
    } play;
};

static double ratio_of(const struct fg_brain *brain, size_t arm)
{
    double steps = brain->knob[ARMS] - 1, least = brain->knob[LEAST];
    return steps >= 1 ? least + (1 - least) * (double)arm / (double)(size_t)steps : least;
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    struct play *play = &((struct self *)brain->self)->play;
    struct fg_yield_round last = fg_yield_turn(brain, now);
    if (play->is_playing && last.visits)
        fg_ucb_reward(&play->ucb, play->arm, last.found);
    play->is_playing = false;
    if (fg_yield_is_starting(brain, now))
        return fg_yield_take_average(brain, budget, out);
    if (fg_yield_is_due(brain, now))
        fg_yield_fit(brain, now);
    if (!play->ucb.arms)
        fg_ucb_init(&play->ucb, (size_t)brain->knob[ARMS]);
    play->arm = (uint32_t)fg_ucb_choose(&play->ucb);
    play->is_playing = true;
    return fg_yield_take(brain, now, ratio_of(brain, play->arm), budget, out);
}

static void save(struct fg_brain *brain, struct fg_buf *out)
{
    const struct self *self = brain->self;
    fg_buf_add(out, (struct fg_str){(const char *)&self->play, sizeof self->play});
    fg_yield_save(brain, out);
}

static bool load(struct fg_brain *brain, struct fg_str bytes)
{
    struct self *self = brain->self;
    self->play = (struct play){0};
    struct fg_str model = fg_str_skip(bytes, sizeof self->play);
    if (!fg_yield_load(brain, model))
        return false;
    memcpy(&self->play, bytes.at, sizeof self->play);
    /* The knobs may have changed since: other arms are another bandit. So is one that
     * played an arm it does not have. */
    if (self->play.ucb.arms != (size_t)brain->knob[ARMS] ||
        self->play.arm >= self->play.ucb.arms)
        self->play = (struct play){0};
    return true;
}

const struct fg_policy fg_policy_bandit = {
    .name = "bandit",
    .summary = "regression and round-robin, in a ratio that UCB1 finds",
    .paper = "Pham, Santos & Freire, WSDM 2018",
    .params = bandit_params,
    .self_size = sizeof(struct self),
    .select = choose,
    .save = save,
    .load = load,
    FG_YIELD_POLICY,
};

const struct fg_policy fg_policy_pham = {
    .name = "pham",
    .summary = "bandit without overlap, looking back 24 hours",
    .paper = "Schulam & Muslea, WWW 2023 Companion, after Pham et al., WSDM 2018",
    .params = pham_params,
    .self_size = sizeof(struct self),
    .select = choose,
    .save = save,
    .load = load,
    FG_YIELD_POLICY,
};
