#include "net/text/mail.h"

#include "base/utf8.h"

#include <openssl/evp.h>

/* An encoded word has at most 75 characters: 45 bytes make 60 of base64, and
 * "=?UTF-8?B?" and "?=" are twelve. */
enum { WORD_BYTES = 45, PLAIN_LINE = 70, QUOTED_LINE = 75 };

static bool is_plain(struct fg_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.at[i] < 0x20 || (unsigned char)text.at[i] >= 0x7F)
            return false;
    return text.len <= PLAIN_LINE && fg_str_find(text, FG_STR("=?")) == FG_NOT_FOUND;
}

/* Valid UTF-8, without control characters. */
static void add_clean(struct fg_buf *out, struct fg_str text)
{
    const char *at = text.at, *end = text.at + text.len;
    while (at < end) {
        uint32_t c = fg_utf8_take(&at, end);
        fg_buf_add_utf8(out, c < 0x20 || (c >= 0x7F && c < 0xA0) ? ' ' : c);
    }
}

/* No character is cut in two. */
static size_t word_length(struct fg_str text)
{
    size_t n = text.len < WORD_BYTES ? text.len : WORD_BYTES;
    while (n < text.len && n && ((unsigned char)text.at[n] & 0xC0) == 0x80)
        n--;
    return n;
}

void fg_mail_header(struct fg_buf *out, const char *name, struct fg_str text)
{
    fg_buf_printf(out, "%s: ", name);
    if (is_plain(text)) {
        fg_buf_add(out, text);
        fg_buf_add_char(out, '\n');
        return;
    }
    struct fg_buf clean;
    fg_buf_init(&clean, SIZE_MAX);
    add_clean(&clean, text);
    struct fg_str rest = fg_buf_str(&clean);
    for (bool is_first = true; rest.len; is_first = false) {
        unsigned char word[WORD_BYTES * 2];
        size_t n = word_length(rest);
        EVP_EncodeBlock(word, (const unsigned char *)rest.at, (int)n);
        fg_buf_printf(out, "%s=?UTF-8?B?%s?=", is_first ? "" : "\n ", word);
        rest = fg_str_skip(rest, n);
    }
    fg_buf_add_char(out, '\n');
    fg_buf_clear(&clean);
}

/* A blank at the end of a line would be lost on the way. */
static bool is_last_of_line(struct fg_str text, size_t i)
{
    return i + 1 == text.len || text.at[i + 1] == '\n';
}

static void quote_byte(struct fg_buf *out, unsigned char c, bool is_last, size_t *column)
{
    bool is_quoted = c == '=' || (c < 0x20 && c != '\t') || c >= 0x7F ||
                     (is_last && (c == ' ' || c == '\t')) ||
                     (*column == 0 && c == '.'); /* some take that for the end */
    size_t width = is_quoted ? 3 : 1;
    if (*column + width > QUOTED_LINE) {
        fg_buf_add(out, FG_STR("=\n"));
        *column = 0;
        is_quoted |= c == '.';
        width = is_quoted ? 3 : 1;
    }
    if (is_quoted)
        fg_buf_printf(out, "=%02X", c);
    else
        fg_buf_add_char(out, (char)c);
    *column += width;
}

void fg_mail_quoted(struct fg_buf *out, struct fg_str text)
{
    struct fg_buf clean;
    struct fg_str line;
    fg_buf_init(&clean, SIZE_MAX);
    while (text.len && fg_str_cut(&text, '\n', &line)) {
        add_clean(&clean, line);
        fg_buf_add_char(&clean, '\n');
    }
    struct fg_str all = fg_buf_str(&clean);
    size_t column = 0;
    for (size_t i = 0; i < all.len; i++) {
        if (all.at[i] == '\n') {
            fg_buf_add_char(out, '\n');
            column = 0;
        } else {
            quote_byte(out, (unsigned char)all.at[i], is_last_of_line(all, i), &column);
        }
    }
    fg_buf_clear(&clean);
}
