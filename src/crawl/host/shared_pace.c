#include "crawl/host/shared_pace.h"

#include "net/http/address.h"
#include "net/url/domain.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

/* False: it is no address. */
static bool put_address(char group[static FG_SHARED_GROUP], const char *ip,
                        bool shares_loopback)
{
    struct sockaddr_in four = {.sin_family = AF_INET};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    const struct sockaddr *address = (struct sockaddr *)&four;
    char text[INET6_ADDRSTRLEN] = "";
    if (inet_pton(AF_INET, ip, &four.sin_addr) == 1) {
        snprintf(text, sizeof text, "%s", ip);
    } else if (inet_pton(AF_INET6, ip, &six.sin6_addr) == 1) {
        address = (struct sockaddr *)&six;
        struct in6_addr network = six.sin6_addr;
        memset(network.s6_addr + 8, 0, 8);
        inet_ntop(AF_INET6, &network, text, sizeof text);
    } else {
        return false;
    }
    bool is_left_out = !shares_loopback && fg_address_is_loopback(address);
    snprintf(group, FG_SHARED_GROUP, "%s", is_left_out ? "" : text);
    return true;
}

bool fg_shared_group_of_name(char group[static FG_SHARED_GROUP], struct fg_str host,
                             bool shares_loopback)
{
    char ip[INET6_ADDRSTRLEN + 1] = "";
    bool is_six = host.len > 2 && host.at[0] == '[';
    struct fg_str bare = is_six ? fg_str_sub(host, 1, host.len - 1) : host;
    if (bare.len < sizeof ip)
        snprintf(ip, sizeof ip, "%.*s", (int)bare.len, bare.at);
    if (put_address(group, ip, shares_loopback))
        return true;
    struct fg_str domain = fg_domain_registrable(host);
    bool has_room = domain.len < FG_SHARED_GROUP;
    snprintf(group, FG_SHARED_GROUP, "%.*s", has_room ? (int)domain.len : 0, domain.at);
    return false;
}

bool fg_shared_group(char group[static FG_SHARED_GROUP],
                     const struct fg_response *response, bool shares_loopback)
{
    if (!response->is_proxied)
        return put_address(group, response->ip, shares_loopback);
    group[0] = '\0';
    return false;
}

fg_time fg_shared_turn(struct fg_names *turns, const char *group, fg_time delay,
                       fg_time now)
{
    if (!*group || delay <= 0)
        return now;
    uint64_t *next = fg_names_put(turns, fg_str_from(group));
    fg_time turn = (fg_time)*next > now ? (fg_time)*next : now;
    *next = (uint64_t)(turn + delay);
    return turn;
}
