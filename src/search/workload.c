#include "search/workload.h"

#include "base/buf.h"
#include "base/map.h"
#include "base/terms.h"
#include "base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANGUAGES = 40 };

/* Queries by their terms with blanks between. */
struct gathering {
    struct fg_arena *arena;
    struct fg_names places; /* of `queries`, + 1 */
    FG_VEC(struct fg_asked_query) queries;
    FG_VEC(struct fg_asked_spelling) spellings;
    struct fg_names spelled;
    struct fg_stemmer *stemmers[LANGUAGES]; /* the first is that of terms */
    size_t n_stemmers;
    int32_t today;
};

static int by_bytes(const void *a, const void *b)
{
    const struct fg_str *x = a, *y = b;
    int order = memcmp(x->at, y->at, x->len < y->len ? x->len : y->len);
    return order ? order : (x->len > y->len) - (x->len < y->len);
}

static bool has(const struct fg_asked_query *query, struct fg_str term)
{
    for (size_t i = 0; i < query->n; i++)
        if (fg_str_eq(query->terms[i], term))
            return true;
    return false;
}

/* As texts of the other languages have it; each spelling is that of one term. */
static void add_spellings(struct gathering *g, struct fg_str term, struct fg_str word)
{
    for (size_t i = 1; i < g->n_stemmers; i++) {
        struct fg_terms terms = fg_terms_of(word, g->stemmers[i]);
        struct fg_term other;
        if (!fg_terms_next(&terms, &other) || fg_str_eq(other.text, term))
            continue;
        uint64_t *is_known = fg_names_put(&g->spelled, other.text);
        if (!*is_known)
            fg_vec_push_in(
                g->arena, &g->spellings,
                (struct fg_asked_spelling){term, fg_arena_dup(g->arena, other.text)});
        *is_known = 1;
    }
}

/* Words that must not occur say nothing of what is wanted. */
static void read_terms(struct gathering *g, struct fg_asked_query *query,
                       struct fg_str words)
{
    struct fg_str word;
    while (fg_str_cut(&words, ' ', &word)) {
        if (fg_str_starts(word, FG_STR("-")))
            continue;
        struct fg_terms terms = fg_terms_of(word, g->stemmers[0]);
        struct fg_term term;
        while (query->n < FG_ASKED_TERMS && fg_terms_next(&terms, &term))
            if (!has(query, term.text)) {
                query->terms[query->n] = fg_arena_dup(g->arena, term.text);
                add_spellings(g, query->terms[query->n++],
                              fg_str_sub(word, term.from, term.to));
            }
    }
    qsort(query->terms, query->n, sizeof *query->terms, by_bytes);
}

static void add(struct gathering *g, const struct fg_asked_query *query, double weight)
{
    struct fg_buf key;
    fg_buf_init(&key, 1 << 12);
    for (size_t i = 0; i < query->n; i++) {
        fg_buf_add(&key, query->terms[i]);
        fg_buf_add_char(&key, ' ');
    }
    uint64_t *place = fg_names_put(&g->places, fg_buf_str(&key));
    if (!*place) {
        fg_vec_push_in(g->arena, &g->queries, *query);
        g->queries.at[g->queries.len - 1].frequency = 0;
        *place = g->queries.len;
    }
    g->queries.at[*place - 1].frequency += weight;
    fg_buf_clear(&key);
}

static bool take(void *context, const struct fg_query_row *row)
{
    struct gathering *g = context;
    struct fg_asked_query query = {0};
    double days = row->day < g->today ? (double)(g->today - row->day) : 0;
    read_terms(g, &query, row->words);
    if (query.n)
        add(g, &query, (double)row->times * exp2(-days / FG_ASKED_HALF_LIFE));
    return true;
}

static int by_frequency(const void *a, const void *b)
{
    double x = ((const struct fg_asked_query *)a)->frequency,
           y = ((const struct fg_asked_query *)b)->frequency;
    return (x < y) - (x > y);
}

/* The most frequent, so that they sum up to 1. */
static struct fg_asked_queries gathered(struct gathering *g)
{
    size_t n = g->queries.len < FG_ASKED_MOST ? g->queries.len : FG_ASKED_MOST;
    double sum = 0;
    if (g->queries.len)
        qsort(g->queries.at, g->queries.len, sizeof *g->queries.at, by_frequency);
    for (size_t i = 0; i < n; i++)
        sum += g->queries.at[i].frequency;
    for (size_t i = 0; i < n; i++)
        g->queries.at[i].frequency /= sum;
    return (struct fg_asked_queries){g->queries.at, n, g->spellings.at, g->spellings.len};
}

static void add_stemmer(struct gathering *g, const char *code)
{
    g->stemmers[g->n_stemmers++] = fg_stemmer_new(code);
}

/* English first, words as they are last. A store without an index has no language. */
static void find_languages(struct gathering *g, struct fg_store *store)
{
    bool are_there[LANGUAGES] = {false};
    const char *english = fg_stemmer_language((struct fg_str){0});
    if (fg_store_languages(store, are_there, NULL))
        memset(are_there, 0, sizeof are_there);
    for (size_t i = 0; fg_stemmer_codes[i]; i++)
        if (are_there[i] && fg_stemmer_codes[i] == english)
            add_stemmer(g, english);
    for (size_t i = 0; fg_stemmer_codes[i]; i++)
        if (are_there[i] && fg_stemmer_codes[i] != english)
            add_stemmer(g, fg_stemmer_codes[i]);
    add_stemmer(g, "");
}

enum fg_status fg_asked_load(struct fg_asked_queries *asked, struct fg_arena *arena,
                             struct fg_store *store, int32_t today, struct fg_err *err)
{
    struct gathering g = {.arena = arena,
                          .places = {.arena = arena},
                          .spelled = {.arena = arena},
                          .today = today};
    find_languages(&g, store);
    enum fg_status st = fg_store_queries(store, take, &g, err);
    for (size_t i = 0; i < g.n_stemmers; i++)
        fg_stemmer_free(g.stemmers[i]);
    *asked = st ? (struct fg_asked_queries){0} : gathered(&g);
    return st;
}

/* Frequencies are of terms in queries; they do not sum up to 1. */
struct fg_asked_queries fg_asked_single(const struct fg_asked_queries *asked,
                                        struct fg_arena *arena)
{
    struct gathering g = {.arena = arena, .places = {.arena = arena}};
    for (size_t i = 0; i < asked->n; i++)
        for (size_t k = 0; k < asked->at[i].n; k++) {
            struct fg_asked_query single = {.terms = {asked->at[i].terms[k]}, .n = 1};
            add(&g, &single, asked->at[i].frequency);
        }
    if (g.queries.len)
        qsort(g.queries.at, g.queries.len, sizeof *g.queries.at, by_frequency);
    return (struct fg_asked_queries){g.queries.at, g.queries.len, asked->spellings,
                                     asked->n_spellings};
}
