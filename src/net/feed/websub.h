/* websub.h - WebSub (W3C): who pushes for a page, how it is asked, what it signs
 *
 *     struct fg_websub_links links = {0};
 *     fg_websub_add_header(&links, arena, value_of_a_Link_header, &page_url);
 *     if (links.hub.len) ...links.self is what the hub calls the page...
 *     struct fg_str body = fg_websub_form(arena, &request);     (to be posted to the hub)
 *     if (fg_websub_is_signed(header, secret, body)) ...the hub has sent it...
 *
 * When to ask and what to make of a push is crawl/signals/push.h's. */
#ifndef FG_NET_WEBSUB_H
#define FG_NET_WEBSUB_H

#include "base/arena.h"
#include "base/str.h"
#include "net/url/url.h"

#include <stdbool.h>

/* Empty where nothing is said. */
struct fg_websub_links {
    struct fg_str hub, self;
};

/* The first rel=hub and the first rel=self of a Link header (RFC 8288), where there is
 * none yet; resolved, and only addresses of the web. */
void fg_websub_add_header(struct fg_websub_links *links, struct fg_arena *arena,
                          struct fg_str value, const struct fg_url *base);

struct fg_websub_request {
    bool is_leaving; /* unsubscribe */
    struct fg_str callback, topic, secret;
    int64_t lease_s;
};
/* As application/x-www-form-urlencoded. */
struct fg_str fg_websub_form(struct fg_arena *arena,
                             const struct fg_websub_request *request);

/* Is X-Hub-Signature ("sha256=0a1b...") the HMAC of the body? Of sha1, sha256, sha384 and
 * sha512, as the standard lists them; compared in constant time. */
bool fg_websub_is_signed(struct fg_str header, struct fg_str secret, struct fg_str body);

/* 32 hexadecimal digits that nobody can guess. */
enum { FG_WEBSUB_SECRET = 33 };
void fg_websub_secret(char out[static FG_WEBSUB_SECRET]);

#endif
