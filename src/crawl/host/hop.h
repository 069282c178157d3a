/* hop.h - the address of the next request: of a page, and of where a redirect leads */
#ifndef FG_CRAWL_HOP_H
#define FG_CRAWL_HOP_H

#include "net/http/fetch.h"
#include "net/url/url.h"

/* An address to ask: without a fragment, and without a name and password, which would
 * make another host of the same one. False if it is none of the web. */
bool fg_hop_parse(struct fg_url *url, struct fg_arena *arena, struct fg_str text,
                  const struct fg_url *base);

/* The same of a Location header, where bytes that are not ASCII mean themselves. */
bool fg_hop_follow(struct fg_url *url, struct fg_arena *arena, struct fg_str location,
                   const struct fg_url *base);

/* Is it a redirect? One without a Location is an answer like any other (RFC 9110, 15.4).
 */
bool fg_hop_leads_on(const struct fg_response *response);

#endif
