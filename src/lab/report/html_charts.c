/* html_charts.c - the charts of a report, group by group
 *
 * A policy looks the same in every chart: its colour and dash come from its place among
 * the experiment's policies. Behind each chart stand its figures, folded away; of long
 * curves every nth point, as a page is for reading. */
#include "lab/report/html_parts.h"
#include "lab/report/markup.h"
#include "lab/report/svg.h"
#include "lab/report/verdict.h"

#include <math.h>

enum { LINES_MAX = 40 /* of a table of figures */ };

/* The number of a policy among those that compete. */
static bool find_policy(const struct fg_report *report, const char *name, size_t *number)
{
    *number = 0;
    for (size_t i = 0; i < report->n_policies; i++) {
        if (fg_same(report->policies[i], name))
            return true;
        *number += !fg_policy_is_oracle(report->policies[i]);
    }
    return false;
}

/* Series that are policies look like them; what else there is takes the looks behind
 * those, or all looks if there is no policy among them. */
static struct fg_look *choose_looks(struct fg_report *report,
                                    const struct fg_chart *chart)
{
    struct fg_look *looks = FG_NEW(&report->scratch, struct fg_look, chart->n_series);
    size_t number, others = 0;
    for (size_t s = 0; s < chart->n_series; s++)
        if (find_policy(report, chart->series[s].name, &number))
            others = report->n_policies;
    for (size_t s = 0; s < chart->n_series; s++) {
        const char *name = chart->series[s].name;
        if (fg_policy_is_oracle(name))
            looks[s] = fg_look_oracle;
        else if (find_policy(report, name, &number))
            looks[s] = fg_look_of(number);
        else
            looks[s] = fg_look_of(others++);
    }
    return looks;
}

static void put_legend(const struct fg_report *report, const struct fg_chart *chart,
                       const struct fg_look *looks)
{
    fg_markup_put(report->out, "<ul class=\"legend\">");
    for (size_t s = 0; s < chart->n_series; s++) {
        fg_markup_put(report->out, "<li>");
        fg_svg_swatch(report->out, chart->kind, looks[s]);
        fg_markup_in(report->out, "", chart->series[s].name, "</li>");
    }
    fg_markup_put(report->out, "</ul>\n");
}

/* All series have the same x, so that one column says them. */
static bool has_one_x(const struct fg_chart *chart)
{
    const struct fg_series *first = chart->series;
    for (size_t s = 1; s < chart->n_series; s++) {
        const struct fg_series *series = &chart->series[s];
        if (series->n != first->n)
            return false;
        for (size_t i = 0; i < first->n && series->x != first->x; i++)
            if (series->x[i] != first->x[i])
                return false;
    }
    return true;
}

static void put_value(struct fg_buf *out, const struct fg_series *series, size_t i)
{
    fg_markup_put(out, "<td class=\"num\">");
    fg_markup_short(out, series->y[i]);
    if (series->low && series->high) {
        fg_markup_put(out, " [");
        fg_markup_short(out, series->low[i]);
        fg_markup_put(out, ", ");
        fg_markup_short(out, series->high[i]);
        fg_markup_put(out, "]");
    }
    fg_markup_put(out, "</td>");
}

/* The line after `i`: every nth, and always the last. */
static size_t next_line(size_t i, size_t n, size_t stride)
{
    return i + stride < n || i + 1 == n ? i + stride : n - 1;
}

static size_t stride_of(size_t n)
{
    return (n + LINES_MAX - 1) / LINES_MAX;
}

static void put_joint_table(const struct fg_report *report, const struct fg_chart *chart)
{
    struct fg_buf *out = report->out;
    size_t n = chart->series[0].n, stride = stride_of(n);
    fg_markup_in(out, "<thead><tr><th scope=\"col\" class=\"num\">", chart->x_label,
                 "</th>");
    for (size_t s = 0; s < chart->n_series; s++)
        fg_markup_in(out, "<th scope=\"col\" class=\"num\">", chart->series[s].name,
                     "</th>");
    fg_markup_put(out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < n; i = next_line(i, n, stride)) {
        fg_markup_put(out, "<tr><td class=\"num\">");
        fg_markup_short(out, chart->series[0].x[i]);
        fg_markup_put(out, "</td>");
        for (size_t s = 0; s < chart->n_series; s++)
            put_value(out, &chart->series[s], i);
        fg_markup_put(out, "</tr>\n");
    }
    fg_markup_put(out, "</tbody>");
}

static void put_long_table(const struct fg_report *report, const struct fg_chart *chart)
{
    struct fg_buf *out = report->out;
    fg_markup_in(out,
                 "<thead><tr><th scope=\"col\">series</th><th scope=\"col\" "
                 "class=\"num\">",
                 chart->x_label, "</th><th scope=\"col\" class=\"num\">");
    fg_markup_in(out, "", chart->y_label, "</th></tr></thead>\n");
    for (size_t s = 0; s < chart->n_series; s++) {
        const struct fg_series *series = &chart->series[s];
        size_t stride = stride_of(series->n);
        fg_markup_put(out, "<tbody>\n");
        for (size_t i = 0; i < series->n; i = next_line(i, series->n, stride)) {
            fg_markup_in(out, "<tr><th scope=\"row\">", series->name,
                         "</th><td class=\"num\">");
            fg_markup_short(out, series->x[i]);
            fg_markup_put(out, "</td>");
            put_value(out, series, i);
            fg_markup_put(out, "</tr>\n");
        }
        fg_markup_put(out, "</tbody>\n");
    }
}

static bool has_point(const struct fg_series *series)
{
    for (size_t i = 0; i < series->n; i++)
        if (isfinite(series->y[i]))
            return true;
    return false;
}

/* Why a chart, or a series of it, shows nothing. */
static void put_absent(const struct fg_report *report, const struct fg_chart *chart)
{
    size_t without = 0;
    for (size_t s = 0; s < chart->n_series; s++)
        without += !has_point(&chart->series[s]);
    if (!chart->n_series) {
        fg_markup_put(report->out, "<p>Empty: no policy has such a chart here.</p>\n");
    } else if (without == chart->n_series) {
        fg_markup_in(report->out, "<p>Empty: no run of any policy has a value of “",
                     chart->y_label,
                     "”; the remarks say which figures are missing.</p>\n");
    } else if (without) {
        fg_markup_put(report->out, "<p>Not drawn, since no run has a value:");
        for (size_t s = 0, told = 0; s < chart->n_series; s++)
            if (!has_point(&chart->series[s]))
                fg_markup_in(report->out, told++ ? ", " : " ", chart->series[s].name, "");
        fg_markup_put(report->out, ".</p>\n");
    }
}

static size_t longest(const struct fg_chart *chart)
{
    size_t n = 0;
    for (size_t s = 0; s < chart->n_series; s++)
        n = chart->series[s].n > n ? chart->series[s].n : n;
    return n;
}

static void put_figures(const struct fg_report *report, const struct fg_chart *chart)
{
    size_t n = longest(chart);
    if (!n)
        return;
    fg_markup_put(report->out, "<details><summary>The figures");
    if (stride_of(n) > 1)
        fg_buf_printf(report->out, ", one in %zu", stride_of(n));
    fg_markup_put(report->out, "</summary><div class=\"scroll\" tabindex=\"0\"><table>");
    if (has_one_x(chart))
        put_joint_table(report, chart);
    else
        put_long_table(report, chart);
    fg_markup_put(report->out, "</table></div></details>\n");
}

static void put_chart(struct fg_report *report, size_t number)
{
    const struct fg_chart *chart = &report->result->charts[number];
    struct fg_buf *out = report->out;
    struct fg_look *looks = choose_looks(report, chart);
    fg_buf_printf(out, "<figure id=\"chart-%zu\">\n<figcaption><h4>", number);
    if (chart->figure)
        fg_markup_in(out, "", chart->figure, ": ");
    fg_markup_in(out, "", chart->title, "</h4>");
    if (chart->caption)
        fg_markup_in(out, "<p>", chart->caption, "</p>");
    put_absent(report, chart);
    fg_markup_put(out, "</figcaption>\n");
    put_legend(report, chart, looks);
    fg_markup_in(out, "<p class=\"axis over\">", chart->y_label, "</p>\n");
    fg_svg_chart(out, chart, looks, number);
    fg_markup_in(out, "<p class=\"axis under\">", chart->x_label,
                 chart->log_x ? ", logarithmic</p>\n" : "</p>\n");
    put_figures(report, chart);
    fg_markup_put(out, "</figure>\n");
}

static bool is_first_of_group(const struct fg_result *result, size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (fg_same(result->charts[i].group, result->charts[number].group))
            return false;
    return true;
}

/* Where the figures of the text are. */
static void put_figure_list(const struct fg_report *report)
{
    const struct fg_result *result = report->result;
    size_t told = 0;
    for (size_t i = 0; i < result->n_charts; i++) {
        const struct fg_chart *chart = &result->charts[i];
        if (!chart->figure)
            continue;
        fg_markup_put(report->out, told++ ? "<br/>\n" : "<p class=\"note\">");
        fg_buf_printf(report->out, "<a href=\"#chart-%zu\">", i);
        fg_markup_in(report->out, "", chart->figure, "</a>: ");
        fg_markup_in(report->out, "", chart->title, chart->group ? ", " : "");
        fg_markup_text(report->out, chart->group);
    }
    fg_markup_put(report->out, told ? "</p>\n" : "");
}

void fg_report_charts(struct fg_report *report)
{
    const struct fg_result *result = report->result;
    if (!result->n_charts)
        return;
    fg_markup_put(report->out, "<section id=\"charts\">\n<h2>Charts</h2>\n");
    put_figure_list(report);
    for (size_t i = 0; i < result->n_charts; i++) {
        if (!is_first_of_group(result, i))
            continue;
        if (result->charts[i].group && *result->charts[i].group)
            fg_markup_in(report->out, "<h3>", result->charts[i].group, "</h3>\n");
        fg_markup_put(report->out, "<div class=\"charts\">\n");
        for (size_t j = i; j < result->n_charts; j++)
            if (fg_same(result->charts[j].group, result->charts[i].group))
                put_chart(report, j);
        fg_markup_put(report->out, "</div>\n");
    }
    fg_markup_put(report->out, "</section>\n");
}
