/* sha256.h - FIPS 180-4, for checking tables against published identifiers */
#ifndef FG_TESTS_NET_SHA256_H
#define FG_TESTS_NET_SHA256_H

#include "base/str.h"

#include <math.h>
#include <stdio.h>

static inline uint32_t sha256_turn(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

/* The first 32 bits of the fraction of a root. */
static inline uint32_t sha256_root(double x)
{
    return (uint32_t)((x - floor(x)) * 4294967296.0);
}

static inline void sha256_constants(uint32_t k[64], uint32_t h[8])
{
    for (int n = 2, i = 0; i < 64; n++) {
        bool is_prime = true;
        for (int d = 2; d * d <= n; d++)
            is_prime = is_prime && n % d;
        if (!is_prime)
            continue;
        k[i] = sha256_root(cbrt(n));
        if (i < 8)
            h[i] = sha256_root(sqrt(n));
        i++;
    }
}

static inline void sha256_block(uint32_t h[8], const uint32_t k[64],
                                const unsigned char *block)
{
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (sha256_turn(a, 7) ^ sha256_turn(a, 18) ^ a >> 3) +
               (sha256_turn(b, 17) ^ sha256_turn(b, 19) ^ b >> 10);
    }
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t e = v[4], a = v[0];
        uint32_t t1 = v[7] +
                      (sha256_turn(e, 6) ^ sha256_turn(e, 11) ^ sha256_turn(e, 25)) +
                      ((e & v[5]) ^ (~e & v[6])) + k[i] + w[i];
        uint32_t t2 = (sha256_turn(a, 2) ^ sha256_turn(a, 13) ^ sha256_turn(a, 22)) +
                      ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        h[i] += v[i];
}

/* In hexadecimal. */
static inline void sha256(char out[65], struct fg_str text)
{
    uint32_t k[64], h[8];
    sha256_constants(k, h);
    size_t i = 0;
    for (; text.len - i >= 64; i += 64)
        sha256_block(h, k, (const unsigned char *)text.at + i);
    unsigned char last[128] = {0};
    size_t rest = text.len - i, n = rest < 56 ? 64 : 128;
    memcpy(last, text.at + i, rest);
    last[rest] = 0x80;
    for (int b = 0; b < 8; b++)
        last[n - 1 - (size_t)b] = (unsigned char)((uint64_t)text.len * 8 >> 8 * b);
    for (i = 0; i < n; i += 64)
        sha256_block(h, k, last + i);
    for (int b = 0; b < 8; b++)
        snprintf(out + 8 * b, 9, "%08x", h[b]);
}

#endif
