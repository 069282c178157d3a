#include "lab/quality/corpus.h"

#include "base/memory.h"
#include "base/rng.h"
#include "base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Queries while they are matched: each is looked at when its rarest term is met. */
struct matcher {
    const struct fg_versions *versions;
    const double *idf2;
    size_t n;
    size_t *by_term; /* queries of rarest term t are query[by_term[t]] .. */
    uint32_t *query;
    double *norm;     /* sqrt(sum idf^2) by query */
    const size_t *at; /* as in a log */
    const uint32_t *terms;
    FG_VEC(struct fg_slot) slots;
};

/* --- single terms --- */

static void split_log(struct fg_query_log *single, const struct fg_query_log *log,
                      size_t terms)
{
    double *sum = fg_zeroed(terms, sizeof *sum);
    for (size_t q = 0; q < log->n; q++)
        for (size_t i = log->at[q]; i < log->at[q + 1]; i++)
            sum[log->terms[i]] += log->frequency[q];
    single->frequency = fg_zeroed(terms, sizeof *single->frequency);
    single->at = fg_zeroed(terms + 1, sizeof *single->at);
    single->terms = fg_zeroed(terms, sizeof *single->terms);
    for (size_t t = 0; t < terms; t++)
        if (sum[t] > 0) {
            single->at[single->n] = single->n;
            single->terms[single->n] = (uint32_t)t;
            single->frequency[single->n++] = sum[t];
        }
    single->at[single->n] = single->n;
    free(sum);
}

/* --- matching --- */

static uint32_t rarest(const struct matcher *m, size_t q)
{
    uint32_t best = m->terms[m->at[q]];
    for (size_t i = m->at[q]; i < m->at[q + 1]; i++)
        if (m->versions->with_term[m->terms[i]] < m->versions->with_term[best])
            best = m->terms[i];
    return best;
}

static void matcher_init(struct matcher *m, const struct fg_versions *versions,
                         const struct fg_query_log *log, const double *idf2)
{
    *m = (struct matcher){.versions = versions,
                          .idf2 = idf2,
                          .n = log->n,
                          .at = log->at,
                          .terms = log->terms};
    m->by_term = fg_zeroed(versions->terms + 2, sizeof *m->by_term);
    m->query = fg_zeroed(log->n, sizeof *m->query);
    m->norm = fg_zeroed(log->n, sizeof *m->norm);
    for (size_t q = 0; q < log->n; q++) {
        m->by_term[rarest(m, q) + 2]++;
        for (size_t i = m->at[q]; i < m->at[q + 1]; i++)
            m->norm[q] += idf2[m->terms[i]];
        m->norm[q] = sqrt(m->norm[q]);
    }
    for (size_t t = 2; t < versions->terms + 2; t++)
        m->by_term[t] += m->by_term[t - 1];
    for (size_t q = 0; q < log->n; q++)
        m->query[m->by_term[rarest(m, q) + 1]++] = (uint32_t)q;
}

static void matcher_clear(struct matcher *m)
{
    free(m->by_term);
    free(m->query);
    free(m->norm);
}

/* 0 unless every term is there. */
static double tfidf(const struct matcher *m, size_t q, const uint32_t *counts,
                    uint32_t words)
{
    double sum = 0;
    for (size_t i = m->at[q]; i < m->at[q + 1]; i++) {
        uint32_t term = m->terms[i];
        if (!counts[term])
            return 0;
        sum += sqrt((double)counts[term]) * m->idf2[term];
    }
    return sum / m->norm[q] / sqrt(words > 0 ? (double)words : 1);
}

static int by_query(const void *a, const void *b)
{
    uint32_t x = ((const struct fg_slot *)a)->query,
             y = ((const struct fg_slot *)b)->query;
    return (x > y) - (x < y);
}

/* The queries that a text answers; `there` has the terms that it ever had. */
static void match(struct matcher *m, const uint32_t *counts, const uint32_t *there,
                  size_t n_there, uint32_t words, float fixed)
{
    size_t first = m->slots.len;
    for (size_t i = 0; i < n_there; i++) {
        uint32_t term = there[i];
        for (size_t k = m->by_term[term]; counts[term] && k < m->by_term[term + 1]; k++) {
            float score = (float)tfidf(m, m->query[k], counts, words);
            if (score > 0)
                fg_vec_push(&m->slots,
                            (struct fg_slot){m->query[k], fixed > 0 ? fixed : score});
        }
    }
    if (m->slots.len > first)
        qsort(m->slots.at + first, m->slots.len - first, sizeof *m->slots.at, by_query);
}

/* --- pages --- */

struct maker {
    struct fg_corpus *corpus;
    const struct fg_versions *versions;
    struct matcher queries, terms;
    FG_VEC(size_t) query_at;
    FG_VEC(size_t) term_at;
    FG_VEC(uint32_t) week;
    FG_VEC(uint32_t) there; /* terms that the page at hand ever had */
    uint32_t *counts;       /* by term, of the version at hand */
    bool *is_there;
};

static void add_version(struct maker *m, size_t version, float fixed)
{
    const struct fg_versions *v = m->versions;
    size_t end =
        version + 1 < v->n_versions ? v->version[version + 1].first : v->n_counts;
    for (size_t i = v->version[version].first; i < end; i++) {
        uint32_t term = v->counts[i].term;
        m->counts[term] = v->counts[i].count;
        if (!m->is_there[term])
            fg_vec_push(&m->there, term);
        m->is_there[term] = true;
    }
    fg_vec_push(&m->query_at, m->queries.slots.len);
    fg_vec_push(&m->term_at, m->terms.slots.len);
    fg_vec_push(&m->week, v->version[version].week);
    uint32_t words = v->version[version].words;
    match(&m->queries, m->counts, m->there.at, m->there.len, words, fixed);
    match(&m->terms, m->counts, m->there.at, m->there.len, words, fixed);
}

static void add_page(struct maker *m, size_t page, enum fg_corpus_scoring scoring)
{
    struct fg_corpus *c = m->corpus;
    const struct fg_versions *v = m->versions;
    float fixed = scoring == FG_SCORING_INLINKS ? 1 + (float)v->inlinks[page] : 0;
    c->id[c->n] = (uint32_t)page;
    c->site[c->n] = v->site[page];
    c->first[c->n] = m->week.len;
    for (size_t i = v->first[page]; i < v->first[page + 1]; i++) {
        memcpy(c->sketch[m->week.len], v->version[i].sketch, FG_VERSION_SKETCH);
        add_version(m, i, fixed);
    }
    c->first[++c->n] = m->week.len;
    for (size_t i = 0; i < m->there.len; i++) {
        m->counts[m->there.at[i]] = 0;
        m->is_there[m->there.at[i]] = false;
    }
    m->there.len = 0;
}

/* Halves 1 and 2 are of one random order of the pages, 3 and 4 of another. */
static bool *pages_of(const struct fg_versions *versions, size_t half)
{
    bool *is_in = fg_zeroed(versions->pages, sizeof *is_in);
    uint32_t *order = fg_zeroed(versions->pages, sizeof *order);
    struct fg_rng rng = fg_rng_from_seed((half + 1) / 2);
    for (size_t i = 0; i < versions->pages; i++)
        order[i] = (uint32_t)i;
    if (half)
        fg_rng_shuffle(&rng, order, versions->pages, sizeof *order);
    for (size_t i = 0; i < versions->pages; i++)
        is_in[order[i]] = !half || (i < versions->pages / 2) == (half % 2 == 1);
    free(order);
    return is_in;
}

static void take_asked(struct fg_asked *asked, struct matcher *m,
                       const struct fg_corpus *corpus, size_t *at, double *frequency)
{
    *asked = (struct fg_asked){
        .n = m->n, .frequency = frequency, .at = at, .slot = m->slots.at};
    asked->fresh = fg_zeroed(asked->n, sizeof *asked->fresh);
    for (uint32_t page = 0; page < corpus->n; page++) {
        size_t v = corpus->first[page];
        for (size_t i = at[v]; i < at[v + 1]; i++)
            fg_ranked_add(&asked->fresh[asked->slot[i].query], page,
                          asked->slot[i].score);
    }
    for (size_t q = 0; q < asked->n; q++)
        fg_ranked_sort(&asked->fresh[q]);
    matcher_clear(m);
}

static double *copied(const double *values, size_t n)
{
    double *copy = fg_zeroed(n, sizeof *copy);
    memcpy(copy, values, n * sizeof *copy);
    return copy;
}

static void add_pages(struct maker *m, const struct fg_corpus_options *options)
{
    struct fg_corpus *c = m->corpus;
    const struct fg_versions *v = m->versions;
    bool *is_in = pages_of(v, options->half);
    c->id = fg_zeroed(v->pages, sizeof *c->id);
    c->site = fg_zeroed(v->pages, sizeof *c->site);
    c->first = fg_zeroed(v->pages + 1, sizeof *c->first);
    c->sketch = fg_zeroed(v->n_versions, sizeof *c->sketch);
    m->counts = fg_zeroed(v->terms, sizeof *m->counts);
    m->is_there = fg_zeroed(v->terms, sizeof *m->is_there);
    for (size_t page = 0; page < v->pages; page++)
        if (is_in[page])
            add_page(m, page, options->scoring);
    fg_vec_push(&m->query_at, m->queries.slots.len);
    fg_vec_push(&m->term_at, m->terms.slots.len);
    c->week = m->week.at;
    fg_vec_clear(&m->there);
    free(m->counts);
    free(m->is_there);
    free(is_in);
}

enum fg_status fg_corpus_make(struct fg_corpus **corpus,
                              const struct fg_versions *versions,
                              const struct fg_corpus_options *options, struct fg_err *err)
{
    const struct fg_query_log *asked = fg_versions_log(versions, options->log);
    *corpus = NULL;
    if (!asked)
        return fg_fail(err, FG_EINPUT, "no query log '%s': queries_%s.tsv is missing",
                       options->log, options->log);
    struct fg_corpus *c = fg_zeroed(1, sizeof *c);
    *c = (struct fg_corpus){.weeks = versions->weeks, .sites = versions->sites};
    double *idf2 = fg_zeroed(versions->terms, sizeof *idf2);
    for (size_t t = 0; t < versions->terms; t++) {
        double idf =
            1 + log((double)versions->pages / ((double)versions->with_term[t] + 1));
        idf2[t] = idf * idf;
    }
    struct fg_query_log single = {0};
    struct maker m = {.corpus = c, .versions = versions};
    split_log(&single, asked, versions->terms);
    matcher_init(&m.queries, versions, asked, idf2);
    matcher_init(&m.terms, versions, &single, idf2);
    add_pages(&m, options);
    take_asked(&c->queries, &m.queries, c, m.query_at.at,
               copied(asked->frequency, asked->n));
    take_asked(&c->terms, &m.terms, c, m.term_at.at, single.frequency);
    free(single.at);
    free(single.terms);
    free(idf2);
    *corpus = c;
    return FG_OK;
}

static void clear_asked(struct fg_asked *asked)
{
    for (size_t q = 0; q < asked->n; q++)
        fg_ranked_clear(&asked->fresh[q]);
    free(asked->fresh);
    free(asked->frequency);
    free(asked->at);
    free(asked->slot);
}

void fg_corpus_free(struct fg_corpus *corpus)
{
    if (!corpus)
        return;
    clear_asked(&corpus->queries);
    clear_asked(&corpus->terms);
    for (size_t m = 0; m < FG_FORESEEN; m++) {
        free(corpus->worth[m][0]);
        free(corpus->worth[m][1]);
        free(corpus->mean_rate[m]);
    }
    free(corpus->inspected);
    free(corpus->perfect);
    free(corpus->id);
    free(corpus->site);
    free(corpus->first);
    free(corpus->week);
    free(corpus->sketch);
    free(corpus);
}

size_t fg_corpus_version(const struct fg_corpus *corpus, size_t page, size_t week)
{
    size_t v = corpus->first[page];
    while (v + 1 < corpus->first[page + 1] && corpus->week[v + 1] <= week)
        v++;
    return v;
}

double fg_corpus_distance(const struct fg_corpus *corpus, size_t a, size_t b)
{
    return a == b ? 0 : fg_sketch_distance(corpus->sketch[a], corpus->sketch[b]);
}
