/* The parameters of an address, one after the other. */
#include "net/url/query.h"
#include "test.h"

static struct fg_arena arena;

static void parameters_stand_between_ampersands_and_semicolons(void **state)
{
    (void)state;
    struct fg_str rest = fg_query_of(FG_STR("https://a.example/x?a=1&b;c=2=3&&d=")), part;
    static const char *const parts[] = {"a=1", "b", "c=2=3", "", "d="}, *const keys[] = {
                                                                            "a", "b", "c",
                                                                            "", "d"};
    for (size_t i = 0; i < 5; i++) {
        assert_true(fg_query_next(&rest, &part));
        assert_str(part, parts[i]);
        assert_str(fg_query_key(part), keys[i]);
    }
    assert_false(fg_query_next(&rest, &part));
    assert_str(fg_query_of(FG_STR("https://a.example/x")), "");
    assert_true(fg_query_has(FG_STR("a=1&b=2"), FG_STR("b=2")));
    assert_false(fg_query_has(FG_STR("a=1&b=2"), FG_STR("b")));
}

static void an_address_loses_one_parameter(void **state)
{
    (void)state;
    static const struct {
        const char *url, *left;
    } cases[] = {
        {"https://a.example/x?s=1", "https://a.example/x"},
        {"https://a.example/x?a=1&s=1&b=2", "https://a.example/x?a=1&b=2"},
        {"https://a.example/x?a=1;s=1;b=2", "https://a.example/x?a=1;b=2"},
        {"https://a.example/x?ss=1", "https://a.example/x?ss=1"},
        {"https://a.example/x", "https://a.example/x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(fg_query_without(&arena, fg_str_from(cases[i].url), FG_STR("s")),
                   cases[i].left);
    fg_arena_clear(&arena);
}

FG_TESTS(parameters_stand_between_ampersands_and_semicolons,
         an_address_loses_one_parameter)
