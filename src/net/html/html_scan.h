/* html_scan.h - the inner loops of the tokenizer, sixteen bytes at a time where that pays
 *
 * Private to html*.c and page*.c. Each looks through [p, end) and returns where it
 * stopped, at most `end`; none reads beyond `end`. */
#ifndef FG_NET_HTML_SCAN_H
#define FG_NET_HTML_SCAN_H

#include "base/str.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* The next `c`. Most are near: the first sixteen bytes are looked at without a call. */
static inline const char *html_find(const char *p, const char *end, char c)
{
#if defined(__SSE2__)
    if (end - p >= 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)p);
        int hits = _mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8(c)));
        if (hits)
            return p + __builtin_ctz((unsigned)hits);
        p += 16;
    }
#endif
    const char *hit = p < end ? memchr(p, c, (size_t)(end - p)) : NULL;
    return hit ? hit : end;
}

/* The next "<" or ">". */
static inline const char *html_find_angle(const char *p, const char *end)
{
#if defined(__SSE2__)
    /* "<" is 0x3C and ">" 0x3E: one bit apart */
    for (; end - p >= 16; p += 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)p);
        block = _mm_or_si128(block, _mm_set1_epi8(2));
        int hits = _mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8('>')));
        if (hits)
            return p + __builtin_ctz((unsigned)hits);
    }
#endif
    while (p < end && (*p | 2) != '>')
        p++;
    return p;
}

/* The next carriage return, NUL or ampersand. */
static inline const char *html_find_special(const char *p, const char *end)
{
#if defined(__SSE2__)
    for (; end - p >= 16; p += 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)p);
        __m128i hits =
            _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('&')),
                         _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('\r')),
                                      _mm_cmpeq_epi8(block, _mm_setzero_si128())));
        int mask = _mm_movemask_epi8(hits);
        if (mask)
            return p + __builtin_ctz((unsigned)mask);
    }
#endif
    while (p < end && *p != '&' && *p != '\r' && *p != '\0')
        p++;
    return p;
}

/* What each byte ends within a tag: white space ends everything but itself. */
enum { HTML_SPACE = 1, HTML_ENDS_NAME = 2, HTML_ENDS_ATTR = 4, HTML_ENDS_VALUE = 8 };
static const unsigned char html_class[256] = {
    ['\t'] = 15, ['\n'] = 15,
    ['\f'] = 15, ['\r'] = 15,
    [' '] = 15,  ['/'] = HTML_ENDS_NAME | HTML_ENDS_ATTR,
    ['>'] = 14,  ['='] = HTML_ENDS_ATTR,
};

static inline bool html_is(char c, unsigned classes)
{
    return html_class[(unsigned char)c] & classes;
}

static inline const char *html_skip_space(const char *p, const char *end)
{
    while (p < end && html_is(*p, HTML_SPACE))
        p++;
    return p;
}

/* Behind the first character of an attribute's name: to what ends it. */
static inline const char *html_skip_attr_name(const char *p, const char *end)
{
    while (p < end && !html_is(*p, HTML_ENDS_ATTR))
        p++;
    return p;
}

/* A value without quotes, which may be empty. */
static inline const char *html_skip_unquoted(const char *p, const char *end)
{
    while (p < end && !html_is(*p, HTML_ENDS_VALUE))
        p++;
    return p;
}

#endif
