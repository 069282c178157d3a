#include "net/http/proxy.h"

#include "base/err.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

static char *variable(const char *small, const char *capital)
{
    const char *value = getenv(small);
    if ((!value || !*value) && capital)
        value = getenv(capital);
    if (!value || !*value)
        return NULL;
    char *copy = strdup(value);
    if (!copy)
        fg_out_of_memory();
    return copy;
}

void fg_proxies_init(struct fg_proxies *proxies)
{
    *proxies = (struct fg_proxies){
        .http = variable("http_proxy", NULL),
        .https = variable("https_proxy", "HTTPS_PROXY"),
        .none = variable("no_proxy", "NO_PROXY"),
    };
    if (!proxies->http)
        proxies->http = variable("all_proxy", "ALL_PROXY");
    if (!proxies->https)
        proxies->https = variable("all_proxy", "ALL_PROXY");
}

void fg_proxies_clear(struct fg_proxies *proxies)
{
    free(proxies->http);
    free(proxies->https);
    free(proxies->none);
    *proxies = (struct fg_proxies){0};
}

static bool parse4(struct fg_str text, uint32_t *address)
{
    char copy[INET_ADDRSTRLEN];
    struct in_addr in;
    if (!text.len || text.len >= sizeof copy)
        return false;
    memcpy(copy, text.at, text.len);
    copy[text.len] = '\0';
    if (inet_pton(AF_INET, copy, &in) != 1)
        return false;
    *address = ntohl(in.s_addr);
    return true;
}

bool fg_host_is_local(struct fg_str host)
{
    uint32_t address;
    if (parse4(host, &address))
        return address >> 24 == 127;
    return fg_str_eq(host, FG_STR("[::1]")) ||
           fg_str_eq_nocase(host, FG_STR("localhost")) ||
           (host.len > 10 &&
            fg_str_eq_nocase(fg_str_skip(host, host.len - 10), FG_STR(".localhost")));
}

static bool is_in_network(struct fg_str entry, size_t slash, struct fg_str host)
{
    uint32_t network, address;
    uint64_t bits;
    return parse4(host, &address) && parse4(fg_str_sub(entry, 0, slash), &network) &&
           fg_str_to_u64(fg_str_skip(entry, slash + 1), &bits) && bits <= 32 &&
           (bits == 0 || (address ^ network) >> (32 - bits) == 0);
}

static bool entry_matches(struct fg_str entry, struct fg_str host)
{
    size_t slash = fg_str_chr(entry, '/');
    if (slash != FG_NOT_FOUND)
        return is_in_network(entry, slash, host);
    if (entry.len && entry.at[0] == '.')
        entry = fg_str_skip(entry, 1);
    /* "::1" and "[::1]" are the same host. */
    if (host.len > 2 && host.at[0] == '[' && entry.len && entry.at[0] != '[')
        host = fg_str_sub(host, 1, host.len - 1);
    if (!entry.len || entry.len > host.len)
        return false;
    size_t before = host.len - entry.len;
    return fg_str_eq_nocase(fg_str_skip(host, before), entry) &&
           (before == 0 || host.at[before - 1] == '.');
}

bool fg_no_proxy_matches(struct fg_str list, struct fg_str host)
{
    struct fg_str part, entry;
    while (fg_str_cut(&list, ',', &part))
        while (fg_str_cut(&part, ' ', &entry)) {
            entry = fg_str_trim(entry);
            if (fg_str_eq(entry, FG_STR("*")) || entry_matches(entry, host))
                return true;
        }
    return false;
}

const char *fg_proxy_for(const struct fg_proxies *proxies, struct fg_str scheme,
                         struct fg_str host)
{
    const char *proxy =
        fg_str_eq(scheme, FG_STR("https")) ? proxies->https : proxies->http;
    if (!proxy || fg_host_is_local(host) ||
        (proxies->none && fg_no_proxy_matches(fg_str_from(proxies->none), host)))
        return "";
    return proxy;
}
