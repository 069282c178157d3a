/* gate.h - who may ask what
 *
 * Two attacks come through the browser of somebody who may ask. A page of a stranger can
 * have its own name lead to 127.0.0.1 (DNS rebinding): then the browser says that name in
 * Host, and it is none of ours. And a page can send a request to us (CSRF): then the
 * browser says where it comes from, in Origin or Sec-Fetch-Site; and what changes
 * something must be application/json, which no form can send. An address written in
 * numbers cannot be rebound, so it is always a good Host. */
#ifndef FG_SERVER_GATE_H
#define FG_SERVER_GATE_H

#include "base/opt.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

/* As the request says it; empty where it says nothing. */
struct fg_gate_request {
    struct fg_str host, origin, fetch_site, content_type, authorization, cookie;
    bool is_changing, has_body;
};

/* "localhost", an address in numbers, or one of `names`; a port may follow. */
bool fg_gate_knows_host(struct fg_str host, const struct fg_opt_list *names);
/* NULL: it may pass. Else what is wrong with it, as words for the client. */
const char *fg_gate_refuses(const struct fg_gate_request *request,
                            const struct fg_opt_list *names);

/* The token that a request has: "Bearer TOKEN", the password of "Basic ...", or the
 * cookie "forage"; empty if it has none. At most `room` bytes are written to `out`. */
struct fg_str fg_gate_token(const struct fg_gate_request *request, char *out,
                            size_t room);

/* Stands for who asks: an address of IPv4, or a network of IPv6, for who has one address
 * of such a network has all of it. If a proxy on this machine asks and is believed, it is
 * the last address in X-Forwarded-For, the one that the proxy itself has added. */
uint64_t fg_gate_client(const struct sockaddr *peer, bool is_behind_proxy,
                        struct fg_str forwarded);

#endif
