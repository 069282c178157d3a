/* exp3.h - adversarial bandits: EXP3, EXP3-IX, EXP3++
 *
 *     struct fg_exp3 bandit;
 *     fg_exp3_init(&bandit, FG_EXP3, 5, 0.1);
 *     size_t arm = fg_exp3_draw(&bandit, &rng, &probability);
 *     fg_exp3_reward(&bandit, arm, reward);              (in [0, 1], of the arm drawn)
 *
 * Nothing is assumed about how rewards come to be, only that they lie in [0, 1]: what
 * lies outside counts as the nearer end. A bandit is plain bytes without
 * pointers: it may be copied and saved as it stands. */
#ifndef FG_LEARN_EXP3_H
#define FG_LEARN_EXP3_H

#include "base/rng.h"

#include <stddef.h>
#include <stdint.h>

enum { FG_EXP3_ARMS_MAX = 16 };

enum fg_exp3_kind {
    FG_EXP3,    /* Auer et al. 2002, as Algorithm 1 of Han et al.: fixed gamma */
    FG_EXP3_IX, /* Neu 2015: implicit exploration */
    FG_EXP3_PP, /* Seldin and Lugosi 2017: EXP3++ */
};

struct fg_exp3 {
    enum fg_exp3_kind kind;
    uint32_t arms;
    uint64_t plays;
    double gamma;
    double log_weight[FG_EXP3_ARMS_MAX]; /* or minus the estimated losses */
    double chance[FG_EXP3_ARMS_MAX];     /* as of the last draw */
    double loss[FG_EXP3_ARMS_MAX];       /* 1 - reward, summed as it came */
    uint64_t count[FG_EXP3_ARMS_MAX];
};

/* 1 to FG_EXP3_ARMS_MAX arms. `gamma` in [0, 1]: the share of draws that explore; of
 * EXP3-IX what is added to chances, 0 for the rate that falls with the plays; EXP3++
 * needs none. */
void fg_exp3_init(struct fg_exp3 *bandit, enum fg_exp3_kind kind, size_t arms,
                  double gamma);
/* The chances of the arms as they are now; they sum to 1. */
void fg_exp3_chances(const struct fg_exp3 *bandit, double chance[FG_EXP3_ARMS_MAX]);
/* The arm to play; the chance it had goes to `chance` unless that is NULL. */
size_t fg_exp3_draw(struct fg_exp3 *bandit, struct fg_rng *rng, double *chance);
/* Of the arm drawn last. */
void fg_exp3_reward(struct fg_exp3 *bandit, size_t arm, double reward);
/* Of one drawn before, with the chance that it had then. */
void fg_exp3_reward_late(struct fg_exp3 *bandit, size_t arm, double chance,
                         double reward);

#endif
