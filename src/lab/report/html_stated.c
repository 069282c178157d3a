/* html_stated.c - orders and values of the text beside ours */
#include "lab/report/html_parts.h"
#include "lab/report/markup.h"
#include "lab/report/stated.h"

enum { LINES_MOST = 40 /* that are not folded away */ };

static void put_line(const struct fg_stated *stated, struct fg_buf *out)
{
    fg_markup_in(out, "<tr><td>", stated->where, "</td><td>");
    fg_markup_in(out, "", stated->workload, *stated->budget ? ", budget " : "");
    fg_markup_in(out, "", stated->budget, "</td>");
    fg_markup_in(out, "<td>", stated->what, "</td>");
    if (!stated->is_order)
        fg_markup_in(out, "<td class=\"num\">", stated->published, "</td>");
    fg_markup_in(out, "<td class=\"num\">", stated->ours, "</td>");
    fg_markup_in(out, stated->is == FG_COMES_OUT ? "<td>" : "<td class=\"fails\">",
                 fg_judged_words[stated->is], "</td></tr>\n");
}

static void put_table(const struct fg_stated *stated, size_t n, bool is_order,
                      struct fg_buf *out)
{
    size_t lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += stated[i].is_order == is_order;
    if (!lines)
        return;
    fg_markup_put(out, lines > LINES_MOST ? "<details>" : "<details open=\"open\">");
    fg_buf_printf(out, "<summary>%s, %zu</summary>\n",
                  is_order ? "Orders that the text states" : "Published values", lines);
    fg_markup_put(out, "<div class=\"wide\" tabindex=\"0\"><table class=\"stated\">\n"
                       "<thead><tr><th scope=\"col\">in the text</th><th scope=\"col\">"
                       "here on</th><th scope=\"col\">what</th>");
    if (!is_order)
        fg_markup_put(out, "<th scope=\"col\" class=\"num\">published</th>");
    fg_markup_put(out, "<th scope=\"col\" class=\"num\">ours</th><th scope=\"col\">"
                       "</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < n; i++)
        if (stated[i].is_order == is_order)
            put_line(&stated[i], out);
    fg_markup_put(out, "</tbody></table></div></details>\n");
}

void fg_stated_tables(const struct fg_stated *stated, size_t n, struct fg_buf *out)
{
    put_table(stated, n, true, out);
    put_table(stated, n, false, out);
}

void fg_report_stated(const struct fg_report *report)
{
    const struct fg_result *result = report->result;
    struct fg_stated_count count = fg_result_count_stated(result);
    struct fg_buf words;
    if (!result->n_stated)
        return;
    fg_buf_init(&words, 1 << 12);
    fg_stated_say(&count, &words);
    fg_buf_add_char(&words, '\0');
    fg_markup_in(report->out,
                 "<section id=\"stated\">\n<h2>What the text states, and what comes "
                 "out</h2>\n<p class=\"lead\">",
                 words.full ? "" : words.at, "</p>\n");
    fg_buf_clear(&words);
    fg_stated_tables(result->stated, result->n_stated, report->out);
    fg_markup_put(report->out, "</section>\n");
}
