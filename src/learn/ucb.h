/* ucb.h - UCB1: try the arm that could plausibly be the best
 *
 *     struct fg_ucb ucb;
 *     fg_ucb_init(&ucb, 5);
 *     size_t arm = fg_ucb_choose(&ucb);
 *     fg_ucb_reward(&ucb, arm, share_found);
 *
 * Auer, Cesa-Bianchi and Fischer, "Finite-time Analysis of the Multiarmed Bandit Problem"
 * (Machine Learning 47, 2002). Each arm once; then the arm with the highest
 *
 *     mean reward + sqrt(2 ln t / n)
 *
 * where n is how often it was played and t how often all were. For rewards in [0, 1] an
 * arm that falls short of the best by d is played about 8 ln t / d^2 times and no more.
 * Rewards of another range must be scaled first, or the second term means nothing.
 *
 * A ucb is plain bytes without pointers: it may be copied and saved as it stands. Where
 * the arms are pages, one keeps the means in columns and asks fg_ucb1_index. */
#ifndef FG_LEARN_UCB_H
#define FG_LEARN_UCB_H

#include <stddef.h>
#include <stdint.h>

enum { FG_UCB_ARMS_MAX = 64 };

struct fg_ucb {
    uint32_t arms, plays; /* plays of all arms */
    uint32_t count[FG_UCB_ARMS_MAX];
    double sum[FG_UCB_ARMS_MAX]; /* of the rewards */
};

/* 1 to FG_UCB_ARMS_MAX arms, none of them played. */
void fg_ucb_init(struct fg_ucb *ucb, size_t arms);

/* The arm to play: the first that never was, else the highest index, the lower number in
 * a tie. */
size_t fg_ucb_choose(const struct fg_ucb *ucb);
void fg_ucb_reward(struct fg_ucb *ucb, size_t arm, double reward);

/* mean + sqrt(2 ln t / n); infinite for an arm that was never played (n = 0). */
double fg_ucb1_index(double mean, double n, double t);

#endif
