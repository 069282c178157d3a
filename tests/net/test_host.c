#include "test.h"

#include "net/url/host.h"
#include "net/url/idna.h"

static void assert_host(const char *input, enum fg_host_kind kind, const char *expected)
{
    struct fg_buf out;
    fg_buf_init(&out, 1 << 20);
    bool good = fg_host_parse(&out, fg_str_from(input), kind);
    assert_str(good ? fg_buf_str(&out) : FG_STR("failure"), expected);
    fg_buf_clear(&out);
}

static void domains_are_lower_case_ascii(void **state)
{
    (void)state;
    assert_host("EXAMPLE.Org", FG_HOST_DOMAIN, "example.org");
    assert_host("ex%41mple.org", FG_HOST_DOMAIN, "example.org");
    assert_host("a..b.", FG_HOST_DOMAIN, "a..b.");
    assert_host("B%C3%BCcher.de", FG_HOST_DOMAIN, "xn--bcher-kva.de");
    assert_host("a_b", FG_HOST_DOMAIN, "a_b");
    assert_host("", FG_HOST_DOMAIN, "failure");
    assert_host("a%2Fb", FG_HOST_DOMAIN, "failure");
    assert_host("a%", FG_HOST_DOMAIN, "failure");
    assert_host("a\x7F", FG_HOST_DOMAIN, "failure");
}

static void opaque_hosts_keep_their_letters(void **state)
{
    (void)state;
    assert_host("EXAMPLE.%41\xC3\xA4", FG_HOST_OPAQUE, "EXAMPLE.%41%C3%A4");
    assert_host("", FG_HOST_OPAQUE, "");
    assert_host("1.2", FG_HOST_OPAQUE, "1.2");
    assert_host("a<b", FG_HOST_OPAQUE, "failure");
    assert_host("[::1]", FG_HOST_OPAQUE, "[::1]");
}

static void ipv4_comes_in_many_disguises(void **state)
{
    (void)state;
    assert_host("127.1", FG_HOST_DOMAIN, "127.0.0.1");
    assert_host("0x7F.0.0.01", FG_HOST_DOMAIN, "127.0.0.1");
    assert_host("2130706433", FG_HOST_DOMAIN, "127.0.0.1");
    assert_host("1.2.3.4.", FG_HOST_DOMAIN, "1.2.3.4");
    assert_host("0x", FG_HOST_DOMAIN, "0.0.0.0");
    assert_host("1.0x100", FG_HOST_DOMAIN, "1.0.1.0");
    assert_host("4294967295", FG_HOST_DOMAIN, "255.255.255.255");
    assert_host("4294967296", FG_HOST_DOMAIN, "failure");
    assert_host("99999999999999999999999999", FG_HOST_DOMAIN, "failure");
    assert_host("256.1.1.1", FG_HOST_DOMAIN, "failure");
    assert_host("1.2.3.256", FG_HOST_DOMAIN, "failure");
    assert_host("1.2.3.4.5", FG_HOST_DOMAIN, "failure");
    assert_host("a.08", FG_HOST_DOMAIN, "failure");
    assert_host("1..1", FG_HOST_DOMAIN, "failure");
    assert_host("08.a", FG_HOST_DOMAIN, "08.a");
    assert_host("1.2.0xg", FG_HOST_DOMAIN, "1.2.0xg");
    assert_host("1..", FG_HOST_DOMAIN, "1..");
}

static void ipv6_has_one_short_form(void **state)
{
    (void)state;
    assert_host("[::]", FG_HOST_DOMAIN, "[::]");
    assert_host("[::1]", FG_HOST_DOMAIN, "[::1]");
    assert_host("[1::]", FG_HOST_DOMAIN, "[1::]");
    assert_host("[0001:0:0:2:0:0:0:3]", FG_HOST_DOMAIN, "[1:0:0:2::3]");
    assert_host("[1:0:2:3:4:5:6:7]", FG_HOST_DOMAIN, "[1:0:2:3:4:5:6:7]");
    assert_host("[1:2:3:4:5:6:7::]", FG_HOST_DOMAIN, "[1:2:3:4:5:6:7:0]");
    assert_host("[::1.2.3.4]", FG_HOST_DOMAIN, "[::102:304]");
    assert_host("[ABCD::EF]", FG_HOST_DOMAIN, "[abcd::ef]");
    static const char *const bad[] = {"[",
                                      "[]",
                                      "[:]",
                                      "[:1]",
                                      "[1:]",
                                      "[1]",
                                      "[:::]",
                                      "[1::2::3]",
                                      "[12345::]",
                                      "[::1.2.3]",
                                      "[::1.2.3.4.5]",
                                      "[::01.2.3.4]",
                                      "[::1.2.3.256]",
                                      "[::1%25]",
                                      "[g::]",
                                      "[::1",
                                      "[::1]x",
                                      "[::.1.2.3]",
                                      "[1:2:3:4:5:6:7:8:9]",
                                      "[::1:2:3:4:5:6:7:8]",
                                      "[1:2:3:4:5:6:7:1.2.3.4]"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_host(bad[i], FG_HOST_DOMAIN, "failure");
}

static void addresses_are_told_from_names(void **state)
{
    (void)state;
    assert_true(fg_host_is_address(FG_STR("10.0.0.1")));
    assert_true(fg_host_is_address(FG_STR("[::1]")));
    assert_false(fg_host_is_address(FG_STR("10.example")));
    assert_false(fg_host_is_address(FG_STR("a.b1")));
    assert_false(fg_host_is_address(FG_STR("")));
}

static void assert_ascii(const char *input, const char *expected)
{
    struct fg_buf out;
    fg_buf_init(&out, 1 << 20);
    bool good = fg_idna_to_ascii(&out, fg_str_from(input));
    assert_str(good ? fg_buf_str(&out) : FG_STR("failure"), expected);
    fg_buf_clear(&out);
}

static void names_are_mapped_as_unicode_does_today(void **state)
{
    (void)state;
    assert_ascii("fa\xC3\x9F.DE", "xn--fa-hia.de");     /* sharp s stays */
    assert_ascii("\xE1\xBA\x9E", "xn--zca");            /* so does the capital one */
    assert_ascii("a\xE1\xA0\x8E\xC3\x9F", "xn--a-qfa"); /* U+180E is ignored */
    assert_ascii("\xE2\x86\x83.x", "xn--r5g.x");        /* roman reversed hundred */
    assert_ascii("\xF0\x9F\x98\x80.x", "xn--e28h.x");   /* emoji, which IDNA 2008 bans */
    assert_ascii("xn--a.x", "xn--a.x");                 /* ASCII passes as it is */
    assert_ascii("xn--a.\xC3\x9F", "failure");          /* but not beside others */
    assert_ascii("xn--xn---epa.\xC3\x9F", "failure");   /* encoded twice */
    assert_ascii("-a-.ab--\xC3\xA9", "-a-.xn--ab---epa"); /* hyphens are tolerated */
    assert_ascii("\xC3\xA9\xFF", "failure");              /* broken UTF-8 */
    assert_true(fg_idna_is_too_new(0x1806));
    assert_false(fg_idna_is_too_new('a'));
}

static void very_long_names_are_refused(void **state)
{
    (void)state;
    char text[FG_IDNA_MAX + 3];
    for (size_t i = 0; i < sizeof text - 1; i += 2)
        memcpy(text + i, "\xC3\xA9", 2);
    text[sizeof text - 1] = '\0';
    assert_ascii(text, "failure");
}

FG_TESTS(domains_are_lower_case_ascii, opaque_hosts_keep_their_letters,
         ipv4_comes_in_many_disguises, ipv6_has_one_short_form,
         addresses_are_told_from_names, names_are_mapped_as_unicode_does_today,
         very_long_names_are_refused)
