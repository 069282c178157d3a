/* repository.h - copies of pages, the results they make, and what these are worth
 *
 *     struct fg_repository *r = fg_repository_new(corpus, true);
 *     fg_repository_judge(r);
 *     fg_repository_change(r, page, version);                the page itself is another
 *     double gain = fg_repository_measure(r, page, FG_MEASURE_QUERIES);
 *     fg_repository_fetch(r, page);                          and now the copy is, too
 *     double lost = 1 - fg_repository_worth(r) / corpus->perfect[week];
 *     fg_repository_free(r);
 *
 * Results are kept in lists that a fetch and a change touch only where they must.
 * Histograms are those of the last rebuild. */
#ifndef FG_LAB_QUALITY_REPOSITORY_H
#define FG_LAB_QUALITY_REPOSITORY_H

#include "lab/quality/corpus.h"

struct fg_repository;

/* All copies are of week 0. Without terms, measures of them are 0. */
struct fg_repository *fg_repository_new(const struct fg_corpus *corpus, bool has_terms);
void fg_repository_free(struct fg_repository *repository);

void fg_repository_change(struct fg_repository *repository, size_t page, size_t version);
void fg_repository_fetch(struct fg_repository *repository, size_t page);
/* From now on truth and worth are wanted: before, they are not kept up to date. */
void fg_repository_judge(struct fg_repository *repository);
/* The versions of the copy and of the page. */
size_t fg_repository_copy(const struct fg_repository *repository, size_t page);
size_t fg_repository_live(const struct fg_repository *repository, size_t page);

/* Histograms of the copies as they are now. */
void fg_repository_rebuild(struct fg_repository *repository);

/* What a fetch of the page now would change, before the division by what a perfect
 * repository is worth: as a crawler can measure it, and in truth. */
double fg_repository_measure(const struct fg_repository *repository, size_t page,
                             enum fg_measure measure);
double fg_repository_truth(const struct fg_repository *repository, size_t page);

/* What the copy of a page gives to those who search: sum of f_q I(rank) score, by the
 * histograms. */
double fg_repository_exposure(const struct fg_repository *repository, size_t page);
/* The sum of f_q I(rank), by the lists. */
double fg_repository_inspected(const struct fg_repository *repository, size_t page);

/* The sum of f_q num_q. */
double fg_repository_worth(struct fg_repository *repository);

#endif
