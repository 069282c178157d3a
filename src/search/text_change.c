#include "search/text_change.h"

#include <math.h>

/* Bits of a set of shingles. Of long texts only some shingles are in it. */
enum { SHINGLES = 1 << 13, SHINGLES_FULL = SHINGLES / 8, WINDOW = 4 };

/* Words that differ side by side until two texts are held to have lost each other. */
enum { LOST = 12 };

enum side { WAS, IS };

/* Two texts that are compared: what is left of each, how many shingles both have, and the
 * terms of the parts where they have lost each other. */
struct comparison {
    struct fg_text_change *change;
    struct fg_str left[2];
    double common;
    size_t apart[2];
    uint64_t sets[2][SHINGLES / 64];
};

void fg_text_change_clear(struct fg_text_change *change)
{
    fg_vec_clear(&change->hashes[WAS]);
    fg_vec_clear(&change->hashes[IS]);
}

static size_t words_in(struct fg_str terms)
{
    const uint64_t ones = 0x0101010101010101U;
    size_t blanks = 0, i = 0;
    for (; i + FG_WORDS_LOAD <= terms.len; i += FG_WORDS_LOAD)
        blanks += (fg_words_blanks(fg_words_load(terms.at + i)) >> 7) * ones >> 56;
    for (; i < terms.len; i++)
        blanks += terms.at[i] == ' ';
    return blanks + (terms.len && terms.at[terms.len - 1] != ' ');
}

static size_t least_len(struct fg_str a, struct fg_str b)
{
    return a.len < b.len ? a.len : b.len;
}

/* Bytes that both begin with, up to the end of a term. */
static size_t common_start(struct fg_str a, struct fg_str b)
{
    size_t most = least_len(a, b), n = 0;
    while (n + FG_WORDS_LOAD <= most &&
           fg_words_load(a.at + n) == fg_words_load(b.at + n))
        n += FG_WORDS_LOAD;
    while (n < most && a.at[n] == b.at[n])
        n++;
    if (n == a.len && n == b.len)
        return n;
    while (n && a.at[n - 1] != ' ')
        n--;
    return n;
}

static bool starts_term(struct fg_str text, size_t from_end)
{
    return from_end == text.len || text.at[text.len - from_end - 1] == ' ';
}

/* ... and end with, from the beginning of a term on. */
static size_t common_end(struct fg_str a, struct fg_str b)
{
    size_t most = least_len(a, b), n = 0;
    const char *end_a = a.at + a.len, *end_b = b.at + b.len;
    while (n + 64 <= most && memcmp(end_a - n - 64, end_b - n - 64, 64) == 0)
        n += 64;
    while (n < most && end_a[-1 - (ptrdiff_t)n] == end_b[-1 - (ptrdiff_t)n])
        n++;
    while (n && !(starts_term(a, n) && starts_term(b, n)))
        n--;
    return n;
}

/* A text begins with shingles of less than four terms. */
static void add_common(struct comparison *c, size_t words, bool is_start)
{
    c->change->words[WAS] += words;
    c->change->words[IS] += words;
    if (is_start)
        c->common += (double)words;
    else if (words >= WINDOW)
        c->common += (double)(words - WINDOW + 1);
}

static inline uint64_t take_changed(struct comparison *c, enum side side)
{
    uint64_t hash = fg_words_next(&c->left[side]);
    fg_vec_push(&c->change->hashes[side], hash);
    c->change->words[side]++;
    return hash;
}

/* --- parts where they have lost each other --- */

/* Bits that a shingle must not have to be in a set: so many that they do not fill it. */
static uint64_t thinned(size_t words)
{
    uint64_t thin = 0;
    for (size_t n = words; n > SHINGLES_FULL; n /= 2)
        thin = thin << 1 | 1;
    return thin;
}

static void take_apart(struct comparison *c, enum side side, uint64_t thin)
{
    uint64_t last[WINDOW - 1] = {0}, *set = c->sets[side];
    memset(set, 0, sizeof c->sets[side]);
    for (; c->left[side].len; c->apart[side]++) {
        uint64_t hash = take_changed(c, side);
        uint64_t shingle = (hash ^ last[0]) * 0x94D049BB133111EBU;
        last[0] = last[1] + (hash << 17 | hash >> 47);
        last[1] = last[2] + (hash << 31 | hash >> 33);
        last[2] = hash << 43 | hash >> 21;
        if (!(shingle >> 32 & thin))
            set[shingle >> 51 & (SHINGLES / 64 - 1)] |= (uint64_t)1 << (shingle >> 58);
    }
}

/* What both sets have by the sum of what they have, less the bits shared by chance. */
static double alike(const struct comparison *c)
{
    double was = 0, is = 0, both = 0;
    for (size_t i = 0; i < SHINGLES / 64; i++) {
        was += (double)__builtin_popcountll(c->sets[WAS][i]);
        is += (double)__builtin_popcountll(c->sets[IS][i]);
        both += (double)__builtin_popcountll(c->sets[WAS][i] & c->sets[IS][i]);
    }
    double likely = both - was * is / SHINGLES;
    both = fmax(likely / (1 - (was + is - both) / SHINGLES), 0);
    return was + is > 0 ? both / (was + is) : 0;
}

static void compare_apart(struct comparison *c)
{
    uint64_t thin = thinned((words_in(c->left[WAS]) + words_in(c->left[IS])) / 2);
    take_apart(c, WAS, thin);
    take_apart(c, IS, thin);
    c->common += alike(c) * (double)(c->apart[WAS] + c->apart[IS]);
}

/* --- the whole --- */

static void compare(struct comparison *c)
{
    struct fg_str *a = &c->left[WAS], *b = &c->left[IS];
    size_t lost = 0;
    while (a->len || b->len) {
        size_t same = common_start(*a, *b);
        if (same) {
            add_common(c, words_in(fg_str_sub(*a, 0, same)), !c->change->words[WAS]);
            fg_words_skip(a, same);
            fg_words_skip(b, same);
            lost = 0;
        } else if (++lost > LOST) {
            compare_apart(c);
        } else {
            for (int side = WAS; side <= IS; side++)
                if (c->left[side].len)
                    take_changed(c, (enum side)side);
        }
    }
}

void fg_text_change_find(struct fg_text_change *change, struct fg_str was,
                         struct fg_str is)
{
    struct comparison c;
    c.change = change;
    c.common = 0;
    c.apart[WAS] = c.apart[IS] = 0;
    for (int side = WAS; side <= IS; side++)
        change->hashes[side].len = change->words[side] = 0;
    size_t tail = common_end(was, is);
    c.left[WAS] = fg_str_sub(was, 0, was.len - tail);
    c.left[IS] = fg_str_sub(is, 0, is.len - tail);
    compare(&c);
    add_common(&c, words_in(fg_str_skip(was, was.len - tail)),
               !change->words[WAS] && !change->words[IS]);
    double any = (double)(change->words[WAS] + change->words[IS]) - c.common;
    change->distance = any > 0 ? fmax(1 - c.common / any, 0) : 0;
}
