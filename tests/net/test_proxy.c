#include "test.h"

#include "net/http/proxy.h"

static void no_proxy_lists_hosts_domains_and_networks(void **state)
{
    (void)state;
    static const struct {
        const char *list, *host;
        bool matches;
    } cases[] = {
        {"example.org", "example.org", true},
        {"example.org", "www.example.org", true},
        {".example.org", "www.example.org", true},
        {".example.org", "example.org", true},
        {"example.org", "notexample.org", false},
        {"example.org", "example.org.evil.test", false},
        {"a.test, EXAMPLE.org", "example.ORG", true},
        {"a.test b.test", "b.test", true},
        {"*", "anything.test", true},
        {"", "example.org", false},
        {",,", "example.org", false},
        {"10.0.0.0/8", "10.1.2.3", true},
        {"10.0.0.0/8", "11.1.2.3", false},
        {"0.0.0.0/0", "11.1.2.3", true},
        {"10.0.0.0/33", "10.0.0.0", false},
        {"10.0.0.0/8", "10.example.org", false},
        {"192.0.2.7", "192.0.2.7", true},
        {"2001:db8::1", "[2001:db8::1]", true},
        {"[2001:db8::1]", "[2001:db8::1]", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (fg_no_proxy_matches(fg_str_from(cases[i].list), fg_str_from(cases[i].host)) !=
            cases[i].matches)
            fail_msg("'%s' and %s", cases[i].list, cases[i].host);
}

static void clear_variables(void)
{
    static const char *const names[] = {"http_proxy",  "HTTP_PROXY", "https_proxy",
                                        "HTTPS_PROXY", "all_proxy",  "ALL_PROXY",
                                        "no_proxy",    "NO_PROXY"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
}

static void check(const char *scheme, const char *host, const char *expected)
{
    struct fg_proxies proxies;
    fg_proxies_init(&proxies);
    const char *proxy = fg_proxy_for(&proxies, fg_str_from(scheme), fg_str_from(host));
    assert_string_equal(proxy, expected);
    fg_proxies_clear(&proxies);
}

static void proxies_come_from_the_environment(void **state)
{
    (void)state;
    clear_variables();
    check("http", "example.org", "");
    setenv("HTTP_PROXY", "http://from-a-header.test", 1); /* httpoxy */
    check("http", "example.org", "");
    setenv("ALL_PROXY", "socks5h://all.test", 1);
    setenv("https_proxy", "http://tls.test:3128", 1);
    check("http", "example.org", "socks5h://all.test");
    check("https", "example.org", "http://tls.test:3128");
    setenv("http_proxy", "http://plain.test", 1);
    check("http", "example.org", "http://plain.test");
    setenv("NO_PROXY", "example.org", 1);
    check("http", "example.org", "");
    check("http", "example.com", "http://plain.test");
    clear_variables();
}

static void this_machine_is_never_asked_through_a_proxy(void **state)
{
    (void)state;
    clear_variables();
    setenv("http_proxy", "http://proxy.test", 1);
    check("http", "127.0.0.1", "");
    check("http", "127.200.1.1", "");
    check("http", "localhost", "");
    check("http", "www.localhost", "");
    check("http", "[::1]", "");
    check("http", "127.evil.test", "http://proxy.test");
    check("http", "localhost.evil.test", "http://proxy.test");
    check("http", "notlocalhost", "http://proxy.test");
    clear_variables();
}

FG_TESTS(no_proxy_lists_hosts_domains_and_networks, proxies_come_from_the_environment,
         this_machine_is_never_asked_through_a_proxy)
