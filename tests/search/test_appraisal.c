/* What searchers would miss, measured while a store is written, beside what a search of
 * that store finds before and after. */
#include "../store/fixture.h"

#include "base/arena.h"
#include "search/appraisal.h"
#include "search/quality.h"
#include "search/ranked.h"
#include "search/search.h"

enum { PAGES = 40, TURNS = 60 };

static const char *const queries[] = {"oak", "elm", "oak elm", "lime"};
static const uint32_t times[] = {40, 30, 20, 10};

struct world {
    struct box box;
    struct fg_store *store;
    struct fg_appraisal *appraisal;
    fg_time now;
};

static void measure(void *context, const struct fg_text_terms *was,
                    const struct fg_text_terms *is, struct fg_worth *worth)
{
    fg_appraisal_measure(context, was, is, worth);
}

/* A text of `words` words with so many of each that is searched for. */
static void put_text(struct world *w, fg_page_id id, int oaks, int elms, int limes,
                     int words)
{
    char text[4096] = "";
    size_t n = 0;
    const char *const names[] = {"oak", "elm", "lime"};
    int counts[] = {oaks, elms, limes};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < counts[k]; i++)
            n += (size_t)sprintf(text + n, "%s ", names[k]);
    for (int i = oaks + elms + limes; i < words; i++)
        n += (size_t)sprintf(text + n, "x%d ", i);
    struct fg_page_row row = page_row(1, id);
    row.flags = FG_PAGE_DOCUMENT;
    w->now += FG_SECOND;
    struct fg_batch *batch = fg_batch_new(w->store);
    fg_batch_page(batch, &row);
    fg_batch_visit(
        batch,
        &(struct fg_visit_row){
            .site = 1, .page = id, .time = w->now, .status = 200, .changed = true});
    fg_batch_text(batch, &(struct fg_page_text){1, id, FG_STR("t"), fg_str_from(text),
                                                FG_STR("en")});
    assert_int_equal(fg_store_flush(w->store, fg_store_submit(w->store, batch), NULL),
                     FG_OK);
}

static void appraise(struct world *w, enum fg_score_kind kind)
{
    struct fg_err err = {0};
    fg_store_watch_index(w->store, NULL);
    fg_appraisal_free(w->appraisal);
    struct fg_appraisal_rules rules = {.kind = kind, .today = 100};
    if (fg_appraisal_make(&w->appraisal, w->store, &rules, &err))
        fail_msg("%s", err.text);
    assert_non_null(w->appraisal);
    fg_store_watch_index(
        w->store, &(struct fg_index_watch){.context = w->appraisal,
                                           .measure = measure,
                                           .wants_inlinks = kind == FG_SCORE_INLINKS});
}

static struct world world_new(struct fg_rng *rng, fg_page_id pages)
{
    struct world w = {.box = box_new(), .now = 1000 * FG_DAY};
    struct fg_query_row rows[4];
    w.store = box_open(&w.box, NULL);
    for (fg_page_id id = 1; id <= pages; id++)
        put_text(&w, id, 1 + (int)fg_rng_below(rng, 12), 1 + (int)fg_rng_below(rng, 12),
                 1 + (int)fg_rng_below(rng, 5), 60 + (int)fg_rng_below(rng, 60));
    for (size_t q = 0; q < 4; q++)
        rows[q] = (struct fg_query_row){100, fg_str_from(queries[q]), times[q]};
    assert_int_equal(fg_store_note_queries(w.box.path, rows, 4, NULL), FG_OK);
    return w;
}

static void world_clear(struct world *w)
{
    fg_store_watch_index(w->store, NULL);
    fg_appraisal_free(w->appraisal);
    box_close(w->store);
    box_free(&w->box);
}

/* The results of a query with all its words as a search finds them, by tfidf. */
static void search_for(struct world *w, const char *words, struct fg_ranked *list)
{
    struct fg_arena arena = {0};
    struct fg_search_answer answer;
    struct fg_search_question question = {.words = fg_str_from(words),
                                          .limit = PAGES + 1,
                                          .scoring = {.kind = FG_SCORE_TFIDF},
                                          .wants_no_snippets = true,
                                          .since = FG_NEVER};
    struct fg_err err = {0};
    if (fg_search(&answer, &arena, w->store, &question, &err))
        fail_msg("%s", err.text);
    fg_ranked_clear(list);
    for (size_t i = 0; i < answer.n; i++)
        if (i < answer.with_all)
            fg_ranked_add(list, answer.results[i].page.page,
                          (float)answer.results[i].score);
    fg_ranked_sort(list);
    fg_arena_clear(&arena);
}

static float score_in(const struct fg_ranked *list, uint32_t page)
{
    for (size_t i = 0; i < list->len; i++)
        if (list->at[i].page == page)
            return list->at[i].copy;
    return 0;
}

/* Change a page; what that is worth by the lists of a search, and as measured. */
static void change(struct world *w, fg_page_id id, const int *counts, double *exact,
                   double *measured)
{
    struct fg_ranked before[4] = {0}, after = {0};
    size_t n;
    for (size_t q = 0; q < 4; q++)
        search_for(w, queries[q], &before[q]);
    free(fg_store_take_measured(w->store, &n));
    put_text(w, id, counts[0], counts[1], counts[2], counts[3]);
    struct fg_measured *worths = fg_store_take_measured(w->store, &n);
    assert_int_equal(n, 1);
    assert_true(worths->page == id && worths->time == w->now);
    *measured = (double)worths->worth.gain;
    *exact = 0;
    for (size_t q = 0; q < 4; q++) {
        search_for(w, queries[q], &after);
        *exact += times[q] / 100.0 *
                  fg_ranked_gain(&before[q], id, score_in(&before[q], id),
                                 score_in(&after, id), FG_RANKED_COPIES);
        fg_ranked_clear(&before[q]);
    }
    fg_ranked_clear(&after);
    free(worths);
}

/* Up to five results every bucket is one: what the others gain when a page goes is exact.
 */
static void leaving_few_results_is_measured_exactly(void **state)
{
    (void)state;
    enum { FEW = 5 };
    struct fg_rng rng = fg_rng_from_seed(3);
    struct world w = world_new(&rng, FEW);
    for (fg_page_id id = 1; id <= FEW; id++) {
        double exact, measured;
        appraise(&w, FG_SCORE_TFIDF);
        change(&w, id, (const int[]){0, 0, 0, 80}, &exact, &measured);
        assert_true(exact > 0);
        assert_near(measured, exact, 1e-4 * exact);
        put_text(&w, id, 1 + (int)id, 7 - (int)id, 2, 80);
    }
    world_clear(&w);
}

/* Of forty pages by eight buckets: the sum to within a tenth, the single changes to
 * within what a correlation of .95 leaves. */
static void many_results_are_measured_closely(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(4);
    struct world w = world_new(&rng, PAGES);
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        int counts[] = {(int)fg_rng_below(&rng, 20), (int)fg_rng_below(&rng, 20),
                        (int)fg_rng_below(&rng, 5), 60 + (int)fg_rng_below(&rng, 90)};
        double exact, measured;
        if (turn % 10 == 0)
            appraise(&w, FG_SCORE_TFIDF);
        change(&w, 1 + (fg_page_id)fg_rng_below(&rng, PAGES), counts, &exact, &measured);
        x += exact;
        y += measured;
        xx += exact * exact;
        yy += measured * measured;
        xy += exact * measured;
    }
    double n = TURNS,
           correlation = (n * xy - x * y) / sqrt((n * xx - x * x) * (n * yy - y * y));
    printf("measured by true sum %.3f, correlation %.3f\n", y / x, correlation);
    assert_near(y / x, 1, 0.1);
    assert_true(correlation > 0.95);
    world_clear(&w);
}

/* With inlinks a page counts by its links, and only if it has the words. */
static void inlinks_are_measured_too(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(5);
    struct world w = world_new(&rng, 4);
    struct fg_batch *batch = fg_batch_new(w.store);
    for (fg_page_id from = 2; from <= 4; from++)
        fg_batch_anchor(batch, &(struct fg_anchor_row){1, 1, 1, from, FG_STR("a word")});
    assert_int_equal(fg_store_flush(w.store, fg_store_submit(w.store, batch), NULL),
                     FG_OK);
    appraise(&w, FG_SCORE_INLINKS);
    /* Page 1 has the score 4, the others 1: 4 + I(2) + I(3) + I(4), each query once. It
     * loses all words: three of score 1 move up. */
    assert_near(fg_appraisal_exposure(w.appraisal, 1, 1), 4, 1e-6);
    size_t n;
    free(fg_store_take_measured(w.store, &n));
    put_text(&w, 1, 0, 0, 0, 60);
    struct fg_measured *worths = fg_store_take_measured(w.store, &n);
    assert_int_equal(n, 1);
    assert_near((double)worths->worth.gain, 1 - fg_inspection(4), 1e-5);
    free(worths);
    world_clear(&w);
}

/* The last sixteen are kept, the latest last; without a watch nothing is. */
static void worths_are_kept_with_their_pages(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(6);
    struct world w = world_new(&rng, 3);
    struct fg_kept_worth kept[FG_WORTHS_KEPT];
    size_t n;
    put_text(&w, 1, 1, 2, 3, 80);
    assert_int_equal(fg_store_worths(w.store, 1, 1, kept), 0);
    appraise(&w, FG_SCORE_TFIDF);
    for (int i = 0; i < 20; i++)
        put_text(&w, 1, 1 + i, 2, 3, 80);
    assert_int_equal(fg_store_worths(w.store, 1, 1, kept), FG_WORTHS_KEPT);
    assert_int_equal(kept[FG_WORTHS_KEPT - 1].time, w.now);
    assert_int_equal(kept[0].time, w.now - 15 * FG_SECOND);
    free(fg_store_take_measured(w.store, &n));
    assert_int_equal(n, 20);
    world_clear(&w);
}

/* A search sees one moment, whatever is written meanwhile. */
static void a_view_is_of_one_moment(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(7);
    struct world w = world_new(&rng, 3);
    struct fg_store *view;
    struct fg_index_figures figures;
    uint64_t before;
    assert_int_equal(fg_store_view(&view, w.store, NULL), FG_OK);
    assert_int_equal(fg_store_index_figures(view, &figures, NULL), FG_OK);
    before = figures.texts;
    put_text(&w, 4, 1, 1, 1, 60);
    assert_int_equal(fg_store_index_figures(view, &figures, NULL), FG_OK);
    assert_int_equal(figures.texts, before);
    assert_int_equal(fg_store_index_figures(w.store, &figures, NULL), FG_OK);
    assert_int_equal(figures.texts, before + 1);
    fg_store_end_view(view, w.store);
    world_clear(&w);
}

FG_TESTS(leaving_few_results_is_measured_exactly, many_results_are_measured_closely,
         inlinks_are_measured_too, worths_are_kept_with_their_pages,
         a_view_is_of_one_moment)
