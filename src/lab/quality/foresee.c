#include "lab/quality/foresee.h"

#include "base/memory.h"
#include "lab/quality/repository.h"

#include <math.h>
#include <stdlib.h>

struct history {
    struct fg_corpus *corpus;
    struct fg_repository *repository;
    bool measures;
    uint32_t *last, *changes; /* by page: week of its last change, and how many */
};

static void measure(struct history *h, size_t page, size_t week)
{
    struct fg_corpus *c = h->corpus;
    bool is_late = week > c->weeks / 2;
    for (size_t m = 0; m < FG_FORESEEN; m++) {
        double gain =
            fmax(fg_repository_measure(h->repository, page, (enum fg_measure)m), 0);
        c->worth[m][is_late][page] += (float)gain;
        c->mean_rate[m][page] += (float)(gain / (double)(week - h->last[page]));
    }
    h->last[page] = (uint32_t)week;
    h->changes[page]++;
}

static void follow(struct history *h)
{
    struct fg_corpus *c = h->corpus;
    c->perfect[0] = fg_repository_worth(h->repository);
    for (size_t week = 1; week < c->weeks; week++) {
        if (week % 4 == 0)
            fg_repository_rebuild(h->repository);
        for (size_t page = 0; page < c->n; page++) {
            size_t is = fg_corpus_version(c, page, week);
            if (is == fg_repository_live(h->repository, page))
                continue;
            fg_repository_change(h->repository, page, is);
            if (h->measures)
                measure(h, page, week);
            fg_repository_fetch(h->repository, page);
        }
        c->perfect[week] = fg_repository_worth(h->repository);
    }
}

void fg_corpus_foresee(struct fg_corpus *corpus, bool measures)
{
    struct history h = {.corpus = corpus,
                        .repository = fg_repository_new(corpus, measures),
                        .measures = measures,
                        .last = fg_zeroed(corpus->n, sizeof *h.last),
                        .changes = fg_zeroed(corpus->n, sizeof *h.changes)};
    corpus->perfect = fg_zeroed(corpus->weeks, sizeof *corpus->perfect);
    corpus->inspected = fg_zeroed(corpus->n, sizeof *corpus->inspected);
    for (size_t m = 0; m < FG_FORESEEN; m++) {
        corpus->worth[m][0] = fg_zeroed(corpus->n, sizeof(float));
        corpus->worth[m][1] = fg_zeroed(corpus->n, sizeof(float));
        corpus->mean_rate[m] = fg_zeroed(corpus->n, sizeof(float));
    }
    for (size_t page = 0; page < corpus->n; page++)
        corpus->inspected[page] = (float)fg_repository_inspected(h.repository, page);
    follow(&h);
    for (size_t i = 0; i < FG_FORESEEN * corpus->n; i++)
        if (h.changes[i % corpus->n])
            corpus->mean_rate[i / corpus->n][i % corpus->n] /=
                (float)h.changes[i % corpus->n];
    fg_repository_free(h.repository);
    free(h.last);
    free(h.changes);
}

double fg_corpus_changes(const struct fg_corpus *corpus, size_t page, double tau)
{
    size_t reference = corpus->first[page], counted = 0;
    double least = tau < 1 ? tau : 0.99;
    for (size_t v = reference + 1; v < corpus->first[page + 1]; v++)
        if (!(tau > 0) || fg_corpus_distance(corpus, reference, v) > least) {
            counted++;
            reference = v;
        }
    double share = (double)counted / (double)(corpus->weeks - 1);
    return -log(fmax(0.5 / (double)corpus->weeks, 1 - share));
}

double fg_corpus_ruined(const struct fg_corpus *corpus, size_t page, double tau)
{
    size_t first = corpus->first[page], end = corpus->first[page + 1], ruined = 0;
    for (size_t v = first + 1; v < end; v++)
        ruined += fg_corpus_distance(corpus, v - 1, v) >= tau;
    return end - first > 1 ? (double)ruined / (double)(end - first - 1) : 0;
}
