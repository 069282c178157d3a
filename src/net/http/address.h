/* address.h - which network addresses a crawler may connect to
 *
 * A URL from the web may name, or resolve to, a machine inside the operator's own
 * network. The guard is asked about the address that is actually being connected to,
 * after names were resolved, on every hop: then neither a redirect nor a DNS answer gets
 * around it. */
#ifndef FG_NET_ADDRESS_H
#define FG_NET_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

enum fg_reach {
    FG_REACH_PUBLIC,   /* globally reachable unicast addresses only */
    FG_REACH_LOOPBACK, /* and this machine: the simulator, tests */
    FG_REACH_ANY,      /* and private networks, if the operator says so */
};

/* Is this a globally reachable unicast address? IPv4 inside IPv6 (mapped, NAT64, 6to4) is
 * judged by the IPv4 address. Anything but IPv4 and IPv6 is not. */
bool fg_address_is_public(const struct sockaddr *address);
bool fg_address_is_loopback(const struct sockaddr *address);

bool fg_address_allowed(const struct sockaddr *address, enum fg_reach reach);

#endif
