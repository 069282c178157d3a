/* random_site.h - small random sites and the plain truth about them, for tests
 *
 * What a source shows is kept twice: as stays, of which the library makes a site, and as
 * a cube of yes and no that needs no cleverness to be right. */
#ifndef FG_TESTS_LAB_RANDOM_SITE_H
#define FG_TESTS_LAB_RANDOM_SITE_H

#include "base/rng.h"
#include "lab/site.h"
#include "test.h"

enum { MOST_SOURCES = 6, MOST_TARGETS = 24, MOST_STEPS = 40, MOST_STAYS = 90 };

struct truth {
    size_t sources, steps, n_stays;
    struct fg_stay stays[MOST_STAYS];
    bool shows[MOST_STEPS][MOST_SOURCES][MOST_TARGETS];
    bool is_missing[MOST_STEPS][MOST_SOURCES];
    bool is_relevant[MOST_TARGETS];
    bool has_missing, has_relevant;
};

static inline void truth_stay(struct truth *truth, struct fg_stay stay)
{
    truth->stays[truth->n_stays++] = stay;
    for (size_t t = stay.first; t <= stay.last && t < truth->steps; t++)
        truth->shows[t][stay.source][stay.target] = true;
}

/* Stays of one pair may overlap, touch, repeat, and end after the last step. */
static inline struct truth truth_draw(uint64_t seed)
{
    struct fg_rng rng = fg_rng_from_seed(seed);
    struct truth truth = {.sources = 1 + fg_rng_below(&rng, MOST_SOURCES),
                          .steps = 1 + fg_rng_below(&rng, MOST_STEPS)};
    size_t n = fg_rng_below(&rng, MOST_STAYS);
    for (size_t i = 0; i < n; i++) {
        uint32_t first = (uint32_t)fg_rng_below(&rng, truth.steps + 3);
        uint32_t length = (uint32_t)fg_rng_below(&rng, 1 + fg_rng_below(&rng, 15));
        truth_stay(&truth, (struct fg_stay){(uint32_t)fg_rng_below(&rng, truth.sources),
                                            (uint32_t)fg_rng_below(&rng, MOST_TARGETS),
                                            first, first + length});
    }
    truth.has_missing = fg_rng_below(&rng, 2);
    truth.has_relevant = fg_rng_below(&rng, 2);
    for (size_t t = 0; truth.has_missing && t < truth.steps; t++)
        for (size_t u = 0; u < truth.sources; u++)
            truth.is_missing[t][u] = fg_rng_below(&rng, 5) == 0;
    for (size_t v = 0; truth.has_relevant && v < MOST_TARGETS; v++)
        truth.is_relevant[v] = fg_rng_below(&rng, 2);
    return truth;
}

static inline struct fg_site *truth_site(const struct truth *truth)
{
    struct fg_stay stays[MOST_STAYS];
    struct fg_site_facts facts = {
        .sources = truth->sources, .steps = truth->steps, .step = FG_HOUR};
    memcpy(stays, truth->stays, sizeof stays);
    struct fg_site *site = fg_site_new(&facts, stays, truth->n_stays);
    for (size_t t = 0; t < truth->steps; t++)
        for (size_t u = 0; u < truth->sources; u++)
            if (truth->is_missing[t][u])
                fg_site_miss(site, u, t);
    for (size_t v = 0; v < site->targets; v++)
        if (truth->is_relevant[v])
            fg_site_relevant(site, v);
    return site;
}

static inline uint32_t truth_appeared(const struct truth *truth, size_t target)
{
    for (size_t t = 0; t < truth->steps; t++)
        for (size_t u = 0; u < truth->sources; u++)
            if (truth->shows[t][u][target])
                return (uint32_t)t;
    return FG_SITE_NO_STEP;
}

#endif
