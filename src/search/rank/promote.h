/* promote.h - randomised rank promotion (Pandey's thesis, 5.5)
 *
 *     struct fg_promotion how = {FG_POOL_UNSEEN, .degree = 0.1, .start = 2};
 *     fg_promote(how, ranked, n, is_pooled, &rng, out);
 *
 * Pages of a pool, in random order, are merged into the list of the others, which stand
 * by their popularity: the first start - 1 of these stay where they are; from there on
 * each place is given to the pool with the chance `degree`, and to the others otherwise,
 * until one of the two is used up. With degree 0 nothing is promoted and the list stays
 * as it is.
 *
 * Whoever wants one place of many long lists, as the lab does, draws it from the law of
 * the merge instead of merging: fg_promotion_draw. */
#ifndef FG_SEARCH_RANK_PROMOTE_H
#define FG_SEARCH_RANK_PROMOTE_H

#include "base/rng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which pages are promoted. */
enum fg_pool {
    FG_POOL_NONE,
    FG_POOL_UNIFORM, /* each with the chance `degree` */
    FG_POOL_UNSEEN,  /* those that at most `few` are known to have seen */
};

struct fg_promotion {
    enum fg_pool pool;
    double degree; /* r: from 0 to 1 */
    size_t start;  /* k: the first place that may be given away, from 1 */
    double few;    /* 0: nobody has seen it */
};

/* Whether anything is promoted at all. */
static inline bool fg_promotion_is_on(const struct fg_promotion *how)
{
    return how->pool != FG_POOL_NONE && how->degree > 0;
}

/* A chance that comes true or not; the tests have coins of their own. */
struct fg_coin {
    bool (*toss)(void *context);
    void *context;
};

/* Merges the two lists into `out`, which has room for both; is_promoted, if not NULL,
 * tells of each place whether the pool has it. A coin is tossed only where both lists
 * have something left. */
void fg_promote_merge(uint32_t *out, bool *is_promoted, const uint32_t *ranked, size_t n,
                      const uint32_t *pool, size_t n_pool, size_t start,
                      struct fg_coin coin);

/* The whole of it: `ranked` holds n pages, best first, of which those with `is_pooled`
 * (by place in `ranked`) may be promoted; of the uniform rule the pool is drawn here, and
 * is_pooled may be NULL. */
void fg_promote(struct fg_promotion how, const uint32_t *ranked, size_t n,
                const bool *is_pooled, struct fg_rng *rng, uint32_t *out,
                bool *is_promoted);

/* For results that have an order of their own whether they were seen or not, as those of
 * a search have: unseen ones keep their places unless they are promoted, and who is
 * promoted at a place is any of those that stand behind it. `out` gets places of the
 * list, from 0. */
void fg_promote_some(struct fg_promotion how, size_t n, const bool *is_pooled,
                     struct fg_rng *rng, uint32_t *out, bool *is_promoted);

/* The page at `place`, from 1, of a merged list of n_ranked others and n_pool pool pages
 * as a new query would see it: its number in the list of the others, from 0, or -1 for
 * any page of the pool, all alike. Of the uniform rule n_pool is 0 and -1 stands for any
 * page of the list. */
int64_t fg_promotion_draw(const struct fg_promotion *how, size_t place, size_t n_ranked,
                          size_t n_pool, struct fg_rng *rng);

#endif
