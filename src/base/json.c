#include "base/json.h"

#include "base/plain.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct fg_json fg_json_to(struct fg_buf *out)
{
    return (struct fg_json){.out = out};
}

static void before_value(struct fg_json *json)
{
    if (json->wants_comma)
        fg_buf_add_char(json->out, ',');
    json->wants_comma = true;
}

static void open_level(struct fg_json *json, bool is_array)
{
    assert(json->depth < 64);
    before_value(json);
    fg_buf_add_char(json->out, is_array ? '[' : '{');
    json->is_array = json->is_array << 1 | is_array;
    json->depth++;
    json->wants_comma = false;
}

void fg_json_object(struct fg_json *json)
{
    open_level(json, false);
}

void fg_json_array(struct fg_json *json)
{
    open_level(json, true);
}

void fg_json_end(struct fg_json *json)
{
    assert(json->depth > 0);
    fg_buf_add_char(json->out, json->is_array & 1 ? ']' : '}');
    json->is_array >>= 1;
    json->depth--;
    json->wants_comma = true;
}

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '<' && c != '>' &&
           c != '&';
}

static void add_escaped(struct fg_buf *out, uint32_t c)
{
    switch (c) {
    case '"':
        fg_buf_add(out, FG_STR("\\\""));
        return;
    case '\\':
        fg_buf_add(out, FG_STR("\\\\"));
        return;
    case '\n':
        fg_buf_add(out, FG_STR("\\n"));
        return;
    case '\t':
        fg_buf_add(out, FG_STR("\\t"));
        return;
    case '\r':
        fg_buf_add(out, FG_STR("\\r"));
        return;
    default:
        /* U+2028 and U+2029, among them, end a line in older JavaScript, inside a string
         * too. Others act on the terminal of whoever reads the file. */
        if (c < 0x80)
            fg_buf_printf(out, "\\u%04" PRIx32, c);
        else if (fg_is_hidden(c))
            fg_plain_escape(out, c);
        else
            fg_buf_add_utf8(out, c);
    }
}

static void add_quoted(struct fg_buf *out, struct fg_str s)
{
    const char *at = s.len ? s.at : "", *end = at + s.len;
    fg_buf_add_char(out, '"');
    while (at < end) {
        const char *run = at;
        while (at < end && is_plain((unsigned char)*at))
            at++;
        if (at > run)
            fg_buf_add(out, fg_str_range(run, at));
        if (at < end)
            add_escaped(out, fg_utf8_take(&at, end));
    }
    fg_buf_add_char(out, '"');
}

void fg_json_key_str(struct fg_json *json, struct fg_str key)
{
    assert(json->depth > 0 && !(json->is_array & 1));
    before_value(json);
    add_quoted(json->out, key);
    fg_buf_add_char(json->out, ':');
    json->wants_comma = false;
}

void fg_json_key(struct fg_json *json, const char *key)
{
    fg_json_key_str(json, fg_str_from(key));
}

void fg_json_str(struct fg_json *json, struct fg_str value)
{
    before_value(json);
    add_quoted(json->out, value);
}

void fg_json_cstr(struct fg_json *json, const char *value)
{
    if (value)
        fg_json_str(json, fg_str_from(value));
    else
        fg_json_null(json);
}

void fg_json_int(struct fg_json *json, int64_t value)
{
    before_value(json);
    fg_buf_printf(json->out, "%" PRId64, value);
}

void fg_json_uint(struct fg_json *json, uint64_t value)
{
    before_value(json);
    fg_buf_printf(json->out, "%" PRIu64, value);
}

void fg_json_double(struct fg_json *json, double value)
{
    if (!isfinite(value)) {
        fg_json_null(json);
        return;
    }
    char text[32];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    before_value(json);
    fg_buf_add(json->out, fg_str_from(text));
}

void fg_json_bool(struct fg_json *json, bool value)
{
    before_value(json);
    fg_buf_add(json->out, value ? FG_STR("true") : FG_STR("false"));
}

void fg_json_null(struct fg_json *json)
{
    before_value(json);
    fg_buf_add(json->out, FG_STR("null"));
}

void fg_json_time(struct fg_json *json, fg_time value)
{
    char text[FG_TIME_TEXT];
    if (value == FG_NEVER)
        fg_json_null(json);
    else
        fg_json_cstr(json, fg_time_format(text, value));
}

void fg_json_pair(struct fg_json *json, const char *key, struct fg_str value)
{
    fg_json_key(json, key);
    if (value.at)
        fg_json_str(json, value);
    else
        fg_json_null(json);
}

void fg_json_pair_cstr(struct fg_json *json, const char *key, const char *value)
{
    fg_json_key(json, key);
    fg_json_cstr(json, value);
}

void fg_json_pair_int(struct fg_json *json, const char *key, int64_t value)
{
    fg_json_key(json, key);
    fg_json_int(json, value);
}

void fg_json_pair_uint(struct fg_json *json, const char *key, uint64_t value)
{
    fg_json_key(json, key);
    fg_json_uint(json, value);
}

void fg_json_pair_double(struct fg_json *json, const char *key, double value)
{
    fg_json_key(json, key);
    fg_json_double(json, value);
}

void fg_json_pair_bool(struct fg_json *json, const char *key, bool value)
{
    fg_json_key(json, key);
    fg_json_bool(json, value);
}

void fg_json_pair_time(struct fg_json *json, const char *key, fg_time value)
{
    fg_json_key(json, key);
    fg_json_time(json, value);
}
