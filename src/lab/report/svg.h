/* svg.h - charts as inline SVG, drawn to be read at any width
 *
 * The drawing's viewport is the plot itself: ticks, labels and dots are placed in per
 * cent of its width, and the curves lie in a nested viewport that stretches with it while
 * strokes keep their width. So a chart fills whatever column it stands in and its text
 * stays as large as the text around it, on a phone as on a wall. Labels of the axes hang
 * over the edges into margins that the page's style leaves (html_style.h), which also
 * holds every colour and dash: what is written here are classes.
 *
 * Every chart has a title, a description with the figures that matter, and curves that
 * tell their name when pointed at. Needs no script. */
#ifndef FG_LAB_SVG_H
#define FG_LAB_SVG_H

#include "base/buf.h"
#include "lab/report/axis.h"
#include "lab/result.h"

/* How a series is told from the others: by colour and, for eyes and printers that do not
 * see colour, by dash. */
struct fg_look {
    unsigned colour, dash;
};
enum { FG_LOOKS = 7 };

/* The looks of an experiment's policies by number; 49 of them differ. */
struct fg_look fg_look_of(size_t number);
/* Of what is not a competitor: an oracle. */
extern const struct fg_look fg_look_oracle;

/* The drawing of a chart; one look a series. `number` sets its ids apart from those of
 * other charts of the page. */
void fg_svg_chart(struct fg_buf *out, const struct fg_chart *chart,
                  const struct fg_look *looks, size_t number);
/* What stands for a series in a legend. */
void fg_svg_swatch(struct fg_buf *out, enum fg_chart_kind kind, struct fg_look look);

/* With its name space, so that the page is right as XML too. */
#define FG_SVG_OPEN "<svg xmlns=\"http://www.w3.org/2000/svg\" "

/* Per cent of the width, without needless digits: "12.5%". */
void fg_svg_share(struct fg_buf *out, double share);

#endif
