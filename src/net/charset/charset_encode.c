/* The encoders of the Encoding Standard, for the queries of URLs in old pages. What an
 * encoding cannot say is written as a character reference, already percent-encoded. */
#include "net/charset/charset.h"
#include "net/charset/charset_index.h"
#include "net/charset/charset_parts.h"

#include "base/utf8.h"

/* At most four bytes and the three of an escape before them. */
struct bytes {
    char at[8];
    size_t len;
};

static void add(struct bytes *out, unsigned byte)
{
    out->at[out->len++] = (char)byte;
}

static void add_two(struct bytes *out, unsigned lead, unsigned trail)
{
    add(out, lead);
    add(out, trail);
}

static bool encode_single_byte(struct bytes *out, const uint16_t *codes, uint32_t c)
{
    for (unsigned i = 0; i < 128; i++)
        if (codes[i] == c && c != FG_NO_CODE) {
            add(out, 0x80 + i);
            return true;
        }
    return false;
}

/* GB18030-2022 gave these eighteen places to other characters; what was there before is
 * still written as it was. */
static unsigned gb18030_old_pair(uint32_t c)
{
    static const struct {
        uint16_t code, bytes;
    } pairs[] = {
        {0xE78D, 0xA6D9}, {0xE78E, 0xA6DA}, {0xE78F, 0xA6DB}, {0xE790, 0xA6DC},
        {0xE791, 0xA6DD}, {0xE792, 0xA6DE}, {0xE793, 0xA6DF}, {0xE794, 0xA6EC},
        {0xE795, 0xA6ED}, {0xE796, 0xA6F3}, {0xE81E, 0xFE59}, {0xE826, 0xFE61},
        {0xE82B, 0xFE66}, {0xE82C, 0xFE67}, {0xE832, 0xFE6D}, {0xE843, 0xFE7E},
        {0xE854, 0xFE90}, {0xE864, 0xFEA0},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].code == c)
            return pairs[i].bytes;
    return 0;
}

static void add_gb18030_four(struct bytes *out, uint32_t c)
{
    uint32_t pointer = fg_gb_range_pointer(c);
    add(out, 0x81 + pointer / (10 * 126 * 10));
    add(out, 0x30 + pointer / (10 * 126) % 10);
    add(out, 0x81 + pointer / 10 % 126);
    add(out, 0x30 + pointer % 10);
}

static bool encode_gb18030(struct bytes *out, uint32_t c, bool is_gbk)
{
    if (c == 0xE5E5) /* its place means U+3000 to those who read */
        return false;
    if (is_gbk && c == 0x20AC) {
        add(out, 0x80);
        return true;
    }
    unsigned old = gb18030_old_pair(c);
    int pointer = old ? -1 : fg_index_pointer(FG_INDEX_GB18030, c);
    if (old) {
        add_two(out, old >> 8, old & 0xFF);
    } else if (pointer >= 0) {
        unsigned cell = (unsigned)pointer % 190;
        add_two(out, 0x81 + (unsigned)pointer / 190, cell + (cell < 0x3F ? 0x40 : 0x41));
    } else if (is_gbk) {
        return false;
    } else {
        add_gb18030_four(out, c);
    }
    return true;
}

static bool encode_big5(struct bytes *out, uint32_t c)
{
    int pointer = fg_index_pointer(FG_INDEX_BIG5, c);
    if (pointer < 0)
        return false;
    unsigned cell = (unsigned)pointer % 157;
    add_two(out, 0x81 + (unsigned)pointer / 157, cell + (cell < 0x3F ? 0x40 : 0x62));
    return true;
}

static bool encode_euc_kr(struct bytes *out, uint32_t c)
{
    int pointer = fg_index_pointer(FG_INDEX_EUC_KR, c);
    if (pointer >= 0)
        add_two(out, 0x81 + (unsigned)pointer / 190, 0x41 + (unsigned)pointer % 190);
    return pointer >= 0;
}

/* The yen sign and the overline, which Japanese machines showed in place of two of ASCII.
 */
static unsigned jis_roman(uint32_t c)
{
    return c == 0xA5 ? 0x5C : c == 0x203E ? 0x7E : 0;
}

static bool is_half_katakana(uint32_t c)
{
    return c >= 0xFF61 && c <= 0xFF9F;
}

static bool encode_shift_jis(struct bytes *out, uint32_t c)
{
    if (c == 0x80 || jis_roman(c)) {
        add(out, c == 0x80 ? 0x80 : jis_roman(c));
        return true;
    }
    if (is_half_katakana(c)) {
        add(out, c - 0xFF61 + 0xA1);
        return true;
    }
    int pointer = fg_index_pointer(FG_INDEX_SHIFT_JIS, c == 0x2212 ? 0xFF0D : c);
    if (pointer < 0)
        return false;
    unsigned row = (unsigned)pointer / 188, cell = (unsigned)pointer % 188;
    add_two(out, row + (row < 0x1F ? 0x81 : 0xC1), cell + (cell < 0x3F ? 0x40 : 0x41));
    return true;
}

static bool encode_euc_jp(struct bytes *out, uint32_t c)
{
    if (jis_roman(c)) {
        add(out, jis_roman(c));
        return true;
    }
    if (is_half_katakana(c)) {
        add_two(out, 0x8E, c - 0xFF61 + 0xA1);
        return true;
    }
    int pointer = fg_index_pointer(FG_INDEX_JIS0208, c == 0x2212 ? 0xFF0D : c);
    if (pointer >= 0)
        add_two(out, 0xA1 + (unsigned)pointer / 94, 0xA1 + (unsigned)pointer % 94);
    return pointer >= 0;
}

enum jp_state { JP_ASCII, JP_ROMAN, JP_KANJI };

static void switch_to(struct bytes *out, enum jp_state *state, enum jp_state wanted)
{
    static const char escapes[][4] = {"\x1B(B", "\x1B(J", "\x1B$B"};
    if (*state == wanted)
        return;
    memcpy(out->at + out->len, escapes[wanted], 3);
    out->len += 3;
    *state = wanted;
}

/* Half-width katakana in the order of their code points, in full width. */
static uint32_t full_katakana(uint32_t c)
{
    static const uint16_t full[] = {
        0x3002, 0x300C, 0x300D, 0x3001, 0x30FB, 0x30F2, 0x30A1, 0x30A3, 0x30A5,
        0x30A7, 0x30A9, 0x30E3, 0x30E5, 0x30E7, 0x30C3, 0x30FC, 0x30A2, 0x30A4,
        0x30A6, 0x30A8, 0x30AA, 0x30AB, 0x30AD, 0x30AF, 0x30B1, 0x30B3, 0x30B5,
        0x30B7, 0x30B9, 0x30BB, 0x30BD, 0x30BF, 0x30C1, 0x30C4, 0x30C6, 0x30C8,
        0x30CA, 0x30CB, 0x30CC, 0x30CD, 0x30CE, 0x30CF, 0x30D2, 0x30D5, 0x30D8,
        0x30DB, 0x30DE, 0x30DF, 0x30E0, 0x30E1, 0x30E2, 0x30E4, 0x30E6, 0x30E8,
        0x30E9, 0x30EA, 0x30EB, 0x30EC, 0x30ED, 0x30EF, 0x30F3, 0x309B, 0x309C};
    return is_half_katakana(c) ? full[c - 0xFF61] : c;
}

/* The only encoder with a memory. On failure `c` is what the reference shall name: a
 * control that could start an escape is not repeated. */
static bool encode_iso_2022_jp(struct bytes *out, enum jp_state *state, uint32_t *c)
{
    if (*state != JP_KANJI && (*c == 0x0E || *c == 0x0F || *c == 0x1B)) {
        *c = 0xFFFD;
        return false;
    }
    if (*c < 0x80) {
        if (*state != JP_ROMAN || *c == 0x5C || *c == 0x7E)
            switch_to(out, state, JP_ASCII);
        if (*c == 0x0E || *c == 0x0F || *c == 0x1B) { /* it was kanji until now */
            *c = 0xFFFD;
            return false;
        }
        add(out, *c);
        return true;
    }
    if (jis_roman(*c)) {
        switch_to(out, state, JP_ROMAN);
        add(out, jis_roman(*c));
        return true;
    }
    int pointer =
        fg_index_pointer(FG_INDEX_JIS0208, *c == 0x2212 ? 0xFF0D : full_katakana(*c));
    if (pointer < 0) {
        if (*state == JP_KANJI)
            switch_to(out, state, JP_ASCII);
        return false;
    }
    switch_to(out, state, JP_KANJI);
    add_two(out, 0x21 + (unsigned)pointer / 94, 0x21 + (unsigned)pointer % 94);
    return true;
}

/* One code point. On failure, `c` is what the reference shall name. */
static bool encode_one(struct bytes *out, const struct fg_encoding *encoding,
                       enum jp_state *state, uint32_t *c)
{
    if (encoding->codec == FG_CODEC_ISO_2022_JP)
        return encode_iso_2022_jp(out, state, c);
    if (*c < 0x80) {
        add(out, *c);
        return true;
    }
    switch (encoding->codec) {
    case FG_CODEC_SINGLE_BYTE:
        return encode_single_byte(out, encoding->single_byte, *c);
    case FG_CODEC_GBK:
    case FG_CODEC_GB18030:
        return encode_gb18030(out, *c, encoding->codec == FG_CODEC_GBK);
    case FG_CODEC_BIG5:
        return encode_big5(out, *c);
    case FG_CODEC_EUC_KR:
        return encode_euc_kr(out, *c);
    case FG_CODEC_SHIFT_JIS:
        return encode_shift_jis(out, *c);
    case FG_CODEC_EUC_JP:
        return encode_euc_jp(out, *c);
    case FG_CODEC_USER_DEFINED:
        if (*c < 0xF780 || *c > 0xF7FF)
            return false;
        add(out, *c - 0xF780 + 0x80);
        return true;
    default:
        out->len = fg_utf8_put(out->at, *c);
        return true;
    }
}

bool fg_charset_encode(struct fg_buf *out, const struct fg_encoding *encoding,
                       struct fg_str utf8)
{
    enum jp_state state = JP_ASCII;
    const char *at = utf8.at, *end = utf8.len ? at + utf8.len : at;
    while (at < end) {
        uint32_t c = fg_utf8_take(&at, end);
        struct bytes bytes = {.len = 0};
        bool known = encode_one(&bytes, encoding, &state, &c);
        fg_buf_add(out, (struct fg_str){bytes.at, bytes.len});
        if (!known)
            fg_buf_printf(out, "%%26%%23%u%%3B", c);
    }
    struct bytes last = {.len = 0};
    switch_to(&last, &state, JP_ASCII);
    return fg_buf_add(out, (struct fg_str){last.at, last.len}) && !out->full;
}
