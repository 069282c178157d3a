/* lomax_burst.h - changes that come in bursts: the hazard by time since the last change
 *
 * Pages that have just changed often change again soon; others rest after a change. Let
 * u be the time since the last change we saw times the page's rate, so that u is 1 when
 * the next is to be expected. In bins of u, half an octave each, we count changes found
 * and expected over all pages; their ratio m(u) is how much likelier than usual a change
 * is. A page partakes by a power rho that rises with the changes seen of it: of one that
 * was never seen to change, u means nothing.
 *
 * Where more than a fifth of the visits finds a change, the time of the last change is
 * too uncertain for that, and m is taken as 1. */
#ifndef FG_POLICY_REFRESH_LOMAX_BURST_H
#define FG_POLICY_REFRESH_LOMAX_BURST_H

#include "learn/change_rate.h"

#include <stdbool.h>

enum { FG_BURST_BINS = 26 };

struct fg_lomax_burst {
    double found[FG_BURST_BINS], expected[FG_BURST_BINS];
    double factor[FG_BURST_BINS], log_factor[FG_BURST_BINS]; /* m */
    double until[FG_BURST_BINS]; /* integral of m up to where the bin starts */
    double visits, hits;         /* faded within a month */
    bool is_on;
};

void fg_lomax_burst_start(struct fg_lomax_burst *burst);

/* Once a day. */
void fg_lomax_burst_fade(struct fg_lomax_burst *burst);

/* A visit `span` days after the one before, which was `since` days after the last change
 * seen. `rate` is what was believed before it. */
void fg_lomax_burst_learn(struct fg_lomax_burst *burst, struct fg_gamma_rate rate,
                          double since, double span, bool changed);

/* How much likelier than usual a change was over that span, on average, and is now. */
struct fg_lomax_factor {
    double mean, now;
};
struct fg_lomax_factor fg_lomax_burst_factor(const struct fg_lomax_burst *burst,
                                             double rate, double changes, double since,
                                             double span);

/* How many changes there were to an expectation, given that there was one at least. */
double fg_at_least_one(double expected);

#endif
