/* addresses.h - an address of the network is asked by one lot at a time
 *
 *     struct fg_address *at = fg_addresses_enter(addresses, "192.0.2.7");
 *     if (!at)
 *         ...not ours for now: try again after the delay...
 *     ...one request...
 *     fg_addresses_leave(at);
 *
 * Two hundred names on one machine may be of all lots, and their owners are processes on
 * several machines. So that the machine behind them is not asked by all at once, an
 * address belongs to one lot at a time, which keeps the distance between its requests by
 * itself; another one that wants it says so and is given it after a while, in the order
 * of asking. Whoever is given an address waits for the whole delay before the first
 * request. No clocks are compared, and no request costs a statement but the first one.
 *
 * An address is held by the lease of the lot: it is free when the lot has been taken by
 * somebody else or given back, and nothing is asked of it outside the lease. So all that
 * is promised of a lot (lots.h) holds of an address; see docs/scale-out.md. */
#ifndef FG_STORE_ADDRESSES_H
#define FG_STORE_ADDRESSES_H

#include "base/err.h"
#include "base/time.h"
#include "store/lots.h"

enum { FG_ADDRESS_MOST = 80 };

struct fg_addresses;
struct fg_address;

/* For the owner of a lot; connects when the first address is wanted. The lease outlives
 * it. */
enum fg_status fg_addresses_open(struct fg_addresses **addresses, const char *place,
                                 unsigned lot, struct fg_lease *lease,
                                 struct fg_err *err);
void fg_addresses_close(struct fg_addresses *addresses); /* NULL is fine */
/* Between two requests to one address, in real time; before the first. */
void fg_addresses_set_delay(struct fg_addresses *addresses, fg_time delay);

/* May a request to the address begin? Then it counts as open until it is left. NULL: not
 * now, and it is asked for. Never waits; any thread. */
struct fg_address *fg_addresses_enter(struct fg_addresses *addresses, const char *name);
void fg_addresses_leave(struct fg_address *address); /* NULL is fine */

#endif
