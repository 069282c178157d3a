/* How well a crawl did, by a store with a few pages and events in it. */
#include "../store/fixture.h"
#include "cli/record.h"

static const fg_time since = 100 * FG_DAY; /* a minute after it, everything begins */

static void put_page(struct fg_batch *batch, fg_page_id id, uint32_t flags,
                     fg_time published)
{
    char url[40];
    snprintf(url, sizeof url, "https://a.example/%u", id);
    fg_batch_page(batch, &(struct fg_page_row){.site = 1,
                                               .page = id,
                                               .fingerprint = id,
                                               .url = fg_str_from(url),
                                               .flags = flags,
                                               .first_seen = since,
                                               .last_visit = FG_NEVER,
                                               .last_change = FG_NEVER,
                                               .next_visit = FG_NEVER,
                                               .published = published,
                                               .weight = 1});
}

static void put_event(struct fg_batch *batch, fg_page_id page, const char *kind,
                      fg_time found)
{
    fg_batch_event(batch, &(struct fg_event_row){
                              .site = 1,
                              .page = page,
                              .id = page + 1000u + (uint64_t)found,
                              .time = found,
                              .kind = fg_str_from(kind),
                              .json = FG_STR("{\"url\":\"https://a.example/x\"}")});
}

static void a_record_is_counted_from_the_store(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    fg_time t = since + FG_HOUR;
    fg_batch_site(batch,
                  &(struct fg_site_row){.site = 1, .key = FG_STR("https://a.example")});
    put_page(batch, 1, FG_PAGE_SOURCE, t);           /* a list: not asked for */
    put_page(batch, 2, 0, t);                        /* told after 4 minutes */
    put_page(batch, 3, 0, t + FG_MINUTE);            /* told after 2 hours */
    put_page(batch, 4, 0, t + 2 * FG_MINUTE);        /* never told */
    put_page(batch, 5, FG_PAGE_DUPLICATE, FG_NEVER); /* told, and wrong */
    put_page(batch, 6, 0, since - FG_DAY);           /* of old */
    put_page(batch, 7, 0, 101 * FG_DAY);             /* dated by day only; told */
    put_event(batch, 2, "discovery", t + 4 * FG_MINUTE);
    put_event(batch, 3, "discovery", t + FG_MINUTE + 2 * FG_HOUR);
    put_event(batch, 5, "discovery", t);
    put_event(batch, 7, "discovery", 101 * FG_DAY + FG_HOUR);
    put_event(batch, 2, "alarm", t);
    put_event(batch, 4, "changed", t);
    for (unsigned i = 0; i < 8; i++)
        fg_batch_request(batch, &(struct fg_request_row){.site = 1,
                                                         .time = t + i,
                                                         .number = i,
                                                         .status = 200,
                                                         .target = FG_STR("/")});
    assert_int_equal(fg_store_flush(store, fg_store_submit(store, batch), NULL), FG_OK);

    struct fg_records records = {0};
    struct fg_record_site sites[] = {{.watching = since + FG_MINUTE}};
    assert_int_equal(fg_records_gather(&records, store, sites, 1, since, NULL), FG_OK);
    const struct fg_record *r = &records.sites[0];
    assert_int_equal(r->told, 4);
    assert_int_equal(r->wrong, 1);
    assert_near(fg_record_precision(r), 0.75, 1e-9);
    assert_int_equal(r->published, 4); /* 2, 3, 4 and 7 */
    assert_int_equal(r->published_told, 3);
    assert_near(fg_record_recall(r), 0.75, 1e-9);
    assert_int_equal(r->dated, 2);
    assert_int_equal(r->late, 1);
    assert_int_equal(r->delay_p50, 4 * FG_MINUTE);
    assert_int_equal(r->requests, 8);
    assert_near(fg_record_requests_each(r), 2, 1e-9);
    assert_int_equal(records.all.told, 4);
    assert_int_equal(records.all.delay_p50, 4 * FG_MINUTE);

    /* what was published before the site was watched is stock */
    sites[0].watching = since + 2 * FG_DAY;
    assert_int_equal(fg_records_gather(&records, store, sites, 1, since, NULL), FG_OK);
    assert_int_equal(records.all.published, 0);
    assert_true(isnan(fg_record_recall(&records.all)));
    fg_records_clear(&records);
    box_close(store);
    box_free(&box);
}

FG_TESTS(a_record_is_counted_from_the_store)
