/* html.c - the report of an experiment as one page
 *
 * Well-formed as HTML and as XML, and complete without a script: the charts are drawn
 * here (svg.c), hovering and folding are the browser's own. The same result makes the
 * same page, byte for byte, so there is no date in it. */
#include "lab/report/html_parts.h"
#include "lab/report/html_style.h"
#include "lab/report/markup.h"
#include "lab/report/verdict.h"
#include "lab/result.h"

#include "base/vec.h"

#include <math.h>

enum { CARDS_MAX = 12 /* cases whose verdicts are not folded away */ };

static bool has_place(const struct fg_report *report, const struct fg_row *row)
{
    for (size_t i = 0; i < report->n_places; i++)
        if (fg_row_is_at(row, report->places[i].workload, report->places[i].budget))
            return true;
    return false;
}

static bool has_policy(const struct fg_report *report, const struct fg_row *row)
{
    for (size_t i = 0; i < report->n_policies; i++)
        if (fg_same(report->policies[i], row->policy))
            return true;
    return false;
}

static void collect(struct fg_report *report)
{
    size_t n = report->result->n_rows;
    report->places = FG_NEW(&report->scratch, struct fg_place, n);
    report->policies = FG_NEW(&report->scratch, const char *, n);
    for (size_t i = 0; i < n; i++) {
        const struct fg_row *row = &report->result->rows[i];
        if (!has_place(report, row))
            report->places[report->n_places++] =
                (struct fg_place){row->workload, row->budget};
        if (!has_policy(report, row))
            report->policies[report->n_policies++] = row->policy;
    }
}

static const char *title_of(const struct fg_result *result)
{
    if (result->title && *result->title)
        return result->title;
    return result->name ? result->name : "An experiment";
}

static void put_head(const struct fg_report *report)
{
    fg_markup_put(report->out,
                  "<!DOCTYPE html>\n"
                  "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
                  "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
                  "content=\"width=device-width,initial-scale=1\"/>\n"
                  "<meta name=\"generator\" content=\"Forage " FG_VERSION "\"/>\n");
    fg_markup_in(report->out, "<title>", title_of(report->result), "</title>\n<style>\n");
    fg_markup_put(report->out, style);
    fg_markup_put(report->out, "\n</style>\n</head>\n<body>\n<main>\n");
}

static void put_contents(const struct fg_report *report)
{
    const struct fg_result *result = report->result;
    struct fg_buf *out = report->out;
    fg_markup_put(out, "<nav aria-label=\"Contents\">");
    if (report->n_places)
        fg_markup_put(out, "<a href=\"#headline\">In short</a> "
                           "<a href=\"#figures\">Figures</a> ");
    if (result->n_stated)
        fg_markup_put(out, "<a href=\"#stated\">What is stated</a> ");
    if (result->n_pairings)
        fg_markup_put(out, "<a href=\"#pairs\">In pairs</a> ");
    if (result->n_charts)
        fg_markup_put(out, "<a href=\"#charts\">Charts</a> ");
    fg_markup_put(out, "<a href=\"#made\">How it was made</a></nav>\n");
}

static void put_title(const struct fg_report *report)
{
    const struct fg_result *result = report->result;
    struct fg_buf *out = report->out;
    fg_markup_in(out, "<header>\n<p class=\"kicker\">Forage lab · ", result->name,
                 "</p>\n");
    fg_markup_in(out, "<h1>", title_of(result), "</h1>\n");
    if (result->paper)
        fg_markup_in(out, "<p class=\"paper\">After ", result->paper, "</p>\n");
    put_contents(report);
    fg_markup_put(out, "</header>\n");
    if (!result->n_remarks)
        return;
    fg_markup_put(out, "<aside class=\"remarks\">\n<h4>To judge the figures</h4>\n<ul>");
    for (size_t i = 0; i < result->n_remarks; i++)
        fg_markup_in(out, "<li>", result->remarks[i], "</li>\n");
    fg_markup_put(out, "</ul>\n</aside>\n");
}

static void put_verdict(const struct fg_report *report, struct fg_place place)
{
    struct fg_verdict verdict =
        fg_verdict_of(report->result, place.workload, place.budget);
    struct fg_buf words;
    if (!verdict.best && report->result->has_own_figures)
        return; /* rows about something else than policies */
    fg_buf_init(&words, 1 << 16);
    fg_verdict_say(report->result, &verdict, &words);
    fg_buf_add_char(&words, '\0');
    fg_markup_in(report->out, "<li><span class=\"dim\">", place.workload, ", budget ");
    fg_markup_in(report->out, "", place.budget, "</span>\n");
    char *rest = words.full ? NULL : words.at, *line;
    while ((line = strsep(&rest, "\n")))
        fg_markup_in(report->out, "<p>", line, "</p>\n");
    fg_markup_put(report->out, "</li>\n");
    fg_buf_clear(&words);
}

static size_t count_wins(const struct fg_verdict *verdicts, size_t n, const char *policy)
{
    size_t wins = 0;
    for (size_t i = 0; i < n; i++)
        wins += verdicts[i].best && fg_same(verdicts[i].best->policy, policy);
    return wins;
}

/* The name of the reference, if all cases have the same. */
static const char *one_reference(const struct fg_verdict *verdicts, size_t n)
{
    const char *name = NULL;
    for (size_t i = 0; i < n; i++) {
        if (!verdicts[i].reference)
            continue;
        if (name && !fg_same(name, verdicts[i].reference->policy))
            return "the reference";
        name = verdicts[i].reference->policy;
    }
    return name ? name : "the reference";
}

/* "By coverage, a is best in 4 of 6 cases, b in 2. ..." */
static void put_lead(struct fg_report *report)
{
    struct fg_buf *out = report->out;
    const struct fg_result *result = report->result;
    size_t n = report->n_places, clear = 0, said = 0, cases = 0;
    struct fg_verdict *verdicts = FG_NEW(&report->scratch, struct fg_verdict, n);
    for (size_t i = 0; i < n; i++) {
        verdicts[i] =
            fg_verdict_of(result, report->places[i].workload, report->places[i].budget);
        clear += fg_verdict_is_clear(&verdicts[i]);
        cases += verdicts[i].best || !result->has_own_figures;
    }
    fg_markup_in(out, "<p class=\"lead\">By ", result->metrics[verdicts[0].metric].label,
                 ", ");
    for (size_t p = 0; p < report->n_policies; p++) {
        size_t wins = count_wins(verdicts, n, report->policies[p]);
        if (!wins)
            continue;
        fg_markup_in(out, said ? ", " : "", report->policies[p], "");
        fg_buf_printf(out, said ? " in %zu" : " is best in %zu of %zu cases", wins,
                      cases);
        said++;
    }
    fg_markup_put(out, said ? ". The lead over " : "nobody has a figure. The lead over ");
    fg_markup_text(out, one_reference(verdicts, n));
    fg_buf_printf(out, " is more than chance explains in %zu of %zu.</p>\n", clear,
                  cases);
}

static void put_verdicts(const struct fg_report *report)
{
    bool is_long = report->n_places > CARDS_MAX;
    if (is_long)
        fg_markup_put(report->out, "<details><summary>Case by case</summary>\n");
    fg_markup_put(report->out, "<ul class=\"verdicts\">\n");
    for (size_t i = 0; i < report->n_places; i++)
        put_verdict(report, report->places[i]);
    fg_markup_put(report->out, is_long ? "</ul>\n</details>\n" : "</ul>\n");
}

static void put_headline(struct fg_report *report)
{
    if (!report->n_places || !report->result->n_metrics)
        return;
    fg_markup_put(report->out, "<section id=\"headline\">\n<h2>In short</h2>\n");
    if (report->n_places > 1)
        put_lead(report);
    put_verdicts(report);
    if (report->n_places > 1)
        fg_report_glance(
            report, report->result->n_pairings ? report->result->pairings[0].metric : 0);
    fg_markup_put(report->out, "</section>\n");
}

static void put_duration(struct fg_buf *out, double seconds)
{
    if (!(seconds >= 0 && seconds < 1e9)) {
        fg_markup_put(out, "–");
    } else if (seconds < 60) {
        fg_buf_printf(out, "%.1f s", seconds);
    } else {
        long whole = lround(seconds);
        if (whole >= 3600)
            fg_buf_printf(out, "%ld h ", whole / 3600);
        fg_buf_printf(out, "%ld min", whole / 60 % 60);
        if (whole < 3600)
            fg_buf_printf(out, " %ld s", whole % 60);
    }
}

static void put_making(const struct fg_report *report)
{
    const struct fg_result *result = report->result;
    struct fg_buf *out = report->out;
    fg_markup_put(out, "<section id=\"made\">\n<h2>How it was made</h2>\n");
    if (result->command)
        fg_markup_in(out, "<pre><code>", result->command, "</code></pre>\n");
    fg_markup_put(out, "<dl><dt>replays</dt><dd>");
    fg_markup_number(out, (double)result->runs, 0);
    fg_markup_put(out, "</dd>\n<dt>took</dt><dd>");
    put_duration(out, result->seconds);
    fg_markup_put(out, "</dd>\n<dt>program</dt><dd>Forage " FG_VERSION "</dd>\n");
    fg_markup_in(out, "<dt>intervals</dt><dd>", fg_result_wording(result).made,
                 "</dd></dl>\n</section>\n");
}

void fg_result_html(const struct fg_result *result, struct fg_buf *out)
{
    struct fg_report report = {.result = result, .out = out};
    collect(&report);
    put_head(&report);
    put_title(&report);
    put_headline(&report);
    fg_report_stated(&report);
    fg_report_tables(&report);
    fg_report_forests(&report);
    fg_report_charts(&report);
    put_making(&report);
    fg_markup_put(out, "</main>\n</body>\n</html>\n");
    fg_arena_clear(&report.scratch);
}
