#include "search/snippet.h"

#include "base/map.h"
#include "base/terms.h"
#include "base/utf8.h"
#include "base/vec.h"

static const char ellipsis[3] = {'\xE2', '\x80', '\xA6'};

enum { LOOKED_AT = 1 << 18, MARKS_MOST = 4096 }; /* of a text: bytes, and words found */

/* A word of the text that a group asks for. */
struct found {
    uint32_t from, to;
    uint16_t group;
};

struct finding {
    struct fg_arena *arena;
    const struct fg_index_group *groups;
    size_t n_groups;
    struct fg_names terms; /* single terms of groups: the group + 1 */
    struct found *at;
    size_t len;
};

/* A phrase is marked word by word: that its words stand together somewhere is why the
 * text was found. */
static void note_terms(struct finding *f)
{
    for (size_t i = 0; i < f->n_groups; i++) {
        if (f->groups[i].is_unwanted)
            continue;
        for (size_t j = 0; j < f->groups[i].n; j++) {
            struct fg_str term, rest = f->groups[i].phrases[j];
            while (rest.len && fg_str_cut(&rest, ' ', &term)) {
                uint64_t *group = fg_names_put(&f->terms, term);
                if (!*group)
                    *group = i + 1;
            }
        }
    }
}

static size_t group_of(const struct finding *f, struct fg_str term)
{
    const uint64_t *group = fg_names_get(&f->terms, term);
    if (group)
        return *group;
    for (size_t i = 0; i < f->n_groups; i++)
        if (f->groups[i].prefix.len && !f->groups[i].is_unwanted &&
            fg_str_starts(term, f->groups[i].prefix))
            return i + 1;
    return 0;
}

static void find_all(struct finding *f, struct fg_str text, struct fg_stemmer *stemmer)
{
    struct fg_terms terms = fg_terms_of(fg_str_sub(text, 0, LOOKED_AT), stemmer);
    struct fg_term term;
    f->at = FG_NEW(f->arena, struct found, MARKS_MOST);
    while (f->len < MARKS_MOST && fg_terms_next(&terms, &term)) {
        size_t group = group_of(f, term.text);
        if (group)
            f->at[f->len++] = (struct found){(uint32_t)term.from, (uint32_t)term.to,
                                             (uint16_t)(group - 1)};
    }
}

/* The first of the words found with which the best passage begins. A group counts once
 * fully and each time again a little. */
static size_t best_start(const struct finding *f, size_t bytes)
{
    size_t best = 0;
    double best_worth = -1;
    for (size_t i = 0; i < f->len; i++) {
        bool seen[256] = {false};
        double worth = 0;
        for (size_t j = i; j < f->len && f->at[j].to - f->at[i].from <= bytes; j++) {
            bool *is_seen = &seen[f->at[j].group % 256];
            worth += *is_seen ? 0.1 : 1;
            *is_seen = true;
        }
        if (worth > best_worth) {
            best_worth = worth;
            best = i;
        }
    }
    return best;
}

/* Back to where a word begins, at most so far. */
static size_t start_at(struct fg_str text, size_t at, size_t back)
{
    size_t from = at > back ? at - back : 0;
    if (!from)
        return 0;
    while (from < at && !fg_is_space(text.at[from - 1]))
        from++;
    return from;
}

static size_t end_at(struct fg_str text, size_t from, size_t bytes)
{
    size_t to = from + bytes;
    if (to >= text.len)
        return text.len;
    size_t word = to;
    while (word > from + bytes / 2 && !fg_is_space(text.at[word]))
        word--;
    if (fg_is_space(text.at[word]))
        return word;
    while (to > from && ((unsigned char)text.at[to] & 0xC0) == 0x80)
        to--;
    return to;
}

/* What could act on a terminal, or turn the order of what follows. */
static bool is_blank(uint32_t c)
{
    return c <= ' ' || (c >= 0x7f && c <= 0xa0) || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202f) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

struct fg_marked fg_snippet_of(struct fg_arena *arena, struct fg_str text,
                               struct fg_stemmer *stemmer,
                               const struct fg_index_group *groups, size_t n,
                               size_t bytes)
{
    struct finding f = {
        .arena = arena, .groups = groups, .n_groups = n, .terms = {.arena = arena}};
    note_terms(&f);
    find_all(&f, text, stemmer);
    size_t first = best_start(&f, bytes);
    size_t from = f.len ? start_at(text, f.at[first].from, bytes / 4) : 0;
    size_t to = end_at(text, from, bytes);
    char *out = fg_arena_bytes(arena, (to - from) + 16);
    struct fg_marked snippet = {.text.at = out,
                                .marks = FG_NEW(arena, struct fg_mark, f.len + 1)};
    size_t len = 0, next = 0;
    if (from)
        memcpy(out, ellipsis, sizeof ellipsis), len = sizeof ellipsis;
    while (next < f.len && f.at[next].from < from)
        next++;
    for (const char *at = text.at + from, *end = text.at + to; at < end;) {
        size_t here = (size_t)(at - text.at);
        struct fg_mark *mark = &snippet.marks[snippet.n_marks];
        if (next < f.len && here == f.at[next].to && mark->to)
            mark->to = len, snippet.n_marks++, next++;
        mark = &snippet.marks[snippet.n_marks];
        if (next < f.len && here == f.at[next].from)
            *mark = (struct fg_mark){len, SIZE_MAX};
        uint32_t c = fg_utf8_take(&at, end);
        if (!is_blank(c) && c != 0xFFFD)
            len += fg_utf8_put(out + len, c);
        else if (len && out[len - 1] != ' ')
            out[len++] = ' ';
    }
    struct fg_mark *open = &snippet.marks[snippet.n_marks];
    if (next < f.len && open->to)
        open->to = len, snippet.n_marks++;
    if (to < text.len)
        memcpy(out + len, ellipsis, sizeof ellipsis), len += sizeof ellipsis;
    snippet.text.len = len;
    return snippet;
}
