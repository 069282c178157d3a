/* A parameter that names the visit is told from one that names a page by two looks at the
 * same list. */
#include "crawl/sources/session.h"
#include "test.h"

static struct fg_arena arena;

enum { LINKS = 10 };

static void fill(struct fg_str out[static LINKS], const char *format, const char *value)
{
    for (int i = 0; i < LINKS; i++)
        out[i] = fg_arena_printf(&arena, format, i, value);
}

static void expect_key(const char *before, const char *value_before, const char *now,
                       const char *value_now, const char *key)
{
    struct fg_str a[LINKS], b[LINKS];
    fill(a, before, value_before);
    fill(b, now, value_now);
    assert_str(fg_session_key(&arena, a, LINKS, b, LINKS), key);
    fg_arena_reset(&arena);
}

static void what_all_links_of_a_look_share_names_the_visit(void **state)
{
    (void)state;
    expect_key("https://a.example/t/%d?sid=%s", "f00", "https://a.example/t/%d?sid=%s",
               "ba7", "sid");
    expect_key("https://a.example/view?t=%d&s=%s", "1",
               "https://a.example/view?t=%d&s=%s", "2", "s");
    /* The first look had none: a cookie was offered instead. */
    expect_key("https://a.example/view?t=%d%s", "", "https://a.example/view?t=%d&s=%s",
               "2", "s");
}

/* Navigation and boxes may go without it. */
static void not_all_links_need_to_bear_it(void **state)
{
    (void)state;
    enum { MORE = 25 };
    struct fg_str before[MORE], now[MORE];
    for (int i = 0; i < MORE; i++) {
        const char *format = i < LINKS ? "https://a.example/t/%d?visit=%s"
                                       : "https://a.example/section/%d%s";
        before[i] = fg_arena_printf(&arena, format, i, i < LINKS ? "f00" : "");
        now[i] = fg_arena_printf(&arena, format, i, i < LINKS ? "ba7" : "");
    }
    assert_str(fg_session_key(&arena, before, MORE, now, MORE), "visit");
    /* Of a few it says nothing: they may be pages of their own. */
    for (int i = 7; i < LINKS; i++)
        now[i] = FG_STR("https://a.example/other");
    assert_str(fg_session_key(&arena, before, MORE, now, MORE), "");
    fg_arena_reset(&arena);
}

static void other_parameters_do_not(void **state)
{
    (void)state;
    /* The same value each time. */
    expect_key("https://a.example/t/%d?lang=%s", "en", "https://a.example/t/%d?lang=%s",
               "en", "");
    /* Other pages. */
    expect_key("https://a.example/t/%d?s=%s", "1", "https://a.example/u/%d?s=%s", "2",
               "");
    /* No parameter has a value in common. */
    expect_key("https://a.example/t?id=%d%s", "", "https://a.example/t?id=1%d%s", "", "");
    struct fg_str few[2] = {FG_STR("https://a.example/1?s=1"),
                            FG_STR("https://a.example/2?s=1")};
    struct fg_str again[2] = {FG_STR("https://a.example/1?s=2"),
                              FG_STR("https://a.example/2?s=2")};
    assert_str(fg_session_key(&arena, few, 2, again, 2), "");
    fg_arena_clear(&arena);
}

FG_TESTS(what_all_links_of_a_look_share_names_the_visit, not_all_links_need_to_bear_it,
         other_parameters_do_not)
