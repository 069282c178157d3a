/* discreet.h - an address without what only its owner should know
 *
 *     fg_discreet(arena, FG_STR("hook=https://me:pw@host/a/h4x8k2Lq9ZpRw7Yt"));
 *     (says neither "me:pw" nor "h4x8...")
 *
 * Passwords and tokens stand in addresses of proxies, mail servers and webhooks. Whatever
 * prints a setting may be sent to somebody, or end in a log. */
#ifndef FG_NET_DISCREET_H
#define FG_NET_DISCREET_H

#include "base/arena.h"

/* Of each address in the text: who logs in, values of parameters, the part behind '#',
 * and parts of the path that look made by chance become three stars. */
struct fg_str fg_discreet(struct fg_arena *arena, struct fg_str text);

#endif
