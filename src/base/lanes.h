/* lanes.h - four doubles at a time
 *
 *     FG_INLINE void scale(const double *in, size_t n, double *out) { ... f64x4 ... }
 *     FG_TWICE(scale, (const double *in, size_t n, double *out), (in, n, out))
 *     ...
 *     scale_best(in, n, out);
 *
 * Vectors are GCC's. A pass written with them is compiled twice, for AVX2 and for what
 * every x86-64 has, and chosen at run time; there is no fused multiply-add in either, so
 * both give the same bits. Included by the few files whose loops are worth it, which is
 * why these names carry no prefix. */
#ifndef FG_BASE_LANES_H
#define FG_BASE_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef double f64x4 __attribute__((vector_size(32)));
typedef float f32x4 __attribute__((vector_size(16)));
typedef uint64_t u64x4 __attribute__((vector_size(32)));
typedef int64_t i64x4 __attribute__((vector_size(32)));

enum { LANES = 4 };

#define FG_INLINE static inline __attribute__((always_inline))

/* Every pass exists twice: NAME_plain and NAME_wide. */
#if defined(__x86_64__)
#define FG_TWICE(name, parameters, arguments)                                    \
    static void name##_plain parameters                                          \
    {                                                                            \
        name arguments;                                                          \
    }                                                                            \
    __attribute__((target("avx2"))) static void name##_wide parameters           \
    {                                                                            \
        name arguments;                                                          \
    }                                                                            \
    static void name##_best parameters                                           \
    {                                                                            \
        (__builtin_cpu_supports("avx2") ? name##_wide : name##_plain) arguments; \
    }
#else
#define FG_TWICE(name, parameters, arguments) \
    static void name##_best parameters        \
    {                                         \
        name arguments;                       \
    }
#endif

FG_INLINE f64x4 load(const double *at)
{
    f64x4 v;
    memcpy(&v, at, sizeof v);
    return v;
}

FG_INLINE f64x4 load_floats(const float *at)
{
    f32x4 v;
    memcpy(&v, at, sizeof v);
    return __builtin_convertvector(v, f64x4);
}

FG_INLINE void store(double *at, f64x4 v)
{
    memcpy(at, &v, sizeof v);
}

/* Without AVX2 the compiler compares vectors one element at a time, which made the whole
 * a third slower; so a < b is asked as "is a - b negative": all bits of the lane, if so.
 */
FG_INLINE i64x4 negative(f64x4 v)
{
    return (i64x4)(0 - ((u64x4)v >> 63));
}

/* Negative, in the sense above, where v is a positive finite number. */
FG_INLINE i64x4 positive_finite(f64x4 v)
{
    u64x4 below = (u64x4)v - 1; /* 0 becomes the largest, and so like a negative number */
    return (i64x4)((below - (UINT64_C(0x7FF0000000000000) - 1)) & ~below);
}

FG_INLINE f64x4 where(i64x4 mask, f64x4 v)
{
    return (f64x4)((i64x4)v & mask);
}

FG_INLINE f64x4 either(i64x4 mask, f64x4 v, f64x4 otherwise)
{
    return (f64x4)(((i64x4)v & mask) | ((i64x4)otherwise & ~mask));
}

FG_INLINE f64x4 roots(f64x4 v)
{
#if defined(__SSE2__) /* no wider one: it would be no faster on the machines we know */
    __m128d low = _mm_sqrt_pd((__m128d){v[0], v[1]});
    __m128d high = _mm_sqrt_pd((__m128d){v[2], v[3]});
    return (f64x4){low[0], low[1], high[0], high[1]};
#else
    return (f64x4){sqrt(v[0]), sqrt(v[1]), sqrt(v[2]), sqrt(v[3])};
#endif
}

/* One bit a lane: set where the lane is negative. */
FG_INLINE unsigned sign_bits(i64x4 v)
{
#if defined(__SSE2__)
    f64x4 d = (f64x4)v;
    int low = _mm_movemask_pd((__m128d){d[0], d[1]});
    return (unsigned)(low | _mm_movemask_pd((__m128d){d[2], d[3]}) << 2);
#else
    return (v[0] & 1) | (v[1] & 2) | (v[2] & 4) | (v[3] & 8);
#endif
}

#endif
