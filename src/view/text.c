/* text.c - an answer for people
 *
 * The widths of a table are those of its first rows: so many are held until they are
 * known, and those that follow flow by. */
#include "base/buf.h"
#include "base/plain.h"
#include "base/vec.h"
#include "view/ago.h"
#include "view/render.h"

#include <stdio.h>
#include <string.h>
#include <unicode/uchar.h>

enum { LABEL = 14, INDENT = 2, HELD = 200, COLUMNS = 32, LEAST = 36 };

struct writer {
    struct fg_sink *sink;
    struct fg_text_style style;
    struct fg_err *err;
    enum fg_status status;
    bool has_text;
};

size_t fg_text_width(struct fg_str text)
{
    const char *at = text.at, *end = text.at + text.len;
    size_t width = 0;
    while (at < end) {
        UChar32 c = (UChar32)fg_utf8_take(&at, end);
        int kind = u_charType(c);
        int wide = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
        bool is_mark = kind == U_NON_SPACING_MARK || kind == U_ENCLOSING_MARK ||
                       kind == U_FORMAT_CHAR;
        width += is_mark ? 0 : wide == U_EA_WIDE || wide == U_EA_FULLWIDTH ? 2 : 1;
    }
    return width;
}

static void put(struct writer *w, struct fg_str text)
{
    fg_buf_add(w->sink->buf, text);
}

static void pad(struct writer *w, size_t width, size_t to)
{
    for (; width < to; width++)
        fg_buf_add_char(w->sink->buf, ' ');
}

static void end_line(struct writer *w)
{
    struct fg_buf *buf = w->sink->buf;
    while (buf->len && buf->at[buf->len - 1] == ' ')
        buf->len--;
    fg_buf_add_char(buf, '\n');
    w->has_text = true;
}

/* --- values --- */

static void add_number(struct fg_buf *out, const struct fg_field *field,
                       const void *record)
{
    const void *at = fg_field_at(field, record);
    char text[FG_AGO_TEXT];
    switch (field->type) {
    case FG_FIELD_COUNT:
        fg_buf_printf(out, "%llu", (unsigned long long)fg_field_unsigned(field, record));
        break;
    case FG_FIELD_SHARE:
        fg_buf_printf(out, "%.1f %%", 100 * fg_field_number(field, record));
        break;
    case FG_FIELD_SPAN:
        fg_buf_add(out, fg_str_from(fg_gap_short(text, *(const fg_time *)at)));
        break;
    case FG_FIELD_HASH:
        fg_buf_printf(out, "%016llx", (unsigned long long)*(const uint64_t *)at);
        break;
    default:
        fg_buf_printf(out, "%.4g", fg_field_number(field, record));
    }
}

/* As a cell of a table; empty if there is no value. */
static void add_value(struct fg_buf *out, const struct fg_field *field,
                      const void *record)
{
    const void *at = fg_field_at(field, record);
    char text[FG_TIME_TEXT];
    if (fg_field_is_empty(field, record))
        return;
    switch (field->type) {
    case FG_FIELD_TEXT:
    case FG_FIELD_URL:
        fg_plain_add(out, *(const struct fg_str *)at);
        break;
    case FG_FIELD_WORD:
        fg_plain_add(out, fg_str_from(*(const char *const *)at));
        break;
    case FG_FIELD_NAME:
        fg_buf_add(out,
                   fg_str_from(field->name((unsigned)fg_field_unsigned(field, record))));
        break;
    case FG_FIELD_YES:
        fg_buf_add(out, *(const bool *)at ? FG_STR("yes") : FG_STR("no"));
        break;
    case FG_FIELD_TIME:
        fg_buf_add(out, fg_str_from(fg_when(text, *(const fg_time *)at)));
        break;
    case FG_FIELD_FLAGS:
    case FG_FIELD_TEXTS:
    case FG_FIELD_PAIRS:
        fg_field_add_list(out, field, record, ", ", ": ", fg_plain_add);
        break;
    default:
        add_number(out, field, record);
    }
}

static bool is_number(const struct fg_field *field)
{
    return field->type == FG_FIELD_COUNT || field->type == FG_FIELD_NUMBER ||
           field->type == FG_FIELD_FLOAT || field->type == FG_FIELD_SHARE ||
           field->type == FG_FIELD_SPAN;
}

/* One that has a key and no label is for programs. */
static bool is_shown(const struct fg_field *field)
{
    return field->label || (fg_field_is_record(field) && !field->key);
}

/* --- tables --- */

struct rows {
    struct fg_put put;
    struct writer *writer;
    const struct fg_field *fields;
    enum fg_rows_style style;
    size_t skip, most, indent, n;
    /* of a table: */
    struct fg_arena arena;
    const struct fg_field *columns[COLUMNS];
    size_t widths[COLUMNS], n_columns;
    FG_VEC(struct fg_str) cells; /* those held, row by row */
    struct fg_buf cell;
    bool is_flowing; /* the widths are known */
};

static void find_columns(struct rows *t, const struct fg_field *fields)
{
    for (const struct fg_field *field = fields; field->type; field++)
        if (fg_field_is_record(field) && is_shown(field))
            find_columns(t, field->of);
        else if (is_shown(field) && field->type != FG_FIELD_ROWS &&
                 t->n_columns < COLUMNS)
            t->columns[t->n_columns++] = field;
}

/* In a column of them, those that are stand out. */
static bool is_no(const struct fg_field *field, const void *record)
{
    return field->type == FG_FIELD_YES && !*(const bool *)fg_field_at(field, record);
}

static void take_cells(struct rows *t, const struct fg_field *fields, const void *record,
                       struct fg_str *cells, size_t *n)
{
    for (const struct fg_field *field = fields; field->type; field++) {
        if (fg_field_is_record(field) && is_shown(field)) {
            const void *inner = record ? fg_field_record(field, record) : NULL;
            take_cells(t, field->of, inner, cells, n);
        } else if (is_shown(field) && field->type != FG_FIELD_ROWS && *n < COLUMNS) {
            fg_buf_reset(&t->cell);
            if (record && is_number(field) && fg_field_is_empty(field, record))
                fg_buf_add_char(&t->cell, '-');
            else if (record && !is_no(field, record))
                add_value(&t->cell, field, record);
            cells[(*n)++] = fg_arena_dup(&t->arena, fg_buf_str(&t->cell));
        }
    }
}

/* As much of it as fits. */
static struct fg_str cut_to(struct fg_str text, size_t width)
{
    while (fg_text_width(text) > width) {
        text.len--;
        while (text.len && ((unsigned char)text.at[text.len] & 0xC0) == 0x80)
            text.len--;
    }
    return text;
}

static void put_line(struct rows *t, const struct fg_str *cells)
{
    struct writer *w = t->writer;
    pad(w, 0, t->indent);
    for (size_t i = 0; i < t->n_columns; i++) {
        struct fg_str cell = cells[i];
        bool is_last = i + 1 == t->n_columns;
        if (!is_last && !is_number(t->columns[i]))
            cell = cut_to(cell, w->style.columns && t->widths[i] >= LEAST ? t->widths[i]
                                                                          : SIZE_MAX);
        size_t width = fg_text_width(cell);
        if (is_number(t->columns[i]))
            pad(w, width, t->widths[i]);
        put(w, cell);
        if (!is_number(t->columns[i]) && !is_last)
            pad(w, width, t->widths[i]);
        if (!is_last)
            put(w, FG_STR("  "));
    }
    end_line(w);
}

static void put_head(struct rows *t)
{
    struct fg_str labels[COLUMNS];
    bool has_any = false;
    for (size_t i = 0; i < t->n_columns; i++) {
        labels[i] = fg_str_from(t->columns[i]->label);
        has_any |= labels[i].len > 0;
    }
    if (!has_any)
        return;
    put(t->writer, t->writer->style.is_colored ? FG_STR("\033[1m") : FG_STR(""));
    put_line(t, labels);
    if (!t->writer->style.is_colored)
        return;
    t->writer->sink->buf->len--; /* the newline is not bold */
    put(t->writer, FG_STR("\033[0m\n"));
}

/* Of the columns of text the widest gives what is too much, as long as most addresses are
 * still told apart. The last one is not padded, and the terminal breaks it. */
static void fit(struct rows *t)
{
    size_t total = t->indent, widest = COLUMNS;
    for (size_t i = 0; i < t->n_columns; i++) {
        bool is_last = i + 1 == t->n_columns;
        total += t->widths[i] + (is_last ? 0 : 2);
        if (!is_last && !is_number(t->columns[i]) &&
            (widest == COLUMNS || t->widths[i] > t->widths[widest]))
            widest = i;
    }
    size_t most = t->writer->style.columns;
    if (!most || total <= most || widest == COLUMNS || t->widths[widest] <= LEAST)
        return;
    size_t left =
        t->widths[widest] > total - most ? t->widths[widest] - (total - most) : 0;
    t->widths[widest] = left > LEAST ? left : LEAST;
}

static void let_flow(struct rows *t)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        t->widths[i] = fg_text_width(fg_str_from(t->columns[i]->label));
        for (size_t k = i; k < t->cells.len; k += t->n_columns) {
            size_t width = fg_text_width(t->cells.at[k]);
            t->widths[i] = width > t->widths[i] ? width : t->widths[i];
        }
    }
    fit(t);
    if (t->cells.len)
        put_head(t);
    for (size_t i = 0; i < t->cells.len; i += t->n_columns)
        put_line(t, t->cells.at + i);
    fg_vec_clear(&t->cells);
    t->is_flowing = true;
}

static void put_table_row(struct rows *t, const void *row)
{
    struct fg_str cells[COLUMNS];
    size_t n = 0;
    if (t->is_flowing)
        fg_arena_reset(&t->arena);
    take_cells(t, t->fields, row, cells, &n);
    if (t->is_flowing) {
        put_line(t, cells);
        return;
    }
    for (size_t i = 0; i < n; i++)
        fg_vec_push(&t->cells, cells[i]);
    if (t->cells.len >= HELD * t->n_columns)
        let_flow(t);
}

/* --- lines --- */

static void put_below(struct writer *w, struct fg_str text, size_t indent)
{
    struct fg_str line;
    while (text.len && fg_str_cut(&text, '\n', &line)) {
        pad(w, 0, indent);
        fg_plain_add(w->sink->buf, line);
        end_line(w);
    }
}

static void put_marked(struct writer *w, const struct fg_marked *marked, size_t indent)
{
    bool is_colored = w->style.is_colored;
    pad(w, 0, indent);
    fg_plain_add_marked(w->sink->buf, marked, is_colored ? FG_STR("\033[1m") : FG_STR(""),
                        is_colored ? FG_STR("\033[0m") : FG_STR(""));
    end_line(w);
}

static bool is_below(const struct fg_field *field)
{
    return field->type == FG_FIELD_LINES || field->type == FG_FIELD_MARKED;
}

static void put_plain_row(struct rows *t, const void *row)
{
    struct writer *w = t->writer;
    bool is_first = true;
    pad(w, 0, t->indent);
    for (const struct fg_field *field = t->fields; field->type; field++) {
        if (!field->label || is_below(field) || fg_field_is_empty(field, row))
            continue;
        put(w, is_first ? FG_STR("") : FG_STR("  "));
        add_value(w->sink->buf, field, row);
        is_first = false;
    }
    end_line(w);
    for (const struct fg_field *field = t->fields; field->type; field++)
        if (field->type == FG_FIELD_LINES)
            put_below(w, *(const struct fg_str *)fg_field_at(field, row),
                      (size_t)2 * INDENT);
        else if (field->type == FG_FIELD_MARKED && !fg_field_is_empty(field, row))
            put_marked(w, fg_field_at(field, row), (size_t)2 * INDENT);
}

/* --- rows and records --- */

static void put_record(struct writer *w, const struct fg_field *fields,
                       const void *record);

static bool put_row(struct fg_put *put, const void *row)
{
    struct rows *t = (struct rows *)put;
    struct writer *w = t->writer;
    if (t->n++ < t->skip)
        return true;
    if (t->most && t->n > t->skip + t->most)
        return false;
    if (t->style == FG_ROWS_TABLE) {
        put_table_row(t, row);
    } else if (t->style == FG_ROWS_LINES) {
        put_plain_row(t, row);
    } else {
        if (t->n > t->skip + 1)
            end_line(w);
        put_record(w, t->fields, row);
    }
    return fg_sink_flows(w->sink) && !w->status;
}

static void put_rows(struct writer *w, const struct fg_field *field,
                     const struct fg_rows *from, size_t indent)
{
    struct rows rows = {.put = {put_row, false},
                        .writer = w,
                        .fields = field->of,
                        .style = field->style,
                        .skip = from->skip,
                        .most = from->most,
                        .indent = indent};
    if (field->style == FG_ROWS_TABLE) {
        fg_buf_init(&rows.cell, (size_t)1 << 20);
        find_columns(&rows, field->of);
    }
    enum fg_status st = fg_rows_walk(from, &rows.put, w->err);
    w->status = w->status ? w->status : st;
    if (field->style == FG_ROWS_TABLE && !rows.is_flowing)
        let_flow(&rows);
    if (from->most && from->len > from->skip + from->most) {
        pad(w, 0, indent);
        fg_buf_printf(w->sink->buf, "and %zu more", from->len - from->skip - from->most);
        end_line(w);
    }
    fg_buf_clear(&rows.cell);
    fg_arena_clear(&rows.arena);
}

static void put_part(struct writer *w, const struct fg_field *field,
                     const struct fg_rows *rows)
{
    struct fg_str heading = rows->heading.len ? rows->heading : fg_str_from(field->label);
    if (w->has_text)
        end_line(w);
    if (heading.len) {
        fg_plain_add(w->sink->buf, heading);
        end_line(w);
    }
    put_rows(w, field, rows, heading.len && field->style != FG_ROWS_RECORDS ? INDENT : 0);
}

static void put_label(struct writer *w, const char *label)
{
    put(w, fg_str_from(label));
    pad(w, strlen(label), w->style.labels);
    put(w, FG_STR(" "));
}

/* A list has a line for each entry; so have pairs without a label, below their names. */
static void put_entries(struct writer *w, const char *label, const struct fg_texts *texts)
{
    for (size_t i = 0; i < texts->len; i++) {
        if (label)
            put_label(w, i ? "" : label);
        fg_plain_add(w->sink->buf, texts->at[i]);
        end_line(w);
    }
}

static void put_pairs(struct writer *w, const struct fg_pairs *pairs)
{
    for (size_t i = 0; i < pairs->len; i++) {
        put_label(w, pairs->at[i].name);
        if (pairs->at[i].text.at)
            fg_plain_add(w->sink->buf, pairs->at[i].text);
        else
            fg_buf_printf(w->sink->buf, "%g", pairs->at[i].number);
        end_line(w);
    }
}

static void put_labelled(struct writer *w, const struct fg_field *field,
                         const void *record)
{
    struct fg_buf *out = w->sink->buf;
    const void *at = fg_field_at(field, record);
    char ago[FG_AGO_TEXT];
    if (fg_field_is_empty(field, record))
        return;
    if (field->type == FG_FIELD_TEXTS) {
        put_entries(w, field->is_title ? NULL : field->label, at);
        return;
    }
    if (field->type == FG_FIELD_LINES) {
        put_below(w, *(const struct fg_str *)at, 0);
        return;
    }
    if (field->type == FG_FIELD_PAIRS && !*field->label) {
        put_pairs(w, at);
        return;
    }
    if (!field->is_title)
        put_label(w, field->label);
    add_value(out, field, record);
    if (field->type == FG_FIELD_TIME)
        fg_buf_printf(out, " (%s)", fg_ago(ago, w->style.now, *(const fg_time *)at));
    if (field->unit && is_number(field) && field->type != FG_FIELD_SPAN)
        fg_buf_printf(out, " %s", field->unit);
    end_line(w);
}

static void put_record(struct writer *w, const struct fg_field *fields,
                       const void *record)
{
    for (const struct fg_field *field = fields; field->type && !w->status; field++) {
        if (!is_shown(field))
            continue;
        if (fg_field_is_record(field)) {
            const void *inner = fg_field_record(field, record);
            if (inner && field->is_title)
                end_line(w);
            if (inner)
                put_record(w, field->of, inner);
        } else if (field->type != FG_FIELD_ROWS) {
            put_labelled(w, field, record);
        } else if (!fg_field_is_empty(field, record)) {
            put_part(w, field, fg_field_at(field, record));
        }
    }
}

enum fg_status fg_render_text(struct fg_sink *sink, const struct fg_field *answer,
                              const void *value, const struct fg_text_style *style,
                              struct fg_err *err)
{
    struct writer w = {.sink = sink, .style = *style, .err = err};
    w.style.labels = style->labels ? style->labels : LABEL;
    if (answer->type == FG_FIELD_ROWS)
        put_rows(&w, answer, value, 0);
    else
        put_record(&w, answer->of, value);
    fg_sink_flows(sink);
    return w.status;
}
