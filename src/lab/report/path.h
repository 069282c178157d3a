/* path.h - a curve as SVG path data, in as few bytes as a screen can show
 *
 * Points are in the units of the drawing. A path is thinned first: of the points that
 * fall into one column the lowest and the highest stay, and of those in a row that a
 * straight line would meet within a fifth of a unit only the ends. So peaks survive and
 * no curve is moved by what an eye could see. Then it is written in whole tenths of a
 * unit, each point as its distance from the one before. */
#ifndef FG_LAB_PATH_H
#define FG_LAB_PATH_H

#include "base/buf.h"

#include <stddef.h>

struct fg_point {
    double x, y;
};

/* Keep at most two points a column of `width` units, and the first and the last; the
 * points stay in order. Returns how many are left, moved to the front. */
size_t fg_path_thin(struct fg_point *points, size_t n, double width);
/* Drop points that straight lines between the others miss by at most `tolerance`, along
 * y. */
size_t fg_path_straighten(struct fg_point *points, size_t n, double tolerance);

/* "M12.3 4h5l-.2 3"; nothing for no points. */
void fg_path_lines(struct fg_buf *out, const struct fg_point *points, size_t n);
/* From each point straight on to the next one's x, then to its y. */
void fg_path_steps(struct fg_buf *out, const struct fg_point *points, size_t n);
/* The area between an upper and a lower curve of `n` points each, closed. */
void fg_path_band(struct fg_buf *out, const struct fg_point *upper, size_t n_upper,
                  const struct fg_point *lower, size_t n_lower);

#endif
