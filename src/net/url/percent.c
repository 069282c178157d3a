#include "net/url/percent.h"

enum {
    C = FG_PERCENT_CONTROL,
    F = FG_PERCENT_FRAGMENT,
    Q = FG_PERCENT_QUERY | FG_PERCENT_SPECIAL_QUERY,
    A = FG_PERCENT_SPECIAL_QUERY,
    P = FG_PERCENT_PATH | FG_PERCENT_USERINFO,
    U = FG_PERCENT_USERINFO
};

/* https://url.spec.whatwg.org/#percent-encoded-bytes */
const uint8_t fg_percent_sets[256] = {
    [0x00 ... 0x1F] = C | F | Q | P,
    [' '] = F | Q | P,
    ['"'] = F | Q | P,
    ['#'] = Q | P,
    ['\''] = A,
    ['/'] = U,
    [':'] = U,
    [';'] = U,
    ['<'] = F | Q | P,
    ['='] = U,
    ['>'] = F | Q | P,
    ['?'] = P,
    ['@'] = U,
    ['['] = U,
    ['\\'] = U,
    [']'] = U,
    ['^'] = P,
    ['`'] = F | P,
    ['{'] = P,
    ['|'] = U,
    ['}'] = P,
    [0x7F ... 0xFF] = C | F | Q | P,
};

void fg_percent_add(struct fg_buf *out, unsigned char byte)
{
    static const char digits[] = "0123456789ABCDEF";
    fg_buf_add(out,
               (struct fg_str){(char[]){'%', digits[byte >> 4], digits[byte & 15]}, 3});
}

void fg_percent_encode_bytes(struct fg_buf *out, struct fg_str bytes,
                             enum fg_percent_set set)
{
    const char *at = bytes.at, *end = at + bytes.len;
    while (at < end) {
        const char *first = at;
        while (at < end && !(fg_percent_sets[(unsigned char)*at] & set))
            at++;
        fg_buf_add(out, fg_str_range(first, at));
        for (; at < end && fg_percent_sets[(unsigned char)*at] & set; at++)
            fg_percent_add(out, (unsigned char)*at);
    }
}

static const char *skip_ascii(const char *at, const char *end)
{
    while (at < end && (unsigned char)*at < 0x80)
        at++;
    return at;
}

void fg_percent_encode(struct fg_buf *out, struct fg_str text, enum fg_percent_set set)
{
    const char *at = text.at, *end = at + text.len;
    while (at < end) {
        const char *first = at;
        at = skip_ascii(at, end);
        fg_percent_encode_bytes(out, fg_str_range(first, at), set);
        while (at < end && (unsigned char)*at >= 0x80) {
            char bytes[4];
            size_t n = fg_utf8_put(bytes, fg_utf8_take(&at, end));
            for (size_t i = 0; i < n; i++)
                fg_percent_add(out, (unsigned char)bytes[i]);
        }
    }
}

void fg_percent_decode(struct fg_buf *out, struct fg_str text)
{
    while (text.len) {
        size_t n = fg_str_chr(text, '%');
        n = n == FG_NOT_FOUND ? text.len : n;
        fg_buf_add(out, fg_str_sub(text, 0, n));
        text = fg_str_skip(text, n);
        int byte = fg_percent_byte(text);
        if (byte >= 0)
            fg_buf_add_char(out, (char)byte);
        else
            fg_buf_add(out, fg_str_sub(text, 0, 1));
        text = fg_str_skip(text, byte >= 0 ? 3 : 1);
    }
}
