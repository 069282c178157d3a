/* least_squares.h - linear regression over examples that come and go
 *
 *     struct fg_least_squares sums = {.features = 35};
 *     fg_least_squares_add(&sums, x, y);
 *     fg_least_squares_remove(&sums, x, y);    the example has left the window
 *     fg_least_squares_solve(&sums, weights);  35 of them, and the constant after them
 *
 * Only the sums of products are kept, so an example costs a few dozen additions when it
 * comes and when it goes, whatever the length of the window, and solving costs the cube
 * of the features and nothing an example. Zeros in x cost nothing.
 *
 * Removing undoes adding up to rounding. A window that moves on for ever should be summed
 * anew now and then: fg_least_squares_reset, and add what is in it.
 *
 * Plain bytes without pointers: it may be copied and saved as it stands. */
#ifndef FG_LEARN_LEAST_SQUARES_H
#define FG_LEARN_LEAST_SQUARES_H

#include <stddef.h>

enum { FG_LEAST_SQUARES_MAX = 48 };

struct fg_least_squares {
    size_t features; /* up to FG_LEAST_SQUARES_MAX; set this, the rest starts as zero */
    double examples, y;
    double x[FG_LEAST_SQUARES_MAX], xy[FG_LEAST_SQUARES_MAX];
    double xx[FG_LEAST_SQUARES_MAX][FG_LEAST_SQUARES_MAX]; /* [i][j] with j <= i */
};

void fg_least_squares_reset(struct fg_least_squares *sums); /* no examples */
void fg_least_squares_add(struct fg_least_squares *sums, const double *x, double y);
void fg_least_squares_remove(struct fg_least_squares *sums, const double *x, double y);

/* The weights, and after them the constant, with the least squared error over the
 * examples. Where the examples leave a choice (features that always move together, such
 * as the columns of a one-hot code) the weights are the smallest there are, each measured
 * in the standard deviations of its feature; a feature that never varies gets 0. */
void fg_least_squares_solve(const struct fg_least_squares *sums, double *weights);

#endif
