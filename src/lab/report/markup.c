#include "lab/report/markup.h"

#include <math.h>
#include <stdio.h>

void fg_markup_put(struct fg_buf *out, const char *markup)
{
    fg_buf_add(out, fg_str_from(markup));
}

/* Controls, noncharacters, and the invisible characters that reorder what follows. */
static bool is_unfit(uint32_t c)
{
    return (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7F && c < 0xA0) ||
           (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF) || c == 0x200E ||
           c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

void fg_markup_text(struct fg_buf *out, const char *text)
{
    struct fg_str all = fg_str_from(text);
    const char *at = all.at, *end = all.at + all.len;
    while (at < end) {
        uint32_t c = fg_utf8_take(&at, end);
        switch (c) {
        case '&':
            fg_markup_put(out, "&amp;");
            break;
        case '<':
            fg_markup_put(out, "&lt;");
            break;
        case '>':
            fg_markup_put(out, "&gt;");
            break;
        case '"':
            fg_markup_put(out, "&quot;");
            break;
        case '\'':
            fg_markup_put(out, "&#39;");
            break;
        default:
            fg_buf_add_utf8(out, is_unfit(c) ? 0xFFFD : c);
        }
    }
}

void fg_markup_in(struct fg_buf *out, const char *before, const char *text,
                  const char *after)
{
    fg_markup_put(out, before);
    fg_markup_text(out, text);
    fg_markup_put(out, after);
}

static void add_grouped(struct fg_buf *out, const char *digits)
{
    size_t whole = strcspn(digits, ".");
    for (size_t i = 0; i < whole; i++) {
        if (i > 0 && (whole - i) % 3 == 0)
            fg_buf_add_char(out, ',');
        fg_buf_add_char(out, digits[i]);
    }
    fg_markup_put(out, digits + whole);
}

static void add_number(struct fg_buf *out, double value, int digits, const char *plus)
{
    if (isnan(value)) {
        fg_markup_put(out, "–");
        return;
    }
    char text[64];
    double size = fabs(value);
    if (size < 1e15)
        snprintf(text, sizeof text, "%.*f", digits, size);
    else
        snprintf(text, sizeof text, "%.3g", size);
    /* What is shown as zero has no sign. */
    bool is_zero = strspn(text, "0.") == strlen(text);
    fg_markup_put(out, is_zero ? "" : value < 0 ? "−" : plus);
    if (isinf(value))
        fg_markup_put(out, "∞");
    else if (size < 1e15)
        add_grouped(out, text);
    else
        fg_markup_put(out, text);
}

void fg_markup_number(struct fg_buf *out, double value, int digits)
{
    add_number(out, value, digits, "");
}

void fg_markup_signed(struct fg_buf *out, double value, int digits)
{
    add_number(out, value, digits, "+");
}

void fg_markup_short(struct fg_buf *out, double value)
{
    char text[64];
    double size = fabs(value);
    if (!isfinite(value) || size >= 1e15 || value == 0) {
        fg_markup_number(out, value, 0);
    } else if (size < 1e-6) {
        snprintf(text, sizeof text, "%.3g", value);
        fg_markup_put(out, text);
    } else {
        int digits = 3 - (int)floor(log10(size));
        digits = digits < 0 ? 0 : digits;
        int len = snprintf(text, sizeof text, "%.*f", digits, size);
        for (; digits > 0 && text[len - 1] == '0'; digits--)
            len--;
        fg_markup_number(out, value, digits);
    }
}
