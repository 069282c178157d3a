/* A store that is copied is the same store: from a file to PostgreSQL and back. */
#include "fixture.h"
#include "store/copy.h"
#include "store/index.h"
#include "store/merge.h"

union any_row {
    struct fg_page_row page;
    char bytes[1024];
};

/* Rows with NUL, broken UTF-8 and the ends of every range, of all kinds that have a way
 * in. */
static void fill(struct fg_store *store, unsigned n)
{
    static const char odd[] = "a\0b\xff\xfe\xc3( \xed\xa0\x80";
    struct fg_str text = {odd, sizeof odd - 1};
    for (unsigned i = 1; i <= n; i++) {
        struct fg_batch *batch = fg_batch_new(store);
        fg_site_id site = 1 + i % 7;
        struct fg_page_row page = page_row(site, i);
        page.title = text;
        page.etag = text;
        page.fingerprint = i * 0x9E3779B97F4A7C15u;
        page.simhash = UINT64_MAX - i;
        page.published = -(fg_time)i;
        page.weight = 1.0f / (float)i;
        fg_batch_page(batch, &page);
        struct fg_site_row row = {.site = site,
                                  .key = text,
                                  .robots = text,
                                  .robots_fetched = FG_NEVER,
                                  .backoff_until = FG_NEVER,
                                  .added = 5};
        fg_batch_site(batch, &row);
        struct fg_visit_row visit = {.site = site,
                                     .page = i,
                                     .time = 1000000 + i,
                                     .status = 200,
                                     .changed = i % 2,
                                     .bytes = UINT32_MAX,
                                     .score = -0.5f};
        fg_batch_visit(batch, &visit);
        fg_batch_link(batch, &(struct fg_link_row){site, i, site, i + 1, FG_NEVER, 5,
                                                   i % 3 ? FG_NEVER : 9});
        fg_batch_event(batch, &(struct fg_event_row){.site = site,
                                                     .page = i,
                                                     .id = i / 14 * 7919,
                                                     .time = i,
                                                     .kind = FG_STR("discovery"),
                                                     .json = text});
        fg_batch_state(batch, site, "odd", text);
        fg_batch_body(batch, site, i, 3000 + i, text);
        fg_batch_label(batch, site, i, i % 2);
        fg_batch_text(batch, &(struct fg_page_text){site, i, FG_STR("mushroom cakes"),
                                                    FG_STR("tea and mushrooms, more tea"),
                                                    FG_STR("en")});
        fg_batch_anchor(batch, &(struct fg_anchor_row){site, i, 1, 1, FG_STR("praise")});
        fg_store_submit(store, batch);
    }
    assert_int_equal(fg_store_flush(store, UINT64_MAX, NULL), FG_OK);
}

static void assert_same_rows(struct fg_store *a, struct fg_store *b)
{
    for (unsigned kind = 0; kind < FG_ROW_KINDS; kind++) {
        const struct fg_row_type *type = &fg_row_types[kind];
        union any_row x, y;
        struct fg_row_walk of_a =
            fg_row_walk(a->backend, FG_KEYED(kind, 0), FG_NO_ARGS, SIZE_MAX, NULL);
        struct fg_row_walk of_b =
            fg_row_walk(b->backend, FG_KEYED(kind, 0), FG_NO_ARGS, SIZE_MAX, NULL);
        for (;;) {
            bool has_a = fg_row_walk_next(&of_a, &x, NULL);
            assert_int_equal(has_a, fg_row_walk_next(&of_b, &y, NULL));
            if (!has_a)
                break;
            for (size_t i = 0; i < type->n_columns; i++) {
                const struct fg_row_column *column = &type->columns[i];
                bool is_same =
                    column->cell == FG_CELL_REAL
                        ? !memcmp(x.bytes + column->offset, y.bytes + column->offset, 4)
                        : !fg_cell_compare(column, &x, &y);
                if (!is_same)
                    fail_msg("%s.%s differs", type->table, column->name);
            }
        }
        assert_int_equal(fg_row_walk_end(&of_a, FG_OK), FG_OK);
        assert_int_equal(fg_row_walk_end(&of_b, FG_OK), FG_OK);
    }
}

struct hits {
    uint64_t numbers[64], counts[64];
    double words[64];
    size_t n;
};

static bool take_hit(void *context, const struct fg_index_hit *hit)
{
    struct hits *hits = context;
    hits->numbers[hits->n] = hit->number;
    hits->words[hits->n] = hit->words;
    hits->counts[hits->n] = hit->counts[0][FG_IN_TITLE] * 10000u +
                            hit->counts[0][FG_IN_TEXT] * 100u +
                            hit->counts[0][FG_IN_ANCHORS];
    return ++hits->n < 64;
}

static struct hits ask(struct fg_store *store, struct fg_index_group group,
                       const char *language)
{
    struct hits hits = {0};
    struct fg_index_query query = {
        .groups = &group, .n = 1, .site = 3, .language = fg_str_from(language)};
    assert_int_equal(fg_store_match(store, &query, take_hit, &hits, NULL), FG_OK);
    return hits;
}

static void assert_same_answers(struct fg_store *a, struct fg_store *b)
{
    struct fg_str phrases[] = {FG_STR("mushroom"), FG_STR("more tea"), FG_STR("tea more"),
                               FG_STR("prais")};
    struct fg_index_figures of_a, of_b;
    for (size_t i = 0; i < 4; i++) {
        struct fg_index_group group = {.phrases = &phrases[i], .n = 1};
        struct hits x = ask(a, group, ""), y = ask(b, group, "en");
        double in_a, in_b;
        assert_int_equal(x.n > 0, i != 2);
        assert_memory_equal(&x, &y, sizeof x);
        assert_int_equal(fg_store_frequency(a, &group, &in_a, NULL), FG_OK);
        assert_int_equal(fg_store_frequency(b, &group, &in_b, NULL), FG_OK);
        assert_near(in_a, in_b, 0);
    }
    struct fg_index_group beginning = {.prefix = FG_STR("mush")};
    struct hits x = ask(a, beginning, ""), y = ask(b, beginning, "");
    assert_memory_equal(&x, &y, sizeof x);
    assert_int_equal(fg_store_index_figures(a, &of_a, NULL), FG_OK);
    assert_int_equal(fg_store_index_figures(b, &of_b, NULL), FG_OK);
    assert_memory_equal(&of_a, &of_b, sizeof of_a);
    struct fg_index_check check;
    assert_int_equal(fg_store_check_index(b, &check, NULL), FG_OK);
    assert_true(fg_index_is_right(&check));
}

static void a_copy_is_the_same_there_and_back(void **state)
{
    (void)state;
    if (!postgres_address())
        skip();
    struct box box = box_new(), back = box_new();
    box_ops = &fg_postgres_ops;
    struct box there = box_new();
    box_ops = &fg_sqlite_ops;
    struct fg_store *store =
        box_open(&box, &(struct fg_store_options){.keep_bodies = true});
    fill(store, 300);
    box_close(store);

    struct fg_store_copied copied;
    struct fg_err err = {0};
    if (fg_store_copy(box.path, there.path, &copied, &err))
        fail_msg("%s", err.text);
    assert_int_equal(copied.pages, 300);
    assert_int_equal(copied.events, 154); /* those of an id are one */
    assert_int_equal(fg_store_copy(there.path, back.path, &copied, NULL), FG_OK);
    assert_int_equal(fg_store_copy(there.path, back.path, &copied, &err), FG_ECONFIG);
    assert_non_null(strstr(err.text, "not empty"));

    struct fg_store_options look = {.read_only = true};
    struct fg_store *b, *c;
    store = box_open(&box, &look);
    c = box_open(&back, &look);
    box_ops = &fg_postgres_ops;
    b = box_open(&there, &look);
    assert_same_rows(store, b);
    assert_same_rows(store, c);
    assert_same_answers(store, b);
    assert_same_answers(store, c);
    box_close(b);
    box_free(&there);
    box_ops = &fg_sqlite_ops;
    box_close(store);
    box_close(c);
    box_free(&box);
    box_free(&back);
}

/* The same batches, written by either back end, leave the same rows; 100,000 of them with
 * ./test --long. */
static void the_same_batches_leave_the_same_rows(void **state)
{
    (void)state;
    const unsigned batches = getenv("FORAGE_LONG") ? 100000 : 500;
    if (!postgres_address())
        skip();
    struct fg_store_options keeping = {.keep_bodies = true};
    struct box file = box_new();
    struct fg_store *a = box_open(&file, &keeping);
    box_ops = &fg_postgres_ops;
    struct box base = box_new();
    struct fg_store *b = box_open(&base, &keeping);
    fill(a, batches);
    fill(b, batches);
    fill(a, 50); /* once more, over what is there */
    fill(b, 50);
    assert_same_rows(a, b);
    assert_same_answers(a, b);
    box_close(b);
    box_free(&base);
    box_ops = &fg_sqlite_ops;
    box_close(a);
    box_free(&file);
}

FG_TESTS(a_copy_is_the_same_there_and_back, the_same_batches_leave_the_same_rows)
