/* kab.c - several ways to set rates, and a bandit that finds out which to use when
 *
 * Han et al., "Adversarial Bandits Policy for Crawling Commercial Web Content" (WWW
 * 2020), Algorithm 1. The arms are the rates of Table 2: uniform, by change, by click, by
 * impression, LambdaCrawl's. EXP3 draws one for each step of two hours; ticks shorter
 * than that keep the arm. When the next step begins, the visits observed meanwhile are
 * the arm's reward, equation (2): the clicks of the fetched pages that had changed, as a
 * share of the clicks of all fetched pages. (Line 11 of the algorithm divides by q_i; it
 * must mean the chance of the arm that was drawn.)
 *
 * That share is the precision of the arm and not what it gained: an arm that fetches
 * surely stale pages that nobody clicks wins against one that gains ten times the clicks.
 * `gain` takes the clicks themselves, as a share of the most that a step gained of late
 * (by half less in 69 steps). It is better for clicks and worse for pages nobody clicks.
 * Which arm wins is also a matter of luck: spread between seeds is wide at small budgets.
 *
 * A pick's probability is that within its arm. */
#include "learn/exp3.h"
#include "policy/refresh/optimum.h"
#include "policy/refresh/sampling.h"

#include <string.h>

/* The knobs of the arms are in the order of the arms. */
enum arm { UNIFORM, CHANGE, CLICK, IMPRESSION, LAMBDA, ARMS };
enum { GAMMA = FG_RATES_CHANGE_KNOBS, STEP, VARIANT, GAIN, FORM, FIRST_ARM };
#define PARAMS(uniform, change, click, impression, lambda)                             \
    {                                                                                  \
        FG_RATES_PARAMS, FG_RATES_OWN_PARAM,                                           \
            [GAMMA] = {"gamma", 0.1, 1e-3, 1,                                          \
                       "share of steps whose arm is drawn blindly"},                   \
            [STEP] = {"step", 2, 1e-3, 1e4, "hours for which an arm is kept"},         \
            [VARIANT] = {"variant", 0, 0, 2, "bandit: 0 EXP3, 1 EXP3-IX, 2 EXP3++"},   \
            [GAIN] = {"gain", 0, 0, 1,                                                 \
                      "reward: 0 share of stale clicks; 1 their number"},              \
            [FORM] = FG_OPTIMUM_FORM_PARAM,                                            \
            [FIRST_ARM +                                                               \
                UNIFORM] = {"uniform", uniform, 0, 1, "1: an arm, all rates alike"},   \
            [FIRST_ARM +                                                               \
                CHANGE] = {"change", change, 0, 1, "1: an arm, rates by change"},      \
            [FIRST_ARM + CLICK] = {"click", click, 0, 1, "1: an arm, rates by click"}, \
            [FIRST_ARM + IMPRESSION] = {"impression", impression, 0, 1,                \
                                        "1: an arm, rates by impression"},             \
            [FIRST_ARM +                                                               \
                LAMBDA] = {"lambda", lambda, 0, 1, "1: an arm, LambdaCrawl's rates"},  \
            {0},                                                                       \
    }
static const struct fg_param kab_params[] = PARAMS(1, 1, 1, 1, 1);
static const struct fg_param kab2_params[] = PARAMS(0, 1, 1, 0, 0);
static const struct fg_param kab3_params[] = PARAMS(1, 1, 1, 0, 0);
static const struct fg_param kab4_params[] = PARAMS(1, 1, 1, 1, 0);
static const struct fg_param kab5_params[] = PARAMS(1, 1, 1, 1, 1);
static const struct fg_column columns[] = {FG_OPTIMUM_COLUMNS, {0}};

/* The step that is on. */
struct step {
    fg_time began;
    uint32_t drawn;       /* of the bandit's arms */
    double clicks, stale; /* of the pages fetched, and of those that had changed */
    double most;          /* `stale` of one step, of late */
};

struct kab {
    struct fg_optimum optimum; /* as optimum.h asks */
    struct fg_exp3 bandit;
    struct step step;
};

static size_t arms_of(const struct fg_brain *brain, enum arm arms[ARMS])
{
    size_t n = 0;
    for (enum arm arm = UNIFORM; arm < ARMS; arm++)
        if (brain->knob[FIRST_ARM + arm] != 0)
            arms[n++] = arm;
    if (!n)
        arms[n++] = UNIFORM;
    return n;
}

/* --- steps --- */

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    struct step *step = &((struct kab *)brain->self)->step;
    fg_rates_observe(brain, visit);
    if (!visit->ok)
        return;
    float clicks;
    fg_rates_interest(brain, FG_TOLD_CLICKS_HISTORY, visit->page, 1, &clicks);
    step->clicks += (double)clicks;
    if (visit->changed || visit->previous == FG_NEVER) /* no copy is a stale copy */
        step->stale += (double)clicks;
}

static void close_step(struct kab *kab, bool is_gain)
{
    struct step *step = &kab->step;
    step->most = fmax(step->most * 0.99, step->stale);
    double whole = is_gain ? step->most : step->clicks;
    if (whole > 0)
        fg_exp3_reward(&kab->bandit, step->drawn, fmin(step->stale / whole, 1));
}

static void begin_step(struct fg_brain *brain, fg_time now)
{
    struct kab *kab = brain->self;
    enum arm arms[ARMS];
    size_t n = arms_of(brain, arms);
    if (kab->bandit.arms != n)
        fg_exp3_init(&kab->bandit, (enum fg_exp3_kind)brain->knob[VARIANT], n,
                     brain->knob[GAMMA]);
    else if (kab->step.clicks > 0)
        close_step(kab, brain->knob[GAIN] != 0);
    double chance;
    kab->step = (struct step){
        .began = now,
        .drawn = (uint32_t)fg_exp3_draw(&kab->bandit, &brain->rng, &chance),
        .most = kab->step.most,
    };
}

static bool is_over(const struct fg_brain *brain, fg_time now)
{
    const struct kab *kab = brain->self;
    /* what was read from a state may be any number */
    double hours = ((double)now - (double)kab->step.began) / (double)FG_HOUR;
    /* a clock that was set back must not hold an arm for years */
    return !kab->bandit.arms || hours < 0 || hours > brain->knob[STEP] - 1e-4;
}

/* --- choosing --- */

static void weigh(struct fg_brain *brain, enum arm arm, size_t budget, float *out)
{
    enum fg_lambda_model form = (enum fg_lambda_model)brain->knob[FORM];
    bool is_count = brain->knob[FG_RATES_COUNT] != 0;
    size_t n = brain->world->n;
    switch (arm) {
    case CHANGE:
        (is_count ? fg_rates_changes : fg_rates_change_chances)(brain, 1, 0, n, out);
        return;
    case CLICK:
        fg_rates_interest(brain, FG_TOLD_CLICKS_HISTORY, 0, n, out);
        return;
    case IMPRESSION:
        fg_rates_interest(brain, FG_TOLD_IMPRESSIONS_HISTORY, 0, n, out);
        return;
    case LAMBDA:
        fg_optimum_weigh(brain, form, FG_TOLD_CLICKS_HISTORY);
        fg_optimum_rates(brain, form, budget, out);
        return;
    default:
        for (size_t i = 0; i < n; i++)
            out[i] = 1;
    }
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    const struct kab *kab = brain->self;
    enum arm arms[ARMS];
    if (is_over(brain, now))
        begin_step(brain, now);
    arms_of(brain, arms);
    weigh(brain, arms[kab->step.drawn], budget, brain->scores);
    return fg_sampling_take(brain, brain->scores, budget, out);
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    (void)now;
    float clicks;
    fg_rates_interest(brain, FG_TOLD_CLICKS_HISTORY, page, 1, &clicks);
    fg_rates_explain(brain, page, reason);
    reason->score = (double)clicks;
}

static size_t tell_arms(const struct fg_brain *brain, struct fg_arm *out)
{
    const struct kab *kab = brain->self;
    enum arm arms[ARMS];
    double chance[FG_EXP3_ARMS_MAX];
    size_t n = arms_of(brain, arms);
    if (kab->bandit.arms == n)
        fg_exp3_chances(&kab->bandit, chance);
    for (size_t i = 0; i < n; i++)
        out[i] = (struct fg_arm){kab_params[FIRST_ARM + arms[i]].name,
                                 kab->bandit.arms == n ? chance[i] : 1 / (double)n};
    return n;
}

/* --- keeping --- */

static void save(struct fg_brain *brain, struct fg_buf *out)
{
    const struct kab *kab = brain->self;
    fg_optimum_save(brain, out);
    fg_buf_add(out, (struct fg_str){(const char *)&kab->bandit, sizeof kab->bandit});
    fg_buf_add(out, (struct fg_str){(const char *)&kab->step, sizeof kab->step});
}

static bool load(struct fg_brain *brain, struct fg_str bytes)
{
    struct kab *kab = brain->self;
    size_t own = sizeof kab->bandit + sizeof kab->step;
    if (bytes.len < own || !fg_optimum_load(brain, fg_str_sub(bytes, 0, bytes.len - own)))
        return false;
    bytes = fg_str_skip(bytes, bytes.len - own);
    memcpy(&kab->bandit, bytes.at, sizeof kab->bandit);
    memcpy(&kab->step, bytes.at + sizeof kab->bandit, sizeof kab->step);
    /* Another set of arms by now: begin_step starts anew. */
    return kab->bandit.arms <= ARMS && kab->step.drawn < ARMS;
}

#define POLICY(policy_name, policy_summary, policy_params)                               \
    {                                                                                    \
        .name = policy_name, .summary = policy_summary, .paper = "Han et al., WWW 2020", \
        .tasks = FG_REFRESH, .params = policy_params, .columns = columns,                \
        .self_size = sizeof(struct kab), .observe = observe, .select = choose,           \
        .explain = explain, .arms = tell_arms, .save = save, .load = load,               \
        .clear = fg_optimum_clear,                                                       \
    }

const struct fg_policy fg_policy_kab =
    POLICY("kab", "a bandit over any set of ways to set rates", kab_params);
const struct fg_policy fg_policy_kab2 =
    POLICY("kab2", "kab with the arms click and change", kab2_params);
const struct fg_policy fg_policy_kab3 =
    POLICY("kab3", "kab with the arms click, change and uniform", kab3_params);
const struct fg_policy fg_policy_kab4 = POLICY(
    "kab4", "kab with the arms click, change, uniform and impression", kab4_params);
const struct fg_policy fg_policy_kab5 =
    POLICY("kab5", "kab with all five arms", kab5_params);
