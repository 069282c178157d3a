#include "search/query.h"

#include "base/buf.h"
#include "base/terms.h"
#include "base/utf8.h"
#include "base/vec.h"

struct reader {
    struct fg_query *query;
    struct fg_arena *arena;
    struct fg_stemmer **stemmers;
    size_t n_stemmers;
    struct fg_err *err;
};

/* Something typed: a word, or what stands between quotes. */
struct item {
    struct fg_str text;
    bool is_quoted, is_unwanted, is_prefix;
};

/* --- what was typed --- */

static bool is_blank(char c)
{
    return (unsigned char)c <= ' ' || c == 0x7f;
}

static bool next_item(struct fg_str *rest, struct item *item)
{
    size_t at = 0;
    while (at < rest->len && is_blank(rest->at[at]))
        at++;
    *rest = fg_str_skip(*rest, at);
    if (!rest->len)
        return false;
    *item = (struct item){.is_unwanted = rest->at[0] == '-' && rest->len > 1 &&
                                         !is_blank(rest->at[1])};
    *rest = fg_str_skip(*rest, item->is_unwanted);
    size_t end = 0;
    if (rest->at[0] == '"') {
        item->is_quoted = true;
        *rest = fg_str_skip(*rest, 1);
        end = fg_str_chr(*rest, '"');
        item->text = fg_str_sub(*rest, 0, end);
        *rest = end == FG_NOT_FOUND ? (struct fg_str){0} : fg_str_skip(*rest, end + 1);
        return true;
    }
    while (end < rest->len && !is_blank(rest->at[end]) && rest->at[end] != '"')
        end++;
    item->text = fg_str_sub(*rest, 0, end);
    item->is_prefix = end > 1 && rest->at[end - 1] == '*';
    *rest = fg_str_skip(*rest, end);
    return true;
}

/* --- groups --- */

/* The terms of a text in one language, from the `at`th on: those that belong together as
 * one phrase, up to `most`. How many; `at` moves behind them. */
static size_t take_phrase(struct fg_buf *phrase, struct fg_str text,
                          struct fg_stemmer *stemmer, bool is_whole, size_t *at)
{
    struct fg_terms terms = fg_terms_of(text, stemmer);
    struct fg_term term;
    size_t n = 0, i = 0;
    fg_buf_reset(phrase);
    for (; n < FG_PHRASE_WORDS && fg_terms_next(&terms, &term); i++) {
        if (i < *at)
            continue;
        if (n && !is_whole && !term.joins)
            break;
        if (n)
            fg_buf_add_char(phrase, ' ');
        fg_buf_add(phrase, term.text);
        n++;
    }
    *at += n;
    return n;
}

static bool has_phrase(const struct fg_index_group *group, struct fg_str phrase)
{
    for (size_t i = 0; i < group->n; i++)
        if (fg_str_eq(group->phrases[i], phrase))
            return true;
    return false;
}

/* In every language, from the `at`th word of the text on; false if there is none. */
static bool read_group(struct reader *r, struct fg_index_group *group,
                       const struct item *item, size_t *at)
{
    struct fg_str *phrases = FG_NEW(r->arena, struct fg_str, r->n_stemmers);
    struct fg_buf phrase;
    size_t from = *at;
    fg_buf_init(&phrase, FG_QUERY_BYTES * 4);
    *group = (struct fg_index_group){.phrases = phrases};
    for (size_t i = 0; i < r->n_stemmers; i++) {
        *at = from;
        size_t n = take_phrase(&phrase, item->text, r->stemmers[i], item->is_quoted, at);
        if (n && !has_phrase(group, fg_buf_str(&phrase)))
            phrases[group->n++] = fg_arena_dup(r->arena, fg_buf_str(&phrase));
    }
    fg_buf_clear(&phrase);
    group->is_unwanted = item->is_unwanted;
    group->is_needed = item->is_quoted && !item->is_unwanted;
    return group->n > 0;
}

static bool is_same(const struct fg_index_group *a, const struct fg_index_group *b)
{
    return a->n == b->n && fg_str_eq(a->phrases[0], b->phrases[0]) &&
           fg_str_eq(a->prefix, b->prefix) && a->is_unwanted == b->is_unwanted &&
           a->is_needed == b->is_needed;
}

static enum fg_status add_group(struct reader *r, const struct fg_index_group *group,
                                struct fg_str typed)
{
    struct fg_query *query = r->query;
    for (size_t i = 0; i < query->n; i++)
        if (is_same(&query->groups[i], group)) {
            query->times[i]++;
            return FG_OK;
        }
    size_t unwanted = query->n - query->n_wanted;
    if (query->n == FG_QUERY_GROUPS ||
        (group->is_unwanted && unwanted == FG_QUERY_UNWANTED))
        return fg_fail(r->err, FG_ECONFIG, "too many words: at most %d, and %d with '-'",
                       FG_QUERY_GROUPS, FG_QUERY_UNWANTED);
    query->groups[query->n] = *group;
    query->words[query->n] = typed;
    query->times[query->n++] = 1;
    query->n_wanted += !group->is_unwanted;
    return FG_OK;
}

/* The stem of a prefix may be shorter than it: both are looked for. */
static enum fg_status add_prefix(struct reader *r, struct fg_index_group *group,
                                 const struct item *item)
{
    struct fg_buf prefix;
    size_t at = 0;
    fg_buf_init(&prefix, FG_QUERY_BYTES);
    size_t n = take_phrase(&prefix, item->text, r->stemmers[0], true, &at);
    if (n == 1 && prefix.len >= FG_PREFIX_BYTES)
        group->prefix = fg_arena_dup(r->arena, fg_buf_str(&prefix));
    fg_buf_clear(&prefix);
    return group->prefix.len
               ? FG_OK
               : fg_fail(r->err, FG_ECONFIG, "'%.*s': a prefix needs at least %d letters",
                         FG_ARG(fg_str_sub(item->text, 0, 40)), FG_PREFIX_BYTES);
}

static enum fg_status read_item(struct reader *r, const struct item *item)
{
    struct fg_index_group group;
    enum fg_status st = FG_OK;
    for (size_t at = 0; !st && read_group(r, &group, item, &at);) {
        bool is_prefix = item->is_prefix && !group.is_needed;
        if (is_prefix)
            st = add_prefix(r, &group, item);
        if (!st)
            st = add_group(r, &group, item->text);
        if (is_prefix)
            break;
    }
    return st;
}

enum fg_status fg_query_read(struct fg_query *query, struct fg_arena *arena,
                             struct fg_str text, const char *const *codes, size_t n_codes,
                             struct fg_err *err)
{
    if (text.len > FG_QUERY_BYTES)
        return fg_fail(err, FG_ECONFIG, "the query is too long: %zu bytes, at most %d",
                       text.len, FG_QUERY_BYTES);
    struct reader r = {.query = query, .arena = arena, .err = err};
    /* The first leaves words as they are: prefixes are of these. */
    r.stemmers = FG_NEW(arena, struct fg_stemmer *, n_codes + 1);
    r.stemmers[r.n_stemmers++] = fg_stemmer_new("");
    for (size_t i = 0; i < n_codes; i++)
        if (*codes[i])
            r.stemmers[r.n_stemmers++] = fg_stemmer_new(codes[i]);
    struct fg_str rest = fg_utf8_clean(arena, text);
    struct item item;
    enum fg_status st = FG_OK;
    *query = (struct fg_query){0};
    while (!st && next_item(&rest, &item))
        st = read_item(&r, &item);
    for (size_t i = 0; i < r.n_stemmers; i++)
        fg_stemmer_free(r.stemmers[i]);
    if (!st && !query->n_wanted)
        st = fg_fail(err, FG_ECONFIG, "nothing to search for: give at least one word%s",
                     query->n ? " without '-'" : "");
    return st;
}

struct fg_str fg_query_normal(struct fg_arena *arena, struct fg_str words)
{
    char *out = fg_arena_bytes(arena, words.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < words.len; i++) {
        bool is_blank = (unsigned char)words.at[i] <= ' ' || words.at[i] == 0x7f;
        if (!is_blank)
            out[n++] = fg_lower(words.at[i]);
        else if (n && out[n - 1] != ' ')
            out[n++] = ' ';
    }
    return fg_str_trim((struct fg_str){out, n});
}
