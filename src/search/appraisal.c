#include "search/appraisal.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/vec.h"
#include "search/quality.h"

#include <math.h>
#include <stdlib.h>

enum { INLINKS_MOST = 100 };

struct fg_appraisal {
    struct fg_stakes *queries, *terms; /* terms: NULL if they are not measured */
    struct fg_map exposures;           /* by site << 32 | page; a double's bits */
    size_t n_queries, measured, texts;
};

/* A result of the query that is being asked. */
struct found {
    float score;
    uint64_t page; /* site << 32 | page, or 0: it has gone */
};

struct making {
    struct fg_store *store;
    const struct fg_appraisal_rules *rules;
    struct fg_appraisal *made;
    struct fg_arena arena;
    struct fg_asked_queries asked;
    struct fg_map pages;   /* by number of text: site << 32 | page */
    struct fg_map inlinks; /* by page, + 1 */
    /* Of the query in hand. */
    struct fg_stakes *stakes;
    const struct fg_asked_query *query;
    size_t at;
    FG_VEC(struct found) found;
    FG_VEC(float) scores;
    struct fg_err *err;
    enum fg_status status;
};

void fg_appraisal_free(struct fg_appraisal *appraisal)
{
    if (!appraisal)
        return;
    fg_stakes_free(appraisal->queries);
    fg_stakes_free(appraisal->terms);
    fg_map_clear(&appraisal->exposures);
    free(appraisal);
}

/* --- asking the index --- */

static bool is_stopped(const struct making *m)
{
    return m->rules->stop && atomic_load(m->rules->stop);
}

/* A term, in all its spellings. */
static struct fg_index_group group_of(struct making *m, struct fg_str term)
{
    struct fg_str *phrases = FG_NEW(&m->arena, struct fg_str, m->asked.n_spellings + 1);
    struct fg_index_group group = {.phrases = phrases, .n = 1, .is_needed = true};
    phrases[0] = term;
    for (size_t i = 0; i < m->asked.n_spellings; i++)
        if (fg_str_eq(m->asked.spellings[i].term, term))
            phrases[group.n++] = m->asked.spellings[i].also;
    return group;
}

static uint64_t page_of(struct making *m, uint64_t number)
{
    uint64_t *page = fg_map_put(&m->pages, number);
    fg_site_id site;
    fg_page_id id;
    if (!*page && !fg_store_text_page(m->store, number, &site, &id, NULL))
        *page = (uint64_t)site << 32 | id;
    return *page;
}

static uint64_t inlinks_of(struct making *m, uint64_t page)
{
    uint64_t *known = fg_map_put(&m->inlinks, page), n = 0;
    if (!*known && !fg_store_inlinks(m->store, (fg_site_id)(page >> 32), (fg_page_id)page,
                                     INLINKS_MOST, &n, NULL))
        *known = n + 1;
    return *known ? *known - 1 : 0;
}

static bool take_hit(void *context, const struct fg_index_hit *hit)
{
    struct making *m = context;
    const struct fg_scoring *scoring = &fg_scoring_default;
    double counts[FG_ASKED_TERMS];
    uint64_t page = page_of(m, hit->number);
    if (is_stopped(m) || !page)
        return !is_stopped(m);
    for (size_t i = 0; i < m->query->n; i++)
        counts[i] = scoring->title * hit->counts[i][FG_IN_TITLE] +
                    hit->counts[i][FG_IN_TEXT] +
                    scoring->anchor * hit->counts[i][FG_IN_ANCHORS];
    uint64_t inlinks = m->rules->kind == FG_SCORE_INLINKS ? inlinks_of(m, page) : 0;
    float score =
        fg_stakes_score(m->stakes, m->query, m->at, counts, hit->words, inlinks);
    fg_vec_push(&m->found, (struct found){score, page});
    return true;
}

static int falling(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->page > y->page) - (x->page < y->page);
}

static void add_exposure(struct fg_map *exposures, uint64_t page, double more)
{
    uint64_t *bits = fg_map_put(exposures, page);
    double sum;
    memcpy(&sum, bits, sizeof sum);
    sum += more;
    memcpy(bits, &sum, sizeof sum);
}

/* One query's results; of single terms nobody asks for exposures. */
static void ask(struct making *m, bool is_term)
{
    struct fg_index_group groups[FG_ASKED_TERMS];
    for (size_t i = 0; i < m->query->n; i++)
        groups[i] = group_of(m, m->query->terms[i]);
    m->found.len = m->scores.len = 0;
    m->status = fg_store_match(
        m->store, &(struct fg_index_query){.groups = groups, .n = m->query->n}, take_hit,
        m, m->err);
    if (m->found.len)
        qsort(m->found.at, m->found.len, sizeof *m->found.at, falling);
    for (size_t i = 0; i < m->found.len; i++) {
        fg_vec_push(&m->scores, m->found.at[i].score);
        if (!is_term)
            add_exposure(&m->made->exposures, m->found.at[i].page,
                         m->query->frequency * fg_inspection((double)i + 1) *
                             (double)m->found.at[i].score);
    }
    fg_stakes_results(m->stakes, m->at, m->scores.at, m->scores.len);
}

/* In how many texts each term is; those of many queries are asked for once. */
static void count_terms(struct making *m, struct fg_stakes *stakes,
                        const struct fg_asked_queries *asked)
{
    struct fg_names known = {.arena = &m->arena};
    fg_stakes_texts(stakes, (double)m->made->texts);
    for (size_t q = 0; q < asked->n && !m->status && !is_stopped(m); q++)
        for (size_t i = 0; i < asked->at[q].n && !m->status; i++) {
            struct fg_str term = asked->at[q].terms[i];
            uint64_t *is_known = fg_names_put(&known, term);
            double with = 0;
            if (*is_known)
                continue;
            *is_known = 1;
            struct fg_index_group group = group_of(m, term);
            group.is_needed = false;
            m->status = fg_store_frequency(m->store, &group, &with, m->err);
            fg_stakes_with_term(stakes, term, with);
        }
}

static struct fg_stakes *make_side(struct making *m, const struct fg_asked_queries *asked,
                                   bool is_term)
{
    m->stakes = fg_stakes_new(
        asked, &(struct fg_stakes_rules){.kind = m->rules->kind, .is_printed = is_term});
    count_terms(m, m->stakes, asked);
    for (m->at = 0; m->at < asked->n && !m->status && !is_stopped(m); m->at++) {
        m->query = &asked->at[m->at];
        ask(m, is_term);
    }
    return m->stakes;
}

static void make(struct making *m)
{
    struct fg_index_figures figures = {0};
    m->status = fg_asked_load(&m->asked, &m->arena, m->store, m->rules->today, m->err);
    if (!m->status && m->asked.n)
        m->status = fg_store_index_figures(m->store, &figures, m->err);
    if (m->status || !figures.texts)
        return;
    m->made = fg_zeroed(1, sizeof *m->made);
    m->made->texts = figures.texts;
    m->made->n_queries = m->asked.n;
    m->made->queries = make_side(m, &m->asked, false);
    if (m->rules->measures_terms) {
        struct fg_asked_queries single = fg_asked_single(&m->asked, &m->arena);
        m->made->terms = make_side(m, &single, true);
    }
    if (!m->status && is_stopped(m))
        m->status = fg_fail(m->err, FG_EIO, "stopped");
}

enum fg_status fg_appraisal_make(struct fg_appraisal **appraisal, struct fg_store *store,
                                 const struct fg_appraisal_rules *rules,
                                 struct fg_err *err)
{
    struct making m = {.store = store, .rules = rules, .err = err};
    make(&m);
    if (m.status) {
        fg_appraisal_free(m.made);
        m.made = NULL;
    }
    *appraisal = m.made;
    fg_map_clear(&m.pages);
    fg_map_clear(&m.inlinks);
    fg_vec_clear(&m.found);
    fg_vec_clear(&m.scores);
    fg_arena_clear(&m.arena);
    return m.status;
}

/* --- measuring --- */

void fg_appraisal_measure(struct fg_appraisal *appraisal, const struct fg_text_terms *was,
                          const struct fg_text_terms *is, struct fg_worth *worth)
{
    double distance;
    worth->gain += (float)fg_stakes_gain(appraisal->queries, was, is, &distance);
    if (appraisal->terms)
        worth->gain_printed += (float)fg_stakes_gain(appraisal->terms, was, is, NULL);
    worth->distance = fmaxf(worth->distance, (float)distance);
    appraisal->measured++;
}

double fg_appraisal_exposure(const struct fg_appraisal *appraisal, fg_site_id site,
                             fg_page_id page)
{
    const uint64_t *bits = fg_map_get(&appraisal->exposures, (uint64_t)site << 32 | page);
    double sum = 0;
    if (bits)
        memcpy(&sum, bits, sizeof sum);
    return sum;
}

size_t fg_appraisal_queries(const struct fg_appraisal *appraisal)
{
    return appraisal->n_queries;
}

size_t fg_appraisal_measured(const struct fg_appraisal *appraisal)
{
    return appraisal->measured;
}

size_t fg_appraisal_texts(const struct fg_appraisal *appraisal)
{
    return appraisal->texts;
}

/* --- what a page has at stake --- */

/* As the policy `stake` has it, with one site: docs/quality.md. */
static const double exponent = 0.8, least_worth = 0.02, most_replaced = 0.95;

void fg_stake_add(struct fg_stake *stake, const struct fg_worth *worth)
{
    stake->gained += fmax((double)worth->gain, 0);
    stake->replaced += fmin((double)worth->distance, most_replaced);
}

void fg_stakes_missed(float *missed, const struct fg_stake *stakes, size_t n)
{
    double mean = 0, gained = 0, expected = 0, all = 0;
    for (size_t i = 0; i < n; i++)
        mean += pow(stakes[i].exposure, exponent) / (double)n;
    for (size_t i = 0; i < n; i++) {
        double worth =
            (mean > 0 ? pow(stakes[i].exposure, exponent) / mean : 1) + least_worth;
        gained += stakes[i].gained;
        expected += worth * stakes[i].replaced;
        missed[i] = (float)worth;
    }
    double kappa = gained > 0 && expected > 0 ? gained / expected : 1;
    for (size_t i = 0; i < n; i++) {
        double at_stake =
            (kappa * (double)missed[i] + stakes[i].gained) / (1 + stakes[i].replaced);
        missed[i] = (float)at_stake;
        all += at_stake / (double)n;
    }
    for (size_t i = 0; i < n && all > 0; i++)
        missed[i] = (float)((double)missed[i] / all);
}
