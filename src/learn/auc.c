/* The scores are sorted; each negative counts the positives above it in one pass from the
 * top, and half those that share its score (the Mann-Whitney statistic). */
#include "learn/auc.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

struct judged {
    float score;
    bool is_positive;
};

static int higher_first(const void *a, const void *b)
{
    float x = ((const struct judged *)a)->score, y = ((const struct judged *)b)->score;
    return (x < y) - (x > y);
}

static double area(const struct judged *sorted, size_t n)
{
    double positives = 0, negatives = 0, won = 0;
    for (size_t i = 0; i < n;) {
        double tied_positives = 0, tied_negatives = 0;
        for (float score = sorted[i].score; i < n && sorted[i].score == score; i++)
            if (sorted[i].is_positive)
                tied_positives++;
            else
                tied_negatives++;
        won += tied_negatives * (positives + tied_positives / 2);
        positives += tied_positives;
        negatives += tied_negatives;
    }
    return positives > 0 && negatives > 0 ? won / positives / negatives : NAN;
}

double fg_auc(const float *score, const bool *is_positive, size_t n)
{
    struct judged *sorted = fg_zeroed(n, sizeof *sorted);
    size_t known = 0;
    for (; known < n && !isnan(score[known]); known++)
        sorted[known] = (struct judged){score[known], is_positive[known]};
    double auc = NAN;
    if (known == n) {
        qsort(sorted, n, sizeof *sorted, higher_first);
        auc = area(sorted, n);
    }
    free(sorted);
    return auc;
}
