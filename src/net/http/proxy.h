/* proxy.h - which proxy, if any, the environment names for a host
 *
 *     struct fg_proxies proxies;
 *     fg_proxies_init(&proxies);
 *     const char *proxy = fg_proxy_for(&proxies, FG_STR("https"), FG_STR("example.org"));
 *
 * The variables are those that curl, wget and most others read: http_proxy, https_proxy,
 * all_proxy and no_proxy, in small letters or capitals, but for HTTP_PROXY, which a web
 * server may set from a request's header. We read them ourselves because we must know
 * whether a connection goes to a proxy: the address guard judges a server's address, and
 * a proxy's address is the operator's own choice. */
#ifndef FG_NET_PROXY_H
#define FG_NET_PROXY_H

#include "base/str.h"

#include <stdbool.h>

struct fg_proxies {
    char *http, *https, *none; /* NULL: not set */
};

void fg_proxies_init(struct fg_proxies *proxies); /* from the environment */
void fg_proxies_clear(struct fg_proxies *proxies);

/* "" if the host is to be asked directly. This machine always is. */
const char *fg_proxy_for(const struct fg_proxies *proxies, struct fg_str scheme,
                         struct fg_str host);

/* "127.0.0.1", "[::1]", "localhost" and what ends in ".localhost" (RFC 6761). */
bool fg_host_is_local(struct fg_str host);

/* Is `host` in a no_proxy list: names with their subdomains, addresses, IPv4 networks
 * ("10.0.0.0/8"), or "*"? */
bool fg_no_proxy_matches(struct fg_str list, struct fg_str host);

#endif
