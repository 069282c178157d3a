/* host.h - the host of a URL: a domain, an IPv4 or an IPv6 address (URL standard, 3.5)
 *
 *     fg_host_parse(&out, FG_STR("EXAMPLE.org"), FG_HOST_DOMAIN);   "example.org"
 *     fg_host_parse(&out, FG_STR("0x7f.1"), FG_HOST_DOMAIN);        "127.0.0.1"
 *     fg_host_parse(&out, FG_STR("[1:0::]"), FG_HOST_DOMAIN);       "[1::]"
 *
 * What comes out is the serialisation: lower case, ASCII, addresses in their one short
 * form, IPv6 in brackets. */
#ifndef FG_NET_HOST_H
#define FG_NET_HOST_H

#include "base/buf.h"
#include "base/str.h"

#include <stdbool.h>

enum fg_host_kind {
    FG_HOST_DOMAIN, /* http, https, ws, wss, ftp and file: names of the internet */
    FG_HOST_OPAQUE  /* all other schemes: any text without certain characters */
};

/* Add the parsed host to `out`, or return false if the standard says failure; then `out`
 * may have grown by something worthless. An empty domain is a failure, an empty opaque
 * host is not. */
bool fg_host_parse(struct fg_buf *out, struct fg_str input, enum fg_host_kind kind);

/* Where the first character stands that a host of this kind may not contain, or
 * FG_NOT_FOUND. */
size_t fg_host_forbidden(struct fg_str host, enum fg_host_kind kind);

/* Whether a host that was parsed as a domain is an address instead. */
bool fg_host_is_address(struct fg_str host);

/* The last label, or the one before an empty last label, is a number: what makes a host
 * an IPv4 address, if perhaps a broken one. */
bool fg_host_ends_in_number(struct fg_str host);

#endif
