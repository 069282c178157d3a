/* kab.c - several ways to set rates, and a bandit that finds out which to use when
 *
 * Han et al., "Adversarial Bandits Policy for Crawling Commercial Web Content" (WWW
 * 2020), Algorithm 1. The arms are the rates of Table 2: uniform, by change, by click, by
 * impression, LambdaCrawl's. EXP3 draws one for each step of two hours; ticks shorter
 * than that keep the arm. (Line 11 of the algorithm divides by q_i; it must mean the
 * chance of the arm that was drawn.)
 *
 * A step's reward is what came of the visits that were picked in it, whenever they are
 * made: in life a page may wait for its turn until another arm is on. So every pick
 * carries the number of its step, and a step is closed when the next one begins and all
 * of its visits are in, or when STEPS more have begun. Visits that nobody picked here
 * earn nothing. Where visits are made at once this is the algorithm as printed.
 *
 * Three readings of the reward:
 *   gain 0  equation (2): the clicks of the fetched pages that had changed, as a share of
 *           the clicks of all fetched pages. That is the precision of the arm and not
 *           what it gained: an arm that fetches surely stale pages that nobody clicks
 *           wins against one that gains ten times the clicks
 *   gain 2  "the increase of click-weighted freshness", as the words around it say: the
 *           same clicks as a share of those of all pages there are. Numbers of a few
 *           thousandths, from which EXP3 learns slowly
 *   gain 1  the same as a share of the most that a step gained of late (by half less in
 *           69 steps), so that the numbers are of a size to learn from
 * The last two are better for clicks. docs/papers/002.md has a table of what each brings,
 * with either reading of LambdaCrawl (`daily`) for an arm. Which arm wins is also a
 * matter of luck: spread between seeds is wide at small budgets.
 *
 * A pick's probability is that within its arm. */
#include "learn/exp3.h"
#include "policy/refresh/optimum.h"
#include "policy/refresh/sampling.h"

#include <string.h>

/* The knobs of the arms are in the order of the arms. */
enum arm { UNIFORM, CHANGE, CLICK, IMPRESSION, LAMBDA, ARMS };
enum {
    GAMMA = FG_RATES_CHANGE_KNOBS,
    STEP,
    VARIANT,
    GAIN,
    FORM,
    DAILY,
    UNCAPPED,
    FIRST_ARM
};
enum gain { PRECISION, NUMBER, INCREASE };
enum { STEPS = 8 }; /* that may be open */
#define PARAMS(uniform, change, click, impression, lambda)                             \
    {                                                                                  \
        FG_RATES_PARAMS, FG_RATES_OWN_PARAM,                                           \
            [GAMMA] = {"gamma", 0.1, 1e-3, 1,                                          \
                       "share of steps whose arm is drawn blindly"},                   \
            [STEP] = {"step", 2, 1e-3, 1e4, "hours for which an arm is kept"},         \
            [VARIANT] = {"variant", 0, 0, 2, "bandit: 0 EXP3, 1 EXP3-IX, 2 EXP3++"},   \
            [GAIN] = {"gain", 0, 0, 2,                                                 \
                      "reward: stale clicks; 0 of those fetched, 1 of the best "       \
                      "step's, 2 of all"},                                             \
            [FORM] = FG_OPTIMUM_FORM_PARAM, [DAILY] = FG_OPTIMUM_DAILY_PARAM,          \
            [UNCAPPED] = FG_SAMPLING_PARAM,                                            \
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
enum { STEP_OF = FG_OPTIMUM_COLUMNS_USED };
static const struct fg_column columns[] = {
    FG_OPTIMUM_COLUMNS, [STEP_OF] = {"step", FG_U32}, {0}};

/* A step that is on, or waits for visits. */
struct step {
    uint32_t number; /* from 1; 0: none */
    uint32_t drawn;  /* of the bandit's arms */
    double chance;   /* it was drawn with */
    uint64_t awaited;
    double clicks, stale; /* of the pages fetched, and of those that had changed */
};

struct steps {
    fg_time began; /* the last one */
    uint32_t last; /* its number */
    uint32_t unused;
    double most; /* `stale` of one step, of late */
    double all;  /* clicks of all pages */
    struct step open[STEPS];
};

struct kab {
    struct fg_optimum optimum; /* as optimum.h asks */
    struct fg_exp3 bandit;
    struct steps steps;
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

static struct step *step_of(struct kab *kab, uint32_t number)
{
    struct step *step = &kab->steps.open[number % STEPS];
    return number && step->number == number ? step : NULL;
}

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    uint32_t *number = &brain->u32[STEP_OF][visit->page];
    struct step *step = step_of(brain->self, *number);
    *number = 0;
    fg_rates_observe(brain, visit);
    if (!step)
        return;
    step->awaited -= step->awaited > 0;
    if (!visit->ok)
        return;
    float clicks;
    fg_rates_interest(brain, FG_TOLD_CLICKS_HISTORY, visit->page, 1, &clicks);
    step->clicks += (double)clicks;
    if (visit->changed || visit->previous == FG_NEVER) /* no copy is a stale copy */
        step->stale += (double)clicks;
}

static double clicks_of_all(struct fg_brain *brain)
{
    double sum = 0;
    fg_rates_interest(brain, FG_TOLD_CLICKS_HISTORY, 0, brain->world->n, brain->scores);
    for (size_t i = 0; i < brain->world->n; i++)
        sum += (double)brain->scores[i];
    return sum;
}

static void close_step(struct kab *kab, struct step *step, enum gain gain)
{
    struct steps *steps = &kab->steps;
    if (step->clicks > 0 && step->drawn < kab->bandit.arms && step->chance > 0) {
        steps->most = fmax(steps->most * 0.99, step->stale);
        double whole = gain == PRECISION ? step->clicks
                       : gain == NUMBER  ? steps->most
                                         : steps->all;
        if (whole > 0)
            fg_exp3_reward_late(&kab->bandit, step->drawn, step->chance,
                                fmin(step->stale / whole, 1));
    }
    *step = (struct step){0};
}

/* In the order they began in. */
static void close_steps(struct fg_brain *brain, uint32_t next)
{
    struct kab *kab = brain->self;
    enum gain gain = (enum gain)brain->knob[GAIN];
    if (gain == INCREASE)
        kab->steps.all = clicks_of_all(brain);
    for (uint32_t number = next - STEPS; number != next; number++) {
        struct step *step = step_of(kab, number);
        if (step && (!step->awaited || number == next - STEPS))
            close_step(kab, step, gain);
    }
}

static void begin_step(struct fg_brain *brain, fg_time now)
{
    struct kab *kab = brain->self;
    struct steps *steps = &kab->steps;
    enum arm arms[ARMS];
    size_t n = arms_of(brain, arms);
    uint32_t next = steps->last + 1;
    if (kab->bandit.arms != n) {
        fg_exp3_init(&kab->bandit, (enum fg_exp3_kind)brain->knob[VARIANT], n,
                     brain->knob[GAMMA]);
        memset(steps->open, 0, sizeof steps->open);
    } else {
        close_steps(brain, next);
    }
    struct step step = {.number = next};
    step.drawn = (uint32_t)fg_exp3_draw(&kab->bandit, &brain->rng, &step.chance);
    steps->began = now;
    steps->last = next;
    steps->open[next % STEPS] = step;
}

static bool is_over(const struct fg_brain *brain, fg_time now)
{
    const struct kab *kab = brain->self;
    /* what was read from a state may be any number */
    double hours = ((double)now - (double)kab->steps.began) / (double)FG_HOUR;
    bool is_on = kab->steps.last &&
                 kab->steps.open[kab->steps.last % STEPS].number == kab->steps.last;
    /* a clock that was set back must not hold an arm for years */
    return !kab->bandit.arms || !is_on || hours < 0 || hours > brain->knob[STEP] - 1e-4;
}

/* --- choosing --- */

static void weigh(struct fg_brain *brain, enum arm arm, size_t budget, float *out)
{
    struct fg_optimum_form form = {(enum fg_lambda_model)brain->knob[FORM],
                                   FG_TOLD_CLICKS_HISTORY, brain->knob[DAILY] != 0};
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
        fg_optimum_weigh(brain, &form);
        fg_optimum_rates(brain, &form, budget, out);
        return;
    default:
        for (size_t i = 0; i < n; i++)
            out[i] = 1;
    }
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    struct kab *kab = brain->self;
    enum arm arms[ARMS];
    if (is_over(brain, now))
        begin_step(brain, now);
    struct step *step = step_of(kab, kab->steps.last);
    arms_of(brain, arms);
    weigh(brain, arms[step->drawn], budget, brain->scores);
    size_t n = (brain->knob[UNCAPPED] != 0
                    ? fg_sampling_take_uncapped
                    : fg_sampling_take)(brain, brain->scores, budget, out);
    for (size_t i = 0; i < n; i++)
        brain->u32[STEP_OF][out[i].page] = step->number;
    step->awaited += n;
    return n;
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

static void tell_rates(struct fg_brain *brain, size_t arm, size_t budget, float *out)
{
    enum arm arms[ARMS];
    if (arm < arms_of(brain, arms))
        weigh(brain, arms[arm], budget, out);
}

static float tell_interest(const struct fg_brain *brain, size_t page)
{
    float clicks;
    fg_rates_interest(brain, FG_TOLD_CLICKS_HISTORY, page, 1, &clicks);
    return clicks;
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
    fg_buf_add(out, (struct fg_str){(const char *)&kab->steps, sizeof kab->steps});
}

static bool is_sane(const struct kab *kab)
{
    for (size_t i = 0; i < STEPS; i++) {
        const struct step *step = &kab->steps.open[i];
        if (step->number && (step->number % STEPS != i || step->drawn >= ARMS ||
                             !(step->chance > 0 && step->chance <= 1)))
            return false;
    }
    return kab->bandit.arms <= ARMS; /* another set of arms by now: begin_step sees it */
}

static bool load(struct fg_brain *brain, struct fg_str bytes)
{
    struct kab *kab = brain->self;
    size_t own = sizeof kab->bandit + sizeof kab->steps;
    if (bytes.len < own || !fg_optimum_load(brain, fg_str_sub(bytes, 0, bytes.len - own)))
        return false;
    bytes = fg_str_skip(bytes, bytes.len - own);
    memcpy(&kab->bandit, bytes.at, sizeof kab->bandit);
    memcpy(&kab->steps, bytes.at + sizeof kab->bandit, sizeof kab->steps);
    return is_sane(kab);
}

#define POLICY(policy_name, policy_summary, policy_params)                               \
    {                                                                                    \
        .name = policy_name, .summary = policy_summary, .paper = "Han et al., WWW 2020", \
        .tasks = FG_REFRESH, .params = policy_params, .columns = columns,                \
        .self_size = sizeof(struct kab), .observe = observe, .select = choose,           \
        .explain = explain, .arms.list = tell_arms, .save = save, .load = load,          \
        .site.save = fg_optimum_save_site, .site.load = fg_optimum_load_site,            \
        .arms.rates = tell_rates, .arms.interest = tell_interest,                        \
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
