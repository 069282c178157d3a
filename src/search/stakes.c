#include "search/stakes.h"

#include "base/memory.h"
#include "base/vec.h"
#include "search/quality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bits of a set of shingles. Of long texts only some shingles are in it. */
enum { SHINGLES = 1 << 13, SHINGLES_FULL = SHINGLES / 8, TERM_BYTES = 6 };

enum side { WAS, IS };

/* A term in the old and in the new text. */
struct term {
    uint32_t count[2]; /* one in the title for several */
    float weight[2];   /* sqrt(count) idf^2 */
};

/* A text as the terms it has that are asked for. */
struct counted {
    uint32_t *there; /* `n` of them */
    size_t n;
    float length;  /* 1/sqrt(words), as well as an index knows them */
    float inlinks; /* 1 + links to it */
    uint64_t shingles[SHINGLES / 64];
};

/* Those that are found by the same term lie side by side. */
struct query {
    float frequency, norm; /* norm: 1/sqrt(sum idf^2) */
    uint32_t n;
    uint32_t terms[FG_ASKED_TERMS];
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
    uint32_t number, times[2]; /* times: by side */
};

/* Bits of a filter that most terms, which nobody asks for, do not pass. */
enum { FILTER_BITS = 16, FILTER = 1 << FILTER_BITS };

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
    uint32_t *with;
    struct term *terms;
    struct counted text[2];
    struct pending pending[PENDING];
    size_t n_pending;
    uint64_t thin; /* shingles with any of these bits are left out */
};

static const struct fg_text_terms nothing;

/* --- terms --- */

/* A term of a text, and what it is known by: its bytes if there are no more than eight,
 * else a mixture of the first eight, the last eight and their number. */
struct word {
    uint64_t key;
    size_t len;
};

static struct word word_of(struct fg_str term)
{
    uint64_t head = 0, tail;
    memcpy(&head, term.at, term.len < sizeof head ? term.len : sizeof head);
    if (term.len > sizeof head) {
        memcpy(&tail, term.at + term.len - sizeof tail, sizeof tail);
        head = (head ^ term.len) * 0x9E3779B97F4A7C15U ^ (tail << 23 | tail >> 41);
    }
    return (struct word){head, term.len};
}

static size_t blank_in(const char *at, const char *end)
{
    const char *blank = memchr(at, ' ', (size_t)(end - at));
    return (size_t)((blank ? blank : end) - at);
}

/* The one that begins here. Most have less than eight bytes: one load finds the blank
 * behind such a term. Measured beside cutting and hashing each: half the time. */
static inline struct word read_word(const char *at, const char *end)
{
    static const uint64_t ones = 0x0101010101010101U, tops = 0x8080808080808080U;
    uint64_t head;
    if (end - at >= (ptrdiff_t)sizeof head) {
        memcpy(&head, at, sizeof head);
        uint64_t x = head ^ ones * ' ', zero = (x - ones) & ~x & tops;
        if (zero) {
            unsigned bits = (unsigned)__builtin_ctzll(zero) - 7;
            return (struct word){head & (((uint64_t)1 << bits) - 1), bits / 8};
        }
    }
    return word_of((struct fg_str){at, blank_in(at, end)});
}

static uint64_t mixed(uint64_t key)
{
    return (key ^ key >> 32) * 0x9E3779B97F4A7C15U;
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
    uint64_t hash = mixed(word_of(term).key), bit = hash >> (64 - FILTER_BITS);
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

/* UINT32_MAX: nobody asks for it. */
static inline uint32_t number_at(const struct fg_stakes *s, uint64_t hash)
{
    return passes(s, hash) ? find(s, hash)->number - 1 : UINT32_MAX;
}

static void make_table(struct fg_stakes *s, const struct fg_asked_queries *asked)
{
    size_t most = asked->n_spellings, room = 64;
    for (size_t q = 0; q < asked->n; q++)
        most += asked->at[q].n;
    while (room < 2 * most)
        room *= 2;
    s->mask = room - 1;
    s->slots = fg_zeroed(room, sizeof *s->slots);
}

/* --- making --- */

struct fg_stakes *fg_stakes_new(const struct fg_asked_queries *asked,
                                const struct fg_stakes_rules *rules)
{
    struct fg_stakes *s = fg_zeroed(1, sizeof *s);
    s->rules = *rules;
    s->n = asked->n;
    s->queries = fg_zeroed(s->n + 1, sizeof *s->queries);
    make_table(s, asked);
    for (size_t q = 0; q < s->n; q++) {
        s->queries[q].frequency = (float)asked->at[q].frequency;
        for (size_t i = 0; i < asked->at[q].n; i++)
            s->queries[q].terms[s->queries[q].n++] = number_of(s, asked->at[q].terms[i]);
    }
    /* A spelling that is a term by itself stays that. */
    for (size_t i = 0; i < asked->n_spellings; i++) {
        uint32_t number = number_of(s, asked->spellings[i].term);
        uint32_t *also = place_of(s, asked->spellings[i].also);
        if (!*also)
            *also = number + 1;
    }
    s->with_term = fg_zeroed(s->n_terms + 1, sizeof *s->with_term);
    s->idf2 = fg_zeroed(s->n_terms + 1, sizeof *s->idf2);
    s->by_term = fg_zeroed(s->n_terms + 2, sizeof *s->by_term);
    s->place = fg_zeroed(s->n + 1, sizeof *s->place);
    s->histograms = fg_zeroed(s->n + 1, sizeof *s->histograms);
    s->of_term = fg_zeroed(s->n_terms + 2, sizeof *s->of_term);
    s->terms = fg_zeroed(s->n_terms + 1, sizeof *s->terms);
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

/* The last three terms, mixed; with the next one they are a shingle. */
struct window {
    uint64_t last[3];
};

static inline uint64_t shift(struct window *w, uint64_t x)
{
    uint64_t shingle = (x ^ w->last[0]) * 0x94D049BB133111EBU;
    w->last[0] = w->last[1] + (x << 17 | x >> 47);
    w->last[1] = w->last[2] + (x << 31 | x >> 33);
    w->last[2] = x << 43 | x >> 21;
    return shingle;
}

static inline void set(struct counted *c, uint64_t shingle)
{
    c->shingles[shingle >> 51 & (SHINGLES / 64 - 1)] |= (uint64_t)1 << (shingle >> 58);
}

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
        for (int side = WAS; side <= IS && p->number != UINT32_MAX; side++)
            if (p->times[side])
                count(s, (enum side)side, p->number, p->times[side]);
    }
    s->n_pending = 0;
}

static inline void note(struct fg_stakes *s, uint64_t hash, uint32_t was, uint32_t is)
{
    if (!passes(s, hash))
        return;
    __builtin_prefetch(&s->slots[hash >> 32 & s->mask]);
    s->pending[s->n_pending++] = (struct pending){hash, 0, {was, is}};
    if (s->n_pending == PENDING)
        look_up(s);
}

/* A text that is read, alone or beside another. */
struct reader {
    const char *at, *end;
    enum side side;
    struct window window;
    size_t words;
};

static inline void take(struct fg_stakes *s, struct reader *r, struct word word,
                        uint32_t times)
{
    uint64_t hash = mixed(word.key), shingle = shift(&r->window, hash);
    r->at += word.len + 1;
    r->words++;
    if (!(shingle >> 32 & s->thin))
        set(&s->text[r->side], shingle);
    note(s, hash, r->side == WAS ? times : 0, r->side == IS ? times : 0);
}

static void skip_blanks(struct reader *r)
{
    while (r->at < r->end && *r->at == ' ')
        r->at++;
}

static void scan(struct fg_stakes *s, struct reader *r, const char *end, uint32_t times)
{
    for (skip_blanks(r); r->at < end; skip_blanks(r))
        take(s, r, read_word(r->at, end), times);
}

/* Both are at the same term: it is looked up once, and so is the shingle if the three
 * before it were the same. */
static inline void take_both(struct fg_stakes *s, struct reader *a, struct reader *b,
                             struct word word)
{
    uint64_t hash = mixed(word.key);
    uint64_t x = shift(&a->window, hash), y = shift(&b->window, hash);
    a->at += word.len + 1;
    b->at += word.len + 1;
    a->words++;
    b->words++;
    if (!(x >> 32 & s->thin))
        set(&s->text[a->side], x);
    if (!(y >> 32 & s->thin))
        set(&s->text[b->side], y);
    note(s, hash, 1, 1);
}

/* Bytes at their ends that are the same, from the beginning of a term on. */
static size_t common_end(const struct reader *a, const struct reader *b)
{
    size_t most = (size_t)(a->end - a->at), n = 0;
    if ((size_t)(b->end - b->at) < most)
        most = (size_t)(b->end - b->at);
    while (n + 64 <= most && memcmp(a->end - n - 64, b->end - n - 64, 64) == 0)
        n += 64;
    while (n < most && a->end[-1 - (ptrdiff_t)n] == b->end[-1 - (ptrdiff_t)n])
        n++;
    while (n && a->end[-(ptrdiff_t)n] != ' ')
        n--;
    return n;
}

/* An old and a new text are the same for the most part, and what is the same need not be
 * looked at twice: side by side as long as their terms agree (a term may stand in the
 * place of another), and from the end. */
static void scan_both(struct fg_stakes *s, struct reader *a, struct reader *b)
{
    size_t same = common_end(a, b);
    const char *end_a = a->end - same, *end_b = b->end - same;
    for (;;) {
        skip_blanks(a);
        skip_blanks(b);
        if (a->at >= end_a || b->at >= end_b)
            break;
        struct word word = read_word(a->at, end_a);
        if ((size_t)(end_b - b->at) > word.len && b->at[word.len] == ' ' &&
            memcmp(a->at, b->at, word.len) == 0) {
            take_both(s, a, b, word);
        } else {
            take(s, a, word, 1);
            take(s, b, read_word(b->at, end_b), 1);
        }
    }
    scan(s, a, end_a, 1);
    scan(s, b, end_b, 1);
    for (skip_blanks(a), skip_blanks(b); a->at < a->end; skip_blanks(a), skip_blanks(b))
        take_both(s, a, b, read_word(a->at, a->end));
}

static float length_of(double words)
{
    return words > 0 ? (float)(1 / sqrt(fmax(words, 1))) : 1;
}

static struct reader reader_of(enum side side, struct fg_str terms)
{
    return (struct reader){terms.at, terms.at + terms.len, side, {{0}}, 0};
}

static void reset(struct fg_stakes *s, enum side side)
{
    struct counted *c = &s->text[side];
    for (size_t i = 0; i < c->n; i++) {
        s->terms[c->there[i]].count[side] = 0;
        s->terms[c->there[i]].weight[side] = 0;
    }
    c->n = 0;
    memset(c->shingles, 0, sizeof c->shingles);
}

/* What its text has was counted; the rest follows. */
static void end_counting(struct fg_stakes *s, enum side side,
                         const struct fg_text_terms *terms, size_t words)
{
    enum { TITLE = 3, ANCHORS = 2 }; /* as score.h has it by default */
    struct counted *c = &s->text[side];
    struct reader title = reader_of(side, terms->fields[FG_IN_TITLE]),
                  anchors = reader_of(side, terms->fields[FG_IN_ANCHORS]);
    scan(s, &title, title.end, TITLE);
    scan(s, &anchors, anchors.end, ANCHORS);
    look_up(s);
    for (size_t i = 0; i < c->n; i++) {
        struct term *term = &s->terms[c->there[i]];
        term->weight[side] = sqrtf((float)term->count[side]) * s->idf2[c->there[i]];
    }
    c->length = length_of(fg_index_words(words));
    c->inlinks = 1 + (float)terms->inlinks;
}

static void count_terms(struct fg_stakes *s, enum side side,
                        const struct fg_text_terms *terms)
{
    struct reader text = reader_of(side, terms->fields[FG_IN_TEXT]);
    reset(s, side);
    scan(s, &text, text.end, 1);
    end_counting(s, side, terms, text.words);
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
            s->with[--s->of_term[s->queries[q].terms[i] + 1]] = (uint32_t)q;
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
    uint32_t number = number_at(stakes, mixed(word_of(term).key));
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

/* The texts are of the same length: only queries with a term of which there are more or
 * less now have another score. A query counts for the first of these. */
static double gain_by_change(struct fg_stakes *s, uint32_t term)
{
    double sum = 0;
    enum { AHEAD = 6 };
    for (size_t k = s->of_term[term]; k < s->of_term[term + 1]; k++) {
        if (k + AHEAD < s->of_term[term + 1])
            __builtin_prefetch(&s->queries[s->with[k + AHEAD]]);
        const struct query *query = &s->queries[s->with[k]];
        size_t i = 0;
        while (query->terms[i] != term && s->terms[query->terms[i]].count[WAS] ==
                                              s->terms[query->terms[i]].count[IS])
            i++;
        if (query->terms[i] == term)
            sum += gain_of(s, s->with[k]);
    }
    return sum;
}

/* All that are found by this term. */
static double gain_by(struct fg_stakes *s, uint32_t term, bool is_same_length)
{
    double sum = 0;
    if (is_same_length && s->terms[term].count[WAS] == s->terms[term].count[IS])
        return 0;
    if (is_same_length)
        return gain_by_change(s, term);
    for (size_t q = s->by_term[term]; q < s->by_term[term + 1]; q++)
        sum += gain_of(s, q);
    return sum;
}

static double distance_of(const struct fg_stakes *s)
{
    size_t both = 0, any = 0;
    for (size_t i = 0; i < SHINGLES / 64; i++) {
        both += (size_t)__builtin_popcountll(s->text[WAS].shingles[i] &
                                             s->text[IS].shingles[i]);
        any += (size_t)__builtin_popcountll(s->text[WAS].shingles[i] |
                                            s->text[IS].shingles[i]);
    }
    return any ? 1 - (double)both / (double)any : 0;
}

static uint64_t thinned(const struct fg_text_terms *was, const struct fg_text_terms *is)
{
    size_t bytes = was->fields[FG_IN_TEXT].len + is->fields[FG_IN_TEXT].len;
    uint64_t thin = 0;
    for (size_t n = bytes / TERM_BYTES / 2; n > SHINGLES_FULL; n /= 2)
        thin = thin << 1 | 1;
    return thin;
}

double fg_stakes_gain(struct fg_stakes *stakes, const struct fg_text_terms *was,
                      const struct fg_text_terms *is, double *distance)
{
    double sum = 0;
    was = was ? was : &nothing;
    is = is ? is : &nothing;
    struct reader old = reader_of(WAS, was->fields[FG_IN_TEXT]),
                  fresh = reader_of(IS, is->fields[FG_IN_TEXT]);
    const struct counted *texts = stakes->text;
    order_queries(stakes);
    reset(stakes, WAS);
    reset(stakes, IS);
    stakes->thin = thinned(was, is);
    scan_both(stakes, &old, &fresh);
    end_counting(stakes, WAS, was, old.words);
    end_counting(stakes, IS, is, fresh.words);
    bool is_same_length =
        texts[WAS].length == texts[IS].length && texts[WAS].inlinks == texts[IS].inlinks;
    for (size_t i = 0; i < texts[IS].n; i++)
        sum += gain_by(stakes, texts[IS].there[i], is_same_length);
    for (size_t i = 0; i < texts[WAS].n; i++)
        if (!stakes->terms[texts[WAS].there[i]].count[IS])
            sum += gain_by(stakes, texts[WAS].there[i], is_same_length);
    if (distance)
        *distance = distance_of(stakes);
    return sum;
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
