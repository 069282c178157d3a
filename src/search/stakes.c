#include "search/stakes.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/vec.h"
#include "search/quality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A text as counts of the terms that are asked for. */
struct counted {
    uint32_t *count; /* by term */
    float *weight;   /* by term: sqrt(count) idf^2 */
    uint32_t *there; /* the terms that are, `n` of them */
    size_t n, words;
    double length; /* 1/sqrt(words) */
};

struct query {
    double frequency, norm; /* norm: 1/sqrt(sum idf^2) */
    uint32_t terms[FG_ASKED_TERMS];
    uint32_t n;
    FG_VEC(float) scores; /* until they are a histogram */
    struct fg_histogram histogram;
};

/* Bits of a filter that most terms, which nobody asks for, do not pass. */
enum { FILTER = 1 << 20 };

struct fg_stakes {
    struct fg_map numbers; /* of terms by hash, + 1 */
    uint64_t filter[FILTER / 64];
    size_t n_terms, n, texts;
    uint32_t *with_term;
    double *idf2;
    size_t *by_term; /* queries whose first term is t: order[by_term[t]] .. */
    uint32_t *order;
    struct query *queries;
    struct counted was, is;
};

/* By the first eight bytes of a term, those behind its end being 0. */
static bool passes(const struct fg_stakes *s, uint64_t head)
{
    uint64_t place = head * 0x9E3779B97F4A7C15U >> 44;
    return s->filter[place / 64] >> place % 64 & 1;
}

static uint64_t head_of(struct fg_str term)
{
    uint64_t head = 0;
    memcpy(&head, term.at, term.len < sizeof head ? term.len : sizeof head);
    return head;
}

static uint32_t number_of(struct fg_stakes *s, struct fg_str term)
{
    uint64_t *place = fg_map_put(&s->numbers, fg_str_hash(term));
    uint64_t bit = head_of(term) * 0x9E3779B97F4A7C15U >> 44;
    s->filter[bit / 64] |= (uint64_t)1 << bit % 64;
    if (!*place)
        *place = ++s->n_terms;
    return (uint32_t)*place - 1;
}

static void counted_init(struct counted *c, size_t terms)
{
    c->count = fg_zeroed(terms, sizeof *c->count);
    c->weight = fg_zeroed(terms, sizeof *c->weight);
    c->there = fg_zeroed(terms, sizeof *c->there);
}

struct fg_stakes *fg_stakes_new(const struct fg_asked_queries *asked)
{
    struct fg_stakes *s = fg_zeroed(1, sizeof *s);
    s->n = asked->n;
    s->queries = fg_zeroed(s->n, sizeof *s->queries);
    for (size_t q = 0; q < s->n; q++) {
        s->queries[q].frequency = asked->at[q].frequency;
        for (size_t i = 0; i < asked->at[q].n; i++)
            s->queries[q].terms[s->queries[q].n++] = number_of(s, asked->at[q].terms[i]);
    }
    s->with_term = fg_zeroed(s->n_terms, sizeof *s->with_term);
    s->idf2 = fg_zeroed(s->n_terms, sizeof *s->idf2);
    s->by_term = fg_zeroed(s->n_terms + 2, sizeof *s->by_term);
    s->order = fg_zeroed(s->n, sizeof *s->order);
    counted_init(&s->was, s->n_terms);
    counted_init(&s->is, s->n_terms);
    return s;
}

void fg_stakes_free(struct fg_stakes *stakes)
{
    if (!stakes)
        return;
    for (size_t q = 0; q < stakes->n; q++)
        fg_vec_clear(&stakes->queries[q].scores);
    fg_map_clear(&stakes->numbers);
    free(stakes->queries);
    free(stakes->with_term);
    free(stakes->idf2);
    free(stakes->by_term);
    free(stakes->order);
    free(stakes->was.count);
    free(stakes->was.weight);
    free(stakes->was.there);
    free(stakes->is.count);
    free(stakes->is.weight);
    free(stakes->is.there);
    free(stakes);
}

/* --- texts --- */

static void count_term(const struct fg_stakes *s, struct counted *c, struct fg_str term)
{
    const uint64_t *place = fg_map_get(&s->numbers, fg_str_hash(term));
    if (place && !c->count[*place - 1]++)
        c->there[c->n++] = (uint32_t)*place - 1;
}

/* Where the first blank stands, or the end. */
static const char *blank_in(const char *at, const char *end)
{
    const char *blank = memchr(at, ' ', (size_t)(end - at));
    return blank ? blank : end;
}

/* Most terms have less than eight bytes, and most are asked for by nobody: one load finds
 * the blank behind such a term and tells whether it need be looked up. Measured beside
 * cutting and hashing each: half the time. */
static void scan(const struct fg_stakes *s, struct counted *c, struct fg_str terms)
{
    static const uint64_t ones = 0x0101010101010101U, tops = 0x8080808080808080U;
    const char *at = terms.at, *end = terms.at + terms.len;
    while (at < end) {
        uint64_t head;
        const char *blank;
        if (end - at >= (ptrdiff_t)sizeof head) {
            memcpy(&head, at, sizeof head);
            uint64_t x = head ^ ones * ' ', zero = (x - ones) & ~x & tops;
            unsigned bits = zero ? (unsigned)__builtin_ctzll(zero) - 7 : 64;
            blank = zero ? at + bits / 8 : blank_in(at + sizeof head, end);
            head &= zero ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
        } else {
            blank = blank_in(at, end);
            head = head_of((struct fg_str){at, (size_t)(blank - at)});
        }
        c->words += blank > at;
        if (blank > at && passes(s, head))
            count_term(s, c, (struct fg_str){at, (size_t)(blank - at)});
        at = blank + 1;
    }
}

static void count_terms(const struct fg_stakes *s, struct counted *c, struct fg_str terms)
{
    for (size_t i = 0; i < c->n; i++) {
        c->count[c->there[i]] = 0;
        c->weight[c->there[i]] = 0;
    }
    c->n = c->words = 0;
    scan(s, c, terms);
    for (size_t i = 0; i < c->n; i++)
        c->weight[c->there[i]] =
            (float)(sqrt((double)c->count[c->there[i]]) * s->idf2[c->there[i]]);
    c->length = c->words ? 1 / sqrt((double)c->words) : 0;
}

void fg_stakes_count(struct fg_stakes *stakes, struct fg_str terms)
{
    count_terms(stakes, &stakes->is, terms);
    for (size_t i = 0; i < stakes->is.n; i++)
        stakes->with_term[stakes->is.there[i]]++;
    stakes->texts++;
}

/* The rarest term of a query comes first, and by it the query is found. */
static void order_queries(struct fg_stakes *s)
{
    for (size_t t = 0; t < s->n_terms; t++) {
        double idf = 1 + log((double)s->texts / ((double)s->with_term[t] + 1));
        s->idf2[t] = idf * idf;
    }
    memset(s->by_term, 0, (s->n_terms + 2) * sizeof *s->by_term);
    for (size_t q = 0; q < s->n; q++) {
        struct query *query = &s->queries[q];
        query->norm = 0;
        for (size_t i = 0; i < query->n; i++) {
            uint32_t term = query->terms[i];
            query->norm += s->idf2[term];
            if (s->with_term[term] < s->with_term[query->terms[0]]) {
                query->terms[i] = query->terms[0];
                query->terms[0] = term;
            }
        }
        query->norm = 1 / sqrt(query->norm);
        s->by_term[query->terms[0] + 2]++;
    }
    for (size_t t = 2; t < s->n_terms + 2; t++)
        s->by_term[t] += s->by_term[t - 1];
    for (size_t q = 0; q < s->n; q++)
        s->order[s->by_term[s->queries[q].terms[0] + 1]++] = (uint32_t)q;
}

static float score(const struct query *query, const struct counted *c)
{
    double sum = 0;
    for (size_t i = 0; i < query->n; i++) {
        double weight = (double)c->weight[query->terms[i]];
        if (!(weight > 0))
            return 0;
        sum += weight;
    }
    return (float)(sum * query->norm * c->length);
}

void fg_stakes_rank(struct fg_stakes *stakes, struct fg_str terms)
{
    if (!stakes->by_term[stakes->n_terms + 1])
        order_queries(stakes);
    count_terms(stakes, &stakes->is, terms);
    for (size_t i = 0; i < stakes->is.n; i++) {
        uint32_t term = stakes->is.there[i];
        for (size_t k = stakes->by_term[term]; k < stakes->by_term[term + 1]; k++) {
            struct query *query = &stakes->queries[stakes->order[k]];
            float is = score(query, &stakes->is);
            if (is > 0)
                fg_vec_push(&query->scores, is);
        }
    }
}

static int falling(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x < y) - (x > y);
}

void fg_stakes_ready(struct fg_stakes *stakes)
{
    if (!stakes->by_term[stakes->n_terms + 1])
        order_queries(stakes);
    for (size_t q = 0; q < stakes->n; q++) {
        struct query *query = &stakes->queries[q];
        if (query->scores.len)
            qsort(query->scores.at, query->scores.len, sizeof(float), falling);
        fg_histogram_make(&query->histogram, query->scores.at, query->scores.len,
                          FG_HISTOGRAM_BUCKETS);
        fg_vec_clear(&query->scores);
    }
}

/* --- measuring --- */

/* Of the queries that are found by this term. */
static double gain_by(const struct fg_stakes *s, uint32_t term)
{
    double sum = 0;
    for (size_t k = s->by_term[term]; k < s->by_term[term + 1]; k++) {
        const struct query *query = &s->queries[s->order[k]];
        float was = score(query, &s->was), is = score(query, &s->is);
        if (was != is)
            sum += query->frequency *
                   fg_histogram_gain(&query->histogram, (double)was, (double)is);
    }
    return sum;
}

double fg_stakes_gain(struct fg_stakes *stakes, struct fg_str was, struct fg_str is)
{
    double sum = 0;
    count_terms(stakes, &stakes->was, was);
    count_terms(stakes, &stakes->is, is);
    for (size_t i = 0; i < stakes->is.n; i++)
        sum += gain_by(stakes, stakes->is.there[i]);
    for (size_t i = 0; i < stakes->was.n; i++)
        if (!stakes->is.count[stakes->was.there[i]])
            sum += gain_by(stakes, stakes->was.there[i]);
    return sum;
}

double fg_stakes_exposure(struct fg_stakes *stakes, struct fg_str terms)
{
    double sum = 0;
    count_terms(stakes, &stakes->is, terms);
    for (size_t i = 0; i < stakes->is.n; i++) {
        uint32_t term = stakes->is.there[i];
        for (size_t k = stakes->by_term[term]; k < stakes->by_term[term + 1]; k++) {
            const struct query *query = &stakes->queries[stakes->order[k]];
            float is = score(query, &stakes->is);
            if (is > 0)
                sum += query->frequency *
                       fg_histogram_exposure(&query->histogram, (double)is);
        }
    }
    return sum;
}
