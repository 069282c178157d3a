/* auc.h - how well scores tell positives from negatives: the area under the ROC curve
 *
 *     double auc = fg_auc(score, is_positive, n);
 *
 * The chance that a positive drawn at random has a higher score than a negative, ties
 * counting half. 0.5 is what guessing gives, 1 is perfect. */
#ifndef FG_LEARN_AUC_H
#define FG_LEARN_AUC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NaN if there are only positives or only negatives, or a score is NaN. */
double fg_auc(const float *score, const bool *is_positive, size_t n);

#endif
