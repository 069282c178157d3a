#include "lab/quality/study.h"

#include "base/memory.h"
#include "base/vec.h"
#include "lab/quality/repository.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { EVERY = 13, REBUILT_EVERY = 4 };

/* --- correlations --- */

static double correlation(const double *a, const double *b, size_t n)
{
    double mean_a = 0, mean_b = 0, ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < n; i++) {
        mean_a += a[i] / (double)n;
        mean_b += b[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        ab += (a[i] - mean_a) * (b[i] - mean_b);
        aa += (a[i] - mean_a) * (a[i] - mean_a);
        bb += (b[i] - mean_b) * (b[i] - mean_b);
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : NAN;
}

struct placed {
    double value;
    size_t at;
};

static int by_value(const void *a, const void *b)
{
    double x = ((const struct placed *)a)->value, y = ((const struct placed *)b)->value;
    return (x > y) - (x < y);
}

static double *ranks_of(const double *values, size_t n)
{
    struct placed *order = fg_zeroed(n, sizeof *order);
    double *ranks = fg_zeroed(n, sizeof *ranks);
    for (size_t i = 0; i < n; i++)
        order[i] = (struct placed){values[i], i};
    qsort(order, n, sizeof *order, by_value);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && !(order[end].value > order[i].value);)
            end++;
        for (size_t k = i; k < end; k++)
            ranks[order[k].at] = (double)(i + end - 1) / 2;
    }
    free(order);
    return ranks;
}

double fg_rank_correlation(const double *a, const double *b, size_t n)
{
    double *x = ranks_of(a, n), *y = ranks_of(b, n);
    double result = correlation(x, y, n);
    free(x);
    free(y);
    return result;
}

/* --- measures --- */

struct values {
    FG_VEC(double) truth;
    FG_VEC(double) measured[FG_MEASURES];
    double seconds[FG_MEASURES];
};

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(struct values *v, struct fg_repository *r, size_t page)
{
    if (fg_repository_copy(r, page) == fg_repository_live(r, page))
        return;
    fg_vec_push(&v->truth, fg_repository_truth(r, page));
    for (size_t m = 0; m < FG_MEASURES; m++) {
        double before = seconds_now();
        double value = fg_repository_measure(r, page, (enum fg_measure)m);
        v->seconds[m] += seconds_now() - before;
        fg_vec_push(&v->measured[m], value);
    }
    fg_repository_fetch(r, page);
}

static void measure_all(struct values *v, const struct fg_corpus *corpus)
{
    struct fg_repository *r = fg_repository_new(corpus, true);
    fg_repository_judge(r);
    for (size_t week = 1; week < corpus->weeks; week++) {
        for (size_t page = 0; page < corpus->n; page++) {
            size_t live = fg_corpus_version(corpus, page, week);
            if (live != fg_repository_live(r, page))
                fg_repository_change(r, page, live);
        }
        if (week % REBUILT_EVERY == 0)
            fg_repository_rebuild(r);
        for (size_t page = 0; page < corpus->n; page++)
            if ((corpus->id[page] + week) % EVERY == 0)
                measure(v, r, page);
    }
    fg_repository_free(r);
}

static void study_measures(struct fg_study *study, const struct fg_corpus *corpus)
{
    struct values v = {0};
    measure_all(&v, corpus);
    size_t n = v.truth.len;
    double truth = 0;
    for (size_t i = 0; i < n; i++)
        truth += v.truth.at[i];
    study->changed = (double)n;
    for (size_t m = 0; m < FG_MEASURES; m++) {
        double sum = 0, negative = 0;
        for (size_t i = 0; i < n; i++) {
            sum += v.measured[m].at[i];
            negative += v.measured[m].at[i] < 0;
        }
        study->measure[m] = (struct fg_measure_study){
            .bias = sum / truth,
            .linear = correlation(v.truth.at, v.measured[m].at, n),
            .by_rank = fg_rank_correlation(v.truth.at, v.measured[m].at, n),
            .negative = negative / (double)n,
            .microseconds = 1e6 * v.seconds[m] / (double)n};
        fg_vec_clear(&v.measured[m]);
    }
    fg_vec_clear(&v.truth);
}

/* --- forecasts --- */

/* The value that a twentieth of them reach. */
static double top_bar(const double *values, size_t n)
{
    struct placed *order = fg_zeroed(n, sizeof *order);
    for (size_t i = 0; i < n; i++)
        order[i] = (struct placed){values[i], i};
    qsort(order, n, sizeof *order, by_value);
    double bar = n ? order[n - 1 - n / 20].value : 0;
    free(order);
    return bar;
}

static struct fg_forecast_study compare_halves(const double *a, const double *b, size_t n)
{
    struct fg_forecast_study s = {.by_rank = fg_rank_correlation(a, b, n)};
    double bar_a = top_bar(a, n), bar_b = top_bar(b, n);
    double both = 0, tops = 0, held = 0, all = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_both = a[i] > 0 && b[i] > 0, is_top = a[i] >= bar_a;
        both += is_both;
        s.within_2 += is_both && a[i] <= 2 * b[i] && b[i] <= 2 * a[i];
        tops += is_top;
        s.top += is_top && b[i] >= bar_b;
        held += is_top ? b[i] : 0;
        all += b[i];
    }
    s.one_half = 1 - both / (double)n;
    s.within_2 /= both;
    s.top /= tops;
    s.held = held / all;
    return s;
}

/* Pages that are worth nothing in both halves do not count. */
static void study_forecasts(struct fg_study *study, const struct fg_corpus *corpus)
{
    double *a = fg_zeroed(corpus->n, sizeof *a), *b = fg_zeroed(corpus->n, sizeof *b);
    for (size_t m = 0; m < FG_FORESEEN; m++) {
        size_t n = 0;
        for (size_t page = 0; page < corpus->n; page++) {
            a[n] = (double)corpus->worth[m][0][page];
            b[n] = (double)corpus->worth[m][1][page];
            n += a[n] > 0 || b[n] > 0;
        }
        study->forecast[m] = compare_halves(a, b, n);
    }
    free(a);
    free(b);
}

void fg_study_make(struct fg_study *study, const struct fg_corpus *corpus)
{
    *study = (struct fg_study){0};
    study_measures(study, corpus);
    study_forecasts(study, corpus);
}
