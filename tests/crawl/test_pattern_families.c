#include "test.h"

#include "crawl/sources/pattern.h"

#define SITE "https://example.org"

static struct fg_str at(const char *path)
{
    static char url[512];
    snprintf(url, sizeof url, SITE "%s", path);
    return fg_str_from(url);
}

static void learn(struct fg_pattern *pattern, enum fg_came came, unsigned times)
{
    while (times--)
        fg_pattern_learn(pattern, came);
}

/* Asks for so many combinations of filters, each of another pattern; how many are. */
static unsigned ask_combinations(struct fg_patterns *patterns, const char *before,
                                 const char *joint, enum fg_came came, bool is_idle)
{
    unsigned asked = 0;
    for (unsigned set = 1; set < 1 << 7; set++) {
        char path[128];
        int n = snprintf(path, sizeof path, "%s", before);
        for (int key = 0; key < 7; key++)
            if (set >> key & 1)
                n += snprintf(path + n, sizeof path - (size_t)n, joint, 'a' + key);
        fg_patterns_meet(patterns, at(path));
        if (!fg_patterns_may_ask(patterns, at(path), 20000 * FG_DAY))
            continue;
        asked++;
        fg_patterns_note_ask(patterns, at(path), 20000 * FG_DAY);
        fg_patterns_learn(patterns, at(path), came, is_idle);
    }
    return asked;
}

static void a_maze_of_filters_is_one_trap(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    assert_int_equal(
        ask_combinations(patterns, "/filter?x=1", "&%c=1", FG_CAME_LIST, true), 24);
    assert_str(fg_str_from(fg_patterns_family(patterns, at("/filter?z=3"))->text),
               "/filter?*");
    assert_int_equal(fg_patterns_family(patterns, at("/filter?z=3"))->known, 127);
    assert_true(fg_patterns_in_maze(patterns, at("/filter?z=3")));
    /* Once a day, and then not again, whatever its parameters are. */
    fg_time next = 20001 * FG_DAY;
    assert_true(fg_patterns_may_ask(patterns, at("/filter?z=3"), next));
    fg_patterns_note_ask(patterns, at("/filter?z=3"), next);
    assert_false(fg_patterns_may_ask(patterns, at("/filter?y=3"), next + FG_HOUR));
    /* Other programs, and the page without parameters, are not concerned. */
    assert_false(fg_patterns_in_maze(patterns, at("/filter")));
    assert_false(fg_patterns_in_maze(patterns, at("/thread?id=3")));
    fg_patterns_free(patterns);
}

static void a_maze_of_folders_is_one_trap(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    unsigned asked =
        ask_combinations(patterns, "/shop/all", "/%c-is-set", FG_CAME_LIST, true);
    assert_in_range(asked, 24, 30); /* of which some lie too high to be of the family */
    assert_str(fg_str_from(fg_patterns_family(patterns, at("/shop/all/x/y"))->text),
               "/shop/...");
    assert_true(fg_patterns_in_maze(patterns, at("/shop/all/x/y")));
    assert_false(fg_patterns_in_maze(patterns, at("/shop/all")));
    assert_false(fg_patterns_in_maze(patterns, at("/news/2026/11/a-long-title")));
    fg_patterns_free(patterns);
}

static void lists_and_pages_with_something_of_their_own_make_no_maze(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    assert_int_equal(
        ask_combinations(patterns, "/list.php?x=1", "&%c=1", FG_CAME_LIST, false), 127);
    assert_int_equal(
        ask_combinations(patterns, "/index.php?title=a", "&%c=1", FG_CAME_PAGE, false),
        127);
    /* Nor are the pages beside one: items under the path of a maze. */
    ask_combinations(patterns, "/shop.php?x=1", "&%c=1", FG_CAME_LIST, true);
    assert_true(fg_patterns_in_maze(patterns, at("/shop.php?id=7")));
    fg_patterns_learn(patterns, at("/shop.php?id=7"), FG_CAME_PAGE, false);
    assert_false(fg_patterns_in_maze(patterns, at("/shop.php?id=8")));
    assert_true(fg_patterns_may_ask(patterns, at("/shop.php?id=8"), 20000 * FG_DAY));
    assert_true(fg_patterns_in_maze(patterns, at("/shop.php?id=8&sort=a")));
    fg_patterns_free(patterns);
}

static void counted_words_are_one_word(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    char path[64];
    for (int i = 0; i < 40; i++) {
        snprintf(path, sizeof path, "/v%03d/date.html", i);
        assert_str(fg_str_from(fg_patterns_meet(patterns, at(path))->text),
                   "/v#/date.html");
    }
    learn(fg_patterns_find(patterns, at(path)), FG_CAME_LIST, 2);
    assert_false(fg_pattern_is_list(fg_patterns_find(patterns, at(path))));
    learn(fg_patterns_find(patterns, at(path)), FG_CAME_LIST, 1);
    assert_true(fg_pattern_is_list(fg_patterns_find(patterns, at(path))));
    learn(fg_patterns_find(patterns, at(path)), FG_CAME_PAGE, 2);
    assert_false(fg_pattern_is_list(fg_patterns_find(patterns, at(path))));
    fg_patterns_free(patterns);
}

FG_TESTS(a_maze_of_filters_is_one_trap, a_maze_of_folders_is_one_trap,
         lists_and_pages_with_something_of_their_own_make_no_maze,
         counted_words_are_one_word)
