#include "policy/refresh/sampling.h"

#include "base/lanes.h"

#include <math.h>
#include <string.h>

/* Passes that give the others what limits turned away; each takes at least half of what
 * the one before left, unless hardly anything can be taken. */
enum { PASSES = 32 };

/* Pages in a block, and blocks in a field; see sampling.h. */
enum { BLOCK = 64, FIELD = 64 };

struct total {
    double sum;
    size_t ones; /* chances that are 1; not part of the sum */
};

/* Rates from `full` on make a chance of 1; the others are summed. */
FG_INLINE void add_up(const float *rates, size_t n, double full, struct total *total)
{
    f64x4 sum = {0}, limit = {full, full, full, full};
    i64x4 below = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        f64x4 rate = load_floats(rates + i);
        i64x4 is_below = negative(rate - limit);
        below -= is_below;
        sum += where(is_below, rate);
    }
    total->sum = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    total->ones = i - (size_t)((below[0] + below[1]) + (below[2] + below[3]));
    for (; i < n; i++) {
        bool is_below = (double)rates[i] < full;
        total->ones += !is_below;
        total->sum += is_below ? (double)rates[i] : 0;
    }
}
FG_TWICE(add_up, (const float *rates, size_t n, double full, struct total *total),
         (rates, n, full, total))

static void bar_blocked(const struct fg_world *world, float *rates)
{
    const uint8_t *is_blocked = world->is_blocked;
    for (size_t i = 0, end; i < world->n; i = end) {
        uint64_t eight = 1;
        end = i + sizeof eight < world->n ? i + sizeof eight : world->n;
        if (end == i + sizeof eight)
            memcpy(&eight, is_blocked + i, sizeof eight);
        for (size_t k = i; eight && k < end; k++)
            rates[k] = is_blocked[k] ? 0 : rates[k];
    }
}

static void bar_untakeable(const struct fg_brain *brain, float *rates)
{
    for (size_t i = 0; i < brain->world->n; i++)
        if (!fg_brain_may_take(brain, i))
            rates[i] = 0;
}

/* c with sum min(1, c rate_i) = budget. The sum is concave in c, so Newton's method comes
 * from below and never passes it; each step finds more chances that are 1. */
static double scale_for(const float *rates, size_t n, double budget)
{
    enum { STEPS = 64 };
    struct total total;
    double scale = 0, better;
    for (int step = 0; step < STEPS; step++) {
        add_up_best(rates, n, scale > 0 ? 1 / scale : INFINITY, &total);
        if (!(total.sum > 0) || (double)total.ones >= budget)
            return total.ones ? 0x1p100 : 0; /* whatever has a rate */
        better = (budget - (double)total.ones) / total.sum;
        if (better <= scale * (1 + 1e-9))
            break;
        scale = better;
    }
    return scale;
}

/* The blocks in the order of the tick. In a field, from one to the next it is an odd
 * number of blocks round the circle, which reaches all of them. */
struct tour {
    size_t blocks;             /* in all */
    size_t fields_left, field; /* the one at hand */
    size_t visited, at, step;  /* in it */
};

static void enter_field(struct tour *tour, struct fg_rng *rng)
{
    uint64_t random = fg_rng_next(rng);
    tour->visited = 0;
    tour->at = random % FIELD;
    tour->step = (random / FIELD) % FIELD | 1;
}

static struct tour tour_of(struct fg_rng *rng, size_t n)
{
    struct tour tour = {.blocks = (n + BLOCK - 1) / BLOCK};
    tour.fields_left = (tour.blocks + FIELD - 1) / FIELD;
    tour.field = (size_t)fg_rng_below(rng, tour.fields_left);
    enter_field(&tour, rng);
    return tour;
}

FG_INLINE void next_block(struct tour *tour)
{
    tour->at = (tour->at + tour->step) % FIELD;
    tour->visited++;
}

/* Where the next tooth of the comb stands, how far the chances reach, and the pages that
 * teeth fell on. */
struct comb {
    double reach, tooth, scale;
    size_t left, hit;
    struct fg_pick *hits;
};

/* The sum of the chances in a block. */
FG_INLINE double chances(const float *rates, double scale)
{
    const f64x4 one = {1, 1, 1, 1};
    f64x4 sum = {0};
    for (size_t i = 0; i < BLOCK; i += LANES) {
        f64x4 chance = load_floats(rates + i) * scale;
        sum += either(negative(chance - one), chance, one);
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Go on in the field to the next block that a tooth falls on, or that is not a whole
 * one. */
FG_INLINE void skip(struct comb *comb, struct tour *tour, const float *rates, size_t n)
{
    for (; tour->visited < FIELD; next_block(tour)) {
        size_t first = (tour->field * FIELD + tour->at) * BLOCK;
        if (first + BLOCK > n)
            return;
        double reach = comb->reach + chances(rates + first, comb->scale);
        if (!(reach < comb->tooth))
            return;
        comb->reach = reach;
    }
}
FG_TWICE(skip, (struct comb * comb, struct tour *tour, const float *rates, size_t n),
         (comb, tour, rates, n))

static void walk(struct comb *comb, const float *rates, size_t first, size_t end)
{
    double reach = comb->reach, scale = comb->scale, tooth = comb->tooth;
    for (size_t i = first; i < end; i++) {
        double chance = (double)rates[i] * scale;
        chance = chance < 1 ? chance : 1;
        reach += chance;
        if (reach < tooth)
            continue;
        tooth += 1;
        if (chance > 0 && comb->left) {
            comb->left--;
            comb->hits[comb->hit++] = (struct fg_pick){.page = (uint32_t)i,
                                                       .score = (float)chance,
                                                       .probability = (float)chance};
        }
    }
    comb->reach = reach;
    comb->tooth = tooth;
}

/* From a random page on. */
static void walk_block(struct comb *comb, struct fg_rng *rng, const float *rates,
                       size_t first, size_t n)
{
    size_t end = first + BLOCK < n ? first + BLOCK : n;
    if (first >= end)
        return;
    size_t from = first + (size_t)fg_rng_below(rng, end - first);
    walk(comb, rates, from, end);
    walk(comb, rates, first, from);
}

static void sweep(struct comb *comb, struct fg_rng *rng, const float *rates, size_t n)
{
    struct tour tour = tour_of(rng, n);
    size_t fields = tour.fields_left;
    while (tour.fields_left && comb->left) {
        skip_best(comb, &tour, rates, n);
        if (tour.visited < FIELD) {
            walk_block(comb, rng, rates, (tour.field * FIELD + tour.at) * BLOCK, n);
            next_block(&tour);
            continue;
        }
        tour.fields_left--;
        tour.field = tour.field + 1 < fields ? tour.field + 1 : 0;
        enter_field(&tour, rng);
    }
}

/* Keep those that may be taken; returns how many. They lie far apart in memory, so it is
 * asked for ahead. */
static size_t take_all(struct fg_brain *brain, struct fg_pick *picks, size_t n)
{
    enum { AHEAD = 16 };
    const struct fg_world *world = brain->world;
    size_t taken = 0;
    for (size_t i = 0; i < n; i++) {
        size_t soon = picks[i + AHEAD < n ? i + AHEAD : n - 1].page;
        __builtin_prefetch(&brain->taken[soon], 1);
        __builtin_prefetch(&world->site[soon]);
        __builtin_prefetch(&world->is_blocked[soon]);
        if (fg_brain_take(brain, picks[i].page))
            picks[taken++] = picks[i];
    }
    return taken;
}

size_t fg_sampling_take(struct fg_brain *brain, float *rates, size_t budget,
                        struct fg_pick *out)
{
    size_t n = brain->world->n, taken = 0;
    for (int i = 0; i < PASSES && taken < budget; i++) {
        if (i || brain->world->site_limit)
            bar_untakeable(brain, rates);
        else
            bar_blocked(brain->world, rates);
        struct comb comb = {.left = budget - taken,
                            .hits = out + taken,
                            .tooth = fg_rng_open(&brain->rng),
                            .scale = scale_for(rates, n, (double)(budget - taken))};
        if (!(comb.scale > 0))
            break;
        sweep(&comb, &brain->rng, rates, n);
        taken += take_all(brain, comb.hits, comb.hit);
    }
    return taken;
}

size_t fg_sampling_take_uncapped(struct fg_brain *brain, float *rates, size_t budget,
                                 struct fg_pick *out)
{
    struct total total;
    size_t n = brain->world->n;
    add_up_best(rates, n, INFINITY, &total);
    if (!(total.sum > 0))
        return 0;
    bar_blocked(brain->world, rates);
    struct comb comb = {.left = budget,
                        .hits = out,
                        .tooth = fg_rng_open(&brain->rng),
                        .scale = (double)budget / total.sum};
    sweep(&comb, &brain->rng, rates, n);
    return take_all(brain, out, comb.hit);
}
