/* The constants of the offers: bisection on the expected share of offers that change, are
 * shown, are clicked on a day, over a sample of offers and days. */
#include "base/elementary.h"
#include "base/memory.h"
#include "base/variate.h"
#include "lab/refresh/offers_model.h"

#include <stdlib.h>

enum { SAMPLE = 200000, HALVINGS = 40 };

/* Rates without their constant, and the chance of an event given both. */
struct sample {
    double *rate, *factor;
    size_t n;
    double (*chance)(double rate, double factor);
};

static double share_with(const struct sample *sample, double constant)
{
    double sum = 0;
    for (size_t i = 0; i < sample->n; i++)
        sum += sample->chance(sample->rate[i] * constant, sample->factor[i]);
    return sum / (double)sample->n;
}

static double constant_for(const struct sample *sample, double share)
{
    double low = -30, high = 10; /* logarithms */
    for (size_t i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        *(share_with(sample, fg_exp(middle)) < share ? &low : &high) = middle;
    }
    return fg_exp((low + high) / 2);
}

static void push(struct sample *sample, double rate, double factor)
{
    sample->rate[sample->n] = rate;
    sample->factor[sample->n++] = factor;
}

/* Half of the time an offer is lively. */
static double chance_of_change(double rate, double factor)
{
    double average = (rate < OFFERS_CHANGES_MOST ? rate : OFFERS_CHANGES_MOST) * factor;
    return 1 - (fg_exp(-average * OFFERS_LIVELY) + fg_exp(-average * OFFERS_QUIET)) / 2;
}

/* One or more of a Poisson variate whose mean is gamma distributed with shape 2. */
static double chance_of_any(double mean)
{
    double none = 1 / (1 + mean / OFFERS_DAY_SHAPE);
    return 1 - none * none;
}

static double chance_of_impression(double rate, double factor)
{
    return chance_of_any(rate * factor);
}

static double chance_of_click(double ctr, double shown)
{
    return chance_of_any((ctr < 1 ? ctr : 1) * shown);
}

/* The merchants' sales as they will be: their streams are read ahead on a copy. */
static void sample_changes(struct sample *sample, const struct offers_world *world)
{
    struct offers_world ahead = *world;
    size_t stride = world->n * OFFERS_DAYS / SAMPLE + 1;
    ahead.merchants = fg_zeroed(OFFERS_MERCHANTS, sizeof *ahead.merchants);
    memcpy(ahead.merchants, world->merchants, OFFERS_MERCHANTS * sizeof *ahead.merchants);
    sample->n = 0;
    sample->chance = chance_of_change;
    for (size_t day = 0; day < OFFERS_DAYS; day++) {
        offers_pass_merchants(&ahead, day);
        for (size_t i = day % stride; i < world->n; i += stride)
            push(sample, (double)world->offers[i].changes,
                 offers_factor(&ahead, &world->offers[i], day));
    }
    free(ahead.merchants);
}

static void sample_shown(struct sample *sample, const struct offers_world *world,
                         const struct fg_rng *rng)
{
    struct fg_rng draws = *rng;
    size_t stride = world->n / SAMPLE + 1, turns = SAMPLE / world->n + 1;
    sample->n = 0;
    sample->chance = chance_of_impression;
    for (size_t turn = 0; turn < turns; turn++)
        for (size_t i = 0; i < world->n; i += stride)
            push(sample,
                 fg_exp((double)world->offers[i].log_shown +
                        OFFERS_DRIFT * fg_rng_normal(&draws)),
                 1);
}

/* Of the impressions just sampled, which need `constant` as a factor. */
static void sample_clicked(struct sample *sample, const struct offers_world *world,
                           double constant)
{
    size_t stride = world->n / SAMPLE + 1, i = 0;
    sample->chance = chance_of_click;
    for (size_t k = 0; k < sample->n; k++) {
        sample->factor[k] = sample->rate[k] * constant;
        sample->rate[k] = (double)world->offers[i].ctr;
        i = i + stride < world->n ? i + stride : 0;
    }
}

void offers_calibrate(struct offers_world *world, const struct fg_rng *rng)
{
    size_t room = 2 * SAMPLE + OFFERS_DAYS;
    struct sample sample = {.rate = fg_zeroed(room, sizeof(double)),
                            .factor = fg_zeroed(room, sizeof(double))};
    sample_changes(&sample, world);
    double changes = constant_for(&sample, OFFERS_CHANGED);
    sample_shown(&sample, world, rng);
    double shown = constant_for(&sample, OFFERS_SHOWN);
    sample_clicked(&sample, world, shown);
    double ctr = constant_for(&sample, OFFERS_CLICKED);
    for (size_t i = 0; i < world->n; i++) {
        struct offers_offer *offer = &world->offers[i];
        offer->changes =
            (float)fmin((double)offer->changes * changes, OFFERS_CHANGES_MOST);
        offer->log_shown = (float)((double)offer->log_shown + fg_log(shown));
        offer->ctr = (float)fmin((double)offer->ctr * ctr, 1);
    }
    free(sample.rate);
    free(sample.factor);
}
