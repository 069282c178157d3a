/* The index has stems, people want words: of the stem that is nearest, the word is taken
 * that a text has for it.
 *
 * Only terms that begin alike are looked at: with the same two letters, the same two
 * swapped, or without the first one. To go through all terms would take seconds, and so
 * would a query of 200 unknown words: the first few are corrected. */
#include "search/suggest.h"

#include "base/buf.h"
#include "base/terms.h"

enum { TERMS_MOST = 20000, LEAST = 3 }; /* looked at, and letters of a word */
enum { CORRECTED_MOST = 4 };            /* words of a query that no page has */

struct nearest {
    struct fg_arena *arena;
    struct fg_str word, first; /* what is looked for, and how terms begin */
    struct fg_str term;
    size_t distance, left;
    uint64_t texts;
};

static bool look(void *context, struct fg_str term, uint64_t texts)
{
    struct nearest *n = context;
    if (!fg_str_starts(term, n->first) || !n->left--)
        return false;
    size_t distance = fg_str_distance(term, n->word);
    if (distance > n->distance || (distance == n->distance && texts <= n->texts))
        return true;
    n->distance = distance;
    n->texts = texts;
    n->term = fg_arena_dup(n->arena, term);
    return true;
}

static enum fg_status look_from(struct nearest *n, struct fg_store *store, char a, char b,
                                struct fg_err *err)
{
    char first[2] = {a, b};
    n->first = (struct fg_str){first, 2};
    n->left = TERMS_MOST;
    return fg_store_terms(store, n->first, look, n, err);
}

/* Short words have too many neighbours. */
static enum fg_status find_nearest(struct nearest *n, struct fg_store *store,
                                   struct fg_err *err)
{
    const char *w = n->word.at;
    n->distance = n->word.len > 5 ? 2 : 1;
    if (n->word.len < LEAST || n->word.len > FG_TERM_MAX)
        return FG_OK;
    enum fg_status st = look_from(n, store, w[0], w[1], err);
    if (!st && w[0] != w[1])
        st = look_from(n, store, w[1], w[0], err);
    return st ? st : look_from(n, store, w[1], w[2], err);
}

struct spelling {
    struct fg_arena *arena;
    struct fg_store *store;
    struct fg_str term, word;
};

/* The first text that has the term: how does it spell it? */
static bool spell(void *context, const struct fg_index_hit *hit)
{
    struct spelling *s = context;
    fg_site_id site;
    fg_page_id page;
    struct fg_indexed_text text;
    struct fg_arena arena = {0};
    if (fg_store_text_page(s->store, hit->number, &site, &page, NULL) ||
        fg_store_text(s->store, &text, &arena, site, page, NULL)) {
        fg_arena_clear(&arena);
        return true;
    }
    struct fg_stemmer *stemmer = fg_stemmer_new(fg_stemmer_language(text.language));
    for (size_t i = 0; i < FG_INDEX_FIELDS && !s->word.len; i++) {
        struct fg_terms terms = fg_terms_of(text.fields[i], stemmer);
        struct fg_term term;
        while (!s->word.len && fg_terms_next(&terms, &term))
            if (fg_str_eq(term.text, s->term))
                s->word = fg_arena_dup(s->arena,
                                       fg_str_sub(text.fields[i], term.from, term.to));
    }
    fg_stemmer_free(stemmer);
    fg_arena_clear(&arena);
    return false;
}

static enum fg_status replace(struct fg_str *word, struct fg_arena *arena,
                              struct fg_store *store, const struct fg_index_group *group,
                              struct fg_err *err)
{
    struct nearest nearest = {.arena = arena, .word = group->phrases[0]};
    enum fg_status st = find_nearest(&nearest, store, err);
    if (st || !nearest.term.len)
        return st;
    struct spelling spelling = {arena, store, nearest.term, {0}};
    struct fg_index_group found = {.phrases = &nearest.term, .n = 1};
    st = fg_store_match(store, &(struct fg_index_query){.groups = &found, .n = 1}, spell,
                        &spelling, err);
    *word = spelling.word.len ? spelling.word : nearest.term;
    return st;
}

enum fg_status fg_suggest(struct fg_str *instead, struct fg_arena *arena,
                          struct fg_store *store, const struct fg_query *query,
                          struct fg_err *err)
{
    struct fg_buf all;
    bool is_other = false;
    size_t unknown = 0;
    enum fg_status st = FG_OK;
    fg_buf_init(&all, FG_QUERY_BYTES * 2);
    for (size_t i = 0; !st && i < query->n; i++) {
        const struct fg_index_group *group = &query->groups[i];
        struct fg_str word = query->words[i];
        double texts = 1;
        bool is_word = fg_str_chr(group->phrases[0], ' ') == FG_NOT_FOUND;
        if (is_word && !group->is_unwanted && !group->prefix.len &&
            unknown < CORRECTED_MOST)
            st = fg_store_frequency(
                store, &(struct fg_index_group){.phrases = group->phrases, .n = group->n},
                &texts, err);
        if (!st && texts < 1) {
            struct fg_str other = {0};
            unknown++;
            st = replace(&other, arena, store, group, err);
            is_other |= other.len > 0;
            word = other.len ? other : word;
        }
        const char *quote = group->is_needed ? "\"" : "";
        fg_buf_printf(&all, "%s%s%s%.*s%s", i ? " " : "", group->is_unwanted ? "-" : "",
                      quote, FG_ARG(word), quote);
    }
    *instead = is_other ? fg_arena_dup(arena, fg_buf_str(&all)) : (struct fg_str){0};
    fg_buf_clear(&all);
    return st;
}
