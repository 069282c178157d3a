/* All three keep an estimate of what each arm would have brought, dividing what the arm
 * drawn did bring by the chance it had, and draw arms by the exponential of that. They
 * differ in how they keep the estimate from running wild where the chance is small:
 *
 *     EXP3     every arm keeps a chance of at least gamma / K. Rewards x: the weight of
 *              the arm drawn grows by exp(gamma / K x / q). (Line 11 of Algorithm 1 of
 *              Han et al. prints q_i; it must be the chance of the arm drawn.)
 *     EXP3-IX  losses 1 - x are divided by q + gamma instead, weights are exp(-eta L) and
 *              nothing is mixed in. eta = 2 gamma (Neu, NIPS 2015, theorem 1); with
 *              gamma = 0 it goes as eta_t = 2 gamma_t = sqrt(ln K / (K t)), for which the
 *              length of the game need not be known.
 *     EXP3++   losses are divided by q; each arm is explored by its own
 *              min(1/(2K), sqrt(ln K / (t K)) / 2, 256 ln t / (t gap^2)), where the gap
 *              is how much worse than the best the arm surely is: its lower confidence
 *              bound over the least upper one, both of width
 *              sqrt(3 ln(t K^(1/3)) / (2 N)). eta_t = sqrt(ln K / (t K)) / 2 (Seldin and
 *              Lugosi, COLT 2017). Arms that were never played may be as good as any, so
 *              no round in which all are tried is needed. gamma means nothing here.
 *
 * Weights are kept as logarithms, and only their differences are exponentiated. */
#include "learn/exp3.h"

#include "base/elementary.h"

#include <assert.h>
#include <math.h>

#define PP_ALPHA 3.0
#define PP_BETA  256.0

void fg_exp3_init(struct fg_exp3 *bandit, enum fg_exp3_kind kind, size_t arms,
                  double gamma)
{
    assert(arms >= 1 && arms <= FG_EXP3_ARMS_MAX && gamma >= 0 && gamma <= 1);
    *bandit = (struct fg_exp3){.kind = kind, .arms = (uint32_t)arms, .gamma = gamma};
    fg_exp3_chances(bandit, bandit->chance);
}

/* sqrt(ln K / (K t)), t counting from 1 for the play that is being drawn. */
static double falling_rate(const struct fg_exp3 *bandit)
{
    double k = bandit->arms, t = (double)bandit->plays + 1;
    return sqrt(fg_log(k) / (k * t));
}

/* gamma_t of EXP3-IX; eta_t is twice that. */
static double implicit_exploration(const struct fg_exp3 *bandit)
{
    return bandit->gamma > 0 ? bandit->gamma : falling_rate(bandit) / 2;
}

/* What the sums in log_weight are multiplied by. */
static double learning_rate(const struct fg_exp3 *bandit)
{
    switch (bandit->kind) {
    case FG_EXP3_IX:
        return 2 * implicit_exploration(bandit);
    case FG_EXP3_PP:
        return falling_rate(bandit) / 2;
    case FG_EXP3:
        break;
    }
    return 1;
}

static void softmax(const struct fg_exp3 *bandit, double *chance)
{
    double rate = learning_rate(bandit), top = bandit->log_weight[0], sum = 0;
    for (size_t i = 1; i < bandit->arms; i++)
        top = bandit->log_weight[i] > top ? bandit->log_weight[i] : top;
    for (size_t i = 0; i < bandit->arms; i++)
        sum += chance[i] = fg_exp(rate * (bandit->log_weight[i] - top));
    for (size_t i = 0; i < bandit->arms; i++)
        chance[i] /= sum;
}

/* Half the width of the interval that the mean loss of an arm surely lies in. */
static double half_width(const struct fg_exp3 *bandit, size_t arm)
{
    double t = (double)bandit->plays + 1, n = (double)bandit->count[arm];
    double log_t = PP_ALPHA * fg_log(t) + fg_log(bandit->arms);
    return n > 0 ? sqrt(log_t / (2 * n)) : INFINITY;
}

static double mean_loss(const struct fg_exp3 *bandit, size_t arm)
{
    uint64_t n = bandit->count[arm];
    return n ? bandit->loss[arm] / (double)n : 0;
}

static void mix_by_gaps(const struct fg_exp3 *bandit, double *chance)
{
    double k = bandit->arms, t = (double)bandit->plays + 1, best = 1, spent = 0;
    double most = fmin(0.5 / k, falling_rate(bandit) / 2), explore[FG_EXP3_ARMS_MAX];
    for (size_t i = 0; i < bandit->arms; i++)
        best = fmin(best, mean_loss(bandit, i) + half_width(bandit, i));
    for (size_t i = 0; i < bandit->arms; i++) {
        double gap = mean_loss(bandit, i) - half_width(bandit, i) - best;
        explore[i] = gap > 0 ? fmin(most, PP_BETA * fg_log(t) / (t * gap * gap)) : most;
        spent += explore[i];
    }
    for (size_t i = 0; i < bandit->arms; i++)
        chance[i] = (1 - spent) * chance[i] + explore[i];
}

void fg_exp3_chances(const struct fg_exp3 *bandit, double chance[FG_EXP3_ARMS_MAX])
{
    softmax(bandit, chance);
    if (bandit->kind == FG_EXP3)
        for (size_t i = 0; i < bandit->arms; i++)
            chance[i] = (1 - bandit->gamma) * chance[i] + bandit->gamma / bandit->arms;
    if (bandit->kind == FG_EXP3_PP)
        mix_by_gaps(bandit, chance);
}

size_t fg_exp3_draw(struct fg_exp3 *bandit, struct fg_rng *rng, double *chance)
{
    fg_exp3_chances(bandit, bandit->chance);
    double left = fg_rng_unit(rng);
    size_t arm = 0;
    while (arm + 1 < bandit->arms && left >= bandit->chance[arm])
        left -= bandit->chance[arm++];
    while (arm > 0 && bandit->chance[arm] <= 0) /* rounding led past the last with any */
        arm--;
    if (chance)
        *chance = bandit->chance[arm];
    return arm;
}

void fg_exp3_reward(struct fg_exp3 *bandit, size_t arm, double reward)
{
    assert(arm < bandit->arms);
    fg_exp3_reward_late(bandit, arm, bandit->chance[arm], reward);
}

void fg_exp3_reward_late(struct fg_exp3 *bandit, size_t arm, double chance, double reward)
{
    assert(arm < bandit->arms && chance > 0);
    double x = reward > 0 ? fmin(reward, 1) : 0, q = chance;
    if (bandit->kind == FG_EXP3)
        bandit->log_weight[arm] += bandit->gamma / bandit->arms * x / q;
    else if (bandit->kind == FG_EXP3_IX)
        bandit->log_weight[arm] -= (1 - x) / (q + implicit_exploration(bandit));
    else
        bandit->log_weight[arm] -= (1 - x) / q;
    bandit->loss[arm] += 1 - x;
    bandit->count[arm]++;
    bandit->plays++;
}
