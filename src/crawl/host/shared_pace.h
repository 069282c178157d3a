/* shared_pace.h - hosts that are one machine behind many names
 *
 *     fg_shared_group(group, response, rules->shares_loopback);
 *     fg_time turn = fg_shared_turn(&turns, group, rules->address_delay, now);
 *
 * A delay for each host is no protection for a machine that serves two hundred of them.
 * So requests to one address keep a distance of their own, whatever they ask for; each
 * host that wants one is given a turn, first come, first served. The address is the one
 * that answered last, an IPv6 network (/64) as a whole; before the first answer the one
 * that its name leads to, and until that is known hosts of one registrable domain stand
 * for it. Several processes that may ask one machine share it by store/addresses.h.
 * Behind a proxy nothing is known of addresses, and
 * nothing is shared. */
#ifndef FG_CRAWL_SHARED_PACE_H
#define FG_CRAWL_SHARED_PACE_H

#include "base/map.h"
#include "base/str.h"
#include "base/time.h"
#include "net/http/fetch.h"

enum { FG_SHARED_GROUP = 80 };

/* Of a host nobody has heard from yet: the address, if it is written out (then it is
 * true), or the domain; empty: none. */
bool fg_shared_group_of_name(char group[static FG_SHARED_GROUP], struct fg_str host,
                             bool shares_loopback);
/* By what came; stays as it is if that has no address, which is false. Loopback is left
 * out unless it is to be shared: there one machine plays many. */
bool fg_shared_group(char group[static FG_SHARED_GROUP],
                     const struct fg_response *response, bool shares_loopback);

/* When the next request may go there; that time is then taken. */
fg_time fg_shared_turn(struct fg_names *turns, const char *group, fg_time delay,
                       fg_time now);

#endif
