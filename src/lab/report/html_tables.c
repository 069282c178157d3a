/* html_tables.c - the figures of a report, with their intervals and what was published */
#include "lab/report/html_parts.h"
#include "lab/report/markup.h"
#include "lab/report/verdict.h"

#include <math.h>

/* The best figure of a metric at a place among those that cannot see the future; NaN if
 * there is none. */
static struct fg_figure best_of(const struct fg_report *report, struct fg_place place,
                                size_t metric)
{
    struct fg_figure best = {NAN, NAN, NAN};
    for (size_t i = 0; i < report->result->n_rows; i++) {
        const struct fg_row *row = &report->result->rows[i];
        if (fg_row_is_at(row, place.workload, place.budget) &&
            !fg_policy_is_oracle(row->policy) &&
            fg_metric_prefers(&report->result->metrics[metric], row->at[metric].mean,
                              best.mean))
            best = row->at[metric];
    }
    return best;
}

static void put_published(struct fg_buf *out, const struct fg_metric_info *metric,
                          double ours, double theirs)
{
    if (isnan(theirs))
        return;
    fg_markup_put(out, "<small class=\"pub\">published ");
    fg_markup_number(out, theirs * metric->scale, metric->digits);
    if (!isnan(ours)) {
        fg_markup_put(out, "<br/>ours ");
        fg_markup_signed(out, (ours - theirs) * metric->scale, metric->digits);
    }
    fg_markup_put(out, "</small>");
}

/* A cell, left open for what else belongs into it. */
static void put_cell(struct fg_buf *out, const struct fg_metric_info *metric,
                     const struct fg_row *row, size_t number, struct fg_figure best)
{
    struct fg_figure figure = row->at[number];
    bool competes = !fg_policy_is_oracle(row->policy);
    bool is_best = competes && figure.mean == best.mean;
    bool is_near = competes && !is_best && !fg_figure_is_bare(figure) &&
                   !fg_figure_is_bare(best) && fg_figures_overlap(figure, best);
    fg_markup_put(out, is_near ? "<td class=\"num\"><span class=\"near\">"
                               : "<td class=\"num\">");
    fg_markup_put(out, is_best ? "<b>" : "");
    fg_markup_number(out, figure.mean * metric->scale, metric->digits);
    fg_markup_put(out, is_best ? "</b>" : is_near ? "</span>" : "");
    if (!fg_figure_is_bare(figure)) {
        fg_markup_put(out, "<small>[");
        fg_markup_number(out, figure.lo * metric->scale, metric->digits);
        fg_markup_put(out, ", ");
        fg_markup_number(out, figure.hi * metric->scale, metric->digits);
        fg_markup_put(out, "]</small>");
    }
}

/* Workloads to refresh differ in what they are about; what none has is left out. */
static bool is_shown(const struct fg_report *report, const char *workload, size_t metric)
{
    const struct fg_result *result = report->result;
    for (size_t i = 0; result->has_own_figures && i < result->n_rows; i++)
        if (fg_same(result->rows[i].workload, workload) &&
            !isnan(result->rows[i].at[metric].mean))
            return true;
    return !result->has_own_figures;
}

static void put_metric_heads(const struct fg_report *report, const char *workload)
{
    for (size_t m = 0; m < report->result->n_metrics; m++) {
        if (!is_shown(report, workload, m))
            continue;
        const struct fg_metric_info *metric = &report->result->metrics[m];
        fg_markup_in(report->out, "<th scope=\"col\" class=\"num\">", metric->label,
                     "<small>");
        fg_markup_in(report->out, "", metric->unit,
                     metric->less_is_better ? " ↓</small></th>" : " ↑</small></th>");
    }
}

/* The rows of one budget: where all stand on as many sites, that is said once. */
static void put_budget(const struct fg_report *report, struct fg_place place)
{
    struct fg_buf *out = report->out;
    const struct fg_result *result = report->result;
    struct fg_figure *best = NULL;
    struct fg_arena scratch = {0};
    best = FG_NEW(&scratch, struct fg_figure, result->n_metrics);
    size_t shown = 0;
    for (size_t m = 0; m < result->n_metrics; m++) {
        best[m] = best_of(report, place, m);
        shown += is_shown(report, place.workload, m);
    }
    fg_buf_printf(out,
                  "<tbody>\n<tr class=\"budget\"><th colspan=\"%zu\" "
                  "scope=\"rowgroup\">budget ",
                  shown + 2);
    fg_markup_in(out, "", place.budget, "</th></tr>\n");
    for (size_t i = 0; i < result->n_rows; i++) {
        const struct fg_row *row = &result->rows[i];
        if (!fg_row_is_at(row, place.workload, place.budget))
            continue;
        fg_markup_put(out, fg_policy_is_oracle(row->policy) ? "<tr class=\"oracle\">"
                                                            : "<tr>");
        fg_markup_in(out, "<th scope=\"row\">", row->policy, "</th>");
        fg_buf_printf(out, "<td class=\"num\">%zu</td>", row->sites);
        for (size_t m = 0; m < result->n_metrics; m++) {
            if (!is_shown(report, place.workload, m))
                continue;
            put_cell(out, &result->metrics[m], row, m, best[m]);
            if (row->published)
                put_published(out, &result->metrics[m], row->at[m].mean,
                              row->published[m]);
            fg_markup_put(out, "</td>");
        }
        fg_markup_put(out, "</tr>\n");
    }
    fg_markup_put(out, "</tbody>\n");
    fg_arena_clear(&scratch);
}

static void put_workload(const struct fg_report *report, const char *workload)
{
    struct fg_buf *out = report->out;
    fg_markup_in(out, "<h3>", workload,
                 "</h3>\n<div class=\"wide\" tabindex=\"0\">"
                 "<table class=\"figures\">\n<thead><tr>");
    fg_markup_put(out, "<th scope=\"col\">policy</th>"
                       "<th scope=\"col\" class=\"num narrow\">");
    fg_markup_in(out, "", fg_result_wording(report->result).units, "</th>");
    put_metric_heads(report, workload);
    fg_markup_put(out, "</tr></thead>\n");
    for (size_t i = 0; i < report->n_places; i++)
        if (fg_same(report->places[i].workload, workload))
            put_budget(report, report->places[i]);
    fg_markup_put(out, "</table></div>\n");
}

static bool is_first_of_workload(const struct fg_report *report, size_t place)
{
    for (size_t i = 0; i < place; i++)
        if (fg_same(report->places[i].workload, report->places[place].workload))
            return false;
    return true;
}

void fg_report_tables(const struct fg_report *report)
{
    if (!report->n_places)
        return;
    fg_markup_put(report->out,
                  "<section id=\"figures\">\n<h2>Figures</h2>\n<p class=\"note\">");
    fg_markup_text(report->out, fg_result_wording(report->result).figures);
    fg_markup_put(report->out,
                  ", with 95 % intervals below. "
                  "↑ more is better, ↓ less is better. <b>Bold</b>: the best mean of its "
                  "budget; <span class=\"near\">dotted</span>: its interval overlaps "
                  "that of the best. <i>Slanted</i>: an oracle, which sees the future "
                  "and competes with nobody.</p>\n");
    for (size_t i = 0; i < report->n_places; i++)
        if (is_first_of_workload(report, i))
            put_workload(report, report->places[i].workload);
    fg_markup_put(report->out, "</section>\n");
}

static const struct fg_row *row_of(const struct fg_report *report, struct fg_place place,
                                   const char *policy)
{
    for (size_t i = 0; i < report->result->n_rows; i++) {
        const struct fg_row *row = &report->result->rows[i];
        if (fg_row_is_at(row, place.workload, place.budget) &&
            fg_same(row->policy, policy))
            return row;
    }
    return NULL;
}

void fg_report_glance(const struct fg_report *report, size_t number)
{
    struct fg_buf *out = report->out;
    const struct fg_metric_info *metric = &report->result->metrics[number];
    fg_markup_in(out, "<h3>All at a glance: ", metric->label,
                 metric->unit[0] ? ", " : "");
    fg_markup_in(out, "", metric->unit,
                 "</h3>\n<div class=\"wide\" tabindex=\"0\">"
                 "<table class=\"glance\"><thead><tr><th scope=\"col\">workload");
    fg_markup_put(out, "</th><th scope=\"col\">budget</th>");
    for (size_t p = 0; p < report->n_policies; p++)
        fg_markup_in(out, "<th scope=\"col\" class=\"num\">", report->policies[p],
                     "</th>");
    fg_markup_put(out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < report->n_places; i++) {
        struct fg_place place = report->places[i];
        struct fg_figure best = best_of(report, place, number);
        fg_markup_in(out, "<tr><th scope=\"row\">", place.workload, "</th><td>");
        fg_markup_in(out, "", place.budget, "</td>");
        for (size_t p = 0; p < report->n_policies; p++) {
            const struct fg_row *row = row_of(report, place, report->policies[p]);
            if (row)
                put_cell(out, metric, row, number, best);
            else
                fg_markup_put(out, "<td class=\"num\">");
            fg_markup_put(out, "</td>");
        }
        fg_markup_put(out, "</tr>\n");
    }
    fg_markup_put(out, "</tbody></table></div>\n");
}
