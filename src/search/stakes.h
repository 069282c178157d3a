/* stakes.h - what a changed text is worth to those who search, measured from its terms
 *
 *     struct fg_stakes *stakes = fg_stakes_new(&asked, &rules);       (workload.h)
 *     for each text: fg_stakes_count(stakes, &terms);
 *     for each text: fg_stakes_rank(stakes, &terms);
 *     fg_stakes_ready(stakes);
 *     ...
 *     double gain = fg_stakes_gain(stakes, &old_terms, &new_terms, &distance);
 *     double seen = fg_stakes_exposure(stakes, &terms);
 *     fg_stakes_free(stakes);
 *
 * A text is its terms with blanks between, field by field, as an index writes them: who
 * indexes a page has those of the old and of the new text at hand, and measuring costs a
 * look at each term. Scores are tfidf or inlinks (score.h), an occurrence in the title or
 * in the words of a link counting for several as there. Words are counted as well as the
 * index keeps their number, to within 5 %: a text that grew by less leaves the scores of
 * the queries alone whose terms it has as often as before, as it does in a search.
 *
 * Of each query a histogram of 8 buckets is kept (quality.h), some 80 bytes. The result
 * is dQ_A, before the division by what a perfect repository is worth. Pages that come and
 * go are counted in at once; the scores in histograms are those of the day they were
 * made, so make them anew now and then (appraisal.h does, from an index). */
#ifndef FG_SEARCH_STAKES_H
#define FG_SEARCH_STAKES_H

#include "search/score.h"
#include "search/workload.h"

struct fg_stakes;

struct fg_stakes_rules {
    enum fg_score_kind kind; /* FG_SCORE_INLINKS; all others are tfidf */
    bool is_printed;         /* 3 buckets and the formula as the thesis prints them */
};

/* The queries are copied. */
struct fg_stakes *fg_stakes_new(const struct fg_asked_queries *asked,
                                const struct fg_stakes_rules *rules);
void fg_stakes_free(struct fg_stakes *stakes); /* NULL is fine */

/* All texts twice: how many have each term, then their scores. */
void fg_stakes_count(struct fg_stakes *stakes, const struct fg_text_terms *terms);
void fg_stakes_rank(struct fg_stakes *stakes, const struct fg_text_terms *terms);
void fg_stakes_ready(struct fg_stakes *stakes);

/* Or what an index says of them: how many texts there are and have each term; then, query
 * by query in the order that they were given in, the scores of the results, the highest
 * first. */
void fg_stakes_texts(struct fg_stakes *stakes, double texts);
void fg_stakes_with_term(struct fg_stakes *stakes, struct fg_str term, double texts);
void fg_stakes_results(struct fg_stakes *stakes, size_t query, const float *scores,
                       size_t n);
/* The score of a text with so many of each term of the query, which is the one of that
 * place. */
float fg_stakes_score(struct fg_stakes *stakes, const struct fg_asked_query *asked,
                      size_t query, const double *counts, double words, uint64_t inlinks);

/* Either text may be NULL: a page comes, or goes. Below 0 by error only. `distance` (may
 * be NULL) becomes the share of shingles of four terms that only one of them has, to
 * within .05. The page is counted among the results of the queries it answers now. */
double fg_stakes_gain(struct fg_stakes *stakes, const struct fg_text_terms *was,
                      const struct fg_text_terms *is, double *distance);
double fg_stakes_exposure(struct fg_stakes *stakes, const struct fg_text_terms *terms);

#endif
