/* Queries, scores, snippets, and what is made of them. */
#include "../store/fixture.h"

#include "base/arena.h"
#include "search/query.h"
#include "search/search.h"

static const char *const english[] = {"en"};

/* --- queries --- */

static enum fg_status read_query(struct fg_query *query, struct fg_arena *arena,
                                 const char *text)
{
    return fg_query_read(query, arena, fg_str_from(text), english, 1, NULL);
}

static void queries_have_words_phrases_prefixes_and_minus(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_query *q = FG_NEW(&arena, struct fg_query, 1);
    assert_int_equal(read_query(q, &arena, "houses \"wild porcini\" truff* -oil a-b"),
                     FG_OK);
    assert_int_equal(q->n, 6);
    assert_int_equal(q->n_wanted, 5);
    assert_int_equal(q->groups[0].n, 2); /* as it is, and by its stem */
    assert_str(q->groups[0].phrases[0], "houses");
    assert_str(q->groups[0].phrases[1], "hous");
    assert_true(q->groups[1].is_needed);
    assert_str(q->groups[1].phrases[0], "wild porcini");
    assert_str(q->groups[2].prefix, "truff");
    assert_true(q->groups[3].is_unwanted);
    assert_str(q->groups[4].phrases[0], "a");
    assert_str(q->groups[5].phrases[0], "b");
    /* What comes again counts more. */
    assert_int_equal(read_query(q, &arena, "cake tea cake"), FG_OK);
    assert_true(q->n == 2 && q->times[0] == 2 && q->times[1] == 1);
    /* Characters without blanks between them are looked for together. */
    assert_int_equal(read_query(q, &arena, "東京"), FG_OK);
    assert_int_equal(q->n, 1);
    assert_str(q->groups[0].phrases[0], "東 京");
    assert_int_equal(read_query(q, &arena, "\"never closed"), FG_OK);
    assert_true(q->n == 1 && q->groups[0].is_needed);
    fg_arena_clear(&arena);
}

static void everything_else_in_a_query_is_text(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_query *q = FG_NEW(&arena, struct fg_query, 1);
    assert_int_equal(read_query(q, &arena, "NEAR(a b, 5) AND title:c {d} ^e + OR NOT"),
                     FG_OK);
    assert_int_equal(q->n, 11);
    for (size_t i = 0; i < q->n; i++)
        assert_false(q->groups[i].is_needed || q->groups[i].is_unwanted);
    assert_int_equal(read_query(q, &arena, "\"\"\"a\" \"\" \"b\"\""), FG_OK);
    assert_int_equal(read_query(q, &arena, "a\x01\x1b[2J\x7f\xff"), FG_OK);
    fg_arena_clear(&arena);
}

static void hostile_queries_are_refused(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_query *q = FG_NEW(&arena, struct fg_query, 1);
    static const char *const empty[] = {"",    "   ", "\"\"",    "-a",
                                        "- -", "...", "\x01\x02"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
        assert_int_equal(read_query(q, &arena, empty[i]), FG_ECONFIG);
    assert_int_equal(read_query(q, &arena, "ab*"), FG_ECONFIG);
    size_t bytes = 10 << 20;
    char *large = malloc(bytes + 1);
    memset(large, 'a', bytes);
    large[bytes] = '\0';
    assert_int_equal(read_query(q, &arena, large), FG_ECONFIG);
    for (size_t i = 0; i < FG_QUERY_BYTES; i++) /* as many words as there is room for */
        large[i] = i % 3 == 2 ? ' ' : (char)('a' + (i % 3 ? i / 3 % 26 : i / 78 % 26));
    large[FG_QUERY_BYTES] = '\0';
    assert_int_equal(read_query(q, &arena, large), FG_ECONFIG);
    for (size_t i = 0; i < FG_QUERY_BYTES; i++)
        large[i] = "\"-*("[i % 4];
    read_query(q, &arena, large);
    free(large);
    fg_arena_clear(&arena);
}

/* --- scores --- */

/* The values of notes/quality-policy.md, section 2. */
static void tfidf_is_that_of_the_thesis(void **state)
{
    (void)state;
    struct fg_scoring scoring = {.kind = FG_SCORE_TFIDF, .title = 1, .anchor = 1};
    double first = fg_score_idf(FG_SCORE_TFIDF, 3703, 99);
    double second = fg_score_idf(FG_SCORE_TFIDF, 3703, 499);
    assert_near(first, 4.611728, 1e-6);
    assert_near(second, 3.002290, 1e-6);
    struct fg_score_group groups[] = {{first, 1, true}, {second, 1, true}};
    const uint32_t counts[2][FG_INDEX_COUNTS] = {{0, 4, 0, 0}, {0, 1, 0, 0}};
    struct fg_index_hit hit = {.words = 400, .counts = counts};
    assert_near(fg_score_text(&scoring, groups, 2, &hit, 0), .468389, 1e-6);
    assert_near(fg_score_text(&scoring, groups, 1, &hit, 0), .461173, 1e-6);
}

static void bm25_is_as_worked_out_by_hand(void **state)
{
    (void)state;
    /* N 10, df 2: ln(1 + 8.5/2.5) = 1.481605; tf 2 + 3 * 1 = 5; 100 words where the mean
     * is 50: k = 2 (0.25 + 0.75 * 2) = 3.5; 1.481605 * 5 * 3 / 8.5 = 2.614596. */
    struct fg_scoring scoring = fg_scoring_default;
    scoring.kind = FG_SCORE_BM25;
    double idf = fg_score_idf(FG_SCORE_BM25, 10, 2);
    assert_near(idf, 1.481605, 1e-6);
    struct fg_score_group groups[] = {{idf, 1, true}, {9, 1, false}};
    const uint32_t counts[2][FG_INDEX_COUNTS] = {{1, 2, 0, 0}, {0, 5, 0, 0}};
    struct fg_index_hit hit = {.words = 100, .counts = counts};
    assert_near(fg_score_text(&scoring, groups, 2, &hit, 50), 2.614596, 1e-6);
    assert_near(fg_score_page(&scoring, 2, 7), 2, 0);
    scoring.kind = FG_SCORE_INLINKS;
    assert_near(fg_score_page(&scoring, 2, 7), 8, 0);
    scoring.kind = FG_SCORE_MIXED; /* 2 (1 + 0.05 ln 8) */
    assert_near(fg_score_page(&scoring, 2, 7), 2.207944, 1e-6);
    assert_true(fg_score_idf(FG_SCORE_BM25, 10, 12) > 0);
}

/* --- snippets --- */

static struct fg_marked snippet_of(struct fg_arena *arena, const char *query,
                                   const char *text, size_t bytes)
{
    struct fg_query *q = FG_NEW(arena, struct fg_query, 1);
    assert_int_equal(read_query(q, arena, query), FG_OK);
    struct fg_stemmer *stemmer = fg_stemmer_new("en");
    struct fg_marked snippet =
        fg_snippet_of(arena, fg_str_from(text), stemmer, q->groups, q->n, bytes);
    fg_stemmer_free(stemmer);
    return snippet;
}

static void snippets_show_and_mark_what_was_found(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_marked s = snippet_of(&arena, "house", "The red Houses stand.", 100);
    assert_str(s.text, "The red Houses stand.");
    assert_int_equal(s.n_marks, 1);
    assert_str(fg_str_sub(s.text, s.marks[0].from, s.marks[0].to), "Houses");
    s = snippet_of(&arena, "tea cake",
                   "tea tea and then a long way of many words that say nothing at all "
                   "until the end where tea and cake stand together on a table",
                   40);
    assert_true(fg_str_find(s.text, FG_STR("tea and cake")) != FG_NOT_FOUND);
    assert_true(fg_str_starts(s.text, FG_STR("…")) && fg_str_ends(s.text, FG_STR("…")));
    assert_int_equal(s.n_marks, 2);
    assert_str(fg_str_sub(s.text, s.marks[1].from, s.marks[1].to), "cake");
    s = snippet_of(&arena, "end", "at the end", 100);
    assert_int_equal(s.n_marks, 1);
    assert_str(fg_str_sub(s.text, s.marks[0].from, s.marks[0].to), "end");
    s = snippet_of(&arena, "nothing", "", 100);
    assert_int_equal(s.text.len, 0);
    fg_arena_clear(&arena);
}

static void snippets_cannot_be_poisoned(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_marked s = snippet_of(&arena, "quagga",
                                    "a\x1b[2J quagga\x07\n\n\tb\xE2\x80\xAE"
                                    "c \xff d\xC2\x9B"
                                    "31m e\xE2\x80\xA8",
                                    100);
    assert_str(s.text, "a [2J quagga b c d 31m e ");
    assert_str(fg_str_sub(s.text, s.marks[0].from, s.marks[0].to), "quagga");
    fg_arena_clear(&arena);
}

/* --- the whole --- */

struct world {
    struct box box;
    struct fg_store *store;
    struct fg_arena arena;
};

static void add_page(struct fg_batch *batch, fg_page_id id, const char *title,
                     const char *text, uint64_t simhash, fg_time published)
{
    struct fg_page_row row = page_row(1, id);
    row.title = fg_str_from(title);
    row.simhash = simhash;
    row.published = published;
    fg_batch_page(batch, &row);
    fg_batch_text(
        batch, &(struct fg_page_text){1, id, row.title, fg_str_from(text), FG_STR("en")});
}

static struct world world_new(void)
{
    struct world w = {.box = box_new()};
    w.store = box_open(&w.box, NULL);
    struct fg_batch *batch = fg_batch_new(w.store);
    fg_batch_site(batch,
                  &(struct fg_site_row){.site = 1, .key = FG_STR("https://s1.example")});
    add_page(batch, 1, "Porcini", "porcini risotto with butter", 0xFFFF, 100);
    add_page(batch, 2, "Print", "porcini risotto with butter", 0xFFFE, 200);
    add_page(batch, 3, "Tea", "tea with butter", 0xABCD00000000, 300);
    add_page(batch, 4, "Cake", "cake with tea and butter and sugar", 0, 400);
    for (fg_page_id i = 10; i < 60; i++)
        add_page(batch, i, "Many", "pages about gnomes in gardens",
                 i * 0x9E3779B97F4A7C15u, 1000 + i);
    write_now(w.store, batch);
    return w;
}

static void world_free(struct world *w)
{
    fg_arena_clear(&w->arena);
    box_close(w->store);
    box_free(&w->box);
}

static struct fg_search_answer ask(struct world *w, struct fg_search_question q)
{
    struct fg_search_answer answer;
    struct fg_err err = {0};
    if (!q.since)
        q.since = FG_NEVER;
    if (!q.limit)
        q.limit = 10;
    enum fg_status st = fg_search(&answer, &w->arena, w->store, &q, &err);
    if (st)
        print_error("%s\n", err.text);
    assert_int_equal(st, FG_OK);
    return answer;
}

static void near_copies_are_one_result(void **state)
{
    (void)state;
    struct world w = world_new();
    struct fg_search_answer a =
        ask(&w, (struct fg_search_question){.words = FG_STR("porcini")});
    assert_int_equal(a.n, 1);
    assert_int_equal(a.matches, 2);
    assert_int_equal(a.results[0].page.page, 1); /* it is in the title, too */
    assert_int_equal(a.results[0].n_others, 1);
    assert_str(a.results[0].others[0], "https://s1.example/p/2");
    world_free(&w);
}

static void pages_with_all_words_come_first(void **state)
{
    (void)state;
    struct world w = world_new();
    struct fg_search_answer a =
        ask(&w, (struct fg_search_question){.words = FG_STR("tea sugar")});
    assert_int_equal(a.n, 2);
    assert_int_equal(a.with_all, 1);
    assert_int_equal(a.results[0].page.page, 4);
    a = ask(&w, (struct fg_search_question){.words = FG_STR("tea -sugar")});
    assert_true(a.n == 1 && a.results[0].page.page == 3);
    a = ask(&w, (struct fg_search_question){.words = FG_STR("\"with tea\" butter")});
    assert_true(a.n == 1 && a.results[0].page.page == 4);
    a = ask(&w,
            (struct fg_search_question){.words = FG_STR("butter"), .sort = FG_SORT_DATE});
    assert_true(a.n == 3 && a.results[0].page.page == 4);
    a = ask(&w, (struct fg_search_question){.words = FG_STR("tea risotto butter"),
                                            .sort = FG_SORT_DATE});
    assert_true(a.n == 3 && !a.with_all);
    a = ask(&w, (struct fg_search_question){.words = FG_STR("risotto butter"),
                                            .sort = FG_SORT_DATE});
    assert_true(a.n == 3 && a.results[0].page.page == 2); /* newer ones have no risotto */
    a = ask(&w, (struct fg_search_question){.words = FG_STR("butter"), .since = 250});
    assert_int_equal(a.n, 2);
    a = ask(&w, (struct fg_search_question){.words = FG_STR("butter"), .site = 2});
    assert_int_equal(a.n, 0);
    world_free(&w);
}

/* However many match: the page most linked to comes first, of equals the better text. */
static void inlinks_order_all_that_match(void **state)
{
    (void)state;
    struct world w = world_new();
    struct fg_batch *batch = fg_batch_new(w.store);
    add_page(batch, 60, "Gnomes", "gnomes", 7, 1);
    for (fg_page_id from = 1; from < 4; from++)
        fg_batch_anchor(batch, &(struct fg_anchor_row){.site = 1,
                                                       .page = 58,
                                                       .from_site = 1,
                                                       .from_page = from,
                                                       .words = FG_STR("here")});
    write_now(w.store, batch);
    struct fg_search_answer a =
        ask(&w, (struct fg_search_question){.words = FG_STR("gnome"),
                                            .scoring.kind = FG_SCORE_INLINKS});
    assert_int_equal(a.matches, 51);
    assert_int_equal(a.results[0].page.page, 58);
    assert_near(a.results[0].score, 4, 0);
    assert_int_equal(a.results[1].page.page, 60);
    assert_int_equal(a.results[2].page.page, 10);
    world_free(&w);
}

/* "about" is in nearly all of the texts, "tea" in two: pages about tea have all that
 * matters. In quotes it must be there. */
static void words_of_most_pages_need_not_be_there(void **state)
{
    (void)state;
    struct world w = world_new();
    struct fg_search_answer a =
        ask(&w, (struct fg_search_question){.words = FG_STR("about tea")});
    assert_int_equal(a.with_all, 2);
    assert_true(a.results[0].page.page == 3 && a.results[1].page.page == 4);
    a = ask(&w, (struct fg_search_question){.words = FG_STR("\"about\" tea")});
    assert_int_equal(a.with_all, 0);
    a = ask(&w, (struct fg_search_question){.words = FG_STR("about gardens")});
    assert_int_equal(a.with_all, 50);
    world_free(&w);
}

static void add_page_with(struct fg_batch *batch, fg_page_id id, const char *text)
{
    add_page(batch, id, "Page", text, id * 0x9E3779B97F4A7C15u, id);
}

/* Of frequent words the newest texts are looked at, unless these are not enough: elves
 * and gnomes are each in more than a thousand texts, and together in the oldest. */
static void of_frequent_words_the_newest_texts_are_looked_at(void **state)
{
    (void)state;
    struct world w = world_new();
    for (fg_page_id from = 100; from < 2600; from += 500) {
        struct fg_batch *batch = fg_batch_new(w.store);
        for (fg_page_id i = from; i < from + 500; i++)
            add_page_with(batch, i,
                          i < 120 ? "gnomes and elves"
                          : i & 1 ? "gnomes with beards"
                                  : "elves with bows");
        write_now(w.store, batch);
    }
    struct fg_search_question q = {.words = FG_STR("gnomes"), .looked_at = 400};
    struct fg_search_answer a = ask(&w, q);
    assert_in_range(a.matches, 380, 420);
    for (size_t i = 0; i < a.n; i++)
        assert_true(a.results[i].page.page > 1600);
    q.site = 1;
    a = ask(&w, q);
    assert_int_equal(a.matches, 50 + 20 + 1240);
    q.words = FG_STR("gnomes elves");
    q.site = 0;
    a = ask(&w, q);
    assert_int_equal(a.with_all, 20);
    world_free(&w);
}

static void cursors_go_through_all_once(void **state)
{
    (void)state;
    struct world w = world_new();
    struct fg_str after = {0};
    bool seen[60] = {false};
    size_t n = 0, rounds = 0;
    do {
        struct fg_search_answer a =
            ask(&w, (struct fg_search_question){
                        .words = FG_STR("gnome"), .limit = 7, .after = after});
        for (size_t i = 0; i < a.n; i++, n++) {
            assert_false(seen[a.results[i].page.page]);
            seen[a.results[i].page.page] = true;
        }
        after = a.next;
        rounds++;
    } while (after.len && rounds < 20);
    assert_int_equal(n, 50);
    assert_int_equal(rounds, 8);
    struct fg_search_answer a;
    static const char *const bad[] = {"x",  "1-2",  "1-2-3-4", "ffffffff-1-0",
                                      "--", "1-1-1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct fg_search_question q = {.words = FG_STR("gnome"),
                                       .since = FG_NEVER,
                                       .limit = 5,
                                       .after = fg_str_from(bad[i])};
        assert_int_equal(fg_search(&a, &w.arena, w.store, &q, NULL), FG_ECONFIG);
    }
    world_free(&w);
}

static void the_nearest_known_word_is_named(void **state)
{
    (void)state;
    struct world w = world_new();
    struct fg_search_answer a =
        ask(&w, (struct fg_search_question){.words = FG_STR("gnomse")});
    assert_int_equal(a.n, 0);
    assert_str(a.instead, "gnomes");
    a = ask(&w, (struct fg_search_question){.words = FG_STR("\"gardne\"")});
    assert_str(a.instead, "\"gardens\"");
    a = ask(&w, (struct fg_search_question){.words = FG_STR("xylophonist")});
    assert_int_equal(a.instead.len, 0);
    a = ask(&w, (struct fg_search_question){.words = FG_STR("butter gnomse")});
    assert_int_equal(a.n, 3); /* some have one of the words */
    assert_str(a.instead, "butter gnomes");
    a = ask(&w, (struct fg_search_question){.words = FG_STR("porcini sugar")});
    assert_true(a.n == 2 && !a.with_all && !a.instead.len);
    world_free(&w);
}

/* Also of languages whose words have no stems here. */
static void a_language_is_kept_to(void **state)
{
    (void)state;
    struct world w = world_new();
    struct fg_batch *batch = fg_batch_new(w.store);
    static const char *const languages[] = {"ko", "ko-KR", "ja", "kok", "de"};
    for (fg_page_id i = 0; i < 5; i++) {
        struct fg_page_row row = page_row(1, 100 + i);
        struct fg_str language = fg_str_from(languages[i]), text = FG_STR("zebra");
        row.language = language;
        row.identity = 1000 + i;
        fg_batch_page(batch, &row);
        fg_batch_text(batch,
                      &(struct fg_page_text){1, 100 + i, FG_STR("Z"), text, language});
    }
    write_now(w.store, batch);
    static const struct {
        const char *wanted;
        size_t n;
    } cases[] = {{"", 5}, {"ko", 2}, {"KO", 2}, {"ja-JP", 1}, {"de", 1}, {"xx", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_search_answer a = ask(
            &w, (struct fg_search_question){.words = FG_STR("zebra"),
                                            .language = fg_str_from(cases[i].wanted)});
        assert_int_equal(a.n, cases[i].n);
    }
    world_free(&w);
}

FG_TESTS(queries_have_words_phrases_prefixes_and_minus,
         everything_else_in_a_query_is_text, hostile_queries_are_refused,
         tfidf_is_that_of_the_thesis, bm25_is_as_worked_out_by_hand,
         snippets_show_and_mark_what_was_found, snippets_cannot_be_poisoned,
         near_copies_are_one_result, pages_with_all_words_come_first,
         inlinks_order_all_that_match, words_of_most_pages_need_not_be_there,
         of_frequent_words_the_newest_texts_are_looked_at, cursors_go_through_all_once,
         the_nearest_known_word_is_named, a_language_is_kept_to)
