/* change_rate.h - how often a page changes, from visits that see only whether it did
 *
 * A visit after an interval T finds the page changed or not; how often it changed in
 * between stays hidden. Rates are per unit of whatever the intervals are in. Estimators
 * over all visits of a page (struct fg_interval arrays), and a running one of 12 bytes.
 */
#ifndef FG_LEARN_CHANGE_RATE_H
#define FG_LEARN_CHANGE_RATE_H

#include <stdbool.h>
#include <stddef.h>

struct fg_interval {
    double length; /* since the visit before */
    bool changed;
    double age; /* of the last change at this visit, as the page dates it; negative: it
                   does not. Only of intervals that changed. */
};

/* The rate under which what was seen is most likely, for intervals of any length; with
 * dates where there are any. INFINITY if every visit found a change and none dates it. */
double fg_rate_likeliest(const struct fg_interval *visits, size_t n);
/* The rates under which what was seen is not much less likely than under the likeliest:
 * the 95 % interval of the likelihood ratio. No prior has a say in it. `low` is 0 if no
 * visit found a change, `high` is INFINITY if every one did. */
void fg_rate_interval(const struct fg_interval *visits, size_t n, double *low,
                      double *high);
/* A rate of which a gamma distribution is believed, with shape `a` and rate `b`. */
struct fg_gamma_rate {
    double a, b; /* mean a / b */
};
/* One more visit: unchanged b += T; changed: the gamma of the same mean and variance as
 * the posterior of `rate`. Visit by visit this stays near the exact posterior of all
 * visits, if the prior is not far from the truth. */
struct fg_gamma_rate fg_rate_learn(struct fg_gamma_rate rate, double length,
                                   bool changed);

/* What has been seen of a page, in 12 bytes: the likeliest rate of intervals that found a
 * change taken as equally long. */
struct fg_seen {
    float changes, changed_time, unchanged_time;
};
void fg_seen_add(struct fg_seen *seen, double length, bool changed);
/* With `pseudo` visits found changed and as many unchanged added, at the mean interval
 * of those that found a change, so that it is neither 0 nor infinite; `pseudo` by the
 * time if none did. `fallback` if nothing was seen. */
double fg_seen_rate(const struct fg_seen *seen, double pseudo, double fallback);

#endif
