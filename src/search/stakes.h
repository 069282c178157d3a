/* stakes.h - what a changed text is worth to those who search, measured from its terms
 *
 *     struct fg_stakes *stakes = fg_stakes_new(&asked);       (workload.h)
 *     for each text: fg_stakes_count(stakes, terms);
 *     for each text: fg_stakes_rank(stakes, terms);
 *     fg_stakes_ready(stakes);
 *     ...
 *     double gain = fg_stakes_gain(stakes, old_terms, new_terms);
 *     double seen = fg_stakes_exposure(stakes, terms);
 *     fg_stakes_free(stakes);
 *
 * A text is its terms with blanks between, as an index writes them: who indexes a page
 * has those of the old and of the new text at hand, and measuring costs a look at each
 * term. Scores are tfidf (score.h); of each query a histogram of 8 buckets is kept
 * (quality.h), some 80 bytes. The result is dQ_A, before the division by what a perfect
 * repository is worth. Texts that came since the histograms were made count by their old
 * figures; make them anew now and then. */
#ifndef FG_SEARCH_STAKES_H
#define FG_SEARCH_STAKES_H

#include "search/workload.h"

struct fg_stakes;

/* The queries are copied. */
struct fg_stakes *fg_stakes_new(const struct fg_asked_queries *asked);
void fg_stakes_free(struct fg_stakes *stakes); /* NULL is fine */

/* All texts twice: how many have each term, then their scores. */
void fg_stakes_count(struct fg_stakes *stakes, struct fg_str terms);
void fg_stakes_rank(struct fg_stakes *stakes, struct fg_str terms);
void fg_stakes_ready(struct fg_stakes *stakes);

/* Either may be empty: a page comes, or goes. Below 0 by error only. */
double fg_stakes_gain(struct fg_stakes *stakes, struct fg_str was, struct fg_str is);
double fg_stakes_exposure(struct fg_stakes *stakes, struct fg_str terms);

#endif
