/* Which lists stay sources though they show little. */
#include "test.h"

#include "crawl/crawl.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"
#include "store/fixture.h"

static struct fg_arena defaults; /* of the settings */

/* A list at that path, so deep, that shows the others. */
static bool is_short_list(const char *list, unsigned depth, uint32_t flags, size_t n,
                          const char *const shown[])
{
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_crawl_options options = fg_crawl_defaults(&defaults);
    struct fg_crawl *crawl;
    struct fg_err err = {0};
    uint32_t links[8];
    char url[200];
    options.fetch.user_agent = "forage-test";
    options.who.is_given = true;
    if (fg_crawl_new(&crawl, store, &options, &err))
        fail_msg("%s", err.text);
    for (size_t i = 0; i <= n; i++) {
        snprintf(url, sizeof url, "http://127.0.0.1:9%s", i ? shown[i - 1] : list);
        if (fg_crawl_add(crawl, fg_str_from(url), &(struct fg_seed){0}, &err))
            fail_msg("%s", err.text);
        crawl->known.at[i].shown_by = 1;
        if (i)
            links[i - 1] = (uint32_t)i;
    }
    crawl->known.at[0].flags = flags;
    crawl->known.at[0].depth = (uint8_t)depth;
    bool is = crawl_is_short_list(crawl, 0, links, n, 3);
    fg_crawl_free(crawl);
    box_close(store);
    box_free(&box);
    return is;
}

static const char *const flat[] = {"/storm-hits-coast", "/bridge-is-open"};
static const char *const below[] = {"/insights/storm-hits-coast", "/insights/bridge"};
static const char *const beside[] = {"/insights/storm-hits-coast", "/other/bridge"};

static void one_that_is_named_as_news_is(void **state)
{
    (void)state;
    assert_true(is_short_list("/news", 1, FG_PAGE_LIST, 2, flat));
    assert_true(is_short_list("/en/blog/", 2, FG_PAGE_LIST, 2, flat));
    assert_true(is_short_list("/aktuelles.html", 1, FG_PAGE_LIST, 1, flat));
}

static void one_that_shows_what_is_below_it_is(void **state)
{
    (void)state;
    assert_true(is_short_list("/insights", 1, FG_PAGE_LIST, 2, below));
    assert_true(is_short_list("/insights.html", 1, FG_PAGE_LIST, 2, below));
}

static void others_are_not(void **state)
{
    (void)state;
    assert_false(is_short_list("/news", 1, 0, 2, flat)); /* it looks like an article */
    assert_false(is_short_list("/news", 3, FG_PAGE_LIST, 2, flat));
    assert_false(is_short_list("/news/storm-hits-coast", 1, FG_PAGE_LIST, 2, flat));
    assert_false(is_short_list("/tag/storm", 1, FG_PAGE_LIST, 2, flat));
    assert_false(is_short_list("/insights", 1, FG_PAGE_LIST, 2, beside));
    assert_false(is_short_list("/insights", 1, FG_PAGE_LIST, 1, below));
    assert_false(is_short_list("/insights", 2, FG_PAGE_LIST, 2, below));
}

FG_TESTS(one_that_is_named_as_news_is, one_that_shows_what_is_below_it_is, others_are_not)
