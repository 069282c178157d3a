#include "test.h"

#include "base/arena.h"
#include "base/time.h"
#include "net/url/url.h"
#include "net/url/url_fast.h"

static struct fg_arena arena;

static struct fg_url must_parse(const char *input, const struct fg_url *base)
{
    struct fg_url url;
    if (!fg_url_parse(&url, &arena, fg_str_from(input), base))
        fail_msg("\"%s\" does not parse", input);
    return url;
}

static void assert_resolves(const char *base, const char *input, const char *expected)
{
    struct fg_url url, parsed;
    if (base)
        parsed = must_parse(base, NULL);
    bool good = fg_url_parse(&url, &arena, fg_str_from(input), base ? &parsed : NULL);
    assert_str(good ? url.href : FG_STR("failure"), expected);
}

static void parts_are_views_of_href(void **state)
{
    (void)state;
    struct fg_url url =
        must_parse("HTTP://user:pass@Example.org:8080/p/a?q=1#frag", NULL);
    assert_str(url.href, "http://user:pass@example.org:8080/p/a?q=1#frag");
    assert_str(fg_url_scheme(&url), "http");
    assert_str(fg_url_protocol(&url), "http:");
    assert_str(fg_url_username(&url), "user");
    assert_str(fg_url_password(&url), "pass");
    assert_str(fg_url_host(&url), "example.org:8080");
    assert_str(fg_url_hostname(&url), "example.org");
    assert_str(fg_url_port_text(&url), "8080");
    assert_str(fg_url_pathname(&url), "/p/a");
    assert_str(fg_url_search(&url), "?q=1");
    assert_str(fg_url_hash(&url), "#frag");
    assert_str(fg_url_target(&url), "/p/a?q=1");
    assert_str(fg_url_origin(&arena, &url), "http://example.org:8080");
    assert_int_equal(fg_url_port(&url), 8080);
    fg_arena_clear(&arena);
}

static void missing_parts_are_empty_and_in_place(void **state)
{
    (void)state;
    struct fg_url url = must_parse("https://example.org", NULL);
    assert_str(fg_url_username(&url), "");
    assert_str(fg_url_password(&url), "");
    assert_str(fg_url_port_text(&url), "");
    assert_str(fg_url_search(&url), "");
    assert_str(fg_url_hash(&url), "");
    assert_int_equal(url.port, -1);
    assert_int_equal(fg_url_port(&url), 443);
    assert_int_equal(url.query_start, url.href.len);
    assert_int_equal(url.fragment_start, url.href.len);

    url = must_parse("mailto:ann@example.org", NULL);
    assert_str(fg_url_host(&url), "");
    assert_str(fg_url_username(&url), "");
    assert_str(fg_url_pathname(&url), "ann@example.org");
    assert_str(fg_url_origin(&arena, &url), "null");
    assert_true(url.has_opaque_path && !url.has_host);
    assert_int_equal(fg_url_port(&url), -1);

    /* A lone "?" or "#" is kept in the text, but is no search or hash. */
    url = must_parse("https://example.org/?#", NULL);
    assert_str(url.href, "https://example.org/?#");
    assert_str(fg_url_search(&url), "");
    assert_str(fg_url_hash(&url), "");
    fg_arena_clear(&arena);
}

/* The examples of RFC 3986, 5.4, where the URL standard agrees with it. */
static void references_resolve_as_in_the_rfc(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"g:h", "g:h"},
        {"g", "http://a/b/c/g"},
        {"./g", "http://a/b/c/g"},
        {"g/", "http://a/b/c/g/"},
        {"/g", "http://a/g"},
        {"//g", "http://g/"},
        {"?y", "http://a/b/c/d;p?y"},
        {"g?y", "http://a/b/c/g?y"},
        {"#s", "http://a/b/c/d;p?q#s"},
        {"g#s", "http://a/b/c/g#s"},
        {";x", "http://a/b/c/;x"},
        {"", "http://a/b/c/d;p?q"},
        {".", "http://a/b/c/"},
        {"..", "http://a/b/"},
        {"../g", "http://a/b/g"},
        {"../..", "http://a/"},
        {"../../../g", "http://a/g"},
        {"g.", "http://a/b/c/g."},
        {"..g", "http://a/b/c/..g"},
        {"./../g", "http://a/b/g"},
        {"g/./h", "http://a/b/c/g/h"},
        {"g/../h", "http://a/b/c/h"},
        {"g;x=1/../y", "http://a/b/c/y"},
        {"g?y/../x", "http://a/b/c/g?y/../x"},
        {"g#s/../x", "http://a/b/c/g#s/../x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_resolves("http://a/b/c/d;p?q", cases[i][0], cases[i][1]);
    fg_arena_clear(&arena);
}

static void browsers_are_forgiving_and_so_are_we(void **state)
{
    (void)state;
    assert_resolves(NULL, " \t https://example.org/a\nb\r \x01",
                    "https://example.org/ab");
    assert_resolves(NULL, "https:example.org", "https://example.org/");
    assert_resolves(NULL, "http:\\\\\\example.org\\a\\..\\b", "http://example.org/b");
    assert_resolves("http://a/b", "http:c", "http://a/c");
    assert_resolves("http://a/b", "https:c", "https://c/");
    assert_resolves(NULL, "http://a:@b:/", "http://a@b/");
    assert_resolves(NULL, "http://a@b@c/", "http://a%40b@c/");
    assert_resolves(NULL, "http://h/%2E/%2e%2E/a/.%2e", "http://h/");
    assert_resolves(NULL, "http://h/a b\"<>`{}^|",
                    "http://h/a%20b%22%3C%3E%60%7B%7D%5E|");
    fg_arena_clear(&arena);
}

static void failures_are_the_standards(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "relative",
                                      "http://",
                                      "http:///",
                                      "https://:80/",
                                      "http://h:x",
                                      "http://h:65536",
                                      "http://[::1",
                                      "http://a b/",
                                      "http://%00/",
                                      "http://a@/",
                                      "http://[1:2]/",
                                      "http://1.2.65536",
                                      "sc://a^b/",
                                      "http://\xC2\xAD/",
                                      "//h/",
                                      "file://a:b/",
                                      "http://h\xFF/",
                                      "ws://user@:1/"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_resolves(NULL, bad[i], "failure");
    assert_resolves("mailto:x", "y", "failure");
    assert_resolves("mailto:x", "?y", "failure");
    assert_resolves("mailto:x#z", "#y", "mailto:x#y");
    fg_arena_clear(&arena);
}

static void broken_bytes_become_replacement_characters(void **state)
{
    (void)state;
    assert_resolves(NULL, "http://h/\xC3\xA4\xFF?\xE2\x82#\x80",
                    "http://h/%C3%A4%EF%BF%BD?%EF%BF%BD#%EF%BF%BD");
    fg_arena_clear(&arena);
}

static void a_parse_takes_one_tight_allocation_or_none(void **state)
{
    (void)state;
    static const char *const good[] = {"https://example.org/a/b",
                                       "HTTP://EXAMPLE.org/%2e/ \xC3\xA4"};
    struct fg_url url;
    for (size_t i = 0; i < 2; i++) {
        size_t before = arena.used_bytes;
        assert_true(fg_url_parse(&url, &arena, fg_str_from(good[i]), NULL));
        assert_int_equal(arena.used_bytes - before, url.href.len + 1);
        assert_int_equal(url.href.at[url.href.len], '\0');
    }
    size_t before = arena.used_bytes;
    assert_false(fg_url_parse(&url, &arena, FG_STR("http://a:b:c/d"), NULL));
    assert_int_equal(arena.used_bytes, before);
    assert_null(url.href.at);
    fg_arena_clear(&arena);
}

static char *repeated(const char *front, const char *what, size_t n_bytes)
{
    size_t front_len = strlen(front), len = strlen(what);
    char *text = fg_arena_bytes(&arena, front_len + n_bytes + len + 1);
    memcpy(text, front, front_len);
    for (size_t i = 0; i < n_bytes; i += len)
        memcpy(text + front_len + i, what, len + 1);
    return text;
}

static void input_and_result_have_a_limit(void **state)
{
    (void)state;
    struct fg_url url;
    const char *clean = repeated("http://h/", "a", FG_URL_MAX - 9);
    assert_true(fg_url_parse(&url, &arena, fg_str_from(clean), NULL));
    assert_int_equal(url.href.len, FG_URL_MAX);
    assert_false(fg_url_parse(&url, &arena, fg_str_from(repeated(clean, "b", 1)), NULL));
    const char *grows = repeated("http://h/", " ", FG_URL_MAX / 2);
    assert_false(fg_url_parse(&url, &arena, fg_str_from(repeated(grows, "b", 1)), NULL));
    fg_arena_clear(&arena);
}

static bool is_same(const struct fg_url *a, const struct fg_url *b)
{
    return fg_str_eq(a->href, b->href) && a->scheme_end == b->scheme_end &&
           a->username_end == b->username_end && a->host_start == b->host_start &&
           a->host_end == b->host_end && a->path_start == b->path_start &&
           a->query_start == b->query_start && a->fragment_start == b->fragment_start &&
           a->port == b->port && a->scheme == b->scheme && a->has_host == b->has_host &&
           a->has_opaque_path == b->has_opaque_path;
}

static void short_cut_takes_clean_input(void **state)
{
    (void)state;
    static const char *const clean[] = {
        "https://example.org/",
        "http://example.org",
        "https://a.b.c/d?e=f#g",
        "http://example.org:8080/x",
        "http://h?q",
        "http://h#f",
        "/absolute/path.html",
        "relative/.hidden?x",
        "../up/one",
        "./here",
        "../../../../above/all",
        "#top",
        "?page=2#x",
        "//other.example/%C3%A4",
        "..//x",
        "../",
        "a.b",
        "/a..b/c..",
        "x;y=1,2!$'()*",
        " /trimmed \n",
    };
    struct fg_url base = must_parse("https://u@example.org:81/a/b/c.html?q#f", NULL);
    struct fg_url fast, slow;
    for (size_t i = 0; i < sizeof clean / sizeof *clean; i++) {
        struct fg_str input = fg_str_from(clean[i]);
        if (!fg_url_parse_fast(&fast, &arena, input, &base))
            fail_msg("\"%s\" should take the short cut", clean[i]);
        assert_true(fg_url_parse_slowly(&slow, &arena, input, &base));
        assert_str(fast.href, slow.href.at);
        assert_true(is_same(&fast, &slow));
    }
    fg_arena_clear(&arena);
}

static void short_cut_leaves_doubt_to_the_long_way(void **state)
{
    (void)state;
    static const char *const doubtful[] = {
        "http://EXAMPLE.org/",
        "http://1.2.3",
        "http://a.0x1/",
        "http://h./",
        "http://h:80/",
        "http://h:080/",
        "http://h:99999/",
        "http://u@h/",
        "http://h/../x",
        "http://h/a/.",
        "http://h/%2e/",
        "http://h\\x",
        "http://h/a b",
        "http://h/?'",
        "http://h/#`",
        "http://h/\xC3\xA4",
        "http://h/a\tb",
        "mailto:x",
        "C:/x",
        "x/..",
        "///h/x",
        "http:///h/x",
        "http:x",
        "\\x",
    };
    struct fg_url base = must_parse("http://example.org/a/b", NULL), url;
    for (size_t i = 0; i < sizeof doubtful / sizeof *doubtful; i++)
        if (fg_url_parse_fast(&url, &arena, fg_str_from(doubtful[i]), &base))
            fail_msg("\"%s\" must not take the short cut", doubtful[i]);
    struct fg_url file = must_parse("file:///C:/x", NULL);
    assert_false(fg_url_parse_fast(&url, &arena, FG_STR("/y"), &file));
    fg_arena_clear(&arena);
}

/* An encoder that knows Latin-1 and nothing else. */
static void encode_latin1(struct fg_buf *out, struct fg_str query, void *context)
{
    ++*(int *)context;
    for (const char *at = query.at, *end = at + query.len; at < end;) {
        uint32_t c = fg_utf8_take(&at, end);
        if (c < 0x100)
            fg_buf_add_char(out, (char)c);
        else
            fg_url_add_missing(out, c);
    }
}

static void only_the_query_is_in_the_encoding_of_the_page(void **state)
{
    (void)state;
    int calls = 0;
    struct fg_url_encoder encoder = {encode_latin1, &calls};
    struct fg_url url;
    struct fg_str input = FG_STR("http://h/\xC3\xA4?\xC3\xA4&\xE2\x82\xAC'#\xC3\xA4");
    assert_true(fg_url_parse_encoded(&url, &arena, input, NULL, &encoder));
    assert_str(url.href, "http://h/%C3%A4?%E4&%26%238364%3B%27#%C3%A4");
    assert_int_equal(calls, 1);
    assert_true(
        fg_url_parse_encoded(&url, &arena, FG_STR("ws://h/?\xC3\xA4"), NULL, &encoder));
    assert_str(url.href, "ws://h/?%C3%A4");
    assert_true(
        fg_url_parse_encoded(&url, &arena, FG_STR("x:y?\xC3\xA4"), NULL, &encoder));
    assert_str(url.href, "x:y?%C3%A4");
    assert_int_equal(calls, 1);
    fg_arena_clear(&arena);
}

static double seconds_for(const char *front, const char *what, size_t n_bytes)
{
    struct fg_url url, base = must_parse("http://h/a/b/c/d/e", NULL);
    struct fg_str input = fg_str_from(repeated(front, what, n_bytes));
    fg_time first = fg_time_worked();
    fg_url_parse(&url, &arena, input, &base);
    fg_time took = fg_time_worked() - first;
    fg_arena_reset(&arena);
    return fg_seconds(took);
}

/* Four times the input may take twenty times as long, plus noise, but not a hundred. */
static void hostile_input_takes_linear_time(void **state)
{
    (void)state;
    static const char *const hostile[][2] = {
        {"", "../"},
        {"http://h/", "a/../"},
        {"http://", "@"},
        {"http://", "a:"},
        {"http://", "[:"},
        {"http://", "1."},
        {"http://", "%"},
        {"", " "},
        {"http://[", "1:"},
        {"http://h/?", "%zz"},
        {"x:", "/"},
        {"", "\t"},
        {"http://", "\xC3\xA4"},
        {"http://", "xn--"},
        {"file:///", "C|/"},
    };
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        double small = seconds_for(hostile[i][0], hostile[i][1], 200000);
        double large = seconds_for(hostile[i][0], hostile[i][1], 800000);
        if (large > 20 * small + 0.1)
            fail_msg("\"%s%s...\" is not linear: %g s, then %g s", hostile[i][0],
                     hostile[i][1], small, large);
    }
    fg_arena_clear(&arena);
}

FG_TESTS(parts_are_views_of_href, missing_parts_are_empty_and_in_place,
         references_resolve_as_in_the_rfc, browsers_are_forgiving_and_so_are_we,
         failures_are_the_standards, broken_bytes_become_replacement_characters,
         a_parse_takes_one_tight_allocation_or_none, input_and_result_have_a_limit,
         short_cut_takes_clean_input, short_cut_leaves_doubt_to_the_long_way,
         only_the_query_is_in_the_encoding_of_the_page, hostile_input_takes_linear_time)
