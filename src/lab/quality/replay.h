/* replay.h - a refresh policy on pages that people search, judged by repository quality
 *
 *     struct fg_quality_rules rules = {.share = 0.05, .warm_up = 35};
 *     struct fg_quality_outcome outcome;
 *     fg_quality_replay(&outcome, corpus, policy, &rules, err);
 *     double lost = 1 - outcome.worth / outcome.perfect;
 *
 * All copies are fresh in week 0. In each week pages change; then the policy picks, all
 * pages before the first is fetched; they are fetched and measured; then the repository
 * is judged. Histograms are made anew from the copies every 4 weeks, and every 13 the
 * policy is told what each copy gives to searchers (also as its weight), both before it
 * picks. A policy learns from its own fetches only: from texts it fetched and from the
 * copies. Equal scores go to the older copy, or in an order of pages that is fixed but
 * arbitrary.
 *
 * A replay is a function of corpus, policy and rules: it may run on any thread. */
#ifndef FG_LAB_QUALITY_REPLAY_H
#define FG_LAB_QUALITY_REPLAY_H

#include "lab/quality/corpus.h"
#include "policy/policy.h"

struct fg_knob; /* lab/replay.h */

struct fg_quality_rules {
    double share;   /* of the pages that may be fetched a week; fractions of a fetch are
                       carried over */
    size_t warm_up; /* the first week that is judged */
    uint64_t seed;
    const struct fg_knob *knobs;
    size_t n_knobs;
    bool *fetched; /* by version: set if the policy saw it; NULL: nobody asks */
};

struct fg_quality_outcome {
    double worth, perfect; /* summed over the weeks that are judged */
    uint64_t visits, found;
    uint64_t choices; /* a hash of all picks in their order */
};

enum fg_status fg_quality_replay(struct fg_quality_outcome *outcome,
                                 const struct fg_corpus *corpus,
                                 const struct fg_policy *policy,
                                 const struct fg_quality_rules *rules,
                                 struct fg_err *err);

#endif
