/* foresee.h - what follows from the whole history of a corpus */
#ifndef FG_LAB_QUALITY_FORESEE_H
#define FG_LAB_QUALITY_FORESEE_H

#include "lab/quality/corpus.h"

/* Every change is fetched in the week it comes, in the order of pages: `perfect` and
 * `inspected` of the corpus, and if the measures are wanted `worth` and `mean_rate`, too.
 */
void fg_corpus_foresee(struct fg_corpus *corpus, bool measures);

/* Of versions from the second on: the rate a week, -ln(1 - share), of weeks in which the
 * text was another by more than tau than when it last was so; and the share of changes
 * that replaced tau or more of it. */
double fg_corpus_changes(const struct fg_corpus *corpus, size_t page, double tau);
double fg_corpus_ruined(const struct fg_corpus *corpus, size_t page, double tau);

#endif
