#include "test.h"

#include "net/url/url.h"

static struct fg_arena arena;

struct wrong {
    const char *input, *reason;
};

static void assert_reasons(const struct wrong *cases, size_t n, const struct fg_url *base)
{
    for (size_t i = 0; i < n; i++) {
        struct fg_url url;
        struct fg_str input = fg_str_from(cases[i].input);
        if (fg_url_parse(&url, &arena, input, base))
            fail_msg("\"%s\" is a URL", cases[i].input);
        assert_string_equal(fg_url_reason(&arena, input, base), cases[i].reason);
    }
}

static void the_first_wrong_part_is_named(void **state)
{
    (void)state;
    static const struct wrong cases[] = {
        {"", "it is empty"},
        {" \n", "it is empty"},
        {"a/b", "it has no scheme, such as 'https:'"},
        {"1http://a/", "it has no scheme, such as 'https:'"},
        {"http:", "it has no host"},
        {"http://?q", "it has no host"},
        {"http://u@/", "it has no host"},
        {"https://:80/", "it has no host"},
        {"x://:80/", "it has no host"},
        {"http://a:65536/", "its port is above 65535"},
        {"http://a:99999999999999999999999/", "its port is above 65535"},
        {"x://a:65536", "its port is above 65535"},
        {"http://a:8o/", "its port is not a number"},
        {"http://[::1]:x/", "its port is not a number"},
        {"http://[", "the bracket of its host is not closed"},
        {"http://[::1/a", "the bracket of its host is not closed"},
        {"http://[::1]a/", "something stands behind the bracket of its host"},
        {"x://[::g]/", "its IPv6 address is malformed"},
        {"http://[]/", "its IPv6 address is malformed"},
        {"http://1.2.3.256/", "its IPv4 address is malformed"},
        {"http://a.1/", "its IPv4 address is malformed"},
        {"http://a b/", "' ' may not stand in its host"},
        {"http:\\\\a^b/", "'^' may not stand in its host"},
        {"http://a%2fb/", "'/' may not stand in its host"},
        {"http://a%zz/", "'%' may not stand in its host"},
        {"x://a|b/", "'|' may not stand in its host"},
        {"file://a:80/", "':' may not stand in its host"},
        {"http://a%00b/", "a control character stands in its host"},
        {"http://xn--\xC3\xA4/", "its host is not a domain name"},
        {"http://\xC2\xAD/", "its host is not a domain name"},
    };
    assert_reasons(cases, sizeof cases / sizeof *cases, NULL);
    fg_arena_clear(&arena);
}

static void references_are_judged_with_their_base(void **state)
{
    (void)state;
    static const struct wrong at_http[] = {
        {"//a:x/", "its port is not a number"},
        {"\\\\[/", "the bracket of its host is not closed"},
        {"http://", "it has no host"},
    };
    static const struct wrong at_mail[] = {
        {"a", "nothing can be relative to this base"},
        {"http://a:x/", "its port is not a number"},
    };
    struct fg_url base;
    assert_true(fg_url_parse(&base, &arena, FG_STR("http://example.org/"), NULL));
    assert_reasons(at_http, sizeof at_http / sizeof *at_http, &base);
    assert_true(fg_url_parse(&base, &arena, FG_STR("mailto:me"), NULL));
    assert_reasons(at_mail, sizeof at_mail / sizeof *at_mail, &base);
    fg_arena_clear(&arena);
}

static void length_is_a_reason(void **state)
{
    (void)state;
    size_t n = FG_URL_MAX;
    char *text = fg_arena_bytes(&arena, n + 1);
    memset(text, ' ', n + 1);
    memcpy(text, "http://a/?", 10);
    text[n - 1] = 'x';
    struct fg_str input = {text, n};
    struct fg_url url;
    assert_false(fg_url_parse(&url, &arena, input, NULL));
    assert_string_equal(fg_url_reason(&arena, input, NULL),
                        "it is too long once its characters are escaped");
    assert_string_equal(fg_url_reason(&arena, (struct fg_str){text, n + 1}, NULL),
                        "it is longer than 1 MiB");
    fg_arena_clear(&arena);
}

FG_TESTS(the_first_wrong_part_is_named, references_are_judged_with_their_base,
         length_is_a_reason)
