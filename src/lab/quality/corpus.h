/* corpus.h - versions of pages as the results of queries: what a replay needs, counted
 * once
 *
 *     struct fg_corpus_options options = {.log = "heads", .scoring = FG_SCORING_TFIDF};
 *     struct fg_corpus *corpus;
 *     fg_corpus_make(&corpus, versions, &options, err);
 *     ...
 *     fg_corpus_free(corpus);
 *
 * Of every version it holds the queries that it answers (one that has all terms of the
 * query does), each with its score; and the same for the single terms of the queries, of
 * which each has the summed frequency of the queries that hold it (4.6.1). Scores are
 *
 *     tfidf    1/sqrt(words) 1/sqrt(sum idf^2) sum sqrt(tf) idf^2, idf = 1 + ln(N/(df+1))
 *     inlinks  1 + inlinks of the page
 *
 * with N and df of week 0. foresee.h adds what follows from the whole history. */
#ifndef FG_LAB_QUALITY_CORPUS_H
#define FG_LAB_QUALITY_CORPUS_H

#include "lab/quality/versions.h"
#include "search/ranked.h"

enum fg_corpus_scoring { FG_SCORING_TFIDF, FG_SCORING_INLINKS };

/* A query that a version answers. */
struct fg_slot {
    uint32_t query;
    float score;
};

/* Queries, or single terms, and the versions that answer them. */
struct fg_asked {
    size_t n;
    double *frequency;
    size_t *at; /* version v answers slot[at[v]] .. slot[at[v + 1]], by query */
    struct fg_slot *slot;
    struct fg_ranked *fresh; /* by query: its results in week 0 */
};

/* How dQ is measured: exactly with copies' scores, from 8 buckets a query, from 3 a term
 * as the thesis prints it, and from 3 a term with the closed form. */
enum fg_measure {
    FG_MEASURE_EXACT,
    FG_MEASURE_QUERIES,
    FG_MEASURE_PRINTED,
    FG_MEASURE_TERMS,
    FG_MEASURES,
    FG_FORESEEN = FG_MEASURE_TERMS /* those that foresee.h makes */
};

struct fg_corpus {
    size_t n, weeks, sites;
    uint32_t *id, *site; /* by page: its number among all versions' pages */
    size_t *first;       /* of a page's versions; n + 1 of them */
    uint32_t *week;      /* by version: from which it is */
    uint8_t (*sketch)[FG_VERSION_SKETCH];
    struct fg_asked queries, terms;
    /* foresee.h: by week the sum of f_q num_q(W), that of a perfect repository; ... */
    double *perfect;
    /* ... by page, if every change is fetched at once: what the changes of each half of
     * the weeks were worth, and of all the mean of dQ a week of each; ... */
    float *worth[FG_FORESEEN][2], *mean_rate[FG_FORESEEN];
    float *inspected; /* ... and the sum of f_q I(rank) in week 0 */
};

struct fg_corpus_options {
    const char *log;
    enum fg_corpus_scoring scoring;
    /* 0: all pages. Otherwise one half of them: 1 and 2 are those of a random split, 3
     * and 4 of another, and so on. */
    size_t half;
};

enum fg_status fg_corpus_make(struct fg_corpus **corpus,
                              const struct fg_versions *versions,
                              const struct fg_corpus_options *options,
                              struct fg_err *err);
void fg_corpus_free(struct fg_corpus *corpus); /* NULL is fine */

/* The version of a page in a week. */
size_t fg_corpus_version(const struct fg_corpus *corpus, size_t page, size_t week);
double fg_corpus_distance(const struct fg_corpus *corpus, size_t a, size_t b);

#endif
