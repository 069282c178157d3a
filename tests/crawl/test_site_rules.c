#include "crawl/sites/site_rules.h"

#include "crawl/intake/seeds.h"

#include "test.h"

static struct fg_arena arena;

static struct fg_site_rules read_rules(const char *json)
{
    struct fg_site_rules rules;
    fg_site_rules_read(&rules, &arena, fg_str_from(json));
    return rules;
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "{\"budget\":12.5}",
        "{\"at_least\":3600000000,\"paused\":true,\"removed\":true,\"resumed\":7,"
        "\"by_feed\":true}",
        "{\"value\":\"selector:#p\",\"value_since\":1700000000000000,\"scope\":"
        "\"prefix\","
        "\"prefixes\":[\"https://a.example/x/\"],\"include\":[\"*a*\"],"
        "\"exclude\":[\"*b*\",\"*c*\"],\"ignore\":[\".ads\",\"text:*ago*\"],"
        "\"least_change\":0.05,\"ignore_since\":1700000000000001}",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_site_rules rules = read_rules(cases[i]);
        assert_str(fg_site_rules_write(&arena, &rules), cases[i]);
    }
    /* As an earlier version wrote it, and nonsense. */
    assert_str(read_rules("{\"value\":\"text\",\"value_since\":5}").value, "text");
    assert_int_equal(read_rules("{\"scope\":7,\"ignore\":[1],\"budget\":\"x\"").scope,
                     FG_SCOPE_UNSET);
    fg_arena_clear(&arena);
}

static void check(const char *json, const char *url, enum fg_site_verdict verdict,
                  const char *by)
{
    struct fg_site_rules rules = read_rules(json);
    struct fg_str decided;
    assert_int_equal(fg_site_rules_judge(&rules, fg_str_from(url), &decided), verdict);
    assert_str(decided, by);
    fg_arena_clear(&arena);
}

static void scope_and_patterns_decide(void **state)
{
    (void)state;
    check("", "http://a/x", FG_SITE_OK, "");
    check("{\"scope\":\"domain\"}", "http://a/x", FG_SITE_OK, "");
    check("{\"scope\":\"page\"}", "http://a/x", FG_SITE_PAGE_ONLY, "");
    const char *prefix = "{\"scope\":\"prefix\",\"prefixes\":[\"http://a/x/\"]}";
    check(prefix, "http://a/x/1", FG_SITE_OK, "http://a/x/");
    check(prefix, "http://a/x", FG_SITE_OUTSIDE, "");
    const char *both = "{\"include\":[\"*/n/*\"],\"exclude\":[\"*print*\"]}";
    check(both, "http://a/n/1", FG_SITE_OK, "*/n/*");
    check(both, "http://a/m/1", FG_SITE_NOT_INCLUDED, "");
    check(both, "http://a/n/print", FG_SITE_EXCLUDED, "*print*");
}

static void prefix_of_a_seed_is_its_folder(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"https://a.example/", "https://a.example/"},
        {"https://a.example/b", "https://a.example/"},
        {"https://a.example/b/c?d=/e/", "https://a.example/b/"},
        {"https://a.example:8080/b/c/", "https://a.example:8080/b/c/"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(fg_scope_prefix(fg_str_from(cases[i][0])), cases[i][1]);
}

static void domains_are_registrable_ones(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool same;
    } cases[] = {
        {"https://a.example.co.uk", "http://b.example.co.uk", true},
        {"https://example.co.uk", "https://other.co.uk", false},
        {"http://127.0.0.1:1", "http://127.0.0.1:2", true},
        {"http://127.0.0.1:1", "http://127.0.0.2:1", false},
        {"https://co.uk", "https://a.co.uk", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(fg_scope_same_domain(&arena, fg_str_from(cases[i].a),
                                              fg_str_from(cases[i].b)),
                         cases[i].same);
    fg_arena_clear(&arena);
}

/* A seed changes what it names and leaves the rest. */
static void seeds_add_to_rules(void **state)
{
    (void)state;
    struct fg_seed seed = {.scope = FG_SCOPE_PREFIX, .budget = 5};
    struct fg_str json = fg_seed_rules(&arena, FG_STR("{\"ignore\":[\".ads\"]}"),
                                       FG_STR("https://a.example/n/1"), &seed, 7);
    assert_str(json,
               "{\"budget\":5,\"scope\":\"prefix\",\"prefixes\":[\"https://a.example/"
               "n/\"],\"ignore\":[\".ads\"]}");
    assert_str(
        fg_seed_rules(&arena, json, FG_STR("https://a.example/n/2"), &seed, 8),
        "{"
        "\"budget\":5,\"scope\":\"prefix\",\"prefixes\":[\"https://a.example/n/\"],"
        "\"ignore\":[\".ads\"]}");
    struct fg_seed value = {.value = FG_STR("text")};
    assert_str(
        fg_seed_rules(&arena, FG_STR("{\"budget\":5}"), FG_STR("https://a/"), &value, 9),
        "{\"value\":\"text\",\"value_since\":9,\"budget\":5}");
    assert_false(fg_seed_sets_rules(
        &(struct fg_seed){.is_document = true, .value = FG_STR("text")}));
    fg_arena_clear(&arena);
}

FG_TESTS(what_is_written_is_read, scope_and_patterns_decide,
         prefix_of_a_seed_is_its_folder, domains_are_registrable_ones, seeds_add_to_rules)
