/* gamma.h - the heart of a gamma variate
 *
 * Marsaglia and Tsang, "A simple method for generating gamma variables" (2000): for a
 * shape of at least 1 let d = shape - 1/3, x normal, y = x / (3 sqrt d). Then d (1 + y)^3
 * is a gamma variate if a uniform w in [0, 1) satisfies log(1 - w) < h, where
 *
 *     h = 3d (log(1 + y) - y + y^2/2 - y^3/3)
 *
 * Their squeeze, w > 0.0331 x^4, sends 10 % of all candidates on to the logarithms. Ours
 * follows from the series of log(1 + y), whose terms from y^4/4 on sum to no more than
 * y^4 / (4 (1 + min(y, 0))) below zero, and from exp h >= 1 + h: it is enough that
 *
 *     4 w (1 + min(y, 0)) > 3 d y^4
 *
 * which is true of 98 % at shape 2 and of more beyond. Private to variate.c and fill.c.
 */
#ifndef FG_BASE_GAMMA_H
#define FG_BASE_GAMMA_H

#include "base/elementary.h"

#include <stdbool.h>

static inline bool fg_gamma_accepts(double d, double y, double w)
{
    double tail = y < 0 ? 1 + y : 1;
    if (4 * w * tail > 3 * d * (y * y) * (y * y))
        return true;
    if (tail <= 0)
        return false;
    double h = 3 * d * (fg_log1p(y) - y + y * y / 2 - y * y * y / 3);
    return fg_log1p(-w) < h;
}

#endif
