/* lomax_signals.h - how far those are to be trusted who say that a page has changed
 *
 * Feeds, sitemaps and pushes signal changes: not all of them (recall r), and some that
 * are none (phi a day). Both are learnt for each site from its visits: of the changes
 * found, how many had been signalled; of the pages found unchanged, how many signals they
 * had had. A site that never signalled anything is taken to have no signals.
 *
 * k signals since the last visit change the expected changes A = l z of a page to
 *
 *     (1 - r) A + k log(1 + r l / phi)
 *
 * so silence is a good sign where signals are reliable, and each signal adds what it is
 * worth: the logarithm is -log of the chance that it is false. Where signals are all
 * false the two cancel out. */
#ifndef FG_POLICY_REFRESH_LOMAX_SIGNALS_H
#define FG_POLICY_REFRESH_LOMAX_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fg_lomax_site {
    float found, told; /* changes, and those of them that had been signalled ... */
    float by_chance; /* ... and that false signals alone would be expected to have hit */
    float wrong, days; /* signals without a change, over so many days */
};

struct fg_lomax_signals {
    struct fg_lomax_site *at; /* by site */
    size_t n;
};

struct fg_lomax_trust {
    double recall, false_a_day;
};

void fg_lomax_signals_clear(struct fg_lomax_signals *signals);

/* The site signals. */
void fg_lomax_signals_saw(struct fg_lomax_signals *signals, uint32_t site);
/* A visit `days` after the one before, with `count` signals in between. */
void fg_lomax_signals_learn(struct fg_lomax_signals *signals, uint32_t site,
                            unsigned count, double days, bool changed);

/* A recall of 0 for a site that does not signal. */
struct fg_lomax_trust fg_lomax_signals_trust(const struct fg_lomax_signals *signals,
                                             uint32_t site);

/* What stands for the time z of a page with this rate and so many signals. */
double fg_lomax_signalled(struct fg_lomax_trust trust, double rate, unsigned count,
                          double z);

#endif
