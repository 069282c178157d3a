/* html_forest.c - pairings as a forest: a dot with its interval for each, on one scale
 *
 * As in Figure 4 of Schulam & Muslea: what lies on the line that means no difference is
 * no difference. One forest for each workload, metric and reference, ratios apart from
 * differences. A dot is filled where the interval excludes no difference, so that the
 * eye finds what is decided. Each line is a row of a table with a strip drawn in per cent
 * of its width, so it needs no room of its own for the words. */
#include "lab/report/axis.h"
#include "lab/report/html_parts.h"
#include "lab/report/markup.h"
#include "lab/report/svg.h"
#include "lab/report/verdict.h"

#include <math.h>

struct forest {
    const struct fg_report *report;
    const struct fg_pairing *first; /* the others are like it */
    const struct fg_metric_info *metric;
    double scale; /* from figures to what is shown */
    struct fg_axis axis;
    bool one_budget, one_policy;
    bool has_published;
};

static bool is_alike(const struct fg_pairing *a, const struct fg_pairing *b)
{
    return a->metric == b->metric && a->is_ratio == b->is_ratio &&
           fg_same(a->workload, b->workload) && fg_same(a->reference, b->reference);
}

static struct forest plant(const struct fg_report *report, const struct fg_pairing *first)
{
    const struct fg_result *result = report->result;
    struct forest forest = {.report = report,
                            .first = first,
                            .metric = &result->metrics[first->metric],
                            .one_budget = true,
                            .one_policy = true};
    forest.scale = first->is_ratio ? 1 : forest.metric->scale;
    struct fg_range range = FG_RANGE_EMPTY;
    fg_range_add(&range, first->is_ratio ? 1 : 0);
    for (size_t i = 0; i < result->n_pairings; i++) {
        const struct fg_pairing *pairing = &result->pairings[i];
        if (!is_alike(pairing, first))
            continue;
        fg_range_add(&range, pairing->figure.mean * forest.scale);
        fg_range_add(&range, pairing->figure.lo * forest.scale);
        fg_range_add(&range, pairing->figure.hi * forest.scale);
        fg_range_add(&range, pairing->published * forest.scale);
        forest.one_budget &= fg_same(pairing->budget, first->budget);
        forest.one_policy &= fg_same(pairing->policy, first->policy);
        forest.has_published |= !isnan(pairing->published);
    }
    /* Twice and half are as far from the same, once they matter. */
    bool is_wide = first->is_ratio && range.low > 0 && range.high / range.low > 5;
    forest.axis =
        is_wide ? fg_axis_within(FG_AXIS_LOG, range, 6) : fg_axis_around(range, 6);
    return forest;
}

static void put_upright(struct fg_buf *out, const char *class, double share)
{
    fg_buf_printf(out, "<line class=\"%s\" y2=\"24\" x1=\"", class);
    fg_svg_share(out, share);
    fg_markup_put(out, "\" x2=\"");
    fg_svg_share(out, share);
    fg_markup_put(out, "\"/>");
}

static void put_ground(const struct forest *forest)
{
    for (size_t i = 0; i < forest->axis.n_ticks; i++)
        put_upright(forest->report->out, "grid",
                    fg_axis_place(&forest->axis, forest->axis.ticks[i]));
    put_upright(forest->report->out, "neutral",
                fg_axis_place(&forest->axis, forest->first->is_ratio ? 1 : 0));
}

static void put_published_mark(struct fg_buf *out, double share)
{
    fg_markup_put(out, "<svg x=\"");
    fg_svg_share(out, share);
    fg_markup_put(out, "\" y=\"12\" width=\"1\" height=\"1\"><path class=\"published\" "
                       "d=\"M-5 0 0-5 5 0 0 5z\"/></svg>");
}

static void put_strip(const struct forest *forest, const struct fg_pairing *pairing)
{
    struct fg_buf *out = forest->report->out;
    const struct fg_axis *axis = &forest->axis;
    double mean = fg_axis_place(axis, pairing->figure.mean * forest->scale);
    double lo = fg_axis_place(axis, pairing->figure.lo * forest->scale);
    double hi = fg_axis_place(axis, pairing->figure.hi * forest->scale);
    double published = fg_axis_place(axis, pairing->published * forest->scale);
    fg_markup_put(out, FG_SVG_OPEN "class=\"strip\" aria-hidden=\"true\">");
    put_ground(forest);
    if (!isnan(lo) && !isnan(hi)) {
        fg_markup_put(out, "<line class=\"ci\" y1=\"12\" y2=\"12\" x1=\"");
        fg_svg_share(out, lo);
        fg_markup_put(out, "\" x2=\"");
        fg_svg_share(out, hi);
        fg_markup_put(out, "\"/>");
    }
    if (!isnan(mean)) {
        fg_buf_printf(out, "<circle class=\"mean%s\" cy=\"12\" r=\"4.5\" cx=\"",
                      fg_pairing_is_open(pairing) ? " open" : "");
        fg_svg_share(out, mean);
        fg_markup_put(out, "\"/>");
    }
    if (!isnan(published))
        put_published_mark(out, published);
    fg_markup_put(out, "</svg>");
}

static void put_row(const struct forest *forest, const struct fg_pairing *pairing)
{
    struct fg_buf *out = forest->report->out;
    fg_markup_put(out, "<tr><th scope=\"row\">");
    if (!forest->one_policy || forest->one_budget)
        fg_markup_text(out, pairing->policy);
    if (!forest->one_budget) {
        fg_markup_put(out, forest->one_policy ? "budget " : " <span class=\"dim\">· ");
        fg_markup_in(out, "", pairing->budget, forest->one_policy ? "" : "</span>");
    }
    fg_markup_put(out, "</th><td class=\"at\">");
    put_strip(forest, pairing);
    fg_markup_put(out, "</td><td class=\"num\">");
    struct fg_metric_info bare = *forest->metric; /* the caption has the unit */
    bare.unit = "";
    fg_pairing_say(pairing, &bare, out);
    fg_markup_put(out, "</td><td class=\"num dim\">");
    if (pairing->sites)
        fg_buf_printf(out, "%zu of %zu", pairing->wins, pairing->sites);
    if (pairing->has_p)
        fg_buf_printf(out, ", p = %.2g", pairing->p);
    fg_markup_in(out, "", pairing->chosen ? pairing->chosen : "", "</td>");
    if (forest->has_published) {
        fg_markup_put(out, "<td class=\"num pub\">");
        if (!isnan(pairing->published))
            fg_markup_number(out, pairing->published * forest->scale,
                             pairing->is_ratio ? FG_RATIO_DIGITS
                                               : forest->metric->digits);
        fg_markup_put(out, "</td>");
    }
    fg_markup_put(out, "</tr>\n");
}

/* The last row: the scale, and which side is the good one. */
static void put_scale(const struct forest *forest)
{
    struct fg_buf *out = forest->report->out;
    fg_markup_put(out, "<tr aria-hidden=\"true\"><th></th><td class=\"at\">" FG_SVG_OPEN
                       "class=\"strip\">");
    for (size_t i = 0; i < forest->axis.n_ticks; i++) {
        fg_markup_put(out, "<text y=\"14\" x=\"");
        fg_svg_share(out, fg_axis_place(&forest->axis, forest->axis.ticks[i]));
        fg_markup_put(out, "\">");
        fg_axis_label(&forest->axis, i, out);
        fg_markup_put(out, "</text>");
    }
    fg_buf_printf(out, "</svg></td><td class=\"num dim\" colspan=\"%d\">%s</td></tr>\n",
                  forest->has_published ? 3 : 2,
                  forest->metric->less_is_better ? "← better to the left"
                                                 : "better to the right →");
}

static void put_caption(const struct forest *forest)
{
    const struct fg_pairing *first = forest->first;
    struct fg_buf *out = forest->report->out;
    fg_markup_in(out, "<figcaption><h4>", forest->metric->label, ": ");
    fg_markup_put(out, first->is_ratio ? "ratio of " : "difference of ");
    fg_markup_text(out, forest->one_policy ? first->policy : "each");
    fg_markup_in(out, first->is_ratio ? " to " : " from ", first->reference, "");
    if (!first->is_ratio && forest->metric->unit[0])
        fg_markup_in(out, ", ", fg_difference_unit(forest->metric), "");
    fg_markup_in(out, "</h4><p>", first->workload, "");
    if (forest->one_budget)
        fg_markup_in(out, ", budget ", first->budget, "");
    fg_markup_put(out, "</p></figcaption>\n");
}

static void put_forest(const struct fg_report *report, const struct fg_pairing *first)
{
    struct forest forest = plant(report, first);
    struct fg_buf *out = report->out;
    fg_markup_put(out, "<figure>\n");
    put_caption(&forest);
    fg_markup_in(out,
                 "<table class=\"forest\"><thead><tr><th scope=\"col\"></th>"
                 "<th scope=\"col\" class=\"at\"></th><th scope=\"col\" "
                 "class=\"num\">",
                 forest.metric->statistic ? forest.metric->statistic : "mean",
                 " [95 %]</th><th scope=\"col\" class=\"num\">better on</th>");
    if (forest.has_published)
        fg_markup_put(out, "<th scope=\"col\" class=\"num pub\">published</th>");
    fg_markup_put(out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < report->result->n_pairings; i++)
        if (is_alike(&report->result->pairings[i], first))
            put_row(&forest, &report->result->pairings[i]);
    put_scale(&forest);
    fg_markup_put(out, "</tbody></table>\n</figure>\n");
}

static bool is_first_of_forest(const struct fg_result *result, size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (is_alike(&result->pairings[i], &result->pairings[number]))
            return false;
    return true;
}

static void put_key(struct fg_buf *out, const char *units)
{
    fg_markup_in(out, "<p class=\"note\">Each policy against a reference on the same ",
                 units, ". ");
    fg_markup_put(
        out, FG_SVG_OPEN
        "class=\"strip key\" aria-hidden=\"true\"><circle class=\"mean\" "
        "cx=\"7\" cy=\"12\" r=\"4.5\"/></svg> 95 % sure of a difference, " FG_SVG_OPEN
        "class=\"strip key\" aria-hidden=\"true\"><circle class=\"mean open\" "
        "cx=\"7\" cy=\"12\" r=\"4.5\"/></svg> not sure, " FG_SVG_OPEN
        "class=\"strip key\" aria-hidden=\"true\"><svg x=\"7\" y=\"12\">"
        "<path class=\"published\" d=\"M-5 0 0-5 5 0 0 5z\"/></svg></svg> "
        "published. “Better on” counts ");
    fg_markup_in(out, "", units, ".</p>\n");
}

void fg_report_forests(const struct fg_report *report)
{
    const struct fg_result *result = report->result;
    if (!result->n_pairings)
        return;
    fg_markup_put(report->out, "<section id=\"pairs\">\n<h2>In pairs</h2>\n");
    put_key(report->out, fg_result_wording(result).units);
    fg_markup_put(report->out, "<div class=\"forests\">\n");
    for (size_t i = 0; i < result->n_pairings; i++)
        if (is_first_of_forest(result, i))
            put_forest(report, &result->pairings[i]);
    fg_markup_put(report->out, "</div>\n</section>\n");
}
