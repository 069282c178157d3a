/* What a crawl tells its refresh policy: counts that were imported, those that are left
 * in its inbox while it runs, and nothing of clicks if nobody counted them. */
#include "crawl/crawl.h"
#include "crawl/documents/outlook.h"
#include "crawl/intake/seeds.h"
#include "crawl/state.h"
#include "net/url/canonical.h"
#include "store/fixture.h"
#include "test.h"

static struct fg_arena defaults; /* of the settings */

enum { SITE = 1, PAGES = 3 };

/* Nobody listens there, and nobody need. */
static const char *const urls[PAGES] = {"http://127.0.0.1:9/a", "http://127.0.0.1:9/b",
                                        "http://127.0.0.1:9/c"};

static void put_pages(struct fg_store *store)
{
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_site(batch, &(struct fg_site_row){.site = SITE,
                                               .key = FG_STR("http://127.0.0.1:9"),
                                               .state = SITE_PAGES_ONLY,
                                               .last_request = FG_NEVER,
                                               .robots_fetched = FG_NEVER,
                                               .robots_expires = FG_NEVER,
                                               .backoff_until = FG_NEVER});
    for (fg_page_id page = 1; page <= PAGES; page++) {
        struct fg_str url = fg_str_from(urls[page - 1]);
        fg_batch_page(batch,
                      &(struct fg_page_row){.site = SITE,
                                            .page = page,
                                            .url = url,
                                            .fingerprint = fg_canonical_fingerprint(url),
                                            .flags = FG_PAGE_DOCUMENT | FG_PAGE_SEED,
                                            .last_visit = FG_NEVER,
                                            .last_change = FG_NEVER,
                                            .next_visit = FG_NEVER,
                                            .published = FG_NEVER,
                                            .weight = 2});
    }
    write_now(store, batch);
}

static int32_t today(void)
{
    return (int32_t)(fg_time_now() / FG_DAY);
}

/* Two days of counts: 4 and 6 clicks of the first page, 1 and 0 of the second. */
static void put_counts(struct fg_store *store)
{
    const struct fg_daily_row rows[] = {{SITE, 1, today() - 2, 4, 40},
                                        {SITE, 2, today() - 2, 1, 9},
                                        {SITE, 1, today() - 1, 6, 60},
                                        {SITE, 3, today() - 1, 0, 1}};
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_daily(batch, rows, 4);
    write_now(store, batch);
}

static struct fg_crawl *run_for(struct fg_store *store, fg_time time)
{
    struct fg_crawl_options options = fg_crawl_defaults(&defaults);
    struct fg_crawl *crawl;
    struct fg_err err = {0};
    options.fetch.user_agent = "forage-test";
    options.fetch.reach = FG_REACH_LOOPBACK;
    options.policies.refresh = "round-robin";
    options.clock = fg_clock_simulated(fg_time_now(), 20); /* a tick in a second */
    options.budget.tick = 20 * FG_SECOND;
    options.run.time_limit = time;
    if (fg_crawl_new(&crawl, store, &options, &err))
        fail_msg("%s", err.text);
    assert_int_equal(fg_crawl_run(crawl, &err), FG_CRAWL_TIME_LIMIT);
    return crawl;
}

static float told(const struct fg_crawl *crawl, enum fg_told_rate kind, fg_page_id page)
{
    size_t row = fg_mind_row(crawl->minds.refresh, (uint64_t)SITE << 32 | page);
    assert_true(row != FG_NO_ROW);
    return fg_world_told(fg_mind_world(crawl->minds.refresh), kind, row);
}

static void imported_counts_are_told(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    put_pages(store);
    put_counts(store);
    struct fg_crawl *crawl = run_for(store, 1500 * FG_MILLISECOND);
    assert_near(told(crawl, FG_TOLD_CLICKS_HISTORY, 1), 5, 1e-6);
    assert_near(told(crawl, FG_TOLD_CLICKS_HISTORY, 2), 0.5, 1e-6);
    assert_near(told(crawl, FG_TOLD_CLICKS_HISTORY, 3), 0, 1e-6);
    assert_near(told(crawl, FG_TOLD_IMPRESSIONS_HISTORY, 1), 50, 1e-6);
    float first = told(crawl, FG_TOLD_CLICKS_SMOOTH, 1);
    assert_true(first > 2 && first < 5);
    assert_true(told(crawl, FG_TOLD_CLICKS_MODEL, 1) == first); /* for want of a model */
    assert_true(isnan(told(crawl, FG_TOLD_CHANGES_MODEL, 1)));
    fg_crawl_free(crawl);
    /* They are known at once when it starts again, and to those who only look. */
    struct fg_crawl_options options = fg_crawl_defaults(&defaults);
    options.policies.refresh = "round-robin";
    options.fetch.user_agent = "forage-test";
    assert_int_equal(fg_crawl_new(&crawl, store, &options, NULL), FG_OK);
    assert_true(told(crawl, FG_TOLD_CLICKS_SMOOTH, 1) == first);
    fg_crawl_free(crawl);
    struct fg_mind *mind;
    assert_int_equal(fg_crawl_recall_mind(&mind, store, &options, false, NULL), FG_OK);
    size_t row = fg_mind_row(mind, (uint64_t)SITE << 32 | 1);
    assert_true(fg_world_told(fg_mind_world(mind), FG_TOLD_CLICKS_SMOOTH, row) == first);
    fg_mind_free(mind);
    box_close(store);
    box_free(&box);
}

static void without_counts_nothing_is_told_of_clicks(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    put_pages(store);
    struct fg_crawl *crawl = run_for(store, 1500 * FG_MILLISECOND);
    const struct fg_world *world = fg_mind_world(crawl->minds.refresh);
    assert_null(world->told[FG_TOLD_CLICKS_SMOOTH]);
    assert_null(world->told[FG_TOLD_CLICKS_MODEL]);
    assert_true(world->weight[0] == 2);
    fg_crawl_free(crawl);
    box_close(store);
    box_free(&box);
}

static bool see_command(void *context, const struct fg_command_row *command)
{
    (void)command;
    *(bool *)context = true;
    return true;
}

static void counts_that_come_while_it_runs_are_told(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    char text[200];
    put_pages(store);
    snprintf(text, sizeof text,
             "%s\t%d\t7\t70\n%s\t%d\t1\t\nhttp://b.example/\t1\t1\t1\n", urls[0],
             today() - 1, urls[1], today() - 1);
    assert_int_equal(fg_inbox_put(box.path, FG_INBOX_COUNTS, fg_str_from(text), NULL),
                     FG_OK);
    struct fg_crawl *crawl = run_for(store, 3 * FG_SECOND);
    assert_near(told(crawl, FG_TOLD_CLICKS_HISTORY, 1), 7, 1e-6);
    assert_near(told(crawl, FG_TOLD_CLICKS_HISTORY, 2), 1, 1e-6);
    assert_near(told(crawl, FG_TOLD_IMPRESSIONS_HISTORY, 1), 70, 1e-6);
    assert_true(isnan(told(crawl, FG_TOLD_IMPRESSIONS_HISTORY, 2)));
    fg_crawl_free(crawl);
    bool is_left = false;
    assert_int_equal(fg_store_commands(store, see_command, &is_left, NULL), FG_OK);
    assert_false(is_left);
    box_close(store);
    box_free(&box);
}

/* It trains while the crawl ends, and the crawl does not wait for it. */
static void a_crawl_ends_while_forecasts_are_trained(void **state)
{
    (void)state;
    enum { MANY = 3000, DAYS = 20 };
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    put_pages(store);
    struct fg_batch *batch = fg_batch_new(store);
    static struct fg_daily_row rows[MANY * DAYS];
    for (fg_page_id page = 1; page <= MANY; page++) {
        char url[40];
        snprintf(url, sizeof url, "http://127.0.0.1:9/%u", page);
        if (page > PAGES)
            fg_batch_page(batch,
                          &(struct fg_page_row){
                              .site = SITE,
                              .page = page,
                              .url = fg_str_from(url),
                              .fingerprint = fg_canonical_fingerprint(fg_str_from(url)),
                              .flags = FG_PAGE_DOCUMENT,
                              .last_visit = FG_NEVER,
                              .last_change = FG_NEVER,
                              .next_visit = FG_NEVER,
                              .published = FG_NEVER,
                              .weight = 1});
        fg_batch_value(
            batch,
            &(struct fg_value_row){
                .site = SITE, .page = page, .kind = 3, .hash = page, .changed = FG_DAY});
        for (int ago = 1; ago <= DAYS; ago++)
            rows[(page - 1) * DAYS + (unsigned)ago - 1] = (struct fg_daily_row){
                SITE, page, today() - ago, (page + (unsigned)ago) % 3, 10};
    }
    fg_batch_daily(batch, rows, MANY * DAYS);
    write_now(store, batch);
    struct fg_crawl *crawl = run_for(store, 1200 * FG_MILLISECOND);
    fg_crawl_free(crawl);
    struct fg_arena arena = {0};
    struct fg_str saved;
    assert_int_equal(fg_store_state(store, &saved, &arena, 0, FG_OUTLOOK_STATE, NULL),
                     FG_ENOTFOUND);
    fg_arena_clear(&arena);
    box_close(store);
    box_free(&box);
}

FG_TESTS(imported_counts_are_told, without_counts_nothing_is_told_of_clicks,
         counts_that_come_while_it_runs_are_told,
         a_crawl_ends_while_forecasts_are_trained)
