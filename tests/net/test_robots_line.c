/* Where the rule that decided stands in the file. */
#include "net/robots/robots.h"
#include "net/robots/rules.h"

#include "test.h"

static unsigned line_of(const char *text, const char *path)
{
    struct fg_arena arena = {0};
    struct fg_str names = FG_STR("mybot"), file = fg_str_from(text);
    struct fg_rule by = {0};
    const struct fg_robots *robots = fg_robots_parse(&arena, file, names);
    fg_robots_explain(&by, &arena, robots, fg_str_from(path));
    unsigned line = fg_robots_rule_line(file, names, &by);
    fg_arena_clear(&arena);
    return line;
}

static void lines_are_those_of_our_group(void **state)
{
    (void)state;
    const char *text = "# a\n"
                       "User-agent: *\n"
                       "Disallow: /x\n"
                       "\n"
                       "User-agent: MyBot\r\n"
                       "Allow: /x/open\r\n"
                       "Disallow: /x # ours\r\n"
                       "Disallow: /%7euser";
    assert_int_equal(line_of(text, "/x/1"), 7);
    assert_int_equal(line_of(text, "/x/open"), 6);
    assert_int_equal(line_of(text, "/~user"), 8);
    assert_int_equal(line_of(text, "/y"), 0);
    assert_int_equal(line_of("", "/x"), 0);
    assert_int_equal(line_of("User-agent: *\rDisallow: /a\r\rDisallow: /b", "/b"), 4);
}

FG_TESTS(lines_are_those_of_our_group)
