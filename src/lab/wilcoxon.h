/* wilcoxon.h - whether pairs differ, without a word about how they are distributed
 *
 *     struct fg_wilcoxon test = fg_wilcoxon(ours, theirs, 31);
 *     if (test.p < 0.05) ...
 *
 * The signed-rank test of Wilcoxon (1945). Pairs that are equal do not count; equal
 * differences share their ranks. Up to FG_WILCOXON_EXACT pairs the chance is exact, over
 * all signs the differences might have had; beyond, the normal approximation with
 * corrections for ties and continuity. */
#ifndef FG_LAB_WILCOXON_H
#define FG_LAB_WILCOXON_H

#include <stddef.h>

enum { FG_WILCOXON_EXACT = 50 };

struct fg_wilcoxon {
    size_t n;            /* pairs that differ */
    double above, below; /* sums of the ranks of differences above and below 0 */
    double p;            /* two-sided; NaN if no pair differs */
};

/* Of a[i] - b[i]; pairs with a NaN do not count. */
struct fg_wilcoxon fg_wilcoxon(const double *a, const double *b, size_t n);

#endif
