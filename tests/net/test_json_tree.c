#include "net/text/json_tree.h"

#include "test.h"

static void check(const char *text, const char *expected)
{
    struct fg_arena arena = {0};
    json_t *root = fg_json_tree_mended(&arena, fg_str_from(text));
    char *said = root ? json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    if (strcmp(said ? said : "", expected) != 0)
        fail_msg("'%s' is read as '%s', not '%s'", text, said ? said : "", expected);
    free(said);
    json_decref(root);
    fg_arena_clear(&arena);
}

static void good_json_is_read_as_it_is(void **state)
{
    (void)state;
    check("{\"a\": [1, \"x // y\", {\"b\": null}]}",
          "{\"a\":[1,\"x // y\",{\"b\":null}]}");
    check(" [] ", "[]");
    check("{\"a\":\"\\u00e9,}\"}", "{\"a\":\"é,}\"}");
}

static void habits_of_authors_are_mended(void **state)
{
    (void)state;
    check("{\"a\": 1,}", "{\"a\":1}");
    check("[1, 2, /* three */ ]", "[1,2]");
    check("{\"a\": \"one\ntwo\"}", "{\"a\":\"one two\"}");
    check("{\"a\": \"it\\'s\"}", "{\"a\":\"it's\"}");
    check("<!--\n{\"a\": 1}\n-->", "{\"a\":1}");
    check("//<![CDATA[\n{\"a\": 1}\n//]]>", "{\"a\":1}");
    check("{\"a\": 1};", "{\"a\":1}");
    check("{&quot;a&quot;: 1}", "{\"a\":1}");
    check("{\"a\": 1, // one\n \"b\": \"http://x/\",\n}",
          "{\"a\":1,\"b\":\"http://x/\"}");
    check("\xEF\xBB\xBF{\"a\": \"\xFF\"}", "{\"a\":\"\uFFFD\"}");
}

static void what_cannot_be_mended_is_refused(void **state)
{
    (void)state;
    check("", "");
    check("no json", "");
    check("{\"a\": 1", "");
    check("{\"a\": \"1", "");
    check("{\"a\": \"1\\", "");
    check("{a: 1}", "");
    check("{\"a\": ,}", "");
}

static void what_costs_too_much_is_refused(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    static char deep[1000], wide[100001];
    memset(deep, '[', sizeof deep - 1);
    assert_null(fg_json_tree_mended(&arena, fg_str_from(deep)));
    wide[0] = '[';
    for (size_t i = 1; i + 3 < sizeof wide; i += 3)
        memcpy(wide + i, "[],", 3);
    memcpy(wide + sizeof wide - 4, "[]]", 3);
    assert_null(fg_json_tree_mended(&arena, fg_str_from(wide)));
    struct fg_json_limits limits = {.depth = 1, .containers = 2, .values = 1};
    assert_true(fg_json_tree_is_affordable(FG_STR("[\"[,{\\\"[\", 1]"), &limits));
    assert_false(fg_json_tree_is_affordable(FG_STR("[[]]"), &limits));
    assert_false(fg_json_tree_is_affordable(FG_STR("[1,2,3]"), &limits));
    fg_arena_clear(&arena);
}

FG_TESTS(good_json_is_read_as_it_is, habits_of_authors_are_mended,
         what_cannot_be_mended_is_refused, what_costs_too_much_is_refused)
