#include "net/html/xpath.h"

#include "net/html/selector.h"

#include "test.h"

static void check(const char *xpath, const char *expected)
{
    struct fg_arena arena = {0};
    struct fg_str selector;
    bool is_good = fg_xpath_to_selector(&selector, &arena, fg_str_from(xpath));
    if (!expected) {
        assert_false(is_good);
    } else {
        const struct fg_selector *parsed;
        assert_true(is_good);
        assert_str(selector, expected);
        assert_int_equal(fg_selector_parse(&parsed, &arena, selector, NULL), FG_OK);
    }
    fg_arena_clear(&arena);
}

static void paths_become_selectors(void **state)
{
    (void)state;
    check("//div", "div");
    check("/html/body/marquee", "html > body > marquee");
    check("//*[@id=\"price\"]", "[id=\"price\"]");
    check("//div[@class='a b']//span/b", "div[class=\"a b\"] span > b");
    check("//table/tr[3]/td[2]", "table > tr:nth-of-type(3) > td:nth-of-type(2)");
    check("//ul/*[1]", "ul > :nth-child(1)");
    check("//a[@href]/@href", "a[href]@href");
    check("//p/text()", "p");
    check("//div[contains(@class, 'news')]", "div[class*=\"news\"]");
    check("//a[starts-with(@href,'/x')]", "a[href^=\"/x\"]");
    check("(//a[@class='t'])[1]", "a[class=\"t\"]:first");
    check("//h1 | //h2", "h1, h2");
    check(".//div/p", "div > p");
}

static void what_has_no_selector_is_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "div",
        "//",
        "//div[",
        "//div[@a='",
        "//div[2][@a]",
        "//div[@a][2]",
        "//div[last()]",
        "//div/following-sibling::p",
        "//div[text()='x']",
        "(//div)[2]",
        "(//div",
        "//div[@a='\"']",
        "//div/..",
        "//item/media:keywords",
        "count(//a)",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(cases[i], NULL);
}

FG_TESTS(paths_become_selectors, what_has_no_selector_is_refused)
