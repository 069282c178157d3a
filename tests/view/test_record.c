/* How well a crawl did, by a store with a few pages and events in it. */
#include "../store/fixture.h"
#include "view/record.h"

static const fg_time since = 100 * FG_DAY; /* a minute after it, everything begins */

static void put_row(struct fg_batch *batch, fg_page_id id, uint32_t flags,
                    fg_time published, unsigned visits)
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
                                               .visits = visits,
                                               .weight = 1});
}

static void put_page(struct fg_batch *batch, fg_page_id id, uint32_t flags,
                     fg_time published)
{
    put_row(batch, id, flags, published, 0);
}

static void put_read(struct fg_batch *batch, fg_page_id id, uint32_t flags,
                     unsigned visits)
{
    put_row(batch, id, flags, FG_NEVER, visits);
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
    struct fg_record_site sites[] = {{.watching = since + FG_MINUTE, .site = 1}};
    struct fg_record_scope scope = {sites, 1, since, fg_guard_defaults(), false};
    assert_int_equal(fg_records_gather(&records, store, &scope, NULL), FG_OK);
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
    assert_int_equal(fg_records_gather(&records, store, &scope, NULL), FG_OK);
    assert_int_equal(records.all.published, 0);
    assert_true(isnan(fg_record_recall(&records.all)));
    fg_records_clear(&records);
    box_close(store);
    box_free(&box);
}

static struct fg_records gather(struct fg_store *store, const struct fg_site_rules *rules)
{
    struct fg_records records = {0};
    const struct fg_record_site sites[] = {{since, rules, 1}};
    const struct fg_record_scope scope = {sites, 1, since, fg_guard_defaults(), false};
    assert_int_equal(fg_records_gather(&records, store, &scope, NULL), FG_OK);
    return records;
}

static struct fg_batch *one_site(struct fg_store *store)
{
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_site(batch,
                  &(struct fg_site_row){.site = 1, .key = FG_STR("https://a.example")});
    return batch;
}

/* Only what should have been told can have been missed. */
static void a_record_asks_only_for_pages_to_be_told(void **state)
{
    (void)state;
    static const uint32_t others[] = {
        FG_PAGE_NOINDEX, FG_PAGE_LIST, FG_PAGE_OTHER_KIND, FG_PAGE_FEED,
        FG_PAGE_SITEMAP, FG_PAGE_SEED, FG_PAGE_EXCLUDED};
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = one_site(store);
    fg_time t = since + FG_HOUR;
    put_page(batch, 1, FG_PAGE_REPORTED, t);
    put_event(batch, 1, "discovery", t + FG_MINUTE);
    for (fg_page_id i = 0; i < sizeof others / sizeof *others; i++)
        put_page(batch, 10 + i, others[i], t);
    put_page(batch, 30, 0, t);
    assert_int_equal(fg_store_flush(store, fg_store_submit(store, batch), NULL), FG_OK);
    struct fg_records records = gather(store, NULL);
    assert_int_equal(records.all.published, 2); /* 1 and 30 */
    assert_int_equal(records.all.published_told, 1);
    fg_records_clear(&records);
    struct fg_str glob = FG_STR("*/30");
    struct fg_site_rules rules = {.exclude = {&glob, 1, 1}};
    records = gather(store, &rules);
    assert_int_equal(records.all.published, 1);
    assert_near(fg_record_recall(&records.all), 1, 1e-9);
    fg_records_clear(&records);
    box_close(store);
    box_free(&box);
}

/* However often it was read and turned down. */
static void a_record_counts_a_page_once_by_its_last_reason(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = one_site(store);
    put_read(batch, 1, FG_PAGE_NOINDEX, 35);
    put_read(batch, 2, FG_PAGE_OLD | FG_PAGE_DUPLICATE, 2);
    put_read(batch, 3, FG_PAGE_REPORTED | FG_PAGE_NOINDEX, 3); /* told */
    put_read(batch, 4, FG_PAGE_AWAITED | FG_PAGE_UNPROVEN, 1); /* not judged yet */
    put_read(batch, 5, FG_PAGE_STOCK | FG_PAGE_OLD, 1);
    put_read(batch, 6, FG_PAGE_OLD, 0); /* not read */
    put_read(batch, 7, FG_PAGE_GONE, 1);
    assert_int_equal(fg_store_flush(store, fg_store_submit(store, batch), NULL), FG_OK);
    struct fg_records records = gather(store, NULL);
    for (int i = 0; i < FG_NOT_TOLD; i++)
        assert_int_equal(records.all.not_told[i],
                         i == FG_NOT_NOINDEX || i == FG_NOT_COPY || i == FG_NOT_ERROR);
    fg_records_clear(&records);
    box_close(store);
    box_free(&box);
}

/* Nine of ten are within it: not the eighth of nine. */
static void a_record_takes_shares_of_delays_by_nearest_rank(void **state)
{
    (void)state;
    static const struct {
        unsigned n, p50, p90; /* minutes, of delays of 1, 2, ... n minutes */
    } cases[] = {{1, 1, 1}, {2, 1, 2}, {5, 3, 5}, {9, 5, 9}, {10, 5, 9}, {11, 6, 10}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct box box = box_new();
        struct fg_store *store = box_open(&box, NULL);
        struct fg_batch *batch = one_site(store);
        fg_time t = since + FG_HOUR;
        for (fg_page_id i = 1; i <= cases[c].n; i++) {
            put_page(batch, i, FG_PAGE_REPORTED, t);
            put_event(batch, i, "discovery", t + i * FG_MINUTE);
        }
        assert_int_equal(fg_store_flush(store, fg_store_submit(store, batch), NULL),
                         FG_OK);
        struct fg_records records = gather(store, NULL);
        assert_int_equal(records.all.delay_p50, cases[c].p50 * FG_MINUTE);
        assert_int_equal(records.all.delay_p90, cases[c].p90 * FG_MINUTE);
        fg_records_clear(&records);
        box_close(store);
        box_free(&box);
    }
}

FG_TESTS(a_record_is_counted_from_the_store, a_record_asks_only_for_pages_to_be_told,
         a_record_counts_a_page_once_by_its_last_reason,
         a_record_takes_shares_of_delays_by_nearest_rank)
