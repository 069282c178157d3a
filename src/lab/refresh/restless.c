#include "lab/refresh/restless.h"

#include "base/err.h"
#include "base/memory.h"
#include "base/variate.h"
#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct setting {
    size_t pages[FG_RESTLESS_GROUPS];
    double rate[FG_RESTLESS_GROUPS]; /* a slot */
} settings[] = {
    {{1, 1, 1, 1}, {0.6, 0.08, 0.01, 0.3}},
    {{5, 80, 10, 5}, {0.1, 0.002, 0.005, 0.05}},
};
static const float importance[FG_RESTLESS_GROUPS] = {5, 0.2F, 1, 0.5F};

typedef FG_VEC(struct fg_change) changes_vec;

/* Each page has a random stream of its own. */
static void add_changes(changes_vec *changes, uint32_t page, double rate, size_t slots,
                        bool is_probability, struct fg_rng rng)
{
    uint32_t value = 0;
    double slot = 0;
    while (true) {
        double within = 0;
        slot += is_probability ? (double)fg_rng_geometric(&rng, rate)
                               : fg_rng_exponential(&rng) / rate;
        if (is_probability)
            within = fg_rng_unit(&rng);
        if (!(slot < (double)slots))
            return;
        fg_vec_push(changes, (struct fg_change){(fg_time)((slot + within) * FG_DAY), page,
                                                ++value});
        slot += is_probability;
    }
}

static int by_time(const void *a, const void *b)
{
    const struct fg_change *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->page < y->page ? -1 : x->page > y->page;
}

struct fg_timeline *fg_restless_make(const struct fg_restless_options *options)
{
    const struct setting *setting = &settings[options->setting == 2];
    struct fg_timeline *t = fg_zeroed(1, sizeof *t);
    struct fg_rng rng = fg_rng_from_seed(options->seed);
    changes_vec changes = {0};
    size_t slots = options->slots ? options->slots : FG_RESTLESS_SLOTS;
    char name[64];
    snprintf(name, sizeof name, "restless-%u", options->setting);
    t->name = strdup(name);
    if (!t->name)
        fg_out_of_memory();
    for (size_t g = 0; g < FG_RESTLESS_GROUPS; g++)
        t->n += setting->pages[g];
    t->step = FG_DAY;
    t->to = (fg_time)slots * FG_DAY;
    t->group = fg_zeroed(t->n, sizeof *t->group);
    t->weight = fg_zeroed(t->n, sizeof *t->weight);
    t->rate = fg_zeroed(t->n, sizeof *t->rate);
    for (uint32_t g = 0, page = 0; g < FG_RESTLESS_GROUPS; g++)
        for (size_t i = 0; i < setting->pages[g]; i++, page++) {
            double rate = setting->rate[g];
            t->group[page] = g;
            t->weight[page] = importance[g];
            t->rate[page] = options->is_probability ? -log1p(-rate) : rate;
            add_changes(&changes, page, rate, slots, options->is_probability,
                        fg_rng_split(&rng, page));
        }
    qsort(changes.at, changes.len, sizeof *changes.at, by_time);
    t->changes = changes.at;
    t->n_changes = changes.len;
    t->is_seen_first = t->is_told_reward = true;
    return t;
}
