/* What is taken back: as text, in the rows of a store, and when it is added again. */
#include "test.h"

#include "base/rng.h"
#include "crawl/budget.h"
#include "crawl/intake/control.h"
#include "crawl/intake/enlist.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"
#include "net/url/canonical.h"
#include "store/fixture.h"

#include <event2/event.h>

static struct fg_arena defaults; /* of the settings */

static struct fg_crawl_options local(void)
{
    struct fg_crawl_options options = fg_crawl_defaults(&defaults);
    options.fetch.user_agent = "forage-test";
    options.who.is_given = true;
    return options;
}

static void a_wish_reads_back(void **state)
{
    (void)state;
    const struct fg_control wishes[] = {
        {FG_CONTROL_PAUSE, FG_STR("https://a.example"), FG_STR("https://a.example/x")},
        {FG_CONTROL_REMOVE, FG_STR("http://b.example:8080"), {0}},
        {FG_CONTROL_RESUME, FG_STR("https://c.example"), {0}},
    };
    struct fg_buf text;
    fg_buf_init(&text, 1 << 16);
    fg_control_format(&text, wishes, 3);
    struct fg_str rest = fg_buf_str(&text), line;
    for (size_t i = 0; i < 3; i++) {
        struct fg_control wish;
        assert_true(fg_str_cut(&rest, '\n', &line));
        assert_true(fg_control_parse(&wish, line));
        assert_int_equal(wish.kind, wishes[i].kind);
        assert_true(fg_str_eq(wish.key, wishes[i].key));
        assert_true(fg_str_eq(wish.url, wishes[i].url));
    }
    fg_buf_clear(&text);
    struct fg_control wish;
    static const char *const nonsense[] = {"", "pause", "pause\t", "halt\tk\t",
                                           "pause\t\thttp://a/"};
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++)
        assert_false(fg_control_parse(&wish, fg_str_from(nonsense[i])));
}

static void add(struct fg_store *store, const char *url, struct fg_seed seed)
{
    struct fg_crawl_options options = local();
    struct fg_enlisted made;
    struct fg_seed_line line = {fg_str_from(url), seed};
    assert_int_equal(fg_enlist(&made, store, &options, &line, 1, NULL), FG_OK);
}

static void control(struct fg_store *store, enum fg_control_kind kind, const char *key,
                    const char *url)
{
    struct fg_control wish = {kind, fg_str_from(key), fg_str_from(url)};
    assert_int_equal(fg_control_put(store, &wish, 1, 5 * FG_SECOND, NULL), FG_OK);
}

static uint32_t flags_of(struct fg_store *store, fg_site_id site, fg_page_id id)
{
    struct fg_arena arena = {0};
    struct fg_page_row page;
    assert_int_equal(fg_store_page(store, &page, &arena, site, id, NULL), FG_OK);
    fg_arena_clear(&arena);
    return page.flags;
}

static void a_removed_page_has_no_roles_until_it_is_added(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    const char *key = "https://a.example", *url = "https://a.example/list";
    add(store, url, (struct fg_seed){.is_source = true, .at_least = FG_HOUR});
    fg_time promise;
    assert_int_equal(fg_store_promise(store, &promise, 1, 1, NULL), FG_OK);
    assert_true(promise == FG_HOUR);
    control(store, FG_CONTROL_PAUSE, key, url);
    assert_int_equal(flags_of(store, 1, 1),
                     FG_PAGE_SEED | FG_PAGE_SOURCE | FG_PAGE_PAUSED);
    control(store, FG_CONTROL_RESUME, key, url);
    assert_int_equal(flags_of(store, 1, 1), FG_PAGE_SEED | FG_PAGE_SOURCE);
    control(store, FG_CONTROL_REMOVE, key, url);
    assert_int_equal(flags_of(store, 1, 1), FG_PAGE_REMOVED | FG_PAGE_RETIRED);
    assert_int_equal(fg_store_promise(store, &promise, 1, 1, NULL), FG_OK);
    assert_true(promise == 0);
    add(store, url, (struct fg_seed){0});
    assert_int_equal(flags_of(store, 1, 1),
                     FG_PAGE_SEED | FG_PAGE_SOURCE | FG_PAGE_READ_SOON);
    /* What is not there is no failure. */
    control(store, FG_CONTROL_REMOVE, key, "https://a.example/none");
    control(store, FG_CONTROL_REMOVE, "https://none.example", "");
    box_close(store);
    box_free(&box);
}

static void a_document_is_one_again_when_it_is_added(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    const char *key = "https://a.example", *url = "https://a.example/p/1";
    add(store, "https://a.example/", (struct fg_seed){0});
    add(store, url, (struct fg_seed){.is_document = true});
    control(store, FG_CONTROL_REMOVE, key, url);
    control(store, FG_CONTROL_REMOVE, key, url);
    assert_int_equal(flags_of(store, 1, 2), FG_PAGE_REMOVED | FG_PAGE_WAS_DOCUMENT);
    add(store, url, (struct fg_seed){0});
    assert_int_equal(flags_of(store, 1, 2),
                     FG_PAGE_SEED | FG_PAGE_DOCUMENT | FG_PAGE_READ_SOON);
    box_close(store);
    box_free(&box);
}

static bool take_only(void *context, const struct fg_site_row *row)
{
    struct fg_buf *text = context;
    return fg_buf_printf(text, "%u %s;", row->site, fg_site_shown_state(row));
}

static void check_sites(struct fg_store *store, const char *expected)
{
    struct fg_buf text;
    fg_buf_init(&text, 1 << 16);
    assert_int_equal(fg_store_sites(store, take_only, &text, NULL), FG_OK);
    assert_str(fg_buf_str(&text), expected);
    fg_buf_clear(&text);
}

static void a_site_keeps_its_state_beneath_the_mark(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    add(store, "https://a.example/", (struct fg_seed){.budget = 3});
    check_sites(store, "1 exploring;");
    control(store, FG_CONTROL_PAUSE, "https://a.example", "");
    check_sites(store, "1 paused;");
    add(store, "https://a.example/", (struct fg_seed){.budget = 4});
    check_sites(store, "1 paused;");
    control(store, FG_CONTROL_RESUME, "https://a.example", "");
    check_sites(store, "1 exploring;");
    control(store, FG_CONTROL_REMOVE, "https://a.example", "");
    check_sites(store, "1 removed;");
    add(store, "https://a.example/", (struct fg_seed){.is_page_only = true});
    check_sites(store, "2 pages;");
    assert_int_equal(pages_in(store, 1), 0);
    assert_int_equal(pages_in(store, 2), 1);
    box_close(store);
    box_free(&box);
}

/* --- the same in a crawl --- */

static bool print_site(void *context, const struct fg_site_row *row)
{
    return fg_buf_printf(context, "%u %.*s [%.*s] %s\n", row->site, FG_ARG(row->key),
                         FG_ARG(row->tags), fg_site_shown_state(row));
}

static bool print_page(void *context, const struct fg_page_row *row)
{
    return fg_buf_printf(context, "%u/%u %.*s %u\n", row->site, row->page,
                         FG_ARG(row->url), row->flags);
}

static void check_same(struct fg_store *const stores[2])
{
    struct fg_buf texts[2];
    for (int i = 0; i < 2; i++) {
        fg_buf_init(&texts[i], 1 << 24);
        assert_int_equal(fg_store_sites(stores[i], print_site, &texts[i], NULL), FG_OK);
        assert_int_equal(fg_store_pages(stores[i], 0, print_page, &texts[i], NULL),
                         FG_OK);
        fg_buf_add_char(&texts[i], '\0');
    }
    assert_string_equal(texts[0].at, texts[1].at);
    fg_buf_clear(&texts[0]);
    fg_buf_clear(&texts[1]);
}

enum { STEPS = 12, ROUNDS = 60, SITES = 3, PAGES = 3 };

/* Something to add, or to take back. */
struct step {
    bool is_control;
    struct fg_control wish;
    struct fg_seed_line line;
};

static struct step any_step(struct fg_rng *rng, struct fg_arena *arena)
{
    struct fg_str key =
        fg_arena_printf(arena, "http://s%u.example", (unsigned)fg_rng_below(rng, SITES));
    struct fg_str url = fg_arena_printf(arena, "%.*s/p%u", FG_ARG(key),
                                        (unsigned)fg_rng_below(rng, PAGES));
    uint64_t type = fg_rng_below(rng, 4);
    bool is_site = fg_rng_below(rng, 2);
    return (struct step){
        .is_control = fg_rng_below(rng, 2),
        .wish = {(enum fg_control_kind)fg_rng_below(rng, 3), key,
                 is_site ? (struct fg_str){0} : url},
        .line = {url,
                 {.is_document = type == 1,
                  .is_source = type == 2,
                  .is_page_only = type == 1 || type == 3}},
    };
}

/* One crawl has them all one after the other. */
static void by_crawl(struct fg_store *store, const struct fg_crawl_options *options,
                     const struct step *steps)
{
    struct fg_crawl *crawl;
    struct fg_err err = {0};
    if (fg_crawl_new(&crawl, store, options, &err))
        fail_msg("%s", err.text);
    crawl_apply_control(crawl);
    for (size_t i = 0; i < STEPS; i++) {
        if (!steps[i].is_control) {
            assert_int_equal(
                fg_crawl_add(crawl, steps[i].line.url, &steps[i].line.seed, &err), FG_OK);
            continue;
        }
        struct fg_buf text;
        fg_buf_init(&text, 1 << 16);
        fg_control_format(&text, &steps[i].wish, 1);
        struct fg_batch *batch = fg_batch_new(store);
        crawl_take_control(crawl, batch, 1, fg_buf_str(&text));
        fg_store_submit(store, batch);
        fg_buf_clear(&text);
    }
    fg_crawl_free(crawl);
    assert_int_equal(fg_store_flush(store, UINT64_MAX, &err), FG_OK);
}

static void by_itself(struct fg_store *store, const struct fg_crawl_options *options,
                      const struct step *steps)
{
    struct fg_enlisted made;
    for (size_t i = 0; i < STEPS; i++)
        assert_int_equal(steps[i].is_control
                             ? fg_control_put(store, &steps[i].wish, 1, FG_SECOND, NULL)
                             : fg_enlist(&made, store, options, &steps[i].line, 1, NULL),
                         FG_OK);
}

static void a_crawl_does_the_same_to_the_store(void **state)
{
    (void)state;
    struct box boxes[] = {box_new(), box_new()};
    struct fg_store *stores[] = {box_open(&boxes[0], NULL), box_open(&boxes[1], NULL)};
    struct fg_crawl_options options = local();
    struct fg_rng rng = fg_rng_from_seed(11);
    struct fg_arena arena = {0};
    for (int round = 0; round < ROUNDS; round++) {
        struct step steps[STEPS];
        for (size_t i = 0; i < STEPS; i++)
            steps[i] = any_step(&rng, &arena);
        by_crawl(stores[0], &options, steps);
        by_itself(stores[1], &options, steps);
        check_same(stores);
    }
    fg_arena_clear(&arena);
    for (int i = 0; i < 2; i++) {
        box_close(stores[i]);
        box_free(&boxes[i]);
    }
}

/* --- what a crawl asks for --- */

/* A crawl whose loop turns only when it is told to; nothing goes out, for no host is
 * known to be on disk. */
struct still {
    struct box box;
    struct fg_store *store;
    struct fg_crawl *crawl;
};

static const char still_site[] = "http://127.0.0.1:9";

static void still_start(struct still *still, const char *url, struct fg_seed seed)
{
    struct fg_crawl_options options = local();
    struct fg_err err = {0};
    still->box = box_new();
    still->store = box_open(&still->box, NULL);
    if (fg_crawl_new(&still->crawl, still->store, &options, &err) ||
        fg_crawl_add(still->crawl, fg_str_from(url), &seed, &err))
        fail_msg("%s", err.text);
}

static void still_end(struct still *still)
{
    fg_crawl_free(still->crawl);
    box_close(still->store);
    box_free(&still->box);
}

static void still_control(struct still *still, enum fg_control_kind kind, const char *url)
{
    struct fg_control wish = {kind, fg_str_from(still_site), fg_str_from(url)};
    struct fg_buf text;
    fg_buf_init(&text, 1 << 16);
    fg_control_format(&text, &wish, 1);
    struct fg_batch *batch = fg_batch_new(still->store);
    crawl_take_control(still->crawl, batch, 1, fg_buf_str(&text));
    fg_store_submit(still->store, batch);
    fg_buf_clear(&text);
    event_base_loop(still->crawl->run.loop,
                    EVLOOP_NONBLOCK); /* what was withdrawn ends */
}

static void a_look_that_is_due_waits_for_the_end_of_a_pause(void **state)
{
    (void)state;
    static const char url[] = "http://127.0.0.1:9/list";
    for (int is_page = 0; is_page < 2; is_page++) {
        struct still still;
        still_start(&still, url, (struct fg_seed){.is_source = true});
        struct source *source = source_find(still.crawl, 0);
        source->visits = 1;
        source->last_seen -= FG_HOUR;
        still.crawl->known.at[0].last_visit_s = 1;
        still_control(&still, FG_CONTROL_PAUSE, is_page ? url : "");
        crawl_tick(still.crawl);
        assert_int_equal(still.crawl->budget.open_asks, 0);
        still_control(&still, FG_CONTROL_RESUME, is_page ? url : "");
        crawl_tick(still.crawl);
        assert_int_equal(still.crawl->budget.open_asks, 1);
        still_end(&still);
    }
}

/* It was read before, and has a weight of its own. */
static void a_document_added_again_is_asked_for_at_once(void **state)
{
    (void)state;
    static const char url[] = "http://127.0.0.1:9/p/1";
    struct still still;
    struct fg_err err = {0};
    still_start(&still, url, (struct fg_seed){.is_document = true, .weight = 3});
    queue_pop(&still.crawl->sites.all.at[0]->stock.eager, &(uint32_t){0});
    still.crawl->known.at[0].last_visit_s = 1;
    still.crawl->known.at[0].flags |= FG_PAGE_GONE;
    still_control(&still, FG_CONTROL_REMOVE, url);
    assert_int_equal(still.crawl->counts.documents, 0);
    assert_int_equal(fg_store_flush(still.store, UINT64_MAX, &err), FG_OK);
    assert_int_equal(
        fg_crawl_add(still.crawl, fg_str_from(url), &(struct fg_seed){0}, &err), FG_OK);
    assert_int_equal(still.crawl->counts.documents, 1);
    const struct fg_world *world = fg_mind_world(still.crawl->minds.refresh);
    assert_int_equal(world->n, 1);
    assert_true(world->weight[0] == 3);
    still.crawl->budget.all = 1;
    crawl_feed(still.crawl);
    assert_int_equal(still.crawl->budget.open_asks, 1);
    still_end(&still);
}

/* It was read before anybody named it, and given up as a list. */
static void a_page_named_after_it_was_read_is_asked_for_at_once(void **state)
{
    (void)state;
    static const char url[] = "http://127.0.0.1:9/news";
    for (int was_seed = 0; was_seed < 2; was_seed++) {
        struct still still;
        struct fg_err err = {0};
        still_start(&still, url, (struct fg_seed){0});
        queue_pop(&still.crawl->sites.all.at[0]->stock.eager, &(uint32_t){0});
        still.crawl->known.at[0].last_visit_s = 1;
        still.crawl->known.at[0].flags =
            FG_PAGE_LIST | FG_PAGE_RETIRED | (was_seed ? FG_PAGE_SEED : 0u);
        still.crawl->budget.all = 1;
        crawl_feed(still.crawl);
        assert_int_equal(still.crawl->budget.open_asks, 0);
        assert_int_equal(
            fg_crawl_add(still.crawl, fg_str_from(url), &(struct fg_seed){0}, &err),
            FG_OK);
        assert_true(still.crawl->known.at[0].flags & FG_PAGE_SEED);
        still.crawl->budget.all = 1;
        crawl_feed(still.crawl);
        assert_int_equal(still.crawl->budget.open_asks, 1);
        still_end(&still);
    }
}

/* Never fetched; failed once; fetched before, and to be judged. */
static void what_was_chosen_before_a_pause_is_asked_for_after_it(void **state)
{
    (void)state;
    static const char url[] = "http://127.0.0.1:9/a";
    for (int i = 0; i < 6; i++) {
        struct still still;
        const char *wish = i % 2 ? url : "";
        still_start(&still, url, (struct fg_seed){0});
        struct fg_known_page *page = &still.crawl->known.at[0];
        page->last_visit_s = i / 2 ? 1 : 0;
        page->failures = i / 2 == 1;
        page->flags |= i / 2 == 2 ? FG_PAGE_AWAITED : 0u;
        if (i / 2 == 2)
            queue_push(&still.crawl->sites.all.at[0]->stock.awaited, 0);
        crawl_tick(still.crawl);
        assert_int_equal(still.crawl->budget.open_asks, 1);
        still_control(&still, FG_CONTROL_PAUSE, wish);
        assert_int_equal(still.crawl->budget.open_asks, 0);
        crawl_tick(still.crawl);
        assert_int_equal(still.crawl->budget.open_asks, 0);
        still_control(&still, FG_CONTROL_RESUME, wish);
        crawl_tick(still.crawl);
        assert_int_equal(still.crawl->budget.open_asks, 1);
        still_end(&still);
    }
}

FG_TESTS(a_wish_reads_back, a_removed_page_has_no_roles_until_it_is_added,
         a_document_is_one_again_when_it_is_added,
         a_site_keeps_its_state_beneath_the_mark, a_crawl_does_the_same_to_the_store,
         a_look_that_is_due_waits_for_the_end_of_a_pause,
         what_was_chosen_before_a_pause_is_asked_for_after_it,
         a_document_added_again_is_asked_for_at_once,
         a_page_named_after_it_was_read_is_asked_for_at_once)
