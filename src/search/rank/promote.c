#include "search/rank/promote.h"

#include "base/memory.h"
#include "base/variate.h"

#include <stdlib.h>

/* --- lists --- */

void fg_promote_merge(uint32_t *out, bool *is_promoted, const uint32_t *ranked, size_t n,
                      const uint32_t *pool, size_t n_pool, size_t start,
                      struct fg_coin coin)
{
    size_t from_pool = 0;
    for (size_t i = 0; i < n + n_pool; i++) {
        size_t others = i - from_pool;
        bool takes = others == n;
        if (others < n && from_pool < n_pool && i + 1 >= start)
            takes = coin.toss(coin.context);
        out[i] = takes ? pool[from_pool] : ranked[others];
        from_pool += takes;
        if (is_promoted)
            is_promoted[i] = takes;
    }
}

struct biased {
    struct fg_rng *rng;
    double chance;
};

static bool toss(void *context)
{
    const struct biased *coin = context;
    return fg_rng_unit(coin->rng) < coin->chance;
}

void fg_promote(struct fg_promotion how, const uint32_t *ranked, size_t n,
                const bool *is_pooled, struct fg_rng *rng, uint32_t *out,
                bool *is_promoted)
{
    uint32_t *parts = fg_zeroed(n + 1, sizeof *parts);
    struct biased coin = {rng, how.degree};
    size_t others = 0, pool = n; /* the pool grows from the end */
    for (size_t i = 0; i < n; i++) {
        bool is_in = fg_promotion_is_on(&how) &&
                     (how.pool == FG_POOL_UNIFORM ? toss(&coin) : is_pooled[i]);
        if (is_in)
            parts[--pool] = ranked[i];
        else
            parts[others++] = ranked[i];
    }
    fg_rng_shuffle(rng, parts + pool, n - pool, sizeof *parts);
    fg_promote_merge(out, is_promoted, parts, others, parts + pool, n - pool, how.start,
                     (struct fg_coin){toss, &coin});
    free(parts);
}

void fg_promote_some(struct fg_promotion how, size_t n, const bool *is_pooled,
                     struct fg_rng *rng, uint32_t *out, bool *is_promoted)
{
    bool *is_placed = fg_zeroed(n + 1, sizeof *is_placed);
    struct biased coin = {rng, how.degree};
    size_t next = 0; /* the first that is not placed */
    for (size_t i = 0; i < n; i++) {
        while (is_placed[next])
            next++;
        size_t chosen = next, choices = 0;
        bool takes = fg_promotion_is_on(&how) && i + 1 >= how.start && toss(&coin);
        for (size_t j = next + 1; takes && j < n; j++)
            if (!is_placed[j] && (how.pool == FG_POOL_UNIFORM || is_pooled[j]) &&
                !fg_rng_below(rng, ++choices))
                chosen = j;
        is_promoted[i] = chosen != next;
        is_placed[chosen] = true;
        out[i] = (uint32_t)chosen;
    }
    free(is_placed);
}

/* --- one place of a list --- */

/* How many pages of the pool are passed over until `wanted` others were met. */
static uint64_t passed_over(struct fg_rng *rng, size_t wanted, double degree)
{
    double odds = degree / (1 - degree);
    return fg_rng_poisson(rng, fg_rng_gamma(rng, (double)wanted) * odds);
}

static int64_t draw_uniform(const struct fg_promotion *how, size_t place, size_t n,
                            struct fg_rng *rng)
{
    if (how->degree >= 1)
        return -1;
    size_t wanted = place;
    if (place >= how->start) {
        if (fg_rng_unit(rng) < how->degree)
            return -1;
        wanted -= fg_rng_binomial(rng, place - how->start, how->degree);
    }
    uint64_t at = wanted - 1 + passed_over(rng, wanted, how->degree);
    return (int64_t)(at < n ? at : n - 1);
}

int64_t fg_promotion_draw(const struct fg_promotion *how, size_t place, size_t n_ranked,
                          size_t n_pool, struct fg_rng *rng)
{
    if (how->pool == FG_POOL_UNIFORM)
        return draw_uniform(how, place, n_ranked, rng);
    size_t start = how->start <= n_ranked ? how->start : n_ranked + 1;
    if (place < start)
        return (int64_t)place - 1;
    uint64_t before = fg_rng_binomial(rng, place - start, how->degree);
    if (before >= n_pool)
        return (int64_t)(place - 1 - n_pool);
    size_t others = place - 1 - before;
    if (others >= n_ranked || fg_rng_unit(rng) < how->degree)
        return -1;
    return (int64_t)others;
}
