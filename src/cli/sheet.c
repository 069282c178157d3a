#include "cli/sheet.h"

#include "base/plain.h"
#include "cli/looking.h"

#include <stdio.h>

void fg_sheet_begin(struct fg_sheet *sheet)
{
    sheet->has_cells = false;
    sheet->json = fg_json_to(&sheet->out->buf);
    if (!sheet->is_csv)
        fg_json_object(&sheet->json);
}

void fg_sheet_end(struct fg_sheet *sheet)
{
    if (!sheet->is_csv)
        fg_json_end(&sheet->json);
    fg_out_puts(sheet->out, sheet->is_csv ? "\r\n" : "\n");
}

/* --- cells of CSV --- */

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

static void put_csv(struct fg_sheet *sheet, struct fg_str text)
{
    struct fg_buf *out = &sheet->out->buf;
    bool quotes = wants_quotes(text);
    const char *at = text.at, *end = text.at + text.len;
    if (quotes)
        fg_buf_add_char(out, '"');
    if (!sheet->is_raw && is_formula(text))
        fg_buf_add_char(out, '\'');
    while (at < end) {
        uint32_t c = fg_utf8_take(&at, end);
        if (c == '"')
            fg_buf_add_char(out, '"');
        if (sheet->out->is_terminal && fg_is_hidden(c) && c != '\n')
            fg_plain_escape(out, c);
        else
            fg_buf_add_utf8(out, c ? c : 0xFFFD);
    }
    if (quotes)
        fg_buf_add_char(out, '"');
}

/* True if a value is to follow: not in the head. */
static bool begin_cell(struct fg_sheet *sheet, const char *name)
{
    struct fg_buf *out = &sheet->out->buf;
    if (!sheet->is_csv) {
        fg_json_key(&sheet->json, name);
        return true;
    }
    if (sheet->has_cells)
        fg_buf_add_char(out, ',');
    sheet->has_cells = true;
    if (sheet->is_head)
        fg_buf_add(out, fg_str_from(name));
    return !sheet->is_head;
}

void fg_sheet_text(struct fg_sheet *sheet, const char *name, struct fg_str text)
{
    if (!begin_cell(sheet, name))
        return;
    if (sheet->is_csv)
        put_csv(sheet, text);
    else if (text.at)
        fg_json_str(&sheet->json, text);
    else
        fg_json_null(&sheet->json);
}

void fg_sheet_uint(struct fg_sheet *sheet, const char *name, uint64_t value)
{
    if (!begin_cell(sheet, name))
        return;
    if (sheet->is_csv)
        fg_buf_printf(&sheet->out->buf, "%llu", (unsigned long long)value);
    else
        fg_json_uint(&sheet->json, value);
}

void fg_sheet_double(struct fg_sheet *sheet, const char *name, double value)
{
    if (!begin_cell(sheet, name))
        return;
    struct fg_json plain = fg_json_to(&sheet->out->buf);
    fg_json_double(sheet->is_csv ? &plain : &sheet->json, value);
}

void fg_sheet_bool(struct fg_sheet *sheet, const char *name, bool value)
{
    if (!begin_cell(sheet, name))
        return;
    if (sheet->is_csv)
        fg_buf_add(&sheet->out->buf, value ? FG_STR("true") : FG_STR("false"));
    else
        fg_json_bool(&sheet->json, value);
}

void fg_sheet_time(struct fg_sheet *sheet, const char *name, fg_time time)
{
    char text[FG_TIME_TEXT];
    if (!begin_cell(sheet, name))
        return;
    if (!sheet->is_csv)
        fg_json_time(&sheet->json, time);
    else if (time != FG_NEVER)
        fg_buf_add(&sheet->out->buf, fg_str_from(fg_time_format(text, time)));
}

void fg_sheet_flags(struct fg_sheet *sheet, const char *name, uint32_t flags)
{
    if (!sheet->is_csv) {
        fg_json_pair_flags(&sheet->json, name, flags);
        return;
    }
    const char *word;
    if (!begin_cell(sheet, name))
        return;
    for (unsigned i = 0; (word = fg_flag_word(flags, i)); i++)
        fg_buf_printf(&sheet->out->buf, "%s%s", i ? " " : "", word);
}

void fg_sheet_hash(struct fg_sheet *sheet, const char *name, uint64_t value)
{
    char text[20];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)value);
    fg_sheet_text(sheet, name, fg_str_from(text));
}
