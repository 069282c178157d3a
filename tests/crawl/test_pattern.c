#include "test.h"

#include "base/arena.h"
#include "base/buf.h"
#include "crawl/sources/pattern.h"

#define SITE "https://example.org"

static struct fg_pattern *meet(struct fg_patterns *patterns, const char *path)
{
    char url[512];
    snprintf(url, sizeof url, SITE "%s", path);
    return fg_patterns_meet(patterns, fg_str_from(url));
}

static struct fg_pattern *find(struct fg_patterns *patterns, const char *path)
{
    char url[512];
    snprintf(url, sizeof url, SITE "%s", path);
    return fg_patterns_find(patterns, fg_str_from(url));
}

static void compare(struct fg_patterns *patterns, const char *a, const char *b,
                    bool is_same)
{
    fg_patterns_compare(patterns, fg_str_from(a), fg_str_from(b), is_same);
}

static void learn(struct fg_pattern *pattern, enum fg_came came, unsigned times)
{
    while (times--)
        fg_pattern_learn(pattern, came);
}

/* --- templates --- */

static void templates_leave_out_what_varies(void **state)
{
    (void)state;
    static const struct {
        const char *path, *pattern;
    } cases[] = {
        {"", ""},
        {"/", "/"},
        {"/news/", "/news/"},
        {"/2026/11/16/storm-hits-the-coast/", "/#/#/#/*/"},
        {"/p/12/name", "/p/#/name"},
        {"/storm-hits-the-coast.html", "/*.html"},
        {"/two-words.html", "/two-words.html"},
        {"/page7", "/page#"},
        {"/index12.html", "/index#.html"},
        {"/v1.2", "/v#.#"},
        {"/a/3f2a91bc44d0e7f1", "/a/#"},
        {"/a/session9", "/a/#"},
        {"/a/session", "/a/session"},
        {"/averyveryverylongwordofmany", "/*"},
        {"/wiki/lab:physics:optics", "/wiki/*"},
        {"/search?q=rain&page=3", "/search?q=rain&page=#"},
        {"/doku.php?id=lab:a:b&do=diff", "/doku.php?id=*&do=diff"},
        {"/w?a=1;b=two", "/w?a=#&b=two"},
        {"/w?flag", "/w?flag="},
        {"/show.php?5550-Rain", "/show.php?*"},
        {"/show.php?5550-Rain-in-the-north/page2", "/show.php?*/page#"},
        {"/show.php?7-Rain&order=desc", "/show.php?*&order=desc"},
        {"/show?10432", "/show?#"},
        {"/index.php?/topic/12-rain/", "/index.php?/topic/#-rain/"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_patterns *patterns = fg_patterns_new();
        assert_str(fg_str_from(meet(patterns, cases[i].path)->text), cases[i].pattern);
        fg_patterns_free(patterns);
    }
}

static void addresses_of_one_template_are_one_pattern(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    meet(patterns, "/2026/11/16/storm-hits-the-coast/");
    learn(find(patterns, "/2026/11/16/storm-hits-the-coast/"), FG_CAME_PAGE, 1);
    struct fg_pattern *same = meet(patterns, "/2025/1/2/calm-and-some-sun/");
    assert_int_equal(same->known, 2);
    assert_int_equal(same->came[FG_CAME_PAGE], 1);
    /* Asking does not make an address known. */
    assert_int_equal(find(patterns, "/2024/3/4/more-of-the-same/")->known, 2);
    assert_int_equal(find(patterns, "/never-seen-before/x")->known, 0);
    fg_patterns_free(patterns);
}

static void words_are_generalised_after_a_dozen(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    char path[] = "/tag/x?";
    for (char c = 'a'; c < 'a' + 12; c++) {
        path[5] = c;
        char expected[] = "/tag/x";
        expected[5] = c;
        path[6] = '\0';
        assert_str(fg_str_from(meet(patterns, path)->text), expected);
    }
    assert_str(fg_str_from(meet(patterns, "/tag/a")->text), "/tag/a");
    /* One that would be the thirteenth is none of those that are known. */
    assert_str(fg_str_from(find(patterns, "/tag/rain")->text), "/tag/*");
    assert_str(fg_str_from(find(patterns, "/tag/a")->text), "/tag/a");
    assert_str(fg_str_from(meet(patterns, "/tag/rain")->text), "/tag/*");
    assert_str(fg_str_from(find(patterns, "/tag/a")->text), "/tag/*");
    assert_str(fg_str_from(meet(patterns, "/tag/b")->text), "/tag/*");
    /* In other places they stay themselves. */
    assert_str(fg_str_from(meet(patterns, "/author/a")->text), "/author/a");
    fg_patterns_free(patterns);
}

/* However many words follow it: what was learnt of the articles in it stays. */
static void folders_of_many_pages_keep_their_names(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    char path[64];
    for (int i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "/story/a-long-title-%d/", i);
        assert_str(fg_str_from(meet(patterns, path)->text), "/story/*/");
    }
    for (char c = 'a'; c < 'a' + 20; c++) {
        snprintf(path, sizeof path, "/x%c/", c);
        meet(patterns, path);
    }
    assert_str(fg_str_from(find(patterns, "/story/another-long-title/")->text),
               "/story/*/");
    assert_int_equal(find(patterns, "/story/another-long-title/")->known, 5);
    assert_str(fg_str_from(find(patterns, "/xa/another-long-title/")->text), "/*/*/");
    /* One that comes late is another until five pages in it are known. */
    for (int i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "/offer/a-long-title-%d/", i);
        const char *is = i < 4 ? "/*/*/" : "/offer/*/";
        assert_str(fg_str_from(meet(patterns, path)->text), is);
    }
    fg_patterns_free(patterns);
}

/* Few values are kept: they choose what the program does. */
static void values_of_parameters_are_words_like_others(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    char path[64];
    for (char c = 'a'; c < 'a' + 20; c++) {
        snprintf(path, sizeof path, "/doku.php?id=%c&do=diff", c);
        meet(patterns, path);
    }
    assert_str(fg_str_from(find(patterns, "/doku.php?id=zebra&do=diff")->text),
               "/doku.php?id=*&do=diff");
    assert_str(fg_str_from(find(patterns, "/doku.php?id=zebra&do=edit")->text),
               "/doku.php?id=*&do=edit");
    fg_patterns_free(patterns);
}

static void long_templates_are_cut_to_be_shown_only(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    char path[256] = "";
    for (int i = 0; i < 30; i++)
        memcpy(path + 5 * i, "/word", 5);
    size_t len = strlen(path);
    snprintf(path + len, sizeof path - len, "/one");
    struct fg_pattern *pattern = meet(patterns, path);
    assert_int_equal(strlen(pattern->text), sizeof pattern->text - 1);
    snprintf(path + len, sizeof path - len, "/two");
    assert_int_equal(meet(patterns, path)->known, 1);
    fg_patterns_free(patterns);
}

/* Twelve words in each of four places make 20736 patterns. */
static void there_is_an_end_of_patterns(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    const struct fg_pattern *last = NULL;
    for (unsigned i = 0; i < 12 * 12 * 12 * 12; i++) {
        char path[] = {'/', (char)('a' + i % 12),       '/', (char)('a' + i / 12 % 12),
                       '/', (char)('a' + i / 144 % 12), '/', (char)('a' + i / 1728),
                       '\0'};
        last = meet(patterns, path);
    }
    assert_str(fg_str_from(last->text), "(too many patterns)");
    assert_false(fg_pattern_is_trap(last));
    assert_str(fg_str_from(find(patterns, "/a/a/a/a")->text), "/a/a/a/a");
    fg_patterns_free(patterns);
}

/* --- the record of a pattern --- */

/* How often it is asked in some days, if it could be asked every minute. */
static unsigned asks(struct fg_pattern *pattern, enum fg_came came, unsigned from_day,
                     unsigned days)
{
    unsigned n = 0;
    fg_time begin = (20000 + (fg_time)from_day) * FG_DAY;
    for (fg_time now = begin; now < begin + days * FG_DAY; now += FG_MINUTE) {
        if (!fg_pattern_may_ask(pattern, now))
            continue;
        pattern->last_ask = now;
        fg_pattern_learn(pattern, came);
        n++;
    }
    return n;
}

static void a_trap_is_asked_thirty_times_and_then_once_a_day(void **state)
{
    (void)state;
    static const enum fg_came nothing[] = {FG_CAME_COPY, FG_CAME_OTHER};
    for (size_t i = 0; i < 2; i++) {
        struct fg_pattern pattern = {0};
        assert_in_range(asks(&pattern, nothing[i], 0, 1), 3, 30);
        assert_true(fg_pattern_is_trap(&pattern));
        assert_int_equal(asks(&pattern, nothing[i], 1, 7), 7);
    }
    /* Even if something came of it at first. */
    struct fg_pattern pattern = {.came = {[FG_CAME_PAGE] = 1}};
    assert_in_range(asks(&pattern, FG_CAME_COPY, 0, 1), 3, 30);
}

static void a_pattern_that_gives_is_asked_for_ever(void **state)
{
    (void)state;
    static const enum fg_came useful[] = {FG_CAME_PAGE, FG_CAME_LIST, FG_CAME_DOCUMENT};
    for (size_t i = 0; i < 3; i++) {
        struct fg_pattern pattern = {0};
        assert_int_equal(asks(&pattern, useful[i], 0, 1), 1440);
    }
    /* One in ten is enough. */
    struct fg_pattern pattern = {0};
    for (int i = 0; i < 20; i++) {
        learn(&pattern, FG_CAME_OTHER, 9);
        learn(&pattern, FG_CAME_PAGE, 1);
        assert_false(fg_pattern_is_trap(&pattern));
    }
}

static void a_trap_that_mends_its_ways_is_none(void **state)
{
    (void)state;
    struct fg_pattern pattern = {0};
    learn(&pattern, FG_CAME_OTHER, 10);
    assert_true(fg_pattern_is_trap(&pattern));
    learn(&pattern, FG_CAME_PAGE, 1);
    assert_false(fg_pattern_is_trap(&pattern));
    /* Much of the same is forgotten slowly. */
    pattern = (struct fg_pattern){0};
    learn(&pattern, FG_CAME_OTHER, 5000);
    assert_in_range(fg_pattern_fetched(&pattern), 1, 401);
    learn(&pattern, FG_CAME_PAGE, 30);
    assert_false(fg_pattern_is_trap(&pattern));
}

static void a_trap_may_be_asked_if_it_never_was_or_the_clock_was_set_back(void **state)
{
    (void)state;
    struct fg_pattern pattern = {0};
    learn(&pattern, FG_CAME_COPY, 10);
    fg_time now = 20000 * FG_DAY;
    assert_true(fg_pattern_may_ask(&pattern, now));
    pattern.last_ask = now;
    assert_false(fg_pattern_may_ask(&pattern, now));
    assert_false(fg_pattern_may_ask(&pattern, now + FG_DAY - 1));
    assert_true(fg_pattern_may_ask(&pattern, now + FG_DAY));
    assert_true(fg_pattern_may_ask(&pattern, now - 1));
}

static void chances_follow_the_record(void **state)
{
    (void)state;
    struct fg_pattern pattern = {0};
    assert_near(fg_pattern_page_chance(&pattern), 0.5, 1e-9);
    assert_false(fg_pattern_is_content(&pattern));
    learn(&pattern, FG_CAME_PAGE, 2);
    assert_near(fg_pattern_page_chance(&pattern), 0.75, 1e-9);
    assert_false(fg_pattern_is_content(&pattern));
    learn(&pattern, FG_CAME_DOCUMENT, 1);
    assert_true(fg_pattern_is_content(&pattern));
    learn(&pattern, FG_CAME_LIST, 1);
    assert_true(fg_pattern_is_content(&pattern)); /* three of four */
    learn(&pattern, FG_CAME_COPY, 1);
    assert_false(fg_pattern_is_content(&pattern));
    assert_near(fg_pattern_page_chance(&pattern), 4 / 7.0, 1e-9);
}

/* A path in the query is no parameter, and those beside it have effect or not, whatever
 * it is. */
static void parameters_beside_a_path_are_learnt(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    struct fg_arena arena = {0};
    compare(patterns, SITE "/s.php?a=1&51-Rain", SITE "/s.php?a=2&51-Rain", true);
    compare(patterns, SITE "/s.php?a=3&52-Snow", SITE "/s.php?a=4&52-Snow", true);
    compare(patterns, SITE "/s.php?a=5&53-Hail", SITE "/s.php?a=6&53-Hail", true);
    assert_str(fg_patterns_reduce(patterns, &arena, FG_STR(SITE "/s.php?a=7&54-Fog")),
               SITE "/s.php?54-Fog");
    for (int i = 0; i < 3; i++)
        compare(patterns, SITE "/t.php?51-Rain", SITE "/t.php", true);
    assert_str(fg_patterns_reduce(patterns, &arena, FG_STR(SITE "/t.php?51-Rain")),
               SITE "/t.php?51-Rain");
    fg_arena_clear(&arena);
    fg_patterns_free(patterns);
}

/* --- serial numbers --- */

static void note(struct fg_pattern *pattern, const char *format, unsigned from,
                 unsigned step, unsigned n)
{
    char url[128];
    for (unsigned i = 0; i < n; i++) {
        snprintf(url, sizeof url, format, from + i * step);
        fg_pattern_note_serial(pattern, fg_str_from(url), true);
    }
}

static bool is_old(const struct fg_pattern *pattern, const char *url)
{
    return fg_pattern_is_old_serial(pattern, fg_str_from(url));
}

static void numbers_that_are_counted_up_tell_the_age(void **state)
{
    (void)state;
    struct fg_pattern pattern = {0};
    note(&pattern, SITE "/p/%u/name", 100, 10, 8);
    assert_true(is_old(&pattern, SITE "/p/170/x"));
    assert_true(is_old(&pattern, SITE "/p/105/x"));
    assert_true(is_old(&pattern, SITE "/p/3/x"));
    assert_false(is_old(&pattern, SITE "/p/171/x"));
    assert_false(is_old(&pattern, SITE "/p/none/x"));
}

static void numbers_above_a_large_stock_are_new(void **state)
{
    (void)state;
    struct fg_pattern pattern = {0};
    note(&pattern, SITE "/job/%u-writer", 100, 7, 23);
    assert_false(fg_pattern_is_new_serial(&pattern, FG_STR(SITE "/job/300-nurse")));
    note(&pattern, SITE "/job/%u-writer", 261, 7, 1);
    assert_true(fg_pattern_is_new_serial(&pattern, FG_STR(SITE "/job/262-nurse")));
    assert_false(fg_pattern_is_new_serial(&pattern, FG_STR(SITE "/job/261-nurse")));
    assert_false(fg_pattern_is_new_serial(&pattern, FG_STR(SITE "/job/nurse")));
}

/* A title may have numbers of its own. */
static void the_number_before_a_title_is_the_one_that_counts(void **state)
{
    (void)state;
    struct fg_pattern pattern = {0};
    note(&pattern, SITE "/show.php?%u-Rain-in-November", 5500, 10, 30);
    assert_true(is_old(&pattern, SITE "/show.php?5505-The-12-best-of-6000"));
    assert_false(is_old(&pattern, SITE "/show.php?5901-The-12-best"));
    assert_true(fg_pattern_is_new_serial(&pattern, FG_STR(SITE "/show.php?5901-The-12")));
    assert_false(
        fg_pattern_is_new_serial(&pattern, FG_STR(SITE "/show.php?5505-In-6000")));
}

/* The number behind a title may be that of a lamp: a lower one makes nothing old. */
static void numbers_behind_titles_only_speak_for_what_is_new(void **state)
{
    (void)state;
    struct fg_pattern pattern = {0};
    note(&pattern, SITE "/story/storm-hits-coast-%u/", 100, 7, 24);
    assert_true(fg_pattern_is_new_serial(&pattern, FG_STR(SITE "/story/a-b-c-262/")));
    assert_false(fg_pattern_is_new_serial(&pattern, FG_STR(SITE "/story/a-b-c-261/")));
    assert_false(is_old(&pattern, SITE "/story/a-b-c-150/"));
    pattern = (struct fg_pattern){0};
    note(&pattern, SITE "/story/the-best-of-%u/", 2000, 1, 26);
    note(&pattern, SITE "/story/a-title-again-%u/", 2, 1, 26);
    assert_int_equal(pattern.n_serials, 0);
}

/* An article may lead to one that has come since, before any list does. */
static void stock_that_may_have_come_since_makes_nothing_old(void **state)
{
    (void)state;
    struct fg_pattern pattern = {0};
    fg_pattern_note_serial(&pattern, FG_STR(SITE "/p/50"), false);
    assert_int_equal(pattern.n_serials, 0);
    note(&pattern, SITE "/p/%u", 100, 10, 8);
    fg_pattern_note_serial(&pattern, FG_STR(SITE "/p/200"), false);
    assert_false(is_old(&pattern, SITE "/p/190"));
    fg_pattern_note_serial(&pattern, FG_STR(SITE "/p/90"), false);
    assert_int_equal(pattern.n_serials, 9);
    assert_int_equal(pattern.least_serial, 90);
}

static void few_or_scattered_numbers_tell_nothing(void **state)
{
    (void)state;
    struct fg_pattern pattern = {0};
    note(&pattern, SITE "/p/%u", 100, 10, 7);
    assert_false(is_old(&pattern, SITE "/p/105"));
    pattern = (struct fg_pattern){0};
    note(&pattern, SITE "/p/%u", 100, 100000, 20);
    assert_false(is_old(&pattern, SITE "/p/105"));
}

static void numbers_that_are_none_are_left_alone(void **state)
{
    (void)state;
    static const char *const format[] = {SITE "/a%ub", SITE "/x/1234567890%u", SITE "/x",
                                         "http://127.0.0.1:80%u/x",
                                         SITE "/2026/11/17/msg%u.html"};
    for (size_t i = 0; i < sizeof format / sizeof *format; i++) {
        struct fg_pattern pattern = {0};
        note(&pattern, format[i], 100, 1, 20);
        if (pattern.n_serials)
            fail_msg("%s is counted", format[i]);
    }
    struct fg_pattern pattern = {0};
    note(&pattern, SITE "/post-%u.html?a=b", 1, 5, 20);
    assert_true(is_old(&pattern, SITE "/post-19.html?a=b"));
    assert_false(is_old(&pattern, SITE "/post-97.html?a=b"));
}

/* Of 1 to 18 all are known but two: one of these may well be a draft that was published.
 */
static void a_number_that_was_skipped_tells_nothing(void **state)
{
    (void)state;
    struct fg_pattern pattern = {0};
    note(&pattern, SITE "/p%u", 1, 1, 8);
    note(&pattern, SITE "/p%u", 11, 1, 8);
    assert_false(is_old(&pattern, SITE "/p9"));
    note(&pattern, SITE "/p%u", 60, 1, 1);
    assert_true(is_old(&pattern, SITE "/p9"));
}

/* Of 100 to 139 one in three is not known yet. */
static void a_number_of_a_stock_that_is_not_known_yet_is_old(void **state)
{
    (void)state;
    struct fg_pattern pattern = {0};
    note(&pattern, SITE "/p%u", 100, 3, 14);
    note(&pattern, SITE "/p%u", 101, 3, 13);
    assert_true(is_old(&pattern, SITE "/p120"));
    note(&pattern, SITE "/p%u", 102, 3, 12);
    assert_false(is_old(&pattern, SITE "/p138"));
}

/* --- parameters --- */

static void check_reduced(struct fg_patterns *patterns, const char *url,
                          const char *expected)
{
    struct fg_arena arena = {0};
    struct fg_str reduced = fg_patterns_reduce(patterns, &arena, fg_str_from(url));
    assert_str(reduced, expected);
    fg_arena_clear(&arena);
}

/* A topic by its number and by that of one of its posts. */
static void two_names_of_a_page_are_both_needed(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    for (int i = 0; i < 9; i++) {
        compare(patterns, SITE "/view?f=3&t=4", SITE "/view?p=17", true);
        compare(patterns, SITE "/view?f=3&t=4", SITE "/view?f=3&p=17", true);
    }
    check_reduced(patterns, SITE "/view?f=3&t=5", SITE "/view?f=3&t=5");
    check_reduced(patterns, SITE "/view?p=18", SITE "/view?p=18");
    fg_patterns_free(patterns);
}

static void programs_keep_their_names(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    char path[64];
    for (int i = 0; i < 40; i++) {
        snprintf(path, sizeof path, "/prog%c%c.cgi?id=1", 'a' + i % 26, 'a' + i / 26);
        meet(patterns, path);
        snprintf(path, sizeof path, "/page%c%c.cgi", 'a' + i % 26, 'a' + i / 26);
        meet(patterns, path);
    }
    assert_string_equal(meet(patterns, "/show_bug.cgi?id=2")->text, "/show_bug.cgi?id=#");
    assert_string_equal(meet(patterns, "/pagezz.cgi")->text, "/*.cgi");
    fg_patterns_free(patterns);
}

static void a_parameter_that_names_the_visit_has_no_effect_anywhere(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    compare(patterns, SITE "/p?s=5", SITE "/p", false);
    fg_patterns_drop(patterns, FG_STR("s"));
    check_reduced(patterns, SITE "/p?s=7", SITE "/p");
    check_reduced(patterns, SITE "/q?a=1&s=7", SITE "/q?a=1");
    check_reduced(patterns, SITE "/q?ss=7", SITE "/q?ss=7");
    fg_patterns_free(patterns);
}

static void a_parameter_without_effect_is_dropped_after_three_comparisons(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    for (int i = 0; i < 3; i++) {
        check_reduced(patterns, SITE "/p/9?sid=7", SITE "/p/9?sid=7");
        compare(patterns, SITE "/p/1?sid=5", SITE "/p/1", true);
    }
    check_reduced(patterns, SITE "/p/9?sid=7", SITE "/p/9");
    check_reduced(patterns, SITE "/p/9", SITE "/p/9");
    /* That the first page is the list says nothing of the others. */
    for (int i = 0; i < 9; i++)
        compare(patterns, SITE "/c/1?page=1", SITE "/c/1", true);
    check_reduced(patterns, SITE "/c/1?page=2", SITE "/c/1?page=2");
    /* Nor does it keep silent of what stands beside the number. */
    for (int i = 0; i < 3; i++)
        compare(patterns, SITE "/d/1?page=1&ref=5", SITE "/d/1?page=1", true);
    check_reduced(patterns, SITE "/d/1?page=1&ref=7", SITE "/d/1?page=1");
    /* Elsewhere, and beside others, it may have one. */
    check_reduced(patterns, SITE "/q/9?sid=7", SITE "/q/9?sid=7");
    check_reduced(patterns, SITE "/p/9?sid=7&id=1", SITE "/p/9?sid=7&id=1");
    check_reduced(patterns, SITE "/p/9?other=7", SITE "/p/9?other=7");
    fg_patterns_free(patterns);
}

static void a_session_is_one_on_the_whole_site(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    for (int i = 0; i < 3; i++) {
        compare(patterns, SITE "/p?id=1&visit=5", SITE "/p?id=1&visit=6", true);
        check_reduced(patterns, SITE "/never/tried?visit=7", SITE "/never/tried?visit=7");
        compare(patterns, SITE "/q?visit=5", SITE "/q", true);
    }
    check_reduced(patterns, SITE "/never/tried?visit=7", SITE "/never/tried");
    /* Where it makes a difference, it stays, and no longer goes elsewhere untried. */
    compare(patterns, SITE "/r?visit=5", SITE "/r", false);
    check_reduced(patterns, SITE "/r?visit=5", SITE "/r?visit=5");
    check_reduced(patterns, SITE "/never/tried?visit=7", SITE "/never/tried?visit=7");
    check_reduced(patterns, SITE "/q?visit=8", SITE "/q");
    fg_patterns_free(patterns);
}

static void the_newest_commit_does_not_make_hashes_idle(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    for (int i = 0; i < 9; i++)
        compare(patterns, SITE "/?a=commit;h=0123456789abcdef0123", SITE "/?a=commit",
                true);
    check_reduced(patterns, SITE "/?a=commit;h=fedcba98765432100000",
                  SITE "/?a=commit;h=fedcba98765432100000");
    fg_patterns_free(patterns);
}

static void two_values_of_one_parameter_are_one_comparison(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    compare(patterns, SITE "/p?id=1&sid=5", SITE "/p?id=1&sid=6", true);
    compare(patterns, SITE "/p?id=1&sid=5", SITE "/p?id=1&sid=7", true);
    check_reduced(patterns, SITE "/p?id=2&sid=8", SITE "/p?id=2&sid=8");
    compare(patterns, SITE "/p?id=2&sid=5", SITE "/p?id=2&sid=6", true);
    check_reduced(patterns, SITE "/p?id=2&sid=8", SITE "/p?id=2");
    check_reduced(patterns, SITE "/p?sid=8&id=2", SITE "/p?id=2");
    fg_patterns_free(patterns);
}

static void a_parameter_that_makes_a_difference_stays(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    for (int i = 0; i < 10; i++)
        compare(patterns, SITE "/p?view=1", SITE "/p", true);
    compare(patterns, SITE "/p?view=2", SITE "/p", false);
    check_reduced(patterns, SITE "/p?view=3", SITE "/p?view=3");
    /* One difference in twenty is an accident. */
    for (int i = 0; i < 10; i++)
        compare(patterns, SITE "/p?view=1", SITE "/p", true);
    check_reduced(patterns, SITE "/p?view=3", SITE "/p");
    compare(patterns, SITE "/p?view=2", SITE "/p", false);
    check_reduced(patterns, SITE "/p?view=3", SITE "/p?view=3");
    fg_patterns_free(patterns);
}

static void several_parameters_tell_only_if_the_pages_are_the_same(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    for (int i = 0; i < 3; i++)
        compare(patterns, SITE "/p?a=1&b=2&id=3", SITE "/p?a=4&b=5&id=3", true);
    check_reduced(patterns, SITE "/p?a=7&b=8&id=9", SITE "/p?id=9");
    compare(patterns, SITE "/p?a=1&b=2&id=3", SITE "/p?a=4&b=5&id=3", false);
    check_reduced(patterns, SITE "/p?a=7&b=8&id=9", SITE "/p?id=9");
    compare(patterns, SITE "/p?a=1&b=2&id=3", SITE "/p?a=4&b=2&id=3", false);
    check_reduced(patterns, SITE "/p?a=7&b=8&id=9", SITE "/p?a=7&id=9");
    fg_patterns_free(patterns);
}

static void other_paths_and_equal_addresses_tell_nothing(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    for (int i = 0; i < 9; i++) {
        compare(patterns, SITE "/p/1?sid=5", SITE "/p/2?sid=6", true);
        compare(patterns, SITE "/p/1?sid=5", SITE "/p/1?sid=5", true);
    }
    check_reduced(patterns, SITE "/p/9?sid=7", SITE "/p/9?sid=7");
    fg_patterns_free(patterns);
}

static void parameters_are_taken_off_by_number(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_str url = fg_str_from(SITE "/p?a=1&b&c=");
    assert_str(fg_address_without(&arena, url, 0), SITE "/p?b&c=");
    assert_str(fg_address_without(&arena, url, 1), SITE "/p?a=1&c=");
    assert_str(fg_address_without(&arena, url, 2), SITE "/p?a=1&b");
    assert_int_equal(fg_address_without(&arena, url, 3).len, 0);
    assert_int_equal(fg_address_without(&arena, fg_str_from(SITE "/p"), 0).len, 0);
    assert_int_equal(fg_address_without(&arena, fg_str_from(SITE "/p?"), 0).len, 0);
    assert_str(fg_address_without(&arena, fg_str_from(SITE "/p?a"), 0), SITE "/p");
    fg_arena_clear(&arena);
}

/* --- pages asked for in vain --- */

static void new_pages_that_are_never_told_are_asked_for_once_a_day(void **state)
{
    (void)state;
    struct fg_pattern pattern = {.last_ask = 10 * FG_DAY};
    fg_time soon = pattern.last_ask + FG_HOUR;
    for (unsigned i = 0; i < 9; i++)
        fg_pattern_note_vain(&pattern);
    assert_false(fg_pattern_is_in_vain(&pattern, soon));
    fg_pattern_note_vain(&pattern);
    assert_true(fg_pattern_is_in_vain(&pattern, soon));
    assert_false(fg_pattern_is_in_vain(&pattern, pattern.last_ask + FG_DAY));
    pattern.reported = 1; /* one of eleven */
    assert_false(fg_pattern_is_in_vain(&pattern, soon));
    for (unsigned i = 0; i < 1000; i++)
        fg_pattern_note_vain(&pattern);
    assert_true(fg_pattern_is_in_vain(&pattern, soon));
    pattern.reported = 3; /* it may mend its ways within days */
    assert_false(fg_pattern_is_in_vain(&pattern, soon));
}

/* --- tokens --- */

static uint64_t token(const char *url)
{
    return fg_address_token(fg_str_from(url));
}

static void views_of_one_thing_have_its_token_in_common(void **state)
{
    (void)state;
    uint64_t commit = token(SITE "/r/commit/?id=3f2a91bc44d0e7f1aa");
    assert_true(commit != 0);
    assert_true(token(SITE "/r/diff/?h=main&id=3f2a91bc44d0e7f1aa&x=1") == commit);
    assert_true(token(SITE "/r/commit/3f2a91bc44d0e7f1aa.patch") == commit);
    assert_true(token(SITE "/info/3f2a91bc44d0e7f1") == commit);
    assert_true(token(SITE "/r/commit/?id=3f2a91bc44d0e7f2aa") != commit);
    uint64_t mail = token(SITE "/list/dev/message/3MMV5MHM5IOYBMU5SUVPO7NKOD3KVA64/");
    assert_true(mail != 0);
    assert_true(token(SITE "/list/dev/thread/3MMV5MHM5IOYBMU5SUVPO7NKOD3KVA64/") == mail);
    assert_true(token(SITE "/list/dev/thread/4MMV5MHM5IOYBMU5SUVPO7NKOD3KVA64/") != mail);
    assert_true(!token(SITE "/3MMV5MHM5IOYBMU5SUVPO7NKOD3KVA64/a-page"));
}

static void what_is_no_hash_is_no_token(void **state)
{
    (void)state;
    static const char *const none[] = {
        SITE "/",
        SITE "/a/b0c1d2e3f4",                    /* short */
        SITE "/facadefacadefacade",              /* a word */
        SITE "/3f2a91bc44d0e7f1zz",              /* goes on */
        SITE "/zz3f2a91bc44d0e7f1",              /* began earlier */
        "https://3f2a91bc44d0e7f1.example.org/", /* a host */
    };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (token(none[i]))
            fail_msg("%s has a token", none[i]);
}

/* --- saving --- */

static struct fg_patterns *some(void)
{
    struct fg_patterns *patterns = fg_patterns_new();
    char path[64];
    for (char c = 'a'; c < 'a' + 13; c++) {
        snprintf(path, sizeof path, "/tag/%c", c);
        meet(patterns, path);
    }
    learn(meet(patterns, "/cal/2026"), FG_CAME_OTHER, 12);
    find(patterns, "/cal/1")->last_ask = 20000 * FG_DAY;
    note(meet(patterns, "/p/1"), SITE "/p/%u", 1, 3, 9);
    for (int i = 0; i < 24; i++)
        fg_patterns_learn(patterns, fg_str_from(SITE "/filter?z=1"), FG_CAME_OTHER,
                          false);
    for (int i = 0; i < 3; i++)
        compare(patterns, SITE "/p/1?sid=5", SITE "/p/1", true);
    return patterns;
}

static void what_was_learnt_is_kept(void **state)
{
    (void)state;
    struct fg_patterns *saved = some(), *patterns;
    struct fg_buf bytes;
    fg_buf_init(&bytes, 1 << 20);
    fg_patterns_save(saved, &bytes);
    fg_patterns_free(saved);
    assert_true(fg_patterns_load(&patterns, (struct fg_str){bytes.at, bytes.len}));
    assert_str(fg_str_from(find(patterns, "/tag/a")->text), "/tag/*");
    assert_int_equal(find(patterns, "/cal/7")->came[FG_CAME_OTHER], 12);
    assert_false(fg_pattern_may_ask(find(patterns, "/cal/7"), 20000 * FG_DAY + FG_HOUR));
    assert_true(is_old(find(patterns, "/p/1"), SITE "/p/5"));
    check_reduced(patterns, SITE "/p/9?sid=7", SITE "/p/9");
    assert_int_equal(meet(patterns, "/cal/8")->known, 2);
    assert_true(fg_patterns_in_maze(patterns, fg_str_from(SITE "/filter?z=1")));
    fg_patterns_free(patterns);
    /* What an older version saved is learnt anew. */
    bytes.at[6] = '2';
    assert_false(fg_patterns_load(&patterns, (struct fg_str){bytes.at, bytes.len}));
    fg_patterns_free(patterns);
    fg_buf_clear(&bytes);
}

static void check_usable(struct fg_patterns *patterns)
{
    meet(patterns, "/tag/rain");
    learn(find(patterns, "/cal/7"), FG_CAME_PAGE, 1);
    compare(patterns, SITE "/p/1?sid=5", SITE "/p/1", true);
    struct fg_arena arena = {0};
    fg_patterns_reduce(patterns, &arena, fg_str_from(SITE "/p/9?sid=7"));
    fg_arena_clear(&arena);
    is_old(find(patterns, "/p/1"), SITE "/p/5");
}

static void damaged_bytes_do_no_harm(void **state)
{
    (void)state;
    struct fg_patterns *saved = some(), *patterns;
    struct fg_buf bytes;
    fg_buf_init(&bytes, 1 << 20);
    fg_patterns_save(saved, &bytes);
    fg_patterns_free(saved);
    for (size_t len = 0; len < bytes.len; len++) { /* cut short */
        assert_false(fg_patterns_load(&patterns, (struct fg_str){bytes.at, len}));
        assert_int_equal(find(patterns, "/cal/7")->came[FG_CAME_OTHER], 0);
        fg_patterns_free(patterns);
    }
    for (size_t i = 0; i < bytes.len; i++) { /* one byte is another one */
        char before = bytes.at[i];
        bytes.at[i] = (char)~before;
        fg_patterns_load(&patterns, (struct fg_str){bytes.at, bytes.len});
        check_usable(patterns);
        fg_patterns_free(patterns);
        bytes.at[i] = before;
    }
    fg_buf_add_char(&bytes, 'x'); /* one too many */
    assert_false(fg_patterns_load(&patterns, (struct fg_str){bytes.at, bytes.len}));
    check_usable(patterns);
    fg_patterns_free(patterns);
    fg_buf_clear(&bytes);
}

FG_TESTS(templates_leave_out_what_varies, addresses_of_one_template_are_one_pattern,
         words_are_generalised_after_a_dozen, folders_of_many_pages_keep_their_names,
         numbers_behind_titles_only_speak_for_what_is_new,
         values_of_parameters_are_words_like_others,
         long_templates_are_cut_to_be_shown_only, there_is_an_end_of_patterns,
         a_trap_is_asked_thirty_times_and_then_once_a_day,
         a_pattern_that_gives_is_asked_for_ever, a_trap_that_mends_its_ways_is_none,
         a_trap_may_be_asked_if_it_never_was_or_the_clock_was_set_back,
         chances_follow_the_record, parameters_beside_a_path_are_learnt,
         the_number_before_a_title_is_the_one_that_counts,
         a_number_of_a_stock_that_is_not_known_yet_is_old,
         numbers_that_are_counted_up_tell_the_age, numbers_above_a_large_stock_are_new,
         few_or_scattered_numbers_tell_nothing,
         stock_that_may_have_come_since_makes_nothing_old,
         numbers_that_are_none_are_left_alone, a_number_that_was_skipped_tells_nothing,
         a_parameter_without_effect_is_dropped_after_three_comparisons,
         two_names_of_a_page_are_both_needed, programs_keep_their_names,
         a_parameter_that_names_the_visit_has_no_effect_anywhere,
         two_values_of_one_parameter_are_one_comparison,
         a_parameter_that_makes_a_difference_stays,
         several_parameters_tell_only_if_the_pages_are_the_same,
         other_paths_and_equal_addresses_tell_nothing, parameters_are_taken_off_by_number,
         new_pages_that_are_never_told_are_asked_for_once_a_day,
         views_of_one_thing_have_its_token_in_common, what_is_no_hash_is_no_token,
         a_session_is_one_on_the_whole_site, the_newest_commit_does_not_make_hashes_idle,
         what_was_learnt_is_kept, damaged_bytes_do_no_harm)
