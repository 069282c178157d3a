/* Which events a feed or a webhook is about, and how webhooks are described and signed.
 */
#include "crawl/output/feeds.h"
#include "crawl/output/filter.h"
#include "crawl/output/hook.h"
#include "test.h"

#include <unistd.h>

static const struct fg_news page = {
    .url = {"https://shop.example:8443/lamps/1?x=2", 37},
    .site = {"https://shop.example:8443", 25},
    .words = {"A lamp of brass", 15},
};

static bool takes(const char *conditions, const struct fg_news *news, const char *tags,
                  const char *title)
{
    struct fg_arena arena = {0};
    struct fg_filter filter;
    struct fg_err err = {0};
    if (fg_filter_parse(&filter, &arena, fg_str_from(conditions), &err))
        print_error("%s: %s\n", conditions, err.text);
    assert_int_equal(err.status, FG_OK);
    bool result = fg_filter_takes(&filter, news, fg_str_from(tags), fg_str_from(title));
    fg_arena_clear(&arena);
    return result;
}

static void nothing_asked_takes_everything(void **state)
{
    (void)state;
    assert_true(takes("", &page, "", ""));
    assert_true(takes("   ", &page, "", ""));
}

static void each_condition_looks_at_its_part(void **state)
{
    (void)state;
    static const struct {
        const char *conditions;
        bool takes;
    } cases[] = {
        {"site=shop.example", true},
        {"site=SHOP.example:8443", true},
        {"site=https://shop.example:8443/", true},
        {"site=http://shop.example:8443", false},
        {"site=shop.example:80", false},
        {"site=example", false},
        {"tag=shop", true},
        {"tag=sho", false},
        {"path=/lamps/", true},
        {"path=/lamps", true},
        {"path=lamps", false},
        {"path=*lamps*", true},
        {"path=/*x=2", true},
        {"path=/*x=3", false},
        {"url=*:8443/*", true},
        {"url=*:8443", false},
        {"title=BRASS", true},
        {"title=\"lamp of\"", true},
        {"title=\"of lamp\"", false},
        {"title=sale", true}, /* the page's own */
        {"kind=new", true},
        {"kind=discovery", true},
        {"kind=changed", false},
        /* one of a key, all of the keys */
        {"tag=news tag=shop", true},
        {"tag=shop kind=changed", false},
        {"tag=shop kind=changed kind=new", true},
        {"site=shop.example path=/chairs/", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (takes(cases[i].conditions, &page, "press, shop", "On Sale now") !=
            cases[i].takes)
            fail_msg("%s", cases[i].conditions);
    struct fg_news change = page;
    change.kind = FG_KIND_CHANGED;
    assert_true(takes("kind=changed", &change, "", ""));
    assert_false(takes("kind=new", &change, "", ""));
    change.kind = FG_KIND_ALARM;
    assert_true(takes("kind=alarm", &change, "", ""));
    assert_true(takes("kind=alarm-cleared", &change, "", ""));
    assert_false(takes("kind=new kind=changed", &change, "", ""));
}

static void what_is_no_condition_is_named(void **state)
{
    (void)state;
    static const char *const wrong[] = {"shop", "=x", "tag=", "size=1", "kind=old"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fg_arena arena = {0};
        struct fg_filter filter;
        struct fg_err err = {0};
        assert_int_equal(fg_filter_parse(&filter, &arena, fg_str_from(wrong[i]), &err),
                         FG_ECONFIG);
        assert_true(err.text[0]);
        fg_arena_clear(&arena);
    }
}

static void a_query_has_a_name(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_query query;
    assert_int_equal(
        fg_query_parse(&query, &arena, FG_STR("cheap-1 tag=a kind=new"), NULL), FG_OK);
    assert_str(query.name, "cheap-1");
    assert_int_equal(query.filter.n, 2);
    assert_int_equal(fg_query_parse(&query, &arena, FG_STR("../etc tag=a"), NULL),
                     FG_ECONFIG);
    assert_int_equal(fg_query_parse(&query, &arena, FG_STR(""), NULL), FG_ECONFIG);
    fg_arena_clear(&arena);
}

/* --- webhooks --- */

static void parse_hook(struct fg_hook *hook, struct fg_arena *arena, const char *text,
                       enum fg_status expected)
{
    struct fg_err err = {0};
    enum fg_status st = fg_hook_parse(hook, arena, fg_str_from(text), &err);
    if (st != expected)
        print_error("%s: %s\n", text, err.text);
    assert_int_equal(st, expected);
    assert_true(!strstr(err.text, "hunter2"));
}

static void a_hook_is_name_address_conditions_and_secret(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_hook hook;
    parse_hook(&hook, &arena, "team HTTP://Hooks.Example/x?y secret=env:KEY tag=a",
               FG_OK);
    assert_str(hook.name, "team");
    assert_str(hook.url, "http://hooks.example/x?y");
    assert_str(hook.secret, "env:KEY");
    assert_int_equal(hook.filter.n, 1);
    parse_hook(&hook, &arena, "", FG_ECONFIG);
    parse_hook(&hook, &arena, "team", FG_ECONFIG);
    parse_hook(&hook, &arena, "http://hooks.example/", FG_ECONFIG);
    parse_hook(&hook, &arena, "team mailto:x@y", FG_ECONFIG);
    parse_hook(&hook, &arena, "team http://a.example/ secret=hunter2", FG_ECONFIG);
    parse_hook(&hook, &arena, "team http://a.example/ secret=file:", FG_ECONFIG);
    parse_hook(&hook, &arena, "team http://a.example/ color=red", FG_ECONFIG);
    fg_arena_clear(&arena);
}

static enum fg_status load(struct fg_hook *hook, const char *secret)
{
    struct fg_arena arena = {0};
    struct fg_err err = {0};
    setenv("TEST_HOOK_KEY", secret, 1);
    parse_hook(hook, &arena, "team http://a.example/ secret=env:TEST_HOOK_KEY", FG_OK);
    enum fg_status st = fg_hook_load_secret(hook, &err);
    unsetenv("TEST_HOOK_KEY");
    assert_true(!strstr(err.text, secret) || !*secret);
    fg_arena_clear(&arena);
    return st;
}

/* The example that the authors of the scheme publish. */
static void a_signature_is_that_of_the_standard(void **state)
{
    (void)state;
    struct fg_hook hook;
    char signature[FG_HOOK_SIGNATURE];
    assert_int_equal(load(&hook, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"), FG_OK);
    assert_int_equal(hook.key_len, 24);
    fg_hook_sign(signature, &hook, FG_STR("msg_p5jXN8AQM9LWM0D4loKWxJek"), 1614265330,
                 FG_STR("{\"test\": 2432232314}"));
    assert_string_equal(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

static void secrets_that_are_none_are_refused(void **state)
{
    (void)state;
    struct fg_hook hook;
    char longest[FG_HOOK_KEY_MAX + 2];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(load(&hook, ""), FG_ECONFIG);
    assert_int_equal(load(&hook, "fifteen-bytes-x"), FG_ECONFIG);
    assert_int_equal(load(&hook, "sixteen-bytes-xx"), FG_OK);
    assert_int_equal(hook.key_len, 16);
    assert_int_equal(load(&hook, "  sixteen-bytes-xx\n"), FG_OK);
    assert_int_equal(hook.key_len, 16);
    assert_int_equal(load(&hook, longest), FG_ECONFIG);
    longest[FG_HOOK_KEY_MAX] = '\0';
    assert_int_equal(load(&hook, longest), FG_OK);
    assert_int_equal(load(&hook, "whsec_AAAA"), FG_ECONFIG);
    assert_int_equal(load(&hook, "whsec_!!!!MfKQ9r8GKYqrTwjUPD8ILPZI"), FG_ECONFIG);
    assert_int_equal(load(&hook, "whsec_AAAAAAAAAAAAAAAAAAAAAA=="), FG_OK);
    assert_int_equal(hook.key_len, 16);
}

FG_TESTS(nothing_asked_takes_everything, each_condition_looks_at_its_part,
         what_is_no_condition_is_named, a_query_has_a_name,
         a_hook_is_name_address_conditions_and_secret,
         a_signature_is_that_of_the_standard, secrets_that_are_none_are_refused)
