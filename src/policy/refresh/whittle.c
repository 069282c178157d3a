/* whittle.c - the page whose visit is worth most by its Whittle index
 *
 * Each page is a restless arm: unvisited, its copy decays. Put a price v on visits. A
 * page visited every k steps gains gain(k) - v a round, gain(k) being what its copy is
 * good for in k steps, so it pays to visit after k steps rather than k + 1 once
 *
 *     v <= W(k) = gain(k) - k (gain(k + 1) - gain(k))
 *
 * W grows with k, so every price has its interval: the page is indexable, and visiting
 * the highest W is the best rule there is up to what is lost in rounding. Visits come at
 * even distances where LambdaCrawl's come by lot, which is most of what it gains. With q
 * the chance of no change in a step,
 *
 *     copies that are fresh at the end of steps    gain(k) = w (1 - q^k) / (1 - q)
 *     copies that are fresh over time              gain(k) = w (1 - q^k) / rate
 *     pages found changed (Avrachenkov et al.)     gain(k) = w (1 - q^k)
 *
 * In the limit of short steps the first two are the index of Nino-Mora (ASMTA 2014),
 * (w/l) (1 - exp(-A) (1 + A)) with A = l X.
 *
 * Rates may be known (the lab's), told, or learnt from own visits. Learnt rates have a
 * gamma posterior, a and b, and q^k becomes (b / (b + k))^a: a page little known keeps
 * some weight on slow rates, its W rises for longer, and it is looked at again. That is
 * all the exploring there is; with a plug-in estimate, `learn` 0, a page that was unlucky
 * once may wait very long. A page never seen counts as one not seen for 90 days. */
#include "learn/change_rate.h"
#include "policy/refresh/rates.h"

#include <math.h>

enum { KNOWN = FG_RATES_CHANGE_KNOBS, REWARD, SLOTS, LEARN, PRIOR, SHAPE };
static const struct fg_param params[] = {
    FG_RATES_PARAMS,
    FG_RATES_OWN_PARAM,
    [KNOWN] = {"known", 0, 0, 1, "1: true rates, where the lab can tell them"},
    [REWARD] = {"reward", 0, 0, 1, "what counts: 0 fresh copies, 1 changes found"},
    [SLOTS] = {"slots", 1, 0, 1, "copies count: 1 at the end of steps, 0 over time"},
    [LEARN] = {"learn", 1, 0, 1, "own visits give: 1 a posterior, 0 an estimate"},
    [PRIOR] = {"prior", 0.05, 1e-6, 1e6, "changes a day expected before any visit"},
    [SHAPE] = {"shape", 0.5, 0.01, 100, "visits that expectation is worth"},
    {0},
};
enum { A = FG_RATES_COLUMNS_USED, B };
static const struct fg_column columns[] = {
    FG_RATES_COLUMNS,
    [A] = {"shape", FG_F32}, /* of the posterior; 0 before the first pair of visits */
    [B] = {"rate-days", FG_F32},
    {0},
};

enum { BLOCK = 256 };
static const double NEVER_SEEN_DAYS = 90;

static struct fg_gamma_rate posterior_of(const struct fg_brain *brain, size_t page)
{
    double a = (double)brain->f32[A][page], b = (double)brain->f32[B][page];
    double shape = brain->knob[SHAPE];
    return a > 0 && b > 0 ? (struct fg_gamma_rate){a, b}
                          : (struct fg_gamma_rate){shape, shape / brain->knob[PRIOR]};
}

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    fg_rates_observe(brain, visit);
    if (!visit->ok || visit->previous == FG_NEVER || visit->now <= visit->previous)
        return;
    struct fg_gamma_rate rate =
        fg_rate_learn(posterior_of(brain, visit->page),
                      fg_days(visit->now - visit->previous), visit->changed);
    brain->f32[A][visit->page] = (float)rate.a;
    brain->f32[B][visit->page] = (float)rate.b;
}

/* --- the index --- */

enum gain { FRESH_STEPS, FRESH_TIME, FOUND_CHANGED };

static enum gain gain_of(const struct fg_brain *brain)
{
    return brain->knob[REWARD] != 0  ? FOUND_CHANGED
           : brain->knob[SLOTS] != 0 ? FRESH_STEPS
                                     : FRESH_TIME;
}

/* Of a page that changes `rate` times a step, k steps after it was seen, for a weight of
 * 1. With P = 1 - q^k the bracket of the three is P - k (1 - P) (1 - q). */
static double index_of_rate(enum gain gain, double rate, double k)
{
    if (!(rate > 1e-12))
        return 0;
    double in_step = -expm1(-rate), so_far = -expm1(-rate * k);
    double bracket = so_far - k * (1 - so_far) * in_step;
    return gain == FOUND_CHANGED ? bracket
           : gain == FRESH_STEPS ? bracket / in_step
                                 : bracket / rate;
}

/* The integral of (b / (b + x))^a from 0 to k. */
static double survived(double a, double b, double k)
{
    double stretch = log1p(k / b);
    return fabs(a - 1) < 1e-7 ? b * stretch : -b * expm1(-(a - 1) * stretch) / (a - 1);
}

/* The sum of the same over x = 0, 1, .. k - 1: the first as it is, the others by Euler
 * and Maclaurin with one derivative. Off by 1 % at a = 0.5, b = 0.1, by less beyond. */
static double survived_steps(double a, double b, double k)
{
    double first = exp(-a * log1p(1 / b)), last = exp(-a * log1p(k / b));
    return 1 + survived(a, b, k) - survived(a, b, 1) + (first - last) / 2 +
           a / 12 * (first / (b + 1) - last / (b + k));
}

/* The same for a rate that is gamma distributed: b in steps. */
static double index_of_posterior(enum gain gain, double a, double b, double k)
{
    double now = exp(-a * log1p(k / b));
    if (gain == FRESH_STEPS)
        return survived_steps(a, b, k) - k * now;
    if (gain == FRESH_TIME)
        return survived(a, b, k) - k * (survived(a, b, k + 1) - survived(a, b, k));
    return 1 - now - k * (now - exp(-a * log1p((k + 1) / b)));
}

static bool knows(const struct fg_brain *brain)
{
    return brain->knob[KNOWN] != 0 && brain->foresight && brain->foresight->rate;
}

/* Nobody knows or told the page's rate, and own visits give a posterior. */
static bool is_learnt(const struct fg_brain *brain, size_t page)
{
    bool is_model = brain->knob[FG_RATES_MODEL] != 0;
    float told = fg_world_told(
        brain->world, is_model ? FG_TOLD_CHANGES_MODEL : FG_TOLD_CHANGES_HISTORY, page);
    return brain->knob[LEARN] != 0 && !knows(brain) &&
           (brain->knob[FG_RATES_OWN] != 0 || !(told >= 0));
}

static double steps_waited(const struct fg_brain *brain, fg_time now, size_t page)
{
    fg_time seen = brain->world->last_visit[page];
    double days = seen == FG_NEVER ? NEVER_SEEN_DAYS : fg_days(now - seen);
    return fmax(0, days / fg_days(brain->world->tick));
}

static double index_of(const struct fg_brain *brain, fg_time now, size_t page, float rate)
{
    const struct fg_foresight *foresight = brain->foresight;
    double step = fg_days(brain->world->tick), k = steps_waited(brain, now, page);
    if (is_learnt(brain, page)) {
        struct fg_gamma_rate posterior = posterior_of(brain, page);
        return index_of_posterior(gain_of(brain), posterior.a, posterior.b / step, k);
    }
    double a_day =
        knows(brain) ? foresight->rate(foresight->context, page) : (double)rate;
    return index_of_rate(gain_of(brain), a_day * step, k);
}

static void score(struct fg_brain *brain, fg_time now, size_t first, size_t n, float *out)
{
    float rate[BLOCK];
    fg_rates_interest(brain, FG_TOLD_CLICKS_HISTORY, first, n, out);
    for (size_t done = 0; done < n; done += BLOCK) {
        size_t some = n - done < BLOCK ? n - done : BLOCK;
        fg_rates_changes(brain, 1, first + done, some, rate);
        for (size_t i = 0; i < some; i++)
            out[done + i] *= (float)index_of(brain, now, first + done + i, rate[i]);
    }
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    float worth;
    score(brain, now, page, 1, &worth);
    fg_rates_explain(brain, page, reason);
    if (is_learnt(brain, page)) {
        struct fg_gamma_rate posterior = posterior_of(brain, page);
        fg_rates_believe(reason, posterior.a / posterior.b, posterior.a);
    }
    reason->score = (double)worth;
}

const struct fg_policy fg_policy_whittle = {
    .name = "whittle",
    .summary = "the page whose visit is worth most, by its Whittle index",
    .paper = "Nino-Mora, ASMTA 2014; Avrachenkov & Borkar, IEEE TCNS 2018",
    .tasks = FG_REFRESH,
    .is_steady = true,
    .params = params,
    .columns = columns,
    .self_size = sizeof(struct fg_rates_of_all),
    .observe = observe,
    .score = score,
    .explain = explain,
};
