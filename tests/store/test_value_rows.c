/* What documents are worth: the present value, its history, and the rule by which it is
 * read. */
#include "fixture.h"

#include "base/buf.h"

struct taken {
    struct fg_arena arena;
    struct fg_value_change changes[16];
    size_t n;
};

static bool take_change(void *context, const struct fg_value_change *change)
{
    struct taken *taken = context;
    taken->changes[taken->n] = *change;
    taken->changes[taken->n++].text = fg_arena_dup(&taken->arena, change->text);
    return true;
}

/* "text@time text@time", the newest first. */
static void check_history(struct fg_store *store, fg_page_id page, const char *expected)
{
    struct taken taken = {.n = 0};
    struct fg_buf said;
    fg_buf_init(&said, 1000);
    assert_int_equal(
        fg_store_value_changes(store, 1, page, 16, take_change, &taken, NULL), FG_OK);
    for (size_t i = 0; i < taken.n; i++)
        fg_buf_printf(&said, "%s%.*s@%lld", i ? " " : "", FG_ARG(taken.changes[i].text),
                      (long long)taken.changes[i].time);
    assert_str(fg_buf_str(&said), expected);
    fg_buf_clear(&said);
    fg_arena_clear(&taken.arena);
}

static void put(struct fg_store *store, fg_page_id page, const char *text, fg_time time)
{
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_value(batch, &(struct fg_value_row){.site = 1,
                                                 .page = page,
                                                 .kind = 3,
                                                 .hash = fg_str_hash(fg_str_from(text)),
                                                 .changed = time,
                                                 .text = fg_str_from(text),
                                                 .price = FG_STR("12.50"),
                                                 .currency = FG_STR("EUR"),
                                                 .language = FG_STR("de")});
    write_now(store, batch);
}

static void check_value(struct fg_store *store, fg_page_id page, const char *text,
                        fg_time changed, const char *rule)
{
    struct fg_arena arena = {0};
    struct fg_value_row row;
    assert_int_equal(fg_store_value(store, &row, &arena, 1, page, NULL), FG_OK);
    assert_str(row.text, text);
    assert_str(row.rule, rule);
    assert_true(row.changed == changed);
    fg_arena_clear(&arena);
}

static void value_comes_back_with_all_its_parts(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_arena arena = {0};
    struct fg_value_row row;
    assert_int_equal(fg_store_value(store, &row, &arena, 1, 2, NULL), FG_ENOTFOUND);
    put(store, 2, "one", 100);
    box_close(store);
    store = box_open(&box, NULL);
    assert_int_equal(fg_store_value(store, &row, &arena, 1, 2, NULL), FG_OK);
    assert_int_equal(row.kind, 3);
    assert_true(row.hash == fg_str_hash(FG_STR("one")));
    assert_str(row.price, "12.50");
    assert_str(row.high, "");
    assert_str(row.currency, "EUR");
    assert_str(row.language, "de");
    fg_arena_clear(&arena);
    box_close(store);
    box_free(&box);
}

/* As of a page that says how long ago, where numbers do not count. */
static void text_is_the_one_that_counted(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    put(store, 2, "3 hours ago", 100);
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_value(batch,
                   &(struct fg_value_row){.site = 1,
                                          .page = 2,
                                          .hash = fg_str_hash(FG_STR("3 hours ago")),
                                          .changed = 200,
                                          .text = FG_STR("4 hours ago")});
    write_now(store, batch);
    check_value(store, 2, "3 hours ago", 100, "");
    box_close(store);
    box_free(&box);
}

static bool take_before(void *context, const struct fg_value_change *change)
{
    fg_buf_printf(context, "%u:%.*s>%.*s@%lld ", change->page, FG_ARG(change->before),
                  FG_ARG(change->text), (long long)change->time);
    return true;
}

/* The first value of a page is no change, and one from before `since` is still what a
 * later one is compared with. */
static void history_has_what_was_before(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_buf said;
    put(store, 2, "one", 100);
    put(store, 3, "other", 150);
    put(store, 2, "two", 200);
    put(store, 2, "three", 300);
    fg_buf_init(&said, 1000);
    fg_store_value_history(store, 0, FG_NEVER, take_before, &said, NULL);
    assert_str(fg_buf_str(&said), "2:one>two@200 2:two>three@300 ");
    said.len = 0;
    fg_store_value_history(store, 1, 300, take_before, &said, NULL);
    assert_str(fg_buf_str(&said), "2:two>three@300 ");
    fg_buf_clear(&said);
    box_close(store);
    box_free(&box);
}

static void only_another_value_is_a_change(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    put(store, 2, "one", 100);
    put(store, 2, "one", 200);
    check_value(store, 2, "one", 100, "");
    check_history(store, 2, "one@100");
    put(store, 2, "two", 300);
    check_value(store, 2, "two", 300, "");
    put(store, 2, "one", 400);
    check_history(store, 2, "one@400 two@300 one@100");
    check_history(store, 3, "");
    put(store, 2, "three", 350); /* the clock was set back */
    check_history(store, 2, "three@401 one@400 two@300 one@100");
    box_close(store);
    box_free(&box);
}

static void history_has_an_end(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, &(struct fg_store_options){.value_depth = 2});
    put(store, 2, "one", 100);
    put(store, 2, "two", 200);
    put(store, 2, "three", 300);
    check_history(store, 2, "three@300 two@200");
    put(store, 3, "only", 100);
    box_close(store);
    store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    for (fg_page_id page = 2; page <= 3; page++)
        fg_batch_page(batch, &(struct fg_page_row){.site = 1,
                                                   .page = page,
                                                   .fingerprint = page,
                                                   .url = FG_STR("http://x.example/")});
    write_now(store, batch);
    prune_before(store, 1000, 0);
    check_history(store, 2, "three@300");
    check_history(store, 3, "only@100"); /* what still holds stays */
    box_close(store);
    box_free(&box);
}

static bool count(void *context, const struct fg_value_row *row)
{
    size_t *n = context;
    ++*n;
    return row->site == 1;
}

static void rule_outlives_values(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_value_rule(batch, 1, 2, FG_STR("selector:.x"));
    write_now(store, batch);
    check_value(store, 2, "", FG_NEVER, "selector:.x");
    check_history(store, 2, "");
    put(store, 2, "one", 100);
    put(store, 3, "one", 100);
    check_value(store, 2, "one", 100, "selector:.x");
    check_history(store, 2, "one@100");
    size_t n = 0;
    assert_int_equal(fg_store_value_rules(store, 1, count, &n, NULL), FG_OK);
    assert_int_equal(n, 1);
    batch = fg_batch_new(store);
    fg_batch_value_rule(batch, 1, 2, FG_STR("selector:.x"));
    write_now(store, batch);
    check_value(store, 2, "one", 100, "selector:.x");
    batch = fg_batch_new(store);
    fg_batch_value_rule(batch, 1, 2, FG_STR("text"));
    write_now(store, batch);
    check_value(store, 2, "one", FG_NEVER, "text");
    put(store, 2, "one", 300); /* read by the new rule */
    check_value(store, 2, "one", 300, "text");
    check_history(store, 2, "one@300 one@100");
    n = 0;
    assert_int_equal(fg_store_values(store, 0, count, &n, NULL), FG_OK);
    assert_int_equal(n, 2);
    forget_site(store, 1);
    n = 0;
    assert_int_equal(fg_store_values(store, 1, count, &n, NULL), FG_OK);
    assert_int_equal(n, 0);
    check_history(store, 2, "");
    box_close(store);
    box_free(&box);
}

FG_STORE_TESTS(history_has_what_was_before, value_comes_back_with_all_its_parts,
               text_is_the_one_that_counted, only_another_value_is_a_change,
               history_has_an_end, rule_outlives_values)
