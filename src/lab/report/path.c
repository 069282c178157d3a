#include "lab/report/path.h"

#include <math.h>
#include <stdlib.h>

size_t fg_path_thin(struct fg_point *points, size_t n, double width)
{
    size_t kept = 0;
    for (size_t i = 0; i < n;) {
        double column = floor(points[i].x / width);
        size_t low = i, high = i, end = i;
        for (; end < n && floor(points[end].x / width) == column; end++) {
            if (points[end].y < points[low].y)
                low = end;
            if (points[end].y > points[high].y)
                high = end;
        }
        size_t first = low < high ? low : high, second = low < high ? high : low;
        if (i == 0 && first != 0)
            points[kept++] = points[0];
        struct fg_point later = points[second], last = points[end - 1];
        points[kept++] = points[first];
        if (second != first)
            points[kept++] = later;
        if (end == n && second != n - 1)
            points[kept++] = last;
        i = end;
    }
    return kept;
}

size_t fg_path_straighten(struct fg_point *points, size_t n, double tolerance)
{
    if (n < 3)
        return n;
    size_t kept = 1;
    struct fg_point from = points[0];
    double least = -INFINITY, most = INFINITY; /* slopes that meet all points skipped */
    for (size_t i = 1; i < n; i++) {
        double dx = points[i].x - from.x, dy = points[i].y - from.y;
        if (i > 1 && (dx <= 0 || dy / dx < least || dy / dx > most)) {
            from = points[kept++] = points[i - 1];
            least = -INFINITY, most = INFINITY;
            dx = points[i].x - from.x, dy = points[i].y - from.y;
        }
        if (dx > 0) {
            least = fmax(least, (dy - tolerance) / dx);
            most = fmin(most, (dy + tolerance) / dx);
        } else {
            least = INFINITY, most = -INFINITY; /* upright or backwards: skip nothing */
        }
    }
    points[kept++] = points[n - 1];
    return kept;
}

/* The pen stands at whole tenths, so that distances add up without an error. */
struct pen {
    struct fg_buf *out;
    long x, y;
};

static long tenths(double value)
{
    return lround(value * 10);
}

static void put_tenths(struct fg_buf *out, long value)
{
    if (value < 0)
        fg_buf_add_char(out, '-');
    long whole = labs(value) / 10, part = labs(value) % 10;
    if (whole || !part)
        fg_buf_printf(out, "%ld", whole);
    if (part)
        fg_buf_printf(out, ".%ld", part);
}

static void put_pair(struct fg_buf *out, char command, long x, long y)
{
    fg_buf_add_char(out, command);
    put_tenths(out, x);
    if (y >= 0)
        fg_buf_add_char(out, ' ');
    put_tenths(out, y);
}

static void move_to(struct pen *pen, struct fg_point to)
{
    pen->x = tenths(to.x);
    pen->y = tenths(to.y);
    put_pair(pen->out, 'M', pen->x, pen->y);
}

static void line_to(struct pen *pen, struct fg_point to)
{
    long x = tenths(to.x), y = tenths(to.y);
    if (y == pen->y && x != pen->x) {
        fg_buf_add_char(pen->out, 'h');
        put_tenths(pen->out, x - pen->x);
    } else if (x == pen->x && y != pen->y) {
        fg_buf_add_char(pen->out, 'v');
        put_tenths(pen->out, y - pen->y);
    } else if (x != pen->x) {
        put_pair(pen->out, 'l', x - pen->x, y - pen->y);
    }
    pen->x = x;
    pen->y = y;
}

void fg_path_lines(struct fg_buf *out, const struct fg_point *points, size_t n)
{
    struct pen pen = {.out = out};
    for (size_t i = 0; i < n; i++)
        if (i == 0)
            move_to(&pen, points[i]);
        else
            line_to(&pen, points[i]);
}

void fg_path_steps(struct fg_buf *out, const struct fg_point *points, size_t n)
{
    struct pen pen = {.out = out};
    for (size_t i = 0; i < n; i++) {
        if (i == 0) {
            move_to(&pen, points[i]);
        } else if (tenths(points[i].y) != pen.y || i + 1 == n) {
            line_to(&pen, (struct fg_point){points[i].x, points[i - 1].y});
            line_to(&pen, points[i]);
        }
    }
}

void fg_path_band(struct fg_buf *out, const struct fg_point *upper, size_t n_upper,
                  const struct fg_point *lower, size_t n_lower)
{
    struct pen pen = {.out = out};
    if (!n_upper || !n_lower)
        return;
    move_to(&pen, upper[0]);
    for (size_t i = 1; i < n_upper; i++)
        line_to(&pen, upper[i]);
    for (size_t i = n_lower; i-- > 0;)
        line_to(&pen, lower[i]);
    fg_buf_add_char(out, 'z');
}
