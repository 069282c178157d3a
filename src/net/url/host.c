#include "net/url/host.h"

#include "net/url/idna.h"
#include "net/url/percent.h"

enum { FORBIDDEN_HOST = 1, FORBIDDEN_DOMAIN = 2 };

enum { H = FORBIDDEN_HOST | FORBIDDEN_DOMAIN, D = FORBIDDEN_DOMAIN };
static const uint8_t forbidden[256] = {
    [0x00] = H, [0x01 ... 0x08] = D, ['\t'] = H,          ['\n'] = H, [0x0B ... 0x0C] = D,
    ['\r'] = H, [' '] = H,           [0x0E ... 0x1F] = D, ['#'] = H,  ['%'] = D,
    ['/'] = H,  [':'] = H,           ['<'] = H,           ['>'] = H,  ['?'] = H,
    ['@'] = H,  ['['] = H,           ['\\'] = H,          [']'] = H,  ['^'] = H,
    ['|'] = H,  [0x7F] = D,
};

size_t fg_host_forbidden(struct fg_str host, enum fg_host_kind kind)
{
    unsigned which = kind == FG_HOST_DOMAIN ? FORBIDDEN_DOMAIN : FORBIDDEN_HOST;
    for (size_t i = 0; i < host.len; i++)
        if (forbidden[(unsigned char)host.at[i]] & which)
            return i;
    return FG_NOT_FOUND;
}

/* Decimal, octal ("017") or hexadecimal ("0x1f", "0x"). A value past 32 bits is past any
 * use, so it stops growing there. */
static bool parse_ipv4_number(struct fg_str text, uint64_t *value)
{
    unsigned base = 10;
    if (text.len == 0)
        return false;
    if (fg_str_starts_nocase(text, FG_STR("0x"))) {
        base = 16;
        text = fg_str_skip(text, 2);
    } else if (text.len > 1 && text.at[0] == '0') {
        base = 8;
        text = fg_str_skip(text, 1);
    }
    *value = 0;
    for (size_t i = 0; i < text.len; i++) {
        int digit = fg_hex(text.at[i]);
        if (digit < 0 || (unsigned)digit >= base)
            return false;
        if (*value <= UINT32_MAX)
            *value = *value * base + (unsigned)digit;
    }
    return true;
}

static struct fg_str last_label(struct fg_str host)
{
    if (host.len && host.at[host.len - 1] == '.')
        host.len--;
    size_t first = host.len;
    while (first && host.at[first - 1] != '.')
        first--;
    return fg_str_skip(host, first);
}

bool fg_host_ends_in_number(struct fg_str host)
{
    struct fg_str label = last_label(host);
    if (label.len == 0 || !fg_is_digit(label.at[0]))
        return false;
    uint64_t value;
    size_t n = 0;
    while (n < label.len && fg_is_digit(label.at[n]))
        n++;
    return n == label.len || parse_ipv4_number(label, &value);
}

bool fg_host_is_address(struct fg_str host)
{
    return host.len && (host.at[0] == '[' || fg_host_ends_in_number(host));
}

/* The last number fills all bytes that are left: 127.1 is 127.0.0.1. */
static bool parse_ipv4(struct fg_str text, uint32_t *address)
{
    uint64_t numbers[4];
    size_t n = 0;
    struct fg_str part;
    if (text.len && text.at[text.len - 1] == '.')
        text.len--;
    while (fg_str_cut(&text, '.', &part)) {
        if (n == 4 || !parse_ipv4_number(part, &numbers[n]))
            return false;
        n++;
    }
    if (n == 0 || numbers[n - 1] >= UINT64_C(1) << 8 * (5 - n))
        return false;
    uint64_t sum = numbers[n - 1];
    for (size_t i = 0; i + 1 < n; i++) {
        if (numbers[i] > 255)
            return false;
        sum |= numbers[i] << 8 * (3 - i);
    }
    *address = (uint32_t)sum;
    return true;
}

static void add_ipv4(struct fg_buf *out, uint32_t address)
{
    for (int shift = 24; shift >= 0; shift -= 8) {
        unsigned part = address >> shift & 255;
        if (part > 99)
            fg_buf_add_char(out, (char)('0' + part / 100));
        if (part > 9)
            fg_buf_add_char(out, (char)('0' + part / 10 % 10));
        fg_buf_add_char(out, (char)('0' + part % 10));
        if (shift)
            fg_buf_add_char(out, '.');
    }
}

/* The dotted end of an IPv6 address: four decimal numbers without leading zeros. */
static bool parse_ipv4_in_ipv6(struct fg_str text, uint16_t pieces[2])
{
    unsigned bytes[4] = {0};
    size_t n = 0;
    struct fg_str part;
    while (fg_str_cut(&text, '.', &part)) {
        if (n == 4 || part.len == 0 || part.len > 3 ||
            (part.len > 1 && part.at[0] == '0'))
            return false;
        for (size_t i = 0; i < part.len; i++) {
            if (!fg_is_digit(part.at[i]))
                return false;
            bytes[n] = bytes[n] * 10 + (unsigned)(part.at[i] - '0');
        }
        if (bytes[n++] > 255)
            return false;
    }
    pieces[0] = (uint16_t)(bytes[0] << 8 | bytes[1]);
    pieces[1] = (uint16_t)(bytes[2] << 8 | bytes[3]);
    return n == 4;
}

/* Up to four hexadecimal digits off the front of `text`; how many there were. */
static size_t take_piece(struct fg_str *text, uint16_t *piece)
{
    size_t n = 0;
    unsigned value = 0;
    for (; n < 4 && n < text->len && fg_hex(text->at[n]) >= 0; n++)
        value = value << 4 | (unsigned)fg_hex(text->at[n]);
    *piece = (uint16_t)value;
    *text = fg_str_skip(*text, n);
    return n;
}

/* "::" stands for at least one zero, so it counts as a piece; `gap` is the one behind. */
static bool parse_ipv6(struct fg_str text, uint16_t pieces[8])
{
    size_t n = 0, gap = 0;
    if (text.len && text.at[0] == ':') {
        if (!fg_str_starts(text, FG_STR("::")))
            return false;
        text = fg_str_skip(text, 2);
        gap = ++n;
    }
    while (text.len) {
        struct fg_str before = text;
        if (n == 8)
            return false;
        if (text.at[0] == ':') { /* the second colon of a pair */
            if (gap)
                return false;
            text = fg_str_skip(text, 1);
            gap = ++n;
            continue;
        }
        size_t digits = take_piece(&text, &pieces[n]);
        if (text.len && text.at[0] == '.') {
            if (digits == 0 || n > 6 || !parse_ipv4_in_ipv6(before, pieces + n))
                return false;
            n += 2;
            break;
        }
        if (text.len && (text.at[0] != ':' || text.len == 1 || digits == 0))
            return false;
        text = fg_str_skip(text, 1);
        n++;
    }
    if (!gap)
        return n == 8;
    memmove(pieces + 8 - (n - gap), pieces + gap, (n - gap) * sizeof *pieces);
    memset(pieces + gap, 0, (8 - n) * sizeof *pieces);
    return true;
}

/* The first longest run of two or more zeros is written "::". */
static void add_ipv6(struct fg_buf *out, const uint16_t pieces[8])
{
    size_t longest = 1, at = 8;
    for (size_t i = 0, run = 0; i < 8; i++) {
        run = pieces[i] ? 0 : run + 1;
        if (run > longest) {
            longest = run;
            at = i + 1 - run;
        }
    }
    fg_buf_add_char(out, '[');
    for (size_t i = 0; i < 8; i++) {
        if (i == at) {
            fg_buf_add(out, i == 0 ? FG_STR("::") : FG_STR(":"));
            i += longest - 1;
            continue;
        }
        fg_buf_printf(out, i < 7 ? "%x:" : "%x", pieces[i]);
    }
    fg_buf_add_char(out, ']');
}

static bool add_bracketed(struct fg_buf *out, struct fg_str input)
{
    uint16_t pieces[8] = {0};
    if (input.len < 2 || input.at[input.len - 1] != ']' ||
        !parse_ipv6(fg_str_sub(input, 1, input.len - 1), pieces))
        return false;
    add_ipv6(out, pieces);
    return true;
}

static bool add_opaque(struct fg_buf *out, struct fg_str input)
{
    if (fg_host_forbidden(input, FG_HOST_OPAQUE) != FG_NOT_FOUND)
        return false;
    fg_percent_encode(out, input, FG_PERCENT_CONTROL);
    return true;
}

static bool add_ascii_domain(struct fg_buf *out, struct fg_str input)
{
    if (fg_str_chr(input, '%') == FG_NOT_FOUND)
        return fg_idna_to_ascii(out, input);
    struct fg_buf decoded;
    fg_buf_init(&decoded, input.len);
    fg_percent_decode(&decoded, input);
    bool good = fg_idna_to_ascii(out, fg_buf_str(&decoded));
    fg_buf_clear(&decoded);
    return good;
}

bool fg_host_parse(struct fg_buf *out, struct fg_str input, enum fg_host_kind kind)
{
    if (input.len && input.at[0] == '[')
        return add_bracketed(out, input);
    if (kind == FG_HOST_OPAQUE)
        return add_opaque(out, input);
    size_t first = out->len;
    if (!add_ascii_domain(out, input))
        return false;
    struct fg_str domain = fg_str_skip(fg_buf_str(out), first);
    if (domain.len == 0 || fg_host_forbidden(domain, FG_HOST_DOMAIN) != FG_NOT_FOUND)
        return false;
    if (!fg_host_ends_in_number(domain))
        return true;
    uint32_t address;
    if (!parse_ipv4(domain, &address))
        return false;
    out->len = first;
    add_ipv4(out, address);
    return true;
}
