/* bounds.c - Lemma 1 and Theorem 1 of chapter 3.6, computed on weeks of sites
 *
 * With true degrees p_[1] >= p_[2] >= ... OD finds at least p_[1] / (p_[1] + p_[k+1] +
 * ...
 * + p_[2k-1]) of what the best k pages find (Lemma 1). Where any two pages overlap by at
 * least 1 - eb or at most es, both at most 1/3, CLIQ finds at least (1 - k' es) / (1 + k
 * eb), k' being the smaller of k and the number of classes (Theorem 1). Weeks where pages
 * overlap otherwise are no instances of it. The best k pages cannot be computed; greedy
 * finds at most as much, so what is found beside greedy must not be below a bound. */
#include "lab/thesis/thesis.h"

#include "base/memory.h"
#include "learn/cover.h"
#include "learn/jaccard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A week, its sets by size, and which new pages are covered. */
struct weighed {
    const struct fg_week *week;
    uint32_t *order;   /* linking pages, those that cover most first */
    uint32_t *cluster; /* of each set */
    uint8_t *is_covered;
    double alike, apart; /* the least overlap in a class, the most between two */
};

static size_t size_of(const struct fg_week *week, size_t page)
{
    uint32_t set = week->set_of[page];
    return week->set_at[set + 1] - week->set_at[set];
}

static void by_size(struct weighed *w)
{
    size_t n = w->week->n_linking, most = 0;
    for (size_t i = 0; i < n; i++)
        most = size_of(w->week, i) > most ? size_of(w->week, i) : most;
    size_t *at = fg_zeroed(most + 2, sizeof *at);
    for (size_t i = 0; i < n; i++)
        at[most - size_of(w->week, i) + 1]++;
    for (size_t s = 0; s < most; s++)
        at[s + 1] += at[s];
    for (size_t i = 0; i < n; i++)
        w->order[at[most - size_of(w->week, i)]++] = (uint32_t)i;
    free(at);
}

static size_t cover(struct weighed *w, size_t page)
{
    size_t set = w->week->set_of[page], found = 0;
    for (size_t i = w->week->set_at[set]; i < w->week->set_at[set + 1]; i++) {
        uint8_t *is_covered = &w->is_covered[w->week->covered[i] - w->week->n_old];
        found += !*is_covered;
        *is_covered = 1;
    }
    return found;
}

static void begin(struct weighed *w)
{
    memset(w->is_covered, 0, w->week->n_new);
}

static size_t items(void *context, size_t set, const uint64_t **links)
{
    const struct fg_week *week = *(const struct fg_week **)context;
    *links = week->covered + week->set_at[set];
    return week->set_at[set + 1] - week->set_at[set];
}

/* Sets and not pages: of pages with one set the second adds nothing. */
static size_t greedy(const struct fg_week *week, size_t k)
{
    struct fg_cover best = {0};
    size_t set, gain;
    fg_cover_start(&best, &(struct fg_cover_sets){&week, items, 0});
    for (size_t s = 0; s < week->sets; s++)
        fg_cover_offer(&best, s);
    for (size_t n = 0; n < k && fg_cover_next(&best, &set, &gain); n++)
        fg_cover_take(&best, set);
    size_t found = best.size;
    fg_cover_clear(&best);
    return found;
}

static void note(struct fg_thesis_bound *b, double found, double bound)
{
    b->least = b->weeks > 0 ? fmin(b->least, found) : found;
    b->least_bound = b->weeks > 0 ? fmin(b->least_bound, bound) : bound;
    b->weeks++;
    b->found += found;
    b->bound += bound;
    b->broken += found < bound - 1e-9;
}

static void lemma(struct fg_thesis_bound *b, struct weighed *w, size_t k, double best)
{
    size_t n = w->week->n_linking, found = 0;
    double first = (double)size_of(w->week, w->order[0]), next = 0;
    begin(w);
    for (size_t i = 0; i < n && i < k; i++)
        found += cover(w, w->order[i]);
    for (size_t i = k; i < n && i < 2 * k - 1; i++)
        next += (double)size_of(w->week, w->order[i]);
    note(b, (double)found / best, first / (first + next));
}

static void note_pair(void *context, size_t i, size_t j, double overlap)
{
    struct weighed *w = context;
    if (w->cluster[i] == w->cluster[j])
        w->alike = fmin(w->alike, overlap);
    else
        w->apart = fmax(w->apart, overlap);
}

static void theorem(struct fg_thesis_bound *b, struct weighed *w, size_t k, double best)
{
    size_t n = w->week->n_linking, found = 0, classes = 0, taken = 0;
    uint8_t *is_taken = fg_zeroed(w->week->sets + 1, 1);
    begin(w);
    for (size_t s = 0; s < w->week->sets; s++)
        classes += w->cluster[s] == s;
    for (size_t i = 0; i < n && taken < k; i++) {
        uint8_t *is = &is_taken[w->cluster[w->week->set_of[w->order[i]]]];
        if (*is)
            continue;
        *is = 1;
        taken++;
        found += cover(w, w->order[i]);
    }
    free(is_taken);
    double most = (double)(k < classes ? k : classes);
    double bound = (1 - most * w->apart) / (1 + (double)k * (1 - w->alike));
    note(b, (double)found / best, fmax(bound, 0));
}

static void weigh(struct fg_thesis_run *run, struct weighed *w)
{
    const struct fg_week *week = w->week;
    const struct fg_sets sets = {week->sets, week->set_at, week->covered};
    by_size(w);
    w->alike = 1;
    w->apart = 0;
    fg_jaccard_clusters(&sets, 2.0 / 3, w->cluster);
    fg_jaccard_pairs(&sets, 1e-12, note_pair, w);
    /* a class by single linkage may hold pages that do not overlap at all */
    size_t *members = fg_zeroed(week->sets + 1, sizeof *members), alone = 0;
    for (size_t s = 0; s < week->sets; s++)
        members[w->cluster[s]]++;
    for (size_t s = 0; s < week->sets; s++)
        alone += members[w->cluster[s]] <= 2;
    bool is_instance = w->alike >= 2.0 / 3 && w->apart <= 1.0 / 3 && alone == week->sets;
    free(members);
    for (size_t k = 0; k < FG_THESIS_BOUND_BUDGETS; k++) {
        size_t budget = fg_thesis_table_budgets[k];
        double best = (double)greedy(week, budget);
        lemma(&run->lemma[k], w, budget, best);
        if (is_instance)
            theorem(&run->theorem[k], w, budget, best);
    }
}

void fg_thesis_bounds(struct fg_thesis_run *run, const struct fg_weekly_site *site)
{
    for (size_t t = 0; t < site->weeks; t++) {
        const struct fg_week *week = site->week[t];
        if (!week->n_linking)
            continue;
        struct weighed w = {.week = week,
                            .order = fg_zeroed(week->n_linking, sizeof *w.order),
                            .cluster = fg_zeroed(week->sets, sizeof *w.cluster),
                            .is_covered = fg_zeroed(week->n_new, 1)};
        weigh(run, &w);
        free(w.order);
        free(w.cluster);
        free(w.is_covered);
    }
}
