/* workload.h - what people search for, as frequencies that fade
 *
 *     struct fg_asked_queries asked;
 *     st = fg_asked_load(&asked, arena, store, today, err);
 *     for (size_t i = 0; i < asked.n; i++) ...asked.at[i].terms, .frequency...
 *     struct fg_asked_queries single = fg_asked_single(&asked, arena);
 *
 * From the store's log of searches, our own and imported ones: a search counts half after
 * each FG_ASKED_HALF_LIFE days. Frequencies sum up to 1, the highest first. Queries are
 * sets of terms (base/terms.h); those that are the same set count together. Excluded
 * words (-word) are left out, phrases are their words.
 *
 * Words are reduced to their stems in the language that the index has texts of: English
 * if it has any, else the first. Where it has others, their stems are other spellings of
 * the same term, and so is the word itself.
 *
 * Pandey's thesis, 4.6.1, breaks queries into single terms, each with the summed
 * frequency of the queries that hold it: fg_asked_single. */
#ifndef FG_SEARCH_WORKLOAD_H
#define FG_SEARCH_WORKLOAD_H

#include "base/arena.h"
#include "store/index.h"

enum { FG_ASKED_HALF_LIFE = 30, FG_ASKED_TERMS = 8, FG_ASKED_MOST = 20000 };

struct fg_asked_query {
    struct fg_str terms[FG_ASKED_TERMS]; /* in the order of their bytes, each once */
    size_t n;
    double frequency;
};

/* How a term is written in a text of another language. */
struct fg_asked_spelling {
    struct fg_str term, also;
};

struct fg_asked_queries {
    struct fg_asked_query *at; /* in the arena; at most FG_ASKED_MOST */
    size_t n;
    struct fg_asked_spelling *spellings; /* of the terms; some may be said twice */
    size_t n_spellings;
};

enum fg_status fg_asked_load(struct fg_asked_queries *asked, struct fg_arena *arena,
                             struct fg_store *store, int32_t today, struct fg_err *err);
struct fg_asked_queries fg_asked_single(const struct fg_asked_queries *asked,
                                        struct fg_arena *arena);

#endif
