#include "search/score.h"

#include <math.h>

const struct fg_scoring fg_scoring_default = {
    .kind = FG_SCORE_MIXED,
    .k1 = 2.0,
    .b = 0.75,
    .title = 3,
    .anchor = 2,
    .inlink_weight = 0.05,
};

double fg_score_idf(enum fg_score_kind kind, double texts, double with_term)
{
    if (with_term > texts)
        with_term = texts; /* an estimate may be */
    if (kind == FG_SCORE_TFIDF)
        return 1 + log(texts / (with_term + 1));
    return log1p((texts - with_term + 0.5) / (with_term + 0.5));
}

static double frequency(const struct fg_scoring *scoring, const uint32_t *counts)
{
    return scoring->title * counts[FG_IN_TITLE] + counts[FG_IN_TEXT] +
           scoring->anchor * counts[FG_IN_ANCHORS];
}

static double tfidf(const struct fg_scoring *scoring, const struct fg_score_group *groups,
                    size_t n, const struct fg_index_hit *hit)
{
    double sum = 0, norm = 0;
    for (size_t i = 0; i < n; i++) {
        if (!groups[i].is_counted)
            continue;
        double idf2 = groups[i].idf * groups[i].idf;
        sum += groups[i].times * sqrt(frequency(scoring, hit->counts[i])) * idf2;
        norm += idf2;
    }
    return norm > 0 ? sum / sqrt(norm) / sqrt(fmax(hit->words, 1)) : 0;
}

static double bm25(const struct fg_scoring *scoring, const struct fg_score_group *groups,
                   size_t n, const struct fg_index_hit *hit, double mean_words)
{
    double sum = 0;
    double length = mean_words > 0 ? hit->words / mean_words : 1;
    double k = scoring->k1 * (1 - scoring->b + scoring->b * length);
    for (size_t i = 0; i < n; i++) {
        double tf = groups[i].is_counted ? frequency(scoring, hit->counts[i]) : 0;
        if (tf > 0)
            sum += groups[i].times * groups[i].idf * tf * (scoring->k1 + 1) / (tf + k);
    }
    return sum;
}

/* bm25 grows with tf up to k1 + 1 times idf; tfidf without end. */
double fg_score_most(const struct fg_scoring *scoring, const struct fg_score_group *group)
{
    if (!group->is_counted)
        return 0;
    if (scoring->kind == FG_SCORE_TFIDF)
        return INFINITY;
    return group->times * group->idf * (scoring->k1 + 1);
}

bool fg_score_grows(const struct fg_scoring *scoring, double weights[FG_INDEX_FIELDS],
                    double *half, double *half_a_word, double mean_words)
{
    weights[FG_IN_TITLE] = scoring->title;
    weights[FG_IN_TEXT] = 1;
    weights[FG_IN_ANCHORS] = scoring->anchor;
    *half = scoring->k1 * (mean_words > 0 ? 1 - scoring->b : 1);
    *half_a_word = mean_words > 0 ? scoring->k1 * scoring->b / mean_words : 0;
    return scoring->kind != FG_SCORE_TFIDF;
}

double fg_score_text(const struct fg_scoring *scoring,
                     const struct fg_score_group *groups, size_t n,
                     const struct fg_index_hit *hit, double mean_words)
{
    if (scoring->kind == FG_SCORE_TFIDF)
        return tfidf(scoring, groups, n, hit);
    return bm25(scoring, groups, n, hit, mean_words);
}

double fg_score_page(const struct fg_scoring *scoring, double of_text, uint64_t inlinks)
{
    if (scoring->kind == FG_SCORE_INLINKS)
        return 1 + (double)inlinks;
    if (scoring->kind == FG_SCORE_MIXED)
        return of_text * (1 + scoring->inlink_weight * log1p((double)inlinks));
    return of_text;
}
