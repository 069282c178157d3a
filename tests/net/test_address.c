#include "test.h"

#include "net/http/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

static struct sockaddr_storage address_of(const char *text)
{
    struct sockaddr_storage storage = {0};
    struct sockaddr_in *four = (struct sockaddr_in *)&storage;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)&storage;
    if (inet_pton(AF_INET, text, &four->sin_addr) == 1)
        storage.ss_family = AF_INET;
    else if (inet_pton(AF_INET6, text, &six->sin6_addr) == 1)
        storage.ss_family = AF_INET6;
    else
        fail_msg("not an address: %s", text);
    return storage;
}

static bool is_public(const char *text)
{
    struct sockaddr_storage address = address_of(text);
    return fg_address_is_public((struct sockaddr *)&address);
}

static bool is_loopback(const char *text)
{
    struct sockaddr_storage address = address_of(text);
    return fg_address_is_loopback((struct sockaddr *)&address);
}

static bool is_allowed(const char *text, enum fg_reach reach)
{
    struct sockaddr_storage address = address_of(text);
    return fg_address_allowed((struct sockaddr *)&address, reach);
}

/* Each range of IANA's registries: its first and last address, and what lies next to it
 * on both sides. NULL: the neighbour is special as well, or there is none. */
static const struct range {
    const char *before, *first, *last, *after;
} ranges[] = {
    {NULL, "0.0.0.0", "0.255.255.255", "1.0.0.0"},
    {"9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"},
    {"100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"},
    {"126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"},
    {"169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"},
    {"172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"},
    {"191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"},
    {"192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"},
    {"192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"},
    {"192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"},
    {"198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"},
    {"198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"},
    {"203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"},
    {"223.255.255.255", "224.0.0.0", "239.255.255.255", NULL},
    {NULL, "240.0.0.0", "255.255.255.255", NULL},
    {NULL, "::", "::1", NULL},
    {NULL, "::2", "::255.255.255.255", NULL},             /* IPv4-compatible */
    {NULL, "::ffff:0:0.0.0.0", "::ffff:0:8.8.8.8", NULL}, /* IPv4-translated */
    {NULL, "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", NULL},
    {NULL, "100::", "100::ffff:ffff:ffff:ffff", NULL},
    {NULL, "100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", NULL},
    {NULL, "::1:0:0:0", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2000::"},
    {"2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
     "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"},
    {"2001:db7:ffff:ffff:ffff:ffff:ffff:ffff",
     "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"},
    {"3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
     "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"},
    {"3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "4000::", "5eff::", NULL},
    {NULL, "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", NULL},
    {NULL, "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", NULL},
    {NULL, "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", NULL},
    {NULL, "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", NULL},
    {NULL, "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", NULL},
};

static void special_ranges_end_where_they_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const struct range *r = &ranges[i];
        if (is_public(r->first) || is_public(r->last))
            fail_msg("taken for public: %s to %s", r->first, r->last);
        if (r->before && !is_public(r->before))
            fail_msg("not taken for public: %s", r->before);
        if (r->after && !is_public(r->after))
            fail_msg("not taken for public: %s", r->after);
    }
}

/* An IPv4 range is as special inside IPv6, in every wrapping. */
static void wrapped_ipv4_is_judged_as_ipv4(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const char *texts[] = {ranges[i].before, ranges[i].first, ranges[i].last,
                               ranges[i].after};
        for (size_t j = 0; j < 4; j++) {
            struct in_addr in;
            char text[64];
            if (!texts[j] || inet_pton(AF_INET, texts[j], &in) != 1)
                continue;
            bool expected = is_public(texts[j]);
            snprintf(text, sizeof text, "::ffff:%s", texts[j]);
            assert_int_equal(is_public(text), expected);
            snprintf(text, sizeof text, "64:ff9b::%s", texts[j]);
            assert_int_equal(is_public(text), expected);
            uint32_t n = ntohl(in.s_addr);
            snprintf(text, sizeof text, "2002:%x:%x::1", n >> 16, n & 0xFFFF);
            assert_int_equal(is_public(text), expected);
        }
    }
}

static void servers_of_the_web_are_public(void **state)
{
    (void)state;
    static const char *const texts[] = {"1.1.1.1",
                                        "8.8.8.8",
                                        "93.184.216.34",
                                        "192.31.196.1",
                                        "2606:4700:4700::1111",
                                        "2a00:1450:4001::1",
                                        "2400:cb00::",
                                        "3000::1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_true(is_allowed(texts[i], FG_REACH_PUBLIC));
}

static void loopback_is_this_machine_only(void **state)
{
    (void)state;
    static const char *const ours[] = {"127.0.0.1", "127.255.255.255", "::1",
                                       "::ffff:127.0.0.1"};
    static const char *const others[] = {"126.255.255.255",
                                         "128.0.0.0",
                                         "0.0.0.0",
                                         "::",
                                         "::2",
                                         "::127.0.0.1",
                                         "::ffff:126.0.0.1",
                                         "64:ff9b::127.0.0.1",
                                         "2002:7f00:1::1",
                                         "::ffff:0:127.0.0.1"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        assert_true(is_loopback(ours[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(is_loopback(others[i]));
}

static void reach_is_what_the_operator_said(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool public, loopback, any;
    } cases[] = {
        {"8.8.8.8", true, true, true},
        {"127.0.0.1", false, true, true},
        {"::1", false, true, true},
        {"10.0.0.1", false, false, true},
        {"169.254.169.254", false, false, true},
        {"fe80::1", false, false, true},
        {"64:ff9b::10.0.0.1", false, false, true},
        {"0.0.0.0", false, false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(is_allowed(cases[i].text, FG_REACH_PUBLIC), cases[i].public);
        assert_int_equal(is_allowed(cases[i].text, FG_REACH_LOOPBACK), cases[i].loopback);
        assert_int_equal(is_allowed(cases[i].text, FG_REACH_ANY), cases[i].any);
    }
}

static void other_families_are_refused(void **state)
{
    (void)state;
    struct sockaddr_storage address = {.ss_family = AF_UNIX};
    assert_false(fg_address_allowed((struct sockaddr *)&address, FG_REACH_PUBLIC));
    assert_false(fg_address_allowed((struct sockaddr *)&address, FG_REACH_ANY));
}

FG_TESTS(special_ranges_end_where_they_end, wrapped_ipv4_is_judged_as_ipv4,
         servers_of_the_web_are_public, loopback_is_this_machine_only,
         reach_is_what_the_operator_said, other_families_are_refused)
