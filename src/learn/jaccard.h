/* jaccard.h - which sets are nearly the same
 *
 *     fg_jaccard_clusters(&sets, 0.2, cluster);
 *
 * The overlap of two sets is their Jaccard coefficient, |A and B| / |A or B|: 1 for equal
 * sets, 0 for sets without a common item. Chapter 3.5 of Pandey's thesis finds that pages
 * of one site lead to nearly the same new pages or to nearly none in common, so they fall
 * into clusters.
 *
 * Pairs are found through the items they share, and sets that are equal are treated as
 * one. That takes time as the squares of the numbers of different sets that hold each
 * item: little where sets are alike or apart. */
#ifndef FG_LEARN_JACCARD_H
#define FG_LEARN_JACCARD_H

#include <stddef.h>
#include <stdint.h>

/* Set i is items[at[i]] .. items[at[i + 1]], without repetition. */
struct fg_sets {
    size_t n;
    const size_t *at; /* n + 1 of them */
    const uint64_t *items;
};

/* Of two lists without repetition, both ascending; two empty sets have nothing in common:
 * 0. */
double fg_jaccard(const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b);

/* Every pair i < j of different or equal sets whose overlap is at least `least` > 0, each
 * once. Empty sets are in none. */
void fg_jaccard_pairs(const struct fg_sets *sets, double least,
                      void (*tell)(void *context, size_t i, size_t j, double overlap),
                      void *context);

/* Single linkage: sets whose overlap is at least `least` are in one cluster, and so are
 * those that a chain of such pairs connects. A cluster has the number of its first set.
 */
void fg_jaccard_clusters(const struct fg_sets *sets, double least, uint32_t *cluster);

#endif
