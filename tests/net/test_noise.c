#include "net/html/noise.h"

#include "net/html/value.h"

#include "test.h"

static struct fg_arena arena;

static void check_cut(const char *selector, const char *html, const char *left)
{
    struct fg_noise noise = {0};
    assert_int_equal(fg_noise_add(&noise, &arena, fg_str_from(selector), NULL), FG_OK);
    assert_str(fg_noise_cut(&noise, &arena, fg_str_from(html)), left);
    fg_arena_clear(&arena);
}

static void elements_go_with_all_that_is_in_them(void **state)
{
    (void)state;
    check_cut(".x", "<p>a</p><div class=x>b<p>c</p></div><p>d</p>", "<p>a</p> <p>d</p>");
    check_cut(".x", "<div class=x>a<div class=x>b</div>c</div>d", " d");
    check_cut("img", "a<img src=b>c<br>d", "a c<br>d");
    check_cut("#none", "<p>a</p>", "<p>a</p>");
}

/* The end of an element may be written nowhere. */
static void elements_end_where_the_standard_ends_them(void **state)
{
    (void)state;
    check_cut(".x", "<ul><li>a<li class=x>b<li>c</ul>d", "<ul><li>a <li>c</ul>d");
    check_cut(".x", "<ul><li>a<li class=x>b</ul>d", "<ul><li>a </ul>d");
    check_cut(".x", "<p>a<p class=x>b<div>c</div>", "<p>a <div>c</div>");
    check_cut(".x", "a<p class=x>b", "a ");
}

static void lines_are_matched_whole(void **state)
{
    (void)state;
    struct fg_noise all = {0}, own = {.also = &all};
    assert_int_equal(fg_noise_add(&all, &arena, FG_STR("text:*ago"), NULL), FG_OK);
    assert_int_equal(fg_noise_add(&own, &arena, FG_STR("text: views: ?"), NULL), FG_OK);
    assert_str(fg_noise_drop_lines(&own, &arena,
                                   FG_STR("one\n2 days ago\nviews: 7\nviews: 77\nago x")),
               "one\nviews: 77\nago x");
    assert_true(fg_noise_has_lines(&own));
    assert_false(fg_noise_has_selectors(&own));
    struct fg_err err = {0};
    assert_int_equal(fg_noise_add(&own, &arena, FG_STR("text:"), &err), FG_ECONFIG);
    assert_int_equal(fg_noise_add(&own, &arena, FG_STR("p >"), &err), FG_ECONFIG);
    fg_arena_clear(&arena);
}

static uint64_t hash_of(const char *html, const char *text)
{
    struct fg_value_rule rule;
    struct fg_page page;
    struct fg_value value;
    assert_int_equal(fg_value_rule_parse(&rule, &arena, fg_str_from(text), NULL), FG_OK);
    fg_page_read(&page, &arena, fg_str_from(html), FG_VALUE_PARTS);
    fg_value_read(&value, &arena, &page, fg_str_from(html), &rule);
    fg_arena_clear(&arena);
    return value.hash;
}

static void a_value_may_be_without_parts(void **state)
{
    (void)state;
    const char
        *one = "<main id=m><p>good</p><p class=ad>buy a</p><p>seen by five</p></main>",
        *two = "<main id=m><p>good</p><p class=ad>try b</p><p>seen by nine</p></main>";
    static const char *const rules[] = {"selector:#m", "page", "text"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        char quiet[200], half[200];
        snprintf(half, sizeof half, "%s without .ad", rules[i]);
        snprintf(quiet, sizeof quiet, "%s without .ad without text:seen by *", rules[i]);
        assert_true(hash_of(one, rules[i]) != hash_of(two, rules[i]));
        assert_true(hash_of(one, half) != hash_of(two, half));
        assert_true(hash_of(one, quiet) == hash_of(two, quiet));
    }
}

FG_TESTS(elements_go_with_all_that_is_in_them, elements_end_where_the_standard_ends_them,
         lines_are_matched_whole, a_value_may_be_without_parts)
