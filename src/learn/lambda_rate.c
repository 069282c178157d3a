/* The rate r of a page of weight w and change rate l (or chance D) at the price v is
 * where the next visit stops being worth its price, w F'(r) = v, or the bound that comes
 * first. With s = 1 / sqrt(v):
 *
 *     Bernoulli  w D / (p + D - D p)^2 = v             p = (s sqrt(w D) - D) / (1 - D)
 *     Poisson    w l / (r + l)^2 = v                   r = s sqrt(w l) - l
 *     periodic   w / l (1 - (1 + A) exp(-A)) = v       r = l / A
 *
 * The last needs A from y = v l / w = 1 - (1 + A) exp(-A), which is A - log(1 + A) = z
 * with z = -log(1 - y). As a function of t = sqrt(2 z) the root is smooth,
 * A = t + t^2/3 + t^3/36 - t^4/270 + ..., and a quotient of two polynomials with positive
 * coefficients gives t / A to 4e-14 for all t up to 8.7, beyond which 1 - y is nothing in
 * doubles. (Coefficients: weighted least squares over 240 Chebyshev points in 60 digits,
 * reweighted until the largest errors were level.)
 *
 * A page is never worth a visit if w / l <= v; where y nears 1 the periodic rate falls to
 * 0 so steeply that doubles near v tell l / 36 and 0 apart and nothing between. lambda.c
 * has the answer to that. */
#include "learn/lambda_rate.h"

#include "base/lanes.h"

#include <assert.h>
#include <math.h>

#define MOST_CHANGE  (1 - 1e-4) /* the Bernoulli form divides by 1 - D */
#define BIGGEST_ROOT 1e150      /* s of the price 0; times 0 it is 0 */

struct rates {
    f64x4 rate, slope;
};

FG_INLINE f64x4 sane(f64x4 v)
{
    return where(negative((f64x4)positive_finite(v)), v);
}

/* x within [0, most] */
FG_INLINE f64x4 clip(f64x4 x, double most)
{
    return where(~negative(x), either(negative(x - most), x, most + (f64x4){0}));
}

/* The slope counts where neither bound holds x. */
FG_INLINE struct rates clip_both(f64x4 x, f64x4 slope, double most)
{
    return (struct rates){clip(x, most), where(~negative(x) & negative(x - most), slope)};
}

/* The rate as a line in s, where no bound holds it: gradient * s - offset. */
struct line {
    f64x4 gradient, offset;
};

FG_INLINE struct line line_of(enum fg_lambda_model model, f64x4 w, f64x4 change)
{
    if (model == FG_LAMBDA_POISSON)
        return (struct line){roots(w * change), change};
    f64x4 d = either(negative(change - MOST_CHANGE), change, MOST_CHANGE + (f64x4){0});
    f64x4 inverse = 1 / (1 - d);
    return (struct line){roots(w * d) * inverse, d * inverse};
}

FG_INLINE struct rates linear(enum fg_lambda_model model, f64x4 w, f64x4 change, f64x4 s,
                              double most)
{
    struct line line = line_of(model, w, change);
    f64x4 grown = s * line.gradient;
    return clip_both(grown - line.offset, grown, most);
}

/* -log(1 - y) for 0 < y < 1, as fg_log computes it. */
FG_INLINE f64x4 minus_log(f64x4 q, f64x4 y)
{
    const uint64_t root_half = 0x3FE6A09E667F3BCD, bias = UINT64_C(64) << 52;
    static const double low[5] = {2.0 / 3, 2.0 / 7, 2.0 / 11, 2.0 / 15, 2.0 / 19};
    static const double high[5] = {2.0 / 5, 2.0 / 9, 2.0 / 13, 2.0 / 17, 2.0 / 21};
    u64x4 e = ((u64x4)q - root_half + bias) >> 52; /* 64 and less */
    f64x4 m = (f64x4)((u64x4)q - (e << 52) + bias);
    i64x4 is_whole = (i64x4)(0 - (e >> 6)); /* m is q: 1 - y has lost digits of y */
    f64x4 s = either(is_whole, -y, m - 1) / (m + 1), z = s * s, zz = z * z;
    f64x4 exponent = (f64x4)(e | UINT64_C(0x433) << 52) - (0x1p52 + 64);
    f64x4 p = low[4] + (f64x4){0}, r = high[4] + (f64x4){0};
    for (int i = 3; i >= 0; i--) {
        p = p * zz + low[i];
        r = r * zz + high[i];
    }
    return exponent * -0.69314718055994531 - (2 * s + s * z * (p + z * r));
}

FG_INLINE f64x4 polynomial(const double *coefficient, int degree, f64x4 t)
{
    f64x4 sum = coefficient[degree] + (f64x4){0};
    for (int i = degree - 1; i >= 0; i--)
        sum = sum * t + coefficient[i];
    return sum;
}

FG_INLINE struct rates periodic(f64x4 w, f64x4 l, f64x4 price, double most)
{
    static const double above[7] = {1.00000000000003485,     0.903144958711222132,
                                    0.363421047276456789,    0.079056111407712989,
                                    0.00941174539960933582,  0.000541085974686653787,
                                    0.0000100688838486228684};
    static const double below[8] = {1,
                                    1.23647829204835511,
                                    0.692247144558927236,
                                    0.221580117198817792,
                                    0.042745310265449825,
                                    0.00479618709691029688,
                                    0.000270747181195229574,
                                    5.03361506696705208e-6};
    f64x4 y = price * l / w, q = 1 - y;
    f64x4 t = roots(2 * minus_log(q, y));
    f64x4 share = polynomial(above, 6, t) / (t * polynomial(below, 7, t)); /* 1 / A */
    f64x4 slope = 2 * l * share * share * (1 + share) * y / q;
    i64x4 is_worth =
        negative((f64x4)(positive_finite(w) & positive_finite(l) & positive_finite(q)));
    struct rates rates = clip_both(where(is_worth, l * share), slope, most);
    return (struct rates){rates.rate, where(is_worth, rates.slope)};
}

FG_INLINE struct rates rates_of(enum fg_lambda_model model, f64x4 weight, f64x4 change,
                                f64x4 drive, double most)
{
    f64x4 w = sane(weight), l = sane(change);
    return model == FG_LAMBDA_PERIODIC ? periodic(w, l, drive, most)
                                       : linear(model, w, l, drive, most);
}

FG_INLINE void rates_pass(enum fg_lambda_model model, struct fg_lambda_block *block,
                          double most, const float *weight, const float *change, size_t n,
                          size_t step)
{
    for (size_t i = 0; i < n; i += LANES) {
        struct rates rates =
            rates_of(model, load_floats(weight + i), load_floats(change + i),
                     load(block->drive + i * step), most);
        store(block->rate + i, rates.rate);
        store(block->slope + i, rates.slope);
    }
}

FG_INLINE void sum_pass(enum fg_lambda_model model, struct fg_lambda_sums *sums,
                        double drive, double most, const float *weight,
                        const float *change, size_t n)
{
    f64x4 rate = {0}, slope = {0};
    for (size_t i = 0; i < n; i += LANES) {
        struct rates rates = rates_of(model, load_floats(weight + i),
                                      load_floats(change + i), drive + (f64x4){0}, most);
        rate += rates.rate;
        slope += rates.slope;
    }
    sums->rate += (rate[0] + rate[1]) + (rate[2] + rate[3]);
    sums->slope += (slope[0] + slope[1]) + (slope[2] + slope[3]);
}

FG_INLINE void fence_pass(enum fg_lambda_model model, struct fg_lambda_fence *fence,
                          double most, const float *weight, const float *change, size_t n)
{
    f64x4 low = {0}, high = {0};
    size_t listed = fence->n;
    for (size_t i = 0; i < n; i += LANES) {
        struct line line =
            line_of(model, sane(load_floats(weight + i)), sane(load_floats(change + i)));
        f64x4 at_low = fence->drive[0] * line.gradient - line.offset;
        f64x4 at_high = fence->drive[1] * line.gradient - line.offset;
        /* A bound is met on the way where the sign of the distance to it changes. */
        i64x4 turns = negative(at_low) ^ negative(at_high);
        turns |= negative(at_low - most) ^ negative(at_high - most);
        low += where(~turns, clip(at_low, most));
        high += where(~turns, clip(at_high, most));
        for (unsigned bits = sign_bits(turns); bits; bits &= bits - 1) {
            size_t at = i + (size_t)__builtin_ctz(bits);
            fence->weight[listed] = weight[at];
            fence->change[listed++] = change[at];
        }
    }
    fence->n = listed;
    fence->sum[0] += (low[0] + low[1]) + (low[2] + low[3]);
    fence->sum[1] += (high[0] + high[1]) + (high[2] + high[3]);
}

/* Each pass for each model, compiled for the model. */
#define RATES_PARAMETERS                                               \
    (struct fg_lambda_block * block, double most, const float *weight, \
     const float *change, size_t n, size_t step)
#define SUM_PARAMETERS                                                             \
    (struct fg_lambda_sums * sums, double drive, double most, const float *weight, \
     const float *change, size_t n)
#define FENCE_PARAMETERS                                               \
    (struct fg_lambda_fence * fence, double most, const float *weight, \
     const float *change, size_t n)

#define PASS(name, pass, model, parameters, ...) \
    FG_INLINE void name parameters               \
    {                                            \
        pass(model, __VA_ARGS__);                \
    }                                            \
    FG_TWICE(name, parameters, (__VA_ARGS__))

#define PASSES(kind, model)                                                              \
    PASS(kind##_rates, rates_pass, model, RATES_PARAMETERS, block, most, weight, change, \
         n, step)                                                                        \
    PASS(kind##_sum, sum_pass, model, SUM_PARAMETERS, sums, drive, most, weight, change, \
         n)

PASSES(bernoulli, FG_LAMBDA_BERNOULLI)
PASSES(poisson, FG_LAMBDA_POISSON)
PASSES(periodic_visits, FG_LAMBDA_PERIODIC)
PASS(bernoulli_fence, fence_pass, FG_LAMBDA_BERNOULLI, FENCE_PARAMETERS, fence, most,
     weight, change, n)
PASS(poisson_fence, fence_pass, FG_LAMBDA_POISSON, FENCE_PARAMETERS, fence, most, weight,
     change, n)

double fg_lambda_drive(enum fg_lambda_model model, double price)
{
    if (model == FG_LAMBDA_PERIODIC)
        return price;
    return fmin(1 / sqrt(price), BIGGEST_ROOT);
}

double fg_lambda_one(enum fg_lambda_model model, double most, double price, double weight,
                     double change)
{
    f64x4 drive = fg_lambda_drive(model, price) + (f64x4){0};
    return rates_of(model, weight + (f64x4){0}, change + (f64x4){0}, drive, most).rate[0];
}

/* The last pages of a block, filled up with pages that are worth nothing. */
struct rest {
    float weight[LANES], change[LANES];
    size_t first, n;
};

static struct rest rest_of(const float *weight, const float *change, size_t n)
{
    struct rest rest = {.first = n / LANES * LANES, .n = n % LANES};
    memcpy(rest.weight, weight + rest.first, rest.n * sizeof *weight);
    memcpy(rest.change, change + rest.first, rest.n * sizeof *change);
    return rest;
}

void fg_lambda_block(struct fg_lambda_block *block, enum fg_lambda_model model,
                     double most, const float *weight, const float *change, size_t n,
                     bool has_own_drives)
{
    static void(*const passes[]) RATES_PARAMETERS = {
        [FG_LAMBDA_BERNOULLI] = bernoulli_rates_best,
        [FG_LAMBDA_POISSON] = poisson_rates_best,
        [FG_LAMBDA_PERIODIC] = periodic_visits_rates_best,
    };
    assert(n <= FG_LAMBDA_BLOCK);
    struct rest rest = rest_of(weight, change, n);
    passes[model](block, most, weight, change, rest.first, has_own_drives);
    if (rest.n == 0)
        return;
    struct fg_lambda_block last;
    for (size_t i = 0; i < LANES; i++)
        last.drive[i] =
            block->drive[has_own_drives ? rest.first + (i < rest.n ? i : 0) : 0];
    passes[model](&last, most, rest.weight, rest.change, LANES, 1);
    memcpy(block->rate + rest.first, last.rate, LANES * sizeof *last.rate);
    memcpy(block->slope + rest.first, last.slope, LANES * sizeof *last.slope);
}

struct fg_lambda_sums fg_lambda_sum(enum fg_lambda_model model, double most, double price,
                                    const float *weight, const float *change, size_t n)
{
    static void(*const passes[]) SUM_PARAMETERS = {
        [FG_LAMBDA_BERNOULLI] = bernoulli_sum_best,
        [FG_LAMBDA_POISSON] = poisson_sum_best,
        [FG_LAMBDA_PERIODIC] = periodic_visits_sum_best,
    };
    struct fg_lambda_sums sums = {0};
    struct rest rest = rest_of(weight, change, n);
    double drive = fg_lambda_drive(model, price);
    passes[model](&sums, drive, most, weight, change, rest.first);
    passes[model](&sums, drive, most, rest.weight, rest.change, rest.n ? LANES : 0);
    return sums;
}

void fg_lambda_fence(struct fg_lambda_fence *fence, enum fg_lambda_model model,
                     double most, const float *weight, const float *change, size_t n)
{
    void(*pass) FENCE_PARAMETERS =
        model == FG_LAMBDA_POISSON ? poisson_fence_best : bernoulli_fence_best;
    struct rest rest = rest_of(weight, change, n);
    pass(fence, most, weight, change, rest.first);
    pass(fence, most, rest.weight, rest.change, rest.n ? LANES : 0);
}
