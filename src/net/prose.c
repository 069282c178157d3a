/* Text is copied sixteen bytes at a time up to the first byte that needs a thought: a
 * control character, an ampersand, a second blank. Everything else goes one by one. */
#include "net/prose.h"

#include "base/err.h"
#include "net/entity.h"
#include "net/html_scan.h"

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
/* Copy 16 bytes and say how many of them needed no thought; `next` is the one behind. */
static int copy_block(char *out, const char *p, char next)
{
    __m128i block = _mm_loadu_si128((const __m128i *)p);
    _mm_storeu_si128((__m128i *)out, block);
    __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1F)), block);
    __m128i reference = _mm_cmpeq_epi8(block, _mm_set1_epi8('&'));
    unsigned stops = (unsigned)_mm_movemask_epi8(_mm_or_si128(control, reference));
    unsigned blanks =
        (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8(' ')));
    /* a blank before a stop or another blank is part of a run */
    stops |= blanks & ((blanks | stops) >> 1 | (is_plain(next) ? 0 : 0x8000));
    return stops ? __builtin_ctz(stops) : 16;
}
#endif

/* Copy from `p` what needs no thought, as long as there is room. */
static const char *copy_run(struct fg_prose *prose, const char *p, const char *end)
{
    char *out = prose->at + prose->len, *last = prose->at + prose->capacity - 16;
#if defined(__SSE2__)
    int n = 16;
    while (n == 16 && end - p > 16 && out <= last) {
        n = copy_block(out, p, p[16]);
        p += n;
        out += n;
    }
    if (n == 16 && end - p <= 16 && out <= last) {
        char rest[16] = {0};
        memcpy(rest, p, (size_t)(end - p));
        n = copy_block(out, rest, '\0');
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
