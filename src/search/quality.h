/* quality.h - how good copies are for those who search them, and what a fetch changes
 *
 * Pandey's thesis, chapter 4. Somebody who searches looks at the result of rank r with a
 * frequency that falls as I(r) = r^-3/2; the factor in front cancels everywhere. The
 * quality of a repository L, whose pages are by now W, is
 *
 *     Q(L) = sum_q f_q num_q(L) / sum_q f_q num_q(W)                                (4.5)
 *     num_q(L) = sum over the results of q in L of I(rank) S(W[p], q)
 *
 * that is, ranks come from the copies and worth from the pages as they are. A fetch of p
 * changes it by dQ(p), exactly (ranked.h), or as estimated here from a histogram a query:
 *
 *     struct fg_histogram h;
 *     fg_histogram_make(&h, scores, n, FG_HISTOGRAM_BUCKETS);
 *     gain += frequency * fg_histogram_gain(&h, score_of_the_copy, score_of_the_page);
 *
 * A histogram has buckets of ranks whose ends grow as powers (bucket b of B ends at
 * n^((b+1)/B)), each with its middle rank and its mean score; scores between are on the
 * lines through these points. fg_histogram_gain sums over all others that are moved in
 * closed form, exact for such scores however far the move goes.
 * fg_histogram_gain_printed is the form of the thesis, 4.6.1, with its faults:
 * docs/quality.md names them.
 *
 * What it cannot see: the other pages' scores are those of their copies. */
#ifndef FG_SEARCH_QUALITY_H
#define FG_SEARCH_QUALITY_H

#include <stddef.h>
#include <stdint.h>

/* I(r) = r^-3/2, of a whole r from 1. */
double fg_inspection(double rank);
/* C(r) = I(1) + ... + I(r); to 1e-9. */
double fg_inspection_sum(double rank);

enum { FG_HISTOGRAM_BUCKETS = 8, FG_HISTOGRAM_BUCKETS_PRINTED = 3 };

/* Scores of one query's results against their ranks; plain data. */
struct fg_histogram {
    uint32_t n; /* results; 0: none */
    uint32_t k; /* buckets that are not empty */
    float rank[FG_HISTOGRAM_BUCKETS], score[FG_HISTOGRAM_BUCKETS];
};

/* Of scores in descending order; at most FG_HISTOGRAM_BUCKETS buckets. */
void fg_histogram_make(struct fg_histogram *h, const float *scores, size_t n,
                       size_t buckets);

/* The score at a rank, and the rank (a whole one, from 1 to n + 1) of a score. */
double fg_histogram_score(const struct fg_histogram *h, double rank);
double fg_histogram_rank(const struct fg_histogram *h, double score);

/* What the others at the ranks first .. last gain when each moves one place up, or down.
 */
double fg_histogram_shift_up(const struct fg_histogram *h, double first, double last);
double fg_histogram_shift_down(const struct fg_histogram *h, double first, double last);

/* What changes in num_q when a page of the score `was` (0: not among the results) has the
 * score `is`. It may be negative: an estimate. */
double fg_histogram_gain(const struct fg_histogram *h, double was, double is);
double fg_histogram_gain_printed(const struct fg_histogram *h, double was, double is);

/* What a page of this score gives to those who ask the query: I(rank) score. */
double fg_histogram_exposure(const struct fg_histogram *h, double score);

#endif
