/* What a policy knows after a start: its saved state, and the visits since. */
#include "test.h"

#include "base/file.h"
#include "crawl/budget.h"
#include "crawl/minds.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"
#include "store/fixture.h"

#include <math.h>

static struct fg_arena defaults; /* of the settings */

static const fg_time hour = 1700000000 * FG_SECOND;

static void put_site(struct fg_batch *batch)
{
    fg_batch_site(batch, &(struct fg_site_row){.site = 1,
                                               .key = FG_STR("https://s1.example"),
                                               .state = SITE_WATCHED,
                                               .added = hour,
                                               .last_request = FG_NEVER,
                                               .robots_fetched = FG_NEVER,
                                               .robots_expires = FG_NEVER,
                                               .backoff_until = FG_NEVER});
}

static void put_page(struct fg_batch *batch, fg_page_id id, uint32_t flags)
{
    struct fg_page_row page = page_row(1, id);
    page.flags = flags;
    fg_batch_page(batch, &page);
}

static void put_visit(struct fg_batch *batch, fg_page_id page, enum purpose purpose,
                      fg_time time, uint32_t fresh)
{
    fg_batch_visit(batch, &(struct fg_visit_row){.site = 1,
                                                 .page = page,
                                                 .time = time,
                                                 .status = 200,
                                                 .purpose = (uint8_t)purpose,
                                                 .fresh = fresh});
}

static struct fg_crawl *open_crawl(struct fg_store *store, const char *policy)
{
    struct fg_crawl_options options = fg_crawl_defaults(&defaults);
    options.policies.discovery = policy;
    struct fg_crawl *crawl;
    struct fg_err err = {0};
    options.fetch.user_agent = "forage-test";
    options.who.is_given = true;
    if (fg_crawl_new(&crawl, store, &options, &err))
        fail_msg("%s", err.text);
    return crawl;
}

/* Visits that `thompson` counts at any hour of day. */
static long observations(struct fg_mind *mind, fg_page_id page)
{
    double n = 0;
    size_t row = fg_mind_row(mind, (uint64_t)1 << 32 | page);
    assert_true(row != FG_NO_ROW);
    for (int i = 0; i < 24; i++) {
        struct fg_reason reason = {0};
        fg_mind_explain(mind, hour + i * FG_HOUR, row, &reason);
        n += reason.observations;
    }
    return lround(n);
}

static fg_time last_visit(struct fg_mind *mind, fg_page_id page)
{
    size_t row = fg_mind_row(mind, (uint64_t)1 << 32 | page);
    return fg_mind_world(mind)->last_visit[row];
}

/* Pages: 1 a source, 2 a source and a document, 3 neither. */
static void visits_since_the_state_was_saved_are_told(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, &(struct fg_store_options){0});
    struct fg_batch *batch = fg_batch_new(store);
    put_site(batch);
    put_page(batch, 1, FG_PAGE_SOURCE);
    put_page(batch, 2, FG_PAGE_SOURCE | FG_PAGE_DOCUMENT);
    put_page(batch, 3, 0);
    put_visit(batch, 1, SOURCE_REFRESH, hour, 1);
    put_visit(batch, 1, SOURCE_REFRESH, hour + 1, 1);
    put_visit(batch, 2, DOCUMENT_REFRESH, hour + 2, 0);
    put_visit(batch, 3, FIRST_FETCH, hour + 3, 5);
    write_now(store, batch);

    /* Nothing was saved: all of it is read. */
    struct fg_crawl *crawl = open_crawl(store, "thompson");
    assert_int_equal(observations(crawl->minds.discovery, 1), 2);
    assert_int_equal(observations(crawl->minds.discovery, 2), 1);
    assert_int_equal(last_visit(crawl->minds.discovery, 1), hour + 1);
    assert_int_equal(last_visit(crawl->minds.refresh, 2), hour + 2);
    crawl_save_minds(crawl);
    fg_time saved = crawl->minds.saved;
    fg_crawl_free(crawl);

    /* What comes before that moment is in the state, what comes after is not. */
    batch = fg_batch_new(store);
    put_visit(batch, 1, SOURCE_REFRESH, saved, 0);
    put_visit(batch, 2, SOURCE_REFRESH, saved + 2, 0);
    put_visit(batch, 1, SOURCE_REFRESH, saved + 1, 0);
    write_now(store, batch);
    crawl = open_crawl(store, "thompson");
    assert_int_equal(observations(crawl->minds.discovery, 1), 3);
    assert_int_equal(observations(crawl->minds.discovery, 2), 2);
    assert_int_equal(last_visit(crawl->minds.refresh, 2), saved + 2);
    assert_int_equal(crawl->minds.saved, saved + 2);
    fg_crawl_free(crawl);
    box_close(store);
    box_free(&box);
}

static uint64_t bytes_of_state(struct fg_store *store, fg_site_id site, const char *name)
{
    struct fg_arena arena = {0};
    struct fg_str bytes = {0};
    uint64_t hash =
        fg_store_state(store, &bytes, &arena, site, name, NULL) ? 0 : fg_str_hash(bytes);
    fg_arena_clear(&arena);
    return hash;
}

static void put_raw(struct fg_store *store, fg_site_id site, const char *name,
                    struct fg_str bytes)
{
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_state(batch, site, name, bytes);
    write_now(store, batch);
}

/* What has not changed since it was read is not written: what somebody else has put in
 * its place stays. */
static void only_what_changed_is_saved(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, &(struct fg_store_options){0});
    struct fg_batch *batch = fg_batch_new(store);
    put_site(batch);
    put_page(batch, 1, FG_PAGE_SOURCE);
    put_visit(batch, 1, SOURCE_REFRESH, hour, 1);
    write_now(store, batch);
    struct fg_crawl *crawl = open_crawl(store, "thompson");
    crawl_save_minds(crawl);
    fg_crawl_free(crawl);
    write_now(store, fg_batch_new(store));
    assert_true(bytes_of_state(store, 1, DISCOVERY_STATE ":learnt") != 0);
    assert_true(bytes_of_state(store, 0, DISCOVERY_STATE ":order") != 0);
    assert_true(bytes_of_state(store, 1, REFRESH_STATE ":learnt") == 0);

    crawl = open_crawl(store, "thompson");
    put_raw(store, 1, DISCOVERY_STATE ":learnt", FG_STR("another's"));
    crawl_save_minds(crawl);
    write_now(store, fg_batch_new(store));
    assert_true(bytes_of_state(store, 1, DISCOVERY_STATE ":learnt") ==
                fg_str_hash(FG_STR("another's")));
    fg_mind_observe(crawl->minds.discovery,
                    &(struct fg_visit){.now = fg_time_now(), .ok = true, .n_fresh = 1});
    crawl_save_minds(crawl);
    write_now(store, fg_batch_new(store));
    assert_true(bytes_of_state(store, 1, DISCOVERY_STATE ":learnt") !=
                fg_str_hash(FG_STR("another's")));
    /* The page is no source any more: nothing is left of it. */
    fg_mind_remove(crawl->minds.discovery, (uint64_t)1 << 32 | 1);
    crawl_save_minds(crawl);
    write_now(store, fg_batch_new(store));
    assert_true(bytes_of_state(store, 1, DISCOVERY_STATE ":learnt") == 0);
    fg_crawl_free(crawl);
    box_close(store);
    box_free(&box);
}

/* As versions before wrote it: all sites in one. */
static void a_former_state_is_taken_over(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, &(struct fg_store_options){0});
    struct fg_arena arena = {0};
    struct fg_str former;
    struct fg_err err = {0};
    struct fg_batch *batch = fg_batch_new(store);
    put_site(batch);
    put_page(batch, 1, FG_PAGE_SOURCE);
    if (fg_file_read(&former, &arena, "tests/data/mind/recall.v1", 1 << 20, &err))
        fail_msg("%s", err.text);
    fg_batch_state(batch, 0, DISCOVERY_STATE, former);
    fg_batch_state(batch, 0, "policy:saved",
                   (struct fg_str){(const char *)&hour, sizeof hour});
    write_now(store, batch);
    struct fg_crawl *crawl = open_crawl(store, "thompson");
    assert_int_equal(observations(crawl->minds.discovery, 1), 3);
    crawl_save_minds(crawl);
    fg_crawl_free(crawl);
    write_now(store, fg_batch_new(store));
    assert_true(bytes_of_state(store, 0, DISCOVERY_STATE) != fg_str_hash(former));
    crawl = open_crawl(store, "thompson");
    assert_int_equal(observations(crawl->minds.discovery, 1), 3);
    fg_crawl_free(crawl);
    fg_arena_clear(&arena);
    box_close(store);
    box_free(&box);
}

/* Numbers of sites need be neither dense nor small. */
static void sites_may_have_any_numbers(void **state)
{
    (void)state;
    static const fg_site_id ids[] = {3, 70000, 4000000000};
    struct box box = box_new();
    struct fg_store *store = box_open(&box, &(struct fg_store_options){0});
    struct fg_batch *batch = fg_batch_new(store);
    for (size_t i = 0; i < 3; i++) {
        char key[64];
        snprintf(key, sizeof key, "https://s%u.example", ids[i]);
        fg_batch_site(batch, &(struct fg_site_row){.site = ids[i],
                                                   .key = fg_str_from(key),
                                                   .state = SITE_WATCHED,
                                                   .added = hour,
                                                   .last_request = FG_NEVER,
                                                   .robots_fetched = FG_NEVER,
                                                   .robots_expires = FG_NEVER,
                                                   .backoff_until = FG_NEVER});
        struct fg_page_row page = page_row(ids[i], 900 + (fg_page_id)i);
        page.flags = FG_PAGE_SOURCE | FG_PAGE_DOCUMENT;
        fg_batch_page(batch, &page);
    }
    write_now(store, batch);
    struct fg_crawl *crawl = open_crawl(store, "link-types");
    assert_int_equal(crawl->sites.all.len, 3);
    for (size_t i = 0; i < 3; i++) {
        uint32_t row = fg_known_row_with(&crawl->known, ids[i], 900 + (fg_page_id)i);
        assert_int_equal(crawl_site_of(crawl, row)->id, ids[i]);
        assert_int_equal(fg_mind_world(crawl->minds.discovery)->site[i], i);
    }
    struct site *fresh = crawl_new_site(crawl, FG_STR("https://new.example"), FG_STR(""),
                                        SITE_EXPLORING, hour);
    assert_int_equal(fresh->id, 4000000001);
    uint32_t next = fg_known_add(&crawl->known, ids[2], 0, 1, FG_STR("https://x/"), hour);
    assert_int_equal(crawl->known.at[next].page, 903);
    crawl_save_minds(crawl);
    fg_crawl_free(crawl);
    write_now(store, fg_batch_new(store));
    crawl = open_crawl(store, "link-types");
    assert_int_equal(fg_mind_world(crawl->minds.discovery)->n, 3);
    fg_crawl_free(crawl);
    box_close(store);
    box_free(&box);
}

/* It cannot read what the other one saved. */
static void a_policy_that_takes_over_is_told_the_log(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, &(struct fg_store_options){0});
    struct fg_batch *batch = fg_batch_new(store);
    fg_time now = fg_time_now();
    put_site(batch);
    put_page(batch, 1, FG_PAGE_SOURCE);
    put_visit(batch, 1, SOURCE_REFRESH, now - 61 * FG_DAY, 9);
    put_visit(batch, 1, SOURCE_REFRESH, now - 50 * FG_DAY, 1);
    put_visit(batch, 1, SOURCE_REFRESH, now - FG_HOUR, 1);
    write_now(store, batch);
    struct fg_crawl *crawl = open_crawl(store, "round-robin");
    crawl_save_minds(crawl);
    fg_crawl_free(crawl);
    write_now(store, fg_batch_new(store)); /* what was saved is there */
    crawl = open_crawl(store, "thompson");
    assert_int_equal(observations(crawl->minds.discovery, 1), 2);
    fg_crawl_free(crawl);
    box_close(store);
    box_free(&box);
}

static float weight_of(const struct fg_crawl *crawl, fg_page_id page)
{
    const struct fg_world *world = fg_mind_world(crawl->minds.refresh);
    return world->weight[fg_mind_row(crawl->minds.refresh, (uint64_t)1 << 32 | page)];
}

/* Although the state of the policy has the weight of its day. */
static void weight_that_was_set_since_counts(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, &(struct fg_store_options){0});
    struct fg_batch *batch = fg_batch_new(store);
    put_site(batch);
    put_page(batch, 1, FG_PAGE_DOCUMENT);
    fg_batch_page_weight(batch, 1, 1, 2);
    write_now(store, batch);
    struct fg_crawl *crawl = open_crawl(store, "thompson");
    assert_true(weight_of(crawl, 1) == 2);
    assert_int_equal(crawl->counts.documents, 1);
    crawl_save_minds(crawl);
    fg_crawl_free(crawl);
    batch = fg_batch_new(store);
    fg_batch_page_weight(batch, 1, 1, 5);
    write_now(store, batch);
    crawl = open_crawl(store, "thompson");
    assert_true(weight_of(crawl, 1) == 5);
    fg_crawl_free(crawl);
    box_close(store);
    box_free(&box);
}

/* What came between the last look and a failure is new to the list, after a start too. */
static void visit_that_failed_is_no_look(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, &(struct fg_store_options){0});
    struct fg_batch *batch = fg_batch_new(store);
    put_site(batch);
    put_page(batch, 1, FG_PAGE_SOURCE);
    put_page(batch, 2, FG_PAGE_SOURCE);
    put_page(batch, 3, FG_PAGE_SOURCE);
    put_visit(batch, 1, SOURCE_REFRESH, hour, 1);
    put_visit(batch, 3, SOURCE_REFRESH, hour, 1);
    put_visit(batch, 2, SOURCE_REFRESH, hour, 1);
    put_visit(batch, 2, SOURCE_REFRESH, hour + 1, 1);
    fg_batch_visit(batch, &(struct fg_visit_row){.site = 1,
                                                 .page = 1,
                                                 .time = hour + 2,
                                                 .status = 503,
                                                 .purpose = SOURCE_REFRESH});
    /* It led to a page about maintenance, say. */
    fg_batch_visit(batch, &(struct fg_visit_row){.site = 1,
                                                 .page = 3,
                                                 .time = hour + 2,
                                                 .status = 302,
                                                 .purpose = SOURCE_REFRESH});
    write_now(store, batch);
    struct fg_crawl *crawl = open_crawl(store, "thompson");
    assert_int_equal(
        source_find(crawl, fg_known_row_with(&crawl->known, 1, 1))->last_seen, hour);
    assert_int_equal(
        source_find(crawl, fg_known_row_with(&crawl->known, 1, 2))->last_seen, hour + 1);
    assert_int_equal(
        source_find(crawl, fg_known_row_with(&crawl->known, 1, 3))->last_seen, hour);
    fg_crawl_free(crawl);
    box_close(store);
    box_free(&box);
}

FG_TESTS(sites_may_have_any_numbers, only_what_changed_is_saved,
         a_former_state_is_taken_over, weight_that_was_set_since_counts,
         visits_since_the_state_was_saved_are_told,
         a_policy_that_takes_over_is_told_the_log, visit_that_failed_is_no_look)
