/* Most bytes of the web are markup, so the ASCII runs are what counts: they are passed
 * over sixteen bytes at a time.
 *
 * Other blocks are checked whole, too, with a bit for each byte: a lead byte asks for
 * continuation bytes in the next one to three places, and these must be exactly the
 * places where they are. Only E0, ED, F0 and F4 ask for more, and a few bytes never
 * occur; blocks that have one of those are rare and looked at again. This needs nothing
 * beyond SSE2 and runs at several times the speed of an automaton.
 *
 * That automaton finds the exact end of the valid part, and does all of the work where
 * there is no SSE2. Its step is one table look-up and one shift: the word of a byte holds
 * the next state of every state, six bits each, and a state is the place of its own. */
#include "base/utf8.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { BLOCK = 16 };

/* The first continuation byte has a narrower range after E0, ED, F0 and F4: that is what
 * keeps out overlong forms, surrogates and what lies beyond U+10FFFF. */
enum {
    WHOLE = 0,  /* between two characters */
    BROKEN = 6, /* and it stays so */
    ONE = 12,   /* one continuation byte is to come */
    TWO = 18,
    THREE = 24,
    AFTER_E0 = 30,
    AFTER_ED = 36,
    AFTER_F0 = 42,
    AFTER_F4 = 48,
};

#define STEP(whole, one, two, three, e0, ed, f0, f4)                                    \
    ((uint64_t)(whole) << WHOLE | (uint64_t)BROKEN << BROKEN | (uint64_t)(one) << ONE | \
     (uint64_t)(two) << TWO | (uint64_t)(three) << THREE | (uint64_t)(e0) << AFTER_E0 | \
     (uint64_t)(ed) << AFTER_ED | (uint64_t)(f0) << AFTER_F0 |                          \
     (uint64_t)(f4) << AFTER_F4)
#define LEAD(next) STEP(next, BROKEN, BROKEN, BROKEN, BROKEN, BROKEN, BROKEN, BROKEN)

static const uint64_t step[256] = {
    [0x00 ... 0x7F] = LEAD(WHOLE),
    [0x80 ... 0x8F] = STEP(BROKEN, WHOLE, ONE, TWO, BROKEN, ONE, BROKEN, TWO),
    [0x90 ... 0x9F] = STEP(BROKEN, WHOLE, ONE, TWO, BROKEN, ONE, TWO, BROKEN),
    [0xA0 ... 0xBF] = STEP(BROKEN, WHOLE, ONE, TWO, ONE, BROKEN, TWO, BROKEN),
    [0xC0 ... 0xC1] = LEAD(BROKEN),
    [0xC2 ... 0xDF] = LEAD(ONE),
    [0xE0] = LEAD(AFTER_E0),
    [0xE1 ... 0xEC] = LEAD(TWO),
    [0xED] = LEAD(AFTER_ED),
    [0xEE ... 0xEF] = LEAD(TWO),
    [0xF0] = LEAD(AFTER_F0),
    [0xF1 ... 0xF3] = LEAD(THREE),
    [0xF4] = LEAD(AFTER_F4),
    [0xF5 ... 0xFF] = LEAD(BROKEN),
};

static inline uint64_t advance(uint64_t state, unsigned char byte)
{
    return step[byte] >> (state & 63);
}

/* A bit for each of sixteen bytes that is 0x80 or above. */
static inline unsigned high_bits(const char *at)
{
#if defined(__SSE2__)
    return (unsigned)_mm_movemask_epi8(_mm_loadu_si128((const __m128i *)at));
#else
    unsigned bits = 0;
    for (unsigned i = 0; i < BLOCK; i++)
        bits |= (unsigned)((unsigned char)at[i] >> 7) << i;
    return bits;
#endif
}

size_t fg_ascii_len(struct fg_str s)
{
    size_t i = 0;
    for (; s.len - i >= BLOCK; i += BLOCK) {
        unsigned bits = high_bits(s.at + i);
        if (bits)
            return i + (size_t)__builtin_ctz(bits);
    }
    while (i < s.len && (unsigned char)s.at[i] < 0x80)
        i++;
    return i;
}

size_t fg_ascii_misses(struct fg_str s)
{
    size_t i = 0, n = 0;
    for (; s.len - i >= BLOCK; i += BLOCK)
        n += (size_t)__builtin_popcount(high_bits(s.at + i));
    for (; i < s.len; i++)
        n += (unsigned char)s.at[i] >> 7;
    return n;
}

/* Where the last whole character ends, given that all characters before `from` are valid
 * but the last of them may reach beyond it. */
static size_t valid_len_from(struct fg_str s, size_t from)
{
    while (from > 0 && ((unsigned char)s.at[from - 1] & 0xC0) == 0x80)
        from--;
    if (from > 0 && (unsigned char)s.at[from - 1] >= 0xC0)
        from--;
    size_t end = from;
    uint64_t state = WHOLE;
    for (size_t i = from; i < s.len && (state & 63) != BROKEN; i++) {
        state = advance(state, (unsigned char)s.at[i]);
        if ((state & 63) == WHOLE)
            end = i + 1;
    }
    return end;
}

#if defined(__SSE2__)

static inline unsigned mask(__m128i bytes)
{
    return (unsigned)_mm_movemask_epi8(bytes);
}

/* A bit for each byte at or above a limit of 0x80 or more. Compared as signed numbers the
 * ASCII bytes are above all of them, so only the bits of high bytes mean something. */
static inline unsigned at_least(__m128i block, unsigned char limit)
{
    return mask(_mm_cmpgt_epi8(block, _mm_set1_epi8((char)(limit - 1))));
}

static inline unsigned equal_to(__m128i block, unsigned char byte)
{
    return mask(_mm_cmpeq_epi8(block, _mm_set1_epi8((char)byte)));
}

/* The bits of the bytes behind each `lead`; `before` is the byte before the block. */
static inline unsigned behind(__m128i block, unsigned char lead, unsigned char before)
{
    return equal_to(block, lead) << 1 | (before == lead);
}

/* Bytes that never occur, and second bytes that make an overlong form, a surrogate or too
 * high a number. */
static bool has_bad_lead(__m128i block, unsigned leads, unsigned high,
                         unsigned char before)
{
    unsigned from_90 = at_least(block, 0x90), from_a0 = at_least(block, 0xA0);
    unsigned never = (leads & ~at_least(block, 0xC2)) | (high & at_least(block, 0xF5));
    unsigned low = (behind(block, 0xE0, before) & ~from_a0) |
                   (behind(block, 0xF0, before) & ~from_90);
    unsigned beyond =
        (behind(block, 0xED, before) & from_a0) | (behind(block, 0xF4, before) & from_90);
    return (never | low | beyond) & 0xFFFF;
}

static inline bool is_odd_lead(unsigned char byte)
{
    return byte == 0xE0 || byte == 0xED || byte >= 0xF0;
}

/* Whether a block is valid as far as it goes. `due` has a bit for each of its first bytes
 * that the block before asked to be a continuation, and is set for the next one. */
static inline bool check_block(const char *at, unsigned char before, unsigned *due)
{
    __m128i block = _mm_loadu_si128((const __m128i *)at);
    unsigned high = mask(block), leads = high & at_least(block, 0xC0);
    unsigned three = high & at_least(block, 0xE0), four = high & at_least(block, 0xF0);
    unsigned asked = *due | leads << 1 | three << 2 | four << 3;
    unsigned odd = four | (leads & ~at_least(block, 0xC2)) | equal_to(block, 0xE0) |
                   equal_to(block, 0xED) | is_odd_lead(before);
    *due = asked >> BLOCK;
    return (asked & 0xFFFF) == (high & ~leads) &&
           (!odd || !has_bad_lead(block, leads, high, before));
}

static size_t valid_blocks_len(struct fg_str s)
{
    unsigned due = 0;
    unsigned char before = 0;
    size_t i = 0;
    for (; s.len - i >= BLOCK; i += BLOCK) {
        if (!(due | high_bits(s.at + i)))
            before = 0;
        else if (check_block(s.at + i, before, &due))
            before = (unsigned char)s.at[i + BLOCK - 1];
        else
            break;
    }
    return i;
}

#else

static size_t valid_blocks_len(struct fg_str s)
{
    return fg_ascii_len(s);
}

#endif

size_t fg_utf8_valid_len(struct fg_str s)
{
    return valid_len_from(s, valid_blocks_len(s));
}

bool fg_utf8_is_valid(struct fg_str s)
{
    return fg_utf8_valid_len(s) == s.len;
}

/* Room: a broken byte becomes three. */
static size_t repair(char *out, struct fg_str s)
{
    if (!s.len)
        return 0;
    char *to = out;
    const char *end = s.at + s.len;
    while (s.len) {
        size_t n = fg_utf8_valid_len(s);
        memcpy(to, s.at, n);
        to += n;
        s = fg_str_skip(s, n);
        if (s.len) {
            to += fg_utf8_put(to, fg_utf8_take(&s.at, end));
            s.len = (size_t)(end - s.at);
        }
    }
    return (size_t)(to - out);
}

struct fg_str fg_utf8_clean(struct fg_arena *arena, struct fg_str s)
{
    if (fg_utf8_is_valid(s))
        return s;
    size_t room = s.len + 2 * fg_ascii_misses(s);
    char *out = fg_arena_bytes(arena, room);
    size_t len = repair(out, s);
    fg_arena_trim(arena, out, room, len);
    return (struct fg_str){out, len};
}

size_t fg_utf8_put(char *out, uint32_t c)
{
    if (c >= 0xD800 && (c <= 0xDFFF || c > 0x10FFFF))
        c = 0xFFFD;
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

/* A byte out of range is not consumed, so it can start the next character. */
uint32_t fg_utf8_take(const char **at, const char *end)
{
    const unsigned char *p = (const unsigned char *)*at;
    unsigned char lead = *p++;
    *at = (const char *)p;
    if (lead < 0x80)
        return lead;
    if (lead < 0xC2 || lead > 0xF4)
        return 0xFFFD;
    int more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    uint32_t c = lead & (0x3Fu >> more);
    unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    for (; more; more--, low = 0x80, high = 0xBF) {
        if ((const char *)p == end || *p < low || *p > high)
            return 0xFFFD;
        c = c << 6 | (*p++ & 0x3F);
        *at = (const char *)p;
    }
    return c;
}
