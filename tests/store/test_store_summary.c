/* A site in figures, a page's weight, and who holds the lock. */
#include "fixture.h"

static bool take(void *context, const struct fg_site_summary *site)
{
    ((struct fg_site_summary *)context)[site->site - 1] = *site;
    return true;
}

static void put_site(struct fg_batch *batch, fg_site_id id)
{
    fg_batch_site(batch, &(struct fg_site_row){.site = id, .key = FG_STR("k")});
}

static void put_visit(struct fg_batch *batch, fg_page_id page, fg_time time,
                      unsigned status)
{
    fg_batch_visit(batch, &(struct fg_visit_row){.site = 1,
                                                 .page = page,
                                                 .time = time,
                                                 .status = (uint16_t)status,
                                                 .bytes = 10});
}

static void put_event(struct fg_batch *batch, uint64_t id, fg_time time)
{
    fg_batch_event(batch, &(struct fg_event_row){.site = 1,
                                                 .page = 1,
                                                 .id = id,
                                                 .time = time,
                                                 .kind = FG_STR("discovery"),
                                                 .json = FG_STR("{}")});
}

static void a_summary_counts_pages_visits_and_events(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    static const uint32_t flags[] = {FG_PAGE_SOURCE | FG_PAGE_FEED,
                                     FG_PAGE_SOURCE | FG_PAGE_DOCUMENT | FG_PAGE_SITEMAP,
                                     FG_PAGE_GONE | FG_PAGE_FEED, FG_PAGE_EXCLUDED, 0};
    put_site(batch, 1);
    put_site(batch, 2);
    for (fg_page_id i = 0; i < 5; i++) {
        struct fg_page_row page = page_row(1, i + 1);
        page.flags = flags[i];
        fg_batch_page(batch, &page);
    }
    put_visit(batch, 1, 100, 200);
    put_visit(batch, 1, 200, 304);
    put_visit(batch, 2, 300, 503);
    put_visit(batch, 3, 400, 0);
    put_event(batch, 1, 50);
    put_event(batch, 2, 250);
    put_event(batch, 3, 450);
    write_now(store, batch);

    struct fg_site_summary sites[2];
    assert_int_equal(fg_store_summaries(store, 200, 400, take, sites, NULL), FG_OK);
    assert_int_equal(sites[0].known, 5);
    assert_int_equal(sites[0].sources, 2);
    assert_int_equal(sites[0].documents, 1);
    assert_int_equal(sites[0].gone, 1);
    assert_int_equal(sites[0].feeds, 1);
    assert_int_equal(sites[0].sitemaps, 1);
    assert_int_equal(sites[0].waiting, 1);
    assert_int_equal(sites[0].visits, 3);
    assert_int_equal(sites[0].failures, 2);
    assert_int_equal(sites[0].bytes, 30);
    assert_int_equal(sites[0].events_day, 2);
    assert_int_equal(sites[0].events_hour, 1);
    assert_int_equal(sites[0].last_visit, 400);
    assert_int_equal(sites[0].last_event, 450);
    assert_int_equal(sites[1].known, 0);
    assert_true(sites[1].last_event == FG_NEVER && sites[1].last_visit == FG_NEVER);
    box_close(store);
    box_free(&box);
}

static void a_weight_is_changed_alone(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    struct fg_arena arena = {0};
    struct fg_page_row page = page_row(1, 1), read;
    page.visits = 7;
    fg_batch_page(batch, &page);
    fg_batch_page_weight(batch, 1, 1, 2.5f);
    write_now(store, batch);
    assert_int_equal(fg_store_page(store, &read, &arena, 1, 1, NULL), FG_OK);
    assert_near((double)read.weight, 2.5, 0);
    assert_int_equal(read.visits, 7);
    fg_arena_clear(&arena);
    box_close(store);
    box_free(&box);
}

static void whoever_writes_is_named_while_it_does(void **state)
{
    (void)state;
    if (box_ops != &fg_sqlite_ops)
        skip(); /* memory has no other processes */
    struct box box = box_new();
    assert_int_equal(fg_store_writer(box.path), -1);
    struct fg_store *store = box_open(&box, NULL);
    assert_int_equal(fg_store_writer(box.path), getpid());
    struct fg_store *reader =
        box_open(&box, &(struct fg_store_options){.read_only = true});
    assert_int_equal(fg_store_writer(box.path), getpid());
    box_close(reader);
    box_close(store);
    assert_int_equal(fg_store_writer(box.path), -1);
    box_free(&box);
}

FG_STORE_TESTS(a_summary_counts_pages_visits_and_events, a_weight_is_changed_alone,
               whoever_writes_is_named_while_it_does)
