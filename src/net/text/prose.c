/* Text is copied 64 or 16 bytes at a time up to the first byte that needs a thought: a
 * control character, an ampersand, a second blank. Everything else goes one by one. */
#include "net/text/prose.h"

#include "base/err.h"
#include "net/html/entity.h"
#include "net/html/html_scan.h"

#include <stdlib.h>

/* How far one step may write: a gap and sixteen bytes. */
enum { STEP = 24, FIRST_BYTES = 512 };

void fg_prose_init(struct fg_prose *prose, size_t max_bytes)
{
    *prose = (struct fg_prose){.max = max_bytes};
}

void fg_prose_clear(struct fg_prose *prose)
{
    free(prose->at);
    *prose = (struct fg_prose){.max = prose->max};
}

void fg_prose_reset(struct fg_prose *prose)
{
    prose->len = 0;
    prose->gap = FG_PROSE_NONE;
    prose->is_cut = false;
}

/* `n` without a last character whose end is missing. */
static size_t whole_characters(const char *at, size_t n)
{
    size_t lead = n;
    while (lead > 0 && ((unsigned char)at[lead - 1] & 0xC0) == 0x80)
        lead--;
    if (lead == 0)
        return n;
    unsigned char c = (unsigned char)at[--lead];
    size_t bytes = c < 0xC0 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    return n - lead < bytes ? lead : n;
}

/* Cut at the maximum, neither within a character nor behind a gap. What was copied may
 * end within a character by itself, where the room did. */
static void cut(struct fg_prose *prose)
{
    prose->is_cut = true;
    size_t n = prose->len < prose->max ? prose->len : prose->max;
    n = whole_characters(prose->at, n);
    while (n > 0 && fg_is_space(prose->at[n - 1]))
        n--;
    prose->len = n;
}

static void grow(struct fg_prose *prose, size_t capacity)
{
    if (capacity > prose->max + STEP)
        capacity = prose->max + STEP;
    char *moved = realloc(prose->at, capacity);
    if (!moved)
        fg_out_of_memory();
    prose->at = moved;
    prose->capacity = capacity;
}

void fg_prose_reserve(struct fg_prose *prose, size_t bytes)
{
    if (bytes > FIRST_BYTES && bytes > prose->capacity)
        grow(prose, bytes);
}

/* Room for one more step; false at the maximum. */
static bool make_room(struct fg_prose *prose)
{
    if (prose->is_cut)
        return false;
    if (prose->len >= prose->max) {
        cut(prose);
        return false;
    }
    if (prose->capacity - prose->len < STEP)
        grow(prose, prose->capacity ? 2 * prose->capacity : FIRST_BYTES);
    return true;
}

/* A byte that stands for itself wherever it stands. */
static bool is_plain(char c)
{
    return (unsigned char)c > ' ' && c != '&';
}

#if defined(__SSE2__)
/* Copy 16 bytes; a bit for each that stops us, and for each blank, goes in at `place`. */
static inline void copy_sixteen(char *out, const char *p, unsigned place, uint64_t *stops,
                                uint64_t *blanks)
{
    __m128i block = _mm_loadu_si128((const __m128i *)p);
    _mm_storeu_si128((__m128i *)out, block);
    __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1F)), block);
    __m128i reference = _mm_cmpeq_epi8(block, _mm_set1_epi8('&'));
    __m128i blank = _mm_cmpeq_epi8(block, _mm_set1_epi8(' '));
    uint64_t stop = (unsigned)_mm_movemask_epi8(_mm_or_si128(control, reference));
    *stops |= stop << place;
    *blanks |= (uint64_t)(unsigned)_mm_movemask_epi8(blank) << place;
}

/* Copy `bytes`, 16 or 64, and say how many of them needed no thought; `next` is the one
 * behind. */
static inline int copy_block(char *out, const char *p, unsigned bytes, char next)
{
    uint64_t stops = 0, blanks = 0;
    for (unsigned i = 0; i < bytes; i += 16)
        copy_sixteen(out + i, p + i, i, &stops, &blanks);
    /* a blank before a stop or another blank is part of a run */
    uint64_t behind = is_plain(next) ? 0 : UINT64_C(1) << (bytes - 1);
    stops |= blanks & ((blanks | stops) >> 1 | behind);
    return stops ? __builtin_ctzll(stops) : (int)bytes;
}
#endif

#if defined(__SSE2__)
/* As copy_block for the last bytes of a run that began at `first`. If it is long enough,
 * some that were copied before are copied once more: a short copy into a block of its own
 * has to be waited for, which took a third of the time of all. */
static int copy_rest(char *out, const char *first, const char *p, const char *end)
{
    int again = 16 - (int)(end - p);
    if (p - first >= again)
        return copy_block(out - again, p - again, 16, '\0') - again;
    char rest[16] = {0};
    memcpy(rest, p, (size_t)(end - p));
    return copy_block(out, rest, 16, '\0');
}
#endif

/* Copy from `p` what needs no thought, as long as there is room. */
static const char *copy_run(struct fg_prose *prose, const char *p, const char *end)
{
    char *out = prose->at + prose->len, *last = prose->at + prose->capacity - 16;
#if defined(__SSE2__)
    const char *first = p;
    int n = 64;
    while (n == 64 && end - p > 64 && last - out >= 48) {
        n = copy_block(out, p, 64, p[64]);
        p += n;
        out += n;
    }
    n = n == 64 ? 16 : 0;
    while (n == 16 && end - p > 16 && out <= last) {
        n = copy_block(out, p, 16, p[16]);
        p += n;
        out += n;
    }
    if (n == 16 && end - p <= 16 && out <= last) {
        n = copy_rest(out, first, p, end);
        p += n;
        out += n;
    }
#else
    while (p < end && out <= last &&
           (is_plain(*p) || (*p == ' ' && end - p > 1 && is_plain(p[1]))))
        *out++ = *p++;
#endif
    prose->len = (size_t)(out - prose->at);
    return p;
}

static void put(struct fg_prose *prose, const char *bytes, size_t n)
{
    if (prose->gap && prose->len)
        prose->at[prose->len++] = prose->gap == FG_PROSE_LINE ? '\n' : ' ';
    prose->gap = FG_PROSE_NONE;
    memcpy(prose->at + prose->len, bytes, n);
    prose->len += n;
}

/* One character or reference, not white space as it is written. */
static const char *put_one(struct fg_prose *prose, const char *p, const char *end,
                           bool with_references)
{
    char out[FG_ENTITY_MAX];
    size_t n = 1, used = 0;
    if (*p == '&' && with_references)
        used = fg_entity_take(p + 1, end, FG_ENTITY_TEXT, out, &n);
    if (used == 0) {
        n = 1;
        out[0] = *p;
    }
    if (n == 1 && fg_is_space(out[0]))
        fg_prose_break(prose, FG_PROSE_BLANK);
    else if (n > 1 || out[0] != '\0')
        put(prose, out, n);
    return p + 1 + used;
}

static void add(struct fg_prose *prose, struct fg_str source, bool with_references)
{
    if (!source.len)
        return;
    const char *p = source.at, *end = source.at + source.len;
    while (p < end) {
        const char *word = html_skip_space(p, end);
        if (word > p)
            fg_prose_break(prose, FG_PROSE_BLANK);
        if (word == end || !make_room(prose))
            return;
        p = put_one(prose, word, end, with_references);
        if (prose->gap == FG_PROSE_NONE && prose->len)
            p = copy_run(prose, p, end);
        if (prose->len > prose->max)
            cut(prose);
    }
}

void fg_prose_add(struct fg_prose *prose, struct fg_str source)
{
    add(prose, source, true);
}

void fg_prose_add_plain(struct fg_prose *prose, struct fg_str source)
{
    add(prose, source, false);
}
