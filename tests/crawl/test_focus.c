/* Verdicts on links and pages, and labels that survive in the store. */
#include "test.h"

#include "crawl/judging/focus.h"
#include "crawl/judging/labels.h"

#include <unistd.h>

static struct fg_str one_glob[] = {{"*/news/*", 8}};
static struct fg_str floods[] = {{"Flood", 5}, {"high water", 10}};
static struct fg_str sports[] = {{"football", 8}};

static struct fg_focus *focus_of(const struct fg_focus_rules *rules)
{
    struct fg_focus *focus = fg_focus_new(rules, NULL);
    assert_non_null(focus);
    return focus;
}

static bool says_yes(struct fg_focus *focus, const char *url, const char *title,
                     const char *text)
{
    return fg_focus_page(focus, &(struct fg_looks){fg_str_from(url), fg_str_from(title),
                                                   fg_str_from(text)})
        .is_relevant;
}

static void nothing_set_is_no_focus(void **state)
{
    (void)state;
    struct fg_linear untrained = {0};
    assert_null(fg_focus_new(&(struct fg_focus_rules){.threshold = 0.5}, NULL));
    assert_null(fg_focus_new(&(struct fg_focus_rules){.threshold = 0.5}, &untrained));
}

static void patterns_alone_settle_a_link(void **state)
{
    (void)state;
    struct fg_focus *focus = focus_of(&(struct fg_focus_rules){.include = {one_glob, 1}});
    struct fg_verdict in = fg_focus_link(focus, FG_STR("http://a.example/news/1"),
                                         FG_STR("x")),
                      out = fg_focus_link(focus, FG_STR("http://a.example/shop/1"),
                                          FG_STR("x"));
    assert_true(in.is_relevant && in.is_final);
    assert_true(!out.is_relevant && out.is_final);
    assert_true(in.probability < 0);
    fg_focus_free(focus);
}

static void words_are_whole_words_in_any_case(void **state)
{
    (void)state;
    struct fg_focus *focus = focus_of(&(struct fg_focus_rules){.words = {floods, 2}});
    assert_true(says_yes(focus, "http://a.example/1", "A FLOOD in town", ""));
    assert_true(says_yes(focus, "http://a.example/1", "", "the flood, again"));
    assert_true(says_yes(focus, "http://a.example/flood-map", "", ""));
    assert_false(
        says_yes(focus, "http://a.example/1", "Floodlights", "flooded with light"));
    assert_false(
        says_yes(focus, "http://flood.example/1", "", "")); /* the host is no word */
    fg_focus_free(focus);
}

static void phrases_are_words_in_a_row(void **state)
{
    (void)state;
    struct fg_focus *focus = focus_of(&(struct fg_focus_rules){.words = {floods, 2}});
    assert_true(says_yes(focus, "http://a.example/", "", "it was high-water\nagain"));
    assert_false(says_yes(focus, "http://a.example/", "", "the water was high"));
    assert_false(says_yes(focus, "http://a.example/", "how high", "water is wet"));
    fg_focus_free(focus);
}

static void words_refused_win_over_words_asked_for(void **state)
{
    (void)state;
    struct fg_focus *focus =
        focus_of(&(struct fg_focus_rules){.words = {floods, 2}, .without = {sports, 1}});
    assert_true(says_yes(focus, "http://a.example/", "flood", "river"));
    assert_false(says_yes(focus, "http://a.example/", "flood", "of football"));
    assert_false(says_yes(focus, "http://a.example/", "river", "wide"));
    fg_focus_free(focus);
}

static void words_make_the_verdict_on_a_link_a_guess(void **state)
{
    (void)state;
    struct fg_focus *focus = focus_of(
        &(struct fg_focus_rules){.include = {one_glob, 1}, .words = {floods, 2}});
    struct fg_verdict guess =
        fg_focus_link(focus, FG_STR("http://a.example/news/1"), FG_STR("Read more"));
    assert_true(!guess.is_relevant && !guess.is_final);
    guess = fg_focus_link(focus, FG_STR("http://a.example/news/1"), FG_STR("Flood!"));
    assert_true(guess.is_relevant && !guess.is_final);
    guess = fg_focus_link(focus, FG_STR("http://a.example/shop/1"), FG_STR("Flood!"));
    assert_true(!guess.is_relevant && guess.is_final);
    assert_true(fg_focus_admits(focus, FG_STR("http://a.example/news/2")));
    assert_false(fg_focus_admits(focus, FG_STR("http://a.example/shop/2")));
    fg_focus_free(focus);
}

/* --- labels --- */

struct box {
    char folder[32], path[64];
    struct fg_store *store;
};

static void box_open(struct box *box)
{
    struct fg_err err = {0};
    if (fg_store_open(&box->store, box->path, &(struct fg_store_options){0}, &err))
        fail_msg("%s", err.text);
}

static struct box box_new(void)
{
    struct box box = {.folder = "/tmp/forage-focus-XXXXXX"};
    assert_non_null(mkdtemp(box.folder));
    snprintf(box.path, sizeof box.path, "%s/forage.db", box.folder);
    box_open(&box);
    return box;
}

static void box_free(struct box *box)
{
    static const char *const suffixes[] = {"", ".lock", "-wal", "-shm"};
    assert_int_equal(fg_store_close(box->store, NULL), FG_OK);
    for (size_t i = 0; i < 4; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s%s", box->path, suffixes[i]);
        unlink(name);
    }
    rmdir(box->folder);
}

static void label(struct box *box, const char *url, const char *title, const char *text,
                  bool is_relevant)
{
    struct fg_err err = {0};
    struct fg_looks looks = {fg_str_from(url), fg_str_from(title), fg_str_from(text)};
    if (fg_labels_put(box->store, &looks, is_relevant, &err))
        fail_msg("%s", err.text);
}

static void label_some(struct box *box)
{
    label(box, "http://a.example/1", "Rivers rise", "the river rises after heavy rain",
          true);
    label(box, "http://a.example/2", "Rain", "rain and rising rivers in the valley",
          true);
    label(box, "http://a.example/3", "Cup final", "a late goal wins the cup final",
          false);
    label(box, "http://a.example/4", "Goals", "two goals and a red card", false);
}

static size_t count_labels(struct box *box, bool of_kind)
{
    struct fg_arena arena = {0};
    struct fg_labels labels;
    size_t n = 0;
    assert_int_equal(fg_labels_read(&labels, &arena, box->store, NULL), FG_OK);
    for (size_t i = 0; i < labels.len; i++)
        n += labels.at[i].is_relevant == of_kind;
    fg_arena_clear(&arena);
    return n;
}

static void labels_keep_what_the_page_said(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_arena arena = {0};
    struct fg_labels labels;
    label(&box, "http://a.example/1", "T\xc3\xafte", "some text", true);
    assert_int_equal(fg_store_close(box.store, NULL), FG_OK);
    box_open(&box);
    assert_int_equal(fg_labels_read(&labels, &arena, box.store, NULL), FG_OK);
    assert_int_equal(labels.len, 1);
    assert_int_equal(labels.at[0].site, 0);
    assert_str(labels.at[0].looks.url, "http://a.example/1");
    assert_str(labels.at[0].looks.title, "T\xc3\xafte");
    assert_str(labels.at[0].looks.text, "some text");
    fg_arena_clear(&arena);
    box_free(&box);
}

static void label_is_replaced_and_taken_back(void **state)
{
    (void)state;
    struct box box = box_new();
    label_some(&box);
    label(&box, "http://a.example/3", "Cup final", "was fun", true);
    assert_int_equal(count_labels(&box, true), 3);
    assert_int_equal(count_labels(&box, false), 1);
    assert_int_equal(fg_labels_remove(box.store, FG_STR("http://a.example/1"), NULL),
                     FG_OK);
    assert_int_equal(count_labels(&box, true), 2);
    assert_int_equal(fg_labels_remove(box.store, FG_STR("http://a.example/1"), NULL),
                     FG_ENOTFOUND);
    box_free(&box);
}

/* A page labelled before the crawl knew it, and again after. */
static void page_has_one_label_under_either_name(void **state)
{
    (void)state;
    struct box box = box_new();
    label(&box, "http://a.example/1", "Rivers", "rain", true);
    struct fg_batch *batch = fg_batch_new(box.store);
    struct fg_str url = FG_STR("http://a.example/1");
    fg_batch_site(batch,
                  &(struct fg_site_row){.site = 3, .key = FG_STR("http://a.example")});
    fg_batch_page(batch,
                  &(struct fg_page_row){
                      .site = 3, .page = 8, .url = url, .fingerprint = fg_str_hash(url)});
    fg_store_flush(box.store, fg_store_submit(box.store, batch), NULL);
    label(&box, "http://a.example/1", "Rivers", "rain", false);
    assert_int_equal(count_labels(&box, true), 0);
    assert_int_equal(count_labels(&box, false), 1);
    struct fg_arena arena = {0};
    struct fg_labels labels;
    assert_int_equal(fg_labels_read(&labels, &arena, box.store, NULL), FG_OK);
    assert_int_equal(labels.at[0].site, 3);
    assert_int_equal(labels.at[0].page, 8);
    fg_arena_clear(&arena);
    box_free(&box);
}

static void classifier_is_kept_and_judges_links_and_pages(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_linear_report report;
    struct fg_linear classifier;
    label_some(&box);
    assert_int_equal(fg_labels_train(box.store, &report, NULL), FG_OK);
    assert_int_equal(report.held_out, 4);
    fg_labels_classifier(&classifier, box.store);
    struct fg_focus *focus =
        fg_focus_new(&(struct fg_focus_rules){.threshold = 0.5}, &classifier);
    assert_non_null(focus);
    assert_null(classifier.weights); /* it was taken over */
    struct fg_verdict river = fg_focus_link(focus, FG_STR("http://a.example/5"),
                                            FG_STR("The river after the rain")),
                      goal = fg_focus_link(focus, FG_STR("http://a.example/6"),
                                           FG_STR("Late goals decide the final"));
    assert_true(river.is_relevant && !river.is_final && river.probability > 0.5f);
    assert_true(!goal.is_relevant && !goal.is_final && goal.probability < 0.5f);
    assert_true(says_yes(focus, "http://a.example/7", "Heavy rain", "the rivers rise"));
    assert_false(
        says_yes(focus, "http://a.example/8", "Red card", "no goals in the cup"));
    fg_focus_free(focus);
    box_free(&box);
}

static void threshold_zero_ignores_the_classifier(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_linear_report report;
    struct fg_linear classifier;
    label_some(&box);
    assert_int_equal(fg_labels_train(box.store, &report, NULL), FG_OK);
    fg_labels_classifier(&classifier, box.store);
    assert_null(fg_focus_new(&(struct fg_focus_rules){.threshold = 0}, &classifier));
    assert_null(classifier.weights);
    box_free(&box);
}

static void damaged_classifier_is_learnt_again(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_linear_report report;
    struct fg_linear kept, again;
    label_some(&box);
    assert_int_equal(fg_labels_train(box.store, &report, NULL), FG_OK);
    fg_labels_classifier(&kept, box.store);
    struct fg_batch *batch = fg_batch_new(box.store);
    fg_batch_state(batch, 0, "focus:classifier", FG_STR("fglin 1 but no more"));
    fg_store_flush(box.store, fg_store_submit(box.store, batch), NULL);
    fg_labels_classifier(&again, box.store);
    assert_memory_equal(kept.weights, again.weights, FG_BAG_PLACES * sizeof(float));
    fg_linear_clear(&kept);
    fg_linear_clear(&again);
    box_free(&box);
}

static void labels_of_one_kind_make_no_classifier(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_linear_report report;
    struct fg_linear classifier;
    label_some(&box);
    assert_int_equal(fg_labels_train(box.store, &report, NULL), FG_OK);
    assert_int_equal(fg_labels_remove(box.store, FG_STR("http://a.example/3"), NULL),
                     FG_OK);
    assert_int_equal(fg_labels_remove(box.store, FG_STR("http://a.example/4"), NULL),
                     FG_OK);
    assert_int_equal(fg_labels_train(box.store, &report, NULL), FG_OK);
    assert_int_equal(report.negatives, 0);
    fg_labels_classifier(&classifier, box.store);
    assert_null(classifier.weights);
    box_free(&box);
}

/* What comes from the web is any bytes, and long. */
static void hostile_pages_are_learnt_and_judged(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_linear_report report;
    struct fg_linear classifier;
    size_t n = 300000;
    char *noise = malloc(n + 1);
    for (size_t i = 0; i < n; i++)
        noise[i] = (char)(1 + (i * 2654435761u >> 13) % 255);
    noise[n] = '\0';
    label(&box, "http://a.example/\xff\xfe?%", noise, noise, true);
    label(&box, "http://a.example/2", "", "", false);
    label(&box, "http://a.example/3", "x", "\xf0\x9f", true);
    label(&box, "http://a.example/4", "1 2 3", "2026-01-01 10:00", false);
    assert_int_equal(fg_labels_train(box.store, &report, NULL), FG_OK);
    fg_labels_classifier(&classifier, box.store);
    struct fg_focus *focus =
        fg_focus_new(&(struct fg_focus_rules){.threshold = 0.5}, &classifier);
    struct fg_verdict verdict = fg_focus_page(
        focus, &(struct fg_looks){
                   .url = {noise, 2000}, .title = {noise, n}, .text = {noise, n}});
    assert_true(isfinite(verdict.probability));
    verdict = fg_focus_page(focus, &(struct fg_looks){0});
    assert_true(isfinite(verdict.probability));
    fg_focus_free(focus);
    free(noise);
    box_free(&box);
}

FG_TESTS(nothing_set_is_no_focus, patterns_alone_settle_a_link,
         words_are_whole_words_in_any_case, phrases_are_words_in_a_row,
         words_refused_win_over_words_asked_for, words_make_the_verdict_on_a_link_a_guess,
         labels_keep_what_the_page_said, label_is_replaced_and_taken_back,
         page_has_one_label_under_either_name,
         classifier_is_kept_and_judges_links_and_pages,
         threshold_zero_ignores_the_classifier, damaged_classifier_is_learnt_again,
         labels_of_one_kind_make_no_classifier, hostile_pages_are_learnt_and_judged)
