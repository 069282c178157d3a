#include "base/elementary.h"
#include "base/variate.h"
#include "lab/generate/generate_model.h"

enum { DAY = 24, BURST_HOURS = 30 };

#define BATCH_SHARE 0.4

/* cos(2 pi hours / 24), by its series: the library's may differ in the last place from
 * machine to machine. */
static double cosine(double hours)
{
    double turned = hours / DAY;
    turned -= (double)(int64_t)turned;
    turned = turned > .5 ? turned - 1 : turned < -.5 ? turned + 1 : turned;
    double x = 2 * 3.141592653589793 * turned, term = 1, sum = 1;
    for (int i = 1; i < 14; i++) {
        term *= -x * x / ((2 * i - 1) * (2 * i));
        sum += term;
    }
    return sum;
}

void gen_profile(double profile[GEN_WEEK], const struct gen_params *params, double peak,
                 double sharpness, double weekend, int batch_hour)
{
    double day[DAY], mean = 0, week_mean = 0;
    for (int h = 0; h < DAY; h++) {
        day[h] = params->when.trough +
                 (1 - params->when.trough) * fg_exp(sharpness * (cosine(h - peak) - 1));
        mean += day[h] / DAY;
    }
    for (int h = 0; h < DAY; h++) {
        day[h] /= mean;
        if (batch_hour >= 0)
            day[h] = (1 - BATCH_SHARE) * day[h] + (h == batch_hour) * BATCH_SHARE * DAY;
    }
    for (int h = 0; h < GEN_WEEK; h++) {
        profile[h] = day[h % DAY] * (h >= 5 * DAY ? weekend : 1);
        week_mean += profile[h] / GEN_WEEK;
    }
    for (int h = 0; h < GEN_WEEK; h++)
        profile[h] /= week_mean;
}

static double draw_regime(struct fg_rng *rng, double hot)
{
    double u = fg_rng_unit(rng);
    return u < .4 ? .03 : u < .75 ? hot : 1;
}

double *gen_multiplier(struct fg_arena *arena, const struct gen_params *params,
                       struct fg_rng rng, size_t hours, double regimes_per_week)
{
    double *multiplier = FG_NEW(arena, double, hours);
    double walk = 0, ripple = 0, regime = 1;
    for (size_t h = 0; h < hours; h++) {
        if (h && h % DAY == 0)
            walk += params->when.drift * fg_rng_normal(&rng) - .01 * walk;
        ripple = .7 * ripple + .25 * fg_rng_normal(&rng);
        if (fg_rng_unit(&rng) * GEN_WEEK < regimes_per_week)
            regime = draw_regime(&rng, params->when.hot);
        multiplier[h] = fg_exp(walk + ripple) * regime;
    }
    return multiplier;
}

double *gen_bursts(struct fg_arena *arena, const struct gen_params *params,
                   struct fg_rng rng, size_t sections, size_t hours)
{
    double *factor = FG_NEW(arena, double, sections *hours);
    for (size_t i = 0; i < sections * hours; i++)
        factor[i] = 1;
    for (size_t h = 0; h < hours; h++)
        for (uint64_t n = fg_rng_poisson(&rng, params->when.bursts_per_day / DAY); n;
             n--) {
            double *at = factor + fg_rng_below(&rng, sections) * hours;
            double height = params->when.burst_height * fg_rng_gamma(&rng, 1.5) / 1.5;
            for (size_t age = 0; age < BURST_HOURS && h + age < hours; age++)
                at[h + age] +=
                    height * fg_exp(-(double)age / params->when.burst_decay_hours);
        }
    return factor;
}
