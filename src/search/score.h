/* score.h - how well a text answers a query
 *
 *     struct fg_scoring scoring = {.kind = FG_SCORE_BM25, .texts = N, .mean_words = avg};
 *     double idf = fg_score_idf(scoring.kind, N, texts_with_the_term);
 *     score = fg_score(&scoring, words, counts, idf, weights, n);
 *
 * tfidf is the classic similarity of Lucene, as Pandey's thesis uses it (4.7):
 *     S = 1/sqrt(words) * 1/sqrt(sum idf^2) * sum sqrt(tf) idf^2,  idf = 1 + ln(N/(df+1))
 * bm25 is that of Robertson et al. (TREC-3), with an idf that is never negative:
 *     S = sum idf * tf (k1 + 1) / (tf + k1 (1 - b + b words/mean)),
 *     idf = ln(1 + (N - df + 1/2) / (df + 1/2))
 * inlinks is 1 + the number of links to the page, whatever it says; of equals the one of
 * the better text, by bm25, comes first.
 * mixed is bm25 times 1 + inlink_weight * ln(1 + inlinks).
 *
 * In all of them an occurrence in the title or in the words of a link counts as several
 * in the text (as in BM25F). k1 2, b 0.75 and 3 for a title did best on Cranfield and
 * CISI together, of k1 from 1.2 to 2.8, b from 0.5 to 0.875 and titles of 1 and 3. */
#ifndef FG_SEARCH_SCORE_H
#define FG_SEARCH_SCORE_H

#include "store/index.h"

enum fg_score_kind { FG_SCORE_MIXED, FG_SCORE_BM25, FG_SCORE_TFIDF, FG_SCORE_INLINKS };

struct fg_scoring {
    enum fg_score_kind kind;
    double k1, b;         /* of bm25 */
    double title, anchor; /* what an occurrence there counts as */
    double inlink_weight;
};
extern const struct fg_scoring fg_scoring_default;

double fg_score_idf(enum fg_score_kind kind, double texts, double with_term);

/* A group of a query, as far as scores are concerned. */
struct fg_score_group {
    double idf, times;
    bool is_counted; /* false: it must not occur */
};

/* The most that a group can add to it. */
double fg_score_most(const struct fg_scoring *scoring,
                     const struct fg_score_group *group);
/* How much of that, as struct fg_index_query has it; false if that is not how. */
bool fg_score_grows(const struct fg_scoring *scoring, double weights[FG_INDEX_FIELDS],
                    double *half, double *half_a_word, double mean_words);
/* What the text alone is worth. */
double fg_score_text(const struct fg_scoring *scoring,
                     const struct fg_score_group *groups, size_t n,
                     const struct fg_index_hit *hit, double mean_words);
/* With what links say. */
double fg_score_page(const struct fg_scoring *scoring, double of_text, uint64_t inlinks);

#endif
