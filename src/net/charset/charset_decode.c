/* The decoders of the Encoding Standard, each over a whole text in memory. They share one
 * rule: a broken character gives one U+FFFD, and if its second byte is ASCII that byte is
 * read again by itself, so that markup survives.
 *
 * Runs of ASCII are copied sixteen bytes at a time. The copy may write up to sixteen
 * bytes beyond the text so far, which is why fg_decoded_max has that much to spare. */
#include "net/charset/charset_index.h"
#include "net/charset/charset_parts.h"

#include "base/utf8.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { SPARE = 16, BAD = 0xFFFD };

struct text {
    const unsigned char *at, *end;
    char *to;
};

#define INLINE static inline __attribute__((always_inline))

INLINE void put(struct text *t, uint32_t code)
{
    if (code >= 0x800 && code < 0xD800) { /* most of what is not ASCII */
        t->to[0] = (char)(0xE0 | code >> 12);
        t->to[1] = (char)(0x80 | (code >> 6 & 0x3F));
        t->to[2] = (char)(0x80 | (code & 0x3F));
        t->to += 3;
    } else if (code >= 0x80 && code < 0x800) {
        t->to[0] = (char)(0xC0 | code >> 6);
        t->to[1] = (char)(0x80 | (code & 0x3F));
        t->to += 2;
    } else {
        t->to += fg_utf8_put(t->to, code);
    }
}

/* Copy what is ASCII; false when the text is used up. */
INLINE bool next_high(struct text *t)
{
    if (t->at < t->end && *t->at >= 0x80)
        return true;
#if defined(__SSE2__)
    while (t->end - t->at >= SPARE) {
        __m128i block = _mm_loadu_si128((const __m128i *)t->at);
        unsigned high = (unsigned)_mm_movemask_epi8(block);
        _mm_storeu_si128((__m128i *)t->to, block);
        unsigned n = high ? (unsigned)__builtin_ctz(high) : SPARE;
        t->at += n;
        t->to += n;
        if (high)
            return true;
    }
#endif
    while (t->at < t->end && *t->at < 0x80)
        *t->to++ = (char)*t->at++;
    return t->at < t->end;
}

static char *decode_single_byte(struct text t, const uint16_t *codes)
{
    while (next_high(&t)) {
        uint16_t code = codes[*t.at++ - 0x80];
        put(&t, code == FG_NO_CODE ? BAD : code);
    }
    return t.to;
}

static char *decode_user_defined(struct text t)
{
    while (next_high(&t))
        put(&t, 0xF780u + (*t.at++ - 0x80u));
    return t.to;
}

/* A pair that is no character: its second byte stays if it is ASCII. */
INLINE void bad_pair(struct text *t)
{
    put(t, BAD);
    t->at += t->at[1] < 0x80 ? 1 : 2;
}

INLINE void bad_byte(struct text *t)
{
    put(t, BAD);
    t->at++;
}

INLINE bool within(unsigned byte, unsigned low, unsigned high)
{
    return byte - low <= high - low;
}

INLINE void shift_jis_pair(struct text *t, const uint16_t *codes)
{
    unsigned lead = t->at[0], trail = t->at[1];
    if (!within(trail, 0x40, 0xFC) || trail == 0x7F) {
        bad_pair(t);
        return;
    }
    unsigned pointer =
        (lead - (lead < 0xA0 ? 0x81 : 0xC1)) * 188 + trail - (trail < 0x7F ? 0x40 : 0x41);
    if (within(pointer, 8836, 10715)) {
        put(t, 0xE000 + pointer - 8836);
        t->at += 2;
    } else if (codes[pointer] == FG_NO_CODE) {
        bad_pair(t);
    } else {
        put(t, codes[pointer]);
        t->at += 2;
    }
}

static char *decode_shift_jis(struct text t)
{
    const uint16_t *codes = fg_index_codes(FG_INDEX_JIS0208);
    while (next_high(&t)) {
        unsigned lead = *t.at;
        if (within(lead, 0xA1, 0xDF)) {
            put(&t, 0xFF61 + lead - 0xA1);
            t.at++;
        } else if (lead == 0x80) {
            put(&t, 0x80);
            t.at++;
        } else if (lead == 0xA0 || lead > 0xFC || t.end - t.at == 1) {
            bad_byte(&t);
        } else {
            shift_jis_pair(&t, codes);
        }
    }
    return t.to;
}

static char *decode_euc_kr(struct text t)
{
    const uint16_t *codes = fg_index_codes(FG_INDEX_EUC_KR);
    while (next_high(&t)) {
        unsigned lead = *t.at;
        if (!within(lead, 0x81, 0xFE) || t.end - t.at == 1) {
            bad_byte(&t);
            continue;
        }
        unsigned trail = t.at[1];
        unsigned pointer = (lead - 0x81) * 190 + trail - 0x41;
        if (!within(trail, 0x41, 0xFE) || codes[pointer] == FG_NO_CODE) {
            bad_pair(&t);
            continue;
        }
        put(&t, codes[pointer]);
        t.at += 2;
    }
    return t.to;
}

/* Four pointers stand for two code points each: E with a circumflex and one mark more. */
INLINE bool put_big5_double(struct text *t, unsigned pointer)
{
    switch (pointer) {
    case 1133:
    case 1135:
        put(t, 0x00CA);
        break;
    case 1164:
    case 1166:
        put(t, 0x00EA);
        break;
    default:
        return false;
    }
    put(t, pointer == 1133 || pointer == 1164 ? 0x0304 : 0x030C);
    return true;
}

INLINE void big5_pair(struct text *t, const uint16_t *codes)
{
    unsigned trail = t->at[1];
    if (!within(trail, 0x40, 0x7E) && !within(trail, 0xA1, 0xFE)) {
        bad_pair(t);
        return;
    }
    unsigned pointer = (t->at[0] - 0x81u) * 157 + trail - (trail < 0x7F ? 0x40 : 0x62);
    uint32_t code = codes[pointer];
    if (code != FG_NO_CODE)
        put(t, fg_big5_is_plane2(pointer) ? 0x20000 | code : code);
    else if (!put_big5_double(t, pointer)) {
        bad_pair(t);
        return;
    }
    t->at += 2;
}

static char *decode_big5(struct text t)
{
    const uint16_t *codes = fg_index_codes(FG_INDEX_BIG5);
    while (next_high(&t)) {
        if (!within(*t.at, 0x81, 0xFE) || t.end - t.at == 1)
            bad_byte(&t);
        else
            big5_pair(&t, codes);
    }
    return t.to;
}

/* The second byte is a digit. Only the first is given up when the others do not fit. */
INLINE void gb18030_four(struct text *t)
{
    const unsigned char *p = t->at;
    size_t left = (size_t)(t->end - p);
    bool third = left > 2 && within(p[2], 0x81, 0xFE);
    if (left == 2 || (left == 3 && third)) { /* cut off: one mark for all of it */
        put(t, BAD);
        t->at = t->end;
        return;
    }
    if (!third || !within(p[3], '0', '9')) {
        bad_byte(t);
        return;
    }
    uint32_t pointer =
        (((p[0] - 0x81u) * 10 + (p[1] - 0x30u)) * 126 + (p[2] - 0x81u)) * 10 +
        (p[3] - 0x30u);
    uint32_t code = fg_gb_range_code(pointer);
    put(t, code == UINT32_MAX ? BAD : code);
    t->at += 4;
}

static char *decode_gb18030(struct text t)
{
    const uint16_t *codes = fg_index_codes(FG_INDEX_GB18030);
    while (next_high(&t)) {
        unsigned lead = *t.at;
        if (lead == 0x80) {
            put(&t, 0x20AC);
            t.at++;
            continue;
        }
        if (lead == 0xFF || t.end - t.at == 1) {
            bad_byte(&t);
            continue;
        }
        unsigned trail = t.at[1];
        if (within(trail, '0', '9')) {
            gb18030_four(&t);
            continue;
        }
        unsigned pointer = (lead - 0x81) * 190 + trail - (trail < 0x7F ? 0x40 : 0x41);
        if (!within(trail, 0x40, 0xFE) || trail == 0x7F || codes[pointer] == FG_NO_CODE) {
            bad_pair(&t);
            continue;
        }
        put(&t, codes[pointer]);
        t.at += 2;
    }
    return t.to;
}

/* 0x8F and two bytes of JIS X 0212. */
INLINE void euc_jp_three(struct text *t, const uint16_t *codes)
{
    if (t->end - t->at == 2) {
        put(t, BAD);
        t->at = t->end;
        return;
    }
    unsigned lead = t->at[1], trail = t->at[2];
    if (within(trail, 0xA1, 0xFE)) {
        uint16_t code = codes[(lead - 0xA1) * 94 + trail - 0xA1];
        put(t, code == FG_NO_CODE ? BAD : code);
        t->at += 3;
    } else {
        put(t, BAD);
        t->at += trail < 0x80 ? 2 : 3;
    }
}

static char *decode_euc_jp(struct text t)
{
    const uint16_t *codes = fg_index_codes(FG_INDEX_JIS0208);
    const uint16_t *more = fg_index_codes(FG_INDEX_JIS0212);
    while (next_high(&t)) {
        unsigned lead = *t.at;
        bool is_lead = lead == 0x8E || lead == 0x8F || within(lead, 0xA1, 0xFE);
        if (!is_lead || t.end - t.at == 1) {
            bad_byte(&t);
            continue;
        }
        unsigned trail = t.at[1];
        if (lead == 0x8E && within(trail, 0xA1, 0xDF)) {
            put(&t, 0xFF61 + trail - 0xA1);
            t.at += 2;
        } else if (lead == 0x8F && within(trail, 0xA1, 0xFE)) {
            euc_jp_three(&t, more);
        } else if (lead >= 0xA1 && within(trail, 0xA1, 0xFE) &&
                   codes[(lead - 0xA1) * 94 + trail - 0xA1] != FG_NO_CODE) {
            put(&t, codes[(lead - 0xA1) * 94 + trail - 0xA1]);
            t.at += 2;
        } else {
            bad_pair(&t);
        }
    }
    return t.to;
}

enum jp_set { ASCII, ROMAN, KATAKANA, KANJI };

/* The set that an escape sequence asks for, or -1. */
static int escape_set(const struct text *t)
{
    static const struct {
        unsigned char bytes[2];
        enum jp_set set;
    } sets[] = {
        {"(B", ASCII}, {"(J", ROMAN}, {"(I", KATAKANA}, {"$@", KANJI}, {"$B", KANJI}};
    if (t->end - t->at < 3)
        return -1;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (t->at[1] == sets[i].bytes[0] && t->at[2] == sets[i].bytes[1])
            return (int)sets[i].set;
    return -1;
}

static void take_kanji(struct text *t, const uint16_t *codes)
{
    if (t->end - t->at == 1 || t->at[1] == 0x1B) { /* the escape is read again */
        bad_byte(t);
        return;
    }
    unsigned lead = t->at[0], trail = t->at[1];
    uint16_t code =
        within(trail, 0x21, 0x7E) ? codes[(lead - 0x21) * 94 + trail - 0x21] : FG_NO_CODE;
    put(t, code == FG_NO_CODE ? BAD : code);
    t->at += 2;
}

/* One byte, or one kanji, of the current set; it is no escape. */
static void take_of_set(struct text *t, enum jp_set set, const uint16_t *codes)
{
    unsigned byte = *t->at;
    if (set == KANJI && within(byte, 0x21, 0x7E)) {
        take_kanji(t, codes);
        return;
    }
    if (set == KATAKANA && within(byte, 0x21, 0x5F))
        put(t, 0xFF61 + byte - 0x21);
    else if (set == ROMAN && byte == 0x5C)
        put(t, 0x00A5);
    else if (set == ROMAN && byte == 0x7E)
        put(t, 0x203E);
    else if (set <= ROMAN && byte < 0x80 && byte != 0x0E && byte != 0x0F)
        *t->to++ = (char)byte;
    else
        put(t, BAD);
    t->at++;
}

/* Two escapes in a row are an error: the first could hide what follows from a filter. */
static char *decode_iso_2022_jp(struct text t)
{
    const uint16_t *codes = fg_index_codes(FG_INDEX_JIS0208);
    enum jp_set set = ASCII;
    bool just_escaped = false;
    while (t.at < t.end) {
        int next = *t.at == 0x1B ? escape_set(&t) : -1;
        if (next >= 0) {
            if (just_escaped)
                put(&t, BAD);
            set = (enum jp_set)next;
            just_escaped = true;
            t.at += 3;
            continue;
        }
        just_escaped = false;
        if (*t.at == 0x1B)
            bad_byte(&t);
        else
            take_of_set(&t, set, codes);
    }
    return t.to;
}

INLINE uint32_t unit_at(const unsigned char *p, bool big_endian)
{
    return big_endian ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
}

static char *decode_utf16(struct text t, bool big_endian)
{
    while (t.end - t.at >= 2) {
        uint32_t unit = unit_at(t.at, big_endian);
        t.at += 2;
        if (unit < 0x80) {
            *t.to++ = (char)unit;
            continue;
        }
        if (unit >> 10 != 0xD800 >> 10) {
            put(&t, unit); /* a lone trail becomes U+FFFD there */
            continue;
        }
        if (t.end - t.at < 2) { /* half a pair and half a unit are one error */
            t.at = t.end;
            put(&t, BAD);
            return t.to;
        }
        uint32_t trail = unit_at(t.at, big_endian);
        if (trail >> 10 != 0xDC00 >> 10) {
            put(&t, BAD);
            continue;
        }
        put(&t, 0x10000 + ((unit & 0x3FF) << 10 | (trail & 0x3FF)));
        t.at += 2;
    }
    if (t.at < t.end)
        put(&t, BAD);
    return t.to;
}

static char *decode_utf32(struct text t, bool big_endian)
{
    for (; t.end - t.at >= 4; t.at += 4) {
        uint32_t high = unit_at(t.at + (big_endian ? 0 : 2), big_endian);
        uint32_t low = unit_at(t.at + (big_endian ? 2 : 0), big_endian);
        t.to += fg_utf8_put(t.to, high << 16 | low);
    }
    if (t.at < t.end)
        put(&t, BAD);
    return t.to;
}

static char *decode_all(struct text t, const struct fg_encoding *encoding)
{
    switch (encoding->codec) {
    case FG_CODEC_SINGLE_BYTE:
        return decode_single_byte(t, encoding->single_byte);
    case FG_CODEC_GBK:
    case FG_CODEC_GB18030:
        return decode_gb18030(t);
    case FG_CODEC_BIG5:
        return decode_big5(t);
    case FG_CODEC_EUC_JP:
        return decode_euc_jp(t);
    case FG_CODEC_ISO_2022_JP:
        return decode_iso_2022_jp(t);
    case FG_CODEC_SHIFT_JIS:
        return decode_shift_jis(t);
    case FG_CODEC_EUC_KR:
        return decode_euc_kr(t);
    case FG_CODEC_UTF16BE:
    case FG_CODEC_UTF16LE:
        return decode_utf16(t, encoding->codec == FG_CODEC_UTF16BE);
    case FG_CODEC_UTF32BE:
    case FG_CODEC_UTF32LE:
        return decode_utf32(t, encoding->codec == FG_CODEC_UTF32BE);
    case FG_CODEC_USER_DEFINED:
        return decode_user_defined(t);
    case FG_CODEC_REPLACEMENT:
        put(&t, BAD);
        return t.to;
    case FG_CODEC_UTF8:
        break;
    }
    return t.to;
}

size_t fg_decode(char *out, const struct fg_encoding *encoding, struct fg_str bytes)
{
    const unsigned char *at = (const unsigned char *)bytes.at;
    struct text t = {at, at + bytes.len, out};
    return (size_t)(decode_all(t, encoding) - out);
}

size_t fg_decoded_max(const struct fg_encoding *encoding, struct fg_str bytes)
{
    switch (encoding->codec) {
    case FG_CODEC_REPLACEMENT:
        return 3;
    case FG_CODEC_UTF16BE:
    case FG_CODEC_UTF16LE:
        return bytes.len / 2 * 3 + 3;
    case FG_CODEC_UTF32BE:
    case FG_CODEC_UTF32LE:
        return bytes.len + 3;
    case FG_CODEC_ISO_2022_JP:
        return 3 * bytes.len;
    default: /* a byte above ASCII takes three at most, and any other one */
        return bytes.len + 2 * fg_ascii_misses(bytes) + SPARE;
    }
}
