/* Clicks and impressions of pages by day: what is written comes back, later words
 * replace earlier ones, and what is old goes by itself. */
#include "fixture.h"

struct taken {
    struct fg_daily_row rows[64];
    size_t n;
};

static bool take(void *context, const struct fg_daily_row *row)
{
    struct taken *taken = context;
    taken->rows[taken->n++] = *row;
    return taken->n < 64;
}

static struct taken counts(struct fg_store *store, fg_site_id site, int64_t first,
                           int64_t end)
{
    struct taken taken = {.n = 0};
    assert_int_equal(fg_store_daily(store, site, first, end, take, &taken, NULL), FG_OK);
    return taken;
}

static void put(struct fg_store *store, const struct fg_daily_row *rows, size_t n)
{
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_daily(batch, rows, n);
    write_now(store, batch);
}

static void counts_come_by_site_day_and_page(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    put(store,
        (struct fg_daily_row[]){{1, 9, 20000, 3, 40},
                                {1, 2, 20000, 1, FG_UNCOUNTED},
                                {1, 9, 19999, 0, 7},
                                {2, 9, 20001, 5, 50}},
        4);
    box_close(store);
    store = box_open(&box, NULL);
    struct taken one = counts(store, 1, 0, 30000), two = counts(store, 2, 0, 30000);
    assert_int_equal(one.n, 3);
    assert_true(one.rows[0].day == 19999 && one.rows[0].impressions == 7);
    assert_true(one.rows[1].page == 2 && one.rows[1].impressions == FG_UNCOUNTED);
    assert_true(one.rows[2].page == 9 && one.rows[2].clicks == 3);
    assert_true(two.n == 1 && two.rows[0].clicks == 5 && two.rows[0].site == 2);
    assert_int_equal(counts(store, 1, 20000, 20001).n, 2);
    assert_int_equal(counts(store, 1, 20001, 20002).n, 0);
    int64_t first, end;
    assert_int_equal(fg_store_daily_span(store, 1, &first, &end, NULL), FG_OK);
    assert_true(first == 19999 && end == 20001);
    assert_int_equal(fg_store_daily_span(store, 3, &first, &end, NULL), FG_OK);
    assert_true(first == 0 && end == 0);
    box_close(store);
    box_free(&box);
}

static void later_counts_of_a_day_replace_earlier_ones(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    put(store, &(struct fg_daily_row){1, 1, 20000, 3, 40}, 1);
    put(store, &(struct fg_daily_row){1, 1, 20000, 2, 50}, 1);
    struct taken all = counts(store, 1, 0, 30000);
    assert_true(all.n == 1 && all.rows[0].clicks == 2 && all.rows[0].impressions == 50);
    box_close(store);
    box_free(&box);
}

/* Sixty days back from the last of each site: 19941 .. 20000 of the first. */
static void old_counts_go_by_themselves(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    put(store,
        (struct fg_daily_row[]){{1, 1, 19940, 1, 1},
                                {1, 1, 19941, 1, 1},
                                {2, 1, 19000, 1, 1},
                                {2, 1, 19001, 1, 1}},
        4);
    assert_int_equal(counts(store, 1, 0, 30000).n, 2);
    put(store, &(struct fg_daily_row){1, 1, 20000, 1, 1}, 1);
    struct taken left = counts(store, 1, 0, 30000);
    assert_true(left.n == 2 && left.rows[0].day == 19941);
    assert_int_equal(counts(store, 2, 0, 30000).n, 2);
    box_close(store);
    box_free(&box);
}

static void a_forgotten_site_takes_its_counts_along(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    put(store, (struct fg_daily_row[]){{1, 1, 20000, 1, 1}, {2, 1, 20000, 1, 1}}, 2);
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_forget_site(batch, 1, UINT64_MAX);
    write_now(store, batch);
    assert_int_equal(counts(store, 1, 0, 30000).n, 0);
    assert_int_equal(counts(store, 2, 0, 30000).n, 1);
    box_close(store);
    box_free(&box);
}

FG_STORE_TESTS(counts_come_by_site_day_and_page,
               later_counts_of_a_day_replace_earlier_ones, old_counts_go_by_themselves,
               a_forgotten_site_takes_its_counts_along)
