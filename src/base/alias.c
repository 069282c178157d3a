/* Walker, "An efficient method for generating discrete random variables with general
 * distributions" (1977), built as Vose, "A linear algorithm for generating random numbers
 * with a given distribution" (1991): n columns of equal height, each shared by at most
 * two choices. A choice with less than a column's share is topped up by one with more.
 *
 * One 64-bit number picks the column with the high half of a product and the side with
 * the low half, which is exact to 2^-64 of the whole: each output of the generator is one
 * choice, so no finer division exists. */
#include "base/alias.h"

#include <math.h>

static enum fg_status check(const double *weights, size_t n, double *largest,
                            struct fg_err *err)
{
    *largest = 0;
    if (n > UINT32_MAX)
        return fg_fail(err, FG_EINPUT, "%zu weights are too many", n);
    for (size_t i = 0; i < n; i++) {
        if (!(weights[i] >= 0) || isinf(weights[i]))
            return fg_fail(err, FG_EINPUT, "weight %zu is %g", i, weights[i]);
        *largest = weights[i] > *largest ? weights[i] : *largest;
    }
    if (*largest == 0)
        return fg_fail(err, FG_EINPUT, "all %zu weights are 0", n);
    return FG_OK;
}

static uint64_t cut_at(double share)
{
    return share >= 1 ? UINT64_MAX : (uint64_t)(share * 0x1p64);
}

/* `share` is each choice's part of the sum in columns. Both lists live in `order`: those
 * short of a column grow from its front, the others from its back. */
static void pair_up(struct fg_alias *alias, uint64_t *cut, uint32_t *other, double *share,
                    uint32_t *order)
{
    size_t shorts = 0, longs = alias->n;
    for (size_t i = 0; i < alias->n; i++)
        order[share[i] < 1 ? shorts++ : --longs] = (uint32_t)i;
    while (shorts && longs < alias->n) {
        uint32_t low = order[--shorts], high = order[longs];
        cut[low] = cut_at(share[low]);
        other[low] = high;
        share[high] -= 1 - share[low];
        if (share[high] < 1) {
            longs++;
            order[shorts++] = high;
        }
    }
}

enum fg_status fg_alias_build(struct fg_alias *alias, struct fg_arena *arena,
                              const double *weights, size_t n, struct fg_err *err)
{
    double largest, sum = 0;
    enum fg_status st = check(weights, n, &largest, err);
    *alias = (struct fg_alias){0};
    if (st)
        return st;

    uint64_t *cut = FG_NEW(arena, uint64_t, n);
    uint32_t *other = FG_NEW(arena, uint32_t, n);
    struct fg_arena scratch = {0};
    double *share = FG_NEW(&scratch, double, n);
    size_t heaviest = 0;
    for (size_t i = 0; i < n; i++) {
        share[i] = weights[i] / largest; /* first, so that the sum cannot overflow */
        sum += share[i];
        if (weights[i] == largest)
            heaviest = i;
    }
    for (size_t i = 0; i < n; i++) {
        share[i] = share[i] / sum * (double)n;
        /* What rounding leaves unpaired keeps its column; a weight of 0 keeps nothing. */
        cut[i] = weights[i] > 0 ? UINT64_MAX : 0;
        other[i] = (uint32_t)(weights[i] > 0 ? i : heaviest);
    }
    *alias = (struct fg_alias){.n = n, .cut = cut, .other = other};
    pair_up(alias, cut, other, share, FG_NEW(&scratch, uint32_t, n));
    fg_arena_clear(&scratch);
    return FG_OK;
}
