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

/* x within [0, most], and the slope where neither bound holds it. */
FG_INLINE struct rates clip(f64x4 x, f64x4 slope, double most)
{
    i64x4 is_below = negative(x - most), is_positive = ~negative(x);
    return (struct rates){where(is_positive, either(is_below, x, most + (f64x4){0})),
                          where(is_positive & is_below, slope)};
}

FG_INLINE struct rates bernoulli(f64x4 w, f64x4 change, f64x4 s, double most)
{
    f64x4 d = either(negative(change - MOST_CHANGE), change, MOST_CHANGE + (f64x4){0});
    f64x4 inverse = 1 / (1 - d), grown = s * roots(w * d);
    return clip((grown - d) * inverse, grown * inverse, most);
}

FG_INLINE struct rates poisson(f64x4 w, f64x4 l, f64x4 s, double most)
{
    f64x4 grown = s * roots(w * l);
    return clip(grown - l, grown, most);
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
    struct rates rates = clip(where(is_worth, l * share), slope, most);
    return (struct rates){rates.rate, where(is_worth, rates.slope)};
}

FG_INLINE struct rates rates_of(enum fg_lambda_model model, f64x4 weight, f64x4 change,
                                f64x4 drive, double most)
{
    f64x4 w = sane(weight), l = sane(change);
    return model == FG_LAMBDA_BERNOULLI ? bernoulli(w, l, drive, most)
           : model == FG_LAMBDA_POISSON ? poisson(w, l, drive, most)
                                        : periodic(w, l, drive, most);
}

FG_INLINE void run(struct fg_lambda_block *block, enum fg_lambda_model model, double most,
                   const float *weight, const float *change, size_t n, size_t step)
{
    for (size_t i = 0; i < n; i += LANES) {
        struct rates rates =
            rates_of(model, load_floats(weight + i), load_floats(change + i),
                     load(block->drive + i * step), most);
        store(block->rate + i, rates.rate);
        store(block->slope + i, rates.slope);
    }
}

#define PASS(name, model)                                                                \
    FG_INLINE void name(struct fg_lambda_block *block, double most, const float *weight, \
                        const float *change, size_t n, size_t step)                      \
    {                                                                                    \
        run(block, model, most, weight, change, n, step);                                \
    }                                                                                    \
    FG_TWICE(name,                                                                       \
             (struct fg_lambda_block * block, double most, const float *weight,          \
              const float *change, size_t n, size_t step),                               \
             (block, most, weight, change, n, step))
PASS(run_bernoulli, FG_LAMBDA_BERNOULLI)
PASS(run_poisson, FG_LAMBDA_POISSON)
PASS(run_periodic, FG_LAMBDA_PERIODIC)

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

void fg_lambda_block(struct fg_lambda_block *block, enum fg_lambda_model model,
                     double most, const float *weight, const float *change, size_t n,
                     bool has_own_drives)
{
    static void (*const passes[])(struct fg_lambda_block * block, double most,
                                  const float *weight, const float *change, size_t n,
                                  size_t step) = {
        [FG_LAMBDA_BERNOULLI] = run_bernoulli_best,
        [FG_LAMBDA_POISSON] = run_poisson_best,
        [FG_LAMBDA_PERIODIC] = run_periodic_best,
    };
    assert(n <= FG_LAMBDA_BLOCK);
    size_t whole = n / LANES * LANES, rest = n - whole;
    passes[model](block, most, weight, change, whole, has_own_drives);
    if (rest == 0)
        return;
    struct fg_lambda_block last;
    float last_weight[LANES] = {0}, last_change[LANES] = {0};
    memcpy(last_weight, weight + whole, rest * sizeof *weight);
    memcpy(last_change, change + whole, rest * sizeof *change);
    for (size_t i = 0; i < LANES; i++)
        last.drive[i] = block->drive[!has_own_drives ? 0 : i < rest ? whole + i : whole];
    passes[model](&last, most, last_weight, last_change, LANES, 1);
    memcpy(block->rate + whole, last.rate, LANES * sizeof *last.rate);
    memcpy(block->slope + whole, last.slope, LANES * sizeof *last.slope);
}
