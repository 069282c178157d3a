#include "lab/quality/repository.h"

#include "base/memory.h"
#include "search/quality.h"
#include "search/ranked.h"

#include <stdlib.h>

/* Queries or single terms, with their results. */
struct side {
    const struct fg_asked *asked; /* NULL: not wanted */
    struct fg_ranked *list;
    struct fg_histogram *histogram;
};

struct fg_repository {
    const struct fg_corpus *corpus;
    size_t *copy, *live; /* versions by page */
    struct side queries, terms;
    double *num; /* by query, and whether it is to be counted anew */
    bool *is_dirty;
    bool is_judged; /* whether lists know the pages' own scores */
};

/* --- two versions, query by query --- */

struct pair {
    uint32_t query;
    float was, is;
};

/* The queries that one of two versions answers, in their order. */
struct walk {
    const struct fg_slot *a, *a_end, *b, *b_end;
};

static struct walk walk_of(const struct fg_asked *asked, size_t was, size_t is)
{
    return (struct walk){asked->slot + asked->at[was], asked->slot + asked->at[was + 1],
                         asked->slot + asked->at[is], asked->slot + asked->at[is + 1]};
}

static bool walk_next(struct walk *w, struct pair *pair)
{
    uint32_t a = w->a < w->a_end ? w->a->query : UINT32_MAX;
    uint32_t b = w->b < w->b_end ? w->b->query : UINT32_MAX;
    if (a == UINT32_MAX && b == UINT32_MAX)
        return false;
    pair->query = a < b ? a : b;
    pair->was = a <= b ? (w->a++)->score : 0;
    pair->is = b <= a ? (w->b++)->score : 0;
    return true;
}

/* --- keeping --- */

static void side_init(struct side *side, const struct fg_asked *asked)
{
    *side = (struct side){.asked = asked};
    side->list = fg_zeroed(asked->n, sizeof *side->list);
    side->histogram = fg_zeroed(asked->n, sizeof *side->histogram);
    for (size_t q = 0; q < asked->n; q++)
        fg_ranked_copy(&side->list[q], &asked->fresh[q]);
}

static void side_clear(struct side *side)
{
    for (size_t q = 0; side->asked && q < side->asked->n; q++)
        fg_ranked_clear(&side->list[q]);
    free(side->list);
    free(side->histogram);
}

static void side_rebuild(struct side *side, size_t buckets, float *scores)
{
    for (size_t q = 0; side->asked && q < side->asked->n; q++) {
        const struct fg_ranked *list = &side->list[q];
        for (size_t i = 0; i < list->len; i++)
            scores[i] = list->at[i].copy;
        fg_histogram_make(&side->histogram[q], scores, list->len, buckets);
    }
}

struct fg_repository *fg_repository_new(const struct fg_corpus *corpus, bool has_terms)
{
    struct fg_repository *r = fg_zeroed(1, sizeof *r);
    r->corpus = corpus;
    r->copy = fg_zeroed(corpus->n, sizeof *r->copy);
    r->live = fg_zeroed(corpus->n, sizeof *r->live);
    for (size_t page = 0; page < corpus->n; page++)
        r->copy[page] = r->live[page] = corpus->first[page];
    side_init(&r->queries, &corpus->queries);
    if (has_terms)
        side_init(&r->terms, &corpus->terms);
    r->num = fg_zeroed(corpus->queries.n, sizeof *r->num);
    r->is_dirty = fg_zeroed(corpus->queries.n, sizeof *r->is_dirty);
    for (size_t q = 0; q < corpus->queries.n; q++)
        r->is_dirty[q] = true;
    fg_repository_rebuild(r);
    return r;
}

void fg_repository_free(struct fg_repository *repository)
{
    side_clear(&repository->queries);
    side_clear(&repository->terms);
    free(repository->copy);
    free(repository->live);
    free(repository->num);
    free(repository->is_dirty);
    free(repository);
}

void fg_repository_rebuild(struct fg_repository *repository)
{
    float *scores = fg_zeroed(repository->corpus->n, sizeof *scores);
    side_rebuild(&repository->queries, FG_HISTOGRAM_BUCKETS, scores);
    side_rebuild(&repository->terms, FG_HISTOGRAM_BUCKETS_PRINTED, scores);
    free(scores);
}

size_t fg_repository_copy(const struct fg_repository *repository, size_t page)
{
    return repository->copy[page];
}

size_t fg_repository_live(const struct fg_repository *repository, size_t page)
{
    return repository->live[page];
}

/* The lists learn the scores of a page whose copy is another. */
static void see(struct fg_repository *repository, size_t page)
{
    struct side *side = &repository->queries;
    struct walk walk =
        walk_of(side->asked, repository->copy[page], repository->live[page]);
    struct pair pair;
    while (walk_next(&walk, &pair)) {
        fg_ranked_see(&side->list[pair.query], (uint32_t)page, pair.was, pair.is);
        repository->is_dirty[pair.query] = true;
    }
}

void fg_repository_change(struct fg_repository *repository, size_t page, size_t version)
{
    repository->live[page] = version;
    if (repository->is_judged)
        see(repository, page);
}

void fg_repository_judge(struct fg_repository *repository)
{
    for (size_t page = 0; !repository->is_judged && page < repository->corpus->n; page++)
        if (repository->copy[page] != repository->live[page])
            see(repository, page);
    repository->is_judged = true;
}

static void side_fetch(struct side *side, uint32_t page, size_t was, size_t is)
{
    struct walk walk = walk_of(side->asked, was, is);
    struct pair pair;
    while (walk_next(&walk, &pair))
        fg_ranked_move(&side->list[pair.query], page, pair.was, pair.is, pair.is);
}

void fg_repository_fetch(struct fg_repository *repository, size_t page)
{
    size_t was = repository->copy[page], is = repository->live[page];
    struct walk walk = walk_of(repository->queries.asked, was, is);
    struct pair pair;
    if (was == is)
        return;
    while (walk_next(&walk, &pair))
        repository->is_dirty[pair.query] = true;
    side_fetch(&repository->queries, (uint32_t)page, was, is);
    if (repository->terms.asked)
        side_fetch(&repository->terms, (uint32_t)page, was, is);
    repository->copy[page] = is;
}

/* --- measuring --- */

double fg_repository_measure(const struct fg_repository *repository, size_t page,
                             enum fg_measure measure)
{
    bool is_queries = measure == FG_MEASURE_EXACT || measure == FG_MEASURE_QUERIES;
    const struct side *side = is_queries ? &repository->queries : &repository->terms;
    struct pair p;
    double sum = 0;
    if (!side->asked || repository->copy[page] == repository->live[page])
        return 0;
    struct walk walk =
        walk_of(side->asked, repository->copy[page], repository->live[page]);
    while (walk_next(&walk, &p)) {
        const struct fg_histogram *h = &side->histogram[p.query];
        double gain = 0;
        if (p.was == p.is)
            continue;
        if (measure == FG_MEASURE_EXACT)
            gain = fg_ranked_gain(&side->list[p.query], (uint32_t)page, p.was, p.is,
                                  FG_RANKED_COPIES);
        else if (measure == FG_MEASURE_PRINTED)
            gain = fg_histogram_gain_printed(h, (double)p.was, (double)p.is);
        else
            gain = fg_histogram_gain(h, (double)p.was, (double)p.is);
        sum += side->asked->frequency[p.query] * gain;
    }
    return sum;
}

double fg_repository_truth(const struct fg_repository *repository, size_t page)
{
    const struct side *side = &repository->queries;
    struct walk walk =
        walk_of(side->asked, repository->copy[page], repository->live[page]);
    struct pair p;
    double sum = 0;
    while (walk_next(&walk, &p))
        sum += side->asked->frequency[p.query] * fg_ranked_gain(&side->list[p.query],
                                                                (uint32_t)page, p.was,
                                                                p.is, FG_RANKED_LIVE);
    return sum;
}

double fg_repository_exposure(const struct fg_repository *repository, size_t page)
{
    const struct side *side = &repository->queries;
    size_t v = repository->copy[page];
    double sum = 0;
    for (size_t i = side->asked->at[v]; i < side->asked->at[v + 1]; i++) {
        const struct fg_slot *slot = &side->asked->slot[i];
        sum += side->asked->frequency[slot->query] *
               fg_histogram_exposure(&side->histogram[slot->query], (double)slot->score);
    }
    return sum;
}

double fg_repository_inspected(const struct fg_repository *repository, size_t page)
{
    const struct side *side = &repository->queries;
    size_t v = repository->copy[page];
    double sum = 0;
    for (size_t i = side->asked->at[v]; i < side->asked->at[v + 1]; i++) {
        const struct fg_slot *slot = &side->asked->slot[i];
        sum += side->asked->frequency[slot->query] *
               fg_inspection((double)fg_ranked_place(&side->list[slot->query],
                                                     (uint32_t)page, slot->score));
    }
    return sum;
}

double fg_repository_worth(struct fg_repository *repository)
{
    double sum = 0;
    for (size_t q = 0; q < repository->queries.asked->n; q++) {
        if (repository->is_dirty[q])
            repository->num[q] = fg_ranked_quality(&repository->queries.list[q]);
        repository->is_dirty[q] = false;
        sum += repository->queries.asked->frequency[q] * repository->num[q];
    }
    return sum;
}
