/* exact_index.h - what looking now gains and not a tick later, in new pages
 *
 * Whittle's index, for links that come at a steady rate per phi-hour, stay for an
 * exponential time of mean R phi-hours, and are worth keeps + (1 - keeps) exp(-d / loses)
 * if they are found d hours after they came. With D phi-hours since the last look it is,
 * for each of the two parts, the rate times F(D, k), k being how fast the part decays:
 *
 *     F(D, k) = (1 - exp(-k D)) / k - D exp(-k (D + half a tick))
 *
 * For that the rates must be right, and not only their order: links that left unseen are
 * missing from them. So a site's sources start from how long links stay on that site, a
 * source of which nothing is known from the site's or the crawl's mean rate, and what
 * looks brought is held against what they were foreseen to bring. */
#ifndef FG_POLICY_DISCOVERY_EXACT_INDEX_H
#define FG_POLICY_DISCOVERY_EXACT_INDEX_H

#include "policy/discovery/exposure_model.h"

double fg_exact_index(const struct fg_brain *brain, double rate, double seen,
                      double retained, double waited);

/* Links of so many phi-hours that a look can still see. */
double fg_exact_seen(double rate, double seen, double retained);

/* Before each choice, for all sites: how long links stay; what a source of which nothing
 * is known shows; links brought by links foreseen, of columns that fade by `kept`. */
void fg_exact_learn_stays(const struct fg_brain *brain, struct fg_exposure *model);
void fg_exact_guess_rates(const struct fg_brain *brain, struct fg_exposure *model);
void fg_exact_calibrate(const struct fg_brain *brain, struct fg_exposure *model,
                        float *brought, float *foreseen, double kept);

#endif
