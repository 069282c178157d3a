/* gemm.h - products of float matrices, on OpenBLAS
 *
 *     fg_gemm(FG_GEMM, n, out, in, x, in, weights, out, 0, y, out);      y = x weights
 *
 * Matrices lie row by row; a stride is the distance between rows. Everything in Forage
 * that wants OpenBLAS comes through here: the serial library keeps its scratch memory in
 * a table that it does not lock (Debian 12's 0.3.21: of 80,000 products by four threads
 * at once, 758 came out wrong), so calls take turns. */
#ifndef FG_LEARN_GEMM_H
#define FG_LEARN_GEMM_H

#include <stddef.h>

enum fg_gemm_form {
    FG_GEMM,          /* a is m x k, b is k x n */
    FG_GEMM_A_TURNED, /* a is k x m, and its transpose is meant */
    FG_GEMM_B_TURNED, /* b is n x k */
};

/* c = a b + keep c, with m rows and n columns. With `keep` 0, c need not be set. */
void fg_gemm(enum fg_gemm_form form, size_t m, size_t n, size_t k, const float *a,
             size_t a_stride, const float *b, size_t b_stride, float keep, float *c,
             size_t c_stride);

#endif
