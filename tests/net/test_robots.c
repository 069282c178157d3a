#include "test.h"

#include "net/robots/robots.h"

static struct fg_arena arena;

static const struct fg_robots *parse(const char *text, const char *names)
{
    return fg_robots_parse(&arena, fg_str_from(text), fg_str_from(names));
}

static bool allows(const char *text, const char *names, const char *path)
{
    bool verdict = fg_robots_allows(parse(text, names), fg_str_from(path));
    fg_arena_clear(&arena);
    return verdict;
}

static fg_time delay_in(const char *text, const char *names)
{
    fg_time delay = fg_robots_delay(parse(text, names));
    fg_arena_clear(&arena);
    return delay;
}

static void groups_of_one_name_are_merged(void **state)
{
    (void)state;
    const char *text = "User-agent: MyBot\nDisallow: /a\n"
                       "User-agent: *\nDisallow: /\n"
                       "User-agent: mybot\nUser-agent: other\nDisallow: /b\n";
    assert_false(allows(text, "mybot", "/a"));
    assert_false(allows(text, "MYBOT/2.0", "/b"));
    assert_true(allows(text, "mybot", "/c"));
    assert_true(allows(text, "other", "/a"));
    assert_false(allows(text, "third", "/c"));
    assert_true(allows(text, "third", "/robots.txt"));
}

static void names_match_as_whole_tokens(void **state)
{
    (void)state;
    const char *text = "User-agent: bot/1.0 (like this)\nDisallow: /a\n"
                       "User-agent: *\nDisallow: /b";
    assert_false(allows(text, "bot", "/a"));
    assert_true(allows(text, "botany", "/a"));
    assert_true(allows(text, "bo", "/a"));
    assert_false(allows(text, "Mozilla/5.0 (compatible; bot/1.0)", "/b"));
    assert_false(allows(text, "", "/b"));
    assert_false(allows("User-agent: a, bot\nDisallow: /", "bot", "/"));
    assert_true(allows("User-agent: *bot\nDisallow: /", "bot", "/"));
}

static void several_own_names_obey_all_their_groups(void **state)
{
    (void)state;
    const char *text = "User-agent: one\nDisallow: /1\nUser-agent: two\nDisallow: /2\n"
                       "User-agent: *\nDisallow: /3\n";
    assert_false(allows(text, "one, two", "/1"));
    assert_false(allows(text, "one, two", "/2"));
    assert_true(allows(text, "one, two", "/3"));
    assert_false(allows(text, "one, *", "/3"));
    assert_true(fg_robots_names_us(parse(text, "none,two")));
    assert_false(fg_robots_names_us(parse(text, "none")));
    fg_arena_clear(&arena);
}

static void group_without_rules_still_counts(void **state)
{
    (void)state;
    assert_true(allows("User-agent: *\nDisallow: /\nUser-agent: mybot", "mybot", "/x"));
    assert_true(allows("Disallow: /", "mybot", "/x"));
    assert_true(allows("User-agent: *\nDisallow:\n", "mybot", "/x"));
    assert_true(allows("", "mybot", "/x"));
}

static void other_records_do_not_end_a_group(void **state)
{
    (void)state;
    const char *text = "User-agent: a\nSitemap: /s.xml\nHost: h\nCrawl-delay: 1\n\n"
                       "# comment\nUser-agent: b\nDisallow: /x # not /xy only\n";
    assert_false(allows(text, "a", "/xy"));
    assert_false(allows(text, "b", "/xy"));
}

static void line_ends_and_marks_do_not_matter(void **state)
{
    (void)state;
    assert_false(allows("\xEF\xBB\xBFUser-agent: *\rDisallow: /a\r", "x", "/a"));
    assert_false(allows("\xEF\xBBUser-agent: *\r\nDisallow: /a", "x", "/a"));
    assert_false(allows(" \tuser-AGENT \t: \t*\t\n\tDISALLOW:/a \t\n", "x", "/a"));
    assert_true(allows("\x11\xBFUser-agent: *\nDisallow: /a", "x", "/a"));
    const char wide[] = "\xFF\xFEU\0s\0e\0r\0-\0a\0g\0e\0n\0t\0:\0*\0\n\0"
                        "D\0i\0s\0a\0l\0l\0o\0w\0:\0/\0";
    const struct fg_robots *r =
        fg_robots_parse(&arena, (struct fg_str){wide, sizeof wide - 1}, FG_STR("x"));
    assert_false(fg_robots_allows(r, FG_STR("/a")));
    for (int shift = 0; shift < 2; shift++) { /* without a mark, little and big */
        const char bare[] = "\0U\0s\0e\0r\0-\0a\0g\0e\0n\0t\0:\0*\0\n\0"
                            "D\0i\0s\0a\0l\0l\0o\0w\0:\0/\0";
        r = fg_robots_parse(&arena, (struct fg_str){bare + shift, sizeof bare - 2},
                            FG_STR("x"));
        assert_false(fg_robots_allows(r, FG_STR("/a")));
    }
    const char padded[] = "User-agent: *\0\0\nDisallow: /a\0\n";
    r = fg_robots_parse(&arena, (struct fg_str){padded, sizeof padded - 1}, FG_STR("x"));
    assert_false(fg_robots_allows(r, FG_STR("/ab")));
    const char led[] = "\0User-agent: *\n\0\0Disallow: /a\n";
    r = fg_robots_parse(&arena, (struct fg_str){led, sizeof led - 1}, FG_STR("x"));
    assert_false(fg_robots_allows(r, FG_STR("/ab")));
    const char nul[] = "User-agent: *\nDis\0allow: /a\nDisallow: /b\0c\n";
    r = fg_robots_parse(&arena, (struct fg_str){nul, sizeof nul - 1}, FG_STR("x"));
    assert_true(fg_robots_allows(r, FG_STR("/a")));
    assert_false(fg_robots_allows(r, FG_STR("/b%00c")));
    fg_arena_clear(&arena);
}

static void misspellings_may_forbid_but_not_permit(void **state)
{
    (void)state;
    assert_false(allows("user agent: *\ndissallow: /a", "x", "/a"));
    assert_false(allows("useragent *\ndisallow /a", "x", "/a"));
    assert_false(allows("User-agent: *\nDisallow: /\nAlow: /a", "x", "/a"));
    assert_true(allows("User-agent: *\nNoindex: /a", "x", "/a"));
    assert_true(allows("User-agent: *\nDisallow this robot", "x", "/this"));
    assert_int_equal(delay_in("User-agent: *\nCrawldelay: 2", "x"), 2 * FG_SECOND);
}

static void a_web_page_gives_up_its_lines(void **state)
{
    (void)state;
    const char *text = "<html><body>\n<p>User-agent: *<br>\nDisallow: /a<br>\n"
                       "if (a < b) Crawl-delay: 7\nCrawl-delay: 3</p></body>";
    assert_false(allows(text, "x", "/a"));
    assert_true(allows(text, "x", "/b"));
    assert_int_equal(delay_in(text, "x"), 3 * FG_SECOND);
    assert_true(allows("<!doctype html><title>Not found</title>", "x", "/"));
}

static void delay_is_for_the_names_above_it(void **state)
{
    (void)state;
    const char *text = "User-agent: a\nCrawl-delay: 10\nUser-agent: b\nDisallow: /x\n"
                       "User-agent: *\nCrawl-delay: 0.5\n";
    assert_int_equal(delay_in(text, "a"), 10 * FG_SECOND);
    assert_true(delay_in(text, "b") == FG_NEVER);
    assert_int_equal(delay_in(text, "c"), FG_SECOND / 2);
    assert_int_equal(delay_in("User-agent: *\nCrawl-delay: 3\nCrawl-delay: 1", "c"),
                     3 * FG_SECOND);
}

static void delays_are_numbers_and_clamped(void **state)
{
    (void)state;
    assert_true(delay_in("User-agent: *\nCrawl-delay: 1.2.3", "c") == FG_NEVER);
    assert_true(delay_in("User-agent: *\nCrawl-delay: -1", "c") == FG_NEVER);
    assert_true(delay_in("User-agent: *\nCrawl-delay: .", "c") == FG_NEVER);
    assert_true(delay_in("User-agent: *\nCrawl-delay:", "c") == FG_NEVER);
    assert_true(delay_in("User-agent: *\nCrawl-delay: 1e9", "c") == FG_NEVER);
    assert_int_equal(delay_in("User-agent: *\nCrawl-delay: 5 seconds", "c"),
                     5 * FG_SECOND);
    assert_int_equal(delay_in("User-agent: *\nCrawl-delay: 0", "c"), 0);
    assert_int_equal(
        delay_in("User-agent: *\nCrawl-delay: 999999999999999999999999", "c"),
        FG_ROBOTS_DELAY_MAX);
}

static void sitemaps_are_for_everybody(void **state)
{
    (void)state;
    size_t n;
    const struct fg_robots *r =
        parse("Sitemap: https://h.example/a.xml\nUser-agent: z\nDisallow: /\n"
              "Sitemap:\nsite-map:  /b.xml  \n",
              "x");
    const struct fg_str *sitemaps = fg_robots_sitemaps(r, &n);
    assert_int_equal(n, 2);
    assert_str(sitemaps[0], "https://h.example/a.xml");
    assert_str(sitemaps[1], "/b.xml");
    fg_arena_clear(&arena);
}

static void signals_are_kept_by_group(void **state)
{
    (void)state;
    const char *text = "Content-Signal: search=yes\n"
                       "User-agent: *\nContent-Signal: ai-train=no , ai-input=YES\n"
                       "Content-Usage: train-ai=n\nDisallow:\n"
                       "User-agent: b\nContent-signal: search=no\n";
    size_t n;
    const struct fg_robots *r = parse(text, "x");
    const struct fg_robots_signal *signals = fg_robots_signals(r, &n);
    assert_int_equal(n, 3);
    assert_str(signals[1].value, "ai-train=no , ai-input=YES");
    assert_true(signals[2].is_usage);
    assert_int_equal(fg_robots_signal(r, FG_STR("ai-train")), FG_ROBOTS_NO);
    assert_int_equal(fg_robots_signal(r, FG_STR("ai-input")), FG_ROBOTS_YES);
    assert_int_equal(fg_robots_signal(r, FG_STR("search")), FG_ROBOTS_YES);
    assert_int_equal(fg_robots_signal(r, FG_STR("train-ai")), FG_ROBOTS_SILENT);
    r = parse(text, "b");
    assert_int_equal(fg_robots_signal(r, FG_STR("search")), FG_ROBOTS_NO);
    assert_int_equal(fg_robots_signal(r, FG_STR("ai-train")), FG_ROBOTS_SILENT);
    fg_arena_clear(&arena);
}

/* The last rule that fits counts, the one that the limit cuts through does not. */
static void reads_500_kib_and_cuts_at_a_line(void **state)
{
    (void)state;
    static const char head[] = "User-agent: *\n", in[] = "Disallow: /in\n",
                      over[] = "Disallow: /out\n";
    size_t size = FG_ROBOTS_MAX_BYTES + 10;
    char *text = malloc(size);
    memset(text, '\n', size);
    memcpy(text, head, sizeof head - 1);
    memcpy(text + FG_ROBOTS_MAX_BYTES - 4 - sizeof in, in, sizeof in - 1);
    memcpy(text + FG_ROBOTS_MAX_BYTES - 5, over, sizeof over - 1);
    const struct fg_robots *r =
        fg_robots_parse(&arena, (struct fg_str){text, size}, FG_STR("x"));
    assert_false(fg_robots_allows(r, FG_STR("/in")));
    assert_true(fg_robots_allows(r, FG_STR("/out")));
    assert_true(fg_robots_is_cut(r));
    r = fg_robots_parse(&arena, (struct fg_str){text, FG_ROBOTS_MAX_BYTES}, FG_STR("x"));
    assert_false(fg_robots_is_cut(r));
    free(text);
    fg_arena_clear(&arena);
}

static void result_does_not_point_into_the_text(void **state)
{
    (void)state;
    char text[] = "User-agent: *\nDisallow: /a\nSitemap: /s\nContent-Signal: search=no";
    const struct fg_robots *r = parse(text, "x");
    memset(text, 'z', sizeof text - 1);
    size_t n;
    assert_false(fg_robots_allows(r, FG_STR("/a")));
    assert_str(fg_robots_sitemaps(r, &n)[0], "/s");
    assert_int_equal(fg_robots_signal(r, FG_STR("search")), FG_ROBOTS_NO);
    fg_arena_clear(&arena);
}

static void path_is_what_follows_the_host(void **state)
{
    (void)state;
    assert_str(fg_robots_path(FG_STR("https://h.example:80/a?b=c://d/#e")),
               "/a?b=c://d/");
    assert_str(fg_robots_path(FG_STR("https://h.example")), "");
    assert_str(fg_robots_path(FG_STR("https://h.example?x=/y")), "?x=/y");
    assert_str(fg_robots_path(FG_STR("//h.example/a")), "/a");
    assert_str(fg_robots_path(FG_STR("/a?u=http://x/")), "/a?u=http://x/");
    assert_str(fg_robots_path(FG_STR("")), "");
}

FG_TESTS(groups_of_one_name_are_merged, names_match_as_whole_tokens,
         several_own_names_obey_all_their_groups, group_without_rules_still_counts,
         other_records_do_not_end_a_group, line_ends_and_marks_do_not_matter,
         misspellings_may_forbid_but_not_permit, a_web_page_gives_up_its_lines,
         delay_is_for_the_names_above_it, delays_are_numbers_and_clamped,
         sitemaps_are_for_everybody, signals_are_kept_by_group,
         reads_500_kib_and_cuts_at_a_line, result_does_not_point_into_the_text,
         path_is_what_follows_the_host)
