#include "net/html/selector.h"

#include "test.h"

static const char shop[] =
    "<!DOCTYPE html><html lang=de><head><title>Ein  Ding</title>"
    "<meta property='product:price:amount' content='12.50'>"
    "<meta name=robots content=index></head><body class='page shop'>"
    "<nav><a href=/>Start</a><a href='/x'>X</a></nav>"
    "<main id=main><h1>Ein Ding</h1>"
    "<div class='box price-box' data-sku='A-12'><span "
    "class=price>12,50&nbsp;&euro;</span>"
    "<del>15,00 &euro;</del><p>Noch <b>3</b> St&uuml;ck<p hidden>geheim</div>"
    "<ul><li>eins<li class=on>zwei<li>drei<ul><li>vier</ul></ul>"
    "<table><tr><td>a<td>b<tr><td>c<td>d</table>"
    "</main><aside><span class='price'>9,99</span><img alt='Bild' src=b.png></aside>"
    "<script id=data>{\"n\": 1 < 2}</script><template><b class=price>0</b></template>";

static void check_in(const char *html, const char *text, const char *expected)
{
    struct fg_arena arena = {0};
    struct fg_err err = {0};
    const struct fg_selector *selector;
    if (fg_selector_parse(&selector, &arena, fg_str_from(text), &err))
        fail_msg("'%s': %s", text, err.text);
    struct fg_selected found;
    fg_selector_take(&found, &arena, selector, fg_str_from(html), 1000);
    if (!fg_str_eq(found.text, fg_str_from(expected)))
        fail_msg("'%s' takes '%.*s', not '%s'", text, FG_ARG(found.text), expected);
    fg_arena_clear(&arena);
}

static void check(const char *text, const char *expected)
{
    check_in(shop, text, expected);
}

static void tags_ids_and_classes_are_found(void **state)
{
    (void)state;
    check("h1", "Ein Ding");
    check("H1", "Ein Ding");
    check("title", "Ein Ding");
    check(".price", "12,50\u00A0€\n9,99");
    check("span.price", "12,50\u00A0€\n9,99");
    check(".price.box", "");
    check(".box.price-box .price", "12,50\u00A0€");
    check("#main .price", "12,50\u00A0€");
    check("main#main h1", "Ein Ding");
    check(".PRICE", "");
    check("del, h1", "Ein Ding\n15,00 €");
    check("*.price", "12,50\u00A0€\n9,99");
    check("nothing", "");
}

static void attributes_are_tested(void **state)
{
    (void)state;
    check("[data-sku] .price", "12,50\u00A0€");
    check("[data-sku=A-12] del", "15,00 €");
    check("[DATA-SKU=\"A-12\"] del", "15,00 €");
    check("[data-sku='a-12'] del", "");
    check("[data-sku=a-12 i] del", "15,00 €");
    check("[data-sku^=A-] del", "15,00 €");
    check("[data-sku$='12'] del", "15,00 €");
    check("[data-sku*='-'] del", "15,00 €");
    check("[data-sku*=''] del", "");
    check("[class~=price-box] del", "15,00 €");
    check("[data-sku|=A] del", "15,00 €");
    check("[data-sku^=B] del", "");
    check("a[href='/x']", "X");
}

static void attributes_are_taken(void **state)
{
    (void)state;
    check("meta[property='product:price:amount']@content", "12.50");
    check("a@href", "/\n/x");
    check("img@alt", "Bild");
    check("a@title", "");
    check("html@lang", "de");
    check("body@class", "page shop");
    check("h1, img@src", "Ein Ding\nb.png");
}

static void combinators_look_at_the_right_elements(void **state)
{
    (void)state;
    check("main > .price", "");
    check("main > div > .price", "12,50\u00A0€");
    check("main>div>.price", "12,50\u00A0€");
    check("main .price", "12,50\u00A0€");
    check("aside > .price", "9,99");
    check("nav + main h1", "Ein Ding");
    check("nav + aside", "");
    check("nav ~ aside .price", "9,99");
    check(".price + del", "15,00 €");
    check("h1 ~ ul > li.on", "zwei");
    check("html > body > main > h1", "Ein Ding");
    check("head > title", "Ein Ding");
    check("head > h1", "");
    check("body.shop nav a", "Start\nX");
}

static void children_are_counted(void **state)
{
    (void)state;
    check("main > ul > li:first-child", "eins");
    check("main > ul > li:nth-child(2)", "zwei");
    check("main > ul > li:nth-child(odd)", "eins\ndrei vier");
    check("main > ul > li:nth-child(n+3)", "drei vier");
    check("main > ul > li:nth-child(-n+2)", "eins\nzwei");
    check("tr:nth-child(2) > td:nth-child(2)", "d");
    check("td:nth-child(even)", "b\nd");
    check("aside img:first-of-type@alt", "Bild");
    check("main > div > p:nth-of-type(1)", "Noch 3 Stück");
    check("span:first-of-type", "12,50\u00A0€\n9,99");
    check("nav a:not([href='/x'])", "Start");
    check("li:not(.on):first", "eins");
    check(".price:first", "12,50\u00A0€");
    check("a:first@href", "/");
}

static void text_is_what_a_reader_sees(void **state)
{
    (void)state;
    check(".box", "12,50\u00A0€15,00 € Noch 3 Stück");
    check("table", "a b c d");
    check("script#data", "{\"n\": 1 < 2}");
    check("main > ul", "eins zwei drei vier");
    check("li", "eins\nzwei\ndrei vier");
    check("[hidden]", "geheim");
}

static void pages_without_frame_tags_are_read(void **state)
{
    (void)state;
    check_in("<p>one", "html > body > p", "one");
    check_in("text <b>bold</b>", "body", "text bold");
    check_in("<title>t</title><p>one", "head > title", "t");
    check_in("<p id='a\\b'>one<p id=2x>two", "#\\32 x", "two");
    check_in("<p class='md:flex'>one", ".md\\:flex", "one");
    check_in("", "p", "");
    check_in("<svg><a class=k>in svg</a></svg>", "svg .k", "in svg");
}

static void mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "at character 1, its end"},
        {"a >", "at character 4, its end"},
        {"a,,b", "at character 3, before ',b'"},
        {"a[href", "']' is missing at character 7"},
        {"a[href='x]", "the quote is not closed"},
        {"a[=x]", "an attribute's name is missing at character 3"},
        {".", "behind '.' at character 2"},
        {"# x", "behind '#' at character 2"},
        {"a:last-child", "first-of-type"},
        {"a:nth-child(x)", "2n+1"},
        {"a:nth-child", "'(' is missing"},
        {":first-of-type", "needs a tag"},
        {"a@", "attribute's name is missing at character 3"},
        {"a@href b", "',' is missing at character 8"},
        {"a)", "at character 2, before ')'"},
        {"a:first b", "',' is missing"},
        {"a:not(b c)", "')' is missing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_arena arena = {0};
        struct fg_err err = {0};
        const struct fg_selector *selector;
        enum fg_status st =
            fg_selector_parse(&selector, &arena, fg_str_from(cases[i].text), &err);
        if (st != FG_ECONFIG || !strstr(err.text, cases[i].words))
            fail_msg("'%s' says '%s', without '%s'", cases[i].text, err.text,
                     cases[i].words);
        fg_arena_clear(&arena);
    }
}

static void limits_hold(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    const struct fg_selector *selector;
    struct fg_selected found;
    static char many[400] = "a", page[9 * 2000 + 1];
    for (size_t i = 0; i < 64; i++)
        memcpy(many + 1 + 2 * i, " b", 2);
    assert_int_equal(fg_selector_parse(&selector, &arena, fg_str_from(many), NULL),
                     FG_ECONFIG);
    assert_int_equal(fg_selector_parse(&selector, &arena, FG_STR("b"), NULL), FG_OK);
    fg_selector_take(&found, &arena, selector, FG_STR("<b>one two</b>"), 5);
    assert_str(found.text, "one t");
    assert_true(found.is_cut);
    for (size_t i = 0; i < 2000; i++)
        memcpy(page + 9 * i, "<b>x</b> ", 9);
    fg_selector_take(&found, &arena, selector, fg_str_from(page), 100000);
    assert_int_equal(found.n, FG_SELECTOR_MATCHES);
    assert_int_equal(found.text.len, 2 * FG_SELECTOR_MATCHES - 1);
    assert_true(found.is_cut);
    fg_arena_clear(&arena);
}

FG_TESTS(tags_ids_and_classes_are_found, attributes_are_tested, attributes_are_taken,
         combinators_look_at_the_right_elements, children_are_counted,
         text_is_what_a_reader_sees, pages_without_frame_tags_are_read,
         mistakes_are_told_with_their_place, limits_hold)
