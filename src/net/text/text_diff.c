/* Words are compared by their hashes. What both texts begin and end with is set aside;
 * of the rest, Myers' greedy search finds the furthest point on each diagonal for one
 * more edit at a time, and its steps are kept, to be walked back. The steps of d edits
 * are 2 d + 1 numbers, so the limit on edits bounds memory (2 MB) and time alike. */
#include "net/text/text_diff.h"

#include "base/arena.h"
#include "base/vec.h"

enum { MOST_EDITS = 700, MOST_WORDS = 200000, CONTEXT = 4, WORD_BYTES = 200 };

struct words {
    struct fg_str *at;
    uint64_t *hash;
    bool *begins_line;
    size_t n;
};

/* One place that differs: words [a, a_end) became words [b, b_end). */
struct hunk {
    size_t a, a_end, b, b_end;
};

static struct words words_of(struct fg_arena *arena, struct fg_str text)
{
    FG_VEC(struct fg_str) found = {0};
    FG_VEC(bool) begins = {0};
    size_t i = 0;
    while (i < text.len && found.len < MOST_WORDS) {
        bool is_next_line = false;
        while (i < text.len && fg_is_space(text.at[i]))
            is_next_line |= text.at[i++] == '\n';
        size_t first = i;
        while (i < text.len && !fg_is_space(text.at[i]))
            i++;
        if (i == first)
            continue;
        fg_vec_push(&found, fg_str_sub(text, first, i));
        fg_vec_push(&begins, is_next_line || found.len == 1);
    }
    struct words words = {.n = found.len};
    words.at = FG_NEW(arena, struct fg_str, found.len);
    words.hash = FG_NEW(arena, uint64_t, found.len);
    words.begins_line = FG_NEW(arena, bool, found.len);
    for (size_t w = 0; w < found.len; w++) {
        words.at[w] = found.at[w];
        words.hash[w] = fg_str_hash(found.at[w]);
        words.begins_line[w] = begins.at[w];
    }
    fg_vec_clear(&begins);
    fg_vec_clear(&found);
    return words;
}

/* --- the shortest way from one to the other --- */

struct search {
    const uint64_t *a, *b;
    ptrdiff_t n, m;
    ptrdiff_t **steps; /* steps[d][d + k]: how far on diagonal k with d edits */
};

static ptrdiff_t step_at(const struct search *s, ptrdiff_t d, ptrdiff_t k)
{
    return d < 0 || k < -d || k > d ? -1 : s->steps[d][d + k];
}

static bool comes_from_above(const struct search *s, ptrdiff_t d, ptrdiff_t k)
{
    return k == -d || (k != d && step_at(s, d - 1, k - 1) < step_at(s, d - 1, k + 1));
}

/* The number of edits, or -1 if more than MOST_EDITS are needed. */
static ptrdiff_t find(struct search *s, struct fg_arena *arena)
{
    s->steps = FG_NEW(arena, ptrdiff_t *, MOST_EDITS + 1);
    for (ptrdiff_t d = 0; d <= MOST_EDITS; d++) {
        s->steps[d] = FG_NEW(arena, ptrdiff_t, (size_t)(2 * d + 1));
        for (ptrdiff_t k = -d; k <= d; k += 2) {
            ptrdiff_t x = !d                          ? 0
                          : comes_from_above(s, d, k) ? step_at(s, d - 1, k + 1)
                                                      : step_at(s, d - 1, k - 1) + 1;
            while (x < s->n && x - k < s->m && x - k >= 0 && s->a[x] == s->b[x - k])
                x++;
            s->steps[d][d + k] = x;
            if (x >= s->n && x - k >= s->m)
                return d;
        }
    }
    return -1;
}

/* Marks the words that only one of them has. */
static void walk_back(const struct search *s, ptrdiff_t d, bool *gone, bool *come)
{
    ptrdiff_t x = s->n, y = s->m;
    for (; d > 0; d--) {
        ptrdiff_t k = x - y;
        bool is_down = comes_from_above(s, d, k);
        ptrdiff_t from = is_down ? k + 1 : k - 1;
        x = step_at(s, d - 1, from);
        y = x - from;
        if (is_down)
            come[y] = true;
        else
            gone[x] = true;
    }
}

/* --- saying it --- */

static bool is_full(const struct fg_buf *out, size_t limit)
{
    return out->len >= limit;
}

/* A "word" may be a kilobyte of something; its beginning will do. */
static void add_word(struct fg_buf *out, struct fg_str word)
{
    size_t n = word.len;
    if (n > WORD_BYTES)
        for (n = WORD_BYTES; n && ((unsigned char)word.at[n] & 0xC0) == 0x80;)
            n--;
    fg_buf_add(out, fg_str_sub(word, 0, n));
    if (n < word.len)
        fg_buf_add(out, FG_STR("..."));
}

/* Lines are told apart as those of a poem are. */
static struct fg_str gap_before(const struct words *words, size_t i)
{
    return i < words->n && words->begins_line[i] ? FG_STR(" / ") : FG_STR(" ");
}

static void add_words(struct fg_buf *out, const struct words *words, size_t first,
                      size_t end, size_t limit)
{
    for (size_t i = first; i < end; i++) {
        if (i > first)
            fg_buf_add(out, gap_before(words, i));
        if (is_full(out, limit)) {
            fg_buf_add(out, FG_STR("..."));
            return;
        }
        add_word(out, words->at[i]);
    }
}

static void add_marked(struct fg_buf *out, const char *open, const char *close,
                       const struct words *words, size_t first, size_t end, size_t limit)
{
    if (first == end)
        return;
    fg_buf_add(out, fg_str_from(open));
    add_words(out, words, first, end, limit);
    fg_buf_add(out, fg_str_from(close));
}

/* The words around a place: those of its own line, or if it has no others, some of the
 * lines before and after. Both texts have them; they are counted in the newer one. */
struct around {
    size_t first, end;
};

static struct around around_of(const struct words *a, const struct words *b,
                               const struct hunk *hunk)
{
    struct around found = {hunk->b, hunk->b_end};
    bool begins = hunk->b < hunk->b_end   ? b->begins_line[hunk->b]
                  : hunk->a < hunk->a_end ? a->begins_line[hunk->a]
                                          : false;
    for (; found.first && hunk->b - found.first < CONTEXT && !begins; found.first--)
        begins = b->begins_line[found.first - 1];
    while (found.end < b->n && found.end - hunk->b_end < CONTEXT &&
           !b->begins_line[found.end])
        found.end++;
    if (found.first == hunk->b && found.end == hunk->b_end) {
        found.first = hunk->b > CONTEXT ? hunk->b - CONTEXT : 0;
        found.end = hunk->b_end + CONTEXT < b->n ? hunk->b_end + CONTEXT : b->n;
    }
    return found;
}

static void add_hunk(struct fg_buf *out, const struct words *a, const struct words *b,
                     const struct hunk *hunk, size_t limit)
{
    struct around around = around_of(a, b, hunk);
    size_t half = out->len + (limit > out->len ? (limit - out->len) / 2 : 0);
    bool has_gone = hunk->a < hunk->a_end, has_come = hunk->b < hunk->b_end;
    if (around.first)
        fg_buf_add(out, FG_STR("... "));
    add_words(out, b, around.first, hunk->b, limit);
    if (around.first < hunk->b)
        fg_buf_add(out, has_come ? gap_before(b, hunk->b) : gap_before(a, hunk->a));
    add_marked(out, "[-", "-]", a, hunk->a, hunk->a_end, has_come ? half : limit);
    if (has_gone && has_come)
        fg_buf_add_char(out, ' ');
    add_marked(out, "{+", "+}", b, hunk->b, hunk->b_end, limit);
    if (hunk->b_end < around.end)
        fg_buf_add(out, gap_before(b, hunk->b_end));
    add_words(out, b, hunk->b_end, around.end, limit);
    if (around.end < b->n)
        fg_buf_add(out, FG_STR(" ..."));
}

static void add_hunks(struct fg_buf *out, const struct words *a, const struct words *b,
                      const struct hunk *hunks, size_t n, size_t limit)
{
    for (size_t i = 0; i < n; i++) {
        if (i && is_full(out, limit)) {
            fg_buf_printf(out, "\n... and %zu more %s", n - i,
                          n - i == 1 ? "place" : "places");
            return;
        }
        if (i)
            fg_buf_add_char(out, '\n');
        add_hunk(out, a, b, &hunks[i], limit);
    }
}

/* Words that stay, but stand alone between two that change, would only hurt the eye. */
static bool is_near(const struct hunk *last, size_t a)
{
    return a - last->a_end <= 1;
}

static size_t collect(struct fg_arena *arena, struct hunk **hunks, const bool *gone,
                      size_t n, const bool *come, size_t m)
{
    FG_VEC(struct hunk) found = {0};
    size_t a = 0, b = 0;
    while (a < n || b < m) {
        struct hunk hunk = {a, a, b, b};
        while (hunk.a_end < n && gone[hunk.a_end])
            hunk.a_end++;
        while (hunk.b_end < m && come[hunk.b_end])
            hunk.b_end++;
        bool is_one = hunk.a_end > hunk.a || hunk.b_end > hunk.b;
        if (is_one && found.len && is_near(&found.at[found.len - 1], hunk.a)) {
            found.at[found.len - 1].a_end = hunk.a_end;
            found.at[found.len - 1].b_end = hunk.b_end;
        } else if (is_one) {
            fg_vec_push_in(arena, &found, hunk);
        }
        a = hunk.a_end + (hunk.a_end < n);
        b = hunk.b_end + (hunk.b_end < m);
    }
    *hunks = found.at;
    return found.len;
}

bool fg_text_diff(struct fg_buf *out, struct fg_str before, struct fg_str after,
                  size_t most)
{
    struct fg_arena arena = {0};
    struct words a = words_of(&arena, before), b = words_of(&arena, after);
    size_t start = 0, end = 0, shorter = a.n < b.n ? a.n : b.n;
    while (start < shorter && a.hash[start] == b.hash[start])
        start++;
    while (end < shorter - start && a.hash[a.n - 1 - end] == b.hash[b.n - 1 - end])
        end++;
    size_t n = a.n - start - end, m = b.n - start - end;
    bool is_different = n || m;
    struct search s = {a.hash + start, b.hash + start, (ptrdiff_t)n, (ptrdiff_t)m, NULL};
    ptrdiff_t edits = is_different ? find(&s, &arena) : 0;
    struct hunk whole = {start, start + n, start, start + m}, *hunks = &whole;
    size_t n_hunks = is_different;
    if (is_different && edits >= 0) {
        bool *gone = FG_NEW(&arena, bool, n + 1), *come = FG_NEW(&arena, bool, m + 1);
        walk_back(&s, edits, gone, come);
        n_hunks = collect(&arena, &hunks, gone, n, come, m);
        for (size_t i = 0; i < n_hunks; i++) {
            hunks[i].a += start, hunks[i].a_end += start;
            hunks[i].b += start, hunks[i].b_end += start;
        }
    }
    add_hunks(out, &a, &b, hunks, n_hunks, out->len + most);
    fg_arena_clear(&arena);
    return is_different;
}
