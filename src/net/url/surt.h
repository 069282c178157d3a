/* surt.h - the key under which an archive's index sorts an address
 *
 *     fg_surt_from(arena, FG_STR("https://www.Example.org/a?z=1&b=2"))
 *         "org,example)/a?b=2&z=1"
 *
 * The host from the end to the front, so that a domain and what lies below it stand
 * together; all in lower case, without the scheme, "www.", the fragment and default
 * ports, with the parameters sorted. This is a key for finding captures, made as replay
 * tools make it; what the crawler takes for one page is canonical.h. */
#ifndef FG_NET_SURT_H
#define FG_NET_SURT_H

#include "base/arena.h"
#include "base/str.h"

/* Never has blanks or line ends in it, nor begins as a comment of an index does ('!',
 * '#',
 * '@'). What is no http address stays as it is otherwise. */
struct fg_str fg_surt_from(struct fg_arena *arena, struct fg_str url);

#endif
