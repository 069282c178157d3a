/* gittins.h - the Gittins index of an arm that pays with an unknown probability
 *
 *     double index = fg_gittins(1 + won, 1 + lost, 0.99);
 *
 * What an arm is worth to somebody who may leave it at any time: the sure payment a step
 * that is as good as playing on, with rewards discounted by a factor a step (Gittins and
 * Jones 1974). Playing the highest index is optimal when one arm is played at a time; the
 * thesis names it for its chapter 7.1, where k are played at once.
 *
 * Exact indices need dynamic programming over all futures. This is the approximation of
 * Brezzi and Lai, "Optimal learning and experimentation in bandit problems" (Journal of
 * Economic Dynamics and Control 27, 2002): the mean of the belief, and its deviation
 * times a function of how far the future reaches beside what is known. At discounts of
 * 0.9 and 0.95 it is within 0.015 of the exact index from some twenty observations on,
 * within 0.03 from ten, and 0.1 below it for one win and one loss: it explores less than
 * the true index would. */
#ifndef FG_LEARN_GITTINS_H
#define FG_LEARN_GITTINS_H

#include "base/elementary.h"

#include <math.h>

/* How many deviations the index lies above the mean, by z = horizon / (trials + 1). The
 * jumps at 0.2 and 15 are in the original. */
static inline double fg_gittins_reach(double z)
{
    if (z <= 0.2)
        return sqrt(z / 2);
    if (z <= 1)
        return 0.49 - 0.11 / sqrt(z);
    if (z <= 5)
        return 0.63 - 0.26 / sqrt(z);
    if (z <= 15)
        return 0.77 - 0.58 / sqrt(z);
    double log_z = fg_log(z);
    return sqrt(2 * log_z - fg_log(log_z) - 3.9173186080891815 /* ln 16 pi */);
}

/* The belief is beta(a, b), a and b above 0; 0 < discount < 1. */
double fg_gittins(double a, double b, double discount);

#endif
