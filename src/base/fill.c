/* Work goes in blocks of 256 places that stay in the first-level cache, as a few passes:
 * random bits (Threefry, four vectors of four lanes), normal variates (a table look-up
 * each), then arithmetic on vectors that settles all but a few per cent. Those few are
 * noted in a list and finished one by one with a stream of their own, seeded from their
 * place.
 *
 * Passes over vectors are as in lanes.h: the same bits with AVX2 and without.
 *
 * Measured beside it (AMD Zen 3, ns a gamma variate of mixed shapes): one xoshiro stream
 * and the scalar sampler 24, this 6, of which Threefry is 2. Interleaved xoshiro lanes
 * need a quarter of the operations, but would lose the tie to the place. */
#include "base/fill.h"

#include "base/gamma.h"
#include "base/lanes.h"
#include "base/threefry.h"
#include "base/variate.h"
#include "base/ziggurat.h"

#include <string.h>

enum { BLOCK = 256, ROUNDS = 13 };

/* Threefry over 16 counters (place, use), as in threefry.h: four vectors side by side,
 * because each round waits for the one before. */
struct lanes {
    u64x4 a0, a1, a2, a3, b0, b1, b2, b3;
};

FG_INLINE u64x4 rotate(u64x4 v, int n)
{
    return v << n | v >> (64 - n);
}

FG_INLINE void turn(struct lanes *v, int n)
{
    v->a0 += v->b0;
    v->a1 += v->b1;
    v->a2 += v->b2;
    v->a3 += v->b3;
    v->b0 = rotate(v->b0, n) ^ v->a0;
    v->b1 = rotate(v->b1, n) ^ v->a1;
    v->b2 = rotate(v->b2, n) ^ v->a2;
    v->b3 = rotate(v->b3, n) ^ v->a3;
}

FG_INLINE void inject(struct lanes *v, uint64_t a, uint64_t b)
{
    v->a0 += a;
    v->a1 += a;
    v->a2 += a;
    v->a3 += a;
    v->b0 += b;
    v->b1 += b;
    v->b2 += b;
    v->b3 += b;
}

FG_INLINE void four_turns(struct lanes *v, int first, int second, int third, int fourth)
{
    turn(v, first);
    turn(v, second);
    turn(v, third);
    turn(v, fourth);
}

FG_INLINE void scramble_16(struct lanes *v, const uint64_t key[2])
{
    const uint64_t parity = FG_THREEFRY_PARITY ^ key[0] ^ key[1];
    inject(v, key[0], key[1]);
    four_turns(v, 16, 42, 12, 31);
    inject(v, key[1], parity + 1);
    four_turns(v, 16, 32, 24, 21);
    inject(v, parity, key[0] + 2);
    four_turns(v, 16, 42, 12, 31);
    inject(v, key[0], key[1] + 3);
    turn(v, 16);
}

FG_INLINE void put_16(uint64_t *at, u64x4 v0, u64x4 v1, u64x4 v2, u64x4 v3)
{
    memcpy(at, &v0, sizeof v0);
    memcpy(at + LANES, &v1, sizeof v1);
    memcpy(at + 2 * LANES, &v2, sizeof v2);
    memcpy(at + 3 * LANES, &v3, sizeof v3);
}

FG_INLINE void scramble(const uint64_t key[2], uint64_t first, uint64_t use,
                        uint64_t out_a[BLOCK], uint64_t out_b[BLOCK])
{
    u64x4 place = first + (u64x4){0, 1, 2, 3}, uses = use + (u64x4){0};
    for (size_t i = 0; i < BLOCK; i += 4 * LANES) {
        struct lanes v = {place, place + 4, place + 8, place + 12,
                          uses,  uses,      uses,      uses};
        scramble_16(&v, key);
        put_16(out_a + i, v.a0, v.a1, v.a2, v.a3);
        put_16(out_b + i, v.b0, v.b1, v.b2, v.b3);
        place += 4 * LANES;
    }
}
FG_TWICE(scramble,
         (const uint64_t key[2], uint64_t first, uint64_t use, uint64_t out_a[BLOCK],
          uint64_t out_b[BLOCK]),
         (key, first, use, out_a, out_b))

/* fg_unit_of, four at a time */
FG_INLINE f64x4 units(const uint64_t *bits)
{
    u64x4 v;
    memcpy(&v, bits, sizeof v);
    return (f64x4)(v >> 12 | UINT64_C(0x3FF) << 52) - 1;
}

/* A stream of its own for the draw of one place that the first try did not settle. Half
 * of its state is the place's and half is the stream's: 128 fresh bits are plenty for the
 * few numbers it will give. */
static struct fg_rng rng_of_place(const struct fg_rng *rng, uint64_t place, uint64_t use)
{
    uint64_t fresh[2];
    fg_threefry(rng->key, (uint64_t[]){place, use}, ROUNDS, fresh);
    return (struct fg_rng){.state = {fresh[0], rng->key[0], ~rng->key[1], fresh[1]},
                           .key = {rng->key[0], rng->key[1]}};
}

static void to_units(const uint64_t *bits, size_t n, double *out)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        store(out + i, units(bits + i));
    for (; i < n; i++)
        out[i] = fg_unit_of(bits[i]);
}

/* 64 bits for each of 512 places: the first 256 get the one half of what 256 counters
 * give, the others the other. */
void fg_uniform_fill(const struct fg_rng *rng, uint64_t first, size_t n, double *out)
{
    uint64_t bits[2 * BLOCK];
    for (size_t done = 0, part; done < n; done += part) {
        size_t offset = (first + done) % (2 * BLOCK), room = 2 * BLOCK - offset;
        part = n - done < room ? n - done : room;
        scramble_best(rng->key, (first + done - offset) / 2, FG_PLACE_UNIFORM, bits,
                      bits + BLOCK);
        to_units(bits + offset, part, out + done);
    }
}

/* One block on its way to gamma variates. The uses of a place's counter: */
enum { CANDIDATE, BOOST, AGAIN, BOOST_AGAIN, WORDS = BLOCK / 64 };

struct gamma_block {
    const struct fg_rng *rng;
    uint64_t first;                      /* place */
    uint64_t bits[BLOCK], chance[BLOCK]; /* for the normal variate, and to accept it */
    const double *shape;
    double *out;
    uint64_t open[WORDS], small[WORDS]; /* a bit each: not settled yet; shape below 1 */
};

/* fg_normal_try, four at a time: negative where it is settled. */
FG_INLINE i64x4 normals_try(const uint64_t *bits, f64x4 *x)
{
    const double *e0 = fg_normal_edge + (bits[0] & 255),
                 *e1 = fg_normal_edge + (bits[1] & 255);
    const double *e2 = fg_normal_edge + (bits[2] & 255),
                 *e3 = fg_normal_edge + (bits[3] & 255);
    f64x4 size = units(bits) * (f64x4){e0[0], e1[0], e2[0], e3[0]};
    u64x4 sign;
    memcpy(&sign, bits, sizeof sign);
    *x = (f64x4)((u64x4)size | (sign & 256) << 55);
    return (i64x4)(size - (f64x4){e0[1], e1[1], e2[1], e3[1]});
}

/* fg_gamma_accepts without its logarithms, for shapes raised by 1 where below 1: negative
 * where it is settled. */
FG_INLINE i64x4 gamma_try(f64x4 shape, f64x4 x, f64x4 w, f64x4 *out)
{
    f64x4 d = shape + where(negative(shape - 1), (f64x4){1, 1, 1, 1}) - 1.0 / 3;
    f64x4 y = x / (3 * roots(d)), square = y * y, cube_root = 1 + y;
    f64x4 tail = 1 + where(negative(y), y);
    *out = d * cube_root * cube_root * cube_root;
    return (i64x4)(3 * d * square * square - 4 * w * tail) & positive_finite(shape);
}

FG_INLINE void gamma_candidates(struct gamma_block *block)
{
    for (size_t word = 0; word < WORDS; word++) {
        uint64_t settled = 0, small = 0;
        for (size_t j = 0; j < 64; j += LANES) {
            size_t i = word * 64 + j;
            f64x4 shape = load(block->shape + i), x, out;
            i64x4 has_normal = normals_try(block->bits + i, &x);
            i64x4 accepts = gamma_try(shape, x, units(block->chance + i), &out);
            settled |= (uint64_t)sign_bits(has_normal & accepts) << j;
            small |= (uint64_t)sign_bits((i64x4)(shape - 1)) << j;
            store(block->out + i, out);
        }
        block->open[word] = ~settled;
        block->small[word] = small;
    }
}
FG_TWICE(gamma_candidates, (struct gamma_block * block), (block))

static double gamma_value(double d, double y)
{
    return d * (1 + y) * (1 + y) * (1 + y);
}

/* What the first try left open: the normal variate, or the exact test, or all of it. */
static double gamma_settle(const struct gamma_block *block, size_t i)
{
    double shape = block->shape[i], x;
    if (!(shape > 0 && shape < INFINITY))
        return NAN;
    double raised = shape < 1 ? shape + 1 : shape, d = raised - 1.0 / 3;
    double w = fg_unit_of(block->chance[i]), scale = 1 / (3 * sqrt(d));
    bool has_normal = fg_normal_try(block->bits[i], &x);
    if (has_normal && fg_gamma_accepts(d, x * scale, w))
        return gamma_value(d, x * scale);

    struct fg_rng own =
        rng_of_place(block->rng, block->first + i, FG_PLACE_GAMMA + AGAIN);
    if (!has_normal) {
        x = fg_normal_finish(&own, block->bits[i]);
        if (fg_gamma_accepts(d, x * scale, w))
            return gamma_value(d, x * scale);
    }
    return fg_rng_gamma(&own, raised);
}

/* fg_exp for -infinity <= x <= 0, four at a time and without a branch. */
FG_INLINE void exp_negative(double values[BLOCK], size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        f64x4 x = load(values + i);
        i64x4 ordinary = negative(-1400 - x);
        x = where(ordinary, x) + where(~ordinary, (f64x4){-1400, -1400, -1400, -1400});
        f64x4 rounded = x * FG_LOG2_E + FG_ROUNDER, whole = rounded - FG_ROUNDER;
        f64x4 r = (x - whole * FG_LN2_HIGH) - whole * FG_LN2_LOW;
        f64x4 z = r * r, even = z * (1.0 / 479001600) + 1.0 / 3628800;
        f64x4 odd = z * (1.0 / 6227020800) + 1.0 / 39916800;
        even = ((even * z + 1.0 / 40320) * z + 1.0 / 720) * z + 1.0 / 24;
        odd = ((odd * z + 1.0 / 362880) * z + 1.0 / 5040) * z + 1.0 / 120;
        even = (even * z + 1.0 / 2) * z + 1;
        odd = (odd * z + 1.0 / 6) * z + 1;
        f64x4 sum = even + r * odd;
        i64x4 power = (i64x4)rounded - (int64_t)fg_bits_of(FG_ROUNDER);
        i64x4 half = power >> 1, rest = power - half;
        f64x4 scale = (f64x4)((half + 1023) << 52);
        store(values + i, sum * scale * (f64x4)((rest + 1023) << 52));
    }
}
FG_TWICE(exp_negative, (double values[BLOCK], size_t n), (values, n))

/* The numbers of the bits that are set. */
static size_t list_bits(const uint64_t set[WORDS], uint16_t list[BLOCK])
{
    size_t n = 0;
    for (size_t word = 0; word < WORDS; word++)
        for (uint64_t rest = set[word]; rest; rest &= rest - 1)
            list[n++] = (uint16_t)(word * 64 + (size_t)__builtin_ctzll(rest));
    return n;
}

/* A few places are scrambled one by one, many as a whole block; the bits are the same. */
static void boost_bits(const struct gamma_block *block, const uint16_t *small, size_t n,
                       uint64_t bits[BLOCK])
{
    uint64_t all[BLOCK], spare[BLOCK], pair[2];
    if (n > BLOCK / 8)
        scramble_best(block->rng->key, block->first, FG_PLACE_GAMMA + BOOST, all, spare);
    for (size_t i = 0; i < n; i++) {
        if (n > BLOCK / 8) {
            bits[i] = all[small[i]];
            continue;
        }
        fg_threefry(block->rng->key,
                    (uint64_t[]){block->first + small[i], FG_PLACE_GAMMA + BOOST}, ROUNDS,
                    pair);
        bits[i] = pair[0];
    }
}

/* Shapes below 1 were raised by 1; take them down again as in fg_rng_gamma. */
static void gamma_lower(const struct gamma_block *block)
{
    uint16_t small[BLOCK];
    uint64_t bits[BLOCK];
    double power[BLOCK];
    size_t n = list_bits(block->small, small);
    boost_bits(block, small, n, bits);
    for (size_t i = 0; i < n; i++) {
        double x;
        if (!fg_exponential_try(bits[i], &x)) {
            struct fg_rng own = rng_of_place(block->rng, block->first + small[i],
                                             FG_PLACE_GAMMA + BOOST_AGAIN);
            x = fg_exponential_finish(&own, bits[i]);
        }
        power[i] = -x / block->shape[small[i]];
    }
    for (size_t i = n; i % LANES; i++)
        power[i] = 0;
    exp_negative_best(power, n);
    for (size_t i = 0; i < n; i++)
        block->out[small[i]] *= power[i];
}

static void gamma_run(struct gamma_block *block)
{
    uint16_t open[BLOCK];
    scramble_best(block->rng->key, block->first, FG_PLACE_GAMMA + CANDIDATE, block->bits,
                  block->chance);
    gamma_candidates_best(block);
    size_t opens = list_bits(block->open, open);
    for (size_t i = 0; i < opens; i++)
        block->out[open[i]] = gamma_settle(block, open[i]);
    if (block->small[0] | block->small[1] | block->small[2] | block->small[3])
        gamma_lower(block);
}

/* A rate that makes no sense gives NaN. */
FG_INLINE void divide(double values[BLOCK], const double rate[BLOCK])
{
    for (size_t i = 0; i < BLOCK; i += LANES) {
        f64x4 r = load(rate + i);
        i64x4 good = negative((f64x4)positive_finite(r));
        store(values + i, (f64x4)((i64x4)(load(values + i) / r) | ~good));
    }
}
FG_TWICE(divide, (double values[BLOCK], const double rate[BLOCK]), (values, rate))

void fg_gamma_fill(const struct fg_rng *rng, uint64_t first, size_t n,
                   const double *shape, const double *rate, double *out)
{
    struct gamma_block block = {.rng = rng};
    size_t done = 0;
    for (; n - done >= BLOCK; done += BLOCK) {
        block.first = first + done;
        block.shape = shape + done;
        block.out = out + done;
        gamma_run(&block);
        if (rate)
            divide_best(block.out, rate + done);
    }
    if (done == n)
        return;
    double shapes[BLOCK] = {0}, rates[BLOCK] = {0}, draws[BLOCK];
    memcpy(shapes, shape + done, (n - done) * sizeof *shape);
    for (size_t i = 0; i < n - done; i++)
        rates[i] = rate ? rate[done + i] : 1;
    fg_gamma_fill(rng, first + done, BLOCK, shapes, rates, draws);
    memcpy(out + done, draws, (n - done) * sizeof *out);
}

/* A loop of known length is one the compiler makes into vectors. */
static void to_doubles(double to[BLOCK], const float *from, size_t n)
{
    float whole[BLOCK] = {0};
    if (n < BLOCK)
        from = memcpy(whole, from, n * sizeof *from);
    for (size_t i = 0; i < BLOCK; i++)
        to[i] = (double)from[i];
}

void fg_gamma_fill_f32(const struct fg_rng *rng, uint64_t first, size_t n,
                       const float *shape, const float *rate, float *out)
{
    double shapes[BLOCK], rates[BLOCK], draws[BLOCK];
    float rounded[BLOCK];
    for (size_t done = 0, part; done < n; done += part) {
        part = n - done < BLOCK ? n - done : BLOCK;
        to_doubles(shapes, shape + done, part);
        if (rate)
            to_doubles(rates, rate + done, part);
        fg_gamma_fill(rng, first + done, BLOCK, shapes, rate ? rates : NULL, draws);
        for (size_t i = 0; i < BLOCK; i++)
            rounded[i] = (float)draws[i];
        memcpy(out + done, rounded, part * sizeof *out);
    }
}
