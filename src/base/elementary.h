/* elementary.h - exp and log that give the same bits on every machine
 *
 * The C library's differ in the last place between versions, and glibc even picks another
 * one at run time where the processor has fused multiply-add. A crawl must be repeatable
 * from its seed on any machine, so what feeds a random variate is computed here, from
 * additions, multiplications and divisions alone, each rounded as IEEE 754 asks. Within
 * 2 units in the last place; about as fast as the library's. */
#ifndef FG_BASE_ELEMENTARY_H
#define FG_BASE_ELEMENTARY_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define FG_LN2_HIGH 0x1.62e42fefa0000p-1 /* 35 bits: times an exponent it is exact */
#define FG_LN2_LOW  0x1.cf79abc9e3b3ap-40
#define FG_LOG2_E   1.4426950408889634
#define FG_ROUNDER  0x1.8p52 /* adding it leaves the nearest integer in the low bits */

static inline double fg_double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t fg_bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* 2^n for -1022 <= n <= 1023 */
static inline double fg_power_of_two(int64_t n)
{
    return fg_double_of((uint64_t)(n + 1023) << 52);
}

/* x = n ln 2 + r with |r| <= ln 2 / 2; the series of e^r to r^13 errs by 4e-18. The power
 * is applied in halves, so that results may be subnormal. */
static inline double fg_exp(double x)
{
    static const double factorial_inverse[14] = {
        1.0,
        1.0,
        1.0 / 2,
        1.0 / 6,
        1.0 / 24,
        1.0 / 120,
        1.0 / 720,
        1.0 / 5040,
        1.0 / 40320,
        1.0 / 362880,
        1.0 / 3628800,
        1.0 / 39916800,
        1.0 / 479001600,
        1.0 / 6227020800,
    };
    if (!(x < 709.79))
        return isnan(x) ? x : INFINITY;
    if (x < -745.2)
        return 0;
    double n = (x * FG_LOG2_E + FG_ROUNDER) - FG_ROUNDER;
    double r = (x - n * FG_LN2_HIGH) - n * FG_LN2_LOW;
    double z = r * r, even = factorial_inverse[12], odd = factorial_inverse[13];
    for (int i = 10; i >= 0; i -= 2) { /* two sums side by side: half the waiting */
        even = even * z + factorial_inverse[i];
        odd = odd * z + factorial_inverse[i + 1];
    }
    double sum = even + r * odd;
    int64_t whole = (int64_t)n, half = whole / 2;
    return sum * fg_power_of_two(half) * fg_power_of_two(whole - half);
}

/* x = m 2^e with m between the square roots of 1/2 and 2, and log m = 2 atanh s for
 * s = (m - 1) / (m + 1), |s| < 0.172: the series to s^21 errs by 2e-19 s. */
static inline double fg_log(double x)
{
    static const double low[5] = {2.0 / 3, 2.0 / 7, 2.0 / 11, 2.0 / 15, 2.0 / 19};
    static const double high[5] = {2.0 / 5, 2.0 / 9, 2.0 / 13, 2.0 / 17, 2.0 / 21};
    const uint64_t root_half = 0x3FE6A09E667F3BCD;
    int64_t e = 0;
    if (!(x > 0) || isinf(x))
        return x == 0 ? -INFINITY : x > 0 ? x : NAN;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        e = -54;
    }
    uint64_t above = fg_bits_of(x) - root_half;
    e += (int64_t)above >> 52;
    double m = fg_double_of(fg_bits_of(x) - (above & UINT64_C(0xFFF) << 52));
    double s = (m - 1) / (m + 1), z = s * s;
    double zz = z * z, p = low[4], q = high[4];
    for (int i = 3; i >= 0; i--) {
        p = p * zz + low[i];
        q = q * zz + high[i];
    }
    double tail = s * z * (p + z * q);
    return (double)e * FG_LN2_HIGH + (2 * s + (tail + (double)e * FG_LN2_LOW));
}

/* log(1 + x) that keeps its digits when x is small: what rounding 1 + x took away is put
 * back as a factor. */
static inline double fg_log1p(double x)
{
    double y = 1 + x;
    return y == 1 ? x : isinf(y) ? y : fg_log(y) * (x / (y - 1));
}

#endif
