#include "base/variate.h"

#include "base/gamma.h"
#include "base/ziggurat.h"

#include <assert.h>

/* Beyond the last edge: Marsaglia, "Generating a variable from the tail of the normal
 * distribution" (1964). */
static double normal_tail(struct fg_rng *rng)
{
    const double edge = fg_normal_edge[1];
    for (;;) {
        double x = -fg_log(fg_rng_open(rng)) / edge;
        double y = -fg_log(fg_rng_open(rng));
        if (2 * y > x * x)
            return edge + x;
    }
}

/* A point between the curve and the corner of its layer: under the curve or not? */
static bool is_under(const double height[257], unsigned layer, double u, double curve)
{
    return height[layer] + u * (height[layer + 1] - height[layer]) < curve;
}

double fg_normal_finish(struct fg_rng *rng, uint64_t bits)
{
    double x;
    for (; !fg_normal_try(bits, &x); bits = fg_rng_next(rng)) {
        unsigned layer = bits & 255;
        if (layer == 0) {
            double tail = normal_tail(rng);
            return x < 0 ? -tail : tail;
        }
        if (is_under(fg_normal_height, layer, fg_rng_unit(rng), fg_exp(-x * x / 2)))
            break;
    }
    return x;
}

double fg_exponential_finish(struct fg_rng *rng, uint64_t bits)
{
    double x, offset = 0;
    for (; !fg_exponential_try(bits, &x); bits = fg_rng_next(rng)) {
        unsigned layer = bits & 255;
        if (layer == 0) /* the tail of an exponential is an exponential */
            offset += fg_exponential_edge[1];
        else if (is_under(fg_exponential_height, layer, fg_rng_unit(rng), fg_exp(-x)))
            break;
    }
    return offset + x;
}

double fg_rng_normal(struct fg_rng *rng)
{
    double x;
    uint64_t bits = fg_rng_next(rng);
    return fg_normal_try(bits, &x) ? x : fg_normal_finish(rng, bits);
}

double fg_rng_exponential(struct fg_rng *rng)
{
    double x;
    uint64_t bits = fg_rng_next(rng);
    return fg_exponential_try(bits, &x) ? x : fg_exponential_finish(rng, bits);
}

static double gamma_from_one(struct fg_rng *rng, double shape)
{
    double d = shape - 1.0 / 3, scale = 1 / (3 * sqrt(d));
    for (;;) {
        double y = fg_rng_normal(rng) * scale;
        if (fg_gamma_accepts(d, y, fg_rng_unit(rng)))
            return d * (1 + y) * (1 + y) * (1 + y);
    }
}

/* A gamma variate of shape a is one of shape a + 1 times U^(1/a), U uniform; and -log U
 * is an exponential variate. */
double fg_rng_gamma(struct fg_rng *rng, double shape)
{
    assert(shape > 0 && isfinite(shape));
    if (shape >= 1)
        return gamma_from_one(rng, shape);
    double above = gamma_from_one(rng, shape + 1);
    return above * fg_exp(-fg_rng_exponential(rng) / shape);
}

double fg_rng_log_gamma(struct fg_rng *rng, double shape)
{
    assert(shape > 0 && isfinite(shape));
    if (shape >= 1)
        return fg_log(gamma_from_one(rng, shape));
    double above = gamma_from_one(rng, shape + 1);
    return fg_log(above) - fg_rng_exponential(rng) / shape;
}

double fg_rng_beta(struct fg_rng *rng, double a, double b)
{
    if (a >= 1 && b >= 1) {
        double x = fg_rng_gamma(rng, a);
        return x / (x + fg_rng_gamma(rng, b));
    }
    double difference = fg_rng_log_gamma(rng, a) - fg_rng_log_gamma(rng, b);
    double ratio = fg_exp(-fabs(difference)); /* of the smaller to the larger */
    return difference < 0 ? ratio / (1 + ratio) : 1 / (1 + ratio);
}
