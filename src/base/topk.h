/* topk.h - the k best of a stream of scores
 *
 *     struct fg_topk topk;
 *     fg_topk_init(&topk, budget);
 *     for each block: fg_topk_add(&topk, first, score, n);
 *     const struct fg_top *best = fg_topk_take(&topk, &n);
 *     fg_topk_clear(&topk);
 *
 * Scores arrive in blocks, as a policy computes them; most are below the k-th best so far
 * and cost no more than reading them. Equal scores are ordered by id, the lower first, so
 * the result does not depend on the order of arrival nor on how the stream was cut or
 * shared among threads. A NaN is never chosen, nor is -INFINITY, which a policy uses to
 * say never; +INFINITY is a score like any other.
 *
 * Holds 16 bytes of memory per k. An id must not be given twice. */
#ifndef FG_BASE_TOPK_H
#define FG_BASE_TOPK_H

#include <stddef.h>
#include <stdint.h>

struct fg_top {
    float score;
    uint32_t id;
};

struct fg_topk {
    size_t k, len, room;
    uint64_t *keys; /* score and id in one number: larger is better */
    uint64_t bar;   /* keys up to it have no chance */
    float least;    /* nor have scores below it, ... */
    float above;    /* ... or, with a higher id than the bar's, below this */
};

/* k from 0 to 2^32 - 1 */
void fg_topk_init(struct fg_topk *topk, size_t k);
void fg_topk_clear(struct fg_topk *topk);

/* Offer n scores with the ids first, first + 1, ... */
void fg_topk_add(struct fg_topk *topk, uint32_t first, const float *score, size_t n);

/* Offer one. */
void fg_topk_add_one(struct fg_topk *topk, uint32_t id, float score);

/* The best, at most k, best first. They live until the next call; the stream starts
 * anew. */
const struct fg_top *fg_topk_take(struct fg_topk *topk, size_t *n);

#endif
