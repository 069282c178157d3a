/* model.h - what becomes of pages, reckoned instead of played (Pandey's thesis, 5.6)
 *
 *     struct fg_rank_model model;
 *     fg_rank_model_solve(&model, &(struct fg_rank_model_of){...});
 *     model.quality, model.days_to_top
 *
 * The visits F(x) that a page of popularity x has a day decide how many people come to
 * know it (Theorem 2), that decides how many pages are more popular than x (F1), which is
 * its place, and its place decides its visits (F2): F is the fixed point of this circle.
 *
 * Theorem 2 is used as its proof has it, with lambda + F (1 - a) below the line: as
 * printed, (lambda + F)(1 - a), it has no value at a = 1 and does not sum to 1. F is kept
 * as a table in log-log space. The thesis fits a parabola to it in each round, which
 * costs a quarter of the quality at r = 0.2 that the simulator finds; `is_fitted` does
 * the same. docs/ranking.md has the figures of both. */
#ifndef FG_LAB_RANK_MODEL_H
#define FG_LAB_RANK_MODEL_H

#include "lab/rank/community.h"

struct fg_rank_model_of {
    const struct fg_community_world *world;
    double watched_share;
    struct fg_promotion how;
    bool is_fitted; /* a parabola in log-log space, and the visits of the mean place */
    bool is_rough; /* what is left of the pool stands at 0.8 n, as a first guess has it */
};

struct fg_rank_model {
    double quality;     /* mean over visits, absolute */
    double days_to_top; /* of the best page, as in community.h; and if it gets there */
    double days_if;
    double unseen; /* pages that nobody knows */
    double share[FG_AWARENESS_CLASSES], reach[FG_AWARENESS_CLASSES]; /* of the best */
    size_t rounds; /* until it stood still */
};

void fg_rank_model_solve(struct fg_rank_model *model, const struct fg_rank_model_of *of);

/* --- the pieces --- */

/* Theorem 2: the chances f[0..m] of being known by i of m, for rates[i] visits a day of
 * a page that i know. They sum to 1. */
void fg_rank_awareness(double *f, const double *rates, size_t m, double deaths_a_day);

/* F1': the place of a page that has `place` without promotion; `unseen` pages are
 * promoted from `start` on. */
double fg_rank_pushed_down(double place, double degree, size_t start, double unseen);

/* Days until more than 99 % of m people know a page that does not die; with deaths, of
 * one that gets there. */
double fg_rank_days_to_top(const double *rates, size_t m, double deaths_a_day);

#endif
