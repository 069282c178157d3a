/* Pages that are searched: the corpus against scores worked out by hand, the repository
 * against sums over everything, and replays that see nothing they did not fetch. */
#include "base/memory.h"
#include "base/rng.h"
#include "lab/quality/foresee.h"
#include "lab/quality/replay.h"
#include "lab/quality/repository.h"
#include "lab/quality/study.h"
#include "lab/quality/versions_make.h"
#include "lab/replay.h"
#include "search/quality.h"
#include "test.h"

enum { PAGES = 120, WEEKS = 40 };

static struct fg_versions *small_set(uint64_t seed)
{
    return fg_versions_make(&(struct fg_versions_options){
        .pages = PAGES, .sites = 4, .weeks = WEEKS, .seed = seed});
}

static struct fg_corpus *corpus_of(const struct fg_versions *versions, const char *log,
                                   enum fg_corpus_scoring scoring)
{
    struct fg_err err;
    struct fg_corpus *corpus;
    struct fg_corpus_options options = {.log = log, .scoring = scoring};
    if (fg_corpus_make(&corpus, versions, &options, &err))
        fail_msg("%s", err.text);
    return corpus;
}

static struct fg_corpus *small_corpus(uint64_t seed, enum fg_corpus_scoring scoring)
{
    struct fg_versions *versions = small_set(seed);
    struct fg_corpus *corpus = corpus_of(versions, "heads", scoring);
    fg_versions_free(versions);
    return corpus;
}

/* --- scores --- */

/* N = 3703, df 99 and 499, 400 words, tf 4 and 1: .468389 for both terms, .461173 for the
 * first alone. */
static void scores_are_those_worked_out(void **state)
{
    (void)state;
    static uint32_t site[3703], inlinks[3703], with_term[] = {99, 499};
    static size_t first[3704];
    static struct fg_version version[3703];
    static struct fg_word_count counts[] = {{0, 4}, {1, 1}};
    double frequency[] = {0.5, 0.5};
    size_t at[] = {0, 2, 3};
    uint32_t terms[] = {0, 1, 0};
    struct fg_versions versions = {.pages = 3703,
                                   .sites = 1,
                                   .weeks = 1,
                                   .terms = 2,
                                   .site = site,
                                   .inlinks = inlinks,
                                   .first = first,
                                   .version = version,
                                   .n_versions = 3703,
                                   .counts = counts,
                                   .n_counts = 2,
                                   .with_term = with_term,
                                   .n_logs = 1};
    versions.logs[0] = (struct fg_query_log){
        .name = "log", .n = 2, .frequency = frequency, .at = at, .terms = terms};
    for (size_t i = 0; i < 3703; i++) {
        first[i + 1] = i + 1;
        version[i] = (struct fg_version){.words = 400, .first = i ? 2 : 0};
    }
    inlinks[0] = 7;
    struct fg_corpus *corpus = corpus_of(&versions, "log", FG_SCORING_TFIDF);
    assert_int_equal(corpus->queries.at[1], 2);
    assert_int_equal(corpus->queries.at[3703], 2);
    assert_near((double)corpus->queries.slot[0].score, .468389, 1e-6);
    assert_near((double)corpus->queries.slot[1].score, .461173, 1e-6);
    /* the first term is in both queries, the second in one */
    assert_int_equal(corpus->terms.n, 2);
    assert_near(corpus->terms.frequency[0], 1, 1e-12);
    assert_near(corpus->terms.frequency[1], .5, 1e-12);
    fg_corpus_free(corpus);
    corpus = corpus_of(&versions, "log", FG_SCORING_INLINKS);
    assert_near((double)corpus->queries.slot[0].score, 8, 0);
    fg_corpus_free(corpus);
    struct fg_err err;
    assert_int_equal(
        fg_corpus_make(&corpus, &versions, &(struct fg_corpus_options){.log = "x"}, &err),
        FG_EINPUT);
    assert_non_null(strstr(err.text, "queries_x.tsv"));
}

static void sketches_tell_how_much_differs(void **state)
{
    (void)state;
    uint8_t a[FG_VERSION_SKETCH] = {0}, b[FG_VERSION_SKETCH] = {0};
    assert_near(fg_sketch_distance(a, b), 0, 1e-12);
    for (int i = 0; i < 42; i++)
        b[i] = 1;
    assert_near(fg_sketch_distance(a, b), 1 - (0.5 - 1.0 / 256) / (255.0 / 256), 1e-12);
    memset(b, 1, sizeof b);
    assert_near(fg_sketch_distance(a, b), 1, 0);
}

/* --- the repository --- */

/* Q from nothing but the versions: ranks by counting who is above. */
static double worth_by_counting(const struct fg_corpus *c, const struct fg_repository *r)
{
    double sum = 0;
    const struct fg_asked *asked = &c->queries;
    float *copy = fg_zeroed(asked->n * c->n, sizeof *copy);
    float *live = fg_zeroed(asked->n * c->n, sizeof *live);
    for (size_t page = 0; page < c->n; page++) {
        size_t v = fg_repository_copy(r, page), w = fg_repository_live(r, page);
        for (size_t i = asked->at[v]; i < asked->at[v + 1]; i++)
            copy[asked->slot[i].query * c->n + page] = asked->slot[i].score;
        for (size_t i = asked->at[w]; i < asked->at[w + 1]; i++)
            live[asked->slot[i].query * c->n + page] = asked->slot[i].score;
    }
    for (size_t q = 0; q < asked->n; q++)
        for (size_t p = 0; p < c->n; p++) {
            const float *s = &copy[q * c->n];
            size_t rank = 1;
            for (size_t o = 0; s[p] > 0 && o < c->n; o++)
                rank += s[o] > s[p] || (s[o] == s[p] && o < p);
            if (s[p] > 0)
                sum += asked->frequency[q] * pow((double)rank, -1.5) *
                       (double)live[q * c->n + p];
        }
    free(copy);
    free(live);
    return sum;
}

static void quality_is_the_same_counted_two_ways(void **state)
{
    (void)state;
    for (int scoring = 0; scoring < 2; scoring++) {
        struct fg_corpus *c = small_corpus(1, (enum fg_corpus_scoring)scoring);
        fg_corpus_foresee(c, false);
        struct fg_repository *r = fg_repository_new(c, false);
        struct fg_rng rng = fg_rng_from_seed(2);
        size_t negative = 0;
        fg_repository_judge(r);
        for (size_t week = 1; week < WEEKS; week++) {
            for (size_t page = 0; page < c->n; page++)
                fg_repository_change(r, page, fg_corpus_version(c, page, week));
            for (int i = 0; i < 8; i++) {
                size_t page = (size_t)fg_rng_below(&rng, c->n);
                double before = fg_repository_worth(r);
                double gain = fg_repository_truth(r, page);
                fg_repository_fetch(r, page);
                assert_near(fg_repository_worth(r) - before, gain, 1e-9);
                negative += gain < 0;
            }
            if (week % 13 == 0)
                assert_near(fg_repository_worth(r), worth_by_counting(c, r), 1e-9);
            assert_true(fg_repository_worth(r) <= c->perfect[week] + 1e-9);
        }
        for (size_t page = 0; page < c->n; page++)
            fg_repository_fetch(r, page);
        assert_near(fg_repository_worth(r) / c->perfect[WEEKS - 1], 1, 1e-12);
        fg_repository_free(r);
        fg_corpus_free(c);
    }
}

/* --- replays --- */

static struct fg_quality_outcome replay_by(const struct fg_corpus *c, const char *name,
                                           const struct fg_quality_rules *rules)
{
    struct fg_err err;
    struct fg_quality_outcome outcome;
    const struct fg_policy *policy = fg_policy_find(fg_str_from(name), FG_REFRESH);
    if (fg_quality_replay(&outcome, c, policy, rules, &err))
        fail_msg("%s", err.text);
    return outcome;
}

static struct fg_quality_outcome replay(const struct fg_corpus *c, const char *name,
                                        double share, const struct fg_knob *knobs,
                                        size_t n_knobs)
{
    return replay_by(c, name,
                     &(struct fg_quality_rules){.share = share,
                                                .warm_up = 13,
                                                .seed = 1,
                                                .knobs = knobs,
                                                .n_knobs = n_knobs});
}

static struct fg_quality_outcome replay_watched(const struct fg_corpus *c,
                                                const char *name, double share,
                                                bool *fetched)
{
    return replay_by(c, name,
                     &(struct fg_quality_rules){
                         .share = share, .warm_up = 13, .seed = 1, .fetched = fetched});
}

static void fetching_everything_loses_nothing(void **state)
{
    (void)state;
    struct fg_corpus *c = small_corpus(3, FG_SCORING_TFIDF);
    fg_corpus_foresee(c, true);
    struct fg_quality_outcome all = replay(c, "round-robin", 1, NULL, 0);
    assert_near(all.worth / all.perfect, 1, 1e-12);
    assert_int_equal(all.visits, (uint64_t)PAGES * (WEEKS - 1));
    struct fg_quality_outcome some = replay(c, "round-robin", 0.05, NULL, 0);
    assert_int_equal(some.visits, (uint64_t)(0.05 * PAGES) * (WEEKS - 1));
    assert_true(some.worth < some.perfect);
    struct fg_knob known[] = {{"known", 1}, {"queries", 1}};
    struct fg_quality_outcome told = replay(c, "quality", 0.1, known, 2);
    struct fg_quality_outcome blind = replay(c, "round-robin", 0.1, NULL, 0);
    assert_true(told.worth > blind.worth);
    fg_corpus_free(c);
}

/* Other texts in versions that a policy never fetched, and another judge, change no
 * choice of it: it learns from its own fetches only. */
static void policies_see_only_what_they_fetched(void **state)
{
    (void)state;
    static const char *const names[] = {"stake", "quality", "sbr", "ebr", "lomax"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct fg_corpus *c = small_corpus(4, FG_SCORING_TFIDF);
        size_t n = c->first[c->n], others = 0;
        bool *fetched = fg_zeroed(n, sizeof *fetched);
        fg_corpus_foresee(c, false);
        uint64_t was = replay_watched(c, names[i], 0.1, fetched).choices;
        for (size_t week = 0; week < WEEKS; week++)
            c->perfect[week] *= 2;
        for (size_t v = 0; v < n; v++) {
            if (fetched[v])
                continue;
            others++;
            memset(c->sketch[v], 7, FG_VERSION_SKETCH);
            for (size_t k = c->queries.at[v]; k < c->queries.at[v + 1]; k++)
                c->queries.slot[k].score *= 3;
            for (size_t k = c->terms.at[v]; k < c->terms.at[v + 1]; k++)
                c->terms.slot[k].score *= 3;
        }
        assert_true(others > n / 10);
        assert_true(was == replay_watched(c, names[i], 0.1, NULL).choices);
        free(fetched);
        fg_corpus_free(c);
    }
}

/* --- the study --- */

static void ranks_correlate(void **state)
{
    (void)state;
    static const double a[] = {1, 2, 3, 4}, b[] = {10, 20, 30, 1000}, c[] = {4, 3, 2, 1};
    static const double tied[] = {1, 1, 2, 2};
    assert_near(fg_rank_correlation(a, b, 4), 1, 1e-12);
    assert_near(fg_rank_correlation(a, c, 4), -1, 1e-12);
    assert_near(fg_rank_correlation(a, tied, 4), 2 / sqrt(5), 1e-12);
}

static void measures_are_near_the_truth(void **state)
{
    (void)state;
    struct fg_corpus *c = small_corpus(5, FG_SCORING_TFIDF);
    struct fg_study study;
    fg_corpus_foresee(c, true);
    fg_study_make(&study, c);
    assert_true(study.changed > 50);
    for (size_t m = 0; m < FG_MEASURES; m++)
        assert_true(study.measure[m].by_rank > 0.5);
    assert_near(study.measure[FG_MEASURE_EXACT].bias, 1, 0.1);
    assert_near(study.measure[FG_MEASURE_QUERIES].bias, 1, 0.2);
    assert_true(study.measure[FG_MEASURE_QUERIES].by_rank >
                study.measure[FG_MEASURE_PRINTED].by_rank);
    assert_true(study.forecast[FG_MEASURE_QUERIES].held > 0.05);
    fg_corpus_free(c);
}

/* --- the recorded set --- */

/* Demand: with no fetch 5.57 % are lost over weeks 35-104. */
static void the_recorded_set_loses_what_it_should(void **state)
{
    (void)state;
    const char *data = getenv("FORAGE_DATA");
    char folder[512];
    snprintf(folder, sizeof folder, "%s/versions23", data ? data : "../shared/data");
    if (!fg_versions_is_in(folder) || !getenv("FORAGE_LONG")) {
        print_message("no %s, or not FORAGE_LONG\n", folder);
        skip();
    }
    static const double lost[2][2] = {{5.57, 11.61}, {10.79, 7.39}};
    struct fg_versions *versions;
    struct fg_err err;
    if (fg_versions_load(&versions, folder, &err))
        fail_msg("%s", err.text);
    for (int i = 0; i < 4; i++) {
        struct fg_corpus *c =
            corpus_of(versions, i % 2 ? "heads" : "log", (enum fg_corpus_scoring)(i / 2));
        fg_corpus_foresee(c, false);
        struct fg_err problem;
        struct fg_quality_outcome outcome;
        struct fg_quality_rules none = {.warm_up = 35};
        const struct fg_policy *policy =
            fg_policy_find(FG_STR("round-robin"), FG_REFRESH);
        assert_int_equal(fg_quality_replay(&outcome, c, policy, &none, &problem), FG_OK);
        assert_near(100 * (1 - outcome.worth / outcome.perfect), lost[i / 2][i % 2],
                    0.01);
        fg_corpus_free(c);
    }
    fg_versions_free(versions);
}

FG_TESTS(scores_are_those_worked_out, sketches_tell_how_much_differs,
         quality_is_the_same_counted_two_ways, fetching_everything_loses_nothing,
         policies_see_only_what_they_fetched, ranks_correlate,
         measures_are_near_the_truth, the_recorded_set_loses_what_it_should)
