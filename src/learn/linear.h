/* linear.h - a linear classifier: is this text of the kind that I was shown?
 *
 *     struct fg_linear linear = {0};
 *     fg_linear_train(&linear, samples, n, &rules, &report);
 *     if (fg_linear_probability(&linear, bag.features, bag.n) >= 0.5) ...
 *     fg_linear_clear(&linear);
 *
 * Logistic regression over hashed features (bag.h). Training makes
 *
 *     J(w, b) = sum_i c_i log(1 + exp(-y_i (w.x_i + b))) + |w|^2 / (2 C)
 *
 * small, where y is +1 or -1 and c_i = n / (2 n of its class): both classes count the
 * same however many samples each has. C is `rules.freedom`. The steps are Adagrad's
 * (Duchi, Hazan, Singer, JMLR 2011), one sample at a time in an order that depends on
 * nothing but their number; the same samples in the same order give the same classifier,
 * bit for bit.
 *
 * A margin w.x + b says on which side a text lies, not how sure one can be. So each
 * sample is also judged by a classifier that has not seen it (cross-validation), and a
 * logistic curve over those margins is what turns a margin into a probability (Platt
 * 1999, with his smoothed targets and the Newton steps of Lin, Lin and Weng, 2007). Both
 * classes are taken to be equally common. With fewer than two samples of a class there is
 * nothing to hold out, and the margin is used as it is. */
#ifndef FG_LEARN_LINEAR_H
#define FG_LEARN_LINEAR_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "learn/bag.h"

#include <stdbool.h>

struct fg_linear {
    float *weights; /* FG_BAG_PLACES of them; NULL: not trained */
    float bias;
    float slope, shift; /* probability = 1 / (1 + exp(-(slope margin + shift))) */
    uint32_t positives, negatives; /* it was trained from */
};

struct fg_linear_sample {
    const struct fg_feature *features;
    size_t n;
    bool is_positive;
};

struct fg_linear_rules {
    double freedom;  /* C above; 10. More follows the samples closer */
    unsigned epochs; /* at most; 80 */
    uint64_t seed;   /* of the order of the samples; 1 */
};
struct fg_linear_rules fg_linear_defaults(void);

/* How samples fared that the classifier judging them had not seen. */
struct fg_linear_report {
    size_t positives, negatives;
    size_t held_out; /* judged so: 0 if there are too few */
    size_t true_positives, false_positives, true_negatives, false_negatives;
};

/* False, and an untrained classifier, unless there is a sample of each class. */
bool fg_linear_train(struct fg_linear *linear, const struct fg_linear_sample *samples,
                     size_t n, const struct fg_linear_rules *rules,
                     struct fg_linear_report *report);
void fg_linear_clear(struct fg_linear *linear);

double fg_linear_probability(const struct fg_linear *linear,
                             const struct fg_feature *features, size_t n);

/* As bytes, with a checksum. `scheme` says how the caller makes features from texts:
 * bytes that were saved under another scheme are refused, for their places mean other
 * words. Damaged bytes are FG_EINPUT. */
void fg_linear_save(const struct fg_linear *linear, uint64_t scheme, struct fg_buf *out);
enum fg_status fg_linear_load(struct fg_linear *linear, uint64_t scheme,
                              struct fg_str bytes, struct fg_err *err);

#endif
