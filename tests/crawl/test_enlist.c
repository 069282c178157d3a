/* Seeds put into a store by themselves are what a crawl would have made of them. */
#include "test.h"

#include "base/rng.h"
#include "crawl/intake/enlist.h"
#include "net/url/canonical.h"
#include "store/fixture.h"

static struct fg_arena defaults; /* of the settings */

static struct fg_crawl_options local(void)
{
    struct fg_crawl_options options = fg_crawl_defaults(&defaults);
    options.fetch.user_agent = "forage-test";
    options.who.is_given = true;
    return options;
}

static void by_crawl(struct fg_store *store, const struct fg_crawl_options *options,
                     const struct fg_seed_line *lines, size_t n)
{
    struct fg_crawl *crawl;
    struct fg_err err = {0};
    if (fg_crawl_new(&crawl, store, options, &err))
        fail_msg("%s", err.text);
    for (size_t i = 0; i < n; i++)
        if (fg_crawl_add(crawl, lines[i].url, &lines[i].seed, &err))
            fail_msg("%s", err.text);
    fg_crawl_free(crawl);
    assert_int_equal(fg_store_flush(store, UINT64_MAX, &err), FG_OK);
}

static struct fg_enlisted by_itself(struct fg_store *store,
                                    const struct fg_crawl_options *options,
                                    const struct fg_seed_line *lines, size_t n)
{
    struct fg_enlisted made;
    struct fg_err err = {0};
    if (fg_enlist(&made, store, options, lines, n, &err))
        fail_msg("%s", err.text);
    return made;
}

static bool print_site(void *context, const struct fg_site_row *row)
{
    return fg_buf_printf(context, "%u %.*s %.*s [%.*s] %u %d\n", row->site,
                         FG_ARG(row->key), FG_ARG(row->domain), FG_ARG(row->tags),
                         row->state, row->robots_fetched == FG_NEVER);
}

static bool print_page(void *context, const struct fg_page_row *row)
{
    return fg_buf_printf(context, "%u/%u %.*s %u %g %d\n", row->site, row->page,
                         FG_ARG(row->url), row->flags, (double)row->weight,
                         row->fingerprint == fg_canonical_fingerprint(row->url));
}

static void check_same(struct fg_store *one, struct fg_store *other)
{
    struct fg_store *stores[] = {one, other};
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

enum { LINES = 12, ROUNDS = 40 };

static struct fg_seed_line any_line(struct fg_rng *rng, struct fg_arena *arena)
{
    static const char *const tags[] = {"", "", "a", "b,c"};
    uint64_t type = fg_rng_below(rng, 4);
    struct fg_seed_line line = {
        .url = fg_arena_printf(arena, "http://s%u.example/p?b=%u&a=1&utm_source=x",
                               (unsigned)fg_rng_below(rng, 4),
                               (unsigned)fg_rng_below(rng, 6)),
        .seed = {.is_document = type == 1,
                 .is_source = type == 2,
                 .is_page_only = type == 1 || type == 3,
                 .weight = (float)fg_rng_below(rng, 3),
                 .tags = fg_str_from(tags[fg_rng_below(rng, 4)])}};
    return line;
}

static void it_is_what_a_crawl_would_do(void **state)
{
    (void)state;
    struct box boxes[] = {box_new(), box_new()};
    struct fg_store *stores[] = {box_open(&boxes[0], &(struct fg_store_options){0}),
                                 box_open(&boxes[1], &(struct fg_store_options){0})};
    struct fg_crawl_options options = local();
    struct fg_rng rng = fg_rng_from_seed(7);
    struct fg_arena arena = {0};
    for (int round = 0; round < ROUNDS; round++) {
        struct fg_seed_line lines[LINES];
        for (size_t i = 0; i < LINES; i++)
            lines[i] = any_line(&rng, &arena);
        by_crawl(stores[0], &options, lines, LINES);
        by_itself(stores[1], &options, lines, LINES);
        check_same(stores[0], stores[1]);
    }
    fg_arena_clear(&arena);
    for (int i = 0; i < 2; i++) {
        box_close(stores[i]);
        box_free(&boxes[i]);
    }
}

static void pages_and_sites_are_counted(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, &(struct fg_store_options){0});
    struct fg_crawl_options options = local();
    const struct fg_seed_line lines[] = {{.url = FG_STR("https://a.example/")},
                                         {.url = FG_STR(" https://a.example/#top ")},
                                         {.url = FG_STR("https://a.example/x")},
                                         {.url = FG_STR("https://b.example/")}};
    struct fg_enlisted made = by_itself(store, &options, lines, 4);
    assert_int_equal(made.new_pages, 3);
    assert_int_equal(made.new_sites, 2);
    made = by_itself(store, &options, lines, 4);
    assert_int_equal(made.new_pages, 0);
    assert_int_equal(made.new_sites, 0);
    box_close(store);
    box_free(&box);
}

static void a_retired_source_comes_back(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, &(struct fg_store_options){0});
    struct fg_crawl_options options = local();
    struct fg_seed_line line = {.url = FG_STR("https://a.example/list")};
    struct fg_page_row page;
    struct fg_arena arena = {0};
    by_itself(store, &options, &line, 1);
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_page_flags(batch, 1, 1, FG_PAGE_SEED | FG_PAGE_RETIRED, 0);
    write_now(store, batch);
    line.seed.is_source = true;
    by_itself(store, &options, &line, 1);
    assert_int_equal(fg_store_page(store, &page, &arena, 1, 1, NULL), FG_OK);
    assert_int_equal(page.flags, FG_PAGE_SEED | FG_PAGE_SOURCE);
    fg_arena_clear(&arena);
    box_close(store);
    box_free(&box);
}

static void one_bad_seed_changes_nothing(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, &(struct fg_store_options){0});
    struct fg_crawl_options options = local();
    const struct fg_seed_line lines[] = {{.url = FG_STR("https://a.example/")},
                                         {.url = FG_STR("nonsense")}};
    struct fg_enlisted made;
    struct fg_err err = {0};
    assert_int_equal(fg_enlist(&made, store, &options, lines, 2, &err), FG_ECONFIG);
    assert_int_equal(pages_in(store, 0), 0);
    box_close(store);
    box_free(&box);
}

FG_TESTS(it_is_what_a_crawl_would_do, pages_and_sites_are_counted,
         a_retired_source_comes_back, one_bad_seed_changes_nothing)
