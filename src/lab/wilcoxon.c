#include "lab/wilcoxon.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

struct difference {
    double size;
    int sign;
    double rank;
};

static int by_size(const void *a, const void *b)
{
    const struct difference *x = a, *y = b;
    return x->size < y->size ? -1 : x->size > y->size;
}

/* Shared ranks of equal sizes; returns the sum of t^3 - t over them. */
static double rank(struct difference *all, size_t n)
{
    double ties = 0;
    if (n)
        qsort(all, n, sizeof *all, by_size);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && all[end].size == all[first].size;)
            end++;
        double alike = (double)(end - first);
        for (size_t i = first; i < end; i++)
            all[i].rank = (double)(first + 1 + end) / 2;
        ties += alike * alike * alike - alike;
    }
    return ties;
}

/* Each sign is as likely as the other, so the sums of positive ranks are counted one
 * difference after the other. Twice a rank is whole. */
static double exact(const struct difference *all, size_t n, double least)
{
    size_t most = n * (n + 1);
    double *chance = fg_zeroed(most + 1, sizeof *chance), p = 0;
    chance[0] = 1;
    for (size_t i = 0; i < n; i++) {
        size_t twice = (size_t)lround(2 * all[i].rank);
        for (size_t sum = most + 1; sum-- > 0;)
            chance[sum] = (chance[sum] + (sum >= twice ? chance[sum - twice] : 0)) / 2;
    }
    for (size_t sum = 0; sum <= (size_t)lround(2 * least); sum++)
        p += chance[sum];
    free(chance);
    return p < 0.5 ? 2 * p : 1;
}

static double approximate(size_t n, double least, double ties)
{
    double count = (double)n, mean = count * (count + 1) / 4;
    double variance = count * (count + 1) * (2 * count + 1) / 24 - ties / 48;
    double away = mean - least - 0.5;
    if (!(variance > 0) || away <= 0)
        return 1;
    return erfc(away / sqrt(2 * variance));
}

struct fg_wilcoxon fg_wilcoxon(const double *a, const double *b, size_t n)
{
    struct fg_wilcoxon test = {.p = NAN};
    struct difference *all = fg_zeroed(n, sizeof *all);
    for (size_t i = 0; i < n; i++) {
        double d = a[i] - b[i];
        if (d > 0 || d < 0)
            all[test.n++] = (struct difference){.size = fabs(d), .sign = d > 0 ? 1 : -1};
    }
    double ties = rank(all, test.n);
    for (size_t i = 0; i < test.n; i++)
        *(all[i].sign > 0 ? &test.above : &test.below) += all[i].rank;
    double least = test.above < test.below ? test.above : test.below;
    if (test.n)
        test.p = test.n <= FG_WILCOXON_EXACT ? exact(all, test.n, least)
                                             : approximate(test.n, least, ties);
    free(all);
    return test;
}
