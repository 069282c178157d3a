#include "learn/ucb.h"

#include <assert.h>
#include <math.h>

double fg_ucb1_index(double mean, double n, double t)
{
    if (!(n > 0))
        return INFINITY;
    return mean + (t > 1 ? sqrt(2 * log(t) / n) : 0);
}

void fg_ucb_init(struct fg_ucb *ucb, size_t arms)
{
    assert(arms >= 1 && arms <= FG_UCB_ARMS_MAX);
    *ucb = (struct fg_ucb){.arms = (uint32_t)arms};
}

static double index_of(const struct fg_ucb *ucb, size_t arm)
{
    double n = ucb->count[arm];
    return fg_ucb1_index(n > 0 ? ucb->sum[arm] / n : 0, n, ucb->plays);
}

size_t fg_ucb_choose(const struct fg_ucb *ucb)
{
    size_t best = 0;
    for (size_t arm = 1; arm < ucb->arms; arm++)
        if (index_of(ucb, arm) > index_of(ucb, best))
            best = arm;
    return best;
}

void fg_ucb_reward(struct fg_ucb *ucb, size_t arm, double reward)
{
    assert(arm < ucb->arms);
    ucb->sum[arm] += reward;
    ucb->count[arm]++;
    ucb->plays++;
}
