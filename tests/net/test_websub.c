#include "test.h"

#include "net/feed/websub.h"

/* Worked out by printf '%s\n' ... | openssl dgst -sha256 -hmac SECRET, and by Python's
 * hmac. */
static void signatures_of_the_standard_are_taken(void **state)
{
    (void)state;
    const struct fg_str secret = FG_STR("0123456789abcdef0123456789abcdef"),
                        body = FG_STR("<feed>something is new</feed>\n");
    static const char *const good[] = {
        "sha1=54bdf839b88c1943fe96191982a7a8e1334c9f3e",
        "sha256=bebce07ddb7667866b4ea2aa3c0d44173b67693987a41a5f35a665e4095a4c0"
        "2",
        "sha384=80d790a0f7d767a5455b06ff5c8f2225f6026254fb00c0106af90c74cb96180"
        "8451e3e6582f27c1e861501f70cbc17d5",
        "sha512=8122844577c78529df7cfa5d1c619ed6640803e338821184e7691da82c375da"
        "75c1426655ec927e7e01b55eb9a81eb7cd31f970703ec94c0272bc57014dd67dd",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct fg_str header = fg_str_from(good[i]);
        assert_true(fg_websub_is_signed(header, secret, body));
        assert_false(fg_websub_is_signed(header, FG_STR("another"), body));
        assert_false(fg_websub_is_signed(header, FG_STR(""), body));
        assert_false(fg_websub_is_signed(header, secret, FG_STR("<feed/>")));
        assert_false(
            fg_websub_is_signed(fg_str_sub(header, 0, header.len - 2), secret, body));
    }
    /* RFC 4231, test case 2. */
    assert_true(fg_websub_is_signed(
        FG_STR("SHA256=5BDCC146BF60754E6A042426089575C75A003F089D2739839DEC58B964EC3843"),
        FG_STR("Jefe"), FG_STR("what do ya want for nothing?")));
}

static void other_signatures_are_not(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "=",
        "sha256",
        "sha256=",
        "md5=d41d8cd98f00b204e9800998ecf8427e",
        "sha256=zz",
        "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec384x",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(fg_websub_is_signed(fg_str_from(bad[i]), FG_STR("Jefe"),
                                         FG_STR("what do ya want for nothing?")));
}

static void link_headers_name_hub_and_topic(void **state)
{
    (void)state;
    static const struct {
        const char *header, *hub, *self;
    } cases[] = {
        {"<https://hub.example/>; rel=\"hub\"", "https://hub.example/", ""},
        {"<https://hub.example/>; rel=hub, </feed>; rel=self", "https://hub.example/",
         "https://a.example/feed"},
        {"</x>; title=\"a, <b>; rel=hub\"; rel=\"next self\", <//h.example/p>; REL=Hub",
         "https://h.example/p", "https://a.example/x"},
        {"<https://one.example/>; rel=hub, <https://two.example/>; rel=hub",
         "https://one.example/", ""},
        {"<mailto:x@a.example>; rel=hub", "", ""},
        {"<https://hub.example/>; rel=next; rel=hub", "", ""},
        {"<https://hub.example/>", "", ""},
        {"https://hub.example/; rel=hub", "", ""},
        {"<", "", ""},
        {">; rel=hub <", "", ""},
    };
    struct fg_arena arena = {0};
    struct fg_url base;
    assert_true(fg_url_parse(&base, &arena, FG_STR("https://a.example/news/"), NULL));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_websub_links links = {0};
        fg_websub_add_header(&links, &arena, fg_str_from(cases[i].header), &base);
        assert_str(links.hub, cases[i].hub);
        assert_str(links.self, cases[i].self);
    }
    fg_arena_clear(&arena);
}

static void requests_are_forms(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_websub_request request = {
        .callback = FG_STR("https://c.example/websub/1.2.x"),
        .topic = FG_STR("https://a.example/f?a=1&b=\xc3\xa9"),
        .secret = FG_STR("s&=+"),
        .lease_s = 86400};
    assert_str(fg_websub_form(&arena, &request),
               "hub.callback=https%3A%2F%2Fc.example%2Fwebsub%2F1.2.x&hub.mode=subscribe&"
               "hub.topic=https%3A%2F%2Fa.example%2Ff%3Fa%3D1%26b%3D%C3%A9&"
               "hub.lease_seconds=86400&hub.secret=s%26%3D%2B");
    request.is_leaving = true;
    assert_str(
        fg_websub_form(&arena, &request),
        "hub.callback=https%3A%2F%2Fc.example%2Fwebsub%2F1.2.x&hub.mode=unsubscribe&"
        "hub.topic=https%3A%2F%2Fa.example%2Ff%3Fa%3D1%26b%3D%C3%A9");
    fg_arena_clear(&arena);
}

static void secrets_differ(void **state)
{
    (void)state;
    char one[FG_WEBSUB_SECRET], two[FG_WEBSUB_SECRET];
    fg_websub_secret(one);
    fg_websub_secret(two);
    assert_int_equal(strlen(one), 32);
    assert_string_not_equal(one, two);
}

FG_TESTS(signatures_of_the_standard_are_taken, other_signatures_are_not,
         link_headers_name_hub_and_topic, requests_are_forms, secrets_differ)
