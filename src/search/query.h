/* query.h - what somebody typed, as groups of terms
 *
 *     struct fg_query query;
 *     st = fg_query_read(&query, arena, FG_STR("wild \"porcini risotto\" truff* -oil"),
 *                        codes, n_codes, err);
 *
 * Words, "phrases", prefixes with a star at their end, and a minus before what must not
 * occur; everything else is text. A phrase must occur; of words as many as possible. A
 * quote without its partner counts to the end. There are no other operators, so nothing
 * typed can be a malformed query, and nothing can be expensive but by its length, which
 * is bounded.
 *
 * A word is looked for by its stem in every language that the index has, since the index
 * has the stems of its pages' own languages: "houses" is "hous" for an English page and
 * "houses" for a German one. */
#ifndef FG_SEARCH_QUERY_H
#define FG_SEARCH_QUERY_H

#include "base/arena.h"
#include "base/err.h"
#include "store/index.h"

enum {
    FG_QUERY_BYTES = 4096,  /* of what is typed */
    FG_QUERY_GROUPS = 256,  /* words and phrases that differ */
    FG_PHRASE_WORDS = 16,   /* of a phrase */
    FG_QUERY_UNWANTED = 32, /* of the groups, those with a minus */
    FG_PREFIX_BYTES = 3     /* of a prefix, at least */
};

struct fg_query {
    struct fg_index_group groups[FG_QUERY_GROUPS];
    struct fg_str words[FG_QUERY_GROUPS]; /* each group as it was typed */
    double times[FG_QUERY_GROUPS];        /* and how often */
    size_t n;
    size_t n_wanted; /* of the groups, those without a minus */
};

/* FG_ECONFIG with words that say what is wrong: nothing to look for, or too much. */
enum fg_status fg_query_read(struct fg_query *query, struct fg_arena *arena,
                             struct fg_str text, const char *const *codes, size_t n_codes,
                             struct fg_err *err);

/* The words as a whole, in lower case and with single blanks: those who ask the same
 * count together. What is not text is left out. */
struct fg_str fg_query_normal(struct fg_arena *arena, struct fg_str words);

#endif
