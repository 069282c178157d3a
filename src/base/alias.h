/* alias.h - choosing by weight in constant time
 *
 *     struct fg_alias alias;
 *     st = fg_alias_build(&alias, arena, weights, n, err);
 *     size_t choice = fg_alias_draw(&alias, &rng);
 *
 * The table lives in the arena, 12 bytes a choice, and is read-only once built: threads
 * may share it. For weights that change between draws, build anew: it takes linear time.
 */
#ifndef FG_BASE_ALIAS_H
#define FG_BASE_ALIAS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/rng.h"

struct fg_alias {
    size_t n;
    const uint64_t *cut;   /* column i is i itself below the cut, of 2^64, ... */
    const uint32_t *other; /* ... and this one from there on */
};

/* At most 2^32 weights, finite and not negative, at least one of them above 0; otherwise
 * FG_EINPUT, and the message names the first that is wrong. */
enum fg_status fg_alias_build(struct fg_alias *alias, struct fg_arena *arena,
                              const double *weights, size_t n, struct fg_err *err);

/* The chance of each is its weight over the sum, rounded to 2^-63; 0 is never chosen. */
static inline size_t fg_alias_draw(const struct fg_alias *alias, struct fg_rng *rng)
{
    unsigned __int128 product = (unsigned __int128)fg_rng_next(rng) * alias->n;
    size_t column = (size_t)(product >> 64);
    return (uint64_t)product < alias->cut[column] ? column : alias->other[column];
}

#endif
