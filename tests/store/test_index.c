/* Texts and their index: what is put in is found, and what goes leaves nothing. */
#include "fixture.h"

#include "base/arena.h"
#include "store/queue.h"

#include <sqlite3.h>

static void put_page(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                     uint32_t flags, const char *text)
{
    struct fg_page_row row = page_row(site, page);
    row.flags = flags;
    fg_batch_page(batch, &row);
    fg_batch_text(batch, &(struct fg_page_text){site, page, FG_STR("title"),
                                                fg_str_from(text), FG_STR("en")});
}

static bool count_hit(void *context, const struct fg_index_hit *hit)
{
    (void)hit;
    ++*(size_t *)context;
    return true;
}

/* How many texts have this term. */
static size_t having(struct fg_store *store, const char *term)
{
    struct fg_str phrase = fg_str_from(term);
    struct fg_index_group group = {.phrases = &phrase, .n = 1};
    size_t n = 0;
    assert_int_equal(fg_store_match(store,
                                    &(struct fg_index_query){.groups = &group, .n = 1},
                                    count_hit, &n, NULL),
                     FG_OK);
    return n;
}

static struct fg_index_check check_of(struct fg_store *store)
{
    struct fg_index_check check;
    assert_int_equal(fg_store_check_index(store, &check, NULL), FG_OK);
    return check;
}

static void assert_right(struct fg_store *store, uint64_t texts)
{
    struct fg_index_check check = check_of(store);
    assert_true(fg_index_is_right(&check));
    assert_int_equal(check.texts, texts);
}

static void texts_are_found_when_they_are_durable(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    put_page(batch, 1, 1, 0, "wild mushrooms");
    put_page(batch, 1, 2, 0, "tame mushrooms");
    write_now(store, batch);
    assert_int_equal(having(store, "mushroom"), 2);
    assert_int_equal(having(store, "wild"), 1);
    assert_int_equal(having(store, "titl"), 2);
    assert_int_equal(having(store, "wild mushroom"), 1);
    assert_int_equal(having(store, "mushroom wild"), 0);
    assert_right(store, 2);
    box_close(store);
    store = box_open(&box, &(struct fg_store_options){.read_only = true});
    assert_int_equal(having(store, "mushroom"), 2);
    struct fg_index_figures figures;
    assert_int_equal(fg_store_index_figures(store, &figures, NULL), FG_OK);
    assert_int_equal(figures.texts, 2);
    assert_int_equal(figures.words[FG_IN_TEXT], 4);
    assert_int_equal(figures.words[FG_IN_TITLE], 2);
    box_close(store);
    box_free(&box);
}

static void changed_texts_leave_nothing(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    put_page(batch, 1, 1, 0, "old words of it");
    write_now(store, batch);
    batch = fg_batch_new(store);
    put_page(batch, 1, 1, 0, "new words of it, and many more than before");
    write_now(store, batch);
    assert_int_equal(having(store, "old"), 0);
    assert_int_equal(having(store, "new"), 1);
    assert_right(store, 1);
    /* Without a text it is not found any more. */
    batch = fg_batch_new(store);
    fg_batch_text(batch, &(struct fg_page_text){.site = 1, .page = 1});
    write_now(store, batch);
    assert_int_equal(having(store, "new"), 0);
    assert_right(store, 0);
    box_close(store);
    box_free(&box);
}

static void pages_that_are_not_shown_have_no_text(void **state)
{
    (void)state;
    static const uint32_t reasons[] = {
        FG_PAGE_GONE,       FG_PAGE_ALIAS, FG_PAGE_EXCLUDED, FG_PAGE_DUPLICATE,
        FG_PAGE_RESERVED,   FG_PAGE_LIST,  FG_PAGE_REMOVED,  FG_PAGE_NOINDEX,
        FG_PAGE_OTHER_KIND, FG_PAGE_FEED,  FG_PAGE_SITEMAP};
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        struct fg_batch *batch = fg_batch_new(store);
        put_page(batch, 1, 1, 0, "mushrooms");
        put_page(batch, 1, 2, reasons[i], "mushrooms");
        write_now(store, batch);
        assert_int_equal(having(store, "mushroom"), 1);
        batch = fg_batch_new(store);
        if (i % 2) {
            fg_batch_page_flags(batch, 1, 1, reasons[i], 0);
        } else {
            struct fg_page_row row = page_row(1, 1);
            row.flags = reasons[i];
            fg_batch_page_content(batch, &row);
            fg_batch_visit(batch, &(struct fg_visit_row){1, 1, .time = (fg_time)i});
        }
        write_now(store, batch);
        assert_int_equal(having(store, "mushroom"), 0);
        assert_right(store, 0);
    }
    box_close(store);
    box_free(&box);
}

static void words_of_links_are_part_of_their_target(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    struct fg_anchor_row link = {1, 1, 1, 2, FG_STR("autumn feast")};
    put_page(batch, 1, 1, 0, "mushrooms");
    put_page(batch, 1, 2, FG_PAGE_LIST, "");
    fg_batch_anchor(batch, &link);
    link.from_page = 3;
    fg_batch_anchor(batch, &link);
    fg_batch_link(batch, &(struct fg_link_row){1, 2, 1, 1, 1, 1, FG_NEVER});
    write_now(store, batch);
    uint64_t n;
    assert_int_equal(fg_store_inlinks(store, 1, 1, 100, &n, NULL), FG_OK);
    assert_int_equal(n, 2);
    assert_int_equal(having(store, "feast"), 1);
    assert_right(store, 1);
    /* One link goes, the other is still there; then its page is removed. */
    batch = fg_batch_new(store);
    fg_batch_no_anchor(batch, &link);
    write_now(store, batch);
    assert_int_equal(having(store, "feast"), 1);
    batch = fg_batch_new(store);
    fg_batch_page_flags(batch, 1, 2, FG_PAGE_REMOVED, 0);
    write_now(store, batch);
    assert_int_equal(having(store, "feast"), 0);
    assert_int_equal(having(store, "mushroom"), 1);
    assert_right(store, 1);
    box_close(store);
    box_free(&box);
}

static void forgotten_sites_leave_nothing(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    for (fg_page_id page = 1; page <= 50; page++) {
        put_page(batch, 1, page, 0, "mushrooms of one");
        put_page(batch, 2, page, 0, "mushrooms of two");
    }
    fg_batch_anchor(batch, &(struct fg_anchor_row){2, 1, 1, 1, FG_STR("praise")});
    write_now(store, batch);
    assert_int_equal(having(store, "prais"), 1);
    forget_site(store, 1);
    assert_int_equal(having(store, "mushroom"), 50);
    assert_int_equal(having(store, "one"), 0);
    assert_int_equal(having(store, "prais"), 0);
    assert_right(store, 50);
    batch = fg_batch_new(store);
    fg_batch_renew_site(batch, 2, 3);
    write_now(store, batch);
    assert_right(store, 0);
    box_close(store);
    box_free(&box);
}

static void a_damaged_index_is_seen_and_mended(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    put_page(batch, 1, 1, 0, "mushrooms");
    put_page(batch, 1, 2, 0, "mushrooms and cakes");
    write_now(store, batch);
    box_close(store);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(box.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "UPDATE pages SET flags = 128 WHERE page = 1;"
                                  "UPDATE texts SET number = 77 WHERE page = 2",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    store = box_open(&box, NULL);
    struct fg_index_check check = check_of(store);
    assert_false(fg_index_is_right(&check));
    assert_int_equal(check.unsearchable, 1);
    batch = fg_batch_new(store);
    fg_batch_rebuild_index(batch);
    write_now(store, batch);
    assert_right(store, 1);
    assert_int_equal(having(store, "cake"), 1);
    box_close(store);
    box_free(&box);
}

static void an_index_of_other_terms_is_made_anew(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    put_page(batch, 1, 1, 0, "mushrooms");
    write_now(store, batch);
    box_close(store);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(box.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "UPDATE meta SET value = '0' WHERE name = 'terms';"
                                  "UPDATE texts SET number = 5",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    store = box_open(&box, NULL);
    assert_right(store, 1);
    box_close(store);
    box_free(&box);
}

static void searches_are_counted_by_day(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    for (int i = 0; i < 3; i++)
        assert_int_equal(fg_store_note_query(box.path, 1000, FG_STR("cakes"), NULL),
                         FG_OK);
    assert_int_equal(
        fg_store_note_query(box.path, 1000 + FG_QUERY_DAYS + 1, FG_STR("tea"), NULL),
        FG_OK);
    uint64_t n;
    struct fg_store_counts counts;
    assert_int_equal(fg_store_count(store, &counts, NULL), FG_OK);
    assert_int_equal(store->backend->ops->count(store->backend, FG_SEARCHES, &n, NULL),
                     FG_OK);
    assert_int_equal(n, 1); /* the others are too old */
    box_close(store);
    box_free(&box);
}

static void a_store_in_memory_says_that_it_has_no_index(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_err err = {0};
    box_ops = &memory_store_ops;
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    struct fg_index_figures figures;
    struct fg_indexed_text text;
    struct fg_arena arena = {0};
    put_page(batch, 1, 1, 0, "mushrooms");
    write_now(store, batch);
    assert_int_equal(fg_store_index_figures(store, &figures, &err), FG_ECONFIG);
    assert_non_null(strstr(err.text, "no index"));
    assert_int_equal(fg_store_text(store, &text, &arena, 1, 1, NULL), FG_OK);
    assert_str(text.fields[FG_IN_TEXT], "mushrooms");
    fg_arena_clear(&arena);
    box_close(store);
    box_ops = &fg_sqlite_ops;
    box_free(&box);
}

#define BOTH                                                                            \
    texts_are_found_when_they_are_durable, changed_texts_leave_nothing,                 \
        pages_that_are_not_shown_have_no_text, words_of_links_are_part_of_their_target, \
        forgotten_sites_leave_nothing, searches_are_counted_by_day
#define SPELL(...) #__VA_ARGS__
#define NAMES(all) SPELL(all)

int main(void)
{
    static const CMUnitTestFunction all[] = {BOTH, a_damaged_index_is_seen_and_mended,
                                             an_index_of_other_terms_is_made_anew,
                                             a_store_in_memory_says_that_it_has_no_index},
                                    both[] = {BOTH};
    int failed = fg_test_main(__FILE__, all,
                              NAMES(BOTH) ", a_damaged_index_is_seen_and_mended,"
                                          " an_index_of_other_terms_is_made_anew,"
                                          " a_store_in_memory_says_that_it_has_no_index",
                              sizeof all / sizeof *all);
    return failed + box_test_postgres(__FILE__ " (postgres)", both, NAMES(BOTH),
                                      sizeof both / sizeof *both);
}
