#include "test.h"

#include "net/url/canonical.h"

static struct fg_arena arena;

static struct fg_str canonical(const char *input, unsigned keep)
{
    struct fg_url url;
    if (!fg_url_parse(&url, &arena, fg_str_from(input), NULL))
        fail_msg("\"%s\" does not parse", input);
    return fg_canonical_from(&arena, &url, keep);
}

/* Every case also shows that the form is final: its own canonical form is itself. */
static void assert_canonical(const char *input, const char *expected)
{
    struct fg_str text = canonical(input, FG_CANONICAL_DEFAULT);
    assert_str(text, expected);
    assert_str(canonical(expected, FG_CANONICAL_DEFAULT), expected);
}

static void what_names_no_page_is_dropped(void **state)
{
    (void)state;
    assert_canonical("http://h/a#b", "http://h/a");
    assert_canonical("http://ann:secret@h:80/", "http://h/");
    assert_canonical("https://h./?#", "https://h/");
    assert_canonical("https://h.:8443/", "https://h:8443/");
    fg_arena_clear(&arena);
}

static void what_may_name_another_page_stays(void **state)
{
    (void)state;
    assert_canonical("http://www.h/a/", "http://www.h/a/");
    assert_canonical("http://h/a", "http://h/a");
    assert_canonical("http://h//a//", "http://h//a//");
    assert_canonical("http://h/A?B=C", "http://h/A?B=C");
    assert_canonical("http://h/?ref=1&id=2", "http://h/?id=2&ref=1");
    assert_canonical("http://foo.1../", "http://foo.1../");
    assert_canonical("http://./", "http://./");
    fg_arena_clear(&arena);
}

static void percent_encoding_has_one_spelling(void **state)
{
    (void)state;
    assert_canonical("http://h/%7euser/%41%2d%2E%5f", "http://h/~user/A-._");
    assert_canonical("http://h/%2f%3a%c3%a4", "http://h/%2F%3A%C3%A4");
    assert_canonical("http://h/a|b[c]?d|e[f]^`{}\\",
                     "http://h/a%7Cb%5Bc%5D?d%7Ce%5Bf%5D%5E%60%7B%7D%5C");
    assert_canonical("http://h/100%?50%zz", "http://h/100%25?50%25zz");
    assert_canonical("http://h/%%36%31", "http://h/%2561");
    assert_canonical("http://h/a+b?c+d%20e%2B", "http://h/a+b?c+d%20e%2B");
    fg_arena_clear(&arena);
}

static void parameters_are_sorted_by_name_and_stay_in_order_within_one(void **state)
{
    (void)state;
    assert_canonical("http://h/?b=2&a=9&b=1&a=3", "http://h/?a=9&a=3&b=2&b=1");
    assert_canonical("http://h/?ab=1&a=2&a.b=3", "http://h/?a=2&a.b=3&ab=1");
    assert_canonical("http://h/?b=&a&&=x&c==", "http://h/?a&b=&c==");
    assert_canonical("http://h/?%62=1&a=2", "http://h/?a=2&b=1");
    assert_str(canonical("http://h/?b=&a=1&utm_x=1", FG_CANONICAL_KEEP_ORDER),
               "http://h/?b=&a=1");
    fg_arena_clear(&arena);
}

static void tracking_and_sessions_are_dropped(void **state)
{
    (void)state;
    assert_canonical("http://h/?utm_source=a&UTM_Anything=b&id=1&fbclid=c",
                     "http://h/?id=1");
    assert_canonical("http://h/?gclid=x", "http://h/");
    assert_canonical("http://h/?%75tm%5Fid=x&ASPSESSIONIDABC=1&PHPSESSID=2", "http://h/");
    assert_canonical("http://h/?utm=1&autm_id=2&gclid2=3",
                     "http://h/?autm_id=2&gclid2=3&utm=1");
    assert_canonical("http://h/?sid=story-12", "http://h/?sid=story-12");
    assert_canonical("http://h/?sid=0123456789abcdef0123456789ABCDEF&t=1",
                     "http://h/?t=1");
    assert_str(
        canonical("http://h/a;jsessionid=1?b=1&gclid=x", FG_CANONICAL_KEEP_TRACKING),
        "http://h/a;jsessionid=1?b=1&gclid=x");
    assert_true(fg_canonical_drops(FG_STR("Mtm_Campaign"), FG_STR("")));
    assert_false(fg_canonical_drops(FG_STR("page"), FG_STR("2")));
    fg_arena_clear(&arena);
}

static void sessions_in_the_path_are_dropped(void **state)
{
    (void)state;
    assert_canonical("http://h/a;jsessionid=12AB", "http://h/a");
    assert_canonical("http://h/a;JSESSIONID=12AB;v=1/b;jsessionid=3?c",
                     "http://h/a;v=1/b?c");
    assert_canonical("http://h/a;%6asessionid=1/b", "http://h/a/b");
    assert_canonical("http://h/;jsessionid=1", "http://h/");
    assert_canonical("http://h/a;jsessionid", "http://h/a;jsessionid");
    /* Without it these would be dot segments, which lead elsewhere. */
    assert_canonical("http://h/a/..;jsessionid=1/b", "http://h/a/..;jsessionid=1/b");
    assert_canonical("http://h/a/%2e;jsessionid=1", "http://h/a/.;jsessionid=1");
    fg_arena_clear(&arena);
}

static void other_schemes_only_lose_their_fragment(void **state)
{
    (void)state;
    assert_canonical("ftp://u@h/%7e;jsessionid=1#x", "ftp://u@h/%7e;jsessionid=1");
    assert_canonical("mailto:a@b?utm_source=x#y", "mailto:a@b?utm_source=x");
    fg_arena_clear(&arena);
}

static void a_canonical_url_costs_no_memory(void **state)
{
    (void)state;
    struct fg_url url;
    assert_true(fg_url_parse(&url, &arena, FG_STR("https://h/a/b.html#c"), NULL));
    size_t before = arena.used_bytes;
    struct fg_str text = fg_canonical_from(&arena, &url, FG_CANONICAL_DEFAULT);
    assert_ptr_equal(text.at, url.href.at);
    assert_int_equal(arena.used_bytes, before);
    fg_arena_clear(&arena);
}

static void site_and_fingerprint_come_from_the_text(void **state)
{
    (void)state;
    assert_str(fg_canonical_site(FG_STR("https://h:8443/a/b")), "https://h:8443");
    assert_str(fg_canonical_site(FG_STR("http://h/")), "http://h");
    assert_str(fg_canonical_site(FG_STR("ftp://h/")), "");
    assert_str(fg_canonical_site(FG_STR("http://")), "");
    uint64_t page = fg_canonical_fingerprint(FG_STR("http://h/a"));
    assert_true(page == fg_canonical_fingerprint(canonical("http://h/%61#x", 0)));
    assert_true(page != fg_canonical_fingerprint(FG_STR("http://h/b")));
    /* Asked for as it is written, and yet the page that stores before knew as "a". */
    uint64_t empty = fg_canonical_fingerprint(FG_STR("http://h/?a&b=1&c"));
    assert_true(empty == fg_str_hash(FG_STR("http://h/?a&b=1&c")));
    assert_true(empty == fg_canonical_fingerprint(FG_STR("http://h/?a=&b=1&c=")));
    assert_true(empty == fg_canonical_fingerprint(FG_STR("http://h/?a=&b=1&c")));
    assert_true(empty != fg_canonical_fingerprint(FG_STR("http://h/?a==&b=1&c=")));
    assert_true(fg_canonical_fingerprint(FG_STR("http://h/=")) !=
                fg_canonical_fingerprint(FG_STR("http://h/")));
    fg_arena_clear(&arena);
}

FG_TESTS(what_names_no_page_is_dropped, what_may_name_another_page_stays,
         percent_encoding_has_one_spelling,
         parameters_are_sorted_by_name_and_stay_in_order_within_one,
         tracking_and_sessions_are_dropped, sessions_in_the_path_are_dropped,
         other_schemes_only_lose_their_fragment, a_canonical_url_costs_no_memory,
         site_and_fingerprint_come_from_the_text)
