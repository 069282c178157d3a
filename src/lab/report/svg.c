#include "lab/report/svg.h"

#include "lab/report/markup.h"
#include "lab/report/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The size of a plot in its own units; as high in pixels, but wider or narrower. */
enum { WIDE = 600, HIGH = 240 };
/* Finer than this no curve is drawn: 500 points a curve, half as many a band's edge. */
static const double LINE_COLUMN = WIDE / 250.0, BAND_COLUMN = WIDE / 125.0;
static const double LINE_TOLERANCE = 0.2, BAND_TOLERANCE = 0.5;

enum {
    DOTTED_UP_TO = 25, /* points of a curve that are so few that each has a dot */
    BARS_MAX = 60,     /* bars a series; beyond that their outline says more */
    NAMED_BARS_MAX = 10
};

struct plot {
    const struct fg_chart *chart;
    struct fg_buf *out;
    struct fg_axis x, y;
    bool has_bars;
    double margin; /* share of the width that is left free at both ends, for bars */
    double slot;   /* share of the width that belongs to the bars at one x */
    size_t points; /* that can be drawn */
    struct fg_arena scratch;
};

const struct fg_look fg_look_oracle = {FG_LOOKS, FG_LOOKS};

struct fg_look fg_look_of(size_t number)
{
    unsigned colour = (unsigned)(number % FG_LOOKS);
    return (struct fg_look){colour, (unsigned)((colour + number / FG_LOOKS) % FG_LOOKS)};
}

void fg_svg_share(struct fg_buf *out, double share)
{
    char text[32];
    int len = snprintf(text, sizeof text, "%.2f", 100 * share);
    while (len > 0 && text[len - 1] == '0')
        len--;
    len -= len > 0 && text[len - 1] == '.';
    fg_buf_printf(out, "%.*s%%", len, text);
}

static void put_class(struct fg_buf *out, const char *name, struct fg_look look)
{
    fg_buf_printf(out, " class=\"%s c%u d%u\"", name, look.colour, look.dash);
}

void fg_svg_swatch(struct fg_buf *out, enum fg_chart_kind kind, struct fg_look look)
{
    fg_markup_put(out, FG_SVG_OPEN "class=\"swatch\" width=\"30\" height=\"10\" "
                                   "aria-hidden=\"true\"><g");
    put_class(out, "series", look);
    if (kind == FG_CHART_BARS)
        fg_markup_put(out, "><rect class=\"bar\" x=\"10\" width=\"10\" height=\"10\"/>");
    else
        fg_markup_put(out, "><path class=\"line\" d=\"M0 5h30\"/>");
    fg_markup_put(out, "</g></svg>");
}

/* Where things stand. */

static bool has_point(const struct plot *plot, const struct fg_series *series, size_t i)
{
    double x = series->x[i];
    return fg_is_drawable(x) && fg_is_drawable(series->y[i]) &&
           (x >= 0 || !plot->chart->log_x);
}

static bool has_band(const struct plot *plot, const struct fg_series *series, size_t i)
{
    return series->low && series->high && has_point(plot, series, i) &&
           fg_is_drawable(series->low[i]) && fg_is_drawable(series->high[i]);
}

static double x_share(const struct plot *plot, double x)
{
    return plot->margin + fg_axis_place(&plot->x, x) * (1 - 2 * plot->margin);
}

static struct fg_point place(const struct plot *plot, double x, double y)
{
    return (struct fg_point){WIDE * x_share(plot, x),
                             HIGH * (1 - fg_axis_place(&plot->y, y))};
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The different values of x, in order. */
static size_t find_places(struct plot *plot, double **out)
{
    const struct fg_chart *chart = plot->chart;
    double *xs = FG_NEW(&plot->scratch, double, plot->points);
    size_t n = 0, kept = 0;
    for (size_t s = 0; s < chart->n_series; s++)
        for (size_t i = 0; i < chart->series[s].n; i++)
            if (has_point(plot, &chart->series[s], i))
                xs[n++] = chart->series[s].x[i];
    qsort(xs, n, sizeof *xs, compare_doubles);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || xs[i] != xs[kept - 1])
            xs[kept++] = xs[i];
    *out = xs;
    return kept;
}

/* Bars stand on their x with room for all series side by side, so the nearest neighbours
 * decide how wide they are. */
static void lay_out_bars(struct plot *plot, enum fg_axis_kind kind)
{
    double *xs, gap = 1;
    size_t n = find_places(plot, &xs);
    plot->has_bars = n <= BARS_MAX;
    if (!plot->has_bars)
        return;
    if (n <= NAMED_BARS_MAX)
        plot->x = fg_axis_at(kind, xs, n);
    for (size_t i = 1; i < n; i++)
        gap = fmin(gap,
                   fg_axis_place(&plot->x, xs[i]) - fg_axis_place(&plot->x, xs[i - 1]));
    plot->slot = gap / (1 + gap);
    plot->margin = plot->slot / 2;
}

static enum fg_axis_kind x_kind(const struct fg_chart *chart)
{
    if (chart->log_x)
        return FG_AXIS_LOG;
    return chart->x_label && strstr(chart->x_label, "hour") ? FG_AXIS_HOURS
                                                            : FG_AXIS_PLAIN;
}

static void lay_out(struct plot *plot)
{
    const struct fg_chart *chart = plot->chart;
    struct fg_range x = FG_RANGE_EMPTY, y = FG_RANGE_EMPTY;
    for (size_t s = 0; s < chart->n_series; s++) {
        const struct fg_series *series = &chart->series[s];
        for (size_t i = 0; i < series->n; i++) {
            if (!has_point(plot, series, i))
                continue;
            plot->points++;
            fg_range_add(&x, series->x[i]);
            fg_range_add(&y, series->y[i]);
            if (has_band(plot, series, i)) {
                fg_range_add(&y, series->low[i]);
                fg_range_add(&y, series->high[i]);
            }
        }
    }
    /* Bars mean their length, so they start at zero; curves do when it is not far. */
    if (chart->kind == FG_CHART_BARS || (y.low > 0 && y.low <= y.high / 2))
        fg_range_add(&y, 0);
    plot->x = fg_axis_within(x_kind(chart), x, 8);
    plot->y = fg_axis_around(y, 7);
    if (chart->kind == FG_CHART_BARS && plot->points)
        lay_out_bars(plot, x_kind(chart));
}

/* The frame: grid, ticks and their labels. */

static void put_y_axis(const struct plot *plot)
{
    for (size_t i = 0; i < plot->y.n_ticks; i++) {
        double at = HIGH * (1 - fg_axis_place(&plot->y, plot->y.ticks[i]));
        bool is_base = plot->y.ticks[i] == 0;
        fg_buf_printf(plot->out,
                      "<line class=\"%s\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>"
                      "<text class=\"y\" x=\"-8\" y=\"%.1f\">",
                      is_base ? "base" : "grid", at, at, at + 4);
        fg_axis_label(&plot->y, i, plot->out);
        fg_markup_put(plot->out, "</text>");
    }
}

static void put_x_axis(const struct plot *plot)
{
    struct fg_buf *out = plot->out;
    fg_buf_printf(out, "<line class=\"frame\" x2=\"100%%\" y1=\"%d\" y2=\"%d\"/>", HIGH,
                  HIGH);
    for (size_t i = 0; i < plot->x.n_ticks; i++) {
        double share = x_share(plot, plot->x.ticks[i]);
        fg_markup_put(out, "<line class=\"tick\" x1=\"");
        fg_svg_share(out, share);
        fg_markup_put(out, "\" x2=\"");
        fg_svg_share(out, share);
        fg_buf_printf(out, "\" y1=\"%d\" y2=\"%d\"/><text class=\"x\" x=\"", HIGH,
                      HIGH + 5);
        fg_svg_share(out, share);
        fg_buf_printf(out, "\" y=\"%d\">", HIGH + 18);
        fg_axis_label(&plot->x, i, out);
        fg_markup_put(out, "</text>");
    }
}

/* The curves. */

static bool is_stepped(const struct plot *plot)
{
    return plot->chart->kind != FG_CHART_LINES;
}

static void put_run(const struct plot *plot, struct fg_point *points, size_t n)
{
    n = fg_path_thin(points, n, LINE_COLUMN);
    if (is_stepped(plot))
        fg_path_steps(plot->out, points, n);
    else
        fg_path_lines(plot->out, points, fg_path_straighten(points, n, LINE_TOLERANCE));
}

/* One path for all runs of points between gaps: a NaN is a gap. */
static void put_curve(struct plot *plot, const struct fg_series *series)
{
    struct fg_point *run = FG_NEW(&plot->scratch, struct fg_point, series->n);
    size_t n = 0;
    fg_markup_put(plot->out, "<path class=\"line\" d=\"");
    for (size_t i = 0; i < series->n; i++) {
        if (has_point(plot, series, i)) {
            run[n++] = place(plot, series->x[i], series->y[i]);
        } else {
            put_run(plot, run, n);
            n = 0;
        }
    }
    put_run(plot, run, n);
    fg_markup_put(plot->out, "\"/>");
}

static bool stands_alone(const struct plot *plot, const struct fg_series *series,
                         size_t i)
{
    return (i == 0 || !has_point(plot, series, i - 1)) &&
           (i + 1 == series->n || !has_point(plot, series, i + 1));
}

/* A point with no neighbour makes no line, and a few points are not a curve: a stroke of
 * no length with round ends is a dot that does not stretch with the drawing. */
static void put_dots(const struct plot *plot, const struct fg_series *series)
{
    size_t dots = 0;
    for (size_t i = 0; i < series->n; i++) {
        if (!has_point(plot, series, i) ||
            ((series->n > DOTTED_UP_TO || is_stepped(plot)) &&
             !stands_alone(plot, series, i)))
            continue;
        struct fg_point at = place(plot, series->x[i], series->y[i]);
        fg_markup_put(plot->out, dots++ ? "" : "<path class=\"dot\" d=\"");
        fg_buf_printf(plot->out, "M%.1f %.1fh0", at.x, at.y);
    }
    fg_markup_put(plot->out, dots ? "\"/>" : "");
}

static size_t make_steps(struct fg_point *out, const struct fg_point *points, size_t n)
{
    size_t made = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            out[made++] = (struct fg_point){points[i].x, points[i - 1].y};
        out[made++] = points[i];
    }
    return made;
}

/* One closed curve around a run of `n` points of a band. */
static void put_band_run(struct plot *plot, struct fg_point *upper,
                         struct fg_point *lower, size_t n)
{
    size_t above = fg_path_thin(upper, n, BAND_COLUMN);
    size_t below = fg_path_thin(lower, n, BAND_COLUMN);
    if (is_stepped(plot)) {
        struct fg_point *steps = FG_NEW(&plot->scratch, struct fg_point, 2 * n);
        struct fg_point *under = FG_NEW(&plot->scratch, struct fg_point, 2 * n);
        above = make_steps(steps, upper, above);
        below = make_steps(under, lower, below);
        fg_path_band(plot->out, steps, above, under, below);
    } else {
        above = fg_path_straighten(upper, above, BAND_TOLERANCE);
        below = fg_path_straighten(lower, below, BAND_TOLERANCE);
        fg_path_band(plot->out, upper, above, lower, below);
    }
}

static void put_band(struct plot *plot, const struct fg_series *series)
{
    if (!series->low || !series->high)
        return;
    struct fg_point *upper = FG_NEW(&plot->scratch, struct fg_point, series->n);
    struct fg_point *lower = FG_NEW(&plot->scratch, struct fg_point, series->n);
    size_t n = 0;
    fg_markup_put(plot->out, "<path class=\"band\" d=\"");
    for (size_t i = 0; i < series->n; i++) {
        if (has_band(plot, series, i)) {
            upper[n] = place(plot, series->x[i], series->high[i]);
            lower[n++] = place(plot, series->x[i], series->low[i]);
        } else {
            put_band_run(plot, upper, lower, n);
            n = 0;
        }
    }
    put_band_run(plot, upper, lower, n);
    fg_markup_put(plot->out, "\"/>");
}

/* Bars of one series: a tenth of the slot stays free at each side. */
static void put_bars(const struct plot *plot, const struct fg_series *series,
                     size_t number)
{
    double width = 0.8 * plot->slot * WIDE / (double)plot->chart->n_series;
    double base = HIGH * (1 - fg_axis_place(&plot->y, 0));
    fg_markup_put(plot->out, "<path class=\"bar\" d=\"");
    for (size_t i = 0; i < series->n; i++) {
        if (!has_point(plot, series, i))
            continue;
        struct fg_point top = place(plot, series->x[i], series->y[i]);
        double left = top.x - 0.4 * plot->slot * WIDE + width * (double)number;
        fg_buf_printf(plot->out, "M%.1f %.1fV%.1fh%.1fV%.1fz", left, base, top.y, width,
                      base);
    }
    fg_markup_put(plot->out, "\"/>");
    if (!series->low || !series->high)
        return;
    fg_markup_put(plot->out, "<path class=\"whisker\" d=\"");
    for (size_t i = 0; i < series->n; i++) {
        if (!has_band(plot, series, i))
            continue;
        struct fg_point low = place(plot, series->x[i], series->low[i]);
        double middle = low.x - 0.4 * plot->slot * WIDE + width * ((double)number + 0.5);
        fg_buf_printf(plot->out, "M%.1f %.1fV%.1f", middle, low.y,
                      place(plot, series->x[i], series->high[i]).y);
    }
    fg_markup_put(plot->out, "\"/>");
}

static void put_series(struct plot *plot, size_t number, struct fg_look look)
{
    const struct fg_series *series = &plot->chart->series[number];
    fg_markup_put(plot->out, "<g");
    put_class(plot->out, "series", look);
    fg_markup_in(plot->out, "><title>", series->name, "</title>");
    if (plot->has_bars) {
        put_bars(plot, series, number);
    } else {
        put_band(plot, series);
        put_curve(plot, series);
        put_dots(plot, series);
    }
    fg_markup_put(plot->out, "</g>\n");
}

/* What a reader who cannot see the chart should be told. */

static void describe_series(const struct plot *plot, const struct fg_series *series)
{
    struct fg_range range = FG_RANGE_EMPTY;
    double last = NAN;
    for (size_t i = 0; i < series->n; i++)
        if (has_point(plot, series, i)) {
            fg_range_add(&range, series->y[i]);
            last = series->y[i];
        }
    fg_markup_text(plot->out, series->name);
    if (range.low > range.high) {
        fg_markup_put(plot->out, ": no data. ");
        return;
    }
    fg_markup_put(plot->out, ": from ");
    fg_markup_short(plot->out, range.low);
    fg_markup_put(plot->out, " to ");
    fg_markup_short(plot->out, range.high);
    fg_markup_put(plot->out, ", last ");
    fg_markup_short(plot->out, last);
    fg_markup_put(plot->out, ". ");
}

static void describe(const struct plot *plot)
{
    static const char *const kinds[] = {"Lines", "Steps", "Bars"};
    const struct fg_chart *chart = plot->chart;
    fg_markup_put(plot->out, kinds[chart->kind]);
    fg_markup_in(plot->out, " of ", chart->y_label, " over ");
    fg_markup_text(plot->out, chart->x_label);
    fg_markup_put(plot->out, chart->log_x ? " (logarithmic). " : ". ");
    for (size_t s = 0; s < chart->n_series; s++)
        describe_series(plot, &chart->series[s]);
}

void fg_svg_chart(struct fg_buf *out, const struct fg_chart *chart,
                  const struct fg_look *looks, size_t number)
{
    struct plot plot = {.chart = chart, .out = out};
    lay_out(&plot);
    fg_buf_printf(out,
                  FG_SVG_OPEN
                  "class=\"chart\" "
                  "role=\"img\" aria-labelledby=\"t%zu d%zu\">\n<title id=\"t%zu\">",
                  number, number, number);
    fg_markup_text(out, chart->title);
    fg_buf_printf(out, "</title><desc id=\"d%zu\">", number);
    describe(&plot);
    fg_markup_put(out, "</desc>\n");
    if (plot.points) {
        put_y_axis(&plot);
        put_x_axis(&plot);
        fg_buf_printf(out,
                      "\n<svg class=\"data\" width=\"100%%\" height=\"%d\" "
                      "viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\">\n",
                      HIGH, WIDE, HIGH);
        for (size_t s = 0; s < chart->n_series; s++)
            put_series(&plot, s, looks[s]);
        fg_markup_put(out, "</svg>");
    } else {
        fg_buf_printf(out, "<text class=\"none\" x=\"50%%\" y=\"%d\">no data</text>",
                      HIGH / 2);
    }
    fg_markup_put(out, "</svg>\n");
    fg_arena_clear(&plot.scratch);
}
