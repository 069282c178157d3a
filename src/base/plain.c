#include "base/plain.h"

#include <inttypes.h>

bool fg_is_hidden(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E ||
           c == 0x200F || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) ||
           c == 0xFEFF || (c >= 0xE0000 && c <= 0xE007F);
}

void fg_plain_escape(struct fg_buf *out, uint32_t c)
{
    if (c == '\n')
        fg_buf_add(out, FG_STR("\\n"));
    else if (c == '\r')
        fg_buf_add(out, FG_STR("\\r"));
    else if (c == '\t')
        fg_buf_add(out, FG_STR("\\t"));
    else if (c < 0x10000)
        fg_buf_printf(out, "\\u%04" PRIx32, c);
    else /* JSON writes these as a pair of surrogates */
        fg_buf_printf(out, "\\u%04" PRIx32 "\\u%04" PRIx32, 0xD7C0 + (c >> 10),
                      0xDC00 + (c & 0x3FF));
}

static void add_text(struct fg_buf *out, struct fg_str text, bool quoted)
{
    const char *at = text.at, *end = text.at + text.len;
    while (at < end) {
        const char *run = at;
        while (at < end && *at >= 0x20 && *at < 0x7F &&
               !(quoted && (*at == '"' || *at == '\\')))
            at++;
        if (at > run)
            fg_buf_add(out, fg_str_range(run, at));
        if (at == end)
            break;
        uint32_t c = fg_utf8_take(&at, end);
        if (fg_is_hidden(c)) {
            fg_plain_escape(out, c);
            continue;
        }
        if (c < 0x80)
            fg_buf_add_char(out, '\\');
        fg_buf_add_utf8(out, c);
    }
}

void fg_plain_add(struct fg_buf *out, struct fg_str text)
{
    add_text(out, text, false);
}

void fg_plain_quote(struct fg_buf *out, struct fg_str text)
{
    fg_buf_add_char(out, '"');
    add_text(out, text, true);
    fg_buf_add_char(out, '"');
}

void fg_plain_pass(struct fg_buf *out, struct fg_str text)
{
    const char *at = text.at, *end = text.at + text.len;
    while (at < end) {
        const char *run = at;
        while (at < end && *at >= 0 && *at < 0x7F)
            at++;
        if (at > run)
            fg_buf_add(out, fg_str_range(run, at));
        if (at == end)
            break;
        uint32_t c = fg_utf8_take(&at, end);
        if (fg_is_hidden(c))
            fg_plain_escape(out, c);
        else
            fg_buf_add_utf8(out, c);
    }
}

void fg_plain_add_marked(struct fg_buf *out, const struct fg_marked *marked,
                         struct fg_str before, struct fg_str after)
{
    size_t at = 0;
    for (size_t i = 0; i < marked->n_marks; i++) {
        fg_plain_add(out, fg_str_sub(marked->text, at, marked->marks[i].from));
        fg_buf_add(out, before);
        fg_plain_add(
            out, fg_str_sub(marked->text, marked->marks[i].from, marked->marks[i].to));
        fg_buf_add(out, after);
        at = marked->marks[i].to;
    }
    fg_plain_add(out, fg_str_skip(marked->text, at));
}
