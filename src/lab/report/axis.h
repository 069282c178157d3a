/* axis.h - where values stand along an axis, and which of them are named
 *
 *     struct fg_axis x = fg_axis_within(FG_AXIS_HOURS, range, 8);
 *     double share = fg_axis_place(&x, value);    from 0 to 1, NaN if it has no place
 *
 * Ticks stand at multiples of 1, 2 or 5 times a power of ten; of hours at multiples of a
 * day or a week once there are enough of them; on a logarithmic axis at powers of ten,
 * or at 1, 2 and 5 times those. A logarithm has no zero, but delays do: an axis whose
 * range holds one keeps a gutter for it, so that what is found at once is not lost. */
#ifndef FG_LAB_AXIS_H
#define FG_LAB_AXIS_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* What values lie between; start with FG_RANGE_EMPTY. */
struct fg_range {
    double low, high;
    double low_positive; /* for logarithms */
};
#define FG_RANGE_EMPTY ((struct fg_range){INFINITY, -INFINITY, INFINITY})

/* NaN, infinities and what would overflow when subtracted are not drawn and not
 * counted. */
bool fg_is_drawable(double value);
void fg_range_add(struct fg_range *range, double value);

enum fg_axis_kind { FG_AXIS_PLAIN, FG_AXIS_HOURS, FG_AXIS_LOG };
enum { FG_TICKS_MAX = 16 };

struct fg_axis {
    enum fg_axis_kind kind;
    double from, to;
    double gutter; /* share of the axis that is left to the zero before a logarithm */
    size_t n_ticks;
    double ticks[FG_TICKS_MAX];
    int digits; /* of the ticks' labels, unless it is logarithmic */
};

/* An axis that ends where the range ends, with at most `most` ticks (and at most
 * FG_TICKS_MAX). An empty range is taken as 0 to 1, and one of a single value is
 * widened. */
struct fg_axis fg_axis_within(enum fg_axis_kind kind, struct fg_range range, size_t most);
/* A plain axis with a little room around the range, or up to the next tick if that is
 * near. */
struct fg_axis fg_axis_around(struct fg_range range, size_t most);
/* An axis whose ticks stand at these values, in order, at most FG_TICKS_MAX of them. */
struct fg_axis fg_axis_at(enum fg_axis_kind kind, const double *values, size_t n);

double fg_axis_place(const struct fg_axis *axis, double value);
void fg_axis_label(const struct fg_axis *axis, size_t tick, struct fg_buf *out);

#endif
