#include "view/field.h"

#include <math.h>

enum fg_status fg_rows_walk(const struct fg_rows *rows, struct fg_put *put,
                            struct fg_err *err)
{
    if (rows->walk)
        return rows->walk(rows->context, put, err);
    for (size_t i = 0; i < rows->len; i++)
        if (!fg_put_row(put, (const char *)rows->at + i * rows->size))
            break;
    return FG_OK;
}

uint64_t fg_field_unsigned(const struct fg_field *field, const void *record)
{
    const void *at = fg_field_at(field, record);
    switch (field->size) {
    case sizeof(uint8_t):
        return *(const uint8_t *)at;
    case sizeof(uint16_t):
        return *(const uint16_t *)at;
    case sizeof(uint32_t):
        return *(const uint32_t *)at;
    default:
        return *(const uint64_t *)at;
    }
}

double fg_field_number(const struct fg_field *field, const void *record)
{
    const void *at = fg_field_at(field, record);
    if (field->type == FG_FIELD_SPAN)
        return *(const fg_time *)at == FG_NEVER ? (double)NAN
                                                : fg_seconds(*(const fg_time *)at);
    return field->type == FG_FIELD_FLOAT ? (double)*(const float *)at
                                         : *(const double *)at;
}

const void *fg_field_record(const struct fg_field *field, const void *record)
{
    const void *at = fg_field_at(field, record);
    return field->type == FG_FIELD_RECORD ? at : *(const void *const *)at;
}

bool fg_field_is_empty(const struct fg_field *field, const void *record)
{
    const void *at = fg_field_at(field, record);
    switch (field->type) {
    case FG_FIELD_TEXT:
    case FG_FIELD_URL:
    case FG_FIELD_LINES:
    case FG_FIELD_MARKED: /* which begins with its text */
    case FG_FIELD_JSON:
        return !((const struct fg_str *)at)->len;
    case FG_FIELD_WORD:
        return !*(const char *const *)at || !**(const char *const *)at;
    case FG_FIELD_NUMBER:
    case FG_FIELD_FLOAT:
    case FG_FIELD_SHARE:
        return isnan(fg_field_number(field, record));
    case FG_FIELD_TIME:
    case FG_FIELD_SPAN:
        return *(const fg_time *)at == FG_NEVER;
    case FG_FIELD_HASH:
        return !*(const uint64_t *)at && !field->shows_zero;
    case FG_FIELD_NAME:
        return !field->name((unsigned)fg_field_unsigned(field, record));
    case FG_FIELD_FLAGS:
        return !field->flag(*(const uint32_t *)at, 0);
    case FG_FIELD_TEXTS:
        return !((const struct fg_texts *)at)->len;
    case FG_FIELD_PAIRS:
        return !((const struct fg_pairs *)at)->len;
    case FG_FIELD_RECORD_AT:
        return !*(const void *const *)at;
    case FG_FIELD_ROWS:
        return !((const struct fg_rows *)at)->walk && !((const struct fg_rows *)at)->len;
    default:
        return false;
    }
}

static const char *nth_name(const struct fg_field *field, const void *at, size_t i)
{
    const struct fg_pairs *pairs = at;
    if (field->type == FG_FIELD_FLAGS)
        return field->flag(*(const uint32_t *)at, (unsigned)i);
    return field->type == FG_FIELD_PAIRS && i < pairs->len ? pairs->at[i].name : NULL;
}

void fg_field_add_list(struct fg_buf *out, const struct fg_field *field,
                       const void *record, const char *between, const char *is,
                       void (*add)(struct fg_buf *out, struct fg_str text))
{
    const void *at = fg_field_at(field, record);
    const struct fg_texts *texts = at;
    const struct fg_pairs *pairs = at;
    const char *name;
    for (size_t i = 0; field->type == FG_FIELD_TEXTS && i < texts->len; i++) {
        fg_buf_add(out, fg_str_from(i ? between : ""));
        add(out, texts->at[i]);
    }
    for (size_t i = 0; (name = nth_name(field, at, i)); i++) {
        bool is_pair = field->type == FG_FIELD_PAIRS;
        fg_buf_printf(out, "%s%s%s", i ? between : "", name, is_pair ? is : "");
        if (is_pair && pairs->at[i].text.at)
            add(out, pairs->at[i].text);
        else if (is_pair)
            fg_buf_printf(out, "%g", pairs->at[i].number);
    }
}
