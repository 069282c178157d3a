/* table.c - a result for a person at a terminal
 *
 * One table a workload and budget, a row a policy, a column a metric; the published
 * number stands in brackets behind ours. Where the columns do not fit the width, those
 * that are left make a second table below. */
#include "base/plain.h"
#include "lab/report/verdict.h"
#include "lab/result.h"

#include <math.h>
#include <stdio.h>

enum { COLUMNS_MOST = 32, CELL_BYTES = 96, MAIN_METRICS = 5, MAIN_REFRESH_METRICS = 6 };

struct table {
    const struct fg_result *result;
    size_t width;
    struct fg_buf *out;
    size_t column[COLUMNS_MOST]; /* metrics that are shown */
    size_t n_columns;
    struct fg_wording words;
};

static void pad(struct fg_buf *out, size_t n)
{
    while (n-- > 0)
        fg_buf_add_char(out, ' ');
}

/* Characters, not bytes; what is printed is plain text. */
static size_t width_of(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static void put_left(struct fg_buf *out, const char *text, size_t width)
{
    fg_plain_add(out, fg_str_from(text));
    pad(out, width_of(text) < width ? width - width_of(text) : 0);
}

static void put_right(struct fg_buf *out, const char *text, size_t width)
{
    pad(out, width_of(text) < width ? width - width_of(text) : 0);
    fg_plain_add(out, fg_str_from(text));
}

/* Words broken into lines; the first stands behind `lead`, the others below it. */
static void put_wrapped(const struct table *t, const char *lead, const char *text)
{
    struct fg_str rest = fg_str_from(text), word;
    size_t indent = width_of(lead), column = indent;
    fg_buf_add(t->out, fg_str_from(lead));
    bool is_first = true;
    while (fg_str_cut(&rest, ' ', &word)) {
        if (!is_first && column + 1 + word.len > t->width) {
            fg_buf_add_char(t->out, '\n');
            pad(t->out, indent);
            column = indent;
            is_first = true;
        }
        if (!is_first)
            fg_buf_add_char(t->out, ' ');
        fg_plain_add(t->out, word);
        column += word.len + !is_first;
        is_first = false;
    }
    fg_buf_add_char(t->out, '\n');
}

/* "87.1 [85.0, 89.2]", and " (65.0)" if a number was published. */
static void write_cell(char out[static CELL_BYTES], const struct fg_figure *figure,
                       double published, double scale, int digits)
{
    if (isnan(figure->mean)) {
        snprintf(out, CELL_BYTES, "-");
        return;
    }
    int n = snprintf(out, CELL_BYTES, "%.*f", digits, figure->mean * scale);
    if (!fg_figure_is_bare(*figure)) /* of one site there is no telling how sure it is */
        n = snprintf(out, CELL_BYTES, "%.*f [%.*f, %.*f]", digits, figure->mean * scale,
                     digits, figure->lo * scale, digits, figure->hi * scale);
    if (!isnan(published) && n > 0 && n < CELL_BYTES)
        snprintf(out + n, (size_t)(CELL_BYTES - n), " (%.*f)", digits, published * scale);
}

static void write_row_cell(const struct table *t, char out[static CELL_BYTES],
                           const struct fg_row *row, size_t metric)
{
    const struct fg_metric_info *info = &t->result->metrics[metric];
    write_cell(out, &row->at[metric], row->published ? row->published[metric] : NAN,
               info->scale, info->digits);
}

static void write_head(const struct table *t, char out[static CELL_BYTES], size_t metric)
{
    const struct fg_metric_info *info = &t->result->metrics[metric];
    snprintf(out, CELL_BYTES, "%s%s%s", info->name, *info->unit ? " " : "", info->unit);
}

static bool has_figure(const struct fg_result *result, size_t first, size_t end,
                       size_t metric)
{
    for (size_t i = first; i < end; i++)
        if (!isnan(result->rows[i].at[metric].mean))
            return true;
    return false;
}

static bool is_published(const struct fg_result *result, size_t metric)
{
    for (size_t i = 0; i < result->n_rows; i++)
        if (result->rows[i].published && !isnan(result->rows[i].published[metric]))
            return true;
    return false;
}

/* The usual ones, and those that the paper has a number for. Workloads to refresh differ
 * in what they are about, and forecasts have a figure of their own. */
static void choose_columns(struct table *t, size_t first, size_t end)
{
    const struct fg_result *result = t->result;
    bool has_usual = !result->has_own_figures;
    size_t main = result->n_main ? result->n_main : MAIN_REFRESH_METRICS;
    for (size_t m = 0; !has_usual && m < main; m++)
        has_usual = has_figure(result, first, end, m);
    size_t usual = !has_usual                ? result->n_metrics
                   : result->has_own_figures ? main
                                             : MAIN_METRICS;
    t->n_columns = 0;
    for (size_t m = 0; m < result->n_metrics && t->n_columns < COLUMNS_MOST; m++)
        if ((m < usual || is_published(result, m)) &&
            (!result->has_own_figures || has_figure(result, first, end, m)))
            t->column[t->n_columns++] = m;
}

static bool same_group(const struct fg_row *a, const struct fg_row *b)
{
    return strcmp(a->workload, b->workload) == 0 && strcmp(a->budget, b->budget) == 0;
}

static size_t column_width(const struct table *t, size_t first, size_t end, size_t metric)
{
    char text[CELL_BYTES];
    write_head(t, text, metric);
    size_t width = width_of(text);
    for (size_t i = first; i < end; i++) {
        write_row_cell(t, text, &t->result->rows[i], metric);
        width = width_of(text) > width ? width_of(text) : width;
    }
    return width;
}

/* Columns from `*next` on that fit; moves `*next`. */
static void put_block(const struct table *t, size_t first, size_t end, size_t *next)
{
    char text[CELL_BYTES];
    size_t widths[COLUMNS_MOST], name = width_of("policy"), from = *next;
    for (size_t i = first; i < end; i++) {
        size_t width = width_of(t->result->rows[i].policy);
        name = width > name ? width : name;
    }
    size_t column = name;
    do {
        widths[*next] = column_width(t, first, end, t->column[*next]);
        column += 2 + widths[*next];
    } while (++*next < t->n_columns &&
             column + 2 + column_width(t, first, end, t->column[*next]) <= t->width);
    put_left(t->out, "policy", name);
    for (size_t c = from; c < *next; c++) {
        write_head(t, text, t->column[c]);
        pad(t->out, 2);
        put_right(t->out, text, widths[c]);
    }
    fg_buf_add_char(t->out, '\n');
    for (size_t i = first; i < end; i++) {
        put_left(t->out, t->result->rows[i].policy, name);
        for (size_t c = from; c < *next; c++) {
            write_row_cell(t, text, &t->result->rows[i], t->column[c]);
            pad(t->out, 2);
            put_right(t->out, text, widths[c]);
        }
        fg_buf_add_char(t->out, '\n');
    }
}

static void put_rows(struct table *t)
{
    const struct fg_result *result = t->result;
    for (size_t first = 0, end; first < result->n_rows; first = end) {
        const struct fg_row *row = &result->rows[first];
        for (end = first + 1;
             end < result->n_rows && same_group(row, &result->rows[end]);)
            end++;
        fg_buf_add_char(t->out, '\n');
        fg_plain_add(t->out, fg_str_from(row->workload));
        fg_buf_printf(t->out, ", budget %s, %zu %s\n", row->budget, row->sites,
                      row->sites == 1 ? t->words.unit : t->words.units);
        choose_columns(t, first, end);
        for (size_t next = 0; next < t->n_columns;)
            put_block(t, first, end, &next);
    }
}

static void write_pair(const struct table *t, char out[static CELL_BYTES],
                       const struct fg_pairing *pair)
{
    const struct fg_metric_info *info = &t->result->metrics[pair->metric];
    if (pair->is_ratio)
        write_cell(out, &pair->figure, pair->published, 1, 3);
    else
        write_cell(out, &pair->figure, pair->published, info->scale, info->digits);
}

static void put_wins(const struct table *t, const struct fg_pairing *pair)
{
    if (pair->sites)
        fg_buf_printf(t->out, "better on %zu of %zu", pair->wins, pair->sites);
    if (pair->has_p)
        fg_buf_printf(t->out, ", p = %.2g", pair->p);
    if (pair->chosen) {
        fg_buf_printf(t->out, "%swhich is ", pair->sites || pair->has_p ? ", " : "");
        fg_plain_add(t->out, fg_str_from(pair->chosen));
    }
}

static void put_pairings(const struct table *t)
{
    const struct fg_result *result = t->result;
    char text[CELL_BYTES];
    size_t names = 0, cells = 0, metrics = 12;
    for (size_t i = 0; i < result->n_pairings; i++) {
        const struct fg_pairing *pair = &result->pairings[i];
        size_t width =
            width_of(pair->policy) + width_of(" to ") + width_of(pair->reference);
        names = width > names ? width : names;
        width = width_of(result->metrics[pair->metric].name);
        metrics = width > metrics ? width : metrics;
        write_pair(t, text, pair);
        cells = width_of(text) > cells ? width_of(text) : cells;
    }
    const struct fg_pairing *last = NULL;
    for (size_t i = 0; i < result->n_pairings; i++) {
        const struct fg_pairing *pair = &result->pairings[i];
        if (!last || strcmp(last->workload, pair->workload) != 0 ||
            strcmp(last->budget, pair->budget) != 0) {
            fg_buf_add(t->out, result->has_own_figures ? FG_STR("\nIn pairs: ")
                                                       : FG_STR("\nPaired by site: "));
            fg_plain_add(t->out, fg_str_from(pair->workload));
            fg_buf_printf(t->out, ", budget %s\n", pair->budget);
        }
        last = pair;
        snprintf(text, sizeof text, "%s to %s", pair->policy, pair->reference);
        put_left(t->out, text, names + 2);
        put_left(t->out, result->metrics[pair->metric].name, metrics + 2);
        put_left(t->out, pair->is_ratio ? "ratio" : "difference", 12);
        write_pair(t, text, pair);
        put_left(t->out, text, pair->sites || pair->chosen ? cells + 2 : 0);
        put_wins(t, pair);
        fg_buf_add_char(t->out, '\n');
    }
}

static bool has_published(const struct fg_result *result)
{
    for (size_t i = 0; i < result->n_pairings; i++)
        if (!isnan(result->pairings[i].published))
            return true;
    for (size_t i = 0; i < result->n_rows; i++)
        for (size_t m = 0; result->rows[i].published && m < result->n_metrics; m++)
            if (!isnan(result->rows[i].published[m]))
                return true;
    return false;
}

/* What the text states: how much of it comes out, and what does not. */
static void put_stated(const struct table *t)
{
    const struct fg_result *result = t->result;
    struct fg_stated_count count = fg_result_count_stated(result);
    struct fg_buf words;
    if (!result->n_stated)
        return;
    fg_buf_init(&words, 1 << 12);
    fg_stated_say(&count, &words);
    fg_buf_add_char(&words, '\0');
    fg_buf_add_char(t->out, '\n');
    put_wrapped(t, "", words.full ? "" : words.at);
    fg_buf_clear(&words);
    for (size_t i = 0; i < result->n_judgments; i++)
        put_wrapped(t, "- ", result->judgments[i]);
}

void fg_result_table(const struct fg_result *result, size_t width, struct fg_buf *out)
{
    struct table t = {.result = result, .width = width ? width : 80, .out = out};
    char line[256];
    put_wrapped(&t, "", result->title);
    if (result->paper)
        put_wrapped(&t, "", result->paper);
    t.words = fg_result_wording(result);
    snprintf(line, sizeof line, "%s [%s]%s.", t.words.figures, t.words.interval,
             has_published(result) ? " (published)" : "");
    put_wrapped(&t, "", line);
    put_rows(&t);
    put_pairings(&t);
    if (result->n_remarks)
        fg_buf_add_char(out, '\n');
    for (size_t i = 0; i < result->n_remarks; i++)
        put_wrapped(&t, "- ", result->remarks[i]);
    put_stated(&t);
}
