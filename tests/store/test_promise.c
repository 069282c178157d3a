/* Promises, counts that came too early, and a site that begins anew. */
#include "fixture.h"

#include "base/buf.h"

static bool print_promise(void *context, fg_site_id site, fg_page_id page,
                          fg_time at_least)
{
    return fg_buf_printf(context, "%u/%u %lld;", site, page, (long long)at_least);
}

static bool print_early(void *context, struct fg_str key, uint64_t fingerprint)
{
    return fg_buf_printf(context, "%.*s %llx;", FG_ARG(key),
                         (unsigned long long)fingerprint);
}

static bool print_daily(void *context, const struct fg_daily_row *row)
{
    return fg_buf_printf(context, "%u %d %u %u;", row->page, row->day, row->clicks,
                         row->impressions);
}

static void check(struct fg_store *store, const char *promises, const char *early,
                  const char *counts)
{
    struct fg_buf text;
    fg_buf_init(&text, 1 << 16);
    assert_int_equal(fg_store_promises(store, 0, print_promise, &text, NULL), FG_OK);
    assert_str(fg_buf_str(&text), promises);
    fg_buf_reset(&text);
    assert_int_equal(fg_store_early(store, print_early, &text, NULL), FG_OK);
    assert_str(fg_buf_str(&text), early);
    fg_buf_reset(&text);
    assert_int_equal(fg_store_daily(store, 1, 0, 30000, print_daily, &text, NULL), FG_OK);
    assert_str(fg_buf_str(&text), counts);
    fg_buf_clear(&text);
}

static void promises_come_back_and_go(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_promise(batch, 2, 7, 60);
    fg_batch_promise(batch, 1, 3, 50);
    fg_batch_promise(batch, 1, 3, 40);
    fg_batch_promise(batch, 1, 4, 30);
    fg_batch_promise(batch, 1, 4, 0);
    write_now(store, batch);
    box_close(store);
    store = box_open(&box, NULL);
    check(store, "1/3 40;2/7 60;", "", "");
    batch = fg_batch_new(store);
    fg_batch_forget_site(batch, 2, UINT64_MAX);
    write_now(store, batch);
    check(store, "1/3 40;", "", "");
    box_close(store);
    box_free(&box);
}

static void early_counts_wait_for_their_page(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    const struct fg_early_row rows[] = {{0xfeed, 20000, 3, FG_UNCOUNTED},
                                        {0xfeed, 20001, 4, 40},
                                        {0xfeed, 19000, 9, 9}, /* too old to be kept */
                                        {0xffffffffffffffff, 20001, 1, 1}};
    fg_batch_early(batch, FG_STR("https://a.example"), rows, 4);
    fg_batch_early(batch, FG_STR("https://b.example"), rows, 1);
    write_now(store, batch);
    check(store, "",
          "https://a.example ffffffffffffffff;https://a.example feed;"
          "https://b.example feed;",
          "");
    batch = fg_batch_new(store);
    const struct fg_daily_row newer = {1, 5, 20001, 8, 80};
    fg_batch_daily(batch, &newer, 1);
    fg_batch_place_early(batch, FG_STR("https://a.example"), 0xfeed, 1, 5);
    write_now(store, batch);
    check(store, "", "https://a.example ffffffffffffffff;https://b.example feed;",
          "5 20000 3 4294967295;5 20001 8 80;");
    box_close(store);
    box_free(&box);
}

static bool count_request(void *context, const struct fg_request_row *row)
{
    (void)row;
    ++*(size_t *)context;
    return true;
}

static void a_site_that_begins_anew_leaves_its_requests(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    struct fg_page_row page = page_row(1, 1);
    fg_batch_site(batch, &(struct fg_site_row){.site = 1, .key = FG_STR("k")});
    fg_batch_page(batch, &page);
    fg_batch_request(batch, &(struct fg_request_row){.site = 1, .time = 9, .number = 1});
    write_now(store, batch);
    batch = fg_batch_new(store);
    fg_batch_renew_site(batch, 1, 4);
    fg_batch_site(batch, &(struct fg_site_row){.site = 4, .key = FG_STR("k")});
    write_now(store, batch);
    size_t old = 0, new = 0;
    fg_store_requests(store, 1, FG_NEVER, count_request, &old, NULL);
    fg_store_requests(store, 4, FG_NEVER, count_request, &new, NULL);
    assert_int_equal(old, 0);
    assert_int_equal(new, 1);
    assert_int_equal(pages_in(store, 0), 0);
    box_close(store);
    box_free(&box);
}

FG_STORE_TESTS(promises_come_back_and_go, early_counts_wait_for_their_page,
               a_site_that_begins_anew_leaves_its_requests)
