/* shared_pace.h - hosts that are one machine behind many names
 *
 *     fg_shared_group(group, response, rules->shares_loopback);
 *     fg_time turn = fg_shared_turn(&turns, group, rules->address_delay, now);
 *
 * A delay for each host is no protection for a machine that serves two hundred of them.
 * So requests to one address keep a distance of their own, whatever they ask for; each
 * host that wants one is given a turn, first come, first served. The address is the one
 * that answered last, an IPv6 network (/64) as a whole; before the first answer hosts of
 * one registrable domain stand for it. Behind a proxy nothing is known of addresses, and
 * nothing is shared. */
#ifndef FG_CRAWL_SHARED_PACE_H
#define FG_CRAWL_SHARED_PACE_H

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/time.h"
#include "net/http/fetch.h"

enum { FG_SHARED_GROUP = 80 };

/* Of a host nobody has heard from yet: the address, if it is written out, or the domain;
 * empty: none. */
void fg_shared_group_of_name(char group[static FG_SHARED_GROUP], struct fg_str host,
                             bool shares_loopback);
/* By what came; stays as it is if that has no address. Loopback is left out unless it is
 * to be shared: there one machine plays many. */
void fg_shared_group(char group[static FG_SHARED_GROUP],
                     const struct fg_response *response, bool shares_loopback);

/* When the next request may go there; that time is then taken. */
fg_time fg_shared_turn(struct fg_names *turns, const char *group, fg_time delay,
                       fg_time now);

/* The same for all processes that open the file, which hold the same clock. Of very many
 * addresses some share their turns. A process may end at any moment. */
struct fg_turns;
enum fg_status fg_turns_open(struct fg_turns **turns, const char *path,
                             struct fg_err *err);
void fg_turns_close(struct fg_turns *turns); /* NULL is fine */
fg_time fg_turns_take(struct fg_turns *turns, const char *group, fg_time delay,
                      fg_time now);

#endif
