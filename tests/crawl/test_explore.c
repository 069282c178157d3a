#include "test.h"

#include "crawl/sources/explore.h"

/* What a page of a pattern is worth of which so many pages came, and nothing else. */
static enum fg_stock_worth worth_after(const char *path, unsigned pages)
{
    struct fg_patterns *patterns = fg_patterns_new();
    char url[200];
    snprintf(url, sizeof url, "https://example.org%s", path);
    struct fg_pattern *pattern = fg_patterns_meet(patterns, fg_str_from(url));
    while (pages--)
        fg_pattern_learn(pattern, FG_CAME_PAGE);
    enum fg_stock_worth worth = fg_stock_worth(fg_str_from(url), patterns, FG_DAY);
    fg_patterns_free(patterns);
    return worth;
}

static void four_pages_tell_what_a_pattern_is(void **state)
{
    (void)state;
    assert_int_equal(worth_after("/story/storm-hits-the-coast", 3), FG_WORTH_TRYING);
    assert_int_equal(worth_after("/story/storm-hits-the-coast", 4), FG_WORTH_SETTLED);
}

static void they_do_not_tell_of_an_address_that_says_to_be_a_list(void **state)
{
    (void)state;
    assert_int_equal(worth_after("/section/world", 5), FG_WORTH_TRYING);
    assert_int_equal(worth_after("/section/world", 16), FG_WORTH_SETTLED);
}

static void actions_are_never_worth_it(void **state)
{
    (void)state;
    assert_int_equal(worth_after("/login?next=x", 0), FG_WORTH_ACTION);
    assert_int_equal(worth_after("/tool.git/commit/?h=next", 0), FG_WORTH_ACTION);
}

FG_TESTS(four_pages_tell_what_a_pattern_is,
         they_do_not_tell_of_an_address_that_says_to_be_a_list,
         actions_are_never_worth_it)
