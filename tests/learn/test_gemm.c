#include "learn/gemm.h"
#include "test.h"

#include <pthread.h>

/* Small whole numbers, so that any order of summing gives the same. */
static void fill(float *at, size_t n, size_t seed)
{
    for (size_t i = 0; i < n; i++)
        at[i] = (float)((i * 7 + seed) % 13) - 6;
}

static void forms_and_strides_mean_what_they_say(void **state)
{
    (void)state;
    enum { M = 3, N_COLUMNS = 5, K = 4, STRIDE = 7 };
    float a[STRIDE * STRIDE], b[STRIDE * STRIDE], c[STRIDE * STRIDE];
    fill(a, STRIDE * STRIDE, 1);
    fill(b, STRIDE * STRIDE, 2);
    for (enum fg_gemm_form form = FG_GEMM; form <= FG_GEMM_B_TURNED; form++) {
        fill(c, STRIDE * STRIDE, 3);
        fg_gemm(form, M, N_COLUMNS, K, a, STRIDE, b, STRIDE, 2, c, STRIDE);
        float before[STRIDE * STRIDE];
        fill(before, STRIDE * STRIDE, 3);
        for (size_t i = 0; i < STRIDE; i++)
            for (size_t j = 0; j < STRIDE; j++) {
                float sum = 2 * before[i * STRIDE + j];
                for (size_t k = 0; k < K; k++)
                    sum += (form == FG_GEMM_A_TURNED ? a[k * STRIDE + i]
                                                     : a[i * STRIDE + k]) *
                           (form == FG_GEMM_B_TURNED ? b[j * STRIDE + k]
                                                     : b[k * STRIDE + j]);
                bool is_in = i < M && j < N_COLUMNS;
                assert_near(c[i * STRIDE + j], is_in ? sum : before[i * STRIDE + j], 0);
            }
    }
    c[0] = 9;
    fg_gemm(FG_GEMM, 0, N_COLUMNS, K, a, STRIDE, b, STRIDE, 0, c, STRIDE);
    assert_near(c[0], 9, 0);
}

enum { SIDE = 96, ROUNDS = 6000, THREADS = 4 };

static void *multiply(void *context)
{
    static const size_t bytes = SIDE * SIDE * sizeof(float);
    size_t *wrong = context;
    float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes),
          *first = malloc(bytes);
    fill(a, (size_t)SIDE * SIDE, *wrong);
    fill(b, (size_t)SIDE * SIDE, *wrong + 1);
    *wrong = 0;
    for (size_t i = 0; i < SIDE; i++)
        for (size_t j = 0; j < SIDE; j++) {
            first[i * SIDE + j] = 0;
            for (size_t k = 0; k < SIDE; k++)
                first[i * SIDE + j] += a[i * SIDE + k] * b[k * SIDE + j];
        }
    for (int round = 0; round < ROUNDS; round++) {
        fg_gemm(FG_GEMM, SIDE, SIDE, SIDE, a, SIDE, b, SIDE, 0, c, SIDE);
        *wrong += memcmp(c, first, bytes) != 0;
    }
    free(a);
    free(b);
    free(c);
    free(first);
    return NULL;
}

/* The library alone gets some of these wrong. */
static void threads_take_turns(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    size_t wrong[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        wrong[i] = i;
        pthread_create(&threads[i], NULL, multiply, &wrong[i]);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(wrong[i], 0);
    }
}

FG_TESTS(forms_and_strides_mean_what_they_say, threads_take_turns)
