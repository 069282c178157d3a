/* sampling.h - pick pages at given rates: the whole budget, no page twice
 *
 *     for each page: brain->scores[i] = rate of page i, in any unit;
 *     return fg_sampling_take(brain, brain->scores, budget, out);
 *
 * The chance of page i is min(1, c rate_i), with c such that the chances sum to the
 * budget. Systematic sampling (Madow 1949) then picks that many: the chances are laid end
 * to end, and of a comb of distance 1 with a random start each tooth picks the page it
 * falls on. So chances are exact, the number of picks is not left to chance, and it takes
 * one pass.
 *
 * Laid in the order of their numbers, pages a tooth apart would be picked together for
 * ever if all rates are equal, and a crawl of a million pages would be as even as one of
 * a hundred. So every tick has an order of its own: in fields of 4096 pages, which fit
 * the cache, the blocks of 64 are mixed, and each block begins with a random page.
 *
 * Pages that may not be taken (blocked, their site's limit used up) count as rate 0. What
 * a limit turned away in the pass is given to the others in another. */
#ifndef FG_POLICY_REFRESH_SAMPLING_H
#define FG_POLICY_REFRESH_SAMPLING_H

#include "policy/policy.h"

/* Rates are finite and not negative; those of pages that may not be taken are set to 0.
 * Returns how many; fewer than the budget only if too few pages have a rate and may be
 * taken. A pick has its chance, in the pass that took it, as probability and as score.
 * The policy has taken nothing else in this tick. */
size_t fg_sampling_take(struct fg_brain *brain, float *rates, size_t budget,
                        struct fg_pick *out);

/* As Table 2 of Han et al. (WWW 2020) can be read: the visits of page i are budget *
 * rate_i over the sum of all rates, and what is beyond one in a tick is lost, for it
 * finds nothing. So there are fewer picks than the budget where few pages have most of
 * the rates. */
size_t fg_sampling_take_uncapped(struct fg_brain *brain, float *rates, size_t budget,
                                 struct fg_pick *out);
#define FG_SAMPLING_PARAM                                                         \
    {                                                                             \
        "uncapped", 0, 0, 1, "1: visits beyond one a tick are lost, as published" \
    }

#endif
