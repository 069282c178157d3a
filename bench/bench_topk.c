/* The k best of 20 million scores: against a binary heap of size k, and against the least
 * that any method must do, which is reading the scores once. */
#include "bench.h"

#include "base/topk.h"
#include "base/variate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { N = 20000000, BLOCK = 4096 };
static float score[N];
static size_t k;

static void with_topk(void *context)
{
    struct fg_topk *topk = context;
    size_t n;
    for (size_t i = 0; i < N; i += BLOCK)
        fg_topk_add(topk, (uint32_t)i, score + i, N - i < BLOCK ? N - i : BLOCK);
    bench_use(fg_topk_take(topk, &n)[0].id);
}

/* The textbook: the worst of the chosen on top, replaced and sifted down. */
static void sift(struct fg_top *heap, size_t n, struct fg_top item)
{
    size_t at = 0, child;
    while ((child = 2 * at + 1) < n) {
        if (child + 1 < n && heap[child + 1].score < heap[child].score)
            child++;
        if (item.score <= heap[child].score)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
}

static int by_score(const void *a, const void *b)
{
    const struct fg_top *x = a, *y = b;
    return (x->score < y->score) - (x->score > y->score);
}

static void with_heap(void *context)
{
    struct fg_top *heap = context;
    for (size_t i = 0; i < k; i++)
        heap[i] = (struct fg_top){-INFINITY, 0};
    for (size_t i = 0; i < N; i++)
        if (score[i] > heap[0].score)
            sift(heap, k, (struct fg_top){score[i], (uint32_t)i});
    qsort(heap, k, sizeof *heap, by_score);
    bench_use(heap[0].id);
}

static void sum_only(void *context)
{
    (void)context;
#if defined(__SSE2__)
    __m128 a = _mm_setzero_ps(), b = a, c = a, d = a;
    for (size_t i = 0; i < N; i += 16) {
        a = _mm_add_ps(a, _mm_loadu_ps(score + i));
        b = _mm_add_ps(b, _mm_loadu_ps(score + i + 4));
        c = _mm_add_ps(c, _mm_loadu_ps(score + i + 8));
        d = _mm_add_ps(d, _mm_loadu_ps(score + i + 12));
    }
    a = _mm_add_ps(_mm_add_ps(a, b), _mm_add_ps(c, d));
    bench_use((uint64_t)_mm_cvtsi128_si64(_mm_castps_si128(a)));
#else
    float sum = 0;
    for (size_t i = 0; i < N; i++)
        sum += score[i];
    bench_use((uint64_t)sum);
#endif
}

static void measure(const char *order, size_t best)
{
    char what[64];
    struct fg_topk topk;
    struct fg_top *heap = calloc(best, sizeof *heap);
    k = best;
    fg_topk_init(&topk, k);
    double ours = bench_seconds(with_topk, &topk),
           theirs = bench_seconds(with_heap, heap);
    double reading = bench_seconds(sum_only, NULL);
    snprintf(what, sizeof what, "best %zu, %s", k, order);
    bench_rate(what, N / ours, "scores");
    bench_ratio(what, "a binary heap", theirs / ours, 0);
    bench_ratio(what, "reading alone", reading / ours, 0);
    fg_topk_clear(&topk);
    free(heap);
}

int main(void)
{
    struct fg_rng rng = fg_rng_from_seed(1);
    for (size_t i = 0; i < N; i++)
        score[i] = (float)fg_rng_exponential(&rng);
    measure("random order", 100);
    measure("random order", 10000);
    measure("random order", 1000000);
    for (size_t i = 0; i < N; i++)
        score[i] = (float)i;
    measure("ascending order", 10000);
    for (size_t i = 0; i < N; i++)
        score[i] = 1;
    measure("all equal", 10000);
    return 0;
}
