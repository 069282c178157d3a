#include "base/json.h"
#include "base/plain.h"
#include "view/render.h"

#include <stdio.h>
#include <string.h>

struct writer {
    struct fg_sink *sink;
    struct fg_err *err;
    struct fg_buf cell;
    bool is_raw, is_head, has_cells;
    enum fg_status status;
};

struct rows {
    struct fg_put put;
    struct writer *writer;
    const struct fg_field *fields;
};

/* --- cells --- */

static bool is_formula(struct fg_str text)
{
    static const char starts[] = "=+-@\t\r";
    return text.len && memchr(starts, text.at[0], sizeof starts - 1);
}

static bool wants_quotes(struct fg_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] == ',' || text.at[i] == '"' || text.at[i] == '\n' ||
            text.at[i] == '\r')
            return true;
    return text.len && (text.at[0] == ' ' || text.at[text.len - 1] == ' ');
}

static void put_text(struct writer *w, struct fg_str text)
{
    struct fg_buf *out = w->sink->buf;
    bool quotes = wants_quotes(text);
    const char *at = text.at, *end = text.at + text.len;
    if (quotes)
        fg_buf_add_char(out, '"');
    if (!w->is_raw && is_formula(text))
        fg_buf_add_char(out, '\'');
    while (at < end) {
        uint32_t c = fg_utf8_take(&at, end);
        if (c == '"')
            fg_buf_add_char(out, '"');
        if (w->sink->is_terminal && fg_is_hidden(c) && c != '\n')
            fg_plain_escape(out, c);
        else
            fg_buf_add_utf8(out, c ? c : 0xFFFD);
    }
    if (quotes)
        fg_buf_add_char(out, '"');
}

static void add_raw(struct fg_buf *out, struct fg_str text)
{
    fg_buf_add(out, text);
}

static void put_simple(struct writer *w, const struct fg_field *field, const void *record)
{
    struct fg_buf *out = w->sink->buf;
    const void *at = fg_field_at(field, record);
    struct fg_json number = fg_json_to(out);
    char text[FG_TIME_TEXT];
    switch (field->type) {
    case FG_FIELD_COUNT:
        fg_buf_printf(out, "%llu", (unsigned long long)fg_field_unsigned(field, record));
        break;
    case FG_FIELD_NUMBER:
    case FG_FIELD_FLOAT:
    case FG_FIELD_SHARE:
    case FG_FIELD_SPAN:
        fg_json_double(&number, fg_field_number(field, record));
        break;
    case FG_FIELD_YES:
        fg_buf_add(out, *(const bool *)at ? FG_STR("true") : FG_STR("false"));
        break;
    case FG_FIELD_TIME:
        fg_buf_add(out, fg_str_from(fg_time_format(text, *(const fg_time *)at)));
        break;
    default: /* a hash */
        fg_buf_printf(out, "%016llx", (unsigned long long)*(const uint64_t *)at);
    }
}

static void put_cell(struct writer *w, const struct fg_field *field, const void *record)
{
    const void *at = fg_field_at(field, record);
    if (fg_field_is_empty(field, record))
        return;
    switch (field->type) {
    case FG_FIELD_TEXT:
    case FG_FIELD_URL:
    case FG_FIELD_LINES:
    case FG_FIELD_MARKED: /* which begins with its text */
        put_text(w, *(const struct fg_str *)at);
        break;
    case FG_FIELD_WORD:
        put_text(w, fg_str_from(*(const char *const *)at));
        break;
    case FG_FIELD_NAME:
        put_text(w, fg_str_from(field->name((unsigned)fg_field_unsigned(field, record))));
        break;
    case FG_FIELD_FLAGS:
    case FG_FIELD_TEXTS:
    case FG_FIELD_PAIRS:
        fg_buf_reset(&w->cell);
        fg_field_add_list(&w->cell, field, record, " ", "=", add_raw);
        put_text(w, fg_buf_str(&w->cell));
        break;
    default:
        put_simple(w, field, record);
    }
}

/* --- rows --- */

/* `record` NULL: there is none, and its cells are empty. In the head names stand for
 * values, with `prefix` before them. */
static void put_cells(struct writer *w, const struct fg_field *fields, const void *record,
                      const char *prefix)
{
    for (const struct fg_field *field = fields; field->type; field++) {
        bool is_list = field->type == FG_FIELD_ROWS || field->type == FG_FIELD_JSON;
        if (fg_field_is_record(field)) {
            char name[128];
            snprintf(name, sizeof name, "%s%s%s", prefix, field->key ? field->key : "",
                     field->key ? "." : "");
            put_cells(w, field->of, record ? fg_field_record(field, record) : NULL, name);
            continue;
        }
        if (!field->key || is_list)
            continue;
        if (w->has_cells)
            fg_buf_add_char(w->sink->buf, ',');
        w->has_cells = true;
        if (w->is_head)
            fg_buf_printf(w->sink->buf, "%s%s", prefix, field->key);
        else if (record)
            put_cell(w, field, record);
    }
}

static void put_line(struct writer *w, const struct fg_field *fields, const void *record)
{
    w->has_cells = false;
    put_cells(w, fields, record, "");
    fg_buf_add(w->sink->buf, FG_STR("\r\n"));
}

static const struct fg_field *sheet_of(const struct fg_field *fields)
{
    for (; fields->type; fields++)
        if (fields->is_sheet)
            return fields;
    return NULL;
}

static void put_all(struct writer *w, const struct fg_field *field, const void *value);

static bool put_row(struct fg_put *put, const void *row)
{
    struct rows *rows = (struct rows *)put;
    struct writer *w = rows->writer;
    const struct fg_field *sheet = sheet_of(rows->fields);
    if (sheet)
        put_all(w, sheet, fg_field_at(sheet, row));
    else
        put_line(w, rows->fields, row);
    return fg_sink_flows(w->sink) && !w->status;
}

static void put_all(struct writer *w, const struct fg_field *field, const void *value)
{
    struct rows rows = {{put_row, false}, w, field->of};
    if (field->type != FG_FIELD_ROWS) {
        put_row(&rows.put, value);
        return;
    }
    enum fg_status st = fg_rows_walk(value, &rows.put, w->err);
    w->status = w->status ? w->status : st;
}

bool fg_render_has_sheet(const struct fg_field *answer)
{
    return answer->type == FG_FIELD_ROWS || sheet_of(answer->of);
}

enum fg_status fg_render_csv(struct fg_sink *sink, const struct fg_field *answer,
                             const void *value, bool is_raw, struct fg_err *err)
{
    struct writer w = {.sink = sink, .err = err, .is_raw = is_raw, .is_head = true};
    const struct fg_field *columns = answer->of;
    for (const struct fg_field *sheet; (sheet = sheet_of(columns)); columns = sheet->of)
        ;
    fg_buf_init(&w.cell, (size_t)1 << 20);
    put_line(&w, columns, NULL);
    w.is_head = false;
    put_all(&w, answer, value);
    fg_buf_clear(&w.cell);
    return w.status;
}
