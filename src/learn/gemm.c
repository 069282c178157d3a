#include "learn/gemm.h"

#include <cblas.h>
#include <pthread.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

void fg_gemm(enum fg_gemm_form form, size_t m, size_t n, size_t k, const float *a,
             size_t a_stride, const float *b, size_t b_stride, float keep, float *c,
             size_t c_stride)
{
    if (!m || !n)
        return;
    enum CBLAS_TRANSPOSE turn_a = form == FG_GEMM_A_TURNED ? CblasTrans : CblasNoTrans;
    enum CBLAS_TRANSPOSE turn_b = form == FG_GEMM_B_TURNED ? CblasTrans : CblasNoTrans;
    pthread_mutex_lock(&turn);
    cblas_sgemm(CblasRowMajor, turn_a, turn_b, (blasint)m, (blasint)n, (blasint)k, 1, a,
                (blasint)a_stride, b, (blasint)b_stride, keep, c, (blasint)c_stride);
    pthread_mutex_unlock(&turn);
}
