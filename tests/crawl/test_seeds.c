/* Seeds as text, and whether the crawl would take them. */
#include "crawl/intake/seeds.h"
#include "test.h"

static struct fg_arena defaults; /* of the settings */

static void a_line_is_an_address_and_fields(void **state)
{
    (void)state;
    struct fg_str url;
    struct fg_seed seed = {0};
    struct fg_err err = {0};
    assert_int_equal(
        fg_seed_parse(&url, &seed,
                      FG_STR(" https://a.example/x \t type=document\tweight=2.5\t\t"
                             "tags=law,press\r"),
                      &err),
        FG_OK);
    assert_str(url, "https://a.example/x");
    assert_true(seed.is_document && seed.is_page_only && !seed.is_source);
    assert_near((double)seed.weight, 2.5, 0);
    assert_str(seed.tags, "law,press");
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    static const struct fg_seed seeds[] = {
        {0},
        {.is_document = true, .is_page_only = true, .weight = 0.1f},
        {.is_source = true, .tags = {"a,b", 3}, .value = {"selector:a, b", 13}},
        {.is_page_only = true, .weight = 1e9f},
        {.is_page_only = true, .is_source = true, .is_feed = true},
        {.is_source = true, .at_least = 90 * FG_MINUTE},
    };
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        struct fg_buf buf;
        fg_buf_init(&buf, 1 << 16);
        fg_seed_format(&buf, FG_STR("https://a.example/"), &seeds[i]);
        struct fg_str url, line = fg_buf_str(&buf), first;
        struct fg_seed seed = {0};
        assert_true(fg_str_cut(&line, '\n', &first));
        assert_int_equal(line.len, 0);
        assert_int_equal(fg_seed_parse(&url, &seed, first, NULL), FG_OK);
        assert_str(url, "https://a.example/");
        assert_int_equal(seed.is_document, seeds[i].is_document);
        assert_int_equal(seed.is_source, seeds[i].is_source);
        assert_int_equal(seed.is_page_only, seeds[i].is_page_only);
        assert_int_equal(seed.is_feed, seeds[i].is_feed);
        assert_true(seed.at_least == seeds[i].at_least);
        assert_true(seed.weight == seeds[i].weight);
        assert_true(fg_str_eq(seed.tags, seeds[i].tags));
        assert_true(fg_str_eq(seed.value, seeds[i].value));
        fg_buf_clear(&buf);
    }
}

static void mistakes_are_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"u\tnothing", "'nothing' is not key=value"},
        {"u\tcolour=red", "unknown key 'colour'; there are type, weight, tags, value, "
                          "page-tags, name, home, meta, scope, budget and at-least"},
        {"u\tweight=0", "weight is '0'; it must be a number above 0"},
        {"u\tweight=nan", "weight is 'nan'; it must be a number above 0"},
        {"u\tweight=1e99", "weight is '1e99'; it must be a number above 0"},
        {"u\ttype=", "type is ''; it must be site, source, feed, page or document"},
    };
    struct fg_str url;
    struct fg_seed seed = {0};
    struct fg_err err = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(fg_seed_parse(&url, &seed, fg_str_from(cases[i][0]), &err),
                         FG_EINPUT);
        assert_string_equal(err.text, cases[i][1]);
    }
    assert_int_equal(fg_seed_parse(&url, &seed, FG_STR("u\tvalue=selector:a["), &err),
                     FG_ECONFIG);
    assert_non_null(strstr(err.text, "at character 3"));
}

static void what_has_no_scheme_gets_one(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"news.example", "https://news.example"},
        {" news.example/a?b#c ", "https://news.example/a?b#c"},
        {"news.example:8443", "https://news.example:8443"},
        {"127.0.0.1:8080", "http://127.0.0.1:8080"},
        {"localhost", "http://localhost"},
        {"a.localhost/x", "http://a.localhost/x"},
        {"192.0.2.7", "https://192.0.2.7"},
        {"[::1]:9/", "http://[::1]:9/"},
        {"[2001:db8::1]", "https://[2001:db8::1]"},
        {"b\xc3\xbc"
         "cher.example",
         "https://b\xc3\xbc"
         "cher.example"},
        {"a.example/list.txt", "https://a.example/list.txt"},
        /* What is none stays. */
        {"https://a.example/", "https://a.example/"},
        {"ftp://a.example/", "ftp://a.example/"},
        {"mailto:a@b.example", "mailto:a@b.example"},
        {"nonsense", "nonsense"},
        {"list.txt", "list.txt"},
        {"a b.example", "a b.example"},
        {"a..example", "a..example"},
        {"/etc/hosts.d", "/etc/hosts.d"},
        {"", ""},
        {"[", "["},
        {":80", ":80"},
        {".", "."},
    };
    struct fg_arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(fg_seed_address(&arena, fg_str_from(cases[i][0])), cases[i][1]);
    fg_arena_clear(&arena);
}

static void comments_and_empty_lines_say_nothing(void **state)
{
    (void)state;
    assert_true(fg_seed_is_blank(FG_STR("")));
    assert_true(fg_seed_is_blank(FG_STR(" \t\r")));
    assert_true(fg_seed_is_blank(FG_STR("  # https://a.example/")));
    assert_false(fg_seed_is_blank(FG_STR("https://a.example/#top")));
}

static void beyond_loopback_somebody_must_answer(void **state)
{
    (void)state;
    struct fg_crawl_options nobody = fg_crawl_defaults(&defaults), somebody = nobody;
    somebody.who.is_given = true;
    struct fg_err err = {0};
    assert_int_equal(fg_seed_check(&nobody, FG_STR("https://a.example/"), &err),
                     FG_ECONFIG);
    assert_int_equal(fg_seed_check(&nobody, FG_STR("http://127.0.0.1:80/"), &err), FG_OK);
    assert_int_equal(fg_seed_check(&nobody, FG_STR("http://[::1]/"), &err), FG_OK);
    assert_int_equal(fg_seed_check(&nobody, FG_STR("http://127.0.0.1.a.example/"), &err),
                     FG_ECONFIG);
    assert_int_equal(fg_seed_check(&somebody, FG_STR("https://a.example/"), &err), FG_OK);
    assert_int_equal(fg_seed_check(&somebody, FG_STR("ftp://a.example/"), &err),
                     FG_ECONFIG);
    assert_int_equal(fg_seed_check(&somebody, FG_STR("a.example"), &err), FG_ECONFIG);
}

FG_TESTS(a_line_is_an_address_and_fields, what_is_written_reads_back, mistakes_are_named,
         comments_and_empty_lines_say_nothing, what_has_no_scheme_gets_one,
         beyond_loopback_somebody_must_answer)
