/* What is expected of documents: averages of what the store says, changes put on days,
 * forecasts that are learnt once from each day and kept. */
#include "crawl/documents/outlook.h"
#include "learn/change_rate.h"
#include "net/url/canonical.h"
#include "test.h"

#include <unistd.h>

enum { SITE = 3 };
static const int64_t today = 20772; /* 2026-11-15 */

struct shop {
    char folder[40], file[64];
    struct fg_store *store;
    struct fg_batch *batch;
};

static struct shop open_shop(void)
{
    struct shop shop = {.folder = "/tmp/test-outlook-XXXXXX"};
    assert_non_null(mkdtemp(shop.folder));
    snprintf(shop.file, sizeof shop.file, "%s/forage.db", shop.folder);
    assert_int_equal(
        fg_store_open(&shop.store, shop.file, &(struct fg_store_options){0}, NULL),
        FG_OK);
    shop.batch = fg_batch_new(shop.store);
    return shop;
}

static void write_all(struct shop *shop)
{
    assert_int_equal(
        fg_store_flush(shop->store, fg_store_submit(shop->store, shop->batch), NULL),
        FG_OK);
    shop->batch = fg_batch_new(shop->store);
}

static void close_shop(struct shop *shop)
{
    static const char *const left[] = {"forage.db", "forage.db-wal", "forage.db-shm",
                                       "forage.db.lock"};
    fg_batch_drop(shop->batch);
    fg_store_close(shop->store, NULL);
    for (size_t i = 0; i < 4; i++) {
        snprintf(shop->file, sizeof shop->file, "%s/%s", shop->folder, left[i]);
        unlink(shop->file);
    }
    rmdir(shop->folder);
}

enum { DOCUMENTS = 200, DAYS = 20, NEW = 5000 };

/* Pages from NEW on are of another site. */
static fg_site_id site_of(fg_page_id page)
{
    return page < NEW ? SITE : SITE + 1;
}

static uint64_t id_of(fg_page_id page)
{
    return (uint64_t)site_of(page) << 32 | page;
}

static void put_page(struct shop *shop, fg_page_id page)
{
    fg_batch_page(shop->batch, &(struct fg_page_row){.site = site_of(page),
                                                     .page = page,
                                                     .fingerprint = page,
                                                     .url = FG_STR("https://a.example/"),
                                                     .flags = FG_PAGE_DOCUMENT});
}

/* At so many days before today's midnight. */
static void put_visit(struct shop *shop, fg_page_id page, double days_ago, bool changed)
{
    fg_time time = today * FG_DAY - (fg_time)(days_ago * (double)FG_DAY);
    fg_batch_visit(shop->batch, &(struct fg_visit_row){.site = SITE,
                                                       .page = page,
                                                       .time = time,
                                                       .status = 200,
                                                       .changed = changed,
                                                       .purpose = 3});
}

static void put_counts(struct shop *shop, fg_page_id page, int64_t days_ago,
                       uint32_t clicks, uint32_t impressions)
{
    fg_batch_daily(shop->batch,
                   &(struct fg_daily_row){SITE, page, (int32_t)(today - days_ago), clicks,
                                          impressions},
                   1);
}

static struct fg_forecast_rules small_rules(void)
{
    struct fg_forecast_rules rules = fg_outlook_rules();
    rules.layers[0] = 64;
    rules.layers[1] = 32;
    rules.layers[2] = 16;
    rules.rate = 0.03;
    return rules;
}

/* Through all days; how often it asked for training. */
static size_t play(struct fg_outlook *outlook, const uint64_t *ids, size_t n, fg_time now)
{
    size_t trainings = 0;
    enum fg_outlook_step step;
    assert_int_equal(fg_outlook_begin(outlook, ids, n, now, NULL), FG_OK);
    while ((step = fg_outlook_step(outlook, NULL)) < FG_OUTLOOK_DONE)
        if (step == FG_OUTLOOK_TRAIN) {
            trainings++;
            fg_outlook_train(outlook, now);
        }
    assert_int_equal(step, FG_OUTLOOK_DONE);
    fg_outlook_rates(outlook);
    return trainings;
}

static void averages_are_those_of_the_days_known(void **state)
{
    (void)state;
    struct shop shop = open_shop();
    struct fg_forecast_rules rules = small_rules();
    for (fg_page_id page = 1; page <= 3; page++)
        put_page(&shop, page);
    /* Visited at six and eighteen hours of each of ten days; two of the visits in the
     * evening found a change. */
    for (int ago = 10; ago >= 1; ago--)
        for (int half = 0; half < 2; half++)
            put_visit(&shop, 1, ago - 0.25 - 0.5 * half, half && (ago == 4 || ago == 7));
    /* Counts of five days: the second page has no row on two of them, and was not
     * clicked then. */
    for (int ago = 1; ago <= 5; ago++) {
        put_counts(&shop, 1, ago, 2, 10);
        if (ago <= 3)
            put_counts(&shop, 2, ago, 5, ago == 3 ? FG_UNCOUNTED : 40);
    }
    write_all(&shop);
    const uint64_t ids[] = {id_of(1), id_of(2), id_of(3)};
    struct fg_outlook *outlook = fg_outlook_new(shop.store, &rules);
    play(outlook, ids, 3, today * FG_DAY + FG_HOUR);
    const float *changes = fg_outlook_told(outlook, FG_TOLD_CHANGES_HISTORY);
    /* The first and the last day were watched in part only: eight are known. */
    assert_near(changes[0], 2.0 / 8, 1e-6);
    assert_true(isnan(changes[1]) && isnan(changes[2]));
    const float *clicks = fg_outlook_told(outlook, FG_TOLD_CLICKS_HISTORY);
    assert_near(clicks[0], 2, 1e-6);
    assert_near(clicks[1], 3, 1e-6);
    assert_near(clicks[2], 0, 1e-6);
    const float *shown = fg_outlook_told(outlook, FG_TOLD_IMPRESSIONS_HISTORY);
    assert_near(shown[0], 10, 1e-6);
    assert_near(shown[1], 2 * 40 / 4.0, 1e-6); /* not known of one day */
    const float *smooth = fg_outlook_told(outlook, FG_TOLD_CLICKS_SMOOTH);
    assert_true(smooth[1] > smooth[0] && smooth[0] > smooth[2] && smooth[2] > 0);
    /* Nobody has learnt anything yet. */
    assert_null(fg_outlook_told(outlook, FG_TOLD_CHANGES_MODEL));
    assert_memory_equal(fg_outlook_told(outlook, FG_TOLD_CLICKS_MODEL), smooth,
                        3 * sizeof *smooth);
    fg_outlook_free(outlook);
    close_shop(&shop);
}

static void without_counts_nothing_is_said_of_clicks(void **state)
{
    (void)state;
    struct shop shop = open_shop();
    struct fg_forecast_rules rules = small_rules();
    put_page(&shop, 1);
    put_visit(&shop, 1, 3, true);
    put_visit(&shop, 1, 1.5, false);
    write_all(&shop);
    uint64_t id = id_of(1);
    struct fg_outlook *outlook = fg_outlook_new(shop.store, &rules);
    play(outlook, &id, 1, today * FG_DAY);
    assert_null(fg_outlook_told(outlook, FG_TOLD_CLICKS_HISTORY));
    assert_null(fg_outlook_told(outlook, FG_TOLD_IMPRESSIONS_HISTORY));
    assert_null(fg_outlook_told(outlook, FG_TOLD_CLICKS_SMOOTH));
    assert_non_null(fg_outlook_told(outlook, FG_TOLD_CHANGES_HISTORY));
    fg_outlook_free(outlook);
    close_shop(&shop);
}

/* Two visits at midnight, four days apart, the second of which found a change. The day of
 * the second has not begun; that of the first is known to have had one or is not known.
 * On each of the three others it is put with the chance (1 - e^-r) / (1 - e^-4r), r being
 * the likeliest rate. */
static void a_change_is_put_on_a_day_by_chance(void **state)
{
    (void)state;
    enum { N = 3000 };
    struct shop shop = open_shop();
    struct fg_forecast_rules rules = small_rules();
    static uint64_t ids[N];
    for (fg_page_id page = 1; page <= N; page++) {
        put_page(&shop, page);
        put_visit(&shop, page, 4, true);
        put_visit(&shop, page, 0, true);
        ids[page - 1] = id_of(page);
    }
    write_all(&shop);
    struct fg_outlook *outlook = fg_outlook_new(shop.store, &rules);
    play(outlook, ids, N, today * FG_DAY + FG_HOUR);
    struct fg_seen seen = {0};
    fg_seen_add(&seen, 4, true);
    double r = fg_seen_rate(&seen, 0.5, 1);
    double chance = expm1(-r) / expm1(-4 * r);
    const float *changes = fg_outlook_told(outlook, FG_TOLD_CHANGES_HISTORY);
    double sum = 0;
    for (size_t i = 0; i < N; i++) /* the mean of 4 days with one, of 3 without */
        sum += changes[i];
    /* With three draws and a fourth that counts only if it is a change: let k of three be
     * changes; the mean is (k + 1) / 4 with that chance, else k / 3. Its expectation is
     * p (3 p + 1) / 4 + (1 - p) p. */
    double expected = chance * (3 * chance + 1) / 4 + (1 - chance) * chance;
    assert_near(sum / N, expected, 4 * 0.5 / sqrt(3.0 * N));
    fg_outlook_free(outlook);
    close_shop(&shop);
}

/* --- forecasts --- */

static void put_brand(struct shop *shop, fg_page_id page, struct fg_str brand)
{
    fg_batch_value(shop->batch, &(struct fg_value_row){.site = site_of(page),
                                                       .page = page,
                                                       .kind = 3,
                                                       .hash = page,
                                                       .changed = FG_DAY,
                                                       .brand = brand});
}

/* Of one brand all are clicked nearly every day, of the other next to none. */
static void put_brands(struct shop *shop, uint64_t *ids, bool are_read)
{
    for (size_t i = 0; i < DOCUMENTS + 2; i++) {
        fg_page_id page = (fg_page_id)(i < DOCUMENTS ? i + 1 : NEW + 1 + i - DOCUMENTS);
        ids[i] = id_of(page);
        put_page(shop, page);
        if (are_read)
            put_brand(shop, page, page % 2 ? FG_STR("dear") : FG_STR("dull"));
        for (int ago = 2; i < DOCUMENTS && ago <= DAYS + 1; ago++) {
            bool is_rare = (page * 7 + (unsigned)ago * 13) % 17 == 0;
            put_counts(shop, page, ago, (page % 2 == 1) != is_rare, 10);
        }
    }
    write_all(shop);
}

static void a_forecast_is_learnt_from_each_day_once_and_kept(void **state)
{
    (void)state;
    struct shop shop = open_shop();
    struct fg_forecast_rules rules = small_rules();
    static uint64_t ids[DOCUMENTS + 2];
    put_brands(&shop, ids, true);
    fg_time now = today * FG_DAY + FG_HOUR, trained;
    struct fg_outlook *outlook = fg_outlook_new(shop.store, &rules);
    assert_int_equal(play(outlook, ids, DOCUMENTS + 2, now), 1);
    assert_true(fg_outlook_has_news(outlook));
    assert_true(fg_outlook_train(outlook, now));
    fg_outlook_rates(outlook);
    struct fg_forecast_skill skill = fg_forecast_skill(
        fg_outlook_forecast(outlook, &trained), FG_FORECAST_CLICK, FG_FORECAST_METADATA);
    assert_true(trained == now);
    /* A third of the nineteen days that are to be learnt was held out. */
    assert_int_equal(skill.days, 6);
    assert_true(skill.mean > 0.9);
    const float *clicks = fg_outlook_told(outlook, FG_TOLD_CLICKS_MODEL);
    assert_true(clicks[0] > 1 && clicks[1] < 0.5f);
    /* Of the two new ones nothing is known but their brand. */
    assert_true(clicks[DOCUMENTS] > 1 && clicks[DOCUMENTS + 1] < 0.5f);
    struct fg_buf saved;
    fg_buf_init(&saved, 1 << 28);
    fg_outlook_save(outlook, &saved);
    fg_batch_state(shop.batch, 0, FG_OUTLOOK_STATE, fg_buf_str(&saved));
    write_all(&shop);
    float before[2] = {clicks[0], clicks[DOCUMENTS]};
    fg_outlook_free(outlook);
    outlook = fg_outlook_new(shop.store, &rules);
    assert_int_equal(play(outlook, ids, DOCUMENTS + 2, now), 0);
    assert_false(fg_outlook_has_news(outlook));
    clicks = fg_outlook_told(outlook, FG_TOLD_CLICKS_MODEL);
    assert_true(clicks[0] == before[0] && clicks[DOCUMENTS] == before[1]);
    /* A day later there is one day to learn from, once its counts are there. */
    play(outlook, ids, DOCUMENTS + 2, now + FG_DAY);
    assert_false(fg_outlook_has_news(outlook));
    put_counts(&shop, 1, 1, 1, 10);
    write_all(&shop);
    play(outlook, ids, DOCUMENTS + 2, now + FG_DAY);
    assert_true(fg_outlook_has_news(outlook));
    fg_buf_clear(&saved);
    fg_outlook_free(outlook);
    close_shop(&shop);
}

/* The visits alone had been learnt from, then somebody imported a month. */
static void counts_that_come_late_are_learnt_from(void **state)
{
    (void)state;
    struct shop shop = open_shop();
    struct fg_forecast_rules rules = small_rules();
    static uint64_t ids[DOCUMENTS + 2];
    for (fg_page_id page = 1; page <= DOCUMENTS + 2; page++) {
        put_page(&shop, page);
        put_brand(&shop, page, FG_STR("some"));
        ids[page - 1] = id_of(page);
        for (int ago = 8; ago >= 1; ago--)
            put_visit(&shop, page, ago - 0.5, (page + (unsigned)ago) % 3 == 0);
    }
    write_all(&shop);
    fg_time now = today * FG_DAY + FG_HOUR, trained;
    struct fg_outlook *outlook = fg_outlook_new(shop.store, &rules);
    play(outlook, ids, DOCUMENTS + 2, now);
    fg_outlook_train(outlook, now);
    const struct fg_forecast *forecast = fg_outlook_forecast(outlook, &trained);
    assert_true(fg_forecast_can(forecast, FG_FORECAST_CHANGE, FG_FORECAST_BOTH));
    assert_false(fg_forecast_can(forecast, FG_FORECAST_CLICK, FG_FORECAST_BOTH));
    put_brands(&shop, ids, true);
    play(outlook, ids, DOCUMENTS + 2, now);
    fg_outlook_train(outlook, now);
    forecast = fg_outlook_forecast(outlook, &trained);
    assert_true(fg_forecast_can(forecast, FG_FORECAST_CHANGE, FG_FORECAST_BOTH));
    assert_true(fg_forecast_can(forecast, FG_FORECAST_CLICK, FG_FORECAST_BOTH));
    fg_outlook_free(outlook);
    close_shop(&shop);
}

/* A month of counts is imported and none after that; visits begin on the day of the
 * import. The changes of the first day that is over for us are learnt from, counts or
 * not. */
static void changes_do_not_wait_for_counts(void **state)
{
    (void)state;
    struct shop shop = open_shop();
    struct fg_forecast_rules rules = small_rules();
    static uint64_t ids[DOCUMENTS + 2];
    put_brands(&shop, ids, true); /* up to two days before today */
    fg_time now = today * FG_DAY + FG_HOUR, trained;
    struct fg_outlook *outlook = fg_outlook_new(shop.store, &rules);
    play(outlook, ids, DOCUMENTS + 2, now);
    fg_outlook_train(outlook, now);
    assert_false(fg_forecast_can(fg_outlook_forecast(outlook, &trained),
                                 FG_FORECAST_CHANGE, FG_FORECAST_BOTH));
    for (fg_page_id page = 1; page <= DOCUMENTS; page++)
        for (double ago = 0; ago > -6; ago -= 0.5)
            put_visit(&shop, page, ago, page % 3 == 0);
    write_all(&shop);
    play(outlook, ids, DOCUMENTS + 2, now + 6 * FG_DAY);
    assert_true(fg_outlook_has_news(outlook));
    fg_outlook_train(outlook, now + 6 * FG_DAY);
    assert_true(fg_forecast_can(fg_outlook_forecast(outlook, &trained),
                                FG_FORECAST_CHANGE, FG_FORECAST_BOTH));
    assert_true(fg_outlook_learnt(outlook) == today + 4);
    /* Their counts come after all. */
    put_counts(&shop, 1, 0, 1, 10);
    write_all(&shop);
    play(outlook, ids, DOCUMENTS + 2, now + 6 * FG_DAY);
    assert_true(fg_outlook_has_news(outlook));
    fg_outlook_free(outlook);
    close_shop(&shop);
}

static void nothing_is_learnt_before_most_have_been_read(void **state)
{
    (void)state;
    struct shop shop = open_shop();
    struct fg_forecast_rules rules = small_rules();
    static uint64_t ids[DOCUMENTS + 2];
    put_brands(&shop, ids, false);
    fg_time now = today * FG_DAY + FG_HOUR;
    struct fg_outlook *outlook = fg_outlook_new(shop.store, &rules);
    play(outlook, ids, DOCUMENTS + 2, now);
    assert_false(fg_outlook_has_news(outlook));
    put_brands(&shop, ids, true);
    play(outlook, ids, DOCUMENTS + 2, now);
    assert_true(fg_outlook_has_news(outlook));
    fg_outlook_free(outlook);
    close_shop(&shop);
}

static void it_can_be_stopped(void **state)
{
    (void)state;
    struct shop shop = open_shop();
    struct fg_forecast_rules rules = small_rules();
    atomic_bool stop = true;
    rules.stop = &stop;
    put_page(&shop, 1);
    write_all(&shop);
    uint64_t id = id_of(1);
    struct fg_outlook *outlook = fg_outlook_new(shop.store, &rules);
    assert_int_not_equal(fg_outlook_begin(outlook, &id, 1, today * FG_DAY, NULL), FG_OK);
    stop = false;
    assert_int_equal(fg_outlook_begin(outlook, &id, 1, today * FG_DAY, NULL), FG_OK);
    stop = true;
    assert_int_equal(fg_outlook_step(outlook, NULL), FG_OUTLOOK_FAILED);
    fg_outlook_free(outlook);
    close_shop(&shop);
}

FG_TESTS(averages_are_those_of_the_days_known, without_counts_nothing_is_said_of_clicks,
         a_change_is_put_on_a_day_by_chance,
         a_forecast_is_learnt_from_each_day_once_and_kept,
         counts_that_come_late_are_learnt_from, changes_do_not_wait_for_counts,
         nothing_is_learnt_before_most_have_been_read, it_can_be_stopped)
