#include "base/json.h"
#include "view/render.h"

#include <stdio.h>

struct writer {
    struct fg_sink *sink;
    struct fg_json json;
    struct fg_err *err;
    enum fg_status status; /* of the walks */
};

struct rows {
    struct fg_put put;
    struct writer *writer;
    const struct fg_field *fields;
    bool is_lines;
};

static void put_object(struct writer *w, const struct fg_field *fields,
                       const void *record);

/* A row that is JSON already goes as it stands. */
static bool put_ready(struct rows *rows, const void *row)
{
    for (const struct fg_field *field = rows->fields; field->type; field++)
        if (field->type == FG_FIELD_JSON) {
            fg_buf_add(rows->writer->sink->buf,
                       *(const struct fg_str *)fg_field_at(field, row));
            return true;
        }
    return false;
}

static bool put_row(struct fg_put *put, const void *row)
{
    struct rows *rows = (struct rows *)put;
    if (rows->is_lines)
        rows->writer->json = fg_json_to(rows->writer->sink->buf);
    if (!rows->is_lines || !put_ready(rows, row))
        put_object(rows->writer, rows->fields, row);
    if (rows->is_lines)
        fg_buf_add_char(rows->writer->sink->buf, '\n');
    return fg_sink_flows(rows->writer->sink) && !rows->writer->status;
}

static void put_rows(struct writer *w, const struct fg_field *field,
                     const struct fg_rows *from)
{
    struct rows rows = {{put_row, true}, w, field->of, field->is_lines};
    if (!field->is_lines)
        fg_json_array(&w->json);
    enum fg_status st = fg_rows_walk(from, &rows.put, w->err);
    w->status = w->status ? w->status : st;
    if (!field->is_lines)
        fg_json_end(&w->json);
}

/* JSON has nothing for it but null. */
static bool is_null(const struct fg_field *field, const void *record)
{
    switch (field->type) {
    case FG_FIELD_TEXT:
    case FG_FIELD_URL:
    case FG_FIELD_LINES:
    case FG_FIELD_MARKED: /* which begins with its text */
        if (!((const struct fg_str *)fg_field_at(field, record))->at)
            return true;
        return field->is_null_if_empty && fg_field_is_empty(field, record);
    case FG_FIELD_WORD:
        return !*(const char *const *)fg_field_at(field, record);
    case FG_FIELD_PAIRS:
        return field->is_null_if_empty && fg_field_is_empty(field, record);
    case FG_FIELD_FLAGS:
    case FG_FIELD_TEXTS:
    case FG_FIELD_ROWS:
        return false;
    default:
        return fg_field_is_empty(field, record);
    }
}

static void put_flags(struct fg_json *json, const struct fg_field *field, uint32_t flags)
{
    const char *word;
    fg_json_array(json);
    for (unsigned i = 0; (word = field->flag(flags, i)); i++)
        fg_json_cstr(json, word);
    fg_json_end(json);
}

static void put_hash(struct fg_json *json, uint64_t value)
{
    char text[20];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)value);
    fg_json_cstr(json, text);
}

static void put_texts(struct fg_json *json, const struct fg_texts *texts)
{
    fg_json_array(json);
    for (size_t i = 0; i < texts->len; i++)
        fg_json_str(json, texts->at[i]);
    fg_json_end(json);
}

static void put_pairs(struct fg_json *json, const struct fg_pairs *pairs)
{
    fg_json_object(json);
    for (size_t i = 0; i < pairs->len; i++) {
        fg_json_key(json, pairs->at[i].name);
        if (pairs->at[i].text.at)
            fg_json_str(json, pairs->at[i].text);
        else
            fg_json_double(json, pairs->at[i].number);
    }
    fg_json_end(json);
}

static void put_value(struct writer *w, const struct fg_field *field, const void *record)
{
    struct fg_json *json = &w->json;
    const void *at = fg_field_at(field, record);
    if (is_null(field, record)) {
        fg_json_null(json);
        return;
    }
    switch (field->type) {
    case FG_FIELD_TEXT:
    case FG_FIELD_URL:
    case FG_FIELD_LINES:
    case FG_FIELD_MARKED: /* which begins with its text */
    case FG_FIELD_JSON:
        fg_json_str(json, *(const struct fg_str *)at);
        break;
    case FG_FIELD_WORD:
        fg_json_cstr(json, *(const char *const *)at);
        break;
    case FG_FIELD_COUNT:
        fg_json_uint(json, fg_field_unsigned(field, record));
        break;
    case FG_FIELD_NUMBER:
    case FG_FIELD_FLOAT:
    case FG_FIELD_SHARE:
    case FG_FIELD_SPAN:
        fg_json_double(json, fg_field_number(field, record));
        break;
    case FG_FIELD_YES:
        fg_json_bool(json, *(const bool *)at);
        break;
    case FG_FIELD_TIME:
        fg_json_time(json, *(const fg_time *)at);
        break;
    case FG_FIELD_HASH:
        put_hash(json, *(const uint64_t *)at);
        break;
    case FG_FIELD_NAME:
        fg_json_cstr(json, field->name((unsigned)fg_field_unsigned(field, record)));
        break;
    case FG_FIELD_FLAGS:
        put_flags(json, field, *(const uint32_t *)at);
        break;
    case FG_FIELD_TEXTS:
        put_texts(json, at);
        break;
    case FG_FIELD_PAIRS:
        put_pairs(json, at);
        break;
    case FG_FIELD_RECORD:
    case FG_FIELD_RECORD_AT:
        put_object(w, field->of, fg_field_record(field, record));
        break;
    case FG_FIELD_ROWS:
        put_rows(w, field, at);
        break;
    }
}

/* A record without a key adds its fields to the one around it. */
static void put_fields(struct writer *w, const struct fg_field *fields,
                       const void *record)
{
    for (const struct fg_field *field = fields; field->type; field++) {
        if (field->is_optional && is_null(field, record))
            continue;
        if (field->key) {
            fg_json_key(&w->json, field->key);
            put_value(w, field, record);
        } else if (fg_field_is_record(field) && fg_field_record(field, record)) {
            put_fields(w, field->of, fg_field_record(field, record));
        }
    }
}

static void put_object(struct writer *w, const struct fg_field *fields,
                       const void *record)
{
    fg_json_object(&w->json);
    put_fields(w, fields, record);
    fg_json_end(&w->json);
}

enum fg_status fg_render_json(struct fg_sink *sink, const struct fg_field *answer,
                              const void *value, struct fg_err *err)
{
    struct writer w = {.sink = sink, .json = fg_json_to(sink->buf), .err = err};
    put_value(&w, answer, value);
    if (!answer->is_lines)
        fg_buf_add_char(sink->buf, '\n');
    fg_sink_flows(sink);
    return w.status;
}
