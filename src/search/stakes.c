#include "search/stakes.h"

#include "base/memory.h"
#include "base/vec.h"
#include "search/quality.h"
#include "search/text_change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum side { WAS, IS };

/* A term in the old and in the new text. */
struct term {
    uint32_t count[2]; /* one in the title for several */
    float weight[2];   /* sqrt(count) idf^2 */
    uint32_t in_all;   /* the new text, if it is needed */
    uint32_t spelt;    /* the first of other ways in which it is written, + 1, or 0 */
    uint16_t bit;      /* of the small filter */
    bool is_needed;
};

/* Another way in which a term is written: its bit of the small filter, and the next way.
 */
struct spelt {
    uint32_t bit, next;
};

/* A text as the terms it has that are asked for. */
struct counted {
    uint32_t *there; /* `n` of them */
    size_t n;
    float length;  /* 1/sqrt(words), as well as an index knows them */
    float inlinks; /* 1 + links to it */
};

/* Those that are found by the same term lie side by side. */
struct query {
    float frequency, norm; /* norm: 1/sqrt(sum idf^2) */
    uint32_t n;
    uint32_t terms[FG_ASKED_TERMS];
};

/* A query of a term, and the bit that its rarest other term sets in a text that has it;
 * ANY if it has no other one, or one that may be written in several ways. */
enum { ANY = UINT16_MAX };
struct with {
    uint32_t query;
    uint16_t bit;
};

/* Scores of one query's results, until they are a histogram. */
struct scores {
    float *at;
    size_t len, capacity;
};

/* Terms that passed the filter, looked up some at a time: their slots, and then what is
 * kept of them, are on their way from memory meanwhile. */
enum { PENDING = 32 };

struct pending {
    uint64_t hash;
    uint32_t number, times;
    enum side side;
};

/* Bits of a filter that most terms, which nobody asks for, do not pass; and of one that
 * only those pass which the queries in hand have, and which stays next to the processor.
 */
enum { FILTER_BITS = 16, FILTER = 1 << FILTER_BITS };
enum { SMALL_BITS = 13, SMALL = 1 << SMALL_BITS };

/* Small, so that the table stays in the cache beside what indexing needs: two terms with
 * the same tag are taken for one, of 20,000 asked for, a word in 200,000 is. */
struct slot {
    uint32_t tag;
    uint32_t number; /* of the term, + 1; 0: empty */
};

struct fg_stakes {
    struct fg_stakes_rules rules;
    struct slot *slots; /* of terms: a table, half full at most */
    size_t mask;
    uint64_t filter[FILTER / 64];
    size_t n_terms, n;
    double texts, *with_term;
    float *idf2;
    bool is_ordered;
    size_t *by_term; /* queries whose first term is t: queries[by_term[t]] .. */
    uint32_t *place; /* of the queries as they were given */
    struct query *queries;
    struct scores *scores; /* by query; NULL if there are none */
    struct fg_histogram *histograms;
    size_t *of_term; /* queries with term t: with[of_term[t]] .. */
    struct with *with;
    struct term *terms;
    struct counted text[2];
    struct pending pending[PENDING];
    size_t n_pending;
    struct fg_text_change change;
    /* Of a change: what it touches. */
    struct spelt *spelt;
    size_t n_spelt;
    uint64_t present[SMALL / 64],
        small[SMALL / 64]; /* terms of either text; needed ones */
    uint64_t
        *hashes; /* of the terms of the new text, an occurrence in the title as many */
    size_t n_hashes, room_for_hashes;
    FG_VEC(uint32_t) touched; /* queries */
    FG_VEC(uint32_t) needed;  /* their terms */
};

static const struct fg_text_terms nothing;

/* --- terms --- */

static uint64_t hash_of(struct fg_str term)
{
    return fg_words_hash(term.at, term.len);
}

/* A place in the table: of the term, or an empty one. */
static struct slot *find(const struct fg_stakes *s, uint64_t hash)
{
    uint64_t at = hash >> 32 & s->mask; /* low bits know the first letters only */
    uint32_t tag = (uint32_t)(hash ^ hash >> 29);
    while (s->slots[at].number && s->slots[at].tag != tag)
        at = (at + 1) & s->mask;
    return &s->slots[at];
}

static bool passes(const struct fg_stakes *s, uint64_t hash)
{
    uint64_t bit = hash >> (64 - FILTER_BITS);
    return s->filter[bit / 64] >> bit % 64 & 1;
}

/* Its place is the caller's to fill. */
static uint32_t *place_of(struct fg_stakes *s, struct fg_str term)
{
    uint64_t hash = hash_of(term), bit = hash >> (64 - FILTER_BITS);
    struct slot *slot = find(s, hash);
    s->filter[bit / 64] |= (uint64_t)1 << bit % 64;
    slot->tag = (uint32_t)(hash ^ hash >> 29);
    return &slot->number;
}

static uint32_t number_of(struct fg_stakes *s, struct fg_str term)
{
    uint32_t *number = place_of(s, term);
    if (!*number)
        *number = (uint32_t)++s->n_terms;
    return *number - 1;
}

static inline void allow(uint64_t *filter, uint32_t bit)
{
    filter[bit / 64] |= (uint64_t)1 << bit % 64;
}

static inline uint32_t small_bit(uint64_t hash)
{
    return (uint32_t)(hash >> (64 - SMALL_BITS));
}

static void note_spelling(struct fg_stakes *s, uint32_t number, struct fg_str written)
{
    struct spelt *spelt = &s->spelt[s->n_spelt++];
    *spelt = (struct spelt){small_bit(hash_of(written)), s->terms[number].spelt};
    s->terms[number].spelt = (uint32_t)s->n_spelt;
}

/* UINT32_MAX: nobody asks for it. */
static inline uint32_t number_at(const struct fg_stakes *s, uint64_t hash)
{
    return passes(s, hash) ? find(s, hash)->number - 1 : UINT32_MAX;
}

/* How many terms there may be. */
static size_t make_table(struct fg_stakes *s, const struct fg_asked_queries *asked)
{
    size_t most = asked->n_spellings, room = 64;
    for (size_t q = 0; q < asked->n; q++)
        most += asked->at[q].n;
    while (room < 2 * most)
        room *= 2;
    s->mask = room - 1;
    s->slots = fg_zeroed(room, sizeof *s->slots);
    return most;
}

/* --- making --- */

static uint32_t known_number(struct fg_stakes *s, struct fg_str term)
{
    size_t before = s->n_terms;
    uint32_t number = number_of(s, term);
    if (s->n_terms > before)
        s->terms[number].bit = (uint16_t)small_bit(hash_of(term));
    return number;
}

struct fg_stakes *fg_stakes_new(const struct fg_asked_queries *asked,
                                const struct fg_stakes_rules *rules)
{
    struct fg_stakes *s = fg_zeroed(1, sizeof *s);
    s->rules = *rules;
    s->n = asked->n;
    s->queries = fg_zeroed(s->n + 1, sizeof *s->queries);
    size_t most = make_table(s, asked);
    s->terms = fg_zeroed(most + 1, sizeof *s->terms);
    s->spelt = fg_zeroed(most + 1, sizeof *s->spelt);
    for (size_t q = 0; q < s->n; q++) {
        s->queries[q].frequency = (float)asked->at[q].frequency;
        for (size_t i = 0; i < asked->at[q].n; i++)
            s->queries[q].terms[s->queries[q].n++] =
                known_number(s, asked->at[q].terms[i]);
    }
    /* A spelling that is a term by itself stays that. */
    for (size_t i = 0; i < asked->n_spellings; i++) {
        uint32_t number = known_number(s, asked->spellings[i].term);
        uint32_t *also = place_of(s, asked->spellings[i].also);
        if (!*also) {
            *also = number + 1;
            note_spelling(s, number, asked->spellings[i].also);
        }
    }
    s->with_term = fg_zeroed(s->n_terms + 1, sizeof *s->with_term);
    s->idf2 = fg_zeroed(s->n_terms + 1, sizeof *s->idf2);
    s->by_term = fg_zeroed(s->n_terms + 2, sizeof *s->by_term);
    s->place = fg_zeroed(s->n + 1, sizeof *s->place);
    s->histograms = fg_zeroed(s->n + 1, sizeof *s->histograms);
    s->of_term = fg_zeroed(s->n_terms + 2, sizeof *s->of_term);
    s->text[WAS].there = fg_zeroed(s->n_terms + 1, sizeof *s->text->there);
    s->text[IS].there = fg_zeroed(s->n_terms + 1, sizeof *s->text->there);
    return s;
}

static void drop_scores(struct fg_stakes *s)
{
    for (size_t q = 0; s->scores && q < s->n; q++)
        fg_vec_clear(&s->scores[q]);
    free(s->scores);
    s->scores = NULL;
}

void fg_stakes_free(struct fg_stakes *stakes)
{
    if (!stakes)
        return;
    drop_scores(stakes);
    free(stakes->slots);
    free(stakes->terms);
    free(stakes->spelt);
    fg_text_change_clear(&stakes->change);
    free(stakes->hashes);
    fg_vec_clear(&stakes->touched);
    fg_vec_clear(&stakes->needed);
    free(stakes->of_term);
    free(stakes->with);
    free(stakes->text[WAS].there);
    free(stakes->text[IS].there);
    free(stakes->queries);
    free(stakes->histograms);
    free(stakes->with_term);
    free(stakes->idf2);
    free(stakes->by_term);
    free(stakes->place);
    free(stakes);
}

/* --- texts --- */

static inline void count(struct fg_stakes *s, enum side side, uint32_t number,
                         uint32_t times)
{
    struct counted *c = &s->text[side];
    if (!s->terms[number].count[side])
        c->there[c->n++] = number;
    s->terms[number].count[side] += times;
}

static void look_up(struct fg_stakes *s)
{
    for (size_t i = 0; i < s->n_pending; i++) {
        struct pending *p = &s->pending[i];
        p->number = find(s, p->hash)->number - 1;
        if (p->number != UINT32_MAX)
            __builtin_prefetch(&s->terms[p->number], 1);
    }
    for (size_t i = 0; i < s->n_pending; i++) {
        const struct pending *p = &s->pending[i];
        if (p->number != UINT32_MAX)
            count(s, p->side, p->number, p->times);
    }
    s->n_pending = 0;
}

static inline void note(struct fg_stakes *s, uint64_t hash, enum side side,
                        uint32_t times)
{
    if (!passes(s, hash))
        return;
    __builtin_prefetch(&s->slots[hash >> 32 & s->mask]);
    s->pending[s->n_pending++] = (struct pending){hash, 0, times, side};
    if (s->n_pending == PENDING)
        look_up(s);
}

/* All words of a text, and how many there are. */
static size_t scan(struct fg_stakes *s, enum side side, struct fg_str terms,
                   uint32_t times)
{
    size_t words = 0;
    for (fg_words_skip(&terms, 0); terms.len; words++) {
        uint64_t hash = fg_words_next(&terms);
        allow(s->present, small_bit(hash));
        note(s, hash, side, times);
    }
    return words;
}

static float length_of(double words)
{
    return words > 0 ? (float)(1 / sqrt(fmax(words, 1))) : 1;
}

enum { TITLE = 3, ANCHORS = 2 }; /* as score.h has it by default */

static void reset(struct fg_stakes *s, enum side side)
{
    struct counted *c = &s->text[side];
    for (size_t i = 0; i < c->n; i++) {
        s->terms[c->there[i]].count[side] = 0;
        s->terms[c->there[i]].weight[side] = 0;
    }
    c->n = 0;
}

static void describe(struct fg_stakes *s, enum side side, size_t words, uint64_t inlinks)
{
    s->text[side].length = length_of(fg_index_words(words));
    s->text[side].inlinks = 1 + (float)inlinks;
}

static inline float weight_of(const struct fg_stakes *s, uint32_t number, uint32_t times)
{
    return sqrtf((float)times) * s->idf2[number];
}

static void count_terms(struct fg_stakes *s, enum side side,
                        const struct fg_text_terms *terms)
{
    const struct counted *c = &s->text[side];
    reset(s, side);
    describe(s, side, scan(s, side, terms->fields[FG_IN_TEXT], 1), terms->inlinks);
    scan(s, side, terms->fields[FG_IN_TITLE], TITLE);
    scan(s, side, terms->fields[FG_IN_ANCHORS], ANCHORS);
    look_up(s);
    for (size_t i = 0; i < c->n; i++) {
        struct term *term = &s->terms[c->there[i]];
        term->weight[side] = weight_of(s, c->there[i], term->count[side]);
    }
}

void fg_stakes_count(struct fg_stakes *stakes, const struct fg_text_terms *terms)
{
    count_terms(stakes, IS, terms);
    for (size_t i = 0; i < stakes->text[IS].n; i++)
        stakes->with_term[stakes->text[IS].there[i]]++;
    stakes->texts++;
}

/* --- queries --- */

/* The rarest term of a query comes first, and by it the query is found. */
static void put_rarest_first(const struct fg_stakes *s, struct query *query)
{
    double norm = 0;
    for (size_t i = 0; i < query->n; i++) {
        uint32_t term = query->terms[i];
        norm += (double)s->idf2[term];
        if (s->with_term[term] < s->with_term[query->terms[0]]) {
            query->terms[i] = query->terms[0];
            query->terms[0] = term;
        }
    }
    query->norm = (float)(1 / sqrt(norm));
}

static struct with with_of(const struct fg_stakes *s, size_t q, uint32_t term)
{
    const struct query *query = &s->queries[q];
    const struct term *rarest = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < query->n; i++) {
        uint32_t other = query->terms[i];
        if (other != term && s->with_term[other] < least) {
            least = s->with_term[other];
            rarest = &s->terms[other];
        }
    }
    return (struct with){(uint32_t)q, rarest && !rarest->spelt ? rarest->bit : ANY};
}

/* All queries with each term. */
static void list_by_term(struct fg_stakes *s)
{
    size_t n = 0;
    for (size_t q = 0; q < s->n; q++)
        for (size_t i = 0; i < s->queries[q].n; i++, n++)
            s->of_term[s->queries[q].terms[i] + 1]++;
    for (size_t t = 0; t < s->n_terms; t++)
        s->of_term[t + 1] += s->of_term[t];
    s->with = fg_zeroed(n + 1, sizeof *s->with);
    for (size_t q = s->n; q-- > 0;)
        for (size_t i = 0; i < s->queries[q].n; i++)
            s->with[--s->of_term[s->queries[q].terms[i] + 1]] =
                with_of(s, q, s->queries[q].terms[i]);
    /* Each end was moved to its beginning, which is the end of the term before. */
    memmove(s->of_term, s->of_term + 1, s->n_terms * sizeof *s->of_term);
    s->of_term[s->n_terms] = n;
}

static void order_queries(struct fg_stakes *s)
{
    if (s->is_ordered)
        return;
    struct query *given = s->queries;
    size_t *next = fg_zeroed(s->n_terms + 2, sizeof *next);
    s->is_ordered = true;
    for (size_t t = 0; t < s->n_terms; t++) {
        double idf = fg_score_idf(FG_SCORE_TFIDF, fmax(s->texts, 1), s->with_term[t]);
        s->idf2[t] = (float)(idf * idf);
    }
    for (size_t q = 0; q < s->n; q++) {
        put_rarest_first(s, &given[q]);
        s->by_term[given[q].terms[0] + 1]++;
    }
    for (size_t t = 0; t < s->n_terms; t++)
        next[t + 1] = s->by_term[t + 1] += s->by_term[t];
    s->queries = fg_zeroed(s->n + 1, sizeof *s->queries);
    for (size_t q = 0; q < s->n; q++) {
        s->place[q] = (uint32_t)next[given[q].terms[0]]++;
        s->queries[s->place[q]] = given[q];
    }
    free(given);
    free(next);
    list_by_term(s);
}

static float score(const struct fg_stakes *s, const struct query *query, enum side side)
{
    float sum = 0;
    for (size_t i = 0; i < query->n; i++) {
        float weight = s->terms[query->terms[i]].weight[side];
        if (!(weight > 0))
            return 0;
        sum += weight;
    }
    return s->rules.kind == FG_SCORE_INLINKS ? s->text[side].inlinks
                                             : sum * query->norm * s->text[side].length;
}

void fg_stakes_rank(struct fg_stakes *stakes, const struct fg_text_terms *terms)
{
    order_queries(stakes);
    if (!stakes->scores)
        stakes->scores = fg_zeroed(stakes->n + 1, sizeof *stakes->scores);
    count_terms(stakes, IS, terms);
    for (size_t i = 0; i < stakes->text[IS].n; i++) {
        uint32_t term = stakes->text[IS].there[i];
        for (size_t q = stakes->by_term[term]; q < stakes->by_term[term + 1]; q++) {
            float is = score(stakes, &stakes->queries[q], IS);
            if (is > 0)
                fg_vec_push(&stakes->scores[q], is);
        }
    }
}

static int falling(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x < y) - (x > y);
}

static void make_histogram(struct fg_stakes *s, size_t q, const float *scores, size_t n)
{
    fg_histogram_make(&s->histograms[q], scores, n,
                      s->rules.is_printed ? FG_HISTOGRAM_BUCKETS_PRINTED
                                          : FG_HISTOGRAM_BUCKETS);
}

void fg_stakes_ready(struct fg_stakes *stakes)
{
    order_queries(stakes);
    for (size_t q = 0; stakes->scores && q < stakes->n; q++) {
        struct scores *scores = &stakes->scores[q];
        if (scores->len)
            qsort(scores->at, scores->len, sizeof(float), falling);
        make_histogram(stakes, q, scores->at, scores->len);
    }
    drop_scores(stakes);
}

/* --- what an index says --- */

void fg_stakes_texts(struct fg_stakes *stakes, double texts)
{
    stakes->texts = texts;
}

void fg_stakes_with_term(struct fg_stakes *stakes, struct fg_str term, double texts)
{
    uint32_t number = number_at(stakes, hash_of(term));
    if (number != UINT32_MAX)
        stakes->with_term[number] = texts;
}

void fg_stakes_results(struct fg_stakes *stakes, size_t query, const float *scores,
                       size_t n)
{
    order_queries(stakes);
    make_histogram(stakes, stakes->place[query], scores, n);
}

float fg_stakes_score(struct fg_stakes *stakes, const struct fg_asked_query *asked,
                      size_t query, const double *counts, double words, uint64_t inlinks)
{
    order_queries(stakes);
    const struct query *q = &stakes->queries[stakes->place[query]];
    float sum = 0;
    if (stakes->rules.kind == FG_SCORE_INLINKS)
        return 1 + (float)inlinks;
    for (size_t i = 0; i < asked->n; i++)
        sum += sqrtf((float)counts[i]) * stakes->idf2[number_of(stakes, asked->terms[i])];
    return sum * q->norm * length_of(words);
}

/* --- measuring --- */

static double gain_of(struct fg_stakes *s, size_t q)
{
    float was = score(s, &s->queries[q], WAS), is = score(s, &s->queries[q], IS);
    struct fg_histogram *h = &s->histograms[q];
    if (was == is)
        return 0;
    double gain = (s->rules.is_printed ? fg_histogram_gain_printed
                                       : fg_histogram_gain)(h, (double)was, (double)is);
    if (is > 0 && !(was > 0))
        h->n++;
    else if (was > 0 && !(is > 0) && h->n)
        h->n--;
    return (double)s->queries[q].frequency * gain;
}

/* Each query for the first of its terms that either text has. */
static double gain_of_all(struct fg_stakes *s)
{
    const struct counted *was = &s->text[WAS], *is = &s->text[IS];
    double sum = 0;
    for (size_t i = 0; i < is->n; i++)
        for (size_t q = s->by_term[is->there[i]]; q < s->by_term[is->there[i] + 1]; q++)
            sum += gain_of(s, q);
    for (size_t i = 0; i < was->n; i++)
        if (!s->terms[was->there[i]].count[IS])
            for (size_t q = s->by_term[was->there[i]]; q < s->by_term[was->there[i] + 1];
                 q++)
                sum += gain_of(s, q);
    return sum;
}

/* --- what a change touches --- */

static bool has_changed(const struct fg_stakes *s, uint32_t term)
{
    return s->terms[term].count[WAS] != s->terms[term].count[IS];
}

static inline void need(struct fg_stakes *s, uint32_t number)
{
    struct term *term = &s->terms[number];
    if (term->is_needed)
        return;
    term->is_needed = true;
    fg_vec_push(&s->needed, number);
    allow(s->small, term->bit);
    for (uint32_t i = term->spelt; i; i = s->spelt[i - 1].next)
        allow(s->small, s->spelt[i - 1].bit);
}

/* A query counts for the first of its terms that has changed. */
static void touch_one(struct fg_stakes *s, uint32_t q, uint32_t term)
{
    const struct query *query = &s->queries[q];
    size_t i = 0;
    while (query->terms[i] != term && !has_changed(s, query->terms[i]))
        i++;
    if (query->terms[i] != term)
        return;
    __builtin_prefetch(&s->histograms[q]);
    fg_vec_push(&s->touched, q);
    for (i = 0; i < query->n; i++)
        need(s, query->terms[i]);
}

/* All queries with this term of which there are more or less now; those that lack another
 * term, as most do, are known by its bit. */
static void touch(struct fg_stakes *s, uint32_t term)
{
    uint32_t passed[PENDING];
    for (size_t k = s->of_term[term], end = s->of_term[term + 1]; k < end;) {
        size_t n = 0;
        for (; k < end && n < PENDING; k++) {
            struct with with = s->with[k];
            if (with.bit != ANY && !(s->present[with.bit / 64] >> with.bit % 64 & 1))
                continue;
            __builtin_prefetch(&s->queries[with.query]);
            passed[n++] = with.query;
        }
        for (size_t i = 0; i < n; i++)
            touch_one(s, passed[i], term);
    }
}

static void touch_all(struct fg_stakes *s)
{
    const struct counted *was = &s->text[WAS], *is = &s->text[IS];
    s->touched.len = s->needed.len = 0;
    memset(s->small, 0, sizeof s->small);
    for (size_t i = 0; i < is->n; i++)
        if (has_changed(s, is->there[i]))
            touch(s, is->there[i]);
    for (size_t i = 0; i < was->n; i++)
        if (!s->terms[was->there[i]].count[IS])
            touch(s, was->there[i]);
}

/* Terms of the new text, and their bits. */
static void read_hashes(struct fg_stakes *s, struct fg_str terms, size_t times)
{
    if (s->room_for_hashes < s->n_hashes + times * (terms.len / 2 + 1)) {
        s->room_for_hashes = 2 * (s->n_hashes + times * (terms.len / 2 + 1));
        s->hashes = fg_resized(s->hashes, s->room_for_hashes, sizeof *s->hashes);
    }
    for (fg_words_skip(&terms, 0); terms.len;) {
        uint64_t hash = fg_words_next(&terms);
        allow(s->present, small_bit(hash));
        for (size_t i = 0; i < times; i++)
            s->hashes[s->n_hashes++] = hash;
    }
}

/* How often the terms that are needed occur in the new text. */
static void count_needed(struct fg_stakes *s)
{
    for (size_t i = 0; i < s->n_hashes; i++) {
        uint32_t bit = small_bit(s->hashes[i]), number;
        if (!(s->small[bit / 64] >> bit % 64 & 1))
            continue;
        number = find(s, s->hashes[i])->number - 1;
        if (number != UINT32_MAX && s->terms[number].is_needed)
            s->terms[number].in_all++;
    }
}

/* What was counted is what came and went; of the rest both have as much. */
static void weigh_needed(struct fg_stakes *s)
{
    for (size_t i = 0; i < s->needed.len; i++) {
        uint32_t number = s->needed.at[i];
        struct term *term = &s->terms[number];
        uint32_t is = term->in_all, was = is + term->count[WAS] - term->count[IS];
        term->weight[IS] = is ? weight_of(s, number, is) : 0;
        term->weight[WAS] = was == is ? term->weight[IS] : weight_of(s, number, was);
    }
}

static void forget_needed(struct fg_stakes *s)
{
    for (size_t i = 0; i < s->needed.len; i++) {
        struct term *term = &s->terms[s->needed.at[i]];
        term->weight[WAS] = term->weight[IS] = 0;
        term->in_all = 0;
        term->is_needed = false;
    }
}

/* The texts are of the same length: only queries with a term of which there are more or
 * less now have another score. */
static double gain_of_touched(struct fg_stakes *s, const struct fg_text_terms *is)
{
    double sum = 0;
    if (!s->text[WAS].n && !s->text[IS].n)
        return 0;
    s->n_hashes = 0;
    read_hashes(s, is->fields[FG_IN_TEXT], 1);
    read_hashes(s, is->fields[FG_IN_TITLE], TITLE);
    read_hashes(s, is->fields[FG_IN_ANCHORS], ANCHORS);
    touch_all(s);
    count_needed(s);
    weigh_needed(s);
    for (size_t i = 0; i < s->touched.len; i++)
        sum += gain_of(s, s->touched.at[i]);
    forget_needed(s);
    return sum;
}

/* --- the whole --- */

static void change_field(struct fg_stakes *s, struct fg_str was, struct fg_str is,
                         uint32_t times)
{
    if (fg_str_eq(was, is))
        return;
    scan(s, WAS, was, times);
    scan(s, IS, is, times);
}

static void note_changed(struct fg_stakes *s, enum side side)
{
    const struct fg_text_hashes *hashes = &s->change.hashes[side];
    for (size_t i = 0; i < hashes->len; i++) {
        allow(s->present, small_bit(hashes->at[i]));
        note(s, hashes->at[i], side, 1);
    }
}

double fg_stakes_gain(struct fg_stakes *stakes, const struct fg_text_terms *was,
                      const struct fg_text_terms *is, double *distance)
{
    was = was ? was : &nothing;
    is = is ? is : &nothing;
    const struct counted *texts = stakes->text;
    struct fg_text_change *change = &stakes->change;
    order_queries(stakes);
    reset(stakes, WAS);
    reset(stakes, IS);
    memset(stakes->present, 0, sizeof stakes->present);
    fg_text_change_find(change, was->fields[FG_IN_TEXT], is->fields[FG_IN_TEXT]);
    note_changed(stakes, WAS);
    note_changed(stakes, IS);
    change_field(stakes, was->fields[FG_IN_TITLE], is->fields[FG_IN_TITLE], TITLE);
    change_field(stakes, was->fields[FG_IN_ANCHORS], is->fields[FG_IN_ANCHORS], ANCHORS);
    look_up(stakes);
    describe(stakes, WAS, change->words[WAS], was->inlinks);
    describe(stakes, IS, change->words[IS], is->inlinks);
    if (distance)
        *distance = change->distance;
    if (texts[WAS].length == texts[IS].length && texts[WAS].inlinks == texts[IS].inlinks)
        return gain_of_touched(stakes, is);
    count_terms(stakes, WAS, was);
    count_terms(stakes, IS, is);
    return gain_of_all(stakes);
}

double fg_stakes_exposure(struct fg_stakes *stakes, const struct fg_text_terms *terms)
{
    double sum = 0;
    order_queries(stakes);
    count_terms(stakes, IS, terms);
    for (size_t i = 0; i < stakes->text[IS].n; i++) {
        uint32_t term = stakes->text[IS].there[i];
        for (size_t q = stakes->by_term[term]; q < stakes->by_term[term + 1]; q++) {
            float is = score(stakes, &stakes->queries[q], IS);
            if (is > 0)
                sum += (double)stakes->queries[q].frequency *
                       fg_histogram_exposure(&stakes->histograms[q], (double)is);
        }
    }
    return sum;
}
