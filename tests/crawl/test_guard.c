#include "test.h"

#include "crawl/sources/guard.h"

static enum fg_guard_verdict verdict_on(const char *url)
{
    struct fg_guard guard;
    struct fg_guard_rules rules = fg_guard_defaults();
    fg_guard_init(&guard, &rules);
    enum fg_guard_verdict verdict = fg_guard_check(&guard, fg_str_from(url), 1, 0);
    return verdict;
}

static void ordinary_addresses_pass(void **state)
{
    (void)state;
    static const char *const urls[] = {
        "https://example.org/",
        "https://example.org/2026/10/12/storm-hits-coast.html",
        "https://example.org/news?page=2&sort=date",
        "https://example.org/a/b/a/b",
        "https://example.org/report.pdf",
        "https://example.org/jpg",
        "https://example.org/a.b/c",
        "https://example.org/?file=a.zip",
        "https://example.com.zip/",
    };
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++)
        if (verdict_on(urls[i]) != FG_GUARD_OK)
            fail_msg("%s: %s", urls[i], fg_guard_verdict_name(verdict_on(urls[i])));
}

static void what_has_no_end_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *url;
        enum fg_guard_verdict verdict;
    } cases[] = {
        {"https://example.org/a/b/a/b/a", FG_GUARD_REPEATS},
        {"https://example.org/x/x/x", FG_GUARD_REPEATS},
        {"https://example.org/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20",
         FG_GUARD_OK},
        {"https://example.org/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21",
         FG_GUARD_REPEATS},
        {"https://example.org/?a&b&c&d&e&f&g&h&i&j&k&l", FG_GUARD_OK},
        {"https://example.org/?a&b&c&d&e&f&g&h&i&j&k&l&m", FG_GUARD_PARAMS},
        {"https://example.org/dump.tar.gz", FG_GUARD_BINARY},
        {"https://example.org/sitemap-2.xml.gz", FG_GUARD_OK},
        {"https://example.org/film.MP4", FG_GUARD_BINARY},
        {"https://example.org/f.woff2?v=1", FG_GUARD_BINARY},
        {"https://example.org/.js", FG_GUARD_BINARY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (verdict_on(cases[i].url) != cases[i].verdict)
            fail_msg("%s: %s", cases[i].url,
                     fg_guard_verdict_name(verdict_on(cases[i].url)));
}

static void numbers_are_kept_to(void **state)
{
    (void)state;
    struct fg_guard guard;
    struct fg_guard_rules rules = fg_guard_defaults();
    struct fg_str url = FG_STR("https://example.org/12345");
    rules.max_url = url.len;
    rules.max_pages = 10;
    fg_guard_init(&guard, &rules);
    assert_int_equal(fg_guard_check(&guard, url, 20, 9), FG_GUARD_OK);
    assert_int_equal(fg_guard_check(&guard, url, 21, 9), FG_GUARD_DEEP);
    assert_int_equal(fg_guard_check(&guard, url, 20, 10), FG_GUARD_FULL);
    assert_int_equal(fg_guard_check(&guard, FG_STR("https://example.org/123456"), 1, 0),
                     FG_GUARD_LONG);
}

static void patterns_of_the_user_decide(void **state)
{
    (void)state;
    struct fg_guard guard;
    struct fg_guard_rules rules = fg_guard_defaults();
    struct fg_str include[] = {FG_STR("*/news/*"), FG_STR("*/blog/*")};
    struct fg_str exclude[] = {FG_STR("*/news/old/*")};
    rules.include = (struct fg_opt_list){include, 2};
    rules.exclude = (struct fg_opt_list){exclude, 1};
    fg_guard_init(&guard, &rules);
    assert_int_equal(fg_guard_check(&guard, FG_STR("http://a.test/blog/x"), 0, 0),
                     FG_GUARD_OK);
    assert_int_equal(fg_guard_check(&guard, FG_STR("http://a.test/shop/x"), 0, 0),
                     FG_GUARD_NOT_INCLUDED);
    assert_int_equal(fg_guard_check(&guard, FG_STR("http://a.test/news/old/x"), 0, 0),
                     FG_GUARD_EXCLUDED);
}

static void globs_match_all_of_the_text(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *text;
        bool matches;
    } cases[] = {
        {"", "", true},
        {"*", "", true},
        {"", "a", false},
        {"a", "a", true},
        {"a", "ab", false},
        {"a*", "ab", true},
        {"*b", "ab", true},
        {"a?c", "abc", true},
        {"a?c", "ac", false},
        {"*a*b*", "xaxbx", true},
        {"*a*b*", "xbxax", false},
        {"a**b", "ab", true},
        {"*.html", "x.html?y", false},
        {"*ab", "aab", true},
        {"?", "", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (fg_glob_matches(fg_str_from(cases[i].pattern), fg_str_from(cases[i].text)) !=
            cases[i].matches)
            fail_msg("'%s' on '%s'", cases[i].pattern, cases[i].text);
}

/* With backtracking into every star this would take longer than the universe has. */
static void globs_with_many_stars_end(void **state)
{
    (void)state;
    char pattern[101], text[2001];
    for (int i = 0; i < 100; i++)
        pattern[i] = i % 2 ? 'a' : '*';
    pattern[99] = 'b';
    pattern[100] = '\0';
    memset(text, 'a', 2000);
    text[2000] = '\0';
    assert_false(fg_glob_matches(fg_str_from(pattern), fg_str_from(text)));
}

FG_TESTS(ordinary_addresses_pass, what_has_no_end_is_refused, numbers_are_kept_to,
         patterns_of_the_user_decide, globs_match_all_of_the_text,
         globs_with_many_stars_end)
