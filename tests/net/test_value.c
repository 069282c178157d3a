#include "net/html/value.h"

#include "base/utf8.h"

#include "test.h"

static struct fg_arena arena;

/* Whoever has read the facts gets the same value. */
static void check_after_facts(const char *html, const struct fg_value_rule *rule,
                              const struct fg_value *expected)
{
    struct fg_page page;
    struct fg_facts facts;
    struct fg_value value;
    struct fg_facts_visit visit = {.now = FG_NEVER};
    fg_page_read(&page, &arena, fg_str_from(html), FG_PAGE_ALL);
    fg_facts_read(&facts, &arena, &page, fg_str_from(html), &visit);
    fg_value_read_after(&value, &arena, &page, fg_str_from(html), rule, &facts);
    assert_true(value.hash == expected->hash && value.kind == expected->kind);
    assert_true(fg_str_eq(value.whole, expected->whole));
}

static struct fg_value value_of(const char *html, const char *rule_text)
{
    struct fg_page page;
    struct fg_value value;
    struct fg_value_rule rule;
    assert_int_equal(fg_value_rule_parse(&rule, &arena, fg_str_from(rule_text), NULL),
                     FG_OK);
    fg_page_read(&page, &arena, fg_str_from(html), FG_VALUE_PARTS);
    fg_value_read(&value, &arena, &page, fg_str_from(html), &rule);
    check_after_facts(html, &rule, &value);
    return value;
}

static void check(const char *html, const char *rule, enum fg_value_kind kind,
                  const char *text)
{
    struct fg_value value = value_of(html, rule);
    assert_str(value.text, text);
    assert_int_equal(value.kind, kind);
    fg_arena_clear(&arena);
}

static bool differ(const char *one, const char *other, const char *rule)
{
    bool is_other = value_of(one, rule).hash != value_of(other, rule).hash;
    fg_arena_clear(&arena);
    return is_other;
}

#define OFFER(price, availability)                                         \
    "<script type='application/ld+json'>{\"@type\":\"Product\","           \
    "\"name\":\"N\",\"offers\":{\"price\":\"" price                        \
    "\",\"priceCurrency\":\"EUR\",\"availability\":\"" availability "\"}}" \
    "</script>"

static void auto_takes_the_offer_else_the_text(void **state)
{
    (void)state;
    check(OFFER("12,5", "InStock") "<p>text", "auto", FG_VALUE_OFFER,
          "12.50 EUR InStock");
    check(OFFER("", "SoldOut") "<p>text", "auto", FG_VALUE_OFFER, "SoldOut");
    check(OFFER("", "InStock") "<p>some text", "auto", FG_VALUE_TEXT, "some text");
    check("<nav>menu</nav><p>some text", "auto", FG_VALUE_TEXT, "some text");
    assert_true(value_of(OFFER("1", "InStock"), "text").has_offer);
    fg_arena_clear(&arena);
}

static void rule_is_obeyed(void **state)
{
    (void)state;
    static const char html[] =
        OFFER("1", "InStock") "<nav>menu</nav><p class=x>some  text</p>";
    check(html, "offer", FG_VALUE_OFFER, "1.00 EUR InStock");
    check(html, "text", FG_VALUE_TEXT, "some text");
    check(html, "page", FG_VALUE_PAGE, "menu\nsome text");
    check(html, "selector:.x", FG_VALUE_SELECTOR, "some text");
    check(html, " selector: p@class ", FG_VALUE_SELECTOR, "x");
    check(html, "selector:.y", FG_VALUE_NONE, "");
    check("<p>text", "offer", FG_VALUE_NONE, "");
}

static void offer_changes_with_price_and_availability_only(void **state)
{
    (void)state;
    static const char before[] = OFFER("12.50", "InStock") "<p>Lots of stock";
    assert_false(differ(before, OFFER("12,50", "in stock") "<p>Buy now", "auto"));
    assert_true(differ(before, OFFER("12.49", "InStock") "<p>Lots of stock", "auto"));
    assert_true(differ(before, OFFER("12.50", "SoldOut") "<p>Lots of stock", "auto"));
    assert_true(differ(before, "<p>gone", "offer"));
}

#define LONG                                                                        \
    "The council has decided on Monday that the old bridge over the river will be " \
    "closed to all traffic and rebuilt at a cost of "

static void noise_around_the_text_does_not_change_it(void **state)
{
    (void)state;
    static const char before[] =
        "<nav><a href=/>Home</a> <a href=/a>News</a></nav><main><h1>Bridge</h1>"
        "<p>3 hours ago, 14 comments</p><p>" LONG "3 million.</p></main>"
        "<footer>Visitor 1204</footer>";
    static const char noise[] =
        "<nav><a href=/>Home</a> <a href=/a>Sport</a></nav><main><h1>Bridge</h1>"
        "<p>4 hours ago, 17 comments</p><p>" LONG "3 million.</p></main>"
        "<footer>Visitor 1399</footer>";
    static const char figure[] =
        "<nav><a href=/>Home</a></nav><main><h1>Bridge</h1>"
        "<p>5 hours ago, 20 comments</p><p>" LONG "4 million.</p></main>";
    assert_false(differ(before, noise, "text"));
    assert_true(differ(before, figure, "text"));
    assert_true(differ(before, noise, "page"));
    assert_false(differ(noise, noise, "page"));
    assert_false(differ("<p>Seen 5 times", "<p>Seen 6 times", "page"));
    assert_true(differ("<p id=n>5</p>", "<p id=n>6</p>", "selector:#n"));
}

static void something_is_left_without_noise(void **state)
{
    (void)state;
    check("<p>Stable text of the page with words that stay as ever before.</p>"
          "<div class=ads>ad 1 buy now 7</div><p>1 readers online</p>",
          "auto without .ads without text:*readers online*", FG_VALUE_TEXT,
          "Stable text of the page with words that stay as ever before.");
}

static void kept_text_has_an_end_between_two_letters(void **state)
{
    (void)state;
    static char html[4000] = "<p>x";
    for (size_t i = 4; i + 2 < 3000; i += 2)
        memcpy(html + i, "\u00e9", 2);
    struct fg_value value = value_of(html, "page");
    assert_int_equal(value.text.len, FG_VALUE_TEXT_MAX - 1);
    assert_true(fg_utf8_is_valid(value.text));
    value = value_of("<p>a\xFF", "page");
    assert_str(value.text, "a\uFFFD");
    fg_arena_clear(&arena);
}

static void bad_rules_are_told(void **state)
{
    (void)state;
    struct fg_value_rule rule;
    struct fg_err err = {0};
    assert_int_equal(fg_value_rule_parse(&rule, &arena, FG_STR("price"), &err),
                     FG_ECONFIG);
    assert_non_null(strstr(err.text, "'price' is not auto, page"));
    assert_int_equal(fg_value_rule_parse(&rule, &arena, FG_STR("selector:["), &err),
                     FG_ECONFIG);
    assert_non_null(strstr(err.text, "at character 2"));
    assert_int_equal(fg_value_rule_parse(&rule, &arena, FG_STR("selector:"), &err),
                     FG_ECONFIG);
    fg_arena_clear(&arena);
}

static void kinds_have_names(void **state)
{
    (void)state;
    assert_string_equal(fg_value_kind_name(FG_VALUE_OFFER), "offer");
    assert_string_equal(fg_value_kind_name(99), "unknown");
}

static void ranges_are_shown(void **state)
{
    (void)state;
    struct fg_offer offer = {.price = {"12.00", "EUR"}, .high = "24.00"};
    assert_str(fg_offer_line(&arena, &offer), "12.00-24.00 EUR");
    fg_arena_clear(&arena);
}

static void check_split(const char *line, const char *price, const char *high,
                        const char *currency, const char *availability)
{
    struct fg_offer_parts parts = fg_offer_line_split(fg_str_from(line));
    assert_str(parts.price, price);
    assert_str(parts.high, high);
    assert_str(parts.currency, currency);
    assert_str(parts.availability, availability);
}

static void offer_lines_come_apart(void **state)
{
    (void)state;
    check_split("1299.00 EUR InStock", "1299.00", "", "EUR", "InStock");
    check_split("12.00-24.00 EUR", "12.00", "24.00", "EUR", "");
    check_split("12.00 OutOfStock", "12.00", "", "", "OutOfStock");
    check_split("Discontinued", "", "", "", "Discontinued");
    check_split("", "", "", "", "");
}

FG_TESTS(auto_takes_the_offer_else_the_text, rule_is_obeyed,
         offer_changes_with_price_and_availability_only,
         noise_around_the_text_does_not_change_it, something_is_left_without_noise,
         kept_text_has_an_end_between_two_letters, bad_rules_are_told, kinds_have_names,
         ranges_are_shown, offer_lines_come_apart)
